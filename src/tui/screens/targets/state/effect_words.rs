//! The effect of the draft on the targets, as text.

use crate::answers::compare::{
    CompareReport, Consequence, ConsequenceWeight, TargetState, cause_heading_lines,
    resource_change_words, state_words,
};
use crate::model::Model;
use crate::text::TextLine;
use crate::theme::StyleRole;

pub(crate) fn draft_effect_lines(model: &Model) -> Vec<TextLine> {
    if !model.has_draft() && !model.edits.list.is_empty() {
        return vec![TextLine::new(StyleRole::Dim, "no change: each edit is left out")];
    }
    if !model.has_draft() {
        let words = ["no draft", "edit a target to start one;", "this pane shows its effect"];
        return words.map(|text| TextLine::new(StyleRole::Dim, text)).to_vec();
    }
    let consequence = model.write_consequences().into_iter();
    let mut lines: Vec<TextLine> = consequence.map(|line| consequence_line(model, line)).collect();
    if let Some(report) = &model.reach.report {
        lines.extend(report_lines(model, report, true));
    }
    lines
}

/// A line of a consequence, with a sign if it is grave.
pub(crate) fn consequence_line(
    model: &Model,
    (weight, text): (ConsequenceWeight, String),
) -> TextLine {
    let sign = match weight {
        ConsequenceWeight::Grave => format!("{} ", model.glyphs().failed),
        _ => String::new(),
    };
    TextLine::new(consequence_role(weight), format!("{sign}{text}"))
}

pub(crate) fn consequence_role(weight: ConsequenceWeight) -> StyleRole {
    match weight {
        ConsequenceWeight::Grave => StyleRole::Error,
        ConsequenceWeight::Plain => StyleRole::Draft,
        ConsequenceWeight::Danger | ConsequenceWeight::Unknown => StyleRole::Warning,
    }
}

fn state_role(state: TargetState) -> StyleRole {
    match state {
        TargetState::FailsNow | TargetState::FailsOtherwise => StyleRole::Error,
        TargetState::NotKnown | TargetState::Removed => StyleRole::Warning,
        TargetState::BuildsNow | TargetState::Added | TargetState::Differs => StyleRole::Draft,
    }
}

/// The targets that do not build, and the changes, with the edits that cause them if `has_causes`.
pub(crate) fn report_lines(
    model: &Model,
    report: &CompareReport,
    has_causes: bool,
) -> Vec<TextLine> {
    let mut lines = Vec::new();
    // The consequence is above these lines.
    let consequence = Consequence::from_report(report);
    for target in report.targets.iter().filter(|it| !consequence.names_state_of(&it.target)) {
        if let Some(words) = state_words(target.state) {
            let text = format!("{} {words}", target.target);
            lines.push(TextLine::new(state_role(target.state), text));
        }
    }
    let review = report.review();
    let changes: Vec<_> = review.iter().map(|row| row.cause.merged_changes()).collect();
    let counts: Vec<usize> = changes.iter().map(Vec::len).collect();
    // The pane has up to three fifths of the screen, with a frame and with the consequence above.
    let room = usize::from(model.look.size.1) * 3 / 5;
    let most = changes_per_cause(&counts, room.saturating_sub(8));
    for (row, changes) in review.iter().zip(&changes) {
        let times = match row.edits.len() {
            1 => String::new(),
            count => format!("{count} × "),
        };
        let causes = cause_heading_lines(report, &row.cause);
        for (at, text) in causes.lines().enumerate().filter(|_| has_causes) {
            let times = if at == 0 { &*times } else { "" };
            lines.push(TextLine::new(StyleRole::Place, format!("{times}{text}")));
        }
        for change in changes.iter().take(most) {
            let text = format!("  {}", resource_change_words(change));
            lines.push(TextLine::new(StyleRole::Text, text));
        }
        if let more @ 1.. = changes.len().saturating_sub(most) {
            lines.push(TextLine::new(StyleRole::Dim, format!("  and {more} more (gD lists all)")));
        }
        let targets = row.cause.targets().len();
        lines.push(TextLine::new(StyleRole::Dim, format!("  in {targets} of these targets")));
    }
    lines
}

/// The number of changes to list for each cause, so that the lines of all causes fit in `room` if
/// possible; at least [`MIN_CHANGES`].
fn changes_per_cause(counts: &[usize], room: usize) -> usize {
    let lines = |most: usize| counts.iter().map(|count| 2 + (*count).min(most)).sum::<usize>();
    let longest = counts.iter().copied().max().unwrap_or_default();
    (MIN_CHANGES..=longest).rev().find(|most| lines(*most) <= room).unwrap_or(MIN_CHANGES)
}

/// The number of changes of a cause that are listed on every screen.
const MIN_CHANGES: usize = 4;
