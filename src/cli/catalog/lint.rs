//! `kzui catalog lint`: the defects of a catalog, for its author.

use crate::cli::failure::CommandResult;
use crate::engine::diagnostic::Severity;
use crate::engine::load::Digest;
use crate::engine::manifest::{CatalogRule, catalog_rule};
use crate::engine::plugin::{CatalogView, NamedFile, NamedFileContent, Trust};

use super::super::{CatalogLint, CliPorts, Exit, LintFormat};
use super::{catalog_ports, open};

struct CatalogFinding {
    rule: &'static CatalogRule,
    line: u32,
    message: String,
}

pub(in crate::cli) fn lint(arguments: &CatalogLint, outside: &mut CliPorts<'_>) -> CommandResult {
    let mut exit = Exit::OK;
    for text in &arguments.references {
        let (file, findings) = match findings(text, outside) {
            Ok(found) => found,
            Err(reason) => {
                writeln!(outside.err, "error: {reason}")?;
                exit = Exit::FAILED;
                continue;
            }
        };
        for finding in findings {
            let is_error = finding.rule.severity == Severity::Error;
            if is_error || arguments.strict {
                exit = Exit::FAILED;
            }
            let (word, code) = (finding.rule.severity.word(), finding.rule.code);
            let (line, message) = (finding.line, finding.message);
            match arguments.format {
                LintFormat::Text => {
                    writeln!(outside.out, "{file}:{line}: {word}[{code}]: {message}")?;
                }
                LintFormat::Github => {
                    let message = message.replace('%', "%25").replace('\n', "%0A");
                    let file = file.replace('%', "%25").replace(',', "%2C").replace(':', "%3A");
                    let place = format!("file={file},line={line},title={code}");
                    writeln!(outside.out, "::{word} {place}::{message}")?;
                }
            }
        }
    }
    Ok(exit)
}

/// The file of a catalog and its findings, in the order of the lines.
fn findings(text: &str, outside: &CliPorts<'_>) -> Result<(String, Vec<CatalogFinding>), String> {
    let (reference, opened) = open(text, outside)?;
    let ports = catalog_ports(outside);
    let view = CatalogView::new(&reference, &opened, &Trust::default(), ports);
    let mut findings: Vec<CatalogFinding> = Vec::new();
    let mut add = |code: &str, line: u32, message: String| {
        findings.extend(catalog_rule(code).map(|rule| CatalogFinding { rule, line, message }));
    };
    let lies_in_folder = opened.artifact.directory.is_some();
    for warning in &view.warnings {
        if let Some(script) = warning.oddity.floating_script().filter(|_| !lies_in_folder) {
            // Only the files of a folder are covered by a trust decision.
            let message = format!(
                "{}: script {script} has no sha256: it does not run from {}",
                warning.subject, reference
            );
            add("CAT-UNPINNED", warning.mark.line, message);
            continue;
        }
        let message = format!("{}: {}", warning.subject, warning.oddity);
        add(warning.oddity.code(), warning.mark.line, message);
    }
    for file in NamedFile::all(&opened, ports) {
        let above = || {
            let path = &file.path;
            let text = "leads above the catalog, which was not read from a folder";
            (!file.has_location(&opened)).then(|| ("CAT-FILE", format!("{path} {text}")))
        };
        if let Some((code, message)) = file_defect(&file).or_else(above) {
            let entry = view.entries.iter().find(|entry| file.functions.contains(&entry.id));
            add(code, entry.map_or(1, |entry| entry.mark.line), message);
        }
    }
    findings.sort_by_key(|finding| finding.line);
    Ok((reference.seen_from(&outside.current), findings))
}

/// The code and message of a file that cannot be read or has another digest than the catalog.
fn file_defect(file: &NamedFile) -> Option<(&'static str, String)> {
    let path = &file.path;
    match &file.content {
        NamedFileContent::Unreadable(reason) => {
            Some(("CAT-FILE", format!("{path} cannot be read: {reason}")))
        }
        NamedFileContent::Read { digest, .. } => {
            let pinned: Digest = file.pinned.filter(|pinned| pinned != digest)?;
            Some(("CAT-DIGEST", format!("{path} has {digest}, the catalog has {pinned}")))
        }
        NamedFileContent::NotFetched => None,
    }
}
