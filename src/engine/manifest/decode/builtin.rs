//! Decodes the plugin configurations of built-ins (`apiVersion: builtin`, section 4.16). As in
//! Kustomize, unknown fields are ignored, and numbers and booleans are accepted as texts. The tree
//! may have been parsed as YAML 1.1 or 1.2.

use crate::manifest::{
    ExecPluginArgs, GeneratorArgs, HelmInflationArgs, IamPolicyArgs, Marked, NamespaceArgs,
    PairsArgs, PatchArgs, PatchJson6902Args, PatchStrategicMergeArgs, PrefixSuffixArgs,
    ReplacementArgs, RoleBindingSubjects, SortOptions, ValueAddArgs, ValueAddTarget,
};
use crate::yaml::{Mark, Node};

use super::generators::{self, CONFIG_MAP, HELM_CHART, HELM_GLOBALS, SECRET};
use super::go_json::{GO_YAML, GoPosition, LENIENT, PresentField, Result};
use super::transformers::{self, field_specs, selector, values};
use super::{ManifestError, ManifestFault};

/// The position of the outermost value of a plugin configuration.
const TOP_POSITION: GoPosition<'static> = GoPosition::top(LENIENT);
/// Names of Go types in Kustomize's errors.
const FS_SLICE: &str = "types.FsSlice";
const FIELD_SPECS: &str = "[]types.FieldSpec";

/// Decodes a `ConfigMapGenerator`, which has the fields of an entry of `configMapGenerator`; name
/// and namespace default to those in the metadata.
pub fn decode_config_map_generator(config: &Node) -> Result<GeneratorArgs> {
    generator(config, "builtins.ConfigMapGeneratorPlugin", CONFIG_MAP)
}

/// Decodes a `SecretGenerator`: as [`decode_config_map_generator`], with `type`.
pub fn decode_secret_generator(config: &Node) -> Result<GeneratorArgs> {
    generator(config, "builtins.SecretGeneratorPlugin", SECRET)
}

/// Decodes a `ConfigMapGenerator` or a `SecretGenerator`, by the kind of the configuration.
pub fn decode_generator_args(config: &Node) -> Result<GeneratorArgs> {
    if config.get("kind").and_then(Node::text) == Some("SecretGenerator") {
        decode_secret_generator(config)
    } else {
        decode_config_map_generator(config)
    }
}

fn generator(
    config: &Node,
    go_type: &'static str,
    names: &'static [&'static str],
) -> Result<GeneratorArgs> {
    let mut args = GeneratorArgs::default();
    let mut env = None;
    TOP_POSITION.fields(config, go_type, names, |field| {
        let field = PresentField { place: field.place.embedded(), ..field };
        generators::set_generator_arg(&mut args, &mut env, &field)
    })?;
    // Kustomize reads `env` and ignores it; only kustomization files move it to `envs`.
    drop(env);
    let (name, namespace) = metadata(config, go_type)?;
    if args.name.is_empty() {
        (args.name, args.name_mark) = (name.value, name.mark);
    }
    if args.namespace.is_empty() {
        (args.namespace, args.namespace_mark) = (namespace.value, namespace.mark);
    }
    Ok(args)
}

/// The name and namespace in the metadata of the configuration.
fn metadata(config: &Node, go_type: &'static str) -> Result<(Marked<String>, Marked<String>)> {
    let (mut name, mut namespace) = (Marked::default(), Marked::default());
    TOP_POSITION.fields(config, go_type, &["metadata"], |field| {
        field.place.fields(field.value, "types.ObjectMeta", &["name", "namespace"], |field| {
            let text = field.place.located_string(field.value)?;
            *(if field.name == "name" { &mut name } else { &mut namespace }) = text;
            Ok(())
        })
    })?;
    Ok((name, namespace))
}

/// Decodes a `NamespaceTransformer`. The namespace is that in the metadata.
///
/// # Errors
/// `invalid value "foo" for setRoleBindingSubjects: …`, and wrong types.
pub fn decode_namespace_transformer(config: &Node) -> Result<NamespaceArgs> {
    let go_type = "builtins.NamespaceTransformerPlugin";
    let mut args = NamespaceArgs { namespace: metadata(config, go_type)?.1, ..Default::default() };
    let names = &["fieldSpecs", "unsetOnly", "setRoleBindingSubjects"];
    TOP_POSITION.fields(config, go_type, names, |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "fieldSpecs" => args.field_specs = field_specs(place, value, FIELD_SPECS)?,
            "unsetOnly" => args.unset_only = place.bool(value)?,
            _ => {
                let mode = place.string(value)?;
                args.role_binding_subjects = role_binding_subjects(&mode, value.mark)?;
            }
        }
        Ok(())
    })?;
    Ok(args)
}

/// Decodes the value of `setRoleBindingSubjects`.
fn role_binding_subjects(mode: &str, mark: Mark) -> Result<RoleBindingSubjects> {
    match mode {
        "" | "defaultOnly" => Ok(RoleBindingSubjects::DefaultOnly),
        "allServiceAccounts" => Ok(RoleBindingSubjects::AllServiceAccounts),
        "none" => Ok(RoleBindingSubjects::None),
        _ => Err(ManifestError::Fault {
            fault: ManifestFault::RoleBindingSubjects(mode.to_owned()),
            hint: None,
            mark,
        }),
    }
}

/// Decodes a `PrefixTransformer`, `SuffixTransformer` or `PrefixSuffixTransformer`.
///
/// # Errors
/// Wrong types. Missing `fieldSpecs` are reported by the transformer.
pub fn decode_prefix_suffix(config: &Node) -> Result<PrefixSuffixArgs> {
    let mut args = PrefixSuffixArgs::default();
    let go_type = "builtins.PrefixTransformerPlugin";
    GoPosition::top(GO_YAML).fields(
        config,
        go_type,
        &["prefix", "suffix", "fieldSpecs"],
        |field| {
            let PresentField { value, place, .. } = &field;
            match field.name {
                "prefix" => args.prefix = place.located_string(value)?,
                "suffix" => args.suffix = place.located_string(value)?,
                _ => args.field_specs = Some(field_specs(place, value, FS_SLICE)?),
            }
            Ok(())
        },
    )?;
    Ok(args)
}

/// Decodes the configuration of a `LabelTransformer`.
pub fn decode_label_transformer(config: &Node) -> Result<PairsArgs> {
    pairs(config, "builtins.LabelTransformerPlugin", &["labels", "fieldSpecs"])
}

/// Decodes the configuration of an `AnnotationsTransformer`.
pub fn decode_annotations_transformer(config: &Node) -> Result<PairsArgs> {
    pairs(config, "builtins.AnnotationsTransformerPlugin", &["annotations", "fieldSpecs"])
}

fn pairs(
    config: &Node,
    go_type: &'static str,
    names: &'static [&'static str],
) -> Result<PairsArgs> {
    let mut args = PairsArgs::default();
    TOP_POSITION.fields(config, go_type, names, |field| {
        let PresentField { value, place, .. } = &field;
        if field.name == "fieldSpecs" {
            args.field_specs = field_specs(place, value, FIELD_SPECS)?;
        } else {
            args.pairs = Marked { value: place.pairs(value)?, mark: value.mark };
        }
        Ok(())
    })?;
    Ok(args)
}

/// Decodes a `PatchTransformer`: `path`, `patch`, `target`, `options`. The result is marked with
/// the location of the configuration.
pub fn decode_patch_transformer(config: &Node) -> Result<PatchArgs> {
    let value =
        transformers::decode_patch(&TOP_POSITION, config, "builtins.PatchTransformerPlugin")?;
    Ok(Marked { value, mark: config.mark })
}

/// Decodes the configuration of a `PatchJson6902Transformer`.
pub fn decode_patch_json6902(config: &Node) -> Result<PatchJson6902Args> {
    let mut args = PatchJson6902Args::default();
    let go_type = "builtins.PatchJson6902TransformerPlugin";
    TOP_POSITION.fields(config, go_type, &["target", "path", "jsonOp"], |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "target" => args.target = Some(selector(place, value)?),
            "path" => args.path = place.string(value)?,
            _ => args.json_op = place.located_string(value)?,
        }
        Ok(())
    })?;
    Ok(args)
}

/// Decodes the configuration of a `PatchStrategicMergeTransformer`.
pub fn decode_patch_strategic_merge(config: &Node) -> Result<PatchStrategicMergeArgs> {
    let mut args = PatchStrategicMergeArgs::default();
    let go_type = "builtins.PatchStrategicMergeTransformerPlugin";
    TOP_POSITION.fields(config, go_type, &["paths", "patches"], |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "paths" => {
                args.paths = place.list(value, "[]types.PatchStrategicMerge", |place, item| {
                    place.string_of_type(item, "types.PatchStrategicMerge")
                })?;
            }
            _ => args.patches = place.located_string(value)?,
        }
        Ok(())
    })?;
    Ok(args)
}

/// The arguments in the configuration of a legacy exec plugin.
///
/// # Errors
/// Wrong types.
pub fn decode_exec_plugin(config: &Node) -> Result<ExecPluginArgs> {
    let mut args = ExecPluginArgs::default();
    TOP_POSITION.fields(config, "argsConfig", &["argsOneLiner", "argsFromFile"], |field| {
        let text = field.place.string(field.value)?;
        *(if field.name == "argsOneLiner" { &mut args.one_liner } else { &mut args.file }) = text;
        Ok(())
    })?;
    Ok(args)
}

/// Decodes the configuration of a `ReplacementTransformer`.
pub fn decode_replacement_transformer(config: &Node) -> Result<ReplacementArgs> {
    let mut args = ReplacementArgs::default();
    let go_type = "builtins.ReplacementTransformerPlugin";
    TOP_POSITION.fields(config, go_type, &["replacements"], |field| {
        let go_type = "[]types.ReplacementField";
        args.replacements = field.place.list(field.value, go_type, transformers::replacement)?;
        Ok(())
    })?;
    Ok(args)
}

/// Decodes the configuration of a `ValueAddTransformer`.
pub fn decode_value_add(config: &Node) -> Result<ValueAddArgs> {
    let mut args = ValueAddArgs::default();
    let go_type = "builtins.ValueAddTransformerPlugin";
    TOP_POSITION.fields(config, go_type, &["value", "targets", "targetFilePath"], |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "value" => args.value = place.located_string(value)?,
            "targets" => {
                args.targets = values(place.list(value, "[]builtins.Target", value_add_target)?);
            }
            _ => args.target_file_path = place.string(value)?,
        }
        Ok(())
    })?;
    Ok(args)
}

/// Decodes an entry of `targets` of a `ValueAddTransformer`.
fn value_add_target(place: &GoPosition<'_>, node: &Node) -> Result<ValueAddTarget> {
    let mut target = ValueAddTarget { mark: node.mark, ..Default::default() };
    let names = &["selector", "fieldPath", "filePathPosition"];
    place.fields(node, "builtins.Target", names, |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "selector" => target.selector = Some(selector(place, value)?),
            "fieldPath" => target.field_path = place.string(value)?,
            _ => target.file_path_position = place.int(value, "int")?,
        }
        Ok(())
    })?;
    Ok(target)
}

/// Decodes the configuration of an `IAMPolicyGenerator`.
pub fn decode_iam_policy(config: &Node) -> Result<IamPolicyArgs> {
    let mut args = IamPolicyArgs::default();
    let go_type = "builtins.IAMPolicyGeneratorPlugin";
    let names = &["cloud", "kubernetesService", "serviceAccount"];
    TOP_POSITION.fields(config, go_type, names, |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "cloud" => {
                let value = place.embedded().string_of_type(value, "types.Cloud")?;
                args.cloud = Marked { value, mark: field.value.mark };
            }
            "kubernetesService" => {
                place.fields(
                    value,
                    "types.KubernetesService",
                    &["namespace", "name"],
                    |field| {
                        let text = field.place.embedded().string(field.value)?;
                        match field.name {
                            "name" => args.kubernetes_service_name = text,
                            _ => args.kubernetes_service_namespace = text,
                        }
                        Ok(())
                    },
                )?;
            }
            _ => place.fields(value, "types.ServiceAccount", &["name", "projectId"], |field| {
                let text = field.place.embedded().string(field.value)?;
                match field.name {
                    "name" => args.service_account_name = text,
                    _ => args.service_account_project_id = text,
                }
                Ok(())
            })?,
        }
        Ok(())
    })?;
    Ok(args)
}

/// Decodes the `sortOptions` of a `SortOrderTransformer`; `None` when absent.
pub fn decode_sort_order(config: &Node) -> Result<Option<Marked<SortOptions>>> {
    let mut options = None;
    TOP_POSITION.fields(
        config,
        "builtins.SortOrderTransformerPlugin",
        &["sortOptions"],
        |field| {
            let value = transformers::sort_options(&field.place, field.value)?;
            options = Some(Marked { value, mark: field.value.mark });
            Ok(())
        },
    )?;
    Ok(options)
}

/// Checks a `HashTransformer`: it has no arguments, so only a configuration that is no mapping
/// fails.
pub fn decode_hash_transformer(config: &Node) -> Result<()> {
    TOP_POSITION.fields(config, "builtins.HashTransformerPlugin", &[], |_| Ok(()))
}

/// Decodes a `HelmChartInflationGenerator`, which has the fields of `helmGlobals` and of an entry
/// of `helmCharts` on one level.
pub fn decode_helm_inflation(config: &Node) -> Result<HelmInflationArgs> {
    let mut args = HelmInflationArgs::default();
    let go_type = "builtins.HelmChartInflationGeneratorPlugin";
    TOP_POSITION.fields(config, go_type, HELM_GLOBALS, |field| {
        let field = PresentField { place: field.place.embedded(), ..field };
        generators::set_helm_global(&mut args.globals, &field)
    })?;
    TOP_POSITION.fields(config, go_type, HELM_CHART, |field| {
        let field = PresentField { place: field.place.embedded(), ..field };
        generators::set_helm_chart(&mut args.chart, &field)
    })?;
    Ok(args)
}
