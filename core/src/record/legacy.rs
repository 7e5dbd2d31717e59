//! Messages, the entries of magic 0 and 1, and the message sets inside compressed wrappers.
//!
//! A wrapper is a message whose value is a compressed run of complete messages. Three things about it
//! surprise:
//!
//! * The wrapper carries the offset of the *last* message inside. In magic 0 the inner offsets are
//!   absolute. In magic 1 they are relative, so the whole wrapper must be read before the first offset is
//!   known: absolute = wrapper − last inner + inner. Compaction leaves gaps in them.
//! * Before a broker assigned offsets a wrapper may carry 0 while its inner offsets count up from 0
//!   (librdkafka does). Then they are taken as stored and the batch is marked so.
//! * With log-append time the wrapper's timestamp holds for every message inside, whatever they say.
//!
//! A last inner message that is cut short is dropped when another came before it, as Kafka's
//! `DataLogInputStream` does.

use crate::checksum;
use crate::compression::Codec;
use crate::cursor::{Cursor, Span, Unexplained};
use crate::error::{Error, ErrorKind};
use crate::record::batch::{Batch, check_magic, length_error};
use crate::record::layout;

/// One message with positions instead of bytes, its offset as stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    pub(crate) offset: i64,
    pub(crate) timestamp: i64,
    pub(crate) magic: i8,
    pub(crate) attributes: i8,
    pub(crate) key: Span,
    pub(crate) value: Span,
}

impl Message {
    /// Reads the message that takes all of `entry`, which lies at `position` of its segment.
    pub(crate) fn read(entry: &[u8], position: usize) -> Result<Message, Error> {
        let mut cursor = Cursor::new(entry, position);
        let offset = cursor.i64()?;
        let (_length, _crc) = (cursor.i32::<Error>()?, cursor.u32::<Error>()?);
        let magic = cursor.i8()?;
        check_magic(magic)
            .and_then(|()| match layout::min_size(magic) {
                min if entry.len() < min => Err(length_error(min, entry.len())),
                _ => Ok(()),
            })
            .map_err(|error| error.shifted(position))?;
        let attributes = cursor.i8()?;
        let timestamp = if magic == 0 { -1 } else { cursor.i64()? };
        let key = cursor.field32()?;
        let value = cursor.field32()?;
        if !cursor.is_empty() {
            let left = cursor.remaining() as u64;
            return Err(cursor.fail_with(ErrorKind::TrailingBytes, 0, left));
        }
        Ok(Message { offset, timestamp, magic, attributes, key, value })
    }

    fn is_compressed(&self) -> bool {
        self.attributes.to_be_bytes()[0] & Codec::MASK != 0
    }
}

/// The messages inside a wrapper, after a first walk over their frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inner<'a> {
    cursor: Cursor<'a>,
    magic: i8,
    /// Added to each stored offset.
    base: i64,
    /// The timestamp of every message, with log-append time.
    append_time: Option<i64>,
    verify_crc: bool,
    /// How many messages there are.
    pub(crate) count: u32,
    /// The last stored offset when offsets are not assigned yet.
    pub(crate) unassigned: Option<i64>,
}

impl<'a> Inner<'a> {
    /// Looks through the frames of `payload`, what the value of `wrapper` decompressed to.
    pub(crate) fn open(
        wrapper: &Batch<'_>,
        payload: &'a [u8],
        verify_crc: bool,
    ) -> Result<Self, Error> {
        let mut cursor = Cursor::new(payload, 0);
        let (mut count, mut last) = (0u32, 0);
        let mut whole = 0;
        while let Some((offset, _)) = next_entry(&mut cursor)? {
            count = count.saturating_add(1);
            last = offset;
            whole = cursor.position();
        }
        if count == 0 {
            return Err(Error::at(ErrorKind::WrapperEmpty, 0));
        }
        let outer = wrapper.base_offset();
        let unassigned = (outer == 0 && last > 0).then_some(last);
        let base = match wrapper.magic() {
            1 if outer != 0 => {
                outer.checked_sub(last).filter(|_| outer >= last).ok_or_else(|| {
                    let (outer, last) = (outer.cast_unsigned(), last.cast_unsigned());
                    Error::at(ErrorKind::InnerOffset, 0).values(outer, last)
                })?
            }
            _ => 0,
        };
        Ok(Inner {
            cursor: Cursor::new(payload.get(..whole).unwrap_or_default(), 0),
            magic: wrapper.magic(),
            base,
            append_time: append_time(wrapper),
            verify_crc,
            count,
            unassigned,
        })
    }

    /// The next message, with its absolute offset and the timestamp that holds.
    pub(crate) fn next(&mut self) -> Result<Option<Message>, Error> {
        let position = self.cursor.position();
        let Some((_, entry)) = next_entry(&mut self.cursor)? else { return Ok(None) };
        self.check(entry).map_err(|error| error.shifted(position))?;
        let mut message = Message::read(entry, position)?;
        let at = |kind, field: usize| Error::at(kind, position.saturating_add(field));
        if message.is_compressed() {
            return Err(at(ErrorKind::InnerCompressed, layout::LEGACY_ATTRIBUTES));
        }
        message.offset = message
            .offset
            .checked_add(self.base)
            .ok_or_else(|| at(ErrorKind::OffsetOverflow, layout::BASE_OFFSET))?;
        message.timestamp = self.append_time.unwrap_or(message.timestamp);
        Ok(Some(message))
    }

    /// Checks what holds for a message of either magic. A wrong checksum explains whatever else is wrong with
    /// it, so it comes before all of that.
    fn check(&self, entry: &[u8]) -> Result<(), Error> {
        let covered = entry.get(layout::MAGIC..).unwrap_or_default();
        if self.verify_crc {
            let stored = entry.get(layout::LEGACY_CRC..).and_then(|bytes| bytes.first_chunk());
            let stored = stored.map_or(0, |bytes| u32::from_be_bytes(*bytes));
            let computed = checksum::crc32(covered);
            if stored != computed {
                let error = Error::at(ErrorKind::CrcMismatch, layout::LEGACY_CRC);
                return Err(error.values(stored.into(), computed.into()));
            }
        }
        if covered.first().copied() != Some(self.magic.cast_unsigned()) {
            return Err(Error::at(ErrorKind::InnerMagic, layout::MAGIC));
        }
        Ok(())
    }
}

/// The next inner entry with its stored offset; `None` at the end and before a cut entry.
fn next_entry<'a>(cursor: &mut Cursor<'a>) -> Result<Option<(i64, &'a [u8])>, Error> {
    let mut ahead = *cursor;
    let offset = ahead.i64::<Unexplained>();
    let (Ok(offset), Ok(length)) = (offset, ahead.i32::<Unexplained>()) else { return Ok(None) };
    let Some(length) = usize::try_from(length).ok().filter(|n| *n >= layout::MIN_LENGTH) else {
        let error = length_error(layout::min_size(0), 0).shifted(cursor.position());
        return Err(error.values(error.expected(), i64::from(length).cast_unsigned()));
    };
    Ok(cursor.take(length.saturating_add(layout::LOG_OVERHEAD)).map(|entry| (offset, entry)))
}

fn append_time(batch: &Batch<'_>) -> Option<i64> {
    let appended = batch.magic() == 1 && batch.attributes() & layout::LOG_APPEND_TIME != 0;
    appended.then(|| batch.max_timestamp())
}
