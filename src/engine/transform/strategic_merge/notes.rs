//! Unexpected effects of a strategic merge (ruling 2).

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Fix, Hint, OpenApiRemark, PatchRemark, Remark};
use crate::resource::{PathStep, Schema};
use crate::yaml::{MappingEntry, Mark, Node, to_json};

use super::list_loss::{ListLoss, contains_all, is_same_thing};
use super::map::directive;

/// Collects warnings, each only once per place in the patch, and tracks the path for their texts.
pub(in crate::transform) struct MergeNotes<'w> {
    /// The current node.
    steps: Vec<PathStep>,
    has_schema: bool,
    api_version: &'w str,
    kind: &'w str,
    name: &'w str,
    /// True if the patch is written for this resource; otherwise a target may select several.
    pub(super) is_named: bool,
    warnings: &'w mut Vec<Diagnostic>,
}

impl<'w> MergeNotes<'w> {
    pub(super) fn new(
        has_schema: bool,
        (api_version, kind, name): (&'w str, &'w str, &'w str),
        warnings: &'w mut Vec<Diagnostic>,
    ) -> Self {
        let steps = Vec::new();
        Self { steps, has_schema, api_version, kind, name, is_named: true, warnings }
    }

    /// Enters a field, or the element of a list with this index in the target.
    pub(super) fn enter(&mut self, step: PathStep) {
        self.steps.push(step);
    }

    pub(super) fn leave(&mut self) {
        self.steps.pop();
    }

    /// Adds a warning, unless it exists for this location.
    fn push(&mut self, diagnostic: Diagnostic) {
        let (code, mark) = (diagnostic.code(), diagnostic.mark);
        if !self.warnings.iter().any(|other| other.code() == code && other.mark == mark) {
            self.warnings.push(Diagnostic { field: Some(self.at()), ..diagnostic });
        }
    }

    /// The keys from the root to the current node.
    pub(super) fn path(&self) -> Vec<Arc<str>> {
        let key = |step: &PathStep| match step {
            PathStep::Key(key) => Some(Arc::clone(key)),
            PathStep::Index(_) => None,
        };
        self.steps.iter().filter_map(key).collect()
    }

    fn at(&self) -> String {
        self.path().join(".")
    }

    /// The JSON pointer of the current node, without the first slash.
    fn pointer(&self) -> String {
        let part = |step: &PathStep| match step {
            PathStep::Key(key) => key.replace('~', "~0").replace('/', "~1"),
            PathStep::Index(index) => index.to_string(),
        };
        self.steps.iter().map(part).collect::<Vec<_>>().join("/")
    }

    pub(super) fn warn_root_replaced(&mut self, patch: &Node) {
        let mark = patch.get("$patch").map_or(patch.mark, |word| word.mark);
        self.push(Diagnostic::new(PatchRemark::ReplaceAtRoot, mark));
    }

    /// Warns if the patch replaces a list and thereby drops elements.
    pub(super) fn warn_list_replaced(&mut self, target: &Node, patch: &Node) {
        let (olds, news) = (target.items().unwrap_or_default(), patch.items().unwrap_or_default());
        if olds.is_empty() || self.warn_lost_merge_key(patch) || news.is_empty() {
            return;
        }
        let has_names = |items: &[Node]| items.iter().any(|item| item.get("name").is_some());
        let are_named = has_names(olds) && has_names(news);
        let has_schema = self.has_schema;
        if has_schema && !are_named {
            self.warn_atomic_list_replaced(olds, news, patch.mark);
            return;
        }
        // In a type without a schema, a list of mappings may have any key: mappings missing in the
        // patch are lost.
        let is_lost = |old: &Node| old.as_mapping().is_some() && !is_in(news, old);
        if !are_named && !olds.iter().any(is_lost) {
            return;
        }
        // A patch that contains every existing element with all its fields replaces the list on
        // purpose.
        if contains_all(patch, target) {
            self.replaced_values(replaced_names(olds, news).unwrap_or_default(), patch.mark);
            return;
        }
        let ListLoss { lost, is_restated } = ListLoss::new(olds, news);
        if is_restated || lost.is_empty() {
            self.replaced_values(lost, patch.mark);
            return;
        }
        if self.add_to_replaced_list(patch.mark, &lost) {
            return;
        }
        let key = merge_key(olds, news).filter(|_| !has_schema);
        let (path, kind) = (self.at(), self.kind.to_owned());
        let fix = key.and_then(|key| self.schema_stub(key));
        let hint = if has_schema {
            "add `x-kubernetes-patch-strategy: merge` to the list in the schema, with its `x-kubernetes-patch-merge-key` or `x-kubernetes-list-map-keys` (`x-kubernetes-list-type` has no effect), write the whole list in the patch, or use a JSON6902 patch".into()
        } else if key.is_some() {
            "use a JSON6902 patch, or give the OpenAPI schema of the type with `openapi`: it replaces the built-in schema, so that it needs the types of all other patches as well".into()
        } else {
            // The elements have no key for a schema.
            let pointer = self.pointer();
            let way = if self.is_named {
                "write them in the patch as well, or add to the list with a JSON6902 patch"
            } else {
                "exclude the resources that have the list from this patch, and add to their list with a JSON6902 patch"
            };
            Hint::Change(format!("to keep the elements, {way}: `op: add`, `path: /{pointer}/-`"))
        };
        let names = vec![self.name.to_owned()];
        let remark = PatchRemark::ReplacedList { path, names, kind, has_schema, lost };
        self.push(Diagnostic::new(remark, patch.mark).hint(hint).fix(fix));
    }

    /// Adds the current resource and its loss to the warning about a list that the same patch
    /// replaces in other resources. Returns false if there is none.
    fn add_to_replaced_list(&mut self, mark: Mark, more: &[String]) -> bool {
        let same = self.warnings.iter_mut().filter(|it| it.mark == mark);
        let mut same = same.filter_map(|it| match &mut it.remark {
            Remark::Patch(PatchRemark::ReplacedList { names, lost, .. }) => Some((names, lost)),
            _ => None,
        });
        let Some((names, lost)) = same.next() else { return false };
        let add = |list: &mut Vec<String>, one: &str| {
            if !list.iter().any(|it| it == one) {
                list.push(one.to_owned());
            }
        };
        add(names, self.name);
        for one in more {
            add(lost, one);
        }
        true
    }

    /// Notes the values or elements that a list loses on purpose, if any.
    fn replaced_values(&mut self, lost: Vec<String>, mark: Mark) {
        if !lost.is_empty() {
            let (path, kind) = (self.at(), self.kind.to_owned());
            self.push(Diagnostic::new(PatchRemark::ReplacedValues { path, kind, lost }, mark));
        }
    }

    /// Warns about a replaced list that has no merge key, in a type with a schema: about values and
    /// elements that are lost, and about fields that the patch's element at the same index lacks.
    fn warn_atomic_list_replaced(&mut self, olds: &[Node], news: &[Node], mark: Mark) {
        if let (Some(before), Some(now)) = (texts(olds), texts(news)) {
            let lost = before.into_iter().filter(|value| !now.contains(value));
            self.replaced_values(lost.map(str::to_owned).collect(), mark);
            return;
        }
        // Every element of the patch is one of the list: the patch leaves out the others.
        let is_part = news.iter().all(|new| is_in(olds, new));
        let left_out = olds
            .iter()
            .enumerate()
            .filter(|(index, old)| !is_in(news, old) && (is_part || *index >= news.len()));
        let left_out = left_out.map(|(index, _)| format!("element {index}"));
        if is_part {
            self.replaced_values(left_out.collect(), mark);
            return;
        }
        // Elements of other things at one index are a replacement on purpose.
        let is_other = |(old, new): (&Node, &Node)| !is_same_thing(old, new);
        if olds.iter().zip(news).any(is_other) {
            return;
        }
        let missing = |(index, old): (usize, &Node)| {
            let new = news.get(index).filter(|new| new.as_mapping().is_some())?;
            let keys = old.entries().iter().filter_map(|entry| entry.key.text());
            let keys = keys.filter(|key| new.get(key).is_none());
            Some(keys.map(move |key| format!("{key} of element {index}")).collect::<Vec<_>>())
        };
        let lost: Vec<String> = olds.iter().enumerate().filter_map(missing).flatten().collect();
        // An element with other fields only is a replacement on purpose.
        let shares = olds.iter().zip(news).any(|(old, new)| {
            let mut keys = old.entries().iter().filter_map(|entry| entry.key.text());
            keys.any(|key| new.get(key).is_some())
        });
        if lost.is_empty() || !shares {
            return;
        }
        let lost = lost.into_iter().chain(left_out).collect();
        let hint = atomic_list_hint(&self.pointer(), olds, news);
        let kind = self.kind.to_owned();
        let remark = PatchRemark::ReplacedElements { path: self.at(), kind, lost };
        self.push(Diagnostic::new(remark, mark).hint(Hint::Change(hint)));
    }

    /// A fix that adds a schema which gives the current list a merge key.
    fn schema_stub(&self, key: &str) -> Option<Fix> {
        let (group, version) = self.api_version.rsplit_once('/').unwrap_or(("", self.api_version));
        let is_plain = |text: &str| {
            !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c))
        };
        if !is_plain(version)
            || !is_plain(self.kind)
            || !self.path().iter().all(|key| is_plain(key))
        {
            return None;
        }
        let kind = &self.kind;
        let name = if group.is_empty() { "core" } else { group };
        let mut text = format!("definitions:\n  {name}.{version}.{kind}:\n");
        text.push_str("    x-kubernetes-group-version-kind:\n");
        text.push_str(&format!("    - {{group: {group:?}, version: {version}, kind: {kind}}}\n"));
        let mut spaces = " ".repeat(4);
        for key in self.path() {
            text.push_str(&format!(
                "{spaces}type: object\n{spaces}properties:\n{spaces}  {key}:\n"
            ));
            spaces.push_str("    ");
        }
        text.push_str(&format!("{spaces}type: array\n{spaces}items: {{type: object}}\n"));
        text.push_str(&format!("{spaces}x-kubernetes-patch-merge-key: {key}\n"));
        text.push_str(&format!("{spaces}x-kubernetes-patch-strategy: merge\n"));
        let (field, name) = ("openapi".to_owned(), "openapi.yaml".to_owned());
        Some(Fix::AddFile { field, name, text })
    }

    /// Warns about a list of a built-in type that is replaced because a custom schema has no merge
    /// key for it (ruling 5). Returns false for any other list.
    fn warn_lost_merge_key(&mut self, patch: &Node) -> bool {
        let keys = Schema::builtin().merge_keys_at(self.api_version, self.kind, &self.path());
        let Some(keys) = keys else { return false };
        let keys = keys.names().map(str::to_owned).collect();
        let remark =
            OpenApiRemark::LostMergeKey { path: self.at(), kind: self.kind.to_owned(), keys };
        self.push(Diagnostic::new(remark, patch.mark));
        true
    }

    /// Warns if elements of the patch lack all merge keys and elements of the target are lost for
    /// that reason. Elements that the patch deletes by another field are lost on purpose, and those
    /// that it repeats are not lost.
    pub(super) fn warn_elements_without_key(
        &mut self,
        (target, patch): (&[Node], &[Node]),
        names: &[&str],
    ) {
        let has_key = |item: &&Node| names.iter().any(|key| item.get(key).is_some());
        let without: Vec<&Node> = patch.iter().filter(|item| !has_key(item)).collect();
        let Some(first) = without.first() else { return };
        let is_deleted = |old: &Node| {
            let mut deletions = without.iter().filter(|item| directive(item) == Some("delete"));
            deletions.any(|item| {
                let own = item.entries().iter().filter(|it| it.key.text() != Some("$patch"));
                let mut own = own.map(|it| (it.key.text().unwrap_or_default(), &it.value));
                own.all(|(key, value)| old.get(key).is_some_and(|was| was.same_content(value)))
            })
        };
        let is_repeated = |old: &Node| {
            let mut keys = names.iter().filter_map(|key| Some((key, old.get(key)?)));
            keys.any(|(key, was)| {
                patch.iter().any(|item| item.get(key).is_some_and(|now| now.same_content(was)))
            })
        };
        let is_lost = |old: &&Node| has_key(old) && !is_deleted(old) && !is_repeated(old);
        if target.iter().any(|old| is_lost(&old)) {
            let keys = names.iter().map(|key| (*key).to_owned()).collect();
            let remark = PatchRemark::WithoutKey { path: self.at(), keys };
            self.push(Diagnostic::new(remark, first.mark));
        }
    }

    /// Warns about a new element whose first key equals that of an existing one, while a second key
    /// differs, or another element of the patch has the same key.
    pub(super) fn warn_lost_element(
        &mut self,
        item: &Node,
        names: &[&str],
        (target, patch): (&Node, &[Node]),
    ) {
        let Some(first) = names.first() else { return };
        let Some(wanted) = item.text_of(first) else { return };
        let mut olds = target.items().unwrap_or_default().iter();
        if !olds.any(|old| old.text_of(first) == Some(wanted)) {
            return;
        }
        let is_same =
            |other: &&Node| names.iter().all(|key| other.text_of(key) == item.text_of(key));
        let same: Vec<&Node> = patch.iter().filter(is_same).collect();
        let is_deleted = same.iter().any(|other| directive(other) == Some("delete"));
        let (cause, hint): (_, Hint) = match names.get(1) {
            _ if is_deleted => (
                "the same patch deletes this element".to_owned(),
                "remove the element with `$patch: delete`: the other one is merged by its key"
                    .into(),
            ),
            _ if same.len() > 1 => (
                "the patch has this element twice".to_owned(),
                "write one element with this key".into(),
            ),
            Some(second) => (
                format!("only one side has {second}"),
                format!("write {second} in both the patch and the resource, or in neither").into(),
            ),
            None => return,
        };
        let (key, value, path) = ((*first).to_owned(), wanted.to_owned(), self.at());
        let remark = PatchRemark::LostElement { key, value, path, cause };
        self.push(Diagnostic::new(remark, item.mark).hint(hint));
    }

    pub(super) fn warn_element_replaced(&mut self, patch: &Node) {
        self.push(Diagnostic::new(PatchRemark::ReplaceOfElement(self.at()), patch.mark));
    }

    pub(super) fn new_field(&mut self, key: &str, entry: &MappingEntry) {
        let is_directive = key.starts_with("$setElementOrder/")
            || key.starts_with("$deleteFromPrimitiveList/")
            || key == "$retainKeys";
        if is_directive {
            let remark = PatchRemark::UnknownDirective(key.to_owned());
            self.push(Diagnostic::new(remark, entry.key.mark));
        }
    }
}

/// The advice for a patch that replaces the elements of a list and loses fields.
fn atomic_list_hint(pointer: &str, olds: &[Node], news: &[Node]) -> String {
    match json_patch(pointer, olds, news) {
        Some(operations) => format!(
            "write the whole elements, or keep the rest with a JSON6902 patch: `{operations}`"
        ),
        None => format!(
            "write the whole elements, or change one field with a JSON6902 patch: `op: replace`, a path such as /{pointer}/0/FIELD"
        ),
    }
}

const MAX_OPERATIONS: usize = 4;

/// The JSON patch that makes the changes of a patch's list in the elements of the target at the
/// same indices, and keeps the rest; `None` if it is long, or an element is not a mapping.
fn json_patch(pointer: &str, olds: &[Node], news: &[Node]) -> Option<String> {
    let mut operations = Vec::new();
    let mut add = |operation: &str, path: String, value: &Node| {
        let value = to_json(value).ok()?;
        let path = to_json(&Node::string(format!("/{pointer}/{path}"))).ok()?;
        operations
            .push(format!("{{\"op\": \"{operation}\", \"path\": {path}, \"value\": {value}}}"));
        Some(())
    };
    for (index, new) in news.iter().enumerate() {
        let Some(old) = olds.get(index) else {
            add("add", "-".to_owned(), new)?;
            continue;
        };
        old.as_mapping()?;
        for entry in new.as_mapping().map(|_| new.entries())? {
            let key = entry.key.text()?;
            let before = old.get(key);
            if before.is_some_and(|before| before.same_content(&entry.value)) {
                continue;
            }
            let operation = if before.is_some() { "replace" } else { "add" };
            let key = key.replace('~', "~0").replace('/', "~1");
            add(operation, format!("{index}/{key}"), &entry.value)?;
        }
    }
    let is_short = (1..=MAX_OPERATIONS).contains(&operations.len());
    is_short.then(|| format!("[{}]", operations.join(", ")))
}

/// The texts of a list; `None` if it has elements that are not texts.
fn texts(items: &[Node]) -> Option<Vec<&str>> {
    items.iter().map(Node::text).collect()
}

fn is_in(items: &[Node], one: &Node) -> bool {
    items.iter().any(|item| item.same_content(one))
}

/// The names of the elements that a patch replaces by others; `None` if an element has no name.
fn replaced_names(olds: &[Node], news: &[Node]) -> Option<Vec<String>> {
    let names = |items: &[Node]| -> Option<Vec<String>> {
        items.iter().map(|item| item.get("name")?.text().map(str::to_owned)).collect()
    };
    let (mut lost, news) = (names(olds)?, names(news)?);
    lost.retain(|name| !news.contains(name));
    Some(lost)
}

/// A key that can identify the elements of both lists: all elements have it, with unique values in
/// each list.
fn merge_key(olds: &[Node], news: &[Node]) -> Option<&'static str> {
    let tells_apart = |items: &[Node], key: &str| {
        let mut seen = std::collections::BTreeSet::new();
        items.iter().all(|item| item.text_of(key).is_some_and(|text| seen.insert(text)))
    };
    let mut keys = ["name", "key", "id"].into_iter();
    keys.find(|key| tells_apart(olds, key) && tells_apart(news, key))
}
