//! The version profile of a build: the flag, the environment, the repository's file, the user's
//! settings, in this order.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::engine::diagnostic::{ProfileCause, ProfileFault};
use crate::engine::evaluate::{BuildOptions, OwnProfile};
use crate::engine::load::Files;
use crate::engine::profile::{LATEST, Profile};

/// The file in which a repository sets the version profiles of its folders.
pub const REPOSITORY_FILE: &str = ".kzui.toml";

/// The settings outside the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Like {
    /// `KZUI_LIKE`
    pub environment: Option<String>,
    /// `like` in the user's config file.
    pub user: Option<String>,
}

/// `.kzui.toml`. The file is in a tree that may be untrusted: it cannot set files to read,
/// downloads, trust or programs to run.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RepositoryFile {
    like: Option<String>,
    #[serde(default)]
    folders: BTreeMap<String, Folder>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Folder {
    like: String,
}

/// The profile of a build in this directory, an absolute path.
///
/// # Errors
/// The name is no profile, or `.kzui.toml` has a field that it may not have.
pub fn profile_of(
    flag: Option<&str>,
    like: &Like,
    directory: &Path,
    files: &dyn Files,
) -> Result<Profile, ProfileFault> {
    if let Some(name) = flag {
        return named(name, "--like");
    }
    if let Some(name) = &like.environment {
        return named(name, "KZUI_LIKE");
    }
    if let Some((name, file)) = of_repository(directory, files)? {
        return named(&name, &file);
    }
    match &like.user {
        Some(name) => named(name, "like, in the config file"),
        None => named(LATEST, ""),
    }
}

/// The options for many targets: each target sets its own profile, unless the flag or the
/// environment sets it for all.
pub fn for_each_target(options: BuildOptions, flag: Option<&str>, like: &Like) -> BuildOptions {
    if flag.is_some() || like.environment.is_some() {
        return options;
    }
    let profile = like.user.as_deref().and_then(Profile::named).unwrap_or_else(Profile::latest);
    BuildOptions { profile, own_profile: OwnProfile::told_by(own_profile), ..options }
}

/// The profile with this name; `place` is where the name is written.
pub(super) fn named(name: &str, place: &str) -> Result<Profile, ProfileFault> {
    Profile::named(name).ok_or_else(|| {
        let cause = ProfileCause::Unknown { name: name.to_owned(), near: Profile::nearest(name) };
        ProfileFault { place: place.to_owned(), cause }
    })
}

/// The version that the nearest `.kzui.toml` sets for a directory, and the path of that file. The
/// search goes up to the root of the repository. A file above the directory that another user could
/// have put in that place is skipped.
fn of_repository(
    directory: &Path,
    files: &dyn Files,
) -> Result<Option<(String, String)>, ProfileFault> {
    let Ok(directory) = files.resolve(directory).map(|(path, _)| path) else { return Ok(None) };
    for above in directory.ancestors() {
        let path = above.join(REPOSITORY_FILE);
        let is_in_git =
            || above.ancestors().any(|around| files.resolve(&around.join(".git")).is_ok());
        let counts = || above == directory || files.trusts_settings(&path, &directory, is_in_git());
        if let Some(bytes) = files.read(&path).ok().filter(|_| counts()) {
            let shown = path.display().to_string();
            let file = parse(&String::from_utf8_lossy(&bytes), &shown)?;
            let below = directory.strip_prefix(above).unwrap_or(Path::new(""));
            return Ok(file.for_folder(below).map(|name| (name, shown)));
        }
        if files.resolve(&above.join(".git")).is_ok() {
            break;
        }
    }
    Ok(None)
}

/// The profile that `.kzui.toml` sets for a directory, in the files of its build.
pub(super) fn own_profile(
    directory: &Path,
    files: &dyn Files,
) -> Result<Option<Profile>, ProfileFault> {
    let said = of_repository(directory, files)?;
    said.map(|(name, file)| named(&name, &file)).transpose()
}

fn parse(text: &str, path: &str) -> Result<RepositoryFile, ProfileFault> {
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text.get(..start).map_or(1, |before| before.matches('\n').count() + 1);
        let reason = error.message().lines().next().unwrap_or_default().to_owned();
        ProfileFault { place: path.to_owned(), cause: ProfileCause::File { line, reason } }
    })
}

impl RepositoryFile {
    /// The deepest folder counts that the directory is in.
    fn for_folder(&self, below: &Path) -> Option<String> {
        let around =
            self.folders.iter().filter(|(folder, _)| below.starts_with(folder.trim_matches('/')));
        let nearest = around.max_by_key(|(folder, _)| Path::new(folder).components().count());
        nearest.map(|(_, folder)| folder.like.clone()).or_else(|| self.like.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::load::MemoryFiles;

    fn build_of(text: &str, directory: &str, flag: Option<&str>, like: &Like) -> String {
        let files = MemoryFiles::default()
            .file("/r/.kzui.toml", text)
            .file("/r/a/b/kustomization.yaml", "")
            .file("/r/own/.git/HEAD", "")
            .file("/r/own/k/kustomization.yaml", "");
        match profile_of(flag, like, Path::new(directory), &files) {
            Ok(profile) => profile.name().to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_nearest_word_counts() {
        let text = "like = \"v5.6.0\"\n[folders]\n\"a\" = { like = \"argocd-3.2\" }\n";
        let none = Like::default();
        let user = Like { user: Some("master".into()), ..Like::default() };
        let both = Like { environment: Some("v5.5.0".into()), ..user.clone() };
        assert_eq!(build_of(text, "/r", None, &none), "v5.6.0");
        assert_eq!(build_of(text, "/r/a/b", None, &user), "argocd-3.2");
        assert_eq!(build_of(text, "/r/a/b", None, &both), "v5.5.0");
        assert_eq!(build_of(text, "/r/a/b", Some("kubectl-1.34"), &both), "kubectl-1.34");
        assert_eq!(build_of(text, "/r/own/k", None, &user), "master", "another repository");
        assert_eq!(build_of("", "/r/a", None, &none), "latest");
    }

    #[test]
    fn a_file_of_the_tree_says_nothing_else() {
        let said =
            build_of("like = \"v5.6.0\"\nenable-exec = true\n", "/r/a", None, &Like::default());
        assert!(said.starts_with("/r/.kzui.toml:2: unknown field `enable-exec`"), "{said}");
        let said = build_of("like = \"v5.9.0\"\n", "/r/a", None, &Like::default());
        assert!(said.starts_with("/r/.kzui.toml: no version of Kustomize is called \"v5.9.0\"; did you mean one of v5.8.0"), "{said}");
    }
}
