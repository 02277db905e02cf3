//! The parts of a comparison with a cluster besides the differences of the build: fields of other
//! managers, and objects about which the cluster gives no answer.

use serde::Deserialize;

use crate::answers::report::documents;
use crate::display::line;

documents! {
    #[derive(Default, Deserialize)]
    pub struct ClusterReport {
        pub drift: Vec<ReportDrift>,
        pub refusals: Vec<ReportRefusal>,
    }

    #[derive(Default, Deserialize)]
    pub struct ReportDrift {
        pub resource: String,
        pub namespace: String,
        pub path: String,
        pub managers: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub cluster: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub build: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub at: Option<String>,
    }

    #[derive(Default, Deserialize)]
    pub struct ReportRefusal {
        pub resource: String,
        pub namespace: String,
        pub message: String,
        pub fields: Vec<RefusedField>,
    }

    #[derive(Default, Deserialize)]
    pub struct RefusedField {
        pub path: String,
        pub immutable: bool,
        pub differs: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub at: Option<String>,
    }
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
