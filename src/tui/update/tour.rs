//! The tour: continues when the task of the current stop is completed.

use super::super::model::{Model, STOPS, Tour};
use super::note;

pub(crate) fn begin_or_leave_tour(model: &mut Model) {
    model.tour = match model.tour {
        Some(_) => None,
        None => Some(Tour { at: 0, step: model.cursor, edits: model.edits.pending }),
    };
    if model.tour.is_none() {
        note(model, "tour ended (:tour starts it again)");
    }
}

/// Goes to the next stop, even if this one is not completed.
pub(crate) fn next(model: &mut Model) {
    let Some(tour) = model.tour else { return };
    let at = tour.at + 1;
    model.tour =
        (at < STOPS).then_some(Tour { at, step: model.cursor, edits: model.edits.pending });
}

/// Goes to the next stop if the task of the current stop is completed.
pub(crate) fn follow(model: &mut Model) {
    if model.tour.is_some_and(|tour| tour.is_done(model)) {
        next(model);
    }
}
