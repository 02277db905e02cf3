//! The four date layouts that go-yaml accepts, and Go's form of printing them.

use std::fmt::Write as _;

struct DateCursor<'a>(&'a [u8]);

impl DateCursor<'_> {
    /// One or two digits within the bounds.
    fn number(&mut self, low: u32, high: u32) -> Option<u32> {
        let first = *self.0.first().filter(|b| b.is_ascii_digit())?;
        let mut value = u32::from(first - b'0');
        let mut used = 1;
        if let Some(second) = self.0.get(1).filter(|b| b.is_ascii_digit()) {
            value = value * 10 + u32::from(second - b'0');
            used = 2;
        }
        self.0 = &self.0[used..];
        (low..=high).contains(&value).then_some(value)
    }

    /// `None` if another byte follows.
    fn skip_byte(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    /// The digits of a fraction of a second, without trailing zeros, at most nine.
    fn fraction(&mut self) -> Option<String> {
        let [b'.' | b',', first, ..] = self.0 else { return Some(String::new()) };
        if !first.is_ascii_digit() {
            return Some(String::new());
        }
        let digits = self.0[1..].iter().take_while(|b| b.is_ascii_digit()).count();
        let text = std::str::from_utf8(&self.0[1..=digits.min(9)]).ok()?;
        self.0 = &self.0[digits + 1..];
        Some(text.trim_end_matches('0').to_owned())
    }

    /// Reads a time zone: `Z` or `+hh:mm`, as Go prints it.
    fn zone(&mut self) -> Option<String> {
        if self.0 == b"Z" {
            self.0 = &[];
            return Some("Z".to_owned());
        }
        let &[sign @ (b'+' | b'-'), a, b, b':', c, d] = self.0 else { return None };
        if ![a, b, c, d].iter().all(u8::is_ascii_digit) {
            return None;
        }
        let hours = (a - b'0') * 10 + (b - b'0');
        let minutes = (c - b'0') * 10 + (d - b'0');
        if hours > 24 || minutes > 60 {
            return None;
        }
        self.0 = &[];
        let total = u32::from(hours) * 60 + u32::from(minutes);
        if total == 0 {
            return Some("Z".to_owned());
        }
        Some(format!("{}{:02}:{:02}", char::from(sign), total / 60, total % 60))
    }
}

/// The date in RFC 3339 as Go prints it, if the text is one in any of the layouts `2006-1-2`,
/// `2006-1-2T15:4:5.9Z07:00` (also with `t`) and `2006-1-2 15:4:5.9`.
pub(super) fn timestamp(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    if bytes.len() < 8 || bytes[4] != b'-' || !bytes[..4].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let year: u32 = text[..4].parse().ok()?;
    let mut rest = DateCursor(&bytes[5..]);
    let month = rest.number(1, 12)?;
    rest.skip_byte(b'-')?;
    let day = rest.number(1, days_in_month(year, month))?;
    let mut out = format!("{year:04}-{month:02}-{day:02}T");
    let zoned = match rest.0.first() {
        None => {
            out.push_str("00:00:00Z");
            return Some(out);
        }
        Some(b'T' | b't') => {
            rest.0 = &rest.0[1..];
            true
        }
        Some(b' ') => {
            rest.0 = rest.0.trim_ascii_start();
            false
        }
        Some(_) => return None,
    };
    let hour = rest.number(0, 23)?;
    rest.skip_byte(b':')?;
    let minute = rest.number(0, 59)?;
    rest.skip_byte(b':')?;
    let second = rest.number(0, 59)?;
    let fraction = rest.fraction()?;
    let zone = if zoned { rest.zone()? } else { "Z".to_owned() };
    if !rest.0.is_empty() {
        return None;
    }
    let dot = if fraction.is_empty() { "" } else { "." };
    let _ = write!(out, "{hour:02}:{minute:02}:{second:02}{dot}{fraction}{zone}");
    Some(out)
}

fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
