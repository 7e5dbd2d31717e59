//! Small inputs that broke other codecs, each with the right answer, and for a bad one the exact fault.

mod common;

use common::{Plain, Read, hex, json, options, read, read_all_forms, vectors};
use kcodec::{BatchRow, ControlType, Error, ErrorKind, Scratch, Tail, validate_produce};
use serde_json::Value;

/// What the bombs are to be stopped at.
const LIMIT: u64 = 16 << 20;

/// With `KCODEC_REWRITE` set, `faults.json` is written anew from what the library says, to be read line by
/// line before it is committed.
#[test]
fn every_case_has_the_right_answer() {
    let manifest = json(vectors().join("cases/manifest.json"));
    if std::env::var_os("KCODEC_REWRITE").is_some() {
        rewrite_faults(&manifest);
    }
    let faults = json(vectors().join("cases/faults.json"));
    let mut seen = 0;
    for case in manifest.as_array().unwrap() {
        match case["input"].as_str().unwrap() {
            "records" => {
                let file = case["file"].as_str().unwrap();
                let bytes = read(vectors().join("cases").join(file));
                check(case, &bytes, &faults[file]);
                seen += 1;
            }
            "fetch_response" | "frame" | "api_response" | "produce_request" => {}
            other => panic!("a kind of input without a test: {other}"),
        }
    }
    assert!(seen >= 90, "{seen} cases");
}

fn check(case: &Value, bytes: &[u8], want_fault: &Value) {
    let name = case["file"].as_str().unwrap();
    let expected = &case["expected"];
    let got = read_all_forms(bytes, options(true, LIMIT));
    let unchecked = read_all_forms(bytes, options(false, LIMIT));
    let outcome = expected["outcome"].as_str().unwrap();
    match outcome {
        "records" | "partial" | "flagged" | "validate_reject" => {
            assert_eq!(got.faults(), [], "{name}");
            // What is right without a look at the checksum is the same with one, and the other way round.
            assert_eq!(got.data(), unchecked.data(), "{name}");
            check_good(name, expected, &got);
        }
        "reject" | "bomb" => {
            let faults = got.faults();
            assert_eq!(describe(&faults[0]), *want_fault, "{name}");
            if let Some(records) = expected["records"].as_array() {
                let want: Vec<_> = records.iter().map(plain).collect();
                assert_eq!(got.data()[..want.len()], want, "{name}");
            } else {
                let before = got.batches.iter().take_while(|batch| batch.records.is_ok());
                assert!(faults.len() == 1 || before.count() > 0, "{name}");
            }
            if faults[0].kind() == ErrorKind::CrcMismatch {
                assert_ne!(unchecked.faults().first().map(Error::kind), Some(faults[0].kind()));
            } else {
                assert_eq!(unchecked.faults(), faults, "{name}: the same without checksums");
            }
            if outcome == "bomb" {
                assert!(faults[0].kind().is_limit(), "{name}");
            }
        }
        other => panic!("an outcome without a test: {other}"),
    }
    let produce = validate_produce(bytes, &mut Scratch::new(options(true, LIMIT)));
    if outcome == "validate_reject" {
        let kind = match expected["reason"].as_str().unwrap() {
            "offsets" => ErrorKind::ProduceOffsets,
            "max_timestamp" => ErrorKind::ProduceMaxTimestamp,
            other => panic!("a reason without a test: {other}"),
        };
        assert_eq!(produce.map_err(|error| error.kind()), Err(kind), "{name}");
    } else if outcome == "reject" {
        assert!(produce.is_err(), "{name}");
    }
}

fn check_good(name: &str, expected: &Value, got: &Read) {
    if let Some(records) = expected["records"].as_array() {
        assert_eq!(got.data(), records.iter().map(plain).collect::<Vec<_>>(), "{name}");
    }
    let last = got.batches.last().map(|batch| &batch.row);
    if let (Some(next), Some(last)) = (expected["next_offset"].as_i64(), last) {
        assert_eq!(last.next_offset(), next, "{name}");
    }
    let cut = matches!(got.tail, Tail::Partial { .. } | Tail::Zeros);
    assert_eq!(cut, expected["outcome"] == "partial", "{name}");
    for (check, want) in expected["check"].as_object().into_iter().flatten() {
        let row = &got.batches[0].row;
        match check.as_str() {
            "control" => assert_eq!(control_records(got), *want, "{name}"),
            "delete_horizon_ms" => {
                assert_eq!(
                    (row.attributes & 0x40, row.base_timestamp),
                    (0x40, want.as_i64().unwrap())
                );
            }
            "last_sequence" => assert_eq!(i64::from(row.last_sequence()), want.as_i64().unwrap()),
            "offsets_assigned" => {
                let assigned = row.flags & BatchRow::OFFSETS_UNASSIGNED == 0;
                assert_eq!(assigned, want.as_bool().unwrap(), "{name}");
            }
            "count" => assert_eq!(got.data().len() as u64, want.as_u64().unwrap(), "{name}"),
            other => panic!("a check without a test: {other}"),
        }
    }
}

fn control_records(got: &Read) -> Value {
    let control = got.batches.iter().filter(|batch| batch.row.is_control());
    let records = control.filter_map(|batch| batch.records.as_ref().ok()).flatten();
    records
        .map(|record| {
            let control = ControlType::of_key(record.key.as_deref()).unwrap();
            serde_json::json!([record.offset, control.name()])
        })
        .collect()
}

fn plain(record: &Value) -> Plain {
    let field = |value: &Value| value.as_str().map(hex);
    Plain {
        offset: record["offset"].as_i64().unwrap(),
        timestamp: record["timestamp"].as_i64().unwrap(),
        key: field(&record["key"]),
        value: field(&record["value"]),
        headers: record["headers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|header| (hex(header[0].as_str().unwrap()), field(&header[1])))
            .collect(),
    }
}

/// A fault as `faults.json` has it.
fn describe(error: &Error) -> Value {
    serde_json::json!({
        "code": error.kind().name(),
        "number": error.kind().number(),
        "batch": error.batch(),
        "record": error.record(),
        "position": error.position(),
        "in_payload": error.in_payload(),
        "next_offset": error.next_offset(),
    })
}

fn rewrite_faults(manifest: &Value) {
    let mut lines = Vec::new();
    for case in manifest.as_array().unwrap() {
        let outcome = case["expected"]["outcome"].as_str().unwrap();
        if case["input"] == "records" && matches!(outcome, "reject" | "bomb") {
            let file = case["file"].as_str().unwrap();
            let bytes = read(vectors().join("cases").join(file));
            let fault = read_all_forms(&bytes, options(true, LIMIT)).faults()[0];
            lines.push(format!("  \"{file}\": {}", describe(&fault)));
        }
    }
    let text = format!("{{\n{}\n}}\n", lines.join(",\n"));
    std::fs::write(vectors().join("cases/faults.json"), text).unwrap();
}
