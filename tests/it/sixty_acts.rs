//! Sixty actions in a real terminal. After each of them the step, the selection, the titles and the
//! content of the panes agree.
#![cfg(unix)]

use crate::support::{Terminal, Tree, messages};

/// One of the sixty actions: keys as the terminal sends them, or another size.
enum TerminalInput {
    Keys(&'static str),
    Size(u16, u16),
}

use TerminalInput::{Keys, Size};

const TERMINAL_INPUTS: [TerminalInput; 60] = [
    Keys("j"),
    Keys("j"),
    Keys("G"),
    Keys("k"),
    Keys("gs"),
    Keys("("),
    Keys("("),
    Keys(")"),
    Keys("C"),
    Keys("C"),
    Keys("\t"),
    Keys("j"),
    Keys("j"),
    Keys("gd"),
    Keys("]r"),
    Keys("\t"),
    Keys("\u{4}"),
    Keys("n"),
    Keys("[r"),
    Keys(",d"),
    Size(200, 60),
    Keys("gs"),
    Keys("c"),
    Keys("c"),
    Keys("gr"),
    Keys("j"),
    Keys("j"),
    Keys("("),
    Keys("gw"),
    Keys("\u{f}"),
    Keys("1"),
    Keys("gg"),
    Keys("/high\r"),
    Keys("\u{1b}"),
    Keys(" "),
    Keys("gs"),
    Keys("z"),
    Keys("gr"),
    Keys("Z"),
    Keys("z"),
    Size(80, 24),
    Keys(":steps\r"),
    Keys("<"),
    Keys("c"),
    Keys(":orders-memory\r"),
    Keys("gd"),
    Keys("d"),
    Keys("d"),
    Keys("d"),
    Keys("gp"),
    Keys("]p"),
    Keys("]p"),
    Size(120, 36),
    Keys("gs"),
    Keys(",r"),
    Keys(",r"),
    Keys("gc"),
    Keys("j"),
    Keys(":tree\r"),
    Keys(">"),
];

/// The number of the current step on the timeline, and the number of steps.
fn step_and_count(screen: &str) -> (usize, usize) {
    let strip = screen
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix(" step "))
        .unwrap_or_else(|| panic!("the strip: {screen}"));
    let words = strip.split(' ').next().unwrap();
    let (at, all) = words.split_once('/').unwrap_or_else(|| panic!("{words}: {screen}"));
    (at.parse().unwrap(), all.parse().unwrap())
}

/// The title and the rows of the pane whose title begins with a text, as wide as its frame.
fn pane_rows(screen: &str, title: &str) -> Option<(String, Vec<String>)> {
    let rows: Vec<Vec<char>> = screen.lines().map(|line| line.chars().collect()).collect();
    let starts = ['┌', '╔'];
    for (y, row) in rows.iter().enumerate() {
        for x in (0..row.len()).filter(|x| starts.contains(&row[*x])) {
            let end = (x + 1..row.len()).find(|at| ['┐', '╗'].contains(&row[*at]))?;
            let said: String = row[x + 1..end].iter().collect();
            let said = said.trim_matches(['─', '═', ' ', '▶']).to_owned();
            if !said.starts_with(title) {
                continue;
            }
            let below = rows[y + 1..]
                .iter()
                .take_while(|row| row.get(x).is_some_and(|side| ['│', '║'].contains(side)));
            let text =
                |row: &Vec<char>| row.iter().skip(x + 1).take(end - x - 1).collect::<String>();
            return Some((said, below.map(text).collect()));
        }
    }
    None
}

/// The first disagreement between the panes of a screen about step, resource or selection.
fn first_disagreement(screen: &str) -> Option<String> {
    let (at, all) = step_and_count(screen);
    if at == 0 || at > all {
        return Some(format!("step {at} of {all}"));
    }
    // The row with the cursor is that of the current step.
    if let Some((_, rows)) = pane_rows(screen, "Steps") {
        let marked = rows.iter().find(|row| row.starts_with('▶'));
        let number = marked.map(|row| row[3..].split_whitespace().next().unwrap().to_owned());
        if number.as_deref().is_some_and(|number| number != at.to_string()) {
            return Some(format!("marked is {number:?}, time stands at {at}"));
        }
    }
    if let Some((said, _)) = pane_rows(screen, "Step ") {
        let number = said.trim_start_matches("Step ").split(' ').next().unwrap().to_owned();
        if number != at.to_string() {
            return Some(format!("what changed is of step {number}, time stands at {at}"));
        }
    }
    if let Some((said, _)) = pane_rows(screen, "Resources after step ") {
        let number = said.trim_start_matches("Resources after step ").to_owned();
        if number != at.to_string() {
            return Some(format!("the resources are of step {number}, time stands at {at}"));
        }
    }
    // A resource has the title of its kind, at the displayed time.
    let kinds =
        ["Deployment", "Service", "ConfigMap", "Secret", "StatefulSet", "Ingress", "CronJob"];
    for kind in kinds {
        let Some((said, rows)) = pane_rows(screen, &format!("{kind} ")) else { continue };
        if let Some(step) = said.split("after step ").nth(1) {
            let step: String = step.chars().take_while(char::is_ascii_digit).collect();
            if !said.contains('…') && step != at.to_string() {
                return Some(format!("{said}: time stands at {at}"));
            }
        }
        let line = rows.iter().find_map(|row| row.split("kind: ").nth(1));
        let line = line.and_then(|rest| rest.split_whitespace().next());
        if line.is_some_and(|shown| shown != kind && rows[0].contains("apiVersion")) {
            return Some(format!("{said} shows a {line:?}"));
        }
    }
    // The title of a diff matches the heading with the cursor.
    let marked = screen.lines().find_map(|line| {
        let heading = line.split("▶~ ").nth(1).or_else(|| line.split("▶+ ").nth(1))?;
        let mut words = heading.split_whitespace();
        Some(format!("{} {}", words.next()?, words.next()?))
    });
    if let Some(marked) = marked.filter(|marked| !marked.contains('…')) {
        // The middle of a long title is cut.
        let is_end = |end: &str| !end.is_empty() && marked.ends_with(end);
        let is_cut = |line: &str| {
            let ends = line.split('…').skip(1).filter_map(|rest| rest.split(' ').next());
            line.contains(" of ") && ends.into_iter().any(is_end)
        };
        let is_title = screen.lines().any(|line| {
            line.contains(&format!(" {marked} "))
                && [" of ", "… "].iter().any(|it| line.contains(it))
                || is_cut(line)
        });
        if !is_title {
            return Some(format!("the diff of {marked} has another title"));
        }
    }
    None
}

#[test]
fn panes_agree_after_each_of_sixty_inputs() {
    let tree = Tree::of_demo("shop");
    let mut terminal = Terminal::start(&[&tree.path("overlays/production")], 120, 36);
    terminal.wait_for_text("step 77/80");
    let mut done = String::new();
    for (number, act) in TERMINAL_INPUTS.iter().enumerate() {
        match act {
            Keys(keys) => {
                done.push_str(&format!(" {keys:?}"));
                terminal.type_text(keys);
            }
            Size(columns, rows) => {
                done.push_str(&format!(" {columns}x{rows}"));
                terminal.resize(*columns, *rows);
            }
        }
        let screen = terminal.wait_until_settled();
        // Trial builds leave no trace on the screen.
        let imitated = format!(" {} v", messages::BUILT_LIKE);
        assert!(!screen.contains(&imitated), "act {}:{done}\n{screen}", number + 1);
        assert_eq!(first_disagreement(&screen), None, "act {}:{done}\n{screen}", number + 1);
    }
    terminal.type_text(":q!\r");
    assert!(terminal.wait_for_end().success());
    terminal.assert_restored();
}
