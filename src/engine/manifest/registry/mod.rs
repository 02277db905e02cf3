//! Kustomize's fields, plugins and lists of field specs, with one table row for each. Code that
//! needs further distinctions matches on the enum without `_`, so that the compiler reports every
//! `match` that a new row affects.

mod builtin;
mod field;

pub(crate) use builtin::plain_builtins;
pub use builtin::{Builtin, PlainType, PluginRole, SpecList};
pub use field::KustomizationField;
pub(super) use field::{CONFIG, FieldShape};
pub(crate) use field::{pairs_fields, plain_fields, word_fields};

/// An enum with one table row per variant.
macro_rules! registry {
    ($(#[$meta:meta])* $vis:vis enum $name:ident of $row:ident { $($(#[doc = $doc:literal])* $variant:ident => $value:expr,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $name { $($(#[doc = $doc])* $variant,)* }

        impl $name {
            /// All variants, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            const fn row(self) -> &'static $row {
                match self {
                    $(Self::$variant => { const ROW: $row = $value; &ROW })*
                }
            }
        }
    };
}
pub(super) use registry;
