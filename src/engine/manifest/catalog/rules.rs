//! The codes of a catalog's defects (`kzui explain CAT-…`, `kzui catalog lint`), and the oddities
//! that do not prevent its use (B.2).

use crate::diagnostic::{Severity, printable};
use crate::yaml::Mark;

/// The explanation of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatalogRule {
    pub code: &'static str,
    pub severity: Severity,
    pub title: &'static str,
    pub means: &'static str,
    pub action: &'static str,
}

/// The rule of a code.
pub fn catalog_rule(code: &str) -> Option<&'static CatalogRule> {
    CATALOG_RULES.iter().find(|rule| rule.code == code)
}

const fn error(
    code: &'static str,
    title: &'static str,
    means: &'static str,
    action: &'static str,
) -> CatalogRule {
    CatalogRule { code, severity: Severity::Error, title, means, action }
}

const fn warning(
    code: &'static str,
    title: &'static str,
    means: &'static str,
    action: &'static str,
) -> CatalogRule {
    CatalogRule { code, severity: Severity::Warning, title, means, action }
}

/// The rules of all catalog codes, sorted by code.
pub const CATALOG_RULES: &[CatalogRule] = &[
    warning(
        "CAT-API-VERSION",
        "older apiVersion",
        "The catalog has the apiVersion of an older draft of KEP-2906.",
        "Write apiVersion: config.kubernetes.io/v1alpha1.",
    ),
    warning(
        "CAT-CONTROL",
        "control characters in a text",
        "A field contains control characters, which could act on a terminal. They are not shown.",
        "Remove the characters.",
    ),
    error(
        "CAT-DIGEST",
        "file with another digest than in the catalog",
        "The content of a script or program differs from the sha256 in the catalog. Such a file does not run.",
        "Write the new digests with `kzui catalog pin REF --write`, after a review of the change.",
    ),
    warning(
        "CAT-EMPTY",
        "catalog without functions",
        "spec.krmFunctions is empty.",
        "Add a function, or remove the catalog from `catalogs`.",
    ),
    warning(
        "CAT-EXEC-PATH",
        "older form of exec",
        "exec.path, or exec as a list of paths, is a form of older drafts: one program for all platforms.",
        "Write exec.platforms, with bin, os, arch, uri and sha256 for each.",
    ),
    error(
        "CAT-FILE",
        "file that cannot be read",
        "The catalog names a script or program that is missing, cannot be read, or is outside the directory of the catalog.",
        "Correct the path: it is relative to the file of the catalog.",
    ),
    warning(
        "CAT-FILESYSTEM",
        "older name requireFilesystem",
        "requireFilesystem is the name of requireStorageMount in an older draft.",
        "Write requireStorageMount.",
    ),
    warning(
        "CAT-FLOATING",
        "image or script without a digest",
        "An image with a version tag, or a local script, has no sha256. The content of the image can change at any time. A trust decision pins the script; a flag for CI does not.",
        "Add sha256. For files beside the catalog `kzui catalog pin REF --write` writes it.",
    ),
    warning(
        "CAT-KIND-LEVEL",
        "kind beside the versions",
        "kind is written beside versions, as in an older draft.",
        "Move it to names.kind.",
    ),
    warning(
        "CAT-MISSING",
        "required field is missing",
        "KEP-2906 requires the field, because reviewers need it for a decision.",
        "Add the field.",
    ),
    warning(
        "CAT-NETWORK",
        "older name network",
        "network is the name of requireNetwork in an older draft.",
        "Write requireNetwork.",
    ),
    warning(
        "CAT-PLATFORM",
        "older name platform",
        "platform is the name of platforms in an older draft.",
        "Write platforms, a list.",
    ),
    warning(
        "CAT-PLATFORM-TWICE",
        "two programs for one platform",
        "A platform occurs twice. The first program is used.",
        "Remove one of the two.",
    ),
    warning(
        "CAT-RUNTIME-LEVEL",
        "runtime beside the versions",
        "runtime is written beside versions. It applies to the versions without a runtime.",
        "Move it into each version.",
    ),
    warning(
        "CAT-RUNTIMES",
        "several runtimes",
        "A version has several runtimes. Only one is used: container if present, else exec, else starlark.",
        "Keep one.",
    ),
    warning(
        "CAT-SCHEMA-URI",
        "schema as a URI",
        "The schema is a URI, which is not fetched: the configuration of the function is not checked.",
        "Write the schema as openAPIV3Schema.",
    ),
    warning(
        "CAT-SHADOWED",
        "function that is defined twice",
        "The catalog defines a group, version and kind twice. The first definition is used.",
        "Remove one of the two.",
    ),
    warning(
        "CAT-STARLARK-SCHEME",
        "script with the form of an image reference",
        "The location of the script has the form of an image reference after https://. It is read as a web page.",
        "Write oci:// for a registry.",
    ),
    warning(
        "CAT-UNKNOWN",
        "unknown field",
        "No version of the schema has the field. It has no effect.",
        "Correct the name, or remove the field.",
    ),
    error(
        "CAT-UNPINNED",
        "image, program or script that does not run without a digest",
        "An image with a version tag, a program, or a script with a URL has no sha256. It does not run (an image only with --allow-unpinned-images).",
        "Add sha256. For files beside the catalog `kzui catalog pin REF --write` writes it.",
    ),
];

/// An oddity of a catalog that does not prevent its use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogWarning {
    pub oddity: CatalogOddity,
    /// The function concerned (`example.com/Logger`), or `catalog`.
    pub subject: String,
    pub mark: Mark,
}

/// The kinds of oddities. Their texts are made printable, because catalogs may come from strangers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum CatalogOddity {
    /// A field that the schema requires (B.2 #3, #11, #25).
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A script beside the catalog: a decision about trust pins it.
    #[error("script {} has no sha256", printable(.0))]
    FloatingScript(String),
    /// Any other oddity: its code and its printable text.
    #[error("{1}")]
    Other(&'static str, String),
}

impl CatalogOddity {
    /// An oddity with a text of the catalog, which is made printable, between two other texts.
    pub(super) fn of_text(code: &'static str, before: &str, text: &str, after: &str) -> Self {
        Self::Other(code, format!("{before}{}{after}", printable(text)))
    }

    /// The location of a script without a digest that is a path.
    pub fn floating_script(&self) -> Option<&str> {
        match self {
            Self::FloatingScript(path) => Some(path),
            Self::Missing(_) | Self::Other(..) => None,
        }
    }

    /// The code for documentation and messages.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing(_) => "CAT-MISSING",
            Self::FloatingScript(_) => "CAT-FLOATING",
            Self::Other(code, _) => code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_unique() {
        assert!(CATALOG_RULES.is_sorted_by(|one, other| one.code < other.code));
    }
}
