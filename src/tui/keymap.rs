//! The one table of commands: keys, words and where they are hinted at. Hints, help, palette and README read it.

use std::collections::BTreeMap;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::model::Screen;

/// Everything that a key or the palette can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Command {
    /// Moves down.
    Down,
    /// Moves up.
    Up,
    /// To the first row.
    Top,
    /// To the last row.
    Bottom,
    /// Half a page down.
    HalfPageDown,
    /// Half a page up.
    HalfPageUp,
    /// Opens what is selected.
    Open,
    /// Back out of what is open.
    Back,
    /// To the next pane.
    NextPane,
    /// To the previous pane.
    PreviousPane,
    /// Shows a screen.
    Show(Screen),
    /// One step on in time.
    StepForward,
    /// One step back in time.
    StepBack,
    /// To the next step that changed something.
    NextEffective,
    /// To the previous one.
    PreviousEffective,
    /// To the first step.
    FirstStep,
    /// To the last step.
    LastStep,
    /// To the next change of the diff.
    NextChange,
    /// To the previous one.
    PreviousChange,
    /// To the next resource.
    NextResource,
    /// To the previous one.
    PreviousResource,
    /// To the next problem.
    NextProblem,
    /// To the previous one.
    PreviousProblem,
    /// To the step that wrote the field under the cursor.
    GoToWriter,
    /// Back to where the last jump began.
    JumpBack,
    /// Forward again.
    JumpForward,
    /// Switches what is selected off or on.
    Toggle,
    /// Moves an entry down in its list.
    MoveDown,
    /// Moves an entry up in its list.
    MoveUp,
    /// Takes the last edit back.
    Undo,
    /// Does it again.
    Redo,
    /// Shows the draft against the files and asks.
    Write,
    /// Throws the draft away.
    Discard,
    /// Opens the user's editor.
    Edit,
    /// Opens the small editor inside.
    EditHere,
    /// Says why a step had no effect, or failed.
    Why,
    /// Copies something.
    Yank,
    /// Searches in the pane.
    Search,
    /// To the next match.
    NextMatch,
    /// To the previous match.
    PreviousMatch,
    /// Opens the palette.
    Palette,
    /// Opens the help.
    Help,
    /// Only steps that changed something.
    EffectiveOnly,
    /// Only steps that touched the selected resource.
    OnlyResource,
    /// Only steps of the layer of this step.
    OnlyLayer,
    /// What the diff compares.
    Compare,
    /// One below the other, or side by side.
    SplitDiff,
    /// More lines around changes.
    MoreContext,
    /// Fewer.
    LessContext,
    /// The pane alone, or all of them.
    Zoom,
    /// The next theme.
    NextTheme,
    /// Captures the mouse or lets it go.
    ToggleMouse,
    /// Reads the files again and builds.
    Rebuild,
    /// Draws everything again.
    Redraw,
    /// Cancels what runs.
    Cancel,
    /// Suspends the process.
    Suspend,
    /// Quits, if nothing would be lost.
    Quit,
    /// Quits and throws the draft away.
    QuitAnyway,
}

/// Commands that belong together in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Group {
    /// Rows, panes, screens.
    Move,
    /// The cursor in time.
    Time,
    /// Toggles, moves, writes.
    Draft,
    /// Search, jumps, palette.
    Find,
    /// How things are shown.
    Show,
    /// The program.
    Program,
}

impl Group {
    /// The groups in the order of the help, with their titles.
    pub(in crate::tui) const ALL: [(Self, &'static str); 6] = [
        (Self::Move, "Move"),
        (Self::Time, "Time"),
        (Self::Draft, "Draft"),
        (Self::Find, "Find"),
        (Self::Show, "Show"),
        (Self::Program, "Program"),
    ];
}

/// One row of the table.
#[derive(Debug)]
pub(in crate::tui) struct Binding {
    /// What it does.
    pub command: Command,
    /// Its name in the config file and the palette.
    pub name: &'static str,
    /// Its keys; the first is the one that is shown.
    pub keys: &'static [&'static str],
    /// One word for the hints; empty for no hint.
    pub hint: &'static str,
    /// What it does, for help and palette.
    pub words: &'static str,
    /// Where it belongs.
    pub group: Group,
    /// The screens on which it is hinted at.
    pub screens: &'static [Screen],
}

const fn row(
    command: Command,
    name: &'static str,
    keys: &'static [&'static str],
    hint: &'static str,
    words: &'static str,
    group: Group,
    screens: &'static [Screen],
) -> Binding {
    Binding { command, name, keys, hint, words, group, screens }
}

use Command as C;
use Group as G;
use Screen::{Components, Diff, Problems, Resource, Steps, Tree};

const ALL: &[Screen] = &[Tree, Steps, Diff, Resource, Components, Problems];
const NONE: &[Screen] = &[];
const DRAFT: &[Screen] = &[Tree, Components];

/// The table. Hints are shown in its order.
#[rustfmt::skip]
pub(in crate::tui) static BINDINGS: &[Binding] = &[
    row(C::Open, "open", &["enter", "l", "right"], "open", "open what is selected", G::Move, &[Tree, Steps, Diff, Resource, Problems]),
    row(C::Toggle, "toggle", &["space"], "toggle", "switch an entry off or on in the draft", G::Draft, DRAFT),
    row(C::MoveDown, "move-down", &["J", "alt-down"], "move", "move an entry down in its list", G::Draft, DRAFT),
    row(C::MoveUp, "move-up", &["K", "alt-up"], "", "move an entry up in its list", G::Draft, NONE),
    row(C::StepForward, "step-forward", &[")"], "step on", "one step on in time", G::Time, &[Steps, Diff, Resource]),
    row(C::StepBack, "step-back", &["("], "step back", "one step back in time", G::Time, &[Steps, Diff, Resource]),
    row(C::NextEffective, "next-effective", &["c"], "next effect", "to the next step that changed something", G::Time, &[Steps]),
    row(C::PreviousEffective, "previous-effective", &["C"], "", "to the previous step that changed something", G::Time, NONE),
    row(C::FirstStep, "first-step", &["<"], "", "to the first step", G::Time, NONE),
    row(C::LastStep, "last-step", &[">"], "", "to the last step", G::Time, NONE),
    row(C::EffectiveOnly, "effective-only", &["x"], "effective only", "only steps that changed something, or all", G::Time, &[Steps]),
    row(C::OnlyResource, "only-resource", &["r"], "this resource", "only steps that touched the selected resource, or all", G::Time, &[Steps, Resource]),
    row(C::OnlyLayer, "only-layer", &["L"], "this layer", "only steps of the layer of this step, or all", G::Time, &[Steps]),
    row(C::Compare, "compare", &["d"], "compare", "the step, the output of the draft, or the files of the draft", G::Show, &[Diff]),
    row(C::SplitDiff, "split-diff", &["s"], "split", "diff side by side or unified", G::Show, &[Diff]),
    row(C::MoreContext, "more-context", &["}"], "context", "more lines around changes", G::Show, &[Diff]),
    row(C::LessContext, "less-context", &["{"], "", "fewer lines around changes", G::Show, NONE),
    row(C::NextChange, "next-change", &["]c"], "change", "to the next change in the diff", G::Find, &[Diff]),
    row(C::PreviousChange, "previous-change", &["[c"], "", "to the previous change in the diff", G::Find, NONE),
    row(C::NextResource, "next-resource", &["]r"], "resource", "to the next resource", G::Find, &[Diff, Resource]),
    row(C::PreviousResource, "previous-resource", &["[r"], "", "to the previous resource", G::Find, NONE),
    row(C::GoToWriter, "go-to-writer", &["gw"], "writer", "to the step that wrote the field under the cursor", G::Find, &[Resource]),
    row(C::Edit, "edit", &["e"], "edit", "open $EDITOR at the line", G::Draft, &[Tree, Steps, Resource, Problems, Components]),
    row(C::EditHere, "edit-here", &["E", "ctrl-e"], "", "edit the file here, with the diff updating as you type", G::Draft, NONE),
    row(C::Why, "why", &["w"], "why", "why this step had no effect, or failed", G::Find, &[Tree, Steps]),
    row(C::Undo, "undo", &["z"], "undo", "take the last edit back", G::Draft, DRAFT),
    row(C::Redo, "redo", &["Z"], "", "do the last undone edit again", G::Draft, NONE),
    row(C::Write, "write", &[":w"], "write", "show the draft against the files, ask, and write", G::Draft, DRAFT),
    row(C::Discard, "discard", &[":discard"], "", "throw the draft away", G::Draft, NONE),
    row(C::Search, "search", &["/"], "search", "search in this pane", G::Find, &[Tree, Steps, Resource, Problems]),
    row(C::NextMatch, "next-match", &["n"], "", "to the next match", G::Find, NONE),
    row(C::PreviousMatch, "previous-match", &["N"], "", "to the previous match", G::Find, NONE),
    row(C::Yank, "yank", &["y"], "copy", "copy a value, a path, a place, or a resource", G::Find, &[Resource, Diff]),
    row(C::Palette, "palette", &[":", "ctrl-p"], "palette", "find any command, step, resource, or problem", G::Find, ALL),
    row(C::Help, "help", &["?"], "help", "every key", G::Program, ALL),
    row(C::Quit, "quit", &["q", ":q"], "quit", "back out, then quit", G::Program, ALL),
    row(C::QuitAnyway, "quit-anyway", &[":q!"], "", "quit and throw the draft away", G::Program, NONE),
    row(C::Down, "down", &["j", "down"], "", "down; with a count, that many rows", G::Move, NONE),
    row(C::Up, "up", &["k", "up"], "", "up", G::Move, NONE),
    row(C::Top, "top", &["gg", "home"], "", "to the first row; with a count, to that row", G::Move, NONE),
    row(C::Bottom, "bottom", &["G", "end"], "", "to the last row; with a count, to that row", G::Move, NONE),
    row(C::HalfPageDown, "half-page-down", &["ctrl-d", "pagedown"], "", "half a page down", G::Move, NONE),
    row(C::HalfPageUp, "half-page-up", &["ctrl-u", "pageup"], "", "half a page up", G::Move, NONE),
    row(C::Back, "back", &["esc", "h", "left"], "", "back out of what is open", G::Move, NONE),
    row(C::NextPane, "next-pane", &["tab"], "", "to the next pane", G::Move, NONE),
    row(C::PreviousPane, "previous-pane", &["backtab"], "", "to the previous pane", G::Move, NONE),
    row(C::Show(Tree), "tree", &["1", ":tree"], "", "what the build is made of, and what each part did", G::Move, NONE),
    row(C::Show(Steps), "steps", &["2", ":steps"], "", "every step of the build", G::Move, NONE),
    row(C::Show(Diff), "diff", &["3", ":diff"], "", "what a step, or the draft, changes", G::Move, NONE),
    row(C::Show(Resource), "resource", &["4", ":resource"], "", "a resource, and who wrote each line", G::Move, NONE),
    row(C::Show(Components), "components", &["5", ":components"], "", "components, listed or not", G::Move, NONE),
    row(C::Show(Problems), "problems", &["9", ":problems"], "", "errors, warnings, and steps without effect", G::Move, NONE),
    row(C::NextProblem, "next-problem", &["]p"], "next", "to the next problem", G::Find, &[Problems]),
    row(C::PreviousProblem, "previous-problem", &["[p"], "", "to the previous problem", G::Find, NONE),
    row(C::JumpBack, "jump-back", &["ctrl-o"], "", "back to where the last jump began", G::Find, NONE),
    row(C::JumpForward, "jump-forward", &["alt-o"], "", "forward again", G::Find, NONE),
    row(C::Zoom, "zoom", &["+", "_"], "", "this pane alone, or all of them", G::Show, NONE),
    row(C::NextTheme, "next-theme", &[":theme"], "", "the next theme; `:theme NAME` for one of them", G::Show, NONE),
    row(C::ToggleMouse, "mouse", &[":mouse"], "", "capture the mouse or let it go; `:mouse on`, `:mouse off`", G::Show, NONE),
    row(C::Rebuild, "rebuild", &["R"], "", "read the files again and build", G::Program, NONE),
    row(C::Redraw, "redraw", &["ctrl-l"], "", "draw everything again", G::Program, NONE),
    row(C::Cancel, "cancel", &["ctrl-c"], "", "cancel the running build; twice: quit", G::Program, NONE),
    row(C::Suspend, "suspend", &["ctrl-z"], "", "suspend; `fg` comes back", G::Program, NONE),
];

/// What a sequence of keys means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Lookup {
    /// A command.
    Command(Command),
    /// The beginning of longer sequences.
    Prefix,
    /// Nothing.
    Unknown,
}

/// The keys in force: the table, with the user's keys in place of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::tui) struct Keymap {
    by_keys: BTreeMap<String, Command>,
    by_command: BTreeMap<Command, Vec<String>>,
}

impl Keymap {
    /// The table with these keys in place of its own, and what is wrong with them.
    pub(in crate::tui) fn new(overrides: &BTreeMap<String, Vec<String>>) -> (Self, Vec<String>) {
        let mut problems: Vec<String> = overrides
            .keys()
            .filter(|name| BINDINGS.iter().all(|binding| binding.name != name.as_str()))
            .map(|name| format!("keys: there is no command `{name}`"))
            .collect();
        let mut keymap = Self { by_keys: BTreeMap::new(), by_command: BTreeMap::new() };
        for binding in BINDINGS {
            let keys = overrides
                .get(binding.name)
                .cloned()
                .unwrap_or_else(|| binding.keys.iter().map(|keys| (*keys).to_owned()).collect());
            for key in &keys {
                if let Some(other) = keymap.by_keys.insert(key.clone(), binding.command) {
                    problems.push(format!(
                        "keys: `{key}` is given to `{}` and to `{}`",
                        name(other),
                        binding.name
                    ));
                }
            }
            keymap.by_command.insert(binding.command, keys);
        }
        (keymap, problems)
    }

    /// What these keys, one after another, mean.
    pub(in crate::tui) fn lookup(&self, keys: &str) -> Lookup {
        if let Some(command) = self.by_keys.get(keys) {
            return Lookup::Command(*command);
        }
        let longer = self.by_keys.range(keys.to_owned()..).next();
        match longer {
            Some((sequence, _)) if sequence.starts_with(keys) && !keys.starts_with(':') => {
                Lookup::Prefix
            }
            _ => Lookup::Unknown,
        }
    }

    /// The keys of a command, the one to show first.
    pub(in crate::tui) fn keys(&self, command: Command) -> &[String] {
        self.by_command.get(&command).map_or(&[], Vec::as_slice)
    }
}

/// The name of a command.
pub(in crate::tui) fn name(command: Command) -> &'static str {
    BINDINGS.iter().find(|row| row.command == command).map_or("", |row| row.name)
}

/// A key as the table spells it: `j`, `ctrl-d`, `alt-down`, `space`. `None` for keys that nothing is bound to.
pub(in crate::tui) fn spell(key: KeyEvent) -> Option<String> {
    let named = match key.code {
        KeyCode::Char(' ') => "space".to_owned(),
        KeyCode::Char(c) => c.to_string(),
        KeyCode::Enter => "enter".to_owned(),
        KeyCode::Esc => "esc".to_owned(),
        KeyCode::Tab => "tab".to_owned(),
        KeyCode::BackTab => "backtab".to_owned(),
        KeyCode::Backspace => "backspace".to_owned(),
        KeyCode::Delete => "delete".to_owned(),
        KeyCode::Up => "up".to_owned(),
        KeyCode::Down => "down".to_owned(),
        KeyCode::Left => "left".to_owned(),
        KeyCode::Right => "right".to_owned(),
        KeyCode::Home => "home".to_owned(),
        KeyCode::End => "end".to_owned(),
        KeyCode::PageUp => "pageup".to_owned(),
        KeyCode::PageDown => "pagedown".to_owned(),
        KeyCode::F(number) => format!("f{number}"),
        _ => return None,
    };
    let mut spelled = String::new();
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        spelled.push_str("ctrl-");
    }
    if key.modifiers.contains(KeyModifiers::ALT) {
        spelled.push_str("alt-");
    }
    spelled.push_str(&named);
    Some(spelled)
}

/// The table as Markdown, for the README.
pub fn keys_as_markdown() -> String {
    let mut out = String::from("| key | what it does |\n|---|---|\n");
    for (group, title) in Group::ALL {
        out.push_str(&format!("| | **{title}** |\n"));
        for row in BINDINGS.iter().filter(|row| row.group == group) {
            let keys: Vec<String> = row.keys.iter().map(|key| format!("`{key}`")).collect();
            out.push_str(&format!("| {} | {} |\n", keys.join(" "), row.words));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_share_a_key_or_a_name() {
        let (_, problems) = Keymap::new(&BTreeMap::new());
        assert_eq!(problems, Vec::<String>::new());
        let mut names: Vec<_> = BINDINGS.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), BINDINGS.len());
    }

    #[test]
    fn no_key_hides_a_longer_one() {
        let (keymap, _) = Keymap::new(&BTreeMap::new());
        for keys in keymap.by_keys.keys().filter(|keys| !keys.starts_with(':')) {
            for other in keymap.by_keys.keys().filter(|other| other.len() == 2) {
                assert!(
                    keys == other || !other.starts_with(keys.as_str()) || keys == ":",
                    "{keys} {other}"
                );
            }
        }
    }

    #[test]
    fn the_users_keys_replace_and_conflicts_are_told() {
        let keys = BTreeMap::from([
            ("toggle".to_owned(), vec!["t".to_owned()]),
            ("undo".to_owned(), vec!["t".to_owned()]),
            ("fly".to_owned(), vec!["f".to_owned()]),
        ]);
        let (keymap, problems) = Keymap::new(&keys);
        assert_eq!(keymap.lookup("space"), Lookup::Unknown);
        assert_eq!(problems.len(), 2);
        assert!(problems[1].contains("`t` is given to `toggle` and to `undo`"), "{problems:?}");
    }
}
