//! Edits that solve a finding: proposed, verified by building, applied.

pub(super) mod apply_fix;
pub(super) mod convert;
pub(super) mod extract;
pub(super) mod inline;
mod layer_entries;
pub(super) mod migrate_field;
pub(super) mod migration;
pub(super) mod offers;
pub(super) mod path_move;
pub(super) mod proof;
pub(super) mod prune;
pub(super) mod rename;
pub(super) mod repairs;
pub(super) mod vars;
