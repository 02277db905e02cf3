//! The output of transformers, compared with that of Kustomize for the same input.

mod rules;

use crate::manifest::{Label, Marked, Pairs, TransformerConfig};
use crate::profile::Profile;
use crate::yaml::Mark;

use super::trial::TransformTrial;
use super::*;

fn specs() -> TransformerConfig {
    TransformerConfig::default_specs()
}

fn to_pairs(pairs: &[(&str, &str)]) -> Pairs {
    let placed = |value: &str| Marked { value: value.to_owned(), mark: Mark::default() };
    pairs.iter().map(|(key, value)| ((*key).to_owned(), placed(value))).collect()
}

/// A Deployment with every third of `count` labels, and a second `k3`; the values are quoted.
fn labelled(count: usize) -> String {
    let labels: String = (0..count).step_by(3).map(|at| format!("k{at}: 'v{at}', ")).collect();
    let head = "apiVersion: apps/v1\nkind: Deployment\n";
    format!(
        "{head}metadata: {{name: d, labels: {{{labels}k3: again}}}}\nspec: {{template: {{}}}}\n"
    )
}

#[test]
fn batched_labels_equal_single_labels() {
    let label = Label { include_selectors: true, ..Label::default() };
    let (fields, _) = label_specs(&label, &specs(), (Profile::MASTER, Mark::default())).unwrap();
    let texts: Vec<_> = (0..40).map(|at| (format!("k{at:02}"), format!("v{}", at % 30))).collect();
    let pairs: Vec<(&str, &str)> = texts.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    let (mut at_once, mut one_by_one) =
        (TransformTrial::from_text(&labelled(60)), TransformTrial::from_text(&labelled(60)));
    at_once.run(&PairsTransformer::new(to_pairs(&pairs), fields.clone())).unwrap();
    for pair in &pairs {
        one_by_one.run(&PairsTransformer::new(to_pairs(&[*pair]), fields.clone())).unwrap();
    }
    let node = |trial: &TransformTrial| {
        let (_, resource) = trial.resources.iter().next().unwrap();
        (resource.node.clone(), resource.shared.clone())
    };
    assert_eq!(node(&at_once), node(&one_by_one));
}

/// So many labels that a linear search for each of them would take minutes.
#[test]
fn many_labels_are_set_in_linear_time() {
    let count = 30_000;
    let label = Label { include_templates: true, ..Label::default() };
    let (fields, _) = label_specs(&label, &specs(), (Profile::MASTER, Mark::default())).unwrap();
    let texts: Vec<_> = (0..count).map(|at| (format!("k{at}"), format!("w{at}"))).collect();
    let pairs: Vec<(&str, &str)> = texts.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    let mut trial = TransformTrial::from_text(&labelled(count));
    trial.run(&PairsTransformer::new(to_pairs(&pairs), fields.clone())).unwrap();
    trial.run(&PairsTransformer::new(to_pairs(&pairs[..1]), fields)).unwrap();
    let (_, resource) = trial.resources.iter().next().unwrap();
    for path in [&["metadata"][..], &["spec", "template", "metadata"]] {
        let labels = resource.node.at(path).and_then(|metadata| metadata.get("labels"));
        assert!(labels.unwrap().entries().len() >= count);
    }
}
