//! The image names that an entry of `images` matches (section 4.6).

use regex::Regex;

use crate::resource::{RegexFault, go_regex, rest_after_dotted};

/// The images that a name matches: `^name(:tag)?(@digest)?$`.
#[derive(Clone, Debug)]
pub(super) enum ImagePattern {
    /// A name without special characters of expressions but the dot; whether only digests of the
    /// algorithm sha256 are recognized.
    Plain(String, bool),
    /// The name is pasted into the expression unchanged, without escaping or grouping; a name that is
    /// no valid expression has no match.
    Expression(Result<Regex, RegexFault>),
}

impl ImagePattern {
    pub(super) fn new(name: &str, only_sha256: bool) -> Self {
        let is_plain =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | ':' | '.');
        if name.chars().all(is_plain) {
            return Self::Plain(name.to_owned(), only_sha256);
        }
        let algorithm = if only_sha256 { "sha256" } else { "[a-zA-Z0-9]+([.+_-][a-zA-Z0-9]+)*" };
        let expression =
            format!("^{name}(:[a-zA-Z0-9_.{{}}-]*)?(@{algorithm}:[a-zA-Z0-9_.{{}}-]*)?$");
        Self::Expression(go_regex(&expression))
    }

    pub(super) fn matches(&self, image: &str) -> bool {
        match self {
            Self::Plain(name, only_sha256) => {
                let rest = rest_after_dotted(name, image);
                rest.is_some_and(|rest| is_tag_and_digest(rest, *only_sha256))
            }
            Self::Expression(expression) => {
                expression.as_ref().is_ok_and(|expression| expression.is_match(image))
            }
        }
    }
}

/// True for a text that matches `(:[a-zA-Z0-9_.{}-]*)?(@ALGORITHM:[a-zA-Z0-9_.{}-]*)?$`.
fn is_tag_and_digest(rest: &str, only_sha256: bool) -> bool {
    let in_tag = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '{' | '}' | '-');
    let rest = rest.strip_prefix(':').map_or(rest, |tag| tag.trim_start_matches(in_tag));
    let Some(digest) = rest.strip_prefix('@') else { return rest.is_empty() };
    let Some((algorithm, hash)) = digest.split_once(':') else { return false };
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric());
    let is_known = if only_sha256 {
        algorithm == "sha256"
    } else {
        algorithm.split(['.', '+', '_', '-']).all(is_word)
    };
    is_known && hash.chars().all(in_tag)
}

/// Splits an image into name, tag and digest. A `:` before the first `/` belongs to a port.
pub(super) fn split(image: &str) -> (String, String, String) {
    let start = image.find('/').unwrap_or(0);
    let rest = &image[start..];
    let at = rest.find('@');
    let colon = rest.find(':').filter(|colon| at.is_none_or(|at| *colon < at));
    let name_end = colon.or(at).map_or(image.len(), |end| start + end);
    let tag_end = at.map_or(image.len(), |at| start + at);
    let tag = colon.map_or("", |colon| &image[start + colon + 1..tag_end]);
    let digest = at.map_or("", |at| &image[start + at + 1..]);
    (image[..name_end].to_owned(), tag.to_owned(), digest.to_owned())
}
