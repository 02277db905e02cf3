//! Commands of linear mode about functions, catalogs and Compositions: lists, trust, fetching, runs
//! and overrides.

use crossterm::event::{KeyCode, KeyModifiers};

use super::super::keymap::Command;
use super::super::model::{EntryForm, FormField, Overlay, Pane, PipelineKind, Screen};
use super::super::text::TextLine;
use super::{Answer, LinearSession, usage, words};
use crate::answers::secrets::Secrets;
use crate::engine::plugin::TrustChange;

impl LinearSession<'_> {
    /// Lists the catalogs and their functions; with a number, prints one catalog in full; with a
    /// reference, adds and reviews that catalog.
    pub(super) fn catalogs(&mut self, argument: &str) -> Vec<String> {
        let mut lines = Vec::new();
        if !argument.is_empty() && argument.parse::<usize>().is_err() {
            self.run(Command::AddCatalog, argument);
            lines.extend(self.status());
        } else if self.select(Screen::Catalogs, argument) {
            return self.review();
        }
        self.show(Screen::Catalogs);
        lines.extend((1..).zip(&self.model.catalogs.rows).map(|(number, row)| {
            let level = usize::from(row.entry.is_some());
            let detail = row.detail.trim();
            let detail = if detail.is_empty() { String::new() } else { format!(" {detail}.") };
            format!("{number}. Level {level}. {}. {}.{detail}", row.label, row.standing.word())
        }));
        if self.model.catalogs.rows.is_empty() {
            lines.push("No catalogs in this build. catalog REF shows one.".to_owned());
        }
        lines
    }

    /// The selected catalog in full.
    fn review(&mut self) -> Vec<String> {
        // Showing the screen again updates the review for the selected catalog.
        self.show(Screen::Catalogs);
        self.model.text_in(Pane::Review).lines.iter().map(TextLine::text).collect()
    }

    /// Asks whether to trust the catalog with the number `argument`, or revokes its trust: the last
    /// parameter is the command for one of the two.
    pub(super) fn trust(&mut self, argument: &str, what: Command) -> Answer {
        if !self.select(Screen::Catalogs, argument) {
            let ways = "trust NUMBER or revoke NUMBER, the number of a catalog, as in trust 1";
            return Err(usage(ways));
        }
        let review = self.review();
        let mut lines = if what == Command::Trust { review } else { Vec::new() };
        lines.extend(self.edit(what, ""));
        lines.extend(self.ask());
        Ok(lines)
    }

    /// Asks whether to fetch the missing remotes of the build, or the catalog with this number.
    pub(super) fn fetch(&mut self, argument: &str) -> Answer {
        if argument.is_empty() {
            self.show(Screen::Tree);
        } else if !self.select(Screen::Catalogs, argument) {
            return Err(usage("fetch NUMBER, the number of a catalog, as in fetch 1"));
        }
        let mut lines = self.edit(Command::Fetch, "");
        lines.extend(self.ask());
        Ok(lines)
    }

    /// Lists the functions of the build, run or pending; with a number, runs one, and with `all`
    /// those that have not run.
    pub(super) fn functions(&mut self, argument: &str) -> Answer {
        let is_selected = self.select(Screen::Functions, argument);
        let rows = &self.model.functions.rows;
        match argument {
            "all" => return Ok(self.edit(Command::RunAll, "")),
            "" if rows.is_empty() => return Err("This build calls no functions.".to_owned()),
            "" => {}
            _ if is_selected => return Ok(self.edit(Command::RunAgain, "")),
            _ => return Err(usage("run NUMBER, the number of a function, as in run 1")),
        }
        let rows = (1..).zip(rows).map(|(number, row)| {
            let state = match &row.waits_for {
                Some(need) => format!("Not run: {need}"),
                None => format!("Run: {} {}", row.runtime, row.program),
            };
            format!("{number}. {}. Step {}. {}.", row.name, row.step + 1, state.trim())
        });
        Ok(rows.collect())
    }

    pub(super) fn pipeline(&mut self) -> Answer {
        self.show(Screen::Composition);
        if self.model.composition.rows.is_empty() {
            return Err("No Composition in this target.".to_owned());
        }
        let rows = (1..).zip(&self.model.composition.rows).map(|(number, row)| {
            let (name, object, from) = (&row.name, &row.object, &row.from);
            let state = match row.kind {
                PipelineKind::Field(..) => {
                    return format!("{number}. Level 1. {name}: {object}, {from}.");
                }
                PipelineKind::Runs(_) => "",
                PipelineKind::Removed(_) => " Deleted by an override.",
                PipelineKind::Off(_) => " Off.",
            };
            let is_here = from == "this file";
            format!(
                "{number}. {name}. {object}.{state} {} {from}.",
                if is_here { "in" } else { "from" }
            )
        });
        Ok(rows.collect())
    }

    /// The fields of an entry of a Composition, or fills in one of them: `3 spec.image web:2`.
    pub(super) fn fill_in_override(&mut self, argument: &str) -> Answer {
        let mut words = argument.splitn(3, ' ');
        let (row, field) = (words.next().unwrap_or_default(), words.next());
        let value = words.next().unwrap_or_default();
        if !self.select(Screen::Composition, row) {
            let ways = "override NUMBER [FIELD VALUE], the number of an entry that pipeline prints, as in override 3 spec.image web:2";
            return Err(usage(ways));
        }
        self.run(Command::Override, "");
        let mut form = match self.model.overlay.take() {
            Some(Overlay::Form(form)) => form,
            // Without a schema, the entry has no form and is edited as text.
            other => {
                let text = match other {
                    Some(Overlay::Editor(editor)) => Some(format!(
                        "No form for this entry. Edit its text in {}: text FILE, change FILE:LINE.",
                        editor.title
                    )),
                    _ => None,
                };
                return Ok(self.status().into_iter().chain(text).collect());
            }
        };
        let Some(field) = field else {
            return Ok(form_field_lines(&form, &self.model.look.secrets));
        };
        let found = form.fields.iter_mut().find(|it| it.name() == field);
        let missing = || format!("No field {field}. override {row} lists the fields.");
        value.clone_into(&mut found.ok_or_else(missing)?.text);
        self.model.overlay = Some(Overlay::Form(form));
        let before = self.model.builds.generation;
        self.press(KeyCode::Char('s'), KeyModifiers::CONTROL);
        let refused = match self.model.overlay.take() {
            Some(Overlay::Form(form)) => {
                form.fields.iter().find_map(|field| field.problem.clone()).or(form.refused)
            }
            _ => None,
        };
        let mut lines: Vec<String> = self.status().into_iter().collect();
        lines.extend(refused.map(|why| format!("{field}: {why}.")));
        lines.extend(self.draft_report_after(before));
        Ok(lines)
    }

    pub(super) fn question(&self) -> Vec<String> {
        match &self.model.overlay {
            Some(Overlay::Trust(question)) => {
                let runs = question.runs.join(", ");
                let runs = if runs.is_empty() {
                    "This build uses no function of this catalog.".to_owned()
                } else {
                    format!("Trusting runs no function. The command run runs {runs}.")
                };
                let ask = match &question.widened {
                    Some(name) if name == TrustChange::SIGNED_PART => format!(
                        "Another signer than before. Type the word {name} to trust this content; any other input cancels."
                    ),
                    Some(name) => format!(
                        "More permissions than before. Type the name of the function, {name}, to trust this content; any other input cancels."
                    ),
                    None => "Type d to trust this content, r to trust the reference, n to cancel."
                        .to_owned(),
                };
                let first = format!("Trust {}, {}?", question.reference, question.content.digest);
                let summary = question.summary.iter().map(|line| format!("{line}."));
                [first].into_iter().chain(summary).chain([runs, ask]).collect()
            }
            Some(Overlay::Fetch(question)) => {
                let remotes = question.remotes().into_iter();
                let things = remotes.map(|(first, otherwise)| match otherwise {
                    Some(other) => format!("{}, or else {}.", first.request(), other.request()),
                    None => format!("{}.", first.request()),
                });
                let ask = "Fetch this? Fetching runs no code. Type y or n.".to_owned();
                things.chain([ask]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Handles a line as the answer to the question about a catalog, or about fetching.
    pub(super) fn decide(&mut self, line: &str) -> Vec<String> {
        let typed = line.trim();
        let before = self.model.builds.generation;
        self.model.status = None;
        match &self.model.overlay {
            Some(Overlay::Trust(question)) if question.widened.is_some() => {
                for c in typed.chars() {
                    self.press(KeyCode::Char(c), KeyModifiers::NONE);
                }
                self.press(KeyCode::Enter, KeyModifiers::NONE);
                if self.model.overlay.is_some() {
                    self.press(KeyCode::Esc, KeyModifiers::NONE);
                }
            }
            overlay => {
                let is_fetch = matches!(overlay, Some(Overlay::Fetch(_)));
                let code = match (is_fetch, typed.to_lowercase().as_str()) {
                    (false, "d" | "digest") => KeyCode::Char('d'),
                    (false, "r" | "reference") => KeyCode::Char('r'),
                    (true, "y" | "yes") => KeyCode::Char('y'),
                    // Any other answer cancels the question.
                    _ => KeyCode::Esc,
                };
                self.press(code, KeyModifiers::NONE);
            }
        }
        let mut lines = self.sentence();
        if self.model.builds.generation != before {
            lines.push(words::build(&self.model));
        }
        lines
    }
}

fn form_field_lines(form: &EntryForm, secrets: &Secrets) -> Vec<String> {
    let line = |field: &FormField| {
        let masked = |text: &str| form.masked(field, text, secrets);
        let imported = field.imported.as_ref();
        let imported =
            imported.map(|(value, place)| format!(" Imported: {}, {place}.", masked(value)));
        let now = if field.text.is_empty() { "none" } else { &masked(&field.text) };
        let (name, takes) = (field.name(), &field.takes);
        format!("{name}, {takes}. Filled in: {now}.{}", imported.unwrap_or_default())
    };
    form.fields.iter().map(line).collect()
}
