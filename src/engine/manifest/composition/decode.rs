//! Reading `composition.yaml`: strict, and with all errors of the file (section A.2).

use crate::diagnostic::CompositionRemark;
use crate::manifest::Marked;
use crate::resource::nearest_name;
use crate::yaml::{Limits, Node, SourceId, parse_documents};

use super::entry::{EntryRole, entry};
use super::problem::{Problems, did_you_mean, is_text, not_both, type_name, wrong_type};
use super::{
    COMPOSITION_API_VERSION, Composition, CompositionError, Import, ImportMode, Item,
    ListedTransformer, OrderItem,
};

/// The names of the list fields in an older draft of the proposal, each with its current name
/// (D-A34).
const FORMER_LIST_NAMES: [(&str, &str); 4] = [
    ("modules", "transformers"),
    ("modulesFrom", "transformersFrom"),
    ("moduleOverrides", "transformerOverrides"),
    ("moduleOrder", "transformerOrder"),
];

const FIELDS: [&str; 8] = [
    "apiVersion",
    "kind",
    "metadata",
    "transformersFrom",
    "transformers",
    "transformerOverrides",
    "transformerOrder",
    "catalogs",
];

/// Parses the text of a Composition file (KEP-2299).
///
/// # Errors
/// All errors of this one file.
pub fn decode_composition(text: &[u8], source: SourceId) -> Result<Composition, CompositionError> {
    let file = parse_documents(text, source, Limits::default()).map_err(CompositionError::Yaml)?;
    let mut problems = Problems::default();
    let root = match file.documents.as_slice() {
        [] => return Err(CompositionError::Empty),
        [document] => &document.node,
        [_, second, ..] => {
            let count = file.documents.len();
            let cause =
                format!("composition.yaml must contain exactly one document, found {count}");
            problems.add(second.node.mark, &[], cause);
            return Err(CompositionError::Invalid(problems.all));
        }
    };
    if root.as_mapping().is_none() {
        problems.add(root.mark, &[], wrong_type("a mapping", root));
        return Err(CompositionError::Invalid(problems.all));
    }
    problems.report_duplicate_keys(root, "");
    check_header(root, &mut problems)?;
    let mut composition = problems.read_lists(root);
    let Problems { mut all, warnings, .. } = problems;
    // D-A5: as in Kustomize, an empty `kustomization.yaml` is an error.
    if all.is_empty() && composition.transformers.is_empty() && composition.imports.is_empty() {
        return Err(CompositionError::Empty);
    }
    if !all.is_empty() {
        all.sort_by_key(|problem| (problem.mark.line, problem.mark.column));
        return Err(CompositionError::Invalid(all));
    }
    composition.warnings = warnings;
    Ok(composition)
}

/// Checks `apiVersion` and `kind`, which may be missing (D-A3, D-A4). `metadata` is accepted and
/// not used.
fn check_header(root: &Node, problems: &mut Problems) -> Result<(), CompositionError> {
    let text = |key: &str| root.get(key).filter(|node| !node.is_null());
    if let Some(kind) = text("kind")
        && kind.text() != Some("Composition")
    {
        let name = kind.text().unwrap_or_default().to_owned();
        return Err(CompositionError::Kind { kind: name, mark: kind.mark });
    }
    if let Some(version) = text("apiVersion")
        && version.text() != Some(COMPOSITION_API_VERSION)
    {
        let cause = format!(
            "apiVersion for Composition should be {COMPOSITION_API_VERSION}, not '{}'",
            version.text().unwrap_or_default()
        );
        problems.add(version.mark, &["apiVersion"], cause);
    }
    if let Some(metadata) = text("metadata")
        && metadata.as_mapping().is_none()
    {
        let cause = wrong_type("a mapping", metadata);
        problems.add_as("metadata", metadata.mark, &["metadata"], cause);
    }
    Ok(())
}

/// The readers of the lists: each reports to the problems of the file.
impl Problems {
    fn read_lists(&mut self, root: &Node) -> Composition {
        self.check_names(root);
        let imports = self.each(root, "transformersFrom", Self::read_import);
        let transformers =
            self.each(root, "transformers", |it, item| it.read_listed(item, EntryRole::Own));
        let overrides = self.each(root, "transformerOverrides", |it, item| {
            it.read_listed(item, EntryRole::Override)
        });
        if let Some(first) = overrides.first()
            && self.list(root, "transformersFrom").is_none_or(<[Node]>::is_empty)
        {
            let cause = "Composition contained overrides but did not import any transformers";
            self.enter("", "");
            self.add(first.mark, &["transformerOverrides"], cause);
        }
        let order = self.each(root, "transformerOrder", Self::read_order_item);
        let catalogs = self.each(root, "catalogs", |it, item| {
            let text = item.text().filter(|text| is_text(item) && !text.is_empty());
            if text.is_none() {
                it.add(item.mark, &[], "expected a path or URL");
            }
            Some(Marked { value: text?.to_owned(), mark: item.mark })
        });
        Composition { imports, transformers, overrides, order, catalogs, ..Composition::default() }
    }

    fn each<T>(
        &mut self,
        root: &Node,
        field: &'static str,
        read: impl Fn(&mut Self, &Node) -> Option<T>,
    ) -> Vec<T> {
        let list = self.list(root, field).unwrap_or_default();
        let items = list.iter().enumerate().filter_map(|(index, item)| {
            self.enter_item(field, index);
            read(self, item)
        });
        items.collect()
    }

    /// Reports unknown fields, and fields that are set under both their current and their former
    /// name.
    fn check_names(&mut self, root: &Node) {
        let mut told = false;
        for entry in root.entries() {
            let key = entry.key.text().unwrap_or_default();
            if FIELDS.contains(&key) {
                continue;
            }
            if let Some((old, new)) = FORMER_LIST_NAMES.iter().find(|(old, _)| *old == key) {
                if root.get(new).is_some() {
                    self.add(entry.key.mark, &[key], not_both(new, old));
                }
                if !std::mem::replace(&mut told, true) {
                    self.warn_of_former_name(entry.key.mark, old, new);
                }
                continue;
            }
            let near = did_you_mean(nearest_name(key, FIELDS.into_iter()), "'");
            let cause = format!("field {key} is not a Composition field{near}");
            self.add(entry.key.mark, &[key], cause);
        }
    }

    /// The items of a list field, which may have its former name.
    fn list<'n>(&mut self, root: &'n Node, name: &'static str) -> Option<&'n [Node]> {
        let old = FORMER_LIST_NAMES.iter().find(|(_, new)| *new == name).map(|(old, _)| *old);
        let (used, node) = root
            .get(name)
            .map(|node| (name, node))
            .or_else(|| old.and_then(|old| Some((old, root.get(old)?))))?;
        if node.is_null() {
            return None;
        }
        if let Some(items) = node.items() {
            return Some(items);
        }
        if !self.all.iter().any(|known| known.mark == node.mark) {
            self.enter(name, "");
            self.add(node.mark, &[used], wrong_type("a list", node));
        }
        None
    }

    fn read_import(&mut self, item: &Node) -> Option<Import> {
        if item.as_mapping().is_none() {
            self.add(item.mark, &[], wrong_type("a mapping", item));
            return None;
        }
        for entry in item.entries() {
            let key = entry.key.text().unwrap_or_default();
            if !matches!(key, "path" | "importMode") {
                self.add(entry.key.mark, &[key], format!("field {key} not found"));
            }
        }
        let mode = item.get("importMode").filter(|node| !node.is_null());
        let mode = match mode.map(|node| (node, node.text())) {
            None | Some((_, Some("" | "prepend"))) => ImportMode::Prepend,
            Some((_, Some("append"))) => ImportMode::Append,
            Some((node, text)) => {
                let found = text.unwrap_or_else(|| type_name(node));
                let cause =
                    format!("invalid import mode \"{found}\"; use \"prepend\" or \"append\"");
                self.add(node.mark, &["importMode"], cause);
                ImportMode::Prepend
            }
        };
        let path = item.get("path");
        let text = path.filter(|path| is_text(path)).and_then(Node::text).unwrap_or_default();
        if text.is_empty() {
            let mark = path.map_or(item.mark, |path| path.mark);
            self.add(mark, &["path"], "entry is missing the path field");
            return None;
        }
        Some(Import { path: text.to_owned(), mode, mark: item.mark })
    }

    fn read_listed(&mut self, item: &Node, role: EntryRole) -> Option<ListedTransformer> {
        let text = item.text().filter(|_| is_text(item));
        let cause = match text {
            Some(text) if text.trim().is_empty() => Some("the path is empty".to_owned()),
            None if item.as_mapping().is_none() => Some(wrong_type("a mapping or a path", item)),
            _ => None,
        };
        if let Some(cause) = cause {
            self.add(item.mark, &[], cause);
            return None;
        }
        let read = match text {
            Some(text) => Item::Text(text.to_owned()),
            None => Item::Config(Box::new(entry(item, role, self)?)),
        };
        Some(ListedTransformer { item: read, mark: item.mark })
    }

    fn read_order_item(&mut self, item: &Node) -> Option<OrderItem> {
        if item.as_mapping().is_none() {
            self.add(item.mark, &[], wrong_type("a mapping", item));
            return None;
        }
        let mut out = OrderItem { mark: item.mark, ..OrderItem::default() };
        for entry in item.entries() {
            let key = entry.key.text().unwrap_or_default();
            let text = entry.value.text().unwrap_or_default().to_owned();
            match key {
                "name" => out.name = text,
                "kind" => out.kind = text,
                "group" => out.group = Some(text),
                "version" => out.version = Some(text),
                "apiVersion" => {}
                "namespace" => {
                    let remark = CompositionRemark::NamespaceOfEntry(self.part.clone());
                    self.warn(entry.key.mark, remark);
                }
                _ => {
                    self.add(entry.key.mark, &[key], format!("field {key} not found"));
                }
            }
        }
        if let Some(version) = item.text_of("apiVersion") {
            if out.group.is_some() || out.version.is_some() {
                let cause = "use apiVersion or group/version, not both";
                self.add(item.mark, &[], cause);
            }
            let gvk = crate::resource::Gvk::new(version, "");
            out.group = Some(gvk.group.to_string());
            out.version = Some(gvk.version.to_string());
        }
        if out.name.is_empty() {
            let name = format!("failed to sort transformers: {}", self.part);
            let cause = "transformer identifier must include a name";
            self.add_as(&name, item.mark, &[], cause);
            return None;
        }
        Some(out)
    }
}
