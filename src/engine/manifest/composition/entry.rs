//! The configuration of one transformer: checked, with defaults, in canonical form (sections A.2
//! and A.3).

use crate::diagnostic::CompositionRemark;
use crate::manifest::Builtin;
use crate::manifest::Marked;
use crate::resource::{Gvk, is_subdomain};
use crate::yaml::{Mapping, MappingEntry, Node, Style, Tag, Value};

use super::check::{RESOURCE_GENERATOR, check_complete, is_known, warn_unknown_fields};
use super::merge::in_order;
use super::problem::{EntryProblem, Problems, is_text, not_both, wrong_type};
use super::{CanonicalConfig, EntryId, kebab};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryRole {
    Own,
    /// A part of a configuration, checked after the merge.
    Override,
}

type Read<T> = (T, Vec<Marked<CompositionRemark>>);

/// Reads the configurations of a file that `transformers` or `transformerOverrides` names, in the
/// order of its documents (section A.8, D-A18).
///
/// # Errors
/// All errors of the file.
pub fn read_entries(
    documents: &[Node],
    is_override: bool,
) -> Result<Read<Vec<CanonicalConfig>>, Vec<EntryProblem>> {
    let mut problems = Problems::default();
    let role = if is_override { EntryRole::Override } else { EntryRole::Own };
    let mut out = Vec::with_capacity(documents.len());
    for (index, node) in documents.iter().enumerate() {
        problems.enter(format!("document {index}"), format!("/{index}"));
        problems.report_duplicate_keys(node, &format!("/{index}"));
        out.extend(entry(node, role, &mut problems));
    }
    if problems.all.is_empty() { Ok((out, problems.warnings)) } else { Err(problems.all) }
}

/// Reads one configuration.
///
/// # Errors
/// All errors of the configuration.
pub fn read_entry(node: &Node, name: &str) -> Result<Read<CanonicalConfig>, Vec<EntryProblem>> {
    let mut problems = Problems::default();
    problems.enter(name, "");
    match entry(node, EntryRole::Own, &mut problems) {
        Some(config) if problems.all.is_empty() => Ok((config, problems.warnings)),
        _ => Err(problems.all),
    }
}

/// True for an entry that is run by a function: not built in and no inline Kustomization.
pub fn is_function(id: &EntryId) -> bool {
    !id.is_builtin() && !id.is_kustomization()
}

/// Reads an entry; `None` if it has no usable id.
pub(super) fn entry(
    node: &Node,
    role: EntryRole,
    problems: &mut Problems,
) -> Option<CanonicalConfig> {
    let mapping = node.as_mapping().or_else(|| {
        problems.add(node.mark, &[], wrong_type("a mapping", node));
        None
    })?;
    let kind = node.get("kind").filter(|kind| is_text(kind)).and_then(Node::text);
    let Some(kind) = kind.filter(|kind| !kind.is_empty()) else {
        let mark = node.get("kind").map_or(node.mark, |kind| kind.mark);
        problems.add(mark, &["kind"], "kind is required");
        return None;
    };
    let api_version = api_version(node, kind, problems)?;
    let mut draft = EntryDraft { fields: mapping.entries.to_vec(), problems };
    let kind = draft.rename_kind(kind, &api_version);
    draft.rename_provider();
    let entry_name = draft.metadata(node, &kind);
    let id = EntryId { gvk: Gvk::new(&api_version, &kind), name: entry_name };
    let node = canonical(node, draft.fields, &id);
    if role == EntryRole::Own {
        check_complete(&node, &id, problems);
    }
    warn_unknown_fields(&node, &id, problems);
    Some(CanonicalConfig { id, mark: node.mark, node })
}

/// The `apiVersion` of an entry; `builtin` if it is missing and the kind is that of a built-in
/// plugin.
fn api_version(node: &Node, kind: &str, problems: &mut Problems) -> Option<String> {
    let given = node.get("apiVersion").filter(|given| !given.is_null());
    let Some(given) = given else {
        // D-A6: `apiVersion` may be missing only if the kind alone identifies a built-in plugin.
        if is_known(kind) {
            return Some("builtin".to_owned());
        }
        let cause = format!("apiVersion is required for kind '{kind}'");
        problems.add(node.mark, &["apiVersion"], cause);
        return None;
    };
    let text = given.text().unwrap_or_default();
    if is_api_version(text) {
        return Some(text.to_owned());
    }
    let cause = format!("apiVersion '{text}' is not 'builtin', 'version' or 'group/version'");
    problems.add(given.mark, &["apiVersion"], cause);
    None
}

/// True for a syntactically valid `VERSION` or `GROUP/VERSION`.
fn is_api_version(text: &str) -> bool {
    let is_version = |version: &str| {
        !version.is_empty()
            && version.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    match text.split_once('/') {
        None => is_version(text),
        Some((group, version)) => is_version(version) && is_subdomain(group),
    }
}

struct EntryDraft<'p> {
    fields: Vec<MappingEntry>,
    problems: &'p mut Problems,
}

impl EntryDraft<'_> {
    fn get(&self, key: &str) -> Option<&Node> {
        self.fields.iter().find(|entry| entry.key.text() == Some(key)).map(|entry| &entry.value)
    }

    fn take(&mut self, key: &str) -> Option<MappingEntry> {
        let index = self.fields.iter().position(|entry| entry.key.text() == Some(key))?;
        Some(self.fields.remove(index))
    }

    /// Replaces the prototype's names of `ResourceAccumulator` and of its `paths` (D-A26), and
    /// returns the current kind.
    fn rename_kind(&mut self, kind: &str, api_version: &str) -> String {
        let accumulates = api_version == "builtin"
            && (kind == RESOURCE_GENERATOR || kind == Builtin::ResourceAccumulator.kind());
        if !accumulates {
            return kind.to_owned();
        }
        let mark = self.get("kind").map(|kind| kind.mark).unwrap_or_default();
        if kind == RESOURCE_GENERATOR {
            self.problems.warn(mark, CompositionRemark::FormerKind(self.problems.part.clone()));
        }
        for old in ["files", "resources", "resource"] {
            let Some(mut entry) = self.take(old) else { continue };
            if kind == Builtin::ResourceAccumulator.kind() {
                let remark = CompositionRemark::FormerPaths(self.problems.part.clone(), old);
                self.problems.warn(entry.key.mark, remark);
            }
            if self.get("paths").is_some() {
                self.problems.add(entry.key.mark, &[old], not_both("paths", old));
                continue;
            }
            entry.key = Node::plain("paths").marked(entry.key.mark);
            if entry.value.as_scalar().is_some() && !entry.value.is_null() {
                let mark = entry.value.mark;
                entry.value = Node::sequence(vec![entry.value]).marked(mark);
            }
            self.fields.push(entry);
        }
        if let Some(entry) = self.take("originAnnotations") {
            let remark = CompositionRemark::OriginAnnotations(self.problems.part.clone());
            self.problems.warn(entry.key.mark, remark);
        }
        Builtin::ResourceAccumulator.kind().to_owned()
    }

    /// Replaces `provider`, the name of `runtime` in an older draft of the proposal (D-A34).
    fn rename_provider(&mut self) {
        let Some(mut entry) = self.take("provider") else { return };
        let mark = entry.key.mark;
        if self.get("runtime").is_some() {
            self.problems.add(mark, &["provider"], not_both("runtime", "provider"));
            return;
        }
        self.problems.warn_of_former_name(mark, "provider", "runtime");
        entry.key = Node::plain("runtime").marked(mark);
        self.fields.push(entry);
    }

    /// Checks `metadata` and fills in the name.
    fn metadata(&mut self, node: &Node, kind: &str) -> String {
        let mut entry = self.take("metadata").unwrap_or_else(|| {
            let mark = node.get("kind").map_or(node.mark, |kind| kind.mark);
            let (key, value) = (Node::plain("metadata"), Node::mapping());
            MappingEntry { key: key.marked(mark), value: value.marked(mark) }
        });
        if entry.value.is_null() {
            entry.value = Node::mapping().marked(entry.value.mark);
        }
        if entry.value.as_mapping().is_none() {
            let cause = wrong_type("a mapping", &entry.value);
            self.problems.add_in("metadata", entry.value.mark, &["metadata"], cause);
            return kebab(kind);
        }
        for field in entry.value.entries() {
            let key = field.key.text().unwrap_or_default();
            if !matches!(key, "name" | "namespace" | "labels" | "annotations" | "configFn") {
                let cause = format!("field {key} not allowed");
                self.problems.add_in("metadata", field.key.mark, &["metadata", key], cause);
            }
        }
        let name = self.entry_name(&mut entry, kind);
        self.fields.push(entry);
        name
    }

    fn entry_name(&mut self, metadata: &mut MappingEntry, kind: &str) -> String {
        let given = metadata.value.get("name").filter(|name| !name.is_null());
        let Some(given) = given else {
            let name = kebab(kind);
            let mark = metadata.value.mark;
            if let Some(mapping) = metadata.value.as_mapping_mut() {
                mapping.remove("name");
                let node = Node::scalar(name.as_str(), Tag::Str, Style::Plain).marked(mark);
                let key = Node::plain("name").marked(mark);
                mapping.entries.insert(0, MappingEntry { key, value: node });
            }
            return name;
        };
        let text = given.text().unwrap_or_default();
        let legal = given.as_scalar().is_some()
            && (1..=253).contains(&text.chars().count())
            && !text.chars().any(|c| c == '/' || c.is_control());
        if !legal {
            let cause =
                "metadata.name must be 1 to 253 characters without '/' or control characters";
            self.problems.add(given.mark, &["metadata", "name"], cause);
        } else if !is_subdomain(text) {
            let remark = CompositionRemark::OddName(self.problems.part.clone(), text.to_owned());
            self.problems.warn(given.mark, remark);
        }
        text.to_owned()
    }
}

/// The configuration with its fields in canonical order: `apiVersion`, `kind`, `metadata`,
/// `runtime`, then the others as written.
fn canonical(node: &Node, mut fields: Vec<MappingEntry>, id: &EntryId) -> Node {
    let (mark, version) = (node.mark, id.gvk.api_version());
    for (key, text) in [("apiVersion", &*version), ("kind", &*id.gvk.kind)] {
        let is_key = |entry: &MappingEntry| entry.key.text() == Some(key);
        let written = fields.iter().find(|entry| is_key(entry));
        if written.and_then(|entry| entry.value.text()) != Some(text) {
            fields.retain(|entry| !is_key(entry));
            let value = Node::scalar(text, Tag::Str, Style::Plain).marked(mark);
            fields.push(MappingEntry { key: Node::plain(key).marked(mark), value });
        }
    }
    let mapping = Mapping { entries: fields.into(), style: Style::Plain };
    let value = Value::Mapping(std::sync::Arc::new(mapping));
    in_order(Node { value, mark, comments: None })
}
