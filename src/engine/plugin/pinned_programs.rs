//! The port for builds of files that are not those on disk.

use std::path::PathBuf;
use std::sync::Arc;

use super::program::{NoPrograms, Program, ProgramError, ProgramResult, Programs};
use super::script::STARLARK_PROGRAM;

/// Runs only programs with pinned content that cannot read their directory, because the files of
/// the build differ from those on disk.
pub struct PinnedPrograms(pub Arc<dyn Programs>);

impl PinnedPrograms {
    /// True for a confined script, for a confined program whose bytes are passed along, and for an
    /// image with a digest and without mounts; also for the check whether a container engine works.
    fn is_pinned(program: &Program) -> bool {
        let has_bytes = program.command.starts_with("{tmp}/");
        let is_script = program.command == STARLARK_PROGRAM;
        let mounts = |word: &String| word.starts_with("--mount") || word == "-v";
        let is_image = program.container.is_some()
            && program.arguments.iter().any(|word| word.contains("@sha256:"))
            && !program.arguments.iter().any(mounts);
        (has_bytes || is_script) && program.confinement.is_some()
            || is_image
            || program.is_engine_check()
    }
}

impl Programs for PinnedPrograms {
    fn run(
        &self,
        program: &Program,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<ProgramResult, ProgramError> {
        if !Self::is_pinned(program) {
            return NoPrograms.run(program, is_cancelled);
        }
        let program = Program { directory: PathBuf::new(), ..program.clone() };
        self.0.run(&program, is_cancelled)
    }

    fn inner(&self) -> Option<&dyn Programs> {
        Some(&*self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::program::{Confinement, TemporaryFile};
    use super::*;

    /// Ends every program with the text of its directory.
    struct Echo;

    impl Programs for Echo {
        fn run(
            &self,
            program: &Program,
            _: &dyn Fn() -> bool,
        ) -> Result<ProgramResult, ProgramError> {
            let output = program.directory.to_string_lossy().into_owned().into_bytes();
            Ok(ProgramResult { output, ..ProgramResult::default() })
        }

        fn variable(&self, _name: &str) -> Option<String> {
            None
        }
    }

    #[test]
    fn only_pinned_programs_run_and_without_their_directory() {
        let directory = PathBuf::from("/tree");
        let run = |program: Program| {
            let program = Program { directory: directory.clone(), ..program };
            PinnedPrograms(Arc::new(Echo)).run(&program, &|| false).map(|ended| ended.output)
        };
        let bytes = TemporaryFile { name: "f".to_owned(), bytes: Arc::from(&b"x"[..]) };
        let pinned = Program {
            command: "{tmp}/f".to_owned(),
            temporary: vec![bytes],
            confinement: Some(Confinement::default()),
            ..Program::default()
        };
        assert_eq!(run(pinned.clone()), Ok(Vec::new()));
        assert!(run(Program { confinement: None, ..pinned }).is_err(), "not confined");
        let script = Program { command: "./f.sh".to_owned(), ..Program::default() };
        assert!(run(script).is_err(), "a file of the work tree");
        let image = |words: &[&str]| Program {
            command: "docker".to_owned(),
            arguments: words.iter().map(|word| (*word).to_owned()).collect(),
            container: Some("c".to_owned()),
            ..Program::default()
        };
        assert!(run(image(&["run", "i@sha256:0"])).is_ok());
        assert!(run(image(&["run", "i:1"])).is_err());
        assert!(run(image(&["run", "--mount=type=bind", "i@sha256:0"])).is_err());
    }
}
