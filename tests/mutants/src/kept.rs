//! Mutants written by hand: attempts on what the house promises, kept in kept.toml.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::sites::Site;
use crate::{Outcome, read};

#[derive(Deserialize)]
struct List {
    mutant: Vec<Kept>,
}

/// One of them. `find` stands once in the file; in `replace`, `MUTANT` is the question whether the mutant is on.
#[derive(Deserialize)]
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    find: String,
    replace: String,
}

pub(crate) fn list(tree: &Path) -> Outcome<Vec<Kept>> {
    let path = tree.join("tests/mutants/kept.toml");
    let list: List =
        toml::from_str(&read(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(list.mutant)
}

impl Kept {
    /// Its site in the file's text; an error when the text does not exist, or stands there more than once.
    pub(crate) fn site(&self, text: &str) -> Outcome<Site> {
        let mut places = text.match_indices(&self.find);
        let (Some((start, _)), None) = (places.next(), places.next()) else {
            return Err(format!(
                "{}: the text to find stands not once in {}",
                self.name,
                self.file.display()
            ));
        };
        Ok(Site {
            range: start..start + self.find.len(),
            line: text[..start].matches('\n').count() + 1,
            kind: "kept",
            mutated: self.replace.clone(),
            planted: self.replace.clone(),
        })
    }
}
