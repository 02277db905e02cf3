//! The components of a target in all combinations, in words.

use super::failure_text;
use crate::answers::report::{CombinationWord, MatrixCombination, MatrixReport};
use crate::display::{counted, line};

/// A summary such as `6 components, all 64 combinations: 48 build, 16 fail; 12 different outputs`.
pub fn matrix_summary(report: &MatrixReport) -> String {
    let of = |word| report.combinations.iter().filter(|it| it.result == word).count();
    let mut parts = vec![format!("{} build", of(CombinationWord::Builds))];
    for (number, word) in
        [(of(CombinationWord::Fails), "fail"), (of(CombinationWord::Unknown), "not known")]
    {
        if number > 0 {
            parts.push(format!("{number} {word}"));
        }
    }
    let count = report.combinations.len();
    let which = if report.exhaustive {
        format!("all {}", counted(count, "combination"))
    } else {
        format!("{count} of their combinations")
    };
    format!(
        "{}, {which}: {}; {}",
        counted(report.components.len(), "component"),
        parts.join(", "),
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
