//! Transactions: control records, and what a consumer sees of aborted ones.

use std::ffi::c_char;

use kcodec_core::{
    AbortedTransaction, CommittedFilter, ControlType, EndTxnMarker, Error, ErrorKind, Records,
};

use crate::boundary::{boundary, plain};
use crate::decode::kcodec_decoder;
use crate::pointer;
use crate::status::terminated;
use crate::types::{kcodec_aborted, kcodec_error, kcodec_status};

/// The type of a control record, from its key: 0 abort, 1 commit, further ones of Kafka's Raft log; −1 for
/// a key that is none. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_control_type(key: *const u8, key_len: usize) -> i32 {
    plain(-1, || {
        // SAFETY: the rules of the ABI.
        let key = unsafe { pointer::field(key, key_len) }.unwrap_or_default();
        ControlType::of_key(key).map_or(-1, |control| control.number().into())
    })
}

const NAMED: usize = 7;

static NAMES: [[u8; 24]; NAMED] = [
    terminated(ControlType::Abort.name()),
    terminated(ControlType::Commit.name()),
    terminated(ControlType::LeaderChange.name()),
    terminated(ControlType::SnapshotHeader.name()),
    terminated(ControlType::SnapshotFooter.name()),
    terminated(ControlType::KraftVersion.name()),
    terminated(ControlType::KraftVoters.name()),
];

/// Kafka's name of a control type: `"COMMIT"`; `"UNKNOWN"` for one that has none here. Since 0.1.
#[unsafe(no_mangle)]
pub extern "C" fn kcodec_control_type_name(control_type: i32) -> *const c_char {
    plain(c"UNKNOWN".as_ptr(), || {
        let name = usize::try_from(control_type).ok().and_then(|number| NAMES.get(number));
        name.map_or(c"UNKNOWN".as_ptr(), |name| name.as_ptr().cast())
    })
}

/// Reads the value of an ABORT or COMMIT record: the epoch of the coordinator that wrote it. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_end_marker(
    value: *const u8,
    value_len: usize,
    coordinator_epoch: *mut i32,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (value, out) =
                (pointer::field(value, value_len)?, pointer::out(coordinator_epoch)?);
            let marker =
                EndTxnMarker::of_value(value).ok_or(Error::new(ErrorKind::ControlRecord))?;
            out.write(marker.coordinator_epoch);
            Ok(())
        })
    }
}

/// What a consumer with isolation level `read_committed` gets to see of the last `kcodec_decode`: writes
/// one byte a batch, 1 if its records are to be delivered, else 0. `input` is that call's, which may have
/// moved since; `aborted` is the list of the fetch response, in any order. The decoder must have read
/// control batches. `KCODEC_E_BUFFER_TOO_SMALL` unless `cap` is at least the number of batches. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kcodec_committed(
    decoder: *mut kcodec_decoder,
    input: *const u8,
    input_len: usize,
    aborted: *const kcodec_aborted,
    aborted_count: usize,
    delivers: *mut u8,
    cap: usize,
    err: *mut kcodec_error,
) -> kcodec_status {
    // SAFETY: the rules of the ABI.
    unsafe {
        boundary(err, || {
            let (decoder, input) = (pointer::of(decoder)?, pointer::slice(input, input_len)?);
            let (aborted, delivers) =
                (pointer::slice(aborted, aborted_count)?, pointer::slice_mut(delivers, cap)?);
            decoder.with_decoded(input, |options, records| {
                if options.batches_only || options.skip_control {
                    return Err(Error::new(ErrorKind::InvalidArgument));
                }
                filter(&records, aborted, delivers)
            })
        })
    }
}

fn filter(
    records: &Records<'_>,
    aborted: &[kcodec_aborted],
    delivers: &mut [u8],
) -> Result<(), Error> {
    let (count, cap) = (records.batches().len(), delivers.len());
    let delivers = delivers.get_mut(..count).ok_or(too_small(count, cap))?;
    let transactions = aborted.iter().map(|transaction| AbortedTransaction {
        first_offset: transaction.first_offset,
        producer_id: transaction.producer_id,
    });
    let mut filter = CommittedFilter::new(&transactions.collect::<Vec<_>>());
    for (place, batch) in delivers.iter_mut().zip(records.batches()) {
        *place = filter.delivers(records, batch).into();
    }
    Ok(())
}

/// The error of a destination with room for `cap` where `needed` are.
pub(crate) fn too_small(needed: usize, cap: usize) -> Error {
    Error::new(ErrorKind::BufferTooSmall).values(needed as u64, cap as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn every_named_type_has_its_name() {
        for number in 0..20i16 {
            let key = [[0, 0], number.to_be_bytes()].concat();
            // SAFETY: the key is there.
            assert_eq!(unsafe { kcodec_control_type(key.as_ptr(), 4) }, i32::from(number));
            let name = kcodec_control_type_name(number.into());
            // SAFETY: the function returns static strings.
            let name = unsafe { CStr::from_ptr(name) }.to_str().unwrap();
            assert_eq!(name, ControlType::of_key(Some(&key)).unwrap().name());
            assert_eq!(name == "UNKNOWN", usize::try_from(number).unwrap() >= NAMED);
        }
    }
}
