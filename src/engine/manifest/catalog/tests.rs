//! Catalogs with common mistakes (scenarios 71 to 75 and 97 of `tests/scenarios.md`).

use crate::yaml::SourceId;

use super::*;

const CATALOG_HEAD: &str =
    "apiVersion: config.kubernetes.io/v1alpha1\nkind: Catalog\nspec:\n  krmFunctions:\n";

fn read(text: &str) -> Result<Catalog, CatalogError> {
    Catalog::parse(text.as_bytes(), SourceId(1))
}

/// The warning codes for a catalog with this function, without those for missing fields.
fn codes(function: &str) -> Result<Vec<&'static str>, String> {
    let catalog = read(&format!("{CATALOG_HEAD}{function}")).map_err(|error| error.to_string())?;
    let oddities = catalog.warnings.iter().map(|warning| &warning.oddity);
    let told = oddities.filter(|oddity| !matches!(oddity, CatalogOddity::Missing(_)));
    Ok(told.map(CatalogOddity::code).collect())
}

fn runtime_codes(runtime: &str) -> Result<Vec<&'static str>, String> {
    codes(&format!(
        "  - {{group: a.b, names: {{kind: K}}, versions: [{{name: v1, runtime: {runtime}}}]}}\n"
    ))
}

#[test]
fn older_field_names_are_read_with_a_warning() {
    let digest = "a".repeat(64);
    let cases = [
        ("{container: {image: a, network: true}}".to_owned(), "CAT-NETWORK"),
        ("{container: {image: a, requireFilesystem: true}}".to_owned(), "CAT-FILESYSTEM"),
        (
            format!(
                "{{exec: {{platform: {{bin: b, os: linux, arch: amd64, uri: 'https://x', sha256: {digest}}}}}}}"
            ),
            "CAT-PLATFORM",
        ),
        (format!("{{exec: [{{path: ./b, sha256: {digest}}}]}}"), "CAT-EXEC-PATH"),
        (format!("{{exec: {{path: ./b, sha256: {digest}}}}}"), "CAT-EXEC-PATH"),
        (
            "{starlark: 'https://example.co/m/starlark-func:v1.0.0'}".to_owned(),
            "CAT-STARLARK-SCHEME",
        ),
        ("{container: {image: a:v1}}".to_owned(), "CAT-UNPINNED"),
        ("{container: {image: a}, starlark: x.star}".to_owned(), "CAT-RUNTIMES"),
        ("{container: {image: a}, wasm: {}}".to_owned(), "CAT-UNKNOWN"),
    ];
    for (text, code) in cases {
        let found = runtime_codes(&text).unwrap();
        assert!(found.contains(&code), "{text}: {found:?}");
    }
    assert_eq!(runtime_codes("{starlark: {path: x.star}}"), Ok(vec!["CAT-FLOATING"]));
    assert_eq!(runtime_codes("{starlark: 'https://a.co/x.star'}"), Ok(vec!["CAT-UNPINNED"]));
    let beside = "  - {group: a.b, kind: K, versions: [{name: v1, runtime: {starlark: x}}]}\n";
    assert_eq!(codes(beside), Ok(vec!["CAT-KIND-LEVEL", "CAT-FLOATING"]));
    let twice = "  - &f {group: a.b, names: {kind: K}, versions: [{name: v1, runtime: {starlark: x}}]}\n  - *f\n";
    assert_eq!(codes(twice), Ok(vec!["CAT-FLOATING", "CAT-FLOATING", "CAT-SHADOWED"]));
}

#[test]
fn catalog_errors_have_their_location() {
    let at = "spec.krmFunctions[0]";
    let cases = [
        (
            "  - {group: a, names: {kind: K}, versions: [{name: v1, idempotent: true|false, runtime: {starlark: x}}]}",
            format!("{at}.versions[0].idempotent: expected a boolean, got \"true|false\""),
        ),
        (
            "  - {group: a, names: {kind: K}, kind: L, versions: [{name: v1, runtime: {starlark: x}}]}",
            format!("{at}: names.kind is \"K\" and kind is \"L\"; keep names.kind"),
        ),
        (
            "  - {apiVersion: a/v1, kind: L}",
            format!(
                "{at}: an entry has no apiVersion; write `group: a`, `names: {{kind: …}}` and `versions: [{{name: v1, …}}]`"
            ),
        ),
        (
            "  - {group: a, names: {kind: K}, versions: [{name: v1}]}",
            "a/K v1: runtime: required, with container, exec or starlark".to_owned(),
        ),
        (
            "  - {group: a, names: {kind: K}, versions: []}",
            format!("{at}.versions: at least one version is required"),
        ),
    ];
    for (text, message) in cases {
        let error = read(&format!("{CATALOG_HEAD}{text}\n")).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
        assert_eq!(error.problems[0].mark.line, 5, "{text}");
    }
    let runtimes = [
        (
            "{container: {image: a, sha256: a428de...}}",
            "a.b/K v1: sha256 must be 64 hexadecimal digits",
        ),
        (
            "{container: {image: a, requireFilesystem: true, requireStorageMount: false}}",
            "requireStorageMount and requireFilesystem differ; keep requireStorageMount",
        ),
        (
            "{container: {image: a, mounts: []}}",
            "catalog entries cannot grant mounts or environment; use requireStorageMount",
        ),
        ("{container: {image: '--privileged'}}", "is not an image name"),
        (
            "{exec: {platforms: [{bin: b, os: linux, arch: mips, uri: u}]}}",
            "runtime.exec.platforms.arch: expected one of amd64, arm64, got \"mips\"",
        ),
    ];
    for (text, message) in runtimes {
        let error = runtime_codes(text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn control_characters_are_not_shown() {
    let text = "  - {group: a, names: {kind: K}, description: \"red \\e[31m \\u202e\", publisher: p, versions: [{name: v1, runtime: {starlark: x}}]}\n";
    let catalog = read(&format!("{CATALOG_HEAD}{text}")).unwrap();
    assert_eq!(catalog.functions[0].description, "red [31m ");
    let control = "spec.krmFunctions[0].description: control characters are not shown";
    assert!(catalog.warnings.iter().any(|warning| warning.oddity.to_string() == control));
    let head =
        read(&format!("{CATALOG_HEAD}  - {{apiVersion: \"a\\u202e/v1\", kind: L}}\n")).unwrap_err();
    assert!(head.to_string().contains("`group: a`"), "{head}");
    let version = "{name: v1, runtime: {container: {image: \"a\\e[0m\"}}}";
    let image =
        format!("{CATALOG_HEAD}  - {{group: a.b, names: {{kind: K}}, versions: [{version}]}}\n");
    let image = read(&image).unwrap_err();
    assert!(image.problems[0].text.ends_with("image: has control characters"), "{image:?}");
    assert!(!image.to_string().contains('\u{1b}'), "{image:?}");
}
