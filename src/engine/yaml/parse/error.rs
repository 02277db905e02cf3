//! Refusals in go-yaml's words.

use super::scan::{Half, Refusal};
use super::{Dialect, Reading, YamlCause, YamlError};

/// A refusal with go-yaml's line: in version 3 that of its context, in version 2 that of the
/// problem. Its scanner counts lines from 1, its parser from 0, and both omit the first line.
pub(super) fn said(refusal: &Refusal, reading: Reading) -> YamlError {
    let Refusal { half, context, problem, words } = refusal;
    let lines = match reading.dialect {
        Dialect::V3 => [context.line, problem.line],
        Dialect::V1_1 => [problem.line, context.line],
    };
    let told = lines.into_iter().find(|line| *line > 0);
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    let (shown, told) = match half {
        Half::Scanner => (context, told.map(|line| number(line).saturating_add(1))),
        Half::Parser => (problem, told.map(number)),
    };
    YamlError {
        line: reading.line.saturating_add(number(shown.row)).saturating_add(1),
        column: number(shown.column).saturating_add(1),
        cause: YamlCause::Syntax { told, words },
    }
}
