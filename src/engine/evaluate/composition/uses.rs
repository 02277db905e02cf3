//! Consolidating without building: for `kzui consolidate` and the workbench.

use std::path::Path;
use std::sync::Arc;

use crate::evaluate::build::{Build, cannot_load};
use crate::evaluate::build_root::BuildRoot;
use crate::evaluate::recorder::BuildAbort;
use crate::evaluate::target::read_only_target;
use crate::evaluate::{BuildCache, BuildOptions, LayerId, LayerKind, Ports, StepError};
use crate::manifest::COMPOSITION_FILE_NAMES;
use crate::yaml::Mark;

use super::ConsolidatedComposition;
use super::failure::{CompositionAbort, refused};

/// Consolidates the Composition of a directory, or of a `composition.yaml`: applies imports,
/// overrides and order (section A.16). Runs no function and fetches no catalog; a Kustomization in
/// the list is built.
///
/// # Errors
/// The error with which its build would fail; a target that is no Composition.
pub fn consolidate(
    target: &str,
    current: &Path,
    options: &BuildOptions,
    ports: &Ports,
    memory: &mut BuildCache,
) -> Result<ConsolidatedComposition, Arc<StepError>> {
    memory.begin(options.profile);
    let mut build = Build::new(current, options, ports, memory);
    let result = build.consolidate_target(target);
    build.memory.end(&[], &[]);
    result.map_err(|abort| match abort {
        CompositionAbort::Halt(BuildAbort::Failed(error)) => error,
        CompositionAbort::Halt(BuildAbort::Cancelled) => Arc::new(StepError::cancelled()),
        CompositionAbort::Error(error) => {
            build.recorder.describe(error, Mark::default(), LayerId(0))
        }
    })
}

impl Build<'_> {
    fn consolidate_target(
        &mut self,
        target: &str,
    ) -> Result<ConsolidatedComposition, CompositionAbort> {
        let path = Path::new(target);
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_file = COMPOSITION_FILE_NAMES.contains(&name);
        let directory = match path.parent().filter(|_| is_file) {
            Some(parent) if parent.as_os_str().is_empty() => ".".to_owned(),
            Some(parent) => parent.to_string_lossy().into_owned(),
            None => target.to_owned(),
        };
        let unread =
            |source| cannot_load(format!("cannot consolidate '{target}'"), Mark::default(), source);
        let root = self.setup.root_of(&directory).map_err(unread)?;
        self.root = BuildRoot::at(root.path());
        self.recorder.enter_root(LayerKind::Root, None, &root, target, Mark::default());
        let file = if is_file {
            root.load(name).map_err(unread)?
        } else {
            let (found, loaded, _) = read_only_target(&root)?;
            if !COMPOSITION_FILE_NAMES.contains(&found) {
                let fault =
                    format!("'{target}' holds a Kustomization; only a Composition is consolidated");
                return Err(refused(fault, Mark::default()));
            }
            loaded
        };
        self.recorder.set_file(LayerId(0), &file.path);
        self.consolidate_file(LayerId(0), &root, &file, false)
    }
}
