//! Writing single records and messages.
//!
//! A record starts with its length, and each number in it takes as many bytes as it needs. A [`Pen`] sizes it,
//! looks once whether there is room, and writes it in one go. Timestamp delta and offset delta are nearly
//! always of three bytes at most, and the length of a key of one: with the attributes they make one 64-bit
//! word, which is stored as a whole, and whose length is that of what is written.

use crate::checksum;
use crate::compression::Output;
use crate::error::{Error, ErrorKind};
use crate::record::layout;
use crate::varint::{self, SHORT_END, uvarint_len, zigzag, zigzag64};

/// The most bytes that a record takes beside its key, value and headers: five 32-bit varints, the timestamp
/// delta and the attributes.
pub(crate) const MAX_RECORD_OVERHEAD: usize = 5 * varint::MAX_LEN_32 + varint::MAX_LEN_64 + 1;
/// The most bytes that a header takes beside its key and value.
pub(crate) const MAX_HEADER_OVERHEAD: usize = 2 * varint::MAX_LEN_32;
/// The most bytes that are stored for a record beside what its length counts: the length, and what of a
/// word lies behind the record.
const MAX_BESIDE: usize = varint::MAX_LEN_32 + size_of::<u64>();

/// A key or value; null is `None`.
pub(crate) type Field<'a> = Option<&'a [u8]>;

/// A record to be written.
#[derive(Clone, Copy, Default)]
pub(crate) struct NewRecord<'a> {
    pub(crate) timestamp_delta: i64,
    pub(crate) offset_delta: i32,
    pub(crate) key: Field<'a>,
    pub(crate) value: Field<'a>,
}

/// Key and value of a header to be written.
pub(crate) type NewHeader<'a> = (&'a [u8], Field<'a>);

/// The headers of a record to be written: keys and values, how many, and the bytes that they take.
pub(crate) struct NewHeaders<T> {
    pub(crate) fields: T,
    pub(crate) count: usize,
    pub(crate) size: usize,
}

impl NewHeaders<core::iter::Empty<NewHeader<'_>>> {
    pub(crate) const NONE: Self = NewHeaders { fields: core::iter::empty(), count: 0, size: 0 };
}

/// Bytes of a header.
#[inline(always)]
pub(crate) fn header_size(key: &[u8], value: Field<'_>) -> usize {
    field_size(Some(key)).wrapping_add(field_size(value))
}

/// Bytes of a field with its length in front.
#[inline(always)]
fn field_size(field: Field<'_>) -> usize {
    match field {
        Some(bytes) => uvarint_len(doubled(bytes.len())).wrapping_add(bytes.len()),
        None => 1,
    }
}

/// The zigzag form of a length or count, which is below 2³¹.
#[inline(always)]
fn doubled(length: usize) -> u64 {
    (length as u64).wrapping_shl(1)
}

/// Appends one record of magic 2.
#[inline]
pub(crate) fn record<'a>(
    out: &mut Output<'_>,
    record: &NewRecord<'a>,
    headers: &NewHeaders<impl Iterator<Item = NewHeader<'a>> + Clone>,
) -> Result<(), Error> {
    let mut pen = Pen::new(out.room()?);
    if let Err(needed) = pen.record(record, headers) {
        pen = Pen::new(out.room_for(needed)?);
        if pen.record(record, headers).is_err() {
            return Err(Error::new(ErrorKind::Internal));
        }
    }
    let written = pen.finish()?;
    out.commit(written);
    Ok(())
}

/// A message of magic 0 or 1 to be written.
#[derive(Clone, Copy)]
pub(crate) struct NewMessage<'a> {
    pub(crate) magic: i8,
    pub(crate) attributes: i8,
    pub(crate) offset: i64,
    pub(crate) timestamp: i64,
    pub(crate) key: Field<'a>,
    pub(crate) value: Field<'a>,
}

/// Appends one message with its checksum.
pub(crate) fn message(out: &mut Output<'_>, message: &NewMessage<'_>) -> Result<(), Error> {
    let size = layout::min_size(message.magic)
        .saturating_add(message.key.map_or(0, <[u8]>::len))
        .saturating_add(message.value.map_or(0, <[u8]>::len));
    let Ok(length) = i32::try_from(size.saturating_sub(layout::LOG_OVERHEAD)) else {
        return Err(Error::new(ErrorKind::LimitInput).values(layout::MAX_BYTES as u64, size as u64));
    };
    let mut pen = Pen::new(out.room_for(size)?);
    pen.bytes(&message.offset.to_be_bytes());
    pen.bytes(&length.to_be_bytes());
    pen.bytes(&[0; 4]);
    pen.bytes(&message.magic.to_be_bytes());
    pen.bytes(&message.attributes.to_be_bytes());
    if message.magic != 0 {
        pen.bytes(&message.timestamp.to_be_bytes());
    }
    pen.field32(message.key);
    pen.field32(message.value);
    pen.finish()?;
    let room = out.room_for(size)?;
    let crc = checksum::crc32(room.get(layout::MAGIC..).unwrap_or_default());
    if let Some(place) = room.get_mut(layout::LEGACY_CRC..).and_then(|room| room.first_chunk_mut())
    {
        *place = crc.to_be_bytes();
    }
    out.commit(size);
    Ok(())
}

/// Writes into room that is large enough for all that it writes.
pub(crate) struct Pen<'a> {
    pub(crate) room: &'a mut [u8],
    size: usize,
    failed: bool,
}

impl<'p> Pen<'p> {
    pub(crate) fn new(room: &'p mut [u8]) -> Self {
        let size = room.len();
        Pen { room, size, failed: false }
    }

    /// How many bytes were written.
    ///
    /// # Errors
    /// The room was not large enough, which whoever made it must see to.
    pub(crate) fn finish(self) -> Result<usize, Error> {
        if self.failed {
            return Err(Error::new(ErrorKind::Internal));
        }
        Ok(self.size.wrapping_sub(self.room.len()))
    }

    /// Writes a record, or says how much room must be made for it.
    #[inline(always)]
    pub(crate) fn record<'a>(
        &mut self,
        record: &NewRecord<'a>,
        headers: &NewHeaders<impl Iterator<Item = NewHeader<'a>> + Clone>,
    ) -> Result<(), usize> {
        let (timestamp, offset) = (zigzag64(record.timestamp_delta), zigzag(record.offset_delta));
        let rest = field_size(record.value)
            .wrapping_add(uvarint_len(doubled(headers.count)))
            .wrapping_add(headers.size);
        if let Some((word, len)) = short_start(timestamp, offset, record.key) {
            let key = record.key.unwrap_or_default();
            self.start(rest.wrapping_add(len).wrapping_add(key.len()))?;
            self.word(word, len);
            self.bytes(key);
        } else {
            let deltas = uvarint_len(timestamp).wrapping_add(uvarint_len(u64::from(offset)));
            let key_size = field_size(record.key);
            self.start(rest.wrapping_add(deltas).wrapping_add(key_size).wrapping_add(1))?;
            self.array([0]);
            self.uvarint(timestamp);
            self.uvarint(u64::from(offset));
            self.field(record.key);
        }
        self.field(record.value);
        self.uvarint(doubled(headers.count));
        if headers.count != 0 {
            for (key, value) in headers.fields.clone() {
                self.field(Some(key));
                self.field(value);
            }
        }
        Ok(())
    }

    /// Writes the length of a record, if there is room for both.
    #[inline(always)]
    fn start(&mut self, length: usize) -> Result<(), usize> {
        let needed = length.wrapping_add(MAX_BESIDE);
        if self.room.len() < needed {
            return Err(needed);
        }
        self.uvarint(doubled(length));
        Ok(())
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        let room = core::mem::take(&mut self.room);
        if let Some((place, rest)) = room.split_first_chunk_mut() {
            *place = bytes;
            self.room = rest;
        } else {
            self.failed = true;
        }
    }

    /// The first `len` bytes of `word`, least significant first.
    #[inline(always)]
    fn word(&mut self, word: u64, len: usize) {
        let room = core::mem::take(&mut self.room);
        if let Some(place) = room.first_chunk_mut() {
            *place = word.to_le_bytes();
            self.room = room.get_mut(len..).unwrap_or_default();
        } else {
            self.failed = true;
        }
    }

    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8]) {
        let room = core::mem::take(&mut self.room);
        if let Some((place, rest)) = room.split_at_mut_checked(bytes.len()) {
            copy(place, bytes);
            self.room = rest;
        } else {
            self.failed = true;
        }
    }

    #[inline(always)]
    fn uvarint(&mut self, value: u64) {
        // Nearly all are of up to three bytes.
        let group = |shift: u32| value.wrapping_shr(shift).to_le_bytes()[0];
        if value < 1 << 7 {
            self.array([group(0)]);
        } else if value < 1 << 14 {
            self.array([group(0) | 0x80, group(7)]);
        } else if value < 1 << 21 {
            self.array([group(0) | 0x80, group(7) | 0x80, group(14)]);
        } else {
            let (bytes, len) = long_uvarint(value);
            self.bytes(bytes.get(..len).unwrap_or_default());
        }
    }

    #[inline(always)]
    fn field(&mut self, field: Field<'_>) {
        match field {
            Some(bytes) => {
                self.uvarint(doubled(bytes.len()));
                self.bytes(bytes);
            }
            None => self.array([1]),
        }
    }

    fn field32(&mut self, field: Field<'_>) {
        // Longer fields do not get here: the message would be too long.
        let len = field.map_or(-1, |bytes| i32::try_from(bytes.len()).unwrap_or(i32::MAX));
        self.bytes(&len.to_be_bytes());
        self.bytes(field.unwrap_or_default());
    }
}

/// Out of line, and without the pen, which stays in registers.
#[inline(never)]
fn long_uvarint(value: u64) -> ([u8; varint::MAX_LEN_64], usize) {
    let mut bytes = [0; varint::MAX_LEN_64];
    let len = varint::write(value, &mut bytes);
    (bytes, len)
}

/// Attributes, timestamp delta, offset delta and the length of the key in one word, and how many bytes they
/// take, where the deltas are of three bytes at most and the length is of one.
#[inline(always)]
fn short_start(timestamp: u64, offset: u32, key: Field<'_>) -> Option<(u64, usize)> {
    let timestamp = u32::try_from(timestamp).ok().filter(|timestamp| *timestamp < SHORT_END)?;
    let key_len = match key {
        None => 1,
        Some(key) => (key.len() < 1 << 6).then_some(doubled(key.len()))?,
    };
    if offset >= SHORT_END {
        return None;
    }
    let (timestamp, timestamp_size) = varint::short(timestamp);
    let (offset, offset_size) = varint::short(offset);
    // The attributes are a byte of zeros before them.
    let before = 8u32.wrapping_mul(timestamp_size.wrapping_add(1));
    let after = before.wrapping_add(8u32.wrapping_mul(offset_size));
    let deltas = u64::from(timestamp).wrapping_shl(8) | u64::from(offset).wrapping_shl(before);
    let size = timestamp_size.wrapping_add(offset_size).wrapping_add(2);
    Some((deltas | key_len.wrapping_shl(after), size as usize))
}

/// Copies `from` to `to`, which is as long. Short keys and values are the rule, and for them a call of
/// memcpy takes longer than the copy: first and last bytes, overlapping in the middle, do without.
#[inline(always)]
pub(crate) fn copy(to: &mut [u8], from: &[u8]) {
    fn ends<const N: usize>(to: &mut [u8], from: &[u8]) -> Option<()> {
        let (head, tail) = (*from.first_chunk::<N>()?, *from.last_chunk::<N>()?);
        *to.first_chunk_mut()? = head;
        *to.last_chunk_mut()? = tail;
        Some(())
    }
    match from.len() {
        0 => {}
        1 => _ = ends::<1>(to, from),
        2..=3 => _ = ends::<2>(to, from),
        4..=7 => _ = ends::<4>(to, from),
        8..=15 => _ = ends::<8>(to, from),
        16..=32 => _ = ends::<16>(to, from),
        33..=64 => _ = ends::<32>(to, from),
        _ => to.copy_from_slice(from),
    }
}
