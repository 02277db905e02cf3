//! The places of the workbench, their screens, and the panes of these.

use serde::{Deserialize, Serialize};

/// The places of the workbench, by the number that shows each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum WorkbenchPlace {
    /// 0: all targets.
    Repository,
    /// 1: the build of the open target.
    #[default]
    Target,
    /// 2: the edits of the draft.
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

    /// The first screen of the place.
    pub(crate) fn first(self) -> Screen {
        match self {
            Self::Repository => Screen::Board,
            Self::Target => Screen::Tree,
            Self::Change => Screen::Change,
        }
    }
}

/// A screen: a tab of its place.
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
    /// The results of a search over all fields.
    Found,
    /// Pairs of neighbours and their order.
    Order,
    /// Components in all combinations.
    Combinations,
    /// The targets of the repository.
    Board,
    /// The problems of all targets.
    Findings,
    /// The overlays of the repository, and the components that each lists.
    ComponentTable,
    /// The differences of two sides.
    Compared,
    /// The edits of the draft, on the Change screen.
    Change,
}

/// A part of a screen. Some panes are on several screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
    /// The diff of the selected changed resource.
    Diff,
    /// A resource, line by line.
    Resource,
    /// All resources at the current step.
    Resources,
    /// The history of a field.
    History,
    Components,
    /// The changes of the draft in the output, or of the selected component.
    ComponentEffect,
    Problems,
    /// The explanation of a problem.
    Explanation,
    /// The entries of a Composition in running order.
    Pipeline,
    /// The imports of a Composition, with its catalogs and warnings.
    Imports,
    /// The details of the selected pipeline entry.
    Entry,
    /// The catalogs that the build names, and their functions.
    Catalogs,
    /// The review of a catalog.
    Review,
    /// The functions of the build, run or pending.
    Functions,
    /// The results of the selected function.
    Results,
    /// The call of the selected function, with input and output.
    Invocation,
    /// The targets of the repository.
    Targets,
    /// The users of a target, and the targets that it uses.
    Users,
    /// The effect of the draft on all targets.
    Reach,
    /// The problems of all targets.
    Findings,
    /// The selected problem of the repository in full.
    FindingDetail,
    /// The overlays, with a column for each component.
    ComponentTable,
    /// The components in the selected overlay.
    TableComponents,
    /// The text about the selected component in the selected overlay.
    TableDetail,
    /// The differences of two sides.
    Differences,
    /// The details of the selected difference of two sides.
    Hunk,
    /// The edits of the draft.
    Edits,
    /// The effect of the selected edit.
    EditEffect,
    /// The diff of the files of the selected edit.
    EditDiff,
    /// The results of a search over all fields.
    Found,
    /// The details of a search result.
    Hit,
    /// The pairs of neighbours on the Order screen.
    Pairs,
    /// The findings about combinations of components, and the combinations.
    Cases,
    /// The full text of a pair or of a combination.
    Varied,
}

/// The display of lines longer than their pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LongLines {
    #[default]
    Cut,
    /// Long lines continue in the next row.
    Folded,
}

/// Selection and scrolling of one pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListView {
    pub selected: usize,
    /// The index of the first row that is shown.
    pub offset: usize,
    /// The number of cells scrolled away on the left.
    pub left: usize,
}

impl Screen {
    pub(crate) const COUNT: usize = 17;
    /// All screens, in the order of their tabs.
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Tree,
        Self::Steps,
        Self::Diff,
        Self::Resource,
        Self::Problems,
        Self::Components,
        Self::Composition,
        Self::Catalogs,
        Self::Functions,
        Self::Found,
        Self::Order,
        Self::Combinations,
        Self::Board,
        Self::Findings,
        Self::ComponentTable,
        Self::Compared,
        Self::Change,
    ];

    pub(crate) fn place(self) -> WorkbenchPlace {
        match self {
            Self::Board | Self::Findings | Self::ComponentTable | Self::Compared => {
                WorkbenchPlace::Repository
            }
            Self::Change => WorkbenchPlace::Change,
            _ => WorkbenchPlace::Target,
        }
    }

    /// True for a screen about many builds or many steps: the panes of the tree are not shown next
    /// to it.
    pub(crate) fn is_overview(self) -> bool {
        self.place() != WorkbenchPlace::Target
            || matches!(self, Self::Found | Self::Order | Self::Combinations)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tree => "Tree",
            Self::Steps => "Steps",
            Self::Diff => "Diff",
            Self::Resource => "Resource",
            Self::Problems | Self::Findings => "Problems",
            Self::Components | Self::ComponentTable => "Components",
            Self::Composition => "Composition",
            Self::Catalogs => "Catalogs",
            Self::Functions => "Functions",
            Self::Found => "Search",
            Self::Order => "Order",
            Self::Combinations => "Combinations",
            Self::Board => "Targets",
            Self::Compared => "Compare",
            Self::Change => "Edits",
        }
    }

    /// The list beside the main pane in larger terminals: tree and steps are shown together.
    pub(crate) fn other_list(self) -> Option<Pane> {
        match self {
            Self::Tree => Some(Pane::Steps),
            Self::Steps => Some(Pane::Tree),
            _ => None,
        }
    }

    /// The panes of the screen in the order of the tab key; the first is the main pane.
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
            Self::Findings => &[Pane::Findings, Pane::FindingDetail],
            Self::ComponentTable => {
                &[Pane::ComponentTable, Pane::TableComponents, Pane::TableDetail]
            }
            Self::Change => &[Pane::Edits, Pane::EditEffect, Pane::EditDiff, Pane::Reach],
        }
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

/// The direction in which an area is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Division {
    /// One pane beside the other.
    Columns,
    /// One pane above the other.
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
