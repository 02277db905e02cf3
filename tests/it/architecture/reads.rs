//! Input from outside comes through one module, which opens regular files only and counts bytes.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{Source, assert_no_problems, paths_in_source, sources};

/// The module that reads.
const READER: &str = "host::fs::read";

/// Other modules that read input: the call, and the reason why it is bounded.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "host::store::private_files",
        "File::open",
        "a folder is opened to be synced; no byte is read",
    ),
    ("starlark", "read_to_end", "the question of a script, in a program with a memory limit"),
    ("unpack", "read_to_end", "the module of the page that carries it, in the memory of a browser"),
    ("tui::linear", "read_until", "typed lines, each with a limit"),
    ("lsp::transport", "read_until", "a line of a header, with a limit"),
    ("lsp::transport", "read_to_end", "a message, with a limit"),
];

/// Calls that open or read without a limit, as the end of a path.
const UNLIMITED_READS: &[&[&str]] = &[
    &["fs", "read"],
    &["fs", "read_to_string"],
    &["fs_err", "read"],
    &["fs_err", "read_to_string"],
    &["File", "open"],
    &["File", "options"],
    &["rustix", "fs", "open"],
    &["rustix", "fs", "openat"],
];
/// Methods that read without a limit.
const UNLIMITED_READ_METHODS: &[&str] =
    &["read_to_end", "read_to_string", "read_until", "read_line"];

/// The calls of a source that read past the reader, without those of unit tests.
fn unlimited_reads(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for path in paths_in_source(source) {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        if let Some(call) = UNLIMITED_READS.iter().find(|call| path.ends_with(call)) {
            found.push(call.join("::"));
        }
    }
    collect_method_reads(source.tokens.clone(), &mut found);
    found
}

fn collect_method_reads(tokens: TokenStream, found: &mut Vec<String>) {
    let mut is_test = false;
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let text = group.stream().to_string();
                let is_body = group.delimiter() == Delimiter::Brace;
                if text.starts_with("cfg") && text.contains("test") {
                    is_test = true;
                } else if !(is_body && std::mem::take(&mut is_test)) {
                    collect_method_reads(group.stream(), found);
                }
            }
            TokenTree::Ident(word) => {
                let word = word.to_string();
                let is = |at: Option<usize>, text: &str| {
                    at.and_then(|at| tokens.get(at)).is_some_and(|it| it.to_string() == text)
                };
                if UNLIMITED_READ_METHODS.contains(&&*word) && is(at.checked_sub(1), ".") {
                    found.push(word);
                } else if word == "read" && is(Some(at + 1), "(true)") {
                    found.push("read(true)".to_owned());
                }
            }
            TokenTree::Punct(sign) if sign.as_char() == ';' => is_test = false,
            _ => {}
        }
    }
}

#[test]
fn external_input_is_read_by_the_reader_only() {
    let mut complaints = Vec::new();
    let mut used = Vec::new();
    for source in sources() {
        let module = source.module.join("::");
        if module == READER || source.module.last().is_some_and(|last| last == "tests") {
            continue;
        }
        for call in unlimited_reads(&source) {
            let exception =
                EXCEPTIONS.iter().find(|(known, of, _)| *known == module && *of == call);
            match exception {
                Some(exception) => used.push(exception),
                None => complaints.push(format!("{}: {call}", source.file.display())),
            }
        }
    }
    let unused = EXCEPTIONS.iter().filter(|exception| !used.contains(exception));
    complaints.extend(unused.map(|(module, call, _)| format!("{module}: no {call} any more")));
    assert_no_problems(&complaints);
}

#[test]
fn reads_past_the_reader_are_seen() {
    let seen = |code: &str| {
        let (file, text) = ("host/x.rs".into(), code.to_owned());
        let module = vec!["host".to_owned(), "x".to_owned()];
        unlimited_reads(&Source { file, module, tokens: text.parse().unwrap(), text })
    };
    for (code, call) in [
        ("fn f() { std::fs::read(p) }", "fs::read"),
        ("use std::fs; fn f() { fs::read_to_string(p) }", "fs::read_to_string"),
        ("fn f() { fs_err::read(p) }", "fs_err::read"),
        ("use std::fs::File; fn f() { File::open(p) }", "File::open"),
        ("fn f() { fs_err::File::open(p) }", "File::open"),
        ("fn f() { file.read_to_end(&mut bytes) }", "read_to_end"),
        ("fn f() { OpenOptions::new().read(true).open(p) }", "read(true)"),
        ("#[cfg(test)] mod tests { } fn f() { file.read_to_end(&mut bytes) }", "read_to_end"),
    ] {
        assert_eq!(seen(code), [call], "{code}");
    }
    assert!(
        seen("#[cfg(all(test, unix))] mod tests { fn f() { fs::read(p); a.read_to_end(b) } }")
            .is_empty()
    );
}
