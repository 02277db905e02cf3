//! The text of a resource for a comparison by line: as in the output, with each text of several
//! lines as a block, whatever its quotes in the output.

use crate::engine::yaml::{Node, print_output, print_preserving_style};

pub(super) fn resource_text(node: &Node) -> String {
    // A node that cannot be printed in an output is printed without conversion.
    let print = |node: &Node| print_output(node).unwrap_or_else(|_| print_preserving_style(node));
    print_with_literal_blocks(node, &print).unwrap_or_else(|| print(node))
}

/// The printed node with each text of several lines as a literal block; `None` without such a text,
/// or if a placeholder is not found in the printed text.
fn print_with_literal_blocks(node: &Node, print: &dyn Fn(&Node) -> String) -> Option<String> {
    let mut blocks = Vec::new();
    let mut node = node.clone();
    node.for_each_mut(&mut |part| {
        if let Some(text) = part.text().filter(|text| text.trim_end().contains('\n')) {
            blocks.push(text.to_owned());
            let placeholder = format!("{PLACEHOLDER_PREFIX}{}", blocks.len() - 1);
            *part = Node::string(placeholder).marked(part.mark);
        }
    });
    if blocks.is_empty() {
        return None;
    }
    let text = print(&node);
    let mut out = String::with_capacity(text.len());
    let mut placed = 0;
    for line in text.split_inclusive('\n') {
        match split_at_placeholder(line, &blocks) {
            Some((before, block)) => write_literal_block(before, block, &mut out),
            None => out.push_str(line),
        }
        placed += line.matches(PLACEHOLDER_PREFIX).count();
    }
    // If a value of the resource contains the prefix too, placeholders cannot be distinguished from
    // it.
    (placed == blocks.len() && !out.contains(PLACEHOLDER_PREFIX)).then_some(out)
}

const PLACEHOLDER_PREFIX: &str = "kzui-block-";

/// The part of a line before a placeholder at its end, and the text for this placeholder; `None`
/// for a line without a placeholder.
fn split_at_placeholder<'t>(line: &'t str, blocks: &'t [String]) -> Option<(&'t str, &'t str)> {
    let (before, number) = line.trim_end().rsplit_once(PLACEHOLDER_PREFIX)?;
    let is_value = before.ends_with(": ") || before.ends_with("- ");
    let block = blocks.get(number.parse::<usize>().ok()?)?;
    is_value.then_some((before, block))
}

/// Writes a text as a literal block after the key or dash in `before`.
fn write_literal_block(before: &str, block: &str, out: &mut String) {
    let text = block.trim_end_matches('\n');
    let sign = match block.len() - text.len() {
        0 => "|-",
        1 => "|",
        _ => "|+",
    };
    let is_in_key = |c: char| c == ' ' || c == '-';
    let key = before.trim_start_matches(is_in_key);
    let indent = before.len() - key.len() + if key.is_empty() { 0 } else { 2 };
    out.push_str(before);
    out.push_str(sign);
    out.push('\n');
    for line in block.strip_suffix('\n').unwrap_or(block).split('\n') {
        if !line.is_empty() {
            out.push_str(&" ".repeat(indent));
            out.push_str(line);
        }
        out.push('\n');
    }
}
