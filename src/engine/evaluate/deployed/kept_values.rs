//! Values of an object in which a parent kept expressions.

use std::collections::BTreeSet;

use crate::diagnostic::{DeployedRemark, Diagnostic};
use crate::manifest::{AfterBuild, DeploymentObject};

use super::super::deployments::has_variable;

/// The remark on variables of the object with values in which a parent kept expressions.
pub(super) fn kept_values_remark(
    consumer: &DeploymentObject,
    kept_variables: &BTreeSet<String>,
) -> Option<Diagnostic> {
    consumer.after_build().into_iter().find_map(|after| {
        let AfterBuild::Substitute { variables, mark, .. } = after else { return None };
        let kept = variables.iter().filter(|(_, value, _)| has_variable(value, kept_variables));
        let kept: Vec<&str> = kept.map(|(name, ..)| name.as_str()).collect();
        let (title, names) = ("postBuild.substitute".to_owned(), kept.join(", "));
        let reason = format!("the parent does not know all variables in {names}");
        let remark = DeployedRemark::NotKnown(title, reason);
        (!kept.is_empty()).then(|| Diagnostic::new(remark, mark))
    })
}
