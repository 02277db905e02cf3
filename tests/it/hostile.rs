//! No input makes a build panic, hang, or use memory without bounds.

#[path = "../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets use it as a crate of its own")]
pub(crate) mod bodies;

use std::path::Path;
use std::time::{Duration, Instant};

use kzui::engine::evaluate::{BuildCache, BuildOptions, Ports, STACK, evaluate};
use kzui::engine::load::MemoryFiles;
use kzui::engine::yaml::print_documents;

/// The output of a build of these files, or its error, within a time that users accept.
fn build(files: impl IntoIterator<Item = (String, String)>) -> Result<String, String> {
    let tree = files.into_iter().fold(MemoryFiles::default(), |tree, (path, text)| {
        tree.file(Path::new("/k").join(path), text)
    });
    let ports = Ports::of_files(tree);
    let begun = Instant::now();
    let work = move || {
        let mut memory = BuildCache::default();
        let options = BuildOptions::default();
        let evaluation = evaluate("/k", Path::new("/"), &options, &ports, &mut memory);
        let resources = evaluation.outcome.map_err(|error| error.message.clone())?;
        print_documents(resources.iter().map(|resource| &resource.node))
            .map_err(|error| error.to_string())
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap();
    let outcome = thread.join().expect("a build does not panic");
    assert!(begun.elapsed() < Duration::from_secs(120), "it took {:?}", begun.elapsed());
    outcome
}

const RESOURCE: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";

/// Builds one `ConfigMap` with this data; `more` is appended to its kustomization file.
fn one(data: &str, more: &str) -> Result<String, String> {
    build([
        ("kustomization.yaml".to_owned(), format!("resources: [r.yaml]\n{more}")),
        ("r.yaml".to_owned(), format!("{RESOURCE}data: {data}\n")),
    ])
}

#[track_caller]
fn assert_fails_with(outcome: Result<String, String>, words: &str) {
    let found = outcome.map_or_else(|error| error, |text| format!("{} bytes", text.len()));
    assert!(found.contains(words), "{}", found.chars().take(2000).collect::<String>());
}

/// A kustomization with one JSON patch that consists of these operations.
fn operations(all: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = all.collect();
    format!("patches:\n- target: {{kind: ConfigMap}}\n  patch: |-\n    [{}]\n", all.join(","))
}

/// Every merge doubles a list whose elements have no key.
#[test]
fn growing_list_stops_at_limit() {
    let service = |first: &str, second: &str| {
        let head = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n";
        format!("{head}spec:\n  ports:\n  - {{{first}}}\n  - {{{second}}}\n")
    };
    let patches = "- path: p.yaml\n".repeat(40);
    let outcome = build([
        ("kustomization.yaml".to_owned(), format!("resources: [r.yaml]\npatches:\n{patches}")),
        ("r.yaml".to_owned(), service("port: 80", "other: 81, protocol: UDP")),
        ("p.yaml".to_owned(), service("port: 81, protocol: UDP", "other: 81")),
    ]);
    assert_fails_with(outcome, "the merged list would grow to more than 1024 elements");
}

/// Parts of the expected error messages.
const COPIES_MESSAGE: &str = "the copies amount to more than";
const NESTING_MESSAGE: &str = "nested more than 250 deep";

#[test]
fn copies_of_copies_in_a_patch_are_counted() {
    let copy = |index: usize| format!(r#"{{"op":"copy","from":"/data","path":"/data/b{index}"}}"#);
    assert_fails_with(one("{a: [1]}", &operations((0..40).map(copy))), COPIES_MESSAGE);
    let text = "x".repeat(1 << 20);
    let copy =
        |index: usize| format!(r#"{{"op":"copy","from":"/data/a","path":"/data/b{index}"}}"#);
    assert_fails_with(
        one(&format!("{{a: {text}}}"), &operations((0..300).map(copy))),
        COPIES_MESSAGE,
    );
}

#[test]
fn patch_depth_is_limited() {
    let deeper = r#"{"op":"copy","from":"/data","path":"/data/b"}"#.to_owned();
    assert_fails_with(one("{}", &operations(std::iter::repeat_n(deeper, 5000))), NESTING_MESSAGE);
    let add = |index: usize| {
        format!(r#"{{"op":"add","path":"/data{}","value":{{}}}}"#, "/a".repeat(index))
    };
    assert_fails_with(one("{}", &operations((1..600).map(add))), NESTING_MESSAGE);
    let list = "[".to_owned() + &"{},".repeat(600) + "]";
    let shift = |index: usize| {
        let next = 599 - index;
        format!(r#"{{"op":"move","from":"/data/{}","path":"/data/{}/x"}}"#, next, next - 1)
    };
    assert_fails_with(one(&list, &operations((0..598).map(shift))), NESTING_MESSAGE);
}

/// A kustomization with `count` equal replacements.
fn replacements(path: &str, targets: &str, options: &str, count: usize) -> String {
    let one = format!(
        "- source: {{kind: ConfigMap, fieldPath: {path}}}\n  targets:\n  - select: {{kind: ConfigMap}}\n    \
         fieldPaths: [{targets}]\n    options: {options}\n"
    );
    format!("replacements:\n{}", one.repeat(count))
}

#[test]
fn replacements_that_double_a_value_are_counted() {
    let trees = replacements("data", "data.x, data.y", "{create: true}", 300);
    let found = one("{x: {y: 1}}", &trees);
    assert!(
        found.as_ref().is_err_and(|e| e.contains(COPIES_MESSAGE) || e.contains(NESTING_MESSAGE)),
        "{found:?}"
    );
}

#[test]
fn depth_of_created_fields_is_limited() {
    let path = vec!["a"; 20_000].join(".");
    assert_fails_with(
        one("{x: a}", &replacements("data.x", &path, "{create: true}", 1)),
        NESTING_MESSAGE,
    );
    let path = vec!["a"; 20_000].join("/");
    let labels =
        format!("labels: [{{pairs: {{a: b}}, fields: [{{path: {path}, create: true}}]}}]\n");
    assert_fails_with(one("{x: a}", &labels), NESTING_MESSAGE);
}

/// Layers that each use the layer before.
fn layers(count: usize, head: &str, field: &str) -> Vec<(String, String)> {
    let mut files = vec![
        ("kustomization.yaml".to_owned(), format!("{field}: [b{}]\n", count - 1)),
        ("b0/kustomization.yaml".to_owned(), format!("{head}resources: [r.yaml]\n")),
        ("b0/r.yaml".to_owned(), RESOURCE.to_owned()),
    ];
    files.extend((1..count).map(|index| {
        let text = format!("{head}{field}: [../b{}]\n", index - 1);
        (format!("b{index}/kustomization.yaml"), text)
    }));
    files
}

/// The nesting of layers is limited.
#[test]
fn layers_nest_only_so_deep() {
    const COMPONENT: &str = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n";
    let built = build(layers(300, "", "resources")).unwrap();
    assert!(built.contains("name: a"), "{built}");
    assert_fails_with(
        build(layers(1100, "", "resources")),
        "kustomizations nested more than 1000 deep",
    );
    assert_fails_with(
        build(layers(1100, COMPONENT, "components")),
        "kustomizations nested more than 1000 deep",
    );
}

#[test]
fn number_of_resource_names_is_limited() {
    let built = build(layers(200, "namePrefix: p-\n", "resources")).unwrap();
    assert!(built.contains(&format!("name: {}a\n", "p-".repeat(200))), "{built}");
    for head in ["namePrefix: p-\n", "nameSuffix: -s\n", "namespace: shop\n"] {
        let outcome = build(layers(300, head, "resources"));
        assert_fails_with(outcome, "would have more than 256 names in one build");
    }
}

/// A short text that compiles to a large expression.
const LARGE: &str = "(a?){1000}";

/// The size of a compiled expression is limited.
#[test]
fn expressions_compile_only_so_large() {
    let image = |name: &str| one("{a: b}", &format!("images: [{{name: '{name}', newTag: '2'}}]\n"));
    let patch = |name: &str| {
        let operation = r#"[{"op": "test", "path": "/data/a", "value": "b"}]"#;
        one("{a: b}", &format!("patches: [{{target: {{name: '{name}'}}, patch: '{operation}'}}]\n"))
    };
    let field = |name: &str| {
        one(
            "{a: [{n: a}]}",
            &replacements("kind", &format!("'data.a.[n={name}].b'"), "{create: true}", 1),
        )
    };
    for build in [&image as &dyn Fn(&str) -> Result<String, String>, &patch, &field] {
        assert!(build(LARGE).is_ok_and(|text| text.contains("name: a")));
        assert_fails_with(
            build(&LARGE.repeat(50)),
            "error parsing regexp: expression too large: `",
        );
    }
}

/// The work of a fuzz target on a seed.
type FuzzTarget = fn(&[u8]);

/// Runs every seed of `tests/fuzz/corpus` through the fuzz targets.
#[test]
fn fuzz_targets_accept_every_seed_of_the_corpus() {
    let targets: [(&str, FuzzTarget); 12] = [
        ("parse", bodies::parse),
        ("printer", bodies::printer),
        ("kustomization", bodies::kustomization),
        ("strategic_merge", bodies::strategic_merge),
        ("json_patch", bodies::json_patch),
        ("replacements", bodies::replacements),
        ("edits", bodies::edits),
        ("catalogs", bodies::catalogs),
        ("references", bodies::references),
        ("compositions", bodies::compositions),
        ("source_maps", bodies::source_maps),
        ("faces", bodies::faces),
    ];
    for (target, body) in targets {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
        let mut seeds = 0;
        for entry in walkdir::WalkDir::new(&folder).sort_by_file_name() {
            let entry = entry.unwrap();
            if entry.file_type().is_file() {
                let bytes = fs_err::read(entry.path()).unwrap();
                let seed = format!("{target}/{}", entry.file_name().to_string_lossy());
                let held = std::panic::catch_unwind(|| body(&bytes));
                assert!(held.is_ok(), "{seed} does not hold");
                seeds += 1;
            }
        }
        assert!(seeds >= 10, "{seeds} seeds for {target}");
    }
}
