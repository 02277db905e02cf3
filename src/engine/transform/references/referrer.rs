//! The choice between several resources of one name for a reference.

use std::borrow::Cow;
use std::sync::Arc;

use crate::diagnostic::ResourceFault;
use crate::profile::{Profile, Switch};
use crate::resource::{Gvk, PreviousId, QuickSet, ResId, Resource, Scope};
use crate::yaml::Node;

use super::super::TransformError;
use super::candidates::{Candidate, Candidates, CurrentNamespace, ResourceNames};

/// The resource that refers, as it was before any of its references was written.
#[derive(Debug)]
pub(super) struct Referrer<'c> {
    pub(super) named: Cow<'c, ResourceNames>,
    /// The namespaces of the service accounts in the subjects of a `RoleBinding`.
    subject_namespaces: QuickSet<Arc<str>>,
    role: Option<Gvk>,
    /// True if a resource without a prefix or suffix may refer to one that has some, and the
    /// reverse.
    empty_agrees: bool,
}

impl<'n> Referrer<'n> {
    /// The referrer for a resource; `named` is its names, if they are already collected.
    pub(super) fn new(
        resource: &Resource,
        named: Option<&'n ResourceNames>,
        profile: Profile,
    ) -> Result<Self, TransformError> {
        Ok(Self {
            named: named
                .map_or_else(|| Cow::Owned(ResourceNames::from_resource(resource)), Cow::Borrowed),
            subject_namespaces: subject_namespaces(resource)?,
            role: role_of(&resource.node),
            empty_agrees: !profile.has(Switch::ExactPrefixes),
        })
    }

    pub(super) fn namespace(&self) -> &str {
        self.named.id.effective_namespace()
    }

    fn is_cluster(&self) -> bool {
        self.named.id.scope == Scope::Cluster
    }

    /// The candidate set and step 4 of section 4.12 in one: true if the referrer can refer to the
    /// resource.
    pub(super) fn can_refer_to(&self, id: &ResId) -> bool {
        self.is_cluster()
            || id.scope == Scope::Cluster
            || id.effective_namespace() == self.namespace()
            || &*id.gvk.kind == "ServiceAccount" && self.subject_namespaces.contains(&*id.namespace)
    }

    /// Step 3 of section 4.12: true unless the field is the name in a `roleRef` and the target has
    /// another type than that `roleRef`.
    pub(super) fn fits_role(&self, target: &ResourceNames, path: &str) -> bool {
        self.role(path).is_none_or(|role| target.was_selected_by(role))
    }

    /// The type that the `roleRef` names, if the path is that of its name.
    pub(super) fn role(&self, path: &str) -> Option<&Gvk> {
        self.role.as_ref().filter(|_| path.ends_with("roleRef/name"))
    }

    /// Step 5 of section 4.12: true if the prefixes of both resources agree at their ends, and so
    /// do the suffixes.
    fn affixes_agree(&self, target: &ResourceNames, empty_agrees: bool) -> bool {
        lists_agree(self.named.names.prefixes(), target.names.prefixes(), empty_agrees)
            && lists_agree(self.named.names.suffixes(), target.names.suffixes(), empty_agrees)
    }

    /// The visible resources that had this name, in order: the candidate set of section 4.12 after
    /// the narrowing by `namespace` and after step 4, which both depend only on the namespace.
    pub(super) fn candidates<'c>(
        &self,
        all: &'c Candidates,
        name: &str,
        namespace: Option<&str>,
    ) -> Vec<Candidate<'c>> {
        let mut pool = if self.is_cluster() {
            all.named(name)
        } else {
            let own = ["_non_namespaceable_", self.namespace()];
            let more = self.subject_namespaces.iter().map(|place| &**place);
            all.named_in(name, own.into_iter().chain(more.filter(|place| !own.contains(place))))
        };
        pool.retain(|candidate| self.can_refer_to(&candidate.named.id));
        if let Some(namespace) = namespace {
            self.narrow(&mut pool, all, namespace);
        }
        pool
    }

    /// Keeps the candidates that came from the namespace of the reference; if the referrer can see
    /// no resource from there, those that are in it now.
    fn narrow(&self, pool: &mut Vec<Candidate<'_>>, all: &Candidates, namespace: &str) {
        let by_origin =
            all.current_namespaces_from(namespace).any(|place| self.may_refer_to(place));
        pool.retain(|candidate| {
            let named = candidate.named;
            let own = if by_origin {
                named.names.previous().first().map_or("", |first| &*first.namespace)
            } else {
                named.id.effective_namespace()
            };
            own == namespace && own != "_non_namespaceable_"
        });
    }

    /// True if the scopes and namespaces allow a reference (Kustomize:
    /// `SubsetThatCouldBeReferencedByResource`).
    fn may_refer_to(&self, place: &CurrentNamespace) -> bool {
        self.is_cluster()
            || place.scope == Scope::Cluster
            || *place.effective == *self.namespace()
            || self.subject_namespaces.contains(&*place.raw)
    }

    /// Chooses among the visible resources that had the name, by steps 1 to 6 of section 4.12.
    /// `in_mapping` is true for a reference that is a mapping.
    ///
    /// # Errors
    /// The ids of several candidates that differ.
    pub(super) fn select<'c>(
        &self,
        mut pool: Vec<Candidate<'c>>,
        target: &Gvk,
        path: &str,
        in_mapping: bool,
    ) -> Result<Option<Candidate<'c>>, Vec<String>> {
        pool.retain(|candidate| {
            candidate.named.was_selected_by(target) && self.fits_role(candidate.named, path)
        });
        for empty_agrees in [true, false] {
            if pool.len() > 1 && (self.empty_agrees || !empty_agrees) {
                pool.retain(|candidate| self.affixes_agree(candidate.named, empty_agrees));
            }
        }
        let Some(first) = pool.first() else { return Ok(None) };
        let same = |other: &Candidate| {
            let (one, other) = (&first.named.id, &other.named.id);
            one.name == other.name && (!in_mapping || one.namespace == other.namespace)
        };
        if pool.iter().all(same) {
            return Ok(Some(*first));
        }
        Err(pool.iter().map(|candidate| candidate.named.id.to_string()).collect())
    }
}

impl ResourceNames {
    /// Step 2 of section 4.12: true if an earlier kind of the resource, with its group and version,
    /// is selected by this type.
    pub(super) fn was_selected_by(&self, selector: &Gvk) -> bool {
        let gvk = &self.id.gvk;
        let fits = |want: &str, have: &str| want.is_empty() || want == have;
        let is_kind = |previous: &PreviousId| fits(&selector.kind, &previous.kind);
        fits(&selector.group, &gvk.group)
            && fits(&selector.version, &gvk.version)
            && self.names.previous().iter().any(is_kind)
    }
}

/// True if the shorter list is the end of the longer one. If only one of them is empty, the result
/// is `empty_agrees`.
fn lists_agree(one: &[Arc<str>], other: &[Arc<str>], empty_agrees: bool) -> bool {
    if one.is_empty() || other.is_empty() {
        return empty_agrees || one.len() == other.len();
    }
    one.ends_with(other) || other.ends_with(one)
}

/// The namespaces of the service accounts in the subjects of a `RoleBinding`; empty for other
/// kinds. Kustomize refuses a namespace that is null.
fn subject_namespaces(resource: &Resource) -> Result<QuickSet<Arc<str>>, TransformError> {
    let is_binding = &*resource.id.gvk.kind == "RoleBinding";
    let subjects = if is_binding { resource.node.items_of("subjects") } else { &[] };
    let accounts = subjects.iter().filter(|it| it.text_of("kind") == Some("ServiceAccount"));
    let namespaces = accounts.filter_map(|subject| subject.get("namespace"));
    let texts = namespaces.filter_map(|namespace| match namespace.text() {
        _ if namespace.is_null() => {
            let fault = ResourceFault::BlankNamespace(resource.id.to_string());
            Some(Err(TransformError::fault(fault, namespace.mark)))
        }
        text => text.map(|text| Ok(text.into())),
    });
    texts.collect()
}

/// The type in a `roleRef`. Kustomize takes both fields as written: `~` is a type with that name,
/// and a value without text (an empty null or a collection) matches any type.
fn role_of(node: &Node) -> Option<Gvk> {
    let role = node.get("roleRef")?;
    let text = |key: &str| role.get(key).map(|node| node.text().unwrap_or_default());
    Some(Gvk { group: text("apiGroup")?.into(), version: "".into(), kind: text("kind")?.into() })
}
