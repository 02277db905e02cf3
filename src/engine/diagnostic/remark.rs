//! The content of a diagnostic: a value of the enum of its subject. Its code and its sentence
//! follow from the row in `rules`.

use super::rules::{
    BuildRemark, CompositionRemark, DangerRemark, DeployedRemark, EntryRemark, FunctionRemark,
    NameRemark, OpenApiRemark, PatchRemark, ProgramRemark, ReleaseRemark, SilentRemark,
    StaleReference,
};
use super::{Code, Hint};
use crate::resource::Narrowing;

/// The content of a diagnostic: its code and its hint; its sentence is its `Display`.
pub trait DiagnosticContent: std::fmt::Display {
    /// The code of the rule that the diagnostic belongs to.
    fn code(&self) -> Code;

    /// The default hint of the rule.
    fn hint(&self) -> Option<&Hint>;
}

macro_rules! subjects {
    ($($variant:ident($subject:ident),)*) => {
        /// The content of a diagnostic, by subject.
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        pub enum Remark {
            $(
                #[error(transparent)]
                $variant(#[from] $subject),
            )*
            /// A remark that is valid only until a pending step is evaluated. `awaited` is the
            /// missing input of that step.
            #[error("not known until {awaited} is available: {remark}")]
            Unknown { awaited: String, remark: Box<Remark> },
        }

        impl DiagnosticContent for Remark {
            fn code(&self) -> Code {
                match self {
                    $(Self::$variant(remark) => remark.code(),)*
                    Self::Unknown { .. } => Code::KZ191,
                }
            }

            fn hint(&self) -> Option<&Hint> {
                match self {
                    $(Self::$variant(remark) => remark.hint(),)*
                    Self::Unknown { .. } => None,
                }
            }
        }
    };
}

subjects! {
    Build(BuildRemark),
    Composition(CompositionRemark),
    Danger(DangerRemark),
    Deployed(DeployedRemark),
    Entry(EntryRemark),
    Function(FunctionRemark),
    Name(NameRemark),
    OpenApi(OpenApiRemark),
    Patch(PatchRemark),
    Program(ProgramRemark),
    Release(ReleaseRemark),
    Silent(SilentRemark),
}

impl Remark {
    /// The part of the selector (of a patch or replacement) after which no resource is left.
    pub fn narrowing(&self) -> Option<&Narrowing> {
        if let Self::Entry(remark) = self { remark.narrowing() } else { None }
    }

    /// The reference that Kustomize did not update; `None` for a remark about something else.
    pub fn stale_reference(&self) -> Option<&StaleReference> {
        if let Self::Name(NameRemark::OldName(old)) = self { Some(old) } else { None }
    }
}
