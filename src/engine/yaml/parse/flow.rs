//! Flow collections as go-yaml scans them, where the parser reads them in another way.
//!
//! In go-yaml a `:` ends a plain scalar only before a blank, `?` is a key's sign wherever a token may begin, a `:`
//! there is the sign of a value, and tabs may indent.

use granit_parser::{Event, Parser, StructureStyle};

/// What has been read before a token of a flow collection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// An opening bracket or a comma.
    Nothing,
    /// `?`
    Question,
    /// A scalar, an alias or a collection.
    Content,
    /// `:`
    Colon,
}

/// A byte of the text, and what go-yaml says there.
pub(super) type Refusal = (usize, &'static str);

const NO_NODE: &str = "did not find expected node content";
const NO_END: &str = "did not find expected ',' or ']'";
/// Deep enough for most.
const INDENT: &str = "                                        ";

/// The text with what the parser would misread written so that it says the same to it; `None` when there is nothing
/// of that kind.
pub(super) fn rewritten(text: &str) -> Result<Option<String>, Refusal> {
    if !is_suspect(text) {
        return Ok(None);
    }
    let mut edits = Vec::new();
    let mut done = 0;
    for at in starts(text) {
        if at >= done {
            let mut scan = Scan { text, at, edits: &mut edits };
            scan.collection()?;
            done = scan.at;
        }
    }
    if edits.is_empty() {
        return Ok(None);
    }
    let mut out = String::with_capacity(text.len() + 64);
    let mut from = 0;
    for (start, end, new) in edits {
        out.push_str(&text[from..start]);
        out.push_str(&new);
        from = end;
    }
    out.push_str(&text[from..]);
    Ok(Some(out))
}

/// Whether anything of it may be there, told by pairs of bytes.
fn is_suspect(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().any(|byte| matches!(byte, b'[' | b'{'))
        && bytes.windows(2).any(|pair| {
            matches!(
                pair,
                [b':', b',' | b'[' | b']' | b'{' | b'}']
                    | [b'\n' | b' ', b'\t' | b':' | b'?']
                    | [b',' | b'[' | b'{', b':' | b'?']
            )
        })
}

/// Where flow collections begin, inner ones too, as far as the parser comes.
fn starts(text: &str) -> Vec<usize> {
    let flow = |event: &Event<'_>| {
        matches!(
            event,
            Event::SequenceStart(StructureStyle::Flow, ..)
                | Event::MappingStart(StructureStyle::Flow, ..)
        )
    };
    let events = Parser::new_from_str(text).map_while(Result::ok);
    let places = events.filter(|(event, _)| flow(event));
    // A pair in a sequence is a mapping without brackets.
    let is_bracket = |at: &usize| matches!(text.as_bytes().get(*at), Some(b'[' | b'{'));
    places.filter_map(|(_, span)| span.start.byte_offset()).filter(is_bracket).collect()
}

struct Scan<'t, 'e> {
    text: &'t str,
    at: usize,
    edits: &'e mut Vec<(usize, usize, String)>,
}

impl Scan<'_, '_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    /// From an opening bracket to behind its closing one, or to the end.
    fn collection(&mut self) -> Result<(), Refusal> {
        let mut open = Vec::new();
        let mut before = Before::Nothing;
        while self.at < self.text.len() {
            match self.byte(0) {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' => self.line_break(),
                b'#' => self.skip_to(|byte| byte == b'\n'),
                b'"' | b'\'' => {
                    self.quoted();
                    before = Before::Content;
                }
                bracket @ (b'[' | b'{') => {
                    open.push(bracket);
                    before = Before::Nothing;
                    self.at += 1;
                }
                b']' | b'}' => {
                    if before == Before::Question && open.last() == Some(&b'[') {
                        return Err((self.at, NO_END));
                    }
                    open.pop();
                    before = Before::Content;
                    self.at += 1;
                    if open.is_empty() {
                        break;
                    }
                }
                b',' => {
                    if before == Before::Question && open.last() == Some(&b'[') {
                        return Err((self.at, NO_END));
                    }
                    before = Before::Nothing;
                    self.at += 1;
                }
                b'?' => before = self.question(before)?,
                b':' => {
                    if matches!(before, Before::Nothing | Before::Colon) {
                        return Err((self.at, NO_NODE));
                    }
                    before = Before::Colon;
                    self.at += 1;
                }
                b'&' | b'!' => self.skip_to(|byte| is_blank(byte) || is_flow(byte)),
                _ => {
                    self.plain();
                    before = Before::Content;
                }
            }
        }
        Ok(())
    }

    fn question(&mut self, before: Before) -> Result<Before, Refusal> {
        match before {
            Before::Colon | Before::Question => return Err((self.at, NO_NODE)),
            // What a `?` does behind a scalar is told when the tree is built.
            Before::Content => {}
            Before::Nothing if is_blank(self.byte(1)) => {}
            Before::Nothing => self.edits.push((self.at + 1, self.at + 1, " ".to_owned())),
        }
        self.at += 1;
        Ok(if before == Before::Content { before } else { Before::Question })
    }

    /// The start of a line, where tabs do not count.
    fn line_break(&mut self) {
        let start = self.at + 1;
        self.skip_to(|byte| byte != b' ' && byte != b'\t');
        let is_last = matches!(self.byte(0), 0 | b'\n' | b'\r');
        if self.text[start..self.at].contains('\t') && !is_last {
            self.edits.push((start, self.at, INDENT.to_owned()));
        }
    }

    fn quoted(&mut self) {
        let quote = self.byte(0);
        self.at += 1;
        while self.at < self.text.len() && self.byte(0) != quote {
            self.at += if quote == b'"' && self.byte(0) == b'\\' { 2 } else { 1 };
        }
        self.at = (self.at + 1).min(self.text.len());
    }

    /// One line of a plain scalar; with a colon at its end it is written in quotes.
    fn plain(&mut self) {
        let start = self.at;
        loop {
            match (self.byte(0), self.byte(1)) {
                (b':', next) if is_blank(next) => break,
                (0 | b'\n' | b'\r' | b'?', _) => break,
                (byte, _) if is_flow(byte) => break,
                (b' ' | b'\t', b'#') => break,
                _ => self.at += 1,
            }
        }
        if self.at == start {
            self.at += 1;
            return;
        }
        let written = &self.text[start..self.at];
        if written.ends_with(':') && is_flow(self.byte(0)) {
            let quoted = format!("'{}'", written.replace('\'', "''"));
            self.edits.push((start, self.at, quoted));
        }
    }

    fn skip_to(&mut self, stop: impl Fn(u8) -> bool) {
        self.at += 1;
        while self.at < self.text.len() && !stop(self.byte(0)) {
            self.at += 1;
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, 0 | b' ' | b'\t' | b'\n' | b'\r')
}

fn is_flow(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}

#[cfg(test)]
mod tests {
    use super::rewritten;

    #[test]
    fn writes_what_go_yaml_reads() {
        let said = |text: &str| rewritten(text).unwrap().unwrap_or_else(|| text.to_owned());
        assert_eq!(said("x: {a: b:}\n"), "x: {a: 'b:'}\n");
        assert_eq!(said("x: [a:, 'b:', \"c:\", d: e]\n"), "x: ['a:', 'b:', \"c:\", d: e]\n");
        assert_eq!(said("x: {?a: b, c: [?d]}\n"), "x: {? a: b, c: [? d]}\n");
        assert_eq!(
            said("x: |\n  [a:]\ny: [a b, {c: http://d/?e}]\n"),
            "x: |\n  [a:]\ny: [a b, {c: http://d/?e}]\n"
        );
        assert!(!said("x:\n  y: [a,\n\tb]\n").contains('\t'));
    }

    #[test]
    fn refuses_what_go_yaml_refuses() {
        for text in ["{z: ?a}", "{a: ?}", "[:]", "[: a]", "{: a}", "[a, : b]", "{a: :b}"] {
            assert_eq!(rewritten(text).unwrap_err().1, super::NO_NODE, "{text}");
        }
        assert_eq!(rewritten("[?]").unwrap_err().1, super::NO_END);
        assert_eq!(rewritten("[?, a]").unwrap_err().1, super::NO_END);
    }
}
