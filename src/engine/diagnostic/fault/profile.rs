//! Errors of the version profile that a user names.

/// The error of a version profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}:{cause}")]
pub struct ProfileFault {
    /// The source of the profile's name: a file, a flag or an environment variable.
    pub place: String,
    pub cause: ProfileCause,
}

/// The cause of a profile's error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileCause {
    /// The name is neither a version of Kustomize nor a program that embeds one.
    #[error(" unknown version profile {name:?}; {}", similar_names(near))]
    Unknown {
        name: String,
        /// Similar names, the nearest first.
        near: Vec<&'static str>,
    },
    /// A file that is not TOML, or has a key that is not allowed. `reason` is the message of the
    /// parser, and `line` is counted from 1.
    #[error(
        "{line}: {reason}; this file sets `like`, `load_restrictor` and `enable_helm`, for all folders or, under `[folders]`, \
         for some; other settings belong on the command line or in your own config file"
    )]
    File { line: usize, reason: String },
}

fn similar_names(near: &[&str]) -> String {
    if near.is_empty() {
        return "`kzui versions` lists the names".to_owned();
    }
    format!("did you mean one of {}? `kzui versions` lists all names", near.join(", "))
}
