//! Selectors of patches and replacements (sections 4.8 and 4.14).

mod labels;
mod pattern;
mod remedy;
mod why;

pub use labels::LabelSelector;
pub(crate) use labels::is_subdomain;
pub(crate) use pattern::rest_after_dotted;
pub use pattern::{RegexFault, SelectorPattern, go_regex};
pub use remedy::{PartChange, SelectorSuggestion, with_article};
pub use why::{NarrowedPart, Narrowing, SelectorPart, explain_no_match};

pub use crate::load::nearest_name;

use super::{Gvk, ResMap, Resource, Slot};

/// The resources to which a patch or replacement applies. An empty part matches anything
/// (Kustomize: `types.Selector`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    /// Group, a regular expression for patches.
    pub group: String,
    pub version: String,
    pub kind: String,
    pub name: String,
    pub namespace: String,
    /// Kubernetes label selector syntax over annotations.
    pub annotation_selector: String,
    /// Kubernetes label selector syntax over labels.
    pub label_selector: String,
}

/// A selector that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    #[error(transparent)]
    Regex(#[from] RegexFault),
    /// The message of Kubernetes.
    #[error("{0}")]
    Labels(String),
}

/// A part of a selector that a resource does not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorMismatch {
    /// `kind`, `group`, `version`, `namespace`, `name` or `labels`
    pub part: &'static str,
    pub asked: String,
    /// The value in the resource; empty if it has none.
    pub found: String,
}

/// A selector whose expressions are compiled, once for all resources.
#[derive(Clone, Debug)]
pub struct CompiledSelector {
    pub group: SelectorPattern,
    pub version: SelectorPattern,
    pub kind: SelectorPattern,
    pub name: SelectorPattern,
    pub namespace: SelectorPattern,
    /// The label selector. As in Kustomize, an invalid one fails only when it is evaluated.
    labels: Result<LabelSelector, SelectorError>,
    annotations: Result<LabelSelector, SelectorError>,
}

impl Selector {
    /// Compiles the regular expressions.
    ///
    /// # Errors
    /// `error parsing regexp: …`
    pub fn compile(&self) -> Result<CompiledSelector, SelectorError> {
        self.compile_with(SelectorPattern::compile)
    }

    /// Compiles the parts of the id with this function.
    ///
    /// # Errors
    /// Those of the function.
    pub fn compile_with(
        &self,
        pattern: impl Fn(&str) -> Result<SelectorPattern, SelectorError>,
    ) -> Result<CompiledSelector, SelectorError> {
        Ok(CompiledSelector {
            group: pattern(&self.group)?,
            version: pattern(&self.version)?,
            kind: pattern(&self.kind)?,
            name: pattern(&self.name)?,
            namespace: pattern(&self.namespace)?,
            labels: LabelSelector::parse(&self.label_selector),
            annotations: LabelSelector::parse(&self.annotation_selector),
        })
    }

    /// True if no part is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl CompiledSelector {
    /// The resources that all parts match, in order: names and namespaces by original or current
    /// id.
    ///
    /// # Errors
    /// If a label selector is evaluated and cannot be parsed.
    pub fn select(&self, resources: &ResMap) -> Result<Vec<Slot>, SelectorError> {
        let candidates = match self.name.exact() {
            Some(name) => resources.find_any_name(name),
            None => resources.slots(),
        };
        let mut out = Vec::new();
        for slot in candidates {
            if let Some(resource) = resources.get(slot)
                && self.matches(resource)?
            {
                out.push(slot);
            }
        }
        Ok(out)
    }

    /// True if all parts match this resource.
    ///
    /// # Errors
    /// If a label selector is evaluated and cannot be parsed.
    pub fn matches(&self, resource: &Resource) -> Result<bool, SelectorError> {
        Ok(self.matches_gvk(&resource.id.gvk)
            && self.matches_namespace(resource)
            && self.matches_name(resource)
            && self.matches_labels(resource)?)
    }

    /// True if the selector matches every resource.
    pub fn is_any(&self) -> bool {
        let parts = [&self.group, &self.version, &self.kind, &self.name, &self.namespace];
        let is_empty = |labels: &Result<LabelSelector, SelectorError>| {
            labels.as_ref().is_ok_and(LabelSelector::is_empty)
        };
        parts.iter().all(|part| part.is_any())
            && is_empty(&self.labels)
            && is_empty(&self.annotations)
    }

    /// True if group, version and kind match.
    pub fn matches_gvk(&self, gvk: &Gvk) -> bool {
        self.kind.matches(&gvk.kind)
            && self.group.matches(&gvk.group)
            && self.version.matches(&gvk.version)
    }

    /// The parts that a resource does not match; empty for a selected one.
    pub fn mismatches(&self, selector: &Selector, resource: &Resource) -> Vec<SelectorMismatch> {
        let (id, gvk) = (&resource.id, &resource.id.gvk);
        let labels = self.matches_labels(resource).unwrap_or(false);
        let asked = [&*selector.label_selector, &*selector.annotation_selector];
        let asked: Vec<&str> = asked.into_iter().filter(|text| !text.is_empty()).collect();
        let rows: [(_, &str, &str, bool); 6] = [
            ("kind", &selector.kind, &gvk.kind, self.kind.matches(&gvk.kind)),
            ("group", &selector.group, &gvk.group, self.group.matches(&gvk.group)),
            ("version", &selector.version, &gvk.version, self.version.matches(&gvk.version)),
            ("namespace", &selector.namespace, &id.namespace, self.matches_namespace(resource)),
            ("name", &selector.name, &id.name, self.matches_name(resource)),
            ("labels", &asked.join(" and "), "", labels),
        ];
        let differing = rows.into_iter().filter(|(.., is_same)| !is_same);
        differing
            .map(|(part, asked, found, _)| SelectorMismatch {
                part,
                asked: asked.to_owned(),
                found: found.to_owned(),
            })
            .collect()
    }

    fn matches_namespace(&self, resource: &Resource) -> bool {
        self.namespace.is_any()
            || self.namespace.matches(resource.id.effective_namespace())
            || resource.names.previous().first().is_some_and(|first| {
                self.namespace.matches(resource.previous_id(first).effective_namespace())
            })
    }

    fn matches_name(&self, resource: &Resource) -> bool {
        self.name.matches(&resource.id.name)
            || resource.names.previous().first().is_some_and(|first| self.name.matches(&first.name))
    }

    /// True if the labels and annotations match.
    ///
    /// # Errors
    /// One of the selectors is not valid.
    pub fn matches_labels(&self, resource: &Resource) -> Result<bool, SelectorError> {
        let fits =
            |selector: &Result<LabelSelector, SelectorError>, field: &str| match selector {
                Ok(selector) => Ok(selector.is_empty()
                    || selector.matches(|key| resource.metadata_text(field, key))),
                Err(error) => Err(error.clone()),
            };
        Ok(fits(&self.labels, "labels")? && fits(&self.annotations, "annotations")?)
    }
}
