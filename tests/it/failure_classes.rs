//! Failures of a build by class: each has a code, a help, and a fix where the help spells one out.

use crate::support::{Tree, kzui_in};

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: y}\n";
const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: c}]}}}\n";

/// A failure: its files, its code, a part of its help, and a part of the text after its fix.
struct FailingTree {
    files: &'static [(&'static str, &'static str)],
    code: &'static str,
    help: &'static str,
    fixed: Option<&'static str>,
}

const FAILING_TREES: &[FailingTree] = &[
    FailingTree {
        files: &[("kustomization.yaml", "resource:\n- a.yaml\n")],
        code: "KZ014",
        help: "did you mean `resources`?",
        fixed: Some("resources:\n- a.yaml\n"),
    },
    FailingTree {
        files: &[("kustomization.yaml", "resources: [a.yaml]\nlabels:\n- app: web\n")],
        code: "KZ014",
        help: "under `pairs:`",
        fixed: Some("- pairs:\n    app: web\n"),
    },
    FailingTree {
        files: &[("kustomization.yaml", "resources:\n\t- a.yaml\n")],
        code: "KZ013",
        help: "replace each tab with two spaces",
        fixed: Some("resources:\n  - a.yaml\n"),
    },
    FailingTree {
        files: &[
            ("kustomization.yaml", "resources: [m.yaml]\n"),
            ("m.yaml", "kind: A\n<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\n"),
        ],
        code: "KZ011",
        help: "lines 2 to 6 are an unfinished merge",
        fixed: None,
    },
    FailingTree {
        files: &[
            ("kustomization.yaml", "resources: [m.yaml]\n"),
            ("m.yaml", "kind: A\nmetadata:\n  name: {{ .Release.Name }}-a\n"),
        ],
        code: "KZ012",
        help: "line 3 has a placeholder of a template",
        fixed: None,
    },
    FailingTree {
        files: &[("kustomization.yaml", "resources: [a.yaml, kustomization.yaml]\n")],
        code: "KZ031",
        help: "lists itself",
        fixed: None,
    },
    FailingTree {
        files: &[
            ("kustomization.yaml", "resources: [m.yaml]\n"),
            ("m.yaml", "kind: A\nspec:\n  interfaces: *\n"),
        ],
        code: "KZ010",
        help: "`*`",
        fixed: None,
    },
    FailingTree {
        files: &[(
            "kustomization.yaml",
            "configMapGenerator:\n- name: c\n  literals:\n  - LEVEL: debug\n",
        )],
        code: "KZ015",
        help: "write `LEVEL=debug`",
        fixed: Some("  - LEVEL=debug\n"),
    },
    FailingTree {
        files: &[("kustomization.yaml", "resources: [a.yaml]\ncommonLabels:\n  v: 3\n  w: true\n")],
        code: "KZ015",
        help: "quote it",
        fixed: Some("v: \"3\"\n"),
    },
    FailingTree {
        files: &[(
            "kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1\nresources: [a.yaml]\n",
        )],
        code: "KZ016",
        help: "v1beta1",
        fixed: Some("apiVersion: kustomize.config.k8s.io/v1beta1\n"),
    },
    FailingTree {
        files: &[("kustomization.yaml", "resources: [aa.yaml]\n")],
        code: "KZ020",
        help: "did you mean `a.yaml`?",
        fixed: Some("resources: [a.yaml]\n"),
    },
    FailingTree {
        files: &[("kustomization.yaml", "resources: [base]\n"), ("base/m.yaml", MAP)],
        code: "KZ022",
        help: "add base/kustomization.yaml",
        fixed: Some("resources:\n- m.yaml\n"),
    },
    FailingTree {
        files: &[
            ("kustomization.yaml", "resources: [a.yaml]\ncomponents: [base]\n"),
            ("base/kustomization.yaml", "resources: [b.yaml]\n"),
            ("base/b.yaml", WEB),
        ],
        code: "KZ024",
        help: "list it under `resources:`",
        fixed: Some("resources: [a.yaml, base]\n"),
    },
    FailingTree {
        files: &[
            ("kustomization.yaml", "resources: [a.yaml]\npatches: [{path: p.yaml}]\n"),
            ("p.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: something-else}\n"),
        ],
        code: "KZ040",
        help: "resources of kind ConfigMap: a",
        fixed: None,
    },
    FailingTree {
        files: &[(
            "kustomization.yaml",
            "resources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |-\n    - {op: remove, path: /data/xx}\n",
        )],
        code: "KZ044",
        help: "/data has no xx; it has x",
        fixed: Some("path: /data/x}"),
    },
    FailingTree {
        files: &[
            (
                "kustomization.yaml",
                "resources: [w.yaml]\npatches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: add, path: /metadata/labels/x, value: y}\n",
            ),
            ("w.yaml", WEB),
        ],
        code: "KZ044",
        help: "/metadata/labels does not exist yet",
        fixed: Some("    - {op: add, path: /metadata/labels, value: {}}\n"),
    },
    FailingTree {
        files: &[(
            "kustomization.yaml",
            "resources: [a.yaml]\npatches:\n- target: {name: \"*\"}\n  patch: |-\n    - {op: remove, path: /data/x}\n",
        )],
        code: "KZ064",
        help: "`.*` matches any",
        fixed: Some("name: \".*\""),
    },
    FailingTree {
        files: &[
            ("kustomization.yaml", "resources: [w.yaml]\nreplicas:\n- {name: wbe, count: 2}\n"),
            ("w.yaml", WEB),
        ],
        code: "KZ060",
        help: "did you mean web?",
        fixed: Some("name: web,"),
    },
    FailingTree {
        files: &[(
            "kustomization.yaml",
            "resources: [a.yaml]\nconfigMapGenerator:\n- {name: c, behavior: merge, literals: [a=b]}\n",
        )],
        code: "KZ061",
        help: "remove `behavior`",
        fixed: None,
    },
];

#[test]
fn each_class_has_a_code_a_help_and_its_fix() {
    for FailingTree { files, code, help, fixed } in FAILING_TREES {
        let tree = Tree::new(files);
        tree.write("a.yaml", MAP);
        let json = kzui_in(&tree.root(), &["check", "--format", "json"]).out;
        assert!(json.contains(&format!("\"{code}\"")), "{code}: {json}");
        let built = kzui_in(&tree.root(), &["build"]);
        assert!(built.err.contains(help), "{code}: {}", built.err);
        let told = kzui_in(&tree.root(), &["check", "--fix", "--unsafe-fixes"]);
        let all: String = ["kustomization.yaml", "base/kustomization.yaml"]
            .iter()
            .filter_map(|name| fs_err::read_to_string(tree.root().join(name)).ok())
            .collect();
        if let Some(text) = fixed {
            assert!(all.contains(text), "{code}: {all}\n{}{}", told.out, told.err);
            kzui_in(&tree.root(), &["build"]).built();
        } else {
            let before = files.iter().find(|(name, _)| *name == "kustomization.yaml").unwrap().1;
            assert!(all.starts_with(before), "{code}: {all}");
        }
        let page = kzui_in(&tree.root(), &["explain", code]).built();
        assert!(page.contains(code), "{page}");
    }
}

/// A removal never makes a failing build succeed, however dead the entry looks.
#[test]
fn failure_is_never_fixed_by_removal() {
    let text = "resources: [a.yaml]\nvars:\n- name: X\n  objref: {kind: Service, name: s, apiVersion: v1}\n";
    let tree = Tree::new(&[("kustomization.yaml", text), ("a.yaml", MAP)]);
    for fix in ["--fix", "--unsafe-fixes"] {
        kzui_in(&tree.root(), &["check", fix]);
        let now = fs_err::read_to_string(tree.root().join("kustomization.yaml")).unwrap();
        assert_eq!(now, text, "{fix}");
    }
}
