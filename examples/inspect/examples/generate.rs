//! Writes a segment of any size, to measure with:
//!
//! ```text
//! cargo run --release -p kcodec-inspect --example generate -- FILE BYTES
//! ```

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use kcodec::{BatchBuilder, BatchParams, Codec, Header};

/// Some day in November 2023, and a record each millisecond from there.
const START: i64 = 1_700_000_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: usize| args.get(i).map_or(Ok(default), |text| text.parse());
    let path = args.first().ok_or("usage: generate FILE BYTES [VALUE_BYTES] [RECORDS] [CODEC]")?;
    let (bytes, value_bytes) = (number(1, 2 << 30)?, number(2, 100)?);
    let records = number(3, 150)?;
    let name = args.get(4).map_or("none", String::as_str);
    let codec = Codec::from_name(name).ok_or("no such codec")?;

    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut builder = BatchBuilder::new(BatchParams { codec, ..BatchParams::default() })?;
    let (mut written, mut offset) = (0, 0);
    while written < bytes {
        builder.reset(BatchParams { codec, base_offset: offset, ..BatchParams::default() })?;
        for _ in 0..records {
            let (key, mut value) = (offset.to_string(), Vec::with_capacity(value_bytes + 32));
            while value.len() < value_bytes {
                write!(value, "{{\"order\":{offset},\"city\":\"Lisboa\"}} ")?;
            }
            let headers = [Header { key: b"trace", value: Some(b"0123456789abcdef") }];
            let headers = if offset % 3 == 0 { &headers[..] } else { &[] };
            builder.push(
                START + offset,
                Some(key.as_bytes()),
                Some(&value[..value_bytes]),
                headers,
            )?;
            offset += 1;
        }
        let batch = builder.finish()?;
        out.write_all(batch)?;
        written += batch.len();
    }
    out.flush()?;
    println!("{path}: {written} bytes, {offset} records, {codec}");
    Ok(())
}
