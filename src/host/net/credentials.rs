//! Credentials for registries, from the user's container configuration.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::engine::plugin::Program;
use crate::host::bounds::MAX_SETTINGS_BYTES;
use crate::host::fs::read::read_file;
use crate::host::process::run_command;

/// `user:password` for a registry, from the user's container configuration.
pub(in crate::host) fn credentials(registry: &str) -> Option<String> {
    configurations().iter().find_map(|path| from_file(path, registry))
}

/// The files of docker and podman, in the order in which they are searched.
fn configurations() -> Vec<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    let home = directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned());
    let home = |below: &str| home.as_ref().map(|home| home.join(below));
    let docker = variable("DOCKER_CONFIG").or_else(|| home(".docker"));
    let containers = "containers/auth.json";
    [
        docker.map(|folder| folder.join("config.json")),
        variable("REGISTRY_AUTH_FILE"),
        variable("XDG_RUNTIME_DIR").map(|folder| folder.join(containers)),
        variable("XDG_CONFIG_HOME").or_else(|| home(".config")).map(|it| it.join(containers)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn from_file(path: &Path, registry: &str) -> Option<String> {
    let text = read_file(path, MAX_SETTINGS_BYTES).ok()?;
    let config: Value = serde_json::from_slice(&text).ok()?;
    if let Some(auth) = config["auths"][registry]["auth"].as_str()
        && let Ok(pair) = STANDARD.decode(auth)
    {
        return String::from_utf8(pair).ok();
    }
    let helper = config["credHelpers"].get(registry).unwrap_or(&config["credsStore"]).as_str();
    helper.and_then(|helper| credentials_from_helper(helper, registry))
}

const MAX_HELPER_DURATION: Duration = Duration::from_secs(60);
const MAX_HELPER_OUTPUT_BYTES: usize = 1 << 20;

/// Runs `docker-credential-NAME get`, as container engines do.
fn credentials_from_helper(name: &str, registry: &str) -> Option<String> {
    let is_plain = |found: char| found.is_ascii_alphanumeric() || found == '-';
    if !name.chars().all(is_plain) {
        return None;
    }
    let command = format!("docker-credential-{name}");
    let mut get = Command::new(&command);
    let program = Program {
        command,
        input: registry.as_bytes().into(),
        timeout: Some(MAX_HELPER_DURATION),
        output_limit: Some(MAX_HELPER_OUTPUT_BYTES),
        ..Program::default()
    };
    let ended = run_command(get.arg("get"), &program, &|| false).ok()?;
    let answer: Value = serde_json::from_slice(&ended.output).ok()?;
    let (user, secret) = (answer["Username"].as_str()?, answer["Secret"].as_str()?);
    (ended.status == Some(0)).then(|| format!("{user}:{secret}"))
}
