//! Laws of the output of commands.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kzui::cli::{self, CliPorts, Palette, ProfileSettings, RepositoryPorts, TrustPorts};
use kzui::display::{OutputReader, Printer, is_unsafe};
use kzui::draft::FileChange;
use kzui::engine::evaluate::Ports;
use kzui::engine::load::{Network, NoArtifacts};
use kzui::engine::plugin::{Sandbox, TrustRecord, TrustStore};
use kzui::repository::ListedFiles;

use super::tree::Tree;

/// The kind of output of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputForm {
    /// Text without control sequences for every reader.
    Text,
    /// Valid JSON without control sequences.
    Json,
    /// A document: unchanged bytes for a program, no control sequences on a terminal.
    Document,
}

use OutputForm::{Document, Json, Text};

/// The commands that print content of a tree, with their kind of output. `/k/b` is a second target,
/// which not every tree has.
pub const COMMANDS: [(&str, OutputForm); 44] = [
    ("build /k", Document),
    ("build -o /out /k", Document),
    ("trace /k", Text),
    ("trace --diff /k", Text),
    ("trace --diff --show-secrets /k", Text),
    ("trace --diff --json /k", Json),
    ("trace --diff --yaml /k", Document),
    ("trace --resource ConfigMap/a /k", Text),
    ("consolidate /k", Document),
    ("consolidate -o json /k", Json),
    ("openapi info /k", Document),
    ("view catalog /k/kustomization.yaml", Document),
    ("view catalog -o json /k/kustomization.yaml", Json),
    ("why /k ConfigMap/a", Text),
    ("why /k ConfigMap/a metadata.name", Text),
    ("why --json /k ConfigMap/a", Json),
    ("blame /k", Text),
    ("blame --porcelain /k", Text),
    ("blame --json /k", Json),
    ("check /k --notes", Text),
    ("check /k --notes --format json", Json),
    ("check /k --notes --format sarif", Json),
    ("check /k --notes --format junit", Document),
    ("check /k --notes --format github", Text),
    ("check /k --notes --format gitlab", Json),
    ("check /k --notes --format markdown", Text),
    ("check /k --notes --diff", Text),
    ("diff /k/b /k", Text),
    ("diff --format short /k/b /k", Text),
    ("diff --side-by-side /k/b /k", Text),
    ("diff --format json /k/b /k", Json),
    ("diff --format markdown /k/b /k", Text),
    ("diff --format html /k/b /k", Document),
    ("why-differ /k/b /k ConfigMap/a", Text),
    ("where r.yaml", Text),
    ("where --json r.yaml", Json),
    ("where --unused", Text),
    ("graph --format svg --states", Document),
    ("graph --format mermaid --states", Document),
    ("graph --format dot --states", Document),
    ("grep a /k", Text),
    ("components /k", Text),
    ("compat --from v5.0.0 --to latest -o markdown /k", Text),
    ("remap --target /k --format conftest -o text -", Text),
];

/// Runs a sixth of the commands, chosen by the bytes, on a tree: a kustomization file, and other
/// files after lines of `=== NAME`. Output on a terminal contains no character that the terminal
/// would act on, and neither does JSON for a program.
pub fn faces(bytes: &[u8]) {
    let tree = Tree::read(bytes, "kustomization.yaml");
    let turn = bytes.iter().fold(0_usize, |sum, byte| sum.wrapping_mul(31) + usize::from(*byte));
    for (number, (command, prints)) in COMMANDS.into_iter().enumerate() {
        if number % 6 == turn % 6 {
            check_command_output(&tree, command, prints);
        }
    }
}

/// The same as [`faces`] with all commands.
pub fn check_every_face(bytes: &[u8]) {
    let tree = Tree::read(bytes, "kustomization.yaml");
    for (command, prints) in COMMANDS {
        check_command_output(&tree, command, prints);
    }
}

/// Runs one command, and returns its output for a program.
pub(crate) fn check_command_output(tree: &Tree, command: &str, prints: OutputForm) -> String {
    let mut last = String::new();
    for (reader, palette) in
        [(OutputReader::Terminal, Palette::Coloured), (OutputReader::Program, Palette::Plain)]
    {
        let (out, err) = printed(tree, command, reader, palette);
        let is_exact = reader == OutputReader::Program && prints == Document;
        assert!(is_exact || is_harmless(&out), "{command}: {}", unsafe_excerpt(&out));
        assert!(is_harmless(&err), "{command}: {}", unsafe_excerpt(&err));
        if prints == Json && !out.is_empty() {
            let read: Result<serde_json::Value, _> = serde_json::from_str(&out);
            assert!(read.is_ok(), "{command}: {out:?}");
        }
        last = out;
    }
    last
}

/// The first unsafe character of a text, with the characters around it.
fn unsafe_excerpt(text: &str) -> String {
    let plain = without_colours(text);
    let at = plain.chars().position(|c| is_unsafe(c) && !matches!(c, '\n' | '\t'));
    plain.chars().skip(at.unwrap_or_default().saturating_sub(80)).take(160).collect::<String>()
        + "\u{1b}[0m"
}

/// True if the text contains nothing that a terminal acts on, except for line ends, tabs and the
/// colours that kzui uses.
fn is_harmless(text: &str) -> bool {
    !without_colours(text).contains(|c| is_unsafe(c) && !matches!(c, '\n' | '\t'))
}

fn without_colours(text: &str) -> String {
    let colours = ["0", "1", "31", "32", "33", "34", "36", "91", "92", "93", "94", "96"];
    let bright = ["31", "32", "33", "34", "36", "91", "92", "93", "94", "96"];
    let bold = bright.map(|colour| format!("1;{colour}"));
    let mut rest = text.to_owned();
    for colour in colours.iter().copied().chain(bold.iter().map(String::as_str)) {
        rest = rest.replace(&format!("\u{1b}[{colour}m"), "");
    }
    rest
}

/// The standard output and standard error of a command.
fn printed(tree: &Tree, command: &str, reader: OutputReader, palette: Palette) -> (String, String) {
    let Tree { main, files, paths } = tree;
    let folders: BTreeSet<PathBuf> =
        paths.iter().flat_map(|path| path.ancestors().skip(1)).map(Path::to_owned).collect();
    let listing = Arc::new(ListedFiles(paths.iter().cloned().collect()));
    let words = std::iter::once("kzui").chain(command.split(' ')).map(Into::into);
    let arguments = cli::parse_arguments(words).expect("the command is one");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut outside = CliPorts {
        ports: Ports::of_files(files.clone()),
        network: Network::Unasked,
        current: "/k".into(),
        out: Printer::new(&mut out, reader),
        err: Printer::new(&mut err, reader),
        write: &|_: &Path, _: &[u8]| Ok(()),
        write_together: &|_: &Path, _: &[String], _: &[FileChange]| Ok(None),
        changed_since: &|_: &Path, _: &str| Ok(Vec::new()),
        create_directory: &|_: &Path| Ok(()),
        replace: &|_: &Path, _: Option<&[u8]>| Ok(()),
        is_directory: &|path: &Path| folders.contains(path),
        like: ProfileSettings::default(),
        managed_by_label: false,
        palette,
        trust: TrustPorts {
            store: &NoStore,
            preferences: Vec::new(),
            now: &String::new,
            sandbox: &|| Sandbox::None,
            allows_additions: true,
            user: String::new(),
            ask: &|_: &str| Ok(None),
        },
        publisher: &NoArtifacts,
        repository: RepositoryPorts {
            listing,
            input: &|| Ok(main.clone()),
            ..RepositoryPorts::none()
        },
    };
    let command = arguments.command.expect("a command");
    cli::run(&command, &mut outside).expect("memory takes everything");
    outside.out.flush().expect("memory takes everything");
    drop(outside);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
    (text(out), text(err))
}

struct NoStore;

impl TrustStore for NoStore {
    fn records(&self) -> Result<Vec<TrustRecord>, String> {
        Ok(Vec::new())
    }

    fn append(&self, _: &TrustRecord) -> Result<(), String> {
        Ok(())
    }
}
