//! The user's config file and the terminal settings in the environment.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kzui::cli::ProfileSettings;
use kzui::host;
use kzui::tui::{ColorDepth, Icons, UserCommand, WorkbenchConfig};
use serde::Deserialize;

/// `config.toml` in the user's config folder. All fields are optional.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    like: Option<String>,
    /// The repositories whose `.kzui.toml` may enable helm.
    #[serde(default)]
    helm_repositories: Vec<PathBuf>,
    theme: Option<String>,
    mouse: Option<bool>,
    icons: Option<Icons>,
    #[serde(default)]
    keys: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    command: Vec<UserCommand>,
}

/// The path of the config file; `None` if the user has no home.
fn path() -> Option<PathBuf> {
    host::folders().map(|dirs| dirs.config_dir().join("config.toml"))
}

/// The config file, and its problem if it has one: an invalid file is reported and not used.
fn file() -> (File, Option<String>) {
    let Some(path) = path() else { return (File::default(), None) };
    let text = match host::read_settings(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return (File::default(), None);
        }
        Err(error) => return (File::default(), Some(error.to_string())),
    };
    match toml::from_str(&text) {
        Ok(file) => (file, None),
        Err(error) => (File::default(), Some(format!("{}: {}", path.display(), error.message()))),
    }
}

/// The version profile that the environment and the config file set, and the problem of the file.
pub(super) fn like() -> (ProfileSettings, Option<String>) {
    let environment = Some(variable("KZUI_LIKE")).filter(|name| !name.is_empty());
    let (file, note) = file();
    let canonical = |path: PathBuf| path.canonicalize().unwrap_or(path);
    let helm_repositories = file.helm_repositories.into_iter().map(canonical).collect();
    (ProfileSettings { environment, user: file.like, helm_repositories }, note)
}

/// The settings, and notes about the config file. An invalid file is reported and not used.
pub(super) fn settings(theme: Option<&str>) -> (WorkbenchConfig, Vec<String>) {
    let (file, note) = file();
    let unicode = if supports_unicode() { Icons::Unicode } else { Icons::Ascii };
    let chosen = theme.is_some() || file.theme.is_some() || is_set("COLORFGBG");
    let colors = color_depth();
    // The console of Linux prints the query for the background colour instead of answering it.
    let answers = colors != ColorDepth::Mono && variable("TERM") != "linux";
    let config = WorkbenchConfig {
        ask_background: !chosen && answers,
        theme: theme
            .map(str::to_owned)
            .or(file.theme)
            .unwrap_or_else(|| default_theme().to_owned()),
        mouse: file.mouse.unwrap_or(true),
        icons: file.icons.unwrap_or(unicode),
        colors,
        keys: file.keys,
        commands: file.command,
    };
    (config, note.into_iter().collect())
}

/// True for a variable that is set and not empty.
pub(super) fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// True if the environment requests the line-by-line workbench, or the terminal cannot show
/// screens.
pub(super) fn requests_line_mode(is_terminal: bool) -> bool {
    let asked = is_set("KZUI_LINEAR") && variable("KZUI_LINEAR") != "0";
    asked || is_terminal && variable("TERM") == "dumb"
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// Recognizes a light terminal by `COLORFGBG`, whose last number is the background.
fn default_theme() -> &'static str {
    let colors = variable("COLORFGBG");
    match colors.rsplit(';').next().and_then(|background| background.parse::<u8>().ok()) {
        Some(7 | 9..=15) => "light",
        _ => "dark",
    }
}

fn color_depth() -> ColorDepth {
    if is_set("NO_COLOR") || variable("TERM") == "dumb" {
        return ColorDepth::Mono;
    }
    if matches!(variable("COLORTERM").as_str(), "truecolor" | "24bit") {
        return ColorDepth::True;
    }
    if variable("TERM").contains("256") { ColorDepth::Ansi256 } else { ColorDepth::Ansi16 }
}

/// True if the locale is UTF-8 and the terminal can show more than ASCII.
fn supports_unicode() -> bool {
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().map(variable).find(|value| !value.is_empty());
    let is_utf8 =
        locale.is_none_or(|locale| locale.to_lowercase().replace('-', "").contains("utf8"));
    is_utf8 && !matches!(variable("TERM").as_str(), "linux" | "dumb")
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use serde_json::Value;

    use super::*;

    /// The fields of a struct, which serde lists for an unknown one.
    fn known_fields<T: DeserializeOwned>() -> Vec<String> {
        let error = toml::from_str::<T>("nameless = 1").err().unwrap();
        let (_, expected) = error.message().split_once("expected").unwrap();
        sorted(expected.split('`').skip(1).step_by(2).map(str::to_owned))
    }

    fn sorted(names: impl Iterator<Item = String>) -> Vec<String> {
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn schema_has_the_fields_of_the_file() {
        let schema = include_str!("../../assets/schemas/config.json");
        let schema: Value = serde_json::from_str(schema).unwrap();
        let fields = |place: &str| {
            let properties = schema.pointer(place).and_then(Value::as_object).unwrap();
            sorted(properties.keys().cloned())
        };
        assert_eq!(fields("/properties"), known_fields::<File>());
        assert_eq!(fields("/properties/command/items/properties"), known_fields::<UserCommand>());

        let named = schema.pointer("/properties/theme/enum").and_then(Value::as_array).unwrap();
        let named = sorted(named.iter().map(|name| name.as_str().unwrap().to_owned()));
        let themes = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/themes")).unwrap();
        let stem = |path: PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
        assert_eq!(named, sorted(themes.map(|file| stem(file.unwrap().path()))));
    }
}
