//! Parses the `ResourceList` that a function writes (C.4).

use std::collections::VecDeque;

use crate::diagnostic::printable;
use crate::load::nearest_name;
use crate::yaml::{Limits, Node, SourceId, parse_documents};

use super::results::{FunctionResult, read_results};

const LIST_VERSIONS: [&str; 3] =
    ["config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1"];

/// The output of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionReply {
    /// The objects, in order; `None` if the output has no document.
    pub items: Option<Vec<Node>>,
    pub results: Vec<FunctionResult>,
    pub warnings: Vec<String>,
}

/// Parses standard output; `configured_by` is the text for messages.
///
/// # Errors
/// The output is not YAML, or has items that are not objects with a kind and a name. Results are
/// returned even then, if they can be read.
pub(super) fn read_reply(
    output: &[u8],
    configured_by: &str,
) -> (FunctionReply, Result<(), String>) {
    let mut reply = FunctionReply::default();
    let limits = Limits { bytes: output.len().max(Limits::default().bytes), ..Limits::default() };
    let file = match parse_documents(output, SourceId::NONE, limits) {
        Ok(file) => file,
        Err(error) => {
            let line =
                if error.line > 0 { format!("line {}: ", error.line) } else { String::new() };
            let text = format!("function {configured_by} wrote invalid YAML: {line}{error}");
            return (reply, Err(text));
        }
    };
    let documents: Vec<Node> = file.documents.into_iter().map(|document| document.node).collect();
    let Some(first) = documents.first() else { return (reply, Ok(())) };
    if documents.len() == 1 && is_resource_list(first) {
        let version = first.text_of("apiVersion").unwrap_or_default();
        // D-C15: every version is read.
        if !version.is_empty() && !LIST_VERSIONS.contains(&version) {
            reply.warnings.push(format!(
                "function {configured_by} wrote a ResourceList of the unknown apiVersion '{}'; it is read as config.kubernetes.io/v1",
                printable(version)
            ));
        }
        let (results, warnings) = read_results(first.get("results"));
        reply.results = results;
        let told = |warning| format!("function {configured_by}: {warning}");
        reply.warnings.extend(warnings.into_iter().map(told));
    } else {
        reply.warnings.push(format!(
            "function {configured_by} wrote plain documents instead of a ResourceList"
        ));
    }
    match objects(documents) {
        Ok(items) => reply.items = Some(items),
        Err(cause) => return (reply, Err(format!("function {configured_by}: {cause}"))),
    }
    (reply, Ok(()))
}

fn is_resource_list(node: &Node) -> bool {
    kind_of(node) == "ResourceList"
}

fn kind_of(node: &Node) -> &str {
    node.text_of("kind").unwrap_or_default()
}

fn objects(documents: Vec<Node>) -> Result<Vec<Node>, String> {
    let single = documents.len() == 1;
    let mut queue: VecDeque<(String, Node)> = VecDeque::new();
    for (index, document) in documents.into_iter().enumerate() {
        let name =
            if single { "the document".to_owned() } else { format!("document {}", index + 1) };
        queue.push_back((name, document));
    }
    let mut objects = Vec::new();
    while let Some((name, node)) = queue.pop_front() {
        if node.as_mapping().is_some() && kind_of(&node).ends_with("List") {
            expand(&name, node, &mut queue, &mut objects)?;
        } else {
            check(&name, &node)?;
            objects.push(node);
        }
    }
    Ok(objects)
}

fn expand(
    name: &str,
    node: Node,
    queue: &mut VecDeque<(String, Node)>,
    objects: &mut Vec<Node>,
) -> Result<(), String> {
    let resource_list = is_resource_list(&node);
    match node.get("items") {
        None if resource_list => Err("the ResourceList has no items".to_owned()),
        // Some kinds end in `List` but are not lists.
        None => {
            check(name, &node)?;
            objects.push(node);
            Ok(())
        }
        Some(items) if items.is_null() => Ok(()),
        Some(items) => {
            let items = items.items().ok_or_else(|| "items is not a list".to_owned())?;
            for (index, item) in items.iter().enumerate().rev() {
                queue.push_front((format!("items[{index}]"), item.clone()));
            }
            Ok(())
        }
    }
}

fn check(name: &str, node: &Node) -> Result<(), String> {
    if node.is_null() {
        // Kustomize drops such an item, so that resources are lost without a message.
        return Err(format!("{name} is null"));
    }
    if node.as_mapping().is_none() {
        let found = if node.items().is_some() { "list" } else { "scalar" };
        return Err(format!("{name} is a {found}, expected an object"));
    }
    let kind = kind_of(node);
    if kind.is_empty() {
        return Err(format!("{name} has no kind"));
    }
    let named = node.at(&["metadata", "name"]).filter(|name| !name.is_null());
    if named.and_then(Node::text).is_none_or(str::is_empty) {
        let list = nearest_name(kind, ["ResourceList"].into_iter());
        return Err(match list.filter(|_| node.get("items").is_some()) {
            Some(_) => format!("{name} has kind '{}', expected ResourceList", printable(kind)),
            None => format!("{name} ({kind}) has no metadata.name"),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(usize, usize), String> {
        let (reply, result) = read_reply(text.as_bytes(), "F/f");
        result.map(|()| (reply.items.map_or(99, |items| items.len()), reply.warnings.len()))
    }

    #[test]
    fn lists_of_any_version_and_plain_documents_are_read() {
        const A: &str = "{apiVersion: v1, kind: A, metadata: {name: a}}";
        for version in ["v1", "v1beta1", "v1alpha1"] {
            let text = format!(
                "apiVersion: config.kubernetes.io/{version}\nkind: ResourceList\nitems: [{A}]\n"
            );
            assert_eq!(read(&text), Ok((1, 0)));
        }
        let other =
            format!("apiVersion: config.kubernetes.io/v2\nkind: ResourceList\nitems: [{A}]\n");
        assert_eq!(read(&other), Ok((1, 1)), "another version is a warning");
        assert_eq!(read(&format!("kind: List\nitems: [{A}, {A}]\n")), Ok((2, 1)));
        assert_eq!(read(&format!("{A}\n---\n{A}\n")), Ok((2, 1)));
        assert_eq!(
            read(&format!("kind: ResourceList\nitems: [{{kind: AList, items: [{A}, {A}]}}]\n")),
            Ok((2, 0))
        );
        assert_eq!(read("kind: ResourceList\nitems: []\n"), Ok((0, 0)));
        assert_eq!(read("{\"kind\": \"ResourceList\", \"items\": null}"), Ok((0, 0)));
        assert_eq!(read(" \n# nothing\n"), Ok((99, 0)), "no output is not an empty list");
    }

    #[test]
    fn items_without_an_object_are_refused() {
        let table = [
            (
                "kind: ResourceList\nitems: [text]\n",
                "function F/f: items[0] is a scalar, expected an object",
            ),
            (
                "kind: ResourceList\nitems: [{kind: A, metadata: {name: a}}, null]\n",
                "function F/f: items[1] is null",
            ),
            (
                "kind: ResourceList\nitems: [{kind: A}]\n",
                "function F/f: items[0] (A) has no metadata.name",
            ),
            ("kind: ResourceList\nitems: [{a: b}]\n", "function F/f: items[0] has no kind"),
            ("kind: ResourceList\n", "function F/f: the ResourceList has no items"),
            ("done\n", "function F/f: the document is a scalar, expected an object"),
        ];
        for (text, expected) in table {
            assert_eq!(read(text), Err(expected.to_owned()), "{text}");
        }
        for (text, place) in [("@\n", "line 1: "), ("a:\n  @\n", "line 2: ")] {
            let wrong = format!("function F/f wrote invalid YAML: {place}");
            assert!(read(text).unwrap_err().starts_with(&wrong), "{text} {:?}", read(text));
        }
    }

    #[test]
    fn results_are_kept_beside_invalid_items() {
        let (reply, result) =
            read_reply(b"kind: ResourceList\nitems: [1]\nresults: [{message: m}]\n", "F/f");
        assert!(result.is_err());
        assert_eq!(reply.results.len(), 1);
    }
}
