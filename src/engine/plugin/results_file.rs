//! The results of a function as a file.

use crate::yaml::{Node, Style, parse_nodes, print_preserving_style};

use super::FunctionRun;

/// The results of one call for `--results-dir`: a `FunctionResultList`, as kpt writes it (C.7).
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
    if let Some(results) = own_results(&run.output) {
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
    let items = results.items().or_else(|| results.get("items")?.items());
    let items = items.filter(|items| !items.is_empty())?;
    let mut items = items.to_vec();
    for fields in items.iter_mut().filter_map(Node::as_mapping_mut) {
        fields.style = Style::Plain;
        if fields.get("severity").is_none() {
            fields.set("severity", Node::string("error"));
        }
    }
    Some(Node::sequence(items))
}
