//! Prepares a program for its start.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::confine;
use super::ending;
use super::ending::clear_abandoned;
use super::path_variable::{find_in_path, is_executable};
use super::raw_calls::end_with_this_thread;
use crate::engine::plugin::{Program, ProgramError, STARLARK_PROGRAM};

use super::Processes;

/// The placeholder for the path of the temporary folder in arguments and variables.
const TMP: &str = "{tmp}";

/// Creates a folder with the program's temporary files; `None` if it needs none.
pub(super) fn temporary_folder(
    program: &Program,
    processes: &Processes,
) -> io::Result<Option<tempfile::TempDir>> {
    let named = program.arguments.iter().any(|argument| argument.contains(TMP))
        || program.environment.iter().any(|(_, text)| text.contains(TMP));
    if program.temporary.is_empty() && !named {
        return Ok(None);
    }
    // Done here and not at each start of kzui, because it reads all names in the temporary folder
    // of the system.
    processes.cleared.get_or_init(clear_abandoned);
    let folder = ending::temporary_folder()?;
    for file in &program.temporary {
        let path = folder.path().join(&file.name);
        if let Some(parent) = path.parent() {
            fs_err::create_dir_all(parent)?;
        }
        fs_err::write(&path, &file.bytes)?;
        #[cfg(unix)]
        if program.command.strip_prefix(TMP).and_then(|rest| rest.strip_prefix('/'))
            == Some(&file.name)
        {
            use std::os::unix::fs::PermissionsExt;
            fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o500))?;
        }
    }
    Ok(Some(folder))
}

/// The file of the program: the command itself if it is a path, otherwise the first match in
/// `PATH`.
pub(super) fn find(
    program: &Program,
    folder: &Path,
    processes: &Processes,
) -> Result<PathBuf, ProgramError> {
    let command = program.command.clone();
    if command == STARLARK_PROGRAM {
        let found = find_starlark(processes.confiner.as_deref());
        return found.ok_or(ProgramError::NotFound { command });
    }
    if let Some(name) = command.strip_prefix(TMP).and_then(|rest| rest.strip_prefix('/')) {
        return Ok(folder.join(name));
    }
    if command.contains('/') {
        let path = program.directory.join(&command);
        return if path.exists() { Ok(path) } else { Err(ProgramError::NotFound { command }) };
    }
    find_in_path(&command).ok_or(ProgramError::NotFound { command })
}

/// The interpreter of Starlark: beside this program, else the first in `PATH`.
pub(super) fn find_starlark(kzui: Option<&Path>) -> Option<PathBuf> {
    let kzui = kzui.map(Path::to_owned).or_else(|| std::env::current_exe().ok());
    let name = format!("{STARLARK_PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let beside = kzui.map(|kzui| kzui.with_file_name(&name)).filter(|path| is_executable(path));
    beside.or_else(|| find_in_path(&name))
}

pub(super) fn command(
    program: &Program,
    path: &Path,
    folder: &Path,
    group: Option<&Path>,
    processes: &Processes,
) -> io::Result<Command> {
    let fill = |text: &str| text.replace(TMP, &folder.to_string_lossy());
    let mut command = match &program.confinement {
        Some(confinement) => {
            let unshare = processes.unshare();
            let confiner = processes.confiner.as_deref();
            confine::command(confinement, path, folder, confiner, unshare, group)?
        }
        None => Command::new(path),
    };
    command.args(program.arguments.iter().map(|argument| fill(argument)));
    if !program.inherits_environment {
        command.env_clear();
    }
    command.envs(program.environment.iter().map(|(name, text)| (name, fill(text))));
    if !program.directory.as_os_str().is_empty() {
        command.current_dir(&program.directory);
    }
    Ok(command)
}

/// Gives a program pipes; its own process group, so that its children can be stopped with it and
/// Ctrl-C reaches kzui alone; and a death signal for the end of this process.
pub(in crate::host) fn attach_pipes(command: &mut Command) {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    end_with_this_thread(command);
}
