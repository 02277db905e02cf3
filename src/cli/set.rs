//! `kzui set`: the edits that give a field of a target a value, each verified by building.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::place::repository_root;
use super::{BuildFlags, CliPorts, Exit, changes, evaluate_once, options, place};
use crate::answers::compare::{
    CompareReport, CompareSettings, ComparedSide, ReportResource, ReportTarget, compare_sides,
    disk_tree,
};
use crate::answers::recording::field::named_path_text;
use crate::answers::report::{MigratedFileReport, SetAffected, SetProposal, SetReport};
use crate::answers::reverse::{
    Proposal, ProposalKind, ProposalSearch, VerifiedProposal, WantedField, WantedValue,
    value_from_text, wanted_field,
};
use crate::answers::secrets::Secrets;
use crate::answers::{Recording, ResourceNameError, relative};
use crate::cli::failure::{CommandResult, Failure};
use crate::draft::{FileChange, WriteScope};
use crate::engine::evaluate::{BuildCache, BuildOptions, Ports, Wait, evaluate};
use crate::engine::load::Files;
use crate::engine::resource::Slot;
use crate::engine::yaml::print_flow;

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "FIELD=VALUE sets a field, FIELD+=VALUE appends to a list, and FIELD- removes the field; - alone removes the resource. The value is YAML.\nFIELD is a path, spec.template.spec.containers[web].image, or a JSON pointer.\n\nExamples:\n  kzui set overlays/production Deployment/web spec.replicas=3\n  kzui set overlays/production Deployment/web 'spec.template.spec.containers[web].args+=--verbose' --pick 1 --write\n  kzui set overlays/production Deployment/web metadata.annotations.note-\n  kzui set overlays/production ConfigMap/debug -\n\nExit status: 0 on success, 1 if no edit gives the field that value, 2 for a usage error, 3 if a step of the target is pending, so that further changes are not known."
)]
pub struct SetArgs {
    /// The directory with the kustomization file, or a deployment object
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// The resource: KIND/NAME
    #[arg(value_name = "RESOURCE")]
    pub resource: String,
    /// The field and its value
    #[arg(value_name = "FIELD=VALUE")]
    pub change: String,
    /// The number of the proposal to write or show; by default all are shown
    #[arg(long, value_name = "N")]
    pub pick: Option<usize>,
    /// Write the proposal of --pick; without --pick, the proposal if there is only one
    #[arg(long)]
    pub write: bool,
    /// Print JSON, for scripts
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub build: BuildFlags,
}

/// The field and the wanted value of `FIELD=VALUE`, `FIELD+=VALUE` or `FIELD-`; no field for `-`, the
/// whole resource.
fn parse(text: &str) -> Result<(&str, WantedValue), String> {
    // A `=` inside brackets is part of an element, as in `[name=web]`.
    let mut depth = 0_usize;
    let at = text.char_indices().find(|(_, sign)| {
        match sign {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *sign == '=' && depth == 0
    });
    let Some((at, _)) = at else {
        let field = text.strip_suffix('-').ok_or("write FIELD=VALUE, FIELD+=VALUE, FIELD- or -")?;
        return Ok((field, WantedValue::Remove));
    };
    let (field, value) = (&text[..at], &text[at + 1..]);
    let value = value_from_text(value)?;
    match field.strip_suffix('+') {
        Some(field) => Ok((field, WantedValue::Append(value))),
        None => Ok((field, WantedValue::Set(value))),
    }
}

pub(super) fn run(arguments: &SetArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let (report, found, secrets) = answer(arguments, outside)?;
    print(arguments, report, &found, &secrets, outside)
}

/// The report, the proposals that builds have verified, and the Secrets whose values are masked.
type SetAnswer = (SetReport, Vec<VerifiedProposal>, Secrets);

fn answer(arguments: &SetArgs, outside: &CliPorts<'_>) -> Result<SetAnswer, Failure> {
    let (field, wanted) = parse(&arguments.change)?;
    let options = options::headless_options(&arguments.build, &arguments.target, outside)?;
    let evaluation = evaluate_once(&arguments.target, &options, outside);
    let folder = outside.current.join(&arguments.target);
    let recording = Recording::new(evaluation, &folder);
    if let Some(error) = &recording.error {
        return Err(Failure::failed(format!("the target does not build: {}", error.message)));
    }
    let slot = recording.find(&arguments.resource).map_err(|why| match why {
        ResourceNameError::Unknown { .. } => Failure::failed(why),
        _ => Failure::usage(why),
    })?;
    let mut secrets = super::diff::secrets(false, outside);
    secrets.learn(&recording.trace);
    let wanted = wanted_field(&recording, slot, field, wanted);
    let mut report = report(&recording, slot, field, wanted.as_ref().ok());
    report.target = place::displayed_target_name(&arguments.target, outside);
    let found = match wanted {
        Ok(wanted) => {
            let build = |files: Arc<dyn Files>| {
                let ports = Ports { files, ..outside.ports.clone() };
                let memory = &mut BuildCache::disabled();
                evaluate(&arguments.target, &outside.current, &options, &ports, memory)
            };
            let compare = |change: &FileChange, bases| {
                consequence(std::slice::from_ref(change), &options, bases, outside)
            };
            let real = real_path(&folder, outside);
            let search = ProposalSearch {
                recording: &recording,
                wanted: &wanted,
                files: &outside.ports.files,
                scope: &scope(&folder, outside),
                name: &relative(&real, &repository_root(&real, outside)),
                build: &build,
                compare: &compare,
            };
            search.verified_proposals().map_err(Failure::failed)?
        }
        Err(refusal) => {
            report.refused = Some(refusal);
            Vec::new()
        }
    };
    if found.is_empty() && report.refused.is_none() {
        report.refused = Some("no edit gives the field this value".to_owned());
    }
    report.proposals = (1..)
        .zip(&found)
        .map(|(number, it)| set_proposal(number, it, &arguments.target, &secrets, outside))
        .collect();
    Ok((report, found, secrets))
}

/// The report without its target and without proposals.
fn report(
    recording: &Recording,
    slot: Slot,
    field: &str,
    wanted: Option<&WantedField>,
) -> SetReport {
    let resource = recording.output_resource(slot);
    let value = wanted.and_then(|it| match &it.wanted {
        WantedValue::Set(value) | WantedValue::Append(value) => Some(print_flow(value)),
        WantedValue::Remove => None,
    });
    let path = wanted.zip(resource).map(|(it, resource)| named_path_text(&resource.node, &it.path));
    SetReport {
        schema_version: 1,
        target: String::new(),
        resource: resource
            .map_or_else(String::new, |it| format!("{}/{}", it.id.gvk.kind, it.id.name)),
        field: path.unwrap_or_else(|| field.to_owned()),
        before: wanted.and_then(|it| it.before.as_ref()).map(print_flow),
        wanted: value,
        is_appended: wanted.is_some_and(|it| matches!(it.wanted, WantedValue::Append(_))),
        refused: None,
        waits_for: recording.trace.first_wait().map(Wait::required_action_text),
        written: None,
        proposals: Vec::new(),
    }
}

fn real_path(path: &Path, outside: &CliPorts<'_>) -> PathBuf {
    outside.ports.files.resolve(path).map_or_else(|_| path.to_owned(), |(path, _)| path)
}

/// The files that an edit of a target may change: those of its repository.
pub(super) fn scope(path: &Path, outside: &CliPorts<'_>) -> WriteScope {
    WriteScope::below([repository_root(path, outside)])
}

/// The effect of changes of files on all targets of their repository.
pub(super) fn consequence(
    changes: &[FileChange],
    options: &BuildOptions,
    bases: bool,
    outside: &CliPorts<'_>,
) -> Result<CompareReport, String> {
    let sources = super::diff::sources(outside);
    let root =
        changes.first().map(|change| repository_root(&change.path, outside)).unwrap_or_default();
    let before = ComparedSide::Tree(disk_tree("the files", &root, &[], &sources)?);
    let after = ComparedSide::Tree(disk_tree("the edit", &root, changes, &sources)?);
    let secrets = super::diff::secrets(false, outside);
    let settings = CompareSettings::new(&outside.ports, options, secrets);
    let settings = CompareSettings { bases, every_target: true, ..settings };
    compare_sides(&before, &after, &settings)
}

pub(super) fn changed_resources_text(target: &ReportTarget) -> String {
    let resource = |resource: &ReportResource| {
        let sign = match resource.change.as_str() {
            "added" => "+",
            "removed" => "−",
            _ => "~",
        };
        let fields = resource.fields.iter().map(|field| &*field.path).filter(|it| !it.is_empty());
        let fields = fields.collect::<Vec<_>>().join(", ");
        format!("{sign} {}/{} {fields}", resource.kind, resource.name).trim_end().to_owned()
    };
    let named = target.resources.iter().take(MAX_LISTED).map(resource);
    let more = target.resources.len().saturating_sub(MAX_LISTED);
    let more = (more > 0).then(|| format!("and {more} more"));
    let words = named.chain(more).collect::<Vec<_>>().join("; ");
    format!("{}: {words}", target.target)
}

fn set_proposal(
    number: usize,
    found: &VerifiedProposal,
    target: &str,
    secrets: &Secrets,
    outside: &CliPorts<'_>,
) -> SetProposal {
    let Proposal { kind, words, line, change } = &found.proposal;
    let file = relative(&change.path, &outside.current);
    let own = place::displayed_target_name(target, outside);
    let root = repository_root(&change.path, outside);
    let seen = |target: &str| relative(&root.join(target), &outside.current);
    let affected = |it: &SetAffected| SetAffected {
        target: if it.target.is_empty() { own.clone() } else { seen(&it.target) },
        ..it.clone()
    };
    let kind = match kind {
        ProposalKind::WriterLine => "winningLine",
        ProposalKind::Entry => "entry",
        ProposalKind::Patch => "patch",
    };
    let diff = changes::diff(change, &outside.current, secrets);
    SetProposal {
        number,
        kind: kind.to_owned(),
        words: words.clone(),
        file: file.clone(),
        line: *line,
        is_exact: found.is_exact(),
        also: found.also_here.iter().chain(&found.elsewhere).map(affected).collect(),
        files: vec![MigratedFileReport { file, diff }],
    }
}

const MAX_LISTED: usize = 10;

fn print(
    arguments: &SetArgs,
    mut report: SetReport,
    found: &[VerifiedProposal],
    secrets: &Secrets,
    outside: &mut CliPorts<'_>,
) -> CommandResult {
    if let Some(pick) = arguments.pick
        && !(1..=found.len()).contains(&pick)
        && report.refused.is_none()
    {
        return Err(Failure::usage(format!("no proposal {pick}: there are {}", found.len())));
    }
    if arguments.write && arguments.pick.is_none() && found.len() > 1 {
        return Err(Failure::usage(format!("{} proposals: choose one with --pick", found.len())));
    }
    let pick = arguments.pick.or(arguments.write.then_some(1));
    if let Some(pick) = pick {
        report.proposals.retain(|proposal| proposal.number == pick);
    }
    let refused = report.refused.as_ref().map(|words| secrets.text(words));
    if !arguments.json {
        if let Some(words) = &refused {
            writeln!(outside.err, "error: {words}")?;
        }
        for proposal in &report.proposals {
            print_proposal(proposal, report.waits_for.is_some(), outside)?;
        }
        if let Some(waits) = report.waits_for.as_ref().filter(|_| refused.is_none()) {
            let waits = secrets.text(waits);
            writeln!(
                outside.err,
                "note: a step of the target is pending, so that further changes are not known: {waits}"
            )?;
        }
    }
    if let Some(picked) = pick.and_then(|pick| found.get(pick - 1)).filter(|_| arguments.write) {
        outside.out.flush()?;
        let scope = scope(&outside.current.join(&arguments.target), outside);
        let words = if report.field.is_empty() {
            format!("remove {}", report.resource)
        } else {
            format!("set {} of {}", report.field, report.resource)
        };
        changes::write(
            std::slice::from_ref(&picked.proposal.change),
            &scope,
            &words,
            "written",
            outside,
        )?;
        report.written = pick;
    }
    report.refused.clone_from(&refused);
    if arguments.json {
        outside.out.json(&report)?;
    } else if refused.is_none() && report.written.is_none() {
        let pick = arguments.pick.map_or_else(|| "N".to_owned(), |pick| pick.to_string());
        writeln!(outside.err, "help: run with --pick {pick} --write to write that proposal")?;
    }
    Ok(match (&refused, &report.waits_for) {
        (Some(_), _) => Exit::FAILED,
        (None, Some(_)) => Exit::NOT_KNOWN,
        (None, None) => Exit::OK,
    })
}

/// Prints a proposal. If a step of the target is pending, only the evaluated steps are known.
fn print_proposal(
    proposal: &SetProposal,
    is_pending: bool,
    outside: &mut CliPorts<'_>,
) -> std::io::Result<()> {
    let SetProposal { number, words, file, line, also, .. } = proposal;
    let out = &mut outside.out;
    writeln!(out, "{number}. {file}:{line}: {words}")?;
    if also.is_empty() {
        let known = if is_pending { " before the pending step" } else { "" };
        writeln!(out, "   no other change{known}")?;
    }
    for one in also.iter().take(MAX_LISTED) {
        let SetAffected { target, resource, field } = one;
        writeln!(out, "   also changes {target}: {resource} {field}")?;
    }
    if let Some(more) = also.len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
        writeln!(out, "   and {more} more fields")?;
    }
    for file in &proposal.files {
        out.text(&file.diff)?;
    }
    writeln!(out)
}
