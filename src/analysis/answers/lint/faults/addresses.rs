//! Addresses in texts with the former namespace of a Service.

use std::collections::BTreeMap;
use std::path::Path;

use crate::engine::diagnostic::{Object, SilentRemark};
use crate::engine::evaluate::StepKind;
use crate::engine::resource::Resource;
use crate::engine::yaml::{Mark, Node};

use super::{Scan, dotted_path, last_step, of_field, visit_entries};

/// Finds texts with the former address NAME.NAMESPACE.svc of a Service that a step moved to another
/// namespace.
pub(super) fn stale_addresses(scan: &mut Scan<'_, '_>) {
    let Some(step) = last_step(scan.trace, StepKind::NameReferences) else { return };
    let last = scan.last;
    let services = || last.values().filter(|it| &*it.id.gvk.kind == "Service");
    let mut moved: BTreeMap<String, &Resource> = BTreeMap::new();
    for service in services() {
        for previous in service.names.previous() {
            if *previous.namespace != *service.id.effective_namespace() {
                moved.insert(format!("{}.{}.svc", previous.name, previous.namespace), service);
            }
        }
    }
    for service in services() {
        moved.remove(&format!("{}.{}.svc", service.id.name, service.id.effective_namespace()));
    }
    let is_there = !moved.is_empty();
    for (slot, resource) in last.iter().filter(|_| is_there) {
        if !scan.cache.scan(resource).has_address {
            continue;
        }
        visit_entries(&resource.node, &mut Vec::new(), &mut |path, key, _, value| {
            let own = value.items().unwrap_or_default().iter().chain(std::iter::once(value));
            for node in own.filter(|node| node.as_scalar().is_some()) {
                let said = addresses(node.text().unwrap_or_default());
                let found: BTreeMap<&String, &&Resource> =
                    said.filter_map(|address| moved.get_key_value(address)).collect();
                for (address, service) in found {
                    let field = dotted_path(path, key);
                    let space = service.id.effective_namespace();
                    let remark = SilentRemark::OldAddress {
                        field: field.clone(),
                        object: Object::from(&resource.id),
                        address: address.clone(),
                        namespace: space.to_owned(),
                    };
                    let mark = address_mark(node, address, scan);
                    let former = address.trim_end_matches(".svc").rsplit('.').next();
                    let hint = format!(
                        "write the namespace {space} in place of {}, or only the name of the Service within {space}",
                        former.unwrap_or_default()
                    );
                    let diagnostic = of_field(remark, mark, (*slot, resource), field).hint(hint);
                    scan.found.push((step, diagnostic));
                }
            }
        });
    }
}

/// The location of an address in a text of several lines, or that of the text if the address is not
/// found in its file.
fn address_mark(node: &Node, address: &str, scan: &Scan<'_, '_>) -> Mark {
    let found = || {
        let lines = node.text()?.lines().count();
        let path = scan.trace.sources.path(node.mark.source).filter(|_| lines > 1)?;
        let bytes = scan.files.read(Path::new(path)).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let first = usize::try_from(node.mark.line).ok()?.checked_sub(1)?;
        // The header of a block scalar takes one more line.
        let mut own = text.lines().enumerate().skip(first).take(lines + 1);
        let (line, at) = own.find_map(|(number, line)| {
            addresses(line).any(|said| said == address).then_some((number, line.find(address)?))
        })?;
        let column = text.lines().nth(line)?.get(..at)?.chars().count();
        let (line, column) = (u32::try_from(line + 1).ok()?, u32::try_from(column + 1).ok()?);
        Some(Mark { line, column, ..node.mark })
    };
    found().unwrap_or(node.mark)
}

/// The addresses NAME.NAMESPACE.svc in a text that are not part of a longer name.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    text.match_indices(".svc").filter_map(move |(at, suffix)| {
        let end = at + suffix.len();
        let (before, behind) = (text.get(..at)?, text.get(end..)?);
        let mut others = before.rmatch_indices(|c| !is_part(c) && c != '.');
        let begin = others.next().map_or(0, |(at, sign)| at + sign.len());
        if behind.starts_with(is_part) { None } else { text.get(begin..end) }
    })
}

#[cfg(test)]
mod tests {
    use crate::answers::lint::faults::addresses::*;

    #[test]
    fn address_within_longer_name_is_not_found() {
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
