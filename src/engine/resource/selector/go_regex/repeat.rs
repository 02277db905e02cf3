//! Repetitions: `*`, `+`, `?` and counted ones.

use super::{Atom, Reading, RegexCause, RegexFault};

/// The most often that Go lets a repetition repeat, those within it counted too.
const MAX_REPEAT: u32 = 1000;

/// `{2}`, `{2,}`, `{2,3}`; numbers that are too large are none.
struct Counts {
    low: Option<u32>,
    high: High,
    length: usize,
}

/// The most that counts allow.
enum High {
    AnyNumber,
    TooLarge,
    At(u32),
}

impl Reading<'_> {
    pub(super) fn operator(
        &mut self,
        operator: char,
        last: Option<usize>,
    ) -> Result<(), RegexFault> {
        let start = self.at;
        self.at += 1;
        let atom = self.repeated(start, last)?;
        atom.written.push(operator);
        Ok(())
    }

    /// A brace that is no repetition stands for itself.
    pub(super) fn counted(&mut self, last: Option<usize>) -> Result<(), RegexFault> {
        let Some(counts) = counts(self.rest()) else {
            self.literal('{');
            return Ok(());
        };
        let start = self.at;
        self.at += counts.length;
        let written = &self.text[start..self.at];
        let wrong = || RegexCause::Count.at(written);
        let low = counts.low.filter(|low| *low <= MAX_REPEAT).ok_or_else(wrong)?;
        let high = match counts.high {
            High::AnyNumber => None,
            High::At(high) if (low..=MAX_REPEAT).contains(&high) => Some(high),
            High::At(_) | High::TooLarge => return Err(wrong()),
        };
        let atom = self.repeated(start, last)?;
        atom.written.push_str(written);
        let times = high.unwrap_or(low);
        atom.weight = if high == Some(0) { 1 } else { atom.weight.saturating_mul(times.max(1)) };
        let is_too_often = atom.weight > MAX_REPEAT && times >= 2;
        if is_too_often { Err(wrong()) } else { Ok(()) }
    }

    /// What the repetition that begins at `start` stands behind, ready to be repeated.
    fn repeated(&mut self, start: usize, last: Option<usize>) -> Result<&mut Atom, RegexFault> {
        let lazy = self.rest().starts_with('?');
        self.at += usize::from(lazy);
        if let Some(last) = last {
            let operators = &self.text[last..self.at];
            return Err(RegexCause::NestedRepetition.at(operators));
        }
        self.repetition = Some(start);
        let operator = &self.text[start..self.at];
        let atom = self.atoms.last_mut();
        let atom = atom.ok_or_else(|| RegexCause::RepetitionOfNothing.at(operator))?;
        // Whether it is greedy changes no match of the whole.
        atom.written = format!("(?:{})", atom.written);
        Ok(atom)
    }
}

fn counts(rest: &str) -> Option<Counts> {
    let inner = &rest[1..rest.find('}')?];
    let (low, high) = match inner.split_once(',') {
        None => (inner, Some(inner)),
        Some((low, "")) => (low, None),
        Some((low, high)) => (low, Some(high)),
    };
    let is_number = |text: &str| {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        digits && !text.is_empty() && (text.len() == 1 || !text.starts_with('0'))
    };
    let are_numbers = is_number(low) && high.is_none_or(is_number);
    are_numbers.then(|| Counts {
        low: low.parse().ok(),
        high: high.map_or(High::AnyNumber, |high| high.parse().map_or(High::TooLarge, High::At)),
        length: inner.len() + 2,
    })
}
