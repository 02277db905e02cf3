//! Permissions to run functions, and their arguments.

use super::*;

pub(super) fn container(spec: &str) -> String {
    format!(
        "apiVersion: x/v1\nkind: Fn\nmetadata:\n  name: f\nruntime:\n  container: {{image: img:v1{spec}}}\n"
    )
}

fn container_scene(spec: &str) -> Scene {
    let tree = [("fn.yaml", &*container(spec))];
    Scene::new(&tree, editing_program(str::to_owned))
}

fn arguments(scene: &mut Scene) -> String {
    scene.build().unwrap();
    let program = scene.programs_run().remove(0);
    assert_eq!(program.command, "docker");
    let place = program.arguments.iter().position(|word| word == "--name").unwrap();
    let mut arguments = program.arguments.clone();
    assert_eq!(Some(&arguments[place + 1]), program.container.as_ref());
    arguments.drain(place..place + 2);
    arguments.join(" ")
}

const RUN_ARGUMENTS: &str = "run --rm -i -a STDIN -a STDOUT -a STDERR ";
const ENVIRONMENT_ARGUMENTS: &str = "-e LOG_TO_STDERR=true -e STRUCTURED_RESULTS=true";

#[test]
fn a_container_has_no_network_no_mount_and_no_rights() {
    let plain = format!(
        "{RUN_ARGUMENTS}--network none --user nobody --security-opt=no-new-privileges {ENVIRONMENT_ARGUMENTS} img:v1"
    );
    assert_eq!(arguments(&mut container_scene("")), plain);
    let mut scene = container_scene("");
    scene.options.functions.network = true;
    assert_eq!(arguments(&mut scene), plain, "the flag alone gives no network");
    let mut scene = container_scene("");
    scene.options.functions.offline = true;
    assert_eq!(
        arguments(&mut scene),
        plain.replace("--network none", "--pull never --network none")
    );
    assert!(!scene.input(0).contains("runtime"), "D-A20");
}

/// An image must not be passed to the engine as an option.
#[test]
fn image_that_looks_like_an_option_is_refused() {
    for image in ["--privileged", "-v/:/host", "x y"] {
        let mut scene = container_scene("");
        scene.files = scene.files.file(
            "/w/fn.yaml",
            TRANSFORMER.replace("exec: {path: ./f}", &format!("container: {{image: \"{image}\"}}")),
        );
        let error = scene.build().unwrap_err();
        assert_eq!(error, format!("function Fn/f (x/v1): '{image}' is not a container image"));
        assert!(scene.programs_run().is_empty());
    }
}

#[test]
fn row_25_network_needs_the_function_and_the_flag() {
    let refused = container_scene(", network: true").build().unwrap_err();
    assert!(refused.contains("Fn/f (x/v1): network required"), "{refused}");
    let mut scene = container_scene(", network: true");
    scene.options.functions.network = true;
    assert!(arguments(&mut scene).contains("--network bridge "));
}

#[test]
fn row_26_mounts_outside_the_directory_are_refused() {
    let mount = |source: &str, more: &str| {
        container_scene(&format!(", mounts: [{{type: bind, src: {source}, dst: /m{more}}}]"))
    };
    assert!(
        arguments(&mut mount("./d", ""))
            .contains(" --mount type=bind,source=/w/d,target=/m,readonly ")
    );
    assert!(
        arguments(&mut mount("d", ", rw: true"))
            .contains(" --mount type=bind,source=/w/d,target=/m ")
    );
    for (source, phrase) in
        [("/d", "relative to"), ("../x", "under"), ("..", "under"), ("a/../../b", "under")]
    {
        let error = mount(source, "").build().unwrap_err();
        let expected = format!(
            "plugin Fn.v1.x/f.[noNs] with mount path '{source}' is not permitted; mount paths must be {phrase} the \
             current kustomization directory"
        );
        assert_eq!(error, expected);
    }
    // The container engine splits a mount at commas and uses the last `source`.
    let refused =
        |mounts: &str| container_scene(&format!(", mounts: [{mounts}]")).build().unwrap_err();
    for mount in [
        "{type: bind, src: 'd,source=/', dst: /m}",
        "{type: bind, src: d, dst: '/m,source=/'}",
        "{type: volume, src: 'v,type=bind,source=/', dst: /m}",
        "{src: d, dst: \"/m\\n\"}",
    ] {
        let error = refused(mount);
        assert!(
            error.ends_with("a mount path must not contain a comma, quote or line break"),
            "{error}"
        );
    }
    let error = refused("{type: 'volume,source=/', src: d, dst: /m}");
    assert!(
        error.ends_with("a mount is one of bind, volume, tmpfs, not 'volume,source=/'"),
        "{error}"
    );
    let mut scene = container_scene("");
    scene.options.functions.mounts = vec!["type=bind,source=/abs,target=/m,rw=true".to_owned()];
    assert!(arguments(&mut scene).contains(" --mount type=bind,source=/abs,target=/m -e "));
}

#[test]
fn rows_27_and_28_engine_gets_environment_and_user() {
    let mut scene = container_scene(", envs: [B=1, A=2, LOG_TO_STDERR=false, HOST]");
    scene.options.functions.env = vec!["B=3".to_owned()];
    scene.options.functions.as_current_user = true;
    let arguments = arguments(&mut scene);
    assert!(arguments.contains("--user 1000:100 "), "{arguments}");
    let env = "-e A=2 -e B=3 -e LOG_TO_STDERR=false -e STRUCTURED_RESULTS=true -e HOST img:v1";
    assert!(arguments.ends_with(env), "{arguments}");
}

#[test]
fn row_34_missing_engine_is_an_error() {
    let mut scene = container_scene("");
    Arc::get_mut(&mut scene.fake).unwrap().answer =
        Box::new(|program| Err(ProgramError::NotFound { command: program.command.clone() }));
    assert_eq!(
        scene.build().unwrap_err(),
        "function Fn/f (x/v1) needs a container runtime: 'docker' not found in PATH"
    );
    scene.fake.seen.lock().unwrap().clear();
    Arc::get_mut(&mut scene.fake).unwrap().variables = vec![("KRM_FN_RUNTIME", "podman")];
    assert_eq!(
        scene.build().unwrap_err(),
        "function Fn/f (x/v1) needs a container runtime: 'podman' not found in PATH"
    );
    Arc::get_mut(&mut scene.fake).unwrap().variables = vec![("KRM_FN_RUNTIME", "sh")];
    assert!(scene.build().unwrap_err().starts_with("KRM_FN_RUNTIME must be docker, podman"));
}

#[test]
fn row_38_nothing_runs_in_the_root_directory() {
    let mut scene = Scene::new(&[], editing_program(str::to_owned));
    let files = [("/kustomization.yaml", "transformers: [fn.yaml]\n"), ("/fn.yaml", TRANSFORMER)];
    for (path, text) in files {
        scene.files = scene.files.clone().file(path, text);
    }
    scene.files = scene
        .files
        .clone()
        .file("/f", "#!/bin/sh\n")
        .file("/w/kustomization.yaml", "resources: [../]\n");
    scene.target = "/";
    assert_eq!(scene.build().unwrap_err(), "root working directory '/' not allowed");
}

#[test]
fn programs_that_cannot_be_checked_are_refused() {
    let digest = "a".repeat(64);
    for (annotation, refusal) in [
        ("exec: {path: ../f}".to_owned(), "exec function Fn/f (x/v1): '../f' cannot be read: "),
        ("exec: {path: ./absent}".to_owned(), "exec function Fn/f (x/v1): './absent' cannot be"),
        (
            format!("exec: {{path: f, sha256: {digest}}}"),
            "exec function Fn/f (x/v1): 'f' is not in",
        ),
        (format!("exec: {{path: ./f, sha256: {digest}}}"), "sha256 mismatch for ./f: expected aaa"),
    ] {
        let config = TRANSFORMER.replace("exec: {path: ./f}", &annotation);
        let mut scene = Scene::new(&[("fn.yaml", &*config)], editing_program(str::to_owned));
        let refused = scene.build().unwrap_err();
        assert!(refused.starts_with(refusal), "{refused}");
        assert!(scene.programs_run().is_empty(), "nothing ran");
    }
}
