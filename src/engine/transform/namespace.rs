//! `namespace` (section 4.2).

use std::sync::Arc;

use crate::diagnostic::{FailedOperation, Hint, ResourceFault, UnwrittenCause};
use crate::manifest::{
    FieldSpec, ManifestError, Marked, RoleBindingSubjects, decode_namespace_transformer,
};
use crate::profile::Switch;
use crate::resource::{ResMap, Resource, Scope, Slot};
use crate::yaml::{Mark, Node, Scalar, Style, Tag};

use super::field_walk::{
    FieldSpecPath, FieldWriter, PathsByType, Rewrite, compile, rewrite_fields, rewrite_scalar,
    set_entry,
};
use super::names::check_count_of_names;
use super::{Context, StepInputs, TransformError, TransformResult, Transformer, UnwrittenField};

/// Sets the namespace of all namespaced resources, and renames core Namespaces.
#[derive(Clone, Debug, PartialEq)]
pub struct NamespaceTransformer {
    namespace: Arc<str>,
    paths: Vec<FieldSpecPath>,
    metadata_namespace: FieldSpecPath,
    unset_only: bool,
    subjects: RoleBindingSubjects,
    /// The location of the namespace, if it is not that of the step.
    place: Mark,
}

impl NamespaceTransformer {
    /// Creates the transformer with the field specs for `namespace`; `metadata/namespace` among
    /// them is ignored, because it is always written.
    pub fn new(
        namespace: impl Into<Arc<str>>,
        specs: Vec<FieldSpec>,
        unset_only: bool,
        subjects: RoleBindingSubjects,
    ) -> Self {
        let spec =
            FieldSpec { path: "metadata/namespace".into(), create: true, ..FieldSpec::default() };
        let mut paths = compile(specs);
        paths.retain(|path| path.spec().path != spec.path);
        Self {
            namespace: namespace.into(),
            paths,
            metadata_namespace: FieldSpecPath::new(spec),
            unset_only,
            subjects,
            place: Mark::default(),
        }
    }

    /// The transformer for a configuration of the plugin.
    ///
    /// # Errors
    /// The configuration is invalid.
    pub fn configured(config: &Node) -> Result<Self, ManifestError> {
        let args = decode_namespace_transformer(config)?;
        let Marked { value, mark } = args.namespace;
        let made = Self::new(value, args.field_specs, args.unset_only, args.role_binding_subjects);
        Ok(Self { place: mark, ..made })
    }

    /// Sets the namespace of one resource, and of the subjects of a binding, without configured
    /// specs.
    pub(super) fn set_on(&self, resource: &mut Resource, mark: Mark) -> TransformResult {
        let setter = NamespaceSetter { of: self, mark, claims: false, renames_foreign: false };
        setter.write(resource, &[])
    }
}

impl Transformer for NamespaceTransformer {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        if self.namespace.is_empty() {
            return Ok(());
        }
        resources.drop_indexes(true);
        let mut selected = PathsByType::new(&self.paths);
        let setter = NamespaceSetter {
            of: self,
            mark: self.place.written_by(cx.mark),
            claims: !self.unset_only,
            renames_foreign: cx.profile.has(Switch::ForeignNamespaces),
        };
        for slot in resources.slots() {
            let Some(resource) = resources.get(slot) else { continue };
            let is_exempt = resource.helm_generated && !cx.profile.has(Switch::NamespaceOverCharts);
            if resource.is_empty() || is_exempt {
                continue;
            }
            check_count_of_names(resource, cx.mark)?;
            let chosen = selected.paths_for(&resource.id.gvk);
            cx.apply_or_reuse(resources, slot, |resources, _| {
                let written = resources.update(slot, |resource| {
                    resource.store_previous_id();
                    setter.write(resource, &chosen)
                });
                written.unwrap_or(Ok(()))?;
                Ok(Some(true))
            })?;
            cx.matched += 1;
            check_unique(resources, slot, cx.mark)?;
        }
        Ok(())
    }

    fn step_inputs(&self) -> Option<Arc<dyn StepInputs>> {
        Some(Arc::new(self.clone()))
    }

    fn why_unwritten(&self, asked: &UnwrittenField<'_>) -> Option<UnwrittenCause> {
        let resource = asked.resource?;
        if asked.has_keys(&["subjects", "namespace"]) {
            return Some(UnwrittenCause::OtherSubject);
        }
        if !asked.has_keys(&["metadata", "namespace"]) {
            return None;
        }
        let kind = resource.id.gvk.kind.to_string();
        if resource.helm_generated {
            Some(UnwrittenCause::ChartNamespaceKept)
        } else if resource.id.scope == Scope::Cluster {
            Some(UnwrittenCause::ClusterScoped(kind))
        } else {
            self.unset_only.then_some(UnwrittenCause::AlreadySet)
        }
    }
}

/// Kustomize checks for duplicate ids after each resource, so that a resource whose namespace is
/// not yet set can cause a conflict.
fn check_unique(resources: &ResMap, slot: Slot, mark: Mark) -> TransformResult {
    let Some(resource) = resources.get(slot) else { return Ok(()) };
    if !resources.has_duplicate_ids() {
        return Ok(());
    }
    let same = resources.find_current(&resource.id);
    if same.len() == 1 {
        return Ok(());
    }
    let shown: Vec<String> = same
        .iter()
        .filter_map(|slot| resources.get(*slot))
        .map(|resource| match resource.names.previous().last() {
            Some(last) => format!("{} (was in {})", resource.id, last.namespace),
            None => resource.id.to_string(),
        })
        .collect();
    let error = TransformError::fault(ResourceFault::NamespaceConflict(shown), mark);
    if &*resource.id.gvk.kind != "Namespace" {
        let hint = "rename one of them, or leave one out of this kustomization";
        return Err(error.with_hint(hint));
    }
    let all = resources.iter().map(|(_, resource)| resource);
    let namespaces = all.filter(|it| &*it.id.gvk.kind == "Namespace");
    let originals = namespaces.map(|it| it.original_id().name.to_string());
    let hint = format!(
        "`namespace` renames every Namespace ({}): remove that field here, or list the Namespaces in \
         a kustomization without it",
        originals.collect::<Vec<_>>().join(", ")
    );
    Err(error.with_hint(Hint::Change(hint)))
}

struct NamespaceSetter<'a> {
    of: &'a NamespaceTransformer,
    mark: Mark,
    /// True if the step becomes the writer of values that it does not change.
    claims: bool,
    /// True if resources of the kind `Namespace` in other groups are renamed too.
    renames_foreign: bool,
}

impl NamespaceSetter<'_> {
    fn write(&self, resource: &mut Resource, selected: &[&FieldSpecPath]) -> TransformResult {
        let id = resource.id.clone();
        if id.scope == Scope::Namespaced {
            self.write_paths(resource, &[&self.of.metadata_namespace])?;
        }
        let is_binding = |kind: &str| matches!(kind, "RoleBinding" | "ClusterRoleBinding");
        if is_binding(&id.gvk.kind)
            && let Some(node) = self
                .with_subjects(&resource.node)
                .map_err(|error| error.within(FailedOperation::Subjects))?
        {
            resource.node = node;
        }
        // Kustomize leaves out these field specs.
        let is_left_out = |path: &FieldSpecPath| match path.spec().path.as_str() {
            "subjects/namespace" => is_binding(&id.gvk.kind) && is_binding(&path.spec().gvk.kind),
            "metadata/name" => !id.gvk.has_api_version("v1") && !self.renames_foreign,
            _ => false,
        };
        let others: Vec<&FieldSpecPath> =
            selected.iter().copied().filter(|path| !is_left_out(path)).collect();
        self.write_paths(resource, &others)
    }

    /// A binding with the namespace of its subjects written; `None` if it stays the same.
    fn with_subjects(&self, node: &Node) -> Result<Option<Node>, TransformError> {
        // The key and value that select the subjects that get the namespace.
        let (key, word) = match self.of.subjects {
            RoleBindingSubjects::None => return Ok(None),
            RoleBindingSubjects::DefaultOnly => ("name", "default"),
            RoleBindingSubjects::AllServiceAccounts => ("kind", "ServiceAccount"),
        };
        let place = node.as_mapping().and_then(|mapping| mapping.place("subjects"));
        let Some(place) = place else { return Ok(None) };
        let subjects = &node.entries()[place].value;
        let mut written = Rewrite::NO;
        for (index, item) in subjects.items().unwrap_or_default().iter().enumerate() {
            if item.text_of(key) == Some(word) {
                written.add_item(subjects, index, self.with_namespace(item)?);
            }
        }
        let mut result = Rewrite::NO;
        result.add_value(node, place, written);
        Ok(result.node)
    }

    fn write_paths(&self, resource: &mut Resource, paths: &[&FieldSpecPath]) -> TransformResult {
        let leaf = Some(Node::scalar("", Tag::Str, Style::Plain));
        let mut write = |node: &Node| self.rewrite(node);
        let mut writer = FieldWriter { mark: self.mark, leaf, write: &mut write };
        if let Some(node) = rewrite_fields(resource, paths, &mut writer)?.node {
            resource.node = node;
        }
        Ok(())
    }

    fn with_namespace(&self, subject: &Node) -> Result<Rewrite, TransformError> {
        let place = subject.as_mapping().and_then(|mapping| mapping.place("namespace"));
        let own = place.map(|place| (place, &subject.entries()[place].value));
        let mut result = Rewrite::NO;
        if let Some((place, own)) = own.filter(|(_, own)| !own.is_null()) {
            result.add_value(subject, place, self.rewrite(own)?);
            return Ok(result);
        }
        let mut subject = subject.clone();
        set_entry(&mut subject, "namespace", &self.of.namespace, Tag::Str, self.mark);
        Ok(Rewrite::written(subject))
    }

    fn rewrite(&self, node: &Node) -> Result<Rewrite, TransformError> {
        // A null counts as unset in any notation. An existing value is not written by this step.
        let is_set = |it: &Scalar| self.of.unset_only && !it.text.is_empty() && !it.is_null();
        if node.as_scalar().is_some_and(is_set) {
            return Ok(Rewrite::SAME);
        }
        let written = rewrite_scalar(node, self.of.namespace.clone(), Tag::Str, self.mark)?;
        Ok(if self.claims { written.claimed(node, self.mark) } else { written })
    }
}
