//! The one table of commands: keys, words and hints. Hints, help, palette and the book are made from
//! it.

mod table;

pub(crate) use table::{BINDINGS, Binding, Command, CommandGroup, FORMER_KEYS};

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyLookup {
    Command(Command),
    Prefix,
    Unknown,
}

/// The keys in force: the table, with the user's keys in place of the defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Keymap {
    by_keys: BTreeMap<String, Command>,
    by_command: BTreeMap<Command, Vec<String>>,
}

impl Keymap {
    /// The table with `overrides` in place of the default keys, and the problems of `overrides`.
    pub(crate) fn new(overrides: &BTreeMap<String, Vec<String>>) -> (Self, Vec<String>) {
        let mut problems: Vec<String> = overrides
            .keys()
            .filter(|name| BINDINGS.iter().all(|binding| binding.name != name.as_str()))
            .map(|name| format!("keys: unknown command `{name}`"))
            .collect();
        let mut keymap = Self { by_keys: BTreeMap::new(), by_command: BTreeMap::new() };
        for binding in BINDINGS {
            let defaults = || binding.keys.iter().map(|keys| (*keys).to_owned()).collect();
            let keys = overrides.get(binding.name).cloned().unwrap_or_else(defaults);
            for key in &keys {
                if let Some(other) = keymap.by_keys.insert(key.clone(), binding.command) {
                    let (other, this) = (name(other), binding.name);
                    problems.push(format!("keys: `{key}` is bound to both `{other}` and `{this}`"));
                }
            }
            keymap.by_command.insert(binding.command, keys);
        }
        (keymap, problems)
    }

    pub(crate) fn lookup(&self, keys: &str) -> KeyLookup {
        if let Some(command) = self.by_keys.get(keys) {
            return KeyLookup::Command(*command);
        }
        let is_prefix = !keys.starts_with(':') && !self.continuations(keys).is_empty();
        if is_prefix { KeyLookup::Prefix } else { KeyLookup::Unknown }
    }

    pub(crate) fn continuations(&self, prefix: &str) -> Vec<(&str, Command)> {
        let from = self.by_keys.range(prefix.to_owned()..);
        let longer = from.take_while(|(keys, _)| keys.starts_with(prefix));
        let longer = longer.filter(|(keys, _)| !is_named_key(keys));
        longer.map(|(keys, command)| (&keys[prefix.len()..], *command)).collect()
    }

    /// The command that a key had in the previous release; `None` if the key has another command
    /// now.
    pub(crate) fn former_command(&self, keys: &str) -> Option<Command> {
        let (_, command) = FORMER_KEYS.iter().find(|(key, _)| *key == keys)?;
        (self.lookup(keys) == KeyLookup::Unknown).then_some(*command)
    }

    pub(crate) fn first_key(&self, command: Command) -> &str {
        self.keys(command).first().map_or("", String::as_str)
    }

    /// The keys of a command; hints show the first one.
    pub(crate) fn keys(&self, command: Command) -> &[String] {
        self.by_command.get(&command).map_or(&[], Vec::as_slice)
    }
}

const NAMED_KEYS: [(KeyCode, &str); 15] = [
    (KeyCode::Char(' '), "space"),
    (KeyCode::Enter, "enter"),
    (KeyCode::Esc, "esc"),
    (KeyCode::Tab, "tab"),
    (KeyCode::BackTab, "backtab"),
    (KeyCode::Backspace, "backspace"),
    (KeyCode::Delete, "delete"),
    (KeyCode::Up, "up"),
    (KeyCode::Down, "down"),
    (KeyCode::Left, "left"),
    (KeyCode::Right, "right"),
    (KeyCode::Home, "home"),
    (KeyCode::End, "end"),
    (KeyCode::PageUp, "pageup"),
    (KeyCode::PageDown, "pagedown"),
];

/// True for the name of one key, such as `space` or `ctrl-d`.
fn is_named_key(keys: &str) -> bool {
    NAMED_KEYS.iter().any(|(_, name)| *name == keys)
        || keys.starts_with("ctrl-")
        || keys.starts_with("alt-")
        || keys.strip_prefix('f').is_some_and(|number| number.parse::<u8>().is_ok())
}

impl Command {
    pub(crate) fn row(self) -> Option<&'static Binding> {
        BINDINGS.iter().find(|row| row.command == self)
    }

    pub(crate) fn argument_description(self) -> Option<&'static str> {
        self.row().and_then(|row| row.argument)
    }
}

pub(crate) fn name(command: Command) -> &'static str {
    command.row().map_or("", |row| row.name)
}

/// A key as the table spells it: `j`, `ctrl-d`, `alt-down`, `space`. `None` for keys without a
/// name.
pub(crate) fn spell(key: KeyEvent) -> Option<String> {
    let named = NAMED_KEYS.iter().find(|(code, _)| *code == key.code);
    let named = match (named, key.code) {
        (Some((_, name)), _) => (*name).to_owned(),
        (None, KeyCode::Char(c)) => c.to_string(),
        (None, KeyCode::F(number)) => format!("f{number}"),
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

/// The table as Markdown, for the book.
pub fn keys_as_markdown() -> String {
    // Writing to a string cannot fail.
    let mut out = String::from(" | key | effect |\n|---|---|\n");
    for (group, title) in CommandGroup::ALL {
        let _ = writeln!(out, "| | **{title}** |");
        for row in BINDINGS.iter().filter(|row| row.group == group) {
            let keys: Vec<String> = row.keys.iter().map(|key| format!("`{key}`")).collect();
            let _ = writeln!(out, "| {} | {} |", keys.join(" "), row.words);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_share_no_key_and_no_name() {
        let (_, problems) = Keymap::new(&BTreeMap::new());
        assert_eq!(problems, Vec::<String>::new());
        let mut names: Vec<_> = BINDINGS.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), BINDINGS.len());
    }

    #[test]
    fn no_key_is_the_beginning_of_a_longer_one() {
        let (keymap, _) = Keymap::new(&BTreeMap::new());
        for keys in keymap.by_keys.keys().filter(|keys| !keys.starts_with(':')) {
            // `up` is one key, not a sequence of two.
            for other in keymap.by_keys.keys().filter(|other| other.len() == 2 && *other != "up") {
                assert!(
                    keys == other || !other.starts_with(keys.as_str()) || keys == ":",
                    "{keys} {other}"
                );
            }
        }
    }

    #[test]
    fn user_keys_replace_defaults_and_conflicts_are_reported() {
        let keys = BTreeMap::from([
            ("toggle".to_owned(), vec!["&".to_owned()]),
            ("undo".to_owned(), vec!["&".to_owned()]),
            ("fly".to_owned(), vec!["f".to_owned()]),
        ]);
        let (keymap, problems) = Keymap::new(&keys);
        assert_eq!(keymap.lookup("space"), KeyLookup::Unknown);
        assert_eq!(problems.len(), 2);
        for name in ["`&`", "`toggle`", "`undo`"] {
            assert!(problems[1].contains(name), "{name}: {problems:?}");
        }
    }
}
