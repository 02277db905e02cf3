//! What is shown to people: text of any input made harmless, and the only way to a terminal.
//!
//! A file, a URL, a program may say anything, also what a terminal takes for an order. The screens show text through
//! [`sanitize`]; whatever is printed goes through a [`Printer`], which lets nothing else through; what is made for
//! programs is written by [`to_json`] and [`to_json_lines`]; what stands in Markdown, HTML or XML goes through [`in_markdown`],
//! [`markdown_code`], [`markdown_fence`] and [`in_xml`].

mod json;
mod markdown;
mod printer;
mod text;

pub use json::{escape_json, to_json, to_json_lines};
pub use markdown::{in_cell, in_markdown, in_xml, markdown_code, markdown_fence};
pub use printer::{Printer, Reader};
pub use text::{format_line, is_unsafe, message, sanitize, sanitize_lines};

/// Formats whole lines of output (see [`format_line`]).
#[doc(hidden)]
#[macro_export]
macro_rules! display_line {
    ($($text:tt)*) => {
        $crate::display::format_line(format_args!($($text)*))
    };
}
pub use display_line as line;
