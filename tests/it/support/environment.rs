//! A program under test sees nothing of the settings of whoever runs the tests. Used by both harnesses.

use std::ffi::OsString;

/// What all variables of a program's settings begin with.
const FAMILIES: [&str; 6] = ["GIT_", "HELM_", "KRM_FN_", "KUSTOMIZE_", "KZUI_", "XDG_"];
/// Further variables by which a machine would have a say.
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

/// The variables of this process that could change what the program does: they are taken out before it is started.
pub(crate) fn foreign() -> impl Iterator<Item = OsString> {
    std::env::vars_os().map(|(name, _)| name).filter(|name| is_foreign(&name.to_string_lossy()))
}

fn is_foreign(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    OTHERS.contains(&&*name) || FAMILIES.iter().any(|family| name.starts_with(family))
}
