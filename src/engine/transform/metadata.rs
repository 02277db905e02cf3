//! `labels`, `commonLabels` and `commonAnnotations` (sections 4.4 and 4.5).

use indexmap::IndexMap;

use crate::engine::manifest::{FieldSpec, Label, TransformerConfig};
use crate::engine::resource::ResMap;
use crate::engine::yaml::{Mark, Node, Tag};

use super::field_walk::{
    Fault, FieldPath, Leaf, Reach, Setter, compile, entry_reach, set_entry, write_fields,
};
use super::{Context, TransformError, Transformer, Warning};

/// Adds labels to everything that the specs reach (an entry of `labels`, or `commonLabels`).
#[derive(Clone, Debug)]
pub struct LabelTransformer(Pairs);

/// Adds annotations.
#[derive(Clone, Debug)]
pub struct AnnotationsTransformer(Pairs);

impl LabelTransformer {
    /// With the specs of [`label_specs`], or the `commonLabels` table.
    pub fn new(pairs: IndexMap<String, String>, specs: Vec<FieldSpec>) -> Self {
        Self(Pairs::new(pairs, specs))
    }

    /// The `app.kubernetes.io/managed-by` label of section 9, with a version such as `v5.8.1`.
    pub fn managed_by(version: &str) -> Self {
        let pair = ("app.kubernetes.io/managed-by".to_owned(), format!("kustomize-{version}"));
        Self::new([pair].into_iter().collect(), vec![metadata_labels()])
    }
}

impl AnnotationsTransformer {
    /// With the specs of the `commonAnnotations` table.
    pub fn new(pairs: IndexMap<String, String>, specs: Vec<FieldSpec>) -> Self {
        Self(Pairs::new(pairs, specs))
    }
}

impl Transformer for LabelTransformer {
    fn transform(
        &self,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        self.0.transform(resources, cx)
    }
}

impl Transformer for AnnotationsTransformer {
    fn transform(
        &self,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        self.0.transform(resources, cx)
    }
}

fn metadata_labels() -> FieldSpec {
    FieldSpec { path: "metadata/labels".into(), create: true, ..FieldSpec::default() }
}

/// Two specs of one field that disagree about `create`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("conflicting fieldspecs")]
pub struct ConflictingFieldSpecs;

/// Merges specs by Kustomize's rule: an incoming spec is dropped when one with the same path is there whose type
/// the incoming one selects. Returns the specs that were dropped although they are wider than what is there.
///
/// # Errors
/// [`ConflictingFieldSpecs`] when the two differ in `create`.
pub fn merge_field_specs(
    specs: &mut Vec<FieldSpec>,
    incoming: &[FieldSpec],
) -> Result<Vec<FieldSpec>, ConflictingFieldSpecs> {
    let mut ignored = Vec::new();
    for spec in incoming {
        let existing = specs
            .iter()
            .find(|other| other.path == spec.path && other.gvk.is_selected_by(&spec.gvk));
        match existing {
            None => specs.push(spec.clone()),
            Some(other) if other.create != spec.create => return Err(ConflictingFieldSpecs),
            Some(other) if other.gvk != spec.gvk => ignored.push(spec.clone()),
            Some(_) => {}
        }
    }
    Ok(ignored)
}

/// The specs of one entry of `labels`: its own, the configured ones, and what its `include…` options add.
/// Warns of a wider spec that one of the entry's own hides.
///
/// # Errors
/// Kustomize's phrase when two specs differ in `create`.
pub fn label_specs(
    label: &Label,
    config: &TransformerConfig,
    mark: Mark,
) -> Result<(Vec<FieldSpec>, Vec<Warning>), TransformError> {
    let mut specs = label.fields.clone();
    let mut ignored = Vec::new();
    let always = [metadata_labels()];
    let mut added: Vec<&[FieldSpec]> = vec![&config.labels];
    if label.include_selectors {
        added.push(&config.common_labels);
    } else {
        if label.include_templates {
            added.push(&config.template_labels);
        }
        if label.include_volume_claim_templates {
            added.push(&config.volume_claim_template_labels);
        }
        added.push(&always);
    }
    for incoming in added {
        let dropped = merge_field_specs(&mut specs, incoming).map_err(|error| {
            TransformError::phrase(format!("failed to merge labels: {error}"), mark)
        })?;
        ignored.extend(dropped);
    }
    let warnings = ignored
        .iter()
        .filter(|spec| label.fields.iter().any(|own| own.path == spec.path))
        .map(|spec| Warning {
            code: "KZ114",
            message: format!(
                "the field {} of this entry is given for one type only, so Kustomize leaves it alone in all \
                 others",
                spec.path
            ),
            hint: Some("leave the kind out, or add an entry of its own for that type".into()),
            mark,
        })
        .collect();
    Ok((specs, warnings))
}

#[derive(Clone, Debug)]
struct Pairs {
    pairs: IndexMap<String, String>,
    paths: Vec<FieldPath>,
}

impl Pairs {
    fn new(mut pairs: IndexMap<String, String>, specs: Vec<FieldSpec>) -> Self {
        pairs.sort_unstable_keys();
        Self { pairs, paths: compile(specs) }
    }

    fn transform(
        &self,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        if self.pairs.is_empty() {
            return Ok(());
        }
        let mut setter = PairsSetter { pairs: &self.pairs, mark: cx.mark };
        write_fields(&self.paths, resources, cx, &mut setter, |_| true)
    }
}

struct PairsSetter<'a> {
    pairs: &'a IndexMap<String, String>,
    mark: Mark,
}

impl Setter for PairsSetter<'_> {
    fn mark(&self) -> Mark {
        self.mark
    }

    fn leaf(&self) -> Leaf {
        Leaf::Mapping
    }

    fn reach(&self, node: &Node) -> Reach {
        self.pairs
            .iter()
            .map(|(key, text)| entry_reach(node, key, text, &Tag::Str))
            .max()
            .unwrap_or(Reach::No)
    }

    fn set(&mut self, node: &mut Node) -> Result<(), Fault> {
        self.pairs
            .iter()
            .try_for_each(|(key, text)| set_entry(node, key, text, Tag::Str, self.mark))
    }
}
