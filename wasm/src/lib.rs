//! The raw exports under the npm package `kcodec`: numbers in, numbers out, bytes through memory.
//!
//! JavaScript asks for room ([`input`], [`rows`]), writes there, makes one call, and reads what the call left
//! from the [`View`], whose address never changes. Rows are those of the core, `repr(C)`, so that nothing is
//! translated on the way: the TypeScript beside this crate reads their columns through typed arrays. A call
//! that fails returns the number of its error and leaves a [`Fault`].
//!
//! An instance of the module is a decoder and an encoder with their memory. Nothing is freed one by one: who
//! wants the memory back drops the instance, which is also what happens after a trap. That is why the glue
//! that wasm-bindgen writes, which holds on to one instance for ever, is not part of the package.

mod decode;
mod encode;
mod fault;
mod state;
mod view;

pub use decode::{committed, decode, validate};
pub use encode::{Params, compress, decompress, encode, rows};
pub use fault::Fault;
pub use view::View;

use kcodec::Codec;
use state::state;
// Linked for what wasm-bindgen's command looks for in a module; it leaves nothing of it.
use wasm_bindgen as _;

/// The number of this set of exports and of the layouts behind it.
#[unsafe(no_mangle)]
pub extern "C" fn abi() -> u32 {
    1
}

/// Where calls leave what they have to say.
#[unsafe(no_mangle)]
pub extern "C" fn view() -> *const View {
    &raw const state().view
}

/// Room for `len` bytes of input, null if there is none. Holds what was written there before.
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> *mut u8 {
    let input = &mut state().input;
    if view::make_room(input, len, 0).is_err() {
        return core::ptr::null_mut();
    }
    input.as_mut_ptr()
}

/// The codecs that are built in: the bit of each one's number.
#[unsafe(no_mangle)]
pub extern "C" fn codecs() -> u32 {
    let built = Codec::ALL.into_iter().filter(|codec| codec.is_built());
    built.fold(0, |bits, codec| bits | 1 << codec as u32)
}

/// The CRC-32C of bytes that have the checksum `seed`, followed by `len` bytes of input.
#[unsafe(no_mangle)]
pub extern "C" fn crc32c(seed: u32, len: usize) -> u32 {
    kcodec::checksum::crc32c(seed, &state().input[..len])
}

/// The hash that Kafka's default partitioner takes of a key.
#[unsafe(no_mangle)]
pub extern "C" fn murmur2(len: usize) -> i32 {
    kcodec::murmur2(&state().input[..len])
}
