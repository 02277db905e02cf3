//! The list of changed resources, and the diff of all of them.

use crate::layout::layout;
use crate::model::derived::ChangedKey;
use crate::model::{CombinedDiff, Compare, ListView, Model, Pane, differences};
use crate::screen::SizeClass;
use crate::text::Split;
use crate::update::derive::build_key;

fn changed_key(model: &Model) -> ChangedKey {
    let compare = model.compared();
    let (generation, revision) = build_key(model);
    let revision = if compare == Compare::Step { 0 } else { revision };
    ((generation, revision), model.cursor, compare)
}

pub(crate) fn changed(model: &mut Model) {
    let key = changed_key(model);
    if !model.derived.renew(Pane::Changed, key) {
        return;
    }
    model.diff.changed = differences(model);
    let chosen = model.resources.chosen_index(&model.diff.changed);
    model.list_mut(Pane::Changed).selected = chosen.unwrap_or(0);
}

/// How far the diff is computed beyond the visible rows, in heights of the pane.
const READ_AHEAD_HEIGHTS: usize = 2;

/// Updates the diff of all changed resources, and scrolls to the selected one.
pub(crate) fn diff(model: &mut Model) {
    let parts = model.diff.changed.len();
    let selected = model.selected_row(Pane::Changed);
    let changed = changed_key(model);
    let placed = layout(model);
    let split = match placed.pane(Pane::Diff) {
        Some(pane) if placed.class == SizeClass::Wide && pane.inner.width >= 80 => {
            Split::SideBySide
        }
        _ => model.diff.split,
    };
    let height = placed.pane(Pane::Diff).map_or(placed.body.height, |pane| pane.inner.height);
    let height = usize::from(height).max(1);
    let seen = model.derived.diff.filter(|(seen, _)| *seen == changed);
    let is_there = seen.is_some() && model.diff.whole.part(selected).is_some();
    if !is_there {
        model.diff.whole = CombinedDiff::beginning_at(selected, parts, split, model.diff.context);
        *model.list_mut(Pane::Diff) = ListView::default();
    } else if seen.is_some_and(|(_, seen)| seen != selected) {
        // Another resource was selected in the list: the diff scrolls to it.
        let start = model.diff.whole.first_row(selected).unwrap_or(0);
        *model.list_mut(Pane::Diff) = ListView { selected: start, offset: start, left: 0 };
    }
    let top = model.diff.whole.rows.get(model.list(Pane::Diff).offset).map(|row| row.part);
    if model.diff.whole.arrange_rows(split, model.diff.context) {
        let start = top.and_then(|part| model.diff.whole.first_row(part)).unwrap_or(0);
        model.list_mut(Pane::Diff).offset = start;
    }
    compare_visible_resources(model, height);
    model.derived.diff = Some((changed, selected));
}

fn compare_visible_resources(model: &mut Model, height: usize) {
    let Model { diff, look, panes, .. } = model;
    let list = panes.lists.entry(Pane::Diff).or_default();
    let ready = height.saturating_mul(READ_AHEAD_HEIGHTS);
    while diff.whole.rows.len() < list.offset.saturating_add(height).saturating_add(ready)
        && diff.whole.grow_down(&diff.changed, &look.secrets)
    {}
    while list.offset < ready
        && let Some(rows) = diff.whole.grow_up(&diff.changed, &look.secrets)
    {
        list.offset += rows;
        list.selected += rows;
    }
    list.clamp_text(diff.whole.rows.len().saturating_sub(1));
}

pub(crate) fn compare_all_resources(model: &mut Model) {
    compare_visible_resources(model, usize::MAX);
}
