//! The fields of a kustomization file.

use super::{Builtin, registry};

/// The shape of a field's value, for telling prose comments from commented-out entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::manifest) enum FieldShape {
    /// A list of paths, URLs, names or inline texts.
    Paths,
    /// A list of mappings with these keys.
    Mappings(&'static [&'static str]),
    /// A list of paths or of inline configurations (Compositions).
    PathsOrMappings(&'static [&'static str]),
    Word,
    Mapping,
}

struct FieldRow {
    name: &'static str,
    /// `None` for fields that are never commented out: `# kind: …` is prose.
    shape: Option<FieldShape>,
    builtin: Option<Builtin>,
    instead: Option<&'static str>,
    writes: bool,
    is_final: bool,
    is_moved: bool,
}

const fn field(name: &'static str, shape: FieldShape) -> FieldRow {
    FieldRow {
        name,
        shape: Some(shape),
        builtin: None,
        instead: None,
        writes: false,
        is_final: false,
        is_moved: false,
    }
}

/// A field with a list of entries that have the fields of a plugin's configuration.
const fn of_builtin(name: &'static str, builtin: Builtin) -> FieldRow {
    field(name, Mappings(builtin.fields())).with_builtin(builtin)
}

/// A field with a list of entries of a plain transformer.
const fn plain(name: &'static str, builtin: Builtin) -> FieldRow {
    let shape = match builtin.plain() {
        Some(plain) => FieldShape::Mappings(plain.keys),
        None => FieldShape::Mappings(&[]),
    };
    field(name, shape).with_builtin(builtin)
}

impl FieldRow {
    const fn with_builtin(self, builtin: Builtin) -> Self {
        Self { builtin: Some(builtin), ..self }
    }

    const fn instead(self, instead: &'static str) -> Self {
        Self { instead: Some(instead), ..self }
    }

    const fn writes(self) -> Self {
        Self { writes: true, ..self }
    }

    const fn for_good(self) -> Self {
        Self { is_final: true, ..self.writes() }
    }

    const fn moved(self) -> Self {
        Self { is_moved: true, ..self }
    }

    const fn never_off(self) -> Self {
        Self { shape: None, ..self }
    }
}

/// A key that every entry of a Composition has.
pub(in crate::manifest) const CONFIG: &[&str] = &["kind"];
const PATCH_SHAPE: FieldShape = Mappings(Builtin::PatchTransformer.fields());
const OLD_CHART_SHAPE: FieldShape = Mappings(&[
    "chartName",
    "chartRepoUrl",
    "chartVersion",
    "releaseName",
    "values",
    "valuesMerge",
]);
const LABELS_SHAPE: FieldShape =
    FieldShape::Mappings(&["pairs", "includeSelectors", "includeTemplates", "fields"]);

use FieldShape::{Mapping, Mappings, Paths, PathsOrMappings, Word};

/// A pattern of all fields with plain transformers, for a `match`.
macro_rules! plain_fields {
    () => {
        $crate::manifest::KustomizationField::Replicas
            | $crate::manifest::KustomizationField::Images
    };
}
pub(crate) use plain_fields;

/// A pattern of all fields whose transformers have one text, for a `match`.
macro_rules! word_fields {
    () => {
        $crate::manifest::KustomizationField::NamePrefix
            | $crate::manifest::KustomizationField::NameSuffix
            | $crate::manifest::KustomizationField::Namespace
    };
}
pub(crate) use word_fields;

/// A pattern of all fields whose transformers have one mapping of texts, for a `match`.
macro_rules! pairs_fields {
    () => {
        $crate::manifest::KustomizationField::CommonLabels
            | $crate::manifest::KustomizationField::CommonAnnotations
    };
}
pub(crate) use pairs_fields;

registry! {
    /// A field of a kustomization file.
    pub enum KustomizationField of FieldRow {
        ApiVersion => field("apiVersion", Word).never_off(),
        Kind => field("kind", Word).never_off(),
        Metadata => field("metadata", Mapping),
        OpenApi => field("openapi", Mapping),
        NamePrefix => field("namePrefix", Word).with_builtin(Builtin::PrefixTransformer),
        NameSuffix => field("nameSuffix", Word).with_builtin(Builtin::SuffixTransformer),
        Namespace => field("namespace", Word).with_builtin(Builtin::NamespaceTransformer),
        CommonLabels => field("commonLabels", Mapping)
            .with_builtin(Builtin::LabelTransformer)
            .instead("'labels' instead."),
        Labels => field("labels", LABELS_SHAPE).with_builtin(Builtin::LabelTransformer),
        CommonAnnotations => field("commonAnnotations", Mapping).with_builtin(Builtin::AnnotationsTransformer),
        PatchesStrategicMerge => field("patchesStrategicMerge", Paths)
            .with_builtin(Builtin::PatchStrategicMergeTransformer)
            .instead("'patches' instead.")
            .for_good(),
        PatchesJson6902 => field("patchesJson6902", PATCH_SHAPE)
            .with_builtin(Builtin::PatchJson6902Transformer)
            .instead("'patches' instead.")
            .for_good(),
        Patches => of_builtin("patches", Builtin::PatchTransformer).for_good(),
        Images => plain("images", Builtin::ImageTagTransformer).writes(),
        ImageTags => plain("imageTags", Builtin::ImageTagTransformer)
            .instead("'images' instead.")
            .moved(),
        Replacements => field("replacements", Mappings(&["source", "targets", "path"]))
            .with_builtin(Builtin::ReplacementTransformer)
            .writes(),
        Replicas => plain("replicas", Builtin::ReplicaCountTransformer).for_good(),
        Vars => field("vars", Mappings(&["name", "objref", "fieldref"]))
            .instead("'replacements' instead. [EXPERIMENTAL]"),
        SortOptions => field("sortOptions", Mapping),
        Resources => field("resources", Paths),
        Components => field("components", Paths),
        Crds => field("crds", Paths),
        Bases => field("bases", Paths).instead("'resources' instead.").moved(),
        ConfigMapGenerator => of_builtin("configMapGenerator", Builtin::ConfigMapGenerator),
        SecretGenerator => of_builtin("secretGenerator", Builtin::SecretGenerator),
        HelmGlobals => field("helmGlobals", Mapping),
        HelmCharts => of_builtin("helmCharts", Builtin::HelmChartInflationGenerator),
        HelmChartInflationGenerator => field("helmChartInflationGenerator", OLD_CHART_SHAPE)
            .with_builtin(Builtin::HelmChartInflationGenerator)
            .moved(),
        GeneratorOptions => field("generatorOptions", Mapping),
        Configurations => field("configurations", Paths),
        Generators => field("generators", Paths),
        Transformers => field("transformers", PathsOrMappings(CONFIG)),
        Validators => field("validators", Paths),
        BuildMetadata => field("buildMetadata", Paths),
        /// `catalogs`: proposed by KEP-2906; Kustomize does not know this field yet.
        Catalogs => field("catalogs", Mappings(&["name", "url", "path", "ref", "uri"])),
    }
}

impl KustomizationField {
    /// The fields of Kustomize's own transformers, in the order in which they run (section 2.1,
    /// step 5).
    pub const TRANSFORMERS: [Self; 12] = [
        Self::PatchesStrategicMerge,
        Self::Patches,
        Self::Namespace,
        Self::NamePrefix,
        Self::NameSuffix,
        Self::Labels,
        Self::CommonLabels,
        Self::CommonAnnotations,
        Self::PatchesJson6902,
        Self::Replicas,
        Self::Images,
        Self::Replacements,
    ];

    /// The name as written.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The field with this name, which has to be spelled exactly.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.name() == name)
    }

    /// The built-in plugin that the field configures.
    pub const fn builtin(self) -> Option<Builtin> {
        self.row().builtin
    }

    /// The replacement of a deprecated field (section 1.3).
    pub const fn instead(self) -> Option<&'static str> {
        self.row().instead
    }

    /// True if entries of the field write values, so that a completely overridden entry deserves a
    /// warning.
    pub const fn writes(self) -> bool {
        self.row().writes
    }

    /// True if entries of the field write complete values, not parts of them, so that a later entry
    /// overrides an earlier one completely.
    pub const fn writes_for_good(self) -> bool {
        self.row().is_final
    }

    /// True if Kustomize moves the items into another list.
    pub(in crate::manifest) const fn is_moved(self) -> bool {
        self.row().is_moved
    }

    /// The position of the field's transformer in Kustomize's order, from 0. Fields with the same
    /// transformer have the same position.
    pub fn order(self) -> Option<usize> {
        let wanted = self.builtin()?;
        let mut order: Vec<Builtin> =
            Self::TRANSFORMERS.iter().filter_map(|it| it.builtin()).collect();
        order.dedup();
        order.iter().position(|builtin| *builtin == wanted)
    }

    /// The fields that make or change resources, in the order in which Kustomize applies them.
    pub fn in_application_order() -> impl Iterator<Item = Self> {
        let before = [
            Self::Resources,
            Self::Bases,
            Self::ConfigMapGenerator,
            Self::SecretGenerator,
            Self::HelmCharts,
            Self::Generators,
            Self::Components,
        ];
        before.into_iter().chain(Self::TRANSFORMERS).chain([Self::Transformers, Self::Validators])
    }

    pub(in crate::manifest) const fn shape(self) -> Option<FieldShape> {
        self.row().shape
    }
}

impl From<KustomizationField> for &'static str {
    fn from(field: KustomizationField) -> Self {
        field.name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::PluginRole;

    #[test]
    fn transformer_fields_have_an_application_order() {
        let orders: Vec<_> =
            KustomizationField::TRANSFORMERS.iter().map(|field| field.order()).collect();
        assert_eq!(orders, [0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10].map(Some));
        assert_eq!(KustomizationField::ImageTags.order(), KustomizationField::Images.order());
        for field in KustomizationField::ALL {
            let transforms = field.builtin().is_some_and(|it| it.role() == PluginRole::Transformer);
            assert_eq!(field.order().is_some(), transforms, "{field:?}");
        }
    }

    #[test]
    fn plain_fields_are_those_of_plain_plugins() {
        for field in KustomizationField::ALL {
            let is_plain = field.builtin().is_some_and(|builtin| builtin.plain().is_some());
            let is_listed = matches!(field, plain_fields!());
            assert_eq!(is_plain && !field.is_moved(), is_listed, "{field:?}");
        }
    }

    #[test]
    fn single_value_fields_are_those_of_transformers() {
        for field in KustomizationField::ALL {
            let of = |shape| field.builtin().is_some() && field.shape() == Some(shape);
            assert_eq!(of(Word), matches!(field, word_fields!()), "{field:?}");
            assert_eq!(of(Mapping), matches!(field, pairs_fields!()), "{field:?}");
        }
    }
}
