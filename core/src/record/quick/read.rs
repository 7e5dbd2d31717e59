//! Reading: rows filled in place.
//!
//! The general reader takes a record number by number, each with a look at how many bytes are left. Here one
//! look says that all up to the key is there, and one more that the value's length is. A stretch is a loop
//! that keeps little more than its place: what is read of a record goes into the next spare row at once, and
//! counts when all of the record turned out well. Whatever has another shape, is malformed, or stands so
//! near to the end that those bytes are not there, ends the run. So all that is decided here is that a
//! record is sound.
//!
//! Where the header says that a batch covers as many offsets as it has records, the bytes of an offset's
//! delta are compared with those it must have. There is a loop for each number of them; records with headers,
//! which take three times as long, have one that reads it.

use core::mem;

use crate::record::quick::{DELTAS_1, DELTAS_2, DELTAS_3, next_delta};
use crate::record::rows::{HeaderRow, RecordRow};
use crate::record::table::Table;
use crate::record::walk::Bases;
use crate::varint::{self, unzigzag64};

/// Most bytes of a number that may take more than one.
const SHORT: usize = 3;
/// Most bytes of a record before its key: three such numbers, the attributes and the key's length.
const HEAD: usize = 3 * SHORT + 2;

/// In place of a number of bytes: offset deltas are read, whatever they are.
const ANY: usize = 0;

/// The bit of a zigzag form that makes it negative.
const NEGATIVE: u32 = 1;
/// The bit of a byte of a varint that says that more follow.
const MORE: u32 = 0x80;

/// Where a run of records goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Position of the next record.
    pub(crate) at: usize,
    /// Records left.
    pub(crate) left: u32,
    /// The delta of the next record's offset, after which each is one more, where the header says so.
    pub(crate) delta: Option<u32>,
}

/// The tables that a run fills.
pub(crate) struct Rows<'t> {
    pub(crate) records: &'t mut Table<RecordRow>,
    pub(crate) headers: &'t mut Table<HeaderRow>,
    /// Bound on the rows of headers.
    pub(crate) most_headers: usize,
}

/// Reads records as long as they have the shape and end before `segment` does; without `HEADERS` also only
/// as long as they have none.
pub(crate) fn run<const HEADERS: bool>(
    mut rows: Rows<'_>,
    segment: &[u8],
    bases: &Bases,
    mut place: Place,
) -> Place {
    // Where a head may start at all is known from here on, so that one comparison bounds it.
    while segment.len() >= HEAD {
        let before = place.left;
        let rows = &mut rows;
        // Beside headers an offset is nothing.
        let delta = place.delta.filter(|_| !HEADERS);
        place = match delta.unwrap_or(u32::MAX) {
            0..DELTAS_1 => stretch::<false, 1>(rows, segment, bases, place, DELTAS_1),
            DELTAS_1..DELTAS_2 => stretch::<false, 2>(rows, segment, bases, place, DELTAS_2),
            DELTAS_2..DELTAS_3 => stretch::<false, 3>(rows, segment, bases, place, DELTAS_3),
            _ => stretch::<HEADERS, ANY>(rows, segment, bases, place, u32::MAX),
        };
        // What ends elsewhere ends at a record of another shape.
        let next_size = matches!(place.delta, Some(DELTAS_1 | DELTAS_2 | DELTAS_3));
        if !next_size || place.left == before {
            break;
        }
    }
    place
}

/// Reads records whose offset deltas take `SIZE` bytes each and are below `end`.
#[inline(never)]
#[allow(clippy::cast_possible_truncation, reason = "tables stay below 2^32")]
fn stretch<const HEADERS: bool, const SIZE: usize>(
    rows: &mut Rows<'_>,
    segment: &[u8],
    bases: &Bases,
    place: Place,
    end: u32,
) -> Place {
    let Rows { records, headers, most_headers } = rows;
    let bases = *bases;
    let mut at = place.at as u32;
    let delta = place.delta.unwrap_or(0);
    let mut offset = bases.base_offset.wrapping_add(i64::from(delta));
    let mut delta_bytes = varint::short(delta.wrapping_shl(1)).0;
    let (before, mut header_count) = (headers.len(), 0usize);
    let mut header_rows = headers.spare(most_headers.wrapping_sub(before));
    let most = end.wrapping_sub(delta).min(place.left);
    let mut spare = records.spare(most as usize).iter_mut();
    let all = spare.len();
    let unused = loop {
        let unused = spare.len();
        let Some(row) = spare.next() else { break 0 };
        row.first_header = before.wrapping_add(header_count) as u32;
        row.offset = offset;
        let end = read::<HEADERS, SIZE>(row, header_rows, segment, &bases, delta_bytes, at);
        let Some(end) = end else { break unused };
        if HEADERS {
            let count = row.header_count as usize;
            header_count = header_count.wrapping_add(count);
            header_rows = mem::take(&mut header_rows).get_mut(count..).unwrap_or_default();
        }
        at = end;
        offset = offset.wrapping_add(1);
        delta_bytes = next_delta(delta_bytes, SIZE);
    };
    let done = all.wrapping_sub(unused);
    records.advance(done);
    if HEADERS {
        headers.advance(header_count);
    }
    let done = done as u32;
    Place {
        at: at as usize,
        left: place.left.wrapping_sub(done),
        delta: place.delta.map(|delta| delta.wrapping_add(done)),
    }
}

/// Reads the record at `at` and returns where it ends.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "a position in the head")]
fn read<const HEADERS: bool, const SIZE: usize>(
    row: &mut RecordRow,
    header_rows: &mut [HeaderRow],
    segment: &[u8],
    bases: &Bases,
    delta_bytes: u32,
    at: u32,
) -> Option<u32> {
    let head = bytes::<HEAD>(segment, at)?;
    let (length, body) = short(head, 0)?;
    let end = at.wrapping_add(body as u32).wrapping_add(length.wrapping_shr(1));
    let (timestamp_delta, here) = short(head, body.wrapping_add(1))?;
    row.timestamp = bases.timestamp(unzigzag64(u64::from(timestamp_delta)));
    let here = if SIZE == ANY {
        let (delta, after) = short(head, here)?;
        if delta & NEGATIVE != 0 {
            return None;
        }
        row.offset = bases.offset(delta.wrapping_shr(1).cast_signed())?;
        after
    } else {
        let found = u32::from_le_bytes(*head.get(here..)?.first_chunk()?);
        if found & mask::<SIZE>() != delta_bytes {
            return None;
        }
        here.wrapping_add(SIZE)
    };
    row.key_pos = at.wrapping_add(here as u32).wrapping_add(1);
    let after_key = short_field(*head.get(here)?, row.key_pos, &mut row.key_len)?;

    let (value_len, value_size) = short(bytes::<SHORT>(segment, after_key)?, 0)?;
    row.value_pos = after_key.wrapping_add(value_size as u32);
    let after_value = field(value_len, NEGATIVE, row.value_pos, &mut row.value_len)?;

    // Neither a length nor a count is negative: one look at both.
    let header_count = u32::from(byte(segment, after_value)?);
    let other = if HEADERS { NEGATIVE | MORE } else { u32::MAX };
    if length & NEGATIVE | header_count & other != 0 {
        return None;
    }
    row.header_count = 0;
    let mut after = after_value.wrapping_add(1);
    if HEADERS {
        row.header_count = header_count.wrapping_shr(1);
        // Making room is the general reader's.
        let own = header_rows.get_mut(..row.header_count as usize)?;
        after = read_headers(own, segment, after)?;
    }
    (after == end).then_some(end)
}

/// Reads headers into rows and returns where they end.
#[inline(always)]
fn read_headers(rows: &mut [HeaderRow], segment: &[u8], mut at: u32) -> Option<u32> {
    for row in rows {
        row.key_pos = at.wrapping_add(1);
        let after_key = short_field(byte(segment, at)?, row.key_pos, &mut row.key_len)?;
        if row.key_len < 0 {
            return None;
        }
        row.value_pos = after_key.wrapping_add(1);
        at = short_field(byte(segment, after_key)?, row.value_pos, &mut row.value_len)?;
    }
    // The last value may reach beyond what there is.
    (at as usize <= segment.len()).then_some(at)
}

/// The bits of a varint of `SIZE` bytes in a little-endian word.
const fn mask<const SIZE: usize>() -> u32 {
    match SIZE {
        1 => 0xff,
        2 => 0xffff,
        _ => 0xff_ffff,
    }
}

#[inline(always)]
fn byte(segment: &[u8], at: u32) -> Option<u8> {
    segment.get(at as usize).copied()
}

/// The `N` bytes from `at` on.
#[inline(always)]
fn bytes<const N: usize>(segment: &[u8], at: u32) -> Option<&[u8; N]> {
    let at = at as usize;
    segment.get(at..at.wrapping_add(N))?.first_chunk()
}

/// The varint of up to three bytes at `at`, and where it ends. The general reader cuts it out of a word, which
/// is quicker where a slice goes on behind it, and slower where a position does.
#[inline(always)]
fn short<const N: usize>(head: &[u8; N], at: usize) -> Option<(u32, usize)> {
    let byte = |index: usize| head.get(at.wrapping_add(index)).copied().map(u32::from);
    let first = byte(0)?;
    if first < MORE {
        return Some((first, at.wrapping_add(1)));
    }
    let first = first & 0x7f;
    let second = byte(1)?;
    if second < MORE {
        return Some((first | second.wrapping_shl(7), at.wrapping_add(2)));
    }
    let second = second & 0x7f;
    let third = byte(2)?;
    let number = first | second.wrapping_shl(7) | third.wrapping_shl(14);
    (third < MORE).then_some((number, at.wrapping_add(SHORT)))
}

/// Writes the length of a field at `at` from its zigzag form, −1 for null, and returns where the field ends.
/// A form with any of the bits of `other` is left to the general reader, but for that of null.
#[inline(always)]
fn field(raw: u32, other: u32, at: u32, len: &mut i32) -> Option<u32> {
    let bytes = raw.wrapping_shr(1);
    if raw & other == 0 {
        *len = bytes.cast_signed();
        return Some(at.wrapping_add(bytes));
    }
    *len = -1;
    (raw == 1).then_some(at)
}

/// As [`field`], where the length is of one byte.
#[inline(always)]
fn short_field(raw: u8, at: u32, len: &mut i32) -> Option<u32> {
    field(u32::from(raw), NEGATIVE | MORE, at, len)
}
