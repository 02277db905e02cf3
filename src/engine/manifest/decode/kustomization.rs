//! Decoding a kustomization file: its fields, `FixKustomization`, and the checks that follow.

use crate::manifest::{Deprecated, HelmGlobals, Image, Kind, Kustomization, Placed};
use crate::yaml::{Limits, Mark, Node, SourceId, parse_config};

use super::ManifestError;
use super::as_json::{control_character, joined, not_a_number};
use super::go_json::{Field, KUSTOMIZATION, Place, Result};
use super::{generators, transformers};

const NAMES: &[&str] = &[
    "apiVersion",
    "kind",
    "metadata",
    "openapi",
    "namePrefix",
    "nameSuffix",
    "namespace",
    "commonLabels",
    "labels",
    "commonAnnotations",
    "patchesStrategicMerge",
    "patchesJson6902",
    "patches",
    "images",
    "imageTags",
    "replacements",
    "replicas",
    "vars",
    "sortOptions",
    "resources",
    "components",
    "crds",
    "bases",
    "configMapGenerator",
    "secretGenerator",
    "helmGlobals",
    "helmCharts",
    "helmChartInflationGenerator",
    "generatorOptions",
    "configurations",
    "generators",
    "transformers",
    "validators",
    "buildMetadata",
    // Kustomize: unknown so far; proposed by KEP-2906.
    "catalogs",
];

/// Deprecated fields in the order in which Kustomize warns, each with what to use instead (section 1.3).
const DEPRECATED: [(&str, &str); 6] = [
    ("bases", "'resources' instead."),
    ("commonLabels", "'labels' instead."),
    ("imageTags", "'images' instead."),
    ("patchesJson6902", "'patches' instead."),
    ("patchesStrategicMerge", "'patches' instead."),
    ("vars", "'replacements' instead. [EXPERIMENTAL]"),
];

const LIST_WARNING: &str = "kustomize cannot read a list here";

/// A kustomization file on the way: what is moved or checked once all fields are read.
#[derive(Default)]
struct Draft {
    result: Kustomization,
    api_version: Placed<String>,
    kind: Placed<String>,
    bases: Vec<Placed<String>>,
    image_tags: Vec<Placed<Image>>,
    homes: HelmGlobals,
    /// A field is there that Kustomize counts: any list, mapping or struct, or a text that is not empty.
    present: bool,
}

/// Decodes a kustomization file: YAML 1.1, fields by Go's rules, deprecated spellings fixed, kind checked.
///
/// # Errors
/// In all cases in which Kustomize refuses the file, with its text; the caller adds the directory to
/// [`ManifestError::Header`].
pub fn decode_kustomization(text: &[u8], source: SourceId) -> Result<Kustomization> {
    let start = Mark { source, line: 1, column: 1, ..Mark::default() };
    let root = parse_config(text, source, Limits::default())
        .map_err(|error| ManifestError::yaml(KUSTOMIZATION.prefix, error, source))?;
    let Some(root) = root else { return Err(ManifestError::Empty { mark: start }) };
    if let Some((number, mark)) = not_a_number(&root) {
        let phrase = format!("{}json: unsupported value: {number}", KUSTOMIZATION.prefix);
        let hint =
            Some("JSON has no infinity and no NaN: quote it if it is meant as text".to_owned());
        return Err(ManifestError::Phrase { phrase, hint, mark });
    }
    let root = joined(root, NAMES);
    let mut draft = Draft::default();
    Place::top(KUSTOMIZATION)
        .fields(&root, "types.Kustomization", NAMES, |field| draft.set(&field))?;
    draft.finish(start)
}

/// Decodes a Kustomization that stands inside a Composition (KEP-2299). It has the incoming resources, so that
/// without any field it is no empty one.
///
/// # Errors
/// As [`decode_kustomization`].
pub fn decode_inline_kustomization(root: &Node) -> Result<Kustomization> {
    let mut draft = Draft { present: true, ..Draft::default() };
    Place::top(KUSTOMIZATION)
        .fields(root, "types.Kustomization", NAMES, |field| draft.set(&field))?;
    draft.finish(root.mark)
}

/// Kustomize writes the configuration of a plugin out and reads it again.
fn refuse_control_characters(value: &Node) -> Result<()> {
    let Some(mark) = control_character(value) else { return Ok(()) };
    let phrase = "yaml: control characters are not allowed".to_owned();
    let hint = "Kustomize cannot pass this text on: take the character out".to_owned();
    Err(ManifestError::Phrase { phrase, hint: Some(hint), mark })
}

impl Draft {
    fn set(&mut self, field: &Field<'_, '_>) -> Result<()> {
        self.note(field);
        let Field { value, place, .. } = field;
        let k = &mut self.result;
        match field.name {
            "apiVersion" => self.api_version = place.placed_string(value)?,
            "kind" => self.kind = place.placed_string(value)?,
            "metadata" => check_metadata(place, value)?,
            "openapi" => set_openapi(k, place, value)?,
            "resources" => k.resources = place.strings(value)?,
            "components" => k.components = place.strings(value)?,
            "bases" => self.bases = place.strings(value)?,
            "crds" => k.crds = place.strings(value)?,
            "configurations" => k.configurations = place.strings(value)?,
            "generators" => k.generators = place.strings(value)?,
            "transformers" => k.transformers = place.strings(value)?,
            "validators" => k.validators = place.strings(value)?,
            "buildMetadata" => k.build_metadata = place.strings(value)?,
            "catalogs" => k.catalogs = Some((*value).clone()),
            "vars" => k.vars = place.list(value, "[]types.Var", transformers::var)?,
            "sortOptions" => {
                let mark = value.mark;
                let value = transformers::sort_options(place, value)?;
                k.sort_options = Some(Placed { value, mark });
            }
            "configMapGenerator" => {
                refuse_control_characters(value)?;
                let go_type = "[]types.ConfigMapArgs";
                k.config_map_generator = place.list(value, go_type, generators::config_map)?;
            }
            "secretGenerator" => {
                refuse_control_characters(value)?;
                let go_type = "[]types.SecretArgs";
                k.secret_generator = place.list(value, go_type, generators::secret)?;
            }
            "generatorOptions" => {
                k.generator_options = generators::generator_options(place, value)?;
            }
            "helmGlobals" => k.helm_globals = Some(generators::helm_globals(place, value)?),
            "helmCharts" => {
                refuse_control_characters(value)?;
                let charts = place.list(value, "[]types.HelmChart", generators::helm_chart)?;
                k.helm_charts.splice(0..0, charts);
            }
            "helmChartInflationGenerator" => self.set_inflation(place, value)?,
            "imageTags" => {
                refuse_control_characters(value)?;
                self.image_tags = place.list(value, "[]types.Image", transformers::image)?;
            }
            _ => set_transformer(k, field)?,
        }
        Ok(())
    }

    /// Remembers that the field is there, for the emptiness check and the warnings.
    fn note(&mut self, field: &Field<'_, '_>) {
        let moved = matches!(field.name, "bases" | "imageTags" | "helmChartInflationGenerator");
        // Lists that are moved into others count by what they hold: `bases: []` is an empty file.
        self.present |= match field.name {
            "apiVersion" | "kind" => false,
            "namePrefix" | "nameSuffix" | "namespace" => field.value.text() != Some(""),
            _ => !moved || field.value.items().is_none_or(|items| !items.is_empty()),
        };
        if let Some((name, instead)) = DEPRECATED.iter().find(|(name, _)| *name == field.name) {
            let warning = format!(
                "# Warning: '{name}' is deprecated. Please use {instead} Run 'kustomize edit fix' to update your \
                 Kustomization automatically."
            );
            self.result.deprecated.retain(|known| known.field != *name);
            let mark = field.key.mark;
            self.result.deprecated.push(Deprecated { warning, field: name, mark });
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
    fn finish(mut self, start: Mark) -> Result<Kustomization> {
        self.result.resources.append(&mut self.bases);
        self.result.images.append(&mut self.image_tags);
        if self.result.helm_globals.is_none() && self.homes != HelmGlobals::default() {
            self.result.helm_globals = Some(self.homes);
        }
        let rank = |field: &str| DEPRECATED.iter().position(|(name, _)| *name == field);
        self.result.deprecated.sort_by_key(|deprecated| rank(deprecated.field));
        if !self.present {
            return Err(ManifestError::Empty { mark: start });
        }
        self.result.kind = check_header(&self.kind, &self.api_version, start)?;
        Ok(self.result)
    }
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
        problems.push(format!("apiVersion for {name} should be {required}"));
        mark = version.mark;
    }
    let Some(known) = known else {
        problems.insert(0, "kind should be Kustomization or Component".to_owned());
        return Err(ManifestError::Header { problems, mark: kind.mark });
    };
    if problems.is_empty() { Ok(known) } else { Err(ManifestError::Header { problems, mark }) }
}

fn set_transformer(k: &mut Kustomization, field: &Field<'_, '_>) -> Result<()> {
    let Field { value, place, .. } = field;
    let mark = value.mark;
    refuse_control_characters(value)?;
    match field.name {
        "namePrefix" => k.name_prefix = place.placed_string(value)?,
        "nameSuffix" => k.name_suffix = place.placed_string(value)?,
        "namespace" => k.namespace = place.placed_string(value)?,
        "commonLabels" => {
            k.common_labels = Placed { value: place.pairs(value)?, mark };
        }
        "commonAnnotations" => {
            k.common_annotations = Placed { value: place.pairs(value)?, mark };
        }
        "labels" => k.labels = place.list(value, "[]types.Label", transformers::label)?,
        "patchesStrategicMerge" => {
            k.patches_strategic_merge =
                place.list(value, "[]types.PatchStrategicMerge", |place, item| {
                    place.string_of(item, "types.PatchStrategicMerge")
                })?;
        }
        "patchesJson6902" => {
            k.patches_json6902 = place.list(value, "[]types.Patch", transformers::patch)?;
        }
        "patches" => k.patches = place.list(value, "[]types.Patch", transformers::patch)?,
        "images" => k.images = place.list(value, "[]types.Image", transformers::image)?,
        "replacements" => {
            let go_type = "[]types.ReplacementField";
            k.replacements = place.list(value, go_type, transformers::kustomization_replacement)?;
        }
        _ => k.replicas = place.list(value, "[]types.Replica", transformers::replica)?,
    }
    Ok(())
}

/// Kustomize reads `metadata` and uses nothing of it.
fn check_metadata(place: &Place<'_>, node: &Node) -> Result<()> {
    let names = &["name", "namespace", "labels", "annotations"];
    place.fields(node, "types.ObjectMeta", names, |field| match field.name {
        "labels" | "annotations" => field.place.string_map(field.value).map(drop),
        _ => field.place.string(field.value).map(drop),
    })
}

/// Kustomize: a map of strings. Lists under `path` and `extraPaths` are taken too, with a warning: what does not
/// fit into `path` is put before the `extraPaths`, one path per line.
fn set_openapi(k: &mut Kustomization, place: &Place<'_>, node: &Node) -> Result<()> {
    let mut more_paths = Vec::new();
    let notices = &mut k.notices;
    let mut map = place.string_map_with(node, |key, value| {
        if !matches!(key, "path" | "extraPaths") || value.items().is_none() {
            return Ok(None);
        }
        let mut paths = place.plain_strings(value)?;
        notices.push(Placed { value: format!("openapi.{key}: {LIST_WARNING}"), mark: value.mark });
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
