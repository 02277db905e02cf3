//! Differences of releases from the master branch, one switch each.

use super::RELEASES;

/// A difference of some releases from the master branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Switch {
    /// Flux replaces a variable without value and default by an empty text.
    StrictSubstitution,
    /// `includeTemplates` labels volume claim templates too.
    TemplatesIncludeClaims,
    /// Only digests of sha256 are known.
    OnlySha256,
    /// Admission policies count as namespaced.
    NamespacedPolicies,
    /// An image name that is no valid expression fails the build.
    BadImageNameFails,
    /// Delimiters do not count inside structured data.
    DelimiterIgnored,
    /// Two dots inside a part of a path are accepted.
    DotsInsideParts,
    /// A volume that is a string fails if `images` is set.
    VolumeWordsFail,
    /// Helm 4 is refused.
    OnlyHelm3,
    /// A kustomization without a namespace gets that of the one above.
    NamespaceHandedDown,
    /// Charts are rendered without the namespace, which is set afterwards.
    NamespaceOverCharts,
    /// Targets of replacements are compared literally.
    LiteralSelectors,
    /// Replacements do not reach into scalars.
    NoStructuredData,
    /// Unknown options of patches are accepted.
    AnyPatchOption,
    /// A patch without a text fails when it has no target.
    EmptyPatchNeedsTarget,
    /// A patch without a text fails.
    EmptyPatchFails,
    /// `sourceValue` is not known.
    NoSourceValue,
    /// `devel` is not known.
    NoDevel,
    /// `images` does not reach image volumes.
    NoImageVolumes,
    DeletesFail,
    /// The managed-by label has no version.
    UnknownOwnVersion,
    /// Namespaces of other groups may precede those of the core group.
    NamespacesByName,
    /// A kind that ends in `List` and has no items is dropped.
    ListsNeedItems,
    /// A binding does not follow the name of its policy.
    NoPolicyReference,
    /// `labels` in `configurations` is not known.
    NoLabelsConfiguration,
    /// Unknown keys in `configurations` are accepted.
    LenientConfigurations,
    ExactPrefixes,
    /// A null that two patches go past becomes a text.
    NullBecomesText,
    /// `commonLabels` is not deprecated.
    SilentCommonLabels,
    /// An entry of `patches` contains one document.
    OnePatchPerEntry,
    /// A reject counts for the id that was selected.
    RejectOneId,
    /// A key that a patch adds loses its quotes.
    KeysLoseQuotes,
    /// Components run before the generators of the kustomization that lists them.
    ComponentsFirst,
    /// An empty kustomization is accepted.
    EmptyKustomization,
    /// A literal of one quote fails.
    LoneQuoteFails,
    /// `namespace` also renames objects of kind `Namespace` in other groups.
    ForeignNamespaces,
    /// A write to one alias of a scalar shows at its other aliases.
    AliasesShared,
    /// Values of charts are filled up as Go maps.
    ValuesFilledUp,
    /// A null among the inline values of a chart has no effect.
    NullValuesIgnored,
    /// `replace` and `copy` of a JSON patch fail on fields that are not there.
    StrictOperations,
}

impl Switch {
    pub(super) const fn bit(self) -> u64 {
        1 << self as u8
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub switch: Switch,
    pub name: &'static str,
    /// The behaviour with the switch on.
    pub does: &'static str,
    /// The behaviour with the switch off.
    pub instead: &'static str,
    /// The first release with it; none if all before `until` have it.
    pub since: Option<&'static str>,
    /// The first release without it; none if only the master branch is without it.
    pub until: Option<&'static str>,
    /// The programs with it, if it is a rule of a controller and not of Kustomize.
    pub programs: &'static [&'static str],
    /// The commit of Kustomize's repository that ended it.
    pub commit: &'static str,
    /// An example in a few lines of a kustomization.
    pub example: &'static str,
    pub advice: &'static str,
    pub evidence: Evidence,
}

/// The evidence for a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Releases with and without it were run.
    Run,
    /// The source code of the releases was read.
    Source,
}

impl Row {
    pub(super) const fn new(
        switch: Switch,
        name: &'static str,
        does: &'static str,
        instead: &'static str,
    ) -> Self {
        let (commit, example, advice) = ("", "", "");
        let (since, until, evidence) = (None, None, Evidence::Run);
        let programs = &[];
        Self {
            switch,
            name,
            does,
            instead,
            since,
            until,
            programs,
            commit,
            example,
            advice,
            evidence,
        }
    }

    pub(super) const fn of_programs(self, programs: &'static [&'static str]) -> Self {
        Self { programs, ..self }
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

    /// True if the release at this index has it.
    pub(super) fn is_on_in(&self, release: usize) -> bool {
        let place = |version| RELEASES.iter().position(|release| release.version == version);
        self.programs.is_empty()
            && self.since.and_then(place).is_none_or(|since| release >= since)
            && self.until.and_then(place).is_none_or(|until| release < until)
    }
}
