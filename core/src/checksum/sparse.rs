//! CRC-32C where the processor has no instruction for it and cannot multiply without carries: WebAssembly.
//!
//! A checksum is the remainder of the message, read as a polynomial over GF(2), after division by the
//! polynomial P of the CRC. Adding a multiple of P anywhere in the message leaves it as it is. Of all
//! multiples with six terms,
//!
//! ```text
//! 1 + y^14 + y^39 + y^54 + y^144 + y^209
//! ```
//!
//! has the lowest degree, for y = x. Since squaring a polynomial over GF(2) squares its terms, it is a multiple
//! for y = x^8 and for y = x^128 as well: a shift by one byte and by 16. Adding it strikes off a y, at the price
//! of adding that to those 65, 155, 170, 195 and 209 places on. None that is struck off depends on one less than
//! 65 before it, so they are done 64 bytes at once, with nothing but exclusive or.
//!
//! What is left in the end are the last 209 places, which have the checksum of the whole message. With a y of
//! 16 bytes that is much, but every load finds what one store wrote, and long before; with one of a byte,
//! loads straddle stores that are still on their way, which takes twice the time. So long messages are first
//! cut down by the former, then by the latter, and a table does the rest.

use super::table;

/// How many places on a y is added when it is struck off.
const PLACES: [usize; 5] = [65, 155, 170, 195, 209];
/// The farthest of them.
const SPAN: usize = 209;
/// Bytes that are struck off at once: at most the nearest place of the smaller y.
const STEP: usize = 64;

/// The larger and the smaller y, in bytes.
const VECTOR: usize = 16;
const BYTE: usize = 1;
/// For each, the bytes between two moves of the last places to the start of the buffer.
const VECTOR_BLOCK: usize = 64 * STEP;
const BYTE_BLOCK: usize = 8 * STEP;

/// Lengths from which on each pays, its last places taken into account.
const WORTH_VECTOR: usize = 8192;
const WORTH_BYTE: usize = 512;

pub(super) fn append(seed: u32, data: &[u8]) -> u32 {
    if data.len() < WORTH_BYTE {
        return table::append(seed, data);
    }
    let mut left = [0; SPAN * VECTOR + STEP];
    let (mut register, mut data) = (!seed, data);
    if data.len() >= WORTH_VECTOR {
        let mut struck = [0; SPAN * VECTOR + VECTOR_BLOCK];
        data = strike_off::<VECTOR>(register, data, &mut struck, &mut left);
        register = 0;
    }
    let mut struck = [0; SPAN * BYTE + BYTE_BLOCK];
    let mut last = [0; SPAN * BYTE + STEP];
    data = strike_off::<BYTE>(register, data, &mut struck, &mut last);
    table::append(u32::MAX, data)
}

/// Strikes off the start of a message, and returns the rest with what that added to it, in `left`. Going on
/// from the state `register` is the same as starting from 0 with other first bytes.
///
/// `struck` has room for the last places, all 0 before the message, and for a block.
fn strike_off<'l, const Y: usize>(
    register: u32,
    data: &[u8],
    struck: &mut [u8],
    left: &'l mut [u8],
) -> &'l [u8] {
    // All that is added must land inside of the message.
    let end = data.len().saturating_sub(SPAN * Y) / STEP * STEP;
    let (head, rest) = data.split_at_checked(end).unwrap_or((&[], data));
    let left = left.get_mut(..rest.len()).unwrap_or_default();
    left.copy_from_slice(rest);

    let mut seed = [0; STEP];
    seed.iter_mut().zip(register.to_le_bytes()).for_each(|(to, byte)| *to = byte);
    let mut steps = head.as_chunks::<STEP>().0;
    if let Some((first, others)) = steps.split_first() {
        seed.iter_mut().zip(first).for_each(|(to, byte)| *to ^= byte);
        block::<Y>(struck, &[seed]);
        steps = others;
    }
    let in_block = struck.len().saturating_sub(SPAN * Y) / STEP;
    steps.chunks(in_block.max(1)).for_each(|steps| block::<Y>(struck, steps));

    for place in PLACES {
        let added = struck.get(SPAN.saturating_sub(place).saturating_mul(Y)..SPAN * Y);
        left.iter_mut().zip(added.unwrap_or_default()).for_each(|(to, byte)| *to ^= byte);
    }
    left
}

/// Strikes off a block.
fn block<const Y: usize>(struck: &mut [u8], steps: &[[u8; STEP]]) {
    let mut end = 0usize;
    for bytes in steps {
        if let Some((before, after)) = struck
            .get_mut(end..)
            .and_then(|struck| struck.get_mut(..SPAN * Y + STEP)?.split_at_mut_checked(SPAN * Y))
        {
            step::<Y>(before, after, bytes);
        }
        end = end.saturating_add(STEP);
    }
    struck.copy_within(end..end.saturating_add(SPAN * Y), 0);
}

/// Strikes off `bytes`, given what was struck off at the places before.
#[inline(always)]
fn step<const Y: usize>(before: &[u8], after: &mut [u8], bytes: &[u8; STEP]) {
    let added = PLACES.map(|place| {
        let from = before.get(SPAN.saturating_sub(place).saturating_mul(Y)..);
        let from = from.and_then(<[u8]>::first_chunk::<STEP>).unwrap_or(&[0; STEP]);
        from.as_chunks::<8>().0
    });
    let words = after.as_chunks_mut::<8>().0.iter_mut().zip(bytes.as_chunks::<8>().0);
    for (index, (to, from)) in words.enumerate() {
        let word = added
            .iter()
            .filter_map(|added| added.get(index))
            .fold(u64::from_ne_bytes(*from), |word, added| word ^ u64::from_ne_bytes(*added));
        *to = word.to_ne_bytes();
    }
}
