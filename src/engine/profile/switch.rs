//! Differences of releases from the master branch, one switch each.

use super::{EMBEDDERS, Embedder, RELEASES};

/// A difference of some releases from the master branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Switch {
    /// `includeTemplates` labels volume claim templates too.
    TemplatesIncludeClaims,
    /// A digest in an image is recognized only if it is a SHA-256 digest.
    OnlySha256,
    /// Validating admission policies are treated as namespaced.
    NamespacedPolicies,
    /// An image name that is not a valid regular expression fails the build.
    BadImageNameFails,
    /// The option `delimiter` of a replacement is ignored within structured data.
    DelimiterIgnored,
    /// Two dots within a segment of a path, as in `a..b`, are accepted.
    DotsInsideParts,
    /// With `images` set, a volume that is a string fails the build.
    StringVolumesFail,
    /// Helm 4 is refused.
    OnlyHelm3,
    /// A kustomization without `namespace` inherits the namespace of the enclosing one.
    NamespaceHandedDown,
    /// Charts are rendered without the namespace, which is set afterwards.
    NamespaceOverCharts,
    /// The selectors of replacement targets are compared literally, not as regular expressions.
    LiteralSelectors,
    /// Replacements cannot write into structured data within a scalar.
    NoStructuredData,
    /// Unknown options of patches are accepted.
    AnyPatchOption,
    /// A patch without content fails if it has no target.
    EmptyPatchNeedsTarget,
    /// A patch without content fails.
    EmptyPatchFails,
    /// The field `sourceValue` of a replacement is unknown.
    NoSourceValue,
    /// The field `devel` of a chart is unknown.
    NoDevel,
    /// `images` does not reach image volumes.
    NoImageVolumes,
    /// An entry of `patches` with several documents crashes the build if a document before the last
    /// one deletes its resource.
    DeletesFail,
    /// The managed-by label of an embedded Kustomize contains `(devel)` instead of a version.
    UnknownOwnVersion,
    /// Namespaces of other groups may precede those of the core group.
    NamespacesByName,
    /// An object whose kind ends in `List` and that has no `items` is dropped.
    ListsNeedItems,
    /// A `ValidatingAdmissionPolicyBinding` does not get the new name of its renamed policy.
    NoPolicyReference,
    /// The field `labels` in `configurations` is unknown.
    NoLabelsConfiguration,
    /// Unknown keys in `configurations` are accepted.
    LenientConfigurations,
    /// A reference to one of several objects with equal names is not updated if only one of the two
    /// has a prefix.
    ExactPrefixes,
    /// An explicit null becomes the string "null" after two strategic merge patches of its object.
    NullBecomesText,
    /// `commonLabels` is not deprecated.
    SilentCommonLabels,
    /// An entry of `patches` contains one document.
    OnePatchPerEntry,
    /// `reject` of a replacement is compared only with the id that `select` matched, not with all
    /// ids of the object.
    RejectOneId,
    /// A key that a patch adds loses its quotes.
    KeysLoseQuotes,
    /// Components run before the generators of the kustomization that lists them.
    ComponentsFirst,
    /// An empty kustomization is accepted.
    EmptyKustomization,
    /// A literal whose value is a single quotation mark fails.
    LoneQuoteFails,
    /// `namespace` also renames objects of kind `Namespace` in other groups.
    ForeignNamespaces,
    /// A write to one alias of a scalar shows at its other aliases.
    AliasesShared,
    /// Chart values are merged like Go maps instead of as a patch.
    ValuesFilledUp,
    /// A null among the inline values of a chart has no effect.
    NullValuesIgnored,
    /// `replace` and `copy` of a JSON patch fail on fields that are not there.
    StrictOperations,
    /// A replacement of a missing target field has no effect.
    MissingTargetsIgnored,
    /// A replacement creates no fields along a path with `*`.
    WildcardsCreateNothing,
    /// Local configuration is dropped at the end of each kustomization.
    LocalConfigDroppedEarly,
    /// A strategic merge patch drops the explicit nulls of its object.
    NullsDropped,
    /// `includeTemplates` adds labels only to existing labels in `spec.template`.
    TemplatesNotCreated,
    /// An overlay with `behavior: merge` cannot switch off the name hash of the base's generator.
    HashKept,
    /// `patches` may be a list of files.
    PatchesOfFiles,
    /// `inventory` is accepted.
    InventoryField,
    /// The field `sortOptions` is unknown.
    NoSortOptions,
    /// The chart options that v5.0.0 added are unknown fields.
    FewerChartOptions,
    /// Deprecated fields and the prefix `git::` cause no warning.
    SilentDeprecations,
    /// Where the version is not known, the managed-by label is `kustomize-unknown`.
    VersionUnknown,
    /// Flux: a variable without a value and without a default fails the build.
    StrictSubstitution,
    /// Flux: files outside the folder of a kustomization are read, and helm is never run.
    FilesOfRepository,
    /// Argo CD: charts are rendered by helm 3.
    ControllerHelm3,
    /// Argo CD: charts are rendered by helm 4.
    ControllerHelm4,
}

impl Switch {
    pub(super) const fn bit(self) -> u64 {
        1 << self as u8
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct SwitchRow {
    pub switch: Switch,
    pub name: &'static str,
    /// The behaviour with the switch on.
    pub does: &'static str,
    /// The behaviour with the switch off.
    pub instead: &'static str,
    /// The first release with the behaviour; `None` if all releases before `until` have it.
    pub since: Option<&'static str>,
    /// The first release without the behaviour; `None` if only the master branch is without it.
    pub until: Option<&'static str>,
    /// The commit in Kustomize's repository that ended the behaviour.
    pub commit: &'static str,
    /// An example in a few lines of a kustomization.
    pub example: &'static str,
    pub advice: &'static str,
    pub evidence: Evidence,
    /// The program, if the behaviour is that of a program that embeds Kustomize: `since` and
    /// `until` are then versions of the program.
    pub program: Option<EmbeddingProgram>,
}

/// A program that embeds Kustomize and differs from it.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddingProgram {
    /// The name of the program in the table [`EMBEDDERS`].
    pub name: &'static str,
    /// True if the switch is also on in the profiles of Kustomize and of other programs.
    pub is_on_elsewhere: bool,
}

/// How the behaviour of a row was determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Releases with and without the behaviour were run.
    Run,
    /// The source code of the releases was read.
    Source,
}

impl SwitchRow {
    pub(super) const fn new(
        switch: Switch,
        name: &'static str,
        does: &'static str,
        instead: &'static str,
    ) -> Self {
        let (commit, example, advice) = ("", "", "");
        let (since, until, evidence) = (None, None, Evidence::Run);
        let program = None;
        Self {
            switch,
            name,
            does,
            instead,
            since,
            until,
            commit,
            example,
            advice,
            evidence,
            program,
        }
    }

    pub(super) const fn begun(self, since: &'static str) -> Self {
        Self { since: Some(since), ..self }
    }

    pub(super) const fn ended(self, until: &'static str, commit: &'static str) -> Self {
        Self { until: Some(until), commit, ..self }
    }

    pub(super) const fn on_master(self, commit: &'static str) -> Self {
        Self { commit, ..self }
    }

    pub(super) const fn shown(self, example: &'static str, advice: &'static str) -> Self {
        Self { example, advice, ..self }
    }

    pub(super) const fn only_read(self) -> Self {
        Self { evidence: Evidence::Source, ..self }
    }

    /// Marks the behaviour as that of a program, from a version of that program on.
    pub(super) const fn of_program(
        self,
        name: &'static str,
        since: Option<&'static str>,
        is_on_elsewhere: bool,
    ) -> Self {
        let program = Some(EmbeddingProgram { name, is_on_elsewhere });
        Self { since, program, evidence: Evidence::Source, ..self }
    }

    /// True if the switch is on in the profile of the release at this index, or of a program that
    /// embeds it.
    pub(super) fn is_on_in(&self, release: usize, embedder: Option<&str>) -> bool {
        let between = |own: usize, place: &dyn Fn(&str) -> Option<usize>| {
            self.since.and_then(place).is_none_or(|since| own >= since)
                && self.until.and_then(place).is_none_or(|until| own < until)
        };
        let Some(program) = self.program else {
            return between(release, &|version| {
                RELEASES.iter().position(|release| release.version == version)
            });
        };
        let own = embedder.and_then(Embedder::position);
        match own.filter(|own| EMBEDDERS[*own].program() == program.name) {
            Some(own) => between(own, &Embedder::position),
            None => program.is_on_elsewhere,
        }
    }
}
