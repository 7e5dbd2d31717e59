//! Memory that is worth keeping from call to call.
//!
//! A decoder that has seen one fetch response takes the next one without allocating, and a fresh one spends
//! most of its time on pages that were never touched. A Python program that decodes in a loop gets that
//! without keeping anything itself: what was used goes back here, as long as it is few and small.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use kcodec::{DecodeOptions, Decoder, Encoder};

/// At most so many of a kind are kept while nobody uses them.
const KEPT: usize = 4;

/// None with more memory than this is kept.
const KEPT_BYTES: usize = 4 << 20;

/// What can be used again.
pub(crate) trait Pooled: Default + 'static {
    fn pool() -> &'static Mutex<Vec<Self>>;
    fn memory(&self) -> usize;
}

impl Pooled for Decoder {
    fn pool() -> &'static Mutex<Vec<Self>> {
        static POOL: Mutex<Vec<Decoder>> = Mutex::new(Vec::new());
        &POOL
    }

    fn memory(&self) -> usize {
        Decoder::memory(self)
    }
}

impl Pooled for Encoder {
    fn pool() -> &'static Mutex<Vec<Self>> {
        static POOL: Mutex<Vec<Encoder>> = Mutex::new(Vec::new());
        &POOL
    }

    fn memory(&self) -> usize {
        Encoder::memory(self)
    }
}

/// One from the pool, which goes back there.
pub(crate) struct Lease<T: Pooled>(T);

impl<T: Pooled> Lease<T> {
    pub(crate) fn take() -> Self {
        let mut pool = T::pool().lock().unwrap_or_else(PoisonError::into_inner);
        Lease(pool.pop().unwrap_or_default())
    }
}

impl Lease<Decoder> {
    pub(crate) fn with(options: DecodeOptions) -> Self {
        let mut decoder = Self::take();
        decoder.set_options(options);
        decoder
    }
}

impl<T: Pooled> Drop for Lease<T> {
    fn drop(&mut self) {
        if self.0.memory() <= KEPT_BYTES {
            let mut pool = T::pool().lock().unwrap_or_else(PoisonError::into_inner);
            if pool.len() < KEPT {
                pool.push(std::mem::take(&mut self.0));
            }
        }
    }
}

impl<T: Pooled> Deref for Lease<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Pooled> DerefMut for Lease<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
