//! `helmCharts:` with a fake helm: a script that records its calls.

use crate::support::{Answer, Tree, kzui_in, program};

/// Reports helm 4, records its arguments and values, and renders one object into the given
/// namespace. `pull` creates a chart. `{home}` and `{tmp}` replace the paths of its environment.
const HELM: &str = r#"#!/bin/sh
here=$(dirname "$(realpath "$0")")
tmp=$(dirname "$HELM_CONFIG_HOME")
line=""
for argument in "$@"; do line="$line $argument"; done
echo "$line" | sed -e "s|$here|{here}|g" -e "s|$tmp|{tmp}|g" >>"$here/calls"
test "$HELM_CACHE_HOME" = "$HELM_CONFIG_HOME/.cache" || exit 9
test "$HELM_DATA_HOME" = "$HELM_CONFIG_HOME/.data" || exit 9
case $1 in
version) echo v4.0.1+g1234567; exit ;;
pull) mkdir -p "$4/app"; echo 'from: pull' >"$4/app/values.yaml"; exit ;;
esac
namespace=default
while test $# -gt 0; do
    case $1 in
    --namespace) namespace=$2 ;;
    -f) echo "-- $(basename "$2")" >>"$here/values"; cat "$2" >>"$here/values" ;;
    esac
    shift
done
printf 'apiVersion: v1\nkind: Service\nmetadata:\n  name: app\n  namespace: %s\n' "$namespace"
"#;

fn tree(files: &[(&str, &str)]) -> Tree {
    let tree = Tree::new(files);
    tree.write("helm", HELM);
    let mut permissions = fs_err::metadata(tree.path("helm")).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    fs_err::set_permissions(tree.path("helm"), permissions).unwrap();
    tree
}

fn build(tree: &Tree, target: &str, flags: &[&str]) -> String {
    let helm = tree.path("helm").to_string_lossy().into_owned();
    let arguments =
        [&["build", "--enable-helm", "--helm-command", &helm], flags, &[target]].concat();
    kzui_in(&tree.root(), &arguments).built()
}

fn read_file(tree: &Tree, name: &str) -> String {
    String::from_utf8(tree.read(name)).unwrap()
}

const CHART_VALUES: (&str, &str) =
    ("charts/app/values.yaml", "a: file\nb: file\nlist: [1, 2]\nmap: {x: 1}\n");

#[test]
fn every_field_becomes_an_argument() {
    let kustomization = "
helmCharts:
- name: app
  releaseName: rel
  namespace: own
  nameTemplate: tpl
  valuesFile: my-values.yaml
  additionalValuesFiles: [more.yaml]
  includeCRDs: true
  skipHooks: true
  skipTests: true
  apiVersions: [foo/v1, bar/v2]
  kubeVersion: '1.16'
  debug: true
  devel: true
";
    let files = [
        ("kustomization.yaml", kustomization),
        ("my-values.yaml", "my: own\n"),
        ("more.yaml", "more: 1\n"),
        CHART_VALUES,
    ];
    let tree = tree(&files);
    let out =
        build(&tree, ".", &["--helm-kube-version", "1.20", "--helm-api-versions", "unused/v1"]);
    assert!(out.contains("namespace: own"), "{out}");
    assert_eq!(
        read_file(&tree, "calls"),
        " version --short\n template rel {here}/charts/app --namespace own --name-template tpl \
         -f {tmp}/app-kustomize-values.yaml -f {here}/more.yaml --api-versions foo/v1 --api-versions bar/v2 \
         --kube-version 1.16 --include-crds --skip-tests --no-hooks --debug --devel\n"
    );
    assert_eq!(
        read_file(&tree, "values"),
        "-- app-kustomize-values.yaml\nmy: own\n-- more.yaml\nmore: 1\n"
    );
}

#[test]
fn flags_complete_missing_chart_fields() {
    let tree = tree(&[("kustomization.yaml", "helmCharts: [{name: app}]\n"), CHART_VALUES]);
    let flags = ["--helm-kube-version", "1.20", "--helm-api-versions", "foo/v1", "--helm-debug"];
    build(&tree, ".", &flags);
    let template = " template --generate-name {here}/charts/app -f {tmp}/app-kustomize-values.yaml \
                    --api-versions foo/v1 --kube-version 1.20 --debug\n";
    assert!(read_file(&tree, "calls").ends_with(template), "{}", read_file(&tree, "calls"));
}

#[test]
fn a_missing_chart_is_pulled_once_and_by_version() {
    let chart = "helmCharts: [{name: app, repo: 'https://charts.example.com', version: 1.2.3, devel: true}]\n";
    let tree = tree(&[("kustomization.yaml", chart)]);
    build(&tree, ".", &[]);
    build(&tree, ".", &[]);
    let calls = read_file(&tree, "calls");
    let pulls: Vec<&str> = calls.lines().filter(|line| line.starts_with(" pull")).collect();
    let pull = " pull --untar --untardir {here}/charts/app-1.2.3 --repo https://charts.example.com app \
                --version 1.2.3 --devel";
    assert_eq!(pulls, [pull]);
    assert!(read_file(&tree, "values").contains("from: pull"));
}

#[test]
fn a_registry_is_named_with_the_chart() {
    let chart = "helmCharts: [{name: app, repo: 'oci://registry.example.com/charts/'}]\n";
    let tree = tree(&[("kustomization.yaml", chart)]);
    build(&tree, ".", &[]);
    let pull = " pull --untar --untardir {here}/charts oci://registry.example.com/charts/app\n";
    assert!(read_file(&tree, "calls").contains(pull), "{}", read_file(&tree, "calls"));
}

#[test]
fn inline_values_merge_with_those_of_the_file() {
    let inline = "valuesInline: {a: inline, c: inline, list: [3], map: {x: 2, z: 3}}";
    let cases = [
        ("override", "a: inline\nb: file\nc: inline\nlist:\n- 3\nmap:\n  x: 2\n  z: 3\n"),
        ("merge", "a: file\nb: file\nc: inline\nlist:\n- 1\n- 2\nmap:\n  x: 1\n  z: 3\n"),
        ("replace", "a: inline\nc: inline\nlist:\n- 3\nmap:\n  x: 2\n  z: 3\n"),
    ];
    for (merge, values) in cases {
        let chart = format!("helmCharts:\n- name: app\n  valuesMerge: {merge}\n  {inline}\n");
        let tree = tree(&[("kustomization.yaml", &chart), CHART_VALUES]);
        build(&tree, ".", &[]);
        let expected = format!("-- app-kustomize-values.yaml\n{values}");
        assert_eq!(read_file(&tree, "values"), expected, "{merge}");
    }
}

/// Measured with kubectl 1.27 (v5.0.1): a null has no effect, an empty value in the file counts as
/// missing in a `merge`, a mapping does not replace another value.
#[test]
fn older_releases_merge_values_by_their_own_rules() {
    let inline = "valuesInline: {null: {a: null}, zero: 7, empty: {a: 1}, word: {a: 1}, list: [1]}";
    let file = "\"null\": {a: 1}\nzero: 0\nempty: {}\nword: text\nlist: []\n";
    let rest = "list:\n- 1\n\"null\":\n  a: 1\nword: text\nzero: 7\n";
    for merge in ["override", "merge"] {
        let chart = format!("helmCharts:\n- name: app\n  valuesMerge: {merge}\n  {inline}\n");
        let chart = chart.replace("{null:", "{\"null\":");
        let tree = tree(&[("kustomization.yaml", &chart), ("charts/app/values.yaml", file)]);
        tree.write("helm", &HELM.replace("v4.0.1", "v3.12.0"));
        build(&tree, ".", &["--like", "v5.0.1"]);
        let expected = format!("-- app-kustomize-values.yaml\nempty:\n  a: 1\n{rest}");
        assert_eq!(read_file(&tree, "values"), expected, "{merge}");
    }
}

#[test]
fn long_integers_become_floats_and_quotes_are_not_kept() {
    let chart =
        "helmCharts: [{name: app, valuesInline: {big: 123456789012345678901, flag: yes}}]\n";
    let tree = tree(&[("kustomization.yaml", chart), ("charts/app/values.yaml", "flag: \"\"\n")]);
    build(&tree, ".", &[]);
    let expected = "-- app-kustomize-values.yaml\nbig: 1.2345678901234568e+20\nflag: true\n";
    assert_eq!(read_file(&tree, "values"), expected);
}

/// Kustomize reads a chart's values by YAML 1.2 and the kustomization file by YAML 1.1.
#[test]
fn values_are_read_as_helm_reads_them() {
    let values = "\u{feff}# of the chart\na: yes\nn: off\nd: 2020-01-01\no: 0644\n\"y\": &y {k: 1}\n\
                  lost: *y\nkept: {<<: *y, l: [*y]}\n---\nsecond: document\n";
    let chart = "helmCharts: [{name: app, valuesInline: {i: yes, j: 0x10, k: 12345678901234567890, \"on\": 1_0}}]\n";
    let tree = tree(&[("kustomization.yaml", chart), ("charts/app/values.yaml", values)]);
    build(&tree, ".", &[]);
    assert_eq!(
        read_file(&tree, "values"),
        "-- app-kustomize-values.yaml\na: \"yes\"\nd: \"2020-01-01T00:00:00Z\"\ni: true\nj: 16\nk: 12345678901234567000\n\
         kept:\n  l:\n  - k: 1\n\"n\": \"off\"\no: 420\n\"on\": 10\n\"y\":\n  k: 1\n"
    );
}

#[test]
fn values_that_cannot_be_merged_are_refused() {
    for (values, words) in [
        ("# nothing\n", "could not parse values file into rnode: EOF"),
        ("a: [\n", "could not parse values file into rnode: yaml: "),
        ("a: 1\na: 2\n", "mapping key \"a\" already defined at line 1"),
        ("a: {1: x}\n", "json: unsupported type: map[interface {}]interface {}"),
    ] {
        let chart = "helmCharts: [{name: app, valuesInline: {i: 1}}]\n";
        let tree = tree(&[("kustomization.yaml", chart), ("charts/app/values.yaml", values)]);
        let helm = tree.path("helm").to_string_lossy().into_owned();
        let arguments = ["build", "--enable-helm", "--helm-command", &helm, "."];
        let error = kzui_in(&tree.root(), &arguments).refused();
        assert!(error.contains(words), "{values}: {error}");
    }
}

#[test]
fn nearest_namespace_is_passed_to_helm_and_kept() {
    let overlay = "namespace: production\nresources: [../mid]\n";
    let base = "helmGlobals: {chartHome: charts}\nhelmCharts: [{name: app}, {name: app, namespace: own}]\n";
    let files = [
        ("overlay/kustomization.yaml", overlay),
        ("mid/kustomization.yaml", "namePrefix: mid-\nresources: [../base]\n"),
        ("base/kustomization.yaml", base),
        ("base/charts/app/values.yaml", ""),
    ];
    let out = build(&tree(&files), "overlay", &[]);
    let named = |namespace: &str| {
        format!(
            "apiVersion: v1\nkind: Service\nmetadata:\n  name: mid-app\n  namespace: {namespace}\n"
        )
    };
    assert_eq!(out, format!("{}---\n{}", named("own"), named("production")));
}

#[test]
fn render_errors_equal_kustomize_text() {
    let refused = |chart: &str, flags: &[&str]| {
        let kustomization = format!("helmCharts: [{chart}]\n");
        let tree = tree(&[("kustomization.yaml", &kustomization)]);
        kzui_in(&tree.root(), &[&["build"], flags, &["."]].concat()).refused()
    };
    let cases: [(&str, &[&str], &str); 6] = [
        ("{name: x}", &[], "must specify --enable-helm"),
        ("{version: x}", &["--enable-helm"], "chart name cannot be empty"),
        (
            "{name: x, valuesMerge: mine}",
            &["--enable-helm"],
            "valuesMerge must be one of [merge override replace]",
        ),
        (
            "{name: x}",
            &["--enable-helm", "--helm-command", "kzui-no-helm"],
            "(is 'kzui-no-helm' installed?): exec: \"kzui-no-helm\": executable file not found in $PATH",
        ),
        ("{name: x}", &["--enable-helm", "--helm-command", "./helm"], "no chart found at ''"),
        (
            "{name: x, additionalValuesFiles: [none.yaml]}",
            &["--enable-helm"],
            "could not load additionalValuesFile: evalsymlink failure on",
        ),
    ];
    for (chart, flags, words) in cases {
        let error = refused(chart, flags);
        assert!(error.contains(words), "{chart}: {error}");
    }
}

#[test]
fn namespace_missing_in_chart_output_is_reported() {
    let chart = "helmCharts: [{name: app, namespace: own}]\nhelmGlobals: {chartHome: charts}\n";
    let tree = tree(&[
        ("app/kustomization.yaml", chart),
        ("app/charts/app/values.yaml", "a: b\n"),
        ("kustomization.yaml", "namespace: own\nresources: [app]\n"),
    ]);
    let helm = tree.path("helm").to_string_lossy().into_owned();
    let check = |target: &str| {
        let flags = ["check", "--notes", "--enable-helm", "--helm-command", &helm, target];
        kzui_in(&tree.root(), &flags).out
    };
    assert!(!check("app").contains("KZ219"), "the stand-in writes the namespace: {}", check("app"));
    let bare = HELM.replace("\\n  namespace: %s", "").replace("v4.0.1", "v3.18.0");
    tree.write("helm", &bare);
    let told = "the chart has namespace own: Service app has no namespace in the output";
    assert!(check("app").contains(told), "{}", check("app"));
    let told = "namespace own is not set on the objects of charts: Service app has no namespace in the output";
    let trace = |more: &[&str]| {
        let flags = [&["trace", "--enable-helm", "--helm-command", &helm], more, &["."]].concat();
        kzui_in(&tree.root(), &flags).built()
    };
    assert!(trace(&[]).contains(told), "{}", trace(&[]));
    let before = trace(&["--like", "v5.7.1"]);
    assert!(!before.contains("KZ219"), "there it is set afterwards: {before}");
}

#[test]
fn a_repository_enables_helm_with_the_consent_of_the_user() {
    let tree = tree(&[
        (
            "app/kustomization.yaml",
            "helmCharts:\n- name: app\nhelmGlobals: {chartHome: ../charts}\n",
        ),
        CHART_VALUES,
        (
            "Makefile",
            "# kustomize build --enable-helm\nall:\n\tkustomize build --enable-helm app\n",
        ),
    ]);
    tree.write(".git/HEAD", "ref: refs/heads/main\n");
    let helm = tree.path("helm").to_string_lossy().into_owned();
    let home = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = program(home.path());
        let output = command.args(arguments).current_dir(tree.root()).output();
        Answer::of(&output.unwrap())
    };
    let build = || {
        run(&["build", "app", "--load-restrictor", "LoadRestrictionsNone", "--helm-command", &helm])
    };
    let notes = run(&["check", "--select", "KZ190"]).out;
    assert!(notes.contains("Makefile:3 passes `--enable-helm`"), "{notes}");
    tree.write(".kzui.toml", "enable_helm = true\n");
    assert_eq!(build().status, Some(1), "the tree alone does not run a program");
    assert!(!tree.path("calls").exists());
    let config = home.path().join(".config/kzui");
    fs_err::create_dir_all(&config).unwrap();
    let listed = format!("helm-repositories = [{:?}]\n", tree.root());
    fs_err::write(config.join("config.toml"), listed).unwrap();
    let built = build();
    assert_eq!(built.status, Some(0), "{}", built.err);
    assert!(built.out.contains("kind: Service"), "{}", built.out);
    tree.write(".kzui.toml", "enable_helm = false\n");
    assert_eq!(build().status, Some(1));
}
