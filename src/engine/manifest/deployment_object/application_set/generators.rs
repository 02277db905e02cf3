//! The generators of an `ApplicationSet` and their elements.

use std::path::Path;

use crate::load::{Files, SourceNumbers};
use crate::yaml::{Limits, Mark, Node, SourceId, parse_config};

use super::go_template::{MissingKey, TemplateError, sanitize_name};
use super::render::{Element, ElementCluster, Language, append_values, merge_missing};
use super::selector;
use super::value::{Param, ParamValue, Params};

/// The files and repositories that generators may read.
pub struct GeneratorView<'v> {
    pub files: &'v dyn Files,
    /// The root of the repository.
    pub root: &'v Path,
    pub sources: &'v mut SourceNumbers,
    /// Returns an error with the reason if a URL at a revision is not the checked-out repository.
    pub is_here: &'v dyn Fn(&str, &str) -> Result<(), String>,
}

/// The reason why the elements of a generator are not known, or why Argo CD refuses it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct GeneratorError {
    text: String,
    /// True if the elements exist, but only a running Argo CD knows them.
    pub is_known_in_cluster: bool,
}

impl GeneratorError {
    pub(super) fn in_cluster(text: String) -> Self {
        Self { text, is_known_in_cluster: true }
    }

    fn unknown_parameter(name: &str) -> Self {
        Self::in_cluster(format!(
            "the generator uses parameter {name}, which is known only in the cluster"
        ))
    }
}

impl From<String> for GeneratorError {
    fn from(text: String) -> Self {
        Self { text, is_known_in_cluster: false }
    }
}

impl From<TemplateError> for GeneratorError {
    fn from(error: TemplateError) -> Self {
        match error {
            TemplateError::Unknown(name) => Self::unknown_parameter(&name),
            TemplateError::Message(text) => format!("template: {text}").into(),
        }
    }
}

pub(super) fn invalid<T>(text: impl Into<String>) -> Result<T, GeneratorError> {
    Err(text.into().into())
}

/// The keys of generators in the order in which Argo CD tries them.
const GENERATOR_KINDS: [&str; 9] = [
    "list",
    "clusters",
    "git",
    "scmProvider",
    "clusterDecisionResource",
    "pullRequest",
    "matrix",
    "merge",
    "plugin",
];

const CLUSTER_PARAMETERS: [&str; 4] = ["name", "nameNormalized", "server", "project"];

/// The elements of one generator, with its own template.
pub(super) struct GeneratedElements {
    pub(super) elements: Result<Vec<Element>, GeneratorError>,
    pub(super) template: Node,
    pub(super) mark: Mark,
}

pub(super) struct Generators<'a, 'v> {
    pub(super) view: &'a mut GeneratorView<'v>,
    pub(super) language: Language,
    /// The parts of matrices that are known only in the cluster.
    pub(super) unknown_parts: Vec<(GeneratorError, Mark)>,
}

impl Generators<'_, '_> {
    /// The results of one item of `generators`: one for each generator key in the item.
    pub(super) fn transform(&mut self, item: &Node, base: &Node) -> Vec<GeneratedElements> {
        let mut all = Vec::new();
        for kind in GENERATOR_KINDS {
            let Some(entry) = item.entry(kind).filter(|entry| !entry.value.is_null()) else {
                continue;
            };
            let generator = &entry.value;
            let mut template = generator.get("template").cloned().unwrap_or_else(Node::mapping);
            merge_missing(&mut template, base);
            let elements = self.elements(kind, generator).map(|mut elements| {
                if let Some(selector) = item.get("selector").filter(|it| !it.is_null()) {
                    let all = elements.clone();
                    elements.retain(|element| {
                        selector::matches(selector, element)
                            && !selector::wants_others(selector, element, &all)
                    });
                }
                elements
            });
            all.push(GeneratedElements { elements, template, mark: entry.key.mark });
        }
        all
    }

    fn elements(
        &mut self,
        kind: &'static str,
        generator: &Node,
    ) -> Result<Vec<Element>, GeneratorError> {
        match kind {
            "list" => self.list(generator),
            "clusters" => self.cluster_elements(generator),
            "git" => self.git_elements(generator),
            "matrix" => self.matrix(generator),
            "merge" => self.merge(generator),
            other => Err(GeneratorError::in_cluster(format!(
                "the elements of the generator {other} are known only to a running Argo CD"
            ))),
        }
    }

    /// The elements of a generator in a matrix or merge, which has exactly one kind.
    fn nested_elements(
        &mut self,
        item: &Node,
        element: Option<&Element>,
    ) -> Result<Vec<Element>, GeneratorError> {
        let interpolated = match element {
            Some(element) if !element.params.is_empty() => {
                self.interpolate_generator(item, element)?
            }
            _ => item.clone(),
        };
        let mut generated = self.transform(&interpolated, &Node::mapping());
        match (generated.pop(), generated.is_empty()) {
            (Some(only), true) => only.elements,
            (None, _) => invalid("child generator generated no parameters"),
            (Some(_), false) => invalid("found more than one generator in matrix.Generators"),
        }
    }

    /// A generator with the parameters of another generator inserted. A template in `values` that
    /// uses a missing parameter is left as written.
    fn interpolate_generator(
        &self,
        item: &Node,
        element: &Element,
    ) -> Result<Node, GeneratorError> {
        let mut item = item.clone();
        let mut kept = Vec::new();
        for kind in GENERATOR_KINDS {
            let generator = item.get_mut(kind).and_then(Node::as_mapping_mut);
            let Some(values) = generator.and_then(|generator| generator.remove("values")) else {
                continue;
            };
            kept.push((kind, self.resolved_values(&values, element)?));
        }
        let mut unknown = Vec::new();
        let mut rendered = self.language.render_tree(&item, element, &mut unknown)?;
        if let Some(unknown) = unknown.into_iter().next() {
            return Err(GeneratorError::unknown_parameter(&unknown.parameter));
        }
        for (kind, values) in kept {
            if let Some(generator) = rendered.get_mut(kind).and_then(Node::as_mapping_mut) {
                generator.set("values", values);
            }
        }
        Ok(rendered)
    }

    /// Renders the texts in `values`; a template that uses a missing parameter is left as written.
    fn resolved_values(&self, values: &Node, element: &Element) -> Result<Node, GeneratorError> {
        let language = match self.language {
            Language::Go(_) => Language::Go(MissingKey::Error),
            Language::Fast => Language::Fast,
        };
        let mut resolved = values.clone();
        for entry in resolved.as_mapping_mut().into_iter().flat_map(|it| it.entries.iter_mut()) {
            let text = entry.value.text().unwrap_or_default().to_owned();
            match language.render(&text, element) {
                Err(error) if error.is_missing_key() => {}
                Err(error) => return Err(error.into()),
                Ok(rendered) => {
                    if let Some(name) = rendered.unknown {
                        return Err(GeneratorError::unknown_parameter(&name));
                    }
                    let mark = rendered.mark.unwrap_or(entry.value.mark);
                    entry.value = Node::string(rendered.text).marked(mark);
                }
            }
        }
        Ok(resolved)
    }

    fn list(&mut self, generator: &Node) -> Result<Vec<Element>, GeneratorError> {
        let mut elements = Vec::new();
        for item in generator.items_of("elements") {
            let place = item.entries().first().map_or(item.mark, |entry| entry.key.mark);
            let params = match Param::from_node(item).value {
                ParamValue::Map(params) => params,
                ParamValue::Null => Params::new(),
                _ => return invalid("a list element is not a mapping"),
            };
            let params = if self.language.is_go() { params } else { list_element_texts(params)? };
            elements.push(Element { params, place, ..Element::default() });
        }
        if let Some(yaml) = generator.get("elementsYaml")
            && let Some(text) = yaml.text().filter(|text| !text.is_empty())
        {
            let node = parse_config(text.as_bytes(), SourceId::NONE, Limits::default())
                .map_err(|error| format!("elementsYaml: {error}"))?;
            let mut node = node.unwrap_or_default();
            node.mark_all(yaml.mark);
            for item in node.items().unwrap_or_default() {
                let ParamValue::Map(params) = Param::from_node(item).value else {
                    return invalid("an element of elementsYaml is not a mapping");
                };
                elements.push(Element { params, place: yaml.mark, ..Element::default() });
            }
        }
        Ok(elements)
    }

    /// The elements of a cluster generator: one with unknown parameters, in place of every cluster
    /// that the selector selects, and without a selector also one for the local cluster.
    fn cluster_elements(&mut self, generator: &Node) -> Result<Vec<Element>, GeneratorError> {
        let mut elements = Vec::new();
        let place = generator.mark;
        if !selects(generator) {
            let values = ["in-cluster", "in-cluster", "https://kubernetes.default.svc", ""];
            let pairs = CLUSTER_PARAMETERS.iter().zip(values);
            let params = pairs.map(|(name, value)| ((*name).to_owned(), Param::text(value, place)));
            let params = params.collect();
            elements.push(Element { params, place, cluster: ElementCluster::Local });
        }
        let names = CLUSTER_PARAMETERS.iter().copied();
        let names = names.chain(self.language.is_go().then_some("metadata"));
        let params = names.map(|name| (name.to_owned(), Param::unknown(name))).collect();
        elements.push(Element { params, place, cluster: ElementCluster::Any });
        for element in &mut elements {
            append_values(self.language, generator.get("values"), element)?;
        }
        if generator.text_of("flatList") == Some("true") {
            let params = Params::from_iter([("clusters".to_owned(), Param::unknown("clusters"))]);
            return Ok(vec![Element { params, place, cluster: ElementCluster::Any }]);
        }
        Ok(elements)
    }

    fn matrix(&mut self, generator: &Node) -> Result<Vec<Element>, GeneratorError> {
        let items = generator.items_of("generators");
        let (first, second) = match items {
            [first, second] => (first, second),
            [] | [_] => return invalid("found less than two generators, Matrix support only two"),
            _ => return invalid("found more than two generators, Matrix support only two"),
        };
        let mut elements = Vec::new();
        let firsts = self.nested_elements(first, None)?;
        let has_local = firsts.iter().any(|one| one.cluster == ElementCluster::Local);
        for one in firsts {
            let others = match self.nested_elements(second, Some(&one)) {
                // Only the elements for other clusters are not known: the elements for the local
                // cluster are kept.
                Err(error)
                    if error.is_known_in_cluster && has_local && one.cluster.is_unknown() =>
                {
                    self.unknown_parts.push((error, second.mark));
                    continue;
                }
                others => others?,
            };
            for other in others {
                let place =
                    if one.cluster == ElementCluster::None { one.place } else { other.place };
                let cluster = one.cluster.or(other.cluster);
                let params = if self.language.is_go() {
                    let mut params = other.params;
                    override_params(&mut params, one.params.clone());
                    params
                } else {
                    combine_string_params(&one.params, &other.params)?
                };
                elements.push(Element { params, place, cluster });
            }
        }
        Ok(elements)
    }

    fn merge(&mut self, generator: &Node) -> Result<Vec<Element>, GeneratorError> {
        let items = generator.items_of("generators");
        if items.len() < 2 {
            return invalid("found less than two generators, Merge requires two or more");
        }
        let keys = generator.items_of("mergeKeys");
        let keys: Vec<&str> = keys.iter().filter_map(Node::text).collect();
        if keys.is_empty() {
            return invalid("no merge keys were specified, Merge requires at least one");
        }
        let mut sets = Vec::new();
        for item in items {
            sets.push((self.nested_elements(item, None)?, item));
        }
        for (elements, _) in &sets {
            check_unique(&keys, elements)?;
        }
        let mut sets = sets.into_iter();
        let mut bases = sets.next().map(|(elements, _)| elements).unwrap_or_default();
        let others: Vec<(Vec<Element>, &Node)> = sets.collect();
        assume_clusters(&keys, &mut bases, &others);
        for (elements, item) in &others {
            let selects = item.get("clusters").is_some_and(selects);
            for element in elements {
                let any = has_unknown_key_value(&keys, element);
                for base in &mut bases {
                    let fits = any || key_of(&keys, base) == key_of(&keys, element);
                    let of_any_base = !any && has_unknown_key_value(&keys, base);
                    if !fits || of_any_base {
                        continue;
                    }
                    let mut params = element.params.clone();
                    if any {
                        params.retain(|name, _| !keys.contains(&name.as_str()));
                        params.retain(|name, param| {
                            !matches!(param.value, ParamValue::Unknown(_))
                                || !base.params.contains_key(name)
                        });
                        if selects {
                            replace_with_unknown(&mut params);
                        }
                        base.cluster = base.cluster.or(element.cluster);
                    }
                    if self.language.is_go() {
                        override_params(&mut base.params, params);
                    } else {
                        base.params.extend(params);
                    }
                }
            }
        }
        Ok(bases)
    }
}

/// True if a cluster generator selects clusters; Argo CD then leaves out the local cluster.
fn selects(generator: &Node) -> bool {
    ["matchLabels", "matchExpressions"].iter().any(|field| {
        let found = generator.at(&["selector", field]);
        found.is_some_and(|it| !it.is_null() && !it.is_empty_collection())
    })
}

/// For a merge whose first generator is `clusters`: assumes that a cluster exists for each element
/// of another generator that has all merge keys, and adds the element merged with that cluster.
fn assume_clusters(keys: &[&str], bases: &mut Vec<Element>, others: &[(Vec<Element>, &Node)]) {
    let Some(any) = bases.iter().find(|base| has_unknown_key_value(keys, base)).cloned() else {
        return;
    };
    let named = others.iter().flat_map(|(elements, _)| elements);
    for element in named.filter(|element| !has_unknown_key_value(keys, element)) {
        let values: Option<Vec<&Param>> = keys.iter().map(|key| element.params.get(*key)).collect();
        let Some(values) = values else { continue };
        if bases.iter().any(|base| key_of(keys, base) == key_of(keys, element)) {
            continue;
        }
        let cluster = ElementCluster::Assumed;
        let mut base = Element { place: element.place, cluster, ..any.clone() };
        for (key, value) in keys.iter().zip(values) {
            base.params.insert((*key).to_owned(), value.clone());
            if let ("name", ParamValue::Text(name)) = (*key, &value.value) {
                let normalized = Param::text(sanitize_name(name), value.mark);
                base.params.insert("nameNormalized".into(), normalized);
            }
        }
        bases.push(base);
    }
}

/// The parameters of a list element without a Go template: all values must be texts, and `values`
/// must be a mapping of texts.
fn list_element_texts(params: Params) -> Result<Params, GeneratorError> {
    let mut texts = Params::new();
    let no_text = "error parsing value as string";
    for (key, param) in params {
        match param.value {
            ParamValue::Text(_) if key != "values" => drop(texts.insert(key, param)),
            ParamValue::Map(values) if key == "values" => {
                for (key, value) in values {
                    if !matches!(value.value, ParamValue::Text(_)) {
                        return invalid(no_text);
                    }
                    texts.insert(format!("values.{key}"), value);
                }
            }
            _ if key == "values" => return invalid("error parsing values map"),
            _ => return invalid(no_text),
        }
    }
    Ok(texts)
}

/// Merges two sets of parameters as texts, as Argo CD's `CombineStringMaps`.
fn combine_string_params(one: &Params, other: &Params) -> Result<Params, GeneratorError> {
    let as_text = |param: &Param| match &param.value {
        ParamValue::Unknown(_) | ParamValue::Text(_) => param.clone(),
        value => Param::text(value.printed(), param.mark),
    };
    let mut all: Params = one.iter().map(|(key, param)| (key.clone(), as_text(param))).collect();
    for (key, param) in other {
        let param = as_text(param);
        if let Some(known) = all.get(key).filter(|known| known.value != param.value) {
            let (a, b) = (known.value.printed(), param.value.printed());
            return invalid(format!(
                "found duplicate key {key} with different value, a: {a} ,b: {b}"
            ));
        }
        all.insert(key.clone(), param);
    }
    Ok(all)
}

/// Sets parameters over existing ones, like `mergo.Merge` with override: mappings are merged, all
/// other values are replaced.
fn override_params(into: &mut Params, other: Params) {
    for (key, param) in other {
        match (into.get_mut(&key).map(|known| &mut known.value), param.value) {
            (Some(ParamValue::Map(known)), ParamValue::Map(new)) if !known.is_empty() => {
                override_params(known, new);
            }
            (_, value) => drop(into.insert(key, Param { value, mark: param.mark })),
        }
    }
}

fn has_unknown_key_value(keys: &[&str], element: &Element) -> bool {
    keys.iter().any(|key| {
        element.params.get(*key).is_some_and(|param| matches!(param.value, ParamValue::Unknown(_)))
    })
}

fn key_of<'e>(keys: &[&str], element: &'e Element) -> Vec<Option<&'e ParamValue>> {
    keys.iter().map(|key| element.params.get(*key).map(|param| &param.value)).collect()
}

fn check_unique(keys: &[&str], elements: &[Element]) -> Result<(), GeneratorError> {
    for (at, element) in
        elements.iter().enumerate().filter(|(_, it)| !has_unknown_key_value(keys, it))
    {
        let key = key_of(keys, element);
        if elements.iter().take(at).any(|other| key_of(keys, other) == key) {
            return invalid(
                "the parameters from a generator were not unique by the given mergeKeys, \
                 Merge requires all param sets to be unique",
            );
        }
    }
    Ok(())
}

/// Replaces all values by unknown ones, because the element may belong to another cluster than the
/// selected one.
fn replace_with_unknown(params: &mut Params) {
    for (name, param) in params {
        match &mut param.value {
            ParamValue::Map(inner) => replace_with_unknown(inner),
            value => *value = ParamValue::Unknown(name.as_str().into()),
        }
    }
}
