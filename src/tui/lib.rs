//! The workbench, in the Elm style: a model, messages that change it, and views of it.

#![cfg_attr(
    test,
    allow(
        clippy::too_many_lines,
        clippy::option_option,
        clippy::unnecessary_wraps,
        clippy::items_after_statements,
        clippy::format_collect,
        clippy::collapsible_if,
        reason = "a test is a table with a loop around it"
    )
)]

mod cells;
mod consistency;
mod experiment;
mod glyphs;
mod header;
mod keymap;
mod layout;
mod linear;
mod message;
mod model;
mod ports;
mod recording;
mod reviewed_catalogs;
mod rows;
mod runtime;
mod screen;
mod screens;
mod text;
mod theme;
mod tree_files;
mod update;
mod user_commands;
mod view;

use kzui_analysis::{answers, display, draft, repository};
use kzui_engine as engine;

pub use crate::experiment::{EditRequest, WantedEdit, find_edits};
pub use consistency::disagreements;
pub use experiment::{TableSoFar, Variation, WhatIf, WhatIfAnswer, vary};
pub use glyphs::Icons;
pub use keymap::keys_as_markdown;
pub use linear::run_linear;
pub use message::{BoardNews, BuildAnswer, BuiltTargets, ClickArea, Effect, Message, SourceFile};
pub use model::Model;
pub use ports::{
    Access, BoardOrder, BuildRequest, Comparison, ComparisonSides, CompositionResult, DraftNews,
    Evaluator, NameUse, NamedSide, NamedSideKind, OpenedTarget, RequestedRuns, ReviewedCatalog,
    RunningFunction, StoreAnswer, StoreOrder, Work, WorkAnswer, WorkNews, WorkReports,
    WorkbenchBuild, WorkbenchConfig, WorkbenchOptions, WorkbenchPorts, WriteError,
    composition_files,
};
pub use reviewed_catalogs::{UserCatalogs, catalogs_of};
pub use runtime::{RunError, run};
pub use screen::{PaneShare, Screen};
pub use theme::{ColorDepth, ThemeError, theme_names};
pub use tree_files::{BuildAnswerCache, SourceFiles, answer};
pub use update::{open, update};
pub use user_commands::{CommandDisplay, UserCommand, UserCommandResult, UserCommandRun};
pub use view::view;

fn pane_view(pane: screen::Pane) -> &'static model::PaneView {
    screens::pane_view(pane)
}
