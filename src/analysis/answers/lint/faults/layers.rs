//! Fields of a kustomization file without an effect.

use std::path::Path;

use crate::engine::diagnostic::{Diagnostic, Fix, SilentRemark};
use crate::engine::evaluate::Trace;
use crate::engine::load::Files;
use crate::engine::manifest::Outline;
use crate::engine::yaml::Mark;

use super::StepDiagnostic;

/// `generatorOptions` of a layer without generators: they do not apply to the generators of its
/// bases.
pub(super) fn without_generators(trace: &Trace, files: &dyn Files) -> Vec<StepDiagnostic> {
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

fn step_source(trace: &Trace, index: usize) -> crate::engine::yaml::SourceId {
    trace.steps.get(index).map(|step| step.mark.source).unwrap_or_default()
}
