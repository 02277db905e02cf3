//! What Kustomize builds without a word, and what is hardly meant.

super::rules! {
    KZ210 Warning "a custom resource names what a resource was called before",
        "A prefix, suffix or hash renamed the resource. Kustomize follows the references that it knows, and it does not know this field.",
        "Name the field under `nameReference` in a file of `configurations`; the hint has it ready.",
        "tests/cases/diagnostics/stale-reference.md";
    KZ212 Warning "a patch makes a container without an image",
        "The name in the patch is that of no container, so that Kustomize adds one. It has no image at the end of the build.",
        "Correct the name, or give the new container an image.",
        "tests/cases/diagnostics/container-without-image.md";
    KZ213 Warning "a field that the type does not have",
        "A patch or replacement adds a field that is not in the type's schema, and one with a name that is near is.",
        "Correct the name of the field.",
        "tests/cases/diagnostics/misspelt-field.md";
    KZ214 Warning "an index hits another element than in the file",
        "Something before this step put elements into the list, so that the index of the JSON6902 patch means another one than where the resource is written.",
        "Use a strategic merge patch, which finds elements by name, or move this patch before the other.",
        "tests/cases/diagnostics/index-moved.md";
    KZ215 Warning "an index of a replacement is past the end",
        "The text has fewer parts between the delimiters: instead of replacing one, Kustomize appends. Nothing is said where `create` makes a text part by part.",
        "Count the parts from 0.",
        "tests/cases/diagnostics/index-past-the-end.md";
    KZ216 Warning "generatorOptions have nothing to work on",
        "They are for the generators of the same kustomization only, and there are none. Those of bases are not reached.",
        "Write them where the generators are, or remove them.",
        "tests/cases/diagnostics/generator-options.md";
    KZ217 Warning "an empty target deletes what the patch does not name",
        "A patch with `$patch: delete` goes to everything that its target selects; an empty target selects all.",
        "Leave the target out, so that the patch is for the object that it names, or say in the target what is meant.",
        "tests/cases/diagnostics/delete-with-empty-target.md";
    KZ218 Note "labels change a selector",
        "An entry of `labels` or `commonLabels` changes the selector of a workload that another layer has loaded. The selector of a workload cannot be changed once it is there: an apply over one that was made without these labels fails.",
        "For labels of metadata only, write `labels` without `includeSelectors`.",
        "tests/cases/diagnostics/labels-in-selectors.md";
    KZ219 Note "a namespace does not reach a chart's objects",
        "A kustomization, or an entry of `helmCharts`, says a namespace. Kustomize leaves alone what a chart renders (since v5.8.0), and helm writes the namespace only where the chart's templates do: these objects come without one, and go wherever they are applied to.",
        "Give the objects that lack it their namespace by a patch.",
        "";
    KZ220 Warning "a cluster-scoped custom resource gets a namespace",
        "Kustomize knows the scope of built-in kinds only, and gives all others the namespace.",
        "Load it in a layer without `namespace`.",
        "tests/cases/diagnostics/namespace-of-cluster-scoped.md";
    KZ221 Note "a name in a patch does not count",
        "Beside a target, kind and name of a strategic merge patch say nothing: the patch goes to whatever the target selects. Another object has, or nearly has, the name that the patch says. Nothing is said of a patch file that has an entry for the object that it names as well: there it is used again on purpose.",
        "Correct the name, or take it out.",
        "tests/cases/diagnostics/ignored-name.md";
    KZ222 Note "a manifest that nothing lists",
        "The file stands beside a kustomization, is an object or a patch, and no entry of any kustomization of the repository leads to it. It is in no build. Nothing is said of one that a comment of that kustomization names: it was switched off on purpose.",
        "List it; or remove it, if nothing but Kustomize is meant to use it.",
        "";
    KZ223 Warning "a placeholder in a name or image",
        "The output says `$(NAME)`, as `vars` have it, where the API server takes no such text. Nothing is said of `${NAME}`, which Flux, clusterctl and envsubst replace after a build.",
        "Write the value, or fill it in with a replacement.",
        "tests/cases/diagnostics/placeholder-left.md";
    KZ224 Warning "an address has the namespace that a Service had before",
        "A text says NAME.NAMESPACE.svc. A step moved that Service to another namespace, and no Service of the build has that name there now. Kustomize changes fields, and no parts of texts.",
        "Write the new namespace, leave it out where both are in one namespace, or fill it in with a replacement.",
        "tests/cases/diagnostics/address-of-before.md";
}
