//! Trust in the files that a catalog names without a digest (ruling 32).

use crate::load::{Artifact, Digest, Reference};

use super::trust::{Trust, TrustVerdict};

/// The contents that the user's decisions about a catalog cover, for the files to which the catalog
/// gives no digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileTrust {
    /// The reference is trusted with any content.
    AnyContent,
    /// Only the contents at the time of the decisions: path and digest of each file.
    Recorded(Vec<(String, Digest)>),
}

/// The verdict on the present content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileVerdict {
    /// A decision was about the file with this content.
    Covered,
    /// No decision was about the file.
    Uncovered,
    /// Decisions were about other content.
    Other(Vec<Digest>),
}

impl FileTrust {
    /// The verdict on the file at `path` in the catalog, if its content has this digest.
    pub fn judge(&self, path: &str, digest: &Digest) -> FileVerdict {
        let Self::Recorded(recorded) = self else { return FileVerdict::Covered };
        let own = recorded.iter().filter(|(other, _)| other == path).map(|(_, digest)| *digest);
        let own: Vec<Digest> = own.collect();
        match own.as_slice() {
            [] => FileVerdict::Uncovered,
            _ if own.contains(digest) => FileVerdict::Covered,
            _ => FileVerdict::Other(own),
        }
    }
}

impl Trust {
    /// The trust in the files of a trusted catalog. Decisions about the same content under another
    /// reference count: trust follows content.
    pub fn file_trust(&self, reference: &Reference, artifact: &Artifact) -> FileTrust {
        if matches!(self.judge(reference), TrustVerdict::Trusted { pins } if pins.is_empty()) {
            return FileTrust::AnyContent;
        }
        let own = self.record_of(reference);
        let others = self.decisions().filter(|record| Some(*record) != own);
        // The latest decision about this reference replaces those about other references.
        let own = own.into_iter().filter(|record| self.is_decision(record));
        let own: Vec<_> = own.filter(|record| artifact.matches_pin(&record.digest)).collect();
        let records = if own.is_empty() {
            others.filter(|record| artifact.matches_pin(&record.digest)).collect()
        } else {
            own
        };
        let files = records.into_iter().flat_map(|record| &record.files);
        FileTrust::Recorded(files.map(|file| (file.path.clone(), file.digest)).collect())
    }
}
