//! A comparison for a terminal: the headline, the edits with their effects, the diffs. Without
//! `--all` it fits on a screen; omitted parts are counted.

use std::borrow::Borrow;
use std::path::Path;

use super::{Diff, side_by_side};
use crate::answers::compare::{
    ClusterReport, CompareReport, Consequence, DangerCount, ImageCount, ReportDanger, ReportEdit,
    ReportResource, ReportTarget, ReviewRow, ReviewRowKind, RowDanger, SameChange, TargetState,
    change_words, edit_words, need_without_remedy, no_edit_reason, path_words, resource_names,
    severity_rank, short_commit_id as short_id, state_words, summary, target_names, target_notes,
    target_words, truncate_both_values,
};
use crate::display::{counted, line};
use crate::engine::diagnostic::Code;
use crate::engine::evaluate::target_file_names;
use crate::engine::resource::QuickMap;

const MAX_LINES: usize = 60;
const MAX_OVERVIEW_LINES: usize = 44;
/// The same limit if some dangers would not be shown otherwise.
const MAX_DANGER_LINES: usize = 56;
const MIN_DIFF_LINES: usize = 8;
const MAX_LISTED: usize = 5;
const MAX_NAMED_RESOURCES: usize = 4;

#[derive(Clone, Copy)]
struct RowDetail {
    changes: usize,
    messages: usize,
    /// False if each row without dangers is a single line.
    has_details: bool,
    /// True if each row begins with an empty line.
    has_gaps: bool,
}

/// The amounts of detail to try, from the one with the longest rows to the one with the shortest.
const DETAILS: [RowDetail; 5] = [
    RowDetail { changes: 12, messages: 12, has_details: true, has_gaps: true },
    RowDetail { changes: 3, messages: 3, has_details: true, has_gaps: true },
    RowDetail { changes: 1, messages: 1, has_details: true, has_gaps: true },
    RowDetail { changes: 1, messages: 1, has_details: false, has_gaps: true },
    RowDetail { changes: 0, messages: 1, has_details: false, has_gaps: false },
];
const ALL: RowDetail =
    RowDetail { changes: usize::MAX, messages: usize::MAX, has_details: true, has_gaps: true };

pub(super) fn page(report: &CompareReport, arguments: &Diff) -> String {
    let mut rows = report.review();
    let all_rows = rows.len();
    if arguments.danger {
        rows.retain(|row| row.kind <= ReviewRowKind::Image);
    }
    let mut lines = headline(report, arguments.all);
    lines.extend(target_state_lines(report, arguments.all, true));
    let cluster = report.cluster.as_ref().map(ClusterReport::lines).unwrap_or_default();
    lines.extend(cluster.first().map(|_| String::new()).into_iter().chain(cluster));
    let view = RowSettings {
        report,
        all: arguments.all,
        is_one_commit: report.headline.commits.len() <= 1,
    };
    if arguments.all {
        lines.extend(rows.iter().flat_map(|row| view.row(row, ALL)));
    } else {
        let room = MAX_OVERVIEW_LINES.saturating_sub(lines.len());
        let each = DETAILS.iter().map(|detail| {
            let each = rows.iter().map(|row| view.row(row, *detail));
            each.collect::<Vec<Vec<String>>>()
        });
        let fits = |each: &Vec<Vec<String>>| each.iter().map(Vec::len).sum::<usize>() <= room;
        let mut each: Vec<Vec<Vec<String>>> = each.collect();
        if let Some(at) = each.iter().position(fits) {
            lines.extend(each.swap_remove(at).into_iter().flatten());
        } else {
            let shortest = each.pop().unwrap_or_default();
            let room = room.max(danger_lines_that_fit(&rows, &shortest, lines.len()));
            lines.extend(RowSettings::fit_rows(&rows, &shortest, room));
        }
    }
    lines.extend(target_state_lines(report, arguments.all, false));
    if arguments.danger && rows.len() < all_rows {
        let count = counted(all_rows - rows.len(), "edit");
        lines.push(String::new());
        lines.push(line!("{count} without dangers omitted: leave out --danger to show them"));
    }
    lines.extend(diffs(report, arguments, lines.len()));
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The number of lines of all rows with dangers, limited to the lines that are left for them.
fn danger_lines_that_fit(rows: &[ReviewRow<'_>], each: &[Vec<String>], used: usize) -> usize {
    let has_danger = rows.iter().map(|row| row.kind < ReviewRowKind::Image);
    let dangers = each.iter().zip(has_danger).filter(|(_, is_danger)| *is_danger);
    let lines: usize = dangers.map(|(lines, _)| lines.len() + 1).sum();
    lines.min(MAX_DANGER_LINES.saturating_sub(used))
}

/// The first texts of a list, and the number of the other texts.
pub(super) fn first_texts<S: Borrow<str>>(all: &[S], most: usize) -> String {
    match all.len().saturating_sub(most) {
        0 => all.join(", "),
        more => format!("{}, … and {more} more", all[..most].join(", ")),
    }
}

/// The summary: dangers, restarts, images, resources, commits.
fn headline(report: &CompareReport, all: bool) -> Vec<String> {
    let mut lines = vec![summary(report)];
    if report.targets.is_empty() {
        return lines;
    }
    let of = &report.headline;
    let (most, most_targets) = if all { (usize::MAX, usize::MAX) } else { (MAX_LISTED, 3) };
    let listed = |texts: &[String], most| match texts {
        [] => Vec::new(),
        _ => vec![first_texts(texts, most)],
    };
    let differing: Vec<String> = report.differing_targets().map(|it| it.target.clone()).collect();
    let failing = report.targets.iter().filter(|target| target.state == TargetState::FailsNow);
    let failing: Vec<String> = failing.map(|target| target.target.clone()).collect();
    let in_part = report.differing_targets().filter(|target| !target.pending.is_empty());
    let in_part = in_part.map(|target| format!("{} in part", target.target));
    let not_known = report.unknown_targets().map(|it| it.target.clone());
    let not_known: Vec<String> = not_known.chain(in_part).collect();
    let danger =
        |it: &DangerCount| format!("{} {} × {} ({})", it.severity, it.count, it.title, it.code);
    let dangers: Vec<String> = of.dangers.iter().map(danger).collect();
    let dangers = match (dangers.is_empty(), not_known.is_empty()) {
        (true, true) => "none".to_owned(),
        (true, false) => "none in the compared part".to_owned(),
        (false, _) => dangers.join(", "),
    };
    let restarts =
        (of.restarts > 0).then(|| format!("the pods of {}", counted(of.restarts, "workload")));
    let images: Vec<String> = of.images.iter().map(ImageCount::words).collect();
    let renames = report.renames.iter().map(|rename| {
        let at = rename.place().map(|at| format!("  {at}")).unwrap_or_default();
        format!("{}  {}{at}", rename.words(), rename.count_words())
    });
    let commits =
        of.commits.iter().take(most).map(|commit| {
            format!("{} {}, {}", short_id(&commit.id), commit.subject, commit.author)
        });
    let more = of.commits.len().checked_sub(most).filter(|more| *more > 0);
    let more = more.map(|more| format!("… and {} (--all)", counted(more, "commit")));
    let parts = [
        (if differing.len() == 1 { "target" } else { "targets" }, listed(&differing, most_targets)),
        ("fails now", listed(&failing, most_targets)),
        ("not known", listed(&not_known, most_targets)),
        ("dangers", vec![dangers]),
        ("restarts", restarts.into_iter().collect()),
        ("images", listed(&images, most)),
        ("resources", Consequence::from_report(report).resource_count_lines()),
        ("renamed", renames.collect()),
        ("commit", commits.chain(more).collect()),
    ];
    for (word, texts) in parts {
        for (at, text) in texts.into_iter().enumerate() {
            lines.push(line!("  {:9}  {text}", if at == 0 { word } else { "" }));
        }
    }
    lines
}

/// The failing targets with their notes if `has_failed` is true, otherwise the targets that are new,
/// gone or not known.
pub(super) fn noted_targets(
    report: &CompareReport,
    has_failed: bool,
) -> impl Iterator<Item = (&ReportTarget, Vec<String>)> {
    let fails = |target: &ReportTarget| {
        matches!(target.state, TargetState::FailsNow | TargetState::FailsOtherwise)
    };
    let targets = report.targets.iter().filter(move |target| fails(target) == has_failed);
    let noted = targets.map(|target| (target, target_notes(target)));
    noted.filter(|(target, notes)| !notes.is_empty() || state_words(target.state).is_some())
}

/// The notes on targets (see [`noted_targets`]). Targets with equal notes share one line.
fn target_state_lines(report: &CompareReport, all: bool, has_failed: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut found: QuickMap<(&str, Vec<String>), Vec<String>> = QuickMap::default();
    for (target, notes) in noted_targets(report, has_failed) {
        found.entry((target_words(target), notes)).or_default().push(target.target.clone());
    }
    let most = if all { usize::MAX } else { MAX_LISTED };
    for ((words, notes), targets) in found.iter().take(most) {
        if !notes.is_empty() || lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(line!("{}: {words}", first_texts(targets, if all { usize::MAX } else { 3 })));
        let shown = if all { notes.len() } else { MAX_LISTED };
        lines.extend(notes.iter().take(shown).map(|note| line!("    {note}")));
        if notes.len() > shown {
            lines.push(line!("    … and {} (--all)", counted(notes.len() - shown, "line")));
        }
    }
    let rest: usize = found.values().skip(most).map(Vec::len).sum();
    if rest > 0 {
        let more = counted(rest, "target");
        lines.push(line!("… and {more} that fail, are new, are gone or are not known (--all)"));
    }
    lines
}

struct RowSettings<'a> {
    report: &'a CompareReport,
    all: bool,
    /// True if the headline already shows the only commit.
    is_one_commit: bool,
}

impl RowSettings<'_> {
    /// The location of the value: without an edit; in another file, which the edited entry of a
    /// kustomization file names; or below the first of the added or removed lines.
    fn value_location<'c>(&self, row: &ReviewRow<'_>, change: &SameChange<'c>) -> Option<&'c str> {
        let field = Some(change.field).filter(|field| !field.path.is_empty())?;
        let edit = match row.cause.edits {
            [] => return field.at.as_deref().or(field.was_at.as_deref()),
            [edit] => self.report.edits.get(*edit)?,
            _ => return None,
        };
        let (lines, at) = match (edit.old.as_slice(), edit.new.as_slice()) {
            (old, []) => (old.len(), field.was_at.as_deref()?),
            (_, new) => (new.len(), field.at.as_deref()?),
        };
        let (file, line) = at.rsplit_once(':')?;
        let edited = Path::new(&edit.file);
        if Path::new(file) != edited {
            let is_entry = target_file_names().any(|name| edited.ends_with(name));
            return is_entry.then_some(at);
        }
        let first = edit.line as usize;
        let is_inside = |line: usize| line > first && line < first + lines;
        line.parse().is_ok_and(is_inside).then_some(at)
    }

    fn row(&self, row: &ReviewRow<'_>, detail: RowDetail) -> Vec<String> {
        if !detail.has_details && row.kind >= ReviewRowKind::Image {
            return vec![self.single_line_row(row)];
        }
        let mut lines = Vec::new();
        lines.extend(detail.has_gaps.then(String::new));
        if row.kind < ReviewRowKind::Image {
            lines.extend(row.dangers().iter().flat_map(|it| danger_lines(it, detail.messages)));
        }
        if row.kind == ReviewRowKind::Descriptions {
            lines.push(description_line(row));
        } else {
            lines.extend(self.edits(row));
        }
        let changes = row.cause.merged_changes();
        let most =
            if row.kind == ReviewRowKind::Descriptions && !self.all { 0 } else { detail.changes };
        let words = self.edit_words(row);
        lines.extend(changes.iter().take(most).map(|it| {
            let at = self.value_location(row, it).map(|at| format!("  {at}")).unwrap_or_default();
            line!("{}{at}", change_line(it, words.as_deref()))
        }));
        if changes.len() > most && most > 0 {
            lines.push(line!("    … and {} (--all)", counted(changes.len() - most, "more change")));
        }
        if self.report.differing_targets().count() > 1 {
            lines.push(line!("    in {}", target_names(&row.cause.targets(), self.all)));
        }
        lines
    }

    /// The only edit of a row in words; `None` for several edits.
    fn edit_words(&self, row: &ReviewRow<'_>) -> Option<String> {
        let [edit] = row.cause.edits else { return None };
        self.report.edits.get(*edit).map(edit_words)
    }

    fn cause_edits(&self, row: &ReviewRow<'_>) -> impl Iterator<Item = &ReportEdit> {
        self.report.edits_at(row.cause.edits)
    }

    fn edits(&self, row: &ReviewRow<'_>) -> Vec<String> {
        let edits: Vec<_> = self.cause_edits(row).collect();
        if edits.is_empty() {
            return vec![line!("{}", no_edit_reason(&row.cause))];
        }
        let times = row.edits.len();
        let count = if times > 1 { format!("{times} × ") } else { String::new() };
        let untried =
            (!row.cause.is_verified()).then(|| "probable causes, not verified:".to_owned());
        let together = (edits.len() > 1).then(|| format!("{count}{} edits together:", edits.len()));
        let before: Vec<String> = untried.into_iter().chain(together).collect();
        let mut lines: Vec<String> = before.first().map(|_| before.join(" ")).into_iter().collect();
        lines.extend(edits.iter().map(|edit| {
            let commit = edit.commit.as_ref().filter(|_| !self.is_one_commit);
            let commit = commit.map(|it| format!("  ({})", short_id(&it.id))).unwrap_or_default();
            let words = edit_words(edit);
            if times > 1 && edits.len() == 1 {
                line!("{count}{words}{commit}")
            } else {
                line!("{}:{}  {words}{commit}", edit.file, edit.line)
            }
        }));
        if times > 1 {
            lines.extend(self.places(row));
        }
        lines
    }

    fn places(&self, row: &ReviewRow<'_>) -> Vec<String> {
        let first = |edits: &&[usize]| {
            let edit = self.report.edits.get(*edits.first()?)?;
            Some(format!("{}:{}", edit.file, edit.line))
        };
        let places: Vec<String> = row.edits.iter().filter_map(first).collect();
        if self.all {
            return places.iter().map(|place| line!("    {place}")).collect();
        }
        let more = places.len().saturating_sub(1);
        let one = places.first().map(String::as_str).unwrap_or_default();
        vec![line!("    {one} and {} (--all)", counted(more, "more place"))]
    }

    /// Of several edits together, the edit with the line of a value; else the first.
    fn edit_at_value(&self, row: &ReviewRow<'_>) -> Option<&ReportEdit> {
        let is_at =
            |edit: &&ReportEdit| row.cause.fields.iter().any(|(.., field)| edit.has_value(field));
        self.cause_edits(row).find(is_at).or_else(|| self.cause_edits(row).next())
    }

    fn single_line_row(&self, row: &ReviewRow<'_>) -> String {
        if row.kind == ReviewRowKind::Descriptions {
            return description_line(row);
        }
        let edit = self.edit_at_value(row);
        let times = match row.edits.len() {
            1 => String::new(),
            times => format!("{times} × "),
        };
        let together = match row.cause.edits.len() {
            0 | 1 => String::new(),
            count => format!(" and {}", counted(count - 1, "more edit")),
        };
        let words = match edit {
            Some(edit) => {
                format!("{}:{}  {times}{}{together}", edit.file, edit.line, edit_words(edit))
            }
            None => no_edit_reason(&row.cause).to_owned(),
        };
        let effect = match row.cause.fields.as_slice() {
            [(_, it, field)] => format!("{}/{}  {}", it.kind, it.name, change_words(field)),
            [(_, it, _), ..] if row.resources() == 1 => {
                let fields = counted(row.cause.fields.len(), "field");
                format!("{fields} of {}/{}", it.kind, it.name)
            }
            fields => {
                format!("{} of {} resources", counted(fields.len(), "field"), row.resources())
            }
        };
        line!("{words}  ({effect})")
    }

    /// The lines of the first rows that fit into `room` lines, and a line with the counts of the
    /// other rows.
    fn fit_rows(rows: &[ReviewRow<'_>], lines: &[Vec<String>], room: usize) -> Vec<String> {
        let mut shown = Vec::new();
        let mut rest = Vec::new();
        // The row of changed descriptions summarizes many edits, so it is always shown.
        let last = rows.iter().filter(|row| row.kind == ReviewRowKind::Descriptions).count();
        for (row, lines) in rows.iter().zip(lines) {
            let is_last = row.kind == ReviewRowKind::Descriptions;
            if is_last || rest.is_empty() && shown.len() + lines.len() + last + 4 <= room {
                shown.extend(lines.iter().cloned());
            } else {
                rest.push(row);
            }
        }
        let edits: usize = rest.iter().map(|row| row.edits.len()).sum();
        let fields: usize = rest.iter().map(|row| row.cause.fields.len()).sum();
        let mut codes: QuickMap<&str, usize> = QuickMap::default();
        for danger in rest.iter().flat_map(|row| row.dangers()) {
            *codes.entry(danger.code).or_default() += danger.count;
        }
        let codes: Vec<String> =
            codes.into_iter().map(|(code, count)| format!("{count} × {code}")).collect();
        let codes =
            if codes.is_empty() { String::new() } else { format!(", {}", codes.join(", ")) };
        shown.push(String::new());
        shown.push(line!(
            "… and {} with {}{codes} (--all)",
            counted(edits, "more edit"),
            counted(fields, "changed field")
        ));
        shown
    }
}

/// The line of a row of changed descriptions, as in
/// `CRDs  40 descriptions of 3 definitions change`.
fn description_line(row: &ReviewRow<'_>) -> String {
    let names: Vec<&str> = row.cause.fields.iter().map(|(_, it, _)| it.name.as_str()).collect();
    let different: std::collections::BTreeSet<&str> = names.iter().copied().collect();
    let fields = counted(row.cause.fields.len(), "description");
    let definitions = counted(different.len(), "CustomResourceDefinition");
    let edits = counted(row.edits.len(), "edit");
    line!("{fields} of {definitions} changed by {edits} (--all)")
}

/// The messages of a danger; if it has more than `most`, its title with the names of the resources
/// instead.
fn danger_lines(danger: &RowDanger<'_>, most: usize) -> Vec<String> {
    let RowDanger { severity, code, .. } = danger;
    if danger.messages.len() <= most {
        let times = |message: &&str| {
            let times = danger.count / danger.messages.len().max(1);
            if danger.messages.len() == 1 && times > 1 {
                line!("{severity}[{code}]: {message} ({times} times)")
            } else {
                line!("{severity}[{code}]: {message}")
            }
        };
        return danger.messages.iter().map(times).collect();
    }
    let title = Code::named(code).map_or("", |code| code.rule().title);
    let named = first_texts(&danger.resources, MAX_NAMED_RESOURCES);
    vec![line!("{severity}[{code}]: {} × {title}: {named}", danger.count)]
}

/// The resources and the field of a change, with the values unless the edit shows them already.
fn change_line(change: &SameChange<'_>, edit: Option<&str>) -> String {
    let field = change.field;
    let text = |value: &'_ Option<String>| value.clone().unwrap_or_default();
    let (old, new) = truncate_both_values(&text(&field.before), &text(&field.after));
    let words = match edit {
        Some(words) if field.change == "changed" && words.ends_with(&format!("{old} → {new}")) => {
            let not_known = if field.pending.is_some() { "  not known" } else { "" };
            format!("{}{not_known}", path_words(&field.path))
        }
        _ => change_words(field),
    };
    let times =
        if change.count > 1 { format!("  ({} times)", change.count) } else { String::new() };
    // The summary and the diff have the former name of a renamed resource.
    line!("    {}/{}  {words}{times}", change.resource.kind, resource_names(change))
}

/// The diff of a resource, once for all targets that have it.
pub(super) struct ResourceDiffLines<'a> {
    pub(super) resource: &'a ReportResource,
    pub(super) targets: Vec<&'a str>,
}

impl ResourceDiffLines<'_> {
    /// The rank of the diff by its worst danger, workloads first; diffs of changed descriptions are
    /// last.
    fn rank(&self) -> (usize, bool) {
        let rank = |danger: &ReportDanger| severity_rank(&danger.severity);
        let is_definition = self.resource.kind == "CustomResourceDefinition";
        let least = if is_definition { 4 } else { 3 };
        let rank = self.resource.dangers.iter().map(rank).min().unwrap_or(least);
        (rank, !self.resource.is_workload())
    }

    fn lines(&self, arguments: &Diff) -> Vec<String> {
        let resource = self.resource;
        let place = Some(&resource.namespace).filter(|it| !it.is_empty());
        let place = place.map(|place| format!(" in {place}")).unwrap_or_default();
        let was = resource.was.as_ref().map(|was| format!(", was {was}")).unwrap_or_default();
        let pending = resource.pending.as_ref().map(|need| need_without_remedy(need));
        let pending = pending.map(|need| format!(", not known: {need}")).unwrap_or_default();
        let heading = line!(
            "{}/{}{place} ({}{was}{pending})  {}",
            resource.kind,
            resource.name,
            resource.change,
            target_names(&self.targets, arguments.all)
        );
        let diff = if arguments.side_by_side {
            side_by_side::side_by_side_lines(&resource.diff, arguments.width)
        } else {
            resource.diff.clone()
        };
        [String::new(), heading].into_iter().chain(diff.lines().map(str::to_owned)).collect()
    }
}

/// The diffs of resources, equal ones once. Those with new names alone are left out unless
/// `with_renames` is set.
pub(super) fn grouped_diffs<'a>(
    report: &'a CompareReport,
    arguments: &Diff,
    with_renames: bool,
) -> Vec<ResourceDiffLines<'a>> {
    let mut groups: QuickMap<_, ResourceDiffLines<'_>> = QuickMap::default();
    for (target, resource) in report.resources() {
        if arguments.danger && resource.dangers.is_empty()
            || !with_renames && resource.is_only_renamed()
        {
            continue;
        }
        let alike = (&resource.diff, &resource.kind, &resource.name);
        let new = || ResourceDiffLines { resource, targets: Vec::new() };
        groups.entry(alike).or_insert_with(new).targets.push(&target.target);
    }
    groups.into_values().collect()
}

/// The diff of every resource, equal diffs once. Without `--all` the page has at most [`MAX_LINES`]
/// lines, of which `used` are already taken: diffs that do not fit are cut or counted.
fn diffs(report: &CompareReport, arguments: &Diff, used: usize) -> Vec<String> {
    let mut groups = grouped_diffs(report, arguments, true);
    if !arguments.all {
        groups.sort_by_key(ResourceDiffLines::rank);
    }
    let all: Vec<Vec<String>> = groups.iter().map(|it| it.lines(arguments)).collect();
    let total: usize = all.iter().map(Vec::len).sum();
    if arguments.all || used + total <= MAX_LINES {
        return all.into_iter().flatten().collect();
    }
    let (renamed, all): (Vec<_>, Vec<_>) =
        groups.iter().zip(all).partition(|(it, _)| it.resource.is_only_renamed());
    let mut shown = Vec::new();
    // Reserve two lines for the number of omitted lines and diffs.
    let room = MAX_LINES.saturating_sub(used + 2);
    let (mut is_full, mut cut, mut omitted) = (false, 0, 0);
    for (_, lines) in all {
        let left = room.saturating_sub(shown.len());
        if !is_full && lines.len() <= left {
            shown.extend(lines);
        } else if !is_full && left >= MIN_DIFF_LINES {
            cut = lines.len() - (left - 1);
            shown.extend(lines.into_iter().take(left - 1));
            shown.push(line!("… and {}", counted(cut, "more line")));
            is_full = true;
        } else {
            is_full = true;
            omitted += 1;
        }
    }
    shown.push(String::new());
    let mut omitted_parts = Vec::new();
    if cut > 0 && omitted == 0 {
        omitted_parts.push("the rest of this diff".to_owned());
    }
    if omitted > 0 {
        omitted_parts.push(counted(omitted, "diff"));
    }
    if !renamed.is_empty() {
        omitted_parts.push(format!("{} with renames only", counted(renamed.len(), "diff")));
    }
    shown.push(line!("not shown: {} (--all)", omitted_parts.join(", ")));
    shown
}

/// The text with colours; it is sanitized first.
pub(super) fn coloured(text: &str) -> String {
    let mut is_diff = false;
    let mut out = String::with_capacity(text.len() * 2);
    for line in crate::display::sanitize_lines(text).split_inclusive('\n') {
        is_diff = line.starts_with("@@") || is_diff && line.starts_with(['+', '-', ' ']);
        let colour = match line.as_bytes().first() {
            Some(b'@') => "36",
            Some(b'+') if is_diff => "32",
            Some(b'-') if is_diff => "31",
            Some(b'e') if line.starts_with("error[") => "1;31",
            Some(b'w') if line.starts_with("warning[") => "33",
            _ => "",
        };
        let text = line.trim_end_matches('\n');
        if colour.is_empty() || is_diff && text.starts_with(' ') {
            out.push_str(text);
        } else {
            out.push_str(&format!("\u{1b}[{colour}m{text}\u{1b}[0m"));
        }
        out.push('\n');
    }
    out
}
