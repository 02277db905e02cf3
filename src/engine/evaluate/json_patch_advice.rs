//! The help and the fix for a JSON patch with a path that does not exist.

use crate::diagnostic::{Hint, NodeShape};
use crate::load::nearest_name;

use super::failure_advice::{Advice, FailedText, edit};

impl FailedText<'_> {
    /// The fix for a JSON pointer to a key with a slash, in a mapping of which all values are texts.
    pub(super) fn advise_slash_in_key(&self, path: &str) -> Option<Advice> {
        let ends = ["/annotations/", "/labels/", "/matchLabels/", "/nodeSelector/"];
        let at = ends.iter().find_map(|end| Some(path.find(end)? + end.len()))?;
        let (head, key) = path.split_at_checked(at).filter(|(_, key)| key.contains('/'))?;
        let with = format!("{head}{}", key.replace('/', "~1"));
        let fix = self
            .find_below(path)
            .map(|at| edit(vec![self.change(at, path, with.clone())], format!("write {with}")));
        Some((Some(Hint::Change(format!("write a slash in a key as ~1: {with}"))), fix))
    }

    /// The fix for a JSON patch that adds an item to a missing list: first add the list.
    pub(super) fn advise_missing_list(&self, path: &str) -> Option<Advice> {
        let (parent, last) = path.rsplit_once('/')?;
        let Some(Hint::PathEnd(end)) = &self.error.hint else { return None };
        let NodeShape::Keys(keys) = &end.there else { return None };
        let is_near = nearest_name(&end.segment, keys.iter().map(String::as_str)).is_some();
        if is_near || format!("{}/{}", end.place, end.segment) != parent {
            return None;
        }
        let value = if last == "-" || last.parse::<usize>().is_ok() { "[]" } else { "{}" };
        let added = format!("{{op: add, path: {parent}, value: {value}}}");
        let text = format!("{end}; {parent} does not exist yet: add it before, `- {added}`");
        let start = self.line_start();
        let line = self.text.get(start..)?.lines().next()?;
        let dash = line.find("- ").filter(|dash| line[..*dash].trim().is_empty());
        let fix = dash.map(|dash| {
            let with = format!("{}- {added}\n", &line[..dash]);
            let words = format!("add {parent} in an operation before this one");
            edit(vec![self.change(start, "", with)], words)
        });
        Some((Some(Hint::Change(text)), fix))
    }
}
