//! `namespace` (section 4.2).

use std::sync::Arc;

use crate::diagnostic::{FailedOperation, Hint, ResourceFault, UnwrittenCause};
use crate::manifest::{
    FieldSpec, ManifestError, Marked, RoleBindingSubjects, decode_namespace_transformer,
};
use crate::profile::Switch;
use crate::resource::{ResId, ResMap, Resource, Scope, Slot};
use crate::yaml::{Mark, Node, NodeKind, Tag, changed_items};

use super::field_walk::{
    FieldSpecPath, Leaf, PathsByType, Setter, compile, mark_each_unchanged_as_written,
};
use super::metadata::check_can_be_renamed;
use super::names::check_count_of_names;
use super::set_field::{FieldError, WalkResult, scalar_reach, set_entry, set_scalar, with_writer};
use super::{Context, StepInputs, TransformError, Transformer, UnwrittenField};

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
    pub(super) fn set_on(&self, resource: &mut Resource, mark: Mark) -> Result<(), TransformError> {
        let namespace = &self.namespace;
        let unset_only = self.unset_only;
        let mut setter =
            NamespaceSetter { namespace, unset_only, tag: Tag::None, mark, renames_foreign: false };
        self.write(resource, &[], &mut setter)
    }

    fn write(
        &self,
        resource: &mut Resource,
        selected: &[&FieldSpecPath],
        setter: &mut NamespaceSetter<'_>,
    ) -> Result<(), TransformError> {
        let id = resource.id.clone();
        if id.scope == Scope::Namespaced {
            setter.tag = Tag::None;
            self.metadata_namespace.apply_to(resource, &id, setter)?;
            setter.tag = Tag::Str;
        }
        let is_binding = matches!(&*id.gvk.kind, "RoleBinding" | "ClusterRoleBinding");
        if is_binding {
            self.write_subjects(&mut resource.node, setter)
                .map_err(|error| error.within(FailedOperation::Subjects).into_error())?;
        }
        for path in selected {
            if !leaves_out(path, &id, setter) {
                path.apply_to(resource, &id, setter)?;
            }
        }
        Ok(())
    }

    /// Attributes unchanged namespaces to the step too.
    fn attribute_unchanged_namespaces(
        &self,
        slot: Slot,
        resources: &mut ResMap,
        selected: &[&FieldSpecPath],
        cx: &Context<'_>,
        setter: &NamespaceSetter<'_>,
    ) {
        let Some(id) = resources.get(slot).map(|resource| resource.id.clone()) else { return };
        let is_binding = matches!(&*id.gvk.kind, "RoleBinding" | "ClusterRoleBinding");
        let own = (id.scope == Scope::Namespaced).then_some(&self.metadata_namespace);
        let others = selected.iter().copied().filter(|path| !leaves_out(path, &id, setter));
        mark_each_unchanged_as_written(own.into_iter().chain(others), slot, resources, cx, setter);
        let Some(resource) = resources.get(slot) else { return };
        if is_binding
            && cx.unplaced.is_none()
            && let Some(node) = self.attribute_unchanged_subjects(&resource.node, setter)
        {
            resources.update(slot, |resource| resource.node = node);
        }
    }

    /// The tree with the unchanged namespaces of subjects attributed to this step.
    fn attribute_unchanged_subjects(
        &self,
        node: &Node,
        setter: &NamespaceSetter<'_>,
    ) -> Option<Node> {
        let (key, word) = self.subject_filter()?;
        let subjects = node.get("subjects")?;
        let items = changed_items(subjects.items()?, |subject| {
            let own = subject.get("namespace")?;
            let is_for = subject.get(key).and_then(Node::text) == Some(word);
            let own = setter.mark_unchanged_as_written(own).filter(|_| is_for)?;
            let mut subject = subject.clone();
            *subject.get_mut("namespace")? = own;
            Some(subject)
        })?;
        let mut node = node.clone();
        *node.get_mut("subjects")?.items_mut()? = items;
        Some(node)
    }

    /// The key and value that select the subjects that get the namespace.
    fn subject_filter(&self) -> Option<(&'static str, &'static str)> {
        match self.subjects {
            RoleBindingSubjects::None => None,
            RoleBindingSubjects::DefaultOnly => Some(("name", "default")),
            RoleBindingSubjects::AllServiceAccounts => Some(("kind", "ServiceAccount")),
        }
    }

    /// Writes the namespace of the subjects of a binding.
    fn write_subjects(
        &self,
        node: &mut Node,
        setter: &NamespaceSetter<'_>,
    ) -> Result<(), FieldError> {
        let Some(subjects) = node.get("subjects").filter(|subjects| !subjects.is_null()) else {
            return Ok(());
        };
        let Some((key, word)) = self.subject_filter() else { return Ok(()) };
        let Some(items) = subjects.items() else {
            return Err(FieldError::wrong_kind(NodeKind::Sequence, subjects));
        };
        let is_for = |subject: &Node| subject.get(key).and_then(Node::text) == Some(word);
        for item in items {
            can_be_subject(item, key)?;
            if let Some(own) = item.get("namespace").filter(|own| own.as_scalar().is_none())
                && is_for(item)
            {
                return Err(FieldError::wrong_kind(NodeKind::Scalar, own));
            }
        }
        if !items.iter().any(|item| is_for(item) && setter.subject_reach(item) == WalkResult::Write)
        {
            return Ok(());
        }
        for subject in node.get_mut("subjects").and_then(Node::items_mut).into_iter().flatten() {
            if is_for(subject) && setter.subject_reach(subject) == WalkResult::Write {
                set_entry(subject, "namespace", setter.namespace, Tag::Str, setter.mark)?;
            }
        }
        Ok(())
    }
}

/// Checks the type of `key` in a subject: Kustomize reads it in every subject, regardless of its
/// kind.
fn can_be_subject(item: &Node, key: &str) -> Result<(), FieldError> {
    if item.as_mapping().is_none() && !item.is_null() {
        return Err(FieldError::wrong_kind(NodeKind::Mapping, item));
    }
    match item.get(key).filter(|value| value.as_scalar().is_none()) {
        Some(odd) => Err(FieldError::wrong_kind(NodeKind::Scalar, odd)),
        None => Ok(()),
    }
}

/// True for a field spec by which Kustomize writes no namespace in a resource with this id.
fn leaves_out(path: &FieldSpecPath, id: &ResId, setter: &NamespaceSetter<'_>) -> bool {
    let is_binding = |kind: &str| matches!(kind, "RoleBinding" | "ClusterRoleBinding");
    match path.spec().path.as_str() {
        "subjects/namespace" => is_binding(&id.gvk.kind) && is_binding(&path.spec().gvk.kind),
        "metadata/name" => !id.gvk.has_api_version("v1") && !setter.renames_foreign,
        _ => false,
    }
}

impl Transformer for NamespaceTransformer {
    fn transform(
        &self,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        if self.namespace.is_empty() {
            return Ok(());
        }
        resources.drop_name_index();
        let mut selected = PathsByType::new(&self.paths);
        let mut setter = NamespaceSetter {
            namespace: &self.namespace,
            unset_only: self.unset_only,
            tag: Tag::None,
            mark: self.place.written_by(cx.mark),
            renames_foreign: cx.profile.has(Switch::ForeignNamespaces),
        };
        for slot in resources.slots() {
            let Some(resource) = resources.get(slot) else { continue };
            let is_exempt = resource.helm_generated && !cx.profile.has(Switch::NamespaceOverCharts);
            if resource.is_empty() || is_exempt {
                continue;
            }
            check_can_be_renamed(resource)?;
            check_count_of_names(resource, cx.mark)?;
            let chosen = selected.paths_for(&resource.id.gvk);
            cx.apply_or_reuse(resources, slot, |resources, cx| {
                let written = resources.update(slot, |resource| {
                    resource.store_previous_id();
                    self.write(resource, &chosen, &mut setter)
                });
                written.unwrap_or(Ok(()))?;
                self.attribute_unchanged_namespaces(slot, resources, &chosen, cx, &setter);
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
fn check_unique(resources: &ResMap, slot: Slot, mark: Mark) -> Result<(), TransformError> {
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
    let originals = all.filter(|it| &*it.id.gvk.kind == "Namespace").map(|it| {
        let first = it.names.previous().first().map(|previous| &previous.name);
        &**first.unwrap_or(&it.id.name)
    });
    let originals: Vec<&str> = originals.collect();
    let hint = format!(
        "`namespace` renames every Namespace ({}): remove that field here, or list the Namespaces in \
         a kustomization without it",
        originals.join(", ")
    );
    Err(error.with_hint(Hint::Change(hint)))
}

/// Writes the namespace to a field.
struct NamespaceSetter<'a> {
    namespace: &'a Arc<str>,
    unset_only: bool,
    /// The tag that Kustomize gives a null before it reads the text; `metadata.namespace` remains a
    /// null.
    tag: Tag,
    mark: Mark,
    /// True if resources of the kind `Namespace` in other groups are renamed too.
    renames_foreign: bool,
}

impl NamespaceSetter<'_> {
    /// The effect of the setter on the namespace of a subject.
    fn subject_reach(&self, subject: &Node) -> WalkResult {
        match subject.get("namespace") {
            Some(namespace) if !namespace.is_null() => self.reach(namespace),
            _ => WalkResult::Write,
        }
    }
}

impl Setter for NamespaceSetter<'_> {
    fn mark(&self) -> Mark {
        self.mark
    }

    fn leaf(&self) -> Leaf {
        Leaf::Scalar(self.tag.clone())
    }

    fn reach(&self, node: &Node) -> WalkResult {
        match node.as_scalar() {
            // As in Kustomize, a null counts as unset in any notation, unless the walk has turned
            // it into a text.
            Some(scalar) if self.unset_only && !scalar.text.is_empty() && !scalar.is_null() => {
                WalkResult::Same
            }
            Some(scalar) => scalar_reach(scalar, self.namespace, &Tag::Str),
            None => WalkResult::Write,
        }
    }

    fn mark_unchanged_as_written(&self, node: &Node) -> Option<Node> {
        let is_equal = node.text() == Some(&**self.namespace);
        // With `unset_only`, existing values are skipped and therefore not written by this step.
        if is_equal && !self.unset_only { with_writer(node, self.mark) } else { None }
    }

    fn set(&mut self, node: &mut Node) -> Result<(), FieldError> {
        if self.reach(node) == WalkResult::Write {
            set_scalar(node, self.namespace.clone(), Tag::Str, self.mark)?;
        }
        Ok(())
    }
}
