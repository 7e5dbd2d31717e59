//! What stands between a C caller and the core: the panic boundary and the lending of handles.
//!
//! A handle lends its contents to one call at a time. The lock of a mutex is that flag: never waited for,
//! since a caller that meets it taken has broken the rules and is told `BUSY`; left poisoned by a panic, so
//! that later calls are told `POISONED` instead of working on what the panic left behind.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, TryLockError};

use kcodec_core::{Error, ErrorKind};

use crate::pointer;
use crate::types::{KCODEC_OK, kcodec_error, kcodec_status};

/// Runs `call`, and stores its fault in `err` if that is not NULL.
///
/// # Safety
/// As [`pointer::out`].
pub(crate) unsafe fn boundary(
    err: *mut kcodec_error,
    call: impl FnOnce() -> Result<(), Error>,
) -> kcodec_status {
    let error = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => return KCODEC_OK,
        Ok(Err(error)) => error,
        Err(_) => Error::new(ErrorKind::Internal),
    };
    // SAFETY: the caller's promise.
    if let Ok(err) = unsafe { pointer::out(err) } {
        err.write(kcodec_error::of(&error));
    }
    error.kind().number()
}

/// Runs `call`, which cannot fail; after a panic, returns `instead`.
pub(crate) fn plain<T>(instead: T, call: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or(instead)
}

/// The contents of a handle.
pub(crate) struct Handle<T> {
    contents: Mutex<T>,
    memory: AtomicUsize,
}

impl<T> Handle<T> {
    pub(crate) fn new(contents: T) -> Self {
        Handle { contents: Mutex::new(contents), memory: AtomicUsize::new(0) }
    }

    /// Lends the contents to `call`. Afterwards `measure` tells how much memory they hold.
    pub(crate) fn lend<R>(
        &self,
        measure: fn(&T) -> usize,
        call: impl FnOnce(&mut T) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let mut contents = self.contents.try_lock().map_err(|error| {
            Error::new(match error {
                TryLockError::WouldBlock => ErrorKind::Busy,
                TryLockError::Poisoned(_) => ErrorKind::Poisoned,
            })
        })?;
        let result = call(&mut contents);
        self.memory.store(measure(&contents), Ordering::Relaxed);
        result
    }

    /// Whether a call is under way, so that the handle must not be freed.
    pub(crate) fn is_lent(&self) -> bool {
        matches!(self.contents.try_lock(), Err(TryLockError::WouldBlock))
    }

    /// Bytes held after the last call; may be asked at any time.
    pub(crate) fn memory(&self) -> usize {
        self.memory.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status_and_poisons_the_handle() {
        let handle = Handle::new(0u8);
        let mut err = std::mem::MaybeUninit::<kcodec_error>::uninit();
        let mut run = |handle: &Handle<u8>, panics: bool| {
            let call =
                || handle.lend(|_| 7, |_| if panics { panic!("on purpose") } else { Ok(()) });
            // SAFETY: the place is there.
            unsafe { boundary(err.as_mut_ptr(), call) }
        };
        assert_eq!(run(&handle, false), KCODEC_OK);
        assert_eq!(handle.memory(), 7);
        assert_eq!(run(&handle, true), ErrorKind::Internal.number());
        assert_eq!(run(&handle, false), ErrorKind::Poisoned.number());
        assert!(!handle.is_lent(), "a poisoned handle can be freed");
        // SAFETY: the calls above have written it.
        assert_eq!(unsafe { err.assume_init() }.code, ErrorKind::Poisoned.number());
    }

    #[test]
    fn a_handle_in_use_is_busy() {
        let handle = Handle::new(0u8);
        let inner = handle.lend(
            |_| 0,
            |_| {
                assert!(handle.is_lent());
                Ok(handle.lend(|_| 0, |_| Ok(())))
            },
        );
        assert_eq!(inner.unwrap(), Err(Error::new(ErrorKind::Busy)));
        assert!(!handle.is_lent());
    }

    #[test]
    fn plain_calls_survive_a_panic() {
        assert_eq!(plain(3, || panic!("on purpose")), 3);
        assert_eq!(plain(3, || 4), 4);
    }
}
