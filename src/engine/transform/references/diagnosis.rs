//! Why a reference that looks right was left alone.

use crate::resource::Resource;

use super::super::{Warning, WhyNot};
use super::Unresolved;
use super::candidates::Candidates;
use super::sieve::{Referrer, was_selected_by};

/// How many resources of one name are looked at for an explanation.
const ENOUGH: usize = 8;

/// A warning when the name once belonged to a resource of the right type that is called otherwise now.
pub(super) fn warning(
    reference: &Unresolved<'_>,
    referrer: &Referrer<'_>,
    candidates: &Candidates,
) -> Option<Warning> {
    let path = &reference.field.path.spec().path;
    let meant =
        candidates.named(&reference.name).take(ENOUGH).map(|candidate| candidate.resource).find(
            |resource| {
                *resource.id.name != *reference.name
                    && was_selected_by(resource, &reference.field.target)
            },
        )?;
    let (held_back, hint) = reason(reference, referrer, &meant);
    let field = format!("{path} of {}", referrer.resource.id);
    let (says, meant) = (reference.name.to_string(), meant.id.to_string());
    Some(Warning {
        code: "KZ113",
        message: format!("{field} still says {says}, a name that {meant} had before: {held_back}"),
        hint: Some(hint.to_owned()),
        mark: reference.mark,
        why: Some(WhyNot::Reference { field, says, meant, held_back }),
    })
}

/// The sieve that held the resource back.
fn reason(
    reference: &Unresolved<'_>,
    referrer: &Referrer<'_>,
    meant: &Resource,
) -> (String, &'static str) {
    if !referrer.fits_role(meant, &reference.field.path.spec().path) {
        let why = "roleRef.apiGroup or roleRef.kind says another type".to_owned();
        return (why, "correct apiGroup and kind of the roleRef");
    }
    if !referrer.sees(meant) {
        let why = format!(
            "it is in namespace {}, the reference in {}",
            meant.id.effective_namespace(),
            referrer.namespace
        );
        return (why, "give both the same namespace before or in the same kustomization");
    }
    if let Some(namespace) = &reference.namespace {
        let first = meant.previous.first().map_or("", |first| &*first.namespace);
        let why =
            format!("the reference says namespace {namespace}, the resource came from {first}");
        return (why, "name the namespace that the resource has in its own file");
    }
    let why = format!(
        "prefixes and suffixes do not agree ({:?} {:?} against {:?} {:?}), so several resources of that name \
         rule each other out",
        referrer.resource.prefixes, referrer.resource.suffixes, meant.prefixes, meant.suffixes
    );
    (why, "refer to it from the kustomization that renames it, or write the final name")
}
