//! Why findings of a target are not known.

use crate::display::counted;
use crate::engine::diagnostic::{
    BuildRemark, Code, DeployedRemark, DiagnosticContent, Remark, WithheldStep,
};
use crate::engine::evaluate::{Wait, WaitCause};
use crate::engine::plugin::RequiredAction;

use super::finding_kind::FindingKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnknownCause {
    NotFetched,
    ChartsNotRendered,
    NotTrusted,
    NotRun,
    /// The variables of a Flux Kustomization are not known.
    Variables,
    /// The values of a Secret are not known: the file is encrypted.
    Encrypted,
    /// The output that contains the deployment object is not known.
    Parent,
    OtherSource,
    OtherTool,
    InCluster,
    MissingFile,
    OptionOfArgoCd,
}

impl UnknownCause {
    pub(in crate::answers) fn from_finding(kind: &FindingKind) -> Option<Self> {
        match kind {
            // This code is an error, which is always listed.
            kind if kind.code() == Code::KZ193 => None,
            FindingKind::Pending(_, wait) => Self::from_wait(wait),
            FindingKind::Remark(Remark::Build(BuildRemark::ChartsNotRendered)) => {
                Some(Self::ChartsNotRendered)
            }
            FindingKind::Remark(Remark::Build(BuildRemark::WrittenBefore { .. })) => {
                Some(Self::MissingFile)
            }
            FindingKind::Remark(Remark::Build(BuildRemark::NotFetched(_))) => {
                Some(Self::NotFetched)
            }
            FindingKind::Remark(Remark::Deployed(remark)) => match remark {
                DeployedRemark::NotKnown(..)
                | DeployedRemark::UnknownVariables(_)
                | DeployedRemark::NotSubstituted { .. } => Some(Self::Variables),
                DeployedRemark::Encrypted => Some(Self::Encrypted),
                DeployedRemark::BuildOptions { .. } => Some(Self::OptionOfArgoCd),
                DeployedRemark::ParentNotKnown(..) => Some(Self::Parent),
                DeployedRemark::OtherSource(_) => Some(Self::OtherTool),
                _ => None,
            },
            FindingKind::Failure(error) if error.code() == Code::KZ029 => Some(Self::MissingFile),
            FindingKind::Remark(_) | FindingKind::Failure(_) | FindingKind::Warning(_) => None,
        }
    }

    fn from_wait(wait: &Wait) -> Option<Self> {
        match (&wait.why, &wait.awaited) {
            (WaitCause::Withheld(WithheldStep::Source(_)), _) => Some(Self::OtherSource),
            (WaitCause::Withheld(WithheldStep::OtherTool(_)), _) => Some(Self::OtherTool),
            (WaitCause::Withheld(WithheldStep::InCluster(_) | WithheldStep::NoDirectory(_)), _) => {
                Some(Self::InCluster)
            }
            (_, RequiredAction::Fetch | RequiredAction::FetchOfCatalog(_)) => {
                Some(Self::NotFetched)
            }
            (_, RequiredAction::Trust(_) | RequiredAction::Review(_)) => Some(Self::NotTrusted),
            (_, RequiredAction::Asked | RequiredAction::AllowByFlag | RequiredAction::Install) => {
                Some(Self::NotRun)
            }
            (_, RequiredAction::EarlierStep) => None,
        }
    }

    /// The number of missing items in words: `12 remotes not fetched (--fetch)`.
    pub fn in_words(self, count: usize) -> String {
        let (noun, words) = match self {
            Self::NotFetched => ("remote", "not fetched (--fetch)"),
            Self::ChartsNotRendered => ("chart", "not rendered (--enable-helm)"),
            Self::NotTrusted => ("catalog", "not trusted"),
            Self::NotRun => ("function", "not run"),
            Self::Variables => ("Flux variable source", "not set (--env)"),
            Self::Encrypted => ("object", "with encrypted files"),
            Self::OtherSource => ("object", "of another source"),
            Self::OtherTool => ("object", "rendered by Helm or a plugin"),
            Self::InCluster => ("object", "known only in the cluster"),
            Self::OptionOfArgoCd => ("build setting", "of Argo CD not applied"),
            Self::MissingFile => ("file", "missing that a user or a script makes"),
            Self::Parent => ("object", "with parents that are not known"),
        };
        format!("{} {words}", counted(count, noun))
    }
}
