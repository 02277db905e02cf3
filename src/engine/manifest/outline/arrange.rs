//! Moving an entry within its list.

use std::ops::Range;

use super::edit::{slice, splice};
use super::lines::line_end;
use super::obstacle::unsupported;
use super::{ListForm, Outline, OutlineEntry, OutlineError};

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
        Self::edit(text, field, |outline, read| {
            let (line, count) =
                (outline.entry(field, index)?.line, outline.list(field)?.entries.len());
            let Some(target) = index.checked_add_signed(by).filter(|target| *target < count) else {
                let end = if by < 0 { "first" } else { "last" };
                let name = outline.scope.own_name(field);
                return Err(unsupported(line, format!("already the {end} of `{name}`")));
            };
            let edited = outline.moved(read, field, index, target)?;
            let after = outline.checked(&edited, line)?;
            // If moving back does not restore the text, a comment would now belong to another entry.
            let is_whole = after.list(field)?.entries.len() == count
                && after.moved(&edited, field, target, index).is_ok_and(|back| back == read);
            if !is_whole {
                let obstacle = "comments beside the entry would become a part of it";
                return Err(unsupported(line, obstacle));
            }
            Ok(edited)
        })
    }

    fn moved(
        &self,
        text: &str,
        field: &str,
        from: usize,
        to: usize,
    ) -> Result<String, OutlineError> {
        let list = self.list(field)?;
        if let ListForm::Flow(brackets) = &list.form
            && (list.disabled || slice(text, brackets).contains('#'))
        {
            return Err(unsupported(list.line, "a list in brackets with comments"));
        }
        let movable = |entry: &OutlineEntry| entry.head.start..entry.bytes.end;
        let entries = list.entries.get(from.min(to)..=from.max(to)).unwrap_or_default();
        let places: Vec<Range<usize>> = entries.iter().map(movable).collect();
        let mut pieces: Vec<&str> = places.iter().map(|place| slice(text, place)).collect();
        let (Some(first), Some(last)) = (places.first(), places.last()) else {
            return Ok(text.to_owned());
        };
        let ends_open = pieces.last().is_some_and(|piece| !piece.ends_with('\n'))
            && pieces.first().is_some_and(|piece| piece.ends_with('\n'));
        if from < to {
            pieces.rotate_left(1);
        } else {
            pieces.rotate_right(1);
        }
        let mut moved = String::new();
        for (index, (piece, place)) in pieces.iter().zip(&places).enumerate() {
            let is_last = index + 1 == pieces.len();
            match piece.strip_suffix('\n').filter(|_| ends_open && is_last) {
                Some(bare) => moved.push_str(bare.strip_suffix('\r').unwrap_or(bare)),
                None => moved.push_str(piece),
            }
            if ends_open && !is_last && !piece.ends_with('\n') {
                moved.push_str(line_end(text));
            }
            let next = places.get(index + 1).map_or(place.end, |next| next.start);
            moved.push_str(slice(text, &(place.end..next)));
        }
        Ok(splice(text, &(first.start..last.end), &moved))
    }
}
