//! The targets of the repository, with users and dependencies.

pub(crate) mod keys;
pub(crate) mod rows;
pub(crate) mod state;
pub(crate) mod view;

use crate::model::{EmptyText, PaneContent, PaneView, draft_effect_lines};
use crate::text::sanitize;

pub(crate) static TARGETS: PaneView = PaneView {
    title: view::title,
    count: |model| model.board.rows.len(),
    content: PaneContent::Cells(|model, index, _| rows::row(model, index)),
    text: |model, row| model.board.rows.get(row).map(|row| row.label.clone()),
    names: Some(|model, _| rows::header(model)),
    empty: EmptyText::Repository(view::empty),
    place: keys::place,
    // Opening a target requests a build, which only the command can do.
    ..PaneView::LIST
};

pub(crate) static USERS: PaneView = PaneView {
    title: |model| match model.board.path_of_shown_users() {
        Some(path) => format!("Users  {}", sanitize(&model.board.shown(path))),
        None => "Users".to_owned(),
    },
    count: |model| model.board.users.len(),
    content: PaneContent::Cells(|model, index, _| rows::user(model, index)),
    text: |model, row| model.board.users.get(row).map(|row| format!("{} {}", row.label, row.place)),
    place: keys::place_of_user,
    open: keys::follow,
    ..PaneView::LIST
};

pub(crate) static REACH: PaneView = PaneView {
    title: |_| "Effect of the draft".to_owned(),
    content: PaneContent::Effects(|model| draft_effect_lines(model).into()),
    place: keys::place,
    ..PaneView::TEXT
};
