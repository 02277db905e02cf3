use super::*;
use crate::yaml::SourceId;

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
