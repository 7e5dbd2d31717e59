//! Reading ahead: the next piece of an input comes in while the last one is looked at.
//!
//! Checking a batch takes about as long as reading it from the page cache. A thread that does nothing but
//! read brings the time of both down to that of the slower one. Pieces go round: what was looked at is
//! read into again, so that there are never more than a few.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

/// Bytes of one read: many batches, and still small enough for a processor's cache.
pub(crate) const CHUNK: usize = 1 << 20;
/// Room before the bytes of a piece, for the start of a batch that began in the piece before.
pub(crate) const HEADROOM: usize = 1 << 20;

/// Bytes of an input, after [`HEADROOM`] bytes to be used freely.
pub(crate) struct Piece {
    pub(crate) bytes: Vec<u8>,
    /// Where the bytes that were read end.
    pub(crate) end: usize,
}

/// The pieces of an input, in order.
pub(crate) struct Pieces {
    filled: Receiver<io::Result<Piece>>,
    emptied: Sender<Vec<u8>>,
}

impl Pieces {
    /// Starts to read.
    pub(crate) fn of(input: impl Read + Send + 'static) -> io::Result<Self> {
        let (send_filled, filled) = sync_channel(1);
        let (emptied, take_emptied) = channel();
        let read = move || read(input, &send_filled, &take_emptied);
        thread::Builder::new().name("read ahead".to_owned()).spawn(read)?;
        Ok(Pieces { filled, emptied })
    }

    /// The next piece, `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Piece>> {
        // The thread ends with the input, and its end of the channel with it.
        self.filled.recv().ok().transpose()
    }

    /// Gives back the memory of a piece.
    pub(crate) fn give_back(&mut self, bytes: Vec<u8>) {
        // Nobody takes it once all is read.
        let _ = self.emptied.send(bytes);
    }
}

fn read(mut input: impl Read, filled: &SyncSender<io::Result<Piece>>, emptied: &Receiver<Vec<u8>>) {
    loop {
        // A buffer that grew for a large batch is let go.
        let emptied = emptied.try_iter().find(|bytes| bytes.len() == HEADROOM + CHUNK);
        let mut bytes = emptied.unwrap_or_else(|| vec![0; HEADROOM + CHUNK]);
        let piece = match input.read(&mut bytes[HEADROOM..]) {
            Ok(0) => return,
            Ok(len) => Ok(Piece { bytes, end: HEADROOM + len }),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let failed = piece.is_err();
        // Nobody receives any more when reading was given up.
        if filled.send(piece).is_err() || failed {
            return;
        }
    }
}
