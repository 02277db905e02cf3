//! Kustomize's own plugins (`apiVersion: builtin`), and the field spec lists of a `configurations`
//! file.

use super::registry;

/// Whether a plugin makes, changes or accumulates resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginRole {
    Generator,
    Transformer,
    /// Loads resources; exists in Compositions alone (section A.11).
    Accumulator,
}

/// How Kustomize sees that a validator wrote a value over an equal one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EqualWrite {
    /// It puts the node itself in place, and Kustomize does not see the write.
    Unseen,
    /// The value that was there had a place in a file, and has none now.
    ByPlace,
    /// Wherever it writes what is there already.
    Everywhere,
}

struct BuiltinRow {
    kind: &'static str,
    role: PluginRole,
    /// Its fields besides `apiVersion`, `kind` and `metadata`.
    fields: &'static [&'static str],
    /// Its default field specs in a Composition (D-A22).
    specs: Option<SpecList>,
    equal_write: EqualWrite,
    /// The type of its configuration, if that is plain.
    plain: Option<PlainType>,
}

/// The configuration of a plain transformer, in the entries of its field or of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainType {
    /// The field of the plugin's configuration that contains it.
    pub key: &'static str,
    pub plugin: &'static str,
    pub list: &'static str,
    pub entry: PlainStruct,
}

/// A mapping with known keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainStruct {
    pub name: &'static str,
    pub keys: &'static [&'static str],
    /// The types of the keys that are not texts.
    pub holds: &'static [(&'static str, ValueType)],
}

impl PlainStruct {
    /// The type of a key's value.
    pub(in crate::manifest) fn holds(&self, key: &str) -> ValueType {
        let other = self.holds.iter().find(|(name, _)| *name == key);
        other.map_or(ValueType::Text, |(_, holds)| *holds)
    }
}

/// The type of a value in such a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    Text,
    Number,
    Flag,
    Texts,
    Pairs,
    Selector,
    /// A list of field specs.
    FieldSpecs,
    Mapping(&'static PlainStruct),
    /// A list of mappings: its Go type, and an element.
    List(&'static str, &'static PlainStruct),
}

const fn generator(kind: &'static str, fields: &'static [&'static str]) -> BuiltinRow {
    BuiltinRow {
        kind,
        role: PluginRole::Generator,
        fields,
        specs: None,
        equal_write: EqualWrite::Everywhere,
        plain: None,
    }
}

const fn transformer(kind: &'static str, fields: &'static [&'static str]) -> BuiltinRow {
    BuiltinRow { role: PluginRole::Transformer, ..generator(kind, fields) }
}

impl BuiltinRow {
    const fn on(self, specs: SpecList) -> Self {
        Self { specs: Some(specs), ..self }
    }

    const fn seen(self, equal_write: EqualWrite) -> Self {
        Self { equal_write, ..self }
    }

    const fn plain(self, plain: PlainType) -> Self {
        Self { plain: Some(plain), ..self }
    }
}

const AFFIX: &[&str] = &["prefix", "suffix", "fieldSpecs", "fieldSpecStrategy"];

const REPLICA: PlainType = PlainType {
    key: "replica",
    plugin: "builtins.ReplicaCountTransformerPlugin",
    list: "[]types.Replica",
    entry: PlainStruct {
        name: "types.Replica",
        keys: &["name", "count"],
        holds: &[("count", ValueType::Number)],
    },
};

const IMAGE: PlainType = PlainType {
    key: "imageTag",
    plugin: "builtins.ImageTagTransformerPlugin",
    list: "[]types.Image",
    entry: PlainStruct {
        name: "types.Image",
        keys: &["name", "newName", "tagSuffix", "newTag", "digest"],
        holds: &[],
    },
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
        /// `configMapGenerator`
        ConfigMapGenerator => generator(
            "ConfigMapGenerator",
            &["name", "namespace", "behavior", "literals", "files", "envs", "env", "options"],
        ),
        /// `secretGenerator`
        SecretGenerator => generator(
            "SecretGenerator",
            &["name", "namespace", "behavior", "literals", "files", "envs", "env", "options", "type"],
        ),
        /// `helmCharts`
        HelmChartInflationGenerator => generator("HelmChartInflationGenerator", &[
            "chartHome", "configHome", "name", "version", "repo", "releaseName", "namespace", "nameTemplate",
            "valuesFile", "additionalValuesFiles", "valuesInline", "valuesMerge", "includeCRDs", "skipHooks",
            "skipTests", "apiVersions", "kubeVersion", "debug", "devel",
        ]),
        /// Has no field of a kustomization file.
        IamPolicyGenerator => generator("IAMPolicyGenerator", &["cloud", "kubernetesService", "serviceAccount"]),
        /// `commonAnnotations`
        AnnotationsTransformer => transformer(
            "AnnotationsTransformer",
            &["annotations", "fieldSpecs", "fieldSpecStrategy"],
        ).on(SpecList::CommonAnnotations).seen(EqualWrite::ByPlace),
        /// The hash suffix for names of generated resources, at the root.
        HashTransformer => transformer("HashTransformer", &[]),
        ImageTagTransformer => transformer(
            "ImageTagTransformer",
            &["imageTag", "fieldSpecs", "fieldSpecStrategy"],
        ).on(SpecList::Images).plain(IMAGE),
        /// `labels` and `commonLabels`
        LabelTransformer => transformer("LabelTransformer", &[
            "labels", "fieldSpecs", "fieldSpecStrategy", "includeSelectors", "includeTemplates",
            "includeVolumeClaimTemplates",
        ]).on(SpecList::CommonLabels).seen(EqualWrite::ByPlace),
        NamespaceTransformer => transformer(
            "NamespaceTransformer",
            &["fieldSpecs", "fieldSpecStrategy", "unsetOnly", "setRoleBindingSubjects"],
        ).on(SpecList::Namespace),
        /// `patchesJson6902`
        PatchJson6902Transformer => transformer("PatchJson6902Transformer", &["target", "path", "jsonOp"]),
        /// `patchesStrategicMerge`
        PatchStrategicMergeTransformer => transformer("PatchStrategicMergeTransformer", &["paths", "patches"]),
        /// `patches`
        PatchTransformer => transformer("PatchTransformer", &["path", "patch", "target", "options"]),
        /// The one before it was taken apart.
        PrefixSuffixTransformer => transformer("PrefixSuffixTransformer", AFFIX).on(SpecList::NamePrefix),
        /// `namePrefix`
        PrefixTransformer => transformer("PrefixTransformer", AFFIX).on(SpecList::NamePrefix),
        ReplacementTransformer => transformer("ReplacementTransformer", &["replacements"])
            .seen(EqualWrite::Unseen),
        ReplicaCountTransformer => transformer(
            "ReplicaCountTransformer",
            &["replica", "fieldSpecs", "fieldSpecStrategy"],
        ).on(SpecList::Replicas).seen(EqualWrite::ByPlace).plain(REPLICA),
        /// `nameSuffix`
        SuffixTransformer => transformer("SuffixTransformer", AFFIX).on(SpecList::NameSuffix),
        /// Has no field of a kustomization file.
        ValueAddTransformer => transformer("ValueAddTransformer", &["value", "targets", "targetFilePath"]),
        /// The entry of a Composition that loads resources.
        ResourceAccumulator => BuiltinRow {
            role: PluginRole::Accumulator,
            ..generator("ResourceAccumulator", &["paths"])
        },
    }
}

impl Builtin {
    /// Its kind, which is also its name in Kustomize.
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

    /// Its fields besides `apiVersion`, `kind` and `metadata`.
    pub const fn fields(self) -> &'static [&'static str] {
        self.row().fields
    }

    /// Its default list of field specs (D-A22).
    pub const fn specs(self) -> Option<SpecList> {
        self.row().specs
    }

    /// How Kustomize detects that it, as a validator, wrote a value over an equal one.
    pub const fn equal_write(self) -> EqualWrite {
        self.row().equal_write
    }

    /// The type of a plain transformer's configuration; `None` for any other plugin.
    pub const fn plain(self) -> Option<&'static PlainType> {
        self.row().plain.as_ref()
    }

    /// True for plugins that apply patches; their nodes have places in a text in Kustomize.
    pub const fn patches(self) -> bool {
        matches!(
            self,
            Self::PatchTransformer
                | Self::PatchJson6902Transformer
                | Self::PatchStrategicMergeTransformer
        )
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
        /// `namePrefix`
        NamePrefix => list("namePrefix", "NamePrefix fieldSpec"),
        /// `nameSuffix`
        NameSuffix => list("nameSuffix", "NameSuffix fieldSpec"),
        Namespace => list("namespace", "NameSpace fieldSpec"),
        /// `commonAnnotations`
        CommonAnnotations => list("commonAnnotations", "CommonAnnotations fieldSpec"),
        /// `commonLabels`
        CommonLabels => list("commonLabels", "CommonLabels fieldSpec"),
        Labels => list("labels", "Labels fieldSpec"),
        /// `templateLabels`
        TemplateLabels => list("templateLabels", "TemplateLabels fieldSpec"),
        /// `volumeClaimTemplateLabels`
        VolumeClaimTemplateLabels => list("volumeClaimTemplateLabels", "VolumeClaimTemplateLabels fieldSpec"),
        /// `varReference`
        VarReference => list("varReference", "VarReference fieldSpec"),
        Images => list("images", "Images fieldSpec"),
        Replicas => list("replicas", "Replicas fieldSpec"),
    }
}

impl SpecList {
    /// Its key in a `configurations` file.
    pub const fn key(self) -> &'static str {
        self.row().key
    }

    /// Kustomize's name for the list in a conflict between two specs.
    pub(in crate::manifest) const fn title(self) -> &'static str {
        self.row().title
    }

    /// The list for a key.
    pub(in crate::manifest) fn from_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|list| list.key() == key)
    }
}
