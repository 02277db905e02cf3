use crate::manifest::{FieldSpec, NameReference, SpecList, TransformerConfig};
use crate::resource::Gvk;

use super::super::AffixTransformer;
use super::super::trial::TransformTrial;
use super::NameReferences;

fn specs() -> TransformerConfig {
    TransformerConfig::default_specs()
}

fn default_references() -> NameReferences {
    NameReferences::new(specs().name_reference)
}

fn prefix(text: &str) -> AffixTransformer {
    AffixTransformer::prefix(text, specs().list(SpecList::NamePrefix).to_vec())
}

const CONFIG: &str = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\n";
const POD: &str =
    "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {volumes: [{configMap: {name: c}}]}}\n";

/// Two bases with a prefix each, and a pod beside them.
fn two_bases() -> TransformTrial {
    let mut one = TransformTrial::from_text(CONFIG);
    one.run(&prefix("a-")).unwrap();
    let mut two = TransformTrial::from_text(CONFIG);
    two.run(&prefix("b-")).unwrap();
    let other = two.resources.iter().next().unwrap().1.clone();
    one.resources.append(other).unwrap();
    one.add(POD);
    one
}

#[test]
fn ambiguous_name_is_unchanged_with_a_warning() {
    let mut trial = two_bases();
    trial.run(&default_references()).unwrap();
    assert!(trial.text().contains("- configMap:\n      name: c\n"), "{}", trial.text());
    assert_eq!(trial.codes(), ["KZ113"]);
}

/// A reference keeps its name if a visible resource has this name now, whatever other resources
/// were renamed from it.
#[test]
fn current_name_of_a_visible_resource_is_kept() {
    let far = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: far}}\n";
    for (beside, codes) in [(CONFIG, vec![]), (far, vec!["KZ113"])] {
        let mut trial = two_bases();
        trial.add(beside);
        trial.run(&default_references()).unwrap();
        assert!(trial.text().contains("- configMap:\n      name: c\n"), "{}", trial.text());
        assert_eq!(trial.codes(), codes, "{beside}");
    }
}

/// The pod gets the outer prefix and suffix of both candidates, so that neither is preferred.
#[test]
fn ambiguous_name_is_an_error_if_all_prefixes_match() {
    let mut trial = two_bases();
    let specs = specs().list(SpecList::NameSuffix).to_vec();
    trial.run(&AffixTransformer::suffix("-s", specs)).unwrap();
    trial.run(&prefix("o-")).unwrap();
    let error = trial.run(&default_references()).err().unwrap().to_string();
    assert!(
        error.contains(
            "found multiple possible referrals: ConfigMap.v1.[noGrp]/o-a-c-s.[noNs], \
             ConfigMap.v1.[noGrp]/o-b-c-s.[noNs]"
        ),
        "{error}"
    );
}

/// Two entries of the table may lead to one field: a reference that the first entry leaves
/// unchanged may be changed by the second, and then needs no warning.
#[test]
fn reference_changed_by_another_path_is_not_reported() {
    let reference = |kind: &str, path: &str| NameReference {
        gvk: Gvk::new("v1", kind),
        referrers: vec![FieldSpec {
            gvk: Gvk::new("v1", "Foo"),
            path: path.to_owned(),
            create: false,
        }],
    };
    let mut table =
        vec![reference("ConfigMap", "spec/refs/name"), reference("Secret", "spec/refs[]/name")];
    for (last, codes) in [("Secret", vec![]), ("Other", vec!["KZ113"])] {
        table[1].gvk = Gvk::new("v1", last);
        let mut trial = TransformTrial::from_text(
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: far}}\n",
        );
        trial.add("{apiVersion: v1, kind: Secret, metadata: {name: c}}\n");
        trial.add("{apiVersion: v1, kind: Foo, metadata: {name: f}, spec: {refs: [{name: c}]}}\n");
        trial.run(&prefix("p-")).unwrap();
        trial.run(&NameReferences::new(table.clone())).unwrap();
        assert_eq!(trial.codes(), codes, "{}", trial.text());
    }
}
