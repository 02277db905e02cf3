//! KEP-2906, stories 1 to 7.

use crate::support::messages;
use kzui::engine::load::Digest;

use super::{Stage, deployment};
use crate::catalog::server::{Page, Server};

/// Story 1: the catalog of the platform developer.
const CATALOG: &str = "\
# catalog.yaml
apiVersion: config.kubernetes.io/v1alpha1
kind: Catalog
metadata: 
  name: \"example-co-functions\"
spec: 
  krmFunctions: 
  - group: example.com
    names:
      kind: JavaApplication
    description: \"A Kustomize function that can handle Java apps\"
    versions:
    - name: v1
    runtime: 
      container: 
        image: docker.example.co/functions/java:v1.0.0
  - group: example.com
    names:
      kind: Logger
    description: \"A Kustomize function that adds our bespoke logging\"
    versions:
    - name: v1
    runtime: 
      container: 
        image: docker.example.co/functions/logger:v1.0.0
  - group: example.com
    names:
      kind: SecretSidecar
    description: \"A Kustomize function that adds our bespoke secret sidecar\"
    versions:
    - name: v1
    runtime: 
      container: 
        image: docker.example.co/functions/secrets:v1.0.0
";

/// Story 2: the application, as in the proposal.
const APP: [(&str, &str); 3] = [
    (
        "app/kustomization.yaml",
        "# app/kustomization.yaml\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\ncatalogs:\n  - catalog.yaml\ntransformers:\n- java.yaml\n- secrets.yaml\n",
    ),
    (
        "app/java.yaml",
        "# app/java.yaml\napiVersion: example.com/v1\nkind: JavaApplication\nspec:\n  application: team/my-app\n  version: v1.0\n",
    ),
    (
        "app/secrets.yaml",
        "# app/secrets.yaml\napiVersion: example.com/v1\nkind: SecretSidecar\nspec:\n  key: my.secret.value\n  path: /etc/secrets\n",
    ),
];

/// Stories 3 and 4: the application as a Composition; `MORE` is the runtime of story 3.
const COMPOSITION: &str = "\
kind: Composition
catalogs:
  - CATALOG
modules:
# generate resources for a Java application
- apiVersion: example.com/v1
  kind: JavaApplication
  spec:
    application: team/my-app
    version: v1.0
- apiVersion: example.com/v1
  kind: Logger
  metadata:
    name: my-logger
  spec:
    logPath: /var/logs
- apiVersion: example.com/v1
  kind: SecretSidecar
  runtime: {container: {image: docker.example.co/module_providers/secrets:v0.9.0}}
  metadata:
    name: my-secrets
  spec:
    key: my.secret.value
    path: /etc/secrets
";

/// The registry of the story's images.
const FUNCTION_REGISTRY: &str = "docker.example.co/functions";

#[test]
fn story_1_a_catalog_is_published() {
    let server = Server::start();
    server.put("/kustomize/catalog.yaml", Page::ok(CATALOG));
    let stage = Stage::new(&[]);
    let url = server.url("/kustomize/catalog.yaml");
    let shown = stage.run(&["view", "catalog", &url]).built();
    for part in [
        "catalog      example-co-functions",
        "example.com/v1 JavaApplication   container",
        "example.com/v1 Logger   container",
        "example.com/v1 SecretSidecar   container",
        "CAT-RUNTIME-LEVEL",
        "CAT-UNPINNED",
        "CAT-MISSING",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(stage.image_runs(), Vec::<String>::new());
}

#[test]
fn story_2_an_application_with_a_copy_of_the_catalog() {
    let stage = Stage::new(&APP);
    stage.tree.write("app/catalog.yaml", CATALOG);
    // The story trusts another reference than that of the tree: trust in a URL does not apply to a
    // copy.
    let url = "--trusted-catalog=https://example.co/kustomize/catalog.yaml";
    let told = stage.run(&["build", "app", url, "--allow-unpinned-images"]).refused();
    assert!(told.contains("'catalog.yaml'"), "{told}");
    assert!(
        told.contains(&format!(
            "{} JavaApplication/java-application",
            messages::UNTRUSTED_NEEDED_TO_RUN
        )),
        "{told}"
    );
    let flag = "-catalog=https://example.co/kustomize/catalog.yaml";
    let told = stage.run(&["build", "app", flag]).refused();
    assert!(told.contains(messages::DID_YOU_MEAN_TRUSTED_CATALOG), "{told}");
    // The suggested command can be pasted in the working directory.
    let told = stage.run(&["build", "app"]).refused();
    let word = |begin: &str| {
        let rest = told.split(begin).nth(1).unwrap();
        rest.split(|c: char| c.is_whitespace() || c == '`').next().unwrap().to_owned()
    };
    assert_eq!(word("kzui trust add "), "app/catalog.yaml");
    let shown = stage.run(&["view", "catalog", &word("kzui trust add ")]).built();
    let pinned = shown.split(&format!("{} ", messages::TRUST_EXACTLY)).nth(1).unwrap();
    let pinned = pinned.lines().next().unwrap();
    for flag in [&*format!("--trusted-catalog={}", word("--trusted-catalog=")), pinned] {
        let answer = stage.run(&["build", "app", flag, "--allow-unpinned-images"]);
        assert!(!answer.err.contains(messages::IS_NOT_TRUSTED), "{flag}: {}", answer.err);
    }
    let stage = Stage::new(&APP);
    stage.tree.write("app/catalog.yaml", CATALOG);
    // Trust in content applies to every copy (D-B6). Its images have version tags and no digest
    // (D-B19).
    let content = format!("--trusted-catalog={}", Digest::compute(CATALOG.as_bytes()));
    let told = stage.run(&["build", "app", &content]).refused();
    assert!(told.contains(messages::NO_SHA256_PIN_IT), "{told}");
    assert_eq!(stage.image_runs(), Vec::<String>::new());
    let answer = stage.run(&["build", "app", &content, "--allow-unpinned-images"]);
    assert!(answer.err.contains(messages::NO_SHA256), "{}", answer.err);
    assert_eq!(answer.built(), deployment("v1.0", "java:v1.0.0 secrets:v1.0.0"));
}

#[test]
fn story_3_one_function_is_pinned_by_the_application() {
    let server = Server::start();
    server.put("/catalog.yaml", Page::ok(CATALOG));
    let url = server.url("/catalog.yaml");
    let stage = Stage::new(&[("app/composition.yaml", &COMPOSITION.replace("CATALOG", &url))]);
    // Scenario 70: consolidating trusts and fetches nothing, even with an empty cache.
    let list = stage.run(&["consolidate", "app"]).built();
    assert!(list.contains(&format!("catalogs:\n- {url}\n")), "{list}");
    assert_eq!(server.requests(), Vec::<String>::new());
    let trusted = format!("--trusted-catalog={url}");
    let arguments = ["build", "app", &trusted, "--allow-unpinned-images"];
    // Scenario 78: the runtime is set in the tree, and needs its own flag.
    let told = stage.run(&arguments).refused();
    assert!(told.contains(messages::EXTERNAL_PLUGINS_DISABLED), "{told}");
    let with: Vec<&str> = arguments.iter().copied().chain(["--enable-alpha-plugins"]).collect();
    let answer = stage.run(&with);
    assert!(
        answer.err.contains(&format!("'modules' {} 'transformers'", messages::FORMER_NAME)),
        "{}",
        answer.err
    );
    assert_eq!(answer.built(), deployment("v1.0", "java:v1.0.0 logger:v1.0.0 secrets:v0.9.0"));
    let images = stage.images();
    assert_eq!(
        images[images.len() - 3..],
        [
            format!("{FUNCTION_REGISTRY}/java:v1.0.0"),
            format!("{FUNCTION_REGISTRY}/logger:v1.0.0"),
            "docker.example.co/module_providers/secrets:v0.9.0".to_owned()
        ]
    );
    // Scenario 78: if every entry has a runtime, no catalog is read.
    let asked = server.requests().len();
    let own = "catalogs: [CATALOG]\ntransformers:\n- {apiVersion: example.com/v1, kind: JavaApplication, runtime: {container: {image: java:own}}, spec: {version: v2}}\n";
    stage.tree.write("own/composition.yaml", &own.replace("CATALOG", &url));
    let built = stage.run(&["build", "own", "--enable-alpha-plugins"]).built();
    assert!(built.contains("ran: java:own\n"), "{built}");
    assert_eq!(server.requests().len(), asked);
    assert_eq!(stage.run(&["consolidate", "app"]).built(), list);
    assert_eq!(server.requests().len(), asked);
}

/// Story 4: no catalog is listed.
const COMPOSITION_WITHOUT_CATALOG: &str = "\
# app/composition.yaml
kind: Composition
modules:
# generate resources for a Java application
- apiVersion: example.com/v1
  kind: JavaApplication
  spec:
    application: team/my-app
    version: v1.0
- apiVersion: example.com/v1
  kind: Logger
  spec:
    logPath: /var/logs
- apiVersion: example.com/v1
  kind: SecretSidecar
  spec:
    key: my.secret.value
    path: /etc/secrets
";

/// The built-in catalog is empty; the functions of the story's tree are not found, and the message
/// has a hint. The behaviour of a built-in catalog is tested in
/// `the_official_catalog_needs_no_list_and_no_trust`.
#[test]
fn story_4_without_an_official_catalog() {
    let stage = Stage::new(&[("app/composition.yaml", COMPOSITION_WITHOUT_CATALOG)]);
    let told = stage.run(&["build", "app", "--enable-alpha-plugins"]).refused();
    assert!(
        told.contains(&format!(
            "{} example.com/v1 JavaApplication (\"java-application\")",
            messages::NO_IMPLEMENTATION_FOUND_FOR
        )),
        "{told}"
    );
    assert!(told.contains(messages::LIST_CATALOG_THAT_DEFINES_IT), "{told}");
}

/// Stories 5 and 6: an official function, and a contributed one.
#[test]
fn stories_5_and_6_functions_in_a_public_catalog() {
    let catalog = "\
apiVersion: config.kubernetes.io/v1alpha1
kind: Catalog
metadata: 
  name: \"official-kustomize-functions\"
spec: 
  krmFunctions: 
  - group: kustomize.io
    names:
      kind: Helm
    description: \"A Kustomize function that can handle Helm charts\"
    versions:
    - name: v1
    runtime: 
      container: 
        image:  k8s.gcr.io/kustomize/helm-function:v1.0.0
  - group: example.co
    names:
      kind: McGuffin
    description: \"A KRM function that everyone is searching for\"
    versions:
    - name: v1
    runtime: 
      container: 
        image:  docker.example.io/krm/mcguffin-function:v1.0.0
";
    let stage = Stage::new(&[
        ("catalog.yaml", catalog),
        (
            "composition.yaml",
            "catalogs: [catalog.yaml]\ntransformers:\n- {apiVersion: kustomize.io/v1, kind: Helm}\n- {apiVersion: example.co/v1, kind: McGuffin}\n",
        ),
    ]);
    let shown = stage.run(&["view", "catalog", "."]).built();
    for id in ["kustomize.io/v1 Helm   container", "example.co/v1 McGuffin   container"] {
        assert!(shown.contains(id), "{shown}");
    }
    stage.run(&["build", "--trusted-catalog=.", "--allow-unpinned-images"]).built();
    assert_eq!(
        stage.images(),
        [
            "k8s.gcr.io/kustomize/helm-function:v1.0.0",
            "docker.example.io/krm/mcguffin-function:v1.0.0"
        ]
    );
}

/// Story 7: functions of several publishers; the last requires the network and a mount.
const AGGREGATED_CATALOG: &str = "\
apiVersion: config.kubernetes.io/v1alpha1
kind: Catalog
metadata: 
  name: \"example-co-aggregated-catalog\"
spec: 
  krmFunctions: 
  - group: banana.co
    names:
      kind: Split
    description: \"A KRM function that splits a deployment into multiple deployments\"
    versions:
    - name: v1
    runtime: 
      container: 
        image:  banana.gcr.io/functions/split-function:v1.0.0
  - group: watermelon.co
    names:
      kind: Salt
    description: \"A KRM function that applies salt\"
    versions:
    - name: v1
    runtime: 
      container: 
        image:  watermelon.gcr.io/krm-functions/salt-function:v1.0.0
  - group: example.com
    names:
      kind: JavaApplication
    description: \"A Kustomize function that can handle Java apps\"
    versions:
    - name: v1
    runtime: 
      container: 
        image: example/module_providers/java:v1.0.0
        requireNetwork: true
        requireFilesystem: true
";

/// A Composition that calls each function of the aggregated catalog.
const COMPOSITION_OF_ALL_FUNCTIONS: &str = "\
catalogs: [catalog.yaml]
transformers:
- {apiVersion: example.com/v1, kind: JavaApplication, spec: {version: v2}}
- {apiVersion: banana.co/v1, kind: Split}
- {apiVersion: watermelon.co/v1, kind: Salt}
";

const MOUNT: [&str; 3] = ["--network", "--mount", "type=bind,src=/srv,dst=/data"];

/// Builds with the story's catalog trusted.
fn build_trusting(stage: &Stage, more: &[&str]) -> crate::support::Answer {
    stage.run(&[&["build", "--trusted-catalog=.", "--allow-unpinned-images"], more].concat())
}

/// Also scenario 92: each missing permission has its own message, before any function runs.
#[test]
fn story_7_a_catalog_of_several_publishers() {
    let stage = Stage::new(&[
        ("catalog.yaml", AGGREGATED_CATALOG),
        ("composition.yaml", COMPOSITION_OF_ALL_FUNCTIONS),
    ]);
    let shown = stage.run(&["view", "catalog", "."]).built();
    for part in [
        "catalog      example-co-aggregated-catalog",
        "banana.co/v1 Split   container",
        "watermelon.co/v1 Salt   container",
        "example.com/v1 JavaApplication   container",
        "requested (needs --network)",
        "CAT-FILESYSTEM",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let told = build_trusting(&stage, &[]).refused();
    assert!(told.contains(messages::NETWORK_ACCESS_NOT_ENABLED), "{told}");
    assert!(told.contains("use --network\n"), "{told}");
    let told = build_trusting(&stage, &["--network"]).refused();
    assert!(told.contains(&format!("requires {}; use --mount", messages::STORAGE_MOUNT)), "{told}");
    assert_eq!(stage.image_runs(), Vec::<String>::new());
    let built = build_trusting(&stage, &MOUNT).built();
    assert_eq!(built, deployment("v2", "java:v1.0.0 split-function:v1.0.0 salt-function:v1.0.0"));
    let runs = stage.image_runs();
    assert!(runs[0].starts_with("bridge ") && runs[0].contains(" --mount type=bind"), "{runs:?}");
    for run in &runs[1..] {
        assert!(run.starts_with("none ") && !run.contains("--mount"), "{run}: it asks for nothing");
    }
}

/// Scenarios 87 and 88: an image with a digest runs by its digest; an image with only a tag warns,
/// or is refused.
#[test]
fn pinned_images_run_by_their_digest() {
    let digest = Digest::compute(b"split").hex();
    let split = "image:  banana.gcr.io/functions/split-function:v1.0.0\n";
    let pinned = format!("{split}        sha256: {digest}\n");
    let catalog = AGGREGATED_CATALOG
        .replace(split, &pinned)
        .replace("salt-function:v1.0.0", "salt-function:unstable");
    let stage = Stage::new(&[
        ("catalog.yaml", &catalog),
        ("composition.yaml", COMPOSITION_OF_ALL_FUNCTIONS),
    ]);
    let answer = build_trusting(&stage, &MOUNT);
    assert!(
        answer.err.contains(&format!("salt-function:unstable' {}", messages::NOT_PINNED)),
        "{}",
        answer.err
    );
    answer.built();
    let by_digest = format!("banana.gcr.io/functions/split-function@sha256:{digest}");
    assert_eq!(stage.images()[1], by_digest);
    let ran = stage.image_runs().len();
    let strict = [&MOUNT[..], &["--require-pinned"]].concat();
    let told = build_trusting(&stage, &strict).refused();
    assert!(told.contains(messages::CATALOG_MUST_PIN_IT), "nothing softens that: {told}");
    let only_salt = COMPOSITION_OF_ALL_FUNCTIONS.replace(
        "- {apiVersion: example.com/v1, kind: JavaApplication, spec: {version: v2}}\n",
        "",
    );
    stage.tree.write("composition.yaml", &only_salt);
    let told = build_trusting(&stage, &["--require-pinned"]).refused();
    assert!(
        told.contains(&format!(
            "image 'watermelon.gcr.io/krm-functions/salt-function:unstable' {}",
            messages::NOT_PINNED
        )),
        "{told}"
    );
    assert_eq!(stage.images()[ran..], [by_digest], "the one before it is pinned");
}
