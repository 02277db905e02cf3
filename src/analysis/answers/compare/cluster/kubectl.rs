//! Asks a cluster through the user's kubectl. No request changes the cluster.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::objects::{is_object, read_objects};
use crate::engine::evaluate::Ports;
use crate::engine::plugin::Program;
use crate::engine::resource::Resource;
use crate::engine::yaml::{print_output, print_preserving_style};

const TIMEOUT: Duration = Duration::from_secs(300);
const REQUEST_TIMEOUT: &str = "--request-timeout=30s";
const MAX_ANSWER_BYTES: usize = 256 << 20;

#[derive(Clone, Debug, Default)]
pub struct ClusterRequest {
    /// The context of the kubeconfig; `None` for its current context.
    pub context: Option<String>,
    /// The field manager that deploys the build; `None` for those of kubectl, Flux and Argo CD.
    pub field_manager: Option<String>,
}

pub(super) struct Kubectl<'a> {
    pub(super) ports: &'a Ports,
    pub(super) request: &'a ClusterRequest,
    pub(super) current: &'a Path,
}

/// The answer about one object: its state, `None` if there is none, or kubectl's message.
pub(super) type ObjectAnswer = Result<Option<Resource>, String>;

impl Kubectl<'_> {
    /// Fails with kubectl's message if the API server cannot be reached.
    pub(super) fn check_connection(&self) -> Result<(), String> {
        self.run(&["get", "--raw", "/version"], &[]).map(drop)
    }

    pub(super) fn get(&self, objects: &[&Resource]) -> Result<Vec<ObjectAnswer>, String> {
        let arguments = "get -f - -o json --ignore-not-found --show-managed-fields=true";
        self.ask(&arguments.split(' ').collect::<Vec<_>>(), objects)
    }

    /// The state that each object would have after an apply, which is only tried by the server.
    pub(super) fn try_apply(
        &self,
        objects: &[&Resource],
        manager: &str,
    ) -> Result<Vec<ObjectAnswer>, String> {
        // The comparison separates the fields of other managers, so a conflict must not end
        // the try.
        let manager = format!("--field-manager={manager}");
        let arguments = "apply --server-side --dry-run=server --force-conflicts -f - -o json";
        let mut arguments: Vec<&str> = arguments.split(' ').collect();
        arguments.insert(4, &manager);
        self.ask(&arguments, objects)
    }

    /// Asks about all objects at once. If kubectl reports an error, each object without an answer
    /// is asked about alone: its message then belongs to the object.
    fn ask(&self, arguments: &[&str], objects: &[&Resource]) -> Result<Vec<ObjectAnswer>, String> {
        if objects.is_empty() {
            return Ok(Vec::new());
        }
        match self.run(arguments, objects) {
            Ok(answer) => {
                let found = read_answer(&answer)?;
                return Ok(objects.iter().map(|object| Ok(find_object(&found, object))).collect());
            }
            Err(message) if objects.len() == 1 => return Ok(vec![Err(message)]),
            Err(_) => {}
        }
        let mut answers = Vec::with_capacity(objects.len());
        for object in objects {
            if self.ports.cancel.is_cancelled() {
                return Err("cancelled".to_owned());
            }
            answers.extend(self.ask(arguments, std::slice::from_ref(object))?);
        }
        Ok(answers)
    }

    /// Runs kubectl with the objects as its input, and returns its output.
    ///
    /// # Errors
    /// kubectl does not run, or ends with an error: its message.
    fn run(&self, arguments: &[&str], objects: &[&Resource]) -> Result<Vec<u8>, String> {
        let context = self.request.context.iter().map(|name| format!("--context={name}"));
        let words = arguments.iter().chain([&REQUEST_TIMEOUT]).map(|&word| word.to_owned());
        let program = Program {
            command: "kubectl".to_owned(),
            arguments: words.chain(context).collect(),
            // kubectl reads the kubeconfig of the user, and runs its plugins for credentials.
            inherits_environment: true,
            directory: self.current.to_owned(),
            input: manifests(objects),
            timeout: Some(TIMEOUT),
            output_limit: Some(MAX_ANSWER_BYTES),
            ..Program::default()
        };
        let cancel = &self.ports.cancel;
        let ended = self.ports.programs.run(&program, &|| cancel.is_cancelled());
        let ended = ended.map_err(|error| error.to_string())?;
        if ended.status == Some(0) {
            return Ok(ended.output);
        }
        let message = String::from_utf8_lossy(&ended.messages).trim().to_owned();
        Err(if message.is_empty() {
            "kubectl failed without a message".to_owned()
        } else {
            message
        })
    }
}

fn manifests(objects: &[&Resource]) -> Arc<[u8]> {
    let text = |object: &&Resource| {
        print_output(&object.node).unwrap_or_else(|_| print_preserving_style(&object.node))
    };
    objects.iter().map(text).collect::<Vec<_>>().join("---\n").into_bytes().into()
}

/// The objects of an answer, which is empty if no object was found.
fn read_answer(answer: &[u8]) -> Result<Vec<Resource>, String> {
    if answer.trim_ascii().is_empty() { Ok(Vec::new()) } else { read_objects(answer) }
}

fn find_object(found: &[Resource], built: &Resource) -> Option<Resource> {
    let exact =
        found.iter().find(|it| is_object(it, built) && it.id.namespace == built.id.namespace);
    exact.or_else(|| found.iter().find(|it| is_object(it, built))).cloned()
}
