//! Legacy exec plugins: programs below the plugin home, found by apiVersion and kind (section 8.5).

use std::path::PathBuf;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, FunctionRemark, PluginFault, WithheldStep};
use crate::load::{FileError, FileKind, Files, Root};
use crate::manifest::{ExecPluginArgs, ManifestError, decode_plugin};
use crate::resource::Resource;
use crate::transform::TransformError;
use crate::yaml::{Mark, Node, YamlError, print_output};

use super::program::{Program, ProgramError, Programs, TemporaryFile};

/// The maximum length of an environment variable on Linux, with its name.
const MAX_VARIABLE_BYTES: usize = 131_071;
const CONFIG: &str = "kust-plugin-config";

/// A plugin that is ready to run.
#[derive(Clone, Debug, PartialEq)]
pub struct ExecPlugin {
    pub path: PathBuf,
    config: String,
    arguments: Vec<String>,
    root: PathBuf,
    mark: Mark,
}

impl ExecPlugin {
    /// Finds the plugin that an object configures, and reads its arguments.
    ///
    /// # Errors
    /// No plugin home, no such plugin, arguments that cannot be read.
    pub fn load(
        config: &Resource,
        root: &Root,
        programs: &dyn Programs,
        mark: Mark,
    ) -> Result<Self, TransformError> {
        let files = root.files().as_ref();
        let gvk = &config.id.gvk;
        let path = plugin_home(files, programs, mark)?
            .join(&*gvk.group)
            .join(&*gvk.version)
            .join(gvk.kind.to_lowercase())
            .join(&*gvk.kind);
        match files.resolve(&path) {
            Err(FileError::Missing { .. }) => {
                // Go plugins are not supported.
                let text = format!("expected file with Go object code at: {}.so", path.display());
                let error = TransformError::fault(PluginFault::Other(text), mark);
                return Err(error.with_hint(format!(
                    "there is no program {} either, and kzui does not run Go plugins",
                    path.display()
                )));
            }
            Err(error @ (FileError::Other { .. } | FileError::TooMuch { .. })) => {
                return Err(TransformError::fault(PluginFault::Other(error.to_string()), mark));
            }
            // Read the program, so that the build is repeated if it changes.
            Ok((path, FileKind::File)) => drop(files.read(&path)),
            Ok((_, FileKind::Directory)) => {}
        }
        let text = print_output(&config.node).map_err(|source| unreadable(source, mark))?;
        let arguments = arguments(&config.node, root, mark)?;
        Ok(Self { path, config: text, arguments, root: root.path().to_owned(), mark })
    }

    /// Runs the program on these objects, or on none as a generator, and returns its output.
    ///
    /// # Errors
    /// The failure of the program, with Kustomize's text; objects that cannot be printed.
    pub fn run(
        &self,
        shown: &[Node],
        programs: &dyn Programs,
        is_cancelled: &dyn Fn() -> bool,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Vec<u8>, TransformError> {
        let texts = shown
            .iter()
            .map(|node| print_output(node).map_err(|source| unreadable(source, node.mark)));
        let input = texts.collect::<Result<Vec<_>, _>>()?.join("---\n");
        let program = self.program(input.into_bytes().into(), warnings);
        let text = match programs.run(&program, is_cancelled) {
            Ok(ended) if ended.status == Some(0) => return Ok(ended.output),
            Ok(ended) => {
                let output = String::from_utf8_lossy(&ended.messages);
                let separator = if output.is_empty() { "" } else { ": " };
                let configuration = ended.temporary.join(CONFIG);
                let status = ended.end_text();
                format!(
                    "{output}{separator}failure in plugin configured via {}; {status}",
                    configuration.display()
                )
            }
            Err(error @ (ProgramError::NotAsked { .. } | ProgramError::NotAllowed { .. })) => {
                let what = WithheldStep::Program(error);
                return Err(TransformError::Waiting { what, mark: self.mark });
            }
            Err(ProgramError::NotExecutable { .. }) => {
                format!("unexecutable plugin at: {}", self.path.display())
            }
            Err(other) => other.to_string(),
        };
        Err(TransformError::fault(PluginFault::Other(text), self.mark))
    }

    fn program(&self, input: Arc<[u8]>, warnings: &mut Vec<Diagnostic>) -> Program {
        let root = self.root.to_string_lossy().into_owned();
        let wanted = [
            ("KUSTOMIZE_PLUGIN_CONFIG_STRING", self.config.clone()),
            ("KUSTOMIZE_PLUGIN_CONFIG_ROOT", root),
        ];
        let mut environment = Vec::new();
        for (name, text) in wanted {
            if name.len() + 1 + text.len() > MAX_VARIABLE_BYTES {
                let remark = FunctionRemark::LongVariable { name, limit: MAX_VARIABLE_BYTES };
                warnings.push(Diagnostic::new(remark, self.mark));
            } else {
                environment.push((name.to_owned(), text));
            }
        }
        let config =
            TemporaryFile { name: CONFIG.to_owned(), bytes: self.config.as_bytes().into() };
        let mut arguments = vec![format!("{{tmp}}/{CONFIG}")];
        arguments.extend(self.arguments.iter().cloned());
        Program {
            command: self.path.to_string_lossy().into_owned(),
            arguments,
            environment,
            inherits_environment: true,
            directory: self.root.clone(),
            input,
            temporary: vec![config],
            ..Program::default()
        }
    }
}

fn unreadable(source: YamlError, mark: Mark) -> TransformError {
    TransformError::Yaml { reading: "printing for a plugin".into(), mark, source }
}

fn plugin_home(
    files: &dyn Files,
    programs: &dyn Programs,
    mark: Mark,
) -> Result<PathBuf, TransformError> {
    let variable =
        |name: &str| programs.variable(name).filter(|text| !text.is_empty()).map(PathBuf::from);
    let home = variable("HOME");
    let below_home = |path: &str| Some(home.as_ref()?.join(path));
    let candidates = [
        variable("KUSTOMIZE_PLUGIN_HOME"),
        variable("XDG_CONFIG_HOME").map(|path| path.join("kustomize/plugin")),
        below_home(".config/kustomize/plugin"),
        below_home("kustomize/plugin"),
    ];
    let candidates: Vec<PathBuf> = candidates.into_iter().flatten().collect();
    candidates.iter().find(|path| files.resolve(path).is_ok()).cloned().ok_or_else(|| {
        let tried: Vec<String> = candidates.iter().map(|it| it.display().to_string()).collect();
        let text = format!("unable to find plugin root - tried: {}", tried.join(", "));
        TransformError::fault(PluginFault::Other(text), mark)
    })
}

fn arguments(config: &Node, root: &Root, mark: Mark) -> Result<Vec<String>, TransformError> {
    let ExecPluginArgs { one_liner, file } =
        decode_plugin(config).map_err(|error| ManifestError { mark, ..error })?;
    let split = shlex::split(&one_liner);
    let bad = || TransformError::fault(PluginFault::Other("unclosed quote in string".into()), mark);
    let mut arguments = split.ok_or_else(bad)?;
    if !file.is_empty() {
        let loaded = root.load(&file).map_err(|source| TransformError::Load {
            reading: "loading argsFromFile".into(),
            mark,
            source,
        })?;
        let text = String::from_utf8_lossy(&loaded.bytes);
        let lines = text.split('\n').map(str::trim_start).filter(|line| !line.is_empty());
        arguments.extend(lines.map(str::to_owned));
    }
    Ok(arguments)
}
