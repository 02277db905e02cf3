//! Commands of linear mode about functions, catalogs and Compositions: lists, trust, fetching, runs
//! and overrides.

use std::io::{self, Write};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::keymap::Command;
use super::super::message::Message;
use super::super::model::{EntryForm, Overlay, Pane, PipelineKind, Screen, TrustStatus};
use super::super::text::TextLine;
use super::LinearSession;
use crate::answers::secrets::Secrets;
use crate::engine::plugin::TrustChange;

impl<W: Write> LinearSession<'_, W> {
    /// Lists the catalogs and their functions; with a number, prints one catalog in full; with a
    /// reference, adds and reviews that catalog.
    pub(super) fn catalogs(&mut self, argument: &str) -> io::Result<()> {
        if !argument.is_empty() && argument.parse::<usize>().is_err() {
            self.run_with(Command::AddCatalog, argument);
            self.print_status()?;
        } else if self.select(Screen::Catalogs, Pane::Catalogs, argument) {
            // Showing the screen again updates the review for the selected catalog.
            self.show(Screen::Catalogs);
            return self.print_lines(self.review_lines());
        }
        self.show(Screen::Catalogs);
        if self.model.catalogs.rows.is_empty() {
            return self.print("No catalogs in this build. catalog REF shows one.");
        }
        let rows = (1..).zip(&self.model.catalogs.rows).map(|(number, row)| {
            let standing: TrustStatus = row.standing;
            let level = usize::from(row.entry.is_some());
            let detail = row.detail.trim();
            let detail = if detail.is_empty() { String::new() } else { format!(" {detail}.") };
            format!("{number}. Level {level}. {}. {}.{detail}", row.label, standing.word())
        });
        self.print_lines(rows.collect::<Vec<_>>())
    }

    fn review_lines(&self) -> Vec<String> {
        self.model.catalogs.review.lines.iter().map(TextLine::text).collect()
    }

    /// Asks whether to trust the catalog with the number `argument`, or revokes its trust: the last
    /// parameter is the command for one of the two.
    pub(super) fn trust(&mut self, argument: &str, what: Command) -> io::Result<()> {
        if !self.select(Screen::Catalogs, Pane::Catalogs, argument) {
            return self.print(
                "Usage: trust NUMBER or revoke NUMBER, the number of a catalog, as in trust 1.",
            );
        }
        self.show(Screen::Catalogs);
        if what == Command::Trust {
            self.print_lines(self.review_lines())?;
        }
        self.edit(what)?;
        self.ask()
    }

    /// Asks whether to fetch the missing remotes of the build, or the catalog with this number.
    pub(super) fn fetch(&mut self, argument: &str) -> io::Result<()> {
        if argument.is_empty() {
            self.show(Screen::Tree);
        } else if !self.select(Screen::Catalogs, Pane::Catalogs, argument) {
            return self.print("Usage: fetch NUMBER, the number of a catalog, as in fetch 1.");
        }
        self.edit(Command::Fetch)?;
        self.ask()
    }

    /// Lists the functions of the build, run or pending; with a number, runs one, and with `all`
    /// those that have not run.
    pub(super) fn functions(&mut self, argument: &str) -> io::Result<()> {
        if argument == "all" {
            self.show(Screen::Functions);
            return self.edit(Command::RunAll);
        }
        if !argument.is_empty() {
            if !self.select(Screen::Functions, Pane::Functions, argument) {
                return self.print("Usage: run NUMBER, the number of a function, as in run 1.");
            }
            return self.edit(Command::RunAgain);
        }
        self.show(Screen::Functions);
        if self.model.functions.rows.is_empty() {
            return self.print("This build calls no functions.");
        }
        let rows = (1..).zip(&self.model.functions.rows).map(|(number, row)| {
            let state = match &row.waits_for {
                Some(need) => format!("Not run: {need}"),
                None => format!("Run: {} {}", row.runtime, row.program),
            };
            format!("{number}. {}. Step {}. {}.", row.name, row.step + 1, state.trim())
        });
        self.print_lines(rows.collect::<Vec<_>>())
    }

    pub(super) fn print_pipeline(&mut self) -> io::Result<()> {
        self.show(Screen::Composition);
        if self.model.composition.rows.is_empty() {
            return self.print("No Composition in this target.");
        }
        let rows = (1..).zip(&self.model.composition.rows).map(|(number, row)| {
            let state = match row.kind {
                PipelineKind::Field(..) => {
                    return format!(
                        "{number}. Level 1. {}: {}, {}.",
                        row.name, row.object, row.from
                    );
                }
                PipelineKind::Runs(_) => "",
                PipelineKind::Removed(_) => " Deleted by an override.",
                PipelineKind::Off(_) => " Off.",
            };
            let from = if row.from == "this file" { "in" } else { "from" };
            format!("{number}. {}. {}.{state} {from} {}.", row.name, row.object, row.from)
        });
        self.print_lines(rows.collect::<Vec<_>>())
    }

    /// Prints the fields of an entry of a Composition, or fills in one of them: `3 spec.image
    /// web:2`.
    pub(super) fn fill_in_override(&mut self, argument: &str) -> io::Result<()> {
        let mut words = argument.splitn(3, ' ');
        let (row, field) = (words.next().unwrap_or_default(), words.next());
        let value = words.next().unwrap_or_default();
        if !self.select(Screen::Composition, Pane::Pipeline, row) {
            let words = "Usage: override NUMBER [FIELD VALUE], the number of an entry that pipeline prints, as in override 3 spec.image web:2.";
            return self.print(words);
        }
        self.run(Command::Override);
        let Some(Overlay::Form(form)) = &mut self.model.overlay else {
            // Without a schema, the entry has no form and is edited as text.
            let file = match self.model.overlay.take() {
                Some(Overlay::Editor(editor)) => editor.title.clone(),
                _ => String::new(),
            };
            let status = self.model.status.take().map(|status| status.text);
            let text = format!(
                "No form for this entry. Edit its text in {file}: text FILE, change FILE:LINE."
            );
            return self.print_lines(status.into_iter().chain((!file.is_empty()).then_some(text)));
        };
        let Some(field) = field else {
            let lines = form_field_lines(form, &self.model.look.secrets);
            self.model.overlay = None;
            return self.print_lines(lines);
        };
        let Some(found) = form.fields.iter_mut().find(|it| it.name() == field) else {
            self.model.overlay = None;
            return self.print(format!("No field {field}. override {row} lists the fields."));
        };
        value.clone_into(&mut found.text);
        let before = self.model.builds.generation;
        self.apply_message(Message::Key(KeyEvent::new(KeyCode::Char('s'), KeyModifiers::CONTROL)));
        let refused = match self.model.overlay.take() {
            Some(Overlay::Form(form)) => {
                form.fields.iter().find_map(|field| field.problem.clone()).or(form.refused)
            }
            _ => None,
        };
        let status = self.model.status.take().map(|status| status.text);
        self.print_lines(status.into_iter().chain(refused.map(|why| format!("{field}: {why}."))))?;
        self.report_draft_after(before)
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
                let digest = question.content.digest;
                let mut lines = vec![format!("Trust {}, {digest}?", question.reference)];
                lines.extend(question.summary.iter().map(|line| format!("{line}.")));
                lines.extend([runs, ask]);
                lines
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

    pub(super) fn decide(&mut self, line: &str) -> io::Result<()> {
        let typed = line.trim();
        let key = |code| Message::Key(KeyEvent::new(code, KeyModifiers::NONE));
        let before = self.model.builds.generation;
        self.model.status = None;
        let by_name =
            matches!(&self.model.overlay, Some(Overlay::Trust(it)) if it.widened.is_some());
        if by_name {
            for c in typed.chars() {
                self.apply_message(key(KeyCode::Char(c)));
            }
            self.apply_message(key(KeyCode::Enter));
            if self.model.overlay.is_some() {
                self.apply_message(key(KeyCode::Esc));
            }
        } else {
            let answer = typed.to_lowercase();
            let code = match answer.as_str() {
                "d" | "digest" => KeyCode::Char('d'),
                "r" | "reference" => KeyCode::Char('r'),
                "y" | "yes" => KeyCode::Char('y'),
                // Any other answer cancels the question.
                _ => KeyCode::Esc,
            };
            let is_fetch = matches!(self.model.overlay, Some(Overlay::Fetch(_)));
            let fits = is_fetch == (code == KeyCode::Char('y')) || code == KeyCode::Esc;
            self.apply_message(key(if fits { code } else { KeyCode::Esc }));
        }
        let status = self.model.status.take().map(|status| format!("{}.", status.text));
        self.print_lines(status)?;
        if self.model.builds.generation == before {
            return Ok(());
        }
        self.print(super::words::build(&self.model))
    }
}

fn form_field_lines(form: &EntryForm, secrets: &Secrets) -> Vec<String> {
    form.fields
        .iter()
        .map(|field| {
            let imported = field.imported.as_ref();
            let masked = |text: &str| form.masked(field, text, secrets);
            let imported =
                imported.map(|(value, place)| format!(" Imported: {}, {place}.", masked(value)));
            let now = if field.text.is_empty() { "none" } else { &masked(&field.text) };
            let takes = &field.takes;
            format!("{}, {takes}. Filled in: {now}.{}", field.name(), imported.unwrap_or_default())
        })
        .collect()
}
