//! Edits of a kustomization file in the terms of `kustomize edit`: they change the text in place and
//! keep every other byte.

use super::named_entry::{entry_number, mapping_of, set_named_entry};
use super::scalar_token::replace_scalar;
use crate::engine::manifest::{Outline, OutlineError, ValueChange};
use crate::engine::yaml::{MarkOffsets, Node, Style, Value, parse_nodes, print_preserving_style};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKind {
    /// Labels, also in selectors and pod templates.
    Label,
    /// Labels that are not added to selectors.
    LabelOnly {
        in_templates: bool,
    },
    Annotation,
}

impl PairKind {
    fn noun(self) -> &'static str {
        if self == Self::Annotation { "annotation" } else { "label" }
    }

    fn matches_labels_entry(self, entry: &Node) -> bool {
        let is_on = |key: &str| entry.text_of(key) == Some("true");
        match self {
            Self::Label => is_on("includeSelectors"),
            Self::LabelOnly { in_templates } => {
                !is_on("includeSelectors") && is_on("includeTemplates") == in_templates
            }
            Self::Annotation => false,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct KustomizationText {
    text: Vec<u8>,
    /// Remarks about arguments that leave the text unchanged.
    pub notes: Vec<String>,
}

impl KustomizationText {
    pub fn new(text: &[u8]) -> Self {
        Self { text: text.to_vec(), notes: Vec::new() }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.text
    }

    fn document(&self) -> Node {
        let read = parse_nodes(&self.text);
        let first = read.ok().and_then(|read| read.into_iter().next());
        first.unwrap_or_else(Node::mapping)
    }

    pub fn items(&self, field: &str) -> Vec<Node> {
        self.document().items_of(field).to_vec()
    }

    pub fn set_word(&mut self, field: &str, text: &str) -> Result<(), String> {
        self.set(&[field], Some(Node::string(text)))
    }

    fn set_in_entry(
        &mut self,
        (field, at): (&str, usize),
        path: &[&str],
        value: Option<Node>,
    ) -> Result<(), String> {
        let path = path.iter().map(|key| (*key).to_owned()).collect();
        self.take(Outline::set_values(&self.text, field, at, &[ValueChange { path, value }]))
    }

    fn add(&mut self, field: &str, entry: &Node) -> Result<(), String> {
        let entry = print_preserving_style(entry);
        self.take(Outline::add_entry(&self.text, field, entry.trim_end()))
    }

    fn set(&mut self, path: &[&str], value: Option<Node>) -> Result<(), String> {
        let path = path.iter().map(|key| (*key).to_owned()).collect();
        self.take(Outline::set_field(&self.text, &ValueChange { path, value }))
    }

    fn take(&mut self, edited: Result<Vec<u8>, OutlineError>) -> Result<(), String> {
        self.text = edited?;
        Ok(())
    }

    pub fn entry(&self, field: &str, name: &str) -> Option<Node> {
        self.items(field).into_iter().find(|entry| entry.text_of("name") == Some(name))
    }

    /// Sets values in the entry with this name; adds the entry if it is missing.
    pub fn set_entry(
        &mut self,
        field: &str,
        name: &str,
        values: &[ValueChange],
    ) -> Result<(), String> {
        self.take(set_named_entry(&self.text, field, name, values))
    }

    pub fn add_text(&mut self, field: &str, text: &str) -> Result<(), String> {
        if self.items(field).iter().any(|item| item.text() == Some(text)) {
            self.notes.push(format!("{field} has {text} already"));
            return Ok(());
        }
        self.add(field, &Node::string(text))
    }

    /// Removes the entries of a list that satisfy `is_it`; returns their number.
    pub fn remove_entries(
        &mut self,
        field: &str,
        is_it: impl Fn(&Node) -> bool,
    ) -> Result<usize, String> {
        let mut count = 0;
        while let Some(number) = entry_number(&self.text, field, &is_it) {
            let outline = Outline::parse(&self.text);
            let entries = outline.field(field).into_iter().flat_map(|it| &it.entries).enumerate();
            let mut active = entries.filter(|(_, it)| !it.disabled).map(|(index, _)| index);
            let index = active.nth(number).unwrap_or(usize::MAX);
            let edited = Outline::remove_entry(&self.text, field, index);
            self.text = edited.ok_or_else(|| unclear_style(field))?;
            count += 1;
        }
        Ok(count)
    }

    pub fn add_patch(&mut self, patch: &Node) -> Result<(), String> {
        if self.items("patches").iter().any(|item| is_same_patch(item, patch)) {
            self.notes.push("patches has this entry already".to_owned());
            return Ok(());
        }
        self.add("patches", patch)
    }

    pub fn remove_patch(&mut self, patch: &Node) -> Result<(), String> {
        if self.remove_entries("patches", |item| is_same_patch(item, patch))? == 0 {
            self.notes.push("patches has no such entry".to_owned());
        }
        Ok(())
    }

    /// Sets labels or annotations; without `overwrites`, a key that already has another value is an
    /// error.
    pub fn set_pair(
        &mut self,
        kind: PairKind,
        (key, value): (&str, &str),
        overwrites: bool,
    ) -> Result<(), String> {
        let document = self.document();
        let old = if kind == PairKind::Annotation { "commonAnnotations" } else { "commonLabels" };
        let has_old = document.get(old).is_some_and(|pairs| !pairs.is_null());
        let is_plain = kind == PairKind::Annotation || kind == PairKind::Label && has_old;
        let entry = entry_number(&self.text, "labels", |entry| kind.matches_labels_entry(entry));
        let known = if is_plain {
            document.at(&[old, key])
        } else {
            let entry = entry.and_then(|at| document.get("labels")?.items()?.get(at));
            entry.and_then(|entry| entry.at(&["pairs", key]))
        };
        if known.is_some() && !overwrites {
            let noun = kind.noun();
            return Err(format!("{noun} {key} is in the file already: --force overwrites it"));
        }
        if is_plain {
            return self.set(&[old, key], Some(Node::string(value)));
        }
        match entry {
            Some(at) => {
                self.set_in_entry(("labels", at), &["pairs", key], Some(Node::string(value)))
            }
            None => self.add("labels", &labels_entry(kind, key, value)),
        }
    }

    /// Removes a label or an annotation from every field that sets it.
    pub fn remove_pair(&mut self, kind: PairKind, key: &str) -> Result<(), String> {
        let before = self.text.clone();
        let old = if kind == PairKind::Annotation { "commonAnnotations" } else { "commonLabels" };
        if self.document().at(&[old, key]).is_some() {
            self.set(&[old, key], None)?;
        }
        while kind != PairKind::Annotation
            && let Some(at) =
                entry_number(&self.text, "labels", |it| it.at(&["pairs", key]).is_some())
        {
            let entry = self.items("labels").get(at).cloned().unwrap_or_default();
            let is_last = entry.get("pairs").is_some_and(|pairs| pairs.entries().len() == 1);
            if is_last {
                self.remove_entries("labels", |item| item.same_value(&entry))?;
                continue;
            }
            self.set_in_entry(("labels", at), &["pairs", key], None)?;
        }
        if self.text == before {
            return Err(missing(kind.noun(), key));
        }
        Ok(())
    }

    /// Adds the values of an entry to the generator with its name and namespace; adds the entry if
    /// there is none.
    pub fn add_generator(&mut self, field: &str, entry: &Node) -> Result<(), String> {
        let name = entry.text_of("name").unwrap_or_default();
        let is_it = |it: &Node| is_generator(it, name, entry.text_of("namespace"));
        let Some(at) = entry_number(&self.text, field, is_it) else {
            return self.add(field, entry);
        };
        for part in entry.entries() {
            let (key, value) = (part.key.text().unwrap_or_default(), &part.value);
            if matches!(key, "name" | "namespace") {
                continue;
            }
            for item in value.items().unwrap_or_default().iter().filter_map(Node::text) {
                self.append_to_entry_list(field, at, key, item)?;
            }
            for option in value.entries() {
                let path = [key, option.key.text().unwrap_or_default()];
                self.set_in_entry((field, at), &path, Some(option.value.clone()))?;
            }
            if value.as_scalar().is_some() {
                self.set_in_entry((field, at), &[key], Some(value.clone()))?;
            }
        }
        Ok(())
    }

    pub fn set_literal(
        &mut self,
        field: &str,
        generator: (&str, Option<&str>),
        (key, value): (&str, &str),
    ) -> Result<(), String> {
        let at = self.generator_number(field, generator)?;
        let literals = self.items(field).get(at).and_then(|it| it.get("literals").cloned());
        let literals = literals.as_ref().and_then(Node::items).unwrap_or_default();
        let is_it = |item: &&Node| {
            item.text().and_then(|text| text.split_once('=')).is_some_and(|(own, _)| own == key)
        };
        let literal = literals.iter().find(is_it).ok_or_else(|| missing("literal", key))?;
        let (was, wanted) = (literal.text().unwrap_or_default(), format!("{key}={value}"));
        let edited = replace_scalar(&self.text, literal.mark, was, &Node::string(wanted), true);
        self.text = edited.ok_or_else(|| unclear_style("literals"))?;
        Ok(())
    }

    pub fn move_generator(
        &mut self,
        field: &str,
        generator: (&str, Option<&str>),
        new: &str,
    ) -> Result<(), String> {
        let at = self.generator_number(field, generator)?;
        self.set_in_entry((field, at), &["namespace"], Some(Node::string(new)))
    }

    fn generator_number(
        &self,
        field: &str,
        (name, namespace): (&str, Option<&str>),
    ) -> Result<usize, String> {
        let found = entry_number(&self.text, field, |it| is_generator(it, name, namespace));
        found.ok_or_else(|| missing("generator", name))
    }

    fn append_to_entry_list(
        &mut self,
        field: &str,
        at: usize,
        key: &str,
        text: &str,
    ) -> Result<(), String> {
        let style = || unclear_style(&format!("{key} of {field}"));
        let entry = self.items(field).get(at).cloned().unwrap_or_default();
        let list = entry.get(key).filter(|list| list.items().is_some_and(|it| !it.is_empty()));
        let Some(list) = list else {
            let list = Node::sequence(vec![Node::string(text)]);
            return self.set_in_entry((field, at), &[key], Some(list));
        };
        let items = list.items().unwrap_or_default();
        let last = items.last().ok_or_else(style)?;
        let whole = std::str::from_utf8(&self.text).map_err(|_| style())?;
        let start = MarkOffsets::new(whole).byte(last.mark).ok_or_else(style)?;
        if matches!(&list.value, Value::Sequence(_, Style::Flow)) {
            let all = items.iter().cloned().chain([Node::string(text)]).collect();
            return self.set_in_entry((field, at), &[key], Some(Node::sequence(all)));
        }
        let line = whole[..start].rfind('\n').map_or(0, |end| end + 1);
        let (lead, dash) = (&whole[line..start], whole[line..start].trim_end());
        if !dash.ends_with('-') || last.text().is_none_or(|text| text.contains('\n')) {
            return Err(style());
        }
        let end = whole[start..].find('\n').map_or(whole.len(), |end| start + end + 1);
        let open = if whole[..end].ends_with('\n') { "" } else { "\n" };
        let item = print_preserving_style(&Node::string(text));
        // The first item of an entry may share its line with other dashes.
        let indent: String =
            lead.chars().map(|sign| if sign == '-' { ' ' } else { sign }).collect();
        let column = lead.rfind('-').unwrap_or_default();
        let piece = format!("{open}{}- {}\n", &indent[..column], item.trim_end());
        self.text = [&whole[..end], &piece, &whole[end..]].concat().into_bytes();
        Ok(())
    }
}

fn missing(kind: &str, key: &str) -> String {
    format!("no {kind} {key} in the file")
}

fn unclear_style(subject: &str) -> String {
    format!("{subject} is written in a style that cannot be edited line by line")
}

fn is_same_patch(one: &Node, other: &Node) -> bool {
    let is_same = |key: &str| match (one.get(key), other.get(key)) {
        (None, None) => true,
        (Some(one), Some(other)) if key == "target" => {
            let parts = |node: &Node| {
                let pairs = node.entries().iter();
                let pairs = pairs.map(|it| (it.key.text(), it.value.text()));
                pairs.map(|(key, text)| format!("{key:?}{text:?}")).collect::<Vec<_>>()
            };
            let [mut one, mut other] = [parts(one), parts(other)];
            one.sort_unstable();
            other.sort_unstable();
            one == other
        }
        (Some(one), Some(other)) => {
            one.text().map(str::trim_end) == other.text().map(str::trim_end)
        }
        _ => false,
    };
    ["path", "patch", "target"].into_iter().all(is_same)
}

/// True for the generator with this name and namespace; a missing namespace means `default`.
fn is_generator(entry: &Node, name: &str, namespace: Option<&str>) -> bool {
    let of = |namespace: Option<&str>| {
        namespace.filter(|it| !it.is_empty()).map_or("default".to_owned(), str::to_owned)
    };
    entry.text_of("name") == Some(name) && of(entry.text_of("namespace")) == of(namespace)
}

fn labels_entry(kind: PairKind, key: &str, value: &str) -> Node {
    let included = match kind {
        PairKind::Label => Some("includeSelectors"),
        PairKind::LabelOnly { in_templates: true } => Some("includeTemplates"),
        PairKind::LabelOnly { .. } | PairKind::Annotation => None,
    };
    let included = included.map(|key| (key, Node::plain("true")));
    let pairs = ("pairs", mapping_of([(key, Node::string(value))]));
    mapping_of(included.into_iter().chain([pairs]))
}
