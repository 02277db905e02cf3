//! Resolves a command line target to a deployment object, and the object to its directory.

use std::path::{Path, PathBuf};

use crate::diagnostic::{ErrorHint, LayerFault};
use crate::load::{FileKind, Files, Sources, clean};
use crate::manifest::{Consumer, consumers_in};
use crate::transform::TransformError;
use crate::yaml::Mark;

use super::super::target::target_file_names;
use super::Deployed;

/// The object named by a target: a file with one object, a file and a name (`app.yaml#web`), or a
/// directory without a kustomization file that contains one. `None` for any other target.
pub(in crate::evaluate) fn deployed(
    target: &str,
    current: &Path,
    files: &dyn Files,
    sources: &mut Sources,
) -> Option<Result<Deployed, TransformError>> {
    let mut found = Vec::new();
    let (place, name) = split(target, current, files);
    for file in candidates(&place, files)? {
        let Ok(bytes) = files.read(&file) else { continue };
        let source = sources.intern(&file.to_string_lossy());
        found.extend(consumers_in(&bytes, source).into_iter().map(|it| (file.clone(), it)));
    }
    if let Some(name) = &name {
        found.retain(|(_, consumer)| consumer.name == *name);
    }
    match found.as_slice() {
        [] => None,
        [_] => found.pop().map(|(file, consumer)| at_its_directory(file, consumer, files)),
        [(_, first), ..] => Some(Err(several(&found, current, first.mark))),
    }
}

/// `file#name`, unless a file has this name.
fn split(target: &str, current: &Path, files: &dyn Files) -> (PathBuf, Option<String>) {
    let whole = clean(&current.join(target));
    match target.rsplit_once('#') {
        Some((file, name)) if files.resolve(&whole).is_err() => {
            (clean(&current.join(file)), Some(name.to_owned()))
        }
        _ => (whole, None),
    }
}

fn candidates(place: &Path, files: &dyn Files) -> Option<Vec<PathBuf>> {
    let (place, kind) = files.resolve(place).ok()?;
    if kind == FileKind::File {
        return is_yaml(&place).then(|| vec![place]);
    }
    if target_file_names().any(|name| files.resolve(&place.join(name)).is_ok()) {
        return None;
    }
    let names = files.list(&place).ok()?.into_iter();
    Some(names.map(|name| place.join(name)).filter(|path| is_yaml(path)).collect())
}

fn is_yaml(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml"))
}

fn several(found: &[(PathBuf, Consumer)], current: &Path, mark: Mark) -> TransformError {
    let names = found.iter().map(|(file, consumer)| {
        let shown = file.strip_prefix(current).unwrap_or(file);
        format!("{}#{}", shown.display(), consumer.name)
    });
    let names: Vec<String> = names.collect();
    TransformError::fault(LayerFault::SeveralDeployed(names.len()), mark)
        .with_hint(ErrorHint::NameOne(names))
}

/// Finds the directory that an object deploys: below the root of its repository only; outside a
/// repository, below the nearest enclosing directory in which the path exists.
fn at_its_directory(
    file: PathBuf,
    consumer: Consumer,
    files: &dyn Files,
) -> Result<Deployed, TransformError> {
    let (path, mark) = consumer.directory()?;
    let around: Vec<&Path> = file.ancestors().skip(1).collect();
    let repository = around.iter().find(|directory| files.resolve(&directory.join(".git")).is_ok());
    let roots = repository.map_or(&*around, std::slice::from_ref);
    for root in roots {
        let directory = clean(&root.join(&path));
        let Ok((directory, FileKind::Directory)) = files.resolve(&directory) else { continue };
        if !directory.starts_with(root) {
            continue;
        }
        let root = (*root).to_owned();
        return Ok(Deployed { consumer, file, directory, repository: root });
    }
    let fault = LayerFault::NothingDeployed(path, consumer.title());
    let hint = if repository.is_some() {
        "kzui looks below the directory with .git, and fetches no other repository"
    } else {
        "no directory with .git exists: kzui looks in every directory around the file"
    };
    Err(TransformError::fault(fault, mark).with_hint(hint))
}
