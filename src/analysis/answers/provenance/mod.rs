//! Origins of values: the step, file and line that wrote a field, and the history of a resource.

pub mod absence;
pub mod blame;
pub mod configuration_trial;
pub(super) mod history;
pub mod line_effects;
pub mod output_lines;
pub mod source_map;
mod unwritten_fields;
pub mod why;
