//! The edits of a user, as functions from text to text.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::evaluate::entry_name;
use crate::engine::manifest::{Outline, OutlineError};

/// One entry of a list in a kustomization file, counting commented entries.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryRef {
    pub file: PathBuf,
    pub field: String,
    /// The index of the entry in [`OutlineField::entries`](crate::engine::manifest::OutlineField).
    pub index: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Comments an entry out in place, or restores it.
    ToggleEntry(EntryRef),
    /// Comments a top-level field such as `namePrefix` out, with all its contents, or restores it.
    ToggleField { file: PathBuf, field: String },
    /// Moves an entry within its list, down for positive numbers.
    MoveEntry { entry: EntryRef, by: isize },
    /// Adds an entry at the end of a list, in the style of the file; creates the list if it is
    /// missing.
    AddEntry {
        file: PathBuf,
        field: String,
        /// The entry as YAML, without dash and indentation.
        text: String,
    },
    /// Replaces the text of a file, as the editor inside the workbench does.
    SetText { file: PathBuf, text: Arc<[u8]> },
}

/// An edit in a form that can be repeated on a changed text: an entry is identified by its text,
/// and a switch has its final state.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Intent {
    Switch {
        entry: EntryTextKey,
        off: bool,
    },
    SwitchField {
        field: String,
        off: bool,
    },
    Move {
        entry: EntryTextKey,
        by: isize,
    },
    Add {
        field: String,
        text: String,
    },
    /// Removes an entry that the draft added.
    Remove {
        entry: EntryTextKey,
    },
    /// An edit that is known only by the bytes before and after it.
    Text,
}

/// An entry by its text, and its number among entries with the same text.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub struct EntryTextKey {
    field: String,
    text: String,
    nth: usize,
}

impl EntryTextKey {
    /// The key of an entry of a text, and whether the entry is commented out; `None` without this
    /// entry.
    fn from_entry(text: &[u8], entry: &EntryRef) -> Option<(Self, bool)> {
        let outline = Outline::parse(text);
        let entries = &outline.field(&entry.field)?.entries;
        let found = entries.get(entry.index)?;
        let before = entries.iter().take(entry.index);
        let nth = before.filter(|other| other.text == found.text).count();
        let key = Self { field: entry.field.clone(), text: found.text.clone(), nth };
        Some((key, found.disabled))
    }

    /// The index of the entry in another text, and whether the entry is commented out there.
    fn find(&self, outline: &Outline) -> Option<(usize, bool)> {
        let entries = outline.field(&self.field)?.entries.iter().enumerate();
        let mut same = entries.filter(|(_, entry)| entry.text == self.text);
        same.nth(self.nth).map(|(index, entry)| (index, entry.disabled))
    }

    /// The field and the name of the entry: `components ../../components/ldap`.
    fn words(&self) -> String {
        format!("{} {}", self.field, called(&self.field, &self.text))
    }
}

/// The name of an entry. The field of a deployment object is a path with dots; its last part is
/// used.
fn called(field: &str, text: &str) -> String {
    entry_name(field.rsplit('.').next().unwrap_or(field), text)
}

pub(super) fn file_name_text(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

impl Edit {
    pub fn file(&self) -> &Path {
        match self {
            Self::ToggleEntry(entry) | Self::MoveEntry { entry, .. } => &entry.file,
            Self::ToggleField { file, .. }
            | Self::AddEntry { file, .. }
            | Self::SetText { file, .. } => file,
        }
    }

    /// The text after the edit.
    pub fn apply_to(&self, text: &[u8]) -> Result<Vec<u8>, String> {
        let edited = match self {
            Self::ToggleEntry(entry) => Outline::toggle_entry(text, &entry.field, entry.index),
            Self::ToggleField { field, .. } => Outline::toggle_field(text, field),
            Self::MoveEntry { entry, by } => {
                Outline::move_entry(text, &entry.field, entry.index, *by)
            }
            Self::AddEntry { field, text: entry, .. } => Outline::add_entry(text, field, entry),
            Self::SetText { text, .. } => Ok(text.to_vec()),
        };
        let path = self.file().display();
        edited.map_err(|error| match error {
            OutlineError::Unsupported { line, obstacle } => format!("{path}:{line}: {obstacle}"),
            OutlineError::NoField(_) | OutlineError::NoEntry { .. } => format!("{path}: {error}"),
        })
    }

    /// The edit in a form that can be repeated on another text, with its description; `text` is the
    /// text before the edit.
    pub(super) fn to_intent(&self, text: &[u8]) -> (Intent, String) {
        let nothing = || (Intent::Text, format!("edit {}", file_name_text(self.file())));
        let verb = |off: bool| if off { "switch off" } else { "switch on" };
        match self {
            Self::ToggleEntry(entry) => {
                let Some((entry, disabled)) = EntryTextKey::from_entry(text, entry) else {
                    return nothing();
                };
                let words = format!("{} {}", verb(!disabled), entry.words());
                (Intent::Switch { entry, off: !disabled }, words)
            }
            Self::ToggleField { field, .. } => {
                let outline = Outline::parse(text);
                let off = outline.field(field).is_some_and(|field| !field.disabled);
                let words = format!("{} {field}", verb(off));
                (Intent::SwitchField { field: field.clone(), off }, words)
            }
            Self::MoveEntry { entry, by } => {
                let Some((entry, _)) = EntryTextKey::from_entry(text, entry) else {
                    return nothing();
                };
                let way = if *by < 0 { "up" } else { "down" };
                let words = format!("move {} {way}", entry.words());
                (Intent::Move { entry, by: *by }, words)
            }
            Self::AddEntry { field, text, .. } => {
                let words = format!("add {field} {}", called(field, text));
                (Intent::Add { field: field.clone(), text: text.clone() }, words)
            }
            Self::SetText { .. } => nothing(),
        }
    }
}

impl Intent {
    fn adds(&self, entry: &EntryTextKey) -> bool {
        matches!(self, Self::Add { field, text } if *field == entry.field && *text == entry.text)
    }

    /// The removal of an entry that this edit added, in place of an edit that switches it off, with
    /// its description; `text` is the text before that edit.
    pub(super) fn removal(&self, edit: &Edit, text: &[u8]) -> Option<(Self, String)> {
        let Edit::ToggleEntry(entry) = edit else { return None };
        let (entry, is_off) = EntryTextKey::from_entry(text, entry)?;
        let words = format!("remove {}", entry.words());
        (!is_off && self.adds(&entry)).then_some((Self::Remove { entry }, words))
    }

    pub(super) fn is_opposite(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Switch { entry, off }, Self::Switch { entry: same, off: now }) => {
                entry == same && off != now
            }
            (Self::SwitchField { field, off }, Self::SwitchField { field: same, off: now }) => {
                field == same && off != now
            }
            (Self::Add { .. }, Self::Remove { entry }) => self.adds(entry),
            _ => false,
        }
    }

    /// Applies the edit to another text. Returns the same text if it is already applied, `None` if
    /// it cannot be applied.
    pub(super) fn replay(&self, text: &[u8]) -> Option<Vec<u8>> {
        let outline = Outline::parse(text);
        match self {
            Self::Switch { entry, off } => match entry.find(&outline)? {
                (_, disabled) if disabled == *off => Some(text.to_vec()),
                (index, _) => Outline::toggle_entry(text, &entry.field, index).ok(),
            },
            Self::SwitchField { field, off } => {
                if outline.field(field)?.disabled == *off {
                    return Some(text.to_vec());
                }
                Outline::toggle_field(text, field).ok()
            }
            Self::Move { entry, by } => {
                let (index, _) = entry.find(&outline)?;
                Outline::move_entry(text, &entry.field, index, *by).ok()
            }
            Self::Add { field, text: entry } => {
                let there = EntryTextKey { field: field.clone(), text: entry.clone(), nth: 0 };
                match there.find(&outline) {
                    Some((_, false)) => Some(text.to_vec()),
                    _ => Outline::add_entry(text, field, entry).ok(),
                }
            }
            Self::Remove { entry } => match entry.find(&outline) {
                Some((index, false)) => Outline::remove_entry(text, &entry.field, index),
                _ => Some(text.to_vec()),
            },
            Self::Text => None,
        }
    }
}
