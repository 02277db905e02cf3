//! Texts next to a list: the file of a tree row, the explanation of a problem.

use crate::engine::yaml::SourceId;
use crate::model::{
    ListView, Model, Pane, Preview, Problem, Screen, TreeSubject, changed_between, compared_rows,
    net_changes, search_fields, step_label,
};
use crate::text::{
    CodePainter, DiffRow, LineDiff, Split, TextLine, is_yaml, sanitize, source_lines, wrap,
};
use crate::theme::StyleRole;
use crate::update::derive::build_key;

/// Updates the file text next to the selected tree row, and the changes of the row.
pub(crate) fn derive_preview(model: &mut Model) {
    let Some(row) = model.tree.rows.get(model.list(Pane::Tree).selected).cloned() else { return };
    let key = (build_key(model), &row.key);
    if !model.derived.renew(Pane::Preview, key) {
        return;
    }
    let steps = row.steps.iter().filter_map(|step| model.builds.recording.step(*step));
    model.detail.effect = net_changes(&model.builds.recording, steps);
    model.detail.is_draft_effect = false;
    // If the row has no effect, as a disabled entry without steps, show the effect of the draft.
    if model.detail.effect.is_empty()
        && model.has_draft()
        && let Some(saved) =
            model.builds.saved.clone().filter(|_| model.builds.recording.error.is_none())
    {
        model.detail.effect = changed_between(&saved, &model.builds.recording);
        model.detail.is_draft_effect = true;
    }
    model.detail.diffs = few_diffs(model);
    let (name, preview) = subject_text(model, &row.subject);
    model.detail.preview = preview;
    let lines = 0..model.detail.preview.lines.len();
    model.detail.painter = (!is_yaml(&name)).then(|| CodePainter::new(&name, lines)).flatten();
    let offset = model.detail.preview.at.unwrap_or(0).saturating_sub(2);
    *model.list_mut(Pane::Preview) = ListView { selected: offset, offset, left: 0 };
}

/// The most changed resources of a row whose diffs are shown.
const MAX_DIFFS: usize = 3;

/// The diffs of the changed resources of a row; none if they are many, or if one is added or removed.
fn few_diffs(model: &Model) -> Vec<(LineDiff, Vec<DiffRow>)> {
    let changed = &model.detail.effect;
    if changed.len() > MAX_DIFFS || changed.iter().any(|row| row.sign != '~') {
        return Vec::new();
    }
    let diffs = changed.iter().map(|row| {
        let diff = row.diff(&model.look.secrets);
        let rows = diff.rows(Split::Unified, 2);
        (diff, rows)
    });
    diffs.collect()
}

/// The maximum length in bytes of a preview, so that selecting a row is fast even for a huge file.
const MAX_PREVIEW_BYTES: usize = 1 << 20;

/// The file to show for a row, with its name and line.
fn subject_text(model: &Model, subject: &TreeSubject) -> (String, Preview) {
    let files = model.edits.draft.files(model.opened.disk.clone());
    let (file, line) = match subject {
        TreeSubject::Layer { file } => (file.clone(), 1),
        TreeSubject::Field { file, line } | TreeSubject::Scalar { file, line, .. } => {
            (file.clone(), *line)
        }
        TreeSubject::Entry { entry, line, names } => match names {
            Some(path)
                if model.opened.sources.keys().all(|file| file.parent() != Some(path))
                    && files.read(path).is_ok() =>
            {
                (path.clone(), 1)
            }
            // If the file is missing, show the entry that names it.
            _ => (entry.file.clone(), *line),
        },
        TreeSubject::Unlisted { path, .. } => {
            let names = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
            let file = names.iter().map(|name| path.join(name));
            let file = file.into_iter().find(|file| model.opened.disk.resolve(file).is_ok());
            (file.unwrap_or_else(|| path.clone()), 1)
        }
        TreeSubject::Step | TreeSubject::Heading => return <(String, Preview)>::default(),
    };
    let title = match model.builds.recording.shorten(&file.to_string_lossy()) {
        outside if outside.starts_with('/') => model.shown_file(&file),
        inside => inside,
    };
    match files.read(&file) {
        Ok(bytes) => {
            let cut = &bytes[..bytes.len().min(MAX_PREVIEW_BYTES)];
            // A value that is cut in its middle might not be recognized as secret: cut at a line
            // end.
            let end = cut.iter().rposition(|byte| *byte == b'\n').map_or(cut.len(), |at| at + 1);
            let shown = if cut.len() < bytes.len() { &cut[..end] } else { cut };
            let bytes = model.look.secrets.file(&file, shown);
            let lines = if is_yaml(&title) {
                source_lines(&bytes, SourceId::NONE)
            } else {
                String::from_utf8_lossy(&bytes).lines().map(TextLine::plain).collect()
            };
            let at = Some(usize::try_from(line).unwrap_or(1).saturating_sub(1));
            let preview = Preview { title: format!("{title}:{line}"), lines, at };
            (title, preview)
        }
        Err(error) => {
            let lines = vec![TextLine::plain(&error.to_string())];
            (String::new(), Preview { title, lines, at: None })
        }
    }
}

pub(crate) fn problem_lines(model: &Model, problem: &Problem, room: usize) -> Vec<TextLine> {
    let mut texts = vec![problem.message.clone()];
    let place = problem.place.clone();
    if !place.is_empty() {
        texts.push(format!("at {place}"));
    }
    if let Some(step) = problem.step {
        let label = step_label(&model.builds.recording, step);
        let place = model.builds.recording.place_of_step(step);
        texts.push(format!(
            "step {} of {}: {place} {label}",
            step + 1,
            model.builds.recording.len()
        ));
    }
    texts.push(String::new());
    let mut rows = problem.narrowing.clone();
    // The advice comes before the fix and the counts.
    if let Some(advice) = rows.pop() {
        rows.pop();
        texts.splice(texts.len() - 1.., [advice, String::new()]);
    }
    // The advice is the first detail.
    texts.extend(problem.details.iter().skip(usize::from(!rows.is_empty())).cloned());
    let none = || {
        let reason = model.rejected_fix_reason(problem);
        reason.map_or_else(Vec::new, |reason| vec![format!("no fix: {reason}"), String::new()])
    };
    let offered: Vec<String> = model.offer(problem).map_or_else(none, |offer| {
        let diff = offer.diff(&model.look.secrets, |file| model.shown_path(file));
        let diff = diff.lines().filter(|line| !line.starts_with("@@")).map(str::to_owned);
        [format!("f: {}", offer.words)].into_iter().chain(diff).chain([String::new()]).collect()
    });
    let secrets = &model.look.secrets;
    let texts = texts.iter().flat_map(|text| wrap(&secrets.text(text), room));
    let offered = offered.iter().flat_map(|text| wrap(&sanitize(&secrets.text(text)), room));
    let rows = rows.iter().flat_map(|text| wrap(text, room));
    let texts = texts.map(|text| TextLine::plain(&text));
    let offered = offered.map(|text| match text.chars().next() {
        Some('+') => TextLine::new(StyleRole::Added, text),
        Some('-') => TextLine::new(StyleRole::Removed, text),
        _ => TextLine::plain(&text),
    });
    texts.chain(offered).chain(rows.map(|text| TextLine::plain(&text))).collect()
}

pub(crate) fn derive_found(model: &mut Model) {
    if model.screen != Screen::Found {
        return;
    }
    let key = (model.builds.generation, model.look.secrets.are_masked());
    if model.derived.renew(Pane::Found, key) && !model.search.pattern.is_empty() {
        let found = search_fields(model);
        model.search.error = found.as_ref().err().cloned();
        model.search.rows = found.unwrap_or_default();
    }
}

pub(crate) fn derive_compared(model: &mut Model) {
    if model.screen != Screen::Compared {
        return;
    }
    if model.derived.renew(Pane::Differences, model.compared.edition) {
        model.compared.rows = compared_rows(&model.compared);
    }
}
