//! Completion in a kustomization file: fields, paths of its lists, and kinds and names of the
//! resources that its entries change. In resources and patches: the fields of their type.

use std::collections::BTreeSet;
use std::path::Path;

use lsp_types::{CompletionItem, CompletionItemKind, CompletionResponse, Position};

use crate::answers::provenance::line_effects::EntryResource;
use crate::engine::load::relative_path;
use crate::engine::manifest::{KustomizationField, Outline, OutlineField, fields_at};
use crate::engine::profile::Profile;
use crate::engine::yaml::{Limits, Node, SourceId, parse_documents};
use crate::repository::TargetKind;

use super::super::positions::line_range;
use super::cursor::{PathPart, YamlCursor};
use super::document_view::DocumentView;
use super::type_fields::{KnownTypes, item, pointer_items, resource_items};

const MAX_ITEMS: usize = 200;

pub(super) fn completion(
    view: &DocumentView<'_>,
    position: Position,
) -> Option<CompletionResponse> {
    let byte = view.encoding.byte(view.text, position);
    let types = KnownTypes { custom: &view.checked.check.types, files: view.checked.files() };
    let cursor = YamlCursor::find(view.text, byte);
    if !view.is_kustomization() {
        let cursor = cursor?;
        let pointer = pointer_of(&cursor).and_then(|typed| {
            let (entry, _) = entries_of_file(view).next()?;
            Some((typed, entry))
        });
        let items = match pointer {
            Some((typed, entry)) => patch_path_items(typed, &entry, &types),
            None => resource_items(&cursor, &types),
        };
        return Some(limited(items));
    }
    let start = line_range(view.text, position.line).start;
    let before = view.text.get(start..byte)?;
    let outline = Outline::parse(without_typed_word(view, position).as_bytes());
    // The line that is typed may not be an entry yet: the field above it counts.
    let above = outline.fields.iter().filter(|field| field.bytes.start < byte);
    let field = above.max_by_key(|field| field.bytes.start);
    let is_nested = before.starts_with([' ', '-', '\t']);
    let is_item = before.trim_start().starts_with('-');
    let is_inside = cursor.as_ref().is_some_and(|cursor| cursor.header.is_some());
    let mut items = match (before.trim_start().trim_start_matches("- ").split_once(':'), field) {
        _ if is_inside => Vec::new(),
        (None, _) if !is_nested => fields(&outline),
        (None, Some(field)) if is_item => paths(view, field, PathSyntax::Item),
        (Some(("path" | "source", _)), Some(field)) => paths(view, field, PathSyntax::Key),
        (Some(("kind", _)), _) if !is_nested => {
            let kinds = ["Component", "Kustomization"];
            kinds.map(|kind| item(kind, CompletionItemKind::VALUE)).to_vec()
        }
        (Some(("kind", _)), Some(field)) if selects_resources(field) => {
            complete_from_changed_resources(view, None, |resource| &resource.kind)
        }
        (Some(("name", _)), Some(field)) if selects_resources(field) => {
            let kind = cursor.as_ref().and_then(|cursor| cursor.sibling("kind"));
            complete_from_changed_resources(view, kind, |resource| &resource.first_name)
        }
        _ => Vec::new(),
    };
    if let Some(cursor) = cursor.filter(|_| items.is_empty() && is_nested) {
        items = nested_items(&cursor, &outline, byte, &types);
    }
    Some(limited(items))
}

/// The text of the document with spaces in place of a key that is typed at a position: until it has
/// a colon, the document is no YAML, and its fields are not known.
fn without_typed_word(view: &DocumentView<'_>, position: Position) -> String {
    let bytes = line_range(view.text, position.line);
    let line = view.text.get(bytes.clone()).unwrap_or_default();
    let line = line.strip_suffix('\n').unwrap_or(line);
    let mut text = view.text.to_owned();
    if !line.contains(':') && !line.trim_start().starts_with(['-', '#']) {
        text.replace_range(bytes.start..bytes.start + line.len(), &" ".repeat(line.len()));
    }
    text
}

fn limited(mut items: Vec<CompletionItem>) -> CompletionResponse {
    items.truncate(MAX_ITEMS);
    CompletionResponse::Array(items)
}

/// The completions inside of an entry: the fields of an inline patch, the path of an operation, or
/// the fields of the entry.
fn nested_items(
    cursor: &YamlCursor<'_>,
    outline: &Outline,
    byte: usize,
    types: &KnownTypes<'_>,
) -> Vec<CompletionItem> {
    if cursor.header.is_some() {
        let mut entries = outline.fields.iter().flat_map(|field| &field.entries);
        let entry = entries.find(|entry| entry.bytes.contains(&byte.saturating_sub(1)));
        return match (pointer_of(cursor), entry.and_then(|entry| parsed(&entry.text))) {
            (Some(typed), Some(entry)) => patch_path_items(typed, &entry, types),
            _ => resource_items(cursor, types),
        };
    }
    if cursor.key.is_some() {
        return Vec::new();
    }
    let part = |part: &PathPart<'_>| match part {
        PathPart::Key(key) => (*key).to_owned(),
        PathPart::Item => "-".to_owned(),
    };
    let path: Vec<String> = cursor.path.iter().map(part).collect();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let fields = fields_at(&path, Profile::default()).into_iter();
    let missing = fields.filter(|name| !cursor.has_sibling(name));
    missing.map(|name| item(name, CompletionItemKind::FIELD)).collect()
}

/// The text that is typed as the path of an operation of a JSON patch.
fn pointer_of<'t>(cursor: &YamlCursor<'t>) -> Option<&'t str> {
    let is_operation = ["path", "from"].contains(&cursor.key?) && cursor.path == [PathPart::Item];
    is_operation.then_some(cursor.typed)
}

/// The parts of the paths in the type that the target of a patch entry selects.
fn patch_path_items(typed: &str, entry: &Node, types: &KnownTypes<'_>) -> Vec<CompletionItem> {
    let text = |key: &str| entry.at(&["target", key]).and_then(Node::text).unwrap_or_default();
    let version = types.api_version(text("kind"), text("group"), text("version"));
    let items = version.map(|version| pointer_items(typed, (&version, text("kind")), types));
    items.unwrap_or_default()
}

/// The entries of kustomization files that name the document, with their files.
fn entries_of_file<'v>(view: &'v DocumentView<'_>) -> impl Iterator<Item = (Node, &'v Path)> {
    let users = view.checked.repository().users(view.path);
    users.filter_map(|(_, entry)| {
        let text = view.checked.files().read(&entry.file).ok()?;
        let outline = Outline::parse(&text);
        let mut entries = outline.fields.iter().flat_map(|field| &field.entries);
        let found = entries.rfind(|own| own.line <= entry.line)?;
        Some((parsed(&found.text)?, &*entry.file))
    })
}

fn parsed(text: &str) -> Option<Node> {
    let read = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).ok()?;
    Some(read.documents.first()?.node.clone())
}

/// True for a field whose entries select resources by kind and name.
fn selects_resources(field: &OutlineField) -> bool {
    ["patches", "patchesJson6902", "replacements", "replicas", "vars"].contains(&&*field.name)
}

/// How a path is written in an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PathSyntax {
    /// As an item of a list: `- web.yaml`.
    Item,
    /// As the value of a key: `- path: web.yaml`.
    Key,
}

/// The fields that the file does not have yet.
fn fields(outline: &Outline) -> Vec<CompletionItem> {
    let current =
        KustomizationField::in_application_order().filter(|field| field.instead().is_none());
    let missing =
        current.map(KustomizationField::name).filter(|name| outline.field(name).is_none());
    missing.map(|name| item(name, CompletionItemKind::FIELD)).collect()
}

fn paths(view: &DocumentView<'_>, field: &OutlineField, syntax: PathSyntax) -> Vec<CompletionItem> {
    let (Some(folder), repository) = (view.path.parent(), view.checked.repository()) else {
        return Vec::new();
    };
    let listed = field.entries.iter().filter(|entry| !entry.disabled);
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
    let found: Vec<String> = match (&*field.name, syntax) {
        ("components", PathSyntax::Item) => folders(true).collect(),
        ("resources" | "bases", PathSyntax::Item) => files().chain(folders(false)).collect(),
        ("patches" | "patchesJson6902" | "replacements", PathSyntax::Key)
        | (
            "patchesStrategicMerge"
            | "configurations"
            | "crds"
            | "generators"
            | "transformers"
            | "validators",
            PathSyntax::Item,
        ) => files().collect(),
        _ => Vec::new(),
    };
    let new = found.iter().filter(|path| !listed.contains(path.as_str())).take(MAX_ITEMS);
    new.map(|path| item(path, CompletionItemKind::FILE)).collect()
}

/// True for a file below the kustomization of another folder.
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
