//! The lock file of a repository: its change by a decision, and `kzui catalog outdated`.

use std::path::PathBuf;

use crate::answers::{CatalogReview, ReviewLine, diff_review_lines};
use crate::cli::failure::{CommandResult, Failure};
use crate::engine::load::{Digest, Reference, clean};
use crate::engine::plugin::{CatalogLock, LOCK_FILE, LockEntry, NamedFile, NamedFileContent};

use super::super::{CatalogOutdated, CliPorts, Exit};
use super::{catalog_ports, open_reference};

pub(in crate::cli) struct LockChange {
    path: PathBuf,
    before: String,
    after: String,
}

impl LockChange {
    /// The change by a trust decision; `None` if the repository has no lock file and the user does
    /// not request one.
    pub(in crate::cli) fn plan(
        found: &CatalogReview,
        reference: &Reference,
        is_asked: bool,
        reviewer: &str,
        outside: &CliPorts<'_>,
    ) -> Result<Option<Self>, String> {
        let files = &*outside.ports.files;
        let mut lock = match nearest_lock(outside)? {
            Some(lock) => lock,
            None if !is_asked => return Ok(None),
            None => {
                let top = outside.work_tree_root(&outside.current);
                let folder = top.unwrap_or_else(|| outside.current.clone());
                CatalogLock { path: folder.join(LOCK_FILE), entries: Vec::new() }
            }
        };
        let folder = lock.path.parent().unwrap_or(&outside.current);
        let real = files.resolve(folder).map_or_else(|_| folder.to_owned(), |(real, _)| real);
        let is_link = files.resolve(&lock.path).is_ok_and(|(file, _)| file != real.join(LOCK_FILE));
        if is_link {
            return Err(format!("{}: the file is a link", lock.path.display()));
        }
        let before = files.read(&lock.path).unwrap_or_else(|_| Vec::new().into());
        let before = String::from_utf8_lossy(&before).into_owned();
        let digests = found.view.files.iter();
        let digests = digests.filter_map(|file| Some((file.path.clone(), file.digest()?)));
        let mut entry = LockEntry {
            reference: reference.seen_from(folder),
            digest: found.view.digest,
            files: digests.collect(),
            signer: found.view.signature.signer().unwrap_or_default().to_owned(),
            reviewer: reviewer.to_owned(),
            date: (outside.trust.now)(),
        };
        if let Some(known) = lock.entry(reference, files)
            && (known.digest, &known.files) == (entry.digest, &entry.files)
            && (entry.signer.is_empty() || known.signer == entry.signer)
        {
            // If the decision is unchanged, no byte of the file changes.
            entry = known.clone();
        }
        lock.put(reference, entry, files);
        let after = lock.to_yaml();
        Ok(Some(Self { path: lock.path, before, after }))
    }

    /// The digest and signer of a catalog in the lock file, if it has an entry for the catalog.
    pub(in crate::cli) fn locked_signer(
        reference: &Reference,
        outside: &CliPorts<'_>,
    ) -> Result<Option<(Digest, String)>, String> {
        let files = &*outside.ports.files;
        let lock = nearest_lock(outside)?;
        let entry = lock.as_ref().and_then(|lock| lock.entry(reference, files));
        Ok(entry.map(|entry| (entry.digest, entry.signer.clone())))
    }

    pub(in crate::cli) fn lines(&self) -> Vec<ReviewLine> {
        if self.before == self.after {
            return Vec::new();
        }
        let title = ReviewLine::Text(format!("changes of {}", self.path.display()));
        let changes = diff_review_lines(&self.before, &self.after);
        [ReviewLine::Gap, title].into_iter().chain(changes).collect()
    }

    pub(in crate::cli) fn write(&self, outside: &mut CliPorts<'_>) -> std::io::Result<()> {
        if self.before != self.after {
            (outside.replace)(&self.path, Some(self.after.as_bytes()))?;
            writeln!(outside.out, "locked: {}", self.path.display())?;
        }
        Ok(())
    }
}

/// The nearest lock file for the working directory, which decisions update.
fn nearest_lock(outside: &CliPorts<'_>) -> Result<Option<CatalogLock>, String> {
    let locks = CatalogLock::find_all(&outside.current, &*outside.ports.files)?;
    Ok(locks.into_iter().next())
}

pub(in crate::cli) fn print_outdated(
    arguments: &CatalogOutdated,
    outside: &mut CliPorts<'_>,
) -> CommandResult {
    let directory = outside.current.join(&arguments.directory);
    let found = CatalogLock::find_all(&directory, &*outside.ports.files);
    let Some(lock) = found.map_err(Failure::usage)?.into_iter().next() else {
        let directory = clean(&directory);
        writeln!(outside.err, "error: no {LOCK_FILE} in {} or above", directory.display())?;
        writeln!(outside.err, "  = help: write one with `kzui trust add REF --lock`")?;
        return Ok(Exit::USAGE);
    };
    let mut exit = Exit::OK;
    for entry in &lock.entries {
        let LockEntry { reference, reviewer, date, .. } = entry;
        // The author of the tree writes the lock file, so that its references are fetched only on
        // request.
        let parsed = entry.parsed(&lock.path);
        if !arguments.fetch && parsed.is_ok_and(|reference| reference.is_remote()) {
            writeln!(outside.out, "{reference}  not known: not fetched (--fetch)")?;
            if exit == Exit::OK {
                exit = Exit::NOT_KNOWN;
            }
            continue;
        }
        match changes_since(entry, &lock, outside) {
            Ok(changes) if changes.is_empty() => writeln!(outside.out, "{reference}  current")?,
            Ok(changes) => {
                exit = Exit::FAILED;
                let by = if reviewer.is_empty() { String::new() } else { format!(" ({reviewer})") };
                writeln!(outside.out, "{reference}  changed since {date}{by}")?;
                for (subject, before, after) in changes {
                    writeln!(outside.out, "  {subject}  {before} → {after}")?;
                }
            }
            Err(reason) => {
                exit = Exit::FAILED;
                writeln!(outside.out, "{reference}  not known")?;
                writeln!(outside.err, "error: {reason}")?;
            }
        }
    }
    Ok(exit)
}

/// A changed catalog or file, with its locked and its present digest.
type ChangedPart = (String, String, String);

fn changes_since(
    entry: &LockEntry,
    lock: &CatalogLock,
    outside: &CliPorts<'_>,
) -> Result<Vec<ChangedPart>, String> {
    let parsed = entry.parsed(&lock.path).map_err(|error| error.to_string())?;
    // The digest of the entry is pinned; without the pin, the reference has the newest content.
    let reference = Reference { pin: None, ..parsed };
    let (_, opened) = open_reference(&reference, &entry.reference, outside)?;
    let mut changes = Vec::new();
    if !opened.artifact.matches_pin(&entry.digest) {
        let now = opened.artifact.digest.to_string();
        changes.push(("catalog".to_owned(), entry.digest.to_string(), now));
    }
    let ports = catalog_ports(outside);
    let shown = |digest: Option<Digest>| digest.map_or("none".to_owned(), |it| it.to_string());
    for file in NamedFile::all(&opened, ports) {
        let before = entry.digest_of(&file.path);
        let is_known = !matches!(file.content, NamedFileContent::NotFetched);
        if is_known && before != file.digest() {
            changes.push((file.path.clone(), shown(before), shown(file.digest())));
        }
    }
    Ok(changes)
}
