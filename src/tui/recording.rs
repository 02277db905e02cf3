//! A recorded build for the screens: the recording, its Compositions and catalogs, and the widths
//! of columns.

use std::collections::BTreeMap;
use std::ops::Deref;

use crate::answers;
use crate::answers::{VerifiedFinding, add_verified_findings};
use crate::engine::evaluate::{Step, StepKind};
use crate::engine::load::Fetch;
use crate::engine::yaml::Mark;
use crate::ports::{CompositionResult, ReviewedCatalog};
use crate::text::{sanitize, width};

#[derive(Clone, Debug, Default)]
pub(crate) struct WorkbenchRecording {
    built: answers::Recording,
    pub compositions: Vec<CompositionResult>,
    pub catalogs: Vec<ReviewedCatalog>,
    pub missed: Vec<Fetch>,
    pub took: std::time::Duration,
    /// The width in cells of the longest location of a step.
    pub place_width: usize,
    /// The width in cells of the greatest count of a step.
    pub count_width: usize,
    words: Vec<StepWords>,
    /// The width in cells of the longest argument of a step.
    pub about_width: usize,
    places: Vec<String>,
}

/// Adds the line of the entry to the words of steps of one file that would read alike.
fn name_lines(words: &mut [StepWords], steps: &[Step]) {
    let mut alike: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    let named =
        words.iter().zip(steps).enumerate().filter(|(_, (words, _))| !words.about.is_empty());
    for (at, (words, step)) in named {
        let key = (step.layer.0, step.mark.source.0, words.word.clone(), words.about.clone());
        alike.entry(key).or_default().push(at);
    }
    let line = |at: &usize| steps.get(*at).map_or(0, |step| step.mark.line);
    let alike =
        alike.into_values().filter(|steps| steps.iter().any(|it| line(it) != line(&steps[0])));
    for at in alike.flatten() {
        words[at].about.push_str(&format!(":{}", line(&at)));
    }
}

impl Deref for WorkbenchRecording {
    type Target = answers::Recording;

    fn deref(&self) -> &answers::Recording {
        &self.built
    }
}

impl WorkbenchRecording {
    pub(crate) fn new(built: answers::Recording, took: std::time::Duration) -> Self {
        let places: Vec<String> = (0..built.len())
            .map(|step| sanitize(built.step_layer_name(step)).into_owned())
            .collect();
        let counts = built.trace.steps.iter();
        let counts =
            counts.flat_map(|step| [step.counts.added, step.counts.modified, step.counts.removed]);
        let count_width = counts.max().unwrap_or(0).to_string().len();
        let place_width = places.iter().map(|place| width(place)).max().unwrap_or(0);
        let mut recording =
            Self { built, took, place_width, count_width, places, ..Self::default() };
        recording.words = recording.trace.steps.iter().map(step_words).collect();
        name_lines(&mut recording.words, &recording.built.trace.steps);
        let abouts = recording.words.iter().map(|words| width(&words.about));
        recording.about_width = abouts.max().unwrap_or(0);
        recording
    }

    pub(crate) fn words(&self, index: usize) -> Option<&StepWords> {
        self.words.get(index)
    }

    pub(crate) fn add_findings(&mut self, found: Vec<(usize, VerifiedFinding)>) {
        add_verified_findings(&mut self.built.trace, self.built.error.as_mut(), found);
    }

    /// The location of a step, safe for the terminal.
    pub(crate) fn place_of_step(&self, index: usize) -> &str {
        self.places.get(index).map_or("", String::as_str)
    }

    /// A mark as a path that can be opened: `base/deployment.yaml:7`; empty for none.
    pub(crate) fn location(&self, mark: Mark) -> String {
        sanitize(&self.built.location(mark)).into_owned()
    }

    /// A mark shortened as far as files stay distinct, for rows: `high-availability:16`; empty for
    /// none.
    pub(crate) fn place(&self, mark: Mark) -> String {
        sanitize(&self.built.place(mark)).into_owned()
    }

    pub(crate) fn shorten(&self, path: &str) -> String {
        sanitize(&self.built.shorten(path)).into_owned()
    }

    pub(crate) fn output_keys(&self) -> Vec<answers::ResourceKey> {
        self.output.iter().filter_map(|(slot, _)| self.key(*slot).cloned()).collect()
    }

    /// True if a step had a visible effect.
    pub(crate) fn acts(&self, step: usize) -> bool {
        self.step(step).is_some_and(answers::Recording::is_effective)
    }
}

/// The name of a step in sentences and titles; empty if the step does not exist.
pub(crate) fn step_label(recording: &WorkbenchRecording, index: usize) -> String {
    recording.step(index).map_or_else(String::new, label)
}

/// The description of a step in a row: the index of its symbol in
/// [`Glyphs::kinds`](super::super::glyphs::Glyphs), a short word for its kind, and its argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StepWords {
    pub sign: usize,
    pub word: String,
    pub about: String,
}

pub(crate) const WORD_CELLS: usize = 9;

fn step_words(step: &Step) -> StepWords {
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
