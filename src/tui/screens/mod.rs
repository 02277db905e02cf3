//! A folder for each screen: its state, its derived data, its rows, its drawing and its keys.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub(crate) mod catalogs;
pub(crate) mod change;
pub(crate) mod compared;
pub(crate) mod component_table;
pub(crate) mod components;
pub(crate) mod composition;
pub(crate) mod diff;
pub(crate) mod experiments;
pub(crate) mod findings;
pub(crate) mod found;
pub(crate) mod functions;
pub(crate) mod problems;
pub(crate) mod resource;
pub(crate) mod steps;
pub(crate) mod targets;
pub(crate) mod tree;
pub(crate) mod why;

use crate::model::{Pane, PaneView};

pub(crate) fn pane_view(pane: Pane) -> &'static PaneView {
    match pane {
        Pane::Tree => &tree::TREE,
        Pane::Preview => &tree::PREVIEW,
        Pane::Effect => &tree::EFFECT,
        Pane::Steps => &steps::STEPS,
        Pane::Changed => &diff::CHANGED,
        Pane::Diff => &diff::DIFF,
        Pane::Resource => &resource::RESOURCE,
        Pane::Resources => &resource::RESOURCES,
        Pane::History => &resource::HISTORY,
        Pane::Components => &components::COMPONENTS,
        Pane::ComponentEffect => &components::COMPONENT_EFFECT,
        Pane::Problems => &problems::PROBLEMS,
        Pane::Explanation => &problems::EXPLANATION,
        Pane::Pipeline => &composition::PIPELINE,
        Pane::Imports => &composition::IMPORTS,
        Pane::Entry => &composition::ENTRY,
        Pane::Catalogs => &catalogs::CATALOGS,
        Pane::Review => &catalogs::REVIEW,
        Pane::Functions => &functions::FUNCTIONS,
        Pane::Results => &functions::RESULTS,
        Pane::Invocation => &functions::INVOCATION,
        Pane::Targets => &targets::TARGETS,
        Pane::Users => &targets::USERS,
        Pane::Reach => &targets::REACH,
        Pane::Findings => &findings::FINDINGS,
        Pane::FindingDetail => &findings::FINDING_DETAIL,
        Pane::ComponentTable => &component_table::COMPONENT_TABLE,
        Pane::TableComponents => &component_table::TABLE_COMPONENTS,
        Pane::TableDetail => &component_table::TABLE_DETAIL,
        Pane::Differences => &compared::DIFFERENCES,
        Pane::Hunk => &compared::HUNK,
        Pane::Edits => &change::EDITS,
        Pane::EditEffect => &change::EDIT_EFFECT,
        Pane::EditDiff => &change::EDIT_DIFF,
        Pane::Found => &found::FOUND,
        Pane::Hit => &found::HIT,
        Pane::Pairs => &experiments::PAIRS,
        Pane::Cases => &experiments::CASES,
        Pane::Varied => &experiments::VARIED,
    }
}
