//! The calls of tools: their arguments, read from JSON.

use std::path::Path;

use serde_json::{Map, Value};

use super::edits::{EditedText, parse_diff};
use super::paths::path_below_root;
use super::tools::argument_names;

const MAX_EDITED_FILES: usize = 64;
/// The number of output lines on a page, unless the agent requests another number.
const DEFAULT_PAGE_LINES: u32 = 400;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerFormat {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildPage {
    pub offset: u32,
    pub limit: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedFile {
    /// The path relative to the root.
    pub path: String,
    pub text: EditedText,
}

/// A question of an agent. Paths are relative to the root and stay below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolCall {
    Build {
        target: String,
        resource: Option<String>,
        page: BuildPage,
    },
    Why {
        target: String,
        resource: String,
        field: Option<String>,
    },
    /// The writers of the field on a line of the output.
    WhyLine {
        target: String,
        line: u32,
    },
    Check {
        paths: Vec<String>,
        changed: Option<String>,
        notes: bool,
    },
    TryEdit {
        edits: Vec<EditedFile>,
    },
    /// The differences between two folders, or between commits.
    CompareSides {
        before: String,
        after: Option<String>,
    },
    Where {
        file: String,
    },
    WhereResource {
        resource: String,
    },
    Compat {
        paths: Vec<String>,
        from: Option<String>,
        to: Option<String>,
    },
}

impl ToolCall {
    /// True for a call that builds many targets.
    pub fn uses_all_cores(&self) -> bool {
        match self {
            Self::Build { .. } | Self::Why { .. } | Self::WhyLine { .. } | Self::Where { .. } => {
                false
            }
            Self::Check { .. }
            | Self::TryEdit { .. }
            | Self::CompareSides { .. }
            | Self::WhereResource { .. }
            | Self::Compat { .. } => true,
        }
    }

    /// Reads a call; the format is that of the answer.
    ///
    /// # Errors
    /// The message for the agent: an unknown tool, or an argument that is unknown, missing or not
    /// valid.
    pub fn parse(
        name: &str,
        arguments: &Map<String, Value>,
        root: &Path,
    ) -> Result<(Self, AnswerFormat), String> {
        check_names(name, arguments)?;
        let read = ArgumentReader { arguments, root };
        let format = match read.text("format")?.as_deref() {
            None | Some("text") => AnswerFormat::Text,
            Some("json") => AnswerFormat::Json,
            Some(other) => return Err(format!("`format` is `{other}`: expected text or json")),
        };
        let call = match name {
            "build" => Self::Build {
                target: read.required_path("target")?,
                resource: read.word("resource")?,
                page: BuildPage {
                    offset: read.number("offset")?.unwrap_or(0),
                    limit: read.number("limit")?.unwrap_or(DEFAULT_PAGE_LINES).max(1),
                },
            },
            "why" => read.why()?,
            "check" => Self::Check {
                paths: read.paths("paths")?,
                changed: read.word("changed")?,
                notes: read.value("notes", "true or false", Value::as_bool)?.unwrap_or_default(),
            },
            "try_edit" => match (read.side("before")?, read.side("after")?) {
                (Some(before), after) => read.comparison(before, after)?,
                (None, None) => Self::TryEdit { edits: read.edits()? },
                (None, Some(_)) => return Err("`after` needs `before`".to_owned()),
            },
            "where" => match (read.text("file")?, read.word("resource")?) {
                (Some(file), None) => Self::Where { file: read.path(&file)? },
                (None, Some(resource)) => Self::WhereResource { resource },
                _ => return Err("expected one of `file` and `resource`".to_owned()),
            },
            "compat" => Self::Compat {
                paths: read.paths("paths")?,
                from: read.word("from")?,
                to: read.word("to")?,
            },
            other => return Err(format!("unknown tool `{other}`")),
        };
        Ok((call, format))
    }
}

/// Refuses an argument that the tool does not have: it would be ignored otherwise.
fn check_names(tool: &str, arguments: &Map<String, Value>) -> Result<(), String> {
    let Some(names) = argument_names(tool) else { return Err(format!("unknown tool `{tool}`")) };
    match arguments.keys().find(|key| !names.contains(key)) {
        Some(unknown) => {
            Err(format!("`{tool}` has no argument `{unknown}`: it has {}", names.join(", ")))
        }
        None => Ok(()),
    }
}
struct ArgumentReader<'a> {
    arguments: &'a Map<String, Value>,
    root: &'a Path,
}

impl ArgumentReader<'_> {
    /// The value of an argument, `None` if it is missing; `kind` is the kind of value that is read.
    fn value<T>(
        &self,
        name: &str,
        kind: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let value = self.arguments.get(name).filter(|value| !value.is_null());
        let read = value.map(|it| read(it).ok_or_else(|| format!("`{name}` is not {kind}")));
        read.transpose()
    }

    fn text(&self, name: &str) -> Result<Option<String>, String> {
        self.value(name, "a text", |value| value.as_str().map(str::to_owned))
    }

    fn number(&self, name: &str) -> Result<Option<u32>, String> {
        self.value(name, "a number from 0", |value| u32::try_from(value.as_u64()?).ok())
    }

    /// The text of an argument, `None` if it is missing or empty; an error if a command line would
    /// read it as a flag.
    fn word(&self, name: &str) -> Result<Option<String>, String> {
        let text = self.text(name)?.filter(|text| !text.is_empty());
        if text.as_ref().is_some_and(|text| text.starts_with('-')) {
            return Err(format!("`{name}` begins with a dash"));
        }
        Ok(text)
    }

    fn path(&self, path: &str) -> Result<String, String> {
        path_below_root(self.root, path).map_err(|refusal| format!("`{path}`: {refusal}"))
    }

    /// The path in an argument, checked to be below the root; an error if the argument is missing.
    fn required_path(&self, name: &str) -> Result<String, String> {
        let path = self.text(name)?.ok_or_else(|| format!("`{name}` is missing"))?;
        self.path(&path)
    }

    /// The paths in an argument, checked to be below the root; the root if the argument is missing.
    fn paths(&self, name: &str) -> Result<Vec<String>, String> {
        let list = |value: &Value| value.as_array().filter(|all| !all.is_empty()).cloned();
        let Some(all) = self.value(name, "a list of paths", list)? else {
            return Ok(vec![".".to_owned()]);
        };
        let one = |value: &Value| {
            self.path(value.as_str().ok_or_else(|| format!("`{name}` has no text"))?)
        };
        all.iter().map(one).collect()
    }

    fn why(&self) -> Result<ToolCall, String> {
        let target = self.required_path("target")?;
        match (self.word("resource")?, self.number("line")?) {
            (Some(resource), None) => {
                Ok(ToolCall::Why { target, resource, field: self.word("field")? })
            }
            (None, Some(line)) => Ok(ToolCall::WhyLine { target, line }),
            _ => Err("expected one of `resource` and `line`".to_owned()),
        }
    }

    /// One side of a comparison: a folder, a commit, or a folder in a commit as COMMIT:FOLDER.
    fn side(&self, name: &str) -> Result<Option<String>, String> {
        let Some(text) = self.word(name)? else { return Ok(None) };
        if text.split(':').next() == Some("draft") {
            return Err(format!("`{name}` is a draft: expected folders or commits"));
        }
        if let Some((_, folder)) = text.split_once(':') {
            self.path(folder)?;
        }
        self.path(&text).map(Some)
    }

    fn comparison(&self, before: String, after: Option<String>) -> Result<ToolCall, String> {
        let has = |name: &str| self.arguments.get(name).is_some_and(|it| !it.is_null());
        if has("diff") || has("edits") {
            return Err("expected an edit or `before`, not both".to_owned());
        }
        Ok(ToolCall::CompareSides { before, after })
    }

    fn edits(&self) -> Result<Vec<EditedFile>, String> {
        let edits = match (self.text("diff")?, self.arguments.get("edits")) {
            (Some(diff), None | Some(Value::Null)) => {
                let files = parse_diff(&diff).map_err(|refusal| format!("`diff`: {refusal}"))?;
                let one = |(path, text): (String, EditedText)| {
                    Ok(EditedFile { path: self.path(&path)?, text })
                };
                files.into_iter().map(one).collect::<Result<Vec<_>, String>>()?
            }
            (None, Some(Value::Array(edits))) => {
                edits.iter().map(|edit| self.edit(edit)).collect::<Result<Vec<_>, String>>()?
            }
            _ => return Err("expected one of `diff`, `edits` and `before`".to_owned()),
        };
        if edits.len() > MAX_EDITED_FILES {
            return Err(format!("{} edits: the limit is {MAX_EDITED_FILES}", edits.len()));
        }
        Ok(edits)
    }

    fn edit(&self, edit: &Value) -> Result<EditedFile, String> {
        let text = |name: &str| edit.get(name).and_then(Value::as_str).map(str::to_owned);
        let path = text("path").ok_or("an edit has no `path`")?;
        let text = match (text("old"), text("new"), edit.get("text")) {
            (Some(old), Some(new), None) => EditedText::Part { old, new },
            (None, None, Some(Value::String(whole))) => EditedText::Whole(Some(whole.clone())),
            (None, None, Some(Value::Null)) => EditedText::Whole(None),
            _ => {
                return Err(format!("the edit of `{path}` has neither `text` nor `old` and `new`"));
            }
        };
        Ok(EditedFile { path: self.path(&path)?, text })
    }
}
