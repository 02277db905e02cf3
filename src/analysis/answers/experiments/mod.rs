//! Builds of one target with changed files: order, combinations, versions, commits.

pub mod bisect;
pub mod combinations;
pub mod compat;
pub mod order;
pub(super) mod release_differences;
pub mod variants;
pub(super) mod verification;
pub mod what_if;
