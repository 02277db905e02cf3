//! One signal ends the program at any moment and leaves the terminal as it was.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::doubled_trees::doubling_tree;
use crate::support::{Terminal, Tree, program};

const SIGNALS: [(&str, i32); 3] = [("TERM", 15), ("HUP", 1), ("INT", 2)];

/// The number of tries for each signal. If `KZUI_SIGNALS` gives another number, the times that the
/// commands took to end are printed.
fn tries_per_signal() -> (usize, bool) {
    let told = std::env::var("KZUI_SIGNALS").ok().and_then(|text| text.parse().ok());
    (told.unwrap_or(20), told.is_some())
}

/// The time from the start of a try to its signal. In every fourth try it is within the first 20
/// ms.
fn signal_delay(number: usize, longest: u64) -> Duration {
    let micros = u64::try_from(number).unwrap() * 7_919_731 % 1_000_003;
    let within = if number.is_multiple_of(4) { 20 } else { longest };
    Duration::from_micros(micros * within * 1000 / 1_000_003)
}

fn print_durations(what: &str, mut took: Vec<Duration>) {
    took.sort();
    let late = took.iter().filter(|took| took.as_millis() > 100).count();
    let middle = took.get(took.len() / 2);
    eprintln!(
        "{what}: {} ends, {late} over 100 ms, middle {middle:?}, last {:?}",
        took.len(),
        took.last()
    );
}

#[test]
fn a_signal_at_any_moment_ends_the_workbench_and_restores_the_terminal() {
    let (tries, tells) = tries_per_signal();
    let trees = [Tree::of_demo("components"), doubling_tree("components", "Component", 13)];
    let paths = [trees[0].path("overlays/dev"), trees[1].path("top")];
    let mut took = Vec::new();
    for number in 0..tries {
        let (signal, _) = SIGNALS[number % 3];
        let mut terminal = Terminal::start(&[&paths[number % 2]], 120, 36);
        std::thread::sleep(signal_delay(number / 2, 900));
        if number % 3 == 1 {
            terminal.type_text("2j1jj?");
        }
        took.push(terminal.end_with_signal(signal));
        terminal.assert_restored();
    }
    if tells {
        print_durations("workbench", took);
    }
}

#[test]
fn a_signal_at_any_moment_ends_a_command() {
    let (tries, tells) = tries_per_signal();
    let tree = doubling_tree("components", "Component", 13);
    let commands = [["build", "top"], ["trace", "top"], ["check", "."], ["order", "top"]];
    let mut took = Vec::new();
    for number in 0..tries {
        let (name, signal) = SIGNALS[number % 3];
        let mut command = program(&tree.root());
        command.args(commands[number % 4]).current_dir(tree.root());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(signal_delay(number / 3, 2000));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
        let sent = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            assert!(sent.elapsed() < Duration::from_secs(60), "{:?} does not end", child.kill());
            std::thread::sleep(Duration::from_millis(1));
        };
        took.push(sent.elapsed());
        // The command may have ended just before the signal.
        assert!(status.signal() == Some(signal) || status.code().is_some(), "{status}");
    }
    if tells {
        print_durations("commands", took);
    }
}

/// A terminal with a full buffer keeps the loop busy as long as its output is not read.
fn busy_terminal(tree: &Tree) -> Terminal {
    let mut terminal = Terminal::start_with_full_buffer(&[&tree.path("overlays/dev")], 600, 400);
    terminal.wait_until_raw();
    // Wait until the first frame, which is larger than the buffer, has filled it.
    std::thread::sleep(Duration::from_millis(1500));
    terminal
}

#[test]
fn a_signal_ends_a_workbench_whose_loop_is_busy() {
    let tree = Tree::of_demo("components");
    for (signal, _) in SIGNALS {
        let mut terminal = busy_terminal(&tree);
        terminal.end_with_signal(signal);
        terminal.assert_modes_restored();
    }
}

#[test]
fn ctrl_c_twice_ends_a_workbench_whose_loop_is_busy() {
    let tree = Tree::of_demo("components");
    let mut terminal = busy_terminal(&tree);
    terminal.type_text("\u{3}");
    terminal.type_text("\u{3}");
    terminal.wait_for_end();
    terminal.assert_modes_restored();
}
