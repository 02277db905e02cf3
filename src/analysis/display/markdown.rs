//! Escapes any text for Markdown, so that it is displayed as plain text.

use super::{sanitize, sanitize_lines};

/// Escapes one line of text: no character is interpreted as Markdown or HTML, so that a name cannot
/// add an image or a link to a comment.
pub fn escape_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in sanitize(text).chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '@' | '&' | '~')
        {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A text as inline code, between longer runs of backticks than any in the text.
pub fn markdown_code(text: &str) -> String {
    let text = sanitize(text);
    let fence = "`".repeat(longest_backtick_run(&text) + 1);
    // Markdown removes one blank on both sides.
    let pad = if text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Escapes text inside an HTML element of a page in Markdown, which some readers parse as Markdown
/// too.
pub fn escape_markdown_html(text: &str) -> String {
    let text = escape_xml(&sanitize(text));
    text.replace('[', "&#91;").replace(']', "&#93;").replace('`', "&#96;")
}

pub fn escape_table_cell(markdown: &str) -> String {
    // Bars in running text are escaped already.
    markdown.replace("\\|", "|").replace('|', "\\|")
}

/// A text as a code block, with a longer fence than any in the text.
pub fn markdown_fence(language: &str, text: &str) -> String {
    let text = sanitize_lines(text);
    let fence = "`".repeat(longest_backtick_run(&text).max(2) + 1);
    format!("\n{fence}{language}\n{text}\n{fence}\n")
}

fn longest_backtick_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Escapes a text for HTML or XML 1.0, as content or in double quotes. Line ends are escaped; other
/// control characters, most of which XML does not allow, are replaced.
pub fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_text_is_escaped() {
        let text = escape_markdown("![x](http://e) <b> `c` a|b\n\n# d");
        assert_eq!(text, "!\\[x\\](http://e) \\<b\\> \\`c\\` a\\|b␊␊\\# d");
        assert_eq!(escape_table_cell(&text), text);
        assert_eq!(markdown_code("a"), "`a`");
        assert_eq!(markdown_code("a`b\n"), "``a`b␊``");
        assert_eq!(markdown_code("``a"), "``` ``a ```");
        assert_eq!(escape_table_cell(&markdown_code("a|b")), "`a\\|b`");
        assert_eq!(markdown_fence("", "a\n```\nb"), "\n````\na\n```\nb\n````\n");
        assert_eq!(
            escape_xml("<a b=\"&\u{1}\n\u{ffff}\">"),
            "&lt;a b=&quot;&amp;\u{fffd}&#10;\u{fffd}&quot;&gt;"
        );
    }
}
