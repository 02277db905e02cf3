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
fn cancelled_program_is_stopped() {
    let begun = Instant::now();
    let cancel = || begun.elapsed() > Duration::from_millis(100);
    let error = Processes::default().run(&shell("sleep 60"), &cancel).unwrap_err();
    assert_eq!(error, ProgramError::Cancelled { command: "sh".to_owned() });
    assert!(begun.elapsed() < Duration::from_secs(50));
}

#[test]
fn daemon_with_open_streams_does_not_block_the_build() {
    let begun = Instant::now();
    let ended = run(&shell("echo made; sleep 60 &")).unwrap();
    assert_eq!(ended.output, b"made\n");
    assert!(begun.elapsed() < STREAM_CLOSE_TIMEOUT + Duration::from_secs(2));
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
