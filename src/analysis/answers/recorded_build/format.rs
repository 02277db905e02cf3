//! The file of a recorded build: JSON with a version; and the options from the flags in it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::engine::evaluate::{BuildOptions, Reorder, SettingsReader};
use crate::engine::load::LoadRestrictions;
use crate::engine::plugin::{FunctionOptions, HelmFlags};
use crate::engine::profile::Profile;
use crate::repository::repository_settings;

pub const RECORDING_VERSION: u32 = 1;
/// The first key of the file, by which it is recognised.
const VERSION_KEY: &str = "\"kzuiRecording\"";
/// The number of bytes in which the first key is expected.
const KEY_BYTES: usize = 64;
pub(super) const TREE: &str = "tree";
pub(super) const CLONES: &str = "clones";

/// Explains the masked values to a reader of the file.
pub(super) const NOTICE: &str = "The inputs of one build. Values of Secrets are replaced by `<secret …>`, in files, downloads \
     and outputs of programs; equal values have equal replacements. Names, keys, comments and all other values are not \
     replaced: read the file before you send it. Hashes in names of Secrets differ from the original.";

/// A build that can be repeated without its files, the network and the programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedBuild {
    pub kzui_recording: u32,
    pub kzui_version: String,
    pub notice: String,
    /// The files, downloads and programs with masked values.
    pub masked: Vec<String>,
    /// The target, relative to the folder `tree`.
    pub target: String,
    pub flags: Vec<String>,
    /// The files that the build read, and the folders without such a file.
    pub files: Vec<RecordedFile>,
    pub downloads: Vec<RecordedDownload>,
    /// The git repositories of the build; their files are in `files`, below `clones`.
    pub clones: Vec<RecordedClone>,
    /// The outputs of helm, functions and plugins, in the order of the build.
    pub programs: Vec<RecordedProgram>,
}

/// A file or an empty folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFile {
    /// The path, with `/`: below `tree` or `clones/NUMBER`.
    pub path: String,
    /// The content; absent for a folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<RecordedContent>,
}

/// Bytes, as text if they are text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RecordedContent {
    Text(String),
    Base64(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedDownload {
    pub url: String,
    pub status: u16,
    pub reason: String,
    pub content: RecordedContent,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedClone {
    pub repository: String,
    pub reference: String,
    pub submodules: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedProgram {
    pub command: String,
    pub arguments: Vec<String>,
    /// The digest of its input, after values were masked.
    pub input_digest: String,
    pub status: Option<i32>,
    pub output: RecordedContent,
    pub messages: RecordedContent,
}

/// The words about a file that cannot be opened as a recording.
pub(super) fn damaged(reason: impl Display) -> String {
    format!("the recording is damaged: {reason}; help: ask for the file again")
}

impl RecordedContent {
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Base64(STANDARD.encode(bytes)),
        }
    }

    /// The bytes; `None` for invalid Base64.
    fn decode(&self) -> Option<Arc<[u8]>> {
        match self {
            Self::Text(text) => Some(text.as_bytes().into()),
            Self::Base64(text) => Some(STANDARD.decode(text).ok()?.into()),
        }
    }

    /// The bytes of content that was checked when it was read.
    pub(super) fn bytes(&self) -> Arc<[u8]> {
        self.decode().unwrap_or_default()
    }
}

impl RecordedBuild {
    pub fn is_recording(bytes: &[u8]) -> bool {
        let start =
            String::from_utf8_lossy(bytes.get(..KEY_BYTES.min(bytes.len())).unwrap_or_default());
        start
            .trim_start()
            .strip_prefix('{')
            .is_some_and(|rest| rest.trim_start().starts_with(VERSION_KEY))
    }

    /// Reads a recording.
    ///
    /// # Errors
    /// A newer version; no JSON of this format; a path that leads out of the recording, or two
    /// files of one path.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Header {
            kzui_recording: u32,
        }
        // A newer version may have another form, so its version is read first.
        let header: Header = serde_json::from_slice(bytes).map_err(damaged)?;
        if header.kzui_recording == 0 {
            return Err(damaged("version 0 does not exist"));
        }
        if header.kzui_recording > RECORDING_VERSION {
            return Err(format!(
                "the recording has version {} of the format, and this kzui reads up to version {RECORDING_VERSION}: open it with a newer kzui",
                header.kzui_recording
            ));
        }
        let build: Self = serde_json::from_slice(bytes).map_err(damaged)?;
        build.check()?;
        Ok(build)
    }

    fn check(&self) -> Result<(), String> {
        let damaged = |what: &str, name: &str| Err(damaged(format!("{what}: {name:?}")));
        let mut files: BTreeMap<&Path, Option<&RecordedContent>> = BTreeMap::new();
        for file in &self.files {
            let path = Path::new(&file.path);
            let is_inside = (path.starts_with(TREE) || path.starts_with(CLONES)) && is_plain(path);
            if !is_inside {
                return damaged("a path leads out of the recording", &file.path);
            }
            let content = file.content.as_ref();
            if files.insert(path, content).is_some() {
                return damaged("two files have one path", &file.path);
            }
            if content.is_some_and(|content| content.decode().is_none()) {
                return damaged("invalid Base64", &file.path);
            }
        }
        let is_below_file = |file: &&RecordedFile| {
            let mut above = Path::new(&file.path).ancestors().skip(1);
            above.any(|folder| files.get(folder).is_some_and(Option::is_some))
        };
        if let Some(file) = self.files.iter().find(is_below_file) {
            return damaged("a file is below another file", &file.path);
        }
        let target = self.target.split('#').next().unwrap_or_default();
        if !target.is_empty() && !is_plain(Path::new(target)) {
            return damaged("the target is not in the recording", &self.target);
        }
        let downloads = self.downloads.iter().map(|it| (&it.url, &it.content));
        let programs = self.programs.iter().map(|it| (&it.command, &it.output));
        match downloads.chain(programs).find(|(_, content)| content.decode().is_none()) {
            Some((name, _)) => damaged("invalid Base64", name),
            None => Ok(()),
        }
    }

    /// The files and empty folders by relative path, to be unpacked; no content is a folder.
    pub fn unpacked_files(&self) -> impl Iterator<Item = (&Path, Option<Arc<[u8]>>)> {
        self.files
            .iter()
            .map(|file| (Path::new(&file.path), file.content.as_ref().map(RecordedContent::bytes)))
    }

    pub fn target_below(&self, folder: &Path) -> String {
        let tree = folder.join(TREE);
        let (path, object) = match self.target.split_once('#') {
            Some((path, object)) => (path, format!("#{object}")),
            None => (&*self.target, String::new()),
        };
        let path = if path.is_empty() { tree } else { tree.join(path) };
        format!("{}{object}", path.to_string_lossy())
    }

    /// The folder of the user's files in a folder with the unpacked files.
    pub fn tree_below(&self, folder: &Path) -> PathBuf {
        folder.join(TREE)
    }
}

/// True for a relative path without `..`.
fn is_plain(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

impl RecordedBuild {
    /// The options with which the build is repeated: without fetching, and a function that may
    /// not run is pending. Trust is a decision of the reader, and is not set.
    ///
    /// # Errors
    /// A flag is unknown or has a value that is not valid.
    pub fn options(&self) -> Result<BuildOptions, String> {
        let mut options = offline_options();
        for word in &self.flags {
            let unknown = || damaged(format!("unknown flag: {word}"));
            set_flag(&mut options, word).ok_or_else(unknown)?;
        }
        Ok(options)
    }
}

/// The options of a build without flags, as for a headless command that does not fetch.
pub fn offline_options() -> BuildOptions {
    let functions = FunctionOptions { offline: true, waits: true, ..FunctionOptions::default() };
    let settings = SettingsReader::new(repository_settings);
    let helm = HelmFlags { command: "helm".to_owned(), ..HelmFlags::default() };
    BuildOptions {
        profile: Profile::latest(),
        settings,
        helm,
        functions,
        ..BuildOptions::default()
    }
}

/// Sets the option of one flag; `None` if the flag or its value is unknown.
fn set_flag(options: &mut BuildOptions, word: &str) -> Option<()> {
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    match name {
        "--like" => *options = options.like(Profile::named(value)?),
        "--enable-alpha-plugins" => {
            options.enable_alpha_plugins = true;
            options.enable_helm = true;
        }
        "--enable-exec" => options.enable_exec = true,
        "--enable-helm" => options.enable_helm = true,
        "--helm-debug" => options.helm.debug = true,
        "--network" => options.functions.network = true,
        "--as-current-user" => options.functions.as_current_user = true,
        "--enable-star" => options.functions.enable_star = true,
        "--enable-managedby-label" => options.managed_by_label = true,
        "--load-restrictor" => {
            options.load_restrictions = match value {
                "LoadRestrictionsRootOnly" | "" => LoadRestrictions::RootOnly,
                "LoadRestrictionsNone" => LoadRestrictions::None,
                _ => return None,
            }
        }
        "--reorder" => {
            options.reorder = match value {
                "legacy" => Some(Reorder::Legacy),
                "none" => Some(Reorder::None),
                _ => return None,
            }
        }
        "--helm-command" => value.clone_into(&mut options.helm.command),
        "--helm-kube-version" => value.clone_into(&mut options.helm.kube_version),
        "--helm-api-versions" => options.helm.api_versions.push(value.to_owned()),
        "--network-name" => value.clone_into(&mut options.functions.network_name),
        "--env" => options.functions.env.push(value.to_owned()),
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_path(path: &str) -> String {
        let file = RecordedFile {
            path: path.to_owned(),
            content: Some(RecordedContent::Text(String::new())),
        };
        let build = RecordedBuild {
            kzui_recording: RECORDING_VERSION,
            files: vec![file],
            ..RecordedBuild::default()
        };
        serde_json::to_string(&build).unwrap()
    }

    #[test]
    fn newer_files_and_paths_outside_are_refused() {
        let good = with_path("tree/a");
        assert!(RecordedBuild::is_recording(good.as_bytes()));
        assert!(RecordedBuild::parse(good.as_bytes()).is_ok());
        for path in ["/tree/a", "tree/../../a", "../tree", "a", ""] {
            let read = RecordedBuild::parse(with_path(path).as_bytes());
            assert!(read.unwrap_err().contains("damaged"), "{path}");
        }
        let newer = RecordedBuild::parse(br#"{"kzuiRecording": 2, "files": "another form"}"#);
        assert!(newer.unwrap_err().contains("version 2"));
        let long = RecordedBuild { target: "../a".to_owned(), ..RecordedBuild::default() };
        assert!(long.check().is_err());
        assert!(!RecordedBuild::is_recording(b"apiVersion: v1\nkind: List\n"));
    }
}
