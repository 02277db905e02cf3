//! Pairs of consecutive entries whose order matters, in words.

use super::failure_text;
use crate::answers::report::{DifferenceReport, OrderPair, OrderReport, SwapWord};
use crate::display::{counted, line};

const MAX_LISTED_FIELDS: usize = 12;
const MAX_VALUE_CHARS: usize = 60;

pub fn pair_words(pair: &OrderPair) -> &'static str {
    match pair.swapped {
        SwapWord::Same => "independent",
        SwapWord::Differs if pair.fields.iter().all(|field| field.reordered) => {
            "order matters: list elements change places"
        }
        SwapWord::Differs => "order matters",
        SwapWord::Fails => "order matters: swapped, it fails now",
        SwapWord::Mends => "swapped, it builds now",
        SwapWord::Unknown => "not known",
    }
}

/// The document as text, with independent pairs if `all` is set.
pub fn order_text(report: &OrderReport, all: bool) -> String {
    let mut out = String::new();
    if let Some(failure) = &report.failure {
        out.push_str(&line!("the build fails in the current order: {}\n\n", failure_text(failure)));
    }
    let mut list = ("", "");
    for pair in report.pairs.iter().filter(|pair| all || pair.swapped != SwapWord::Same) {
        if list != (&*pair.file, &*pair.field) {
            list = (&pair.file, &pair.field);
            out.push_str(&line!("{}  {}\n", pair.file, pair.field));
        }
        let (first, second, words) = (&pair.first, &pair.second, pair_words(pair));
        out.push_str(&line!(
            "  {}: {}  ⇄  {}: {}   {words}\n",
            first.line,
            first.text,
            second.line,
            second.text
        ));
        for field in pair.fields.iter().take(MAX_LISTED_FIELDS) {
            out.push_str(&line!("      {}\n", field_words(field)));
        }
        if pair.fields.len() > MAX_LISTED_FIELDS {
            let more = pair.fields.len() - MAX_LISTED_FIELDS;
            out.push_str(&line!("      … and {more} more fields (--json has all)\n"));
        }
        for why in pair.failure.iter().map(failure_text).chain(pair.unknown.clone()) {
            out.push_str(&line!("      {why}\n"));
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&line!("{}\n", order_summary(report)));
    out
}

/// A field that differs after a swap: `Deployment/web  spec.replicas   as listed 3   swapped 5`.
pub fn field_words(field: &DifferenceReport) -> String {
    let value = |value: &Option<String>| match value {
        None => "not in the output".to_owned(),
        Some(value) if value.chars().count() > MAX_VALUE_CHARS => {
            value.chars().take(MAX_VALUE_CHARS).chain(['…']).collect()
        }
        Some(value) => value.clone(),
    };
    if field.path.is_empty() {
        let is = if field.listed.is_some() { "as listed" } else { "swapped" };
        return format!("{}   only {is}", field.resource);
    }
    let (listed, swapped) = (value(&field.listed), value(&field.swapped));
    format!("{}  {}   as listed {listed}   swapped {swapped}", field.resource, field.path)
}

pub fn order_summary(report: &OrderReport) -> String {
    let of = |word| report.pairs.iter().filter(|pair| pair.swapped == word).count();
    let (differ, fail) = (of(SwapWord::Differs), of(SwapWord::Fails));
    let mut parts = vec![
        format!("{} independent", of(SwapWord::Same)),
        format!("{differ} with a different output when swapped"),
    ];
    for (number, words) in [
        (fail, "failing when swapped"),
        (of(SwapWord::Mends), "succeeding when swapped"),
        (of(SwapWord::Unknown), "not known"),
    ] {
        if number > 0 {
            parts.push(format!("{number} {words}"));
        }
    }
    let pairs = counted(report.pairs.len(), "pair");
    format!("{pairs} of neighbours: {} ({})", parts.join(", "), counted(report.builds, "build"))
}
