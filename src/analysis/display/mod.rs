//! Output for people: sanitized text, and the only way to write to a terminal.
//!
//! Files, URLs and programs can contain any text, including control sequences. The screens show
//! text through [`sanitize`]; all printed text passes through a [`Printer`], which filters it;
//! documents for programs are written by [`to_json`] and [`to_json_lines`]; text in Markdown, HTML
//! or XML passes through [`escape_markdown`], [`markdown_code`], [`markdown_fence`] and [`escape_xml`].

mod json;
mod markdown;
mod printer;
mod text;

pub use json::{escape_json, to_json, to_json_lines};
pub use markdown::{
    escape_markdown, escape_markdown_html, escape_table_cell, escape_xml, markdown_code,
    markdown_fence,
};
pub use printer::{OutputReader, Printer};
pub use text::{
    counted, first_names, format_line, is_unsafe, message, percent_encoded, sanitize,
    sanitize_lines,
};

/// Formats complete lines of output (see [`format_line`]).
#[doc(hidden)]
#[macro_export]
macro_rules! display_line {
    ($($text:tt)*) => {
        $crate::display::format_line(format_args!($($text)*))
    };
}
pub use display_line as line;
