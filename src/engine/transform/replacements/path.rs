//! Field paths of replacements: `a.b.[name=x].c`, `a.0`, `a.*`.

use regex::Regex;

use crate::diagnostic::{Fault, FieldFault, NodeShape, PartMissed};
use crate::resource::{RegexFault, go_regex};
use crate::transform::field_walk::split_path;
use crate::yaml::{MappingEntry, Node, NodeKind, print_preserving_style};

/// A path that begins at a resource, as kyaml's `PathGetter` and `PathMatcher` read it.
#[derive(Clone, Debug)]
pub(in crate::transform) struct ReplacementPath {
    parts: Vec<ReplacementSegment>,
}

#[derive(Clone, Debug)]
enum ReplacementSegment {
    Key(String),
    /// Brackets without a condition: matches no field.
    Nothing,
    Index(usize),
    /// `-`: the end of a list.
    Last,
    /// `*`: all elements of a list.
    Every,
    /// `[key=value]`: the elements with this value.
    Match {
        key: String,
        value: String,
        pattern: Result<Regex, RegexFault>,
    },
}

/// A function that writes a leaf; the flag is true if the leaf was created for the write.
type Write<'w> = dyn FnMut(&mut Node, bool) -> Result<(), Fault> + 'w;

impl ReplacementPath {
    /// Splits at dots; `\.` is a dot, and dots in brackets are kept.
    pub(super) fn parse(text: &str) -> Self {
        Self { parts: split(text).into_iter().map(ReplacementSegment::parse).collect() }
    }

    /// The keys and indices of the path; every other selection of elements becomes `*`.
    pub(in crate::transform) fn written_parts(&self) -> Vec<String> {
        let part = |segment: &ReplacementSegment| match segment {
            ReplacementSegment::Key(key) => key.clone(),
            ReplacementSegment::Index(index) => index.to_string(),
            _ => "*".to_owned(),
        };
        self.parts.iter().map(part).collect()
    }

    /// Parses the path of a source, like [`ReplacementPath::parse`], but ignores blanks around a
    /// part and parts without a text.
    pub(super) fn of_source(text: &str) -> Self {
        Self::of_parts(split(text))
    }

    /// Parses the path of a var, like [`ReplacementPath::of_source`]: `name[0]` is two parts.
    pub(in crate::transform) fn of_var(text: &str) -> Self {
        Self::of_parts(split(text).into_iter().flat_map(split_index))
    }

    /// Parses a path with slashes between its parts, like [`ReplacementPath::of_source`].
    pub(in crate::transform) fn of_field_spec(text: &str) -> Self {
        Self::of_parts(split_path(text.trim_start_matches('/')))
    }

    fn of_parts(parts: impl IntoIterator<Item = String>) -> Self {
        let parts = parts.into_iter().map(|part| part.trim().to_owned());
        let parts = parts.filter(|part| !part.is_empty());
        Self { parts: parts.map(ReplacementSegment::parse).collect() }
    }

    pub(in crate::transform) fn has_wildcard(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, ReplacementSegment::Every))
    }

    /// For each proper prefix, shortest first: the prefix, and the rest of the path.
    pub(super) fn splits(&self) -> impl Iterator<Item = (Self, Self)> {
        (1..self.parts.len()).map(|at| {
            let (head, tail) = self.parts.split_at(at);
            (Self { parts: head.to_vec() }, Self { parts: tail.to_vec() })
        })
    }

    pub(in crate::transform) fn depth(&self) -> usize {
        self.parts.len()
    }

    /// The node at the end: only exact matches, and the first matching element.
    pub(in crate::transform) fn get<'n>(
        &self,
        node: &'n Node,
    ) -> Result<Option<&'n Node>, FieldFault> {
        self.parts.iter().try_fold(Some(node), |node, part| match node {
            Some(node) => part.child(node),
            None => Ok(None),
        })
    }

    /// Writes to every leaf of the path, and creates missing fields if `create` is true; false if it
    /// has no leaf.
    pub(in crate::transform) fn visit(
        &self,
        node: &mut Node,
        create: bool,
        write: &mut Write<'_>,
    ) -> Result<bool, Fault> {
        visit((node, false), &self.parts, create, write)
    }

    /// The point at which the path ends early, and the node there; `None` if the field exists.
    pub(super) fn why_missing(&self, node: &Node) -> Option<PartMissed> {
        let mut node = node;
        for (at, part) in self.parts.iter().enumerate() {
            let Ok(Some(next)) = part.child(node) else {
                let there = NodeShape::from_node(node);
                return Some(PartMissed { object: None, part: at + 1, there });
            };
            node = next;
        }
        None
    }
}

/// The field of an element that a condition compares; without a key, the element itself. In an
/// alias Kustomize finds no field.
fn selected_field<'n>(item: &'n Node, key: &str) -> Option<&'n Node> {
    match key {
        "" => Some(item),
        _ if item.is_alias() => None,
        _ => item.get(key),
    }
}

/// Follows the path `parts` from a node, which is new if the flag is true, and writes every leaf;
/// false if there is none.
fn visit(
    (node, is_new): (&mut Node, bool),
    parts: &[ReplacementSegment],
    create: bool,
    write: &mut Write<'_>,
) -> Result<bool, Fault> {
    let Some((part, rest)) = parts.split_first() else { return write(node, is_new).map(|()| true) };
    let expected = part.written_kind();
    if node.is_alias() {
        return Err(FieldFault::wrong_kind(expected, node).into());
    }
    if matches!(part, ReplacementSegment::Nothing) {
        return Err(FieldFault::NoCondition.into());
    }
    // Releases up to v5.7.1 write below a null and lose the value.
    if node.is_null() && !create {
        return Ok(false);
    }
    if node.kind() != expected {
        return Err(FieldFault::wrong_kind(expected, node).into());
    }
    let Some(key) = part.written_key() else {
        return visit_elements(node, (part, rest), create, write);
    };
    if let Some(value) = node.get_mut(key) {
        return visit((value, false), rest, create, write);
    }
    if !create {
        return Ok(false);
    }
    let mut value = new_missing_node(rest);
    let found = visit((&mut value, true), rest, create, write)?;
    let key = Node::plain(key).marked(value.mark);
    if let Some(mapping) = node.as_mapping_mut() {
        mapping.push(MappingEntry { key, value });
    }
    Ok(found)
}

/// Follows the rest of a path in the elements of a list that a part selects. An element may be
/// created if they have no leaf.
fn visit_elements(
    list: &mut Node,
    (part, rest): (&ReplacementSegment, &[ReplacementSegment]),
    create: bool,
    write: &mut Write<'_>,
) -> Result<bool, Fault> {
    let items = list.items().unwrap_or_default();
    let length = items.len();
    let (wanted, new, below): (Vec<usize>, _, _) = match part {
        ReplacementSegment::Index(index) if *index < length => (vec![*index], None, rest),
        ReplacementSegment::Index(index) if create && *index == length => {
            (Vec::new(), Some((new_missing_node(rest), true)), rest)
        }
        ReplacementSegment::Index(index) => {
            return Err(FieldFault::IndexOutOfRange { index: *index, length }.into());
        }
        ReplacementSegment::Match { key, value, pattern } => {
            let pattern = pattern.as_ref();
            let pattern = pattern.map_err(|fault| FieldFault::NoExpression(fault.clone()))?;
            let fits = |(index, item): (usize, &Node)| {
                let text = print_preserving_style(selected_field(item, key)?);
                pattern.is_match(text.trim_end()).then_some(index)
            };
            let wanted = items.iter().enumerate().filter_map(fits).collect();
            let mut element = Node::plain(value.as_str());
            if !key.is_empty() {
                let value = std::mem::replace(&mut element, Node::mapping());
                element.set(key, value);
            }
            // Kustomize ignores the rest of a path after a condition on the element itself.
            (wanted, Some((element, false)), if key.is_empty() { &[][..] } else { rest })
        }
        _ => ((0..length).collect(), None, rest),
    };
    let mut found = false;
    for index in wanted {
        if let Some(item) = list.items_mut().and_then(|items| items.get_mut(index)) {
            found |= visit((item, false), below, create, write)?;
        }
    }
    if let Some((mut element, is_new)) = new.filter(|_| create && !found) {
        found = visit((&mut element, is_new), below, create, write)?;
        if let Some(items) = list.items_mut() {
            items.push(element);
        }
    }
    Ok(found)
}

/// The node created for a missing field, so that the rest of the path can be followed.
fn new_missing_node(rest: &[ReplacementSegment]) -> Node {
    match rest.first() {
        Some(ReplacementSegment::Key(_) | ReplacementSegment::Last | ReplacementSegment::Every) => {
            Node::mapping()
        }
        Some(_) => Node::sequence(Vec::new()),
        None => Node::default(),
    }
}

impl ReplacementSegment {
    /// The node to which the part leads: only exact matches, and the first matching element.
    fn child<'n>(&self, node: &'n Node) -> Result<Option<&'n Node>, FieldFault> {
        let items = node.items().unwrap_or_default();
        let (expected, next) = match self {
            Self::Key(key) => (NodeKind::Mapping, node.get(key)),
            Self::Index(index) => (NodeKind::Sequence, items.get(*index)),
            Self::Last => (NodeKind::Sequence, items.last()),
            Self::Match { key, value, .. } => {
                let has_value = |field: &Node| field.text() == Some(value);
                let mut items = items.iter();
                let found = items.find(|it| selected_field(it, key).is_some_and(has_value));
                (NodeKind::Sequence, found)
            }
            Self::Nothing => return Err(FieldFault::NoCondition),
            Self::Every => return Err(FieldFault::Wildcard),
        };
        if node.is_alias() || node.kind() != expected && !node.is_null() {
            return Err(FieldFault::wrong_kind(expected, node));
        }
        Ok(next)
    }

    /// The key under which a visit writes; `None` for a part that selects elements.
    fn written_key(&self) -> Option<&str> {
        match self {
            Self::Key(key) => Some(key),
            Self::Last => Some("-"),
            Self::Nothing | Self::Index(_) | Self::Every | Self::Match { .. } => None,
        }
    }

    /// The kind of collection that a visit needs; at a node of another kind the path ends.
    fn written_kind(&self) -> NodeKind {
        if self.written_key().is_some() { NodeKind::Mapping } else { NodeKind::Sequence }
    }

    fn parse(text: String) -> Self {
        if text == "*" {
            return Self::Every;
        }
        if text == "-" {
            return Self::Last;
        }
        if let Ok(index) = text.parse() {
            return Self::Index(index);
        }
        if text.is_empty() {
            return Self::Nothing;
        }
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        match inner.map(|inner| inner.split_once('=')) {
            Some(Some((key, value))) => {
                let pattern = go_regex(value);
                Self::Match { key: key.to_owned(), value: value.to_owned(), pattern }
            }
            // Brackets around a text with dots make it a literal key: without them it would be
            // split.
            Some(None) => match inner.unwrap_or_default() {
                inner if inner.contains('.') => Self::Key(inner.to_owned()),
                _ => Self::Nothing,
            },
            None => Self::Key(text),
        }
    }
}

/// The parts of `name[0]`: key and index. Any other text is one part.
fn split_index(part: String) -> Vec<String> {
    let index = part.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    match index {
        Some((name, index))
            if !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            vec![name.to_owned(), index.to_owned()]
        }
        _ => vec![part],
    }
}

fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut in_brackets = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let current = parts.last_mut();
        let Some(current) = current else { break };
        match c {
            '\\' if chars.peek() == Some(&'.') => {
                chars.next();
                current.push('.');
            }
            '.' if !in_brackets => parts.push(String::new()),
            '[' if current.is_empty() => {
                in_brackets = true;
                current.push(c);
            }
            ']' if in_brackets && chars.peek().is_none_or(|next| *next == '.') => {
                in_brackets = false;
                current.push(c);
            }
            _ => current.push(c),
        }
    }
    // Kustomize: an empty part matches no field, except at the start.
    if parts.len() > 1 && parts[0].is_empty() {
        parts.remove(0);
    }
    parts
}
