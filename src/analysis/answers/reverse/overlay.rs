//! Edits of the target's own kustomization file: entries of `images` and `replicas`, and patches.

use std::path::Path;

use super::{Proposal, ProposalKind, WantedField, WantedValue, is_one_line_scalar, node_at};
use crate::answers::Recording;
use crate::answers::compare::image_parts;
use crate::answers::recording::field::{WrittenPath, pointer};
use crate::answers::recording::lookup::element_key;
use crate::draft::{KustomizationText, entry_value, mapping_of, set_named_entry};
use crate::engine::evaluate::StepKind;
use crate::engine::load::{Files, clean};
use crate::engine::manifest::{Outline, ValueChange};
use crate::engine::resource::{PathStep, Resource};
use crate::engine::yaml::{Node, Style, Tag, Value, parse_nodes, print_preserving_style};

/// Proposals to edit the kustomization file `own` (its path and text). Each inner list contains
/// alternatives of one kind.
pub(super) fn proposals(
    recording: &Recording,
    field: &WantedField,
    own: (&Path, &[u8]),
    files: &dyn Files,
) -> Vec<Vec<Proposal>> {
    let Some(resource) = recording.output_resource(field.slot) else { return Vec::new() };
    if field.path.is_empty() {
        return vec![patch_proposals(resource, field, own)];
    }
    let entries = [
        image_proposals(recording, field, own),
        replica_proposals(resource, field, own),
        literal_proposals(recording, resource, field, own),
    ];
    let patches = [
        listed_patch_proposals(resource, field, own, files),
        patch_proposals(resource, field, own),
    ];
    vec![entries.concat(), patches.concat()]
}

fn entry_proposal(
    (file, text): (&Path, &[u8]),
    field: &str,
    name: &str,
    values: &[ValueChange],
) -> Option<Proposal> {
    let edited = set_named_entry(text, field, name, values).ok()?;
    let line = line_of(text, field);
    let words = format!("an entry of {field}: {name}");
    Some(Proposal::new(ProposalKind::Entry, words, line, file, [text, &edited]))
}

/// The line of a field, or the last line of the file if the field is to be added.
fn line_of(text: &[u8], field: &str) -> u32 {
    let outline = Outline::parse(text);
    let lines = || String::from_utf8_lossy(text).lines().count().max(1);
    outline.field(field).map_or_else(|| u32::try_from(lines()).unwrap_or(u32::MAX), |it| it.line)
}

fn image_proposals(
    recording: &Recording,
    field: &WantedField,
    own: (&Path, &[u8]),
) -> Vec<Proposal> {
    let is_image = field.path.last().and_then(PathStep::key) == Some("image");
    let (true, WantedValue::Set(wanted), Some(before)) = (is_image, &field.wanted, &field.before)
    else {
        return Vec::new();
    };
    let (Some(wanted), Some(before)) = (wanted.text(), before.text()) else { return Vec::new() };
    let writers = recording.blame(field.slot, &WrittenPath::from_path(&field.path));
    let values = writers.iter().filter_map(|writer| writer.value.as_ref()?.text());
    let mut names: Vec<&str> =
        [before].into_iter().chain(values).map(|it| image_parts(it).0).collect();
    names.dedup();
    let (new_name, tag, digest) = image_parts(wanted);
    let text = |text: &str| (!text.is_empty()).then(|| Node::string(text));
    let of_name = |name: &str| {
        let renamed = if new_name == name { "" } else { new_name };
        let values = [
            entry_value("newName", text(renamed)),
            entry_value("newTag", text(tag)),
            entry_value("digest", text(digest)),
        ];
        entry_proposal(own, "images", name, &values)
    };
    names.into_iter().filter_map(of_name).collect()
}

fn replica_proposals(
    resource: &Resource,
    field: &WantedField,
    own: (&Path, &[u8]),
) -> Vec<Proposal> {
    let is_count = pointer(&field.path) == "/spec/replicas";
    let WantedValue::Set(count) = &field.wanted else { return Vec::new() };
    if !is_count || !is_one_line_scalar(count) {
        return Vec::new();
    }
    let values = [entry_value("count", Some(count.clone()))];
    let of_name = |name: String| entry_proposal(own, "replicas", &name, &values);
    names(resource).into_iter().filter_map(of_name).collect()
}

/// Proposals to set a literal in an entry of `configMapGenerator` that merges into the generator of
/// a base.
fn literal_proposals(
    recording: &Recording,
    resource: &Resource,
    field: &WantedField,
    (file, text): (&Path, &[u8]),
) -> Vec<Proposal> {
    let (WantedValue::Set(wanted), [data, PathStep::Key(key)]) = (&field.wanted, &*field.path)
    else {
        return Vec::new();
    };
    let writers = recording.blame(field.slot, &WrittenPath::from_path(&field.path));
    let is_generated =
        |step: usize| recording.step(step).is_some_and(|step| step.kind == StepKind::Generate);
    let is_map = &*resource.id.gvk.kind == "ConfigMap" && data.key() == Some("data");
    let is_generated = writers.iter().any(|writer| is_generated(writer.step));
    let (true, true, Some(value)) = (is_map, is_generated, wanted.text()) else {
        return Vec::new();
    };
    let names = names(resource);
    let Some(name) = names.first() else { return Vec::new() };
    let mut edited = KustomizationText::new(text);
    let is_there = edited.entry(CONFIG_MAP_GENERATOR, name).is_some();
    let behavior = (!is_there).then(|| ("behavior", Node::string("merge")));
    let literals = Node::sequence(vec![Node::string(format!("{key}={value}"))]);
    let name_part = [("name", Node::string(name.as_str()))].into_iter();
    let entry = mapping_of(name_part.chain(behavior).chain([("literals", literals)]));
    if edited.add_generator(CONFIG_MAP_GENERATOR, &entry).is_err() {
        return Vec::new();
    }
    let (words, line) = (format!("a literal of {name}"), line_of(text, CONFIG_MAP_GENERATOR));
    vec![Proposal::new(ProposalKind::Entry, words, line, file, [text, edited.bytes()])]
}

const CONFIG_MAP_GENERATOR: &str = "configMapGenerator";

/// Edits of patch files for this resource that the kustomization file already lists.
fn listed_patch_proposals(
    resource: &Resource,
    field: &WantedField,
    (own, text): (&Path, &[u8]),
    files: &dyn Files,
) -> Vec<Proposal> {
    let keys = field.path.iter().map(|step| step.key().map(str::to_owned));
    let value = match &field.wanted {
        WantedValue::Set(value) => value.clone(),
        WantedValue::Remove => Node::null(),
        WantedValue::Append(_) => return Vec::new(),
    };
    let Some(path) = keys.collect::<Option<Vec<String>>>() else { return Vec::new() };
    let change = ValueChange { path, value: Some(value) };
    let names = names(resource);
    let listed = KustomizationText::new(text);
    let patches = listed.items("patches").into_iter();
    let paths = patches.filter_map(|it| Some(it.get("path")?.text()?.to_owned()));
    let older = listed.items("patchesStrategicMerge").into_iter();
    let paths = paths.chain(older.filter_map(|it| it.text().map(str::to_owned)));
    let proposal = |path: String| {
        let file = clean(&own.parent()?.join(path));
        let text = files.read(&file).ok()?;
        let read = parse_nodes(&text).ok()?;
        let [object] = read.as_slice() else { return None };
        let name = object.text_at(&["metadata", "name"])?;
        let kind = object.text_of("kind")?;
        if kind != &*resource.id.gvk.kind || !names.iter().any(|it| it == name) {
            return None;
        }
        let edited = Outline::set_field(&text, &change).ok()?;
        let words = "the patch of this resource".to_owned();
        Some(Proposal::new(ProposalKind::Patch, words, 1, &file, [&text, &edited]))
    };
    paths.filter_map(proposal).collect()
}

fn names(resource: &Resource) -> Vec<String> {
    let previous = resource.names.previous().iter().map(|previous| previous.name.to_string());
    let mut names: Vec<String> = previous.chain([resource.id.name.to_string()]).collect();
    names.dedup();
    names
}

/// Patches of the field: a strategic merge patch if all its lists have keys, else a JSON patch.
fn patch_proposals(resource: &Resource, field: &WantedField, own: (&Path, &[u8])) -> Vec<Proposal> {
    let mut found = Vec::new();
    for name in names(resource) {
        let namespaces = [None, resource.node.text_at(&["metadata", "namespace"])];
        for namespace in namespaces.into_iter().collect::<std::collections::BTreeSet<_>>() {
            let id = PatchedId { resource, name: &name, namespace };
            let texts = [id.merge_patch(field), id.json_patch(field)];
            found.extend(texts.into_iter().flatten());
        }
    }
    let (file, text) = own;
    // A strategic merge patch under any name is preferred to a JSON patch.
    found.sort_by_key(|(is_json, _)| *is_json);
    let words = match field.path.as_slice() {
        [] => "a patch that deletes the resource",
        _ => "a patch of this field",
    };
    let line = line_of(text, "patches");
    let proposal = |(_, entry): (bool, Node)| {
        let entry = print_preserving_style(&entry);
        let edited = Outline::add_entry(text, "patches", entry.trim_end()).ok()?;
        Some(Proposal::new(ProposalKind::Patch, words.to_owned(), line, file, [text, &edited]))
    };
    found.into_iter().filter_map(proposal).collect()
}

/// Patches as entries of `transformers`, which run after the other fields of the kustomization
/// file: for a value that a later field, such as `labels`, would replace.
pub(super) fn late_patch_proposals(
    recording: &Recording,
    field: &WantedField,
    (file, text): (&Path, &[u8]),
) -> Vec<Proposal> {
    let Some(resource) = recording.output_resource(field.slot) else { return Vec::new() };
    let line = line_of(text, TRANSFORMERS);
    let proposal = |name: String| {
        let id = PatchedId { resource, name: &name, namespace: None };
        let (_, patch) = id.json_patch(field)?;
        let metadata = mapping_of([("name", Node::string(format!("patch-of-{name}")))]);
        let head = [
            ("apiVersion", Node::plain("builtin")),
            ("kind", Node::plain("PatchTransformer")),
            ("metadata", metadata),
        ];
        let entry = literal(&mapping_of(head.into_iter().chain(pairs(&patch))));
        let entry = print_preserving_style(&entry);
        let edited = Outline::add_entry(text, TRANSFORMERS, entry.trim_end()).ok()?;
        let words = "a patch of this field, after the other transformers".to_owned();
        Some(Proposal::new(ProposalKind::Patch, words, line, file, [text, &edited]))
    };
    names(resource).into_iter().filter_map(proposal).collect()
}

const TRANSFORMERS: &str = "transformers";

struct PatchedId<'a> {
    resource: &'a Resource,
    name: &'a str,
    namespace: Option<&'a str>,
}

impl PatchedId<'_> {
    /// An entry of `patches` with a strategic merge patch, and `false` because it is no JSON patch.
    /// `None` if no such patch makes the change.
    fn merge_patch(&self, field: &WantedField) -> Option<(bool, Node)> {
        let value = match &field.wanted {
            WantedValue::Set(value) => patch_value(value),
            WantedValue::Remove => Node::null(),
            WantedValue::Append(_) => return None,
        };
        let is_deleted = field.path.is_empty();
        let mut patch = if is_deleted {
            Node::mapping()
        } else {
            merge_tree(&self.resource.node, &field.path, value)?
        };
        let name = [("name", self.name)].into_iter();
        let names = name.chain(self.namespace.map(|it| ("namespace", it)));
        let names = names.map(|(key, text)| (key, Node::string(text)));
        let more = patch.as_mapping_mut()?.remove("metadata").unwrap_or_else(Node::mapping);
        let metadata = mapping_of(names.chain(pairs(&more)));
        let id = |key: &'static str| Some((key, self.resource.node.get(key)?.clone()));
        let head = [id("apiVersion")?, id("kind")?, ("metadata", metadata)];
        let deletion = is_deleted.then(|| ("$patch", Node::string("delete")));
        let whole = mapping_of(deletion.into_iter().chain(head).chain(pairs(&patch)));
        Some((false, mapping_of([("patch", literal(&whole))])))
    }

    /// An entry of `patches` with a JSON patch and its target, and `true` because it is a JSON patch.
    fn json_patch(&self, field: &WantedField) -> Option<(bool, Node)> {
        if field.path.is_empty() {
            return None;
        }
        let gvk = &self.resource.id.gvk;
        let parts = [("group", &*gvk.group), ("version", &*gvk.version), ("kind", &*gvk.kind)];
        let named = parts.into_iter().chain([("name", self.name)]);
        let parts = named.chain(self.namespace.map(|it| ("namespace", it)));
        let parts = parts.filter(|(_, text)| !text.is_empty());
        let target = mapping_of(parts.map(|(key, text)| (key, Node::string(text))));
        let path = pointer(&field.path);
        let (verb, path, value) = match &field.wanted {
            WantedValue::Set(value) if field.before.is_some() => ("replace", path, Some(value)),
            WantedValue::Set(value) => {
                node_at(&self.resource.node, field.path.split_last()?.1)?;
                ("add", path, Some(value))
            }
            WantedValue::Append(value) => ("add", format!("{path}/-"), Some(value)),
            WantedValue::Remove => ("remove", path, None),
        };
        let operation = [("op", Node::plain(verb)), ("path", Node::string(path))].into_iter();
        let value = value.map(|value| ("value", patch_value(value)));
        let operations = Node::sequence(vec![mapping_of(operation.chain(value))]);
        Some((true, mapping_of([("target", target), ("patch", literal(&operations))])))
    }
}

/// A value in a patch. Kustomize removes the last line end of an inline patch, which would be that
/// of a text in a block: such a text is quoted.
fn patch_value(value: &Node) -> Node {
    let mut value = value.clone();
    if let Value::Scalar(scalar) = &mut value.value
        && scalar.text.ends_with('\n')
    {
        scalar.style = Style::DoubleQuoted;
    }
    value
}

/// The tree of a strategic merge patch that sets one value, with the keys of list elements; `None`
/// if an element has no key.
fn merge_tree(node: &Node, path: &[PathStep], value: Node) -> Option<Node> {
    let Some((step, rest)) = path.split_first() else { return Some(value) };
    match step {
        PathStep::Key(key) => {
            let below = node.get(key).cloned().unwrap_or_else(Node::mapping);
            Some(mapping_of([(&**key, merge_tree(&below, rest, value)?)]))
        }
        PathStep::Index(index) => {
            let item = node.items()?.get(*index)?;
            let (key, text) = element_key(item).filter(|_| !rest.is_empty())?;
            let below = merge_tree(item, rest, value)?;
            let out = mapping_of([(key, Node::string(text))].into_iter().chain(pairs(&below)));
            Some(Node::sequence(vec![out]))
        }
    }
}

fn pairs(node: &Node) -> impl Iterator<Item = (&str, Node)> {
    node.entries().iter().filter_map(|entry| Some((entry.key.text()?, entry.value.clone())))
}

/// A node as a text in a block.
fn literal(node: &Node) -> Node {
    Node::scalar(print_preserving_style(node).trim_end(), Tag::Str, Style::Literal)
}
