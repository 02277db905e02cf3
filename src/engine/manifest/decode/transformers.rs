//! The arguments of transformers.

use crate::manifest::{Builtin, FieldSpec, Marked, Pairs, PlainType};
use crate::profile::{Profile, Switch};
use crate::resource::Selector;
use crate::yaml::{Limits, Mark, Node, SourceId, Style, Value, parse_config};

use super::ManifestError;
use super::go_json::{GoPosition, LENIENT, Result, json_name};
use super::go_struct::{field, go_struct, go_types, typed, with};

go_types! {
    /// One entry of `labels`.
    pub struct Label = "types.Label" {
        pub pairs: Pairs = field("pairs"),
        pub include_selectors: bool = field("includeSelectors"),
        pub include_templates: bool = field("includeTemplates"),
        pub include_volume_claim_templates: bool = field("includeVolumeClaimTemplates"),
        pub fields: Vec<FieldSpec> = typed("fields", "[]types.FieldSpec"),
    }
}

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

go_types! {
    /// One entry of `patches` or `patchesJson6902`.
    pub struct Patch = "types.Patch" {
        pub path: String = field("path"),
        /// `patch`: the inline text.
        pub patch: String = with("patch", |it, place, node| {
            (it.patch, it.patch_line) = (place.string(node)?, text_line(node));
            Ok(())
        }),
        /// The line at which the inline text begins, for locations in it; 0 for a patch file.
        pub patch_line: u32,
        pub target: Option<Selector> = field("target"),
        pub options: PatchOptions = by("options", patch_options),
    }
}

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

go_types! {
    /// The options of an entry of `patches`.
    #[derive(Copy)]
    pub struct PatchOptions = "types.PatchArgs" {
        pub allow_name_change: bool = field("allowNameChange"),
        pub allow_kind_change: bool = field("allowKindChange"),
    }
}

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

go_types! {
    /// One entry of `replacements`.
    pub struct Replacement = "types.ReplacementField" {
        /// `path`: a file with one replacement or a list of them.
        pub path: String = field("path"),
        pub source: Option<ReplacementSource> = field("source"),
        pub source_value: Option<Marked<String>> = field("sourceValue"),
        /// `targets`; `None` when absent or null.
        pub targets: Option<Vec<ReplacementTarget>> = typed("targets", "[]*types.TargetSelector"),
    }
}

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

/// `replacements[].source`: the resource and the field that a replacement copies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplacementSource {
    /// Group, version, kind, name and namespace, which must be equal.
    pub id: Selector,
    pub field_path: String,
    pub options: Option<ReplacementOptions>,
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

go_types! {
    /// `replacements[].targets[]`: the resources and fields that a replacement writes.
    pub struct ReplacementTarget = "types.TargetSelector" {
        pub select: Option<Selector> = field("select"),
        pub reject: Vec<Option<Selector>> = with("reject", |it, place, node| {
            let rejected = |place: &GoPosition<'_>, node: &Node| {
                if node.is_null() { Ok(None) } else { place.read(node).map(Some) }
            };
            it.reject = values(place.list(node, "[]*types.Selector", rejected)?);
            Ok(())
        }),
        pub field_paths: Vec<String> = field("fieldPaths"),
        pub options: Option<ReplacementOptions> = field("options"),
        pub mark: Mark,
    } from |node: &Node| ReplacementTarget { mark: node.mark, ..ReplacementTarget::default() }

    /// `options` of a replacement's source or target.
    pub struct ReplacementOptions = "types.FieldOptions" {
        pub delimiter: String = field("delimiter"),
        pub index: i64 = field("index"),
        /// `encoding`: accepted and ignored, as in Kustomize.
        pub encoding: String = field("encoding"),
        pub create: bool = field("create"),
    }

    /// One entry of `vars`.
    pub struct Var = "types.Var" {
        pub name: String = field("name"),
        pub objref: ObjRef = field("objref"),
        /// `fieldref.fieldPath`
        pub field_path: String = with("fieldref", |it, place, node| {
            place.fields(node, "types.FieldSelector", &["fieldPath"], |field| {
                it.field_path = field.place.string(field.value)?;
                Ok(())
            })
        }),
    }

    /// The object from which a var reads its value (`vars[].objref`).
    pub struct ObjRef = "types.Target" {
        pub api_version: String = field("apiVersion"),
        pub group: String = field("group"),
        pub version: String = field("version"),
        pub kind: String = field("kind"),
        pub name: String = field("name"),
        pub namespace: String = field("namespace"),
    }

    /// The value of the field `sortOptions`.
    pub struct SortOptions = "types.SortOptions" {
        /// `order`, as written: checked when the sort step is created.
        pub order: String = typed("order", "types.SortOrder"),
        pub legacy: Option<LegacySortOptions> = field("legacySortOptions"),
    }

    /// The value of `sortOptions.legacySortOptions`.
    pub struct LegacySortOptions = "types.LegacySortOptions" {
        pub order_first: Vec<String> = field("orderFirst"),
        pub order_last: Vec<String> = field("orderLast"),
    }
}

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

/// An entry of a field with a plain transformer, or the entry in the configuration of such a plugin:
/// the values as texts, in the order of the keys of its [`PlainType`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainEntry {
    values: Vec<Marked<String>>,
}

impl PlainEntry {
    /// The values of the first keys with their locations; empty if absent.
    pub fn values<const COUNT: usize>(&self) -> [Marked<String>; COUNT] {
        std::array::from_fn(|index| self.values.get(index).cloned().unwrap_or_default())
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
