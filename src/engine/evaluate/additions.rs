//! Relates the additions of a deployment object, active or commented out, to the fields of a
//! kustomization file.

use indexmap::IndexMap;

use crate::manifest::{DeploymentObject, DeploymentObjectKind, KustomizationField, Outline};
use crate::yaml::{Mark, Node, SourceId};

use super::level::ActiveLayer;
use super::step::Step;
use super::{LayerId, StepKind};

/// The name of Flux's substitution of variables, which has no field in a kustomization file.
pub(super) const POST_BUILD: &str = "postBuild";
pub(super) const COMMON_METADATA: &str = "commonMetadata";

/// The items that a kustomization file lists, and the commented-out additions of its object.
#[derive(Debug, Default)]
pub(super) struct Additions {
    own: IndexMap<String, Vec<Mark>>,
    off: Vec<Off>,
    /// The file of the object, and the files of the targets that add to the object.
    sources: Vec<SourceId>,
    pub(super) layer: LayerId,
}

#[derive(Debug)]
struct Off {
    /// The target field in the kustomization file, or the post-build field.
    field: &'static str,
    line: u32,
    /// The first line of the addition; empty if the field itself is commented out.
    text: String,
}

impl Additions {
    pub(super) fn from_object(consumer: &DeploymentObject, bytes: &[u8], layer: LayerId) -> Self {
        let outline = Outline::parse(bytes);
        let own = format!("{}#", consumer.name_in_file());
        let part = consumer.additions().map(|(part, _)| format!("{part}.")).unwrap_or_default();
        let mut off = Vec::new();
        for field in &outline.fields {
            let place = match field.name.split_once('#') {
                None => &*field.name,
                Some(_) => match field.name.strip_prefix(&own) {
                    Some(place) => place,
                    None => continue,
                },
            };
            // Another source of the object has its own additions.
            let Some(name) = place.strip_prefix(&*part) else { continue };
            let Some(field_of_file) = target(consumer, name) else { continue };
            let is_whole = field.disabled && field.entries.is_empty();
            let whole = is_whole.then_some((field.line, ""));
            let entries = field.entries.iter().filter(|entry| entry.disabled);
            let entries = entries
                .map(|entry| (entry.line, entry.text.lines().next().unwrap_or_default().trim()));
            off.extend(whole.into_iter().chain(entries).map(|(line, text)| Off {
                field: field_of_file,
                line,
                text: text.to_owned(),
            }));
        }
        Self { own: IndexMap::new(), off, sources: consumer.sources(), layer }
    }

    pub(super) fn record_list_locations(&mut self, root: &Node) {
        for entry in root.entries() {
            if let (Some(field), Some(items)) = (entry.key.text(), entry.value.items()) {
                self.own.insert(field.to_owned(), items.iter().map(|item| item.mark).collect());
            }
        }
    }

    /// Sets the entry index of a step to the index in the kustomization file itself, without the
    /// entries that the deployment object adds to the list; `None` for an added entry.
    pub(super) fn number_in_file(&self, step: &mut Step) {
        if step.layer == self.layer && step.entry.is_some() {
            let is_added = self.sources.contains(&step.mark.source);
            let items = self.own.get(step.field).filter(|_| !is_added);
            let place = |mark: Mark| (mark.source, mark.line, mark.column);
            let is_it = |item: &Mark| place(*item) == place(step.mark);
            step.entry = items.and_then(|items| items.iter().position(is_it).or(step.entry));
        }
    }

    pub(super) fn commented_out_headings(
        &self,
        level: &ActiveLayer<'_>,
        field: &'static str,
        kind: StepKind,
        name: &str,
    ) -> Vec<Step> {
        let off = self.off.iter().filter(|off| off.field == field);
        let headings = off.map(|off| {
            let source = self.sources.first().copied().unwrap_or(SourceId::NONE);
            let mark = Mark { source, line: off.line, column: 1, ..Mark::default() };
            level.heading(kind, name, off.text.as_str(), mark).in_field(field)
        });
        headings.collect()
    }
}

/// The field of a kustomization file, or the post-build work, to which an addition of a deployment
/// object with this name belongs.
fn target(consumer: &DeploymentObject, name: &str) -> Option<&'static str> {
    let field = match (consumer.kind, name) {
        (DeploymentObjectKind::FluxKustomization, "targetNamespace") => {
            KustomizationField::Namespace
        }
        (DeploymentObjectKind::FluxKustomization, POST_BUILD) => return Some(POST_BUILD),
        (DeploymentObjectKind::FluxKustomization, COMMON_METADATA) => return Some(COMMON_METADATA),
        (DeploymentObjectKind::Application, "commonLabels") if consumer.labels_metadata_only() => {
            KustomizationField::Labels
        }
        (_, name) => *KustomizationField::ALL.iter().find(|field| field.name() == name)?,
    };
    Some(field.name())
}
