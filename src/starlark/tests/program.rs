//! Tests of the program as kzui starts it: one input, one result.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn send_request(question: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kzui-starlark"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(question.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn send_script(script: &str) -> Output {
    let question =
        serde_json::json!({"name": "f.star", "script": script, "resourceList": {"items": []}});
    send_request(&question.to_string())
}

#[test]
fn request_gets_a_reply() {
    let output = send_script("ctx.resource_list[\"items\"].append(1)\nprint(\"done\")\n");
    assert_eq!(output.status.code(), Some(0));
    let answer = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answer, "{\"resourceList\":{\"items\":[1]},\"printed\":\"done\\n\"}");
}

#[test]
fn malformed_input_is_refused() {
    for question in ["", "{}", "{\"name\": \"f\", \"script\": \"x = 1\"}", "[1"] {
        let output = send_request(question);
        assert_eq!(output.status.code(), Some(1), "{question}");
        assert!(output.stdout.is_empty() && output.stderr.starts_with(b"error: "), "{question}");
    }
}

/// The input is nested deeper than the default limit of 128 levels in `serde_json`.
#[test]
fn a_deep_input_is_read() {
    let deep = format!("{}1{}", "[".repeat(400), "]".repeat(400));
    let question = format!(
        "{{\"name\": \"f\", \"script\": \"x = 1\", \"resourceList\": {{\"items\": {deep}}}}}"
    );
    let output = send_request(&question);
    let answer = String::from_utf8(output.stdout).unwrap();
    assert!(answer.contains(&deep), "{:?}", output.status);
}

#[test]
fn failed_allocation_of_the_interpreter_exceeds_the_memory_limit() {
    let output = send_script("def f():\n  l = [1]\n  for i in range(60):\n    l.extend(l)\nf()\n");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(answer["error"].as_str().unwrap().starts_with("memory limit exceeded"), "{answer}");
}

/// kzui recognizes these messages, to distinguish a lack of memory or stack from a crash.
#[cfg(unix)]
#[test]
fn standard_error_names_a_lack_of_memory_or_stack() {
    let said = |script: &str| String::from_utf8_lossy(&send_script(script).stderr).into_owned();
    let memory = said("x = [0] * 1000000000\n");
    assert!(memory.contains("memory allocation of "), "{memory}");
    let script = "def f():\n  l = []\n  for i in range(5000000):\n    l = [l]\n  ctx.resource_list[\"items\"] = l\nf()\n";
    let stack = said(script);
    assert!(stack.contains(" has overflowed its stack"), "{stack}");
}
