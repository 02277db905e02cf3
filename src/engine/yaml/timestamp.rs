//! The four date layouts that go-yaml accepts, and Go's form of printing them.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use regex::Regex;

/// `2006-1-2`, `2006-1-2T15:4:5.9Z07:00` (also with `t`) and `2006-1-2 15:4:5.9`.
static LAYOUTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let date = "([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})";
    let time = "([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,]([0-9]+))?";
    let zone = "(Z|[+-][0-9]{2}:[0-9]{2})?";
    Regex::new(&format!(r"^{date}(?:(?:([Tt])| [ \t\n\x0C\r]*){time}{zone})?$")).ok()
});

/// The date in RFC 3339 as Go prints it, if the text is one in any of the layouts.
pub(super) fn timestamp(text: &str) -> Option<String> {
    if text.as_bytes().get(4) != Some(&b'-') {
        return None;
    }
    let found = LAYOUTS.as_ref()?.captures(text)?;
    let part = |group: usize| found.get(group).map_or("", |part| part.as_str());
    let number = |group: usize, range: RangeInclusive<u32>| {
        part(group).parse::<u32>().ok().filter(|number| range.contains(number))
    };
    let (year, month) = (number(1, 0..=9999)?, number(2, 1..=12)?);
    let day = number(3, 1..=days_in_month(year, month))?;
    let date = format!("{year:04}-{month:02}-{day:02}");
    let (is_zoned, written_zone) = (!part(4).is_empty(), part(9));
    if part(5).is_empty() {
        return Some(format!("{date}T00:00:00Z"));
    }
    if is_zoned == written_zone.is_empty() {
        return None;
    }
    let (hour, minute, second) = (number(5, 0..=23)?, number(6, 0..=59)?, number(7, 0..=59)?);
    let fraction = part(8).get(..9).unwrap_or(part(8)).trim_end_matches('0');
    let dot = if fraction.is_empty() { "" } else { "." };
    let zone = zone(written_zone)?;
    Some(format!("{date}T{hour:02}:{minute:02}:{second:02}{dot}{fraction}{zone}"))
}

/// A time zone, `Z` or `+hh:mm`, as Go prints it; `Z` if none is written.
fn zone(written: &str) -> Option<String> {
    let Some((hours, minutes)) = written.split_once(':') else { return Some("Z".to_owned()) };
    let (sign, hours) = hours.split_at_checked(1)?;
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let total = hours * 60 + minutes;
    let shown = if total == 0 {
        "Z".to_owned()
    } else {
        format!("{sign}{:02}:{:02}", total / 60, total % 60)
    };
    (hours <= 24 && minutes <= 60).then_some(shown)
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
