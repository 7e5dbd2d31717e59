//! Variable-length integers: base-128 groups, least significant first, high bit set while more follow.
//!
//! The signed forms map small magnitudes to few bytes (zigzag: 0, −1, 1, −2 … become 0, 1, 2, 3 …).
//! A record's lengths and offset delta are 32 bits wide and take 1 to 5 bytes, its timestamp delta is
//! 64 bits wide and takes 1 to 10. Kafka's `ByteUtils` reads over-long forms such as `80 00`, and so does
//! this; bits beyond the width, which Kafka drops in silence, are an error here.

use crate::error::ErrorKind;

/// The most bytes of a 32-bit varint.
pub const MAX_LEN_32: usize = 5;
/// The most bytes of a 64-bit varint.
pub const MAX_LEN_64: usize = 10;

const MORE: u8 = 0x80;
const GROUP: u32 = 7;

/// The unsigned form of a signed 32-bit value.
#[inline]
#[must_use]
pub const fn zigzag(value: i32) -> u32 {
    (value.wrapping_shl(1) ^ value.wrapping_shr(31)).cast_unsigned()
}

/// The unsigned form of a signed 64-bit value.
#[inline]
#[must_use]
pub const fn zigzag64(value: i64) -> u64 {
    (value.wrapping_shl(1) ^ value.wrapping_shr(63)).cast_unsigned()
}

/// The signed value of its unsigned form.
#[inline]
#[must_use]
pub const fn unzigzag(raw: u32) -> i32 {
    (raw.wrapping_shr(1) ^ (raw & 1).wrapping_neg()).cast_signed()
}

/// The signed 64-bit value of its unsigned form.
#[inline]
#[must_use]
pub const fn unzigzag64(raw: u64) -> i64 {
    (raw.wrapping_shr(1) ^ (raw & 1).wrapping_neg()).cast_signed()
}

/// How many bytes an unsigned varint takes.
///
/// ```
/// assert_eq!([0, 127, 128, 16_384].map(kcodec::varint::uvarint_len), [1, 1, 2, 3]);
/// ```
#[inline(always)]
#[must_use]
pub const fn uvarint_len(value: u64) -> usize {
    // Nearly all are of one byte or two, and a branch that is foreseen costs less than the division.
    if value < 0x80 {
        return 1;
    }
    if value < 0x4000 {
        return 2;
    }
    let bits = 64u32.saturating_sub(value.leading_zeros());
    bits.div_ceil(GROUP) as usize
}

/// How many bytes a signed 32-bit value takes.
#[inline]
#[must_use]
pub const fn varint_len(value: i32) -> usize {
    uvarint_len(zigzag(value) as u64)
}

/// How many bytes a signed 64-bit value takes.
#[inline]
#[must_use]
pub const fn varlong_len(value: i64) -> usize {
    uvarint_len(zigzag64(value))
}

/// Reads a varint of up to three bytes where four are left, which is nearly all of them: one look at the
/// length and one load serve three branches, and the rest can be out of line so that callers stay small.
#[inline(always)]
fn read_short(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let word = u32::from_le_bytes(*bytes.first_chunk::<4>()?);
    let group =
        |index: u32| word.wrapping_shr(index) & 0x7fu32.wrapping_shl(GROUP.wrapping_mul(index));
    let [a, b, c, _] = word.to_le_bytes();
    if a < MORE {
        Some((group(0), bytes.get(1..)?))
    } else if b < MORE {
        Some((group(0) | group(1), bytes.get(2..)?))
    } else if c < MORE {
        Some((group(0) | group(1) | group(2), bytes.get(3..)?))
    } else {
        None
    }
}

/// Reads an unsigned 32-bit varint and the bytes after it.
///
/// # Errors
/// [`ErrorKind::Truncated`] when the bytes end first, [`ErrorKind::Varint`] when it does not end within 5
/// bytes or has bits beyond the 32nd.
///
/// ```
/// assert_eq!(kcodec::varint::read_uvarint(&[0xac, 0x02, 9]), Ok((300, &[9][..])));
/// ```
#[inline(always)]
pub fn read_uvarint(bytes: &[u8]) -> Result<(u32, &[u8]), ErrorKind> {
    match read_short(bytes) {
        Some(short) => Ok(short),
        None => {
            let (value, rest) = read_long(bytes, MAX_LEN_32)?;
            let value = u32::try_from(value).map_err(|_| ErrorKind::Varint)?;
            Ok((value, rest))
        }
    }
}

/// Reads an unsigned 64-bit varint and the bytes after it.
///
/// # Errors
/// As [`read_uvarint`], with 10 bytes and 64 bits.
#[inline(always)]
pub fn read_uvarlong(bytes: &[u8]) -> Result<(u64, &[u8]), ErrorKind> {
    match read_short(bytes) {
        Some((value, rest)) => Ok((u64::from(value), rest)),
        None => read_long(bytes, MAX_LEN_64),
    }
}

/// Reads a signed 32-bit varint and the bytes after it.
///
/// # Errors
/// As [`read_uvarint`].
#[inline(always)]
pub fn read_varint(bytes: &[u8]) -> Result<(i32, &[u8]), ErrorKind> {
    let (raw, rest) = read_uvarint(bytes)?;
    Ok((unzigzag(raw), rest))
}

/// Reads a signed 64-bit varint and the bytes after it.
///
/// # Errors
/// As [`read_uvarlong`].
#[inline(always)]
pub fn read_varlong(bytes: &[u8]) -> Result<(i64, &[u8]), ErrorKind> {
    let (raw, rest) = read_uvarlong(bytes)?;
    Ok((unzigzag64(raw), rest))
}

#[inline(never)]
fn read_long(bytes: &[u8], max_len: usize) -> Result<(u64, &[u8]), ErrorKind> {
    let mut value = 0u64;
    let mut shift = 0u32;
    let mut rest = bytes;
    for _ in 0..max_len {
        let Some((byte, after)) = rest.split_first() else { return Err(ErrorKind::Truncated) };
        let group = u64::from(*byte & !MORE);
        let placed = group.wrapping_shl(shift);
        // Bits shifted out at the top are bits beyond the width.
        if placed.wrapping_shr(shift) != group {
            return Err(ErrorKind::Varint);
        }
        value |= placed;
        rest = after;
        if *byte < MORE {
            return Ok((value, rest));
        }
        shift = shift.saturating_add(GROUP);
    }
    Err(ErrorKind::Varint)
}

/// The first number of which the varint has more than three bytes.
pub(crate) const SHORT_END: u32 = 1 << (3 * GROUP);

/// The varint of a number before [`SHORT_END`] as a little-endian word, and how many bytes it takes.
#[inline(always)]
pub(crate) const fn short(value: u32) -> (u32, u32) {
    // The groups move apart by a bit each, and all but the last say that more follow.
    let (low, middle, high) = (value & 0x7f, (value & 0x3f80) << 1, (value & 0x1f_c000) << 2);
    if value < 1 << GROUP {
        (value, 1)
    } else if value < 1 << (2 * GROUP) {
        (low | middle | 0x80, 2)
    } else {
        (low | middle | high | 0x8080, 3)
    }
}

/// Writes an unsigned varint to the start of `to`, and returns its length.
///
/// The destination is a fixed array, so that the loop needs no bounds check that could fail.
#[inline]
pub(crate) fn write(mut value: u64, to: &mut [u8; MAX_LEN_64]) -> usize {
    let mut len = 0usize;
    for byte in to.iter_mut() {
        len = len.wrapping_add(1);
        // The low 7 bits only, by the mask.
        let group = (value & 0x7f).to_le_bytes()[0];
        value = value.wrapping_shr(GROUP);
        if value == 0 {
            *byte = group;
            break;
        }
        *byte = group | MORE;
    }
    len
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bits_beyond_the_width_are_refused() {
        assert_eq!(read_uvarint(&[0xff, 0xff, 0xff, 0xff, 0x7f]), Err(ErrorKind::Varint));
        assert_eq!(read_uvarint(&[0xff, 0xff, 0xff, 0xff, 0xff, 0x01]), Err(ErrorKind::Varint));
        assert_eq!(
            read_uvarlong(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x03]),
            Err(ErrorKind::Varint)
        );
        assert_eq!(read_uvarlong(&[0xff; 11]), Err(ErrorKind::Varint));
    }

    #[test]
    fn a_varint_that_stops_early_is_truncated() {
        for cut in 0..4 {
            assert_eq!(read_uvarint(&[0xff; 4][..cut]), Err(ErrorKind::Truncated));
        }
    }

    #[test]
    fn over_long_forms_are_read() {
        assert_eq!(read_uvarint(&[0x80, 0x00]), Ok((0, &[][..])));
        assert_eq!(read_uvarint(&[0x81, 0x80, 0x80, 0x80, 0x00]), Ok((1, &[][..])));
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(value: u64, narrow: u32, shift in 0u32..64) {
            for value in [value >> shift, u64::from(narrow) >> (shift & 31)] {
                let mut bytes = [0; MAX_LEN_64];
                let len = write(value, &mut bytes);
                prop_assert_eq!(len, uvarint_len(value));
                prop_assert_eq!(read_uvarlong(&bytes[..len]), Ok((value, &[][..])));
                if let Ok(value) = u32::try_from(value) {
                    prop_assert_eq!(read_uvarint(&bytes[..len]), Ok((value, &[][..])));
                }
            }
        }

        #[test]
        fn zigzag_is_reversible(narrow: i32, wide: i64) {
            prop_assert_eq!(unzigzag(zigzag(narrow)), narrow);
            prop_assert_eq!(unzigzag64(zigzag64(wide)), wide);
        }
    }
}
