//! The components of a target in all combinations: successful builds, failures, and the rules
//! derived from them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::variants::{VariantBuilder, VariantResult};
use crate::answers::relative;
use crate::answers::report::{
    CombinationWord, ComponentSwitch, MatrixCombination, MatrixReport, MatrixRule, RuleWord,
};
use crate::answers::secrets::Secrets;
use crate::draft::{Draft, Edit, EntryRef};
use crate::engine::load::{Files, clean};
use crate::engine::manifest::{Outline, OutlineField};
use crate::engine::resource::Resource;
use crate::engine::yaml::print_preserving_style;

const MAX_COMPONENTS: usize = 120;

/// The combinations that are built, by the number of components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    All,
    Pairs,
    /// The combinations that differ from these in one component.
    Singles,
}

impl Extent {
    fn for_count(components: usize) -> Self {
        match components {
            0..=10 => Self::All,
            11..=30 => Self::Pairs,
            _ => Self::Singles,
        }
    }
}

/// The limit on conditions in a rule if not all combinations were built, and in a rule about a
/// component without effect.
const MAX_CONDITIONS: usize = 2;

impl MatrixReport {
    /// The components that the file switches on at present, one bit each.
    pub fn current_combination(&self) -> SwitchSet {
        let bits = self.components.iter().enumerate().filter(|(_, switch)| switch.on);
        bits.fold(0, |on, (at, _)| on | 1 << at)
    }

    fn names(&self, set: SwitchSet) -> Vec<String> {
        let switches = self.components.iter().enumerate();
        switches.filter(|(at, _)| set >> at & 1 == 1).map(|(_, it)| it.name.clone()).collect()
    }

    /// A draft in which exactly the components of a combination are on.
    pub fn draft(&self, on: SwitchSet, files: &Arc<dyn Files>) -> Result<Draft, String> {
        let mut draft = Draft::default();
        for (at, switch) in self.components.iter().enumerate() {
            if (on >> at & 1 == 1) != switch.on {
                let (file, field) = (self.path.clone(), "components".to_owned());
                let entry = EntryRef { file, field, index: switch.index };
                draft.apply(&Edit::ToggleEntry(entry), &**files)?;
            }
        }
        Ok(draft)
    }
}

/// A rule in words; `idle` is the component without effect.
fn rule_words(idle: Option<&str>, on: &[String], off: &[String]) -> String {
    if let Some(component) = idle {
        let no_effect = format!("{component} has no effect");
        let states = |list: &[String], state: &str| {
            let verb = if list.len() == 1 { "is" } else { "are" };
            (!list.is_empty()).then(|| format!("{} {verb} {state}", list.join(" and ")))
        };
        let when: Vec<String> = states(on, "on").into_iter().chain(states(off, "off")).collect();
        return if when.is_empty() {
            no_effect
        } else {
            format!("{no_effect} when {}", when.join(" and "))
        };
    }
    match (on, off) {
        ([], []) => "no combination builds".to_owned(),
        ([one], []) => format!("{one} cannot be on"),
        ([one, other], []) => format!("{one} and {other} cannot both be on"),
        (several, []) => format!("{} cannot be on together", several.join(" and ")),
        ([], several) => format!("{} has to be on", several.join(" or ")),
        ([one], several) => format!("{one} needs {}", several.join(" or ")),
        (several, missing) => {
            format!("{} together need {}", several.join(" and "), missing.join(" or "))
        }
    }
}

/// Builds the combinations of the components in a kustomization file, including components that are
/// switched off. Values of Secrets of each build are added to `secrets`. If the builds are cancelled,
/// the document has the combinations that were built before, and no rules. `target` is the displayed
/// name of the target, `folder` its directory.
pub fn try_combinations(
    variants: &VariantBuilder,
    file: &Path,
    (target, folder): (&str, &Path),
    secrets: &mut Secrets,
) -> Result<MatrixReport, String> {
    let files = variants.files().clone();
    let bytes = files.read(file).map_err(|error| error.to_string())?;
    let components = switches(&bytes);
    if components.is_empty() {
        return Err("its kustomization file lists no components".to_owned());
    }
    let count = components.len();
    if count > MAX_COMPONENTS {
        return Err(format!("it lists {count} components: more than {MAX_COMPONENTS}"));
    }
    let extent = Extent::for_count(count);
    let mut all = MatrixReport {
        schema_version: 1,
        target: target.to_owned(),
        path: file.to_owned(),
        file: relative(file, folder),
        components,
        exhaustive: extent == Extent::All,
        outputs: 0,
        combinations: Vec::new(),
        rules: Vec::new(),
    };
    let wanted = combinations_to_build(count, all.current_combination(), extent);
    let draft = |on: &SwitchSet| Ok(all.draft(*on, &files)?.files(files.clone()));
    let results = variants.build_all(&wanted, draft, secrets);
    let mut outputs: BTreeMap<[u8; 32], usize> = BTreeMap::new();
    for (set, variant) in wanted.into_iter().zip(results) {
        let (mut output, mut failure, mut unknown) = (None, None, None);
        let result = match variant {
            VariantResult::Builds(resources) => {
                let next = outputs.len() + 1;
                output = Some(*outputs.entry(output_digest(&resources)).or_insert(next));
                CombinationWord::Builds
            }
            VariantResult::Fails(why) => {
                failure = Some(why.report(folder, secrets));
                CombinationWord::Fails
            }
            VariantResult::Unknown(why) => {
                unknown = Some(why);
                CombinationWord::Unknown
            }
            VariantResult::Cancelled => continue,
        };
        let on = all.names(set);
        all.combinations.push(MatrixCombination { set, on, result, output, failure, unknown });
    }
    all.outputs = outputs.len();
    if variants.is_cancelled() {
        // A rule has to hold in all combinations.
        all.exhaustive = false;
    } else {
        all.rules = derive_rules(&all, extent);
    }
    Ok(all)
}

/// A digest of a set of resources, independent of their order.
fn output_digest(resources: &[Arc<Resource>]) -> [u8; 32] {
    let mut texts: Vec<String> =
        resources.iter().map(|it| print_preserving_style(&it.node)).collect();
    texts.sort_unstable();
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text.as_bytes());
        hash.update([0]);
    }
    hash.finalize().into()
}

/// An entry of `components:`, possibly commented out.
pub(in crate::answers) struct ComponentEntry {
    /// The position of the entry in its field; commented entries count too.
    pub(in crate::answers) index: usize,
    pub(in crate::answers) line: u32,
    /// False if the entry, or its field, is commented out.
    pub(in crate::answers) is_on: bool,
    /// The path as written.
    pub(in crate::answers) text: String,
    pub(in crate::answers) path: PathBuf,
}

/// The entries of a field `components`; their paths are relative to a directory.
pub(in crate::answers) fn field_entries<'f>(
    field: &'f OutlineField,
    directory: &'f Path,
) -> impl Iterator<Item = ComponentEntry> + 'f {
    field.entries.iter().enumerate().map(move |(index, entry)| {
        let written = entry.scalar.as_ref().unwrap_or(&entry.text);
        let text = written.split(" #").next().unwrap_or_default().trim().to_owned();
        let path = clean(&directory.join(&text));
        let is_on = !entry.disabled && !field.disabled;
        ComponentEntry { index, line: entry.line, is_on, text, path }
    })
}

fn switches(bytes: &[u8]) -> Vec<ComponentSwitch> {
    let outline = Outline::parse(bytes);
    let field = outline.field("components").into_iter();
    let entries: Vec<ComponentEntry> =
        field.flat_map(|field| field_entries(field, Path::new(""))).collect();
    let distinct: BTreeSet<&String> = entries.iter().map(|entry| &entry.text).collect();
    let switch = |entry: &ComponentEntry| {
        let ComponentEntry { index, line, is_on, ref text, .. } = *entry;
        let name = shortest_distinct_name(text, &distinct);
        let is_repeated = entries.iter().filter(|other| other.text == *text).count() > 1;
        let name = if is_repeated { format!("{name} (line {line})") } else { name };
        ComponentSwitch { index, name, text: text.clone(), line, on: is_on }
    };
    entries.iter().map(switch).collect()
}

/// The fewest last parts of a path that no other path has as its end.
fn shortest_distinct_name(path: &str, paths: &BTreeSet<&String>) -> String {
    let path = path.trim_end_matches('/');
    let is_end = |other: &String, end: &str| {
        let other = other.trim_end_matches('/');
        other.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let starts = path.rmatch_indices('/').map(|(at, _)| at + 1);
    let mut ends = starts.map(|at| &path[at..]);
    let alone = ends.find(|end| paths.iter().filter(|other| is_end(other, end)).count() == 1);
    alone.unwrap_or(path).to_owned()
}

/// The combinations to build. Neighbours in this list have much in common.
fn combinations_to_build(count: usize, now: SwitchSet, extent: Extent) -> Vec<SwitchSet> {
    if extent == Extent::All {
        return (0..1 << count).collect();
    }
    let mut found: BTreeSet<SwitchSet> = BTreeSet::new();
    for from in [0, now] {
        found.insert(from);
        for one in 0..count {
            let first = if extent == Extent::Pairs { 0 } else { one };
            for other in first..=one {
                found.insert(from ^ (1 << one | 1 << other));
            }
        }
    }
    found.into_iter().collect()
}

fn derive_rules(all: &MatrixReport, extent: Extent) -> Vec<MatrixRule> {
    let count = all.components.len();
    let most = match extent {
        Extent::All => count,
        Extent::Pairs => MAX_CONDITIONS,
        // Two builds with a component support no statement about others.
        Extent::Singles => return Vec::new(),
    };
    let fails = |it: &MatrixCombination| match it.result {
        CombinationWord::Builds => Some(false),
        CombinationWord::Fails => Some(true),
        CombinationWord::Unknown => None,
    };
    let points: Vec<(SwitchSet, Option<bool>)> =
        all.combinations.iter().map(|it| (it.set, fails(it))).collect();
    let mut rules = Vec::new();
    for found in minimal_cover(implicants(&points, count, most), &points) {
        let failing = all.combinations.iter().filter(|it| found.matches(it.set));
        let failing: Vec<&MatrixCombination> =
            failing.filter(|it| it.result == CombinationWord::Fails).collect();
        let smallest = failing.iter().min_by_key(|it| (it.set.count_ones(), it.set));
        let Some(smallest) = smallest else { continue };
        let rule = new_rule(all, None, &found, (failing.len(), smallest.set));
        rules.push(MatrixRule { failure: smallest.failure.clone(), ..rule });
    }
    let outputs: BTreeMap<SwitchSet, usize> =
        all.combinations.iter().filter_map(|it| Some((it.set, it.output?))).collect();
    for (component, switch) in all.components.iter().enumerate() {
        let bit: SwitchSet = 1 << component;
        let without = outputs.iter().filter(|(on, _)| *on & bit == 0);
        let points = without
            .filter_map(|(on, output)| Some((*on, Some(outputs.get(&(on | bit))? == output))));
        let points: Vec<(SwitchSet, Option<bool>)> = points.collect();
        for found in minimal_cover(implicants(&points, count, MAX_CONDITIONS), &points) {
            let matching = points.iter().filter(|(on, _)| found.matches(*on));
            let on: Vec<SwitchSet> = matching.map(|(on, _)| *on).collect();
            let smallest = on.iter().min_by_key(|on| (on.count_ones(), **on)).copied();
            let holds = (on.len(), smallest.unwrap_or_default());
            rules.push(new_rule(all, Some(&switch.name), &found, holds));
        }
    }
    rules
}

/// The rule of a condition, with the number of combinations in which it holds and the smallest of
/// them; `idle` is the component without effect.
fn new_rule(
    all: &MatrixReport,
    idle: Option<&str>,
    literals: &Literals,
    (holds_in, smallest_set): (usize, SwitchSet),
) -> MatrixRule {
    let (on, off) = literals.split();
    let (on, off) = (all.names(on), all.names(off));
    MatrixRule {
        kind: if idle.is_some() { RuleWord::ChangesNothing } else { RuleWord::Fails },
        words: rule_words(idle, &on, &off),
        component: idle.map(str::to_owned),
        on,
        off,
        holds_in,
        smallest_set,
        smallest: all.names(smallest_set),
        failure: None,
    }
}

/// A state of all switches, one bit each.
pub type SwitchSet = u128;

/// A condition: some switches, each of which must be on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Literals {
    named: SwitchSet,
    on: SwitchSet,
}

impl Literals {
    fn matches(&self, case: SwitchSet) -> bool {
        case & self.named == self.on
    }

    /// The switches that must be on, and those that must be off.
    fn split(&self) -> (SwitchSet, SwitchSet) {
        (self.on, self.named & !self.on)
    }

    /// True if the condition contains every switch of another, in the same state.
    fn includes(&self, other: &Self) -> bool {
        self.named & other.named == other.named && self.on & other.named == other.on
    }
}

/// Every condition on at most `most` of the first `count` switches that holds in at least one case,
/// fails in no case, and contains no shorter condition of this kind. Unknown cases count as
/// neither. The shortest conditions come first.
fn implicants(cases: &[(SwitchSet, Option<bool>)], count: usize, most: usize) -> Vec<Literals> {
    let mut found: Vec<Literals> = Vec::new();
    if cases.iter().all(|(_, holds)| *holds != Some(true)) {
        return found;
    }
    let mut level = vec![Literals { named: 0, on: 0 }];
    for size in 0..=most.min(count) {
        let mut next = Vec::new();
        for literals in level {
            if found.iter().any(|shorter| literals.includes(shorter)) {
                continue;
            }
            let (mut holds, mut fails) = (false, false);
            for (_, known) in cases.iter().filter(|(case, _)| literals.matches(*case)) {
                holds |= *known == Some(true);
                fails |= *known == Some(false);
            }
            match (holds, fails) {
                (true, false) => found.push(literals),
                (true, true) if size < most => next.extend(extend_by_one(&literals, count)),
                // Longer conditions match fewer cases: one that holds in no case never will.
                _ => {}
            }
        }
        level = next;
    }
    found
}

/// The conditions with one more switch, of a higher number than the present switches, so that each
/// set of switches is created once.
fn extend_by_one(literals: &Literals, count: usize) -> impl Iterator<Item = Literals> {
    let first = SwitchSet::BITS as usize - literals.named.leading_zeros() as usize;
    let literals = *literals;
    (first..count).flat_map(move |at| {
        let named = literals.named | 1 << at;
        [Literals { named, on: literals.on | 1 << at }, Literals { named, on: literals.on }]
    })
}

/// Conditions that together cover every case in which any condition holds, the shortest first. Of
/// several equally short conditions, the one that covers most of the open cases is chosen.
fn minimal_cover(found: Vec<Literals>, cases: &[(SwitchSet, Option<bool>)]) -> Vec<Literals> {
    let mut open: Vec<SwitchSet> =
        cases.iter().filter(|(_, holds)| *holds == Some(true)).map(|(case, _)| *case).collect();
    let mut rest = found;
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let worth =
            |literals: &Literals| open.iter().filter(|case| literals.matches(**case)).count();
        let best = rest.iter().enumerate().map(|(at, it)| (at, it.named.count_ones(), worth(it)));
        let best = best.filter(|(.., worth)| *worth > 0);
        let best = best.min_by_key(|(at, size, worth)| (*size, std::cmp::Reverse(*worth), *at));
        let Some((at, ..)) = best else { break };
        let literals = rest.remove(at);
        open.retain(|case| !literals.matches(*case));
        chosen.push(literals);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The conditions of a result; each consists of the switches that are on and those that are
    /// off, one bit each.
    fn learn_conditions(
        count: usize,
        most: usize,
        holds: impl Fn(SwitchSet) -> Option<bool>,
    ) -> Vec<(SwitchSet, SwitchSet)> {
        let cases: Vec<(SwitchSet, Option<bool>)> =
            (0..1 << count).map(|case| (case, holds(case))).collect();
        minimal_cover(implicants(&cases, count, most), &cases).iter().map(Literals::split).collect()
    }

    #[test]
    fn the_shortest_conditions_are_learned() {
        let bit = |case: SwitchSet, at: u32| case >> at & 1 == 1;
        assert_eq!(
            learn_conditions(4, 4, |case| Some(bit(case, 2) && !bit(case, 0))),
            [(0b100, 0b1)]
        );
        assert_eq!(
            learn_conditions(4, 4, |case| Some(bit(case, 0) && bit(case, 1) || bit(case, 3))),
            [(0b1000, 0), (0b11, 0)]
        );
        assert_eq!(learn_conditions(3, 3, |_| Some(true)), [(0, 0)]);
        assert_eq!(learn_conditions(3, 3, |_| Some(false)), []);
        let three = |case: SwitchSet| Some(bit(case, 0) && bit(case, 1) && !bit(case, 2));
        assert_eq!(learn_conditions(3, 3, three), [(0b11, 0b100)]);
        assert_eq!(learn_conditions(3, 2, three), []);
    }

    #[test]
    fn unknown_cases_are_ignored() {
        let cases = |case: SwitchSet| (case & 1 == 0).then_some(case & 2 == 2);
        assert_eq!(learn_conditions(2, 2, cases), [(0b10, 0)]);
        assert_eq!(learn_conditions(2, 2, |_| None), []);
    }
}
