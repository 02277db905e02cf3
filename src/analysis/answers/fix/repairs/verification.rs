//! Verification of a fix: every affected target is built with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use similar::{ChangeTag, TextDiff};

use super::{
    Builders, FixSelection, ProvedFix, RebuildTarget, RefutedFix, UnconfirmedTarget, VARS,
};
use crate::answers::fix::migrate_field::is_always_equivalent;
use crate::answers::recording::build::is_pending;
use crate::answers::{SharedFinding, add_faults, headline, pending_need};
use crate::display::counted;
use crate::draft::{Draft, WriteScope};
use crate::engine::diagnostic::{Code, Fix};
use crate::engine::load::Files;
use crate::engine::yaml::print_documents;
use crate::repository::map_in_parallel;

pub(super) enum Refutation {
    Cancelled,
    /// The reason in words, with the target whose build shows it.
    Reason(String, Option<PathBuf>),
    /// The proposal is no fix: it causes no error and changes no output. The text contains this in
    /// words.
    NoEffect(String),
    /// The proposal makes the build of a target fail that succeeds now: the error in words, with the
    /// target.
    Breaks(String, PathBuf),
}

impl Refutation {
    pub(super) fn into_refused(self, finding: usize) -> Option<RefutedFix> {
        let (reason, target) = match self {
            Self::Cancelled => return None,
            Self::NoEffect(reason) => (reason, None),
            Self::Breaks(reason, target) => (reason, Some(target)),
            Self::Reason(reason, target) => (reason, target),
        };
        Some(RefutedFix { finding, reason, target })
    }

    #[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
    pub(super) fn from_error(words: impl ToString) -> Self {
        Self::Reason(words.to_string(), None)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TrialOutput {
    text: String,
    /// The number of warnings by code; empty if no fix is judged by warnings.
    codes: BTreeMap<&'static str, usize>,
    /// Why the text is only the known part of the output.
    pending: Option<String>,
}

const BUILD_FAILS: &str = "its build fails: ";

type TrialResult = Result<TrialOutput, String>;

fn complete_output(built: &TrialResult) -> Option<&TrialOutput> {
    built.as_ref().ok().filter(|output| output.pending.is_none())
}

impl TrialOutput {
    fn of_target(
        target: &Path,
        files: &Arc<dyn Files>,
        with_codes: bool,
        rebuild: &mut RebuildTarget<'_>,
    ) -> Result<TrialResult, Refutation> {
        let mut built = rebuild(target, files.clone()).ok_or(Refutation::Cancelled)?;
        let text = match &built.outcome {
            Err(error) => Err(error.message.clone()),
            Ok(resources) => print_documents(resources.iter().map(|resource| &resource.node))
                .map_err(|error| error.to_string()),
        };
        let text = match text {
            Ok(text) => text,
            Err(words) => return Ok(Err(format!("{BUILD_FAILS}{}", headline(&words)))),
        };
        let waits = built.trace.steps.iter().find(|step| is_pending(step));
        let pending = waits.and_then(pending_need);
        let mut codes = BTreeMap::new();
        if with_codes && pending.is_none() {
            built.trace.add_late_warnings();
            add_faults(&mut built, &**files);
            let warnings = built.trace.steps.iter().flat_map(|step| &step.warnings);
            warnings.for_each(|warning| *codes.entry(warning.code().as_str()).or_insert(0) += 1);
        }
        Ok(Ok(Self { text, codes, pending }))
    }

    fn count_warnings(&self, code: Code) -> usize {
        self.codes.get(code.as_str()).copied().unwrap_or(0)
    }
}

pub(super) struct FixTrials<'t, 'r> {
    pub(super) files: &'t Arc<dyn Files>,
    pub(super) builders: &'t mut Builders<'r>,
    /// The draft with all fixes that are applied so far.
    pub(super) draft: Draft,
    known: BTreeMap<PathBuf, TrialResult>,
    wanted: FixSelection,
    /// True if a fix is judged by the warnings of the build.
    with_codes: bool,
}

/// True for a fix that must not change the output, whatever the warnings.
fn must_keep_output(fix: &Fix) -> bool {
    matches!(fix, Fix::RemoveEntry | Fix::RemoveTarget(_) | Fix::RemoveField(_) | Fix::Migrate(_))
}

pub(in crate::answers) fn is_decided_by_output(fix: &Fix) -> bool {
    // A migration of `vars` also needs the steps, which show where the vars are used.
    must_keep_output(fix) && *fix != Fix::Migrate(VARS.to_owned())
}

impl<'t, 'r> FixTrials<'t, 'r> {
    pub(super) fn new(
        found: &[SharedFinding],
        files: &'t Arc<dyn Files>,
        builders: &'t mut Builders<'r>,
        wanted: FixSelection,
        scope: &WriteScope,
    ) -> Self {
        let with_codes =
            found.iter().filter_map(|found| found.fix.as_ref()).any(|fix| !must_keep_output(fix));
        let draft = Draft::default().limited_to_scope(scope.clone());
        Self { files, builders, draft, known: BTreeMap::new(), wanted, with_codes }
    }

    /// Builds every affected target with the draft `next`, which contains the fix, and returns the
    /// fix with its result in words. A fix that `loses_content` which no other entry has is not
    /// safe.
    pub(super) fn build_with_fix(
        &mut self,
        (finding, found, loses_content): (usize, &SharedFinding, bool),
        next: &Draft,
    ) -> Result<ProvedFix, Refutation> {
        let fix = found.fix.as_ref().ok_or(Refutation::Cancelled)?;
        let fixed = next.files(self.files.clone());
        let trial = FixTrial {
            found,
            fix,
            files: self.files,
            fixed: &fixed,
            known: &self.known,
            with_codes: self.with_codes,
            refuted: AtomicUsize::new(usize::MAX),
        };
        let builders = &mut *self.builders;
        let share = found.affected.len().div_ceil(builders.len().max(1)).max(1);
        let parts = found.affected.chunks(share).zip(builders.iter_mut()).enumerate().collect();
        let parts = map_in_parallel(parts, |(part, (targets, rebuild))| {
            trial.try_in_targets(part, targets, &mut **rebuild)
        });
        let kept = match builders.first_mut() {
            Some(rebuild) if must_keep_output(fix) => {
                found.bases.iter().try_for_each(|base| trial.check_base(base, &mut **rebuild))
            }
            _ => Ok(()),
        };
        let (mut after, mut refuted, mut unconfirmed) = (Vec::new(), kept.err(), Vec::new());
        let (mut lines, mut mended) = (0, 0);
        for part in parts {
            unconfirmed.extend(part.unconfirmed);
            self.known.extend(part.before);
            refuted = refuted.or(part.refuted);
            for (target, built, changed) in part.with {
                lines += changed.unwrap_or(0);
                mended += usize::from(changed.is_none());
                after.push((target, Ok(built)));
            }
        }
        if let Some(why) = refuted {
            return Err(why);
        }
        if after.is_empty() && matches!(fix, Fix::Migrate(_)) {
            self.confirm_by_layer(found, unconfirmed.first(), &fixed)?;
        }
        let is_useless_alone =
            matches!(fix, Fix::SetValues(_) | Fix::MoveBelow(_) | Fix::MoveEntry(_));
        if is_useless_alone && lines == 0 && mended == 0 {
            let words = format!("{} no line of the output changes", result_intro(fix));
            return Err(Refutation::NoEffect(words));
        }
        let builds = after.len();
        // The output of a build that succeeds with a guess is new: it may be a wrong one.
        let is_guess = matches!(fix, Fix::SetText { is_guess: true, .. }) && mended > 0;
        let is_safe = lines == 0 && unconfirmed.is_empty() && !is_guess && !loses_content;
        let is_done = is_safe || self.wanted == FixSelection::All;
        if is_done {
            self.known.extend(after);
        }
        let words = result_words(fix, [builds, lines, mended], unconfirmed.len());
        Ok(ProvedFix { finding, words, is_done, unconfirmed })
    }

    /// Confirms a migration without a target that can be compared: the layer of its file, built
    /// alone, has the same output, or Kustomize gives the new form the same meaning for any
    /// resources.
    fn confirm_by_layer(
        &mut self,
        found: &SharedFinding,
        unconfirmed: Option<&UnconfirmedTarget>,
        fixed: &Arc<dyn Files>,
    ) -> Result<(), Refutation> {
        let folder = found.fix_file.as_deref().and_then(Path::parent);
        let (Some(folder), Some(rebuild), Some(fix @ Fix::Migrate(field))) =
            (folder, self.builders.first_mut(), &found.fix)
        else {
            return Err(Refutation::Cancelled);
        };
        let mut output =
            |files: &Arc<dyn Files>| TrialOutput::of_target(folder, files, false, &mut **rebuild);
        if !self.known.contains_key(folder) {
            self.known.insert(folder.to_owned(), output(self.files)?);
        }
        let before = self.known.get(folder).and_then(complete_output);
        if let Some(before) = before.filter(|before| !before.text.is_empty()) {
            let after = output(fixed)?;
            let reason = match complete_output(&after) {
                Some(after) if after.text == before.text => return Ok(()),
                Some(after) => first_difference_text(fix, &before.text, &after.text),
                None => format!("{} the layer alone does not build", result_intro(fix)),
            };
            return Err(Refutation::Reason(reason, Some(folder.to_owned())));
        }
        if is_always_equivalent(field) {
            return Ok(());
        }
        let reason = unconfirmed.map_or("no target builds with the file", |(_, reason)| reason);
        let words = format!("no build shows that the output stays the same: {reason}");
        Err(Refutation::Reason(words, unconfirmed.map(|(target, _)| target.clone())))
    }
}

/// The fix and the result of its trial, in words. Of the `builds` targets that were built, `mended`
/// did not build without the fix; `lines` lines of their outputs changed. The output of
/// `unconfirmed` targets is not known.
fn result_words(fix: &Fix, [builds, lines, mended]: [usize; 3], unconfirmed: usize) -> String {
    let targets = match builds {
        0 => "the layer of the file alone".to_owned(),
        builds => counted(builds, "target"),
    };
    let outcome = match (must_keep_output(fix), lines) {
        _ if mended == 1 && builds == 1 => "builds now".to_owned(),
        _ if mended > 0 => format!("{mended} of {builds} build now"),
        (true, _) => "the output stays the same".to_owned(),
        (false, 0) => "no line of the output changes".to_owned(),
        (false, 1) => "1 line of the output changes".to_owned(),
        (false, lines) => format!("{lines} lines of the output change"),
    };
    let unknown = match unconfirmed {
        0 => String::new(),
        count => format!("; not known for {}", counted(count, "target")),
    };
    format!("{} (verified in {targets}: {outcome}{unknown})", fix_words(fix))
}

struct FixTrial<'a> {
    found: &'a SharedFinding,
    fix: &'a Fix,
    files: &'a Arc<dyn Files>,
    fixed: &'a Arc<dyn Files>,
    known: &'a BTreeMap<PathBuf, TrialResult>,
    with_codes: bool,
    /// The index of the first part of the targets that refutes the fix: later parts are not needed.
    refuted: AtomicUsize,
}

#[derive(Default)]
struct TrialResults {
    /// The results without the fix, if they were not known.
    before: Vec<(PathBuf, TrialResult)>,
    /// The results with the fix, and the number of changed lines; `None` for a target that failed
    /// before.
    with: Vec<(PathBuf, TrialOutput, Option<usize>)>,
    /// The targets without a known output, before as well as after a migration.
    unconfirmed: Vec<UnconfirmedTarget>,
    /// Why the fix is refuted, if a trial refutes it. It was then not tried in the remaining
    /// targets.
    refuted: Option<Refutation>,
}

impl FixTrial<'_> {
    /// Tries the fix in these targets, in order, up to one that refutes it. `part` is the index of
    /// the group of targets among those that are tried in parallel.
    fn try_in_targets(
        &self,
        part: usize,
        targets: &[PathBuf],
        rebuild: &mut RebuildTarget<'_>,
    ) -> TrialResults {
        let mut came = TrialResults::default();
        for target in targets {
            if self.refuted.load(Ordering::Relaxed) < part {
                break;
            }
            if let Err(why) = self.add(target, &mut came, rebuild) {
                self.refuted.fetch_min(part, Ordering::Relaxed);
                came.refuted = Some(why);
                break;
            }
        }
        came
    }

    /// Refutes a fix that changes the output of a base. A base without a known output has none to
    /// keep.
    fn check_base(
        &self,
        base: &PathBuf,
        rebuild: &mut RebuildTarget<'_>,
    ) -> Result<(), Refutation> {
        let mut build =
            |files: &Arc<dyn Files>| TrialOutput::of_target(base, files, false, rebuild);
        let before = build(self.files)?;
        let Some(was) = complete_output(&before) else { return Ok(()) };
        let after = build(self.fixed)?;
        let judged = match complete_output(&after) {
            Some(built) => self.count_changed_lines(base, Some(was), built).map(drop),
            None => Err(self.no_output_reason(&before, &after)),
        };
        judged.map_err(|reason| Refutation::Reason(reason, Some(base.clone())))
    }

    fn add(
        &self,
        target: &PathBuf,
        came: &mut TrialResults,
        rebuild: &mut RebuildTarget<'_>,
    ) -> Result<(), Refutation> {
        if !self.known.contains_key(target) {
            let built = TrialOutput::of_target(target, self.files, self.with_codes, rebuild)?;
            came.before.push((target.clone(), built));
        }
        let known = self.known.get(target);
        let before = known.or_else(|| came.before.last().map(|(_, built)| built));
        let before = before.ok_or(Refutation::Cancelled)?;
        let told = |words: String| Refutation::Reason(words, Some(target.clone()));
        let is_migration = matches!(self.fix, Fix::Migrate(_));
        if let (true, Err(reason)) = (is_migration, before) {
            if *self.fix == Fix::Migrate(VARS.to_owned()) {
                return Err(told(format!("the uses of the vars are not known: {reason}")));
            }
            came.unconfirmed.push((target.clone(), reason.clone()));
            return Ok(());
        }
        let after = TrialOutput::of_target(target, self.fixed, self.with_codes, rebuild)?;
        if let (true, Ok(before), Ok(after)) = (is_migration, before, &after)
            && let Some(reason) = before.pending.clone().filter(|_| after.pending.is_some())
        {
            if after.text != before.text {
                return Err(told(first_difference_text(self.fix, &before.text, &after.text)));
            }
            came.unconfirmed.push((target.clone(), reason));
            return Ok(());
        }
        let Some(output) = complete_output(&after) else {
            let reason = self.no_output_reason(before, &after);
            return Err(if before.is_ok() && after.is_err() {
                Refutation::Breaks(reason, target.clone())
            } else {
                told(reason)
            });
        };
        let lines = self.count_changed_lines(target, complete_output(before), output);
        let lines = lines.map_err(told)?;
        came.with.extend(after.ok().map(|built| (target.clone(), built, lines)));
        Ok(())
    }

    fn no_output_reason(&self, before: &TrialResult, built: &TrialResult) -> String {
        let with = result_intro(self.fix);
        let Err(reason) = built else {
            return format!("{with} the output is not known: a step is pending");
        };
        let fails = if before.is_ok() { "fails" } else { "still fails" };
        format!("{with} the build {fails}: {}", reason.trim_start_matches(BUILD_FAILS))
    }

    /// The number of changed lines of the output; `None` if the build failed before. An error if
    /// the result refutes the fix.
    fn count_changed_lines(
        &self,
        target: &PathBuf,
        before: Option<&TrialOutput>,
        built: &TrialOutput,
    ) -> Result<Option<usize>, String> {
        let (found, fix) = (self.found, self.fix);
        let Some(before) = before else {
            // If a removal makes a failing build succeed, it may have removed an intended part.
            return if must_keep_output(fix) {
                Err("the build fails without the fix too: the effect of the fix on the output cannot be verified".to_owned())
            } else {
                Ok(None)
            };
        };
        // A schema replaces the built-in one: the other warnings must not increase.
        let is_schema = matches!(fix, Fix::AddFile { field, .. } if field == "openapi");
        let mut codes = built.codes.iter().filter(|_| is_schema);
        let increased =
            codes.find(|(code, count)| before.codes.get(**code).is_none_or(|was| was < *count));
        if let Some((code, _)) = increased {
            return Err(format!("{} the build has one more {code}", result_intro(fix)));
        }
        let is_same = built.text == before.text;
        if must_keep_output(fix) || !found.targets.contains(target) {
            if !is_same {
                return Err(first_difference_text(fix, &before.text, &built.text));
            }
        } else if built.count_warnings(found.code) >= before.count_warnings(found.code) {
            return Err(format!("{} the finding is still reported", result_intro(fix)));
        }
        let changes = TextDiff::from_lines(&before.text, &built.text);
        let added = changes.iter_all_changes().filter(|it| it.tag() == ChangeTag::Insert);
        Ok(Some(if is_same { 0 } else { added.count() }))
    }
}

fn result_intro(fix: &Fix) -> String {
    let intro = match fix {
        Fix::RemoveEntry => "without the entry",
        Fix::RemoveTarget(_) => "without the target",
        Fix::RemoveField(_) => "without the field",
        Fix::Migrate(_) => "in its new form",
        Fix::MoveBelow(_) | Fix::MoveEntry(_) => "after the move",
        Fix::SetValues(values) if values.iter().all(|value| value.with.is_some()) => {
            return format!("with {}", fix_words(fix).replace("write ", ""));
        }
        Fix::SetValues(_)
        | Fix::AddFile { .. }
        | Fix::MoveToList(_)
        | Fix::SetText { .. }
        | Fix::ByHand => "with the fix",
    };
    intro.to_owned()
}

fn first_difference_text(fix: &Fix, before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let first = |tag: ChangeTag| {
        let mut changes = diff.iter_all_changes().filter(|change| change.tag() == tag);
        let Some(change) = changes.next() else { return "nothing".to_owned() };
        let of_text = change.old_index().map(|at| (before, at));
        let of_text = of_text.or_else(|| change.new_index().map(|at| (after, at)));
        if of_text.is_some_and(|(text, at)| belongs_to_secret(text, at)) {
            return "a line of a Secret".to_owned();
        }
        format!("`{}`", change.value().trim())
    };
    let (old, new) = (first(ChangeTag::Delete), first(ChangeTag::Insert));
    format!("{} the output would change: {new} in place of {old}", result_intro(fix))
}

fn belongs_to_secret(output: &str, line: usize) -> bool {
    let ends = |line: &&str| *line == "---";
    let lines: Vec<&str> = output.lines().collect();
    let (before, behind) = lines.split_at(line.min(lines.len()));
    let own = before.iter().rev().take_while(|line| !ends(line));
    own.chain(behind.iter().take_while(|line| !ends(line))).any(|line| *line == "kind: Secret")
}

fn fix_words(fix: &Fix) -> String {
    match fix {
        Fix::ByHand => "see the hint".to_owned(),
        Fix::RemoveEntry => "remove this entry".to_owned(),
        Fix::RemoveTarget(_) => "remove this target".to_owned(),
        Fix::RemoveField(field) => format!("remove {field}"),
        Fix::MoveBelow(entry) => format!("move this entry below entry {}", entry + 1),
        Fix::MoveEntry(moved) => moved.to_string(),
        Fix::Migrate(field) => format!("write {field} in its new form"),
        Fix::AddFile { field, name, .. } if field == "openapi" => {
            format!(
                "define the merge key of the list in {name}, and name that file in openapi.path"
            )
        }
        Fix::AddFile { field, name, .. } => format!("add {name} to {field}"),
        Fix::MoveToList(list) => format!("move this entry to {list}"),
        Fix::SetText { words, .. } => words.clone(),
        Fix::SetValues(values) => {
            let one = |value: &crate::engine::diagnostic::ValueReplacement| {
                let key = value.path.last().map_or("", String::as_str);
                match &value.with {
                    Some(with) => format!("write {key}: {with}"),
                    None => format!("remove {key}: {}", value.was),
                }
            };
            values.iter().map(one).collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::answers::fix::repairs::verification::*;

    /// The reason against a fix shows the changed lines, except for lines of Secrets.
    #[test]
    fn lines_of_secrets_are_not_shown() {
        let output = |kind: &str, value: &str| {
            format!("kind: Pod\n---\ndata:\n  key: {value}\nkind: {kind}\n---\nkind: Secret\n")
        };
        let told = |kind: &str| {
            first_difference_text(&Fix::RemoveEntry, &output(kind, "one"), &output(kind, "two"))
        };
        let words = "without the entry the output would change: ";
        assert_eq!(told("ConfigMap"), format!("{words}`key: two` in place of `key: one`"));
        let hidden = format!("{words}a line of a Secret in place of a line of a Secret");
        assert_eq!(told("Secret"), hidden);
    }
}
