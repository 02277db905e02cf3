//! Commands without a terminal: the interface for scripts and pipelines.

use crate::support::{Answer, Tree, demo, kzui, kzui_in, messages, program};

const CONFIG_MAP: &str =
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  mode: a\n";

fn one_config_map(kustomization: &str) -> Tree {
    Tree::new(&[("kustomization.yaml", kustomization), ("settings.yaml", CONFIG_MAP)])
}

#[cfg(unix)]
#[test]
fn content_of_a_linked_file_is_not_printed() {
    let tree = Tree::new(&[("secret.txt", "first line of a secret\n")]);
    std::os::unix::fs::symlink("secret.txt", tree.path("catalog.yaml")).unwrap();
    let said = kzui_in(&tree.root(), &["view", "catalog", "catalog.yaml"]).refused();
    assert!(said.contains(messages::EXPECTED_OBJECT), "{said}");
    assert!(!said.contains("secret"), "{said}");
}

#[test]
fn build_prints_what_kustomize_prints() {
    let tree = one_config_map("resources: [settings.yaml]\nnamePrefix: dev-\n");
    let answer = kzui_in(&tree.root(), &["build"]);
    assert_eq!(answer.err, "");
    assert_eq!(
        answer.built(),
        "apiVersion: v1\ndata:\n  mode: a\nkind: ConfigMap\nmetadata:\n  name: dev-settings\n"
    );
}

#[test]
fn commented_component_has_no_effect() {
    let overlay = |name| kzui(&["build".into(), demo("components/overlays").join(name)]).built();
    let dev = overlay("dev");
    assert_eq!(dev, overlay("community"));
    assert_ne!(dev, overlay("enterprise"));
}

/// The names that the Components proposal's application gets, hashes included (D.3 of the
/// composition reference).
#[test]
fn the_components_demo_has_its_golden_names() {
    let names = |overlay: &str| {
        let built = kzui(&["build".into(), demo("components/overlays").join(overlay)]).built();
        let name = |line: &str| line.strip_prefix("  name: ").map(str::to_owned);
        built.lines().filter_map(name).collect::<Vec<_>>()
    };
    assert_eq!(
        names("community"),
        ["conf-g6cf8tfc4b", "dbpass-9469d9bmk2", "recaptcha-7mtmh7kh5b", "example"]
    );
    assert_eq!(
        names("enterprise"),
        ["conf-kb969b4c4f", "dbpass-9469d9bmk2", "ldappass-4g862b65kt", "example"]
    );
}

#[test]
fn the_shop_has_the_faults_that_its_page_promises() {
    let build =
        |overlay: &str| kzui(&["build".into(), demo("shop/overlays").join(overlay)]).built();
    let production = build("production");
    assert!(production.contains("\n  name: prod-catalog\n"));
    assert!(
        production.contains("\n  maxReplicas: 6\n"),
        "the patch with the prefix matches nothing"
    );
    assert!(!production.contains("/internal/metrics"), "the patch on extensions matches nothing");
    assert!(production.contains("  scaleTargetRef:\n    name: orders\n"), "not followed");
    assert!(
        build("staging").contains("docker.io/fluent/fluent-bit:3.1\n"),
        "the mirror came first"
    );
    assert!(production.contains("mirror.northwind.example/fluent-bit:3.1.9\n"));
}

#[test]
fn a_directory_without_kustomization_is_refused() {
    let tree = Tree::new(&[("readme.txt", "nothing here\n")]);
    let words = kzui_in(&tree.root(), &["build", "."]).refused();
    assert!(words.contains("unable to find one of 'kustomization.yaml'"), "{words}");
}

#[test]
fn an_error_names_file_and_line() {
    let tree = one_config_map("resources:\n- settings.yaml\n- absent.yaml\n");
    let words = kzui_in(&tree.root(), &["build"]).refused();
    assert!(words.contains("kustomization.yaml:3"), "{words}");
    assert!(words.contains("no such file or directory"), "{words}");
}

#[test]
fn deprecated_fields_warn_on_standard_error_and_build() {
    let tree = one_config_map("resources: [settings.yaml]\ncommonLabels: {a: b}\n");
    let answer = kzui_in(&tree.root(), &["build"]);
    assert!(answer.err.contains("# Warning: 'commonLabels' is deprecated."), "{}", answer.err);
    assert!(answer.built().contains("    a: b\n"));
}

#[test]
fn invalid_flag_values_have_kustomizes_errors() {
    let tree = one_config_map("resources: [settings.yaml]\n");
    let words = kzui_in(&tree.root(), &["build", "--load-restrictor", "none"]).refused();
    assert!(words.contains("illegal flag value --load-restrictor none"), "{words}");
    let words = kzui_in(&tree.root(), &["build", "--reorder", "sideways"]).refused();
    assert!(words.contains("sideways"), "{words}");
}

/// Section 10 of the build reference: every flag of `kustomize build` is accepted, with its value
/// and without.
#[test]
fn build_takes_every_flag_of_kustomize() {
    let tree = one_config_map("resources: [settings.yaml]\n");
    let built = |flags: &[&str]| {
        let answer = kzui_in(&tree.root(), &[&["build", "."], flags].concat());
        (answer.err.clone(), answer.built())
    };
    let plain = built(&[]);
    assert_eq!(plain.0, "");
    for flags in [
        &["--load-restrictor", "LoadRestrictionsNone"][..],
        &["--load-restrictor=LoadRestrictionsRootOnly", "--load-restrictor=LoadRestrictionsNone"],
        &["--enable-alpha-plugins", "--enable-exec", "--enable-helm", "--enable-helm"],
        &["--enable-helm=true", "--enable-exec=False", "--network=0", "--as-current-user=T"],
        &["--helm-command", "helm3", "--helm-kube-version=", "--helm-debug"],
        &["--helm-api-versions", "a", "--helm-api-versions=b"],
        &["--network", "--network-name", "none", "--as-current-user"],
        &["--mount", "type=bind,source=/a,target=/b", "-e", "A=b", "-eC", "--env", "D=e"],
        &["--stack-trace"],
        &["--output=", "-o", ""],
    ] {
        assert_eq!(built(flags), plain, "{flags:?}");
    }
    for flags in [
        &["--enable-managedby-label=false"][..],
        &["--enable-managedby-label", "--enable-managedby-label=f"],
    ] {
        let (told, text) = built(flags);
        assert!(told.starts_with("Flag --enable-managedby-label has been deprecated, "), "{told}");
        assert_eq!(text, plain.1, "{flags:?}");
    }
    let (told, labelled) = built(&["--enable-managedby-label=1"]);
    assert!(labelled.contains("    app.kubernetes.io/managed-by: kustomize-v"), "{labelled}");
    assert!(told.starts_with("Flag --enable-managedby-label has been deprecated, "), "{told}");
}

/// The exit status of a build that never began equals Kustomize's; other commands have a separate
/// one for usage errors.
#[test]
fn usage_error_has_own_exit_status() {
    let tree = one_config_map("resources: [settings.yaml]\n");
    let run = |arguments: &[&str]| {
        let answer = kzui_in(&tree.root(), arguments);
        (answer.status, answer.refused())
    };
    let (status, words) = run(&["build", "--enable-helm=maybe"]);
    assert_eq!(status, Some(1), "{words}");
    let phrase = "invalid argument \"maybe\" for \"--enable-helm\" flag: strconv.ParseBool: parsing \"maybe\": invalid syntax";
    assert!(words.contains(phrase), "{words}");
    for (arguments, phrase) in [
        (&["build", "--sideways"][..], "--sideways"),
        (&["build", "--helm-command"], "--helm-command"),
        (&["build", ".", "."], "specify one path to kustomization.yaml"),
        (&["build", ""], "directory path cannot be empty"),
    ] {
        let (status, words) = run(arguments);
        assert_eq!(status, Some(1), "{arguments:?}: {words}");
        assert!(words.contains(phrase), "{words}");
    }
    assert_eq!(run(&["trace", "--sideways"]).0, Some(2));
    let help = kzui(&["--help"]);
    assert_eq!((help.status, help.err.as_str()), (Some(0), ""));
    assert!(help.out.contains("Usage: kzui") && help.out.contains("  build "), "{}", help.out);
    let help = kzui(&["build", "--help"]).built();
    assert!(help.contains("--enable-helm ") && !help.contains("--reorder"), "{help}");
}

#[test]
fn reorder_none_keeps_the_order_of_the_files() {
    let deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n";
    let tree = one_config_map("resources: [web.yaml, settings.yaml]\n");
    tree.write("web.yaml", deployment);
    let kinds = |arguments: &[&str]| {
        let built = kzui_in(&tree.root(), arguments).built();
        let kind = |line: &str| line.strip_prefix("kind: ").map(str::to_owned);
        built.lines().filter_map(kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&["build", "--reorder", "none"]), ["Deployment", "ConfigMap"]);
    assert_eq!(kinds(&["build"]), ["ConfigMap", "Deployment"]);
}

#[test]
fn output_is_written_to_a_file_or_folder() {
    let tree = one_config_map("resources: [settings.yaml]\nnamespace: blue\n");
    let printed = kzui_in(&tree.root(), &["build"]).built();
    assert_eq!(kzui_in(&tree.root(), &["build", "-o", "out.yaml"]).built(), "");
    assert_eq!(tree.read("out.yaml"), printed.as_bytes());
    fs_err::create_dir(tree.path("out")).unwrap();
    kzui_in(&tree.root(), &["build", "--output", "out"]).built();
    assert_eq!(tree.read("out/v1_configmap_settings.yaml"), printed.as_bytes());
}

#[test]
fn files_in_an_output_folder_have_distinct_names() {
    let list = "apiVersion: v1\nkind: NamelessList\n";
    let same = "apiVersion: example.com/v1\nkind: Web\nmetadata: {name: A}\n---\n\
                apiVersion: example.com/v1\nkind: Web\nmetadata: {name: a, namespace: Own}\n";
    let files = [
        ("kustomization.yaml", "resources: [r.yaml]\n"),
        ("r.yaml", &*format!("{list}---\n{same}")),
    ];
    let tree = Tree::new(&files);
    tree.write("out/old.yaml", "old");
    kzui_in(&tree.root(), &["build", "-o", "out"]).built();
    let mut names: Vec<_> = fs_err::read_dir(tree.path("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "default_example.com_v1_web_a.yaml",
            "default_v1_namelesslist_.yaml",
            "old.yaml",
            "own_example.com_v1_web_a.yaml"
        ]
    );
}

#[test]
fn an_empty_output_or_restrictor_is_none_and_an_empty_directory_an_error() {
    let tree = one_config_map("resources: [settings.yaml]\n");
    let printed = kzui_in(&tree.root(), &["build"]).built();
    assert_eq!(kzui_in(&tree.root(), &["build", "-o", ""]).built(), printed);
    assert_eq!(kzui_in(&tree.root(), &["build", "--load-restrictor="]).built(), printed);
    let refused = kzui_in(&tree.root(), &["build", ""]);
    assert_eq!((refused.status, refused.out.as_str()), (Some(1), ""));
    assert!(
        refused.err.contains("must build at directory: directory path cannot be empty"),
        "{}",
        refused.err
    );
}

#[test]
fn an_output_that_cannot_be_written_is_named() {
    let tree = one_config_map("resources: [settings.yaml]\n");
    let refused = kzui_in(&tree.root(), &["build", "-o", "nowhere/out.yaml"]);
    assert_eq!(refused.status, Some(1));
    assert!(
        refused.err.contains("nowhere/out.yaml: no such file or directory\n"),
        "{}",
        refused.err
    );
}

#[test]
fn workbench_without_terminal_is_refused() {
    let answer = kzui(&[demo("components/overlays/dev")]);
    assert_eq!(answer.status, Some(2));
    assert_eq!(answer.out, "");
    assert!(answer.err.contains("terminal"), "{}", answer.err);
    assert!(!answer.err.contains('\u{1b}'), "no escapes where no terminal is");
}

#[test]
fn trace_lists_the_steps_in_order() {
    let tree = one_config_map("resources: [settings.yaml]\nnamespace: blue\nnamePrefix: dev-\n");
    let told = kzui_in(&tree.root(), &["trace"]).built();
    let place = |word: &str| told.find(word).unwrap_or_else(|| panic!("no {word} in:\n{told}"));
    assert!(place("settings.yaml") < place("namespace blue"));
    assert!(place("namespace blue") < place("namePrefix dev-"));
}

#[test]
fn long_names_of_layers_leave_the_numbers_in_their_columns() {
    let long = "a-folder-of-the-platform/with-a-long-name/and-a-folder-in-it/base";
    let list = format!("resources: [{long}]\nnamePrefix: p-\n");
    let file = format!("{long}/kustomization.yaml");
    let map = format!("{long}/map.yaml");
    let tree = Tree::new(&[
        ("kustomization.yaml", &*list),
        (&*file, "resources: [map.yaml]\nnameSuffix: -s\n"),
        (&*map, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n"),
    ]);
    let told = kzui_in(&tree.root(), &["trace"]).built();
    let start = told.lines().next().unwrap().find("step").unwrap();
    for line in told.lines() {
        let signs: Vec<char> = line.chars().collect();
        assert!(signs[start - 1] == ' ' && signs[start] != ' ', "{told}");
    }
    assert!(told.contains('…'), "{told}");
}

#[test]
fn json_trace_is_deterministic() {
    let directory = demo("shop/overlays/production");
    let steps = || {
        let arguments = ["trace".into(), directory.clone(), "--json".into()];
        let told = kzui(&arguments).built();
        let mut value: serde_json::Value = serde_json::from_str(&told).unwrap();
        remove_times(&mut value);
        value
    };
    let first = steps();
    assert_eq!(first, steps());
    assert!(first.to_string().len() > 1000, "a recording of a real tree is longer");
}

#[test]
fn yaml_trace_equals_json_trace() {
    let target = demo("shop").join("overlays/production");
    let trace = |form: &str| kzui(&["trace", &target.to_string_lossy(), form]).built();
    let json: serde_json::Value = serde_json::from_str(&trace("--json")).unwrap();
    let yaml: serde_json::Value = serde_yaml::from_str(&trace("--yaml")).unwrap();
    assert_eq!(json, yaml);
}

fn remove_times(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.retain(|name, _| name != "microseconds");
            fields.values_mut().for_each(remove_times);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(remove_times),
        _ => {}
    }
}

#[test]
fn a_failing_build_still_has_a_trace() {
    let tree = one_config_map("resources: [settings.yaml]\npatches:\n- patch: 'nonsense'\n");
    let answer = kzui_in(&tree.root(), &["trace"]);
    assert_eq!(answer.status, Some(1));
    assert!(answer.out.contains("settings.yaml"), "{}", answer.out);
}

#[test]
fn trace_of_one_step_shows_its_diff() {
    let tree = one_config_map("resources: [settings.yaml]\nnamespace: blue\n");
    let told = kzui_in(&tree.root(), &["trace", "--diff"]).built();
    assert!(told.contains("+  namespace: blue"), "{told}");
}

#[test]
fn version_and_completions_are_printed() {
    assert!(kzui(&["--version"]).built().contains(env!("CARGO_PKG_VERSION")));
    for shell in ["bash", "zsh", "fish"] {
        assert!(kzui(&["completions", shell]).built().contains("kzui"), "{shell}");
    }
}

/// The shell completions for these words.
fn shell_completions(tree: &Tree, words: &[&str]) -> Vec<String> {
    let home = tempfile::tempdir().unwrap();
    let mut command = program(home.path());
    command.env("KZUI_COMPLETE", "fish").current_dir(tree.root()).args(["--", "kzui"]).args(words);
    let answer = Answer::of(&command.output().unwrap()).built();
    answer.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn versions_are_listed_line_by_line() {
    let answer = kzui(&["versions"]).built();
    assert!(!answer.contains('␊'), "{answer}");
    assert!(answer.lines().any(str::is_empty), "{answer}");
}

#[test]
fn a_shell_completes_targets_resources_themes_and_versions() {
    let tree = Tree::of_demo("components");
    assert!(shell_completions(&tree, &["bu"]).contains(&"build".to_owned()));
    let overlays = ["overlays/community", "overlays/dev", "overlays/enterprise"];
    assert_eq!(shell_completions(&tree, &["build", "over"]), overlays);
    assert_eq!(shell_completions(&tree, &["why", "overlays/dev", "Dep"]), ["Deployment/example"]);
    assert_eq!(shell_completions(&tree, &["--theme", "d"]), ["dark"]);
    let versions = shell_completions(&tree, &["build", "--like", "argocd-3."]);
    assert!(versions.contains(&"argocd-3.3".to_owned()), "{versions:?}");
    assert_eq!(
        shell_completions(&tree, &["explain", "KZ11"]).first().map(String::as_str),
        Some("KZ110")
    );
    // A name that a terminal would act on is never offered.
    tree.write("over\u{1b}[2J/kustomization.yaml", "namePrefix: a-\n");
    assert_eq!(shell_completions(&tree, &["build", "over"]), overlays);
    // Nor a name that a shell would expand.
    for name in ["over$(touch x)", "over`x`", "over;x", "over x", "over&x", "over'x"] {
        tree.write(&format!("{name}/kustomization.yaml"), "namePrefix: a-\n");
    }
    assert_eq!(shell_completions(&tree, &["build", "over"]), overlays);
    assert_eq!(shell_completions(&tree, &["build", "over$"]), Vec::<String>::new());
}

#[test]
fn a_reader_that_stops_early_is_no_crash() {
    use std::io::Read;
    use std::process::Stdio;
    let home = tempfile::tempdir().unwrap();
    let mut child = program(home.path())
        .arg("build")
        .arg(demo("shop/overlays/production"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut words = String::new();
    child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    assert_ne!(child.wait().unwrap().code(), Some(101), "{words}");
    assert!(!words.contains("panicked"), "{words}");
}

#[test]
fn nothing_is_left_behind_by_a_build() {
    let tree = Tree::of_demo("components");
    let list = || {
        let files = walkdir::WalkDir::new(tree.root()).sort_by_file_name().into_iter();
        files.map(|entry| entry.unwrap().into_path()).collect::<Vec<_>>()
    };
    let before = list();
    kzui_in(&tree.root(), &["build", "overlays/dev"]).built();
    kzui_in(&tree.root(), &["trace", "overlays/dev"]).built();
    assert_eq!(before, list());
}

#[test]
fn misspelled_command_gets_a_suggestion() {
    for words in [&["buld"][..], &["buld", "x"], &["trase", ".", "--diff"]] {
        let answer = kzui(words);
        assert_eq!(answer.status, Some(2), "{words:?}: {}", answer.err);
        let meant = if words[0] == "buld" { "'build'" } else { "'trace'" };
        assert!(
            answer.err.replace("kzui build", "build").contains(meant),
            "{words:?}: {}",
            answer.err
        );
    }
    let answer = kzui(&["nowhere-at-all"]);
    assert!(answer.err.contains(messages::NO_DIRECTORY), "{}", answer.err);
}

#[test]
fn help_and_version_are_commands_too() {
    assert!(kzui(&["version"]).built().contains(env!("CARGO_PKG_VERSION")));
    assert!(kzui(&["help", "build"]).built().contains("--load-restrictor"));
    let help = kzui(&["--help"]).built();
    assert!(help.contains("Examples:") && help.contains("Exit status:"), "{help}");
    assert!(!help.contains("--load-restrictor"), "{help}");
}
