//! `kzui check`: the findings of all targets below some paths.

mod baseline;
mod formats;
mod merge;
mod moved;
mod text;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::answers::compare::Shard;
use crate::answers::secrets::Secrets;
use crate::answers::{
    ChangedInputs, FixSelection, PassedFlags, Repairs, SharedFinding, TargetCheck,
    add_shared_paths, add_unlisted_manifests, drop_unverified_fixes, fingerprints, lower_unwanted,
    rebuilder, relative, remove_unrequested, repairs_on_all_cores, report_rows, repository_row,
};
use crate::cli::failure::CommandResult;
use crate::draft::{FileChange, WriteScope};
use crate::engine::diagnostic::{Code, Fix, Severity};

use super::build_flags::parse_shard;
use super::place::repository_root;
use super::targets::{SelectedTargets, select, write_scope};
use super::{BuildFlags, CliPorts, Exit, changes, options};

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui check\n  kzui check --changed main --format github\n  kzui check --fix --diff\n  kzui check --shard 1/4 --format json > part-1.json\n  kzui check --merge part-*.json > all.json\n\nExit status: 0 on success, 1 with findings of the severity of --fail-on or worse, 2 if no target can be checked."
)]
pub struct CheckArgs {
    /// Folders with targets below them, files, and deployment objects (app.yaml#web)
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<String>,
    /// The lowest severity that fails the check
    #[arg(long, value_enum, default_value_t)]
    pub fail_on: FailOn,
    /// Only these codes, or all with this prefix (KZ1)
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Leave out these codes
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// The format of the report
    #[arg(long, value_enum, default_value_t)]
    pub format: ReportFormat,
    /// Show notes as well as errors and warnings (--select shows those that it names)
    #[arg(long)]
    pub notes: bool,
    /// Ignore the findings of this file (the baseline): only new ones count
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the findings to this file as a new baseline
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
    /// Only targets that read a file which differs from this git commit
    #[arg(long, value_name = "REF")]
    pub changed: Option<String>,
    /// Only the K-th of N parts of the targets
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    pub shard: Option<Shard>,
    /// Merge the reports of parts.
    #[arg(long, help = "Merge the reports of `--shard` runs: each PATH is a JSON, SARIF or JUnit file", conflicts_with_all = ["shard", "changed", "baseline", "write_baseline", "format", "fix", "diff"])]
    pub merge: bool,
    #[command(flatten)]
    pub mending: FixFlags,
    #[command(flatten)]
    pub build: BuildFlags,
}

// The fixes that are written or shown.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct FixFlags {
    /// Write the verified fixes of listed findings that keep the output of every target
    #[arg(long)]
    pub fix: bool,
    /// With --fix and --diff: also similar names, which change an output, and removals of entries without a match
    #[arg(long)]
    pub unsafe_fixes: bool,
    /// Show the fixes of --fix as a diff, without writing them
    #[arg(long)]
    pub diff: bool,
}

/// The least severity that makes the exit status 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors only
    #[default]
    Error,
    /// Errors and warnings
    Warning,
    /// Any finding
    Note,
    /// No finding
    Never,
}

impl FailOn {
    fn includes(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity == Severity::Error,
            Self::Warning => severity != Severity::Note,
            Self::Note => true,
            Self::Never => false,
        }
    }
}

/// `--format` of `kzui check`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people, with the lines
    #[default]
    Text,
    /// JSON with a schemaVersion
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// The XML of test reports.
    #[value(help = "JUnit XML")]
    Junit,
    /// Annotations of GitHub workflows
    Github,
    /// The Code Quality report of GitLab
    Gitlab,
    /// A table for a comment on a change
    Markdown,
}

/// The findings of a check with their fixes, as all reports show them.
pub(super) struct CheckResult {
    pub(super) found: Vec<SharedFinding>,
    /// The number of findings that are no summary of a repository; the findings that represent all
    /// findings of a rule in a repository follow them.
    single: usize,
    /// The indices of the findings in a report for people, the worst first, then by location. For some rules, one
    /// row represents all findings in a repository.
    rows: Vec<usize>,
    pub(super) notes: bool,
    /// The findings about unknown facts; a report lists them on request only.
    pub(super) unknown: Vec<SharedFinding>,
    /// The findings about targets that are built without load restrictions.
    pub(super) unrestricted: Vec<SharedFinding>,
    pub(super) repairs: Repairs,
    pub(super) scope: WriteScope,
    /// True if the applied fixes were written to the files.
    pub(super) is_written: bool,
    pub(super) fingerprints: Vec<String>,
    pub(super) targets: usize,
    pub(super) known: BTreeSet<String>,
    pub(super) base: PathBuf,
    pub(super) secrets: Secrets,
}

impl CheckResult {
    /// The listed findings of a report for people, with their indices; notes only with `--notes`.
    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, &SharedFinding)> {
        self.all_rows().filter(|(_, found)| self.is_listed(found))
    }

    /// The listed findings of a report for programs, with their indices: the findings that
    /// represent all of a repository are left out.
    pub(super) fn single_findings(&self) -> impl Iterator<Item = (usize, &SharedFinding)> {
        let singles = self.found.iter().enumerate().take(self.single);
        singles.filter(|(_, found)| self.is_listed(found))
    }

    fn is_listed(&self, found: &SharedFinding) -> bool {
        self.notes || found.severity != Severity::Note
    }

    pub(super) fn all_rows(&self) -> impl Iterator<Item = (usize, &SharedFinding)> {
        self.rows.iter().filter_map(|at| Some((*at, self.found.get(*at)?)))
    }

    /// The verified fix of a finding in words: its effect, its result, and the command that writes
    /// it.
    pub(super) fn fix_of(&self, finding: usize) -> Option<String> {
        let proved = self.repairs.proved.iter().find(|proved| proved.finding == finding)?;
        let words = self.reason_text(&proved.words);
        if proved.is_done && self.is_written {
            return Some(format!("{words}; written"));
        }
        let unsafe_too = if proved.is_done { "" } else { " --unsafe-fixes" };
        let is_hidden = self.found.get(finding).is_some_and(is_fixed_if_listed_only);
        let notes = if is_hidden { " --notes" } else { "" };
        Some(format!("{words}; `kzui check --fix{unsafe_too}{notes}` writes it"))
    }

    /// The hint of a finding; `None` if a trial refuted its proposal.
    pub(super) fn proposal_of<'f>(
        &self,
        finding: usize,
        found: &'f SharedFinding,
    ) -> Option<&'f str> {
        found.hint.as_deref().filter(|_| !self.repairs.refuted_proposals.contains(&finding))
    }

    /// The hint, unless a fix contains it. A fix that removes an entry keeps the hint, which
    /// explains the purpose of the entry, and so does the result of a function: its hint is a
    /// command, which also finds other edits.
    pub(super) fn hint_of<'f>(&self, finding: usize, found: &'f SharedFinding) -> Option<&'f str> {
        let is_removal = matches!(found.fix, Some(Fix::RemoveEntry | Fix::RemoveTarget(_)));
        let is_result = matches!(found.code, Code::KZ301 | Code::KZ302 | Code::KZ304);
        let is_said = self.fix_of(finding).is_some() && !is_removal && !is_result;
        self.proposal_of(finding, found).filter(|_| !is_said)
    }

    pub(super) fn no_fix_reason(&self, finding: usize) -> Option<String> {
        let refused = self.repairs.refused.iter().find(|refused| refused.finding == finding);
        let Some(refused) = refused else { return self.found.get(finding)?.untried.clone() };
        let place = refused.target.as_ref().map(|target| relative(target, &self.base));
        let place = place.map(|target| format!(" (verified in {target})")).unwrap_or_default();
        Some(format!("{}{place}", self.reason_text(&refused.reason)))
    }

    /// The result of a trial, without values of Secrets and with paths relative to the working
    /// directory.
    fn reason_text(&self, reason: &str) -> String {
        let base = format!("{}/", self.base.to_string_lossy());
        self.secrets.text(&reason.replace(&base, ""))
    }
}

pub(super) fn run(arguments: &CheckArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    if arguments.merge {
        let merged = merge::merge(&arguments.paths, outside)?;
        outside.out.text(&merged.text)?;
        let fails = merged.severities.iter().any(|it| arguments.fail_on.includes(*it));
        return Ok(if fails { Exit::FAILED } else { Exit::OK });
    }
    let mut checked = check(arguments, outside)?;
    if let Some(file) = &arguments.write_baseline {
        let text = baseline::text(&checked)?;
        (outside.write)(&outside.current.join(file), text.as_bytes())?;
    }
    let changes = checked.repairs.changes.iter().filter(|change| change.draft.is_some());
    if arguments.mending.diff {
        for change in changes {
            outside.out.text(&changes::diff(change, &checked.base, &checked.secrets))?;
        }
    } else if arguments.mending.fix {
        let changes: Vec<FileChange> = changes.cloned().collect();
        changes::write(&changes, &checked.scope, "check --fix", "fixed", outside)?;
    }
    if checked.is_written {
        moved::move_to_new_lines(&mut checked.found, &checked.repairs.changes);
    }
    let files = outside.ports.files.clone();
    match arguments.format {
        _ if arguments.mending.diff => {}
        ReportFormat::Text => {
            let text = text::text(&checked, &*files, outside.palette);
            match outside.palette {
                super::Palette::Plain => outside.out.text(&text)?,
                super::Palette::Coloured => outside.out.print_coloured(&text)?,
            }
        }
        ReportFormat::Json => outside.out.document(&formats::json(&checked)?)?,
        ReportFormat::Sarif => outside.out.document(&formats::sarif(&checked)?)?,
        ReportFormat::Gitlab => outside.out.document(&formats::gitlab(&checked)?)?,
        ReportFormat::Junit => outside.out.text(&formats::junit(&checked))?,
        ReportFormat::Github => outside.out.text(&formats::github(&checked))?,
        ReportFormat::Markdown => outside.out.text(&formats::markdown(&checked))?,
    }
    let done = checked.repairs.proved.iter().filter(|it| it.is_done && arguments.mending.fix);
    let fixed: BTreeSet<usize> = done.map(|proved| proved.finding).collect();
    let fails = checked.all_rows().any(|(index, found)| {
        !fixed.contains(&index)
            && found.waived.is_none()
            && arguments.fail_on.includes(found.severity)
    });
    Ok(if fails { Exit::FAILED } else { Exit::OK })
}

#[expect(clippy::too_many_lines, reason = "the stages of a check, in their order")]
fn check(arguments: &CheckArgs, outside: &CliPorts<'_>) -> Result<CheckResult, String> {
    let (options, ports) = options::repeated_builds(&arguments.build, outside)?;
    let files = ports.files.clone();
    let SelectedTargets { paths, names: all, around } = select(&arguments.paths, outside, &files)?;
    let shard = arguments.shard;
    let is_mine = |(index, _): &(usize, &PathBuf)| shard.is_none_or(|shard| shard.has(*index));
    let mine: Vec<PathBuf> =
        all.iter().enumerate().filter(is_mine).map(|(_, target)| target.clone()).collect();
    let repositories = around.as_deref().unwrap_or_default();
    let changed = changed(arguments, outside)?.map(|files| ChangedInputs::new(files, repositories));
    let (ports_alone, current) = (&outside.ports, &*outside.current);
    let (options, ports, salt) = (&options, &ports, outside.repository.salt);
    let passed = repositories.iter().map(|it| PassedFlags::read(it, &*files));
    let passed = &passed.fold(PassedFlags::default(), PassedFlags::merge);
    let mut work = TargetCheck::new(options, ports, current, salt, passed);
    work.changed = changed.as_ref();
    let builder = || rebuilder(current, options, ports_alone, passed, &work.answers);
    let mut report = work.report(&mine);
    let targets = report.targets.len();
    if mine.len() < all.len() {
        work.add_affected_targets(&mut report, &all, repositories);
    }
    work.add_overridden_entries(&mut report);
    add_shared_paths(repositories, &mut report);
    let is_first = shard.is_none_or(|shard| shard.number == 1);
    if changed.is_none() && is_first && is_code_selected(arguments, Code::KZ222.as_str()) {
        add_unlisted_manifests(&paths, repositories, &mut report, &*files);
    }
    let checked = report.checked();
    let mut found = report.into_sorted_findings(&*files);
    let secrets = work.secrets();
    drop_unverified_fixes(&mut found, &checked, around.as_deref());
    let roots: Vec<&Path> = repositories.iter().map(|it| &*it.root).collect();
    let is_named = |folder: &Path| changed.is_some() || paths.iter().any(|path| path == folder);
    lower_unwanted(&mut found, repositories, &*files, &is_named);
    found.retain(|found| is_code_selected(arguments, found.code.as_str()));
    let unknown = found.iter().filter(|found| found.unknown.is_some()).cloned().collect();
    let unrestricted = found.iter().filter(|it| it.code == Code::KZ192).cloned().collect();
    remove_unrequested(&mut found, |code| matches_any_code(&arguments.select, code.as_str()));
    let baseline = arguments.baseline.as_ref();
    let baseline = baseline.map(|it| baseline::read(&outside.current.join(it), &*files));
    let baseline = baseline.transpose()?.unwrap_or_default();
    let root = repository_root(&outside.current, outside);
    let prints = fingerprints(&found, &root);
    let own = flag_shard_findings(&found, (&mine, &all), is_first);
    let own = found.into_iter().zip(prints).zip(own).filter(|(_, is_own)| *is_own);
    let (known, new): (Vec<_>, Vec<_>) =
        own.map(|(printed, _)| printed).partition(|(_, print)| baseline.contains(print));
    let known: BTreeSet<String> = known.into_iter().map(|(_, print)| print).collect();
    let (mut found, mut fingerprints): (Vec<_>, Vec<_>) = new.into_iter().unzip();
    let wanted =
        if arguments.mending.unsafe_fixes { FixSelection::All } else { FixSelection::Safe };
    let scope = write_scope(&paths, &*files);
    let notes =
        arguments.notes || arguments.fail_on == FailOn::Note || !arguments.select.is_empty();
    for hidden in found.iter_mut().filter(|it| !notes && is_fixed_if_listed_only(it)) {
        hidden.fix = None;
    }
    let repairs = repairs_on_all_cores(&found, &files, &builder, wanted, &scope);
    let is_written = arguments.mending.fix && !arguments.mending.diff;
    let single = found.len();
    let rows =
        merge_repository_rows(&mut found, &mut fingerprints, &roots, &repairs, current, &root);
    // Text and JSON are read where the command runs; the programs that read the other formats know the repository.
    let base = match arguments.format {
        ReportFormat::Text | ReportFormat::Json => outside.current.clone(),
        _ => root,
    };
    Ok(CheckResult {
        found,
        single,
        rows,
        notes,
        unknown,
        unrestricted,
        repairs,
        scope,
        is_written,
        fingerprints,
        targets,
        known,
        base,
        secrets,
    })
}

/// True for a note whose fix is written only if the report lists the note. Deprecated fields are
/// written in their new form in any case, as `kzui migrate` does: no output changes by that.
fn is_fixed_if_listed_only(found: &SharedFinding) -> bool {
    found.severity == Severity::Note && found.code != Code::KZ001
}

/// The indices of the findings in a report for people, the worst first, then by location. For each rule that is reported
/// once per repository, a finding that represents its group is added at the end of `found`, and
/// its fingerprint at the end of `prints`.
fn merge_repository_rows(
    found: &mut Vec<SharedFinding>,
    prints: &mut Vec<String>,
    roots: &[&Path],
    repairs: &Repairs,
    current: &Path,
    root: &Path,
) -> Vec<usize> {
    let mut rows = Vec::new();
    for group in report_rows(found, roots) {
        match group.as_slice() {
            [single] => rows.push(*single),
            group => {
                let Some(row) = repository_row(found, group, repairs, current) else { continue };
                prints.extend(fingerprints(std::slice::from_ref(&row), root));
                rows.push(found.len());
                found.push(row);
            }
        }
    }
    rows
}

/// For each finding, whether this part of a check with `--shard` reports it: its first target is in
/// the part. A finding without a target belongs to the part with the other findings of its file,
/// and findings of unlisted manifests belong to the first part.
fn flag_shard_findings(
    found: &[SharedFinding],
    (mine, all): (&[PathBuf], &BTreeSet<PathBuf>),
    is_first: bool,
) -> Vec<bool> {
    let mine: BTreeSet<&PathBuf> = mine.iter().collect();
    let of_file = |file: &Option<PathBuf>| {
        let same = found.iter().filter(|other| other.file == *file);
        same.filter_map(|other| other.targets.first()).min()
    };
    let is_kept = |one: &SharedFinding| {
        let target = one.targets.first().or_else(|| of_file(&one.file));
        let is_own = |target: &PathBuf| mine.contains(target) || is_first && !all.contains(target);
        if one.code == Code::KZ222 { is_first } else { target.is_none_or(is_own) }
    };
    found.iter().map(is_kept).collect()
}

fn changed(arguments: &CheckArgs, outside: &CliPorts<'_>) -> Result<Option<Vec<PathBuf>>, String> {
    let Some(reference) = &arguments.changed else { return Ok(None) };
    let mut all = BTreeSet::new();
    for path in &arguments.paths {
        let path = outside.current.join(path);
        let folder = match path.parent() {
            Some(folder) if !(outside.is_directory)(&path) => folder,
            _ => &path,
        };
        let changed = (outside.changed_since)(folder, reference);
        all.extend(changed.map_err(|words| format!("--changed {reference}: {words}"))?);
    }
    Ok(Some(all.into_iter().collect()))
}

/// True if a code is selected (without `--select`, every code is) and not ignored.
fn is_code_selected(arguments: &CheckArgs, code: &str) -> bool {
    (arguments.select.is_empty() || matches_any_code(&arguments.select, code))
        && !matches_any_code(&arguments.ignore, code)
}

fn matches_any_code(list: &[String], code: &str) -> bool {
    list.iter().any(|asked| code.starts_with(asked.trim().to_uppercase().as_str()))
}
