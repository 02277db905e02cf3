//! A recorded build for the screens: the recording, its Compositions and catalogs, and the widths
//! of columns.

use std::collections::BTreeMap;
use std::ops::Deref;

use crate::answers::{self, VerifiedFinding, add_verified_findings};
use crate::engine::evaluate::Step;
use crate::engine::load::Fetch;
use crate::engine::yaml::Mark;

use super::super::ports::{CompositionResult, ReviewedCatalog};
use super::super::text::{sanitize, width};
use super::step_words::{StepWords, label, step_words};

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
    /// The location of each step, safe for the terminal.
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

    /// Adds verified findings to the steps with these indices.
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

    /// A path relative to the directory of the build.
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
