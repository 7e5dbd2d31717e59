//! Reading a stream takes memory for what it holds, or for what the limit allows where that is less, and
//! little beside: whatever the stream declares, and however it is framed.

#![cfg(all(feature = "gzip", feature = "snappy", feature = "lz4", feature = "zstd"))]

use allocation_counter::measure;
use kcodec::compression::{compress, decompress};
use kcodec::{BatchBuilder, BatchParams, Codec, DecodeOptions, Decoder, ErrorKind, Limits};

const MIB: usize = 1 << 20;

/// No power of two, which a buffer that doubles would meet by chance.
const LIMIT: usize = 12 * MIB;

/// What the contexts of all codecs stay below.
const CONTEXTS: usize = MIB / 2;

struct Stream {
    name: &'static str,
    codec: Codec,
    bytes: Vec<u8>,
    /// The largest window that it asks for.
    window: usize,
}

impl Stream {
    /// Memory beside the result.
    fn beside(&self) -> usize {
        CONTEXTS + if self.codec == Codec::Zstd { ring(self.window) } else { 0 }
    }
}

/// ruzstd keeps the window in a ring, a power of two and two blocks long. libzstd has none.
fn ring(window: usize) -> usize {
    if cfg!(feature = "fast-zstd") { 0 } else { window.min(LIMIT).next_power_of_two() + MIB / 4 }
}

/// Zeros of `mib` MiB, a multiple of 4, in every framing.
fn streams(mib: usize) -> Vec<Stream> {
    let size = mib * MIB;
    let packed = |codec, size| compress(codec, None, &vec![0; size]).unwrap();
    let gzip = |declared: usize| {
        let mut bytes = packed(Codec::Gzip, size);
        bytes.truncate(bytes.len() - 4);
        [bytes, u32::try_from(declared).unwrap().to_le_bytes().to_vec()].concat()
    };
    let stream = |name, codec, bytes| Stream { name, codec, bytes, window: MIB };
    let large_window = Stream {
        window: 128 * MIB,
        ..stream("a window of 128 MiB", Codec::Zstd, zstd(&[0x00, 0x88], mib))
    };
    let declared = [0xa0, 0x00, 0x00, 0x10, 0x00];
    vec![
        stream("one member", Codec::Gzip, gzip(size)),
        stream("members of 1 MiB", Codec::Gzip, packed(Codec::Gzip, MIB).repeat(mib)),
        stream("members of 4 MiB", Codec::Gzip, packed(Codec::Gzip, 4 * MIB).repeat(mib / 4)),
        stream("a size of 0", Codec::Gzip, gzip(0)),
        stream("a quarter of the limit as size", Codec::Gzip, gzip(LIMIT / 4)),
        stream("half the limit as size", Codec::Gzip, gzip(LIMIT / 2)),
        stream("a byte less than the limit as size", Codec::Gzip, gzip(LIMIT - 1)),
        stream("xerial", Codec::Snappy, packed(Codec::Snappy, size)),
        stream("xerial, joined", Codec::Snappy, packed(Codec::Snappy, MIB).repeat(mib)),
        stream("raw", Codec::Snappy, snappy(size)),
        stream("as Java writes it", Codec::Lz4, packed(Codec::Lz4, size)),
        stream("frames of 1 MiB", Codec::Lz4, packed(Codec::Lz4, MIB).repeat(mib)),
        stream("linked blocks", Codec::Lz4, lz4(&[0x40, 0x70, 0xdf], mib)),
        stream("a size of 1", Codec::Lz4, lz4(&[0x68, 0x70, 1, 0, 0, 0, 0, 0, 0, 0, 0x9a], mib)),
        stream("one frame", Codec::Zstd, zstd(&[0x00, 0x50], mib)),
        stream("frames of 1 MiB", Codec::Zstd, zstd(&[0x00, 0x50], 1).repeat(mib)),
        stream("frames with a size", Codec::Zstd, zstd(&declared, 1).repeat(mib)),
        large_window,
    ]
}

/// A raw block: its size, a literal of 64 bytes, and copies of it.
fn snappy(size: usize) -> Vec<u8> {
    let size = u32::try_from(size).unwrap();
    let [a, b, c, d] = [size, size >> 7, size >> 14, size >> 21].map(|byte| byte.to_le_bytes()[0]);
    let mut bytes = vec![a | 0x80, b | 0x80, c | 0x80, d & 0x7f, 0xf0, 63];
    bytes.extend([0; 64]);
    bytes.extend([0xfe, 1, 0].repeat(size as usize / 64 - 1));
    bytes
}

/// A frame of 4 MiB blocks: a literal, one long match and a literal.
fn lz4(header: &[u8], mib: usize) -> Vec<u8> {
    let length = 4 * MIB - 2 - 19;
    let mut block = vec![0x1f, 0, 1, 0];
    block.extend([255].repeat(length / 255));
    block.extend([u8::try_from(length % 255).unwrap(), 0x10, 0]);
    let block = [&u32::try_from(block.len()).unwrap().to_le_bytes()[..], &block].concat();
    [&[0x04, 0x22, 0x4d, 0x18], header, &block.repeat(mib / 4), &[0; 4]].concat()
}

/// A frame of compressed blocks, each the same literal 128 Ki times and no sequences.
fn zstd(header: &[u8], mib: usize) -> Vec<u8> {
    let block = |last: u8| [0x2c | last, 0, 0, 0x0d, 0, 0x20, 0, 0];
    let blocks = block(0).repeat(mib * 8 - 1);
    [&[0x28, 0xb5, 0x2f, 0xfd], header, &blocks, &block(1)].concat()
}

/// The most bytes in memory at any one time.
fn peak(run: impl FnOnce()) -> usize {
    usize::try_from(measure(run).bytes_max).unwrap()
}

#[test]
fn a_bomb_takes_memory_for_the_limit() {
    for stream in streams(20) {
        let Stream { name, codec, bytes, .. } = &stream;
        let peak = peak(|| {
            let error = decompress(*codec, bytes, LIMIT as u64).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::LimitBatchBytes, "{codec}, {name}");
        });
        // gzip has no size that can be relied on, so that its result may have to move.
        let moved = if *codec == Codec::Gzip { LIMIT / 4 } else { 0 };
        let most = LIMIT + moved + stream.beside();
        assert!(peak <= most, "{codec}, {name}: {peak} of {most}");
    }
}

#[test]
fn a_stream_within_the_limit_takes_memory_for_what_it_holds() {
    let unknown = |stream: &Stream| stream.codec == Codec::Gzip && stream.name != "one member";
    for stream in streams(12).into_iter().filter(|stream| !unknown(stream)) {
        let Stream { name, codec, bytes, .. } = &stream;
        let peak = peak(|| {
            assert_eq!(decompress(*codec, bytes, 1 << 30).unwrap().len(), 12 * MIB);
        });
        let most = 12 * MIB + stream.beside();
        assert!(peak <= most, "{codec}, {name}: {peak} of {most}");
    }
}

#[test]
fn what_a_decoder_kept_goes_before_it_takes_more() {
    let batch = |codec, size| {
        let params = BatchParams { codec, ..BatchParams::default() };
        let mut builder = BatchBuilder::new(params).unwrap();
        builder.push(0, None, Some(&vec![0; size]), &[]).unwrap();
        builder.finish().unwrap().to_vec()
    };
    let limits = Limits { max_batch_bytes: LIMIT as u64, ..Limits::default() };
    for codec in Codec::ALL.into_iter().filter(|codec| *codec != Codec::None) {
        let (fits, bomb) = (batch(codec, 8 * MIB), batch(codec, 20 * MIB));
        let peak = peak(|| {
            let mut decoder = Decoder::new(DecodeOptions { limits, ..DecodeOptions::default() });
            assert_eq!(decoder.decode(&fits).unwrap().records().len(), 1);
            let error = decoder.decode(&bomb).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::LimitBatchBytes, "{codec}");
        });
        let most = LIMIT + CONTEXTS + if codec == Codec::Zstd { ring(LIMIT) } else { 0 };
        assert!(peak <= most, "{codec}: {peak} of {most}");
    }
}
