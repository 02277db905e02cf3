//! Drafts with names: listing, switching, renaming, copying, deleting, comparing them.

use crossterm::event::{KeyCode, KeyEvent};

use super::super::message::Effect;
use super::super::model::{DraftList, KeptDraftState, Model, Overlay};
use super::super::ports::{ComparisonSides, DraftNews, NameUse, StoreOrder};
use super::super::text::sanitize;
use super::super::theme::StyleRole;
use crate::draft::{
    DiskChange, Draft, DraftHolder, ListedDraft, Revision, StoredDraft, is_draft_name,
};
use crate::screens::compared;
use crate::update::{note, say, warn, what_if};

const UNNAMED: &str = "-";

const NAMES: &str = "a name is one word of at most 64 bytes, without a colon";

pub(crate) fn handle_draft_news(model: &mut Model, news: Result<DraftNews, String>) {
    match news {
        Err(reason) => warn(model, reason),
        Ok(DraftNews::Listed(drafts)) if drafts.is_empty() => {
            note(model, "no drafts (`:draft NAME` starts one)");
        }
        Ok(DraftNews::Listed(drafts)) => {
            let is_current = |draft: &ListedDraft| draft.held_by == DraftHolder::ThisWorkbench;
            let selected = drafts.iter().position(is_current).unwrap_or(0);
            let list = DraftList { drafts, selected, asked: false };
            model.overlay = Some(Overlay::Drafts(Box::new(list)));
        }
        Ok(DraftNews::Taken(name, kept)) => handle_draft_switch(model, name, kept),
        Ok(DraftNews::Named(kept)) => {
            say(model, StyleRole::Ok, format!("now {}", draft_in_words(kept.name.as_deref())));
            model.edits.keeping = KeptDraftState::Kept(kept.files, model.edits.draft.revision());
            model.edits.name = kept.name;
        }
        Ok(DraftNews::Deleted(name)) => {
            say(model, StyleRole::Ok, format!("deleted {}", draft_in_words(Some(&name))));
        }
    }
}

pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let current = model.edits.name.clone();
    let Some(Overlay::Drafts(mut list)) = model.overlay.take() else { return };
    let last = list.drafts.len().saturating_sub(1);
    let was_asked = std::mem::take(&mut list.asked);
    let Some(listed) = list.drafts.get(list.selected) else { return };
    let (name, held_by) = (listed.draft.name.clone(), listed.held_by);
    match key.code {
        KeyCode::Down | KeyCode::Char('j') => list.selected = (list.selected + 1).min(last),
        KeyCode::Up | KeyCode::Char('k') => list.selected = list.selected.saturating_sub(1),
        KeyCode::Home | KeyCode::Char('g') => list.selected = 0,
        KeyCode::End | KeyCode::Char('G') => list.selected = last,
        KeyCode::Esc | KeyCode::Char('q') => return,
        KeyCode::Enter => return switch_draft(model, name.as_deref().unwrap_or(UNNAMED)),
        KeyCode::Char('=') if current == name => {
            note(model, "this draft is open (= on another one compares the two)");
        }
        KeyCode::Char('=') => return compare(model, current.as_deref(), name.as_deref()),
        KeyCode::Char('d') => match name {
            _ if held_by == DraftHolder::ThisWorkbench => {
                warn(model, "this draft is open (:discard empties it)");
            }
            None => {
                let words = "a draft without a name is deleted with its last edit (enter opens it)";
                warn(model, words);
            }
            Some(name) if was_asked => {
                return model.request(Effect::Store(StoreOrder::DeleteDraft(name)));
            }
            Some(_) => list.asked = true,
        },
        _ => {}
    }
    model.overlay = Some(Overlay::Drafts(list));
}

/// Switches to the draft with this name, and creates it if necessary.
pub(crate) fn switch_draft(model: &mut Model, name: &str) {
    let name = match name {
        UNNAMED => None,
        name if is_draft_name(name) => Some(name.to_owned()),
        name => return warn(model, format!("`{name}` cannot be the name of a draft: {NAMES}")),
    };
    if name == model.edits.name {
        return note(model, format!("{} is already open", draft_in_words(name.as_deref())));
    }
    if model.edits.writing > 0 {
        return warn(model, "a write is running: try again when it is done");
    }
    if model.has_draft() && model.edits.keeping == KeptDraftState::Impossible {
        let words =
            "this draft cannot be saved and would be lost (:w writes it, :discard empties it)";
        return warn(model, words);
    }
    model.request(Effect::Store(StoreOrder::SwitchDraft(name)));
}

fn handle_draft_switch(model: &mut Model, name: Option<String>, kept: Option<Box<StoredDraft>>) {
    let is_new = kept.is_none();
    let met = restore_kept_draft(model, kept.map(|kept| *kept).unwrap_or_default());
    let called = draft_in_words(name.as_deref());
    model.edits.name = name;
    if is_new {
        // A new draft counts as kept from now on, even without an edit.
        model.edits.keeping = KeptDraftState::Kept(Vec::new(), Revision(u64::MAX));
    }
    let words = match () {
        () if is_new => format!("{called} is new"),
        () if met.contains(&DiskChange::Conflict) => {
            format!("{called} conflicts with files on disk (:w shows both and asks)")
        }
        () if met.contains(&DiskChange::Rebased) => {
            format!("{called}, rebased on changed files")
        }
        () => called,
    };
    what_if::finish_edit(model, &words);
    if is_new {
        // The output changes because the previous draft is gone, which is not an edit of the new
        // draft.
        model.edits.last_edit = None;
    }
}

/// Restores a kept draft; returns how its files have changed on disk meanwhile.
pub(crate) fn restore_kept_draft(model: &mut Model, kept: StoredDraft) -> Vec<DiskChange> {
    let files = kept.files.clone();
    model.edits.keeps_left_out = !kept.left_out.is_empty();
    let (draft, met) = Draft::from_stored(kept, &*model.opened.disk);
    let scope = model.edits.draft.scope().clone();
    let draft = draft.with_revision_after(model.edits.draft.revision()).limited_to_scope(scope);
    model.edits.keeping = KeptDraftState::Kept(files, draft.revision());
    model.edits.draft = draft;
    met
}

/// Renames the draft, or continues with a copy under the new name.
pub(crate) fn name(model: &mut Model, name: &str, naming: NameUse) {
    if !is_draft_name(name) || name == UNNAMED {
        return warn(model, format!("`{name}` cannot be the name of a draft: {NAMES}"));
    }
    let kept = model.edits.draft.to_stored(Some(name));
    model.request(Effect::Store(StoreOrder::NameDraft(Box::new(kept), naming)));
}

pub(crate) fn delete(model: &mut Model, name: &str) {
    if model.edits.name.as_deref() == Some(name) {
        return warn(model, "this draft is open: open another one first");
    }
    model.request(Effect::Store(StoreOrder::DeleteDraft(name.to_owned())));
}

fn compare(model: &mut Model, current: Option<&str>, other: Option<&str>) {
    let side =
        |name: Option<&str>| name.map_or_else(|| "draft".to_owned(), |it| format!("draft:{it}"));
    let (before, after, like) = (side(current), Some(side(other)), [None, None]);
    let draft = Some(compared::keys::open_draft(model));
    compared::keys::ask(model, ComparisonSides::Words { before, after, like, draft });
}

/// The name of a draft in a message, as in "the draft `small`".
fn draft_in_words(name: Option<&str>) -> String {
    match name {
        Some(name) => format!("the draft `{}`", sanitize(name)),
        None => "the draft without a name".to_owned(),
    }
}
