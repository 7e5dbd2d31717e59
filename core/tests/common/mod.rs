//! What several test files share: the vectors, and the check that all forms of reading agree.

#![allow(dead_code, reason = "each test file uses its part")]
#![allow(unreachable_pub, reason = "a module of each test file")]

use std::path::{Path, PathBuf};

use kcodec::{
    BatchRow, DecodeOptions, Decoder, Error, Limits, OwnedRecords, Record, RecordOutline, Records,
    Scratch, Tail,
};
use serde_json::Value;

/// The shared test data of all languages.
pub fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors")
}

pub fn read(path: impl AsRef<Path>) -> Vec<u8> {
    let path = path.as_ref();
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn json(path: impl AsRef<Path>) -> Value {
    serde_json::from_slice(&read(path)).unwrap()
}

/// The objects of a file with one on each line.
pub fn json_lines(path: impl AsRef<Path>) -> Vec<Value> {
    let bytes = read(path);
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

pub fn hex(text: &str) -> Vec<u8> {
    data_encoding::HEXLOWER.decode(text.as_bytes()).unwrap()
}

/// A record without borrows, for comparisons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plain {
    pub offset: i64,
    pub timestamp: i64,
    pub key: Option<Vec<u8>>,
    pub value: Option<Vec<u8>>,
    pub headers: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

impl From<Record<'_>> for Plain {
    fn from(record: Record<'_>) -> Self {
        let owned = |bytes: Option<&[u8]>| bytes.map(<[u8]>::to_vec);
        Plain {
            offset: record.offset,
            timestamp: record.timestamp,
            key: owned(record.key),
            value: owned(record.value),
            headers: record.headers.map(|h| (h.key.to_vec(), owned(h.value))).collect(),
        }
    }
}

impl Plain {
    pub fn outline(&self) -> (i64, i64, Option<usize>, Option<usize>) {
        let size = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(Vec::len);
        (self.offset, self.timestamp, size(&self.key), size(&self.value))
    }
}

/// A batch with its records, or with what is wrong with it.
#[derive(Clone, PartialEq, Debug)]
pub struct PlainBatch {
    pub row: BatchRow,
    pub records: Result<Vec<Plain>, Error>,
}

/// Everything that reading a record set gives.
#[derive(Clone, PartialEq, Debug)]
pub struct Read {
    pub batches: Vec<PlainBatch>,
    pub consumed: usize,
    pub tail: Tail,
}

impl Read {
    /// The records that an application may see.
    pub fn data(&self) -> Vec<Plain> {
        let data = self.batches.iter().filter(|batch| !batch.row.is_control());
        data.filter_map(|batch| batch.records.as_ref().ok()).flatten().cloned().collect()
    }

    /// All faults in order, that of the tail last.
    pub fn faults(&self) -> Vec<Error> {
        let mut faults: Vec<_> =
            self.batches.iter().filter_map(|batch| batch.records.as_ref().err().copied()).collect();
        if let Tail::Corrupt(error) = self.tail {
            faults.push(error);
        }
        faults
    }
}

pub fn options(verify_crc: bool, limit: u64) -> DecodeOptions {
    DecodeOptions {
        verify_crc,
        keep_going: true,
        limits: Limits { max_batch_bytes: limit, max_total_bytes: limit, ..Limits::default() },
        ..DecodeOptions::default()
    }
}

/// Reads `input` in every form there is, in memory that was used before, and asserts that they agree:
/// tables, borrowed iterator, outlines, owned records, and the call that stops at the first fault.
pub fn read_all_forms(input: &[u8], options: DecodeOptions) -> Read {
    let options = DecodeOptions { keep_going: true, ..options };
    let mut decoder = Decoder::new(options);
    // Leftovers of another input must not shine through.
    let _ = decoder.decode(include_bytes!("../../../vectors/segments/java_edges-0.log"));
    let read = of_tables(decoder.decode(input).expect("only a batch can be at fault"));
    assert_eq!(of_iterator(input, options, &read), read, "iterator and tables");
    assert_owned(input, options, &read);
    assert_first_fault(input, options, &read);
    read
}

fn of_tables(records: Records<'_>) -> Read {
    let mut faults = records.faults().iter();
    let batches = records.batches().iter().map(|row| {
        let plain = records.rows(row).iter().map(|record| records.record(row, record).into());
        let records = match row.status {
            0 => Ok(plain.collect()),
            status => {
                let fault = *faults.next().expect("a fault for each status");
                assert_eq!((fault.kind().number(), row.record_count), (status, 0));
                Err(fault)
            }
        };
        PlainBatch { row: *row, records }
    });
    let batches = batches.collect();
    assert_eq!(faults.next(), None, "a status for each fault");
    Read { batches, consumed: records.consumed(), tail: records.tail() }
}

/// Reads by the iterators. Rows of batches are taken from `tables`, since only tables have them; what the
/// iterators know is compared with them.
fn of_iterator(input: &[u8], options: DecodeOptions, tables: &Read) -> Read {
    let mut scratch = Scratch::new(options);
    let mut total = options.limits.effective().max_total_bytes;
    let mut batches = kcodec::batches(input);
    let mut read = Vec::new();
    for batch in batches.by_ref() {
        let Ok(batch) = batch else { break };
        let row = tables.batches[read.len()].row;
        let checked = batch.records(&mut scratch).and_then(kcodec::RecordIter::checked);
        let records = match checked {
            Ok(records) => {
                assert_eq!(records.next_offset(), row.next_offset());
                let unassigned = row.flags & BatchRow::OFFSETS_UNASSIGNED != 0;
                assert_eq!(records.offsets_unassigned(), unassigned);
                if row.segment != 0 {
                    total = total.saturating_sub(records.payload_size() as u64);
                }
                let plain: Vec<Plain> = records.map(|record| record.unwrap().into()).collect();
                let outlines = batch.outlines(&mut scratch).unwrap().map(Result::unwrap);
                let outline = |o: RecordOutline| (o.offset, o.timestamp, o.key_size, o.value_size);
                let from_records: Vec<_> = plain.iter().map(Plain::outline).collect();
                assert_eq!(outlines.map(outline).collect::<Vec<_>>(), from_records);
                Ok(plain)
            }
            Err(error) => Err(error),
        };
        // Only a whole call has a total to exceed.
        let records = match &tables.batches[read.len()].records {
            Err(error) if error.kind() == kcodec::ErrorKind::LimitTotalBytes => Err(*error),
            _ => records,
        };
        assert_eq!((batch.base_offset(), batch.magic()), (row.base_offset, row.magic));
        read.push(PlainBatch { row, records });
    }
    Read { batches: read, consumed: batches.consumed(), tail: batches.tail() }
}

fn assert_owned(input: &[u8], options: DecodeOptions, read: &Read) {
    let input = bytes::Bytes::copy_from_slice(input);
    let owned = OwnedRecords::decode(input.clone(), options).unwrap();
    assert_eq!((owned.consumed(), owned.tail()), (read.consumed, read.tail));
    assert_eq!(owned.batches().len(), read.batches.len());
    let within = |part: &bytes::Bytes, whole: &bytes::Bytes| {
        part.is_empty() || whole.as_ptr_range().contains(&part.as_ptr())
    };
    for (row, batch) in owned.batches().iter().zip(&read.batches) {
        assert_eq!(row, &batch.row);
        let raw = owned.raw(row).unwrap();
        assert!(within(&raw, &input) && raw.len() == row.length as usize);
        let records = owned.records(row).map(|record| {
            if row.segment == 0 {
                let copied = |part: &Option<bytes::Bytes>| {
                    part.as_ref().is_some_and(|part| !within(part, &input))
                };
                assert!(
                    !copied(&record.key) && !copied(&record.value),
                    "uncompressed is not copied"
                );
            }
            let headers = owned.headers(&record);
            Plain {
                offset: record.offset,
                timestamp: record.timestamp,
                headers: headers.map(|(k, v)| (k.to_vec(), v.map(|v| v.to_vec()))).collect(),
                key: record.key.map(|key| key.to_vec()),
                value: record.value.map(|value| value.to_vec()),
            }
        });
        let records: Vec<_> = records.collect();
        assert_eq!(records, batch.records.clone().unwrap_or_default());
    }
}

/// Without `keep_going` the first fault is the error, and what came before it is still there.
fn assert_first_fault(input: &[u8], options: DecodeOptions, read: &Read) {
    let mut decoder = Decoder::new(DecodeOptions { keep_going: false, ..options });
    let result = decoder.decode(input).map(|records| records.batches().len());
    match read.faults().first() {
        None => assert_eq!(result, Ok(read.batches.len())),
        Some(fault) => {
            assert_eq!(result, Err(*fault));
            let before = of_tables(decoder.decoded(input)).batches;
            let whole = read.batches.iter().take_while(|batch| batch.records.is_ok());
            assert_eq!(before, whole.cloned().collect::<Vec<_>>());
        }
    }
}
