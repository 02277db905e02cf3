//! Functions as real programs: scripts in a tree, and containers if an engine starts.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Answer, Tree, kzui_in, messages, program};

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: b\n";
const BUILT: &str = "apiVersion: v1\ndata:\n  a: b\nkind: ConfigMap\nmetadata:\n  name: c\n";
const CONFIG: &str = "apiVersion: x/v1\nkind: Fn\nmetadata:\n  name: f\n  annotations:\n    \
                      config.kubernetes.io/function: 'exec: {path: ./f.sh}'\n";
const BUILD_WITH_FUNCTIONS: [&str; 4] = ["build", "--enable-alpha-plugins", "--enable-exec", "."];

/// A tree with one `ConfigMap` and one function in this field.
fn tree(field: &str, script: &str) -> Tree {
    let tree = Tree::new(&[
        ("kustomization.yaml", &format!("resources: [map.yaml]\n{field}: [fn.yaml]\n")),
        ("map.yaml", MAP),
        ("fn.yaml", CONFIG),
    ]);
    write_script(&tree, "f.sh", script);
    tree
}

pub(crate) fn write_script(tree: &Tree, path: &str, script: &str) {
    tree.write(path, &format!("#!/bin/sh\n{script}\n"));
    let mode = std::fs::Permissions::from_mode(0o755);
    fs_err::set_permissions(tree.path(path), mode).unwrap();
}

fn build(tree: &Tree, more: &[&str]) -> Answer {
    let arguments: Vec<&str> = BUILD_WITH_FUNCTIONS.iter().chain(more).copied().collect();
    kzui_in(&tree.root(), &arguments)
}

#[test]
fn a_script_transforms_generates_and_validates() {
    assert_eq!(build(&tree("transformers", "cat"), &[]).built(), BUILT);
    assert_eq!(build(&tree("validators", "cat"), &[]).built(), BUILT);
    let edited = build(&tree("transformers", "sed 's/a: b/a: x/'"), &[]).built();
    assert_eq!(edited, BUILT.replace("a: b", "a: x"));
    let made = "echo '{apiVersion: v1, kind: Made, metadata: {name: m}}'";
    assert!(build(&tree("generators", made), &[]).built().contains("kind: Made\n"));
    let refused = build(&tree("validators", "sed 's/a: b/a: x/'"), &[]).refused();
    assert!(refused.contains("validator shouldn't modify the resource map"), "{refused}");
}

/// Kustomize hashes such an object by its parsed nodes.
#[test]
fn hash_of_a_kind_other_than_config_map_is_reported_as_not_known() {
    let tree = tree("transformers", "cat");
    let asks = "  annotations: {internal.config.kubernetes.io/needsHashSuffix: enabled}\n";
    tree.write("map.yaml", &format!("apiVersion: v1\nkind: Foo\nmetadata:\n  name: c\n{asks}"));
    let output =
        program(&tree.root()).args(BUILD_WITH_FUNCTIONS).current_dir(tree.root()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&format!("{} Foo c ", messages::HASH_IN_NAME)), "{said}");
}

#[test]
fn unconfined_functions_are_refused_if_confinement_is_required() {
    let tree = tree("transformers", "touch ran; cat");
    let refused = build(&tree, &["--require-confinement"]).refused();
    let limited = build(&tree, &["--require-limits"]).refused();
    assert!(
        limited.contains(&format!("{} --require-limits", messages::RUNS_WITH_YOUR_RIGHTS)),
        "{limited}"
    );
    let forbidden = format!("{} --require-confinement", messages::RUNS_WITH_YOUR_RIGHTS);
    assert!(refused.contains("Fn/f") && refused.contains(&forbidden), "{refused}");
    assert!(!tree.path("ran").exists());
    assert_eq!(build(&tree, &[]).built(), BUILT);
}

/// Rows 3 to 6 of the matrix; scenario 101.
#[test]
fn messages_results_and_exit_status_are_shown() {
    let answer = build(&tree("transformers", "echo careful >&2; cat"), &[]);
    assert!(answer.err.contains("[Fn/f (x/v1)] careful"), "{}", answer.err);
    assert_eq!(answer.built(), BUILT);
    let failing =
        "cat; printf 'results:\\n- {message: too few, severity: warning}\\n'; echo bad >&2; exit 3";
    let refused = build(&tree("transformers", failing), &[]).refused();
    for part in ["function Fn/f (x/v1) failed (exit status 3)", "[warning] too few", "bad"] {
        assert!(refused.contains(part), "{part}: {refused}");
    }
    let reporting = "cat; printf 'results:\\n- {message: too few}\\n'";
    let tree = tree("transformers", reporting);
    // As with kpt, the directory is created.
    let answer = build(&tree, &["--results-dir", "all/results"]);
    assert!(answer.err.contains("[error] too few"), "{}", answer.err);
    assert_eq!(answer.built(), BUILT);
    let written = String::from_utf8(tree.read("all/results/01-fn-f.yaml")).unwrap();
    assert!(written.contains("kind: FunctionResultList\n"), "{written}");
    assert!(written.contains("- message: too few\n"), "{written}");
    let refused = build(&tree, &["--fail-on-result", "error"]).refused();
    assert!(refused.contains("too few"), "{refused}");
    let refused = build(&tree, &["--results-dir", "map.yaml"]).refused();
    assert!(refused.starts_with("error: --results-dir map.yaml: "), "{refused}");
}

/// Messages of a function are shown while it still runs, once, and without control characters.
#[test]
fn messages_come_while_the_function_runs() {
    let script = "printf 'one \\033[31mred\\n' >&2; until [ -e go ]; do sleep 0.05; done; printf last >&2; cat";
    let tree = tree("transformers", script);
    let mut child = program(&tree.root())
        .args(BUILD_WITH_FUNCTIONS)
        .current_dir(tree.root())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "[Fn/f (x/v1)] one [31mred");
    tree.write("go", "");
    assert_eq!(lines.collect::<Vec<_>>(), ["[Fn/f (x/v1)] last"]);
    let built = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(built, BUILT);
}

#[test]
fn nothing_runs_without_its_flags() {
    let tree = tree("transformers", "touch ran; cat");
    for flags in [&["build", "."][..], &["build", "--enable-alpha-plugins", "."], &["trace", "."]] {
        let answer = kzui_in(&tree.root(), flags);
        assert_eq!(answer.status, Some(1), "{flags:?}");
        assert!(!tree.path("ran").exists(), "{flags:?}");
    }
    build(&tree, &[]).built();
    assert!(tree.path("ran").exists());
}

/// A mount does not follow a link out of the layer's directory.
#[test]
fn a_mount_follows_no_link_out_of_its_directory() {
    let tree = tree("transformers", "cat");
    let config = "apiVersion: x/v1\nkind: Fn\nmetadata: {name: f}\nruntime: {container: {image: x, mounts: [{type: bind, src: LINK, dst: /d}]}}\n";
    fs_err::os::unix::fs::symlink("/etc", tree.path("link")).unwrap();
    for source in ["link", "link/ssh"] {
        tree.write("fn.yaml", &config.replace("LINK", source));
        let refused = build(&tree, &[]).refused();
        let phrase =
            format!("with mount path '{source}' is not permitted; mount paths must be under");
        assert!(refused.contains(&phrase), "{refused}");
    }
}

/// Row 35: a function that hangs is ended with all its children.
#[test]
fn a_function_that_hangs_is_stopped() {
    // A function that ends at the first signal, and one that ignores it.
    for ask in ["", "trap '' TERM; "] {
        let tree = tree("transformers", &format!("{ask}sleep 600 & echo $! >child; wait; wait"));
        let begun = Instant::now();
        let refused = build(&tree, &["--function-timeout", "1s"]).refused();
        assert!(
            refused.contains(&format!("function Fn/f (x/v1) {} 1s", messages::TIMED_OUT_AFTER)),
            "{refused}"
        );
        // The function would sleep ten times as long.
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
        assert_gone(&tree);
    }
}

/// Leftover processes of a function end with it, and are reported.
#[test]
fn a_function_that_forks_and_stays_leaves_nothing() {
    let tree = tree("transformers", "sleep 600 >&- 2>&- <&- & echo $! >child; cat");
    let answer = build(&tree, &[]);
    assert_eq!(
        answer.err,
        "# Warning: fn.yaml:1: function Fn/f (x/v1) left processes running; they were stopped\n"
    );
    assert_eq!(answer.built(), BUILT);
    assert_gone(&tree);
}

/// A function that writes too much is refused; one that reads a part or all of a large input
/// succeeds (rows 36, 41 and 42 of the matrix).
#[test]
fn streams_of_any_size_do_not_block() {
    let refused =
        build(&tree("transformers", "head -c 300000000 /dev/zero | tr '\\0' a"), &[]).refused();
    assert!(refused.contains(&format!("wrote {}", messages::MORE_THAN_256_MIB)), "{refused}");
    let early = "exec <&-; echo '{apiVersion: v1, kind: A, metadata: {name: a}}'";
    let big = format!("{MAP}  big: {}\n", "x".repeat(3_000_000));
    let tree = tree("transformers", early);
    tree.write("map.yaml", &big);
    assert!(build(&tree, &[]).built().contains("kind: A\n"));
    write_script(&tree, "f.sh", "cat");
    assert!(build(&tree, &[]).built().len() > 3_000_000);
}

/// A function runs in the directory of the kustomization that lists it (row 37 of the matrix).
#[test]
fn a_function_runs_in_the_directory_that_lists_it() {
    let tree = Tree::new(&[
        ("o/kustomization.yaml", "resources: [../b]\n"),
        ("b/kustomization.yaml", "resources: [map.yaml]\ntransformers: [sub/fn.yaml]\n"),
        ("b/map.yaml", MAP),
        ("b/sub/fn.yaml", CONFIG),
    ]);
    write_script(&tree, "b/f.sh", "sed \"s#a: b#a: $(pwd)#\"");
    let built = kzui_in(&tree.path("o"), &BUILD_WITH_FUNCTIONS).built();
    assert!(built.contains(&format!("a: {}\n", tree.path("b").display())), "{built}");
}

#[test]
fn scripts_that_cannot_start_have_distinct_errors() {
    let tree = tree("transformers", "cat");
    let mode = std::fs::Permissions::from_mode(0o644);
    fs_err::set_permissions(tree.path("f.sh"), mode).unwrap();
    assert!(build(&tree, &[]).refused().contains(messages::NOT_EXECUTABLE));
    write_script(&tree, "f.sh", "cat");
    tree.write("f.sh", "#!/no/such/interpreter\n");
    assert!(build(&tree, &[]).refused().contains(messages::SHEBANG_MUST_BE_FIRST_LINE));
}

/// Ruling 19: a program enabled by flag is found as in Kustomize: through links, above the layer,
/// in `PATH`.
#[test]
fn an_inline_program_is_found_as_kustomize_finds_it() {
    let outside = Tree::new(&[]);
    write_script(&outside, "f.sh", "sed 's/a: b/a: x/'");
    let tree = tree("transformers", "cat");
    fs_err::remove_file(tree.path("f.sh")).unwrap();
    std::os::unix::fs::symlink(outside.path("f.sh"), tree.path("f.sh")).unwrap();
    let edited = BUILT.replace("a: b", "a: x");
    assert_eq!(build(&tree, &[]).built(), edited);
    let above = format!("../{}/f.sh", outside.root().file_name().unwrap().to_string_lossy());
    tree.write("fn.yaml", &CONFIG.replace("./f.sh", &above));
    assert_eq!(build(&tree, &[]).built(), edited);
    tree.write("fn.yaml", &CONFIG.replace("./f.sh", "cat"));
    assert_eq!(build(&tree, &[]).built(), BUILT);
    tree.write("fn.yaml", &CONFIG.replace("./f.sh", "no-such-program-anywhere"));
    let refused = build(&tree, &[]).refused();
    assert!(refused.contains("'no-such-program-anywhere'"), "{refused}");
}

/// A pinned script runs from a copy, so that it cannot be changed after the check.
#[test]
fn a_pinned_script_runs_and_a_changed_one_does_not() {
    let tree = tree("transformers", "echo \"$0\" >&2; cat");
    let sum = Command::new("sha256sum").arg(tree.path("f.sh")).output().unwrap();
    let digest = String::from_utf8(sum.stdout).unwrap();
    let digest = digest.split(' ').next().unwrap();
    tree.write("fn.yaml", &CONFIG.replace("./f.sh", &format!("./f.sh, sha256: {digest}")));
    let answer = build(&tree, &[]);
    assert!(!answer.err.contains(&*tree.root().to_string_lossy()), "{}", answer.err);
    assert_eq!(answer.built(), BUILT);
    write_script(&tree, "f.sh", "touch ran; cat");
    assert!(
        build(&tree, &[]).refused().contains(&format!("{} ./f.sh", messages::SHA256_MISMATCH_FOR))
    );
    assert!(!tree.path("ran").exists());
}

/// Reports that a test was skipped, with the reason.
#[expect(clippy::print_stderr, reason = "who reads the tests has to know what was not tested")]
fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}

/// Waits until the process whose id the script has written no longer exists.
#[track_caller]
fn assert_gone(tree: &Tree) {
    let child = String::from_utf8(tree.read("child")).unwrap();
    let status = Path::new("/proc").join(child.trim()).join("status");
    let is_gone =
        || fs_err::read_to_string(&status).map_or(true, |text| text.contains("State:\tZ"));
    let begun = Instant::now();
    while !is_gone() {
        // A killed process disappears when the system reaps it.
        assert!(begun.elapsed() < Duration::from_secs(60), "process {child} is still there");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Podman with a private storage, as it works without systemd or an init; `None` if no engine
/// starts.
struct Podman {
    home: Tree,
}

impl Podman {
    fn start() -> Option<Self> {
        if !Path::new("/bin/busybox").exists() {
            skipped("there is no busybox to make an image of");
            return None;
        }
        let home = Tree::new(&[
            (
                "containers.conf",
                "[engine]\ncgroup_manager=\"cgroupfs\"\nruntime=\"runc\"\nevents_logger=\"file\"\n\
                 [containers]\ncgroups=\"no-conmon\"\ndefault_ulimits=[\"nofile=4096:4096\",\"nproc=4096:4096\"]\n",
            ),
            ("image/etc/passwd", "root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n"),
            ("image/etc/group", "root:x:0:\nnobody:x:65534:\n"),
        ]);
        let storage = format!(
            "[storage]\ndriver=\"vfs\"\ngraphroot=\"{0}/graph\"\nrunroot=\"{0}/run\"\n",
            home.root().display()
        );
        home.write("storage.conf", &storage);
        fs_err::create_dir_all(home.path("image/bin")).unwrap();
        fs_err::copy("/bin/busybox", home.path("image/bin/busybox")).unwrap();
        for name in ["sh", "cat", "sed", "sleep", "ip", "wget", "id"] {
            std::os::unix::fs::symlink("busybox", home.path("image/bin").join(name)).unwrap();
        }
        let podman = Self { home };
        podman
            .image("kzui-probe", "cat")
            .then(|| podman.run(&["run", "--rm", "kzui-probe", "/bin/id"]))
            .filter(|(ok, _)| *ok)
            .map(|_| podman)
            .or_else(|| {
                skipped("podman starts no container here");
                None
            })
    }

    /// A command that runs with the private storage.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env("CONTAINERS_CONF", self.home.path("containers.conf"))
            .env("CONTAINERS_STORAGE_CONF", self.home.path("storage.conf"))
            .env("KRM_FN_RUNTIME", "podman");
        command
    }

    fn run(&self, arguments: &[&str]) -> (bool, String) {
        let Ok(output) = self.command("podman").args(arguments).output() else {
            return (false, String::new());
        };
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Builds an image with this script as its entry point; false if that fails.
    fn image(&self, name: &str, script: &str) -> bool {
        write_script(&self.home, "image/fn", script);
        let archive = self.home.path("image.tar");
        let packed = Command::new("tar")
            .args(["-cf"])
            .arg(&archive)
            .arg("-C")
            .arg(self.home.path("image"))
            .arg(".")
            .status();
        let archive = archive.to_string_lossy().into_owned();
        packed.is_ok_and(|status| status.success())
            && self.run(&["import", "--change", "ENTRYPOINT [\"/fn\"]", &archive, name]).0
    }

    fn build(&self, tree: &Tree, more: &[&str]) -> (Option<i32>, String, String) {
        let output = self
            .command(env!("CARGO_BIN_EXE_kzui"))
            .args(["build", "--enable-alpha-plugins", "."])
            .args(more)
            .current_dir(tree.root())
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }

    /// The ids of all containers.
    fn containers(&self) -> String {
        self.run(&["ps", "--all", "--quiet"]).1
    }
}

/// A tree in which this field lists a function in a container.
fn container_tree(field: &str, spec: &str) -> Tree {
    Tree::new(&[
        ("kustomization.yaml", &format!("resources: [map.yaml]\n{field}: [fn.yaml]\n")),
        ("map.yaml", MAP),
        (
            "fn.yaml",
            &format!(
                "apiVersion: x/v1\nkind: Fn\nmetadata: {{name: f}}\nruntime:\n  container: {{image: {spec}}}\n"
            ),
        ),
    ])
}

/// Functions run in real containers, if an engine starts (ruling 14).
#[test]
fn a_container_transforms_generates_and_validates_without_a_network() {
    let Some(podman) = Podman::start() else { return };
    assert!(podman.image("kzui-edit", "sed 's/a: b/a: x/'"));
    let (status, out, err) = podman.build(&container_tree("transformers", "kzui-edit"), &[]);
    assert_eq!((status, &*out), (Some(0), &*BUILT.replace("a: b", "a: x")), "{err}");
    let (status, _, err) = podman.build(&container_tree("validators", "kzui-edit"), &[]);
    assert_eq!(status, Some(1));
    assert!(err.contains("validator shouldn't modify the resource map"), "{err}");
    let (status, out, err) = podman.build(&container_tree("validators", "kzui-probe"), &[]);
    assert_eq!((status, &*out), (Some(0), BUILT), "{err}");
    let links = "echo \"{apiVersion: v1, kind: Made, metadata: {name: m}, links: '$(ip -o link | sed -n '$=')'}\"";
    assert!(podman.image("kzui-make", links));
    let (status, out, err) =
        podman.build(&container_tree("generators", "kzui-make"), &["--network"]);
    assert_eq!(status, Some(0), "{err}");
    assert!(out.contains("kind: Made\nlinks: \"1\"\n"), "only the loopback device: {out}");
    let (status, _, err) =
        podman.build(&container_tree("generators", "kzui-make, network: true"), &[]);
    assert_eq!(status, Some(1));
    assert!(err.contains(messages::REQUIRES_NETWORK_ACCESS), "{err}");
    assert_eq!(podman.containers(), "");
}

#[test]
fn a_container_that_hangs_is_removed() {
    let Some(podman) = Podman::start() else { return };
    assert!(podman.image("kzui-hang", "sleep 600"));
    let begun = Instant::now();
    let tree = container_tree("transformers", "kzui-hang");
    let (status, _, err) = podman.build(&tree, &["--function-timeout", "4s"]);
    assert_eq!(status, Some(1));
    assert!(err.contains(&format!("{} 4s", messages::TIMED_OUT_AFTER)), "{err}");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    assert_eq!(podman.containers(), "", "no container is left");
}
