//! `kafka-protocol`: decodes into a `Vec` of records that share the input through `Bytes`, headers in a
//! map; verifies the checksum with crc32c. There is no borrowed form and no way to keep memory.

use std::hint::black_box;

use bytes::{Bytes, BytesMut};
use cases::{CASES, Case, Codec, LARGE, Op, RECORDS, Totals};
use kafka_protocol::records::{
    Compression, Record, RecordBatchDecoder, RecordBatchEncoder, RecordEncodeOptions,
};

fn main() {
    let mut ops = Vec::new();
    for case in CASES {
        ops.push(decode(format!("decode/{}", case.name), case, Codec::None));
        ops.push(encode(format!("encode/{}", case.name), case, Codec::None));
    }
    for codec in Codec::PACKED {
        ops.push(decode(format!("decompress/{}", codec.name()), LARGE, codec).slow());
        ops.push(encode(format!("compress/{}", codec.name()), LARGE, codec).slow());
    }
    ops.push(scan());
    cases::main(ops);
}

fn decode(group: String, case: Case, codec: Codec) -> Op {
    Op::new(group, "records", move || {
        let batch = Bytes::from(case.batch(codec));
        assert_eq!(read(&batch), case.totals());
        move || {
            black_box(read(black_box(&batch)));
        }
    })
}

fn read(batch: &Bytes) -> Totals {
    let mut totals = Totals::default();
    for record in records(batch) {
        totals.record(
            record.offset,
            record.timestamp,
            record.key.as_deref(),
            record.value.as_deref(),
        );
        for (key, value) in &record.headers {
            totals.header(key.as_bytes(), value.as_deref());
        }
    }
    totals
}

fn records(batch: &Bytes) -> Vec<Record> {
    RecordBatchDecoder::decode(&mut batch.clone()).expect("a batch").records
}

fn encode(group: String, case: Case, codec: Codec) -> Op {
    Op::new(group, "records", move || {
        let plain = case.batch(Codec::None);
        let records = records(&Bytes::from(plain.clone()));
        let compression = match codec {
            Codec::None => Compression::None,
            Codec::Gzip => Compression::Gzip,
            Codec::Snappy => Compression::Snappy,
            Codec::Lz4 => Compression::Lz4,
            Codec::Zstd => Compression::Zstd,
        };
        let options = RecordEncodeOptions { version: 2, compression };
        let mut to = BytesMut::with_capacity(plain.len());
        let mut write = move || {
            to.clear();
            RecordBatchEncoder::encode(&mut to, black_box(&records), &options).expect("a batch");
            black_box(&to).len()
        };
        if codec == Codec::None {
            assert_eq!(write(), plain.len());
        }
        move || {
            write();
        }
    })
}

/// Checksums every batch: there is no scan without.
fn scan() -> Op {
    Op::new("scan/one-record batches", "headers, checksummed", || {
        let segment = Bytes::from(cases::segment());
        let scan = |segment: &Bytes| {
            let infos = RecordBatchDecoder::decode_batch_info(&mut segment.clone());
            infos.expect("batches").iter().map(|info| info.record_count as usize).sum::<usize>()
        };
        assert_eq!(scan(&segment), RECORDS);
        move || {
            black_box(scan(black_box(&segment)));
        }
    })
}
