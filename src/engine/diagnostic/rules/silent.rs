//! Probable mistakes that Kustomize builds without a warning.

use crate::diagnostic::object::Object;

super::rules! {
    /// A probable mistake that Kustomize does not report. Paths have dots.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum SilentRemark;

    KZ210 Warning "a custom resource names what a resource was called before" {
        means: "A prefix, suffix or hash renamed the resource. Kustomize follows the references that it knows, and it does not know this field.",
        action: "Name the field under `nameReference` in a file of `configurations`; the hint has it ready.",
        page: "tests/cases/diagnostics/stale-reference.md",
        grouping: Line,
        #[error(
            "{field} of {object} says {says:?}, which the {kind} was called before: it is {now:?} now, and Kustomize does not \
             know that this field refers to it"
        )]
        StaleReference { field: String, object: Object, says: String, kind: String, now: String },
    }

    KZ212 Warning "a patch makes a container without an image" {
        means: "The name in the patch is that of no container, so that Kustomize adds one. It has no image at the end of the build.",
        action: "Correct the name, or give the new container an image.",
        page: "tests/cases/diagnostics/container-without-image.md",
        #[error("the patch makes a new element {name} of {list} in {object}, which has no image")]
        NoImage { name: String, list: &'static str, object: Object },
    }

    KZ213 Warning "a field that the type does not have" {
        means: "A patch or replacement adds a field that is not in the type's schema, and one with a name that is near is.",
        action: "Correct the name of the field.",
        page: "tests/cases/diagnostics/misspelt-field.md",
        #[error("{field} of {object} is no field of this type: the step adds it beside those that are")]
        NoSuchField { field: String, object: Object },
    }

    KZ214 Warning "an index hits another element than in the file" {
        means: "Something before this step put elements into the list, so that the index of the JSON6902 patch means another one than where the resource is written.",
        action: "Use a strategic merge patch, which finds elements by name, or move this patch before the other.",
        page: "tests/cases/diagnostics/index-moved.md",
        #[error("{pointer} is {now:?} at this step; where the resource is written it is {was:?}")]
        #[hint = "a strategic merge patch finds elements by name"]
        MovedIndex { pointer: String, now: String, was: String },
    }

    KZ215 Warning "an index of a replacement is past the end" {
        means: "The text has fewer parts between the delimiters: instead of replacing one, Kustomize appends. Nothing is said where `create` makes a text part by part.",
        action: "Count the parts from 0.",
        page: "tests/cases/diagnostics/index-past-the-end.md",
        #[error(
            "index {index} is past the end of {}: between {delimiter:?} there {}, so the text is appended",
            shown(text.as_deref()),
            are_parts(*parts)
        )]
        PastEnd { index: usize, text: Option<String>, delimiter: String, parts: usize },
    }

    KZ216 Warning "generatorOptions have nothing to work on" {
        means: "They are for the generators of the same kustomization only, and there are none. Those of bases are not reached.",
        action: "Write them where the generators are, or remove them.",
        page: "tests/cases/diagnostics/generator-options.md",
        #[error(
            "generatorOptions have nothing to work on: this kustomization has no configMapGenerator and no \
             secretGenerator, and they do not reach those of its bases"
        )]
        #[hint = "write them where the generators are"]
        NoGenerators,
    }

    KZ217 Warning "an empty target deletes what the patch does not name" {
        means: "A patch with `$patch: delete` goes to everything that its target selects; an empty target selects all.",
        action: "Leave the target out, so that the patch is for the object that it names, or say in the target what is meant.",
        page: "tests/cases/diagnostics/delete-with-empty-target.md",
        #[error("`$patch: delete` with an empty target removes {0} objects; the patch names one")]
        #[hint = "leave the target out, or say in it what is meant"]
        DeletesMore(usize),
    }

    KZ218 Note "labels change a selector" {
        means: "An entry of `labels` or `commonLabels` changes the selector of a workload that another layer has loaded. The selector of a workload cannot be changed once it is there: an apply over one that was made without these labels fails.",
        action: "For labels of metadata only, write `labels` without `includeSelectors`.",
        page: "tests/cases/diagnostics/labels-in-selectors.md",
        grouping: Line,
        #[error(
            "{field} of this layer change the selector of {first}{}: the API server refuses that for objects that were applied \
             without them",
            and_of_more(*more)
        )]
        #[hint = "for labels of metadata only, write `labels` without `includeSelectors`"]
        SelectorChanged { field: &'static str, first: Object, more: usize },
    }

    KZ219 Note "a namespace does not reach a chart's objects" {
        means: "A kustomization, or an entry of `helmCharts`, says a namespace. Kustomize leaves alone what a chart renders (since v5.8.0), and helm writes the namespace only where the chart's templates do: these objects come without one, and go wherever they are applied to.",
        action: "Give the objects that lack it their namespace by a patch.",
        #[error("{said}, and {first} {} none at the end", have(*more))]
        ChartWithoutNamespace { said: NamespaceSource, first: Object, more: usize },
    }

    KZ220 Warning "a cluster-scoped custom resource gets a namespace" {
        means: "Kustomize knows the scope of built-in kinds only, and gives all others the namespace.",
        action: "Load it in a layer without `namespace`.",
        page: "tests/cases/diagnostics/namespace-of-cluster-scoped.md",
        grouping: Resources,
        #[error(
            "{0} gets a namespace, and objects of this kind have none: Kustomize does not know the scope of custom kinds"
        )]
        #[hint = "load it in a layer without `namespace`"]
        ClusterScoped(Object),
    }

    KZ221 Note "a name in a patch does not count" {
        means: "Beside a target, kind and name of a strategic merge patch say nothing: the patch goes to whatever the target selects. Another object has, or nearly has, the name that the patch says. Nothing is said of a patch file that has an entry for the object that it names as well: there it is used again on purpose.",
        action: "Correct the name, or take it out.",
        page: "tests/cases/diagnostics/ignored-name.md",
        #[error(
            "the patch says name {says:?}, which does not count beside a target: it goes to {goes_to:?}{}",
            and_more(*more)
        )]
        NameBesideTarget { says: String, goes_to: String, more: usize },
    }

    KZ222 Note "a manifest that nothing lists" {
        means: "The file stands beside a kustomization, is an object or a patch, and no entry of any kustomization of the repository leads to it. It is in no build. Nothing is said of one that a comment of that kustomization names: it was switched off on purpose.",
        action: "List it; or remove it, if nothing but Kustomize is meant to use it.",
        #[error("no kustomization of the repository lists this manifest: it is in no build")]
        #[hint = "list it; or remove it, if nothing but Kustomize is meant to use it"]
        Unlisted,
    }

    KZ223 Warning "a placeholder in a name or image" {
        means: "The output says `$(NAME)`, as `vars` have it, where the API server takes no such text. Nothing is said of `${NAME}`, which Flux, clusterctl and envsubst replace after a build.",
        action: "Write the value, or fill it in with a replacement.",
        page: "tests/cases/diagnostics/placeholder-left.md",
        #[error("{field} of {object} still says {placeholder}: no such text is allowed there")]
        #[hint = "write the value, or fill it in with a replacement"]
        Placeholder { field: String, object: Object, placeholder: String },
    }

    KZ224 Warning "an address has the namespace that a Service had before" {
        means: "A text says NAME.NAMESPACE.svc. A step moved that Service to another namespace, and no Service of the build has that name there now. Kustomize changes fields, and no parts of texts.",
        action: "Write the new namespace, leave it out where both are in one namespace, or fill it in with a replacement.",
        page: "tests/cases/diagnostics/address-of-before.md",
        grouping: Line,
        #[error(
            "{field} of {object} says {address}, and that Service is in the namespace {namespace} now"
        )]
        OldAddress { field: String, object: Object, address: String, namespace: String },
    }
}

/// Where the namespace is written that the objects of a chart do not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NamespaceSource {
    #[error("namespace {0} does not reach what charts render")]
    Kustomization(String),
    #[error("the chart says namespace {0}")]
    Chart(String),
}

fn and_of_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" and of {count} more") }
}

fn have(more: usize) -> String {
    if more == 0 { "has".to_owned() } else { format!("and {more} more have") }
}

fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" and {count} more") }
}

fn shown(text: Option<&str>) -> String {
    text.map_or_else(|| "the text".to_owned(), |text| format!("{text:?}"))
}

fn are_parts(count: usize) -> String {
    if count == 1 { "is 1 part".to_owned() } else { format!("are {count} parts") }
}
