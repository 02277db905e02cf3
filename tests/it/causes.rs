//! Errors can be matched as values, without parsing texts.

use std::path::Path;

use kzui::cli::{ProfileSettings, with_target_profiles};
use kzui::engine::diagnostic::{Code, Fault, LayerFault, PluginFault};
use kzui::engine::evaluate::{BuildCache, BuildOptions, BuildWarning, ErrorCause, Ports, evaluate};
use kzui::engine::load::MemoryFiles;
use kzui::engine::plugin::{Trust, TrustedCatalog};
use kzui::engine::resource::{
    NotAResource, NotAResourceCause, RegexFault, SchemaFault, SelectorError,
};

/// The cause of the failure of a kustomization with an `r.yaml`.
fn cause(kustomization: &str, resources: &str) -> ErrorCause {
    let files = MemoryFiles::default()
        .file("/w/kustomization.yaml", kustomization)
        .file("/w/schema.json", r#"{"definitions": []}"#)
        .file("/w/r.yaml", resources);
    cause_in(files, &BuildOptions { enable_alpha_plugins: true, ..BuildOptions::default() })
}

/// The cause of the failure of the target in `/w`.
fn cause_in(files: MemoryFiles, options: &BuildOptions) -> ErrorCause {
    let ports = Ports::of_files(files);
    let built = evaluate(".", Path::new("/w"), options, &ports, &mut BuildCache::disabled());
    built.outcome.expect_err("it fails").cause.clone()
}

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
const RESOURCES: &str = "resources: [r.yaml]\n";

#[test]
fn error_about_a_non_resource_names_the_missing_field() {
    let ErrorCause::Fault(Fault::NotAResource(NotAResource {
        oddity: NotAResourceCause::NoName(seen),
        mark,
    })) = cause(RESOURCES, "apiVersion: v1\nkind: ConfigMap\nmetadata: {labels: {a: b}}\n")
    else {
        panic!("another cause");
    };
    assert_eq!((&*seen, mark.line), ("{{v1 ConfigMap} {{ } map[a:b] map[]}}", 1));
    let list = cause(RESOURCES, "kind: FooList\nmetadata: {name: a}\nitems: 5\n");
    assert!(
        matches!(
            &list,
            ErrorCause::Fault(Fault::NotAResource(NotAResource {
                oddity: NotAResourceCause::ItemsNoList { found: "int", .. },
                ..
            }))
        ),
        "{list:?}"
    );
}

#[test]
fn selector_error_has_its_invalid_part() {
    let with = |target: &str| {
        let patch = r#"[{"op": "add", "path": "/data", "value": {}}]"#;
        cause(&format!("{RESOURCES}patches:\n- target: {target}\n  patch: '{patch}'\n"), MAP)
    };
    assert_eq!(
        with("{name: 'a(b'}"),
        ErrorCause::Selector(SelectorError::Regex(RegexFault {
            cause: "missing closing )".to_owned(),
            part: "^(?:a(b)$".to_owned(),
            is_too_large: false,
        }))
    );
    let ErrorCause::Selector(SelectorError::Labels(fault)) = with("{labelSelector: 'a=b/c'}")
    else {
        panic!("another cause");
    };
    let start = r#"unable to parse requirement: invalid label value: "b/c": at key: "a": a valid"#;
    assert!(fault.starts_with(start), "{fault}");
}

#[test]
fn schema_error_has_its_location() {
    let found = cause(
        &format!("{RESOURCES}openapi: {{path: schema.json}}\n"),
        &MAP.replace("v1", "a.io/v1"),
    );
    let ErrorCause::Fault(Fault::Layer(LayerFault::BadSchema(SchemaFault { file, error, .. }))) =
        found
    else {
        panic!("another cause: {found:?}");
    };
    let error = error.to_string();
    let expected = "invalid schema file: definitions is an array; an object is expected";
    assert_eq!((&*file, &*error), ("schema.json", expected));
}

#[test]
fn repository_settings_fault_has_its_cause() {
    let with = |text: &str| {
        let files = MemoryFiles::default()
            .file("/w/kustomization.yaml", RESOURCES)
            .file("/w/r.yaml", MAP)
            .file("/w/.kzui.toml", text);
        let options =
            with_target_profiles(BuildOptions::default(), None, &ProfileSettings::default());
        let found = cause_in(files, &options);
        let ErrorCause::Fault(Fault::Layer(LayerFault::RepositorySettings(fault))) = found else {
            panic!("another cause: {found:?}");
        };
        fault.to_string()
    };
    let fault = with("like = \"argocd-3.21\"\n");
    let start =
        "/w/.kzui.toml: unknown version profile \"argocd-3.21\"; did you mean one of argocd-3.2,";
    assert!(fault.starts_with(start), "{fault}");
    let fault = with("like = \"v5.6.0\"\nenable_exec = true\n");
    assert!(fault.starts_with("/w/.kzui.toml:2: unknown field"), "{fault}");
}

#[test]
fn refused_function_has_its_cause() {
    let with = |object: &str| {
        let object = format!("apiVersion: x/v1\n  kind: Fn\n  metadata: {{name: f{object}");
        let found = cause(&format!("{RESOURCES}transformers:\n- |-\n  {object}\n"), MAP);
        match found {
            ErrorCause::Fault(Fault::Plugin(PluginFault::Refused(cause))) => cause.to_string(),
            found => panic!("another cause: {found:?}"),
        }
    };
    let annotated =
        |text: &str| with(&format!(", annotations: {{config.kubernetes.io/function: '{text}'}}}}"));
    assert_eq!(annotated("exec: {path: ./f}"), "exec function 'Fn/f (x/v1)' needs --enable-exec");
    assert_eq!(
        annotated("container: {images: f}"),
        "config.kubernetes.io/function.container: unknown field \"images\""
    );
}

/// The reason why the function `Fn/f`, configured with this `spec`, does not run. `catalog` is the
/// text of a trusted catalog; if it is empty, no catalog defines the function.
fn refused_by_catalog(spec: &str, catalog: &str) -> String {
    let flag = TrustedCatalog::parse("catalog.yaml", Path::new("/w")).unwrap();
    let files = MemoryFiles::default()
        .file("/w/kustomization.yaml", "transformers: [f.yaml]\ncatalogs: [catalog.yaml]\n")
        .file("/w/f.yaml", format!("apiVersion: x.y/v1\nkind: Fn\nmetadata: {{name: f}}\n{spec}"));
    let files = if catalog.is_empty() { files } else { files.file("/w/catalog.yaml", catalog) };
    let trust = Trust { flags: vec![flag], ..Trust::default() };
    let options = BuildOptions { enable_alpha_plugins: true, trust, ..BuildOptions::default() };
    match cause_in(files, &options) {
        ErrorCause::Fault(Fault::Plugin(PluginFault::Refused(cause))) => cause.to_string(),
        found => panic!("another cause: {found:?}"),
    }
}

const CATALOG: &str = "\
apiVersion: config.kubernetes.io/v1alpha1
kind: Catalog
spec:
  krmFunctions:
  - group: x.y
    names: {kind: Fn}
    versions:
    - name: v1
      runtime: {starlark: f.star}
      schema:
        openAPIV3Schema:
          properties:
            spec: {properties: {ports: {items: {type: integer}}}}
";

#[test]
fn function_without_a_readable_catalog_or_script_says_why() {
    assert_eq!(
        refused_by_catalog("spec: {ports: [1, x]}\n", CATALOG),
        "Fn/f (x.y/v1): spec.ports[1]: expected integer, got string (schema of catalog.yaml)"
    );
    let unread =
        "catalog 'catalog.yaml' is needed to resolve Fn/f (x.y/v1) but could not be read: ";
    assert!(refused_by_catalog("", "").starts_with(unread));
    let other = CATALOG.replace("kind: Catalog", "kind: Cat");
    let kinds = "kind: expected Catalog, KRMFunctionCatalog or KRMFunctionDefinition, got \"Cat\"";
    assert_eq!(refused_by_catalog("", &other), format!("{unread}{kinds}"));
    let missing = refused_by_catalog("", CATALOG);
    let unreadable = "starlark function Fn/f (x.y/v1): 'f.star' cannot be read: ";
    assert!(missing.starts_with(unreadable), "{missing}");
}

/// A warning on standard error comes from a diagnostic, and is reported once.
#[test]
fn build_warning_has_its_code() {
    let label = |name: &str| {
        format!("- kind: LabelTransformer\n  metadata: {{name: {name}}}\n  labels: {{{name}: x}}\n")
    };
    let composition = format!(
        "transformers:\n- kind: ResourceAccumulator\n  paths: [r.yaml]\n{}{}",
        label("a"),
        label("b")
    );
    let files = MemoryFiles::default()
        .file("/w/composition.yaml", composition.as_str())
        .file("/w/r.yaml", MAP);
    let (options, ports) = (BuildOptions::default(), Ports::of_files(files));
    let built = evaluate(".", Path::new("/w"), &options, &ports, &mut BuildCache::disabled());
    let told: Vec<_> = built.warnings.iter().collect();
    let [BuildWarning::InFile { place: Some((file, line)), diagnostic }] = &*told else {
        panic!("{told:?}");
    };
    assert_eq!((&**file, *line, diagnostic.code()), ("composition.yaml", 4, Code::KZ503));
    let step = built.trace.steps.iter().flat_map(|step| &step.warnings);
    assert_eq!(step.filter(|said| said.remark == diagnostic.remark).count(), 1);
}
