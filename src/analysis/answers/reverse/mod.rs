//! Edits of files that give a field of a target another value: at the line that writes the field,
//! as an entry of the target's kustomization file, or as a patch there. Only edits with which a
//! build has the value are offered.

mod overlay;
mod search;
mod verify;
mod writer_line;

pub use search::ProposalSearch;
pub use verify::{VerifiedProposal, verify};

use std::path::Path;
use std::sync::Arc;

use crate::answers::Recording;
use crate::answers::provenance::blame::FieldWriter;
use crate::answers::recording::field::WrittenPath;
use crate::draft::FileChange;
use crate::engine::evaluate::StepKind;
use crate::engine::load::Files;
use crate::engine::resource::{PathStep, Slot};
use crate::engine::yaml::{Node, NodeKind, ScalarType, Style, Tag, parse_nodes, resolve_v3};

#[derive(Clone, Debug, PartialEq)]
pub enum WantedValue {
    Set(Node),
    /// One more element at the end of a list.
    Append(Node),
    Remove,
}

#[derive(Clone, Debug)]
pub struct WantedField {
    pub slot: Slot,
    /// Empty for the whole resource.
    pub path: Vec<PathStep>,
    /// The value in the output; `None` if the resource does not have the field.
    pub before: Option<Node>,
    pub wanted: WantedValue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProposalKind {
    WriterLine,
    /// An entry of `images` or `replicas` in the target's kustomization file.
    Entry,
    /// A patch in the target's kustomization file.
    Patch,
}

/// A proposed edit that would give a field its requested value; not verified yet.
#[derive(Clone, Debug)]
pub struct Proposal {
    pub kind: ProposalKind,
    /// The edit in words: `an entry of images: web`.
    pub words: String,
    /// The line of the edit in the unchanged file, from 1.
    pub line: u32,
    pub change: FileChange,
}

pub fn value_from_text(text: &str) -> Result<Node, String> {
    let read = parse_nodes(text.as_bytes());
    let read = read.map_err(|error| {
        format!("the value is not valid YAML: {}", error.cause.without_prefix())
    })?;
    Ok(read.into_iter().next().unwrap_or_else(|| Node::string("")))
}

const IDENTITY_FIELDS: [&[&str]; 4] =
    [&["apiVersion"], &["kind"], &["metadata", "name"], &["metadata", "namespace"]];

/// The field to change, with the wanted value converted to the type of the present value.
pub fn wanted_field(
    recording: &Recording,
    slot: Slot,
    field: &str,
    wanted: WantedValue,
) -> Result<WantedField, String> {
    let refused = |reason: &str| Err(format!("{field} {reason}"));
    let missing = "is not in the resource";
    let written = WrittenPath::parse(field);
    let Some(resource) = recording.output_resource(slot) else { return refused(missing) };
    let path = written.find(&resource.node);
    let path = match (path, &wanted) {
        (Some(path), _) => path,
        (None, WantedValue::Set(_)) => written.find_or_extend(&resource.node),
        (None, _) => return refused(missing),
    };
    let keys: Vec<&str> = path.iter().filter_map(PathStep::key).collect();
    if IDENTITY_FIELDS.iter().any(|identity| *identity == keys) {
        return refused("identifies the resource: references and selectors depend on it");
    }
    let before = node_at(&resource.node, &path).cloned();
    let wanted = match (wanted, &before) {
        (WantedValue::Set(value), Some(before)) => WantedValue::Set(coerce_type(value, before)),
        (WantedValue::Append(_), Some(list)) if list.items().is_none() => {
            return refused("is not a list");
        }
        (wanted, _) => wanted,
    };
    if let (WantedValue::Set(value), Some(before)) = (&wanted, &before)
        && value.same_value(before)
    {
        return refused("has this value already");
    }
    if path.is_empty() && wanted != WantedValue::Remove {
        return Err("a whole resource can only be removed".to_owned());
    }
    let writers = recording.blame(slot, &WrittenPath::from_path(&path));
    let is_reference = |writer: &FieldWriter| {
        let kind = recording.step(writer.step).map(|step| step.kind);
        writer.is_hashed || matches!(kind, Some(StepKind::NameReferences | StepKind::Hash))
    };
    if writers.first().is_some_and(is_reference) {
        return refused("follows the name of another resource");
    }
    Ok(WantedField { slot, path, before, wanted })
}

/// The value in the type of the present value: `3` becomes a text if the present value is a text.
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

/// The proposals for a field, and further ones for use if each of these also changes other fields.
/// Each inner list contains alternatives of one kind, of which the first one that a build verifies
/// is used.
pub fn proposals(
    recording: &Recording,
    field: &WantedField,
    files: &dyn Files,
) -> (Vec<Vec<Proposal>>, Vec<Proposal>) {
    let mut all = vec![writer_line::proposals(recording, field, files)];
    let mut late = Vec::new();
    let file = recording.trace.layers.first().map(|layer| Path::new(&*layer.file));
    if let Some((file, text)) = file.and_then(|file| Some((file, files.read(file).ok()?))) {
        all.extend(overlay::proposals(recording, field, (file, &text), files));
        late = overlay::late_patch_proposals(recording, field, (file, &text));
    }
    all.retain(|alternatives| !alternatives.is_empty());
    (all, late)
}

impl Proposal {
    fn new(kind: ProposalKind, words: String, line: u32, file: &Path, texts: [&[u8]; 2]) -> Self {
        let [base, draft] = texts.map(|text| Some(Arc::from(text)));
        Self { kind, words, line, change: FileChange { path: file.to_owned(), base, draft } }
    }
}

pub(super) fn is_one_line_scalar(node: &Node) -> bool {
    node.kind() == NodeKind::Scalar && !node.text().unwrap_or_default().contains('\n')
}
