//! The assignment of comments to tokens, as in go-yaml v3.

use crate::yaml::Comments;

use super::Scanner;
use super::cursor::TextPosition;
use super::token::{ScanToken, ScanTokenKind};

/// The distance within which go-yaml searches for a comment.
const MAX_COMMENT_DISTANCE: usize = 512;

/// A comment that is not yet assigned to a token.
#[derive(Default)]
pub(super) struct PendingComment {
    /// The start of the search for the comment.
    scan: TextPosition,
    /// The comment belongs to the first token at or after this position.
    owner: TextPosition,
    start: TextPosition,
    end: usize,
    texts: Comments,
}

/// Columns are compared with indentations, of which the outermost is -1.
fn column_of(point: TextPosition) -> isize {
    isize::try_from(point.column).unwrap_or(isize::MAX)
}

struct CommentScan {
    scan: TextPosition,
    owner: TextPosition,
    start: TextPosition,
    text: String,
    /// The line in which a foot comment of the previous token must begin.
    foot_line: Option<usize>,
    /// Whether the last token is the `:` of a value.
    behind_colon: bool,
    next_indent: isize,
    /// Two flags: the last line was empty, and no line has been empty yet.
    recent_empty: bool,
    first_empty: bool,
}

impl Scanner<'_> {
    /// Reads a comment at the end of the line of the last token.
    pub(super) fn scan_line_comment(&mut self, owner: TextPosition) {
        if self.cursor.newlines > 0 {
            return;
        }
        let Some(peek) = (0..MAX_COMMENT_DISTANCE).find(|peek| !self.cursor.is_blank(*peek)) else {
            return;
        };
        if self.cursor.byte(peek) != b'#' {
            return;
        }
        self.cursor.skip_to(self.cursor.point.at + peek);
        let start = self.cursor.point;
        let line = self.cursor.take_rest_of_line().to_owned();
        let texts = Comments { line, ..Comments::default() };
        self.comments.push(PendingComment { owner, start, texts, ..PendingComment::default() });
    }

    /// Makes a comment after the first dash of a sequence the head comment of the next node.
    pub(super) fn lift_line_comment(&mut self) {
        let [.., first, last] = &self.tokens[..] else { return };
        let is_first_entry = first.kind == ScanTokenKind::BlockSequenceStart
            && last.kind == ScanTokenKind::BlockEntry;
        if !is_first_entry || self.cursor.is_break(0) {
            return;
        }
        let here = self.cursor.point;
        if let Some(comment) =
            self.comments.last_mut().filter(|comment| !comment.texts.line.is_empty())
        {
            comment.texts.head = std::mem::take(&mut comment.texts.line);
            if comment.start.line + 1 == here.line {
                comment.owner = here;
            }
        }
    }

    /// Reads the comments up to the next content.
    pub(super) fn scan_comments(&mut self, scan: TextPosition) {
        let mut look = self.start_scan(scan);
        let (mut line, mut column) = (self.cursor.point.line, self.cursor.point.column);
        let mut peek = 0;
        while peek < MAX_COMMENT_DISTANCE {
            column += 1;
            if self.cursor.is_blank(peek) {
                peek += 1;
                continue;
            }
            let byte = self.cursor.byte(peek);
            let closes_flow = self.flow_level > 0 && matches!(byte, b']' | b'}');
            let index = self.cursor.point.index + peek;
            let row = self.cursor.point.row + line - self.cursor.point.line;
            let here = TextPosition { index, line, column, row, ..TextPosition::default() };
            if closes_flow || self.cursor.is_break_or_end(peek) {
                self.end_comment_at_empty_line(&mut look, closes_flow, byte == 0, here);
                if !self.cursor.is_break(peek) {
                    break;
                }
                look.first_empty = false;
                look.recent_empty = true;
                column = 0;
                line += 1;
                peek += 1;
                continue;
            }
            let is_dedented = column_of(here) - 1 < look.next_indent;
            if !look.text.is_empty() && is_dedented && column != look.start.column {
                self.keep_foot_comment(&mut look, here);
            }
            if byte != b'#' {
                break;
            }
            if look.text.is_empty() {
                look.start = here;
            } else {
                look.text.push('\n');
            }
            look.recent_empty = false;
            self.take_comment(&mut look.text, index);
            // Skip the line break at the end of the comment, which ends no empty line.
            (peek, column, line) = (1, 0, self.cursor.point.line);
            look.next_indent = self.indent.max(0);
        }
        if !look.text.is_empty() {
            let texts = Comments { head: look.text, ..Comments::default() };
            let end = (self.cursor.point.index + peek).saturating_sub(1);
            let (scan, start) = (look.scan, look.start);
            self.comments.push(PendingComment { scan, owner: start, start, end, texts });
        }
    }

    /// The state at the start of a search, with the token to which a comment at this place belongs.
    fn start_scan(&self, scan: TextPosition) -> CommentScan {
        let here = self.cursor.point;
        let last = match &self.tokens[..] {
            [.., before, ScanToken { kind: ScanTokenKind::FlowEntry, .. }] => Some(before),
            tokens => tokens.last(),
        };
        let newlines = self.cursor.newlines;
        let below = usize::from(newlines == 0 && here.column > 1);
        CommentScan {
            scan,
            owner: last.map_or(here, |token| token.start),
            start: TextPosition::default(),
            text: String::new(),
            foot_line: (scan.line > 0).then(|| (here.line + 1 + below).saturating_sub(newlines)),
            behind_colon: last.is_some_and(|token| token.kind == ScanTokenKind::Value),
            next_indent: self.indent.max(0),
            recent_empty: false,
            first_empty: newlines <= 1,
        }
    }

    /// Ends the comment above at an empty line, at the end of the text or of a flow collection.
    fn end_comment_at_empty_line(
        &mut self,
        state: &mut CommentScan,
        closes_flow: bool,
        is_end: bool,
        here: TextPosition,
    ) {
        if !closes_flow && state.recent_empty {
            return;
        }
        let is_below = Some(state.start.line) == state.foot_line && !state.behind_colon;
        let is_dedented = column_of(state.start) - 1 < state.next_indent;
        if closes_flow || state.first_empty && (is_below || is_dedented) {
            if !state.text.is_empty() {
                if is_dedented {
                    state.owner = state.start;
                }
                self.keep_foot_comment(state, here);
            }
        } else if !state.text.is_empty() && !is_end {
            state.text.push('\n');
        }
    }

    /// Stores the current text as a foot comment of the token above, and starts a new comment.
    fn keep_foot_comment(&mut self, state: &mut CommentScan, here: TextPosition) {
        let texts = Comments { foot: std::mem::take(&mut state.text), ..Comments::default() };
        let (scan, owner, start) = (state.scan, state.owner, state.start);
        self.comments.push(PendingComment { scan, owner, start, end: here.index, texts });
        state.scan = here;
        state.owner = here;
    }

    /// Skips to the character `index`, and appends the rest of that line to `text`.
    fn take_comment(&mut self, text: &mut String, index: usize) {
        while self.cursor.point.index < index {
            if self.cursor.is_break(0) {
                self.cursor.skip_line();
            } else {
                self.cursor.skip();
            }
        }
        text.push_str(self.cursor.take_rest_of_line());
    }

    /// The end of a block at this indentation: before the comments that belong to the enclosing
    /// block.
    pub(super) fn end_of_block(&self, mut end: TextPosition, indent: isize) -> TextPosition {
        let mut stop = end.index;
        for comment in self.comments.iter().rev() {
            if comment.end < stop {
                break;
            }
            if column_of(comment.start) == indent + 1 {
                end = comment.start;
            }
            stop = comment.scan.index;
        }
        end
    }

    /// Adds the comments that belong to the next token, or precede it.
    pub(in super::super) fn unfold_comments(&mut self, texts: &mut Comments) {
        let Some(token) = self.tokens.get(self.head) else { return };
        while let Some(comment) = self.comments.get_mut(self.comments_head) {
            if token.start.index < comment.owner.index {
                break;
            }
            // A block end has no head comment: keep it for the next token.
            if !comment.texts.head.is_empty() && token.kind == ScanTokenKind::BlockEnd {
                break;
            }
            let comment = std::mem::take(comment);
            self.comments_head += 1;
            let Comments { head, line, foot, .. } = comment.texts;
            for (to, from) in
                [(&mut texts.head, head), (&mut texts.line, line), (&mut texts.foot, foot)]
            {
                if !from.is_empty() {
                    if !to.is_empty() {
                        to.push('\n');
                    }
                    to.push_str(&from);
                }
            }
        }
    }
}
