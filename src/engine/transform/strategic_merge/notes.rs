//! What a strategic merge does that people do not expect (ruling 2).

use crate::diagnostic::{Code, Diagnostic};
use crate::resource::Schema;
use crate::yaml::{Entry, Mark, Node};

use super::map::directive;

/// Collects warnings, each only once per place in the patch, and knows the path for their texts.
pub(in crate::transform) struct Notes<'w> {
    path: Vec<String>,
    has_schema: bool,
    api_version: String,
    kind: String,
    warnings: &'w mut Vec<Diagnostic>,
}

impl<'w> Notes<'w> {
    pub(super) fn new(
        has_schema: bool,
        (api_version, kind): (&str, &str),
        warnings: &'w mut Vec<Diagnostic>,
    ) -> Self {
        let (api_version, kind) = (api_version.to_owned(), kind.to_owned());
        Self { path: Vec::new(), has_schema, api_version, kind, warnings }
    }

    pub(super) fn enter(&mut self, key: &str) {
        self.path.push(key.to_owned());
    }

    pub(super) fn leave(&mut self) {
        self.path.pop();
    }

    fn push(&mut self, code: Code, message: String, hint: &str, mark: Mark) {
        if !self.warnings.iter().any(|other| other.code == code && other.mark == mark) {
            self.warnings.push(Diagnostic::new(code, message, mark).hint(hint));
        }
    }

    /// The keys to where the walk is.
    pub(super) fn path(&self) -> &[String] {
        &self.path
    }

    fn at(&self) -> String {
        self.path.join(".")
    }

    pub(super) fn root_replace(&mut self, patch: &Node) {
        let mark = patch.get("$patch").map_or(patch.mark, |word| word.mark);
        let message = "`$patch: replace` at the root of a patch has no effect".to_owned();
        self.push(Code::KZ201, message, "put it on a field below the root", mark);
    }

    pub(super) fn replaced_list(&mut self, target: &Node, patch: &Node) {
        let is_named = |node: &Node| {
            node.items().is_some_and(|items| items.iter().any(|item| item.get("name").is_some()))
        };
        let loses = target.items().is_some_and(|items| !items.is_empty());
        if loses && self.lost_merge_key(patch) {
            return;
        }
        // Of a type without a schema, a list of mappings may have any key: what is not in the patch goes.
        let is_lost = |node: &Node| {
            let kept = patch.items().unwrap_or_default();
            node.as_mapping().is_some() && !kept.iter().any(|item| item.same_content(node))
        };
        let loses_mappings = !self.has_schema
            && patch.items().is_some_and(|items| !items.is_empty())
            && target.items().unwrap_or_default().iter().any(is_lost);
        let may_lose = loses_mappings || loses && is_named(target) && is_named(patch);
        // Who writes an element for each that was there, with all that it had, means to replace them.
        if !may_lose || stands_for(patch, target) {
            return;
        }
        let (at, kind) = (self.at(), &self.kind);
        let (message, hint) = if self.has_schema {
            (
                format!("the list {at} is replaced whole: {kind} gives it no merge key"),
                "give the list a merge key in the schema, write the whole list in the patch, or use a JSON6902 patch",
            )
        } else {
            (
                format!("the list {at} is replaced whole: there is no schema for this {kind}"),
                "give its OpenAPI schema with `openapi`, or use a JSON6902 patch",
            )
        };
        self.push(Code::KZ202, message, hint, patch.mark);
    }

    /// A list of a built-in type that is replaced only because a custom schema took the built-in one's place
    /// (ruling 5).
    fn lost_merge_key(&mut self, patch: &Node) -> bool {
        let keys = Schema::builtin().merge_keys_at(&self.api_version, &self.kind, &self.path);
        let Some(keys) = keys else { return false };
        let by = match keys.names().collect::<Vec<_>>().as_slice() {
            [] => String::new(),
            names => format!(" by {}", names.join(" and ")),
        };
        let message = format!(
            "the list {} of {} is replaced whole: the schema of `openapi.path` took the place of the built-in one, which merges it{by}",
            self.at(),
            self.kind
        );
        let hint = "add `mode: merge` under `openapi`, so that the built-in schema stays";
        self.push(Code::KZ601, message, hint, patch.mark);
        true
    }

    pub(super) fn without_key(&mut self, patch: &Node, names: &[&str]) {
        let at = self.at();
        for item in patch.items().unwrap_or_default() {
            if names.iter().all(|key| item.get(key).is_none()) {
                let message = format!(
                    "an element of {at} has no {}: Kustomize throws out every element that has one",
                    names.join(" or ")
                );
                self.push(Code::KZ203, message, "name the element that is meant", item.mark);
            }
        }
    }

    pub(super) fn lost(&mut self, item: &Node, names: &[&str], target: &Node) {
        let text = |node: &Node, key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
        let Some(first) = names.first() else { return };
        let Some(wanted) = text(item, first) else { return };
        let other = target.items().unwrap_or_default().iter();
        let is_near = |other: &&Node| text(other, first).as_deref() == Some(&wanted);
        if other.filter(is_near).count() == 0 {
            return;
        }
        let key = names.get(1).unwrap_or(first);
        let message = format!(
            "what the patch says about {first} {wanted} in {} is lost: one side has {key}, the other has not",
            self.at()
        );
        let hint = format!("write {key} in both, or in neither");
        self.push(Code::KZ204, message, &hint, item.mark);
    }

    pub(super) fn replace_element(&mut self, patch: &Node) {
        if directive(patch) == Some("replace") {
            let message = format!("`$patch: replace` on an element of {} has no effect", self.at());
            self.push(
                Code::KZ205,
                message,
                "put it on a mapping, or as an element of its own",
                patch.mark,
            );
        }
    }

    pub(super) fn new_field(&mut self, key: &str, entry: &Entry) {
        let is_directive = key.starts_with("$setElementOrder/")
            || key.starts_with("$deleteFromPrimitiveList/")
            || key == "$retainKeys";
        if is_directive {
            let message =
                format!("Kustomize does not know `{key}`: it stays in the output as data");
            self.push(Code::KZ206, message, "remove it from the patch", entry.key.mark);
        }
    }
}

/// True when a value has everything that another one has: every key, and an element for each element, which is the one
/// of the same name or else the one in the same place.
fn stands_for(new: &Node, old: &Node) -> bool {
    if let (Some(news), Some(olds)) = (new.items(), old.items()) {
        let name = |node: &Node| node.get("name").and_then(Node::text).map(str::to_owned);
        let one = |(place, old): (usize, &Node)| {
            let same = name(old)
                .and_then(|wanted| news.iter().find(|new| name(new).as_deref() == Some(&wanted)));
            same.or_else(|| news.get(place)).is_some_and(|new| stands_for(new, old))
        };
        return news.len() >= olds.len() && olds.iter().enumerate().all(one);
    }
    let has = |entry: &crate::yaml::Entry| {
        let key = entry.key.text().unwrap_or_default();
        new.get(key).is_some_and(|new| stands_for(new, &entry.value))
    };
    old.entries().iter().all(has)
}
