//! `kzui table` and `kzui images`: targets and the values of their outputs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::grep::resolve_targets;
use super::{Images, Table, location, open_with_objects};
use crate::answers::report::{ReportPaths, documents};
use crate::answers::{FieldQuery, OutputValue, compare::name_and_version, image_values};
use crate::cli::failure::{CommandResult, Failure};
use crate::cli::{CliPorts, Exit, diff, options};
use crate::display::{first_names, sanitize};
use crate::engine::resource::Resource;
use crate::repository::build_targets_separately;

documents! {
    pub(super) struct TableReport {
        schema_version: u32,
        fields: Vec<String>,
        targets: Vec<String>,
        not_known: Vec<String>,
        values: Vec<TableValue>,
    }

    struct TableValue {
        column: usize,
        target: String,
        kind: String,
        name: String,
        namespace: String,
        path: String,
        value: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        at: Option<String>,
    }

    pub(super) struct ImagesReport {
        schema_version: u32,
        targets: Vec<String>,
        not_known: Vec<String>,
        images: Vec<ImageUse>,
    }

    struct ImageUse {
        image: String,
        version: String,
        targets: Vec<String>,
        uses: Vec<TableValue>,
    }
}

#[expect(clippy::type_complexity, reason = "the type of one closure")]
fn collect(
    (folders, fields): (&[String], &[String]),
    build: &crate::cli::BuildFlags,
    show_secrets: bool,
    outside: &CliPorts<'_>,
    find: &(dyn Fn(&[std::sync::Arc<Resource>]) -> Vec<(usize, OutputValue)> + Sync),
) -> Result<TableReport, String> {
    let options = options::repository_options(build, outside)?;
    let named = folders.first().map(String::as_str);
    let (repository, ports) = open_with_objects(None, named, outside)?;
    let repository = &*repository;
    let targets: Vec<PathBuf> = resolve_targets(folders, repository, &ports.files, outside)?;
    let secrets = diff::secrets(show_secrets, outside);
    let found = build_targets_separately(&targets, &options, &ports, |folder, evaluation| {
        let mut secrets = secrets.clone();
        secrets.learn(&evaluation.trace);
        let target = repository.shown(folder);
        let places = ReportPaths::relative_to(&evaluation.trace, repository.root.clone());
        let is_open = evaluation.outcome.is_err() || evaluation.trace.first_wait().is_some();
        let resources = evaluation.outcome.as_deref().unwrap_or_default();
        let value = |(column, found): (usize, OutputValue)| TableValue {
            column,
            target: target.clone(),
            kind: found.resource.id.gvk.kind.to_string(),
            name: found.resource.id.name.to_string(),
            namespace: found.resource.id.namespace.to_string(),
            path: found.path.to_string(),
            value: secrets.field(&found.resource, &found.path.keys(), found.mark, &found.value),
            at: location(&places, found.mark),
        };
        let values: Vec<TableValue> = find(resources).into_iter().map(value).collect();
        (target.clone(), is_open, values)
    });
    let not_known = found.iter().filter(|(_, is_open, _)| *is_open);
    let not_known = not_known.map(|(target, ..)| target.clone()).collect();
    let targets = found.iter().map(|(target, ..)| target.clone()).collect();
    let values = found.into_iter().flat_map(|(.., values)| values).collect();
    Ok(TableReport { schema_version: 1, fields: fields.to_vec(), targets, not_known, values })
}

/// Runs `kzui table`. The exit status is 1 if no target has a value, like that of `grep` without a
/// match.
pub(in crate::cli) fn table(arguments: &Table, outside: &mut CliPorts<'_>) -> CommandResult {
    if let Some(field) = arguments.fields.iter().find(|it| it.contains("[*]") || it.contains("[]"))
    {
        let all = field.replace("[*]", "").replace("[]", "");
        let words = "a list without brackets means all of its elements";
        return Err(Failure::usage(format!("'{field}': write {all}: {words}")));
    }
    let queries: Vec<FieldQuery> =
        arguments.fields.iter().map(|it| FieldQuery::parse(it)).collect();
    let find = |resources: &[std::sync::Arc<Resource>]| {
        let each = queries.iter().enumerate().flat_map(|(column, query)| {
            query.values(resources).into_iter().map(move |value| (column, value))
        });
        each.collect()
    };
    let (asked, flags) = ((&*arguments.targets, &*arguments.fields), &arguments.flags);
    let report = collect(asked, &flags.build, flags.show_secrets, outside, &find)?;
    outside.report(flags.json, &report, || table_text(&report))?;
    print_not_known(&report.not_known, flags.json, outside)?;
    Ok(if report.values.is_empty() { Exit::FAILED } else { Exit::OK })
}

fn table_text(report: &TableReport) -> String {
    let head = ["TARGET", "RESOURCE"].map(str::to_owned);
    let mut rows: Vec<Vec<String>> = vec![head.into_iter().chain(report.fields.clone()).collect()];
    for target in &report.targets {
        let mut resources: Vec<String> = Vec::new();
        let mut cells: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
        for value in report.values.iter().filter(|value| value.target == *target) {
            let name = format!("{}/{}", value.kind, value.name);
            let row = resources.iter().position(|it| *it == name).unwrap_or_else(|| {
                resources.push(name);
                resources.len() - 1
            });
            let cell = cells.entry((row, value.column)).or_default();
            cell.push(value.value.lines().next().unwrap_or_default());
        }
        let cell = |row: usize, column: usize| {
            cells.get(&(row, column)).map_or("–".to_owned(), |values| values.join(", "))
        };
        for (row, resource) in resources.iter().enumerate() {
            let values = (0..report.fields.len()).map(|column| cell(row, column));
            rows.push([target.clone(), resource.clone()].into_iter().chain(values).collect());
        }
        if resources.is_empty() {
            let none = if report.not_known.contains(target) { "not known" } else { "–" };
            let values = report.fields.iter().map(|_| none.to_owned());
            rows.push([target.clone(), "–".to_owned()].into_iter().chain(values).collect());
        }
    }
    align_columns(&rows)
}

pub(in crate::cli) fn align_columns(rows: &[Vec<String>]) -> String {
    let shown = |row: &Vec<String>| row.iter().map(|cell| sanitize(cell).into_owned()).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(shown).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let row = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        let text = cells.collect::<Vec<_>>().join("  ");
        format!("{}\n", text.trim_end())
    };
    rows.iter().map(row).collect()
}

/// Names the targets whose values are not known; JSON has them.
fn print_not_known(
    not_known: &[String],
    is_json: bool,
    outside: &mut CliPorts<'_>,
) -> std::io::Result<()> {
    if is_json || not_known.is_empty() {
        return Ok(());
    }
    let names = not_known.join(", ");
    writeln!(outside.err, "not known, or only in part: {names} (build failed or steps pending)")
}

/// Runs `kzui images`. The exit status is 1 if no target has an image.
pub(in crate::cli) fn images(arguments: &Images, outside: &mut CliPorts<'_>) -> CommandResult {
    let find = |resources: &[std::sync::Arc<Resource>]| {
        image_values(resources).into_iter().map(|value| (0, value)).collect()
    };
    let TableReport { targets, not_known, values, .. } =
        collect((&arguments.targets, &[]), &arguments.build, false, outside, &find)?;
    let mut images: BTreeMap<(String, String), ImageUse> = BTreeMap::new();
    for value in values {
        let (image, version) = name_and_version(&value.value);
        let (image, version) = (image.to_owned(), version.to_owned());
        let key = (image.clone(), version.clone());
        let new = || ImageUse { image, version, targets: Vec::new(), uses: Vec::new() };
        let of = images.entry(key).or_insert_with(new);
        if !of.targets.contains(&value.target) {
            of.targets.push(value.target.clone());
        }
        of.uses.push(value);
    }
    let images = images.into_values().collect();
    let report = ImagesReport { schema_version: 1, targets, not_known, images };
    outside.report(arguments.json, &report, || images_text(&report))?;
    print_not_known(&report.not_known, arguments.json, outside)?;
    Ok(if report.images.is_empty() { Exit::FAILED } else { Exit::OK })
}

const MAX_NAMED: usize = 4;

fn images_text(report: &ImagesReport) -> String {
    let mut rows = vec![["IMAGE", "VERSION", "RESOURCES", "TARGETS"].map(str::to_owned).to_vec()];
    let mut last = "";
    for of in &report.images {
        let name = if of.image == last { "" } else { &of.image };
        last = &of.image;
        let version = if of.version.is_empty() { "–" } else { &of.version };
        let resources: BTreeSet<String> =
            of.uses.iter().map(|it| format!("{}/{}", it.kind, it.name)).collect();
        let cells = [
            name,
            version,
            &first_names(resources, MAX_NAMED),
            &first_names(&of.targets, MAX_NAMED),
        ];
        rows.push(cells.map(str::to_owned).to_vec());
    }
    align_columns(&rows)
}
