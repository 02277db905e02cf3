//! Go structs whose fields a table lists.

use std::sync::Arc;

use crate::manifest::{Marked, Pairs};
use crate::yaml::Node;

use super::go_json::{GoPosition, Result};

/// A type that Kustomize decodes as a struct.
pub(crate) trait GoStruct: Default + 'static {
    /// The name in Go, such as `types.Patch`.
    const GO_TYPE: &'static str;
    const FIELDS: &'static [GoField<Self>];

    /// The value without its fields.
    fn start(_node: &Node) -> Self {
        Self::default()
    }
}

pub(crate) struct GoField<T> {
    name: &'static str,
    /// The Go type for errors; empty for the usual one.
    go_type: &'static str,
    read: ReadField<T>,
}

enum ReadField<T> {
    Slot(fn(&mut T) -> &mut dyn GoValue),
    With(fn(&mut T, &GoPosition<'_>, &Node) -> Result<()>),
}

pub(super) const fn field<T>(
    name: &'static str,
    slot: fn(&mut T) -> &mut dyn GoValue,
) -> GoField<T> {
    typed(name, "", slot)
}

/// A field whose Go type is not the usual one of its value.
pub(super) const fn typed<T>(
    name: &'static str,
    go_type: &'static str,
    slot: fn(&mut T) -> &mut dyn GoValue,
) -> GoField<T> {
    GoField { name, go_type, read: ReadField::Slot(slot) }
}

pub(super) const fn with<T>(
    name: &'static str,
    read: fn(&mut T, &GoPosition<'_>, &Node) -> Result<()>,
) -> GoField<T> {
    GoField { name, go_type: "", read: ReadField::With(read) }
}

/// Declares the fields of a type with a name in Go.
macro_rules! go_struct {
    ($type:ty, $go_type:expr, [$($field:expr),* $(,)?] $(, $start:expr)?) => {
        impl $crate::manifest::decode::go_struct::GoStruct for $type {
            const GO_TYPE: &'static str = $go_type;
            const FIELDS: &'static [$crate::manifest::decode::go_struct::GoField<Self>] =
                &[$($field),*];

            $(fn start(node: &$crate::yaml::Node) -> Self {
                $start(node)
            })?
        }
    };
}
pub(super) use go_struct;

/// Declares types with their fields in Go. A field without a row is not read.
macro_rules! go_types {
    ($(
        $(#[$meta:meta])*
        pub struct $type:ident = $go_type:literal {
            $($(#[$doc:meta])* $vis:vis $field:ident: $value:ty $(= $row:ident $arguments:tt)?,)*
        } $(from $start:expr)?
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $type {
            $($(#[$doc])* $vis $field: $value,)*
        }

        go_struct!($type, $go_type, [$($(go_types!(@row $field $row $arguments),)?)*] $(, $start)?);
    )*};
    (@row $field:ident field ($name:literal)) => { field($name, |it| &mut it.$field) };
    (@row $field:ident typed ($name:literal, $go_type:expr)) => {
        typed($name, $go_type, |it| &mut it.$field)
    };
    (@row $field:ident by ($name:literal, $read:expr)) => {
        with($name, |it, place, node| {
            it.$field = $read(place, node)?;
            Ok(())
        })
    };
    (@row $field:ident with $arguments:tt) => { with $arguments };
}
pub(super) use go_types;

impl GoPosition<'_> {
    pub(super) fn read<T: GoStruct>(&self, node: &Node) -> Result<T> {
        let names: Vec<&'static str> = T::FIELDS.iter().map(|field| field.name).collect();
        self.read_as(node, T::GO_TYPE, &names)
    }

    /// Decodes a struct that has another name, and only some of the fields, in Go here.
    pub(super) fn read_as<T: GoStruct>(
        &self,
        node: &Node,
        go_type: &'static str,
        names: &[&'static str],
    ) -> Result<T> {
        let mut value = T::start(node);
        self.fields(node, go_type, names, |present| {
            let Some(field) = T::FIELDS.iter().find(|field| field.name == present.name) else {
                return Ok(());
            };
            let place = &present.place;
            match field.read {
                ReadField::Slot(slot) => slot(&mut value).read(place, present.value, field.go_type),
                ReadField::With(read) => read(&mut value, place, present.value),
            }
        })?;
        Ok(value)
    }
}

/// A value that is read from a node; an empty `go_type` is the usual one.
pub(super) trait GoValue {
    fn read(&mut self, place: &GoPosition<'_>, node: &Node, go_type: &'static str) -> Result<()>;
}

impl<T: GoStruct> GoValue for T {
    fn read(&mut self, place: &GoPosition<'_>, node: &Node, _: &'static str) -> Result<()> {
        *self = place.read(node)?;
        Ok(())
    }
}

impl<T: GoStruct> GoValue for Vec<T> {
    fn read(&mut self, place: &GoPosition<'_>, node: &Node, go_type: &'static str) -> Result<()> {
        let items = place.list(node, go_type, GoPosition::read)?;
        *self = items.into_iter().map(|item| item.value).collect();
        Ok(())
    }
}

impl<T: GoStruct> GoValue for Vec<Marked<T>> {
    fn read(&mut self, place: &GoPosition<'_>, node: &Node, go_type: &'static str) -> Result<()> {
        *self = place.list(node, go_type, GoPosition::read)?;
        Ok(())
    }
}

impl<T: GoValue + Default> GoValue for Option<T> {
    fn read(&mut self, place: &GoPosition<'_>, node: &Node, go_type: &'static str) -> Result<()> {
        self.insert(T::default()).read(place, node, go_type)
    }
}

impl GoValue for String {
    fn read(&mut self, place: &GoPosition<'_>, node: &Node, go_type: &'static str) -> Result<()> {
        *self = place.string_of_type(node, if go_type.is_empty() { "string" } else { go_type })?;
        Ok(())
    }
}

impl GoValue for Marked<String> {
    fn read(&mut self, place: &GoPosition<'_>, node: &Node, go_type: &'static str) -> Result<()> {
        self.mark = node.mark;
        self.value.read(place, node, go_type)
    }
}

impl GoValue for Arc<str> {
    fn read(&mut self, place: &GoPosition<'_>, node: &Node, _: &'static str) -> Result<()> {
        *self = place.string(node)?.into();
        Ok(())
    }
}

impl GoValue for i64 {
    fn read(&mut self, place: &GoPosition<'_>, node: &Node, _: &'static str) -> Result<()> {
        *self = place.int(node, "int")?;
        Ok(())
    }
}

/// Types that a method of [`GoPosition`] reads.
macro_rules! read_by {
    ($($method:ident => $value:ty),+ $(,)?) => {$(
        impl GoValue for $value {
            fn read(&mut self, place: &GoPosition<'_>, node: &Node, _: &'static str) -> Result<()> {
                *self = place.$method(node)?;
                Ok(())
            }
        }
    )+};
}

read_by! {
    bool => bool,
    plain_strings => Vec<String>,
    strings => Vec<Marked<String>>,
    pairs => Pairs,
}
