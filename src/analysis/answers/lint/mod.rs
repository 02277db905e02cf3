//! Findings: rules over a recorded build, each verified before it is reported.

pub(super) mod early_entries;
pub(super) mod faults;
pub(super) mod finding_kind;
pub(super) mod findings;
pub(super) mod passed_flags;
pub(super) mod shared_finding;
pub(super) mod shared_findings;
pub(super) mod unknown_cause;
pub(super) mod verified_findings;
pub(super) mod waivers;
