//! The four codecs as Kafka's Java client frames them.

/// A codec by its number in the attributes of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    None = 0,
    Gzip = 1,
    Snappy = 2,
    Lz4 = 3,
    Zstd = 4,
}

/// Plain bytes in a chunk of a xerial stream.
pub const XERIAL_CHUNK: usize = 32 * 1024;
/// A xerial stream starts with its magic and two version numbers.
pub const XERIAL_HEADER: [u8; 16] = *b"\x82SNAPPY\0\0\0\0\x01\0\0\0\x01";
/// Plain bytes in an lz4 block.
pub const LZ4_BLOCK: usize = 64 * 1024;
/// The header of an lz4 frame of independent 64 KiB blocks without checksums.
pub const LZ4_HEADER: [u8; 7] = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82];
/// The bit of a block length that says that the block is stored.
pub const LZ4_STORED: u32 = 1 << 31;
/// The header of a gzip member without a name or time.
const GZIP_LEVEL: i32 = 6;
/// 15 bits of window in a gzip wrapper, as zlib counts.
const GZIP_WINDOW: u8 = 16 + 15;
const ZSTD_LEVEL: i32 = 3;

impl Codec {
    pub const PACKED: [Codec; 4] = [Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd];

    pub fn name(self) -> &'static str {
        match self {
            Codec::None => "none",
            Codec::Gzip => "gzip",
            Codec::Snappy => "snappy",
            Codec::Lz4 => "lz4",
            Codec::Zstd => "zstd",
        }
    }

    pub(crate) fn pack(self, plain: &[u8]) -> Vec<u8> {
        match self {
            Codec::None => plain.to_vec(),
            Codec::Gzip => gzip(plain),
            Codec::Snappy => xerial(plain),
            Codec::Lz4 => lz4(plain),
            Codec::Zstd => zstd(plain),
        }
    }
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut out = vec![0; plain.len() + plain.len() / 100 + 1024];
    let mut deflate = zlib_rs::Deflate::new(GZIP_LEVEL, true, GZIP_WINDOW);
    let status = deflate.compress(plain, &mut out, zlib_rs::DeflateFlush::Finish);
    assert_eq!(status, Ok(zlib_rs::Status::StreamEnd));
    out.truncate(usize::try_from(deflate.total_out()).expect("a small batch"));
    out
}

fn xerial(plain: &[u8]) -> Vec<u8> {
    let mut out = XERIAL_HEADER.to_vec();
    for chunk in plain.chunks(XERIAL_CHUNK) {
        let packed = snap::raw::Encoder::new().compress_vec(chunk).expect("a small chunk");
        out.extend((packed.len() as u32).to_be_bytes());
        out.extend(packed);
    }
    out
}

fn lz4(plain: &[u8]) -> Vec<u8> {
    let mut out = LZ4_HEADER.to_vec();
    for block in plain.chunks(LZ4_BLOCK) {
        let packed = lz4_flex::block::compress(block);
        let (bit, bytes) =
            if packed.len() < block.len() { (0, &packed[..]) } else { (LZ4_STORED, block) };
        out.extend((bytes.len() as u32 | bit).to_le_bytes());
        out.extend_from_slice(bytes);
    }
    out.extend([0; 4]); // the end mark
    out
}

/// Java's client streams, so its frames do not say how long they are.
fn zstd(plain: &[u8]) -> Vec<u8> {
    use zstd_safe::{CCtx, CParameter, compress_bound};
    let mut context = CCtx::create();
    for parameter in [CParameter::CompressionLevel(ZSTD_LEVEL), CParameter::ContentSizeFlag(false)]
    {
        context.set_parameter(parameter).expect("a known parameter");
    }
    let mut out = vec![0; compress_bound(plain.len())];
    let len = context.compress2(&mut out[..], plain).expect("room enough");
    out.truncate(len);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LARGE, RECORDS};

    fn plain() -> Vec<u8> {
        (0..200).flat_map(|index| LARGE.record(index).value).collect()
    }

    #[test]
    fn gzip_is_a_member() {
        let (plain, packed) = (plain(), gzip(&plain()));
        assert_eq!(packed[..3], [0x1f, 0x8b, 8]);
        let mut out = vec![0; plain.len()];
        let mut inflate = zlib_rs::Inflate::new(true, GZIP_WINDOW);
        let status = inflate.decompress(&packed, &mut out, zlib_rs::InflateFlush::Finish);
        assert_eq!(status, Ok(zlib_rs::Status::StreamEnd));
        assert_eq!(out, plain);
    }

    #[test]
    fn xerial_is_magic_versions_and_chunks() {
        let (plain, packed) = (plain(), xerial(&plain()));
        assert_eq!(packed[..8], [0x82, b'S', b'N', b'A', b'P', b'P', b'Y', 0]);
        assert_eq!(packed[8..16], [0, 0, 0, 1, 0, 0, 0, 1]);
        let (mut rest, mut out) = (&packed[16..], Vec::new());
        while let Some((len, after)) = rest.split_first_chunk() {
            let (chunk, after) = after.split_at(u32::from_be_bytes(*len) as usize);
            out.extend(snap::raw::Decoder::new().decompress_vec(chunk).unwrap());
            rest = after;
        }
        assert_eq!(out, plain);
    }

    #[test]
    fn lz4_is_a_frame_of_blocks() {
        let (plain, packed) = (plain(), lz4(&plain()));
        let (mut rest, mut out) = (&packed[7..], Vec::new());
        while let Some((len, after)) = rest.split_first_chunk() {
            let len = u32::from_le_bytes(*len);
            if len == 0 {
                assert!(after.is_empty());
            }
            let (block, after) = after.split_at((len & !LZ4_STORED) as usize);
            if len & LZ4_STORED != 0 {
                out.extend_from_slice(block);
            } else if len != 0 {
                out.extend(lz4_flex::block::decompress(block, LZ4_BLOCK).unwrap());
            }
            rest = after;
        }
        assert_eq!(out, plain);
    }

    #[test]
    fn zstd_is_a_frame_without_its_size() {
        let (plain, packed) = (plain(), zstd(&plain()));
        assert_eq!(zstd_safe::get_frame_content_size(&packed).unwrap(), None);
        let mut out = vec![0; plain.len()];
        assert_eq!(zstd_safe::decompress(&mut out[..], &packed), Ok(plain.len()));
        assert_eq!(out, plain);
    }

    #[test]
    fn values_compress_as_json_does() {
        let plain = LARGE.batch(Codec::None).len();
        assert!(plain > RECORDS * 1000);
        for codec in Codec::PACKED {
            let ratio = plain as f64 / LARGE.batch(codec).len() as f64;
            assert!((3.0..10.0).contains(&ratio), "{codec:?} {ratio}");
        }
    }
}
