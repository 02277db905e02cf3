//! The reason why a target or a reference has no match, as rows: each part with the number of
//! remaining resources.

use super::super::text::sanitize;
use super::Problem;
use crate::engine::resource::{Narrowing, SelectorPart};
use crate::screens::problems::state::NoMatchCause;

/// The rows that explain why a target or a reference has no match, and how to solve it; empty for
/// other problems.
pub(crate) fn narrowing_rows(problem: &Problem) -> Vec<String> {
    let Some(why) = &problem.why else { return Vec::new() };
    let lines = match why {
        NoMatchCause::Target(narrowing) => selected(narrowing),
        NoMatchCause::Reference { field, says, meant, held_back } => {
            [("reference", field), ("value", says), ("resource", meant), ("reason", held_back)]
                .map(|(part, text)| format!("  {part:<9}   {text}"))
                .to_vec()
        }
    };
    let mut lines: Vec<String> = lines.iter().map(|line| sanitize(line).into_owned()).collect();
    let hint = problem.details.first().map(String::as_str).unwrap_or_default();
    if let Some(fix) = quick_fix(why) {
        lines.extend([String::new(), sanitize(&fix).into_owned()]);
    } else if !hint.is_empty() {
        let word = if matches!(why, NoMatchCause::Reference { .. }) { "to do: " } else { "" };
        lines.extend([String::new(), format!("{word}{hint}")]);
    }
    lines
}

/// The number of resources that match the parts of a selector so far, and for each part alone. Counts come
/// first, so that long parts do not push them out of view.
fn selected(narrowing: &Narrowing) -> Vec<String> {
    let words = |part: &SelectorPart| match part {
        SelectorPart::All => "resources before the step".to_owned(),
        SelectorPart::Type(words) if words.is_empty() => "any kind".to_owned(),
        SelectorPart::Type(words) => format!("kind {words}"),
        SelectorPart::Namespace(name) => format!("namespace {name:?}"),
        SelectorPart::Name(name) => format!("name {name:?}"),
        SelectorPart::Labels(asked) => asked.clone(),
    };
    let has_alone = !narrowing.alone.is_empty();
    let row = |left: &str, alone: &str, part: &str| {
        let alone = if has_alone { format!("  {alone:>5}") } else { String::new() };
        format!("  {left:>6}{alone}  {part}")
    };
    let mut alone = narrowing.alone.iter();
    let mut rows = vec![row("so far", "alone", "part of the target")];
    rows.extend(narrowing.left.iter().map(|(part, left)| {
        let alone = alone.next().copied().unwrap_or(*left);
        row(&left.to_string(), &alone.to_string(), &words(part))
    }));
    let beyond = narrowing.beyond.iter();
    rows.extend(beyond.map(|(part, alone)| row("", &alone.to_string(), &words(part))));
    rows
}

/// The suggestion to replace the part of the selector after which no resource is left by the
/// nearest name.
fn quick_fix(why: &NoMatchCause) -> Option<String> {
    let NoMatchCause::Target(narrowing) = why else { return None };
    let (part, _) = narrowing.left.last()?;
    let nearest = narrowing.nearest.as_deref()?;
    let (asked, nearest) = match part {
        SelectorPart::Type(words) => (words.clone(), nearest.to_owned()),
        SelectorPart::Name(name) => (format!("{name:?}"), format!("{nearest:?}")),
        SelectorPart::All | SelectorPart::Namespace(_) | SelectorPart::Labels(_) => return None,
    };
    Some(format!("quick fix: {asked} → {nearest}   (e: open)"))
}

#[cfg(test)]
mod tests {
    use crate::engine::diagnostic::{Code, Severity};

    use super::*;

    fn lines(why: Option<NoMatchCause>, hint: &str) -> String {
        let problem = Problem {
            decider: None,
            subject: None,
            field: None,
            severity: Severity::Error,
            code: Code::KZ101,
            place: String::new(),
            file: None,
            line: 0,
            message: "any message".to_owned(),
            details: vec![hint.to_owned()],
            step: None,
            why,
        };
        narrowing_rows(&problem).join("\n")
    }

    fn target(left: &[(SelectorPart, usize)], nearest: &str) -> Option<NoMatchCause> {
        let nearest = Some(nearest.to_owned()).filter(|word| !word.is_empty());
        let left = left.to_vec();
        Some(NoMatchCause::Target(Box::new(Narrowing { left, nearest, ..Narrowing::default() })))
    }

    #[test]
    fn each_selector_part_has_row_with_count() {
        use SelectorPart::{All, Labels, Name, Namespace, Type};
        let deployments = || Type("Deployment".to_owned());
        let (space, name) = (Namespace("a,b".to_owned()), Name("wbe".to_owned()));
        let named = [(All, 9), (deployments(), 6), (space, 3), (name, 0)];
        assert_eq!(
            lines(target(&named, "web"), "did you mean \"web\"?"),
            "  so far  part of the target\n       9  resources before the step\n       6  kind Deployment\n       3  \
             namespace \"a,b\"\n       0  name \"wbe\"\n\nquick fix: \"wbe\" → \"web\"   (e: open)"
        );
        let kind = [(All, 31), (Type("Deploymnet".to_owned()), 0)];
        assert!(lines(target(&kind, "Deployment"), "").contains("Deploymnet → Deployment   (e"));
        let labelled =
            [(All, 2), (deployments(), 1), (Labels("labels \"a=\\u{1b}\"".to_owned()), 0)];
        let text = lines(target(&labelled, ""), "not yet");
        assert!(
            text.contains("\n       0  labels \"a=") && text.ends_with("\n\nnot yet"),
            "{text}"
        );
        assert!(!text.contains('\u{1b}'));
        let reference = NoMatchCause::Reference {
            field: "spec.a of Foo x".to_owned(),
            says: "cfg".to_owned(),
            meant: "ConfigMap cfg".to_owned(),
            held_back: "it is in namespace a".to_owned(),
        };
        assert!(
            lines(Some(reference), "say so").ends_with("it is in namespace a\n\nto do: say so")
        );
        assert_eq!(lines(None, "said"), "");
    }
}
