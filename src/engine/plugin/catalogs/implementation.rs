//! Creates a function that is allowed to run from an entry of a trusted catalog (B.6 to B.8).

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{FunctionOddity, MissingDigest, RefusalCause, joined};
use crate::load::{
    ArtifactError, ArtifactKind, BinaryRequest, Digest, LoadError, Location, Reference, is_absolute,
};
use crate::manifest::{
    CatalogContainer, CatalogExec, CatalogFile, CatalogPlatform, CatalogSchema, Runtime,
};
use crate::resource::ResId;
use crate::yaml::Node;

use super::super::Confinement;
use super::super::resolve::{
    FlagMounts, FunctionRef, Implementation, PinnedBytes, RequiredAction, RunRefusal, display,
};
use super::cache::CatalogPorts;
use super::named_files::{BesideError, file_reference, is_archive, is_path, read_beside};
use super::pin::{PinPolicy, pin_image};
use super::schema_check::check_schema;
use super::search::{CatalogMatch, LockedCatalog, lock_refusal, trust_diff_hint};
use super::signed::signature_refusal;
use super::trust::FileVerdict;

/// The processor time in seconds that an executable of a catalog gets.
const CPU_SECONDS: u64 = 300;
/// The memory in bytes that an executable of a catalog gets.
const MEMORY: u64 = 4 << 30;

/// A function of a catalog that is allowed to run, with notes for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedFunction {
    pub function: FunctionRef,
    /// Warnings about images that are not pinned and about shadowed definitions.
    pub warnings: Vec<FunctionOddity>,
}

/// The context in which a function of a catalog is resolved.
pub struct ResolveContext<'a> {
    pub id: &'a ResId,
    pub config: &'a Node,
    /// The directory of the layer; relative mounts in flags refer to it.
    pub directory: &'a Path,
    pub policy: PinPolicy,
    pub ports: CatalogPorts<'a>,
    pub found: &'a CatalogMatch,
}

impl ResolveContext<'_> {
    /// Validates the `functionConfig`, loads the program and verifies its digest.
    ///
    /// # Errors
    /// The `functionConfig` does not match the schema, a digest is missing or wrong, no program
    /// exists for this platform, or a file cannot be loaded.
    pub fn function(&self) -> Result<ResolvedFunction, RunRefusal> {
        let found = self.found;
        let catalog = &found.opened.reference.written;
        if let CatalogSchema::Object(schema) = &found.version.schema {
            let wrong = check_schema(self.config, schema);
            if !wrong.is_empty() {
                let (function, catalog) = (display(self.id), catalog.clone());
                return Err(RefusalCause::Schema { function, catalog, wrong }.into());
            }
        }
        let shadows = |other: &String| FunctionOddity::Shadows {
            id: found.function.id(&found.version),
            catalog: catalog.clone(),
            other: other.clone(),
        };
        let mut warnings: Vec<FunctionOddity> = found.shadows.iter().map(shadows).collect();
        let implementation = self.load_implementation(&mut warnings)?;
        let function = FunctionRef::trusted(self.id, implementation, self.directory);
        Ok(ResolvedFunction { function, warnings })
    }

    /// Loads the program and checks its digest. The result cannot be run: only [`Self::function`]
    /// returns a function.
    ///
    /// # Errors
    /// As [`Self::function`], except for the functionConfig.
    pub fn load_implementation(
        &self,
        warnings: &mut Vec<FunctionOddity>,
    ) -> Result<Implementation, RunRefusal> {
        let catalog = &self.found.opened.reference.written;
        match self.found.version.runtime.chosen() {
            None => {
                let function = display(self.id);
                Err(RunRefusal::invalid(format!("{function}: {catalog} gives no runtime")))
            }
            Some(Runtime::Container(container)) => self.container(container, warnings),
            Some(Runtime::Exec(exec)) => self.exec(exec),
            Some(Runtime::Starlark(starlark)) => self.starlark(starlark),
        }
    }

    fn container(
        &self,
        container: &CatalogContainer,
        warnings: &mut Vec<FunctionOddity>,
    ) -> Result<Implementation, RunRefusal> {
        let catalog = &self.found.opened.reference.written;
        let (image, unpinned) = pin_image(container, self.policy)?;
        let place = format!("{catalog}:{}", container.mark.line);
        warnings.extend(unpinned.map(|why| FunctionOddity::Unpinned(why, place)));
        if self.found.needs_signature && !image.contains("@sha256:") {
            return Err(not_signed("image", &image, catalog));
        }
        Ok(Implementation::Container {
            image,
            network: container.require_network,
            flag_mounts: if container.require_storage_mount {
                FlagMounts::Required
            } else {
                FlagMounts::Refused
            },
            mounts: Vec::new(),
            envs: Vec::new(),
        })
    }

    fn exec(&self, exec: &CatalogExec) -> Result<Implementation, RunRefusal> {
        if let Some(path) = exec.paths.first() {
            return self.load_local_program(path);
        }
        let (os, arch) = self.ports.artifacts.platform();
        let fits = |entry: &&CatalogPlatform| entry.os == os && entry.arch == arch;
        let Some(platform) = exec.platforms.iter().find(fits) else {
            let available: Vec<String> =
                exec.platforms.iter().map(|entry| format!("{}/{}", entry.os, entry.arch)).collect();
            return Err(RunRefusal::invalid(format!(
                "function {} has no binary for {os}/{arch}; available: {}",
                display(self.id),
                available.join(", ")
            )));
        };
        let reference = self.location(&platform.uri, platform.sha256)?;
        // The decision is about the bytes of a catalog, which determine its other layers only by
        // their digests in it.
        let is_oci_digest = matches!(reference.location, Location::Oci(_))
            && reference.pin.is_some()
            && reference.layer.is_none();
        if platform.sha256.is_none() && !is_oci_digest {
            return Err(self.no_digest("exec", MissingDigest::Platform(format!("{os}/{arch}"))));
        }
        if let Location::File(path) = &reference.location {
            let path = CatalogFile {
                uri: path.to_string_lossy().into_owned(),
                sha256: platform.sha256,
                mark: platform.mark,
            };
            if !is_archive(&path.uri) {
                return self.load_local_program(&path);
            }
        }
        self.load_program(reference, &platform.bin, platform.sha256)
    }

    fn load_program(
        &self,
        reference: Reference,
        name: &str,
        sha256: Option<Digest>,
    ) -> Result<Implementation, RunRefusal> {
        let request = BinaryRequest { reference, bin: name.to_owned(), sha256 };
        let binary = self.ports.artifacts.binary(&request).map_err(|error| self.refused(&error))?;
        Ok(executable(name, binary.bytes, binary.digest))
    }

    /// A program in a local file below the directory of the catalog (B.2 #23).
    fn load_local_program(&self, entry: &CatalogFile) -> Result<Implementation, RunRefusal> {
        let Some(sha256) = entry.sha256 else {
            return Err(self.no_digest("exec", MissingDigest::File(entry.uri.clone())));
        };
        if self.found.opened.artifact.directory.is_none() {
            let reference = self.location(&entry.uri, Some(sha256))?;
            return self.load_program(reference, &entry.uri, Some(sha256));
        }
        let bytes = self.read_beside("exec", &entry.uri)?;
        let digest = Digest::compute(&bytes);
        if digest != sha256 {
            return Err(mismatch(&entry.uri, sha256, digest));
        }
        Ok(executable(&entry.uri, bytes, digest))
    }

    fn starlark(&self, starlark: &CatalogFile) -> Result<Implementation, RunRefusal> {
        let uri = &starlark.uri;
        let is_local = is_path(uri) && self.found.opened.artifact.directory.is_some();
        let (bytes, digest) = if is_local {
            if is_absolute(Path::new(uri)) {
                return Err(RunRefusal::invalid(format!(
                    "absolute function path {uri} not allowed"
                )));
            }
            if Path::new(uri).components().next() == Some(Component::ParentDir) {
                return Err(RefusalCause::PathAbove(uri.clone()).into());
            }
            let bytes = self.read_beside("starlark", uri)?;
            let digest = Digest::compute(&bytes);
            if starlark.sha256.is_none() {
                if self.found.needs_signature {
                    return Err(not_signed("script", uri, &self.found.opened.reference.written));
                }
                self.check_script_content(uri, digest)?;
            }
            (bytes, digest)
        } else {
            let reference = self.location(uri, starlark.sha256)?;
            let is_pinned = reference.pin.is_some() && reference.layer.is_none();
            if starlark.sha256.is_none() && !is_pinned {
                // B.6: code that runs outside a container needs a digest, as binaries do.
                return Err(self.no_digest("starlark", MissingDigest::Location));
            }
            let pin = reference.pin.or(starlark.sha256);
            let fetched =
                self.ports.artifacts.fetch(&reference, ArtifactKind::Starlark, pin.as_ref());
            let artifact = fetched.map_err(|error| self.refused(&error))?;
            (artifact.bytes, artifact.digest)
        };
        if let Some(sha256) = starlark.sha256.filter(|sha256| *sha256 != digest) {
            return Err(mismatch(uri, sha256, digest));
        }
        let script = std::str::from_utf8(&bytes).map_err(|_| {
            let function = display(self.id);
            RunRefusal::invalid(format!("starlark function {function}: '{uri}' is not UTF-8 text"))
        })?;
        Ok(Implementation::Starlark { name: uri.clone(), script: script.into() })
    }

    /// Parses a location that is written in a catalog; a path is relative to the catalog's own
    /// file.
    fn location(&self, uri: &str, sha256: Option<Digest>) -> Result<Reference, RunRefusal> {
        let parsed = file_reference(uri, sha256, &self.found.opened)
            .ok_or_else(|| self.no_directory(uri))?;
        parsed.map_err(|error| RunRefusal::invalid(format!("{}: {error}", display(self.id))))
    }

    /// The bytes of a file below the catalog's directory; links out of it are not followed.
    fn read_beside(&self, kind: &'static str, path: &str) -> Result<Arc<[u8]>, RunRefusal> {
        let Some(directory) = self.found.opened.artifact.directory.as_deref() else {
            return Err(self.no_directory(path));
        };
        let read = read_beside(self.ports.files, directory, path);
        read.map_err(|error| {
            let cause = match error {
                BesideError::Unreadable(file, source) => RefusalCause::Unreadable {
                    kind,
                    function: display(self.id),
                    path: path.to_owned(),
                    error: Box::new(LoadError::Read { path: file, source }),
                },
                BesideError::Outside(directory) => {
                    format!("{kind} path '{path}' is outside '{}'", directory.display()).into()
                }
            };
            cause.into()
        })
    }

    /// Ruling 32: a script without a digest in the catalog runs only with the content that the decision
    /// was about.
    fn check_script_content(&self, path: &str, digest: Digest) -> Result<(), RunRefusal> {
        let found = self.found;
        let catalog = found.opened.reference.written.clone();
        for LockedCatalog { lock, entry } in &found.locked {
            let (subject, lock) = (format!("script '{path}' of catalog '{catalog}'"), lock.clone());
            let cause = match entry.digest_of(path) {
                Some(locked) if locked == digest => None,
                Some(locked) => {
                    Some(RefusalCause::LockMismatch { subject, lock, found: digest, locked })
                }
                None => Some(RefusalCause::NotLocked { subject, lock }),
            };
            if let Some(cause) = cause {
                return Err(lock_refusal(cause, &found.named, catalog));
            }
        }
        let (text, hint) = match found.files.judge(path, &digest) {
            FileVerdict::Covered => return Ok(()),
            FileVerdict::Uncovered => (
                format!(
                    "script '{path}' of catalog '{catalog}' has no digest, and no trust decision covers it; it is needed to run {}",
                    display(self.id)
                ),
                format!("a trust decision pins its content: `kzui trust add {}`", found.named),
            ),
            FileVerdict::Other(trusted) => (
                format!(
                    "script '{path}' has digest {digest}, trusted digest is {}",
                    joined(&trusted, " or ")
                ),
                trust_diff_hint(&found.named),
            ),
        };
        Err(RunRefusal::not_allowed(text, hint, RequiredAction::Review(catalog)))
    }

    fn no_directory(&self, path: &str) -> RunRefusal {
        let function = display(self.id);
        RunRefusal::invalid(format!(
            "{function}: the catalog names the file '{path}', which is not below the catalog"
        ))
    }

    fn refused(&self, error: &ArtifactError) -> RunRefusal {
        let is_not_allowed = matches!(error, ArtifactError::NotAllowed { .. });
        let cause = format!("function {}: {error}", display(self.id));
        if !is_not_allowed {
            return RunRefusal::invalid(cause);
        }
        RunRefusal::not_allowed(cause, "run the function to fetch it", RequiredAction::Fetch)
    }

    /// The refusal of a program without a container and without a digest (B.6).
    fn no_digest(&self, kind: &'static str, missing: MissingDigest) -> RunRefusal {
        let function = display(self.id);
        RefusalCause::NoDigest { kind, function, missing }.into()
    }
}

/// The program with its verified bytes. A copy of these bytes runs, because the file could be
/// replaced after the verification.
fn executable(name: &str, bytes: Arc<[u8]>, digest: Digest) -> Implementation {
    let name = name.rsplit('/').next().unwrap_or(name);
    Implementation::Exec {
        path: PathBuf::from(name),
        args: Vec::new(),
        envs: Vec::new(),
        digest: digest.hex(),
        pinned: Some(PinnedBytes(bytes)),
        confinement: Some(Confinement {
            cpu_seconds: Some(CPU_SECONDS),
            memory_bytes: Some(MEMORY),
            ..Confinement::default()
        }),
    }
}

/// The refusal of a part of a signed catalog that has no digest in it.
fn not_signed(kind: &str, name: &str, catalog: &str) -> RunRefusal {
    let subject = format!("{kind} '{name}' of catalog '{catalog}'");
    signature_refusal(&subject, "the signed catalog has no digest of it")
}

fn mismatch(what: &str, expected: Digest, found: Digest) -> RunRefusal {
    let (what, expected, found) = (what.to_owned(), expected.to_string(), found.to_string());
    RefusalCause::Mismatch { subject: what, expected, found }.into()
}
