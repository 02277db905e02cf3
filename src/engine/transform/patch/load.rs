//! Loading patches from the configuration, with Kustomize's checks.

use std::sync::Arc;

use crate::diagnostic::{FailedOperation, Fault, Hint, JsonPatchFault, PatchFault};
use crate::load::{LoadError, Root, SourceNumbers};
use crate::manifest::{Marked, Patch, PatchOptions};
use crate::profile::{Profile, Switch};
use crate::resource::{
    NotAResourceCause, Resource, Scopes, TextOffset, read_resources, shift_marks,
};
use crate::transform::JsonPatch;
use crate::yaml::{Limits, Mark, Node, SourceId, parse_documents};

use super::{Body, PatchField, PatchSelector, PatchTransformer, TransformError};

/// The text of a patch and its source.
#[derive(Clone, Debug)]
pub struct PatchText {
    pub bytes: Arc<[u8]>,
    /// The file with the text: the patch file, or the kustomization file for an inline patch.
    pub source: SourceId,
    /// The position of an inline patch in the kustomization file.
    pub offset: TextOffset,
    /// The path, or empty for an inline patch.
    pub path: String,
}

impl PatchText {
    /// Kustomize's name of the patch in messages: `[path: "…"]` or `[patch: "…"]`.
    pub fn label(&self) -> String {
        if self.path.is_empty() {
            format!("[patch: {:?}]", String::from_utf8_lossy(&self.bytes).trim())
        } else {
            format!("[path: {:?}]", self.path)
        }
    }

    /// The full text, by which Kustomize before 5.2 names the patch in messages.
    pub fn whole(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        if self.path.is_empty() { text.trim().to_owned() } else { text.into_owned() }
    }

    /// The text as Kustomize parses it (an inline one is trimmed), and its position.
    fn trimmed(&self) -> (&[u8], TextOffset) {
        if !self.path.is_empty() {
            return (&self.bytes, self.offset);
        }
        let start = self.bytes.len() - self.bytes.trim_ascii_start().len();
        let skipped = self.bytes[..start].split(|byte| *byte == b'\n').count() - 1;
        let skipped = u32::try_from(skipped).unwrap_or(u32::MAX);
        let lines = self.offset.lines.saturating_add(skipped);
        (self.bytes.trim_ascii(), TextOffset { lines, ..self.offset })
    }

    /// A text, [trimmed](Self::trimmed) or not, as resources: each has a kind and a name, lists
    /// are expanded.
    ///
    /// # Errors
    /// YAML errors, `missing kind in object …`, `missing metadata.name in object …`.
    fn resources(
        &self,
        (text, offset): (&[u8], TextOffset),
        scopes: &Scopes,
    ) -> Result<Vec<Resource>, Fault> {
        let mut parsed = parse_documents(text, self.source, Limits::default())?;
        for document in &mut parsed.documents {
            shift_marks(&mut document.node, offset);
        }
        read_resources(&parsed, scopes).map_err(Fault::from)
    }
}

impl PatchTransformer {
    /// Creates the transformer of an entry of `patches`; a `path` is read below `root`.
    ///
    /// # Errors
    /// Kustomize's configuration errors of section 4.8, without their wrapping.
    pub fn load(
        config: &Marked<Patch>,
        root: &Root,
        sources: &mut SourceNumbers,
    ) -> Result<Self, TransformError> {
        let (patch, mark) = (&config.value, config.mark);
        let refusal = match (patch.patch.trim().is_empty(), patch.path.is_empty()) {
            (true, true) => Some((
                PatchFault::NeitherTextNorPath,
                "write `path:` with the name of a file, or `patch: |-` with the patch below it",
            )),
            (false, false) => {
                Some((PatchFault::TextAndPath, "remove one of the two, or make two entries"))
            }
            _ => None,
        };
        if let Some((fault, hint)) = refusal {
            return Err(TransformError::fault(fault, mark).with_hint(hint));
        }
        let text = Self::text(patch, mark, root, sources).map_err(|source| {
            let reading = format!("failed to get the patch file from path({})", patch.path).into();
            TransformError::Load { reading, mark, source }
        })?;
        Self::new(patch, &text, mark, root.profile())
    }

    /// Creates the transformer of an entry of `patches` whose text is already loaded.
    ///
    /// # Errors
    /// The text is neither kind of patch, or does not fit the target.
    pub fn new(
        patch: &Patch,
        text: &PatchText,
        mark: Mark,
        profile: Profile,
    ) -> Result<Self, TransformError> {
        let limits = Limits::default();
        let refused = |fault: PatchFault| TransformError::fault(fault, mark);
        let (bytes, offset) = text.trimmed();
        let is_old = profile.has(Switch::OnePatchPerEntry);
        let label = || if is_old { format!("[{}]", text.whole()) } else { text.label() };
        let without_target = || without_target(text, is_old);
        let target = || patch.target.as_ref().map(PatchSelector::new).transpose();
        let needs_target = profile.has(Switch::EmptyPatchNeedsTarget);
        // Kustomize reports this and the following errors only when it applies the patch.
        let empty = || match patch.target {
            None if needs_target => Body::Refused(without_target()),
            _ => Body::Empty,
        };
        let no_empty_one = profile.has(Switch::EmptyPatchFails);
        // A text of comments, or an empty list.
        let nothing = || {
            if no_empty_one {
                return Err(refused(PatchFault::BothKinds(label())));
            }
            Ok(empty())
        };
        let is_list = || JsonPatch::parse(bytes, text.source, offset, limits).is_ok();
        let body = match text.resources((bytes, offset), &Scopes::for_profile(profile)) {
            Ok(documents) if documents.is_empty() => {
                match JsonPatch::parse(bytes, text.source, offset, limits) {
                    Ok(_) if !text.bytes.is_empty() => nothing()?,
                    // An empty text or mapping is neither a document nor a list of operations.
                    _ if is_old => return Err(refused(PatchFault::NeitherKind(label()))),
                    _ => empty(),
                }
            }
            Ok(documents) if documents.len() > 1 && is_old => {
                return Err(refused(PatchFault::NeitherKind(label())));
            }
            // An empty document before the others counts as a list without operations.
            Ok(_) if (is_old || no_empty_one) && is_list() => {
                return Err(refused(PatchFault::BothKinds(label())));
            }
            Ok(documents) if documents.len() > 1 && patch.target.is_some() => {
                target()?;
                Body::Refused(PatchFault::SeveralPatchesWithTarget(label()))
            }
            Ok(documents) => {
                Body::Strategic(documents.into_iter().map(|it| it.node).collect(), target()?)
            }
            Err(strategic) => match JsonPatch::parse(bytes, text.source, offset, limits) {
                Ok(Some(operations)) => match target()? {
                    Some(target) => Body::Json(operations, target),
                    None => Body::Refused(without_target()),
                },
                Ok(None) => nothing()?,
                Err(json) => {
                    let hint = neither_patch_hint(&strategic, &json, patch.target.is_some());
                    return Err(refused(PatchFault::NeitherKind(label())).with_hint(hint));
                }
            },
        };
        Ok(Self { field: PatchField::Patches, body, options: patch.options, mark })
    }

    /// Creates the transformer of an entry of `patchesStrategicMerge`: inline resources, or else
    /// the path of a file.
    ///
    /// # Errors
    /// The entry contains neither resources nor the path of a file with resources.
    pub fn load_strategic_merge(
        entry: &Marked<String>,
        root: &Root,
        sources: &mut SourceNumbers,
    ) -> Result<Self, TransformError> {
        let mark = entry.mark;
        let file = sources.path(mark.source).and_then(|path| root.files().read(path.as_ref()).ok());
        let documents = match inline_resources(entry, &file.unwrap_or_default(), root.profile()) {
            Ok(documents) => documents,
            Err(inline_error) => {
                let text = load_patch_file(&entry.value, root, sources).map_err(|source| {
                    let is_block = entry.value.contains('\n');
                    // The error of an entry of several lines is that it is not a patch.
                    let reading =
                        if is_block { inline_error.to_string() } else { "patch file".to_owned() };
                    TransformError::Load { reading: reading.into(), mark, source }
                })?;
                text.resources(text.trimmed(), &Scopes::for_profile(root.profile())).map_err(
                    |fault| match fault {
                        // Kustomize's message contains the file name only if the file is not valid
                        // YAML.
                        Fault::NotAResource(error) => error.into(),
                        fault => {
                            let around = FailedOperation::File(entry.value.clone());
                            TransformError::fault(fault, mark).within(around)
                        }
                    },
                )?
            }
        };
        Ok(Self::from_strategic_merges(documents, mark))
    }

    /// Creates the transformer for the inline `patches` of a `PatchStrategicMergeTransformer`.
    ///
    /// # Errors
    /// The text has no resources.
    pub fn inline_strategic_merge(
        entry: &Marked<String>,
        profile: Profile,
    ) -> Result<Self, TransformError> {
        let documents = inline_resources(entry, &[], profile);
        let documents = documents.map_err(|fault| TransformError::fault(fault, entry.mark))?;
        Ok(Self::from_strategic_merges(documents, entry.mark))
    }

    fn from_strategic_merges(documents: Vec<Resource>, mark: Mark) -> Self {
        let documents: Vec<Node> = documents.into_iter().map(|it| it.node).collect();
        let body =
            if documents.is_empty() { Body::Empty } else { Body::Strategic(documents, None) };
        Self { field: PatchField::StrategicMerge, body, options: PatchOptions::default(), mark }
    }

    /// Creates the transformer of an entry of `patchesJson6902`.
    ///
    /// # Errors
    /// Kustomize's configuration errors of section 4.9.
    pub fn load_json6902(
        config: &Marked<Patch>,
        root: &Root,
        sources: &mut SourceNumbers,
    ) -> Result<Self, TransformError> {
        let (patch, mark) = (&config.value, config.mark);
        let refused = |fault: PatchFault| TransformError::fault(fault, mark);
        let target = patch.target.as_ref().filter(|target| !target.name.is_empty());
        let target = target.ok_or_else(|| refused(PatchFault::TargetWithoutName))?;
        match (patch.patch.is_empty(), patch.path.is_empty()) {
            (true, true) => return Err(refused(PatchFault::NeitherOperationsNorPath)),
            (false, false) => {
                return Err(refused(PatchFault::OperationsAndPath));
            }
            _ => {}
        }
        let text = Self::text(patch, mark, root, sources).map_err(|source| {
            let reading = patch.path.as_str().into();
            TransformError::Load { reading, mark, source }
        })?;
        // Unlike under `patches`, Kustomize does not trim an inline text here.
        let (bytes, offset) = (&*text.bytes, text.offset);
        if bytes.is_empty() && !text.path.is_empty() {
            return Err(refused(PatchFault::EmptyFile(text.path)));
        }
        let operations = JsonPatch::parse(bytes, text.source, offset, Limits::default())
            .map_err(|fault| TransformError::fault(fault, mark))?
            .ok_or_else(|| {
                refused(PatchFault::Empty { file: text.path.clone(), text: text.whole() })
            })?;
        let body = Body::Json(operations, PatchSelector::new(target)?);
        Ok(Self { field: PatchField::Json6902, body, options: PatchOptions::default(), mark })
    }

    fn text(
        patch: &Patch,
        mark: Mark,
        root: &Root,
        sources: &mut SourceNumbers,
    ) -> Result<PatchText, LoadError> {
        if !patch.path.is_empty() {
            return load_patch_file(&patch.path, root, sources);
        }
        let first_line = if patch.patch_line > 0 { patch.patch_line } else { mark.line.max(1) };
        let file = sources.path(mark.source).and_then(|path| root.files().read(path.as_ref()).ok());
        let (bytes, file) = (patch.patch.as_bytes(), file.unwrap_or_default());
        let offset = TextOffset::in_file(bytes, &file, first_line);
        Ok(PatchText { bytes: bytes.into(), source: mark.source, offset, path: String::new() })
    }
}

/// Why a text is neither kind of patch; a mapping without kind or name is meant as a strategic merge
/// patch.
fn neither_patch_hint(strategic: &Fault, json: &JsonPatchFault, has_target: bool) -> Hint {
    let oddity = match strategic {
        Fault::NotAResource(error) => Some(&error.oddity),
        _ => None,
    };
    match oddity {
        Some(NotAResourceCause::NoKind(_)) => {
            "the patch has no `kind`: write the kind and the name of the resource as in its manifest"
                .into()
        }
        Some(NotAResourceCause::NoName(_)) if has_target => {
            "the patch has no `metadata.name`: write any name, since the target decides which resources are patched".into()
        }
        Some(NotAResourceCause::NoName(_)) => {
            "the patch has no `metadata.name`: write the name of the resource that it patches".into()
        }
        _ => format!("as a strategic merge patch: {strategic}; as a JSON6902 patch: {json}").into(),
    }
}

fn without_target(text: &PatchText, is_old: bool) -> PatchFault {
    if is_old {
        PatchFault::WithoutTarget(text.whole())
    } else {
        PatchFault::JsonWithoutTarget(text.label())
    }
}

/// The resources that an entry contains inline; `file` is the text of the kustomization file around
/// it.
fn inline_resources(
    entry: &Marked<String>,
    file: &[u8],
    profile: Profile,
) -> Result<Vec<Resource>, Fault> {
    let bytes = entry.value.as_bytes();
    let first_line = entry.mark.line + u32::from(entry.value.contains('\n'));
    let offset = TextOffset::in_file(bytes, file, first_line);
    let (bytes, source) = (bytes.into(), entry.mark.source);
    let inline = PatchText { bytes, source, offset, path: String::new() };
    // Kustomize does not trim it, unlike an entry of `patches`.
    inline.resources((&inline.bytes, inline.offset), &Scopes::for_profile(profile))
}

fn load_patch_file(
    path: &str,
    root: &Root,
    sources: &mut SourceNumbers,
) -> Result<PatchText, LoadError> {
    let loaded = root.load(path)?;
    let source = sources.intern(&loaded.path);
    let offset = TextOffset::default();
    Ok(PatchText { bytes: loaded.bytes, source, offset, path: path.to_owned() })
}
