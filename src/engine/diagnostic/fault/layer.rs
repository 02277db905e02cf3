//! Errors of a directory or file that is built.

use crate::resource::SchemaFault;
use crate::yaml::YamlError;

use super::profile::ProfileFault;

/// The error of a layer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayerFault {
    #[error("expected kind 'Component' for path '{0}' but got 'Composition'")]
    CompositionForComponent(String),
    #[error("expected kind 'Component' for path '{0}' but got 'Kustomization'")]
    KustomizationForComponent(String),
    #[error("expected kind != 'Component' for path '{0}'")]
    Component(String),
    #[error("kustomizations nested more than {0} deep")]
    TooDeep(usize),
    #[error("more than {0} kustomizations in one build")]
    TooMany(usize),
    #[error("the steps of this build take more than {0} MiB to record")]
    TooMuchRecorded(usize),
    #[error(
        "unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '{0}'"
    )]
    NoKustomization(String),
    #[error("Found multiple kustomization files under: {directory} ({})", names.join(", "))]
    SeveralKustomizations { directory: String, names: Vec<String> },
    #[error(
        "Failed to read kustomization file under {0}:\nkind should be Kustomization or Component; a Composition must be in composition.yaml"
    )]
    CompositionInKustomization(String),
    /// The target declares an unknown version of Kustomize.
    #[error("{0}")]
    RepositorySettings(ProfileFault),
    #[error("the file has {0} deployment objects: build one of them")]
    SeveralDeployed(usize),
    #[error("the ApplicationSet generates {} Applications with the name {name}: from {}", paths.len(), paths.join(" and "))]
    EqualNames { name: String, paths: Vec<String> },
    /// The title of the `ApplicationSet`, and the first reason why its Applications are not known.
    #[error("the Applications of {0} are not known: {1}")]
    NoneGenerated(String, String),
    /// The title of the `ApplicationSet`, and the name, which its Applications do not have.
    #[error("{0} generates no Application {1}")]
    NoElement(String, String),
    #[error("{0} has no generators: it is a fragment that a patch completes")]
    NoGenerators(String),
    /// A file that changes the source of an Application cannot be read.
    #[error("error while parsing source parameters: {0}")]
    Unreadable(YamlError),
    /// A manifest of a plain directory that Argo CD refuses: its name, and the cause.
    #[error("Failed to unmarshal {0:?}: {1}")]
    BadManifest(String, String),
    #[error("the directory '{0}' of {1} is not in this repository")]
    NothingDeployed(String, String),
    #[error("{0} has neither a source nor a path: it is a fragment that a patch completes")]
    Fragment(String),
    #[error("{0} has no repoURL: it is a fragment that a patch completes")]
    FragmentWithoutUrl(String),
    /// The file is no target, because kustomizations list it as a patch only.
    #[error("{0} in this file is a patch, which completes another object")]
    PatchOfObject(String),
    #[error("{1} is deployed {0} times, with different fields")]
    SeveralParents(usize, String),
    #[error("{} deploys itself: {}", .0, .1.join(" → "))]
    DeploymentCycle(String, Vec<String>),
    #[error("builtin version and custom schema provided, cannot use both")]
    TwoSchemas,
    #[error("the specified OpenAPI version is not built in")]
    UnknownSchemaVersion,
    #[error(transparent)]
    BadSchema(SchemaFault),
    #[error("fieldSpecStrategy \"{0}\" is neither merge nor replace")]
    UnknownSpecStrategy(String),
    #[error("{0}")]
    Unprintable(YamlError),
}
