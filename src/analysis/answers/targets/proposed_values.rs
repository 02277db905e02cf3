//! The values that results of functions propose for fields: the command that sets a field, and an
//! edit that gives the field its value, tried with the functions of the build.

use std::path::Path;
use std::sync::Arc;

use crate::answers::recording::build::is_pending;
use crate::answers::recording::field::named_path_text;
use crate::answers::reverse::{
    Proposal, WantedField, WantedValue, proposals, value_from_text, verify, wanted_field,
};
use crate::answers::{Finding, FindingKind, Recording, pending_need, relative};
use crate::draft::DraftedFiles;
use crate::engine::diagnostic::{Fix, FunctionRemark, FunctionResult, Remark, TextChange};
use crate::engine::evaluate::Evaluation;
use crate::engine::load::Files;
use crate::engine::plugin::quote_shell_word;
use crate::engine::yaml::print_flow;

/// The limit on results of one target whose values are tried: each trial runs the functions again.
const MAX_TRIED_RESULTS: usize = 20;

pub(super) struct ResultTrials<'a> {
    pub target: &'a Path,
    pub current: &'a Path,
    pub recording: &'a Recording,
    pub files: &'a Arc<dyn Files>,
    /// Builds the target with other files, and runs the functions that the check may run.
    pub build: &'a mut dyn FnMut(Arc<dyn Files>) -> Evaluation,
}

impl ResultTrials<'_> {
    /// Adds to each finding about a proposed value the command that sets the field, and as a fix
    /// the first edit that changes no other field of the target.
    pub(super) fn add_proposed_values(&mut self, findings: &mut [Finding]) {
        let results = findings.iter_mut().filter_map(|finding| {
            let wanted = wanted_by_result(result_of(finding)?, self.recording)?;
            Some((finding, wanted))
        });
        let results: Vec<_> = results.take(MAX_TRIED_RESULTS).collect();
        for (finding, wanted) in results {
            let Some(command) = self.set_command(&wanted) else { continue };
            let mut pending = None;
            let edit = self.exact_edit(&wanted, &mut pending);
            let not_verified = pending.filter(|_| edit.is_none());
            let not_verified = not_verified.map(|it| format!("; no edit is verified: {it}"));
            let hint = format!(
                "run `{command}` to choose an edit that writes the value{}",
                not_verified.unwrap_or_default()
            );
            finding.diagnostic.hint = Some(hint.into());
            finding.diagnostic.fix = edit.and_then(|edit| text_change(&edit, &wanted));
        }
    }

    /// `kzui set overlays/production Deployment/web spec.replicas=3`
    fn set_command(&self, wanted: &WantedField) -> Option<String> {
        let resource = self.recording.output_resource(wanted.slot)?;
        let WantedValue::Set(value) = &wanted.wanted else { return None };
        let folder = relative(self.target, self.current);
        let folder = if folder.is_empty() { ".".to_owned() } else { folder };
        let field = named_path_text(&resource.node, &wanted.path);
        let name = self.recording.names().get(&wanted.slot).cloned()?;
        let words = [folder, name, format!("{field}={}", print_flow(value))];
        let words = words.iter().map(|word| quote_shell_word(word));
        Some(format!("kzui set {}", words.collect::<Vec<_>>().join(" ")))
    }

    /// The first edit with which a build has the value and no other change. An edit in the folder
    /// of the target comes first, because other targets may read other files. If a trial ends with
    /// a pending step, `pending` is its reason.
    fn exact_edit(
        &mut self,
        wanted: &WantedField,
        pending: &mut Option<String>,
    ) -> Option<Proposal> {
        let (recording, files) = (self.recording, self.files);
        let (found, late) = proposals(recording, wanted, &**files);
        let mut found: Vec<Proposal> = found.into_iter().flatten().chain(late).collect();
        found.sort_by_key(|proposal| !proposal.change.path.starts_with(self.target));
        found.into_iter().find(|proposal| {
            let change = &proposal.change;
            let texts = std::iter::once((change.path.clone(), change.draft.clone()));
            let built = (self.build)(Arc::new(DraftedFiles::new(texts, files.clone())));
            if let Some(step) = built.trace.steps.iter().find(|step| is_pending(step)) {
                *pending = pending_need(step);
                return false;
            }
            verify(recording, wanted, &built).is_some_and(|also| also.is_empty())
        })
    }
}

fn result_of(finding: &Finding) -> Option<&FunctionResult> {
    match &finding.diagnostic.remark {
        FindingKind::Remark(Remark::Function(FunctionRemark::Result(result))) => Some(result),
        _ => None,
    }
}

/// The field of a result with the proposed value; `None` if the output has no such field, or if the
/// value cannot be set.
fn wanted_by_result(result: &FunctionResult, recording: &Recording) -> Option<WantedField> {
    let (field, proposed) = (result.field.as_deref()?, result.proposed.as_deref()?);
    let about = result.resource.as_ref()?;
    let (slot, _) = recording.output.iter().find(|(_, resource)| about.matches(&resource.id))?;
    let value = value_from_text(proposed).ok()?;
    wanted_field(recording, *slot, field, WantedValue::Set(value)).ok()
}

fn text_change(edit: &Proposal, wanted: &WantedField) -> Option<Fix> {
    let text = |bytes: &Option<Arc<[u8]>>| {
        String::from_utf8(bytes.as_deref().unwrap_or_default().to_vec()).ok()
    };
    let (was, with) = (text(&edit.change.base)?, text(&edit.change.draft)?);
    let change = TextChange { file: edit.change.path.clone(), at: 0, was, with };
    let WantedValue::Set(value) = &wanted.wanted else { return None };
    let words = format!("write the proposed value {}", print_flow(value));
    Some(Fix::SetText { changes: vec![change], words, is_guess: true })
}
