//! Maps roles to styles. Themes are data in `themes`; widgets only name roles.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, ParseColorError, Style};
use serde::Deserialize;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorDepth {
    /// None (`NO_COLOR`): bold, underline and reverse only.
    Mono,
    /// The 16 colours of the terminal's palette.
    Ansi16,
    Ansi256,
    /// 24-bit colours.
    #[default]
    True,
}

/// The parts with a style, by their names in theme files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StyleRole {
    Text,
    /// Text of less importance.
    Dim,
    Title,
    Tab,
    Border,
    /// Lines and title of the pane with the focus.
    Focus,
    Selected,
    SelectedElsewhere,
    Added,
    Removed,
    Modified,
    AddedWord,
    /// The removed part of a changed line.
    RemovedWord,
    Ok,
    Warning,
    Error,
    Draft,
    // These colour files of other languages too.
    YamlKey,
    YamlText,
    /// A number, boolean or null of YAML.
    YamlLiteral,
    /// Dashes, colons, braces, and the indicators of block scalars.
    YamlPunctuation,
    YamlComment,
    Place,
    Step,
    /// A key in the hints.
    Key,
    Match,
}

/// The built-in themes; the first is the default.
pub(crate) const THEMES: [(&str, &str); 5] = [
    ("dark", include_str!("themes/dark.toml")),
    ("light", include_str!("themes/light.toml")),
    ("mono", include_str!("themes/mono.toml")),
    ("cvd", include_str!("themes/cvd.toml")),
    ("high-contrast", include_str!("themes/high-contrast.toml")),
];

pub fn theme_names() -> impl Iterator<Item = &'static str> {
    THEMES.iter().map(|(name, _)| *name)
}

/// A theme, reduced to the colours that the terminal can show.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Theme {
    pub name: String,
    /// The styles of all roles, in their order.
    styles: Vec<Style>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no theme `{0}`; the themes are dark, light, mono, cvd, high-contrast")]
pub struct ThemeError(String);

#[expect(clippy::struct_excessive_bools, reason = "a theme file sets each of them separately")]
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct StyleSpec {
    fg: Option<String>,
    bg: Option<String>,
    bold: bool,
    dim: bool,
    italic: bool,
    underline: bool,
    reverse: bool,
}

impl Theme {
    /// The built-in theme of this name, reduced to the colours of `depth`. A test checks that each of
    /// them defines every role.
    pub(crate) fn named(name: &str, depth: ColorDepth) -> Result<Self, ThemeError> {
        let unknown = || ThemeError(name.to_owned());
        let found = THEMES.iter().find(|(known, _)| *known == name);
        let (known, text) = found.ok_or_else(unknown)?;
        let specs: BTreeMap<StyleRole, StyleSpec> = toml::from_str(text).map_err(|_| unknown())?;
        let styles = specs.values().map(|spec| spec.style(depth)).collect::<Result<Vec<_>, _>>();
        let styles = styles.ok().filter(|styles| styles.len() > StyleRole::Match as usize);
        Ok(Self { name: (*known).to_owned(), styles: styles.ok_or_else(unknown)? })
    }

    pub(crate) fn style(&self, role: StyleRole) -> Style {
        self.styles[role as usize]
    }
}

impl StyleSpec {
    fn style(&self, depth: ColorDepth) -> Result<Style, ParseColorError> {
        let color = |text: &Option<String>| text.as_ref().map(|it| it.parse::<Color>()).transpose();
        let mut style = Style::new();
        style.fg = color(&self.fg)?.and_then(|color| quantise(color, depth));
        style.bg = color(&self.bg)?.and_then(|color| quantise(color, depth));
        let modifiers = [
            (self.bold, Modifier::BOLD),
            (self.dim, Modifier::DIM),
            (self.italic, Modifier::ITALIC),
            (self.underline, Modifier::UNDERLINED),
            // Without colours, a background is shown in reverse.
            (self.reverse || self.bg.is_some() && depth == ColorDepth::Mono, Modifier::REVERSED),
        ];
        for (_, modifier) in modifiers.iter().filter(|(set, _)| *set) {
            style = style.add_modifier(*modifier);
        }
        Ok(style)
    }
}

/// The nearest colour of the terminal; `None` without colours.
fn quantise(color: Color, depth: ColorDepth) -> Option<Color> {
    let Color::Rgb(r, g, b) = color else {
        return (depth != ColorDepth::Mono).then_some(color);
    };
    match depth {
        ColorDepth::Mono => None,
        ColorDepth::True => Some(color),
        ColorDepth::Ansi256 => {
            nearest([r, g, b], (16..=255).map(|at| (Color::Indexed(at), rgb_of_256(at))))
        }
        ColorDepth::Ansi16 => nearest([r, g, b], PALETTE.into_iter()),
    }
}

/// A colour of the 256-colour palette from its cube, which begins at 16, or of its greys.
fn rgb_of_256(index: u8) -> [u8; 3] {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match index {
        232.. => [8 + 10 * (index - 232); 3],
        _ => [36, 6, 1].map(|step| LEVELS[usize::from((index - 16) / step % 6)]),
    }
}

/// The 16 colours as most terminals show them.
const PALETTE: [(Color, [u8; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [170, 0, 0]),
    (Color::Green, [0, 170, 0]),
    (Color::Yellow, [170, 110, 0]),
    (Color::Blue, [0, 0, 170]),
    (Color::Magenta, [170, 0, 170]),
    (Color::Cyan, [0, 170, 170]),
    (Color::Gray, [170, 170, 170]),
    (Color::DarkGray, [85, 85, 85]),
    (Color::LightRed, [255, 85, 85]),
    (Color::LightGreen, [85, 255, 85]),
    (Color::LightYellow, [255, 255, 85]),
    (Color::LightBlue, [85, 85, 255]),
    (Color::LightMagenta, [255, 85, 255]),
    (Color::LightCyan, [85, 255, 255]),
    (Color::White, [255, 255, 255]),
];

fn nearest(color: [u8; 3], palette: impl Iterator<Item = (Color, [u8; 3])>) -> Option<Color> {
    palette.min_by_key(|(_, rgb)| distance(color, *rgb)).map(|(color, _)| color)
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_has_every_role_at_every_depth() {
        for (name, _) in THEMES {
            for depth in
                [ColorDepth::Mono, ColorDepth::Ansi16, ColorDepth::Ansi256, ColorDepth::True]
            {
                Theme::named(name, depth).unwrap();
            }
        }
    }

    #[test]
    fn colours_become_the_nearest_of_the_depth() {
        assert_eq!(quantise(Color::Rgb(255, 255, 255), ColorDepth::Ansi16), Some(Color::White));
        assert_eq!(
            quantise(Color::Rgb(95, 135, 175), ColorDepth::Ansi256),
            Some(Color::Indexed(67))
        );
    }
}
