//! Explains why a selector has no match, by the number of resources left after each part.

use std::fmt;
use std::sync::Arc;

use super::super::{ResMap, Resource, Scope};
use super::remedy::{SelectorSuggestion, listed, remedy, with_article};
use super::{CompiledSelector, PartChange, Selector};
use crate::yaml::{MappingEntry, Node};

/// The parts of a selector without a match, and the resources that each leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narrowing {
    /// The parts that are set, in the order of evaluation.
    pub parts: Vec<NarrowedPart>,
    /// The existing value that is similar to the value of the last evaluated part.
    pub nearest: Option<String>,
    pub hint: Option<SelectorSuggestion>,
    /// The parts to replace, so that the changed selector matches.
    pub change: Vec<PartChange>,
    /// The number of resources of the selector's kind, in any group and version; `None` if the
    /// selector sets no kind.
    pub of_kind: Option<usize>,
    /// True if the resources that only the labels or annotations exclude have others.
    pub has_labels: bool,
    pub selector: Selector,
}

/// A part of a selector, with the resources that it matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NarrowedPart {
    pub part: SelectorPart,
    /// The number of resources that are left after this part; `None` if no resource was left before
    /// it.
    pub left: Option<usize>,
    /// The number of resources that the part alone matches.
    pub alone: usize,
}

/// A part of a selector, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectorPart {
    All,
    /// Group, version and kind as text; empty if the selector sets none.
    Type(String),
    Namespace(String),
    Name(String),
    Labels(String),
}

impl SelectorPart {
    fn from_selector(selector: &Selector) -> impl Iterator<Item = Self> {
        let Selector { kind, group, version, namespace, name, .. } = selector;
        let (namespace, name) = (Self::Namespace(namespace.clone()), Self::Name(name.clone()));
        let labels =
            [("labels", &selector.label_selector), ("annotations", &selector.annotation_selector)];
        let labels =
            Self::Labels(written(labels, " and ", |word, text| format!("{word} {text:?}")));
        let kind = [("", kind), ("group ", group), ("version ", version)];
        let kind = Self::Type(written(kind, ", ", |word, text| format!("{word}{text}")));
        [Self::All, kind, namespace, name, labels].into_iter().filter(|part| match part {
            Self::All | Self::Type(_) => true,
            Self::Namespace(text) | Self::Name(text) | Self::Labels(text) => !text.is_empty(),
        })
    }

    fn fits(&self, compiled: &CompiledSelector, resource: &Resource) -> bool {
        match self {
            Self::All => true,
            Self::Type(_) => compiled.matches_gvk(&resource.id.gvk),
            Self::Namespace(_) => compiled.matches_namespace(resource),
            Self::Name(_) => compiled.matches_name(resource),
            Self::Labels(_) => compiled.matches_labels(resource).unwrap_or(false),
        }
    }

    /// The property of a resource that the part requires, in words.
    fn required(&self) -> String {
        match self {
            Self::All | Self::Type(_) => String::new(),
            Self::Namespace(name) => format!("in namespace {name:?}"),
            Self::Name(name) => format!("named {name:?}"),
            Self::Labels(asked) => format!("with {asked}"),
        }
    }
}

/// The texts that are not empty, each with its word.
fn written<const N: usize>(
    texts: [(&str, &String); N],
    separator: &str,
    one: fn(&str, &str) -> String,
) -> String {
    let set = texts.into_iter().filter(|(_, text)| !text.is_empty());
    set.map(|(word, text)| one(word, text)).collect::<Vec<_>>().join(separator)
}

impl Narrowing {
    /// The part that leaves no resource.
    pub fn excluding_part(&self) -> Option<&SelectorPart> {
        self.parts.iter().rfind(|it| it.left.is_some()).map(|it| &it.part)
    }

    /// True if no change of the selector helps, because the resources that it is meant for are not
    /// in the build: none has its kind, or those of the kind have other labels or annotations.
    pub fn is_without_candidate(&self) -> bool {
        let is_absent = match self.excluding_part() {
            Some(SelectorPart::Type(_)) => self.of_kind.unwrap_or(0) == 0,
            Some(SelectorPart::Labels(_)) => self.has_labels,
            _ => false,
        };
        is_absent && self.change.iter().all(|change| change.with.is_none())
    }

    fn type_text(&self, kind: &str, left: usize, before: usize) -> String {
        let of_kind = self.of_kind.unwrap_or(0);
        let shown = kind.replacen(", ", " of ", 1);
        match left {
            0 if of_kind > 0 => {
                let Selector { group, version, kind, .. } = &self.selector;
                let asked = [("group", group), ("version", version)];
                let asked = written(asked, " and ", |word, text| format!("{word} {text:?}"));
                format!("{} of kind {kind}, but not of {asked}", plural(of_kind))
            }
            0 if before == 1 => format!("the only resource is not {}", with_article(&shown)),
            0 => format!("no {shown} among {before} resources"),
            _ if kind.is_empty() => plural(left),
            _ => format!("{} of the kind", plural(left)),
        }
    }
}

impl fmt::Display for Narrowing {
    /// `6 resources of the kind, 3 in namespace "a", none named "wbe"`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = 0;
        for NarrowedPart { part, left, alone } in &self.parts {
            let required = part.required();
            match (part, left) {
                (SelectorPart::All, Some(0)) => {
                    return f.write_str("no resource exists at this step");
                }
                (SelectorPart::All, _) => {}
                (SelectorPart::Type(kind), _) => {
                    f.write_str(&self.type_text(kind, left.unwrap_or(0), before))?;
                }
                (_, Some(0)) => write!(f, ", none {required}")?,
                (_, Some(left)) => write!(f, ", {left} {required}")?,
                (SelectorPart::Labels(asked), None) if *alone == 0 => {
                    write!(f, "; no resource at all has {asked}")?;
                }
                (_, None) if *alone == 0 => write!(f, "; no resource at all is {required}")?,
                (_, None) => write!(f, "; {} {required}", plural(*alone))?,
            }
            before = left.unwrap_or(0);
        }
        Ok(())
    }
}

const KUSTOMIZE_GROUP: &str = "kustomize.config.k8s.io";

/// The part of a selector that leaves no resource, with suggestions; `None` if the selector has a
/// match.
pub fn explain_no_match(
    selector: &Selector,
    compiled: &CompiledSelector,
    resources: &ResMap,
) -> Option<Narrowing> {
    // No selector is meant for a kustomization file among the resources.
    let is_meant = |resource: &&Arc<Resource>| *resource.id.gvk.group != *KUSTOMIZE_GROUP;
    let all: Vec<_> = resources.iter().map(|(_, resource)| resource).filter(is_meant).collect();
    let (mut before, mut parts, mut excluded) = (all.clone(), Vec::new(), None);
    for part in SelectorPart::from_selector(selector) {
        let alone = all.iter().filter(|it| part.fits(compiled, it)).count();
        let mut left = None;
        if excluded.is_none() {
            let fitting: Vec<_> =
                before.iter().copied().filter(|it| part.fits(compiled, it)).collect();
            left = Some(fitting.len());
            if fitting.is_empty() && part != SelectorPart::All {
                excluded =
                    Some((part.clone(), existing_values(&part, selector, compiled, &before)));
            } else {
                before = fitting;
            }
        }
        parts.push(NarrowedPart { part, left, alone });
    }
    let (excluding, there) = excluded?;
    let has_labels =
        matches!(excluding, SelectorPart::Labels(_)) && !labels_of(selector, &before).is_empty();
    let change = remedy(selector, &all);
    let nearest = match change.as_slice() {
        [change] => change.with.clone().filter(|_| matches!(change.part, "kind" | "name")),
        _ => None,
    };
    // The existing values for the excluding part may add information to the change.
    let there = there.filter(|_| nearest.is_none());
    let is_elsewhere = match excluding {
        SelectorPart::Name(_) => change.iter().all(|change| change.part != "name"),
        SelectorPart::Namespace(_) => change.iter().all(|change| change.part != "namespace"),
        SelectorPart::All | SelectorPart::Type(_) | SelectorPart::Labels(_) => false,
    };
    let hint = SelectorSuggestion::new(&change, there, is_elsewhere);
    let is_narrow = !selector.group.is_empty() || !selector.version.is_empty();
    let of_kind = (is_narrow && !compiled.kind.is_any())
        .then(|| all.iter().filter(|it| compiled.kind.matches(&it.id.gvk.kind)).count());
    let selector = selector.clone();
    Some(Narrowing { parts, nearest, hint, change, of_kind, has_labels, selector })
}

/// The values that the resources before the excluding part have for it, in words.
fn existing_values(
    excluding: &SelectorPart,
    selector: &Selector,
    compiled: &CompiledSelector,
    before: &[&Arc<Resource>],
) -> Option<SelectorSuggestion> {
    let text = match excluding {
        SelectorPart::All => return None,
        SelectorPart::Type(_) if compiled.kind.is_any() => return None,
        SelectorPart::Type(_) => {
            let of_kind = before.iter().find(|it| compiled.kind.matches(&it.id.gvk.kind));
            let gvk = &of_kind?.id.gvk;
            format!(
                "a {} of apiVersion {} exists; the target's group or version excludes it",
                gvk.kind,
                gvk.api_version()
            )
        }
        SelectorPart::Namespace(_) => {
            let namespaced = before.iter().filter(|it| it.id.scope != Scope::Cluster);
            match listed(namespaced.map(|it| it.id.effective_namespace())) {
                Some((_, listed)) => format!("available namespaces: {listed}"),
                None => format!("{} has no namespace", with_article(&before.first()?.id.gvk.kind)),
            }
        }
        SelectorPart::Name(_) => {
            let (names, listed) = listed(before.iter().map(|it| &*it.id.name))?;
            let text = format!("available names: {listed}");
            return Some(SelectorSuggestion { text, names });
        }
        SelectorPart::Labels(_) => {
            let (field, pairs) = (label_field(selector), labels_of(selector, before));
            match listed(pairs.iter().map(String::as_str)) {
                Some((_, listed)) => format!("available {field}: {listed}"),
                None => format!("these resources have no {field}"),
            }
        }
    };
    Some(SelectorSuggestion { text, names: Vec::new() })
}

fn label_field(selector: &Selector) -> &'static str {
    if selector.label_selector.is_empty() { "annotations" } else { "labels" }
}

const MAX_READ_LABELS: usize = 1_000;

/// Labels of these resources, or annotations if the selector has no labels.
fn labels_of(selector: &Selector, resources: &[&Arc<Resource>]) -> Vec<String> {
    let path = ["metadata", label_field(selector)];
    let entries = resources.iter().filter_map(|it| it.node.at(&path).map(Node::entries));
    let text = |it: &MappingEntry| Some(format!("{}={}", it.key.text()?, it.value.text()?));
    entries.flatten().filter_map(text).take(MAX_READ_LABELS).collect()
}

fn plural(count: usize) -> String {
    if count == 1 { "1 resource".to_owned() } else { format!("{count} resources") }
}
