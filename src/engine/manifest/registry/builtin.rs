//! Kustomize's own plugins (`apiVersion: builtin`), and the field spec lists of a `configurations`
//! file.

use super::registry;

/// The effect of a plugin on resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginRole {
    Generator,
    Transformer,
    /// Loads resources; exists in Compositions alone (section A.11).
    Accumulator,
}

struct BuiltinRow {
    kind: &'static str,
    role: PluginRole,
    fields: &'static [&'static str],
    specs: Option<SpecList>,
    plain: Option<PlainType>,
}

/// The keys of a plain transformer's configuration, both in entries of a field and in a plugin, and
/// the names of its types in Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainType {
    /// The field of the plugin configuration that contains the entry.
    pub key: &'static str,
    pub plugin: &'static str,
    pub list: &'static str,
    pub entry: &'static str,
    pub keys: &'static [&'static str],
    /// The keys with numbers; all others have texts.
    pub numbers: &'static [&'static str],
}

const fn generator(kind: &'static str, fields: &'static [&'static str]) -> BuiltinRow {
    BuiltinRow { kind, role: PluginRole::Generator, fields, specs: None, plain: None }
}

const fn transformer(kind: &'static str, fields: &'static [&'static str]) -> BuiltinRow {
    BuiltinRow { role: PluginRole::Transformer, ..generator(kind, fields) }
}

impl BuiltinRow {
    const fn on(self, specs: SpecList) -> Self {
        Self { specs: Some(specs), ..self }
    }

    const fn plain(self, plain: PlainType) -> Self {
        Self { plain: Some(plain), ..self }
    }
}

/// The fields of the transformers of prefixes and suffixes.
const AFFIX_FIELDS: &[&str] = &["prefix", "suffix", "fieldSpecs", "fieldSpecStrategy"];

const REPLICA: PlainType = PlainType {
    key: "replica",
    plugin: "builtins.ReplicaCountTransformerPlugin",
    list: "[]types.Replica",
    entry: "types.Replica",
    keys: &["name", "count"],
    numbers: &["count"],
};

const IMAGE: PlainType = PlainType {
    key: "imageTag",
    plugin: "builtins.ImageTagTransformerPlugin",
    list: "[]types.Image",
    entry: "types.Image",
    keys: &["name", "newName", "tagSuffix", "newTag", "digest"],
    numbers: &[],
};

/// A pattern of all plain plugins, for a `match`.
macro_rules! plain_builtins {
    () => {
        $crate::manifest::Builtin::ReplicaCountTransformer
            | $crate::manifest::Builtin::ImageTagTransformer
    };
}
pub(crate) use plain_builtins;

registry! {
    /// One of Kustomize's own plugins.
    pub enum Builtin of BuiltinRow {
        ConfigMapGenerator => generator(
            "ConfigMapGenerator",
            &["namespace", "name", "behavior", "literals", "files", "envs", "env", "options"],
        ),
        SecretGenerator => generator(
            "SecretGenerator",
            &["namespace", "name", "behavior", "literals", "files", "envs", "env", "options", "type"],
        ),
        HelmChartInflationGenerator => generator("HelmChartInflationGenerator", &[
            "chartHome", "configHome", "name", "version", "repo", "releaseName", "namespace", "nameTemplate",
            "valuesFile", "additionalValuesFiles", "valuesInline", "valuesMerge", "includeCRDs", "skipHooks",
            "skipTests", "apiVersions", "kubeVersion", "debug", "devel",
        ]),
        /// Configured only as a plugin: no field of a kustomization file uses it.
        IamPolicyGenerator => generator("IAMPolicyGenerator", &["cloud", "kubernetesService", "serviceAccount"]),
        AnnotationsTransformer => transformer(
            "AnnotationsTransformer",
            &["annotations", "fieldSpecs", "fieldSpecStrategy"],
        ).on(SpecList::CommonAnnotations),
        /// Adds hash suffixes to the names of generated resources, in the final steps of the build.
        HashTransformer => transformer("HashTransformer", &[]),
        ImageTagTransformer => transformer(
            "ImageTagTransformer",
            &["imageTag", "fieldSpecs", "fieldSpecStrategy"],
        ).on(SpecList::Images).plain(IMAGE),
        LabelTransformer => transformer("LabelTransformer", &[
            "labels", "fieldSpecs", "fieldSpecStrategy", "includeSelectors", "includeTemplates",
            "includeVolumeClaimTemplates",
        ]).on(SpecList::CommonLabels),
        NamespaceTransformer => transformer(
            "NamespaceTransformer",
            &["fieldSpecs", "fieldSpecStrategy", "unsetOnly", "setRoleBindingSubjects"],
        ).on(SpecList::Namespace),
        PatchJson6902Transformer => transformer("PatchJson6902Transformer", &["target", "path", "jsonOp"]),
        PatchStrategicMergeTransformer => transformer("PatchStrategicMergeTransformer", &["paths", "patches"]),
        PatchTransformer => transformer("PatchTransformer", &["path", "patch", "target", "options"]),
        /// Combines `PrefixTransformer` and `SuffixTransformer`, which replaced it.
        PrefixSuffixTransformer => transformer("PrefixSuffixTransformer", AFFIX_FIELDS).on(SpecList::NamePrefix),
        PrefixTransformer => transformer("PrefixTransformer", AFFIX_FIELDS).on(SpecList::NamePrefix),
        ReplacementTransformer => transformer("ReplacementTransformer", &["replacements"]),
        ReplicaCountTransformer => transformer(
            "ReplicaCountTransformer",
            &["replica", "fieldSpecs", "fieldSpecStrategy"],
        ).on(SpecList::Replicas).plain(REPLICA),
        SuffixTransformer => transformer("SuffixTransformer", AFFIX_FIELDS).on(SpecList::NameSuffix),
        /// Configured only as a plugin: no field of a kustomization file uses it.
        ValueAddTransformer => transformer("ValueAddTransformer", &["value", "targets", "targetFilePath"]),
        /// The entry of a Composition that loads resources.
        ResourceAccumulator => BuiltinRow {
            role: PluginRole::Accumulator,
            ..generator("ResourceAccumulator", &["paths"])
        },
    }
}

impl Builtin {
    /// The kind, which is also Kustomize's name for the plugin.
    pub const fn kind(self) -> &'static str {
        self.row().kind
    }

    /// The role of the plugin.
    pub const fn role(self) -> PluginRole {
        self.row().role
    }

    /// The plugin of a kind. Kustomize: `SortOrderTransformer` cannot be loaded as a plugin.
    pub fn from_kind(kind: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|builtin| builtin.kind() == kind)
    }

    /// The fields of the configuration besides `apiVersion`, `kind` and `metadata`.
    pub const fn fields(self) -> &'static [&'static str] {
        self.row().fields
    }

    /// The list of its default field specs (D-A22).
    pub const fn specs(self) -> Option<SpecList> {
        self.row().specs
    }

    /// The keys of the configuration of a plain transformer; `None` for any other plugin.
    pub const fn plain(self) -> Option<&'static PlainType> {
        self.row().plain.as_ref()
    }
}

struct ListRow {
    key: &'static str,
    title: &'static str,
}

const fn list(key: &'static str, title: &'static str) -> ListRow {
    ListRow { key, title }
}

registry! {
    /// A list of field specs (Kustomize: the fields of `builtinconfig.TransformerConfig`,
    /// `nameReference` excepted), in the order of merging.
    pub enum SpecList of ListRow {
        NamePrefix => list("namePrefix", "NamePrefix fieldSpec"),
        NameSuffix => list("nameSuffix", "NameSuffix fieldSpec"),
        Namespace => list("namespace", "NameSpace fieldSpec"),
        CommonAnnotations => list("commonAnnotations", "CommonAnnotations fieldSpec"),
        CommonLabels => list("commonLabels", "CommonLabels fieldSpec"),
        Labels => list("labels", "Labels fieldSpec"),
        TemplateLabels => list("templateLabels", "TemplateLabels fieldSpec"),
        VolumeClaimTemplateLabels => list("volumeClaimTemplateLabels", "VolumeClaimTemplateLabels fieldSpec"),
        VarReference => list("varReference", "VarReference fieldSpec"),
        Images => list("images", "Images fieldSpec"),
        Replicas => list("replicas", "Replicas fieldSpec"),
    }
}

impl SpecList {
    /// The key of the list in a `configurations` file.
    pub const fn key(self) -> &'static str {
        self.row().key
    }

    /// Kustomize's name for the list in a conflict between two specs.
    pub(in crate::manifest) const fn title(self) -> &'static str {
        self.row().title
    }

    pub(in crate::manifest) fn from_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|list| list.key() == key)
    }
}
