//! `kzui consolidate`: the final list of a Composition with its provenance (section A.16 of the
//! composition reference).

use crate::answers::overridden_fields;
use crate::answers::secrets::Secrets;
use crate::cli::failure::{CommandResult, Failure};
use crate::display::escape_json;
use crate::engine::evaluate::{
    BuildCache, ConsolidatedEntry, Trace, consolidate, deployed_directory,
};
use crate::engine::yaml::{print_preserving_style, to_json_pretty};

use super::place::seen_from;
use super::report::print_failure;
use super::{CliPorts, Consolidate, Exit, Format, Provenance};

pub(super) fn run(arguments: &Consolidate, outside: &mut CliPorts<'_>) -> CommandResult {
    let options = super::options::headless_options(&arguments.build, &arguments.target, outside)
        .map_err(Failure::failed)?;
    let mut memory = BuildCache::default();
    // A deployment object only leads to the folder of the Composition: its additions to a
    // kustomization do not apply to a Composition.
    let deployed = deployed_directory(&arguments.target, &outside.current, &outside.ports);
    let deployed = deployed.map(|folder| folder.to_string_lossy().into_owned());
    let result = consolidate(
        deployed.as_ref().unwrap_or(&arguments.target),
        &outside.current,
        &options,
        &outside.ports,
        &mut memory,
    );
    let consolidated = match result {
        Ok(consolidated) => consolidated,
        Err(error) => {
            let read = Trace { sources: memory.sources.clone(), ..Trace::default() };
            return print_failure(&error, &read, outside);
        }
    };
    for warning in &consolidated.warnings {
        let place = memory.sources.path(warning.mark.source).unwrap_or_default();
        let place = seen_from(place, &outside.current);
        writeln!(outside.err, "# Warning: {place}:{}: {}", warning.mark.line, warning.remark)?;
    }
    if consolidated.names_files_above() {
        let text = "the list names files outside of the target: build it with --load-restrictor LoadRestrictionsNone";
        writeln!(outside.err, "# Note: {text}")?;
    }
    // The overridden fields of an entry: `spec.image: web:1 (../app/composition.yaml:9) → web:2
    // (composition.yaml:12)`. Values are not masked, because the printed configuration contains them.
    let notes = |entry: &ConsolidatedEntry| -> Vec<String> {
        let fields = overridden_fields(entry).into_iter().map(|field| {
            let values = field.texts(&entry.id.gvk.kind, &Secrets::shown());
            let values = values.into_iter().map(|(value, mark)| {
                let file = memory.sources.path(mark.source).unwrap_or_default();
                format!("{value} ({}:{})", consolidated.entry_file(entry, file), mark.line)
            });
            format!("{}: {}", field.path, values.collect::<Vec<_>>().join(" → "))
        });
        fields.collect()
    };
    let text = match arguments.output {
        Format::Yaml => print_preserving_style(
            &consolidated
                .document((arguments.provenance == Provenance::Comments).then_some(&notes)),
        ),
        Format::Json => match to_json_pretty(&consolidated.document(None)) {
            Ok(text) => escape_json(&text).into_owned() + "\n",
            Err(error) => return Err(Failure::failed(error)),
        },
    };
    outside.out.document(&text)?;
    Ok(Exit::OK)
}
