//! Maps a line, a resource or a field of an output to its source lines.

use super::{NamedResource, RenderedLocation, ToolFinding};
use crate::answers::provenance::source_map::HopKind;
use crate::answers::report::{
    FilePosition, MapDocument, MapField, MapReport, MapSource, MapStep, ResourceReport,
};

/// A source map with the name of the file that it was read from.
#[derive(Clone, Debug)]
pub struct NamedMap {
    pub name: String,
    pub report: MapReport,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingLocation {
    /// The locations of the value's parts. The location at which the value is to be changed comes
    /// first.
    pub places: Vec<FilePosition>,
    /// The source fields of the value, in words, with their locations.
    pub chain: Vec<(String, FilePosition)>,
    /// The step that wrote the value last, by its id in `kzui trace --json`.
    pub step: Option<String>,
}

/// The result of locating a finding: its location in the sources, or the reason against it, with
/// the location in the output.
pub(super) struct LocatedFinding<'m> {
    pub(super) placed: Result<FindingLocation, String>,
    pub(super) rendered: RenderedLocation,
    document: Option<&'m MapDocument>,
}

impl LocatedFinding<'_> {
    /// The message without the name and the namespace of the resource, which differ between
    /// targets.
    pub(super) fn without_names(&self, message: &str) -> String {
        let Some(document) = self.document else { return message.to_owned() };
        let ResourceReport { name, namespace, .. } = &document.resource;
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_');
        let mut text = String::new();
        for word in message.split_inclusive(|c| !is_part(c)) {
            let end = word.find(|c| !is_part(c)).unwrap_or(word.len());
            let (word, rest) = word.split_at(end);
            let is_name = !word.is_empty() && (word == name || word == namespace);
            text.push_str(if is_name { "?" } else { word });
            text.push_str(rest);
        }
        text
    }
}

/// Searches the maps for a finding. `own` is the index of the map for the report of the finding, if
/// each report has a separate map.
pub(super) fn find<'m>(
    finding: &ToolFinding,
    maps: &'m [NamedMap],
    own: Option<usize>,
) -> LocatedFinding<'m> {
    let map = find_map(finding, maps, own);
    let named = finding.resource.as_ref().map(|named| match &named.kind {
        Some(kind) => format!("{kind}/{}", named.name),
        None => named.name.clone(),
    });
    let mut rendered = RenderedLocation {
        target: map.as_ref().ok().map(|map| map.report.target.clone()),
        file: finding.file.clone(),
        line: finding.line,
        resource: named,
        path: String::new(),
    };
    let found = map.and_then(|map| {
        let number = document_index(finding, &map.report);
        let number = number.ok_or_else(|| no_document_reason(finding))?;
        let document = map.report.documents.get(number);
        Ok((map, number, document.ok_or("the map has no such document")?))
    });
    let (map, number, document) = match found {
        Ok(found) => found,
        Err(why) => return LocatedFinding { placed: Err(why), rendered, document: None },
    };
    let field = find_field(finding, &map.report, number, document);
    let placed = field.and_then(|field| field_location(field, &map.report, document));
    rendered.path = field.map(|field| field.path.clone()).unwrap_or_default();
    rendered.resource = Some(shown(&document.resource));
    let reason = || "the value is created by a step: no file contains it".to_owned();
    LocatedFinding { placed: placed.ok_or_else(reason), rendered, document: Some(document) }
}

fn no_document_reason(finding: &ToolFinding) -> String {
    match (&finding.resource, finding.line) {
        (Some(named), _) => {
            let kind = named.kind.as_deref().unwrap_or("resource");
            format!("the output has no {kind} {}", named.name)
        }
        (None, Some(line)) => format!("the output has no field on line {line}"),
        (None, None) => "the finding has no line and no resource".to_owned(),
    }
}

/// The map of the output that contains the finding. `own` is the index of the map that belongs to
/// the report by order.
fn find_map<'m>(
    finding: &ToolFinding,
    maps: &'m [NamedMap],
    own: Option<usize>,
) -> Result<&'m NamedMap, String> {
    if let [only] = maps {
        return Ok(only);
    }
    if let Some(file) = &finding.file {
        let mut fitting = maps.iter().filter(|map| belongs_to_file(map, file));
        if let (Some(map), None) = (fitting.next(), fitting.next()) {
            return Ok(map);
        }
    }
    if let Some(map) = own.and_then(|own| maps.get(own)) {
        return Ok(map);
    }
    let mut having = maps.iter().filter(|map| find_by_name(finding, &map.report).is_some());
    match (having.next(), having.next(), &finding.file) {
        (Some(map), None, _) => Ok(map),
        (_, _, Some(file)) => Err(format!("no map describes {file}")),
        (_, _, None) => Err("the finding has no file name, and several maps match".to_owned()),
    }
}

/// True if a map describes this file: by the output that it names, or by its own file name.
fn belongs_to_file(map: &NamedMap, file: &str) -> bool {
    let output = map.report.output.as_deref();
    let within = |directory: &str| {
        let files = map.report.documents.iter().filter_map(|document| document.file.as_deref());
        let mut files = files.map(|name| format!("{}/{name}", directory.trim_end_matches('/')));
        files.any(|name| has_common_path_end(&name, file))
    };
    if output.is_some_and(|output| has_common_path_end(output, file) || within(output)) {
        return true;
    }
    let own = last_part(&map.name);
    let own = own.strip_suffix(".json").unwrap_or(own);
    let own = own.strip_suffix(".map").unwrap_or(own);
    let name = last_part(file);
    output.is_none() && (own == name || name.rsplit_once('.').is_some_and(|(stem, _)| stem == own))
}

fn has_common_path_end(one: &str, other: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        let parts = path.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."));
        parts.map(str::to_owned).rev().collect()
    };
    let (one, other) = (parts(one), parts(other));
    !one.is_empty() && !other.is_empty() && one.iter().zip(&other).all(|(a, b)| a == b)
}

fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The index of the document with a finding: by its lines, else by its resource.
fn document_index(finding: &ToolFinding, map: &MapReport) -> Option<usize> {
    let named = find_by_name(finding, map);
    let Some(line) = finding.line else { return named };
    let end = finding.end_line.unwrap_or(line);
    let shared = |document: &MapDocument| {
        let is_here = match (&document.file, &finding.file) {
            (Some(own), Some(file)) => last_part(own) == last_part(file),
            _ => true,
        };
        let (from, to) = (line.max(document.line), end.min(document.end_line));
        if is_here && from <= to { to - from + 1 } else { 0 }
    };
    // If the lines lead to a resource with another name, the name decides: the report is about
    // another text with other lines.
    let best = map.documents.iter().enumerate().max_by_key(|(_, document)| shared(document));
    let by_line = best.filter(|(_, document)| shared(document) > 0);
    match (by_line, named) {
        (Some((number, document)), Some(named)) => {
            let fits =
                finding.resource.as_ref().is_some_and(|it| matches_name(&document.resource, it));
            Some(if fits { number } else { named })
        }
        (Some((number, _)), None) => Some(number),
        (None, named) => named,
    }
}

fn find_by_name(finding: &ToolFinding, map: &MapReport) -> Option<usize> {
    let named = finding.resource.as_ref()?;
    let documents = || map.documents.iter().enumerate();
    let mut fitting = documents().filter(|(_, document)| matches_name(&document.resource, named));
    match (fitting.next(), fitting.next()) {
        (Some((number, _)), None) => Some(number),
        _ => None,
    }
}

/// True if a resource has the name, and the kind, version and namespace if these are given.
fn matches_name(resource: &ResourceReport, named: &NamedResource) -> bool {
    let ResourceReport { api_version, kind, name, namespace } = resource;
    let is_default = |text: &str| text.is_empty() || text == "default";
    named.name == *name
        && named.kind.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(kind))
        && named.api_version.as_ref().is_none_or(|wanted| wanted == api_version)
        && named
            .namespace
            .as_ref()
            .is_none_or(|wanted| wanted == namespace || is_default(wanted) && is_default(namespace))
}

/// The field of a document to which a finding refers, by its paths, else by its lines.
fn find_field<'m>(
    finding: &ToolFinding,
    map: &'m MapReport,
    number: usize,
    document: &MapDocument,
) -> Option<&'m MapField> {
    // The fields are in the order of the documents, so those of one document are consecutive.
    let from = map.fields.partition_point(|field| field.document < number);
    let own = || map.fields[from..].iter().take_while(|field| field.document == number);
    let whole = || own().find(|field| field.pointer.is_empty());
    let mut nearest: Option<(usize, &MapField)> = None;
    for path in &finding.paths {
        let Some((length, field)) = deepest_field(path, own) else { continue };
        // An existing field is more specific than the parent of a missing one.
        if length == path.len() {
            return Some(field);
        }
        if nearest.is_none_or(|(deepest, _)| deepest < length) {
            nearest = Some((length, field));
        }
    }
    if let Some((_, field)) = nearest {
        return Some(field);
    }
    let line = finding.line.filter(|line| (document.line..=document.end_line).contains(line));
    let Some(line) = line else { return whole() };
    let end = finding.end_line.unwrap_or(line);
    if line == document.line && end >= document.end_line {
        return whole();
    }
    let beginning = own().filter(|field| field.line == line);
    // A finding on one line is about the innermost field, a finding on several lines about the
    // outermost field.
    let fitting = beginning.min_by_key(|field| {
        let depth = field.pointer.matches('/').count();
        (field.end_line.abs_diff(end), if end > line { depth } else { usize::MAX - depth })
    });
    fitting.or_else(|| {
        let around = own().filter(|field| (field.line..=field.end_line).contains(&line));
        around.max_by_key(|field| field.pointer.matches('/').count())
    })
}

fn deepest_field<'m, I: Iterator<Item = &'m MapField>>(
    path: &[String],
    own: impl Fn() -> I,
) -> Option<(usize, &'m MapField)> {
    let mut found = None;
    let mut pointer = String::new();
    for (length, part) in (1..).zip(path) {
        let below = format!("{pointer}/{}", part.replace('~', "~0").replace('/', "~1"));
        let is_it = |field: &&MapField| {
            let is_element = || {
                let parent = field.pointer.rsplit_once('/').map(|(parent, _)| parent);
                field.element.as_deref() == Some(part) && parent == Some(&pointer)
            };
            field.pointer == below || part.contains('=') && is_element()
        };
        let Some(field) = own().find(is_it) else { break };
        pointer.clone_from(&field.pointer);
        found = Some((length, field));
    }
    found
}

fn field_location(
    field: &MapField,
    map: &MapReport,
    document: &MapDocument,
) -> Option<FindingLocation> {
    let step = field.step.and_then(|number| map.steps.iter().find(|step| step.number == number));
    let mut places = field.places.clone();
    if places.is_empty() {
        // A value without a location is changed at its step.
        let at = step.and_then(|step: &MapStep| step.at.clone());
        places.extend(at.or_else(|| document.at.clone()));
    }
    let mut chain = Vec::new();
    add_source_chain(&field.from, &mut chain);
    chain.retain(|(_, place)| !places.contains(place));
    (!places.is_empty()).then(|| FindingLocation {
        places,
        chain,
        step: step.map(|step| step.id.clone()),
    })
}

fn add_source_chain(sources: &[MapSource], chain: &mut Vec<(String, FilePosition)>) {
    for source in sources {
        let resource = source.resource.as_ref().map(shown).unwrap_or_default();
        let words = match source.by {
            HopKind::Replacement => {
                format!("a replacement copies {} of {resource}", source.path)
            }
            HopKind::Reference => format!("the value follows {} of {resource}", source.path),
            HopKind::Var => format!("a var copies {} of {resource}", source.path),
            HopKind::Hash => format!("the value ends with a hash of {resource}"),
        };
        for place in &source.places {
            if !chain.iter().any(|(_, known)| known == place) {
                chain.push((words.clone(), place.clone()));
            }
        }
        add_source_chain(&source.from, chain);
    }
}

fn shown(resource: &ResourceReport) -> String {
    format!("{}/{}", resource.kind, resource.name)
}
