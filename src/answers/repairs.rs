//! Fixes, tried: a fix is offered once the targets that use the entry were built with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::draft::{Draft, Edit, FileChange};
use crate::engine::diagnostic::{Code, Fix};
use crate::engine::evaluate::Evaluation;
use crate::engine::load::Files;
use crate::engine::manifest::Outline;

use super::migrate::migrated;
use super::{Found, fixed, printed};

/// Builds a target with other files; nothing when it is no longer wanted.
pub type RebuildTarget<'a> = dyn FnMut(&Path, Arc<dyn Files>) -> Option<Evaluation> + 'a;

/// A fix that was tried in every target that uses its entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The place of the finding in the report.
    pub finding: usize,
    /// What it does, in words.
    pub words: String,
}

/// The fixes that hold, and the draft in which all of them are done.
#[derive(Debug, Default)]
pub struct Repairs {
    /// By finding.
    pub proved: Vec<Proved>,
    /// The files as they are with all of them.
    pub changes: Vec<FileChange>,
}

/// Tries the fixes of a report one on top of the other, the lowest entry of a list first, so that those above keep
/// their places.
pub fn repairs(
    found: &[Found],
    files: &Arc<dyn Files>,
    rebuild: &mut RebuildTarget<'_>,
) -> Repairs {
    let is_open = |found: &Found| {
        let has_place = found.entry.is_some() || is_of_file(found);
        found.waived.is_none() && found.fix.is_some() && found.fix_file.is_some() && has_place
    };
    let mut order: Vec<usize> = (0..found.len()).filter(|at| is_open(&found[*at])).collect();
    // Entries are known by their places in the text as it is; what goes for whole files comes behind them.
    order.sort_by_key(|at| {
        let entry = found[*at].entry.as_ref().filter(|_| !is_of_file(&found[*at]));
        let entry = entry.map(|it| (it.file.clone(), it.field.clone(), it.index));
        (is_of_file(&found[*at]), std::cmp::Reverse(entry), found[*at].fix_file.clone())
    });
    order.dedup_by_key(|at| {
        let one = &found[*at];
        if is_of_file(one) {
            (None, Some((one.fix_file.clone(), one.fix.clone())))
        } else {
            (one.entry.clone(), None)
        }
    });
    let mut draft = Draft::default();
    let mut outputs: BTreeMap<PathBuf, Option<Built>> = BTreeMap::new();
    let mut out = Repairs::default();
    for at in order {
        let found = &found[at];
        let Some(next) = with_fix(found, &draft, files) else { continue };
        let Some(words) = tried(found, &next, files, &mut outputs, rebuild) else { continue };
        out.proved.push(Proved { finding: at, words });
        draft = next;
    }
    out.proved.sort_by_key(|proved| proved.finding);
    out.changes = draft.changes();
    out
}

/// What a target came to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Built {
    text: String,
    /// How often each code is told.
    codes: BTreeMap<&'static str, usize>,
}

impl Built {
    fn of(evaluation: &Evaluation) -> Option<Self> {
        let text = printed(evaluation)?;
        let mut codes = BTreeMap::new();
        let warnings = evaluation.trace.steps.iter().flat_map(|step| &step.warnings);
        warnings.for_each(|warning| *codes.entry(warning.code.as_str()).or_insert(0) += 1);
        Some(Self { text, codes })
    }

    fn told(&self, code: Code) -> usize {
        self.codes.get(code.as_str()).copied().unwrap_or(0)
    }
}

/// True for a fix of a file as a whole.
fn is_of_file(found: &Found) -> bool {
    matches!(found.fix, Some(Fix::Migrate(_) | Fix::AddFile { .. } | Fix::MoveEntry { .. }))
}

/// The draft with one more fix.
fn with_fix(found: &Found, draft: &Draft, files: &Arc<dyn Files>) -> Option<Draft> {
    let (file, fix) = (found.fix_file.as_ref()?, found.fix.as_ref()?);
    let drafted = draft.files(files.clone());
    let now = drafted.read(file).ok()?;
    let mut next = draft.clone();
    let mut set = |file: &Path, text: Vec<u8>| {
        let edit = Edit::SetText { file: file.to_owned(), text: text.into() };
        next.apply(&edit, &**files).ok()
    };
    match fix {
        Fix::Migrate(field) => {
            set(file, migrated(&now, field)?)?;
        }
        Fix::AddFile { field, name, text } => {
            let (name, text, is_listed) = beside(file, name, text, &*drafted, &**files)?;
            set(&file.parent()?.join(&name), text.into_bytes())?;
            if !is_listed {
                set(file, Outline::add_entry(&now, field, &name).ok()?)?;
            }
        }
        Fix::MoveEntry { field, entry, below, .. } => {
            let index = super::nth_active(&Outline::parse(&now), field, *entry)?;
            set(file, fixed(&now, field, index, &Fix::MoveBelow(*below))?)?;
        }
        fix => {
            let entry = found.entry.as_ref()?;
            set(file, fixed(&now, &entry.field, entry.index, fix)?)?;
        }
    }
    Some(next)
}

/// How many names are tried for a file that is made.
const NAMES: usize = 9;

/// What a file that a fix makes is called, and what is in it: a file of the disk keeps what it has, one that an earlier fix
/// has made gets more. Whether it is listed already.
fn beside(
    file: &Path,
    name: &str,
    text: &str,
    drafted: &dyn Files,
    disk: &dyn Files,
) -> Option<(String, String, bool)> {
    let folder = file.parent()?;
    let (stem, ending) = name.rsplit_once('.')?;
    (1..=NAMES).find_map(|number| {
        let name = if number == 1 { name.to_owned() } else { format!("{stem}-{number}.{ending}") };
        let path = folder.join(&name);
        if disk.resolve(&path).is_ok() {
            return None;
        }
        let Ok(made) = drafted.read(&path) else { return Some((name, text.to_owned(), false)) };
        let mut more = String::from_utf8(made.to_vec()).ok()?;
        let (_, behind) = text.split_once('\n')?;
        if !more.contains(behind) {
            more.push_str(behind);
        }
        Some((name, more, true))
    })
}

/// Builds every target that uses the file with the fix: what comes of it in words, or nothing when it does not hold.
fn tried(
    found: &Found,
    next: &Draft,
    files: &Arc<dyn Files>,
    outputs: &mut BTreeMap<PathBuf, Option<Built>>,
    rebuild: &mut RebuildTarget<'_>,
) -> Option<String> {
    let keeps = matches!(found.fix, Some(Fix::RemoveEntry | Fix::Migrate(_)));
    let mut after = Vec::new();
    let (mut lines, mut builds, mut mended) = (0, 0, 0);
    for target in &found.affected {
        if !outputs.contains_key(target) {
            let first = rebuild(target, files.clone())?;
            outputs.insert(target.clone(), Built::of(&first));
        }
        let before = outputs.get(target)?.as_ref();
        let built = Built::of(&rebuild(target, next.files(files.clone()))?)?;
        builds += 1;
        let Some(before) = before else {
            // It failed, and that is over.
            mended += 1;
            after.push((target.clone(), Some(built)));
            continue;
        };
        let holds = if keeps || !found.targets.contains(target) {
            built.text == before.text
        } else {
            built.told(found.code) < before.told(found.code)
        };
        if !holds {
            return None;
        }
        lines += changed_lines(&before.text, &built.text);
        after.push((target.clone(), Some(built)));
    }
    outputs.extend(after);
    let targets = if builds == 1 { "1 target".to_owned() } else { format!("{builds} targets") };
    let outcome = match (keeps, lines) {
        _ if mended == 1 && builds == 1 => "the build succeeds".to_owned(),
        _ if mended > 0 => format!("{mended} of {builds} builds that fail succeed"),
        (true, _) => "the output stays the same".to_owned(),
        (false, 0) => "no line of the output changes".to_owned(),
        (false, 1) => "1 line of the output changes".to_owned(),
        (false, lines) => format!("{lines} lines of the output change"),
    };
    Some(format!("{} (tried in {targets}: {outcome})", in_words(found.fix.as_ref()?)))
}

/// How many lines the second text has that the first has not.
fn changed_lines(before: &str, after: &str) -> usize {
    let diff = similar::TextDiff::from_lines(before, after);
    diff.iter_all_changes().filter(|change| change.tag() == similar::ChangeTag::Insert).count()
}

/// A fix as a person would say it.
fn in_words(fix: &Fix) -> String {
    match fix {
        Fix::RemoveEntry => "remove this entry".to_owned(),
        Fix::MoveBelow(entry) => format!("move this entry below entry {}", entry + 1),
        Fix::MoveEntry { words, .. } => words.clone(),
        Fix::AddEntry { field, text } => format!("add to {field}: {text}"),
        Fix::Migrate(field) => format!("write {field} in its new form"),
        Fix::AddFile { field, name, .. } => format!("add {name} to {field}"),
        Fix::SetValues(values) => {
            let one = |value: &crate::engine::diagnostic::SetValue| {
                let key = value.path.last().map_or("", String::as_str);
                match &value.with {
                    Some(with) => format!("{key}: {with}"),
                    None => format!("without {key}: {}", value.was),
                }
            };
            values.iter().map(one).collect::<Vec<_>>().join(", ")
        }
    }
}
