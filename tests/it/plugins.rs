//! Legacy exec plugins: shell scripts below `$KUSTOMIZE_PLUGIN_HOME`.

use crate::support::{Tree, program};

const CONFIG: &str = "
apiVersion: team.example.com/v1
kind: Plug
metadata: {name: it}
argsOneLiner: one 'two three' # four
argsFromFile: args.txt
";
const INPUT_RESOURCES: &str = "
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {x: old, keep: me}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b}
";

/// A tree with a plugin of this script, and a kustomization of this text.
fn tree(kustomization: &str, script: &str) -> Tree {
    let tree = Tree::new(&[
        ("app/kustomization.yaml", kustomization),
        ("app/plug.yaml", CONFIG),
        ("app/args.txt", "  from file \n\n#five\n"),
        ("app/input.yaml", INPUT_RESOURCES),
    ]);
    let path = "home/team.example.com/v1/plug/Plug";
    tree.write(path, &format!("#!/bin/sh\n{script}\n"));
    set_mode(&tree, path, 0o755);
    tree
}

fn set_mode(tree: &Tree, path: &str, mode: u32) {
    let mut permissions = fs_err::metadata(tree.path(path)).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, mode);
    fs_err::set_permissions(tree.path(path), permissions).unwrap();
}

/// The output of a build, or its error.
fn build(tree: &Tree) -> Result<String, String> {
    let output = program(&tree.root())
        .args(["build", "--enable-alpha-plugins", "--like", "latest", "app"])
        .current_dir(tree.root())
        .env("KUSTOMIZE_PLUGIN_HOME", tree.path("home"))
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

const GENERATOR_KUSTOMIZATION: &str = "generators: [plug.yaml]\n";
const TRANSFORMER_KUSTOMIZATION: &str =
    "resources: [input.yaml]\nnamePrefix: p-\ntransformers: [plug.yaml]\n";

#[test]
fn arguments_are_split_as_a_shell_splits_them() {
    let script = r#"
        printf 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: made\ndata:\n'
        shift
        for argument in "$@"; do n=$((n + 1)); echo "  a$n: '$argument'"; done"#;
    let arguments = |line: &str| {
        let tree = tree(GENERATOR_KUSTOMIZATION, script);
        let config = CONFIG.replace("one 'two three' # four", line).replace("args.txt", "none.txt");
        tree.write("app/plug.yaml", &config);
        tree.write("app/none.txt", "");
        build(&tree).map(|out| {
            let data = out.lines().filter_map(|line| line.strip_prefix("  a"));
            data.filter_map(|line| Some(line.split_once(": ")?.1.to_owned())).collect::<Vec<_>>()
        })
    };
    assert_eq!(arguments("x#y '' z").unwrap(), ["x#y", "\"\"", "z"]);
    assert_eq!(arguments("x 'y z' # a").unwrap(), ["x", "y z"]);
    assert!(arguments("x 'y").unwrap_err().contains("unclosed quote in string"));
}

#[test]
fn a_generator_gets_its_configuration_and_its_arguments() {
    let script = r#"
        test -s /dev/stdin && exit 7
        printf %s "$KUSTOMIZE_PLUGIN_CONFIG_STRING" | cmp - "$1" || exit 8
        test "$KUSTOMIZE_PLUGIN_CONFIG_ROOT" = "$(pwd)" || exit 9
        printf 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: made\ndata:\n'
        shift
        for argument in "$@"; do n=$((n + 1)); echo "  a$n: '$argument'"; done
        cat /dev/stdin"#;
    let out = build(&tree(GENERATOR_KUSTOMIZATION, script)).unwrap();
    let data = "data:\n  a1: one\n  a2: two three\n  a3: 'from file '\n  a4: '#five'\n";
    assert_eq!(out, format!("apiVersion: v1\n{data}kind: ConfigMap\nmetadata:\n  name: made\n"));
}

/// As in Go, the name of a field may have any case, and its value one type.
#[test]
fn arguments_are_read_as_go_reads_them() {
    let script = "printf 'apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: made}\\ndata: {a: '\"$2\"'}\\n'";
    let configured = |line: &str| {
        let tree = tree(GENERATOR_KUSTOMIZATION, script);
        let config = String::from_utf8(tree.read("app/plug.yaml")).unwrap();
        let kept = config.lines().filter(|line| !line.starts_with("args"));
        let kept: Vec<&str> = kept.chain([line]).collect();
        tree.write("app/plug.yaml", &format!("{}\n", kept.join("\n")));
        build(&tree)
    };
    assert!(configured("ARGSoneliner: x").unwrap().contains("  a: x\n"));
    let told = configured("argsOneLiner: [x]").unwrap_err();
    let phrase =
        "json: cannot unmarshal array into Go struct field argsConfig.argsOneLiner of type string";
    assert!(told.contains(phrase), "{told}");
}

#[test]
fn a_generator_can_ask_for_a_hash() {
    let script = r#"
        echo '{apiVersion: v1, kind: ConfigMap, metadata: {name: made, annotations: {
               kustomize.config.k8s.io/needs-hash: "true"}}, data: {a: b}}'"#;
    let out = build(&tree(GENERATOR_KUSTOMIZATION, script)).unwrap();
    let name = out.lines().find(|line| line.contains("name: ")).unwrap();
    assert!(name.starts_with("  name: made-"), "{out}");
    assert!(!out.contains("annotations"), "{out}");
}

#[test]
fn a_transformer_changes_adds_and_removes() {
    let script = r"
        sed -e '/^  name: p-b/,$d' -e 's/x: old/x: new/' | sed '/^---/,$d'
        echo '---'
        echo '{apiVersion: v1, kind: Secret, metadata: {name: added}}'";
    let out = build(&tree(TRANSFORMER_KUSTOMIZATION, script)).unwrap();
    assert_eq!(
        out,
        "apiVersion: v1\ndata:\n  keep: me\n  x: new\nkind: ConfigMap\nmetadata:\n  name: p-a\n---\n\
         apiVersion: v1\nkind: Secret\nmetadata:\n  name: added\n"
    );
}

#[test]
fn transformer_sees_ids_and_previous_names() {
    let tree = tree(TRANSFORMER_KUSTOMIZATION, "cat >seen; cat seen");
    let out = build(&tree).unwrap();
    let seen = String::from_utf8(tree.read("app/seen")).unwrap();
    for line in [
        "    internal.config.kubernetes.io/previousNames: a",
        "    internal.config.kubernetes.io/previousNamespaces: default",
        "    internal.config.kubernetes.io/prefixes: p-",
        "    kustomize.config.k8s.io/id: |",
        "      name: p-b",
    ] {
        assert!(seen.lines().any(|seen| seen == line), "{line}: {seen}");
    }
    assert!(!out.contains("annotations"), "{out}");
}

#[test]
fn transformer_input_contains_generator_behavior() {
    let kustomization = "
configMapGenerator: [{name: plain}, {name: said, behavior: create}]
transformers: [plug.yaml]
";
    let tree = tree(kustomization, "cat >seen; cat seen");
    build(&tree).unwrap();
    let seen = String::from_utf8(tree.read("app/seen")).unwrap();
    let said: Vec<&str> = seen
        .lines()
        .filter_map(|line| line.trim().split_once("generatorBehavior: "))
        .map(|said| said.1)
        .collect();
    assert_eq!(said, ["unspecified", "create"], "{seen}");
}

#[test]
fn plugin_failures_equal_the_errors_of_kustomize() {
    let error =
        |kustomization: &str, script: &str| build(&tree(kustomization, script)).unwrap_err();
    let failed = error(GENERATOR_KUSTOMIZATION, "echo said >&2; exit 3");
    assert!(failed.starts_with("error: said\n"), "{failed}");
    assert!(failed.contains(": failure in plugin configured via "), "{failed}");
    assert!(failed.contains("; exit status 3\n"), "{failed}");
    let twice =
        "for i in 1 2; do echo '{apiVersion: v1, kind: Foo, metadata: {name: r}}'; echo ---; done";
    let duplicate = error(TRANSFORMER_KUSTOMIZATION, twice);
    let words =
        "/home/team.example.com/v1/plug/Plug generated duplicate resource: Foo.v1.[noGrp]/r";
    assert!(duplicate.contains(words), "{duplicate}");
    let tree = tree(GENERATOR_KUSTOMIZATION, "");
    let path = "home/team.example.com/v1/plug/Plug";
    set_mode(&tree, path, 0o644);
    assert!(build(&tree).unwrap_err().contains("unexecutable plugin at: "));
    fs_err::remove_file(tree.path(path)).unwrap();
    let missing = build(&tree).unwrap_err();
    assert!(missing.contains("expected file with Go object code at: "), "{missing}");
}
