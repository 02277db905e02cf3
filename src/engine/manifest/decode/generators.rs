//! Decoding the arguments of generators and helm charts.

use crate::diagnostic::ValuesFault;
use crate::manifest::{GeneratorArgs, GeneratorOptions, HelmChart, HelmGlobals, Marked};
use crate::resource::Behavior;
use crate::yaml::{Limits, Node, SourceId, parse_config};

use super::go_json::{GoPosition, PresentField, Result};
use super::json_conversion::through_json;
use super::json_kind::json_name;

/// The fields of an entry of `configMapGenerator`.
pub(super) const CONFIG_MAP: &[&str] =
    &["namespace", "name", "behavior", "literals", "files", "envs", "env", "options"];
/// The fields of an entry of `secretGenerator`.
pub(super) const SECRET: &[&str] =
    &["namespace", "name", "behavior", "literals", "files", "envs", "env", "options", "type"];

/// Decodes an entry of `configMapGenerator`.
pub(super) fn config_map_args(place: &GoPosition<'_>, node: &Node) -> Result<GeneratorArgs> {
    generator_args(place, node, "types.ConfigMapArgs", CONFIG_MAP)
}

/// Decodes an entry of `secretGenerator`.
pub(super) fn secret_args(place: &GoPosition<'_>, node: &Node) -> Result<GeneratorArgs> {
    generator_args(place, node, "types.SecretArgs", SECRET)
}

/// Decodes an entry of a generator field that has these keys.
fn generator_args(
    place: &GoPosition<'_>,
    node: &Node,
    go_type: &'static str,
    names: &'static [&'static str],
) -> Result<GeneratorArgs> {
    let mut args = GeneratorArgs::default();
    let mut env = None;
    place.fields(node, go_type, names, |field| set_generator_arg(&mut args, &mut env, &field))?;
    Ok(with_env(args, env))
}

/// Moves `env` to the end of `envs`, as `FixKustomization` does (section 1.4).
pub(super) fn with_env(mut args: GeneratorArgs, env: Option<Marked<String>>) -> GeneratorArgs {
    args.envs.extend(env.filter(|env| !env.value.is_empty()));
    args
}

/// Decodes one field of a generator entry into `args`, and the field `env` into `env`.
pub(super) fn set_generator_arg(
    args: &mut GeneratorArgs,
    env: &mut Option<Marked<String>>,
    field: &PresentField<'_, '_>,
) -> Result<()> {
    let PresentField { value, place, .. } = field;
    match field.name {
        "namespace" => (args.namespace, args.namespace_mark) = (place.string(value)?, value.mark),
        "name" => (args.name, args.name_mark) = (place.string(value)?, value.mark),
        "behavior" => args.behavior = behavior(&place.string(value)?),
        "literals" => args.literals = place.strings(value)?,
        "files" => args.files = place.strings(value)?,
        "envs" => args.envs = place.strings(value)?,
        "env" => *env = Some(place.located_string(value)?),
        "type" => (args.secret_type, args.type_mark) = (place.string(value)?, value.mark),
        _ => args.options = Some(generator_options(place, value)?),
    }
    Ok(())
}

/// Decodes `behavior`; as in Kustomize, any unknown word means unspecified.
fn behavior(word: &str) -> Behavior {
    match word {
        "create" => Behavior::Create,
        "replace" => Behavior::Replace,
        "merge" => Behavior::Merge,
        // In Kustomize any other word, including `add`, means unspecified.
        _ => Behavior::Unspecified,
    }
}

/// Decodes `generatorOptions`, or the `options` of a generator entry.
pub(super) fn generator_options(place: &GoPosition<'_>, node: &Node) -> Result<GeneratorOptions> {
    let mut options = GeneratorOptions::default();
    let names = &["labels", "annotations", "disableNameSuffixHash", "immutable"];
    place.fields(node, "types.GeneratorOptions", names, |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "labels" => options.labels = place.pairs(value)?,
            "annotations" => options.annotations = place.pairs(value)?,
            "immutable" => {
                (options.immutable, options.immutable_mark) = (place.bool(value)?, value.mark);
            }
            _ => options.disable_name_suffix_hash = place.bool(value)?,
        }
        Ok(())
    })?;
    Ok(options)
}

pub(super) const HELM_GLOBALS: &[&str] = &["chartHome", "configHome"];

/// Decodes `helmGlobals`.
pub(super) fn helm_globals(place: &GoPosition<'_>, node: &Node) -> Result<HelmGlobals> {
    let mut globals = HelmGlobals::default();
    place.fields(node, "types.HelmGlobals", HELM_GLOBALS, |field| {
        set_helm_global(&mut globals, &field)
    })?;
    Ok(globals)
}

/// Decodes one field of `helmGlobals`.
pub(super) fn set_helm_global(
    globals: &mut HelmGlobals,
    field: &PresentField<'_, '_>,
) -> Result<()> {
    let text = field.place.string(field.value)?;
    match field.name {
        "chartHome" => globals.chart_home = text,
        _ => globals.config_home = text,
    }
    Ok(())
}

/// The fields of an entry of `helmCharts`.
pub(super) const HELM_CHART: &[&str] = &[
    "name",
    "version",
    "repo",
    "releaseName",
    "namespace",
    "nameTemplate",
    "valuesFile",
    "additionalValuesFiles",
    "valuesInline",
    "valuesMerge",
    "includeCRDs",
    "skipHooks",
    "skipTests",
    "apiVersions",
    "kubeVersion",
    "debug",
    "devel",
];

/// Decodes an entry of `helmCharts`.
pub(super) fn helm_chart(place: &GoPosition<'_>, node: &Node) -> Result<HelmChart> {
    let mut chart = HelmChart::default();
    place
        .fields(node, "types.HelmChart", HELM_CHART, |field| set_helm_chart(&mut chart, &field))?;
    Ok(chart)
}

/// Decodes one field of an entry of `helmCharts`.
pub(super) fn set_helm_chart(chart: &mut HelmChart, field: &PresentField<'_, '_>) -> Result<()> {
    let PresentField { value, place, .. } = field;
    match field.name {
        "name" => chart.name = place.string(value)?,
        "version" => chart.version = place.string(value)?,
        "repo" => chart.repo = place.string(value)?,
        "releaseName" => chart.release_name = place.string(value)?,
        "namespace" => chart.namespace = place.string(value)?,
        "nameTemplate" => chart.name_template = place.string(value)?,
        "valuesFile" => chart.values_file = place.string(value)?,
        "additionalValuesFiles" => chart.additional_values_files = place.plain_strings(value)?,
        "valuesInline" => chart.values_inline = Some(values_inline(place, value)?),
        "valuesMerge" => chart.values_merge = place.string(value)?,
        "includeCRDs" => chart.include_crds = place.bool(value)?,
        "skipHooks" => chart.skip_hooks = place.bool(value)?,
        "skipTests" => chart.skip_tests = place.bool(value)?,
        "apiVersions" => chart.api_versions = place.plain_strings(value)?,
        "kubeVersion" => chart.kube_version = place.string(value)?,
        "debug" => chart.debug = place.bool(value)?,
        _ => chart.devel = place.bool(value)?,
    }
    Ok(())
}

/// Decodes a values file as Go does for a map: as YAML 1.1, converted to JSON.
///
/// # Errors
/// The text is not YAML or not a mapping.
pub fn decode_values(
    text: &[u8],
    source: SourceId,
    limits: Limits,
) -> std::result::Result<Node, ValuesFault> {
    let read = parse_config(text, source, limits).map_err(ValuesFault::Yaml)?;
    let Some(node) = read else { return Ok(Node::mapping()) };
    if node.as_mapping().is_none() {
        return Err(ValuesFault::NoMapping(json_name(&node)));
    }
    Ok(through_json(&node))
}

/// Decodes `valuesInline`, which must be a mapping; the scalars are converted as by JSON.
fn values_inline(place: &GoPosition<'_>, node: &Node) -> Result<Node> {
    if node.as_mapping().is_none() {
        return Err(place.wrong_type(node, "map[string]interface {}"));
    }
    Ok(through_json(node))
}

/// A chart of the deprecated `helmChartInflationGenerator`, and its home directories (section 1.4).
pub(super) fn helm_chart_args(
    place: &GoPosition<'_>,
    node: &Node,
) -> Result<(HelmChart, HelmGlobals)> {
    const NAMES: &[&str] = &[
        "chartName",
        "chartVersion",
        "chartRepoUrl",
        "chartHome",
        "chartRepoName",
        "helmBin",
        "helmHome",
        "values",
        "valuesLocal",
        "valuesMerge",
        "releaseName",
        "releaseNamespace",
        "extraArgs",
    ];
    let (mut chart, mut homes) = (HelmChart::default(), HelmGlobals::default());
    place.fields(node, "types.HelmChartArgs", NAMES, |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "chartName" => chart.name = place.string(value)?,
            "chartVersion" => chart.version = place.string(value)?,
            "chartRepoUrl" => chart.repo = place.string(value)?,
            "chartHome" => homes.chart_home = place.string(value)?,
            "helmHome" => homes.config_home = place.string(value)?,
            "values" => chart.values_file = place.string(value)?,
            "valuesLocal" => chart.values_inline = Some(values_inline(place, value)?),
            "valuesMerge" => chart.values_merge = place.string(value)?,
            "releaseName" => chart.release_name = place.string(value)?,
            "extraArgs" => drop(place.strings(value)?),
            _ => drop(place.string(value)?),
        }
        Ok(())
    })?;
    Ok((chart, homes))
}
