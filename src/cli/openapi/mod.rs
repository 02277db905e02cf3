//! `kzui openapi`: schemas from a cluster, and those that a build uses (KEP-2206, section E.3 of
//! the composition reference).

mod args;
mod fetch;
mod info;
mod reduce;

pub use args::{OpenApi, OpenApiFetch, OpenApiInfo};

use super::CliPorts;
use crate::cli::failure::CommandResult;

pub(super) fn run(command: &OpenApi, outside: &mut CliPorts<'_>) -> CommandResult {
    match command {
        OpenApi::Fetch(arguments) => fetch::run(arguments, outside),
        OpenApi::Info(arguments) => info::run(arguments, outside),
    }
}
