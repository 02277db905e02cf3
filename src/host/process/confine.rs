//! Confinement of programs on Linux: kzui starts itself with a hidden argument, restricts itself,
//! and executes the program in its place.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use super::confinement_gaps::{ConfinementSupport, sandbox_of};
use super::group::CgroupParent;
use super::path_variable::find_in_path;
use crate::engine::plugin::{Confinement, Sandbox};

/// The first argument of a kzui process that confines itself and then executes another program.
pub const CONFINE_WORD: &str = "__confine";
/// Options of `unshare` for a PID namespace, so that every process that the program starts ends
/// with it, even a daemon that left its process group.
const NAMESPACES: [&str; 4] = ["--user", "--pid", "--fork", "--kill-child"];
/// As [`NAMESPACES`], with a mount namespace and the rights to set up a root in it.
const ROOT_NAMESPACES: [&str; 8] = [
    "--user",
    "--map-current-user",
    "--keep-caps",
    "--mount",
    "--ipc",
    "--pid",
    "--fork",
    "--kill-child",
];
/// The output of the test program. If kzui reads it, confinement works.
const CONFINED_OUTPUT: &str = "kzui can confine";
const FAILED: u8 = 126;

/// The argument after [`CONFINE_WORD`], as JSON: the program and its limits.
#[derive(Debug, Serialize, Deserialize)]
struct ConfinedCommand {
    command: PathBuf,
    #[serde(flatten)]
    confinement: Confinement,
    root: bool,
    /// The control group that the program joins.
    group: Option<PathBuf>,
}

/// The `unshare` program, and its abilities on this system.
#[derive(Clone, Debug)]
pub(in crate::host) struct Unshare {
    path: PathBuf,
    /// True if `unshare` can set up a private root.
    root: bool,
}

/// The confinement of programs from catalogs on this system, for the review of a catalog.
pub fn sandbox() -> Sandbox {
    sandbox_of(confinement_support())
}

/// The command of a process that confines itself and then executes the program at `path`.
pub(in crate::host) fn command(
    confinement: &Confinement,
    path: &Path,
    folder: &Path,
    confiner: Option<&Path>,
    unshare: Option<&Unshare>,
    group: Option<&Path>,
) -> io::Result<Command> {
    if !cfg!(target_os = "linux") {
        return Ok(Command::new(path));
    }
    let mut confinement = confinement.clone();
    confinement.read.push(path.to_owned());
    if !folder.as_os_str().is_empty() {
        confinement.write.push(folder.to_owned());
    }
    let order = ConfinedCommand {
        command: path.to_owned(),
        confinement,
        root: unshare.is_some_and(|unshare| unshare.root),
        group: group.map(Path::to_owned),
    };
    let confiner = match confiner {
        Some(confiner) => confiner.to_owned(),
        None => std::env::current_exe()?,
    };
    let order = serde_json::to_string(&order).map_err(io::Error::other)?;
    let mut command = match unshare {
        Some(unshare) => {
            let mut command = Command::new(&unshare.path);
            if unshare.root {
                command.args(ROOT_NAMESPACES);
            } else {
                command.args(NAMESPACES);
            }
            command.args(["--net", "--"]).arg(confiner);
            command
        }
        None => Command::new(confiner),
    };
    command.arg(CONFINE_WORD).arg(order);
    Ok(command)
}

/// The `unshare` program, if it may create PID and network namespaces.
pub(in crate::host) fn find_unshare(confiner: Option<&Path>) -> Option<Unshare> {
    let path = find_in_path("unshare")?;
    let with_root = Unshare { path: path.clone(), root: true };
    if can_confine(&with_root, confiner, None).unwrap_or(false) {
        return Some(with_root);
    }
    let probe = Command::new(&path).args(NAMESPACES).args(["--net", "--", "true"]).output().ok()?;
    probe.status.success().then_some(Unshare { path, root: false })
}

/// True if a test program can be confined: the system offers no other way to find out.
fn can_confine(
    unshare: &Unshare,
    confiner: Option<&Path>,
    group: Option<&Path>,
) -> io::Result<bool> {
    let Some(echo) = find_in_path("echo") else { return Ok(false) };
    let nothing = Confinement::default();
    let mut command = command(&nothing, &echo, Path::new(""), confiner, Some(unshare), group)?;
    let said = command.arg(CONFINED_OUTPUT).output()?;
    Ok(said.status.success() && String::from_utf8_lossy(&said.stdout).trim_end() == CONFINED_OUTPUT)
}

/// The parent of control groups that a confined program can join.
pub(in crate::host) fn find_cgroup_parent(
    unshare: Option<&Unshare>,
    confiner: Option<&Path>,
) -> Option<CgroupParent> {
    let groups = CgroupParent::find()?;
    let group = groups.make(None).ok()?;
    can_confine(unshare?, confiner, Some(group.folder())).unwrap_or(false).then_some(groups)
}

/// The parts of confinement that this system does not offer, as a message; `None` if it offers all.
pub(in crate::host) fn missing_confinement(unshare: Option<&Unshare>) -> Option<String> {
    let support = support_with(unshare, false);
    if support.files {
        support.gaps()
    } else {
        Some("confinement is not supported on this system".to_owned())
    }
}

/// Restricts this process and executes the program in its place: the work of `main` if the first
/// argument is [`CONFINE_WORD`]; `arguments` are the arguments after it. Returns only after a
/// failure, or if the process had to wait for the program: the exit status, and any text for
/// standard error.
pub fn confine_and_exec(arguments: &[std::ffi::OsString]) -> (u8, String) {
    let failed = |reason: &str| (FAILED, format!("kzui: the program cannot be confined: {reason}"));
    let Some((order, arguments)) = arguments.split_first() else { return failed("no order") };
    let order: ConfinedCommand = match serde_json::from_slice(order.as_encoded_bytes()) {
        Ok(order) => order,
        Err(error) => return failed(&error.to_string()),
    };
    if let Err(reason) = restrict(&order) {
        return failed(&reason);
    }
    let mut command = Command::new(&order.command);
    command.args(arguments);
    // The first process of a PID namespace ignores signals without a handler, and its end kills all
    // processes in it: so it waits for the program instead of executing it in its place.
    if std::process::id() == 1 {
        return match command.status() {
            Ok(status) => (shell_exit_code(status), String::new()),
            Err(error) => failed(&format!("{}: {error}", order.command.display())),
        };
    }
    failed(&exec(&order.command, command))
}

/// The exit status as shells report it: for a program ended by a signal, 128 plus the number of the
/// signal.
fn shell_exit_code(status: std::process::ExitStatus) -> u8 {
    let code = status.code().or(super::signal_of(status).map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(FAILED)
}

#[cfg(unix)]
fn exec(path: &Path, mut command: Command) -> String {
    use std::os::unix::process::CommandExt;
    format!("{}: {}", path.display(), command.exec())
}

#[cfg(not(unix))]
fn exec(_path: &Path, _command: Command) -> String {
    "not on this system".to_owned()
}

#[cfg(not(target_os = "linux"))]
fn restrict(_order: &ConfinedCommand) -> Result<(), String> {
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn support_with(_unshare: Option<&Unshare>, _together: bool) -> ConfinementSupport {
    ConfinementSupport::default()
}

pub fn confinement_support() -> ConfinementSupport {
    let unshare = find_unshare(None);
    let together = find_cgroup_parent(unshare.as_ref(), None).is_some();
    support_with(unshare.as_ref(), together)
}

#[cfg(target_os = "linux")]
use linux::{restrict, support_with};

#[cfg(target_os = "linux")]
mod linux {
    use std::path::{Path, PathBuf};

    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
    };
    use rustix::process::{Resource, Rlimit, setrlimit};

    use super::{ConfinedCommand, Confinement, ConfinementSupport, Unshare};
    use crate::host::process::private_root::{VisibleFiles, enter};

    const NEWEST: ABI = ABI::V6;
    const MAX_PROCESSES: u64 = 1024;
    const MAX_WRITTEN_FILE_BYTES: u64 = 1 << 30;

    /// System paths that every program needs: libraries, interpreters, certificates, its own
    /// process.
    const SYSTEM_PATHS: [&str; 18] = [
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib32",
        "/lib64",
        "/opt",
        "/nix/store",
        "/etc/alternatives",
        "/etc/ld.so.cache",
        "/etc/ld.so.conf",
        "/etc/ld.so.conf.d",
        "/etc/localtime",
        "/etc/pki",
        "/etc/ssl",
        "/dev/random",
        "/dev/urandom",
        "/proc",
    ];
    const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

    pub(super) fn support_with(unshare: Option<&Unshare>, together: bool) -> ConfinementSupport {
        let hard = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        let files = hard().handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create);
        let tcp = hard().handle_access(AccessNet::from_all(ABI::V4)).and_then(Ruleset::create);
        ConfinementSupport {
            files: files.is_ok(),
            tcp: tcp.is_ok(),
            network: unshare.is_some(),
            root: unshare.is_some_and(|unshare| unshare.root),
            together,
        }
    }

    pub(super) fn restrict(order: &ConfinedCommand) -> Result<(), String> {
        if let Some(group) = &order.group {
            crate::host::process::group::join(group)
                .map_err(|error| format!("its group: {error}"))?;
        }
        limit(Resource::Core, Some(0))?;
        let confinement = &order.confinement;
        limit(Resource::Cpu, confinement.cpu_seconds)?;
        limit(Resource::As, confinement.memory_bytes)?;
        limit(Resource::Fsize, Some(MAX_WRITTEN_FILE_BYTES))?;
        if order.root {
            // The limit counts only the processes in the new user namespace, not the other
            // processes of the user.
            limit(Resource::Nproc, Some(MAX_PROCESSES))?;
            // The private root has its own `/proc`.
            let system = SYSTEM_PATHS.iter().filter(|path| **path != "/proc");
            let read = system.map(Path::new).chain(confinement.read.iter().map(PathBuf::as_path));
            let write = confinement.write.iter().map(PathBuf::as_path);
            let write = DEVICES.iter().map(Path::new).chain(write);
            enter(&VisibleFiles { read: read.collect(), write: write.collect() })
                .map_err(|error| format!("a private root: {error}"))?;
        }
        restrict_with_landlock(confinement).map_err(|error| error.to_string())
    }

    fn limit(resource: Resource, limit: Option<u64>) -> Result<(), String> {
        let Some(limit) = limit else { return Ok(()) };
        let limit = Rlimit { current: Some(limit), maximum: Some(limit) };
        setrlimit(resource, limit).map_err(|error| error.to_string())
    }

    /// Restricts file access and TCP as far as the kernel supports it: an old kernel supports fewer
    /// kinds of access, and restricts only those.
    fn restrict_with_landlock(confinement: &Confinement) -> Result<(), RulesetError> {
        let read = AccessFs::from_read(NEWEST);
        let all = AccessFs::from_all(NEWEST);
        Ruleset::default()
            .handle_access(all)?
            .scope(Scope::AbstractUnixSocket)?
            .scope(Scope::Signal)?
            .handle_access(AccessNet::from_all(NEWEST))?
            .create()?
            .add_rules(path_beneath_rules(SYSTEM_PATHS, read))?
            .add_rules(path_beneath_rules(DEVICES, all))?
            .add_rules(path_beneath_rules(&confinement.read, read))?
            .add_rules(path_beneath_rules(&confinement.write, all))?
            .restrict_self()?;
        Ok(())
    }
}
