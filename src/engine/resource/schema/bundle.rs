//! The built-in schemas from their bundles (`src/engine/assets/kubernetes-schema`, made by the generators
//! beside them).

use std::borrow::Cow;
use std::sync::OnceLock;

use memchr::{memchr, memchr_iter};

use super::{Schema, SchemaShape, SchemaType, ShapeId, Text};

/// The built-in schema, of Kubernetes 1.21.2, in a compact text.
pub(super) const KUSTOMIZE: &str = include_str!("../../assets/kubernetes-schema/v1.21.2.txt");

/// The fields that the versions of Kubernetes have, in the same format.
pub(super) const ALL_VERSIONS: &str = include_str!("../../assets/kubernetes-schema/fields.txt");

/// Reads a bundle. An invalid line is skipped without an error, because the bundle is part of the
/// program and tested.
pub(super) fn read(bundle: &'static str) -> Schema {
    let mut schema = Schema::default();
    let mut starts = memchr_iter(b'=', bundle.as_bytes());
    let Some(mut start) = starts.next() else { return schema };
    // All shapes precede the first definition: a number is an index into them.
    let mut first = 0;
    for end in memchr_iter(b'\n', &bundle.as_bytes()[..start]) {
        schema.push(shape(&bundle[first + 1..end]));
        first = end + 1;
    }
    for end in starts.chain([bundle.len()]) {
        define(&mut schema, &bundle[start + 1..end]);
        start = end;
    }
    schema
}

/// Adds a definition: a line `NAME NUMBER`, followed by its types and properties with one line for
/// each. `None` if a line is not valid.
fn define(schema: &mut Schema, text: &'static str) -> Option<()> {
    let ((name, number), mut below) = split_first_line(text)?;
    let shape = schema.shapes.get(number.parse::<usize>().ok()?)?.clone();
    let id = schema.push(shape);
    schema.definitions.insert(Cow::Borrowed(name), id);
    while let Some(rest) = below.strip_prefix('~') {
        let ((api_version, kind), rest) = split_first_line(rest)?;
        schema.types.insert((Cow::Borrowed(api_version), Cow::Borrowed(kind)), id);
        below = rest;
    }
    let shape = &mut schema.shapes[id.0];
    shape.is_closed = shape.kind == SchemaType::Object && !below.is_empty();
    shape.fields = PropertyShapes::Bundled(below, OnceLock::new());
    Some(())
}

fn split_first_line(text: &str) -> Option<((&str, &str), &str)> {
    let space = memchr(b' ', text.as_bytes())?;
    let (first, rest) = (&text[..space], &text[space + 1..]);
    let end = memchr(b'\n', rest.as_bytes())?;
    Some(((first, &rest[..end]), &rest[end + 1..]))
}

/// The shape that a text like `@NAME` or `[NUMBER]+key` describes.
fn shape(text: &'static str) -> SchemaShape {
    let mut shape = SchemaShape::default();
    let inner = |number: &str| number.parse().ok().map(ShapeId);
    shape.kind = match text.as_bytes().first() {
        Some(b'@') => {
            shape.reference = Some(Cow::Borrowed(&text[1..]));
            SchemaType::Any
        }
        Some(b'[') => {
            let (items, keys) = text[1..].split_once(']').unwrap_or((&text[1..], ""));
            shape.inner = inner(items);
            shape.merge = keys.strip_prefix('+').map(|keys| {
                keys.split(',').filter(|key| !key.is_empty()).map(Cow::Borrowed).collect()
            });
            SchemaType::Array
        }
        Some(b'{') => {
            shape.inner = inner(text[1..].trim_end_matches('}'));
            SchemaType::Object
        }
        Some(b's') => SchemaType::String,
        Some(b'i') => SchemaType::Integer,
        Some(b'n') => SchemaType::Number,
        Some(b'b') => SchemaType::Boolean,
        Some(b'q') => SchemaType::StringOrNumber,
        Some(b'o') => SchemaType::Object,
        _ => SchemaType::Any,
    };
    shape
}

/// Properties, sorted by name, each with its shape.
#[derive(Clone, Debug)]
pub(super) enum PropertyShapes {
    Parsed(Vec<(Text, ShapeId)>),
    /// Lines of the bundle of the form `.NAME NUMBER`, parsed at the first use: most of its
    /// definitions are never used.
    Bundled(&'static str, OnceLock<Vec<(Text, ShapeId)>>),
}

impl Default for PropertyShapes {
    fn default() -> Self {
        Self::Parsed(Vec::new())
    }
}

impl PartialEq for PropertyShapes {
    fn eq(&self, other: &Self) -> bool {
        self.listed() == other.listed()
    }
}

impl Eq for PropertyShapes {}

impl PropertyShapes {
    pub(super) fn get(&self, name: &str) -> Option<ShapeId> {
        let fields = self.listed();
        let found = fields.binary_search_by(|(field, _)| (**field).cmp(name));
        fields.get(found.ok()?).map(|(_, id)| *id)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.listed().iter().map(|(name, _)| &**name)
    }

    /// All properties; parses the text if necessary.
    pub(super) fn listed(&self) -> &[(Text, ShapeId)] {
        match self {
            Self::Parsed(fields) => fields,
            Self::Bundled(lines, read) => read.get_or_init(|| read_lines(lines)),
        }
    }

    /// A copy with renumbered shapes, for another schema.
    pub(super) fn moved(&self, moved: impl Fn(ShapeId) -> ShapeId) -> Self {
        Self::Parsed(self.listed().iter().map(|(name, id)| (name.clone(), moved(*id))).collect())
    }
}

/// Parses the lines of a definition in the bundle: one property each.
fn read_lines(lines: &'static str) -> Vec<(Text, ShapeId)> {
    let mut start = 0;
    let line = |end: usize| {
        let line = &lines[std::mem::replace(&mut start, end + 1)..end];
        let space = memchr(b' ', line.as_bytes())?;
        let name = line[..space].strip_prefix('.')?;
        Some((Cow::Borrowed(name), ShapeId(line[space + 1..].parse().ok()?)))
    };
    memchr_iter(b'\n', lines.as_bytes()).filter_map(line).collect()
}
