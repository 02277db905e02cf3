//! Text for the screen: safe for the terminal, cut to size, and YAML as coloured lines with file
//! and line.

mod code;
mod fit;
mod fuzzy;
mod line_diff;
mod line_input;
mod yaml_lines;

pub(crate) use crate::display::{is_unsafe, sanitize};
pub(crate) use code::{CodePainter, is_yaml, source_lines};
pub(crate) use fit::{
    fit, fit_change, fit_complete_parts, fit_distinct, fit_end, fit_location,
    fit_location_distinct, fit_middle, fit_title, near, pad, to_u16, width, wrap,
};
pub(crate) use fuzzy::FuzzyMatcher;
pub(crate) use line_diff::{DiffRow, DiffRowKind, LineDiff, Split, changed_words};
pub(crate) use line_input::{InputHistory, LineInput};
pub(crate) use yaml_lines::{LineToken, TextLine, indented, yaml_lines};
