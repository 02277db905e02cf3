//! `kzui consolidate`, and the data of the Composition screen.

use kzui::engine::evaluate::{
    BuildCache, BuildOptions, ConsolidatedComposition, Ports, consolidate,
};
use kzui::engine::manifest::RuntimeKind;

use crate::support::{Tree, kzui_in, messages};

const APP: &str = "\
kind: Composition
transformers:
# generate resources for a Java application
- apiVersion: example.com/v1
  kind: JavaApplication
  runtime: {container: {image: example.co/java:v1.0.0, network: true}}
  metadata:
    name: my-app
  spec:
    application: team/my-app
    version: v1.0
- apiVersion: example.com/v1
  kind: Logger
  runtime: {exec: {path: ./logger.sh}}
";

const STAGING: &str = "\
kind: Composition
transformersFrom:
- path: ../app/composition.yaml
  importMode: prepend
transformerOverrides:
- apiVersion: example.com/v1
  kind: JavaApplication
  metadata:
    name: my-app
  spec:
    version: v1.1-beta
- apiVersion: example.com/v1
  kind: JavaApplication
  metadata: {name: my-app}
  runtime: {container: {image: example.co/java:v2}}
transformers:
- apiVersion: example.com/v1
  kind: HTTPLoadBalancer
# - kind: HashTransformer
";

/// The Compositions of the stories of the proposal.
fn proposal_stories() -> Tree {
    Tree::new(&[("app/composition.yaml", APP), ("staging/composition.yaml", STAGING)])
}

/// The advice for a Composition without `apiVersion` that is listed by its file does not lead to a
/// resource in the output.
#[test]
fn composition_listed_by_its_file_needs_a_version_or_its_directory() {
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [a/composition.yaml]\n"),
        (
            "a/composition.yaml",
            "kind: Composition\ntransformers:\n- kind: ResourceAccumulator\n  paths: [cm.yaml]\n",
        ),
        ("a/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"),
    ]);
    let refused = kzui_in(&tree.root(), &["build"]).refused();
    assert!(refused.contains("name the directory of this file, not the file"), "{refused}");
    assert!(!refused.contains("add a `name`"), "{refused}");
    tree.write("kustomization.yaml", "resources: [a]\n");
    let built = kzui_in(&tree.root(), &["build"]).built();
    assert!(built.starts_with("apiVersion: v1\nkind: ConfigMap"), "{built}");
}

/// Stories 1 and 2 of the proposal; scenarios 18, 33 and 37.
#[test]
fn consolidate_prints_the_list_with_its_provenance() {
    let tree = proposal_stories();
    let answer = kzui_in(&tree.root(), &["consolidate", "staging"]);
    assert_eq!(
        answer.err,
        "# Warning: staging/composition.yaml:12: override \"JavaApplication/my-app (example.com/v1)\" is listed twice\n"
    );
    assert_eq!(
        answer.built(),
        "\
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Composition
transformers:
# from ../app/composition.yaml transformers[0]
# overridden by composition.yaml transformerOverrides[0]
# overridden by composition.yaml transformerOverrides[1]
#   spec.version: v1.0 (../app/composition.yaml:11) → v1.1-beta (composition.yaml:11)
#   runtime.container.image: example.co/java:v1.0.0 (../app/composition.yaml:6) → example.co/java:v2 (composition.yaml:15)
#   runtime.container.network: true (../app/composition.yaml:6) → not set (composition.yaml:12)
- apiVersion: example.com/v1
  kind: JavaApplication
  metadata:
    name: my-app
  runtime: {container: {image: 'example.co/java:v2'}}
  spec:
    application: team/my-app
    version: v1.1-beta
# from ../app/composition.yaml transformers[1]
- apiVersion: example.com/v1
  kind: Logger
  metadata:
    name: logger
  runtime: {exec: {path: ../app/logger.sh}}
# from composition.yaml transformers[0]
- apiVersion: example.com/v1
  kind: HTTPLoadBalancer
  metadata:
    name: http-load-balancer
"
    );
}

#[test]
fn consolidating_twice_changes_nothing() {
    let tree = proposal_stories();
    let run = |target: &str| {
        let arguments = ["consolidate", target, "--provenance", "none"];
        kzui_in(&tree.root(), &arguments).built()
    };
    let once = run("staging/composition.yaml");
    assert!(!once.contains('#'), "{once}");
    tree.write("staging/composition.yaml", &once);
    assert_eq!(run("staging"), once);
}

/// Scenarios 24, 25 and 27: imports keep their order around the file's own entries, named by their
/// directory or by their file.
#[test]
fn imports_by_file_or_directory_keep_their_order() {
    let entry = |name: &str| {
        format!("transformers:\n- kind: HashTransformer\n  metadata: {{name: {name}}}\n")
    };
    let own = |imports: &str| format!("transformersFrom:\n{imports}{}", entry("own"));
    let tree = Tree::new(&[
        ("a/composition.yaml", &entry("a")),
        ("b/composition.yaml", &entry("b")),
        ("c/composition.yml", &entry("c")),
        ("plain/composition.yaml", &own("- path: ../a\n- path: ../b\n")),
        (
            "mixed/composition.yaml",
            &own(
                "- path: ../a\n- path: ../b\n  importMode: append\n- path: ../c\n  importMode: prepend\n",
            ),
        ),
        (
            "files/composition.yaml",
            &own(
                "- path: ../a/composition.yaml\n- path: ../b/composition.yaml\n  importMode: append\n- path: ../c/composition.yml\n  importMode: prepend\n",
            ),
        ),
    ]);
    let list = |target: &str| kzui_in(&tree.root(), &["consolidate", target]).built();
    let names = |text: &str| -> Vec<String> {
        let name = |line: &str| line.split_once("{name: ")?.1.strip_suffix('}').map(str::to_owned);
        text.lines().filter_map(name).collect()
    };
    assert_eq!(names(&list("plain")), ["a", "b", "own"]);
    assert_eq!(names(&list("mixed")), ["a", "c", "own", "b"]);
    assert_eq!(list("files"), list("mixed"), "where entries come from is told the same");
}

#[test]
fn consolidated_builds_the_same() {
    let config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app\n";
    let tree = Tree::new(&[
        (
            "base/composition.yaml",
            "transformers:\n- kind: ResourceAccumulator\n  paths: [app.yaml]\n- kind: ConfigMapGenerator\n  files: [a.txt]\n",
        ),
        ("base/app.yaml", config_map),
        ("base/a.txt", "base\n"),
        (
            "dev/composition.yaml",
            "transformersFrom: [{path: ../base}]\ntransformerOverrides:\n- kind: ConfigMapGenerator\n  files: [a=b.txt]\ntransformers:\n- prefix.yaml\n",
        ),
        ("dev/b.txt", "dev\n"),
        ("dev/prefix.yaml", "kind: PrefixTransformer\nprefix: dev-\n"),
    ]);
    let build = || {
        let arguments = ["build", "dev", "--load-restrictor", "LoadRestrictionsNone"];
        kzui_in(&tree.root(), &arguments).built()
    };
    let before = build();
    assert!(before.contains("a: |\n    dev\n") && before.contains("name: dev-app\n"), "{before}");
    let consolidated = kzui_in(&tree.root(), &["consolidate", "dev"]).built();
    tree.write("dev/composition.yaml", &consolidated);
    assert_eq!(build(), before);
}

#[test]
fn consolidated_composition_is_printed_as_json() {
    let tree = Tree::new(&[("composition.yaml", "transformers:\n- kind: HashTransformer\n")]);
    let json = kzui_in(&tree.root(), &["consolidate", "-o", "json"]).built();
    assert!(
        json.starts_with("{\n  \"apiVersion\": \"kustomize.config.k8s.io/v1alpha1\","),
        "{json}"
    );
    assert!(json.contains("\"name\": \"hash-transformer\""), "{json}");
}

#[test]
fn a_kustomization_is_not_consolidated() {
    let tree = Tree::new(&[("kustomization.yaml", "namePrefix: x-\n")]);
    let told = kzui_in(&tree.root(), &["consolidate"]).refused();
    assert!(told.contains(messages::ONLY_COMPOSITION_CONSOLIDATED), "{told}");
}

fn consolidated(tree: &Tree, target: &str) -> ConsolidatedComposition {
    let ports = Ports::of_files(kzui::host::DiskFiles);
    let (options, mut memory) = (BuildOptions::default(), BuildCache::default());
    consolidate(target, &tree.root(), &options, &ports, &mut memory).expect("it is consolidated")
}

/// The lists of one release do not apply to another: `includeVolumeClaimTemplates` is a field on
/// master only.
#[test]
fn composition_is_consolidated_like_the_newest_kustomize() {
    let tree = Tree::new(&[
        ("composition.yaml", "transformers:\n- made\n"),
        (
            "made/kustomization.yaml",
            "resources: [entry.yaml]\nlabels:\n- pairs: {a: b}\n  includeVolumeClaimTemplates: true\n",
        ),
        ("made/entry.yaml", "apiVersion: builtin\nkind: HashTransformer\nmetadata: {name: made}\n"),
    ]);
    let ports = Ports::of_files(kzui::host::DiskFiles);
    let mut memory = BuildCache::default();
    for (name, is_read) in [("master", true), ("latest", false), ("master", true)] {
        let profile = kzui::engine::profile::Profile::named(name).unwrap();
        let options = BuildOptions { profile, ..BuildOptions::default() };
        let read = consolidate(".", &tree.root(), &options, &ports, &mut memory);
        assert_eq!(read.is_ok(), is_read, "{name}: {read:?}");
        let hint = read.err().and_then(|error| error.hint.clone());
        let names_release = hint.map(|hint| hint.to_string().contains(" v5.8.1 "));
        assert_eq!(names_release, (!is_read).then_some(true), "{name}");
    }
}

/// The data for edits on the screen: file and line of every entry, override and order item.
#[test]
fn every_item_has_its_edit_location() {
    let tree = proposal_stories();
    let list = consolidated(&tree, "staging");
    let shown = |file: &str| {
        file.strip_prefix(&format!("{}/", tree.root().display())).expect("below it").to_owned()
    };
    let places: Vec<_> = list
        .entries
        .iter()
        .map(|entry| {
            let origin = &entry.origin;
            (entry.id.name.as_str(), shown(&origin.file), origin.mark.line, entry.runtime)
        })
        .collect();
    let app = || "app/composition.yaml".to_owned();
    assert_eq!(
        places,
        [
            ("my-app", app(), 4, Some(RuntimeKind::Container)),
            ("logger", app(), 12, Some(RuntimeKind::Exec)),
            (
                "http-load-balancer",
                "staging/composition.yaml".to_owned(),
                17,
                Some(RuntimeKind::Catalog)
            ),
        ]
    );
    let overrides: Vec<_> = list.entries[0]
        .overridden_by
        .iter()
        .map(|applied| (applied.place.index, applied.place.mark.line))
        .collect();
    assert_eq!(overrides, [(0, 6), (1, 12)]);
    assert_eq!(list.entries[1].imported_from[0].mark.line, 3);
    let off: Vec<_> = list
        .switched_off
        .iter()
        .map(|entry| (entry.text.trim(), entry.place.index, entry.place.mark.line))
        .collect();
    assert_eq!(off, [("kind: HashTransformer", 1, 19)]);
    assert_eq!(list.imports.imports[0].entries, 2);
}

/// D-A35: own catalogs first, then those of the imports; a repeated one keeps its first position.
#[test]
fn catalogs_are_merged_outer_first() {
    let tree = Tree::new(&[
        (
            "a/composition.yaml",
            "catalogs: [own.yaml, 'https://h.org/c']\ntransformersFrom: [{path: ../b}, {path: ../c}]\n",
        ),
        (
            "b/composition.yaml",
            "catalogs: ['https://h.org/c', ../a/own.yaml, b.yaml]\ntransformers: [{kind: HashTransformer}]\n",
        ),
        (
            "c/composition.yaml",
            "catalogs: ['oci://h.org/c:v1']\ntransformers: [{kind: PrefixTransformer}]\n",
        ),
    ]);
    let resolved: Vec<String> =
        consolidated(&tree, "a").catalogs.into_iter().map(|catalog| catalog.resolved).collect();
    let local = |file: &str| tree.root().join(file).display().to_string();
    assert_eq!(
        resolved,
        [
            local("a/own.yaml"),
            "https://h.org/c".to_owned(),
            local("b/b.yaml"),
            "oci://h.org/c:v1".to_owned()
        ]
    );
}

/// The edits of the screen when an entry is moved or removed.
#[test]
fn order_and_override_texts_reorder_and_remove_entries() {
    let tree = Tree::new(&[
        (
            "base/composition.yaml",
            "transformers:\n- kind: HashTransformer\n  metadata: {name: a}\n- kind: PrefixTransformer\n  metadata: {name: '7'}\n",
        ),
        (
            "dev/composition.yaml",
            "transformersFrom: [{path: ../base}]\ntransformers:\n- kind: SuffixTransformer\n  metadata: {name: a}\n",
        ),
    ]);
    let names = |list: &ConsolidatedComposition| -> Vec<String> {
        list.entries
            .iter()
            .map(|entry| format!("{}/{}", entry.id.gvk.kind, entry.id.name))
            .collect()
    };
    let before = consolidated(&tree, "dev");
    assert_eq!(names(&before), ["HashTransformer/a", "PrefixTransformer/7", "SuffixTransformer/a"]);
    let order = before.order_text(&[2, 1, 0]);
    assert_eq!(
        order,
        "- kind: SuffixTransformer\n  name: a\n- name: \"7\"\n- kind: HashTransformer\n  name: a\n"
    );
    let text = String::from_utf8(tree.read("dev/composition.yaml")).unwrap();
    tree.write("dev/composition.yaml", &format!("{text}transformerOrder:\n{order}"));
    let moved = consolidated(&tree, "dev");
    assert_eq!(names(&moved), ["SuffixTransformer/a", "PrefixTransformer/7", "HashTransformer/a"]);
    assert_eq!(moved.entries[0].ordered_by.as_ref().map(|place| place.index), Some(0));
    assert_eq!(before.override_text(2, true), None, "it is the file's own");
    let removal = before.override_text(1, true).unwrap();
    tree.write("dev/composition.yaml", &format!("{text}transformerOverrides:\n{removal}"));
    let less = consolidated(&tree, "dev");
    assert_eq!(names(&less), ["HashTransformer/a", "SuffixTransformer/a"]);
    assert_eq!(less.removed[0].id.name, "7");
}

/// Parts of a Composition that are elsewhere are not fetched by looking at it.
#[test]
fn remote_import_is_pending() {
    let tree = Tree::new(&[(
        "composition.yaml",
        "transformersFrom: [{path: 'https://example.com/org/repo//app?ref=v1'}]\n",
    )]);
    let told = kzui_in(&tree.root(), &["consolidate", "--offline"]).refused();
    assert!(told.contains(messages::NOT_FETCHED), "{told}");
}

/// Scenario 36: the catalog's schema contains the merge keys of lists.
#[test]
fn a_catalog_keys_the_lists_of_its_functions() {
    let app = "catalogs: [catalog.yaml]\ntransformers:\n- apiVersion: a.b/v1\n  kind: Proxy\n  ports: [{port: 80, name: web}, {port: 81}]\n  hosts: [x]\n";
    let catalog = "\
apiVersion: config.kubernetes.io/v1alpha1
kind: Catalog
spec:
  krmFunctions:
  - group: a.b
    names: {kind: Proxy}
    versions:
    - name: v1
      schema:
        openAPIV3Schema:
          properties:
            ports: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [port]}
      runtime: {starlark: {path: proxy.star}}
";
    let dev = "transformersFrom: [{path: ../app}]\ntransformerOverrides:\n- apiVersion: a.b/v1\n  kind: Proxy\n  ports: [{port: 80, tls: true}, {port: 82}]\n  hosts: [y]\n";
    let tree = Tree::new(&[
        ("app/composition.yaml", app),
        ("app/catalog.yaml", catalog),
        ("dev/composition.yaml", dev),
    ]);
    let built = kzui_in(&tree.root(), &["consolidate", "dev"]).built();
    assert!(
        built.ends_with(
            "  ports: [{port: 80, name: web, tls: true}, {port: 81}, {port: 82}]\n  hosts: [y]\n"
        ),
        "{built}"
    );
}

const REVERSED: &str = "\
#!/bin/sh
cat >/dev/null
cat <<'END'
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
END
";

/// Scenario 61: the order in which a function returns resources. The script of the override is
/// found relative to the override (scenarios 33 and 42).
#[test]
fn a_function_orders_a_composition_but_no_kustomization() {
    use std::os::unix::fs::PermissionsExt;
    let maps = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n";
    let function = |path: &str| {
        format!(
            "apiVersion: a.b/v1\nkind: Reverse\nmetadata: {{name: r}}\nruntime: {{exec: {{path: {path}}}}}\n"
        )
    };
    let item = |path: &str| format!("- {}\n", function(path).trim().replace('\n', "\n  "));
    let tree = Tree::new(&[
        (
            "base/composition.yaml",
            &format!(
                "transformers:\n- kind: ResourceAccumulator\n  paths: [maps.yaml]\n{}",
                item("absent.sh")
            ),
        ),
        ("base/maps.yaml", maps),
        (
            "dev/composition.yaml",
            &format!(
                "transformersFrom: [{{path: ../base}}]\ntransformerOverrides:\n{}",
                item("./reverse.sh")
            ),
        ),
        ("dev/reverse.sh", REVERSED),
        (
            "k/kustomization.yaml",
            "resources: [maps.yaml]\ntransformers: [f.yaml]\nsortOptions: {order: fifo}\n",
        ),
        ("k/maps.yaml", maps),
        ("k/f.yaml", &function("./reverse.sh")),
        ("k/reverse.sh", REVERSED),
    ]);
    for script in ["dev/reverse.sh", "k/reverse.sh"] {
        fs_err::set_permissions(tree.path(script), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let names = |target: &str| -> Vec<String> {
        let arguments = ["build", target, "--enable-alpha-plugins", "--enable-exec"];
        let built = kzui_in(&tree.root(), &arguments).built();
        built.lines().filter_map(|line| Some(line.strip_prefix("  name: ")?.to_owned())).collect()
    };
    assert_eq!(names("dev"), ["b", "a"]);
    assert_eq!(names("k"), ["a", "b"]);
}

/// The problems of a Composition are lines of the error, in `check` too.
#[test]
fn problems_of_a_composition_are_lines_of_a_finding() {
    let tree = crate::support::Tree::new(&[(
        "composition.yaml",
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Composition\ntransformerOverrides:\n- apiVersion: a/v1\n  kind: B\n  metadata: {name: b}\n",
    )]);
    let told = crate::support::kzui_in(&tree.root(), &["check", "."]).out;
    assert!(told.contains("KZ071") && told.contains("\n             "), "{told}");
    assert!(!told.contains('␊'), "{told}");
}
