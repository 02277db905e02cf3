//! Anchors, tags and directives.

use super::cursor::TextPosition;
use super::reader::Reader;
use crate::yaml::YamlError;

/// The anchor and the tag of a node.
#[derive(Default)]
pub(super) struct Properties<'t> {
    /// The start of the node: of its first property, or else of its content.
    pub(super) start: TextPosition,
    pub(super) anchor: Option<&'t str>,
    pub(super) tag: Option<String>,
}

impl Properties<'_> {
    /// No properties, of a node that starts here.
    pub(super) fn at(start: TextPosition) -> Self {
        Self { start, ..Self::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.anchor.is_none() && self.tag.is_none()
    }

    /// The properties of a node that are written in two lines.
    pub(super) fn or(self, other: Self) -> Self {
        let (anchor, tag) = (self.anchor.or(other.anchor), self.tag.or(other.tag));
        Self { start: self.start, anchor, tag }
    }
}

impl<'t> Reader<'t, '_> {
    /// Reads the anchor and the tag in front of a node. In a block they end with their line.
    pub(super) fn properties(&mut self) -> Result<Properties<'t>, YamlError> {
        let mut found = Properties::at(self.cursor.point);
        loop {
            let start = self.cursor.point;
            match self.cursor.byte(0) {
                b'&' if found.anchor.is_none() => {
                    let name = self.anchor_name()?;
                    self.anchors.insert(name, None);
                    found.anchor = Some(name);
                }
                b'!' if found.tag.is_none() => found.tag = Some(self.tag()?),
                _ => return Ok(found),
            }
            self.key_allowed = false;
            self.end_token(start, start.at);
            if self.key_allowed {
                return Ok(found);
            }
        }
    }

    /// Reads the name of an anchor or alias.
    pub(super) fn anchor_name(&mut self) -> Result<&'t str, YamlError> {
        let start = self.cursor.point;
        self.cursor.skip();
        let name = self.cursor.take_word();
        let ends = self.cursor.is_gap(0)
            || matches!(self.cursor.byte(0), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if name.is_empty() || !ends {
            let words = "did not find expected alphabetic or numeric character";
            return Err(self.scan_error(start, words));
        }
        Ok(name)
    }

    /// Reads a tag: `!name`, `!!name` in its full form, or a lone `!`.
    fn tag(&mut self) -> Result<String, YamlError> {
        let start = self.cursor.point;
        let is_part =
            |byte: &u8| byte.is_ascii_alphanumeric() || b"_-;/?:@&=+$,.!~*'()[]".contains(byte);
        let rest = &self.cursor.text[start.at..];
        let written = &rest[..rest.bytes().take_while(|byte| is_part(byte)).count()];
        self.cursor.skip_to(start.at + written.len());
        if !self.cursor.is_gap(0) {
            let words = "did not find expected whitespace or line break";
            return Err(self.scan_error(start, words));
        }
        match written.strip_prefix("!!") {
            Some("") => Err(self.scan_error(start, "did not find expected tag URI")),
            Some(name) => Ok(format!("tag:yaml.org,2002:{name}")),
            None if written[1..].contains('!') => {
                Err(self.parse_error(start, "found undefined tag handle"))
            }
            None => Ok(written.to_owned()),
        }
    }

    /// Skips `%YAML 1.1`. Limitation: other directives, such as `%TAG`, are refused.
    pub(super) fn skip_directive(&mut self) -> Result<(), YamlError> {
        let start = self.cursor.point;
        self.cursor.skip();
        if self.cursor.take_word() != "YAML" {
            return Err(self.scan_error(start, "found unknown directive name"));
        }
        let rest = self.cursor.take_rest_of_line();
        if rest.split('#').next().unwrap_or_default().trim() != "1.1" {
            let words = "found incompatible YAML document";
            return Err(self.parse_error(TextPosition::default(), words));
        }
        self.skip_gap();
        Ok(())
    }
}
