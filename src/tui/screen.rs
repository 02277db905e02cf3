//! The places of the workbench, their screens, and the panes of these; size classes of the terminal.

use serde::{Deserialize, Serialize};

/// The places of the workbench, by the number that shows each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum WorkbenchPlace {
    Repository,
    /// 1: the build of the open target.
    #[default]
    Target,
    Change,
}

impl WorkbenchPlace {
    pub(crate) const COUNT: usize = 3;
    pub(crate) const ALL: [Self; Self::COUNT] = [Self::Repository, Self::Target, Self::Change];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Repository => "Repository",
            Self::Target => "Target",
            Self::Change => "Change",
        }
    }

    pub(crate) fn first(self) -> Screen {
        match self {
            Self::Repository => Screen::Board,
            Self::Target => Screen::Tree,
            Self::Change => Screen::Change,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Screen {
    #[default]
    Tree,
    Steps,
    Diff,
    Resource,
    Problems,
    Components,
    Composition,
    Catalogs,
    Functions,
    Found,
    Order,
    Combinations,
    Board,
    Findings,
    ComponentTable,
    Compared,
    Change,
}

/// A part of a screen. Some panes are on several screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Pane {
    Tree,
    /// The file of the selected tree row.
    Preview,
    /// The effect of the selected tree row, or of the draft.
    Effect,
    Steps,
    /// The resources that a step or the draft changed.
    Changed,
    Diff,
    /// A resource, line by line.
    Resource,
    /// All resources at the current step.
    Resources,
    History,
    Components,
    /// The changes of the draft in the output, or of the selected component.
    ComponentEffect,
    Problems,
    Explanation,
    /// The entries of a Composition in running order.
    Pipeline,
    /// The imports of a Composition, with its catalogs and warnings.
    Imports,
    Entry,
    Catalogs,
    Review,
    Functions,
    Results,
    /// The call of the selected function, with input and output.
    Invocation,
    Targets,
    /// The users of a target, and the targets that it uses.
    Users,
    Reach,
    Findings,
    FindingDetail,
    ComponentTable,
    TableComponents,
    TableDetail,
    Differences,
    /// The details of the selected difference of two sides.
    Hunk,
    Edits,
    EditEffect,
    EditDiff,
    Found,
    Hit,
    Pairs,
    /// The findings about combinations of components, and the combinations.
    Cases,
    Varied,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LongLines {
    #[default]
    Cut,
    /// Long lines continue in the next row.
    Folded,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListView {
    pub selected: usize,
    pub offset: usize,
    /// The number of cells scrolled away on the left.
    pub left: usize,
}

struct ScreenRow {
    screen: Screen,
    name: &'static str,
    place: WorkbenchPlace,
    /// The panes in the order of the tab key; the first is the main pane.
    panes: &'static [Pane],
    /// The percentage of the rows that the main pane gets in the compact layout.
    main_share: u16,
}

const fn row(
    screen: Screen,
    name: &'static str,
    place: WorkbenchPlace,
    main_share: u16,
    panes: &'static [Pane],
) -> ScreenRow {
    ScreenRow { screen, name, place, panes, main_share }
}

/// All screens, in the order of their tabs and of the enum.
static SCREENS: [ScreenRow; Screen::COUNT] = {
    use Pane as P;
    use WorkbenchPlace::{Change, Repository, Target};
    [
        row(Screen::Tree, "Tree", Target, 60, &[P::Tree, P::Preview, P::Effect]),
        row(Screen::Steps, "Steps", Target, 60, &[P::Steps, P::Changed, P::Diff]),
        row(Screen::Diff, "Diff", Target, 30, &[P::Changed, P::Diff]),
        row(Screen::Resource, "Resource", Target, 70, &[P::Resource, P::Resources, P::History]),
        row(Screen::Problems, "Problems", Target, 60, &[P::Problems, P::Explanation]),
        row(Screen::Components, "Components", Target, 60, &[P::Components, P::ComponentEffect]),
        row(
            Screen::Composition,
            "Composition",
            Target,
            55,
            &[P::Pipeline, P::Entry, P::Imports, P::ComponentEffect],
        ),
        row(Screen::Catalogs, "Catalogs", Target, 40, &[P::Catalogs, P::Review]),
        row(Screen::Functions, "Functions", Target, 55, &[P::Functions, P::Results, P::Invocation]),
        row(Screen::Found, "Search", Target, 65, &[P::Found, P::Hit]),
        row(Screen::Order, "Order", Target, 55, &[P::Pairs, P::Varied]),
        row(Screen::Combinations, "Combinations", Target, 55, &[P::Cases, P::Varied]),
        row(Screen::Board, "Targets", Repository, 65, &[P::Targets, P::Users, P::Reach]),
        row(Screen::Findings, "Problems", Repository, 60, &[P::Findings, P::FindingDetail]),
        row(
            Screen::ComponentTable,
            "Components",
            Repository,
            50,
            &[P::ComponentTable, P::TableComponents, P::TableDetail],
        ),
        row(Screen::Compared, "Compare", Repository, 45, &[P::Differences, P::Hunk]),
        row(Screen::Change, "Edits", Change, 50, &[P::Edits, P::EditEffect, P::EditDiff, P::Reach]),
    ]
};

impl Screen {
    pub(crate) const COUNT: usize = Self::Change as usize + 1;
    pub(crate) const ALL: [Self; Self::COUNT] = {
        let mut all = [Self::Tree; Self::COUNT];
        let mut at = 0;
        while at < all.len() {
            assert!(SCREENS[at].screen as usize == at, "the order of the enum");
            all[at] = SCREENS[at].screen;
            at += 1;
        }
        all
    };

    fn row(self) -> &'static ScreenRow {
        &SCREENS[self as usize]
    }

    pub(crate) fn place(self) -> WorkbenchPlace {
        self.row().place
    }

    /// True for a screen about many builds or many steps: the panes of the tree are not shown next
    /// to it.
    pub(crate) fn is_overview(self) -> bool {
        self.place() != WorkbenchPlace::Target
            || matches!(self, Self::Found | Self::Order | Self::Combinations)
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    /// The list beside the main pane in larger terminals: tree and steps are shown together.
    pub(crate) fn other_list(self) -> Option<Pane> {
        match self {
            Self::Tree => Some(Pane::Steps),
            Self::Steps => Some(Pane::Tree),
            _ => None,
        }
    }

    pub(crate) fn panes(self) -> &'static [Pane] {
        self.row().panes
    }

    pub(crate) fn main_share(self) -> u16 {
        self.row().main_share
    }

    /// The pane of the screen that lists resources; `None` for the Resource screen and for screens
    /// without such a list.
    pub(crate) fn resource_list(self) -> Option<Pane> {
        let is_list =
            |pane: &&Pane| matches!(pane, Pane::Effect | Pane::Changed | Pane::ComponentEffect);
        self.panes().iter().find(is_list).copied()
    }
}

impl ListView {
    /// Rows that stay in sight above and below the selection.
    const MIN_CONTEXT_ROWS: usize = 3;

    /// Moves selection and scrolling so that the selection exists and is visible in `height` rows,
    /// with some rows around it.
    pub(crate) fn clamp(&mut self, rows: usize, height: usize) {
        self.selected = self.selected.min(rows.saturating_sub(1));
        let around = Self::MIN_CONTEXT_ROWS.min(height.saturating_sub(1) / 2);
        if self.selected < self.offset + around {
            self.offset = self.selected.saturating_sub(around);
        } else if height > 0 && self.selected + around >= self.offset + height {
            self.offset = self.selected + around + 1 - height;
        }
        self.offset = self.offset.min(rows.saturating_sub(height.max(1)));
    }

    /// As [`Self::clamp`], for a pane of text, which only has an offset: at most `last`.
    pub(crate) fn clamp_text(&mut self, last: usize) {
        self.offset = self.offset.min(last);
        self.selected = self.offset;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Division {
    Columns,
    Rows,
}

/// A border between panes, identified by the first pane before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct DividerKey {
    pub division: Division,
    pub pane: Pane,
}

/// The size that the user gave to a pane: its share of the divided area in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaneShare {
    #[serde(flatten)]
    pub(crate) divider: DividerKey,
    pub(crate) share: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SizeClass {
    /// One pane, without a frame, tabs and timeline.
    Tiny,
    /// A pane, and below it a smaller one with details.
    Compact,
    Standard,
    Wide,
}

/// Minimum columns and rows of a dialog: below, a question would show no line of its diff.
pub(crate) const MIN_DIALOG_SIZE: (u16, u16) = (20, 8);

pub(crate) fn fits_dialog((columns, rows): (u16, u16)) -> bool {
    columns >= MIN_DIALOG_SIZE.0 && rows >= MIN_DIALOG_SIZE.1
}

pub(crate) fn class(columns: u16, rows: u16) -> SizeClass {
    match (columns, rows) {
        (columns, rows) if columns < 60 || rows < 16 => SizeClass::Tiny,
        (columns, rows) if columns < 100 || rows < 30 => SizeClass::Compact,
        (columns, rows) if columns >= 160 && rows >= 45 => SizeClass::Wide,
        _ => SizeClass::Standard,
    }
}
