//! The text of a file as coloured lines. YAML is coloured line by line, and may be invalid, as in
//! drafts; other text a piece at a time: only shown lines are parsed, and the parser continues from
//! the last one.

use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use crate::engine::yaml::{Mark, SourceId};
use crate::text::{LineToken, TextLine, sanitize};
use crate::theme::StyleRole;

/// The syntaxes, unpacked when a text is first coloured instead of when the workbench opens.
static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);

/// Maps scopes to roles; the innermost scope on the stack that is listed here decides.
static ROLES: LazyLock<Vec<(Scope, StyleRole)>> = LazyLock::new(|| {
    const NAMES: &[(&str, StyleRole)] = &[
        ("comment", StyleRole::YamlComment),
        ("punctuation.definition.comment", StyleRole::YamlComment),
        ("punctuation", StyleRole::YamlPunctuation),
        ("constant", StyleRole::YamlLiteral),
        ("markup.raw", StyleRole::YamlLiteral),
        ("markup.underline.link", StyleRole::YamlLiteral),
        ("string", StyleRole::YamlText),
        ("keyword.operator", StyleRole::YamlPunctuation),
        ("keyword", StyleRole::YamlKey),
        ("storage", StyleRole::YamlKey),
        ("entity.name", StyleRole::YamlKey),
        ("entity.other.attribute-name", StyleRole::YamlKey),
        ("support", StyleRole::YamlKey),
        ("variable", StyleRole::YamlLiteral),
        ("markup.heading", StyleRole::YamlKey),
    ];
    let scopes = NAMES.iter().filter_map(|(name, role)| Some((Scope::new(name).ok()?, *role)));
    scopes.collect()
});

/// The maximum length in bytes of a coloured line: a longer line is data, and parsing it would
/// delay the keys.
const MAX_COLOURED_LINE_BYTES: usize = 4096;

/// Colours a range of lines from its start, as far as the lines are shown.
#[derive(Clone, Debug)]
pub(crate) struct CodePainter {
    lines: Range<usize>,
    /// The state of the grammar at the end of the coloured lines; `None` for YAML.
    state: Option<(Box<ParseState>, ScopeStack)>,
}

impl CodePainter {
    /// A painter for lines of the file `name`; `None` if the syntax of the file is not known.
    pub(crate) fn new(name: &str, lines: Range<usize>) -> Option<Self> {
        if is_yaml(name) {
            return Some(Self { lines, state: None });
        }
        let state = Box::new(ParseState::new(syntax_for_file(name)?));
        Some(Self { lines, state: Some((state, ScopeStack::new())) })
    }

    /// The painters for values of a resource that contain complete files: `application.properties:
    /// |`.
    pub(crate) fn for_embedded_files(lines: &[TextLine]) -> Vec<Self> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let path = &lines[at].path;
            let more =
                lines[at + 1..].iter().take_while(|line| line.path == *path && !path.is_empty());
            let end = at + 1 + more.count();
            let key = lines[at].tokens.iter().find(|token| token.role == StyleRole::YamlKey);
            if let Some(key) = key.filter(|_| end > at + 1) {
                found.extend(Self::new(&key.text, at + 1..end));
            }
            at = end;
        }
        found
    }

    /// Colours those lines before `end` that have no colours yet.
    pub(crate) fn paint(&mut self, lines: &mut [TextLine], end: usize) {
        while self.lines.start < self.lines.end.min(end) {
            let Some(line) = lines.get_mut(self.lines.start) else { return };
            self.lines.start += 1;
            let text: String = line.tokens.iter().map(|token| token.text.as_str()).collect();
            line.tokens = match &mut self.state {
                _ if text.len() > MAX_COLOURED_LINE_BYTES => continue,
                None => yaml_tokens(&text),
                Some((state, scopes)) => {
                    let Some(tokens) = code_tokens(state, scopes, &text) else {
                        self.lines.start = self.lines.end;
                        return;
                    };
                    tokens
                }
            };
        }
    }
}

/// True for names of files that the YAML renderer colours.
pub(crate) fn is_yaml(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml")) || name.ends_with("ustomization")
}

fn syntax_for_file(name: &str) -> Option<&'static SyntaxReference> {
    let file = Path::new(name).file_name()?.to_str()?;
    let extension = file.rsplit('.').next().unwrap_or(file).to_lowercase();
    // syntect's defaults have no syntax for some of these.
    let extension = match extension.as_str() {
        "toml" | "ini" | "cfg" | "conf" | "cnf" => "properties",
        "env" => "sh",
        "star" | "bzl" => "py",
        other => other,
    };
    SYNTAXES
        .find_syntax_by_extension(extension)
        .or_else(|| SYNTAXES.find_syntax_by_extension(file))
        .filter(|syntax| syntax.name != "Plain Text")
}

/// The tokens of the next line; `None` if the grammar fails.
fn code_tokens(
    state: &mut ParseState,
    scopes: &mut ScopeStack,
    text: &str,
) -> Option<Vec<LineToken>> {
    let changes = state.parse_line(&format!("{text}\n"), &SYNTAXES).ok()?;
    let mut out = Vec::new();
    let mut from = 0;
    for (at, change) in changes {
        let at = at.min(text.len());
        push(&mut out, scopes, &text[from..at]);
        from = at;
        scopes.apply(&change).ok()?;
    }
    push(&mut out, scopes, &text[from..]);
    Some(out)
}

fn push(out: &mut Vec<LineToken>, scopes: &ScopeStack, text: &str) {
    if text.is_empty() {
        return;
    }
    let role = role_of(scopes.as_slice());
    let text = sanitize(text);
    match out.last_mut() {
        Some(last) if last.role == role => last.text.push_str(&text),
        _ => out.push(LineToken { role, text: text.into_owned() }),
    }
}

fn role_of(scopes: &[Scope]) -> StyleRole {
    let known = |scope: &Scope| ROLES.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope));
    let string =
        scopes.iter().rposition(|scope| matches!(known(scope), Some((_, StyleRole::YamlText))));
    if let Some(at) = string {
        // A string in the position of a JSON key is a key, including its quotes: only values are
        // inside the scope `…dictionary.value`.
        let around = scopes[..at].last().map(|scope| scope.build_string()).unwrap_or_default();
        let is_key = around == "meta.structure.dictionary.json" || around.contains(".key.");
        return if is_key { StyleRole::YamlKey } else { StyleRole::YamlText };
    }
    let inner = scopes.iter().rev().find_map(known);
    inner.map_or(StyleRole::Text, |(_, role)| *role)
}

/// The lines of a text, each with its line number in `source` as mark.
pub(crate) fn source_lines(text: &[u8], source: SourceId) -> Vec<TextLine> {
    let text = String::from_utf8_lossy(text);
    (1..)
        .zip(text.lines())
        .map(|(line, text)| TextLine {
            tokens: yaml_tokens(text),
            mark: Mark { source, line, column: 1, ..Mark::default() },
            ..TextLine::default()
        })
        .collect()
}

pub(super) fn yaml_tokens(line: &str) -> Vec<LineToken> {
    let mut out = Vec::new();
    let body = line.trim_start();
    push_token(&mut out, StyleRole::YamlPunctuation, &line[..line.len() - body.len()]);
    if body.starts_with('#') {
        push_token(&mut out, StyleRole::YamlComment, body);
        return out;
    }
    let mut rest = body;
    while let Some(after) = rest.strip_prefix("- ") {
        push_token(&mut out, StyleRole::YamlPunctuation, "- ");
        rest = after;
    }
    let (code, comment) = match rest.find(" #") {
        Some(at) if !rest[..at].contains(['"', '\'']) => rest.split_at(at),
        _ => (rest, ""),
    };
    match key_end(code) {
        Some(end) => {
            push_token(&mut out, StyleRole::YamlKey, &code[..end]);
            push_token(&mut out, StyleRole::YamlPunctuation, ":");
            value(&mut out, &code[end + 1..]);
        }
        None => value(&mut out, code),
    }
    push_token(&mut out, StyleRole::YamlComment, comment);
    out
}

/// The position of the colon of a `key:`.
fn key_end(code: &str) -> Option<usize> {
    let end = code.find(": ").or_else(|| code.strip_suffix(':').map(str::len))?;
    (!code[..end].contains([' ', '{', '['])).then_some(end)
}

fn value(out: &mut Vec<LineToken>, text: &str) {
    let trimmed = text.trim();
    let role = if trimmed.parse::<f64>().is_ok() || matches!(trimmed, "true" | "false" | "null") {
        StyleRole::YamlLiteral
    } else if matches!(trimmed, "|" | "|-" | ">" | ">-" | "|+" | ">+" | "-" | "---") {
        StyleRole::YamlPunctuation
    } else {
        StyleRole::YamlText
    };
    push_token(out, role, text);
}

fn push_token(out: &mut Vec<LineToken>, role: StyleRole, text: &str) {
    if !text.is_empty() {
        out.push(LineToken { role, text: sanitize(text).into_owned() });
    }
}
