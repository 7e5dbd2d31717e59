//! Where decompressed bytes go: a growing buffer with a bound, or memory of the caller's.
//!
//! A codec never allocates its result. It asks an [`Output`] for room, writes, and commits what it wrote.
//! The bound lives here and nowhere else, so that it holds for every codec alike. The growing buffer is
//! kept initialised over its whole length and is never truncated between calls: writing into it costs no
//! zeroing in the steady state, and safe code can hand it to any back end as `&mut [u8]`.

use alloc::vec::Vec;

use crate::error::{Error, ErrorKind};

/// The first reservation of a growing buffer, and its smallest step.
const MIN_ROOM: usize = 4096;

/// A result of more than the limit divided by this is a large one.
const LARGE: usize = 4;

/// A bounded destination for one decompression.
#[derive(Debug)]
pub(crate) struct Output<'a> {
    target: Target<'a>,
    /// Where this decompression's bytes start in the target.
    start: usize,
    /// Where they end so far.
    end: usize,
    /// Where they must end at the latest.
    bound: usize,
    /// The error when they do not.
    over: ErrorKind,
}

#[derive(Debug)]
enum Target<'a> {
    Growing(&'a mut Vec<u8>),
    Fixed(&'a mut [u8]),
}

impl<'a> Output<'a> {
    /// Appends to `buffer` after its first `start` bytes, `limit` bytes at most; `over` is the kind of the
    /// error when that does not do.
    pub(crate) fn growing(
        buffer: &'a mut Vec<u8>,
        start: usize,
        limit: usize,
        over: ErrorKind,
    ) -> Self {
        let bound = start.saturating_add(limit);
        Output { target: Target::Growing(buffer), start, end: start, bound, over }
    }

    /// Fills `buffer` from its start, its length at most.
    pub(crate) fn fixed(buffer: &'a mut [u8]) -> Self {
        let bound = buffer.len();
        let target = Target::Fixed(buffer);
        Output { target, start: 0, end: 0, bound, over: ErrorKind::BufferTooSmall }
    }

    /// How many bytes were written.
    pub(crate) fn len(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// How many more bytes may be written.
    pub(crate) fn remaining(&self) -> usize {
        self.bound.saturating_sub(self.end)
    }

    /// The error for a result that needs `needed` bytes in all.
    #[cold]
    pub(crate) fn limit_error(&self, needed: u64) -> Error {
        let limit = self.bound.saturating_sub(self.start) as u64;
        let (expected, actual) =
            if self.over == ErrorKind::BufferTooSmall { (needed, limit) } else { (limit, needed) };
        Error::new(self.over).values(expected, actual)
    }

    /// The error for a result that goes on beyond the bound, nobody knows how far.
    #[cold]
    pub(crate) fn overrun(&self) -> Error {
        if self.over == ErrorKind::BufferTooSmall {
            return self.limit_error(0);
        }
        self.limit_error((self.bound.saturating_sub(self.start) as u64).saturating_add(1))
    }

    /// Checks a declared size before anything is reserved for it.
    pub(crate) fn check_declared(&self, additional: u64) -> Result<(), Error> {
        if additional > self.remaining() as u64 {
            return Err(self.limit_error((self.len() as u64).saturating_add(additional)));
        }
        Ok(())
    }

    /// Room for exactly `n` bytes after what is written, or the limit error.
    pub(crate) fn room_for(&mut self, n: usize) -> Result<&mut [u8], Error> {
        self.check_declared(n as u64)?;
        self.room_up_to(n)
    }

    /// Room for `n` bytes after what is written, or for as many as the bound leaves.
    pub(crate) fn room_up_to(&mut self, n: usize) -> Result<&mut [u8], Error> {
        let end = self.end.saturating_add(n).min(self.bound);
        self.grow_to(end)?;
        Ok(self.slice(self.end, end))
    }

    /// As much room as there is, grown when there is none; empty once the bound is reached. A codec that
    /// still has something to write then returns [`overrun`](Self::overrun).
    pub(crate) fn room(&mut self) -> Result<&mut [u8], Error> {
        let have = self.buffer_len().min(self.bound);
        if have <= self.end && self.end < self.bound {
            self.guess(self.len().max(MIN_ROOM))?;
        }
        let end = self.buffer_len().min(self.bound);
        Ok(self.slice(self.end, end))
    }

    /// Makes room for `n` bytes that may turn out to be too few. Results that are large for the limit get
    /// memory for all of it at once: to move them later takes memory for both places.
    pub(crate) fn guess(&mut self, n: usize) -> Result<(), Error> {
        let large = self.bound.saturating_sub(self.start) / LARGE;
        if self.len().saturating_add(n) > large && !self.holds(n) {
            self.plan(self.remaining());
        }
        self.room_up_to(n).map(drop)
    }

    /// Takes memory at once for `n` bytes that are known to come, as far as the bound goes.
    pub(crate) fn plan(&mut self, n: usize) {
        let end = self.end.saturating_add(n).min(self.bound);
        // To have less is no fault: what is written asks again.
        let _ = self.reserve(end);
    }

    /// Whether there is memory for `n` more bytes, or for as many as the bound leaves.
    pub(crate) fn holds(&self, n: usize) -> bool {
        let end = self.end.saturating_add(n).min(self.bound);
        match &self.target {
            Target::Growing(buffer) => end <= buffer.capacity(),
            Target::Fixed(_) => true,
        }
    }

    /// Writes `bytes`, or none of them.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.room_for(bytes.len())?.copy_from_slice(bytes);
        self.commit(bytes.len());
        Ok(())
    }

    /// Counts `n` bytes that were written to the last room as part of the result.
    pub(crate) fn commit(&mut self, n: usize) {
        self.end = self.end.saturating_add(n).min(self.bound);
    }

    /// What was written after the first `mark` bytes, and after it the free room that the last call for
    /// room made; for codecs that look back at their own output.
    pub(crate) fn split(&mut self, mark: usize) -> (&mut [u8], &mut [u8]) {
        let written = self.len().saturating_sub(mark);
        let from = self.start.saturating_add(mark);
        let to = self.buffer_len().min(self.bound);
        self.slice(from, to).split_at_mut_checked(written).unwrap_or_default()
    }

    /// As [`split`](Self::split), in one piece.
    #[cfg(any(test, not(feature = "fast-gzip")))]
    pub(crate) fn whole(&mut self, mark: usize) -> &mut [u8] {
        let from = self.start.saturating_add(mark);
        let to = self.buffer_len().min(self.bound);
        self.slice(from, to)
    }

    /// What was written after the first `mark` bytes.
    pub(crate) fn written(&self, mark: usize) -> &[u8] {
        let buffer = match &self.target {
            Target::Growing(buffer) => buffer.as_slice(),
            Target::Fixed(buffer) => buffer,
        };
        buffer.get(self.start.saturating_add(mark)..self.end).unwrap_or_default()
    }

    fn buffer_len(&self) -> usize {
        match &self.target {
            Target::Growing(buffer) => buffer.len(),
            Target::Fixed(buffer) => buffer.len(),
        }
    }

    fn slice(&mut self, from: usize, to: usize) -> &mut [u8] {
        let buffer = match &mut self.target {
            Target::Growing(buffer) => buffer.as_mut_slice(),
            Target::Fixed(buffer) => buffer,
        };
        buffer.get_mut(from..to).unwrap_or_default()
    }

    /// Makes the buffer `len` bytes long, if it is shorter.
    fn grow_to(&mut self, len: usize) -> Result<(), Error> {
        if len <= self.buffer_len() {
            return Ok(());
        }
        self.reserve(len)?;
        if let Target::Growing(buffer) = &mut self.target {
            buffer.resize(len, 0);
        }
        Ok(())
    }

    /// Takes memory for a buffer of `len` bytes. Where there is some already it grows by a half at least, so
    /// that appending many results copies each byte a bounded number of times.
    #[cold]
    fn reserve(&mut self, len: usize) -> Result<(), Error> {
        let Target::Growing(buffer) = &mut self.target else { return Ok(()) };
        if len <= buffer.capacity() {
            return Ok(());
        }
        let half_more = buffer.capacity().saturating_add(buffer.capacity() / 2);
        if self.end <= buffer.len() / 2 {
            // Given back before there is more: mostly bytes of results that are forgotten.
            buffer.truncate(self.end);
            buffer.shrink_to_fit();
        }
        let exact = len.saturating_sub(buffer.len());
        let ample = half_more.min(self.bound).saturating_sub(buffer.len()).max(exact);
        if buffer.try_reserve_exact(ample).is_err() {
            let reserved = buffer.try_reserve_exact(exact);
            reserved.map_err(|_| Error::new(ErrorKind::OutOfMemory))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn the_bound_holds_for_every_kind_of_room() {
        let mut buffer = vec![1, 2, 3];
        let mut out = Output::growing(&mut buffer, 3, 10, ErrorKind::LimitBatchBytes);
        assert_eq!(out.room_up_to(4).unwrap().len(), 4);
        out.commit(4);
        assert_eq!(out.room().unwrap().len(), 6);
        assert_eq!(out.room_up_to(100).unwrap().len(), 6);
        let error = out.room_for(7).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::LimitBatchBytes);
        assert_eq!((error.expected(), error.actual()), (10, 11));
        out.commit(100);
        assert_eq!((out.len(), out.remaining()), (10, 0));
        assert!(out.room().unwrap().is_empty());
        assert_eq!((out.overrun().expected(), out.overrun().actual()), (10, 11));
        assert_eq!((buffer.len(), buffer.capacity() <= 16), (13, true));
    }

    #[test]
    fn memory_of_the_caller_never_grows() {
        let mut memory = [0; 5];
        let mut out = Output::fixed(&mut memory);
        out.room_for(2).unwrap().copy_from_slice(b"ab");
        out.commit(2);
        let error = out.room_for(4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BufferTooSmall);
        assert_eq!((error.expected(), error.actual()), (6, 5));
        assert_eq!(out.overrun().expected(), 0);
        out.room().unwrap().copy_from_slice(b"cde");
        out.commit(3);
        assert_eq!(out.written(1), b"bcde");
    }

    #[test]
    fn written_and_room_meet_at_the_end() {
        let mut buffer = vec![9; 2];
        let mut out = Output::growing(&mut buffer, 2, 100, ErrorKind::LimitBatchBytes);
        out.room_up_to(6).unwrap().copy_from_slice(b"abcdef");
        out.commit(4);
        let (written, room) = out.split(1);
        assert_eq!((&*written, &*room), (&b"bcd"[..], &b"ef"[..]));
        assert_eq!(out.whole(1), b"bcdef");
        assert_eq!(out.written(0), b"abcd");
    }

    #[test]
    fn what_is_planned_is_within_the_bound_and_never_moves() {
        let mut buffer = vec![0; 8];
        let mut out = Output::growing(&mut buffer, 8, 1000, ErrorKind::LimitBatchBytes);
        out.plan(600);
        assert!(out.holds(600) && !out.holds(601));
        let place = out.room_up_to(1).unwrap().as_ptr();
        assert_eq!(out.room_for(600).unwrap().as_ptr(), place);
        out.plan(usize::MAX);
        assert!(out.holds(usize::MAX));
        assert_eq!(buffer.capacity(), 1008);
    }

    #[test]
    fn a_guess_takes_memory_for_the_limit_once_it_is_large() {
        for (guess, capacity) in [(250, 250), (251, 1000), (2000, 1000)] {
            let mut buffer = Vec::new();
            let mut out = Output::growing(&mut buffer, 0, 1000, ErrorKind::LimitBatchBytes);
            out.guess(guess).unwrap();
            assert_eq!(out.room().unwrap().len(), guess.min(1000));
            assert_eq!(buffer.capacity(), capacity, "{guess}");
        }
        // Where there is enough for it already, nothing is taken.
        let mut buffer = vec![0; 300];
        let mut out = Output::growing(&mut buffer, 0, 1000, ErrorKind::LimitBatchBytes);
        out.guess(300).unwrap();
        assert_eq!(buffer.capacity(), 300);
    }

    #[test]
    fn appending_moves_the_buffer_a_few_times_only() {
        let mut buffer = Vec::new();
        let (mut moves, mut start) = (0, 0);
        for _ in 0..1000 {
            let before = buffer.capacity();
            let mut out = Output::growing(&mut buffer, start, 1 << 20, ErrorKind::LimitBatchBytes);
            out.room_for(1000).unwrap().fill(7);
            out.commit(1000);
            start += 1000;
            moves += usize::from(buffer.capacity() != before);
        }
        assert!(moves < 25, "{moves}");
    }
}
