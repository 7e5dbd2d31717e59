//! Bounds on what one input may make the library allocate, on by default.
//!
//! A few bytes can ask for gigabytes: gzip reaches 1 : 1030, zstd more than 1 : 10 000. A size that a
//! frame declares is checked before anything is reserved, an undeclared one at the bound while
//! decompressing. One batch takes memory for no more than the bound, and beside it a quarter of that under
//! gzip, whose sizes cannot be relied on, and under ruzstd a window, rounded up to a power of two. Tables are
//! bounded as well, because a 7-byte record takes a 40-byte row.

/// Bounds for one call. 0 in any field means its default: there is no "unlimited" by accident.
///
/// ```
/// use kcodec::{DecodeOptions, Decoder, Limits};
///
/// let limits = Limits { max_batch_bytes: 1 << 20, ..Limits::default() };
/// let decoder = Decoder::new(DecodeOptions { limits, ..DecodeOptions::default() });
/// # drop(decoder);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Decompressed bytes of one batch. Default 128 MiB, in wasm 64 MiB.
    pub max_batch_bytes: u64,
    /// Decompressed bytes of one call. Default 1 GiB, in wasm 256 MiB.
    pub max_total_bytes: u64,
    /// Records of one call. Default 2²⁴, in wasm 2²².
    pub max_records: u32,
    /// Headers of one call. Default 2²⁴, in wasm 2²².
    pub max_headers: u32,
}

const WASM: bool = cfg!(target_family = "wasm");
const MIB: u64 = 1 << 20;

impl Limits {
    /// The bounds that a field of 0 stands for.
    pub const DEFAULT: Limits = Limits {
        max_batch_bytes: if WASM { 64 * MIB } else { 128 * MIB },
        max_total_bytes: if WASM { 256 * MIB } else { 1024 * MIB },
        max_records: if WASM { 1 << 22 } else { 1 << 24 },
        max_headers: if WASM { 1 << 22 } else { 1 << 24 },
    };

    /// The same bounds with every 0 replaced by its default.
    #[must_use]
    pub const fn effective(self) -> Limits {
        const fn or(value: u64, default: u64) -> u64 {
            if value == 0 { default } else { value }
        }
        const fn or32(value: u32, default: u32) -> u32 {
            if value == 0 { default } else { value }
        }
        Limits {
            max_batch_bytes: or(self.max_batch_bytes, Limits::DEFAULT.max_batch_bytes),
            max_total_bytes: or(self.max_total_bytes, Limits::DEFAULT.max_total_bytes),
            max_records: or32(self.max_records, Limits::DEFAULT.max_records),
            max_headers: or32(self.max_headers, Limits::DEFAULT.max_headers),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_means_the_default() {
        assert_eq!(Limits::default().effective(), Limits::DEFAULT);
        let one = Limits { max_records: 1, ..Limits::default() };
        assert_eq!(one.effective(), Limits { max_records: 1, ..Limits::DEFAULT });
    }
}
