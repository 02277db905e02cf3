//! Text to documents, with positions, comments and styles.

mod block;
mod comment_scan;
mod comments;
mod cursor;
mod fast_path;
mod intern;
mod line_syntax;
mod merge;
mod nodes;
mod reader;
mod scalars;
mod text;
mod written;

use std::borrow::Cow;

use super::{
    Allowance, AmbiguousBoolean, Limits, Mark, Node, SourceId, WriterId, YamlCause, YamlError,
    convert_to_v1_1,
};
use fast_path::parse_fast_path;
pub use intern::TextCache;
pub(super) use line_syntax::Bytes;
pub use merge::{mapping_with_merges_applied, merge_v3};
use reader::Reader;
use text::{FilePiece, cut};
pub(crate) use written::WrittenDocument;

/// The rules by which plain scalars are resolved to types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YamlDialect {
    /// go-yaml v3, for resources and strategic merge patches.
    V3,
    /// go-yaml v2 (YAML 1.1), for every kind of Kustomize configuration.
    V1_1,
}

/// One document of a resource file.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedDocument {
    pub node: Node,
    /// The index of its piece in the file, from 0; Kustomize cuts a file into pieces.
    pub piece: usize,
}

/// The documents of a resource file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParsedFile {
    /// The documents that are not empty, in the order of the file.
    pub documents: Vec<ParsedDocument>,
    /// How many pieces Kustomize cuts the file into, empty ones included.
    pub pieces: usize,
}

/// Reads a resource file: cut into pieces as Kustomize does, each decoded once with go-yaml v3's
/// rules, aliases expanded and merge keys applied (sections 3.1 and 3.7 of the build reference).
/// Empty documents are dropped.
///
/// # Errors
/// Texts that Kustomize refuses, in its words; texts beyond the limits.
pub fn parse_documents(
    text: &[u8],
    source: SourceId,
    limits: Limits,
) -> Result<ParsedFile, YamlError> {
    parse_documents_of(
        text,
        source,
        WriterId::NONE,
        limits,
        &mut TextCache::for_text_size(text.len()),
    )
}

/// The nodes of a text without a source, read as by [`parse_documents`].
///
/// # Errors
/// As [`parse_documents`].
pub fn parse_nodes(text: &[u8]) -> Result<Vec<Node>, YamlError> {
    let parsed = parse_documents(text, SourceId::NONE, Limits::default())?;
    Ok(parsed.documents.into_iter().map(|document| document.node).collect())
}

/// As [`parse_documents`], for the step `writer`, which becomes the writer of every node. Files
/// that are read with the same `texts` share equal texts.
///
/// # Errors
/// As [`parse_documents`].
pub fn parse_documents_of(
    text: &[u8],
    source: SourceId,
    writer: WriterId,
    limits: Limits,
    texts: &mut TextCache,
) -> Result<ParsedFile, YamlError> {
    let text = checked_size(text, limits)?;
    let text = text::without_carriage_returns(text);
    let pieces = cut(&text)?;
    let mut file = ParsedFile { documents: Vec::new(), pieces: pieces.len() };
    let mut reading = ParseSettings::new(source, YamlDialect::V3, limits);
    reading.origin.writer = writer;
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

/// Reads the first document of a configuration text with YAML 1.1 rules; `None` if it is empty. Of
/// duplicate keys only the last is kept; keys are turned into strings as `sigs.k8s.io/yaml` does.
/// Scalars keep their text; their tag is the type in YAML 1.1.
///
/// # Errors
/// Texts that go-yaml v2 refuses, in its words; texts beyond the limits.
pub fn parse_config(
    text: &[u8],
    source: SourceId,
    limits: Limits,
) -> Result<Option<Node>, YamlError> {
    let text = checked_size(text, limits)?;
    let node = single_document(&text, ParseSettings::new(source, YamlDialect::V1_1, limits))?;
    Ok(node.filter(|node| !node.is_null()))
}

/// Reads a resource file with the types of YAML 1.1, as Kubernetes' own reader does
/// (`sigs.k8s.io/yaml`): a word such as `yes` is a boolean, and a date a string. Returns the words
/// that are strings for Kustomize as well, each with its document and value.
///
/// # Errors
/// As [`parse_documents`].
pub fn parse_kubernetes(
    text: &[u8],
    source: SourceId,
    limits: Limits,
) -> Result<(ParsedFile, Vec<(usize, AmbiguousBoolean)>), YamlError> {
    let mut file = parse_documents(text, source, limits)?;
    let text = checked_size(text, limits)?;
    let text = text::without_carriage_returns(text);
    let pieces = cut(&text)?;
    let mut reading = ParseSettings::new(source, YamlDialect::V1_1, limits);
    let mut texts = TextCache::for_text_size(text.len());
    let mut words = Vec::new();
    for (index, document) in file.documents.iter_mut().enumerate() {
        let Some(piece) = pieces.get(document.piece) else { continue };
        if let Ok(Some(other)) = first_document(piece, &mut reading, &mut texts) {
            let read = convert_to_v1_1(&mut document.node, &other);
            words.extend(read.into_iter().map(|word| (index, word)));
        }
    }
    Ok((file, words))
}

/// Reads the values of a chart: the first document with go-yaml v3's rules; `None` if it is empty.
/// Kustomize merges them before aliases are expanded, and its merge loses the aliases among the
/// values of mappings.
///
/// # Errors
/// Texts that go-yaml v3 refuses, in its words; texts beyond the limits.
pub fn parse_values(
    text: &[u8],
    source: SourceId,
    limits: Limits,
) -> Result<Option<Node>, YamlError> {
    let text = text::without_carriage_returns(checked_size(text, limits)?);
    let reading = ParseSettings::new(source, YamlDialect::V3, limits);
    single_document(&text, ParseSettings { loses_aliases: true, ..reading })
}

/// Reads YAML embedded in a value: the first document as go-yaml v3 reads nodes, which may be a
/// null, with merge keys unchanged; `None` if it is empty.
///
/// # Errors
/// Texts that go-yaml v3 refuses, in its words; texts beyond the limits.
pub fn parse_embedded(text: &str) -> Result<Option<Node>, YamlError> {
    let text = checked_size(text.as_bytes(), Limits::default())?;
    let reading = ParseSettings::new(SourceId::NONE, YamlDialect::V3, Limits::default());
    single_document(&text, ParseSettings { as_written: true, ..reading })
}

fn single_document(text: &[u8], mut reading: ParseSettings) -> Result<Option<Node>, YamlError> {
    let texts = &mut TextCache::for_text_size(text.len());
    first_document(&FilePiece { text, line: 0 }, &mut reading, texts)
}

/// Checks the size, and decodes UTF-16 with a byte-order mark.
fn checked_size(text: &[u8], limits: Limits) -> Result<Cow<'_, [u8]>, YamlError> {
    if text.len() > limits.bytes {
        return Err(YamlError { line: 0, column: 0, cause: YamlCause::TooLong(limits.bytes) });
    }
    let refused = |cause| YamlError { line: 1, column: 1, cause };
    text::from_utf_16(text).map_err(refused)
}

/// Decodes the first document of a piece and ignores the rest.
fn first_document(
    piece: &FilePiece<'_>,
    reading: &mut ParseSettings,
    texts: &mut TextCache,
) -> Result<Option<Node>, YamlError> {
    reading.line = piece.line;
    if let Some(node) = parse_fast_path(piece.text, *reading, texts) {
        return Ok(Some(node));
    }
    let text = text::checked(piece)?;
    let (node, left) = Reader::new(text, *reading, texts).read()?;
    reading.allowance = left;
    Ok(node)
}

#[derive(Clone, Copy)]
struct ParseSettings {
    /// The number of lines before the text in the file.
    line: u32,
    /// The source and the writer of all marks.
    origin: Mark,
    dialect: YamlDialect,
    limits: Limits,
    allowance: Allowance,
    /// True if aliases among the values of mappings are lost, as in [`parse_values`].
    loses_aliases: bool,
    /// True to keep merge keys as ordinary keys, and anchors and aliases for printing.
    as_written: bool,
}

impl ParseSettings {
    fn new(source: SourceId, dialect: YamlDialect, limits: Limits) -> Self {
        let (origin, allowance) = (Mark { source, ..Mark::default() }, Allowance::new(limits));
        let (loses_aliases, as_written) = (false, false);
        Self { line: 0, origin, dialect, limits, allowance, loses_aliases, as_written }
    }
}

#[cfg(test)]
mod tests;
