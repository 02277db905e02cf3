//! Arguments of commands in the palette.

use super::Command;
use crate::screen::WorkbenchPlace;

impl Command {
    /// A description of the argument that the command takes in the palette; `None` without one.
    pub(crate) fn argument_description(self) -> Option<&'static str> {
        match self {
            Self::AddCatalog => Some("a file, a directory, an OCI layout or a URL"),
            Self::Like => Some("a release, or a program that embeds one: kzui versions lists them"),
            Self::Find => Some("a regular expression, for values and paths of fields"),
            Self::GoTo(WorkbenchPlace::Target) => Some("a target of the repository"),
            Self::CompareSides => Some(
                "A [B]: folders, git references, `draft`, `draft:NAME`, rendered files; --like-a, --like-b",
            ),
            Self::Watch => Some("a resource and a field: Deployment/web spec.replicas"),
            Self::Drafts => Some("the name of a draft, or - for the draft without a name"),
            Self::RenameDraft | Self::CopyDraft => Some("a new name"),
            Self::DeleteDraft => Some("the name of a draft"),
            Self::NextTheme => Some("the name of a theme"),
            Self::ToggleMouse => Some("on or off"),
            _ => None,
        }
    }

    /// True if the argument is free text, without a list of candidates.
    pub(crate) fn takes_free_text(self) -> bool {
        matches!(
            self,
            Self::AddCatalog
                | Self::CompareSides
                | Self::Find
                | Self::Watch
                | Self::Drafts
                | Self::RenameDraft
                | Self::CopyDraft
                | Self::DeleteDraft
        )
    }
}
