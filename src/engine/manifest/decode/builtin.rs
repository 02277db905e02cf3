//! Decodes the plugin configurations of built-ins (`apiVersion: builtin`, section 4.16). As in
//! Kustomize, unknown fields are ignored, and numbers and booleans are accepted as texts. The tree
//! may have been parsed as YAML 1.1 or 1.2.

use crate::manifest::{
    Builtin, ExecPluginArgs, GeneratorArgs, HelmChart, HelmGlobals, IamPolicyArgs, Marked,
    NamespaceArgs, PairsArgs, Patch, PatchArgs, PatchStrategicMergeArgs, PrefixSuffixArgs,
    ReplacementArgs, RoleBindingSubjects, ValueAddArgs, ValueAddTarget,
};
use crate::yaml::{Mark, Node};

use super::ManifestError;
use super::generators;
use super::go_json::{GoPosition, LENIENT, PresentField, Result};
use super::go_struct::{GoField, GoStruct, field, typed, with};
use super::transformers::{self, field_specs};

const TOP_POSITION: GoPosition<'static> = GoPosition::top(LENIENT);
const FIELD_SPECS: &str = "[]types.FieldSpec";

/// Decodes the configuration of a plugin whose type lists the fields.
///
/// # Errors
/// Wrong types. Missing field specs of a prefix or suffix are reported by its transformer.
pub(crate) fn decode_plugin<T: GoStruct>(config: &Node) -> Result<T> {
    TOP_POSITION.read(config)
}

/// Decodes a `ConfigMapGenerator` or `SecretGenerator`, which has the fields of an entry of
/// `configMapGenerator` or `secretGenerator`; name and namespace default to those in the metadata.
pub fn decode_generator(config: &Node, builtin: Builtin) -> Result<GeneratorArgs> {
    let go_type = if builtin == Builtin::SecretGenerator {
        "builtins.SecretGeneratorPlugin"
    } else {
        "builtins.ConfigMapGeneratorPlugin"
    };
    let mut args = GeneratorArgs::default();
    let mut env = None;
    TOP_POSITION.fields(config, go_type, builtin.fields(), |field| {
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
    let (_, namespace) = metadata(config, NamespaceArgs::GO_TYPE)?;
    Ok(NamespaceArgs { namespace, ..TOP_POSITION.read(config)? })
}

impl GoStruct for NamespaceArgs {
    const GO_TYPE: &'static str = "builtins.NamespaceTransformerPlugin";
    const FIELDS: &'static [GoField<Self>] = &[
        typed("fieldSpecs", FIELD_SPECS, |it| &mut it.field_specs),
        field("unsetOnly", |it| &mut it.unset_only),
        with("setRoleBindingSubjects", |it, place, node| {
            it.role_binding_subjects = role_binding_subjects(&place.string(node)?, node.mark)?;
            Ok(())
        }),
    ];
}

fn role_binding_subjects(mode: &str, mark: Mark) -> Result<RoleBindingSubjects> {
    match mode {
        "" | "defaultOnly" => Ok(RoleBindingSubjects::DefaultOnly),
        "allServiceAccounts" => Ok(RoleBindingSubjects::AllServiceAccounts),
        "none" => Ok(RoleBindingSubjects::None),
        _ => Err(ManifestError::fault_at(
            format!(
                "invalid value {mode:?} for setRoleBindingSubjects: must be one of \"defaultOnly\", \"none\" or \"allServiceAccounts\""
            ),
            mark,
        )),
    }
}

impl GoStruct for PrefixSuffixArgs {
    const GO_TYPE: &'static str = "builtins.PrefixTransformerPlugin";
    const FIELDS: &'static [GoField<Self>] = &[
        field("prefix", |it| &mut it.prefix),
        field("suffix", |it| &mut it.suffix),
        typed("fieldSpecs", "types.FsSlice", |it| &mut it.field_specs),
    ];
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
    let value = TOP_POSITION.read_as(config, "builtins.PatchTransformerPlugin")?;
    Ok(Marked { value, mark: config.mark })
}

/// Decodes a `PatchJson6902Transformer`: `jsonOp` contains the operations as text.
pub fn decode_patch_json6902(config: &Node) -> Result<Patch> {
    let (mut patch, builtin) = (Patch::default(), Builtin::PatchJson6902Transformer);
    let go_type = "builtins.PatchJson6902TransformerPlugin";
    TOP_POSITION.fields(config, go_type, builtin.fields(), |field| {
        let PresentField { value, place, .. } = &field;
        match field.name {
            "target" => patch.target = Some(place.read(value)?),
            "path" => patch.path = place.string(value)?,
            _ => patch.patch = place.string(value)?,
        }
        Ok(())
    })?;
    Ok(patch)
}

impl GoStruct for PatchStrategicMergeArgs {
    const GO_TYPE: &'static str = "builtins.PatchStrategicMergeTransformerPlugin";
    const FIELDS: &'static [GoField<Self>] = &[
        with("paths", |it, place, node| {
            it.paths = transformers::strategic_merges(place, node)?;
            Ok(())
        }),
        field("patches", |it| &mut it.patches),
    ];
}

impl GoStruct for ExecPluginArgs {
    const GO_TYPE: &'static str = "argsConfig";
    const FIELDS: &'static [GoField<Self>] =
        &[field("argsOneLiner", |it| &mut it.one_liner), field("argsFromFile", |it| &mut it.file)];
}

impl GoStruct for ReplacementArgs {
    const GO_TYPE: &'static str = "builtins.ReplacementTransformerPlugin";
    const FIELDS: &'static [GoField<Self>] = &[with("replacements", |it, place, node| {
        let go_type = "[]types.ReplacementField";
        it.replacements = place.list(node, go_type, GoPosition::read)?;
        Ok(())
    })];
}

impl GoStruct for ValueAddArgs {
    const GO_TYPE: &'static str = "builtins.ValueAddTransformerPlugin";
    const FIELDS: &'static [GoField<Self>] = &[
        field("value", |it| &mut it.value),
        typed("targets", "[]builtins.Target", |it| &mut it.targets),
        field("targetFilePath", |it| &mut it.target_file_path),
    ];
}

impl GoStruct for ValueAddTarget {
    const GO_TYPE: &'static str = "builtins.Target";
    const FIELDS: &'static [GoField<Self>] = &[
        field("selector", |it| &mut it.selector),
        field("fieldPath", |it| &mut it.field_path),
        field("filePathPosition", |it| &mut it.file_path_position),
    ];

    fn start(node: &Node) -> Self {
        Self { mark: node.mark, ..Self::default() }
    }
}

impl GoStruct for IamPolicyArgs {
    const GO_TYPE: &'static str = "builtins.IAMPolicyGeneratorPlugin";
    const FIELDS: &'static [GoField<Self>] = &[
        with("cloud", |it, place, node| {
            let value = place.embedded().string_of_type(node, "types.Cloud")?;
            it.cloud = Marked { value, mark: node.mark };
            Ok(())
        }),
        with("kubernetesService", |it, place, node| {
            let read = two_texts(place, node, "types.KubernetesService", &["namespace", "name"])?;
            [it.kubernetes_service_namespace, it.kubernetes_service_name] = read;
            Ok(())
        }),
        with("serviceAccount", |it, place, node| {
            let read = two_texts(place, node, "types.ServiceAccount", &["name", "projectId"])?;
            [it.service_account_name, it.service_account_project_id] = read;
            Ok(())
        }),
    ];
}

fn two_texts(
    place: &GoPosition<'_>,
    node: &Node,
    go_type: &'static str,
    names: &[&'static str; 2],
) -> Result<[String; 2]> {
    let mut texts = <[String; 2]>::default();
    place.fields(node, go_type, names, |field| {
        let text = field.place.embedded().string(field.value)?;
        texts[usize::from(field.name == names[1])] = text;
        Ok(())
    })?;
    Ok(texts)
}

/// Checks a `HashTransformer`: it has no arguments, so only a configuration that is no mapping
/// fails.
pub fn decode_hash_transformer(config: &Node) -> Result<()> {
    TOP_POSITION.fields(config, "builtins.HashTransformerPlugin", &[], |_| Ok(()))
}

/// Decodes a `HelmChartInflationGenerator`, which has the fields of `helmGlobals` and of an entry
/// of `helmCharts` on one level.
pub fn decode_helm_inflation(config: &Node) -> Result<(HelmGlobals, HelmChart)> {
    let (place, go_type) = (TOP_POSITION.embedded(), "builtins.HelmChartInflationGeneratorPlugin");
    Ok((place.read_as(config, go_type)?, place.read_as(config, go_type)?))
}
