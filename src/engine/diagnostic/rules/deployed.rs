//! Objects of Argo CD and Flux that deploy a directory.

use super::super::PlacedObject;
use super::schemas::and_more;

super::rules! {
    /// A part of a deployment object that has another effect in kzui than where the object is
    /// deployed, or no effect.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum DeployedRemark;

    KZ610 Warning "a source that is not built" {
        means: "The Application has sources or manifests that are not in this build: an object that a later source or file repeats, a source without a path, or, as a note, a chart or the source of a plugin.",
        action: "Remove one of the repeated objects. The output of a chart or plugin is missing in this build.",
        listing: Habit,
        #[error("a source of the Application is not built here: {0}")]
        OtherSource(&'static str),
        #[error("a source of the Application has no path, chart or ref")]
        SourceWithoutPath,
        #[error("{0} occurs {1} times among the objects of the Application; Argo CD deploys the last one")]
        Repeated(PlacedObject, usize),
    }

    KZ611 Note "the version of Kustomize of a deployment" {
        means: "An Application is built with the version profile of the Argo CD that the repository installs, or of the release in `kustomize.version`, unless --like, KZUI_LIKE or `.kzui.toml` sets another one. A Kustomization of Flux is built with that of the installed Flux; of a range such as `2.x`, the newest known release is assumed, or the one before it if the manifests have a fixed tag; a release older than the known ones counts as the oldest known one. A custom binary in `kustomize.version` has no version profile.",
        action: "Name the version with --like or in a `.kzui.toml`.",
        #[error("the Application sets Kustomize {0}, which is not a known release")]
        Version(String),
        #[error("built like {0}, because of the release or range that this repository installs")]
        Installed(&'static str),
    }

    KZ612 Note "a component is left out" {
        means: "A component does not exist, and `ignoreMissingComponents` skips it.",
        action: "No action if that is intended.",
        #[error("component {0} does not exist and is left out (ignoreMissingComponents)")]
        ComponentLeftOut(String),
    }

    KZ613 Warning "a variable of the running Argo CD" {
        means: "An image or label uses a variable that only the Argo CD that deploys the Application knows.",
        action: "Set the variable with --env.",
        #[error("{0} is set only in a running Argo CD; set it here with --env {0}=…")]
        KnownToArgoCd(String),
    }

    KZ614 Note "variables that are not known" {
        means: "`postBuild.substituteFrom` names a ConfigMap or Secret that is encrypted or not in the repository: expressions with its variables stay as written.",
        action: "Give the values with --env.",
        page: "tests/cases/deployed/flux-substitute-from.md",
        listing: OnRequest,
        #[error("variables of {0} are not known: {1}")]
        NotKnown(String, String),
        #[error(
            "{} may be variables that are not known: their expressions stay as written; \
             --env {}=… gives a value",
            .0.join(", "),
            .0.first().map_or("", String::as_str)
        )]
        UnknownVariables(Vec<String>),
        #[error(
            "{object} is not valid YAML without the values of {}: each of its fields is expanded separately",
            names.join(", ")
        )]
        NotSubstituted { object: String, names: Vec<String> },
    }

    KZ615 Note "encrypted files stay encrypted" {
        means: "Flux decrypts files before it builds; kzui does not.",
        action: "No action: Secrets keep their encrypted values.",
        listing: OnRequest,
        #[error("encrypted files are not decrypted here")]
        Encrypted,
    }

    KZ616 Warning "additions to a Composition have no effect" {
        means: "An Application or Flux Kustomization that deploys a Composition has build fields (images, patches, …): they have no effect.",
        action: "Write them into the Composition.",
        #[error("the build fields of {0} have no effect on a Composition")]
        NoAdditions(String),
    }

    KZ617 Note "Argo CD builds with other options" {
        means: "`kustomize.buildOptions` of the Argo CD that the repository configures contains flags that this build does not have. kzui does not apply them, because they allow programs to run.",
        action: "Add the flags to the command line.",
        page: "tests/cases/deployed/argo-build-options.md",
        listing: OnRequest,
        #[error(
            "Argo CD builds with `{options}` ({} of {}), this build has no `{}`",
            field.0,
            field.1,
            missing.join(" ")
        )]
        BuildOptions { options: String, field: (String, &'static str), missing: Vec<String> },
    }

    KZ625 Note "build options of Argo CD" {
        means: "`kustomize.buildOptions` of the Argo CD that the repository configures: in a ConfigMap `argocd-cm`, in the values of its chart, or in an ArgoCD object. Options that run no program are applied; without load restrictions, files outside the repository stay unreadable.",
        action: "No action.",
        page: "tests/cases/deployed/argo-build-options.md",
        listing: OnRequest,
        #[error("built with `{options}` ({} of {})", field.0, field.1)]
        AppliedOptions { options: String, field: (String, &'static str) },
    }

    KZ618 Note "an assumed repository" {
        means: "No git remote of the checkout has the URL of a source of the deployment objects; the source of most of them is assumed to be this repository.",
        action: "Add the remote with `git remote add`, if the assumption is wrong.",
        listing: Repository,
        #[error("{0} is assumed to be this repository: no git remote of the checkout has its URL")]
        AssumedRepository(String),
    }

    KZ619 Warning "a string becomes a boolean" {
        means: "Flux reads the manifests again after it replaced variables, and Argo CD reads those of a plain directory, as YAML 1.1: an unquoted `yes`, `no`, `on` or `off` is a boolean. In Flux, the quotes around an expression do not count.",
        action: "Quote the value; in a variable, put the quotes into the value.",
        #[error("`{word}` becomes {value} in {resource}: {reader} reads it as YAML 1.1")]
        BecomesBoolean { word: String, value: bool, resource: String, reader: &'static str },
    }

    KZ620 Warning "a variable without a value" {
        means: "An expression has a variable that is not set, and no default. Flux replaces it with an empty string, and fails from 2.9 on.",
        action: "Set the variable, write a default, or escape the expression as `$${…}`.",
        listing: Habit,
        #[error("{} not set: replaced with an empty string{}", unset_names(.names), and_more(*.more))]
        UnsetVariables { names: Vec<String>, more: usize },
    }

    KZ626 Warning "a directory that two Flux Kustomizations prune" {
        means: "Two Flux Kustomizations of one folder deploy the same directory with the same fields, and both prune. When one of them is deleted or gets another path, its prune deletes the objects of the other.",
        action: "Remove one of the two, or set another path.",
        page: "tests/cases/deployed/flux-shared-path.md",
        #[error("{name} deploys and prunes {path}, as the Flux Kustomization {other} does: each prunes the objects of the other")]
        #[hint = "remove one of the two, or give it another path"]
        SharedPath { name: String, other: String, path: String },
    }

    KZ622 Note "clusters that are not in the repository" {
        means: "A cluster generator has an element for each cluster that Argo CD knows. Their names and labels are not in the repository: one Application represents all of them. Without a selector the local cluster (`in-cluster`) always exists. In a merge, the clusters that a list names are assumed to exist.",
        action: "No action.",
        page: "tests/cases/deployed/application-set-clusters.md",
        #[error("{0} represents every cluster that the generator selects: only Argo CD knows the clusters")]
        AnyCluster(String),
        #[error("{0} is the Application of the local cluster: only Argo CD knows further clusters")]
        LocalCluster(String),
        #[error("the cluster of {0} is assumed to exist: only Argo CD knows the clusters")]
        AssumedCluster(String),
    }

    KZ623 Note "variables from the nearest file" {
        means: "No deployment object of this cluster deploys the ConfigMap or Secret in `substituteFrom`: the values are taken from the file or target nearest to the object.",
        action: "Give other values with --env.",
        page: "tests/cases/deployed/flux-nearest-variables.md",
        #[error("the variables of {0} are taken from {1}, the nearest one: no deployment object of this cluster deploys {0}")]
        NearestVariables(String, String),
    }

    KZ621 Note "a parent that is not known" {
        means: "The target that deploys the object does not build, has a pending part, or is itself deployed in several forms: the fields that it adds to the object are not known.",
        action: "Build the parent.",
        listing: OnRequest,
        #[error("the fields that {0} adds to the object are not known: {1}")]
        ParentNotKnown(String, String),
    }
}

fn unset_names(names: &[String]) -> String {
    let are = if names.len() == 1 { "is" } else { "are" };
    format!("{} {are}", names.join(", "))
}
