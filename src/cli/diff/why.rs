//! `kzui why-differ`: the fewest edits that make a field of two builds the same.

use super::{WhyDiffer, secrets, sources, status};
use crate::answers::compare::{
    CompareReport, CompareSettings, ComparedSide, ComparisonResult, ReportField, ReportTarget,
    TargetState, compare_sides, edit_line, field_no_edit_reason, field_words, has_resource,
    is_path_prefix, parse_sides, target_notes,
};
use crate::answers::recording::field::WrittenPath;
use crate::cli::failure::CommandResult;
use crate::cli::{CliPorts, options};
use crate::display::line;
use crate::engine::resource::Resource;

const MAX_BUILDS: usize = 4000;

/// Finds and prints the edits that cause a difference. The exit statuses are those of `kzui diff`.
pub(in crate::cli) fn print_difference_causes(
    arguments: &WhyDiffer,
    outside: &mut CliPorts<'_>,
) -> CommandResult {
    let report = report(arguments, outside)?;
    let text = match report.result() {
        _ if arguments.flags.json => crate::display::to_json(&report)?,
        ComparisonResult::Same => "the same on both sides\n".to_owned(),
        ComparisonResult::Different | ComparisonResult::NotKnown => describe_causes(&report),
    };
    outside.out.write_all(text.as_bytes())?;
    Ok(status(&report))
}

fn report(arguments: &WhyDiffer, outside: &CliPorts<'_>) -> Result<CompareReport, String> {
    let wanted = arguments.resource.split_once('/').ok_or_else(|| {
        format!("expected KIND/NAME, as in Deployment/web; got `{}`", arguments.resource)
    })?;
    let options = options::repository_options(&arguments.flags.build, outside)?;
    let (before, after) =
        parse_sides(&arguments.before, Some(&arguments.after), &sources(outside))?;
    let secrets = secrets(arguments.flags.show_secrets, outside);
    let how = CompareSettings::new(&outside.ports, &options, secrets);
    let how = CompareSettings { most: MAX_BUILDS, ..how };
    let mut report = compare_sides(&before, &after, &how)?;
    let failed = report.targets.iter().find_map(|target| target.error.clone());
    if let Some(error) = failed {
        return Err(error);
    }
    let is_below = |field: &ReportField| {
        let wanted = arguments.field.as_deref();
        wanted.is_none_or(|wanted| {
            is_path_prefix(wanted, &field.path) || is_path_prefix(&field.path, wanted)
        })
    };
    for target in &mut report.targets {
        target.resources.retain(|resource| {
            let was = resource.was.as_deref().and_then(|was| was.split_once('/'));
            let names = [Some((resource.kind.as_str(), resource.name.as_str())), was];
            names
                .into_iter()
                .flatten()
                .any(|(kind, name)| kind.eq_ignore_ascii_case(wanted.0) && name == wanted.1)
        });
        for resource in &mut target.resources {
            resource.fields.retain(is_below);
        }
        target.resources.retain(|resource| !resource.fields.is_empty());
    }
    // A step that is pending may write the field or add the resource.
    let is_open = |target: &ReportTarget| !target.pending.is_empty();
    for target in report.targets.iter_mut().filter(|target| target.resources.is_empty()) {
        target.state = TargetState::NotKnown;
    }
    report.targets.retain(|target| !target.resources.is_empty() || is_open(target));
    if report.targets.is_empty() {
        check_exists_on_a_side(arguments, wanted, [&before, &after], &how)?;
    }
    Ok(report)
}

/// Fails if neither side has the resource or the field: absence on both sides is not equality.
fn check_exists_on_a_side(
    arguments: &WhyDiffer,
    (kind, name): (&str, &str),
    sides: [&ComparedSide; 2],
    settings: &CompareSettings<'_>,
) -> Result<(), String> {
    let is_called = |resource: &Resource| {
        resource.id.gvk.kind.eq_ignore_ascii_case(kind) && *resource.id.name == *name
    };
    let no_side = |is_it: &dyn Fn(&Resource) -> bool| {
        sides.iter().all(|side| has_resource(side, settings.before, settings, is_it) == Some(false))
    };
    if no_side(&is_called) {
        return Err(format!(
            "neither side has a resource {}: write its name in the output, with prefix and suffix",
            arguments.resource
        ));
    }
    let Some(path) = &arguments.field else { return Ok(()) };
    let field = WrittenPath::parse(path);
    if no_side(&|resource| is_called(resource) && field.find(&resource.node).is_some()) {
        return Err(format!("{} has no field {path} on either side", arguments.resource));
    }
    Ok(())
}

fn describe_causes(report: &CompareReport) -> String {
    let mut out = String::new();
    for target in report.unknown_targets() {
        out.push_str(&line!("{}: not known\n", target.target));
        for note in target_notes(target) {
            out.push_str(&line!("  {note}\n"));
        }
    }
    for (target, resource, field) in report.fields() {
        out.push_str(&line!(
            "{}  {}/{}  {}\n",
            target.target,
            resource.kind,
            resource.name,
            field_words(field)
        ));
        let edits: Vec<String> = report.edits_at(&field.edits).map(edit_line).collect();
        let which = if edits.len() > 1 { "these edits together" } else { "this edit" };
        match (edits.is_empty(), field.tried) {
            (false, true) => {
                out.push_str(&line!(
                    "  cause (verified): without {which} both sides are the same\n"
                ));
            }
            (false, false) => out.push_str("  probable causes, not verified:\n"),
            (true, _) => {
                out.push_str(&line!("  {}\n", field_no_edit_reason(field)));
            }
        }
        for edit in edits {
            out.push_str(&line!("    {edit}\n"));
        }
        for (word, place) in [("was", &field.was_at), ("is", &field.at)] {
            if let Some(place) = place {
                out.push_str(&line!("  {word} written at {place}\n"));
            }
        }
        if let Some(step) = &field.step {
            out.push_str(&line!("  through {step}\n"));
        }
    }
    out
}
