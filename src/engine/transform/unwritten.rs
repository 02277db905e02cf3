//! Explains why a transformer did not write a field.

use crate::diagnostic::UnwrittenCause;
use crate::resource::{
    CompiledSelector, PathStep, Resource, Selector, SelectorMismatch, nearest_name,
};
use crate::yaml::Node;

use super::field_walk::{FieldSpecPath, split_path};

/// A field that a step did not write.
#[derive(Clone, Copy, Debug)]
pub struct UnwrittenField<'a> {
    /// The resource before the step; `None` if it is added later.
    pub resource: Option<&'a Resource>,
    /// The last state of the resource.
    pub last: &'a Resource,
    pub path: &'a [PathStep],
    pub matched: usize,
}

impl UnwrittenField<'_> {
    /// The resource before the step, or its last state.
    pub(super) fn state(&self) -> &Resource {
        self.resource.unwrap_or(self.last)
    }

    pub(super) fn keys(&self) -> Vec<&str> {
        self.path.iter().filter_map(PathStep::key).collect()
    }

    pub(super) fn has_keys(&self, keys: &[&str]) -> bool {
        self.keys() == keys
    }

    pub(super) fn text(&self) -> String {
        self.keys().join(".")
    }

    pub(super) fn matches_field_spec(&self, spec: &str) -> bool {
        let keys = self.keys();
        let parts = split_path(spec);
        parts.len() == keys.len()
            && parts.iter().zip(&keys).all(|(part, key)| part.trim_end_matches("[]") == *key)
    }

    /// True if one of these field specs is for the field of the resource.
    pub(super) fn is_specified(&self, paths: &[FieldSpecPath], resource: &Resource) -> bool {
        paths.iter().any(|path| {
            self.matches_field_spec(&path.spec().path)
                && resource.id.gvk.is_selected_by(&path.spec().gvk)
        })
    }

    /// The cause of a field that no field spec of a kustomization field has for the resource.
    pub(super) fn not_specified(&self, field: &'static str, resource: &Resource) -> UnwrittenCause {
        let (path, kind) = (self.text(), resource.id.gvk.kind.to_string());
        UnwrittenCause::NoFieldSpec { field, path, kind }
    }

    /// Why an entry with this selector and these paths did not write the field; `None` if it
    /// concerns other resources or fields.
    pub(super) fn selector_miss_cause(
        &self,
        selector: &Selector,
        compiled: &CompiledSelector,
        written: &[Vec<String>],
    ) -> Option<UnwrittenCause> {
        let missed = compiled.mismatches(selector, self.state());
        let writes = written.iter().any(|path| self.is_reached_by(path));
        if missed.is_empty() {
            return match self.resource {
                None => writes.then_some(UnwrittenCause::TooEarly),
                Some(_) if writes => None,
                Some(_) => self.similar_field(written).map(UnwrittenCause::OtherField),
            };
        }
        (writes && self.is_meant(selector, &missed)).then_some(UnwrittenCause::Target(missed))
    }

    /// True if a selector that does not match the resource was probably meant for it.
    fn is_meant(&self, selector: &Selector, missed: &[SelectorMismatch]) -> bool {
        let lacks = |part: &str| missed.iter().find(|it| it.part == part);
        if let Some(name) = lacks("name") {
            let names = self.state().names.previous();
            let earlier = names.iter().any(|previous| *previous.name == *name.asked);
            let is_near = nearest_name(&name.asked, std::iter::once(&*name.found)).is_some();
            return missed.len() == 1 && (earlier || self.matched == 0 && is_near);
        }
        if lacks("kind").is_some() {
            return self.matched == 0 && !selector.name.is_empty() && missed.len() <= 3;
        }
        true
    }

    /// True if a written path leads to the field, to a part of it, or to a mapping or list around
    /// it.
    pub(super) fn is_reached_by(&self, path: &[String]) -> bool {
        path.iter().zip(self.path).all(|(part, step)| part_matches_step(part, step))
    }

    /// That of the written paths which differs from the path of the field in only one key, by a
    /// similar name.
    fn similar_field(&self, written: &[Vec<String>]) -> Option<String> {
        let near = |path: &&Vec<String>| {
            let differing =
                || path.iter().zip(self.path).filter(|(part, step)| !part_matches_step(part, step));
            let is_near = |(part, step): (&String, &PathStep)| {
                step.key().is_some_and(|key| nearest_name(part, std::iter::once(key)).is_some())
            };
            path.len() == self.path.len() && differing().count() == 1 && differing().all(is_near)
        };
        Some(written.iter().find(near)?.join("."))
    }
}

/// True if a part of a path matches a step; `*` and `-` match any element of a list.
fn part_matches_step(part: &str, step: &PathStep) -> bool {
    match step {
        PathStep::Key(key) => part == &**key,
        PathStep::Index(index) => matches!(part, "*" | "-") || part.parse() == Ok(*index),
    }
}

/// The keys and indices of a JSON pointer, unescaped. The text before the first slash is ignored.
pub(super) fn pointer_parts(pointer: &str) -> Vec<String> {
    let parts = pointer.split('/').skip(1);
    parts.map(|part| part.replace("~1", "/").replace("~0", "~")).collect()
}

/// The paths of all leaves of a tree; elements of lists are `*`.
pub(super) fn leaf_paths(node: &Node) -> Vec<Vec<String>> {
    let (mut found, mut path) = (Vec::new(), Vec::new());
    gather(node, &mut path, &mut found);
    found
}

fn gather(node: &Node, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let keys = node.entries().iter().map(|entry| entry.key.text().unwrap_or_default());
    let mut children = node.children().zip(keys.chain(std::iter::repeat("*"))).peekable();
    if children.peek().is_none() {
        found.push(path.clone());
    }
    for (child, key) in children {
        path.push(key.to_owned());
        gather(child, path, found);
        path.pop();
    }
}
