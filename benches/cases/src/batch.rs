//! A record batch of magic 2, written field by field from the description of the format: slow, short, and
//! independent of everything that is measured with it.

use crate::{Codec, LEADER_EPOCH, Record};

/// Bytes before the records.
pub const HEADER: usize = 61;
/// The first byte that the checksum covers.
pub const CRC_START: usize = 21;
/// The first byte that the length counts.
const LENGTH_START: usize = 12;

/// One batch of all records. Base offset and base timestamp are those of the first.
pub fn write(records: impl ExactSizeIterator<Item = Record>, codec: Codec) -> Vec<u8> {
    let count = i32::try_from(records.len()).expect("a small batch");
    let mut plain = Vec::new();
    let mut bases = None;
    let mut last = (0, 0);
    for record in records {
        let (offset, timestamp) = *bases.get_or_insert((record.offset, record.timestamp));
        put_record(&mut plain, &record, offset, timestamp);
        last = (record.offset - offset, record.timestamp);
    }
    let (base_offset, base_timestamp) = bases.expect("a record");
    let body = codec.pack(&plain);

    let mut batch = Vec::with_capacity(HEADER + body.len());
    batch.extend(base_offset.to_be_bytes());
    let length = i32::try_from(HEADER - LENGTH_START + body.len()).expect("a small batch");
    batch.extend(length.to_be_bytes());
    batch.extend(LEADER_EPOCH.to_be_bytes());
    batch.push(2); // magic
    batch.extend([0; 4]); // crc, filled in below
    batch.extend((codec as i16).to_be_bytes()); // attributes
    batch.extend(i32::try_from(last.0).expect("a small batch").to_be_bytes());
    batch.extend(base_timestamp.to_be_bytes());
    batch.extend(last.1.to_be_bytes()); // max timestamp
    batch.extend((-1i64).to_be_bytes()); // producer id
    batch.extend((-1i16).to_be_bytes()); // producer epoch
    batch.extend((-1i32).to_be_bytes()); // base sequence
    batch.extend(count.to_be_bytes());
    assert_eq!(batch.len(), HEADER);
    batch.extend(body);
    let crc = crc32c::crc32c(&batch[CRC_START..]);
    batch[CRC_START - 4..CRC_START].copy_from_slice(&crc.to_be_bytes());
    batch
}

fn put_record(to: &mut Vec<u8>, record: &Record, base_offset: i64, base_timestamp: i64) {
    let mut body = vec![0]; // attributes
    put_varint(&mut body, record.timestamp - base_timestamp);
    put_varint(&mut body, record.offset - base_offset);
    put_varint(&mut body, -1); // null key
    put_field(&mut body, &record.value);
    put_varint(&mut body, record.headers.len() as i64);
    for (key, value) in &record.headers {
        put_field(&mut body, key.as_bytes());
        put_field(&mut body, value);
    }
    put_field(to, &body);
}

fn put_field(to: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(to, bytes.len() as i64);
    to.extend_from_slice(bytes);
}

fn put_varint(to: &mut Vec<u8>, value: i64) {
    let mut zigzag = (value << 1 ^ value >> 63) as u64;
    while zigzag >= 0x80 {
        to.push(zigzag as u8 | 0x80);
        zigzag >>= 7;
    }
    to.push(zigzag as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BASE_OFFSET, BASE_TIMESTAMP, CASES};

    #[test]
    fn varints_are_those_of_the_format() {
        for (value, bytes) in [
            (0, &[0][..]),
            (-1, &[1]),
            (63, &[0x7e]),
            (-64, &[0x7f]),
            (64, &[0x80, 1]),
            (8192, &[0x80, 0x80, 1]),
        ] {
            let mut to = Vec::new();
            put_varint(&mut to, value);
            assert_eq!(to, bytes, "{value}");
        }
    }

    #[test]
    fn a_batch_is_laid_out_as_the_format_says() {
        let batch = write([CASES[0].record(0), CASES[0].record(70)].into_iter(), Codec::None);
        assert_eq!(batch[..8], BASE_OFFSET.to_be_bytes());
        assert_eq!(batch[8..12], ((batch.len() - 12) as i32).to_be_bytes());
        assert_eq!(batch[16], 2);
        assert_eq!(batch[23..27], 70i32.to_be_bytes());
        assert_eq!(batch[27..35], BASE_TIMESTAMP.to_be_bytes());
        assert_eq!(batch[35..43], (BASE_TIMESTAMP + 140).to_be_bytes());
        assert_eq!(batch[57..61], 2i32.to_be_bytes());
        // Length, attributes, timestamp delta, offset delta, null key, value, no headers.
        let first = [14, 0, 0, 0, 1, 2, b'{', 0];
        let second = [18, 0, 0x98, 2, 0x8c, 1, 1, 2, b'{', 0];
        assert_eq!(batch[61..], [&first[..], &second[..]].concat());
    }

    #[test]
    fn headers_follow_the_value() {
        let case = CASES[3];
        let batch = write([case.record(3)].into_iter(), Codec::None);
        let tail = b"\x0ah0004\x0a00007";
        assert!(batch.ends_with(tail));
        assert_eq!(batch.len(), HEADER + 2 + 1 + 1 + 1 + 1 + 2 + 100 + 1 + 5 * tail.len());
    }
}
