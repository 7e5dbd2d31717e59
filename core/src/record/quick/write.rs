//! Writing: rows without headers put into records.
//!
//! The general writer sizes a record, looks whether there is room for it, and writes it number by number.
//! Here a number is a word of four bytes that is stored as a whole, where the next one begins over what of
//! it is not needed. The head is of a fixed size at most, so that one look says that there is room for all
//! of it, and with a null key the value's length is part of it.

use core::mem;

use crate::record::quick::{DELTAS_1, DELTAS_2, DELTAS_3, next_delta};
use crate::record::rows::RecordRow;
use crate::record::writer::copy;
use crate::varint::{self, SHORT_END, zigzag64};

/// What rows point into, and what their offsets and timestamps count from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) data: &'a [u8],
    pub(crate) base_offset: i64,
    pub(crate) base_timestamp: i64,
}

/// Most bytes of a record's length, attributes, deltas and length of the key, and a word's over the latter.
const HEAD: usize = 3 + 1 + 3 + 3 + size_of::<u32>();
/// Bytes of a key of which the length takes one byte.
const KEY_END: u32 = 1 << 6;
/// Bytes of a value beside which a key and the numbers still give a record of which the length takes three.
const VALUE_END: u32 = (SHORT_END >> 1) - 2 * KEY_END;

/// Writes rows as long as they have the shape and there is room, and returns how many. `room` is then what
/// is left of it.
pub(crate) fn run(room: &mut &mut [u8], rows: &[RecordRow], source: &Source<'_>) -> usize {
    let mut done = 0usize;
    while let Some(rows @ [first, ..]) = rows.get(done..) {
        let delta = first.offset.wrapping_sub(source.base_offset);
        let delta = u32::try_from(delta).unwrap_or(DELTAS_3);
        let (end, size) = match delta {
            0..DELTAS_1 => (DELTAS_1, 1),
            DELTAS_1..DELTAS_2 => (DELTAS_2, 2),
            DELTAS_2..DELTAS_3 => (DELTAS_3, 3),
            _ => break,
        };
        let rows = rows.get(..end.wrapping_sub(delta) as usize).unwrap_or(rows);
        let written = stretch(room, rows, source, delta, size);
        if written == 0 {
            break;
        }
        done = done.wrapping_add(written);
    }
    done
}

/// Writes rows of which the offsets follow one another, with deltas from `delta` on of `size` bytes each.
#[inline(never)]
fn stretch(
    room: &mut &mut [u8],
    rows: &[RecordRow],
    source: &Source<'_>,
    delta: u32,
    size: usize,
) -> usize {
    let source = *source;
    let mut left = mem::take(room);
    let mut done = 0usize;
    let mut offset = source.base_offset.wrapping_add(i64::from(delta));
    let (mut delta, _) = varint::short(delta.wrapping_shl(1));
    for row in rows {
        if row.offset != offset {
            break;
        }
        let Some(end) = write(left, row, &source, delta, size) else { break };
        left = left.get_mut(end..).unwrap_or_default();
        done = done.wrapping_add(1);
        offset = offset.wrapping_add(1);
        delta = next_delta(delta, size);
    }
    *room = left;
    done
}

/// Writes a record to the start of `room` and returns where it ends.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "the record is short")]
fn write(
    room: &mut [u8],
    row: &RecordRow,
    source: &Source<'_>,
    delta: u32,
    delta_size: usize,
) -> Option<usize> {
    let timestamp = zigzag64(row.timestamp.wrapping_sub(source.base_timestamp));
    if timestamp >= u64::from(SHORT_END) || row.header_count != 0 {
        return None;
    }
    let (key, key_len) = field::<KEY_END>(source.data, row.key_pos, row.key_len)?;
    let (value, value_len) = field::<VALUE_END>(source.data, row.value_pos, row.value_len)?;
    let (timestamp, timestamp_size) = short(timestamp as u32);
    let (value_len, value_len_size) = short(value_len);
    let numbers = 3usize.wrapping_add(timestamp_size).wrapping_add(delta_size);
    let bytes = key.len().wrapping_add(value.len());
    let length = bytes.wrapping_add(numbers).wrapping_add(value_len_size);
    let (length, length_size) = short((length as u32).wrapping_shl(1));

    let head = room.first_chunk_mut::<HEAD>()?;
    put(head, 0, length);
    put(head, length_size, timestamp.wrapping_shl(8));
    let mut at = length_size.wrapping_add(timestamp_size).wrapping_add(1);
    put(head, at, delta);
    at = at.wrapping_add(delta_size);
    put(head, at, key_len | value_len.wrapping_shl(8));
    at = at.wrapping_add(1);
    if !key.is_empty() {
        let (place, after) = room.get_mut(at..)?.split_at_mut_checked(key.len())?;
        copy(place, key);
        *after.first_chunk_mut()? = value_len.to_le_bytes();
        at = at.wrapping_add(key.len());
    }
    at = at.wrapping_add(value_len_size);
    let place = room.get_mut(at..)?.get_mut(..value.len().wrapping_add(1))?;
    let (header_count, place) = place.split_last_mut()?;
    copy(place, value);
    *header_count = 0;
    Some(at.wrapping_add(value.len()).wrapping_add(1))
}

/// A key or value below `END` bytes, and the zigzag form of its length.
#[inline(always)]
fn field<const END: u32>(data: &[u8], pos: u32, len: i32) -> Option<(&[u8], u32)> {
    if len == -1 {
        return Some((&[], 1));
    }
    let len = len.cast_unsigned();
    if len >= END {
        return None;
    }
    Some((data.get(pos as usize..)?.get(..len as usize)?, len.wrapping_shl(1)))
}

#[inline(always)]
fn short(number: u32) -> (u32, usize) {
    let (word, size) = varint::short(number);
    (word, size as usize)
}

#[inline(always)]
fn put(head: &mut [u8; HEAD], at: usize, word: u32) {
    if let Some(place) = head.get_mut(at..).and_then(|head| head.first_chunk_mut()) {
        *place = word.to_le_bytes();
    }
}
