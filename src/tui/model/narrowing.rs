//! The reason why a target or a reference has no match, as rows: each part with the number of
//! remaining resources.

use super::super::text::sanitize;
use crate::answers::FindingKind;
use crate::engine::resource::{NarrowedPart, Narrowing, SelectorPart};

/// The rows that explain why a target or a reference has no match, and how to solve it (`hint`);
/// empty for other findings.
pub(crate) fn narrowing_rows(said: &FindingKind, hint: Option<&String>) -> Vec<String> {
    let FindingKind::Remark(remark) = said else { return Vec::new() };
    let hint = hint.cloned().unwrap_or_default();
    if let Some(narrowing) = remark.narrowing() {
        return with_advice(selected(narrowing), quick_fix(narrowing).unwrap_or(hint));
    }
    let Some(old) = remark.stale_reference() else { return Vec::new() };
    let (resource, reason) = (old.renamed_resource.to_string(), old.held_back.clone());
    reference_rows([old.field.to_string(), old.old_name.clone(), resource, reason], &hint)
}

/// The rows about a reference to an earlier name of a resource that was not updated: its field, its
/// value, the resource that once had the name, and the reason.
fn reference_rows(texts: [String; 4], hint: &str) -> Vec<String> {
    let parts = ["reference", "value", "resource", "reason"].into_iter().zip(texts);
    let rows = parts.map(|(part, text)| format!("  {part:<9}   {text}")).collect();
    with_advice(rows, if hint.is_empty() { String::new() } else { format!("to do: {hint}") })
}

fn with_advice(mut rows: Vec<String>, advice: String) -> Vec<String> {
    if !advice.is_empty() {
        rows.extend([String::new(), advice]);
    }
    rows.iter().map(|row| sanitize(row).into_owned()).collect()
}

/// The number of resources that match the parts of a selector so far, and for each part alone. Counts
/// come first, so that long parts do not push them out of view.
fn selected(narrowing: &Narrowing) -> Vec<String> {
    let words = |part: &SelectorPart| match part {
        SelectorPart::All => "resources before the step".to_owned(),
        SelectorPart::Type(words) if words.is_empty() => "any kind".to_owned(),
        SelectorPart::Type(words) => format!("kind {words}"),
        SelectorPart::Namespace(name) => format!("namespace {name:?}"),
        SelectorPart::Name(name) => format!("name {name:?}"),
        SelectorPart::Labels(asked) => asked.clone(),
    };
    let row = |left: &str, alone: &str, part: &str| format!("  {left:>6}  {alone:>5}  {part}");
    let mut rows = vec![row("so far", "alone", "part of the target")];
    rows.extend(narrowing.parts.iter().map(|NarrowedPart { part, left, alone }| {
        let left = left.map(|left| left.to_string()).unwrap_or_default();
        row(&left, &alone.to_string(), &words(part))
    }));
    rows
}

/// The suggestion to replace the part of the selector after which no resource is left by the
/// nearest name.
fn quick_fix(narrowing: &Narrowing) -> Option<String> {
    let nearest = narrowing.nearest.as_deref()?;
    let (asked, nearest) = match narrowing.excluding_part()? {
        SelectorPart::Type(words) => (words.clone(), nearest.to_owned()),
        SelectorPart::Name(name) => (format!("{name:?}"), format!("{nearest:?}")),
        SelectorPart::All | SelectorPart::Namespace(_) | SelectorPart::Labels(_) => return None,
    };
    Some(format!("quick fix: {asked} → {nearest}   (e: open)"))
}

#[cfg(test)]
mod tests {
    use crate::engine::diagnostic::EntryRemark;

    use super::*;

    #[test]
    fn nearest_name_is_offered_in_place_of_the_part_without_match() {
        let part = |part, left, alone| NarrowedPart { part, left: Some(left), alone };
        let name = SelectorPart::Name("wbe".to_owned());
        let parts = vec![part(SelectorPart::All, 9, 9), part(name, 0, 0)];
        let nearest = Some("web".to_owned());
        let narrowing = Narrowing { parts, nearest, ..Narrowing::default() };
        let kind = FindingKind::Remark(EntryRemark::PatchTarget(Box::new(narrowing)).into());
        assert_eq!(
            narrowing_rows(&kind, None).join("\n"),
            "  so far  alone  part of the target\n       9      9  resources before the step\n       0      0  name \"wbe\"\n\n\
             quick fix: \"wbe\" → \"web\"   (e: open)"
        );
    }
}
