//! The parts of an image reference.

/// The name of an image, and its tag or digest. A `:` before the last `/` belongs to a port.
pub fn name_and_version(image: &str) -> (&str, &str) {
    let (tagged, digest) = image.split_once('@').unwrap_or((image, ""));
    let start = tagged.rfind('/').map_or(0, |at| at + 1);
    match tagged[start..].find(':') {
        Some(at) => (&tagged[..start + at], &tagged[start + at + 1..]),
        None => (tagged, digest),
    }
}

#[cfg(test)]
mod tests {
    use super::name_and_version;

    #[test]
    fn version_is_the_tag_or_else_the_digest() {
        assert_eq!(name_and_version("host:80/a/b:1@sha256:c"), ("host:80/a/b", "1"));
        assert_eq!(name_and_version("a@sha256:c"), ("a", "sha256:c"));
        assert_eq!(name_and_version("host:80/a"), ("host:80/a", ""));
    }
}
