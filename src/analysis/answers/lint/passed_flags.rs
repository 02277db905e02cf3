//! Flags that the repository's own build files pass to Kustomize.

use std::ffi::OsStr;
use std::path::Path;

use crate::answers::{Finding, Recording};
use crate::engine::diagnostic::{BuildRemark, Code, Fault, Hint, PluginFault};
use crate::engine::evaluate::{ErrorCause, Evaluation, StepError};
use crate::engine::load::Files;
use crate::repository::Repository;

/// The folders with build files, relative to the root of the repository.
const BUILD_FILE_FOLDERS: [&str; 6] = ["", ".github/workflows", "hack", "scripts", "ci", "build"];
/// Names of build files; `*` at the beginning is an extension.
const BUILD_FILE_NAMES: [&str; 9] = [
    "*.mk",
    "justfile",
    "Justfile",
    "Taskfile.yml",
    "Taskfile.yaml",
    ".gitlab-ci.yml",
    "Jenkinsfile",
    "*.sh",
    "Tiltfile",
];
const MAX_BUILD_FILE_BYTES: usize = 1 << 20;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassedFlags {
    has_flux: bool,
    texts: Vec<(String, String)>,
}

/// The beginnings of the names of build files that count in every folder.
const MAKEFILES: [&str; 5] = ["Makefile", "GNUmakefile", "makefile", "justfile", "Taskfile.yml"];

/// The words of a command line that write a file after them.
const WRITING_WORDS: [&str; 7] =
    ["cp ", "mv ", "tee ", "touch ", "ln -s", "git clone ", "envsubst"];

const OUTPUT_WORDS: [&str; 3] = [">", "-o", "--output"];

/// Files that the commands of scaffolding tools write without naming them: the end of the path, and
/// words of the command.
const TOOL_FILES: [(&str, &[&str]); 2] = [
    // controller-gen, as kubebuilder and operator-sdk call it.
    ("webhook/manifests.yaml", &["CONTROLLER_GEN", "webhook"]),
    // operator-sdk
    (".clusterserviceversion.yaml", &["generate kustomize manifests"]),
];

/// The folder that `flux bootstrap` writes beside the kustomization of a cluster.
const FLUX_FOLDER: &str = "flux-system";

const FLUX_GROUPS: &str = ".fluxcd.io";

impl PassedFlags {
    pub fn read(repository: &Repository, files: &dyn Files) -> Self {
        let has_flux = repository.objects.iter().any(|object| object.definition.is_flux());
        let mut passed = Self { has_flux, ..Self::default() };
        for file in repository.files.iter() {
            let shown = file.strip_prefix(&repository.root).ok().and_then(Path::to_str);
            let Some(shown) = shown.filter(|shown| is_build_file(shown)) else { continue };
            let Ok(bytes) = files.read(file) else { continue };
            if bytes.len() <= MAX_BUILD_FILE_BYTES {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                passed.texts.push((shown.to_owned(), text));
            }
        }
        passed
    }

    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        Self {
            has_flux: self.has_flux || other.has_flux,
            texts: [self.texts, other.texts].concat(),
        }
    }

    /// The reason to build a folder with this build without load restrictions; `None` if there is
    /// none.
    pub(in crate::answers) fn unrestricted_cause(&self, built: &Evaluation) -> Option<String> {
        let is_off = |line: &str| {
            line.contains("--load-restrictor") && line.contains("LoadRestrictionsNone")
        };
        if let Some(place) = self.find_line(is_off) {
            return Some(format!("{place} passes `--load-restrictor LoadRestrictionsNone`"));
        }
        let mut resources = built.outcome.iter().flatten();
        let is_for_flux =
            self.has_flux || resources.any(|it| it.id.gvk.group.ends_with(FLUX_GROUPS));
        is_for_flux.then(|| "Flux restricts no files".to_owned())
    }

    /// Replaces the failure of a build that lacks a file which a build file writes.
    pub(in crate::answers) fn report_written_file(&self, finding: &mut Finding, error: &StepError) {
        let ErrorCause::Load(_, cause) = &error.cause else { return };
        let Some(missing) = cause.missing().filter(|_| error.code() == Code::KZ020) else { return };
        let folder = missing.parent().unwrap_or(missing);
        let is_written = |entry: &String| self.written_file(&folder.join(entry)).is_some();
        // Where the folder is missing, the error names the folder.
        let written = self.written_file(missing).or_else(|| self.written_file(cause.path()?));
        let mut entries = error.hint.iter().flat_map(Hint::missing_entries);
        if let Some(written) = written.filter(|_| entries.all(is_written)) {
            finding.replace_failure(written);
        }
    }

    fn written_file(&self, missing: &Path) -> Option<BuildRemark> {
        let file = missing.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bootstrap = (file == FLUX_FOLDER).then(|| "`flux bootstrap`".to_owned());
        let place =
            bootstrap.or_else(|| self.find_line(|line| writes(line, missing))).or_else(|| {
                let path = missing.to_string_lossy();
                let (_, words) = TOOL_FILES.iter().find(|(end, _)| path.ends_with(end))?;
                self.find_line(|line| words.iter().all(|word| line.contains(word)))
            })?;
        Some(BuildRemark::WrittenBefore { file, place })
    }

    /// The first line of a build file that is wanted, as `FILE:LINE`. Comments are left out.
    fn find_line(&self, is_wanted: impl Fn(&str) -> bool) -> Option<String> {
        self.texts.iter().find_map(|(file, text)| {
            let mut lines = text.lines().enumerate();
            let is_it = |line: &str| !line.trim_start().starts_with('#') && is_wanted(line);
            let (index, _) = lines.find(|(_, line)| is_it(line))?;
            Some(format!("{file}:{}", index + 1))
        })
    }

    pub fn add_hint(&self, finding: &mut Finding, error: &StepError) {
        if !fails_without_helm_flag(error) {
            return;
        }
        let Some(place) = self.find_line(|line| line.contains("--enable-helm")) else { return };
        let passed = format!(
            "{place} passes `--enable-helm`: set `enable_helm = true` in .kzui.toml, and list the repository under \
             `helm-repositories` in your config.toml"
        );
        let hints = error.hint.iter().cloned().chain([passed.into()]);
        finding.diagnostic = finding.diagnostic.clone().hint(Hint::All(hints.collect()));
    }
}

/// True for a line with a command that writes this path, or replaces its last part as a
/// placeholder, as sed does. The path in the line may begin with variables or in another folder.
pub(in crate::answers) fn writes(line: &str, path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(OsStr::to_str) else { return false };
    let is_end = |c: char| matches!(c, ' ' | '/' | '"' | '\'' | ';' | ')' | '|' | '@' | '\r');
    let last = line.split_whitespace().next_back().unwrap_or_default().trim_matches(['"', '\'']);
    let is_folder = path.parent().is_some_and(|folder| folder.ends_with(known_end(last)));
    let mut found = line
        .match_indices(name)
        .filter(|(at, _)| line[at + name.len()..].chars().next().is_none_or(is_end));
    found.any(|(at, _)| {
        let start = line[..at].rfind([' ', '"', '\'', '>', '=', '|', '@']).map_or(0, |it| it + 1);
        let (before, folder) = line[..at].split_at(start);
        is_replaced(&line[..at])
            || (folder.is_empty() || folder.ends_with('/'))
                && (is_folder || path.ends_with(known_end(&line[start..at + name.len()])))
                && is_written(before)
    })
}

/// True for the text before a placeholder of sed: `'s/`.
fn is_replaced(before: &str) -> bool {
    let script = ["s|", "s/", "s@"].iter().find_map(|start| before.strip_suffix(start));
    script.is_some_and(|before| before.is_empty() || before.ends_with([' ', '"', '\'', ';']))
}

/// The end of a path after its last variable and last `..`.
fn known_end(path: &str) -> &Path {
    let mut parts = Path::new(path).components();
    let is_unknown = |part: std::path::Component<'_>| {
        let text = part.as_os_str().to_string_lossy();
        matches!(&*text, "." | ".." | "/") || text.contains(['$', '{', '<'])
    };
    while parts.clone().any(is_unknown) {
        parts.next();
    }
    parts.as_path()
}

fn is_written(before: &str) -> bool {
    let is_word = |at: usize| before[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    let text = before.trim_end_matches([' ', '"', '\'', '=']);
    let is_arrow = text.ends_with("->") || text.ends_with("=>");
    !is_arrow && OUTPUT_WORDS.iter().any(|word| text.ends_with(word))
        || WRITING_WORDS.iter().any(|word| before.match_indices(word).any(|(at, _)| is_word(at)))
}

fn is_build_file(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_yaml = Path::new(name).extension().is_some_and(|it| it == "yml" || it == "yaml");
    let is_workflow = folder == ".github/workflows" && is_yaml;
    let is_known = |known: &&str| match known.strip_prefix('*') {
        Some(extension) => name.ends_with(extension),
        None => name == *known,
    };
    let is_in_known_folder = BUILD_FILE_FOLDERS.contains(&folder);
    MAKEFILES.iter().any(|known| name.starts_with(known))
        || is_in_known_folder && (is_workflow || BUILD_FILE_NAMES.iter().any(is_known))
}

/// Reports a build that fails without `--enable-helm` as pending.
pub fn report_charts_as_pending(recording: &Recording, found: &mut [Finding]) {
    let waits = recording.error.as_deref().is_some_and(fails_without_helm_flag);
    let failures = found.iter_mut().filter(|it| waits && it.is_failure());
    for finding in failures {
        finding.replace_failure(BuildRemark::ChartsNotRendered);
    }
}

pub(in crate::answers) fn fails_without_helm_flag(error: &StepError) -> bool {
    matches!(&error.cause, ErrorCause::Fault(fault) if *fault.innermost() == Fault::Plugin(PluginFault::HelmDisabled))
}
