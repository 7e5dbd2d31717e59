//! From what C passes to what Rust works with.
//!
//! A wrong pointer cannot be told from a right one, but NULL, a length beyond the address space and a
//! misaligned table can, and are reported instead of followed. NULL with length 0 is an empty slice.
//!
//! The lifetimes are the callers' promise that what they pass stays for the call, and that what is written
//! is not passed twice.

use std::mem::MaybeUninit;
use std::slice;

use kcodec_core::{Error, ErrorKind};

const NULL: Error = Error::new(ErrorKind::NullArgument);
const INVALID: Error = Error::new(ErrorKind::InvalidArgument);

/// `len` elements at `data`.
///
/// # Safety
/// Unless refused, they must be there and not change for `'a`.
pub(crate) unsafe fn slice<'a, T>(data: *const T, len: usize) -> Result<&'a [T], Error> {
    if len == 0 {
        return Ok(&[]);
    }
    check(data, len)?;
    // SAFETY: not NULL, aligned, within the address space; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts(data, len) })
}

/// As [`slice()`], to be written.
///
/// # Safety
/// Unless refused, they must be there, initialised, and nobody else's for `'a`.
pub(crate) unsafe fn slice_mut<'a, T>(data: *mut T, len: usize) -> Result<&'a mut [T], Error> {
    if len == 0 {
        return Ok(&mut []);
    }
    check(data, len)?;
    // SAFETY: not NULL, aligned, within the address space; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts_mut(data, len) })
}

/// A field of a record: NULL is null.
///
/// # Safety
/// As [`slice()`].
pub(crate) unsafe fn field<'a>(data: *const u8, len: usize) -> Result<Option<&'a [u8]>, Error> {
    if data.is_null() && len == 0 {
        return Ok(None);
    }
    // A slice of length 0 need not point anywhere.
    // SAFETY: as for this function.
    unsafe { slice(data, len) }.map(Some)
}

/// A place for a result.
///
/// # Safety
/// Unless refused, the place must be nobody else's for `'a`.
pub(crate) unsafe fn out<'a, T>(place: *mut T) -> Result<&'a mut MaybeUninit<T>, Error> {
    check(place, 1)?;
    // SAFETY: not NULL and aligned; the rest is the caller's promise.
    Ok(unsafe { &mut *place.cast::<MaybeUninit<T>>() })
}

/// Stores a result that the caller may not want.
///
/// # Safety
/// As [`out`].
pub(crate) unsafe fn out_or_null<T>(place: *mut T, value: T) -> Result<(), Error> {
    if !place.is_null() {
        // SAFETY: as for this function.
        unsafe { out(place)? }.write(value);
    }
    Ok(())
}

/// A struct or handle.
///
/// # Safety
/// Unless refused, it must be there for `'a`.
pub(crate) unsafe fn of<'a, T>(place: *const T) -> Result<&'a T, Error> {
    check(place, 1)?;
    // SAFETY: not NULL and aligned; the rest is the caller's promise.
    Ok(unsafe { &*place })
}

/// A struct whose first field is its size in the caller's version of the header.
///
/// What an older caller does not have is zero. What a newer caller has beyond this version must be zero:
/// it asks for something that this library does not know.
///
/// # Safety
/// Unless refused, that many bytes must be there, and zeros must be a value of `T`.
pub(crate) unsafe fn sized<T: Copy>(place: *const T, smallest: usize) -> Result<T, Error> {
    check(place, 1)?;
    // SAFETY: not NULL and aligned; the caller's promise covers the field that all versions have.
    let size = unsafe { place.cast::<u32>().read() } as usize;
    if size < smallest || size > MAX_OPTIONS {
        return Err(INVALID);
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { slice::from_raw_parts(place.cast::<u8>(), size) };
    let known = size.min(size_of::<T>());
    if bytes.iter().skip(known).any(|byte| *byte != 0) {
        return Err(INVALID);
    }
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: `known` bytes are in both, which do not overlap; zeros are a value of `T`.
    Ok(unsafe {
        value.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), known);
        value.assume_init()
    })
}

/// Stores `value` in a struct that has `size` bytes in the caller's version of the header.
///
/// # Safety
/// As [`out`], for `size` bytes.
pub(crate) unsafe fn store_sized<T>(
    place: *mut T,
    size: usize,
    smallest: usize,
    value: &T,
) -> Result<(), Error> {
    check(place, 1)?;
    if size < smallest || size > MAX_OPTIONS {
        return Err(INVALID);
    }
    let known = size.min(size_of::<T>());
    // SAFETY: `known` bytes are in both, and `size` bytes are the caller's promise.
    unsafe {
        place.cast::<u8>().write_bytes(0, size);
        place.cast::<u8>().copy_from_nonoverlapping((&raw const *value).cast(), known);
    }
    Ok(())
}

/// More than any version of an option struct will have: a size above it is no size.
const MAX_OPTIONS: usize = 4096;

fn check<T>(data: *const T, len: usize) -> Result<(), Error> {
    if data.is_null() {
        return Err(NULL);
    }
    let bytes = len.checked_mul(size_of::<T>()).and_then(|bytes| isize::try_from(bytes).ok());
    if bytes.is_none() || !data.is_aligned() {
        return Err(INVALID);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr;

    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(C)]
    struct Options {
        size: u32,
        a: u32,
        b: u32,
    }

    #[test]
    fn what_cannot_be_a_slice_is_refused() {
        let table = [1u64, 2];
        // SAFETY: the refused ones are not followed, the others are there.
        unsafe {
            assert_eq!(slice(ptr::null::<u64>(), 0), Ok(&[][..]));
            assert_eq!(slice(ptr::null::<u64>(), 1), Err(NULL));
            assert_eq!(slice(table.as_ptr(), 2), Ok(&table[..]));
            assert_eq!(slice(table.as_ptr().byte_add(1), 1), Err(INVALID));
            assert_eq!(slice(table.as_ptr(), usize::MAX / 8), Err(INVALID));
            assert_eq!(slice(table.as_ptr(), usize::MAX / 2), Err(INVALID));
            assert_eq!(field(ptr::null(), 0), Ok(None));
            assert_eq!(field(ptr::null(), 1), Err(NULL));
            assert_eq!(field(table.as_ptr().cast(), 0), Ok(Some(&[][..])));
        }
    }

    #[test]
    fn structs_of_other_versions_are_read() {
        // Room for what a newer version would have.
        let newer = [Options { size: 20, a: 1, b: 2 }, Options { size: 0, a: 0, b: 9 }];
        let read = |options: &Options, smallest| {
            // SAFETY: no size is above the array's.
            unsafe { sized((&raw const *options).cast::<Options>(), smallest) }
        };
        assert_eq!(read(&newer[0], 8), Ok(newer[0]));
        let older = Options { size: 8, a: 1, b: 77 };
        assert_eq!(read(&older, 8), Ok(Options { size: 8, a: 1, b: 0 }));
        assert_eq!(read(&older, 12), Err(INVALID));
        assert_eq!(read(&Options { size: 0, ..older }, 8), Err(INVALID));
        let beyond = [Options { size: 24, ..newer[0] }, newer[1]];
        // SAFETY: the array has 24 bytes.
        let read = unsafe { sized(beyond.as_ptr(), 8) };
        assert_eq!(read, Err(INVALID));
    }

    #[test]
    fn structs_of_other_versions_are_written() {
        let value = Options { size: 8, a: 1, b: 2 };
        let mut place = Options { size: 9, a: 9, b: 9 };
        // SAFETY: no size is above the struct's.
        unsafe {
            assert_eq!(store_sized(&raw mut place, 8, 8, &value), Ok(()));
            assert_eq!(place, Options { b: 9, ..value });
            assert_eq!(store_sized(&raw mut place, 4, 8, &value), Err(INVALID));
            assert_eq!(store_sized(ptr::null_mut(), 8, 8, &value), Err(NULL));
        }
    }
}
