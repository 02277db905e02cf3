//! Finds the program to which an inline `exec.path` points on this machine.

use std::path::Path;

use crate::diagnostic::ProgramRemark;
use crate::load::{Root, clean, is_absolute};

use super::Programs;
use super::spec::{ExecSpec, FunctionSpec};

/// A remark about an `exec.path` that may lead to another program, or to none, on another machine;
/// `None` for any other runtime or path.
pub fn exec_path_remark(
    spec: &FunctionSpec,
    root: &Root,
    programs: &dyn Programs,
) -> Option<ProgramRemark> {
    let FunctionSpec::Exec(ExecSpec { path, .. }) = spec else { return None };
    if !path.contains('/') {
        return Some(ProgramRemark::InPath(path.clone(), programs.locate(path)));
    }
    let whole = clean(&root.path().join(path));
    match (is_absolute(Path::new(path)), whole.starts_with(root.path())) {
        (_, true) => None,
        (true, false) => Some(ProgramRemark::OfMachine(path.clone())),
        (false, false) => Some(ProgramRemark::Outside(path.clone(), whole)),
    }
}
