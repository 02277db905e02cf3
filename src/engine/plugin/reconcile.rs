//! Matches the returned objects of a function with its input objects, and removes the annotations
//! that were added for the function (C.3).

use indexmap::IndexMap;

use crate::diagnostic::{PluginFault, printable};
use crate::resource::{FilePlace, Gvk, ResId, Resource, Scopes, set_annotation, take_annotation};
use crate::yaml::{MappingEntry, Mark, Node};

use super::wire::{ID_ANNOTATIONS, INDEX_ANNOTATIONS, OutgoingObject, PATH_ANNOTATIONS};

const RESERVED_PREFIX: &str = "internal.config.kubernetes.io/";

#[derive(Clone, Debug)]
pub(super) struct ReturnedObject {
    /// The object without the annotations that were added for the function, and with the internal
    /// data of its input (D-C8).
    pub(super) resource: Resource,
    pub(super) input: Option<usize>,
}

/// The function that returned the output, and the location of its configuration.
#[derive(Clone, Copy, Debug)]
pub struct ReplyingFunction<'a> {
    pub configured_by: &'a str,
    pub mark: Mark,
    /// True for an entry of a Composition, whose new objects may be marked as generated (D-A30).
    pub composed: bool,
    pub sent: &'a [OutgoingObject],
}

pub(super) fn match_returned_objects(
    returned: Vec<Node>,
    scopes: &Scopes,
    ReplyingFunction { configured_by, sent, .. }: ReplyingFunction<'_>,
) -> (Result<Vec<ReturnedObject>, PluginFault>, Vec<String>) {
    let mut warnings = Vec::new();
    let mut by_id: IndexMap<Key, usize> = IndexMap::new();
    for (index, item) in sent.iter().enumerate() {
        by_id.insert(key(&item.resource.id), index);
    }
    let mut taken = vec![false; sent.len()];
    let mut back = Vec::with_capacity(returned.len());
    for node in returned {
        let mut visitor = ObjectReceiver {
            configured_by,
            warnings: &mut warnings,
            resource: Resource::new(node, scopes),
        };
        let input = visitor.find_input(&by_id, &taken);
        if let Some(flag) = input.and_then(|index| taken.get_mut(index)) {
            *flag = true;
        }
        match visitor.receive(input.and_then(|index| sent.get(index))) {
            Ok(resource) => back.push(ReturnedObject { resource, input }),
            Err(error) => return (Err(error), warnings),
        }
    }
    (Ok(back), warnings)
}

/// A key that is equal for ids that Kustomize considers equal.
type Key = (Gvk, std::sync::Arc<str>, String);

fn key(id: &ResId) -> Key {
    (id.gvk.clone(), id.name.clone(), id.effective_namespace().to_owned())
}

/// A returned object, while its input object is searched and its internal data are restored.
struct ObjectReceiver<'a> {
    configured_by: &'a str,
    warnings: &'a mut Vec<String>,
    resource: Resource,
}

impl ObjectReceiver<'_> {
    /// Finds the input object by the id annotation, unless its spellings differ, else by the
    /// identity of the object.
    fn find_input(&mut self, by_id: &IndexMap<Key, usize>, taken: &[bool]) -> Option<usize> {
        let free = |index: &usize| taken.get(*index) == Some(&false);
        let written = match ID_ANNOTATIONS.map(|key| self.resource.annotation(key)) {
            [Some(new), Some(old)] if new != old => None,
            [new, old] => new.or(old),
        };
        let number = written.and_then(|number| number.parse::<usize>().ok()?.checked_sub(1));
        let input = number.filter(free);
        let input = input.or_else(|| by_id.get(&key(&self.resource.id)).copied().filter(free));
        if let Some(index) = input {
            let expected = (index + 1).to_string();
            for key in ID_ANNOTATIONS {
                if self.resource.annotation(key).is_some_and(|text| text != expected) {
                    self.changed(key);
                }
            }
        }
        input
    }

    fn changed(&mut self, key: &str) {
        let configured_by = self.configured_by;
        self.warnings.push(format!("function {configured_by} changed reserved annotation {key}"));
    }

    /// The object with the internal data of its input, and path and index for the next function.
    fn receive(mut self, input: Option<&OutgoingObject>) -> Result<Resource, PluginFault> {
        let sent = input.map(OutgoingObject::wire_position).transpose()?;
        let [sent_path, sent_index] = sent.unwrap_or_default();
        let node = &mut self.resource.node;
        let [path, index] = [PATH_ANNOTATIONS, INDEX_ANNOTATIONS]
            .map(|keys| keys.map(|key| take_annotation(node, key)));
        for key in ID_ANNOTATIONS {
            take_annotation(node, key);
        }
        self.warn_of_added_annotations(input);
        let path = self.merge_spellings(path, sent_path.as_deref(), "path")?;
        let index = self.merge_spellings(index, sent_index.as_deref(), "index")?;
        let path = self.path_within_root(path, sent_path.as_deref()).or(sent_path);
        let path = path.unwrap_or_else(|| default_path(&self.resource.id));
        let place = FilePlace {
            path: path.into(),
            index: index.and_then(|index| index.parse().ok()).unwrap_or(0),
        };
        if let Some(input) = input {
            self.restore(&input.resource, &place);
            let node = std::mem::take(&mut self.resource.node);
            let (id, kept) = (self.resource.id.clone(), Resource::clone(&input.resource));
            self.resource = Resource { node, id, ..kept };
        }
        self.resource.place = Some(place.into());
        Ok(self.resource)
    }

    /// The value of an annotation after the function ran: a spelling that the function changed
    /// takes precedence over an unchanged one.
    fn merge_spellings(
        &self,
        [new, old]: [Option<String>; 2],
        sent: Option<&str>,
        part: &str,
    ) -> Result<Option<String>, PluginFault> {
        let changed = |value: &Option<String>| value.is_some() && value.as_deref() != sent;
        match (changed(&new), changed(&old)) {
            (true, true) if new != old => Err(PluginFault::Other(format!(
                "function {} returned mismatched legacy and internal {part} annotations on {}",
                self.configured_by, self.resource.id
            ))),
            (true, _) => Ok(new),
            (_, true) => Ok(old),
            _ => Ok(sent.map(str::to_owned)),
        }
    }

    /// The path if it is within the root or unchanged; otherwise `None`.
    fn path_within_root(&mut self, path: Option<String>, sent: Option<&str>) -> Option<String> {
        let path = path?;
        let leaves = path.starts_with('/') || path.split('/').any(|part| part == "..");
        if !leaves || sent == Some(&*path) {
            return Some(path);
        }
        self.warnings.push(format!(
            "function {} put {} at '{path}', outside the root; ignored",
            self.configured_by, self.resource.id
        ));
        None
    }

    fn warn_of_added_annotations(&mut self, input: Option<&OutgoingObject>) {
        let entries = self.resource.node.at(&["metadata", "annotations"]).map(Node::entries);
        let keys = entries.unwrap_or_default().iter().filter_map(|entry| entry.key.text());
        for key in keys.filter(|key| key.starts_with(RESERVED_PREFIX)) {
            if input.is_none_or(|input| input.resource.annotation(key).is_none()) {
                let ResId { gvk, name, .. } = &self.resource.id;
                self.warnings.push(format!(
                    "function {} added reserved annotation {} to {}/{name}; it stays in the output",
                    self.configured_by,
                    printable(key),
                    gvk.kind
                ));
            }
        }
    }

    /// Restores annotations that the function must not change, and the path and index annotations
    /// that were already in the file.
    fn restore(&mut self, input: &Resource, place: &FilePlace) {
        let entries = input.node.at(&["metadata", "annotations"]).map(Node::entries);
        for MappingEntry { key, value } in entries.unwrap_or_default() {
            let (Some(key), Some(value)) = (key.text(), value.text()) else { continue };
            let text = match key {
                key if PATH_ANNOTATIONS.contains(&key) => place.path.to_string(),
                key if INDEX_ANNOTATIONS.contains(&key) => place.index.to_string(),
                key if key.starts_with(RESERVED_PREFIX) || ID_ANNOTATIONS.contains(&key) => {
                    value.to_owned()
                }
                _ => continue,
            };
            let now = self.resource.annotation(key).map(str::to_owned);
            if now.as_deref() == Some(&*text) {
                continue;
            }
            if now.is_some() {
                self.changed(key);
            }
            set_annotation(&mut self.resource.node, key, &text);
        }
    }
}

/// The default file of an object: `<namespace>/<kind>_<name>.yaml`, as upstream names it.
fn default_path(id: &ResId) -> String {
    let file = format!("{}_{}.yaml", id.gvk.kind.to_lowercase(), id.name);
    if id.namespace.is_empty() { file } else { format!("{}/{file}", id.namespace) }
}
