//! Argo CD's build options: `kustomize.buildOptions` of its `ConfigMap` `argocd-cm`, if the
//! repository contains it. Options that would let a build read or run more need the user's consent,
//! so they are reported and not applied.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::diagnostic::{DeployedRemark, Diagnostic};
use crate::load::{FileKind, Files, LoadRestrictions};
use crate::yaml::{Limits, Mark, Node, SourceId, parse_documents};

use super::super::build::Build;
use super::super::{BuildOptions, Reorder};
use super::Deployed;

/// The name of the `ConfigMap`, which is also the name of its file.
const NAME: &str = "argocd-cm";
const FIELD: &str = "kustomize.buildOptions";
/// Limit for the folders that are searched.
const MOST_FOLDERS: usize = 2_000;

impl Build<'_> {
    /// Warns of options that Argo CD would build with and this build does not.
    pub(super) fn options_left_out(&mut self, deployed: &Deployed) -> Option<Diagnostic> {
        let files = &self.setup.ports.files;
        let mut found = config_maps(&deployed.repository, &**files);
        found.sort_by_key(|path| (std::cmp::Reverse(shared(path, &deployed.file)), path.clone()));
        let version = deployed.consumer.text(&["spec", "source", "kustomize", "version"]);
        for path in found {
            let source = self.memory.sources.intern(&path.to_string_lossy());
            let bytes = self.setup.files.read(&path).ok()?;
            let Some((options, mark)) = options_in(&bytes, source, version) else { continue };
            let missing = missing(&options, self.setup.options);
            if missing.is_empty() {
                return None;
            }
            let field = (FIELD, NAME);
            let remark = DeployedRemark::BuildOptions { options, field, missing };
            let hint = "give the flags on the command line if you permit them";
            return Some(Diagnostic::new(remark, mark).hint(hint));
        }
        None
    }
}

/// The files of a repository with the name of the `ConfigMap`.
fn config_maps(repository: &Path, files: &dyn Files) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = VecDeque::from([repository.to_owned()]);
    let mut looked_at = 0;
    while let Some(folder) = folders.pop_front().filter(|_| looked_at < MOST_FOLDERS) {
        looked_at += 1;
        for name in files.list(&folder).unwrap_or_default() {
            let path = folder.join(&name);
            let extension = path.extension().and_then(|extension| extension.to_str());
            match extension {
                Some("yaml" | "yml") if name.contains(NAME) => found.push(path),
                _ if name.starts_with('.') || name == "node_modules" => {}
                Some(word) if word.chars().all(char::is_alphabetic) => {}
                _ => {
                    if let Ok((real, FileKind::Directory)) = files.resolve(&path)
                        && real == path
                    {
                        folders.push_back(path);
                    }
                }
            }
        }
    }
    found
}

/// The number of folders that two paths have in common.
fn shared(one: &Path, other: &Path) -> usize {
    one.components().zip(other.components()).take_while(|(a, b)| a == b).count()
}

/// The options that a `ConfigMap` sets for a version of Kustomize, with their location.
fn options_in(bytes: &[u8], source: SourceId, version: &str) -> Option<(String, Mark)> {
    let file = parse_documents(bytes, source, Limits::default()).ok()?;
    file.documents.iter().find_map(|document| {
        let text = |path: &[&str]| document.node.at(path).and_then(Node::text);
        if text(&["kind"]) != Some("ConfigMap") || text(&["metadata", "name"]) != Some(NAME) {
            return None;
        }
        let own = format!("{FIELD}.{version}");
        let data = document.node.get("data")?;
        let found = data.get(&own).or_else(|| data.get(FIELD))?;
        Some((found.text()?.trim().to_owned(), found.mark))
    })
}

/// The options missing from a build, as written.
fn missing(text: &str, options: &BuildOptions) -> Vec<String> {
    let mut words = text.split_whitespace().peekable();
    let mut missing = Vec::new();
    while let Some(word) = words.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, value.to_owned()),
            None if words.peek().is_some_and(|next| !next.starts_with('-')) => {
                (word, words.next().unwrap_or_default().to_owned())
            }
            None => (word, String::new()),
        };
        if !is_given(name, &value, options) {
            let value = if value.is_empty() { value } else { format!(" {value}") };
            missing.push(format!("{name}{value}"));
        }
    }
    missing
}

fn is_given(name: &str, value: &str, options: &BuildOptions) -> bool {
    let is = |on: bool| (value != "false") == on;
    match name {
        "--enable-helm" => is(options.enable_helm),
        "--enable-alpha-plugins" | "--enable_alpha_plugins" => is(options.enable_alpha_plugins),
        "--enable-exec" => is(options.enable_exec),
        "--enable-star" => is(options.functions.enable_star),
        "--network" => is(options.functions.network),
        "--load-restrictor" | "--load_restrictor" => {
            let none = options.load_restrictions == LoadRestrictions::None;
            none == matches!(value, "LoadRestrictionsNone" | "none")
        }
        "--reorder" => match options.reorder {
            Some(Reorder::Legacy) => value == "legacy",
            Some(Reorder::None) => value == "none",
            None => false,
        },
        "--helm-command" => options.helm_command == value,
        "--helm-kube-version" => options.helm_kube_version == value,
        "--helm-api-versions" => options.helm_api_versions.iter().any(|known| known == value),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_is_not_missing() {
        let options = BuildOptions { enable_helm: true, ..BuildOptions::default() };
        let text = "--enable-helm --load-restrictor LoadRestrictionsNone --helm-command=helm3";
        let found = missing(text, &options);
        assert_eq!(found, ["--load-restrictor LoadRestrictionsNone", "--helm-command helm3"]);
        let restrictions = LoadRestrictions::None;
        let options = BuildOptions { load_restrictions: restrictions, ..options };
        assert_eq!(missing("--enable-helm --load-restrictor none", &options), Vec::<String>::new());
    }
}
