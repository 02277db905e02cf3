//! The types of the `CustomResourceDefinitions` in the files of a repository, and of the schemas that
//! its kustomizations name under `openapi`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use memchr::memmem::Finder;

use crate::engine::load::Files;
use crate::engine::resource::Schema;
use crate::repository::{ReferenceDestination, Repository, is_yaml};

const DEFINITION: &[u8] = b"kind: CustomResourceDefinition";
const MAX_FILES: usize = 2_000;

/// The custom types of a repository. A file is parsed when one of its types is needed.
#[derive(Debug, Default)]
pub struct CustomTypes {
    files: Vec<PathBuf>,
    parsed: Mutex<BTreeMap<PathBuf, Arc<Schema>>>,
}

impl CustomTypes {
    pub(super) fn find(repository: &Repository, files: &dyn Files) -> Self {
        let finder = Finder::new(DEFINITION);
        let has_definition =
            |file: &&PathBuf| files.read(file).is_ok_and(|text| finder.find(&text).is_some());
        let found = repository.files.iter().filter(|it| is_yaml(it)).filter(has_definition);
        let entries = repository.targets().flat_map(|target| &target.uses);
        let schemas =
            entries.filter(|entry| entry.field == "openapi").filter_map(|entry| match &entry.to {
                ReferenceDestination::File(file) => Some(file),
                _ => None,
            });
        let found: BTreeSet<&PathBuf> = found.take(MAX_FILES).chain(schemas).collect();
        Self { files: found.into_iter().cloned().collect(), parsed: Mutex::default() }
    }

    /// All custom types: apiVersion and kind. Parses every file with definitions.
    pub fn types(&self, files: &dyn Files) -> Vec<(String, String)> {
        let all = self.files.iter().map(|file| self.parsed(file, files));
        let types = all.flat_map(|schema| {
            let own = schema.types();
            own.map(|(version, kind)| (version.to_owned(), kind.to_owned())).collect::<Vec<_>>()
        });
        types.collect()
    }

    pub fn schema(
        &self,
        (api_version, kind): (&str, &str),
        files: &dyn Files,
    ) -> Option<Arc<Schema>> {
        let finder = Finder::new(kind.as_bytes());
        let is_named =
            |file: &&PathBuf| files.read(file).is_ok_and(|text| finder.find(&text).is_some());
        let mut schemas = self.files.iter().filter(is_named).map(|file| self.parsed(file, files));
        schemas.find(|schema| schema.of_type(api_version, kind).is_some())
    }

    fn parsed(&self, file: &Path, files: &dyn Files) -> Arc<Schema> {
        let mut parsed = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || {
            let text = files.read(file).ok()?;
            Some(Schema::parse_source(&text).ok()?.schema)
        };
        let own =
            parsed.entry(file.to_owned()).or_insert_with(|| Arc::new(read().unwrap_or_default()));
        own.clone()
    }
}
