//! `namePrefix` and `nameSuffix` (section 4.3).

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, NameRemark, PluginFault, ResourceFault, UnwrittenCause};
use crate::manifest::{Builtin, FieldSpec, PrefixSuffixArgs};
use crate::resource::{Gvk, MAX_EARLIER_NAMES, ResMap, Resource, Slot};
use crate::yaml::{Mark, Node, NodeKind, ScalarType, Style, Tag, resolve_v3};

use super::field_walk::{
    FieldSpecPath, FieldWriter, PathsByType, compile, rewrite_fields, rewrite_scalar,
};
use super::{
    Context, DerivedValue, StepInputs, TransformError, TransformResult, Transformer,
    UnwrittenField, ValueSource,
};

/// A prefix and a suffix that are added one after the other, as by `PrefixSuffixTransformer`.
#[derive(Debug)]
pub struct Affixes(Vec<AffixTransformer>);

impl Affixes {
    /// The prefix and suffix of a plugin configuration. Each plugin has one of them,
    /// `PrefixSuffixTransformer` both; a missing field counts as an empty text.
    ///
    /// # Errors
    /// A configuration without `fieldSpecs`.
    pub fn configured(
        builtin: Builtin,
        args: PrefixSuffixArgs,
        mark: Mark,
    ) -> Result<Self, TransformError> {
        let Some(specs) = args.field_specs else {
            let hint = "add the field spec of names: `fieldSpecs: [{path: metadata/name}]`";
            let fault = PluginFault::Other("fieldSpecs is not expected to be nil".to_owned());
            return Err(TransformError::fault(fault, mark).with_hint(hint));
        };
        let PrefixSuffixArgs { prefix, suffix, .. } = args;
        let prefix = (builtin != Builtin::SuffixTransformer)
            .then(|| AffixTransformer::prefix(prefix.value, specs.clone()).at(prefix.mark));
        let suffix = (builtin != Builtin::PrefixTransformer)
            .then(|| AffixTransformer::suffix(suffix.value, specs).at(suffix.mark));
        Ok(Self(prefix.into_iter().chain(suffix).collect()))
    }
}

impl Transformer for Affixes {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        self.0.iter().try_for_each(|affix| affix.transform(resources, cx))
    }
}

/// Adds a prefix or a suffix to names.
#[derive(Clone, Debug, PartialEq)]
pub struct AffixTransformer {
    text: Arc<str>,
    before: bool,
    paths: Vec<FieldSpecPath>,
    /// The location of the text, if it is not that of the step.
    place: Mark,
}

impl Transformer for AffixTransformer {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        resources.drop_indexes(false);
        let mut selected = PathsByType::new(&self.paths);
        let mark = self.place.written_by(cx.mark);
        let from = vec![ValueSource::PreviousValue];
        cx.derived.push(DerivedValue { slot: None, key: None, mark, from });
        for slot in resources.slots() {
            cx.apply_or_reuse(resources, slot, |resources, cx| {
                self.rename(slot, resources, &mut selected, mark, cx)?;
                Ok(Some(true))
            })?;
        }
        Ok(())
    }

    fn step_inputs(&self) -> Option<Arc<dyn StepInputs>> {
        Some(Arc::new(self.clone()))
    }

    fn why_unwritten(&self, asked: &UnwrittenField<'_>) -> Option<UnwrittenCause> {
        let resource = asked.resource.filter(|_| asked.has_keys(&["metadata", "name"]))?;
        let original = resource.original_gvk();
        let kind = original.kind.to_string();
        is_never_renamed(&original).then_some(UnwrittenCause::NeverRenamed(kind))
    }
}

impl AffixTransformer {
    /// Adds a prefix to the fields of these specs.
    pub fn prefix(text: impl Into<Arc<str>>, specs: Vec<FieldSpec>) -> Self {
        Self { text: text.into(), before: true, paths: compile(specs), place: Mark::default() }
    }

    /// Adds a suffix to the fields of these specs.
    pub fn suffix(text: impl Into<Arc<str>>, specs: Vec<FieldSpec>) -> Self {
        Self { before: false, ..Self::prefix(text, specs) }
    }

    fn at(self, place: Mark) -> Self {
        Self { place, ..self }
    }

    fn rename<'a>(
        &'a self,
        slot: Slot,
        resources: &mut ResMap,
        selected: &mut PathsByType<'a>,
        mark: Mark,
        cx: &mut Context<'_>,
    ) -> TransformResult {
        let Some(resource) = resources.get(slot) else { return Ok(()) };
        let original = resource.original_gvk();
        if is_never_renamed(&original) {
            return Ok(());
        }
        let chosen = selected.paths_for(&original);
        let current = resource.id.clone();
        let renames = |path: &FieldSpecPath| path.spec().path == "metadata/name";
        let is_for = |path: &FieldSpecPath| current.gvk.is_selected_by(&path.spec().gvk);
        let is_renamed = chosen.iter().any(|path| renames(path));
        // The text and location of a name that is not a string any more.
        let mut misread = None;
        let mut write = |node: &Node| {
            let Some(old) = node.as_scalar() else {
                return Err(TransformError::wrong_kind(NodeKind::Scalar, node));
            };
            let parts = if self.before { [&self.text, &old.text] } else { [&old.text, &self.text] };
            let text = parts.map(|part| &**part).concat();
            if old.style == Style::Plain && resolve_v3(&text) != ScalarType::Str {
                misread = Some((text.clone(), node.mark));
            }
            rewrite_scalar(node, text, Tag::None, mark)
        };
        let leaf = Some(Node::scalar("", Tag::Str, Style::Plain));
        let mut writer = FieldWriter { mark, leaf, write: &mut write };
        // As in Kustomize, an empty text is written like any other, but does not count as a
        // renaming.
        if is_renamed {
            if !self.text.is_empty() {
                check_count_of_names(resource, cx.mark)?;
            }
            cx.matched += 1;
            let written: Option<TransformResult> = resources.update(slot, |resource| {
                for path in chosen.iter().copied() {
                    if renames(path) && !self.text.is_empty() {
                        self.note_renaming(resource);
                    }
                    if is_for(path)
                        && let Some(node) = rewrite_fields(resource, &[path], &mut writer)?.node
                    {
                        resource.node = node;
                    }
                }
                Ok(())
            });
            written.unwrap_or(Ok(()))?;
        } else {
            let chosen: Vec<&FieldSpecPath> =
                chosen.iter().copied().filter(|path| is_for(path)).collect();
            let written = rewrite_fields(resource, &chosen, &mut writer)?;
            cx.matched += usize::from(written.is_met);
            if let Some(node) = written.node {
                resources.update(slot, |resource| resource.node = node);
            }
        }
        if let Some((text, mark)) = misread {
            let id = Box::new(current);
            cx.warnings.push(Diagnostic::new(NameRemark::NotAString { id, text }, mark));
        }
        Ok(())
    }

    /// Stores the name that the resource has before it gets this prefix or suffix.
    fn note_renaming(&self, resource: &mut Resource) {
        resource.drop_unfit_annotations();
        resource.store_previous_id();
        let text = self.text.clone();
        if self.before {
            resource.names.add_prefix(text);
        } else {
            resource.names.add_suffix(text);
        }
    }
}

/// Refuses another name for a resource that already had [`MAX_EARLIER_NAMES`] names.
///
/// # Errors
/// `… would have more than 256 names in one build`
pub(super) fn check_count_of_names(resource: &Resource, mark: Mark) -> TransformResult {
    if resource.names.previous().len() < MAX_EARLIER_NAMES {
        return Ok(());
    }
    let object = format!("{} {}", resource.id.gvk.kind, shortened(&resource.id.name));
    let fault = ResourceFault::TooManyNames { object, most: MAX_EARLIER_NAMES };
    let hint = "set a prefix, suffix or namespace in fewer of the layers that contain the resource";
    Err(TransformError::fault(fault, mark).with_hint(hint))
}

/// The end of a name, short enough for a message: names come from files and may be long.
fn shortened(name: &str) -> String {
    match name.char_indices().nth_back(59) {
        Some((start, _)) if start > 0 => format!("…{}", &name[start..]),
        _ => name.to_owned(),
    }
}

/// True for an original type whose resources keep their names.
pub(crate) fn is_never_renamed(gvk: &Gvk) -> bool {
    match &*gvk.kind {
        "CustomResourceDefinition" | "Namespace" => true,
        "APIService" => &*gvk.group == "apiregistration.k8s.io",
        _ => false,
    }
}
