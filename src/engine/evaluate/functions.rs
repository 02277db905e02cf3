//! KRM functions as steps of a build (section C of the functions reference; section 8 of the build reference).

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::engine::function::{
    Answered, Answering, Caller, Failure, FunctionPolicy, FunctionRef, FunctionRun, Gates,
    Outgoing, Refusal, RuntimeField, Severity, call, conclude, display, function_config,
    receive_generated, receive_transformed, receive_validated, request, resolve, stated_runtime,
    states_runtime,
};
use crate::engine::resource::{FilePlace, Origin, Resource};
use crate::engine::transform::{TransformError, Warning};
use crate::engine::yaml::{Mark, Node, SourceId};

use super::accumulator::{Accumulator, absorb, drop_empties, place};
use super::build::{Build, Level};
use super::external::{Configured, plugin_heading};
use super::recorder::{Account, Begun, Halt, Heading};
use super::{FILE_NAMES, StepKind};

/// What a function is asked as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FunctionUse {
    /// An entry of `generators:`.
    Generator,
    /// An entry of `transformers:` of a Kustomization.
    Transformer,
    /// An entry of `validators:`.
    Validator,
    /// An entry of a Composition.
    #[expect(dead_code, reason = "the room of Compositions calls it")]
    Composition,
}

/// A function that is ready to run.
pub(super) struct Function {
    reference: FunctionRef,
    /// What it gets as its `functionConfig`.
    config: Node,
    warnings: Vec<String>,
}

impl FunctionUse {
    fn field(self) -> RuntimeField {
        match self {
            Self::Composition => RuntimeField::Reserved,
            _ => RuntimeField::IfItLooksLikeOne,
        }
    }

    fn heading(self, level: &Level<'_>, configured: &Configured) -> Heading {
        let (kind, field) = match self {
            Self::Generator => (StepKind::Generate, "generators"),
            Self::Transformer | Self::Composition => (StepKind::ExternalTransform, "transformers"),
            Self::Validator => (StepKind::Validate, "validators"),
        };
        plugin_heading(level, configured, kind, field)
    }
}

/// True for an object that says which function runs it.
pub(super) fn is_function(configured: &Configured, usage: FunctionUse) -> bool {
    states_runtime(&configured.config.node, usage.field())
}

impl Build<'_> {
    /// Resolves a function and runs it as a step.
    pub(super) fn external_function(
        &mut self,
        level: &Level<'_>,
        configured: &Configured,
        usage: FunctionUse,
        acc: &mut Accumulator,
    ) -> Result<(), Halt> {
        let heading = usage.heading(level, configured);
        match self.resolve_function(level, configured, usage) {
            Ok(function) => self.run_function(level, heading, configured, &function, usage, acc),
            Err(refusal) => self.refuse_function(heading, refusal, usage),
        }
    }

    /// What runs an object: its own runtime, by the flags' leave.
    pub(super) fn resolve_function(
        &self,
        level: &Level<'_>,
        configured: &Configured,
        usage: FunctionUse,
    ) -> Result<Function, Refusal> {
        let config = &configured.config;
        let stated = stated_runtime(&config.node, usage.field())
            .map_err(|error| Refusal::Invalid { phrase: error.phrase, mark: Some(error.mark) })?;
        let Some(spec) = stated.spec else {
            let phrase = format!("no runtime is given for {}", display(&config.id));
            return Err(Refusal::Invalid { phrase, mark: None });
        };
        let gates = Gates {
            plugins: self.options.enable_alpha_plugins,
            exec: self.options.enable_exec,
            star: self.options.functions.enable_star,
        };
        let reference = resolve(&spec, &config.id, level.root, gates)?;
        let config = function_config(&config.node, stated.in_field);
        Ok(Function { reference, config, warnings: stated.warnings })
    }

    /// A refusal that only lets the step wait goes along with the plan; any other ends the build before anything runs.
    pub(super) fn enabled(
        &mut self,
        heading: &Heading,
        resolved: Result<Function, Refusal>,
        usage: FunctionUse,
    ) -> Result<Result<Function, Refusal>, Halt> {
        let waits = self.options.functions.policy == FunctionPolicy::Wait;
        match resolved {
            Err(refusal) if !(waits && matches!(refusal, Refusal::NotAllowed { .. })) => {
                self.refuse_function(heading.clone(), refusal.clone(), usage)?;
                Ok(Err(refusal))
            }
            resolved => Ok(resolved),
        }
    }

    /// Runs a planned function, or lets its step wait.
    pub(super) fn run_resolved(
        &mut self,
        level: &Level<'_>,
        heading: Heading,
        configured: &Configured,
        resolved: Result<Function, Refusal>,
        usage: FunctionUse,
        acc: &mut Accumulator,
    ) -> Result<(), Halt> {
        match resolved {
            Ok(function) => self.run_function(level, heading, configured, &function, usage, acc),
            Err(refusal) => self.refuse_function(heading, refusal, usage),
        }
    }

    /// A function that may not run: the step waits in the workbench and fails elsewhere.
    pub(super) fn refuse_function(
        &mut self,
        heading: Heading,
        refusal: Refusal,
        usage: FunctionUse,
    ) -> Result<(), Halt> {
        let begun = self.begin(heading)?;
        self.refuse_begun(begun, refusal, usage, Account::default())
    }

    fn refuse_begun(
        &mut self,
        begun: Begun,
        refusal: Refusal,
        usage: FunctionUse,
        account: Account,
    ) -> Result<(), Halt> {
        let waits = self.options.functions.policy == FunctionPolicy::Wait;
        let (phrase, mark, hint) = match refusal {
            Refusal::NotAllowed { phrase, hint } if waits => {
                self.waits = true;
                self.recorder.waiting(begun, &format!("{phrase}; {hint}"));
                return Ok(());
            }
            Refusal::NotAllowed { phrase, hint } => (phrase, None, Some(hint)),
            Refusal::Invalid { phrase, mark } => (phrase, mark, None),
        };
        let prefix = match usage {
            FunctionUse::Generator if phrase.starts_with("external plugins disabled") => {
                "loading generator plugins: failed to load generator: "
            }
            _ => "",
        };
        let mark = mark.filter(|mark| mark.line > 0).unwrap_or(begun.heading.mark);
        let error = TransformError::Phrase { phrase: format!("{prefix}{phrase}"), mark, hint };
        let error = self.fail(&begun, error);
        self.recorder.record(begun, Vec::new(), account, Err(error))
    }

    /// Calls a function and puts its answer in place, as one step.
    pub(super) fn run_function(
        &mut self,
        level: &Level<'_>,
        heading: Heading,
        configured: &Configured,
        function: &Function,
        usage: FunctionUse,
        acc: &mut Accumulator,
    ) -> Result<(), Halt> {
        let begun = self.begin(heading)?;
        let mark = begun.heading.mark;
        acc.resources.take_changes();
        let sent = self.sent(level, function, usage, acc);
        let mut account = Account { matched: sent.len(), ..Account::default() };
        let bytes = match request(&sent, &function.config) {
            Ok(bytes) => bytes,
            Err(phrase) => {
                let error = self.fail(&begun, TransformError::phrase(phrase, mark));
                return self.recorder.record(begun, Vec::new(), account, Err(error));
            }
        };
        let (run, items) = self.ask(function, bytes.into(), sent.len(), usage);
        if let Some(run) = &run {
            self.tell(run, &mut account, mark);
        }
        account.run = run.map(Arc::new);
        let items = match items {
            Ok(items) => items,
            Err(Failure::Cancelled) => return Err(Halt::Cancelled),
            Err(Failure::Refused(refusal)) => {
                return self.refuse_begun(begun, refusal, usage, account);
            }
            Err(Failure::Failed { phrase, hint }) => {
                let error = self.fail(&begun, TransformError::Phrase { phrase, mark, hint });
                return self.recorder.record(begun, Vec::new(), account, Err(error));
            }
        };
        let origin =
            self.metadata.is_wanted().then(|| Arc::new(self.plugin_origin(level, configured)));
        let who = function.reference.who();
        let cx = Answering { who, mark, composed: usage == FunctionUse::Composition };
        let result = take_answer(acc, &sent, items, origin.as_ref(), usage, cx);
        let result = result.map(|(warnings, order)| {
            account.order = order;
            self.warn(warnings, &mut account, mark);
        });
        let result = result.map_err(|error| self.fail(&begun, error));
        self.next_slot = self.next_slot.max(acc.resources.next_slot());
        self.recorder.end(begun, &mut acc.resources, account, result)
    }

    /// Runs the function, or recalls what it left, and reads the objects that it gave back.
    fn ask(
        &mut self,
        function: &Function,
        input: Arc<[u8]>,
        count: usize,
        usage: FunctionUse,
    ) -> (Option<FunctionRun>, Result<Vec<Node>, Failure>) {
        let options = &self.options.functions;
        let (clock, cancel) = (&self.ports.clock, &self.ports.cancel);
        let memory = &*self.memory;
        let caller = Caller {
            options,
            programs: &*self.ports.programs,
            now: &|| clock.now(),
            is_cancelled: &|| cancel.is_cancelled(),
            recall: &|key| memory.recall_run(key).filter(|_| options.replay),
        };
        let (mut run, key, result) = call(&function.reference, input, caller);
        run.items_in = count;
        match result {
            Err(Failure::Refused(refusal)) => return (None, Err(Failure::Refused(refusal))),
            Err(failure) => return (Some(run), Err(failure)),
            Ok(()) => {}
        }
        let reply = match conclude(&mut run) {
            Ok(reply) => reply,
            Err(failure) => return (Some(run), Err(failure)),
        };
        if let Some(key) = key {
            self.memory.remember_run(key, Arc::new(run.clone()));
        }
        let warnings = reply.warnings.into_iter().chain(function.warnings.iter().cloned());
        self.warnings.extend(warnings.map(|text| format!("Warning: {text}")));
        if let Some(failure) = self.worst_result(&run) {
            return (Some(run), Err(failure));
        }
        let items = match (reply.items, usage) {
            (Some(items), _) => Ok(items),
            (None, FunctionUse::Generator) => {
                self.warnings.push(format!("Warning: function {} generated nothing", run.function));
                Ok(Vec::new())
            }
            // D-C10. Kustomize: all resources are gone, and nothing is said.
            (None, _) => Err(Failure::Failed {
                phrase: format!("function {} exited 0 but wrote no ResourceList", run.function),
                hint: Some("to remove everything it writes `items: []`".to_owned()),
            }),
        };
        (Some(run), items)
    }

    /// `--fail-on-result` (D-C13)
    fn worst_result(&self, run: &FunctionRun) -> Option<Failure> {
        let limit = self.options.functions.fail_on_result?;
        let worst = run.results.iter().filter(|result| result.severity <= limit);
        let lines: Vec<String> = worst.map(|result| format!("\n  {result}")).collect();
        (!lines.is_empty()).then(|| Failure::Failed {
            phrase: format!(
                "function {} reported results that --fail-on-result {} does not allow{}",
                run.function,
                limit.word(),
                lines.concat()
            ),
            hint: None,
        })
    }

    /// What the function said goes to standard error, and its results to the step.
    fn tell(&mut self, run: &FunctionRun, account: &mut Account, mark: Mark) {
        if run.status == Some(0) {
            let lines = run.messages.lines().map(|line| format!("[{}] {line}", run.function));
            self.warnings.extend(lines);
            let results = run.results.iter().map(|result| format!("[{}] {result}", run.function));
            self.warnings.extend(results);
        }
        for result in &run.results {
            let code = match result.severity {
                Severity::Error => "KZ301",
                Severity::Warning => "KZ302",
                Severity::Info => continue,
            };
            account.warnings.push(Warning { code, message: result.to_string(), hint: None, mark });
        }
    }

    fn warn(&mut self, texts: Vec<String>, account: &mut Account, mark: Mark) {
        for message in texts {
            self.warnings.push(format!("Warning: {message}"));
            account.warnings.push(Warning { code: "KZ303", message, hint: None, mark });
        }
    }

    /// The objects that the function gets. A generator gets its own configuration, and so does a transformer of a
    /// Kustomization that has no resources yet (D-C11).
    fn sent(
        &self,
        level: &Level<'_>,
        function: &Function,
        usage: FunctionUse,
        acc: &Accumulator,
    ) -> Vec<Outgoing> {
        let alone = match usage {
            FunctionUse::Generator => true,
            FunctionUse::Transformer => acc.resources.is_empty(),
            FunctionUse::Validator | FunctionUse::Composition => false,
        };
        if alone {
            let resource = Resource::new(function.config.clone(), &self.scopes);
            return vec![Outgoing { resource: Arc::new(resource), place: None }];
        }
        let mut lines: IndexMap<SourceId, Vec<u32>> = IndexMap::new();
        for (_, resource) in acc.resources.iter() {
            let mark = place(resource);
            lines.entry(mark.source).or_default().push(mark.line);
        }
        lines.values_mut().for_each(|lines| lines.sort_unstable());
        let sent = acc.resources.iter().map(|(_, resource)| {
            let place = match &resource.place {
                Some(place) => Some(FilePlace::clone(place)),
                None => self.place_in_files(level, resource, &lines),
            };
            Outgoing { resource: resource.clone(), place }
        });
        sent.collect()
    }

    /// D-C1: the file that a resource was read from, relative to the build root, and its place in it.
    fn place_in_files(
        &self,
        level: &Level<'_>,
        resource: &Resource,
        lines: &IndexMap<SourceId, Vec<u32>>,
    ) -> Option<FilePlace> {
        let mark = place(resource);
        let path = Path::new(self.memory.sources.path(mark.source)?);
        let name = path.file_name()?.to_str()?;
        let is_local = path.is_absolute() && level.root.clone_of().is_none();
        if !is_local || FILE_NAMES.contains(&name) {
            return None;
        }
        let index = lines.get(&mark.source)?.iter().position(|line| *line == mark.line)?;
        Some(FilePlace {
            path: super::finish::relative(&self.start, path).into(),
            index: u64::try_from(index).unwrap_or(0),
        })
    }
}

type Taken = (Vec<String>, Option<Arc<Vec<crate::engine::resource::Slot>>>);

fn take_answer(
    acc: &mut Accumulator,
    sent: &[Outgoing],
    items: Vec<Node>,
    origin: Option<&Arc<Origin>>,
    usage: FunctionUse,
    cx: Answering<'_>,
) -> Result<Taken, TransformError> {
    let resources = &mut acc.resources;
    let Answered { warnings, order, made } = match usage {
        FunctionUse::Generator => {
            let scopes = resources.scopes().clone();
            receive_generated(sent, items, &scopes, cx)?
        }
        FunctionUse::Transformer | FunctionUse::Composition => {
            receive_transformed(resources, sent, items, cx)?
        }
        FunctionUse::Validator => receive_validated(resources, sent, items, cx)?,
    };
    let mut order = order;
    for mut resource in made {
        resource.origin = resource.origin.or_else(|| origin.cloned());
        resource.refresh_id(resources.scopes());
        let slot = absorb(resources, resource).map_err(|phrase| {
            TransformError::phrase(format!("merging from generator: {phrase}"), cx.mark)
        })?;
        order.push(slot);
    }
    if matches!(usage, FunctionUse::Transformer | FunctionUse::Composition) {
        drop_empties(resources);
        if let Some(origin) = origin {
            super::finish::mark_transformed(resources, Origin::clone(origin));
        }
    }
    // D-A29. Kustomize: what was there keeps its place, and a function that sorts has no effect.
    let before = resources.slots();
    if usage == FunctionUse::Composition && before != order {
        resources.reorder(&order);
    }
    let after = resources.slots();
    Ok((warnings, (before != after).then(|| Arc::new(after))))
}
