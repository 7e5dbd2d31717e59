//! Words that the table and the list of faults have in common.

use jiff::Timestamp;

use crate::fault::Fault;
use crate::frames::Rest;
use crate::reading::Reading;

/// A number of things.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let plural = if noun.ends_with("ch") { "es" } else { "s" };
    format!("{number} {noun}{}", if number == 1 { "" } else { plural })
}

/// A range with both ends included.
pub(crate) fn range(first: i64, last: i64) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// Milliseconds since the epoch in UTC; a number where no calendar reaches, a dash for none.
pub(crate) fn time(ms: i64) -> String {
    match Timestamp::from_millisecond(ms) {
        _ if ms == -1 => "-".to_owned(),
        Ok(time) => time.strftime("%Y-%m-%d %H:%M:%S%.3f").to_string(),
        Err(_) => format!("{ms} ms"),
    }
}

/// Two times, the second without its date where that is the same.
pub(crate) fn times(first: i64, last: i64) -> String {
    let (first_text, last_text) = (time(first), time(last));
    if first == last {
        return first_text;
    }
    let (date, clock) = last_text.split_once(' ').unwrap_or(("", &last_text));
    match first_text.split_once(' ') {
        Some((same, _)) if same == date => format!("{first_text} to {clock}"),
        _ => format!("{first_text} to {last_text}"),
    }
}

/// The bytes and offsets of a batch, as far as they are known.
pub(crate) fn place(reading: &Reading<'_>) -> String {
    let last = reading.position + reading.size - 1;
    let bytes = format!("bytes {}-{last}", reading.position);
    match (reading.base_offset(), reading.last_offset()) {
        (Some(first), Some(last)) => format!("{bytes}, offsets {}", range(first, last)),
        (None, Some(last)) => format!("{bytes}, offsets up to {last}"),
        _ => format!("{bytes}, offsets unknown"),
    }
}

/// What is wrong, and where.
pub(crate) fn fault(fault: &Fault) -> String {
    let mut text = format!("{} at byte {}", fault.kind.name(), fault.position);
    if fault.in_payload {
        text += " of the decompressed records";
    }
    if let Some(record) = fault.record {
        text += &format!(" in record {record}");
    }
    text += ": ";
    text += fault.kind.message();
    if let Some(values) = fault.values() {
        text += &format!(": {values}");
    }
    text
}

/// What follows the last whole batch, `left` bytes.
pub(crate) fn rest(rest: &Rest, left: u64) -> String {
    match rest {
        Rest::None => "tail: none".to_owned(),
        Rest::Partial { needed: Some(needed) } => {
            format!("tail: partial, {left} of the {needed} bytes of a batch")
        }
        Rest::Partial { needed: None } => format!("tail: partial, {left} bytes of a batch"),
        Rest::Zeros => format!("tail: {left} zeros"),
        Rest::Corrupt(_) => format!("tail: corrupt, {left} bytes in which no batch can be found"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        let counts = [(0, "batch"), (1, "batch"), (2, "batch"), (1, "fault"), (3, "record")];
        let texts = counts.map(|(number, noun)| count(number, noun));
        assert_eq!(texts, ["0 batches", "1 batch", "2 batches", "1 fault", "3 records"]);
    }

    #[test]
    fn times_are_in_utc_and_short() {
        assert_eq!(time(1_700_000_000_004), "2023-11-14 22:13:20.004");
        assert_eq!(time(-1), "-");
        assert_eq!(time(-2), "1969-12-31 23:59:59.998");
        assert_eq!(time(i64::MAX), "9223372036854775807 ms");
        let (start, day) = (1_700_000_000_000, 86_400_000);
        assert_eq!(times(start, start), "2023-11-14 22:13:20.000");
        assert_eq!(times(start, start + 4), "2023-11-14 22:13:20.000 to 22:13:20.004");
        assert_eq!(times(start, start + day), "2023-11-14 22:13:20.000 to 2023-11-15 22:13:20.000");
        assert_eq!(times(-1, start), "- to 2023-11-14 22:13:20.000");
    }
}
