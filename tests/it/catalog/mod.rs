//! Function catalogs end to end: the real program, files, a server on this machine (scenarios 71
//! to 98).

mod attempts;
mod authors;
mod blame;
mod changed_after_trust;
mod images;
mod lock;
mod merging;
mod proposals;
mod push;
mod refused;
mod registries;
pub(crate) mod server;
mod signatures;
mod sources;
mod trust;
mod waiting;

use std::path::Path;

use kzui::engine::load::Digest;

use crate::support::{Answer, Tree, line_with, messages, program_with_bin};

/// A private home and a tree, kept between runs.
pub(crate) struct Desk {
    pub(crate) home: Tree,
    pub(crate) tree: Tree,
}

impl Desk {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self { home: Tree::new(&[]), tree: Tree::new(files) }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Answer {
        self.run_in(&self.tree.root(), arguments)
    }

    pub(crate) fn run_in(&self, directory: &Path, arguments: &[&str]) -> Answer {
        self.start(directory, arguments, &[])
    }

    /// Runs kzui with additional environment variables.
    pub(crate) fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Answer {
        self.start(&self.tree.root(), arguments, variables)
    }

    fn start(&self, directory: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Answer {
        let mut command = program_with_bin(&self.home.root());
        command.args(arguments).current_dir(directory).envs(variables.iter().copied());
        Answer::of(&command.output().expect("the program starts"))
    }
}

/// A `ConfigMap`, a transformer `Stamp` of the team, and a kustomization that lists these catalogs.
pub(crate) fn app(catalogs: &[&str]) -> Vec<(&'static str, String)> {
    vec![
        ("kustomization.yaml", format!("resources: [cm.yaml]\ntransformers: [stamp.yaml]\ncatalogs: [{}]\n", catalogs.join(", "))),
        ("cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n".to_owned()),
        ("stamp.yaml", "apiVersion: team.example.com/v1\nkind: Stamp\nmetadata: {name: s}\nspec: {value: mark}\n".to_owned()),
    ]
}

/// A desk with the files of [`app`], which list these catalogs, and with the files `more`.
pub(crate) fn desk(catalogs: &[&str], more: &[(&str, &str)]) -> Desk {
    let app = app(catalogs);
    let mut files: Vec<(&str, &str)> =
        app.iter().map(|(path, text)| (*path, text.as_str())).collect();
    files.extend(more);
    Desk::new(&files)
}

pub(crate) fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The text of a catalog with the function `Stamp` of this version and runtime.
pub(crate) fn catalog(version: &str, runtime: &str) -> String {
    format!(
        "apiVersion: config.kubernetes.io/v1alpha1\nkind: Catalog\nmetadata: {{name: team}}\nspec:\n  krmFunctions:\n  - group: team.example.com\n    names: {{kind: Stamp}}\n    description: stamps\n    publisher: team.example.com\n    versions:\n    - name: {version}\n      idempotent: true\n      usage: https://team.example.com/README.md\n      examples: [https://team.example.com/example.md]\n      license: Apache-2.0\n      schema:\n        openAPIV3Schema: {{type: object, required: [spec], properties: {{spec: {{type: object, properties: {{value: {{type: string}}}}}}}}}}\n      runtime: {runtime}\n"
    )
}

/// A script that writes a word into an annotation of all objects.
pub(crate) fn script(word: &str) -> String {
    format!(
        "def stamp(list):\n  for item in list[\"items\"]:\n    item[\"metadata\"][\"annotations\"] = {{\"stamp\": \"{word} \" + list[\"functionConfig\"][\"spec\"][\"value\"]}}\nstamp(ctx.resource_list)\n"
    )
}

/// The operating system and architecture of this machine, in the words of catalogs.
pub(crate) fn platform() -> (&'static str, &'static str) {
    (std::env::consts::OS, if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" })
}

/// The SHA-256 digest of a text, in hexadecimal digits.
pub(crate) fn sha256_hex(text: impl AsRef<[u8]>) -> String {
    Digest::compute(text.as_ref()).hex()
}

/// The runtime of a function with the script `stamp.star`.
pub(crate) const STAMP: &str = "{starlark: {path: stamp.star}}";

/// A warning about an image has locations: the configuration, and the line of the catalog.
#[test]
fn image_pin_warning_has_locations() {
    let runtime = "{container: {image: 'r.example.com/stamp:unstable'}}";
    let desk = desk(&["catalog.yaml"], &[("catalog.yaml", &catalog("v1", runtime))]);
    desk.tree.write("bin/docker", "#!/bin/sh\ncat\n");
    make_executable(&desk.tree.path("bin/docker"));
    let path = format!("{}:/usr/bin:/bin", desk.tree.path("bin").display());
    let ran = desk.run_with(&["build", "--trusted-catalog=catalog.yaml"], &[("PATH", &path)]);
    assert_eq!(
        ran.err,
        "# Warning: stamp.yaml:1: image 'r.example.com/stamp:unstable' is not pinned (listed in catalog.yaml:18)\n"
    );
    ran.built();
    let arguments = ["trace", "--json", "--trusted-catalog=catalog.yaml"];
    let trace = desk.run_with(&arguments, &[("PATH", &path)]).built();
    assert!(
        trace.contains("\"KZ303\"")
            && trace.contains(&format!("{} (listed in", messages::NOT_PINNED)),
        "{trace}"
    );
}

/// All formats contain the confinement text of the text format.
#[test]
fn every_catalog_format_contains_the_confinement() {
    let desk = desk(&[], &[("catalog.yaml", &catalog("v1", STAMP)), ("stamp.star", &script("x"))]);
    let view = |form: &str| desk.run(&["view", "catalog", "catalog.yaml", "-o", form]).built();
    let json: serde_json::Value = serde_json::from_str(&view("json")).unwrap();
    let words = json.pointer("/spec/krmFunctions/0/versions/0/confinement").unwrap();
    let words = words.as_str().unwrap();
    assert!(!words.is_empty() && view("text").contains(words), "{words}");
    assert!(view("yaml").contains("confinement: "));
}

#[test]
fn an_entry_resolves_through_the_layers_trusted_catalog() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = desk(
        &["catalogs/catalog.yaml"],
        &[
            ("catalogs/catalog.yaml", &catalog("v1", STAMP)),
            ("catalogs/stamp.star", &script("one")),
        ],
    );
    let untrusted = desk.run(&["build"]).refused();
    for part in [
        "'catalogs/catalog.yaml'",
        &format!("{} Stamp/s (team.example.com/v1)", messages::UNTRUSTED_NEEDED_TO_RUN),
        "`kzui trust add catalogs/catalog.yaml`",
    ] {
        assert!(untrusted.contains(part), "{untrusted}");
    }
    // No flag with the digest of the catalog covers the script without a digest.
    let content = format!("sha256:{}", sha256_hex(catalog("v1", STAMP)));
    assert!(!untrusted.contains("--trusted-catalog"), "{untrusted}");
    let uncovered = desk.run(&["build", "--trusted-catalog", &content]).refused();
    assert!(uncovered.contains("'stamp.star'"), "{uncovered}");
    let pinned =
        format!("{{starlark: {{path: stamp.star, sha256: {}}}}}", sha256_hex(script("one")));
    desk.tree.write("catalogs/catalog.yaml", &catalog("v1", &pinned));
    let untrusted = desk.run(&["build"]).refused();
    let content = format!("sha256:{}", sha256_hex(catalog("v1", &pinned)));
    assert!(
        untrusted.contains(&format!("--trusted-catalog=catalogs/catalog.yaml@{content}")),
        "{untrusted}"
    );
    // By path, by directory, by content; and from another directory.
    for flag in ["catalogs/catalog.yaml", "./catalogs", &content] {
        let built = desk.run(&["build", "--trusted-catalog", flag]).built();
        assert!(built.contains("stamp: one mark"), "{flag}: {built}");
    }
    // Scenarios 78 and 98: the functionConfig is validated by the schema before anything runs.
    desk.tree.write(
        "stamp.yaml",
        "apiVersion: team.example.com/v1\nkind: Stamp\nmetadata: {name: s}\nspec: {value: 1}\n",
    );
    let wrong = desk.run(&["build", "--trusted-catalog", "catalogs"]).refused();
    let violation = line_with(&wrong, "Stamp/s (team.example.com/v1): spec.value: ");
    for value in ["string", "integer", "catalogs/catalog.yaml"] {
        assert!(violation.contains(value), "{value}: {wrong}");
    }
}

#[test]
fn first_catalog_with_the_function_takes_precedence() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = desk(
        &["a.yaml", "b/catalog.yaml", "c/catalog.yaml", "gone.yaml"],
        &[
            ("a.yaml", &catalog("v2", STAMP)),
            (
                "b/catalog.yaml",
                &catalog("v1", STAMP).replace("kind: Catalog", "kind: KRMFunctionCatalog"),
            ),
            ("b/stamp.star", &script("b")),
            ("c/catalog.yaml", &catalog("v1", STAMP)),
            ("c/stamp.star", &script("c")),
        ],
    );
    let all = [
        "build",
        "--trusted-catalog=a.yaml",
        "--trusted-catalog=b",
        "--trusted-catalog=c",
        "--trusted-catalog=gone.yaml",
    ];
    let ran = desk.run(&all);
    assert!(ran.out.contains("stamp: b mark"), "{}{}", ran.out, ran.err);
    let second = format!("c/catalog.yaml {}", messages::DEFINES_IT_TOO);
    assert!(line_with(&ran.err, &second).contains(" b/catalog.yaml"), "{}", ran.err);
    // D-B7: every catalog of the layer must be trusted, those after the match as well.
    assert!(desk.run(&all[..3]).refused().contains("catalog 'c/catalog.yaml'"));
    // Scenario 83: an unreadable catalog is an error only before the match.
    desk.tree.write(
        "kustomization.yaml",
        "resources: [cm.yaml]\ntransformers: [stamp.yaml]\ncatalogs: [gone.yaml, b/catalog.yaml]\n",
    );
    let unreachable =
        desk.run(&["build", "--trusted-catalog=b", "--trusted-catalog=gone.yaml"]).refused();
    let reason = line_with(&unreachable, messages::COULD_NOT_BE_READ);
    for name in ["'gone.yaml'", "Stamp/s (team.example.com/v1)"] {
        assert!(reason.contains(name), "{name}: {unreachable}");
    }
    // Scenario 80: no function is needed, so no catalog is checked.
    desk.tree.write(
        "kustomization.yaml",
        "resources: [cm.yaml]\ncatalogs: [gone.yaml, https://127.0.0.1:1/c.yaml]\n",
    );
    assert!(desk.run(&["build"]).built().contains("name: c"));
    // D-B9: a trusted catalog that no file lists is reported.
    let unused = desk.run(&["build", "--trusted-catalog=b"]);
    assert!(
        unused.err.contains(&format!("catalog 'b' {}", messages::NOT_REFERENCED_BY_THIS_BUILD)),
        "{}",
        unused.err
    );
    desk.tree.write(
        "kustomization.yaml",
        "resources: [cm.yaml]\ntransformers: [stamp.yaml]\ncatalogs: [a.yaml]\n",
    );
    let other = desk.run(&["build", "--trusted-catalog=a.yaml"]).refused();
    assert!(
        other.contains(&format!(
            "{} team.example.com/v1 Stamp (\"s\")",
            messages::NO_IMPLEMENTATION_FOUND_FOR
        )),
        "{other}"
    );
    for part in ["a.yaml", "team.example.com/Stamp ", " v2"] {
        assert!(other.contains(part), "{part}: {other}");
    }
}

#[test]
fn catalogs_are_local_to_their_layer() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = Desk::new(&[]);
    for (layer, word) in [("base", "base"), ("top", "top")] {
        for (path, text) in app(&["catalog.yaml"]) {
            desk.tree.write(&format!("{layer}/{path}"), &text);
        }
        desk.tree.write(&format!("{layer}/catalog.yaml"), &catalog("v1", STAMP));
        desk.tree.write(&format!("{layer}/stamp.star"), &script(word));
    }
    desk.tree.write(
        "top/kustomization.yaml",
        "resources: [../base, own.yaml]\ncatalogs: [catalog.yaml]\ncomponents: [../part]\n",
    );
    desk.tree.write("top/own.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own}\n");
    desk.tree.write(
        "part/kustomization.yaml",
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -x\n",
    );
    let both = ["build", "top", "--trusted-catalog=base", "--trusted-catalog=top"];
    let built = desk.run(&both).built();
    assert!(built.contains("stamp: base mark") && !built.contains("stamp: top mark"), "{built}");
    // D-B5: a component does not see the catalogs of the layer that includes it.
    desk.tree.write("part/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ntransformers: [stamp.yaml]\n");
    desk.tree.write("part/stamp.yaml", &app(&[])[2].1);
    let lost = desk.run(&both).refused();
    assert!(lost.contains(&format!("; {}", messages::CATALOGS_ARE_NOT_USED)), "{lost}");
}

#[test]
fn outer_catalog_of_a_composition_takes_precedence() {
    if !crate::support::has_starlark() {
        return;
    }
    let entry = "apiVersion: team.example.com/v1\n  kind: Stamp\n  metadata: {name: s}\n  spec: {value: mark}\n";
    let head = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Composition\n";
    let accumulate = "- apiVersion: builtin\n  kind: ResourceAccumulator\n  metadata: {name: r}\n  paths: [cm.yaml]\n";
    let desk = Desk::new(&[
        ("cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"),
        (
            "composition.yaml",
            &format!("{head}catalogs: [out]\ntransformersFrom: [{{path: base}}]\n"),
        ),
        ("out/catalog.yaml", &catalog("v1", STAMP)),
        ("out/stamp.star", &script("out")),
        ("base/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"),
        (
            "base/composition.yaml",
            &format!("{head}catalogs: [in]\ntransformers:\n{accumulate}- {entry}"),
        ),
        ("base/in/catalog.yaml", &catalog("v1", STAMP)),
        ("base/in/stamp.star", &script("in")),
    ]);
    let built = desk.run(&["build", "--trusted-catalog=out", "--trusted-catalog=base/in"]).built();
    assert!(built.contains("stamp: out mark"), "{built}");
    // Scenario 70: consolidating needs and fetches nothing.
    assert!(desk.run(&["consolidate"]).built().contains("Stamp"));
}

#[test]
fn a_program_of_a_catalog_runs_as_a_checked_copy() {
    let program = "#!/bin/sh\nsed 's/name: c$/name: changed/'\n";
    let (os, arch) = platform();
    let runtime = |digest: &str| {
        format!(
            "{{exec: {{platforms: [{{bin: f.sh, os: {os}, arch: {arch}, uri: bin/f.sh, sha256: {digest}}}]}}}}"
        )
    };
    let desk = desk(
        &["catalog.yaml"],
        &[("catalog.yaml", &catalog("v1", &runtime(&sha256_hex(program)))), ("bin/f.sh", program)],
    );
    let build = ["build", "--trusted-catalog=catalog.yaml"];
    // The file need not be executable: a copy of the verified bytes runs.
    assert!(desk.run(&build).built().contains("name: changed"));
    desk.tree.write("bin/f.sh", "#!/bin/sh\ncat\n");
    let wrong = desk.run(&build).refused();
    assert!(
        wrong.contains(messages::SHA256_MISMATCH_FOR) && wrong.contains(&sha256_hex(program)),
        "{wrong}"
    );
    desk.tree.write(
        "catalog.yaml",
        &catalog(
            "v1",
            "{exec: {platforms: [{bin: f, os: windows, arch: arm64, uri: f, sha256: 'DIGEST'}]}}",
        )
        .replace("DIGEST", &sha256_hex("")),
    );
    let none = desk.run(&build).refused();
    for platform in [&*format!("{os}/{arch}"), "windows/arm64"] {
        assert!(none.contains(platform), "{platform}: {none}");
    }
}

#[test]
fn viewing_a_catalog_needs_no_trust() {
    let text = catalog(
        "v1",
        "{container: {image: 'reg.example.com/stamp:v1.0', requireFilesystem: true}}",
    )
    .replace("description: stamps", "description: \"red \\e[31m\"");
    let desk = Desk::new(&[("catalog.yaml", &text)]);
    let shown = desk.run(&["view", "catalog", "."]).built();
    for part in [
        messages::NOT_TRUSTED,
        "team.example.com/v1 Stamp   container",
        "mount requested (needs --mount)",
        "publisher    team.example.com",
        "CAT-FILESYSTEM",
        "CAT-UNPINNED",
        "CAT-CONTROL",
        "--mount",
        "licence      Apache 2.0",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains('\u{1b}'), "{shown}");
    let json = desk.run(&["view", "catalog", "catalog.yaml", "-o", "json"]).built();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["digest"], format!("sha256:{}", sha256_hex(&text)));
    assert_eq!(value["trust"]["trusted"], false);
    assert_eq!(
        value["spec"]["krmFunctions"][0]["versions"][0]["runtime"]["container"]["requireStorageMount"],
        true
    );
    let yaml = desk.run(&["view", "catalog", "catalog.yaml", "-o", "yaml"]).built();
    assert!(yaml.contains("diagnostics:") && yaml.contains("code: CAT-UNPINNED"), "{yaml}");
    desk.tree.write("catalog.yaml", "kind: Deployment\n");
    let other = desk.run(&["view", "catalog", "."]).refused();
    assert!(other.contains("kind: ") && other.contains("\"Deployment\""), "{other}");
}

/// True when a `sleep` of this time runs.
fn is_sleep_running(time: &str) -> bool {
    let processes = fs_err::read_dir("/proc").unwrap().flatten();
    let mut commands =
        processes.filter_map(|process| fs_err::read(process.path().join("cmdline")).ok());
    commands.any(|command| command == format!("sleep\0{time}\0").into_bytes())
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = std::time::Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{what}");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// A tree with this program as its function.
fn desk_of_program(program: &str) -> Desk {
    let (os, arch) = platform();
    let runtime = format!(
        "{{exec: {{platforms: [{{bin: f.sh, os: {os}, arch: {arch}, uri: f.sh, sha256: {}}}]}}}}",
        sha256_hex(program)
    );
    desk(&["catalog.yaml"], &[("catalog.yaml", &catalog("v1", &runtime)), ("f.sh", program)])
}

/// A daemon started by a catalog program is stopped with the call.
#[test]
fn daemon_of_catalog_program_is_stopped() {
    if !kzui::host::confinement_support().network {
        return eprintln!("skipped: this system has no namespaces for it");
    }
    // No other sleep on this machine has this duration.
    let time = format!("600.{}", std::process::id());
    let desk = desk_of_program(&format!(
        "#!/bin/sh\nsetsid sleep {time} </dev/null >/dev/null 2>&1 &\nsleep 0.2\nsed 's/name: c$/name: changed/'\n"
    ));
    assert!(
        desk.run(&["build", "--trusted-catalog=catalog.yaml"]).built().contains("name: changed")
    );
    wait_until("it stays", || !is_sleep_running(&time));
}

/// No handler sees the signal: the system itself ends the program.
#[test]
fn confined_program_ends_when_kzui_is_killed() {
    if !kzui::host::confinement_support().network {
        return eprintln!("skipped: this system has no namespaces for it");
    }
    let time = format!("601.{}", std::process::id());
    let desk = desk_of_program(&format!("#!/bin/sh\nsetsid sleep {time} & sleep {time}\n"));
    let mut command = program_with_bin(&desk.home.root());
    command.args(["build", "--trusted-catalog=catalog.yaml"]).current_dir(desk.tree.root());
    let mut kzui = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    wait_until("it does not start", || is_sleep_running(&time));
    kzui.kill().unwrap();
    kzui.wait().unwrap();
    wait_until("it stays", || !is_sleep_running(&time));
}
