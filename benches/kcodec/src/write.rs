//! Writing: from tables, and record by record. The rows are those that decoding the case gives, pointing
//! into its batch.

use std::hint::black_box;

use cases::{Case, Op};
use kcodec::{BatchBuilder, BatchParams, BatchRow, Codec, Decoder, Encoder, Header};

pub fn plain(case: Case) -> [Op; 2] {
    let group = format!("encode/{}", case.name);
    [
        tables(group.clone(), case, Codec::None),
        Op::new(group, "builder", move || {
            let batch = case.batch(cases::Codec::None);
            let records: Vec<_> = case.records().collect();
            let headers = |record: &'static cases::Record| {
                let headers = record.headers.iter();
                headers
                    .map(|(key, value)| Header { key: key.as_bytes(), value: Some(value) })
                    .collect()
            };
            // Headers are slices of slices; what they point to lives as long as the bench.
            let records: &'static [cases::Record] = records.leak();
            let headers: Vec<Vec<Header<'static>>> = records.iter().map(headers).collect();
            let mut builder = BatchBuilder::new(params(case, Codec::None)).expect("parameters");
            let mut build = move |expected: Option<&[u8]>| {
                for (record, headers) in black_box(records).iter().zip(&headers) {
                    let value = Some(&record.value[..]);
                    builder.push(record.timestamp, None, value, headers).expect("a record");
                }
                let written = builder.finish().expect("a batch");
                expected.is_none_or(|expected| expected == black_box(written))
            };
            assert!(build(Some(&batch)));
            move || {
                black_box(build(None));
            }
        }),
    ]
}

pub fn packed(case: Case, codec: cases::Codec) -> Op {
    let group = format!("compress/{}", codec.name());
    tables(group, case, Codec::from_number(codec as u8).expect("a codec")).slow()
}

fn tables(group: String, case: Case, codec: Codec) -> Op {
    Op::new(group, "tables", move || {
        let batch = case.batch(cases::Codec::None);
        let params = params(case, codec);
        let mut decoder = Decoder::default();
        let rows = decoder.decode(&batch).expect("a batch");
        let (records, headers) = (rows.records().to_vec(), rows.headers().to_vec());
        let mut encoder = Encoder::new();
        let written = encoder.encode(&params, &batch, &records, &headers).expect("a batch");
        if codec == Codec::None {
            assert!(written == batch);
        } else {
            let again = decoder.decode(written).expect("a batch");
            assert_eq!(crate::read::sum(&again), case.totals());
        }
        move || {
            let written = encoder.encode(&params, black_box(&batch), &records, &headers);
            black_box(written.expect("a batch"));
        }
    })
}

/// The header of the case's batch, under a codec.
fn params(case: Case, codec: Codec) -> BatchParams {
    let batch = case.batch(cases::Codec::None);
    let row: BatchRow = Decoder::default().decode(&batch).expect("a batch").batches()[0];
    BatchParams { codec, ..BatchParams::of(&row) }
}
