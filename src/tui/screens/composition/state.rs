//! A Composition: its entries after imports, overrides and orders, with their origin.

use std::path::{Path, PathBuf};

use crate::answers::overridden_fields;
use crate::engine::evaluate::{
    CompositionLocation, ConsolidatedComposition, ConsolidatedEntry, ImportTree, Step,
};
use crate::engine::manifest::{ImportMode, RuntimeKind};
use crate::engine::yaml::{Mark, SourceId, print_preserving_style};
use crate::model::{Model, Preview, WorkbenchRecording};
use crate::screens::catalogs::state::catalog_trust_word;
use crate::text::{TextLine, indented, sanitize, source_lines};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PipelineKind {
    /// An entry that runs, by its index.
    Runs(usize),
    /// A field that overrides change: the index of the entry that runs, and of the field in
    /// `overridden_fields`.
    Field(usize, usize),
    /// An entry that an override removed, by its index among the removed entries.
    Removed(usize),
    /// An entry that is commented out, by its index among such entries.
    Off(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PipelineRow {
    pub kind: PipelineKind,
    /// The name of the entry, or the path of the field.
    pub name: String,
    /// The kind of the entry, or the values of the field: `1.4.0 → 1.5.0`.
    pub object: String,
    /// The file of the entry, or `this file` for an entry that is not imported; the locations of the
    /// values of a field.
    pub from: String,
    pub overridden: bool,
    /// True if an explicit order determines the position of the entry.
    pub ordered: bool,
    /// The kind of the runtime, as in `builtin` or `container`.
    pub runtime: &'static str,
    pub steps: Vec<usize>,
    /// The number of objects before and after the entry.
    pub objects: Option<(usize, usize)>,
}

/// The index of the Composition to which the step under the cursor belongs; otherwise of the first
/// one.
pub(crate) fn shown_composition(recording: &WorkbenchRecording, cursor: usize) -> Option<usize> {
    let layer = recording.step(cursor).and_then(|step| recording.trace.layer(step.layer));
    let files = recording.compositions.iter().map(|composed| &composed.file);
    let own = layer.and_then(|layer| files.clone().position(|file| **file == *layer.file));
    own.or_else(|| (!recording.compositions.is_empty()).then_some(0))
}

/// The rows of a Composition: running entries, each with its overridden fields below it, then
/// removed ones, then commented ones.
pub(crate) fn pipeline_rows(model: &Model, shown: &ConsolidatedComposition) -> Vec<PipelineRow> {
    let recording = &model.builds.recording;
    let mut rows = Vec::new();
    for (index, entry) in shown.entries.iter().enumerate() {
        let row = running_entry_row(recording, shown, index, entry);
        let fields = overridden_fields(entry).into_iter().enumerate();
        let fields = fields.map(|(at, field)| {
            let values = field.texts(&entry.id.gvk.kind, &model.look.secrets);
            let (values, places): (Vec<String>, Vec<String>) =
                values.into_iter().map(|(value, mark)| (value, recording.place(mark))).unzip();
            PipelineRow {
                kind: PipelineKind::Field(index, at),
                name: sanitize(&field.path.to_string()).into_owned(),
                object: sanitize(&values.join(" → ")).into_owned(),
                from: places.join(" → "),
                steps: row.steps.clone(),
                ..empty_row(PipelineKind::Runs(index))
            }
        });
        let fields: Vec<PipelineRow> = fields.collect();
        rows.push(row);
        rows.extend(fields);
    }
    let removed = shown.removed.iter().enumerate();
    rows.extend(removed.map(|(index, entry)| PipelineRow {
        name: sanitize(&entry.id.name).into_owned(),
        object: sanitize(&entry.id.gvk.kind).into_owned(),
        from: from(recording, shown, &entry.origin.file),
        overridden: true,
        ..empty_row(PipelineKind::Removed(index))
    }));
    // A commented-out line of an order, or a commented-out removal, is part of another entry and
    // gets no row.
    let off = shown.switched_off.iter().enumerate().filter(|(_, entry)| {
        entry.place.field != "transformerOrder" && !entry.text.contains("$patch: delete")
    });
    rows.extend(off.map(|(index, entry)| PipelineRow {
        name: named(&entry.text, "name:"),
        object: named(&entry.text, "kind:"),
        from: "this file".to_owned(),
        ..empty_row(PipelineKind::Off(index))
    }));
    rows
}

fn empty_row(kind: PipelineKind) -> PipelineRow {
    PipelineRow {
        kind,
        name: String::new(),
        object: String::new(),
        from: String::new(),
        overridden: false,
        ordered: false,
        runtime: "off",
        steps: Vec::new(),
        objects: None,
    }
}

fn running_entry_row(
    recording: &WorkbenchRecording,
    shown: &ConsolidatedComposition,
    index: usize,
    entry: &ConsolidatedEntry,
) -> PipelineRow {
    let trace = &recording.trace;
    let is_here = |step: &Step| trace.layer(step.layer).is_some_and(|it| *it.file == *shown.file);
    let is_own = |step: &Step| step.field == "transformers" && step.entry == Some(index);
    let steps = trace.steps.iter().enumerate().filter(|(_, step)| is_own(step) && is_here(step));
    let steps: Vec<usize> = steps.map(|(index, _)| index).collect();
    let objects = steps.first().zip(steps.last());
    let objects = objects
        .map(|(first, last)| (trace.state_before(*first).len(), trace.state_after(*last).len()));
    PipelineRow {
        name: sanitize(&entry.id.name).into_owned(),
        object: sanitize(&entry.id.gvk.kind).into_owned(),
        from: if entry.imported_from.is_empty() {
            "this file".to_owned()
        } else {
            from(recording, shown, &entry.origin.file)
        },
        overridden: !entry.overridden_by.is_empty(),
        ordered: entry.ordered_by.is_some(),
        runtime: match entry.runtime {
            None => "builtin",
            Some(RuntimeKind::Container) => "container",
            Some(RuntimeKind::Exec) => "exec",
            Some(RuntimeKind::Starlark) => "starlark",
            Some(RuntimeKind::Annotation) => "annotation",
            Some(RuntimeKind::Catalog) => "catalog",
        },
        steps,
        objects,
        ..empty_row(PipelineKind::Runs(index))
    }
}

/// The value on the line of a key in the text of an entry. Without that line, the first line for
/// `name:`, and an empty text for other keys.
fn named(text: &str, key: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start_matches(['-', ' ']));
    let value = lines.clone().find_map(|line| line.strip_prefix(key)).map(str::trim);
    let first = text.lines().next().unwrap_or_default();
    sanitize(value.unwrap_or(if key == "name:" { first } else { "" })).into_owned()
}

fn from(recording: &WorkbenchRecording, shown: &ConsolidatedComposition, file: &str) -> String {
    if file == shown.file {
        return "this file".to_owned();
    }
    // A file named `composition` is shown as its directory.
    let path = Path::new(file);
    let is_one = path.file_stem().is_some_and(|stem| stem == "composition");
    recording.shorten(&path.parent().filter(|_| is_one).unwrap_or(path).to_string_lossy())
}

/// The imports as lines of a tree, then the catalogs, then the warnings.
pub(crate) fn import_lines(model: &Model, shown: &ConsolidatedComposition) -> Vec<TextLine> {
    let recording = &model.builds.recording;
    let mut lines = Vec::new();
    branch(recording, shown, &shown.imports, 0, &mut lines);
    if shown.imports.imports.is_empty() {
        lines.push(TextLine::plain("  no imports (transformersFrom)"));
    }
    if !shown.catalogs.is_empty() {
        lines.extend([TextLine::plain(""), TextLine::plain("catalogs, in search order")]);
        for (number, catalog) in (1..).zip(&shown.catalogs) {
            let standing = catalog_trust_word(recording, &catalog.resolved);
            let place = recording.shorten(&catalog.resolved);
            lines.push(TextLine::plain(&format!("  {number}  {standing:<11}  {place}")));
        }
    }
    for warning in &shown.warnings {
        lines.push(TextLine::plain(""));
        let place = recording.location(warning.mark);
        lines.push(TextLine::plain(&format!("! {place} {}", warning.remark)));
    }
    lines
}

fn branch(
    recording: &WorkbenchRecording,
    shown: &ConsolidatedComposition,
    tree: &ImportTree,
    depth: usize,
    lines: &mut Vec<TextLine>,
) {
    let mode = match (depth, tree.mode) {
        (0, _) => String::new(),
        (_, ImportMode::Prepend) => "  prepend".to_owned(),
        (_, ImportMode::Append) => "  append".to_owned(),
    };
    let file = recording.shorten(&tree.file);
    let text = format!("{}{file}{mode}  {}", "  ".repeat(depth), tree.entries);
    lines.push(TextLine::plain(&text));
    for place in &tree.transformers {
        let own = shown.entries.iter().filter(|entry| entry.listed == *place);
        for entry in own {
            let indent = "  ".repeat(depth + 1);
            let text = format!("{indent}· {}  {}", entry.id.name, entry.id.gvk.kind);
            lines.push(TextLine::plain(&sanitize(&text)));
        }
    }
    for import in &tree.imports {
        branch(recording, shown, import, depth + 1, lines);
    }
}

pub(crate) fn pipeline_detail(model: &Model, row: &PipelineRow) -> Option<Preview> {
    let (shown, recording) = (model.composition()?, &model.builds.recording);
    Some(match row.kind {
        PipelineKind::Runs(index) | PipelineKind::Field(index, _) => {
            entry_detail(model, shown.entries.get(index)?)
        }
        PipelineKind::Removed(index) => {
            let entry = shown.removed.get(index)?;
            let lines = vec![
                line("written", &location(recording, &entry.origin)),
                line("deleted", &location(recording, &entry.removed_by)),
                TextLine::plain(""),
                TextLine::plain("deleted by an override with `$patch: delete`;"),
                TextLine::plain("space comments the override out."),
            ];
            Preview { title: sanitize(&entry.id.name).into_owned(), lines, at: None }
        }
        PipelineKind::Off(index) => {
            let entry = shown.switched_off.get(index)?;
            let mut lines = vec![line("written", &location(recording, &entry.place))];
            lines.extend(["", "commented out; space restores it"].map(TextLine::plain));
            let written = model.look.secrets.mask_yaml(&entry.text);
            lines.extend(written.lines().map(|text| TextLine::plain(&format!("  {text}"))));
            Preview { title: "switched off".to_owned(), lines, at: None }
        }
    })
}

fn entry_detail(model: &Model, entry: &ConsolidatedEntry) -> Preview {
    let (recording, secrets) = (&model.builds.recording, &model.look.secrets);
    let mut lines = vec![line("written", &location(recording, &entry.origin))];
    if entry.listed != entry.origin {
        lines.push(line("listed", &location(recording, &entry.listed)));
    }
    for (number, place) in entry.imported_from.iter().enumerate() {
        let what = if number == 0 { "imported" } else { "through" };
        lines.push(line(what, &location(recording, place)));
    }
    for applied in &entry.overridden_by {
        lines.push(line("overridden", &location(recording, &applied.place)));
    }
    let order = entry.ordered_by.as_ref().map(|place| location(recording, place));
    lines.push(line("order", &order.unwrap_or_else(|| "as listed".to_owned())));
    let fields = overridden_fields(entry);
    if !fields.is_empty() {
        lines.extend([TextLine::plain(""), TextLine::plain("imported values → overrides")]);
    }
    for field in fields {
        lines.push(TextLine::plain(&sanitize(&format!("  {}", field.path))));
        for (number, (value, mark)) in (0..).zip(field.texts(&entry.id.gvk.kind, secrets)) {
            let sign = if number == 0 { " " } else { "→" };
            let text = format!("  {sign} {}  {}", sanitize(&value), recording.location(mark));
            lines.push(TextLine::plain(&text));
        }
    }
    lines.extend([TextLine::plain(""), TextLine::plain("configuration, overrides merged in")]);
    let config = secrets.mask_yaml(&print_preserving_style(&entry.config));
    lines.extend(indented(source_lines(config.as_bytes(), SourceId::NONE)));
    Preview { title: sanitize(&entry.id.name).into_owned(), lines, at: None }
}

fn line(name: &str, place: &str) -> TextLine {
    TextLine::plain(&format!("{name:<11} {place}"))
}

fn location(recording: &WorkbenchRecording, place: &CompositionLocation) -> String {
    // The index helps to find the entry if lines have moved in the draft.
    let Mark { line, .. } = place.mark;
    let file = recording.shorten(&place.file);
    format!("{file}:{line}  {}[{}]", place.field, place.index)
}

pub(crate) fn row_location(model: &Model, row: &PipelineRow) -> Option<(PathBuf, u32)> {
    let shown = model.composition()?;
    let place = match row.kind {
        PipelineKind::Field(index, at) => {
            let fields = overridden_fields(shown.entries.get(index)?);
            let Mark { source, line, .. } = fields.get(at)?.values.last()?.mark;
            let file = model.builds.recording.trace.sources.path(source)?;
            return Some((PathBuf::from(file), line.max(1)));
        }
        PipelineKind::Runs(index) => &shown.entries.get(index)?.origin,
        PipelineKind::Removed(index) => &shown.removed.get(index)?.removed_by,
        PipelineKind::Off(index) => &shown.switched_off.get(index)?.place,
    };
    Some((Path::new(&place.file).to_path_buf(), place.mark.line.max(1)))
}
