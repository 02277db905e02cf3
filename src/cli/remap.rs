//! `kzui remap`: the findings of linters in rendered manifests, mapped to the lines of the sources.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use crate::answers::remap::{
    NamedMap, RemappedFinding, ReportKind, ToolReport, read, remap, to_sarif,
};
use crate::answers::report::MapReport;
use crate::cli::failure::{CommandResult, Failure};
use crate::display::to_json;
use crate::engine::yaml::print_documents;

use super::report::complete_build;
use super::{BuildFlags, CliPorts, Exit};

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "`kzui build --map` writes a map. With several maps, a finding belongs to the map of the output that the finding names; with as many maps as files of findings, the n-th file belongs to the n-th map. The same finding in several targets is printed once.\n\n\
                  Examples:\n  checkov -f out.yaml -o json | kzui remap --map out.map -\n  \
                  kzui build overlays/prod | kubeconform -output json - | kzui remap --target overlays/prod -\n\n\
                  Exit status: 0 on success, 1 if a build fails or is pending, 2 for unreadable input."
)]
pub struct Remap {
    /// The findings: SARIF, or the JSON of kubeconform, kube-linter, kubescape, checkov, trivy config, kyverno or conftest; `-` is
    /// standard input
    #[arg(value_name = "FINDINGS", required = true)]
    pub findings: Vec<String>,
    /// The source map of the output with the findings
    #[arg(long, value_name = "FILE")]
    pub map: Vec<PathBuf>,
    /// Build this target and use its source map, after the maps given by --map
    #[arg(long, value_name = "DIR", required_unless_present = "map")]
    pub target: Vec<String>,
    /// The program of the report; by default it is detected
    #[arg(long, value_name = "NAME", value_parser = report_kinds())]
    pub format: Option<ReportKind>,
    /// The format of the output
    #[arg(short, long, value_enum, default_value_t)]
    pub output: RemapOutput,
    /// A prefix for the paths in the report: the directory of the builds, relative to the root of the repository
    #[arg(long, value_name = "DIR", default_value = "")]
    pub root: String,
    #[command(flatten)]
    pub build: BuildFlags,
}

/// The programs of `--format`: name, the output that is read, and its form.
const PROGRAMS: [(&str, &str, ReportKind); 8] = [
    ("sarif", "SARIF 2.1.0, of any program", ReportKind::Sarif),
    ("kubeconform", "`kubeconform -output json`", ReportKind::Kubeconform),
    ("kube-linter", "`kube-linter lint --format json`", ReportKind::KubeLinter),
    ("kubescape", "`kubescape scan --format json`", ReportKind::Kubescape),
    ("checkov", "`checkov -o json`", ReportKind::Checkov),
    ("trivy", "`trivy config --format json`", ReportKind::Trivy),
    ("kyverno", "`kyverno apply --policy-report`, as JSON", ReportKind::Kyverno),
    ("conftest", "`conftest test --output json`", ReportKind::Conftest),
];

fn report_kinds() -> impl TypedValueParser<Value = ReportKind> {
    let values = PROGRAMS.map(|(name, output, _)| PossibleValue::new(name).help(output));
    let kind = |name: String| PROGRAMS.iter().find(|row| row.0 == name).map(|row| row.2);
    PossibleValuesParser::new(values).try_map(move |name| kind(name).ok_or("unknown program"))
}

/// `-o` of `kzui remap`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RemapOutput {
    /// SARIF 2.1.0
    #[default]
    Sarif,
    /// One line for each finding: location, level, message and rule
    Text,
}

pub(super) fn run(arguments: &Remap, outside: &mut CliPorts<'_>) -> CommandResult {
    let (reports, maps) = gather(arguments, outside)?;
    let told = remap(&reports, arguments.findings.len(), &maps);
    let root = match arguments.root.trim_end_matches('/') {
        "" | "." => String::new(),
        root => format!("{root}/"),
    };
    match arguments.output {
        RemapOutput::Sarif => {
            let document = to_sarif(&reports, &told, &root);
            outside.out.document(&to_json(&document)?)?;
        }
        RemapOutput::Text => {
            for it in &told {
                writeln!(outside.out, "{}", line(it, &root))?;
            }
        }
    }
    let lost = told.iter().filter(|it| it.placed.is_err()).count();
    if lost > 0 {
        let all = told.len();
        writeln!(
            outside.err,
            "{lost} of {all} findings not mapped: they keep their location in the output."
        )?;
    }
    Ok(Exit::OK)
}

/// The parsed reports, each with the index of its argument, and the source maps.
type RemapInputs = (Vec<(usize, ToolReport)>, Vec<NamedMap>);

fn gather(arguments: &Remap, outside: &mut CliPorts<'_>) -> Result<RemapInputs, Failure> {
    let mut maps = Vec::new();
    for path in &arguments.map {
        maps.push(read_source_map(path, outside)?);
    }
    for target in &arguments.target {
        let recording = complete_build(target, &arguments.build, outside)?;
        let printed = print_documents(recording.output.iter().map(|(_, resource)| &resource.node));
        let fields = printed.and_then(|text| recording.source_map(&text));
        let fields =
            fields.map_err(|error| format!("the output of {target} has no map: {error}"))?;
        let report = MapReport::new(&recording, &fields, &outside.current, (None, &[]));
        maps.push(NamedMap { name: target.clone(), report });
    }
    let mut reports = Vec::new();
    for (number, name) in arguments.findings.iter().enumerate() {
        let found = read_input(name, outside).and_then(|bytes| {
            read(&String::from_utf8_lossy(&bytes), arguments.format)
                .map_err(|error| error.to_string())
        });
        let found = found.map_err(|why| format!("{name} cannot be read: {why}"))?;
        reports.extend(found.into_iter().map(|findings| (number, findings)));
    }
    Ok((reports, maps))
}

fn read_input(name: &str, outside: &CliPorts<'_>) -> Result<Vec<u8>, String> {
    if name == "-" {
        return (outside.repository.input)().map_err(|error| error.to_string());
    }
    let path = outside.current.join(name);
    let read = outside.ports.files.read(&path).map_err(|error| error.to_string())?;
    Ok(read.to_vec())
}

fn read_source_map(path: &Path, outside: &CliPorts<'_>) -> Result<NamedMap, String> {
    let name = path.to_string_lossy().into_owned();
    let wrong = |why: String| format!("{name} is not a source map of kzui build --map: {why}");
    let bytes = read_input(&name, outside).map_err(wrong)?;
    let report: MapReport =
        serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    if report.schema_version != MapReport::VERSION {
        let (has, knows) = (report.schema_version, MapReport::VERSION);
        return Err(wrong(format!("its schemaVersion is {has}, this kzui reads {knows}")));
    }
    Ok(NamedMap { name, report })
}

/// The line of a finding, as in `FILE:LINE:COLUMN: LEVEL: MESSAGE [RULE]`.
fn line(told: &RemappedFinding, root: &str) -> String {
    let finding = &told.finding;
    let (level, rule) = (&finding.level, &finding.rule);
    let message = finding.message.replace('\n', " ");
    let place = told.placed.as_ref().ok().and_then(|placed| placed.places.first());
    let mut text = if let Some(place) = place {
        format!("{root}{}:{}:{}: ", place.file, place.line, place.column.max(1))
    } else {
        let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{}{line}: ", finding.file.as_deref().unwrap_or("stdin"))
    };
    text.push_str(&format!("{level}: {message} [{rule}]"));
    let mut resources: Vec<&str> =
        told.rendered.iter().filter_map(|it| it.resource.as_deref()).collect();
    resources.dedup();
    if let Some(first) = resources.first() {
        let more = resources.len() - 1;
        text.push_str(&format!("  {first}"));
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
    }
    if let Err(why) = &told.placed {
        text.push_str(&format!("  (location in the sources not known: {why})"));
    }
    text
}
