//! The five codecs of Kafka, each read from and written to the framing that Kafka's clients use.
//!
//! Pulling bytes out of a codec ends here; walking records begins elsewhere. A codec sees compressed bytes
//! and a bounded [`Output`], never a record.

mod output;

pub(crate) use output::Output;

/// How the records of a batch are compressed: the low three bits of its attributes.
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
}
