//! Why a target or a reference reached nothing, as rows: what was asked for, part by part, and how many were left.

use super::Problem;

/// The rows of a problem's funnel and what mends it; empty when it is about something else.
pub(in crate::tui) fn funnel(problem: &Problem) -> Vec<String> {
    let rows = match problem.code {
        "KZ101" | "KZ102" => problem.message.split_once(": ").and_then(|(_, why)| selected(why)),
        "KZ113" => referred(&problem.message),
        _ => None,
    };
    let Some(rows) = rows else { return Vec::new() };
    let cells = rows.iter().map(|(part, _)| part.chars().count()).max().unwrap_or(0).min(60);
    let line = |(part, left): &(String, String)| format!("  {part:<cells$}   {left}");
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    let hint = problem.details.first().map(String::as_str).unwrap_or_default();
    let nearest = hint.strip_prefix("did you mean ").and_then(|hint| hint.strip_suffix('?'));
    let asked = rows.last().and_then(|(part, _)| part.split_once(' ')).map(|(_, asked)| asked);
    if let (Some(nearest), Some(asked)) = (nearest, asked) {
        let nearest = nearest.trim_start_matches("kind ");
        lines.extend([
            String::new(),
            format!("quick fix: {asked} → {nearest}   (e opens it there)"),
        ]);
    } else if !hint.is_empty() {
        let word = if problem.code == "KZ113" { "to do: " } else { "" };
        lines.extend([String::new(), format!("{word}{hint}")]);
    }
    lines
}

/// `6 resources of the kind, 3 in namespace "a", none named "wbe"`, as the engine says it.
fn selected(why: &str) -> Option<Vec<(String, String)>> {
    let mut rows = vec![("part of the target".to_owned(), "left".to_owned())];
    let mut row = |part: &str, left: &str| rows.push((part.to_owned(), left.to_owned()));
    if let Some((all, kind)) = why.strip_prefix("none of ").and_then(|why| why.split_once(' ')) {
        row("(resources before the step)", all);
        row(&format!("kind {}", kind.split_once(" is a ")?.1), "0");
        return Some(rows);
    }
    for clause in clauses(why) {
        let (count, part) = clause.split_once(' ')?;
        let count = if count == "none" { "0" } else { count };
        count.parse::<usize>().ok()?;
        let part = part.trim_start_matches("resources ").trim_start_matches("resource ");
        let part = ["of the ", "in ", "with "]
            .iter()
            .find_map(|word| part.strip_prefix(word))
            .unwrap_or(part);
        row(&part.replacen("named ", "name ", 1), count);
    }
    Some(rows)
}

/// `spec.a of X still says b, a name that Y had before: why`
fn referred(message: &str) -> Option<Vec<(String, String)>> {
    let (field, rest) = message.split_once(" still says ")?;
    let (name, rest) = rest.split_once(", a name that ")?;
    let (meant, why) = rest.split_once(" had before: ")?;
    let rows = [("reference", field), ("says", name), ("meant", meant), ("held back", why)];
    Some(rows.map(|(part, text)| (part.to_owned(), text.to_owned())).to_vec())
}

/// The parts between commas that stand in no quotes.
fn clauses(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut quoted, mut escaped) = (Vec::new(), 0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::super::Severity;
    use super::*;

    fn lines(code: &'static str, message: &str, hint: &str) -> String {
        let problem = Problem {
            decider: None,
            severity: Severity::Error,
            code,
            place: String::new(),
            file: None,
            line: 0,
            message: message.to_owned(),
            details: vec![hint.to_owned()],
            step: None,
        };
        funnel(&problem).join("\n")
    }

    #[test]
    fn each_part_is_a_row_with_what_is_left() {
        let why = "the patch's target matches nothing: 6 resources of the kind, 3 in namespace \"a,b\", none named \"wbe\"";
        assert_eq!(
            lines("KZ101", why, "did you mean \"web\"?"),
            "  part of the target   left\n  kind                 6\n  namespace \"a,b\"      3\n  \
             name \"wbe\"           0\n\nquick fix: \"wbe\" → \"web\"   (e opens it there)"
        );
        let why =
            "a target of the replacement matches nothing: none of 31 resources is a Deploymnet";
        assert!(
            lines("KZ102", why, "did you mean kind Deployment?").contains("31\n  kind Deploymnet")
        );
        assert!(
            lines("KZ102", why, "did you mean kind Deployment?")
                .contains("Deploymnet → Deployment ")
        );
        let why = "spec.a of Foo x still says cfg, a name that ConfigMap cfg had before: it is in namespace a";
        assert!(lines("KZ113", why, "say so").ends_with("it is in namespace a\n\nto do: say so"));
        assert_eq!(lines("KZ102", "images matches 3, and they already say so: no change", ""), "");
    }
}
