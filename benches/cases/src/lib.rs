//! What is measured: record batches, made here and nowhere else, so that every bench reads the same bytes.
//!
//! The batches are written by [`batch`], a straightforward writer that shares no code with the library.
//! That an implementation reads them, or writes the same bytes from the same records, is asserted before
//! its clock starts: [`Totals`] for reading, equality for writing.
//!
//! Timestamps step by 2 ms. Of the 10 000 timestamp and offset deltas of a batch, the first 64 (32) take
//! one byte as a varint, those up to 8191 (4095) two, the rest three.

pub mod batch;
mod framing;
mod harness;
mod payload;

pub use framing::{Codec, LZ4_BLOCK, LZ4_HEADER, LZ4_STORED, XERIAL_CHUNK, XERIAL_HEADER};
pub use harness::{Op, main};

/// Records in a batch, or batches of one record in a [`segment`].
pub const RECORDS: usize = 10_000;
/// The offset of the first record.
pub const BASE_OFFSET: i64 = 4_000_000;
/// The timestamp of the first record.
pub const BASE_TIMESTAMP: i64 = 1_700_000_000_000;
/// The leader epoch of every batch.
pub const LEADER_EPOCH: i32 = 7;
const TIMESTAMP_STEP: i64 = 2;

/// The shape of all records of a batch. Keys are null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    pub name: &'static str,
    pub value_size: usize,
    /// Headers a record, each with a key of five bytes (`h0000`) and a value of five.
    pub headers: usize,
}

/// The four shapes.
pub const CASES: [Case; 4] = [
    Case { name: "1 B", value_size: 1, headers: 0 },
    Case { name: "100 B", value_size: 100, headers: 0 },
    Case { name: "1000 B", value_size: 1000, headers: 0 },
    Case { name: "100 B + 5 headers", value_size: 100, headers: 5 },
];

/// The shape that is also compressed.
pub const LARGE: Case = CASES[2];

/// One record, as an application has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub offset: i64,
    pub timestamp: i64,
    pub value: Vec<u8>,
    pub headers: Vec<(String, Vec<u8>)>,
}

impl Case {
    /// The record with this index.
    pub fn record(&self, index: usize) -> Record {
        let step = i64::try_from(index).expect("a small index");
        let header = |h: usize| (format!("h{h:04}"), format!("{:05}", index + h).into_bytes());
        Record {
            offset: BASE_OFFSET + step,
            timestamp: BASE_TIMESTAMP + step * TIMESTAMP_STEP,
            value: payload::json(index, self.value_size),
            headers: (0..self.headers).map(header).collect(),
        }
    }

    pub fn records(&self) -> impl ExactSizeIterator<Item = Record> + '_ {
        (0..RECORDS).map(|index| self.record(index))
    }

    /// What reading the batch must add up to.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for record in self.records() {
            totals.record(record.offset, record.timestamp, None, Some(&record.value));
            for (key, value) in &record.headers {
                totals.header(key.as_bytes(), Some(value));
            }
        }
        totals
    }

    /// All records in one batch.
    pub fn batch(&self, codec: Codec) -> Vec<u8> {
        batch::write(self.records(), codec)
    }
}

/// As many batches as a batch has records, each of one record of 100 B: for what a batch costs.
pub fn segment() -> Vec<u8> {
    CASES[1].records().flat_map(|record| batch::write([record].into_iter(), Codec::None)).collect()
}

/// The inputs by name, for the check that all benches made the same.
pub fn inputs() -> Vec<(String, Vec<u8>)> {
    let plain = CASES.iter().map(|case| (case.name.to_owned(), case.batch(Codec::None)));
    let packed = Codec::PACKED.iter().map(|&codec| (codec.name().to_owned(), LARGE.batch(codec)));
    plain.chain(packed).chain([("segment".to_owned(), segment())]).collect()
}

/// Every field of every record, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub records: u64,
    pub offsets: i64,
    pub timestamps: i64,
    pub nulls: u64,
    pub key_bytes: usize,
    pub value_bytes: usize,
    pub headers: u64,
    pub header_bytes: usize,
}

impl Totals {
    #[inline(always)]
    pub fn record(
        &mut self,
        offset: i64,
        timestamp: i64,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
    ) {
        self.records += 1;
        self.offsets = self.offsets.wrapping_add(offset);
        self.timestamps = self.timestamps.wrapping_add(timestamp);
        self.nulls += u64::from(key.is_none()) + u64::from(value.is_none());
        self.key_bytes += key.map_or(0, <[u8]>::len);
        self.value_bytes += value.map_or(0, <[u8]>::len);
    }

    #[inline(always)]
    pub fn header(&mut self, key: &[u8], value: Option<&[u8]>) {
        self.headers += 1;
        self.nulls += u64::from(value.is_none());
        self.header_bytes += key.len() + value.map_or(0, <[u8]>::len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_those_of_the_shape() {
        let n = RECORDS as i64;
        let triangle = n * (n - 1) / 2;
        for case in CASES {
            let totals = case.totals();
            assert_eq!(totals.records, RECORDS as u64);
            assert_eq!(totals.offsets, BASE_OFFSET * n + triangle);
            assert_eq!(totals.timestamps, BASE_TIMESTAMP * n + triangle * TIMESTAMP_STEP);
            assert_eq!(totals.nulls, RECORDS as u64);
            assert_eq!((totals.key_bytes, totals.value_bytes), (0, RECORDS * case.value_size));
            assert_eq!(totals.headers, (RECORDS * case.headers) as u64);
            assert_eq!(totals.header_bytes, RECORDS * case.headers * 10);
        }
    }

    #[test]
    fn inputs_are_the_same_every_time() {
        assert_eq!(inputs(), inputs());
    }
}
