//! The line of a function's configuration that determines a value, found by builds with another
//! value on the line.

use std::path::PathBuf;
use std::sync::Arc;

use crate::answers::Recording;
use crate::answers::recording::field::{WrittenPath, value_at};
use crate::answers::recording::identity::ResourceKey;
use crate::draft::{DraftedFiles, replace_scalar};
use crate::engine::evaluate::Evaluation;
use crate::engine::load::Files;
use crate::engine::plugin::ConfigurationScalar;
use crate::engine::yaml::{Mark, Node};

use super::blame::{ConfigurationProof, WriterStatus, is_same_place};
use super::why::WhyAnswer;

const MAX_TRIALS: usize = 24;

/// A function that builds the target with the files of a trial. It runs functions with the same
/// permissions as the build of the recording.
pub type TrialBuild<'a> = dyn Fn(Arc<dyn Files>) -> Evaluation + 'a;

pub struct ConfigurationTrials<'a> {
    pub recording: &'a Recording,
    pub folder: PathBuf,
    pub files: Arc<dyn Files>,
    pub build: &'a TrialBuild<'a>,
}

impl ConfigurationTrials<'_> {
    /// Finds the line of the configuration that determines the field of an answer, if a function
    /// wrote its final value. The line with the same value is tried first.
    pub fn verify(&self, answer: &mut WhyAnswer) {
        let [field] = answer.fields.as_mut_slice() else { return };
        let Some(key) = self.recording.identity.key(answer.slot).cloned() else { return };
        let path = &WrittenPath::from_path(&field.path);
        let Some(writer) = field.writers.first_mut() else { return };
        let Some(step) = self.recording.step(writer.step) else { return };
        let (Some(run), Some(value)) = (&step.run, &writer.value) else { return };
        if writer.standing != WriterStatus::Final || run.configuration.is_empty() {
            return;
        }
        let try_line = |scalar: &ConfigurationScalar| self.try_scalar(scalar, &key, path, value);
        let is_named = |it: &&ConfigurationScalar| is_same_place(it.mark, writer.mark);
        if let Some(named) = run.configuration.iter().find(is_named) {
            match try_line(named) {
                Some(true) => {
                    writer.configuration = Some(ConfigurationProof::Verified);
                    return;
                }
                None => return,
                Some(false) => {}
            }
        }
        let others = run.configuration.iter().filter(|it| !is_named(it)).take(MAX_TRIALS);
        let found: Vec<Mark> = others
            .filter(|scalar| try_line(scalar) == Some(true))
            .map(|scalar| scalar.mark)
            .collect();
        let mut lines = found.into_iter();
        let first = lines.next();
        writer.configuration = first.map(|_| ConfigurationProof::Verified);
        writer.mark = first.unwrap_or(step.mark).written_by(writer.mark);
        writer.also.extend(lines);
    }

    /// True if the field changes in a build of the target with another value of a scalar; `None` if
    /// the build fails, or if the line cannot be changed.
    fn try_scalar(
        &self,
        scalar: &ConfigurationScalar,
        key: &ResourceKey,
        path: &WrittenPath,
        value: &Node,
    ) -> Option<bool> {
        let file = self.recording.file(scalar.mark)?;
        let text = self.files.read(file.as_ref()).ok()?;
        let other = Node::plain(other_value(&scalar.text));
        let text = replace_scalar(&text, scalar.mark, &scalar.text, &other, true)?;
        let changed = (PathBuf::from(file), Some(Arc::from(text)));
        let files = Arc::new(DraftedFiles::new([changed].into_iter(), self.files.clone()));
        let trial = Recording::new((self.build)(files), &self.folder);
        if trial.error.is_some() {
            return None;
        }
        let node = &trial.identity.last_state(trial.identity.slot(key)?)?.resource.node;
        let now = path.find(node).and_then(|path| value_at(node, &path));
        Some(now.is_none_or(|(now, _)| !now.same_value(value)))
    }
}

fn other_value(text: &str) -> String {
    match (text, text.parse::<i64>()) {
        ("true", _) => "false".to_owned(),
        ("false", _) => "true".to_owned(),
        (_, Ok(number)) => number.saturating_add(1).to_string(),
        _ if text.parse::<f64>().is_ok() => format!("{text}1"),
        _ => format!("{text}x"),
    }
}
