//! Overlays: help, palette, questions, the small editor, and the form of an entry, made from its
//! schema.

use std::path::PathBuf;

use tui_textarea::TextArea;

use crate::answers::ResourceKey;
use crate::answers::reverse::VerifiedProposal;
use crate::answers::secrets::Secrets;
use crate::draft::{FileChange, ListedDraft, PastWrite, StoredDraft};
use crate::engine::plugin::{TrustRecord, check_schema};
use crate::engine::yaml::{
    Limits, Node, NodeKind, SourceId, Style, Tag, parse_documents, print_flow,
};
use crate::keymap::Command;
use crate::model::{FetchQuestion, PaletteState, WhyPane};
use crate::text::{DiffRow, LineDiff, LineInput, sanitize, wrap};
use crate::user_commands::UserCommandResult;

#[derive(Default)]
pub(crate) struct HelpState {
    pub filter: LineInput,
    pub offset: usize,
    /// The command that a click marked; a second click runs it.
    pub marked: Option<Command>,
}

/// The overlay on the screen, which receives the keys.
pub(crate) enum Overlay {
    Trust(Box<TrustQuestion>),
    Fetch(Box<FetchQuestion>),
    Help(HelpState),
    Actions(ActionMenu),
    Messages {
        offset: usize,
    },
    Palette(Box<PaletteState>),
    /// A search in the pane; Esc returns to the row of its start.
    Search {
        text: LineInput,
        from: usize,
    },
    Confirm(Box<Confirm>),
    Log(Box<LogState>),
    Drafts(Box<DraftList>),
    Why(Box<WhyPane>),
    FieldEdit(Box<FieldEdit>),
    Yank(Vec<YankItem>),
    Form(Box<EntryForm>),
    Editor(Box<InnerEditor>),
    CommandOutput(Box<CommandOutput>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommandOutput {
    pub name: String,
    pub lines: Vec<String>,
    pub offset: usize,
    /// The end of the run, for the title; `None` while it lasts.
    pub status: Option<String>,
}

impl CommandOutput {
    /// The lines, wrapped in an area with this width.
    pub(crate) fn wrapped(&self, columns: u16) -> impl Iterator<Item = String> {
        let cells = usize::from(columns.saturating_sub(2)).max(1);
        self.lines.iter().flat_map(move |line| wrap(line, cells))
    }

    pub(crate) fn end(&mut self, result: Result<UserCommandResult, String>) {
        self.status = Some(match result {
            Ok(ended) => {
                let text = String::from_utf8_lossy(&ended.output);
                self.lines = text.lines().map(|line| sanitize(line).into_owned()).collect();
                match ended.status {
                    Some(0) => "done".to_owned(),
                    Some(status) => format!("exit status {status}"),
                    None => "ended by a signal".to_owned(),
                }
            }
            Err(reason) => {
                self.lines = vec![sanitize(&reason).into_owned()];
                "not run".to_owned()
            }
        });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuItem {
    Command(Command),
    /// One of the user's own commands, by its index.
    UserCommand(usize),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ActionMenu {
    pub items: Vec<MenuItem>,
    /// The number of items about the selected row; they come first.
    pub row_items: usize,
    pub selected: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Confirmation {
    Write {
        then_quit: bool,
    },
    /// A conflict: the draft and the disk changed the same text.
    Conflict(PathBuf),
    Resume(Box<StoredDraft>),
    /// The question whether to revert a write in a draft; `number` counts from the newest.
    Restore {
        number: usize,
    },
    Run {
        index: usize,
    },
}

impl Confirmation {
    /// The answer keys of the question, each with its effect.
    pub(crate) fn keys(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Write { .. } => &[
                ("y", "write"),
                ("n", "cancel"),
                ("t", "per target"),
                ("w", "problems"),
                ("z", "undo edit"),
            ],
            Self::Conflict(_) => {
                &[("d", "keep the draft"), ("f", "keep the file on disk"), ("esc", "later")]
            }
            Self::Restore { .. } => &[("y", "revert it in a draft"), ("esc", "back to the log")],
            Self::Run { .. } => &[("y", "run"), ("n", "cancel")],
            Self::Resume(_) => &[("y", "restore"), ("n", "discard"), ("esc", "later")],
        }
    }
}

pub(crate) struct Confirm {
    pub question: String,
    pub asked: Confirmation,
    pub changes: Vec<FileChange>,
    pub files: Vec<(String, LineDiff, Vec<DiffRow>)>,
    pub offset: usize,
}

impl Confirm {
    pub(crate) fn is_write(&self) -> bool {
        matches!(self.asked, Confirmation::Write { .. })
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LogState {
    pub operations: Vec<PastWrite>,
    pub selected: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DraftList {
    pub drafts: Vec<ListedDraft>,
    pub selected: usize,
    /// True while the user is asked whether to delete the selected draft.
    pub asked: bool,
}

pub(crate) struct FieldEdit {
    pub resource: ResourceKey,
    /// The resource as `Deployment/web`.
    pub name: String,
    pub field: String,
    pub value: LineInput,
    /// The file and line for the editor.
    pub place: Option<(PathBuf, u32)>,
    pub state: FieldEditState,
}

pub(crate) enum FieldEditState {
    Typing,
    Searching,
    Found { proposals: Vec<VerifiedProposal>, selected: usize },
    Refused(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct YankItem {
    pub key: char,
    pub label: &'static str,
    pub text: String,
}

pub(crate) struct InnerEditor {
    pub file: PathBuf,
    pub title: String,
    pub area: TextArea<'static>,
    pub line_end: &'static str,
    pub ends_with_line: bool,
    /// True if this editor has already made an edit in the draft.
    pub edited: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TrustQuestion {
    pub catalog: String,
    pub reference: String,
    pub content: TrustRecord,
    /// The same decision on the command line, if a flag covers all that would run.
    pub flag: Option<String>,
    /// The name of the function that has more permissions than before; the user must type it to
    /// confirm.
    pub widened: Option<String>,
    /// Unpinned files and the input of the functions.
    pub summary: Vec<String>,
    /// The functions of the catalog that the command `R` would run.
    pub runs: Vec<String>,
    pub typed: LineInput,
}

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
