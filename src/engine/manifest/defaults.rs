//! Kustomize's default field specs (section 7), read once from the data file in `assets`.

use std::sync::{Arc, OnceLock};

use crate::profile::{Profile, Switch};
use crate::resource::Gvk;

use super::kind_order::gvk_order;
use super::{FieldSpec, NameReference, SpecList, TransformerConfig};

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
