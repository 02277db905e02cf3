//! Confined programs: what the system can keep from them.

use kzui::engine::plugin::{Confinement, Ended, Program, Programs};
use kzui::host::{Processes, confinement_support};

use crate::support::Tree;

fn run(script: &str, confinement: Confinement) -> Ended {
    let program = Program {
        command: "sh".to_owned(),
        arguments: vec!["-c".to_owned(), script.to_owned()],
        environment: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
        confinement: Some(confinement),
        ..Program::default()
    };
    let processes = Processes::with_confiner(env!("CARGO_BIN_EXE_kzui"));
    processes.run(&program, &|| false).unwrap()
}

#[test]
fn a_confined_program_reads_and_writes_only_where_it_may() {
    if !confinement_support().files {
        return eprintln!("skipped: this system cannot confine files");
    }
    let tree = Tree::new(&[("may/read", "yes"), ("secret", "no"), ("out/x", "")]);
    let [may, secret, out] =
        ["may", "secret", "out"].map(|path| tree.path(path).display().to_string());
    let confinement = Confinement {
        read: vec![tree.path("may")],
        write: vec![tree.path("out")],
        ..Confinement::default()
    };
    let script = format!(
        "cat {may}/read {secret}; echo >{may}/new; echo made >{out}/new; cat {out}/new; echo >/tmp/kzui-escaped"
    );
    let ended = run(&script, confinement);
    let messages = String::from_utf8_lossy(&ended.messages).into_owned();
    assert_eq!(String::from_utf8_lossy(&ended.output), "yesmade\n", "{messages}");
    assert!(!tree.path("may/new").exists() && !std::path::Path::new("/tmp/kzui-escaped").exists());
}

#[test]
fn a_confined_program_has_no_network_and_a_limited_time() {
    let support = confinement_support();
    if !support.network {
        return eprintln!("skipped: {}", support.gaps().unwrap_or_default());
    }
    let ended = run("cat /proc/net/dev | grep -c :", Confinement::default());
    assert_eq!(String::from_utf8_lossy(&ended.output).trim(), "1", "only the loopback is left");
    let confinement = Confinement { cpu_seconds: Some(1), ..Confinement::default() };
    assert_eq!(run("while :; do :; done", confinement).status, Some(128 + 9), "a signal ended it");
}

#[test]
fn a_confined_program_leaves_no_process_behind() {
    let support = confinement_support();
    if !support.network {
        return eprintln!("skipped: {}", support.gaps().unwrap_or_default());
    }
    for network in [false, true] {
        let tree = Tree::new(&[("out/x", "")]);
        let left = tree.path("out").join("left").display().to_string();
        let script = format!(
            "setsid sh -c 'sleep 1; echo >{left}' >/dev/null 2>&1 & sleep 0.1; echo made; exit 7"
        );
        let confinement =
            Confinement { write: vec![tree.path("out")], network, ..Confinement::default() };
        let ended = run(&script, confinement);
        assert_eq!((ended.status, &*ended.output), (Some(7), &b"made\n"[..]));
        std::thread::sleep(std::time::Duration::from_millis(1600));
        assert!(!std::path::Path::new(&left).exists(), "a process that left its group lived on");
    }
}
