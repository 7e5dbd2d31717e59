//! The shape that nearly every record has, read a word at a time into rows.
//!
//! The general reader takes a record number by number, each with a look at how many bytes are left. Most
//! records need none of that: their length and deltas take three bytes at most, their key, their header
//! count and their headers say how long they are in one byte each. For them a few loads of fixed width do,
//! and the numbers are cut out of registers:
//!
//! ```text
//! | length 1-3 |                                                             the first word
//! | attributes | timestamp delta 1-3 | offset delta 1-3 | key length 1 |     8 bytes at most: the second
//! | value length 1-3 |                                                       after the key: the third
//! | header count 1 |                                                         after the value
//! | key length 1 | key | value length 1 | value |                            a header
//! ```
//!
//! A run of such records is a loop that keeps everything in registers. Whatever has another shape, is
//! malformed, or stands so near to the end that a word does not fit, ends the run and is left to the general
//! reader. So all that is decided here is that a record is sound, and both read it the same.

use alloc::vec::Vec;

use crate::record::tables::{HeaderRow, RecordRow};
use crate::record::walk::Bases;
use crate::varint::unzigzag;

/// Where a run of records goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Position of the next record in the payload.
    pub(crate) at: usize,
    /// Records left.
    pub(crate) left: u32,
}

/// The tables that a run fills.
pub(crate) struct Rows<'t> {
    pub(crate) records: &'t mut Vec<RecordRow>,
    pub(crate) headers: &'t mut Vec<HeaderRow>,
    /// Added to positions in the payload.
    pub(crate) shift: u32,
    /// Bound on the rows of headers.
    pub(crate) most_headers: usize,
}

impl Rows<'_> {
    /// Reads records as long as they have the shape. `before` is told where each starts.
    #[inline(never)]
    #[allow(clippy::cast_possible_truncation, reason = "positions and tables stay below 2^32")]
    pub(crate) fn run(
        &mut self,
        payload: &[u8],
        bases: &Bases,
        mut place: Place,
        before: &mut impl FnMut(usize),
    ) -> Place {
        while place.left != 0 {
            before(place.at);
            let first_header = self.headers.len();
            let Some((row, end)) = self.read(payload, bases, place.at) else {
                self.headers.truncate(first_header);
                break;
            };
            self.records.push(RecordRow { first_header: first_header as u32, ..row });
            place = Place { at: end, left: place.left.wrapping_sub(1) };
        }
        place
    }

    /// The record at `at` and where it ends; its headers are rows already.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "positions stay below 2^32")]
    fn read(&mut self, payload: &[u8], bases: &Bases, at: usize) -> Option<(RecordRow, usize)> {
        let (length, length_size) = short(word(payload, at)?)?;
        let body = at.wrapping_add(length_size as usize);
        let end = body.wrapping_add(size(length)? as usize);

        // After the attributes; with them, all that follows here fits into 8 bytes.
        let deltas = word(payload, body)?.wrapping_shr(8);
        let (timestamp_delta, timestamp_size) = short(deltas)?;
        let deltas = deltas.wrapping_shr(timestamp_size.wrapping_mul(8));
        let (offset_delta, offset_size) = short(deltas)?;
        let [key_len, ..] = deltas.wrapping_shr(offset_size.wrapping_mul(8)).to_le_bytes();
        let deltas_size = timestamp_size.wrapping_add(offset_size) as usize;
        let key_pos = body.wrapping_add(deltas_size).wrapping_add(2);
        let (key_len, after_key) = short_field(key_len, key_pos)?;

        let value_start: [u8; 4] = *payload.get(after_key..)?.first_chunk()?;
        let (value_len, value_size) = short(u64::from(u32::from_le_bytes(value_start)))?;
        let value_pos = after_key.wrapping_add(value_size as usize);
        let (value_len, after_value) = field(value_len, value_pos)?;

        let header_count = *payload.get(after_value)?;
        let mut headers_end = after_value.wrapping_add(1);
        if header_count & 0x81 != 0 {
            return None;
        }
        let header_count = header_count.wrapping_shr(1);
        if header_count != 0 {
            headers_end = self.read_headers(payload, header_count, headers_end)?;
        }
        if headers_end != end {
            return None;
        }
        let row = RecordRow {
            offset: bases.offset(unzigzag(offset_delta))?,
            timestamp: bases.timestamp(i64::from(unzigzag(timestamp_delta))),
            key_pos: (key_pos as u32).wrapping_add(self.shift),
            key_len,
            value_pos: (value_pos as u32).wrapping_add(self.shift),
            value_len,
            first_header: 0,
            header_count: u32::from(header_count),
        };
        Some((row, end))
    }

    /// Reads `count` headers from `at` on, and returns where they end.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "positions stay below 2^32")]
    fn read_headers(&mut self, payload: &[u8], count: u8, mut at: usize) -> Option<usize> {
        // Making room is the general reader's.
        let needed = self.headers.len().wrapping_add(usize::from(count));
        if needed > self.most_headers.min(self.headers.capacity()) {
            return None;
        }
        for _ in 0..count {
            let key_pos = at.wrapping_add(1);
            let (key_len, after_key) = short_field(*payload.get(at)?, key_pos)?;
            let value_pos = after_key.wrapping_add(1);
            let (value_len, after_value) = short_field(*payload.get(after_key)?, value_pos)?;
            if key_len < 0 {
                return None;
            }
            self.headers.push(HeaderRow {
                key_pos: (key_pos as u32).wrapping_add(self.shift),
                key_len,
                value_pos: (value_pos as u32).wrapping_add(self.shift),
                value_len,
            });
            at = after_value;
        }
        // The last value may reach beyond what there is.
        (at <= payload.len()).then_some(at)
    }
}

#[inline(always)]
fn word(payload: &[u8], at: usize) -> Option<u64> {
    payload.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// The varint of up to three bytes that `word` starts with, and how many they are.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "the low half is meant")]
fn short(word: u64) -> Option<(u32, u32)> {
    let word = word as u32;
    let low = word & 0x7f;
    let middle = word.wrapping_shr(1) & 0x3f80;
    if word & 0x80 == 0 {
        Some((low, 1))
    } else if word & 0x8000 == 0 {
        Some((low | middle, 2))
    } else if word & 0x80_0000 == 0 {
        Some((low | middle | word.wrapping_shr(2) & 0x1f_c000, 3))
    } else {
        None
    }
}

/// A length that may not be negative, from its zigzag form.
#[inline(always)]
fn size(raw: u32) -> Option<u32> {
    (raw & 1 == 0).then_some(raw.wrapping_shr(1))
}

/// The length of a field at `at` from its zigzag form, −1 for null, and where the field ends.
#[inline(always)]
fn field(raw: u32, at: usize) -> Option<(i32, usize)> {
    match size(raw) {
        Some(len) => Some((len.cast_signed(), at.wrapping_add(len as usize))),
        None if raw == 1 => Some((-1, at)),
        None => None,
    }
}

/// As [`field`], where the length is of one byte.
#[inline(always)]
fn short_field(length: u8, at: usize) -> Option<(i32, usize)> {
    if length < 0x80 { field(u32::from(length), at) } else { None }
}
