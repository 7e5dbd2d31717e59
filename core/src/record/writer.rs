//! Writing single records and messages.
//!
//! The size of what is to be written is computed first, since a record starts with it. Then there is either
//! room for exactly that many bytes or an error, and nothing is written in part. For many records, sizes
//! are computed for a stretch of them and the [`Pen`] then goes through all in one piece of room.

use crate::checksum;
use crate::compression::Output;
use crate::error::{Error, ErrorKind};
use crate::record::layout;
use crate::varint::{self, uvarint_len, zigzag, zigzag64};

/// The most bytes that a record takes beside its key, value and headers: five 32-bit varints, the timestamp
/// delta and the attributes.
pub(crate) const MAX_RECORD_OVERHEAD: usize = 5 * varint::MAX_LEN_32 + varint::MAX_LEN_64 + 1;
/// The most bytes that a header takes beside its key and value.
pub(crate) const MAX_HEADER_OVERHEAD: usize = 2 * varint::MAX_LEN_32;

/// A record to be written.
#[derive(Clone, Copy, Default)]
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
        Some(bytes) => uvarint_len(doubled(bytes.len())).wrapping_add(bytes.len()),
        None => 1,
    }
}

impl<'a> NewRecord<'a> {
    /// Bytes of the record after its length field.
    #[inline(always)]
    pub(crate) fn body_size(&self, header_count: usize, headers: impl NewHeaders<'a>) -> usize {
        let mut size = 1usize
            .wrapping_add(uvarint_len(zigzag64(self.timestamp_delta)))
            .wrapping_add(uvarint_len(u64::from(zigzag(self.offset_delta))))
            .wrapping_add(field_size(self.key))
            .wrapping_add(field_size(self.value))
            .wrapping_add(uvarint_len(doubled(header_count)));
        for (key, value) in headers {
            size = size.wrapping_add(field_size(Some(key))).wrapping_add(field_size(value));
        }
        size
    }
}

/// Bytes of a record with this body, its length field included.
///
/// # Errors
/// More than a batch can hold.
#[inline(always)]
pub(crate) fn record_size(body: usize) -> Result<usize, Error> {
    let size = uvarint_len(doubled(body)).wrapping_add(body);
    if size > layout::MAX_BYTES {
        return Err(Error::new(ErrorKind::LimitInput).values(layout::MAX_BYTES as u64, size as u64));
    }
    Ok(size)
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
    header_count: usize,
    headers: impl NewHeaders<'a>,
) -> Result<(), Error> {
    let body = record.body_size(header_count, headers.clone());
    let size = record_size(body)?;
    let mut pen = Pen::new(out.room_for(size)?);
    pen.record(body, record, header_count, headers);
    pen.finish()?;
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
    let mut pen = Pen::new(room);
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

/// Writes into room that was sized for all that it writes.
pub(crate) struct Pen<'a> {
    room: &'a mut [u8],
}

impl<'p> Pen<'p> {
    pub(crate) fn new(room: &'p mut [u8]) -> Self {
        Pen { room }
    }

    /// Says whether the room was used up to its end, as it must be.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.room.is_empty() { Ok(()) } else { Err(Error::new(ErrorKind::Internal)) }
    }

    /// Writes a record whose body takes `body` bytes.
    #[inline(always)]
    pub(crate) fn record<'a>(
        &mut self,
        body: usize,
        record: &NewRecord<'a>,
        header_count: usize,
        headers: impl NewHeaders<'a>,
    ) {
        self.uvarint(doubled(body));
        self.byte(0);
        self.uvarint(zigzag64(record.timestamp_delta));
        self.uvarint(u64::from(zigzag(record.offset_delta)));
        self.field(record.key);
        self.field(record.value);
        self.uvarint(doubled(header_count));
        for (key, value) in headers {
            self.field(Some(key));
            self.field(value);
        }
    }

    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        self.array([byte]);
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        let room = core::mem::take(&mut self.room);
        if let Some((place, rest)) = room.split_first_chunk_mut() {
            *place = bytes;
            self.room = rest;
        }
    }

    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8]) {
        let room = core::mem::take(&mut self.room);
        if let Some((place, rest)) = room.split_at_mut_checked(bytes.len()) {
            copy(place, bytes);
            self.room = rest;
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
                self.uvarint(doubled(bytes.len()));
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

/// Copies `from` to `to`, which is as long. Short keys and values are the rule, and for them a call of
/// memcpy takes longer than the copy: first and last bytes, overlapping in the middle, do without.
#[inline(always)]
fn copy(to: &mut [u8], from: &[u8]) {
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
        _ => to.copy_from_slice(from),
    }
}
