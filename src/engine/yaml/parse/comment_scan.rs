//! The assignment of comments to nodes, as in go-yaml v3.

use super::cursor::TextPosition;
use super::reader::Reader;
use crate::yaml::Comments;

struct CommentScan {
    owner: usize,
    start: TextPosition,
    text: String,
    /// The line in which a foot comment of the previous token must begin.
    foot_line: Option<usize>,
    next_indent: usize,
    /// Two flags: the last line was empty, and no line has been empty yet.
    recent_empty: bool,
    first_empty: bool,
}

impl Reader<'_, '_> {
    /// Reads a comment at the end of the line of the last token.
    pub(super) fn line_comment(&mut self, owner: usize) {
        if !self.keeps_comments() || self.cursor.newlines > 0 {
            return;
        }
        self.cursor.skip_blanks();
        if self.cursor.byte(0) == b'#' {
            let line = self.cursor.take_rest_of_line().to_owned();
            self.comments.add(owner, Comments { line, ..Comments::default() });
        }
    }

    /// Reads the comments up to the next content; `scan` is the end of the last token.
    pub(super) fn scan_comments(&mut self, scan: TextPosition) {
        let mut look = self.start_scan(scan);
        let (mut line, mut column, mut ahead) =
            (self.cursor.point.line, self.cursor.point.column, 0);
        loop {
            if self.cursor.is_blank(ahead) {
                (ahead, column) = (ahead + 1, column + 1);
                continue;
            }
            let byte = self.cursor.byte(ahead);
            let closes_flow = self.flow_level > 0 && matches!(byte, b']' | b'}');
            let here = TextPosition { at: self.cursor.point.at + ahead, line, column };
            if closes_flow || byte == 0 || self.cursor.is_break(ahead) {
                self.end_comment_at_empty_line(&mut look, closes_flow, byte == 0, here);
                if !self.cursor.is_break(ahead) {
                    break;
                }
                (look.first_empty, look.recent_empty) = (false, true);
                (line, column, ahead) = (line + 1, 0, ahead + 1);
                continue;
            }
            let is_dedented = column < look.next_indent;
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
            self.take_comment(&mut look.text, here.at);
            // Skip the line break at the end of the comment, which ends no empty line.
            (line, column, ahead) = (self.cursor.point.line, 0, 1);
        }
        if !look.text.is_empty() {
            let texts = Comments { head: look.text, ..Comments::default() };
            self.comments.add_in_gap(look.start.at, look.start, texts);
        }
    }

    /// The state at the start of a search, with the token to which a comment at this place belongs.
    fn start_scan(&self, scan: TextPosition) -> CommentScan {
        let (here, newlines) = (self.cursor.point, self.cursor.newlines);
        let below = usize::from(newlines == 0 && here.column > 1);
        let foot_line = (scan.line > 0).then(|| (here.line + 1 + below).saturating_sub(newlines));
        CommentScan {
            owner: self.last_token.at,
            start: TextPosition::default(),
            text: String::new(),
            foot_line: foot_line.filter(|_| !self.is_behind_colon),
            next_indent: usize::try_from(self.indent).unwrap_or(0),
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
        let is_below = Some(state.start.line) == state.foot_line;
        let is_dedented = state.start.column < state.next_indent;
        if closes_flow || state.first_empty && (is_below || is_dedented) {
            if !state.text.is_empty() {
                if is_dedented {
                    state.owner = state.start.at;
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
        self.comments.add_in_gap(state.owner, state.start, texts);
        state.owner = here.at;
    }

    /// Skips to the byte `at`, and appends the rest of that line to `text`.
    fn take_comment(&mut self, text: &mut String, at: usize) {
        while self.cursor.point.at < at {
            if self.cursor.is_break(0) {
                self.cursor.skip_line();
            } else {
                self.cursor.skip();
            }
        }
        text.push_str(self.cursor.take_rest_of_line());
    }

    /// The comments of the document: the lines above the last empty line.
    pub(super) fn split_document_comments(&mut self) -> String {
        let head = &mut self.comments.texts.head;
        let end = head.len().saturating_sub(1);
        let (cut, rest) = if head.ends_with('\n') {
            (end, head.len())
        } else if let Some(at) = head.rfind("\n\n") {
            (at, at + 2)
        } else {
            return String::new();
        };
        let rest = head.split_off(rest);
        let mut document = std::mem::replace(head, rest);
        document.truncate(cut);
        document
    }
}
