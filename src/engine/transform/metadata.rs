//! `labels`, `commonLabels` and `commonAnnotations` (sections 4.4 and 4.5).

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, NameRemark, UnwrittenCause};
use crate::manifest::{
    FieldSpec, Label, ManifestError, Marked, Pairs, SpecList, TransformerConfig, merge_field_specs,
};
use crate::profile::{Profile, Switch};
use crate::resource::{PathStep, ResMap, Resource, Slot};
use crate::yaml::{MappingEntry, Mark, Node, NodeKind, Scalar, Tag};

use super::field_walk::{
    FieldSpecPath, FieldWriter, PathsByType, Rewrite, compile, new_scalar, rewrite_fields,
    set_value,
};
use super::{Context, StepInputs, TransformError, TransformResult, Transformer, UnwrittenField};

/// Adds labels or annotations to all fields of the specs: an entry of `labels`, `commonLabels`,
/// `commonAnnotations`, and the plugins of both.
#[derive(Clone, Debug, PartialEq)]
pub struct PairsTransformer {
    pairs: Pairs,
    paths: Vec<FieldSpecPath>,
}

impl PairsTransformer {
    /// Creates the transformer with the result of [`label_specs`], or with a table of field specs.
    pub fn new(mut pairs: Pairs, specs: Vec<FieldSpec>) -> Self {
        pairs.sort_unstable_keys();
        Self { pairs, paths: compile(specs) }
    }

    /// The `app.kubernetes.io/managed-by` label of section 9, with a version such as `v5.8.1`.
    pub fn managed_by(version: &str) -> Self {
        let (value, mark) = (format!("kustomize-{version}"), Mark::default());
        let pair = ("app.kubernetes.io/managed-by".to_owned(), Marked { value, mark });
        Self::for_metadata_labels([pair].into_iter().collect())
    }

    /// Labels in the metadata of every object and nowhere else.
    pub fn for_metadata_labels(pairs: Pairs) -> Self {
        Self::new(pairs, vec![created("metadata/labels")])
    }

    /// Annotations in the metadata of every object and nowhere else.
    pub fn for_metadata_annotations(pairs: Pairs) -> Self {
        Self::new(pairs, vec![created("metadata/annotations")])
    }
}

impl Transformer for PairsTransformer {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        if self.pairs.is_empty() {
            return Ok(());
        }
        let mut setter = PairsSetter::new(&self.pairs, cx.mark);
        let mut selected = PathsByType::new(&self.paths);
        for slot in resources.slots() {
            let Some(resource) = resources.get(slot) else { continue };
            let chosen = selected.paths_for(&resource.id.gvk);
            cx.apply_or_reuse(resources, slot, |resources, cx| {
                let is_met = setter.write_to(slot, &chosen, resources)?;
                cx.matched += usize::from(is_met);
                Ok(Some(true))
            })?;
        }
        Ok(())
    }

    fn step_inputs(&self) -> Option<Arc<dyn StepInputs>> {
        Some(Arc::new(self.clone()))
    }

    fn why_unwritten(&self, asked: &UnwrittenField<'_>) -> Option<UnwrittenCause> {
        let resource = asked.resource?;
        let keys = asked.keys();
        let (last, above) = keys.split_last()?;
        let field = *above.last()?;
        let is_labels = matches!(field, "labels" | "matchLabels" | "selector");
        let writes = |word: &str| self.paths.iter().any(|it| it.spec().path.ends_with(word));
        if !self.pairs.contains_key(*last)
            || !is_labels && field != "annotations"
            || !writes(if is_labels { "labels" } else { "annotations" })
        {
            return None;
        }
        let at = UnwrittenField { path: asked.path.get(..asked.path.len() - 1)?, ..*asked };
        if at.is_specified(&self.paths, resource) {
            return None;
        }
        let is_metadata = |it: &FieldSpecPath| it.spec().path.starts_with("metadata/");
        if is_labels && self.paths.iter().all(is_metadata) {
            return Some(UnwrittenCause::MetadataOnly(above.join(".")));
        }
        let field = if is_labels { "commonLabels" } else { "commonAnnotations" };
        Some(at.not_specified(field, resource))
    }
}

struct PairsSetter<'a> {
    pairs: &'a Pairs,
    mark: Mark,
    /// The entry of each pair, to be added to mappings without its key; its texts are shared by all
    /// resources.
    entries: Vec<MappingEntry>,
    /// The indices of the pairs that were added to some field of the resource, each once.
    made: Vec<usize>,
    is_made: Vec<bool>,
}

impl<'a> PairsSetter<'a> {
    fn new(pairs: &'a Pairs, mark: Mark) -> Self {
        let entry = |(key, pair): (&String, &Marked<String>)| {
            // The line of the pair, if it has one.
            let mark = pair.mark.written_by(mark);
            let value = new_scalar(&pair.value, Tag::Str).marked(mark);
            MappingEntry { key: Node::plain(key.as_str()).marked(mark), value }
        };
        Self {
            pairs,
            mark,
            entries: pairs.iter().map(entry).collect(),
            made: Vec::new(),
            is_made: vec![false; pairs.len()],
        }
    }

    /// Writes the pairs to the fields of a resource; true if it has one of them, or gets it.
    fn write_to(
        &mut self,
        slot: Slot,
        paths: &[&FieldSpecPath],
        resources: &mut ResMap,
    ) -> Result<bool, TransformError> {
        let Some(resource) = resources.get(slot) else { return Ok(false) };
        let (mark, leaf) = (self.mark, Some(Node::mapping()));
        let mut write = |node: &Node| self.rewrite(node);
        let mut writer = FieldWriter { mark, leaf, write: &mut write };
        let written = rewrite_fields(resource, paths, &mut writer)?;
        if let Some(node) = written.node {
            let is_apart = resource.shared.is_empty();
            let write = |resource: &mut Resource| {
                resource.node = node;
                self.finish(resource, paths);
            };
            if is_apart {
                resources.update_unshared(slot, write);
            } else {
                resources.update(slot, write);
            }
        }
        Ok(written.is_met)
    }

    /// Records each added pair as one node that several mappings share, if the paths reach several
    /// mappings of the resource.
    fn share_added(&self, resource: &mut Resource, chosen: &[&FieldSpecPath]) {
        let reached: Vec<_> = chosen.iter().flat_map(|path| path.places(&resource.node)).collect();
        if reached.len() < 2 {
            return;
        }
        let shared = |index: &usize| {
            let MappingEntry { key, value } = &self.entries[*index];
            let (key, text) = (key.as_scalar()?, &value.as_scalar()?.text);
            let is_made = |scalar: &Scalar| Arc::ptr_eq(&scalar.text, text);
            let of_leaf = |(place, leaf): &(Vec<PathStep>, &Node)| {
                leaf.get(&key.text)?.as_scalar().filter(|scalar| is_made(scalar))?;
                Some(place.iter().cloned().chain([PathStep::Key(key.text.clone())]).collect())
            };
            Some(reached.iter().filter_map(of_leaf).collect())
        };
        let groups: Vec<Vec<Vec<PathStep>>> = self.made.iter().filter_map(shared).collect();
        resource.share_all(groups);
    }

    fn rewrite(&mut self, node: &Node) -> Result<Rewrite, TransformError> {
        let Some(mapping) = node.as_mapping() else {
            // Kustomize appends the pairs to a null, which still prints as null.
            let error = TransformError::wrong_kind(NodeKind::Mapping, node);
            return if node.is_null() { Ok(Rewrite::SAME) } else { Err(error) };
        };
        let mut result = Rewrite::SAME;
        for (index, ((key, pair), entry)) in self.pairs.iter().zip(&self.entries).enumerate() {
            let now =
                result.node.as_ref().map_or(mapping, |node| node.as_mapping().unwrap_or(mapping));
            let Some(place) = now.place(key) else {
                let new = result.node.get_or_insert_with(|| node.clone());
                if let Some(new) = new.as_mapping_mut() {
                    new.push(entry.clone());
                }
                if !std::mem::replace(&mut self.is_made[index], true) {
                    self.made.push(index);
                }
                continue;
            };
            // The step becomes the writer of pairs that it does not change, too.
            let (old, mark) = (&now.entries[place].value, entry.value.mark);
            let mut value = old.clone();
            set_value(&mut value, pair.value.as_str(), Tag::Str, mark);
            let value = Node { mark, comments: None, ..value };
            if value != *old {
                result.add_value(node, place, Rewrite::written(value));
            }
        }
        Ok(result)
    }

    /// Shares the pairs that were added to several fields of a resource.
    fn finish(&mut self, resource: &mut Resource, chosen: &[&FieldSpecPath]) {
        if !self.made.is_empty() {
            self.share_added(resource, chosen);
        }
        for index in self.made.drain(..) {
            self.is_made[index] = false;
        }
    }
}

fn created(path: &str) -> FieldSpec {
    FieldSpec { path: path.into(), create: true, ..FieldSpec::default() }
}

/// The field specs of one entry of `labels`: those in the entry, the configured ones, and those of
/// its `include…` options. Warns if a spec in the entry hides a wider one.
///
/// # Errors
/// Kustomize's message if two specs have different values of `create`.
pub fn label_specs(
    label: &Label,
    config: &TransformerConfig,
    (profile, mark): (Profile, Mark),
) -> Result<(Vec<FieldSpec>, Vec<Diagnostic>), TransformError> {
    let mut specs = label.fields.clone();
    let always = [created("metadata/labels")];
    let template = [FieldSpec { create: false, ..created("spec/template/metadata/labels") }];
    let mut added: Vec<&[FieldSpec]> = vec![config.list(SpecList::Labels)];
    if label.include_selectors {
        added.push(config.list(SpecList::CommonLabels));
    } else {
        if label.include_templates && profile.has(Switch::TemplatesNotCreated) {
            added.push(&template);
        } else if label.include_templates {
            added.push(config.list(SpecList::TemplateLabels));
        }
        if label.include_volume_claim_templates {
            added.push(config.list(SpecList::VolumeClaimTemplateLabels));
        }
        added.push(&always);
    }
    for incoming in &added {
        merge_field_specs(&mut specs, incoming, "labels")
            .map_err(|error| ManifestError { mark, ..*error })?;
    }
    let hidden = |own: &&FieldSpec| {
        added.iter().copied().flatten().any(|spec| {
            spec.path == own.path && spec.gvk != own.gvk && own.gvk.is_selected_by(&spec.gvk)
        })
    };
    let warnings = label.fields.iter().filter(hidden).map(|own| {
        let (path, gvk) = (own.path.clone(), Box::new(own.gvk.clone()));
        Diagnostic::new(NameRemark::LabelFieldHidden { path, gvk }, mark)
    });
    Ok((specs, warnings.collect()))
}
