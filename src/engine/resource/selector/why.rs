//! Explains why a selector has no match, by the number of resources left after each part.

use std::fmt;
use std::sync::Arc;

use super::super::{ResMap, Resource, Scope};
use super::remedy::remedy;
use super::suggestion::{SelectorSuggestion, listed, with_article};
use super::{CompiledSelector, PartChange, Selector};
use crate::yaml::{MappingEntry, Node};

/// The parts of a selector without a match, up to the part that leaves no resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narrowing {
    /// The number of resources left after each part, in the order of evaluation; the last is 0.
    pub left: Vec<(SelectorPart, usize)>,
    /// The existing value that is similar to the value of the last evaluated part.
    pub nearest: Option<String>,
    pub hint: Option<SelectorSuggestion>,
    /// The parts to replace; verified: the changed selector matches.
    pub change: Vec<PartChange>,
    /// The number of resources that each part alone matches, in the order of `left`.
    pub alone: Vec<usize>,
    /// The set parts that were not evaluated because no resource was left, with the number of
    /// resources that each part alone matches.
    pub beyond: Vec<(SelectorPart, usize)>,
    /// The number of resources of the selector's kind, in any group and version; `None` if the
    /// selector sets no kind.
    pub of_kind: Option<usize>,
    /// True if the resources that only the labels or annotations exclude have others.
    pub has_labels: bool,
    pub selector: Selector,
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

impl Narrowing {
    /// True if no change of the selector helps, because the resources that it is meant for are not
    /// in the build: none has its kind, or those of the kind have other labels or annotations.
    pub fn is_without_candidate(&self) -> bool {
        let is_absent = match self.left.last() {
            Some((SelectorPart::Type(_), _)) => self.of_kind.unwrap_or(0) == 0,
            Some((SelectorPart::Labels(_), _)) => self.has_labels,
            _ => false,
        };
        is_absent && self.change.iter().all(|change| change.with.is_none())
    }
}

impl fmt::Display for Narrowing {
    /// `6 resources of the kind, 3 in namespace "a", none named "wbe"`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = 0;
        if let Some((SelectorPart::All, 0)) = self.left.first() {
            return f.write_str("no resource exists at this step");
        }
        for (number, (part, left)) in self.left.iter().enumerate() {
            let count = if *left == 0 { "none".to_owned() } else { left.to_string() };
            let comma = if number > 1 { ", " } else { "" };
            match part {
                SelectorPart::All => {}
                SelectorPart::Type(_) if *left == 0 && self.of_kind.unwrap_or(0) > 0 => {
                    let Selector { group, version, .. } = &self.selector;
                    let asked = [("group", group), ("version", version)];
                    let asked = asked.iter().filter(|(_, text)| !text.is_empty());
                    let asked: Vec<String> =
                        asked.map(|(word, text)| format!("{word} {text:?}")).collect();
                    write!(
                        f,
                        "{} of kind {}, but not of {}",
                        plural(self.of_kind.unwrap_or(0), "resource"),
                        self.selector.kind,
                        asked.join(" and ")
                    )?;
                }
                SelectorPart::Type(kind) if *left == 0 && before == 1 => {
                    let kind = kind.replacen(", ", " of ", 1);
                    write!(f, "the only resource is not {}", with_article(&kind))?;
                }
                SelectorPart::Type(kind) if *left == 0 => {
                    let kind = kind.replacen(", ", " of ", 1);
                    write!(f, "no {kind} among {before} resources")?;
                }
                SelectorPart::Type(kind) => {
                    let of_kind = if kind.is_empty() { "" } else { " of the kind" };
                    write!(f, "{}{of_kind}", plural(*left, "resource"))?;
                }
                SelectorPart::Namespace(name) => write!(f, "{comma}{count} in namespace {name:?}")?,
                SelectorPart::Name(name) => write!(f, "{comma}{count} named {name:?}")?,
                SelectorPart::Labels(asked) => write!(f, "{comma}{count} with {asked}")?,
            }
            before = *left;
        }
        for (part, alone) in &self.beyond {
            let asked = match part {
                SelectorPart::Namespace(name) => format!("in namespace {name:?}"),
                SelectorPart::Name(name) => format!("named {name:?}"),
                SelectorPart::Labels(asked) => format!("with {asked}"),
                SelectorPart::All | SelectorPart::Type(_) => continue,
            };
            match (alone, part) {
                (0, SelectorPart::Labels(asked)) => write!(f, "; no resource at all has {asked}")?,
                (0, _) => write!(f, "; no resource at all is {asked}")?,
                (alone, _) => write!(f, "; {} {asked}", plural(*alone, "resource"))?,
            }
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
    let RemainingMatches { left, there, has_labels } =
        count_remaining_by_part(selector, compiled, &all)?;
    let change = remedy(selector, &all);
    let nearest = match change.as_slice() {
        [change] => change.with.clone().filter(|_| matches!(change.part, "kind" | "name")),
        _ => None,
    };
    // The existing values for the excluding part may add information to the change.
    let there = there.filter(|_| nearest.is_none());
    let hint = SelectorSuggestion::new(&change, there, keeps_excluding_part(&change, &left));
    let of_part = |part: &SelectorPart| count_matches(part, compiled, &all);
    let alone = left.iter().map(|(part, _)| of_part(part)).collect();
    let beyond = parts_after(selector, &left);
    let beyond = beyond.into_iter().map(|part| (part.clone(), of_part(&part))).collect();
    let is_narrow = !selector.group.is_empty() || !selector.version.is_empty();
    let of_kind = (is_narrow && !compiled.kind.is_any())
        .then(|| all.iter().filter(|it| compiled.kind.matches(&it.id.gvk.kind)).count());
    let selector = selector.clone();
    Some(Narrowing { left, nearest, hint, change, alone, beyond, of_kind, has_labels, selector })
}

fn keeps_excluding_part(change: &[PartChange], left: &[(SelectorPart, usize)]) -> bool {
    let excluded = match left.last() {
        Some((SelectorPart::Name(_), _)) => "name",
        Some((SelectorPart::Namespace(_), _)) => "namespace",
        _ => return false,
    };
    change.iter().all(|change| change.part != excluded)
}

/// The parts that are set and follow the excluding one.
fn parts_after(selector: &Selector, left: &[(SelectorPart, usize)]) -> Vec<SelectorPart> {
    let set = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let parts = [
        set(&selector.namespace).map(SelectorPart::Namespace),
        set(&selector.name).map(SelectorPart::Name),
        set(&label_selector_texts(selector).join(" and ")).map(SelectorPart::Labels),
    ];
    let is_new = |part: &SelectorPart| left.iter().all(|(asked, _)| asked != part);
    parts.into_iter().flatten().filter(is_new).collect()
}

fn count_matches(
    part: &SelectorPart,
    compiled: &CompiledSelector,
    all: &[&Arc<Resource>],
) -> usize {
    let fits = |resource: &&&Arc<Resource>| match part {
        SelectorPart::All => true,
        SelectorPart::Type(_) => compiled.matches_gvk(&resource.id.gvk),
        SelectorPart::Namespace(_) => compiled.matches_namespace(resource),
        SelectorPart::Name(_) => compiled.matches_name(resource),
        SelectorPart::Labels(_) => compiled.matches_labels(resource).unwrap_or(false),
    };
    all.iter().filter(fits).count()
}

/// The number of resources left after each part of a selector, and the existing values for the last
/// part.
struct RemainingMatches {
    left: Vec<(SelectorPart, usize)>,
    there: Option<SelectorSuggestion>,
    /// See [`Narrowing::has_labels`].
    has_labels: bool,
}

/// Counts the resources left after each part of a selector, until none is left; `None` if a
/// resource matches all parts.
fn count_remaining_by_part(
    selector: &Selector,
    compiled: &CompiledSelector,
    all: &[&Arc<Resource>],
) -> Option<RemainingMatches> {
    let of_type: Vec<_> =
        all.iter().copied().filter(|resource| compiled.matches_gvk(&resource.id.gvk)).collect();
    let mut left = vec![
        (SelectorPart::All, all.len()),
        (SelectorPart::Type(described_type(selector)), of_type.len()),
    ];
    if of_type.is_empty() {
        let of_kind = all.iter().find(|resource| compiled.kind.matches(&resource.id.gvk.kind));
        let there = of_kind.filter(|_| !compiled.kind.is_any()).map(|resource| {
            let (kind, api_version) = (&resource.id.gvk.kind, resource.id.gvk.api_version());
            SelectorSuggestion::of_text(format!("a {kind} of apiVersion {api_version} exists; the target's group or version excludes it"))
        });
        return Some(RemainingMatches { left, there, has_labels: false });
    }
    let in_namespace: Vec<_> =
        of_type.iter().copied().filter(|resource| compiled.matches_namespace(resource)).collect();
    if !compiled.namespace.is_any() || in_namespace.is_empty() {
        left.push((SelectorPart::Namespace(selector.namespace.clone()), in_namespace.len()));
    }
    if in_namespace.is_empty() {
        let namespaced = of_type.iter().filter(|resource| resource.id.scope != Scope::Cluster);
        let namespaces = namespaced.map(|resource| resource.id.effective_namespace());
        let text = match (listed(namespaces), of_type.first()) {
            (Some((_, listed)), _) => Some(format!("available namespaces: {listed}")),
            (None, Some(resource)) => {
                Some(format!("{} has no namespace", with_article(&resource.id.gvk.kind)))
            }
            (None, None) => None,
        };
        let there = text.map(SelectorSuggestion::of_text);
        return Some(RemainingMatches { left, there, has_labels: false });
    }
    let named: Vec<_> =
        in_namespace.iter().copied().filter(|resource| compiled.matches_name(resource)).collect();
    if !compiled.name.is_any() || named.is_empty() {
        left.push((SelectorPart::Name(selector.name.clone()), named.len()));
    }
    if named.is_empty() {
        let names = in_namespace.iter().map(|resource| &*resource.id.name);
        let there = listed(names).map(|(names, listed)| SelectorSuggestion {
            text: format!("available names: {listed}"),
            names,
        });
        return Some(RemainingMatches { left, there, has_labels: false });
    }
    if named.iter().any(|resource| compiled.matches_labels(resource).unwrap_or(true)) {
        return None;
    }
    left.push((SelectorPart::Labels(label_selector_texts(selector).join(" and ")), 0));
    let (text, has_labels) = available_labels(selector, &named);
    Some(RemainingMatches { left, there: Some(SelectorSuggestion::of_text(text)), has_labels })
}

/// The labels or annotations of the resources that are left before label selectors apply, in words;
/// false if they have none.
fn available_labels(selector: &Selector, left: &[&Arc<Resource>]) -> (String, bool) {
    let field = if selector.label_selector.is_empty() { "annotations" } else { "labels" };
    let text = |it: &MappingEntry| Some(format!("{}={}", it.key.text()?, it.value.text()?));
    let pairs = left.iter().flat_map(|resource| {
        resource.node.at(&["metadata", field]).into_iter().flat_map(Node::entries).filter_map(text)
    });
    let pairs: Vec<String> = pairs.take(MAX_READ_LABELS).collect();
    match listed(pairs.iter().map(String::as_str)) {
        Some((_, listed)) => (format!("available {field}: {listed}"), true),
        None => (format!("these resources have no {field}"), false),
    }
}

/// The maximum number of labels that are read for examples.
const MAX_READ_LABELS: usize = 1_000;

fn label_selector_texts(selector: &Selector) -> Vec<String> {
    let parts =
        [("labels", &selector.label_selector), ("annotations", &selector.annotation_selector)];
    let set = parts.into_iter().filter(|(_, text)| !text.is_empty());
    set.map(|(word, text)| format!("{word} {text:?}")).collect()
}

fn described_type(selector: &Selector) -> String {
    let parts =
        [("", &selector.kind), ("group ", &selector.group), ("version ", &selector.version)];
    let parts = parts.iter().filter(|(_, text)| !text.is_empty());
    parts.map(|(word, text)| format!("{word}{text}")).collect::<Vec<_>>().join(", ")
}

fn plural(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
