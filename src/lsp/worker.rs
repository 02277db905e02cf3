//! The thread that checks the targets of open documents. A newer change ends a running check.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};

use crate::answers::RepositoryBuilds;
use crate::draft::FileChange;
use crate::engine::evaluate::Cancel;

use super::EditorPorts;
use super::checked::{CheckedRepository, TriedFix};
use super::documents::Texts;

/// Limit of the repositories that are kept; the one that was not used for the longest time is
/// dropped.
const MAX_REPOSITORIES: usize = 4;
const MAX_FIXES: usize = 32;

#[derive(Clone, Debug)]
pub(crate) struct CheckOrder {
    pub(crate) revision: u64,
    pub(crate) texts: Texts,
    /// The files that changed on disk since the last order.
    pub(crate) changed: BTreeSet<PathBuf>,
}

/// A number that grows with each change: a check of an older number is superseded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Revisions {
    newest: Arc<AtomicU64>,
    running: Arc<AtomicU64>,
}

impl Revisions {
    pub(crate) fn next(&self) -> u64 {
        self.newest.fetch_add(1, Ordering::SeqCst) + 1
    }

    pub(crate) fn newest(&self) -> u64 {
        self.newest.load(Ordering::SeqCst)
    }

    fn start(&self, revision: u64) {
        self.running.store(revision, Ordering::SeqCst);
    }
}

impl Cancel for Revisions {
    fn is_cancelled(&self) -> bool {
        self.newest() > self.running.load(Ordering::SeqCst)
    }
}

/// The result of an order: the repositories of the open documents, without or with verified fixes.
pub(crate) type CheckResult = Vec<Arc<CheckedRepository>>;

/// Checks open documents, and keeps the builds of their repositories.
pub(crate) struct Worker {
    ports: Arc<dyn EditorPorts>,
    revisions: Revisions,
    quiet: Duration,
    open: Vec<RepositoryBuilds>,
    /// The fixes that were tried in each repository, as long as no change affects them.
    tried: BTreeMap<PathBuf, Vec<TriedFix>>,
}

impl Worker {
    pub(crate) fn new(ports: Arc<dyn EditorPorts>, revisions: Revisions, quiet: Duration) -> Self {
        Self { ports, revisions, quiet, open: Vec::new(), tried: BTreeMap::new() }
    }

    /// Works until the orders end, or no result is received any more. The result of a check is sent
    /// first without and then with verified fixes.
    pub(crate) fn run(mut self, orders: &Receiver<CheckOrder>, results: &Sender<CheckResult>) {
        while let Ok(mut order) = orders.recv() {
            loop {
                order = match orders.recv_timeout(self.quiet) {
                    Ok(newer) => CheckOrder { changed: &order.changed | &newer.changed, ..newer },
                    Err(RecvTimeoutError::Timeout) => break,
                    // The editor leaves: it does not wait for the reading of a repository.
                    Err(RecvTimeoutError::Disconnected) => return,
                };
            }
            self.revisions.start(order.revision);
            let checked = self.check(&order);
            for one in &checked {
                self.drop_outdated_fixes(one);
            }
            // The changed files are already taken over, so only the result is dropped.
            if self.revisions.is_cancelled() {
                continue;
            }
            let all: CheckResult = checked.into_iter().map(Arc::new).collect();
            if results.send(all.clone()).is_err() {
                return;
            }
            let with_fixes: CheckResult = all.iter().map(|one| self.with_fixes(one)).collect();
            let has_fixes = with_fixes.iter().any(|one| !one.fixes.is_empty());
            if has_fixes && !self.revisions.is_cancelled() && results.send(with_fixes).is_err() {
                return;
            }
        }
    }

    fn check(&mut self, order: &CheckOrder) -> Vec<CheckedRepository> {
        let changed: Vec<PathBuf> = order.changed.iter().cloned().collect();
        for builds in self.open.iter_mut().filter(|_| !changed.is_empty()) {
            builds.changed(&changed);
        }
        let cancel = Arc::new(self.revisions.clone());
        let mut checked: Vec<CheckedRepository> = Vec::new();
        for file in order.texts.keys() {
            if checked.iter().any(|one| file.starts_with(&one.root)) {
                continue;
            }
            let Some(builds) = self.builds_around(file) else { continue };
            let root = builds.root().to_owned();
            let own = order.texts.iter().filter(|(path, _)| path.starts_with(&root));
            let texts: Texts = own.map(|(path, text)| (path.clone(), text.clone())).collect();
            let check = Arc::new(builds.check_edits(&texts, cancel.clone()));
            let (revision, fixes) = (order.revision, Vec::new());
            checked.push(CheckedRepository { root, revision, texts, check, fixes });
            if self.revisions.is_cancelled() {
                break;
            }
        }
        checked
    }

    /// The builds of the repository around a file, read now if they are not known.
    fn builds_around(&mut self, file: &Path) -> Option<&mut RepositoryBuilds> {
        let known = self.open.iter().position(|builds| file.starts_with(builds.root()));
        let builds = if let Some(at) = known {
            self.open.remove(at)
        } else {
            let mut builds = self.ports.repository(file.parent()?)?;
            builds.find().ok()?;
            builds.read();
            builds
        };
        self.open.push(builds);
        if self.open.len() > MAX_REPOSITORIES {
            self.open.remove(0);
        }
        self.open.last_mut()
    }

    /// Drops the fixes of findings that are gone, and those that a target built by the check uses.
    fn drop_outdated_fixes(&mut self, checked: &CheckedRepository) {
        let Some(tried) = self.tried.get_mut(&checked.root) else { return };
        let check = &checked.check;
        let is_built = |target: &PathBuf| check.built.contains(target);
        tried.retain(|TriedFix { finding, fix }| {
            let files = fix.iter().flat_map(|(_, changes)| changes);
            let files = files.map(|change| &change.path).chain(&finding.fix_file);
            let files: Vec<PathBuf> = files.cloned().collect();
            // The text that a fix changes may have moved.
            let mut changes = fix.iter().flat_map(|(_, changes)| changes);
            let has_base = |change: &FileChange| {
                change.base.is_none() || checked.files().read(&change.path).ok() == change.base
            };
            check.findings.contains(finding)
                && changes.all(has_base)
                && !finding.targets.iter().any(is_built)
                && !check.targets_with(&files).iter().any(is_built)
        });
    }

    /// The state with the verified fixes of the findings in open documents.
    fn with_fixes(&mut self, checked: &Arc<CheckedRepository>) -> Arc<CheckedRepository> {
        let tried = self.tried.entry(checked.root.clone()).or_default();
        let Some(builds) = self.open.iter().find(|builds| builds.root() == checked.root) else {
            return checked.clone();
        };
        let mut fixes = Vec::new();
        let in_document = |file: &Path| checked.texts.contains_key(file);
        let candidates = checked.check.findings.iter().filter(|found| {
            found.has_fix()
                && found.waived.is_none()
                && checked.finding_file(found).is_some_and(in_document)
        });
        for found in candidates.take(MAX_FIXES) {
            if self.revisions.is_cancelled() {
                break;
            }
            let Some(file) = checked.finding_file(found) else { continue };
            let known = tried.iter().position(|tried| tried.finding == *found);
            let at = known.unwrap_or_else(|| {
                let scope = self.ports.scope(file);
                let fix = builds.fix_in_edited_files(&checked.check.ports, found, &scope).ok();
                tried.push(TriedFix { finding: found.clone(), fix });
                tried.len() - 1
            });
            fixes.extend(Some(tried[at].clone()).filter(|tried| tried.fix.is_some()));
        }
        if self.revisions.is_cancelled() {
            // The last trial may have been ended.
            tried.pop();
        }
        Arc::new(CheckedRepository { fixes, ..CheckedRepository::clone(checked) })
    }
}
