//! A table: rows that are in use, and behind them rows to be written.

use alloc::vec::Vec;
use core::ops::Deref;

use crate::error::{Error, ErrorKind};

/// Rows of which the first ones count. Those behind are initialised as well, with zeros or with what an
/// earlier call left: a loop that writes them one after the other knows that each is there.
#[derive(Debug)]
pub(crate) struct Table<T> {
    rows: Vec<T>,
    used: usize,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { rows: Vec::new(), used: 0 }
    }
}

impl<T: Copy + Default> Table<T> {
    /// Makes room for more rows, or says that there is no memory for them.
    pub(crate) fn reserve(&mut self, additional: usize) -> Result<(), Error> {
        if additional <= self.rows.len().wrapping_sub(self.used) {
            return Ok(());
        }
        self.grow(additional)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, additional: usize) -> Result<(), Error> {
        let no_memory = |_| Error::new(ErrorKind::OutOfMemory);
        let more = additional.saturating_sub(self.rows.len().wrapping_sub(self.used));
        self.rows.try_reserve(more).map_err(no_memory)?;
        self.rows.resize(self.rows.capacity(), T::default());
        Ok(())
    }

    /// Appends a row, for which there must be room.
    #[inline(always)]
    pub(crate) fn put(&mut self, row: T) {
        debug_assert!(self.used < self.rows.len(), "room is made before");
        if let Some(slot) = self.rows.get_mut(self.used) {
            *slot = row;
            self.used = self.used.wrapping_add(1);
        }
    }

    /// The rows behind those in use, at most as many as asked for.
    #[inline(always)]
    pub(crate) fn spare(&mut self, most: usize) -> &mut [T] {
        let spare = self.rows.get_mut(self.used..).unwrap_or_default();
        let most = most.min(spare.len());
        spare.get_mut(..most).unwrap_or_default()
    }

    /// Takes `count` more rows into use, as they were written into [`spare`](Self::spare).
    #[inline(always)]
    pub(crate) fn advance(&mut self, count: usize) {
        self.used = self.used.saturating_add(count).min(self.rows.len());
    }

    /// Keeps the first `count` rows.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.used = self.used.min(count);
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.rows.capacity().saturating_mul(size_of::<T>())
    }

    /// The rows in use, alone.
    pub(crate) fn into_rows(mut self) -> Vec<T> {
        self.rows.truncate(self.used);
        self.rows
    }
}

impl<T> Deref for Table<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        self.rows.get(..self.used).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_when_they_are_taken_into_use() {
        let mut table = Table::default();
        table.reserve(3).unwrap();
        table.put(1);
        table.spare(2).copy_from_slice(&[2, 3]);
        assert_eq!(*table, [1]);
        table.advance(1);
        assert_eq!(*table, [1, 2]);
        table.truncate(0);
        assert!(table.is_empty());
        // What is left of earlier rows is no row.
        table.reserve(1).unwrap();
        assert!(table.is_empty());
        table.advance(usize::MAX);
        assert_eq!(table.into_rows()[..3], [1, 2, 3]);
    }

    #[test]
    fn room_is_made_once() {
        let mut table = Table::<u64>::default();
        table.reserve(100).unwrap();
        let memory = table.memory();
        assert!(memory >= 800);
        table.advance(100);
        table.truncate(0);
        table.reserve(100).unwrap();
        assert_eq!(table.memory(), memory);
    }

    #[test]
    fn more_than_there_can_be_is_out_of_memory() {
        let error = Table::<u64>::default().reserve(usize::MAX).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    }
}
