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
use crate::varint::unzigzag64;

/// Where a run of records goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Position of the next record.
    pub(crate) at: usize,
    /// Records left.
    pub(crate) left: u32,
}

/// The tables that a run fills.
pub(crate) struct Rows<'t> {
    pub(crate) records: &'t mut Vec<RecordRow>,
    pub(crate) headers: &'t mut Vec<HeaderRow>,
    /// Bound on the rows of headers.
    pub(crate) most_headers: usize,
}

/// Reads records as long as they have the shape and end before `segment` does; without `HEADERS` also only
/// as long as they have none, which leaves a loop that stays in registers.
#[inline(never)]
#[allow(clippy::cast_possible_truncation, reason = "tables stay below 2^32")]
pub(crate) fn run<const HEADERS: bool>(
    rows: Rows<'_>,
    segment: &[u8],
    bases: &Bases,
    place: Place,
) -> Place {
    let Rows { records, headers, most_headers } = rows;
    let (bases, left) = (*bases, place.left);
    let mut at = place.at as u32;
    let room = records.capacity().wrapping_sub(records.len()).min(left as usize);
    let mut more = room;
    // Room for rows is made before. To say so once more keeps what would make it out of the loop.
    while more != 0 && records.len() != records.capacity() {
        let Some((mut row, own, end)) = read::<HEADERS>(segment, &bases, at) else { break };
        row.first_header = headers.len() as u32;
        if HEADERS {
            if read_headers(headers, most_headers, segment, own) != Some(end) {
                headers.truncate(row.first_header as usize);
                break;
            }
            row.header_count = u32::from(own.count);
        } else if own.start != end {
            break;
        }
        records.push(row);
        at = end;
        more = more.wrapping_sub(1);
    }
    Place { at: at as usize, left: left.wrapping_sub(room.wrapping_sub(more) as u32) }
}

/// Reads headers into rows and returns where they end.
#[inline(always)]
fn read_headers(
    rows: &mut Vec<HeaderRow>,
    most: usize,
    segment: &[u8],
    headers: Headers,
) -> Option<u32> {
    // Making room is the general reader's.
    if rows.len().wrapping_add(usize::from(headers.count)) > most.min(rows.capacity()) {
        return None;
    }
    let mut at = headers.start;
    for _ in 0..headers.count {
        let key_pos = at.wrapping_add(1);
        let (key_len, after_key) = short_field(byte(segment, at)?, key_pos)?;
        let value_pos = after_key.wrapping_add(1);
        let (value_len, after_value) = short_field(byte(segment, after_key)?, value_pos)?;
        if key_len < 0 {
            return None;
        }
        rows.push(HeaderRow { key_pos, key_len, value_pos, value_len });
        at = after_value;
    }
    // The last value may reach beyond what there is.
    (at as usize <= segment.len()).then_some(at)
}

/// The headers of a record that are still to be read.
#[derive(Clone, Copy)]
struct Headers {
    count: u8,
    start: u32,
}

/// The record at `at`, its headers, and where it says that it ends.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "the low half is meant")]
fn read<const HEADERS: bool>(
    segment: &[u8],
    bases: &Bases,
    at: u32,
) -> Option<(RecordRow, Headers, u32)> {
    let (length, length_size) = short(u32::from_le_bytes(bytes(segment, at)?))?;
    let body = at.wrapping_add(length_size);
    let end = body.wrapping_add(length.wrapping_shr(1));

    // After the attributes; with them, all that follows here fits into 8 bytes.
    let deltas = u64::from_le_bytes(bytes(segment, body)?).wrapping_shr(8);
    let (timestamp_delta, timestamp_size) = short(deltas as u32)?;
    let deltas = deltas.wrapping_shr(timestamp_size.wrapping_mul(8));
    let (offset_delta, offset_size) = short(deltas as u32)?;
    let [key_len, ..] = deltas.wrapping_shr(offset_size.wrapping_mul(8)).to_le_bytes();
    let key_pos = body.wrapping_add(timestamp_size.wrapping_add(offset_size)).wrapping_add(2);
    let (key_len, after_key) = short_field(key_len, key_pos)?;

    let (value_len, value_size) = short(u32::from_le_bytes(bytes(segment, after_key)?))?;
    let value_pos = after_key.wrapping_add(value_size);
    let (value_len, after_value) = field(value_len, value_pos)?;

    // Neither a length nor the delta of an offset is negative, nor is a count: one look at all three.
    let header_count = byte(segment, after_value)?;
    let bad = if HEADERS { 0x81 } else { 0xff };
    if (length | offset_delta) & 1 | u32::from(header_count & bad) != 0 {
        return None;
    }
    let count = if HEADERS { header_count.wrapping_shr(1) } else { 0 };
    let row = RecordRow {
        offset: bases.offset(offset_delta.wrapping_shr(1).cast_signed())?,
        timestamp: bases.timestamp(unzigzag64(u64::from(timestamp_delta))),
        key_pos,
        key_len,
        value_pos,
        value_len,
        first_header: 0,
        header_count: 0,
    };
    Some((row, Headers { count, start: after_value.wrapping_add(1) }, end))
}

#[inline(always)]
fn byte(segment: &[u8], at: u32) -> Option<u8> {
    segment.get(at as usize).copied()
}

/// The `N` bytes from `at` on.
#[inline(always)]
fn bytes<const N: usize>(segment: &[u8], at: u32) -> Option<[u8; N]> {
    let at = at as usize;
    segment.get(at..at.wrapping_add(N))?.first_chunk().copied()
}

/// The varint of up to three bytes that `word` starts with, and how many they are.
#[inline(always)]
fn short(word: u32) -> Option<(u32, u32)> {
    let first = word & 0x7f;
    let second = word.wrapping_shr(1) & 0x3f80;
    if word & 0x80 == 0 {
        Some((first, 1))
    } else if word & 0x8000 == 0 {
        Some((first | second, 2))
    } else if word & 0x80_0000 == 0 {
        Some((first | second | word.wrapping_shr(2) & 0x1f_c000, 3))
    } else {
        None
    }
}

/// The length of a field at `at` from its zigzag form, −1 for null, and where the field ends.
#[inline(always)]
fn field(raw: u32, at: u32) -> Option<(i32, u32)> {
    let len = raw.wrapping_shr(1);
    match raw {
        1 => Some((-1, at)),
        _ if raw & 1 == 0 => Some((len.cast_signed(), at.wrapping_add(len))),
        _ => None,
    }
}

/// As [`field`], where the length is of one byte.
#[inline(always)]
fn short_field(raw: u8, at: u32) -> Option<(i32, u32)> {
    let len = raw.wrapping_shr(1);
    match raw {
        1 => Some((-1, at)),
        _ if raw & 0x81 == 0 => Some((i32::from(len), at.wrapping_add(u32::from(len)))),
        _ => None,
    }
}
