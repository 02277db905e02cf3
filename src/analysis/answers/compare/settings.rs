//! The settings of a comparison.

use crate::answers::secrets::Secrets;
use crate::engine::evaluate::{BuildOptions, FunctionAnswers, Ports};
use crate::repository::BuildProgress;

use super::Shard;

pub struct CompareSettings<'a> {
    /// The ports of the builds, except for files.
    pub ports: &'a Ports,
    pub before: &'a BuildOptions,
    pub after: &'a BuildOptions,
    pub answers: FunctionAnswers,
    pub secrets: Secrets,
    pub shard: Option<Shard>,
    /// Includes targets that other targets use.
    pub bases: bool,
    /// Includes all targets in and below both folders, even if these are targets themselves.
    pub every_target: bool,
    /// The limit on builds for each target to verify the edits that cause a difference.
    pub most: usize,
    /// Receives the number of compared targets, and the number of all that are compared.
    pub progress: Option<BuildProgress>,
}

impl<'a> CompareSettings<'a> {
    /// Settings with the same options for both sides; no edit is verified.
    pub fn new(ports: &'a Ports, options: &'a BuildOptions, secrets: Secrets) -> Self {
        Self {
            ports,
            before: options,
            after: options,
            answers: FunctionAnswers::default(),
            secrets,
            shard: None,
            bases: false,
            every_target: false,
            most: 0,
            progress: None,
        }
    }

    /// True if both sides are built with the same profile.
    pub(super) fn has_same_profile(&self) -> bool {
        self.before.profile == self.after.profile
    }
}
