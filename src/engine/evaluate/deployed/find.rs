//! Resolves a command line target to a deployment object, and the object to its directory.

use std::path::{Path, PathBuf};

use crate::diagnostic::{ErrorHint, LayerFault};
use crate::load::{FileKind, Files, Sources, clean};
use crate::manifest::{
    Consumer, ConsumerKind, GeneratedConsumers, GeneratorView, SourceType, consumers_in,
};
use crate::transform::TransformError;
use crate::yaml::{Limits, Mark, Node, parse_config};

use super::super::target::target_file_names;
use super::Deployed;
use super::argo_settings::ArgoSettings;
use super::build_options::ArgoOptions;

/// The object named by a target: a file with one object, a file and a name (`app.yaml#web`), or a
/// directory without a kustomization file that contains one. The Applications of an `ApplicationSet`
/// count as objects of its file; the name of the set selects all of them. `None` for any other
/// target.
pub(in crate::evaluate) fn deployed(
    target: &str,
    current: &Path,
    files: &dyn Files,
    sources: &mut Sources,
) -> Option<Result<Deployed, TransformError>> {
    let mut found = Vec::new();
    let mut not_known = Vec::new();
    let (place, name) = split(target, current, files);
    for file in candidates(&place, files)? {
        let Ok(bytes) = files.read(&file) else { continue };
        let source = sources.intern(&file.to_string_lossy());
        for consumer in consumers_in(&bytes, source) {
            if consumer.kind != ConsumerKind::ApplicationSet {
                found.push((file.clone(), consumer));
                continue;
            }
            let generated = generated_by(&consumer, &file, files, sources);
            found.extend(generated.known.into_iter().map(|it| (file.clone(), it)));
            let reasons = generated.not_known.into_iter();
            not_known.extend(reasons.map(|(reason, mark)| (consumer.clone(), reason, mark)));
        }
    }
    if let Some(name) = &name {
        let is_named = |(_, it): &(PathBuf, Consumer)| it.name == *name;
        let is_of_set = |(_, it): &(PathBuf, Consumer)| it.name_in_file() == name;
        if found.iter().any(is_named) {
            found.retain(is_named);
        } else {
            found.retain(is_of_set);
        }
    }
    match found.as_slice() {
        [] => {
            let (set, reason, mark) = not_known.into_iter().next()?;
            Some(Err(TransformError::fault(
                LayerFault::NoneGenerated(set.title(), reason.to_string()),
                mark,
            )))
        }
        [_] => found.pop().map(|(file, consumer)| at_its_directory(file, consumer, files, sources)),
        [(_, first), ..] => Some(Err(several(&found, current, first.mark))),
    }
}

/// The Applications of a set in a file.
fn generated_by(
    set: &Consumer,
    file: &Path,
    files: &dyn Files,
    sources: &mut Sources,
) -> GeneratedConsumers {
    let root = repository_around(file, files);
    let root = root.or_else(|| file.parent()).unwrap_or(Path::new("/"));
    let is_here = |_: &str, _: &str| Ok(());
    set.applications(&mut GeneratorView { files, root, sources, is_here: &is_here })
}

/// The root of the repository around a file.
fn repository_around<'f>(file: &'f Path, files: &dyn Files) -> Option<&'f Path> {
    file.ancestors().skip(1).find(|directory| files.resolve(&directory.join(".git")).is_ok())
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
    mut consumer: Consumer,
    files: &dyn Files,
    sources: &mut Sources,
) -> Result<Deployed, TransformError> {
    let (path, mark) = consumer.directory()?;
    let repository = repository_around(&file, files);
    let around: Vec<&Path> = file.ancestors().skip(1).collect();
    let roots = repository.as_ref().map_or(&*around, std::slice::from_ref);
    for root in roots {
        let directory = clean(&root.join(&path));
        let Ok((directory, FileKind::Directory)) = files.resolve(&directory) else { continue };
        if !directory.starts_with(root) {
            continue;
        }
        let root = (*root).to_owned();
        let overrides = overrides(&consumer, &directory, files, sources)?;
        let names = files.list(&directory).unwrap_or_default();
        let is_file =
            |name: &String| matches!(files.resolve(&directory.join(name)), Ok((_, FileKind::File)));
        let names: Vec<String> = names.into_iter().filter(is_file).collect();
        let source_type = consumer.settle(&overrides, &names)?;
        let is_argo = consumer.kind == ConsumerKind::Application;
        let settings = if is_argo && source_type == SourceType::Kustomize {
            ArgoSettings::read(&root, &file, files, sources)
        } else {
            ArgoSettings::default()
        };
        return Ok(Deployed {
            consumer,
            file,
            directory,
            repository: root,
            source_type,
            settings,
            argo: ArgoOptions::default(),
        });
    }
    let fault = LayerFault::NothingDeployed(path, consumer.title());
    let hint = if repository.is_some() {
        "kzui looks below the directory with .git, and fetches no other repository"
    } else {
        "no directory with .git exists: kzui looks in every directory around the file"
    };
    Err(TransformError::fault(fault, mark).with_hint(hint))
}

/// The files of the directory that change the source of an Application.
fn overrides(
    consumer: &Consumer,
    directory: &Path,
    files: &dyn Files,
    sources: &mut Sources,
) -> Result<Vec<Node>, TransformError> {
    let mut overrides = Vec::new();
    for name in consumer.override_files() {
        let path = directory.join(name);
        let Ok(bytes) = files.read(&path) else { continue };
        let source = sources.intern(&path.to_string_lossy());
        let read = parse_config(&bytes, source, Limits::default()).map_err(|error| {
            let mark = Mark { source, line: error.line, column: error.column, ..Mark::default() };
            TransformError::fault(LayerFault::Unreadable(error), mark)
        })?;
        overrides.extend(read);
    }
    Ok(overrides)
}
