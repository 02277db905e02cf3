//! The fixes of one build, each verified alone: offers for a problem.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use similar::TextDiff;

use crate::draft::{FileChange, WriteScope};
use crate::engine::diagnostic::Code;
use crate::engine::evaluate::Evaluation;
use crate::engine::load::Files;

use super::repairs::is_decided_by_output;
use crate::answers::lint::verified_findings::VerifiedFinding;
use crate::answers::secrets::Secrets;
use crate::answers::{
    AskedFor, ClaimTrial, Finding, FixSelection, RebuildTarget, Recording, SharedFindings,
    findings, repairs,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub code: Code,
    pub file: Option<PathBuf>,
    pub line: u32,
    pub words: String,
    pub changes: Vec<FileChange>,
    /// The reason against the fix; with a reason, `words` and `changes` are empty.
    pub refused: Option<String>,
}

impl Offer {
    #[must_use]
    pub fn limited_to_scope(self, scope: &WriteScope, files: &dyn Files) -> Self {
        let reason = self.changes.iter().find_map(|it| scope.check(&it.path, files).err());
        let Some(reason) = reason else { return self };
        Self {
            words: String::new(),
            changes: Vec::new(),
            refused: Some(format!("not fixable here: {reason}")),
            ..self
        }
    }

    /// The changes as a diff, with values of Secrets masked; `name` is the shown path of a file.
    pub fn diff(&self, secrets: &Secrets, name: impl Fn(&Path) -> String) -> String {
        let diff = |change: &FileChange| {
            let [before, after] = [&change.base, &change.draft].map(|bytes| {
                let masked = secrets.file(&change.path, bytes.as_deref().unwrap_or_default());
                String::from_utf8_lossy(&masked).into_owned()
            });
            let diff = TextDiff::from_lines(&before, &after);
            format!("{}\n{}", name(&change.path), diff.unified_diff().context_radius(1))
        };
        self.changes.iter().map(diff).collect()
    }
}

/// Tries the fixes of the problems of a build; a refuted fix has a reason. Stops as soon as
/// `rebuild` returns `None`.
pub fn offers(
    recording: &Recording,
    target: &Path,
    files: &Arc<dyn Files>,
    rebuild: &mut (dyn FnMut(Arc<dyn Files>, AskedFor) -> Option<Evaluation> + Send),
) -> Vec<Offer> {
    let mut all = findings(recording);
    // Problems that are reported only after a trial are tried here as well.
    let suspects = recording.trace.overridden_candidates().into_iter();
    all.extend(suspects.map(|(step, diagnostic)| Finding::from_diagnostic(diagnostic, step)));
    // The entry that comes too early, if the build fails because of it.
    let failure = recording.error.as_ref();
    let trial = failure.and_then(|_| ClaimTrial::from_trace(&recording.trace, &[], &**files));
    let claims = trial.map(|it| it.run(files, &mut |files| rebuild(files, AskedFor::Output)));
    for (step, claim) in claims.into_iter().flatten().take(1) {
        let finding = match claim {
            VerifiedFinding::Diagnostic(diagnostic) => Finding::from_diagnostic(*diagnostic, step),
            VerifiedFinding::Failure(error) => Finding::from_error(&error, Some(step)),
        };
        let code = finding.diagnostic.code();
        all.retain(|known| known.step != Some(step) || known.diagnostic.code() != code);
        all.push(finding);
    }
    let mut report = SharedFindings::new(target.to_owned());
    report.add(target, recording, &all, &**files, &Secrets::shown());
    let found = report.into_sorted_findings(&**files);
    let mut offers = Vec::new();
    for one in found.iter().filter(|found| found.has_fix()) {
        let is_told = one.fix.as_ref().is_some_and(is_decided_by_output);
        let asked = if is_told { AskedFor::Output } else { AskedFor::Steps };
        let again: Box<RebuildTarget<'_>> = Box::new(|_, files| rebuild(files, asked));
        let mut again = [again];
        let one_only = std::slice::from_ref(one);
        // The caller limits the files that may be written.
        let scope = WriteScope::default();
        let repairs = repairs(one_only, files, &mut again, FixSelection::All, &scope);
        let (code, file, line) = (one.code, one.file.clone(), one.mark.line);
        let (words, changes, refused) = if let Some(proved) = repairs.proved.into_iter().next() {
            (proved.words, repairs.changes, None)
        } else {
            let Some(refused) = repairs.refused.into_iter().next() else { continue };
            (String::new(), Vec::new(), Some(refused.reason))
        };
        offers.push(Offer { code, file, line, words, changes, refused });
    }
    offers
}
