//! The comments that wait for their nodes.

use std::collections::VecDeque;
use std::sync::Arc;

use super::cursor::TextPosition;
use crate::yaml::{Comments, Node};

/// Comments that are read and not yet assigned to a node.
#[derive(Default)]
pub(super) struct CommentQueue {
    waiting: VecDeque<PendingComment>,
    /// The column and the byte of each comment between the last token and the next one.
    gap: Vec<(usize, usize)>,
    /// The byte at which the innermost block ends that was closed since the last token.
    block_end: usize,
    /// The comments of the next node.
    pub(super) texts: Comments,
}

struct PendingComment {
    /// The comment belongs to the first token at or after this byte.
    owner: usize,
    texts: Comments,
}

impl CommentQueue {
    /// Forgets the comments between the last two tokens; the next ones begin at this byte.
    pub(super) fn start_gap(&mut self, at: usize) {
        self.gap.clear();
        self.block_end = at.saturating_sub(1);
    }

    /// The end of a block with this indentation: before the comments that belong to the enclosing
    /// block. The last block of a document ends at the end of the document.
    pub(super) fn block_end(&self, indent: isize, document_end: Option<usize>) -> usize {
        let is_in_block = |(column, _): &&(usize, usize)| isize::try_from(*column) == Ok(indent);
        let end = document_end.unwrap_or(self.block_end);
        self.gap.iter().find(is_in_block).map_or(end, |(_, at)| *at)
    }

    pub(super) fn close_block(&mut self, indent: isize) {
        self.block_end = self.block_end(indent, None);
    }

    pub(super) fn add(&mut self, owner: usize, texts: Comments) {
        self.waiting.push_back(PendingComment { owner, texts });
    }

    pub(super) fn add_in_gap(&mut self, owner: usize, start: TextPosition, texts: Comments) {
        self.gap.push((start.column, start.at));
        self.add(owner, texts);
    }

    /// Adds the comments that belong to the token at this byte, or precede it, to the comments of
    /// the next node. The end of a block has no head comment: it is kept for the next token.
    pub(super) fn collect(&mut self, at: usize, is_block_end: bool) {
        let belongs = |comment: &PendingComment| {
            comment.owner <= at && (!is_block_end || comment.texts.head.is_empty())
        };
        while self.waiting.front().is_some_and(belongs) {
            let Some(comment) = self.waiting.pop_front() else { return };
            let Comments { head, line, foot, .. } = comment.texts;
            let texts = &mut self.texts;
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

pub(super) fn comments_mut(node: &mut Node) -> &mut Comments {
    Arc::make_mut(node.comments.get_or_insert_default())
}

/// Splits the comment above a dash from that above the first node of the collection after the dash;
/// `stem` is the length of the first one.
pub(super) fn split_stem(head: &mut String, stem: usize) -> String {
    // The comments above an alias are not kept: there may be none to split.
    if stem == 0 || !head.is_char_boundary(stem) {
        return String::new();
    }
    let rest = head.split_off(stem);
    let rest = rest.strip_prefix('\n').map(str::to_owned).unwrap_or(rest);
    std::mem::replace(head, rest)
}

/// Gives a collection its written tag; a tag that YAML defines is stored in its short form.
pub(super) fn set_collection_tag(node: &mut Node, tag: String) {
    comments_mut(node).tag = match tag.strip_prefix("tag:yaml.org,2002:") {
        Some(name) => format!("!!{name}"),
        None => tag,
    };
}

pub(super) fn set(node: &mut Node, texts: Comments) {
    if texts.has_texts() {
        node.comments = Some(Arc::new(texts));
    }
}
