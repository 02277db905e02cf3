//! The palette: its items and their matches. Enter runs the marked item.

use nucleo_matcher::Config;
use nucleo_matcher::pattern::CaseMatching;

use super::super::keymap::Command;
use super::super::text::{FuzzyMatcher, LineInput};
use super::{ResourceKey, RowKey};

pub(crate) struct PaletteState {
    pub input: LineInput,
    /// All items; the last one may be the typed argument of a command.
    pub items: Vec<PaletteItem>,
    /// The number of items before the item for a typed argument was added.
    pub fixed: usize,
    /// The matching items, the best first.
    pub matches: Vec<usize>,
    pub selected: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PaletteItem {
    pub label: String,
    /// Further names of the item, such as `w`, `Deployment/web`, `web`.
    pub names: Vec<String>,
    pub detail: String,
    /// The command of which the item is an argument; such an item is offered only after the command
    /// was typed.
    pub behind: Option<&'static str>,
    pub keys: String,
    /// The reason why the item cannot be chosen now.
    pub disabled: Option<&'static str>,
    pub action: PaletteAction,
    /// True for a typed argument that is not in the list of its command.
    pub is_guess: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum PaletteAction {
    #[default]
    Nothing,
    Command(Command),
    With(Command, String),
    Step(usize),
    Resource(ResourceKey),
    Problem(usize),
    Row(RowKey),
    UserCommand(usize),
}

impl PaletteAction {
    fn is_command(&self) -> bool {
        matches!(self, Self::Command(_) | Self::With(..) | Self::UserCommand(_))
    }
}

impl PaletteState {
    pub(crate) fn new(items: Vec<PaletteItem>, text: &str) -> Self {
        let fixed = items.len();
        let input = LineInput::new(text);
        let mut state = Self { input, items, fixed, matches: Vec::new(), selected: 0 };
        state.find();
        state
    }

    pub(crate) fn marked(&self) -> Option<&PaletteItem> {
        self.matches.get(self.selected).and_then(|item| self.items.get(*item))
    }

    pub(crate) fn find(&mut self) {
        self.selected = 0;
        self.items.truncate(self.fixed);
        let typed = self.input.text().trim().to_owned();
        self.items.extend(item_with_argument(&self.items, &typed));
        let second = second_arguments(&self.items[..self.fixed], self.input.text().trim_start());
        self.items.extend(second);
        let command = self.input.text().trim_start().split_once(' ').map(|(name, _)| name);
        let is_offered = |item: &PaletteItem| item.behind.is_none() || item.behind == command;
        self.matches = rank_matches(&self.items, &typed);
        self.matches.retain(|index| self.items.get(*index).is_some_and(is_offered));
        // A typed argument is completed by its beginning only.
        let with = command.and_then(|name| self.with_arguments(name));
        if let Some(with) = with {
            let lower = typed.to_lowercase();
            let begins = |item: &PaletteItem| match item.action {
                PaletteAction::With(command, _) => {
                    let mut names = item.names.iter().chain([&item.label]);
                    command == with
                        && (item.is_guess
                            || names.any(|name| name.to_lowercase().starts_with(&lower)))
                }
                PaletteAction::Command(command) => command == with && !typed.contains(' '),
                _ => false,
            };
            self.matches.retain(|index| self.items.get(*index).is_some_and(begins));
        }
    }

    /// True if the typed command has the name of a target as its argument.
    pub(crate) fn takes_target(&self) -> bool {
        let typed = self.input.text().trim_start().split_once(' ');
        let command = typed.and_then(|(name, _)| self.with_arguments(name));
        matches!(command, Some(Command::GoTo(_) | Command::CompareSides))
    }

    fn with_arguments(&self, name: &str) -> Option<Command> {
        with_arguments(&self.items, name).map(|(_, command, _)| command)
    }

    /// Completes the text to the marked item, or to the next one if the marked one is a command with
    /// the typed argument; to the name of a command with arguments and a space.
    pub(crate) fn complete(&mut self) {
        let typed = self.input.text().trim();
        let has_space = self.input.text().ends_with(' ');
        let is_typed = |it: &PaletteItem| match it.action {
            PaletteAction::With(..) => it.label == typed,
            PaletteAction::Command(_) => has_space,
            _ => false,
        };
        let items = self.matches.iter().skip(self.selected).filter_map(|at| self.items.get(*at));
        let Some(item) = items.into_iter().find(|item| !is_typed(item)) else { return };
        let text = match item.action {
            PaletteAction::Command(command) if command.argument_description().is_some() => {
                let mut names = item.names.iter().filter(|name| !name.contains(' '));
                let begins = names.clone().filter(|name| name.starts_with(typed));
                let name = begins.min_by_key(|it| it.len()).or_else(|| names.next_back());
                name.map_or_else(String::new, |name| format!("{name} "))
            }
            _ => item.label.clone(),
        };
        self.input.set(text);
        self.find();
    }
}

fn with_arguments<'i>(
    items: &'i [PaletteItem],
    name: &str,
) -> Option<(&'i PaletteItem, Command, &'static str)> {
    items.iter().filter(|item| item.is_called(name)).find_map(|item| match item.action {
        PaletteAction::Command(command) => Some((item, command, command.argument_description()?)),
        _ => None,
    })
}

/// The items for the second side of a comparison, once the first is typed.
fn second_arguments(items: &[PaletteItem], typed: &str) -> Vec<PaletteItem> {
    let mut words = typed.split(' ');
    let (Some("compare"), Some(first), Some(_), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Vec::new();
    };
    let second = items.iter().filter_map(|item| match &item.action {
        PaletteAction::With(Command::CompareSides, side) if side != first => {
            let argument = format!("{first} {side}");
            Some(PaletteItem {
                label: format!("compare {argument}"),
                names: Vec::new(),
                action: PaletteAction::With(Command::CompareSides, argument),
                ..item.clone()
            })
        }
        _ => None,
    });
    second.collect()
}

/// The item for a typed command with an argument; `None` if the list already contains that item.
fn item_with_argument(items: &[PaletteItem], typed: &str) -> Option<PaletteItem> {
    let (name, argument) = typed.split_once(' ')?;
    let argument = argument.trim();
    let (item, command, takes) = with_arguments(items, name)?;
    let label = format!("{name} {argument}");
    if argument.is_empty() || items.iter().any(|item| item.is_called(&label)) {
        return None;
    }
    Some(PaletteItem {
        label,
        detail: format!("{takes}: {}", item.detail),
        disabled: item.disabled,
        action: PaletteAction::With(command, argument.to_owned()),
        is_guess: command.row().is_none_or(|row| !row.takes_text),
        ..PaletteItem::default()
    })
}

impl PaletteItem {
    /// True if the text equals the item's label, in any case, or one of its other names exactly.
    fn is_called(&self, typed: &str) -> bool {
        self.label.eq_ignore_ascii_case(typed) || self.names.iter().any(|name| name == typed)
    }
}

/// The quality of a match, best first: the exact name, its beginning, the beginning of a word, a
/// part of the name, similar letters, a part of the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MatchQuality {
    ExactName,
    NamePrefix,
    WordPrefix,
    NamePart,
    SimilarLetters,
    DescriptionPart,
}

/// The matches of the typed text, the best first. Unavailable items come last, unless the name is
/// exact.
fn rank_matches(items: &[PaletteItem], typed: &str) -> Vec<usize> {
    let mut found: Vec<(MatchQuality, bool, bool, usize, usize)> = Vec::new();
    let three_quarters = |itself: Option<u32>| itself.unwrap_or(u32::MAX / 4) * 3 / 4;
    let mut nearly =
        FuzzyMatcher::new(typed, (Config::DEFAULT, CaseMatching::Ignore), three_quarters);
    for (index, item) in items.iter().enumerate() {
        let Some(fit) = match_quality(item, typed, &mut nearly) else { continue };
        let off = item.disabled.is_some() && (fit != MatchQuality::ExactName || typed.is_empty());
        let length = if typed.is_empty() { 0 } else { item.label.chars().count() };
        found.push((fit, off, !item.action.is_command(), length, index));
    }
    found.sort_by_key(|(fit, off, thing, length, index)| (*off, *fit, *thing, *length, *index));
    found.into_iter().map(|(.., index)| index).collect()
}

fn match_quality(
    item: &PaletteItem,
    typed: &str,
    nearly: &mut FuzzyMatcher,
) -> Option<MatchQuality> {
    if item.is_guess {
        // A free argument comes after the listed arguments.
        return Some(MatchQuality::DescriptionPart);
    }
    if typed.is_empty() || item.is_called(typed) {
        return Some(MatchQuality::ExactName);
    }
    let lower = typed.to_lowercase();
    let label = item.label.to_lowercase();
    let names = || item.names.iter().map(|name| name.to_lowercase());
    if label.starts_with(&lower) || names().any(|name| name.starts_with(&lower)) {
        return Some(MatchQuality::NamePrefix);
    }
    let begins_word = |word: &str| {
        label.match_indices(word).any(|(at, _)| !label[..at].ends_with(char::is_alphanumeric))
    };
    let words = || lower.split_whitespace();
    if words().all(begins_word) {
        return Some(MatchQuality::WordPrefix);
    }
    if words().all(|word| label.contains(word)) {
        return Some(MatchQuality::NamePart);
    }
    // The messages of problems contain the letters of nearly every word.
    let is_message = matches!(item.action, PaletteAction::Problem(_));
    if !is_message && nearly.matches(&item.label) {
        return Some(MatchQuality::SimilarLetters);
    }
    let text = format!("{label} {}", item.detail.to_lowercase());
    words().all(|word| text.contains(word)).then_some(MatchQuality::DescriptionPart)
}

#[cfg(test)]
mod tests {
    use super::super::super::keymap::BINDINGS;
    use super::super::super::model::Screen;
    use super::*;

    fn items() -> Vec<PaletteItem> {
        let commands = BINDINGS.iter().map(|row| PaletteItem {
            label: row.name.replace('-', " "),
            names: row.names(row.keys.iter().copied()),
            detail: row.words.to_owned(),
            disabled: (row.command == Command::Discard).then_some("no draft"),
            action: PaletteAction::Command(row.command),
            ..PaletteItem::default()
        });
        let named = |label: &str, names: &[&str], action| PaletteItem {
            label: label.to_owned(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            action,
            ..PaletteItem::default()
        };
        let others = [
            named(
                "KZ101 nothing in Deployment web, which write undoes",
                &[],
                PaletteAction::Problem(0),
            ),
            named(
                "Deployment web-admin",
                &["Deployment/web-admin", "web-admin"],
                PaletteAction::Nothing,
            ),
            named("Deployment web", &["Deployment/web", "web"], PaletteAction::Nothing),
            named("step 14: patches web.yaml", &["14"], PaletteAction::Step(13)),
            PaletteItem {
                behind: Some("like"),
                ..named("like v5.6.0", &[], PaletteAction::With(Command::Like, "v5.6.0".to_owned()))
            },
            named("theme light", &[], PaletteAction::With(Command::NextTheme, "light".to_owned())),
        ];
        commands.chain(others).collect()
    }

    fn marked(typed: &str) -> Option<PaletteItem> {
        PaletteState::new(items(), typed).marked().cloned()
    }

    #[test]
    fn typed_text_selects_the_intended_item() {
        let command = |command| Some(PaletteAction::Command(command));
        let table = [
            ("w", command(Command::Write)),
            ("write", command(Command::Write)),
            ("wq", command(Command::WriteQuit)),
            ("x", command(Command::WriteQuit)),
            ("q", command(Command::Quit)),
            ("quit", command(Command::Quit)),
            ("q!", command(Command::QuitAnyway)),
            ("e", command(Command::Edit)),
            ("edit", command(Command::Edit)),
            ("diff", command(Command::Show(Screen::Diff))),
            ("undo", command(Command::Undo)),
            ("discard", command(Command::Discard)),
            ("theme", command(Command::NextTheme)),
            ("theme light", Some(PaletteAction::With(Command::NextTheme, "light".to_owned()))),
            ("theme lig", Some(PaletteAction::With(Command::NextTheme, "light".to_owned()))),
            ("like v5.6", Some(PaletteAction::With(Command::Like, "v5.6.0".to_owned()))),
            ("v5.6.0", command(Command::Like)),
            ("like v9", Some(PaletteAction::With(Command::Like, "v9".to_owned()))),
            ("like 6", Some(PaletteAction::With(Command::Like, "6".to_owned()))),
            ("theme no", Some(PaletteAction::With(Command::NextTheme, "no".to_owned()))),
            ("catalog ./c", Some(PaletteAction::With(Command::AddCatalog, "./c".to_owned()))),
            ("14", Some(PaletteAction::Step(13))),
            ("foo", None),
            ("wqa", None),
            ("xyzzy", None),
        ];
        for (typed, expected) in table {
            assert_eq!(marked(typed).map(|item| item.action), expected, "{typed}");
        }
        for typed in ["Deployment w", "Deployment web", "deployment/web", "web"] {
            let label = marked(typed).map(|item| item.label);
            assert_eq!(label.as_deref(), Some("Deployment web"), "{typed}");
        }
    }
}
