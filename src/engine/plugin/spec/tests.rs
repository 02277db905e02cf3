use super::*;
use crate::yaml::parse_nodes;

fn config(text: &str) -> Node {
    parse_nodes(text.as_bytes()).unwrap().remove(0)
}

fn read(text: &str) -> Result<Option<FunctionSpec>, String> {
    declared_runtime(&config(text), RuntimeField::IfRuntimeShaped)
        .map(|stated| stated.spec)
        .map_err(|error| error.to_string())
}

#[expect(clippy::unnecessary_wraps, reason = "what is compared is optional")]
fn image(name: &str) -> Option<FunctionSpec> {
    Some(FunctionSpec { location: name.to_owned(), ..FunctionSpec::default() })
}

#[test]
fn runtime_is_read_from_all_annotations_and_fields() {
    for text in [
        "metadata: {annotations: {config.kubernetes.io/function: 'container: {image: a}'}}",
        "metadata: {annotations: {config.k8s.io/function: 'container: {image: a}'}}",
        "metadata: {configFn: {container: {image: a}}}",
        "metadata: {annotations: {config.kubernetes.io/container: a}}",
        "runtime: {container: {image: a}}",
    ] {
        assert_eq!(read(text), Ok(image("a")), "{text}");
    }
    assert_eq!(read("spec: {}"), Ok(None));
}

#[test]
fn invalid_runtimes_are_refused() {
    let table = [
        (
            "runtime: {container: {image: a}, exec: {path: ./b}}",
            "runtime must set exactly one of container, exec, starlark",
        ),
        ("runtime: {container: {image: ''}}", "runtime.container.image is empty"),
        ("runtime: {exec: {}}", "runtime.exec.path is empty"),
        ("runtime: {exec: {path: ./a, shell: true}}", "runtime.exec: unknown field \"shell\""),
        (
            "runtime: {exec: {path: ./a, sha256: abc}}",
            "runtime.exec: sha256 must be 64 hexadecimal digits",
        ),
        (
            "runtime: {starlark: {path: a, url: b}}",
            "runtime.starlark: path and url are mutually exclusive",
        ),
        (
            "metadata: {annotations: {config.kubernetes.io/function: 'wasm: {}'}}",
            "config.kubernetes.io/function: unknown field \"wasm\"",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(read(text), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn unknown_runtime_field_is_ignored_in_a_kustomization() {
    assert_eq!(read("runtime: {name: java, version: 17}"), Ok(None));
    assert_eq!(read("runtime: {deferFailure: true}"), Ok(None));
    let error = declared_runtime(&config("runtime: {name: java}"), RuntimeField::Reserved);
    assert_eq!(error.unwrap_err().to_string(), "runtime: unknown field \"name\"");
}

#[test]
fn field_and_annotation_must_agree() {
    let both = |annotated: &str| {
        let text = format!(
            "metadata: {{annotations: {{config.kubernetes.io/function: 'container: {{image: {annotated}}}'}}}}\n\
             runtime: {{container: {{image: a}}}}"
        );
        declared_runtime(&config(&text), RuntimeField::Reserved)
    };
    let stated = both("a").unwrap();
    assert_eq!((stated.spec, stated.warnings.len()), (image("a"), 1));
    assert!(both("b").unwrap_err().to_string().ends_with("are set and differ; keep one"));
}
