//! A Kustomization as a Composition with the same output, and the reverse.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::answers::Recording;
use crate::draft::mapping_of;
use crate::engine::manifest::{COMPOSITION_API_VERSION, kebab};
use crate::engine::yaml::{Comments, MappingEntry, Node, Style, Tag, print_preserving_style};
use crate::repository::TargetKind;

use super::apply_fix::comment;
use super::layer_entries::first_node;
use super::proof::{NewTexts, PlannedEdit, Prover};

/// How the value of a field becomes the configuration of a built-in transformer.
#[derive(Clone, Copy)]
enum Form {
    /// The value of the field is the value of this key.
    Value(&'static str),
    /// Each item is the value of this key in its own entry.
    Items(&'static str),
    /// Each item is an entry; keys of the item have other names there.
    Spread(&'static [(&'static str, &'static str)]),
    /// The value is the namespace in `metadata`.
    Namespace,
}

/// The fields of transformers in Kustomize's order of work, each with its plugin.
const TRANSFORMERS: [(&str, &str, Form); 11] = [
    ("patches", "PatchTransformer", Form::Spread(&[])),
    ("namespace", "NamespaceTransformer", Form::Namespace),
    ("namePrefix", "PrefixTransformer", Form::Value("prefix")),
    ("nameSuffix", "SuffixTransformer", Form::Value("suffix")),
    ("labels", "LabelTransformer", Form::Spread(&[("pairs", "labels"), ("fields", "fieldSpecs")])),
    ("commonLabels", "LabelTransformer", Form::Value("labels")),
    ("commonAnnotations", "AnnotationsTransformer", Form::Value("annotations")),
    ("patchesJson6902", "PatchJson6902Transformer", Form::Spread(&[("patch", "jsonOp")])),
    ("replicas", "ReplicaCountTransformer", Form::Items("replica")),
    ("images", "ImageTagTransformer", Form::Items("imageTag")),
    ("replacements", "ReplacementTransformer", Form::Value("replacements")),
];

const GENERATORS: [(&str, &str); 2] =
    [("configMapGenerator", "ConfigMapGenerator"), ("secretGenerator", "SecretGenerator")];

/// Writes the Kustomization of a folder as a Composition, or the reverse, in place of the old file.
/// Builds prove that every target keeps its output.
///
/// # Errors
/// The part that the other form cannot express, with its line, or the target whose output
/// would change.
pub fn plan_convert(
    folder: &Path,
    to_composition: bool,
    prover: &Prover<'_, '_>,
) -> Result<PlannedEdit, String> {
    let shown = prover.shown(folder);
    let target = prover.repository.target(folder);
    let target = target.ok_or_else(|| format!("{shown}: no kustomization file"))?;
    match (target.kind, to_composition) {
        (TargetKind::Composition, true) => return Err(format!("{shown} is a Composition")),
        (TargetKind::Kustomization, false) => return Err(format!("{shown} is a Kustomization")),
        _ => {}
    }
    let name = prover.shown(&target.file);
    let text = prover.read(&target.file)?;
    let root = first_node(&name, &text)?;
    if root.text_of("kind") == Some("Component") {
        return Err(format!("{shown} is a Component, which has no other form"));
    }
    if root.has_aliases() {
        return Err(format!("{name} contains YAML aliases"));
    }
    let at_line = |(line, reason): (u32, String)| format!("{name}:{line}: {reason}");
    let (drafts, file) = if to_composition {
        let order = output_order(folder, &target.file, prover);
        (vec![composition(&root, &order).map_err(at_line)?], "composition.yaml")
    } else {
        let fields = kustomization(&root).map_err(at_line)?;
        let mut in_order = fields.clone();
        in_order.set("sortOptions", mapping_of([("order", Node::plain("fifo"))]));
        (vec![fields, in_order], "kustomization.yaml")
    };
    let file = folder.join(file);
    if prover.files.resolve(&file).is_ok() {
        return Err(format!("{} exists", prover.shown(&file)));
    }
    let mut reason = String::new();
    for draft in drafts {
        let draft = print_preserving_style(&draft);
        let lost = lost_comments(&String::from_utf8_lossy(&text), &draft);
        let draft = Some(draft.into_bytes().into());
        let texts = NewTexts::from([(file.clone(), draft), (target.file.clone(), None)]);
        match prover.prove_known((texts, &name), [folder]) {
            Ok((changes, proof)) => {
                let old = prover.shown_here(&target.file);
                let words = format!("{old} to {}", prover.shown_here(&file));
                let lost = lost.iter();
                let lines =
                    lost.map(|(line, text)| format!("{old}:{line}: comment not kept: {text}"));
                let (lines, log) = (lines.collect(), format!("convert {words}"));
                return Ok(PlannedEdit { changes, proof, lines, words, log, ..Default::default() });
            }
            // The first form has the fewest fields.
            Err(why) if reason.is_empty() => reason = why,
            Err(_) => {}
        }
    }
    Err(reason)
}

/// For each line of the file that lists resources or generates one, the position of its first
/// resource in the output.
fn output_order(folder: &Path, file: &Path, prover: &Prover<'_, '_>) -> BTreeMap<u32, usize> {
    let mut order = BTreeMap::new();
    let Some(built) = (prover.builder)()(folder, prover.files.clone()) else { return order };
    let recording = Recording::new(built, folder);
    for (position, (slot, _)) in recording.output.iter().enumerate() {
        let mut steps = recording.trace.steps.iter();
        let first = steps.find(|step| step.changes.iter().any(|change| change.slot == *slot));
        let Some(step) = first else { continue };
        let (mut mark, mut layer) = (step.mark, recording.trace.layer(step.layer));
        while let Some(inner) = layer.filter(|layer| Path::new(&*layer.file) != file) {
            mark = inner.mark;
            layer = inner.parent.and_then(|parent| recording.trace.layer(parent));
        }
        order.entry(mark.line).or_insert(position);
    }
    order
}

type ConversionObstacle = (u32, String);

/// The Composition of a Kustomization. Resources are printed in the order of the list, so the
/// entries that add some have the order of the output.
fn composition(root: &Node, order: &BTreeMap<u32, usize>) -> Result<Node, ConversionObstacle> {
    for entry in root.entries() {
        let field = entry.key.text().unwrap_or_default();
        let known = ["apiVersion", "kind", "metadata", "catalogs", "sortOptions"].contains(&field)
            || ["resources", "bases", "generators", "transformers"].contains(&field)
            || GENERATORS.iter().any(|(name, _)| *name == field)
            || TRANSFORMERS.iter().any(|(name, ..)| *name == field);
        if !known && !entry.value.is_null() {
            let words = format!("{field}: a Composition has no entry for it");
            return Err((entry.key.mark.line, words));
        }
    }
    let mut names = EntryNames::default();
    let mut list = adding_entries(root, order, &mut names);
    list.extend(items_with_comment(root, "generators"));
    for (field, kind, form) in TRANSFORMERS {
        if let Some(entry) = root.entry(field).filter(|entry| !entry.value.is_null()) {
            list.extend(transformer_entries(root, entry, (kind, form), &mut names));
        }
    }
    list.extend(items_with_comment(root, "transformers"));
    let mut out = Node::mapping();
    out.comments.clone_from(&root.comments);
    out.set("apiVersion", Node::plain(COMPOSITION_API_VERSION));
    out.set("kind", Node::plain("Composition"));
    if let Some(catalogs) = root.get("catalogs") {
        out.set("catalogs", catalogs.clone());
    }
    out.set("transformers", Node::sequence(list));
    keep_first_comment(root, &mut out);
    Ok(out)
}

fn adding_entries(root: &Node, order: &BTreeMap<u32, usize>, names: &mut EntryNames) -> Vec<Node> {
    let position = |node: &Node| order.get(&node.mark.line).copied().unwrap_or(usize::MAX);
    let paths =
        ["resources", "bases"].into_iter().flat_map(|field| items_with_comment(root, field));
    let mut added: Vec<(usize, Node)> = paths.map(|item| (position(&item), item)).collect();
    for (field, kind) in GENERATORS {
        for item in items_with_comment(root, field) {
            let entry = builtin_entry(kind, item.get("name").cloned());
            added.push((position(&item), spread(&item, entry, &[])));
        }
    }
    added.sort_by_key(|(position, _)| *position);
    let mut list: Vec<Node> = Vec::new();
    for (_, node) in added {
        if node.as_scalar().is_none() {
            list.push(node);
            continue;
        }
        let paths = list.last_mut().and_then(|last| last.get_mut("paths"));
        if let Some(paths) = paths.and_then(Node::items_mut) {
            paths.push(node);
        } else {
            let mut entry = names.entry("ResourceAccumulator");
            entry.set("paths", Node::sequence(vec![node]));
            list.push(entry);
        }
    }
    list
}

fn transformer_entries(
    root: &Node,
    entry: &MappingEntry,
    (kind, form): (&'static str, Form),
    names: &mut EntryNames,
) -> Vec<Node> {
    let field = entry.key.text().unwrap_or_default();
    match form {
        Form::Value(key) => {
            let mut made = names.entry(kind);
            made.comments.clone_from(&entry.key.comments);
            made.set(key, entry.value.clone());
            if field == "commonLabels" {
                made.set("includeSelectors", Node::plain("true"));
            }
            vec![made]
        }
        Form::Namespace => {
            let mut made = builtin_entry(kind, Some(Node::plain("namespace")));
            made.comments.clone_from(&entry.key.comments);
            if let Some(metadata) = made.get_mut("metadata") {
                metadata.set("namespace", entry.value.clone());
            }
            vec![made]
        }
        Form::Items(key) => {
            let made = items_with_comment(root, field).into_iter().map(|mut item| {
                let mut made = names.entry(kind);
                made.comments = item.comments.take();
                made.set(key, item);
                made
            });
            made.collect()
        }
        Form::Spread(renamed) => {
            let made = items_with_comment(root, field).into_iter().map(|item| {
                let mut made = spread(&item, names.entry(kind), renamed);
                if field == "labels" && made.get("includeSelectors").is_none() {
                    made.set("includeSelectors", Node::plain("false"));
                }
                made
            });
            made.collect()
        }
    }
}

/// Moves the comment above the first field, which is about the file, to the new first field.
fn keep_first_comment(root: &Node, out: &mut Node) {
    let comments = root.entries().first().and_then(|entry| entry.key.comments.clone());
    let first = out.as_mapping_mut().and_then(|mapping| mapping.entries.first_mut());
    if let (Some(first), Some(comments)) = (first, comments) {
        first.key.comments = Some(comments);
    }
}

/// The items of a list; the comment above the field is above the first item.
fn items_with_comment(root: &Node, field: &str) -> Vec<Node> {
    let Some(entry) = root.entry(field) else { return Vec::new() };
    let mut items = entry.value.items().unwrap_or_default().to_vec();
    let is_first = root.entries().first().is_some_and(|first| first.key.text() == Some(field));
    let head = entry.key.comments.as_ref().map(|comments| &*comments.head);
    if let (Some(first), Some(head)) = (items.first_mut(), head.filter(|_| !is_first)) {
        let mut comments = first.comments.as_deref().cloned().unwrap_or_default();
        let lines = [head, &*comments.head].into_iter().filter(|lines| !lines.is_empty());
        comments.head = lines.collect::<Vec<_>>().join("\n");
        first.comments = Some(Arc::new(comments));
    }
    items
}

#[derive(Default)]
struct EntryNames(BTreeMap<&'static str, usize>);

impl EntryNames {
    /// A further entry of this kind. The first one has the default name.
    fn entry(&mut self, kind: &'static str) -> Node {
        let number = self.0.entry(kind).or_default();
        *number += 1;
        let name = (*number > 1).then(|| format!("{}-{number}", kebab(kind)));
        builtin_entry(kind, name.map(Node::plain))
    }
}

fn builtin_entry(kind: &str, name: Option<Node>) -> Node {
    let id = [("apiVersion", Node::plain("builtin")), ("kind", Node::plain(kind))].into_iter();
    mapping_of(id.chain(name.map(|name| ("metadata", mapping_of([("name", name)])))))
}

fn spread(item: &Node, mut into: Node, renamed: &[(&str, &str)]) -> Node {
    into.comments.clone_from(&item.comments);
    for field in item.entries() {
        let key = field.key.text().unwrap_or_default();
        if key == "name" && into.at(&["metadata", "name"]).is_some() {
            continue;
        }
        let mut field = field.clone();
        if let Some((_, new)) = renamed.iter().find(|(old, _)| *old == key) {
            let comments = field.key.comments.take();
            field.key = Node { comments, ..Node::plain(*new) };
        }
        if let Some(mapping) = into.as_mapping_mut() {
            mapping.push(field);
        }
    }
    into
}

/// The Kustomization of a Composition whose entries run in the order in which Kustomize works.
fn kustomization(root: &Node) -> Result<Node, ConversionObstacle> {
    let mut fields: Vec<(String, Node, Option<Arc<Comments>>)> = Vec::new();
    for entry in root.entries() {
        let field = entry.key.text().unwrap_or_default();
        let is_known = ["apiVersion", "kind", "metadata", "catalogs", "transformers"];
        if !is_known.contains(&field) && !entry.value.is_null() {
            let words = format!(
                "{field}: a Kustomization has no such field; `kzui consolidate` prints one list without it"
            );
            return Err((entry.key.mark.line, words));
        }
    }
    let mut last = (0, String::new());
    let items = root.items_of("transformers");
    for (number, item) in (1..).zip(items) {
        let kind = item.text_of("kind").unwrap_or("a path").to_owned();
        let line = item.mark.line;
        let at = |reason: String| (line, format!("entry {number}, {kind}: {reason}"));
        let (rank, field, value) = field_of_entry(item).map_err(at)?;
        if rank < last.0 {
            let words = format!(
                "it runs after {}, and in a Kustomization `{field}` comes before that",
                last.1
            );
            return Err(at(words));
        }
        last = (rank, kind.clone());
        let known = fields.iter_mut().find(|(name, ..)| *name == field);
        match (known.map(|(_, known, _)| known.items_mut()), value) {
            (Some(Some(list)), FieldValue::Items(more)) => list.extend(more),
            (Some(_), _) => return Err(at(format!("`{field}` is set twice"))),
            (None, FieldValue::Items(items)) => fields.push((field, Node::sequence(items), None)),
            (None, FieldValue::One(value)) => fields.push((field, value, item.comments.clone())),
        }
    }
    let mut out = Node::mapping();
    out.comments.clone_from(&root.comments);
    out.set("apiVersion", Node::plain("kustomize.config.k8s.io/v1beta1"));
    out.set("kind", Node::plain("Kustomization"));
    let catalogs = root.get("catalogs").map(|list| ("catalogs".to_owned(), list.clone(), None));
    for (field, value, comments) in catalogs.into_iter().chain(fields) {
        let key = Node { comments, ..Node::plain(field) };
        if let Some(mapping) = out.as_mapping_mut() {
            mapping.push(MappingEntry { key, value });
        }
    }
    keep_first_comment(root, &mut out);
    Ok(out)
}

enum FieldValue {
    One(Node),
    Items(Vec<Node>),
}

/// The rank of `transformers`, whose entries run after all built-in fields.
const TRANSFORMERS_RANK: usize = TRANSFORMERS.len() + 1;

/// The rank of the field (0 for those that add resources), the field and the value for an entry of a
/// Composition.
fn field_of_entry(item: &Node) -> Result<(usize, String, FieldValue), String> {
    if item.text().is_some() {
        let items = vec![item.clone()];
        return Ok((TRANSFORMERS_RANK, "transformers".to_owned(), FieldValue::Items(items)));
    }
    let kind = item.text_of("kind").unwrap_or_default();
    let version = item.text_of("apiVersion").unwrap_or("builtin");
    if version != "builtin" {
        if kind == "Kustomization" {
            return Err("a Kustomization cannot contain it as an entry".to_owned());
        }
        let text = print_preserving_style(&with_annotation(item));
        let entry = Node {
            comments: item.comments.clone(),
            ..Node::scalar(text, Tag::Str, Style::Literal)
        };
        let items = FieldValue::Items(vec![entry]);
        return Ok((TRANSFORMERS_RANK, "transformers".to_owned(), items));
    }
    if kind == "ResourceAccumulator" {
        let mut paths = item.items_of("paths").to_vec();
        if let (Some(first), Some(comments)) = (paths.first_mut(), &item.comments)
            && first.comments.is_none()
        {
            first.comments = Some(comments.clone());
        }
        return Ok((0, "resources".to_owned(), FieldValue::Items(paths)));
    }
    if let Some((field, _)) = GENERATORS.iter().find(|(_, own)| *own == kind) {
        let name = item.at(&["metadata", "name"]).cloned();
        let name = name.filter(|_| item.get("name").is_none());
        let made = mapping_of(name.map(|name| ("name", name)));
        let value = FieldValue::Items(vec![own_keys(item, made, &[])]);
        return Ok((0, (*field).to_owned(), value));
    }
    transformer_field(item, kind)
}

fn transformer_field(item: &Node, kind: &str) -> Result<(usize, String, FieldValue), String> {
    let is_common = kind == "LabelTransformer" && item.text_of("includeSelectors") != Some("false");
    let found = TRANSFORMERS.iter().enumerate().find(|(_, (field, own, _))| {
        *own == kind && (kind != "LabelTransformer" || (*field == "commonLabels") == is_common)
    });
    let Some((rank, (field, _, form))) = found else {
        return Err("a Kustomization has no field for it".to_owned());
    };
    let keys = own_keys(item, Node::mapping(), &[]);
    // The value at a key; other keys are refused.
    let only = |key: &str, also: &str| {
        let mut names = keys.entries().iter().filter_map(|entry| entry.key.text());
        match names.find(|name| *name != key && *name != also) {
            None => Ok(keys.get(key).cloned()),
            Some(name) => Err(format!("`{field}` of a Kustomization has no `{name}`")),
        }
    };
    let required = |key: &str, also| only(key, also)?.ok_or_else(|| format!("`{key}` is not set"));
    let value = match form {
        Form::Value(key) if *field == "replacements" => {
            FieldValue::Items(required(key, "")?.items().unwrap_or_default().to_vec())
        }
        Form::Value(key) => FieldValue::One(required(key, "includeSelectors")?),
        Form::Namespace => {
            only("", "")?;
            let namespace = item.at(&["metadata", "namespace"]).cloned();
            FieldValue::One(namespace.ok_or("`metadata.namespace` is not set")?)
        }
        Form::Items(key) => {
            let mut value = required(key, "")?;
            value.comments.clone_from(&item.comments);
            FieldValue::Items(vec![value])
        }
        Form::Spread(renamed) => {
            let back: Vec<(&str, &str)> = renamed.iter().map(|(old, new)| (*new, *old)).collect();
            FieldValue::Items(vec![own_keys(item, Node::mapping(), &back)])
        }
    };
    Ok((rank + 1, (*field).to_owned(), value))
}

fn own_keys(item: &Node, into: Node, renamed: &[(&str, &str)]) -> Node {
    let mut rest = item.clone();
    for key in ["apiVersion", "kind", "metadata"] {
        rest.remove(key);
    }
    spread(&rest, into, renamed)
}

/// The configuration of a function with its `runtime` in the annotation that Kustomize reads.
fn with_annotation(item: &Node) -> Node {
    let mut config = Node { comments: None, ..item.clone() };
    let Some(runtime) = config.remove("runtime") else { return config };
    let mut metadata = config.get("metadata").cloned().unwrap_or_else(Node::mapping);
    let mut annotations = metadata.get("annotations").cloned().unwrap_or_else(Node::mapping);
    let text = Node::scalar(print_preserving_style(&runtime), Tag::Str, Style::Literal);
    annotations.set("config.kubernetes.io/function", text);
    metadata.set("annotations", annotations);
    config.set("metadata", metadata);
    config
}

fn lost_comments(old: &str, new: &str) -> Vec<(u32, String)> {
    let mut kept: Vec<&str> = new.lines().filter_map(comment).collect();
    let mut lost = Vec::new();
    for (number, line) in (1..).zip(old.lines()) {
        let Some(text) = comment(line) else { continue };
        match kept.iter().position(|known| *known == text) {
            Some(at) => drop(kept.swap_remove(at)),
            None => lost.push((number, line.trim().to_owned())),
        }
    }
    lost
}
