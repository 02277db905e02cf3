//! Builds commits, compares one property of each build, and explains the commit that was found: the value
//! before and after, and the edits that changed it.

use std::path::PathBuf;
use std::sync::Arc;

use super::Bisect;
use crate::answers::compare::minimize::minimize;
use crate::answers::compare::{FileEdits, commit_files, file_edits, short_commit_id};
use crate::answers::experiments::bisect::{Bisection, CommitVerdict, bisect};
use crate::answers::provenance::blame::value_text;
use crate::answers::recording::field::{WrittenPath, value_at};
use crate::answers::report::{
    BisectCommit, BisectEdit, BisectReport, BisectState, ReportPaths, UnknownCommit,
};
use crate::answers::secrets::Secrets;
use crate::answers::{Recording, ResourceNameError};
use crate::cli::diff::secrets;
use crate::cli::{CliPorts, options};
use crate::draft::DraftedFiles;
use crate::engine::evaluate::{
    BuildCache, BuildOptions, Evaluation, Ports, evaluate, target_file_names,
};
use crate::engine::load::{FileKind, Files, clean};
use crate::engine::plugin::PinnedPrograms;
use crate::engine::resource::PathStep;
use crate::repository::{Commits, FailureRecorder, missing_content, named_object};

const MAX_TRIALS: usize = 400;

/// The state of the property in one commit: its value, failure or existence.
#[derive(Default)]
struct PropertyState {
    /// `None` for a property without a value, such as an absent field.
    value: Option<String>,
    words: String,
    at: Option<String>,
    /// True if the value is masked.
    is_hidden: bool,
}

/// The state of the property, or the reason why it is not known.
type KnownState = Result<PropertyState, String>;

impl PropertyState {
    fn without_value(words: &str) -> Self {
        Self { words: words.to_owned(), ..Self::default() }
    }
}

/// The condition on the value of the property that makes a commit bad: this value, or any other one
/// than this good value.
struct BadCondition {
    value: Option<String>,
    is_good: bool,
}

impl BadCondition {
    fn has(&self, value: Option<&str>) -> bool {
        (self.value.as_deref() == value) != self.is_good
    }
}

struct BisectSearch {
    /// The resource and the path of the field whose value is compared, with an empty path the
    /// existence of the resource; `None` for a failure of the build.
    property: Option<(String, String)>,
    commits: Arc<dyn Commits>,
    folder: PathBuf,
    options: BuildOptions,
    ports: Ports,
    memory: BuildCache,
    built: usize,
    secrets: Secrets,
}

pub(super) fn search(arguments: &Bisect, outside: &CliPorts<'_>) -> Result<BisectReport, String> {
    let (commits, folder) = target(&arguments.dir, outside)?;
    let mut options = options::headless_options(&arguments.flags.build, &arguments.dir, outside)?;
    // A build that needs a program that may not run is not known to be bad.
    options.functions = options.functions.in_workbench();
    let programs = Arc::new(PinnedPrograms(outside.ports.programs.clone()));
    let ports = Ports { programs, ..outside.ports.clone() };
    let property = match (arguments.field.as_deref(), &arguments.resource) {
        (Some([resource, path]), _) => Some((resource.clone(), path.clone())),
        (_, resource) => resource.clone().map(|resource| (resource, String::new())),
    };
    let mut search = BisectSearch {
        property,
        commits,
        folder,
        options,
        ports,
        memory: BuildCache::default(),
        built: 0,
        secrets: secrets(arguments.flags.show_secrets, outside),
    };
    search.run(arguments)
}

/// The repository and the folder of the target, which may be deleted by now.
fn target(dir: &str, outside: &CliPorts<'_>) -> Result<(Arc<dyn Commits>, PathBuf), String> {
    let files = &outside.ports.files;
    let current = files.resolve(&outside.current).map(|(path, _)| path);
    let current = current.unwrap_or_else(|_| outside.current.clone());
    let wanted = clean(&current.join(dir));
    let (around, folder) = match (named_object(&wanted, &**files), files.resolve(&wanted)) {
        (Some(object), _) => (object.parent().unwrap_or(&object).to_owned(), object),
        (None, Ok((folder, FileKind::Directory))) => (folder.clone(), folder),
        (None, Ok((file, FileKind::File))) => {
            let folder = file.parent().unwrap_or(&file).to_owned();
            (folder.clone(), folder)
        }
        (None, Err(_)) => (current, wanted),
    };
    let commits = (outside.repository.commits)(&around)?;
    if !folder.starts_with(commits.work_tree_root()) {
        return Err(format!(
            "{dir} is outside the repository {}",
            commits.work_tree_root().display()
        ));
    }
    Ok((commits, folder))
}

impl BisectSearch {
    fn run(&mut self, arguments: &Bisect) -> Result<BisectReport, String> {
        let mut good = self.commits.resolve_commit(&arguments.good)?;
        let bad = self.commits.resolve_commit(&arguments.bad)?;
        let value = arguments.value.clone().or_else(|| arguments.fails.then(String::new));
        let asked = if value.is_some() {
            BadCondition { value, is_good: false }
        } else {
            let value = self.known_state(&arguments.good, &good)?.value;
            BadCondition { value, is_good: true }
        };
        self.check_commit_state(&asked, (&arguments.good, &good), false)?;
        self.check_commit_state(&asked, (&arguments.bad, &bad), true)?;
        let base = self.commits.merge_base(&good, &bad)?;
        if base != good {
            // The good and the bad commit diverged: their merge base has to be good as well.
            let name = format!("{} (merge base)", short_commit_id(&base));
            self.check_commit_state(&asked, (&name, &base), false)?;
            good = base;
        }
        let range = self.commits.lineage(&good, &bad, arguments.first_parent)?;
        if range.first().is_none_or(|first| first.id != bad) {
            let (good, bad) = (&arguments.good, &arguments.bad);
            return Err(format!("{good} is not an ancestor of {bad}"));
        }
        let found = bisect(&range, &mut |id| self.judge(&asked, id));
        let mut report = self.report(&found, &asked, (good, bad))?;
        report.commits = range.len();
        report.built = self.built;
        Ok(report)
    }

    fn known_state(&mut self, name: &str, id: &str) -> KnownState {
        self.test_commit(id)?.map_err(|why| format!("{name}: {why}"))
    }

    fn check_commit_state(
        &mut self,
        asked: &BadCondition,
        (name, id): (&str, &str),
        bad: bool,
    ) -> Result<(), String> {
        let PropertyState { value, words, .. } = self.known_state(name, id)?;
        if asked.has(value.as_deref()) == bad {
            return Ok(());
        }
        let subject = self.words();
        Err(if bad {
            format!("{name} is not bad: {subject} {words}, as in the good commit")
        } else {
            format!("{name} is not good: {subject} already {words}")
        })
    }

    fn judge(&mut self, asked: &BadCondition, id: &str) -> CommitVerdict {
        match self.test_commit(id) {
            Err(why) | Ok(Err(why)) => CommitVerdict::NotKnown(why),
            Ok(Ok(seen)) if asked.has(seen.value.as_deref()) => CommitVerdict::Bad,
            Ok(Ok(_)) => CommitVerdict::Good,
        }
    }

    fn words(&self) -> String {
        match &self.property {
            None => "the build".to_owned(),
            Some((resource, path)) if path.is_empty() => resource.clone(),
            Some((resource, path)) => format!("{path} of {resource}"),
        }
    }

    fn files(&self, id: &str) -> Result<Arc<dyn Files>, String> {
        Ok(commit_files(self.commits.tree(id)?))
    }

    /// The state in a commit; an error if the commit cannot be read.
    fn test_commit(&mut self, id: &str) -> Result<KnownState, String> {
        let tree = self.commits.tree(id)?;
        self.built += 1;
        let built = self.build(commit_files(tree.clone()));
        if let Some(why) = missing_content(&*tree, self.commits.work_tree_root()) {
            return Ok(Err(why));
        }
        Ok(built.and_then(|evaluation| self.property_state(evaluation)))
    }

    fn build(&mut self, files: Arc<dyn Files>) -> Result<Evaluation, String> {
        let is_there = target_file_names()
            .any(|name| matches!(files.resolve(&self.folder.join(name)), Ok((_, FileKind::File))));
        if !is_there && named_object(&self.folder, &*files).is_none() {
            let folder = crate::answers::relative(&self.folder, self.commits.work_tree_root());
            return Err(format!("no kustomization file in {folder}"));
        }
        let remote = Arc::new(FailureRecorder::new(self.ports.remote.clone()));
        let ports = Ports { files, remote: remote.clone(), ..self.ports.clone() };
        let dir = self.folder.to_string_lossy();
        let built = evaluate(&dir, &self.folder, &self.options, &ports, &mut self.memory);
        self.secrets.learn(&built.trace);
        let waits = built.trace.first_wait().map(ToString::to_string);
        match (waits, remote.first_unreachable()) {
            (Some(why), _) => {
                Err(format!("build pending: {}", why.lines().next().unwrap_or_default()))
            }
            // A download that fails today shows no defect of the commit.
            (None, Some(why)) if built.outcome.is_err() => {
                Err(format!("a remote could not be fetched: {why}"))
            }
            (None, _) => Ok(built),
        }
    }

    fn property_state(&self, evaluation: Evaluation) -> KnownState {
        let recording = Recording::new(evaluation, &self.folder);
        let place = |mark| {
            let root = self.commits.work_tree_root().to_owned();
            let at = ReportPaths::relative_to(&recording.trace, root).at(mark)?;
            Some(format!("{}:{}", at.file, at.line))
        };
        let (resource, path) = match (&self.property, &recording.error) {
            (None, Some(error)) => {
                let words = format!("fails: {}", error.message);
                let (value, at) = (Some(String::new()), place(error.mark));
                return Ok(PropertyState { value, words, at, is_hidden: false });
            }
            (None, None) => return Ok(PropertyState::without_value("succeeds")),
            (Some(_), Some(error)) => return Err(format!("build failed: {}", error.message)),
            (Some(property), None) => property,
        };
        let found = match recording.find(resource) {
            Ok(slot) => recording.output_resource(slot),
            Err(ResourceNameError::Unknown { .. }) => None,
            Err(why) => return Err(why.to_string()),
        };
        let Some(found) = found else { return Ok(PropertyState::without_value("is absent")) };
        let field = WrittenPath::parse(path).find(&found.node);
        let value = field.as_ref().and_then(|path| value_at(&found.node, path));
        let Some(((node, mark), field)) = value.zip(field) else {
            return Ok(PropertyState::without_value("is absent"));
        };
        if field.is_empty() {
            let mark = crate::cli::resource_start(found);
            let (value, words) = (Some("there".to_owned()), "is there".to_owned());
            return Ok(PropertyState { value, words, at: place(mark), is_hidden: false });
        }
        let keys: Vec<&str> = field.iter().filter_map(PathStep::key).collect();
        let masked = self.secrets.part(found, &keys, node);
        let is_hidden = masked != *node;
        let words = format!("is {}", value_text(&masked));
        Ok(PropertyState { value: Some(value_text(node)), words, at: place(mark), is_hidden })
    }
}

impl BisectSearch {
    fn report(
        &mut self,
        found: &Bisection,
        asked: &BadCondition,
        ends: (String, String),
    ) -> Result<BisectReport, String> {
        let suspect = |id: &String| {
            let about = self.commits.commit_summary(id)?;
            let (author, subject) = (about.author, about.subject);
            Ok(BisectCommit {
                id: id.clone(),
                author,
                subject,
                parents: self.commits.parents(id)?.len(),
            })
        };
        let suspects = found.suspects.iter().map(suspect).collect::<Result<_, String>>()?;
        let not_known = found.verdicts.iter().filter_map(|(id, verdict)| match verdict {
            CommitVerdict::NotKnown(why) => {
                Some(UnknownCommit { id: id.clone(), reason: self.secrets.text(why) })
            }
            _ => None,
        });
        let not_known: Vec<UnknownCommit> = not_known.collect();
        let mut report = BisectReport {
            schema_version: 2,
            target: crate::answers::relative(&self.folder, self.commits.work_tree_root()),
            question: self.words(),
            good: ends.0,
            bad: ends.1,
            commits: 0,
            built: 0,
            suspects,
            bad_parents: found.bad_parents.clone(),
            untold: not_known.clone(),
            not_known,
            before: None,
            after: None,
            edits: Vec::new(),
            tried: false,
        };
        if let [only] = found.suspects.as_slice() {
            self.explain(only, asked, &mut report)?;
        }
        Ok(report)
    }

    /// Adds the states before and at the commit, and the edits that caused the change.
    fn explain(
        &mut self,
        id: &str,
        asked: &BadCondition,
        report: &mut BisectReport,
    ) -> Result<(), String> {
        let after = self.test_commit(id)?;
        report.after = after.ok().map(|seen| self.state(seen));
        let Some(parent) = self.commits.parents(id)?.into_iter().next() else { return Ok(()) };
        let before = self.test_commit(&parent)?;
        report.before = before.ok().map(|seen| self.state(seen));
        let (old, new) = (self.files(&parent)?, self.files(id)?);
        let changed = self.commits.changed(&parent, id)?;
        let edits: Vec<FileEdits> = changed
            .iter()
            .map(|path| file_edits(path, path, old.read(path).ok(), new.read(path).ok()))
            .collect();
        let (fewest, tried) = self.edits(&edits, &new, &old, asked);
        report.tried = tried;
        let told = fewest.iter().filter_map(|(file, edit)| {
            let file = edits.get(*file)?;
            let edit = file.edits.get(*edit)?;
            let [before, after] = file.masked_lines(&self.secrets);
            Some(BisectEdit {
                file: crate::answers::relative(&file.path, self.commits.work_tree_root()),
                line: edit.new_line(),
                old_line: edit.old_line(),
                old: before.get(edit.old.clone()).unwrap_or_default().to_vec(),
                new: after.get(edit.new.clone()).unwrap_or_default().to_vec(),
            })
        });
        report.edits = told.collect();
        Ok(())
    }

    fn state(&self, PropertyState { value, words, at, is_hidden }: PropertyState) -> BisectState {
        let words = self.secrets.text(&words);
        let value = value.filter(|_| !is_hidden);
        BisectState { value: value.map(|value| self.secrets.text(&value)), words, at }
    }

    /// The fewest edits that cause the change, and whether that is verified.
    fn edits(
        &mut self,
        edits: &[FileEdits],
        new: &Arc<dyn Files>,
        old: &Arc<dyn Files>,
        asked: &BadCondition,
    ) -> (Vec<(usize, usize)>, bool) {
        let read: Vec<PathBuf> = [new, old]
            .into_iter()
            .filter_map(|files| self.build(files.clone()).ok())
            .flat_map(|built| built.watched)
            .collect();
        let all: Vec<(usize, usize)> = edits
            .iter()
            .enumerate()
            .filter(|(_, file)| read.contains(&file.path))
            .flat_map(|(at, file)| (0..file.edits.len()).map(move |edit| (at, edit)))
            .collect();
        let mut left = MAX_TRIALS;
        let mut holds = |ids: &[(usize, usize)]| {
            left = left.checked_sub(1)?;
            let texts = edits.iter().enumerate().map(|(at, file)| {
                (file.path.clone(), file.with_edits_reverted(&|edit| ids.contains(&(at, edit))))
            });
            let texts: Vec<_> = texts.filter(|(path, _)| read.contains(path)).collect();
            let files: Arc<dyn Files> = Arc::new(DraftedFiles::new(texts.into_iter(), new.clone()));
            let built = self.build(files).ok()?;
            let seen = self.property_state(built);
            Some(seen.is_ok_and(|seen| !asked.has(seen.value.as_deref())))
        };
        for id in &all {
            if holds(&[*id]) == Some(true) {
                return (vec![*id], true);
            }
        }
        if all.is_empty() || holds(&all) != Some(true) {
            return (Vec::new(), false);
        }
        let mut fewest = all.clone();
        let is_minimal = minimize(&mut fewest, &mut holds).is_some();
        (if is_minimal { fewest } else { all }, true)
    }
}
