//! Handles the news of work.

use std::sync::Arc;

use super::super::experiment::Variation;
use super::super::model::{Model, WorkKind};
use super::super::ports::{WorkAnswer, WorkNews};
use super::{fetch, field_edit, offers, say_error, user_commands};
use crate::answers::compare::CompareReport;
use crate::screens::{change, compared, component_table, experiments, targets};

/// Passes news of work to the part that requested it. News of other work than the running one of
/// each kind are dropped.
pub(crate) fn handle(model: &mut Model, request: u64, news: WorkNews) {
    let Some(kind) = model.work.kind(request) else { return };
    match news {
        WorkNews::Progress(done, all) => {
            model.work.of_kind(kind).progress = Some((done, all));
            if kind == WorkKind::Branch {
                targets::keys::update_progress_message(model);
            }
        }
        WorkNews::TableSoFar(table) => match model.varied.asked {
            Some(Variation::TargetComponents) => {
                model.varied.components.result = Some(table);
                model.varied.edition += 1;
            }
            _ => component_table::keys::show_table(model, table),
        },
        WorkNews::Ended(result) => {
            model.work.of_kind(kind).request = None;
            handle_end(model, kind, result);
        }
    }
}

fn handle_end(model: &mut Model, kind: WorkKind, result: Result<WorkAnswer, String>) {
    match kind {
        WorkKind::Reach => targets::keys::handle_draft_comparison(model, report(result)),
        WorkKind::Branch => targets::keys::handle_branch_comparison(model, report(result)),
        WorkKind::EditEffect => change::keys::handle_report(model, report(result)),
        WorkKind::Compared => compared::keys::handle_report(model, report(result)),
        WorkKind::Varied => handle_varied(model, result),
        WorkKind::FieldEdit => field_edit::handle_found_edits(model, result),
        WorkKind::Fetch => fetch::handle_fetch_end(model, result),
        WorkKind::UserCommand => user_commands::handle_command_end(model, result),
        WorkKind::Sides | WorkKind::Components => match result {
            Ok(WorkAnswer::SidesListed(sides)) => {
                model.compared.sides = sides;
                offers::refresh(model);
            }
            Ok(WorkAnswer::Discovered(found)) => {
                model.opened.found = found;
                model.edits.draft_revision += 1;
                // The components that were found are tried too.
                model.varied.components.run.of = None;
            }
            Ok(_) => {}
            Err(reason) => say_error(model, reason),
        },
    }
}

pub(super) fn handle_varied(model: &mut Model, result: Result<WorkAnswer, String>) {
    let result = match result {
        Ok(WorkAnswer::WhatIf(answer)) => Ok(answer),
        Ok(_) => return,
        Err(reason) => Err(reason),
    };
    match model.varied.asked {
        Some(Variation::Components | Variation::TriedComponents) => {
            component_table::keys::handle_table(model, result);
        }
        Some(variation) => experiments::keys::handle_answer(model, variation, result),
        None => {}
    }
}

fn report(result: Result<WorkAnswer, String>) -> Result<Arc<CompareReport>, String> {
    match result? {
        WorkAnswer::Compared(report) => Ok(report),
        _ => Err("no comparison".to_owned()),
    }
}
