//! The findings of `kzui check` about entries shared by several layers or targets, and its
//! suggestions.

use serde_json::Value;

use crate::support::{Answer, Tree, kzui_in, messages};

const WEB: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n";

fn check(tree: &Tree, arguments: &[&str]) -> Answer {
    kzui_in(&tree.root(), &[&["check", "--notes"], arguments].concat())
}

/// The findings of one code.
fn told(tree: &Tree, code: &str, arguments: &[&str]) -> Vec<Value> {
    let answer = check(tree, &[&["--format", "json"], arguments].concat());
    let report: Value = serde_json::from_str(&answer.out).expect("it is JSON");
    let found = report["findings"].as_array().unwrap().iter();
    found.filter(|it| it["code"] == code).cloned().collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A component that two layers of one target list: its patch matches in the outer one only.
#[test]
fn entry_with_effect_in_one_use_has_no_finding() {
    let component = "kind: Component\npatches:\n- target: {kind: StatefulSet}\n  patch: |-\n    - {op: replace, path: /spec/replicas, value: 5}\n";
    let tree = Tree::new(&[
        ("component/kustomization.yaml", component),
        ("base/web.yaml", WEB),
        ("base/kustomization.yaml", "resources: [web.yaml]\ncomponents: [../component]\n"),
        ("db/db.yaml", &WEB.replace("Deployment", "StatefulSet").replace("web", "db")),
        ("db/kustomization.yaml", "resources: [../base, db.yaml]\ncomponents: [../component]\n"),
        ("dev/kustomization.yaml", "resources: [../base]\n"),
    ]);
    let found = told(&tree, "KZ101", &[]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["targets"], serde_json::json!(["dev"]), "{found:#?}");
    assert_eq!((text(&found[0]["severity"]), &found[0]["usedBy"]), ("note", &2.into()));
    assert!(told(&tree, "KZ101", &["db"]).is_empty());
}

#[test]
fn entry_needed_by_other_target_is_kept() {
    let patch = |count: usize| {
        format!(
            "patches:\n- target: {{name: web}}\n  patch: |-\n    - {{op: replace, path: /spec/replicas, value: {count}}}\n"
        )
    };
    let tree = Tree::new(&[
        ("base/web.yaml", WEB),
        ("base/kustomization.yaml", &format!("resources: [web.yaml]\n{}", patch(5))),
        ("over/kustomization.yaml", &format!("resources: [../base]\n{}", patch(7))),
        ("other/kustomization.yaml", "resources: [../base]\n"),
    ]);
    let found = told(&tree, "KZ110", &[]);
    assert!(found.is_empty(), "{found:#?}");
    let again = patch(7);
    std::fs::write(tree.path("other/kustomization.yaml"), format!("resources: [../base]\n{again}"))
        .unwrap();
    let found = told(&tree, "KZ110", &[]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["targets"].as_array().unwrap().len(), 2, "{found:#?}");
    let alone = Tree::new(&[
        ("web.yaml", WEB),
        ("kustomization.yaml", &format!("resources: [web.yaml]\n{}{}", patch(5), &patch(7)[9..])),
    ]);
    let found = told(&alone, "KZ110", &[]);
    let hint = text(&found[0]["hint"]);
    assert!(hint.contains(" kustomization.yaml:8"), "{hint}");
    assert!(hint.contains(messages::REMOVE_THIS_ENTRY), "{hint}");
}

/// Each target has its own numbers, so that the message names the target to which they belong.
#[test]
fn a_message_names_the_target_that_it_is_taken_from() {
    let component = "kind: Component\npatches:\n- target: {kind: Job}\n  patch: |-\n    - {op: remove, path: /spec}\n";
    let tree = Tree::new(&[
        ("component/kustomization.yaml", component),
        ("one/web.yaml", WEB),
        ("one/kustomization.yaml", "resources: [web.yaml]\ncomponents: [../component]\n"),
        ("two/web.yaml", WEB),
        ("two/api.yaml", &WEB.replace("web", "api")),
        ("two/kustomization.yaml", "resources: [web.yaml, api.yaml]\ncomponents: [../component]\n"),
    ]);
    let found = told(&tree, "KZ101", &[]);
    assert_eq!(text(&found[0]["messageOf"]), "one", "{found:#?}");
    assert!(
        text(&found[0]["message"]).contains(&format!("{} a Job", messages::ONLY_RESOURCE_IS_NOT)),
        "{found:#?}"
    );
    let answer = check(&tree, &[]);
    let shown = format!("in 2 targets; {}\n", messages::SHOWN_FOR_ONE);
    assert!(answer.out.contains(&shown), "{}", answer.out);
    let alone = told(&tree, "KZ101", &["two"]);
    assert_eq!(alone[0]["messageOf"], Value::Null, "{alone:#?}");
}

/// The origin of a repeated value is the earlier writer, as a path that can be opened.
#[test]
fn equal_value_has_the_earlier_writer_as_origin() {
    let patch =
        "kind: Deployment\napiVersion: apps/v1\nmetadata: {name: web}\nspec: {replicas: 3}\n";
    let tree = Tree::new(&[
        ("apps/base/web.yaml", WEB),
        ("apps/base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("apps/prod/same.yaml", patch),
        (
            "apps/prod/kustomization.yaml",
            "resources: [../base]\npatches:\n- path: same.yaml\n- path: same.yaml\n  target: {name: web}\n",
        ),
    ]);
    let found = told(&tree, "KZ103", &[]);
    assert!(text(&found[0]["hint"]).ends_with(" apps/base/web.yaml:4"), "{found:#?}");
    assert!(text(&found[1]["hint"]).ends_with(" apps/prod/same.yaml:4"), "{found:#?}");
}

#[test]
fn later_namespace_is_not_yet_the_target_namespace() {
    let tree = Tree::new(&[
        ("web.yaml", &WEB.replace("name: web", "name: web, namespace: old")),
        (
            "kustomization.yaml",
            "namespace: new\nresources: [web.yaml]\npatches:\n- target: {name: web, namespace: new}\n  patch: |-\n    - {op: replace, path: /spec/replicas, value: 5}\n",
        ),
    ]);
    let found = told(&tree, "KZ101", &[]);
    let (hint, fix) = (text(&found[0]["hint"]), text(&found[0]["fix"]));
    for part in ["\"old\"", "step 3, namespace new", "Deployment", "\"new\""] {
        assert!(hint.contains(part), "{part}: {hint}");
    }
    assert!(
        fix.starts_with(&format!("write namespace: old ({} 1 ", messages::VERIFIED_IN)),
        "{fix}"
    );
    assert!(fix.ends_with(messages::KZUI_CHECK_FIX_UNSAFE_FIXES), "{fix}");
}

#[test]
fn unused_generator_options_are_removed() {
    let text_with = |options: &str| {
        format!("# first\nresources: [web.yaml]\n{options}# last\nnamePrefix: a-\n")
    };
    let options = "generatorOptions:\n  disableNameSuffixHash: true\n  # why\n  labels: {a: b}\n";
    let tree = Tree::new(&[("web.yaml", WEB), ("kustomization.yaml", &text_with(options))]);
    let found = told(&tree, "KZ216", &[]);
    let fix = text(&found[0]["fix"]);
    assert!(fix.contains(&format!("generatorOptions ({} 1 ", messages::VERIFIED_IN)), "{fix}");
    assert!(fix.contains(messages::OUTPUT_STAYS_SAME), "{fix}");
    assert!(fix.ends_with(messages::KZUI_CHECK_FIX_NOTES_WRITES_IT), "{fix}");
    assert_eq!(check(&tree, &["--fix", "--notes"]).status, Some(0));
    assert_eq!(String::from_utf8(tree.read("kustomization.yaml")).unwrap(), text_with(""));
}

/// A pending build counts neither as failed nor as successful, with the fix or without it.
#[test]
fn fix_of_a_pending_build_is_not_known() {
    let tree = Tree::new(&[
        ("web.yaml", WEB),
        (
            "kustomization.yaml",
            "resources: [web.yaml, 'https://example.com/shop//base?ref=v1']\ncommonLabels: {a: b}\n",
        ),
    ]);
    let found = told(&tree, "KZ001", &["--offline"]);
    let fix = text(&found[0]["fix"]);
    assert!(fix.contains(&format!("{} for 1 ", messages::NOT_KNOWN)), "{found:#?}");
    assert!(fix.contains("--unsafe-fixes"), "{found:#?}");
}

#[test]
fn unfetched_finding_names_file_or_repository() {
    let url = "https://raw.githubusercontent.com/shop/crds/main/config/crd.yaml";
    let tree = Tree::new(&[("kustomization.yaml", &format!("resources: ['{url}']\n"))]);
    let found = told(&tree, "KZ190", &["--offline", "--select", "KZ190"]);
    let message = text(&found[0]["message"]);
    assert!(message.starts_with(&format!("{url} {}: ", messages::NOT_FETCHED)), "{message}");
    let repository = "https://github.com/shop/crds//config?ref=v1";
    let tree = Tree::new(&[("kustomization.yaml", &format!("resources: ['{repository}']\n"))]);
    let found = told(&tree, "KZ190", &["--offline", "--select", "KZ190"]);
    assert!(
        text(&found[0]["message"])
            .contains(&format!("{} https://github.com/shop/crds", messages::PENDING)),
        "{found:#?}"
    );
}

/// A line that affects many targets has one finding.
#[test]
fn labels_that_change_selectors_are_reported_once_per_entry() {
    let workload = |name: &str| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {{selector: {{matchLabels: {{app: {name}}}}}}}\n"
        )
    };
    let tree = Tree::new(&[
        ("component/kustomization.yaml", "kind: Component\ncommonLabels: {team: a}\n"),
        ("one/base/web.yaml", &workload("web")),
        ("one/base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("one/kustomization.yaml", "resources: [base]\ncomponents: [../component]\n"),
        ("two/base/api.yaml", &workload("api")),
        ("two/base/kustomization.yaml", "resources: [api.yaml]\n"),
        ("two/kustomization.yaml", "resources: [base]\ncomponents: [../component]\n"),
    ]);
    let found = told(&tree, "KZ218", &["--select", "KZ218"]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["targets"], serde_json::json!(["one", "two"]));
    assert_eq!(text(&found[0]["messageOf"]), "one");
}

#[test]
fn finding_about_an_address_is_at_its_line() {
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: api, namespace: old}\n";
    let conf = "# scrape\njobs:\n- my-api.old.svc\n- http://api.old.svc:80/\n";
    let tree = Tree::new(&[
        ("api.yaml", service),
        ("conf.yml", conf),
        (
            "kustomization.yaml",
            "namespace: new\nresources: [api.yaml]\nconfigMapGenerator:\n- {name: conf, files: [conf.yml]}\n",
        ),
    ]);
    let found = told(&tree, "KZ224", &[]);
    assert_eq!(text(&found[0]["file"]), "conf.yml", "{found:#?}");
    assert_eq!((&found[0]["line"], &found[0]["column"]), (&4.into(), &10.into()));
}

/// One text may have the addresses of several Services.
#[test]
fn each_old_address_of_a_text_has_a_finding() {
    let service = |name: &str| {
        format!("---\napiVersion: v1\nkind: Service\nmetadata: {{name: {name}, namespace: old}}\n")
    };
    let services = ["api", "db", "web"].map(service).concat();
    let conf = "- http://web.old.svc\n- http://api.old.svc\n- http://db.old.svc\n- web.old.svc\n";
    let tree = Tree::new(&[
        ("services.yaml", &services),
        ("conf.yml", conf),
        (
            "kustomization.yaml",
            "namespace: new\nresources: [services.yaml]\nconfigMapGenerator:\n- {name: conf, files: [conf.yml]}\n",
        ),
    ]);
    let found = told(&tree, "KZ224", &[]);
    let lines: Vec<&Value> = found.iter().map(|one| &one["line"]).collect();
    assert_eq!(lines, [1, 2, 3], "{found:#?}");
}

#[test]
fn commented_out_manifest_is_not_reported_as_unlisted() {
    let tree = Tree::new(&[
        (
            "kustomization.yaml",
            "resources:\n- web.yaml\n#- off.yaml\n# - ./also.yaml # for tests\n",
        ),
        ("web.yaml", WEB),
        ("off.yaml", &WEB.replace("web", "off")),
        ("also.yaml", &WEB.replace("web", "also")),
        ("lost.yaml", &WEB.replace("web", "lost")),
    ]);
    let files: Vec<Value> = told(&tree, "KZ222", &[]).iter().map(|it| it["file"].clone()).collect();
    assert_eq!(files, ["lost.yaml"]);
}

/// A patch file for one object that is also used for others.
#[test]
fn reused_patch_file_has_no_name_finding() {
    let entry =
        |name: &str| format!("- path: p.yaml\n  target: {{kind: Deployment, name: {name}}}\n");
    let tree = Tree::new(&[
        ("web.yaml", WEB),
        ("api.yaml", &WEB.replace("web", "api")),
        ("p.yaml", &WEB.replace("replicas: 3", "replicas: 9")),
        ("kustomization.yaml", ""),
    ]);
    let with = |entries: &str| {
        tree.write(
            "kustomization.yaml",
            &format!("resources: [web.yaml, api.yaml]\npatches:\n{entries}"),
        );
        told(&tree, "KZ221", &[]).len()
    };
    assert_eq!(with(&entry("api")), 1);
    assert_eq!(with(&format!("{}{}", entry("web"), entry("api"))), 0);
}

#[test]
fn rewritten_fields_are_named() {
    let patch = |spec: &str| {
        format!(
            "- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {{name: web}}\n    spec: {spec}\n"
        )
    };
    let text_with = format!(
        "resources: [web.yaml]\npatches:\n{}{}{}",
        patch("{replicas: 5, paused: true, minReadySeconds: 4}"),
        patch("{replicas: 7}"),
        patch("{minReadySeconds: 9}")
    );
    let tree = Tree::new(&[("web.yaml", WEB), ("kustomization.yaml", &text_with)]);
    let found = told(&tree, "KZ124", &[]);
    let message = text(&found[0]["message"]);
    for part in [
        "2 of 3 ",
        "step 3, patches inline Deployment/web",
        " 1 more step",
        "spec.replicas of Deployment web",
        "spec.minReadySeconds of Deployment web",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(text(&found[0]["hint"]).ends_with(" kustomization.yaml:12"), "{found:#?}");
}

#[test]
fn entry_without_resources_is_reported_as_no_match() {
    let tree = Tree::new(&[(
        "kustomization.yaml",
        "namespace: shop\npatches:\n- target: {kind: Deployment, name: web}\n  patch: |-\n    - {op: remove, path: /spec}\n",
    )]);
    let found = told(&tree, "KZ101", &[]);
    assert!(text(&found[0]["message"]).ends_with(messages::NO_RESOURCE_AT_STEP), "{found:#?}");
    let found = told(&tree, "KZ122", &[]);
    let message = text(&found[0]["message"]);
    assert!(message.starts_with("namespace shop "), "{message}");
    assert!(message.ends_with(messages::NO_RESOURCE_AT_STEP), "{message}");
    assert_eq!(text(&found[0]["severity"]), "note");
}

/// The only entry of a deprecated list has no effect: no entry is left for its new form.
#[test]
fn emptied_deprecated_list_is_not_migrated() {
    let text_with = |list: &str| format!("{list}resources:\n- web.yaml\n");
    let list = "patchesJson6902:\n- target: {version: v1, kind: Pod, name: nobody}\n  patch: '[{\"op\": \"remove\", \"path\": \"/spec\"}]'\n";
    let tree = Tree::new(&[("web.yaml", WEB), ("kustomization.yaml", &text_with(list))]);
    let found = told(&tree, "KZ001", &["--unsafe-fixes"]);
    let fix = text(&found[0]["fix"]);
    assert!(fix.contains(messages::BY_OTHER_FIXES), "{found:#?}");
    assert!(fix.ends_with(messages::KZUI_CHECK_FIX_WRITES_IT), "{found:#?}");
    assert_eq!(check(&tree, &["--fix", "--notes", "--unsafe-fixes"]).status, Some(0));
    assert_eq!(String::from_utf8(tree.read("kustomization.yaml")).unwrap(), text_with(""));
}

/// The reason why a var stays a var is given without the text of a Secret.
#[test]
fn secret_text_is_not_printed() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: conf}\nstringData: {url: 'postgres://$(HOST)$(HOST):hunter2'}\n";
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: db}\n";
    let tree = Tree::new(&[
        ("secret.yaml", secret),
        ("db.yaml", service),
        ("params.yaml", "varReference:\n- {path: stringData, kind: Secret}\n"),
        (
            "kustomization.yaml",
            "resources: [secret.yaml, db.yaml]\nconfigurations: [params.yaml]\nvars:\n- name: HOST\n  objref: {apiVersion: v1, kind: Service, name: db}\n",
        ),
    ]);
    let found = told(&tree, "KZ001", &[]);
    let reason = text(&found[0]["noFix"]);
    assert!(reason.starts_with("$(HOST) ") && reason.contains(" stringData"), "{found:#?}");
    assert!(reason.contains(" Secret/conf") && !reason.contains("hunter2"), "{found:#?}");
}

/// One of several documents in a patch file may repeat existing values: the others are needed.
#[test]
fn document_without_effect_is_reported_at_its_own_line() {
    let patch = |name: &str, count: usize| {
        WEB.replace("name: web", &format!("name: {name}")).replace("3}", &format!("{count}}}"))
    };
    let tree = Tree::new(&[
        ("all.yaml", &format!("{WEB}---\n{}", patch("api", 3))),
        ("patches.yaml", &format!("{}---\n{}", patch("web", 9), patch("api", 3))),
        ("kustomization.yaml", "resources: [all.yaml]\npatches:\n- path: patches.yaml\n"),
    ]);
    let found = told(&tree, "KZ103", &[]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((text(&found[0]["file"]), &found[0]["line"]), ("patches.yaml", &6.into()));
    assert!(text(&found[0]["message"]).contains("Deployment api"), "{found:#?}");
}

/// No face shows the content of a Secret, whatever the finding.
#[test]
fn findings_never_show_secret_values() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: hunter2, again: hunter2}\n";
    let config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {copy: hunter2}\n";
    let replacement = |kind: &str, name: &str, path: &str, more: &str| {
        format!(
            "- source: {{kind: Secret, name: s, fieldPath: stringData.password}}\n  targets:\n  - select: {{kind: {kind}, name: {name}}}\n    fieldPaths: [{path}]\n{more}"
        )
    };
    let past = "    options: {delimiter: nter, index: 2}\n";
    let tree = Tree::new(&[
        ("s.yaml", secret),
        ("c.yaml", config),
        (
            "kustomization.yaml",
            &format!(
                "resources: [s.yaml, c.yaml]\npatches:\n- path: s.yaml\n- target: {{kind: Secret, name: s}}\n  patch: |-\n    - {{op: replace, path: /stringData/password, value: hunter2}}\nreplacements:\n{}{}{}",
                replacement("Secret", "s", "stringData.again", ""),
                replacement("ConfigMap", "c", "data.copy", ""),
                replacement("Secret", "s", "stringData.again", past),
            ),
        ),
    ]);
    for code in ["KZ103", "KZ215"] {
        let found = told(&tree, code, &[]);
        assert!(!found.is_empty(), "{code}");
        for one in found {
            assert!(!text(&one["message"]).contains("hunter2"), "{one:#}");
            assert!(!text(&one["hint"]).contains("hunter2"), "{one:#}");
        }
    }
    let traced = kzui_in(&tree.root(), &["trace", "."]);
    assert!(traced.out.contains("KZ103") && !traced.out.contains("hunter2"), "{}", traced.out);
}

/// A Flux Kustomization that the kustomization above it does not list is switched off: its
/// variables may come from a patch of that kustomization.
#[test]
fn variables_of_an_unlisted_flux_kustomization_are_a_note() {
    let object = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: web, namespace: flux-system}\nspec:\n  path: ./apps/web\n  prune: true\n  interval: 1h\n  sourceRef: {kind: GitRepository, name: flux-system}\n  postBuild: {substitute: {A: b}}\n";
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: \"${B}\"}\n";
    let severity = |parent: &[(&str, &str)]| {
        let own = [
            ("apps/web/kustomization.yaml", "resources: [map.yaml]\n"),
            ("apps/web/map.yaml", map),
            ("flux/web/ks.yaml", object),
        ];
        let tree = Tree::new(&[&own, parent].concat());
        let arguments = ["check", ".", "--format", "json", "--select", "KZ054"];
        let report: Value = serde_json::from_str(&kzui_in(&tree.root(), &arguments).out).unwrap();
        report["findings"][0]["severity"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(severity(&[]), "error", "no kustomization above it");
    let other =
        [("flux/kustomization.yaml", "resources: [other.yaml]\n"), ("flux/other.yaml", map)];
    assert_eq!(severity(&other), "note");
    let listed = [("flux/kustomization.yaml", "resources: [web/ks.yaml]\n")];
    assert_eq!(severity(&listed), "error");
}
