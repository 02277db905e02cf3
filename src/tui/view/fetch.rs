//! The question whether to fetch: lists each remote by its exact name.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use super::super::message::ClickArea;
use super::super::model::{FetchQuestion, Model};
use super::super::text::{sanitize, wrap};
use super::super::theme::StyleRole;
use super::dialog::{dialog, key_line};
use super::line::LineBuilder;
use crate::engine::load::Fetch;

/// The maximum width of the dialog in columns.
const MAX_DIALOG_COLUMNS: u16 = 100;

/// Draws the question with everything that would be fetched.
pub(super) fn question(
    model: &Model,
    asked: &FetchQuestion,
    frame: &mut Frame<'_>,
    clicks: &mut Vec<ClickArea>,
) -> Position {
    let columns =
        usize::from(MAX_DIALOG_COLUMNS.min(frame.area().width.saturating_sub(2))).saturating_sub(4);
    let lines = words(asked, columns);
    let rows = u16::try_from(lines.len() + 4).unwrap_or(u16::MAX);
    let title = match remotes(&asked.things).as_slice() {
        [(thing, _)] => format!("Fetch this from {}?", thing.from()),
        remotes => format!("Fetch these {}?", remotes.len()),
    };
    let inner = dialog(model, &title, MAX_DIALOG_COLUMNS, rows, frame);
    let room = usize::from(inner.height).saturating_sub(2);
    let last = lines.len().saturating_sub(room);
    let bottom = inner.bottom().saturating_sub(1);
    for (y, (role, text)) in
        (inner.y..bottom.saturating_sub(1)).zip(lines.iter().skip(asked.offset.min(last)))
    {
        let mut line = LineBuilder::new(model, inner.width.into());
        line.put(StyleRole::Text, " ").put(*role, text);
        frame.buffer_mut().set_line(inner.x, y, &line.finish(), inner.width);
    }
    let keys = [("y", "fetch"), ("n", "cancel"), ("j k", "scroll")];
    let keys = if last > 0 { &keys[..] } else { &keys[..2] };
    key_line(model, keys, Rect { y: bottom, height: 1, ..inner }, frame, clicks);
    Position::new(inner.x + 1, bottom)
}

/// Each remote once. True for a repository whose URL is tried as that of a file first, as Kustomize
/// does with an entry that may be either.
fn remotes(things: &[Fetch]) -> Vec<(&Fetch, bool)> {
    let is_of = |url: &str, repository: &Fetch| {
        let Fetch::Git(target) = repository else { return false };
        url.starts_with(target.repo.trim_end_matches(".git"))
    };
    let is_own = |thing: &&Fetch| match thing {
        Fetch::Http(url) => !things.iter().any(|other| is_of(url, other)),
        _ => true,
    };
    let is_tried = |thing: &Fetch| {
        things.iter().any(|other| matches!(other, Fetch::Http(url) if is_of(url, thing)))
    };
    things.iter().filter(is_own).map(|thing| (thing, is_tried(thing))).collect()
}

fn words(asked: &FetchQuestion, columns: usize) -> Vec<(StyleRole, String)> {
    let mut lines = Vec::new();
    for (thing, is_tried_as_file) in remotes(&asked.things) {
        for part in wrap(&sanitize(&thing.request()), columns) {
            lines.push((StyleRole::Title, part));
        }
        let before = if is_tried_as_file { "HTTP: one file; if it is none, " } else { "" };
        lines.push((StyleRole::Dim, format!("  {before}{}", thing.protocol())));
    }
    lines.push((StyleRole::Text, String::new()));
    let kept = "Fetching caches the content; it runs no code and does not trust it.";
    lines.extend(wrap(kept, columns).into_iter().map(|part| (StyleRole::Text, part)));
    lines
}
