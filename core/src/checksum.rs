//! The two checksums of the format: CRC-32C over a record batch of magic 2, CRC-32 over a message of magic
//! 0 or 1 (and over what is inside gzip).
//!
//! CRC-32C is on the path of every byte that is read or written, so it has four back ends. Which one is
//! built is decided here and nowhere else: `crc-fast` (folding with carry-less multiplication) under the
//! feature `fast-crc`, sums of shifted bytes in WebAssembly, `crc32c` (the processor's own instruction) with
//! std, and a table otherwise. They agree on every input; a test compares each that is built with the
//! definition, bit by bit.

#[cfg(any(test, target_family = "wasm"))]
mod sparse;

#[cfg(feature = "fast-crc")]
use folding::append;
#[cfg(all(feature = "std", not(any(feature = "fast-crc", target_family = "wasm"))))]
use instruction::append;
#[cfg(all(target_family = "wasm", not(feature = "fast-crc")))]
use sparse::append;
#[cfg(not(any(feature = "std", target_family = "wasm")))]
use table::append;

/// The CRC-32C (Castagnoli) of the bytes that have the checksum `seed` followed by `data`.
///
/// 0 is the checksum of no bytes, so it starts a new one.
///
/// ```
/// use kcodec::checksum::crc32c;
///
/// assert_eq!(crc32c(0, b"123456789"), 0xe306_9283);
/// assert_eq!(crc32c(crc32c(0, b"12345"), b"6789"), crc32c(0, b"123456789"));
/// ```
#[must_use]
#[inline]
pub fn crc32c(seed: u32, data: &[u8]) -> u32 {
    append(seed, data)
}

/// The CRC-32 (IEEE 802.3, as gzip and zlib use it) of `data`.
#[must_use]
#[inline]
pub(crate) fn crc32(data: &[u8]) -> u32 {
    crc32fast::hash(data)
}

/// A CRC-32C of bytes that come in pieces.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Crc32c(u32);

impl Crc32c {
    /// The checksum of no bytes.
    #[inline]
    pub(crate) fn new() -> Self {
        Crc32c(0)
    }

    /// Covers `data` as well.
    #[inline]
    pub(crate) fn update(&mut self, data: &[u8]) {
        self.0 = append(self.0, data);
    }

    /// The checksum of everything covered so far.
    #[inline]
    pub(crate) fn value(self) -> u32 {
        self.0
    }
}

#[cfg(feature = "fast-crc")]
mod folding {
    use crc_fast::{CrcAlgorithm::Crc32Iscsi, Digest, crc32_iscsi};

    /// A digest is 200 bytes, so a checksum in one piece goes without.
    #[inline]
    pub(super) fn append(seed: u32, data: &[u8]) -> u32 {
        if seed == 0 { crc32_iscsi(data) } else { resume(seed, data) }
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "the state of a 32-bit checksum has 32 bits"
    )]
    fn resume(seed: u32, data: &[u8]) -> u32 {
        let mut digest = Digest::new_with_init_state(Crc32Iscsi, u64::from(!seed));
        digest.update(data);
        digest.finalize() as u32
    }
}

#[cfg(all(feature = "std", any(test, not(any(feature = "fast-crc", target_family = "wasm")))))]
mod instruction {
    #[inline]
    pub(super) fn append(seed: u32, data: &[u8]) -> u32 {
        crc32c::crc32c_append(seed, data)
    }
}

#[cfg(any(test, target_family = "wasm", not(feature = "std")))]
mod table {
    use crc::{CRC_32_ISCSI, Crc, Table};

    /// 16 lanes take 16 KiB and measured eight times as fast as one.
    static CASTAGNOLI: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);

    pub(super) fn append(seed: u32, data: &[u8]) -> u32 {
        // The crate wants its initial value as the catalogue writes it: unreflected.
        let mut digest = CASTAGNOLI.digest_with_initial((!seed).reverse_bits());
        digest.update(data);
        digest.finalize()
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    type Append = fn(u32, &[u8]) -> u32;

    const BACK_ENDS: &[(&str, Append)] = &[
        #[cfg(feature = "fast-crc")]
        ("folding", folding::append),
        #[cfg(feature = "std")]
        ("instruction", instruction::append),
        ("sparse", sparse::append),
        ("table", table::append),
    ];

    /// The definition: one bit at a time, reflected.
    fn bitwise(polynomial: u32, seed: u32, data: &[u8]) -> u32 {
        !data.iter().fold(!seed, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| {
                if crc & 1 == 1 { (crc >> 1) ^ polynomial } else { crc >> 1 }
            })
        })
    }

    fn noise(len: usize) -> Vec<u8> {
        let mut state = 0x2545_f491_u32;
        let next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state.to_le_bytes()[0]
        };
        core::iter::repeat_with(next).take(len).collect()
    }

    #[test]
    fn every_back_end_is_the_definition_at_every_length_and_alignment() {
        let data = noise(320);
        for len in 0..=300 {
            for start in [0, 1, 3, 7, 8, 15] {
                let piece = &data[start..start + len];
                let seed = if start == 3 { 0xdead_beef } else { 0 };
                let expected = bitwise(0x82f6_3b78, seed, piece);
                for (name, append) in BACK_ENDS {
                    assert_eq!(append(seed, piece), expected, "{name}, {len} bytes at {start}");
                }
            }
        }
    }

    #[test]
    fn every_back_end_agrees_on_long_inputs_in_pieces() {
        let data = noise(70_001);
        let expected = bitwise(0x82f6_3b78, 0, &data);
        for (name, append) in BACK_ENDS {
            for cut in [0, 1, 511, 512, 575, 4095, 8191, 8192, 8255, 16_384, 65_536, data.len()] {
                let (a, b) = data.split_at(cut);
                assert_eq!(append(append(0, a), b), expected, "{name} cut at {cut}");
            }
        }
        let mut crc = Crc32c::new();
        data.chunks(16_384).for_each(|piece| crc.update(piece));
        assert_eq!(crc.value(), expected);
        assert_eq!(crc32c(0, &data), expected);
    }

    #[test]
    fn crc32_is_the_definition() {
        let data = noise(300);
        for len in 0..=300 {
            assert_eq!(crc32(&data[..len]), bitwise(0xedb8_8320, 0, &data[..len]));
        }
    }
}
