//! Completion in resources and patches: the fields of the type, and types.

use std::collections::BTreeSet;

use lsp_types::{CompletionItem, CompletionItemKind};

use crate::answers::CustomTypes;
use crate::engine::load::Files;
use crate::engine::resource::{Schema, SchemaNode, SchemaType};

use super::cursor::{PathPart, YamlCursor};

const METADATA: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// The types that a completion can name: those of Kubernetes, and those of the
/// `CustomResourceDefinitions` and `openapi` schemas of the tree.
pub(super) struct KnownTypes<'t> {
    pub(super) custom: &'t CustomTypes,
    pub(super) files: &'t dyn Files,
}

impl KnownTypes<'_> {
    fn all(&self) -> BTreeSet<(String, String)> {
        let own = Schema::all_versions().types();
        let own = own.map(|(version, kind)| (version.to_owned(), kind.to_owned()));
        own.chain(self.custom.types(self.files)).collect()
    }

    /// Calls `use_it` with the part of a type at a path; `None` if the type has no such part.
    pub(super) fn part<R>(
        &self,
        (api_version, kind): (&str, &str),
        path: &[PathPart<'_>],
        use_it: impl FnOnce(SchemaNode<'_>) -> R,
    ) -> Option<R> {
        let builtin = Schema::all_versions();
        if let Some(root) = builtin.of_type(api_version, kind) {
            return walk(root, path).map(use_it);
        }
        if let [PathPart::Key("metadata"), below @ ..] = path {
            return walk(builtin.definition(METADATA)?, below).map(use_it);
        }
        let schema = self.custom.schema((api_version, kind), self.files)?;
        walk(schema.of_type(api_version, kind)?, path).map(use_it)
    }

    /// The newest apiVersion of a kind whose group and version fit, if they are given.
    pub(super) fn api_version(&self, kind: &str, group: &str, version: &str) -> Option<String> {
        let fits = |want: &str, own: &str| want.is_empty() || want == own;
        let all = self.all().into_iter().filter(|(own, it)| {
            let (own_group, own_version) = own.split_once('/').unwrap_or(("", own));
            it == kind && fits(group, own_group) && fits(version, own_version)
        });
        // Versions such as v1 come after v1beta1.
        all.map(|(own, _)| own).max_by_key(|own| (!own.contains("alpha"), !own.contains("beta")))
    }
}

fn walk<'s>(root: SchemaNode<'s>, path: &[PathPart<'_>]) -> Option<SchemaNode<'s>> {
    path.iter().try_fold(root, |node, part| match part {
        PathPart::Key(key) => node.field(key),
        PathPart::Item => node.elements(),
    })
}

/// The completions in a resource or a strategic merge patch.
pub(super) fn resource_items(
    cursor: &YamlCursor<'_>,
    types: &KnownTypes<'_>,
) -> Vec<CompletionItem> {
    let is_root = cursor.path.is_empty();
    let own = (cursor.api_version.unwrap_or_default(), cursor.kind.unwrap_or_default());
    let words: BTreeSet<String> = match cursor.key {
        Some("kind") if is_root => {
            let fitting = types.all().into_iter().filter(|(it, _)| own.0.is_empty() || it == own.0);
            fitting.map(|(_, kind)| kind).collect()
        }
        Some("apiVersion") if is_root => {
            let fitting = types.all().into_iter().filter(|(_, it)| own.1.is_empty() || it == own.1);
            fitting.map(|(version, _)| version).collect()
        }
        Some(key) => {
            let path = [&cursor.path[..], &[PathPart::Key(key)]].concat();
            let values = |node: SchemaNode<'_>| node.values().map(str::to_owned).collect();
            types.part(own, &path, values).unwrap_or_default()
        }
        None => {
            // The fields that the mapping around the cursor does not have yet.
            let fields = |node: SchemaNode<'_>| -> Vec<CompletionItem> {
                let missing = node.fields().filter(|name| !cursor.has_sibling(name));
                missing.map(|name| field_item(name, node.field(name))).collect()
            };
            let mut found = types.part(own, &cursor.path, fields).unwrap_or_default();
            let general = ["apiVersion", "kind", "metadata"].into_iter().filter(|_| is_root);
            let is_known = |name: &str| found.iter().any(|item| item.label == name);
            let missing = general.filter(|it| !is_known(it) && !cursor.has_sibling(it));
            let missing: Vec<CompletionItem> = missing.map(|it| field_item(it, None)).collect();
            found.extend(missing);
            return found;
        }
    };
    words.iter().map(|word| item(word, CompletionItemKind::VALUE)).collect()
}

pub(super) fn item(label: &str, kind: CompletionItemKind) -> CompletionItem {
    CompletionItem { label: label.to_owned(), kind: Some(kind), ..CompletionItem::default() }
}

fn field_item(name: &str, node: Option<SchemaNode<'_>>) -> CompletionItem {
    let detail = node.and_then(|node| match node.kind() {
        SchemaType::Any => None,
        SchemaType::String => Some("string"),
        SchemaType::Integer => Some("integer"),
        SchemaType::Number => Some("number"),
        SchemaType::Boolean => Some("boolean"),
        SchemaType::Object => Some("mapping"),
        SchemaType::Array => Some("list"),
        SchemaType::StringOrNumber => Some("string or number"),
    });
    let detail = detail.map(str::to_owned);
    CompletionItem { detail, ..item(name, CompletionItemKind::FIELD) }
}

/// The next parts of a path of a JSON patch, which begins with `/`.
pub(super) fn pointer_items(
    typed: &str,
    own: (&str, &str),
    types: &KnownTypes<'_>,
) -> Vec<CompletionItem> {
    let Some(typed) = typed.trim_start_matches(['"', '\'']).strip_prefix('/') else {
        return Vec::new();
    };
    let mut parts: Vec<String> =
        typed.split('/').map(|part| part.replace("~1", "/").replace("~0", "~")).collect();
    // The last part is being typed.
    parts.pop();
    let is_index = |part: &str| part == "-" || part.bytes().all(|byte| byte.is_ascii_digit());
    let path: Vec<PathPart<'_>> = parts
        .iter()
        .map(|part| if is_index(part) { PathPart::Item } else { PathPart::Key(part) })
        .collect();
    let names = |node: SchemaNode<'_>| -> Vec<CompletionItem> {
        let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
        let item = |name: &str| field_item(&escaped(name), node.field(name));
        if node.kind() == SchemaType::Array {
            return ["0", "-"].map(|name| field_item(name, node.elements())).to_vec();
        }
        node.fields().map(item).collect()
    };
    types.part(own, &path, names).unwrap_or_default()
}
