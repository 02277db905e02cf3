//! Decoding the arguments of transformers.

use crate::manifest::{
    Builtin, FieldSpec, Label, LegacySortOptions, Marked, ObjRef, Patch, PatchOptions, PlainEntry,
    PlainType, Replacement, ReplacementOptions, ReplacementSource, ReplacementTarget, SortOptions,
    Var,
};
use crate::profile::{Profile, Switch};
use crate::resource::Selector;
use crate::yaml::{Limits, Mark, Node, SourceId, Style, Value, parse_config};

use super::ManifestError;
use super::go_json::{GoPosition, LENIENT, Result, json_name};
use super::go_struct::{field, go_struct, typed, with};

go_struct!(
    Label,
    "types.Label",
    [
        field("pairs", |it| &mut it.pairs),
        field("includeSelectors", |it| &mut it.include_selectors),
        field("includeTemplates", |it| &mut it.include_templates),
        field("includeVolumeClaimTemplates", |it| &mut it.include_volume_claim_templates),
        typed("fields", "[]types.FieldSpec", |it| &mut it.fields),
    ]
);

go_struct!(
    FieldSpec,
    "types.FieldSpec",
    [
        field("group", |it| &mut it.gvk.group),
        field("version", |it| &mut it.gvk.version),
        field("kind", |it| &mut it.gvk.kind),
        field("path", |it| &mut it.path),
        field("create", |it| &mut it.create),
    ]
);

pub(super) fn field_specs(
    place: &GoPosition<'_>,
    node: &Node,
    go_type: &'static str,
) -> Result<Vec<FieldSpec>> {
    Ok(values(place.list(node, go_type, GoPosition::read)?))
}

go_struct!(
    Patch,
    "types.Patch",
    [
        field("path", |it| &mut it.path),
        with("patch", |it, place, node| {
            (it.patch, it.patch_line) = (place.string(node)?, text_line(node));
            Ok(())
        }),
        field("target", |it| &mut it.target),
        with("options", |it, place, node| {
            it.options = patch_options(place, node)?;
            Ok(())
        }),
    ]
);

pub(super) fn strategic_merges(place: &GoPosition<'_>, node: &Node) -> Result<Vec<Marked<String>>> {
    place.list(node, "[]types.PatchStrategicMerge", |place, item| {
        place.string_of_type(item, "types.PatchStrategicMerge")
    })
}

/// The line at which a text begins. The mark of a block scalar is one line above, at its header.
fn text_line(node: &Node) -> u32 {
    let is_block = node
        .as_scalar()
        .is_some_and(|scalar| matches!(scalar.style, Style::Literal | Style::Folded));
    node.mark.line + u32::from(is_block)
}

fn patch_options(place: &GoPosition<'_>, node: &Node) -> Result<PatchOptions> {
    if place.profile().has(Switch::AnyPatchOption) && node.as_mapping().is_some() {
        // In these releases, any map of booleans is valid; unknown keys are ignored.
        let mut options = PatchOptions::default();
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
    place.read(node)
}

go_struct!(
    PatchOptions,
    "types.PatchArgs",
    [
        field("allowNameChange", |it| &mut it.allow_name_change),
        field("allowKindChange", |it| &mut it.allow_kind_change),
    ]
);

go_struct!(
    Selector,
    "types.Selector",
    [
        field("group", |it| &mut it.group),
        field("version", |it| &mut it.version),
        field("kind", |it| &mut it.kind),
        field("name", |it| &mut it.name),
        field("namespace", |it| &mut it.namespace),
        field("annotationSelector", |it| &mut it.annotation_selector),
        field("labelSelector", |it| &mut it.label_selector),
    ]
);

go_struct!(
    Replacement,
    "types.ReplacementField",
    [
        field("path", |it| &mut it.path),
        field("source", |it| &mut it.source),
        field("sourceValue", |it| &mut it.source_value),
        typed("targets", "[]*types.TargetSelector", |it| &mut it.targets),
    ]
);

/// Decodes an entry of `replacements` in a kustomization file. Kustomize passes the entry to the
/// transformer as a text without empty lists, so that an empty list of targets counts as absent.
pub(super) fn kustomization_replacement(
    place: &GoPosition<'_>,
    node: &Node,
) -> Result<Replacement> {
    let mut entry: Replacement = place.read(node)?;
    entry.targets = entry.targets.filter(|targets| !targets.is_empty());
    Ok(entry)
}

go_struct!(
    ReplacementSource,
    "types.SourceSelector",
    [
        field("group", |it| &mut it.id.group),
        field("version", |it| &mut it.id.version),
        field("kind", |it| &mut it.id.kind),
        field("name", |it| &mut it.id.name),
        field("namespace", |it| &mut it.id.namespace),
        field("fieldPath", |it| &mut it.field_path),
        field("options", |it| &mut it.options),
    ]
);

go_struct!(
    ReplacementTarget,
    "types.TargetSelector",
    [
        field("select", |it| &mut it.select),
        with("reject", |it, place, node| {
            let rejected = |place: &GoPosition<'_>, node: &Node| {
                if node.is_null() { Ok(None) } else { place.read(node).map(Some) }
            };
            it.reject = values(place.list(node, "[]*types.Selector", rejected)?);
            Ok(())
        }),
        field("fieldPaths", |it| &mut it.field_paths),
        field("options", |it| &mut it.options),
    ],
    |node: &Node| ReplacementTarget { mark: node.mark, ..ReplacementTarget::default() }
);

go_struct!(
    ReplacementOptions,
    "types.FieldOptions",
    [
        field("delimiter", |it| &mut it.delimiter),
        field("index", |it| &mut it.index),
        field("encoding", |it| &mut it.encoding),
        field("create", |it| &mut it.create),
    ]
);

go_struct!(
    Var,
    "types.Var",
    [
        field("name", |it| &mut it.name),
        field("objref", |it| &mut it.objref),
        with("fieldref", |it, place, node| {
            place.fields(node, "types.FieldSelector", &["fieldPath"], |field| {
                it.field_path = field.place.string(field.value)?;
                Ok(())
            })
        }),
    ]
);

go_struct!(
    ObjRef,
    "types.Target",
    [
        field("apiVersion", |it| &mut it.api_version),
        field("group", |it| &mut it.group),
        field("version", |it| &mut it.version),
        field("kind", |it| &mut it.kind),
        field("name", |it| &mut it.name),
        field("namespace", |it| &mut it.namespace),
    ]
);

go_struct!(
    SortOptions,
    "types.SortOptions",
    [
        typed("order", "types.SortOrder", |it| &mut it.order),
        field("legacySortOptions", |it| &mut it.legacy),
    ]
);

go_struct!(
    LegacySortOptions,
    "types.LegacySortOptions",
    [field("orderFirst", |it| &mut it.order_first), field("orderLast", |it| &mut it.order_last),]
);

pub(super) fn values<T>(placed: Vec<Marked<T>>) -> Vec<T> {
    placed.into_iter().map(|placed| placed.value).collect()
}

/// Decodes a file of replacements: one, or a list of them. Unknown fields are ignored, as in
/// Kustomize.
///
/// # Errors
/// The file is neither, or a field has a wrong type.
pub fn decode_replacements(
    text: &[u8],
    source: SourceId,
    profile: Profile,
) -> Result<Vec<Marked<Replacement>>> {
    let place = GoPosition::top(LENIENT.like(profile));
    let root = parse_config(text, source, Limits::default())
        .map_err(|error| ManifestError::yaml("error converting YAML to JSON: ", error, source))?;
    // The replacements of a file have no `path`.
    let one = |place: &GoPosition<'_>, node: &Node| {
        place.read_as(node, "types.Replacement", &["source", "sourceValue", "targets"])
    };
    let root = root.unwrap_or_else(|| {
        Node::null().marked(Mark { source, line: 1, column: 1, ..Mark::default() })
    });
    match &root.value {
        Value::Sequence(..) => place.list(&root, "[]types.Replacement", one),
        Value::Mapping(_) => Ok(vec![Marked { value: one(&place, &root)?, mark: root.mark }]),
        Value::Scalar(_) => {
            let found = if root.is_null() { "invalid" } else { json_name(&root) };
            let fault = "unsupported replacement type encountered within replacement path";
            Err(ManifestError::fault_at(format!("{fault}: {found}"), root.mark))
        }
    }
}

/// Decodes the entries of a field with a plain transformer; empty for any other field.
pub(super) fn plain_entries(
    place: &GoPosition<'_>,
    node: &Node,
    builtin: Option<Builtin>,
) -> Result<Vec<Marked<PlainEntry>>> {
    let Some(plain) = builtin.and_then(Builtin::plain) else { return Ok(Vec::new()) };
    place.list(node, plain.list, |place, item| plain_entry(place, item, plain))
}

fn plain_entry(place: &GoPosition<'_>, node: &Node, plain: &PlainType) -> Result<PlainEntry> {
    let mut values = vec![Marked::default(); plain.keys.len()];
    place.fields(node, plain.entry, plain.keys, |field| {
        let value = if plain.numbers.contains(&field.name) {
            field.place.int(field.value, "int64")?.to_string()
        } else {
            field.place.string(field.value)?
        };
        let known = plain.keys.iter().zip(&mut values).find(|(key, _)| **key == field.name);
        if let Some((_, slot)) = known {
            *slot = Marked { value, mark: field.value.mark };
        }
        Ok(())
    })?;
    Ok(PlainEntry { values })
}

/// The configuration of a plain transformer as a plugin, with its field specs; empty for any other
/// plugin.
///
/// # Errors
/// As Kustomize's.
pub fn decode_plain(config: &Node, builtin: Builtin) -> Result<(PlainEntry, Vec<FieldSpec>)> {
    let (mut entry, mut specs) = (PlainEntry::default(), Vec::new());
    let Some(plain) = builtin.plain() else { return Ok((entry, specs)) };
    GoPosition::top(LENIENT).fields(config, plain.plugin, builtin.fields(), |field| {
        match field.name {
            name if name == plain.key => entry = plain_entry(&field.place, field.value, plain)?,
            "fieldSpecs" => {
                specs = field_specs(&field.place, field.value, "[]types.FieldSpec")?;
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok((entry, specs))
}
