//! Why a function may not run, or cannot be resolved.

use std::path::PathBuf;

use crate::load::{ArtifactError, Digest, LoadError, ReferenceError};
use crate::resource::ResId;

use super::catalog::CatalogFault;
use super::misfit::Misfit;
use super::runtime::RuntimeFault;

/// Why a function does not run. A *who* is the object that configures it, `Kind/name (apiVersion)`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RefusalCause {
    /// External plugins of all kinds are not enabled: the kind of the object that needs one.
    #[error("external plugins disabled; unable to load external plugin '{0}'")]
    PluginsDisabled(String),
    /// A flag is missing for functions of its kind.
    #[error("{what} function '{who}' needs {flag}")]
    Gate {
        /// `exec`
        what: &'static str,
        /// Who.
        who: String,
        /// The flag.
        flag: &'static str,
    },
    /// A flag is missing for what it needs.
    #[error("function {who} requires {what}; use {flag}")]
    Needs {
        /// Who.
        who: String,
        /// What it needs.
        what: &'static str,
        /// The flag.
        flag: &'static str,
    },
    /// It needs the network: who.
    #[error(
        "function {0} requires network access, which is not enabled: network required but not enabled with --network"
    )]
    Network(String),
    /// It would run with all rights, and a flag forbids that.
    #[error("exec function {who} runs with your rights, which {flag} forbids")]
    Unconfined {
        /// Who.
        who: String,
        /// The flag.
        flag: &'static str,
    },
    /// Nobody asked to run it: who.
    #[error("function {0} is not run: nothing is run without being asked")]
    NotAsked(String),
    /// It may not be run: who, and why in the words of the port.
    #[error("function {0} is not run: {1}")]
    NotRun(String, String),
    /// A catalog is not trusted.
    #[error("catalog '{catalog}' (referenced by {file}) is not trusted; it is needed to run {who}")]
    Untrusted {
        /// The catalog as it is written.
        catalog: String,
        /// The file that lists it.
        file: String,
        /// Who.
        who: String,
    },
    /// A catalog is another than the one that is trusted.
    #[error("catalog '{catalog}' has digest {found}, trusted digest is {}", either(trusted))]
    OtherDigest {
        /// The catalog as it is written.
        catalog: String,
        /// Its digest.
        found: Digest,
        /// Those that are trusted.
        trusted: Vec<Digest>,
    },
    /// A catalog could not be read.
    #[error("catalog '{catalog}' is needed to resolve {who} but could not be read: {fault}")]
    UnreadCatalog {
        /// The catalog as it is written.
        catalog: String,
        /// Who.
        who: String,
        /// Why not.
        fault: Box<CatalogFault>,
    },
    /// What a catalog names is no reference: who, and why.
    #[error("{0}: {1}")]
    BadReference(String, ReferenceError),
    /// A catalog is listed by something that is no reference.
    #[error(transparent)]
    NoReference(#[from] ReferenceError),
    /// A catalog gives no runtime: who, and the catalog.
    #[error("{0}: {1} gives no runtime")]
    NoRuntime(String, String),
    /// The object says itself what runs it, wrongly.
    #[error("{0}")]
    Runtime(RuntimeFault),
    /// Nothing says what runs it.
    #[error(
        "no implementation found for {} {} (\"{}\"): not built in, and no runtime given; set `runtime`, or list the catalog that defines it under `catalogs`",
        .0.gvk.api_version(),
        .0.gvk.kind,
        .0.name
    )]
    NotImplemented(ResId),
    /// Neither does any catalog of its layer.
    #[error(
        "no implementation found for {} {} (\"{}\"): not built in, no runtime given, and none of the catalogs defines it (searched: {}){}{}",
        id.gvk.api_version(),
        id.gvk.kind,
        id.name,
        searched.join(", "),
        others.iter().map(|(catalog, versions)| other_versions(id, catalog, versions)).collect::<String>(),
        if *.elsewhere { "; catalogs of the including kustomization are not used for components" } else { "" }
    )]
    InNoCatalog {
        /// The object.
        id: Box<ResId>,
        /// The catalogs.
        searched: Vec<String>,
        /// Those that have it in other versions, and in which.
        others: Vec<(String, Vec<String>)>,
        /// A catalog of the kustomization that lists the component has it.
        elsewhere: bool,
    },
    /// The object does not fit the schema that a catalog has for it.
    #[error("{}", wrong.iter().map(|it| format!("{who}: {it} (schema of {catalog})")).collect::<Vec<_>>().join("\n"))]
    Schema {
        /// Who.
        who: String,
        /// The catalog.
        catalog: String,
        /// What does not fit.
        wrong: Vec<Misfit>,
    },
    /// What is fetched or read is not what it should be.
    #[error("sha256 mismatch for {what}: expected {expected}, got {found}")]
    Mismatch {
        /// The file or reference.
        what: String,
        /// The digest that is asked for.
        expected: String,
        /// That of what is there.
        found: String,
    },
    /// An image has a digest of its own, which is another.
    #[error("image digest and sha256 differ")]
    DigestsDiffer,
    /// The digest of an image is none: the image.
    #[error("image '{0}': its digest is not sha256 with 64 hexadecimal digits")]
    BadImageDigest(String),
    /// An image of a catalog is not pinned.
    #[error(transparent)]
    Unpinned(UnpinnedImage),
    /// What runs without a container has no digest to be held to.
    #[error("{what} function {who} has no sha256{missing}")]
    NoDigest {
        /// `exec`
        what: &'static str,
        /// Who.
        who: String,
        /// For what.
        missing: Undigested,
    },
    /// A catalog has nothing for this machine.
    #[error("function {who} has no binary for {platform}; available: {}", available.join(", "))]
    NoBinary {
        /// Who.
        who: String,
        /// `linux/amd64`
        platform: String,
        /// What it has.
        available: Vec<String>,
    },
    /// Something could not be had: who, and why.
    #[error("function {0}: {1}")]
    Artifact(String, ArtifactError),
    /// A catalog names a file, and was not read from a directory: who, and the path.
    #[error("{0}: the catalog names the file '{1}', but was not read from a directory")]
    NoDirectory(String, String),
    /// A file cannot be read.
    #[error("{what} function {who}: '{path}' cannot be read: {error}")]
    Unreadable {
        /// `exec`
        what: &'static str,
        /// Who.
        who: String,
        /// The file.
        path: String,
        /// Why not.
        error: Box<LoadError>,
    },
    /// A file of a catalog lies outside its directory.
    #[error("{what} path '{path}' is outside '{}'", directory.display())]
    Outside {
        /// `exec`
        what: &'static str,
        /// The file.
        path: String,
        /// The directory.
        directory: PathBuf,
    },
    /// The path of a script is absolute.
    #[error("absolute function path {0} not allowed")]
    AbsolutePath(String),
    /// The path of a script leads out of its directory.
    #[error("function path {0} not allowed to start with ../")]
    PathAbove(String),
    /// The program that evaluates scripts is not installed: the function.
    #[error("function {0} needs kzui-starlark, which is not installed")]
    NoInterpreter(String),
    /// A script is not UTF-8: who, and the path.
    #[error("starlark function {0}: '{1}' is not UTF-8 text")]
    ScriptNotUtf8(String, String),
    /// A script is to be fetched, which only a trusted catalog may ask for: who.
    #[error("starlark function {0}: a url is fetched only for a trusted catalog; use path")]
    ScriptByUrl(String),
    /// A program that must have a certain digest is not there: who, and the program.
    #[error("exec function {0}: '{1}' is not in PATH, so its sha256 cannot be checked")]
    NotInPath(String, String),
    /// It would run in `/`.
    #[error("root working directory '/' not allowed")]
    RootDirectory,
    /// `KRM_FN_RUNTIME` is none of the engines: what it is.
    #[error("KRM_FN_RUNTIME must be docker, podman or nerdctl, not '{0}'")]
    UnknownEngine(String),
    /// Something is no name of an image: who, and the image.
    #[error("function {0}: '{1}' is no container image")]
    NoImage(String, String),
    /// A mount is of another type.
    #[error("plugin {id}: a mount is one of {}, not '{kind}'", types.join(", "))]
    MountType {
        /// The object.
        id: Box<ResId>,
        /// What there is.
        types: &'static [&'static str],
        /// What it says.
        kind: String,
    },
    /// A mount is not below the directory of the kustomization.
    #[error("plugin {id} with mount path '{path}' is not permitted; {rule}")]
    Mount {
        /// The object.
        id: Box<ResId>,
        /// The path.
        path: String,
        /// Which rule it breaks.
        rule: MountRule,
    },
    /// A part of `--mount` is not known: the whole, and the part.
    #[error("--mount {0}: unknown part '{1}'; it takes type, source, target and rw")]
    MountPart(String, String),
}

/// An image that has no digest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnpinnedImage {
    /// It has a version.
    #[error("container image '{0}' has a version tag but no sha256; the catalog must pin it")]
    Version(String),
    /// It has a floating tag.
    #[error("image '{0}' is not pinned")]
    Floating(String),
}

/// What has no digest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undigested {
    /// A file.
    #[error(" for {0}")]
    File(String),
    /// What is fetched for this machine: `linux/amd64`.
    #[error(" for {0} and its location is not an OCI digest reference")]
    Platform(String),
    /// What is fetched.
    #[error(" and its location is not an OCI digest reference")]
    Location,
}

/// Where a mount may lie, and how it may be called (B.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MountRule {
    /// It is absolute.
    #[error("mount paths must be relative to the current kustomization directory")]
    Relative,
    /// It leads out of the directory.
    #[error("mount paths must be under the current kustomization directory")]
    Below,
    /// It would bring further options along.
    #[error("a mount path has no comma, quote or line break")]
    OnePart,
}

fn either(digests: &[Digest]) -> String {
    digests.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

fn other_versions(id: &ResId, catalog: &str, versions: &[String]) -> String {
    let (group, kind) = (&id.gvk.group, &id.gvk.kind);
    let name = if group.is_empty() { kind.to_string() } else { format!("{group}/{kind}") };
    format!("; {catalog} has {name} in versions {}", versions.join(", "))
}
