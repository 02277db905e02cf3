//! The text of a path.

/// The segments of the path of a field spec, cut at `/`; `\/` is a slash inside a segment.
pub fn split_path(path: &str) -> Vec<String> {
    let path = path.strip_prefix('/').unwrap_or(path);
    if !path.contains('\\') {
        return path.split('/').map(str::to_owned).collect();
    }
    let mut segments = vec![String::new()];
    let mut rest = path.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '/' => segments.push(String::new()),
            '\\' if rest.peek() == Some(&'/') => {
                rest.next();
                if let Some(last) = segments.last_mut() {
                    last.push('/');
                }
            }
            _ => {
                if let Some(last) = segments.last_mut() {
                    last.push(character);
                }
            }
        }
    }
    segments
}
