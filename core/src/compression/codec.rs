//! The codec numbers and names that Kafka defines, and the levels that its clients take.

use core::fmt;
use core::ops::RangeInclusive;

use crate::error::{Error, ErrorKind};

/// How the records of a batch are compressed: the low three bits of its attributes.
///
/// ```
/// use kcodec::Codec;
///
/// assert_eq!(Codec::from_number(4), Some(Codec::Zstd));
/// assert_eq!(Codec::from_name("lz4").map(|codec| codec.to_string()).as_deref(), Some("lz4"));
/// assert!(Codec::None.is_built());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Codec {
    /// Not compressed.
    #[default]
    None = 0,
    /// gzip (RFC 1952).
    Gzip = 1,
    /// snappy: a xerial stream or a raw block.
    Snappy = 2,
    /// lz4 frames.
    Lz4 = 3,
    /// zstd (RFC 8878), magic 2 only.
    Zstd = 4,
}

impl Codec {
    /// All codecs, in the order of their numbers.
    pub const ALL: [Codec; 5] = [Codec::None, Codec::Gzip, Codec::Snappy, Codec::Lz4, Codec::Zstd];

    /// The mask of the codec in the attributes of a batch or message.
    pub const MASK: u8 = 0x07;

    /// The codec with this number, if Kafka defines one.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Codec> {
        match number {
            0 => Some(Codec::None),
            1 => Some(Codec::Gzip),
            2 => Some(Codec::Snappy),
            3 => Some(Codec::Lz4),
            4 => Some(Codec::Zstd),
            _ => None,
        }
    }

    /// The codec with this [`name`](Self::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Codec> {
        Codec::ALL.into_iter().find(|codec| codec.name() == name)
    }

    /// The name that Kafka's `compression.type` uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Codec::None => "none",
            Codec::Gzip => "gzip",
            Codec::Snappy => "snappy",
            Codec::Lz4 => "lz4",
            Codec::Zstd => "zstd",
        }
    }

    /// Whether this build can read and write the codec. Batches of one that it cannot read still pass
    /// through as bytes.
    #[must_use]
    pub const fn is_built(self) -> bool {
        match self {
            Codec::None => true,
            Codec::Gzip => cfg!(feature = "gzip"),
            Codec::Snappy => cfg!(feature = "snappy"),
            Codec::Lz4 => cfg!(feature = "lz4"),
            Codec::Zstd => cfg!(feature = "zstd"),
        }
    }

    /// The compression levels that Kafka's clients take (KIP-390), `None` where there are none. The
    /// default of gzip, −1, lies outside of its range and is taken as well.
    #[must_use]
    pub const fn levels(self) -> Option<RangeInclusive<i32>> {
        match self {
            Codec::None | Codec::Snappy => None,
            Codec::Gzip => Some(1..=9),
            Codec::Lz4 => Some(1..=17),
            Codec::Zstd => Some(-131_072..=22),
        }
    }

    /// The level that is used where none is given, `None` where there are none.
    #[must_use]
    pub const fn default_level(self) -> Option<i32> {
        match self {
            Codec::None | Codec::Snappy => None,
            Codec::Gzip => Some(-1),
            Codec::Lz4 => Some(9),
            Codec::Zstd => Some(3),
        }
    }

    /// The level to compress with: the default for `None`, an error for one that the codec does not have.
    pub(crate) fn checked_level(self, level: Option<i32>) -> Result<i32, Error> {
        match level {
            None => Ok(self.default_level().unwrap_or_default()),
            Some(level) if self.default_level() == Some(level) => Ok(level),
            Some(level) if self.levels().is_some_and(|levels| levels.contains(&level)) => Ok(level),
            Some(_) => Err(Error::new(ErrorKind::InvalidArgument).in_codec(self)),
        }
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_map_back() {
        for (number, codec) in (0..).zip(Codec::ALL) {
            assert_eq!(Codec::from_number(number), Some(codec));
            assert_eq!(Codec::from_name(codec.name()), Some(codec));
        }
        for number in 5..=u8::MAX {
            assert_eq!(Codec::from_number(number), None);
        }
        assert_eq!(Codec::from_name("LZ4"), None);
    }

    #[test]
    fn levels_are_those_of_kafka() {
        let ok = |codec: Codec, level| codec.checked_level(Some(level)).is_ok();
        for (codec, low, high) in
            [(Codec::Gzip, 1, 9), (Codec::Lz4, 1, 17), (Codec::Zstd, -131_072, 22)]
        {
            assert!(ok(codec, low) && ok(codec, high));
            assert!(!ok(codec, low - 1) && !ok(codec, high + 1));
        }
        assert!(ok(Codec::Gzip, -1) && !ok(Codec::Gzip, -2));
        assert!(!ok(Codec::None, 0) && !ok(Codec::Snappy, 1));
        assert_eq!(Codec::Zstd.checked_level(None), Ok(3));
        let error = Codec::Lz4.checked_level(Some(0)).unwrap_err();
        assert_eq!((error.kind(), error.codec()), (ErrorKind::InvalidArgument, Codec::Lz4));
    }
}
