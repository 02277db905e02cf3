//! `vars` in their new form: each use in the builds becomes a target of a replacement. A trial has
//! to show whether the targets build the same afterwards: vars are replaced at the very end, and
//! replacements in their layer.

use std::collections::{BTreeMap, BTreeSet};

use super::apply_fix::{comment, with_entry};
use crate::answers::recording::field::{leaves, value_at};
use crate::draft::mapping_of;
use crate::engine::evaluate::{StepKind, Trace};
use crate::engine::manifest::{Outline, OutlineEntry, OutlineField};
use crate::engine::resource::PathStep;
use crate::engine::yaml::{Node, parse_nodes, print_preserving_style};

struct VarEntry {
    name: String,
    source: Node,
    comments: String,
}

/// The options of a replacement that replaces only a part of a text: delimiter and index.
type DelimiterOptions = (String, usize);

/// The text of a kustomization file with its vars as replacements.
pub(in crate::answers) fn convert_vars(
    text: &[u8],
    uses: &BTreeSet<VarUse>,
) -> Result<Vec<u8>, String> {
    let read = std::str::from_utf8(text).map_err(|error| error.to_string())?;
    let outline = Outline::parse(text);
    let active = |name: &str| outline.field(name).filter(|field| !field.disabled);
    let vars = vars(read, active("vars").ok_or("there are no vars")?)?;
    if vars.is_empty() {
        return Err("`vars` has no entries".to_owned());
    }
    let mut entries: Vec<(usize, String, &str)> = Vec::new();
    for var in &vars {
        let targets = targets(&var.name, uses)?;
        if targets.is_empty() {
            continue;
        }
        // Of two vars in one text, the later one is replaced first: the value of the earlier one
        // may contain the delimiter.
        let last = targets.keys().filter_map(|(_, options)| Some(options.as_ref()?.1)).max();
        let entry = print_preserving_style(&replacement_entry(var, &targets));
        entries.push((last.unwrap_or(0), entry, &var.comments));
    }
    entries.sort_by_key(|(last, ..)| std::cmp::Reverse(*last));
    let unclear = || "`replacements` is written in an unclear style".to_owned();
    let listed = match active("replacements") {
        Some(_) => Outline::with_dashes(read, "replacements").ok_or_else(unclear)?,
        None => read.to_owned(),
    };
    let mut after = listed.into_bytes();
    for (_, entry, comments) in entries {
        after = with_entry(&after, "replacements", (&entry, comments), None)?;
    }
    Outline::remove_field(&after, "vars").ok_or_else(|| "`vars` cannot be removed".to_owned())
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
    let source = texts_node([
        ("group", &given("group", group)),
        ("version", &given("version", version)),
        ("kind", &kind),
        ("name", &given("name", "")),
        ("namespace", &given("namespace", "")),
        ("fieldPath", &dotted_path(&path)),
    ]);
    let head = text.get(entry.head.start..entry.bytes.start.max(entry.head.start));
    let above = head.unwrap_or_default().lines().filter(|line| line.trim_start().starts_with('#'));
    // Comments within the entry come above its replacement.
    let within = text.get(entry.bytes.clone()).unwrap_or_default().lines();
    let comments = above.chain(within).filter_map(comment).collect::<Vec<_>>().join("\n");
    Ok(VarEntry { name, source, comments })
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

fn replacement_entry(var: &VarEntry, targets: &ReplacementTargets) -> Node {
    let mut list = Vec::new();
    for (((group, kind, name), options), paths) in targets {
        let select = texts_node([("group", group), ("kind", kind), ("name", name)]);
        let paths = paths.iter().map(|path| Node::string(path.as_str())).collect();
        let mut target = mapping_of([("select", select), ("fieldPaths", Node::sequence(paths))]);
        if let Some((delimiter, index)) = options {
            let delimiter = ("delimiter", Node::string(delimiter.as_str()));
            let index = ("index", Node::plain(index.to_string()));
            target.set("options", mapping_of([delimiter, index]));
        }
        list.push(target);
    }
    mapping_of([("source", var.source.clone()), ("targets", Node::sequence(list))])
}

fn texts_node<'k>(texts: impl IntoIterator<Item = (&'k str, &'k String)>) -> Node {
    let given = texts.into_iter().filter(|(_, text)| !text.is_empty());
    mapping_of(given.map(|(key, text)| (key, Node::string(text.as_str()))))
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::answers) struct VarUse {
    pub(super) group: String,
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) path: String,
    pub(super) text: String,
}

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

    #[test]
    fn each_use_has_its_delimiter_and_comments_are_kept() {
        let file = "namePrefix: a-\nvars:\n# The server.\n- name: SVC\n  objref:\n    apiVersion: v1\n    kind: Service\n    name: web # it\n\nresources:\n- a.yaml\n";
        let [group, kind, name, path, text] =
            ["apps", "Deployment", "web", "spec.args.0", "/a/$(SVC)/b"].map(str::to_owned);
        let uses = BTreeSet::from([VarUse { group, kind, name, path, text }]);
        let used = String::from_utf8(convert_vars(file.as_bytes(), &uses).unwrap()).unwrap();
        assert!(used.contains("delimiter: /\n      index: 2\n"), "{used}");
        assert!(used.contains("# The server.\n# it\n- source:\n"), "{used}");
    }
}
