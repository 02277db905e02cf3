//! Runs the server for agents with the adapters of this machine.

use kzui::cli::{Exit, McpArgs};

#[cfg(feature = "mcp")]
pub(crate) fn mcp(arguments: &McpArgs) -> std::io::Result<Exit> {
    use std::sync::Arc;

    use kzui::engine::evaluate::STACK;
    use kzui::host;

    use super::tool_answers::ToolAnswers;

    if arguments.build.fetch {
        return super::lsp::refuse_fetch();
    }
    let current = host::current_directory()?;
    let folder = match &arguments.folder {
        Some(folder) => host::resolved(&current.join(folder)),
        None => host::resolved(&current).map(|current| super::opening::root_of(&current)),
    };
    match folder {
        Ok(folder) if folder.is_dir() => {
            let ports = ToolAnswers::new(folder, arguments.build.clone());
            kzui_mcp::serve(Arc::new(ports), STACK)?;
            Ok(Exit::OK)
        }
        _ => {
            let folder = arguments.folder.as_deref().unwrap_or(".");
            super::printers::refuse(Exit::USAGE, format!("no folder {folder}"))
        }
    }
}

#[cfg(not(feature = "mcp"))]
pub(crate) fn mcp(_: &McpArgs) -> std::io::Result<Exit> {
    super::printers::refuse(Exit::USAGE, "this kzui is built without the feature `mcp`")
}
