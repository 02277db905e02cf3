//! Deployment objects by name alone: `web` instead of `argocd/app.yaml#web`.

use super::{CliCommand, CliPorts, targets};
use crate::engine::load::relative_path;
use crate::repository::LocatedDeploymentObject;

/// The command with `FILE#NAME` in place of the names of deployment objects; `None` if it has no
/// such name. A file, a folder and a git reference precede an object.
///
/// # Errors
/// Several objects have the name.
pub(super) fn with_files_of_objects(
    command: &CliCommand,
    outside: &CliPorts<'_>,
) -> Result<Option<CliCommand>, String> {
    let mut named = command.clone();
    let takes_references = matches!(command, CliCommand::Diff(_) | CliCommand::WhyDiffer(_));
    let mut has_names = false;
    for word in named.target_words() {
        if !may_be_name(word) || (takes_references && is_reference(word, outside)) {
            continue;
        }
        if let Some(object) = object_named(word, outside)? {
            *word = object;
            has_names = true;
        }
    }
    Ok(has_names.then_some(named))
}

/// True for a text that Kubernetes accepts as a name.
fn may_be_name(word: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    word.starts_with(|c: char| c.is_ascii_alphanumeric()) && word.chars().all(allowed)
}

fn is_reference(word: &str, outside: &CliPorts<'_>) -> bool {
    let commits = (outside.repository.commits)(&outside.current);
    word == "draft" || commits.is_ok_and(|commits| commits.resolve_commit(word).is_ok())
}

/// The only deployment object with a name, as `FILE#NAME`.
fn object_named(word: &str, outside: &CliPorts<'_>) -> Result<Option<String>, String> {
    let files = &*outside.ports.files;
    if files.resolve(&outside.current.join(word)).is_ok() {
        return Ok(None);
    }
    let Ok((current, _)) = files.resolve(&outside.current) else { return Ok(None) };
    let around = targets::repositories_around(std::slice::from_ref(&current), files, outside);
    let objects = around.iter().flatten().flat_map(|(_, objects)| objects);
    let objects =
        objects.filter(|object| object.name == word).map(LocatedDeploymentObject::object_name);
    let mut found: Vec<String> = objects.map(|name| relative_path(&current, &name)).collect();
    found.sort();
    found.dedup();
    if found.len() > 1 {
        let count = found.len();
        return Err(format!(
            "{count} deployment objects are named {word}: name one: {}",
            found.join(", ")
        ));
    }
    Ok(found.pop())
}

impl CliCommand {
    /// The words that name targets.
    fn target_words(&mut self) -> Vec<&mut String> {
        match self {
            Self::Build(it) => it.dirs.iter_mut().collect(),
            Self::Trace(it) => vec![&mut it.dir],
            // The first of several words may be the resource.
            Self::Why(it) => {
                let has_target = it.what.len() > 1;
                it.what.first_mut().filter(|_| has_target).into_iter().collect()
            }
            Self::Blame(it) => vec![&mut it.dir],
            Self::Diff(it) => it.before.iter_mut().chain(&mut it.after).collect(),
            Self::WhyDiffer(it) => vec![&mut it.before, &mut it.after],
            Self::Bisect(it) => vec![&mut it.dir],
            Self::Order(it) => vec![&mut it.dir],
            Self::Matrix(it) => vec![&mut it.dir],
            Self::Where(it) => it.what.iter_mut().collect(),
            Self::Graph(it) => it.what.iter_mut().collect(),
            Self::Grep(it) => it.targets.iter_mut().collect(),
            Self::Table(it) => it.targets.iter_mut().collect(),
            Self::Images(it) => it.targets.iter_mut().collect(),
            Self::Components(it) => vec![&mut it.dir],
            Self::Check(it) => it.paths.iter_mut().collect(),
            Self::Compat(it) => it.dirs.iter_mut().collect(),
            Self::Set(it) => vec![&mut it.target],
            Self::Remap(it) => it.target.iter_mut().collect(),
            Self::Drafts(it) => vec![&mut it.dir],
            _ => Vec::new(),
        }
    }
}
