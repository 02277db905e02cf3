//! A review of a catalog as text.

use crate::answers::ReviewLine;
use crate::display::line;

pub(super) fn review_text(lines: &[ReviewLine]) -> String {
    let mut out = String::new();
    for line in lines {
        let line = match line {
            ReviewLine::Gap => line!("\n"),
            ReviewLine::Text(text) | ReviewLine::Function(text) => line!("{text}\n"),
            ReviewLine::Field { name, value } => line!("  {name:<11}  {value}\n"),
            ReviewLine::Change { is_permission, text } => {
                line!("  {} {text}\n", if *is_permission { "▲" } else { " " })
            }
            ReviewLine::Warning(text) => line!("  ! {text}\n"),
            ReviewLine::Code { sign, text } => {
                line!("    {}\n", format!("{sign} {text}").trim_end())
            }
        };
        out.push_str(&line);
    }
    out
}
