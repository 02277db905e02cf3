//! Digests of programs and images (B.6), and the flag that trusts one content.

use crate::diagnostic::RefusalCause;
use crate::load::{Digest, ImageReference, TagClass};
use crate::manifest::CatalogContainer;

use super::super::resolve::DIGESTS_DIFFER;

/// The policy for images that are not pinned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PinPolicy {
    /// `--allow-unpinned-images`: a version tag without a digest is a warning (D-B19).
    pub allow_unpinned: bool,
    /// `--require-pinned`: an image with neither a digest nor a version tag is an error (D-B10).
    pub require_pinned: bool,
}

/// The image that runs for a container of a catalog, with its digest if known, so that the
/// container engine verifies it; and for an image without a digest, the reason why it is rejected
/// if images must be pinned.
///
/// # Errors
/// A version tag without digest, a floating tag under `--require-pinned`, two digests that differ.
pub(super) fn pin_image(
    container: &CatalogContainer,
    policy: PinPolicy,
) -> Result<(String, Option<String>), RefusalCause> {
    let written = &container.image;
    let image = ImageReference::parse(written);
    let by_digest = |digest: Digest| (format!("{}@{digest}", image.name), None);
    let (why, remedy, is_allowed) = match (image.tag_class(), container.sha256) {
        (TagClass::Digest, expected) => {
            let own = image.digest.as_deref().and_then(Digest::parse);
            let own = own.ok_or_else(|| {
                format!("image '{written}': its digest is not sha256 with 64 hexadecimal digits")
            })?;
            if expected.is_some_and(|expected| expected != own) {
                return Err(DIGESTS_DIFFER.to_owned().into());
            }
            return Ok(by_digest(own));
        }
        (_, Some(digest)) => return Ok(by_digest(digest)),
        (TagClass::Semver, None) => (
            format!(
                "container image '{written}' has a version tag but no sha256; the catalog must pin it"
            ),
            "write the digest of the image in the catalog, or allow the tag with --allow-unpinned-images",
            policy.allow_unpinned,
        ),
        (TagClass::Floating, None) => (
            format!("image '{written}' is not pinned"),
            "write the digest of the image in the catalog; --require-pinned refuses others",
            true,
        ),
    };
    if policy.require_pinned || !is_allowed {
        return Err(RefusalCause::Other { text: why, remedy: Some(remedy) });
    }
    Ok((written.clone(), Some(why)))
}

/// The text quoted as one shell word.
pub fn quote_shell_word(text: &str) -> String {
    // A shell word cannot contain NUL: use its visible symbol.
    let text = text.replace('\0', "\u{2400}");
    shlex::try_quote(&text).map_or_else(|_| String::new(), std::borrow::Cow::into_owned)
}

pub(super) fn trusting_flag(reference: &str, pin: Digest) -> String {
    format!("--trusted-catalog={}", quote_shell_word(&format!("{reference}@{pin}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An image runs by the digest in the catalog or in its reference; the policy decides about an
    /// image without a digest.
    #[test]
    fn the_table_of_digests_holds() {
        let digest = Digest::compute(b"x");
        let other = Digest::compute(b"y");
        let strict = PinPolicy::default();
        let allow = PinPolicy { allow_unpinned: true, ..strict };
        let require = PinPolicy { require_pinned: true, ..strict };
        let by_digest = format!("r.io/f@{digest}");
        let cases = [
            ("r.io/f:v1.0".to_owned(), Some(digest), strict, Ok((by_digest.clone(), false))),
            ("r.io/f:v1.0".to_owned(), None, strict, Err("must pin it")),
            ("r.io/f:v1.0".to_owned(), None, allow, Ok(("r.io/f:v1.0".to_owned(), true))),
            (by_digest.clone(), None, require, Ok((by_digest.clone(), false))),
            (by_digest.clone(), Some(digest), strict, Ok((by_digest.clone(), false))),
            (
                by_digest.clone(),
                Some(other),
                strict,
                Err("the digest in the image and its sha256 differ"),
            ),
            ("r.io/f".to_owned(), Some(digest), strict, Ok((by_digest, false))),
            ("r.io/f:unstable".to_owned(), None, strict, Ok(("r.io/f:unstable".to_owned(), true))),
            ("r.io/f:unstable".to_owned(), None, require, Err("is not pinned")),
        ];
        for (image, sha256, policy, expected) in cases {
            let container =
                CatalogContainer { image: image.clone(), sha256, ..CatalogContainer::default() };
            match (pin_image(&container, policy), expected) {
                (Ok((pinned, unpinned)), Ok(expected)) => {
                    assert_eq!((pinned, unpinned.is_some()), expected, "{image}");
                }
                (Err(error), Err(part)) => {
                    assert!(error.to_string().contains(part), "{image}: {error}");
                }
                (found, _) => panic!("{image}: {found:?}"),
            }
        }
    }
}
