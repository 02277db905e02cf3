//! The places where a build reads the name of a resource.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::lint::faults::custom_references;
use crate::answers::span_at;
use crate::engine::evaluate::{StepKind, Trace};
use crate::engine::resource::{Change, Gvk, Resource, Scope, Slot};
use crate::engine::transform::Transformer;
use crate::engine::yaml::{Mark, MarkOffsets, Node};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) file: PathBuf,
    pub(super) line: u32,
    column: u32,
    pub(super) text: Arc<str>,
}

impl Place {
    /// The place of a node of a build; `None` if the node has no location in a file.
    fn from_node(node: &Node, trace: &Trace) -> Option<Self> {
        let file = trace.sources.path(node.mark.source).filter(|_| node.mark.line > 0)?;
        Self::in_file(Path::new(file), node)
    }

    pub(super) fn in_file(file: &Path, node: &Node) -> Option<Self> {
        let text = node.as_scalar()?.text.clone();
        let Mark { line, column, .. } = node.mark;
        Some(Self { file: file.to_owned(), line, column, text })
    }

    /// True if a byte of the file's text is in the place, or at its end.
    pub(super) fn is_around(&self, text: &str, byte: usize) -> bool {
        let start = TextOfFile { text, offsets: MarkOffsets::new(text) }.byte_at(self);
        // The text may be in quotes.
        start.is_some_and(|start| (start..=start + self.text.len() + 2).contains(&byte))
    }
}

pub(super) struct TextOfFile<'t> {
    text: &'t str,
    offsets: MarkOffsets<'t>,
}

impl<'t> TextOfFile<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Self {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        Self { text, offsets: MarkOffsets::new(text) }
    }

    /// The byte at which a place begins; `None` if the text there is another one, as for a value
    /// that is copied from elsewhere. The columns of a text inside a file may begin at its
    /// indentation.
    pub(super) fn byte_at(&self, place: &Place) -> Option<usize> {
        let mark = Mark { line: place.line, column: place.column, ..Mark::default() };
        let inside = || span_at(self.text, mark).map(|bytes| bytes.start);
        [self.offsets.byte(mark), inside()].into_iter().flatten().find(|byte| {
            let rest = self.text.get(*byte..).unwrap_or_default();
            let rest = rest.strip_prefix(['"', '\'']).unwrap_or(rest);
            rest.starts_with(&*place.text)
        })
    }
}

#[derive(Debug)]
pub(super) struct RenamedResource {
    pub(super) slot: Slot,
    pub(super) declaration: Place,
    /// The names that contain the declared one, in the order of the build, each once.
    pub(super) names: Vec<Arc<str>>,
    /// The namespaces that the resource has in the build, as written.
    pub(super) namespaces: BTreeSet<Arc<str>>,
    states: (Arc<Resource>, Arc<Resource>),
    pub(super) first_step: usize,
    pub(super) places: BTreeSet<Place>,
}

impl RenamedResource {
    pub(super) fn kind(&self) -> &str {
        &self.states.0.id.gvk.kind
    }

    pub(super) fn group(&self) -> &str {
        &self.states.0.id.gvk.group
    }
}

pub(super) fn named_resources(trace: &Trace) -> Vec<RenamedResource> {
    let mut found: BTreeMap<Slot, RenamedResource> = BTreeMap::new();
    for (step, change) in changes(trace, trace.steps.len()) {
        let Some(after) = &change.after else { continue };
        let own = match found.entry(change.slot) {
            std::collections::btree_map::Entry::Occupied(own) => own.into_mut(),
            std::collections::btree_map::Entry::Vacant(new) => {
                let node = after.node.at(&["metadata", "name"]);
                let place = node.and_then(|node| Place::from_node(node, trace));
                let Some(declaration) = place else { continue };
                new.insert(RenamedResource {
                    slot: change.slot,
                    names: vec![declaration.text.clone()],
                    declaration,
                    namespaces: BTreeSet::new(),
                    states: (after.clone(), after.clone()),
                    first_step: step,
                    places: BTreeSet::new(),
                })
            }
        };
        let name = &after.id.name;
        if name.contains(&*own.declaration.text) && !own.names.contains(name) {
            own.names.push(name.clone());
        }
        own.namespaces.insert(after.id.namespace.clone());
        own.states.1 = after.clone();
    }
    found.into_values().collect()
}

fn changes(trace: &Trace, end: usize) -> impl Iterator<Item = (usize, &Change)> {
    let steps = trace.steps.iter().enumerate().take(end);
    steps.flat_map(|(index, step)| step.changes.iter().map(move |change| (index, change)))
}

/// The names in a resource that refer to resources of a type: by Kustomize's table of name
/// references, by the `configurations` of the build, and by the known fields of custom resources.
pub(super) fn referring_names<'r>(
    table: &dyn Transformer,
    referrer: &'r Resource,
    referred: &Gvk,
) -> Vec<&'r Node> {
    let custom = custom_references(referrer).into_iter();
    let custom = custom.filter(|(_, kind, _)| *kind == *referred.kind).map(|(.., name)| name);
    table.referring_names(referrer, referred).into_iter().chain(custom).collect()
}

/// The names in fields of other resources that refer to a resource, before the step that updates
/// references: later steps copy names to other places.
pub(super) fn referring_places(resource: &RenamedResource, trace: &Trace) -> Vec<Place> {
    let is_it = |kind: StepKind| kind == StepKind::NameReferences;
    let Some(end) = trace.steps.iter().rposition(|step| is_it(step.kind)) else {
        return Vec::new();
    };
    let table = trace.steps.get(end).and_then(|step| step.transformer.as_deref());
    let Some(table) = table else { return Vec::new() };
    let gvk = &resource.states.0.id.gvk;
    let is_twin =
        |other: &Resource| other.id.gvk.kind == gvk.kind && resource.names.contains(&other.id.name);
    let slots = changes(trace, end).filter(|(_, change)| change.slot != resource.slot);
    let is_unique = !slots.filter_map(|(_, it)| it.after.as_deref()).any(is_twin);
    let mut found = Vec::new();
    for (_, change) in changes(trace, end) {
        let Some(after) = change.after.as_deref() else { continue };
        let names = referring_names(table, after, gvk).into_iter().filter(|node| {
            node.as_scalar().is_some_and(|scalar| resource.names.contains(&scalar.text))
        });
        // Kustomize looks in the same namespace, and finds a name that only one resource has in
        // others too.
        let own = &resource.states.1.id;
        let is_in_sight = own.scope == Scope::Cluster
            || after.id.scope == Scope::Cluster
            || own.effective_namespace() == after.id.effective_namespace();
        if is_unique || is_in_sight {
            found.extend(names.filter_map(|node| Place::from_node(node, trace)));
        }
    }
    found
}
