//! Confinement of programs on Linux: this program starts itself with a hidden word, restricts itself, and becomes
//! the program.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::engine::plugin::{Confinement, Sandbox};

/// The first argument with which this program confines itself and becomes another.
pub const CONFINE_WORD: &str = "__confine";
/// What `unshare` is asked for: a space of processes of its own, so that whatever the program starts ends with it, a
/// daemon that left its group too.
const NAMESPACES: [&str; 4] = ["--user", "--pid", "--fork", "--kill-child"];
/// The same with a space of mounts of its own, and the rights to make a root of its own in it.
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
/// What a program says that was confined to see whether that can be done.
const CONFINED: &str = "kzui can confine";
/// The exit status when it could not.
const FAILED: u8 = 126;

/// What the second argument says, as JSON.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    command: PathBuf,
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
    network: bool,
    cpu_seconds: Option<u64>,
    memory_bytes: Option<u64>,
    /// It is put into a root of its own.
    root: bool,
}

/// The program that makes namespaces, and what it may do here.
#[derive(Clone, Debug)]
pub(super) struct Unshare {
    path: PathBuf,
    /// A root of its own can be had.
    root: bool,
}

/// What confinement means on this system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each says of one thing whether it can be done")]
pub struct ConfinementSupport {
    /// Reading and writing can be restricted to paths.
    pub files: bool,
    /// TCP connections can be forbidden.
    pub tcp: bool,
    /// All network can be taken away, and no process outlives its program.
    pub network: bool,
    /// What a program may not read is not there, nor is anything that it could connect to.
    pub root: bool,
    /// Processor time and memory can be limited.
    pub limits: bool,
}

impl ConfinementSupport {
    /// What is not confined, in words for people; nothing when everything is.
    pub fn gaps(self) -> Option<String> {
        let network = match (self.network, self.tcp) {
            (true, _) => None,
            (false, true) => Some("network other than TCP"),
            (false, false) => Some("network"),
        };
        let processes = (!self.network).then_some("processes that it leaves behind");
        let files = (!self.files).then_some("files");
        let root = (!self.root)
            .then_some("Unix sockets, names, modes and times of files, other processes' commands");
        let limits = (!self.limits).then_some("time and memory");
        let gaps: Vec<&str> =
            [files, network, processes, root, limits].into_iter().flatten().collect();
        (!gaps.is_empty()).then(|| format!("not confined on this system: {}", gaps.join(", ")))
    }
}

/// What keeps the programs of catalogs in on this system.
pub fn sandbox() -> Sandbox {
    sandbox_of(confinement_support())
}

fn sandbox_of(support: ConfinementSupport) -> Sandbox {
    match support.gaps() {
        // Limits alone keep nothing in.
        Some(_) if !support.files => Sandbox::None,
        Some(gaps) => Sandbox::Partial(gaps),
        None => Sandbox::Full,
    }
}

/// The command that confines itself and becomes the program at `path`.
pub(super) fn command(
    confinement: &Confinement,
    path: &Path,
    folder: &Path,
    confiner: Option<&Path>,
    unshare: Option<&Unshare>,
) -> io::Result<Command> {
    if !cfg!(target_os = "linux") {
        return Ok(Command::new(path));
    }
    let mut read = confinement.read.clone();
    let mut write = confinement.write.clone();
    read.push(path.to_owned());
    if !folder.as_os_str().is_empty() {
        write.push(folder.to_owned());
    }
    let order = Order {
        command: path.to_owned(),
        read,
        write,
        network: confinement.network,
        cpu_seconds: confinement.cpu_seconds,
        memory_bytes: confinement.memory_bytes,
        root: unshare.is_some_and(|unshare| unshare.root),
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
            if !confinement.network {
                command.arg("--net");
            }
            command.arg("--").arg(confiner);
            command
        }
        None => Command::new(confiner),
    };
    command.arg(CONFINE_WORD).arg(order);
    Ok(command)
}

/// The `unshare` program, where it may make namespaces of processes and of the network.
pub(super) fn find_unshare(confiner: Option<&Path>) -> Option<Unshare> {
    let path = super::process::find_in_path("unshare")?;
    let with_root = Unshare { path: path.clone(), root: true };
    if can_confine(&with_root, confiner).unwrap_or(false) {
        return Some(with_root);
    }
    let probe = Command::new(&path).args(NAMESPACES).args(["--net", "--", "true"]).output().ok()?;
    probe.status.success().then_some(Unshare { path, root: false })
}

/// Confines a program that says so: nothing else shows what the system allows.
fn can_confine(unshare: &Unshare, confiner: Option<&Path>) -> io::Result<bool> {
    let Some(echo) = super::process::find_in_path("echo") else { return Ok(false) };
    let nothing = Confinement::default();
    let mut command = command(&nothing, &echo, Path::new(""), confiner, Some(unshare))?;
    let said = command.arg(CONFINED).output()?;
    Ok(said.status.success() && String::from_utf8_lossy(&said.stdout).trim_end() == CONFINED)
}

/// What a program cannot be kept from here, in words; nothing when it is kept from everything.
pub(super) fn gaps(unshare: Option<&Unshare>) -> Option<String> {
    let support = support_with(unshare);
    if support.files {
        support.gaps()
    } else {
        Some("nothing is confined on this system".to_owned())
    }
}

/// Restricts this process and becomes the program: what `main` does when the first argument is
/// [`CONFINE_WORD`]. `arguments` are those behind that word. Returns when it failed, or had to wait for the program,
/// with the exit status and what to print on standard error, if anything.
pub fn confine_and_exec(arguments: &[std::ffi::OsString]) -> (u8, String) {
    let failed = |reason: &str| (FAILED, format!("kzui: the program cannot be confined: {reason}"));
    let Some((order, arguments)) = arguments.split_first() else { return failed("no order") };
    let order: Order = match serde_json::from_slice(order.as_encoded_bytes()) {
        Ok(order) => order,
        Err(error) => return failed(&error.to_string()),
    };
    if let Err(reason) = restrict(&order) {
        return failed(&reason);
    }
    let mut command = Command::new(&order.command);
    command.args(arguments);
    // The first process of a space of processes hears no signal that it does not listen for, and the end of it is the
    // end of all others: it waits for the program in place of becoming it.
    if std::process::id() == 1 {
        return match command.status() {
            Ok(status) => (code_of(status), String::new()),
            Err(error) => failed(&format!("{}: {error}", order.command.display())),
        };
    }
    failed(&exec(&order.command, command))
}

/// The exit status as shells give it: 128 and the number of the signal that ended the program.
fn code_of(status: std::process::ExitStatus) -> u8 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal = None;
    let code = status.code().or(signal.map(|signal| 128 + signal));
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
fn restrict(_order: &Order) -> Result<(), String> {
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn support_with(_unshare: Option<&Unshare>) -> ConfinementSupport {
    ConfinementSupport::default()
}

/// What can be confined on this system.
pub fn confinement_support() -> ConfinementSupport {
    support_with(find_unshare(None).as_ref())
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

    use super::{ConfinementSupport, Order, Unshare};
    use crate::host::private_root::{Seen, enter};

    const NEWEST: ABI = ABI::V6;
    /// Processes and threads at a time.
    const PROCESSES: u64 = 1024;
    /// Bytes of one file that it writes.
    const FILE_BYTES: u64 = 1 << 30;

    /// What every program needs of the system: libraries, interpreters, certificates, its own process.
    const SYSTEM: [&str; 18] = [
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
    /// What names are looked up with.
    const NETWORK: [&str; 5] = [
        "/etc/hosts",
        "/etc/resolv.conf",
        "/etc/nsswitch.conf",
        "/etc/services",
        "/run/systemd/resolve",
    ];
    const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

    pub(super) fn support_with(unshare: Option<&Unshare>) -> ConfinementSupport {
        let hard = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        let files = hard().handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create);
        let tcp = hard().handle_access(AccessNet::from_all(ABI::V4)).and_then(Ruleset::create);
        ConfinementSupport {
            files: files.is_ok(),
            tcp: tcp.is_ok(),
            network: unshare.is_some(),
            root: unshare.is_some_and(|unshare| unshare.root),
            limits: true,
        }
    }

    pub(super) fn restrict(order: &Order) -> Result<(), String> {
        limit(Resource::Core, Some(0))?;
        limit(Resource::Cpu, order.cpu_seconds)?;
        limit(Resource::As, order.memory_bytes)?;
        limit(Resource::Fsize, Some(FILE_BYTES))?;
        if order.root {
            // Counted in its own space of users: those of the person do not count.
            limit(Resource::Nproc, Some(PROCESSES))?;
            let network = NETWORK.iter().filter(|_| order.network);
            // It has a `/proc` of its own.
            let system = SYSTEM.iter().filter(|path| **path != "/proc").chain(network);
            let read = system.map(Path::new).chain(order.read.iter().map(PathBuf::as_path));
            let write =
                DEVICES.iter().map(Path::new).chain(order.write.iter().map(PathBuf::as_path));
            enter(&Seen { read: read.collect(), write: write.collect() })
                .map_err(|error| format!("a root of its own: {error}"))?;
        }
        landlock(order).map_err(|error| error.to_string())
    }

    fn limit(resource: Resource, limit: Option<u64>) -> Result<(), String> {
        let Some(limit) = limit else { return Ok(()) };
        let limit = Rlimit { current: Some(limit), maximum: Some(limit) };
        setrlimit(resource, limit).map_err(|error| error.to_string())
    }

    /// As far as the kernel can: an old one knows fewer rights, and restricts those.
    fn landlock(order: &Order) -> Result<(), RulesetError> {
        let read = AccessFs::from_read(NEWEST);
        let all = AccessFs::from_all(NEWEST);
        let mut rules = Ruleset::default()
            .handle_access(all)?
            .scope(Scope::AbstractUnixSocket)?
            .scope(Scope::Signal)?;
        if !order.network {
            rules = rules.handle_access(AccessNet::from_all(NEWEST))?;
        }
        let network = NETWORK.iter().filter(|_| order.network);
        rules
            .create()?
            .add_rules(path_beneath_rules(SYSTEM, read))?
            .add_rules(path_beneath_rules(network, read))?
            .add_rules(path_beneath_rules(DEVICES, all))?
            .add_rules(path_beneath_rules(&order.read, read))?
            .add_rules(path_beneath_rules(&order.write, all))?
            .restrict_self()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_confined_is_not_called_confined() {
        let all =
            ConfinementSupport { files: true, tcp: true, network: true, root: true, limits: true };
        assert_eq!(sandbox_of(all), Sandbox::Full);
        let some = sandbox_of(ConfinementSupport { network: false, ..all });
        assert!(some.words().contains("not confined on this system: network other than TCP"));
        let open = sandbox_of(ConfinementSupport { root: false, ..all });
        assert!(open.words().contains("not confined on this system: Unix sockets"));
        assert_eq!(sandbox_of(ConfinementSupport { files: false, ..all }), Sandbox::None);
        assert_eq!(sandbox_of(ConfinementSupport::default()), Sandbox::None);
    }
}
