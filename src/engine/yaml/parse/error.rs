//! Refusals in go-yaml's words.

use super::scan::{Half, Refusal};
use super::{Dialect, Reading, YamlCause, YamlError};

/// A refusal with the line that go-yaml tells: version 3 that of its context, version 2 that of the problem. Its
/// scanner counts lines from 1, its parser from 0, and neither tells a first line.
pub(super) fn said(refusal: &Refusal, reading: Reading) -> YamlError {
    let Refusal { half, context, problem, words } = refusal;
    let lines = match reading.dialect {
        Dialect::V3 => [context.line, problem.line],
        Dialect::V1_1 => [problem.line, context.line],
    };
    let told = lines.into_iter().find(|line| *line > 0);
    let reason = match (told, half) {
        (Some(line), Half::Scanner) => format!("yaml: line {}: {words}", line + 1),
        (Some(line), Half::Parser) => format!("yaml: line {line}: {words}"),
        (None, _) => format!("yaml: {words}"),
    };
    let shown = match half {
        Half::Scanner => context,
        Half::Parser => problem,
    };
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX).saturating_add(1);
    YamlError {
        line: reading.line.saturating_add(number(shown.row)),
        column: number(shown.column),
        reason,
        cause: YamlCause::Other,
    }
}
