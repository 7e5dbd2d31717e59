//! The borrowed form: records as they lie in the buffer, one after another.

use crate::compression::Codec;
use crate::error::Error;
use crate::record::batch::Batch;
use crate::record::layout;
use crate::record::legacy::{Inner, Message};
use crate::record::payload::{Scratch, Stored};
use crate::record::record::{Headers, NoHeaders, Record, slice};
use crate::record::walk::{self, Walk};

/// The bytes of a batch's records, ready to be walked.
#[derive(Clone, Debug)]
enum Source<'a> {
    Empty,
    Walk(Walk<'a>),
    /// One plain message, in the bytes of its entry.
    Message(Message, &'a [u8]),
    /// The messages of a wrapper, in its payload.
    Inner(Inner<'a>, &'a [u8]),
}

impl<'a> Batch<'a> {
    /// The records of the batch, of whatever magic and codec.
    ///
    /// Records come as they are read, so those before a fault come before its error; to know beforehand
    /// that there is none, see [`RecordIter::checked`]. A control batch gives its control records.
    ///
    /// # Errors
    /// A wrong checksum, whatever the header has wrong, and whatever the codec finds; the iterator's items
    /// have the errors of single records.
    ///
    /// ```
    /// use kcodec::{BatchBuilder, BatchParams, Scratch};
    ///
    /// let mut builder = BatchBuilder::new(BatchParams::default())?;
    /// builder.push(1_700_000_000_000, Some(b"key"), None, &[])?;
    /// let bytes = builder.finish()?;
    ///
    /// let batch = kcodec::batches(bytes).next().ok_or("no batch")??;
    /// let mut scratch = Scratch::default();
    /// let record = batch.records(&mut scratch)?.next().ok_or("no record")??;
    /// assert_eq!((record.offset, record.key, record.value), (0, Some(&b"key"[..]), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn records<'s>(&self, scratch: &'s mut Scratch) -> Result<RecordIter<'s>, Error>
    where
        'a: 's,
    {
        let batch: Batch<'s> = *self;
        let verify_crc = scratch.options.verify_crc;
        // First, as a wrong checksum explains whatever else is wrong.
        if verify_crc {
            batch.verify_crc()?;
        }
        batch.check_header()?;
        let (codec, source) = match Stored::find(&batch)? {
            Stored::Empty => (Codec::None, Source::Empty),
            Stored::Message(message) => (Codec::None, Source::Message(message, batch.raw())),
            Stored::Plain(payload) => (Codec::None, Source::Walk(Walk::new(&batch, payload))),
            Stored::Compressed(compressed) => {
                scratch.clear();
                let range = scratch.decompress(&batch, &compressed)?;
                let payload = scratch.payload(range);
                let source = if batch.magic() == 2 {
                    Ok(Source::Walk(Walk::new(&batch, payload)))
                } else {
                    Inner::open(&batch, payload, verify_crc)
                        .map(|inner| Source::Inner(inner, payload))
                };
                let place = |error| walk::place(&batch, compressed.codec, 0, error);
                (compressed.codec, source.map_err(place)?)
            }
        };
        Ok(RecordIter { batch, codec, source, read: 0 })
    }

    /// Offset, timestamp and sizes of each record of the batch, keys and values jumped over and headers
    /// not looked at: for counting, seeking and sizing.
    ///
    /// # Errors
    /// As [`records`](Self::records); what only a full read finds, such as bad headers, is not found.
    pub fn outlines<'s>(&self, scratch: &'s mut Scratch) -> Result<OutlineIter<'s>, Error>
    where
        'a: 's,
    {
        Ok(OutlineIter(self.records(scratch)?))
    }
}

/// The records of one batch. See [`Batch::records`].
#[derive(Clone, Debug)]
pub struct RecordIter<'a> {
    batch: Batch<'a>,
    codec: Codec,
    source: Source<'a>,
    read: u32,
}

impl<'a> RecordIter<'a> {
    /// Walks all records once, so that afterwards none of them can be an error.
    ///
    /// # Errors
    /// The first fault.
    pub fn checked(self) -> Result<Self, Error> {
        let Source::Walk(mut walk) = self.source else {
            self.clone().try_for_each(|record| record.map(drop))?;
            return Ok(self);
        };
        let mut read = self.read;
        loop {
            match walk.next(&mut NoHeaders) {
                Ok(Some(_)) => read = read.wrapping_add(1),
                Ok(None) => return Ok(self),
                Err(error) => return Err(walk::place(&self.batch, self.codec, read, error)),
            }
        }
    }

    /// Bytes that the records take when they are not compressed.
    #[must_use]
    pub fn payload_size(&self) -> usize {
        match &self.source {
            Source::Empty => 0,
            Source::Walk(walk) => walk.payload().len(),
            Source::Message(_, bytes) => bytes.len(),
            Source::Inner(_, payload) => payload.len(),
        }
    }

    /// The offset after the batch: that of its header, or of the last message in a wrapper whose offsets
    /// no broker has assigned yet.
    #[must_use]
    pub fn next_offset(&self) -> i64 {
        match &self.source {
            Source::Inner(Inner { unassigned: Some(last), .. }, _) => last.saturating_add(1),
            _ => self.batch.next_offset(),
        }
    }

    /// Whether a wrapper's offsets are as its producer stored them: no broker has assigned any yet.
    #[must_use]
    pub fn offsets_unassigned(&self) -> bool {
        matches!(&self.source, Source::Inner(Inner { unassigned: Some(_), .. }, _))
    }

    fn step(&mut self) -> Result<Option<Record<'a>>, Error> {
        match &mut self.source {
            Source::Empty => Ok(None),
            Source::Walk(walk) => {
                let payload = walk.payload();
                let Some((offset, fields, headers)) = walk.next(&mut NoHeaders)? else {
                    return Ok(None);
                };
                Ok(Some(Record {
                    offset,
                    timestamp: walk.bases.timestamp(fields.timestamp_delta),
                    key: slice(payload, fields.key),
                    value: slice(payload, fields.value),
                    headers: Headers::wire(headers, fields.header_count),
                }))
            }
            Source::Message(message, bytes) => {
                let record = record_of(message, bytes);
                self.source = Source::Empty;
                Ok(Some(record))
            }
            Source::Inner(inner, payload) => {
                let payload = *payload;
                Ok(inner.next()?.map(|message| record_of(&message, payload)))
            }
        }
    }

    #[inline(always)]
    fn settle<T>(&mut self, step: Result<Option<T>, Error>) -> Option<Result<T, Error>> {
        match step {
            Ok(Some(item)) => {
                self.read = self.read.wrapping_add(1);
                Some(Ok(item))
            }
            Ok(None) => {
                self.source = Source::Empty;
                None
            }
            Err(error) => {
                self.source = Source::Empty;
                Some(Err(walk::place(&self.batch, self.codec, self.read, error)))
            }
        }
    }
}

fn record_of<'a>(message: &Message, bytes: &'a [u8]) -> Record<'a> {
    Record {
        offset: message.offset,
        timestamp: message.timestamp,
        key: slice(bytes, message.key),
        value: slice(bytes, message.value),
        headers: Headers::default(),
    }
}

impl<'a> Iterator for RecordIter<'a> {
    type Item = Result<Record<'a>, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let step = self.step();
        self.settle(step)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.source {
            Source::Empty => 0,
            Source::Walk(walk) => walk.most_left() as usize,
            Source::Message(..) => 1,
            Source::Inner(inner, _) => inner.count.saturating_sub(self.read) as usize,
        };
        // A fault ends the iterator early, and takes one item.
        (usize::from(left != 0), left.checked_add(1))
    }
}

impl core::iter::FusedIterator for RecordIter<'_> {}

/// What a record is about, without its contents. See [`Batch::outlines`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordOutline {
    /// Absolute offset.
    pub offset: i64,
    /// Milliseconds since the epoch, −1 for none. Log-append time is already applied.
    pub timestamp: i64,
    /// Bytes of the key; null is `None`.
    pub key_size: Option<usize>,
    /// Bytes of the value; null is `None`.
    pub value_size: Option<usize>,
    /// Bytes that the record takes uncompressed, its length field included.
    pub size: usize,
}

/// The outlines of the records of one batch. See [`Batch::outlines`].
#[derive(Clone, Debug)]
pub struct OutlineIter<'a>(RecordIter<'a>);

impl OutlineIter<'_> {
    fn step(&mut self) -> Result<Option<RecordOutline>, Error> {
        let size = |len: i32| usize::try_from(len).ok();
        let of_message = |message: Message| {
            let (key, value) = (size(message.key.len), size(message.value.len));
            RecordOutline {
                offset: message.offset,
                timestamp: message.timestamp,
                key_size: key,
                value_size: value,
                size: layout::min_size(message.magic)
                    .saturating_add(key.unwrap_or(0))
                    .saturating_add(value.unwrap_or(0)),
            }
        };
        match &mut self.0.source {
            Source::Empty => Ok(None),
            Source::Walk(walk) => Ok(walk.next_outline()?.map(|(offset, outline)| RecordOutline {
                offset,
                timestamp: walk.bases.timestamp(outline.timestamp_delta),
                key_size: size(outline.key_len),
                value_size: size(outline.value_len),
                size: outline.size,
            })),
            Source::Message(message, _) => {
                let outline = of_message(*message);
                self.0.source = Source::Empty;
                Ok(Some(outline))
            }
            Source::Inner(inner, _) => Ok(inner.next()?.map(of_message)),
        }
    }
}

impl Iterator for OutlineIter<'_> {
    type Item = Result<RecordOutline, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let step = self.step();
        self.0.settle(step)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl core::iter::FusedIterator for OutlineIter<'_> {}
