//! JSON6902 patches, with the peculiarities of the library that Kustomize uses (section 4.8).

mod container;

use crate::diagnostic::{JsonPatchFault, PatchNodeRole};
use crate::manifest::json_name;
use crate::profile::{Profile, Switch};
use crate::resource::{TextOffset, copy_marks, shift_marks};
use crate::yaml::{Allowance, Limits, Mark, Node, NodeKind, SourceId, from_json, parse_config};

use super::json_values::{YamlDialect, check, normalize};
use super::{TransformError, TransformResult};

pub(super) use container::node_at_pointer;
use container::{child, container, depth, index, insert, nearest_path, take};

/// A parsed list of operations.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonPatch {
    operations: Vec<PatchOperation>,
}

#[derive(Clone, Debug, PartialEq)]
struct PatchOperation {
    op: String,
    path: Option<String>,
    from: Option<String>,
    /// The value in the form in which it is written to a resource.
    value: Option<Node>,
    mark: Mark,
    /// True if `replace` and `copy` fail for a missing value.
    strict: bool,
}

/// A mapping or a list that an operation replaces, with its lost keys or elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedCollection<'p> {
    /// The JSON pointer of the collection.
    pub path: &'p str,
    /// The lost keys, or the names of the lost elements.
    pub lost: Vec<String>,
    pub is_list: bool,
    pub mark: Mark,
}

/// Mappings with keys of the user's choice.
const OPEN_MAPPINGS: [&str; 7] =
    ["annotations", "labels", "matchLabels", "nodeSelector", "data", "stringData", "extraConfig"];

/// Lists whose elements a strategic merge patch merges by a key, each with the key.
const KEYED_LISTS: [(&str, &str); 5] = [
    ("containers", "name"),
    ("env", "name"),
    ("initContainers", "name"),
    ("volumeMounts", "mountPath"),
    ("volumes", "name"),
];

/// The names in a keyed list if a new list lacks them all; `None` for other values. An empty list
/// is meant to remove the elements.
fn lost_names(path: &str, old: &Node, new: &Node) -> Option<Vec<String>> {
    let field = path.rsplit('/').next()?;
    let (_, key) = KEYED_LISTS.into_iter().find(|(list, _)| *list == field)?;
    let names = |node: &Node| -> Option<Vec<String>> {
        let name = |item: &Node| item.get(key)?.text().map(str::to_owned);
        node.items()?.iter().map(name).collect()
    };
    let (lost, kept) = (names(old)?, names(new)?);
    let is_lost = !kept.is_empty() && !lost.is_empty() && !lost.iter().any(|it| kept.contains(it));
    is_lost.then_some(lost)
}

impl JsonPatch {
    /// Parses a JSON6902 patch: JSON, or the first document of a YAML 1.1 text. `Ok(None)` for an
    /// empty text.
    ///
    /// # Errors
    /// The text is not a list of mappings.
    pub fn parse(
        text: &[u8],
        source: SourceId,
        offset: TextOffset,
        limits: Limits,
    ) -> Result<Option<Self>, JsonPatchFault> {
        let read = parse_config(text, source, limits).map_err(JsonPatchFault::Yaml);
        let is_json = text.first() == Some(&b'[');
        let read = if is_json { Ok(Some(from_text(text, read, source)?)) } else { read };
        let Some(mut node) = read? else { return Ok(None) };
        if node.is_null() {
            return Ok(None);
        }
        shift_marks(&mut node, offset);
        let Some(items) = node.items() else {
            return Err(JsonPatchFault::NotAList(json_name(&node)));
        };
        let operations = items.iter().map(PatchOperation::read);
        let operations = operations.collect::<Result<Vec<_>, _>>()?;
        Ok((!operations.is_empty()).then_some(Self { operations }))
    }

    /// The pointers of the values that the operations remove, each with the mark of its operation.
    pub fn removals(&self) -> impl Iterator<Item = (&str, Mark)> {
        self.operations.iter().filter_map(|operation| {
            let pointer = match &*operation.op {
                "remove" => operation.path.as_deref(),
                "move" => operation.from.as_deref(),
                _ => None,
            };
            Some((pointer?, operation.mark))
        })
    }

    /// The pointers that the operations write to.
    pub fn written_pointers(&self) -> impl Iterator<Item = &str> {
        let written = self.operations.iter().filter(|operation| operation.op != "test");
        written.flat_map(|operation| {
            let moved = operation.from.as_deref().filter(|_| operation.op == "move");
            operation.path.as_deref().into_iter().chain(moved)
        })
    }

    /// The tree after a conversion to JSON and back, as after operations without an effect.
    pub fn plain(node: &Node) -> Node {
        normalize(node, YamlDialect::V3).unwrap_or_else(|| node.clone())
    }

    /// The first JSON pointer to which the operations write, with the current value there. `None`
    /// if the patch has only `test` operations.
    pub fn leaves<'n>(&self, node: &'n Node) -> Option<(&str, Option<&'n Node>)> {
        let operation = self.operations.iter().find(|operation| operation.op != "test")?;
        let path = operation.path.as_deref()?;
        Some((path, node_at_pointer(node, path)))
    }

    /// The paths without a leading `/`, each with the path that the library reads.
    pub fn paths_without_slash(&self) -> impl Iterator<Item = (&str, String, Mark)> {
        self.operations.iter().filter_map(|operation| {
            let path = operation.path.as_deref().filter(|path| !path.starts_with('/'))?;
            let (_, rest) = path.split_once('/')?;
            Some((path, format!("/{rest}"), operation.mark))
        })
    }

    /// The mappings that `add` replaces although they have keys that the new value lacks, and the lists
    /// of which it keeps no element.
    pub fn collections_replaced_by_add<'p>(
        &'p self,
        node: &'p Node,
    ) -> impl Iterator<Item = ReplacedCollection<'p>> {
        let mut removed: Vec<&str> = Vec::new();
        self.operations.iter().filter_map(move |operation| {
            let path = operation.path.as_deref()?;
            let value = operation.value.as_ref().filter(|_| operation.op == "add");
            let Some(value) = value else {
                removed.push(path);
                return None;
            };
            // In a list, `add` inserts an element.
            let (above, _) = path.rsplit_once('/')?;
            if node_at_pointer(node, above).is_some_and(|above| above.items().is_some()) {
                return None;
            }
            let is_removed = removed.iter().any(|removed| path.starts_with(removed));
            let old = node_at_pointer(node, path).filter(|_| !is_removed)?;
            let mark = operation.mark;
            if let Some(lost) = lost_names(path, old, value) {
                return Some(ReplacedCollection { path, lost, is_list: true, mark });
            }
            value.as_mapping()?;
            let keys = old.entries().iter().filter_map(|entry| entry.key.text());
            let lost = keys.filter(|key| value.get(key).is_none());
            let lost: Vec<String> = lost.map(str::to_owned).collect();
            // Another set of fields is another variant, such as another kind of storage. A value with
            // most of the old keys was written in full.
            let all = old.entries().len();
            let shares = lost.len() < all && (all == 1 || lost.len() * 2 > all);
            let is_open = path.rsplit('/').next().is_some_and(|key| OPEN_MAPPINGS.contains(&key));
            let replaced = ReplacedCollection { path, lost, is_list: false, mark };
            (!replaced.lost.is_empty() && (shares || is_open)).then_some(replaced)
        })
    }

    /// The pointers of the elements and fields that the operations expect to exist. Empty if the
    /// patch contains a `test`.
    pub fn expected_pointers(&self) -> impl Iterator<Item = &str> {
        let tests = self.operations.iter().any(|operation| operation.op == "test");
        self.operations.iter().filter(move |_| !tests).filter_map(|operation| {
            let path = operation.path.as_deref()?;
            // An added value need not exist, only its parent.
            if operation.op == "add" { Some(path.rsplit_once('/')?.0) } else { Some(path) }
        })
    }

    /// The same operations with a step as the writer, and with the rules of a version profile.
    #[must_use]
    pub fn with_writer(&self, mark: Mark, profile: Profile) -> Self {
        let mut out = self.clone();
        for operation in &mut out.operations {
            operation.strict = profile.has(Switch::StrictOperations);
            operation.mark.writer = mark.writer;
            if let Some(value) = &mut operation.value {
                value.stamp(mark.writer);
            }
        }
        out
    }

    /// Applies all operations in order. The tree gets the form that it has after a conversion to
    /// JSON: numbers become doubles, and styles are lost.
    ///
    /// # Errors
    /// The library's messages (`add operation does not apply: doc is missing path: …`), and those
    /// of go-yaml if the tree cannot be converted to JSON, even if the patch would remove the
    /// cause.
    pub fn apply(&self, node: &mut Node) -> TransformResult {
        check(node).map_err(|error| TransformError::fault(error, node.mark))?;
        if let Some(normal) = normalize(node, YamlDialect::V3) {
            *node = normal;
        }
        let mut allowance = Allowance::new(Limits::default());
        let failed = self.operations.iter().find_map(|operation| {
            let fault = operation.apply(node, &mut allowance).err()?;
            Some((operation, fault))
        });
        if let Some((operation, fault)) = failed {
            return Err(operation.error(fault, node));
        }
        Ok(())
    }
}

/// Parses a JSON text; the marks are those of the YAML parser.
fn from_text(
    text: &[u8],
    read: Result<Option<Node>, JsonPatchFault>,
    source: SourceId,
) -> Result<Node, JsonPatchFault> {
    let mut node = from_json(std::str::from_utf8(text)?)?;
    if let Ok(Some(read)) = read {
        copy_marks(&read, &mut node);
    }
    fill_marks(&mut node, Mark { source, line: 1, column: 1, ..Mark::default() });
    Ok(node)
}

/// Gives nodes without a location, or with an unreadable one, the mark of the node around them.
fn fill_marks(node: &mut Node, around: Mark) {
    if node.mark.line == 0 {
        node.mark = around;
    }
    let mark = node.mark;
    node.items_mut().into_iter().flatten().for_each(|item| fill_marks(item, mark));
    for entry in node.as_mapping_mut().into_iter().flat_map(|mapping| &mut mapping.entries) {
        fill_marks(&mut entry.key, mark);
        fill_marks(&mut entry.value, mark);
    }
}

impl PatchOperation {
    fn read(node: &Node) -> Result<Self, JsonPatchFault> {
        if node.kind() != NodeKind::Mapping {
            return Err(JsonPatchFault::NotAMapping(json_name(node)));
        }
        let text = |key: &str| node.text_of(key).map(str::to_owned);
        let value = node
            .get("value")
            .map(|value| normalize(value, YamlDialect::V1_1).unwrap_or_else(|| value.clone()));
        Ok(Self {
            op: text("op").unwrap_or_else(|| "unknown".to_owned()),
            path: text("path"),
            from: text("from"),
            value,
            mark: node.mark,
            strict: false,
        })
    }

    fn error(&self, fault: JsonPatchFault, node: &Node) -> TransformError {
        let hint = self.path.as_deref().and_then(|path| nearest_path(node, path));
        TransformError::fault(fault, self.mark).with_hint_if(hint)
    }

    fn value(&self) -> Node {
        self.value.clone().unwrap_or_else(|| Node::null().marked(self.mark))
    }

    fn apply(&self, root: &mut Node, copies: &mut Allowance) -> Result<(), JsonPatchFault> {
        if matches!(&*self.op, "add" | "replace") {
            self.check_nesting()?;
        }
        match &*self.op {
            "add" => self.add(root, self.path(false)?),
            "remove" => self.remove(root, self.path(false)?),
            "replace" => self.replace(root, self.path(true)?),
            "test" => self.test(root, self.path(true)?),
            "move" | "copy" => self.move_or_copy(root, copies),
            other => Err(JsonPatchFault::UnknownOperation(other.to_owned())),
        }
    }

    fn path(&self, says_field: bool) -> Result<&str, JsonPatchFault> {
        let missing = || JsonPatchFault::WithoutPath { op: self.op.clone(), says_field };
        self.path.as_deref().ok_or_else(missing)
    }

    fn missing(&self, place: PatchNodeRole, path: &str) -> JsonPatchFault {
        JsonPatchFault::NoSuchPlace { op: self.op.clone(), place, path: path.to_owned() }
    }

    fn container<'n>(
        &self,
        root: &'n mut Node,
        place: PatchNodeRole,
        path: &str,
    ) -> Result<(&'n mut Node, String), JsonPatchFault> {
        container(root, path).ok_or_else(|| self.missing(place, path))
    }

    fn add(&self, root: &mut Node, path: &str) -> Result<(), JsonPatchFault> {
        let (collection, key) = self.container(root, PatchNodeRole::Path, path)?;
        insert(collection, &key, self.value()).map_err(|fault| fault.at("add", path))
    }

    fn remove(&self, root: &mut Node, path: &str) -> Result<(), JsonPatchFault> {
        let (collection, key) = self.container(root, PatchNodeRole::Path, path)?;
        take(collection, &key).map(drop).map_err(|fault| fault.at("remove", path))
    }

    fn replace(&self, root: &mut Node, path: &str) -> Result<(), JsonPatchFault> {
        let missing = |place| self.missing(place, path);
        let (collection, key) = self.container(root, PatchNodeRole::Path, path)?;
        if let Some(items) = collection.items_mut() {
            let index = index(&key, items.len()).map_err(|_| missing(PatchNodeRole::Key))?;
            items[index] = self.value();
            return Ok(());
        }
        if self.strict && collection.get(&key).is_none() {
            return Err(missing(PatchNodeRole::Key));
        }
        insert(collection, &key, self.value())
    }

    fn test(&self, root: &mut Node, path: &str) -> Result<(), JsonPatchFault> {
        let (collection, key) = self.container(root, PatchNodeRole::Path, path)?;
        let found = child(collection, &key).map_err(|fault| fault.at("test", path))?;
        let is_met = match (found, &self.value) {
            (Some(found), Some(value)) => found.same_value(value),
            (None, Some(value)) => value.is_null(),
            // Kustomize panics if both values are missing.
            (_, None) => false,
        };
        if is_met { Ok(()) } else { Err(JsonPatchFault::TestFailed(path.to_owned())) }
    }

    /// Checks the nesting limit: several operations together could build a tree too deep to parse.
    fn check_nesting(&self) -> Result<(), JsonPatchFault> {
        let (Some(path), Some(value)) = (&self.path, &self.value) else { return Ok(()) };
        let endless = Limits { alias_nodes: usize::MAX, bytes: usize::MAX, ..Limits::default() };
        let fits = Allowance::new(endless).take(value, depth(path));
        fits.map_err(|excess| JsonPatchFault::from(excess).at(&self.op, path))
    }

    /// Does a `move` or `copy`; `copies` limits the bytes of all copies.
    fn move_or_copy(&self, root: &mut Node, copies: &mut Allowance) -> Result<(), JsonPatchFault> {
        let op = &self.op;
        let from = self.from.as_deref().ok_or_else(|| JsonPatchFault::WithoutFrom(op.clone()))?;
        let (source, key) = self.container(root, PatchNodeRole::From, from)?;
        let value = if op == "move" {
            take(source, &key).map_err(|fault| fault.at("move", &key))?
        } else {
            let found = child(source, &key).map_err(|fault| fault.at_from("copy", from))?;
            if found.is_none() && self.strict {
                return Err(JsonPatchFault::NothingToCopy(key).at_from("copy", from));
            }
            found.cloned().unwrap_or_else(Node::null)
        };
        let path = self.path(true)?;
        copies
            .take(&value, depth(path))
            .map_err(|excess| JsonPatchFault::from(excess).at(op, path))?;
        let (target, key) = self.container(root, PatchNodeRole::Destination, path)?;
        insert(target, &key, value.written_by(self.mark)).map_err(|fault| fault.at(op, path))
    }
}

impl JsonPatch {
    /// True if an operation may replace all annotations: its pointer is that of the annotations or
    /// of a node that contains them.
    pub fn rewrites_annotations(&self) -> bool {
        let holds = |path: &str| matches!(path, "" | "/metadata" | "/metadata/annotations");
        self.written_pointers().any(holds)
    }
}
