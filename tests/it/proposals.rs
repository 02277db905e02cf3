//! The findings of a review of the proposals, tried again; `assets/book/proposals.md` has the
//! result of each finding.

use std::path::Path;

use crate::support::{Tree, Workbench, blocks, kzui_in, line_with, messages};

const CATALOG: &str = "apiVersion: config.kubernetes.io/v1alpha1\nkind: Catalog\nmetadata: {name: c}\nspec:\n  krmFunctions:\n  \
     - group: example.com\n    names: {kind: Own}\n    versions:\n    - name: v1\n      runtime:\n        exec:\n          platforms:\n          \
     - {os: linux, arch: amd64, bin: x, uri: 'https://127.0.0.1:1/x'}\n";

fn tree_with_catalog(kind: &str) -> Tree {
    let text = format!(
        "catalogs: [catalog.yaml]\ntransformers:\n- |-\n  apiVersion: example.com/v1\n  kind: {kind}\n"
    );
    Tree::new(&[("app/kustomization.yaml", &text), ("app/catalog.yaml", CATALOG)])
}

/// The flag in the error trusts the catalog, and the command in the error shows its review.
#[test]
fn the_flag_that_an_error_names_is_the_one_that_works() {
    let tree = tree_with_catalog("Own");
    let refused = kzui_in(&tree.root(), &["build", "app"]).refused();
    let (_, flag) = refused.split_once("once with ").expect("it names a flag");
    let flag = flag.lines().next().unwrap().trim();
    assert!(flag.starts_with("--trusted-catalog=app/catalog.yaml@sha256:"), "{flag}");
    let trusted = kzui_in(&tree.root(), &["build", "app", flag]).refused();
    assert!(!trusted.contains(messages::IS_NOT_TRUSTED), "{trusted}");
    let (_, command) = refused.split_once("trust it with `").expect("it names a command");
    let command: Vec<&str> = command.split('`').next().unwrap().split(' ').skip(1).collect();
    // Without a terminal the review is shown, and nothing is decided.
    let review = kzui_in(&tree.root(), &command);
    assert_eq!(review.status, Some(1), "{}", review.out);
    assert!(review.out.contains(messages::IT_CANNOT_RUN_UNTIL_CATALOG), "{}", review.out);
    assert!(review.err.contains("--yes"), "{}", review.err);
    let still = kzui_in(&tree.root(), &["build", "app"]).refused();
    assert!(still.contains(messages::IS_NOT_TRUSTED), "{still}");
}

/// The error for a kind without a catalog is the same with and without plugins.
#[test]
fn a_kind_that_no_catalog_has_is_told_alike_with_and_without_plugins() {
    let tree = tree_with_catalog("Other");
    let trusted = "--trusted-catalog=app/catalog.yaml";
    for flags in
        [&["build", trusted, "app"][..], &["build", "--enable-alpha-plugins", trusted, "app"]]
    {
        let refused = kzui_in(&tree.root(), flags).refused();
        let searched = line_with(&refused, messages::NO_CATALOG_DEFINES_IT);
        assert!(searched.contains(" catalog.yaml)"), "{refused}");
    }
}

#[test]
fn component_built_alone_is_reported_as_component() {
    let tree = Tree::new(&[(
        "kustomization.yaml",
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nconfigMapGenerator: [{name: x, behavior: merge, literals: [a=b]}]\n",
    )]);
    let refused = kzui_in(&tree.root(), &["build", "."]).refused();
    assert!(refused.contains(messages::COMPONENT_WORKS_ON), "{refused}");
}

/// The workbench explains a Component that is opened alone, as `kzui build` does.
#[test]
fn component_opened_in_the_workbench_is_explained() {
    let component = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n- patch: |\n    {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: b}}\n";
    let files = [("ldap/kustomization.yaml", component)];
    let mut bench = Workbench::of_files(&files, "ldap", (160, 36));
    bench.keys("gp enter");
    let text = bench.text();
    assert!(text.contains("this is a Component"), "{text}");
}

/// The file of a Composition or kustomization in place of its directory: the help names it.
#[test]
fn file_of_a_target_as_an_entry_is_explained() {
    let list =
        "transformers:\n- kind: ConfigMapGenerator\n  metadata: {name: one}\n  literals: [a=b]\n";
    let tree = Tree::new(&[
        ("a/composition.yaml", list),
        ("b/kustomization.yaml", "configMapGenerator: [{name: b, literals: [a=b]}]\n"),
        ("o/composition.yaml", "transformers: [../a/composition.yaml]\n"),
        ("file/kustomization.yaml", "resources: [../b]\n"),
    ]);
    for field in ["resources", "transformers", "generators", "validators"] {
        tree.write("k/kustomization.yaml", &format!("{field}: [../a/composition.yaml]\n"));
        let refused = kzui_in(&tree.root(), &["build", "k"]).refused();
        assert!(line_with(&refused, "= help: ").contains("`../a`"), "{field}: {refused}");
    }
    let refused = kzui_in(&tree.root(), &["build", "o"]).refused();
    assert!(line_with(&refused, "= help: ").contains("`../a`"), "{refused}");
    tree.write("k/kustomization.yaml", "resources: [../b/kustomization.yaml]\n");
    let refused = kzui_in(&tree.root(), &["build", "k"]).refused();
    assert!(line_with(&refused, "= help: ").contains("`../b`"), "{refused}");
    let refused = kzui_in(&tree.root(), &["build", "a/composition.yaml"]).refused();
    assert!(line_with(&refused, "= help: ").ends_with("a`"), "{refused}");
}

/// A Starlark script lies beside the file that names it: the rule is about what an author writes.
#[test]
fn script_of_an_override_lies_beside_the_override() {
    if !crate::support::has_starlark() {
        return;
    }
    let script = |mark: &str| {
        format!(
            "def run():\n  for it in ctx.resource_list[\"items\"]:\n    it[\"metadata\"][\"labels\"] = {{\"from\": \"{mark}\"}}\nrun()\n"
        )
    };
    let list = "transformers:\n- kind: ResourceAccumulator\n  paths: [cm.yaml]\n- apiVersion: x/v1\n  kind: Fn\n  metadata: {name: f}\n  runtime: {starlark: {path: f.star}}\n";
    let overrides = "transformersFrom: [{path: ../app}]\ntransformerOverrides:\n- apiVersion: x/v1\n  kind: Fn\n  metadata: {name: f}\n  runtime: {starlark: {path: f.star}}\n";
    let tree = Tree::new(&[
        ("app/composition.yaml", list),
        ("app/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"),
        ("app/f.star", &script("app")),
        ("stage/composition.yaml", "transformersFrom: [{path: ../app}]\n"),
        ("over/composition.yaml", overrides),
        ("over/f.star", &script("over")),
        ("out/composition.yaml", &overrides.replace("f.star", "../over/f.star")),
    ]);
    let flags = ["--enable-alpha-plugins", "--enable-star"];
    let build = |target: &str, more: &[&str]| {
        kzui_in(&tree.root(), &[&["build", target], &flags[..], more].concat())
    };
    assert!(build("stage", &[]).built().contains("from: app"));
    assert!(build("over", &[]).built().contains("from: over"));
    let refused = build("out", &[]).refused();
    assert!(refused.contains("not allowed to start with ../"), "{refused}");
    // The consolidated list names files outside of its directory, says so, and builds alike.
    let list = kzui_in(&tree.root(), &["consolidate", "stage"]);
    assert!(list.err.contains("--load-restrictor LoadRestrictionsNone"), "{}", list.err);
    tree.write("list/composition.yaml", &list.out);
    let built = build("list", &["--load-restrictor", "LoadRestrictionsNone"]).built();
    assert_eq!(built, build("stage", &[]).built());
}

/// The tree of a Composition offers no components, and `space` pressed twice leaves no edit.
#[test]
fn a_composition_is_offered_no_components_and_a_key_pressed_twice_undoes_itself() {
    let component = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n";
    let list = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Composition\ntransformers:\n- kind: ConfigMapGenerator\n  metadata:\n    name: one\n  \
         literals: [a=b]\n- kind: ConfigMapGenerator\n  metadata:\n    name: two\n  literals: [a=b]\n";
    let files = [("app/composition.yaml", list), ("comp/kustomization.yaml", component)];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    assert!(!bench.text().contains(messages::COMPONENTS_IN_REPOSITORY), "{}", bench.text());
    bench.keys("gm space");
    assert!(bench.text().contains("●1"), "{}", bench.text());
    bench.keys("space");
    assert!(!bench.text().contains('●'), "{}", bench.text());
}

/// The names in a row: tests, and pages with a slash.
fn backticked_names(row: &str) -> Vec<String> {
    row.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_finding_about_the_proposals_has_its_row() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = include_str!("../../assets/book/proposals.md");
    let files = ["tests", "src"].into_iter().flat_map(|dir| walkdir::WalkDir::new(root.join(dir)));
    let rust = files
        .filter_map(Result::ok)
        .filter(|file| file.path().extension().is_some_and(|ending| ending == "rs"));
    let sources: String = rust.map(|file| fs_err::read_to_string(file.path()).unwrap()).collect();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| F")).collect();
    assert_eq!(rows.len(), 26);
    for (number, row) in (1..).zip(rows) {
        assert!(row.starts_with(&format!("| F{number} |")), "{row}");
        let cells: Vec<&str> = row.trim_matches('|').splitn(4, '|').map(str::trim).collect();
        let [_, _, state, proof] = cells[..] else { panic!("{row}") };
        assert!(["works", "decided"].contains(&state), "{row}");
        let proofs = backticked_names(proof).into_iter().filter(|it| it.contains(['_', '/']));
        let proofs: Vec<String> = proofs.filter(|it| !it.contains(' ')).collect();
        assert!(state == "decided" || !proofs.is_empty(), "{row}: nothing proves it");
        for proof in proofs {
            let is_there = if proof.contains('/') {
                root.join("tests").join(format!("{proof}.md")).is_file()
            } else {
                sources.contains(&format!("fn {proof}()"))
            };
            assert!(is_there, "{row}: there is no {proof}");
        }
    }
    assert!(blocks(page).is_empty());
}
