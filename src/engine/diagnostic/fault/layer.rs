//! Errors of a directory or file that is built.

use crate::resource::SchemaFault;
use crate::yaml::YamlError;

/// The error of a version profile, or of the file that names one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProfileFault(pub String);

super::faults! {
    /// The error of a layer.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum LayerFault {
        KZ024 #[error("expected kind 'Component' for path '{0}' but got 'Composition'")]
        CompositionForComponent(String),
        KZ024 #[error("expected kind 'Component' for path '{0}' but got 'Kustomization'")]
        KustomizationForComponent(String),
        KZ024 #[error("expected kind != 'Component' for path '{0}'")]
        Component(String),
        KZ000 #[error("kustomizations nested more than {0} deep")]
        TooDeep(usize),
        KZ000 #[error("more than {0} kustomizations in one build")]
        TooMany(usize),
        KZ000 #[error("the steps of this build take more than {0} MiB to record")]
        TooMuchRecorded(usize),
        KZ022 #[error(
            "unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '{0}'"
        )]
        NoKustomization(String),
        KZ025 #[error("Found multiple kustomization files under: {directory} ({})", names.join(", "))]
        SeveralKustomizations { directory: String, names: Vec<String> },
        KZ016 #[error(
            "Failed to read kustomization file under {0}:\nkind should be Kustomization or Component; a Composition must be in composition.yaml"
        )]
        CompositionInKustomization(String),
        /// The target declares an unknown version of Kustomize.
        KZ000 #[error("{0}")]
        RepositorySettings(ProfileFault),
        KZ034 #[error("the file has {0} deployment objects: build one of them")]
        SeveralDeployed(usize),
        KZ035 #[error("the ApplicationSet generates {} Applications with the name {name}: from {}", paths.len(), paths.join(" and "))]
        EqualNames { name: String, paths: Vec<String> },
        /// The title of the `ApplicationSet`, and the first reason why its Applications are not known.
        KZ000 #[error("the Applications of {0} are not known: {1}")]
        NoneGenerated(String, String),
        /// The title of the `ApplicationSet`, and the name, which its Applications do not have.
        KZ000 #[error("{0} generates no Application {1}")]
        NoElement(String, String),
        KZ000 #[error("{0} has no generators: it is a fragment that a patch completes")]
        NoGenerators(String),
        /// A file that changes the source of an Application cannot be read.
        KZ010 #[error("error while parsing source parameters: {0}")]
        Unreadable(YamlError),
        /// A manifest of a plain directory that Argo CD refuses: its name, and the cause.
        KZ000 #[error("Failed to unmarshal {0:?}: {1}")]
        BadManifest(String, String),
        KZ028 #[error("the directory '{0}' of {1} is not in this repository")]
        NothingDeployed(String, String),
        KZ000 #[error("{0} has neither a source nor a path: it is a fragment that a patch completes")]
        Fragment(String),
        KZ000 #[error("{0} has no repoURL: it is a fragment that a patch completes")]
        FragmentWithoutUrl(String),
        /// The file is no target, because kustomizations list it as a patch only.
        KZ000 #[error("{0} in this file is a patch, which completes another object")]
        PatchOfObject(String),
        KZ000 #[error("{1} is deployed {0} times, with different fields")]
        SeveralParents(usize, String),
        KZ023 #[error("{} deploys itself: {}", .0, .1.join(" → "))]
        DeploymentCycle(String, Vec<String>),
        KZ000 #[error("builtin version and custom schema provided, cannot use both")]
        TwoSchemas,
        KZ000 #[error("the specified OpenAPI version is not built in")]
        UnknownSchemaVersion,
        KZ000 #[error(transparent)]
        BadSchema(SchemaFault),
        KZ000 #[error("fieldSpecStrategy \"{0}\" is neither merge nor replace")]
        UnknownSpecStrategy(String),
        KZ000 #[error("{0}")]
        Unprintable(YamlError),
    }
}
