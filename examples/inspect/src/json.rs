//! One JSON object a line: a batch each, then the end of the input.
//!
//! Lines are written as they are read. A batch with millions of records takes no more memory here than
//! one with a single record.

use std::io::{self, Write};

use data_encoding::BASE64;
use kcodec::{ControlType, Header, Record};
use serde_json::Value;

use crate::fault::Fault;
use crate::frames::{End, Rest};
use crate::output::Output;
use crate::reading::Reading;
use crate::report::{Options, Printer, Segment};

/// Bytes that are encoded at a time: a multiple of three, so that the pieces join without padding.
const PIECE: usize = 3 * 1024;

/// Prints for programs.
pub(crate) struct Json {
    options: Options,
    /// The name that every line carries where there are several inputs.
    file: Option<String>,
}

impl Json {
    /// Nothing is printed before the first batch.
    pub(crate) fn new(options: Options) -> Self {
        Json { options, file: None }
    }

    fn line<'o>(&self, out: &'o mut Output) -> io::Result<Object<'o>> {
        let mut line = Object::open(out)?;
        if let Some(file) = &self.file {
            line.put("file", file.as_str())?;
        }
        Ok(line)
    }

    fn records(&self, line: &mut Object<'_>, reading: &Reading<'_>) -> io::Result<()> {
        line.name("records")?;
        let Ok(contents) = &reading.contents else { return line.out.write_all(b"null") };
        let control = reading.batch.is_control();
        let records = contents.records().filter(|record| self.options.wants(record.offset));
        line.list(records, |out, record| self.record(out, &record, control))
    }

    fn record(&self, out: &mut Output, record: &Record<'_>, control: bool) -> io::Result<()> {
        let mut object = Object::open(out)?;
        object.put("offset", record.offset)?;
        object.put("timestamp", record.timestamp)?;
        object.bytes(["key", "key_base64"], record.key, self.options.base64)?;
        object.bytes(["value", "value_base64"], record.value, self.options.base64)?;
        object.name("headers")?;
        object.list(record.headers, |out, header| self.header(out, &header))?;
        if control {
            let control_type = ControlType::of_key(record.key);
            object.put("control_type", control_type.map(ControlType::name))?;
        }
        object.close()
    }

    fn header(&self, out: &mut Output, header: &Header<'_>) -> io::Result<()> {
        let mut object = Object::open(out)?;
        // Keys of headers are text by convention, so only what is none is encoded.
        object.bytes(["key", "key_base64"], Some(header.key), false)?;
        object.bytes(["value", "value_base64"], header.value, self.options.base64)?;
        object.close()
    }
}

impl Printer for Json {
    fn begin(&mut self, _: &mut Output, name: &str, several: bool) -> io::Result<()> {
        self.file = several.then(|| name.to_owned());
        Ok(())
    }

    fn batch(&mut self, out: &mut Output, reading: &Reading<'_>) -> io::Result<()> {
        if self.options.verify && reading.contents.is_ok() {
            return Ok(());
        }
        let batch = &reading.batch;
        let known = reading.header_known;
        let v2 = known && batch.magic() == 2;
        let contents = reading.contents.as_ref().ok();

        let mut line = self.line(out)?;
        line.put("position", reading.position)?;
        line.put("size", reading.size)?;
        line.put("magic", batch.magic())?;
        line.put("codec", reading.codec().map(kcodec::Codec::name))?;
        line.put("base_offset", reading.base_offset())?;
        line.put("last_offset", reading.last_offset())?;
        line.put("next_offset", reading.next_offset())?;
        line.put("declared_count", v2.then(|| batch.declared_count()))?;
        line.put("crc", known.then(|| batch.crc()))?;
        line.put("crc_ok", reading.crc_ok)?;
        line.put("timestamp_type", known.then(|| reading.timestamp_type()))?;
        line.put("max_timestamp", known.then(|| batch.max_timestamp()))?;
        if v2 {
            line.put("base_timestamp", batch.base_timestamp())?;
            line.put("leader_epoch", batch.leader_epoch())?;
            line.put("producer_id", batch.producer_id())?;
            line.put("producer_epoch", batch.producer_epoch())?;
            line.put("base_sequence", batch.base_sequence())?;
            line.put("last_sequence", batch.last_sequence())?;
            line.put("transactional", batch.is_transactional())?;
            line.put("control", batch.is_control())?;
            line.put("delete_horizon", batch.delete_horizon())?;
        }
        if v2 && batch.is_control() {
            let control_type = contents.and_then(|contents| contents.control_type);
            line.put("control_type", control_type.map(ControlType::name))?;
        }
        line.put("record_count", contents.map(|contents| contents.count))?;
        line.put("uncompressed_size", reading.plain_size())?;
        if let Err(fault) = &reading.contents {
            line.fault(fault)?;
        }
        if self.options.records {
            self.records(&mut line, reading)?;
        }
        line.close()?;
        out.write_all(b"\n")
    }

    fn end(&mut self, out: &mut Output, end: &End, segment: &Segment) -> io::Result<()> {
        let mut line = self.line(out)?;
        line.put("end", end.consumed)?;
        line.put("file_size", end.input_size)?;
        line.put("tail", end.rest.name())?;
        match &end.rest {
            Rest::Partial { needed } => line.put("needed", *needed)?,
            Rest::Corrupt(fault) => line.fault(fault)?,
            Rest::None | Rest::Zeros => {}
        }
        line.put("batches", segment.totals.batches())?;
        line.put("records", segment.totals.records())?;
        line.put("faults", segment.faults)?;
        line.put("first_offset", segment.first_offset)?;
        line.put("next_offset", segment.next_offset)?;
        if let Some(base_offset) = segment.base_offset {
            line.put("segment_base_offset", base_offset)?;
            line.put("below_base_offset", segment.is_below_base())?;
            line.put("overlaps_previous", segment.overlaps_previous())?;
        }
        line.close()?;
        out.write_all(b"\n")
    }

    fn close(&mut self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
}

/// An object being written.
struct Object<'o> {
    out: &'o mut Output,
    empty: bool,
}

impl<'o> Object<'o> {
    fn open(out: &'o mut Output) -> io::Result<Self> {
        out.write_all(b"{")?;
        Ok(Object { out, empty: true })
    }

    fn close(self) -> io::Result<()> {
        self.out.write_all(b"}")
    }

    /// Names a value that is written next.
    fn name(&mut self, name: &str) -> io::Result<()> {
        if !std::mem::take(&mut self.empty) {
            self.out.write_all(b",")?;
        }
        write!(self.out, "\"{name}\":")
    }

    fn put(&mut self, name: &str, value: impl Into<Value>) -> io::Result<()> {
        self.name(name)?;
        Ok(serde_json::to_writer(&mut self.out, &value.into())?)
    }

    /// Bytes as text under the first name, or as base64 under the second where they are none. Null is null
    /// under the name that the caller asked for.
    fn bytes(
        &mut self,
        [text_name, base64_name]: [&str; 2],
        bytes: Option<&[u8]>,
        base64: bool,
    ) -> io::Result<()> {
        match bytes.map(|bytes| (bytes, std::str::from_utf8(bytes))) {
            None => self.put(if base64 { base64_name } else { text_name }, Value::Null),
            Some((_, Ok(text))) if !base64 => {
                self.name(text_name)?;
                Ok(serde_json::to_writer(&mut self.out, text)?)
            }
            Some((bytes, _)) => {
                self.name(base64_name)?;
                self.base64(bytes)
            }
        }
    }

    fn base64(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut encoded = [0; PIECE / 3 * 4];
        self.out.write_all(b"\"")?;
        for piece in bytes.chunks(PIECE) {
            let encoded = &mut encoded[..BASE64.encode_len(piece.len())];
            BASE64.encode_mut(piece, encoded);
            self.out.write_all(encoded)?;
        }
        self.out.write_all(b"\"")
    }

    fn list<T>(
        &mut self,
        items: impl Iterator<Item = T>,
        mut item: impl FnMut(&mut Output, T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.out.write_all(b"[")?;
        for (i, value) in items.enumerate() {
            if i != 0 {
                self.out.write_all(b",")?;
            }
            item(self.out, value)?;
        }
        self.out.write_all(b"]")
    }

    fn fault(&mut self, fault: &Fault) -> io::Result<()> {
        self.name("error")?;
        let mut error = Object::open(self.out)?;
        error.put("code", fault.kind.name())?;
        error.put("number", fault.kind.number())?;
        error.put("message", fault.kind.message())?;
        error.put("position", fault.position)?;
        error.put("in_payload", fault.in_payload)?;
        error.put("record", fault.record)?;
        // A length or count below zero comes as the same 64 bits without a sign.
        error.put("expected", fault.expected.cast_signed())?;
        error.put("actual", fault.actual.cast_signed())?;
        error.put("next_offset", fault.next_offset)?;
        error.close()
    }
}
