//! `kzui why`: the writers of a field, the final writer first, and the entries that did not write
//! it.

mod page;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use indexmap::IndexSet;

use crate::answers::provenance::absence::{Absence, find_absence};
use crate::answers::provenance::blame::{FieldSource, FieldWriter, WriterStatus};
use crate::answers::provenance::configuration_trial::ConfigurationTrials;
use crate::answers::provenance::why::WhyAnswer as Answer;
use crate::answers::recording::field::{WrittenPath, leaves, pointer};
use crate::answers::secrets::Secrets;
use crate::answers::{Recording, ResourceNameError, add_trial_findings, relative};
use crate::cli::failure::CommandResult;
use crate::engine::evaluate::{BuildCache, BuildOptions, Evaluation, Ports, StepKind, evaluate};
use crate::engine::load::Files;
use crate::engine::plugin::NoPrograms;
use crate::engine::resource::{PathStep, Slot};
use crate::engine::yaml::{Limits, Node, SourceId, parse_documents};

use crate::cli::place::LocationFormatter;
use crate::cli::report::{print_failure, print_pending};
use crate::cli::{AnswerFlags, CliPorts, Exit, evaluate_once, options};

#[derive(Clone, Debug, Args)]
#[command(
    override_usage = "kzui why [OPTIONS] [DIR] <RESOURCE> [FIELD]\n       kzui why [OPTIONS] [DIR] <FILE:LINE>",
    after_help = "RESOURCE is KIND/NAME; if several match: KIND.GROUP/NAME, NAMESPACE/KIND/NAME, GROUP/VERSION/KIND/NAMESPACE/NAME. NAME is the name in the output or at any earlier step.\n\
                  FIELD is a path, spec.template.spec.containers[web].image, or a JSON pointer.\n\
                  FILE:LINE selects the field on this line of an output that was written to a file.\n\n\
                  Examples:\n  kzui why overlays/production Deployment/web spec.replicas\n  kzui why overlays/production out.yaml:120\n\n\
                  Exit status: 0 if a step writes the field, 1 if no step does, the build fails or a pending step may write the field, 2 for a usage error."
)]
pub struct WhyArgs {
    /// The directory with the kustomization file (default: the current one), the resource, and its field
    #[arg(required = true, num_args = 1..=3, value_names = ["DIR", "RESOURCE", "FIELD"])]
    pub what: Vec<String>,
    /// One line for each writer, with tabs between its parts, for scripts
    #[arg(long, conflicts_with = "json")]
    pub porcelain: bool,
    #[command(flatten)]
    pub flags: AnswerFlags,
}

/// The directory, the resource and the field among the arguments. A first argument that is a
/// directory or a URL is the target.
fn words<'a>(
    arguments: &'a WhyArgs,
    outside: &CliPorts<'_>,
) -> (&'a str, &'a str, Option<&'a str>) {
    let is_target = |word: &str| {
        word.contains("://") || (outside.is_directory)(&outside.current.join(Path::new(word)))
    };
    match arguments.what.as_slice() {
        [dir, resource, field] => (dir, resource, Some(field)),
        [first, second] if is_target(first) => (first, second, None),
        [first, second] => (".", first, Some(second)),
        [resource] => (".", resource, None),
        _ => (".", "", None),
    }
}

struct AskedBuild<'a> {
    dir: &'a str,
    options: BuildOptions,
    recording: Recording,
}

pub(in crate::cli) fn run(arguments: &WhyArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let (dir, resource, field) = words(arguments, outside);
    let options = options::headless_options(&arguments.flags.build, dir, outside)?;
    let mut evaluation = evaluate_once(dir, &options, outside);
    add_trial_findings(&mut evaluation, dir, &outside.current, &options, &outside.ports);
    let recording = Recording::new(evaluation, &outside.current.join(dir));
    let asked = AskedBuild { dir, options, recording };
    let recording = &asked.recording;
    if let Some(error) = &recording.error {
        print_failure(error, &recording.trace, outside)?;
        if recording.trace.steps.iter().all(|step| step.changes.is_empty()) {
            return Ok(Exit::FAILED);
        }
        writeln!(outside.err, "The build fails: the answer covers the steps before the failure.")?;
    }
    let waits = print_pending(&recording.trace, outside)?.is_some();
    let located = locate_field(resource, outside).transpose()?;
    let (resource, field) = match &located {
        None => (resource, field),
        Some((names, path)) => {
            let is_known = |name: &&String| recording.find(name).is_ok();
            let name = names.iter().find(is_known).or(names.last());
            (name.map_or(resource, String::as_str), Some(path.as_str()))
        }
    };
    let slot = match recording.find(resource) {
        Ok(slot) => slot,
        Err(ResourceNameError::Unknown { .. }) if waits => {
            writeln!(outside.err, "not known: no resource {resource} before the pending step")?;
            return Ok(Exit::FAILED);
        }
        Err(why) => return asked.report_no_resource(&why, (resource, field), outside),
    };
    let field = field.unwrap_or_default();
    let mut answer = recording.why(slot, &WrittenPath::parse(field));
    if !field.is_empty() {
        // The functions of the build run again, with the permissions of the command line.
        let (folder, files) = (outside.current.join(dir), outside.ports.files.clone());
        let build = |files: Arc<dyn Files>| {
            asked.build(&Ports { files, ..outside.ports.clone() }, &outside.current)
        };
        ConfigurationTrials { recording, folder, files, build: &build }.verify(&mut answer);
    }
    let mut secrets = crate::cli::diff::secrets(arguments.flags.show_secrets, outside);
    secrets.learn(&recording.trace);
    let current = outside.current.clone();
    let places = LocationFormatter::new(recording, &current, &secrets);
    if arguments.flags.json {
        outside.out.json(&places.writers.report(&answer))?;
    } else {
        let print = if arguments.porcelain { lines } else { page::lines };
        for line in print(&answer, &places, &secrets) {
            writeln!(outside.out, "{line}")?;
        }
    }
    if answer.fields.is_empty() && answer.removed.is_none() {
        // With a pending step, only the steps before it are known.
        let so_far = if waits { "No step so far" } else { "No step" };
        let name = places.writers.name(slot);
        writeln!(outside.err, "{so_far} writes {field} of {name}.")?;
        return Ok(Exit::FAILED);
    }
    Ok(Exit::OK)
}

impl AskedBuild<'_> {
    fn build(&self, ports: &Ports, current: &Path) -> Evaluation {
        evaluate(self.dir, current, &self.options, ports, &mut BuildCache::disabled())
    }

    fn report_no_resource(
        &self,
        why: &ResourceNameError,
        (resource, field): (&str, Option<&str>),
        outside: &mut CliPorts<'_>,
    ) -> CommandResult {
        let is_unknown = matches!(why, ResourceNameError::Unknown { .. });
        let reason = is_unknown.then(|| self.absence_reason(resource, outside)).flatten();
        writeln!(outside.err, "error: {}", reason.unwrap_or_else(|| why.to_string()))?;
        if let Some(field) = field.filter(|field| self.recording.find(field).is_ok()) {
            let dir = if self.dir == "." { String::new() } else { format!("{} ", self.dir) };
            let help = "help: name the resource before the field: kzui why";
            writeln!(outside.err, "{help} {dir}{field} {resource}")?;
        }
        Ok(if is_unknown { Exit::FAILED } else { Exit::USAGE })
    }

    /// Why a resource is in no step, if a switched-off entry or an unlisted file has it. The trials
    /// run no functions.
    fn absence_reason(&self, resource: &str, outside: &CliPorts<'_>) -> Option<String> {
        let folder = outside.current.join(self.dir);
        let has_resource = |files: Arc<dyn Files>| {
            let ports = Ports { files, programs: Arc::new(NoPrograms), ..outside.ports.clone() };
            let built = self.build(&ports, &outside.current);
            Recording::new(built, &folder).find(resource).is_ok()
        };
        let layers = self.recording.trace.layers.iter().map(|layer| PathBuf::from(&*layer.file));
        let layers: IndexSet<PathBuf> = layers.collect();
        let layers: Vec<PathBuf> = layers.into_iter().collect();
        let opened = crate::cli::repository::open(None, Some(self.dir), outside).ok();
        let unlisted = opened.iter().flat_map(|(repository, _)| repository.unlisted_files());
        let unlisted: Vec<PathBuf> = unlisted.cloned().collect();
        let seen = |file: &Path| relative(file, &outside.current);
        let reason = match find_absence(&layers, &unlisted, &outside.ports.files, &has_resource)? {
            Absence::SwitchedOff { file, line, entry } => {
                let at = format!("{}:{line}", seen(&file));
                format!("the entry `{entry}`, which adds it, is switched off at {at}")
            }
            Absence::Unlisted { file, list } => {
                format!("no entry of {} lists {}, which has it", seen(&list), seen(&file))
            }
        };
        Some(format!("{resource} is in no step: {reason}"))
    }
}

/// The resource and the field on a line of a file, `out.yaml:120`: the texts that may select the
/// resource, the shortest one first, and the path of the field. `None` if the argument is not a
/// line of a file.
fn locate_field(word: &str, outside: &CliPorts<'_>) -> Option<Result<LocatedField, String>> {
    let (file, line) = word.rsplit_once(':')?;
    let line: u32 = line.parse().ok()?;
    let path = outside.current.join(file);
    let bytes = outside.ports.files.read(&path).ok()?;
    if usize::try_from(line).is_ok_and(|line| line > bytes.split(|byte| *byte == b'\n').count()) {
        return Some(Err(format!("{file} has no line {line}")));
    }
    let read = match parse_documents(&bytes, SourceId::NONE, Limits::default()) {
        Ok(read) => read,
        Err(error) => return Some(Err(format!("{file}: {error}"))),
    };
    let documents = read.documents.iter().rev();
    let found = documents.map(|document| &document.node).find_map(|node| {
        let path = pointer(&path_at_line(node, line)?);
        let text = |keys: &[&str]| node.at(keys).and_then(Node::text).unwrap_or_default();
        let (kind, name) = (text(&["kind"]), text(&["metadata", "name"]));
        let (namespace, version) = (text(&["metadata", "namespace"]), text(&["apiVersion"]));
        let (group, version) = version.split_once('/').unwrap_or(("", version));
        let names = vec![
            format!("{kind}/{name}"),
            format!("{kind}.{group}/{name}"),
            format!("{namespace}/{kind}/{name}"),
            format!("{group}/{version}/{kind}/{namespace}/{name}"),
        ];
        Some((names, path))
    });
    Some(found.ok_or_else(|| format!("{word}: no field of an object is on this line")))
}

/// The texts that may select a resource, and the path of a field as a JSON pointer.
type LocatedField = (Vec<String>, String);

/// The field on a line of a document; a line inside a text belongs to the field that contains it.
fn path_at_line(node: &Node, line: u32) -> Option<Vec<PathStep>> {
    let all = leaves(node);
    let own = all.iter().find(|(_, _, mark)| mark.line == line);
    let found = own.or_else(|| all.iter().rev().find(|(_, _, mark)| mark.line < line));
    let (path, ..) = found?;
    if own.is_some() {
        return Some(path.clone());
    }
    // If no value is on the line, the line may have a key whose value begins further down.
    let above = all.iter().find_map(|(path, ..)| {
        (1..path.len()).find_map(|taken| {
            let (before, last) = path.get(..taken)?.split_last().map(|(last, all)| (all, last))?;
            let parent = before.iter().try_fold(node, |node, step| match step {
                PathStep::Key(key) => node.get(key),
                PathStep::Index(index) => node.items()?.get(*index),
            })?;
            let key = parent.entry(last.key()?)?.key.mark.line;
            (key == line).then(|| path[..taken].to_vec())
        })
    });
    Some(above.unwrap_or_else(|| path.clone()))
}

/// The lines of `--porcelain`: `FILE:LINE:ENTRY=VALUE`, the resource, the field and its status,
/// separated by tabs.
fn lines(answer: &Answer, places: &LocationFormatter<'_>, secrets: &Secrets) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((step, mark)) = answer.removed {
        let entry = entry(places, step, "");
        let (at, name) = (places.text(mark), places.writers.name(answer.slot));
        lines.push(format!("{at}:{entry}\t{name}\tremoved by step {}", step + 1));
    }
    for field in &answer.fields {
        for (writer, above) in with_above(&field.writers) {
            print_writer(places, (answer.slot, writer), above, "", &mut lines);
        }
    }
    for missed in &answer.missed {
        let (at, entry) = (places.text(missed.mark), entry(places, missed.step, ""));
        let hint = missed.hint.as_ref().map(|hint| format!(" ({})", secrets.text(hint)));
        let reason = secrets.text(&missed.reason) + &hint.unwrap_or_default();
        let (name, code) = (places.writers.name(answer.slot), missed.code);
        lines.push(format!("{at}:{entry}\t{name}\tnot written, {code}: {reason}"));
    }
    lines
}

fn with_above(
    writers: &[FieldWriter],
) -> impl Iterator<Item = (&FieldWriter, Option<&FieldWriter>)> {
    writers.iter().zip(std::iter::once(None).chain(writers.iter().map(Some)))
}

/// The writers of a source of a value that are shown: the last one, and those whose value counts.
fn source_writers(
    from: &FieldSource,
) -> impl Iterator<Item = (&FieldWriter, Option<&FieldWriter>)> {
    let is_shown = |(writer, above): &(&FieldWriter, Option<&FieldWriter>)| {
        above.is_none() || writer.standing != WriterStatus::Overridden
    };
    with_above(&from.writers).filter(is_shown)
}

/// A writer, and below it the fields that it took its value from.
fn print_writer(
    places: &LocationFormatter<'_>,
    (slot, writer): (Slot, &FieldWriter),
    above: Option<&FieldWriter>,
    source: &str,
    lines: &mut Vec<String>,
) {
    let field = places.field(slot, writer);
    let (at, entry) = (places.text(writer.mark), entry(places, writer.step, &field));
    let at = if at.is_empty() { "-".to_owned() } else { at };
    let value = places.writers.value(slot, writer);
    let value = value.map_or_else(|| " removed".to_owned(), |value| format!("={value}"));
    let what = format!("{}:{field}", places.writers.name(slot));
    let mut state = match (writer.standing, above) {
        (WriterStatus::Final, _) => "final".to_owned(),
        (WriterStatus::Part, _) => "partly".to_owned(),
        (WriterStatus::Overridden, above) => overridden(above),
    };
    state.push_str(&format!(", step {}{}", writer.step + 1, value_notes(writer)));
    if let Some(at) = entry_in_other_file(places, writer) {
        state.push_str(&format!(", entry at {at}"));
    }
    if let Some(proof) = writer.configuration {
        state.push_str(&format!(", {}", proof.words()));
    }
    for also in &writer.also {
        state.push_str(&format!(", also {}", places.text(*also)));
    }
    lines.push(format!("{at}:{entry}{value}\t{what}\t{source}{state}"));
    for from in &writer.sources {
        for (writer, above) in source_writers(from) {
            print_writer(places, (from.slot, writer), above, "source, ", lines);
        }
    }
}

/// The state of an overridden value; `above` is the writer that overrides it, if it is known.
fn overridden(above: Option<&FieldWriter>) -> String {
    above.map_or("overridden".to_owned(), |above| format!("overridden in step {}", above.step + 1))
}

fn value_notes(writer: &FieldWriter) -> String {
    let equal = if writer.equal { ", same value as before" } else { "" };
    let hashed = if writer.is_hashed { ", with a hash of the content" } else { "" };
    format!("{equal}{hashed}")
}

/// The location of the entry that wrote a value, if the value is written in another file.
fn entry_in_other_file(places: &LocationFormatter<'_>, writer: &FieldWriter) -> Option<String> {
    let step = places.recording.step(writer.step)?;
    let is_configured = !step.field.is_empty() && step.kind != StepKind::Load && step.mark.line > 0;
    let is_elsewhere = is_configured && step.mark.source != writer.mark.source;
    is_elsewhere.then(|| places.text(step.mark))
}

/// The entry that configures a step, as in `replicas[storefront]` or `patches[1]`; for a load, the
/// field of the resource.
fn entry(places: &LocationFormatter<'_>, step: usize, field: &str) -> String {
    let Some(step) = places.recording.step(step) else { return String::new() };
    match (step.field, step.entry) {
        ("", _) => step.name.replace(' ', "-"),
        // A load is named by its own field.
        _ if step.kind == StepKind::Load => field.to_owned(),
        (field @ ("images" | "replicas"), Some(_)) => {
            let name = step.argument.split(" → ").next().unwrap_or_default();
            let part = if field == "replicas" { ".count" } else { "" };
            format!("{field}[{name}]{part}")
        }
        (field, Some(entry)) => format!("{field}[{entry}]"),
        (field, None) => field.to_owned(),
    }
}
