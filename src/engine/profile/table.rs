//! Differences of releases from the master branch: one switch each, the newest first.

use super::release::KUBECTL_1_28_COMMIT;
use super::{EMBEDDERS, Embedder, RELEASES};

/// Defines the switches and the table of their rows. After the two texts, a row has the builder
/// methods of [`SwitchRow`].
macro_rules! switches {
    ($($switch:ident $name:literal {
        does: $does:literal,
        instead: $instead:literal,
        $($property:ident $values:tt)*
    })*) => {
        /// A difference of some releases from the master branch. Its row describes it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Switch {
            $($switch,)*
        }

        /// The table of switches, one row each.
        pub const SWITCHES: &[SwitchRow] = &[
            $(SwitchRow::new(Switch::$switch, $name, $does, $instead)$(.$property $values)*,)*
        ];
    };
}

switches! {
    TemplatesIncludeClaims "templates-include-claims" {
        does: "`includeTemplates` of `labels` labels the volume claim templates of a StatefulSet too, and `includeVolumeClaimTemplates` does not exist",
        instead: "volume claim templates are labelled with `includeVolumeClaimTemplates` only",
        on_master("80f63ae0c")
        shown("labels: [{pairs: {a: b}, includeTemplates: true}]", "volumeClaimTemplates cannot be changed in place: name the labelled fields with `fields`, or recreate the StatefulSet")
    }
    OnlySha256 "only-sha256" {
        does: "`images` does not find an image with a digest other than sha256",
        instead: "`images` finds an image with a digest of any algorithm",
        on_master("9f89960cf")
        shown("images: [{name: nginx, newTag: v2}]   # image: nginx@sha512:…", "write the image without its digest in the base")
    }
    NamespacedPolicies "namespaced-policies" {
        does: "ValidatingAdmissionPolicy and ValidatingAdmissionPolicyBinding get a namespace, although they are cluster-scoped",
        instead: "ValidatingAdmissionPolicy and ValidatingAdmissionPolicyBinding get no namespace",
        on_master("fcef996b1")
        shown("namespace: prod   # resources: a ValidatingAdmissionPolicy", "build these objects in a kustomization without `namespace`")
    }
    BadImageNameFails "bad-image-name-fails" {
        does: "a name under `images` that is not a valid regular expression crashes the build",
        instead: "a name under `images` that is not a valid regular expression matches no image",
        on_master("d32ba3f38")
        shown("images: [{name: \"ngi(nx\", newTag: v2}]", "write the name without characters of regular expressions")
    }
    DelimiterIgnored "delimiter-ignored" {
        does: "`delimiter` and `index` of a replacement have no effect inside JSON or YAML in a scalar: the whole value is replaced",
        instead: "`delimiter` and `index` of a replacement select the replaced part inside JSON or YAML in a scalar",
        on_master("194aac685")
        shown("options: {delimiter: \":\", index: 1}   # fieldPaths: [data.config.host]", "give the replacement the whole value")
    }
    DotsInsideParts "dots-inside-parts" {
        does: "a path to a directory may have two dots inside a part (`base - ../x`), and leads to a directory that the text does not show",
        instead: "a path to a directory with two dots inside a part is refused",
        on_master("29bf16c67")
        shown("resources: [\"a..b\"]", "correct the indentation of the list, or rename the directory")
        only_read()
    }
    StringVolumesFail "volume-words-fail" {
        does: "`images` fails on an object with strings in `spec.volumes`, such as a PodSecurityPolicy",
        instead: "`images` does not change an object with strings in `spec.volumes`; on the master branch Kustomize still fails, and kzui builds it",
        begun("v5.7.0")
        on_master("32e8251")
        shown("images: [{name: nginx, newTag: v2}]   # resources: a PodSecurityPolicy", "move the PodSecurityPolicy into a kustomization without `images`")
    }
    OnlyHelm3 "only-helm-3" {
        does: "helm 4 is refused",
        instead: "helm 3 and 4 are accepted",
        ended("v5.8.1", "54848c104")
        shown("helmCharts: [{name: app}]   # with helm 4", "install helm 3, or build with 5.8.1")
    }
    NamespaceHandedDown "namespace-handed-down" {
        does: "a kustomization without `namespace` gets that of the kustomization that lists it, before its own patches run",
        instead: "a kustomization without `namespace` has no namespace when its own patches run",
        begun("v5.8.0")
        ended("v5.8.1", "4e75138d2")
        shown("namespace: prod   # resources: [base], with patches that name no namespace", "skip 5.8.0")
        only_read()
    }
    NamespaceOverCharts "namespace-over-charts" {
        does: "helm charts are rendered without the kustomization's namespace, and `namespace` is set on their objects",
        instead: "charts are rendered for the namespace, and `namespace` is not set on their objects",
        ended("v5.8.0", "1c0f1bf5a")
        shown("namespace: prod   # and helmCharts", "give the chart its `namespace`, or patch the objects that lack one")
    }
    LiteralSelectors "literal-selectors" {
        does: "`select` and `reject` of replacements compare names literally, and an object without a namespace is in `default`",
        instead: "`select` and `reject` of replacements compare names as regular expressions, and an object without a namespace is in no namespace",
        ended("v5.8.0", "7c04cbb23")
        shown("select: {kind: ConfigMap, namespace: default}", "leave `namespace: default` out, and escape dots in names")
    }
    NoStructuredData "no-structured-data" {
        does: "a replacement's path that leads into JSON or YAML inside a scalar fails",
        instead: "a replacement replaces the value inside JSON or YAML in a scalar; its path goes through strings and nulls, and values that it creates below a null are lost",
        ended("v5.8.0", "bbe53c2")
        shown("fieldPaths: [\"data.config\\\\.json.host\"]", "build with 5.8 or newer")
    }
    AnyPatchOption "any-patch-option" {
        does: "unknown `options` of a patch are accepted",
        instead: "unknown `options` of a patch are refused",
        ended("v5.8.0", "9043c223d")
        shown("patches: [{path: p.yaml, options: {allowNameChanges: true}}]", "write `allowNameChange` or `allowKindChange`")
    }
    EmptyPatchNeedsTarget "empty-patch-needs-target" {
        does: "a patch of comments or `[]` fails unless it has a target",
        instead: "a patch of comments or `[]` has no effect",
        ended("v5.8.1", "24ea1b951")
        shown("patches: [{path: p.yaml}]   # p.yaml: # empty", "remove the entry")
    }
    EmptyPatchFails "empty-patch-fails" {
        does: "a patch of comments or `[]` fails, and so does one after an empty document",
        instead: "a patch of comments or `[]` has no effect, and a patch after an empty document is applied",
        begun("v5.2.0")
        ended("v5.7.0", "31b37540e")
        shown("patches: [{path: p.yaml, target: {kind: Deployment}}]   # p.yaml: # empty", "remove the entry")
    }
    NoSourceValue "no-source-value" {
        does: "`sourceValue` of a replacement is an unknown field",
        instead: "`sourceValue` of a replacement gives the value in place of a source",
        ended("v5.7.0", "6c2797001")
        shown("replacements: [{sourceValue: v2, targets: […]}]", "put the value into a ConfigMap with the annotation config.kubernetes.io/local-config")
    }
    NoDevel "no-devel" {
        does: "`devel` of a helm chart is an unknown field",
        instead: "helm is given --devel",
        ended("v5.7.0", "c5f69b002")
        shown("helmCharts: [{name: app, devel: true}]", "name the version of the chart")
        only_read()
    }
    NoImageVolumes "no-image-volumes" {
        does: "`images` does not change image volumes",
        instead: "`images` changes image volumes too",
        ended("v5.7.0", "32e8251")
        shown("images: [{name: data, newTag: v2}]   # volumes: [{image: {reference: data:v1}}]", "no action: only image volumes are rewritten")
    }
    DeletesFail "deletes-fail" {
        does: "an entry of `patches` with several documents crashes the build if one before the last deletes its resource",
        instead: "all documents of an entry of `patches` are applied, even after one that deletes its resource",
        ended("v5.7.0", "dd08aec23")
        shown("patches: [{path: p.yaml}]   # two documents with $patch: delete", "make an entry of each document")
    }
    UnknownOwnVersion "unknown-own-version" {
        does: "where Kustomize is embedded, the managed-by label is kustomize-(devel)",
        instead: "where Kustomize is embedded, the managed-by label contains the version",
        ended("v5.7.0", "9c68bd2ee")
        shown("buildMetadata: [managedByLabel]", "no action: the label of every object changes once")
    }
    NamespacesByName "namespaces-by-name" {
        does: "in legacy order a kind `Namespace` of another group may go before the Namespaces",
        instead: "Namespaces of the core group go first",
        ended("v5.5.0", "b7cdd9168")
        shown("sortOptions: {order: legacy}", "no action: only the order of the output changes")
    }
    ListsNeedItems "lists-need-items" {
        does: "an object without `items` and with a kind that ends in `List` is dropped without a warning",
        instead: "an object without `items` and with a kind that ends in `List` is kept",
        ended("v5.5.0", "a1fd6ef")
        shown("resources: [a.yaml]   # kind: IPAllowList", "build with 5.5 or newer")
    }
    NoPolicyReference "no-policy-reference" {
        does: "a ValidatingAdmissionPolicyBinding keeps the old name of its policy",
        instead: "a ValidatingAdmissionPolicyBinding gets the new name of its policy",
        ended("v5.4.3", "3065eb3")
        shown("namePrefix: prod-   # a policy and its binding", "add the reference under `configurations`")
    }
    NoLabelsConfiguration "no-labels-configuration" {
        does: "`labels` in a file listed under `configurations` is not known",
        instead: "the field specs of `labels` in a file listed under `configurations` apply to the `labels` field",
        ended("v5.4.2", "671de1662")
        shown("configurations: [c.yaml]   # c.yaml: labels: [{path: spec/labels}]", "give `fields` in the entry of `labels`")
    }
    LenientConfigurations "lenient-configurations" {
        does: "unknown keys in a file listed under `configurations` are accepted",
        instead: "unknown keys in a file listed under `configurations` are refused",
        ended("v5.4.0", "3771586")
        shown("configurations: [c.yaml]   # c.yaml: nameprefixes: []", "correct the key")
    }
    ExactPrefixes "exact-prefixes" {
        does: "a reference to one of several objects with the same name is not updated if only one of the two has a prefix",
        instead: "an object without a prefix matches any prefix",
        ended("v5.4.0", "b3d1df264")
        shown("namePrefix: a-   # over a base with nameSuffix", "put prefix and suffix into one kustomization")
    }
    ValuesFilledUp "values-filled-up" {
        does: "`valuesInline` is merged with the values file as Go maps: a null stays a null, a mapping does not replace a string, and with `valuesMerge: merge` an empty value in the file (0, false, \"\") is taken from `valuesInline`",
        instead: "`valuesInline` is a patch over the values file: a null removes a value, and every value in the file is kept",
        ended("v5.4.0", "d768fc3")
        shown("helmCharts: [{name: app, valuesInline: {a: null}}]", "write the values into a file of your own and name it in `valuesFile`")
    }
    StrictOperations "strict-operations" {
        does: "`replace` and `copy` of a JSON patch fail if the field does not exist",
        instead: "`replace` of a JSON patch adds a field that does not exist, and `copy` copies a null",
        begun("v5.2.0")
        ended("v5.4.0", "bf485f66")
        shown("patches: [{patch: \"[{op: replace, path: /spec/paused, value: true}]\"}]", "write `op: add`")
        only_read()
    }
    NullBecomesText "null-becomes-text" {
        does: "an explicit null becomes the string \"null\" after two strategic merge patches of its object",
        instead: "an explicit null stays a null after two strategic merge patches of its object",
        ended("v5.4.0", "8aafbac")
        shown("creationTimestamp: null   # and two patches", "remove the field in a patch")
    }
    SilentCommonLabels "silent-common-labels" {
        does: "`commonLabels` causes no warning",
        instead: "a warning on standard error reports that `commonLabels` is deprecated",
        ended("v5.3.0", "f23d45fcb")
        shown("commonLabels: {a: b}", "write `labels: [{pairs: {a: b}, includeSelectors: true}]`")
    }
    OnePatchPerEntry "one-patch-per-entry" {
        does: "several documents in one entry of `patches` fail",
        instead: "each document in an entry of `patches` is applied",
        ended("v5.2.0", "59696d1ac")
        shown("patches: [{path: p.yaml}]   # two documents", "make an entry of each document")
    }
    NullValuesIgnored "null-values-ignored" {
        does: "a null in `valuesInline` has no effect where the file has a value, and a mapping does not replace an empty value",
        instead: "a null in `valuesInline` replaces the value of the file",
        ended("v5.2.0", "f5ca75337")
        shown("helmCharts: [{name: app, valuesInline: {a: null}}]", "write the values into a file of your own and name it in `valuesFile`")
    }
    RejectOneId "reject-one-id" {
        does: "`reject` of a replacement is compared only with the id that `select` found: the original name still selects a renamed resource",
        instead: "`reject` of a replacement is compared with every id that the object had",
        ended("v5.2.0", "9f1d5ac")
        shown("reject: [{name: db}]   # after namePrefix", "add the new name to `reject`")
    }
    KeysLoseQuotes "keys-lose-quotes" {
        does: "a quoted key that a patch adds loses its quotes, so a numeric key fails the build",
        instead: "a quoted key that a patch adds keeps its quotes",
        ended("v5.2.0", "691b7d1")
        shown("data: {\"9110\": x}   # in a patch", "put the key into the base")
    }
    ComponentsFirst "components-first" {
        does: "components run before the generators of the kustomization that lists them, so they cannot patch its generated resources",
        instead: "components run after the generators of the kustomization that lists them",
        ended("v5.1.0", "0add0f95e")
        shown("components: [c]   # with a patch for a generated ConfigMap", "move the generator into a base")
    }
    EmptyKustomization "empty-kustomization" {
        does: "a kustomization without an effective field has an empty output",
        instead: "a kustomization without an effective field is refused",
        ended(KUBECTL_1_28_COMMIT, "2c2b2ab")
        shown(
            "resources: [base]   # base/kustomization.yaml is empty",
            "list something under `resources` of the empty kustomization, or remove the entries that name it",
        )
    }
    LoneQuoteFails "lone-quote-fails" {
        does: "a literal with one quote as its value crashes the build",
        instead: "a literal with one quote as its value is accepted",
        ended("v5.0.2", "633da99")
        shown("literals: ['a=\"']", "read the value from a file")
    }
    ForeignNamespaces "foreign-namespaces" {
        does: "`namespace` renames objects of kind `Namespace` of other groups too",
        instead: "`namespace` renames Namespaces of the core group only",
        ended("v5.0.2", "75fa235")
        shown("namespace: prod   # kind: Namespace, apiVersion: x.io/v1", "build them in a kustomization without `namespace`")
    }
    AliasesShared "aliases-shared" {
        does: "a write to one alias of a scalar changes its other aliases too, but not its anchor",
        instead: "each alias of a scalar is a copy",
        ended("v5.0.2", "42bf3c0e2")
        shown("name: &app web   # image: *app", "write the values in place of the aliases")
    }
    MissingTargetsIgnored "missing-targets-ignored" {
        does: "a replacement with a missing target field has no effect",
        instead: "a replacement with a missing target field fails the build",
        ended("v5.0.1", "2ed910abb")
        shown("fieldPaths: [spec.missing]", "correct the path, or set `options: {create: true}`")
    }
    WildcardsCreateNothing "wildcards-create-nothing" {
        does: "a replacement with `create` fails on a path with `*`",
        instead: "a replacement with `create` creates the field in each element of a path with `*`",
        ended("v5.0.1", "903fbb6ed")
        shown("fieldPaths: [\"spec.containers.*.tty\"]   # options: {create: true}", "list the elements instead of `*`")
    }
    LocalConfigDroppedEarly "local-config-dropped-early" {
        does: "local configuration is dropped at the end of the kustomization that loads it",
        instead: "local configuration is dropped at the end of the build, so that overlays can use it",
        ended("v5.0.1", "fb0f567b6")
        shown(
            "config.kubernetes.io/local-config: \"true\"   # in a base",
            "load the object in the kustomization that uses it",
        )
    }
    NullsDropped "nulls-dropped" {
        does: "an explicit null is dropped by each strategic merge patch of its object",
        instead: "an explicit null is kept by each strategic merge patch of its object",
        ended("v5.0.1", "1b7db2050")
        shown("creationTimestamp: null   # and a patch", "remove the field from the file")
    }
    TemplatesNotCreated "templates-not-created" {
        does: "`includeTemplates` labels only `spec.template`, and only if this template has labels",
        instead: "`includeTemplates` creates the labels, in the templates of CronJobs and volume claims too",
        ended("v5.0.1", "e2196d9bd")
        shown(
            "labels: [{pairs: {a: b}, includeTemplates: true}]",
            "list the paths in `fields`, with `create: true`",
        )
    }
    HashKept "hash-kept" {
        does: "an overlay with `behavior: merge` cannot switch off the hash of the base's generator",
        instead: "`disableNameSuffixHash` of the overlay is used",
        ended("v5.0.1", "487703ee8")
        shown(
            "configMapGenerator: [{behavior: merge, options: {disableNameSuffixHash: true}}]",
            "switch the hash off in the base",
        )
    }
    PatchesOfFiles "patches-of-files" {
        does: "a list of file names under `patches` is read as `patchesStrategicMerge`",
        instead: "a list of file names under `patches` is refused",
        ended("v5.0.1", "2db573b6a")
        shown("patches: [p.yaml]", "write `- path: p.yaml`")
    }
    InventoryField "inventory-field" {
        does: "`inventory` is accepted and has no effect",
        instead: "`inventory` is an unknown field",
        ended("v5.0.1", "d70315fed")
        shown("inventory: {type: ConfigMap}", "remove the field")
    }
    NoSortOptions "no-sort-options" {
        does: "`sortOptions` is an unknown field",
        instead: "`sortOptions` sets the order of the output",
        ended("v5.0.1", "a50271746")
        shown("sortOptions: {order: fifo}", "build with `--reorder`")
    }
    FewerChartOptions "fewer-chart-options" {
        does: "`additionalValuesFiles`, `apiVersions`, `nameTemplate`, `skipHooks` and `skipTests` of a chart are unknown fields",
        instead: "`additionalValuesFiles`, `apiVersions`, `nameTemplate`, `skipHooks` and `skipTests` of a chart are passed to helm",
        ended("v5.0.1", "1957d5c74")
        shown("helmCharts: [{name: app, skipTests: true}]", "set the option in the values of the chart")
        only_read()
    }
    SilentDeprecations "silent-deprecations" {
        does: "deprecated fields and the prefix `git::` cause no warning",
        instead: "a line on standard error names each deprecated field and each prefix `git::`",
        ended("v5.0.1", "21ee7f712")
        shown("bases: [base]", "no action: only standard error changes")
    }
    VersionUnknown "version-unknown" {
        does: "where Kustomize is embedded, the managed-by label is kustomize-unknown",
        instead: "where Kustomize is embedded, the managed-by label is kustomize-(devel), or contains the version",
        ended("v5.0.1", "95edcc068")
        shown("buildMetadata: [managedByLabel]", "no action: the label of every object changes once")
    }
    StrictSubstitution "strict-substitution" {
        does: "a variable of `postBuild` without a value and without a default fails the build",
        instead: "a variable of `postBuild` without a value and without a default becomes an empty string",
        of_program("flux", Some("flux-2.9"), true)
        shown(
            "postBuild: {substitute: {A: b}}   # and ${OTHER} in a manifest",
            "set the variable, write a default (`${NAME:=value}`), or annotate the object with kustomize.toolkit.fluxcd.io/substitute: disabled",
        )
    }
    FilesOfRepository "files-of-repository" {
        does: "files outside the folder of a kustomization are read, and helm is not run",
        instead: "files outside the folder of a kustomization are refused unless --load-restrictor is LoadRestrictionsNone",
        of_program("flux", None, false)
        shown("resources: [../shared/config.yaml]", "move the file below the folder, or into a base")
    }
    ControllerHelm3 "helm-3" {
        does: "charts are rendered by helm 3, and helm 4 is refused",
        instead: "helm 4 is accepted",
        of_program("argocd", None, false)
        ended("argocd-3.5", "")
        shown("helmCharts: [{name: app}]", "render the charts with both versions of helm, and compare the outputs")
    }
    ControllerHelm4 "helm-4" {
        does: "charts are rendered by helm 4, and helm 3 is refused",
        instead: "helm 3 is accepted",
        of_program("argocd", Some("argocd-3.5"), false)
        shown("helmCharts: [{name: app}]", "render the charts with both versions of helm, and compare the outputs")
    }
}

/// The switches of the master branch: those that only an embedding program turns off.
pub(super) const MASTER_SWITCHES: u64 = Switch::StrictSubstitution.bit();

impl Switch {
    pub(super) const fn bit(self) -> u64 {
        1 << self as u8
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchRow {
    pub switch: Switch,
    pub name: &'static str,
    pub does: &'static str,
    pub instead: &'static str,
    /// The first release with the behaviour; `None` if all releases before `until` have it.
    pub since: Option<&'static str>,
    /// The first release without the behaviour; `None` if only the master branch is without it.
    pub until: Option<&'static str>,
    /// The commit in Kustomize's repository that ended the behaviour.
    pub commit: &'static str,
    pub example: &'static str,
    pub advice: &'static str,
    pub evidence: Evidence,
    /// The program, if the behaviour is that of a program that embeds Kustomize: `since` and
    /// `until` are then versions of the program.
    pub program: Option<EmbeddingProgram>,
}

/// A program that embeds Kustomize and differs from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    const fn new(
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

    const fn begun(self, since: &'static str) -> Self {
        Self { since: Some(since), ..self }
    }

    const fn ended(self, until: &'static str, commit: &'static str) -> Self {
        Self { until: Some(until), commit, ..self }
    }

    const fn on_master(self, commit: &'static str) -> Self {
        Self { commit, ..self }
    }

    const fn shown(self, example: &'static str, advice: &'static str) -> Self {
        Self { example, advice, ..self }
    }

    const fn only_read(self) -> Self {
        Self { evidence: Evidence::Source, ..self }
    }

    /// Marks the behaviour as that of a program, from a version of that program on.
    const fn of_program(
        self,
        name: &'static str,
        since: Option<&'static str>,
        is_on_elsewhere: bool,
    ) -> Self {
        let program = Some(EmbeddingProgram { name, is_on_elsewhere });
        Self { since, program, evidence: Evidence::Source, ..self }
    }

    /// True if the switch is on in the release at this index, or in a program that embeds it.
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
