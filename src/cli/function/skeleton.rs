//! `kzui fn new`: a function that runs, with its configuration, a catalog and a test.

use std::path::PathBuf;

use crate::cli::failure::{CommandResult, Failure};
use crate::engine::load::{Digest, clean};

use super::super::{CliPorts, Exit};
use super::{FunctionLanguage, FunctionNew};

const SH: &str = r#"#!/bin/sh
# NAME: sets the number of replicas. It reads a ResourceList and writes it back.
set -e
input=$(cat)
replicas=$(printf '%s\n' "$input" | sed -n '/^functionConfig:/,$s/^  *count: *//p' | head -n 1)
printf '%s\n' "$input" | sed "/^functionConfig:/,\$!s/^\(    *replicas:\).*/\1 $replicas/"
"#;

const PYTHON: &str = r#"#!/usr/bin/env python3
# NAME: sets the number of replicas. It reads a ResourceList and writes it back.
import sys
import yaml

resource_list = yaml.safe_load(sys.stdin)
count = resource_list["functionConfig"]["spec"]["count"]
for item in resource_list["items"]:
    if item["kind"] == "Deployment":
        item["spec"]["replicas"] = count
yaml.safe_dump(resource_list, sys.stdout, sort_keys=False)
"#;

const STARLARK: &str = r#"# NAME: sets the number of replicas. It changes ctx.resource_list.
def main(resource_list):
    count = resource_list["functionConfig"]["spec"]["count"]
    for item in resource_list["items"]:
        if item["kind"] == "Deployment":
            item["spec"]["replicas"] = count

main(ctx.resource_list)
"#;

const RUST: &str = r#"// NAME: sets the number of replicas. It reads a ResourceList and writes it back.
// This list is changed as text; a larger function parses it with a YAML library.
use std::io::Read;

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("a ResourceList");
    let (items, config) = input.split_once("\nfunctionConfig:").expect("a functionConfig");
    let mut fields = config.lines().filter_map(|line| line.trim().strip_prefix("count: "));
    let count = fields.next().expect("spec.count");
    for line in items.lines() {
        match line.split_once("replicas: ") {
            Some((indent, _)) => println!("{indent}replicas: {count}"),
            None => println!("{line}"),
        }
    }
    print!("functionConfig:{config}");
}
"#;

const GO: &str = r#"// NAME: sets the number of replicas. It reads a ResourceList and writes it back.
// This list is changed as text; a larger function parses it with a YAML library.
package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

func main() {
	input, err := io.ReadAll(os.Stdin)
	items, config, found := strings.Cut(string(input), "\nfunctionConfig:")
	count := regexp.MustCompile(`(?m)^ *count: (.*)$`).FindStringSubmatch(config)
	if err != nil || !found || count == nil {
		fmt.Fprintln(os.Stderr, "no ResourceList with spec.count in its functionConfig")
		os.Exit(1)
	}
	replicas := regexp.MustCompile(`(?m)^( *replicas:) .*$`)
	fmt.Print(replicas.ReplaceAllString(items, "${1} "+count[1]), "\nfunctionConfig:", config)
}
"#;

const CONFIG: &str = "apiVersion: example.com/v1
kind: KIND
metadata:
  name: NAME
  annotations:
    config.kubernetes.io/function: |
      RUNTIME
spec:
  count: 3
";

const CATALOG: &str = "# Publishes NAME. `kzui catalog lint` checks it, `kzui catalog pin --write` updates the digest.
apiVersion: config.kubernetes.io/v1alpha1
kind: Catalog
metadata:
  name: NAME
spec:
  krmFunctions:
  - group: example.com
    names:
      kind: KIND
    description: Sets the number of replicas of every Deployment
    publisher: example.com
    versions:
    - name: v1
      idempotent: true
      usage: https://example.com/NAME
      examples: [https://example.com/NAME/example.yaml]
      license: Apache-2.0
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [count]
              properties:
                count: {type: integer, minimum: 0}
      runtime:
        RUNTIME
";

const INPUT: &str = "apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
  spec:
    replicas: 1
functionConfig:
  apiVersion: example.com/v1
  kind: KIND
  metadata:
    name: NAME
  spec:
    count: 3
";

const OUTPUT: &str = "apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
  spec:
    replicas: 3
";

pub(super) fn run(arguments: &FunctionNew, outside: &mut CliPorts<'_>) -> CommandResult {
    let name = &arguments.name;
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(is_plain) {
        return Err(Failure::usage(format!("{name}: use lower case letters, digits and dashes")));
    }
    let folder = clean(&outside.current.join(name));
    if outside.ports.files.resolve(&folder).is_ok() {
        return Err(Failure::failed(format!("{} exists: no file written", folder.display())));
    }
    let platform = outside.ports.remote.artifacts().platform();
    let files = files(name, arguments.lang, &platform);
    for (path, text) in &files {
        let path = folder.join(path);
        let above = path.parent().unwrap_or(&folder);
        let written = (outside.create_directory)(above)
            .and_then(|()| (outside.replace)(&path, Some(text.as_bytes())));
        written.map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
        let shown = PathBuf::from(name).join(path.strip_prefix(&folder).unwrap_or(&path));
        writeln!(outside.out, "wrote {}", shown.display())?;
    }
    let flags = match arguments.lang {
        FunctionLanguage::Starlark => "--enable-alpha-plugins --enable-star",
        _ => "--enable-alpha-plugins --enable-exec",
    };
    let compile = match arguments.lang {
        FunctionLanguage::Rust => Some(format!("rustc -O -o {name}/{name} {name}/{name}.rs")),
        FunctionLanguage::Go => Some(format!("go build -o {name}/{name} {name}/{name}.go")),
        _ => None,
    };
    if let Some(compile) = compile {
        writeln!(outside.out, "next: {compile}")?;
        writeln!(outside.out, "next: kzui catalog pin {name} --write")?;
    }
    writeln!(outside.out, "next: kzui fn test {name}/fn.yaml {flags}")?;
    Ok(Exit::OK)
}

/// The files of a function: path and text. `platform` is the system and architecture of this
/// machine, for which a compiled program is built.
fn files(name: &str, lang: FunctionLanguage, platform: &(String, String)) -> Vec<(String, String)> {
    let (ending, program, interpreter) = match lang {
        FunctionLanguage::Rust => ("rs", RUST, ""),
        FunctionLanguage::Go => ("go", GO, ""),
        FunctionLanguage::Sh => ("sh", SH, "sh"),
        FunctionLanguage::Python => ("py", PYTHON, "python3"),
        FunctionLanguage::Starlark => ("star", STARLARK, ""),
    };
    let file = format!("{name}.{ending}");
    let program = program.replace("NAME", name);
    let digest = Digest::compute(program.as_bytes()).hex();
    let (runtime, published) = if lang == FunctionLanguage::Starlark {
        let runtime = format!("starlark: {{name: {name}, path: {file}}}");
        (runtime, format!("starlark:\n          path: {file}\n          sha256: {digest}"))
    } else if matches!(lang, FunctionLanguage::Rust | FunctionLanguage::Go) {
        // The digest is not known before the program is compiled: `kzui catalog pin` writes it.
        let (os, arch) = platform;
        let published = format!(
            "exec:\n          platforms:\n          - {{bin: {name}, os: {os}, arch: {arch}, uri: {name}}}"
        );
        (format!("exec: {{path: ./{name}}}"), published)
    } else {
        // The interpreter is called by name, so that the file needs no permission to run.
        let runtime = format!("exec: {{path: {interpreter}, args: [{file}]}}");
        let platform = |(os, arch): (&str, &str)| {
            format!(
                "\n          - {{bin: {file}, os: {os}, arch: {arch}, uri: {file}, sha256: {digest}}}"
            )
        };
        let platforms = [("linux", "amd64"), ("linux", "arm64"), ("darwin", "arm64")];
        let platforms: String = platforms.into_iter().map(platform).collect();
        (runtime, format!("exec:\n          platforms:{platforms}"))
    };
    let kind: String = name.split('-').map(capitalized).collect();
    let fill = |text: &str| text.replace("NAME", name).replace("KIND", &kind);
    vec![
        (file, program),
        ("fn.yaml".to_owned(), fill(CONFIG).replace("RUNTIME", &runtime)),
        ("catalog.yaml".to_owned(), fill(CATALOG).replace("RUNTIME", &published)),
        ("tests/first/input.yaml".to_owned(), fill(INPUT)),
        ("tests/first/output.yaml".to_owned(), OUTPUT.to_owned()),
    ]
}

fn capitalized(word: &str) -> String {
    let mut signs = word.chars();
    signs.next().map(|first| first.to_uppercase().chain(signs).collect()).unwrap_or_default()
}
