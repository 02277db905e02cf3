//! Merging field specs: the defaults in the data file of `assets`, and those of files, of CRDs, of a
//! base and its overlay (sections 4.1, 4.18 and 7).

use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;

use crate::profile::{Profile, Switch};
use crate::resource::Gvk;
use crate::yaml::Mark;

use super::kind_order::gvk_order;
use super::{FieldSpec, ManifestError, NameReference, SpecList, TransformerConfig};

/// The error of two field specs for one field with different values of `create`; `list` is the name
/// of the list in Kustomize's message: `NamePrefix fieldSpec`, or `labels`.
fn conflict(list: &str, incoming: &FieldSpec, existing: &FieldSpec) -> ManifestError {
    let FieldSpec { gvk, path, create } = incoming;
    let hint = format!(
        "`{path}` of {} has `create: {create}` here, but `create: {}` in an earlier field spec for {}",
        kind_or_every_kind(&gvk.kind),
        !create,
        kind_or_every_kind(&existing.gvk.kind)
    );
    let fault = format!("failed to merge {list}: conflicting fieldspecs");
    ManifestError::fault_at(fault, Mark::default()).with_hint(hint)
}

fn kind_or_every_kind(kind: &str) -> &str {
    if kind.is_empty() { "every kind" } else { kind }
}

/// Adds field specs to a list; true if the list changed. A spec is already present if the list
/// contains one with the same path whose type is selected by the new spec's type, so that a
/// wildcard never adds to a special type (section 4.1).
///
/// # Errors
/// The present spec has a different `create`; `list` is the name of the list in the message. The
/// error has no location.
pub fn merge_field_specs(
    into: &mut Vec<FieldSpec>,
    incoming: &[FieldSpec],
    list: &'static str,
) -> Result<bool, Box<ManifestError>> {
    if incoming.is_empty() {
        return Ok(false);
    }
    let before = into.len();
    let mut by_path: IndexMap<String, Vec<usize>> = IndexMap::new();
    for (at, spec) in into.iter().enumerate() {
        by_path.entry(spec.path.clone()).or_default().push(at);
    }
    for spec in incoming {
        let same_path = by_path.entry(spec.path.clone()).or_default();
        let covering = same_path
            .iter()
            .filter_map(|at| into.get(*at))
            .find(|existing| existing.gvk.is_selected_by(&spec.gvk));
        match covering {
            None => {
                same_path.push(into.len());
                into.push(spec.clone());
            }
            Some(existing) if existing.create == spec.create => {}
            Some(existing) => {
                return Err(Box::new(conflict(list, spec, existing)));
            }
        }
    }
    Ok(into.len() != before)
}

impl TransformerConfig {
    /// True if no list has a field spec.
    pub fn is_empty(&self) -> bool {
        self.name_reference.is_empty()
            && SpecList::ALL.iter().all(|list| self.list(*list).is_empty())
    }

    /// Sorts every list by type.
    pub fn sort(&mut self) {
        for list in SpecList::ALL {
            self.list_mut(*list).sort_by(|a, b| gvk_order(&a.gvk, &b.gvk));
        }
        self.name_reference.sort_by(|a, b| gvk_order(&a.gvk, &b.gvk));
    }

    fn merge(&mut self, incoming: &Self) -> Result<bool, Box<ManifestError>> {
        let mut changed = false;
        for list in SpecList::ALL {
            let (into, incoming) = (self.list_mut(*list), incoming.list(*list));
            changed |= merge_field_specs(into, incoming, list.title())?;
        }
        for reference in &incoming.name_reference {
            changed |= merge_reference(&mut self.name_reference, reference)?;
        }
        Ok(changed)
    }
}

/// Merges the field specs that refer to resources of one type into the list, which has one item for
/// each type; true if the list changed.
fn merge_reference(
    into: &mut Vec<NameReference>,
    incoming: &NameReference,
) -> Result<bool, Box<ManifestError>> {
    if let Some(same) = into.iter_mut().find(|existing| existing.gvk == incoming.gvk) {
        return merge_field_specs(
            &mut same.referrers,
            &incoming.referrers,
            "NameReference fieldSpec",
        );
    }
    into.push(incoming.clone());
    Ok(true)
}

impl TransformerConfig {
    /// This configuration with the field specs of another one added. If all of them are present, the
    /// result is this configuration, shared and not copied.
    ///
    /// # Errors
    /// Both configurations have a field spec for one field, with different values of `create`.
    pub fn merged(
        self: &Arc<Self>,
        incoming: &Arc<Self>,
        profile: Profile,
    ) -> Result<Arc<Self>, Box<ManifestError>> {
        let defaults = Self::shared_default(profile);
        if Arc::ptr_eq(self, incoming) && Arc::ptr_eq(self, &defaults) || incoming.is_empty() {
            return Ok(Arc::clone(self));
        }
        if self.is_empty() && Arc::ptr_eq(incoming, &defaults) {
            return Ok(defaults);
        }
        let mut merged = Self::clone(self);
        if !merged.merge(incoming)? {
            return Ok(Arc::clone(self));
        }
        merged.sort();
        Ok(Arc::new(merged))
    }

    /// The defaults with the `configurations` files of a layer, in order (Kustomize:
    /// `MakeTransformerConfig`).
    ///
    /// # Errors
    /// Two files, or a file and the defaults, have different values of `create`.
    pub fn with_files(
        files: impl IntoIterator<Item = Self>,
        profile: Profile,
    ) -> Result<Arc<Self>, Box<ManifestError>> {
        let mut custom = Arc::new(Self::default());
        for mut file in files {
            file.sort();
            custom = custom.merged(&Arc::new(file), profile)?;
        }
        Self::shared_default(profile).merged(&custom, profile)
    }
}

const DEFAULT_FIELD_SPECS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/field-specs/defaults.txt"));

type ChangeDefaults = fn(&mut TransformerConfig);

/// The switches that change the default field specs, with their changes. Bit n in the index of a
/// variant is switch n.
const SWITCH_CHANGES: [(Switch, ChangeDefaults); 3] = [
    (Switch::TemplatesIncludeClaims, add_template_claims),
    (Switch::NoImageVolumes, remove_image_volumes),
    (Switch::NoPolicyReference, remove_policy_reference),
];

static DEFAULT_VARIANTS: [OnceLock<Arc<TransformerConfig>>; 8] = [const { OnceLock::new() }; 8];

/// The default field specs, changed for each switch whose bit is set in `variant`.
fn default_variant(variant: usize) -> &'static Arc<TransformerConfig> {
    DEFAULT_VARIANTS[variant].get_or_init(|| {
        let mut config = read(DEFAULT_FIELD_SPECS);
        for (at, (_, change)) in SWITCH_CHANGES.into_iter().enumerate() {
            if variant >> at & 1 == 1 {
                change(&mut config);
            }
        }
        Arc::new(config)
    })
}

fn add_template_claims(config: &mut TransformerConfig) {
    let claims = std::mem::take(config.list_mut(SpecList::VolumeClaimTemplateLabels));
    let templates = config.list_mut(SpecList::TemplateLabels);
    templates.extend(claims.iter().cloned());
    templates.sort_by(|a, b| gvk_order(&a.gvk, &b.gvk));
    move_claims_first(config.list_mut(SpecList::CommonLabels), &claims);
}

fn remove_image_volumes(config: &mut TransformerConfig) {
    let images = config.list_mut(SpecList::Images);
    images.retain(|spec| !spec.path.ends_with("volumes[]/image/reference"));
}

fn remove_policy_reference(config: &mut TransformerConfig) {
    config.name_reference.retain(|one| &*one.gvk.kind != "ValidatingAdmissionPolicy");
}

/// Moves the specs of volume claim templates before the other specs of the same type: this is their
/// position if they are sorted as a part of the template specs.
fn move_claims_first(labels: &mut Vec<FieldSpec>, claims: &[FieldSpec]) {
    labels.retain(|spec| !claims.contains(spec));
    let kinds = |spec: &FieldSpec| claims.first().is_some_and(|claim| claim.gvk == spec.gvk);
    let at = labels.iter().position(kinds).unwrap_or(labels.len());
    labels.splice(at..at, claims.iter().cloned());
}

impl TransformerConfig {
    /// The field specs in force without any `configurations`, on the master branch.
    pub fn default_specs() -> Self {
        Self::clone(default_variant(0))
    }

    /// The default field specs, shared, so that layers without changes need no copy.
    pub fn shared_default(profile: Profile) -> Arc<Self> {
        let bits = SWITCH_CHANGES.iter().enumerate();
        let bits = bits.filter(|(_, (switch, _))| profile.has(*switch));
        let variant = bits.fold(0, |all, (at, _)| all | 1 << at);
        Arc::clone(default_variant(variant))
    }
}

fn read(data: &str) -> TransformerConfig {
    let mut config = TransformerConfig::default();
    let mut list: Option<&mut Vec<FieldSpec>> = None;
    for line in data.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(header) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            list = open(&mut config, header);
        } else if let (Some(list), Some(spec)) = (list.as_mut(), field_spec(line)) {
            list.push(spec);
        }
    }
    config
}

fn open<'a>(config: &'a mut TransformerConfig, header: &str) -> Option<&'a mut Vec<FieldSpec>> {
    if let Some(target) = header.strip_prefix("nameReference ") {
        let gvk = gvk(&mut target.split(' '))?;
        config.name_reference.push(NameReference { gvk, referrers: Vec::new() });
        return config.name_reference.last_mut().map(|last| &mut last.referrers);
    }
    Some(config.list_mut(SpecList::from_key(header)?))
}

fn field_spec(line: &str) -> Option<FieldSpec> {
    let mut words = line.split(' ');
    let gvk = gvk(&mut words)?;
    let path = words.next()?.to_owned();
    Some(FieldSpec { gvk, path, create: words.next() == Some("create") })
}

/// Reads a type from three words, in which `*` is an empty part.
fn gvk<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Gvk> {
    let mut part =
        || words.next().map(|word| if word == "*" { Arc::default() } else { word.into() });
    Some(Gvk { group: part()?, version: part()?, kind: part()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::Gvk;

    const MASTER: Profile = Profile::MASTER;

    fn spec(kind: &str, path: &str, create: bool) -> FieldSpec {
        let gvk = Gvk { kind: kind.into(), ..Gvk::default() };
        FieldSpec { gvk, path: path.into(), create }
    }

    fn config_with_specs(list: SpecList, specs: Vec<FieldSpec>) -> TransformerConfig {
        let mut config = TransformerConfig::default();
        *config.list_mut(list) = specs;
        config
    }

    fn config_with_references(name_reference: Vec<NameReference>) -> TransformerConfig {
        let mut config = TransformerConfig::default();
        config.name_reference = name_reference;
        config
    }

    #[test]
    fn a_wildcard_with_the_path_of_a_default_is_ignored() {
        let labels = vec![spec("", "spec/selector/matchLabels", true)];
        let merged = TransformerConfig::with_files(
            [config_with_specs(SpecList::CommonLabels, labels)],
            MASTER,
        );
        assert!(Arc::ptr_eq(
            &merged.expect("no conflict"),
            &TransformerConfig::shared_default(MASTER)
        ));
    }

    #[test]
    fn references_to_one_type_are_joined_and_new_types_appended() {
        let reference = |kind: &str| NameReference {
            gvk: Gvk::new("v1", kind),
            referrers: vec![spec("My", "spec/ref", false)],
        };
        let config = config_with_references(vec![reference("Secret"), reference("Other")]);
        let merged = TransformerConfig::with_files([config], MASTER).expect("no conflict");
        let before = TransformerConfig::shared_default(MASTER);
        assert_eq!(merged.name_reference.len(), before.name_reference.len() + 1);
        let secret = merged.name_reference.iter().find(|one| &*one.gvk.kind == "Secret");
        let last = secret.and_then(|one| one.referrers.last());
        assert_eq!(last, Some(&spec("My", "spec/ref", false)));
    }

    #[test]
    fn every_line_of_the_data_file_is_a_header_or_a_field() {
        let mut config = TransformerConfig::default();
        for line in
            DEFAULT_FIELD_SPECS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            let header = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            let known = header
                .map_or(field_spec(line).is_some(), |header| open(&mut config, header).is_some());
            assert!(known, "{line}");
        }
    }

    #[test]
    fn the_data_file_is_in_order() {
        let mut sorted = TransformerConfig::default_specs();
        sorted.sort();
        assert_eq!(sorted, TransformerConfig::default_specs());
    }
}
