//! Moving an entry within its list.

use std::ops::Range;

use super::lines::line_end;
use super::obstacle::unsupported;
use super::toggle::{slice, splice};
use super::{ListForm, Outline, OutlineEntry, OutlineError, part};

impl Outline {
    /// Moves an entry together with its head comments past active and commented-out entries of its
    /// list; down if `by` is positive. Lines between two entries that belong to neither of them
    /// stay in place.
    pub fn move_entry(
        text: &[u8],
        field: &str,
        index: usize,
        by: isize,
    ) -> Result<Vec<u8>, OutlineError> {
        part::edit(text, field, |outline, read, field| outline.moved(read, field, index, by))
    }

    fn moved(
        &self,
        read: &str,
        field: &str,
        index: usize,
        by: isize,
    ) -> Result<String, OutlineError> {
        let entry = self.entry(field, index)?;
        let count = self.list(field)?.entries.len();
        let line = entry.line;
        let Some(target) = index.checked_add_signed(by).filter(|target| *target < count) else {
            let end = if by < 0 { "first" } else { "last" };
            return Err(unsupported(line, format!("already the {end} of `{field}`")));
        };
        let edited = self.swap_to_index(read, field, index, target)?;
        let after = self.checked(&edited, line)?;
        // If moving back does not restore the text, a comment would now belong to another entry.
        let is_whole = after.list(field)?.entries.len() == count
            && self.swap_to_index(&edited, field, target, index).is_ok_and(|back| back == read);
        if !is_whole {
            let obstacle = "comments beside the entry would become a part of it";
            return Err(unsupported(line, obstacle));
        }
        Ok(edited)
    }

    fn swap_to_index(
        &self,
        text: &str,
        field: &str,
        from: usize,
        to: usize,
    ) -> Result<String, OutlineError> {
        let steps: Vec<usize> =
            if to > from { (from..to).collect() } else { (to..from).rev().collect() };
        steps.into_iter().try_fold(text.to_owned(), |text, step| self.swap(&text, field, step))
    }

    fn swap(&self, text: &str, field: &str, index: usize) -> Result<String, OutlineError> {
        let outline = Self::parse_in(text.as_bytes(), self.fields_for_rereading());
        let list = outline.list(field)?;
        let (first, second) = (outline.entry(field, index)?, outline.entry(field, index + 1)?);
        if let ListForm::Flow(brackets) = &list.form
            && (list.disabled || slice(text, brackets).contains('#'))
        {
            return Err(unsupported(list.line, "a list in brackets with comments"));
        }
        let (first, second) = (movable_bytes(first), movable_bytes(second));
        let between = slice(text, &(first.end..second.start));
        let (mut one, mut two) = (slice(text, &first), slice(text, &second).to_owned());
        if one.ends_with('\n') && !two.ends_with('\n') {
            two.push_str(line_end(text));
            let bare = one.strip_suffix('\n').unwrap_or(one);
            one = bare.strip_suffix('\r').unwrap_or(bare);
        }
        let piece = [two.as_str(), between, one].concat();
        Ok(splice(text, &(first.start..second.end), &piece))
    }
}

fn movable_bytes(entry: &OutlineEntry) -> Range<usize> {
    entry.head.start..entry.bytes.end
}
