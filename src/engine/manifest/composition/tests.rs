use super::*;
use crate::yaml::print_preserving_style;

fn decode(text: &str) -> Result<Composition, CompositionError> {
    decode_composition(text.as_bytes(), SourceId(1))
}

fn problems(text: &str) -> Vec<String> {
    match decode(text) {
        Err(CompositionError::Invalid(problems)) => problems
            .iter()
            .map(|problem| format!("{}: {}: {}", problem.mark.line, problem.pointer, problem.wrong))
            .collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn kinds_are_converted_to_kebab_case() {
    let cases = [
        ("JavaApplication", "java-application"),
        ("HTTPLoadBalancer", "http-load-balancer"),
        ("IAMPolicyGenerator", "iam-policy-generator"),
        ("PatchJson6902Transformer", "patch-json6902-transformer"),
        ("MyCRD", "my-crd"),
        ("S3Bucket", "s3-bucket"),
        ("K8sJob", "k8s-job"),
        ("X", "x"),
        ("_My  Kind_", "my-kind"),
    ];
    for (kind, want) in cases {
        assert_eq!(kebab(kind), want, "{kind}");
    }
}

#[test]
fn every_error_of_a_file_is_reported_at_once_with_its_line() {
    let text = "\
transformersfrom: []
transformersFrom:
- path: a
  mode: x
transformers:
- kind: LabelTransformer
  metadata: {owner: me}
- 7
transformerOrder:
- kind: X
";
    assert_eq!(
        problems(text),
        [
            "1: /transformersfrom: field transformersfrom is not a Composition field; did you mean 'transformersFrom'?",
            "4: /transformersFrom/0/mode: transformersFrom[0]: field mode not found",
            "7: /transformers/0/metadata/owner: transformers[0].metadata: field owner not allowed",
            "8: /transformers/1: transformers[1]: expected a mapping or a path, got a number",
            "10: /transformerOrder/0: failed to sort transformers: transformerOrder[0]: transformer identifier must include a name",
        ]
    );
}

#[test]
fn duplicate_keys_are_refused() {
    let found = problems("transformers:\n- kind: HashTransformer\n  kind: HashTransformer\n");
    assert_eq!(found, ["3: /transformers/0/kind: key 'kind' is already set"]);
}

#[test]
fn runtime_is_checked_and_not_accepted_for_built_in_kinds() {
    let entry = |runtime: &str| {
        format!("transformers:\n- apiVersion: a.b/v1\n  kind: K\n  runtime: {runtime}\n")
    };
    for (runtime, want) in [
        (
            "{}",
            "runtime: transformers[0]: runtime must set exactly one of container, exec, starlark",
        ),
        ("{wasm: {}}", "runtime: transformers[0].runtime: unknown field \"wasm\""),
        (
            "{container: {image: a, privileged: true}}",
            "runtime/container: transformers[0].runtime.container: unknown field \"privileged\"",
        ),
    ] {
        assert_eq!(problems(&entry(runtime)), [format!("4: /transformers/0/{want}")]);
    }
    assert!(decode(&entry("{starlark: {url: https://a.b/c}, deferFailure: true}")).is_ok());
    let built_in = "transformers:\n- kind: HashTransformer\n  runtime: {exec: {path: x}}\n";
    assert!(problems(built_in)[0].ends_with("is built in; remove 'runtime'"));
}

fn merge_configurations(base: &str, over: &str) -> String {
    let list = |text: &str| {
        let text = text.replace('\n', "\n  ");
        let composition = decode(&format!(
            "transformersFrom: [{{path: x}}]\ntransformerOverrides:\n- apiVersion: a.b/v1\n  kind: K\n  {text}\n"
        ))
        .unwrap();
        match &composition.overrides[0].item {
            Item::Config(config) => CanonicalConfig::clone(config),
            Item::Text(_) => panic!("a mapping"),
        }
    };
    match merge_override(&list(base), &list(over), None) {
        Ok(MergedEntry::Changed(node)) => {
            let text = print_preserving_style(&node);
            text.split_once("name: k\n").unwrap().1.to_owned()
        }
        Ok(MergedEntry::Removed) => panic!("removed"),
        Err(word) => format!("error {word}"),
    }
}

#[test]
fn directives_and_another_runtime_replace() {
    let base = "spec: {a: 1}";
    assert_eq!(merge_configurations(base, "spec: {$patch: replace, z: 1}"), "spec: {z: 1}\n");
    assert_eq!(merge_configurations(base, "spec: {$patch: shake}"), "error shake");
    let runtime = "runtime: {container: {image: a, network: true}}";
    assert_eq!(
        merge_configurations(runtime, "runtime: {container: {image: b}}"),
        "runtime: {container: {image: b}}\n"
    );
}
