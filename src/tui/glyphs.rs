//! The symbols of the workbench, in Unicode and in ASCII. Never braille: screen readers spell it
//! out.

/// The set of symbols that a terminal can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Icons {
    #[default]
    Unicode,
    Ascii,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Glyphs {
    pub cursor: &'static str,
    pub open: &'static str,
    pub closed: &'static str,
    pub applied: &'static str,
    pub no_change: &'static str,
    pub failed: &'static str,
    pub warning: &'static str,
    pub waiting: &'static str,
    pub on: &'static str,
    pub off: &'static str,
    pub draft: &'static str,
    pub minus: &'static str,
    pub arrow: &'static str,
    /// Separates a layer from a layer inside it in a location (`prod › tls`).
    pub inside: &'static str,
    /// Left of the step under the cursor on the timeline.
    pub strip_left: &'static str,
    pub strip_right: &'static str,
    pub bars: [&'static str; 9],
    pub fold: &'static str,
    /// The symbols of the kinds of steps, in this order: load, merge, enter and leave a component,
    /// generate, patch, set a value, call a program, final steps.
    pub kinds: [&'static str; 9],
    pub line: &'static str,
    pub swap: &'static str,
    pub enter: &'static str,
    pub space: &'static str,
}

impl Icons {
    pub(crate) fn glyphs(self) -> &'static Glyphs {
        match self {
            Self::Unicode => &UNICODE,
            Self::Ascii => &ASCII,
        }
    }
}

static UNICODE: Glyphs = Glyphs {
    cursor: "▶",
    open: "▾",
    closed: "▸",
    applied: "✓",
    no_change: "◐",
    failed: "✗",
    warning: "△",
    waiting: "○",
    on: "☑",
    off: "☐",
    draft: "●",
    minus: "−",
    arrow: "→",
    inside: "›",
    strip_left: "◂",
    strip_right: "▸",
    bars: ["·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    fold: "⋯",
    kinds: ["↓", "↑", "→", "←", "◇", "≈", "=", "ƒ", "#"],
    line: "─",
    swap: "⇄",
    enter: "↵",
    space: "␣",
};

static ASCII: Glyphs = Glyphs {
    cursor: ">",
    open: "v",
    closed: ">",
    applied: "o",
    no_change: "=",
    failed: "x",
    warning: "!",
    waiting: "?",
    on: "[x]",
    off: "[ ]",
    draft: "*",
    minus: "-",
    arrow: "->",
    inside: ">",
    strip_left: "<",
    strip_right: ">",
    bars: [".", "_", "_", "-", "-", "=", "=", "#", "#"],
    fold: "...",
    kinds: ["l", "m", ">", "<", "g", "p", "s", "f", "#"],
    line: "-",
    swap: "<>",
    enter: "enter",
    space: "space",
};
