//! Decoding a kustomization file: its fields, `FixKustomization`, and the checks that follow.

use crate::manifest::{
    Deprecated, Field, HelmGlobals, Kind, Kustomization, Placed, PlainEntry, pairs_fields,
    plain_fields, word_fields,
};
use std::sync::LazyLock;

use crate::profile::{Profile, Switch};
use crate::yaml::{Limits, Mark, Node, SourceId, parse_config};

use super::as_json::{control_character, joined, not_a_number, spells_twice};
use super::go_json::{Field as Member, KUSTOMIZATION, LENIENT_KUSTOMIZATION, Place, Result, Rules};
use super::{HeaderProblem, ManifestError, ManifestFault};
use super::{generators, plain, transformers};

const NAMES: [&str; Field::ALL.len()] = {
    let mut names = [""; Field::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = Field::ALL[at].name();
        at += 1;
    }
    names
};

/// A partly decoded kustomization file: the values that are moved or checked after all fields are
/// read.
#[derive(Default)]
struct Draft {
    result: Kustomization,
    api_version: Placed<String>,
    kind: Placed<String>,
    bases: Vec<Placed<String>>,
    image_tags: Vec<Placed<PlainEntry>>,
    homes: HelmGlobals,
    /// True if the file has a field that makes it non-empty: any list, mapping or struct, or a
    /// non-empty text.
    present: bool,
}

/// Decodes a kustomization file: YAML 1.1, fields by Go's rules, deprecated spellings fixed, kind
/// checked.
///
/// # Errors
/// All cases in which Kustomize refuses the file, with its text; the caller adds the directory to
/// [`ManifestError::Header`].
pub fn decode_kustomization(
    text: &[u8],
    source: SourceId,
    profile: Profile,
) -> Result<Kustomization> {
    let start = Mark { source, line: 1, column: 1, ..Mark::default() };
    let root = parse_config(text, source, Limits::default())
        .map_err(|error| ManifestError::yaml(KUSTOMIZATION.prefix, error, source))?;
    let root = root.unwrap_or_else(|| Node::mapping().marked(start));
    decode_root(root, start, KUSTOMIZATION.like(profile), profile)
}

/// As [`decode_kustomization`], with an edit of the tree before it is decoded. The file may be
/// empty. Unless `is_strict`, unknown fields are dropped.
///
/// # Errors
/// As [`decode_kustomization`], and the errors of the edit.
pub fn decode_edited_kustomization(
    text: &[u8],
    source: SourceId,
    profile: Profile,
    is_strict: bool,
    edit: &mut dyn FnMut(&mut Node) -> Result<()>,
) -> Result<Kustomization> {
    let start = Mark { source, line: 1, column: 1, ..Mark::default() };
    let root = parse_config(text, source, Limits::default())
        .map_err(|error| ManifestError::yaml(KUSTOMIZATION.prefix, error, source))?;
    let mut root = joined(root.unwrap_or_else(|| Node::mapping().marked(start)), &NAMES);
    edit(&mut root)?;
    let rules = if is_strict { KUSTOMIZATION } else { LENIENT_KUSTOMIZATION };
    decode_root(root, start, rules.like(profile), profile)
}

fn decode_root(root: Node, start: Mark, rules: Rules, profile: Profile) -> Result<Kustomization> {
    if let Some((number, mark)) = not_a_number(&root) {
        let fault = ManifestFault::UnsupportedNumber { prefix: KUSTOMIZATION.prefix, number };
        let hint = "JSON has no infinity and no NaN: quote it if it is meant as text".into();
        return Err(ManifestError::Fault { fault, hint: Some(hint), mark });
    }
    let place = Place::top(rules);
    let names = names(profile);
    if spells_twice(&root, &NAMES) {
        // Each value must have the field's type, even those that are overridden.
        place.fields(&root, "types.Kustomization", names, |field| Draft::default().set(&field))?;
    }
    let root = joined(root, &NAMES);
    let mut draft = Draft::default();
    place.fields(&root, "types.Kustomization", names, |field| draft.set(&field))?;
    draft.finish(start, profile)
}

/// Decodes an inline Kustomization of a Composition (KEP-2299). It works on the incoming resources,
/// so it may have no fields.
///
/// # Errors
/// As [`decode_kustomization`].
pub fn decode_inline_kustomization(root: &Node, profile: Profile) -> Result<Kustomization> {
    let mut draft = Draft { present: true, ..Draft::default() };
    Place::top(KUSTOMIZATION.like(profile)).fields(
        root,
        "types.Kustomization",
        &NAMES,
        |field| draft.set(&field),
    )?;
    draft.finish(root.mark, profile)
}

impl Draft {
    #[expect(clippy::too_many_lines, reason = "a line or two for each field")]
    fn set(&mut self, member: &Member<'_, '_>) -> Result<()> {
        let Some(field) = Field::of(member.name) else { return Ok(()) };
        self.note(field, member);
        let Member { value, place, .. } = member;
        self.note_unwritable(field, value);
        let mark = value.mark;
        let k = &mut self.result;
        match field {
            Field::ApiVersion => self.api_version = place.placed_string(value)?,
            Field::Kind => self.kind = place.placed_string(value)?,
            Field::Metadata => check_metadata(place, value)?,
            Field::OpenApi => set_openapi(k, place, value)?,
            Field::Resources => k.resources = place.strings(value)?,
            Field::Components => k.components = place.strings(value)?,
            Field::Bases => self.bases = place.strings(value)?,
            Field::Crds => k.crds = place.strings(value)?,
            Field::Configurations => k.configurations = place.strings(value)?,
            Field::Generators => k.generators = place.strings(value)?,
            Field::Transformers => k.transformers = place.strings(value)?,
            Field::Validators => k.validators = place.strings(value)?,
            Field::BuildMetadata => k.build_metadata = place.strings(value)?,
            Field::Catalogs => k.catalogs = Some((*value).clone()),
            Field::Vars => k.vars = place.list(value, "[]types.Var", transformers::var)?,
            Field::SortOptions => {
                let value = transformers::sort_options(place, value)?;
                k.sort_options = Some(Placed { value, mark });
            }
            Field::ConfigMapGenerator => {
                let go_type = "[]types.ConfigMapArgs";
                k.config_map_generator = place.list(value, go_type, generators::config_map)?;
            }
            Field::SecretGenerator => {
                let go_type = "[]types.SecretArgs";
                k.secret_generator = place.list(value, go_type, generators::secret)?;
            }
            Field::GeneratorOptions => {
                k.generator_options = generators::generator_options(place, value)?;
            }
            Field::HelmGlobals => k.helm_globals = Some(generators::helm_globals(place, value)?),
            Field::HelmCharts => {
                let charts = place.list(value, "[]types.HelmChart", generators::helm_chart)?;
                k.helm_charts.splice(0..0, charts);
            }
            Field::HelmChartInflationGenerator => self.set_inflation(place, value)?,
            word_fields!() => {
                k.words.insert(field, place.placed_string(value)?);
            }
            pairs_fields!() => {
                k.pairs.insert(field, Placed { value: place.pairs(value)?, mark });
            }
            Field::Labels => k.labels = place.list(value, "[]types.Label", transformers::label)?,
            Field::PatchesStrategicMerge => {
                let go_type = "[]types.PatchStrategicMerge";
                k.patches_strategic_merge = place.list(value, go_type, |place, item| {
                    place.string_of(item, "types.PatchStrategicMerge")
                })?;
            }
            Field::PatchesJson6902 => {
                k.patches_json6902 = place.list(value, "[]types.Patch", transformers::patch)?;
            }
            Field::Patches if is_list_of_files(place, value) => {
                let files = place.strings(value)?;
                k.patches_strategic_merge.extend(files);
            }
            Field::Patches => {
                k.patches = place.list(value, "[]types.Patch", transformers::patch)?;
            }
            Field::ImageTags => self.image_tags = plain::entries(place, value, field.builtin())?,
            Field::Replacements => {
                let go_type = "[]types.ReplacementField";
                let read = transformers::kustomization_replacement;
                k.replacements = place.list(value, go_type, read)?;
            }
            plain_fields!() => {
                k.plain.insert(field, plain::entries(place, value, field.builtin())?);
            }
        }
        Ok(())
    }

    /// Records that the field is present, for the emptiness check and the warnings.
    fn note(&mut self, field: Field, Member { key, value, place, .. }: &Member<'_, '_>) {
        self.present |= match counts_when(field) {
            Counts::Never => false,
            Counts::WithText => value.text() != Some(""),
            Counts::WithItems => value.items().is_none_or(|items| !items.is_empty()),
            Counts::Always => true,
        };
        let profile = place.profile();
        let is_silent = !profile.warns_of_deprecations()
            || field == Field::CommonLabels && profile.has(Switch::SilentCommonLabels);
        if let Some(instead) = field.instead().filter(|_| !is_silent) {
            let name = field.name();
            self.result.deprecated.retain(|known| known.field != name);
            self.result.deprecated.push(Deprecated { field: name, instead, mark: key.mark });
        }
    }

    /// Kustomize serializes the configuration of a plugin and parses it again; deprecated charts
    /// are converted before.
    fn note_unwritable(&mut self, field: Field, value: &Node) {
        if field.builtin().is_none() || field == Field::HelmChartInflationGenerator {
            return;
        }
        let field = if field == Field::ImageTags { Field::Images } else { field };
        if let Some(mark) = control_character(value) {
            self.result.unwritable.entry(field).or_insert(mark);
        }
    }

    fn set_inflation(&mut self, place: &Place<'_>, node: &Node) -> Result<()> {
        let args = place.list(node, "[]types.HelmChartArgs", generators::helm_chart_args)?;
        for Placed { value: (chart, homes), mark } in args {
            self.result.helm_charts.push(Placed { value: chart, mark });
            if !homes.chart_home.is_empty() {
                self.homes.chart_home = homes.chart_home;
            }
            if !homes.config_home.is_empty() {
                self.homes.config_home = homes.config_home;
            }
        }
        Ok(())
    }

    /// `FixKustomization` and the checks, in Kustomize's order (sections 1.4 and 1.5).
    fn finish(mut self, start: Mark, profile: Profile) -> Result<Kustomization> {
        self.result.resources.append(&mut self.bases);
        if !self.image_tags.is_empty() {
            self.result.plain.entry(Field::Images).or_default().append(&mut self.image_tags);
        }
        if self.result.helm_globals.is_none() && self.homes != HelmGlobals::default() {
            self.result.helm_globals = Some(self.homes);
        }
        // Kustomize warns in this order, sorted by name.
        self.result.deprecated.sort_by_key(|deprecated| deprecated.field);
        if !self.present && !profile.has(Switch::EmptyKustomization) {
            return Err(ManifestError::Empty { mark: start });
        }
        self.result.kind = check_header(&self.kind, &self.api_version, start)?;
        Ok(self.result)
    }
}

/// True for `patches` with a file name, which v4.5.7 reads as `patchesStrategicMerge`.
fn is_list_of_files(place: &Place<'_>, value: &Node) -> bool {
    let is_text = |item: &Node| item.as_scalar().is_some();
    place.profile().has(Switch::PatchesOfFiles)
        && value.items().is_some_and(|items| items.iter().any(is_text))
}

/// The top-level fields that a release knows.
fn names(profile: Profile) -> &'static [&'static str] {
    static WITH_INVENTORY: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| NAMES.iter().copied().chain(["inventory"]).collect());
    if profile.has(Switch::InventoryField) { &WITH_INVENTORY } else { &NAMES }
}

fn check_header(kind: &Placed<String>, version: &Placed<String>, start: Mark) -> Result<Kind> {
    let name = if kind.value.is_empty() { "Kustomization" } else { &kind.value };
    let (known, required) = match name {
        "Kustomization" => (Some(Kind::Kustomization), "kustomize.config.k8s.io/v1beta1"),
        "Component" => (Some(Kind::Component), "kustomize.config.k8s.io/v1alpha1"),
        _ => (None, "kustomize.config.k8s.io/v1beta1"),
    };
    let mut problems = Vec::new();
    let mut mark = start;
    if !version.value.is_empty() && version.value != required {
        problems.push(HeaderProblem::Version { kind: name.to_owned(), required });
        mark = version.mark;
    }
    let Some(known) = known else {
        problems.insert(0, HeaderProblem::Kind);
        return Err(ManifestError::Header { problems, mark: kind.mark });
    };
    if problems.is_empty() { Ok(known) } else { Err(ManifestError::Header { problems, mark }) }
}

/// The condition under which a field makes a file non-empty (section 1.5).
enum Counts {
    Never,
    Always,
    /// If its text is not empty.
    WithText,
    /// If its list is not empty, because it is moved into another one: `bases: []` is an empty
    /// file.
    WithItems,
}

#[allow(clippy::unnested_or_patterns, reason = "a pattern of the registry is one row or several")]
fn counts_when(field: Field) -> Counts {
    match field {
        Field::ApiVersion | Field::Kind => Counts::Never,
        word_fields!() => Counts::WithText,
        Field::Bases | Field::ImageTags | Field::HelmChartInflationGenerator => Counts::WithItems,
        Field::Metadata
        | Field::OpenApi
        | pairs_fields!()
        | Field::Labels
        | Field::PatchesStrategicMerge
        | Field::PatchesJson6902
        | Field::Patches
        | Field::Replacements
        | plain_fields!()
        | Field::Vars
        | Field::SortOptions
        | Field::Resources
        | Field::Components
        | Field::Crds
        | Field::ConfigMapGenerator
        | Field::SecretGenerator
        | Field::HelmGlobals
        | Field::HelmCharts
        | Field::GeneratorOptions
        | Field::Configurations
        | Field::Generators
        | Field::Transformers
        | Field::Validators
        | Field::BuildMetadata
        | Field::Catalogs => Counts::Always,
    }
}

/// Kustomize reads `metadata` and does not use it.
fn check_metadata(place: &Place<'_>, node: &Node) -> Result<()> {
    let names = &["name", "namespace", "labels", "annotations"];
    place.fields(node, "types.ObjectMeta", names, |field| match field.name {
        "labels" | "annotations" => field.place.string_map(field.value).map(drop),
        _ => field.place.string(field.value).map(drop),
    })
}

/// Kustomize: a map of strings. Lists under `path` and `extraPaths` are accepted too, with a
/// warning: further items of `path` are put before the `extraPaths`, one path per line.
fn set_openapi(k: &mut Kustomization, place: &Place<'_>, node: &Node) -> Result<()> {
    let mut more_paths = Vec::new();
    let lists = &mut k.openapi_lists;
    let mut map = place.string_map_with(node, |key, value| {
        if !matches!(key, "path" | "extraPaths") || value.items().is_none() {
            return Ok(None);
        }
        let mut paths = place.plain_strings(value)?;
        lists.push(Placed { value: key.to_owned(), mark: value.mark });
        if key == "path" && paths.len() > 1 {
            more_paths = paths.split_off(1);
        }
        Ok(Some(paths.join("\n")))
    })?;
    if !more_paths.is_empty() {
        let extra = map.entry("extraPaths".to_owned()).or_default();
        if !extra.is_empty() {
            more_paths.push(std::mem::take(extra));
        }
        *extra = more_paths.join("\n");
        map.sort_keys();
    }
    k.openapi = Placed { value: map, mark: node.mark };
    Ok(())
}
