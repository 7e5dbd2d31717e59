//! Writing single records and messages.
//!
//! The size of what is to be written is computed first, since a record starts with it. Then there is either
//! room for exactly that many bytes or an error, and nothing is written in part.

use crate::checksum;
use crate::compression::Output;
use crate::error::{Error, ErrorKind};
use crate::record::layout;
use crate::varint::{self, uvarint_len, varint_len, varlong_len, zigzag, zigzag64};

/// The most bytes that a record takes beside its key, value and headers: five 32-bit varints, the timestamp
/// delta and the attributes.
pub(crate) const MAX_RECORD_OVERHEAD: usize = 5 * varint::MAX_LEN_32 + varint::MAX_LEN_64 + 1;
/// The most bytes that a header takes beside its key and value.
pub(crate) const MAX_HEADER_OVERHEAD: usize = 2 * varint::MAX_LEN_32;

/// A record to be written.
#[derive(Clone, Copy)]
pub(crate) struct NewRecord<'a> {
    pub(crate) timestamp_delta: i64,
    pub(crate) offset_delta: i32,
    pub(crate) key: Option<&'a [u8]>,
    pub(crate) value: Option<&'a [u8]>,
}

/// The headers of a record to be written.
pub(crate) trait NewHeaders<'a>:
    Iterator<Item = (&'a [u8], Option<&'a [u8]>)> + Clone
{
}
impl<'a, T: Iterator<Item = (&'a [u8], Option<&'a [u8]>)> + Clone> NewHeaders<'a> for T {}

/// Bytes of a field with its length in front.
#[inline(always)]
fn field_size(field: Option<&[u8]>) -> usize {
    match field {
        // Lengths are below 2³¹, so that zigzag doubles them.
        Some(bytes) => uvarint_len((bytes.len() as u64).wrapping_shl(1)).wrapping_add(bytes.len()),
        None => 1,
    }
}

/// Appends one record of magic 2.
#[inline]
pub(crate) fn record<'a>(
    out: &mut Output<'_>,
    record: &NewRecord<'a>,
    header_count: usize,
    headers: impl NewHeaders<'a>,
) -> Result<(), Error> {
    let mut body = 1usize
        .wrapping_add(varlong_len(record.timestamp_delta))
        .wrapping_add(varint_len(record.offset_delta))
        .wrapping_add(field_size(record.key))
        .wrapping_add(field_size(record.value))
        .wrapping_add(uvarint_len((header_count as u64).wrapping_shl(1)));
    for (key, value) in headers.clone() {
        body = body.wrapping_add(field_size(Some(key))).wrapping_add(field_size(value));
    }
    let length = (body as u64).wrapping_shl(1);
    let size = uvarint_len(length).wrapping_add(body);
    if size > layout::MAX_BYTES {
        return Err(Error::new(ErrorKind::LimitInput).values(layout::MAX_BYTES as u64, size as u64));
    }
    let mut pen = Pen { room: out.room_for(size)? };
    pen.uvarint(length);
    pen.byte(0);
    pen.uvarint(zigzag64(record.timestamp_delta));
    pen.uvarint(u64::from(zigzag(record.offset_delta)));
    pen.field(record.key);
    pen.field(record.value);
    pen.uvarint((header_count as u64).wrapping_shl(1));
    for (key, value) in headers {
        pen.field(Some(key));
        pen.field(value);
    }
    if !pen.room.is_empty() {
        return Err(Error::new(ErrorKind::Internal));
    }
    out.commit(size);
    Ok(())
}

/// A message of magic 0 or 1 to be written.
#[derive(Clone, Copy)]
pub(crate) struct NewMessage<'a> {
    pub(crate) magic: i8,
    pub(crate) attributes: i8,
    pub(crate) offset: i64,
    pub(crate) timestamp: i64,
    pub(crate) key: Option<&'a [u8]>,
    pub(crate) value: Option<&'a [u8]>,
}

/// Appends one message with its checksum.
pub(crate) fn message(out: &mut Output<'_>, message: &NewMessage<'_>) -> Result<(), Error> {
    let size = layout::min_size(message.magic)
        .saturating_add(message.key.map_or(0, <[u8]>::len))
        .saturating_add(message.value.map_or(0, <[u8]>::len));
    let Ok(length) = i32::try_from(size.saturating_sub(layout::LOG_OVERHEAD)) else {
        return Err(Error::new(ErrorKind::LimitInput).values(layout::MAX_BYTES as u64, size as u64));
    };
    let room = out.room_for(size)?;
    let mut pen = Pen { room };
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
    if !pen.room.is_empty() {
        return Err(Error::new(ErrorKind::Internal));
    }
    let room = out.room_for(size)?;
    let crc = checksum::crc32(room.get(layout::MAGIC..).unwrap_or_default());
    if let Some(place) = room.get_mut(layout::LEGACY_CRC..).and_then(|room| room.first_chunk_mut())
    {
        *place = crc.to_be_bytes();
    }
    out.commit(size);
    Ok(())
}

/// Writes into room that was sized for all of it.
struct Pen<'a> {
    room: &'a mut [u8],
}

impl Pen<'_> {
    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        let room = core::mem::take(&mut self.room);
        if let Some((place, rest)) = room.split_first_mut() {
            *place = byte;
            self.room = rest;
        }
    }

    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8]) {
        let room = core::mem::take(&mut self.room);
        if let Some((place, rest)) = room.split_at_mut_checked(bytes.len()) {
            place.copy_from_slice(bytes);
            self.room = rest;
        }
    }

    #[inline(always)]
    fn uvarint(&mut self, value: u64) {
        // Nearly all are of one byte or two.
        let [low, high, ..] = value.to_le_bytes();
        if value < 0x80 {
            self.byte(low);
        } else if value < 0x4000 {
            self.byte(low | 0x80);
            self.byte(high.wrapping_shl(1) | low.wrapping_shr(7));
        } else {
            self.long_uvarint(value);
        }
    }

    #[inline(never)]
    fn long_uvarint(&mut self, value: u64) {
        let mut bytes = [0; varint::MAX_LEN_64];
        let len = varint::write(value, &mut bytes);
        self.bytes(bytes.get(..len).unwrap_or_default());
    }

    #[inline(always)]
    fn field(&mut self, field: Option<&[u8]>) {
        match field {
            Some(bytes) => {
                self.uvarint((bytes.len() as u64).wrapping_shl(1));
                self.bytes(bytes);
            }
            None => self.byte(1),
        }
    }

    fn field32(&mut self, field: Option<&[u8]>) {
        // Longer fields do not get here: the message would be too long.
        let len = field.map_or(-1, |bytes| i32::try_from(bytes.len()).unwrap_or(i32::MAX));
        self.bytes(&len.to_be_bytes());
        self.bytes(field.unwrap_or_default());
    }
}
