//! The library: its three ways to read a record set, its two ways to write one.

mod read;
mod write;

use cases::{CASES, Codec, LARGE};

fn main() {
    let mut ops = Vec::new();
    for case in CASES {
        ops.extend(read::plain(case));
        ops.extend(write::plain(case));
    }
    for codec in Codec::PACKED {
        ops.push(read::packed(LARGE, codec));
        ops.push(write::packed(LARGE, codec));
    }
    ops.extend(read::batches());
    cases::main(ops);
}
