//! `replacements`: copies a value of a resource, or a constant, into other resources (section
//! 4.14).

mod embedded;
mod path;
mod set;
mod source;
mod target;

use crate::diagnostic::{
    Diagnostic, FailedOperation, Fault, Hint, PartMissed, PlacedObject, ReplacementFault,
    UnwrittenCause,
};
use crate::manifest::{Marked, Replacement, ReplacementSource};
use crate::profile::{Profile, Switch};
use crate::resource::{ResId, ResMap, Resource, SharedNode, spread};
use crate::yaml::{Allowance, Limits, Mark, Node};

use self::embedded::EmbeddedTarget;
use self::path::PathRules;
pub(super) use self::path::{ReplacementPath, ReplacementSegment, new_missing_node};
use self::set::ValueWrite;
use self::source::FoundSource;
use self::target::CompiledTarget;
use super::bookkeeping_annotations::{replace_tree, tree_of};
use super::earlier_ids::check_all_earlier_ids;
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
        if !matches!(self.source, PreparedSource::Refused(_)) {
            check_all_earlier_ids(resources)?;
        }
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
        self.record_value_source(&value, targets, source.as_ref(), cx);
        let copies = Allowance::new(Limits::default());
        let mut run = ReplacementRun { value, copies };
        for target in targets {
            self.apply(target, source.as_ref(), &mut run, resources, cx)?;
        }
        Ok(())
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

/// The state of a replacement that is passed from one target to the next: the value, and the
/// remaining limit of copied nodes.
struct ReplacementRun {
    value: Node,
    copies: Allowance,
}

impl ReplacementTransformer {
    fn fault(&self, fault: impl Into<Fault>) -> TransformError {
        TransformError::fault(fault, self.mark)
    }

    fn record_value_source(
        &self,
        value: &Node,
        targets: &[CompiledTarget],
        found: Option<&FoundSource>,
        cx: &mut Context<'_>,
    ) {
        let mut from = Vec::new();
        if let (PreparedSource::Field(source), Some(found)) = (&self.source, found) {
            let path = default_path(&source.field_path).into();
            from.push(ValueSource::Field { slot: found.slot, path });
        }
        let is_part = |target: &CompiledTarget| {
            target.config.options.as_ref().is_some_and(|options| !options.delimiter.is_empty())
        };
        if targets.iter().any(is_part) {
            from.push(ValueSource::PreviousValue);
        }
        let mark = value.mark.written_by(cx.mark);
        cx.derived.push(DerivedValue { slot: None, key: None, mark, from });
    }

    fn apply(
        &self,
        target: &CompiledTarget,
        source: Option<&FoundSource>,
        run: &mut ReplacementRun,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> TransformResult {
        let mark = if target.config.mark.line > 0 { target.config.mark } else { self.mark };
        let mut any = None;
        let mut all_same = true;
        for slot in target.candidates(resources) {
            let Some(resource) = resources.get(slot) else { continue };
            if !target.selects(resource)? {
                continue;
            }
            any = any.or(Some(slot));
            cx.matched += 1;
            let live = source.filter(|source| source.is_live && source.slot == slot);
            let leads = |path: &ReplacementPath| path.reaches_bookkeeping();
            let is_exposed = target.leads_to(leads) || live.is_some_and(|live| leads(&live.path));
            let before = tree_of(resource, is_exposed);
            let is_secret = &*resource.id.gvk.kind == "Secret";
            cx.warnings.extend(target.index_past_end_warning(&before, is_secret, mark));
            let mut node = before.clone();
            let mut shared = resource.shared.clone();
            let id = &resource.id;
            self.write_all(target, (&mut node, &mut shared), live, run, cx)
                .map_err(|error| name_resource(error, id))?;
            // Kustomize: a field created below a null changes the tree but not the printed output.
            if node != before {
                all_same = all_same && node.same_content(&before);
                resources.update(slot, |resource| {
                    if is_exposed {
                        replace_tree(resource, node);
                    } else {
                        resource.node = node;
                    }
                    resource.unshare_replaced(&before);
                });
            }
        }
        if let Some(resource) = any.filter(|_| all_same).and_then(|slot| resources.get(slot)) {
            let setting = ValueWrite::new(&target.config, &run.value, mark, 0, cx);
            let is_from_secret = source.is_some_and(|source| source.is_secret);
            let remark = target.changes_nothing(resource, &setting, is_from_secret);
            cx.warnings.push(Diagnostic::new(remark, mark));
        }
        if any.is_none() {
            cx.warnings.push(target.no_match_warning(resources, mark));
        }
        Ok(())
    }

    fn write_all(
        &self,
        target: &CompiledTarget,
        (node, shared): (&mut Node, &mut Vec<SharedNode>),
        live: Option<&FoundSource>,
        run: &mut ReplacementRun,
        cx: &Context<'_>,
    ) -> TransformResult {
        let ReplacementRun { value, copies, .. } = run;
        // A delimiter write changes the old text: into a shared node Kustomize writes once for each
        // occurrence.
        let options = target.config.options.as_ref();
        let piles_up = !shared.is_empty() && options.is_some_and(|it| !it.delimiter.is_empty());
        for (text, path) in &target.paths {
            let depth = path.depth();
            if live.is_none() && !piles_up {
                let mark = value.mark.written_by(cx.mark);
                let setting = ValueWrite::new(&target.config, value, mark, depth, cx);
                self.write(node, text, path, &setting, None, copies)?;
                continue;
            }
            if live.is_some() {
                let walk = PathRules::new(options, cx.profile);
                FoundSource::create_missing_fields(node, path, walk, value);
            }
            let (mut turn, mut leaves) = (0, 1);
            if piles_up && options.is_some_and(|options| options.create) {
                // A field created in one occurrence of a shared node exists in the others too.
                let setting = ValueWrite::new(&target.config, value, value.mark, depth, cx);
                leaves = self.write(node, text, path, &setting, Some(usize::MAX), copies)?;
                spread(shared, node);
            }
            while turn < leaves {
                if let Some(live) = live {
                    live.read(node, value);
                }
                let mark = value.mark.written_by(cx.mark);
                let setting = ValueWrite::new(&target.config, value, mark, depth, cx);
                leaves = self.write(node, text, path, &setting, Some(turn), copies)?;
                if piles_up {
                    spread(shared, node);
                }
                turn += 1;
            }
        }
        if let Some(live) = live {
            live.read(node, value);
        }
        Ok(())
    }

    /// Writes all leaves of a path, or the one with the index `turn`. Returns their number.
    fn write(
        &self,
        node: &mut Node,
        text: &str,
        path: &ReplacementPath,
        setting: &ValueWrite<'_>,
        turn: Option<usize>,
        copies: &mut Allowance,
    ) -> Result<usize, TransformError> {
        let inside = match embedded::set(node, path, setting, copies) {
            EmbeddedTarget::Written | EmbeddedTarget::Refused => return Ok(0),
            EmbeddedTarget::Nowhere => None,
            EmbeddedTarget::Missing => Some(Ok(false)),
            EmbeddedTarget::Failed(why) => Some(Err(why)),
        };
        let is_inside = inside.is_some();
        let mut leaves = 0;
        let mut set = |leaf: &mut Node, is_new: bool| {
            leaves += 1;
            match turn {
                Some(turn) if leaves != turn.saturating_add(1) => {
                    setting.skip_leaf(leaf, is_new, copies)
                }
                _ => setting.set(leaf, is_new, copies),
            }
        };
        let walk = setting.walk;
        let (create, field) = (walk.create, text.to_owned());
        if create && path.has_wildcard() && setting.profile.has(Switch::WildcardsCreateNothing) {
            return Err(self.fault(ReplacementFault::CreateInMultiValueTarget));
        }
        let is_plain = create && !walk.enters_texts && setting.value.as_scalar().is_some();
        let made = if is_plain { path.created_path(node) } else { None };
        let extended_path = made.as_ref().unwrap_or(path);
        match inside.unwrap_or_else(|| extended_path.visit(node, walk, &mut set)) {
            Ok(true) => Ok(leaves),
            Ok(false) if setting.profile.has(Switch::MissingTargetsIgnored) => Ok(0),
            Ok(false) => {
                let hint = if is_inside { None } else { path.why_missing(node) };
                let fault = ReplacementFault::NoTargetField { field, create };
                Err(self.fault(fault).with_hint_if(hint))
            }
            Err(path::PathFailure::Path(fault)) => {
                Err(self.fault(fault).within(FailedOperation::ReplacementTarget { field, create }))
            }
            Err(path::PathFailure::Set(fault)) => Err(self.fault(fault)),
        }
    }
}

fn name_resource(error: TransformError, id: &ResId) -> TransformError {
    let TransformError::Fault { hint: Some(hint), .. } = &error else { return error };
    let Hint::PartMissed(missed) = &**hint else { return error };
    let missed = PartMissed { object: Some(PlacedObject::from(id)), ..missed.clone() };
    error.with_hint(missed)
}

fn default_path(path: &str) -> &str {
    if path.is_empty() { "metadata.name" } else { path }
}

#[cfg(test)]
mod tests;
