//! A graph as a picture, for Markdown and for Graphviz.

use crate::display::{escape_xml, sanitize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BuildStatus {
    Unknown,
    Builds,
    Fails,
    Waits,
    Remote,
    Missing,
}

impl BuildStatus {
    /// The class, the fill and the border of a node with this state.
    fn style(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Unknown => ("unknown", "#f6f8fa", "#8c959f"),
            Self::Builds => ("builds", "#dafbe1", "#1a7f37"),
            Self::Fails => ("fails", "#ffebe9", "#cf222e"),
            Self::Waits => ("waits", "#fff8c5", "#9a6700"),
            Self::Remote => ("remote", "#ddf4ff", "#0969da"),
            Self::Missing => ("missing", "#ffebe9", "#cf222e"),
        }
    }

    const ALL: [Self; 6] =
        [Self::Unknown, Self::Builds, Self::Fails, Self::Waits, Self::Remote, Self::Missing];
}

/// A target, or the destination of an entry outside the repository.
pub(super) struct GraphNode {
    pub(super) name: String,
    pub(super) state: BuildStatus,
    pub(super) is_component: bool,
    pub(super) is_root: bool,
}

pub(super) struct Arrow {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) words: &'static str,
    pub(super) line: u32,
}

pub(super) fn dot(nodes: &[GraphNode], arrows: &[Arrow]) -> String {
    let quoted =
        |text: &str| format!("\"{}\"", sanitize(text).replace('\\', "\\\\").replace('"', "\\\""));
    let mut out = "digraph kustomizations {\n  rankdir=LR;\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n".to_owned();
    for (at, node) in nodes.iter().enumerate() {
        let (_, fill, border) = node.state.style();
        let shape = if node.is_component { ", shape=component" } else { "" };
        let width = if node.is_root { ", penwidth=2" } else { "" };
        let name = quoted(&node.name);
        out.push_str(&format!(
            "  n{at} [label={name}, fillcolor=\"{fill}\", color=\"{border}\"{shape}{width}];\n"
        ));
    }
    for arrow in arrows {
        let words = quoted(&format!("{}:{}", arrow.words, arrow.line));
        out.push_str(&format!("  n{} -> n{} [label={words}];\n", arrow.from, arrow.to));
    }
    out + "}\n"
}

pub(super) fn mermaid(nodes: &[GraphNode], arrows: &[Arrow]) -> String {
    // A backtick would end the fence around the picture, or make the text Markdown; `%%{` is a
    // directive.
    let quoted = |text: &str| {
        let mut out = String::new();
        for c in sanitize(text).chars() {
            match c {
                '#' | '&' | '"' | '<' | '>' | '`' | '%' => {
                    out.push_str(&format!("#{};", u32::from(c)));
                }
                c => out.push(c),
            }
        }
        out
    };
    let mut out = "flowchart LR\n".to_owned();
    for (at, node) in nodes.iter().enumerate() {
        let (class, ..) = node.state.style();
        let (open, close) = if node.is_component { ("([", "])") } else { ("[", "]") };
        out.push_str(&format!("  n{at}{open}\"{}\"{close}:::{class}\n", quoted(&node.name)));
    }
    for arrow in arrows {
        out.push_str(&format!(
            "  n{} -->|\"{}:{}\"| n{}\n",
            arrow.from, arrow.words, arrow.line, arrow.to
        ));
    }
    for state in BuildStatus::ALL {
        let (class, fill, border) = state.style();
        out.push_str(&format!("  classDef {class} fill:{fill},stroke:{border},color:#1f2328\n"));
    }
    out
}

const CHAR_WIDTH_PX: usize = 7;
const BOX_HEIGHT_PX: usize = 26;
const ROW_GAP_PX: usize = 10;
const COLUMN_GAP_PX: usize = 80;

/// The graph as an SVG picture: each target is to the left of the targets that it uses, with a line
/// from its right edge to their left edges.
pub(super) fn svg(nodes: &[GraphNode], arrows: &[Arrow]) -> String {
    let columns = columns(nodes.len(), arrows);
    let mut in_column: Vec<Vec<usize>> = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        if in_column.len() <= *column {
            in_column.resize(column + 1, Vec::new());
        }
        in_column[*column].push(at);
    }
    let width = |at: usize| nodes[at].name.chars().count() * CHAR_WIDTH_PX + 16;
    let mut places = vec![(0, 0); nodes.len()];
    let (mut left, mut lowest) = (ROW_GAP_PX, 0);
    for column in in_column {
        let mut top = ROW_GAP_PX;
        let mut widest = 0;
        for at in column {
            places[at] = (left, top);
            widest = widest.max(width(at));
            top += BOX_HEIGHT_PX + ROW_GAP_PX;
        }
        left += widest + COLUMN_GAP_PX;
        lowest = lowest.max(top);
    }
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{left}\" height=\"{lowest}\" viewBox=\"0 0 {left} {lowest}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for arrow in arrows {
        let ((x, y), (to_x, to_y)) = (places[arrow.from], places[arrow.to]);
        let (x, y, to_y) = (x + width(arrow.from), y + BOX_HEIGHT_PX / 2, to_y + BOX_HEIGHT_PX / 2);
        let bend = x.midpoint(to_x);
        out.push_str(&format!(
            "<path d=\"M{x} {y} C{bend} {y} {bend} {to_y} {to_x} {to_y}\" fill=\"none\" stroke=\"#8c959f\"><title>{}, line {}</title></path>\n",
            arrow.words, arrow.line
        ));
    }
    for (at, node) in nodes.iter().enumerate() {
        let ((x, y), (class, fill, border)) = (places[at], node.state.style());
        let round = if node.is_component { BOX_HEIGHT_PX / 2 } else { 3 };
        let line = if node.is_root { 2 } else { 1 };
        let name = escape_xml(&sanitize(&node.name));
        out.push_str(&format!(
            "<g><title>{name}: {class}</title><rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{BOX_HEIGHT_PX}\" rx=\"{round}\" \
             fill=\"{fill}\" stroke=\"{border}\" stroke-width=\"{line}\"/><text x=\"{}\" y=\"{}\" fill=\"#1f2328\">{name}</text></g>\n",
            width(at),
            x + 8,
            y + BOX_HEIGHT_PX - 9
        ));
    }
    out + "</svg>\n"
}

/// The column of each node: one more than the highest column of the nodes that use it. A cycle
/// cannot be built; one of its nodes is taken as its beginning.
fn columns(count: usize, arrows: &[Arrow]) -> Vec<usize> {
    let mut columns = vec![0; count];
    let mut users_left = vec![0_usize; count];
    let mut uses: Vec<Vec<usize>> = vec![Vec::new(); count];
    for arrow in arrows {
        users_left[arrow.to] += 1;
        uses[arrow.from].push(arrow.to);
    }
    let mut is_placed = vec![false; count];
    let mut ready: Vec<usize> = (0..count).rev().filter(|at| users_left[*at] == 0).collect();
    let mut left = 0..count;
    while let Some(at) = ready.pop().or_else(|| left.find(|at| !is_placed[*at])) {
        if std::mem::replace(&mut is_placed[at], true) {
            continue;
        }
        for to in std::mem::take(&mut uses[at]) {
            users_left[to] -= 1;
            if !is_placed[to] {
                columns[to] = columns[to].max(columns[at] + 1);
                if users_left[to] == 0 {
                    ready.push(to);
                }
            }
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(count: usize, arrows: &[(usize, usize)]) -> Vec<usize> {
        let arrow =
            |(from, to): &(usize, usize)| Arrow { from: *from, to: *to, words: "", line: 1 };
        columns(count, &arrows.iter().map(arrow).collect::<Vec<_>>())
    }

    #[test]
    fn node_is_placed_after_its_furthest_user() {
        assert_eq!(placed(3, &[(0, 1), (1, 2)]), [0, 1, 2]);
        assert_eq!(placed(4, &[(3, 2), (3, 0), (2, 0), (0, 1)]), [2, 3, 1, 0]);
        assert_eq!(placed(3, &[]), [0, 0, 0]);
        assert_eq!(placed(3, &[(0, 1), (1, 0), (1, 2)]), [0, 1, 2], "a cycle");
    }
}
