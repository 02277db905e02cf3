//! Bad inputs with Kustomize's texts (seen with v5.5.0), and the results of good ones.

use indexmap::IndexMap;

use super::*;
use crate::manifest::{FieldSpec, Kustomization, KustomizationField, SpecList, TransformerConfig};
use crate::profile::Profile;
use crate::resource::{Behavior, Gvk};
use crate::yaml::{Limits, Node, SourceId, parse_documents};

const SOURCE: SourceId = SourceId(1);

fn decode(text: &str) -> Result<Kustomization, ManifestError> {
    decode_kustomization(text.as_bytes(), SOURCE, Profile::MASTER)
}

fn decode_valid(text: &str) -> Kustomization {
    decode(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn expect_error<T>(result: Result<T, ManifestError>) -> ManifestError {
    result.err().expect("an error")
}

/// Asserts that a text is refused with this error; an empty error accepts the text.
#[track_caller]
fn assert_error(text: &str, expected: &str) {
    let error = decode(text).err().map(|error| error.to_string()).unwrap_or_default();
    let expected = expected.replace("CANNOT", "json: cannot unmarshal");
    let expected = match expected.strip_prefix("json") {
        Some(rest) => format!("invalid Kustomization: json{rest}"),
        None => expected,
    };
    assert_eq!(error, expected, "{text}");
}

#[test]
fn errors_of_bad_values_are_those_of_go() {
    for line in include_str!("bad-values.txt").lines().filter(|line| !line.starts_with('#')) {
        let (text, expected) = line.split_once(" => ").expect("two parts");
        assert_error(&text.replace("\\n", "\n"), expected);
    }
}

#[test]
fn deprecated_fields_are_moved_and_warned_about_in_order() {
    let k = decode_valid(
        "vars: []\nresources: [a]\nbases: [b]\nimages: [{name: a}]\nimageTags: [{name: b}]\n\
         commonLabels: {}\npatchesStrategicMerge: []\npatchesJson6902: []\n",
    );
    let fields: Vec<&str> = k.deprecated.iter().map(|one| one.field).collect();
    let order =
        ["bases", "commonLabels", "imageTags", "patchesJson6902", "patchesStrategicMerge", "vars"];
    assert_eq!(fields, order);
    assert_eq!(
        k.deprecated[5].to_string(),
        "'vars' is deprecated. Please use 'replacements' instead. [EXPERIMENTAL] Run 'kustomize edit fix' \
         to update your Kustomization automatically."
    );
    assert_eq!((k.deprecated[0].mark.line, k.deprecated[0].mark.column), (3, 1));
    let resources: Vec<&str> = k.resources.iter().map(|one| &*one.value).collect();
    assert_eq!(resources, ["a", "b"]);
    let [name] = k.plain_entries(KustomizationField::Images)[1].value.values();
    assert_eq!(name.value, "b");
    assert!(decode_valid("vars:\nresources: []\n").deprecated.is_empty(), "null is not in use");
}

#[test]
fn old_generator_and_chart_fields_are_converted() {
    let k = decode_valid(
        "configMapGenerator:\n- name: a\n  env: e\n  envs: [f]\n  behavior: add\n\
         helmChartInflationGenerator:\n- {chartName: old, helmHome: h, values: v.yaml, releaseNamespace: x}\n\
         helmCharts:\n- name: new\n",
    );
    let args = &k.config_map_generator[0].value;
    let envs: Vec<&str> = args.envs.iter().map(|env| &*env.value).collect();
    assert_eq!((envs, args.behavior), (vec!["f", "e"], Behavior::Unspecified));
    assert_eq!((k.config_map_generator[0].mark.line, args.envs[1].mark.line), (2, 3));
    let charts: Vec<&str> = k.helm_charts.iter().map(|chart| &*chart.value.name).collect();
    assert_eq!(charts, ["new", "old"]);
    assert_eq!(k.helm_charts[1].value.values_file, "v.yaml");
    assert_eq!(k.helm_globals.map(|globals| globals.config_home), Some("h".to_owned()));
}

#[test]
fn counts_are_json_integers() {
    let count = |text: &str| {
        let k = decode_valid(&format!("replicas: [{{count: {text}}}]"));
        let [_, count] = k.plain_entries(KustomizationField::Replicas)[0].value.values();
        count.value
    };
    let counts = ["1e3", "0x10", "010", "null"].map(count);
    assert_eq!(counts, ["1000", "16", "8", ""]);
}

#[test]
fn openapi_lists_are_accepted_and_recorded() {
    let k = decode_valid("openapi:\n  path: [a, b]\n  extraPaths: c\n  mode: merge\n");
    let map: Vec<(&str, &str)> =
        k.openapi.value.iter().map(|(key, value)| (&**key, &**value)).collect();
    assert_eq!(map, [("extraPaths", "b\nc"), ("mode", "merge"), ("path", "a")]);
    assert_eq!(k.openapi_lists.len(), 1);
    assert_eq!(k.openapi_lists[0].value, "path");
}

#[test]
fn configurations_are_strict_and_lenient_where_kustomize_is() {
    let text = |text: &str| {
        decode_configuration(text.as_bytes(), SOURCE, Profile::MASTER)
            .map_err(|error| error.to_string())
    };
    let prefix = "error unmarshaling JSON: while decoding JSON: json: ";
    let unknown = format!("{prefix}unknown field \"foo\"");
    assert_eq!(text("foo: 1\n").err(), Some(unknown));
    let list = "cannot unmarshal number into Go struct field TransformerConfig.namePrefix of type types.FsSlice";
    assert_eq!(text("namePrefix: 1\n").err(), Some(format!("{prefix}{list}")));
    let twice = "error converting YAML to JSON: yaml: unmarshal errors:\n  line 3: key \"path\" already set in map";
    assert_eq!(text("namePrefix:\n- path: a\n  path: b\n").err(), Some(twice.to_owned()));
    assert_eq!(text(""), Ok(TransformerConfig::default()));
    let config = text("nameReference:\n- kind: Bee\n  fieldSpecs: [{path: 1, kind: A}]\n");
    let config = config.expect("a configuration");
    assert_eq!(config.name_reference[0].referrers[0].path, "1", "numbers become texts");
}

const CRDS: &str = r#"
github.com/example/v1.Bee:
  Schema:
    properties:
      apiVersion: {type: string}
      kind: {type: string}
      metadata: {$ref: k8s.io/ObjectMeta}
      spec: {$ref: github.com/example/v1.BeeSpec}
github.com/example/v1.BeeSpec:
  Schema:
    properties:
      secretRef: {x-kubernetes-object-ref-api-version: v1, x-kubernetes-object-ref-kind: Secret}
      cmRef: {x-kubernetes-object-ref-api-version: v1, x-kubernetes-object-ref-kind: ConfigMap,
        x-kubernetes-object-ref-name-key: nom}
      ann: {x-kubernetes-annotation: ""}
      lab: {x-kubernetes-label-selector: ""}
      lab2: {x-kubernetes-label-selector: true}
      id: {x-kubernetes-identity: "", X-Kubernetes-Annotation: ""}
      self: {$ref: github.com/example/v1.BeeSpec}
      inner: {properties: {a: {x-kubernetes-annotation: ""}}}
"#;

#[test]
fn crds_describe_fields_by_their_extensions() {
    let config = decode_crds(CRDS.as_bytes(), SOURCE, "crd.yaml").expect("definitions");
    let spec = |path: &str| {
        let gvk = Gvk { kind: "Bee".into(), ..Gvk::default() };
        FieldSpec { gvk, path: path.into(), create: false }
    };
    assert_eq!(config.list(SpecList::CommonAnnotations), [spec("spec/ann")]);
    assert_eq!(config.list(SpecList::CommonLabels), [spec("spec/lab")]);
    assert_eq!(config.list(SpecList::NamePrefix), [spec("spec/id")]);
    let references: IndexMap<&str, &[FieldSpec]> =
        config.name_reference.iter().map(|one| (&*one.gvk.kind, &*one.referrers)).collect();
    assert_eq!(references["Secret"], [spec("spec/secretRef/name")]);
    assert_eq!(references["ConfigMap"], [spec("spec/cmRef/nom")]);
}

#[test]
fn exponential_definition_references_are_refused() {
    let mut text = String::from(
        "A: {Schema: {properties: {kind: {}, apiVersion: {}, metadata: {}, s: {$ref: d0}}}}\n",
    );
    for n in 1..60 {
        let one = format!(
            "d{}: {{Schema: {{properties: {{a: {{$ref: d{n}}}, b: {{$ref: d{n}}}}}}}}}\n",
            n - 1
        );
        text.push_str(&one);
    }
    let error = expect_error(decode_crds(text.as_bytes(), SOURCE, "crd.yaml"));
    assert!(error.to_string().ends_with("the definitions refer to each other too often"));
}

#[test]
fn crd_manifest_as_definition_is_an_error_with_hint() {
    let text = b"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    let error = expect_error(decode_crds(text, SOURCE, "crd.yaml"));
    assert_eq!(
        error.to_string(),
        "unable to parse open API definition from 'crd.yaml': json: cannot unmarshal string into Go value of type \
         accumulator.OpenAPIDefinition"
    );
    assert!(error.hint.expect("a hint").to_string().contains("`configurations`"));
}

#[test]
fn replacement_file_contains_one_replacement_or_a_list() {
    let decode = |text: &str| decode_replacements(text.as_bytes(), SOURCE, Profile::MASTER);
    let all = decode("- source: {kind: A, fieldPath: 1}\n- foo: 1\n").expect("a list");
    assert_eq!(all[0].value.source.as_ref().expect("a source").field_path, "1");
    assert_eq!((all.len(), all[1].mark.line, all[1].value.targets.is_none()), (2, 2, true));
    assert_eq!(decode("targets: []\n").expect("one")[0].value.targets, Some(Vec::new()));
    for (text, found) in [("x", "string"), ("1", "number"), ("", "invalid"), ("~", "invalid")] {
        let expected =
            format!("unsupported replacement type encountered within replacement path: {found}");
        assert_eq!(expect_error(decode(text)).to_string(), expected);
    }
}

fn plugin_config(fields: &str) -> Node {
    let text = format!("apiVersion: builtin\nmetadata: {{name: n, namespace: s}}\n{fields}\n");
    let documents = parse_documents(text.as_bytes(), SOURCE, Limits::default());
    documents.expect("YAML").documents.remove(0).node
}

#[test]
fn plugin_fields_accept_numbers() {
    let fields = "labels: {a: 0x1F, b: 0644, c: 1.0, e: null, f: 12.5, g: yes, h: 0o17}\nfoo: 1";
    let args = decode_label_transformer(&plugin_config(fields)).expect("labels");
    let values: Vec<&str> = args.pairs.value.values().map(|pair| &*pair.value).collect();
    assert_eq!(values, ["31", "420", "1", "", "12.5", "yes", "15"]);
}

#[test]
fn byte_order_mark_and_later_documents_are_ignored() {
    let k = decode_valid("\u{feff}resources: [a]\r\nnameSuffix: |\r\n  -x\r\n---\nfoo: [\n");
    let suffix = k.word(KustomizationField::NameSuffix).unwrap();
    assert_eq!((&*k.resources[0].value, &*suffix.value), ("a", "-x\n"));
}
