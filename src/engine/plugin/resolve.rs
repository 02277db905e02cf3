//! Turns the runtime of an object into a function that is allowed to run. Running requires a
//! [`FunctionRef`], and only this file creates one.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{Hint, ProgramRemark, RefusalCause};
use crate::load::{Digest, ImageReference, LoadError, Root, clean, is_absolute};
use crate::resource::ResId;
use crate::yaml::Mark;

use super::options::Gates;
use super::spec::{FunctionSpec, Mount, SpecKind};
use super::{Confinement, Programs};

/// The use of the mounts of the command line (`--mount`) by a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagMounts {
    /// All of them: the runtime is set in the repository, as in Kustomize.
    Taken,
    /// All of them, and at least one is required: the catalog sets `requireStorageMount`.
    Required,
    /// None: the catalog does not set `requireStorageMount`, and both the catalog and the user have
    /// to allow mounts (ruling 11).
    Refused,
}

/// The program of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Implementation {
    Container {
        image: String,
        /// True if the function requires the network; `--network` decides whether it gets access.
        network: bool,
        /// Whether the container gets the mounts of the `--mount` flags.
        flag_mounts: FlagMounts,
        /// Mounts in the configuration; their sources are relative to the layer's directory.
        mounts: Vec<Mount>,
        /// Environment, `NAME=VALUE` or `NAME`.
        envs: Vec<String>,
    },
    Exec {
        path: PathBuf,
        args: Vec<String>,
        /// Environment, `NAME=VALUE` or `NAME`.
        envs: Vec<String>,
        /// The digest of the program's bytes, to identify cached results.
        digest: String,
        /// The verified bytes, if a digest was required: they run, not the file at the path.
        pinned: Option<PinnedBytes>,
        /// The confinement; `None` for a program that the user enabled with a flag.
        confinement: Option<Confinement>,
    },
    /// A Starlark script, evaluated by the confined program `kzui-starlark`.
    Starlark { name: String, script: Arc<str> },
}

/// Bytes with a verified digest.
#[derive(Clone, PartialEq, Eq)]
pub struct PinnedBytes(pub Arc<[u8]>);

impl std::fmt::Debug for PinnedBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pinned({} bytes)", self.0.len())
    }
}

/// The action or decision that must precede a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequiredAction {
    /// The user has to request the run; it is allowed.
    Asked,
    AllowByFlag,
    Install,
    Fetch,
    /// The user has to trust the catalog with this reference.
    Trust(String),
    /// The user has to review the catalog again: its content differs from the trusted one.
    Review(String),
    FetchOfCatalog(String),
    EarlierStep,
}

/// A function that is allowed to run: its program and its directory. Made only by [`resolve`] (and for a trusted catalog by [`FunctionRef::trusted`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionRef {
    pub(super) shown: String,
    pub(super) id: ResId,
    pub(super) implementation: Implementation,
    /// True if flags allow the function, false if a trusted catalog defines it.
    pub(super) is_by_flags: bool,
    /// The directory of the layer: the working directory, to which relative mounts refer.
    pub(super) directory: PathBuf,
    /// No other file creates the value.
    _allowed: (),
}

/// The reason why a function is not allowed to run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{cause}")]
pub struct RunRefusal {
    pub cause: RefusalCause,
    /// The action that must precede a run, with the hint that describes it; in the workbench the
    /// step is pending. `None` for an invalid configuration, which no permission can make valid.
    pub required: Option<(Box<Hint>, RequiredAction)>,
    /// The location, if it differs from the object's.
    pub mark: Option<Mark>,
}

impl RunRefusal {
    /// The refusal if external plugins are not enabled.
    pub fn plugins_disabled(id: &ResId) -> Self {
        let cause = RefusalCause::PluginsDisabled(id.gvk.kind.to_string());
        Self::needs_flag(cause, "use --enable-alpha-plugins, or a trusted catalog")
    }

    /// The refusal of an invalid configuration, which no permission can make valid.
    pub fn invalid(cause: impl Into<RefusalCause>) -> Self {
        cause.into().into()
    }

    /// The refusal of an invalid configuration, with a location other than that of the object.
    pub fn invalid_at(cause: RefusalCause, mark: Mark) -> Self {
        Self { mark: Some(mark), ..cause.into() }
    }

    pub(super) fn needs_flag(cause: impl Into<RefusalCause>, hint: impl Into<Hint>) -> Self {
        Self::not_allowed(cause, hint, RequiredAction::AllowByFlag)
    }

    pub(super) fn not_allowed(
        cause: impl Into<RefusalCause>,
        hint: impl Into<Hint>,
        awaited: RequiredAction,
    ) -> Self {
        Self { required: Some((Box::new(hint.into()), awaited)), ..Self::invalid(cause) }
    }

    pub(super) fn unreadable(kind: &str, function: &str, path: &str, error: &dyn Display) -> Self {
        Self::invalid(format!("{kind} function {function}: '{path}' cannot be read: {error}"))
    }

    pub(super) fn path_above(path: &str) -> Self {
        let text = format!("function path {path} not allowed to start with ../");
        let remedy = "move the script below the folder of this file, or allow the path with --load-restrictor LoadRestrictionsNone";
        RefusalCause::Other { text, remedy: Some(remedy) }.into()
    }

    pub(super) fn mount(id: &ResId, path: &str, rule: &str) -> Self {
        Self::invalid(format!("plugin {id} with mount path '{path}' is not permitted; {rule}"))
    }
}

impl From<RefusalCause> for RunRefusal {
    fn from(cause: RefusalCause) -> Self {
        Self { cause, required: None, mark: None }
    }
}

pub(super) const DIGESTS_DIFFER: &str = "the digest in the image and its sha256 differ";
pub(super) const MOUNT_BELOW: &str =
    "mount paths must be under the current kustomization directory";

impl FunctionRef {
    /// A function of a trusted catalog: only the code that checks trust calls it.
    pub(super) fn trusted(id: &ResId, implementation: Implementation, directory: &Path) -> Self {
        let (shown, directory) = (display(id), directory.to_owned());
        Self { shown, id: id.clone(), implementation, is_by_flags: false, directory, _allowed: () }
    }

    /// The configuring object for messages: `Kind/name (apiVersion)`.
    pub fn configured_by(&self) -> &str {
        &self.shown
    }
}

/// The id for messages: `Kind/name (apiVersion)`.
pub fn display(id: &ResId) -> String {
    let name = if id.name.is_empty() { String::new() } else { format!("/{}", id.name) };
    let version = id.gvk.api_version();
    let version = if version.is_empty() { version } else { format!(" ({version})") };
    format!("{}{name}{version}", id.gvk.kind)
}

/// Checks the flags and everything else that is known before a run (A.9).
///
/// # Errors
/// A missing flag, a program that cannot be read, or a digest that does not match.
pub fn resolve(
    spec: &FunctionSpec,
    id: &ResId,
    root: &Root,
    gates: Gates,
    programs: &dyn Programs,
) -> Result<FunctionRef, RunRefusal> {
    let shown = display(id);
    if !gates.plugins {
        // The runtime is set in the tree, so that no catalog can allow it.
        let cause = RefusalCause::PluginsDisabled(id.gvk.kind.to_string());
        return Err(RunRefusal::needs_flag(cause, "use --enable-alpha-plugins"));
    }
    let gate = |open: bool, runtime: &str, flag: &str| {
        // Kustomize: without its flag an exec function is silently skipped.
        let cause = format!("{runtime} function '{shown}' needs {flag}");
        let hint = format!("{flag} allows the program to run on this machine, with your rights");
        if open { Ok(()) } else { Err(RunRefusal::needs_flag(cause, hint)) }
    };
    let implementation = match spec.kind {
        SpecKind::Container => container(spec, id, root)?,
        SpecKind::Exec => {
            gate(gates.exec, "exec", "--enable-exec")?;
            exec(spec, &shown, root, programs)?
        }
        SpecKind::Starlark => {
            gate(gates.star, "starlark", "--enable-star")?;
            starlark(spec, &shown, root)?
        }
    };
    let directory = root.path().to_owned();
    if directory.parent().is_none() {
        return Err(RunRefusal::invalid("root working directory '/' not allowed".to_owned()));
    }
    let id = id.clone();
    Ok(FunctionRef { shown, id, implementation, is_by_flags: true, directory, _allowed: () })
}

fn container(spec: &FunctionSpec, id: &ResId, root: &Root) -> Result<Implementation, RunRefusal> {
    let relative = |mount: &&Mount| mount.is_bind() && !is_absolute(Path::new(&mount.source));
    for mount in spec.mounts.iter().filter(relative) {
        // Unlike Kustomize, which checks only the text of the path, resolve links: they may lead
        // out of the root.
        let resolved = root.files().resolve(&root.path().join(&mount.source));
        if resolved.is_ok_and(|(path, _)| !path.starts_with(root.path())) {
            return Err(RunRefusal::mount(id, &mount.source, MOUNT_BELOW));
        }
    }
    Ok(Implementation::Container {
        image: image_with_digest(&spec.location, spec.sha256)?,
        network: spec.network,
        flag_mounts: FlagMounts::Taken,
        mounts: spec.mounts.clone(),
        envs: spec.envs.clone(),
    })
}

/// The image with its digest, so that the container engine verifies it (B.6).
fn image_with_digest(image: &str, sha256: Option<Digest>) -> Result<String, RunRefusal> {
    match (sha256, image.split_once("@sha256:")) {
        (None, _) => Ok(image.to_owned()),
        (Some(sha256), Some((_, own))) if own == sha256.hex() => Ok(image.to_owned()),
        (Some(_), Some(_)) => Err(RunRefusal::invalid(DIGESTS_DIFFER.to_owned())),
        (Some(sha256), None) => Ok(format!("{}@{sha256}", ImageReference::parse(image).name)),
    }
}

/// The program of an `exec` runtime. As in Kustomize, it is a name in `PATH`, or a path relative to
/// the layer's directory that may lead out of it (ruling 19, which replaces D-C5).
/// [`exec_path_remark`] reports both cases.
fn exec(
    spec: &FunctionSpec,
    configured_by: &str,
    root: &Root,
    programs: &dyn Programs,
) -> Result<Implementation, RunRefusal> {
    let (args, envs) = (spec.args.clone(), spec.envs.clone());
    let path = if spec.location.contains('/') {
        clean(&root.path().join(&spec.location))
    } else if let Some(path) = programs.locate(&spec.location) {
        path
    } else if spec.sha256.is_some() {
        return Err(RunRefusal::invalid(format!(
            "exec function {configured_by}: '{}' is not in PATH, so its sha256 cannot be checked",
            spec.location
        )));
    } else {
        // A program that is not in `PATH` is an error only when the function runs.
        let (path, digest) = (PathBuf::from(&spec.location), String::new());
        let (pinned, confinement) = (None, None);
        return Ok(Implementation::Exec { path, args, envs, digest, pinned, confinement });
    };
    let bytes = root.files().read(&path).map_err(|source| {
        let error = LoadError::Read { path: path.clone(), source };
        RunRefusal::unreadable("exec", configured_by, &spec.location, &error)
    })?;
    let digest = checked(&bytes, spec.sha256, &spec.location)?.hex();
    let pinned = spec.sha256.is_some().then_some(PinnedBytes(bytes));
    Ok(Implementation::Exec { path, args, envs, digest, pinned, confinement: None })
}

fn starlark(
    spec: &FunctionSpec,
    configured_by: &str,
    root: &Root,
) -> Result<Implementation, RunRefusal> {
    if !spec.url.is_empty() {
        return Err(RunRefusal::invalid(format!(
            "starlark function {configured_by}: a url is fetched only for a trusted catalog; use path"
        )));
    }
    let path = &spec.location;
    if is_absolute(Path::new(path)) {
        return Err(RunRefusal::invalid(format!("absolute function path {path} not allowed")));
    }
    let loaded = root.load(path).map_err(|error| match error {
        LoadError::OutsideRoot { .. } if path.starts_with("../") => RunRefusal::path_above(path),
        error => RunRefusal::unreadable("starlark", configured_by, path, &error),
    })?;
    checked(&loaded.bytes, spec.sha256, path)?;
    let name = if spec.name.is_empty() { path.clone() } else { spec.name.clone() };
    starlark_script(configured_by, path, name, &loaded.bytes)
}

pub(super) fn starlark_script(
    configured_by: &str,
    path: &str,
    name: String,
    bytes: &[u8],
) -> Result<Implementation, RunRefusal> {
    let script = std::str::from_utf8(bytes).map_err(|_| {
        RunRefusal::invalid(format!(
            "starlark function {configured_by}: '{path}' is not UTF-8 text"
        ))
    })?;
    Ok(Implementation::Starlark { name, script: script.into() })
}

pub(super) fn checked(
    bytes: &[u8],
    expected: Option<Digest>,
    program: &str,
) -> Result<Digest, RunRefusal> {
    let found = Digest::compute(bytes);
    match expected {
        Some(expected) if expected != found => Err(RunRefusal::invalid(format!(
            "sha256 mismatch for {program}: expected {}, got {}",
            expected.hex(),
            found.hex()
        ))),
        _ => Ok(found),
    }
}

/// A remark about an `exec.path` that may lead to another program, or to none, on another machine;
/// `None` for any other runtime or path.
pub fn exec_path_remark(
    spec: &FunctionSpec,
    root: &Root,
    programs: &dyn Programs,
) -> Option<ProgramRemark> {
    let path = (spec.kind == SpecKind::Exec).then_some(&spec.location)?;
    if !path.contains('/') {
        return Some(ProgramRemark::InPath(path.clone(), programs.locate(path)));
    }
    let whole = clean(&root.path().join(path));
    match (is_absolute(Path::new(path)), whole.starts_with(root.path())) {
        (_, true) => None,
        (true, false) => Some(ProgramRemark::OfMachine(path.clone())),
        (false, false) => Some(ProgramRemark::Outside(path.clone(), whole)),
    }
}
