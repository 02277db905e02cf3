//! The components of a target in all combinations: successful builds, failures, and the rules
//! derived from them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::rules::{Literals, SwitchSet, implicants, minimal_cover};
use super::variants::{VariantBuilder, VariantError, VariantResult};
use crate::answers::report::ComponentSwitch;
use crate::answers::secrets::Secrets;
use crate::draft::{Draft, Edit, EntryRef};
use crate::engine::load::Files;
use crate::engine::manifest::Outline;
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

/// A set of components that are switched on, and the result of its build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    pub on: SwitchSet,
    pub result: CombinationResult,
}

/// The output of a built combination, or the reason why it has no output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CombinationResult {
    /// The build succeeds; equal numbers mean equal outputs.
    Output(usize),
    Fails(VariantError),
    Unknown(String),
}

/// A statement about components that holds in all built combinations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CombinationRule {
    pub kind: RuleKind,
    pub on: Vec<usize>,
    pub off: Vec<usize>,
    pub holds_in: usize,
    /// The matching combination with the fewest components.
    pub smallest: SwitchSet,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// The build fails; the error is from the smallest combination.
    Fails(VariantError),
    /// Switching this component on or off makes no difference.
    ChangesNothing(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combinations {
    pub file: PathBuf,
    pub switches: Vec<ComponentSwitch>,
    pub exhaustive: bool,
    pub built: Vec<Combination>,
    pub outputs: usize,
    pub rules: Vec<CombinationRule>,
}

impl Combinations {
    /// The components that the file switches on at present, one bit each.
    pub fn current_combination(&self) -> SwitchSet {
        let bits = self.switches.iter().enumerate().filter(|(_, switch)| switch.on);
        bits.fold(0, |on, (at, _)| on | 1 << at)
    }

    pub fn component_names(&self, on: SwitchSet) -> Vec<&str> {
        let switches = self.switches.iter().enumerate();
        switches.filter(|(at, _)| on >> at & 1 == 1).map(|(_, it)| it.name.as_str()).collect()
    }

    pub fn words(&self, rule: &CombinationRule) -> String {
        let name = |at: &usize| self.switches.get(*at).map_or("", |it| &it.name);
        let all = |list: &[usize], word: &str| {
            list.iter().map(name).collect::<Vec<_>>().join(&format!(" {word} "))
        };
        let (on, off) = (rule.on.as_slice(), rule.off.as_slice());
        if let RuleKind::ChangesNothing(component) = rule.kind {
            let no_effect = format!("{} has no effect", name(&component));
            let states = |list: &[usize], state: &str| {
                let verb = if list.len() == 1 { "is" } else { "are" };
                (!list.is_empty()).then(|| format!("{} {verb} {state}", all(list, "and")))
            };
            let when: Vec<String> =
                states(on, "on").into_iter().chain(states(off, "off")).collect();
            return if when.is_empty() {
                no_effect
            } else {
                format!("{no_effect} when {}", when.join(" and "))
            };
        }
        match (on, off) {
            ([], []) => "no combination builds".to_owned(),
            ([one], []) => format!("{} cannot be on", name(one)),
            ([one, other], []) => format!("{} and {} cannot both be on", name(one), name(other)),
            (several, []) => format!("{} cannot be on together", all(several, "and")),
            ([], [one]) => format!("{} has to be on", name(one)),
            ([], several) => format!("{} has to be on", all(several, "or")),
            ([one], several) => format!("{} needs {}", name(one), all(several, "or")),
            (several, missing) => {
                format!("{} together need {}", all(several, "and"), all(missing, "or"))
            }
        }
    }

    /// A draft in which exactly the components of a combination are on.
    pub fn draft(&self, on: SwitchSet, files: &Arc<dyn Files>) -> Result<Draft, String> {
        let mut draft = Draft::default();
        for (at, switch) in self.switches.iter().enumerate() {
            if (on >> at & 1 == 1) != switch.on {
                let (file, field) = (self.file.clone(), "components".to_owned());
                let entry = EntryRef { file, field, index: switch.index };
                draft
                    .apply(&Edit::ToggleEntry(entry), &**files)
                    .map_err(|error| error.to_string())?;
            }
        }
        Ok(draft)
    }
}

/// Builds the combinations of the components in a kustomization file, including components that are
/// switched off. Values of Secrets of each build are added to `secrets`. If the builds are cancelled,
/// the result has the combinations that were built before, and no rules.
pub fn try_combinations(
    variants: &VariantBuilder,
    file: &Path,
    secrets: &mut Secrets,
) -> Result<Combinations, String> {
    let files = variants.files().clone();
    let bytes = files.read(file).map_err(|error| error.to_string())?;
    let switches = switches(&bytes);
    if switches.is_empty() {
        return Err("its kustomization file lists no components".to_owned());
    }
    if switches.len() > MAX_COMPONENTS {
        return Err(format!("it lists {} components: more than {MAX_COMPONENTS}", switches.len()));
    }
    let extent = Extent::for_count(switches.len());
    let mut all = Combinations {
        file: file.to_owned(),
        switches,
        exhaustive: extent == Extent::All,
        built: Vec::new(),
        outputs: 0,
        rules: Vec::new(),
    };
    let wanted = combinations_to_build(all.switches.len(), all.current_combination(), extent);
    let draft = |on: &SwitchSet| Ok(all.draft(*on, &files)?.files(files.clone()));
    let results = variants.build_all(&wanted, draft, secrets);
    let mut outputs: BTreeMap<[u8; 32], usize> = BTreeMap::new();
    for (on, variant) in wanted.into_iter().zip(results) {
        let result = match variant {
            VariantResult::Builds(resources) => {
                let next = outputs.len();
                let number = *outputs.entry(output_digest(&resources)).or_insert(next);
                CombinationResult::Output(number)
            }
            VariantResult::Fails(failure) => CombinationResult::Fails(failure),
            VariantResult::Unknown(why) => CombinationResult::Unknown(why),
            VariantResult::Cancelled => continue,
        };
        all.built.push(Combination { on, result });
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

fn switches(bytes: &[u8]) -> Vec<ComponentSwitch> {
    let outline = Outline::parse(bytes);
    let Some(field) = outline.field("components") else { return Vec::new() };
    let text = |entry: &crate::engine::manifest::OutlineEntry| {
        let written = entry.scalar.clone().unwrap_or_else(|| entry.text.clone());
        written.split(" #").next().unwrap_or_default().trim().to_owned()
    };
    let texts: Vec<String> = field.entries.iter().map(text).collect();
    let mut distinct = texts.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let name = |text: &String, line: u32| {
        let name = shortest_distinct_name(text, &distinct);
        let is_repeated = texts.iter().filter(|other| *other == text).count() > 1;
        if is_repeated { format!("{name} (line {line})") } else { name }
    };
    let entries = field.entries.iter().zip(&texts).enumerate();
    entries
        .map(|(index, (entry, text))| ComponentSwitch {
            index,
            line: entry.line,
            text: text.clone(),
            name: name(text, entry.line),
            on: !entry.disabled && !field.disabled,
        })
        .collect()
}

/// The fewest last parts of a path that no other path has as its end.
fn shortest_distinct_name(path: &str, paths: &[String]) -> String {
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

fn derive_rules(all: &Combinations, extent: Extent) -> Vec<CombinationRule> {
    let count = all.switches.len();
    let most = match extent {
        Extent::All => count,
        Extent::Pairs => MAX_CONDITIONS,
        // Two builds with a component support no statement about others.
        Extent::Singles => return Vec::new(),
    };
    let fails = |it: &Combination| match it.result {
        CombinationResult::Output(_) => Some(false),
        CombinationResult::Fails(_) => Some(true),
        CombinationResult::Unknown(_) => None,
    };
    let points: Vec<(SwitchSet, Option<bool>)> =
        all.built.iter().map(|it| (it.on, fails(it))).collect();
    let mut rules = Vec::new();
    for found in minimal_cover(implicants(&points, count, most), &points) {
        let matching = all.built.iter().filter(|it| found.matches(it.on));
        let failing = matching.filter_map(|it| match &it.result {
            CombinationResult::Fails(failure) => Some((it.on, failure)),
            _ => None,
        });
        let failing: Vec<(SwitchSet, &VariantError)> = failing.collect();
        let smallest = failing.iter().min_by_key(|(on, _)| (on.count_ones(), *on));
        let Some((smallest, failure)) = smallest else { continue };
        let kind = RuleKind::Fails((*failure).clone());
        rules.push(new_rule(kind, &found, failing.len(), *smallest));
    }
    let outputs: BTreeMap<SwitchSet, usize> = all
        .built
        .iter()
        .filter_map(|it| match it.result {
            CombinationResult::Output(number) => Some((it.on, number)),
            _ => None,
        })
        .collect();
    for component in 0..count {
        let bit: SwitchSet = 1 << component;
        let without = outputs.iter().filter(|(on, _)| *on & bit == 0);
        let points = without
            .filter_map(|(on, output)| Some((*on, Some(outputs.get(&(on | bit))? == output))));
        let points: Vec<(SwitchSet, Option<bool>)> = points.collect();
        for found in minimal_cover(implicants(&points, count, MAX_CONDITIONS), &points) {
            let matching = points.iter().filter(|(on, _)| found.matches(*on));
            let on: Vec<SwitchSet> = matching.map(|(on, _)| *on).collect();
            let smallest = on.iter().min_by_key(|on| (on.count_ones(), **on)).copied();
            let kind = RuleKind::ChangesNothing(component);
            rules.push(new_rule(kind, &found, on.len(), smallest.unwrap_or_default()));
        }
    }
    rules
}

fn new_rule(
    kind: RuleKind,
    literals: &Literals,
    holds_in: usize,
    smallest: SwitchSet,
) -> CombinationRule {
    let (on, off) = literals.split();
    CombinationRule { kind, on, off, holds_in, smallest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn component_that_is_listed_twice_has_two_names() {
        let text = b"components:\n- ../a/c\n- ../b\n# - ../a/c\n";
        let names: Vec<String> = switches(text).into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["c (line 2)", "b", "c (line 4)"]);
    }
}
