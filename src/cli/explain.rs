//! `kzui explain`: the meaning of a diagnostic's code, and how to solve it.

use clap::Args;

use crate::cli::failure::CommandResult;
use crate::engine::diagnostic::{Code, all_codes};
use crate::engine::load::nearest_name;
use crate::engine::manifest::{CATALOG_RULES, CatalogRule, catalog_rule};

use super::{CliPorts, Exit};

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui explain KZ103\n  kzui explain CAT-UNPINNED\n\nExit status: 0 on success, 2 for an unknown code."
)]
pub struct Explain {
    /// The code, as in KZ101 or CAT-UNPINNED
    pub code: Option<String>,
}

const TEXT_WIDTH_CELLS: usize = 80;

pub(super) fn run(arguments: &Explain, outside: &mut CliPorts<'_>) -> CommandResult {
    let wanted = arguments.code.as_deref().unwrap_or_default().to_uppercase();
    let text = match &arguments.code {
        None => Some(list()),
        Some(code) => Code::named(code).map(page),
    };
    if let Some(text) = text.or_else(|| catalog_rule(&wanted).map(catalog_page)) {
        outside.out.text(&text)?;
        return Ok(Exit::OK);
    }
    let codes = all_codes().map(Code::as_str);
    let near = nearest_name(&wanted, codes.chain(CATALOG_RULES.iter().map(|rule| rule.code)));
    let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
    writeln!(outside.err, "error: no diagnostic has the code {wanted}{near}")?;
    writeln!(outside.err, "help: run `kzui explain` for a list of all codes")?;
    Ok(Exit::USAGE)
}

fn list() -> String {
    let line = |(code, word, title)| format!("{code}  {word:<7}  {title}\n");
    let codes = all_codes().map(Code::rule).map(|it| (it.code, it.severity.word(), it.title));
    let catalog = CATALOG_RULES.iter().map(|it| (it.code, it.severity.word(), it.title));
    codes.chain(catalog).map(line).collect()
}

fn catalog_page(rule: &CatalogRule) -> String {
    let mut text = format!("{} ({}): {}\n", rule.code, rule.severity.word(), rule.title);
    for (heading, body) in [("Meaning", rule.means), ("Fix", rule.action)] {
        text.push_str(&format!("\n{heading}\n"));
        text.extend(wrap_text(body).iter().map(|line| format!("  {line}\n")));
    }
    text
}

fn page(code: Code) -> String {
    let rule = code.rule();
    let (code, title, severity) = (rule.code, rule.title, rule.severity);
    let mut text = catalog_page(&CatalogRule {
        code,
        severity,
        title,
        means: rule.means,
        action: rule.action,
    });
    if !rule.example.is_empty() {
        text.push_str(&format!("\nExample in the source code of kzui: {}\n", rule.example));
    }
    text
}

fn wrap_text(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= TEXT_WIDTH_CELLS {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// The list of all codes for the documentation.
pub fn diagnostics_book() -> String {
    let mut text = String::from(
        "# Diagnostics\n\nEvery code of a diagnostic of kzui, from the registry in `src/engine/diagnostic`. `kzui explain CODE` prints one of them.\n",
    );
    for code in all_codes() {
        let rule = code.rule();
        let (word, title) = (rule.severity.word(), rule.title);
        text.push_str(&format!("\n## {}: {title}\n\n*{word}.* {}\n\n", rule.code, rule.means));
        text.push_str(&format!("**To do:** {}\n", rule.action));
        if !rule.example.is_empty() {
            let name = rule.example;
            text.push_str(&format!("\n**Example:** [`{name}`](../../{name})\n"));
        }
    }
    text
}
