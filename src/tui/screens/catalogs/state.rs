//! Function catalogs: their functions, trust, and changes since the decision.

use crate::answers::{CatalogReview, ReviewLine};
use crate::engine::manifest::{CatalogSchema, Runtime};
use crate::engine::plugin::{CatalogEntryView, Danger, TrustReview, TrustState};
use crate::model::{FetchState, Model, Preview, WorkbenchRecording};
use crate::ports::ReviewedCatalog;
use crate::text::{TextLine, indented, sanitize, width, wrap, yaml_lines};

/// One row: a catalog, or below it one version of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CatalogRow {
    pub catalog: usize,
    /// The index of the function; `None` for the catalog itself.
    pub entry: Option<usize>,
    pub label: String,
    /// The runtime of a function; the location of a catalog.
    pub detail: String,
    pub standing: TrustStatus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrustStatus {
    Trusted,
    /// Trusted, but the content has changed since.
    Changed,
    New,
    /// An unchanged function in a changed catalog.
    Same,
    Untrusted,
    NotFetched,
    Unreadable,
    /// Another catalog's definition of the function is used.
    Shadowed,
}

impl TrustStatus {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::Changed => "changed",
            Self::New => "new",
            Self::Same => "unchanged",
            Self::Untrusted => "not trusted",
            Self::NotFetched => "not fetched",
            Self::Unreadable => "unreadable",
            Self::Shadowed => "shadowed",
        }
    }
}

/// The rows of the catalogs, each followed by the rows of its functions.
pub(crate) fn catalog_rows(recording: &WorkbenchRecording) -> Vec<CatalogRow> {
    let mut rows = Vec::new();
    for (index, reviewed) in recording.catalogs.iter().enumerate() {
        let row = |entry, label: &str, detail: String, standing| CatalogRow {
            catalog: index,
            entry,
            label: sanitize(label).into_owned(),
            detail,
            standing,
        };
        let Ok(found) = &reviewed.result else {
            let away = reviewed.fetch.is_some();
            let standing = if away { TrustStatus::NotFetched } else { TrustStatus::Unreadable };
            rows.push(row(None, &reviewed.reference, String::new(), standing));
            continue;
        };
        let view = &found.view;
        let standing = match view.trust {
            TrustState::Trusted => TrustStatus::Trusted,
            TrustState::Changed { .. } => TrustStatus::Changed,
            TrustState::Untrusted => TrustStatus::Untrusted,
        };
        let place = recording.shorten(&view.reference);
        rows.push(row(None, &place, sanitize(&view.name).into_owned(), standing));
        for (index, entry) in view.entries.iter().enumerate() {
            let standing = match standing {
                _ if entry.shadowed_by.is_some() => TrustStatus::Shadowed,
                TrustStatus::Changed => status_since_trust(&found.review, &entry.id),
                standing => standing,
            };
            let label = format!("{} {}", entry.function.kind, entry.version.name);
            rows.push(row(Some(index), &label, entry.version.runtime.word().to_owned(), standing));
        }
    }
    rows
}

fn status_since_trust(review: &TrustReview, id: &str) -> TrustStatus {
    let changes = || review.changes.iter().filter(|change| change.function == id);
    match changes().next() {
        None => TrustStatus::Same,
        Some(_) if changes().any(|change| change.danger == Danger::Added) => TrustStatus::New,
        Some(_) => TrustStatus::Changed,
    }
}

pub(crate) fn catalog_detail(model: &Model, row: usize, columns: usize) -> Option<Preview> {
    let recording = &*model.builds.recording;
    let row = model.catalogs.rows.get(row)?;
    let reviewed = recording.catalogs.get(row.catalog)?;
    let columns = columns.saturating_sub(2).max(20);
    let mut page = CatalogPage { lines: Vec::new(), columns, recording, reviewed };
    match &reviewed.result {
        Err(reason) => page.absent(&model.fetching, reason),
        Ok(found) => match row.entry.and_then(|entry| found.view.entries.get(entry)) {
            Some(entry) => page.function(found, entry),
            None => page.catalog(found),
        },
    }
    Some(Preview { title: row.label.clone(), lines: page.lines, at: None })
}

fn split_into_pieces(text: &str, room: usize) -> Vec<String> {
    let signs: Vec<char> = text.chars().collect();
    signs.chunks(room.max(1)).map(|piece| piece.iter().collect()).collect()
}

struct CatalogPage<'r> {
    lines: Vec<TextLine>,
    columns: usize,
    recording: &'r WorkbenchRecording,
    reviewed: &'r ReviewedCatalog,
}

impl CatalogPage<'_> {
    /// Adds a text after a lead; the further lines of the text are indented as its first.
    fn hanging(&mut self, lead: &str, text: &str, split: fn(&str, usize) -> Vec<String>) {
        let cells = width(lead);
        let mut pieces = split(&sanitize(text), self.columns.saturating_sub(cells).max(10));
        if pieces.is_empty() {
            pieces.push(String::new());
        }
        for (number, piece) in pieces.iter().enumerate() {
            let lead = if number == 0 { lead } else { &" ".repeat(cells) };
            self.lines.push(TextLine::plain(format!("{lead}{piece}").trim_end()));
        }
    }

    fn text(&mut self, text: &str) {
        self.hanging("", text, wrap);
    }

    fn push_empty_line(&mut self) {
        self.lines.push(TextLine::plain(""));
    }

    /// Adds a name and its value; no line for an empty value.
    fn field(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            self.hanging(&format!("{name:<12} "), value, wrap);
        }
    }

    fn review(&mut self, lines: &[ReviewLine]) {
        for line in lines {
            match line {
                ReviewLine::Gap => self.push_empty_line(),
                ReviewLine::Text(text) => self.text(text),
                ReviewLine::Function(text) => self.lines.push(TextLine::plain(&sanitize(text))),
                // A value without spaces, such as a digest.
                ReviewLine::Field { name, value } if !value.is_empty() && !value.contains(' ') => {
                    self.hanging(&format!("{name:<12} "), value, split_into_pieces);
                }
                ReviewLine::Field { name, value } => self.field(name, value),
                ReviewLine::Change { is_permission, text } => {
                    self.hanging(if *is_permission { " ▲ " } else { "   " }, text, wrap);
                }
                ReviewLine::Warning(text) => self.hanging("! ", text, wrap),
                ReviewLine::Code { sign, text } => {
                    self.hanging(&format!(" {sign} "), text, split_into_pieces);
                }
            }
        }
    }

    fn listed(&self) -> String {
        let recording = self.recording;
        let place = |(file, line): &(String, u32)| format!("{}:{line}", recording.shorten(file));
        let is_given = !self.reviewed.given_as.is_empty();
        let given = is_given.then(|| "entered in the workbench".to_owned());
        let places = self.reviewed.listed_at.iter().map(place).chain(given);
        places.collect::<Vec<_>>().join(", ")
    }

    /// The details of a catalog that cannot be read: the reason, and how to solve it.
    fn absent(&mut self, fetching: &FetchState, reason: &str) {
        self.field("listed at", &self.listed());
        let Some(fetch) = &self.reviewed.fetch else {
            self.push_empty_line();
            return self.text(reason);
        };
        self.field("from", &fetch.from());
        self.field("type", &fetch.protocol());
        self.push_empty_line();
        if let Some(reason) = fetching.failed.get(&fetch.request()) {
            self.text("fetch failed:");
            self.text(&format!("  {reason}"));
            self.push_empty_line();
        }
        self.text("Not fetched yet: opening a target never fetches. F fetches the catalog after asking; fetching does not trust it. The same in a shell:");
        self.text(&format!("  kzui catalog fetch {}", self.reviewed.reference));
    }

    /// The review before a decision (B.11).
    fn catalog(&mut self, found: &CatalogReview) {
        self.field("fetched", found.view.fetched.as_deref().unwrap_or_default());
        self.field("listed at", &self.listed());
        if self.reviewed.listed_at.is_empty() {
            self.field("", "not listed by this target: not part of this build");
        }
        self.review(&found.lines());
    }

    fn function(&mut self, found: &CatalogReview, entry: &CatalogEntryView) {
        self.text(&entry.id);
        self.text(&entry.function.description);
        self.push_empty_line();
        self.field("publisher", &entry.function.publisher);
        self.field("maintainers", &entry.version.maintainers.join(", "));
        self.field("licence", &entry.version.license);
        self.push_empty_line();
        self.field("runtime", entry.version.runtime.word());
        let platform = &self.reviewed.platform;
        if let Runtime::Exec(programs) = &entry.version.runtime
            && programs.iter().all(|program| program.platform != *platform)
        {
            self.field("program", &format!("none for this machine ({platform})"));
        }
        self.review(&found.function_lines(entry));
        let idempotent = match entry.version.idempotent {
            Some(true) => "declared",
            Some(false) => "declared no",
            None => "not declared",
        };
        self.field("idempotent", idempotent);
        self.push_empty_line();
        let used = if entry.used_in.is_empty() { "not used in this build" } else { "" };
        self.field("used", used);
        for place in &entry.used_in {
            let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
            self.field("used", &format!("{}:{line}", self.recording.shorten(file)));
        }
        self.field("shadowed by", entry.shadowed_by.as_deref().unwrap_or_default());
        self.field("shadows", &entry.shadows.join(", "));
        self.push_empty_line();
        self.field("home", &entry.function.home);
        self.field("usage", &entry.version.usage);
        self.field("examples", &entry.version.examples.join(", "));
        self.field("tags", &entry.function.tags.join(", "));
        self.push_empty_line();
        match &entry.version.schema {
            CatalogSchema::Missing => {}
            CatalogSchema::Uri(uri) => self.field("schema", &format!("{uri} (not fetched)")),
            CatalogSchema::Object(schema) => {
                self.text("openAPIV3Schema of the configuration");
                self.lines.extend(indented(yaml_lines(schema)));
            }
        }
        self.review(&found.script_lines(entry));
    }
}

/// The trust status of a catalog of a Composition; empty for a catalog that was not read.
pub(crate) fn catalog_trust_word(recording: &WorkbenchRecording, resolved: &str) -> &'static str {
    let reviewed = recording.catalogs.iter().position(|reviewed| {
        let leads_to = reviewed.result.as_ref().ok().map(|found| found.view.normalised.as_str());
        reviewed.reference == resolved || leads_to == Some(resolved)
    });
    let rows = catalog_rows(recording);
    let row = reviewed.and_then(|at| rows.into_iter().find(|row| row.catalog == at));
    row.map_or("", |row| row.standing.word())
}
