//! Edits of files that give a field of a target a certain value: at the line that writes it, as an
//! entry of the overlay, or as a patch there. A build decides which of them do.

mod overlay;
mod verify;
mod winning_line;

pub use verify::{AffectedField, VerifiedProposal, verify};

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::Recording;
use crate::answers::provenance::blame::FieldWriter;
use crate::answers::recording::field::WrittenPath;
use crate::draft::FileChange;
use crate::engine::evaluate::StepKind;
use crate::engine::load::Files;
use crate::engine::resource::{PathStep, Resource, Slot};
use crate::engine::yaml::{Node, NodeKind, ScalarType, Style, Tag, resolve_v3};

/// The wanted content of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum WantedValue {
    Set(Node),
    /// A further element of a list.
    Append(Node),
    Remove,
}

/// A field with its wanted content.
#[derive(Clone, Debug)]
pub struct WantedField {
    pub slot: Slot,
    /// Empty for the whole resource.
    pub path: Vec<PathStep>,
    /// `None` if the resource does not have it.
    pub before: Option<Node>,
    pub wanted: WantedValue,
}

/// Where a proposal writes the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProposalKind {
    /// At the line that writes it now.
    WinningLine,
    /// In an entry of `images` or `replicas` of the target's kustomization file.
    Entry,
    /// In a patch of the target's kustomization file.
    Patch,
}

/// An edit that is not verified.
#[derive(Clone, Debug)]
pub struct Proposal {
    pub kind: ProposalKind,
    /// The edit in words: `an entry of images: web`.
    pub words: String,
    /// 1-based line of the edit in the file before it.
    pub line: u32,
    pub change: FileChange,
}

/// Why a field is not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetRefusal {
    #[error("{0} identifies the resource: references and selectors depend on it")]
    Identity(String),
    #[error("{0} follows the name of another resource")]
    Reference(String),
    #[error("{0} has this value already")]
    NoChange(String),
    #[error("{0} is not in the resource")]
    NoField(String),
    #[error("{0} is not a list")]
    NoList(String),
    #[error("a whole resource can only be removed")]
    WholeResource,
}

/// Fields that identify a resource.
const IDENTITY: [&[&str]; 4] =
    [&["apiVersion"], &["kind"], &["metadata", "name"], &["metadata", "namespace"]];

/// The field of a resource with its wanted value, in the type that it has now.
///
/// # Errors
/// The field is not for such an edit.
pub fn wanted_field(
    recording: &Recording,
    slot: Slot,
    field: &str,
    wanted: WantedValue,
) -> Result<WantedField, SetRefusal> {
    let name = || field.to_owned();
    let written = WrittenPath::parse(field);
    let resource = recording.output_of(slot).ok_or_else(|| SetRefusal::NoField(name()))?;
    let path = written.find(&resource.node);
    let path = match (path, &wanted) {
        (Some(path), _) => path,
        (None, WantedValue::Set(_)) => new_path(&written, resource),
        (None, _) => return Err(SetRefusal::NoField(name())),
    };
    let keys: Vec<&str> = path.iter().filter_map(PathStep::key).collect();
    if IDENTITY.iter().any(|identity| *identity == keys) {
        return Err(SetRefusal::Identity(name()));
    }
    let before = node_at(&resource.node, &path).cloned();
    let wanted = match (wanted, &before) {
        (WantedValue::Set(value), Some(before)) => WantedValue::Set(coerce_type(value, before)),
        (WantedValue::Append(_), Some(list)) if list.items().is_none() => {
            return Err(SetRefusal::NoList(name()));
        }
        (wanted, _) => wanted,
    };
    if let (WantedValue::Set(value), Some(before)) = (&wanted, &before)
        && value.same_value(before)
    {
        return Err(SetRefusal::NoChange(name()));
    }
    if path.is_empty() && wanted != WantedValue::Remove {
        return Err(SetRefusal::WholeResource);
    }
    let writers = recording.blame(slot, &WrittenPath::from_path(&path));
    let is_reference = |writer: &FieldWriter| {
        let kind = recording.step(writer.step).map(|step| step.kind);
        writer.is_hashed || matches!(kind, Some(StepKind::NameReferences | StepKind::Hash))
    };
    if writers.first().is_some_and(is_reference) {
        return Err(SetRefusal::Reference(name()));
    }
    Ok(WantedField { slot, path, before, wanted })
}

/// The path of a field that is not there: the part that is there, then its keys.
fn new_path(written: &WrittenPath, resource: &Resource) -> Vec<PathStep> {
    let parts = written.parts();
    let known = (0..=parts.len())
        .rev()
        .find_map(|count| Some((count, written.beginning(count).find(&resource.node)?)));
    let (count, mut path) = known.unwrap_or_default();
    path.extend(parts.iter().skip(count).map(|part| PathStep::Key(part.as_str().into())));
    path
}

/// A value in the type of the one before: `3` for a text is the text.
fn coerce_type(value: Node, before: &Node) -> Node {
    let is_text = |node: &Node| {
        node.as_scalar().is_some_and(|scalar| {
            scalar.style != Style::Plain
                || scalar.tag == Tag::Str
                || resolve_v3(&scalar.text) == ScalarType::Str
        })
    };
    match value.text() {
        Some(text) if is_text(before) => Node::string(text),
        _ => value,
    }
}

pub(super) fn node_at<'n>(node: &'n Node, path: &[PathStep]) -> Option<&'n Node> {
    crate::answers::recording::field::value_at(node, path).map(|(node, _)| node)
}

/// The proposals for a field, alternatives of one kind together: the first one that a build
/// verifies counts.
pub fn proposals(
    recording: &Recording,
    field: &WantedField,
    files: &dyn Files,
) -> Vec<Vec<Proposal>> {
    let mut all = vec![winning_line::proposals(recording, field, files)];
    if let Some((text, file)) = own_file(recording, files) {
        all.extend(overlay::proposals(recording, field, (&file, &text), files));
    }
    all.retain(|alternatives| !alternatives.is_empty());
    all
}

/// The proposals for a field for which no other one changes only this field in the target.
pub fn late_proposals(
    recording: &Recording,
    field: &WantedField,
    files: &dyn Files,
) -> Vec<Proposal> {
    let own = own_file(recording, files);
    own.map(|(text, file)| overlay::late_patches(recording, field, (&file, &text)))
        .unwrap_or_default()
}

/// The kustomization file of the target, with its text.
fn own_file(recording: &Recording, files: &dyn Files) -> Option<(Arc<[u8]>, PathBuf)> {
    let file = PathBuf::from(&*recording.trace.layers.first()?.file);
    Some((files.read(&file).ok()?, file))
}

impl Proposal {
    fn new(kind: ProposalKind, words: String, line: u32, file: &Path, texts: [&[u8]; 2]) -> Self {
        let [base, draft] = texts.map(|text| Some(Arc::from(text)));
        Self { kind, words, line, change: FileChange { path: file.to_owned(), base, draft } }
    }
}

/// True for a value of one line.
pub(super) fn is_scalar(node: &Node) -> bool {
    node.kind() == NodeKind::Scalar && !node.text().unwrap_or_default().contains('\n')
}
