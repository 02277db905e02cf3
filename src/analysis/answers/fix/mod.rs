//! Edits that solve a finding: proposed, verified by building, applied.

pub(super) mod fixes;
pub(super) mod migrate;
pub(super) mod migration;
pub(super) mod moves;
pub(super) mod offers;
pub(super) mod repairs;
pub(super) mod vars;
