//! Locations that are equal on all machines: relative to the target of the build.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use crate::engine::evaluate::Trace;
use crate::engine::load::{Checkout, is_absolute, relative_path};
use crate::engine::yaml::Mark;

use super::documents;

documents! {
    #[derive(PartialOrd, Ord, Deserialize)]
    pub struct FilePosition {
        pub file: String,
        pub line: u32,
        pub column: u32,
    }
}

/// Converts the paths of a recording to paths that are equal on all machines.
#[derive(Clone, Debug)]
pub struct ReportPaths<'t> {
    trace: &'t Trace,
    target: PathBuf,
    /// The clones that the build read, except for the clone with the target.
    checkouts: Vec<Arc<Checkout>>,
}

impl<'t> ReportPaths<'t> {
    pub fn relative_to_target(trace: &'t Trace) -> Self {
        let target = trace.layers.first().map(|layer| PathBuf::from(&*layer.path));
        Self::relative_to(trace, target.unwrap_or_default())
    }

    pub fn relative_to(trace: &'t Trace, directory: PathBuf) -> Self {
        let target = directory;
        let mut checkouts: Vec<Arc<Checkout>> = Vec::new();
        for checkout in trace.layers.iter().filter_map(|layer| layer.checkout.as_ref()) {
            if !target.starts_with(&checkout.tree) && !checkouts.contains(checkout) {
                checkouts.push(checkout.clone());
            }
        }
        Self { trace, target, checkouts }
    }

    /// The name of a file in a clone of another repository; `None` for any other file.
    pub fn in_clone(&self, path: &Path) -> Option<String> {
        self.checkouts.iter().find_map(|checkout| checkout.names(path))
    }

    /// A file or directory as it is written in a report; `.` for the target itself.
    pub fn path(&self, path: &str) -> String {
        let absolute = Path::new(path);
        if !is_absolute(absolute) {
            return path.to_owned();
        }
        self.in_clone(absolute).unwrap_or_else(|| match relative_path(&self.target, absolute) {
            same if same.is_empty() => ".".to_owned(),
            relative => relative,
        })
    }

    pub fn at(&self, mark: Mark) -> Option<FilePosition> {
        let file = self.trace.sources.path(mark.source)?;
        Some(FilePosition { file: self.path(file), line: mark.line, column: mark.column })
    }
}
