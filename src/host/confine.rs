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
        let limits = (!self.limits).then_some("time and memory");
        let gaps: Vec<&str> = [files, network, processes, limits].into_iter().flatten().collect();
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
    unshare: Option<&Path>,
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
    };
    let confiner = match confiner {
        Some(confiner) => confiner.to_owned(),
        None => std::env::current_exe()?,
    };
    let order = serde_json::to_string(&order).map_err(io::Error::other)?;
    let mut command = match unshare {
        Some(unshare) => {
            let mut command = Command::new(unshare);
            command.args(NAMESPACES);
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
pub(super) fn find_unshare() -> Option<PathBuf> {
    let path = super::process::find_in_path("unshare")?;
    let probe = Command::new(&path).args(NAMESPACES).args(["--net", "--", "true"]).output().ok()?;
    probe.status.success().then_some(path)
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

/// What can be confined on this system.
#[cfg(not(target_os = "linux"))]
pub fn confinement_support() -> ConfinementSupport {
    ConfinementSupport::default()
}

#[cfg(target_os = "linux")]
pub use linux::confinement_support;
#[cfg(target_os = "linux")]
use linux::restrict;

#[cfg(target_os = "linux")]
mod linux {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
    };
    use rustix::process::{Resource, Rlimit, setrlimit};

    use super::{ConfinementSupport, Order, find_unshare};

    const NEWEST: ABI = ABI::V6;

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

    /// What can be confined on this system.
    pub fn confinement_support() -> ConfinementSupport {
        let hard = || Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        let files = hard().handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create);
        let tcp = hard().handle_access(AccessNet::from_all(ABI::V4)).and_then(Ruleset::create);
        ConfinementSupport {
            files: files.is_ok(),
            tcp: tcp.is_ok(),
            network: find_unshare().is_some(),
            limits: true,
        }
    }

    pub(super) fn restrict(order: &Order) -> Result<(), String> {
        limit(Resource::Core, Some(0))?;
        limit(Resource::Cpu, order.cpu_seconds)?;
        limit(Resource::As, order.memory_bytes)?;
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
        let all = ConfinementSupport { files: true, tcp: true, network: true, limits: true };
        assert_eq!(sandbox_of(all), Sandbox::Full);
        let some = sandbox_of(ConfinementSupport { network: false, ..all });
        assert!(some.words().contains("not confined on this system: network other than TCP"));
        assert_eq!(sandbox_of(ConfinementSupport { files: false, ..all }), Sandbox::None);
        assert_eq!(sandbox_of(ConfinementSupport::default()), Sandbox::None);
    }
}
