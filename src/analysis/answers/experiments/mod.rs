//! Builds of one target with changed files: order, combinations, versions, commits.

pub mod bisect;
pub mod combinations;
pub mod compat;
pub(super) mod elsewhere;
pub mod fewest;
pub mod order;
pub(super) mod rules;
pub(super) mod tried;
pub mod variants;
pub mod what_if;
