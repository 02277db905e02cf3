//! Regular expressions as Go's `regexp` reads them (RE2's syntax), in the words of the `regex` crate.

mod class;
mod fault;
mod repeat;

pub use fault::{RegexCause, RegexFault};

use regex::{Regex, RegexBuilder};

/// What a compiled expression may take. Go allows 128 MiB, and may match with it for minutes: repetitions of repetitions make a short
/// expression that large.
const MAX_COMPILED_BYTES: usize = 1 << 20;
/// How deep Go lets groups stand in each other.
const MAX_NESTING: u32 = 1000;

/// Compiles an expression in RE2's syntax.
///
/// # Errors
/// `error parsing regexp: …`, in Go's words.
pub fn go_regex(text: &str) -> Result<Regex, RegexFault> {
    let translated = Reading::new(text).translate()?;
    RegexBuilder::new(&translated)
        .size_limit(MAX_COMPILED_BYTES)
        .nest_limit(MAX_NESTING)
        .build()
        .map_err(|_| RegexCause::TooLarge.at(&shortened(text)))
}

/// The start of an expression, as much as a message quotes.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Something of an expression that a repetition can stand behind.
struct Atom {
    written: String,
    /// How often its innermost part is repeated by counted repetitions, at most.
    weight: u32,
}

/// A group that is not closed yet: what stood before it, and how it begins.
struct Open {
    before: Vec<Atom>,
    before_bar: String,
    weight: u32,
    head: &'static str,
    flags: Flags,
}

/// What `(?i)` and the like switched on.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is switched by a letter of its own")]
struct Flags {
    fold: bool,
    multi_line: bool,
    dot_newline: bool,
    ungreedy: bool,
}

struct Reading<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Open>,
    /// The atoms of the alternative at hand.
    atoms: Vec<Atom>,
    /// The alternatives before it in this group, with their bars.
    before_bar: String,
    /// The largest weight among those.
    weight: u32,
    flags: Flags,
    /// Where the repetition begins that was read last, when nothing else was read since.
    repetition: Option<usize>,
}

impl<'t> Reading<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            open: Vec::new(),
            atoms: Vec::new(),
            before_bar: String::new(),
            weight: 1,
            flags: Flags::default(),
            repetition: None,
        }
    }

    fn translate(mut self) -> Result<String, RegexFault> {
        while let Some(c) = self.rest().chars().next() {
            let last = self.repetition.take();
            match c {
                '(' => self.group()?,
                '|' => self.bar(),
                ')' => self.close()?,
                '^' => self.one(if self.flags.multi_line { "(?m:^)" } else { "^" }),
                '$' => self.one(if self.flags.multi_line { "(?m:$)" } else { "$" }),
                '.' => self.one(if self.flags.dot_newline { "(?s:.)" } else { "." }),
                '[' => {
                    let class = self.class()?;
                    self.atom(&class);
                }
                '*' | '+' | '?' => self.operator(c, last)?,
                '{' => self.counted(last)?,
                '\\' => self.escaped()?,
                _ => self.literal(c),
            }
        }
        if !self.open.is_empty() {
            return Err(RegexCause::OpenGroup.at(self.text));
        }
        Ok(self.joined())
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The group at hand, all its alternatives.
    fn joined(&mut self) -> String {
        let mut out = std::mem::take(&mut self.before_bar);
        for atom in self.atoms.drain(..) {
            out.push_str(&atom.written);
        }
        out
    }

    fn atom(&mut self, written: &str) {
        let written = if self.flags.fold { format!("(?i:{written})") } else { written.to_owned() };
        self.atoms.push(Atom { written, weight: 1 });
    }

    /// An atom of one character.
    fn one(&mut self, written: &str) {
        self.at += 1;
        self.atom(written);
    }

    fn literal(&mut self, c: char) {
        self.at += c.len_utf8();
        self.push_literal(c);
    }

    fn push_literal(&mut self, c: char) {
        let mut buffer = [0; 4];
        self.atom(&regex::escape(c.encode_utf8(&mut buffer)));
    }

    fn bar(&mut self) {
        self.at += 1;
        self.weight = self.heaviest();
        let written = self.joined();
        self.before_bar = written + "|";
    }

    fn heaviest(&self) -> u32 {
        self.atoms.iter().map(|atom| atom.weight).fold(self.weight, u32::max)
    }

    fn begin(&mut self, head: &'static str, inside: Flags) {
        self.open.push(Open {
            before: std::mem::take(&mut self.atoms),
            before_bar: std::mem::take(&mut self.before_bar),
            weight: std::mem::replace(&mut self.weight, 1),
            head,
            flags: self.flags,
        });
        self.flags = inside;
    }

    fn close(&mut self) -> Result<(), RegexFault> {
        let weight = self.heaviest();
        let written = self.joined();
        let Some(open) = self.open.pop() else {
            return Err(RegexCause::NoGroup.at(self.text));
        };
        self.at += 1;
        self.atoms = open.before;
        self.before_bar = open.before_bar;
        self.weight = open.weight;
        self.flags = open.flags;
        self.atoms.push(Atom { written: format!("{}{written})", open.head), weight });
        Ok(())
    }

    /// What an opening parenthesis begins: groups with names do not differ from those without.
    fn group(&mut self) -> Result<(), RegexFault> {
        let rest = self.rest();
        if !rest.starts_with("(?") {
            self.at += 1;
            self.begin("(?:", self.flags);
            return Ok(());
        }
        let named = rest.strip_prefix("(?P<").or_else(|| rest.strip_prefix("(?<"));
        if let Some(name) = named {
            let end = name.find('>');
            let end = end.ok_or_else(|| RegexCause::GroupName.at(rest))?;
            let whole = rest.len() - name.len() + end + 1;
            let is_word = |b: u8| b == b'_' || b.is_ascii_alphanumeric();
            if end == 0 || !name[..end].bytes().all(is_word) {
                return Err(RegexCause::GroupName.at(&rest[..whole]));
            }
            self.at += whole;
            self.begin("(?:", self.flags);
            return Ok(());
        }
        self.switches(rest)
    }

    /// `(?i)`, `(?i-s:` and the like.
    fn switches(&mut self, rest: &str) -> Result<(), RegexFault> {
        let (mut flags, mut on, mut any) = (self.flags, true, false);
        for (at, c) in rest.char_indices().skip(2) {
            match c {
                'i' => flags.fold = on,
                'm' => flags.multi_line = on,
                's' => flags.dot_newline = on,
                'U' => flags.ungreedy = on,
                '-' if on => on = false,
                ':' | ')' if on || any => {
                    self.at += at + 1;
                    if c == ':' {
                        self.begin("(?:", flags);
                    } else {
                        self.flags = flags;
                    }
                    return Ok(());
                }
                _ => {
                    let end = at + c.len_utf8();
                    return Err(RegexCause::Switches.at(&rest[..end]));
                }
            }
            any = c != '-';
        }
        Err(RegexCause::OpenGroup.at(self.text))
    }

    /// What begins with a backslash, outside a class.
    fn escaped(&mut self) -> Result<(), RegexFault> {
        let assertion = match self.rest().as_bytes().get(1) {
            Some(b'A') => r"\A",
            Some(b'z') => r"\z",
            Some(b'b') => r"(?-u:\b)",
            Some(b'B') => r"(?-u:\B)",
            Some(b'Q') => {
                self.quoted();
                return Ok(());
            }
            _ => "",
        };
        if !assertion.is_empty() {
            self.at += 2;
            self.atoms.push(Atom { written: assertion.to_owned(), weight: 1 });
            return Ok(());
        }
        if let Some(class) = self.named_class()? {
            self.atom(&format!("[{class}]"));
            return Ok(());
        }
        let c = self.escape()?;
        self.push_literal(c);
        Ok(())
    }

    /// `\Q…\E`: everything in it is literal.
    fn quoted(&mut self) {
        let rest = &self.rest()[2..];
        let length = rest.find(r"\E");
        self.at += 2 + length.map_or(rest.len(), |length| length + 2);
        for c in rest[..length.unwrap_or(rest.len())].chars() {
            self.push_literal(c);
        }
    }
}

#[cfg(test)]
mod tests;
