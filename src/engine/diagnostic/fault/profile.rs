//! Errors of the version profile that a user names.

use std::fmt;

/// The error of a version profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileFault {
    /// The source of the profile's name: a file, a flag or an environment variable.
    pub place: String,
    pub cause: ProfileCause,
}

/// The cause of a profile's error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileCause {
    /// The name is neither a version of Kustomize nor a program that embeds one.
    Unknown {
        name: String,
        /// Similar names, the nearest first.
        near: Vec<&'static str>,
    },
    /// A file that is not TOML, or has a key that is not allowed. `reason` is the message of the
    /// parser.
    File {
        /// The line of the error, counted from 1.
        line: usize,
        reason: String,
    },
}

impl fmt::Display for ProfileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        match &self.cause {
            ProfileCause::Unknown { name, near } => {
                write!(f, "{place}: unknown version profile {name:?}; ")?;
                if near.is_empty() {
                    return f.write_str("`kzui versions` lists the names");
                }
                let near = near.join(", ");
                write!(f, "did you mean one of {near}? `kzui versions` lists all names")
            }
            ProfileCause::File { line, reason } => write!(
                f,
                "{place}:{line}: {reason}; this file sets `like`, `load_restrictor` and `enable_helm`, for all folders or, under `[folders]`, \
                 for some; other settings belong on the command line or in your own config file"
            ),
        }
    }
}
