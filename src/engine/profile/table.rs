//! The table of switches, the newest first.

use super::release::KUBECTL_1_28_COMMIT;
use super::switch::{Switch, SwitchRow};

/// The switches of the master branch: those that only an embedding program turns off.
pub(super) const MASTER_SWITCHES: u64 = Switch::StrictSubstitution.bit();

/// The table of switches, one row each.
pub const SWITCHES: &[SwitchRow] = &[
    SwitchRow::new(
        Switch::TemplatesIncludeClaims,
        "templates-include-claims",
        "`includeTemplates` of `labels` labels the volume claim templates of a StatefulSet too, and `includeVolumeClaimTemplates` does not exist",
        "volume claim templates are labelled with `includeVolumeClaimTemplates` only",
    )
    .on_master("80f63ae0c")
    .shown("labels: [{pairs: {a: b}, includeTemplates: true}]", "volumeClaimTemplates cannot be changed in place: name the labelled fields with `fields`, or recreate the StatefulSet"),
    SwitchRow::new(
        Switch::OnlySha256,
        "only-sha256",
        "`images` does not find an image with a digest other than sha256",
        "`images` finds an image with a digest of any algorithm",
    )
    .on_master("9f89960cf")
    .shown("images: [{name: nginx, newTag: v2}]   # image: nginx@sha512:…", "write the image without its digest in the base"),
    SwitchRow::new(
        Switch::NamespacedPolicies,
        "namespaced-policies",
        "ValidatingAdmissionPolicy and ValidatingAdmissionPolicyBinding get a namespace, although they are cluster-scoped",
        "ValidatingAdmissionPolicy and ValidatingAdmissionPolicyBinding get no namespace",
    )
    .on_master("fcef996b1")
    .shown("namespace: prod   # resources: a ValidatingAdmissionPolicy", "build these objects in a kustomization without `namespace`"),
    SwitchRow::new(
        Switch::BadImageNameFails,
        "bad-image-name-fails",
        "a name under `images` that is not a valid regular expression crashes the build",
        "a name under `images` that is not a valid regular expression matches no image",
    )
    .on_master("d32ba3f38")
    .shown("images: [{name: \"ngi(nx\", newTag: v2}]", "write the name without characters of regular expressions"),
    SwitchRow::new(
        Switch::DelimiterIgnored,
        "delimiter-ignored",
        "`delimiter` and `index` of a replacement have no effect inside JSON or YAML in a scalar: the whole value is replaced",
        "`delimiter` and `index` of a replacement select the replaced part inside JSON or YAML in a scalar",
    )
    .on_master("194aac685")
    .shown("options: {delimiter: \":\", index: 1}   # fieldPaths: [data.config.host]", "give the replacement the whole value"),
    SwitchRow::new(
        Switch::DotsInsideParts,
        "dots-inside-parts",
        "a path to a directory may have two dots inside a part (`base - ../x`), and leads to a directory that the text does not show",
        "a path to a directory with two dots inside a part is refused",
    )
    .on_master("29bf16c67")
    .shown("resources: [\"a..b\"]", "correct the indentation of the list, or rename the directory")
    .only_read(),
    SwitchRow::new(
        Switch::StringVolumesFail,
        "volume-words-fail",
        "`images` fails on an object with strings in `spec.volumes`, such as a PodSecurityPolicy",
        "`images` does not change an object with strings in `spec.volumes`; on the master branch Kustomize still fails, and kzui builds it",
    )
    .begun("v5.7.0")
    .on_master("32e8251")
    .shown("images: [{name: nginx, newTag: v2}]   # resources: a PodSecurityPolicy", "move the PodSecurityPolicy into a kustomization without `images`"),
    SwitchRow::new(
        Switch::OnlyHelm3,
        "only-helm-3",
        "helm 4 is refused",
        "helm 3 and 4 are accepted",
    )
    .ended("v5.8.1", "54848c104")
    .shown("helmCharts: [{name: app}]   # with helm 4", "install helm 3, or build with 5.8.1"),
    SwitchRow::new(
        Switch::NamespaceHandedDown,
        "namespace-handed-down",
        "a kustomization without `namespace` gets that of the kustomization that lists it, before its own patches run",
        "a kustomization without `namespace` has no namespace when its own patches run",
    )
    .begun("v5.8.0")
    .ended("v5.8.1", "4e75138d2")
    .shown("namespace: prod   # resources: [base], with patches that name no namespace", "skip 5.8.0")
    .only_read(),
    SwitchRow::new(
        Switch::NamespaceOverCharts,
        "namespace-over-charts",
        "helm charts are rendered without the kustomization's namespace, and `namespace` is set on their objects",
        "charts are rendered for the namespace, and `namespace` is not set on their objects",
    )
    .ended("v5.8.0", "1c0f1bf5a")
    .shown("namespace: prod   # and helmCharts", "give the chart its `namespace`, or patch the objects that lack one"),
    SwitchRow::new(
        Switch::LiteralSelectors,
        "literal-selectors",
        "`select` and `reject` of replacements compare names literally, and an object without a namespace is in `default`",
        "`select` and `reject` of replacements compare names as regular expressions, and an object without a namespace is in no namespace",
    )
    .ended("v5.8.0", "7c04cbb23")
    .shown("select: {kind: ConfigMap, namespace: default}", "leave `namespace: default` out, and escape dots in names"),
    SwitchRow::new(
        Switch::NoStructuredData,
        "no-structured-data",
        "a replacement's path that leads into JSON or YAML inside a scalar fails",
        "a replacement replaces the value inside JSON or YAML in a scalar; its path goes through strings and nulls, and values that it creates below a null are lost",
    )
    .ended("v5.8.0", "bbe53c2")
    .shown("fieldPaths: [\"data.config\\\\.json.host\"]", "build with 5.8 or newer"),
    SwitchRow::new(
        Switch::AnyPatchOption,
        "any-patch-option",
        "unknown `options` of a patch are accepted",
        "unknown `options` of a patch are refused",
    )
    .ended("v5.8.0", "9043c223d")
    .shown("patches: [{path: p.yaml, options: {allowNameChanges: true}}]", "write `allowNameChange` or `allowKindChange`"),
    SwitchRow::new(
        Switch::EmptyPatchNeedsTarget,
        "empty-patch-needs-target",
        "a patch of comments or `[]` fails unless it has a target; with a target, the selected objects are converted to JSON and back",
        "a patch of comments or `[]` has no effect",
    )
    .ended("v5.8.1", "24ea1b951")
    .shown("patches: [{path: p.yaml}]   # p.yaml: # empty", "remove the entry"),
    SwitchRow::new(
        Switch::EmptyPatchFails,
        "empty-patch-fails",
        "a patch of comments or `[]` fails, and so does one after an empty document",
        "a patch of comments or `[]` has no effect, and a patch after an empty document is applied",
    )
    .begun("v5.2.0")
    .ended("v5.7.0", "31b37540e")
    .shown("patches: [{path: p.yaml, target: {kind: Deployment}}]   # p.yaml: # empty", "remove the entry"),
    SwitchRow::new(
        Switch::NoSourceValue,
        "no-source-value",
        "`sourceValue` of a replacement is an unknown field",
        "`sourceValue` of a replacement gives the value in place of a source",
    )
    .ended("v5.7.0", "6c2797001")
    .shown("replacements: [{sourceValue: v2, targets: […]}]", "put the value into a ConfigMap with the annotation config.kubernetes.io/local-config"),
    SwitchRow::new(
        Switch::NoDevel,
        "no-devel",
        "`devel` of a helm chart is an unknown field",
        "helm is given --devel",
    )
    .ended("v5.7.0", "c5f69b002")
    .shown("helmCharts: [{name: app, devel: true}]", "name the version of the chart")
    .only_read(),
    SwitchRow::new(
        Switch::NoImageVolumes,
        "no-image-volumes",
        "`images` does not change image volumes",
        "`images` changes image volumes too",
    )
    .ended("v5.7.0", "32e8251")
    .shown("images: [{name: data, newTag: v2}]   # volumes: [{image: {reference: data:v1}}]", "no action: only image volumes are rewritten"),
    SwitchRow::new(
        Switch::DeletesFail,
        "deletes-fail",
        "an entry of `patches` with several documents crashes the build if one before the last deletes its resource",
        "all documents of an entry of `patches` are applied, even after one that deletes its resource",
    )
    .ended("v5.7.0", "dd08aec23")
    .shown("patches: [{path: p.yaml}]   # two documents with $patch: delete", "make an entry of each document"),
    SwitchRow::new(
        Switch::UnknownOwnVersion,
        "unknown-own-version",
        "where Kustomize is embedded, the managed-by label is kustomize-(devel)",
        "where Kustomize is embedded, the managed-by label contains the version",
    )
    .ended("v5.7.0", "9c68bd2ee")
    .shown("buildMetadata: [managedByLabel]", "no action: the label of every object changes once"),
    SwitchRow::new(
        Switch::NamespacesByName,
        "namespaces-by-name",
        "in legacy order a kind `Namespace` of another group may go before the Namespaces",
        "Namespaces of the core group go first",
    )
    .ended("v5.5.0", "b7cdd9168")
    .shown("sortOptions: {order: legacy}", "no action: only the order of the output changes"),
    SwitchRow::new(
        Switch::ListsNeedItems,
        "lists-need-items",
        "an object without `items` and with a kind that ends in `List` is dropped without a warning",
        "an object without `items` and with a kind that ends in `List` is kept",
    )
    .ended("v5.5.0", "a1fd6ef")
    .shown("resources: [a.yaml]   # kind: IPAllowList", "build with 5.5 or newer"),
    SwitchRow::new(
        Switch::NoPolicyReference,
        "no-policy-reference",
        "a ValidatingAdmissionPolicyBinding keeps the old name of its policy",
        "a ValidatingAdmissionPolicyBinding gets the new name of its policy",
    )
    .ended("v5.4.3", "3065eb3")
    .shown("namePrefix: prod-   # a policy and its binding", "add the reference under `configurations`"),
    SwitchRow::new(
        Switch::NoLabelsConfiguration,
        "no-labels-configuration",
        "`labels` in a file listed under `configurations` is not known",
        "the field specs of `labels` in a file listed under `configurations` apply to the `labels` field",
    )
    .ended("v5.4.2", "671de1662")
    .shown("configurations: [c.yaml]   # c.yaml: labels: [{path: spec/labels}]", "give `fields` in the entry of `labels`"),
    SwitchRow::new(
        Switch::LenientConfigurations,
        "lenient-configurations",
        "unknown keys in a file listed under `configurations` are accepted",
        "unknown keys in a file listed under `configurations` are refused",
    )
    .ended("v5.4.0", "3771586")
    .shown("configurations: [c.yaml]   # c.yaml: nameprefixes: []", "correct the key"),
    SwitchRow::new(
        Switch::ExactPrefixes,
        "exact-prefixes",
        "a reference to one of several objects with the same name is not updated if only one of the two has a prefix",
        "an object without a prefix matches any prefix",
    )
    .ended("v5.4.0", "b3d1df264")
    .shown("namePrefix: a-   # over a base with nameSuffix", "put prefix and suffix into one kustomization"),
    SwitchRow::new(
        Switch::ValuesFilledUp,
        "values-filled-up",
        "`valuesInline` is merged with the values file as Go maps: a null stays a null, a mapping does not replace a string, and with `valuesMerge: merge` an empty value in the file (0, false, \"\") is taken from `valuesInline`",
        "`valuesInline` is a patch over the values file: a null removes a value, and every value in the file is kept",
    )
    .ended("v5.4.0", "d768fc3")
    .shown("helmCharts: [{name: app, valuesInline: {a: null}}]", "write the values into a file of your own and name it in `valuesFile`"),
    SwitchRow::new(
        Switch::StrictOperations,
        "strict-operations",
        "`replace` and `copy` of a JSON patch fail if the field does not exist",
        "`replace` of a JSON patch adds a field that does not exist, and `copy` copies a null",
    )
    .begun("v5.2.0")
    .ended("v5.4.0", "bf485f66")
    .shown("patches: [{patch: \"[{op: replace, path: /spec/paused, value: true}]\"}]", "write `op: add`")
    .only_read(),
    SwitchRow::new(
        Switch::NullBecomesText,
        "null-becomes-text",
        "an explicit null becomes the string \"null\" after two strategic merge patches of its object",
        "an explicit null stays a null after two strategic merge patches of its object",
    )
    .ended("v5.4.0", "8aafbac")
    .shown("creationTimestamp: null   # and two patches", "remove the field in a patch"),
    SwitchRow::new(
        Switch::SilentCommonLabels,
        "silent-common-labels",
        "`commonLabels` causes no warning",
        "a warning on standard error reports that `commonLabels` is deprecated",
    )
    .ended("v5.3.0", "f23d45fcb")
    .shown("commonLabels: {a: b}", "write `labels: [{pairs: {a: b}, includeSelectors: true}]`"),
    SwitchRow::new(
        Switch::OnePatchPerEntry,
        "one-patch-per-entry",
        "several documents in one entry of `patches` fail",
        "each document in an entry of `patches` is applied",
    )
    .ended("v5.2.0", "59696d1ac")
    .shown("patches: [{path: p.yaml}]   # two documents", "make an entry of each document"),
    SwitchRow::new(
        Switch::NullValuesIgnored,
        "null-values-ignored",
        "a null in `valuesInline` has no effect where the file has a value, and a mapping does not replace an empty value",
        "a null in `valuesInline` replaces the value of the file",
    )
    .ended("v5.2.0", "f5ca75337")
    .shown("helmCharts: [{name: app, valuesInline: {a: null}}]", "write the values into a file of your own and name it in `valuesFile`"),
    SwitchRow::new(
        Switch::RejectOneId,
        "reject-one-id",
        "`reject` of a replacement is compared only with the id that `select` found: the original name still selects a renamed resource",
        "`reject` of a replacement is compared with every id that the object had",
    )
    .ended("v5.2.0", "9f1d5ac")
    .shown("reject: [{name: db}]   # after namePrefix", "add the new name to `reject`"),
    SwitchRow::new(
        Switch::KeysLoseQuotes,
        "keys-lose-quotes",
        "a quoted key that a patch adds loses its quotes, so a numeric key fails the build",
        "a quoted key that a patch adds keeps its quotes",
    )
    .ended("v5.2.0", "691b7d1")
    .shown("data: {\"9110\": x}   # in a patch", "put the key into the base"),
    SwitchRow::new(
        Switch::ComponentsFirst,
        "components-first",
        "components run before the generators of the kustomization that lists them, so they cannot patch its generated resources",
        "components run after the generators of the kustomization that lists them",
    )
    .ended("v5.1.0", "0add0f95e")
    .shown("components: [c]   # with a patch for a generated ConfigMap", "move the generator into a base"),
    SwitchRow::new(
        Switch::EmptyKustomization,
        "empty-kustomization",
        "a kustomization without an effective field has an empty output",
        "a kustomization without an effective field is refused",
    )
    .ended(KUBECTL_1_28_COMMIT, "2c2b2ab")
    .shown(
        "resources: [base]   # base/kustomization.yaml is empty",
        "list something under `resources` of the empty kustomization, or remove the entries that name it",
    ),
    SwitchRow::new(
        Switch::LoneQuoteFails,
        "lone-quote-fails",
        "a literal with one quote as its value crashes the build",
        "a literal with one quote as its value is accepted",
    )
    .ended("v5.0.2", "633da99")
    .shown("literals: ['a=\"']", "read the value from a file"),
    SwitchRow::new(
        Switch::ForeignNamespaces,
        "foreign-namespaces",
        "`namespace` renames objects of kind `Namespace` of other groups too",
        "`namespace` renames Namespaces of the core group only",
    )
    .ended("v5.0.2", "75fa235")
    .shown("namespace: prod   # kind: Namespace, apiVersion: x.io/v1", "build them in a kustomization without `namespace`"),
    SwitchRow::new(
        Switch::AliasesShared,
        "aliases-shared",
        "a write to one alias of a scalar changes its other aliases too, but not its anchor",
        "each alias of a scalar is a copy",
    )
    .ended("v5.0.2", "42bf3c0e2")
    .shown("name: &app web   # image: *app", "write the values in place of the aliases"),
    SwitchRow::new(
        Switch::MissingTargetsIgnored,
        "missing-targets-ignored",
        "a replacement with a missing target field has no effect",
        "a replacement with a missing target field fails the build",
    )
    .ended("v5.0.1", "2ed910abb")
    .shown("fieldPaths: [spec.missing]", "correct the path, or set `options: {create: true}`"),
    SwitchRow::new(
        Switch::WildcardsCreateNothing,
        "wildcards-create-nothing",
        "a replacement with `create` fails on a path with `*`",
        "a replacement with `create` creates the field in each element of a path with `*`",
    )
    .ended("v5.0.1", "903fbb6ed")
    .shown("fieldPaths: [\"spec.containers.*.tty\"]   # options: {create: true}", "list the elements instead of `*`"),
    SwitchRow::new(
        Switch::LocalConfigDroppedEarly,
        "local-config-dropped-early",
        "local configuration is dropped at the end of the kustomization that loads it",
        "local configuration is dropped at the end of the build, so that overlays can use it",
    )
    .ended("v5.0.1", "fb0f567b6")
    .shown(
        "config.kubernetes.io/local-config: \"true\"   # in a base",
        "load the object in the kustomization that uses it",
    ),
    SwitchRow::new(
        Switch::NullsDropped,
        "nulls-dropped",
        "an explicit null is dropped by each strategic merge patch of its object",
        "an explicit null is kept by each strategic merge patch of its object",
    )
    .ended("v5.0.1", "1b7db2050")
    .shown("creationTimestamp: null   # and a patch", "remove the field from the file"),
    SwitchRow::new(
        Switch::TemplatesNotCreated,
        "templates-not-created",
        "`includeTemplates` labels only `spec.template`, and only if this template has labels",
        "`includeTemplates` creates the labels, in the templates of CronJobs and volume claims too",
    )
    .ended("v5.0.1", "e2196d9bd")
    .shown(
        "labels: [{pairs: {a: b}, includeTemplates: true}]",
        "list the paths in `fields`, with `create: true`",
    ),
    SwitchRow::new(
        Switch::HashKept,
        "hash-kept",
        "an overlay with `behavior: merge` cannot switch off the hash of the base's generator",
        "`disableNameSuffixHash` of the overlay is used",
    )
    .ended("v5.0.1", "487703ee8")
    .shown(
        "configMapGenerator: [{behavior: merge, options: {disableNameSuffixHash: true}}]",
        "switch the hash off in the base",
    ),
    SwitchRow::new(
        Switch::PatchesOfFiles,
        "patches-of-files",
        "a list of file names under `patches` is read as `patchesStrategicMerge`",
        "a list of file names under `patches` is refused",
    )
    .ended("v5.0.1", "2db573b6a")
    .shown("patches: [p.yaml]", "write `- path: p.yaml`"),
    SwitchRow::new(
        Switch::InventoryField,
        "inventory-field",
        "`inventory` is accepted and has no effect",
        "`inventory` is an unknown field",
    )
    .ended("v5.0.1", "d70315fed")
    .shown("inventory: {type: ConfigMap}", "remove the field"),
    SwitchRow::new(
        Switch::NoSortOptions,
        "no-sort-options",
        "`sortOptions` is an unknown field",
        "`sortOptions` sets the order of the output",
    )
    .ended("v5.0.1", "a50271746")
    .shown("sortOptions: {order: fifo}", "build with `--reorder`"),
    SwitchRow::new(
        Switch::FewerChartOptions,
        "fewer-chart-options",
        "`additionalValuesFiles`, `apiVersions`, `nameTemplate`, `skipHooks` and `skipTests` of a chart are unknown fields",
        "`additionalValuesFiles`, `apiVersions`, `nameTemplate`, `skipHooks` and `skipTests` of a chart are passed to helm",
    )
    .ended("v5.0.1", "1957d5c74")
    .shown("helmCharts: [{name: app, skipTests: true}]", "set the option in the values of the chart")
    .only_read(),
    SwitchRow::new(
        Switch::SilentDeprecations,
        "silent-deprecations",
        "deprecated fields and the prefix `git::` cause no warning",
        "a line on standard error names each deprecated field and each prefix `git::`",
    )
    .ended("v5.0.1", "21ee7f712")
    .shown("bases: [base]", "no action: only standard error changes"),
    SwitchRow::new(
        Switch::VersionUnknown,
        "version-unknown",
        "where Kustomize is embedded, the managed-by label is kustomize-unknown",
        "where Kustomize is embedded, the managed-by label is kustomize-(devel), or contains the version",
    )
    .ended("v5.0.1", "95edcc068")
    .shown("buildMetadata: [managedByLabel]", "no action: the label of every object changes once"),
    SwitchRow::new(
        Switch::StrictSubstitution,
        "strict-substitution",
        "a variable of `postBuild` without a value and without a default fails the build",
        "a variable of `postBuild` without a value and without a default becomes an empty string",
    )
    .of_program("flux", Some("flux-2.9"), true)
    .shown(
        "postBuild: {substitute: {A: b}}   # and ${OTHER} in a manifest",
        "set the variable, write a default (`${NAME:=value}`), or annotate the object with kustomize.toolkit.fluxcd.io/substitute: disabled",
    ),
    SwitchRow::new(
        Switch::FilesOfRepository,
        "files-of-repository",
        "files outside the folder of a kustomization are read, and helm is not run",
        "files outside the folder of a kustomization are refused unless --load-restrictor is LoadRestrictionsNone",
    )
    .of_program("flux", None, false)
    .shown("resources: [../shared/config.yaml]", "move the file below the folder, or into a base"),
    SwitchRow::new(
        Switch::ControllerHelm3,
        "helm-3",
        "charts are rendered by helm 3, and helm 4 is refused",
        "helm 4 is accepted",
    )
    .of_program("argocd", None, false)
    .ended("argocd-3.5", "")
    .shown("helmCharts: [{name: app}]", "render the charts with both versions of helm, and compare the outputs"),
    SwitchRow::new(
        Switch::ControllerHelm4,
        "helm-4",
        "charts are rendered by helm 4, and helm 3 is refused",
        "helm 3 is accepted",
    )
    .of_program("argocd", Some("argocd-3.5"), false)
    .shown("helmCharts: [{name: app}]", "render the charts with both versions of helm, and compare the outputs"),
];
