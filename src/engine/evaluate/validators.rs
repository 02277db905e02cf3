//! `validators:` of one kustomization.

use std::sync::Arc;

use crate::manifest::KustomizationField;
use crate::plugin::{validated_difference, validator_changed_error};
use crate::resource::{ResMap, Resource, Slot};
use crate::transform::{Context, TransformError, Transformer};

use super::StepKind;
use super::build::Build;
use super::configured::PluginUse;
use super::level::ActiveLayer;
use super::recorder::BuildAbort;

impl Build<'_> {
    /// Runs every entry of `validators:`. A plugin may write only the label `validated-by`.
    pub(super) fn validate(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        let configs =
            self.plugin_configs(level, PluginUse::Validator, &level.kustomization().validators)?;
        for configured in &configs {
            if let Some(composition) = &configured.composition {
                self.compose_on_copy(level, composition)?;
                continue;
            }
            if self.is_function(configured) {
                self.external_function(configured)?;
                continue;
            }
            let heading = configured.heading();
            let transformer = match self.external_transformer(configured) {
                Ok(transformer) => transformer,
                Err(error) => {
                    self.handle_config_error(heading, error)?;
                    continue;
                }
            };
            self.step(heading, |acc, cx| check(&*transformer, &mut acc.resources, cx))?;
        }
        self.record_switched_off(level, &[KustomizationField::Validators], StepKind::Validate);
        Ok(())
    }
}

/// Runs a validator; fails if it changes more than the label `validated-by`.
fn check(
    transformer: &dyn Transformer,
    resources: &mut ResMap,
    cx: &mut Context<'_>,
) -> Result<(), TransformError> {
    let before: Vec<(Slot, Arc<Resource>)> =
        resources.iter().map(|(slot, resource)| (slot, resource.clone())).collect();
    transformer.transform(resources, cx)?;
    let is_kept = |slot: Slot, old: &Arc<Resource>| {
        resources.get(slot).is_some_and(|new| {
            Arc::ptr_eq(old, new) || validated_difference(&old.node, &new.node).is_none()
        })
    };
    let changed = before.iter().find(|(slot, old)| !is_kept(*slot, old)).map(|(_, old)| old);
    let added = || resources.iter().nth(before.len()).map(|(_, added)| added);
    match changed.or_else(added) {
        Some(resource) => Err(validator_changed_error(resource.id.to_string(), cx.mark)),
        None => Ok(()),
    }
}
