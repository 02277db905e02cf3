//! Places as commands print them: for people from the working directory, so that an editor finds them; for programs as reports
//! have them, from the target.

use std::path::{Component, Path};

use crate::answers::Recording;
use crate::answers::blame::Writer;
use crate::answers::report::{WhyReport, Writers};
use crate::answers::why::Why;
use crate::engine::resource::Slot;
use crate::engine::yaml::Mark;

/// A path as seen from a directory; as it is when the two share nothing but the root.
pub(super) fn seen_from(path: &str, directory: &Path) -> String {
    let to = Path::new(path);
    let shared = directory.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    // From the root down nothing is shared.
    if to.is_relative() || shared < 2 {
        return path.to_owned();
    }
    let up = directory.components().count() - shared;
    let parts = std::iter::repeat_n("..".to_owned(), up);
    let below = to.components().skip(shared).map(Component::as_os_str);
    let parts: Vec<String> =
        parts.chain(below.map(|part| part.to_string_lossy().into_owned())).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// What is needed to tell people of places and writers.
pub(super) struct Places<'r> {
    pub(super) recording: &'r Recording,
    current: &'r Path,
    writers: Writers<'r>,
}

impl<'r> Places<'r> {
    pub(super) fn new(recording: &'r Recording, current: &'r Path, shows_secrets: bool) -> Self {
        Self { recording, current, writers: Writers::of(recording, shows_secrets) }
    }

    /// `base/web.yaml`
    pub(super) fn file(&self, mark: Mark) -> String {
        let file = self.recording.file(mark);
        file.map_or_else(String::new, |file| seen_from(file, self.current))
    }

    /// `base/web.yaml:7`
    pub(super) fn text(&self, mark: Mark) -> String {
        let file = self.file(mark);
        if mark.line > 0 && !file.is_empty() { format!("{file}:{}", mark.line) } else { file }
    }

    pub(super) fn name(&self, slot: Slot) -> String {
        self.writers.name(slot)
    }

    /// A value in one line, that of a Secret only where it is asked for.
    pub(super) fn value(&self, slot: Slot, writer: &Writer) -> Option<String> {
        self.writers.value(slot, writer)
    }

    /// The document for programs.
    pub(super) fn report(&self, answer: &Why) -> WhyReport {
        self.writers.report(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_from_where_one_stands() {
        let from = |path: &str| seen_from(path, Path::new("/home/me/shop/overlays"));
        assert_eq!(from("/home/me/shop/overlays/dev/k.yaml"), "dev/k.yaml");
        assert_eq!(from("/home/me/shop/base/k.yaml"), "../base/k.yaml");
        assert_eq!(from("/var/k.yaml"), "/var/k.yaml");
    }
}
