//! Completion in a kustomization file: fields, paths of its lists, and kinds and names of the
//! resources that its entries change. In resources and patches: the fields of their type.

use std::collections::BTreeSet;
use std::path::Path;

use lsp_types::{CompletionItem, CompletionItemKind, CompletionResponse, Position};

use crate::answers::provenance::line_effects::EntryResource;
use crate::engine::load::relative_path;
use crate::engine::manifest::{KustomizationField, Outline, fields_at};
use crate::engine::profile::Profile;
use crate::engine::yaml::{Limits, Node, SourceId, parse_documents};
use crate::repository::TargetKind;

use super::super::positions::byte_at;
use super::cursor::{PathPart, YamlCursor};
use super::document_view::DocumentView;
use super::type_fields::{KnownTypes, item, pointer_items, resource_items};

const MAX_ITEMS: usize = 200;

pub(super) fn completion(
    view: &DocumentView<'_>,
    position: Position,
) -> Option<CompletionResponse> {
    let byte = byte_at(view.text, position);
    let types = KnownTypes { custom: &view.checked.check.types, files: view.checked.files() };
    let cursor = YamlCursor::find(view.text, byte)?;
    let mut items = if !view.is_kustomization() {
        patch_items(&cursor, || entry_of_file(view), &types)
    } else if cursor.header.is_some() {
        let entry = || {
            let outline = Outline::parse(view.text.as_bytes());
            let mut entries = outline.fields.iter().flat_map(|field| &field.entries);
            parsed(&entries.find(|entry| entry.bytes.contains(&byte.saturating_sub(1)))?.text)
        };
        patch_items(&cursor, entry, &types)
    } else {
        kustomization_items(view, &cursor)
    };
    items.truncate(MAX_ITEMS);
    Some(CompletionResponse::Array(items))
}

fn kustomization_items(view: &DocumentView<'_>, cursor: &YamlCursor<'_>) -> Vec<CompletionItem> {
    let path = cursor.path.iter().map(|part| match part {
        PathPart::Key(key) => key,
        PathPart::Item => "-",
    });
    let path: Vec<&str> = path.collect();
    let missing = |names: Vec<&str>| {
        let missing = names.into_iter().filter(|name| !cursor.has_sibling(name));
        missing.map(|name| item(name, CompletionItemKind::FIELD)).collect()
    };
    match (cursor.key, &*path) {
        (None, []) => {
            let fields = KustomizationField::in_application_order();
            let current = fields.filter(|field| field.instead().is_none());
            missing(current.map(KustomizationField::name).collect())
        }
        (None, path) => {
            let files = match path {
                [field, "-"] => paths(view, field, false),
                _ => Vec::new(),
            };
            if files.is_empty() { missing(fields_at(path, Profile::default())) } else { files }
        }
        (Some("kind"), []) => {
            let kinds = ["Component", "Kustomization"];
            kinds.map(|kind| item(kind, CompletionItemKind::VALUE)).to_vec()
        }
        (Some("path" | "source"), [field, ..]) => paths(view, field, true),
        (Some("kind"), [field, ..]) if selects_resources(field) => {
            complete_from_changed_resources(view, None, |resource| &resource.kind)
        }
        (Some("name"), [field, ..]) if selects_resources(field) => {
            let kind = cursor.sibling("kind");
            complete_from_changed_resources(view, kind, |resource| &resource.first_name)
        }
        _ => Vec::new(),
    }
}

/// The completions in a patch or resource: the path of an operation in the type that the `entry` of
/// the patch selects, or the fields.
fn patch_items(
    cursor: &YamlCursor<'_>,
    entry: impl FnOnce() -> Option<Node>,
    types: &KnownTypes<'_>,
) -> Vec<CompletionItem> {
    let is_pointer = matches!(cursor.key, Some("path" | "from")) && cursor.path == [PathPart::Item];
    let Some(entry) = is_pointer.then(entry).flatten() else {
        return resource_items(cursor, types);
    };
    let text = |key: &str| entry.at(&["target", key]).and_then(Node::text).unwrap_or_default();
    let version = types.api_version(text("kind"), text("group"), text("version"));
    let items = version.map(|version| pointer_items(cursor.typed, (&version, text("kind")), types));
    items.unwrap_or_default()
}

fn entry_of_file(view: &DocumentView<'_>) -> Option<Node> {
    let mut users = view.checked.repository().users(view.path);
    users.find_map(|(_, entry)| {
        let text = view.checked.files().read(&entry.file).ok()?;
        let outline = Outline::parse(&text);
        let mut entries = outline.fields.iter().flat_map(|field| &field.entries);
        parsed(&entries.rfind(|own| own.line <= entry.line)?.text)
    })
}

fn parsed(text: &str) -> Option<Node> {
    let read = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).ok()?;
    Some(read.documents.first()?.node.clone())
}

fn selects_resources(field: &str) -> bool {
    ["patches", "patchesJson6902", "replacements", "replicas", "vars"].contains(&field)
}

/// The paths that an item of a list, or the value of a key in the item, can have and that the list
/// does not have yet.
fn paths(view: &DocumentView<'_>, field: &str, is_key: bool) -> Vec<CompletionItem> {
    let (Some(folder), repository) = (view.path.parent(), view.checked.repository()) else {
        return Vec::new();
    };
    let outline = Outline::parse(view.text.as_bytes());
    let entries = outline.field(field).into_iter().flat_map(|field| &field.entries);
    let listed = entries.filter(|entry| !entry.disabled);
    let listed: BTreeSet<&str> = listed.map(|entry| entry.text.trim()).collect();
    let is_component = |kind: TargetKind| kind == TargetKind::Component;
    let folders = |wants_components: bool| {
        let others = repository.targets().filter(move |target| {
            is_component(target.kind) == wants_components
                && target.folder != folder
                && !folder.starts_with(&target.folder)
        });
        others.map(|target| relative_path(folder, &target.folder))
    };
    let files = || {
        let below = repository.files.iter().filter(|file| {
            file.starts_with(folder)
                && **file != view.path
                && file.extension().is_some_and(|it| it == "yaml" || it == "yml" || it == "json")
                && !is_in_other_target(view, folder, file)
        });
        below.map(|file| relative_path(folder, file))
    };
    let found: Vec<String> = match (field, is_key) {
        ("components", false) => folders(true).collect(),
        ("resources" | "bases", false) => files().chain(folders(false)).collect(),
        ("patches" | "patchesJson6902" | "replacements", true)
        | (
            "patchesStrategicMerge"
            | "configurations"
            | "crds"
            | "generators"
            | "transformers"
            | "validators",
            false,
        ) => files().collect(),
        _ => Vec::new(),
    };
    let new = found.iter().filter(|path| !listed.contains(path.as_str())).take(MAX_ITEMS);
    new.map(|path| item(path, CompletionItemKind::FILE)).collect()
}

fn is_in_other_target(view: &DocumentView<'_>, folder: &Path, file: &Path) -> bool {
    let above = file.ancestors().skip(1).take_while(|above| *above != folder);
    let repository = view.checked.repository();
    above.into_iter().any(|above| repository.target(above).is_some())
}

/// The completions for a word, such as the kind or the name, of each resource that the entries of
/// the file change; of a kind if one is given. A kind may be a pattern or be typed, so that a kind
/// that no resource has does not count.
fn complete_from_changed_resources(
    view: &DocumentView<'_>,
    kind: Option<&str>,
    word: impl Fn(&EntryResource) -> &str,
) -> Vec<CompletionItem> {
    let lines = view.checked.file_effects(view.path).map(|effects| effects.lines.values());
    let entries = lines.into_iter().flatten().flat_map(|line| line.entries.keys());
    let all = entries.flat_map(|entry| &entry.resources);
    let kind = kind.filter(|kind| all.clone().any(|resource| resource.kind == *kind));
    let fitting = all.filter(|resource| kind.is_none_or(|kind| resource.kind == kind));
    let words: BTreeSet<&str> = fitting.map(word).collect();
    words.into_iter().take(MAX_ITEMS).map(|word| item(word, CompletionItemKind::VALUE)).collect()
}
