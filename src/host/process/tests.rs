use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::*;
use crate::engine::plugin::TemporaryFile;

fn shell(script: &str) -> Program {
    Program {
        command: "sh".to_owned(),
        arguments: vec!["-c".to_owned(), script.to_owned()],
        inherits_environment: true,
        ..Program::default()
    }
}

fn run(program: &Program) -> Result<ProgramResult, ProgramError> {
    Processes::default().run(program, &|| false)
}

#[test]
fn program_can_write_large_output_while_it_reads_input() {
    let input: Arc<[u8]> = vec![b'x'; 50 << 20].into();
    let ended = run(&Program { input: input.clone(), ..shell("tee /dev/stderr | cat") }).unwrap();
    assert_eq!(ended.status, Some(0));
    assert!(ended.output == *input, "{} bytes came back", ended.output.len());
}

#[test]
fn unread_input_of_a_program_is_no_error() {
    let input = vec![b'x'; 1 << 20].into();
    let program = Program { input, ..shell("exec <&-; echo done; echo why >&2; exit 3") };
    let ended = run(&program).unwrap();
    assert_eq!(
        (ended.status, &*ended.output, &*ended.messages),
        (Some(3), &b"done\n"[..], &b"why\n"[..])
    );
}

#[test]
fn timeout_stops_a_program_with_its_children() {
    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join("left");
    let script = format!("trap '' TERM; (sleep 4; touch {}) & sleep 60", left.display());
    let program = Program { timeout: Some(Duration::from_millis(200)), ..shell(&script) };
    let begun = Instant::now();
    let error = run(&program).unwrap_err();
    assert_eq!(error, ProgramError::TimedOut { command: "sh".to_owned(), seconds: 1 });
    assert!(begun.elapsed() < Duration::from_secs(50));
    std::thread::sleep(Duration::from_millis(4600).saturating_sub(begun.elapsed()));
    assert!(!left.exists(), "a child lived on");
}

#[test]
fn cancelled_program_is_stopped() {
    let wanted = AtomicBool::new(true);
    let begun = Instant::now();
    let cancel = || begun.elapsed() > Duration::from_millis(100) || !wanted.load(Ordering::Relaxed);
    let error = Processes::default().run(&shell("sleep 60"), &cancel).unwrap_err();
    assert_eq!(error, ProgramError::Cancelled { command: "sh".to_owned() });
    assert!(begun.elapsed() < Duration::from_secs(50));
}

#[test]
fn program_over_the_output_limit_is_stopped() {
    let program = Program { output_limit: Some(1000), ..shell("yes") };
    let error = run(&program).unwrap_err();
    assert_eq!(error, ProgramError::TooMuchOutput { command: "sh".to_owned(), limit: 1000 });
}

#[test]
fn daemon_with_open_streams_does_not_block_the_build() {
    let begun = Instant::now();
    let ended = run(&shell("echo made; sleep 60 &")).unwrap();
    assert_eq!(ended.output, b"made\n");
    assert!(begun.elapsed() < STREAM_CLOSE_TIMEOUT + Duration::from_secs(2));
}

#[test]
fn child_processes_end_with_their_program() {
    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join("left");
    let script = format!("(sleep 1; touch {}) >/dev/null 2>&1 & echo made", left.display());
    assert_eq!(run(&shell(&script)).unwrap().output, b"made\n");
    std::thread::sleep(Duration::from_millis(1600));
    assert!(!left.exists(), "a child lived on");
}

#[test]
fn temporary_folder_is_passed_to_the_program_and_removed() {
    let file = TemporaryFile { name: "a/b.yaml".to_owned(), bytes: b"text".as_slice().into() };
    let program = Program {
        temporary: vec![file],
        environment: vec![("WHERE".to_owned(), "{tmp}/a".to_owned())],
        ..shell("cat $WHERE/b.yaml {tmp}/a/b.yaml; echo $UNSET_BY_CLEARING")
    };
    let ended = run(&program).unwrap();
    assert_eq!(ended.output, b"texttext\n");
    assert!(ended.temporary.is_absolute() && !ended.temporary.exists());
}

#[test]
fn only_listed_environment_variables_are_passed() {
    let said = |inherits_environment: bool| {
        let environment = vec![("A".to_owned(), "1".to_owned())];
        let program =
            Program { inherits_environment, environment, ..shell("echo $A${HOME:+home}") };
        String::from_utf8(run(&program).unwrap().output).unwrap()
    };
    assert_eq!(said(false), "1\n");
    assert_eq!(said(true), if std::env::var_os("HOME").is_some() { "1home\n" } else { "1\n" });
}

#[test]
fn missing_and_unexecutable_programs_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let text = |program: &Program| run(program).unwrap_err().to_string();
    let missing = Program { command: "kzui-no-such-program".to_owned(), ..Program::default() };
    assert_eq!(text(&missing), "kzui-no-such-program: not found");
    std::fs::write(folder.path().join("plain"), "#!/bin/sh\n").unwrap();
    let directory = folder.path().to_owned();
    let plain = Program { command: "./plain".to_owned(), directory, ..Program::default() };
    assert!(matches!(run(&plain), Err(ProgramError::NotExecutable { .. })));
    assert!(text(&plain).to_lowercase().contains("permission denied"), "{}", text(&plain));
}
