//! One call of a function: run it or take the cached result, check it, apply it.

use std::sync::Arc;

use crate::diagnostic::FailedOperation;
use crate::plugin::{
    AppliedReply, CallContext, FunctionFailure, FunctionRun, ReplyingFunction, call,
    read_run_reply, receive_generated, receive_transformed, validate,
};
use crate::profile::Profile;
use crate::resource::{ResourceOrigin, Slot};
use crate::transform::TransformError;
use crate::yaml::Node;

use super::super::accumulator::{Accumulator, absorb, drop_empties};
use super::super::build::Build;
use super::super::configured::PluginUse;
use super::super::origins::mark_transformed;
use super::Function;

/// The call, warnings about it, and the returned objects: `None` for a validator without output.
type FunctionCallOutcome =
    (Option<FunctionRun>, Vec<String>, Result<Option<Vec<Node>>, FunctionFailure>);

impl Build<'_> {
    pub(super) fn call_function(
        &mut self,
        function: &Function,
        input: Arc<[u8]>,
        count: usize,
        usage: PluginUse,
    ) -> FunctionCallOutcome {
        self.notes.own.ran = true;
        let options = &self.setup.options.functions;
        let (clock, cancel) = (&self.setup.ports.clock, &self.setup.ports.cancel);
        let memory = &*self.memory;
        let caller = CallContext {
            options,
            programs: &*self.setup.ports.programs,
            now: &|| clock.now(),
            is_cancelled: &|| cancel.is_cancelled(),
            recall: &|key| memory.runs.get(key).filter(|_| options.replay).cloned(),
        };
        let (mut run, key, result) = call(&function.reference, input, caller);
        run.items_in = count;
        match result {
            Err(FunctionFailure::Refused(refusal)) => {
                return (None, Vec::new(), Err(FunctionFailure::Refused(refusal)));
            }
            Err(failure) => return (Some(run), Vec::new(), Err(failure)),
            Ok(()) => {}
        }
        let mut warnings = function.warnings.clone();
        let reply = match read_run_reply(&mut run) {
            Ok(reply) => reply,
            Err(failure) => return (Some(run), warnings, Err(failure)),
        };
        if let Some(key) = key {
            self.memory.runs.insert(key, Arc::new(run.clone()));
        }
        warnings.extend(reply.warnings);
        if let Some(failure) = self.worst_result(&run) {
            return (Some(run), warnings, Err(failure));
        }
        let items = match (reply.items, usage) {
            (Some(items), _) => Ok(Some(items)),
            (None, PluginUse::Generator) => {
                warnings.push(format!("function {} generated no resources", run.function));
                Ok(Some(Vec::new()))
            }
            // The output of a validator, if any, is discarded (KEP-2299).
            (None, PluginUse::Validator) => Ok(None),
            // D-C10: no list in the output is an error. Kustomize drops all resources without a
            // message.
            (None, _) => Err(FunctionFailure::Failed {
                text: format!("function {} exited 0 but wrote no ResourceList", run.function),
                hint: Some("to remove all resources, the function writes `items: []`".into()),
            }),
        };
        (Some(run), warnings, items)
    }

    /// The failure with the results that reach the limit of `--fail-on-result`, if any (D-C13).
    fn worst_result(&self, run: &FunctionRun) -> Option<FunctionFailure> {
        let limit = self.setup.options.functions.fail_on_result?;
        let worst = run.results.iter().filter(|result| result.severity <= limit);
        let lines: Vec<String> = worst.map(|result| format!("\n  {result}")).collect();
        let head = format!(
            "function {} reported results that --fail-on-result {} does not allow",
            run.function,
            limit.word()
        );
        (!lines.is_empty())
            .then(|| FunctionFailure::Failed { text: head + &lines.concat(), hint: None })
    }
}

type ReplyEffects = (Vec<String>, Option<Arc<Vec<Slot>>>);

pub(super) fn apply_reply(
    acc: &mut Accumulator,
    items: Vec<Node>,
    origin: Option<&Arc<ResourceOrigin>>,
    usage: PluginUse,
    (profile, cx): (Profile, ReplyingFunction<'_>),
) -> Result<ReplyEffects, TransformError> {
    let resources = &mut acc.resources;
    let AppliedReply { warnings, order, new_resources: made } = match usage {
        PluginUse::Generator => {
            let scopes = resources.scopes().clone();
            receive_generated(items, &scopes, cx)?
        }
        PluginUse::Transformer | PluginUse::Composition => {
            receive_transformed(resources, items, cx)?
        }
        PluginUse::Validator => {
            validate(resources, cx.mark, |resources| receive_transformed(resources, items, cx))?
        }
    };
    let mut order = order;
    for mut resource in made {
        if let Some(origin) = origin {
            resource.set_generator(origin);
        }
        resource.refresh_id(acc.resources.scopes());
        let slot = absorb(acc, resource, profile).map_err(|fault| {
            TransformError::fault(fault, cx.mark).within(FailedOperation::Merging)
        })?;
        order.push(slot);
    }
    let resources = &mut acc.resources;
    if matches!(usage, PluginUse::Transformer | PluginUse::Composition) {
        drop_empties(resources);
        if let Some(origin) = origin {
            for slot in resources.slots() {
                mark_transformed(slot, resources, origin);
            }
        }
    }
    // D-A29. In Kustomize existing resources keep their positions, so that a sorting function has
    // no effect.
    let before = resources.slots();
    if usage == PluginUse::Composition && before != order {
        resources.reorder(&order);
    }
    let after = resources.slots();
    Ok((warnings, (before != after).then(|| Arc::new(after))))
}
