//! Kustomize's last step: printing the resources.

use std::sync::Arc;

use crate::diagnostic::{LayerFault, Object};
use crate::resource::Resource;
use crate::transform::TransformError;
use crate::yaml::{Mark, Node, YamlCause, YamlError};

use super::accumulator::place;
use super::build::Build;
use super::level::ActiveLayer;
use super::recorder::BuildAbort;
use super::{StepError, StepKind};

impl Build<'_> {
    /// Fails the build in its last step if a resource cannot be printed. Skipped for a build with
    /// pending steps, whose output is not known.
    pub(super) fn check_output(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        if self.notes.own.waits {
            return Ok(());
        }
        let resources: Vec<Arc<Resource>> =
            self.acc.resources.iter().map(|(_, resource)| resource.clone()).collect();
        let refused = self.memory.printable.first_refused(&resources);
        let Some((resource, error)) = refused else { return Ok(()) };
        let begun = self.begin(level.heading(StepKind::Print, "print", "", Mark::default()))?;
        let mark = mark_at(&resource.node, &error);
        let fault = TransformError::Fault {
            mark: mark.unwrap_or_default(),
            hint: hint(&error.cause).map(Into::into),
            fault: Box::new(LayerFault::Unprintable(error).into()),
        };
        let mut error = StepError::clone(&self.recorder.step_error(&begun, fault));
        error.context.push(self.named(&resource));
        let error = Arc::new(error);
        let halt = BuildAbort::Failed(error.clone());
        let _ = self.recorder.record(begun, Vec::new(), Err(error));
        Err(halt)
    }

    fn named(&self, resource: &Resource) -> String {
        let object = Object::from(&resource.id);
        let mark = place(resource);
        match self.memory.sources.path(mark.source) {
            Some(path) => format!("{object} (from {path}:{})", mark.line),
            None => object.to_string(),
        }
    }
}

fn mark_at(node: &Node, error: &YamlError) -> Option<Mark> {
    if error.line > 0 && (node.mark.line, node.mark.column) == (error.line, error.column) {
        return Some(node.mark);
    }
    let items = node.items().unwrap_or_default().iter();
    let entries = node.entries().iter().flat_map(|entry| [&entry.key, &entry.value]);
    items.chain(entries).find_map(|node| mark_at(node, error))
}

fn hint(cause: &YamlCause) -> Option<&'static str> {
    match cause {
        YamlCause::RepeatedKey { line, first, .. } if line == first => {
            Some("quote a null key (`~`), which is an error even if it occurs once")
        }
        YamlCause::RepeatedKey { .. } => {
            Some("Kustomize reads both keys but cannot print them: remove one of them")
        }
        YamlCause::KeysOfOtherTypes => Some(
            "Kustomize reads a key here as a number or a boolean, even in quotes: choose another name",
        ),
        YamlCause::UnsupportedNumber(_) => {
            Some("JSON has no infinity and no NaN: quote it if it is meant as text")
        }
        YamlCause::ControlCharacters => {
            Some("remove the character, or keep the data in `binaryData`")
        }
        YamlCause::LeadingTab(_) => Some("begin the text with something other than a tab"),
        YamlCause::OtherType { .. } => {
            Some("the value written here has another type than the value that it replaces")
        }
        _ => None,
    }
}
