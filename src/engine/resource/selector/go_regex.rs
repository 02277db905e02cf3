//! Regular expressions as Go's `regexp` reads them, in the words of the `regex` crate.

use std::iter::Peekable;
use std::str::CharIndices;

use regex::Regex;

/// The most often that Go lets a repetition repeat.
const MAX_REPEAT: u32 = 1000;

/// Compiles an expression in RE2's syntax.
///
/// # Errors
/// `error parsing regexp: …`, in Go's words where they are known.
pub fn go_regex(text: &str) -> Result<Regex, String> {
    if let Some(operators) = nested_repetition(text) {
        return Err(format!(
            "error parsing regexp: invalid nested repetition operator: `{operators}`"
        ));
    }
    let reading = Reading { text, chars: text.char_indices().peekable(), out: String::new() };
    let translated = reading.translate().map_err(|why| format!("error parsing regexp: {why}"))?;
    Regex::new(&translated).map_err(|error| go_words(text, &error.to_string()))
}

struct Reading<'t> {
    text: &'t str,
    chars: Peekable<CharIndices<'t>>,
    out: String,
}

impl Reading<'_> {
    fn translate(mut self) -> Result<String, String> {
        while let Some((at, c)) = self.chars.next() {
            match c {
                '\\' => self.escape(at, false),
                '[' => self.class()?,
                '{' => self.brace(at)?,
                '}' => self.out.push_str(r"\}"),
                '(' => self.group(at)?,
                _ => self.out.push(c),
            }
        }
        Ok(self.out)
    }

    /// What stands behind a backslash. Go's classes are those of ASCII.
    fn escape(&mut self, at: usize, in_class: bool) {
        let Some((_, c)) = self.chars.next() else {
            self.out.push('\\');
            return;
        };
        let class = match c.to_ascii_lowercase() {
            'd' => "0-9",
            'w' => "0-9A-Za-z_",
            's' => r"\t\n\f\r ",
            _ => "",
        };
        match c {
            'd' | 'w' | 's' if in_class => self.out.push_str(class),
            'd' | 'w' | 's' => self.out.extend(["[", class, "]"]),
            'D' | 'W' | 'S' => self.out.extend(["[^", class, "]"]),
            'Q' if !in_class => self.quoted(at + 2),
            'b' if !in_class => self.out.push_str(r"(?-u:\b)"),
            '<' | '>' => self.out.push(c),
            // Go knows no such escapes, and the crate does not know this one.
            'u' | 'U' => self.out.push_str(r"\y"),
            _ => self.out.extend(['\\', c]),
        }
    }

    /// `\Q…\E`: everything in it is literal.
    fn quoted(&mut self, start: usize) {
        let rest = &self.text[start..];
        let length = rest.find(r"\E").unwrap_or(rest.len());
        self.out.push_str(&regex::escape(&rest[..length]));
        let end = start + (length + 2).min(rest.len());
        while self.chars.next_if(|(at, _)| *at < end).is_some() {}
    }

    fn class(&mut self) -> Result<(), String> {
        self.out.push('[');
        if self.chars.next_if(|(_, c)| *c == '^').is_some() {
            self.out.push('^');
        }
        if self.chars.next_if(|(_, c)| *c == ']').is_some() {
            self.out.push_str(r"\]");
        }
        while let Some((at, c)) = self.chars.next() {
            match c {
                ']' => {
                    self.out.push(']');
                    return Ok(());
                }
                '\\' => self.escape(at, true),
                '[' if self.text[at..].starts_with("[:") => self.posix(at),
                '[' | '&' | '~' => self.out.extend(['\\', c]),
                // Two dashes are a range that ends in a dash, never one set without another.
                '-' if self.text[at + 1..].starts_with('-') => self.dashes(at)?,
                _ => self.out.push(c),
            }
        }
        Ok(())
    }

    fn dashes(&mut self, at: usize) -> Result<(), String> {
        let low = self.text[..at].chars().next_back();
        match low {
            Some('[' | '^') | None => self.out.push_str(r"\-"),
            Some(low) if low > '-' => {
                return Err(format!("invalid character class range: `{low}--`"));
            }
            Some(_) => {
                self.chars.next();
                self.out.push_str(r"-\-");
            }
        }
        Ok(())
    }

    /// `[:alpha:]`
    fn posix(&mut self, at: usize) {
        let Some(length) = self.text[at..].find(":]") else {
            self.out.push_str(r"\[");
            return;
        };
        let end = at + length + 2;
        self.out.push_str(&self.text[at..end]);
        while self.chars.next_if(|(at, _)| *at < end).is_some() {}
    }

    /// A brace that is no repetition stands for itself.
    fn brace(&mut self, at: usize) -> Result<(), String> {
        let repetition = self.text[at..].find('}').map(|end| &self.text[at..=at + end]);
        let repetition = repetition.filter(|text| is_repetition(text));
        let Some(repetition) = repetition else {
            self.out.push_str(r"\{");
            return Ok(());
        };
        let counts = repetition[1..repetition.len() - 1].split(',').filter(|n| !n.is_empty());
        if counts.into_iter().any(|n| n.parse::<u32>().is_ok_and(|n| n > MAX_REPEAT)) {
            return Err(format!("invalid repeat count: `{repetition}`"));
        }
        self.out.push_str(repetition);
        let end = at + repetition.len();
        while self.chars.next_if(|(at, _)| *at < end).is_some() {}
        Ok(())
    }

    /// Go knows fewer flags.
    fn group(&mut self, at: usize) -> Result<(), String> {
        if let Some(rest) = self.text[at..].strip_prefix("(?") {
            let flags = rest.find(|c: char| !c.is_ascii_alphabetic() && c != '-');
            let flags = &rest[..flags.unwrap_or(rest.len())];
            let is_name = matches!(flags, "P" | "") && rest[flags.len()..].starts_with('<');
            if !is_name && flags.contains(|c| !matches!(c, 'i' | 'm' | 's' | 'U' | '-')) {
                return Err(format!("invalid or unsupported Perl syntax: `(?{flags}`"));
            }
        }
        self.out.push('(');
        Ok(())
    }
}

/// `{2}`, `{2,}`, `{2,3}`
fn is_repetition(text: &str) -> bool {
    let inner = &text[1..text.len() - 1];
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match inner.split_once(',') {
        None => digits(inner),
        Some((low, high)) => digits(low) && (high.is_empty() || digits(high)),
    }
}

fn go_words(text: &str, reason: &str) -> String {
    let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
    let words = match reason {
        "unclosed character class" => {
            let start = text.rfind('[').unwrap_or_default();
            format!("missing closing ]: `{}`", &text[start..])
        }
        "unclosed group" => format!("missing closing ): `{text}`"),
        "unopened group" => format!("unexpected ): `{text}`"),
        "repetition operator missing expression" => {
            let operator = text.char_indices().find(|(at, c)| match c {
                '?' => !text[..*at].ends_with('('),
                c => matches!(c, '*' | '+'),
            });
            let operator = operator.map_or('*', |(_, operator)| operator);
            format!("missing argument to repetition operator: `{operator}`")
        }
        other if other.contains("look-around") => {
            format!("invalid or unsupported Perl syntax: `{text}`")
        }
        other => format!("{other}: `{text}`"),
    };
    format!("error parsing regexp: {words}")
}

/// Go refuses an operator on an operator (`a**`), which the `regex` crate takes.
fn nested_repetition(text: &str) -> Option<&str> {
    let (mut escaped, mut class, mut operator) = (false, false, None::<usize>);
    for (at, c) in text.char_indices() {
        if escaped {
            (escaped, operator) = (false, None);
            continue;
        }
        match c {
            '\\' => escaped = true,
            '[' if !class => class = true,
            ']' if class => (class, operator) = (false, None),
            '*' | '+' if !class => match operator {
                Some(start) => return Some(&text[start..=at]),
                None => operator = Some(at),
            },
            '?' if !class => {
                // One `?` behind an operator means "not greedy".
                operator = match operator {
                    Some(start) if at == start + 1 => Some(start),
                    Some(start) => return Some(&text[start..=at]),
                    None => Some(at),
                };
            }
            _ if !class => operator = None,
            _ => {}
        }
        // `(?` begins a group and is no operator.
        if c == '?' && text[..at].ends_with('(') {
            operator = None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_mean_what_they_mean_in_go() {
        for (expression, text, matches) in [
            (r"^\Qa.b\E$", "a.b", true),
            (r"^\Qa.b\E$", "axb", false),
            (r"^\Qa.b", "a.b", true),
            ("^a{$", "a{", true),
            ("^a{,2}$", "a{,2}", true),
            ("^a{2}$", "aa", true),
            ("^[^]a]$", "]", false),
            ("^[[a]$", "[", true),
            ("^[a&&b]+$", "a&b", true),
            (r"^\d$", "\u{0663}", false),
            (r"^[\w]$", "é", false),
            ("^[[:alpha:]]$", "q", true),
            ("^(?i)A(?P<x>b)$", "aB", true),
        ] {
            assert_eq!(go_regex(expression).unwrap().is_match(text), matches, "{expression}");
        }
        for refused in ["a**", "(?x)a", "a(?=b)", "a{1001}", "(", "[a", r"\Z"] {
            assert!(go_regex(refused).is_err(), "{refused}");
        }
    }
}
