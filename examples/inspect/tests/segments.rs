//! Segments that real brokers wrote, printed as Kafka's own classes read them.

mod common;

use common::{run, run_piped, segment, vectors};
use serde_json::Value;

/// Every key of `want` with its value; `got` may have more.
fn same(want: &Value, got: &Value, at: &str) {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            for (key, value) in want {
                let found = got.get(key).unwrap_or_else(|| panic!("{at}: no {key}"));
                same(value, found, &format!("{at}.{key}"));
            }
        }
        (Value::Array(want), Value::Array(got)) => {
            assert_eq!(want.len(), got.len(), "{at}");
            for (i, (want, got)) in want.iter().zip(got).enumerate() {
                same(want, got, &format!("{at}[{i}]"));
            }
        }
        _ => assert_eq!(want, got, "{at}"),
    }
}

#[test]
fn every_segment_is_printed_as_kafka_reads_it() {
    let mut seen = 0;
    for entry in std::fs::read_dir(vectors("segments")).unwrap() {
        let expected = entry.unwrap().path();
        let Some(path) = expected.to_str().unwrap().strip_suffix(".expected.jsonl") else {
            continue;
        };
        let run = run(&["--json", "--records", "--base64", path]);
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{path}");
        let want = std::fs::read_to_string(&expected).unwrap();
        assert_eq!(want.lines().count(), run.out.lines().count(), "{path}");
        for (i, (want, got)) in want.lines().zip(run.out.lines()).enumerate() {
            let parsed = |line: &str| -> Value { serde_json::from_str(line).unwrap() };
            same(&parsed(want), &parsed(got), &format!("{path} line {i}"));
        }
        seen += 1;
    }
    assert!(seen >= 56, "{seen} segments");
}

#[test]
fn a_pipe_is_printed_as_the_file_is() {
    for name in ["mixed_magic-0.log", "preallocated-0.log", "java_wide-0.log"] {
        let path = segment(name);
        let options = ["--json", "--records"];
        let of_file = run(&[&options[..], &[&path]].concat());
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(run_piped(&[&options[..], &["-"]].concat(), &bytes), of_file, "{name}");
        for cut in [bytes.len() - 1, bytes.len() / 2, 70, 17, 11, 1] {
            let (_, end) = run_piped(&["--json", "-"], &bytes[..cut]).lines();
            assert_eq!(end["file_size"], cut, "{name}");
            assert!(end["end"].as_u64().unwrap() <= cut as u64, "{name}");
        }
    }
}

#[test]
fn text_is_text_and_the_rest_is_base64() {
    let (batches, _) = run(&["--json", "--records", &segment("java_txn-15.log")]).lines();
    let marker = &batches[0]["records"][0];
    assert_eq!(marker["control_type"], "COMMIT");
    // Zeros and a one are UTF-8.
    assert_eq!((&marker["key"], &marker["key_base64"]), (&"\0\0\0\u{1}".into(), &Value::Null));
    assert_eq!(batches[2]["records"][1]["value"], "aborted later 6");

    let (batches, _) = run(&["--json", "--records", &segment("consumer_offsets-0.log")]).lines();
    let records = batches.iter().flat_map(|batch| batch["records"].as_array().unwrap());
    let binary = records.filter(|record| record.get("value_base64").is_some()).count();
    assert!(binary > 0);

    let (batches, _) = run(&["--json", "--records", &segment("java_edges-0.log")]).lines();
    let records: Vec<_> =
        batches.iter().flat_map(|batch| batch["records"].as_array().unwrap()).collect();
    let null = records.iter().find(|record| record.get("key") == Some(&Value::Null)).unwrap();
    assert!(null.get("key_base64").is_none());
    let headers = records.iter().flat_map(|record| record["headers"].as_array().unwrap());
    assert!(headers.clone().any(|header| header["value"].is_null()));
    assert!(headers.clone().any(|header| header["value"] == ""));
}
