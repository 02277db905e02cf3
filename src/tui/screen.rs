//! Screens and their panes.

/// A screen, by the number that shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Screen {
    /// 1
    #[default]
    Tree,
    /// 2
    Steps,
    /// 3
    Diff,
    /// 4
    Resource,
    /// 5
    Components,
    /// 6
    Composition,
    /// 7
    Catalogs,
    /// 8
    Functions,
    /// 9
    Problems,
    /// 0
    Board,
    /// Without a number: shown after a comparison.
    Compared,
    /// Without a number: shown after a search.
    Found,
    /// Without a number: pairs of neighbours and their order.
    Order,
    /// Without a number: components in all combinations.
    Combinations,
}

/// A part of a screen. Some panes are on several screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pane {
    Tree,
    /// The file of a row of the tree.
    Preview,
    Effect,
    Steps,
    Changed,
    /// The diff of one of them.
    Diff,
    /// A resource, line by line.
    Resource,
    /// All resources at this time.
    Resources,
    /// The history of a field.
    History,
    Components,
    /// The output of the draft against the files.
    ComponentEffect,
    Problems,
    /// The explanation of a problem.
    Explanation,
    Pipeline,
    Imports,
    Entry,
    /// The catalogs that the tree names, and their functions.
    Catalogs,
    /// The review of a catalog.
    Review,
    /// The functions of the build, run or pending.
    Functions,
    Results,
    Invocation,
    /// The targets of the repository.
    Targets,
    /// The users of a target, and the targets that it uses.
    Users,
    /// The effect of the draft on all targets.
    Reach,
    Differences,
    Hunk,
    Found,
    /// The details of a match.
    Hit,
    Pairs,
    /// The findings about combinations of components, and the combinations.
    Cases,
    /// One pair or case in full.
    Varied,
}

/// The display of lines longer than their pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LongLines {
    #[default]
    Cut,
    /// They go on in the next row.
    Folded,
}

/// Selection and scrolling of one pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListView {
    pub selected: usize,
    /// The first row that is shown.
    pub offset: usize,
    /// Cells scrolled away on the left.
    pub left: usize,
}

impl Screen {
    pub(crate) const COUNT: usize = 14;
    /// In the order of their numbers.
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Tree,
        Self::Steps,
        Self::Diff,
        Self::Resource,
        Self::Components,
        Self::Composition,
        Self::Catalogs,
        Self::Functions,
        Self::Problems,
        Self::Board,
        Self::Compared,
        Self::Found,
        Self::Order,
        Self::Combinations,
    ];

    /// True for a screen about many builds or many steps: no pane of the tree is next to it.
    pub(crate) fn is_overview(self) -> bool {
        matches!(
            self,
            Self::Board | Self::Compared | Self::Found | Self::Order | Self::Combinations
        )
    }

    /// The number that shows it; `None` for one that is shown on demand.
    pub(crate) fn number(self) -> Option<u8> {
        Some(match self {
            Self::Tree => 1,
            Self::Steps => 2,
            Self::Diff => 3,
            Self::Resource => 4,
            Self::Components => 5,
            Self::Composition => 6,
            Self::Catalogs => 7,
            Self::Functions => 8,
            Self::Problems => 9,
            Self::Board => 0,
            Self::Compared | Self::Found | Self::Order | Self::Combinations => return None,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tree => "Tree",
            Self::Steps => "Steps",
            Self::Diff => "Diff",
            Self::Resource => "Resource",
            Self::Components => "Comps",
            Self::Composition => "Compose",
            Self::Catalogs => "Catalogs",
            Self::Functions => "Fns",
            Self::Problems => "Problems",
            Self::Board => "Board",
            Self::Compared => "Compare",
            Self::Found => "Found",
            Self::Order => "Order",
            Self::Combinations => "Combos",
        }
    }

    /// Its panes in the order of the tab key; the first is the main one.
    pub(crate) fn panes(self) -> &'static [Pane] {
        match self {
            Self::Tree => &[Pane::Tree, Pane::Preview, Pane::Effect],
            Self::Steps => &[Pane::Steps, Pane::Changed, Pane::Diff],
            Self::Diff => &[Pane::Changed, Pane::Diff],
            Self::Resource => &[Pane::Resource, Pane::Resources, Pane::History],
            Self::Components => &[Pane::Components, Pane::ComponentEffect],
            Self::Composition => {
                &[Pane::Pipeline, Pane::Entry, Pane::Imports, Pane::ComponentEffect]
            }
            Self::Catalogs => &[Pane::Catalogs, Pane::Review],
            Self::Functions => &[Pane::Functions, Pane::Results, Pane::Invocation],
            Self::Problems => &[Pane::Problems, Pane::Explanation],
            Self::Board => &[Pane::Targets, Pane::Users, Pane::Reach],
            Self::Compared => &[Pane::Differences, Pane::Hunk],
            Self::Found => &[Pane::Found, Pane::Hit],
            Self::Order => &[Pane::Pairs, Pane::Varied],
            Self::Combinations => &[Pane::Cases, Pane::Varied],
        }
    }
}

impl Pane {
    pub(crate) const COUNT: usize = 31;

    /// True for panes of text that only scroll: they have no selected row.
    pub(crate) fn is_text(self) -> bool {
        matches!(
            self,
            Self::Preview
                | Self::Explanation
                | Self::Diff
                | Self::Imports
                | Self::Entry
                | Self::Invocation
                | Self::Review
                | Self::Reach
                | Self::Hunk
                | Self::Hit
                | Self::Varied
        )
    }
}

impl Pane {
    /// True for panes with lines that can be folded: running text, no columns.
    pub(crate) fn folds(self) -> bool {
        self.is_text() || matches!(self, Self::Resource | Self::Problems | Self::Results)
    }
}

impl ListView {
    /// Rows that stay in sight above and below the selection.
    const AROUND: usize = 3;

    /// Moves selection and scrolling so that the selection exists and is visible in `height` rows,
    /// with some rows around it.
    pub(crate) fn clamp(&mut self, rows: usize, height: usize) {
        self.selected = self.selected.min(rows.saturating_sub(1));
        let around = Self::AROUND.min(height.saturating_sub(1) / 2);
        if self.selected < self.offset + around {
            self.offset = self.selected.saturating_sub(around);
        } else if height > 0 && self.selected + around >= self.offset + height {
            self.offset = self.selected + around + 1 - height;
        }
        self.offset = self.offset.min(rows.saturating_sub(height.max(1)));
    }

    /// The same for a pane of text, which moves its offset.
    pub(crate) fn clamp_text(&mut self, rows: usize, height: usize) {
        self.offset = self.offset.min(rows.saturating_sub(height.max(1)));
        self.selected = self.offset;
    }
}
