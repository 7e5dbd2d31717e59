//! Inputs that broke other codecs: every case prints what it holds or names its fault.

mod common;

use common::{Run, vectors};
use data_encoding::{BASE64, HEXLOWER};
use serde_json::{Value, json};

const LIMIT: &str = "16777216";

/// Enough for what a batch of [`LIMIT`] needs, and far from what a bomb asks for. In KiB.
const MEMORY: &str = "262144";

/// Runs under a bound on memory, so that taking more fails instead of being measured.
fn run_bounded(path: &str) -> Run {
    let options = ["--json", "--records", "--base64"];
    let limits = ["--max-batch-bytes", LIMIT, "--max-total-bytes", LIMIT];
    let mut command = if cfg!(target_os = "linux") {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {MEMORY} && exec \"$0\" \"$@\"")]);
        shell.arg(env!("CARGO_BIN_EXE_kcodec-inspect"));
        shell
    } else {
        common::command()
    };
    Run::of(&command.args(options).args(limits).arg(path).output().unwrap())
}

fn hex(base64: &Value) -> Value {
    match base64.as_str() {
        Some(text) => HEXLOWER.encode(&BASE64.decode(text.as_bytes()).unwrap()).into(),
        None => Value::Null,
    }
}

/// The record as the manifest writes it.
fn flat(record: &Value) -> Value {
    let headers = record["headers"].as_array().unwrap().iter().map(|header| {
        let key = match header["key"].as_str() {
            Some(text) => HEXLOWER.encode(text.as_bytes()).into(),
            None => hex(&header["key_base64"]),
        };
        json!([key, hex(&header["value_base64"])])
    });
    json!({
        "offset": record["offset"],
        "timestamp": record["timestamp"],
        "key": hex(&record["key_base64"]),
        "value": hex(&record["value_base64"]),
        "headers": headers.collect::<Vec<_>>(),
    })
}

fn records(batch: &Value) -> &[Value] {
    batch["records"].as_array().map_or(&[], Vec::as_slice)
}

fn check(case: &Value, run: &Run) {
    let (id, expected) = (&case["id"], &case["expected"]);
    let outcome = expected["outcome"].as_str().unwrap();
    assert!(run.status.is_some() && run.err.is_empty(), "{id}: {run:?}");
    let (batches, end) = run.lines();
    let errors: Vec<_> =
        batches.iter().chain([&end]).filter_map(|line| line.get("error")).collect();
    assert_eq!(run.status, Some(i32::from(!errors.is_empty())), "{id}: {errors:?}");
    let data = batches.iter().filter(|batch| batch["control"] != true);
    let got: Vec<_> = data.flat_map(records).map(flat).collect();
    let want = expected["records"].as_array();

    if let "reject" | "bomb" = outcome {
        let error = errors.first().unwrap_or_else(|| panic!("{id}: no error"));
        let code = error["code"].as_str().unwrap();
        assert!(code.starts_with("LIMIT_") || outcome == "reject", "{id}: {error}");
        assert!(error["number"].as_i64().unwrap() <= -100, "{id}: {error}");
        let want = want.map_or(&[][..], Vec::as_slice);
        assert!(got.starts_with(want) && (!want.is_empty() || got.is_empty()), "{id}: {got:?}");
        return;
    }
    assert!(errors.is_empty(), "{id}: {errors:?}");
    if let Some(want) = want {
        assert_eq!(&got, want, "{id}");
    }
    if let (Some(next), Some(last)) = (expected.get("next_offset"), batches.last()) {
        assert_eq!(&last["next_offset"], next, "{id}");
    }
    let tail = end["tail"].as_str().unwrap();
    assert_eq!(matches!(tail, "partial" | "zeros"), outcome == "partial", "{id}: {tail}");
    let check = &expected["check"];
    for (name, field) in
        [("delete_horizon_ms", "delete_horizon"), ("last_sequence", "last_sequence")]
    {
        if let Some(want) = check.get(name) {
            assert_eq!(&batches[0][field], want, "{id}");
        }
    }
    if let Some(want) = check.get("control") {
        let control = batches.iter().filter(|batch| batch["control"] == true).flat_map(records);
        let control = control.map(|record| json!([record["offset"], record["control_type"]]));
        assert_eq!(&Value::from(control.collect::<Vec<_>>()), want, "{id}");
    }
}

#[test]
fn every_case_has_its_outcome() {
    let folder = vectors("cases");
    let manifest = std::fs::read_to_string(folder.join("manifest.json")).unwrap();
    let manifest: Vec<Value> = serde_json::from_str(&manifest).unwrap();
    let mut seen = 0;
    for case in manifest.iter().filter(|case| case["input"] == "records") {
        // Adds up over the batches of one call, while this command delivers each before the next.
        if case["id"] == "B099a" {
            continue;
        }
        check(case, &run_bounded(folder.join(case["file"].as_str().unwrap()).to_str().unwrap()));
        seen += 1;
    }
    assert!(seen >= 101, "{seen} cases");
}

#[test]
fn the_total_is_counted_over_all_batches() {
    // 40 batches of a little more than 8 MiB.
    let run = run_bounded(vectors("cases").join("B099a_bomb_many_small.bin").to_str().unwrap());
    let (batches, _) = run.lines();
    assert_eq!(batches[0].get("error"), None);
    assert_eq!(batches.len(), 40);
    for batch in &batches[1..] {
        assert_eq!(batch["error"]["code"], "LIMIT_TOTAL_BYTES");
        assert_eq!(batch["error"]["expected"], 16_777_216);
        assert_eq!(batch["error"]["next_offset"], batch["next_offset"]);
        assert_eq!(batch["records"], Value::Null);
    }
    assert_eq!(run.status, Some(1));
}
