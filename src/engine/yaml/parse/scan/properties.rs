//! Anchors, aliases, tags and directives.

use super::Scanner;
use super::cursor::TextPosition;
use super::token::{ScanError, ScanTokenKind};

const MISSING_BANG: &str = "did not find expected '!'";

impl Scanner<'_> {
    pub(super) fn scan_anchor(&mut self, is_alias: bool) -> Result<(), ScanError> {
        let start = self.cursor.point;
        self.cursor.skip();
        let name = self.cursor.take_word();
        let ends = self.cursor.is_gap(0)
            || matches!(self.cursor.byte(0), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if name.is_empty() || !ends {
            let words = "did not find expected alphabetic or numeric character";
            return Err(self.refuse(start, words));
        }
        self.push(
            if is_alias { ScanTokenKind::Alias(name) } else { ScanTokenKind::Anchor(name) },
            start,
        );
        Ok(())
    }

    pub(super) fn scan_tag(&mut self) -> Result<(), ScanError> {
        let start = self.cursor.point;
        let (handle, suffix) = if self.cursor.byte(1) == b'<' {
            self.cursor.skip();
            self.cursor.skip();
            let suffix = self.tag_uri("", start)?;
            if self.cursor.byte(0) != b'>' {
                return Err(self.refuse(start, "did not find the expected '>'"));
            }
            self.cursor.skip();
            (String::new(), suffix)
        } else {
            let handle = self.tag_handle(start)?;
            if handle.len() > 1 && handle.ends_with('!') {
                let suffix = self.tag_uri("", start)?;
                (handle, suffix)
            } else {
                let suffix = self.tag_uri(&handle, start)?;
                // A lone `!` is a separate tag.
                if suffix.is_empty() { (suffix, "!".to_owned()) } else { ("!".to_owned(), suffix) }
            }
        };
        if !self.cursor.is_gap(0) {
            return Err(self.refuse(start, "did not find expected whitespace or line break"));
        }
        self.push(ScanTokenKind::Tag(handle, suffix), start);
        Ok(())
    }

    /// Reads a tag handle (`!`, `!!` or `!name!`), or the start of a tag without a handle, `!name`.
    fn tag_handle(&mut self, start: TextPosition) -> Result<String, ScanError> {
        if self.cursor.byte(0) != b'!' {
            return Err(self.refuse(start, MISSING_BANG));
        }
        self.cursor.skip();
        let mut handle = format!("!{}", self.cursor.take_word());
        if self.cursor.byte(0) == b'!' {
            self.cursor.skip();
            handle.push('!');
        }
        Ok(handle)
    }

    /// Reads the rest of a tag that starts with `head`; the result omits the first `!`.
    fn tag_uri(&mut self, head: &str, start: TextPosition) -> Result<String, ScanError> {
        let mut found = !head.is_empty();
        let mut uri = head.get(1..).unwrap_or_default().to_owned();
        loop {
            match self.cursor.byte(0) {
                b'%' => self.uri_escape(&mut uri, start)?,
                byte if is_uri(byte) => {
                    uri.push(char::from(byte));
                    self.cursor.skip();
                }
                _ => break,
            }
            found = true;
        }
        if found { Ok(uri) } else { Err(self.refuse(start, "did not find expected tag URI")) }
    }

    /// Reads one character that is escaped as the bytes of its UTF-8.
    fn uri_escape(&mut self, uri: &mut String, start: TextPosition) -> Result<(), ScanError> {
        let mut bytes = Vec::new();
        let mut width = 1;
        while bytes.len() < width {
            let digit = |ahead: usize| char::from(self.cursor.byte(ahead)).to_digit(16);
            let octet = match (self.cursor.byte(0), digit(1), digit(2)) {
                (b'%', Some(high), Some(low)) => u8::try_from(high << 4 | low).unwrap_or(0),
                _ => return Err(self.refuse(start, "did not find URI escaped octet")),
            };
            if bytes.is_empty() {
                width = match octet {
                    0..0x80 => 1,
                    0xC0..0xE0 => 2,
                    0xE0..0xF0 => 3,
                    0xF0..0xF8 => 4,
                    _ => return Err(self.refuse(start, "found an incorrect leading UTF-8 octet")),
                };
            } else if octet & 0xC0 != 0x80 {
                return Err(self.refuse(start, "found an incorrect trailing UTF-8 octet"));
            }
            bytes.push(octet);
            self.cursor.skip_to(self.cursor.point.at + 3);
        }
        uri.push_str(&String::from_utf8_lossy(&bytes));
        Ok(())
    }

    pub(super) fn scan_directive(&mut self) -> Result<(), ScanError> {
        let start = self.cursor.point;
        self.cursor.skip();
        let name = self.cursor.take_word();
        if name.is_empty() {
            return Err(self.refuse(start, "could not find expected directive name"));
        }
        if !self.cursor.is_gap(0) {
            return Err(self.refuse(start, "found unexpected non-alphabetical character"));
        }
        let kind = match name {
            "YAML" => self.version(start)?,
            "TAG" => self.tag_directive(start)?,
            _ => return Err(self.refuse(start, "found unknown directive name")),
        };
        self.push(kind, start);
        self.cursor.skip_blanks();
        if self.cursor.byte(0) == b'#' {
            self.cursor.take_rest_of_line();
        }
        if !self.cursor.is_break_or_end(0) {
            return Err(self.refuse(start, "did not find expected comment or line break"));
        }
        self.cursor.skip_line();
        Ok(())
    }

    fn version<'t>(&mut self, start: TextPosition) -> Result<ScanTokenKind<'t>, ScanError> {
        self.cursor.skip_blanks();
        let major = self.parse_version_number(start)?;
        if self.cursor.byte(0) != b'.' {
            return Err(self.refuse(start, "did not find expected digit or '.' character"));
        }
        self.cursor.skip();
        Ok(ScanTokenKind::Version(major, self.parse_version_number(start)?))
    }

    fn parse_version_number(&mut self, start: TextPosition) -> Result<u8, ScanError> {
        let (mut number, mut length) = (0, 0);
        while let digit @ b'0'..=b'9' = self.cursor.byte(0) {
            length += 1;
            if length > 2 {
                return Err(self.refuse(start, "found extremely long version number"));
            }
            number = number * 10 + digit - b'0';
            self.cursor.skip();
        }
        if length == 0 {
            return Err(self.refuse(start, "did not find expected version number"));
        }
        Ok(number)
    }

    fn tag_directive<'t>(&mut self, start: TextPosition) -> Result<ScanTokenKind<'t>, ScanError> {
        self.cursor.skip_blanks();
        let handle = self.tag_handle(start)?;
        if handle.len() > 1 && !handle.ends_with('!') {
            return Err(self.refuse(start, MISSING_BANG));
        }
        if !self.cursor.is_blank(0) {
            return Err(self.refuse(start, "did not find expected whitespace"));
        }
        self.cursor.skip_blanks();
        let prefix = self.tag_uri("", start)?;
        if !self.cursor.is_gap(0) {
            return Err(self.refuse(start, "did not find expected whitespace or line break"));
        }
        Ok(ScanTokenKind::TagDirective(handle, prefix))
    }
}

fn is_uri(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-;/?:@&=+$,.!~*'()[]".contains(&byte)
}
