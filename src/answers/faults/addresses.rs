//! Addresses in texts that name the namespace in which a Service was before.

use std::collections::BTreeMap;

use crate::engine::diagnostic::{Code, Diagnostic};
use crate::engine::evaluate::{StepKind, Trace};
use crate::engine::resource::Resource;

use super::{Last, Looked, Told, dotted, each_pair};

/// Texts that say NAME.NAMESPACE.svc of a Service that is in another namespace now.
pub(super) fn of_before(trace: &Trace, last: &Last, looked: &mut Looked) -> Vec<Told> {
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
    for (slot, resource) in last.iter().filter(|(_, it)| looked.has_address(it)) {
        each_pair(&resource.node, &mut Vec::new(), &mut |path, key, _, value| {
            let own = value.items().unwrap_or_default().iter().chain(std::iter::once(value));
            for node in own.filter(|node| node.as_scalar().is_some()) {
                let mut said = addresses(node.text().unwrap_or_default());
                let found = said.find_map(|address| moved.get_key_value(address));
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

/// The addresses NAME.NAMESPACE.svc in a text, each as a whole: what stands around it is no part of a name.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    text.match_indices(".svc").filter_map(move |(at, suffix)| {
        let end = at + suffix.len();
        let (before, behind) = (text.get(..at)?, text.get(end..)?);
        let begin = before.rfind(|c| !is_part(c) && c != '.').map_or(0, |last| {
            last + before.get(last..).and_then(|it| it.chars().next()).map_or(1, char::len_utf8)
        });
        if behind.starts_with(is_part) { None } else { text.get(begin..end) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_whole_word() {
        let says = |text: &str| addresses(text).any(|address| address == "api.old.svc");
        for text in [
            "api.old.svc",
            "http://api.old.svc.cluster.local:80/x",
            "user@api.old.svc",
            "ü:api.old.svc",
            "x.svc, api.old.svc",
        ] {
            assert!(says(text), "{text}");
        }
        for text in ["my-api.old.svc", "x.api.old.svc", "api.old.svcs", "api.older.svc", "api.old"]
        {
            assert!(!says(text), "{text}");
        }
    }
}
