//! `kzui build` prints the lines that Kustomize prints on standard error, without the time stamps of
//! its log.

use crate::support::{Tree, kzui_in};

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: y}\n";

#[test]
fn unused_vars_are_listed_in_one_line() {
    let tree = Tree::new(&[
        (
            "kustomization.yaml",
            "resources: [d.yaml]\nvars:\n- name: X\n  objref: {kind: ConfigMap, name: a, apiVersion: v1}\n\
             - name: USED\n  objref: {kind: ConfigMap, name: a, apiVersion: v1}\n\
             - name: MAPPING\n  objref: {kind: ConfigMap, name: a, apiVersion: v1}\n  fieldref: {fieldpath: data}\n",
        ),
        (
            "d.yaml",
            &format!(
                "{MAP}---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\n\
                 spec: {{containers: [{{name: c, args: [\"$(USED)\", \"$(MAPPING)\"]}}]}}\n"
            ),
        ),
    ]);
    let answer = kzui_in(&tree.root(), &["build"]);
    assert_eq!(answer.status, Some(0));
    let lines: Vec<&str> = answer.err.lines().collect();
    assert!(lines[0].starts_with("# Warning: 'vars' is deprecated."), "{lines:?}");
    assert_eq!(lines[1..], ["well-defined vars that were never replaced: X,MAPPING"]);
}

#[test]
fn order_in_both_file_and_flag_is_a_warning() {
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [d.yaml]\nsortOptions: {order: fifo}\n"),
        ("d.yaml", MAP),
    ]);
    let answer = kzui_in(&tree.root(), &["build", "--reorder", "legacy"]);
    let last = answer.err.lines().last();
    assert_eq!(
        last,
        Some(
            "Warning: Sorting order is set both in 'kustomization.yaml' ('sortOptions') and in a CLI flag \
             ('--reorder'). Using the kustomization file over the CLI flag."
        )
    );
}

#[test]
fn entry_that_forces_git_warns_for_each_use() {
    let base =
        Tree::new(&[("base/kustomization.yaml", "resources: [d.yaml]\n"), ("base/d.yaml", MAP)]);
    base.commit("v1");
    let url = format!("GIT::file://{}//base?ref=v1", base.root().display());
    let tree = Tree::new(&[
        ("a/kustomization.yaml", &format!("namePrefix: a-\nresources: [\"{url}\"]\n")),
        ("kustomization.yaml", &format!("resources: [a, \"{url}\"]\n")),
    ]);
    let warning = "Warning: Forcing the git protocol using the 'git::' URL prefix is not supported. \
                   Kustomize currently strips this invalid prefix, but will stop doing so in a future release. \
                   Please remove the 'git::' prefix from your configuration.";
    let answer = kzui_in(&tree.root(), &["build"]);
    assert_eq!((answer.status, &*answer.err), (Some(0), &*format!("{warning}\n{warning}\n")));
    let answer = kzui_in(&tree.root(), &["build", &url]);
    assert_eq!((answer.status, &*answer.err), (Some(0), &*format!("{warning}\n")));
}
