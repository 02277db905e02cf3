//! The registry: a file for each subject, a row for each rule. A row has the texts of `kzui
//! explain`, the properties by which reports treat its findings, and every sentence that the rule
//! can be reported with.

mod build;
mod compositions;
mod dangers;
mod deployed;
mod entries;
mod functions;
mod names;
mod patches;
mod programs;
mod release;
mod schemas;
mod silent;

pub use build::BuildRemark;
pub use compositions::CompositionRemark;
pub use dangers::{DangerRemark, Loss, RbacGrant};
pub use deployed::DeployedRemark;
pub use entries::{AlreadySet, EntryRemark, OverriddenFields};
pub use functions::FunctionRemark;
pub use names::{NameRemark, ReferringField, StaleReference};
pub use patches::PatchRemark;
pub use programs::ProgramRemark;
pub use release::ReleaseRemark;
pub use schemas::OpenApiRemark;
pub use silent::{SilentRemark, TypeSource};

use super::Code;

/// Defines the rules of a subject, and the enum of its sentences, from rows like this one:
///
/// ```text
/// KZ999 Warning "title, at most a line" {
///     means: "The case, and its cause.",
///     action: "The remedy.",
///     page: "tests/cases/….md",           // left out if no page shows it
///     effect: NoMatch,                    // if it is about the effect of an entry (`EntryEffect`)
///     grouping: Line,                     // if findings of one line are one finding (`Grouping`)
///     listing: OnRequest,                 // if a report lists them in another way (`Listing`)
///     | Self::Variant { x } if *x > 3,    // a variant of another row, in part
///     #[error("one sentence about {x}")]
///     #[hint = "the remedy"]              // if it is the same for each diagnostic
///     Variant { x: usize },
/// }
/// ```
macro_rules! rules {
    (
        $(#[$attribute:meta])*
        pub enum $subject:ident;
        $($code:ident $severity:ident $title:literal {
            means: $means:literal,
            action: $action:literal,
            $(page: $page:literal,)?
            $(effect: $effect:ident,)?
            $(grouping: $grouping:ident,)?
            $(listing: $listing:ident,)?
            $(| $values:pat_param $(if $condition:expr)?,)?
            $(
                $(#[doc = $doc:literal])*
                #[error($($sentence:tt)*)]
                $(#[hint = $hint:literal])?
                $variant:ident $(($($tuple:tt)*))? $({$($fields:tt)*})?,
            )*
        })*
    ) => {
        $(#[$attribute])*
        pub enum $subject {
            $($(
                $(#[doc = $doc])*
                #[error($($sentence)*)]
                $variant $(($($tuple)*))? $({$($fields)*})?,
            )*)*
        }

        impl $subject {
            pub(in crate::diagnostic) fn code(&self) -> crate::diagnostic::Code {
                match self {
                    $($($values $(if $condition)? => crate::diagnostic::Code::$code,)?)*
                    $($(Self::$variant { .. } => crate::diagnostic::Code::$code,)*)*
                }
            }

            pub(in crate::diagnostic) fn hint(&self) -> Option<&crate::diagnostic::Hint> {
                match self {
                    $($(Self::$variant { .. } => super::rules!(@hint $($hint)?),)*)*
                }
            }
        }

        impl crate::diagnostic::Code {
            $(
                #[doc = $title]
                pub const $code: Self = Self(&crate::diagnostic::CodeRule {
                    code: stringify!($code),
                    severity: crate::diagnostic::Severity::$severity,
                    title: $title,
                    means: $means,
                    action: $action,
                    example: concat!($($page)?),
                    effect: super::rules!(@option EntryEffect $($effect)?),
                    grouping: super::rules!(@option Grouping $($grouping)?),
                    listing: super::rules!(@option Listing $($listing)?),
                });
            )*
        }

        pub(super) const ROWS: &[crate::diagnostic::Code] = &[$(crate::diagnostic::Code::$code),*];
    };
    (@hint) => { None };
    (@hint $hint:literal) => { Some(&crate::diagnostic::Hint::FixedText($hint)) };
    (@option $type:ident) => { None };
    (@option $type:ident $value:ident) => { Some(crate::diagnostic::$type::$value) };
}
use rules;

/// The codes of each subject, in the order in which `kzui explain` lists them.
const SUBJECTS: [&[Code]; 12] = [
    build::ROWS,
    release::ROWS,
    entries::ROWS,
    names::ROWS,
    patches::ROWS,
    silent::ROWS,
    functions::ROWS,
    compositions::ROWS,
    programs::ROWS,
    deployed::ROWS,
    schemas::ROWS,
    dangers::ROWS,
];

/// All codes, in the order of the registry.
pub fn all_codes() -> impl Iterator<Item = Code> {
    SUBJECTS.into_iter().flatten().copied()
}

impl Code {
    /// The code of this name, in either case.
    pub fn named(text: &str) -> Option<Self> {
        all_codes().find(|code| code.as_str().eq_ignore_ascii_case(text))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_has_one_row_with_all_texts() {
        let mut seen = BTreeSet::new();
        for code in all_codes() {
            let rule = code.rule();
            assert!(seen.insert(rule.code), "{code} has two rows");
            let number = rule.code.strip_prefix("KZ").unwrap_or_default();
            assert!(
                number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit()),
                "{code}"
            );
            for text in [rule.title, rule.means, rule.action] {
                assert!(!text.trim().is_empty(), "{code}");
            }
            assert!(!rule.title.ends_with('.') && rule.means.ends_with('.'), "{code}");
            assert_eq!(Code::named(&rule.code.to_lowercase()), Some(code));
        }
        assert!(Code::KZ101 < Code::KZ102, "by their numbers");
        assert_eq!(Code::named("KZ999"), None);
    }
}
