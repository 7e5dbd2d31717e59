//! Decoding what was encoded gives the same again, for generated batches of every magic and codec.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small test data")]

mod common;

use common::{Plain, read_all_forms};
use kcodec::{
    BatchBuilder, BatchParams, Codec, DecodeOptions, Decoder, Encoder, Header, HeaderRow,
    RecordRow, Scratch, encode_bound,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Records as rows over one run of bytes.
#[derive(Default)]
struct Rows {
    data: Vec<u8>,
    records: Vec<RecordRow>,
    headers: Vec<HeaderRow>,
}

impl Rows {
    fn of(records: &[Plain]) -> Rows {
        let mut rows = Rows::default();
        for record in records {
            let first_header = rows.headers.len() as u32;
            for (key, value) in &record.headers {
                let (key_pos, key_len) = rows.put(Some(key));
                let (value_pos, value_len) = rows.put(value.as_deref());
                rows.headers.push(HeaderRow { key_pos, key_len, value_pos, value_len });
            }
            let (key_pos, key_len) = rows.put(record.key.as_deref());
            let (value_pos, value_len) = rows.put(record.value.as_deref());
            let (offset, timestamp) = (record.offset, record.timestamp);
            let header_count = record.headers.len() as u32;
            rows.records.push(RecordRow {
                offset,
                timestamp,
                key_pos,
                key_len,
                value_pos,
                value_len,
                first_header,
                header_count,
            });
        }
        rows
    }

    fn put(&mut self, bytes: Option<&[u8]>) -> (u32, i32) {
        let at = self.data.len() as u32;
        self.data.extend_from_slice(bytes.unwrap_or_default());
        (at, bytes.map_or(-1, |bytes| bytes.len() as i32))
    }
}

/// Lengths around the places where a varint grows, and null.
fn field() -> impl Strategy<Value = Option<Vec<u8>>> {
    let length = prop_oneof![
        4 => 0usize..4,
        2 => 60usize..68,
        1 => 124usize..132,
        1 => 8_188usize..8_196,
    ];
    let bytes = length.prop_flat_map(|len| {
        prop_oneof![vec(any::<u8>(), len), any::<u8>().prop_map(move |byte| vec![byte; len])]
    });
    option::weighted(0.8, bytes)
}

fn headers() -> impl Strategy<Value = Vec<(Vec<u8>, Option<Vec<u8>>)>> {
    let name = prop_oneof![Just(Vec::new()), Just(b"k".to_vec()), vec(any::<u8>(), 0..80)];
    prop_oneof![3 => Just(Vec::new()), 1 => vec((name, field()), 1..6)]
}

/// Steps that stay small, or jump by more than 2³¹ ms in either direction, or anywhere.
fn timestamp() -> impl Strategy<Value = i64> {
    let base = 1_700_000_000_000i64;
    prop_oneof![
        (0..1000i64).prop_map(move |step| base + step),
        (-(1i64 << 40)..1 << 40).prop_map(move |step| base + step),
        Just(-1),
        any::<i64>(),
    ]
}

fn records(magic: i8, most: usize) -> impl Strategy<Value = Vec<Plain>> {
    let record = (field(), field(), headers(), timestamp(), 1..3i64);
    // Offsets that follow one another, or with the holes that compaction leaves.
    (vec(record, 0..most), any::<bool>()).prop_map(move |(records, holes)| {
        let mut offset = 0;
        let plain = records.into_iter().map(|(key, value, headers, timestamp, step)| {
            let headers = if magic == 2 { headers } else { Vec::new() };
            let timestamp = if magic == 0 { -1 } else { timestamp };
            let record = Plain { offset, timestamp, key, value, headers };
            offset += if holes { step } else { 1 };
            record
        });
        plain.collect()
    })
}

fn params() -> impl Strategy<Value = BatchParams> {
    let offsets = prop_oneof![Just(0), 0..1_000_000i64, (i64::MAX - 100_000)..(i64::MAX - 50_000)];
    let of_header = (any::<i32>(), -1..i64::MAX, -1..i16::MAX, -1..i32::MAX, any::<bool>());
    let times = (option::weighted(0.2, 0..i64::MAX), option::weighted(0.2, any::<i64>()));
    (0..3i8, 0..5usize, offsets, of_header, times).prop_map(
        |(magic, codec, base_offset, of_header, (log_append_time, delete_horizon))| {
            let codec = Codec::ALL[codec];
            let (leader_epoch, producer_id, producer_epoch, base_sequence, transactional) =
                of_header;
            if magic == 2 {
                return BatchParams {
                    codec,
                    base_offset,
                    leader_epoch,
                    producer_id,
                    producer_epoch,
                    base_sequence,
                    transactional,
                    log_append_time,
                    delete_horizon,
                    unknown_attributes: 0x0180,
                    ..BatchParams::default()
                };
            }
            let codec = if codec == Codec::Zstd { Codec::Gzip } else { codec };
            let log_append_time = log_append_time.filter(|_| magic == 1);
            BatchParams { magic, codec, base_offset, log_append_time, ..BatchParams::default() }
        },
    )
}

fn params_and_records() -> impl Strategy<Value = (BatchParams, Vec<Plain>)> {
    params().prop_flat_map(|params| {
        records(params.magic, 40).prop_map(move |mut records| {
            for record in &mut records {
                record.offset += params.base_offset;
            }
            (params, records)
        })
    })
}

/// What the records read as: with log-append time all have that.
fn as_read(params: &BatchParams, records: &[Plain]) -> Vec<Plain> {
    let appended = |record: &Plain| params.log_append_time.unwrap_or(record.timestamp);
    records.iter().map(|record| Plain { timestamp: appended(record), ..record.clone() }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn decode_after_encode_is_the_identity((params, records) in params_and_records()) {
        let rows = Rows::of(&records);
        let mut encoder = Encoder::new();
        let bytes = encoder.encode(&params, &rows.data, &rows.records, &rows.headers)?.to_vec();
        prop_assert!(bytes.len() <= encode_bound(&params, &rows.records, &rows.headers));
        let read = read_all_forms(&bytes, DecodeOptions::default());
        prop_assert_eq!(read.faults(), []);
        let got: Vec<_> = read.batches.iter().filter_map(|b| b.records.clone().ok()).flatten().collect();
        prop_assert_eq!(got, as_read(&params, &records));
        prop_assert_eq!(read.consumed, bytes.len());

        // The same tables give the same bytes again, and so does memory of the caller's.
        let again = encoder.encode(&params, &rows.data, &rows.records, &rows.headers)?.to_vec();
        prop_assert_eq!(&again, &bytes);
        let mut into = vec![0; bytes.len()];
        let args = (&rows.data, &rows.records, &rows.headers);
        let len = encoder.encode_into(&params, args.0, args.1, args.2, &mut into)?;
        prop_assert_eq!((len, &into), (bytes.len(), &bytes));
        if !bytes.is_empty() {
            let small = encoder.encode_into(&params, args.0, args.1, args.2, &mut into[1..]);
            prop_assert_eq!(small.unwrap_err().expected(), bytes.len() as u64);
        }

        // A batch that was read can be written again from what was read.
        if params.magic == 2 && params.codec == Codec::None {
            let mut decoder = Decoder::default();
            let tables = decoder.decode(&bytes)?;
            let row = &tables.batches()[0];
            if params.log_append_time.is_none() {
                let params = BatchParams::of(row);
                let data = tables.segment(row.segment);
                let again = encoder.encode(&params, data, tables.rows(row), tables.headers())?;
                prop_assert_eq!(again, &bytes);
            }
        }
    }

    /// A header may say that there are as many offsets as records, whatever the records say.
    #[test]
    fn a_record_knows_its_own_offset((params, mut records) in params_and_records(), order in any::<u64>()) {
        prop_assume!(params.magic == 2 && !records.is_empty());
        let places = records.len();
        for place in 0..places {
            let other = (order as usize).wrapping_mul(place + 1) % places;
            let offset = records[place].offset;
            records[place].offset = std::mem::replace(&mut records[other].offset, offset);
        }
        let lowest = records.iter().map(|record| record.offset).min().unwrap();
        let params = BatchParams { base_offset: lowest, codec: Codec::None, ..params };
        let rows = Rows::of(&records);
        let mut encoder = Encoder::new();
        let mut bytes = encoder.encode(&params, &rows.data, &rows.records, &rows.headers)?.to_vec();
        bytes[23..27].copy_from_slice(&(places as i32 - 1).to_be_bytes());
        let unchecked = DecodeOptions { verify_crc: false, ..DecodeOptions::default() };
        let read = read_all_forms(&bytes, unchecked);
        prop_assert_eq!(read.data(), as_read(&params, &records));
    }

    #[test]
    fn the_builder_writes_what_the_encoder_writes((params, records) in params_and_records()) {
        let dense: Vec<_> = records.iter().enumerate().map(|(i, record)| {
            Plain { offset: params.base_offset + i as i64, ..record.clone() }
        }).collect();
        let rows = Rows::of(&dense);
        let mut encoder = Encoder::new();
        let want = encoder.encode(&params, &rows.data, &rows.records, &rows.headers)?;
        let mut builder = BatchBuilder::new(params)?;
        // The second time over in used memory.
        for _ in 0..2 {
            for record in &dense {
                let headers: Vec<_> = record.headers.iter()
                    .map(|(key, value)| Header { key, value: value.as_deref() }).collect();
                let fields = (record.key.as_deref(), record.value.as_deref());
                prop_assert!(builder.fits(usize::MAX, fields.0, fields.1, &headers));
                let before = builder.size_bound();
                let offset = builder.push(record.timestamp, fields.0, fields.1, &headers)?;
                prop_assert_eq!(offset, record.offset);
                prop_assert!(builder.size_bound() >= before);
                // What fits under the limit that it then takes, fits.
                prop_assert!(builder.plain_size() <= builder.size_bound());
            }
            let bound = builder.size_bound();
            let got = builder.finish()?;
            prop_assert!(got.len() <= bound);
            prop_assert_eq!(got, want);
        }
    }

    #[test]
    fn a_batch_under_its_limit_stays_there(
        (params, records) in params_and_records(), limit in 100usize..20_000,
    ) {
        let mut builder = BatchBuilder::new(params)?;
        for record in &records {
            let headers: Vec<_> = record.headers.iter()
                .map(|(key, value)| Header { key, value: value.as_deref() }).collect();
            let (key, value) = (record.key.as_deref(), record.value.as_deref());
            if !builder.is_empty() && !builder.fits(limit, key, value, &headers) {
                continue;
            }
            builder.push(record.timestamp, key, value, &headers)?;
        }
        let count = builder.len();
        let got = builder.finish()?;
        prop_assert!(got.len() <= limit || count <= 1);
    }

    /// One flipped bit or one cut never panics, never takes another way through one form than through
    /// another, and never gets past the checksum.
    #[test]
    fn damage_is_found(
        (params, records) in params_and_records(), bit in any::<prop::sample::Index>(), cut in any::<prop::sample::Index>(),
    ) {
        let rows = Rows::of(&records);
        let mut encoder = Encoder::new();
        let mut bytes = encoder.encode(&params, &rows.data, &rows.records, &rows.headers)?.to_vec();
        if bytes.is_empty() {
            return Ok(());
        }
        read_all_forms(&bytes[..cut.index(bytes.len())], DecodeOptions::default());
        let bit = bit.index(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        read_all_forms(&bytes, DecodeOptions { verify_crc: false, ..DecodeOptions::default() });
        let read = read_all_forms(&bytes, DecodeOptions::default());
        // Offset, length, leader epoch and magic lie outside of the checksum.
        if bit / 8 >= 17 && params.magic == 2 {
            prop_assert_eq!(read.faults().len(), 1);
        }
    }
}

#[test]
fn ten_thousand_records_of_every_magic_and_codec() {
    let records: Vec<_> = (0..10_000i64)
        .map(|i| Plain {
            offset: i,
            timestamp: -1,
            key: (i % 3 != 0).then(|| i.to_be_bytes().to_vec()),
            value: (i % 5 != 0).then(|| format!("value {i} of many").into_bytes()),
            headers: Vec::new(),
        })
        .collect();
    let rows = Rows::of(&records);
    let mut encoder = Encoder::new();
    for magic in 0..3 {
        for codec in Codec::ALL.into_iter().filter(|codec| magic == 2 || *codec != Codec::Zstd) {
            let params = BatchParams { magic, codec, ..BatchParams::default() };
            let bytes = encoder.encode(&params, &rows.data, &rows.records, &[]).unwrap();
            let read = read_all_forms(bytes, DecodeOptions::default());
            assert_eq!(read.data(), records, "magic {magic}, {codec:?}");
        }
    }
}

#[test]
fn offsets_of_every_length_up_to_the_last_there_is() {
    let count = (1 << 20) + 100;
    for base in [0, i64::MAX - count, i64::MAX - count + 1] {
        let record = |i| Plain {
            offset: base + i,
            timestamp: i & 3,
            key: None,
            value: (i & 1 == 0).then(Vec::new),
            headers: Vec::new(),
        };
        let records: Vec<_> = (0..count).map(record).collect();
        let rows = Rows::of(&records);
        let params = BatchParams { base_offset: base, ..BatchParams::default() };
        let mut encoder = Encoder::new();
        let bytes = encoder.encode(&params, &[], &rows.records, &[]).unwrap();
        let mut decoder = Decoder::default();
        let tables = decoder.decode(bytes).unwrap();
        assert_eq!(tables.records().len(), records.len());
        let row = &tables.batches()[0];
        for (found, record) in tables.rows(row).iter().zip(&records) {
            assert_eq!(&Plain::from(tables.record(row, found)), record);
        }
    }
}

/// Lengths around those where that of the record grows to a fourth byte, which the builder and the encoder
/// come to by different ways.
#[test]
fn a_length_of_four_bytes() {
    let data = vec![7; (1 << 20) + 2];
    let (mut encoder, params) = (Encoder::new(), BatchParams::default());
    let mut builder = BatchBuilder::new(params).unwrap();
    for (value_len, key_len) in
        (data.len() - 140..data.len()).flat_map(|len| [-1, 0, 63, 64].map(|key| (len, key)))
    {
        let row = RecordRow { key_len, value_len: value_len as i32, ..RecordRow::default() };
        let got = encoder.encode(&params, &data, &[row], &[]).unwrap();
        let key = usize::try_from(key_len).ok().map(|len| &data[..len]);
        builder.push(0, key, Some(&data[..value_len]), &[]).unwrap();
        assert!(got == builder.finish().unwrap(), "{value_len} bytes, key {key_len}");
    }
}

#[test]
fn what_a_magic_cannot_carry_is_refused() {
    let header = [Header { key: b"k", value: None }];
    for magic in [0, 1] {
        let params = BatchParams { magic, ..BatchParams::default() };
        let mut builder = BatchBuilder::new(params).unwrap();
        let refused = builder.push(0, None, None, &header).unwrap_err();
        assert_eq!(refused.kind(), kcodec::ErrorKind::NotRepresentable);
        assert!(builder.is_empty());
        assert!(BatchBuilder::new(BatchParams { producer_id: 1, ..params }).is_err());
        assert!(BatchBuilder::new(BatchParams { codec: Codec::Zstd, ..params }).is_err());
    }
    assert!(BatchBuilder::new(BatchParams { magic: 3, ..BatchParams::default() }).is_err());
}

#[test]
fn rows_that_point_nowhere_are_refused() {
    let row = RecordRow { value_pos: 2, value_len: 3, key_len: -1, ..RecordRow::default() };
    let header = HeaderRow { key_pos: 5, key_len: 1, value_pos: 0, value_len: -1 };
    let good = RecordRow { value_pos: 0, ..row };
    let with_header = RecordRow { header_count: 1, ..good };
    let missing_header = RecordRow { first_header: 1, ..with_header };
    let far = RecordRow { offset: 1 << 40, ..good };
    let below_null = RecordRow { key_len: -2, ..good };
    let mut encoder = Encoder::new();
    let params = BatchParams::default();
    for bad in [row, with_header, missing_header, far, below_null] {
        let refused = encoder.encode(&params, b"abcd", &[good, bad], &[header]).unwrap_err();
        assert_eq!(
            (refused.kind(), refused.record()),
            (kcodec::ErrorKind::InvalidArgument, Some(1))
        );
    }
    let batch = encoder.encode(&params, b"abcd", &[good], &[]).unwrap();
    let mut scratch = Scratch::default();
    kcodec::validate_produce(batch, &mut scratch).unwrap();
}
