//! Rules about a build, and not about one of its entries or resources.

super::rules! {
    /// A fact about the check of a target, and not about one of its entries.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum BuildRemark;

    KZ000 Error "the build fails for another reason" {
        means: "A step failed, so the build failed, with an error that has no separate code (known errors have the codes KZ010 to KZ071). The message ends with the innermost message of Kustomize.",
        action: "Follow the message: it names the file, the line and the expected content.",
    }

    KZ001 Warning "a warning of the build" {
        means: "Kustomize prints this on standard error: a deprecated field, a flag that contradicts the kustomization file, or a message of a function.",
        action: "Replace a deprecated field by the one that the message names; `kzui migrate` does it, and keeps every output.",
        listing: Repository,
    }

    KZ002 Warning "an ignore comment without a reason" {
        means: "A comment `# kzui: ignore CODE` has no `because …` after the codes, so it is not applied.",
        action: "Add the reason: `# kzui: ignore KZ110 because …`.",
        #[error("the ignore comment for {} has no reason and is not applied", .0.join(", "))]
        #[hint = "write `# kzui: ignore CODE because …`"]
        WaiverWithoutReason(Vec<String>),
    }

    KZ010 Error "invalid YAML" {
        means: "A file, a patch or an inline patch is not valid YAML. The line is the first one that the YAML reader cannot read; the cause may be in a line above.",
        action: "Correct the line: keys of one mapping start in one column, each has `: ` after it, and a string with `: ` or a leading `{`, `[`, `*`, `&` or `@` needs quotes.",
    }

    KZ011 Error "a merge conflict in a file" {
        means: "The file has the markers of an unfinished merge, `<<<<<<<`, `=======` and `>>>>>>>`.",
        action: "Keep one of the two sides and remove the markers.",
    }

    KZ012 Error "a template instead of YAML" {
        means: "The file has placeholders in double braces, as helm, gomplate or cookiecutter replace them before a build. Kustomize replaces none.",
        action: "Render the template first; list a chart under `helmCharts`.",
    }

    KZ013 Error "a tab in the indentation" {
        means: "YAML allows only spaces for indentation.",
        action: "Replace the tab by spaces.",
    }

    KZ014 Error "a field that Kustomize does not know" {
        means: "A kustomization file, or a configuration that Kustomize reads, has a key that is not one of its fields.",
        action: "Correct the key, or remove it.",
    }

    KZ015 Error "a value of the wrong type" {
        means: "A field of a kustomization file has a value of the wrong type: a number instead of a string, a mapping instead of a list.",
        action: "Write the value in the form that the help names.",
    }

    KZ016 Error "a kustomization file of the wrong kind or version" {
        means: "Kustomize does not accept the kind or apiVersion of a kustomization file.",
        action: "Write `kind: Kustomization` with `apiVersion: kustomize.config.k8s.io/v1beta1`, `kind: Component` with `v1alpha1`, or leave both out.",
    }

    KZ017 Error "an empty kustomization file" {
        means: "The kustomization file has no content.",
        action: "Write `resources: []`, or remove the file and the entries that list it.",
    }

    KZ020 Error "a path that does not exist" {
        means: "An entry names a file or a directory that does not exist.",
        action: "Correct the path: it is relative to the directory of the kustomization file.",
        listing: Habit,
    }

    KZ021 Error "a file outside of the directory" {
        means: "Kustomize reads only files in or below the directory of the kustomization file, unless its load restrictor is off.",
        action: "Move the file, list it in a kustomization of the directory that contains it, or allow it with `--load-restrictor LoadRestrictionsNone`.",
        listing: Habit,
    }

    KZ022 Error "a directory without a kustomization file" {
        means: "An entry names a directory without a `kustomization.yaml`, `kustomization.yml` or `Kustomization`.",
        action: "Add a kustomization file there, or remove the entry.",
    }

    KZ023 Error "a cycle" {
        means: "A kustomization builds on itself, or on a directory that contains it; or two Flux Kustomizations deploy each other.",
        action: "Move the shared part into a separate directory.",
    }

    KZ024 Error "a component in the wrong list" {
        means: "A Component is listed under `resources`, or a Kustomization under `components`.",
        action: "Move the entry to the other list, or change the kind of the listed file.",
    }

    KZ025 Error "several kustomization files in one directory" {
        means: "Kustomize reads one kustomization file of a directory, and refuses several.",
        action: "Keep one of them.",
    }

    KZ026 Error "a file in place of a directory, or the reverse" {
        means: "An entry of a list of files names a directory, or an entry of a list of directories names a file.",
        action: "Write a path of the right type, or move the entry to the list for this type.",
    }

    KZ027 Error "a remote that cannot be loaded" {
        means: "A URL or a repository cannot be fetched.",
        action: "Check the URL, the ref and your access; `--offline` builds with earlier fetches.",
    }

    KZ029 Note "a missing file that is made before a build" {
        means: "An entry names a file that does not exist, and the user or a script creates it before a build: a `.gitignore` file excludes it, a build file of the repository writes it, or an example of it is in the same folder. The target is not checked.",
        action: "Create the file, and check again.",
        #[error("{file} does not exist: {place} writes it")]
        WrittenBefore { file: String, place: String },
    }

    KZ028 Error "a deployment object without its directory" {
        means: "The directory that an Application or Flux Kustomization deploys is not in the repository.",
        action: "Correct the path, or add the directory; an ApplicationSet may generate an Application for a directory that exists only for some clusters.",
        grouping: Resources,
        listing: Habit,
    }

    KZ030 Error "two resources with the same id" {
        means: "Two resources of one build have the same group, version, kind, namespace and name.",
        action: "List the resource once, or give one of the two another name or namespace in the layer that adds it.",
    }

    KZ031 Error "an object without kind or name" {
        means: "A document of a resource file is not a Kubernetes object: it has no `kind`, no `apiVersion` or no `metadata.name`.",
        action: "Add the missing field; list a file without a Kubernetes object under another field.",
    }

    KZ032 Error "a namespace makes two ids equal" {
        means: "Two resources differ only in their namespace, and `namespace` gives both the same.",
        action: "Rename one of them, or leave one out of the kustomization. `namespace` renames every Namespace: list these in a kustomization without it.",
    }

    KZ040 Error "a patch without its resource" {
        means: "No resource at the step has the kind, name and namespace of a strategic merge patch without a target.",
        action: "Compare the patch with the resources before the step: they have their names without the prefixes and suffixes of the same kustomization.",
    }

    KZ041 Error "a patch with several resources" {
        means: "Several resources have the kind and name of a patch that has no target.",
        action: "Patch each in the layer that adds it, or select them with a `target`.",
    }

    KZ042 Error "an incomplete entry of `patches`" {
        means: "An entry needs either `path` or `patch`, and a JSON6902 patch needs a `target`.",
        action: "Write the missing part, or make two entries.",
    }

    KZ043 Error "an invalid patch" {
        means: "A patch is neither an object with kind and name nor a list of operations, or it is both.",
        action: "Write one of the two forms.",
    }

    KZ044 Error "a JSON6902 path that does not exist" {
        means: "An operation of a JSON6902 patch names a field or an element that the resource does not have at this step.",
        action: "Correct the path; `add` needs its parent, so add an empty list or mapping first.",
    }

    KZ045 Error "a JSON6902 test fails" {
        means: "A `test` operation expects a value that differs from the value of the resource at this step.",
        action: "Correct the expected value, or remove the patch if it no longer fits.",
    }

    KZ046 Error "an operation that is not valid" {
        means: "An operation of a JSON6902 patch lacks a part, or its `op` is not add, remove, replace, move, copy or test.",
        action: "Write the missing part.",
    }

    KZ050 Error "a replacement without its source" {
        means: "The `source` of a replacement selects no resource, or several.",
        action: "Correct the selector so that it matches exactly one resource.",
    }

    KZ051 Error "a field of a replacement that does not exist" {
        means: "The `fieldPath` of the source, or a path of a target, is not in the resource.",
        action: "Correct the path, set the field in a layer below, or write `options: {create: true}` for a target.",
    }

    KZ052 Error "an incomplete replacement" {
        means: "A replacement needs a source and at least one target with `select`.",
        action: "Write the missing part.",
    }

    KZ053 Error "a var without its field" {
        means: "The object of a var does not exist, several objects match it, or it does not have the field.",
        action: "Correct `objref` and `fieldref`.",
    }

    KZ054 Error "a variable of Flux without a value" {
        means: "An expression has a variable that is not set, and no default. Flux 2.9 and later versions then apply no object of the Flux Kustomization.",
        action: "Set the variable, write a default, escape the expression as `$${…}`, or annotate the object with `kustomize.toolkit.fluxcd.io/substitute: disabled`.",
        listing: Habit,
    }

    KZ055 Error "a variable substitution that fails" {
        means: "A manifest has a variable that Flux cannot read, or is no valid manifest after its variables are replaced.",
        action: "Correct the variable or its value, or escape it as `$${name}`.",
    }

    KZ060 Error "an entry of `replicas` without its workload" {
        means: "No Deployment, StatefulSet, ReplicaSet or ReplicationController has the name.",
        action: "Correct the name; other types need a field spec in `configurations`.",
    }

    KZ061 Error "a generator without an object to merge with" {
        means: "A generator with `behavior: merge` or `replace` has no resource with its name, or a generator that creates its resource, as by default, has the name of an existing one.",
        action: "Correct the name, the namespace or the behavior: a generator finds an object by the name and namespace that it had in its file.",
    }

    KZ062 Error "a source of a generator that is not valid" {
        means: "A literal, a file or an env file of a generator cannot be read as keys and values.",
        action: "Write `KEY=VALUE` for a literal, `KEY=PATH` or `PATH` for a file.",
    }

    KZ063 Error "a reference to several resources" {
        means: "A field refers to a name that several resources have, and no rule decides between them.",
        action: "Write the namespace in the reference, if it has that field, or rename one of them. Of two generators of one name, let one change the other with `behavior: merge` or `behavior: replace`.",
    }

    KZ064 Error "a selector that is not valid" {
        means: "A part of a target is not a valid regular expression, or a label selector cannot be parsed.",
        action: "Correct it: names are regular expressions, so `.*` and not `*` matches any.",
    }

    KZ065 Error "a field of the wrong type" {
        means: "A transformer finds a node at its path that it cannot write: a string instead of a mapping, or a mapping instead of a list.",
        action: "Correct the value at the line, or the path of the field spec.",
    }

    KZ070 Error "a program, function or chart fails" {
        means: "A function, an exec plugin or helm fails, or is not allowed to run.",
        action: "Follow the message of the program; flags such as `--enable-helm` allow it to run.",
    }

    KZ071 Error "a Composition that is not valid" {
        means: "A Composition, a catalog or one of its entries is not valid.",
        action: "Correct the entry that the message names.",
    }

    KZ033 Error "an Application without a source" {
        means: "An Application of Argo CD has no source with `path` or `chart`. A note if no kustomization lists the file, and in folders of samples and tests.",
        action: "Set `path` or `chart` of the source.",
    }

    KZ034 Error "a name of several deployment objects" {
        means: "The file, or its `ApplicationSet`, has several deployment objects with the name, or none is named. In a repository each of them is a target, and this is a note.",
        action: "Build one of the objects: the help lists their names.",
    }

    KZ035 Error "Applications with equal names" {
        means: "An `ApplicationSet` generates several Applications with one name, which Argo CD refuses.",
        action: "Narrow the generator, or put one of its parameters into `template.metadata.name`.",
        listing: Habit,
    }

    KZ192 Note "a build without load restrictions" {
        means: "Kustomize refuses a file outside the folder of a kustomization. `kzui check` reads such a file if it is in the repository, and the repository is built so: a build file passes `--load-restrictor LoadRestrictionsNone`, or Flux deploys the folder, which restricts no files.",
        action: "Set `load_restrictor = \"LoadRestrictionsNone\"` in .kzui.toml, so that other commands of kzui build the target as well.",
        listing: OnRequest,
        #[error("built without load restrictions: {0}")]
        Unrestricted(String),
    }

    KZ190 Note "a step is pending" {
        means: "The step needs something that is not fetched or not trusted: a remote base, a catalog, a function. kzui fetches and runs only on request.",
        action: "Fetch it (`F` in the workbench, `--fetch` on the command line), or review and trust the catalog or function.",
        listing: OnRequest,
        #[error("target not checked: its charts are rendered only with --enable-helm")]
        ChartsNotRendered,
        #[error("this target was not checked: a remote could not be fetched: {0}")]
        NotFetched(String),
    }

    KZ191 Note "not known while an earlier step is pending" {
        means: "A step before this entry is pending, and its resources may be the ones that the entry matches.",
        action: "Fetch or allow the pending step; then the entry is checked again.",
        effect: NotKnown,
        listing: OnRequest,
    }

    KZ193 Error "content differs from kzui.lock" {
        means: "A catalog or script differs from its entry in kzui.lock, or has no entry in it, so that its functions do not run.",
        action: "Review the changes with `kzui trust diff REF`; `kzui trust add REF` updates the lock file.",
    }
}
