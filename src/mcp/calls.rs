//! The calls of tools: their arguments, read from JSON.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::edits::{EditedText, parse_diff};
use super::paths::path_below_root;
use super::tools::{ToolRow, tool};

const MAX_EDITED_FILES: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerFormat {
    Text,
    Json,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedFile {
    /// The path relative to the root.
    pub path: String,
    pub text: EditedText,
}

/// A question of an agent: a tool and its arguments. Paths are relative to the root and stay below
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    pub tool: &'static str,
    pub format: AnswerFormat,
    texts: BTreeMap<String, String>,
    numbers: BTreeMap<String, u32>,
    /// The paths of a call with a list of them.
    pub paths: Vec<String>,
    pub notes: bool,
    pub edits: Vec<EditedFile>,
    /// True for a call that builds many targets.
    pub is_large: bool,
}

impl ToolCall {
    /// Reads a call.
    ///
    /// # Errors
    /// The message for the agent: an unknown tool, or an argument that is unknown, missing or not
    /// valid.
    pub fn parse(name: &str, given: &Map<String, Value>, root: &Path) -> Result<Self, String> {
        let row = tool(name).ok_or_else(|| format!("unknown tool `{name}`"))?;
        check_names(row, given)?;
        let is_large = match name {
            "build" | "why" => false,
            "where" => {
                given.get("resource").and_then(Value::as_str).is_some_and(|it| !it.is_empty())
            }
            _ => true,
        };
        let mut call = Self {
            tool: row.0,
            format: AnswerFormat::Text,
            texts: BTreeMap::new(),
            numbers: BTreeMap::new(),
            paths: vec![".".to_owned()],
            notes: false,
            edits: Vec::new(),
            is_large,
        };
        for (name, value) in given.iter().filter(|(_, value)| !value.is_null()) {
            call.read(name, value, root)?;
        }
        if call.edits.len() > MAX_EDITED_FILES {
            let count = call.edits.len();
            return Err(format!("{count} edits: the limit is {MAX_EDITED_FILES}"));
        }
        Ok(call)
    }

    /// The text or path of an argument; `None` if it is missing or empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    pub fn number(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// Reads an argument; one name has one meaning in all tools.
    fn read(&mut self, name: &str, value: &Value, root: &Path) -> Result<(), String> {
        let text = || value.as_str().ok_or_else(|| format!("`{name}` is not a text"));
        match name {
            "target" | "file" => {
                let path = Some(text()?).filter(|path| !path.is_empty());
                let path = path.map(|path| below(root, path)).transpose()?;
                self.texts.extend(path.map(|path| (name.to_owned(), path)));
            }
            "before" | "after" => {
                let side = word(name, text()?)?.map(|word| side(name, word, root)).transpose()?;
                self.texts.extend(side.map(|side| (name.to_owned(), side)));
            }
            "offset" | "limit" | "line" => {
                let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
                let number = number.ok_or_else(|| format!("`{name}` is not a number from 0"))?;
                self.numbers.insert(name.to_owned(), number);
            }
            "notes" => {
                let flag = value.as_bool();
                self.notes = flag.ok_or_else(|| format!("`{name}` is not true or false"))?;
            }
            "paths" => {
                let all = value.as_array().filter(|all| !all.is_empty());
                let all = all.ok_or_else(|| format!("`{name}` is not a list of paths"))?;
                let path = |it: &Value| {
                    below(root, it.as_str().ok_or_else(|| format!("`{name}` has no text"))?)
                };
                self.paths = all.iter().map(path).collect::<Result<_, String>>()?;
            }
            "diff" if value.as_str() == Some("") => {}
            "diff" => {
                let files = parse_diff(text()?).map_err(|why| format!("`{name}`: {why}"))?;
                for (path, text) in files {
                    self.edits.push(EditedFile { path: below(root, &path)?, text });
                }
            }
            "edits" => {
                let all = value.as_array().ok_or_else(|| format!("`{name}` is not a list"))?;
                let edits = all.iter().map(|edit| edited_file(edit, root));
                self.edits = edits.collect::<Result<_, String>>()?;
            }
            "format" => {
                self.format = match text()? {
                    "text" => AnswerFormat::Text,
                    "json" => AnswerFormat::Json,
                    other => return Err(format!("`{name}` is `{other}`: expected text or json")),
                };
            }
            _ => {
                let word = word(name, text()?)?.map(str::to_owned);
                self.texts.extend(word.map(|word| (name.to_owned(), word)));
            }
        }
        Ok(())
    }
}

/// Refuses an argument that the tool does not have, which would be ignored otherwise, and a call
/// without an argument that it needs.
fn check_names(row: &ToolRow, given: &Map<String, Value>) -> Result<(), String> {
    let (tool, _, required, properties) = row;
    let properties = properties();
    if let Some(unknown) = given.keys().find(|key| properties.get(key).is_none()) {
        let names: Vec<&str> =
            properties.as_object().into_iter().flatten().map(|it| &**it.0).collect();
        let names = names.join(", ");
        return Err(format!("`{tool}` has no argument `{unknown}`: it has {names}"));
    }
    // An empty word counts as missing.
    let has =
        |name: &str| given.get(name).is_some_and(|it| !it.is_null() && it.as_str() != Some(""));
    if let Some(missing) = required.iter().find(|name| given.get(**name).is_none_or(Value::is_null))
    {
        return Err(format!("`{missing}` is missing"));
    }
    let one = |names: &[&str]| names.iter().filter(|name| has(name)).count() == 1;
    match *tool {
        "why" if !one(&["resource", "line"]) => {
            Err("expected one of `resource` and `line`".to_owned())
        }
        "where" if !one(&["file", "resource"]) => {
            Err("expected one of `file` and `resource`".to_owned())
        }
        "try_edit" if !has("before") && has("after") => Err("`after` needs `before`".to_owned()),
        "try_edit" if !one(&["diff", "edits", "before"]) => {
            Err("expected one of `diff`, `edits` and `before`".to_owned())
        }
        _ => Ok(()),
    }
}

fn below(root: &Path, path: &str) -> Result<String, String> {
    path_below_root(root, path).map_err(|refusal| format!("`{path}`: {refusal}"))
}

/// A text; `None` if it is empty, and an error if a command line would read it as a flag.
fn word<'t>(name: &str, text: &'t str) -> Result<Option<&'t str>, String> {
    if text.starts_with('-') {
        return Err(format!("`{name}` begins with a dash"));
    }
    Ok(Some(text).filter(|text| !text.is_empty()))
}

fn side(name: &str, text: &str, root: &Path) -> Result<String, String> {
    if text.split(':').next() == Some("draft") {
        return Err(format!("`{name}` is a draft: expected folders or commits"));
    }
    if let Some((_, folder)) = text.split_once(':') {
        below(root, folder)?;
    }
    below(root, text)
}

fn edited_file(edit: &Value, root: &Path) -> Result<EditedFile, String> {
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
    Ok(EditedFile { path: below(root, &path)?, text })
}
