//! Locations in the output of commands: for people relative to the working directory, so that an
//! editor finds them; for programs relative to the target, as in reports.

use std::path::{Path, PathBuf};

use super::CliPorts;
pub(super) use crate::answers::make_paths_relative;
use crate::answers::provenance::blame::FieldWriter;
use crate::answers::recording::field::{named_path_text, path_text};
use crate::answers::report::{ReportPaths as Named, WriterReportInputs};
use crate::answers::secrets::Secrets;
use crate::answers::{Recording, is_shown_relative, relative};
use crate::engine::evaluate::Trace;
use crate::engine::load::FileKind;
use crate::engine::resource::Slot;
use crate::engine::yaml::Mark;

/// A path relative to a directory; unchanged if the two share only the root.
pub(super) fn seen_from(path: &str, directory: &Path) -> String {
    let to = Path::new(path);
    if to.is_relative() || !is_shown_relative(directory, to) {
        return path.to_owned();
    }
    relative(to, directory)
}

/// The path of a file of a recording, relative to a directory; a file in a clone is named by its
/// repository.
pub(super) fn displayed_file(trace: &Trace, path: &str, directory: &Path) -> String {
    let named = Named::relative_to(trace, directory.to_owned());
    named.in_clone(Path::new(path)).unwrap_or_else(|| seen_from(path, directory))
}

/// The root of the repository around a path, links resolved; without git, the working directory if
/// it contains the path, or else the folder of the path.
pub(super) fn repository_root(path: &Path, outside: &CliPorts<'_>) -> PathBuf {
    let files = &*outside.ports.files;
    let folder = match files.resolve(path) {
        Ok((folder, FileKind::Directory)) => folder,
        Ok((file, FileKind::File)) => file.parent().unwrap_or(&file).to_owned(),
        Err(_) => path.parent().unwrap_or(path).to_owned(),
    };
    if let Some(top) = outside.work_tree_root(&folder).filter(|top| folder.starts_with(top)) {
        return top;
    }
    let current = files.resolve(&outside.current).map(|(path, _)| path);
    let current = current.unwrap_or_else(|_| outside.current.clone());
    let is_in_current = folder.starts_with(&current) && current.components().count() > 1;
    if is_in_current { current } else { folder }
}

pub(super) fn displayed_target_name(word: &str, outside: &CliPorts<'_>) -> String {
    let top = |path: &Path| outside.work_tree_root(path);
    crate::answers::displayed_path(word, &outside.current, &top)
}

pub(super) struct LocationFormatter<'r> {
    pub(super) recording: &'r Recording,
    current: &'r Path,
    pub(super) writers: WriterReportInputs<'r>,
}

impl<'r> LocationFormatter<'r> {
    pub(super) fn new(recording: &'r Recording, current: &'r Path, secrets: &'r Secrets) -> Self {
        Self { recording, current, writers: WriterReportInputs::new(recording, secrets) }
    }

    /// The path of a written field, with elements by name.
    pub(super) fn field(&self, slot: Slot, writer: &FieldWriter) -> String {
        let changes = self.recording.step(writer.step).map(|step| step.changes.iter());
        let change = changes.into_iter().flatten().find(|change| change.slot == slot);
        let after = change.and_then(|change| change.after.as_ref());
        after.map_or_else(
            || path_text(&writer.path),
            |resource| named_path_text(&resource.node, &writer.path),
        )
    }

    /// The file of a location, as in `base/web.yaml`.
    pub(super) fn file(&self, mark: Mark) -> String {
        let file = self.recording.file(mark);
        file.map_or_else(String::new, |file| {
            displayed_file(&self.recording.trace, file, self.current)
        })
    }

    /// The file and line of a location, as in `base/web.yaml:7`.
    pub(super) fn text(&self, mark: Mark) -> String {
        let file = self.file(mark);
        if mark.line > 0 && !file.is_empty() { format!("{file}:{}", mark.line) } else { file }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_shown_relative_to_the_directory() {
        let from = |path: &str| seen_from(path, Path::new("/home/me/shop/overlays"));
        assert_eq!(from("/home/me/shop/overlays/dev/k.yaml"), "dev/k.yaml");
        assert_eq!(from("/home/me/shop/base/k.yaml"), "../base/k.yaml");
        assert_eq!(from("/var/k.yaml"), "/var/k.yaml");
        assert_eq!(seen_from("/var/k.yaml", Path::new("/")), "var/k.yaml");
    }
}
