//! Segments that real brokers wrote, against what Kafka's own classes read in them.

mod common;

use common::{Plain, json_lines, read, read_all_forms, vectors};
use kcodec::{BatchRow, ControlType, DecodeOptions, Tail, TimestampType};
use serde_json::{Value, json};

#[test]
fn every_segment_reads_as_kafka_reads_it() {
    let mut seen = 0;
    for entry in std::fs::read_dir(vectors().join("segments")).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.to_str().unwrap().strip_suffix(".expected.jsonl") else { continue };
        let segment = read(name);
        let got = read_all_forms(&segment, DecodeOptions::default());
        let want = json_lines(&path);
        let (end, want_batches) = want.split_last().unwrap();
        assert_eq!(got.batches.len(), want_batches.len(), "{name}");
        for (batch, want) in got.batches.iter().zip(want_batches) {
            let records = batch.records.as_ref().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_batch(name, &batch.row, records, want);
        }
        let tail = match got.tail {
            Tail::None => "none",
            Tail::Zeros => "zeros",
            Tail::Partial { .. } => "partial",
            Tail::Corrupt(_) => "corrupt",
        };
        let got_end = json!({"end": got.consumed, "file_size": segment.len(), "tail": tail});
        assert_eq!(&got_end, end, "{name}");
        seen += 1;
    }
    assert!(seen >= 56, "{seen} segments");
}

fn assert_batch(name: &str, row: &BatchRow, records: &[Plain], want: &Value) {
    let v2 = row.magic == 2;
    let base_offset = if v2 { row.base_offset } else { records[0].offset };
    let timestamp_type = match row.timestamp_type() {
        TimestampType::None => "NoTimestampType",
        TimestampType::CreateTime => "CreateTime",
        TimestampType::LogAppendTime => "LogAppendTime",
    };
    let records = records.iter().map(|record| {
        let base64 = |bytes: &[u8]| data_encoding::BASE64.encode(bytes);
        let field = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(base64);
        let headers: Vec<_> = record
            .headers
            .iter()
            .map(|(key, value)| {
                json!({"key": std::str::from_utf8(key).unwrap(), "value_base64": field(value)})
            })
            .collect();
        let mut json = json!({
            "offset": record.offset,
            "timestamp": record.timestamp,
            "key_base64": field(&record.key),
            "value_base64": field(&record.value),
            "headers": headers,
        });
        if row.is_control() {
            let control = ControlType::of_key(record.key.as_deref()).unwrap();
            json["control_type"] = control.name().into();
        }
        json
    });
    let mut got = json!({
        "position": row.position,
        "size": row.length,
        "magic": row.magic,
        "codec": row.codec().unwrap().name(),
        "base_offset": base_offset,
        "last_offset": row.last_offset(),
        "next_offset": row.next_offset(),
        "declared_count": v2.then_some(row.declared_count),
        "crc": row.crc,
        "crc_ok": row.flags & BatchRow::CRC_VERIFIED != 0,
        "timestamp_type": timestamp_type,
        "max_timestamp": row.max_timestamp,
        "records": records.collect::<Vec<_>>(),
    });
    if v2 {
        let horizon = (row.attributes & 0x40 != 0).then_some(row.base_timestamp);
        let more = json!({
            "base_timestamp": row.base_timestamp,
            "leader_epoch": row.leader_epoch,
            "producer_id": row.producer_id,
            "producer_epoch": row.producer_epoch,
            "base_sequence": row.base_sequence,
            "last_sequence": row.last_sequence(),
            "transactional": row.is_transactional(),
            "control": row.is_control(),
            "delete_horizon": horizon,
        });
        got.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    }
    assert_eq!(&got, want, "{name} at {}", row.position);
}
