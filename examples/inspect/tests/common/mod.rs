//! Running the built command.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test uses a part of this")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use kcodec::{BatchBuilder, BatchParams};
use serde_json::Value;

/// A folder of the data that all languages share.
pub fn vectors(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(folder)
}

/// A segment of that data, by name.
pub fn segment(name: &str) -> String {
    vectors("segments").join(name).to_str().unwrap().to_owned()
}

/// An empty folder for one test.
pub fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

pub fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_kcodec-inspect"))
}

pub fn run<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Run {
    Run::of(&command().args(args).output().unwrap())
}

/// Runs with `input` on standard input, from a pipe that gives it in pieces.
pub fn run_piped(args: &[&str], input: &[u8]) -> Run {
    let (input, pipe) = (input.to_vec(), Stdio::piped);
    let mut command = command();
    let mut child = command.args(args).stdin(pipe()).stdout(pipe()).stderr(pipe()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        for piece in input.chunks(1000) {
            stdin.write_all(piece).unwrap();
        }
    });
    let run = Run::of(&child.wait_with_output().unwrap());
    writer.join().unwrap();
    run
}

/// What a run printed.
#[derive(Debug, PartialEq)]
pub struct Run {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Run {
    pub fn of(output: &Output) -> Run {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Run { status: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// The lines of JSON, the last one apart.
    pub fn lines(&self) -> (Vec<Value>, Value) {
        let lines = self.out.lines().map(|line| serde_json::from_str(line).unwrap());
        let mut lines: Vec<Value> = lines.collect();
        let end = lines.pop().unwrap_or_else(|| panic!("nothing printed: {self:?}"));
        (lines, end)
    }
}

/// A batch of `count` records of `value_bytes` bytes each, starting at `base_offset`.
pub fn batch(base_offset: i64, count: usize, value_bytes: usize) -> Vec<u8> {
    let mut builder =
        BatchBuilder::new(BatchParams { base_offset, ..BatchParams::default() }).unwrap();
    let value = vec![b'v'; value_bytes];
    for _ in 0..count {
        builder.push(1_700_000_000_000, None, Some(&value), &[]).unwrap();
    }
    builder.finish().unwrap().to_vec()
}
