//! Fields of a kustomization file without an effect.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::engine::diagnostic::{Diagnostic, Fix, Hint, SilentRemark};
use crate::engine::manifest::{Outline, ignored_fields};
use crate::engine::yaml::{Limits, Mark, Node, SourceId, parse_documents};

use super::Scan;

impl Scan<'_, '_> {
    /// The bytes of a file and its documents, with marks of this source; `None` if it cannot be read.
    pub(super) fn read(&self, file: &str, source: SourceId) -> Option<(Arc<[u8]>, Vec<Node>)> {
        let bytes = self.files.read(Path::new(file)).ok()?;
        let parsed = parse_documents(&bytes, source, Limits::default()).ok()?;
        let nodes = parsed.documents.into_iter().map(|document| document.node).collect();
        Some((bytes, nodes))
    }
}

/// Finds fields that a kustomization file has more than once, of which Kustomize reads the last one,
/// and `generatorOptions` of a file without generators: they do not apply to those of its bases.
pub(super) fn fields_without_effect(scan: &mut Scan<'_, '_>) {
    let trace = scan.trace;
    let mut read: BTreeSet<&str> = BTreeSet::new();
    for layer in trace.layers.iter().filter(|layer| read.insert(&layer.file)) {
        let source = |index: usize| trace.steps.get(index).map(|step| step.mark.source);
        let is_own = |index: &usize| {
            source(*index).and_then(|it| trace.sources.path(it)) == Some(&*layer.file)
        };
        let Some(step) = (layer.first_step..layer.end_step).find(is_own) else { continue };
        let source = source(step).unwrap_or_default();
        let Some((bytes, documents)) = scan.read(&layer.file, source) else { continue };
        let entries = documents.first().map(Node::entries).unwrap_or_default();
        for (index, entry) in entries.iter().enumerate() {
            let Some(key) = entry.key.text() else { continue };
            let mut later = entries.iter().skip(index + 1);
            let Some(again) = later.find(|later| later.key.text() == Some(key)) else { continue };
            let again = again.key.mark.line;
            let remark = SilentRemark::FieldTwice { field: key.to_owned(), again };
            let hint = format!("move these entries to line {again}, except those that it has");
            let diagnostic = Diagnostic::new(remark, entry.key.mark).hint(Hint::Change(hint));
            scan.found.push((step, diagnostic));
        }
        let has = |key: &str| entries.iter().any(|entry| entry.key.text() == Some(key));
        if !has("generatorOptions") || has("configMapGenerator") || has("secretGenerator") {
            continue;
        }
        let outline = Outline::parse(&bytes);
        let options = outline.field("generatorOptions").filter(|field| !field.disabled);
        let Some(line) = options.map(|field| field.line) else { continue };
        let mark = Mark { source, line, column: 1, ..Mark::default() };
        let fix = Fix::RemoveField("generatorOptions".to_owned());
        scan.found.push((step, Diagnostic::new(SilentRemark::NoGenerators, mark).fix(Some(fix))));
    }
}

/// Finds fields in files of `transformers`, `generators` and `validators` that the built-in plugin
/// does not have.
pub(super) fn unknown_plugin_fields(scan: &mut Scan<'_, '_>) {
    let trace = scan.trace;
    let mut read: BTreeSet<SourceId> = BTreeSet::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let lists_plugins = matches!(step.field, "transformers" | "generators" | "validators");
        if !lists_plugins || step.builtin.is_none() || !read.insert(step.mark.source) {
            continue;
        }
        let path = trace.sources.path(step.mark.source);
        let read = path.and_then(|path| scan.read(path, step.mark.source));
        for ignored in read.iter().flat_map(|(_, nodes)| nodes).flat_map(ignored_fields) {
            let remark = SilentRemark::IgnoredField { field: ignored.key };
            let diagnostic = Diagnostic::new(remark, ignored.mark);
            scan.found.push((index, Diagnostic { hint: ignored.hint, ..diagnostic }));
        }
    }
}
