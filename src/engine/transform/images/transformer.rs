//! One entry of `images`, and its effect on an image.

use std::sync::{Arc, Mutex, PoisonError};

use crate::diagnostic::{Diagnostic, EntryRemark, ResourceFault, UnwrittenCause};
use crate::profile::Switch;
use crate::resource::{ResMap, Resource, SelectorError, Slot};
use crate::yaml::{Mark, Node};

use super::super::field_walk::{FieldSpecPath, FieldWriter, PathsByType, compile, rewrite_fields};
use super::super::set_field::{Rewrite, WalkResult};
use super::super::{
    Context, DerivedValue, StepInputs, TransformError, TransformResult, Transformer,
    TransformerOptions, UnwrittenField, ValueSource,
};
use super::containers::{may_share_containers, rewrite_all_containers};
use super::entry::ImageEntry;
use super::image_index::ImageIndex;
use super::names::no_such_image;
use super::pattern::ImagePattern;
use super::rewrites::Rewrites;

/// Changes names, tags and digests of the images that one entry of `images` matches.
#[derive(Clone, Debug)]
pub(in crate::transform) struct ImageTagTransformer {
    image: ImageEntry,
    pattern: ImagePattern,
    paths: Arc<[FieldSpecPath]>,
    /// True if a volume that is a string fails the build.
    refuses_words: bool,
    // Transformers are shared; the index changes no result.
    index: Arc<Mutex<ImageIndex>>,
}

impl ImageTagTransformer {
    /// One transformer for each entry of a list, with the field specs for `images`. They share one
    /// index, so that the resources are searched once.
    pub(in crate::transform) fn all(
        images: impl Iterator<Item = ImageEntry>,
        making: TransformerOptions<'_>,
    ) -> Vec<Self> {
        let paths: Arc<[FieldSpecPath]> = compile(making.specs.to_vec()).into();
        let index = Arc::<Mutex<ImageIndex>>::default();
        let (only_sha256, refuses_words) =
            (making.profile.has(Switch::OnlySha256), making.profile.has(Switch::StringVolumesFail));
        let one = |image: ImageEntry| {
            let pattern = ImagePattern::new(&image.name, only_sha256);
            Self { image, pattern, paths: paths.clone(), refuses_words, index: index.clone() }
        };
        images.map(one).collect()
    }

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
}

impl Transformer for ImageTagTransformer {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        if let ImagePattern::TooLarge(fault) = &self.pattern {
            return Err(SelectorError::Regex(fault.clone()).into());
        }
        let mark = self.record_derived_values(cx);
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(self.pattern, ImagePattern::Nothing)
            && cx.profile.has(Switch::BadImageNameFails)
        {
            let (mut selected, mut counts) = (PathsByType::new(&self.paths), Vec::new());
            let is_asked = resources.iter().enumerate().any(|(place, (_, resource))| {
                index.has_matching_image(place, resource, &mut selected, &mut counts, |_| true)
            });
            return if is_asked { Err(self.bad_name(cx.mark)) } else { Ok(()) };
        }
        let mut work = ImageRun {
            transformer: self,
            rewrites: Rewrites::new(&self.image, &self.pattern),
            mark,
            index: &mut index,
            counts: Vec::new(),
            selected: PathsByType::new(&self.paths),
        };
        let mut twice = None;
        for (place, slot) in resources.slots().into_iter().enumerate() {
            let again = cx.apply_or_reuse(resources, slot, |resources, cx| {
                work.both_passes((place, slot), resources, cx).map(Some)
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
            let known = &mut work.index.names;
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

struct ImageRun<'a> {
    transformer: &'a ImageTagTransformer,
    rewrites: Rewrites<'a>,
    mark: Mark,
    index: &'a mut ImageIndex,
    /// For each image number, whether the entry matches the image; filled as needed.
    counts: Vec<bool>,
    selected: PathsByType<'a>,
}

impl ImageRun<'_> {
    /// False if the entry certainly matches no image of the resource.
    fn may_affect(&mut self, place: usize, resource: &Arc<Resource>) -> bool {
        let Self { rewrites, index, selected, counts, .. } = self;
        index.has_matching_image(place, resource, selected, counts, |image| {
            rewrites.add_image(image)
        })
    }

    /// Runs both passes over one resource. Returns whether an image was written a second time.
    fn both_passes(
        &mut self,
        (place, slot): (usize, Slot),
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<bool, TransformError> {
        let Some(resource) = resources.get(slot) else { return Ok(false) };
        if !self.may_affect(place, resource) {
            return Ok(false);
        }
        let (first, is_settled) = self.containers_pass(place, slot, resources)?;
        if is_settled {
            cx.matched += 1;
            return Ok(false);
        }
        let Some(resource) = resources.get(slot) else { return Ok(false) };
        let chosen = self.selected.paths_for(&resource.id.gvk);
        // `again`: an image that this step had already written is written again.
        let (mark, mut again) = (self.mark, false);
        let mut write = |node: &Node| {
            let written = self.rewrites.rewrite(node, mark)?;
            let is_new = |new: &Node| new.text() != node.text();
            again |= node.mark == mark && written.node.as_ref().is_some_and(is_new);
            // The step becomes the writer of images that it does not change.
            Ok(written.claimed(node, mark))
        };
        let mut writer = FieldWriter::of_existing(mark, &mut write);
        writer.appends = true;
        let second = self.transformer.fields_pass(slot, resources, &chosen, &mut writer)?;
        if first != WalkResult::No || second != WalkResult::No {
            cx.matched += 1;
        }
        Ok(again)
    }

    /// Runs the first pass on a resource: containers anywhere in the tree, for any type. Also
    /// returns whether the second pass has no work.
    fn containers_pass(
        &mut self,
        place: usize,
        slot: Slot,
        resources: &mut ResMap,
    ) -> Result<(WalkResult, bool), TransformError> {
        let Some(resource) = resources.get(slot) else { return Ok((WalkResult::No, false)) };
        let mut write = |node: &Node| self.rewrites.rewrite(node, self.mark);
        let may_share = may_share_containers(resource);
        let known = self.index.images_of(place, resource).filter(|_| !may_share);
        let written = match known {
            Some(images) => images.rewrite(&resource.node, &mut write),
            None => rewrite_all_containers(resource, &mut write),
        };
        let Rewrite { effect, node } =
            written.map_err(|error| error.into_error().with_hint(NO_TEXT))?;
        let Some(node) = node else { return Ok((effect, false)) };
        let is_settled = known.is_some_and(|images| {
            self.index
                .are_all_in_containers(images, |image| self.rewrites.is_done_after_pass(image))
        });
        let indexed = self.index.take(place);
        let write = |it: &mut Resource| it.node = node;
        if may_share {
            resources.update(slot, write);
        } else {
            resources.update_unshared(slot, write);
        }
        if let Some(resource) = resources.get(slot) {
            let rewritten = |image: &Arc<str>| self.rewrites.new_image(image);
            self.index.reindex(place, resource, indexed, rewritten);
        }
        Ok((effect, is_settled))
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

impl ImageTagTransformer {
    /// Runs the second pass on a resource: the configured field specs. Volumes that are strings are
    /// skipped: Kustomize has field specs for image volumes for every kind and fails for such
    /// volumes, even on its master branch; here only profiles with the switch fail.
    fn fields_pass(
        &self,
        slot: Slot,
        resources: &mut ResMap,
        chosen: &[&FieldSpecPath],
        writer: &mut FieldWriter<'_>,
    ) -> Result<WalkResult, TransformError> {
        let Some(resource) = resources.get(slot) else { return Ok(WalkResult::No) };
        let is_odd = |path: &&FieldSpecPath| has_string_volumes(&resource.node, path);
        let skips = |path: &&FieldSpecPath| !self.refuses_words && is_odd(path);
        let chosen: Vec<&FieldSpecPath> =
            chosen.iter().copied().filter(|path| !skips(path)).collect();
        let written = rewrite_fields(resource, &chosen, writer).map_err(|error| {
            // Releases before v5.7.0 do not read an object whose volumes are strings.
            let hint = chosen.iter().any(is_odd).then(|| {
                format!(
                    "`spec.volumes` of this object contains strings, and Kustomize expects an image there since v5.7.0: load {} {} in a layer that \
                     `images` does not reach, or build as before with --like v5.6.0",
                    resource.id.gvk.kind, resource.id.name
                )
            });
            error.with_hint_if(hint)
        })?;
        if let Some(node) = written.node {
            resources.update(slot, |resource| resource.node = node);
        }
        Ok(written.effect)
    }

    fn bad_name(&self, mark: Mark) -> TransformError {
        let hint = "released versions of Kustomize crash here: correct the name";
        let fault = ResourceFault::BadImageName(self.image.name.clone());
        TransformError::fault(fault, mark).with_hint(hint)
    }
}
