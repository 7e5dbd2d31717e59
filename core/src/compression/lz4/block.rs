//! How much a block holds, without decompressing it.
//!
//! A block is a run of sequences: a token with two lengths of four bits, of literals and of a match; what of
//! the first does not fit in bytes worth up to 255; the literals; a distance of two bytes; and what of the
//! second does not fit, in bytes again. The last sequence ends after its literals.

use core::slice::Iter;

use super::frame::Block;

/// What each byte of a block holds at best: a length byte is worth 255.
const MAX_RATIO: usize = 255;

/// The length that does not fit into four bits.
const LONG: u8 = 15;

/// What a match has above its length as written.
const MIN_MATCH: usize = 4;

impl Block<'_> {
    /// A bound that takes no reading.
    pub(super) fn most(&self) -> usize {
        if self.stored {
            return self.bytes.len();
        }
        self.bytes.len().saturating_mul(MAX_RATIO).min(self.max)
    }

    /// The exact size, if the block is valid. For one that is damaged, no less than what comes out of it
    /// before the damage, but never above [`most`](Self::most).
    pub(super) fn size(&self) -> usize {
        if self.stored {
            return self.bytes.len();
        }
        sequences(self.bytes).min(self.most())
    }
}

fn sequences(block: &[u8]) -> usize {
    let mut bytes = block.iter();
    let mut size = 0_usize;
    while let Some(token) = bytes.next() {
        let literals = length(token >> 4, &mut bytes);
        size = size.saturating_add(literals);
        bytes = bytes.as_slice().get(literals..).unwrap_or_default().iter();
        // The distance.
        if bytes.nth(1).is_none() {
            break;
        }
        let more = length(token & LONG, &mut bytes);
        size = size.saturating_add(more).saturating_add(MIN_MATCH);
    }
    size
}

fn length(short: u8, bytes: &mut Iter<'_, u8>) -> usize {
    let mut length = usize::from(short);
    if short == LONG {
        for byte in bytes {
            length = length.saturating_add(usize::from(*byte));
            if *byte != u8::MAX {
                break;
            }
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compression::testing::{SIZES, hex, samples};

    #[test]
    fn sizes_are_those_of_what_comes_out() {
        for len in SIZES {
            for input in samples(len) {
                assert_eq!(sequences(&lz4_flex::block::compress(&input)), len);
            }
        }
    }

    #[test]
    fn a_cut_block_counts_as_far_as_it_goes() {
        for (block, size) in [
            ("", 0),
            ("10", 1),
            ("1061", 1),
            ("106101", 1),
            ("10610100", 5),
            ("f0", 15),
            ("f0ff", 270),
            ("1f610100", 20),
            ("1f610100ffff", 530),
        ] {
            assert_eq!(sequences(&hex(block)), size, "{block}");
        }
    }
}
