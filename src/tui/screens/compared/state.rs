//! The Compare screen: two builds, or all builds of two sides, by cause, by target, by resource.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::answers::compare::{
    CompareReport, NoEdit, ReportDanger, ReportEdit, ReportField, ReportResource, ReviewRow,
    ReviewRowKind, SameChange, cause_heading_lines, edit_line, edit_words, field_no_edit_reason,
    field_words, merged_dangers, short_commit_id, state_sentence, state_words, target_notes,
    target_words,
};
use crate::display::counted;
use crate::engine::resource::QuickMap;
use crate::model::Preview;
use crate::ports::{ComparisonSides, NamedSide};
use crate::text::{TextLine, changed_words, sanitize};
use crate::theme::StyleRole;

/// The grouping of differences, in the order in which the user changes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum GroupBy {
    #[default]
    Cause,
    Target,
    /// By resource; equal changes in several targets are listed once.
    Resource,
}

impl GroupBy {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Cause, "Causes"), (Self::Target, "Targets"), (Self::Resource, "Resources")];

    pub(crate) fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()].0
    }

    pub(crate) fn word(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

#[derive(Debug, Default)]
pub(crate) struct ComparedState {
    pub title: String,
    /// The compared sides; `None` for the draft in all targets.
    pub asked: Option<ComparisonSides>,
    /// True if files have changed since the request.
    pub is_outdated: bool,
    /// The sides that a comparison may name, besides targets.
    pub sides: Vec<NamedSide>,
    pub report: Option<Arc<CompareReport>>,
    /// The comparison before this one, until this one has a result.
    pub former: Option<Box<ComparedState>>,
    pub error: Option<String>,
    pub by: GroupBy,
    pub only_dangers: bool,
    pub rows: Vec<ComparedRow>,
    /// Incremented with each new report or grouping.
    pub edition: u64,
}

/// The subject of a row, by its indices in the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ComparedSubject {
    /// The row of the review with this index.
    Cause(usize),
    Rename(usize),
    /// One change of a cause: the index of the first field with this change in the report.
    Change(usize),
    Target(usize),
    /// A resource of a target, by both indices.
    Resource(usize, usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ComparedRow {
    pub depth: usize,
    /// The location of the first edit, and the number of further edits; `None` without edits.
    pub place: Option<(String, usize)>,
    pub label: String,
    pub detail: String,
    /// The worst danger of the row: `error`, `warning` or `note`.
    pub danger: Option<String>,
    pub subject: ComparedSubject,
}

impl ComparedRow {
    fn new(subject: ComparedSubject, label: String, detail: String) -> Self {
        Self { depth: 0, place: None, label, detail, danger: None, subject }
    }
}

pub(crate) fn compared_rows(state: &ComparedState) -> Vec<ComparedRow> {
    let Some(report) = &state.report else { return Vec::new() };
    let mut rows = match state.by {
        GroupBy::Cause => rows_by_cause(report),
        GroupBy::Target => by_target(report),
        GroupBy::Resource => rows_by_resource(report),
    };
    if state.only_dangers {
        rows.retain(|row| row.danger.is_some());
    }
    rows
}

/// The most severe of these words: `error`, then `warning`, then any other; `None` without words.
fn most_severe<'a>(words: impl Iterator<Item = &'a str>) -> Option<String> {
    words.filter(|word| *word != "note").min_by_key(|word| *word != "error").map(str::to_owned)
}

fn rows_by_cause(report: &CompareReport) -> Vec<ComparedRow> {
    let (mut rows, states): (Vec<ComparedRow>, Vec<ComparedRow>) =
        target_state_rows(report).partition(|row| row.danger.is_some());
    let mut states = Some(states);
    let fields = report.fields().enumerate().map(|(at, (.., it))| (std::ptr::from_ref(it), at));
    let fields: QuickMap<*const ReportField, usize> = fields.collect();
    for (number, review) in report.review().iter().enumerate() {
        // Dangers and restarts come before targets that are not known.
        if review.kind >= ReviewRowKind::Image {
            rows.extend(states.take().into_iter().flatten());
        }
        rows.push(review_row(report, review, number));
        let changes = match review.kind {
            ReviewRowKind::Descriptions => Vec::new(),
            _ => review.cause.merged_changes(),
        };
        for change in changes {
            let Some(at) = fields.get(&std::ptr::from_ref(change.field)) else { continue };
            let own = field_dangers(change.resource, change.field);
            let danger = most_severe(own.map(|danger| danger.severity.as_str()));
            let (subject, words) = (ComparedSubject::Change(*at), change_words(&change));
            let row = ComparedRow::new(subject, words, String::new());
            rows.push(ComparedRow { depth: 1, danger, ..row });
        }
    }
    rows.extend(states.into_iter().flatten());
    rows.extend(report.renames.iter().enumerate().map(|(number, rename)| {
        let place = rename.place().map(|at| (at.to_owned(), 0));
        let (label, detail) = (rename.words(), rename.count_words());
        ComparedRow { place, ..ComparedRow::new(ComparedSubject::Rename(number), label, detail) }
    }));
    rows
}

fn review_row(report: &CompareReport, review: &ReviewRow<'_>, number: usize) -> ComparedRow {
    let cause = &review.cause;
    let dangers = merged_dangers(cause);
    let targets = cause.targets().len();
    let values: usize = cause.fields.iter().map(|(.., field)| field.values).sum();
    let edits: Vec<_> = cause.edits.iter().filter_map(|at| report.edits.get(*at)).collect();
    let all: usize = review.edits.iter().map(|edits| edits.len()).sum();
    let place = edits.first().map(|it| (format!("{}:{}", it.file, it.line), all.max(1) - 1));
    let times = match review.edits.len() {
        0 | 1 => String::new(),
        times => format!("{times} × "),
    };
    let label = match edits.as_slice() {
        _ if review.kind == ReviewRowKind::Descriptions => {
            format!("descriptions of {}", counted(review.resources(), "CustomResourceDefinition"))
        }
        [] => cause_heading_lines(report, cause).trim_end().to_owned(),
        [edit, ..] => times + &edit_words(edit),
    };
    let detail = format!("{}, {}", counted(targets, "target"), counted(values, "value"));
    let danger = most_severe(dangers.iter().map(|(severity, ..)| severity.as_str()));
    ComparedRow { place, danger, ..ComparedRow::new(ComparedSubject::Cause(number), label, detail) }
}

/// A change as text, with its resource; the name is `*` if resources with different names have the
/// change.
fn change_words(change: &SameChange<'_>) -> String {
    let name = if change.names.len() == 1 { change.resource.name.as_str() } else { "*" };
    let times =
        if change.count > 1 { format!("  ({} times)", change.count) } else { String::new() };
    format!("{}/{name}  {}{times}", change.resource.kind, field_words(change.field))
}

/// The rows of targets that exist or build on only one side, or whose differences are only partly
/// known.
fn target_state_rows(report: &CompareReport) -> impl Iterator<Item = ComparedRow> + '_ {
    report.targets.iter().enumerate().filter_map(|(at, target)| {
        if state_words(target.state).is_none() && target.pending.is_empty() {
            return None;
        }
        let words = target_words(target);
        let danger = (words == "fails now").then(|| "error".to_owned());
        let (label, detail) = (target.target.clone(), words.to_owned());
        Some(ComparedRow { danger, ..ComparedRow::new(ComparedSubject::Target(at), label, detail) })
    })
}

fn by_target(report: &CompareReport) -> Vec<ComparedRow> {
    let mut rows = Vec::new();
    for (at, target) in report.targets.iter().enumerate() {
        let fields = target.resources.iter().flat_map(|it| &it.fields);
        let values: usize = fields.map(|field| field.values).sum();
        let dangers = target.resources.iter().flat_map(|it| &it.dangers);
        let resources = counted(target.resources.len(), "resource");
        let counts = || format!("{resources}, {}", counted(values, "value"));
        let detail = state_words(target.state).map_or_else(counts, str::to_owned);
        let danger = most_severe(dangers.map(|danger| danger.severity.as_str()));
        let row = ComparedRow::new(ComparedSubject::Target(at), target.target.clone(), detail);
        rows.push(ComparedRow { danger, ..row });
        let resources = target.resources.iter().enumerate();
        rows.extend(resources.map(|(number, resource)| resource_row(1, at, number, resource, "")));
    }
    rows
}

fn rows_by_resource(report: &CompareReport) -> Vec<ComparedRow> {
    let mut groups: Vec<(usize, usize, &ReportResource, usize)> = Vec::new();
    for (at, target) in report.targets.iter().enumerate() {
        for (number, resource) in target.resources.iter().enumerate() {
            let is_same = |other: &ReportResource| {
                other.diff == resource.diff
                    && other.kind == resource.kind
                    && other.name == resource.name
            };
            match groups.iter_mut().find(|(.., other, _)| is_same(other)) {
                Some((.., count)) => *count += 1,
                None => groups.push((at, number, resource, 1)),
            }
        }
    }
    groups.sort_by_key(|(.., resource, _)| (&resource.kind, &resource.name));
    let row = |(at, number, resource, count): (usize, usize, &ReportResource, usize)| {
        let targets = format!("{}  ", counted(count, "target"));
        resource_row(0, at, number, resource, &targets)
    };
    groups.into_iter().map(row).collect()
}

fn resource_row(
    depth: usize,
    target: usize,
    number: usize,
    resource: &ReportResource,
    before: &str,
) -> ComparedRow {
    let values: usize = resource.fields.iter().map(|field| field.values).sum();
    let label = format!("{}/{}", resource.kind, resource.name);
    let detail = format!("{before}{}, {}", resource.change, counted(values, "value"));
    let danger = most_severe(resource.dangers.iter().map(|danger| danger.severity.as_str()));
    let row = ComparedRow::new(ComparedSubject::Resource(target, number), label, detail);
    ComparedRow { depth, danger, ..row }
}

fn field_dangers<'a>(
    resource: &'a ReportResource,
    field: &'a ReportField,
) -> impl Iterator<Item = &'a ReportDanger> {
    resource.dangers.iter().filter(|danger| danger.path == field.path)
}

/// The full text of a row.
pub(crate) fn subject_detail(report: &CompareReport, subject: &ComparedSubject) -> Preview {
    let mut lines = Vec::new();
    let title = match subject {
        ComparedSubject::Cause(number) => {
            cause_lines(report, *number, &mut lines);
            "Edit".to_owned()
        }
        ComparedSubject::Rename(number) => {
            rename_lines(report, *number, &mut lines);
            "Rename".to_owned()
        }
        ComparedSubject::Change(at) => {
            let found = report.fields().nth(*at);
            let Some((target, resource, field)) = found else { return Preview::default() };
            push_cause_lines(report, field, &mut lines);
            lines.extend(field_dangers(resource, field).map(danger_line));
            lines.push(TextLine::new(StyleRole::Text, ""));
            diff_lines(&resource.diff, &mut lines);
            format!("{}  {}/{}", target.target, resource.kind, resource.name)
        }
        ComparedSubject::Target(at) => {
            let Some(target) = report.targets.get(*at) else { return Preview::default() };
            let sentence = state_sentence(report, target.state);
            lines.extend(sentence.map(|it| TextLine::new(StyleRole::Text, it)));
            let role = if target.error.is_some() { StyleRole::Error } else { StyleRole::Dim };
            lines.extend(target_notes(target).into_iter().map(|line| TextLine::new(role, line)));
            for resource in &target.resources {
                resource_lines(report, resource, &mut lines);
            }
            target.target.clone()
        }
        ComparedSubject::Resource(at, number) => {
            let target = report.targets.get(*at);
            let found = target.and_then(|it| Some((it, it.resources.get(*number)?)));
            let Some((target, resource)) = found else { return Preview::default() };
            resource_lines(report, resource, &mut lines);
            format!("{}  {}/{}", target.target, resource.kind, resource.name)
        }
    };
    Preview { title: sanitize(&title).into_owned(), lines, at: None }
}

fn cause_lines(report: &CompareReport, number: usize, lines: &mut Vec<TextLine>) {
    let rows = report.review();
    let Some(row) = rows.get(number) else { return };
    let cause = &row.cause;
    let edits = cause.edits.iter().filter_map(|at| report.edits.get(*at));
    edits.for_each(|edit| edit_lines(edit, lines));
    let equal = row.edits.iter().skip(1).copied().flatten();
    for edit in equal.filter_map(|at| report.edits.get(*at)) {
        if row.kind == ReviewRowKind::Descriptions {
            edit_lines(edit, lines);
        } else {
            let text = format!("{}:{}  the same edit", edit.file, edit.line);
            lines.push(TextLine::new(StyleRole::Place, text));
        }
    }
    if row.edits.len() > 1 {
        lines.push(TextLine::new(StyleRole::Text, ""));
    }
    if cause.edits.is_empty() {
        lines.push(TextLine::new(StyleRole::Text, cause_heading_lines(report, cause).trim_end()));
    }
    let dangers = merged_dangers(cause).into_iter();
    lines.extend(dangers.map(|(severity, code, message)| danger_words(&severity, &code, &message)));
    let targets = cause.targets();
    lines.push(TextLine::new(StyleRole::Title, format!("in {}", counted(targets.len(), "target"))));
    lines.extend(targets.iter().map(|it| TextLine::new(StyleRole::Text, format!("  {it}"))));
}

fn edit_lines(edit: &ReportEdit, lines: &mut Vec<TextLine>) {
    lines.push(TextLine::new(StyleRole::Place, format!("{}:{}", edit.file, edit.line)));
    let first = lines.len();
    for (role, sign, texts) in
        [(StyleRole::Removed, '−', &edit.old), (StyleRole::Added, '+', &edit.new)]
    {
        lines.extend(texts.iter().map(|it| TextLine::exact(role, format!("{sign}{it}"))));
    }
    emphasize_words(&mut lines[first..]);
    if let Some(commit) = &edit.commit {
        let (id, subject) = (short_commit_id(&commit.id), &commit.subject);
        let words = format!("{id} {subject}, {}", commit.author);
        lines.push(TextLine::new(StyleRole::Dim, words));
    }
    lines.push(TextLine::new(StyleRole::Text, ""));
}

fn rename_lines(report: &CompareReport, number: usize, lines: &mut Vec<TextLine>) {
    let Some(rename) = report.renames.get(number) else { return };
    let places = [("before", &rename.was_at), ("after", &rename.at)];
    for (side, at) in places.into_iter().filter_map(|(side, at)| Some((side, at.as_ref()?))) {
        lines.push(TextLine::new(StyleRole::Place, format!("{side}: {at}")));
    }
    lines.push(TextLine::new(StyleRole::Text, ""));
    for (_, resource, field) in report.fields().filter(|(.., it)| it.renames.contains(&number)) {
        let text = format!("{}/{}  {}", resource.kind, resource.name, field_words(field));
        lines.push(TextLine::new(StyleRole::Text, text));
    }
}

fn resource_lines(report: &CompareReport, resource: &ReportResource, lines: &mut Vec<TextLine>) {
    let was = resource.was.as_ref().map(|was| format!(", was {was}")).unwrap_or_default();
    let name = format!("{}/{}  {}{was}", resource.kind, resource.name, resource.change);
    lines.push(TextLine::new(StyleRole::Title, name));
    lines.extend(resource.dangers.iter().map(danger_line));
    diff_lines(&resource.diff, lines);
    let mut told: BTreeSet<(&[usize], Option<NoEdit>)> = BTreeSet::new();
    for field in &resource.fields {
        if told.insert((&field.edits, field.no_edit)) {
            push_cause_lines(report, field, lines);
        }
    }
    lines.push(TextLine::new(StyleRole::Text, ""));
}

/// Adds the edit that caused a difference, whether this is verified, and the step through which the
/// edit has its effect.
fn push_cause_lines(report: &CompareReport, field: &ReportField, lines: &mut Vec<TextLine>) {
    let known = match (field.edits.is_empty(), field.tried) {
        (true, _) => field_no_edit_reason(field),
        (false, true) => "cause (verified)",
        (false, false) => "cause (not verified)",
    };
    lines.push(TextLine::new(StyleRole::Text, field_words(field)));
    for edit in field.edits.iter().filter_map(|at| report.edits.get(*at)) {
        lines.push(TextLine::new(StyleRole::Place, format!("  because {}", edit_line(edit))));
    }
    let place = field.at.as_ref().or(field.was_at.as_ref());
    let place = place.map(|at| format!(", value at {at}")).unwrap_or_default();
    let step = field.step.as_ref().map(|step| format!("  through {step}{place}"));
    let known = [format!("  {known}")].into_iter().chain(step);
    lines.extend(known.map(|text| TextLine::new(StyleRole::Dim, text)));
}

fn danger_line(danger: &ReportDanger) -> TextLine {
    danger_words(&danger.severity, &danger.code, &danger.message)
}

fn danger_words(severity: &str, code: &str, message: &str) -> TextLine {
    let role = if severity == "error" { StyleRole::Error } else { StyleRole::Warning };
    TextLine::new(role, format!("{severity}[{code}]: {message}"))
}

/// Adds the lines of a unified diff with their colours, and with the words that differ.
fn diff_lines(diff: &str, lines: &mut Vec<TextLine>) {
    let first = lines.len();
    lines.extend(diff.lines().map(|line| match line.split_at_checked(1) {
        Some(("+", text)) => TextLine::exact(StyleRole::Added, format!("+{text}")),
        Some(("-", text)) => TextLine::exact(StyleRole::Removed, format!("−{text}")),
        Some(("@", _)) => TextLine::exact(StyleRole::Dim, line),
        _ => TextLine::exact(StyleRole::Text, line),
    }));
    emphasize_words(&mut lines[first..]);
}

/// Marks the words that differ between removed lines and the added lines after them.
fn emphasize_words(lines: &mut [TextLine]) {
    for block in lines.chunk_by_mut(|one, other| {
        let roles = (one.role(), other.role());
        roles.0 == roles.1 || roles == (StyleRole::Removed, StyleRole::Added)
    }) {
        let old = block.iter().filter(|row| row.role() == StyleRole::Removed).count();
        let (old, new) = block.split_at_mut(old);
        if old.is_empty() || new.first().is_none_or(|row| row.role() != StyleRole::Added) {
            continue;
        }
        let texts = |rows: &[TextLine]| -> Vec<String> {
            rows.iter().map(|row| row.text().chars().skip(1).collect()).collect()
        };
        let sides = [texts(old), texts(new)];
        let words = changed_words([&sides[0], &sides[1]]);
        for (rows, words) in [old, new].into_iter().zip(words) {
            for (row, ranges) in words {
                rows[row].words = ranges;
            }
        }
    }
}
