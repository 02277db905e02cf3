//! Finds the entry of a catalog for the group, version and kind of a `functionConfig` (B.3 to B.5).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{RefusalCause, joined};
use crate::load::{ArtifactError, Checkout, Digest, Files, Location, Reference, ReferenceError};
use crate::manifest::{CatalogFunction, CatalogSchema, CatalogVersion};
use crate::resource::{Gvk, ResId};
use crate::yaml::{Mark, Node};

use super::super::resolve::{RequiredAction, RunRefusal, display};
use super::cache::{CachedCatalog, CatalogCache, CatalogPorts};
use super::lock::{CatalogLock, LockEntry};
use super::named_files::NamedFile;
use super::pin::{quote_shell_word, trusting_flag};
use super::signed::{catalog_signature, require_signature};
use super::trust::{FileTrust, Trust, TrustVerdict};

/// A catalog that a layer lists.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedCatalog {
    pub written: String,
    /// The directory of the file that lists the catalog; relative paths refer to it.
    pub directory: PathBuf,
    pub file: String,
    pub mark: Mark,
    /// The clone of a git target that contains the file.
    pub checkout: Option<Arc<Checkout>>,
}

impl ListedCatalog {
    /// The reference of the catalog, with links resolved; that of a missing file is unchanged.
    ///
    /// # Errors
    /// The text is not a reference.
    pub fn reference(&self, files: &dyn Files) -> Result<Reference, ReferenceError> {
        let reference = Reference::parse(&self.written, &self.directory)?;
        Ok(reference.resolved(files).unwrap_or(reference))
    }
}

/// The version of a function that a search found in a catalog, with the trust in its files.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogMatch {
    pub opened: Arc<CachedCatalog>,
    pub function: CatalogFunction,
    pub version: CatalogVersion,
    /// Later catalogs that define the function too, if they are cached.
    pub shadows: Vec<String>,
    pub files: FileTrust,
    /// The files of the catalog in the lock file of the repository, if it has one.
    pub locked: Vec<LockedCatalog>,
    /// True if only files and images run that the signed catalog pins by digest.
    pub needs_signature: bool,
    /// The catalog as a word of a shell, relative to the user's directory.
    pub named: String,
}

impl CatalogMatch {
    /// The match of a function in a catalog. The files of the catalog are not trusted until the
    /// caller sets `files`.
    pub fn new(
        opened: &Arc<CachedCatalog>,
        function: &CatalogFunction,
        version: &CatalogVersion,
    ) -> Self {
        Self {
            opened: opened.clone(),
            function: function.clone(),
            version: version.clone(),
            shadows: Vec::new(),
            files: FileTrust::Recorded(Vec::new()),
            locked: Vec::new(),
            needs_signature: false,
            named: opened.reference.written.clone(),
        }
    }
}

/// The entry of a lock file for a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockedCatalog {
    pub lock: String,
    pub entry: LockEntry,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchOutcome {
    Found(Box<CatalogMatch>),
    Nothing {
        /// The catalogs that were searched, as written.
        searched: Vec<String>,
        /// Catalogs with the group and kind in other versions, and these versions.
        others: Vec<(String, Vec<String>)>,
    },
}

/// The function to find, and the catalogs to look through.
pub struct SearchInput<'a> {
    pub id: &'a ResId,
    /// The catalogs in the order of the search: only those of the layer itself (B.4), or those of a
    /// consolidated Composition.
    pub listed: &'a [ListedCatalog],
    pub trust: &'a Trust,
    pub ports: CatalogPorts<'a>,
    pub cache: &'a mut CatalogCache,
    /// The working directory of the user, for paths in messages.
    pub current: &'a Path,
    /// The folder of the target: the search for the lock file begins there.
    pub root: &'a Path,
}

type JudgedCatalog<'a> = (&'a ListedCatalog, Reference, TrustVerdict);

impl<'a> SearchInput<'a> {
    /// Searches the built-in catalog, then those of the layer in their order, for the first entry
    /// with the group, version and kind. Fetches as few catalogs as possible (D-B8).
    ///
    /// # Errors
    /// A catalog of the layer is not trusted (D-B7); a catalog before the match cannot be read or
    /// has other content than the trusted one.
    pub fn run(&mut self) -> Result<SearchOutcome, RunRefusal> {
        let gvk = &self.id.gvk;
        if let Some(official) = self.cache.official()
            && let Some(mut found) = find(&official, gvk)
        {
            found.files = FileTrust::AnyContent;
            return Ok(SearchOutcome::Found(Box::new(found)));
        }
        let judged = self.judge()?;
        let locks =
            CatalogLock::find_all(self.root, self.ports.files).map_err(RunRefusal::invalid)?;
        let mut searched = Vec::with_capacity(judged.len());
        let mut others = Vec::new();
        let mut rest = judged.iter();
        while let Some(judged) = rest.next() {
            let (listed, reference, _) = judged;
            let opened = self.open(judged)?;
            let locked = locks.iter().map(|lock| self.lock_entry(lock, listed, &opened));
            let locked = locked.collect::<Result<Vec<_>, _>>()?;
            if !self.trust.signers.is_empty() {
                let CachedCatalog { reference, artifact, .. } = &*opened;
                let verify = || catalog_signature(reference, artifact, self.trust, self.ports);
                let verdict = self.cache.signature(&opened, verify);
                require_signature(|| format!("catalog '{}'", listed.written), verdict)?;
            }
            searched.push(listed.written.clone());
            if let Some(mut found) = find(&opened, gvk) {
                found.needs_signature = !self.trust.signers.is_empty();
                found.files = self.trust.file_trust(reference, &opened.artifact);
                found.locked = locked;
                found.named = quote_shell_word(&self.relative_reference(listed));
                let later = rest.map(|(_, reference, _)| reference);
                found.shadows = self.shadowed_catalogs(&found, later);
                return Ok(SearchOutcome::Found(Box::new(found)));
            }
            let versions = opened.catalog.versions_of(&gvk.group, &gvk.kind);
            if !versions.is_empty() {
                let versions = versions.into_iter().map(str::to_owned).collect();
                others.push((listed.written.clone(), versions));
            }
        }
        Ok(SearchOutcome::Nothing { searched, others })
    }

    /// The `openAPIV3Schema` of the `functionConfig` in the catalog that [`Self::run`] would find, and
    /// the catalogs before that one which could not be read, as written. Local
    /// catalogs are read even if they are not trusted, because no program of them is run.
    /// Remote catalogs are fetched only if they are trusted and `may_fetch` is true; otherwise the
    /// cached copy is used.
    pub fn schema(&mut self, may_fetch: bool) -> (Option<Node>, Vec<String>) {
        let gvk = &self.id.gvk;
        let mut unread = Vec::new();
        let official = self.cache.official().and_then(|official| find(&official, gvk));
        let mut listed = self.listed.iter();
        let found = official.or_else(|| {
            listed.find_map(|listed| {
                let opened = self.open_listed_catalog(listed, may_fetch);
                if opened.is_none() {
                    unread.push(listed.written.clone());
                }
                find(&opened?, gvk)
            })
        });
        let schema = found.and_then(|found| match found.version.schema {
            CatalogSchema::Object(schema) => Some(schema),
            CatalogSchema::Missing | CatalogSchema::Uri(_) => None,
        });
        (schema, unread)
    }

    /// Opens a listed catalog for the search of a schema. A remote catalog is fetched only if it is
    /// trusted and `may_fetch` is true; otherwise the cached copy is used.
    fn open_listed_catalog(
        &mut self,
        listed: &ListedCatalog,
        may_fetch: bool,
    ) -> Option<Arc<CachedCatalog>> {
        let reference = listed.reference(self.ports.files).ok()?;
        let verdict = self.trust.judge(&reference);
        if !reference.is_remote() || !may_fetch || verdict == TrustVerdict::Untrusted {
            return self.cache.kept(&reference, self.ports);
        }
        let opened = self.opened(listed, &reference, verdict.pin()).ok()?;
        verdict.allows(&opened.artifact).then_some(opened)
    }

    /// Parses and judges every catalog of the layer before the search, so that the result does not
    /// depend on which of them are trusted (D-B7).
    fn judge(&mut self) -> Result<Vec<JudgedCatalog<'a>>, RunRefusal> {
        let mut judged = Vec::with_capacity(self.listed.len());
        for listed in self.listed {
            // The trust in a missing catalog is checked by its path; reading it fails later.
            let reference = listed
                .reference(self.ports.files)
                .map_err(|error| RunRefusal::invalid_at(error.to_string().into(), listed.mark))?;
            let verdict = self.trust.judge(&reference);
            match &verdict {
                TrustVerdict::Untrusted if !self.trust.can_check_content_trust(&reference) => {
                    return Err(self.untrusted(listed, &reference));
                }
                TrustVerdict::Untrusted | TrustVerdict::ByContent { .. } => {
                    let opened = self.opened(listed, &reference, None)?;
                    let artifact = &opened.artifact;
                    if !verdict.allows(artifact)
                        && !self.trust.is_trusted_by_content(&reference, artifact)
                    {
                        return Err(self.untrusted(listed, &reference));
                    }
                }
                TrustVerdict::Trusted { .. } => {}
            }
            judged.push((listed, reference, verdict));
        }
        Ok(judged)
    }

    fn open(
        &mut self,
        (listed, reference, verdict): &JudgedCatalog<'_>,
    ) -> Result<Arc<CachedCatalog>, RunRefusal> {
        let opened = self.opened(listed, reference, verdict.pin())?;
        let TrustVerdict::Trusted { pins } = verdict else { return Ok(opened) };
        if verdict.allows(&opened.artifact)
            || self.trust.is_trusted_by_content(reference, &opened.artifact)
        {
            return Ok(opened);
        }
        let text = format!(
            "catalog '{}' has digest {}, trusted digest is {}",
            listed.written,
            opened.artifact.manifest.unwrap_or(opened.artifact.digest),
            joined(pins, " or ")
        );
        let hint = trust_diff_hint(&quote_shell_word(&self.relative_reference(listed)));
        let awaited = RequiredAction::Review(listed.written.clone());
        Err(RunRefusal::not_allowed(text, hint, awaited))
    }

    fn opened(
        &mut self,
        listed: &ListedCatalog,
        reference: &Reference,
        pin: Option<&Digest>,
    ) -> Result<Arc<CachedCatalog>, RunRefusal> {
        let pin = reference.pin.as_ref().or(pin);
        self.cache.open(reference, pin, self.ports).map_err(|fault| {
            let is_not_asked = matches!(fault, ArtifactError::NotAllowed { .. });
            let text = format!(
                "catalog '{}' is needed to resolve {} but could not be read: {fault}",
                listed.written,
                display(self.id)
            );
            if !is_not_asked {
                return RunRefusal::invalid_at(text.into(), listed.mark);
            }
            let hint = format!("fetch it with `kzui catalog fetch {}`", listed.written);
            let awaited = RequiredAction::FetchOfCatalog(listed.written.clone());
            RunRefusal::not_allowed(text, hint, awaited)
        })
    }

    /// The entry of the lock file for a trusted catalog: it adds restrictions, and no trust.
    fn lock_entry(
        &self,
        lock: &CatalogLock,
        listed: &ListedCatalog,
        opened: &CachedCatalog,
    ) -> Result<LockedCatalog, RunRefusal> {
        let shown = lock.path.display().to_string();
        let catalog = format!("catalog '{}'", listed.written);
        let locked = match lock.judge(&opened.reference, &opened.artifact, self.ports.files) {
            Ok(entry) => return Ok(LockedCatalog { lock: shown, entry: entry.clone() }),
            Err(locked) => locked,
        };
        let text = not_locked_text(&catalog, &shown, opened.artifact.digest, locked);
        let named = quote_shell_word(&self.relative_reference(listed));
        Err(lock_refusal(text, &named, listed.written.clone()))
    }

    /// The reference relative to the user's directory, so that it can be pasted. A file in a clone
    /// is named by its repository, because the path of the clone is one of this machine's cache.
    fn relative_reference(&self, listed: &ListedCatalog) -> String {
        let Ok(found) = listed.reference(self.ports.files) else { return listed.written.clone() };
        let in_clone = match (&found.location, &listed.checkout) {
            (Location::File(path), Some(checkout)) => checkout.names(path),
            _ => None,
        };
        in_clone.unwrap_or_else(|| found.seen_from(self.current))
    }

    fn untrusted(&mut self, listed: &ListedCatalog, reference: &Reference) -> RunRefusal {
        let written = &listed.written;
        let text = format!(
            "catalog '{written}' (referenced by {}) is not trusted; it is needed to run {}",
            listed.file,
            display(self.id)
        );
        let named = self.relative_reference(listed);
        let flag = self.pinned_flag(reference, &named);
        let flag = flag.map(|flag| format!(", or trust this content once with {flag}"));
        let hint = format!(
            "review and trust it with `kzui trust add {}`{}",
            quote_shell_word(&named),
            flag.unwrap_or_default()
        );
        RunRefusal::not_allowed(text, hint, RequiredAction::Trust(written.clone()))
    }

    /// The flag that trusts the current content of a catalog. None if the content is not known, or
    /// if it names a script without a digest, which such a flag does not cover.
    fn pinned_flag(&mut self, reference: &Reference, named: &str) -> Option<String> {
        let opened = self.cache.kept(reference, self.ports)?;
        let files = NamedFile::all(&opened, self.ports);
        let is_covered = !files.iter().any(NamedFile::needs_pin);
        is_covered.then(|| {
            let artifact = &opened.artifact;
            trusting_flag(named, artifact.manifest.unwrap_or(artifact.digest))
        })
    }

    fn shadowed_catalogs<'r>(
        &mut self,
        found: &CatalogMatch,
        later: impl Iterator<Item = &'r Reference>,
    ) -> Vec<String> {
        let gvk = &self.id.gvk;
        let mut shadows = Vec::new();
        for reference in later.filter(|reference| **reference != found.opened.reference) {
            let opened = self.cache.known_or_local(reference, self.ports);
            if opened.is_some_and(|opened| find(&opened, gvk).is_some()) {
                shadows.push(reference.written.clone());
            }
        }
        shadows
    }
}

pub(super) fn lock_refusal(text: String, named: &str, catalog: String) -> RunRefusal {
    let hint = format!("review it and update the lock file: `kzui trust add {named} --lock`");
    RunRefusal::not_allowed(RefusalCause::NotLocked(text), hint, RequiredAction::Review(catalog))
}

/// The difference of a content from a lock file, which has `locked` instead, or nothing.
pub(super) fn not_locked_text(
    subject: &str,
    lock: &str,
    found: Digest,
    locked: Option<Digest>,
) -> String {
    match locked {
        None => format!("{subject} is not in {lock}"),
        Some(locked) => format!("{subject} has digest {found}, {lock} has {locked}"),
    }
}

pub(super) fn trust_diff_hint(named: &str) -> String {
    format!("see the changes with `kzui trust diff {named}`")
}

fn find(opened: &Arc<CachedCatalog>, gvk: &Gvk) -> Option<CatalogMatch> {
    let (function, version) = opened.catalog.find(&gvk.group, &gvk.version, &gvk.kind)?;
    Some(CatalogMatch::new(opened, function, version))
}
