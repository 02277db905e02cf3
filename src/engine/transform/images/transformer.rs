//! One entry of `images`, and its effect on an image.

use std::sync::{Arc, Mutex, PoisonError};

use crate::diagnostic::{Diagnostic, EntryRemark, ErrorHint, ResourceFault, UnwrittenCause};
use crate::profile::Switch;
use crate::resource::{ResId, ResMap, Resource, SelectorError, Slot};
use crate::yaml::{Mark, Node};

use super::super::field_walk::{FieldSpecPath, PathsByType, compile, rewrite_fields};
use super::super::set_field::WalkResult;
use super::super::{
    Context, DerivedValue, StepInputs, TransformError, Transformer, TransformerOptions,
    UnwrittenField, ValueSource,
};
use super::containers::rewrite_all_containers;
use super::entry::ImageEntry;
use super::image_texts::ImageTexts;
use super::names::no_such_image;
use super::pattern::ImagePattern;
use super::rewrites::ImageSetter;

/// Changes names, tags and digests of the images that one entry of `images` matches.
#[derive(Clone, Debug)]
pub(in crate::transform) struct ImageTagTransformer {
    image: ImageEntry,
    pattern: ImagePattern,
    paths: Arc<[FieldSpecPath]>,
    /// True if a volume that is a string fails the build.
    refuses_words: bool,
    // Transformers are shared; the listed images change no result.
    texts: Arc<Mutex<ImageTexts>>,
}

impl ImageTagTransformer {
    /// One transformer for each entry of a list, with the field specs for `images`. They share the
    /// listed images.
    pub(in crate::transform) fn all(
        images: impl Iterator<Item = ImageEntry>,
        making: TransformerOptions<'_>,
    ) -> Vec<Self> {
        let paths: Arc<[FieldSpecPath]> = compile(making.specs.to_vec()).into();
        let texts = Arc::<Mutex<ImageTexts>>::default();
        let profile = making.profile;
        let one = |image: ImageEntry| Self {
            pattern: ImagePattern::new(&image.name, profile.has(Switch::OnlySha256)),
            image,
            paths: paths.clone(),
            refuses_words: profile.has(Switch::StringVolumesFail),
            texts: texts.clone(),
        };
        images.map(one).collect()
    }

    /// The mark for the values that the entry writes: that of its first set field, with tag and
    /// digest before the name. Records the other marks, and whether a part of the old image is
    /// kept.
    fn record_derived_values(&self, cx: &mut Context<'_>) -> Mark {
        let ImageEntry { new_name, tag_suffix, new_tag, digest, places, .. } = &self.image;
        let parts = [
            (new_tag, places.new_tag),
            (digest, places.digest),
            (tag_suffix, places.tag_suffix),
            (new_name, places.new_name),
        ];
        let mut given = parts.iter().filter(|(text, _)| !text.is_empty());
        let mark = given.next().map(|(_, mark)| *mark).unwrap_or_default().written_by(cx.mark);
        let mut from: Vec<ValueSource> =
            given.map(|(_, mark)| ValueSource::Place(mark.written_by(cx.mark))).collect();
        if new_name.is_empty() || new_tag.is_empty() && digest.is_empty() {
            from.push(ValueSource::PreviousValue);
        }
        cx.derived.push(DerivedValue { slot: None, key: None, mark, from });
        mark
    }
}

impl Transformer for ImageTagTransformer {
    fn transform(
        &self,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        if let ImagePattern::TooLarge(fault) = &self.pattern {
            return Err(SelectorError::Regex(fault.clone()).into());
        }
        let mark = self.record_derived_values(cx);
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(self.pattern, ImagePattern::Nothing)
            && cx.profile.has(Switch::BadImageNameFails)
        {
            let mut selected = PathsByType::new(&self.paths);
            let is_asked = resources.iter().any(|(slot, resource)| {
                let chosen = selected.paths_for(&resource.id.gvk);
                has_images(resource) && texts.may_have(slot, resource, &chosen, |_| true)
            });
            return if is_asked { Err(self.bad_name(cx.mark)) } else { Ok(()) };
        }
        let setter = ImageSetter {
            image: &self.image,
            pattern: &self.pattern,
            mark,
            claims: false,
            again: false,
        };
        let selected = PathsByType::new(&self.paths);
        let mut work = ImageRun { transformer: self, setter, selected, texts: &mut texts };
        let mut twice = None;
        let slots = resources.slots();
        for (place, slot) in slots.iter().enumerate() {
            let mut is_first = true;
            let done = cx.apply_or_reuse(resources, *slot, |resources, cx| {
                work.both_passes(*slot, resources, cx, &mut is_first).map(Some)
            });
            match done {
                Ok(again) => {
                    if again == Some(true) {
                        twice = twice.or(Some(*slot));
                    }
                }
                Err(error) if is_first => return Err(error),
                // In Kustomize all resources go through the first pass before any resource goes
                // through the second, so that errors of the first pass take precedence.
                Err(error) => {
                    let rest = &slots[place + 1..];
                    let first =
                        rest.iter().find_map(|it| work.containers_pass(*it, resources).err());
                    return Err(first.unwrap_or(error));
                }
            }
        }
        if let Some(resource) = twice.and_then(|slot| resources.get(slot)) {
            cx.warnings.push(self.applied_twice(resource, cx.mark));
        }
        if cx.matched == 0 {
            let known = &mut work.texts.names;
            cx.warnings.push(no_such_image(&self.image, resources, known, cx.mark));
        }
        Ok(())
    }

    fn why_unwritten(&self, asked: &UnwrittenField<'_>) -> Option<UnwrittenCause> {
        super::names::why_unwritten(&self.image.name, &self.pattern, &self.paths, asked)
    }

    fn step_inputs(&self) -> Option<Arc<dyn StepInputs>> {
        Some(Arc::new((self.image.clone(), self.paths.clone(), self.refuses_words)))
    }
}

/// True for a resource whose images are changed.
fn has_images(resource: &Resource) -> bool {
    &*resource.id.gvk.kind != "CustomResourceDefinition"
}

/// The state while one entry of `images` is applied.
struct ImageRun<'a> {
    transformer: &'a ImageTagTransformer,
    setter: ImageSetter<'a>,
    selected: PathsByType<'a>,
    texts: &'a mut ImageTexts,
}

impl ImageRun<'_> {
    /// Runs both passes over one resource. Returns whether an image was written a second time.
    fn both_passes(
        &mut self,
        slot: Slot,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
        is_first: &mut bool,
    ) -> Result<bool, TransformError> {
        let Some(resource) = resources.get(slot).filter(|it| has_images(it)) else {
            return Ok(false);
        };
        let chosen = self.selected.paths_for(&resource.id.gvk);
        let pattern = self.setter.pattern;
        if !self.texts.may_have(slot, resource, &chosen, |image| pattern.matches(image)) {
            return Ok(false);
        }
        self.texts.forget(slot);
        let first = self.containers_pass(slot, resources)?;
        *is_first = false;
        self.setter.again = false;
        self.setter.claims = cx.unplaced.is_none();
        let second = self.transformer.fields_pass(slot, resources, &chosen, &mut self.setter)?;
        self.setter.claims = false;
        if first != WalkResult::No || second != WalkResult::No {
            cx.matched += 1;
        }
        Ok(self.setter.again)
    }

    /// Runs the first pass on a resource: containers anywhere in the tree, for any type.
    fn containers_pass(
        &mut self,
        slot: Slot,
        resources: &mut ResMap,
    ) -> Result<WalkResult, TransformError> {
        let Some(resource) = resources.get(slot).filter(|it| has_images(it)) else {
            return Ok(WalkResult::No);
        };
        let written = rewrite_all_containers(resource, &mut self.setter)
            .map_err(|error| error.into_error().with_hint(NO_TEXT))?;
        if let Some(node) = written.node {
            resources.update(slot, |resource| resource.node = node);
        }
        Ok(written.effect)
    }
}

/// The help for an image that is a mapping or a list.
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

/// The hint for an object whose volumes are strings, which releases before v5.7.0 do not read.
fn string_volumes_hint(id: &ResId) -> ErrorHint {
    ErrorHint::VolumesAreStrings(id.gvk.kind.to_string(), id.name.to_string())
}

impl ImageTagTransformer {
    /// Runs the second pass on a resource: the configured field specs. Volumes that are strings are
    /// skipped: Kustomize has field specs for image volumes for every kind and fails for such
    /// volumes, even on its master branch; here only profiles with the switch fail.
    fn fields_pass(
        &self,
        slot: Slot,
        resources: &mut ResMap,
        chosen: &[&FieldSpecPath],
        setter: &mut ImageSetter<'_>,
    ) -> Result<WalkResult, TransformError> {
        let Some(resource) = resources.get(slot) else { return Ok(WalkResult::No) };
        let is_odd = |path: &&FieldSpecPath| has_string_volumes(&resource.node, path);
        let skips = |path: &&FieldSpecPath| !self.refuses_words && is_odd(path);
        let chosen: Vec<&FieldSpecPath> =
            chosen.iter().copied().filter(|path| !skips(path)).collect();
        let written = rewrite_fields(resource, &chosen, setter).map_err(|error| {
            let hint = chosen.iter().any(is_odd).then(|| string_volumes_hint(&resource.id));
            error.with_hint_if(hint)
        })?;
        if let Some(node) = written.node {
            resources.update(slot, |resource| resource.node = node);
        }
        Ok(written.effect)
    }

    /// The error for a name that is not a valid expression, for which Kustomize panics.
    fn bad_name(&self, mark: Mark) -> TransformError {
        let hint = "released versions of Kustomize crash here: correct the name";
        let fault = ResourceFault::BadImageName(self.image.name.clone());
        TransformError::fault(fault, mark).with_hint(hint)
    }

    /// The diagnostic for an image that the entry changed twice.
    fn applied_twice(&self, resource: &Resource, mark: Mark) -> Diagnostic {
        let is_suffix = !self.image.tag_suffix.is_empty();
        let first = Box::new(resource.id.clone());
        Diagnostic::new(EntryRemark::ImageTwice { is_suffix, first }, mark)
    }
}
