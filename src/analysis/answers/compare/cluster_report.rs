//! The parts of a comparison with a cluster besides the differences of the build: fields of other
//! managers, and objects about which the cluster gives no answer.

use serde::{Deserialize, Serialize};

use crate::display::line;

/// The part of a report that only a comparison with a cluster has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClusterReport {
    /// The fields of deployed objects that other field managers wrote.
    pub drift: Vec<ReportDrift>,
    /// The objects that the API server refused, or about which it gave no answer.
    pub refusals: Vec<ReportRefusal>,
}

/// A field of a deployed object that another field manager wrote. It is no difference of the build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReportDrift {
    /// The object as `KIND/NAME`.
    pub resource: String,
    /// The namespace of the object; empty for none.
    pub namespace: String,
    /// The path of the field.
    pub path: String,
    /// The field managers that own the field, from `metadata.managedFields`.
    pub managers: Vec<String>,
    /// The value in the cluster; absent if the cluster lacks the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    /// The value that the build would give; absent if the build does not write the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The location of the value of the build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// An object that the API server refused, or about which it gave no answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReportRefusal {
    /// The object as `KIND/NAME`.
    pub resource: String,
    /// The namespace of the object; empty for none.
    pub namespace: String,
    /// The message of kubectl.
    pub message: String,
    /// The fields that the message names and that the build writes.
    pub fields: Vec<RefusedField>,
}

/// A field because of which the API server refused an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RefusedField {
    /// The path of the field.
    pub path: String,
    /// True if the field cannot be changed after the object was created.
    pub immutable: bool,
    /// True if the cluster has another value than the build, or none.
    pub differs: bool,
    /// The location of the value of the build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl ClusterReport {
    /// True if a refused field certainly differs from the cluster.
    pub(super) fn has_difference(&self) -> bool {
        self.refusals.iter().flat_map(|it| &it.fields).any(|it| it.immutable && it.differs)
    }

    /// The number of fields and objects in words; empty if there are none.
    pub(super) fn summary(&self) -> String {
        let part = |count: usize, one: &str, several: &str| match count {
            0 => String::new(),
            1 => format!("; 1 {one}"),
            count => format!("; {count} {several}"),
        };
        part(self.drift.len(), "field of another manager", "fields of other managers")
            + &part(self.refusals.len(), "object not compared", "objects not compared")
    }

    /// The refusals and the fields of other managers, a line each. The lines of one refusal follow
    /// its object, indented.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for refusal in &self.refusals {
            lines.push(line!("{}: not compared", refusal.resource));
            for field in &refusal.fields {
                let word = if field.immutable { "immutable" } else { "refused" };
                let at = field.at.as_ref().map(|at| format!("  {at}")).unwrap_or_default();
                lines.push(line!("    {word}: {}{at}", field.path));
            }
            lines.extend(refusal.message.lines().map(|text| line!("    {text}")));
        }
        lines.extend(self.drift.iter().map(ReportDrift::words));
        lines
    }
}

impl ReportDrift {
    pub fn words(&self) -> String {
        let managers = self.managers.join(", ");
        let cluster = self.cluster.as_deref().map_or("absent", first_line);
        let build = match self.build.as_deref() {
            Some(build) => format!("the build writes {}", first_line(build)),
            None => "the build does not write it".to_owned(),
        };
        let at = self.at.as_ref().map(|at| format!("  {at}")).unwrap_or_default();
        line!("{}: {}: {cluster} by {managers}, {build}{at}", self.resource, self.path)
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
