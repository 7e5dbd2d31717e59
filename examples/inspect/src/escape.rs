//! Bytes for a person to read, without any doubt about what they are.
//!
//! Text is written as Rust writes a string literal: quoted, with quotes, backslashes, control and
//! invisible characters escaped. A byte that is no UTF-8 becomes `\xNN`, which no text can be mistaken
//! for. So nothing in a record can move the cursor or end its own quotes.

use std::fmt;

use data_encoding::BASE64;

/// A key or value as it is printed.
pub(crate) struct Field<'a> {
    pub(crate) bytes: Option<&'a [u8]>,
    /// In base64, whatever it is.
    pub(crate) base64: bool,
}

impl fmt::Display for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bytes {
            None => f.write_str("null"),
            Some(bytes) if self.base64 => write!(f, "base64:{}", BASE64.encode_display(bytes)),
            Some(bytes) => quoted(f, bytes),
        }
    }
}

fn quoted(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    f.write_str("\"")?;
    for chunk in bytes.utf8_chunks() {
        let literal = format!("{:?}", chunk.valid());
        f.write_str(
            literal.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(""),
        )?;
        for byte in chunk.invalid() {
            write!(f, "\\x{byte:02x}")?;
        }
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(bytes: &[u8]) -> String {
        Field { bytes: Some(bytes), base64: false }.to_string()
    }

    #[test]
    fn what_is_printed_is_unambiguous() {
        assert_eq!(shown("Zürich, \"北京\"".as_bytes()), "\"Zürich, \\\"北京\\\"\"");
        assert_eq!(shown(b"a\\x00b\x1b[31m\n"), "\"a\\\\x00b\\u{1b}[31m\\n\"");
        assert_eq!(shown(b"\0\0\x80\xffok"), "\"\\0\\0\\x80\\xffok\"");
        assert_eq!(shown("\u{202e}".as_bytes()), "\"\\u{202e}\"");
        assert_eq!(shown(b""), "\"\"");
        assert_eq!(Field { bytes: None, base64: true }.to_string(), "null");
        assert_eq!(Field { bytes: Some(b"hi"), base64: true }.to_string(), "base64:aGk=");
    }
}
