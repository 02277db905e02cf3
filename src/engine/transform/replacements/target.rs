//! The targets of a replacement.

use crate::diagnostic::{
    Diagnostic, EntryRemark, Fix, Hint, ReplacementFault, SilentRemark, UnwrittenCause,
};
use crate::manifest::{ReplacementOptions, ReplacementSource, ReplacementTarget};
use crate::profile::{Profile, Switch};
use crate::resource::{
    CompiledSelector, Gvk, ResId, ResMap, Resource, Selector, SelectorPattern, Slot,
    explain_no_match,
};
use crate::yaml::{Excess, Limits, Mark};

use super::path::ReplacementPath;
use super::{TransformError, UnwrittenField, default_path, is_secret};

#[derive(Clone, Debug)]
pub(super) struct CompiledTarget {
    pub(super) mark: Mark,
    pub(super) options: ReplacementOptions,
    select: Selector,
    compiled: CompiledSelector,
    reject: Vec<(Selector, CompiledSelector)>,
    /// Each path with its text in the configuration.
    pub(super) paths: Vec<(String, ReplacementPath)>,
    /// True for Kustomize versions that compare names literally, and namespaces by their effective
    /// value.
    is_literal: bool,
    /// True for Kustomize versions in which a reject removes one id of a resource; a resource
    /// without ids left is rejected.
    rejects_one_id: bool,
}

impl CompiledTarget {
    /// The warning that the target matches no resource, with the reason.
    pub(super) fn no_match_warning(&self, resources: &ResMap, mark: Mark) -> Diagnostic {
        let why = explain_no_match(&self.select, &self.compiled, resources).map(Box::new);
        let is_near = why.as_ref().is_some_and(|why| !why.change.is_empty());
        let hint = why.as_ref().and_then(|why| why.hint.clone()).map(Hint::Selector);
        let warning = Diagnostic::new(EntryRemark::ReplacementTarget(why), mark);
        Diagnostic { hint, ..warning.fix(is_near.then_some(Fix::ByHand)) }
    }

    /// The warning that the index of the target is after the last part of a text. With `create`,
    /// the next part is allowed, so that a text can be built part by part: `namespace`, then
    /// `namespace/name`.
    pub(super) fn index_past_end_warning(
        &self,
        resource: &Resource,
        mark: Mark,
    ) -> Option<Diagnostic> {
        let ReplacementOptions { delimiter, index, create, .. } = &self.options;
        let index = usize::try_from(*index).ok().filter(|_| !delimiter.is_empty())?;
        let (text, count) = self.paths.iter().find_map(|(_, path)| {
            let text = path.get(&resource.node).ok()??.text()?;
            let count = text.split(&**delimiter).count();
            let is_past = index > count || index == count && !create;
            is_past.then_some((text, count))
        })?;
        let shown = |text: &str| (!is_secret(resource)).then(|| text.to_owned());
        let (parts, delimiter) = (count, delimiter.clone());
        let last = text.split(&*delimiter).last().unwrap_or_default();
        let last = shown(last).map_or_else(|| "the last".to_owned(), |part| format!("{part:?}"));
        let hint = format!("parts are counted from 0: index {} is {last}", count - 1);
        let remark = SilentRemark::PastEnd { index, text: shown(text), delimiter, parts };
        Some(Diagnostic::new(remark, mark).hint(hint))
    }

    pub(super) fn new(
        config: &ReplacementTarget,
        mark: Mark,
        profile: Profile,
    ) -> Result<Self, TransformError> {
        let is_literal = profile.has(Switch::LiteralSelectors);
        let compile = |selector: &Selector| {
            let literal = |text: &str| Ok(SelectorPattern::exactly(text));
            if is_literal { selector.compile_with(literal) } else { selector.compile() }
        };
        let refused = |fault: ReplacementFault| TransformError::fault(fault, mark);
        let select = config.select.clone().ok_or_else(|| refused(ReplacementFault::NoSelect))?;
        let compiled = compile(&select)?;
        let reject = config
            .reject
            .iter()
            .flatten()
            .filter(|reject| !reject.is_empty())
            .map(|reject| Ok((reject.clone(), compile(reject)?)))
            .collect::<Result<_, TransformError>>()?;
        let mut texts = config.field_paths.clone();
        if texts.is_empty() {
            texts.push(default_path("").to_owned());
        }
        let parsed = texts.iter().map(|text| ReplacementPath::parse(text)).collect::<Vec<_>>();
        let paths: Vec<_> = texts.into_iter().zip(parsed).collect();
        let deepest = Limits::default().depth;
        if paths.iter().any(|(_, path)| path.depth() > deepest) {
            return Err(TransformError::fault(Excess::Depth(deepest), mark));
        }
        let rejects_one_id = profile.has(Switch::RejectOneId);
        let (mark, options) = (config.mark, config.options.clone().unwrap_or_default());
        Ok(Self { mark, options, select, compiled, reject, paths, is_literal, rejects_one_id })
    }

    /// Why the target does not write a field; `None` if its paths do not lead there.
    pub(super) fn why_unwritten(&self, asked: &UnwrittenField<'_>) -> Option<UnwrittenCause> {
        if asked.resource.is_some_and(|resource| self.selects(resource).unwrap_or(false)) {
            return None;
        }
        asked.selector_miss_cause(&self.select, &self.compiled, &self.written_paths())
    }

    pub(super) fn written_paths(&self) -> Vec<Vec<String>> {
        self.paths.iter().map(|(_, path)| path.written_parts()).collect()
    }

    pub(super) fn candidates(&self, resources: &ResMap) -> Vec<Slot> {
        match self.compiled.name.exact() {
            Some(name) => resources.find_any_name(name),
            None => resources.slots(),
        }
    }

    /// True if the target selects the resource and does not reject it.
    pub(super) fn selects(&self, resource: &Resource) -> Result<bool, TransformError> {
        let selected = resource.all_ids().filter(|id| self.id_fits(&self.compiled, id));
        let mut selected: Vec<ResId> = selected.collect();
        if selected.is_empty() || !self.compiled.matches_labels(resource)? {
            return Ok(false);
        }
        for (selector, compiled) in &self.reject {
            let only_labels = Selector {
                label_selector: selector.label_selector.clone(),
                annotation_selector: selector.annotation_selector.clone(),
                ..Selector::default()
            };
            // Kustomize: a reject with both an id and labels rejects on either.
            if !only_labels.is_empty() && compiled.matches_labels(resource)? {
                return Ok(false);
            }
            if *selector == only_labels {
                continue;
            }
            if self.rejects_one_id {
                selected.retain(|id| !self.id_fits(compiled, id));
            } else if resource.all_ids().any(|id| self.id_fits(compiled, &id)) {
                return Ok(false);
            }
        }
        Ok(!selected.is_empty())
    }

    /// True if the id matches the selector. Namespaces are compared as written; with `is_literal`,
    /// by their effective value.
    fn id_fits(&self, compiled: &CompiledSelector, id: &ResId) -> bool {
        let counts = self.is_literal && id.namespace.is_empty();
        let namespace = if counts { "default" } else { &*id.namespace };
        compiled.matches_gvk(&id.gvk)
            && compiled.name.matches(&id.name)
            && compiled.namespace.matches(namespace)
    }
}

pub(super) fn gvk_of(selector: &Selector) -> Gvk {
    Gvk {
        group: selector.group.as_str().into(),
        version: selector.version.as_str().into(),
        kind: selector.kind.as_str().into(),
    }
}

/// A selector as Kustomize prints it.
pub(super) fn shown(selector: &Selector) -> ResId {
    ResId {
        gvk: gvk_of(selector),
        name: selector.name.as_str().into(),
        namespace: selector.namespace.as_str().into(),
        ..ResId::default()
    }
}

/// A source as Kustomize prints it: the id, the path, and options that are set.
pub(super) fn described(source: &ReplacementSource) -> String {
    let mut text = shown(&source.id).to_string();
    if !source.field_path.is_empty() {
        text = format!("{text}:{}", source.field_path);
    }
    let options = source.options.as_ref();
    if let Some(options) = options.filter(|it| !it.delimiter.is_empty() || it.create) {
        let ReplacementOptions { delimiter, index, create, .. } = options;
        text = format!("{text}:{delimiter}({index}), create={create}");
    }
    text
}
