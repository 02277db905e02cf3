//! What is wrong with a directory or file that is built.

use crate::resource::SchemaFault;
use crate::yaml::YamlError;

use super::own_profile::ProfileFault;

/// Why a layer of a build cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayerFault {
    /// A Composition is listed where a Component belongs: the directory.
    #[error("expected kind 'Component' for path '{0}' but got 'Composition'")]
    CompositionForComponent(String),
    /// A Kustomization is listed where a Component belongs: the directory.
    #[error("expected kind 'Component' for path '{0}' but got 'Kustomization'")]
    KustomizationForComponent(String),
    /// A Component is listed where none belongs: the directory.
    #[error("expected kind != 'Component' for path '{0}'")]
    Component(String),
    /// Too many layers inside each other.
    #[error("more than {0} kustomizations inside each other")]
    TooDeep(usize),
    /// Too many layers.
    #[error("more than {0} kustomizations in one build")]
    TooMany(usize),
    /// What the steps change takes more memory than so many MiB.
    #[error("the steps of this build take more than {0} MiB to record")]
    TooMuchRecorded(usize),
    /// A directory has none of the files that can be built.
    #[error(
        "unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '{0}'"
    )]
    NoKustomization(String),
    /// A directory has several of them.
    #[error("Found multiple kustomization files under: {directory} ({})", names.join(", "))]
    SeveralKustomizations {
        /// The directory.
        directory: String,
        /// The files.
        names: Vec<String>,
    },
    /// A kustomization file says that it is a Composition: the directory.
    #[error(
        "Failed to read kustomization file under {0}:\nkind should be Kustomization or Component; a Composition must be in composition.yaml"
    )]
    CompositionInKustomization(String),
    /// What a target says of the Kustomize that it is built with cannot be used.
    #[error("{0}")]
    OwnProfile(ProfileFault),
    /// Several objects of one file deploy a directory: how many.
    #[error("{0} objects deploy a directory here; one is built at a time")]
    SeveralDeployed(usize),
    /// The directory that an object deploys is not there: the path, and the object.
    #[error("the directory '{0}' of {1} is not in this repository")]
    NothingDeployed(String, String),
    /// `openapi` has a version and a path.
    #[error("builtin version and custom schema provided, cannot use both")]
    TwoSchemas,
    /// `openapi` names a version that is not built in.
    #[error("the specified OpenAPI version is not built in")]
    UnknownSchemaVersion,
    /// A custom schema cannot be read.
    #[error(transparent)]
    BadSchema(SchemaFault),
    /// A word of `fieldSpecStrategy`.
    #[error("fieldSpecStrategy \"{0}\" is neither merge nor replace")]
    UnknownSpecStrategy(String),
    /// A resource of the output cannot be printed.
    #[error("{0}")]
    Unprintable(YamlError),
}
