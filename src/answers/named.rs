//! Which resource a person means by `KIND/NAME`.

use indexmap::IndexSet;

use crate::engine::evaluate::Trace;
use crate::engine::load::nearest_name;
use crate::engine::resource::{Resource, Slot};

/// How many names an answer lists.
const LISTED: usize = 5;

/// A `KIND/NAME` that no resource of a build has or had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotThere {
    /// Names, as `KIND/NAME`, one of which may be meant: the nearest one, or else those of the kind.
    pub near: Vec<String>,
}

/// The resources of a kind that have or had a name at some step, by their numbers, so that all that happened to them can be
/// told, under whatever name. The kind's case does not matter.
///
/// # Errors
/// No resource has or had that name.
pub fn resources_named(trace: &Trace, kind: &str, name: &str) -> Result<IndexSet<Slot>, NotThere> {
    let sides = || {
        trace.steps.iter().flat_map(|step| &step.changes).flat_map(|change| {
            let sides = [&change.before, &change.after].into_iter().flatten();
            sides.map(|resource| (change.slot, &**resource))
        })
    };
    let is_meant = |resource: &Resource| {
        names(resource).any(|(its, named)| its.eq_ignore_ascii_case(kind) && named == name)
    };
    let found: IndexSet<Slot> =
        sides().filter(|(_, resource)| is_meant(resource)).map(|(slot, _)| slot).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let known: IndexSet<(&str, &str)> = sides().flat_map(|(_, resource)| names(resource)).collect();
    let all: Vec<String> = known.iter().map(|(kind, name)| format!("{kind}/{name}")).collect();
    if let Some(near) = nearest_name(&format!("{kind}/{name}"), all.iter().map(String::as_str)) {
        return Err(NotThere { near: vec![near.to_owned()] });
    }
    let of_kind = known.iter().zip(&all).filter(|((its, _), _)| its.eq_ignore_ascii_case(kind));
    Err(NotThere { near: of_kind.take(LISTED).map(|(_, named)| named.clone()).collect() })
}

/// The kinds and names that a resource has and had.
fn names(resource: &Resource) -> impl Iterator<Item = (&str, &str)> {
    let now = (&*resource.id.gvk.kind, &*resource.id.name);
    resource.previous.iter().map(|id| (&*id.kind, &*id.name)).chain([now])
}
