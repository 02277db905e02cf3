//! Text to documents, with positions, comments and styles.

mod breaks;
mod build;
mod comment;
mod error;
mod flow;
mod intern;
mod merge;
mod pieces;
mod place;
mod refuse;
mod repair;
mod scalars;
mod tame;
mod text;

use std::borrow::Cow;

use granit_parser::{Event, Parser, ScanError};

use super::{Allowance, Limits, Node, SourceId, WriterId};
use build::Builder;
use error::Place;
pub use intern::Texts;
use pieces::{Piece, cut};

/// Which rules resolve plain scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// go-yaml v3, for resources and strategic merge patches.
    V3,
    /// go-yaml v2 (YAML 1.1), for every kind of Kustomize configuration.
    V1_1,
}

/// One document of a resource file.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedDocument {
    /// Its root.
    pub node: Node,
    /// Its number in the file, from 0, counting the pieces that Kustomize cuts the file into.
    pub piece: usize,
}

/// A resource file, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParsedFile {
    /// The documents that are not empty, in the order of the file.
    pub documents: Vec<ParsedDocument>,
    /// How many pieces Kustomize cuts the file into, empty ones included.
    pub pieces: usize,
}

/// A text that is not YAML, or goes beyond the limits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct YamlError {
    /// 1-based line in the file; 0 when there is none.
    pub line: u32,
    /// 1-based column; 0 when there is none.
    pub column: u32,
    /// The whole message in Kustomize's words. What go-yaml says begins with `yaml: ` (and goes into
    /// `MalformedYAMLError: … in File: …`); its line number, if any, counts from the start of the piece and is
    /// sometimes one less than `line`.
    pub reason: String,
}

/// Reads a resource file: cut into pieces as Kustomize does, each decoded once with go-yaml v3's rules, aliases
/// expanded and merge keys applied (sections 3.1 and 3.7 of the build reference). Empty documents are dropped.
///
/// # Errors
/// What Kustomize refuses, in its words; texts beyond the limits.
pub fn parse_documents(
    text: &[u8],
    source: SourceId,
    limits: Limits,
) -> Result<ParsedFile, YamlError> {
    parse_documents_of(text, source, WriterId::NONE, limits, &mut Texts::of(text.len()))
}

/// [`parse_documents`] for a step, whose number every node gets. Files that are read with the same `texts` share what
/// they say alike.
///
/// # Errors
/// As [`parse_documents`].
pub fn parse_documents_of(
    text: &[u8],
    source: SourceId,
    writer: WriterId,
    limits: Limits,
    texts: &mut Texts,
) -> Result<ParsedFile, YamlError> {
    let origin = Origin { source, writer };
    let text = checked_size(text, limits)?;
    let text = text::without_carriage_returns(text);
    let pieces = cut(&text)?;
    let mut file = ParsedFile { documents: Vec::new(), pieces: pieces.len() };
    let mut reading = Reading::new(origin, Dialect::V3, limits);
    for (index, piece) in pieces.iter().enumerate() {
        let node = first_document(piece, &mut reading, texts)?;
        if let Some(node) = node
            && !node.is_null()
        {
            file.documents.push(ParsedDocument { node, piece: index });
        }
    }
    Ok(file)
}

/// Reads the first document of a configuration text with YAML 1.1 rules; `None` when it is empty.
/// Of duplicate keys only the last is kept; keys are turned into strings as `sigs.k8s.io/yaml` does.
/// Scalars keep their text; their tag says what YAML 1.1 makes of it.
///
/// # Errors
/// What go-yaml v2 refuses, in its words; texts beyond the limits.
pub fn parse_config(
    text: &[u8],
    source: SourceId,
    limits: Limits,
) -> Result<Option<Node>, YamlError> {
    let text = checked_size(text, limits)?;
    let piece = Piece { text: &text, line: 0 };
    let origin = Origin { source, writer: WriterId::NONE };
    let mut reading = Reading::new(origin, Dialect::V1_1, limits);
    let node = first_document(&piece, &mut reading, &mut Texts::of(text.len()))?;
    Ok(node.filter(|node| !node.is_null()))
}

/// Reads the values of a chart: the first document with go-yaml v3's rules; `None` when there is none. Kustomize
/// merges them before aliases are expanded, and its merge loses the aliases among the values of mappings.
///
/// # Errors
/// What go-yaml v3 refuses, in its words; texts beyond the limits.
pub fn parse_values(
    text: &[u8],
    source: SourceId,
    limits: Limits,
) -> Result<Option<Node>, YamlError> {
    let text = checked_size(text, limits)?;
    let text = text::without_carriage_returns(text);
    let piece = Piece { text: &text, line: 0 };
    let origin = Origin { source, writer: WriterId::NONE };
    let mut reading = Reading::new(origin, Dialect::V3, limits);
    reading.loses_aliases = true;
    first_document(&piece, &mut reading, &mut Texts::of(text.len()))
}

/// UTF-16 with a byte-order mark is text as well.
fn checked_size(text: &[u8], limits: Limits) -> Result<Cow<'_, [u8]>, YamlError> {
    if text.len() > limits.bytes {
        let reason = format!("yaml: input exceeds {} bytes", limits.bytes);
        return Err(YamlError { line: 0, column: 0, reason });
    }
    let refused = |words| YamlError { line: 1, column: 1, reason: format!("yaml: {words}") };
    text::from_utf_16(text).map_err(refused)
}

/// Decodes one piece once: what follows its first document is not read.
fn first_document(
    piece: &Piece<'_>,
    reading: &mut Reading,
    texts: &mut Texts,
) -> Result<Option<Node>, YamlError> {
    reading.line = piece.line;
    let mut text = Cow::Borrowed(text::checked(piece)?);
    let refused = refuse::directive(&text).or_else(|| refuse::leading_tab(&text));
    if let Some((line, words)) = refused {
        return Err(error::in_scanner(piece.line, line, 1, words));
    }
    if let Some(read) = tame_document(&text, *reading, texts) {
        return read;
    }
    match flow::rewritten(&text) {
        Ok(None) => {}
        Ok(Some(new)) => text = Cow::Owned(new),
        Err((at, words)) => return Err(error::at_byte(piece.line, &text, at, words)),
    }
    let mut edits = repair::most_edits(text.len());
    let can_hide = !text.contains(repair::STAND_IN);
    let mut hidden = false;
    loop {
        match attempt(&text, *reading, texts)? {
            Attempt::Read(mut node, left) => {
                reading.allowance = left;
                if hidden {
                    node.iter_mut().for_each(repair::restore_marks);
                }
                return Ok(node);
            }
            Attempt::Refused(refusal, place) => match repair::edit(&text, &refusal) {
                Some(edit) if edits > 0 && (can_hide || !edit.hides_mark()) => {
                    edits -= 1;
                    hidden |= edit.hides_mark();
                    text = Cow::Owned(edit.apply(&text));
                }
                _ => return Err(error::from_granit(&text, &refusal, &place)),
            },
        }
    }
}

/// What a text is read as.
#[derive(Clone, Copy)]
struct Reading {
    /// Lines of the file before the text.
    line: u32,
    origin: Origin,
    dialect: Dialect,
    limits: Limits,
    /// What aliases may still be expanded to.
    allowance: Allowance,
    /// Aliases are no values of mappings.
    loses_aliases: bool,
}

impl Reading {
    fn new(origin: Origin, dialect: Dialect, limits: Limits) -> Self {
        let allowance = Allowance::new(limits);
        Self { line: 0, origin, dialect, limits, allowance, loses_aliases: false }
    }
}

/// What all marks of a text have.
#[derive(Clone, Copy)]
struct Origin {
    source: SourceId,
    writer: WriterId,
}

/// Reads a text of the shape that most have; `None` when it has another.
fn tame_document(
    text: &str,
    reading: Reading,
    texts: &mut Texts,
) -> Option<Result<Option<Node>, YamlError>> {
    let mut builder = Builder::new(text, reading, texts);
    tame::read(text, &mut builder)?;
    Some(builder.finish())
}

enum Attempt {
    /// With what is left of the allowance.
    Read(Option<Node>, Allowance),
    Refused(ScanError, Place),
}

fn attempt(text: &str, reading: Reading, texts: &mut Texts) -> Result<Attempt, YamlError> {
    let options = granit_parser::options! {
        emit_unresolved_aliases: true,
        emit_comments: text.as_bytes().contains(&b'#'),
        max_buffered_comment_events: usize::MAX,
    };
    let mut builder = Builder::new(text, reading, texts);
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = match event {
            Ok(found) => found,
            Err(refusal) => return Ok(Attempt::Refused(refusal, builder.place())),
        };
        if matches!(event, Event::DocumentEnd) {
            break;
        }
        builder.event(event, &span)?;
    }
    let left = builder.allowance;
    builder.finish().map(|node| Attempt::Read(node, left))
}

#[cfg(test)]
mod tests;
