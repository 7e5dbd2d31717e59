//! Decompression alone, into memory that is there already. Snappy and lz4 have one back end each.

use std::hint::black_box;

use cases::batch::HEADER;
use cases::{Codec, LARGE, LZ4_BLOCK, LZ4_HEADER, LZ4_STORED, Op, XERIAL_HEADER};

pub fn ops() -> Vec<Op> {
    vec![
        op(Codec::Gzip, "back end", zlib_rs()),
        op(Codec::Snappy, "back end", snap()),
        op(Codec::Lz4, "back end", lz4_flex),
        op(Codec::Zstd, "back end", libzstd()),
        op(Codec::Gzip, "portable back end", miniz_oxide()),
        op(Codec::Zstd, "portable back end", ruzstd()),
    ]
}

/// `unpack` returns how many bytes came out.
fn op(codec: Codec, name: &str, mut unpack: impl FnMut(&[u8], &mut [u8]) -> usize + 'static) -> Op {
    Op::new(format!("decompress/{}", codec.name()), name, move || {
        let plain = LARGE.batch(Codec::None);
        let packed = LARGE.batch(codec);
        let mut to = vec![0; plain.len()];
        assert_eq!(unpack(&packed[HEADER..], &mut to), plain.len() - HEADER);
        assert!(to[..plain.len() - HEADER] == plain[HEADER..]);
        move || {
            black_box(unpack(black_box(&packed[HEADER..]), black_box(&mut to)));
        }
    })
    .slow()
}

/// Raw deflate and the CRC-32 of gzip over what comes out.
fn zlib_rs() -> impl FnMut(&[u8], &mut [u8]) -> usize {
    let mut inflate = zlib_rs::Inflate::new(false, 15);
    move |from, to| {
        inflate.reset(false);
        let deflated = &from[10..];
        let status = inflate.decompress(deflated, to, zlib_rs::InflateFlush::Finish);
        assert_eq!(status, Ok(zlib_rs::Status::StreamEnd));
        let len = inflate.total_out() as usize;
        black_box(crc32fast::hash(&to[..len]));
        len
    }
}

fn miniz_oxide() -> impl FnMut(&[u8], &mut [u8]) -> usize {
    use miniz_oxide::inflate::TINFLStatus;
    use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};
    let mut state = Box::<DecompressorOxide>::default();
    move |from, to| {
        state.init();
        let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, _, len) = decompress(&mut state, &from[10..], to, 0, flags);
        assert_eq!(status, TINFLStatus::Done);
        black_box(crc32fast::hash(&to[..len]));
        len
    }
}

fn snap() -> impl FnMut(&[u8], &mut [u8]) -> usize {
    let mut decoder = snap::raw::Decoder::new();
    move |from, to| {
        let (mut rest, mut len) = (&from[XERIAL_HEADER.len()..], 0);
        while let Some((size, after)) = rest.split_first_chunk() {
            let (chunk, after) = after.split_at(u32::from_be_bytes(*size) as usize);
            len += decoder.decompress(chunk, &mut to[len..]).expect("a chunk");
            rest = after;
        }
        len
    }
}

fn lz4_flex(from: &[u8], to: &mut [u8]) -> usize {
    let (mut rest, mut len) = (&from[LZ4_HEADER.len()..], 0);
    while let Some((size, after)) = rest.split_first_chunk() {
        let size = u32::from_le_bytes(*size);
        if size == 0 {
            break;
        }
        let (block, after) = after.split_at((size & !LZ4_STORED) as usize);
        let room = to.len().min(len + LZ4_BLOCK);
        if size & LZ4_STORED == 0 {
            len += lz4_flex::block::decompress_into(block, &mut to[len..room]).expect("a block");
        } else {
            to[len..len + block.len()].copy_from_slice(block);
            len += block.len();
        }
        rest = after;
    }
    len
}

fn libzstd() -> impl FnMut(&[u8], &mut [u8]) -> usize {
    let mut context = zstd_safe::DCtx::create();
    move |from, to| context.decompress(to, from).expect("a frame")
}

fn ruzstd() -> impl FnMut(&[u8], &mut [u8]) -> usize {
    let mut decoder = ruzstd::decoding::FrameDecoder::new();
    move |from, to| decoder.decode_all(from, to).expect("a frame")
}
