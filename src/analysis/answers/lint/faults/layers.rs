//! Fields of a kustomization file without an effect.

use std::collections::BTreeSet;
use std::path::Path;

use crate::engine::diagnostic::{Diagnostic, Fix, Hint, SilentRemark};
use crate::engine::evaluate::Trace;
use crate::engine::load::Files;
use crate::engine::manifest::{Outline, ignored_fields};
use crate::engine::yaml::{Limits, Mark, SourceId, parse_documents};

use super::StepDiagnostic;

/// Findings for `generatorOptions` of a layer without generators: they do not apply to the
/// generators of its bases.
pub(super) fn generator_options_diagnostics(
    trace: &Trace,
    files: &dyn Files,
) -> Vec<StepDiagnostic> {
    let mut told = Vec::new();
    for layer in &trace.layers {
        let own = |index: &usize| {
            trace.steps.get(*index).and_then(|step| trace.layer(step.layer)).is_some_and(|of| {
                of.path == layer.path
                    && trace.sources.path(step_source(trace, *index)) == Some(&*layer.file)
            })
        };
        let Ok(bytes) = files.read(Path::new(&*layer.file)) else { continue };
        let says_so = |text: &str| text.contains("generatorOptions");
        if !std::str::from_utf8(&bytes).is_ok_and(says_so) {
            continue;
        }
        let Some(step) = (layer.first_step..layer.end_step).find(own) else { continue };
        let outline = Outline::parse(&bytes);
        let active = |name: &str| outline.field(name).filter(|field| !field.disabled);
        let Some(options) = active("generatorOptions") else { continue };
        if ["configMapGenerator", "secretGenerator"].into_iter().any(|it| active(it).is_some()) {
            continue;
        }
        let mark = Mark {
            source: step_source(trace, step),
            line: options.line,
            column: 1,
            ..Mark::default()
        };
        let fix = Fix::RemoveField("generatorOptions".to_owned());
        let diagnostic = Diagnostic::new(SilentRemark::NoGenerators, mark).fix(Some(fix));
        told.push((step, diagnostic));
    }
    told
}

/// Findings for fields that a kustomization file has more than once: Kustomize reads the last one.
pub(super) fn duplicate_field_diagnostics(trace: &Trace, files: &dyn Files) -> Vec<StepDiagnostic> {
    let mut found = Vec::new();
    let mut read: BTreeSet<&str> = BTreeSet::new();
    for layer in trace.layers.iter().filter(|layer| read.insert(&layer.file)) {
        let is_own =
            |index: &usize| trace.sources.path(step_source(trace, *index)) == Some(&*layer.file);
        let Some(step) = (layer.first_step..layer.end_step).find(is_own) else { continue };
        let Ok(bytes) = files.read(Path::new(&*layer.file)) else { continue };
        let source = step_source(trace, step);
        let Ok(parsed) = parse_documents(&bytes, source, Limits::default()) else { continue };
        let Some(root) = parsed.documents.first().map(|document| &document.node) else { continue };
        for (index, entry) in root.entries().iter().enumerate() {
            let Some(key) = entry.key.text() else { continue };
            let mut later = root.entries().iter().skip(index + 1);
            let Some(again) = later.find(|later| later.key.text() == Some(key)) else { continue };
            let again = again.key.mark.line;
            let remark = SilentRemark::FieldTwice { field: key.to_owned(), again };
            let hint = format!("move these entries to line {again}, except those that it has");
            found.push((step, Diagnostic::new(remark, entry.key.mark).hint(Hint::Change(hint))));
        }
    }
    found
}

/// Fields in files of `transformers`, `generators` and `validators` that the built-in plugin does
/// not have.
pub(super) fn unknown_plugin_field_diagnostics(
    trace: &Trace,
    files: &dyn Files,
) -> Vec<StepDiagnostic> {
    let mut found = Vec::new();
    let mut read: BTreeSet<SourceId> = BTreeSet::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let lists_plugins = matches!(step.field, "transformers" | "generators" | "validators");
        if !lists_plugins || step.builtin.is_none() || !read.insert(step.mark.source) {
            continue;
        }
        let Some(path) = trace.sources.path(step.mark.source) else { continue };
        let Ok(bytes) = files.read(Path::new(path)) else { continue };
        let parsed = parse_documents(&bytes, step.mark.source, Limits::default());
        for document in parsed.map(|parsed| parsed.documents).unwrap_or_default() {
            for ignored in ignored_fields(&document.node) {
                let remark = SilentRemark::IgnoredField { field: ignored.key };
                let diagnostic = Diagnostic::new(remark, ignored.mark);
                found.push((index, Diagnostic { hint: ignored.hint, ..diagnostic }));
            }
        }
    }
    found
}

fn step_source(trace: &Trace, index: usize) -> crate::engine::yaml::SourceId {
    trace.steps.get(index).map(|step| step.mark.source).unwrap_or_default()
}
