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
use super::go_json::{GoPosition, LENIENT, PresentField, Result};
use super::go_struct::{GoStruct, field, go_struct, typed, with};
use super::transformers;

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
    let mut args: GeneratorArgs = TOP_POSITION.read_as(config, go_type, builtin.fields())?;
    // Kustomize reads `env` and ignores it; only kustomization files move it to `envs`.
    args.env = None;
    let (name, namespace) = metadata(config, go_type)?;
    if args.name.value.is_empty() {
        args.name = name;
    }
    if args.namespace.value.is_empty() {
        args.namespace = namespace;
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
    let (_, namespace) = metadata(config, "builtins.NamespaceTransformerPlugin")?;
    Ok(NamespaceArgs { namespace, ..TOP_POSITION.read(config)? })
}

go_struct!(
    NamespaceArgs,
    "builtins.NamespaceTransformerPlugin",
    [
        typed("fieldSpecs", FIELD_SPECS, |it| &mut it.field_specs),
        field("unsetOnly", |it| &mut it.unset_only),
        with("setRoleBindingSubjects", |it, place, node| {
            it.role_binding_subjects = role_binding_subjects(&place.string(node)?, node.mark)?;
            Ok(())
        }),
    ]
);

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

go_struct!(
    PrefixSuffixArgs,
    "builtins.PrefixTransformerPlugin",
    [
        field("prefix", |it| &mut it.prefix),
        field("suffix", |it| &mut it.suffix),
        typed("fieldSpecs", "types.FsSlice", |it| &mut it.field_specs),
    ]
);

/// Decodes the configuration of a `LabelTransformer`.
pub fn decode_label_transformer(config: &Node) -> Result<PairsArgs> {
    pairs(config, "builtins.LabelTransformerPlugin", &["labels", "fieldSpecs"])
}

/// Decodes the configuration of an `AnnotationsTransformer`.
pub fn decode_annotations_transformer(config: &Node) -> Result<PairsArgs> {
    pairs(config, "builtins.AnnotationsTransformerPlugin", &["annotations", "fieldSpecs"])
}

fn pairs(config: &Node, go_type: &'static str, names: &[&'static str]) -> Result<PairsArgs> {
    TOP_POSITION.read_as(config, go_type, names)
}

go_struct!(
    PairsArgs,
    "",
    [
        with("labels", PairsArgs::read_pairs),
        with("annotations", PairsArgs::read_pairs),
        typed("fieldSpecs", FIELD_SPECS, |it| &mut it.field_specs),
    ]
);

impl PairsArgs {
    fn read_pairs(&mut self, place: &GoPosition<'_>, node: &Node) -> Result<()> {
        self.pairs = Marked { value: place.pairs(node)?, mark: node.mark };
        Ok(())
    }
}

/// Decodes a `PatchTransformer`: `path`, `patch`, `target`, `options`. The result is marked with
/// the location of the configuration.
pub fn decode_patch_transformer(config: &Node) -> Result<PatchArgs> {
    let fields = Builtin::PatchTransformer.fields();
    let value = TOP_POSITION.read_as(config, "builtins.PatchTransformerPlugin", fields)?;
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

go_struct!(
    PatchStrategicMergeArgs,
    "builtins.PatchStrategicMergeTransformerPlugin",
    [
        with("paths", |it, place, node| {
            it.paths = transformers::strategic_merges(place, node)?;
            Ok(())
        }),
        field("patches", |it| &mut it.patches),
    ]
);

go_struct!(
    ExecPluginArgs,
    "argsConfig",
    [field("argsOneLiner", |it| &mut it.one_liner), field("argsFromFile", |it| &mut it.file),]
);

go_struct!(
    ReplacementArgs,
    "builtins.ReplacementTransformerPlugin",
    [typed("replacements", "[]types.ReplacementField", |it| &mut it.replacements)]
);

go_struct!(
    ValueAddArgs,
    "builtins.ValueAddTransformerPlugin",
    [
        field("value", |it| &mut it.value),
        typed("targets", "[]builtins.Target", |it| &mut it.targets),
        field("targetFilePath", |it| &mut it.target_file_path),
    ]
);

go_struct!(
    ValueAddTarget,
    "builtins.Target",
    [
        field("selector", |it| &mut it.selector),
        field("fieldPath", |it| &mut it.field_path),
        field("filePathPosition", |it| &mut it.file_path_position),
    ],
    |node: &Node| ValueAddTarget { mark: node.mark, ..ValueAddTarget::default() }
);

go_struct!(
    IamPolicyArgs,
    "builtins.IAMPolicyGeneratorPlugin",
    [
        typed("cloud", "types.Cloud", |it| &mut it.cloud),
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
    ]
);

fn two_texts(
    place: &GoPosition<'_>,
    node: &Node,
    go_type: &'static str,
    names: &[&'static str; 2],
) -> Result<[String; 2]> {
    let mut texts = <[String; 2]>::default();
    place.fields(node, go_type, names, |field| {
        texts[usize::from(field.name == names[1])] = field.place.string(field.value)?;
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
    let go_type = "builtins.HelmChartInflationGeneratorPlugin";
    let names = Builtin::HelmChartInflationGenerator.fields();
    let globals = TOP_POSITION.read_as(config, go_type, names)?;
    Ok((globals, TOP_POSITION.read_as(config, go_type, names)?))
}
