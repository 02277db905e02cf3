//! Volume claims whose requested size shrinks.

use super::danger;
use crate::engine::diagnostic::{DangerRemark, Diagnostic};
use crate::engine::resource::Resource;
use crate::engine::yaml::Node;

pub(super) fn volume_shrink_dangers(before: &Resource, after: &Resource) -> Vec<Diagnostic> {
    let asks = |spec: Option<&Node>| {
        spec?.text_at(&["resources", "requests", "storage"]).map(str::to_owned)
    };
    let mut claims: Vec<(String, Option<String>, Option<String>)> = Vec::new();
    match &*before.id.gvk.kind {
        "PersistentVolumeClaim" => {
            let spec = |resource: &Resource| asks(resource.node.get("spec"));
            claims.push(("spec.resources.requests.storage".to_owned(), spec(before), spec(after)));
        }
        "StatefulSet" => {
            let templates = |resource: &Resource| {
                let templates = resource.node.at(&["spec", "volumeClaimTemplates"]);
                templates.and_then(Node::items).unwrap_or_default().to_vec()
            };
            let name = |template: &Node| template.text_at(&["metadata", "name"]).map(str::to_owned);
            let now = templates(after);
            for old in templates(before) {
                let Some(same) = now.iter().find(|new| name(new) == name(&old)) else { continue };
                let path = format!("spec.volumeClaimTemplates[{}]", name(&old).unwrap_or_default());
                claims.push((path, asks(old.get("spec")), asks(same.get("spec"))));
            }
        }
        _ => {}
    }
    let shrunk = |(path, old, new): (String, Option<String>, Option<String>)| {
        let (old, new) = (old?, new?);
        let is_less = bytes(&new)? < bytes(&old)?;
        is_less.then(|| {
            let name = after.id.name.to_string();
            danger(path, DangerRemark::Shrinks { name, before: old, after: new })
        })
    };
    claims.into_iter().filter_map(shrunk).collect()
}

/// The number of bytes of a Kubernetes quantity such as `10Gi`; `None` for other texts.
fn bytes(text: &str) -> Option<f64> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(end)?;
    let number: f64 = number.parse().ok()?;
    let power_of = |base: f64, units: [&str; 7]| {
        let found = (0..).zip(units).find(|(_, it)| *it == unit);
        found.map(|(power, _)| base.powi(power))
    };
    let exponent = || Some(10f64.powi(unit.strip_prefix(['e', 'E'])?.parse().ok()?));
    let factor = (unit == "m").then_some(1e-3);
    let factor = factor.or_else(|| power_of(1000.0, ["", "k", "M", "G", "T", "P", "E"]));
    let factor = factor.or_else(|| power_of(1024.0, ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]));
    Some(number * factor.or_else(exponent)?)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn quantities_with_different_units_are_comparable() {
        for (less, more) in [("1Gi", "1.5Gi"), ("1G", "1Gi"), ("1023Mi", "1Gi"), ("5e2", "1k")] {
            assert!(bytes(less) < bytes(more), "{less} {more}");
        }
        assert_eq!(bytes("1Gi"), bytes("1024Mi"));
        assert_eq!(bytes("lots"), None);
    }
}
