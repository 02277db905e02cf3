//! Programs of functions that depend on the machine.

use std::path::PathBuf;

super::rules! {
    /// An inline `exec.path` that names another program on another machine.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum ProgramRemark;

    KZ510 Note "a program is looked up in PATH" {
        means: "An inline `exec.path` without a slash is looked up in PATH: another machine may have a different program, or none.",
        action: "Install the same program on every machine that builds this.",
        #[error(
            "exec path '{}' is looked up in PATH, {}",
            .0,
            .1.as_ref().map_or_else(
                || "where it is not found".to_owned(),
                |found| format!("and is {} here", found.display())
            )
        )]
        #[hint = "install the same program on every machine that builds this"]
        InPath(String, Option<PathBuf>),
    }

    KZ511 Note "a program outside of the layer" {
        means: "An inline `exec.path` leads out of the directory of its kustomization file. Kustomize runs it, and so does kzui.",
        action: "Install the same program at that path on every machine that builds this.",
        #[error("exec path '{0}' is absolute: it exists only on this machine")]
        #[hint = "install the same program on every machine that builds this"]
        OfMachine(String),
        #[error(
            "exec path '{}' leaves the directory of its kustomization file; it is {}",
            .0,
            .1.display()
        )]
        #[hint = "install the same program on every machine that builds this"]
        Outside(String, PathBuf),
    }
}
