//! `labels`, `commonLabels` and `commonAnnotations` (sections 4.4 and 4.5).

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, NameRemark, UnwrittenCause};
use crate::manifest::{
    FieldSpec, Label, ManifestError, Marked, Pairs, SpecList, TransformerConfig, merge_field_specs,
};
use crate::profile::{Profile, Switch};
use crate::resource::ResMap;
use crate::yaml::Mark;

use super::field_walk::{FieldSpecPath, PathsByType, compile};
use super::pairs_setter::PairsSetter;
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
