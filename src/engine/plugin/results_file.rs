//! The results of a function as a file.

use crate::yaml::{Node, Style, from_json, parse_nodes, print_preserving_style};

use super::{FunctionResult, FunctionRun};

/// The results of one call as a file of `--results-dir`: a `FunctionResultList`, as kpt writes it
/// (C.7).
pub fn results_file(run: &FunctionRun) -> String {
    let mut list = Node::mapping();
    let mut item = Node::mapping();
    let status = run.status.map_or_else(|| "null".to_owned(), |status| status.to_string());
    item.set("function", Node::string(&*run.function));
    item.set(
        "command",
        Node::sequence(run.command.iter().map(|word| Node::string(&**word)).collect()),
    );
    item.set("exitCode", Node::plain(status));
    if !run.messages.is_empty() {
        item.set("stderr", Node::string(&*run.messages));
    }
    let results = own_results(&run.output).or_else(|| {
        let read = run.results.iter().map(result_node);
        (!run.results.is_empty()).then(|| Node::sequence(read.collect()))
    });
    if let Some(results) = results {
        item.set("results", results);
    }
    let ok = run.status == Some(0);
    list.set("apiVersion", Node::string("kpt.dev/v1"));
    list.set("kind", Node::string("FunctionResultList"));
    list.set("exitCode", Node::plain(if ok { "0" } else { "1" }));
    list.set("items", Node::sequence(vec![item]));
    print_preserving_style(&list)
}

/// The results as the function wrote them and in its order, because the file is a record of its
/// output. `None` if the output contains no results.
fn own_results(output: &[u8]) -> Option<Node> {
    let nodes = parse_nodes(output).ok()?;
    let [list] = nodes.as_slice() else { return None };
    let is_list = list.text_of("kind") == Some("ResourceList");
    let results = list.get("results").filter(|_| is_list)?;
    let items = results.items().filter(|items| !items.is_empty())?;
    let mut items = items.to_vec();
    for fields in items.iter_mut().filter_map(Node::as_mapping_mut) {
        fields.style = Style::Plain;
        if fields.get("severity").is_none() {
            fields.set("severity", Node::string("error"));
        }
    }
    Some(Node::sequence(items))
}

fn result_node(result: &FunctionResult) -> Node {
    let file = result.file.as_ref();
    let index = file.map(|(_, index)| index.to_string());
    let resource = result.resource.as_ref().map(|resource| {
        object([
            ("apiVersion", Some(&*resource.api_version)),
            ("kind", Some(&*resource.kind)),
            ("name", Some(&*resource.name)),
            ("namespace", Some(&*resource.namespace)),
        ])
    });
    let field = result.field.as_deref().map(|path| {
        let mut field = object([("path", Some(path))]);
        let values = [("currentValue", &result.current), ("proposedValue", &result.proposed)];
        for (key, value) in values {
            if let Some(value) = value {
                field.set(key, from_json(value).unwrap_or_else(|_| Node::string(&**value)));
            }
        }
        field
    });
    let file = file.map(|(path, _)| object([("path", Some(&**path)), ("index", index.as_deref())]));
    let tags = result.tags.iter().map(|(key, value)| (&**key, Some(&**value)));
    let tags = (!result.tags.is_empty()).then(|| object(tags));
    let mut node =
        object([("message", Some(&*result.message)), ("severity", Some(result.severity.word()))]);
    let parts = [("resourceRef", resource), ("field", field), ("file", file), ("tags", tags)];
    for (key, value) in parts {
        if let Some(value) = value {
            node.set(key, value);
        }
    }
    node
}

/// A mapping of the texts that are present.
fn object<'a>(pairs: impl IntoIterator<Item = (&'a str, Option<&'a str>)>) -> Node {
    let mut node = Node::mapping();
    for (key, value) in pairs {
        if let Some(value) = value.filter(|text| !text.is_empty()) {
            let value = if key == "index" { Node::plain(value) } else { Node::string(value) };
            node.set(key, value);
        }
    }
    node
}
