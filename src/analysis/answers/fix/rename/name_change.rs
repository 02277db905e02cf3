//! The names of a resource at each stage of a build, before and after a rename.

use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) struct NameChange {
    pub(super) kind: String,
    pub(super) declared: Arc<str>,
    pub(super) new: String,
}

impl NameChange {
    /// The change of the name `written`, one of these names in the order of the build, to `wanted`.
    /// The resource has this kind.
    pub(super) fn new(
        (kind, names): (&str, &[Arc<str>]),
        written: &str,
        wanted: &str,
    ) -> Result<Self, String> {
        let declared = names.first().cloned().unwrap_or_default();
        let Some((before, after)) = affixes(&declared, written) else {
            return Err(format!("{written} is not a form of the name {declared}"));
        };
        let new = wanted.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        let Some(new) = new.filter(|new| !new.is_empty()) else {
            return Err(format!("the name here is {before}NAME{after}: change only NAME"));
        };
        Ok(Self { kind: kind.to_owned(), declared, new: new.to_owned() })
    }

    pub(super) fn new_name(&self, name: &str) -> Option<String> {
        let (before, after) = affixes(&self.declared, name)?;
        Some(format!("{before}{}{after}", self.new))
    }

    pub(super) fn explains(&self, names: &[Arc<str>], was: &str, now: &str) -> bool {
        let mut pairs = names.iter().filter_map(|old| Some((old, self.new_name(old)?)));
        pairs.any(|(old, new)| with_name_replaced(was, old, &new) == now)
    }
}

fn affixes<'n>(name: &str, longer: &'n str) -> Option<(&'n str, &'n str)> {
    let at = longer.find(name).filter(|_| !name.is_empty())?;
    Some((longer.get(..at)?, longer.get(at + name.len()..)?))
}

/// The text with another name in place of each occurrence of `name` that is not a part of a longer
/// word.
fn with_name_replaced(text: &str, name: &str, new: &str) -> String {
    let is_part =
        |sign: Option<char>| sign.is_some_and(|it| it.is_ascii_alphanumeric() || it == '-');
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(name).filter(|_| !name.is_empty()) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let last = before.chars().next_back().or_else(|| out.chars().next_back());
        let is_word = !is_part(last) && !is_part(after.chars().next());
        out.push_str(before);
        out.push_str(if is_word { new } else { name });
        rest = after;
    }
    out.push_str(rest);
    out
}
