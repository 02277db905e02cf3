//! Decoding a kustomization file: its fields, `FixKustomization`, and the checks that follow.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use indexmap::IndexMap;

use crate::diagnostic::{Code, Hint};
use crate::manifest::registry::FieldShape;
use crate::manifest::{KustomizationField, Marked, Pairs, pairs_fields, plain_fields, word_fields};
use crate::profile::{Profile, Switch};
use crate::yaml::{Limits, Mark, Node, SourceId, parse_config};

use super::generators::{
    self, GeneratorArgs, GeneratorOptions, HelmChart, HelmChartArgs, HelmGlobals,
};
use super::go_json::{
    DecodeRules, GoPosition, KUSTOMIZATION, LENIENT_KUSTOMIZATION, PresentField as Member, Result,
    repeated_spelling, unsupported_number,
};
use super::transformers::{self, Label, Patch, PlainEntry, Replacement, SortOptions, Var};
use super::{ManifestError, ManifestFault};

/// The two kinds of a kustomization file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KustomizationKind {
    #[default]
    Kustomization,
    Component,
}

/// A deprecated field in use; sorted in the order of Kustomize's warnings. As a text, it is
/// Kustomize's warning on standard error, without the `# Warning: ` prefix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{field}' is deprecated. Please use {instead} Run 'kustomize edit fix' to update your Kustomization \
     automatically."
)]
pub struct DeprecatedField {
    pub field: &'static str,
    /// The replacement, as a sentence of Kustomize's.
    pub instead: &'static str,
    pub mark: Mark,
}

/// A decoded kustomization file, after `FixKustomization` (section 1.4): `bases` are at the end of
/// `resources`, `imageTags` at the end of `images`, `env` in `envs`, `helmChartInflationGenerator`
/// in `helm_charts`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kustomization {
    pub kind: KustomizationKind,
    /// The items of `resources`, followed by those of `bases`.
    pub resources: Vec<Marked<String>>,
    pub components: Vec<Marked<String>>,
    /// Fields whose transformers have one text: `namePrefix`, `nameSuffix` and `namespace`.
    pub words: BTreeMap<KustomizationField, Marked<String>>,
    /// Fields whose transformers have one mapping: `commonLabels` and `commonAnnotations`, in key
    /// order.
    pub pairs: BTreeMap<KustomizationField, Marked<Pairs>>,
    pub labels: Vec<Marked<Label>>,
    /// `patchesStrategicMerge`: paths or inline texts.
    pub patches_strategic_merge: Vec<Marked<String>>,
    pub patches_json6902: Vec<Marked<Patch>>,
    pub patches: Vec<Marked<Patch>>,
    pub replacements: Vec<Marked<Replacement>>,
    /// The entries of fields with plain transformers, such as `replicas` and `images` (with
    /// `imageTags` appended).
    pub plain: BTreeMap<KustomizationField, Vec<Marked<PlainEntry>>>,
    pub vars: Vec<Marked<Var>>,
    pub sort_options: Option<Marked<SortOptions>>,
    pub crds: Vec<Marked<String>>,
    pub config_map_generator: Vec<Marked<GeneratorArgs>>,
    pub secret_generator: Vec<Marked<GeneratorArgs>>,
    pub generator_options: GeneratorOptions,
    pub helm_globals: Option<HelmGlobals>,
    /// The items of `helmCharts`, followed by the converted ones of `helmChartInflationGenerator`.
    pub helm_charts: Vec<Marked<HelmChart>>,
    pub configurations: Vec<Marked<String>>,
    pub generators: Vec<Marked<String>>,
    pub transformers: Vec<Marked<String>>,
    pub validators: Vec<Marked<String>>,
    /// `openapi`: string keys and values.
    pub openapi: Marked<IndexMap<String, String>>,
    pub build_metadata: Vec<Marked<String>>,
    /// `catalogs` (KEP-2906), as written.
    pub catalogs: Option<Node>,
    pub deprecated: Vec<DeprecatedField>,
    /// Keys of `openapi` with list values, which Kustomize refuses and kzui accepts.
    pub openapi_lists: Vec<Marked<String>>,
}

impl Kustomization {
    /// The text of a field with one text; `None` if it is empty.
    pub fn word(&self, field: KustomizationField) -> Option<&Marked<String>> {
        self.words.get(&field).filter(|word| !word.value.is_empty())
    }

    /// The mapping of a field with one mapping; `None` if it is empty.
    pub fn pairs(&self, field: KustomizationField) -> Option<&Marked<Pairs>> {
        self.pairs.get(&field).filter(|pairs| !pairs.value.is_empty())
    }

    /// The entries of a field with a plain transformer.
    pub fn plain_entries(&self, field: KustomizationField) -> &[Marked<PlainEntry>] {
        self.plain.get(&field).map(Vec::as_slice).unwrap_or_default()
    }
}

const NAMES: [&str; KustomizationField::ALL.len()] = {
    let mut names = [""; KustomizationField::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = KustomizationField::ALL[at].name();
        at += 1;
    }
    names
};

/// A partly decoded kustomization file: the values that are moved or checked after all fields are
/// read.
#[derive(Default)]
struct PartialKustomization {
    result: Kustomization,
    api_version: Marked<String>,
    kind: Marked<String>,
    bases: Vec<Marked<String>>,
    image_tags: Vec<Marked<PlainEntry>>,
    homes: HelmGlobals,
    /// True if the file has a field that makes it non-empty: any list, mapping or struct, or a
    /// non-empty text.
    present: bool,
}

/// Decodes a kustomization file as YAML 1.1 by Go's rules, replaces deprecated fields and checks
/// the kind.
///
/// # Errors
/// The same errors as in Kustomize; the caller adds the directory to that of the kind or version.
pub fn decode_kustomization(
    text: &[u8],
    source: SourceId,
    profile: Profile,
) -> Result<Kustomization> {
    let (root, start) = parse_root(text, source)?;
    decode_root(&root, start, KUSTOMIZATION.like(profile), profile)
}

fn parse_root(text: &[u8], source: SourceId) -> Result<(Node, Mark)> {
    let start = Mark { source, line: 1, column: 1, ..Mark::default() };
    let root = parse_config(text, source, Limits::default())
        .map_err(|error| ManifestError::yaml(KUSTOMIZATION.prefix, error, source))?;
    Ok((root.unwrap_or_else(|| Node::mapping().marked(start)), start))
}

/// Same as [`decode_kustomization`], but edits the tree before it is decoded. The file may be
/// empty. If `is_strict` is false, unknown fields are dropped.
///
/// # Errors
/// Those of [`decode_kustomization`], and those of the edit.
pub fn decode_edited_kustomization(
    text: &[u8],
    source: SourceId,
    profile: Profile,
    is_strict: bool,
    edit: &mut dyn FnMut(&mut Node) -> Result<()>,
) -> Result<Kustomization> {
    let (mut root, start) = parse_root(text, source)?;
    edit(&mut root)?;
    let rules = if is_strict { KUSTOMIZATION } else { LENIENT_KUSTOMIZATION };
    decode_root(&root, start, rules.like(profile), profile)
}

/// The fields that the mapping at a path of a kustomization file may have, with `-` for an element
/// of a list; none if the value at the path is no mapping with certain fields.
pub fn fields_at(path: &[&str], profile: Profile) -> Vec<&'static str> {
    // The decoder names the fields of a mapping in the error for an unknown field.
    const UNKNOWN: &str = "(unknown)";
    let quoted = |word: &str| serde_json::Value::from(word).to_string();
    let text = path.iter().rev().fold(format!("{{{}: 1}}", quoted(UNKNOWN)), |inner, part| {
        if *part == "-" { format!("[{inner}]") } else { format!("{{{}: {inner}}}", quoted(part)) }
    });
    match decode_kustomization(text.as_bytes(), SourceId::NONE, profile).map_err(|it| it.fault) {
        Err(ManifestFault::UnknownField { field, known, .. }) if field == UNKNOWN => known.into(),
        _ => Vec::new(),
    }
}

fn decode_root(
    root: &Node,
    start: Mark,
    rules: DecodeRules,
    profile: Profile,
) -> Result<Kustomization> {
    if let Some((number, mark)) = unsupported_number(root) {
        let fault = format!("{}json: unsupported value: {number}", KUSTOMIZATION.prefix);
        let hint = "JSON has no infinity and no NaN: quote it if it is meant as text";
        return Err(ManifestError::fault_at(fault, mark).with_hint(hint));
    }
    // Kustomize merges the values, element by element.
    if let Some((name, key)) = repeated_spelling(root, &NAMES) {
        let fault = format!("the field {name} is written in several spellings of its name");
        return Err(ManifestError::fault_at(fault, key.mark).with_hint("keep one of the fields"));
    }
    let mut draft = PartialKustomization::default();
    GoPosition::top(rules)
        .fields(root, "types.Kustomization", names(profile), |field| draft.set(&field))?;
    draft.finish(start, profile)
}

/// Decodes an inline Kustomization of a Composition (KEP-2299). It may have no fields, because it
/// works on the resources that it receives.
///
/// # Errors
/// Those of [`decode_kustomization`].
pub fn decode_inline_kustomization(root: &Node, profile: Profile) -> Result<Kustomization> {
    let mut draft = PartialKustomization { present: true, ..PartialKustomization::default() };
    GoPosition::top(KUSTOMIZATION.like(profile)).fields(
        root,
        "types.Kustomization",
        &NAMES,
        |field| draft.set(&field),
    )?;
    draft.finish(root.mark, profile)
}

impl PartialKustomization {
    #[expect(clippy::too_many_lines, reason = "a line or two for each field")]
    fn set(&mut self, member: &Member<'_, '_>) -> Result<()> {
        let Some(field) = KustomizationField::from_name(member.name) else { return Ok(()) };
        self.note(field, member);
        let Member { value, place, .. } = member;
        let mark = value.mark;
        let k = &mut self.result;
        match field {
            KustomizationField::ApiVersion => self.api_version = place.located_string(value)?,
            KustomizationField::Kind => self.kind = place.located_string(value)?,
            KustomizationField::Metadata => check_metadata(place, value)?,
            KustomizationField::OpenApi => set_openapi(k, place, value)?,
            KustomizationField::Resources => k.resources = place.strings(value)?,
            KustomizationField::Components => k.components = place.strings(value)?,
            KustomizationField::Bases => self.bases = place.strings(value)?,
            KustomizationField::Crds => k.crds = place.strings(value)?,
            KustomizationField::Configurations => k.configurations = place.strings(value)?,
            KustomizationField::Generators => k.generators = place.strings(value)?,
            KustomizationField::Transformers => k.transformers = place.strings(value)?,
            KustomizationField::Validators => k.validators = place.strings(value)?,
            KustomizationField::BuildMetadata => k.build_metadata = place.strings(value)?,
            KustomizationField::Catalogs => k.catalogs = Some((*value).clone()),
            KustomizationField::Vars => {
                k.vars = place.list(value, "[]types.Var", GoPosition::read)?;
            }
            KustomizationField::SortOptions => {
                k.sort_options = Some(Marked { value: place.read(value)?, mark });
            }
            KustomizationField::ConfigMapGenerator => {
                let go_type = "[]types.ConfigMapArgs";
                k.config_map_generator = place.list(value, go_type, generators::config_map_args)?;
            }
            KustomizationField::SecretGenerator => {
                let go_type = "[]types.SecretArgs";
                k.secret_generator = place.list(value, go_type, generators::secret_args)?;
            }
            KustomizationField::GeneratorOptions => {
                k.generator_options = place.read(value)?;
            }
            KustomizationField::HelmGlobals => {
                k.helm_globals = Some(place.read(value)?);
            }
            KustomizationField::HelmCharts => {
                let charts = place.list(value, "[]types.HelmChart", GoPosition::read)?;
                k.helm_charts.splice(0..0, charts);
            }
            KustomizationField::HelmChartInflationGenerator => {
                self.add_inflation_charts(place, value)?;
            }
            word_fields!() => {
                k.words.insert(field, place.located_string(value)?);
            }
            pairs_fields!() => {
                k.pairs.insert(field, Marked { value: place.pairs(value)?, mark });
            }
            KustomizationField::Labels => {
                k.labels = place.list(value, "[]types.Label", GoPosition::read)?;
            }
            KustomizationField::PatchesStrategicMerge => {
                k.patches_strategic_merge = transformers::strategic_merges(place, value)?;
            }
            KustomizationField::PatchesJson6902 => {
                k.patches_json6902 = place.list(value, "[]types.Patch", GoPosition::read)?;
            }
            KustomizationField::Patches if is_list_of_files(place, value) => {
                let files = place.strings(value)?;
                k.patches_strategic_merge.extend(files);
            }
            KustomizationField::Patches => {
                k.patches = place.list(value, "[]types.Patch", GoPosition::read)?;
            }
            KustomizationField::ImageTags => {
                self.image_tags = transformers::plain_entries(place, value, field.builtin())?;
            }
            KustomizationField::Replacements => {
                let go_type = "[]types.ReplacementField";
                let read = transformers::kustomization_replacement;
                k.replacements = place.list(value, go_type, read)?;
            }
            plain_fields!() => {
                k.plain.insert(field, transformers::plain_entries(place, value, field.builtin())?);
            }
        }
        Ok(())
    }

    /// Records that the field is present, for the emptiness check and the warnings.
    fn note(
        &mut self,
        field: KustomizationField,
        Member { key, value, place, .. }: &Member<'_, '_>,
    ) {
        self.present |= makes_non_empty(field, value);
        let profile = place.profile();
        let is_silent = !profile.warns_of_deprecations()
            || field == KustomizationField::CommonLabels && profile.has(Switch::SilentCommonLabels);
        if let Some(instead) = field.instead().filter(|_| !is_silent) {
            let name = field.name();
            self.result.deprecated.retain(|known| known.field != name);
            self.result.deprecated.push(DeprecatedField { field: name, instead, mark: key.mark });
        }
    }

    /// Adds the charts of the deprecated `helmChartInflationGenerator`, and sets their home
    /// directories.
    fn add_inflation_charts(&mut self, place: &GoPosition<'_>, node: &Node) -> Result<()> {
        let args = place.list(node, "[]types.HelmChartArgs", GoPosition::read)?;
        for Marked { value: HelmChartArgs { chart, homes, .. }, mark } in args {
            self.result.helm_charts.push(Marked { value: chart, mark });
            if !homes.chart_home.is_empty() {
                self.homes.chart_home = homes.chart_home;
            }
            if !homes.config_home.is_empty() {
                self.homes.config_home = homes.config_home;
            }
        }
        Ok(())
    }

    /// Applies `FixKustomization` and the checks after it, in Kustomize's order (sections 1.4 and
    /// 1.5).
    fn finish(mut self, start: Mark, profile: Profile) -> Result<Kustomization> {
        self.result.resources.append(&mut self.bases);
        if !self.image_tags.is_empty() {
            self.result
                .plain
                .entry(KustomizationField::Images)
                .or_default()
                .append(&mut self.image_tags);
        }
        if self.result.helm_globals.is_none() && self.homes != HelmGlobals::default() {
            self.result.helm_globals = Some(self.homes);
        }
        // Kustomize warns in the order of field names.
        self.result.deprecated.sort_by_key(|deprecated| deprecated.field);
        if !self.present && !profile.has(Switch::EmptyKustomization) {
            let fault = ManifestFault::Other(Code::KZ017, "kustomization.yaml is empty".to_owned());
            return Err(ManifestError::fault_at(fault, start).with_hint(EMPTY_HINT));
        }
        self.result.kind = check_header(&self.kind, &self.api_version)?;
        Ok(self.result)
    }
}

/// True for `patches` with a file name, which v4.5.7 reads as `patchesStrategicMerge`.
fn is_list_of_files(place: &GoPosition<'_>, value: &Node) -> bool {
    let is_text = |item: &Node| item.as_scalar().is_some();
    place.profile().has(Switch::PatchesOfFiles)
        && value.items().is_some_and(|items| items.iter().any(is_text))
}

/// The top-level fields that a release knows.
fn names(profile: Profile) -> &'static [&'static str] {
    /// The known fields of releases that accept `inventory`.
    static WITH_INVENTORY: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| NAMES.iter().copied().chain(["inventory"]).collect());
    if profile.has(Switch::InventoryField) { &WITH_INVENTORY } else { &NAMES }
}

const EMPTY_HINT: &str = "write `resources: []`, or delete the file and the entries that list this directory: Kustomize refuses it since v5.0.4";

fn check_header(kind: &Marked<String>, version: &Marked<String>) -> Result<KustomizationKind> {
    let name = if kind.value.is_empty() { "Kustomization" } else { &kind.value };
    let (known, required) = match name {
        "Kustomization" => {
            (Some(KustomizationKind::Kustomization), "kustomize.config.k8s.io/v1beta1")
        }
        "Component" => (Some(KustomizationKind::Component), "kustomize.config.k8s.io/v1alpha1"),
        _ => (None, "kustomize.config.k8s.io/v1beta1"),
    };
    let is_required = version.value.is_empty() || version.value == required;
    let wrong = (!is_required).then(|| format!("apiVersion for {name} should be {required}"));
    let (text, mark, hint) = match (known, wrong) {
        (Some(known), None) => return Ok(known),
        (Some(_), Some(wrong)) => (wrong, version.mark, Hint::ApiVersion(required)),
        (None, wrong) => {
            let text = "kind should be Kustomization or Component".to_owned();
            let text = wrong.into_iter().fold(text, |text, wrong| text + "\n" + &wrong);
            (text, kind.mark, KIND_HINT.into())
        }
    };
    let fault = ManifestFault::Other(Code::KZ016, text);
    Err(ManifestError::fault_at(fault, mark).with_hint(hint))
}

const KIND_HINT: &str = "write `kind: Kustomization` or `kind: Component`; list any other file under `resources` of a kustomization";

/// True if the field makes the file non-empty with this value (section 1.5): a file with only
/// `bases: []` is empty.
fn makes_non_empty(field: KustomizationField, value: &Node) -> bool {
    match field.shape() {
        None => false,
        Some(FieldShape::Word) => value.text() != Some(""),
        Some(_) => !field.is_moved() || value.items().is_none_or(|items| !items.is_empty()),
    }
}

/// Checks the types in `metadata`, which Kustomize reads and ignores.
fn check_metadata(place: &GoPosition<'_>, node: &Node) -> Result<()> {
    let names = &["name", "namespace", "labels", "annotations"];
    place.fields(node, "types.ObjectMeta", names, |field| match field.name {
        "labels" | "annotations" => field.place.string_map(field.value).map(drop),
        _ => field.place.string(field.value).map(drop),
    })
}

/// Decodes `openapi`, which is a map of texts in Kustomize. Lists under `path` and `extraPaths` are
/// accepted too, with a warning: all but the first item of `path` are inserted before the
/// `extraPaths`, one path per line.
fn set_openapi(k: &mut Kustomization, place: &GoPosition<'_>, node: &Node) -> Result<()> {
    let mut more_paths = Vec::new();
    let lists = &mut k.openapi_lists;
    let mut map = place.string_map_with(node, |key, value| {
        if !matches!(key, "path" | "extraPaths") || value.items().is_none() {
            return Ok(None);
        }
        let mut paths = place.plain_strings(value)?;
        lists.push(Marked { value: key.to_owned(), mark: value.mark });
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
    k.openapi = Marked { value: map, mark: node.mark };
    Ok(())
}
