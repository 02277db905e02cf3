//! The report of a bisection as text.

use crate::answers::compare::short_commit_id as short_id;
use crate::answers::headline;
use crate::answers::report::{BisectReport, BisectState};
use crate::display::{counted, line};

/// The commit, the values before and after it, the edits, and the number of builds.
pub(super) fn text(report: &BisectReport) -> String {
    let mut out = String::new();
    match report.suspects.as_slice() {
        [only] => {
            let of =
                if report.target == "." { String::new() } else { format!(" in {}", report.target) };
            let is = report.after.as_ref().map_or("changed", |state| &state.words);
            out.push_str(&line!("{}{of} {is} since this commit\n\n", report.question));
            let merge = if only.parents > 1 { "  (a merge)" } else { "" };
            out.push_str(&line!("commit {}{merge}\n", only.id));
            out.push_str(&line!("author {}\n\n", only.author));
            out.push_str(&line!("    {}\n\n", only.subject));
            out.push_str(&state("was ", report.before.as_ref()));
            out.push_str(&state("now ", report.after.as_ref()));
            out.push_str(&edits(report));
            for parent in &report.bad_parents {
                let parent = short_id(parent);
                out.push_str(&line!(
                    "parent {parent} has the same value: the change is older than the good commit\n"
                ));
            }
        }
        several => {
            let count = several.len();
            out.push_str(&line!("{}: changed in one of {count} commits\n\n", report.question));
            for commit in several {
                let (id, subject) = (short_id(&commit.id), &commit.subject);
                out.push_str(&line!("  {id}  {subject}  ({})\n", commit.author));
            }
        }
    }
    let commits = counted(report.commits, "commit");
    out.push('\n');
    out.push_str(&line!("{commits}, {} builds\n", report.built));
    for commit in &report.not_known {
        let reason = headline(&commit.reason);
        out.push_str(&line!("not known: {}  {reason}\n", short_id(&commit.id)));
    }
    out
}

fn state(word: &str, state: Option<&BisectState>) -> String {
    let Some(state) = state else { return String::new() };
    let at = state.at.as_ref().map(|at| format!("  at {at}")).unwrap_or_default();
    let words = state.words.strip_prefix("is ").unwrap_or(&state.words);
    line!("  {word}  {words}{at}\n")
}

fn edits(report: &BisectReport) -> String {
    let mut out = String::new();
    if !report.tried {
        return "  no single edit of this commit is the cause\n".to_owned();
    }
    let which = if report.edits.len() > 1 { "these edits together" } else { "this edit" };
    out.push_str(&line!("  cause (verified): {which}\n"));
    for edit in &report.edits {
        out.push_str(&line!("    {}:{}\n", edit.file, edit.line));
        out.push_str(&lines('-', &edit.old));
        out.push_str(&lines('+', &edit.new));
    }
    out
}

const MAX_EDIT_LINES: usize = 8;

fn lines(sign: char, lines: &[String]) -> String {
    let mut out = String::new();
    for line in lines.iter().take(MAX_EDIT_LINES) {
        out.push_str(&line!("      {sign}{line}\n"));
    }
    if lines.len() > MAX_EDIT_LINES {
        out.push_str(&line!("      {sign} … and {} more\n", lines.len() - MAX_EDIT_LINES));
    }
    out
}
