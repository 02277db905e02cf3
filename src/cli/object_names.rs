//! Deployment objects by name alone: `web` instead of `argocd/app.yaml#web`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::function::FunctionCommand;
use super::openapi::OpenApi;
use super::{CliCommand, CliPorts};
use crate::engine::load::{Files, relative_path};
use crate::repository::{Listing, may_be_object_name, object_with_name};

/// The command with `FILE#NAME` in place of the names of deployment objects; `None` if it has no
/// such name. A file and a folder precede an object. The sides of a comparison, which may be git
/// references as well, are resolved by `parse_sides`.
pub(super) fn with_files_of_objects(
    command: &CliCommand,
    outside: &CliPorts<'_>,
) -> Result<Option<CliCommand>, String> {
    let mut named = command.clone();
    let mut has_names = false;
    for word in named.target_words() {
        let top = || outside.work_tree_root(&outside.current);
        let (listing, files) = (&*outside.repository.listing, &outside.ports.files);
        if let Some(object) = object_argument(word, (&outside.current, &top), listing, files)? {
            *word = object;
            has_names = true;
        }
    }
    Ok(has_names.then_some(named))
}

/// The argument `FILE#NAME` in place of the name of a deployment object; `None` for any other word.
/// `top` returns the root of the git work tree around the folder `current`; it is called for a word
/// that may be a name.
pub fn object_argument(
    word: &str,
    (current, top): (&Path, &dyn Fn() -> Option<PathBuf>),
    listing: &dyn Listing,
    files: &Arc<dyn Files>,
) -> Result<Option<String>, String> {
    if !may_be_object_name(word) || files.resolve(&current.join(word)).is_ok() {
        return Ok(None);
    }
    let Ok((current, _)) = files.resolve(current) else { return Ok(None) };
    let root = top().filter(|top| current.starts_with(top)).unwrap_or_else(|| current.clone());
    let object = object_with_name(word, (&root, &current), listing, files)?;
    Ok(object.map(|object| relative_path(&current, &object)))
}

impl CliCommand {
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
            Self::Migrate(it) => it.paths.iter_mut().collect(),
            Self::Edit(it) => vec![&mut it.dir],
            Self::Compat(it) => it.dirs.iter_mut().collect(),
            Self::Consolidate(it) => vec![&mut it.target],
            Self::Set(it) => vec![&mut it.target],
            Self::Remap(it) => it.target.iter_mut().collect(),
            Self::Drafts(it) => vec![&mut it.dir],
            Self::Function(FunctionCommand::Eval(it)) => it.target.iter_mut().collect(),
            Self::OpenApi(OpenApi::Info(it)) => it.dir.iter_mut().collect(),
            _ => Vec::new(),
        }
    }
}
