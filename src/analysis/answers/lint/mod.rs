//! Findings: rules over a recorded build, each verified before it is reported.

pub(super) mod charts;
pub(super) mod check;
pub(super) mod claims;
pub(super) mod early_entries;
pub(super) mod faults;
pub(super) mod finding_kind;
pub(super) mod findings;
pub(super) mod passed_flags;
pub(super) mod reused_entries;
pub(super) mod shared_finding;
pub(super) mod unknown;
pub(super) mod waivers;
