//! The choice between several resources of one name for a reference.

use std::sync::Arc;

use crate::diagnostic::ResourceFault;
use crate::profile::{Profile, Switch};
use crate::resource::{Gvk, QuickSet, ResId, Resource, Scope, or};
use crate::yaml::Node;

use super::super::TransformError;
use super::candidates::{Candidates, ResourceNames};

/// The resource that refers, as it was before any of its references was written.
#[derive(Debug)]
pub(super) struct Referrer<'c> {
    pub(super) named: &'c ResourceNames,
    /// The namespaces of the service accounts in the subjects of a `RoleBinding`.
    subject_namespaces: QuickSet<Arc<str>>,
    role: Option<Gvk>,
    /// True if a resource without a prefix or suffix may refer to one that has some, and the
    /// reverse.
    empty_agrees: bool,
}

/// A reference: the name, and the namespace beside it if the reference is a mapping with one.
#[derive(Clone, Copy)]
pub(super) struct ReferenceText<'t> {
    pub(super) name: &'t Arc<str>,
    pub(super) namespace: Option<&'t str>,
    pub(super) is_mapping: bool,
}

impl<'c> Referrer<'c> {
    pub(super) fn new(
        resource: &Resource,
        named: &'c ResourceNames,
        profile: Profile,
    ) -> Result<Self, TransformError> {
        let subject_namespaces = subject_namespaces(resource)?;
        let role = role_of(&resource.node);
        let empty_agrees = !profile.has(Switch::ExactPrefixes);
        Ok(Self { named, subject_namespaces, role, empty_agrees })
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
        self.is_visible(id.scope, &id.namespace, &*id.gvk.kind == "ServiceAccount")
    }

    /// True if the scopes and namespaces allow a reference (Kustomize:
    /// `SubsetThatCouldBeReferencedByResource`).
    fn is_visible(&self, scope: Scope, namespace: &str, may_be_subject: bool) -> bool {
        self.is_cluster()
            || scope == Scope::Cluster
            || or(namespace, "default") == self.namespace()
            || may_be_subject && self.subject_namespaces.contains(namespace)
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
        let (own, other) = (&self.named.names, &target.names);
        lists_agree(own.prefixes(), other.prefixes(), empty_agrees)
            && lists_agree(own.suffixes(), other.suffixes(), empty_agrees)
    }

    /// The visible resources that had this name, in order: the candidate set of section 4.12 after
    /// the narrowing by `namespace` and after step 4, which both depend only on the namespace.
    fn candidates<'a>(
        &self,
        all: &'a Candidates,
        reference: ReferenceText<'_>,
    ) -> Vec<&'a ResourceNames> {
        let name = reference.name;
        let mut pool = if self.is_cluster() {
            all.named(name, None)
        } else {
            let own = ["_non_namespaceable_", self.namespace()];
            let more = self.subject_namespaces.iter().map(|place| &**place);
            let places = own.into_iter().chain(more.filter(|place| !own.contains(place)));
            all.in_order(places.flat_map(|place| all.named(name, Some(place))).collect())
        };
        pool.retain(|named| self.can_refer_to(&named.id));
        if let Some(namespace) = reference.namespace {
            // Those that came from the namespace of the reference; if the referrer can see no
            // resource from there, those that are in it now.
            let by_origin = all
                .places_from(namespace)
                .any(|(scope, place)| self.is_visible(*scope, place, true));
            pool.retain(|named| {
                let own = if by_origin {
                    named.first_namespace()
                } else {
                    named.id.effective_namespace()
                };
                own == namespace && own != "_non_namespaceable_"
            });
        }
        pool
    }

    /// Chooses among the visible resources that had the name, by steps 1 to 6 of section 4.12.
    ///
    /// # Errors
    /// The ids of several candidates that differ.
    pub(super) fn select<'a>(
        &self,
        all: &'a Candidates,
        reference: ReferenceText<'_>,
        (target, path): (&Gvk, &str),
    ) -> Result<Option<&'a ResourceNames>, Vec<String>> {
        let mut pool = self.candidates(all, reference);
        pool.retain(|named| named.was_selected_by(target) && self.fits_role(named, path));
        for empty_agrees in [true, false] {
            if pool.len() > 1 && (self.empty_agrees || !empty_agrees) {
                pool.retain(|named| self.affixes_agree(named, empty_agrees));
            }
        }
        let Some(first) = pool.first() else { return Ok(None) };
        let same = |other: &&ResourceNames| {
            let (one, other) = (&first.id, &other.id);
            one.name == other.name && (!reference.is_mapping || one.namespace == other.namespace)
        };
        if pool.iter().all(same) {
            return Ok(Some(first));
        }
        Err(pool.iter().map(|named| named.id.to_string()).collect())
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
