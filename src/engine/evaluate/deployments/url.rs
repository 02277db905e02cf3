//! URLs of repositories, for comparison.

/// The identity of a source, for comparison with other sources.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::evaluate) enum SourceIdentity {
    /// A normalized URL.
    Url(String),
    /// Kind and name of a source that no file of the repository has.
    Undefined(String, String),
}

/// The URL without scheme, user, SSH port and `.git`, so that two URLs of one repository are equal.
pub(in crate::evaluate) fn normal_url(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = rest.split_once('@').filter(|(user, _)| !user.contains('/')).map_or(rest, |it| it.1);
    let (host, path) = if scheme.is_empty() {
        rest.split_once(':').or_else(|| rest.split_once('/')).unwrap_or((rest, ""))
    } else {
        rest.split_once('/').unwrap_or((rest, ""))
    };
    let host = host.split(':').next().unwrap_or(host);
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    format!("{}/{path}", host.to_ascii_lowercase()).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::normal_url;

    #[test]
    fn spellings_of_one_url_are_equal() {
        for url in [
            "https://github.com/Org/Repo",
            "https://user:word@github.com/org/repo.git",
            "ssh://git@github.com/org/repo.git",
            "ssh://git@github.com:22/org/repo",
            "git@github.com:org/repo.git",
            "github.com/org/repo/",
        ] {
            assert_eq!(normal_url(url), "github.com/org/repo", "{url}");
        }
        assert_ne!(normal_url("https://github.com/org/other"), "github.com/org/repo");
    }
}
