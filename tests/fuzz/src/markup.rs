//! Documents that other programs act on: no text of a tree may be markup there.

/// Panics when a text of the tree is markup of the document that this command prints.
pub(crate) fn assert_no_markup(command: &str, out: &str) {
    let about = |what: &str| format!("{command}: {what} in {out}");
    if command.contains("--format html") {
        assert!(
            out.is_empty() || out.matches("</script>").count() == 2,
            "{}",
            about("a script ends")
        );
        assert!(!out.contains("<x-kz"), "{}", about("an element"));
    } else if command.contains("markdown") {
        markdown(out, &about);
    } else if command.contains("junit") || command.contains("svg") {
        assert_well_formed_xml(out, &about);
    } else if command.contains("--format github") {
        for line in out.lines() {
            let is_one =
                ["::error ", "::warning ", "::notice "].iter().any(|w| line.starts_with(w));
            assert!(is_one, "{}", about("a line that is no annotation"));
            let properties = line.split("::").nth(1).unwrap_or_default();
            assert!(properties.contains("title=KZ"), "{}", about("a property that ends early"));
        }
        assert!(!out.contains('\r'), "{}", about("a carriage return"));
    } else if command.contains("mermaid") {
        for line in out.lines().skip(1) {
            let quotes = line.matches('"').count();
            assert!(quotes == 2 || line.starts_with("  classDef "), "{}", about("a line"));
            assert!(!line.contains("%%{") && !line.contains("```"), "{}", about("a directive"));
        }
    } else if command.contains("dot") {
        for line in out.lines().filter(|line| line.starts_with("  n")) {
            let plain = line.replace("\\\\", "").replace("\\\"", "");
            let outside: String = plain.split('"').step_by(2).collect();
            assert!(!outside.contains("x-kz"), "{}", about("an attribute"));
            assert!(line.ends_with(';'), "{}", about("a line that ends early"));
        }
    }
}

/// Outside of code nothing is an element or a picture.
fn markdown(out: &str, about: &dyn Fn(&str) -> String) {
    let mut fence: Option<usize> = None;
    // The marker of a comparison, by which a bot finds its own comment; the text is the user's.
    let marker = "<!-- kzui-diff: main -->";
    for line in out.strip_prefix(marker).unwrap_or(out).lines() {
        let ticks = line.chars().take_while(|c| *c == '`').count();
        match fence {
            Some(open) if ticks >= open && line.trim_start_matches('`').trim().is_empty() => {
                fence = None;
            }
            Some(_) => {}
            None if ticks >= 3 && !line[ticks..].contains('`') => fence = Some(ticks),
            None => {
                let text = without_code(line);
                for markup in ["<x-kz", "![", "](", "<!--"] {
                    let at = text.find(markup);
                    assert!(at.is_none(), "{}", about(&format!("{markup} of {line:?}")));
                }
            }
        }
    }
    assert!(fence.is_none(), "{}", about("a fence that is open"));
}

/// A line of Markdown without the code in it, and without what a backslash makes plain text.
fn without_code(line: &str) -> String {
    let signs: Vec<char> = line.chars().collect();
    let (mut out, mut at) = (String::new(), 0);
    while at < signs.len() {
        if signs[at] == '\\' {
            at += 2;
            continue;
        }
        if signs[at] != '`' {
            out.push(signs[at]);
            at += 1;
            continue;
        }
        let run = signs[at..].iter().take_while(|c| **c == '`').count();
        let mut end = at + run;
        let mut closes = None;
        while end < signs.len() {
            let other = signs[end..].iter().take_while(|c| **c == '`').count();
            if other == run {
                closes = Some(end + run);
                break;
            }
            end += other.max(1);
        }
        at = closes.unwrap_or(at + run);
    }
    out
}

/// Well-formed: elements are closed in their order, attributes are quoted, and no sign stands alone.
fn assert_well_formed_xml(out: &str, about: &dyn Fn(&str) -> String) {
    let text = out.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").unwrap_or(out);
    let mut open: Vec<&str> = Vec::new();
    let mut pieces = text.split('<');
    assert_plain(pieces.next().unwrap_or_default(), about);
    for piece in pieces {
        let (tag, content) = piece.split_once('>').unwrap_or_else(|| panic!("{}", about(piece)));
        assert_plain(content, about);
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{}", about("an end"));
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        assert!(name.chars().all(|c| c.is_ascii_lowercase()) && !name.is_empty(), "{}", about(tag));
        assert_eq!(tag.matches('"').count() % 2, 0, "{}", about(tag));
        let outside: String = tag.split('"').step_by(2).collect();
        assert!(!outside.contains("x-kz"), "{}", about(tag));
        assert_plain(tag, about);
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{}", about("an element that is open"));
}

fn assert_plain(text: &str, about: &dyn Fn(&str) -> String) {
    for (at, _) in text.match_indices('&') {
        let entity = text[at..].split(';').next().unwrap_or_default();
        let known = ["&lt", "&gt", "&amp", "&quot", "&#10"].contains(&entity);
        assert!(known, "{}", about(entity));
    }
    let wrong = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t') || matches!(c, '\u{fffe}' | '\u{ffff}')
    };
    assert!(!text.contains(wrong), "{}", about("a character that XML does not know"));
}
