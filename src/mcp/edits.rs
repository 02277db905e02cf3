//! Edits of an agent: a unified diff, a new text, or one replaced part of a text.

use std::iter::Peekable;

const NO_DIFF: &str = "no unified diff: `--- a/FILE` and `+++ b/FILE` expected";

/// The edit of one file, in one of three forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditedText {
    /// The complete new text; `None` deletes the file.
    Whole(Option<String>),
    /// A part that occurs exactly once, and its replacement.
    Part {
        old: String,
        new: String,
    },
    Hunks(Vec<Hunk>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The first line in the old text, from 1.
    line: usize,
    lines: Vec<HunkLine>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct HunkLine {
    /// A space for a line that is kept, `-` for a removed and `+` for an added one.
    sign: &'static str,
    text: String,
}

/// The text of a file after an edit; `None` for a deleted file.
///
/// # Errors
/// The message for the agent: the edit does not fit the file.
pub fn edited_text(text: Option<&str>, edit: &EditedText) -> Result<Option<String>, String> {
    match edit {
        EditedText::Whole(new) => Ok(new.clone()),
        EditedText::Part { old, new } => {
            let text = text.ok_or("no such file")?;
            match text.matches(old.as_str()).count() {
                1 if !old.is_empty() => Ok(Some(text.replacen(old.as_str(), new, 1))),
                0 => Err("`old` is not in the file".to_owned()),
                count => Err(format!(
                    "`old` occurs {count} times: add lines around it until it is unique"
                )),
            }
        }
        EditedText::Hunks(hunks) => apply_hunks(text.unwrap_or_default(), hunks).map(Some),
    }
}

/// The text with the hunks applied. Unchanged lines keep their line ends, and added lines get the
/// line end of the text.
fn apply_hunks(text: &str, hunks: &[Hunk]) -> Result<String, String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = String::new();
    let mut at = 0;
    for hunk in hunks {
        let old = hunk.lines.iter().filter(|line| line.sign != "+");
        let old: Vec<&str> = old.map(|line| &*line.text).collect();
        let fits = |start: usize| {
            let own = lines.get(start..start.checked_add(old.len())?)?;
            own.iter().zip(&old).all(|(line, old)| without_line_end(line) == *old).then_some(start)
        };
        // The nearest place after the last hunk, as line numbers of agents are often wrong.
        let wanted = hunk.line.saturating_sub(1);
        let mut starts: Vec<usize> = (at..=lines.len()).collect();
        starts.sort_by_key(|start| start.abs_diff(wanted));
        let found = starts.into_iter().find_map(fits);
        let found = found
            .ok_or_else(|| format!("the hunk at line {} does not match the file", hunk.line))?;
        out.extend(lines.get(at..found).unwrap_or_default().iter().copied());
        at = found;
        for HunkLine { sign, text } in &hunk.lines {
            if *sign == "+" {
                if !out.is_empty() && !out.ends_with('\n') {
                    out.push_str(line_end);
                }
                out.push_str(text);
                out.push_str(line_end);
                continue;
            }
            if *sign == " " {
                out.push_str(lines.get(at).copied().unwrap_or_default());
            }
            at += 1;
        }
    }
    out.extend(lines.get(at..).unwrap_or_default().iter().copied());
    Ok(out)
}

fn without_line_end(line: &str) -> &str {
    line.trim_end_matches(['\r', '\n'])
}

/// The edits of a unified diff, by path.
pub(super) fn parse_diff(diff: &str) -> Result<Vec<(String, EditedText)>, &'static str> {
    let mut files: Vec<(String, EditedText)> = Vec::new();
    let mut old_path: Option<String> = None;
    let mut lines = diff.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(path) = line.strip_prefix("--- ") {
            old_path = Some(diff_path(path));
        } else if let Some(path) = line.strip_prefix("+++ ") {
            let path = diff_path(path);
            if path == "/dev/null" {
                let deleted = old_path.take().ok_or(NO_DIFF)?;
                files.push((deleted, EditedText::Whole(None)));
            } else {
                files.push((path, EditedText::Hunks(Vec::new())));
            }
        } else if let Some(header) = line.strip_prefix("@@ ") {
            let lines = hunk_lines(&mut lines)?;
            match files.last_mut() {
                Some((_, EditedText::Hunks(hunks))) => {
                    hunks.push(Hunk { line: first_line(header), lines });
                }
                Some((_, EditedText::Whole(None))) => {}
                _ => return Err(NO_DIFF),
            }
        }
    }
    if files.is_empty() { Err(NO_DIFF) } else { Ok(files) }
}

/// The lines of a hunk, up to the next header.
fn hunk_lines<'d>(
    lines: &mut Peekable<impl Iterator<Item = &'d str>>,
) -> Result<Vec<HunkLine>, &'static str> {
    let is_body =
        |line: &&str| !["@@ ", "--- ", "diff ", "```"].iter().any(|it| line.starts_with(it));
    let mut all = Vec::new();
    // Agents often leave the space of an empty line out. Empty lines below the hunk are not a part
    // of it.
    let mut empty = 0;
    while let Some(line) = lines.next_if(is_body) {
        let Some((sign, rest)) = line.split_at_checked(1) else {
            empty += 1;
            continue;
        };
        // The note `\ No newline at end of file` is not a line of the text.
        if sign == "\\" {
            continue;
        }
        let sign = [" ", "-", "+"].into_iter().find(|it| *it == sign).ok_or(NO_DIFF)?;
        let kept = HunkLine { sign: " ", text: String::new() };
        all.extend(std::iter::repeat_n(kept, std::mem::take(&mut empty)));
        all.push(HunkLine { sign, text: rest.to_owned() });
    }
    Ok(all)
}

/// The path in a header such as `--- a/FILE<TAB>time`, without `a/` or `b/`.
fn diff_path(text: &str) -> String {
    let path = text.split('\t').next().unwrap_or_default().trim();
    let path = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path);
    path.to_owned()
}

/// The first old line in a header such as `-1,3 +1,4 @@`; 0 if it is not a number.
fn first_line(header: &str) -> usize {
    let old = header.trim_start_matches('-').split([',', ' ']).next().unwrap_or_default();
    old.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_applied_at_its_lines_or_the_nearest_match() {
        let head = "--- a/k.yaml\n+++ b/k.yaml\n@@ ";
        let diff = &*format!("{head}-2,2 +2,2 @@\n b\n-c\n+d\n");
        let kept = &*format!("{head}-1,3 +1,3 @@\n a\n-b\n+d\n c\n");
        // Empty lines below a hunk are not a part of it.
        let fenced = &*format!("```diff\n{head}-1,3 +1,3 @@\n-a\n+c\n\n b\n\n```\n");
        for (text, diff, expected) in [
            ("a\nb\nc\n", diff, "a\nb\nd\n"),
            ("x\na\nb\nc\ne", diff, "x\na\nb\nd\ne"),
            ("a\r\nb\r\nc\r\n", kept, "a\r\nd\r\nc\r\n"),
            ("a\nb\nc", &kept.replace('\n', "\r\n"), "a\nd\nc"),
            ("a\n\nb\n", fenced, "c\n\nb\n"),
        ] {
            let files = parse_diff(diff).unwrap_or_default();
            assert_eq!(edited_text(Some(text), &files[0].1), Ok(Some(expected.to_owned())));
        }
        let files = parse_diff(diff).unwrap_or_default();
        let refusal = "the hunk at line 2 does not match the file";
        assert_eq!(edited_text(Some("a\nb\n"), &files[0].1), Err(refusal.to_owned()));
        assert_eq!(parse_diff("replicas: 3"), Err(NO_DIFF));
    }

    #[test]
    fn files_are_created_and_deleted() {
        let diff = "--- /dev/null\n+++ b/new.yaml\n@@ -0,0 +1 @@\n+a: b\n--- a/old.yaml\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
        let files = parse_diff(diff).unwrap_or_default();
        assert_eq!(edited_text(None, &files[0].1), Ok(Some("a: b\n".to_owned())));
        assert_eq!(files[1], ("old.yaml".to_owned(), EditedText::Whole(None)));
    }
}
