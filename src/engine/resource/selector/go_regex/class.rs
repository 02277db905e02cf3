//! Escapes and classes of characters.

use std::fmt::Write as _;

use super::{Reading, RegexCause, RegexFault};

/// The general categories that Go knows by name.
const CATEGORIES: &[&str] = &[
    "C", "Cc", "Cf", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N",
    "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So",
    "Z", "Zl", "Zp", "Zs",
];
/// Scripts with names of four letters or two; all others of that length are short names, which Go does not know.
const SHORT_SCRIPTS: &[&str] =
    &["Cham", "Kawi", "Lisu", "Miao", "Modi", "Newa", "Thai", "Toto", "Yi"];
const POSIX: &[&str] = &[
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];

impl Reading<'_> {
    /// From an opening bracket to behind its closing one.
    pub(super) fn class(&mut self) -> Result<String, RegexFault> {
        let whole = self.rest();
        self.at += 1;
        let mut out = String::from("[");
        if self.rest().starts_with('^') {
            self.at += 1;
            out.push('^');
        }
        let mut is_first = true;
        while is_first || !self.rest().starts_with(']') {
            is_first = false;
            if let Some(named) = self.posix()? {
                out.push_str(&named);
            } else if let Some(named) = self.named_class()? {
                out.push_str(&named);
            } else {
                self.range(whole, &mut out)?;
            }
        }
        self.at += 1;
        out.push(']');
        Ok(out)
    }

    /// A character, or one to another. A dash before the closing bracket is a character.
    fn range(&mut self, class: &str, out: &mut String) -> Result<(), RegexFault> {
        let start = self.at;
        let low = self.class_character(class)?;
        let dash = self.rest().strip_prefix('-');
        let high = if dash.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(']')) {
            self.at += 1;
            self.class_character(class)?
        } else {
            low
        };
        if high < low {
            return Err(RegexCause::Range.at(&self.text[start..self.at]));
        }
        let _ = write!(out, r"\x{{{:X}}}-\x{{{:X}}}", u32::from(low), u32::from(high));
        Ok(())
    }

    fn class_character(&mut self, class: &str) -> Result<char, RegexFault> {
        let c = self.rest().chars().next();
        match c.ok_or_else(|| RegexCause::OpenClass.at(class))? {
            '\\' => self.escape(),
            c => {
                self.at += c.len_utf8();
                Ok(c)
            }
        }
    }

    /// `[:alpha:]`
    fn posix(&mut self) -> Result<Option<String>, RegexFault> {
        let rest = self.rest();
        let Some(inner) = rest.strip_prefix("[:") else { return Ok(None) };
        let Some(length) = inner.find(":]") else { return Ok(None) };
        let written = &rest[..length + 4];
        let name = inner[..length].trim_start_matches('^');
        if !POSIX.contains(&name) || inner[..length].starts_with("^^") {
            return Err(RegexCause::Range.at(written));
        }
        self.at += written.len();
        Ok(Some(written.to_owned()))
    }

    /// `\d` and the like, which are those of ASCII, and `\pL`.
    pub(super) fn named_class(&mut self) -> Result<Option<String>, RegexFault> {
        let rest = self.rest();
        let class = match rest.as_bytes() {
            [b'\\', b'd', ..] => "0-9",
            [b'\\', b'D', ..] => "[^0-9]",
            [b'\\', b'w', ..] => "0-9A-Za-z_",
            [b'\\', b'W', ..] => "[^0-9A-Za-z_]",
            [b'\\', b's', ..] => r"\t\n\f\r ",
            [b'\\', b'S', ..] => r"[^\t\n\f\r ]",
            [b'\\', b'p' | b'P', _, ..] => return self.unicode(rest).map(Some),
            _ => return Ok(None),
        };
        self.at += 2;
        Ok(Some(class.to_owned()))
    }

    /// `\pL`, `\p{Greek}`, `\p{^Greek}`
    fn unicode(&mut self, rest: &str) -> Result<String, RegexFault> {
        let wrong = |written: &str| RegexCause::Range.at(written);
        let (name, length) = if let Some(inner) = rest[2..].strip_prefix('{') {
            let end = inner.find('}').ok_or_else(|| wrong(rest))?;
            (&inner[..end], end + 4)
        } else {
            let length = rest[2..].chars().next().map_or(0, char::len_utf8);
            (&rest[2..2 + length], 2 + length)
        };
        self.at += length;
        let (name, denied) = match name.strip_prefix('^') {
            Some(name) => (name, true),
            None => (name, false),
        };
        let sign = if denied == rest.starts_with(r"\P") { 'p' } else { 'P' };
        match name {
            "Any" | "Cs" => {
                let all = (name == "Any") == (sign == 'p');
                Ok(if all { r"\x00-\x{10FFFF}" } else { r"[^\x00-\x{10FFFF}]" }.to_owned())
            }
            _ if CATEGORIES.contains(&name) => Ok(format!(r"\{sign}{{{name}}}")),
            _ => {
                let script = format!(r"\{sign}{{Script={name}}}");
                let is_known = is_script_name(name) && regex::Regex::new(&script).is_ok();
                if is_known { Ok(script) } else { Err(wrong(&rest[..length])) }
            }
        }
    }

    /// One character behind a backslash.
    pub(super) fn escape(&mut self) -> Result<char, RegexFault> {
        let rest = self.rest();
        let mut chars = rest[1..].chars();
        let Some(c) = chars.next() else {
            return Err(RegexCause::TrailingBackslash.at(""));
        };
        let wrong = |length: usize| RegexCause::Escape.at(&rest[..length]);
        let behind = chars.as_str();
        let (found, length) = match c {
            '0'..='7' => octal(rest).ok_or_else(|| wrong(2))?,
            'x' => hexadecimal(behind).ok_or_else(|| wrong(2))?,
            'a' => ('\x07', 2),
            'f' => ('\x0c', 2),
            'n' => ('\n', 2),
            'r' => ('\r', 2),
            't' => ('\t', 2),
            'v' => ('\x0b', 2),
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => (c, 2),
            c => return Err(wrong(1 + c.len_utf8())),
        };
        self.at += length;
        Ok(found)
    }
}

/// Up to three digits; a digit alone would point back at a group, which Go does not know.
fn octal(rest: &str) -> Option<(char, usize)> {
    let digits = rest.bytes().skip(1).take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
    if digits == 1 && !rest[1..].starts_with('0') {
        return None;
    }
    let value = u32::from_str_radix(&rest[1..=digits], 8).ok()?;
    Some((char::from_u32(value)?, digits + 1))
}

/// Two digits, or any number of them in braces.
fn hexadecimal(behind: &str) -> Option<(char, usize)> {
    let (digits, length) = match behind.strip_prefix('{') {
        Some(inner) => {
            let end = inner.find('}')?;
            (&inner[..end], end + 4)
        }
        None => (behind.get(..2)?, 4),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    Some((char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, length))
}

/// Whether a word is written as the long names of scripts are: `Greek`, `Phags_Pa`.
fn is_script_name(name: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.bytes().all(|b| b.is_ascii_alphabetic())
    };
    name.split('_').all(is_word) && (!matches!(name.len(), 2 | 4) || SHORT_SCRIPTS.contains(&name))
}
