//! The line of a function's configuration that determines a value: named after a build with
//! another value, or called not verified.

use super::refused::write_executable;
use super::{Desk, desk};

const FLAGS: [&str; 2] = ["--enable-alpha-plugins", "--enable-exec"];

/// A function in shell that sets `replicas` of the Deployment with this command for `sed`, and its
/// configuration.
fn tree(script: &str, spec: &str) -> Desk {
    let config = format!(
        "apiVersion: a/v1\nkind: F\nmetadata:\n  name: f\n  annotations: {{config.kubernetes.io/function: 'exec: {{path: ./f.sh}}'}}\nspec:\n{spec}"
    );
    let desk = desk(&[], &[("f.yaml", &config)]);
    desk.tree.write("kustomization.yaml", "resources: [d.yaml]\ntransformers: [f.yaml]\n");
    desk.tree.write(
        "d.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  replicas: 1\n",
    );
    write_executable(
        &desk,
        "f.sh",
        &format!(
            "#!/bin/sh\ninput=$(cat)\nget() {{ printf '%s\\n' \"$input\" | sed -n \"s/^ *$1: *//p\" | tail -n 1; }}\nreplicas={script}\nprintf '%s\\n' \"$input\" | sed \"/^functionConfig:/,\\$!s/replicas: .*/replicas: $replicas/\"\n"
        ),
    );
    desk
}

fn why(desk: &Desk) -> String {
    let words = [&["why", ".", "Deployment/a", "spec.replicas"], &FLAGS[..]].concat();
    desk.run(&words).built()
}

#[test]
fn equal_value_that_the_function_does_not_read_is_no_origin() {
    let desk = tree("7", "  other:\n    replicas: 7\n");
    let why = why(&desk);
    assert!(why.contains("f.yaml:1") && !why.contains("f.yaml:8"), "{why}");
    let blame = desk.run(&[&["blame", "."], &FLAGS[..]].concat()).built();
    let line = blame.lines().find(|line| line.contains("replicas: 7")).unwrap();
    assert!(line.contains("(not verified)"), "{blame}");
}

#[test]
fn computed_value_is_traced_by_another_value_of_the_configuration() {
    let desk = tree("$(($(get size) * 2))", "  color: red\n  size: 4\n");
    let text = why(&desk);
    assert!(text.contains("= 8") && text.contains("f.yaml:8"), "{text}");
    assert!(text.contains("verified: another value there changes the field"), "{text}");
    let json = desk
        .run(&[&["why", "--json", ".", "Deployment/a", "spec.replicas"], &FLAGS[..]].concat())
        .built();
    assert!(json.contains("\"configurationVerified\": true"), "{json}");
}

#[test]
fn equal_value_that_the_function_reads_is_verified() {
    let desk = tree("$(get count)", "  other: 3\n  count: 3\n");
    let text = why(&desk);
    assert!(text.contains("f.yaml:8") && !text.contains("f.yaml:7"), "{text}");
    assert!(text.contains("(verified: "), "{text}");
}
