//! Creates a function that is allowed to run from an entry of a trusted catalog (B.6 to B.8).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{RefusalCause, joined};
use crate::load::{ArtifactError, ArtifactKind, BinaryRequest, Digest, Location, Reference};
use crate::manifest::{
    ANY_PLATFORM, CatalogContainer, CatalogSchema, CatalogScript, PlatformProgram, Runtime,
};
use crate::resource::ResId;
use crate::yaml::Node;

use super::super::Confinement;
use super::super::resolve::{
    FlagMounts, FunctionRef, Implementation, PinnedBytes, RequiredAction, RunRefusal, checked,
    display, starlark_script,
};
use super::cache::CatalogPorts;
use super::named_files::{file_reference, is_archive, is_path, read_beside};
use super::pin::{PinPolicy, pin_image};
use super::schema_check::check_schema;
use super::search::{CatalogMatch, LockedCatalog, lock_refusal, not_locked_text, trust_diff_hint};
use super::signed::signature_refusal;

/// The processor time in seconds that an executable of a catalog gets.
const CPU_SECONDS: u64 = 300;
/// The memory in bytes that an executable of a catalog gets.
const MEMORY: u64 = 4 << 30;
const NO_OCI_DIGEST: &str = " and its location is not an OCI digest reference";

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
    /// Validates the `functionConfig`, loads the program and verifies its digest. Also returns
    /// warnings about images that are not pinned and about shadowed definitions.
    ///
    /// # Errors
    /// The `functionConfig` does not match the schema, a digest is missing or wrong, no program
    /// exists for this platform, or a file cannot be loaded.
    pub fn function(&self) -> Result<(FunctionRef, Vec<String>), RunRefusal> {
        let found = self.found;
        let catalog = &found.opened.reference.written;
        if let CatalogSchema::Object(schema) = &found.version.schema {
            let wrong = check_schema(self.config, schema);
            if !wrong.is_empty() {
                let function = display(self.id);
                let wrong = wrong.iter();
                let lines = wrong.map(|it| format!("{function}: {it} (schema of {catalog})"));
                return Err(RunRefusal::invalid(lines.collect::<Vec<_>>().join("\n")));
            }
        }
        let id = found.function.id(&found.version);
        let shadows =
            |other: &String| format!("{id} is taken from {catalog}; {other} defines it too");
        let mut warnings: Vec<String> = found.shadows.iter().map(shadows).collect();
        let implementation = self.load_implementation(&mut warnings)?;
        Ok((FunctionRef::trusted(self.id, implementation, self.directory), warnings))
    }

    /// Loads the program and checks its digest. The result cannot be run: only [`Self::function`]
    /// returns a function.
    ///
    /// # Errors
    /// As [`Self::function`], except for the functionConfig.
    pub fn load_implementation(
        &self,
        warnings: &mut Vec<String>,
    ) -> Result<Implementation, RunRefusal> {
        match &self.found.version.runtime {
            Runtime::Container(container) => self.container(container, warnings),
            Runtime::Exec(programs) => self.exec(programs),
            Runtime::Starlark(starlark) => self.starlark(starlark),
        }
    }

    fn container(
        &self,
        container: &CatalogContainer,
        warnings: &mut Vec<String>,
    ) -> Result<Implementation, RunRefusal> {
        let catalog = &self.found.opened.reference.written;
        let (image, unpinned) = pin_image(container, self.policy)?;
        let line = container.mark.line;
        warnings.extend(unpinned.map(|why| format!("{why} (listed in {catalog}:{line})")));
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

    /// The program for every platform (B.2 #23), or that for this one.
    fn exec(&self, programs: &[PlatformProgram]) -> Result<Implementation, RunRefusal> {
        let (os, arch) = self.ports.artifacts.platform();
        let own = format!("{os}/{arch}");
        let named = |platform: &str| programs.iter().find(|it| it.platform == platform);
        let Some(program) = named(ANY_PLATFORM).or_else(|| named(&own)) else {
            let available: Vec<&str> = programs.iter().map(|it| &*it.platform).collect();
            return Err(RunRefusal::invalid(format!(
                "function {} has no binary for {own}; available: {}",
                display(self.id),
                available.join(", ")
            )));
        };
        let PlatformProgram { platform, uri, bin, sha256, .. } = program;
        let is_any = platform == ANY_PLATFORM;
        let reference = self.location(uri, *sha256)?;
        // The decision is about the bytes of a catalog, which determine its other layers only by
        // their digests in it.
        let is_oci_digest = matches!(reference.location, Location::Oci(_))
            && reference.pin.is_some()
            && reference.layer.is_none();
        if sha256.is_none() && (is_any || !is_oci_digest) {
            let missing =
                if is_any { format!(" for {uri}") } else { format!(" for {own}{NO_OCI_DIGEST}") };
            return Err(self.no_digest("exec", &missing));
        }
        let is_beside = match reference.location {
            Location::File(_) => is_any || !is_archive(uri),
            _ => is_any && self.found.opened.artifact.directory.is_some(),
        };
        if is_beside {
            let bytes = self.read_beside("exec", uri)?;
            let digest = checked(&bytes, *sha256, uri)?;
            return Ok(executable(uri, bytes, digest));
        }
        let bin = if is_any { uri } else { bin };
        let request = BinaryRequest { reference, bin: bin.clone(), sha256: *sha256 };
        let binary = self.ports.artifacts.binary(&request).map_err(|error| self.refused(&error))?;
        Ok(executable(bin, binary.bytes, binary.digest))
    }

    fn starlark(&self, starlark: &CatalogScript) -> Result<Implementation, RunRefusal> {
        let uri = &starlark.uri;
        let is_local = is_path(uri) && self.found.opened.artifact.directory.is_some();
        let bytes = if is_local {
            if Path::new(uri).is_absolute() {
                let reason = format!("absolute function path {uri} not allowed");
                return Err(RunRefusal::invalid(reason));
            }
            let bytes = self.read_beside("starlark", uri)?;
            let digest = checked(&bytes, starlark.sha256, uri)?;
            if starlark.sha256.is_none() {
                if self.found.needs_signature {
                    return Err(not_signed("script", uri, &self.found.opened.reference.written));
                }
                self.check_script_content(uri, digest)?;
            }
            bytes
        } else {
            let reference = self.location(uri, starlark.sha256)?;
            let is_pinned = reference.pin.is_some() && reference.layer.is_none();
            if starlark.sha256.is_none() && !is_pinned {
                // B.6: code that runs outside a container needs a digest, as binaries do.
                return Err(self.no_digest("starlark", NO_OCI_DIGEST));
            }
            let pin = reference.pin.or(starlark.sha256);
            let fetched =
                self.ports.artifacts.fetch(&reference, ArtifactKind::Starlark, pin.as_ref());
            let artifact = fetched.map_err(|error| self.refused(&error))?;
            checked(&artifact.bytes, starlark.sha256, uri)?;
            artifact.bytes
        };
        starlark_script(&display(self.id), uri, uri.clone(), &bytes)
    }

    /// Parses a location in a catalog; a path is relative to the catalog's own file.
    fn location(&self, uri: &str, sha256: Option<Digest>) -> Result<Reference, RunRefusal> {
        let parsed = file_reference(uri, sha256, &self.found.opened)
            .ok_or_else(|| self.no_directory(uri))?;
        parsed.map_err(|error| RunRefusal::invalid(format!("{}: {error}", display(self.id))))
    }

    /// The bytes of a file below the catalog's directory; links out of it are not followed.
    fn read_beside(&self, kind: &str, path: &str) -> Result<Arc<[u8]>, RunRefusal> {
        let Some(directory) = self.found.opened.artifact.directory.as_deref() else {
            return Err(self.no_directory(path));
        };
        let function = display(self.id);
        read_beside(self.ports.files, directory, path)
            .map_err(|reason| RunRefusal::unreadable(kind, &function, path, &reason))
    }

    /// Ruling 32: a script without a digest runs only with the content of the decision.
    fn check_script_content(&self, path: &str, digest: Digest) -> Result<(), RunRefusal> {
        let found = self.found;
        let catalog = found.opened.reference.written.clone();
        for LockedCatalog { lock, entry } in &found.locked {
            let locked = entry.digest_of(path);
            if locked != Some(digest) {
                let subject = format!("script '{path}' of catalog '{catalog}'");
                let text = not_locked_text(&subject, lock, digest, locked);
                return Err(lock_refusal(text, &found.named, catalog));
            }
        }
        let Some(trusted) = found.files.digests_of(path) else { return Ok(()) };
        if trusted.contains(&digest) {
            return Ok(());
        }
        let (text, hint) = if trusted.is_empty() {
            let function = display(self.id);
            let text = format!(
                "script '{path}' of catalog '{catalog}' has no digest, and no trust decision covers it; it is needed to run {function}"
            );
            (text, format!("a trust decision pins its content: `kzui trust add {}`", found.named))
        } else {
            let trusted = joined(&trusted, " or ");
            let text = format!("script '{path}' has digest {digest}, trusted digest is {trusted}");
            (text, trust_diff_hint(&found.named))
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
    fn no_digest(&self, kind: &str, missing: &str) -> RunRefusal {
        let text = format!("{kind} function {} has no sha256{missing}", display(self.id));
        let remedy = "write its `sha256` in the catalog; `kzui catalog pin` writes the digests of files beside the catalog";
        RefusalCause::Other { text, remedy: Some(remedy) }.into()
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

fn not_signed(kind: &str, name: &str, catalog: &str) -> RunRefusal {
    let subject = format!("{kind} '{name}' of catalog '{catalog}'");
    signature_refusal(&subject, "the signed catalog has no digest of it")
}
