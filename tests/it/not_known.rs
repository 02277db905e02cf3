//! Comparisons of targets that are not built in full: not known is never unchanged.

use serde_json::Value;

use crate::compare::{DEPLOYMENT, commit, git};
use crate::support::{Tree, kzui_in, messages};

const CONFIG: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: one\n";
/// A URL that no test can fetch.
const REMOTE: &str = "https://localhost:1/x.yaml";

/// A root with a base, and an entry that is not evaluated offline.
fn tree(root: &str) -> Tree {
    let tree = Tree::new(&[
        ("app/kustomization.yaml", "resources: [cm.yaml]\n"),
        ("app/cm.yaml", CONFIG),
        ("root/kustomization.yaml", root),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    commit(&tree, "First");
    tree
}

fn report(tree: &Tree, arguments: &[&str]) -> (Option<i32>, Value) {
    let answer = kzui_in(&tree.root(), &[&["diff"], arguments, &["--format", "json"]].concat());
    let report = serde_json::from_str(&answer.out);
    (answer.status, report.unwrap_or_else(|error| panic!("{error}: {}", answer.err)))
}

fn edited(tree: &Tree, path: &str, text: &str) {
    tree.write(path, text);
    commit(tree, "Second");
}

#[test]
fn a_target_with_a_pending_remote_is_compared_as_far_as_it_is_built() {
    let tree = tree(&format!("resources:\n- ../app\n- {REMOTE}\n"));
    edited(&tree, "app/cm.yaml", &CONFIG.replace("one", "two"));
    let (status, report) = report(&tree, &["HEAD~1", "HEAD"]);
    assert_eq!(status, Some(1));
    let target = &report["targets"][0];
    assert_eq!((&target["target"], &target["state"]), (&"root".into(), &"differs".into()));
    let field = &target["resources"][0]["fields"][0];
    assert_eq!((&field["path"], &field["tried"]), (&"data.k".into(), &true.into()));
    assert_eq!(report["edits"][0]["file"], "app/cm.yaml");
    let need = target["pending"][0]["need"].as_str().unwrap();
    assert!(need.contains(REMOTE) && need.contains("--fetch"), "{need}");
    assert_eq!(target["pending"][0]["at"], "root/kustomization.yaml:3");
    for (format, words) in
        [("text", "not known  root in part"), ("markdown", "not known: 1 target")]
    {
        let text = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--format", format]).out;
        assert!(text.contains(words), "{text}");
        assert!(text.contains(messages::NONE_IN_COMPARED_PART), "{text}");
        assert!(text.contains(messages::DIFFERS_REST_NOT_KNOWN) || format == "markdown", "{text}");
    }
}

#[test]
fn edit_after_pending_step_is_not_known() {
    let patch =
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: far}\nspec: {replicas: 1}\n";
    let tree = tree(&format!("resources:\n- ../app\n- {REMOTE}\npatches:\n- path: p.yaml\n"));
    edited(&tree, "root/p.yaml", patch);
    edited(&tree, "root/p.yaml", &patch.replace("replicas: 1", "replicas: 2"));
    let (status, found) = report(&tree, &["HEAD~1", "HEAD"]);
    assert_eq!(status, Some(3));
    let target = &found["targets"][0];
    assert_eq!((&target["target"], &target["state"]), (&"root".into(), &"notKnown".into()));
    assert_eq!(target["changedFiles"], serde_json::json!(["root/p.yaml"]));
    for format in ["text", "markdown"] {
        let answer = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--format", format]);
        assert_eq!(answer.status, Some(3));
        assert!(
            answer.out.contains(&format!("1 {}", messages::NOT_KNOWN))
                && answer.out.contains(REMOTE),
            "{}",
            answer.out
        );
        assert!(answer.out.contains("root/p.yaml"), "{}", answer.out);
        assert!(!answer.out.contains("0 differ"), "{}", answer.out);
    }
    // A file that no build reads changes nothing: both sides lack the same downloads.
    edited(&tree, "root/README.md", "text\n");
    assert_eq!(report(&tree, &["HEAD~1", "HEAD"]).0, Some(0));
}

#[test]
fn largest_building_targets_below_a_failing_one_are_compared() {
    let tree = tree("resources: [../middle, missing.yaml]\n");
    tree.write("middle/kustomization.yaml", "resources: [../app]\nnamePrefix: m-\n");
    commit(&tree, "Middle");
    edited(&tree, "app/cm.yaml", &CONFIG.replace("one", "two"));
    let (status, found) = report(&tree, &["HEAD~1", "HEAD"]);
    assert_eq!(status, Some(1));
    let targets: Vec<[&str; 2]> = found["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|target| [target["target"].as_str().unwrap(), target["state"].as_str().unwrap()])
        .collect();
    assert_eq!(targets, [["middle", "differs"], ["root", "notKnown"]]);
    assert_eq!(found["targets"][0]["inPlaceOf"], serde_json::json!(["root"]));
    assert_eq!(found["targets"][1]["changedFiles"], serde_json::json!(["app/cm.yaml"]));
    assert!(found["targets"][1]["error"].as_str().unwrap().contains("missing.yaml"));
    assert_eq!(found["targetsTotal"], 1);
    // The same for one target, and for an edit that changes no output of a base.
    let alone = kzui_in(&tree.path("root"), &["diff", "HEAD~1", "HEAD", "--format", "json"]);
    let alone: Value = serde_json::from_str(&alone.out).unwrap();
    assert_eq!(alone["targets"], found["targets"]);
    edited(&tree, "app/cm.yaml", &(CONFIG.replace("one", "two") + "# a comment\n"));
    assert_eq!(report(&tree, &["HEAD~1", "HEAD"]).0, Some(3));
}

#[test]
fn a_resource_that_moves_behind_a_pending_remote_is_not_removed() {
    let tree = tree("resources:\n- ../app\n");
    edited(&tree, "root/kustomization.yaml", &format!("resources:\n- {REMOTE}\n"));
    let (status, found) = report(&tree, &["HEAD~1", "HEAD"]);
    assert_eq!((status, &found["targets"][0]["state"]), (Some(3), &"notKnown".into()));
    let resource = &found["targets"][0]["resources"][0];
    assert!(resource["pending"].as_str().unwrap().contains(REMOTE), "{resource}");
}

#[test]
fn why_differ_does_not_call_a_pending_target_the_same() {
    let tree = tree(&format!("resources:\n- ../app\n- {REMOTE}\n"));
    tree.write("other/kustomization.yaml", &format!("resources:\n- ../app\n- {REMOTE}\n"));
    let ask = |resource: &str| kzui_in(&tree.root(), &["why-differ", "root", "other", resource]);
    let answer = ask("Deployment/far");
    assert_eq!(answer.status, Some(3), "{}{}", answer.out, answer.err);
    assert!(answer.out.contains("not known") && answer.out.contains(REMOTE), "{}", answer.out);
}

#[test]
fn ignored_file_counts_for_every_commit_and_is_named() {
    let text = "configMapGenerator:\n- name: env\n  envs: [.env]\n  literals: [a=1]\n";
    let tree = Tree::new(&[
        (".gitignore", ".env\n"),
        ("app/kustomization.yaml", text),
        ("app/.env", "HOST=https://a\n"),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    commit(&tree, "First");
    edited(&tree, "app/kustomization.yaml", &text.replace("a=1", "a=2"));
    for sides in [&["HEAD~1", "HEAD"][..], &["HEAD~1"]] {
        let (status, found) = report(&tree, sides);
        assert_eq!(status, Some(1));
        assert_eq!(found["ignoredFiles"], serde_json::json!(["app/.env"]));
        let fields = found["targets"][0]["resources"][0]["fields"].as_array().unwrap();
        assert!(fields.iter().any(|field| field["path"] == "data.a"), "{fields:?}");
        assert!(!fields.iter().any(|field| field["path"] == "data.HOST"), "{fields:?}");
    }
    // Without the file neither commit can be built, which does not mean that they are equal.
    fs_err::remove_file(tree.path("app/.env")).unwrap();
    let (status, found) = report(&tree, &["HEAD~1", "HEAD"]);
    assert_eq!((status, &found["targets"][0]["state"]), (Some(3), &"notKnown".into()));
    assert!(found["targets"][0]["error"].as_str().unwrap().contains(".env"), "{found}");
}

#[test]
fn a_missing_revision_of_a_shallow_clone_is_named_with_the_remedy() {
    let tree = tree("resources:\n- ../app\n");
    edited(&tree, "app/cm.yaml", &CONFIG.replace("one", "two"));
    let clone = tempfile::tempdir().unwrap();
    let from = format!("file://{}", tree.root().display());
    git(&tree, &["clone", "-q", "--depth", "1", &from, &clone.path().to_string_lossy()]);
    let answer = kzui_in(clone.path(), &["diff", "HEAD~1", "HEAD"]);
    assert_eq!(answer.status, Some(2));
    assert!(answer.err.contains("shallow") && answer.err.contains("HEAD~1"), "{}", answer.err);
    assert!(answer.err.contains("git fetch --unshallow"), "{}", answer.err);
}

#[test]
fn a_clone_without_the_content_of_a_file_is_an_error_with_the_remedy() {
    let tree = tree("resources:\n- ../app\n");
    edited(&tree, "app/cm.yaml", &CONFIG.replace("one", "two"));
    let id = std::process::Command::new("git")
        .args(["rev-parse", "HEAD~1:app/cm.yaml"])
        .current_dir(tree.root())
        .output()
        .unwrap();
    let id = String::from_utf8(id.stdout).unwrap();
    let (folder, file) = id.trim().split_at(2);
    let object = tree.root().join(".git/objects").join(folder).join(file);
    std::fs::remove_file(object).unwrap();
    let field = ["--field", "ConfigMap/a", "data.k", "root"];
    let bisect = [&["bisect", "--good", "HEAD~1"][..], &field].concat();
    for arguments in [&["diff", "HEAD~1", "HEAD"][..], &["diff", "HEAD~1"], &bisect] {
        let answer = kzui_in(&tree.root(), arguments);
        assert_eq!(answer.status, Some(2), "{}", answer.out);
        let words = "lacks the content of 'app/cm.yaml': `git fetch --refetch --no-filter`";
        assert!(answer.err.contains(words), "{}", answer.err);
    }
}

#[test]
fn root_kustomization_is_compared_beside_other_targets() {
    let tree = tree("resources: [../app]\n");
    edited(&tree, "kustomization.yaml", "resources: [other.yaml]\n");
    edited(&tree, "other.yaml", &CONFIG.replace("name: a", "name: b"));
    edited(&tree, "app/cm.yaml", &CONFIG.replace("one", "two"));
    for sides in [&["HEAD~1", "HEAD"][..], &["HEAD~3", "HEAD"], &["HEAD~3"]] {
        let (status, found) = report(&tree, sides);
        assert_eq!(status, Some(1), "{found}");
        let all = found["targets"].as_array().unwrap();
        let of = |name: &str| all.iter().find(|target| target["target"] == name);
        assert_eq!(of("root").unwrap()["state"], "differs", "{found}");
        assert_eq!(of(".").is_some(), sides != ["HEAD~1", "HEAD"], "{found}");
    }
}

#[test]
fn largest_building_targets_are_compared_if_one_side_fails() {
    let tree = tree("resources: [../app]\n");
    tree.write("app/cm.yaml", &CONFIG.replace("one", "two"));
    edited(&tree, "root/kustomization.yaml", "resources: [../app, missing.yaml]\n");
    for (sides, state) in [(["HEAD~1", "HEAD"], "failsNow"), (["HEAD", "HEAD~1"], "buildsNow")] {
        let (status, found) = report(&tree, &sides);
        assert_eq!(status, Some(1));
        let [app, root] = found["targets"].as_array().unwrap().as_slice() else {
            panic!("{found}");
        };
        assert_eq!((&app["target"], &app["inPlaceOf"][0]), (&"app".into(), &"root".into()));
        assert_eq!(app["resources"][0]["fields"][0]["path"], "data.k");
        assert_eq!((&root["target"], &root["state"]), (&"root".into(), &state.into()));
        let files = serde_json::json!(["app/cm.yaml", "root/kustomization.yaml"]);
        assert_eq!(root["changedFiles"], files);
    }
}

#[test]
fn a_new_and_a_removed_target_have_their_resources_and_dangers() {
    let space = "apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n";
    let tree = tree("resources: [../app]\n");
    tree.write("more/ns.yaml", space);
    edited(&tree, "more/kustomization.yaml", "resources: [ns.yaml]\n");
    for (sides, state) in [(["HEAD~1", "HEAD"], "added"), (["HEAD", "HEAD~1"], "removed")] {
        let (_, found) = report(&tree, &sides);
        let target = &found["targets"][0];
        assert_eq!((&target["target"], &target["state"]), (&"more".into(), &state.into()));
        let resource = &target["resources"][0];
        assert_eq!((&resource["kind"], &resource["change"]), (&"Namespace".into(), &state.into()));
        let dangers = resource["dangers"].as_array().map_or(0, Vec::len);
        assert_eq!(dangers, usize::from(state == "removed"));
        assert_eq!(found["headline"][state], 1);
        for format in ["text", "markdown"] {
            let arguments = [&["diff"], &sides[..], &["--format", format]].concat();
            let answer = kzui_in(&tree.root(), &arguments);
            assert!(answer.out.contains("1 Namespace"), "{}", answer.out);
            assert_eq!(answer.out.contains("[KZ312]"), state == "removed", "{}", answer.out);
        }
    }
    // A renamed folder deletes nothing.
    git(&tree, &["mv", "more", "less"]);
    commit(&tree, "Rename");
    let (_, found) = report(&tree, &["HEAD~1", "HEAD"]);
    let states = found["targets"].as_array().unwrap().iter().map(|it| it["state"].clone());
    assert_eq!(states.collect::<Vec<_>>(), ["added", "removed"]);
    assert!(found["headline"]["dangers"].as_array().unwrap().is_empty(), "{found}");
}

#[test]
fn many_edits_are_verified_in_few_builds() {
    let text = |value: &str| {
        let keys = (0..100).map(|at| format!("  k{at}: {value}\n  n{at}: x\n"));
        format!("{CONFIG}{}", keys.collect::<String>())
    };
    let tree = tree("resources: [../app]\n");
    edited(&tree, "app/cm.yaml", &text("a"));
    edited(&tree, "app/cm.yaml", &text("b"));
    let (_, found) = report(&tree, &["HEAD~1", "HEAD", "--most-trials", "30"]);
    let fields = found["targets"][0]["resources"][0]["fields"].as_array().unwrap();
    assert_eq!(fields.len(), 100);
    for field in fields {
        assert_eq!((&field["tried"], field["edits"].as_array().unwrap().len()), (&true.into(), 1));
        let edit = &found["edits"][usize::try_from(field["edits"][0].as_u64().unwrap()).unwrap()];
        let key = field["path"].as_str().unwrap().trim_start_matches("data.").to_owned() + ":";
        assert!(edit["new"][0].as_str().unwrap().trim().starts_with(&key), "{field} {edit}");
    }
}

#[test]
fn the_write_question_of_a_target_with_pending_steps_counts_the_known_part() {
    let generator = "configMapGenerator: [{name: g, literals: [a=b]}]\n";
    let transformer = "apiVersion: v1\nkind: Fn\nmetadata:\n  name: f\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: ./f.sh}\n";
    for (entry, is_known) in
        [("resources:\n- https://localhost:1/x.yaml\n", true), ("transformers:\n- f.yaml\n", false)]
    {
        let tree = Tree::new(&[
            ("app/kustomization.yaml", &format!("{generator}namePrefix: a-\n{entry}")),
            ("app/f.yaml", transformer),
        ]);
        let home = tempfile::tempdir().unwrap();
        let lines = "change kustomization.yaml:1 #\nwrite\nn\nquit!\n";
        let said = crate::linear::run_line_mode(&tree.root(), home.path(), "app", lines);
        assert!(!said.contains(messages::CHANGES_NO_OUTPUT), "{said}");
        let words = if is_known { messages::REST_NOT_KNOWN } else { messages::NOT_KNOWN };
        assert!(said.contains(&format!("{words}: app.")), "{said}");
        assert_eq!(said.contains("− 1 ConfigMap"), is_known, "{said}");
    }
}

#[test]
fn fields_that_depend_on_a_pending_step_are_not_known_by_name_and_reason() {
    let replacement = "replacements:\n- source: {kind: ConfigMap, name: far, fieldPath: data.n}\n  targets:\n  - select: {kind: Deployment}\n    fieldPaths: [spec.replicas]\n";
    let tree = tree(&format!("resources:\n- ../app\n- web.yaml\n- {REMOTE}\n{replacement}"));
    edited(&tree, "root/web.yaml", DEPLOYMENT);
    let new = DEPLOYMENT.replace("web:1", "web:2").replace("replicas: 1", "replicas: 2");
    edited(&tree, "root/web.yaml", &new);
    let (status, found) = report(&tree, &["HEAD~1", "HEAD"]);
    assert_eq!(status, Some(1));
    let target = &found["targets"][0];
    let unknown = &target["unknownFields"][0];
    assert_eq!(unknown["path"], "spec.replicas");
    assert_eq!(unknown["resources"], serde_json::json!(["Deployment/web"]));
    assert_eq!(unknown["at"], "root/kustomization.yaml:6");
    let fields = target["resources"][0]["fields"].as_array().unwrap();
    let pending: Vec<(&str, bool)> =
        fields.iter().map(|it| (it["path"].as_str().unwrap(), it["pending"].is_string())).collect();
    let image = "spec.template.spec.containers[web].image";
    assert_eq!(pending, [("spec.replicas", true), (image, false)]);
    for format in ["text", "markdown"] {
        let answer = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--format", format]);
        let words = "not known: spec.replicas of Deployment/web";
        assert!(answer.out.contains(words), "{}", answer.out);
    }
    // A field that is not known is not a difference.
    edited(&tree, "root/web.yaml", &new.replace("replicas: 2", "replicas: 3"));
    assert_eq!(report(&tree, &["HEAD~1", "HEAD"]).0, Some(3));
}

#[test]
fn targets_in_a_flux_folder_are_compared() {
    let object = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec:\n  interval: 10m\n  path: ./apps\n  prune: true\n  sourceRef: {kind: GitRepository, name: flux-system}\n";
    let app = |namespace: &str| format!("namespace: {namespace}\nresources: [cm.yaml]\n");
    let tree = Tree::new(&[
        ("cluster/apps.yaml", object),
        ("apps/a/kustomization.yaml", &app("same")),
        ("apps/a/cm.yaml", CONFIG),
        ("apps/b/kustomization.yaml", &app("same")),
        ("apps/b/cm.yaml", CONFIG),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    commit(&tree, "First");
    edited(&tree, "apps/b/kustomization.yaml", &app("other"));
    let (status, found) = report(&tree, &["HEAD~1", "HEAD"]);
    assert_eq!(status, Some(1));
    let states: Vec<(&str, &str, usize)> = found["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let text = |key: &str| it[key].as_str().unwrap();
            (text("target"), text("state"), it["resources"].as_array().unwrap().len())
        })
        .collect();
    assert_eq!(states, [("apps/b", "differs", 1), ("cluster/apps.yaml#apps", "buildsNow", 0)]);
    assert_eq!(found["targets"][0]["inPlaceOf"], serde_json::json!(["cluster/apps.yaml#apps"]));
}

/// The parts of an HTML page as its script shows them, each after its name in brackets; `None`
/// without the program `node`.
fn shown_page(tree: &Tree, arguments: &[&str], settings: &[&str]) -> Option<String> {
    let page = kzui_in(&tree.root(), &[&["diff"], arguments, &["--format", "html"]].concat()).out;
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("page.html");
    fs_err::write(&file, page).unwrap();
    let reader = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/support/page_reader.js");
    let mut node = std::process::Command::new("node");
    let Ok(shown) = node.arg(reader).arg(&file).args(settings).output() else {
        eprintln!("skipped: no program `node`");
        return None;
    };
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    Some(String::from_utf8(shown.stdout).unwrap())
}

#[test]
fn every_format_names_the_target_that_is_not_known() {
    let tree = tree(&format!("resources:\n- {REMOTE}\nnamePrefix: a-\n"));
    edited(&tree, "root/kustomization.yaml", &format!("resources:\n- {REMOTE}\nnamePrefix: b-\n"));
    for format in ["text", "short", "json", "markdown", "html", "sarif"] {
        for more in [&[][..], &["--danger"]] {
            let words = [&["diff", "HEAD~1", "HEAD", "--format", format], more].concat();
            let answer = kzui_in(&tree.root(), &words);
            assert_eq!(answer.status, Some(3), "{format}: {}", answer.err);
            assert!(answer.out.contains(REMOTE), "{format}: {}", answer.out);
            assert!(!answer.out.contains(&*tree.root().to_string_lossy()), "{format}");
        }
    }
    let short = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--format", "short"]).out;
    assert!(short.starts_with("root\tnot known\t"), "{short}");
    assert!(short.ends_with("\troot/kustomization.yaml:2\n"), "{short}");
    if let Some(shown) = shown_page(&tree, &["HEAD~1", "HEAD"], &[]) {
        assert!(shown.contains("[main] \nno difference known: 1 target not compared"), "{shown}");
        assert!(shown.contains("dangers none in the compared part"), "{shown}");
    }
}

/// A step without a match after a pending step may have one.
/// Neither revision has the directory of the element `eu`: there is nothing to compare.
#[test]
fn an_element_without_a_directory_on_both_sides_has_no_row() {
    let set = |names: &str| {
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {{name: all}}\nspec:\n  generators:\n  - merge:\n      \
             mergeKeys: [name]\n      generators:\n      - clusters: {{selector: {{matchLabels: {{env: prod}}}}}}\n      \
             - list: {{elements: [{names}]}}\n  template:\n    metadata: {{name: '{{{{name}}}}'}}\n    spec:\n      \
             source: {{repoURL: 'https://example.com/org/repo', path: 'apps/{{{{name}}}}'}}\n"
        )
    };
    let tree = Tree::new(&[
        ("set.yaml", &set("{name: eu}")),
        ("apps/us/kustomization.yaml", "resources: [cm.yaml]\n"),
        ("apps/us/cm.yaml", CONFIG),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    git(&tree, &["remote", "add", "origin", "https://example.com/org/repo"]);
    commit(&tree, "First");
    edited(&tree, "set.yaml", &set("{name: eu}, {name: us}"));
    let (_, report) = report(&tree, &["HEAD~1", "HEAD"]);
    let rows = report["targets"].as_array().unwrap().iter();
    let rows: Vec<&str> = rows.filter_map(|row| row["target"].as_str()).collect();
    assert!(rows.iter().any(|row| row.ends_with("#us")), "{rows:?}");
    assert!(rows.iter().all(|row| !row.ends_with("#eu")), "{rows:?}");
}

#[test]
fn entry_after_a_pending_step_has_no_known_outcome() {
    let tree = tree(&format!("resources:\n- {REMOTE}\nnamePrefix: a-\n"));
    let trace = kzui_in(&tree.root(), &["trace", "root"]).out;
    let line = trace.lines().find(|line| line.contains("namePrefix a-")).unwrap_or_default();
    assert!(line.contains("not known") && !trace.contains("(no match)"), "{trace}");
    let document = kzui_in(&tree.root(), &["trace", "root", "--json"]).out;
    let document: Value = serde_json::from_str(&document).unwrap();
    let steps = document["steps"].as_array().unwrap();
    let step = steps.iter().find(|step| step["id"].as_str().unwrap().contains("namePrefix"));
    let step = step.unwrap_or_else(|| panic!("{document}"));
    assert_eq!(step["outcome"], "waiting", "{step}");
}

#[test]
fn page_opens_at_the_first_danger_and_filters_by_danger() {
    let tree = Tree::new(&[
        ("app/kustomization.yaml", "resources: [cm.yaml, deployment.yaml]\n"),
        ("app/cm.yaml", CONFIG),
        ("app/deployment.yaml", DEPLOYMENT),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    commit(&tree, "First");
    tree.write("app/cm.yaml", &CONFIG.replace("one", "two"));
    edited(&tree, "app/deployment.yaml", &DEPLOYMENT.replace("replicas: 1", "replicas: 0"));
    let sides = ["HEAD~1", "HEAD"];
    let Some(shown) = shown_page(&tree, &sides, &[]) else { return };
    let part = |name: &str| {
        let from = shown.split_once(&format!("[{name}] ")).unwrap().1;
        from.split_once("\n[").map_or(from, |(part, _)| part).to_owned()
    };
    let text = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD"]).out;
    assert_eq!(part("title"), text.lines().next().unwrap());
    assert!(part("main").contains("warning KZ334"), "{shown}");
    assert!(part("list").contains("app/deployment.yaml:6  replicas: 1 → 0"), "{shown}");
    assert!(part("list").contains("app/cm.yaml:6  k: one → two"), "{shown}");
    let filtered = shown_page(&tree, &sides, &["danger=on"]).unwrap_or_default();
    assert!(!filtered.contains("app/cm.yaml:6"), "{filtered}");
    let by_target = shown_page(&tree, &sides, &["by=target"]).unwrap_or_default();
    assert!(by_target.contains("[list] \napp KZ334"), "{by_target}");
}
