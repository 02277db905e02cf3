//! The description of a step in a row, and its name in sentences.

use crate::engine::evaluate::{Step, StepKind};

use super::super::text::sanitize;

/// The description of a step in a row: the index of its symbol in
/// [`Glyphs::kinds`](super::super::glyphs::Glyphs), a short word for its kind, and its argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StepWords {
    pub sign: usize,
    pub word: String,
    pub about: String,
}

pub(crate) const WORD_CELLS: usize = 9;

pub(crate) fn step_words(step: &Step) -> StepWords {
    let of = |sign, word: &str, about: &str| StepWords {
        sign,
        word: sanitize(word).into_owned(),
        about: sanitize(about.trim()).into_owned(),
    };
    let about = &step.argument;
    match step.kind {
        StepKind::Load => of(0, "load", about),
        StepKind::Merge => of(1, "merge", about),
        StepKind::EnterComponent => of(2, "enter", about),
        StepKind::LeaveComponent => of(3, "leave", about),
        StepKind::Hash
        | StepKind::NameReferences
        | StepKind::ReplaceVars
        | StepKind::DropLocalConfig
        | StepKind::Order
        | StepKind::BuildMetadata => of(8, "", &format!("{} {about}", step.name)),
        StepKind::ExternalTransform => of(7, "function", about),
        _ if step.field.is_empty() => of(8, &step.name, about),
        _ => {
            let (sign, word) = field_sign_and_word(step.field);
            of(sign, word, about)
        }
    }
}

fn field_sign_and_word(field: &str) -> (usize, &str) {
    match field {
        "patches" | "patchesStrategicMerge" | "patchesJson6902" => (5, "patches"),
        "namePrefix" => (6, "prefix"),
        "nameSuffix" => (6, "suffix"),
        "commonLabels" => (6, "labels"),
        "commonAnnotations" => (6, "annot"),
        "imageTags" => (6, "images"),
        "replacements" => (6, "replace"),
        "configMapGenerator" => (4, "configmap"),
        "secretGenerator" => (4, "secret"),
        "helmCharts" | "helmChartInflationGenerator" => (7, "helm"),
        "transformers" => (7, "transform"),
        "validators" => (7, "validate"),
        "generators" => (7, "generate"),
        "configurations" => (6, "config"),
        other => (6, other),
    }
}

/// The name of a step in sentences and titles: `namespace prod`, `load service.yaml`.
pub(super) fn label(step: &Step) -> String {
    let argument = &step.argument;
    let label = match step.kind {
        StepKind::Load => format!("load {argument}"),
        StepKind::Merge => format!("merge {}", last_part(argument)),
        StepKind::EnterComponent => format!("enter {}", last_part(argument)),
        StepKind::LeaveComponent => format!("leave {}", last_part(argument)),
        _ if step.field.is_empty() => format!("{} {argument}", step.name),
        _ => format!("{} {argument}", step.field),
    };
    sanitize(label.trim_end()).into_owned()
}

fn last_part(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}
