//! Completion in a kustomization file: fields, paths of its lists, and kinds and names of the
//! resources that its entries change.

use std::collections::BTreeSet;
use std::path::Path;

use lsp_types::{CompletionItem, CompletionItemKind, CompletionResponse, Position};

use crate::engine::load::relative_path;
use crate::engine::manifest::{KustomizationField, Outline};
use crate::repository::TargetKind;

use super::super::positions::line_range;
use super::document_view::DocumentView;

/// Limit of the items of an answer.
const MAX_ITEMS: usize = 200;

/// The completions at a position.
pub(super) fn completion(
    view: &DocumentView<'_>,
    position: Position,
) -> Option<CompletionResponse> {
    if !view.is_kustomization() {
        return None;
    }
    let byte = view.encoding.byte(view.text, position);
    let start = line_range(view.text, position.line).start;
    let before = view.text.get(start..byte)?;
    let items = match before.trim_start().trim_start_matches("- ").split_once(':') {
        None if !before.starts_with([' ', '-', '\t']) => fields(view),
        None | Some(("path" | "source", _)) => paths(view, byte),
        Some(("kind", _)) => resource_words(view, 0),
        Some(("name", _)) => resource_words(view, 1),
        Some(_) => Vec::new(),
    };
    Some(CompletionResponse::Array(items))
}

/// The fields that the file does not have yet.
fn fields(view: &DocumentView<'_>) -> Vec<CompletionItem> {
    let outline = Outline::parse(view.text.as_bytes());
    let current =
        KustomizationField::in_application_order().filter(|field| field.instead().is_none());
    let missing =
        current.map(KustomizationField::name).filter(|name| outline.field(name).is_none());
    missing.map(|name| item(name, CompletionItemKind::FIELD)).collect()
}

/// The paths that an entry of the list around a byte may name.
fn paths(view: &DocumentView<'_>, byte: usize) -> Vec<CompletionItem> {
    let outline = Outline::parse(view.text.as_bytes());
    // The line that is typed may not be an entry yet: the field above it counts.
    let above = outline.fields.iter().filter(|field| field.bytes.start < byte);
    let Some(field) = above.max_by_key(|field| field.bytes.start) else { return Vec::new() };
    let (Some(folder), repository) = (view.path.parent(), view.checked.repository()) else {
        return Vec::new();
    };
    let listed: BTreeSet<&str> = field.entries.iter().map(|entry| entry.text.trim()).collect();
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
    let found: Vec<String> = match &*field.name {
        "components" => folders(true).collect(),
        "resources" | "bases" => files().chain(folders(false)).collect(),
        "patches"
        | "patchesStrategicMerge"
        | "patchesJson6902"
        | "replacements"
        | "configurations"
        | "crds"
        | "generators"
        | "transformers"
        | "validators" => files().collect(),
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

/// The kinds, or the names, of the resources that the entries of the file change.
fn resource_words(view: &DocumentView<'_>, part: usize) -> Vec<CompletionItem> {
    let lines = view.checked.effects(view.path).map(|effects| effects.lines.values());
    let entries = lines.into_iter().flatten().flat_map(|line| line.entries.keys());
    let names = entries.flat_map(|entry| &entry.resources);
    // `Deployment/web`, or with a namespace before it.
    let word = |name: &str| {
        let mut parts: Vec<&str> = name.rsplitn(3, '/').take(2).collect();
        parts.reverse();
        let word = parts.get(part)?;
        Some(word.split('.').next().filter(|_| part == 0).unwrap_or(word).to_owned())
    };
    let words: BTreeSet<String> = names.filter_map(|(name, _)| word(name)).collect();
    words.iter().take(MAX_ITEMS).map(|word| item(word, CompletionItemKind::VALUE)).collect()
}

fn item(label: &str, kind: CompletionItemKind) -> CompletionItem {
    CompletionItem { label: label.to_owned(), kind: Some(kind), ..CompletionItem::default() }
}
