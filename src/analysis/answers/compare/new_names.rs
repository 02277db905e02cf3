//! Old and new names of renamed resources.

use crate::engine::resource::QuickMap;

/// The new names of renamed resources, by their old names; `None` for ambiguous names.
#[derive(Debug, Default)]
pub(super) struct NewNames(QuickMap<String, Option<String>>);

impl NewNames {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_deref()
    }
}

impl<'n> FromIterator<(&'n str, &'n str)> for NewNames {
    fn from_iter<I: IntoIterator<Item = (&'n str, &'n str)>>(pairs: I) -> Self {
        let mut names: QuickMap<String, Option<String>> = QuickMap::default();
        for (old, new) in pairs {
            let known = names.entry(old.to_owned()).or_insert_with(|| Some(new.to_owned()));
            if known.as_deref() != Some(new) {
                *known = None;
            }
        }
        Self(names)
    }
}
