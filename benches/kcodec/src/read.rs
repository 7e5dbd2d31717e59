//! Reading: tables, with the checksum and without, and what iterates over borrowed records.

use std::hint::black_box;

use cases::{Case, Codec, Op, RECORDS, Totals};
use kcodec::{DecodeOptions, Decoder, Records, Scratch};

pub fn plain(case: Case) -> [Op; 5] {
    let group = format!("decode/{}", case.name);
    let unchecked = DecodeOptions { verify_crc: false, ..DecodeOptions::default() };
    [
        tables(group.clone(), "tables", case, Codec::None, DecodeOptions::default()),
        tables(group.clone(), "tables, no checksum", case, Codec::None, unchecked),
        Op::new(&group, "tables, then every field", move || {
            let batch = case.batch(Codec::None);
            let mut decoder = Decoder::default();
            let mut read = move || sum(&decoder.decode(black_box(&batch)).expect("a batch"));
            assert_eq!(read(), case.totals());
            move || {
                black_box(read());
            }
        }),
        Op::new(&group, "iterator", move || {
            let batch = case.batch(Codec::None);
            let mut scratch = Scratch::default();
            let mut read = move || iterate(black_box(&batch), &mut scratch);
            assert_eq!(read(), case.totals());
            move || {
                black_box(read());
            }
        }),
        Op::new(&group, "outlines", move || {
            let batch = case.batch(Codec::None);
            let mut scratch = Scratch::default();
            let mut read = move || outline(black_box(&batch), &mut scratch);
            let totals = Totals { headers: 0, header_bytes: 0, ..case.totals() };
            assert_eq!(read(), totals);
            move || {
                black_box(read());
            }
        }),
    ]
}

pub fn packed(case: Case, codec: Codec) -> Op {
    tables(format!("decompress/{}", codec.name()), "tables", case, codec, DecodeOptions::default())
        .slow()
}

/// What a batch costs, where there is one to each record.
pub fn batches() -> [Op; 3] {
    const GROUP: &str = "scan/one-record batches";
    let headers = Op::new(GROUP, "headers", || {
        let segment = cases::segment();
        let scan = |segment: &[u8]| {
            let counts =
                kcodec::batches(segment).map(|batch| batch.expect("a batch").declared_count());
            counts.sum::<i32>()
        };
        assert_eq!(scan(&segment), RECORDS as i32);
        move || {
            black_box(scan(black_box(&segment)));
        }
    });
    let rows = |name, options| {
        Op::new(GROUP, name, move || {
            let segment = cases::segment();
            let mut decoder = Decoder::new(options);
            let mut read = move || {
                let records = decoder.decode(black_box(&segment)).expect("batches");
                let count = records.batches().len();
                black_box(records);
                count
            };
            assert_eq!(read(), RECORDS);
            move || {
                black_box(read());
            }
        })
    };
    let batches =
        DecodeOptions { batches_only: true, verify_crc: false, ..DecodeOptions::default() };
    let all = DecodeOptions::default();
    [headers, rows("tables of batches", batches), rows("tables", all)]
}

/// Filling the tables, and no more: every field is in them.
fn tables(group: String, name: &str, case: Case, codec: Codec, options: DecodeOptions) -> Op {
    Op::new(group, name, move || {
        let batch = case.batch(codec);
        let mut decoder = Decoder::new(options);
        assert_eq!(sum(&decoder.decode(&batch).expect("a batch")), case.totals());
        move || {
            black_box(decoder.decode(black_box(&batch)).expect("a batch"));
        }
    })
}

pub fn sum(records: &Records<'_>) -> Totals {
    let mut totals = Totals::default();
    for record in records.iter() {
        totals.record(record.offset, record.timestamp, record.key, record.value);
        for header in record.headers {
            totals.header(header.key, header.value);
        }
    }
    totals
}

fn iterate(input: &[u8], scratch: &mut Scratch) -> Totals {
    let mut totals = Totals::default();
    for batch in kcodec::batches(input) {
        for record in batch.expect("a batch").records(scratch).expect("records") {
            let record = record.expect("a record");
            totals.record(record.offset, record.timestamp, record.key, record.value);
            for header in record.headers {
                totals.header(header.key, header.value);
            }
        }
    }
    totals
}

fn outline(input: &[u8], scratch: &mut Scratch) -> Totals {
    let mut totals = Totals::default();
    for batch in kcodec::batches(input) {
        for outline in batch.expect("a batch").outlines(scratch).expect("records") {
            let outline = outline.expect("a record");
            totals.records += 1;
            totals.offsets = totals.offsets.wrapping_add(outline.offset);
            totals.timestamps = totals.timestamps.wrapping_add(outline.timestamp);
            let fields = [outline.key_size, outline.value_size];
            totals.nulls += fields.iter().filter(|size| size.is_none()).count() as u64;
            totals.key_bytes += outline.key_size.unwrap_or(0);
            totals.value_bytes += outline.value_size.unwrap_or(0);
        }
    }
    totals
}
