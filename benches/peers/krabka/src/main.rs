//! `krabka-protocol`, in its two forms: borrowed records from an iterator, headers in a `Vec` a record;
//! and owned ones. Both verify the checksum with crc-fast, and that header keys are UTF-8.

use std::hint::black_box;

use bytes::Bytes;
use cases::{CASES, Case, Codec, LARGE, Op, RECORDS, Totals};
use krabka_protocol::DecodeBorrow;
use krabka_protocol::records::{
    RecordBatch, RecordBatchBorrowed, count_records_in_v2_batches, validate_one_v2_batch,
};

fn main() {
    let mut ops = Vec::new();
    for case in CASES {
        let group = format!("decode/{}", case.name);
        ops.push(decode(&group, "iterator", case, Codec::None, Case::totals, iterate));
        ops.push(decode(&group, "records", case, Codec::None, Case::totals, own));
        ops.push(decode(&group, "summaries", case, Codec::None, without_headers, summarize));
        ops.push(encode(format!("encode/{}", case.name), case, Codec::None));
    }
    for codec in Codec::PACKED {
        let group = format!("decompress/{}", codec.name());
        ops.push(decode(&group, "iterator", LARGE, codec, Case::totals, iterate).slow());
        ops.push(encode(format!("compress/{}", codec.name()), LARGE, codec).slow());
    }
    ops.push(scan());
    ops.push(one_record_batches());
    cases::main(ops);
}

fn decode(
    group: &str,
    name: &str,
    case: Case,
    codec: Codec,
    expected: fn(&Case) -> Totals,
    read: fn(&[u8]) -> Totals,
) -> Op {
    Op::new(group, name, move || {
        let batch = case.batch(codec);
        assert_eq!(read(&batch), expected(&case));
        move || {
            black_box(read(black_box(&batch)));
        }
    })
}

/// A summary counts headers, and has none.
fn without_headers(case: &Case) -> Totals {
    Totals { header_bytes: 0, ..case.totals() }
}

fn iterate(mut batches: &[u8]) -> Totals {
    let mut totals = Totals::default();
    while !batches.is_empty() {
        let batch = RecordBatchBorrowed::decode_borrow(&mut batches, 0).expect("a batch");
        let (offset, timestamp) =
            (batch.header().base_offset.get(), batch.header().base_timestamp.get());
        for record in &batch {
            let record = record.expect("a record");
            totals.record(
                offset + i64::from(record.offset_delta),
                timestamp + record.timestamp_delta,
                record.key,
                record.value,
            );
            for header in &record.headers {
                totals.header(header.key.as_bytes(), header.value);
            }
        }
    }
    totals
}

fn own(mut batch: &[u8]) -> Totals {
    let mut totals = Totals::default();
    let batch = RecordBatch::decode_batch(&mut batch).expect("a batch");
    for record in &batch.records {
        totals.record(
            batch.base_offset + i64::from(record.offset_delta),
            batch.base_timestamp + record.timestamp_delta,
            record.key.as_deref(),
            record.value.as_deref(),
        );
        for header in &record.headers {
            totals.header(header.key.as_bytes(), header.value.as_deref());
        }
    }
    totals
}

/// The walk of its produce path: every header checked, none kept.
fn summarize(batch: &[u8]) -> Totals {
    let mut totals = Totals::default();
    let batch = validate_one_v2_batch(batch).expect("a batch");
    let (offset, timestamp) = (batch.header.base_offset.get(), batch.header.base_timestamp.get());
    let visited = batch.validate_record_summaries_with(Default::default(), |record| {
        totals.record(
            offset + i64::from(record.offset_delta),
            timestamp + record.timestamp_delta,
            record.key,
            record.value,
        );
        totals.headers += record.header_count as u64;
    });
    visited.expect("records");
    totals
}

fn encode(group: String, case: Case, codec: Codec) -> Op {
    Op::new(group, "records", move || {
        let plain = case.batch(Codec::None);
        let mut batch = RecordBatch::decode_batch(&mut &plain[..]).expect("a batch");
        batch.attributes.0 |= codec as i16;
        let written = batch.encode_to_bytes().expect("a batch");
        if codec == Codec::None {
            assert!(written == plain);
        } else {
            assert_eq!(iterate(&written), case.totals());
        }
        move || {
            let written: Bytes = black_box(&batch).encode_to_bytes().expect("a batch");
            black_box(written);
        }
    })
}

fn scan() -> Op {
    Op::new("scan/one-record batches", "headers", || {
        let segment = cases::segment();
        assert_eq!(count_records_in_v2_batches(&segment), RECORDS as u64);
        move || {
            black_box(count_records_in_v2_batches(black_box(&segment)));
        }
    })
}

fn one_record_batches() -> Op {
    Op::new("scan/one-record batches", "iterator", || {
        let segment = cases::segment();
        assert_eq!(iterate(&segment).records, RECORDS as u64);
        move || {
            black_box(iterate(black_box(&segment)));
        }
    })
}
