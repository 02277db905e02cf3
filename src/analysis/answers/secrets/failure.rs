//! The texts of an error without values of Secrets.

use super::Secrets;
use crate::engine::evaluate::StepError;
use crate::engine::yaml::Mark;

/// The error of a build, with values of Secrets masked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaskedError {
    pub message: String,
    /// The layers from the outermost layer to the layer of the step, one line for each.
    pub context: Vec<String>,
    pub mark: Mark,
    pub hint: Option<String>,
}

impl Secrets {
    /// The texts of an error, with values of Secrets masked.
    pub fn failure(&self, error: &StepError) -> MaskedError {
        MaskedError {
            message: self.text(&error.message),
            context: error.context.iter().map(|layer| self.label(layer)).collect(),
            mark: error.mark,
            hint: error.hint.as_ref().map(|hint| self.text(&hint.to_string())),
        }
    }
}
