//! Decoding the arguments of transformers.

use crate::manifest::{
    FieldSpec, Label, LegacySortOptions, Marked, ObjRef, Patch, PatchOptions, Replacement,
    ReplacementOptions, ReplacementSource, ReplacementTarget, SortOptions, Var,
};
use crate::profile::Switch;
use crate::resource::{Gvk, Selector};
use crate::yaml::{Node, Style};

use super::go_json::{GoPosition, PresentField, Result};

const SELECTOR_FIELDS: &[&str] =
    &["group", "version", "kind", "name", "namespace", "annotationSelector", "labelSelector"];

pub(super) fn label(place: &GoPosition<'_>, node: &Node) -> Result<Label> {
    const NAMES: &[&str] =
        &["pairs", "includeSelectors", "includeTemplates", "includeVolumeClaimTemplates", "fields"];
    let mut label = Label::default();
    place.fields(node, "types.Label", NAMES, |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "pairs" => label.pairs = place.pairs(value)?,
            "includeSelectors" => label.include_selectors = place.bool(value)?,
            "includeTemplates" => label.include_templates = place.bool(value)?,
            "includeVolumeClaimTemplates" => {
                label.include_volume_claim_templates = place.bool(value)?;
            }
            _ => label.fields = field_specs(place, value, "[]types.FieldSpec")?,
        }
        Ok(())
    })?;
    Ok(label)
}

pub(super) fn field_specs(
    place: &GoPosition<'_>,
    node: &Node,
    go_type: &'static str,
) -> Result<Vec<FieldSpec>> {
    Ok(values(place.list(node, go_type, field_spec)?))
}

/// Decodes a field spec: a type, a path, and `create`.
fn field_spec(place: &GoPosition<'_>, node: &Node) -> Result<FieldSpec> {
    const NAMES: &[&str] = &["group", "version", "kind", "path", "create"];
    let mut spec = FieldSpec::default();
    place.fields(node, "types.FieldSpec", NAMES, |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "path" => spec.path = place.string(value)?,
            "create" => spec.create = place.bool(value)?,
            part => set_gvk(&mut spec.gvk, part, place.embedded().string(value)?),
        }
        Ok(())
    })?;
    Ok(spec)
}

/// Sets a part of a type: `group`, `version` or `kind`.
pub(super) fn set_gvk(gvk: &mut Gvk, part: &str, text: String) {
    match part {
        "group" => gvk.group = text.into(),
        "version" => gvk.version = text.into(),
        _ => gvk.kind = text.into(),
    }
}

pub(super) fn patch(place: &GoPosition<'_>, node: &Node) -> Result<Patch> {
    decode_patch(place, node, "types.Patch")
}

/// Decodes a patch: `path`, `patch`, `target` and `options`.
pub(super) fn decode_patch(
    place: &GoPosition<'_>,
    node: &Node,
    go_type: &'static str,
) -> Result<Patch> {
    let mut patch = Patch::default();
    place.fields(node, go_type, &["path", "patch", "target", "options"], |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "path" => patch.path = place.string(value)?,
            "patch" => {
                patch.patch = place.string(value)?;
                patch.patch_line = text_line(value);
            }
            "target" => patch.target = Some(selector(place, value)?),
            _ => patch.options = patch_options(place, value)?,
        }
        Ok(())
    })?;
    Ok(patch)
}

/// The line at which a text begins. The mark of a block scalar is one line above, at its header.
fn text_line(node: &Node) -> u32 {
    let is_block = node
        .as_scalar()
        .is_some_and(|scalar| matches!(scalar.style, Style::Literal | Style::Folded));
    node.mark.line + u32::from(is_block)
}

/// Decodes the `options` of a patch.
fn patch_options(place: &GoPosition<'_>, node: &Node) -> Result<PatchOptions> {
    let mut options = PatchOptions::default();
    if place.profile().has(Switch::AnyPatchOption) && node.as_mapping().is_some() {
        // In these releases, any map of booleans is valid; unknown keys are ignored.
        for entry in node.entries() {
            let is_on = place.bool(&entry.value)?;
            match entry.key.text() {
                Some("allowNameChange") => options.allow_name_change = is_on,
                Some("allowKindChange") => options.allow_kind_change = is_on,
                _ => {}
            }
        }
        return Ok(options);
    }
    place.fields(node, "types.PatchArgs", &["allowNameChange", "allowKindChange"], |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "allowNameChange" => options.allow_name_change = place.bool(value)?,
            _ => options.allow_kind_change = place.bool(value)?,
        }
        Ok(())
    })?;
    Ok(options)
}

pub(super) fn selector(place: &GoPosition<'_>, node: &Node) -> Result<Selector> {
    let mut selector = Selector::default();
    place.fields(node, "types.Selector", SELECTOR_FIELDS, |field| {
        let place = match field.name {
            "annotationSelector" | "labelSelector" => field.place,
            _ => field.place.embedded(),
        };
        set_selector(&mut selector, field.name, place.string(field.value)?);
        Ok(())
    })?;
    Ok(selector)
}

/// Sets a part of a selector, by the name of its key.
fn set_selector(selector: &mut Selector, part: &str, text: String) {
    match part {
        "group" => selector.group = text,
        "version" => selector.version = text,
        "kind" => selector.kind = text,
        "name" => selector.name = text,
        "namespace" => selector.namespace = text,
        "annotationSelector" => selector.annotation_selector = text,
        _ => selector.label_selector = text,
    }
}

pub(super) fn replacement(place: &GoPosition<'_>, node: &Node) -> Result<Replacement> {
    decode_replacement(place, node, LIST_ENTRY_GO_TYPE)
}

/// Decodes an entry of `replacements` in a kustomization file. Kustomize passes the entry to the
/// transformer as a text without empty lists, so that an empty list of targets counts as absent.
pub(super) fn kustomization_replacement(
    place: &GoPosition<'_>,
    node: &Node,
) -> Result<Replacement> {
    let mut entry = replacement(place, node)?;
    entry.targets = entry.targets.filter(|targets| !targets.is_empty());
    Ok(entry)
}

/// The Go type of an entry of `replacements`, the only form with a `path`.
const LIST_ENTRY_GO_TYPE: &str = "types.ReplacementField";

/// Decodes a replacement; in a separate file it has no `path`.
pub(super) fn decode_replacement(
    place: &GoPosition<'_>,
    node: &Node,
    go_type: &'static str,
) -> Result<Replacement> {
    let names: &[&str] = if go_type == LIST_ENTRY_GO_TYPE {
        &["path", "source", "sourceValue", "targets"]
    } else {
        &["source", "sourceValue", "targets"]
    };
    let mut replacement = Replacement::default();
    place.fields(node, go_type, names, |field| {
        let PresentField { value, name, place, .. } = &field;
        let in_list = go_type == LIST_ENTRY_GO_TYPE && *name != "path";
        let place = &if in_list { place.embedded() } else { *place };
        match *name {
            "path" => replacement.path = place.string(value)?,
            "source" => replacement.source = Some(source(place, value)?),
            "sourceValue" => replacement.source_value = Some(place.located_string(value)?),
            _ => {
                let targets = place.list(value, "[]*types.TargetSelector", target)?;
                replacement.targets = Some(values(targets));
            }
        }
        Ok(())
    })?;
    Ok(replacement)
}

fn source(place: &GoPosition<'_>, node: &Node) -> Result<ReplacementSource> {
    const NAMES: &[&str] =
        &["group", "version", "kind", "name", "namespace", "fieldPath", "options"];
    let mut source = ReplacementSource::default();
    place.fields(node, "types.SourceSelector", NAMES, |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "fieldPath" => source.field_path = place.string(value)?,
            "options" => source.options = Some(field_options(place, value)?),
            part => set_selector(&mut source.id, part, place.embedded().string(value)?),
        }
        Ok(())
    })?;
    Ok(source)
}

fn target(place: &GoPosition<'_>, node: &Node) -> Result<ReplacementTarget> {
    const NAMES: &[&str] = &["select", "reject", "fieldPaths", "options"];
    let mut target = ReplacementTarget { mark: node.mark, ..ReplacementTarget::default() };
    place.fields(node, "types.TargetSelector", NAMES, |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "select" => target.select = Some(selector(place, value)?),
            "reject" => {
                let rejected = |place: &GoPosition<'_>, node: &Node| {
                    if node.is_null() { Ok(None) } else { selector(place, node).map(Some) }
                };
                target.reject = values(place.list(value, "[]*types.Selector", rejected)?);
            }
            "fieldPaths" => target.field_paths = place.plain_strings(value)?,
            _ => target.options = Some(field_options(place, value)?),
        }
        Ok(())
    })?;
    Ok(target)
}

/// Decodes the `options` of a source or a target of a replacement.
fn field_options(place: &GoPosition<'_>, node: &Node) -> Result<ReplacementOptions> {
    let mut options = ReplacementOptions::default();
    let names = &["delimiter", "index", "encoding", "create"];
    place.fields(node, "types.FieldOptions", names, |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "delimiter" => options.delimiter = place.string(value)?,
            "index" => options.index = place.int(value, "int")?,
            "encoding" => options.encoding = place.string(value)?,
            _ => options.create = place.bool(value)?,
        }
        Ok(())
    })?;
    Ok(options)
}

/// Decodes an entry of `vars`.
pub(super) fn decode_var(place: &GoPosition<'_>, node: &Node) -> Result<Var> {
    let mut var = Var::default();
    place.fields(node, "types.Var", &["name", "objref", "fieldref"], |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "name" => var.name = place.string(value)?,
            "objref" => var.objref = objref(place, value)?,
            _ => place.fields(value, "types.FieldSelector", &["fieldPath"], |field| {
                var.field_path = field.place.string(field.value)?;
                Ok(())
            })?,
        }
        Ok(())
    })?;
    Ok(var)
}

/// Decodes the `objref` of an entry of `vars`.
fn objref(place: &GoPosition<'_>, node: &Node) -> Result<ObjRef> {
    const NAMES: &[&str] = &["apiVersion", "group", "version", "kind", "name", "namespace"];
    let mut objref = ObjRef::default();
    place.fields(node, "types.Target", NAMES, |field| {
        let text = field.place.string(field.value)?;
        match field.name {
            "apiVersion" => objref.api_version = text,
            "group" => objref.group = text,
            "version" => objref.version = text,
            "kind" => objref.kind = text,
            "name" => objref.name = text,
            _ => objref.namespace = text,
        }
        Ok(())
    })?;
    Ok(objref)
}

/// Decodes `sortOptions`.
pub(super) fn sort_options(place: &GoPosition<'_>, node: &Node) -> Result<SortOptions> {
    let mut options = SortOptions::default();
    place.fields(node, "types.SortOptions", &["order", "legacySortOptions"], |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "order" => options.order = place.string_of_type(value, "types.SortOrder")?,
            _ => options.legacy = Some(legacy_sort_options(place, value)?),
        }
        Ok(())
    })?;
    Ok(options)
}

/// Decodes `sortOptions.legacySortOptions`: the kinds that come first, and those that come last.
fn legacy_sort_options(place: &GoPosition<'_>, node: &Node) -> Result<LegacySortOptions> {
    let mut options = LegacySortOptions::default();
    place.fields(node, "types.LegacySortOptions", &["orderFirst", "orderLast"], |field| {
        let kinds = field.place.plain_strings(field.value)?;
        match field.name {
            "orderFirst" => options.order_first = kinds,
            _ => options.order_last = kinds,
        }
        Ok(())
    })?;
    Ok(options)
}

pub(super) fn values<T>(placed: Vec<Marked<T>>) -> Vec<T> {
    placed.into_iter().map(|placed| placed.value).collect()
}
