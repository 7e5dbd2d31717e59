//! The C ABI of kcodec: what `kcodec.h` declares and `libkcodec` exports.
//!
//! `docs/abi.md` has the rules; this crate keeps them. Every exported function checks its arguments, calls
//! the core and stores the result. Three files carry what they share: [`boundary`] turns faults and panics
//! into a status and lends a handle to one call at a time, [`pointer`] turns what C passes into slices and
//! references, [`types`] holds the structs. All unsafe code of the workspace's library is in this crate.
//!
//! Functions are documented for readers of the header, which is generated from here.

#![deny(unsafe_op_in_unsafe_fn)]
#![deny(missing_docs)]
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]
#![allow(non_camel_case_types, reason = "the names of C")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the rules of the ABI are the same for all functions"
)]
#![allow(clippy::multiple_unsafe_ops_per_block, reason = "one block takes a call's arguments")]
#![allow(clippy::too_many_arguments, reason = "C has no slices")]

mod boundary;
mod pointer;

// In the order of the header; the empty lines keep it.
pub mod types;

pub mod identity;

pub mod status;

pub mod decode;

pub mod scan;

pub mod control;

pub mod encode;

pub mod push;

pub mod restamp;

pub mod codec;
