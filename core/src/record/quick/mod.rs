//! The shape that nearly every record has, by two loops that do nothing else: one [`read`]s it into rows,
//! one [`write`](mod@write)s it from them.
//!
//! ```text
//! | length 1-3 | attributes | timestamp delta 1-3 | offset delta 1-3 | key length 1 |  the head
//! | value length 1-3 |                                                               after the key
//! | header count 1 |                                                                 after the value
//! | key length 1 | key | value length 1 | value |                                    a header
//! ```
//!
//! Where offsets follow one another, as all do that no compaction went over, the next one's delta is known
//! from the last one's, and so are its bytes: they are counted up as they stand in a record, and never taken
//! apart or put together. That goes on as long as they are as many, so records come in stretches.
//!
//! What has another shape is left to the general reader and writer, record by record. Both ways of reading
//! give the same, and both of writing.

use crate::varint::SHORT_END;

pub(crate) mod read;
pub(crate) mod write;

/// How many offset deltas take one byte each, two at most and three at most; the sign takes a bit.
const DELTAS_1: u32 = 1 << 6;
const DELTAS_2: u32 = 1 << 13;
const DELTAS_3: u32 = SHORT_END >> 1;

/// The delta that follows one of `size` bytes, both as varints in a little-endian word.
#[inline(always)]
const fn next_delta(delta: u32, size: usize) -> u32 {
    // One more is two in zigzag form. A byte that is full carries over its bit that says that one follows.
    let more = match size {
        1 => 0,
        2 => 0x80,
        _ => 0x8080,
    };
    delta.wrapping_add(2) | more
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::varint;

    #[test]
    fn each_delta_gives_the_next() {
        for (size, deltas) in [(1, 0..DELTAS_1), (2, DELTAS_1..DELTAS_2), (3, DELTAS_2..DELTAS_3)] {
            let (mut word, _) = varint::short(deltas.start << 1);
            for delta in deltas {
                assert_eq!(varint::short(delta << 1), (word, size), "{delta}");
                word = next_delta(word, size as usize);
            }
        }
    }
}
