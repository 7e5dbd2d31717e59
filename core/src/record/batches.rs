//! Splitting a record set into its entries.
//!
//! A record set is a plain concatenation of batches and messages of any magic, each with its length in
//! front: the records of a fetch response, of a produce request, or a segment file. A broker cuts fetch
//! responses by bytes, so the last entry may end anywhere; a preallocated segment ends in zeros. Both are
//! states, told by [`Batches::tail`]. A length below what any format needs is an error: nothing after it
//! can be found.

use crate::error::Error;
use crate::record::batch::{Batch, check_magic, length_error};
use crate::record::layout;

/// What follows the last whole batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// Nothing.
    None,
    /// The start of a batch. `needed` is its whole size in bytes where its length field is there.
    Partial {
        /// Bytes of the whole batch, as its length field says; `None` when that is cut off too.
        needed: Option<usize>,
    },
    /// Zeros to the end, at least 12: a preallocated segment, or one that a crash left so.
    Zeros,
    /// Bytes that are no batch. Nothing after them can be found.
    Corrupt(Error),
}

/// What stands at the start of `bytes`.
#[derive(Debug)]
pub(crate) enum Frame<'a> {
    /// A whole entry.
    Whole(&'a [u8]),
    /// No whole entry.
    End(Tail),
}

impl<'a> Frame<'a> {
    /// Looks at the start of `bytes`. The order of the questions is Kafka's: a length below the minimum is
    /// corrupt even where the magic is cut off, a bad magic even where the rest is.
    #[inline]
    pub(crate) fn read(bytes: &'a [u8]) -> Frame<'a> {
        let Some(overhead) = bytes.first_chunk::<{ layout::LOG_OVERHEAD }>() else {
            let partial = Tail::Partial { needed: None };
            return Frame::End(if bytes.is_empty() { Tail::None } else { partial });
        };
        let [.., a, b, c, d] = *overhead;
        let length = i32::from_be_bytes([a, b, c, d]);
        // A negative length becomes a huge one in no arithmetic: it is refused here.
        let size = usize::try_from(length).ok().filter(|length| *length >= layout::MIN_LENGTH);
        let Some(size) = size.map(|length| length.saturating_add(layout::LOG_OVERHEAD)) else {
            return Frame::End(if bytes.iter().all(|byte| *byte == 0) {
                Tail::Zeros
            } else {
                let error = length_error(layout::min_size(0), 0);
                Tail::Corrupt(error.values(error.expected(), i64::from(length).cast_unsigned()))
            });
        };
        if let Some(whole) = bytes.get(..size) {
            return Frame::Whole(whole);
        }
        if let Some(&magic) = bytes.get(layout::MAGIC) {
            let magic = i8::from_be_bytes([magic]);
            if let Err(error) = check_magic(magic) {
                return Frame::End(Tail::Corrupt(error));
            }
            let min = layout::min_size(magic);
            if size < min {
                return Frame::End(Tail::Corrupt(length_error(min, size)));
            }
        }
        Frame::End(Tail::Partial { needed: Some(size) })
    }
}

/// The batches of a buffer, in order. See [`crate::batches`].
///
/// Each whole frame is an item, also one that cannot be read (its magic or codec unknown, its checksum
/// wrong): asking it for its records tells. The iterator ends at the first byte that starts no whole
/// frame; [`tail`](Self::tail) then says what is there. Only a corrupt tail is an item too, an error.
#[derive(Clone, Debug)]
pub struct Batches<'a> {
    buf: &'a [u8],
    consumed: usize,
    index: u32,
    tail: Option<Tail>,
}

impl<'a> Batches<'a> {
    pub(crate) fn new(buf: &'a [u8]) -> Self {
        Batches { buf, consumed: 0, index: 0, tail: None }
    }

    /// Bytes of the whole batches seen so far.
    #[must_use]
    pub fn consumed(&self) -> usize {
        self.consumed
    }

    /// What follows the last whole batch, once the iterator has ended.
    #[must_use]
    pub fn tail(&self) -> Tail {
        self.tail.unwrap_or(Tail::None)
    }
}

impl<'a> Iterator for Batches<'a> {
    type Item = Result<Batch<'a>, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.tail.is_some() {
            return None;
        }
        match Frame::read(self.buf.get(self.consumed..).unwrap_or_default()) {
            Frame::Whole(raw) => {
                let batch = Batch::new(raw, self.consumed, self.index);
                self.consumed = self.consumed.saturating_add(raw.len());
                self.index = self.index.saturating_add(1);
                Some(Ok(batch))
            }
            Frame::End(Tail::Corrupt(error)) => {
                let error = error.shifted(self.consumed).in_batch(self.index);
                self.tail = Some(Tail::Corrupt(error));
                Some(Err(error))
            }
            Frame::End(tail) => {
                self.tail = Some(tail);
                None
            }
        }
    }
}

impl core::iter::FusedIterator for Batches<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use alloc::vec;

    fn tail_of(bytes: &[u8]) -> Tail {
        let mut batches = Batches::new(bytes);
        assert!(batches.by_ref().all(|batch| batch.is_err()));
        batches.tail()
    }

    fn header(length: i32, magic: u8, bytes: usize) -> alloc::vec::Vec<u8> {
        let mut header = vec![0; bytes.max(17)];
        header[8..12].copy_from_slice(&length.to_be_bytes());
        header[16] = magic;
        header.truncate(bytes);
        header
    }

    #[test]
    fn fewer_bytes_than_a_length_are_partial_even_if_zero() {
        assert_eq!(tail_of(&[]), Tail::None);
        for n in 1..12 {
            assert_eq!(tail_of(&vec![0; n]), Tail::Partial { needed: None });
        }
        assert_eq!(tail_of(&[0; 12]), Tail::Zeros);
        assert_eq!(tail_of(&[0; 5000]), Tail::Zeros);
    }

    #[test]
    fn a_short_length_is_corrupt_before_the_magic_is_there() {
        for length in [0, 1, 13, -1, i32::MIN] {
            let mut bytes = header(length, 2, 16);
            bytes[0] = 1;
            let Tail::Corrupt(error) = tail_of(&bytes) else { panic!("{length}") };
            assert_eq!((error.kind(), error.position()), (ErrorKind::BatchLength, 8));
            assert_eq!((error.expected(), error.actual()), (14, i64::from(length) as u64));
        }
        assert_eq!(tail_of(&header(14, 2, 16)), Tail::Partial { needed: Some(26) });
    }

    #[test]
    fn a_cut_entry_is_checked_as_far_as_it_goes() {
        assert_eq!(tail_of(&header(49, 2, 17)), Tail::Partial { needed: Some(61) });
        assert_eq!(
            tail_of(&header(i32::MAX, 1, 40)),
            Tail::Partial { needed: Some(2_147_483_659) }
        );
        let Tail::Corrupt(error) = tail_of(&header(48, 2, 17)) else { panic!() };
        assert_eq!((error.kind(), error.expected()), (ErrorKind::BatchLength, 49));
        let Tail::Corrupt(error) = tail_of(&header(100, 3, 17)) else { panic!() };
        assert_eq!((error.kind(), error.position()), (ErrorKind::UnknownMagic, 16));
    }
}
