//! What somebody says of the Kustomize that a build is like, and that cannot be used.

use std::fmt;

/// Why what is said of the Kustomize of a build cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileFault {
    /// Where it is said: a file, a flag, a variable of the environment.
    pub place: String,
    /// What is wrong.
    pub cause: ProfileCause,
}

/// What can be wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileCause {
    /// No version of Kustomize, and no program that has one in it, is called so.
    Unknown {
        /// The name.
        name: String,
        /// The names that were probably meant, the nearest first.
        near: Vec<&'static str>,
    },
    /// A file of a tree is no TOML, or says what is not for it to say.
    File {
        /// The line, 1-based.
        line: usize,
        /// In the words of the reader of TOML.
        reason: String,
    },
}

impl fmt::Display for ProfileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        match &self.cause {
            ProfileCause::Unknown { name, near } => {
                write!(f, "{place}: no version of Kustomize is called {name:?}; ")?;
                if near.is_empty() {
                    return f.write_str("`kzui versions` lists the names");
                }
                let near = near.join(", ");
                write!(f, "did you mean one of {near}? `kzui versions` lists all names")
            }
            ProfileCause::File { line, reason } => write!(
                f,
                "{place}:{line}: {reason}; this file says `like = \"…\"`, and `like` for folders under `[folders]`: what is \
                 read, fetched, trusted or run is said on the command line or in your own config file"
            ),
        }
    }
}
