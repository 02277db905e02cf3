//! `components:` of one kustomization (section 2.1, step 4): they work on the accumulator of the
//! listing layer.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::load::{GitTarget, Root};
use crate::manifest::{
    Kustomization, KustomizationField, Marked, TransformerConfig, decode_kustomization,
};
use crate::profile::Profile;
use crate::resource::ResMapError;
use crate::transform::TransformError;
use crate::yaml::SourceId;

use super::build::{Build, cannot_load};
use super::duplicate_ids::ConflictingResource;
use super::kustomization_cache::KustomizationCache;
use super::level::ActiveLayer;
use super::part::StateId;
use super::recorder::BuildAbort;
use super::reuse::PartResult;
use super::target::read_only_target;
use super::{LayerKind, StepKind};

impl Build<'_> {
    /// Runs every entry of `components:` in order, on the same accumulator. `state` is the id of
    /// the accumulator's cached state, if it has one.
    pub(super) fn run_components(
        &mut self,
        level: &ActiveLayer<'_>,
        mut state: Option<StateId>,
    ) -> Result<(), BuildAbort> {
        let described = ("components", StepKind::EnterComponent, "component");
        let mut off = level.target.switched_off("components").into_iter().peekable();
        let mut left = PartResult::Own(Box::new(std::mem::take(&mut self.acc)));
        for (index, entry) in level.kustomization().components.iter().enumerate() {
            self.switched_off(level, described, &mut off, index);
            (left, state) = self.component_or_reuse(level, index, entry, state, left)?;
        }
        self.acc = left.into_accumulator();
        self.switched_off(level, described, &mut off, usize::MAX);
        self.record_switched_off_additions(level, described);
        Ok(())
    }

    pub(super) fn run_component(
        &mut self,
        level: &ActiveLayer<'_>,
        index: usize,
        entry: &Marked<String>,
    ) -> Result<(), BuildAbort> {
        let heading = level
            .heading(StepKind::EnterComponent, "component", entry.value.as_str(), entry.mark)
            .with_entry(KustomizationField::Components, index);
        let mut begun = self.begin(heading)?;
        let mark = begun.step.mark;
        self.warn_of_forced_git(&entry.value);
        let root = match level.root.open(&entry.value) {
            Ok(root) => root,
            Err(source) => {
                let error = cannot_load("accumulating components", mark, source);
                return self.fail_entry(begun, error);
            }
        };
        let opened = self.open_layer(level, &root, LayerKind::Component, &entry.value, mark);
        let (id, target) = match opened {
            Ok(opened) => opened,
            Err(error) => return self.fail_entry(begun, error),
        };
        begun.step.matched = self.acc.resources.len();
        self.recorder.record(begun, Vec::new(), Ok(()))?;
        self.accumulate(&ActiveLayer { root: &root, target: &target, id })?;
        self.recorder.leave(id);
        if let Err(error) = self.merge_into_empty(level, entry) {
            let heading = level
                .heading(StepKind::Merge, "merge", entry.value.as_str(), entry.mark)
                .with_entry(KustomizationField::Components, index);
            return Err(self.failed_step(heading, error));
        }
        Ok(())
    }

    /// Imitates Kustomize, which merges the result of a component into an empty accumulator: fails
    /// if two resources have the same id, whichever step set it, and lets a special field spec
    /// replace a general one that is sorted after it.
    fn merge_into_empty(
        &mut self,
        level: &ActiveLayer<'_>,
        entry: &Marked<String>,
    ) -> Result<(), TransformError> {
        let twins = self.acc.resources.first_duplicate_ids();
        if let Some((existing, twin)) = twins
            && let Some(twin) = self.acc.resources.get(twin)
        {
            let error = ResMapError::Duplicate { id: twin.id.clone(), existing };
            let new =
                ConflictingResource::new(super::accumulator::place(twin), level, Some(entry.mark));
            return Err(self.duplicate_id_error(&error, new));
        }
        let nothing = Arc::new(TransformerConfig::default());
        self.acc.config = super::generators::merge_configs(
            &nothing,
            &self.acc.config,
            entry.mark,
            self.setup.profile(),
        )?;
        Ok(())
    }
}

/// True if a layer or one of its components has validators, or a component might have some but is
/// not read to find out.
pub(super) fn has_validators(
    level: &ActiveLayer<'_>,
    profile: Profile,
    known: &KustomizationCache,
) -> bool {
    may_have_validators(level.root, level.kustomization(), (profile, known), &mut BTreeSet::new())
}

/// Whether a kustomization has validators, itself or in its components. A remote component counts
/// as having validators, because it is not fetched for this check. Each component is read once,
/// however often it is listed.
fn may_have_validators(
    root: &Root,
    kustomization: &Kustomization,
    (profile, known): (Profile, &KustomizationCache),
    seen: &mut BTreeSet<PathBuf>,
) -> bool {
    let mut in_component = |entry: &Marked<String>| {
        if GitTarget::parse(&entry.value).is_some() {
            return true;
        }
        // An unreadable component fails the build before any validation.
        let Ok(root) = root.open(&entry.value) else { return false };
        if !seen.insert(root.path().to_owned()) {
            return false;
        }
        let Ok((_, loaded, _)) = read_only_target(&root) else { return false };
        if let Some((component, _)) = known.get(&loaded.path, &loaded.bytes) {
            return may_have_validators(&root, &component, (profile, known), seen);
        }
        if !may_contain_key(&loaded.bytes, "validators")
            && !may_contain_key(&loaded.bytes, "components")
        {
            return false;
        }
        let component = decode_kustomization(&loaded.bytes, SourceId::NONE, profile);
        component
            .is_ok_and(|component| may_have_validators(&root, &component, (profile, known), seen))
    };
    !kustomization.validators.is_empty() || kustomization.components.iter().any(&mut in_component)
}

/// False if a text certainly lacks this key; true if escapes or another encoding may hide the key.
fn may_contain_key(text: &[u8], key: &str) -> bool {
    let mut words = text.windows(key.len());
    text.iter().any(|byte| matches!(byte, b'\\' | 0))
        || words.any(|word| word.eq_ignore_ascii_case(key.as_bytes()))
}
