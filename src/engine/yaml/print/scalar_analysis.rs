//! The text analysis of go-yaml's emitter before it chooses a style, and its character classes.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, as the emitter has them")]
pub(in super::super) struct ScalarAnalysis {
    /// True if the text has a line break of any kind.
    pub(in super::super) multiline: bool,
    /// True if the text has a character that needs an escape (tabs are counted separately).
    special: bool,
    tab: bool,
    edge_blank: bool,
    trailing_space: bool,
    space_break: bool,
    break_space: bool,
    block_indicator: bool,
    flow_indicator: bool,
}

impl ScalarAnalysis {
    pub(in super::super) fn examine(text: &str) -> Self {
        let block_indicator = text.starts_with("---") || text.starts_with("...");
        let mut facts = Self { block_indicator, ..Self::default() };
        let mut previous = None;
        let mut characters = text.chars().peekable();
        while let Some(c) = characters.next() {
            facts.observe_character(c, previous, characters.peek().copied());
            previous = Some(c);
        }
        facts
    }

    fn observe_character(&mut self, c: char, previous: Option<char>, next: Option<char>) {
        self.observe_indicator(c, previous, next);
        let at_edge = previous.is_none() || next.is_none();
        match c {
            '\t' => self.tab = true,
            ' ' => {
                self.edge_blank |= at_edge;
                self.trailing_space |= next.is_none();
            }
            _ => self.special |= !is_printable(c),
        }
        if is_break(c) {
            self.multiline = true;
            self.edge_blank |= at_edge;
            self.space_break |= previous == Some(' ');
            self.break_space |= next == Some(' ');
        }
    }

    /// Records whether a character has a special meaning in YAML, in block and in flow style.
    fn observe_indicator(&mut self, c: char, previous: Option<char>, next: Option<char>) {
        let ends = next.is_none_or(is_blank_or_break);
        let (block, flow) = match (c, previous) {
            (
                '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%'
                | '@' | '`',
                None,
            ) => (true, true),
            ('?', None) | (':', _) => (ends, true),
            ('-', None) => (ends, ends),
            ('#', Some(before)) => {
                let apart = is_blank_or_break(before);
                (apart, apart)
            }
            (',' | '?' | '[' | ']' | '{' | '}', Some(_)) => (false, true),
            _ => return,
        };
        self.block_indicator |= block;
        self.flow_indicator |= flow;
    }

    pub(in super::super) fn allows_block_v3(self) -> bool {
        !self.trailing_space && !self.space_break && !self.special
    }

    pub(in super::super) fn allows_plain(self) -> bool {
        !(self.edge_blank
            || self.break_space
            || self.space_break
            || self.special
            || self.multiline
            || self.block_indicator
            || self.tab)
    }

    /// True if go-yaml v3 can write the text plain inside flow collections; an empty text is not
    /// excluded.
    pub(in super::super) fn allows_plain_v3_flow(self) -> bool {
        self.allows_plain() && !self.flow_indicator
    }

    pub(in super::super) fn allows_single(self) -> bool {
        !self.break_space && !self.space_break && !self.special && !self.tab
    }

    pub(super) fn allows_block_v2(self) -> bool {
        self.allows_block_v3() && !self.tab
    }
}

pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

pub(super) fn is_blank_or_break(c: char) -> bool {
    matches!(c, ' ' | '\t') || is_break(c)
}

/// Characters that go-yaml's emitter writes without an escape; none beyond the basic plane.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{A0}'..='\u{FFFD}') && c != '\u{FEFF}'
}
