//! The flag of the command line that trusts one content.

use crate::load::Digest;

/// The text quoted as one shell word.
pub fn quote_shell_word(text: &str) -> String {
    // A shell word cannot contain NUL: use its visible symbol.
    let text = text.replace('\0', "\u{2400}");
    shlex::try_quote(&text).map_or_else(|_| String::new(), std::borrow::Cow::into_owned)
}

/// The flag that trusts the content of a catalog under a reference.
pub(super) fn trusting_flag(reference: &str, pin: Digest) -> String {
    format!("--trusted-catalog={}", quote_shell_word(&format!("{reference}@{pin}")))
}
