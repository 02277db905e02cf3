//! Flags that the repository's own build files pass to Kustomize. They suggest a setting of the
//! repository.

use std::path::Path;

use super::charts::fails_without_helm_flag;
use crate::answers::Finding;
use crate::engine::diagnostic::{Code, ErrorHint};
use crate::engine::evaluate::StepError;
use crate::engine::load::Files;

/// The folders with build files, relative to the root of the repository.
const BUILD_FILE_FOLDERS: [&str; 6] = ["", ".github/workflows", "hack", "scripts", "ci", "build"];
/// Names of build files; `*` at the beginning is an extension.
const BUILD_FILE_NAMES: [&str; 12] = [
    "Makefile",
    "GNUmakefile",
    "makefile",
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
/// The size limit for a build file.
const MAX_BUILD_FILE_BYTES: usize = 1 << 20;

/// The first locations in build files that pass a flag to Kustomize, as `FILE:LINE`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassedFlags {
    helm: Option<String>,
    load_restrictor: Option<String>,
}

impl PassedFlags {
    /// Reads the build files of a repository.
    pub fn read(root: &Path, files: &dyn Files) -> Self {
        let mut passed = Self::default();
        for folder in BUILD_FILE_FOLDERS {
            let mut names = files.list(&root.join(folder)).unwrap_or_default();
            names.retain(|name| is_build_file(folder, name));
            for name in names {
                let shown = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                let Ok(bytes) = files.read(&root.join(&shown)) else { continue };
                if bytes.len() <= MAX_BUILD_FILE_BYTES {
                    passed.add(&shown, &String::from_utf8_lossy(&bytes));
                }
            }
        }
        passed
    }

    /// The flags of both. If both have a location of the same flag, that of `self` is kept.
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        let load_restrictor = self.load_restrictor.or(other.load_restrictor);
        Self { helm: self.helm.or(other.helm), load_restrictor }
    }

    fn add(&mut self, file: &str, text: &str) {
        let place = |is_it: &dyn Fn(&str) -> bool| {
            let lines = text.lines().enumerate();
            let mut lines = lines.filter(|(_, line)| !line.trim_start().starts_with('#'));
            lines.find(|(_, line)| is_it(line)).map(|(index, _)| format!("{file}:{}", index + 1))
        };
        if self.helm.is_none() {
            self.helm = place(&|line| line.contains("--enable-helm"));
        }
        if self.load_restrictor.is_none() {
            self.load_restrictor = place(&|line| {
                line.contains("--load-restrictor") && line.contains("LoadRestrictionsNone")
            });
        }
    }

    /// Adds a hint to the failure of a build that would succeed with a flag of a build file.
    pub fn add_hint(&self, finding: &mut Finding, error: &StepError) {
        let (place, flag, setting) = if fails_without_helm_flag(error) {
            let setting = "set `enable_helm = true` in .kzui.toml, and list the repository under \
                           `helm-repositories` in your config.toml";
            (&self.helm, "--enable-helm", setting)
        } else if finding.diagnostic.code() == Code::KZ021 {
            let setting = "set `load_restrictor = \"LoadRestrictionsNone\"` in .kzui.toml";
            (&self.load_restrictor, "--load-restrictor", setting)
        } else {
            return;
        };
        let Some(place) = place.clone() else { return };
        // The hint of KZ021 has the same setting.
        let own = error.hint.iter().filter(|_| flag != "--load-restrictor").cloned();
        let hints = own.chain([ErrorHint::PassedFlag { place, flag, setting }.into()]);
        let hints = ErrorHint::All(hints.collect());
        finding.diagnostic = finding.diagnostic.clone().hint(hints);
    }
}

/// True for the name of a build file in one of the known folders.
fn is_build_file(folder: &str, name: &str) -> bool {
    let is_workflow = folder == ".github/workflows"
        && Path::new(name).extension().is_some_and(|it| it == "yml" || it == "yaml");
    is_workflow
        || BUILD_FILE_NAMES.iter().any(|known| match known.strip_prefix('*') {
            Some(extension) => name.ends_with(extension),
            None => name == *known,
        })
}
