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
        let end = self.end.saturating_add(n);
        self.grow_to(end)?;
        Ok(self.slice(self.end, end))
    }

    /// As much room as there is, grown when there is none; empty once the bound is reached. A codec that
    /// still has something to write then returns [`limit_error`](Self::limit_error).
    pub(crate) fn room(&mut self) -> Result<&mut [u8], Error> {
        let have = self.buffer_len().min(self.bound);
        if have <= self.end && self.end < self.bound {
            let step = self.len().max(MIN_ROOM);
            self.grow_to(self.end.saturating_add(step).min(self.bound))?;
        }
        let end = self.buffer_len().min(self.bound);
        Ok(self.slice(self.end, end))
    }

    /// Counts `n` bytes that were written to the last room as part of the result.
    pub(crate) fn commit(&mut self, n: usize) {
        self.end = self.end.saturating_add(n).min(self.bound);
    }

    /// What was written, and after it the free room that [`room`](Self::room) or
    /// [`room_for`](Self::room_for) made; for codecs that copy from their own output.
    pub(crate) fn split(&mut self) -> (&mut [u8], &mut [u8]) {
        let (start, end, bound) = (self.start, self.end, self.bound);
        let buffer = match &mut self.target {
            Target::Growing(buffer) => buffer.as_mut_slice(),
            Target::Fixed(buffer) => buffer,
        };
        let bound = bound.min(buffer.len());
        let all = buffer.get_mut(start..bound).unwrap_or_default();
        let written = end.saturating_sub(start).min(all.len());
        all.split_at_mut(written)
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

    fn grow_to(&mut self, len: usize) -> Result<(), Error> {
        if let Target::Growing(buffer) = &mut self.target
            && buffer.len() < len
        {
            let additional = len.saturating_sub(buffer.len());
            buffer.try_reserve_exact(additional).map_err(|_| Error::new(ErrorKind::OutOfMemory))?;
            buffer.resize(len, 0);
        }
        Ok(())
    }
}
