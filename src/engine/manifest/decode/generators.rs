//! The arguments of the `ConfigMap`, Secret and Helm generators (sections 4.10 and 4.17).

use crate::manifest::{Builtin, Marked, Pairs};
use crate::resource::Behavior;
use crate::yaml::{Limits, Mark, Node, SourceId, parse_config};

use super::go_json::{GoPosition, Result, json_name, through_json};
use super::go_struct::{field, go_struct, go_types, with};

pub(super) fn config_map_args(place: &GoPosition<'_>, node: &Node) -> Result<GeneratorArgs> {
    generator_args(place, node, "types.ConfigMapArgs", Builtin::ConfigMapGenerator)
}

pub(super) fn secret_args(place: &GoPosition<'_>, node: &Node) -> Result<GeneratorArgs> {
    generator_args(place, node, "types.SecretArgs", Builtin::SecretGenerator)
}

fn generator_args(
    place: &GoPosition<'_>,
    node: &Node,
    go_type: &'static str,
    builtin: Builtin,
) -> Result<GeneratorArgs> {
    let mut args: GeneratorArgs = place.read_as(node, go_type, builtin.fields())?;
    // As `FixKustomization` does (section 1.4).
    args.envs.extend(args.env.take().filter(|env| !env.value.is_empty()));
    Ok(args)
}

go_types! {
    /// One entry of `configMapGenerator` or `secretGenerator`.
    pub struct GeneratorArgs = "types.GeneratorArgs" {
        pub namespace: Marked<String> = field("namespace"),
        pub name: Marked<String> = field("name"),
        pub behavior: Behavior = by("behavior", behavior),
        pub literals: Vec<Marked<String>> = field("literals"),
        pub files: Vec<Marked<String>> = field("files"),
        /// The items of `envs`, followed by `env`.
        pub envs: Vec<Marked<String>> = field("envs"),
        /// `env`, until it is moved to `envs`.
        pub(crate) env: Option<Marked<String>> = field("env"),
        /// `type`, of secrets only.
        pub secret_type: Marked<String> = field("type"),
        pub options: Option<GeneratorOptions> = field("options"),
    }
}

/// As in Kustomize, any unknown word, including `add`, means unspecified.
fn behavior(place: &GoPosition<'_>, node: &Node) -> Result<Behavior> {
    Ok(Behavior::from_word(&place.string(node)?))
}

go_types! {
    /// `generatorOptions`, or the `options` of an entry.
    pub struct GeneratorOptions = "types.GeneratorOptions" {
        pub labels: Pairs = field("labels"),
        pub annotations: Pairs = field("annotations"),
        pub disable_name_suffix_hash: bool = field("disableNameSuffixHash"),
        pub immutable: bool = with("immutable", |it, place, node| {
            (it.immutable, it.immutable_mark) = (place.bool(node)?, node.mark);
            Ok(())
        }),
        pub immutable_mark: Mark,
    }

    /// The value of the field `helmGlobals`.
    pub struct HelmGlobals = "types.HelmGlobals" {
        pub chart_home: String = field("chartHome"),
        pub config_home: String = field("configHome"),
    }

    /// One entry of `helmCharts`.
    pub struct HelmChart = "types.HelmChart" {
        pub name: String = field("name"),
        pub version: String = field("version"),
        pub repo: String = field("repo"),
        pub release_name: String = field("releaseName"),
        pub namespace: String = field("namespace"),
        pub name_template: String = field("nameTemplate"),
        pub values_file: String = field("valuesFile"),
        pub additional_values_files: Vec<String> = field("additionalValuesFiles"),
        pub values_inline: Option<Node> = by("valuesInline", values_inline),
        pub values_merge: String = field("valuesMerge"),
        pub include_crds: bool = field("includeCRDs"),
        pub skip_hooks: bool = field("skipHooks"),
        pub skip_tests: bool = field("skipTests"),
        pub api_versions: Vec<String> = field("apiVersions"),
        pub kube_version: String = field("kubeVersion"),
        pub debug: bool = field("debug"),
        pub devel: bool = field("devel"),
    }
}

/// Decodes a values file as Go does for a map: as YAML 1.1, converted to JSON.
///
/// # Errors
/// The text is not YAML or not a mapping.
pub fn decode_values(
    text: &[u8],
    source: SourceId,
    limits: Limits,
) -> std::result::Result<Node, String> {
    let read = parse_config(text, source, limits)
        .map_err(|error| format!("error converting YAML to JSON: {error}"))?;
    let Some(node) = read else { return Ok(Node::mapping()) };
    if node.as_mapping().is_none() {
        return Err(format!(
            "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
            json_name(&node)
        ));
    }
    Ok(through_json(&node))
}

/// The scalars are converted as by JSON.
fn values_inline(place: &GoPosition<'_>, node: &Node) -> Result<Option<Node>> {
    if node.as_mapping().is_none() {
        return Err(place.wrong_type(node, "map[string]interface {}"));
    }
    Ok(Some(through_json(node)))
}

/// A chart of the deprecated `helmChartInflationGenerator`, and its home directories (section 1.4).
#[derive(Default)]
pub(super) struct HelmChartArgs {
    pub(super) chart: HelmChart,
    pub(super) homes: HelmGlobals,
    /// The fields without an effect, which must have the right types.
    ignored: (String, Vec<String>),
}

go_struct!(
    HelmChartArgs,
    "types.HelmChartArgs",
    [
        field("chartName", |it| &mut it.chart.name),
        field("chartVersion", |it| &mut it.chart.version),
        field("chartRepoUrl", |it| &mut it.chart.repo),
        field("chartHome", |it| &mut it.homes.chart_home),
        field("chartRepoName", |it| &mut it.ignored.0),
        field("helmBin", |it| &mut it.ignored.0),
        field("helmHome", |it| &mut it.homes.config_home),
        field("values", |it| &mut it.chart.values_file),
        with("valuesLocal", |it, place, node| {
            it.chart.values_inline = values_inline(place, node)?;
            Ok(())
        }),
        field("valuesMerge", |it| &mut it.chart.values_merge),
        field("releaseName", |it| &mut it.chart.release_name),
        field("releaseNamespace", |it| &mut it.ignored.0),
        field("extraArgs", |it| &mut it.ignored.1),
    ]
);
