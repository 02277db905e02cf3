//! A form for the configuration of an entry, made from its schema: imported and overriding values.

use std::path::PathBuf;

use crate::answers::secrets::Secrets;
use crate::engine::plugin::check_schema;
use crate::engine::yaml::{
    Limits, Node, NodeKind, SourceId, Style, Tag, parse_documents, print_flow,
};

use super::super::text::{DiffRow, LineDiff, LineInput, sanitize};

/// Limit of nested schemas that become separate fields.
const DEPTH: usize = 6;

#[derive(Clone, Debug, Default)]
pub(crate) struct EntryForm {
    pub title: String,
    pub kind: String,
    pub file: PathBuf,
    pub file_name: String,
    pub item: FormItem,
    pub fields: Vec<FormField>,
    pub selected: usize,
    pub input: LineInput,
    pub diff: LineDiff,
    pub rows: Vec<DiffRow>,
    pub refused: Option<String>,
}

impl EntryForm {
    /// The text of a field, with values of Secrets masked. Values are also recognized by their
    /// path, since no build contains an overridden value.
    pub(crate) fn masked(&self, field: &FormField, text: &str, secrets: &Secrets) -> String {
        let head = format!("kind: {}\n{}: ", self.kind, field.path.join("."));
        let masked = secrets.mask_yaml(&format!("{head}{text}"));
        masked.strip_prefix(&head).unwrap_or(&masked).to_owned()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FormItem {
    pub field: &'static str,
    /// The index among the active items; `None` for a new item.
    pub index: Option<usize>,
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum FieldKind {
    #[default]
    Text,
    Choice(Vec<Node>),
    /// A value as YAML on one line: a number, a list, a mapping.
    Yaml,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FormField {
    pub path: Vec<String>,
    pub kind: FieldKind,
    pub takes: String,
    pub is_required: bool,
    pub description: String,
    pub imported: Option<(String, String)>,
    pub before: String,
    pub text: String,
    pub problem: Option<String>,
    schema: Node,
}

impl FormField {
    pub(crate) fn name(&self) -> String {
        sanitize(&self.path.join(".")).into_owned()
    }

    /// The value as YAML; `None` for an empty text.
    ///
    /// # Errors
    /// The text is not valid YAML, or the value violates the schema.
    pub(crate) fn value(&self) -> Result<Option<Node>, String> {
        if self.text.is_empty() {
            let missing = self.is_required && self.imported.is_none();
            return if missing { Err("required".to_owned()) } else { Ok(None) };
        }
        let node = match &self.kind {
            FieldKind::Text => Node::string(self.text.as_str()),
            FieldKind::Choice(_) | FieldKind::Yaml => read(&self.text)?,
        };
        match check_schema(&node, &self.schema).first() {
            None => Ok(Some(node)),
            Some(found) => {
                // The form already shows the name of the field.
                let is_field = found.place.is_empty();
                let words = if is_field { found.rule.clone() } else { found.to_string() };
                Err(sanitize(&words).into_owned())
            }
        }
    }

    /// Selects the next or previous value of a choice; the empty value is the first.
    pub(crate) fn choose(&mut self, forward: bool) {
        let FieldKind::Choice(values) = &self.kind else { return };
        let texts: Vec<String> = values.iter().map(shown).collect();
        let at = texts.iter().position(|text| *text == self.text).map_or(0, |at| at + 1);
        let count = texts.len() + 1;
        let at = if forward { (at + 1) % count } else { (at + count - 1) % count };
        self.text = at.checked_sub(1).and_then(|at| texts.get(at).cloned()).unwrap_or_default();
    }
}

fn read(text: &str) -> Result<Node, String> {
    let file = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default())
        .map_err(|error| format!("invalid YAML: {error}"))?;
    let node = file.documents.into_iter().next().map(|document| document.node);
    Ok(node.unwrap_or_default())
}

/// A value on one line, as a field shows it.
pub(crate) fn shown(node: &Node) -> String {
    match node.text() {
        Some(text) if !text.contains('\n') => text.to_owned(),
        _ => print_flow(node),
    }
}

/// Finds the overridden value at a path, and its origin.
type ImportedValue<'a> = dyn Fn(&[&str]) -> Option<(Node, String)> + 'a;

/// The fields of a configuration that its schema has. `imported` returns the
/// overridden value of a path with its origin, `own` the current value.
pub(crate) fn fields(schema: &Node, imported: &ImportedValue<'_>, own: &Node) -> Vec<FormField> {
    let mut fields = Vec::new();
    push_schema_fields(schema, &mut Vec::new(), true, &mut fields);
    for field in &mut fields {
        let path: Vec<&str> = field.path.iter().map(String::as_str).collect();
        field.imported = imported(&path).map(|(node, place)| (shown(&node), place));
        if let Some(node) = own.at(&path) {
            if node.kind() != NodeKind::Scalar || node.text().is_some_and(|t| t.contains('\n')) {
                field.kind = FieldKind::Yaml;
            }
            field.before = shown(node);
            field.text.clone_from(&field.before);
        }
    }
    fields
}

/// True for the path of a field that identifies the entry (`apiVersion`, `kind`, `$patch` or
/// `metadata.name`), which is not part of the form.
fn is_name(path: &[String]) -> bool {
    match path {
        [key] => ["apiVersion", "kind", "$patch"].contains(&key.as_str()),
        [outer, key] => outer == "metadata" && key == "name",
        _ => false,
    }
}

/// Adds a form field for each field of a schema. For an object with properties, the properties are
/// added in its place, down to the limit of nesting.
fn push_schema_fields(
    schema: &Node,
    path: &mut Vec<String>,
    required: bool,
    fields: &mut Vec<FormField>,
) {
    let needed = schema.get("required").and_then(Node::items).unwrap_or_default();
    for entry in schema.get("properties").map(Node::entries).unwrap_or_default() {
        let Some(key) = entry.key.text() else { continue };
        path.push(key.to_owned());
        let required = required && needed.iter().any(|it| it.text() == Some(key));
        let inner = entry.value.get("properties").is_some_and(|inner| !inner.entries().is_empty());
        if inner && path.len() < DEPTH {
            push_schema_fields(&entry.value, path, required, fields);
        } else if !is_name(path) && path.as_slice() != ["metadata"] {
            fields.push(field(path, &entry.value, required));
        }
        path.pop();
    }
}

fn field(path: &[String], schema: &Node, is_required: bool) -> FormField {
    let text = |key: &str| schema.get(key).and_then(Node::text).unwrap_or_default();
    let choices = schema.get("enum").and_then(Node::items).map(<[Node]>::to_vec);
    let is_mixed = text("x-kubernetes-int-or-string") == "true";
    let (kind, takes) = match (choices, text("type")) {
        (Some(values), _) => {
            let words = values.iter().map(shown).collect::<Vec<_>>().join(" | ");
            (FieldKind::Choice(values), words)
        }
        (None, "boolean") => {
            let truth = |text: &str| Node::scalar(text, Tag::Bool, Style::Plain);
            (FieldKind::Choice(vec![truth("true"), truth("false")]), "true | false".to_owned())
        }
        (None, "string") if !is_mixed => (FieldKind::Text, "text".to_owned()),
        (None, "array") => (FieldKind::Yaml, "list: [a, b]".to_owned()),
        (None, "object") => (FieldKind::Yaml, "mapping: {a: b}".to_owned()),
        (None, "") if is_mixed => (FieldKind::Yaml, "integer or text".to_owned()),
        (None, "") => (FieldKind::Yaml, "YAML".to_owned()),
        (None, other) => (FieldKind::Yaml, other.to_owned()),
    };
    FormField {
        path: path.to_vec(),
        kind,
        takes: sanitize(&takes).into_owned(),
        is_required,
        description: sanitize(text("description")).replace('\n', " "),
        schema: schema.clone(),
        ..FormField::default()
    }
}
