//! The golden vectors: every one gives what its `meaning` says, or the test says which it does not know.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small test data")]

mod common;

use common::{Plain, Read, hex, json, options, read_all_forms, vectors};
use kcodec::index::{OffsetIndexEntry, TimeIndexEntry, TransactionIndexEntry};
use kcodec::{BatchRow, ControlType, EndTxnMarker, ErrorKind, Scratch, Tail, varint};
use serde_json::{Value, json as j};

const LIMIT: u64 = 16 << 20;

#[test]
fn every_vector_means_what_it_says() {
    let vectors = json(vectors().join("golden.json"));
    let all = vectors.as_array().unwrap();
    let mut seen = 0;
    for vector in all {
        let name = vector["name"].as_str().unwrap();
        let bytes = hex(vector["hex"].as_str().unwrap());
        let meaning = &vector["meaning"];
        match name.split('_').next().unwrap() {
            "uvarint" | "varint" | "varlong" => check_varint(name, &bytes, meaning),
            "v0" | "v1" | "v2" | "recordset" | "convert" => {
                check_records(name, &bytes, vector, all)
            }
            "index" | "timeindex" | "txnindex" => check_index(&bytes, meaning),
            // Messages of the protocol and their primitives: no part of record sets.
            "string" | "uuid" | "tagged" | "req" | "produce" | "fetch" | "api" | "metadata"
            | "init" | "end" | "add" | "find" | "list" => continue,
            _ => panic!("a vector without a test: {name}"),
        }
        seen += 1;
    }
    assert!(seen >= 110, "{seen} vectors");
}

fn check_varint(name: &str, bytes: &[u8], meaning: &Value) {
    let (got, len) = match meaning["type"].as_str().unwrap() {
        "uvarint32" => {
            let got = varint::read_uvarint(bytes).map(|(value, rest)| (i64::from(value), rest));
            (got, got.map(|(value, _)| varint::uvarint_len(value as u64)))
        }
        "varint (zigzag int32)" => {
            let got = varint::read_varint(bytes);
            let len = got.map(|(value, _)| varint::varint_len(value));
            (got.map(|(value, rest)| (i64::from(value), rest)), len)
        }
        "varlong (zigzag int64)" | "varlong" => {
            let got = varint::read_varlong(bytes);
            (got, got.map(|(value, _)| varint::varlong_len(value)))
        }
        other => panic!("{name}: {other}"),
    };
    match meaning["value"].as_i64() {
        Some(value) => {
            assert_eq!(got, Ok((value, &[][..])), "{name}");
            // The over-long form is read, and would be written shorter.
            assert!(len == Ok(bytes.len()) || name == "uvarint_nonminimal_zero", "{name}");
        }
        None => assert_eq!(got.map(|_| ()), Err(ErrorKind::Varint), "{name}"),
    }
}

fn check_records(name: &str, bytes: &[u8], vector: &Value, all: &[Value]) {
    let meaning = &vector["meaning"];
    if name == "v0_sarama_snappy_message_body" || name == "v1_zstd_wrapper_invalid" {
        return check_bare_message(name, bytes, meaning);
    }
    let got = read_all_forms(bytes, options(true, LIMIT));
    for (key, want) in meaning.as_object().unwrap() {
        check_key(name, key, want, bytes, &got, all);
    }
    if meaning["error"].is_null() {
        assert_eq!(got.faults(), [], "{name}");
    }
}

fn check_key(name: &str, key: &str, want: &Value, bytes: &[u8], got: &Read, all: &[Value]) {
    let row = got.batches.first().map_or(BatchRow::default(), |batch| batch.row);
    let records: Vec<Plain> = got
        .batches
        .iter()
        .filter_map(|batch| batch.records.as_ref().ok())
        .flatten()
        .cloned()
        .collect();
    let offsets = || j!(records.iter().map(|record| record.offset).collect::<Vec<_>>());
    let text = |bytes: &Option<Vec<u8>>| match bytes {
        Some(bytes) => Value::from(String::from_utf8_lossy(bytes)),
        None => Value::Null,
    };
    let is = |got: Value| assert_eq!(&got, want, "{name}: {key}");
    match key {
        "note" | "rule" | "codec" | "from" | "firstOffset" | "inner_relative" | "hc"
        | "uncompressed_sha" | "coordinatorEpoch" => {}
        "meaning" if want == "COMMIT marker" => is_control(&records, ControlType::Commit),
        "meaning" if want == "ABORT marker" => is_control(&records, ControlType::Abort),
        "meaning" => assert!(row.attributes & 0x40 != 0, "{name}"),
        "error" => check_error(name, bytes, got),
        "computed_crc" => {
            let fault = got.faults()[0];
            is(format!("{:08x}", fault.actual()).into());
        }
        "records" if want.is_string() => assert_ten_hellos(name, &records),
        "records" => {
            let want = want.as_array().unwrap();
            assert_eq!(records.len(), want.len(), "{name}");
            for (record, want) in records.iter().zip(want) {
                check_record(name, record, want, &row);
            }
        }
        "baseOffset" | "offset" if row.record_count == 1 || row.magic == 2 => {
            is(row.base_offset.into())
        }
        "length" => is((row.length - 12).into()),
        "size" => is((row.length - 12).into()),
        "partitionLeaderEpoch" => is(row.leader_epoch.into()),
        "magic" => is(row.magic.into()),
        "crc" => is(format!("{:08x}", row.crc).into()),
        "crc_equal_to" => {
            let other = all.iter().find(|other| other["name"] == *want).unwrap();
            let other = hex(other["hex"].as_str().unwrap());
            assert_eq!(bytes[17..21], other[17..21], "{name}");
        }
        "attributes" => {
            let number = match want.as_str() {
                Some(text) => {
                    i64::from_str_radix(text[2..].split(' ').next().unwrap(), 16).unwrap()
                }
                None => want.as_i64().unwrap(),
            };
            assert_eq!(i64::from(row.attributes), number, "{name}");
        }
        "lastOffsetDelta" => is(row.last_offset_delta.into()),
        "lastOffset" => is(row.last_offset().into()),
        "nextOffset" => is(row.next_offset().into()),
        "baseTimestamp" => is(row.base_timestamp.into()),
        "maxTimestamp" => is(row.max_timestamp.into()),
        "producerId" => is(row.producer_id.into()),
        "producerEpoch" => is(row.producer_epoch.into()),
        "baseSequence" => is(row.base_sequence.into()),
        "lastSequence" => is(row.last_sequence().into()),
        "sequences" => assert_eq!(want.as_array().unwrap().len(), records.len(), "{name}"),
        "recordsCount" => is(row.declared_count.into()),
        "uncompressed_len" if row.codec == 0 => is((row.length - 61).into()),
        "uncompressed_len" => {}
        "timestampType" => assert_eq!(want, &format!("{:?}", row.timestamp_type())),
        "timestamp" => is(row.max_timestamp.into()),
        "key" if want.is_object() => {
            let control = ControlType::of_key(records[0].key.as_deref()).unwrap();
            is(j!({"version": 0, "type": control.number()}));
        }
        "type" => {
            let control = ControlType::of_key(records[0].key.as_deref()).unwrap();
            is(control.number().into());
        }
        "value" if want["coordinatorEpoch"].is_number() => {
            let marker = EndTxnMarker::of_value(records[0].value.as_deref()).unwrap();
            is(j!({"version": 0, "coordinatorEpoch": marker.coordinator_epoch}));
        }
        // The values of the other control records are messages of the protocol.
        "value" if want.is_object() => assert!(records[0].value.is_some(), "{name}"),
        "key" => is(text(&records[0].key)),
        "value" => is(text(&records[0].value)),
        "wrapper" => {
            for (key, want) in want.as_object().unwrap() {
                let got = match key.as_str() {
                    "offset" => row.base_offset,
                    "attributes" => row.attributes.into(),
                    "timestamp" => row.max_timestamp,
                    other => panic!("{name}: {other}"),
                };
                assert_eq!(j!(got), *want, "{name}: {key}");
            }
        }
        "wrapper_offset" => is(row.base_offset.into()),
        "inner_offsets_absolute" | "absolute" | "offsets" => is(offsets()),
        "values" => is(records.iter().map(|record| text(&record.value)).collect()),
        "timestamps" => is(j!(records.iter().map(|record| record.timestamp).collect::<Vec<_>>())),
        "magics" => is(got.batches.iter().map(|batch| j!(batch.row.magic)).collect()),
        "complete_batches" => {
            is(got.batches.len().into());
            assert!(matches!(got.tail, Tail::Partial { .. } | Tail::Zeros), "{name}");
        }
        "trailing_bytes" => is((bytes.len() - got.consumed).into()),
        other => panic!("{name}: a key without a test: {other}"),
    }
}

fn is_control(records: &[Plain], control: ControlType) {
    assert_eq!(ControlType::of_key(records[0].key.as_deref()), Some(control));
}

fn check_record(name: &str, record: &Plain, want: &Value, row: &BatchRow) {
    // Texts stand for themselves, except where the original has arbitrary bytes.
    let as_hex = name.starts_with("v2_sarama");
    let show = |bytes: &[u8]| {
        if as_hex {
            data_encoding::HEXLOWER.encode(bytes)
        } else {
            String::from_utf8(bytes.to_vec()).unwrap()
        }
    };
    let field = |bytes: &Option<Vec<u8>>| j!(bytes.as_deref().map(show));
    for (key, want) in want.as_object().unwrap() {
        let got = match key.as_str() {
            "offset" => j!(record.offset),
            "ts" | "timestamp" => j!(record.timestamp),
            "timestampDelta" => j!(record.timestamp - row.base_timestamp),
            "key" => field(&record.key),
            "value" => field(&record.value),
            "headers" => {
                record.headers.iter().map(|(key, value)| j!([show(key), field(value)])).collect()
            }
            other => panic!("{name}: a key without a test: {other}"),
        };
        assert_eq!(&got, want, "{name}: {key}");
    }
}

fn assert_ten_hellos(name: &str, records: &[Plain]) {
    if name == "v2_lz4_bad_header_checksum" || name == "v2_lz4_no_endmark" {
        return assert!(records.is_empty(), "{name}");
    }
    assert_eq!(records.len(), 10, "{name}");
    for (i, record) in (0i64..).zip(records) {
        assert_eq!((record.offset, record.timestamp - records[0].timestamp), (i, i), "{name}");
        assert_eq!(record.key.as_deref(), Some(format!("key{i:02}").as_bytes()), "{name}");
        assert_eq!(record.value.as_deref(), Some(&b"hello hello hello"[..]), "{name}");
        assert!(record.headers.is_empty(), "{name}");
    }
}

/// The rule that each bad vector breaks.
fn check_error(name: &str, bytes: &[u8], got: &Read) {
    let kind = match name {
        "v2_control_wrong_crc_from_kafka_python" | "v2_bad_crc" | "v1_bad_crc" => {
            ErrorKind::CrcMismatch
        }
        "v2_lz4_bad_header_checksum" => ErrorKind::CodecChecksum,
        "v2_lz4_no_endmark" => ErrorKind::CodecTruncated,
        "v2_count_too_high" => ErrorKind::RecordCount,
        "v2_count_too_low" => ErrorKind::TrailingBytes,
        "v1_nested_compression_invalid" => ErrorKind::InnerCompressed,
        "v1_wrapper_null_value_invalid" | "v1_wrapper_empty_set_invalid" => ErrorKind::WrapperEmpty,
        "v2_count_offset_range_mismatch" => {
            // Legal in a fetch, refused in a produce request.
            assert_eq!(got.faults(), [], "{name}");
            let mut bytes = bytes.to_vec();
            kcodec::assign_offsets(&mut bytes, 0, -1).unwrap();
            let refused = kcodec::validate_produce(&bytes, &mut Scratch::default());
            return assert_eq!(refused.unwrap_err().kind(), ErrorKind::ProduceOffsets);
        }
        _ => panic!("a bad vector without a test: {name}"),
    };
    assert_eq!(got.faults().iter().map(kcodec::Error::kind).collect::<Vec<_>>(), [kind], "{name}");
}

/// Vectors that are a message without its offset and size.
fn check_bare_message(name: &str, bytes: &[u8], meaning: &Value) {
    let mut entry = 1i64.to_be_bytes().to_vec();
    entry.extend((bytes.len() as i32).to_be_bytes());
    entry.extend(bytes);
    let got = read_all_forms(&entry, options(true, LIMIT));
    if name == "v1_zstd_wrapper_invalid" {
        return assert_eq!(got.faults()[0].kind(), ErrorKind::CodecForMagic);
    }
    assert_eq!(got.faults(), []);
    let inner = read_all_forms(&hex(meaning["inner"].as_str().unwrap()), options(true, LIMIT));
    assert_eq!(got.data(), inner.data());
}

fn check_index(bytes: &[u8], meaning: &Value) {
    let base = meaning["baseOffset"].as_i64().unwrap_or_default();
    let file = meaning["file"].clone();
    let got = match file.as_str().unwrap() {
        ".index" => {
            let entry = OffsetIndexEntry::read(bytes.try_into().unwrap(), base);
            j!({"file": file, "baseOffset": base, "offset": entry.offset, "position": entry.position})
        }
        ".timeindex" => {
            let entry = TimeIndexEntry::read(bytes.try_into().unwrap(), base);
            j!({"file": file, "baseOffset": base, "timestamp": entry.timestamp, "offset": entry.offset})
        }
        ".txnindex" => {
            let entry = TransactionIndexEntry::read(bytes.try_into().unwrap());
            j!({
                "file": file, "version": entry.version, "producerId": entry.producer_id,
                "firstOffset": entry.first_offset, "lastOffset": entry.last_offset,
                "lastStableOffset": entry.last_stable_offset,
            })
        }
        other => panic!("{other}"),
    };
    assert_eq!(&got, meaning);
}
