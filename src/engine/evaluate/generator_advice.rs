//! Hints for generators that cannot merge into a resource, or must.

use std::collections::BTreeSet;

use crate::diagnostic::{Fault, GeneratorFault, Hint, PlacedObject, ResourceFault};
use crate::load::nearest_name;
use crate::resource::{ResId, ResMap};

use super::{ErrorCause, Step, StepError, StepKind};

/// The minimum length of a similar name; shorter names are similar to too many others.
const MIN_NAME_CHARS: usize = 3;

const MAX_NAMES: usize = 5;

pub(super) fn merge_hint(
    fault: &GeneratorFault,
    id: &ResId,
    resources: &ResMap,
    has_components: bool,
) -> Option<Hint> {
    Some(match fault {
        GeneratorFault::NothingToMerge(_) => missing_hint(id, resources, has_components),
        GeneratorFault::SeveralToMerge(_) => {
            let found = resources.find_any(id).into_iter();
            let found = found.filter_map(|slot| Some(PlacedObject::from(&resources.get(slot)?.id)));
            let names = found.map(|it| it.to_string()).collect::<Vec<_>>().join(" and ");
            Hint::Change(format!(
                "it matches {names}: write the name and namespace of one of them, or merge in the layer that has it"
            ))
        }
        GeneratorFault::Exists { .. } => {
            "write `behavior: merge` to add its keys to the existing one, `behavior: replace` to replace them, or another name".into()
        }
        _ => return None,
    })
}

pub(super) fn referrals_hint(error: &StepError, steps: &[Step]) -> Option<Hint> {
    let ErrorCause::Fault(fault) = &error.cause else { return None };
    let Fault::Resource(fault) = fault.innermost() else { return None };
    let ResourceFault::SeveralReferrals { ids, name, has_namespace } = fault else { return None };
    let generators = steps.iter().filter(|step| step.kind == StepKind::Generate);
    let layers = generators.filter(|step| *step.argument == **name).map(|step| step.layer);
    if layers.collect::<BTreeSet<_>>().len() > 1 {
        return Some(Hint::Change(format!(
            "several layers generate {name}: generate it in one, and change it in a layer above with \
             `behavior: merge` or `behavior: replace`"
        )));
    }
    let namespaces = ids.iter().filter_map(|id| Some(id.rsplit_once('.')?.1));
    let is_in_several = namespaces.collect::<BTreeSet<_>>().len() > 1;
    Some(if *has_namespace && is_in_several {
        "add the `namespace` of the intended resource to the reference, or rename one of them"
            .into()
    } else {
        "rename one of them, or leave one out of this kustomization".into()
    })
}

fn missing_hint(id: &ResId, resources: &ResMap, has_components: bool) -> Hint {
    let kind = &id.gvk.kind;
    let of_kind = || resources.iter().map(|(_, it)| &it.id).filter(|other| other.gvk.kind == *kind);
    if let Some(other) = of_kind().find(|other| other.name == id.name) {
        return Hint::Change(match &*other.namespace {
            "" => format!("{kind} {} has no namespace at this step: remove `namespace`", id.name),
            there => {
                format!("{kind} {} is in namespace {there}: write `namespace: {there}`", id.name)
            }
        });
    }
    let has_other_namespace = |it: &ResId| it.name == id.name && it.namespace != id.namespace;
    let former = resources.iter().filter(|(_, it)| it.id.gvk.kind == *kind);
    let mut former =
        former.filter_map(|(_, it)| Some((it, it.all_ids().find(has_other_namespace)?)));
    if let Some((other, was)) = former.next() {
        return Hint::Change(match &*was.namespace {
            "" => format!(
                "{kind} {} was named {}, without namespace: remove `namespace`",
                other.id.name, id.name
            ),
            there => format!(
                "{kind} {} was named {}, in namespace {there}: write `namespace: {there}`",
                other.id.name, id.name
            ),
        });
    }
    let near = nearest_name(&id.name, of_kind().map(|other| &*other.name));
    if let Some(near) = near.filter(|near| near.len() >= MIN_NAME_CHARS) {
        return Hint::DidYouMean(near.to_owned());
    }
    let names: Vec<String> = of_kind().take(MAX_NAMES).map(|it| it.name.to_string()).collect();
    Hint::Change(if has_components {
        "components are applied after the generators: merge in a component that is listed after the one with this name, or remove `behavior`".to_owned()
    } else if names.is_empty() {
        format!(
            "no {kind} exists in this layer: list its base in `resources`, make this layer a component of the layer that has it, or remove `behavior`"
        )
    } else {
        format!(
            "resources of kind {kind}: {}; correct the name, or remove `behavior` if the generator makes a new object",
            names.join(", ")
        )
    })
}
