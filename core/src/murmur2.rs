//! murmur2, the hash by which Kafka's default partitioner picks a keyed record's partition.

const SEED: u32 = 0x9747_b28c;
const M: u32 = 0x5bd1_e995;
const R: u32 = 24;

/// The 32-bit murmur2 hash of `key`, as Kafka's `Utils.murmur2` computes it.
///
/// ```
/// // A key's partition: the hash without its sign bit, modulo the number of partitions.
/// let partition = (kcodec::murmur2(b"foobar") & 0x7fff_ffff) % 12;
/// assert_eq!((kcodec::murmur2(b"foobar"), partition), (-790_332_482, 6));
/// ```
#[must_use]
pub fn murmur2(key: &[u8]) -> i32 {
    let mix = |word: u32| {
        let word = word.wrapping_mul(M);
        (word ^ word.wrapping_shr(R)).wrapping_mul(M)
    };
    #[allow(clippy::cast_possible_truncation, reason = "the hash takes the length modulo 2^32")]
    let mut hash = SEED ^ key.len() as u32;
    let (words, tail) = key.as_chunks::<4>();
    for word in words {
        hash = hash.wrapping_mul(M) ^ mix(u32::from_le_bytes(*word));
    }
    if !tail.is_empty() {
        let last = tail.iter().rev().fold(0u32, |acc, byte| acc.wrapping_shl(8) | u32::from(*byte));
        hash = (hash ^ last).wrapping_mul(M);
    }
    hash ^= hash.wrapping_shr(13);
    hash = hash.wrapping_mul(M);
    (hash ^ hash.wrapping_shr(15)).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::murmur2;

    /// The values of Kafka's own `UtilsTest`.
    #[test]
    fn equals_kafka() {
        let cases: [(&[u8], i32); 6] = [
            (b"21", -973_932_308),
            (b"foobar", -790_332_482),
            (b"a-little-bit-long-string", -985_981_536),
            (b"a-little-bit-longer-string", -1_486_304_829),
            (b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971),
            (b"abc", 479_470_107),
        ];
        for (key, hash) in cases {
            assert_eq!(murmur2(key), hash);
        }
    }
}
