//! The components of a target in all combinations, as a document and as words.

use std::path::Path;

use super::{failure, failure_text};
use crate::answers::experiments::combinations::{
    CombinationResult, CombinationRule, Combinations, RuleKind,
};
use crate::answers::report::{
    CombinationWord, MatrixCombination, MatrixReport, MatrixRule, RuleWord,
};
use crate::answers::secrets::Secrets;
use crate::display::{counted, line};

/// The document, and the data that it shows.
#[derive(Clone, Debug)]
pub struct MatrixAnswer {
    pub report: MatrixReport,
    /// The combinations and rules, in the order of the document.
    pub found: Combinations,
}

/// The document of an answer; `target` is the name from the command line, `folder` its directory.
pub fn matrix_report(
    target: &str,
    folder: &Path,
    found: Combinations,
    secrets: &Secrets,
) -> MatrixAnswer {
    let combinations = found.built.iter().map(|it| {
        let mut told = MatrixCombination {
            on: to_owned_names(found.component_names(it.on)),
            result: CombinationWord::Builds,
            output: None,
            failure: None,
            unknown: None,
        };
        match &it.result {
            CombinationResult::Output(number) => told.output = Some(number + 1),
            CombinationResult::Fails(why) => {
                told.result = CombinationWord::Fails;
                told.failure = Some(failure(why, folder, secrets));
            }
            CombinationResult::Unknown(why) => {
                told.result = CombinationWord::Unknown;
                told.unknown = Some(why.clone());
            }
        }
        told
    });
    let report = MatrixReport {
        schema_version: 1,
        target: target.to_owned(),
        file: crate::answers::relative(&found.file, folder),
        components: found.switches.clone(),
        exhaustive: found.exhaustive,
        outputs: found.outputs,
        combinations: combinations.collect(),
        rules: found.rules.iter().map(|it| rule(it, &found, folder, secrets)).collect(),
    };
    MatrixAnswer { report, found }
}

fn to_owned_names(names: Vec<&str>) -> Vec<String> {
    names.into_iter().map(str::to_owned).collect()
}

fn rule(
    rule: &CombinationRule,
    found: &Combinations,
    folder: &Path,
    secrets: &Secrets,
) -> MatrixRule {
    let name = |at: &usize| found.switches.get(*at).map(|it| it.name.clone()).unwrap_or_default();
    let (kind, component, fails) = match &rule.kind {
        RuleKind::Fails(why) => (RuleWord::Fails, None, Some(failure(why, folder, secrets))),
        RuleKind::ChangesNothing(at) => (RuleWord::ChangesNothing, Some(name(at)), None),
    };
    MatrixRule {
        kind,
        words: found.words(rule),
        component,
        on: rule.on.iter().map(name).collect(),
        off: rule.off.iter().map(name).collect(),
        holds_in: rule.holds_in,
        smallest: to_owned_names(found.component_names(rule.smallest)),
        failure: fails,
    }
}

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
