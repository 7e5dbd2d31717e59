//! Names and messages of faults: pure functions over static strings.

use std::ffi::{CStr, c_char};
use std::fmt::Write;

use kcodec_core::{Codec, Error, ErrorKind};

use crate::boundary::plain;
use crate::pointer;
use crate::types::{KCODEC_OK, KCODEC_UNKNOWN, kcodec_error, kcodec_status};

/// Rust's texts do not end in NUL; a copy of each that does is made at compile time.
pub(crate) const fn terminated<const N: usize>(text: &str) -> [u8; N] {
    let mut copy = [0; N];
    let bytes = text.as_bytes();
    assert!(bytes.len() < N);
    let mut rest = copy.as_mut_slice();
    let mut from = bytes;
    while let ([place, more @ ..], [byte, left @ ..]) = (rest, from) {
        *place = *byte;
        rest = more;
        from = left;
    }
    copy
}

/// What a status is called, and what it means.
struct Texts {
    name: [u8; 32],
    message: [u8; 80],
}

static TEXTS: [Texts; ErrorKind::ALL.len()] = {
    const NOTHING: Texts = Texts { name: [0; 32], message: [0; 80] };
    let mut texts = [NOTHING; ErrorKind::ALL.len()];
    let (mut place, mut kinds) = (texts.as_mut_slice(), ErrorKind::ALL);
    while let ([text, more @ ..], [kind, left @ ..]) = (place, kinds) {
        *text = Texts { name: terminated(kind.name()), message: terminated(kind.message()) };
        place = more;
        kinds = left;
    }
    texts
};

fn texts(status: kcodec_status) -> Option<&'static Texts> {
    let index = ErrorKind::ALL.iter().position(|kind| kind.number() == status)?;
    TEXTS.get(index)
}

/// The name of a status, `"CRC_MISMATCH"`: stable, for logs and tests. `"UNKNOWN"` for one of a newer
/// library. Since 0.1.
#[unsafe(no_mangle)]
pub extern "C" fn kcodec_status_name(status: kcodec_status) -> *const c_char {
    let known =
        |status| texts(status).map_or(c"UNKNOWN".as_ptr(), |texts| texts.name.as_ptr().cast());
    plain(c"UNKNOWN".as_ptr(), || if status == KCODEC_OK { c"OK".as_ptr() } else { known(status) })
}

/// One sentence about a status, in lower case without a period. Since 0.1.
#[unsafe(no_mangle)]
pub extern "C" fn kcodec_status_message(status: kcodec_status) -> *const c_char {
    const UNKNOWN: &CStr = c"a status of a newer library";
    let known =
        |status| texts(status).map_or(UNKNOWN.as_ptr(), |text| text.message.as_ptr().cast());
    plain(
        UNKNOWN.as_ptr(),
        || if status == KCODEC_OK { c"no fault".as_ptr() } else { known(status) },
    )
}

/// Writes the message of `err` with its place into `buf`, always ending in NUL if `cap` is not 0, cut if
/// need be. Returns the length of the whole text without the NUL, as `snprintf` does. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_error_format(
    err: *const kcodec_error,
    buf: *mut c_char,
    cap: usize,
) -> usize {
    plain(0, || {
        // SAFETY: the rules of the ABI.
        let (err, buf) = unsafe { (pointer::of(err), pointer::slice_mut(buf.cast::<u8>(), cap)) };
        let (Ok(err), Ok(buf)) = (err, buf) else { return 0 };
        let mut text = Truncated { buf, len: 0 };
        // It never fails: what does not fit is counted.
        let _ = match rebuilt(err) {
            Some(error) => write!(text, "{error}"),
            None => write!(text, "status {}", err.code),
        };
        text.len
    })
}

/// The error that `err` was made from.
fn rebuilt(err: &kcodec_error) -> Option<Error> {
    let kind = ErrorKind::from_number(err.code)?;
    let codec = u8::try_from(err.codec).ok().and_then(Codec::from_number);
    let mut error = Error::at(kind, usize::try_from(err.position).unwrap_or(usize::MAX))
        .values(err.expected, err.actual)
        .in_codec(codec.unwrap_or_default())
        .covering(err.base_offset, err.next_offset);
    if err.batch != KCODEC_UNKNOWN {
        error = error.in_batch(err.batch);
    }
    if err.record != KCODEC_UNKNOWN {
        error = error.in_record(err.record);
    }
    Some(error)
}

/// A C string that takes what fits.
struct Truncated<'a> {
    buf: &'a mut [u8],
    len: usize,
}

impl Write for Truncated<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let start = self.len.min(self.buf.len());
        let places = self.buf.get_mut(start..).unwrap_or_default().iter_mut();
        places.zip(text.bytes().chain([0])).for_each(|(place, byte)| *place = byte);
        self.len = self.len.saturating_add(text.len());
        if let Some(last) = self.buf.last_mut() {
            *last = 0;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(start: *const c_char) -> &'static str {
        // SAFETY: the functions return static strings.
        unsafe { CStr::from_ptr(start) }.to_str().unwrap()
    }

    #[test]
    fn every_status_has_its_texts() {
        for kind in ErrorKind::ALL {
            assert_eq!(text(kcodec_status_name(kind.number())), kind.name());
            assert_eq!(text(kcodec_status_message(kind.number())), kind.message());
        }
        assert_eq!(text(kcodec_status_name(0)), "OK");
        assert_eq!(text(kcodec_status_name(-77)), "UNKNOWN");
    }

    #[test]
    fn a_formatted_error_is_that_of_rust_cut_where_it_must_be() {
        let fault = kcodec_core::decode(&[0xff; 20]).unwrap_err();
        let error = kcodec_error::of(&fault);
        let whole = fault.to_string();
        for cap in [1, 2, 10, whole.len(), whole.len() + 1, 200] {
            let mut buf = vec![b'x'; cap];
            // SAFETY: the buffer has that size.
            let len =
                unsafe { kcodec_error_format(&raw const error, buf.as_mut_ptr().cast(), cap) };
            let kept = CStr::from_bytes_until_nul(&buf).unwrap().to_str().unwrap();
            assert_eq!((len, kept), (whole.len(), &whole[..whole.len().min(cap - 1)]));
        }
        // SAFETY: NULL is reported.
        assert_eq!(unsafe { kcodec_error_format(std::ptr::null(), std::ptr::null_mut(), 0) }, 0);
        // SAFETY: as above.
        let len = unsafe { kcodec_error_format(&raw const error, std::ptr::null_mut(), 0) };
        assert_eq!(len, whole.len());
    }
}
