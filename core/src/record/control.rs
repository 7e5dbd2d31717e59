//! Control records: transaction markers and the Raft log's own entries.
//!
//! The key of a record in a control batch is a version and a type, both 16 bits. A longer key and a newer
//! version are read as version 0, as Kafka's `ControlRecordType.parse` does; a shorter key or a negative
//! version is malformed. The value is not looked at before somebody asks.

/// What a control record is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ControlType {
    /// The producer's transaction was aborted.
    Abort,
    /// The producer's transaction was committed.
    Commit,
    /// A new leader of the Raft quorum.
    LeaderChange,
    /// First record of a snapshot.
    SnapshotHeader,
    /// Last record of a snapshot.
    SnapshotFooter,
    /// The version of the Raft protocol (KIP-853).
    KraftVersion,
    /// The voters of the Raft quorum (KIP-853).
    KraftVoters,
    /// A type that is not known; such records are skipped.
    Unknown(i16),
}

impl ControlType {
    /// Reads the type from the key of a control record; `None` when the key is null, shorter than 4 bytes
    /// or of a negative version.
    ///
    /// ```
    /// use kcodec::ControlType;
    /// assert_eq!(ControlType::of_key(Some(&[0, 0, 0, 1])), Some(ControlType::Commit));
    /// assert_eq!(ControlType::of_key(Some(&[0, 0, 0])), None);
    /// ```
    #[must_use]
    pub fn of_key(key: Option<&[u8]>) -> Option<ControlType> {
        let &[v0, v1, t0, t1] = key?.first_chunk::<4>()?;
        if i16::from_be_bytes([v0, v1]) < 0 {
            return None;
        }
        Some(match i16::from_be_bytes([t0, t1]) {
            0 => ControlType::Abort,
            1 => ControlType::Commit,
            2 => ControlType::LeaderChange,
            3 => ControlType::SnapshotHeader,
            4 => ControlType::SnapshotFooter,
            5 => ControlType::KraftVersion,
            6 => ControlType::KraftVoters,
            other => ControlType::Unknown(other),
        })
    }

    /// The number on the wire.
    #[must_use]
    pub const fn number(self) -> i16 {
        match self {
            ControlType::Abort => 0,
            ControlType::Commit => 1,
            ControlType::LeaderChange => 2,
            ControlType::SnapshotHeader => 3,
            ControlType::SnapshotFooter => 4,
            ControlType::KraftVersion => 5,
            ControlType::KraftVoters => 6,
            ControlType::Unknown(number) => number,
        }
    }

    /// Kafka's name: `COMMIT`, `LEADER_CHANGE`, `UNKNOWN`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ControlType::Abort => "ABORT",
            ControlType::Commit => "COMMIT",
            ControlType::LeaderChange => "LEADER_CHANGE",
            ControlType::SnapshotHeader => "SNAPSHOT_HEADER",
            ControlType::SnapshotFooter => "SNAPSHOT_FOOTER",
            ControlType::KraftVersion => "KRAFT_VERSION",
            ControlType::KraftVoters => "KRAFT_VOTERS",
            ControlType::Unknown(_) => "UNKNOWN",
        }
    }

    /// The key of such a control record, version 0.
    #[must_use]
    pub const fn key(self) -> [u8; 4] {
        let [a, b] = self.number().to_be_bytes();
        [0, 0, a, b]
    }
}

/// The value of a transaction marker: the epoch of the coordinator that wrote it.
///
/// ```
/// use kcodec::EndTxnMarker;
/// let marker = EndTxnMarker { coordinator_epoch: 17 };
/// assert_eq!(EndTxnMarker::of_value(Some(&marker.value())), Some(marker));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndTxnMarker {
    /// The transaction coordinator's epoch.
    pub coordinator_epoch: i32,
}

impl EndTxnMarker {
    /// Reads the value of a COMMIT or ABORT record; `None` when it is null, shorter than 6 bytes or of a
    /// negative version. Newer versions and longer values are read as version 0.
    #[must_use]
    pub fn of_value(value: Option<&[u8]>) -> Option<EndTxnMarker> {
        let &[v0, v1, a, b, c, d] = value?.first_chunk::<6>()?;
        let coordinator_epoch = i32::from_be_bytes([a, b, c, d]);
        (i16::from_be_bytes([v0, v1]) >= 0).then_some(EndTxnMarker { coordinator_epoch })
    }

    /// The value of version 0.
    #[must_use]
    pub const fn value(self) -> [u8; 6] {
        let [a, b, c, d] = self.coordinator_epoch.to_be_bytes();
        [0, 0, a, b, c, d]
    }
}
