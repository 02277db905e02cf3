//! Names of images and OCI artifacts (B.6, B.8).

/// The name of an image or artifact: `registry/repository[:tag][@sha256:…]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageReference {
    /// Everything before tag and digest.
    pub name: String,
    pub tag: Option<String>,
    /// The digest as written, without `@`.
    pub digest: Option<String>,
}

/// How likely the content of a tag changes (B.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagClass {
    /// `v?MAJOR[.MINOR[.PATCH]][-pre][+build]`
    Semver,
    Digest,
    /// A tag such as `latest` or `unstable`, or no tag.
    Floating,
}

impl ImageReference {
    /// Cuts a name into its parts; every text is some name.
    pub fn parse(text: &str) -> Self {
        let (text, digest) = match text.split_once('@') {
            Some((name, digest)) => (name, Some(digest.to_owned())),
            None => (text, None),
        };
        let last = text.rfind('/').map_or(0, |at| at + 1);
        let (name, tag) = match text[last..].find(':') {
            Some(colon) => (&text[..last + colon], Some(text[last + colon + 1..].to_owned())),
            None => (text, None),
        };
        Self { name: name.to_owned(), tag, digest }
    }

    /// How likely the content of this reference is to change.
    pub fn tag_class(&self) -> TagClass {
        match (&self.digest, &self.tag) {
            (Some(_), _) => TagClass::Digest,
            (None, Some(tag)) if is_semver(tag) => TagClass::Semver,
            (None, _) => TagClass::Floating,
        }
    }
}

fn is_semver(tag: &str) -> bool {
    let tag = tag.strip_prefix('v').unwrap_or(tag);
    let numbers = tag.split(['-', '+']).next().unwrap_or_default();
    let parts: Vec<&str> = numbers.split('.').collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let rest = &tag[numbers.len()..];
    parts.len() <= 3 && parts.iter().all(is_number) && rest.len() != 1
}

#[cfg(test)]
mod tests {
    use super::super::Digest;
    use super::*;

    #[test]
    fn image_names_are_parsed_and_tags_classified() {
        let cases = [
            ("app:v1.0.0", TagClass::Semver),
            ("reg:5000/app", TagClass::Floating),
            ("reg:5000/a/app:1", TagClass::Semver),
            ("app:1.2-rc.1+b", TagClass::Semver),
            ("app:2024x", TagClass::Floating),
            ("app:v1.2.3.4", TagClass::Floating),
            ("app:unstable", TagClass::Floating),
            ("app:v1@sha256:ab", TagClass::Digest),
        ];
        for (text, class) in cases {
            assert_eq!(ImageReference::parse(text).tag_class(), class, "{text}");
        }
        assert_eq!(ImageReference::parse("reg:5000/app:v1@sha256:ab").name, "reg:5000/app");
        let digest = Digest::compute(b"");
        assert!(digest.to_string().starts_with("sha256:e3b0c44298fc"));
        assert_eq!(Digest::parse(&digest.hex().to_uppercase()), Some(digest));
        assert_eq!(Digest::parse("sha256:xyz"), None);
    }
}
