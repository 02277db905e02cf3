//! Syntax errors with the messages of go-yaml.

use super::build::refuse_at;
use super::scan::{GoYamlHalf, ScanError};
use super::{ParseSettings, YamlCause, YamlDialect, YamlError};

/// Converts an error of the scanner or parser, with the line that go-yaml reports: in version 3 the
/// line of the context, in version 2 that of the problem. go-yaml's scanner counts lines from 1,
/// its parser from 0, and neither reports the first line.
pub(super) fn as_yaml_error(refusal: &ScanError, reading: ParseSettings) -> YamlError {
    let ScanError { half, context, problem, words } = refusal;
    let lines = match reading.dialect {
        YamlDialect::V3 => [context.line, problem.line],
        YamlDialect::V1_1 => [problem.line, context.line],
    };
    let told = lines.into_iter().find(|line| *line > 0);
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    let (shown, told) = match half {
        GoYamlHalf::Scanner => (context, told.map(|line| number(line).saturating_add(1))),
        GoYamlHalf::Parser => (problem, told.map(number)),
    };
    refuse_at(shown.mark(reading.line, reading.origin), YamlCause::Syntax { told, words })
}
