//! Versions of images and charts.

use super::super::headline::name_and_version;
use super::super::{ChangeKind, FieldChange, FieldPath, FieldSegment};
use super::danger;
use crate::answers::recording::field::value_at;
use crate::engine::diagnostic::{DangerRemark, Diagnostic};
use crate::engine::resource::Resource;
use crate::engine::yaml::Node;

/// The lowest major version that counts as a year; versions from here on are dates.
const MIN_YEAR_VERSION: u64 = 1000;

/// The major version of a text such as `v1.2.3-rc.1` or `16`; `None` for other texts and dates.
fn major_version(version: &str) -> Option<u64> {
    let digits = version.strip_prefix('v').unwrap_or(version);
    let end = digits.find(['-', '+']).unwrap_or(digits.len());
    let mut parts = digits[..end].split('.');
    let first = parts.next()?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let all = is_number(first) && parts.clone().count() <= 3 && parts.all(is_number);
    first.parse().ok().filter(|major| all && *major < MIN_YEAR_VERSION)
}

fn is_major_change(before: &str, after: &str) -> bool {
    major_version(before).zip(major_version(after)).is_some_and(|(before, after)| before != after)
}

/// The old and the new image if the change sets a field `image`, or `tag` or `digest` beside a
/// `repository`.
fn image_change(
    before: &Resource,
    after: &Resource,
    change: &FieldChange,
) -> Option<(String, String)> {
    let value = |node: &Option<Node>| node.as_ref().and_then(Node::text).map(str::to_owned);
    let (old, new) = (value(&change.before)?, value(&change.after)?);
    let Some(FieldSegment::Key(key)) = change.path.0.last() else { return None };
    match key.as_str() {
        "image" => Some((old, new)),
        "tag" => {
            let of = |resource: &Resource, path: &[FieldSegment], tag: &str| {
                let (_, parents) = path.split_last()?;
                let parent = FieldPath(parents.to_vec()).find(&resource.node)?;
                let (parent, _) = value_at(&resource.node, &parent)?;
                Some(format!("{}:{tag}", parent.text_of("repository")?))
            };
            Some((of(before, &change.first_path.0, &old)?, of(after, &change.path.0, &new)?))
        }
        _ => None,
    }
}

pub(super) fn image_change_dangers(
    before: &Resource,
    after: &Resource,
    changes: &[&FieldChange],
) -> Vec<Diagnostic> {
    let told = |change: &&FieldChange| {
        let (old, new) = image_change(before, after, change)?;
        let ((name, was), (other, is)) = (name_and_version(&old), name_and_version(&new));
        let remark = if name == other && is_major_change(was, is) {
            DangerRemark::ImageMajor(old, new)
        } else {
            DangerRemark::Image(old, new)
        };
        Some(danger(change.path.to_string(), remark))
    };
    let changed = changes.iter().filter(|change| change.kind == ChangeKind::Changed);
    changed.filter_map(told).collect()
}

/// A chart of a resource: the path of the field with its version, its name, its version.
type Chart = (String, String, String);

fn charts(resource: &Resource) -> Vec<Chart> {
    let node = &resource.node;
    match (&*resource.id.gvk.group, &*resource.id.gvk.kind) {
        ("helm.toolkit.fluxcd.io", "HelmRelease") => {
            let spec = ["spec", "chart", "spec"];
            let of = |key| {
                node.text_at(&[spec[0], spec[1], spec[2], key]).unwrap_or_default().to_owned()
            };
            vec![("spec.chart.spec.version".to_owned(), of("chart"), of("version"))]
        }
        ("source.toolkit.fluxcd.io", "OCIRepository") => {
            let url = node.text_at(&["spec", "url"]).unwrap_or_default();
            let is_chart = node
                .text_at(&["spec", "layerSelector", "mediaType"])
                .unwrap_or_default()
                .contains("helm.chart");
            let name = url.rsplit('/').next().filter(|_| is_chart || url.contains("/charts/"));
            let version = node.text_at(&["spec", "ref", "tag"]).unwrap_or_default().to_owned();
            let chart = |name: &str| ("spec.ref.tag".to_owned(), name.to_owned(), version);
            name.map(chart).into_iter().collect()
        }
        ("argoproj.io", "Application") => {
            let of = |path: &str, source: &Node| {
                let of = |key| source.text_at(&[key]).unwrap_or_default().to_owned();
                (format!("{path}.targetRevision"), of("chart"), of("targetRevision"))
            };
            let one = node.at(&["spec", "source"]).map(|source| of("spec.source", source));
            let list = node.at(&["spec", "sources"]).and_then(Node::items).unwrap_or_default();
            let many = list.iter().enumerate();
            let many = many.map(|(at, source)| of(&format!("spec.sources[{at}]"), source));
            one.into_iter().chain(many).collect()
        }
        _ => {
            let label = node.text_at(&["metadata", "labels", "helm.sh/chart"]).unwrap_or_default();
            chart_of_label(label).into_iter().collect()
        }
    }
}

/// The chart of the label `helm.sh/chart`, `NAME-VERSION`.
fn chart_of_label(label: &str) -> Option<Chart> {
    let is_version = |rest: &str| major_version(rest).is_some() && rest.contains('.');
    let (at, _) = label.match_indices('-').find(|(at, _)| is_version(&label[at + 1..]))?;
    let field = "metadata.labels[\"helm.sh/chart\"]".to_owned();
    Some((field, label[..at].to_owned(), label[at + 1..].to_owned()))
}

pub(super) fn major_chart_dangers(before: &Resource, after: &Resource) -> Vec<Diagnostic> {
    let was = charts(before);
    let told = |(field, chart, after): Chart| {
        let is_same = |other: &&Chart| (&other.0, &other.1) == (&field, &chart);
        let (.., before) = was.iter().find(is_same)?;
        let before = before.clone();
        (!chart.is_empty() && is_major_change(&before, &after))
            .then(|| danger(field, DangerRemark::ChartMajor { chart, before, after }))
    };
    charts(after).into_iter().filter_map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::{chart_of_label, is_major_change};

    #[test]
    fn versions_are_compared_by_their_first_number() {
        for (before, after) in [("1.2", "2.0.0"), ("v1", "v2-rc.1"), ("15", "16"), ("2.1", "1.9")] {
            assert!(is_major_change(before, after), "{before} {after}");
        }
        let alike = [
            ("1.2", "1.3"),
            ("main", "v2"),
            ("20240131", "20250101"),
            ("2024.1", "2025.1"),
            ("1a", "2a"),
            ("", "1"),
        ];
        for (before, after) in alike {
            assert!(!is_major_change(before, after), "{before} {after}");
        }
    }

    #[test]
    fn chart_label_is_split_into_name_and_version() {
        let (_, chart, version) = chart_of_label("cert-manager-v1.2.3").unwrap();
        assert_eq!((&*chart, &*version), ("cert-manager", "v1.2.3"));
        assert_eq!(chart_of_label("cert-manager"), None);
    }
}
