//! The settings of a repository's `.kzui.toml`, and the version profile of a build: the flag, the
//! environment, the repository's file, the user's settings, in this order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::engine::diagnostic::ProfileFault;
use crate::engine::evaluate::{BuildOptions, RepositorySettings, SettingsReader};
use crate::engine::load::Files;
use crate::engine::profile::{LATEST, Profile};

pub const REPOSITORY_FILE: &str = ".kzui.toml";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileSettings {
    /// `KZUI_LIKE`
    pub environment: Option<String>,
    /// `like` in the user's config file.
    pub user: Option<String>,
    /// `helm-repositories` in the user's config file: the repositories whose `.kzui.toml` may enable
    /// helm.
    pub helm_repositories: Vec<PathBuf>,
}

/// `.kzui.toml`. The file is in a tree that may be untrusted: it cannot set files to read outside
/// the repository, downloads, trust or programs to run. Its `enable_helm` needs the consent of the
/// user, in the config file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RepositoryFile {
    like: Option<String>,
    load_restrictor: Option<LoadRestrictor>,
    enable_helm: Option<bool>,
    #[serde(default)]
    folders: BTreeMap<String, FolderProfile>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FolderProfile {
    like: Option<String>,
    load_restrictor: Option<LoadRestrictor>,
    enable_helm: Option<bool>,
}

/// `load_restrictor`, with the values of Kustomize's flag. `LoadRestrictionsNone` still forbids
/// files outside the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum LoadRestrictor {
    LoadRestrictionsRootOnly,
    LoadRestrictionsNone,
}

/// The profile of a build in this directory, an absolute path.
pub fn profile_of(
    flag: Option<&str>,
    like: &ProfileSettings,
    directory: &Path,
    files: &dyn Files,
) -> Result<Profile, ProfileFault> {
    if let Some(name) = flag {
        return named(name, "--like");
    }
    if let Some(name) = &like.environment {
        return named(name, "KZUI_LIKE");
    }
    if let Some(profile) = repository_settings(directory, files)?.profile {
        return Ok(profile);
    }
    match &like.user {
        Some(name) => named(name, "`like` in the config file"),
        None => named(LATEST, ""),
    }
}

/// The options for a build of many targets: each target sets its own profile, unless the flag or
/// the environment sets it for all.
pub fn with_target_profiles(
    options: BuildOptions,
    flag: Option<&str>,
    like: &ProfileSettings,
) -> BuildOptions {
    let settings = SettingsReader::new(repository_settings);
    let options = BuildOptions { helm_repositories: like.helm_repositories.clone(), ..options };
    if flag.is_some() || like.environment.is_some() {
        return BuildOptions { settings: settings.with_profile(), ..options };
    }
    let profile = like.user.as_deref().and_then(Profile::named).unwrap_or_else(Profile::latest);
    BuildOptions { profile, settings, ..options }
}

/// The profile with this name; `place` is the source of the name, for the error.
pub fn named(name: &str, place: &str) -> Result<Profile, ProfileFault> {
    Profile::named(name).ok_or_else(|| {
        let near = match Profile::nearest(name).as_slice() {
            [] => "`kzui versions` lists the names".to_owned(),
            near => {
                let near = near.join(", ");
                format!("did you mean one of {near}? `kzui versions` lists all names")
            }
        };
        ProfileFault(format!("{place}: unknown version profile {name:?}; {near}"))
    })
}

/// The settings of the nearest `.kzui.toml` for a directory. The search goes up to the root of the
/// repository. A file above the directory that another user could have put in that place is
/// skipped.
pub fn repository_settings(
    directory: &Path,
    files: &dyn Files,
) -> Result<RepositorySettings, ProfileFault> {
    let Ok((directory, _)) = files.resolve(directory) else {
        return Ok(RepositorySettings::default());
    };
    let is_root = |above: &Path| files.resolve(&above.join(".git")).is_ok();
    for above in directory.ancestors() {
        let path = above.join(REPOSITORY_FILE);
        let repository = || above.ancestors().find(|around| is_root(around));
        let counts = || {
            let is_in_git = repository().is_some();
            above == directory || files.trusts_settings(&path, &directory, is_in_git)
        };
        if let Some(bytes) = files.read(&path).ok().filter(|_| counts()) {
            let shown = path.display().to_string();
            let file = parse(&String::from_utf8_lossy(&bytes), &shown)?;
            let below = directory.strip_prefix(above).unwrap_or(Path::new(""));
            let folder = file.for_folder(below);
            let profile = folder.like.map(|name| named(&name, &shown)).transpose()?;
            // Without a repository, its root is the folder of the settings file.
            let root = repository().unwrap_or(above).to_owned();
            let is_open = folder.load_restrictor == Some(LoadRestrictor::LoadRestrictionsNone);
            let helm = folder.enable_helm.unwrap_or_default().then(|| root.clone());
            return Ok(RepositorySettings { profile, readable: is_open.then_some(root), helm });
        }
        if is_root(above) {
            break;
        }
    }
    Ok(RepositorySettings::default())
}

fn parse(text: &str, path: &str) -> Result<RepositoryFile, ProfileFault> {
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text.get(..start).map_or(1, |before| before.matches('\n').count() + 1);
        let reason = error.message().lines().next().unwrap_or_default().to_owned();
        ProfileFault(format!(
            "{path}:{line}: {reason}; this file sets `like`, `load_restrictor` and `enable_helm`, for all folders or, under `[folders]`, \
             for some; other settings belong on the command line or in your own config file"
        ))
    })
}

impl RepositoryFile {
    /// The settings for a directory, from the deepest folder around it that has a setting.
    fn for_folder(self, below: &Path) -> FolderProfile {
        let Self { like, load_restrictor, enable_helm, folders } = self;
        let own = FolderProfile { like, load_restrictor, enable_helm };
        let mut around: Vec<(String, FolderProfile)> = folders.into_iter().collect();
        around.retain(|(folder, _)| below.starts_with(folder.trim_matches('/')));
        around.sort_by_key(|(folder, _)| Path::new(folder).components().count());
        around.into_iter().fold(own, |outer, (_, inner)| FolderProfile {
            like: inner.like.or(outer.like),
            load_restrictor: inner.load_restrictor.or(outer.load_restrictor),
            enable_helm: inner.enable_helm.or(outer.enable_helm),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::engine::load::MemoryFiles;

    #[test]
    fn nearest_setting_takes_precedence() {
        let text = "like = \"v5.6.0\"\n[folders]\n\"a\" = { like = \"argocd-3.2\" }\n";
        let files = MemoryFiles::default()
            .file("/r/.kzui.toml", text)
            .file("/r/a/b/kustomization.yaml", "")
            .file("/r/own/.git/HEAD", "")
            .file("/r/own/k/kustomization.yaml", "");
        let none = ProfileSettings::default();
        let user = ProfileSettings { user: Some("master".into()), ..none.clone() };
        let both = ProfileSettings { environment: Some("v5.5.0".into()), ..user.clone() };
        // `own` is another repository, and `other` has no settings file.
        for (directory, flag, like, name) in [
            ("/r", None, &none, "v5.6.0"),
            ("/r/a/b", None, &user, "argocd-3.2"),
            ("/r/a/b", None, &both, "v5.5.0"),
            ("/r/a/b", Some("kubectl-1.34"), &both, "kubectl-1.34"),
            ("/r/own/k", None, &user, "master"),
            ("/other", None, &none, "latest"),
        ] {
            let profile = profile_of(flag, like, Path::new(directory), &files).unwrap();
            assert_eq!(profile.name(), name, "{directory} {flag:?}");
        }
    }

    /// The fields that serde lists for an unknown one.
    fn known_fields(text: &str) -> BTreeSet<String> {
        let error = toml::from_str::<RepositoryFile>(text).err().unwrap();
        let (_, expected) = error.message().split_once("expected").unwrap();
        expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn schema_has_the_fields_of_the_file() {
        let schema = include_str!("../../../assets/schemas/repository.json");
        let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
        for (place, text) in [
            ("/properties", "nameless = 1"),
            ("/properties/folders/additionalProperties/properties", "[folders.a]\nnameless = 1"),
        ] {
            let fields = schema.pointer(place).and_then(|place| place.as_object()).unwrap();
            let fields: BTreeSet<String> = fields.keys().cloned().collect();
            assert_eq!(fields, known_fields(text), "{place}");
        }
    }
}
