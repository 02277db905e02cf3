//! Confined programs, as far as the system supports confinement.

use kzui::engine::plugin::{Confinement, Program, ProgramResult, Programs};
use kzui::host::{Processes, confinement_support};

use crate::support::Tree;
use crate::support::messages;

fn run(script: &str, confinement: Confinement) -> ProgramResult {
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
    let ended = run("ulimit -Sc; ulimit -Hc", Confinement::default());
    assert_eq!(String::from_utf8_lossy(&ended.output), "0\n0\n", "its memory is never dumped");
}

#[test]
fn a_confined_program_leaves_no_process_behind() {
    let support = confinement_support();
    if !support.network {
        return eprintln!("skipped: {}", support.gaps().unwrap_or_default());
    }
    let tree = Tree::new(&[("out/x", "")]);
    let left = tree.path("out").join("left").display().to_string();
    let script = format!(
        "setsid sh -c 'sleep 1; echo >{left}' >/dev/null 2>&1 & sleep 0.1; echo made; exit 7"
    );
    let confinement = Confinement { write: vec![tree.path("out")], ..Confinement::default() };
    let ended = run(&script, confinement);
    assert_eq!((ended.status, &*ended.output), (Some(7), &b"made\n"[..]));
    std::thread::sleep(std::time::Duration::from_millis(1600));
    assert!(!std::path::Path::new(&left).exists(), "a process that left its group lived on");
}

/// Four processes that together use more memory than the limit; each alone stays below it.
#[cfg(target_os = "linux")]
#[test]
fn program_without_total_limit_does_not_run_if_required() {
    let hungry = "for i in 1 2 3 4; do (head -c 48m /dev/zero | tail -c 48m | wc -c) & done; wait";
    let program = Program {
        command: "sh".to_owned(),
        arguments: vec!["-c".to_owned(), hungry.to_owned()],
        environment: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
        confinement: Some(Confinement {
            memory_bytes: Some(96 << 20),
            limits_required: true,
            ..Confinement::default()
        }),
        ..Program::default()
    };
    let processes = Processes::with_confiner(env!("CARGO_BIN_EXE_kzui"));
    let ended = processes.run(&program, &|| false);
    if confinement_support().together {
        let ended = ended.unwrap();
        let counted = String::from_utf8_lossy(&ended.output).matches("50331648").count();
        assert!(ended.status != Some(0) || counted < 4, "all of them had room");
    } else {
        let refusal = ended.unwrap_err().to_string();
        assert!(refusal.contains(messages::REQUIRE_LIMITS_FORBIDS_MEMORY), "{refusal}");
        eprintln!("skipped: this system has no control group to be had");
    }
}

/// A table of actions, each tried alone. The actions marked `true` succeed without confinement.
#[cfg(target_os = "linux")]
#[test]
fn a_confined_program_reaches_nothing_of_the_users() {
    use std::os::unix::net::UnixListener;
    let required = Confinement { required: true, ..Confinement::default() };
    let program = Program {
        command: "true".to_owned(),
        confinement: Some(required.clone()),
        ..Program::default()
    };
    let processes = Processes::with_confiner(env!("CARGO_BIN_EXE_kzui"));
    if let Err(refusal) = processes.run(&program, &|| false) {
        let refusal = refusal.to_string();
        assert!(
            refusal.contains(&format!("{}: not", messages::REQUIRE_CONFINEMENT_FORBIDS_IT)),
            "{refusal}"
        );
        return eprintln!("skipped: {refusal}");
    }
    let tree = Tree::new(&[
        ("home/secret", "no"),
        ("may/read", "yes"),
        ("out/x", ""),
        ("around/x", ""),
        ("around/in/x", ""),
    ]);
    let _listening = UnixListener::bind(tree.path("home/sock")).unwrap();
    let home = tree.path("home").display().to_string();
    let own = std::process::id();
    let socket = format!(
        "perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Peer => \"{home}/sock\") or exit 1'"
    );
    let probes = [
        (true, format!("cat {home}/secret")),
        (true, format!("test -e {home}/secret")),
        (true, format!("ls {home}")),
        (true, format!("echo x >{home}/new")),
        (true, format!("chmod 644 {home}/secret")),
        (true, format!("touch -d 2001-01-01 {home}/secret")),
        (true, format!("ln -s x {home}/link")),
        (true, format!("mv {home}/secret {home}/moved && mv {home}/moved {home}/secret")),
        (true, socket),
        (true, format!("test -e /proc/{own}/cmdline && grep -q . /proc/{own}/cmdline")),
        (true, format!("kill -0 {own}")),
        (true, "cat /etc/passwd".to_owned()),
        (false, "chmod 755 /usr/bin/env".to_owned()),
        (false, "chmod 666 /dev/null".to_owned()),
        (true, "touch /dev/null".to_owned()),
        (false, "touch /usr/kzui-probe".to_owned()),
        (true, format!("touch {}", tree.path("around/x").display())),
        (false, "mount -t tmpfs x /opt".to_owned()),
        (false, "mount -o remount,rw /usr".to_owned()),
        (false, "echo x >/kzui-probe".to_owned()),
        (false, "echo >/dev/tty".to_owned()),
    ];
    let outside = |script: &str| {
        let sh = std::process::Command::new("sh").args(["-c", script]).output().unwrap();
        sh.status.success()
    };
    let inside = |script: &str| {
        let confinement = Confinement {
            read: ["may", "out/x", "around"].map(|path| tree.path(path)).into(),
            write: ["out", "around/in"].map(|path| tree.path(path)).into(),
            ..required.clone()
        };
        run(script, confinement)
    };
    for (is_open, probe) in probes {
        assert!(!is_open || outside(&probe), "outside: {probe}");
        let ended = inside(&probe);
        assert_ne!(ended.status, Some(0), "{probe}: {}", String::from_utf8_lossy(&ended.output));
    }
    let out = tree.path("out").display().to_string();
    let [may, around] = ["may", "around"].map(|path| tree.path(path).display().to_string());
    let good = format!(
        "set -e; echo x >{out}/f; chmod 600 {out}/f; touch -d 2001-01-01 {out}/f; cat {may}/read; perl -e 1; \
         echo x >{out}/x; cat {around}/x; echo x >{around}/in/x; \
         test -r /proc/self/status; cat </dev/null; head -c1 /dev/urandom >/dev/null; echo x >/dev/stderr"
    );
    let ended = inside(&good);
    let messages = String::from_utf8_lossy(&ended.messages).into_owned();
    assert_eq!((ended.status, &*ended.output), (Some(0), &b"yes"[..]), "{messages}");
    let limits = inside("grep -E 'Max (processes|file size)' /proc/self/limits");
    let limits = String::from_utf8_lossy(&limits.output).into_owned();
    assert!(limits.contains("1024") && limits.contains("1073741824"), "{limits}");
}

/// A mount below a readable folder is visible too, and as read-only as the folder.
#[cfg(target_os = "linux")]
#[test]
fn mount_below_read_only_folder_is_read_only() {
    if !confinement_support().root {
        return eprintln!("skipped: this system gives no root of its own");
    }
    let tree = Tree::new(&[("may/below/x", ""), ("out/x", "")]);
    let [may, out] = ["may", "out"].map(|path| tree.path(path).display().to_string());
    let order =
        format!(r#"{{"command":"/bin/sh","read":["{may}"],"write":["{out}"],"root":true}}"#);
    let namespaces = "--user --map-current-user --keep-caps --mount";
    let script = format!(
        "mount -t tmpfs kzui {may}/below && touch {may}/below/file && cd / && \
         exec unshare {namespaces} --ipc --pid --fork -- {} __confine '{order}' \
         -c 'cat {may}/below/file && echo read; touch {may}/below/file && echo touched; \
         chmod 644 {may}/below/file && echo changed; touch {out}/x && echo written'",
        env!("CARGO_BIN_EXE_kzui")
    );
    let mut command = std::process::Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "--", "sh", "-c", &script]);
    let ended = command.output().unwrap();
    let messages = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(String::from_utf8_lossy(&ended.stdout), "read\nwritten\n", "{messages}");
}
