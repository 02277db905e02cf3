//! `vars` in their new form: each use in the builds becomes a target of a replacement. A trial has
//! to show whether the targets build the same afterwards: vars are replaced at the very end, and
//! replacements in their layer.

use std::collections::{BTreeMap, BTreeSet};

use super::migrate_field::with_block_list;
use crate::answers::recording::field::{leaves, value_at};
use crate::engine::evaluate::{StepKind, Trace};
use crate::engine::manifest::{ListForm, Outline, OutlineEntry, OutlineField};
use crate::engine::resource::PathStep;
use crate::engine::yaml::{Node, parse_nodes, print_preserving_style};

struct VarEntry {
    name: String,
    source: Vec<(&'static str, String)>,
    comments: String,
}

/// The options of a replacement that replaces only a part of a text: delimiter and index.
type DelimiterOptions = (String, usize);

/// The text of a kustomization file with its vars as replacements.
///
/// # Errors
/// The vars cannot be written as replacements, with the reason.
pub(in crate::answers) fn convert_vars(
    text: &[u8],
    uses: &BTreeSet<VarUse>,
) -> Result<Vec<u8>, String> {
    let read = std::str::from_utf8(text).map_err(|error| error.to_string())?;
    let mut listed = read.to_owned();
    for name in ["vars", "replacements"] {
        let is_there = Outline::parse(listed.as_bytes()).field(name).is_some_and(|it| !it.disabled);
        if is_there {
            let dashes = with_block_list(&listed, name);
            listed = dashes.ok_or_else(|| format!("`{name}` is written in an unclear style"))?;
        }
    }
    let (text, read) = (listed.as_bytes(), listed.as_str());
    let outline = Outline::parse(text);
    let field = outline.field("vars").filter(|field| !field.disabled).ok_or("there are no vars")?;
    let ListForm::Block(own) = field.form else {
        return Err("`vars` has no entries".to_owned());
    };
    let vars = vars(read, field)?;
    let target = outline.field("replacements").filter(|target| !target.disabled);
    let column = match target.map(|target| &target.form) {
        Some(ListForm::Block(column)) => *column,
        _ => own,
    };
    let mut pieces: Vec<(usize, String)> = Vec::new();
    for var in &vars {
        let targets = targets(&var.name, uses)?;
        if targets.is_empty() {
            continue;
        }
        // Of two vars in one text, the later one is replaced first: the value of the earlier one
        // may contain the delimiter.
        let last = targets.keys().filter_map(|(_, options)| Some(options.as_ref()?.1)).max();
        pieces.push((last.unwrap_or(0), replacement_entry_text(var, &targets, column)));
    }
    pieces.sort_by_key(|(last, _)| std::cmp::Reverse(*last));
    let piece: String = pieces.into_iter().map(|(_, piece)| piece).collect();
    let after = replace_vars_field(read, field, target, &piece)
        .ok_or("no location found for the replacements")?;
    let made = Outline::parse(after.as_bytes());
    if made.problem.is_some() || made.field("vars").is_some() {
        return Err("the lines of the single vars cannot be separated".to_owned());
    }
    Ok(after.into_bytes())
}

fn replace_vars_field(
    text: &str,
    field: &OutlineField,
    target: Option<&OutlineField>,
    piece: &str,
) -> Option<String> {
    let gone = field.bytes.clone();
    // Blank lines after the field are kept.
    let own = text.get(gone.clone())?;
    let blank = own.trim_end().len();
    let tail = own.get(blank..)?;
    let tail = tail.strip_prefix("\r\n").or_else(|| tail.strip_prefix('\n')).unwrap_or(tail);
    let (before, behind) = (text.get(..gone.start)?, text.get(gone.end..)?);
    let Some(target) = target else {
        let head = if piece.is_empty() { "" } else { "replacements:\n" };
        return Some([before, head, piece, tail, behind].concat());
    };
    let key = text.get(target.bytes.clone())?.find('\n').map_or(target.bytes.len(), |at| at + 1);
    let at = target.entries.last().map_or(target.bytes.start + key, |entry| entry.bytes.end);
    let piece =
        if text.get(..at)?.ends_with('\n') { piece.to_owned() } else { format!("\n{piece}") };
    Some(if gone.start < at {
        [before, text.get(gone.end..at)?, &piece, text.get(at..)?].concat()
    } else {
        [text.get(..at)?, &piece, text.get(at..gone.start)?, behind].concat()
    })
}

fn vars(text: &str, field: &OutlineField) -> Result<Vec<VarEntry>, String> {
    let unread = || "the entries of `vars` cannot be read".to_owned();
    let file = parse_nodes(text.as_bytes());
    let file = file.map_err(|_| unread())?;
    let root = file.first().ok_or_else(unread)?;
    let nodes = root.get("vars").and_then(Node::items).ok_or_else(unread)?;
    if field.entries.iter().any(|entry| entry.disabled) {
        return Err("one of the vars is commented out".to_owned());
    }
    if nodes.len() != field.entries.len() {
        return Err(unread());
    }
    nodes.iter().zip(&field.entries).map(|(node, entry)| parse_var(text, node, entry)).collect()
}

/// Converts an entry of `vars`; an error if it has no replacement.
fn parse_var(text: &str, node: &Node, entry: &OutlineEntry) -> Result<VarEntry, String> {
    let word = |node: &Node, key: &str| node.text_of(key).map(str::to_owned);
    let name = word(node, "name").ok_or("a var has no name")?;
    let object = node.get("objref").ok_or_else(|| format!("{name} has no objref"))?;
    let api_version = word(object, "apiVersion").unwrap_or_default();
    let (group, version) = api_version.split_once('/').unwrap_or(("", &api_version));
    let given = |key: &str, other: &str| word(object, key).unwrap_or_else(|| other.to_owned());
    let kind = word(object, "kind").ok_or_else(|| format!("the objref of {name} has no kind"))?;
    let path = node.get("fieldref").and_then(|field| {
        let path = field.get("fieldpath").or_else(|| field.get("fieldPath"))?;
        path.text().map(str::to_owned)
    });
    let path = path.unwrap_or_else(|| "metadata.name".to_owned());
    let source = [
        ("group", given("group", group)),
        ("version", given("version", version)),
        ("kind", kind),
        ("name", given("name", "")),
        ("namespace", given("namespace", "")),
        ("fieldPath", dotted_path(&path)),
    ];
    let head = text.get(entry.head.start..entry.bytes.start.max(entry.head.start));
    let above = head.unwrap_or_default().lines().filter(|line| line.trim_start().starts_with('#'));
    // Comments within the entry come above its replacement.
    let within = text.get(entry.bytes.clone()).unwrap_or_default().lines();
    let comments = above.chain(within).filter_map(comment).collect::<Vec<_>>().join("\n");
    let source = source.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    Ok(VarEntry { name, source, comments })
}

pub(super) fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.starts_with('#') {
        return Some(line);
    }
    line.find(" #").and_then(|at| line.get(at + 1..))
}

/// A path in the form of `replacements`: `spec.ports[0].port` becomes `spec.ports.0.port`, and
/// `metadata.annotations[a.b/c]` becomes `metadata.annotations.a\.b/c`.
fn dotted_path(path: &str) -> String {
    let mut out = String::new();
    let mut within = false;
    for c in path.chars() {
        match c {
            '[' => {
                within = true;
                out.push('.');
            }
            ']' => within = false,
            '.' if within => out.push_str("\\."),
            c => out.push(c),
        }
    }
    out
}

/// The paths to replace, by the group, kind and name of the selected resource, and by the replaced
/// part of the text.
type ReplacementTargets =
    BTreeMap<((String, String, String), Option<DelimiterOptions>), Vec<String>>;

fn targets(var: &str, uses: &BTreeSet<VarUse>) -> Result<ReplacementTargets, String> {
    let word = format!("$({var})");
    let mut targets = ReplacementTargets::new();
    for found in uses.iter().filter(|found| found.text.contains(&word)) {
        let select = (found.group.clone(), found.kind.clone(), found.name.clone());
        let mut add = |options: Option<DelimiterOptions>| {
            targets.entry((select.clone(), options)).or_default().push(found.path.clone());
        };
        if found.text == word {
            add(None);
            continue;
        }
        for options in delimiter_options(&found.text, &word).ok_or_else(|| {
            let (kind, name) = (&found.kind, &found.name);
            let is_shown = found.text.len() <= MAX_SHOWN_TEXT_BYTES && kind != "Secret";
            let text = if is_shown { format!("{:?}", found.text) } else { found.path.clone() };
            format!("{word} is in {text} of {kind}/{name}, and no delimiter separates it")
        })? {
            add(Some(options));
        }
    }
    Ok(targets)
}

/// The limit on the length of a text that a message shows; a secret text is never shown.
const MAX_SHOWN_TEXT_BYTES: usize = 80;

const MAX_DELIMITER_CHARS: usize = 12;

/// The options of replacements that isolate each occurrence of the word in the text: one delimiter,
/// with the index of each occurrence between delimiters. `None` without such a delimiter.
fn delimiter_options(text: &str, word: &str) -> Option<Vec<DelimiterOptions>> {
    let at = text.find(word)?;
    let (before, after) = (&text[..at], &text[at + word.len()..]);
    let ends = |size: usize| before.char_indices().rev().nth(size - 1).map(|(at, _)| &before[at..]);
    let begins = |size: usize| {
        let end = after.char_indices().nth(size).map_or(after.len(), |(at, _)| at);
        (after.chars().count() >= size).then(|| &after[..end])
    };
    let candidates =
        (1..=MAX_DELIMITER_CHARS).filter_map(|size| match (before.is_empty(), after.is_empty()) {
            (true, _) => begins(size),
            (_, true) => ends(size),
            _ => ends(size).filter(|text| begins(size) == Some(text)),
        });
    let count = text.matches(word).count();
    for delimiter in candidates.filter(|delimiter| !delimiter.contains("$(")) {
        let alone = text.split(delimiter).enumerate().filter(|(_, part)| *part == word);
        let found: Vec<usize> = alone.map(|(index, _)| index).collect();
        if found.len() == count {
            return Some(found.into_iter().map(|index| (delimiter.to_owned(), index)).collect());
        }
    }
    None
}

fn replacement_entry_text(var: &VarEntry, targets: &ReplacementTargets, column: usize) -> String {
    let (dash, inside) = (" ".repeat(column), " ".repeat(column + 2));
    let mut out = String::new();
    for line in var.comments.lines() {
        out.push_str(&format!("{dash}{line}\n"));
    }
    out.push_str(&format!("{dash}- source:\n"));
    for (key, value) in &var.source {
        out.push_str(&format!("{inside}  {key}: {}\n", yaml_scalar(value)));
    }
    out.push_str(&format!("{inside}targets:\n"));
    for (((group, kind, name), options), paths) in targets {
        out.push_str(&format!("{inside}- select:\n"));
        for (key, value) in [("group", group), ("kind", kind), ("name", name)] {
            if !value.is_empty() {
                out.push_str(&format!("{inside}    {key}: {}\n", yaml_scalar(value)));
            }
        }
        out.push_str(&format!("{inside}  fieldPaths:\n"));
        for path in paths {
            out.push_str(&format!("{inside}  - {}\n", yaml_scalar(path)));
        }
        if let Some((delimiter, index)) = options {
            let delimiter = format!("'{}'", delimiter.replace('\'', "''"));
            out.push_str(&format!("{inside}  options:\n{inside}    delimiter: {delimiter}\n"));
            out.push_str(&format!("{inside}    index: {index}\n"));
        }
    }
    out
}

fn yaml_scalar(text: &str) -> String {
    print_preserving_style(&Node::string(text)).trim_end().to_owned()
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::answers) struct VarUse {
    pub(super) group: String,
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) path: String,
    pub(super) text: String,
}

/// The texts in which a build replaced vars.
pub(in crate::answers) fn uses(trace: &Trace) -> BTreeSet<VarUse> {
    let steps = trace.steps.iter().filter(|step| step.kind == StepKind::ReplaceVars);
    let mut found = BTreeSet::new();
    for change in steps.flat_map(|step| &step.changes) {
        let (Some(before), Some(after)) = (&change.before, &change.after) else { continue };
        for (path, leaf, _) in leaves(&before.node) {
            let Some(text) = leaf.text().filter(|text| text.contains("$(")) else { continue };
            if value_at(&after.node, &path).and_then(|(node, _)| node.text()) == Some(text) {
                continue;
            }
            let Some(path) = field_path(&before.node, &path) else { continue };
            let first = before.names.previous().first();
            let name = first.map_or(&before.id.name, |previous| &previous.name).to_string();
            let (group, kind) = (before.id.gvk.group.to_string(), before.id.gvk.kind.to_string());
            found.insert(VarUse { group, kind, name, path, text: text.to_owned() });
        }
    }
    found
}

/// A path in the form of `fieldPaths`: `spec.template.spec.containers.[name=web].args.0`
fn field_path(root: &Node, path: &[PathStep]) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut node = root;
    for step in path {
        match step {
            PathStep::Key(key) => {
                parts.push(key.replace('\\', "\\\\").replace('.', "\\."));
                node = node.get(key)?;
            }
            PathStep::Index(index) => {
                let items = node.items()?;
                let item = items.get(*index)?;
                let name = item.text_of("name");
                let same = |other: &&Node| other.text_of("name") == name;
                let is_plain = |name: &&str| {
                    !name.is_empty()
                        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
                };
                parts.push(match name.filter(is_plain) {
                    Some(name) if items.iter().filter(same).count() == 1 => {
                        format!("[name={name}]")
                    }
                    _ => index.to_string(),
                });
                node = item;
            }
        }
    }
    Some(parts.join("."))
}

#[cfg(test)]
mod tests {
    use crate::answers::fix::vars::*;

    /// The file after the migration of a var that a text uses.
    fn migrate_vars(file: &str, text: &str) -> String {
        let [group, kind, name, path, text] =
            ["apps", "Deployment", "web", "spec.args.0", text].map(str::to_owned);
        let uses = BTreeSet::from([VarUse { group, kind, name, path, text }]);
        String::from_utf8(convert_vars(file.as_bytes(), &uses).unwrap()).unwrap()
    }

    const VARS: &str = "namePrefix: a-\nvars:\n# The server.\n- name: SVC\n  objref:\n    apiVersion: v1\n    kind: Service\n    name: web\n\nresources:\n- a.yaml\n";

    #[test]
    fn each_use_has_its_delimiter_and_comments_are_kept() {
        let comment = VARS.replace("name: web\n", "name: web # it\n");
        let used = migrate_vars(&comment, "/a/$(SVC)/b");
        assert!(used.contains("delimiter: '/'\n      index: 2\n"), "{used}");
        assert!(used.contains("# The server.\n# it\n- source:\n"), "{used}");
    }
}
