//! A finding of one or more targets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::answers::lint::finding_kind::WantedObject;
use crate::answers::secrets::Secrets;
use crate::answers::{UnknownCause, relative};
use crate::draft::EntryRef;
use crate::engine::diagnostic::{Code, Diagnostic, DiagnosticContent, Fix, Severity};
use crate::engine::yaml::Mark;

/// A finding of one or more targets. Paths are absolute; targets are directories.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedFinding {
    pub code: Code,
    /// A note if only some of the targets that use the entry have the finding.
    pub severity: Severity,
    pub file: Option<PathBuf>,
    pub mark: Mark,
    pub message: String,
    pub hint: Option<String>,
    /// The target from which message and hint come: the first target with the finding.
    pub(in crate::answers) message_of: PathBuf,
    pub targets: Vec<PathBuf>,
    pub used_by: usize,
    pub entry: Option<EntryRef>,
    pub fix: Option<Fix>,
    pub fix_file: Option<PathBuf>,
    pub affected: Vec<PathBuf>,
    /// The bases whose builds use `fix_file`, which users may deploy as well.
    pub bases: Vec<PathBuf>,
    pub untried: Option<String>,
    pub waived: Option<String>,
    /// True if only direct builds of a base have the finding, and no target that uses the base.
    pub alone: bool,
    /// For a finding about missing information, the reason why it is missing.
    pub unknown: Option<UnknownCause>,
    pub is_failure: bool,
    /// The feature that the finding shares with those that a report lists in one row with it.
    pub(in crate::answers) habit: Option<String>,
    /// The object that the entry selects, if no resource has its name.
    pub(in crate::answers) wanted: Option<WantedObject>,
    /// True if a later step of a target makes the match: the entry is meant.
    pub(in crate::answers) is_met_later: bool,
    pub tags: Vec<(String, String)>,
    /// The messages of the same finding in other targets, where they differ.
    pub(in crate::answers) others: BTreeSet<String>,
}

impl SharedFinding {
    pub(in crate::answers) fn new<R: DiagnosticContent>(
        diagnostic: &Diagnostic<R>,
        file: &Path,
        targets: Vec<PathBuf>,
    ) -> Self {
        Self {
            code: diagnostic.code(),
            severity: diagnostic.severity(),
            file: Some(file.to_owned()),
            mark: diagnostic.mark,
            message: diagnostic.message(),
            hint: diagnostic.advice(),
            message_of: targets.first().cloned().unwrap_or_default(),
            used_by: targets.len(),
            targets,
            entry: None,
            fix: None,
            fix_file: None,
            affected: Vec::new(),
            bases: Vec::new(),
            untried: None,
            waived: None,
            alone: false,
            unknown: None,
            is_failure: false,
            habit: None,
            wanted: None,
            is_met_later: false,
            tags: Vec::new(),
            others: BTreeSet::new(),
        }
    }

    /// True if the finding has a fix that can be applied without a decision of the user.
    pub fn has_fix(&self) -> bool {
        self.fix.as_ref().is_some_and(|fix| *fix != Fix::ByHand)
    }

    /// Adds the same finding of other targets. The report shows only one message: of the first target
    /// in which a later step makes the match, or else of the first target.
    pub(in crate::answers) fn merge(&mut self, other: Self) {
        let last = self.targets.last().cloned();
        self.targets.extend(other.targets.into_iter().filter(|it| Some(it) != last.as_ref()));
        self.others.extend(other.others);
        let is_first =
            (!other.is_met_later, &other.message_of) < (!self.is_met_later, &self.message_of);
        if !is_first {
            self.others.insert(other.message);
            return;
        }
        if other.is_met_later {
            (self.fix, self.is_met_later) = (other.fix, true);
        }
        self.others.insert(std::mem::replace(&mut self.message, other.message));
        (self.hint, self.message_of) = (other.hint, other.message_of);
    }

    /// The target whose message is shown, if several targets have different messages.
    pub fn message_target(&self) -> Option<&Path> {
        (!self.others.is_empty() && self.targets.len() > 1).then_some(&*self.message_of)
    }

    /// The code, file and message of a finding without numbers: equal in all runs, even if lines
    /// and steps move.
    fn fingerprint(&self, base: &Path) -> String {
        let file = self.file.as_deref().map(|file| relative(file, base)).unwrap_or_default();
        let mut words = String::new();
        // The replacements of masked values differ from process to process.
        for c in Secrets::without_salt(&self.message).chars() {
            match c {
                '0'..='9' if words.ends_with('#') => {}
                '0'..='9' => words.push('#'),
                _ => words.push(c),
            }
        }
        format!("{} {file}: {words}", self.code)
    }
}

/// The fingerprints of all findings, in their order. Equal messages of one file are numbered.
pub fn fingerprints(found: &[SharedFinding], base: &Path) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let numbered = |one: &SharedFinding| {
        let words = one.fingerprint(base);
        let number = seen.entry(words.clone()).or_insert(0);
        *number += 1;
        if *number == 1 { words } else { format!("{words} ({number})") }
    };
    found.iter().map(numbered).collect()
}
