//! Decoding a whole buffer into tables.

use alloc::vec::Vec;

use crate::compression::Codec;
use crate::error::{Error, ErrorKind};
use crate::record::batch::Batch;
use crate::record::batches::{Batches, Tail};
use crate::record::fill::{Tables, count32, push};
use crate::record::layout;
use crate::record::payload::{DecodeOptions, Scratch, Stored};
use crate::record::rows::{BatchRow, Records, Segment};

/// Decodes record sets into tables, and keeps its memory from call to call: a second call on input of the
/// same size allocates nothing.
///
/// ```
/// use kcodec::{DecodeOptions, Decoder};
///
/// # let segment = std::fs::read("../vectors/segments/mixed_magic-0.log")?;
/// let mut decoder = Decoder::new(DecodeOptions { keep_going: true, ..DecodeOptions::default() });
/// let records = decoder.decode(&segment)?;
/// assert_eq!(records.consumed(), segment.len());
/// assert!(records.iter().all(|record| record.value.is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Decoder {
    scratch: Scratch,
    tables: Tables,
    segments: Vec<Segment>,
    faults: Vec<Error>,
    consumed: usize,
    tail: Option<Tail>,
}

impl Decoder {
    /// A decoder that has allocated nothing yet.
    #[must_use]
    pub fn new(options: DecodeOptions) -> Self {
        Decoder { scratch: Scratch::new(options), ..Decoder::default() }
    }

    /// The options it was made with.
    #[must_use]
    pub fn options(&self) -> &DecodeOptions {
        &self.scratch.options
    }

    /// Decodes with other options from now on.
    pub fn set_options(&mut self, options: DecodeOptions) {
        self.scratch.options = options;
    }

    /// Decodes all whole batches of `input`: the records of a fetch response or produce request, or a
    /// segment file.
    ///
    /// A cut-off or zero tail is no error; see [`Records::tail`].
    ///
    /// # Errors
    /// The first fault, unless `keep_going` is set: then the faults of batches are in their rows and in
    /// [`Records::faults`], and a corrupt tail in [`Records::tail`]. Batches before the first fault are to
    /// be had from [`decoded`](Self::decoded) in either case. [`ErrorKind::LimitInput`] for more than
    /// 2³¹−1 bytes.
    pub fn decode<'r>(&'r mut self, input: &'r [u8]) -> Result<Records<'r>, Error> {
        self.run(input)?;
        Ok(self.decoded(input))
    }

    /// What the last call decoded, which must have been on the same `input`: after an error, the batches
    /// before the fault.
    #[must_use]
    pub fn decoded<'r>(&'r self, input: &'r [u8]) -> Records<'r> {
        Records {
            input,
            payloads: self.scratch.payloads(),
            segments: &self.segments,
            batches: &self.tables.batches,
            records: &self.tables.records,
            headers: &self.tables.headers,
            faults: &self.faults,
            consumed: self.consumed,
            tail: self.tail.unwrap_or(Tail::None),
        }
    }

    /// Bytes held for tables and payloads.
    #[must_use]
    pub fn memory(&self) -> usize {
        let tables = [
            self.tables.batches.capacity().saturating_mul(size_of::<BatchRow>()),
            self.tables.records.memory(),
            self.tables.headers.memory(),
            self.faults.capacity().saturating_mul(size_of::<Error>()),
            self.segments.capacity().saturating_mul(size_of::<Segment>()),
        ];
        tables.iter().fold(self.scratch.memory(), |sum, bytes| sum.saturating_add(*bytes))
    }

    /// Forgets what was decoded and gives back memory, down to `keep` bytes for payloads.
    pub fn shrink(&mut self, keep: usize) {
        let mut scratch = core::mem::take(&mut self.scratch);
        scratch.shrink(keep);
        *self = Decoder { scratch, ..Decoder::default() };
    }

    pub(crate) fn into_parts(self) -> (Scratch, Tables, Vec<Segment>, Vec<Error>, usize, Tail) {
        let tail = self.tail.unwrap_or(Tail::None);
        (self.scratch, self.tables, self.segments, self.faults, self.consumed, tail)
    }

    fn clear(&mut self) {
        self.scratch.clear();
        self.tables.clear();
        self.segments.clear();
        self.faults.clear();
        self.consumed = 0;
        self.tail = None;
    }

    fn run(&mut self, input: &[u8]) -> Result<(), Error> {
        self.clear();
        if input.len() > layout::MAX_BYTES {
            let (most, len) = (layout::MAX_BYTES as u64, input.len() as u64);
            return Err(Error::new(ErrorKind::LimitInput).values(most, len));
        }
        let mut batches = Batches::new(input);
        while let Some(batch) = batches.next() {
            let keep_going = self.scratch.options.keep_going;
            let batch = match batch {
                Ok(batch) => batch,
                Err(_) if keep_going => break,
                Err(error) => return Err(error),
            };
            let mut row = BatchRow::of(&batch);
            let mark = self.tables.mark();
            let (segments, used) = (self.segments.len(), self.scratch.used());
            if let Err(error) = self.batch(input, &batch, &mut row) {
                self.tables.rewind(mark);
                self.segments.truncate(segments);
                self.scratch.rewind(used);
                if !keep_going || error.kind() == ErrorKind::OutOfMemory {
                    return Err(error);
                }
                push(&mut self.faults, error)?;
                row = BatchRow { status: error.kind().number(), ..BatchRow::of(&batch) };
            }
            row.first_record = count32(mark.records);
            row.record_count = count32(self.tables.records.len().saturating_sub(mark.records));
            push(&mut self.tables.batches, row)?;
            self.consumed = batches.consumed();
        }
        self.tail = Some(batches.tail());
        Ok(())
    }

    /// Fills in the rows of one batch.
    fn batch(&mut self, input: &[u8], batch: &Batch<'_>, row: &mut BatchRow) -> Result<(), Error> {
        let options = self.scratch.options;
        let skip = options.batches_only || options.skip_control && batch.is_control();
        // A wrong checksum explains whatever else is wrong, so it comes first; where records are walked in
        // place, it is computed on the way.
        let in_place = !skip && batch.has_plain_records();
        if options.verify_crc && !in_place {
            batch.verify_crc()?;
        }
        batch.check_header()?;
        let stored = if skip { Stored::Empty } else { Stored::find(batch)? };
        let limits = self.scratch.limits();
        let mark = self.tables.mark();
        let (mut codec, mut segment) = (Codec::None, input);
        match stored {
            Stored::Empty => {}
            Stored::Plain(payload) => {
                let start = batch.position().saturating_add(layout::RECORDS);
                let end = start.saturating_add(payload.len());
                let segment = input.get(..end).unwrap_or_default();
                if options.verify_crc {
                    self.tables.fill_verified(&limits, batch, segment, start)?;
                } else {
                    self.tables.fill(&limits, batch, codec, segment, start, |_| usize::MAX)?;
                }
            }
            Stored::Message(message) => self.tables.fill_message(&limits, batch, &message)?,
            Stored::Compressed(compressed) => {
                codec = compressed.codec;
                let range = self.scratch.decompress(batch, &compressed)?;
                push(&mut self.segments, Segment { start: range.start, end: range.end })?;
                row.segment = count32(self.segments.len());
                segment = self.scratch.payload(range);
                if batch.magic() == 2 {
                    self.tables.fill(&limits, batch, codec, segment, 0, |_| usize::MAX)?;
                } else {
                    let verify = options.verify_crc;
                    let last = self.tables.fill_inner(&limits, batch, codec, segment, verify)?;
                    row.assume_offsets(last);
                }
            }
        }
        if options.check_utf8 {
            self.tables.check_utf8(mark, batch, codec, segment)?;
        }
        if options.verify_crc {
            row.flags |= BatchRow::CRC_VERIFIED;
        }
        Ok(())
    }
}
