//! One resource: its tree, its ids, and the values that Kustomize keeps in annotations.

use std::borrow::Cow;
use std::sync::Arc;

use crate::yaml::Node;

use super::id::NO_NAMESPACE;
use super::{EarlierNames, Gvk, PreviousId, ResId, Scope, Scopes, SharedNode};

/// How a generated resource is combined with an existing one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Behavior {
    /// Not set, or an unknown word.
    #[default]
    Unspecified,
    Create,
    Replace,
    Merge,
}

impl Behavior {
    /// The word for the behavior in a generator.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unspecified => "unspecified",
            Self::Create => "create",
            Self::Replace => "replace",
            Self::Merge => "merge",
        }
    }

    /// The behavior with this word. As in Kustomize, any unknown word, including `add`, means
    /// unspecified.
    pub fn from_word(word: &str) -> Self {
        let known = [Self::Create, Self::Replace, Self::Merge];
        known.into_iter().find(|it| it.word() == word).unwrap_or_default()
    }
}

/// The origin of a resource, or a transformer that processed it (Kustomize: `resource.Origin`,
/// section 9).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceOrigin {
    /// Path relative to the build root, or inside the repository.
    pub path: String,
    /// The clone string of a remote base.
    pub repo: String,
    /// The ref of a remote base.
    pub reference: String,
    /// The kustomization file that configured a generator or transformer.
    pub configured_in: String,
    /// The generator or transformer: apiVersion, kind, name, namespace.
    pub configured_by: Option<ResId>,
}

/// The file of a resource, for functions: the path and index that the last function assigned, which
/// are passed to the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilePlace {
    /// A path with slashes, relative to the build root.
    pub path: Arc<str>,
    /// The document in the file, from 0.
    pub index: u64,
}

/// A resource of the accumulator. Kustomize's `internal.config.kubernetes.io/…` annotations are
/// fields here, so that they never appear in the tree.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate annotation of Kustomize")]
pub struct Resource {
    pub node: Node,
    /// The current id; kept up to date by [`ResMap`](super::ResMap).
    pub id: ResId,
    pub names: EarlierNames,
    /// How a generator's resource is combined with an existing one with the same id.
    pub behavior: Behavior,
    /// True for a resource of a generator, which Kustomize records in an annotation even if no
    /// behavior is set.
    pub generated: bool,
    /// A hash of the content is to be appended to the name at the root.
    pub needs_hash: bool,
    /// True for a resource of a Helm chart, which the namespace transformer does not change.
    pub helm_generated: bool,
    /// For a patch: true if it may change the name of its target.
    pub allow_name_change: bool,
    /// For a patch: true if it may change the kind of its target.
    pub allow_kind_change: bool,
    pub origin: Option<Arc<ResourceOrigin>>,
    /// The positions in the tree that are a single node in Kustomize.
    pub shared: Vec<SharedNode>,
    pub transformations: Vec<Arc<ResourceOrigin>>,
    /// The file and index that a function assigned; `None` before the first function.
    pub place: Option<Arc<FilePlace>>,
}

impl Resource {
    /// A resource of this tree; its id is read from the tree.
    pub fn new(node: Node, scopes: &Scopes) -> Self {
        let mut resource = Self { node, ..Self::default() };
        resource.refresh_id(scopes);
        resource
    }

    /// Reads the current id from the tree again.
    pub fn refresh_id(&mut self, scopes: &Scopes) {
        let shared = |node: &Node| node.as_scalar().map(|scalar| scalar.text.clone());
        let metadata = self.node.get("metadata");
        let text = |key: &str| self.node.text_of(key).unwrap_or_default();
        // A null name or namespace is an absent one.
        let present = |key: &str| {
            let node = metadata.and_then(|metadata| metadata.get(key));
            node.filter(|node| !node.is_null()).and_then(Node::as_scalar).map(|scalar| &scalar.text)
        };
        let is = |known: &str, found: Option<&Arc<str>>| known == found.map_or("", |text| &**text);
        let owned = |found: Option<&Arc<str>>| found.cloned().unwrap_or_default();
        let same = &self.id;
        let (name, namespace) = (present("name"), present("namespace"));
        if &*same.gvk.kind != text("kind")
            || !same.gvk.has_api_version(text("apiVersion"))
            || same.gvk.kind.is_empty()
        {
            let whole = |key: &str| self.node.get(key).and_then(shared).unwrap_or_default();
            let gvk = Gvk::from_shared(&whole("apiVersion"), &whole("kind"));
            let scope = scopes.scope(&gvk);
            self.id = ResId { scope, gvk, name: owned(name), namespace: owned(namespace) };
        } else if !is(&same.name, name) || !is(&same.namespace, namespace) {
            self.id.name = owned(name);
            self.id.namespace = owned(namespace);
        }
    }

    /// Clears the fields for bookkeeping, after the annotations were removed.
    pub fn clear_bookkeeping(&mut self) {
        self.names = EarlierNames::default();
        self.behavior = Behavior::Unspecified;
        self.generated = false;
        self.needs_hash = false;
        self.helm_generated = false;
        self.origin = None;
        self.transformations.clear();
    }

    /// Sets the generator as the origin of its resource, unless an origin is already known.
    pub fn set_generator(&mut self, generator: &Arc<ResourceOrigin>) {
        self.origin.get_or_insert_with(|| Arc::clone(generator));
    }

    /// Adds the current id to the previous ones (Kustomize: `StorePreviousId`).
    pub fn store_previous_id(&mut self) {
        self.drop_unfit_annotations();
        self.names.add_previous(PreviousId {
            kind: self.id.gvk.kind.clone(),
            name: self.id.name.clone(),
            namespace: self.id.shared_effective_namespace(),
        });
    }

    /// The id for a previous name, with the current group and version. As in Kustomize, it has the
    /// scope that the type had at that time, even if a schema has changed the scope since.
    pub fn previous_id(&self, previous: &PreviousId) -> ResId {
        let gvk = Gvk { kind: previous.kind.clone(), ..self.id.gvk.clone() };
        let (name, namespace) = (previous.name.clone(), previous.namespace.clone());
        let is_cluster = &*namespace == NO_NAMESPACE;
        let scope = if is_cluster { Scope::Cluster } else { Scope::Namespaced };
        ResId { gvk, name, namespace, scope }
    }

    /// The previous ids, oldest first, then the current one.
    pub fn all_ids(&self) -> impl Iterator<Item = ResId> + '_ {
        self.names
            .previous()
            .iter()
            .map(|previous| self.previous_id(previous))
            .chain([self.id.clone()])
    }

    /// The oldest previous id, or the current one if the resource was never renamed (Kustomize:
    /// `OrgId`).
    pub fn original_id(&self) -> ResId {
        self.names
            .previous()
            .first()
            .map_or_else(|| self.id.clone(), |first| self.previous_id(first))
    }

    /// The type in [`Resource::original_id`].
    pub fn original_gvk(&self) -> Cow<'_, Gvk> {
        match self.names.previous().first() {
            Some(first) if first.kind != self.id.gvk.kind => {
                Cow::Owned(Gvk { kind: first.kind.clone(), ..self.id.gvk.clone() })
            }
            _ => Cow::Borrowed(&self.id.gvk),
        }
    }

    /// The text of `metadata.annotations[key]`.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.metadata_text("annotations", key)
    }

    /// The text of a label or annotation. As in Kustomize, a value that is not a scalar counts as
    /// empty.
    pub fn metadata_text(&self, field: &str, key: &str) -> Option<&str> {
        Some(self.node.at(&["metadata", field, key])?.text().unwrap_or_default())
    }

    /// True if Kustomize has internal annotations in the tree at this moment.
    pub fn has_bookkeeping(&self) -> bool {
        !self.names.is_empty()
            || self.needs_hash
            || self.helm_generated
            || self.generated
            || self.behavior != Behavior::Unspecified
            || self.origin.is_some()
            || !self.transformations.is_empty()
    }

    /// True if a patch has removed all content.
    pub fn is_empty(&self) -> bool {
        self.node.is_null() || self.node.is_empty_collection()
    }
}
