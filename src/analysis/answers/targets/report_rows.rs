//! Which findings a report on a repository lists as rows.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::answers::{Repairs, SharedFinding};
use crate::engine::diagnostic::{Code, Listing, Severity};
use crate::repository::Repository;

/// Removes the findings that a report lists only on request.
pub fn remove_unrequested(found: &mut Vec<SharedFinding>, is_requested: impl Fn(Code) -> bool) {
    found.retain(|found| {
        found.code.rule().listing != Some(Listing::OnRequest) || is_requested(found.code)
    });
}

/// Lowers variables that are not set to notes in Flux Kustomizations that the repository does not
/// deploy: a kustomization above them does not lead to them, so that Flux does not apply them, and
/// their variables may come from a patch of the kustomization that would.
pub fn lower_undeployed(found: &mut [SharedFinding], repository: &Repository) {
    for found in found.iter_mut() {
        if !matches!(found.code, Code::KZ054 | Code::KZ055) {
            continue;
        }
        let mut objects = found.targets.iter().map(|target| object_file(target)).peekable();
        let is_left_out = |file: PathBuf| {
            file.starts_with(&repository.root)
                && is_left_out(&file, repository, &mut BTreeSet::new())
        };
        if objects.peek().is_some() && objects.all(is_left_out) {
            found.severity = Severity::Note;
        }
    }
}

/// The file of a target's deployment object: `flux.yaml` of `flux.yaml#web`.
fn object_file(target: &Path) -> PathBuf {
    let name = target.to_string_lossy();
    PathBuf::from(name.split_once('#').map_or(&*name, |(file, _)| file))
}

/// True if no kustomization above a file leads to it, although one is there.
fn is_left_out(path: &Path, repository: &Repository, seen: &mut BTreeSet<PathBuf>) -> bool {
    if !seen.insert(path.to_owned()) {
        return true;
    }
    let users: Vec<&Path> = repository.users(path).map(|(target, _)| &*target.folder).collect();
    if !users.is_empty() {
        return users.into_iter().all(|folder| is_left_out(folder, repository, seen));
    }
    let mut above = path.ancestors().skip(1).take_while(|it| it.starts_with(&repository.root));
    above.any(|folder| repository.target(folder).is_some())
}

/// Lowers findings in folders of templates and archives to notes: no target deploys from them. Such
/// a folder is below one of the `roots`.
pub fn lower_template_findings(found: &mut [SharedFinding], roots: &[&Path]) {
    for found in found.iter_mut() {
        let file = found.file.as_deref().or(found.targets.first().map(AsRef::as_ref));
        let below = |root: &&Path| file.and_then(|file| file.strip_prefix(root).ok());
        if roots.iter().find_map(below).is_some_and(is_template_or_archive) {
            found.severity = Severity::Note;
        }
    }
}

/// Folders whose kustomizations are rendered or copied before a build.
const TEMPLATE_FOLDERS: [&str; 7] =
    ["template", "templates", "boilerplate", "skeleton", "scaffold", "cookiecutter", "archetype"];

/// Folders whose kustomizations are no longer built.
const ARCHIVE_FOLDERS: [&str; 2] = ["archive", "archived"];

/// True for a path with a folder of templates, archives or test data.
fn is_template_or_archive(below: &Path) -> bool {
    let folders = below.parent().into_iter().flat_map(Path::components);
    folders
        .filter_map(|part| if let Component::Normal(name) = part { name.to_str() } else { None })
        .any(|name| {
            let bare = name.trim_start_matches(['.', '_']);
            TEMPLATE_FOLDERS.contains(&name)
                || ARCHIVE_FOLDERS.contains(&bare)
                || name.starts_with("testdata")
        })
}

/// Groups of findings that a report lists as one row for each rule and repository, as indices into
/// `found`. Groups with a single finding are left out.
pub fn repository_rows(found: &[SharedFinding], roots: &[&Path]) -> Vec<Vec<usize>> {
    let mut groups: Vec<((Code, &Path), Vec<usize>)> = Vec::new();
    for (at, one) in found.iter().enumerate() {
        let is_folded =
            one.code.rule().listing == Some(Listing::Repository) && one.waived.is_none();
        let file = one.file.as_deref().filter(|_| is_folded);
        let root = file.and_then(|file| roots.iter().find(|root| file.starts_with(root)));
        let Some(root) = root else { continue };
        match groups.iter_mut().find(|(key, _)| *key == (one.code, *root)) {
            Some((_, rows)) => rows.push(at),
            None => groups.push(((one.code, root), vec![at])),
        }
    }
    groups.into_iter().map(|(_, rows)| rows).filter(|rows| rows.len() > 1).collect()
}

/// One finding for a group of findings of the same rule in one repository, at the location of the
/// first.
pub fn repository_row(
    found: &[SharedFinding],
    group: &[usize],
    repairs: &Repairs,
) -> Option<SharedFinding> {
    let first = found.get(*group.first()?)?;
    let each = || group.iter().filter_map(|at| found.get(*at));
    let mut targets: Vec<_> = each().flat_map(|one| one.targets.iter().cloned()).collect();
    targets.sort();
    targets.dedup();
    let count = group.len();
    let (message, hint) = if first.code == Code::KZ001 {
        let mut files: Vec<_> = each().filter_map(|one| one.file.as_deref()).collect();
        files.dedup();
        let is_rewritten = |at: &&usize| {
            repairs.proved.iter().any(|proved| proved.finding == **at && proved.is_done)
        };
        let rewritten = group.iter().filter(is_rewritten).count();
        let hint = match rewritten {
            0 => "run `kzui migrate` for the reasons why they cannot be rewritten".to_owned(),
            _ => format!(
                "`kzui migrate` rewrites {rewritten} of {count} and keeps the output of every target"
            ),
        };
        let files = match files.len() {
            1 => "1 file".to_owned(),
            count => format!("{count} files"),
        };
        (format!("{count} deprecated fields in {files}"), Some(hint))
    } else {
        (format!("{} (and {} more)", first.message, count - 1), first.hint.clone())
    };
    let used_by = targets.len();
    Some(SharedFinding { message, hint, targets, used_by, fix: None, ..first.clone() })
}
