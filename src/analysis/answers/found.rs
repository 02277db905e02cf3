//! What is found in one or more targets.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::relative;
use super::secrets::Secrets;
use crate::draft::EntryRef;
use crate::engine::diagnostic::{Code, Fix, Severity};
use crate::engine::yaml::Mark;

/// Something found in one or more targets.
#[derive(Clone, Debug)]
pub struct Found {
    /// Which rule.
    pub code: Code,
    /// How bad it is; what is so in only a part of the targets that use the entry is a note.
    pub severity: Severity,
    /// The file, absolute; nothing for what has no place.
    pub file: Option<PathBuf>,
    /// Where in it.
    pub mark: Mark,
    /// In one sentence.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// The target that message and hint are taken from: the first of those that it is so in.
    pub(super) message_of: PathBuf,
    /// The targets that it is so in, by directory.
    pub targets: Vec<PathBuf>,
    /// How many targets use the entry.
    pub used_by: usize,
    /// The entry of a kustomization file that it is about.
    pub entry: Option<EntryRef>,
    /// What would mend it.
    pub fix: Option<Fix>,
    /// The kustomization file that the fix is for.
    pub fix_file: Option<PathBuf>,
    /// The targets that build with that file.
    pub affected: Vec<PathBuf>,
    /// Why the fix was not tried.
    pub untried: Option<String>,
    /// The reason for which a person waived it.
    pub waived: Option<String>,
    /// It is so only where a base is built alone, and in none of the targets that use the base.
    pub alone: bool,
    /// What else is said of the same place, when all of it is one finding.
    pub(super) others: BTreeSet<String>,
}

impl Found {
    /// True when there is a fix to be tried.
    pub fn has_fix(&self) -> bool {
        self.fix.as_ref().is_some_and(|fix| *fix != Fix::ByHand)
    }

    /// Masks values of Secrets in its texts.
    pub fn mask(&mut self, secrets: &Secrets) {
        self.message = secrets.text(&self.message);
        self.hint = self.hint.as_ref().map(|hint| secrets.text(hint));
        self.untried = self.untried.as_ref().map(|reason| secrets.text(reason));
    }

    /// Takes in what another target says of the same; the first one is told.
    pub(super) fn say(&mut self, target: PathBuf, message: String, hint: Option<String>) {
        if target < self.message_of {
            self.others.insert(std::mem::replace(&mut self.message, message));
            (self.hint, self.message_of) = (hint, target);
        } else {
            self.others.insert(message);
        }
    }

    /// The target that the message is taken from, when there are several and it is not the same in all of them.
    pub fn told_of(&self) -> Option<&Path> {
        (!self.others.is_empty() && self.targets.len() > 1).then_some(&*self.message_of)
    }

    /// The same from one run to the next, wherever lines and steps have moved to.
    fn fingerprint(&self, base: &Path) -> String {
        let file = self.file.as_deref().map(|file| relative(file, base)).unwrap_or_default();
        let mut words = String::new();
        // The salt of marks is another one in each process.
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

/// The fingerprints of all findings, in their order. What is said in the same words of another place of the same file has
/// a number behind it.
pub fn fingerprints(found: &[Found], base: &Path) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let numbered = |one: &Found| {
        let words = one.fingerprint(base);
        let number = seen.entry(words.clone()).or_insert(0);
        *number += 1;
        if *number == 1 { words } else { format!("{words} ({number})") }
    };
    found.iter().map(numbered).collect()
}
