//! Deprecated fields of a kustomization file in their new form: edits of the text that keep
//! comments and layout. A trial has to show whether the target builds the same afterwards:
//! `patches` is applied at another moment than `patchesJson6902`.

use std::ops::Range;

use crate::engine::manifest::{ListForm, Outline, OutlineEntry, OutlineField};

/// The text with a deprecated field in its new form; `None` if it has to be changed by hand.
pub(in crate::answers) fn migrated(text: &[u8], field: &str) -> Option<Vec<u8>> {
    let read = std::str::from_utf8(text).ok()?;
    let outline = Outline::parse(text);
    let found = outline.field(field).filter(|field| !field.disabled)?;
    let after = match field {
        "bases" => moved(read, &outline, found, "resources", MovePosition::Back)?,
        "patchesJson6902" => moved(read, &outline, found, "patches", MovePosition::Back)?,
        "patchesStrategicMerge" => {
            let entries = as_patches(read, found)?;
            let (outline, found) = (Outline::parse(entries.as_bytes()), &entries);
            let field = outline.field(field)?;
            moved(found, &outline, field, "patches", MovePosition::Front)?
        }
        "commonLabels" => labels(read, &outline, found)?,
        _ => return None,
    };
    let made = Outline::parse(after.as_bytes());
    (made.problem.is_none() && made.field(field).is_none()).then(|| after.into_bytes())
}

/// The position of the moved entries in the new list. Kustomize applies the old lists before or
/// after the new one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MovePosition {
    Front,
    Back,
}

/// Moves the entries of a field to another one, which may be missing.
fn moved(
    text: &str,
    outline: &Outline,
    from: &OutlineField,
    to: &str,
    place: MovePosition,
) -> Option<String> {
    let Some(target) = outline.field(to) else {
        return with_key(text, from, to);
    };
    let (ListForm::Block(column), ListForm::Block(own)) = (&target.form, &from.form) else {
        return None;
    };
    if target.disabled {
        return None;
    }
    let (first, last) = (from.entries.first()?, from.entries.last()?);
    let units = text.get(first.head.start..last.bytes.end)?;
    let mut piece = shifted(units, *own, *column);
    let at = match place {
        MovePosition::Front => target.entries.first()?.head.start,
        MovePosition::Back => target.entries.last()?.bytes.end,
    };
    if !piece.ends_with('\n') {
        piece.push('\n');
    }
    if at > 0 && text.as_bytes().get(at - 1) != Some(&b'\n') {
        piece.insert(0, '\n');
    }
    // A comment between the key and the first entry would be lost with the key.
    let between = text.get(from.bytes.start..first.head.start)?;
    let behind = text.get(last.bytes.end..from.bytes.end)?;
    if between.contains('#') || behind.contains('#') {
        return None;
    }
    let gone = from.bytes.clone();
    Some(if gone.start < at {
        [text.get(..gone.start)?, text.get(gone.end..at)?, &piece, text.get(at..)?].concat()
    } else {
        [text.get(..at)?, &piece, text.get(at..gone.start)?, text.get(gone.end..)?].concat()
    })
}

/// The field with another key.
fn with_key(text: &str, field: &OutlineField, key: &str) -> Option<String> {
    let range = key_of(text, field)?;
    Some([text.get(..range.start)?, key, text.get(range.end..)?].concat())
}

fn key_of(text: &str, field: &OutlineField) -> Option<Range<usize>> {
    let own = text.get(field.bytes.clone())?;
    let start = field.bytes.start + own.find(&field.name)?;
    let before = text.get(field.bytes.start..start)?;
    before.trim().is_empty().then_some(start..start + field.name.len())
}

/// Lines moved from one column to another.
fn shifted(lines: &str, from: usize, to: usize) -> String {
    let one = |line: &str| {
        if line.trim().is_empty() {
            return line.to_owned();
        }
        let spaces = line.len() - line.trim_start_matches(' ').len();
        let wanted = (spaces + to).saturating_sub(from);
        format!("{}{}", " ".repeat(wanted), &line[spaces..])
    };
    lines.split_inclusive('\n').map(one).collect()
}

/// The entries of `patchesStrategicMerge` in the form of `patches`.
fn as_patches(text: &str, field: &OutlineField) -> Option<String> {
    if field.entries.iter().any(|entry| entry.disabled) {
        return None;
    }
    match &field.form {
        ListForm::Flow(brackets) => {
            let within = text.get(brackets.clone())?;
            if within.contains(['\n', '#']) || field.entries.is_empty() {
                return None;
            }
            let entries = field.entries.iter().map(|entry| format!("- path: {}", entry.text));
            let entries: Vec<String> = entries.collect();
            let line = text.get(brackets.end..)?.lines().next()?;
            let key = text.get(..brackets.start)?.trim_end_matches(' ');
            let rest = text.get(brackets.end + line.len()..)?;
            Some(format!("{key}{}\n{}{rest}", line.trim_end(), entries.join("\n")))
        }
        ListForm::Block(_) => {
            let mut out = text.to_owned();
            for entry in field.entries.iter().rev() {
                let piece = as_patch(text.get(entry.bytes.clone())?, entry)?;
                out.replace_range(entry.bytes.clone(), &piece);
            }
            Some(out)
        }
        _ => None,
    }
}

/// `- a.yaml` as `- path: a.yaml`, and an inline patch as `- patch: |-` with deeper indentation.
fn as_patch(text: &str, entry: &OutlineEntry) -> Option<String> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next()?;
    let dash = first.find('-')?;
    let value = first.get(dash + 1..)?.trim_start_matches(' ');
    let head = &first[..first.len() - value.len()];
    let is_inline = value.starts_with(['|', '>']);
    let more: Vec<&str> = lines.collect();
    if !is_inline && (entry.scalar.is_none() || more.iter().any(|line| !line.trim().is_empty())) {
        return None;
    }
    // An indentation indicator is relative to the key, which has moved.
    let header = value.split('#').next().unwrap_or_default();
    if is_inline && header.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let key = if is_inline { "patch" } else { "path" };
    let rest: String = more.iter().map(|line| shifted(line, 0, 2)).collect();
    Some(format!("{head}{key}: {value}{rest}"))
}

/// `commonLabels` as the last entry of `labels`.
fn labels(text: &str, outline: &Outline, field: &OutlineField) -> Option<String> {
    let key = key_of(text, field)?;
    let own = text.get(key.end..field.bytes.end)?;
    let (line, body) = own.split_at(own.find('\n').map_or(own.len(), |end| end + 1));
    let value = line.trim_start().strip_prefix(':')?.trim();
    let lists = outline.fields.iter().filter(|field| !field.disabled);
    let mut columns = lists.filter_map(|field| match field.form {
        ListForm::Block(column) => Some(column),
        _ => None,
    });
    let target = outline.field("labels");
    let column = match target {
        None => columns.next().unwrap_or(outline.column),
        Some(target) => match target.form {
            ListForm::Block(column) if !target.disabled => column,
            _ => return None,
        },
    };
    let (dash, inside) = (" ".repeat(column), " ".repeat(column + 2));
    let is_flow = value.starts_with('{');
    let comment = if value.starts_with('#') { format!(" {value}") } else { String::new() };
    let pairs = if is_flow {
        if !body.trim().is_empty() {
            return None;
        }
        format!("{inside}pairs: {value}\n")
    } else if value.is_empty() || !comment.is_empty() {
        let first = body.lines().find(|line| {
            let line = line.trim_start();
            !line.is_empty() && !line.starts_with('#')
        })?;
        let from = first.len() - first.trim_start_matches(' ').len();
        format!("{inside}pairs:\n{}", shifted(body, from, column + 4))
    } else {
        return None;
    };
    let entry = format!("{dash}- includeSelectors: true\n{pairs}");
    // Blank lines after the field are kept after it.
    let rest = if is_flow { body } else { "" };
    let Some(target) = target else {
        let head = text.get(..key.start)?;
        let piece = format!("labels:{comment}\n{entry}{rest}");
        let after = text.get(field.bytes.end..)?;
        let piece = if own.ends_with('\n') { piece } else { piece.trim_end().to_owned() };
        return Some([head, &piece, after].concat());
    };
    if !comment.is_empty() {
        return None;
    }
    let at = target.entries.last()?.bytes.end;
    let entry = entry.trim_end().to_owned() + "\n";
    let entry = if text.get(..at)?.ends_with('\n') { entry } else { format!("\n{entry}") };
    let gone = field.bytes.clone();
    Some(if gone.start < at {
        [text.get(..gone.start)?, text.get(gone.end..at)?, &entry, text.get(at..)?].concat()
    } else {
        [text.get(..at)?, &entry, text.get(at..gone.start)?, text.get(gone.end..)?].concat()
    })
}

#[cfg(test)]
mod tests {
    use crate::answers::fix::migrate::*;

    fn migrate_text(text: &str, field: &str) -> Option<String> {
        migrated(text.as_bytes(), field).and_then(|text| String::from_utf8(text).ok())
    }

    #[test]
    fn bases_become_resources_with_their_comments() {
        let alone = "# top\nbases: # old\n- ../a # one\n# two\n- ../b\nnamePrefix: x-\n";
        assert_eq!(migrate_text(alone, "bases"), Some(alone.replace("bases:", "resources:")));
        let both =
            "bases:\n  - ../a # one\n  # two\n  - ../b\nresources:\n- c.yaml\n\nnamePrefix: x-\n";
        let after = "resources:\n- c.yaml\n- ../a # one\n# two\n- ../b\n\nnamePrefix: x-\n";
        assert_eq!(migrate_text(both, "bases").as_deref(), Some(after));
        assert_eq!(migrate_text("bases: [a]\nresources: [b]\n", "bases"), None);
        assert_eq!(migrate_text("resources: [b]\n", "bases"), None);
    }

    #[test]
    fn strategic_merge_patches_come_before_the_others() {
        let text = "patches:\n- path: last.yaml\npatchesStrategicMerge:\n- a.yaml # why\n- |-\n  kind: A\n  spec:\n    x: 1\n- 'b.yaml'\n";
        let after = "patches:\n- path: a.yaml # why\n- patch: |-\n    kind: A\n    spec:\n      x: 1\n- path: 'b.yaml'\n- path: last.yaml\n";
        assert_eq!(migrate_text(text, "patchesStrategicMerge").as_deref(), Some(after));
        let flow = "namePrefix: x-\npatchesStrategicMerge: [a.yaml, b.yaml]\n";
        let after = "namePrefix: x-\npatches:\n- path: a.yaml\n- path: b.yaml\n";
        assert_eq!(migrate_text(flow, "patchesStrategicMerge").as_deref(), Some(after));
        let off = "patchesStrategicMerge:\n- a.yaml\n#- b.yaml\n";
        assert_eq!(migrate_text(off, "patchesStrategicMerge"), None);
    }

    #[test]
    fn common_labels_become_an_entry_of_labels() {
        let text = "commonLabels:\n  # owner\n  app: web # it\n  b: c\nresources:\n  - a.yaml\n";
        let after = "labels:\n  - includeSelectors: true\n    pairs:\n      # owner\n      app: web # it\n      b: c\nresources:\n  - a.yaml\n";
        assert_eq!(migrate_text(text, "commonLabels").as_deref(), Some(after));
        let flow = "commonLabels: {a: b}\n";
        let after = "labels:\n- includeSelectors: true\n  pairs: {a: b}\n";
        assert_eq!(migrate_text(flow, "commonLabels").as_deref(), Some(after));
        let both = "labels:\n- pairs: {x: y}\ncommonLabels:\n  a: b";
        let after = "labels:\n- pairs: {x: y}\n- includeSelectors: true\n  pairs:\n    a: b\n";
        assert_eq!(migrate_text(both, "commonLabels").as_deref(), Some(after));
    }
}
