//! KRM functions as steps of a build (section C of the functions reference; section 8 of the build
//! reference).

mod ask;
mod catalogs;
mod config_source;
mod outgoing_objects;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::diagnostic::{
    Diagnostic, FailedOperation, FunctionRemark, Hint, PluginFault, ProgramRemark, RefusalCause,
    printable,
};
use crate::evaluate::BuildWarning;
use crate::plugin::{
    FunctionFailure, FunctionRef, FunctionRun, ReplyingFunction, RunRefusal, RuntimeField,
    SearchOutcome, declared_runtime, exec_path_remark, has_runtime, request,
    require_signed_runtime, resolve,
};
use crate::resource::ResId;
use crate::transform::TransformError;
use crate::yaml::Node;

use super::Wait;
use super::build::Build;
use super::configured::{PluginConfig, PluginUse};
use super::recorder::{BuildAbort, OpenStep};
use super::step::Step;
use ask::apply_reply;
use config_source::{configuration_scalars, trace_to_config};

pub(super) struct Function {
    reference: FunctionRef,
    config: Node,
    warnings: Vec<String>,
    /// The path of the program that runs; displayed, but not as a warning.
    noted: Option<ProgramRemark>,
}

impl PluginConfig<'_> {
    fn runtime_field(&self) -> RuntimeField {
        match self.usage {
            PluginUse::Composition => RuntimeField::Reserved,
            _ => RuntimeField::IfRuntimeShaped,
        }
    }
}

impl Build<'_> {
    /// True if an object configures a KRM function: it sets a runtime, a catalog defines it, or it
    /// is not built in and legacy plugins are disabled (the step is then pending or fails, as for
    /// any function).
    ///
    /// D-B4: a catalog takes precedence over a legacy plugin of the same kind.
    pub(super) fn is_function(&mut self, configured: &PluginConfig<'_>) -> bool {
        !configured.is_builtin()
            && (!self.setup.options.enable_alpha_plugins
                || has_runtime(&configured.config.node, configured.runtime_field())
                // Catalogs that cannot be read may define it.
                || !matches!(
                    self.search_catalogs(configured),
                    Ok(SearchOutcome::Nothing { .. })
                ))
    }

    /// The function for an object: by the runtime that the object sets, if the flags allow that
    /// runtime, or by a catalog.
    pub(super) fn resolve_function(
        &mut self,
        configured: &PluginConfig<'_>,
    ) -> Result<Function, RunRefusal> {
        let config = &configured.config;
        let stated = declared_runtime(&config.node, configured.runtime_field())
            .map_err(|error| RunRefusal::invalid_at(error.text.into(), error.mark))?;
        let Some(spec) = stated.spec else {
            let resolved = self.resolve_in_catalogs(configured)?;
            let (reference, warnings) = resolved.ok_or_else(|| {
                if !self.setup.options.enable_alpha_plugins {
                    return RunRefusal::plugins_disabled(&config.id);
                }
                RunRefusal::invalid(format!(
                    "{}, and no runtime given; set `runtime`, or list the catalog that defines it under `catalogs`",
                    not_built_in(&config.id)
                ))
            })?;
            let config = self.outgoing_config(configured, false);
            return Ok(Function { reference, config, warnings, noted: None });
        };
        let gates = self.setup.gates();
        let programs = &*self.setup.ports.programs;
        let trust = &self.setup.options.trust;
        let reference = resolve(&spec, &config.id, configured.level.root, gates, programs)?;
        require_signed_runtime(&spec, &config.id, trust, self.setup.catalog_ports())?;
        let noted = exec_path_remark(&spec, configured.level.root, programs);
        let config = self.outgoing_config(configured, stated.in_field);
        Ok(Function { reference, config, warnings: stated.warnings, noted })
    }

    /// Returns `resolved`, or fails the build before the first function runs. A refusal that only
    /// makes the step pending does not fail the build: it is part of the plan.
    pub(super) fn refuse_unless_pending(
        &mut self,
        configured: &PluginConfig<'_>,
        resolved: Result<Function, RunRefusal>,
    ) -> Result<Result<Function, RunRefusal>, BuildAbort> {
        let waits = self.setup.options.functions.waits;
        match resolved {
            Err(refusal) if !(waits && refusal.required.is_some()) => {
                let begun = self.begin(configured.heading())?;
                self.refuse_function(begun, &refusal, configured.usage)?;
                Ok(Err(refusal))
            }
            resolved => Ok(resolved),
        }
    }

    pub(super) fn run_resolved(
        &mut self,
        configured: &PluginConfig<'_>,
        resolved: Result<Function, RunRefusal>,
    ) -> Result<(), BuildAbort> {
        let function = Some(configured.config.id.gvk.clone());
        let begun = self.begin(Step { function, ..configured.heading() })?;
        match resolved {
            Ok(function) => self.run_function(begun, configured, &function),
            Err(refusal) => self.refuse_function(begun, &refusal, configured.usage),
        }
    }

    /// Ends the running step of a function that is not allowed to run: as pending in the workbench,
    /// elsewhere as failed.
    fn refuse_function(
        &mut self,
        begun: OpenStep,
        refusal: &RunRefusal,
        usage: PluginUse,
    ) -> Result<(), BuildAbort> {
        let waits = self.setup.options.functions.waits;
        if let Some(wait) = Wait::of_refusal(refusal).filter(|_| waits) {
            self.mark_pending(begun, wait);
            return Ok(());
        }
        let mark = refusal.mark.filter(|mark| mark.line > 0).unwrap_or(begun.step.mark);
        let hint = refusal.required.as_ref().map(|(hint, _)| Hint::clone(hint));
        let fault = PluginFault::Refused(refusal.cause.clone());
        let error = TransformError::fault(fault, mark).with_hint_if(hint);
        let error = match (usage, &refusal.cause) {
            (PluginUse::Generator, RefusalCause::PluginsDisabled(_)) => error
                .within(FailedOperation::LoadingGenerator)
                .within(FailedOperation::GeneratorPlugins),
            _ => error,
        };
        Err(self.recorder.fail(begun, error))
    }

    fn run_function(
        &mut self,
        mut begun: OpenStep,
        configured: &PluginConfig<'_>,
        function: &Function,
    ) -> Result<(), BuildAbort> {
        let (mark, usage) = (begun.step.mark, configured.usage);
        self.acc.resources.take_changes();
        let sent = self.input_objects(configured.level, function, usage);
        begun.step.matched = sent.len();
        let bytes = match request(&sent, &function.config) {
            Ok(bytes) => bytes,
            Err(fault) => {
                return Err(self.recorder.fail(begun, TransformError::fault(fault, mark)));
            }
        };
        let noted = function.noted.clone();
        begun.step.warnings.extend(noted.map(|remark| Diagnostic::new(remark, mark)));
        let (mut run, warnings, items) =
            self.call_function(function, bytes.into(), sent.len(), usage);
        let scalars: Arc<[_]> = configuration_scalars(&function.config).into();
        if let Some(run) = &mut run {
            run.configuration = scalars.clone();
            self.report_run(run, &mut begun.step);
        }
        self.warn(warnings, &mut begun.step);
        begun.step.run = run.map(Arc::new);
        let items = match items {
            Ok(items) => items,
            Err(FunctionFailure::Cancelled) => return Err(BuildAbort::Cancelled),
            Err(FunctionFailure::Refused(refusal)) => {
                return self.refuse_function(begun, &refusal, usage);
            }
            Err(FunctionFailure::Failed { text, hint }) => {
                let error = TransformError::fault(PluginFault::Other(text), mark);
                let error = error.with_hint_if(hint.map(|hint| *hint));
                return Err(self.recorder.fail(begun, error));
            }
        };
        let origin = self.root.plugin_origin(configured, &self.memory.sources).map(Arc::new);
        let who = function.reference.configured_by();
        let profile = self.setup.profile();
        let cx = ReplyingFunction {
            configured_by: who,
            mark,
            composed: usage == PluginUse::Composition,
            sent: &sent,
        };
        let result = items.map_or_else(
            || Ok((Vec::new(), None)),
            |items| apply_reply(&mut self.acc, items, origin.as_ref(), usage, (profile, cx)),
        );
        let result = result.map(|(warnings, order)| {
            begun.step.order = order;
            trace_to_config(&mut self.acc.resources, &scalars, mark);
            self.warn(warnings, &mut begun.step);
        });
        self.end(begun, result)
    }

    fn report_run(&mut self, run: &FunctionRun, step: &mut Step) {
        if run.status == Some(0) {
            if !run.told {
                let lines = run.messages.lines().map(|line| BuildWarning::FunctionStderr {
                    function: run.function.clone(),
                    line: printable(line),
                });
                self.notes.warn_all(lines);
            }
            step.warnings.extend(stderr_note(run).map(|note| Diagnostic::new(note, step.mark)));
            let results = run.results.iter().map(|result| BuildWarning::FunctionResult {
                function: run.function.clone(),
                result: Box::new(result.clone()),
            });
            self.notes.warn_all(results);
        }
        for result in &run.results {
            let remark = FunctionRemark::Result(Box::new(result.clone()));
            step.warnings.push(Diagnostic::new(remark, step.mark));
        }
    }

    fn warn(&mut self, texts: Vec<String>, step: &mut Step) {
        for text in texts {
            let warning = Diagnostic::new(FunctionRemark::Odd(text), step.mark);
            self.add_warning(&warning);
            step.warnings.push(warning);
        }
    }
}

fn not_built_in(id: &ResId) -> String {
    let (version, kind) = (id.gvk.api_version(), &id.gvk.kind);
    format!("no implementation found for {version} {kind} (\"{}\"): not built in", id.name)
}

const MAX_NOTED_CHARS: usize = 200;

fn stderr_note(run: &FunctionRun) -> Option<FunctionRemark> {
    let mut lines = run.messages.lines().filter(|line| !line.trim().is_empty());
    let first = printable(lines.next()?).chars().take(MAX_NOTED_CHARS).collect();
    let function = run.function.clone();
    Some(FunctionRemark::StandardError { function, first, more: lines.count() })
}
