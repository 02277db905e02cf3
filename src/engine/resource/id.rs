//! Group, version, kind; names; and Kustomize's equality of ids.

use std::fmt;
use std::sync::{Arc, LazyLock};

/// Group, version and kind (Kustomize: `resid.Gvk`). An empty part is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Gvk {
    /// The group; empty for the core group.
    pub group: Arc<str>,
    pub version: Arc<str>,
    pub kind: Arc<str>,
}

/// Whether a type lives in a namespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// In a namespace, or not known to be cluster-scoped.
    #[default]
    Namespaced,
    Cluster,
}

/// A resource's identity (Kustomize: `resid.ResId`). Compare with [`ResId::same`]: an empty
/// namespace equals `default`, and cluster-scoped types have none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResId {
    pub gvk: Gvk,
    pub name: Arc<str>,
    /// `metadata.namespace`, as written; empty when absent.
    pub namespace: Arc<str>,
    pub scope: Scope,
}

impl Gvk {
    /// Creates the type from an apiVersion, which is split at the first `/`, and a kind.
    pub fn new(api_version: &str, kind: &str) -> Self {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        Self { group: group.into(), version: version.into(), kind: kind.into() }
    }

    /// Same as [`Gvk::new`], but shares each text that needs no splitting.
    pub fn from_shared(api_version: &Arc<str>, kind: &Arc<str>) -> Self {
        let (group, version) = match api_version.split_once('/') {
            None => (Arc::default(), api_version.clone()),
            Some((group, version)) => (group.into(), version.into()),
        };
        Self { group, version, kind: kind.clone() }
    }

    /// The apiVersion: `group/version`, or `version` for the core group.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.to_string()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }

    /// True if [`Gvk::api_version`] would be this text.
    pub fn has_api_version(&self, api_version: &str) -> bool {
        // Called after every write: for so few bytes this loop is faster than a search function.
        let cut = api_version.bytes().position(|byte| byte == b'/');
        let (group, version) =
            cut.map_or(("", api_version), |at| (&api_version[..at], &api_version[at + 1..]));
        *self.version == *version && *self.group == *group
    }

    /// True if every non-empty part of `selector` equals the same part of this type.
    pub fn is_selected_by(&self, selector: &Self) -> bool {
        let fits = |want: &str, have: &str| want.is_empty() || want == have;
        fits(&selector.group, &self.group)
            && fits(&selector.version, &self.version)
            && fits(&selector.kind, &self.kind)
    }

    /// The text that Kustomize sorts by: `group_version_kind` with `~G`, `~V`, `~K` for empty
    /// parts.
    pub fn sort_text(&self) -> String {
        format!("{}_{}_{}", or(&self.group, "~G"), or(&self.version, "~V"), or(&self.kind, "~K"))
    }
}

/// The text, or another one if it is empty.
pub(crate) fn or<'t>(text: &'t str, empty: &'t str) -> &'t str {
    if text.is_empty() { empty } else { text }
}

impl fmt::Display for Gvk {
    /// `Kind.version.group`, empty parts as `[noKind]`, `[noVer]`, `[noGrp]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, version) = (or(&self.kind, "[noKind]"), or(&self.version, "[noVer]"));
        write!(f, "{kind}.{version}.{}", or(&self.group, "[noGrp]"))
    }
}

/// The effective namespace of cluster-scoped resources.
pub(super) const NO_NAMESPACE: &str = "_non_namespaceable_";

static SHARED_DEFAULT_NAMESPACE: LazyLock<Arc<str>> = LazyLock::new(|| "default".into());
static SHARED_NO_NAMESPACE: LazyLock<Arc<str>> = LazyLock::new(|| NO_NAMESPACE.into());

impl ResId {
    /// The namespace by which ids are compared: `default` for an empty one, and a fixed text for
    /// cluster-scoped types.
    pub fn effective_namespace(&self) -> &str {
        match self.scope {
            Scope::Cluster => NO_NAMESPACE,
            Scope::Namespaced if self.namespace.is_empty() => "default",
            Scope::Namespaced => &self.namespace,
        }
    }

    /// Same as [`ResId::effective_namespace`], as a shared text.
    pub fn shared_effective_namespace(&self) -> Arc<str> {
        match self.scope {
            Scope::Namespaced if !self.namespace.is_empty() => self.namespace.clone(),
            Scope::Namespaced => SHARED_DEFAULT_NAMESPACE.clone(),
            Scope::Cluster => SHARED_NO_NAMESPACE.clone(),
        }
    }

    /// True if all parts of both ids are spelled alike. Texts that both ids share are not compared.
    pub fn is_spelled_as(&self, other: &Self) -> bool {
        let same = |one: &Arc<str>, other: &Arc<str>| Arc::ptr_eq(one, other) || one == other;
        same(&self.name, &other.name)
            && same(&self.namespace, &other.namespace)
            && same(&self.gvk.kind, &other.gvk.kind)
            && same(&self.gvk.version, &other.gvk.version)
            && same(&self.gvk.group, &other.gvk.group)
            && self.scope == other.scope
    }

    /// True if both ids are equal for Kustomize: in type, name and effective namespace.
    pub fn same(&self, other: &Self) -> bool {
        self.gvk == other.gvk
            && self.name == other.name
            && self.effective_namespace() == other.effective_namespace()
    }
}

impl fmt::Display for ResId {
    /// `Kind.version.group/name.namespace`, empty parts as `[noName]`, `[noNs]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}.{}", self.gvk, or(&self.name, "[noName]"), or(&self.namespace, "[noNs]"))
    }
}
