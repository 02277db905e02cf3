//! What a Composition knows of Kustomize's own plugins: their fields, their default field specs, their older names
//! (section A.10).

use crate::manifest::{FieldSpec, TransformerConfig};
use crate::yaml::{Limits, Node, SourceId, parse_documents};

const SCHEMAS: &str = include_str!("../../../../assets/composition/builtin-schemas.yaml");

/// The entry that loads resources (section A.11).
pub const RESOURCE_ACCUMULATOR: &str = "ResourceAccumulator";

/// Kinds that make resources.
pub const BUILTIN_GENERATORS: [&str; 4] =
    ["ConfigMapGenerator", "SecretGenerator", "HelmChartInflationGenerator", "IAMPolicyGenerator"];

/// Kinds that change resources. Kustomize: `SortOrderTransformer` is not among those that can be loaded.
pub const BUILTIN_TRANSFORMERS: [&str; 14] = [
    "AnnotationsTransformer",
    "HashTransformer",
    "ImageTagTransformer",
    "LabelTransformer",
    "NamespaceTransformer",
    "PatchJson6902Transformer",
    "PatchStrategicMergeTransformer",
    "PatchTransformer",
    "PrefixSuffixTransformer",
    "PrefixTransformer",
    "ReplacementTransformer",
    "ReplicaCountTransformer",
    "SuffixTransformer",
    "ValueAddTransformer",
];

/// D-A26: the name of the entry that loads resources in the prototype.
pub(super) const RESOURCE_GENERATOR: &str = "ResourceGenerator";

/// Every kind that `apiVersion: builtin` may have in a Composition.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    BUILTIN_GENERATORS.into_iter().chain(BUILTIN_TRANSFORMERS).chain([RESOURCE_ACCUMULATOR])
}

/// True for a kind that needs no apiVersion (D-A6).
pub fn is_known_builtin(kind: &str) -> bool {
    kind == RESOURCE_GENERATOR || kinds().any(|known| known == kind)
}

/// Which of the default lists of field specs a kind works on when it says nothing (D-A22).
pub fn spec_list<'c>(
    kind: &str,
    config: &'c TransformerConfig,
) -> Option<(&'static str, &'c [FieldSpec])> {
    Some(match kind {
        "LabelTransformer" => ("commonLabels", &config.common_labels),
        "AnnotationsTransformer" => ("commonAnnotations", &config.common_annotations),
        "NamespaceTransformer" => ("namespace", &config.namespace),
        "PrefixTransformer" | "PrefixSuffixTransformer" => ("namePrefix", &config.name_prefix),
        "SuffixTransformer" => ("nameSuffix", &config.name_suffix),
        "ImageTagTransformer" => ("images", &config.images),
        "ReplicaCountTransformer" => ("replicas", &config.replicas),
        _ => return None,
    })
}

/// The fields of each built-in kind besides `apiVersion`, `kind` and `metadata`.
const FIELDS: &str = "\
AnnotationsTransformer: annotations fieldSpecs fieldSpecStrategy
ImageTagTransformer: imageTag fieldSpecs fieldSpecStrategy
LabelTransformer: labels fieldSpecs fieldSpecStrategy includeSelectors includeTemplates includeVolumeClaimTemplates
NamespaceTransformer: fieldSpecs fieldSpecStrategy unsetOnly setRoleBindingSubjects
PatchJson6902Transformer: target path jsonOp
PatchStrategicMergeTransformer: paths patches
PatchTransformer: path patch target options
PrefixTransformer: prefix suffix fieldSpecs fieldSpecStrategy
SuffixTransformer: prefix suffix fieldSpecs fieldSpecStrategy
PrefixSuffixTransformer: prefix suffix fieldSpecs fieldSpecStrategy
ReplacementTransformer: replacements
ReplicaCountTransformer: replica fieldSpecs fieldSpecStrategy
ValueAddTransformer: value targets targetFilePath
ConfigMapGenerator: name namespace behavior literals files envs env options
SecretGenerator: name namespace behavior literals files envs env options type
IAMPolicyGenerator: cloud kubernetesService serviceAccount
ResourceAccumulator: paths
HelmChartInflationGenerator: chartHome configHome name version repo releaseName namespace nameTemplate valuesFile additionalValuesFiles valuesInline valuesMerge includeCRDs skipHooks skipTests apiVersions kubeVersion debug devel
";

/// The fields of a built-in kind.
pub(super) fn fields(kind: &str) -> Vec<&'static str> {
    let of_kind = |line: &'static str| line.strip_prefix(kind)?.strip_prefix(": ");
    let fields = FIELDS.lines().find_map(of_kind).unwrap_or_default();
    fields.split_whitespace().collect()
}

/// The schema of the configuration of a built-in kind, without `apiVersion` and `kind`.
pub fn builtin_schema(kind: &str) -> Option<Node> {
    let file = parse_documents(SCHEMAS.as_bytes(), SourceId::NONE, Limits::default()).ok()?;
    file.documents.first()?.node.get(kind).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_every_kind_has_a_schema() {
        for kind in kinds().filter(|kind| !fields(kind).is_empty()) {
            let schema = builtin_schema(kind).expect(kind);
            let properties = schema.get("properties").expect(kind).entries();
            let known = properties.iter().filter_map(|entry| entry.key.text());
            let mut known: Vec<&str> = known.filter(|name| *name != "metadata").collect();
            let mut named = fields(kind);
            known.sort_unstable();
            named.sort_unstable();
            assert_eq!(known, named, "{kind}");
        }
    }
}
