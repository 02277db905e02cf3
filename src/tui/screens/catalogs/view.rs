//! Catalogs and their functions, and the question whether to trust one.

use ratatui::layout::{Position, Rect};

use crate::engine::plugin::TrustChange;
use crate::model::{Model, TrustQuestion, TrustStatus};
use crate::rows::{Cell, Keep, ListRow};
use crate::text::{sanitize, to_u16, wrap};
use crate::theme::StyleRole;
use crate::view::actions::scrolled_texts;
use crate::view::dialog::{DialogPainter, add_key};

pub(crate) fn row(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.catalogs.rows.get(index)?;
    let glyphs = model.glyphs();
    let (role, sign) = match row.standing {
        TrustStatus::Trusted => (StyleRole::Ok, glyphs.applied),
        TrustStatus::Same => (StyleRole::Dim, glyphs.applied),
        TrustStatus::New => (StyleRole::Added, "+"),
        TrustStatus::Changed => (StyleRole::Warning, glyphs.warning),
        TrustStatus::Untrusted | TrustStatus::Unreadable => (StyleRole::Error, glyphs.failed),
        TrustStatus::NotFetched => (StyleRole::Warning, glyphs.waiting),
        TrustStatus::Shadowed => (StyleRole::Dim, glyphs.no_change),
    };
    let (indent, label) =
        if row.entry.is_some() { ("     ", StyleRole::Text) } else { (" ", StyleRole::Title) };
    let cells = vec![
        Cell::new(label, Keep::Place, &row.label),
        Cell::new(StyleRole::Dim, Keep::Begin, &row.detail),
        Cell::new(role, Keep::All, row.standing.word()),
    ];
    Some(ListRow::new(vec![(role, format!("{indent}{sign} "))], cells))
}

pub(crate) fn question(painter: &mut DialogPainter<'_, '_>, asked: &TrustQuestion) -> Position {
    let wide = asked.widened.as_ref();
    let inner = painter.dialog("Trust this catalog?", 84, 16);
    let columns = usize::from(inner.width);
    let mut lines = Vec::new();
    let mut text = |role: StyleRole, text: &str| {
        // Trust needs a key: a click only cancels.
        if text.starts_with("n  ") {
            let y = inner.y.saturating_add(to_u16(lines.len()));
            add_key(painter.clicks, "n", Rect { y, height: 1, ..inner }.intersection(inner));
        }
        let parts = wrap(&sanitize(text), columns.saturating_sub(2)).into_iter();
        lines.extend(parts.map(|part| (role, part)));
    };
    text(StyleRole::Title, &asked.reference);
    text(StyleRole::Dim, &asked.content.digest.to_string());
    text(StyleRole::Text, "");
    if let Some(function) = wide {
        let reason = if function == TrustChange::SIGNED_PART {
            "It has another signer than before. To agree, type this word:"
        } else {
            "It requests more permissions than before. To agree, type the function's name:"
        };
        text(StyleRole::Error, reason);
        text(StyleRole::Text, function);
        text(StyleRole::Key, &format!("> {}", asked.typed.text()));
        text(StyleRole::Text, "");
        text(StyleRole::Dim, "enter trust this content   ctrl-r trust the reference   esc cancel");
    } else {
        for line in &asked.summary {
            text(StyleRole::Warning, line);
        }
        text(StyleRole::Text, "d  trust this content: a change of any file needs a new decision");
        text(StyleRole::Text, "r  trust this reference: any content, now and later");
        text(StyleRole::Text, "n  cancel");
        text(StyleRole::Text, "");
        if !asked.runs.is_empty() {
            let names = asked.runs.join(", ");
            text(
                StyleRole::Text,
                &format!("Trusting runs no function. R or ,R on Functions runs: {names}"),
            );
        }
        if let Some(flag) = &asked.flag {
            text(StyleRole::Dim, &format!("for CI: {flag}"));
        }
    }
    scrolled_texts(painter, &lines, 0, inner);
    Position::new(inner.x + 1, inner.y)
}
