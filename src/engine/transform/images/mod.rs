//! `images` (section 4.6): one entry, and its effect on an image.

mod names;
mod pattern;

use std::sync::{Arc, Mutex, PoisonError};

use crate::diagnostic::{Diagnostic, EntryRemark, ResourceFault, UnwrittenCause};
use crate::manifest::{FieldSpec, Marked, PlainEntry};
use crate::profile::{Profile, Switch};
use crate::resource::{QuickMap, ResMap, Resource, SelectorError, Slot};
use crate::yaml::{Mark, Node, NodeKind, Tag};

use super::field_walk::{
    FieldSpecPath, FieldWriter, PathsByType, Rewrite, WriteField, compile, rewrite_scalar,
};
use super::{
    Context, DerivedValue, NamedTransformer, StepInputs, TransformError, TransformResult,
    Transformer, UnwrittenField, ValueSource,
};
use names::no_such_image;
use pattern::{ImagePattern, split};

pub(super) fn transformers(
    entries: &[Marked<PlainEntry>],
    specs: &[FieldSpec],
    profile: Profile,
) -> Vec<NamedTransformer> {
    let paths: Arc<[FieldSpecPath]> = compile(specs.to_vec()).into();
    let imageless = Imageless::default();
    let one = |entry: &Marked<PlainEntry>| -> NamedTransformer {
        let image = ImageEntry::from_entry(&entry.value);
        let transformer = ImageTagTransformer {
            pattern: ImagePattern::new(&image.name, profile.has(Switch::OnlySha256)),
            paths: Arc::clone(&paths),
            imageless: Arc::clone(&imageless),
            refuses_words: profile.has(Switch::StringVolumesFail),
            image,
        };
        (transformer.image.in_one_line(), Box::new(transformer))
    };
    entries.iter().map(one).collect()
}

#[derive(Clone, Debug, Default, PartialEq)]
struct ImageEntry {
    /// `name`: pasted into a regular expression.
    name: String,
    new_name: Marked<String>,
    tag_suffix: Marked<String>,
    new_tag: Marked<String>,
    digest: Marked<String>,
}

impl ImageEntry {
    fn from_entry(entry: &PlainEntry) -> Self {
        let [name, new_name, tag_suffix, new_tag, digest] = entry.values();
        Self { name: name.value, new_name, tag_suffix, new_tag, digest }
    }

    /// The entry on one line, for the title of a step: `nginx → :1.27`.
    fn in_one_line(&self) -> String {
        let parts = [(":", &self.new_tag), ("@", &self.digest), (" …", &self.tag_suffix)];
        let new = joined(&self.new_name.value, parts.map(|(sign, part)| (sign, &*part.value)));
        format!("{} → {new}", self.name)
    }

    fn new_image(&self, old: &str) -> String {
        let (name, mut tag, mut digest) = split(old);
        if !self.new_tag.value.is_empty() || !self.digest.value.is_empty() {
            (tag, digest) = (self.new_tag.value.clone(), self.digest.value.clone());
        } else if !self.tag_suffix.value.is_empty() {
            tag.push_str(&self.tag_suffix.value);
            digest.clear();
        }
        let name = if self.new_name.value.is_empty() { &name } else { &self.new_name.value };
        joined(name, [(":", &tag), ("@", &digest)])
    }
}

/// A name, followed by the parts that are not empty, each after its sign.
fn joined<const N: usize>(name: &str, parts: [(&str, &str); N]) -> String {
    let parts = parts.iter().filter(|(_, part)| !part.is_empty());
    parts.fold(name.to_owned(), |text, (sign, part)| text + sign + part)
}

/// The resources in which an entry of a list found no field for an image: the other entries leave
/// them out.
type Imageless = Arc<Mutex<QuickMap<Slot, Arc<Resource>>>>;

/// Changes names, tags and digests of the images that one entry of `images` matches.
#[derive(Clone, Debug)]
struct ImageTagTransformer {
    image: ImageEntry,
    pattern: ImagePattern,
    paths: Arc<[FieldSpecPath]>,
    imageless: Imageless,
    /// True if a volume that is a string fails the build.
    refuses_words: bool,
}

impl ImageTagTransformer {
    /// The mark for the values that the entry writes: that of its first set field, with tag and
    /// digest before the name. Records the other marks, and whether a part of the old image is
    /// kept.
    fn record_derived_values(&self, cx: &mut Context<'_>) -> Mark {
        let ImageEntry { new_name, tag_suffix, new_tag, digest, .. } = &self.image;
        let parts = [new_tag, digest, tag_suffix, new_name];
        let given = parts.into_iter().filter(|it| !it.value.is_empty());
        let mut marks = given.map(|it| it.mark.written_by(cx.mark));
        let mark = marks.next().unwrap_or(cx.mark);
        let mut from: Vec<ValueSource> = marks.map(ValueSource::Place).collect();
        if new_name.value.is_empty() || new_tag.value.is_empty() && digest.value.is_empty() {
            from.push(ValueSource::PreviousValue);
        }
        cx.derived.push(DerivedValue { slot: None, key: None, mark, from });
        mark
    }

    /// A scalar with its image rewritten. As in Kustomize, a null counts as the text with which it
    /// is written.
    fn rewrite(&self, node: &Node, mark: Mark) -> Result<Rewrite, TransformError> {
        let Some(scalar) = node.as_scalar() else {
            return Err(TransformError::wrong_kind(NodeKind::Scalar, node));
        };
        if !self.pattern.matches(&scalar.text) {
            return Ok(Rewrite::NO);
        }
        rewrite_scalar(node, self.image.new_image(&scalar.text), Tag::None, mark)
    }

    /// Writes the images of one resource in two passes: containers anywhere in the tree, for any
    /// type, then the configured field specs. Returns whether an image was written a second time.
    fn write_images<'a>(
        &'a self,
        (slot, mark): (Slot, Mark),
        selected: &mut PathsByType<'a>,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<bool, TransformError> {
        let Some(resource) = resources.get(slot) else { return Ok(false) };
        if &*resource.id.gvk.kind == "CustomResourceDefinition" {
            return Ok(false);
        }
        let mut imageless = self.imageless.lock().unwrap_or_else(PoisonError::into_inner);
        if imageless.get(&slot).is_some_and(|known| Arc::ptr_eq(known, resource)) {
            return Ok(false);
        }
        let mut has_image = false;
        let mut result = rewrite_containers(&resource.node, &mut |node| {
            has_image = true;
            self.rewrite(node, mark)
        })
        .map_err(|error| error.with_hint(NO_TEXT))?;
        // True if an image that this step had already written is written again.
        let mut again = false;
        let mut has_strings = false;
        let mut write = |node: &Node| {
            has_image = true;
            let written = self.rewrite(node, mark)?;
            let is_new = |new: &Node| new.text() != node.text();
            again |= node.mark == mark && written.node.as_ref().is_some_and(is_new);
            Ok(written.claimed(node, mark))
        };
        let mut writer = FieldWriter::of_existing(mark, &mut write);
        for path in selected.paths_for(&resource.id.gvk).iter() {
            let now = result.node.as_ref().unwrap_or(&resource.node);
            let is_odd = has_string_volumes(now, path);
            has_strings |= is_odd;
            // Kustomize has field specs for image volumes for every kind and fails for such volumes,
            // even on its master branch; here only profiles with the switch fail.
            if is_odd && !self.refuses_words {
                continue;
            }
            result.then(path.rewrite(now, &mut writer).map_err(|error| {
                // Releases before v5.7.0 do not read an object whose volumes are strings.
                let hint = is_odd.then(|| {
                    format!(
                        "`spec.volumes` of this object contains strings, and Kustomize expects an image there since v5.7.0: load {} {} in a layer that \
                         `images` does not reach, or build as before with --like v5.6.0",
                        resource.id.gvk.kind, resource.id.name
                    )
                });
                path.error_for(error, &resource.id).with_hint_if(hint)
            })?);
        }
        if !has_image && !has_strings {
            imageless.insert(slot, Arc::clone(resource));
        }
        cx.matched += usize::from(result.is_met);
        if let Some(node) = result.node {
            resources.update(slot, |resource| resource.node = node);
        }
        Ok(again)
    }

    fn bad_name(&self, mark: Mark) -> TransformError {
        let hint = "released versions of Kustomize crash here: correct the name";
        let fault = ResourceFault::BadImageName(self.image.name.clone());
        TransformError::fault(fault, mark).with_hint(hint)
    }
}

impl Transformer for ImageTagTransformer {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        let fault = match &self.pattern {
            ImagePattern::Expression(Err(fault)) => Some(fault),
            _ => None,
        };
        if let Some(fault) = fault.filter(|fault| fault.is_too_large) {
            return Err(SelectorError::Regex(fault.clone()).into());
        }
        let mark = self.record_derived_values(cx);
        if fault.is_some() && cx.profile.has(Switch::BadImageNameFails) {
            return if names::has_images(resources) { Err(self.bad_name(cx.mark)) } else { Ok(()) };
        }
        let mut selected = PathsByType::new(&self.paths);
        let mut twice = None;
        for slot in resources.slots() {
            let again = cx.apply_or_reuse(resources, slot, |resources, cx| {
                self.write_images((slot, mark), &mut selected, resources, cx).map(Some)
            })?;
            if again == Some(true) {
                twice = twice.or(Some(slot));
            }
        }
        if let Some(resource) = twice.and_then(|slot| resources.get(slot)) {
            let is_suffix = !self.image.tag_suffix.value.is_empty();
            let first = Box::new(resource.id.clone());
            let remark = EntryRemark::ImageTwice { is_suffix, first };
            cx.warnings.push(Diagnostic::new(remark, cx.mark));
        }
        if cx.matched == 0 {
            cx.warnings.push(no_such_image(&self.image, resources, cx.mark));
        }
        Ok(())
    }

    fn why_unwritten(&self, asked: &UnwrittenField<'_>) -> Option<UnwrittenCause> {
        names::why_unwritten(&self.image.name, &self.pattern, &self.paths, asked)
    }

    fn step_inputs(&self) -> Option<Arc<dyn StepInputs>> {
        Some(Arc::new((self.image.clone(), self.paths.clone(), self.refuses_words)))
    }
}

const NO_TEXT: &str = "`images` expects a text in `image` of every container of every type: load this object in a layer that `images` does not reach";

/// True if the field spec is one for image volumes and the volumes of the resource are strings, as
/// in a `PodSecurityPolicy`.
fn has_string_volumes(node: &Node, path: &FieldSpecPath) -> bool {
    let Some(above) = path.spec().path.strip_suffix("[]/image/reference") else { return false };
    let volumes = above.split('/').try_fold(node, |node, key| node.get(key));
    volumes
        .and_then(Node::items)
        .is_some_and(|items| items.iter().any(|item| item.as_scalar().is_some()))
}

const CONTAINERS: [&str; 2] = ["containers", "initContainers"];

/// The tree with the images of all containers in it written, the deepest first.
fn rewrite_containers(node: &Node, write: &mut WriteField<'_>) -> Result<Rewrite, TransformError> {
    let mut result = Rewrite::NO;
    for (index, item) in node.items().unwrap_or_default().iter().enumerate() {
        if item.as_scalar().is_none() {
            result.add_item(node, index, rewrite_containers(item, write)?);
        }
    }
    for (index, entry) in node.entries().iter().enumerate() {
        if entry.value.as_scalar().is_some() {
            continue;
        }
        let mut value = rewrite_containers(&entry.value, write)?;
        if entry.key.text().is_some_and(|key| CONTAINERS.contains(&key)) {
            let list = value.node.clone();
            value.then(rewrite_images(list.as_ref().unwrap_or(&entry.value), write)?);
        }
        result.add_value(node, index, value);
    }
    Ok(result)
}

/// A list of containers with the `image` of each written; a null has none.
fn rewrite_images(list: &Node, write: &mut WriteField<'_>) -> Result<Rewrite, TransformError> {
    let mut result = Rewrite::NO;
    for (index, element) in list.items().unwrap_or_default().iter().enumerate() {
        let Some(mapping) = element.as_mapping() else {
            if element.is_null() {
                continue;
            }
            return Err(TransformError::wrong_kind(NodeKind::Mapping, element));
        };
        if let Some(place) = mapping.place("image") {
            let mut written = Rewrite::NO;
            written.add_value(element, place, write(&mapping.entries[place].value)?);
            result.add_item(list, index, written);
        }
    }
    Ok(result)
}
