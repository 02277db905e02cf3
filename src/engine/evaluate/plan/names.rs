//! One-line names of kustomization entries: from their steps, or from the text of a commented-out
//! entry.

use crate::manifest::{
    Kustomization, Label, Marked, Pairs, Patch, Replacement, decode_kustomization,
};
use crate::profile::Profile;
use crate::transform::plain_transformers;
use crate::yaml::{SourceId, parse_nodes};

/// The name of an entry with this text in a field, without its dash: the same whether it is
/// commented out or not.
pub fn entry_name(field: &str, text: &str) -> String {
    let listed = format!("{field}:\n- {}\n", text.trim_end().replace('\n', "\n  "));
    let decoded = decode_kustomization(listed.as_bytes(), SourceId::NONE, Profile::MASTER);
    let decoded = decoded.ok().and_then(|kustomization| decoded_name(&kustomization));
    decoded.or_else(|| name_in(text)).unwrap_or_else(|| text_name(text))
}

fn decoded_name(kustomization: &Kustomization) -> Option<String> {
    fn first<T>(entries: &[Marked<T>], name: impl Fn(&T) -> String) -> Option<String> {
        entries.first().map(|entry| name(&entry.value)).filter(|name| !name.is_empty())
    }
    first(&kustomization.patches, patch_name)
        .or_else(|| first(&kustomization.patches_json6902, patch_name))
        .or_else(|| plain_name(kustomization))
        .or_else(|| first(&kustomization.labels, |label: &Label| pairs_name(&label.pairs)))
        .or_else(|| first(&kustomization.replacements, replacement_name))
}

/// The name of the only entry, if it belongs to one of the fields with a plain list.
fn plain_name(kustomization: &Kustomization) -> Option<String> {
    let (field, entries) = kustomization.plain.iter().find(|(_, entries)| !entries.is_empty())?;
    let first = entries.get(..1)?;
    let made = plain_transformers(field.builtin()?, first, &[], Profile::MASTER);
    made.into_iter().next().map(|(name, _)| name)
}

fn name_in(text: &str) -> Option<String> {
    let nodes = parse_nodes(text.as_bytes()).ok()?;
    let node = nodes.first()?;
    if let Some(text) = node.text() {
        return Some(text_name(text)).filter(|name| !name.is_empty());
    }
    let at = |path: &[&str]| node.text_at(path).filter(|text| !text.is_empty());
    let named = at(&["path"]).or_else(|| at(&["name"])).or_else(|| at(&["metadata", "name"]));
    named.map(str::to_owned)
}

/// The pairs as the name of a step: `a=b, c=d`.
pub(super) fn pairs_name(pairs: &Pairs) -> String {
    pairs.iter().map(|(key, pair)| format!("{key}={}", pair.value)).collect::<Vec<_>>().join(", ")
}

/// The first line of a text that is not blank: the path, or the beginning of an inline text.
pub(super) fn text_name(text: &str) -> String {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
}

pub(super) fn patch_name(patch: &Patch) -> String {
    if !patch.path.is_empty() {
        return patch.path.clone();
    }
    let target = patch.target.as_ref();
    let of_target = target.map(|target| {
        let parts =
            [&target.kind, &target.name, &target.label_selector, &target.annotation_selector];
        parts.into_iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("/")
    });
    let of_text = || {
        let value = |key: &str| {
            patch
                .patch
                .lines()
                .find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(':'))
                .map(str::trim)
        };
        match (value("kind"), value("name")) {
            (Some(kind), Some(name)) => format!("{kind}/{name}"),
            _ => named_inside(&patch.patch).unwrap_or_else(|| "patch".to_owned()),
        }
    };
    let name = of_target.filter(|name| !name.is_empty()).unwrap_or_else(of_text);
    format!("inline {name}")
}

/// The kind and name in an inline patch that has to be parsed as YAML, such as one in flow style.
fn named_inside(text: &str) -> Option<String> {
    let nodes = parse_nodes(text.as_bytes()).ok()?;
    let node = nodes.first()?;
    let name = node.text_at(&["metadata", "name"])?;
    Some(format!("{}/{name}", node.text_of("kind")?))
}

/// The file of a replacement, or its source and first target.
pub(super) fn replacement_name(replacement: &Replacement) -> String {
    if !replacement.path.is_empty() {
        return replacement.path.clone();
    }
    let source = match (&replacement.source, &replacement.source_value) {
        (Some(source), _) => {
            let field =
                if source.field_path.is_empty() { "metadata.name" } else { &source.field_path };
            format!("{}/{} {field}", source.id.kind, source.id.name)
        }
        (None, Some(value)) => value.value.clone(),
        (None, None) => String::new(),
    };
    let targets = replacement.targets.as_deref().unwrap_or_default();
    let first = targets.iter().find_map(|target| target.select.as_ref());
    let target = first.map(|select| format!("{}/{}", select.kind, select.name)).unwrap_or_default();
    format!("{source} → {target}")
}
