//! Decoding the arguments of generators and helm charts.

use crate::manifest::{Builtin, GeneratorArgs, GeneratorOptions, HelmChart, HelmGlobals};
use crate::resource::Behavior;
use crate::yaml::{Limits, Node, SourceId, parse_config};

use super::go_json::{GoPosition, Result, json_name};
use super::go_struct::{field, go_struct, with};
use super::json_conversion::through_json;

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

go_struct!(
    GeneratorArgs,
    "types.GeneratorArgs",
    [
        field("namespace", |it| &mut it.namespace),
        field("name", |it| &mut it.name),
        with("behavior", |it, place, node| {
            it.behavior = Behavior::from_word(&place.string(node)?);
            Ok(())
        }),
        field("literals", |it| &mut it.literals),
        field("files", |it| &mut it.files),
        field("envs", |it| &mut it.envs),
        field("env", |it| &mut it.env),
        field("type", |it| &mut it.secret_type),
        field("options", |it| &mut it.options),
    ]
);

go_struct!(
    GeneratorOptions,
    "types.GeneratorOptions",
    [
        field("labels", |it| &mut it.labels),
        field("annotations", |it| &mut it.annotations),
        field("disableNameSuffixHash", |it| &mut it.disable_name_suffix_hash),
        with("immutable", |it, place, node| {
            (it.immutable, it.immutable_mark) = (place.bool(node)?, node.mark);
            Ok(())
        }),
    ]
);

go_struct!(
    HelmGlobals,
    "types.HelmGlobals",
    [field("chartHome", |it| &mut it.chart_home), field("configHome", |it| &mut it.config_home),]
);

go_struct!(
    HelmChart,
    "types.HelmChart",
    [
        field("name", |it| &mut it.name),
        field("version", |it| &mut it.version),
        field("repo", |it| &mut it.repo),
        field("releaseName", |it| &mut it.release_name),
        field("namespace", |it| &mut it.namespace),
        field("nameTemplate", |it| &mut it.name_template),
        field("valuesFile", |it| &mut it.values_file),
        field("additionalValuesFiles", |it| &mut it.additional_values_files),
        with("valuesInline", |it, place, node| {
            it.values_inline = Some(values_inline(place, node)?);
            Ok(())
        }),
        field("valuesMerge", |it| &mut it.values_merge),
        field("includeCRDs", |it| &mut it.include_crds),
        field("skipHooks", |it| &mut it.skip_hooks),
        field("skipTests", |it| &mut it.skip_tests),
        field("apiVersions", |it| &mut it.api_versions),
        field("kubeVersion", |it| &mut it.kube_version),
        field("debug", |it| &mut it.debug),
        field("devel", |it| &mut it.devel),
    ]
);

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
fn values_inline(place: &GoPosition<'_>, node: &Node) -> Result<Node> {
    if node.as_mapping().is_none() {
        return Err(place.wrong_type(node, "map[string]interface {}"));
    }
    Ok(through_json(node))
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
            it.chart.values_inline = Some(values_inline(place, node)?);
            Ok(())
        }),
        field("valuesMerge", |it| &mut it.chart.values_merge),
        field("releaseName", |it| &mut it.chart.release_name),
        field("releaseNamespace", |it| &mut it.ignored.0),
        field("extraArgs", |it| &mut it.ignored.1),
    ]
);
