//! What a diagnostic says: one value for each thing that can be the case, with what it is about. Its text is made where it is
//! shown; which rule it belongs to is known from it.

mod composition;
mod danger;
mod deployed;
mod entry;
mod function;
mod name;
mod oddity;
mod openapi;
mod patch;
mod release;
mod silent;

pub use composition::CompositionRemark;
pub use danger::{DangerRemark, Grant, Loss};
pub use deployed::DeployedRemark;
pub use entry::{AlreadySo, EntryRemark, FieldsGone, Unmoved};
pub use function::FunctionRemark;
pub use name::{HeldBack, NameRemark, OldName, ReferringField};
pub use oddity::{FunctionOddity, ResultOddity};
pub use openapi::OpenApiRemark;
pub use patch::PatchRemark;
pub use release::{ReleaseDifference, ReleaseRemark};
pub use silent::{SaidNamespace, SilentRemark};

use super::Code;
use crate::resource::Narrowing;

/// What is the case, by the subject that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Remark {
    /// An entry that does less than it seems to do.
    #[error(transparent)]
    Entry(EntryRemark),
    /// A name, a reference, a label or a var.
    #[error(transparent)]
    Name(NameRemark),
    /// A patch, or a part of a text that is replaced.
    #[error(transparent)]
    Patch(PatchRemark),
    /// A fault of which Kustomize says nothing.
    #[error(transparent)]
    Silent(SilentRemark),
    /// A function or a plugin.
    #[error(transparent)]
    Function(FunctionRemark),
    /// A Composition, or the file that it is in.
    #[error(transparent)]
    Composition(CompositionRemark),
    /// A schema.
    #[error(transparent)]
    OpenApi(OpenApiRemark),
    /// An object that deploys a directory.
    #[error(transparent)]
    Deployed(DeployedRemark),
    /// A danger of a difference.
    #[error(transparent)]
    Danger(DangerRemark),
    /// Another release.
    #[error(transparent)]
    Release(ReleaseRemark),
    /// Nothing was found, and that is so only as long as something is waited for.
    #[error("unknown until {awaited} is there: {remark}")]
    Unknown {
        /// What is waited for, as its step calls it.
        awaited: String,
        /// What is the case until then.
        remark: Box<Remark>,
    },
}

impl Remark {
    /// The rule that it belongs to.
    pub fn code(&self) -> Code {
        match self {
            Self::Entry(remark) => remark.code(),
            Self::Name(remark) => remark.code(),
            Self::Patch(remark) => remark.code(),
            Self::Silent(remark) => remark.code(),
            Self::Function(remark) => remark.code(),
            Self::Composition(remark) => remark.code(),
            Self::OpenApi(remark) => remark.code(),
            Self::Deployed(remark) => remark.code(),
            Self::Danger(remark) => remark.code(),
            Self::Release(_) => ReleaseRemark::code(),
            Self::Unknown { .. } => Code::KZ191,
        }
    }

    /// Where the target that it is about lost everything.
    pub fn narrowing(&self) -> Option<&Narrowing> {
        if let Self::Entry(remark) = self { remark.narrowing() } else { None }
    }

    /// The reference that it is about, which was left alone.
    pub fn old_name(&self) -> Option<&OldName> {
        if let Self::Name(NameRemark::OldName(old)) = self { Some(old) } else { None }
    }
}

/// Makes a remark of one about a subject.
macro_rules! by_subject {
    ($($variant:ident $subject:ident,)*) => {
        $(
            impl From<$subject> for Remark {
                fn from(remark: $subject) -> Self {
                    Self::$variant(remark)
                }
            }
        )*
    };
}

by_subject! {
    Entry EntryRemark,
    Name NameRemark,
    Patch PatchRemark,
    Silent SilentRemark,
    Function FunctionRemark,
    Composition CompositionRemark,
    OpenApi OpenApiRemark,
    Deployed DeployedRemark,
    Danger DangerRemark,
    Release ReleaseRemark,
}
