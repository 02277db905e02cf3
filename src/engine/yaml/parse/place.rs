//! Where go-yaml says that a node stands, which differs from the parser for nodes with properties and for empty ones.

use granit_parser::Span;

use super::build::Builder;
use crate::engine::yaml::Mark;

impl Builder<'_> {
    /// The place of a node with a tag or an anchor: where the first of them begins. The parser points behind them.
    pub(super) fn at_properties(&self, span: &Span, properties: usize, mark: Mark) -> Mark {
        let before = span.start.byte_offset().and_then(|at| self.text.get(..at));
        let Some(mut before) = before else { return mark };
        let mut found = mark;
        for _ in 0..properties {
            let end = before.trim_end_matches([' ', '\t', '\n']);
            let start = end.rfind([' ', '\t', '\n', '[', '{', ',']).map_or(0, |at| at + 1);
            if !end[start..].starts_with(['&', '!']) {
                break;
            }
            let above = before[start..].matches('\n').count();
            found.line = found.line.saturating_sub(u32::try_from(above).unwrap_or(0));
            let line = end[..start].rfind('\n').map_or(0, |at| at + 1);
            found.column = column(&end[line..start]);
            before = &end[..start];
        }
        found
    }

    /// The place of an empty node without properties: behind the `:` or `-` that announces it, in a flow mapping where the
    /// next token begins.
    pub(super) fn at_nothing(&self, span: &Span, mark: Mark) -> Mark {
        let text = span.start.byte_offset().and_then(|at| self.text.split_at_checked(at));
        let Some((before, rest)) = text else { return mark };
        let back = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        if let Some(rest) = rest.strip_prefix(':') {
            let next = rest.trim_start_matches([' ', '\t']);
            let is_flow = next.starts_with([',', '}', ']']);
            let blanks = if is_flow { rest.len() - next.len() } else { 0 };
            return Mark { column: mark.column.saturating_add(back(blanks + 1)), ..mark };
        }
        let dash = before.trim_end_matches([' ', '\t']);
        if dash.ends_with('-') {
            let blanks = before.len() - dash.len();
            return Mark { column: mark.column.saturating_sub(back(blanks)), ..mark };
        }
        mark
    }
}

/// 1-based, in characters.
fn column(before: &str) -> u32 {
    u32::try_from(before.chars().count()).unwrap_or(u32::MAX).saturating_add(1)
}
