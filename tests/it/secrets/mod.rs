//! Values of Secrets: masked on every screen, in diffs, files, copies and reports, unless the user
//! asks for them.

mod canaries;
mod files;

use crate::linear::run_line_mode;
use crate::support::{Tree, Workbench, kzui_in, messages};

use canaries::{files, repository, visible_canaries};

/// The value of the Secret in these tests.
const VALUE: &str = "correct-horse-battery";
/// The same value in base64.
const ENCODED: &str = "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5";
const FILES: &[(&str, &str)] = &[
    (
        "kustomization.yaml",
        "resources: [given.yaml]\nsecretGenerator:\n- name: made\n  literals:\n  - password=correct-horse-battery\n  - other=something-else\n",
    ),
    (
        "given.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: given\nstringData:\n  again: correct-horse-battery\n",
    ),
];

fn bench() -> Workbench {
    Workbench::of_files(FILES, "", (160, 40))
}

fn has_value(text: &str) -> bool {
    text.contains(VALUE) || text.contains(ENCODED) || text.contains("something-else")
}

/// The masks of values in a text, in their order.
fn secret_masks(text: &str) -> Vec<&str> {
    text.split("<secret ").skip(1).filter_map(|rest| rest.split('>').next()).collect()
}

/// Screens and copies mask the values of Secrets until `V` shows them.
#[test]
fn no_screen_and_no_copy_has_a_value_until_it_is_asked_for() {
    let mut bench = bench();
    for keys in
        ["1", "1 j", "1 G", "gs", "gs tab", "gs tab tab", "gs k", "gd", "gr", "gr ]r", "gp", "gr y"]
    {
        bench.keys(keys);
        assert!(!has_value(&bench.text()), "{keys}: {}", bench.text());
        bench.keys("esc esc");
    }
    bench.keys("gr ]r");
    let shown = bench.text();
    assert!(shown.contains("<secret "), "{shown}");
    bench.keys("y y");
    assert!(bench.asked.iter().any(|asked| asked.contains("<secret ")), "{:?}", bench.asked);
    assert!(!bench.asked.iter().any(|asked| has_value(asked)), "{:?}", bench.asked);
    bench.keys("V");
    assert!(bench.text().contains(messages::SECRETS_SHOWN), "{}", bench.text());
    assert!(has_value(&bench.text()), "{}", bench.text());
    bench.keys("V 1");
    assert!(!has_value(&bench.text()), "{}", bench.text());
}

/// The diff before a write masks values, and the written file contains them.
#[test]
fn the_diff_before_a_write_has_marks_and_the_file_gets_the_value() {
    let mut bench = bench();
    bench.keys("1 /").type_text("made").keys("enter space :w enter");
    let text = bench.text();
    assert!(text.contains("<secret ") && !has_value(&text), "{text}");
    bench.keys("y");
    assert!(
        bench.disk.text("/demo/kustomization.yaml").contains(VALUE),
        "what is written is the file"
    );
}

/// Equal values have equal masks.
#[test]
fn equal_values_have_equal_marks() {
    let tree = Tree::new(FILES);
    let traced = kzui_in(&tree.root(), &["trace", ".", "--diff"]);
    assert!(!has_value(&traced.out), "{}", traced.out);
    let again = traced.out.lines().find(|line| line.contains("again:")).unwrap();
    let made = traced.out.lines().find(|line| line.contains("password:")).unwrap();
    let other = traced.out.lines().find(|line| line.contains("other:")).unwrap();
    assert_eq!(secret_masks(again), secret_masks(made), "{}", traced.out);
    assert_ne!(secret_masks(other), secret_masks(made), "{}", traced.out);
    let shown = kzui_in(&tree.root(), &["trace", ".", "--diff", "--show-secrets"]);
    assert!(shown.out.contains(ENCODED), "{}", shown.out);
    let json = kzui_in(&tree.root(), &["trace", ".", "--diff", "--json"]);
    assert!(!has_value(&json.out) && json.out.contains("<secret "), "{}", json.out);
    let built = kzui_in(&tree.root(), &["build", "."]).built();
    assert!(built.contains(ENCODED), "build prints what Kustomize prints: {built}");
    // Another process has another salt.
    let next = kzui_in(&tree.root(), &["trace", ".", "--diff"]);
    assert_ne!(secret_masks(&next.out), secret_masks(&traced.out));
}

/// Commands without values of a tree's Secrets in their output, or with exact output by design.
const NOT_RUN: [&str; 15] = [
    // Writes a file, whose masks `recordings` tests.
    "record",
    // Conversations with an editor and an agent: `servers` tests their masks.
    "lsp",
    "mcp",
    // The output of Kustomize, and a Composition for use in place of another: exact by design.
    "build",
    "consolidate",
    // One function on selected objects: `fn_commands` tests its masks.
    "fn",
    // These show catalogs, schemas, releases and the program itself, and no build.
    "view",
    "catalog",
    "trust",
    "openapi",
    "explain",
    "versions",
    "demo",
    "version",
    "completions",
];

/// The values of options that choose a form of the input, not of the output.
const NOT_OUTPUT: [&str; 1] = ["remap --format"];

/// Every command that shows a part of a build, in every format. `{sarif}` is a file of findings.
const RUNS: &[&str] = &[
    "migrate",
    "migrate --json",
    "mv base lib",
    "extract prod base --to common",
    "inline prod ../base",
    "convert prod --to composition",
    "prune",
    "set prod Deployment/web spec.replicas=3",
    "set prod Deployment/web spec.replicas=3 --json",
    "edit fix --dir prod --dry-run",
    "trace prod --diff",
    "trace prod --json --diff",
    "trace prod --yaml --diff",
    "trace fails --diff",
    "trace fails --json",
    "trace prod --resource Secret/styles --watch stringData.plain",
    "trace prod --resource Secret/styles --watch stringData.plain --json",
    "trace prod --resource Deployment/web --watch spec.template.spec.containers.0.env.0.value",
    "why prod Secret/styles",
    "why prod Secret/styles stringData",
    "why prod Secret/styles stringData.plain --json",
    "why prod Secret/json --json",
    "why prod Secret/made",
    "why prod Secret/made --porcelain",
    "why prod Deployment/web",
    "why prod Deployment/web spec.template.spec.containers --json",
    "why prod Deployment/web --json",
    "why prod ConfigMap/copies data",
    "why fails Secret/short --json",
    "blame prod",
    "blame prod --resource Secret/made --json",
    "blame prod --json",
    "blame prod --porcelain",
    "blame prod --commits",
    "blame prod --commits --json",
    "blame fails",
    "trace broken",
    "trace broken --json",
    "trace refused",
    "trace refused --json",
    "trace composed/top --diff",
    "trace composed/top --json",
    "blame composed/top",
    "why prod ConfigMap/chain --json",
    "remap {sarif} --target prod -o text",
    "remap {sarif} --target prod -o sarif",
    "diff v1 v2 --format text",
    "diff v1 v2 --side-by-side",
    "diff v1 v2 --format short",
    "diff v1 v2 --format json",
    "diff v1 v2 --format markdown",
    "diff v1 v2 --format html",
    "diff base prod --format text",
    "diff base prod --format json",
    "diff base prod --format sarif",
    "diff prod fails --format json",
    "why-differ base prod Secret/styles stringData.plain",
    "why-differ base prod Secret/styles stringData.plain --json",
    "bisect prod --good v0 --field Secret/styles stringData.literal",
    "bisect prod --good v0 --field Secret/styles stringData.literal --json",
    "bisect prod --good v0 --field Secret/json stringData.c --json",
    "bisect prod --good v0 --field Secret/made data.FIRST --json",
    "order prod --all",
    "order prod --all --json",
    "matrix prod --all",
    "matrix prod --all --json",
    "where base/styles.yaml",
    "where Secret/styles --json",
    "where base/made.env --json",
    "graph --format svg",
    "graph --format dot",
    "graph --format mermaid",
    "grep .",
    "grep . --json",
    "table Secret:data Secret:stringData",
    "table Secret:data Secret:stringData --json",
    "images",
    "images prod --json",
    "table Secret:stringData Secret:data ConfigMap:data --in prod --json",
    "table Secret/styles:stringData.plain --in prod",
    "drafts prod",
    "drafts prod --json",
    "components .",
    "components . --json",
    "check --notes --fail-on never",
    "check --format text --notes",
    "check --format json",
    "check --format sarif",
    "check --format junit",
    "check --format github",
    "check --format gitlab",
    "check --format markdown",
    "check --fix --unsafe-fixes --diff",
    "compat --from kubectl-1.27 -o text",
    "compat --from kubectl-1.27 -o json",
    "compat --from kubectl-1.27 -o markdown",
];

#[test]
fn no_command_shows_a_canary_in_any_format() {
    let tree = repository();
    let sarif = r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "out.yaml"}, "region": {"startLine": 3}}}]}]}]}"#;
    let findings = tree.path("../findings.sarif");
    fs_err::write(&findings, sarif).unwrap();
    let built = kzui_in(&tree.root(), &["build", "prod"]).built();
    assert!(visible_canaries(&built).len() > 30, "the canaries are in the output: {built}");
    let map = tree.path("../output.map");
    kzui_in(&tree.root(), &["build", "prod", "--map", &map.to_string_lossy()]).built();
    assert_eq!(
        visible_canaries(&fs_err::read_to_string(&map).unwrap()),
        Vec::<String>::new(),
        "the map"
    );
    let mut leaks = Vec::new();
    for run in RUNS {
        let run = run.replace("{sarif}", &findings.to_string_lossy());
        let arguments: Vec<&str> = run.split(' ').collect();
        let answer = kzui_in(&tree.root(), &arguments);
        assert!(answer.status.is_some_and(|it| it <= 3), "{run}: {}", answer.err);
        assert!(!answer.err.contains("Usage:"), "{run}: {}", answer.err);
        let found = visible_canaries(&format!("{}{}", answer.out, answer.err));
        leaks.extend(found.into_iter().map(|canary| format!("{run}: {canary}")));
    }
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
}

/// The words of a help text's list of subcommands.
fn commands(help: &str) -> Vec<&str> {
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    list.lines().filter(is_name).filter_map(|line| line.split_whitespace().next()).collect()
}

/// Every option of a help text that lists its values, with the values.
fn choices(help: &str) -> Vec<(String, Vec<String>)> {
    let mut option = String::new();
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_list = false;
    for line in help.lines() {
        let words = line.trim_start();
        if words.starts_with("--") || words.starts_with('-') && !words.starts_with("- ") {
            let name = words.split_whitespace().find(|word| word.starts_with("--"));
            name.unwrap_or_default().clone_into(&mut option);
            is_list = false;
        }
        if words.starts_with("Possible values:") {
            found.push((option.clone(), Vec::new()));
            is_list = true;
        } else if let Some(value) = words.strip_prefix("- ").filter(|_| is_list) {
            let value = value.split([':', ' ']).next().unwrap_or_default();
            found.last_mut().unwrap().1.push(value.to_owned());
        } else if let Some((_, values)) = words.split_once("[possible values: ") {
            let values = values.trim_end_matches(']').split(", ");
            found.push((option.clone(), values.map(str::to_owned).collect()));
        }
    }
    found
}

#[test]
fn every_command_and_every_format_is_run_with_canaries() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let help = kzui_in(root, &["--help"]).built();
    let mut formats = 0;
    for command in commands(&help) {
        if NOT_RUN.contains(&command) || command == "help" {
            continue;
        }
        let runs: Vec<Vec<&str>> = RUNS
            .iter()
            .map(|run| run.split(' ').collect::<Vec<_>>())
            .filter(|run| run[0] == command)
            .collect();
        assert!(!runs.is_empty(), "{command} is not run with canaries");
        let help = kzui_in(root, &[command, "--help"]).built();
        for flag in ["--json", "--yaml", "--porcelain", "--side-by-side", "--commits"] {
            let is_run = runs.iter().any(|run| run.contains(&flag));
            assert!(is_run || !help.contains(&format!(" {flag} ")), "{command} {flag} is not run");
        }
        for (option, values) in choices(&help) {
            let is_form = matches!(&*option, "--format" | "--output");
            if !is_form || NOT_OUTPUT.contains(&&*format!("{command} {option}")) {
                continue;
            }
            for value in values {
                formats += 1;
                let is_run = runs.iter().any(|run| run.contains(&&*value));
                assert!(is_run, "{command} {option} {value} is not run with canaries");
            }
        }
    }
    assert!(formats > 15, "formats are read from the help: {formats}");
}

/// The workbench on the first edition.
fn canary_bench(target: &str) -> Workbench {
    let files = files(1);
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, &**text)).collect();
    Workbench::of_files(&files, target, (200, 60))
}

#[test]
fn no_screen_shows_a_canary() {
    let mut leaks = Vec::new();
    let mut look = |bench: &Workbench, what: &str| {
        leaks.extend(visible_canaries(&bench.text()).into_iter().map(|it| format!("{what}: {it}")));
        for asked in &bench.asked {
            leaks.extend(
                visible_canaries(asked).into_iter().map(|it| format!("{what} asked: {it}")),
            );
        }
    };
    for target in ["prod", "fails", "flux/app", "broken", "refused", "composed/top"] {
        let rounds = if target == "prod" || target.contains('/') { 12 } else { 4 };
        let mut bench = canary_bench(target);
        for screen in ["1", "gs", "gd", "gr", "gc", "gm", "gk", "gf", "gp", "0"] {
            bench.keys(screen);
            look(&bench, &format!("{target} {screen}"));
            for step in 0..rounds {
                bench.keys("j j j");
                look(&bench, &format!("{target} {screen} j{step}"));
            }
            bench.keys("tab G");
            look(&bench, &format!("{target} {screen} tab G"));
            bench.keys("y");
            look(&bench, &format!("{target} {screen} y"));
            bench.keys("esc esc");
        }
        bench.keys("gr");
        for resource in 0..14 {
            bench.keys("j j");
            look(&bench, &format!("{target} 4 {resource}"));
            bench.keys("]r");
        }
    }
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
}

#[test]
fn a_draft_and_the_question_before_a_write_show_no_canary() {
    let mut bench = canary_bench("prod");
    for name in ["strategic", "made", "operations", "named"] {
        bench.keys("1 /").type_text(name).keys("enter space");
        let text = bench.text();
        assert_eq!(visible_canaries(&text), Vec::<String>::new(), "{name}: {text}");
        bench.keys("gd");
        let text = bench.text();
        assert_eq!(visible_canaries(&text), Vec::<String>::new(), "{name} 3: {text}");
        bench.keys(":w enter");
        let text = bench.text();
        assert_eq!(visible_canaries(&text), Vec::<String>::new(), "{name} :w: {text}");
        bench.keys("esc esc");
    }
}

/// The line mode masks the values of all Secrets in every answer.
#[test]
fn the_conversation_shows_no_canary() {
    let (tree, home) = (repository(), tempfile::tempdir().unwrap());
    let lines = [
        "help",
        "tree",
        "steps",
        "resources",
        "problems",
        "components",
        "resource Secret/styles",
        "resource Deployment/web",
        "resource ConfigMap/copies",
        "why Secret/styles stringData.plain",
        "watch Secret/styles stringData.plain",
        "why Deployment/web spec.template.spec.containers.0.env.0.value",
        "watch Deployment/web spec.template.spec.containers.0.env.0.value",
        "step 1",
        "diff 1",
        "diff 5",
        "diff 8",
        "diff 10",
        "diff 12",
        "diff 14",
        "diff 16",
        "diff 18",
        "find .",
        "text strategic.yaml",
        "text ../base/styles.yaml",
        "text ../base/made.env",
        "text ../base/made.txt",
        "text ../broken/secret.yaml",
        "text ../refused/refused.env",
        "text ../unread/unread.env",
        "text ../unread/token",
        "text ../unread/scalar.yaml",
        "text ../composed/top/composition.yaml",
        "text kustomization.yaml",
        "pipeline",
        "override 1",
        "override 2",
        "compare v1 v2",
        "compare 1",
        "compare 9",
        "functions",
        "catalogs",
        "off 3",
        "draft",
        "write",
        "n",
        "undo",
    ];
    for target in ["prod", "fails", "broken", "refused", "unread", "composed/top"] {
        let said =
            run_line_mode(&tree.root(), home.path(), target, &(lines.join("\n") + "\nquit!\n"));
        assert!(said.len() > 2000, "{said}");
        assert_eq!(visible_canaries(&said), Vec::<String>::new(), "{target}: {said}");
    }
}
