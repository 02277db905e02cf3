//! The parser's refusals in go-yaml's words.

use granit_parser::{ErrorKind, ScanError};

use super::repair::is_document_indicator;
use super::{Dialect, YamlError};

/// Where the builder stands when the parser gives up.
pub(super) struct Place {
    /// Lines of the file before the piece.
    pub(super) line: u32,
    /// 1-based line, within the piece, of the innermost open collection.
    pub(super) open: Option<u32>,
    /// Whether a key has been read whose value comes next.
    pub(super) wants_value: bool,
    /// Whose words.
    pub(super) dialect: Dialect,
}

/// Which half of go-yaml refuses: its scanner counts lines from 1, its parser from 0 and, in version 3, at the
/// start of the collection.
enum Half {
    Scanner,
    Parser,
}

/// A refusal of go-yaml's scanner at this line (1-based) of a text that stands below `before` lines.
pub(super) fn in_scanner(before: u32, line: u32, column: u32, words: &str) -> YamlError {
    let reason = match line {
        0 | 1 => format!("yaml: {words}"),
        _ => format!("yaml: line {line}: {words}"),
    };
    YamlError { line: before.saturating_add(line), column, reason }
}

pub(super) fn from_granit(text: &str, error: &ScanError, place: &Place) -> YamlError {
    let marker = error.marker();
    let mut line = u32::try_from(marker.line()).unwrap_or(u32::MAX);
    let column = u32::try_from(marker.col()).unwrap_or(u32::MAX).saturating_add(1);
    let (half, words) = match error.kind() {
        ErrorKind::InvalidQuotedScalarIndent => {
            if place.dialect == Dialect::V3 {
                line = quote_line(text, line);
            }
            let rest = marker.byte_offset().and_then(|at| text.get(at..)).unwrap_or_default();
            let words = match is_document_indicator(rest) {
                true => "found unexpected document indicator",
                false => "found unexpected end of stream",
            };
            (Half::Scanner, Some(words))
        }
        ErrorKind::MisplacedFlowCollectionEnd | ErrorKind::ExpectedBlockMappingKey
            if place.wants_value =>
        {
            (Half::Parser, Some("did not find expected node content"))
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar
        | ErrorKind::InvalidTrailingDoubleQuotedScalar
            if !place.wants_value =>
        {
            if place.dialect == Dialect::V1_1 {
                line = line.saturating_add(1);
            }
            (Half::Scanner, Some("could not find expected ':'"))
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey
            if place.dialect == Dialect::V1_1 =>
        {
            line = line.saturating_add(1);
            words(error.kind())
        }
        ErrorKind::UnclosedFlowCollection { .. } if place.dialect == Dialect::V1_1 => {
            line = line.max(lines(text).saturating_add(1));
            words(error.kind())
        }
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabInPlainScalar => match plain_line(text, line) {
            Some((plain, tab)) => {
                line = if place.dialect == Dialect::V3 { plain } else { tab };
                (Half::Scanner, Some("found a tab character that violates indentation"))
            }
            None => words(error.kind()),
        },
        kind => words(kind),
    };
    let words = words.map_or_else(|| error.kind().to_string(), str::to_owned);
    let said = match half {
        Half::Scanner => (line > 1).then_some(line),
        Half::Parser => {
            let problem = line.saturating_sub(1);
            let context = place.open.unwrap_or(0).saturating_sub(1);
            let (first, second) = match place.dialect {
                Dialect::V3 => (context, problem),
                Dialect::V1_1 => (problem, context),
            };
            [first, second].into_iter().find(|line| *line > 0)
        }
    };
    let reason = match said {
        Some(said) => format!("yaml: line {said}: {words}"),
        None => format!("yaml: {words}"),
    };
    YamlError { line: place.line.saturating_add(line), column, reason }
}

fn lines(text: &str) -> u32 {
    u32::try_from(text.bytes().filter(|b| *b == b'\n').count()).unwrap_or(u32::MAX)
}

/// The line that seems to end in a plain scalar and the line below it whose tab then seems to go on with it: the
/// first such line from the given one.
fn plain_line(text: &str, line: u32) -> Option<(u32, u32)> {
    let from = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
    let is_tabbed = |line: &str| line.trim_start_matches(' ').starts_with('\t');
    let lines: Vec<&str> = text.split('\n').collect();
    let tab = (from..lines.len()).find(|index| is_tabbed(lines[*index]))?;
    let index = lines[..tab].iter().rposition(|line| !line.trim().is_empty())?;
    let ends = [':', '-', '?', '\'', '"', ']', '}', '|', '>'];
    let number = |index: usize| u32::try_from(index + 1).unwrap_or(u32::MAX);
    (!lines[index].trim_end().ends_with(ends)).then(|| (number(index), number(tab)))
}

/// The line above in which the quotes seem to open.
fn quote_line(text: &str, line: u32) -> u32 {
    let above = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
    let lines: Vec<&str> = text.split('\n').take(above).collect();
    let opening = lines.iter().rposition(|line| line.contains(['\'', '"']));
    opening.and_then(|index| u32::try_from(index + 1).ok()).unwrap_or(line)
}

fn words(kind: &ErrorKind) -> (Half, Option<&'static str>) {
    use ErrorKind as E;
    use Half::{Parser, Scanner};
    let (half, words) = match kind {
        E::UnexpectedEofFlowSequence | E::ExpectedFlowSequenceSeparator => {
            (Parser, "did not find expected ',' or ']'")
        }
        E::UnexpectedEofFlowMapping | E::ExpectedFlowMappingSeparator => {
            (Parser, "did not find expected ',' or '}'")
        }
        E::UnclosedFlowCollection { open: '[' } => (Parser, "did not find expected ',' or ']'"),
        E::UnclosedFlowCollection { .. } => (Parser, "did not find expected ',' or '}'"),
        E::MismatchedFlowCollectionEnd { open: '[', .. } => {
            (Parser, "did not find expected ',' or ']'")
        }
        E::MismatchedFlowCollectionEnd { .. } => (Parser, "did not find expected ',' or '}'"),
        E::UnexpectedEofBlockSequence | E::ExpectedBlockSequenceEntry => {
            (Parser, "did not find expected '-' indicator")
        }
        E::UnexpectedEofBlockMapping
        | E::ExpectedBlockMappingKey
        | E::InvalidTrailingSingleQuotedScalar
        | E::InvalidTrailingDoubleQuotedScalar
        | E::MisplacedFlowCollectionEnd
        | E::InvalidIndentation => (Parser, "did not find expected key"),
        E::ExpectedDocumentStart
        | E::MissingDocumentEndBeforeDirective
        | E::InvalidDocumentEnd
        | E::UnexpectedEof => (Parser, "did not find expected <document start>"),
        E::ExpectedNodeContent
        | E::UnexpectedEofImplicitFlowMapping
        | E::BlockEntryInFlowCollection => (Parser, "did not find expected node content"),
        E::DuplicateVersionDirective => (Parser, "found duplicate %YAML directive"),
        E::DuplicateTagDirective => (Parser, "found duplicate %TAG directive"),
        E::UnsupportedYamlMajorVersion => (Parser, "found incompatible YAML document"),
        E::UndeclaredTagHandle => (Parser, "found undefined tag handle"),
        E::SimpleKeyExpected | E::InvalidSimpleKey => (Scanner, "could not find expected ':'"),
        E::UnexpectedCharacter { .. }
        | E::TabNotAllowed
        | E::TabInBlockIndentation
        | E::TabInIndentation
        | E::TabInPlainScalar => (Scanner, "found character that cannot start any token"),
        E::BlockSequenceEntryNotAllowed => {
            (Scanner, "block sequence entries are not allowed in this context")
        }
        E::MappingKeyNotAllowed => (Scanner, "mapping keys are not allowed in this context"),
        E::MappingValueNotAllowed | E::InvalidColonPlacement => {
            (Scanner, "mapping values are not allowed in this context")
        }
        E::UnclosedQuotedScalar => (Scanner, "found unexpected end of stream"),
        E::DocumentIndicatorInQuotedScalar => (Scanner, "found unexpected document indicator"),
        E::UnknownQuotedScalarEscape => (Scanner, "found unknown escape character"),
        E::InvalidQuotedScalarHexEscape | E::InvalidLowSurrogateHexEscape => {
            (Scanner, "did not find expected hexdecimal number")
        }
        E::InvalidLowSurrogate
        | E::MissingLowSurrogate
        | E::UnpairedLowSurrogate
        | E::InvalidUnicodeEscape => (Scanner, "found invalid Unicode character escape code"),
        E::ZeroBlockScalarIndent => (Scanner, "found an indentation indicator equal to 0"),
        E::InvalidBlockScalarHeader => (Scanner, "did not find expected comment or line break"),
        E::TabAtBlockScalarStart => {
            (Scanner, "found a tab character where an indentation space is expected")
        }
        E::MissingAnchorOrAliasName => {
            (Scanner, "did not find expected alphabetic or numeric character")
        }
        E::InvalidTagTerminator => (Scanner, "did not find expected whitespace or line break"),
        E::MissingTagUri => (Scanner, "did not find expected tag URI"),
        E::ExpectedTagBang => (Scanner, "did not find expected '!'"),
        E::MissingDirectiveName => (Scanner, "could not find expected directive name"),
        E::UnclosedVerbatimTag => (Scanner, "did not find the expected '>'"),
        E::InvalidDirectiveName => (Scanner, "found unknown directive name"),
        E::RecursionLimitExceeded => (Scanner, "exceeded max depth"),
        _ => return (Scanner, None),
    };
    (half, Some(words))
}
