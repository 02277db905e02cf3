//! Hides the settings of the current user from the program under test. Used by `tests/it` and
//! `tests/conformance`.

use std::ffi::OsString;

/// Prefixes of variables with settings of programs.
const SETTING_PREFIXES: [&str; 6] = ["GIT_", "HELM_", "KRM_FN_", "KUSTOMIZE_", "KZUI_", "XDG_"];
/// Further variables that change the behaviour.
const OTHERS: [&str; 10] = [
    "ALL_PROXY",
    "DOCKER_CONFIG",
    "EDITOR",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "KUBECONFIG",
    "NO_COLOR",
    "NO_PROXY",
    "PAGER",
    "VISUAL",
];

/// The variables of this process that could change the program's behaviour: they are removed before
/// its start.
pub(crate) fn foreign_variables() -> impl Iterator<Item = OsString> {
    std::env::vars_os().map(|(name, _)| name).filter(|name| is_foreign(&name.to_string_lossy()))
}

/// True for a variable with settings of a program.
fn is_foreign(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    OTHERS.contains(&&*name) || SETTING_PREFIXES.iter().any(|family| name.starts_with(family))
}
