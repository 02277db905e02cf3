//! The consequence of a draft for all targets, shown before a write by every interface.

use std::collections::{BTreeMap, BTreeSet};

use super::headline::is_restart;
use super::side_targets::hidden_bases_sentence;
use super::words::{state_words, times_words};
use super::{CompareReport, ReportResource, TargetState, need_without_remedy};
use crate::answers::headline;
use crate::display::{counted, first_names};
use crate::engine::diagnostic::Code;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consequence {
    /// The number of targets, and the number of targets with a difference.
    pub targets: [usize; 2],
    pub failing_targets: Vec<(String, String)>,
    pub repaired_targets: usize,
    /// The numbers of removed, added and changed resources, one for each sign and kind.
    pub resources: Vec<ResourceCount>,
    /// The codes and messages of dangers of the severity error, each with its count.
    pub losses: BTreeMap<(String, String), usize>,
    /// The codes and titles of dangers of the severity warning, each with its count; without
    /// restarts.
    pub warnings: BTreeMap<(String, String), usize>,
    pub restarts: usize,
    pub unknown_targets: Vec<String>,
    /// The targets with known differences and pending steps: further differences are possible.
    pub partly_known: Vec<String>,
    pub needs: Vec<String>,
    /// The number of bases that change, although no target that uses them changes.
    pub bases_changed: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceCount {
    /// `−` for removed, `+` for added and `~` for changed resources.
    pub sign: char,
    pub kind: String,
    pub count: usize,
    pub targets: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsequenceWeight {
    /// The write must be confirmed with another key than a plain write: the draft does not build,
    /// or deletes data.
    Grave,
    Danger,
    Plain,
    Unknown,
}

const MAX_NAMED_ITEMS: usize = 3;

/// False for a resource that is not known, and for one with another name only.
fn is_counted(resource: &ReportResource) -> bool {
    resource.pending.is_none() && !resource.is_only_renamed()
}

/// The line about targets that are not known. Names of generated targets fill several lines: of
/// many, only the first name and the number of the others are shown.
fn unknown_targets_line(words: &str, targets: &[String]) -> Option<(ConsequenceWeight, String)> {
    let text = match targets {
        [] => return None,
        few if few.len() <= MAX_NAMED_ITEMS => format!("{words}: {}", few.join(", ")),
        many => format!("{words}: {}", first_names(many, 1)),
    };
    Some((ConsequenceWeight::Unknown, text))
}

impl Consequence {
    pub fn from_report(report: &CompareReport) -> Self {
        let differing = || report.differing_targets();
        let pending = differing().filter(|target| !target.pending.is_empty());
        let repaired = differing().filter(|target| target.state == TargetState::BuildsNow);
        let listed = differing().filter(|target| target.in_place_of.is_empty());
        let mut found = Self {
            targets: [report.targets_total, listed.count()],
            unknown_targets: report.unknown_targets().map(|target| target.target.clone()).collect(),
            partly_known: pending.map(|target| target.target.clone()).collect(),
            repaired_targets: repaired.count(),
            bases_changed: report.bases_changed,
            ..Self::default()
        };
        let mut counts: BTreeMap<(usize, &str), (usize, BTreeSet<&str>)> = BTreeMap::new();
        for target in &report.targets {
            for pending in &target.pending {
                let need = need_without_remedy(&pending.need).to_owned();
                if !found.needs.contains(&need) {
                    found.needs.push(need);
                }
            }
            if target.state == TargetState::FailsNow {
                let error = target.error.clone().unwrap_or_default();
                found.failing_targets.push((target.target.clone(), headline(&error)));
            }
            for resource in target.resources.iter().filter(|it| is_counted(it)) {
                let (count, targets) = counts.entry((sign(resource), &resource.kind)).or_default();
                *count += 1;
                targets.insert(&target.target);
            }
        }
        let counts = counts.into_iter().map(|((sign, kind), (count, targets))| ResourceCount {
            sign: SIGNS[sign],
            kind: kind.to_owned(),
            count,
            targets: targets.len(),
        });
        found.resources = counts.collect();
        // Only the first kinds are named, so the most frequent kinds come first.
        found.resources.sort_by_key(|it| std::cmp::Reverse(it.count));
        found.add_dangers(report);
        found
    }

    fn add_dangers(&mut self, report: &CompareReport) {
        let resources =
            report.resources().map(|(_, resource)| resource).filter(|it| is_counted(it));
        for danger in resources.flat_map(|resource| &resource.dangers) {
            let (rows, text) = match (&*danger.severity, Code::named(&danger.code)) {
                _ if is_restart(&danger.code) => {
                    self.restarts += 1;
                    continue;
                }
                ("error", _) => (&mut self.losses, &*danger.message),
                ("warning", Some(code)) => (&mut self.warnings, code.rule().title),
                _ => continue,
            };
            *rows.entry((danger.code.clone(), text.to_owned())).or_default() += 1;
        }
    }

    /// True if a target no longer builds, or data is lost.
    pub fn is_grave(&self) -> bool {
        !self.failing_targets.is_empty() || !self.losses.is_empty()
    }

    /// A line for each sign, removed resources first, with the number of resources of each kind.
    pub fn resource_count_lines(&self) -> Vec<String> {
        let of_sign = |sign: char| {
            let all = self.resources.iter().filter(|it| it.sign == sign);
            let parts = all.map(|it| match it.targets {
                0 | 1 => format!("{} {}", it.count, it.kind),
                targets => format!("{} {} in {targets} targets", it.count, it.kind),
            });
            let parts: Vec<String> = parts.collect();
            // One more kind is named: its number would need as much room.
            let most = MAX_NAMED_ITEMS + usize::from(parts.len() == MAX_NAMED_ITEMS + 1);
            let more = parts.len().saturating_sub(most);
            let more = (more > 0).then(|| format!(" and {}", counted(more, "more kind")));
            let named = parts[..parts.len().min(most)].join(", ");
            (!parts.is_empty()).then(|| format!("{sign} {named}{}", more.unwrap_or_default()))
        };
        SIGNS.into_iter().filter_map(of_sign).collect()
    }

    /// The consequence in a few words, the gravest part first, short enough for one row of a list.
    pub fn summary_words(&self) -> (ConsequenceWeight, String) {
        if !self.failing_targets.is_empty() {
            let targets = counted(self.failing_targets.len(), "target");
            let words = state_words(TargetState::FailsNow).unwrap_or_default();
            return (ConsequenceWeight::Grave, format!("{words} in {targets}"));
        }
        let [_, affected] = self.targets;
        let dangers = self.losses.iter().chain(&self.warnings);
        let mut words: Vec<String> = dangers.map(|((code, _), _)| code.clone()).collect();
        words.dedup();
        for sign in SIGNS {
            let of_sign: Vec<_> = self.resources.iter().filter(|it| it.sign == sign).collect();
            let kind = match of_sign.as_slice() {
                [one] => format!(" {}", one.kind),
                _ => String::new(),
            };
            let count: usize = of_sign.iter().map(|it| it.count).sum();
            if count > 0 {
                words.push(format!("{sign}{count}{kind}"));
            }
        }
        if affected > 0 {
            let is_repaired = words.is_empty() && self.repaired_targets == affected;
            let repaired = state_words(TargetState::BuildsNow).filter(|_| is_repaired);
            words.extend(repaired.map(str::to_owned));
            words.push(format!("in {}", counted(affected, "target")));
        }
        let is_known = self.unknown_targets.is_empty() && self.partly_known.is_empty();
        match (is_known, words.is_empty()) {
            (true, true) if self.bases_changed > 0 => {
                words.push(format!("in {}", counted(self.bases_changed, "base")));
            }
            (true, true) => words.push("no change".to_owned()),
            (true, false) => {}
            (false, true) => words.push("not known".to_owned()),
            (false, false) => words.push("(rest not known)".to_owned()),
        }
        let weight = match () {
            () if self.is_grave() => ConsequenceWeight::Grave,
            () if !self.warnings.is_empty() => ConsequenceWeight::Danger,
            () if is_known => ConsequenceWeight::Plain,
            () => ConsequenceWeight::Unknown,
        };
        (weight, words.join(" "))
    }

    /// True if [`Self::lines`] name a target with its state.
    pub fn names_state_of(&self, target: &str) -> bool {
        let failing = self.failing_targets.iter().take(MAX_NAMED_ITEMS);
        let is_unknown = self.unknown_targets.len() <= MAX_NAMED_ITEMS
            && self.unknown_targets.iter().any(|unknown| unknown == target);
        is_unknown || failing.map(|(failing, _)| failing).any(|failing| failing == target)
    }

    /// The consequence in lines, the gravest first.
    pub fn lines(&self) -> Vec<(ConsequenceWeight, String)> {
        let counted_line = |((code, text), count): (&(String, String), &usize)| {
            format!("{code}: {text}{}", times_words(*count))
        };
        let failing = self.failing_targets.iter().take(MAX_NAMED_ITEMS);
        let failing = failing.map(|(target, error)| format!("{target} does not build: {error}"));
        let losses = self.losses.iter().take(MAX_NAMED_ITEMS).map(counted_line);
        let more = self.failing_targets.len().saturating_sub(MAX_NAMED_ITEMS)
            + self.losses.len().saturating_sub(MAX_NAMED_ITEMS);
        let more = (more > 0).then(|| counted(more, "more error"));
        let verb = if self.restarts == 1 { "workload restarts" } else { "workloads restart" };
        let restarts = (self.restarts > 0).then(|| format!("{} {verb}", self.restarts));
        let with = |weight: ConsequenceWeight| move |line: String| (weight, line);
        let grave = failing.chain(losses).chain(more).map(with(ConsequenceWeight::Grave));
        let warnings = self.warnings.iter().map(counted_line).map(with(ConsequenceWeight::Danger));
        let plain = self.resource_count_lines().into_iter().chain(restarts);
        let mut lines: Vec<(ConsequenceWeight, String)> =
            grave.chain(warnings).chain(plain.map(with(ConsequenceWeight::Plain))).collect();
        let [total, affected] = self.targets;
        if affected > 0 {
            lines.extend(unknown_targets_line("not known", &self.unknown_targets));
        }
        lines.extend(unknown_targets_line("the rest not known", &self.partly_known));
        if !self.needs.is_empty() {
            let needs = first_names(&self.needs, 1);
            lines.push((ConsequenceWeight::Unknown, format!("pending: {needs}")));
        }
        let unknown = format!("{} of {total} targets not known", self.unknown_targets.len());
        let unknown = unknown_targets_line(&unknown, &self.unknown_targets);
        lines.push(unknown.filter(|_| affected == 0).unwrap_or_else(|| {
            let words = if affected == 0 && self.bases_changed == 0 {
                format!("changes no output: 0 of {total} targets")
            } else {
                format!("affects {affected} of {total} targets")
            };
            (ConsequenceWeight::Plain, words)
        }));
        let bases = hidden_bases_sentence(self.bases_changed);
        lines.extend(bases.map(with(ConsequenceWeight::Plain)));
        lines
    }
}

/// The signs of removed, added and changed resources, the gravest first.
const SIGNS: [char; 3] = ['−', '+', '~'];

fn sign(resource: &ReportResource) -> usize {
    match resource.change.as_str() {
        "removed" => 0,
        "added" => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ReportDanger, ReportTarget};
    use super::*;

    #[test]
    fn gravest_sign_is_first_and_pending_is_not_counted() {
        let resource = |change: &str, kind: &str| ReportResource {
            change: change.to_owned(),
            kind: kind.to_owned(),
            ..ReportResource::default()
        };
        let danger = |code: &str, severity: &str, message: &str| {
            let [code, severity, message] = [code, severity, message].map(str::to_owned);
            ReportDanger { code, severity, message, ..ReportDanger::default() }
        };
        let dangers = vec![danger("KZ312", "error", "gone"), danger("KZ315", "warning", "")];
        let lost = ReportResource { dangers, ..resource("removed", "Namespace") };
        let open = ReportResource { pending: Some("x".to_owned()), ..resource("removed", "Pod") };
        let target = |name: &str, state, resources: Vec<ReportResource>| ReportTarget {
            target: name.to_owned(),
            state,
            resources,
            ..ReportTarget::default()
        };
        let report = CompareReport {
            targets_total: 4,
            targets: vec![
                target("a", TargetState::Differs, vec![lost, resource("changed", "Pod"), open]),
                target("b", TargetState::FailsNow, Vec::new()),
                target("c", TargetState::NotKnown, Vec::new()),
            ],
            ..CompareReport::default()
        };
        let found = Consequence::from_report(&report);
        assert!(found.is_grave());
        assert_eq!(
            found.summary_words(),
            (ConsequenceWeight::Grave, "fails now in 1 target".to_owned())
        );
        let lines: Vec<String> = found.lines().into_iter().map(|(_, text)| text).collect();
        assert_eq!(
            lines,
            [
                "b does not build: ",
                "KZ312: gone",
                "KZ315: a Service or route is removed",
                "− 1 Namespace",
                "~ 1 Pod",
                "not known: c",
                "affects 2 of 4 targets",
            ]
        );
        let report = CompareReport { targets_total: 1, ..CompareReport::default() };
        let none = Consequence::from_report(&report);
        assert!(!none.is_grave());
        assert_eq!(none.summary_words(), (ConsequenceWeight::Plain, "no change".to_owned()));
        assert_eq!(none.lines()[0].1, "changes no output: 0 of 1 targets");
    }
}
