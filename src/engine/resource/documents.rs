//! Reads the resources in documents: lists are expanded, and a kind and a name are required
//! (sections 3.1 and 3.2).

use std::collections::VecDeque;
use std::fmt;

use crate::profile::Switch;
use crate::yaml::{Mark, Node, ParsedFile, Tag};

use super::annotations::{join_annotations, list_in_metadata};
use super::{Resource, Scopes, read_internal_annotations};

/// The resources of a file, in order. Items of `…List` kinds come after everything else, as in
/// Kustomize's queue.
///
/// # Errors
///
/// `missing Resource metadata`, `missing kind in object …`, `missing metadata.name in object …`,
/// lists with invalid items.
pub fn read_resources(file: &ParsedFile, scopes: &Scopes) -> Result<Vec<Resource>, NotAResource> {
    let mut queue: VecDeque<Node> = match single_list_items(file)? {
        Some(items) => items.iter().cloned().collect(),
        None => file.documents.iter().map(|document| document.node.clone()).collect(),
    };
    // Kustomize looks at all of them before it takes lists apart.
    queue.retain(|node| !node.is_null() && !node.is_empty_collection());
    queue.iter().try_for_each(check_identity)?;
    let mut resources = Vec::with_capacity(queue.len());
    while let Some(node) = queue.pop_front() {
        let kind = node.text_of("kind").unwrap_or_default();
        match kind.ends_with("List").then(|| node.get("items")).flatten() {
            // With this switch, such a kind without `items` counts as an empty list.
            None if kind.ends_with("List") && scopes.profile().has(Switch::ListsNeedItems) => {}
            None => resources.push(adopt_resource(node, scopes)),
            Some(items) if items.is_null() => {}
            Some(items) => expand(kind, items, &mut queue)?,
        }
    }
    Ok(resources)
}

/// The items of a file that contains only one `List`; they replace it.
fn single_list_items(file: &ParsedFile) -> Result<Option<&[Node]>, NotAResource> {
    let [document] = file.documents.as_slice() else { return Ok(None) };
    let node = &document.node;
    let is_list = matches!(node.text_of("kind"), Some("List" | "ResourceList"));
    if file.pieces != 1 || !is_list {
        return Ok(None);
    }
    match node.get("items") {
        // Kustomize treats the keys and values of a mapping as items, and a key is not a resource.
        Some(items) if !items.entries().is_empty() => {
            Err(NotAResource { oddity: NotAResourceCause::NoResource, mark: items.mark })
        }
        // As in Kustomize, `items` that are neither a list nor a mapping count as empty.
        Some(items) => Ok(Some(items.items().unwrap_or_default())),
        None => Ok(node.get("functionConfig").map(|_| &[] as &[Node])),
    }
}

fn expand(kind: &str, items: &Node, queue: &mut VecDeque<Node>) -> Result<(), NotAResource> {
    let Some(list) = items.items() else {
        let found = match items.as_scalar().map(|scalar| &scalar.tag) {
            None => "map[string]interface {}",
            Some(Tag::Bool) => "bool",
            Some(Tag::Int) => "int",
            Some(Tag::Float) => "float64",
            Some(_) => "string",
        };
        let oddity = NotAResourceCause::ItemsNoList { kind: kind.to_owned(), found };
        return Err(NotAResource { oddity, mark: items.mark });
    };
    for item in list {
        if !item.is_null() && !item.is_empty_collection() {
            check_identity(item)?;
            queue.push_back(item.clone());
        }
    }
    Ok(())
}

/// The position of a text within another file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOffset {
    /// The lines above the text.
    pub lines: u32,
    /// The columns to the left of the text.
    pub columns: u32,
}

impl TextOffset {
    /// The offset of a text that begins in `first_line` of a file. The columns are found by the
    /// first line of the text: a block scalar has lost its indentation. 0 columns for a text with
    /// escapes.
    pub fn in_file(text: &[u8], file: &[u8], first_line: u32) -> Self {
        let lines = first_line.saturating_sub(1);
        let blanks = |line: &[u8]| line.iter().take_while(|byte| **byte == b' ').count();
        let is_filled = |line: &&[u8]| line.iter().any(|byte| !b" \r".contains(byte));
        let above = usize::try_from(lines).unwrap_or(usize::MAX);
        let here = file.split(|byte| *byte == b'\n').skip(above).find(is_filled);
        let first = text.split(|byte| *byte == b'\n').find(is_filled);
        let columns = here.zip(first).and_then(|(here, first)| {
            let blanks = blanks(first);
            let written = first.get(blanks..)?.trim_ascii_end();
            let written = Some(written).filter(|written| !written.is_empty())?;
            let at = here.windows(written.len()).position(|part| part == written)?;
            at.checked_sub(blanks)
        });
        Self { lines, columns: columns.and_then(|it| u32::try_from(it).ok()).unwrap_or(0) }
    }
}

/// Moves every mark by an offset: the text is part of another file.
pub fn shift_marks(node: &mut Node, by: TextOffset) {
    if by == TextOffset::default() {
        return;
    }
    node.for_each_mut(&mut |node| {
        if node.mark.line > 0 {
            node.mark.line = node.mark.line.saturating_add(by.lines);
            node.mark.column = node.mark.column.saturating_add(by.columns);
        }
    });
}

/// Copies the marks of the original to a copy without marks.
pub fn copy_marks(from: &Node, to: &mut Node) {
    to.mark = from.mark;
    if let (Some(old), true) = (from.items(), to.items().is_some()) {
        let old = old.to_vec();
        for (new, old) in to.items_mut().into_iter().flatten().zip(&old) {
            copy_marks(old, new);
        }
    } else if let Some(mapping) = to.as_mapping_mut() {
        for entry in &mut mapping.entries {
            let old = from.entries().iter().find(|old| old.key.text() == entry.key.text());
            if let Some(old) = old {
                entry.key.mark = old.key.mark;
                copy_marks(&old.value, &mut entry.value);
            }
        }
    }
}

/// Refuses a node that is no resource.
///
/// # Errors
///
/// `missing Resource metadata`, `missing kind in object …`, `missing metadata.name in object …`
fn check_identity(node: &Node) -> Result<(), NotAResource> {
    let fail = |oddity| Err(NotAResource { oddity, mark: node.mark });
    if !is_identified(node) {
        return fail(NotAResourceCause::NoResource);
    }
    let (kind, name) = (present_text(node, &["kind"]), present_text(node, &["metadata", "name"]));
    if kind.is_empty() {
        return fail(NotAResourceCause::NoKind(go_object_text(node)));
    }
    if !kind.ends_with("List") && name.is_empty() {
        let is_layer = matches!(kind, "Kustomization" | "Component") || is_composition_file(node);
        return fail(if is_layer {
            NotAResourceCause::KustomizationFile(go_object_text(node))
        } else {
            NotAResourceCause::NoName(go_object_text(node))
        });
    }
    if let Some(list) = list_in_metadata(node) {
        return Err(NotAResource { oddity: NotAResourceCause::ListInMetadata, mark: list.mark });
    }
    Ok(())
}

/// True for a Composition without `apiVersion` (D-A3). Kustomize does not know the kind, so that such
/// a file in `resources` is a resource; a Composition of another group has a version.
pub fn is_composition_file(node: &Node) -> bool {
    let text = |key: &str| node.text_of(key).unwrap_or_default();
    let lists = ["transformers", "transformersFrom", "transformerOverrides"];
    text("apiVersion").is_empty()
        && text("kind") == "Composition"
        && lists.iter().any(|list| node.get(list).is_some_and(|value| value.items().is_some()))
}

/// True if one of the fields that Kustomize reads first is set. Nulls and empty collections do not
/// count.
fn is_identified(node: &Node) -> bool {
    let tells = |path: &[&str]| {
        node.at(path).is_some_and(|value| !value.is_null() && !value.is_empty_collection())
    };
    [&["apiVersion"] as &[&str], &["kind"]].into_iter().any(tells)
        || ["name", "namespace", "labels", "annotations"]
            .iter()
            .any(|key| tells(&["metadata", key]))
}

/// The text at a path; empty for a null.
fn present_text<'n>(node: &'n Node, path: &[&str]) -> &'n str {
    node.at(path).filter(|node| !node.is_null()).and_then(Node::text).unwrap_or_default()
}

/// The type, name, labels and annotations of an object, as Go prints them.
pub fn go_object_text(node: &Node) -> String {
    let [api_version, kind] = ["apiVersion", "kind"].map(|key| present_text(node, &[key]));
    let [name, namespace] = ["name", "namespace"].map(|key| present_text(node, &["metadata", key]));
    let [labels, annotations] =
        ["labels", "annotations"].map(|key| go_map_text(node.at(&["metadata", key])));
    format!("{{{{{api_version} {kind}}} {{{{{name} {namespace}}} {labels} {annotations}}}}}")
}

/// Go's `%v` of a string map: `map[a:b c:d]`, keys sorted.
fn go_map_text(node: Option<&Node>) -> String {
    let text = |node: &Node| node.text().unwrap_or_default().to_owned();
    let entries = node.map(Node::entries).unwrap_or_default().iter();
    let mut pairs: Vec<String> =
        entries.map(|entry| text(&entry.key) + ":" + &text(&entry.value)).collect();
    pairs.sort();
    format!("map[{}]", pairs.join(" "))
}

/// A resource of this tree; Kustomize's bookkeeping annotations, if the file has any, are used.
fn adopt_resource(node: Node, scopes: &Scopes) -> Resource {
    let mut resource = Resource::new(node, scopes);
    join_annotations(&mut resource.node);
    read_internal_annotations(&mut resource);
    if scopes.profile().has(Switch::AliasesShared) {
        resource.share_aliases();
    }
    resource
}

/// A document that is no resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAResource {
    pub oddity: NotAResourceCause,
    pub mark: Mark,
}

/// Why a document is no resource. The texts are Kustomize's; an incomplete object is printed as Go
/// does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAResourceCause {
    #[error("missing Resource metadata")]
    NoResource,
    #[error("missing kind in object {0}")]
    NoKind(String),
    #[error("missing metadata.name in object {0}")]
    NoName(String),
    /// The document has no name because it is a kustomization file or a Composition.
    #[error("missing metadata.name in object {0}")]
    KustomizationFile(String),
    #[error("expected array in {kind}/items, but found {found}")]
    ItemsNoList { kind: String, found: &'static str },
    #[error("wrong node kind: expected MappingNode but got SequenceNode")]
    ListInMetadata,
}

impl NotAResource {
    /// A hint how to fix the document, if known.
    pub fn hint(&self) -> Option<&'static str> {
        match self.oddity {
            NotAResourceCause::NoResource => {
                Some("a resource is a mapping with `apiVersion`, `kind` and `metadata`")
            }
            NotAResourceCause::NoKind(_) => Some("write its kind: `kind: …`"),
            NotAResourceCause::KustomizationFile(_) => {
                Some("name the directory of this file, not the file")
            }
            NotAResourceCause::NoName(_) => Some(
                "add a `name` under `metadata`; Kustomize does not accept `generateName` instead",
            ),
            NotAResourceCause::ListInMetadata => {
                Some("write labels and annotations as `key: value`")
            }
            NotAResourceCause::ItemsNoList { .. } => {
                Some("write a list under `items`: `- ` before each item")
            }
        }
    }
}

impl fmt::Display for NotAResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.oddity.fmt(f)
    }
}
