//! The ids of steps: a text, and a number for repeated texts.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::resource::QuickMap;

use super::StepId;

/// A text of step ids in a part of a build, with the number of its uses before the part and in the
/// part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CountedIdText {
    text: Arc<str>,
    before: usize,
    uses: usize,
}

#[derive(Debug, Default)]
pub(super) struct StepNames {
    seen: QuickMap<Arc<str>, usize>,
    named: Vec<Arc<str>>,
}

impl StepNames {
    /// The id for a text: with a number if the text was used before.
    pub(super) fn name(&mut self, text: String) -> StepId {
        let text: Arc<str> = text.into();
        self.named.push(text.clone());
        let times = self.seen.entry(text.clone()).or_insert(0);
        *times += 1;
        StepId(if *times == 1 { text } else { format!("{text}~{times}").into() })
    }

    pub(super) fn count(&self) -> usize {
        self.named.len()
    }

    /// The texts used since [`Self::count`] returned `mark`, each with its counts.
    pub(super) fn since(&self, mark: usize) -> Vec<CountedIdText> {
        let mut uses: IndexMap<&Arc<str>, usize> = IndexMap::new();
        for text in self.named.get(mark..).unwrap_or_default() {
            *uses.entry(text).or_insert(0) += 1;
        }
        let before = |text: &Arc<str>, uses: usize| {
            self.seen.get(text).copied().unwrap_or(0).saturating_sub(uses)
        };
        uses.into_iter()
            .map(|(text, uses)| CountedIdText {
                text: text.clone(),
                before: before(text, uses),
                uses,
            })
            .collect()
    }

    /// True if steps with these texts would get the same ids now as when they were recorded.
    pub(super) fn would_assign_same_ids(&self, names: &[CountedIdText]) -> bool {
        names.iter().all(|name| self.seen.get(&name.text).copied().unwrap_or(0) == name.before)
    }

    pub(super) fn add(&mut self, names: &[CountedIdText]) {
        for name in names {
            *self.seen.entry(name.text.clone()).or_insert(0) += name.uses;
            self.named.extend(std::iter::repeat_n(name.text.clone(), name.uses));
        }
    }
}
