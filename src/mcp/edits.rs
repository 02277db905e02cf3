//! Edits of an agent: a unified diff, a new text, or one replaced part of a text.

use std::fmt;

/// The reason why an edit cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditRefusal {
    /// A hunk does not fit: its first line in the old text.
    Hunk(usize),
    /// The text to replace occurs this many times.
    Occurrences(usize),
    /// The text is not a unified diff.
    NoDiff,
    MissingFile,
}

impl fmt::Display for EditRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hunk(line) => write!(f, "the hunk at line {line} does not match the file"),
            Self::Occurrences(0) => f.write_str("`old` is not in the file"),
            Self::Occurrences(count) => {
                write!(f, "`old` occurs {count} times: add lines around it until it is unique")
            }
            Self::NoDiff => f.write_str("no unified diff: `--- a/FILE` and `+++ b/FILE` expected"),
            Self::MissingFile => f.write_str("no such file"),
        }
    }
}

/// The edited text of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditedText {
    /// The complete new text; `None` deletes the file.
    Whole(Option<String>),
    /// A part that occurs exactly once, and its replacement.
    Part { old: String, new: String },
    /// The lines of the hunks of a unified diff.
    Hunks(Vec<Hunk>),
}

/// A hunk of a unified diff.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The first line in the old text, from 1.
    line: usize,
    old: Vec<String>,
    new: Vec<String>,
}

/// The text of a file after an edit; `None` for a deleted file.
///
/// # Errors
/// The edit does not fit the text.
pub fn edited_text(text: Option<&str>, edit: &EditedText) -> Result<Option<String>, EditRefusal> {
    match edit {
        EditedText::Whole(new) => Ok(new.clone()),
        EditedText::Part { old, new } => {
            let text = text.ok_or(EditRefusal::MissingFile)?;
            match text.matches(old.as_str()).count() {
                1 if !old.is_empty() => Ok(Some(text.replacen(old.as_str(), new, 1))),
                count => Err(EditRefusal::Occurrences(count)),
            }
        }
        EditedText::Hunks(hunks) => with_hunks(text.unwrap_or_default(), hunks).map(Some),
    }
}

/// A text with the hunks of a diff applied.
fn with_hunks(text: &str, hunks: &[Hunk]) -> Result<String, EditRefusal> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut out = String::new();
    let mut at = 0;
    for hunk in hunks {
        let fits = |start: usize| {
            let own = lines.get(start..start.checked_add(hunk.old.len())?)?;
            let is_same = |(line, old): (&&str, &String)| line.trim_end_matches('\n') == old;
            own.iter().zip(&hunk.old).all(is_same).then_some(start)
        };
        // The nearest place after the last hunk, as line numbers of agents are often wrong.
        let wanted = hunk.line.saturating_sub(1);
        let mut starts: Vec<usize> = (at..=lines.len()).collect();
        starts.sort_by_key(|start| start.abs_diff(wanted));
        let found = starts.into_iter().find_map(fits).ok_or(EditRefusal::Hunk(hunk.line))?;
        out.extend(lines.get(at..found).unwrap_or_default().iter().copied());
        if !out.is_empty() && !out.ends_with('\n') && !hunk.new.is_empty() {
            out.push('\n');
        }
        for line in &hunk.new {
            out.push_str(line);
            out.push('\n');
        }
        at = found + hunk.old.len();
    }
    out.extend(lines.get(at..).unwrap_or_default().iter().copied());
    Ok(out)
}

/// The edits of a unified diff, by path.
pub(super) fn parse_diff(diff: &str) -> Result<Vec<(String, EditedText)>, EditRefusal> {
    let mut files: Vec<(String, EditedText)> = Vec::new();
    let mut old_path: Option<String> = None;
    let mut lines = diff.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(path) = line.strip_prefix("--- ") {
            old_path = Some(diff_path(path));
        } else if let Some(path) = line.strip_prefix("+++ ") {
            let path = diff_path(path);
            if path == "/dev/null" {
                let deleted = old_path.take().ok_or(EditRefusal::NoDiff)?;
                files.push((deleted, EditedText::Whole(None)));
            } else {
                files.push((path, EditedText::Hunks(Vec::new())));
            }
        } else if let Some(header) = line.strip_prefix("@@ ") {
            let mut hunk = Hunk { line: first_line(header), ..Hunk::default() };
            let is_body = |line: &&str| {
                !line.starts_with("@@ ") && !line.starts_with("--- ") && !line.starts_with("diff ")
            };
            while let Some(line) = lines.next_if(is_body) {
                match line.split_at_checked(1) {
                    Some((" ", rest)) => {
                        hunk.old.push(rest.to_owned());
                        hunk.new.push(rest.to_owned());
                    }
                    Some(("-", rest)) => hunk.old.push(rest.to_owned()),
                    Some(("+", rest)) => hunk.new.push(rest.to_owned()),
                    // `\ No newline at end of file`
                    Some(("\\", _)) => {}
                    // Agents often leave the space of an empty line out.
                    None => {
                        hunk.old.push(String::new());
                        hunk.new.push(String::new());
                    }
                    Some(_) => return Err(EditRefusal::NoDiff),
                }
            }
            match files.last_mut() {
                Some((_, EditedText::Hunks(hunks))) => hunks.push(hunk),
                Some((_, EditedText::Whole(None))) => {}
                _ => return Err(EditRefusal::NoDiff),
            }
        }
    }
    if files.is_empty() { Err(EditRefusal::NoDiff) } else { Ok(files) }
}

/// The path of `--- a/FILE<TAB>time`.
fn diff_path(text: &str) -> String {
    let path = text.split('\t').next().unwrap_or_default().trim();
    let path = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path);
    path.to_owned()
}

/// The first old line of `-1,3 +1,4 @@`.
fn first_line(header: &str) -> usize {
    let old = header.trim_start_matches('-').split([',', ' ']).next().unwrap_or_default();
    old.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text after the first file of a diff is applied to it.
    fn applied(text: &str, diff: &str) -> Result<Option<String>, EditRefusal> {
        let files = parse_diff(diff)?;
        edited_text(Some(text), &files[0].1)
    }

    #[test]
    fn a_diff_is_applied_at_its_lines_or_the_nearest_match() {
        let diff = "--- a/k.yaml\n+++ b/k.yaml\n@@ -2,2 +2,2 @@\n b\n-c\n+d\n";
        assert_eq!(applied("a\nb\nc\n", diff), Ok(Some("a\nb\nd\n".to_owned())));
        assert_eq!(applied("x\na\nb\nc\ne", diff), Ok(Some("x\na\nb\nd\ne".to_owned())));
        assert_eq!(applied("a\nb\n", diff), Err(EditRefusal::Hunk(2)));
        assert_eq!(parse_diff("replicas: 3"), Err(EditRefusal::NoDiff));
    }

    #[test]
    fn files_are_created_and_deleted() {
        let diff = "--- /dev/null\n+++ b/new.yaml\n@@ -0,0 +1 @@\n+a: b\n--- a/old.yaml\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
        let files = parse_diff(diff).unwrap_or_default();
        assert_eq!(edited_text(None, &files[0].1), Ok(Some("a: b\n".to_owned())));
        assert_eq!(files[1], ("old.yaml".to_owned(), EditedText::Whole(None)));
    }

    #[test]
    fn a_part_must_be_unique() {
        let part = |old: &str| EditedText::Part { old: old.to_owned(), new: "z".to_owned() };
        assert_eq!(edited_text(Some("ab"), &part("a")), Ok(Some("zb".to_owned())));
        assert_eq!(edited_text(Some("aa"), &part("a")), Err(EditRefusal::Occurrences(2)));
        assert_eq!(edited_text(Some("b"), &part("a")), Err(EditRefusal::Occurrences(0)));
        assert_eq!(edited_text(None, &part("a")), Err(EditRefusal::MissingFile));
    }
}
