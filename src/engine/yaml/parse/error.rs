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
#[derive(Clone, Copy)]
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

/// A refusal at this byte of a text that stands below `before` lines.
pub(super) fn at_byte(before: u32, text: &str, at: usize, words: &str) -> YamlError {
    let above = text.get(..at).unwrap_or_default();
    let line = above.matches('\n').count() + 1;
    let column = above.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let place = Place { line: before, open: None, wants_value: false, dialect: Dialect::V3 };
    in_parser(&place, number(line), number(column), words)
}

/// A refusal of go-yaml's parser at this line (1-based) of the text.
pub(super) fn in_parser(place: &Place, line: u32, column: u32, words: &str) -> YamlError {
    refusal(Half::Parser, place, line, column, words)
}

pub(super) fn from_granit(text: &str, error: &ScanError, place: &Place) -> YamlError {
    let marker = error.marker();
    let line = u32::try_from(marker.line()).unwrap_or(u32::MAX);
    let column = u32::try_from(marker.col()).unwrap_or(u32::MAX).saturating_add(1);
    let (line, half, words) = placed(text, error, place, line);
    let words = words.map_or_else(|| error.kind().to_string(), str::to_owned);
    refusal(half, place, line, column, &words)
}

fn refusal(half: Half, place: &Place, line: u32, column: u32, words: &str) -> YamlError {
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

/// The line, the half and the words of a refusal, where they depend on more than its kind.
fn placed(
    text: &str,
    error: &ScanError,
    place: &Place,
    line: u32,
) -> (u32, Half, Option<&'static str>) {
    let version_2 = place.dialect == Dialect::V1_1;
    match error.kind() {
        ErrorKind::InvalidQuotedScalarIndent => {
            let rest = error.marker().byte_offset().and_then(|at| text.get(at..));
            let words = if is_document_indicator(rest.unwrap_or_default()) {
                "found unexpected document indicator"
            } else {
                "found unexpected end of stream"
            };
            let line = if version_2 { line } else { quote_line(text, line) };
            (line, Half::Scanner, Some(words))
        }
        ErrorKind::MisplacedFlowCollectionEnd | ErrorKind::ExpectedBlockMappingKey
            if place.wants_value =>
        {
            (line, Half::Parser, Some("did not find expected node content"))
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar
        | ErrorKind::InvalidTrailingDoubleQuotedScalar
            if !place.wants_value =>
        {
            let line = line.saturating_add(u32::from(version_2));
            (line, Half::Scanner, Some("could not find expected ':'"))
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            let line = line.saturating_add(u32::from(version_2));
            (line, Half::Scanner, Some("could not find expected ':'"))
        }
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInPlainScalar => match plain_line(text, line) {
            Some((plain, tab)) => {
                let line = if version_2 { tab } else { plain };
                (line, Half::Scanner, Some("found a tab character that violates indentation"))
            }
            None => (line, Half::Scanner, Some("found character that cannot start any token")),
        },
        kind => {
            let unclosed = matches!(kind, ErrorKind::UnclosedFlowCollection { .. });
            let end = lines(text).saturating_add(1);
            let line = if unclosed && version_2 { line.max(end) } else { line };
            match (parser_words(kind), scanner_words(kind)) {
                (Some(words), _) => (line, Half::Parser, Some(words)),
                (None, words) => (line, Half::Scanner, words),
            }
        }
    }
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

/// What go-yaml's parser says of an event that does not fit.
fn parser_words(kind: &ErrorKind) -> Option<&'static str> {
    use ErrorKind as E;
    Some(match kind {
        E::UnexpectedEofFlowSequence
        | E::ExpectedFlowSequenceSeparator
        | E::UnclosedFlowCollection { open: '[' }
        | E::MismatchedFlowCollectionEnd { open: '[', .. } => "did not find expected ',' or ']'",
        E::UnexpectedEofFlowMapping
        | E::ExpectedFlowMappingSeparator
        | E::FlowMappingValueAdjacentCollection
        | E::UnclosedFlowCollection { .. }
        | E::MismatchedFlowCollectionEnd { .. } => "did not find expected ',' or '}'",
        E::UnexpectedEofBlockSequence | E::ExpectedBlockSequenceEntry => {
            "did not find expected '-' indicator"
        }
        E::UnexpectedEofBlockMapping
        | E::ExpectedBlockMappingKey
        | E::InvalidTrailingSingleQuotedScalar
        | E::InvalidTrailingDoubleQuotedScalar
        | E::MisplacedFlowCollectionEnd
        | E::InvalidIndentation
        | E::CommentInterceptedScalar
        | E::InvalidBlockScalarIndent => "did not find expected key",
        E::ExpectedDocumentStart
        | E::MissingDocumentEndBeforeDirective
        | E::InvalidDocumentEnd
        | E::UnexpectedEof => "did not find expected <document start>",
        E::ExpectedNodeContent
        | E::UnexpectedEofImplicitFlowMapping
        | E::BlockEntryInFlowCollection => "did not find expected node content",
        E::DuplicateVersionDirective => "found duplicate %YAML directive",
        E::DuplicateTagDirective => "found duplicate %TAG directive",
        E::UnsupportedYamlMajorVersion => "found incompatible YAML document",
        E::UndeclaredTagHandle => "found undefined tag handle",
        _ => return None,
    })
}

/// What go-yaml's scanner says of characters that do not fit.
fn scanner_words(kind: &ErrorKind) -> Option<&'static str> {
    use ErrorKind as E;
    Some(match kind {
        E::UnexpectedCharacter { .. } => "found character that cannot start any token",
        E::BlockSequenceEntryNotAllowed => "block sequence entries are not allowed in this context",
        E::MappingKeyNotAllowed => "mapping keys are not allowed in this context",
        E::MappingValueNotAllowed | E::InvalidColonPlacement => {
            "mapping values are not allowed in this context"
        }
        E::UnclosedQuotedScalar => "found unexpected end of stream",
        E::DocumentIndicatorInQuotedScalar => "found unexpected document indicator",
        E::UnknownQuotedScalarEscape => "found unknown escape character",
        E::InvalidQuotedScalarHexEscape | E::InvalidLowSurrogateHexEscape => {
            "did not find expected hexdecimal number"
        }
        E::InvalidLowSurrogate
        | E::MissingLowSurrogate
        | E::UnpairedLowSurrogate
        | E::InvalidUnicodeEscape => "found invalid Unicode character escape code",
        E::ZeroBlockScalarIndent => "found an indentation indicator equal to 0",
        E::InvalidBlockScalarHeader => "did not find expected comment or line break",
        E::TabAtBlockScalarStart => "found a tab character where an indentation space is expected",
        E::MissingAnchorOrAliasName => "did not find expected alphabetic or numeric character",
        E::InvalidTagTerminator => "did not find expected whitespace or line break",
        E::MissingTagUri => "did not find expected tag URI",
        E::ExpectedTagBang => "did not find expected '!'",
        E::MissingDirectiveName => "could not find expected directive name",
        E::UnclosedVerbatimTag => "did not find the expected '>'",
        E::InvalidDirectiveName => "found unknown directive name",
        E::RecursionLimitExceeded => "exceeded max depth",
        _ => return None,
    })
}
