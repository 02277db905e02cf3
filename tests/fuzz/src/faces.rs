//! What people get to read of a build.

use std::path::Path;

use kzui::cli::{self, Like, Outside, Palette, RepositoryPorts, TrustPorts};
use kzui::display::{Printer, Reader, is_unsafe};
use kzui::engine::evaluate::Ports;
use kzui::engine::plugin::{Sandbox, TrustRecord, TrustStore, TrustStoreError};

use super::builds::tree;

/// Every command that prints what is in a tree.
pub const COMMANDS: [&str; 10] = [
    "build /k",
    "build -o /out /k",
    "trace /k",
    "trace --diff /k",
    "trace --diff --json /k",
    "consolidate /k",
    "consolidate -o json /k",
    "openapi info /k",
    "view catalog /k/kustomization.yaml",
    "view catalog -o json /k/kustomization.yaml",
];

/// A kustomization file, and behind lines of `=== NAME` the other files of its tree: whatever is printed of it on a
/// terminal has no character that the terminal would act on; what is printed for a program as JSON has none either.
pub fn faces(bytes: &[u8]) {
    for command in COMMANDS {
        let is_json = command.contains("json");
        for (reader, palette) in
            [(Reader::Terminal, Palette::Coloured), (Reader::Program, Palette::Plain)]
        {
            let (out, err) = printed(bytes, command, reader, palette);
            let is_document = reader == Reader::Program && !is_json;
            let is_document = is_document && !command.starts_with("trace");
            assert!(is_document || is_harmless(&out), "{command}: {out:?}");
            assert!(is_harmless(&err), "{command}: {err:?}");
            if is_json && !out.is_empty() {
                let read: Result<serde_json::Value, _> = serde_json::from_str(&out);
                assert!(read.is_ok(), "{command}: {out:?}");
            }
        }
    }
}

/// True when nothing stands in the text that a terminal would act on but ends of lines, tabs, and the colours that
/// errors have.
fn is_harmless(text: &str) -> bool {
    let colours = ["0", "1", "91", "92", "94", "96", "1;91", "1;94", "1;96", "1;92"];
    let mut rest = text.to_owned();
    for colour in colours {
        rest = rest.replace(&format!("\u{1b}[{colour}m"), "");
    }
    !rest.contains(|c| is_unsafe(c) && !matches!(c, '\n' | '\t'))
}

/// Both streams of a command.
fn printed(bytes: &[u8], command: &str, reader: Reader, palette: Palette) -> (String, String) {
    let (_, files) = tree(bytes);
    let words = std::iter::once("kzui").chain(command.split(' ')).map(Into::into);
    let arguments = cli::parse_arguments(words).expect("the command is one");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut outside = Outside {
        ports: Ports::of_files(files),
        current: "/".into(),
        out: Printer::new(&mut out, reader),
        err: Printer::new(&mut err, reader),
        write: &|_: &Path, _: &[u8]| Ok(()),
        changed_since: &|_: &Path, _: &str| Ok(Vec::new()),
        create_directory: &|_: &Path| Ok(()),
        replace: &|_: &Path, _: Option<&[u8]>| Ok(()),
        is_directory: &|_: &Path| false,
        like: Like::default(),
        managed_by_label: false,
        palette,
        trust: TrustPorts {
            store: &NoStore,
            preferences: Vec::new(),
            now: &String::new,
            sandbox: &|| Sandbox::None,
            allows_additions: true,
        },
        repository: RepositoryPorts::none(),
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
    fn records(&self) -> Result<Vec<TrustRecord>, TrustStoreError> {
        Ok(Vec::new())
    }

    fn append(&self, _: &TrustRecord) -> Result<(), TrustStoreError> {
        Ok(())
    }
}
