//! Anchors, aliases, tags and directives.

use super::Scanner;
use super::cursor::TextPosition;
use super::token::{GoYamlHalf, ScanError, ScanTokenKind};

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
        let handle = self.tag_handle();
        let (handle, suffix) = if handle.len() > 1 && handle.ends_with('!') {
            let suffix = self.tag_uri("", start)?;
            (handle, suffix)
        } else {
            let suffix = self.tag_uri(&handle, start)?;
            // A lone `!` is a separate tag.
            if suffix.is_empty() { (suffix, "!".to_owned()) } else { ("!".to_owned(), suffix) }
        };
        if !self.cursor.is_gap(0) {
            return Err(self.refuse(start, "did not find expected whitespace or line break"));
        }
        self.push(ScanTokenKind::Tag(handle, suffix), start);
        Ok(())
    }

    /// Reads a tag handle (`!`, `!!` or `!name!`), or the start of a tag without a handle, `!name`.
    fn tag_handle(&mut self) -> String {
        self.cursor.skip();
        let mut handle = format!("!{}", self.cursor.take_word());
        if self.cursor.byte(0) == b'!' {
            self.cursor.skip();
            handle.push('!');
        }
        handle
    }

    /// Reads the rest of a tag that starts with `head`; the result omits the first `!`.
    fn tag_uri(&mut self, head: &str, start: TextPosition) -> Result<String, ScanError> {
        let mut uri = head.get(1..).unwrap_or_default().to_owned();
        while is_uri(self.cursor.byte(0)) {
            uri.push(char::from(self.cursor.byte(0)));
            self.cursor.skip();
        }
        if head.is_empty() && uri.is_empty() {
            return Err(self.refuse(start, "did not find expected tag URI"));
        }
        Ok(uri)
    }

    /// Skips `%YAML 1.1`. Limitation: other directives, such as `%TAG`, are refused.
    pub(super) fn scan_directive(&mut self) -> Result<(), ScanError> {
        let start = self.cursor.point;
        self.cursor.skip();
        if self.cursor.take_word() != "YAML" {
            return Err(self.refuse(start, "found unknown directive name"));
        }
        let rest = self.cursor.take_rest_of_line();
        if rest.split('#').next().unwrap_or_default().trim() != "1.1" {
            // Kustomize: an error of the parser, which reports another line than the scanner.
            let (half, context) = (GoYamlHalf::Parser, TextPosition::default());
            let words = "found incompatible YAML document";
            return Err(ScanError { half, context, problem: start, words });
        }
        self.push(ScanTokenKind::Version, start);
        self.cursor.skip_line();
        Ok(())
    }
}

fn is_uri(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-;/?:@&=+$,.!~*'()[]".contains(&byte)
}
