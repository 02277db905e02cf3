//! Copying: a menu of values under the cursor.

use crossterm::event::{KeyCode, KeyEvent};

use super::super::message::Effect;
use super::super::model::{Model, Overlay, Pane, Screen, TreeSubject, YankItem};
use super::super::text::yaml_lines;
use super::super::theme::StyleRole;
use super::{note, say, say_error};
use crate::display::sanitize_lines;
use crate::engine::plugin::quote_shell_word;

/// The maximum length in bytes of a copied text: terminals drop more than 74,994 bytes of base64.
const MAX_COPIED_BYTES: usize = 56_245;

pub(crate) fn open(model: &mut Model) {
    super::derive::derive_resources(model);
    let items = items(model);
    if items.is_empty() {
        note(model, "no text to copy here");
    } else {
        model.overlay = Some(Overlay::Yank(items));
    }
}

pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let Some(Overlay::Yank(items)) = model.overlay.take() else { return };
    let KeyCode::Char(typed) = key.code else { return };
    let Some(item) = items.into_iter().find(|item| item.key == typed) else { return };
    // The text may be pasted into a shell: it is sanitized like text on the screen.
    let text = sanitize_lines(&item.text);
    let shown = if text == item.text { "" } else { "; control characters are escaped" };
    if text.len() > MAX_COPIED_BYTES {
        say_error(model, format!("too long for the terminal's clipboard: {} bytes", text.len()));
        return;
    }
    let said =
        format!("copied {}: {} bytes to the terminal's clipboard{shown}", item.label, text.len());
    say(model, StyleRole::Ok, said);
    model.request(Effect::Copy(text.into_owned()));
}

fn items(model: &Model) -> Vec<YankItem> {
    let mut items = Vec::new();
    let location = |text: String| item('f', "the location (file:line)", text);
    let at = model.list(Pane::Resource).selected;
    if let Some(line) = model.resources.lines.get(at).filter(|_| model.focused() == Pane::Resource)
    {
        let text = line.text();
        let value = text.split_once(": ").map_or(text.trim(), |(_, value)| value);
        items.push(item('v', "the value", value.to_owned()));
        if let Some(path) = model.path_under_cursor() {
            items.push(item('p', "the field path", path));
        }
        if line.mark.line > 0 {
            items.push(location(model.builds.recording.location(line.mark)));
        }
    }
    items.extend(catalog_copy_items(model));
    items.extend(function_copy_items(model));
    if let Some(row) = model.tree.rows.get(model.list(Pane::Tree).selected)
        && model.focused() == Pane::Tree
    {
        items.push(item('n', "the name", row.label.clone()));
        if let TreeSubject::Entry { entry, line, .. } = &row.subject {
            items.push(location(format!("{}:{line}", model.shown_path(&entry.file))));
        }
    }
    if let Some(row) = model.resources.shown() {
        let name = format!("{}/{}", row.kind, row.resource.id.name);
        items.push(item('r', "the resource's name", name));
        let yaml = yaml_lines(&model.look.secrets.masked_node(&row.resource));
        let yaml: String = yaml.iter().map(|line| line.text() + "\n").collect();
        items.push(item('y', "the resource as YAML", yaml));
    }
    if let Some(step) = model.builds.recording.step(model.cursor) {
        items.push(item('s', "the step's id", step.id.0.to_string()));
    }
    items
}

fn item(key: char, label: &'static str, text: String) -> YankItem {
    YankItem { key, label, text }
}

fn catalog_copy_items(model: &Model) -> Vec<YankItem> {
    let row = model.catalogs.rows.get(model.list(Pane::Catalogs).selected);
    let row = row.filter(|_| model.screen == Screen::Catalogs);
    let reviewed = row.and_then(|row| model.builds.recording.catalogs.get(row.catalog));
    let Some((row, Ok(found))) = row.zip(reviewed.map(|reviewed| &reviewed.result)) else {
        return Vec::new();
    };
    let mut items = vec![
        item('c', "the flag for CI", found.review.flag.clone()),
        item('d', "the digest", found.view.digest.to_string()),
    ];
    if let Some(entry) = row.entry.and_then(|entry| found.view.entries.get(entry)) {
        let links = [
            ('u', "the usage", entry.version.usage.clone()),
            ('h', "the home page", entry.function.home.clone()),
            ('e', "the examples", entry.version.examples.join("\n")),
        ];
        let links = links.into_iter().filter(|(.., link)| !link.is_empty());
        items.extend(links.map(|(key, label, link)| item(key, label, link)));
    }
    items
}

fn function_copy_items(model: &Model) -> Vec<YankItem> {
    let row = model.functions.rows.get(model.list(Pane::Functions).selected);
    let row = row.filter(|_| model.screen == Screen::Functions);
    let step = row.and_then(|row| model.builds.recording.step(row.step));
    let Some(run) = step.and_then(|step| step.run.as_ref()) else { return Vec::new() };
    let word = |word: &String| quote_shell_word(&model.look.secrets.text(word));
    let command: Vec<String> = run.command.iter().map(word).collect();
    let text = |bytes: &[u8]| model.look.secrets.mask_yaml(&String::from_utf8_lossy(bytes));
    vec![
        item('x', "the command", command.join(" ")),
        item('i', "the input", text(&run.input)),
        item('o', "the output", text(&run.output)),
    ]
}
