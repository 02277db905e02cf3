//! Which findings a report on a repository lists as rows.

use std::path::{Component, Path};

use crate::answers::{Repairs, SharedFinding};
use crate::engine::diagnostic::{Code, Listing, Severity};

/// Removes the findings that a report lists only on request.
pub fn remove_unrequested(found: &mut Vec<SharedFinding>, is_requested: impl Fn(Code) -> bool) {
    found.retain(|found| {
        found.code.rule().listing != Some(Listing::OnRequest) || is_requested(found.code)
    });
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
