//! Which of several resources of one name a reference means.

use std::sync::Arc;

use indexmap::IndexSet;

use crate::diagnostic::ResourceFault;
use crate::profile::{Profile, Switch};
use crate::resource::{Gvk, Resource, Scope};
use crate::yaml::{Node, Tag};

use super::super::TransformError;
use super::candidates::{Candidate, Candidates, Place};

/// The resource that refers, as it was before any of its references was written.
#[derive(Debug)]
pub(super) struct Referrer<'a> {
    pub(super) resource: &'a Resource,
    pub(super) scope: Scope,
    /// Its effective namespace.
    pub(super) namespace: &'a str,
    /// The namespaces of the service accounts that a `RoleBinding` is for.
    pub(super) subject_namespaces: IndexSet<&'a str>,
    role: Option<Gvk>,
    /// A resource without a prefix agrees with one that has some.
    empty_agrees: bool,
}

/// What a selection comes to.
#[derive(Debug)]
pub(super) enum Found {
    One(Candidate),
    None,
    /// Several that differ; their ids.
    Several(Vec<String>),
}

impl<'a> Referrer<'a> {
    pub(super) fn of(resource: &'a Resource, profile: Profile) -> Result<Self, TransformError> {
        Ok(Self {
            resource,
            scope: resource.id.scope,
            namespace: resource.id.effective_namespace(),
            subject_namespaces: subject_namespaces(resource)?,
            role: role_of(&resource.node),
            empty_agrees: !profile.has(Switch::ExactPrefixes),
        })
    }

    /// The candidate set and step 4 in one: who can be meant by a namespaced referrer.
    pub(super) fn sees(&self, target: &Resource) -> bool {
        let id = &target.id;
        self.scope == Scope::Cluster
            || id.scope == Scope::Cluster
            || id.effective_namespace() == self.namespace
            || &*id.gvk.kind == "ServiceAccount" && self.subject_namespaces.contains(&*id.namespace)
    }

    /// Step 3: a `roleRef` says which type it means.
    pub(super) fn fits_role(&self, target: &Resource, path: &str) -> bool {
        match &self.role {
            Some(role) if path.ends_with("roleRef/name") => was_selected_by(target, role),
            _ => true,
        }
    }

    /// Step 5: prefixes and suffixes agree at their ends.
    pub(super) fn agrees(&self, target: &Resource, empty_agrees: bool) -> bool {
        agree(&self.resource.prefixes, &target.prefixes, empty_agrees)
            && agree(&self.resource.suffixes, &target.suffixes, empty_agrees)
    }

    /// Those who had this name and who can be seen, in order: the candidate set of section 4.12 with the narrowing by
    /// `namespace` and step 4 already done, since both go by the place alone.
    pub(super) fn candidates(
        &self,
        all: &Candidates,
        name: &str,
        namespace: Option<&str>,
    ) -> Vec<Candidate> {
        let mut pool: Vec<Candidate> = if self.scope == Scope::Cluster {
            all.named(name).collect()
        } else {
            let own = ["_non_namespaceable_", self.namespace];
            let more = self.subject_namespaces.iter().copied();
            let places = own.into_iter().chain(more.filter(|place| !own.contains(place)));
            let mut pool: Vec<Candidate> = places
                .flat_map(|place| all.named_in(name, place))
                .filter(|candidate| self.sees(&candidate.resource))
                .collect();
            pool.sort_by_key(|candidate| candidate.position);
            pool
        };
        if let Some(namespace) = namespace {
            self.narrow(&mut pool, all, namespace);
        }
        pool
    }

    /// A reference with a namespace means those who came from there, or else those who are there.
    fn narrow(&self, pool: &mut Vec<Candidate>, all: &Candidates, namespace: &str) {
        let by_origin = all.came_from(namespace).any(|place| self.may_refer_to(place));
        pool.retain(|candidate| {
            let resource = &candidate.resource;
            let own = if by_origin {
                resource.previous.first().map_or("", |first| &*first.namespace)
            } else {
                resource.id.effective_namespace()
            };
            own == namespace && own != "_non_namespaceable_"
        });
    }

    /// Kustomize: `SubsetThatCouldBeReferencedByResource`.
    fn may_refer_to(&self, place: &Place) -> bool {
        self.scope == Scope::Cluster
            || place.scope == Scope::Cluster
            || *place.effective == *self.namespace
            || self.subject_namespaces.contains(&*place.raw)
    }

    /// Steps 1 to 6 on those who had the name and are in sight.
    pub(super) fn select(
        &self,
        mut pool: Vec<Candidate>,
        name: &str,
        target: &Gvk,
        path: &str,
        in_mapping: bool,
    ) -> Found {
        debug_assert!(
            pool.iter().all(|candidate| had_name(&candidate.resource, name)),
            "the pool is looked up by name"
        );
        pool.retain(|candidate| {
            was_selected_by(&candidate.resource, target)
                && self.fits_role(&candidate.resource, path)
        });
        for empty_agrees in [true, false] {
            if pool.len() > 1 && (self.empty_agrees || !empty_agrees) {
                pool.retain(|candidate| self.agrees(&candidate.resource, empty_agrees));
            }
        }
        let Some(first) = pool.first() else { return Found::None };
        let same = |other: &Candidate| {
            let (one, other) = (&first.resource.id, &other.resource.id);
            one.name == other.name && (!in_mapping || one.namespace == other.namespace)
        };
        if pool.iter().all(same) {
            Found::One(first.clone())
        } else {
            Found::Several(pool.iter().map(|candidate| candidate.resource.id.to_string()).collect())
        }
    }
}

fn had_name(resource: &Resource, name: &str) -> bool {
    resource.previous.iter().any(|previous| *previous.name == *name)
}

/// Step 2: some previous id is of the type.
pub(super) fn was_selected_by(resource: &Resource, selector: &Gvk) -> bool {
    let gvk = &resource.id.gvk;
    let fits = |want: &str, have: &str| want.is_empty() || want == have;
    fits(&selector.group, &gvk.group)
        && fits(&selector.version, &gvk.version)
        && resource.previous.iter().any(|previous| fits(&selector.kind, &previous.kind))
}

/// The shorter list is the end of the longer one.
fn agree(one: &[Arc<str>], other: &[Arc<str>], empty_agrees: bool) -> bool {
    if one.is_empty() || other.is_empty() {
        return empty_agrees || one.len() == other.len();
    }
    one.ends_with(other) || other.ends_with(one)
}

fn subject_namespaces(resource: &Resource) -> Result<IndexSet<&str>, TransformError> {
    let mut namespaces = IndexSet::new();
    if &*resource.id.gvk.kind != "RoleBinding" {
        return Ok(namespaces);
    }
    for subject in resource.node.get("subjects").and_then(Node::items).unwrap_or_default() {
        if subject.as_mapping().is_none() {
            return Err(TransformError::fault(ResourceFault::SubjectIsNoMapping, subject.mark));
        }
        let Some(namespace) = subject.get("namespace") else { continue };
        let Some(kind) = subject.get("kind") else { continue };
        match text(kind) {
            Some("ServiceAccount") => {}
            Some(_) => continue,
            None => {
                return Err(TransformError::fault(ResourceFault::SubjectKindIsNoText, kind.mark));
            }
        }
        let Some(namespace) = text(namespace) else {
            let fault = ResourceFault::BlankNamespace(resource.id.to_string());
            return Err(TransformError::fault(fault, namespace.mark));
        };
        namespaces.insert(namespace);
    }
    Ok(namespaces)
}

/// What Go takes for a string.
fn text(node: &Node) -> Option<&str> {
    let scalar = node
        .as_scalar()
        .filter(|scalar| matches!(scalar.tag, Tag::Str | Tag::None | Tag::Merge))?;
    (!scalar.is_null()).then_some(&*scalar.text)
}

/// The type that a `roleRef` names. Kustomize takes both fields as they are written: a `~` is a type of that name, and an
/// empty null or a collection, without a text, is any.
fn role_of(node: &Node) -> Option<Gvk> {
    let role = node.get("roleRef")?;
    let text = |key: &str| role.get(key).map(|node| node.text().unwrap_or_default());
    Some(Gvk { group: text("apiGroup")?.into(), version: "".into(), kind: text("kind")?.into() })
}
