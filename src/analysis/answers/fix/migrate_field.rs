//! Deprecated fields of a kustomization file in their new form: edits of the text that keep
//! comments and layout. The edited text is read again and compared with the values that it has to
//! contain, so that a style that is not understood is refused and never damaged. A trial has to
//! show whether the targets build the same afterwards: `patches` is applied at another moment than
//! `patchesJson6902`.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::answers::lint::findings::VARS;
use crate::draft::mapping_of;
use crate::engine::manifest::{KustomizationField, ListForm, Outline, OutlineEntry, OutlineField};
use crate::engine::yaml::{Node, parse_nodes, to_json};

/// Checks that no entry of `patchesStrategicMerge` has a patch after one that deletes a resource.
/// `read` reads a file by its path in the kustomization file.
pub(in crate::answers) fn check_deletions(
    text: &[u8],
    read: impl Fn(&str) -> Option<Arc<[u8]>>,
) -> Result<(), String> {
    let document = std::str::from_utf8(text).ok().and_then(parse_first_document);
    let field = KustomizationField::PatchesStrategicMerge.name();
    let listed = document.as_ref().and_then(|document| document.get(field)?.items());
    for item in listed.unwrap_or_default().iter().filter_map(Node::text) {
        let is_inline = patch_key(item) == "patch";
        let patch = if is_inline { Some(item.as_bytes().into()) } else { read(item) };
        let parsed = patch.and_then(|bytes| parse_nodes(&bytes).ok());
        let documents = parsed.unwrap_or_default();
        let mut before_last = documents.iter().rev().skip(1);
        let deletes = |node: &Node| node.text_of("$patch") == Some("delete");
        if before_last.any(deletes) {
            let name = if is_inline { "an inline patch" } else { item };
            return Err(format!(
                "{name} has further patches after one that deletes a resource: as one entry of `patches`, Kustomize crashes on it up to v5.6.0"
            ));
        }
    }
    Ok(())
}

/// The position of the moved entries in the new list. Kustomize applies the old lists before or
/// after the new one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MovePosition {
    Front,
    Back,
}

pub(in crate::answers) fn replacement_field(field: &str) -> Option<&'static str> {
    if field == VARS { Some("replacements") } else { replacement_list(field).map(|(to, _)| to) }
}

fn replacement_list(field: &str) -> Option<(&'static str, MovePosition)> {
    let known = REPLACEMENT_LISTS.iter().find(|(old, ..)| old.name() == field);
    known.map(|(_, new, position)| (*new, *position))
}

/// The deprecated lists, the lists that replace them, and the position of the old entries there.
const REPLACEMENT_LISTS: [(KustomizationField, &str, MovePosition); 5] = [
    (KustomizationField::Bases, "resources", MovePosition::Back),
    (KustomizationField::ImageTags, "images", MovePosition::Back),
    (KustomizationField::CommonLabels, "labels", MovePosition::Back),
    (KustomizationField::PatchesJson6902, "patches", MovePosition::Back),
    (KustomizationField::PatchesStrategicMerge, "patches", MovePosition::Front),
];

/// True if the new form of a field has the same meaning whatever the resources are: Kustomize reads
/// the old form as the new one, or applies both at the same moment. Entries of `patchesJson6902`
/// are applied later than `patches` and match by other rules.
pub(in crate::answers) fn is_always_equivalent(field: &str) -> bool {
    field != KustomizationField::PatchesJson6902.name() && replacement_list(field).is_some()
}

pub(in crate::answers) fn migrate_field(text: &[u8], field: &str) -> Result<Vec<u8>, String> {
    let outline = Outline::parse(text);
    if let Some(problem) = outline.problem {
        return Err(format!("line {}: {}", problem.line, problem.obstacle));
    }
    let style = || format!("{field} is written in a style that cannot be rewritten line by line");
    let read = std::str::from_utf8(text).map_err(|_| style())?;
    let found = outline.field(field).filter(|field| !field.disabled);
    let found = found.ok_or_else(|| format!("no field `{field}`"))?;
    let no_new_form = || format!("kzui cannot write the new form of {field}");
    let (to, position) = replacement_list(field).ok_or_else(no_new_form)?;
    if let ListForm::Flow(brackets) = &found.form
        && read.get(brackets.clone()).is_some_and(|within| within.contains('#'))
    {
        return Err(format!("a comment between the brackets of {field} would be lost"));
    }
    let listed = if field == KustomizationField::PatchesStrategicMerge.name() {
        convert_to_patches(read, found)
    } else if field == KustomizationField::CommonLabels.name() {
        convert_to_labels(read, &outline, found)
    } else {
        Some(read.to_owned())
    };
    let after =
        listed.and_then(|text| move_entries(&text, field, to, position)).ok_or_else(style)?;
    let json = |node: Option<Node>| to_json(&node?).ok();
    let wanted = json(parse_first_document(read).and_then(|it| migrated_document(&it, field)));
    let is_same = wanted.is_some() && wanted == json(parse_first_document(&after));
    if is_same { Ok(after.into_bytes()) } else { Err(style()) }
}

fn parse_first_document(text: &str) -> Option<Node> {
    let read = parse_nodes(text.as_bytes()).ok()?;
    Some(read.into_iter().next().unwrap_or_else(Node::mapping))
}

fn migrated_document(document: &Node, field: &str) -> Option<Node> {
    let mut out = document.clone();
    let mapping = out.as_mapping_mut()?;
    let old = mapping.remove(field)?;
    let (to, position) = replacement_list(field)?;
    let entries = if old.is_null() || old.is_empty_collection() {
        Vec::new()
    } else if field == KustomizationField::CommonLabels.name() {
        vec![mapping_of([("pairs", old), ("includeSelectors", Node::plain("true"))])]
    } else if field == KustomizationField::PatchesStrategicMerge.name() {
        let patches = old.items()?.iter();
        let patches =
            patches.map(|item| Some(mapping_of([(patch_key(item.text()?), item.clone())])));
        patches.collect::<Option<Vec<Node>>>()?
    } else {
        old.items()?.to_vec()
    };
    let others = mapping.get(to).and_then(Node::items).unwrap_or_default();
    let all = match position {
        MovePosition::Front => [&*entries, others].concat(),
        MovePosition::Back => [others, &*entries].concat(),
    };
    if !entries.is_empty() {
        mapping.set(to, Node::sequence(all));
    }
    Some(out)
}

/// The key of a strategic merge patch in `patches`: a text that cannot be a file name is an inline
/// patch.
fn patch_key(value: &str) -> &'static str {
    let is_inline =
        value.contains('\n') || value.contains(": ") || value.trim_start().starts_with('{');
    if is_inline { "patch" } else { "path" }
}

/// Moves the entries of the list `from` to the list `to`. If the file has no list `to`, the list
/// `from` is renamed.
fn move_entries(text: &str, from: &str, to: &str, position: MovePosition) -> Option<String> {
    let mut text = Cow::Borrowed(text);
    let active = |outline: &Outline, name: &str| {
        outline.field(name).filter(|field| !field.disabled).cloned()
    };
    let has_target = active(&Outline::parse(text.as_bytes()), to).is_some();
    if has_target {
        text = Cow::Owned(Outline::with_dashes(&Outline::with_dashes(&text, from)?, to)?);
    }
    let outline = Outline::parse(text.as_bytes());
    let source = active(&outline, from)?;
    let (whole, body, comments) = field_lines(&text, &outline, &source)?;
    if source.entries.is_empty() {
        return Some(join_trimmed(text.get(..whole.start)?, text.get(whole.end..)?));
    }
    let Some(target) = active(&outline, to) else {
        let key = key_range(&text, &source)?;
        return Some([text.get(..key.start)?, to, text.get(key.end..)?].concat());
    };
    let own = block_list_column(&source)?;
    let column = block_list_column(&target).unwrap_or(own);
    let end = line_end(&text);
    let mut piece: String = comments.iter().fold(String::new(), |mut out, comment| {
        out.extend([&*" ".repeat(column), comment, end]);
        out
    });
    piece.push_str(&indent_lines(text.get(body)?, own, column));
    if !piece.ends_with('\n') {
        piece.push_str(end);
    }
    let at = match position {
        MovePosition::Front => first_line(&text, &target).end,
        MovePosition::Back => target.bytes.end,
    };
    if !text.get(..at)?.ends_with('\n') {
        piece.insert_str(0, end);
        piece.truncate(piece.trim_end().len());
    }
    Some(if at <= whole.start {
        let before = [text.get(..at)?, &piece, text.get(at..whole.start)?].concat();
        join_trimmed(&before, text.get(whole.end..)?)
    } else {
        let after = [text.get(whole.end..at)?, &piece, text.get(at..)?].concat();
        join_trimmed(text.get(..whole.start)?, &after)
    })
}

/// Both parts of a text, joined. If the second part is blank, blank lines at the end are removed.
fn join_trimmed(before: &str, after: &str) -> String {
    if !after.trim().is_empty() {
        return [before, after].concat();
    }
    let kept = before.trim_end();
    let end = if kept.is_empty() { "" } else { line_end(before) };
    [kept, end].concat()
}

/// The lines of a field that is moved: all of it with the comments right above and below it, and with
/// the blank lines that would double those above it; the lines below its key; and the comments above
/// and beside the key.
fn field_lines(
    text: &str,
    outline: &Outline,
    field: &OutlineField,
) -> Option<(Range<usize>, Range<usize>, Vec<String>)> {
    let key = first_line(text, field);
    let is_comment = |line: &str| line.trim_start().starts_with('#');
    // Comments right above the field belong to it, unless they begin the document.
    let mut start = field.bytes.start;
    while let Some(line) = line_above(text, start) {
        if !is_comment(text.get(line.clone())?) || outline.at(line.start).is_some() {
            break;
        }
        start = line.start;
    }
    let above = line_above(text, start).map(|line| text.get(line).unwrap_or_default());
    if above.is_none_or(|line| line.starts_with("---")) {
        start = field.bytes.start;
    }
    let end = end_with_comments(text, outline, field);
    let beside = text.get(key.clone())?.split_once(':')?.1.trim();
    let head = text.get(start..field.bytes.start)?.lines().map(str::trim);
    let beside = beside.starts_with('#').then_some(beside);
    let comments = head.chain(beside).map(str::to_owned).collect();
    // The blank lines above the field are kept, so those below it are removed with the field.
    let is_blank = |line: &str| line.trim().is_empty();
    let above = line_above(text, start).and_then(|line| text.get(line));
    let mut gone = end;
    if above.is_none_or(is_blank) {
        let below = text.get(end..)?.split_inclusive('\n').take_while(|line| is_blank(line));
        gone += below.map(str::len).sum::<usize>();
    }
    Some((start..gone, key.end..end, comments))
}

/// The end of a field, including the comments below it that belong to it: comments that are
/// indented deeper than its key, and comments in its column up to a blank line or the end of the
/// file.
fn end_with_comments(text: &str, outline: &Outline, field: &OutlineField) -> usize {
    let (mut end, mut kept) = (field.bytes.end, field.bytes.end);
    for line in text.get(end..).unwrap_or_default().split_inclusive('\n') {
        let trimmed = line.trim_start_matches(' ');
        if trimmed.trim().is_empty() {
            return end;
        }
        if !trimmed.starts_with('#') || outline.at(end).is_some() {
            return kept;
        }
        end += line.len();
        if line.len() - trimmed.len() > outline.column {
            kept = end;
        }
    }
    end
}

fn first_line(text: &str, field: &OutlineField) -> Range<usize> {
    let start = field.bytes.start;
    let rest = text.get(start..).unwrap_or_default();
    start..start + rest.find('\n').map_or(rest.len(), |at| at + 1)
}

fn line_above(text: &str, at: usize) -> Option<Range<usize>> {
    let before = text.get(..at)?.strip_suffix('\n')?;
    Some(before.rfind('\n').map_or(0, |end| end + 1)..at)
}

fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn block_list_column(field: &OutlineField) -> Option<usize> {
    match field.form {
        ListForm::Block(column) => Some(column),
        _ => None,
    }
}

fn key_range(text: &str, field: &OutlineField) -> Option<Range<usize>> {
    let own = text.get(field.bytes.clone())?;
    let start = field.bytes.start + own.find(&field.name)?;
    Some(start..start + field.name.len())
}

fn indent_lines(lines: &str, from: usize, to: usize) -> String {
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

/// The entries of `patchesStrategicMerge` in the form of `patches`, those that are commented out
/// included.
fn convert_to_patches(text: &str, field: &OutlineField) -> Option<String> {
    let text = Outline::with_dashes(text, &field.name)?;
    let outline = Outline::parse(text.as_bytes());
    let mut out = text.clone();
    for entry in outline.field(&field.name)?.entries.iter().rev() {
        let piece = convert_to_patch(text.get(entry.bytes.clone())?, entry)?;
        out.replace_range(entry.bytes.clone(), &piece);
    }
    Some(out)
}

/// `- a.yaml` as `- path: a.yaml`, and an inline patch as `- patch: |-` with deeper indentation.
fn convert_to_patch(text: &str, entry: &OutlineEntry) -> Option<String> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next()?;
    let dash = first.find('-')?;
    let value = first.get(dash + 1..)?.trim_start_matches(' ');
    let head = &first[..first.len() - value.len()];
    let key = match &entry.scalar {
        Some(value) => patch_key(value),
        None if value.starts_with(['|', '>']) => "patch",
        None => return None,
    };
    // In an entry that is commented out, the text after the `#` is indented.
    let deeper = |line: &str| match line.find('#').filter(|_| entry.disabled) {
        Some(sign) => format!("{}  {}", &line[..=sign], &line[sign + 1..]),
        None => indent_lines(line, 0, 2),
    };
    let rest: String = lines.map(deeper).collect();
    Some(format!("{head}{key}: {value}{rest}"))
}

/// The mapping `commonLabels` as a list of one entry of `labels`.
fn convert_to_labels(text: &str, outline: &Outline, field: &OutlineField) -> Option<String> {
    let key = key_range(text, field)?;
    let end = end_with_comments(text, outline, field);
    let own = text.get(key.end..end)?;
    let colon = own.find(':')? + 1;
    let (line, body) = own.split_at(own.find('\n').map_or(own.len(), |end| end + 1));
    let value = line.get(colon..)?.trim();
    let column = outline.dash_column();
    let (dash, inside) = (" ".repeat(column), " ".repeat(column + 2));
    let eol = line_end(text);
    let is_empty = parse_first_document(text)?.get(&field.name)?.is_empty_collection();
    let (comment, pairs) = if is_empty {
        (String::new(), None)
    } else if value.starts_with('{') {
        let rest = indent_lines(body, 0, column + 4);
        (String::new(), Some(format!(" {value}{eol}{rest}")))
    } else if value.is_empty() || value.starts_with('#') {
        let comment = if value.is_empty() { String::new() } else { format!(" {value}") };
        let mut content = body.lines().filter(|line| !line.trim_start().starts_with('#'));
        let first = content.find(|line| !line.trim().is_empty())?;
        let from = first.len() - first.trim_start_matches(' ').len();
        (comment, Some(format!("{eol}{}", indent_lines(body, from, column + 4))))
    } else {
        return None;
    };
    let piece = pairs.map_or_else(String::new, |pairs| {
        format!("{dash}- includeSelectors: true{eol}{inside}pairs:{pairs}")
    });
    let head = text.get(..key.end + colon)?;
    let piece = format!("{head}{comment}{eol}{piece}");
    Some([&*piece, text.get(end..)?].concat())
}

#[cfg(test)]
mod tests {
    use crate::answers::fix::migrate_field::*;

    const MERGE: &str = "patchesStrategicMerge";

    /// A field, a file with it, and the file with its new form.
    const MIGRATED: [(&str, &str, &str); 14] = [
        (
            "bases",
            "bases:\n  - ../a # one\n  # two\n  - ../b\nresources:\n- c.yaml\n\nnamePrefix: x-\n",
            "resources:\n- c.yaml\n- ../a # one\n# two\n- ../b\n\nnamePrefix: x-\n",
        ),
        ("bases", "bases: [a] # x\nresources: [b]\n", "resources:\n- b\n# x\n- a\n"),
        ("bases", "bases:\r\n- ../a\r\nresources: [b]\r\n", "resources:\r\n- b\r\n- ../a\r\n"),
        (
            "bases",
            "# The file.\nbases:\n- ../a\n\n# Why.\nresources:\n- b.yaml\n\n\n",
            "# The file.\n\n# Why.\nresources:\n- b.yaml\n- ../a\n\n\n",
        ),
        ("bases", "bases: []\nnamePrefix: a\n", "namePrefix: a\n"),
        // Strategic merge patches come before the others.
        (
            MERGE,
            "patches:\n- path: last.yaml\npatchesStrategicMerge:\n- a.yaml # why\n- |-\n  kind: A\n  spec:\n    x: 1\n- 'b.yaml'\n",
            "patches:\n- path: a.yaml # why\n- patch: |-\n    kind: A\n    spec:\n      x: 1\n- path: 'b.yaml'\n- path: last.yaml\n",
        ),
        (
            MERGE,
            "namePrefix: x-\npatchesStrategicMerge: [a.yaml, b.yaml]\n",
            "namePrefix: x-\npatches:\n- path: a.yaml\n- path: b.yaml\n",
        ),
        (
            MERGE,
            "patchesStrategicMerge:\n- a.yaml\n#- b.yaml\n# - |-\n#   kind: A\n#+mark\n",
            "patches:\n- path: a.yaml\n#- path: b.yaml\n# - patch: |-\n#     kind: A\n#+mark\n",
        ),
        (
            MERGE,
            "# The file.\n\nresources:\n- a.yaml\n\n# Ours.\npatchesStrategicMerge: # old\n- p.yaml\n#+scaffold:patch\n\npatches:\n  - path: q.yaml\n\n# Last.\nnamePrefix: x-\n",
            "# The file.\n\nresources:\n- a.yaml\n\npatches:\n  # Ours.\n  # old\n  - path: p.yaml\n  #+scaffold:patch\n  - path: q.yaml\n\n# Last.\nnamePrefix: x-\n",
        ),
        (
            "imageTags",
            "imageTags:\n- name: a\n  newTag: '1'\nimages:\n- name: b\n  newTag: '2'\n",
            "images:\n- name: b\n  newTag: '2'\n- name: a\n  newTag: '1'\n",
        ),
        ("commonLabels", "commonLabels: {}\n", ""),
        (
            "commonLabels",
            "commonLabels:\n  # owner\n  app: web # it\n  b: c\nresources:\n  - a.yaml\n",
            "labels:\n  - includeSelectors: true\n    pairs:\n      # owner\n      app: web # it\n      b: c\nresources:\n  - a.yaml\n",
        ),
        (
            "commonLabels",
            "commonLabels: {a: b}\n",
            "labels:\n- includeSelectors: true\n  pairs: {a: b}\n",
        ),
        (
            "commonLabels",
            "labels:\n- pairs: {x: y}\ncommonLabels:\n  a: b",
            "labels:\n- pairs: {x: y}\n- includeSelectors: true\n  pairs:\n    a: b\n",
        ),
    ];

    #[test]
    fn field_has_its_new_form_with_its_comments() {
        let alone = "# top\nbases: # old\n- ../a # one\n# two\n- ../b\nnamePrefix: x-\n";
        let renamed = alone.replace("bases:", "resources:");
        for (field, text, after) in MIGRATED.into_iter().chain([("bases", alone, &*renamed)]) {
            let migrated = migrate_field(text.as_bytes(), field).unwrap();
            assert_eq!(String::from_utf8(migrated).unwrap(), after);
        }
    }

    #[test]
    fn unsupported_field_is_refused_with_the_reason() {
        let chart = "helmChartInflationGenerator";
        for (field, text, reason) in [
            (
                "bases",
                "bases: [ # why\n  a]\n",
                "a comment between the brackets of bases would be lost",
            ),
            (
                "commonLabels",
                "x: &l {a: b}\ncommonLabels: *l\n",
                "commonLabels is written in a style that cannot be rewritten line by line",
            ),
            ("bases", "resources: [b]\n", "no field `bases`"),
            (
                chart,
                &format!("{chart}:\n- chartName: a\n"),
                &format!("kzui cannot write the new form of {chart}"),
            ),
        ] {
            assert_eq!(migrate_field(text.as_bytes(), field).unwrap_err(), reason);
        }
        let json = migrate_field(b"{\"bases\": [\"a\"]}", "bases").unwrap_err();
        assert!(json.starts_with("line 1: "), "{json}");
    }
}
