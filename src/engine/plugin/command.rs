//! Builds the command for a function: the arguments of a container engine, or the program itself
//! (C.2).

use std::path::{Component, Path};
use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;

use crate::diagnostic::printable;
use crate::load::{Digest, clean, is_absolute};

use super::options::FunctionOptions;
use super::resolve::{MOUNT_BELOW, RunRefusal};
use super::spec::Mount;
use super::{
    Confinement, FlagMounts, FunctionRef, Implementation, PinnedBytes, Program, Programs,
    TemporaryFile,
};

const ENGINES: [&str; 3] = ["docker", "podman", "nerdctl"];
/// The user of a container without `--as-current-user`, whichever the image sets.
pub const CONTAINER_USER: &str = "nobody";
/// The environment of every function; a configuration or a flag takes precedence (D-C2).
const DEFAULTS: [&str; 2] = ["LOG_TO_STDERR=true", "STRUCTURED_RESULTS=true"];
const MOUNT_TYPES: &[&str] = &["bind", "volume", "tmpfs"];
const MINIMAL_VARIABLES: [&str; 2] = ["PATH", "LANG"];

/// The program to run for a function; `None` for a script, for which [`script`](super::script)
/// creates the program.
///
/// `call` makes the container's name unique.
pub(super) fn program(
    function: &FunctionRef,
    options: &FunctionOptions,
    ports: &dyn Programs,
    input: Arc<[u8]>,
    call: u128,
) -> Result<Option<Program>, RunRefusal> {
    let base = Program {
        directory: function.directory.clone(),
        timeout: options.timeout,
        output_limit: options.output_limit,
        function: Some(function.shown.clone()),
        display_name: Some(function.shown.clone()),
        ..Program::default()
    };
    match &function.implementation {
        Implementation::Starlark { .. } => Ok(None),
        Implementation::Exec { confinement: None, .. }
            if options.require_confinement || options.require_limits =>
        {
            let function = &function.shown;
            let flag = if options.require_confinement {
                "--require-confinement"
            } else {
                "--require-limits"
            };
            let hint = "functions of a trusted catalog are confined";
            let text =
                format!("exec function {function} runs with your rights, which {flag} forbids");
            Err(RunRefusal::needs_flag(text, hint))
        }
        Implementation::Exec { path, args, envs, pinned, confinement, .. } => Ok(Some(Program {
            command: match pinned {
                Some(_) => format!("{{tmp}}/{}", file_name(path)),
                None => path.to_string_lossy().into_owned(),
            },
            temporary: pinned
                .iter()
                .map(|PinnedBytes(bytes)| TemporaryFile {
                    name: file_name(path),
                    bytes: bytes.clone(),
                })
                .collect(),
            arguments: args.clone(),
            environment: exec_environment(function, envs, options, ports),
            inherits_environment: function.is_by_flags,
            confinement: confinement.clone().map(|confinement| Confinement {
                required: options.require_confinement,
                limits_required: options.require_limits,
                ..confinement
            }),
            input,
            ..base
        })),
        Implementation::Container { .. } => {
            let name = Digest::compute(&input).hex();
            let name = format!("kzui-{}-{call:x}", name.get(..12).unwrap_or_default());
            Ok(Some(Program {
                // The container engine is chosen when the program starts.
                command: String::new(),
                arguments: container_arguments(function, options, ports, &name)?,
                // `-e NAME` passes on the variable from the environment of the engine, so that the
                // engine needs it.
                inherits_environment: true,
                container: Some(name),
                input,
                ..base
            }))
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| "function".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The container engine set by the user, else the first one that works (ruling 14): one that needs
/// a daemon works only if the daemon answers.
pub(super) fn select_engine(
    ports: &dyn Programs,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<String, RunRefusal> {
    match ports.variable("KRM_FN_RUNTIME").filter(|name| !name.is_empty()) {
        None => {
            let found = ENGINES.into_iter().filter(|name| ports.locate(name).is_some());
            let found: Vec<&str> = found.collect();
            let working = match found.as_slice() {
                [] | [_] => found.first(),
                several => several.iter().find(|name| is_working_engine(name, ports, is_cancelled)),
            };
            Ok((*working.or(found.first()).unwrap_or(&ENGINES[0])).to_owned())
        }
        Some(name) if ENGINES.contains(&&*name) => Ok(name),
        Some(name) => Err(RunRefusal::invalid(format!(
            "KRM_FN_RUNTIME must be docker, podman or nerdctl, not '{name}'"
        ))),
    }
}

/// True if the engine works: `version` also connects to its daemon, if the engine has one.
fn is_working_engine(name: &str, ports: &dyn Programs, is_cancelled: &dyn Fn() -> bool) -> bool {
    let asked = Program {
        command: name.to_owned(),
        arguments: vec!["version".to_owned()],
        inherits_environment: true,
        timeout: Some(Duration::from_secs(10)),
        output_limit: Some(1 << 16),
        ..Program::default()
    };
    ports.run(&asked, is_cancelled).is_ok_and(|ended| ended.status == Some(0))
}

fn container_arguments(
    function: &FunctionRef,
    options: &FunctionOptions,
    ports: &dyn Programs,
    name: &str,
) -> Result<Vec<String>, RunRefusal> {
    let Implementation::Container { image, network, flag_mounts, mounts, envs } =
        &function.implementation
    else {
        return Ok(Vec::new());
    };
    if image.starts_with('-') || image.contains(|c: char| c.is_whitespace() || c.is_control()) {
        // The engine would read such an image name as an option.
        let function = &function.shown;
        let text = format!("function {function}: '{image}' is not a container image");
        return Err(RunRefusal::invalid(text));
    }
    let network = network_of(function, *network, options)?;
    if *flag_mounts == FlagMounts::Required && options.mounts.is_empty() {
        let function = &function.shown;
        let text = format!("function {function} requires a storage mount; use --mount");
        return Err(RunRefusal::needs_flag(text, "allow it with --mount"));
    }
    let user = match options.as_current_user.then(|| ports.user()).flatten() {
        Some((user, group)) => format!("{user}:{group}"),
        None => CONTAINER_USER.to_owned(),
    };
    let mut arguments: Vec<String> =
        ["run", "--rm", "-i", "-a", "STDIN", "-a", "STDOUT", "-a", "STDERR", "--name", name]
            .map(str::to_owned)
            .into();
    if options.offline {
        arguments.extend(["--pull", "never"].map(str::to_owned));
    }
    arguments.extend(["--network", &network, "--user", &user].map(str::to_owned));
    arguments.push("--security-opt=no-new-privileges".to_owned());
    for mount in mounts {
        check_declared(mount, function)?;
        arguments.extend(mount_arguments(mount, function)?);
    }
    let given = options.mounts.iter().filter(|_| *flag_mounts != FlagMounts::Refused);
    for text in given {
        arguments.extend(mount_arguments(&parse_mount(text)?, function)?);
    }
    arguments.extend(environment(envs, options).into_iter().flat_map(|env| ["-e".to_owned(), env]));
    arguments.push(image.clone());
    Ok(arguments)
}

/// The network of a container: `none` unless the function and the user allow one (ruling 11).
fn network_of(
    function: &FunctionRef,
    wanted: bool,
    options: &FunctionOptions,
) -> Result<String, RunRefusal> {
    match (wanted, options.network) {
        (false, _) => Ok("none".to_owned()),
        // D-B12: the network that the user names. Kustomize always uses the host's network.
        (true, true) => Ok(options.network_name.clone()),
        (true, false) => {
            let function = &function.shown;
            let text =
                format!("function {function}: network required but not enabled with --network");
            Err(RunRefusal::needs_flag(text, "use --network"))
        }
    }
}

/// Fails if a mount in the configuration leads out of the layer's directory (B.7).
fn check_declared(mount: &Mount, function: &FunctionRef) -> Result<(), RunRefusal> {
    let refused = |rule| RunRefusal::mount(&function.id, &mount.source, rule);
    let path = Path::new(&mount.source);
    if is_absolute(path) {
        return Err(refused("mount paths must be relative to the current kustomization directory"));
    }
    let mut depth = 0_i32;
    for part in path.components() {
        depth += match part {
            Component::ParentDir => -1,
            Component::Normal(_) => 1,
            _ => 0,
        };
        // Kustomize 5.5 lets a bare `..` through; its master does not.
        if depth < 0 {
            return Err(refused(MOUNT_BELOW));
        }
    }
    Ok(())
}

/// The `--mount` argument. The engine splits it at commas, so that a comma in a value is rejected:
/// it could add another source.
fn mount_arguments(mount: &Mount, function: &FunctionRef) -> Result<[String; 2], RunRefusal> {
    let kind = if mount.kind.is_empty() { "bind" } else { &mount.kind };
    if !MOUNT_TYPES.contains(&kind) {
        let (id, types) = (&function.id, MOUNT_TYPES.join(", "));
        let text = format!("plugin {id}: a mount is one of {types}, not '{kind}'");
        return Err(RunRefusal::invalid(text));
    }
    let source = if mount.is_bind() {
        clean(&function.directory.join(&mount.source)).to_string_lossy().into_owned()
    } else {
        mount.source.clone()
    };
    for part in [&source, &mount.target] {
        if part.contains([',', '"', '\n', '\r']) {
            return Err(RunRefusal::mount(
                &function.id,
                &printable(part),
                "a mount path must not contain a comma, quote or line break",
            ));
        }
    }
    let mode = if mount.writable { "" } else { ",readonly" };
    Ok(["--mount".to_owned(), format!("type={kind},source={source},target={}{mode}", mount.target)])
}

pub(super) fn parse_mount(text: &str) -> Result<Mount, RunRefusal> {
    let mut mount = Mount::default();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        match key.trim() {
            "type" => value.clone_into(&mut mount.kind),
            "source" | "src" => value.clone_into(&mut mount.source),
            "target" | "dst" | "destination" => value.clone_into(&mut mount.target),
            "rw" => mount.writable = value.is_empty() || value == "true",
            other => {
                return Err(RunRefusal::invalid(format!(
                    "--mount {text}: unknown part '{other}'; it takes type, source, target and rw"
                )));
            }
        }
    }
    Ok(mount)
}

/// The variables with values (`NAME=VALUE`), sorted by name, followed by bare names; later settings
/// of a name take precedence.
fn environment(envs: &[String], options: &FunctionOptions) -> Vec<String> {
    let mut values: IndexMap<&str, &str> = IndexMap::new();
    let mut names: Vec<&str> = Vec::new();
    let defaults = DEFAULTS.into_iter();
    for env in defaults.chain(envs.iter().chain(&options.env).map(String::as_str)) {
        let name = env.split_once('=').map_or(env, |(name, _)| name);
        values.shift_remove(name);
        names.retain(|bare| *bare != name);
        if let Some((name, value)) = env.split_once('=') {
            values.insert(name, value);
        } else {
            names.push(env);
        }
    }
    values.sort_unstable_keys();
    let values = values.into_iter().map(|(name, value)| format!("{name}={value}"));
    values.chain(names.into_iter().map(str::to_owned)).collect()
}

/// The environment of a program: all variables of this process for a program that a flag enabled,
/// and only a few for a program of a catalog.
fn exec_environment(
    function: &FunctionRef,
    envs: &[String],
    options: &FunctionOptions,
    ports: &dyn Programs,
) -> Vec<(String, String)> {
    let minimal = if function.is_by_flags { &[][..] } else { &MINIMAL_VARIABLES[..] };
    let surroundings =
        minimal.iter().filter_map(|name| Some(((*name).to_owned(), ports.variable(name)?)));
    let own = environment(envs, options).into_iter().filter_map(|env| match env.split_once('=') {
        Some((name, value)) => Some((name.to_owned(), value.to_owned())),
        None => ports.variable(&env).map(|value| (env.clone(), value)),
    });
    let mut all: Vec<(String, String)> = surroundings.chain(own).collect();
    if matches!(&function.implementation, Implementation::Exec { confinement: Some(_), .. }) {
        // The only folder that a confined program can write to.
        for name in ["HOME", "TMPDIR"] {
            all.retain(|(other, _)| other != name);
            all.push((name.to_owned(), "{tmp}".to_owned()));
        }
    }
    all
}
