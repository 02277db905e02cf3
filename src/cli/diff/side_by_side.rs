//! Both texts of a unified diff side by side.

use unicode_width::UnicodeWidthChar as _;

/// The lines of a unified diff in two columns.
pub(super) fn side_by_side_lines(diff: &str, width: usize) -> String {
    let half = (width.max(40) - 3) / 2;
    let mut out = String::new();
    let (mut gone, mut come): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let flush = |gone: &mut Vec<&str>, come: &mut Vec<&str>, out: &mut String| {
        for at in 0..gone.len().max(come.len()) {
            let (old, new) = (gone.get(at).copied(), come.get(at).copied());
            let sign = match (old, new) {
                (Some(_), Some(_)) => '|',
                (Some(_), None) => '<',
                _ => '>',
            };
            out.push_str(&row(old.unwrap_or_default(), sign, new.unwrap_or_default(), half));
        }
        gone.clear();
        come.clear();
    };
    for line in diff.lines() {
        match line.split_at_checked(1) {
            Some(("-", text)) => gone.push(text),
            Some(("+", text)) => come.push(text),
            Some((" ", text)) => {
                flush(&mut gone, &mut come, &mut out);
                out.push_str(&row(text, ' ', text, half));
            }
            _ => {
                flush(&mut gone, &mut come, &mut out);
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    flush(&mut gone, &mut come, &mut out);
    out
}

fn row(old: &str, sign: char, new: &str, half: usize) -> String {
    let (old, used) = truncate_to_width(old, half);
    let (new, _) = truncate_to_width(new, half);
    let line = format!("{old}{} {sign} {new}", " ".repeat(half - used));
    line.trim_end().to_owned() + "\n"
}

/// The longest beginning of a text that fits, and its width.
fn truncate_to_width(text: &str, room: usize) -> (String, usize) {
    let mut fitted = String::new();
    let mut used = 0;
    for c in text.chars() {
        let width = c.width().unwrap_or(0);
        if used + width > room {
            break;
        }
        fitted.push(c);
        used += width;
    }
    (fitted, used)
}
