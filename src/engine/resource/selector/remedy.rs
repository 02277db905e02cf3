//! How to change a selector so that it matches: the fewest parts to replace, found by trying.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::{Resource, Scope};
use super::Selector;
use crate::load::{edit_distance, edit_distance_within, name_distance};

/// One part of a selector, and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartChange {
    /// The key of the part, as written: `name`, `namespace`.
    pub part: &'static str,
    pub was: String,
    /// The new value; `None` if the part has to be removed.
    pub with: Option<String>,
}

/// The keys of the parts of a selector whose value is a single word.
const WORDS: [&str; 5] = ["group", "version", "kind", "name", "namespace"];

fn word_of<'s>(selector: &'s mut Selector, key: &str) -> &'s mut String {
    match key {
        "group" => &mut selector.group,
        "version" => &mut selector.version,
        "kind" => &mut selector.kind,
        "name" => &mut selector.name,
        _ => &mut selector.namespace,
    }
}

fn value_in<'r>(resource: &'r Resource, key: &str) -> &'r str {
    let id = &resource.id;
    match key {
        "group" => &id.gvk.group,
        "version" => &id.gvk.version,
        "kind" => &id.gvk.kind,
        "name" => &id.name,
        _ if id.scope == Scope::Cluster => "",
        _ => id.effective_namespace(),
    }
}

/// The maximum number of resources that are compared with a selector to find similar values.
const MAX_COMPARED_RESOURCES: usize = 2_000;

/// The change of the fewest parts with which a selector without a match selects a resource; empty
/// if no similar value exists, or none among the first 2,000 resources.
pub(super) fn remedy(selector: &Selector, resources: &[&Arc<Resource>]) -> Vec<PartChange> {
    let resources = &resources[..resources.len().min(MAX_COMPARED_RESOURCES)];
    let (mut written, mut said) = (selector.clone(), WORDS.to_vec());
    said.retain(|part| !word_of(&mut written, part).is_empty());
    let single = said.iter().map(|part| vec![*part]);
    let pairs = said
        .iter()
        .enumerate()
        .flat_map(|(at, one)| said.iter().skip(at + 1).map(move |other| vec![*one, *other]));
    let mut cheapest: Option<(usize, Vec<PartChange>)> = None;
    for parts in single.chain(pairs) {
        // A change of one part is always preferred to a change of two.
        if cheapest.as_ref().is_some_and(|(_, changes)| changes.len() < parts.len()) {
            break;
        }
        if let Some(found) = cheapest_change(selector, &parts, resources)
            && cheapest.as_ref().is_none_or(|(cost, _)| found.0 < *cost)
        {
            cheapest = Some(found);
        }
    }
    cheapest.map(|(_, changes)| changes).unwrap_or_default()
}

/// The cheapest change of exactly these parts with which the selector matches, and its cost; `None`
/// if no change is possible or two are equally cheap.
fn cheapest_change(
    selector: &Selector,
    parts: &[&'static str],
    resources: &[&Arc<Resource>],
) -> Option<(usize, Vec<PartChange>)> {
    let mut open = selector.clone();
    let words: Vec<(&'static str, String)> =
        parts.iter().map(|part| (*part, std::mem::take(word_of(&mut open, part)))).collect();
    let is_named = !open.name.is_empty();
    let compiled = open.compile().ok()?;
    let fits: Vec<_> =
        resources.iter().filter(|it| compiled.matches(it).unwrap_or(false)).collect();
    let has_name = resources.iter().any(|it| *it.id.name == *selector.name);
    let is_only = fits.len() == 1 && !open.kind.is_empty() && !has_name;
    let change = |resource: &&Arc<Resource>| {
        let each = words.iter().map(|part| change_of(part, resource, is_named, is_only));
        let each: Option<Vec<(usize, PartChange)>> = each.collect();
        let each = each?;
        let cost = each.iter().map(|(cost, _)| cost).sum();
        Some((cost, each.into_iter().map(|(_, change)| change).collect::<Vec<_>>()))
    };
    let mut found: Vec<(usize, Vec<PartChange>)> = fits.into_iter().filter_map(change).collect();
    found.sort_by_key(|(cost, _)| *cost);
    found.dedup();
    // Several namespaces would match, and none is nearer: the intended one is not known.
    let is_open = |found: &[(usize, Vec<PartChange>)]| matches!(found, [one, other, ..] if one.0 == other.0 && one.1 != other.1);
    if is_open(&found) {
        return None;
    }
    let found = found.into_iter().next()?;
    // A patch for another sort of object does not fit, although the name is the same.
    if let [PartChange { part: "kind", was, with: Some(with) }] = &*found.1
        && !is_similar_kind(was, with)
    {
        return None;
    }
    Some(found)
}

/// The replacement for a part of a selector that makes the part match a resource, and its cost;
/// `None` if the values are not similar. The only resource that is left (`is_only`) is also meant if
/// one of the names is the other with further words: `config.yaml` for `config`.
fn change_of(
    (part, was): &(&'static str, String),
    resource: &Resource,
    is_named: bool,
    is_only: bool,
) -> Option<(usize, PartChange)> {
    let value = value_in(resource, part);
    // An expression can match more than one word.
    let is_word = !was.contains(|c: char| "*|^$()[]+?\\".contains(c));
    if was == value || !is_word {
        return None;
    }
    let limit = || (was.chars().count() / 3).max(1);
    let cost = match *part {
        "kind" if !is_named => edit_distance_within(was, value, limit().min(2))?,
        "name" if !is_only || !has_further_words(was, value) => name_distance(was, value, limit())?,
        _ => edit_distance(was, value),
    };
    let with = (!value.is_empty()).then(|| value.to_owned());
    Some((cost, PartChange { part, was: was.clone(), with }))
}

/// True for two kinds of which a patch for the one may fit the other: a name that contains the other
/// (`Role`, `ClusterRole`), a similar name, or two workloads.
fn is_similar_kind(one: &str, other: &str) -> bool {
    const WORKLOADS: [&str; 7] =
        ["CronJob", "DaemonSet", "Deployment", "Job", "ReplicaSet", "Rollout", "StatefulSet"];
    one.contains(other)
        || other.contains(one)
        || edit_distance_within(one, other, 2).is_some()
        || WORKLOADS.contains(&one) && WORKLOADS.contains(&other)
}

/// True if one of two names begins or ends with the other, separated by a dash, a dot or another
/// sign.
fn has_further_words(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let is_sign = |c: char| !c.is_alphanumeric();
    !short.is_empty()
        && (long.strip_prefix(short).is_some_and(|rest| rest.starts_with(is_sign))
            || long.strip_suffix(short).is_some_and(|rest| rest.ends_with(is_sign)))
}

/// A change of a selector in words, such as `did you mean kind Deployment?`; `None` without a
/// change.
fn in_words(changes: &[PartChange]) -> Option<String> {
    if let [PartChange { part, with: Some(with), .. }] = changes {
        return Some(match *part {
            "kind" => format!("did you mean kind {with}?"),
            "name" => format!("did you mean {with:?}?"),
            part => format!("with {part} {with:?} it matches"),
        });
    }
    let one = |change: &PartChange| match &change.with {
        Some(with) => format!("with {} {with:?}", change.part),
        None => format!("without {} {:?}", change.part, change.was),
    };
    let all: Vec<String> = changes.iter().map(one).collect();
    (!all.is_empty()).then(|| format!("{} it matches", all.join(" and ")))
}

/// A suggestion in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct SelectorSuggestion {
    pub text: String,
    /// The names of resources in the text.
    pub names: Vec<String>,
}

impl SelectorSuggestion {
    /// The suggestion of a change, after the existing values for the part that excludes all
    /// resources; `None` without both. `is_elsewhere` is true if the change does not affect that
    /// part.
    pub fn new(change: &[PartChange], there: Option<Self>, is_elsewhere: bool) -> Option<Self> {
        let (text, mut names) = match (there, in_words(change)) {
            (Some(Self { text, names }), Some(words)) => {
                let sign = if is_elsewhere { "; or" } else { ":" };
                (format!("{text}{sign} {words}"), names)
            }
            (Some(Self { text, names }), None) => (text, names),
            (None, words) => (words?, Vec::new()),
        };
        let changed = change.iter().filter(|change| change.part == "name");
        names.extend(changed.filter_map(|change| change.with.clone()));
        Some(Self { text, names })
    }
}

/// The first words in alphabetical order, each once, and their text; `None` if there are none.
pub(super) fn listed<'a>(words: impl Iterator<Item = &'a str>) -> Option<(Vec<String>, String)> {
    const SHOWN: usize = 5;
    let all: BTreeSet<&str> = words.collect();
    let shown: Vec<String> = all.iter().take(SHOWN).map(|word| (*word).to_owned()).collect();
    let more = if all.len() > SHOWN { ", …" } else { "" };
    let text = format!("{}{more}", shown.join(", "));
    (!shown.is_empty()).then_some((shown, text))
}

/// `a Deployment`, `an Ingress`, `an HTTPRoute`: by pronunciation.
pub fn with_article(kind: &str) -> String {
    let mut letters = kind.chars();
    let (first, second) = (letters.next().unwrap_or(' '), letters.next().unwrap_or(' '));
    // An abbreviation is spelled out, so that the name of its first letter decides the article.
    let is_spelt = first.is_ascii_uppercase() && second.is_ascii_uppercase();
    let vowels = if is_spelt { "AEFHILMNORSX" } else { "AEIOaeio" };
    let article = if vowels.contains(first) { "an" } else { "a" };
    format!("{article} {kind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Arc<Resource> {
        let mut resource = Resource::default();
        resource.id.name = name.into();
        Arc::new(resource)
    }

    #[test]
    fn no_suggestion_above_max_compared_resources() {
        let mut all: Vec<Arc<Resource>> =
            (0..MAX_COMPARED_RESOURCES).map(|number| named(&format!("other-{number}"))).collect();
        all.push(named("gateway"));
        let selector = Selector { name: "gatewya".to_owned(), ..Selector::default() };
        let meant = |all: &[Arc<Resource>]| remedy(&selector, &all.iter().collect::<Vec<_>>());
        assert_eq!(meant(&all), []);
        assert_eq!(meant(&all[1..])[0].with.as_deref(), Some("gateway"));
    }
}
