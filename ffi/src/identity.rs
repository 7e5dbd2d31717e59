//! Which library this is, for a program to compare with the header it was compiled with.

use std::ffi::{CStr, c_char};

use kcodec_core::{BatchRow, Codec, Error, ErrorKind, HeaderRow, RecordRow};

use crate::boundary::{boundary, plain};
use crate::types::{
    KCODEC_ABI, kcodec_aborted, kcodec_batch_params, kcodec_decode_options, kcodec_encode_options,
    kcodec_error, kcodec_limits, kcodec_records, kcodec_slice, kcodec_status,
};

/// `kcodec_features`: CRC-32C is computed with machine instructions.
pub const KCODEC_FEATURE_CRC32C_INSTRUCTIONS: u32 = 0x0001_0000;

/// `kcodec_sizeof`: `kcodec_slice`.
pub const KCODEC_SIZEOF_SLICE: u32 = 0;
/// `kcodec_sizeof`: `kcodec_batch`.
pub const KCODEC_SIZEOF_BATCH: u32 = 1;
/// `kcodec_sizeof`: `kcodec_record`.
pub const KCODEC_SIZEOF_RECORD: u32 = 2;
/// `kcodec_sizeof`: `kcodec_header`.
pub const KCODEC_SIZEOF_HEADER: u32 = 3;
/// `kcodec_sizeof`: `kcodec_records`.
pub const KCODEC_SIZEOF_RECORDS: u32 = 4;
/// `kcodec_sizeof`: `kcodec_error`.
pub const KCODEC_SIZEOF_ERROR: u32 = 5;
/// `kcodec_sizeof`: `kcodec_limits`.
pub const KCODEC_SIZEOF_LIMITS: u32 = 6;
/// `kcodec_sizeof`: `kcodec_decode_options`.
pub const KCODEC_SIZEOF_DECODE_OPTIONS: u32 = 7;
/// `kcodec_sizeof`: `kcodec_encode_options`.
pub const KCODEC_SIZEOF_ENCODE_OPTIONS: u32 = 8;
/// `kcodec_sizeof`: `kcodec_batch_params`.
pub const KCODEC_SIZEOF_BATCH_PARAMS: u32 = 9;
/// `kcodec_sizeof`: `kcodec_aborted`.
pub const KCODEC_SIZEOF_ABORTED: u32 = 10;

/// The ABI number of the library that is loaded. Since 0.1.
#[unsafe(no_mangle)]
pub extern "C" fn kcodec_abi() -> u32 {
    KCODEC_ABI
}

/// `KCODEC_E_ABI_MISMATCH` unless the library has the ABI number `abi`: pass `KCODEC_ABI`, first of all.
/// Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_check_abi(abi: u32, err: *mut kcodec_error) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            if abi == KCODEC_ABI {
                return Ok(());
            }
            Err(Error::new(ErrorKind::AbiMismatch).values(KCODEC_ABI.into(), abi.into()))
        })
    }
}

/// The version of the library, `"0.1.0"`. Since 0.1.
#[unsafe(no_mangle)]
pub extern "C" fn kcodec_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

/// What is built in: for each codec the bit `1 << KCODEC_CODEC_…`, and `KCODEC_FEATURE_…`. Since 0.1.
#[unsafe(no_mangle)]
pub extern "C" fn kcodec_features() -> u32 {
    plain(0, || {
        let codecs = Codec::ALL.into_iter().filter(|codec| codec.is_built());
        let codecs = codecs.fold(0, |bits, codec| bits | 1 << codec as u32);
        let instructions = has_crc32c_instructions();
        codecs | if instructions { KCODEC_FEATURE_CRC32C_INSTRUCTIONS } else { 0 }
    })
}

#[cfg(target_arch = "x86_64")]
fn has_crc32c_instructions() -> bool {
    std::arch::is_x86_feature_detected!("sse4.2")
}

#[cfg(target_arch = "aarch64")]
fn has_crc32c_instructions() -> bool {
    std::arch::is_aarch64_feature_detected!("crc")
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn has_crc32c_instructions() -> bool {
    false
}

/// Bytes of the struct `which` (`KCODEC_SIZEOF_…`) in this library, 0 for one that it does not know. A
/// binding compares them with its own declarations at start-up. Since 0.1.
#[unsafe(no_mangle)]
pub extern "C" fn kcodec_sizeof(which: u32) -> usize {
    match which {
        KCODEC_SIZEOF_SLICE => size_of::<kcodec_slice>(),
        KCODEC_SIZEOF_BATCH => size_of::<BatchRow>(),
        KCODEC_SIZEOF_RECORD => size_of::<RecordRow>(),
        KCODEC_SIZEOF_HEADER => size_of::<HeaderRow>(),
        KCODEC_SIZEOF_RECORDS => size_of::<kcodec_records>(),
        KCODEC_SIZEOF_ERROR => size_of::<kcodec_error>(),
        KCODEC_SIZEOF_LIMITS => size_of::<kcodec_limits>(),
        KCODEC_SIZEOF_DECODE_OPTIONS => size_of::<kcodec_decode_options>(),
        KCODEC_SIZEOF_ENCODE_OPTIONS => size_of::<kcodec_encode_options>(),
        KCODEC_SIZEOF_BATCH_PARAMS => size_of::<kcodec_batch_params>(),
        KCODEC_SIZEOF_ABORTED => size_of::<kcodec_aborted>(),
        _ => 0,
    }
}
