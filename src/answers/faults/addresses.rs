//! Addresses in texts that name the namespace in which a Service was before.

use std::collections::BTreeMap;

use crate::engine::diagnostic::{Code, Diagnostic};
use crate::engine::evaluate::{StepKind, Trace};
use crate::engine::resource::Resource;
use crate::engine::yaml::Node;

use super::{Last, Told, dotted, each_pair};

/// Texts that say NAME.NAMESPACE.svc of a Service that is in another namespace now.
pub(super) fn of_before(trace: &Trace, last: &Last) -> Vec<Told> {
    let is_it = |kind: StepKind| kind == StepKind::NameReferences;
    let Some(step) = trace.steps.iter().rposition(|step| is_it(step.kind)) else {
        return Vec::new();
    };
    let services = || last.iter().map(|(_, it)| it).filter(|it| &*it.id.gvk.kind == "Service");
    let mut moved: BTreeMap<String, &Resource> = BTreeMap::new();
    for service in services() {
        for previous in &service.previous {
            if *previous.namespace != *service.id.effective_namespace() {
                moved.insert(format!("{}.{}.svc", previous.name, previous.namespace), service);
            }
        }
    }
    for service in services() {
        moved.remove(&format!("{}.{}.svc", service.id.name, service.id.effective_namespace()));
    }
    if moved.is_empty() {
        return Vec::new();
    }
    let mut told = Vec::new();
    for (slot, resource) in last.iter() {
        each_pair(&resource.node, &mut Vec::new(), &mut |path, key, _, value| {
            let own = value.items().unwrap_or_default().iter().chain(std::iter::once(value));
            for node in own.filter(|node| node.as_scalar().is_some()) {
                let found = moved.iter().find(|(address, _)| says(node, address));
                let Some((address, service)) = found else { continue };
                let (kind, name, field) =
                    (&resource.id.gvk.kind, &resource.id.name, dotted(path, key));
                let (now, space) = (&service.id.name, service.id.effective_namespace());
                let message = format!(
                    "{field} of {kind} {name} says {address}, and that Service is in the namespace {space} now"
                );
                let diagnostic = Diagnostic::new(Code::KZ224, message, node.mark)
                    .hint(format!(
                        "write {now}.{space}.svc, or {now} for what is in the same namespace"
                    ))
                    .about(Some(slot), kind, name)
                    .field(field);
                told.push((step, diagnostic));
            }
        });
    }
    told
}

/// Whether a text has an address in it, as a whole.
fn says(node: &Node, address: &str) -> bool {
    let text = node.text().unwrap_or_default();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    text.match_indices(address).any(|(at, found)| {
        let (before, behind) = (text.get(..at), text.get(at + found.len()..));
        !before.unwrap_or_default().ends_with(|c| is_part(c) || c == '.')
            && !behind.unwrap_or_default().starts_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_whole_word() {
        let says = |text: &str| says(&Node::string(text), "api.old.svc");
        for text in ["api.old.svc", "http://api.old.svc.cluster.local:80/x", "user@api.old.svc"] {
            assert!(says(text), "{text}");
        }
        for text in ["my-api.old.svc", "x.api.old.svc", "api.old.svcs", "api.older.svc", "api.old"]
        {
            assert!(!says(text), "{text}");
        }
    }
}
