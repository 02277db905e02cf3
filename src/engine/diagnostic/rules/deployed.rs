//! Objects of Argo CD and Flux that deploy a directory.

super::rules! {
    /// A part of a deployment object that has another effect here than where it deploys, or none.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum DeployedRemark;

    KZ610 Warning "a source that is not built" {
        means: "The Application has sources that are no Kustomize directory of this tree: a chart, a plugin, another repository.",
        action: "Their output is not in this build.",
        #[error("a source of the Application is not built here: {0}")]
        OtherSource(&'static str),
    }

    KZ611 Note "the Application asks for a version" {
        means: "`kustomize.version` names a binary of the Argo CD that deploys it; it does not choose the version here.",
        action: "Name the version with --like.",
        #[error("the Application asks for Kustomize {0}, which does not choose the version here")]
        Version(String),
    }

    KZ612 Note "a component is left out" {
        means: "A component does not exist, and `ignoreMissingComponents` skips it.",
        action: "No action if that is intended.",
        #[error("component {0} is not there and is left out (ignoreMissingComponents)")]
        ComponentLeftOut(String),
    }

    KZ613 Warning "a variable of the running Argo CD" {
        means: "An image or label uses a variable that only the Argo CD that deploys the Application knows.",
        action: "Give it with --env.",
        #[error("{0} is known to a running Argo CD only; --env {0}=… gives it here")]
        KnownToArgoCd(String),
    }

    KZ614 Warning "substitutions from the cluster" {
        means: "`postBuild.substituteFrom` reads ConfigMaps and Secrets of the cluster; the variables that they hold are not replaced here.",
        action: "Give them in `postBuild.substitute` to see them replaced.",
        #[error("postBuild.substituteFrom reads objects of the cluster, which are not known here")]
        SubstituteFrom,
        #[error(
            "{} may come from objects of the cluster: expressions with such a name stay as they are written; \
             --env {}=… gives it here",
            .0.join(", "),
            first(.0)
        )]
        UnknownVariables(Vec<String>),
    }

    KZ615 Warning "encrypted files stay encrypted" {
        means: "Flux decrypts files before it builds; kzui does not.",
        action: "No action: Secrets keep their encrypted values.",
        #[error("encrypted files are not decrypted here")]
        Encrypted,
    }

    KZ616 Warning "a Composition takes no additions" {
        means: "An Application or Flux Kustomization points to a Composition: its additions have no place there.",
        action: "Write them into the Composition.",
        #[error("a Composition takes no additions: those of {0} are ignored")]
        NoAdditions(String),
    }

    KZ617 Warning "Argo CD builds with other options" {
        means: "`kustomize.buildOptions` of the ConfigMap `argocd-cm`, in a file of the repository with that name, gives flags that this build does not have. kzui does not apply them, because they permit reading and running more.",
        action: "Give the flags on the command line.",
        page: "tests/cases/deployed/argo-build-options.md",
        #[error(
            "Argo CD builds with `{options}` ({} of {}), this build without `{}`",
            field.0,
            field.1,
            missing.join(" ")
        )]
        BuildOptions { options: String, field: (&'static str, &'static str), missing: Vec<String> },
    }
}

fn first(names: &[String]) -> &str {
    names.first().map_or("", String::as_str)
}
