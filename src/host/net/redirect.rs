//! Targets of HTTP redirects, and whether they may be followed.

use crate::engine::load::is_loopback;

/// The URL of a redirect: `location`, which may be relative to the URL `base`. `None` if it is not
/// HTTP or HTTPS.
pub(in crate::host) fn joined(base: &str, location: &str) -> Option<String> {
    let (scheme, _) = base.split_once("://")?;
    if location.starts_with("https://") || location.starts_with("http://") {
        return Some(location.to_owned());
    }
    if let Some(rest) = location.strip_prefix("//") {
        return Some(format!("{scheme}://{rest}"));
    }
    if location.is_empty() || location.contains("://") {
        return None;
    }
    let host = format!("{scheme}://{}", authority(base));
    if location.starts_with('/') {
        return Some(format!("{host}{location}"));
    }
    let path = base.strip_prefix(&host)?.split(['?', '#']).next()?;
    let folder = path.rfind('/').map_or("", |slash| &path[..slash]);
    Some(format!("{host}{folder}/{location}"))
}

pub(in crate::host) fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// Accepts or refuses a redirect between two URLs: HTTPS leads only to HTTPS, and only a server on
/// this machine may lead to plain HTTP on this machine.
pub(in crate::host) fn check_redirect(from: &str, to: &str) -> Result<(), String> {
    let is_local = |url: &str| is_loopback(authority(url));
    let refused = authority(to).contains('@')
        || (to.starts_with("http://")
            && !(from.starts_with("http://") && is_local(from) && is_local(to)))
        || (!is_local(from) && is_local(to));
    if refused {
        return Err(format!("Get {from:?}: redirect to {to:?} is not followed"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::host::net::redirect::*;

    #[test]
    fn redirects_to_less_secure_urls_are_refused() {
        assert!(check_redirect("https://a.co/x", "https://b.co/y").is_ok());
        assert!(check_redirect("https://a.co/x", "http://a.co/x").is_err());
        assert!(check_redirect("http://127.0.0.1:1/x", "http://localhost:2/x").is_ok());
        assert!(check_redirect("http://127.0.0.1:1/x", "http://a.co/x").is_err());
        assert!(check_redirect("https://a.co/x", "https://localhost/x").is_err());
        assert!(check_redirect("https://a.co/x", "https://u:p@b.co/x").is_err());
        let base = "https://a.co/d/c.yaml?x";
        assert_eq!(joined(base, "e.yaml").as_deref(), Some("https://a.co/d/e.yaml"));
        assert_eq!(joined(base, "/e.yaml").as_deref(), Some("https://a.co/e.yaml"));
        assert_eq!(joined(base, "file:///etc/passwd"), None);
    }
}
