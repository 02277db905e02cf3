//! Builds one line of the screen from texts with a role each; the line is never wider than its
//! cells.

use std::ops::Range;

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

use super::super::model::Model;
use super::super::rows::{Drawing, Piece};
use super::super::text::{TextLine, fit, pad, width};
use super::super::theme::StyleRole;

pub(crate) struct LineBuilder<'a> {
    model: &'a Model,
    spans: Vec<Span<'static>>,
    used: usize,
    pub columns: usize,
}

impl<'a> LineBuilder<'a> {
    pub(crate) fn new(model: &'a Model, columns: usize) -> Self {
        Self { model, spans: Vec::new(), used: 0, columns }
    }

    pub(crate) fn room(&self) -> usize {
        self.columns.saturating_sub(self.used)
    }

    pub(crate) fn put(&mut self, role: StyleRole, text: &str) -> &mut Self {
        self.push_styled(self.model.look.theme.style(role), text)
    }

    /// Adds a text, cut or padded to `cells`.
    pub(crate) fn column(&mut self, role: StyleRole, text: &str, cells: usize) -> &mut Self {
        let cells = cells.min(self.room());
        self.put(role, &pad(text, cells))
    }

    /// Adds a text with counts such as `+1 ~4 −2`, each in the colour of its sign, cut or padded to
    /// `cells`. `other` is the role of the other words.
    pub(crate) fn counts(&mut self, other: StyleRole, text: &str, cells: usize) -> &mut Self {
        let text = pad(text, cells.min(self.room()));
        for word in text.split_inclusive(' ') {
            let mut letters = word.chars();
            let role = match (letters.next(), letters.next()) {
                (Some('+'), Some('0'..='9')) => StyleRole::Added,
                (Some('~'), Some('0'..='9')) => StyleRole::Modified,
                (Some('−' | '-'), Some('0'..='9')) => StyleRole::Removed,
                _ => other,
            };
            self.put(role, word);
        }
        self
    }

    pub(crate) fn push_right_aligned(
        &mut self,
        role: StyleRole,
        text: &str,
        cells: usize,
    ) -> &mut Self {
        let text = fit(text, cells);
        let space = " ".repeat(cells.saturating_sub(width(&text)));
        self.put(role, &space).put(role, &text)
    }

    pub(crate) fn pad_to(&mut self, cell: usize) -> &mut Self {
        let space = " ".repeat(cell.min(self.columns).saturating_sub(self.used));
        self.put(StyleRole::Text, &space)
    }

    pub(crate) fn text_line(&mut self, line: &TextLine) -> &mut Self {
        self.push_emphasized(line, &[], Style::new(), None)
    }

    /// Adds a line of YAML, with some byte ranges in another style; `over`, if set, is the style of
    /// the complete line.
    pub(crate) fn push_emphasized(
        &mut self,
        line: &TextLine,
        words: &[Range<usize>],
        word_style: Style,
        over: Option<StyleRole>,
    ) -> &mut Self {
        self.put(StyleRole::Text, &" ".repeat(line.indent));
        let mut at = line.indent;
        for token in &line.tokens {
            let style = self.model.look.theme.style(over.unwrap_or(token.role));
            let (mut from, start, end) = (at, at, at + token.text.len());
            let edges = words.iter().flat_map(|word| [word.start, word.end]);
            for edge in edges.filter(|edge| (start + 1..end).contains(edge)).chain([end]) {
                let piece = token.text.get(from - start..edge - start).unwrap_or_default();
                let is_inside = words.iter().any(|word| word.contains(&from));
                let style = if is_inside { style.patch(word_style) } else { style };
                if self.room() == 0 && !piece.trim().is_empty() {
                    self.cut();
                }
                self.push_styled(style, piece);
                from = edge;
            }
            at = end;
        }
        self
    }

    pub(crate) fn finish(self) -> Line<'static> {
        Line::from(self.spans)
    }

    /// Shows by `…` that a full line is cut at its end.
    fn cut(&mut self) {
        if let Some(last) = self.spans.last_mut()
            && !last.content.ends_with('…')
        {
            let cells = width(&last.content);
            last.content = fit(&format!("{}  ", last.content), cells).into();
        }
    }

    fn push_styled(&mut self, style: Style, text: &str) -> &mut Self {
        if text.is_empty() || self.room() == 0 {
            return self;
        }
        let text = fit(text, self.room());
        self.used += width(&text);
        self.spans.push(Span::styled(text, style));
        self
    }
}

pub(crate) fn of_texts(
    model: &Model,
    columns: usize,
    texts: &[(StyleRole, &str)],
) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    for (role, text) in texts {
        line.put(*role, text);
    }
    line.finish()
}

pub(crate) fn of_pieces(model: &Model, pieces: &[Piece], columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    for Piece { role, text, drawing } in pieces {
        match drawing {
            Drawing::Plain => line.put(*role, text),
            Drawing::Counts => line.counts(*role, text, width(text)),
            Drawing::StruckOut => {
                let style = model.look.theme.style(*role);
                line.push_styled(style.add_modifier(Modifier::CROSSED_OUT), text)
            }
        };
    }
    line.finish()
}

/// A line without the `cells` cells after its first `fixed` cells. A word whose beginning is missing
/// begins with `…`.
pub(crate) fn without(line: Line<'static>, fixed: usize, cells: usize) -> Line<'static> {
    if cells == 0 {
        return line;
    }
    let (mut at, mut gone, mut is_in_word) = (0, 0, false);
    let mut spans = Vec::new();
    for span in line.spans {
        let mut kept = String::new();
        for grapheme in span.content.graphemes(true) {
            if at < fixed || gone >= cells {
                at += width(grapheme);
                let is_cut = std::mem::take(&mut is_in_word) && grapheme != " ";
                kept.push_str(if is_cut { "…" } else { grapheme });
            } else {
                gone += width(grapheme);
                is_in_word = grapheme != " ";
                // A wide character that is cut in half is replaced by a space.
                kept.push_str(&" ".repeat(gone.saturating_sub(cells)));
            }
        }
        spans.push(Span::styled(kept, span.style));
    }
    Line::from(spans)
}

/// A line, wrapped to `cells`, after a space, a slash, a dash or a dot if one is in the second half
/// of the line; all lines after the first begin with `indent` spaces, at most two fifths of a line.
pub(crate) fn folded(line: &Line<'static>, cells: usize, indent: usize) -> Vec<Line<'static>> {
    let indent = indent.min(cells * 2 / 5);
    let cells = cells.max(2);
    let signs = line
        .spans
        .iter()
        .flat_map(|span| span.content.graphemes(true).map(|sign| (sign.to_owned(), span.style)));
    let signs: Vec<(String, Style)> = signs.collect();
    let mut lines = Vec::new();
    let mut rest = signs.as_slice();
    loop {
        let lead = if lines.is_empty() { 0 } else { indent };
        let mut used = lead;
        let fitting = rest.iter().take_while(|(sign, _)| {
            used += width(sign);
            used <= cells
        });
        // A sign that is wider than the line is not broken.
        let mut end = fitting.count().max(1).min(rest.len());
        if end < rest.len() {
            let after = |one: &str| {
                let at = rest[..end].iter().rposition(|(sign, _)| sign == one);
                at.map(|at| at + 1).filter(|at| at * 2 > end)
            };
            end = [" ", "/", "-", "."].into_iter().find_map(after).unwrap_or(end);
        }
        let mut spans: Vec<Span<'static>> = Vec::new();
        if lead > 0 {
            spans.push(Span::raw(" ".repeat(lead)));
        }
        for (sign, style) in &rest[..end] {
            match spans.last_mut().filter(|last| last.style == *style) {
                Some(last) => last.content.to_mut().push_str(sign),
                None => spans.push(Span::styled(sign.clone(), *style)),
            }
        }
        lines.push(Line::from(spans));
        rest = &rest[end..];
        if rest.is_empty() {
            return lines;
        }
    }
}
