//! The command as its users meet it: exit statuses, folders, offsets, faults, memory.

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use common::{batch, command, folder, run, segment};
use serde_json::Value;

#[test]
fn the_table_is_as_it_was() {
    let path = segment("java_txn-15.log");
    let plain = run(&["--records", &path]);
    let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected/java_txn-15.txt");
    let got = plain.out.replace(&path, "java_txn-15.log");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::write(&expected, &got).unwrap();
    }
    assert_eq!(got, fs::read_to_string(expected).unwrap());
    assert_eq!((plain.status, plain.err.as_str()), (Some(0), ""));

    let path = segment("java_txn-0.log");
    let plain = run(&["--records", &path]);
    let coloured = run(&["--records", "--color", "always", &path]).out;
    let mut stripped = String::new();
    for piece in coloured.split('\x1b') {
        stripped += piece.strip_prefix('[').map_or(piece, |rest| rest.split_once('m').unwrap().1);
    }
    assert!(coloured.contains("\x1b[") && !plain.out.contains('\x1b'));
    assert_eq!(stripped, plain.out);
}

#[test]
fn statuses_tell_scripts_what_happened() {
    let good = segment("java_none-0.log");
    let folder = folder("statuses");
    let (bad, cut) = (folder.join("bad.log"), folder.join("cut.log"));
    let mut bytes = fs::read(&good).unwrap();
    fs::write(&cut, &bytes[..bytes.len() - 1]).unwrap();
    bytes[70] ^= 1;
    fs::write(&bad, &bytes).unwrap();
    let (bad, cut) = (bad.to_str().unwrap(), cut.to_str().unwrap());

    for options in [&[][..], &["--verify"], &["--json"], &["--json", "--verify"]] {
        let status = |paths: &[&str]| run(&[options, paths].concat()).status;
        assert_eq!(status(&[&good]), Some(0), "{options:?}");
        assert_eq!(status(&[cut]), Some(0), "{options:?}");
        assert_eq!(status(&[bad]), Some(1), "{options:?}");
        assert_eq!(status(&[bad, &good]), Some(1), "{options:?}");
        assert_eq!(status(&["no such file", bad]), Some(2), "{options:?}");
    }
    assert_eq!(run::<&str>(&[]).status, Some(2));
    assert_eq!(run(&["--no-such-option", &good]).status, Some(2));
    assert_eq!(run(&["--max-batch-bytes", "0", &good]).status, Some(2));
    let empty = run(&[folder.parent().unwrap().join("statuses/nothing").to_str().unwrap()]);
    assert_eq!(empty.status, Some(2));
    assert!(empty.err.contains("nothing"), "{}", empty.err);
    // What can be read is printed even so.
    let mixed = run(&["no such file", &good]);
    assert!(mixed.out.contains("CRC") && mixed.err.contains("no such file"));
}

#[test]
fn a_flipped_bit_is_named_by_its_bytes_and_offsets() {
    let (first, second, third) = (batch(0, 3, 50), batch(3, 4, 60), batch(7, 2, 10));
    let mut segment = [&first[..], &second, &third].concat();
    segment[first.len() + 100] ^= 0x10;
    let path = folder("flipped").join("flipped.log");
    fs::write(&path, &segment).unwrap();
    let name = path.to_str().unwrap();

    let run_text = run(&["--verify", name]);
    let last = first.len() + second.len() - 1;
    let range = format!("{name}: bytes {}-{last}, offsets 3-6: CRC_MISMATCH", first.len());
    assert!(run_text.out.starts_with(&range), "{}", run_text.out);
    assert!(run_text.out.contains("read on at offset 7"), "{}", run_text.out);
    assert_eq!(run_text.out.lines().count(), 2);
    assert_eq!(run_text.status, Some(1));

    let (lines, end) = run(&["--verify", "--json", name]).lines();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["position"], first.len());
    assert_eq!(lines[0]["size"], second.len());
    assert_eq!((&lines[0]["base_offset"], &lines[0]["last_offset"]), (&3.into(), &6.into()));
    let error = &lines[0]["error"];
    assert_eq!((&error["code"], &error["number"]), (&"CRC_MISMATCH".into(), &(-101).into()));
    assert_eq!(error["position"], first.len() + 17);
    assert_eq!(error["next_offset"], 7);
    assert_eq!((&end["faults"], &end["tail"]), (&1.into(), &"none".into()));

    // The batches around it are read, and show their records while it shows none.
    let (lines, _) = run(&["--json", "--records", name]).lines();
    let counts = lines.iter().map(|line| line["records"].as_array().map(Vec::len));
    assert_eq!(counts.collect::<Vec<_>>(), [Some(3), None, Some(2)]);
    assert_eq!(lines[1]["crc_ok"], false);
}

#[test]
fn a_corrupt_tail_is_a_fault_and_others_are_not() {
    let folder = folder("tails");
    let good = batch(0, 3, 50);
    let mut zeros_then_more = [good.clone(), vec![0; 3 << 20]].concat();
    *zeros_then_more.last_mut().unwrap() = 1;
    let mut unknown_magic = batch(3, 1, 5);
    unknown_magic[16] = 9;
    unknown_magic.pop();
    let cases: [(&str, Vec<u8>, &str, i32); 6] = [
        ("none", good.clone(), "none", 0),
        ("cut", [&good[..], &batch(3, 1, 5)[..40]].concat(), "partial", 0),
        ("zeros", [good.clone(), vec![0; 3 << 20]].concat(), "zeros", 0),
        ("zeros then more", zeros_then_more, "corrupt", 1),
        ("rubbish", [&good[..], &[0xff; 40]].concat(), "corrupt", 1),
        ("cut batch of no magic", [good.clone(), unknown_magic].concat(), "corrupt", 1),
    ];
    for (name, bytes, tail, status) in cases {
        let path = folder.join("tail.log");
        fs::write(&path, &bytes).unwrap();
        let path = path.to_str().unwrap();
        let run = run(&["--json", path]);
        let (lines, end) = run.lines();
        assert_eq!((lines.len(), run.status), (1, Some(status)), "{name}");
        assert_eq!(end["tail"], tail, "{name}");
        assert_eq!(end["end"], good.len(), "{name}");
        assert_eq!(end["file_size"], bytes.len(), "{name}");
        assert_eq!(end.get("error").is_some(), status == 1, "{name}");
        let needed = if tail == "partial" { batch(3, 1, 5).len().into() } else { Value::Null };
        assert_eq!(end["needed"], needed, "{name}");
        let text = common::run(&["--verify", path]).out;
        let range = format!("bytes {}-{}, offsets from 3: ", good.len(), bytes.len() - 1);
        assert_eq!(text.contains(&range), status == 1, "{name}: {text}");
    }
}

#[test]
fn a_folder_is_read_in_offset_order_and_checked() {
    let folder = folder("topic-0");
    let write = |base: i64, batches: &[Vec<u8>]| {
        fs::write(folder.join(format!("{base:020}.log")), batches.concat()).unwrap();
    };
    write(100, &[batch(100, 5, 10)]);
    write(0, &[batch(0, 10, 10), batch(10, 90, 10)]);
    write(9, &[]);
    fs::write(folder.join("00000000000000000000.index"), [0; 8]).unwrap();
    fs::write(folder.join("leader-epoch-checkpoint"), "0").unwrap();
    let name = folder.to_str().unwrap().to_owned();

    let ends = |args: &[&str]| -> Vec<Value> {
        let run = run(&[args, &["--json", &name]].concat());
        let lines = run.out.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.filter(|line: &Value| line.get("tail").is_some()).collect()
    };
    let all = ends(&[]);
    let bases: Vec<_> =
        all.iter().map(|end| end["segment_base_offset"].as_i64().unwrap()).collect();
    assert_eq!(bases, [0, 9, 100]);
    assert!(all.iter().all(|end| end["file"].as_str().unwrap().starts_with(&name)));
    assert!(all.iter().all(|end| end["faults"] == 0), "{all:?}");
    // A segment that the next one's name says is over is not opened.
    assert_eq!(ends(&["--from-offset", "100"]).len(), 1);
    assert_eq!(ends(&["--from-offset", "99"]).len(), 2);

    write(9, &[batch(8, 1, 1)]);
    write(100, &[batch(99, 5, 10)]);
    let faulty = ends(&[]);
    let flags =
        |name: &str| -> Vec<_> { faulty.iter().map(|end| end[name].as_bool().unwrap()).collect() };
    assert_eq!(flags("below_base_offset"), [false, true, true]);
    assert_eq!(flags("overlaps_previous"), [false, true, false]);
    let text = run(&["--verify", &name]);
    assert!(text.out.contains("the first offset 99 is below the file name's 100"), "{}", text.out);
    assert!(text.out.contains("the first offset 8 is below 100, where"), "{}", text.out);
    assert_eq!(text.status, Some(1));
}

#[test]
fn reading_starts_at_an_offset() {
    for name in ["java_zstd-0.log", "mixed_magic-0.log", "java_none-0.log"] {
        let path = segment(name);
        let (all, _) = run(&["--json", "--records", &path]).lines();
        let records = |batches: &[Value]| -> Vec<Value> {
            let records = batches.iter().map(|batch| batch["records"].as_array().unwrap());
            records.flatten().cloned().collect()
        };
        let all = records(&all);
        for from in [0, 1, 20, 47, 74, 100_000] {
            let from_text = from.to_string();
            let args = ["--json", "--records", "--from-offset", &from_text, &path];
            let (batches, _) = run(&args).lines();
            assert!(batches.iter().all(|batch| batch["last_offset"].as_i64().unwrap() >= from));
            let want = all.iter().filter(|record| record["offset"].as_i64().unwrap() >= from);
            assert_eq!(records(&batches), want.cloned().collect::<Vec<_>>(), "{name} from {from}");
        }
    }
}

#[test]
fn a_batch_above_the_limit_is_passed_over() {
    let batches = [batch(0, 1, 10), batch(1, 9, 300_000), batch(10, 2, 10)];
    let path = folder("large").join("large.log");
    fs::write(&path, batches.concat()).unwrap();
    let path = path.to_str().unwrap();
    let run_limited = run(&["--json", "--records", "--max-batch-bytes", "1MiB", path]);
    let (lines, end) = run_limited.lines();
    assert_eq!(lines.len(), 3);
    let error = &lines[1]["error"];
    assert_eq!(error["code"], "LIMIT_BATCH_BYTES");
    assert_eq!(
        (&error["expected"], &error["actual"]),
        (&(1 << 20).into(), &batches[1].len().into())
    );
    assert_eq!((&lines[1]["base_offset"], &error["next_offset"]), (&1.into(), &10.into()));
    assert_eq!((&lines[1]["declared_count"], &lines[1]["crc_ok"]), (&9.into(), &Value::Null));
    assert_eq!(lines[2]["records"].as_array().unwrap().len(), 2);
    assert_eq!(end["end"], batches.concat().len());
    assert_eq!(run_limited.status, Some(1));
    assert_eq!(run(&["--json", path]).status, Some(0));

    // Cut, it is a cut batch as any other.
    let cut = &batches.concat()[..batches[0].len() + 2_000_000];
    let run = common::run_piped(&["--json", "--max-batch-bytes", "1MiB", "-"], cut);
    let (lines, end) = run.lines();
    assert_eq!((lines.len(), run.status), (1, Some(0)));
    assert_eq!((&end["tail"], &end["needed"]), (&"partial".into(), &batches[1].len().into()));
    assert_eq!((&end["end"], &end["file_size"]), (&batches[0].len().into(), &cut.len().into()));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_fault() {
    let mut child = command()
        .args(["--json", "--records", &segment("java_wide-0.log")])
        .args([&segment("cluster_metadata-0.log"); 20])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(line.starts_with('{'));
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn help_says_what_it_is_for() {
    let help = run(&["--help"]);
    assert_eq!(help.status, Some(0));
    for words in ["kafka-dump-log", "JSON", "no JVM", "Exit status", "bounded memory"] {
        assert!(help.out.contains(words), "{words}");
    }
}

/// Files far larger than the memory that the command is given. In KiB.
#[cfg(target_os = "linux")]
const MEMORY: &str = "131072";

#[cfg(target_os = "linux")]
#[test]
fn large_files_are_read_in_little_memory() {
    let folder = folder("memory");
    let (sparse, full) = (folder.join("sparse.log"), folder.join("full.log"));
    let head = batch(0, 1000, 1000);
    let file = fs::File::create(&sparse).unwrap();
    (&file).write_all(&head).unwrap();
    file.set_len(300 << 20).unwrap();
    let mut file = fs::File::create(&full).unwrap();
    for _ in 0..200 {
        file.write_all(&head).unwrap();
    }
    for (path, tail) in [(sparse, "zeros"), (full, "none")] {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {MEMORY} && exec \"$0\" --verify --json \"$1\"")]);
        let output = shell.arg(env!("CARGO_BIN_EXE_kcodec-inspect")).arg(&path).output().unwrap();
        let run = common::Run::of(&output);
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{}", path.display());
        let (_, end) = run.lines();
        assert_eq!(end["tail"], tail);
        assert_eq!(end["file_size"], fs::metadata(&path).unwrap().len());
        fs::remove_file(path).unwrap();
    }
}
