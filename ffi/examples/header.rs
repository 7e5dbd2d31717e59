//! Puts together `kcodec.h`: `cbindgen ... | cargo run --example header > kcodec.h`.
//!
//! cbindgen declares what it sees in the sources. It cannot see the numbers of the faults, which a macro
//! makes, nor the layout that the compiler chose; both are written from the values themselves. The list of
//! fields of each struct below is complete or does not compile.

use std::io::{Read, Write, stdin, stdout};
use std::mem::offset_of;

use kcodec_core::{BatchRow, ErrorKind, HeaderRow, RecordRow};

#[allow(dead_code, unreachable_pub, non_camel_case_types, reason = "the library has the rest")]
#[path = "../src/types.rs"]
mod types;
use types::*;

/// Titles, each above the first function that it is about.
const SECTIONS: [(&str, &str); 8] = [
    ("kcodec_abi", "Which library this is"),
    ("kcodec_status_name", "Texts"),
    ("kcodec_decoder_new", "Decode: a buffer becomes tables"),
    ("kcodec_scan", "Headers only, and validation"),
    ("kcodec_control_type", "Transactions"),
    ("kcodec_encoder_new", "Encode: from the same rows, or record by record"),
    ("kcodec_assign_offsets", "Restamp a batch in place"),
    ("kcodec_compress_bound", "Codecs and checksums by themselves"),
];

fn main() -> std::io::Result<()> {
    let mut declarations = String::new();
    stdin().read_to_string(&mut declarations)?;
    let header = include_str!("../kcodec.h.in")
        .replace("@ERRORS@", &errors())
        .replace("@DECLARATIONS@", &in_c_style(&declarations))
        .replace("@LAYOUT@", &layout());
    let header = header.replace('−', "-").replace('…', "...").replace('²', "^2").replace('⁴', "^4");
    assert!(header.is_ascii(), "not all compilers read anything else the same way");
    stdout().write_all(header.as_bytes())
}

fn errors() -> String {
    let define = |kind: &ErrorKind| {
        format!("#define KCODEC_E_{} ({}) /* {} */", kind.name(), kind.number(), kind.message())
    };
    ErrorKind::ALL.iter().map(define).collect::<Vec<_>>().join("\n")
}

/// Takes out what is Rust's: links in comments, constants of the core's structs.
fn in_c_style(declarations: &str) -> String {
    let mut out = String::new();
    let mut comment = String::new();
    for line in declarations.lines() {
        if line.starts_with("//") {
            comment.push_str(&format!("{}\n", unlinked(line)));
            continue;
        }
        if !line.starts_with("#define") || line.starts_with("#define KCODEC_") {
            if let Some((_, title)) = SECTIONS.iter().find(|(name, _)| declares(line, name)) {
                out.push_str(&format!("/* ---- {title} ---- */\n\n"));
            }
            out.push_str(&format!("{comment}{}\n", unlinked(line)));
        }
        comment.clear();
    }
    while out.contains("\n\n\n") {
        out = out.replace("\n\n\n", "\n\n");
    }
    out.trim().to_owned()
}

fn declares(line: &str, name: &str) -> bool {
    line.split_once('(').is_some_and(|(start, _)| start.ends_with(name) && !line.starts_with(' '))
}

/// ``[`X`](Self::X)`` becomes `` `KCODEC_BATCH_X` ``: only the rows of batches have such constants.
fn unlinked(line: &str) -> String {
    let mut parts = line.split("](Self::");
    let named = |part: &str| part.replacen("[`", "`KCODEC_BATCH_", 1);
    let mut out = parts.next().map(named).unwrap_or_default();
    for part in parts {
        out.push_str(&part.split_once(')').map(|(_, after)| named(after)).unwrap_or_default());
    }
    out
}

macro_rules! assertions {
    ($($name:ident = $type:ident { $($field:ident),* $(,)? })*) => {
        [$({
            let _ = |$type { $($field: _),* }: $type| {};
            let mut lines = format!(
                "KCODEC_ASSERT_SIZE({}, {});\n", stringify!($name), size_of::<$type>()
            );
            $(lines.push_str(&format!(
                "KCODEC_ASSERT_FIELD({}, {}, {});\n",
                stringify!($name), stringify!($field), offset_of!($type, $field)
            ));)*
            lines
        }),*].concat()
    };
}

fn layout() -> String {
    let everywhere = assertions! {
        kcodec_batch = BatchRow {
            base_offset, base_timestamp, max_timestamp, producer_id, position, length, segment,
            first_record, record_count, declared_count, last_offset_delta, leader_epoch,
            base_sequence, crc, status, producer_epoch, attributes, magic, codec, flags, reserved,
        }
        kcodec_record = RecordRow {
            offset, timestamp, key_pos, key_len, value_pos, value_len, first_header, header_count,
        }
        kcodec_header = HeaderRow { key_pos, key_len, value_pos, value_len }
        kcodec_error = kcodec_error {
            code, codec, flags, batch, record, position, expected, actual, base_offset, next_offset,
        }
        kcodec_limits = kcodec_limits { max_batch_bytes, max_total_bytes, max_records, max_headers }
        kcodec_aborted = kcodec_aborted { first_offset, producer_id }
    };
    let with_pointers = assertions! {
        kcodec_slice = kcodec_slice { data, len }
        kcodec_records = kcodec_records {
            segments, segment_count, batches, batch_count, records, record_count, headers,
            header_count, faults, fault_count, consumed, needed, tail, reserved,
        }
        kcodec_decode_options = kcodec_decode_options { size, flags, limits, reserved }
        kcodec_encode_options = kcodec_encode_options { size, flags, reserved }
        kcodec_batch_params = kcodec_batch_params {
            size, flags, base_offset, producer_id, log_append_time, delete_horizon, level,
            last_offset_delta, leader_epoch, base_sequence, producer_epoch, unknown_attributes,
            magic, codec, padding, reserved,
        }
    };
    assert_eq!(size_of::<usize>(), 8, "the header is made on a 64-bit machine");
    format!("{everywhere}#if UINTPTR_MAX == UINT64_MAX\n{with_pointers}#endif")
}
