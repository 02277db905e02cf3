//! Many operations in a row on the keys of one mapping: where each key stands is looked up once for all of them.

use std::sync::Arc;

use crate::diagnostic::{JsonPatchFault, PatchPlace};
use crate::resource::QuickMap;
use crate::yaml::{Allowance, Entry, Node, Value};

use super::super::json_values::Form;
use super::Operation;
use super::pointer::{container, decode, depth};

/// So many operations in a row are worth a table of the keys.
const MANY: usize = 32;

/// An operation that failed: its number in the row, and why.
pub(super) type Failed = (usize, JsonPatchFault);

/// Applies the operations at the beginning of a list that are about keys of one mapping, if they are many; how many that were.
///
/// # Errors
/// As each of them by itself; the tree is then as those before it left it.
pub(super) fn apply(
    operations: &[Operation],
    root: &mut Node,
    form: Form,
    copies: &mut Allowance,
) -> Result<usize, Failed> {
    let Some(above) = operations.first().and_then(holder_of) else { return Ok(0) };
    let row = || operations.iter().take_while(|it| holder_of(it) == Some(above));
    if row().take(MANY).count() < MANY {
        return Ok(0);
    }
    let Some((holder, _)) = container(root, &format!("{above}/")) else { return Ok(0) };
    let Value::Mapping(mapping) = &mut holder.value else { return Ok(0) };
    let Some(mut keys) = Keys::of(&mapping.entries) else { return Ok(0) };
    let mapping = Arc::make_mut(mapping);
    keys.entries.extend(mapping.entries.drain(..).map(Some));
    let mut done = 0;
    let result = row().try_for_each(|operation| {
        keys.apply(operation, form, copies)?;
        done += 1;
        Ok(())
    });
    mapping.entries.extend(keys.entries.into_iter().flatten());
    result.map(|()| done).map_err(|fault| (done, fault))
}

/// The path of what holds the keys that an operation is about, as it is written; nothing where they are not in one place.
fn holder_of(operation: &Operation) -> Option<&str> {
    let holder = above(operation.path.as_deref()?)?;
    match &*operation.op {
        "add" | "replace" | "remove" | "test" => Some(holder),
        "move" => (above(operation.from.as_deref()?)? == holder).then_some(holder),
        _ => None,
    }
}

/// A path without its last part.
fn above(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(above, _)| above)
}

/// The last part of a path.
fn key_in(path: &str) -> String {
    path.rsplit_once('/').map(|(_, key)| decode(key)).unwrap_or_default()
}

/// The entries of a mapping, and where each key stands among them.
struct Keys {
    /// Nothing where one was taken away.
    entries: Vec<Option<Entry>>,
    places: QuickMap<String, usize>,
}

impl Keys {
    /// The places of these entries; nothing when a key stands there twice, or is none.
    fn of(entries: &[Entry]) -> Option<Self> {
        let mut places = QuickMap::default();
        for (place, entry) in entries.iter().enumerate() {
            if places.insert(entry.key.text()?.to_owned(), place).is_some() {
                return None;
            }
        }
        Some(Self { entries: Vec::with_capacity(entries.len()), places })
    }

    fn apply(
        &mut self,
        operation: &Operation,
        form: Form,
        copies: &mut Allowance,
    ) -> Result<(), JsonPatchFault> {
        let path = operation.path.as_deref().unwrap_or_default();
        let key = key_in(path);
        match &*operation.op {
            "remove" => self.take(&key).map(drop).map_err(|fault| fault.at("remove", path)),
            "test" if operation.is_met_by(self.get(&key)) => Ok(()),
            "test" => Err(JsonPatchFault::TestFailed(path.to_owned())),
            "move" => {
                let from = key_in(operation.from.as_deref().unwrap_or_default());
                let value = self.take(&from).map_err(|fault| fault.at("move", &from))?;
                let taken = copies.take(&value, depth(path));
                taken.map_err(|excess| JsonPatchFault::from(excess).at("move", path))?;
                self.set(key, value.written_by(operation.mark));
                Ok(())
            }
            _ => {
                operation.fits()?;
                if operation.op == "replace" && operation.strict && self.get(&key).is_none() {
                    return Err(operation.missing(PatchPlace::Key, path));
                }
                self.set(key, operation.value(form));
                Ok(())
            }
        }
    }

    fn get(&self, key: &str) -> Option<&Node> {
        let entry = self.entries.get(*self.places.get(key)?)?.as_ref();
        entry.map(|entry| &entry.value)
    }

    fn take(&mut self, key: &str) -> Result<Node, JsonPatchFault> {
        let place = self.places.swap_remove(key).and_then(|place| self.entries.get_mut(place));
        let entry = place.and_then(Option::take);
        entry.map(|it| it.value).ok_or_else(|| JsonPatchFault::NothingToRemove(key.to_owned()))
    }

    fn set(&mut self, key: String, value: Node) {
        let place = self.places.get(&key).and_then(|place| self.entries.get_mut(*place));
        if let Some(Some(entry)) = place {
            entry.value = value;
            return;
        }
        let written = Node::string(key.as_str()).marked(value.mark);
        self.places.insert(key, self.entries.len());
        self.entries.push(Some(Entry { key: written, value }));
    }
}
