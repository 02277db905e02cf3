//! `replacements`: copies a value of a resource, or a constant, into other resources (section
//! 4.14).

mod path;
mod source;
mod target;
mod write;

use crate::diagnostic::{
    Diagnostic, EntryRemark, FailedOperation, Fault, Object, PartMissed, PlacedObject,
    ReplacementFault, UnwrittenCause,
};
use crate::manifest::{Marked, Replacement, ReplacementSource};
use crate::profile::{Profile, Switch};
use crate::resource::{ResId, ResMap, Resource, Slot};
use crate::yaml::{Allowance, Limits, Mark, Node};

pub(super) use self::path::ReplacementPath;
use self::target::CompiledTarget;
use self::write::ValueWrite;
use super::{
    Context, DerivedValue, TransformError, TransformResult, Transformer, UnwrittenField,
    ValueSource,
};

/// One replacement (Kustomize: an entry of `ReplacementTransformer`).
#[derive(Clone, Debug)]
pub struct ReplacementTransformer {
    source: PreparedSource,
    targets: Result<Vec<CompiledTarget>, Box<TransformError>>,
    mark: Mark,
}

/// The value of a replacement, or the field from which it is read, or the reason why it has no
/// value.
#[derive(Clone, Debug)]
enum PreparedSource {
    Value(Marked<String>),
    Field(Box<ReplacementSource>),
    Refused(ReplacementFault),
}

impl ReplacementTransformer {
    /// Compiles one entry; the file in its `path` field must already be loaded. Errors are returned
    /// when the entry is applied, as in Kustomize.
    pub fn new(config: &Marked<Replacement>, profile: Profile) -> Self {
        let (value, mark) = (&config.value, config.mark);
        let source = match (&value.source, &value.source_value, &value.targets) {
            (None, None, _) | (_, _, None) => {
                PreparedSource::Refused(ReplacementFault::NoSourceOrTarget)
            }
            (Some(_), Some(_), _) => PreparedSource::Refused(ReplacementFault::TwoSources),
            (Some(source), None, _) => PreparedSource::Field(Box::new(source.clone())),
            (None, Some(text), _) => PreparedSource::Value(text.clone()),
        };
        let targets = value.targets.iter().flatten();
        let targets = targets.map(|target| CompiledTarget::new(target, mark, profile));
        Self { source, targets: targets.collect::<Result<_, _>>().map_err(Box::new), mark }
    }
}

impl Transformer for ReplacementTransformer {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        let (value, source) = match &self.source {
            PreparedSource::Value(text) => {
                (Node::plain(text.value.as_str()).marked(text.mark), None)
            }
            PreparedSource::Field(source) => {
                let (value, found) = self.read_source(source, resources)?;
                (value, Some(found))
            }
            PreparedSource::Refused(fault) => return Err(self.fault(fault.clone())),
        };
        let targets = self.targets.as_ref().map_err(|error| TransformError::clone(error))?;
        self.record_value_source(&value, targets, source, cx);
        let mut copies = Allowance::new(Limits::default());
        targets
            .iter()
            .try_for_each(|target| self.apply(target, (&value, source), &mut copies, resources, cx))
    }

    fn why_unwritten(&self, asked: &UnwrittenField<'_>) -> Option<UnwrittenCause> {
        self.targets.iter().flatten().find_map(|target| target.why_unwritten(asked))
    }

    fn writable_paths(&self, resource: &Resource) -> Option<Vec<Vec<String>>> {
        let targets = self.targets.as_ref().ok()?.iter();
        let targets = targets.filter(|target| target.selects(resource).unwrap_or(true));
        Some(targets.flat_map(CompiledTarget::written_paths).collect())
    }
}

impl ReplacementTransformer {
    fn fault(&self, fault: impl Into<Fault>) -> TransformError {
        TransformError::fault(fault, self.mark)
    }

    fn record_value_source(
        &self,
        value: &Node,
        targets: &[CompiledTarget],
        found: Option<Slot>,
        cx: &mut Context<'_>,
    ) {
        let mut from = Vec::new();
        if let (PreparedSource::Field(source), Some(slot)) = (&self.source, found) {
            let path = default_path(&source.field_path).into();
            from.push(ValueSource::Field { slot, path });
        }
        if targets.iter().any(|target| !target.options.delimiter.is_empty()) {
            from.push(ValueSource::PreviousValue);
        }
        let mark = value.mark.written_by(cx.mark);
        cx.derived.push(DerivedValue { slot: None, key: None, mark, from });
    }

    fn apply(
        &self,
        target: &CompiledTarget,
        (value, source): (&Node, Option<Slot>),
        copies: &mut Allowance,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> TransformResult {
        let mark = if target.mark.line > 0 { target.mark } else { self.mark };
        let (options, profile) = (&target.options, cx.profile);
        let value_mark = value.mark.written_by(cx.mark);
        let setting = ValueWrite { value, options, mark: value_mark, profile };
        let mut any = None;
        let mut all_same = true;
        for slot in target.candidates(resources) {
            let Some(resource) = resources.get(slot) else { continue };
            if !target.selects(resource)? {
                continue;
            }
            any = any.or(Some(slot));
            cx.matched += 1;
            let before = &resource.node;
            cx.warnings.extend(target.index_past_end_warning(resource, mark));
            let mut node = before.clone();
            for (text, path) in &target.paths {
                self.write((&mut node, &resource.id), (text, path), &setting, copies)?;
            }
            if node != *before {
                all_same = all_same && node.same_content(before);
                resources.update(slot, |resource| {
                    let before = std::mem::replace(&mut resource.node, node);
                    resource.unshare_replaced(&before);
                });
            }
        }
        if let Some(resource) = any.filter(|_| all_same).and_then(|slot| resources.get(slot)) {
            let source = source.and_then(|slot| resources.get(slot));
            let is_secret = source.into_iter().chain([resource]).any(|it| is_secret(it));
            let value = value.text().filter(|_| !is_secret).map(str::to_owned);
            let paths = target.paths.iter().map(|(text, _)| text.clone()).collect();
            let object = Object::from(&resource.id);
            let remark = EntryRemark::ReplacementChangesNothing { object, paths, value };
            cx.warnings.push(Diagnostic::new(remark, mark));
        }
        if any.is_none() {
            cx.warnings.push(target.no_match_warning(resources, mark));
        }
        Ok(())
    }

    fn write(
        &self,
        (node, id): (&mut Node, &ResId),
        (text, path): (&str, &ReplacementPath),
        setting: &ValueWrite<'_>,
        copies: &mut Allowance,
    ) -> TransformResult {
        let inside = setting.into_text(node, path, copies);
        let is_inside = inside.is_some();
        let (create, field) = (setting.options.create, text.to_owned());
        if create && path.has_wildcard() && setting.profile.has(Switch::WildcardsCreateNothing) {
            return Err(self.fault(ReplacementFault::CreateInMultiValueTarget));
        }
        match inside.unwrap_or_else(|| setting.to_leaves(node, path, copies)) {
            Ok(true) => Ok(()),
            Ok(false) if setting.profile.has(Switch::MissingTargetsIgnored) => Ok(()),
            Ok(false) => {
                let object = Some(PlacedObject::from(id));
                let missed = if is_inside { None } else { path.why_missing(node) };
                let hint = missed.map(|missed| PartMissed { object, ..missed });
                let fault = ReplacementFault::NoTargetField { field, create };
                Err(self.fault(fault).with_hint_if(hint))
            }
            Err(fault @ Fault::Field(_)) => {
                Err(self.fault(fault).within(FailedOperation::ReplacementTarget { field, create }))
            }
            Err(fault) => Err(self.fault(fault)),
        }
    }
}

fn is_secret(resource: &Resource) -> bool {
    &*resource.id.gvk.kind == "Secret"
}

fn default_path(path: &str) -> &str {
    if path.is_empty() { "metadata.name" } else { path }
}
