//! What no codec of record sets gets below: the bytes copied, checksummed, compressed and decompressed,
//! by the same back ends, with the same contexts kept from run to run, and nothing else done to them.

mod compress;
mod decompress;

use std::hint::black_box;

use cases::batch::CRC_START;
use cases::{CASES, Case, Codec, Op};

fn main() {
    let memory = CASES.iter().flat_map(memory);
    cases::main(memory.chain(decompress::ops()).chain(compress::ops()).collect());
}

/// Copying a batch to a place that is there already, and checksumming it.
fn memory(&case: &Case) -> [Op; 3] {
    let group = format!("memory/{}", case.name);
    let copy = Op::new(&group, "memcpy", move || {
        let batch = case.batch(Codec::None);
        let mut to = vec![0; batch.len()];
        move || black_box(&mut to[..]).copy_from_slice(black_box(&batch))
    });
    let fast = Op::new(&group, "crc-fast", move || checksum(case, crc_fast::crc32_iscsi));
    let portable = Op::new(&group, "crc32c", move || checksum(case, crc32c::crc32c));
    [copy, fast, portable]
}

fn checksum(case: Case, of: fn(&[u8]) -> u32) -> impl FnMut() {
    let batch = case.batch(Codec::None);
    let (before, covered) = batch.split_at(CRC_START);
    assert_eq!(before.last_chunk(), Some(&of(covered).to_be_bytes()));
    move || {
        black_box(of(black_box(&batch[CRC_START..])));
    }
}
