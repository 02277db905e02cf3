//! Locations that are equal on all machines: relative to the target of the build.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::engine::evaluate::Trace;
use crate::engine::load::{Checkout, is_absolute, relative_path};
use crate::engine::yaml::Mark;

/// A location in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FilePosition {
    /// The file, relative to the target of the build (`../../base/web.yaml`). A file of a fetched
    /// git repository is written as in `resources:`
    /// (`https://example.com/shop//base/web.yaml?ref=v1`); a file that was read over HTTP is
    /// written as its URL.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters; 0 if only the line is known.
    pub column: u32,
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

    /// The location of a mark; `None` without a file.
    pub fn at(&self, mark: Mark) -> Option<FilePosition> {
        let file = self.trace.sources.path(mark.source)?;
        Some(FilePosition { file: self.path(file), line: mark.line, column: mark.column })
    }
}
