//! Findings with a cause and a help that hold, and findings that an owner leaves as they are.

use crate::support::Tree;
use crate::unwanted_findings::{FLUX, findings, help, repository, severities};

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: x}\n";

const ORIGIN: (&str, &str) =
    (".git/config", "[remote \"origin\"]\n\turl = https://example.com/own\n");

/// The source of Flux that is the repository.
const OWN_SOURCE: (&str, &str) = (
    "flux/source.yaml",
    "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system, namespace: flux-system}\nspec: {url: 'https://example.com/own'}\n",
);

/// A Kustomization of Flux that deploys a path of the repository.
fn flux_object(name: &str, path: &str) -> String {
    format!(
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: {name}, namespace: flux-system}}\nspec:\n  path: {path}\n  sourceRef: {{kind: GitRepository, name: flux-system}}\n"
    )
}

fn application(name: &str, sources: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}, namespace: argocd}}\nspec:\n  sources: [{sources}]\n  destination: {{name: in-cluster, namespace: web}}\n"
    )
}

fn set(generator: &str, url: &str, path: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {{name: all, namespace: argocd}}\nspec:\n  goTemplate: true\n  generators: [{generator}]\n  template:\n    metadata: {{name: 'own-{{{{.name}}}}', namespace: argocd}}\n    spec:\n      source: {{repoURL: '{url}', path: '{path}'}}\n      destination: {{name: in-cluster, namespace: web}}\n"
    )
}

/// A chart beside a path of this repository is not known, as a chart alone; a source with neither is
/// a fault.
#[test]
fn chart_beside_a_path_is_a_note() {
    let path = "{repoURL: 'https://example.com/own', path: web}";
    let chart = "{repoURL: 'https://example.com/charts', chart: keda, targetRevision: 1.0.0}";
    let tree = repository(&[
        ORIGIN,
        ("argo/app.yaml", &application("web", &format!("{chart}, {path}"))),
        ("web/kustomization.yaml", "resources: [c.yaml]\n"),
        ("web/c.yaml", MAP),
    ]);
    assert_eq!(severities(&tree, "KZ610"), ["note"]);
    let text = crate::support::kzui_in(&tree.root(), &["check"]).out;
    assert!(text.contains("1 object rendered by Helm or a plugin"), "{text}");
    let neither = format!("{{repoURL: 'https://example.com/other'}}, {path}");
    tree.write("argo/app.yaml", &application("web", &neither));
    assert_eq!(severities(&tree, "KZ610"), ["warning"]);
}

/// The generator reads this repository, so the source of the template, which has another URL, is
/// another one.
#[test]
fn source_beside_the_generators_repository_is_another_one() {
    let generator = "{git: {repoURL: 'https://example.com/own.git', revision: HEAD, files: [{path: clusters/c/config.json}]}}";
    let source = |url: &str| set(generator, url, "clusters/{{.name}}/apps");
    let config = ("clusters/c/config.json", "{\"name\": \"c\"}\n");
    let other = source("https://example.com/other.git");
    let tree = repository(&[ORIGIN, ("clusters/c/set.yaml", &other), config]);
    assert_eq!(severities(&tree, "KZ028"), [""; 0]);
    tree.write("clusters/c/set.yaml", &source("https://example.com/own.git"));
    assert_eq!(severities(&tree, "KZ028"), ["error"]);
}

/// A patch that deletes an element and adds one with the same key, or has one element twice.
#[test]
fn cause_of_a_lost_element_is_named() {
    let deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      containers:\n      - name: c\n        volumeMounts:\n        - {name: data, mountPath: /data}\n";
    let patched = |first: &str| {
        let patch = format!("        - {first}\n        - {{name: other, mountPath: /data}}\n");
        let patch = deployment.replace("        - {name: data, mountPath: /data}\n", &patch);
        let text = "resources: [d.yaml]\npatches: [{path: p.yaml}]\n";
        repository(&[("kustomization.yaml", text), ("d.yaml", deployment), ("p.yaml", &patch)])
    };
    for (first, cause) in [
        ("{mountPath: /data, $patch: delete}", "the same patch deletes this element"),
        ("{name: one, mountPath: /data}", "the patch has this element twice"),
    ] {
        let all = findings(&patched(first));
        let one = all.iter().find(|it| it["code"] == "KZ204").expect("an element is lost");
        assert!(one["message"].as_str().unwrap().ends_with(cause), "{one:#}");
    }
}

/// A component's patch of a kind, of which a later layer adds a resource, may be meant for the
/// resources of its own layers.
#[test]
fn patch_of_a_kind_is_not_moved_to_a_later_layer() {
    let patched = |target: &str| {
        let component = format!(
            "kind: Component\npatches:\n- target: {{{target}}}\n  patch: |-\n    - {{op: add, path: /spec/replicas, value: 2}}\n"
        );
        repository(&[
            ("overlay/kustomization.yaml", "resources: [../base, s.yaml]\n"),
            (
                "overlay/s.yaml",
                "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s}\nspec: {}\n",
            ),
            ("base/kustomization.yaml", "resources: [c.yaml]\ncomponents: [../part]\n"),
            ("base/c.yaml", MAP),
            ("part/kustomization.yaml", &component),
        ])
    };
    assert_eq!(severities(&patched("kind: StatefulSet"), "KZ101"), ["note"]);
    let tree = patched("kind: StatefulSet, name: s");
    assert_eq!(severities(&tree, "KZ101"), ["error"]);
    assert!(help(&tree, "KZ101").contains("move this entry"), "{}", help(&tree, "KZ101"));
}

/// `namespace` gives all Namespaces one name; no other name of one of them helps.
#[test]
fn namespaces_with_one_name_are_named_as_in_their_files() {
    let spaces = "apiVersion: v1\nkind: Namespace\nmetadata: {name: one}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: two}\n";
    let tree = repository(&[
        ("kustomization.yaml", "namespace: web\nresources: [n.yaml]\n"),
        ("n.yaml", spaces),
    ]);
    let help = help(&tree, "KZ032");
    assert!(help.starts_with("`namespace` renames every Namespace (one, two)"), "{help}");
}

/// A volume has no namespace; two generators of one name are merged by `behavior`.
#[test]
fn reference_to_two_generated_resources_has_a_help_that_holds() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  volumes:\n  - name: v\n    configMap: {name: web}\n";
    let generator = "configMapGenerator:\n- {name: web, literals: [a=b]}\n";
    let tree = repository(&[
        ("kustomization.yaml", "resources: [base, more]\nnamePrefix: x-\n"),
        ("base/kustomization.yaml", &format!("namePrefix: p-\nresources: [p.yaml]\n{generator}")),
        ("base/p.yaml", pod),
        ("more/kustomization.yaml", generator),
    ]);
    let help = help(&tree, "KZ063");
    assert!(help.starts_with("several layers generate web"), "{help}");
    tree.write(
        "kustomization.yaml",
        "resources: [base]\nnamePrefix: x-\nconfigMapGenerator:\n- {name: web, behavior: merge, literals: [c=d]}\n",
    );
    fs_err::remove_dir_all(tree.path("more")).unwrap();
    assert_eq!(severities(&tree, "KZ063"), [""; 0], "the help is true");
}

/// A path that is a variable alone names no folder.
#[test]
fn variable_path_alone_deploys_no_folder() {
    let path = "{repoURL: 'https://example.com/own', path: web}";
    let generator = "{git: {repoURL: 'https://example.com/own', revision: HEAD, directories: [{path: apps/*}]}}";
    let tree = repository(&[
        ORIGIN,
        ("argo/app.yaml", &application("web", path)),
        ("argo/set.yaml", &set(generator, "https://example.com/own", "{{.path.path}}")),
        ("web/kustomization.yaml", "resources: [c.yaml]\n"),
        ("web/c.yaml", MAP),
        ("old/kustomization.yaml", "resources: [gone.yaml]\n"),
    ]);
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
}

/// Folders and files that another program renders: by the name of the folder, a placeholder in the
/// file of an entry, and a variable as the URL of a source.
#[test]
fn failures_of_single_templates_are_notes() {
    let broken = "resources: [gone.yaml]\n";
    for folder in ["tmpl", "deploy_templates"] {
        let tree = repository(&[(&format!("{folder}/kustomization.yaml"), broken)]);
        assert_eq!(severities(&tree, "KZ020"), ["note"], "{folder}");
    }
    let patch = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata:\n  HOST: {{ host }}:{{ port }}\n";
    let tree = repository(&[
        ("a/kustomization.yaml", "resources: [c.yaml]\npatches:\n- path: p.yaml\n"),
        ("a/c.yaml", MAP),
        ("a/p.yaml", patch),
    ]);
    let worst =
        |tree: &crate::support::Tree| findings(tree).iter().any(|it| it["severity"] == "error");
    assert!(!worst(&tree));
    tree.write("a/p.yaml", &patch.replace("{{ host }}:{{ port }}", "\"{{ host }}\" x"));
    assert!(worst(&tree), "a quoted text of another program");
}

/// A general command does not build the examples in a hidden folder; their own path does.
#[test]
fn general_command_does_not_build_examples() {
    let tree = repository(&[
        (".skills/examples/web/overlays/dev/kustomization.yaml", "resources: [gone.yaml]\n"),
        ("apps/web/overlays/dev/kustomization.yaml", "resources: [c.yaml]\n"),
        ("apps/web/overlays/dev/c.yaml", MAP),
        (
            "README.md",
            "Run `kustomize build apps/web/overlays/dev` or `kustomize build web/overlays/dev`.\n",
        ),
    ]);
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
    tree.write("build.sh", "kustomize build .skills/examples/web/overlays/dev\n");
    assert_eq!(severities(&tree, "KZ020"), ["error"]);
}

/// An Application of Argo CD may deploy itself by the Applications of a set.
#[test]
fn application_that_deploys_itself_by_a_set_is_no_error() {
    let source = "{repoURL: 'https://example.com/own', path: overlay}";
    let tree = repository(&[
        ORIGIN,
        ("argocd/app.yaml", &application("own", source)),
        (
            "argocd/set.yaml",
            &set("{list: {elements: [{name: dev}]}}", "https://example.com/own", "overlay"),
        ),
        ("argocd/kustomization.yaml", "resources: [app.yaml, set.yaml]\n"),
        ("overlay/kustomization.yaml", "resources: [../argocd]\n"),
    ]);
    let all = findings(&tree);
    assert!(all.iter().all(|it| it["severity"] == "note"), "{all:#?}");
}

/// Only a command that writes the path makes a missing file.
#[test]
fn text_that_names_a_missing_folder_does_not_write_it() {
    let tree = repository(&[
        ("x/base/kustomization.yaml", "resources: [c.yaml]\n"),
        ("x/base/c.yaml", MAP),
        ("x/a/b/kustomization.yaml", "resources: [../../base]\ncomponents: [../../_shared/rev]\n"),
    ]);
    for (line, code) in [
        ("\"reuse apps/_shared/ if it fits\"", "KZ020"),
        ("echo see docs -> x/_shared/rev", "KZ020"),
        ("kustomize build . > y/_shared/rev", "KZ020"),
        ("cp -r y/_shared/rev $(DIR)/_shared", "KZ029"),
        ("git clone https://example.com/s ./x/_shared", "KZ029"),
        ("mkdir -p out && cp -r y $(OUT)/_shared/rev", "KZ029"),
    ] {
        tree.write("justfile", &format!("all:\n    {line}\n"));
        let all = findings(&tree);
        let codes: Vec<&str> = all.iter().filter_map(|it| it["code"].as_str()).collect();
        assert!(codes.contains(&code), "{line}: {codes:?}");
    }
}

/// A patch of a kind of which the build has none, beside a resource of its name.
#[test]
fn resource_of_another_kind_with_the_name_of_a_patch_is_named() {
    let patch =
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\nspec: {replicas: 1}\n";
    let tree = repository(&[
        ("kustomization.yaml", "resources: [d.yaml]\npatches: [{path: p.yaml}]\n"),
        ("d.yaml", &patch.replace("StatefulSet", "Deployment")),
        ("p.yaml", patch),
    ]);
    let help = help(&tree, "KZ040");
    assert!(help.ends_with("Deployment/web has the name of the patch"), "{help}");
}

/// The help names the missing patches of a list too.
#[test]
fn all_missing_patches_are_named() {
    let tree = repository(&[
        (
            "kustomization.yaml",
            "resources: [c.yaml]\npatchesStrategicMerge:\n- one.yaml\n- two.yaml\n",
        ),
        ("c.yaml", MAP),
    ]);
    let help = help(&tree, "KZ020");
    assert!(help.starts_with("`one.yaml`, `two.yaml` do not exist"), "{help}");
}

/// A missing patch beside a listed one with a similar name: the listed one is no proposal.
#[test]
fn a_listed_file_is_not_proposed_for_a_missing_one() {
    let list = "resources: [web.yaml]\npatches:\n- path: postgres-staging.yaml\n- path: postgrex-staging.yaml\n";
    let tree = repository(&[
        ("web/kustomization.yaml", list),
        ("web/web.yaml", MAP),
        ("web/postgrex-staging.yaml", MAP),
    ]);
    let text = crate::support::kzui_in(&tree.root(), &["check", "web"]).out;
    assert!(text.contains("KZ020") && !text.contains("did you mean"), "{text}");
}

/// An element without the merge key that deletes another one loses none that the patch repeats.
#[test]
fn an_element_that_the_patch_repeats_is_not_lost() {
    let mounts = |list: &str| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name}\nspec:\n  template:\n    spec:\n      containers:\n      - name: c\n        volumeMounts: [{list}]\n",
            name = "{name: a}"
        )
    };
    let (own, other) = ("{name: tmp, mountPath: /tmp}", "{name: data, mountPath: /data}");
    let gone = "{name: data, $patch: delete}";
    let tree = repository(&[
        ("web/kustomization.yaml", "resources: [a.yaml]\npatches:\n- path: p.yaml\n"),
        ("web/a.yaml", &mounts(&format!("{own}, {other}"))),
        ("web/p.yaml", &mounts(&format!("{own}, {gone}"))),
    ]);
    assert_eq!(severities(&tree, "KZ203"), [""; 0]);
    tree.write("web/p.yaml", &mounts(gone));
    assert_eq!(severities(&tree, "KZ203"), ["warning"]);
}

/// A patch for a resource that is commented out in the base, beside a patch for a similar name.
#[test]
fn the_resource_of_another_patch_is_not_proposed() {
    let patch = |name: &str| {
        format!(
            "- target: {{kind: ConfigMap, name: {name}}}\n  patch: '- {{op: add, path: /data/b, value: y}}'\n"
        )
    };
    let text = |missing: &str| {
        format!("resources: [a.yaml]\npatches:\n{}{}", patch(missing), patch("store-secrets"))
    };
    let map = MAP.replace("name: map", "name: store-secrets");
    let tree =
        repository(&[("web/kustomization.yaml", &text("store-servers")), ("web/a.yaml", &map)]);
    let check =
        |tree: &crate::support::Tree| crate::support::kzui_in(&tree.root(), &["check", "web"]).out;
    assert!(check(&tree).contains("KZ101"), "{}", check(&tree));
    assert!(!check(&tree).contains("= help: did you mean"), "{}", check(&tree));
    tree.write("web/kustomization.yaml", &text("store-secret"));
    assert!(check(&tree).contains("store-secrets"), "{}", check(&tree));
}

/// A patch for an object whose file the base has in a comment waits for it: another name would be
/// false help.
#[test]
fn patch_of_an_object_that_is_commented_out_is_a_note() {
    let map = |name: &str| MAP.replace("name: map", &format!("name: {name}"));
    let patch = "resources: [../base]\npatches:\n- target: {kind: ConfigMap, name: app-servers}\n  patch: '[{\"op\": \"add\", \"path\": \"/data/b\", \"value\": \"y\"}]'\n";
    let tree = repository(&[
        ("base/kustomization.yaml", "resources:\n- app-secrets.yaml\n# - app-servers.yaml\n"),
        ("base/app-secrets.yaml", &map("app-secrets")),
        ("base/app-servers.yaml", &map("app-servers")),
        ("prod/kustomization.yaml", patch),
    ]);
    assert_eq!(severities(&tree, "KZ101"), ["note"]);
    let told = help(&tree, "KZ101");
    assert!(told.contains("app-servers.yaml has it") && told.contains("base/kustomization.yaml:3"));
    tree.write("base/kustomization.yaml", "resources:\n- app-secrets.yaml\n");
    assert_eq!(severities(&tree, "KZ101"), ["error"], "a file that was forgotten");
}

/// Overlays of which only an object that is commented out deploys one.
#[test]
fn variant_of_a_switched_off_object_is_a_note() {
    let tree = repository(&[
        ("argo/kustomization.yaml", "resources:\n- web.yaml\n- cloud.yaml\n"),
        ("argo/web.yaml", FLUX),
        (
            "argo/cloud.yaml",
            &FLUX.replace("apps/web", "apps/cloud/overlays/dev").replace(": web", ": cloud"),
        ),
        ("apps/web/kustomization.yaml", "resources: [c.yaml]\n"),
        ("apps/web/c.yaml", MAP),
        ("apps/cloud/overlays/dev/kustomization.yaml", "resources: [c.yaml]\n"),
        ("apps/cloud/overlays/dev/c.yaml", MAP),
        ("apps/cloud/overlays/prod/kustomization.yaml", "resources: [gone.yaml]\n"),
    ]);
    assert_eq!(severities(&tree, "KZ020"), ["error"]);
    tree.write("argo/kustomization.yaml", "resources:\n- web.yaml\n# - cloud.yaml\n");
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
}

/// The next run of the program loses a fix in a file that it writes.
#[test]
fn generated_file_has_no_fix() {
    let own = "resources: [c.yaml]\nimages:\n- name: registry.example.com/gone\n  newTag: v2\n";
    let tree = repository(&[
        ("web/kustomization.yaml", &format!("# Generated by render.sh\n{own}")),
        ("web/c.yaml", MAP),
    ]);
    let told = help(&tree, "KZ120");
    assert!(told.contains("a program writes this file (line 1)"), "{told}");
    let read = || std::fs::read_to_string(tree.path("web/kustomization.yaml")).unwrap();
    let before = read();
    crate::support::kzui_in(&tree.root(), &["check", "--fix", "--unsafe-fixes"]);
    assert_eq!(read(), before);
}

/// As many elements without name with most of their values: the patch is meant to replace them.
#[test]
fn list_that_a_patch_writes_again_is_a_note() {
    let route = |host: &str, namespace: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Route\nmetadata: {{name: r}}\nspec:\n  routes:\n  - {{kind: Rule, match: {host}, services: [{{{namespace}kind: Service, port: http}}]}}\n"
        )
    };
    let tree = repository(&[
        ("kustomization.yaml", "resources: [r.yaml]\npatches: [{path: p.yaml}]\n"),
        ("r.yaml", &route("a", "namespace: monitor, ")),
        ("p.yaml", &route("b", "")),
    ]);
    assert_eq!(severities(&tree, "KZ202"), [""; 0]);
    let one_value = route("b", "").replace(", services: [{kind: Service, port: http}]", "");
    tree.write("p.yaml", &one_value);
    assert_eq!(severities(&tree, "KZ202"), ["warning"]);

    // Several values of an element are written again; another element is moved to the end; a name
    // gets the prefix of the overlay.
    let list = |name: &str, elements: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Route\nmetadata: {{name: r}}\nspec:\n  {name}:\n{elements}"
        )
    };
    let cases = [
        (
            "rules",
            "  - {path: {type: Prefix, value: /a}, to: [{port: 80, weight: 1}], filter: f}\n  - {path: {value: /b}}\n",
            "  - {path: {type: Prefix, value: /a}, to: [{port: 80}]}\n",
            "",
        ),
        ("rules", "  - {filter: f}\n", "  - {path: /a}\n  - {path: /b, filter: f}\n", ""),
        (
            "rules",
            "  - {kind: Rule, match: a, to: [{app: b, port: 1}]}\n  - {kind: Rule, match: b, to: [{app: a, port: 8}]}\n",
            "  - {kind: Rule, match: c, to: [{app: a, port: 8}]}\n",
            "",
        ),
        ("parents", "  - {name: gate, section: a}\n", "  - {name: dev-gate, port: b}\n", ""),
        ("parents", "  - {name: gate, section: a}\n", "  - {name: door, port: b}\n", "warning"),
    ];
    for (name, before, after, severity) in cases {
        tree.write("r.yaml", &list(name, before));
        tree.write("p.yaml", &list(name, after));
        let expected: Vec<&str> = Some(severity).filter(|it| !it.is_empty()).into_iter().collect();
        assert_eq!(severities(&tree, "KZ202"), expected, "{after}");
    }
}

/// An operator may make an object that a custom resource names, and words of names that differ are
/// other objects.
#[test]
fn object_that_an_operator_makes_is_not_missing() {
    let job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  template:\n    spec:\n      containers:\n      - {name: a, image: a, envFrom: [{secretRef: {name: web-api-secret}}]}\n";
    let secret = |name: &str| format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: {name}}}\n");
    let list = "resources: [j.yaml, s.yaml]\n";
    let tree = repository(&[
        ("kustomization.yaml", list),
        ("j.yaml", job),
        ("s.yaml", &secret("web-pai-secret")),
    ]);
    assert_eq!(severities(&tree, "KZ232"), ["warning"]);
    let sealed = "---\napiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: web-api-secret}\n";
    tree.write("s.yaml", &format!("{}{sealed}", secret("web-pai-secret")));
    assert_eq!(severities(&tree, "KZ232"), [""; 0]);
    tree.write("s.yaml", &secret("web-pg-secret"));
    assert_eq!(severities(&tree, "KZ232"), [""; 0]);
}

/// Patches with one target in several overlays are one mistake.
#[test]
fn patches_with_one_missing_target_are_one_row() {
    let overlay = "resources: [../base]\npatches:\n- target: {kind: ConfigMap, name: gone}\n  patch: |-\n    - {op: add, path: /data/x, value: y}\n";
    let tree = repository(&[
        ("base/kustomization.yaml", "resources: [c.yaml]\n"),
        ("base/c.yaml", MAP),
        ("one/kustomization.yaml", overlay),
        ("two/kustomization.yaml", overlay),
    ]);
    let answer = crate::support::kzui_in(&tree.root(), &["check", "."]);
    assert_eq!(answer.out.matches("error[KZ101]").count(), 1, "{}", answer.out);
    assert!(answer.out.contains("the other: two/kustomization.yaml:3"), "{}", answer.out);
}

/// All missing files of a kustomization are named at once, those of `patches` as well.
#[test]
fn missing_patches_are_named_together() {
    let tree = repository(&[
        (
            "kustomization.yaml",
            "resources: [c.yaml]\npatches:\n- path: one.yaml\n- path: two.yaml\n",
        ),
        ("c.yaml", MAP),
    ]);
    let told = help(&tree, "KZ020");
    assert!(told.contains("`one.yaml`, `two.yaml` do not exist"), "{told}");
}

/// A patch that deletes an object which is not there has the wanted result, and another name would
/// delete another object.
#[test]
fn patch_that_deletes_a_missing_object_is_a_note() {
    let patch = |name: &str| {
        format!(
            "resources: [c.yaml]\npatches:\n- target: {{kind: ConfigMap, name: {name}}}\n  patch: |-\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {{name: any}}\n    $patch: delete\n"
        )
    };
    let tree = repository(&[("kustomization.yaml", &patch("gone")), ("c.yaml", MAP)]);
    assert_eq!(
        (severities(&tree, "KZ101"), severities(&tree, "KZ103")),
        (vec![], vec!["note".into()])
    );
    tree.write("kustomization.yaml", &patch("mpa"));
    assert_eq!(severities(&tree, "KZ101"), ["error"], "a misspelled name");
}

/// The variable of a comment has no effect where Flux replaces it with an empty string; a bad
/// expression is at its own line.
#[test]
fn variables_of_comments_and_bad_expressions() {
    let tree = repository(&[
        ("clusters/web.yaml", &format!("{FLUX}  postBuild: {{substitute: {{OTHER: x}}}}\n")),
        ("clusters/flux.yaml", "image: ghcr.io/fluxcd/kustomize-controller:v1.8.0\n"),
        ("apps/web/kustomization.yaml", "configMapGenerator:\n- {name: c, files: [c.sh]}\n"),
        ("apps/web/c.sh", "# ${OLD}\nrun\n"),
    ]);
    assert_eq!(severities(&tree, "KZ620"), [""; 0]);
    for text in ["# ${OLD}\nrun ${NEW}\n", "#${COLOUR}", "#${COLOUR}\nx\n"] {
        tree.write("apps/web/c.sh", text);
        assert_eq!(severities(&tree, "KZ620"), ["warning"], "{text}");
    }
    tree.write("apps/web/kustomization.yaml", "configMapGenerator:\n- {name: c, files: [c.md]}\n");
    tree.write("apps/web/c.md", "# ${TITLE}\nText\n");
    assert_eq!(severities(&tree, "KZ620"), ["warning"], "a heading");
    tree.write("apps/web/kustomization.yaml", "configMapGenerator:\n- {name: c, files: [c.sh]}\n");
    tree.write("apps/web/c.sh", "run\nrun ${NEW\n");
    let all = findings(&tree);
    let bad = all.iter().find(|it| it["code"] == "KZ055").expect("a bad expression");
    assert_eq!((&bad["line"], &bad["column"]), (&2.into(), &5.into()), "{bad:#}");
}

/// The Flux of a repository whose instance is in the values of a chart, without its group.
#[test]
fn flux_of_the_values_of_a_chart_is_found() {
    let values = |version: &str| format!("instance:\n  distribution:\n    version: {version}\n");
    let tree = repository(&[
        ("flux/helm/values.yaml", &values("2.8.8")),
        ("clusters/web.yaml", &format!("{FLUX}  postBuild: {{substitute: {{OTHER: x}}}}\n")),
        ("apps/web/kustomization.yaml", "resources: [c.yaml]\n"),
        ("apps/web/c.yaml", &MAP.replace("a: x", "a: '${GONE}'")),
    ]);
    assert_eq!((severities(&tree, "KZ054").len(), severities(&tree, "KZ620").len()), (0, 1));
    tree.write("flux/helm/values.yaml", &values("2.9.0"));
    assert_eq!((severities(&tree, "KZ054").len(), severities(&tree, "KZ620").len()), (1, 0));
}

/// A folder that its name puts out of use.
#[test]
fn old_folder_is_a_note() {
    let broken = "resources: [gone.yaml]\n";
    let tree = repository(&[("monitoring-old/kustomization.yaml", broken)]);
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
}

/// The type of a configuration is fixed.
#[test]
fn type_fields_of_a_configuration_are_to_be_removed() {
    let tree = repository(&[
        ("kustomization.yaml", "resources: [c.yaml]\nconfigurations: [names.yaml]\n"),
        ("c.yaml", MAP),
        ("names.yaml", "apiVersion: v1\nkind: Configuration\nnameReference: []\n"),
    ]);
    assert!(help(&tree, "KZ014").contains("remove `apiVersion` and `kind`"));
}

/// A folder that only an object deploys which its list of objects leaves out.
#[test]
fn folder_of_an_unlisted_object_is_a_note() {
    let tree = repository(&[
        ("net/kustomization.yaml", "resources: [dns/ks.yaml, relay/ks.yaml]\n"),
        ("net/dns/ks.yaml", &FLUX.replace("apps/web", "net/dns/app")),
        ("net/dns/app/kustomization.yaml", "resources: [c.yaml]\n"),
        ("net/dns/app/c.yaml", MAP),
        (
            "net/relay/ks.yaml",
            &FLUX.replace("apps/web", "net/relay/app").replace(": web", ": relay"),
        ),
        ("net/relay/app/kustomization.yaml", "resources: [gone.yaml]\n"),
    ]);
    assert_eq!(severities(&tree, "KZ020"), ["error"]);
    tree.write("net/kustomization.yaml", "resources: [dns/ks.yaml]\n");
    assert_eq!(severities(&tree, "KZ020"), ["note"]);
}

/// A variable that several objects use, and the set variable with the same last word.
#[test]
fn unset_variable_of_several_objects_has_their_number() {
    let map = |name: &str| MAP.replace("name: map", &format!("name: {name}"));
    let with = |name: &str| map(name).replace("a: x", "a: '${CONFIG_TZ}'");
    let tree = repository(&[
        ("clusters/web.yaml", &format!("{FLUX}  postBuild: {{substitute: {{SETTING_TZ: x}}}}\n")),
        ("clusters/flux.yaml", "image: ghcr.io/fluxcd/kustomize-controller:v1.8.0\n"),
        ("apps/web/kustomization.yaml", "resources: [c.yaml, d.yaml]\n"),
        ("apps/web/c.yaml", &with("c")),
        ("apps/web/d.yaml", &with("d")),
    ]);
    let all = findings(&tree);
    let found = all.iter().find(|it| it["code"] == "KZ620").expect("a finding");
    let text = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
    assert!(text("message").ends_with("(and 1 more)"), "{found:#}");
    assert!(text("hint").contains("`${SETTING_TZ}`"), "{found:#}");
    tree.write("apps/web/d.yaml", &map("d"));
    let all = findings(&tree);
    let found = all.iter().find(|it| it["code"] == "KZ620").expect("a finding");
    assert!(!found["message"].as_str().unwrap_or_default().contains("more"), "{found:#}");
}

/// A file that one kustomization lists twice, beside one that no kustomization lists.
#[test]
fn file_that_is_listed_twice_has_no_layers_to_rename() {
    let tree = repository(&[
        ("kustomization.yaml", "resources:\n- web\n"),
        ("web/kustomization.yaml", "resources:\n- a.yaml\n- a.yaml\n"),
        ("web/a.yaml", MAP),
        ("web/b.yaml", &MAP.replace("name: map", "name: other")),
    ]);
    assert_eq!(
        help(&tree, "KZ030"),
        "web/kustomization.yaml lists a.yaml twice, in lines 2 and 3: remove one of the entries"
    );
    tree.write("web/kustomization.yaml", "resources:\n- a.yaml\n");
    tree.write("kustomization.yaml", "resources:\n- web\n- ./web/\n- web/b.yaml\n");
    let help = help(&tree, "KZ030");
    assert!(help.starts_with("web/a.yaml:1 is added twice, by kustomization.yaml:2"), "{help}");
}

fn job(image: &str) -> String {
    format!(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: j}}\nspec: {{template: {{spec: {{containers: [{{name: c, image: {image}}}]}}}}}}\n"
    )
}

/// An image that one overlay adds below the entry of the base: the entry is meant, and moves there.
#[test]
fn entry_for_an_image_of_an_overlay_is_not_removed() {
    let tree = repository(&[
        ("base/kustomization.yaml", "resources: [j.yaml]\nimages:\n- {name: saver, newTag: v2}\n"),
        ("base/j.yaml", &job("web")),
        ("dev/kustomization.yaml", "resources: [../base]\n"),
        ("prod/kustomization.yaml", "resources: [../base, s.yaml]\n"),
        ("prod/s.yaml", &job("saver").replace("name: j", "name: s")),
    ]);
    let found = findings(&tree);
    let one = found.iter().find(|it| it["code"] == "KZ120").unwrap();
    assert!(one["fix"].is_null(), "{one}");
    let end =
        "resources s.yaml, adds the resource later: move this entry into the kustomization of prod";
    assert!(help(&tree, "KZ120").ends_with(end), "{}", help(&tree, "KZ120"));
    tree.write("prod/kustomization.yaml", "resources: [../base]\n");
    assert!(help(&tree, "KZ120").contains("images at this step: web"));
}

/// A script writes the entry again after each build: its line has to change.
#[test]
fn entry_of_images_that_a_script_writes_is_changed_there() {
    let tree = repository(&[
        ("kustomization.yaml", "resources: [j.yaml]\nimages:\n- name: web\n  newTag: v2\n"),
        ("j.yaml", &job("example.com/a/web:v1")),
    ]);
    let of_script = "ci.sh:2 writes this entry: change it there";
    assert_eq!(severities(&tree, "KZ120"), ["error"]);
    assert!(!help(&tree, "KZ120").contains("ci.sh"));
    // The entry is meant for the image: only its name is wrong.
    tree.write("ci.sh", "kustomize edit set image \\\n  web=example.com/a/web:$TAG\n");
    assert_eq!(severities(&tree, "KZ120"), ["error"]);
    assert!(help(&tree, "KZ120").ends_with(of_script), "{}", help(&tree, "KZ120"));
    // No image is meant: the owner keeps the script.
    tree.write("j.yaml", &job("example.com/a/other:v1"));
    tree.write(
        "ci.sh",
        "NAME=\"web\"\nkustomize edit set image \"$NAME=example.com/$NAME:$TAG\"\n",
    );
    assert_eq!(severities(&tree, "KZ120"), ["note"]);
    assert!(help(&tree, "KZ120").ends_with(of_script), "{}", help(&tree, "KZ120"));
    let elsewhere = [
        "# kustomize edit set image web=x\nkustomize edit set image cobweb=x\n",
        "cd other && kustomize edit set image web=x\n",
        "- working-directory: other\n  run: |\n    kustomize edit set image web=x\n",
    ];
    for script in elsewhere {
        tree.write("ci.sh", script);
        assert_eq!(severities(&tree, "KZ120"), ["error"], "{script}");
    }
}

/// The folders beside a missing one are named, and a similar one is proposed.
#[test]
fn folders_beside_a_missing_one_are_named() {
    let object = |path: &str| flux_object("k", path);
    let tree = repository(&[
        ORIGIN,
        OWN_SOURCE,
        ("flux/k.yaml", &object("./apps/overaly/")),
        ("apps/base/kustomization.yaml", "resources: []\n"),
        ("apps/overlay/kustomization.yaml", "resources: [../base]\n"),
    ]);
    assert_eq!(help(&tree, "KZ028"), "did you mean ./apps/overlay?");
    tree.write("flux/k.yaml", &object("./apps/local"));
    assert_eq!(help(&tree, "KZ028"), "correct the path: apps has base and overlay");
}

/// Flux lists the folders below a path without a kustomization, so that no entry can go.
#[test]
fn folders_that_flux_lists_need_another_path() {
    let tree = repository(&[
        ORIGIN,
        OWN_SOURCE,
        ("flux/k.yaml", &flux_object("k", "./apps")),
        ("apps/base/kustomization.yaml", "resources: [c.yaml]\n"),
        ("apps/base/c.yaml", MAP),
        ("apps/dev/kustomization.yaml", "resources: [../base]\n"),
    ]);
    let help = help(&tree, "KZ030");
    assert!(help.contains("set `path` to one of these folders"), "{help}");
    assert!(!help.contains("list it once"), "{help}");
}

/// The summary counts fixes of notes apart, because no row shows them.
#[test]
fn fixes_of_notes_that_are_not_shown_are_counted_apart() {
    let tree = repository(&[
        ("kustomization.yaml", "bases: [base]\n"),
        ("base/kustomization.yaml", "resources: [c.yaml]\n"),
        ("base/c.yaml", MAP),
    ]);
    let summary = |arguments: &[&str]| {
        let out = crate::support::kzui_in(&tree.root(), arguments).out;
        out.lines().last().unwrap_or_default().to_owned()
    };
    assert!(summary(&["check"]).ends_with("1 can be fixed with --fix (of notes)."));
    assert!(summary(&["check", "--notes"]).ends_with("1 can be fixed with --fix."));
}

/// All values of annotations are texts, so that a path below one has a slash in its key.
#[test]
fn slash_in_the_key_of_an_annotation_is_no_missing_mapping() {
    let patch = |path: &str| {
        format!(
            "resources: [c.yaml]\npatches:\n- target: {{kind: ConfigMap}}\n  patch: |-\n    - op: add\n      path: {path}\n      value: prod\n"
        )
    };
    let annotated =
        MAP.replace("{name: map}", "{name: map, annotations: {example.com/issuer: dev}}");
    let tree = repository(&[
        ("kustomization.yaml", &patch("/metadata/annotations/example.com/issuer")),
        ("c.yaml", &annotated),
    ]);
    crate::support::kzui_in(&tree.root(), &["check", "--fix"]);
    let fixed = std::fs::read_to_string(tree.root().join("kustomization.yaml")).unwrap();
    assert_eq!(fixed, patch("/metadata/annotations/example.com~1issuer"));
}

/// A manifest with the missing name is meant before a folder of that name elsewhere.
#[test]
fn manifest_of_the_missing_name_is_proposed() {
    let tree = repository(&[
        ("apps/kustomization.yaml", "resources: [web]\n"),
        ("apps/web.yaml", MAP),
        ("web/kustomization.yaml", "resources: []\n"),
    ]);
    assert!(help(&tree, "KZ020").contains("web.yaml"), "{}", help(&tree, "KZ020"));
}

/// A generator that changes an object of an unlisted file needs the namespace of the object, and the
/// kustomization has other missing files.
#[test]
fn help_for_a_generator_names_namespace_and_missing_files() {
    let object = MAP.replace("name: map", "name: map, namespace: web");
    let tree = repository(&[
        (
            "dev/kustomization.yaml",
            "resources: [../base]\npatches:\n- path: absent.yaml\nconfigMapGenerator:\n- name: map\n  behavior: merge\n  literals: [a=b]\n",
        ),
        ("base/kustomization.yaml", "resources: [other.yaml]\n"),
        ("base/other.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n"),
        ("base/map.yaml", &object),
    ]);
    assert_eq!(
        help(&tree, "KZ061"),
        "base/map.yaml has it, but no kustomization lists that file: list it, and write `namespace: web` in this entry, or remove `behavior`; `absent.yaml` does not exist either"
    );
}

/// The report of several removals does not call them corrections.
#[test]
fn row_of_removals_says_so() {
    let patch = |key: &str| {
        format!(
            "- target: {{kind: ConfigMap, name: gone}}\n  patch: '[{{\"op\": \"add\", \"path\": \"/data/{key}\", \"value\": \"x\"}}]'\n"
        )
    };
    let patches = patch("a") + &patch("b");
    let tree = repository(&[
        ("kustomization.yaml", &format!("resources: [c.yaml]\npatches:\n{patches}")),
        ("c.yaml", MAP),
    ]);
    let out = crate::support::kzui_in(&tree.root(), &["check"]).out;
    assert!(out.contains("`kzui check --fix --unsafe-fixes` removes 2 entries"), "{out}");
}

/// An object whose file a kustomization far above has in a comment, with one or two signs.
#[test]
fn object_in_a_comment_of_a_list_far_above_is_switched_off() {
    let object = application("web", "{repoURL: 'https://example.com/own', path: web}");
    let live = application("live", "{repoURL: 'https://example.com/own', path: live}");
    let tree = repository(&[
        ORIGIN,
        ("apps/kustomization.yaml", "resources:\n- live.yaml\n#  #- ./home/web/app.yaml\n"),
        ("apps/live.yaml", &live),
        ("live/kustomization.yaml", "resources: [c.yaml]\n"),
        ("live/c.yaml", MAP),
        ("apps/home/web/app.yaml", &object),
        ("web/kustomization.yaml", "resources: [c.yaml]\npatches: [p.yaml]\n"),
        ("web/c.yaml", MAP),
    ]);
    assert_eq!(severities(&tree, "KZ015"), ["note"]);
    tree.write("apps/kustomization.yaml", "resources:\n- live.yaml\n- ./home/web/app.yaml\n");
    assert_eq!(severities(&tree, "KZ015"), ["error"]);
}

/// Objects opt in to a patch with a label, and each of several parents has the patch.
#[test]
fn patch_by_label_that_objects_repeat_is_a_note() {
    let patches = "  patches:\n  - patch: |-\n      - {op: add, path: /spec/prune, value: true}\n    target:\n      labelSelector: opt=in\n";
    let object = |name: &str| flux_object(name, &format!("./{name}")) + patches;
    let tree = repository(&[
        ORIGIN,
        OWN_SOURCE,
        ("flux/a.yaml", &object("a")),
        ("flux/b.yaml", &object("b")),
        ("a/kustomization.yaml", "resources: [c.yaml]\n"),
        ("a/c.yaml", MAP),
        ("b/kustomization.yaml", "resources: [c.yaml]\n"),
        ("b/c.yaml", MAP),
    ]);
    assert_eq!(severities(&tree, "KZ101"), ["error", "error"]);
    tree.write("flux/c.yaml", &object("c"));
    tree.write("c/kustomization.yaml", "resources: [c.yaml]\n");
    tree.write("c/c.yaml", MAP);
    assert_eq!(severities(&tree, "KZ101"), ["note", "note", "note"]);
}

/// All file names in a list of patches are one mistake, and one fix mends them.
#[test]
fn each_file_name_in_patches_gets_its_key() {
    let patch = MAP.replace("{a: x}", "{b: y}");
    let tree = repository(&[
        ("kustomization.yaml", "resources: [c.yaml]\npatches:\n- p.yaml\n- q.yaml\n"),
        ("c.yaml", MAP),
        ("p.yaml", &patch),
        ("q.yaml", &patch),
    ]);
    crate::support::kzui_in(&tree.root(), &["check", "--fix"]);
    let fixed = std::fs::read_to_string(tree.root().join("kustomization.yaml")).unwrap();
    assert_eq!(fixed, "resources: [c.yaml]\npatches:\n- path: p.yaml\n- path: q.yaml\n");
}

/// Another program in place of Argo CD's Kustomize has another release.
#[test]
fn failure_of_a_release_is_a_note_if_argo_cd_runs_another_program() {
    let tree = repository(&[
        ORIGIN,
        ("argo/app.yaml", &application("web", "{repoURL: 'https://example.com/own', path: web}")),
        ("web/kustomization.yaml", "resources: [c.yaml]\npatches: [p.yaml]\n"),
        ("web/c.yaml", MAP),
    ]);
    assert_eq!(severities(&tree, "KZ015"), ["error"]);
    tree.write(
        "values.yaml",
        "volumeMounts:\n- mountPath: /usr/local/bin/kustomize\n  name: tools\n",
    );
    assert_eq!(severities(&tree, "KZ015"), ["note"]);
}

/// Several objects of one folder without directory.
#[test]
fn objects_without_directory_are_one_row() {
    let object = |name: &str| flux_object(name, &format!("./gone/{name}-x"));
    let tree = repository(&[
        ORIGIN,
        OWN_SOURCE,
        ("flux/a.yaml", &object("a")),
        ("flux/b.yaml", &object("b")),
    ]);
    let out = crate::support::kzui_in(&tree.root(), &["check"]).out;
    assert!(out.contains("(and 1 more)") && out.contains("the other: flux/b.yaml:5"), "{out}");
    assert!(out.contains("Found 1 error"), "{out}");
}

/// A name that no image can have is a placeholder.
#[test]
fn placeholder_of_an_image_is_a_note() {
    let image =
        |name: &str| format!("resources: [j.yaml]\nimages:\n- name: {name}\n  newTag: v2\n");
    let tree = repository(&[
        ("kustomization.yaml", &image("<container url>")),
        ("j.yaml", &job("example.com/a/web:v1")),
    ]);
    assert_eq!(severities(&tree, "KZ120"), ["note"]);
    tree.write("kustomization.yaml", &image("container-url"));
    assert_eq!(severities(&tree, "KZ120"), ["error"]);
}

/// The instance that a repository installs elsewhere reads another repository.
#[test]
fn instance_of_another_repository_is_not_this_one() {
    let source = |name: &str, url: &str| {
        format!(
            "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {{name: {name}, namespace: flux-system}}\nspec: {{url: '{url}'}}\n"
        )
    };
    let object = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: addons, namespace: flux-system}\nspec:\n  path: ./addons\n  sourceRef: {kind: GitRepository, name: addons}\n";
    let instance = "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {name: flux, namespace: flux-system}\nspec:\n  distribution: {version: 2.x}\n  sync: {kind: GitRepository, url: 'https://example.com/addons', path: addons}\n";
    let tree = repository(&[
        ORIGIN,
        ("flux-system/gotk-sync.yaml", &source("flux-system", "https://example.com/own")),
        ("flux-system/addons.yaml", &source("addons", "https://example.com/addons")),
        ("flux-system/ks.yaml", object),
        ("apps/instance.yaml", instance),
    ]);
    assert_eq!(severities(&tree, "KZ028"), [""; 0]);
    tree.write("flux-system/addons.yaml", &source("addons", "https://example.com/own"));
    assert_eq!(severities(&tree, "KZ028"), ["error"]);
}

/// With a tag in the new name, a match would give the image two tags.
#[test]
fn entry_with_a_tag_in_its_new_name_is_removed() {
    let entry =
        |new: &str| format!("resources: [j.yaml]\nimages:\n- name: web\n  newName: {new}\n");
    let tree = repository(&[
        ("kustomization.yaml", &entry("example.com/a/web:v2")),
        ("j.yaml", &job("example.com/a/web:v1")),
    ]);
    assert!(help(&tree, "KZ120").starts_with("images at this step"), "{}", help(&tree, "KZ120"));
    tree.write("kustomization.yaml", &entry("example.com/b/web"));
    assert_eq!(help(&tree, "KZ120"), "did you mean example.com/a/web?");
}

/// Folders that moved together below another one are one row.
#[test]
fn folders_that_moved_together_are_one_row() {
    let object = |name: &str, path: &str| {
        application(name, &format!("{{repoURL: 'https://example.com/own', path: {path}}}"))
    };
    let tree = repository(&[
        ORIGIN,
        ("old/argo/a.yaml", &object("a", "apps/web")),
        ("old/more/b.yaml", &object("b", "apps/shop-api")),
        ("old/apps/web/kustomization.yaml", "resources: []\n"),
        ("old/apps/shop-api/kustomization.yaml", "resources: []\n"),
    ]);
    let out = crate::support::kzui_in(&tree.root(), &["check"]).out;
    assert!(out.contains("Found 1 error") && out.contains("the other: old/more/b.yaml"), "{out}");
}

/// The field specs of vars have an effect only with vars.
#[test]
fn field_spec_of_vars_is_reported_only_with_vars() {
    let tree = repository(&[
        ("kustomization.yaml", "resources: [p.yaml]\nconfigurations: [c.yaml]\n"),
        ("p.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {nodeName: x}\n"),
        ("c.yaml", "varReference:\n- {path: spec/nodeNames, kind: Pod}\n"),
    ]);
    assert_eq!(severities(&tree, "KZ236"), [""; 0]);
    let vars = "vars:\n- {name: NODE, objref: {apiVersion: v1, kind: Pod, name: p}}\n";
    tree.write(
        "kustomization.yaml",
        &format!("resources: [p.yaml]\nconfigurations: [c.yaml]\n{vars}"),
    );
    assert_eq!(severities(&tree, "KZ236"), ["warning"]);
}

/// Flux fails at the first variable that is not set; the help names the others.
#[test]
fn all_variables_without_value_are_named_at_once() {
    let object = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: web, namespace: flux-system}\nspec:\n  path: ./web\n  postBuild: {substitute: {X: y}}\n  sourceRef: {kind: GitRepository, name: flux-system}\n";
    let map = |name: &str, value: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata: {{a: '{value}'}}\n"
        )
    };
    let tree = repository(&[
        OWN_SOURCE,
        ("clusters/web.yaml", object),
        ("web/kustomization.yaml", "resources: [a.yaml, b.yaml]\n"),
        ("web/a.yaml", &map("a", "${BUCKET}")),
        ("web/b.yaml", &map("b", "${ENDPOINT}${KEY}")),
    ]);
    let text = help(&tree, "KZ054");
    assert!(text.contains("; ENDPOINT, KEY are not set either; Flux before 2.9"), "{text}");
    tree.write("web/b.yaml", &map("b", "x"));
    assert!(!help(&tree, "KZ054").contains("either"), "{}", help(&tree, "KZ054"));
}

/// A Flux Kustomization that deploys itself and prunes deletes itself with a new path.
#[test]
fn object_that_deploys_itself_is_kept_before_its_path_changes() {
    let object = |more: &str| {
        format!(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: dns, namespace: flux-system}}\nspec:\n  path: ./apps/dns\n{more}  sourceRef: {{kind: GitRepository, name: flux-system}}\n"
        )
    };
    let root = object("").replace("name: dns", "name: apps").replace("./apps/dns", "./apps");
    let root = root
        + "  patches:\n  - target: {kind: Kustomization}\n    patch: |-\n      - {op: add, path: /spec/wait, value: true}\n";
    let tree = repository(&[
        OWN_SOURCE,
        ("clusters/apps.yaml", &root),
        ("apps/kustomization.yaml", "resources: [dns/ks.yaml]\n"),
        ("apps/dns/ks.yaml", &object("  prune: true\n")),
        ("apps/dns/app/kustomization.yaml", "resources: [c.yaml]\n"),
        ("apps/dns/app/c.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"),
    ]);
    let text = help(&tree, "KZ000");
    assert!(text.contains("did you mean `path: ./apps/dns/app`?"), "{text}");
    assert!(text.contains("kustomize.toolkit.fluxcd.io/prune: disabled"), "{text}");
    tree.write("apps/dns/ks.yaml", &object("  prune: true\n  targetNamespace: dns\n"));
    let text = help(&tree, "KZ000");
    assert!(text.contains("a second dns in namespace dns"), "{text}");
    assert!(text.contains("did you mean") && !text.contains("prune"), "{text}");
    tree.write("apps/dns/ks.yaml", &object(""));
    assert!(!help(&tree, "KZ000").contains("prune"), "{}", help(&tree, "KZ000"));
}

/// Flux objects with these variables deploy one map with this value.
fn substituted(variables: &str, value: &str) -> Tree {
    let object = format!(
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: web, namespace: flux-system}}\nspec:\n  path: ./web\n  postBuild: {{substitute: {{{variables}}}}}\n  sourceRef: {{kind: GitRepository, name: flux-system}}\n"
    );
    let map =
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\ndata: {{a: {value:?}}}\n");
    repository(&[
        OWN_SOURCE,
        ("clusters/web.yaml", &object),
        ("web/kustomization.yaml", "resources: [a.yaml]\n"),
        ("web/a.yaml", &map),
    ])
}

/// The same with a release of Flux that replaces variables without a value.
fn substituted_before(variables: &str, value: &str) -> Tree {
    let tree = substituted(variables, value);
    tree.write(".kzui.toml", "like = \"flux-2.8\"\n");
    tree
}

/// A variable is proposed for another one only if it has the same words.
#[test]
fn variable_with_one_common_word_is_no_proposal() {
    for (known, wanted, is_near) in [
        ("SECRET_CLOUDFLARE_TUNNEL_ID", "CLOUDFLARED_TUNNEL_ID", true),
        ("SECRET_TIMEZONE", "TIMEZONE", true),
        ("SECRET_GIT_SSH_DEPLOY_KEY", "AUTHENTIK_SECRET_KEY", false),
        ("SECRET_PILOT_TOKEN", "SECRET_GRAFANA_OUTSIDE_INFLUX_TOKEN", false),
        ("TOKEN", "SECRET_GRAFANA_TOKEN", false),
    ] {
        let (known, wanted) = (format!("{known}: x"), format!("${{{wanted}}}"));
        for tree in [substituted(&known, &wanted), substituted_before(&known, &wanted)] {
            let all = findings(&tree);
            let own = all.iter().find(|it| it["code"] == "KZ054" || it["code"] == "KZ620");
            let text = own.unwrap()["hint"].to_string();
            assert_eq!(text.contains("did you mean"), is_near, "{known} {wanted}: {text}");
        }
    }
}

/// A name with a space is a mistyped one; without the substitution, other variables stay as they are
/// written.
#[test]
fn substitution_is_not_switched_off_for_one_mistake() {
    let text = help(&substituted("X: y", "sso.${SECRET _DOMAIN}"), "KZ055");
    assert!(text.contains("did you mean `${SECRET_DOMAIN}`?"), "{text}");
    let text = help(&substituted("X: y", "${X} ${a-}"), "KZ055");
    assert!(!text.contains("disabled"), "{text}");
    assert!(help(&substituted("X: y", "${a-}"), "KZ055").contains("disabled"));
    for (value, may_disable) in [("${DATABASE}", true), ("${DATABASE} ${X}", false)] {
        let text = help(&substituted("X: y", value), "KZ054");
        assert_eq!(text.contains("disabled"), may_disable, "{value}: {text}");
        let text = help(&substituted_before("X: y", value), "KZ620");
        assert_eq!(text.contains("disabled"), may_disable, "{value}: {text}");
    }
    let text = help(&substituted_before("X: y", "${1}/"), "KZ620");
    assert!(text.starts_with("escape it as `$${1}`"), "{text}");
}

/// A variable of a script that no object sets is empty in the shell as well.
#[test]
fn variable_that_only_a_script_reads_is_no_finding() {
    let tree = substituted_before("X: y", "#!/bin/sh\nexec web ${EXTRA_ARGS}\n");
    assert_eq!(severities(&tree, "KZ620"), [""; 0]);
    let script = "#!/bin/sh\nEXTRA_ARGS=-v\nexec web ${EXTRA_ARGS} ${MODE:-none}\n";
    let tree = substituted_before("X: y", script);
    assert_eq!(severities(&tree, "KZ620"), ["warning"], "the script sets it");
    assert!(help(&tree, "KZ620").starts_with("the text is a script"), "{}", help(&tree, "KZ620"));
    let text = help(&substituted("X: y", script), "KZ054");
    assert!(text.starts_with("the text is a script"), "{text}");
    let text = help(&substituted("X: y", &format!("{script}${{X}}")), "KZ054");
    assert!(!text.contains("disabled"), "{text}");
    let tree = substituted_before("X: y", "exec web ${EXTRA_ARGS}");
    assert_eq!(severities(&tree, "KZ620"), ["warning"], "no script");
}

/// Elements in a patch of many resources would be in all of them.
#[test]
fn elements_are_not_added_to_a_patch_of_several_resources() {
    let object = |name: &str, value: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Thing\nmetadata: {{name: {name}}}\nspec: {{checks: {value}}}\n"
        )
    };
    let patch = |name: &str, target: &str| {
        let text = object(name, "[{key: {id: b}}]").replace('\n', "\n    ");
        format!("resources: [a.yaml]\npatches:\n- {target}patch: |-\n    {text}\n")
    };
    let tree = repository(&[
        ("kustomization.yaml", &patch("none", "target: {kind: Thing}\n  ")),
        ("a.yaml", &object("a", "[{key: {id: a, of: c}}]")),
    ]);
    let text = help(&tree, "KZ202");
    assert!(text.contains("exclude the resources"), "{text}");
    tree.write("kustomization.yaml", &patch("a", ""));
    let text = help(&tree, "KZ202");
    assert!(text.contains("write them in the patch as well"), "{text}");
}
