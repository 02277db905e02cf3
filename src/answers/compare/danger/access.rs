//! Rights that somebody gets who did not have them.

use std::collections::BTreeSet;

use super::danger;
use crate::engine::diagnostic::{Code, Diagnostic};
use crate::engine::resource::Resource;
use crate::engine::yaml::Node;

/// What a role or a binding grants that it did not grant before.
pub(super) fn granted_by(
    before: Option<&Node>,
    after: &Node,
    resource: &Resource,
) -> Vec<Diagnostic> {
    if &*resource.id.gvk.group != "rbac.authorization.k8s.io" {
        return Vec::new();
    }
    let (field, more) = match &*resource.id.gvk.kind {
        "Role" | "ClusterRole" => ("rules", new_rights(before, after)),
        "RoleBinding" | "ClusterRoleBinding" => ("subjects", new_subjects(before, after)),
        _ => return Vec::new(),
    };
    if more.is_empty() {
        return Vec::new();
    }
    let is_everything = more.iter().any(|right| right.contains('*'));
    let count = more.len();
    let named: Vec<&str> = more.iter().take(3).map(String::as_str).collect();
    let rest = if count > named.len() {
        format!(" and {} more", count - named.len())
    } else {
        String::new()
    };
    let (kind, name) = (&resource.id.gvk.kind, &resource.id.name);
    let verb = if field == "rules" { "grants" } else { "is given to" };
    let code = if is_everything { Code::KZ321 } else { Code::KZ320 };
    vec![danger(code, field, format!("{kind}/{name} now {verb} {}{rest}", named.join(", ")))]
}

/// Every single right: `VERB GROUP/RESOURCE`, one with a star covering all that fit it.
fn new_rights(before: Option<&Node>, after: &Node) -> Vec<String> {
    let old = before.map(rights).unwrap_or_default();
    let is_granted = |right: &Right| old.iter().any(|other| other.covers(right));
    let new = rights(after);
    let new = new.iter().filter(|right| !is_granted(right));
    let shown = |right: &Right| {
        let group =
            if right.group.is_empty() { String::new() } else { format!("{}/", right.group) };
        let name = if right.name == "*" { String::new() } else { format!(" {}", right.name) };
        format!("{} {group}{}{name}", right.verb, right.resource)
    };
    new.map(shown).collect()
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Right {
    verb: String,
    group: String,
    resource: String,
    /// `*` when every object of the resource is meant.
    name: String,
}

impl Right {
    fn covers(&self, other: &Self) -> bool {
        let fits = |have: &str, want: &str| have == "*" || have == want;
        let name = self.name == "*" || self.name == other.name;
        fits(&self.verb, &other.verb)
            && fits(&self.group, &other.group)
            && fits(&self.resource, &other.resource)
            && name
    }
}

fn rights(role: &Node) -> BTreeSet<Right> {
    let mut rights = BTreeSet::new();
    let texts = |rule: &Node, field: &str| -> Vec<String> {
        let items = rule.get(field).and_then(Node::items).unwrap_or_default();
        items.iter().filter_map(Node::text).map(str::to_owned).collect()
    };
    for rule in role.get("rules").and_then(Node::items).unwrap_or_default() {
        let mut names = texts(rule, "resourceNames");
        if names.is_empty() {
            names.push("*".to_owned());
        }
        let urls = texts(rule, "nonResourceURLs");
        for verb in texts(rule, "verbs") {
            for group in texts(rule, "apiGroups") {
                for resource in texts(rule, "resources") {
                    for name in &names {
                        let (verb, group, name) = (verb.clone(), group.clone(), name.clone());
                        rights.insert(Right { verb, group, resource: resource.clone(), name });
                    }
                }
            }
            for url in &urls {
                let (verb, resource) = (verb.clone(), url.clone());
                let (group, name) = ("(URL)".to_owned(), "*".to_owned());
                rights.insert(Right { verb, group, resource, name });
            }
        }
    }
    rights
}

fn new_subjects(before: Option<&Node>, after: &Node) -> Vec<String> {
    let old = before.map(subjects).unwrap_or_default();
    subjects(after).into_iter().filter(|subject| !old.contains(subject)).collect()
}

fn subjects(binding: &Node) -> BTreeSet<String> {
    let text = |subject: &Node, key: &str| {
        subject.get(key).and_then(Node::text).unwrap_or_default().to_owned()
    };
    let items = binding.get("subjects").and_then(Node::items).unwrap_or_default();
    let subject = |subject: &Node| {
        let namespace = text(subject, "namespace");
        let place = if namespace.is_empty() { String::new() } else { format!(" in {namespace}") };
        format!("{} {}{place}", text(subject, "kind"), text(subject, "name"))
    };
    items.iter().map(subject).collect()
}
