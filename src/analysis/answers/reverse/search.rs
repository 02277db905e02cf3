//! The search for edits that give a field a value: the proposals that builds have verified.

use std::sync::Arc;

use super::verify::fields_elsewhere;
use super::{Proposal, VerifiedProposal, WantedField, proposals, verify};
use crate::answers::Recording;
use crate::answers::compare::CompareReport;
use crate::answers::report::SetAffected;
use crate::draft::{DraftedFiles, FileChange, WriteScope};
use crate::engine::evaluate::Evaluation;
use crate::engine::load::Files;

pub struct ProposalSearch<'a> {
    pub recording: &'a Recording,
    pub wanted: &'a WantedField,
    pub files: &'a Arc<dyn Files>,
    pub scope: &'a WriteScope,
    /// The name of the target in `compare`.
    pub name: &'a str,
    pub build: &'a dyn Fn(Arc<dyn Files>) -> Evaluation,
    /// Compares all targets of the repository without and with a change; with `true` also their
    /// bases.
    pub compare: &'a dyn Fn(&FileChange, bool) -> Result<CompareReport, String>,
}

impl ProposalSearch<'_> {
    /// The edits that give the field the value, each verified by a build and with everything else
    /// that it changes; the best one first.
    pub fn verified_proposals(&self) -> Result<Vec<VerifiedProposal>, String> {
        let mut found: Vec<VerifiedProposal> = Vec::new();
        let (groups, late) = proposals(self.recording, self.wanted, &**self.files);
        let groups = groups.into_iter().map(|group| (false, group)).chain([(true, late)]);
        for (is_late, alternatives) in groups {
            if is_late && found.iter().any(|known| known.also_here.is_empty()) {
                break;
            }
            let Some((proposal, also_here)) = self.best(alternatives) else { continue };
            if found.iter().any(|known| known.proposal.change == proposal.change) {
                continue;
            }
            let report = (self.compare)(&proposal.change, false)?;
            let mut elsewhere = fields_elsewhere(&report, self.name);
            if also_here.is_empty() && elsewhere.is_empty() {
                // Users may deploy a base as well.
                let report = (self.compare)(&proposal.change, true)?;
                elsewhere = fields_elsewhere(&report, self.name);
            }
            found.push(VerifiedProposal { proposal, also_here, elsewhere });
        }
        found.sort_by_key(VerifiedProposal::rank);
        Ok(found)
    }

    fn best(&self, alternatives: Vec<Proposal>) -> Option<(Proposal, Vec<SetAffected>)> {
        let mut best: Option<(Proposal, Vec<SetAffected>)> = None;
        for proposal in alternatives {
            if self.scope.check(&proposal.change.path, &**self.files).is_err() {
                continue;
            }
            let FileChange { path, draft, .. } = &proposal.change;
            let texts = std::iter::once((path.clone(), draft.clone()));
            let files: Arc<dyn Files> = Arc::new(DraftedFiles::new(texts, self.files.clone()));
            let also = verify(self.recording, self.wanted, &(self.build)(files));
            let Some(also) = also else { continue };
            let is_exact = also.is_empty();
            if best.as_ref().is_none_or(|(_, known)| also.len() < known.len()) {
                best = Some((proposal, also));
            }
            if is_exact {
                break;
            }
        }
        best
    }
}
