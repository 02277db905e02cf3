//! Documents that exist as JSON and as YAML have the same content in both.

use serde_json::Value;

use super::json;
use crate::support::{demo, kzui};

fn assert_json_equals_yaml(arguments: &[&str], (as_json, as_yaml): (&str, &str)) {
    let ask = |form: &str| {
        let words = arguments.iter().map(|word| match word.strip_prefix("demo:") {
            Some(name) => demo(name),
            None => word.into(),
        });
        let words: Vec<_> = words.chain(form.split(' ').map(Into::into)).collect();
        let answer = kzui(&words);
        assert!(!answer.out.is_empty(), "{arguments:?} {form}: {}", answer.err);
        answer.out
    };
    let (one, other) = (ask(as_json), ask(as_yaml));
    let yaml: Value = serde_yaml::from_str(&other).unwrap_or_else(|e| panic!("{e} in {other}"));
    assert_eq!(yaml, json(&one), "{arguments:?}");
}

#[test]
fn yaml_output_equals_json_output() {
    for target in
        ["demo:shop/overlays/production", "demo:components/overlays/dev", "demo:platform/staging"]
    {
        // Masked values differ from process to process: the diff is compared without masks.
        for flags in [&[][..], &["--diff", "--show-secrets"], &["--step", "2"]] {
            let arguments = [&["trace", target][..], flags].concat();
            assert_json_equals_yaml(&arguments, ("--json", "--yaml"));
        }
    }
    assert_json_equals_yaml(&["trace", "/no/such/folder"], ("--json", "--yaml"));
    for catalog in ["demo:platform/catalog/catalog.yaml", "demo:platform/catalog/catalog-v2.yaml"] {
        assert_json_equals_yaml(&["view", "catalog", catalog], ("-o json", "-o yaml"));
    }
    assert_json_equals_yaml(
        &["consolidate", "demo:platform/staging"],
        ("-o json", "-o yaml --provenance none"),
    );
}
