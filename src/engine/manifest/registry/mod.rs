//! Kustomize's fields, plugins and lists of field specs: one row for each, and whatever the house knows about one by its
//! name. Who asks further matches on the enum, without `_`, so that a new row says by itself where it is still missing.

mod builtin;
mod field;

pub(crate) use builtin::plain_builtins;
pub use builtin::{Builtin, EqualWrite, Holds, PlainStruct, PlainType, Role, SpecList};
pub use field::Field;
pub(super) use field::{CONFIG, Shape};
pub(crate) use field::{pairs_fields, plain_fields, word_fields};

/// An enum whose variants have one row of a table each.
macro_rules! registry {
    ($(#[$meta:meta])* $vis:vis enum $name:ident of $row:ident { $($(#[doc = $doc:literal])* $variant:ident => $value:expr,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $name { $($(#[doc = $doc])* $variant,)* }

        impl $name {
            /// Every one, in the order of the table.
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
