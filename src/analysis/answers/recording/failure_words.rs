//! The error of a build in plain words.

use crate::engine::diagnostic::{DuplicateOrigin, EntryLocation, Fault, Hint};
use crate::engine::evaluate::{ErrorCause, StepError};
use crate::engine::resource::ResMapError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedTwice {
    /// The resource, as in `ConfigMap otel-agent`.
    pub resource: String,
    /// The entries in which both ways to the resource differ, as written: first that of the
    /// resource that was added before.
    pub entries: [String; 2],
}

impl AddedTwice {
    /// The last part of the entry beside an own one; `None` if neither or both are own.
    pub fn other_entry(&self, is_own: impl Fn(&str) -> bool) -> Option<String> {
        let [first, second] = &self.entries;
        let other = match (is_own(first), is_own(second)) {
            (true, false) => second,
            (false, true) => first,
            _ => return None,
        };
        let name = other.trim_end_matches('/').rsplit('/').next();
        Some(name.unwrap_or(other).to_owned())
    }
}

/// The two entries that add the same resource, if that is the error.
pub fn added_twice(error: &StepError) -> Option<AddedTwice> {
    let clash = match &error.cause {
        ErrorCause::Clash(clash) => clash,
        ErrorCause::Fault(fault) => match fault.innermost() {
            Fault::Clash(clash) => clash,
            _ => return None,
        },
        _ => return None,
    };
    let ResMapError::Duplicate { id, .. } = clash;
    let Some(Hint::DuplicateId(
        DuplicateOrigin::Same { ways, .. } | DuplicateOrigin::Other { ways, .. },
    )) = &error.hint
    else {
        return None;
    };
    let (first, second) = ways.0.iter().zip(&ways.1).find(|(first, second)| first != second)?;
    let name = |entry: &EntryLocation| {
        if entry.name.is_empty() {
            format!("{}:{}", entry.file, entry.line)
        } else {
            entry.name.clone()
        }
    };
    let resource = format!("{} {}", id.gvk.kind, id.name);
    Some(AddedTwice { resource, entries: [name(first), name(second)] })
}

/// The error as text: of two resources with one id, the entries that add them; otherwise its
/// message.
pub fn failure_words(error: &StepError) -> String {
    match added_twice(error) {
        Some(AddedTwice { resource, entries: [first, second] }) => {
            let shared = shared_folder(&first, &second);
            let (first, second) = (&first[shared..], &second[shared..]);
            format!("{resource} is added by {first} and by {second}")
        }
        None => error.message.clone(),
    }
}

/// The bytes of the folder that two paths share, up to its last slash.
fn shared_folder(one: &str, other: &str) -> usize {
    let same = one.char_indices().zip(other.chars()).take_while(|((_, a), b)| a == b);
    same.filter(|((_, sign), _)| *sign == '/').last().map_or(0, |((at, _), _)| at + 1)
}
