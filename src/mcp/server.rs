//! The server on the protocol's SDK. Answers are computed on a thread beside the runtime, so that
//! the server reads further messages meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, PromptMessage, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use tokio::sync::Semaphore;

use super::AgentPorts;
use super::calls::{AnswerFormat, ToolCall};
use super::prompts::{prompt_text, prompts};
use super::tools::tools;

/// Limit of an answer in bytes; a longer text is cut, a longer document is refused.
const MAX_TEXT_BYTES: usize = 64 * 1024;
const MAX_DOCUMENT_BYTES: usize = 2 * 1024 * 1024;
const MAX_TARGETS: usize = 500;
/// Limit of answers that are computed at the same time; further calls wait.
const MAX_ANSWERS: usize = 64;
/// Limit of these answers that use all cores.
const MAX_LARGE_ANSWERS: usize = 4;
/// The methods of the protocol that the server has and that take parameters.
const METHODS: [&str; 7] = [
    "initialize",
    "tools/call",
    "tools/list",
    "resources/list",
    "resources/read",
    "prompts/get",
    "prompts/list",
];

const TARGET_URI_PREFIX: &str = "kzui://target/";
const CODE_URI_PREFIX: &str = "kzui://code/";
const OUTPUT_TYPE: &str = "application/yaml";

const INSTRUCTIONS: &str = "Answers about the Kustomize targets of one repository, from builds that run no program, fetch no remote and write no file. \
Paths are relative to the root of the repository. Secrets are masked. Before an edit, call `where` for the affected targets and `try_edit` for the effect. \
After it: `check`. For an unexpected value: `why`.";

#[derive(Clone)]
pub struct AgentServer {
    ports: Arc<dyn AgentPorts>,
    answers: Arc<Semaphore>,
    large_answers: Arc<Semaphore>,
}

impl AgentServer {
    pub fn new(ports: Arc<dyn AgentPorts>) -> Self {
        let answers = Arc::new(Semaphore::new(MAX_ANSWERS));
        let large_answers = Arc::new(Semaphore::new(MAX_LARGE_ANSWERS));
        Self { ports, answers, large_answers }
    }

    /// Computes an answer on another thread; it waits for a free one, and so does a large answer for
    /// the large ones before it. The streams of the session do not wait.
    async fn compute<T: Send + 'static>(
        &self,
        context: RequestContext<RoleServer>,
        is_large: bool,
        answer: impl FnOnce(&dyn AgentPorts, &Arc<AtomicBool>) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let not_computed = || ErrorData::internal_error("the answer could not be computed", None);
        let wait = async {
            let large = if is_large {
                Some(self.large_answers.clone().acquire_owned().await.ok()?)
            } else {
                None
            };
            Some((large, self.answers.clone().acquire_owned().await.ok()?))
        };
        let permits = context.ct.run_until_cancelled(wait).await.flatten();
        let Some(_permits) = permits else { return Err(not_computed()) };
        let ports = self.ports.clone();
        let is_cancelled: Arc<AtomicBool> = Arc::default();
        let flag = is_cancelled.clone();
        let watching = tokio::spawn(async move {
            context.ct.cancelled().await;
            flag.store(true, Ordering::Relaxed);
        });
        let running = tokio::task::spawn_blocking(move || answer(&*ports, &is_cancelled)).await;
        watching.abort();
        running.map_err(|_| not_computed())
    }
}

/// Cuts a text at its limit, with a note; a JSON document beyond its limit is an error.
fn limit_answer(mut text: String, format: AnswerFormat) -> Result<String, String> {
    match format {
        AnswerFormat::Json if text.len() > MAX_DOCUMENT_BYTES => Err(format!(
            "the document has {} bytes, the limit is {MAX_DOCUMENT_BYTES}: name a resource, a page or fewer paths",
            text.len()
        )),
        AnswerFormat::Text if text.len() > MAX_TEXT_BYTES => {
            let length = text.len();
            let mut end = MAX_TEXT_BYTES;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
            text.push_str(&format!(
                "\n… {} of {length} bytes are left out: name a resource, a page or fewer paths\n",
                length - end
            ));
            Ok(text)
        }
        _ => Ok(text),
    }
}

impl ServerHandler for AgentServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("kzui", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    /// The SDK takes a request with other parameters than those of its method for one of a method
    /// that it does not know.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        Err(if METHODS.contains(&&*method) {
            ErrorData::invalid_params(format!("{method}: the parameters are not valid"), None)
        } else {
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None)
        })
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.into_owned();
        let arguments = request.arguments.unwrap_or_default();
        let answer = match ToolCall::parse(&name, &arguments, self.ports.root()) {
            Ok(call) => {
                self.compute(context, call.is_large, move |ports, is_cancelled| {
                    let text = ports.answer(&call, is_cancelled)?;
                    limit_answer(text, call.format).map(|text| (text, call.format))
                })
                .await?
            }
            Err(refusal) => Err(refusal),
        };
        let result = match answer {
            Err(message) => CallToolResult::error(vec![ContentBlock::text(message)]),
            Ok((text, format)) => {
                let is_json = format == AnswerFormat::Json;
                let document = is_json.then(|| serde_json::from_str(&text).ok()).flatten();
                let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
                result.structured_content = document;
                result
            }
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let start = cursor.map(|cursor| cursor.parse::<usize>()).transpose();
        let start = start.map_err(|_| ErrorData::invalid_params("unknown cursor", None))?;
        let start = start.unwrap_or_default();
        let targets = self.compute(context, false, |ports, _| ports.targets()).await?;
        let resource = |name: String| {
            Resource::new(format!("{TARGET_URI_PREFIX}{name}"), name).with_mime_type(OUTPUT_TYPE)
        };
        let end = start.saturating_add(MAX_TARGETS);
        let next_cursor = (end < targets.len()).then(|| end.to_string());
        let resources = targets.into_iter().skip(start).take(MAX_TARGETS).map(resource);
        let mut page = ListResourcesResult::with_all_items(resources.collect());
        page.next_cursor = next_cursor;
        Ok(page)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(vec![
            ResourceTemplate::new(format!("{TARGET_URI_PREFIX}{{+path}}"), "target")
                .with_description("The output of a target, Secrets masked"),
            ResourceTemplate::new(format!("{CODE_URI_PREFIX}{{code}}"), "code")
                .with_description("The page of a diagnostic, such as KZ103"),
        ]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let wanted = uri.clone();
        let answer = self
            .compute(context, false, move |ports, is_cancelled| {
                if let Some(code) = wanted.strip_prefix(CODE_URI_PREFIX) {
                    return ports.explain(code);
                }
                let path = wanted.strip_prefix(TARGET_URI_PREFIX);
                let path = path.ok_or_else(|| format!("unknown resource {wanted}"))?;
                let arguments = serde_json::json!({"target": path, "limit": u32::MAX});
                let arguments = arguments.as_object().cloned().unwrap_or_default();
                let call = ToolCall::parse("build", &arguments, ports.root())?;
                limit_answer(ports.answer(&call, is_cancelled)?, AnswerFormat::Text)
            })
            .await?;
        let text = answer.map_err(|message| ErrorData::resource_not_found(message, None))?;
        let is_target = uri.starts_with(TARGET_URI_PREFIX);
        let contents = ResourceContents::text(text, uri);
        let contents = if is_target { contents.with_mime_type(OUTPUT_TYPE) } else { contents };
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let found = prompt_text(&request.name, request.arguments.as_ref());
        let (description, text) = found.ok_or_else(|| {
            ErrorData::invalid_params(format!("unknown prompt {}", request.name), None)
        })?;
        let message = PromptMessage::new_text(Role::User, text);
        Ok(GetPromptResult::new(vec![message]).with_description(description).into())
    }
}

/// Serves an agent on standard input and output until it leaves. Threads that compute answers have
/// a stack of this size.
///
/// # Errors
/// The session cannot be started, or ends with an error.
pub fn serve(ports: Arc<dyn AgentPorts>, stack_bytes: usize) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .thread_stack_size(stack_bytes)
        // Two more threads block on the streams of the session.
        .max_blocking_threads(MAX_ANSWERS + 2)
        .build()?;
    let streams = AsyncRwTransport::new_server(tokio::io::stdin(), tokio::io::stdout());
    let ended = runtime.block_on(async {
        match AgentServer::new(ports).serve(streams).await {
            Ok(running) => running.waiting().await.map(drop).map_err(std::io::Error::other),
            // A client that leaves before the first message is no error.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(std::io::Error::other(error)),
        }
    });
    // A thread that waits for input ends with the process.
    runtime.shutdown_background();
    ended
}
