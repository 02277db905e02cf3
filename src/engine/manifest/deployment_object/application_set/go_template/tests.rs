use super::*;
use crate::manifest::deployment_object::application_set::value::ParamValue;
use crate::yaml::{Limits, SourceId, parse_config};

fn params(text: &str) -> Params {
    let node = parse_config(text.as_bytes(), SourceId(1), Limits::default()).unwrap().unwrap();
    let ParamValue::Map(params) = Param::from_node(&node).value else { panic!("a mapping") };
    params
}

fn rendered(template: &str, values: &str) -> String {
    render(template, &params(values), MissingKey::NoValue).unwrap().text
}

fn render_error(template: &str, values: &str) -> String {
    render(template, &params(values), MissingKey::Error).unwrap_err().to_string()
}

#[test]
fn actions_are_replaced() {
    let values = "name: web\npath: {basename: shop, segments: [apps, shop]}\nport: 8080\n";
    for (template, expected) in [
        ("plain", "plain"),
        ("{{.name}}-{{ .path.basename }}", "web-shop"),
        ("{{ index .path.segments 1 }}", "shop"),
        ("{{index .path \"basename\"}}", "shop"),
        ("{{ .port }}", "8080"),
        ("a {{- .name -}} b", "awebb"),
        ("{{/* no */}}x{{- /* no */ -}} y", "xy"),
        ("{{ .missing }}", "<no value>"),
        ("{{ .missing.deeper }}", "<no value>"),
        ("{{ $x := .name }}{{ $x }}", "web"),
        ("{{ $.name }}", "web"),
        ("{{ (index .path.segments 0) | upper | quote }}", "\"APPS\""),
        ("{{ `raw \\n` }}{{ \"a\\tb\" }}", "raw \\na\tb"),
        ("{{ printf \"%s-%d\" .name 3 }}", "web-3"),
    ] {
        assert_eq!(rendered(template, values), expected, "{template}");
    }
}

#[test]
fn control_structures_are_evaluated() {
    let values = "env: prod\nitems: [a, b]\nmap: {z: 2, x: 1}\nempty: []\n";
    for (template, expected) in [
        ("{{if eq .env \"prod\"}}p{{else}}d{{end}}", "p"),
        ("{{if eq .env \"dev\"}}d{{else if eq .env \"prod\"}}p{{else}}x{{end}}", "p"),
        ("{{range .items}}[{{.}}]{{end}}", "[a][b]"),
        ("{{range $i, $v := .items}}{{$i}}={{$v}};{{end}}", "0=a;1=b;"),
        ("{{range $k, $v := .map}}{{$k}}={{$v}};{{end}}", "x=1;z=2;"),
        ("{{range .empty}}x{{else}}none{{end}}", "none"),
        ("{{with .env}}{{.}}{{end}}{{with .no}}x{{else}}y{{end}}", "prody"),
        ("{{if and .env (not .no)}}yes{{end}}", "yes"),
        ("{{if or .no .env}}{{or .no .env}}{{end}}", "prod"),
        ("{{ $x := \"a\" }}{{ if .env }}{{ $x = \"b\" }}{{ end }}{{ $x }}", "b"),
    ] {
        assert_eq!(rendered(template, values), expected, "{template}");
    }
}

#[test]
fn functions_of_sprig_are_known() {
    let values = "name: Web_App.1\nlist: [b, a]\nmap: {a: {b: c}}\nnum: 3\nflag: true\n";
    for (template, expected) in [
        ("{{ .name | normalize }}", "web-app.1"),
        ("{{ .name | slugify }}", "web-app-1"),
        ("{{ .name | lower | replace \"_\" \"-\" | trimSuffix \".1\" }}", "web-app"),
        ("{{ default \"x\" .none }}{{ .name | default \"x\" }}", "xWeb_App.1"),
        ("{{ .list | sortAlpha | join \",\" }}", "a,b"),
        ("{{ splitList \"_\" .name | first }}", "Web"),
        ("{{ (split \"_\" .name)._1 }}", "App.1"),
        ("{{ dig \"a\" \"b\" \"no\" .map }}{{ dig \"a\" \"x\" \"no\" .map }}", "cno"),
        ("{{ ternary \"y\" \"n\" (hasKey .map \"a\") }}", "y"),
        ("{{ .name | trunc 3 }}{{ trunc -2 .name }}", "Web.1"),
        ("{{ regexReplaceAll \"[^a-z]+\" (lower .name) \"-\" }}", "web-app-"),
        ("{{ toJson .map }}", "{\"a\":{\"b\":\"c\"}}"),
        ("{{ .map | toYaml | nindent 2 }}", "\n  a:\n    b: c"),
        ("{{ (fromYaml \"x: [1]\").x }}", "[1]"),
        ("{{ add 1 2 }}{{ sub 5 1 }}{{ .num | int | mul 2 }}", "346"),
        ("{{ list \"a\" \"b\" | has \"a\" }}", "true"),
        ("{{ len .list }}{{ contains \"App\" .name }}", "2true"),
        ("{{ b64enc \"a\" }}{{ sha256sum \"a\" | trunc 8 }}", "YQ==ca978112"),
    ] {
        assert_eq!(rendered(template, values), expected, "{template}");
    }
}

#[test]
fn rendered_text_has_the_location_of_its_first_parameter() {
    let found =
        render("x-{{ .b | upper }}-{{ .a }}", &params("a: 1\nb: two\n"), MissingKey::NoValue);
    let mark = found.unwrap().mark.unwrap();
    assert_eq!((mark.source, mark.line), (SourceId(1), 2));
}

#[test]
fn error_messages_match_go() {
    assert_eq!(render_error("{{ .x }}", "a: b"), "map has no entry for key \"x\"");
    assert_eq!(render_error("{{ .a.b }}", "a: b"), "can't evaluate field b in type string");
    assert_eq!(render_error("{{ now }}", "a: b"), "`now` is not evaluated here");
    for part in ["017", "0x1f", "\"\\x41\""] {
        let found = render_error(&format!("{{{{ print {part} }}}}"), "a: b");
        assert!(found.ends_with("is not evaluated here"), "{part}: {found}");
    }
    assert_eq!(
        render_error("{{ range .a }}{{ break }}{{ end }}", "a: [b]"),
        "`break` is not evaluated here"
    );
    assert_eq!(render_error("{{ .a ", "a: b"), "unclosed action");
    assert_eq!(render_error("{{ if .a }}", "a: b"), "unexpected EOF");
    assert_eq!(render_error("{{ .a-b }}", "a: b"), "bad character '-'");
    assert_eq!(render_error("{{ lower .a }}", "a: 1"), "`lower float64` is not evaluated here");
    assert_eq!(render_error("{{ eq .a 1 }}", "a: 1"), "eq: incompatible types for comparison");
    assert_eq!(render_error("{{ fail \"no\" }}", "a: 1"), "no");
}

#[test]
fn cluster_dependent_expression_is_kept() {
    let mut values = params("a: b");
    values.insert("name".into(), Param::unknown("name"));
    values.insert("metadata".into(), Param::unknown("metadata"));
    let render = |template| render(template, &values, MissingKey::Error).unwrap();
    let found = render("{{ .a }}-{{ .name | upper }}");
    assert_eq!(found.text, "b-{{ .name | upper }}");
    assert_eq!(found.unknown.as_deref(), Some("name"));
    let found = render("{{ if .metadata.labels.x }}y{{ end }}");
    assert_eq!(found.unknown.as_deref(), Some("metadata.labels.x"));
    assert_eq!(found.text, "{{ if .metadata.labels.x }}y{{ end }}");
}
