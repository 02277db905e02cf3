use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::load::{LoadRestrictions, MemoryFiles, NoRemote};
use crate::resource::SchemaInForce;
use crate::yaml::{SourceId, to_json};

/// The texts, each with the mark of a separate line.
fn with_marks(texts: &[&str]) -> Vec<Marked<String>> {
    let mark = |line| Mark { source: SourceId(3), line, ..Mark::default() };
    let place = |(i, text): (usize, &&str)| Marked {
        value: (*text).to_owned(),
        mark: mark(u32::try_from(i).unwrap() + 1),
    };
    texts.iter().enumerate().map(place).collect()
}

fn generate(generator: &dyn Generator) -> Result<Resource, String> {
    let long = format!("A=1\nB={}\nC=1\n", "x".repeat(70_000));
    let files = MemoryFiles::default()
        .file("/k/a.txt", "text\n")
        .file("/k/b.bin", [0xff, 0xfe])
        .file("/k/e.env", "\u{feff}# no\n  A = \"1\" \r\nB\n\nexport C=2\n=3\n")
        .file("/k/long.env", long)
        .file("/k/bad.env", b"A=\xff\n");
    let files = Arc::new(files);
    let root = Root::start(
        "/k",
        Path::new("/"),
        LoadRestrictions::RootOnly,
        crate::profile::Profile::MASTER,
        files,
        Arc::new(NoRemote),
    );
    let schema = SchemaInForce::Builtin;
    let mut sources = crate::load::SourceNumbers::default();
    let profile = crate::profile::Profile::MASTER;
    let mut cx = Context::new(profile, &schema, &mut sources, Mark::default());
    let made = generator.generate(&root.unwrap(), &mut cx).map_err(|error| error.to_string())?;
    Ok(made.into_iter().next().unwrap())
}

fn config_map(literals: &[&str], files: &[&str], envs: &[&str]) -> Result<Resource, String> {
    let args = GeneratorArgs {
        name: Marked { value: "x".to_owned(), ..Marked::default() },
        literals: with_marks(literals),
        files: with_marks(files),
        envs: with_marks(envs),
        ..GeneratorArgs::default()
    };
    generate(&DataGenerator { args, ..DataGenerator::default() })
}

fn data(resource: &Resource) -> String {
    to_json(resource.node.get("data").unwrap()).unwrap()
}

#[test]
fn values_are_kept_unchanged() {
    let literals = ["a=b=c", "q=\"quoted\"", "s=''", "h=\"x", "n=a\\nb"];
    let made = config_map(&literals, &["a.txt", "k=b.bin"], &["e.env"]).unwrap();
    assert_eq!(
        data(&made),
        r#"{"A ":" \"1\" ","B":"","a":"b=c","a.txt":"text\n","export C":"2","h":"\"x","n":"a\\nb","q":"quoted","s":""}"#
    );
    assert_eq!(to_json(made.node.get("binaryData").unwrap()).unwrap(), r#"{"k":"//4="}"#);
    assert_eq!(made.node.at(&["data", "q"]).unwrap().mark.line, 2);
    assert!(made.needs_hash);
    assert_eq!(data(&config_map(&[], &[], &["long.env"]).unwrap()), r#"{"A":"1"}"#);
}

#[test]
fn errors_have_the_words_of_kustomize() {
    let error = |l: &[&str], f: &[&str], e: &[&str]| config_map(l, f, e).unwrap_err();
    assert_eq!(
        error(&["=ab"], &[], &[]),
        "loading KV pairs: literal sources [=ab]: invalid literal source =ab, expected key=value"
    );
    assert_eq!(
        error(&[], &["c="], &[]),
        "loading KV pairs: file sources: [c=]: missing file path for key name \"c\" in source \"c=\""
    );
    assert!(error(&[], &[], &["bad.env"]).contains("line [65 61 255] has invalid utf8 bytes : A="));
}
