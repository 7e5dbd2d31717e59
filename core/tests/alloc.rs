//! A decoder and an encoder that were used once allocate nothing when they are used again.

use allocation_counter::measure;
use kcodec::{BatchBuilder, BatchParams, Codec, Decoder, Encoder, Header, Scratch};

/// The pure Rust zstd allocates for each frame, whatever its user does. The C library's allocations are not
/// the Rust heap's; its contexts are kept as well.
fn keeps_its_memory(codec: Codec) -> bool {
    codec != Codec::Zstd || cfg!(feature = "fast-zstd")
}

fn batch(codec: Codec, magic: i8) -> Vec<u8> {
    let params = BatchParams { codec, magic, ..BatchParams::default() };
    let mut builder = BatchBuilder::new(params).unwrap();
    for i in 0..2000 {
        push(&mut builder, i, magic);
    }
    builder.finish().unwrap().to_vec()
}

fn push(builder: &mut BatchBuilder, i: i64, magic: i8) {
    let headers = [Header { key: b"name", value: Some(b"value") }];
    let headers = if magic == 2 { &headers[..] } else { &[] };
    builder.push(1_700_000_000_000 + i, Some(b"a key"), Some(b"a value, again"), headers).unwrap();
}

fn cases() -> impl Iterator<Item = (Codec, i8)> {
    let all = Codec::ALL.into_iter().flat_map(|codec| [0, 1, 2].map(|magic| (codec, magic)));
    all.filter(|(codec, magic)| *magic == 2 || *codec != Codec::Zstd)
        .filter(|(codec, _)| keeps_its_memory(*codec))
}

#[track_caller]
fn assert_no_allocation(what: &str, mut second_call: impl FnMut()) {
    let allocations = measure(&mut second_call).count_total;
    assert_eq!(allocations, 0, "{what}");
}

#[test]
fn a_decoder_keeps_its_memory() {
    for (codec, magic) in cases() {
        let bytes = batch(codec, magic);
        let mut decoder = Decoder::default();
        decoder.decode(&bytes).unwrap();
        assert_no_allocation(&format!("decode {codec:?}, magic {magic}"), || {
            assert_eq!(decoder.decode(&bytes).unwrap().records().len(), 2000);
        });
    }
}

#[test]
fn the_iterator_keeps_its_memory() {
    for (codec, magic) in cases() {
        let bytes = batch(codec, magic);
        let mut scratch = Scratch::default();
        let mut count = || {
            let batches = kcodec::batches(&bytes).map(Result::unwrap);
            batches.map(|batch| batch.records(&mut scratch).unwrap().count()).sum::<usize>()
        };
        count();
        assert_no_allocation(&format!("iterate {codec:?}, magic {magic}"), || {
            assert_eq!(count(), 2000);
        });
    }
}

#[test]
fn an_encoder_keeps_its_memory() {
    for (codec, magic) in cases() {
        let bytes = batch(codec, magic);
        let mut decoder = Decoder::default();
        let records = decoder.decode(&bytes).unwrap();
        let row = &records.batches()[0];
        let params = BatchParams { codec, magic, ..BatchParams::default() };
        let data = records.segment(row.segment);
        let mut encoder = Encoder::new();
        let args = (records.records(), records.headers());
        let size = encoder.encode(&params, data, args.0, args.1).unwrap().len();
        assert_no_allocation(&format!("encode {codec:?}, magic {magic}"), || {
            assert_eq!(encoder.encode(&params, data, args.0, args.1).unwrap().len(), size);
        });
    }
}

#[test]
fn a_builder_keeps_its_memory() {
    for (codec, magic) in cases() {
        let params = BatchParams { codec, magic, ..BatchParams::default() };
        let mut builder = BatchBuilder::new(params).unwrap();
        let mut build = || {
            (0..2000).for_each(|i| push(&mut builder, i, magic));
            assert!(!builder.finish().unwrap().is_empty());
        };
        build();
        assert_no_allocation(&format!("build {codec:?}, magic {magic}"), build);
    }
}
