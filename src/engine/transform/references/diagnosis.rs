//! Explains why a reference that looks right was not changed.

use crate::diagnostic::{Diagnostic, NameRemark, ReferringField, StaleReference};
use crate::resource::{Gvk, ResMap, Resource};
use crate::yaml::Node;

use super::UnresolvedReference;
use super::candidates::{Candidates, ResourceNames};
use super::referrer::Referrer;

const MAX_DIAGNOSED_RESOURCES: usize = 8;

/// The maximum number of resources with an earlier name among which one is searched for that still
/// has this name.
const MAX_RESOURCES_SEARCHED: usize = 256;

/// A warning if the name once belonged to a resource of the right type that has another name now.
pub(super) fn warning(
    reference: &UnresolvedReference<'_>,
    referrer: &Referrer,
    candidates: &Candidates,
    resources: &ResMap,
) -> Option<Diagnostic> {
    let path = &reference.field.path.spec().path;
    let named = candidates.named(&reference.name, None);
    let meant = named.into_iter().take(MAX_DIAGNOSED_RESOURCES).find(|named| {
        *named.id.name != *reference.name && named.was_selected_by(&reference.field.target)
    })?;
    // If a resource with this name exists now, the reference is correct as written.
    // In a roleRef, its own kind decides.
    let is_meant =
        |gvk: &Gvk| gvk.is_selected_by(referrer.role(path).unwrap_or(&reference.field.target));
    let has_it = |resource: &Resource| {
        *resource.id.name == *reference.name
            && is_meant(&resource.id.gvk)
            && referrer.can_refer_to(&resource.id)
    };
    let named = resources.find_any_name(&reference.name);
    if named
        .iter()
        .take(MAX_RESOURCES_SEARCHED)
        .filter_map(|slot| resources.get(*slot))
        .any(|it| has_it(it))
    {
        return None;
    }
    let (held_back, hint) = reason(reference, referrer, meant);
    let id = &referrer.named.id;
    let field = ReferringField { path: path.clone(), id: id.clone() };
    let (says, meant) = (reference.name.to_string(), meant.id.clone());
    let remark = NameRemark::OldName(Box::new(StaleReference {
        field,
        old_name: says,
        renamed_resource: meant,
        held_back,
    }));
    let said = Diagnostic::new(remark, reference.mark)
        .hint(hint)
        .with_subject(None, &id.gvk.kind, &id.name)
        .field(path.replace('/', "."));
    Some(said)
}

fn other_namespace(there: &str, here: &str) -> String {
    let here = if here.is_empty() { "none, which Kustomize reads as `default`" } else { here };
    format!("it is in namespace {there}, the reference in {here}")
}

/// The rule that excluded the resource, and a hint.
fn reason(
    reference: &UnresolvedReference<'_>,
    referrer: &Referrer,
    meant: &ResourceNames,
) -> (String, &'static str) {
    if !referrer.fits_role(meant, &reference.field.path.spec().path) {
        return (
            "roleRef.apiGroup or roleRef.kind names another type".to_owned(),
            "correct apiGroup and kind of the roleRef",
        );
    }
    if !referrer.can_refer_to(&meant.id) {
        let there = meant.id.effective_namespace();
        let written = reference.namespace.as_deref();
        let here = match (&*referrer.named.id.namespace, referrer.namespace()) {
            (_, namespace) if written == Some(there) => {
                return (
                    other_namespace(there, namespace),
                    "write the final name: Kustomize looks only in the namespace of the object that has the reference",
                );
            }
            _ if written.is_some() => written.unwrap_or_default(),
            ("", "" | "default") => "",
            (_, namespace) => namespace,
        };
        let hint =
            "set the same namespace on both objects, in this kustomization or in an earlier layer";
        let by_flux = "set the same namespace on both objects, in this kustomization or in an earlier layer, as Flux does with a targetNamespace";
        let is_flux = referrer.named.id.gvk.group.ends_with(".toolkit.fluxcd.io");
        return (other_namespace(there, here), if is_flux { by_flux } else { hint });
    }
    if let Some(namespace) = &reference.namespace {
        let first = meant.first_namespace();
        let hint = if matches!(first, "" | "default") {
            "remove `namespace` here"
        } else {
            "write the namespace that the resource has in its own file"
        };
        let why =
            format!("the reference has namespace {namespace}, the resource came from {first}");
        return (why, hint);
    }
    let affixes = |named: &ResourceNames| {
        format!("{:?} and {:?}", named.names.prefixes(), named.names.suffixes())
    };
    let why = format!(
        "prefixes and suffixes differ: {} for the object, {} for the resource; Kustomize cannot \
         choose between several resources of that name",
        affixes(referrer.named),
        affixes(meant)
    );
    (why, "refer to the resource from the kustomization that renames it, or write its final name")
}

/// True if a reference is still unchanged. Another entry of the `nameReference` table may have
/// rewritten it since.
pub(super) fn still_contains_reference(reference: &UnresolvedReference<'_>, node: &Node) -> bool {
    node.nodes().any(|node| node.mark == reference.mark && node.text() == Some(&reference.name))
}
