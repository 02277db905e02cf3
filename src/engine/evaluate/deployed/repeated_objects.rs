//! Repeated objects of an Argo CD Application: the last one is deployed (`NormalizeTargetObjects`
//! of its controller).

use std::sync::Arc;

use indexmap::IndexMap;

use crate::diagnostic::{DeployedRemark, Diagnostic, PlacedObject};
use crate::resource::{Resource, Scope, Slot};
use crate::yaml::{Node, print_output};

use super::super::StepKind;
use super::super::accumulator::place;
use super::super::build::Build;
use super::super::level::ActiveLayer;
use super::super::recorder::BuildAbort;
use super::DeployedDirectory;

/// Group, kind, namespace and name of an object in the cluster.
type ObjectKey = (Arc<str>, Arc<str>, Arc<str>, Arc<str>);

/// The key of a resource, if objects without a namespace are deployed into `namespace`; `None` for
/// an object that gets its name in the cluster.
fn object_key(resource: &Resource, namespace: &Arc<str>) -> Option<ObjectKey> {
    let id = &resource.id;
    let namespace = match id.scope {
        Scope::Cluster => Arc::default(),
        Scope::Namespaced if id.namespace.is_empty() => namespace.clone(),
        Scope::Namespaced => id.namespace.clone(),
    };
    let key = (id.gvk.group.clone(), id.gvk.kind.clone(), namespace, id.name.clone());
    (!id.name.is_empty()).then_some(key)
}

impl Build<'_> {
    pub(super) fn drop_repeated(
        &mut self,
        deployed: &DeployedDirectory,
        level: &ActiveLayer<'_>,
    ) -> Result<(), BuildAbort> {
        if deployed.consumer.is_flux() {
            return Ok(());
        }
        let namespace: Arc<str> = deployed.consumer.destination_namespace().into();
        let mut slots: IndexMap<ObjectKey, Vec<Slot>> = IndexMap::new();
        for (slot, resource) in self.acc.resources.iter() {
            if let Some(key) = object_key(resource, &namespace) {
                slots.entry(key).or_default().push(slot);
            }
        }
        let mut repeated: Vec<Slot> = Vec::new();
        let mut remarks = Vec::new();
        for (key, slots) in &slots {
            let Some((last, earlier)) = slots.split_last().filter(|(_, it)| !it.is_empty()) else {
                continue;
            };
            let (_, kind, namespace, name) = key.clone();
            let remark =
                DeployedRemark::Repeated(PlacedObject { kind, name, namespace }, slots.len());
            let mark = self.acc.resources.get(*last).map(|it| place(it)).unwrap_or_default();
            remarks.push(Diagnostic::new(remark, mark));
            repeated.extend(earlier);
        }
        if repeated.is_empty() {
            return Ok(());
        }
        self.notes.warn_of_step(&remarks);
        let mark = deployed.mark();
        let heading = level.heading(StepKind::AfterBuild, "repeated objects", "", mark);
        self.step(heading, |acc, cx| {
            cx.matched = repeated.len();
            cx.warnings = remarks;
            acc.resources.remove_all(&repeated);
            Ok(())
        })
    }
}

/// The fields of a deployment object that its build depends on, as text.
pub(super) fn built_fields(object: &Node) -> String {
    let text = |node: Option<&Node>| node.and_then(|it| print_output(it).ok()).unwrap_or_default();
    let names = ["name", "namespace"].map(|key| text(object.at(&["metadata", key])));
    format!("{}{}", names.concat(), text(object.get("spec")))
}
