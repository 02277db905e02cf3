//! Probable mistakes that Kustomize builds without a warning.

use crate::diagnostic::object::{Object, and_more};

super::rules! {
    /// A probable mistake that Kustomize does not report. Paths have dots.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum SilentRemark;

    KZ210 Warning "a custom resource has the old name of a resource" {
        means: "A prefix, suffix or hash renamed the resource. Kustomize follows the references that it knows, and it does not know this field.",
        action: "Name the field under `nameReference` in a file listed under `configurations`; the hint contains the lines to add.",
        page: "tests/cases/diagnostics/stale-reference.md",
        grouping: Line,
        listing: Habit,
        #[error(
            "{field} of {object} has {old_name:?}, the old name of the {kind}, now {now:?}: Kustomize does not know that this field is a reference"
        )]
        StaleReference { field: String, object: Object, old_name: String, kind: String, now: String },
    }

    KZ212 Warning "a patch adds a container without an image" {
        means: "The name in the patch matches no container, so Kustomize adds one. It has no image at the end of the build.",
        action: "Correct the name, or give the new container an image.",
        page: "tests/cases/diagnostics/container-without-image.md",
        #[error("the patch adds a new element {name} to {list} in {object}, without an image")]
        NoImage { name: String, list: &'static str, object: Object },
    }

    KZ213 Warning "a field that the type does not have" {
        means: "A patch or replacement writes a field that is not in the schema of the type: of Kubernetes (no version up to 1.37 has it), of a CustomResourceDefinition in the same build, or of `openapi`. Not reported where a schema allows further fields, nor for `openapi` if a resource has further fields in its own file, because the schema is then incomplete.",
        action: "Correct the name or the place of the field.",
        page: "tests/cases/diagnostics/misspelt-field.md",
        #[error("{field} of {object} is not a field of this type{}", unknown_field_effect(*schema))]
        NoSuchField { field: String, object: Object, schema: TypeSource },
    }

    KZ214 Warning "an index selects a different element than in the file" {
        means: "An earlier step added elements to the list, so the index of the JSON6902 patch selects a different element than in the resource's file.",
        action: "Use a strategic merge patch, which finds elements by name.",
        page: "tests/cases/diagnostics/index-moved.md",
        #[error("{pointer} is {now:?} at this step; in the file of the resource it is {was:?}")]
        #[hint = "a strategic merge patch finds elements by name"]
        MovedIndex { pointer: String, now: String, was: String },
    }

    KZ215 Warning "an index of a replacement is past the end" {
        means: "The value has fewer parts between the delimiters: Kustomize appends the new part instead of replacing one. A note if the value does not contain the delimiter, because the part is then often appended on purpose. Not reported if `create` builds the value part by part.",
        action: "Count the parts from 0.",
        page: "tests/cases/diagnostics/index-past-the-end.md",
        grouping: Line,
        #[error(
            "index {index} is past the end of {}: it has {} between {delimiter:?}, so the new part is appended",
            text.as_ref().map_or_else(|| "the text".to_owned(), |text| format!("{text:?}")),
            if *parts == 1 { "1 part".to_owned() } else { format!("{parts} parts") }
        )]
        PastEnd { index: usize, text: Option<String>, delimiter: String, parts: usize },
    }

    KZ216 Note "generatorOptions have no effect" {
        means: "generatorOptions apply only to generators of the same kustomization, and this kustomization has none. Generators of bases are not affected.",
        action: "Write them where the generators are, or remove them.",
        page: "tests/cases/diagnostics/generator-options.md",
        listing: Repository,
        #[error(
            "generatorOptions have no effect: this kustomization has no configMapGenerator and no secretGenerator, and those of its bases are not affected"
        )]
        #[hint = "write them where the generators are"]
        NoGenerators,
    }

    KZ217 Warning "an empty target deletes more than the patch names" {
        means: "A patch with `$patch: delete` deletes every resource that its target selects; an empty target selects all.",
        action: "Omit the target, so that the patch applies to the object that it names, or write the intended target.",
        page: "tests/cases/diagnostics/delete-with-empty-target.md",
        #[error("`$patch: delete` with an empty target removes {0} objects; the patch names one")]
        #[hint = "omit the target, or write the intended one"]
        DeletesMore(usize),
    }

    KZ218 Note "labels change a selector" {
        means: "An entry of `labels` or `commonLabels` changes the selector of a workload from another layer. The selector of an existing workload is immutable: an apply fails if the workload was created without these labels.",
        action: "For labels of metadata only, write `labels` without `includeSelectors`.",
        page: "tests/cases/diagnostics/labels-in-selectors.md",
        grouping: Line,
        listing: OnRequest,
        #[error(
            "{field} of this layer change the selector of {first}{}: the API server refuses that for objects that were applied \
             without them",
            if *more == 0 { String::new() } else { format!(" and of {more} more") }
        )]
        #[hint = "for labels of metadata only, write `labels` without `includeSelectors`"]
        SelectorChanged { field: &'static str, first: Object, more: usize },
    }

    KZ219 Note "a namespace is not set on the objects of a chart" {
        means: "A kustomization, or an entry of `helmCharts`, sets a namespace. Kustomize does not set it on the objects of a chart (since v5.8.0), and helm writes it only where the chart's templates do: these objects have none, and are applied to the current namespace.",
        action: "Set the namespace of these objects with a patch.",
        #[error("{origin}: {first} {} no namespace in the output", more_objects_with_verb(*more))]
        ChartWithoutNamespace { origin: String, first: Object, more: usize },
    }

    KZ220 Note "a cluster-scoped custom resource gets a namespace" {
        means: "Kustomize knows the scope of built-in kinds only, and gives all others the namespace.",
        action: "Load the resource in a layer without `namespace`.",
        page: "tests/cases/diagnostics/namespace-of-cluster-scoped.md",
        grouping: Resources,
        #[error(
            "{0} is cluster-scoped and gets a namespace: Kustomize does not know the scope of custom kinds"
        )]
        #[hint = "move it to a layer without `namespace`"]
        ClusterScoped(Object),
    }

    KZ221 Note "the name in a patch is ignored" {
        means: "With a `target`, the kind and name in a strategic merge patch are ignored: the target selects the resources. Another object has the name in the patch, or a similar one, or it contains the name of the selected object. Not reported if another entry applies the patch file to the object that it names, because the patch file is then reused on purpose.",
        action: "Correct the name, or remove it.",
        page: "tests/cases/diagnostics/ignored-name.md",
        #[error(
            "the name {name:?} in the patch is ignored because of `target`: it applies to {goes_to:?}{}",
            and_more(*more)
        )]
        NameBesideTarget { name: String, goes_to: String, more: usize },
    }

    KZ222 Note "a manifest that no kustomization lists" {
        means: "The files are next to a kustomization, are objects or patches, and no entry of any kustomization of the repository refers to them. They are in no build. Not reported for a file that a comment of that kustomization names, because it was switched off on purpose, for encrypted files, for files and folders with a leading dot, and for the roles that kubebuilder generates (`*_editor_role.yaml`).",
        action: "List the files, or remove them if no other program uses them.",
        #[error("no kustomization of the repository lists {}in no build", unlisted(.0))]
        #[hint = "list the files, or remove them if no other program uses them"]
        Unlisted(Vec<String>),
    }

    KZ223 Warning "a placeholder in a name or image" {
        means: "The output contains `$(NAME)`, the syntax of `vars`, in a field where the API server does not accept it. Not reported for `${NAME}`, which Flux, clusterctl and envsubst replace after a build.",
        action: "Write the value, or fill it in with a replacement.",
        page: "tests/cases/diagnostics/placeholder-left.md",
        #[error("{field} of {object} still contains {placeholder}, which is not allowed there")]
        #[hint = "write the value, or fill it in with a replacement"]
        Placeholder { field: String, object: Object, placeholder: String },
    }

    KZ224 Warning "an address has the old namespace of a Service" {
        means: "A value contains NAME.NAMESPACE.svc. A step moved that Service to another namespace, and no Service of the build has that name in the old one. Kustomize changes whole fields, not parts of strings.",
        action: "Write the new namespace, omit it if both are in one namespace, or fill it in with a replacement.",
        page: "tests/cases/diagnostics/address-of-before.md",
        grouping: Line,
        listing: Habit,
        #[error(
            "{field} of {object} contains {address}, but that Service is now in namespace {namespace}"
        )]
        OldAddress { field: String, object: Object, address: String, namespace: String },
    }

    KZ230 Error "`value` beside `valueFrom`" {
        means: "A variable of a container has both after a merge: the API server refuses the object. A strategic merge patch sets one of them and keeps the other.",
        action: "Remove the other one in the patch: `valueFrom: null`, or `value: null`.",
        page: "tests/cases/diagnostics/value-beside-value-from.md",
        #[error("{field} of {object} has `value` and `valueFrom`: the API server refuses that")]
        ValueBesideValueFrom { field: String, object: Object },
    }

    KZ231 Error "a key that the API server refuses" {
        means: "A key of a ConfigMap or Secret may contain letters, digits, `-`, `_` and `.` only. In a file of `envs`, each line is KEY=VALUE, without `export`.",
        action: "Correct the key.",
        page: "tests/cases/diagnostics/refused-key.md",
        listing: Habit,
        #[error("the key {key:?} of {object} is refused by the API server: it allows letters, digits, `-`, `_` and `.`")]
        RefusedKey { key: String, object: Object },
    }

    KZ232 Warning "a reference to a resource that is not in the build" {
        means: "A field of a built-in type refers to a resource that is not in the output, and the output has one of the same kind with a similar name.",
        action: "Correct the name. If the resource comes from elsewhere, add a comment `# kzui: ignore CODE because …`.",
        page: "tests/cases/diagnostics/missing-reference.md",
        #[error("{object} refers to {kind} {name:?} in {field}, which is not in the output")]
        MissingResource { object: Object, field: String, kind: String, name: String },
    }

    KZ233 Error "a field is written twice" {
        means: "A kustomization file has the same field twice. Kustomize reads the last one and ignores the others without a warning.",
        action: "Merge the two.",
        page: "tests/cases/diagnostics/field-twice.md",
        #[error("{field} is ignored here: it is written again in line {again}")]
        FieldTwice { field: String, again: u32 },
    }

    KZ234 Warning "a field that Kustomize ignores" {
        means: "The configuration of a built-in generator or transformer has a field that the plugin does not have. Kustomize ignores it without a warning.",
        action: "Correct or remove it.",
        page: "tests/cases/diagnostics/ignored-field.md",
        #[error("{field} is no field of this configuration: Kustomize ignores it")]
        IgnoredField { field: String },
    }

    KZ235 Warning "labels that do not reach the pods of a custom resource" {
        means: "Kustomize sets labels in selectors and pod templates of the kinds that it knows. In this custom resource it sets only those in metadata.",
        action: "Name the fields in a file listed under `configurations`, or set the labels in the resource.",
        page: "tests/cases/diagnostics/labels-of-custom-resource.md",
        grouping: Line,
        #[error("{field} are set in metadata of {object} only, not in {path}")]
        LabelsNotInTemplate { field: &'static str, object: Object, path: String },
    }

    KZ237 Warning "a reference that is changed to another resource" {
        means: "A reference names a resource of the output, and Kustomize changes it to another resource that had this name in an earlier layer.",
        action: "Rename the resources with `namePrefix` or `nameSuffix` in place of a patch, or write the name with a patch in a later layer.",
        page: "tests/cases/diagnostics/reference-to-another.md",
        #[error("{field} of {object} has {name:?}, a {kind} of the output, and is changed to {now:?}, which had this name before")]
        #[hint = "rename with `namePrefix` or `nameSuffix` in place of a patch of the name"]
        RedirectedReference { field: String, object: Object, kind: String, name: String, now: String },
    }

    KZ238 Warning "a selector for a Service without selector" {
        means: "Labels for selectors are written into a Service that has none on purpose: its Endpoints are in the build. Kubernetes then selects pods and replaces these endpoints.",
        action: "Set the labels without selectors (`labels` without `includeSelectors`), or load the Service in a layer without them.",
        page: "tests/cases/diagnostics/selector-added.md",
        #[error("{field} adds a selector to Service {name}, which has none: its Endpoints are in the build")]
        #[hint = "use `labels` without `includeSelectors`, or load the Service in a layer without these labels"]
        AddedSelector { field: &'static str, name: String },
    }

    KZ239 Error "an object without apiVersion" {
        means: "The object has no `apiVersion`: the API server refuses it, and Kustomize applies no field specs for its kind.",
        action: "Write `apiVersion` in the object.",
        page: "tests/cases/diagnostics/without-api-version.md",
        #[error("{0} has no apiVersion: the API server refuses it")]
        WithoutApiVersion(Object),
    }

    KZ240 Warning "a value of another type" {
        means: "A patch or replacement writes a value of another type than the field has in the schema: of Kubernetes, of a CustomResourceDefinition in the same build, or of `openapi`. A quoted number is a string. Not reported for strings that another program may replace: placeholders (`$`, `{{`, `<`), and values that SOPS has encrypted.",
        action: "Write a value of the type of the field.",
        page: "tests/cases/diagnostics/value-of-another-type.md",
        #[error("{field} of {object} is {found}, and the field is {expected}{}", wrong_type_effect(*schema))]
        WrongType {
            field: String,
            object: Object,
            expected: &'static str,
            found: &'static str,
            schema: TypeSource,
        },
    }

    KZ241 Error "a mount without its volume" {
        means: "A container mounts a volume that its pod does not have: the API server refuses the object. A patch for several workloads often adds the mount, and another patch adds the volume to some of them only.",
        action: "Add the volume, or correct the name.",
        page: "tests/cases/diagnostics/mount-without-volume.md",
        grouping: Resources,
        #[error("container {container} of {object} mounts the volume {volume:?}, which its pod does not have: the API server refuses that")]
        MountWithoutVolume { container: String, object: Object, volume: String },
    }

    KZ236 Warning "a field spec that matches no field" {
        means: "A field spec in a file listed under `configurations` names a type of the build, and no resource of that type has the field.",
        action: "Correct the path.",
        page: "tests/cases/diagnostics/field-spec-without-field.md",
        #[error("no {kind} of this layer has the field {path}")]
        NoSuchSpecField { kind: String, path: String },
    }
}

/// The source of the schema of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeSource {
    Kubernetes,
    /// A `CustomResourceDefinition` in the same build.
    Definition,
    OpenApi,
}

fn unknown_field_effect(schema: TypeSource) -> &'static str {
    match schema {
        TypeSource::Kubernetes => ": kubectl apply refuses the object",
        TypeSource::Definition => {
            ", which a CustomResourceDefinition of the build defines: kubectl apply refuses the object, and clients without validation lose the field without a warning"
        }
        TypeSource::OpenApi => " in the schema of `openapi`",
    }
}

fn wrong_type_effect(schema: TypeSource) -> &'static str {
    match schema {
        TypeSource::Kubernetes => ": the API server refuses the object",
        TypeSource::Definition => {
            " in the CustomResourceDefinition of the build: the API server refuses the object"
        }
        TypeSource::OpenApi => " in the schema of `openapi`",
    }
}

fn unlisted(files: &[String]) -> String {
    const SHOWN: usize = 4;
    if files.len() < 2 {
        return "this manifest: it is ".to_owned();
    }
    let named = files.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if files.len() > SHOWN { ", …" } else { "" };
    format!("{} manifests of this folder ({named}{more}): they are ", files.len())
}

fn more_objects_with_verb(more: usize) -> String {
    if more == 0 { "has".to_owned() } else { format!("and {more} more have") }
}
