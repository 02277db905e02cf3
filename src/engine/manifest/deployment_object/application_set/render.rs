//! Rendering: `fasttemplate` texts, Go templates, and all texts of a tree.

use std::sync::Arc;

use crate::yaml::{MappingEntry, Mark, Node, SourceId, Style, Tag};

use super::super::source_type::is_zero;
use super::go_template::{self, MissingKey, RenderedText, TemplateError};
use super::value::{Param, ParamValue, Params};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// `fasttemplate`: `{{name}}` with a parameter that is a text; all other expressions are left
    /// as written.
    Fast,
    /// `goTemplate: true`
    Go(MissingKey),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Element {
    pub(super) params: Params,
    pub(super) place: Mark,
    pub(super) cluster: ElementCluster,
}

/// The facts about the cluster for which an element is generated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ElementCluster {
    /// No cluster generator takes part.
    #[default]
    None,
    /// The cluster of Argo CD itself, which always exists.
    Local,
    /// Any cluster that the generator selects, in place of all of them: its name, labels and
    /// annotations are not known.
    Any,
    /// A cluster that an element of another generator names; its labels and annotations are not
    /// known.
    Assumed,
}

impl ElementCluster {
    pub(super) fn is_unknown(self) -> bool {
        matches!(self, Self::Any | Self::Assumed)
    }

    pub(super) fn or(self, other: Self) -> Self {
        if self == Self::None || other.is_unknown() && !self.is_unknown() { other } else { self }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct UnknownUse {
    pub(super) path: Vec<String>,
    pub(super) parameter: Arc<str>,
    pub(super) mark: Mark,
}

impl Language {
    pub(super) fn is_go(self) -> bool {
        matches!(self, Self::Go(_))
    }

    pub(super) fn render(
        self,
        template: &str,
        element: &Element,
    ) -> Result<RenderedText, TemplateError> {
        match self {
            Self::Go(missing) => go_template::render(template, &element.params, missing),
            Self::Fast => render_fasttemplate(template, element),
        }
    }

    pub(super) fn render_tree(
        self,
        node: &Node,
        element: &Element,
        unknown: &mut Vec<UnknownUse>,
    ) -> Result<Node, TemplateError> {
        let mut rendered = node.clone();
        self.tree(&mut rendered, element, &mut Vec::new(), unknown)?;
        Ok(rendered)
    }

    fn tree(
        self,
        node: &mut Node,
        element: &Element,
        path: &mut Vec<String>,
        unknown: &mut Vec<UnknownUse>,
    ) -> Result<(), TemplateError> {
        if node.as_scalar().is_some() {
            return self.scalar(node, element, path, unknown);
        }
        for (index, item) in node.items_mut().into_iter().flatten().enumerate() {
            path.push(index.to_string());
            self.tree(item, element, path, unknown)?;
            path.pop();
        }
        let mapping = node.as_mapping_mut();
        for MappingEntry { key, value } in mapping.into_iter().flat_map(|it| it.entries.iter_mut())
        {
            path.push(key.text().unwrap_or_default().to_owned());
            self.scalar(key, element, path, unknown)?;
            self.tree(value, element, path, unknown)?;
            path.pop();
        }
        Ok(())
    }

    fn scalar(
        self,
        node: &mut Node,
        element: &Element,
        path: &[String],
        unknown: &mut Vec<UnknownUse>,
    ) -> Result<(), TemplateError> {
        let Some(text) = node.text().filter(|text| text.contains("{{")) else { return Ok(()) };
        let rendered = self.render(text, element)?;
        if let Some(parameter) = rendered.unknown {
            let path = path.to_vec();
            unknown.push(UnknownUse { path, parameter, mark: node.mark });
        }
        let mark = rendered.mark.unwrap_or(node.mark);
        // A rendered text stays a text, even if it looks like a number or boolean.
        *node = Node::scalar(rendered.text, Tag::Str, Style::DoubleQuoted).marked(mark);
        Ok(())
    }
}

fn render_fasttemplate(template: &str, element: &Element) -> Result<RenderedText, TemplateError> {
    let is_template = template.lines().any(|line| {
        line.find("{{").is_some_and(|at| line.get(at + 2..).is_some_and(|it| it.contains("}}")))
    });
    let mut out = RenderedText::default();
    if !is_template {
        template.clone_into(&mut out.text);
        return Ok(out);
    }
    let mut rest = template;
    while let Some(at) = rest.find("{{") {
        let (before, after) = rest.split_at(at);
        out.text.push_str(before);
        let after = after.get(2..).unwrap_or_default();
        let end = after.find("}}").ok_or("cannot find end tag=\"}}\"")?;
        let tag = after.get(..end).unwrap_or_default();
        rest = after.get(end + 2..).unwrap_or_default();
        match element.parameter(tag.trim()) {
            Some(Param { value: ParamValue::Text(text), mark }) => {
                out.text.push_str(&text);
                let is_known = mark.source != SourceId::NONE;
                out.mark = out.mark.or_else(|| is_known.then_some(mark));
                continue;
            }
            Some(Param { value: ParamValue::Unknown(name), .. }) => {
                out.unknown = out.unknown.take().or(Some(name));
            }
            _ => {}
        }
        out.text.push_str("{{");
        out.text.push_str(tag);
        out.text.push_str("}}");
    }
    out.text.push_str(rest);
    Ok(out)
}

impl Element {
    /// The value of a parameter in `fasttemplate`; `None` for an unknown name.
    fn parameter(&self, name: &str) -> Option<Param> {
        let is_metadata =
            name.starts_with("metadata.labels.") || name.starts_with("metadata.annotations.");
        match self.params.get(name) {
            Some(param) => Some(param.clone()),
            None if self.cluster.is_unknown() && is_metadata => Some(Param::unknown(name)),
            None => None,
        }
    }
}

/// Renders the `values` of a generator and adds them to the element (`appendTemplatedValues`).
pub(super) fn append_values(
    language: Language,
    values: Option<&Node>,
    element: &mut Element,
) -> Result<(), TemplateError> {
    let mut added = Params::new();
    for MappingEntry { key, value } in values.map(Node::entries).unwrap_or_default() {
        let rendered = language.render(value.text().unwrap_or_default(), element)?;
        let mark = rendered.mark.unwrap_or(value.mark);
        let value = match rendered.unknown {
            Some(name) => Param { mark, ..Param::unknown(&name) },
            None => Param::text(rendered.text, mark),
        };
        added.insert(key.text().unwrap_or_default().to_owned(), value);
    }
    if added.is_empty() {
        return Ok(());
    }
    if language.is_go() {
        let mark = values.map(|values| values.mark).unwrap_or_default();
        element.params.insert("values".into(), Param { value: ParamValue::Map(added), mark });
    } else {
        for (key, value) in added {
            element.params.insert(format!("values.{key}"), value);
        }
    }
    Ok(())
}

/// Adds to an object the fields of another object that are absent or zero in it, like
/// `mergo.Merge`.
pub(super) fn merge_missing(into: &mut Node, other: &Node) {
    for MappingEntry { key, value } in other.entries() {
        let Some(name) = key.text() else { continue };
        let Some(mapping) = into.as_mapping_mut() else { return };
        match mapping.get_mut(name) {
            Some(known) if known.as_mapping().is_some() && value.as_mapping().is_some() => {
                merge_missing(known, value);
            }
            Some(known) if !is_zero(known) => {}
            Some(known) => *known = value.clone(),
            None => mapping.push(MappingEntry { key: key.clone(), value: value.clone() }),
        }
    }
}

/// Applies a merge patch, in which the directive `$patch` of strategic merges is allowed; lists are
/// replaced.
pub(in super::super) fn merge_patch(into: &mut Node, patch: &Node) {
    if patch.text_of("$patch") == Some("replace") {
        *into = Node::mapping().marked(patch.mark);
    }
    for MappingEntry { key, value } in patch.entries() {
        let (Some(name), Some(mapping)) = (key.text(), into.as_mapping_mut()) else { continue };
        if name == "$patch" {
            continue;
        }
        if value.is_null() || value.text_of("$patch") == Some("delete") {
            mapping.remove(name);
        } else if value.as_mapping().is_some() {
            if mapping.get(name).is_none_or(|known| known.as_mapping().is_none()) {
                mapping.set(name, Node::mapping().marked(value.mark));
            }
            if let Some(known) = mapping.get_mut(name) {
                merge_patch(known, value);
            }
        } else {
            mapping.set(name, value.clone());
        }
    }
}
