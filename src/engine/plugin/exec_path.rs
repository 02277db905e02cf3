//! Where an inline `exec.path` leads on this machine.

use std::path::Path;

use crate::diagnostic::FunctionRemark;
use crate::load::{Root, clean};

use super::Programs;
use super::spec::{ExecSpec, FunctionSpec};

/// What the author of an `exec.path` should know: it names another program, or none, on another machine.
pub fn where_exec_leads(
    spec: &FunctionSpec,
    root: &Root,
    programs: &dyn Programs,
) -> Option<FunctionRemark> {
    let FunctionSpec::Exec(ExecSpec { path, .. }) = spec else { return None };
    if !path.contains('/') {
        return Some(FunctionRemark::InPath(path.clone(), programs.locate(path)));
    }
    let whole = clean(&root.path().join(path));
    match (Path::new(path).is_absolute(), whole.starts_with(root.path())) {
        (_, true) => None,
        (true, false) => Some(FunctionRemark::OfMachine(path.clone())),
        (false, false) => Some(FunctionRemark::Outside(path.clone(), whole)),
    }
}
