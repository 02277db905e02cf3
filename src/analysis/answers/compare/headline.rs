//! The summary of a report: dangers, restarts, images and resources in numbers.

use super::{
    CompareReport, DangerCount, ImageCount, ReportHeadline, ReportResource, ReportTarget,
    TargetState,
};
use crate::engine::diagnostic::Code;
use crate::engine::resource::{QuickMap, QuickSet};

impl ImageCount {
    /// `NAME OLD → NEW`, or both in full if the name changes.
    pub fn words(&self) -> String {
        let (before, after) = (name_and_version(&self.before), name_and_version(&self.after));
        if before.0 == after.0 && before.1 != after.1 {
            let version =
                |text: &'_ str| if text.is_empty() { "no tag".to_owned() } else { text.to_owned() };
            return format!("{} {} → {}", before.0, version(before.1), version(after.1));
        }
        format!("{} → {}", self.before, self.after)
    }
}

/// The rank of a severity, the worst first.
pub fn severity_rank(word: &str) -> usize {
    match word {
        "error" => 0,
        "warning" => 1,
        _ => 2,
    }
}

pub(super) fn is_restart(code: &str) -> bool {
    code == Code::KZ330.as_str()
}

/// A number of occurrences, and the targets with at least one of them.
type Count<'a> = (usize, QuickSet<&'a str>);

fn add_one<'a>((count, targets): &mut Count<'a>, target: &'a str) {
    *count += 1;
    targets.insert(target);
}

impl CompareReport {
    #[must_use]
    pub fn with_headline(mut self) -> Self {
        self.headline = self.build_headline();
        self
    }

    fn build_headline(&self) -> ReportHeadline {
        let mut by_code: QuickMap<(&str, &str), Count<'_>> = QuickMap::default();
        let mut images: QuickMap<(&str, &str, bool), Count<'_>> = QuickMap::default();
        let mut restarts = 0;
        for (target, resource) in self.resources() {
            for danger in &resource.dangers {
                if is_restart(&danger.code) {
                    restarts += 1;
                } else if danger.code != Code::KZ331.as_str() {
                    let key = (danger.severity.as_str(), danger.code.as_str());
                    add_one(by_code.entry(key).or_default(), &target.target);
                }
                if let Some(image) = &danger.image {
                    let is_major = danger.code == Code::KZ332.as_str();
                    let key = (image.before.as_str(), image.after.as_str(), is_major);
                    add_one(images.entry(key).or_default(), &target.target);
                }
            }
        }
        let title = |code: &str| Code::named(code).map_or("", |code| code.rule().title).to_owned();
        let dangers = by_code.into_iter().map(|((severity, code), (count, targets))| DangerCount {
            code: code.to_owned(),
            severity: severity.to_owned(),
            title: title(code),
            count,
            targets: targets.len(),
        });
        let mut dangers: Vec<DangerCount> = dangers.collect();
        dangers.sort_by_key(|it| (severity_rank(&it.severity), it.code.clone()));
        let images =
            images.into_iter().map(|((before, after, is_major), (count, targets))| ImageCount {
                before: before.to_owned(),
                after: after.to_owned(),
                is_major,
                count,
                targets: targets.len(),
            });
        let mut images: Vec<ImageCount> = images.collect();
        images.sort_by_key(|it| (!it.is_major, it.before.clone(), it.after.clone()));
        let count = |word: &str| self.resources().filter(|(_, it)| it.change == word).count();
        let commits: QuickSet<_> = self.edits.iter().filter_map(|it| it.commit.clone()).collect();
        let is_open = |target: &&ReportTarget| {
            target.state == TargetState::NotKnown || !target.pending.is_empty()
        };
        ReportHeadline {
            differing: self.differing_targets().count(),
            not_known: self.targets.iter().filter(is_open).count(),
            dangers,
            restarts,
            images,
            added: count("added"),
            removed: count("removed"),
            changed: count("changed"),
            commits: commits.into_iter().collect(),
        }
    }

    pub fn resources(&self) -> impl Iterator<Item = (&ReportTarget, &ReportResource)> {
        self.targets
            .iter()
            .flat_map(|target| target.resources.iter().map(move |resource| (target, resource)))
    }
}

/// The name, tag and digest of an image. A `:` before the last `/` belongs to a port.
pub(in crate::answers) fn image_parts(image: &str) -> (&str, &str, &str) {
    let (tagged, digest) = image.split_once('@').unwrap_or((image, ""));
    let start = tagged.rfind('/').map_or(0, |at| at + 1);
    match tagged[start..].find(':') {
        Some(at) => (&tagged[..start + at], &tagged[start + at + 1..], digest),
        None => (tagged, "", digest),
    }
}

/// The name of an image, and its tag or digest.
pub fn name_and_version(image: &str) -> (&str, &str) {
    let (name, tag, digest) = image_parts(image);
    (name, if tag.is_empty() { digest } else { tag })
}

#[cfg(test)]
mod tests {
    use super::name_and_version;

    #[test]
    fn version_is_the_tag_or_else_the_digest() {
        assert_eq!(name_and_version("host:80/a/b:1@sha256:c"), ("host:80/a/b", "1"));
        assert_eq!(name_and_version("a@sha256:c"), ("a", "sha256:c"));
        assert_eq!(name_and_version("host:80/a"), ("host:80/a", ""));
    }
}
