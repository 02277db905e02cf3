//! Where an inline `exec.path` leads on this machine.

use std::path::Path;

use crate::diagnostic::Code;
use crate::load::{Root, clean};

use super::Programs;
use super::spec::{ExecSpec, FunctionSpec};

/// What the author of an `exec.path` should know: it names another program, or none, on another machine.
pub fn where_exec_leads(
    spec: &FunctionSpec,
    root: &Root,
    programs: &dyn Programs,
) -> Option<(Code, String)> {
    let FunctionSpec::Exec(ExecSpec { path, .. }) = spec else { return None };
    if !path.contains('/') {
        let found = programs.locate(path);
        let found = found.map_or_else(
            || "where it is not".to_owned(),
            |found| format!("and is {} here", found.display()),
        );
        return Some((Code::KZ510, format!("exec path '{path}' is looked up in PATH, {found}")));
    }
    let whole = clean(&root.path().join(path));
    let what = match (Path::new(path).is_absolute(), whole.starts_with(root.path())) {
        (_, true) => return None,
        (true, false) => format!("exec path '{path}' is a place of this machine"),
        (false, false) => format!(
            "exec path '{path}' leaves the directory of its kustomization file; it is {}",
            whole.display()
        ),
    };
    Some((Code::KZ511, what))
}
