//! Single rules and their error texts.

use super::super::trial::{STEP, TransformTrial};
use super::super::*;
use super::{specs, to_pairs};
use crate::manifest::{Builtin, FieldSpec, PlainType, SpecList, plain_builtins};

#[test]
fn wrong_node_kind_error_names_field() {
    let text =
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {l: [{a: c}, b], m: null}}\n";
    let fail = |path: &str| {
        let fields = vec![FieldSpec { path: path.into(), create: true, ..Default::default() }];
        let label = PairsTransformer::new(to_pairs(&[("a", "b")]), fields);
        let mut trial = TransformTrial::from_text(text);
        trial.run(&label).map(|trial| trial.text()).map_err(|error| error.to_string())
    };
    assert_eq!(
        fail("spec/l").unwrap_err(),
        "considering field 'spec/l' of object Pod.v1.[noGrp]/p.[noNs]: wrong node kind: expected \
         MappingNode but got SequenceNode: node contents:\n[{a: c}, b]"
    );
    assert_eq!(
        fail("spec/l//m").unwrap_err(),
        "considering field 'spec/l//m' of object Pod.v1.[noGrp]/p.[noNs]: visit traversal on path: \
         [ m]: cannot set or create an empty field name"
    );
    assert!(fail("spec/m/x\\/y[]").unwrap().contains("m: {}\n"));
    assert!(fail("spec/m/x\\/y").unwrap().contains("m:\n    x/y:\n      a: b\n"));
}

#[test]
fn written_values_are_attributed_to_the_step() {
    let mut trial = TransformTrial::from_text(
        "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {a: b}}}\n",
    );
    let label = PairsTransformer::new(
        to_pairs(&[("a", "b"), ("c", "d")]),
        specs().list(SpecList::TemplateLabels).to_vec(),
    );
    trial.run(&label).unwrap();
    let resource = trial.resources.iter().next().unwrap().1;
    let mark = |key: &str| resource.node.at(&["metadata", "labels", key]).unwrap().mark;
    assert_eq!(mark("c"), STEP);
    // Unchanged values are attributed to the step too.
    assert_eq!(mark("a"), STEP);
}

#[test]
fn every_plain_transformer_is_created_from_its_field() {
    for builtin in Builtin::ALL {
        let is_made = plain_transformer(*builtin).is_some();
        assert_eq!(is_made, matches!(builtin, plain_builtins!()), "{builtin:?}");
        assert_eq!(is_made, builtin.plain().is_some(), "{builtin:?}");
        let is_argument = |plain: &PlainType| builtin.fields().contains(&plain.key);
        assert!(builtin.plain().is_none_or(is_argument), "{builtin:?}");
    }
}
