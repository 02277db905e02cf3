//! The mutants written by hand, in kept.toml. Each breaks a documented guarantee.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::sites::Site;
use crate::{Outcome, read};

#[derive(Deserialize)]
struct List {
    mutant: Vec<Kept>,
}

/// A mutant of the list. `find` must occur exactly once in the file. `MUTANT` in `replace` becomes
/// the condition that the mutant is on.
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
    /// The site in the text of the file. It is an error if `find` does not occur exactly once.
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
