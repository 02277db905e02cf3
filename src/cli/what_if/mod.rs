//! `kzui order` and `kzui matrix`: builds with entries in another order or with other components.

mod matrix;
mod order;

pub use matrix::MatrixArgs;
pub(super) use matrix::run as matrix;
pub use order::OrderArgs;
pub(super) use order::run as order;

use std::path::PathBuf;

use super::{BuildFlags, CliPorts, options, targets};
use crate::answers::experiments::variants::VariantBuilder;
use crate::engine::evaluate::target_file_names;
use crate::engine::load::FileKind;

/// A target and its build options.
struct TargetSetup {
    variants: VariantBuilder,
    folder: PathBuf,
    file: PathBuf,
}

impl TargetSetup {
    fn open(dir: &str, flags: &BuildFlags, outside: &CliPorts<'_>) -> Result<Self, String> {
        let options = options::headless_options(flags, dir, outside)?;
        let files = &outside.ports.files;
        let (object, folder) = targets::object_and_folder(dir, outside);
        let folder = match folder {
            Ok((folder, FileKind::Directory)) => folder,
            Ok(_) => return Err(format!("{dir} is not a directory")),
            Err(error) => return Err(error.to_string()),
        };
        let file = target_file_names()
            .map(|name| folder.join(name))
            .find(|file| matches!(files.resolve(file), Ok((_, FileKind::File))))
            .ok_or_else(|| format!("no kustomization file in {dir}"))?;
        let target = object.as_ref().unwrap_or(&folder);
        Ok(Self { variants: VariantBuilder::new(&outside.ports, &options, target), folder, file })
    }
}
