//! The output of functions and its handling.

use super::*;
use crate::evaluate::StepOutcome;

const CONFIG_MAP_OUTPUT: &str =
    "apiVersion: v1\ndata:\n  a: b\nkind: ConfigMap\nmetadata:\n  name: c\n";

fn build_with_edited_output(
    edit: impl Fn(&str) -> String + Send + Sync + 'static,
) -> Result<String, String> {
    Scene::with_transformer(editing_program(edit)).build()
}

#[test]
fn row_1_an_echo_changes_nothing_and_leaves_no_trace() {
    let mut scene = Scene::with_transformer(editing_program(str::to_owned));
    assert_eq!(scene.build().as_deref(), Ok(CONFIG_MAP_OUTPUT));
    let evaluation = scene.evaluate();
    let step = evaluation.trace.steps.iter().find(|step| step.run.is_some()).unwrap();
    assert!(matches!(step.outcome, StepOutcome::NoChange), "{:?}", step.outcome);
    let run = step.run.as_deref().unwrap();
    assert_eq!((run.items_in, run.items_out, run.status), (1, 1, Some(0)));
    assert_eq!(run.command, ["/w/f"]);
}

#[test]
fn other_yaml_style_is_no_change() {
    let json = |_: &str| {
        list(
            "[{\"metadata\": {\"name\": \"c\", \"annotations\": {\"config.k8s.io/id\": \"1\"}}, \
             \"kind\": \"ConfigMap\", \"data\": {\"a\": \"b\"}, \"apiVersion\": \"v1\"}]",
        )
    };
    let evaluation = Scene::with_transformer(editing_program(json)).evaluate();
    let step = evaluation.trace.steps.iter().find(|step| step.run.is_some()).unwrap();
    assert!(matches!(step.outcome, StepOutcome::NoChange), "{:?}", step.changes);
}

#[test]
fn rows_7_8_and_13_output_without_a_list_or_with_two_of_one_id() {
    let with = |text: &str| {
        let text = text.to_owned();
        build_with_edited_output(move |_| text.clone())
    };
    assert_eq!(with("").unwrap_err(), "function Fn/f (x/v1) exited 0 but wrote no ResourceList");
    assert_eq!(with(&list("[]")).as_deref(), Ok(""));
    const A: &str = "{apiVersion: v1, kind: A, metadata: {name: a}}";
    let repeated = with(&list(&format!("[{A}, {A}]"))).unwrap_err();
    assert!(repeated.contains("generated duplicate resource: A.v1.[noGrp]/a"), "{repeated}");
}

#[test]
fn row_14_objects_are_renamed_deleted_and_added() {
    let output = build_with_edited_output(|text| {
        let renamed = text.replace("name: c\n", "name: d\n");
        renamed.replace(
            "functionConfig:",
            "- {apiVersion: v1, kind: Z, metadata: {name: z}}\nfunctionConfig:",
        )
    });
    let added = "---\napiVersion: v1\nkind: Z\nmetadata:\n  name: z\n";
    assert_eq!(output, Ok(CONFIG_MAP_OUTPUT.replace("name: c", "name: d") + added));
    let of_another_kind =
        build_with_edited_output(|text| text.replacen("kind: ConfigMap", "kind: Other", 1));
    assert_eq!(of_another_kind, Ok(CONFIG_MAP_OUTPUT.replace("kind: ConfigMap", "kind: Other")));
    let tree = [
        ("kustomization.yaml", "resources: [map.yaml, pod.yaml]\ntransformers: [fn.yaml]\n"),
        ("pod.yaml", POD),
    ];
    let without_the_second = |text: &str| {
        let (head, rest) = text.split_once("functionConfig:").unwrap();
        let second = head.rfind("- apiVersion").unwrap();
        format!("{}functionConfig:{rest}", &head[..second])
    };
    assert_eq!(
        Scene::new(&tree, editing_program(without_the_second)).build().as_deref(),
        Ok(CONFIG_MAP_OUTPUT)
    );
}

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: x\n    \
                   envFrom: [{configMapRef: {name: c}}]\n";

fn stripped(text: &str) -> String {
    let mut out = String::new();
    let mut skipping: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        if skipping.is_some_and(|of| indent > of) {
            continue;
        }
        skipping = line.trim_start().starts_with("annotations:").then_some(indent);
        if skipping.is_none() {
            out.push_str(line);
        }
    }
    out
}

#[test]
fn row_15_a_function_that_strips_annotations_breaks_no_reference() {
    let tree = [
        (
            "kustomization.yaml",
            "resources: [pod.yaml]\nnamePrefix: p-\nconfigMapGenerator: [{name: c, literals: [a=b]}]\n\
             transformers: [fn.yaml]\n",
        ),
        ("pod.yaml", POD),
    ];
    let echo = Scene::new(&tree, editing_program(str::to_owned)).build().unwrap();
    let name = echo.lines().rev().find_map(|line| line.strip_prefix("  name: p-c-"));
    let name = format!("name: p-c-{}\n", name.expect("the name has a prefix and a hash"));
    assert_eq!(echo.matches(&name).count(), 2, "the map, and the reference to it: {echo}");
    assert_eq!(Scene::new(&tree, editing_program(stripped)).build(), Ok(echo));
}

const PATH_ANNOTATION: &str = "internal.config.kubernetes.io/path: ";
const LEGACY_PATH_ANNOTATION: &str = "      config.kubernetes.io/path: ";

fn set_path(text: &str, annotation: &str, path: &str) -> String {
    text.replace(&format!("{annotation}'map.yaml'"), &format!("{annotation}{path}"))
}

#[test]
fn rows_16_and_17_path_and_index_annotations_reconciled() {
    let seen_by_second = |edit: fn(&str) -> String| {
        let answer = move |program: &Program| {
            let text = std::str::from_utf8(&program.input).unwrap();
            output(if text.contains("second") { text.to_owned() } else { edit(text) })
        };
        let second = TRANSFORMER.replace("name: f", "name: second");
        let tree = [
            ("kustomization.yaml", "resources: [map.yaml]\ntransformers: [fn.yaml, second.yaml]\n"),
            ("second.yaml", &second),
        ];
        let mut scene = Scene::new(&tree, answer);
        let evaluation = scene.evaluate();
        let result =
            evaluation.outcome.map(|_| scene.input(1)).map_err(|error| error.message.clone());
        let warnings = evaluation.warnings.iter().map(ToString::to_string);
        (result, warnings.collect::<Vec<_>>().join("\n"))
    };
    let (text, _) = seen_by_second(|text| set_path(text, PATH_ANNOTATION, "n.yaml"));
    let text = text.unwrap();
    assert!(
        text.contains(&format!("{PATH_ANNOTATION}'n.yaml'"))
            && text.contains(&format!("{LEGACY_PATH_ANNOTATION}'n.yaml'")),
        "{text}"
    );
    let (text, _) = seen_by_second(|text| set_path(text, LEGACY_PATH_ANNOTATION, "o.yaml"));
    assert!(text.unwrap().contains(&format!("{PATH_ANNOTATION}'o.yaml'")));
    let (text, _) = seen_by_second(|text| {
        let text = set_path(text, LEGACY_PATH_ANNOTATION, "o.yaml");
        set_path(&text, PATH_ANNOTATION, "n.yaml")
    });
    let refused = text.unwrap_err();
    assert!(refused.contains("mismatched legacy and internal path annotations"), "{refused}");
    let (text, warnings) = seen_by_second(|text| text.replace("/id: '1'", "/id: '7'"));
    assert!(text.unwrap().contains("internal.config.kubernetes.io/id: '1'"));
    let reserved = "changed reserved annotation internal.config.kubernetes.io/id";
    assert!(warnings.contains(reserved), "{warnings}");
    let (text, warnings) = seen_by_second(|text| set_path(text, PATH_ANNOTATION, "/etc/x"));
    assert!(text.unwrap().contains(&format!("{PATH_ANNOTATION}'map.yaml'")));
    assert!(warnings.contains("at '/etc/x', outside the root"), "{warnings}");
    let (text, _) = seen_by_second(|_| {
        list("[{apiVersion: v1, kind: New, metadata: {name: n, namespace: s}}]")
    });
    assert!(text.unwrap().contains(&format!("{PATH_ANNOTATION}'s/new_n.yaml'")), "row 19");
}

const HASH_ANNOTATION: &str = "kustomize.config.k8s.io/needs-hash";

#[test]
fn rows_20_21_and_23_generator_annotations_take_effect() {
    let with = |field: &str, annotations: &str, name: &str| {
        let kustomization = format!("resources: [map.yaml]\n{field}: [fn.yaml]\n");
        let item = format!(
            "- {{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, annotations: {{{annotations}}}}}, data: {{x: y}}}}\n"
        );
        let answer = editing_program(move |text| {
            text.replace("functionConfig:", &format!("{item}functionConfig:"))
        });
        Scene::new(&[("kustomization.yaml", &*kustomization)], answer).build()
    };
    let hashed = with("generators", &format!("{HASH_ANNOTATION}: 'T'"), "made").unwrap();
    assert!(hashed.contains("name: made-") && !hashed.contains("needs-hash"), "{hashed}");
    assert!(!hashed.contains("kind: Fn"), "its own configuration is not in the output");
    let kept = with("transformers", &format!("{HASH_ANNOTATION}: 'true'"), "made").unwrap();
    assert!(kept.contains("name: made\n") && kept.contains("needs-hash"), "{kept}");
    assert_eq!(
        with("generators", &format!("{HASH_ANNOTATION}: maybe"), "made").unwrap_err(),
        "the annotation \"kustomize.config.k8s.io/needs-hash\" contains an invalid value (\"maybe\")"
    );
    let merged = with("generators", "kustomize.config.k8s.io/behavior: merge", "c").unwrap();
    assert!(merged.contains("  a: b\n  x: \"y\"\n"), "{merged}");
}

#[test]
fn rows_22_and_24_local_config_and_missing_version() {
    let local = build_with_edited_output(|text| {
        text.replacen(
            "    name: c\n",
            "    name: c\n    annotations: {config.kubernetes.io/local-config: 'true'}\n",
            1,
        )
        .replace("    annotations:\n      internal", "    x:\n      internal")
    });
    assert_eq!(local.as_deref(), Ok(""));
    let tree = [("fn.yaml", &*TRANSFORMER.replace("apiVersion: x/v1\n", ""))];
    assert_eq!(
        Scene::new(&tree, editing_program(str::to_owned)).build().as_deref(),
        Ok(CONFIG_MAP_OUTPUT)
    );
}

#[test]
fn row_39_comments_reach_the_function_and_survive_it() {
    let tree = [("map.yaml", &*CONFIG_MAP.replace("a: b", "a: b # why"))];
    let mut scene = Scene::new(
        &tree,
        editing_program(|text| text.replace(" # why", "").replace("a: b", "a: x")),
    );
    let evaluation = scene.evaluate();
    assert!(scene.input(0).contains("a: b # why"));
    let step = evaluation.trace.steps.iter().find(|step| step.run.is_some()).unwrap();
    let node = &step.changes[0].after.as_ref().unwrap().node;
    let value = node.at(&["data", "a"]).unwrap();
    assert_eq!(value.text(), Some("x"));
    assert_eq!(value.comments.as_ref().unwrap().line, "# why");
    assert_eq!(value.mark.writer, step.writer, "the function wrote it");
    let name = node.at(&["metadata", "name"]).unwrap();
    assert_ne!(name.mark.writer, step.writer, "it did not write that");
}

/// D-C1: the index counts all objects of the file, even removed ones, and the items of a list,
/// whether or not the build keeps parsed files. The path is relative to the root of the build, for
/// a function of a base too.
#[test]
fn index_counts_all_objects_of_the_file() {
    let item = |name: &str| format!("{{apiVersion: v1, kind: A, metadata: {{name: {name}}}}}");
    let all = format!(
        "{}\n---\n{{apiVersion: v1, kind: AList, items: [{}, {}]}}\n---\n# nothing\n---\n{}\n",
        item("a"),
        item("b"),
        item("c"),
        item("d")
    );
    let gone = "resources: [all.yaml]\npatches:\n- patch: '{apiVersion: v1, kind: A, metadata: {name: a}, $patch: delete}'\n- patch: '{apiVersion: v1, kind: A, metadata: {name: b}, $patch: delete}'\n";
    let base = format!("{gone}transformers: [fn.yaml]\n");
    let files = [
        ("kustomization.yaml", "resources: [base]\n"),
        ("base/kustomization.yaml", &*base),
        ("base/all.yaml", &*all),
        ("base/fn.yaml", TRANSFORMER),
        ("base/f", "#!/bin/sh\n"),
    ];
    for memory in [BuildCache::default(), BuildCache::disabled()] {
        let mut scene = Scene::new(&files, editing_program(str::to_owned));
        scene.memory = memory;
        scene.build().unwrap();
        let input = scene.input(0);
        let places = input.split("internal.config.kubernetes.io/index: '").skip(1);
        let places: Vec<&str> = places.filter_map(|rest| rest.split('\'').next()).collect();
        // As with Kustomize the items of a List come last: `d`, then `c`.
        assert_eq!(places, ["3", "2"], "{input}");
        assert!(input.contains("internal.config.kubernetes.io/path: 'base/all.yaml'"), "{input}");
    }
}
