//! Hover, definitions, references, lenses, hints and completions.

use crate::client::{Client, SHOP};

/// A question about a place in a document, and the parts of its answer: `=` comes before the whole
/// answer, and `!` before a part that it must not have. The parts of a completion are its labels.
type Question<'q> = (&'q str, &'q str, &'q str, &'q [&'q str]);

/// Asks about the documents of the shop and of these files.
fn assert_answers(more: &[(&str, &str)], questions: &[Question<'_>]) {
    let mut client = Client::new(more);
    for (question, path, place, expected) in questions {
        let answer = client.ask(question, path, place);
        let has = |part: &str| match *question {
            "completion" => answer.split(' ').any(|label| label == part),
            _ => answer.contains(part),
        };
        for part in *expected {
            let holds = match (part.strip_prefix('='), part.strip_prefix('!')) {
                (Some(whole), _) => answer == whole,
                (None, Some(absent)) => !has(absent),
                (None, None) => has(part),
            };
            assert!(holds, "{question} {path} {place}: {part} in {answer}");
        }
    }
}

#[test]
fn lines_show_final_values_and_entries_their_resources() {
    let in_base = [
        "overridden by dev/patch.yaml:6: final value `2`",
        "overridden by prod/kustomization.yaml:",
        "final value `5`",
        "in dev",
        "in prod",
        "not known (the build fails): bad",
    ];
    let in_patch = ["**Deployment/dev-web** `spec.replicas`", "final value `2`"];
    assert_answers(
        &[("bad/kustomization.yaml", "resources:\n- ../base\n- gone.yaml\n")],
        &[
            ("hover", "base/web.yaml", "replicas", &in_base),
            ("hover", "dev/patch.yaml", "replicas", &in_patch),
            ("hover", "prod/kustomization.yaml", "shop/api", &["no match"]),
            ("hover", "dev/kustomization.yaml", "patch.yaml", &["1 resource in 1 target"]),
            ("codeLens", "base/web.yaml", "", &["=1 in 3 targets, 1 of them fail"]),
        ],
    );
}

#[test]
fn the_name_of_a_generator_comes_before_its_type() {
    let path = "made/kustomization.yaml";
    let mut client =
        Client::new(&[(path, "configMapGenerator:\n- name: made\n  literals: [a=b]\n")]);
    let text = client.ask("hover", path, "name");
    let first = text.lines().next().unwrap_or_default();
    assert!(first.trim_end().ends_with("`metadata.name`"), "{first}");
}

#[test]
fn hover_of_a_line_that_moved_is_kept() {
    let mut client = Client::new(&[]);
    client.ask("hover", "dev/patch.yaml", "replicas");
    client.change("dev/patch.yaml", &format!("# a comment\n{}", SHOP[4].1));
    let text = client.ask("hover", "dev/patch.yaml", "replicas");
    assert!(text.contains("`spec.replicas`"), "{text}");
}

#[test]
fn values_of_secrets_are_masked_and_markdown_is_escaped() {
    let secret = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  key: correct-horse-battery\n";
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\ndata:\n  '![x](http://a)': '`<b>`'\n";
    let all = "resources:\n- secret.yaml\n- map.yaml\n";
    let more = [("m/kustomization.yaml", all), ("m/secret.yaml", secret), ("m/map.yaml", map)];
    assert_answers(&more, &[("hover", "m/secret.yaml", "key:", &["Secret/s", "!battery"])]);
    let text = Client::new(&more).ask("hover", "m/map.yaml", "'`<b>`'");
    assert!(text.contains("`` `<b>` ``"), "{text}");
    assert!(!text.split('`').step_by(2).any(|plain| plain.contains("![x]")), "{text}");
}

#[test]
fn a_reference_and_both_lines_of_an_image_show_the_final_value() {
    let scaler = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata:\n  name: web\nspec:\n  scaleTargetRef:\n    apiVersion: apps/v1\n    kind: Deployment\n    name: web\n";
    let scaled = "resources: [../base, scaler.yaml]\nnamePrefix: a-\n";
    let image =
        "resources: [../base]\nimages:\n- name: shop/web\n  newName: mirror/web\n  newTag: '3'\n";
    let (mirror, final_image) = ("mirror/kustomization.yaml", "final value `mirror/web:3`");
    assert_answers(
        &[("scaled/scaler.yaml", scaler), ("scaled/kustomization.yaml", scaled), (mirror, image)],
        &[
            ("hover", "scaled/scaler.yaml", "    name", &["final value `a-web`", "!overridden"]),
            ("hover", mirror, "newName", &[final_image, "!overridden"]),
            ("hover", mirror, "newTag", &[final_image, "!overridden"]),
        ],
    );
}

#[test]
fn effects_of_entries_are_counted() {
    let labels = "labels:\n- pairs: {a: b}\n- pairs: {c: d}\n";
    let one =
        |number| format!("---\napiVersion: v1\nkind: Service\nmetadata: {{name: s{number}}}\n");
    let many = (0..61).map(one).collect::<Vec<_>>().concat();
    let few = format!("resources:\n- ../base\n{labels}");
    let all = format!("resources:\n- many.yaml\n{labels}");
    let over = "resources: [../base]\ncomponents:\n- ../note\n- ../none\n";
    let remote = "resources:\n- https://localhost:1/x.yaml\nnamePrefix: a-\n";
    assert_answers(
        &[
            ("few/kustomization.yaml", &few),
            ("all/kustomization.yaml", &all),
            ("all/many.yaml", &many),
            ("note/kustomization.yaml", "kind: Component\ncommonAnnotations: {a: b}\n"),
            ("none/kustomization.yaml", "kind: Component\nimages:\n- name: none\n"),
            ("over/kustomization.yaml", over),
            ("far/kustomization.yaml", remote),
        ],
        &[
            // Each resource is counted once.
            ("hover", "few/kustomization.yaml", "labels", &["**2 resources in 1 target**"]),
            (
                "hover",
                "all/kustomization.yaml",
                "labels",
                &["**at least 61 resources in 1 target**"],
            ),
            (
                "codeLens",
                "prod/kustomization.yaml",
                "",
                &["4 1 resource in 1 target", "7 no match in 1 target"],
            ),
            // A component counts the resources that its entries change.
            (
                "codeLens",
                "over/kustomization.yaml",
                "",
                &["3 2 resources in 1 target", "4 no change in 1 target"],
            ),
            (
                "codeLens",
                "far/kustomization.yaml",
                "",
                &["=2 pending in 1 target, 3 pending in 1 target"],
            ),
        ],
    );
    let shared = ["=2 1 resource in 2 targets, 3 1 resource in 2 targets"];
    assert_answers(&[], &[("codeLens", "base/kustomization.yaml", "", &shared)]);
}

#[test]
fn a_hint_shows_the_final_values_of_an_overridden_line() {
    // The image is final.
    let hints = ["6:14 → 2 | 5", "!11:"];
    assert_answers(&[], &[("inlayHint", "base/web.yaml", "", &hints)]);
    let folders = [("a", "a-"), ("b", "a-"), ("c", "a-"), ("d", "b-"), ("e", "c-"), ("f", "d-")];
    let more = folders.map(|(folder, prefix)| {
        let text = format!("namePrefix: {prefix}\nresources: [../base]\n");
        (format!("{folder}/kustomization.yaml"), text)
    });
    let more = more.each_ref().map(|(path, text)| (path.as_str(), text.as_str()));
    assert_answers(&more, &[("inlayHint", "base/web.yaml", "", &[" → 5 final values"])]);
    // A value that is removed in one of two targets has no hint.
    let patch = "$patch: delete\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\n";
    let less = "resources: [../base]\npatches:\n- path: patch.yaml\n";
    let more = [("less/kustomization.yaml", less), ("less/patch.yaml", patch)];
    assert_answers(&more, &[("inlayHint", "base/service.yaml", "", &["!1:"])]);
}

#[test]
fn references_are_the_entries_on_the_way_to_targets_and_overriding_lines() {
    let entries =
        ["base/kustomization.yaml:2", "dev/kustomization.yaml:2", "prod/kustomization.yaml:2"];
    let users = ["=dev/kustomization.yaml:2 prod/kustomization.yaml:2"];
    assert_answers(
        &[],
        &[
            ("references", "base/web.yaml", "kind", &entries),
            ("references", "base/kustomization.yaml", "service", &users),
            ("references", "base/web.yaml", "replicas", &["dev/patch.yaml:6"]),
        ],
    );
}

#[test]
fn definitions_are_files_resources_and_sources_of_values() {
    let copy = "resources:\n- ../base\nreplacements:\n- source:\n    kind: Deployment\n    fieldPath: spec.replicas\n  targets:\n  - select:\n      kind: Service\n    fieldPaths:\n    - metadata.labels.count\n    options:\n      create: true\n";
    let path = "copy/kustomization.yaml";
    assert_answers(
        &[(path, copy)],
        &[
            ("definition", "dev/kustomization.yaml", "../base", &["=base/kustomization.yaml:1"]),
            ("definition", "dev/kustomization.yaml", "patch.yaml", &["=dev/patch.yaml:1"]),
            ("definition", "dev/patch.yaml", "replicas", &["=base/web.yaml:1"]),
            ("definition", "prod/kustomization.yaml", "count", &["=base/web.yaml:1"]),
            ("definition", path, "fieldPath: spec", &["=base/web.yaml:1"]),
        ],
    );
}

#[test]
fn a_name_leads_to_the_resource_that_it_means() {
    let deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      serviceAccountName: runner\n      containers:\n      - name: web\n        envFrom:\n        - configMapRef:\n            name: conf\n        - secretRef:\n            name: outside\n";
    let account = "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: runner\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: conf\ndata: {a: b, b: c}\n";
    let overlay = "resources:\n- ../app\nnamePrefix: test-\nreplacements:\n- source:\n    kind: ConfigMap\n    name: conf\n    fieldPath: data.a\n  targets:\n  - select:\n      kind: Deployment\n      name: web\n    fieldPaths:\n    - metadata.annotations.a\n    options:\n      create: true\n- source: {kind: ConfigMap, fieldPath: data.b}\n  targets:\n  - select: {kind: Deployment}\n    fieldPaths: [metadata.annotations.b]\n    options: {create: true}\npatches:\n- path: patch.yaml\n";
    let (test, app) = ("test/kustomization.yaml", "app/web.yaml");
    assert_answers(
        &[
            ("app/kustomization.yaml", "resources:\n- web.yaml\n- more.yaml\n"),
            (app, deployment),
            ("app/more.yaml", account),
            (test, overlay),
            ("test/patch.yaml", SHOP[4].1),
        ],
        &[
            ("definition", app, "runner", &["=app/more.yaml:4"]),
            ("definition", app, "conf\n", &["=app/more.yaml:9"]),
            ("definition", test, "conf\n", &["=app/more.yaml:9"]),
            ("definition", test, "web\n", &["=app/web.yaml:4"]),
            ("definition", test, "fieldPath: data", &["=app/more.yaml:6"]),
            ("definition", test, "kind: ConfigMap", &["=app/more.yaml:6"]),
            ("definition", test, "metadata.annotations", &["=app/web.yaml:1"]),
            ("definition", test, "data.b", &["=app/more.yaml:6"]),
            ("definition", "test/patch.yaml", "web\n", &["=app/web.yaml:4"]),
            // The Secret is in no target: the line is that of a field of the Deployment.
            ("definition", app, "outside", &["=app/web.yaml:1"]),
        ],
    );
}

/// Texts of a kustomization file, each with a question for completions and the expected ones.
#[test]
fn kustomizations_complete_fields_files_and_names() {
    let selections = "resources:\n- ../base\n- more.yaml\npatches:\n- path: patch.yaml\n  target:\n    kind: ConfigMap\n    name: \nreplacements:\n- source:\n    name: \n    kind: \"Service\" # why\n    fieldPath: metadata.name\n  targets:\n  - select:\n      kind: Other\n      name: \n";
    let target = "resources:\n- ../base\npatches:\n- path: patch.yaml\n  target:\n    kind: Deployment\n    name: web\n";
    let names = "resources:\n- ../base\nnamePrefix: dev-\nreplicas:\n- name: web\n  count: 2\nimages:\n- name: web\n";
    let fields = "resources:\n- ../base\npatches:\n- \n- path: patch.yaml\n  \n  target:\n    kind: Deployment\n    \n#components:\n#- ../tls\n";
    let inline = "resources:\n- ../base\npatches:\n- patch: |-\n    apiVersion: v1\n    kind: Service\n    metadata:\n      name: web\n    spec:\n      \n- target:\n    kind: Deployment\n  patch: |-\n    - op: add\n      path: /spec/template/spec/containers/0/\n";
    let missing = ["patches", "namespace", "!resources", "!bases"];
    let typed = ["replicas", "!resources", "!namePrefix"];
    let cases: [(&str, &str, &[&str]); 18] = [
        ("resources:\n- ../base\n\n", "base\n^\n", &missing),
        // A word that is typed makes the file invalid until it has a colon.
        ("resources:\n- ../base\nrep\nnamePrefix: a-\n", "rep^", &typed),
        ("resources:\n- ../base\n- \n", "base\n- ^", &["=more.yaml patch.yaml ../prod"]),
        ("components:\n- \n", "- ^", &["=../tls"]),
        // The names of a selection are limited to its kind.
        (selections, "ConfigMap\n    name: ^", &["=more"]),
        (selections, "source:\n    name: ^", &["=web"]),
        (selections, "Other\n      name: ^", &["=more web"]),
        (target, "kind: ^", &["=Deployment Service"]),
        (target, "name: ^", &["=web"]),
        (target, "path: ^", &["more.yaml"]),
        // Names are those before renames; an image is no resource.
        (names, "replicas:\n- name: ^", &["=web"]),
        (names, "images:\n- name: ^", &["="]),
        (fields, "patches:\n- ^", &["=path patch target options"]),
        (fields, "patch.yaml\n  ^\n", &["=patch options"]),
        (fields, "Deployment\n    ^", &["labelSelector", "!kind"]),
        (inline, "    spec:\n      ^\n", &["clusterIP"]),
        (inline, "containers/0/^", &["imagePullPolicy"]),
        ("apiVersion: \nkind: \n", "kind: ^", &["=Component Kustomization"]),
    ];
    let path = "dev/kustomization.yaml";
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n";
    let component = ("tls/kustomization.yaml", "kind: Component\nnamePrefix: a-\n");
    for (text, place, expected) in cases {
        let more = [(path, text), ("dev/more.yaml", map), component];
        assert_answers(&more, &[("completion", path, place, expected)]);
    }
}

#[test]
fn resources_and_patches_complete_the_fields_of_their_type() {
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: shops.example.com\nspec:\n  group: example.com\n  names: {kind: Shop, plural: shops}\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            type: object\n            properties:\n              owner: {type: string, enum: [me, you]}\n              doors: {type: array, items: {type: object, properties: {width: {type: integer}}}}\n";
    let shop = "apiVersion: example.com/v1\nkind: Shop\nmetadata:\n  name: s\n  \nspec:\n  owner: me\n  \n  doors:\n  - \n";
    let schema = r#"{"definitions": {"a.Shelf": {"type": "object",
        "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Shelf"}],
        "properties": {"spec": {"type": "object", "properties": {"owner": {"type": "string"}}}}}}}"#;
    let head = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n";
    let replicas = format!("{head}  replicas: 2\n  \n");
    let pod = "  template:\n    spec:\n      containers:\n      - name: web\n        \n";
    let pod = format!("{head}{pod}");
    let more = [
        ("crds/shop.yaml", definition),
        ("base/shop.yaml", shop),
        ("shop/schema.json", schema),
        ("shop/kustomization.yaml", "resources: [shop.yaml]\nopenapi: {path: schema.json}\n"),
        ("shop/shop.yaml", "apiVersion: example.com/v1\nkind: Shelf\nspec:\n  \n"),
        ("p/replicas.yaml", &replicas),
        ("p/pod.yaml", &pod),
        ("p/kind.yaml", "kind: \n"),
        ("p/version.yaml", "apiVersion: \nkind: Deployment\n"),
        ("p/head.yaml", head),
        ("p/none.yaml", "apiVersion: none/v1\nkind: Other\nspec:\n  \n"),
    ];
    let own = "base/shop.yaml";
    assert_answers(
        &more,
        &[
            ("completion", "p/replicas.yaml", "2\n  ^", &["minReadySeconds", "!replicas"]),
            ("completion", "p/pod.yaml", "- name: web\n        ^", &["livenessProbe", "!name"]),
            ("completion", "p/kind.yaml", "kind: ^", &["DaemonSet", "Shop"]),
            ("completion", "p/version.yaml", "apiVersion: ^", &["=apps/v1"]),
            ("completion", "p/head.yaml", "spec:\n^", &["=status"]),
            ("completion", "p/none.yaml", "spec:\n  ^", &["="]),
            // Both fields are there.
            ("completion", own, "me\n  ^", &["="]),
            ("completion", own, "  - ^", &["=width"]),
            ("completion", own, "owner: ^", &["=me you"]),
            ("completion", own, "name: s\n  ^", &["labels"]),
            ("completion", "shop/shop.yaml", "spec:\n  ^", &["=owner"]),
        ],
    );
}
