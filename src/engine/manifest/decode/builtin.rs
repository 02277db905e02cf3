//! Decodes the plugin configurations of built-ins (`apiVersion: builtin`, section 4.16). As in
//! Kustomize, unknown fields are ignored, and numbers and booleans are accepted as texts. The tree
//! may have been parsed as YAML 1.1 or 1.2.

use crate::diagnostic::Hint;
use crate::load::nearest_name;
use crate::manifest::{Builtin, FieldSpec, Marked, Pairs};
use crate::resource::Selector;
use crate::yaml::{Mark, Node};

use super::generators::{GeneratorArgs, HelmChart, HelmGlobals};
use super::go_json::{CONFIGURATION, GoPosition, LENIENT, PresentField, Result};
use super::go_struct::{GoStruct, field, go_struct, go_types, typed, with};
use super::transformers::{self, Patch, Replacement};
use super::{ManifestError, ManifestFault};

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

go_types! {
    /// The arguments of a `NamespaceTransformer`.
    pub struct NamespaceArgs = "builtins.NamespaceTransformerPlugin" {
        pub field_specs: Vec<FieldSpec> = typed("fieldSpecs", FIELD_SPECS),
        pub unset_only: bool = field("unsetOnly"),
        pub role_binding_subjects: RoleBindingSubjects =
            by("setRoleBindingSubjects", role_binding_subjects),
        /// `metadata.namespace`
        pub namespace: Marked<String>,
    }
}

/// Which subjects of role bindings get the namespace (section 4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoleBindingSubjects {
    #[default]
    DefaultOnly,
    AllServiceAccounts,
    None,
}

fn role_binding_subjects(place: &GoPosition<'_>, node: &Node) -> Result<RoleBindingSubjects> {
    let mode = place.string(node)?;
    match &*mode {
        "" | "defaultOnly" => Ok(RoleBindingSubjects::DefaultOnly),
        "allServiceAccounts" => Ok(RoleBindingSubjects::AllServiceAccounts),
        "none" => Ok(RoleBindingSubjects::None),
        _ => Err(ManifestError::fault_at(
            format!(
                "invalid value {mode:?} for setRoleBindingSubjects: must be one of \"defaultOnly\", \"none\" or \"allServiceAccounts\""
            ),
            node.mark,
        )),
    }
}

go_types! {
    /// The arguments of a `PrefixTransformer`, `SuffixTransformer` or `PrefixSuffixTransformer`.
    pub struct PrefixSuffixArgs = "builtins.PrefixTransformerPlugin" {
        pub prefix: Marked<String> = field("prefix"),
        pub suffix: Marked<String> = field("suffix"),
        /// `fieldSpecs`; `None` if absent, which is an error for these plugins.
        pub field_specs: Option<Vec<FieldSpec>> = typed("fieldSpecs", "types.FsSlice"),
    }
}

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

/// The arguments of a `LabelTransformer` (`labels`) or `AnnotationsTransformer` (`annotations`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairsArgs {
    /// The labels or annotations, in key order.
    pub pairs: Marked<Pairs>,
    pub field_specs: Vec<FieldSpec>,
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

/// The arguments of a `PatchTransformer`, which are those of an entry of `patches`.
pub type PatchArgs = Marked<Patch>;

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

go_types! {
    /// The arguments of a `PatchStrategicMergeTransformer`.
    pub struct PatchStrategicMergeArgs = "builtins.PatchStrategicMergeTransformerPlugin" {
        /// `paths`: paths or inline texts.
        pub paths: Vec<Marked<String>> = by("paths", transformers::strategic_merges),
        /// `patches`: text of one or more documents.
        pub patches: Marked<String> = field("patches"),
    }

    /// The arguments of a legacy exec plugin.
    pub struct ExecPluginArgs = "argsConfig" {
        /// `argsOneLiner`: arguments in one line, quoted as for a shell.
        pub one_liner: String = field("argsOneLiner"),
        /// `argsFromFile`: a file with an argument in each line.
        pub file: String = field("argsFromFile"),
    }

    /// The arguments of a `ReplacementTransformer`.
    pub struct ReplacementArgs = "builtins.ReplacementTransformerPlugin" {
        pub replacements: Vec<Marked<Replacement>> = typed("replacements", "[]types.ReplacementField"),
    }

    /// The arguments of a `ValueAddTransformer`.
    pub struct ValueAddArgs = "builtins.ValueAddTransformerPlugin" {
        pub value: Marked<String> = field("value"),
        pub targets: Vec<ValueAddTarget> = typed("targets", "[]builtins.Target"),
        pub target_file_path: String = field("targetFilePath"),
    }

    /// One entry of a `ValueAddTransformer`'s `targets`.
    pub struct ValueAddTarget = "builtins.Target" {
        pub selector: Option<Selector> = field("selector"),
        pub field_path: String = field("fieldPath"),
        pub file_path_position: i64 = field("filePathPosition"),
        pub mark: Mark,
    } from |node: &Node| ValueAddTarget { mark: node.mark, ..ValueAddTarget::default() }

    /// The arguments of an `IAMPolicyGenerator`.
    pub struct IamPolicyArgs = "builtins.IAMPolicyGeneratorPlugin" {
        /// `cloud`: only `gke` is supported.
        pub cloud: Marked<String> = typed("cloud", "types.Cloud"),
        pub kubernetes_service_namespace: String = with("kubernetesService", |it, place, node| {
            let read = two_texts(place, node, "types.KubernetesService", &["namespace", "name"])?;
            [it.kubernetes_service_namespace, it.kubernetes_service_name] = read;
            Ok(())
        }),
        pub kubernetes_service_name: String,
        pub service_account_name: String = with("serviceAccount", |it, place, node| {
            let read = two_texts(place, node, "types.ServiceAccount", &["name", "projectId"])?;
            [it.service_account_name, it.service_account_project_id] = read;
            Ok(())
        }),
        pub service_account_project_id: String,
    }
}

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

/// A field that Kustomize ignores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredField {
    pub key: String,
    pub mark: Mark,
    pub hint: Option<Hint>,
}

const SOURCE_VALUE: &str = "write a fixed value as `sourceValue: VALUE` in place of `source`";

const COMMON_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The fields of a built-in plugin's configuration that Kustomize ignores; none for another
/// document.
pub fn ignored_fields(config: &Node) -> Vec<IgnoredField> {
    let text = |key: &str| config.text_of(key);
    let builtin = text("kind").filter(|_| text("apiVersion") == Some("builtin"));
    let Some(builtin) = builtin.and_then(Builtin::from_kind) else { return Vec::new() };
    let known = builtin.fields();
    let mut ignored = Vec::new();
    for entry in config.entries() {
        if let Some(key) = entry.key.text()
            && !known.contains(&key)
            && !COMMON_FIELDS.contains(&key)
        {
            let near = nearest_name(key, known.iter().copied());
            let hint = near.map(|near| Hint::DidYouMean(near.to_owned()));
            ignored.push(IgnoredField { key: key.to_owned(), mark: entry.key.mark, hint });
        }
    }
    let place = GoPosition::top(CONFIGURATION);
    let replacements = config.items_of("replacements");
    for entry in replacements.iter().filter(|_| builtin == Builtin::ReplacementTransformer) {
        if let Err(ManifestError { fault, hint, mark, .. }) = place.read::<Replacement>(entry)
            && let ManifestFault::UnknownField { field, .. } = fault
        {
            let is_fixed_value = field == "value" && entry.get("source").is_some_and(has_value);
            let hint = if is_fixed_value { Some(SOURCE_VALUE.into()) } else { hint.map(|it| *it) };
            ignored.push(IgnoredField { key: field, mark, hint });
        }
    }
    ignored
}

fn has_value(source: &Node) -> bool {
    source.get("value").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Limits, SourceId, parse_documents};

    fn ignored(text: &str) -> Vec<(String, u32)> {
        let read = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).unwrap();
        let found = ignored_fields(&read.documents[0].node);
        found.into_iter().map(|field| (field.key, field.mark.line)).collect()
    }

    #[test]
    fn fields_of_no_plugin_are_ignored() {
        let labels =
            "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: a}\nlabel: {}\n";
        assert_eq!(ignored(labels), [("label".to_owned(), 4)]);
        let good = labels.replace("label:", "labels:");
        assert_eq!(ignored(&good), []);
        assert_eq!(ignored(&labels.replace("builtin", "v1")), []);
    }

    #[test]
    fn nested_fields_of_replacements_are_ignored() {
        let text = "apiVersion: builtin\nkind: ReplacementTransformer\nmetadata: {name: a}\n\
                    replacements:\n- source: {kind: A}\n  targets: []\n- source:\n    value: x\n";
        assert_eq!(ignored(text), [("value".to_owned(), 8)]);
    }
}
