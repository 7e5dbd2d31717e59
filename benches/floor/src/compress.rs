//! Compression alone, at the levels of Kafka's clients, into memory that is there already.

use std::hint::black_box;

use cases::batch::HEADER;
use cases::{Codec, LARGE, LZ4_BLOCK, Op, XERIAL_CHUNK};
use zlib_rs::{Deflate, DeflateFlush};

pub fn ops() -> Vec<Op> {
    vec![
        op(Codec::Gzip, "back end", zlib_rs()),
        op(Codec::Snappy, "back end", snap()),
        op(Codec::Lz4, "back end", lz4_flex()),
        op(Codec::Zstd, "back end", libzstd()),
    ]
}

/// `pack` returns how many bytes came out: not as many as went in, and not a tenth of them.
fn op(codec: Codec, name: &str, mut pack: impl FnMut(&[u8], &mut [u8]) -> usize + 'static) -> Op {
    Op::new(format!("compress/{}", codec.name()), name, move || {
        let plain = LARGE.batch(Codec::None);
        let mut to = vec![0; plain.len() * 2];
        let len = pack(&plain[HEADER..], &mut to);
        assert!((plain.len() / 10..plain.len() / 2).contains(&len));
        move || {
            black_box(pack(black_box(&plain[HEADER..]), black_box(&mut to)));
        }
    })
    .slow()
}

/// Raw deflate and the CRC-32 of gzip over what goes in.
fn zlib_rs() -> impl FnMut(&[u8], &mut [u8]) -> usize {
    let mut deflate = Deflate::new(6, false, 15);
    move |from, to| {
        deflate.reset();
        let status = deflate.compress(from, to, DeflateFlush::Finish);
        assert_eq!(status, Ok(zlib_rs::Status::StreamEnd));
        black_box(crc32fast::hash(from));
        deflate.total_out() as usize
    }
}

fn snap() -> impl FnMut(&[u8], &mut [u8]) -> usize {
    let mut encoder = snap::raw::Encoder::new();
    move |from, to| {
        from.chunks(XERIAL_CHUNK).fold(0, |len, chunk| {
            len + encoder.compress(chunk, &mut to[len..]).expect("room enough")
        })
    }
}

fn lz4_flex() -> impl FnMut(&[u8], &mut [u8]) -> usize {
    use lz4_flex::block::{CompressTable, compress_into_with_table};
    let mut table = CompressTable::default();
    move |from, to| {
        from.chunks(LZ4_BLOCK).fold(0, |len, block| {
            len + compress_into_with_table(block, &mut to[len..], &mut table).expect("room enough")
        })
    }
}

fn libzstd() -> impl FnMut(&[u8], &mut [u8]) -> usize {
    let mut context = zstd_safe::CCtx::create();
    move |from, to| context.compress(to, from, 3).expect("room enough")
}
