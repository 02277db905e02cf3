//! Hypothetical builds with entries in another order, or with other components: the answers as
//! words, the same for the command line, the screens and the conversation.

use crate::answers::compare::truncate_value;
use crate::answers::recording::failure_words::headline;
use crate::answers::report::{
    CombinationWord, DifferenceReport, MatrixCombination, MatrixReport, OrderPair, OrderReport,
    SwapWord, VariantFailure,
};
use crate::display::{counted, line};

const MAX_LISTED_FIELDS: usize = 12;

/// A failure in words: `why  at file:line`.
pub fn failure_text(failure: &VariantFailure) -> String {
    let first = headline(&failure.message);
    let at = failure.file.as_ref().zip(failure.line);
    let at = at.map(|(file, line)| format!("  at {file}:{line}")).unwrap_or_default();
    format!("{first}{at}")
}

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
    let value = |value: &Option<String>| {
        value.as_deref().map_or("not in the output".to_owned(), truncate_value)
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
    let always = [
        (of(SwapWord::Same), "independent"),
        (of(SwapWord::Differs), "with a different output when swapped"),
    ];
    let others = [
        (of(SwapWord::Fails), "failing when swapped"),
        (of(SwapWord::Mends), "succeeding when swapped"),
        (of(SwapWord::Unknown), "not known"),
    ];
    let (pairs, parts) = (counted(report.pairs.len(), "pair"), number_words(&always, &others));
    format!("{pairs} of neighbours: {parts} ({})", counted(report.builds, "build"))
}

/// Numbers with their words; of `others`, only those that are not 0.
fn number_words(always: &[(usize, &str)], others: &[(usize, &str)]) -> String {
    let others = others.iter().filter(|(number, _)| *number > 0);
    let parts = always.iter().chain(others).map(|(number, words)| format!("{number} {words}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// A summary such as `6 components, all 64 combinations: 48 build, 16 fail; 12 different outputs`.
pub fn matrix_summary(report: &MatrixReport) -> String {
    let of = |word| report.combinations.iter().filter(|it| it.result == word).count();
    let others =
        [(of(CombinationWord::Fails), "fail"), (of(CombinationWord::Unknown), "not known")];
    let parts = number_words(&[(of(CombinationWord::Builds), "build")], &others);
    let count = report.combinations.len();
    let which = if report.exhaustive {
        format!("all {}", counted(count, "combination"))
    } else {
        format!("{count} of their combinations")
    };
    format!(
        "{}, {which}: {parts}; {}",
        counted(report.components.len(), "component"),
        counted(report.outputs, "different output")
    )
}

/// The components of a combination, and its result, both in words.
pub fn built_words(combination: &MatrixCombination) -> (String, String) {
    let result = match (&combination.output, &combination.failure, &combination.unknown) {
        (Some(number), ..) => format!("output {number}"),
        (None, Some(failure), _) => format!("fails: {}", failure_text(failure)),
        (None, None, why) => format!("not known: {}", why.clone().unwrap_or_default()),
    };
    (with(&combination.on), result)
}

/// The document as text, with every combination if `all` is set.
pub fn matrix_text(report: &MatrixReport, all: bool) -> String {
    let mut out = line!("{}\n", matrix_summary(report));
    for rule in &report.rules {
        let times = counted(rule.holds_in, "combination");
        out.push('\n');
        out.push_str(&line!("{}   (in {times})\n", rule.words));
        if let Some(failure) = &rule.failure {
            out.push_str(&line!("    {}: {}\n", with(&rule.smallest), failure_text(failure)));
        }
    }
    if all {
        out.push('\n');
        for it in &report.combinations {
            let (with, result) = built_words(it);
            out.push_str(&line!("{with}: {result}\n"));
        }
    }
    out
}

fn with(on: &[String]) -> String {
    if on.is_empty() { "with none".to_owned() } else { format!("with {}", on.join(", ")) }
}
