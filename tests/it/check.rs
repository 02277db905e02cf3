//! `kzui check`: its reports, suppressions, failures, and fixes.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::compare::git;
use crate::support::{Answer, Tree, kzui_in, messages, numbers_after};

const WEB: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n";

/// The name already has the prefix of a later step; the odd bytes around it are intended.
const PRODUCTION: &str = "# Comments  stay.\nresources:   [../base]\r\nnamePrefix: prod-\npatches:\n- target: {kind: Deployment, name: prod-web}   # who?\n  \
     patch: |-\n    - {op: replace, path: /spec/replicas, value: 5}\n\n\n# the end";

const WARNED: &str = "resources: [../base]\ncommonLabels:\n  a: b\n";

fn tree() -> Tree {
    Tree::new(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", WEB),
        ("production/kustomization.yaml", PRODUCTION),
        ("old style/kustomization.yaml", WARNED),
    ])
}

fn check(tree: &Tree, arguments: &[&str]) -> Answer {
    kzui_in(&tree.root(), &[&["check"], arguments].concat())
}

fn json(answer: &Answer) -> Value {
    assert_eq!(answer.err, "");
    serde_json::from_str(&answer.out).expect("it is JSON")
}

/// Code, file and line of the findings of the JSON report.
fn findings(answer: &Answer) -> BTreeSet<(String, String, u64)> {
    let report = json(answer);
    assert_eq!(report["schemaVersion"], 1);
    let findings = report["findings"].as_array().unwrap().iter();
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    findings
        .map(|one| (word(&one["code"]), word(&one["file"]), one["line"].as_u64().unwrap()))
        .collect()
}

fn codes(answer: &Answer) -> Vec<String> {
    findings(answer).into_iter().map(|(code, ..)| code).collect()
}

#[test]
fn text_has_findings_and_summary() {
    let tree = tree();
    let answer = check(&tree, &[]);
    assert_eq!(answer.status, Some(1), "{}", answer.err);
    assert!(answer.out.contains("error[KZ101]: "), "{}", answer.out);
    assert!(answer.out.contains(" --> production/kustomization.yaml:5:"), "{}", answer.out);
    assert!(!answer.out.contains("[KZ001]"), "{}", answer.out);
    assert!(check(&tree, &["--notes"]).out.contains("note[KZ001]: "), "{}", answer.out);
    let sum = answer.out.lines().last().unwrap();
    assert!(sum.ends_with(&format!("{}.", messages::WITH_FIX_UNSAFE_FIXES)), "{sum}");
    // Errors, warnings, targets, notes, and the findings with a fix of each kind.
    assert_eq!(numbers_after(sum, messages::FOUND), [1, 0, 2, 1, 1, 1], "{sum}");
}

#[test]
fn exit_status_depends_on_fail_on_select_and_ignore() {
    let tree = tree();
    let status = |arguments: &[&str]| check(&tree, arguments).status;
    assert_eq!(status(&["--fail-on", "never"]), Some(0));
    assert_eq!(status(&["--ignore", "KZ101"]), Some(0));
    assert_eq!(status(&["--ignore", "kz1", "--fail-on", "warning"]), Some(0));
    assert_eq!(status(&["--ignore", "kz1", "--fail-on", "note"]), Some(1));
    assert_eq!(status(&["--select", "KZ0"]), Some(0));
    assert_eq!(status(&["--select", "KZ0,KZ101"]), Some(1));
    assert_eq!(status(&["base", "old style"]), Some(0));
    assert_eq!(codes(&check(&tree, &["--format", "json", "--select", "KZ0"])), ["KZ001"]);
    for wrong in
        [&["nowhere"][..], &["--shard", "3/2"], &["--shard", "x"], &["--baseline", "absent.json"]]
    {
        assert_eq!(status(wrong), Some(2), "{wrong:?}");
        assert!(check(&tree, wrong).refused().starts_with("error: "), "{wrong:?}");
    }
}

#[test]
fn json_names_paths_from_the_working_directory() {
    let tree = tree();
    assert_eq!(codes(&check(&tree, &["--format", "json"])), ["KZ101"], "no notes");
    let found = findings(&check(&tree, &["--notes", "--format", "json"]));
    let place = |code: &str, file: &str, line| (code.to_owned(), file.to_owned(), line);
    let all = [
        place("KZ001", "old style/kustomization.yaml", 2),
        place("KZ101", "production/kustomization.yaml", 5),
    ];
    assert_eq!(found, all.into_iter().collect());
    let inside = kzui_in(&tree.path("base"), &["check", "../production", "--format", "json"]);
    assert_eq!(findings(&inside).first().unwrap().1, "../production/kustomization.yaml");
    assert_eq!(json(&inside)["findings"][0]["targets"][0], "../production");
}

#[test]
fn sarif_has_rules_and_results_at_places_that_exist() {
    let tree = tree();
    let report = json(&check(&tree, &["--notes", "--format", "sarif"]));
    assert_eq!(report["version"], "2.1.0");
    let run = &report["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "kzui");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap().iter();
    let rules: BTreeSet<&str> = rules.map(|rule| rule["id"].as_str().unwrap()).collect();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        assert!(rules.contains(result["ruleId"].as_str().unwrap()), "{result}");
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert_ne!(result["message"]["text"], "");
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(!uri.starts_with('/') && !uri.contains(' '), "{uri}");
        let text = String::from_utf8(tree.read(&uri.replace("%20", " "))).unwrap();
        let line = usize::try_from(place["region"]["startLine"].as_u64().unwrap()).unwrap();
        assert!((1..=text.lines().count()).contains(&line), "{place}");
    }
}

#[test]
fn ci_reports_contain_the_findings() {
    let tree = tree();
    let gitlab = json(&check(&tree, &["--notes", "--format", "gitlab"]));
    assert_eq!(gitlab.as_array().unwrap().len(), 2);
    assert_eq!(gitlab[1]["location"]["path"], "production/kustomization.yaml");
    assert_eq!(gitlab[1]["location"]["lines"]["begin"], 5);
    assert_ne!(gitlab[0]["fingerprint"], gitlab[1]["fingerprint"]);
    let github = check(&tree, &["--format", "github"]).out;
    assert!(github.contains("::error file=production/kustomization.yaml,line=5,col="), "{github}");
    assert!(github.lines().all(|line| line.starts_with("::")), "{github}");
    let junit = check(&tree, &["--notes", "--format", "junit"]).out;
    assert!(junit.contains("tests=\"2\" failures=\"1\""), "{junit}");
    assert_eq!(junit.matches("<testcase ").count(), 2);
    let markdown = check(&tree, &["--format", "markdown"]).out;
    assert!(
        markdown.contains("| error KZ101 | `production/kustomization.yaml:5` | "),
        "{markdown}"
    );
}

/// A forge knows the files of a change by their paths in the repository, and a baseline is one file for all folders.
#[test]
fn reports_for_programs_have_the_paths_of_the_repository() {
    let tree = tree();
    git(&tree, &["init", "-q"]);
    let below = |arguments: &[&str]| {
        kzui_in(&tree.path("production"), &[&["check", "."], arguments].concat())
    };
    let place = "production/kustomization.yaml";
    let github = below(&["--format", "github"]).out;
    assert!(github.contains(&format!("file={place},")), "{github}");
    assert_eq!(json(&below(&["--format", "gitlab"]))[0]["location"]["path"], place);
    assert!(below(&["--format", "junit"]).out.contains(place));
    let sarif = json(&below(&["--format", "sarif"]));
    let location = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], place);
    assert!(below(&[]).out.contains(" --> kustomization.yaml:5:"));
    assert_eq!(check(&tree, &["--write-baseline", "known.json"]).status, Some(1));
    assert_eq!(below(&["--baseline", "../known.json"]).status, Some(0));
}

#[test]
fn errors_come_before_notes() {
    let tree = tree();
    let text = check(&tree, &["--notes"]).out;
    let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("{word}: {text}"));
    assert!(at("error[KZ101]") < at("note[KZ001]"), "{text}");
}

#[test]
fn findings_with_equal_messages_have_distinct_fingerprints() {
    let patch = "- target: {kind: Deployment, name: zzz}\n  patch: |-\n    - {op: remove, path: /spec/replicas}\n";
    let text = format!("resources: [../base]\npatches:\n{patch}");
    let tree = tree();
    tree.write("production/kustomization.yaml", &text);
    let known = ["--select", "KZ101", "--baseline", "known.json", "--write-baseline", "known.json"];
    assert_eq!(
        check(&tree, &["--select", "KZ101", "--write-baseline", "known.json"]).status,
        Some(1)
    );
    assert_eq!(check(&tree, &known[..4]).status, Some(0), "known");
    tree.write("production/kustomization.yaml", &format!("{text}{patch}"));
    assert_eq!(check(&tree, &known).status, Some(1), "the second is new");
    assert_eq!(check(&tree, &known[..4]).status, Some(0), "both are known");
}

#[test]
fn a_waiver_with_a_reason_silences_and_one_without_does_not() {
    let tree = tree();
    let with = |comment: &str| PRODUCTION.replace("# who?", comment);
    tree.write(
        "production/kustomization.yaml",
        &with("# kzui: ignore KZ101 because it comes later"),
    );
    let answer = check(&tree, &[]);
    assert_eq!(answer.status, Some(0), "{}", answer.out);
    assert!(
        answer.out.contains(&format!(" 1 finding {}.", messages::IGNORED_BY_COMMENT)),
        "{}",
        answer.out
    );
    let report = json(&check(&tree, &["--format", "json", "--select", "KZ101"]));
    assert_eq!(report["findings"][0]["waived"], "it comes later");
    tree.write("production/kustomization.yaml", &with("# kzui: ignore KZ101"));
    let answer = check(&tree, &["--format", "json", "--select", "KZ101,KZ002"]);
    assert_eq!(answer.status, Some(1));
    assert_eq!(codes(&answer), ["KZ002", "KZ101"]);
    let file = format!("# kzui: ignore-file KZ101 because it is a draft\n{PRODUCTION}");
    tree.write("production/kustomization.yaml", &file);
    assert_eq!(check(&tree, &[]).status, Some(0));
}

#[test]
fn baseline_findings_are_hidden_and_new_ones_reported() {
    let tree = tree();
    assert_eq!(check(&tree, &["--write-baseline", "known.json"]).status, Some(1));
    let answer = check(&tree, &["--baseline", "known.json", "--fail-on", "note"]);
    assert_eq!(answer.status, Some(0), "{}", answer.out);
    assert!(
        answer.out.contains(&format!(" 2 findings {}.", messages::KNOWN_FROM_BASELINE)),
        "{}",
        answer.out
    );
    tree.write("production/kustomization.yaml", &format!("\n\n{PRODUCTION}"));
    let answer = check(&tree, &["--baseline", "known.json", "--fail-on", "note"]);
    assert_eq!(answer.status, Some(0), "it only moved: {}", answer.out);
    tree.write("more/kustomization.yaml", &PRODUCTION.replace("prod-web", "prod-wob"));
    let answer = check(&tree, &["--baseline", "known.json", "--format", "json"]);
    assert_eq!(answer.status, Some(1));
    assert_eq!(findings(&answer).into_iter().next().unwrap().1, "more/kustomization.yaml");
}

#[test]
fn diff_shows_what_fix_writes_and_fix_writes_only_that() {
    let tree = tree();
    let shown = check(&tree, &["--diff", "--unsafe-fixes", "--select", "KZ101"]);
    assert_eq!(shown.status, Some(1));
    assert!(
        shown
            .out
            .contains("--- a/production/kustomization.yaml\n+++ b/production/kustomization.yaml\n")
    );
    let lines = |mark| shown.out.lines().filter(move |line| line.starts_with(mark)).count();
    assert_eq!((lines('-'), lines('+')), (2, 2), "{}", shown.out);
    assert_eq!(tree.read("production/kustomization.yaml"), PRODUCTION.as_bytes());
    let fixed = check(&tree, &["--fix", "--unsafe-fixes", "--select", "KZ101"]);
    assert_eq!(fixed.status, Some(0), "{}", fixed.out);
    assert_eq!(fixed.err, "fixed: production/kustomization.yaml\n");
    let written = String::from_utf8(tree.read("production/kustomization.yaml")).unwrap();
    assert_eq!(written, PRODUCTION.replace("name: prod-web", "name: web"));
    assert_eq!(tree.read("old style/kustomization.yaml"), WARNED.as_bytes());
    assert_eq!(codes(&check(&tree, &["--notes", "--format", "json"])), ["KZ001"]);
}

/// A fix above a finding moves its line: every report has the line of the file as it is now.
#[test]
fn findings_that_remain_after_a_fix_have_the_lines_of_the_written_file() {
    let files = "commonLabels:\n  a: b\nresources: [../base]\nnamePrefix: prod-\npatches:\n- target: {kind: Deployment, name: prod-web}\n  \
                 patch: '[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": 5}]'\n";
    for format in ["text", "json", "github"] {
        let tree = tree();
        tree.write("production/kustomization.yaml", files);
        let answer = check(&tree, &["--fix", "--format", format, "production"]);
        assert_eq!(answer.err, "fixed: production/kustomization.yaml\n", "{}", answer.out);
        let written = String::from_utf8(tree.read("production/kustomization.yaml")).unwrap();
        let line = 1 + written.lines().position(|line| line.contains("name: prod-web")).unwrap();
        assert_ne!(line, 6, "the fix moves the entry:\n{written}");
        let expected = match format {
            "text" => format!(" --> production/kustomization.yaml:{line}:"),
            "json" => format!("\"line\": {line},"),
            _ => format!("file=production/kustomization.yaml,line={line},"),
        };
        assert!(answer.out.contains(&expected), "{expected}\n{}", answer.out);
        let frame = format!("{line} | - target: {{kind: Deployment, name: prod-web}}");
        assert!(format != "text" || answer.out.contains(&frame), "{frame}\n{}", answer.out);
    }
}

/// A suggestion changes the output: `--fix` alone does not apply it.
#[test]
fn fix_without_unsafe_fixes_keeps_every_output() {
    let tree = tree();
    let before = tree.read("production/kustomization.yaml");
    let shown = check(&tree, &["--diff"]);
    assert!(!shown.out.contains("production/kustomization.yaml"), "{}", shown.out);
    let fixed = check(&tree, &["--fix"]);
    assert_eq!(fixed.status, Some(1), "{}", fixed.err);
    assert_eq!(fixed.err, "fixed: old style/kustomization.yaml\n");
    assert!(
        fixed.out.contains(&format!(" changes); `{}", messages::KZUI_CHECK_FIX_UNSAFE_FIXES)),
        "{}",
        fixed.out
    );
    assert_eq!(tree.read("production/kustomization.yaml"), before);
}

/// Every face names the same command for every fix.
#[test]
fn all_formats_name_same_fix_command() {
    let tree = tree();
    let told = [messages::KZUI_CHECK_FIX_WRITES_IT, messages::KZUI_CHECK_FIX_UNSAFE_FIXES];
    for format in ["text", "json", "sarif", "junit", "github", "markdown"] {
        let said = check(&tree, &["--notes", "--format", format]).out;
        let said = said.replace("\\`", "`").replace("\\-", "-");
        for words in told {
            assert_eq!(
                said.matches(words).count(),
                match (format, words) {
                    ("sarif", _) => 2,
                    // A passed test case has no text.
                    ("junit", messages::KZUI_CHECK_FIX_WRITES_IT) => 0,
                    _ => 1,
                },
                "{format}: {said}"
            );
        }
    }
    let after = check(&tree, &["--fix", "--notes", "--format", "json"]);
    assert!(
        after.out.contains(&format!("{}); written", messages::OUTPUT_STAYS_SAME)),
        "{}",
        after.out
    );
    assert!(!after.out.contains(messages::KZUI_CHECK_FIX_WRITES_IT), "{}", after.out);
}

#[test]
fn similar_name_and_wrong_group_are_fixed() {
    let tree = tree();
    for (wrong, right) in [("name: wbe", "name: web"), ("group: extensions", "group: apps")] {
        let text = format!(
            "resources: [../base]\npatches:\n- target:\n    kind: Deployment\n    {wrong}   # who?\n  patch: |-\n    - {{op: replace, path: /spec/replicas, value: 5}}\n"
        );
        tree.write("production/kustomization.yaml", &text);
        let fixed = check(&tree, &["production", "--fix", "--unsafe-fixes"]);
        assert_eq!(fixed.status, Some(0), "{}", fixed.out);
        let written = String::from_utf8(tree.read("production/kustomization.yaml")).unwrap();
        assert_eq!(written, text.replace(wrong, right));
    }
}

#[test]
fn merged_shards_equal_the_full_check() {
    let tree = tree();
    tree.write("more/kustomization.yaml", PRODUCTION);
    let whole = findings(&check(&tree, &["--notes", "--format", "json"]));
    assert_eq!(whole.len(), 3);
    let (mut together, mut targets) = (BTreeSet::new(), 0);
    for shard in ["1/3", "2/3", "3/3"] {
        let part = check(&tree, &["--notes", "--format", "json", "--shard", shard]);
        targets += json(&part)["targets"].as_u64().unwrap();
        together.extend(findings(&part));
    }
    assert_eq!((together, targets), (whole, 3));
}

#[test]
fn merged_shard_reports_equal_the_full_report() {
    let tree = tree();
    tree.write("more/kustomization.yaml", PRODUCTION);
    for format in ["json", "sarif", "junit"] {
        let whole = check(&tree, &["--format", format]);
        let names = ["part-1", "part-2", "part-3"];
        for (name, shard) in names.iter().zip(["1/3", "2/3", "3/3"]) {
            tree.write(name, &check(&tree, &["--format", format, "--shard", shard]).out);
        }
        let merged = check(&tree, &[&["--merge"][..], &names].concat());
        assert_eq!((&merged.out, merged.status), (&whole.out, whole.status), "{format}");
        let never = check(&tree, &[&["--merge", "--fail-on", "never"][..], &names].concat());
        assert_eq!((&never.out, never.status), (&whole.out, Some(0)), "{format}");
        tree.write("part-2", "schemaVersion: 1\n");
        let bad = check(&tree, &[&["--merge"][..], &names].concat());
        assert_eq!((bad.status, &*bad.out), (Some(2), ""), "{}", bad.err);
        assert!(bad.err.contains("part-2"), "{}", bad.err);
    }
}

#[test]
fn single_target_check_equals_full_check() {
    let tree = tree();
    // One component in four targets: its first patch has no effect in all of them, its second in
    // two.
    tree.write(
        "component/kustomization.yaml",
        "kind: Component\npatches:\n- target: {name: nobody}\n  patch: |-\n    - {op: remove, path: /spec}\n\
         - target: {name: web}\n  patch: |-\n    - {op: replace, path: /spec/replicas, value: 7}\n",
    );
    for (number, name) in ["web", "api", "web", "api"].into_iter().enumerate() {
        tree.write(
            &format!("t{number}/own.yaml"),
            &WEB.replace("name: web", &format!("name: {name}")),
        );
        let text = "resources: [own.yaml]\ncomponents: [../component]\ncommonLabels: {a: b}\n";
        tree.write(&format!("t{number}/kustomization.yaml"), text);
    }
    let all = |answer: &Answer| json(answer)["findings"].as_array().unwrap().clone();
    let results = |answer: &Answer| {
        let results = json(answer)["runs"][0]["results"].as_array().unwrap().clone();
        results.into_iter().map(|one| one.to_string()).collect::<Vec<_>>()
    };
    let whole = all(&check(&tree, &["--notes", "--format", "json"]));
    let of_part = whole.iter().find(|one| one["usedBy"] == 4 && one["severity"] == "note").unwrap();
    assert_eq!(of_part["targets"].as_array().unwrap().len(), 2, "{of_part:#}");
    let of_all = whole.iter().find(|one| one["usedBy"] == 4 && one["severity"] == "error").unwrap();
    assert_eq!(of_all["targets"].as_array().unwrap().len(), 4, "{of_all:#}");
    for parts in [2, 3, 5, 9] {
        let (mut found, mut sarif, mut targets) = (Vec::new(), Vec::new(), 0);
        for number in 1..=parts {
            let shard = format!("{number}/{parts}");
            let part = check(&tree, &["--notes", "--format", "json", "--shard", &shard]);
            targets += json(&part)["targets"].as_u64().unwrap();
            found.extend(all(&part));
            sarif.extend(results(&check(
                &tree,
                &["--notes", "--format", "sarif", "--shard", &shard],
            )));
        }
        let place = |one: &Value| {
            let at = (one["file"].to_string(), one["line"].as_u64(), one["column"].as_u64());
            (at, one["code"].to_string(), one["message"].to_string())
        };
        found.sort_by_key(place);
        let mut expected = whole.clone();
        expected.sort_by_key(place);
        assert_eq!(found, expected, "{parts} parts");
        let mut expected = results(&check(&tree, &["--notes", "--format", "sarif"]));
        sarif.sort();
        expected.sort();
        assert_eq!(sarif, expected, "{parts} parts");
        assert_eq!(targets, 6);
    }
}

#[test]
fn changed_flag_builds_affected_targets_only() {
    let tree = tree();
    tree.commit("start");
    let targets = |of: &str| {
        let report = json(&check(&tree, &["--format", "json", "--changed", of]));
        report["targets"].as_u64().unwrap()
    };
    assert_eq!(targets("start"), 0);
    tree.write("production/kustomization.yaml", &PRODUCTION.replace("value: 5", "value: 6"));
    assert_eq!(targets("start"), 1);
    tree.write("base/web.yaml", &WEB.replace('3', "4"));
    assert_eq!(targets("start"), 2, "both overlays build on the base, which is no target");
    let words = check(&tree, &["--changed", "no-such-reference"]).refused();
    assert!(words.contains("--changed no-such-reference: "), "{words}");
    let commits = Command::new("git").args(["log", "--oneline"]).current_dir(tree.root()).output();
    assert_eq!(
        String::from_utf8_lossy(&commits.unwrap().stdout).lines().count(),
        1,
        "git is read only"
    );
}

#[test]
fn unlisted_manifest_is_reported_at_its_file() {
    let tree = tree();
    tree.write("base/forgotten.yaml", WEB);
    tree.write("base/values.yaml", "replicas: 3\n");
    tree.write("base/example-web.yaml", WEB);
    let report = json(&check(&tree, &["--format", "json", "--notes", "base"]));
    let told = report["findings"].as_array().unwrap().iter();
    let told = told.filter(|it| it["code"] == "KZ222").map(|it| it["file"].as_str().unwrap());
    assert_eq!(told.collect::<Vec<_>>(), ["base/forgotten.yaml"]);
    // An unreadable target that is named is not skipped: the build fails because of it.
    let named = tree.path("broken");
    fs_err::create_dir_all(&named).unwrap();
    fs_err::copy(tree.path("base/forgotten.yaml"), named.join("named.yaml")).unwrap();
    tree.write(
        "broken/kustomization.yaml",
        "resources: [../base]\npatches:\n- named.yaml # a path\n",
    );
    let report = check(&tree, &["--format", "json", "--notes", "broken"]);
    assert!(!codes(&report).contains(&"KZ222".into()), "{}", report.out);
    // An entry elsewhere in the repository refers to it.
    tree.write("more/kustomization.yaml", "resources: [../base/forgotten.yaml]\n");
    tree.commit("listed");
    assert!(
        !codes(&check(&tree, &["--format", "json", "--notes", "base"])).contains(&"KZ222".into())
    );
}

#[test]
fn a_base_is_checked_alone_only_if_it_is_named() {
    let tree = Tree::new(&[
        (
            "base/kustomization.yaml",
            "resources: [web.yaml]\nconfigMapGenerator:\n- name: c\n  namespace: x\n  literals: [a=b]\n",
        ),
        (
            "base/web.yaml",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: x}\nspec:\n  containers: [{name: a, image: $(IMAGE)}]\n",
        ),
        (
            "over/kustomization.yaml",
            "resources: [../base]\npatches:\n- target: {kind: Pod}\n  patch: '- {op: replace, path: /spec/containers/0/image, value: \"i:1\"}'\n",
        ),
    ]);
    let alone = check(&tree, &["base", "--format", "json", "--notes"]);
    let both = check(&tree, &[".", "--format", "json", "--notes"]);
    let of = |answer: &Answer| {
        let report = json(answer);
        let found = report["findings"].as_array().unwrap().iter();
        let found = found.filter(|it| it["code"] == "KZ223");
        found.map(|it| it["severity"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(of(&alone), ["warning"]);
    assert_eq!(of(&both), [""; 0]);
}

/// Two overlays share a component: one of its patches matches in none of them, the other one in
/// one.
#[test]
fn entry_without_effect_in_all_or_in_one_target_is_distinguished() {
    let patch = |name: &str| {
        format!(
            "- target: {{kind: Deployment, name: {name}}}\n  patch: '- {{op: add, path: /spec/replicas, value: 2}}'\n"
        )
    };
    let component = format!(
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n{}{}",
        patch("web"),
        patch("nobody")
    );
    let deployment = |name: &str| {
        format!("apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {{}}\n")
    };
    let overlay = "resources: [d.yaml]\ncomponents: [../part]\n";
    let tree = Tree::new(&[
        ("part/kustomization.yaml", &component),
        ("a/kustomization.yaml", overlay),
        ("a/d.yaml", &deployment("web")),
        ("b/kustomization.yaml", overlay),
        ("b/d.yaml", &deployment("db")),
    ]);
    let report = json(&check(&tree, &[".", "--format", "json", "--notes"]));
    let found = report["findings"].as_array().unwrap().iter();
    let of = found.filter(|it| it["code"] == "KZ101").map(|it| {
        let targets = it["targets"].as_array().unwrap().len();
        (it["line"].as_u64().unwrap(), it["severity"].as_str().unwrap().to_owned(), targets)
    });
    assert_eq!(of.collect::<Vec<_>>(), [(4, "note".to_owned(), 1), (6, "error".to_owned(), 2)]);
}

#[test]
fn list_replaced_one_for_one_is_not_reported() {
    let own = |rules: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Own\nmetadata: {{name: own}}\nspec:\n  rules: {rules}\n"
        )
    };
    let codes_of = |old: &str, new: &str| {
        let tree = Tree::new(&[
            ("kustomization.yaml", "resources: [own.yaml]\npatches:\n- path: patch.yaml\n"),
            ("own.yaml", &own(old)),
            ("patch.yaml", &own(new)),
        ]);
        codes(&check(&tree, &["--format", "json"]))
    };
    let none: [&str; 0] = [];
    assert_eq!(codes_of("[{name: a, to: x}]", "[{name: b, to: y}]"), none);
    assert_eq!(codes_of("[{key: {id: a}}]", "[{key: {id: b}}]"), none);
    assert_eq!(codes_of("[{name: a}, {name: b}]", "[{name: c}]"), ["KZ202"]);
    assert_eq!(
        codes_of("[{name: a, to: x}]", "[{name: a}]"),
        ["KZ202"],
        "an element loses a field"
    );
    assert_eq!(codes_of("[{key: {id: a, of: c}}]", "[{key: {id: b}}]"), ["KZ202"]);
}

/// A field may be meant for resources of a pending remote base: no finding. A possible mistake is
/// reported as not known.
#[test]
fn field_that_may_match_a_pending_base_is_no_finding() {
    let tree = Tree::new(&[
        (
            "kustomization.yaml",
            "resources: ['https://example.com/shop//base?ref=v1']\nnamespace: shop\ncommonAnnotations: {a: b}\nimages:\n- {name: web, newTag: \"2\"}\n",
        ),
        ("none/kustomization.yaml", "resources: []\nnamespace: shop\n"),
    ]);
    let told = check(&tree, &["--offline", "--notes", "--format", "json"]);
    let found = codes(&told);
    assert!(!found.iter().any(|code| code.starts_with("KZ19")), "only on request: {found:?}");
    let told = check(&tree, &["--offline", "--select", "KZ", "--format", "json"]);
    let report = json(&told);
    let of = |file: &str| {
        let found = report["findings"].as_array().unwrap().iter();
        let mut codes: Vec<&str> = found
            .filter(|it| it["file"] == file && it["code"] != "KZ001")
            .map(|it| it["code"].as_str().unwrap())
            .collect();
        codes.sort_unstable();
        codes
    };
    assert_eq!(of("kustomization.yaml"), ["KZ190", "KZ191"], "{}", told.out);
    assert_eq!(of("none/kustomization.yaml"), ["KZ122"], "{}", told.out);
    assert_eq!(report["unknown"][0]["target"], ".");
}

/// Crossplane also has a kind `Composition`, in files of the same name.
#[test]
fn foreign_object_in_kustomization_file_is_no_target() {
    let foreign =
        "apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {name: db}\n";
    let ours =
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Composition\ntransformers: []\n";
    let tree = Tree::new(&[
        ("db/composition.yaml", foreign),
        ("app/kustomization.yaml", "resources: [../db/composition.yaml]\n"),
        ("own/composition.yaml", ours),
    ]);
    let told = check(&tree, &["db", "--notes"]);
    assert_eq!(told.status, Some(2), "{}", told.out);
    assert!(told.err.contains(messages::NO_KUSTOMIZATION_FILE_BELOW), "{}", told.err);
    let where_to = kzui_in(&tree.root(), &["where", "db/composition.yaml"]);
    assert!(where_to.out.starts_with("db/composition.yaml "), "{}", where_to.out);
    let affected = numbers_after(&where_to.out, messages::AFFECTS);
    assert!(affected.starts_with(&[1, 2]), "{}", where_to.out);
    let graph = kzui_in(&tree.root(), &["graph", "--format", "dot"]);
    assert!(graph.out.contains("\"app\"") && !graph.out.contains("\"db\""), "{}", graph.out);
}

/// A file with fields of a Composition and another `apiVersion` is a mistake, not the object of
/// another program.
#[test]
fn composition_with_a_wrong_group_is_refused_at_its_line() {
    let wrong = "kind: Composition\napiVersion: kustomize.k8s.io/v1alpha1\ntransformers:\n- kind: HashTransformer\n";
    let tree = Tree::new(&[("app/composition.yaml", wrong)]);
    for command in ["build", "check"] {
        let told = kzui_in(&tree.root(), &[command, "app"]);
        let text = format!("{}{}", told.out, told.err);
        for part in [
            "composition.yaml:2",
            "'kustomize.k8s.io/v1alpha1'",
            "should be kustomize.config.k8s.io/v1alpha1",
        ] {
            assert!(text.contains(part), "{command}: {part}: {text}");
        }
    }
}

/// The value that a function proposes is offered as a command, and as a fix that a build with the
/// function verifies.
#[test]
fn proposed_value_of_a_function_is_a_verified_suggestion() {
    let script = "#!/bin/sh\nlist=$(cat)\nif printf '%s' \"$list\" | grep -q 'replicas: 1$'; then results='\nresults:\n\
                  - message: too few\n  severity: warning\n  resourceRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n  \
                  field: {path: spec.replicas, currentValue: 1, proposedValue: 3}'; fi\n\
                  printf '%s%b\\n' \"$list\" \"$results\"\n";
    let function = "apiVersion: example.com/v1\nkind: Replicas\nmetadata:\n  name: replicas\n  annotations:\n    \
                    config.kubernetes.io/function: |\n      exec: {path: ./replicas.sh}\n";
    let web =
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 1\n";
    let tree = Tree::new(&[
        ("prod/kustomization.yaml", "resources: [web.yaml]\ntransformers: [replicas.yaml]\n"),
        ("prod/web.yaml", web),
        ("prod/replicas.yaml", function),
    ]);
    tree.write("prod/replicas.sh", script);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs_err::set_permissions(tree.path("prod/replicas.sh"), mode).unwrap();
    let arguments = ["prod", "--enable-alpha-plugins", "--enable-exec"];
    let told = check(&tree, &arguments);
    assert!(told.out.contains("prod/web.yaml:5"), "{}{}", told.out, told.err);
    assert!(told.out.contains("kzui set prod Deployment/web 'spec.replicas=3'"), "{}", told.out);
    assert!(told.out.contains("1 line of the output changes"), "{}", told.out);
    check(&tree, &[&arguments[..], &["--fix"]].concat());
    assert_eq!(tree.read("prod/web.yaml"), web.as_bytes(), "a suggestion is not written");
    check(&tree, &[&arguments[..], &["--fix", "--unsafe-fixes"]].concat());
    let written = String::from_utf8(tree.read("prod/web.yaml")).unwrap();
    assert!(written.contains("replicas: 3"), "{written}");
    assert!(!check(&tree, &arguments).out.contains("too few"));
}

/// A similar name that already has the values of the patch is no suggestion: the entry would have
/// no effect, so that it may be removed.
#[test]
fn similar_name_without_effect_is_not_suggested() {
    let entry = |name: &str| {
        format!(
            "- target: {{kind: Deployment, name: {name}}}\n  patch: |-\n    - {{op: replace, path: /spec/replicas, value: 5}}\n"
        )
    };
    let tree = tree();
    let both = format!("resources: [../base]\npatches:\n{}{}", entry("web"), entry("wbe"));
    tree.write("production/kustomization.yaml", &both);
    let told = check(&tree, &["production", "--format", "json", "--select", "KZ101"]);
    let found = &json(&told)["findings"][0];
    let fix = found["fix"].as_str().unwrap();
    let removal = format!("{} ({} 1 ", messages::REMOVE_THIS_ENTRY, messages::VERIFIED_IN);
    assert!(fix.starts_with(&removal) && fix.contains(messages::OUTPUT_STAYS_SAME), "{fix}");
    assert!(fix.ends_with(messages::KZUI_CHECK_FIX_WRITES_IT), "{fix}");
    assert_eq!(found["hint"], serde_json::Value::Null, "{}", told.out);
    check(&tree, &["production", "--fix", "--select", "KZ101"]);
    let written = String::from_utf8(tree.read("production/kustomization.yaml")).unwrap();
    assert_eq!(written, format!("resources: [../base]\npatches:\n{}", entry("web")));
}

/// A file that git ignores is made by its user or a script: a target without it is not checked.
#[test]
fn missing_file_that_git_ignores_is_no_error() {
    let files = [
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".gitignore", "*.env\nmade/\n"),
        ("kustomization.yaml", "secretGenerator: [{name: s, envs: [c.env]}]\n"),
        ("other/kustomization.yaml", "resources: [made/a.yaml]\n"),
    ];
    let tree = Tree::new(&files);
    let answer = kzui_in(&tree.root(), &["check"]);
    assert_eq!(answer.status, Some(0), "{}", answer.out);
    assert!(answer.out.contains("--select KZ029"), "{}", answer.out);
    assert!(numbers_after(&answer.out, "(--notes).").starts_with(&[2]), "{}", answer.out);
    assert!(kzui_in(&tree.root(), &["build", "."]).refused().contains("c.env"));
    fs_err::remove_file(tree.path(".gitignore")).unwrap();
    let answer = kzui_in(&tree.root(), &["check"]);
    assert!(answer.out.contains("error[KZ020]"), "{}", answer.out);
}
