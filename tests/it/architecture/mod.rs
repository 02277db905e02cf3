//! The architecture as a table: layers and their allowed uses, external crates, sizes, names. Read
//! from tokens, so that `use`, inline paths, `super::super`, grouped imports and the bodies of
//! macros all count.

mod docs;
mod module_cycles;
mod reads;
mod switches;
mod vocabulary;
mod words;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The floors, from the lowest up, each with the floors that it may use. A new floor needs a line
/// here.
const LAYERS: &[(&str, &[&str])] = &[
    ("engine::profile", &[]),
    ("engine::yaml", &[]),
    ("engine::load", &["engine::profile", "engine::yaml"]),
    ("engine::resource", &["engine::profile", "engine::yaml", "engine::load"]),
    (
        "engine::diagnostic",
        &["engine::profile", "engine::yaml", "engine::load", "engine::resource"],
    ),
    (
        "engine::manifest",
        &[
            "engine::profile",
            "engine::yaml",
            "engine::load",
            "engine::resource",
            "engine::diagnostic",
        ],
    ),
    (
        "engine::transform",
        &[
            "engine::profile",
            "engine::yaml",
            "engine::load",
            "engine::resource",
            "engine::diagnostic",
            "engine::manifest",
        ],
    ),
    (
        "engine::plugin",
        &[
            "engine::profile",
            "engine::yaml",
            "engine::load",
            "engine::resource",
            "engine::diagnostic",
            "engine::manifest",
            "engine::transform",
        ],
    ),
    (
        "engine::evaluate",
        &[
            "engine::profile",
            "engine::yaml",
            "engine::load",
            "engine::resource",
            "engine::diagnostic",
            "engine::manifest",
            "engine::transform",
            "engine::plugin",
        ],
    ),
    ("starlark", &[]),
    ("display", &[]),
    ("draft", &["engine"]),
    ("repository", &["engine", "draft"]),
    ("answers", &["display", "engine", "draft", "repository"]),
    ("host", &["engine", "draft", "repository"]),
    ("cli", &["display", "engine", "draft", "repository", "answers"]),
    ("tui", &["display", "engine", "draft", "repository", "answers"]),
    ("lsp", &["display", "engine", "draft", "repository", "answers"]),
    ("mcp", &[]),
    ("web", &["engine", "repository", "answers"]),
    ("unpack", &[]),
    (
        "start",
        &["display", "engine", "draft", "repository", "answers", "host", "cli", "tui", "lsp"],
    ),
];

/// External crates that a layer must not use.
const FORBIDDEN_CRATES: &[(&str, &[&str])] = &[
    ("engine", EXTERNAL_CRATES),
    ("display", EXTERNAL_CRATES),
    ("draft", EXTERNAL_CRATES),
    ("answers", EXTERNAL_CRATES),
    ("repository", EXTERNAL_CRATES),
    ("host", &["ratatui", "crossterm", "clap"]),
    ("cli", &["ratatui", "crossterm", "ureq", "notify"]),
    ("tui", &["clap", "ureq", "notify", "git2"]),
    (
        "lsp",
        &["ratatui", "crossterm", "clap", "ureq", "notify", "tokio", "std::fs", "std::process"],
    ),
    ("web", EXTERNAL_CRATES),
    ("unpack", EXTERNAL_CRATES),
    ("mcp", &["ratatui", "crossterm", "clap", "ureq", "notify", "std::fs", "std::process"]),
];
/// The external crates that the layers of the engine and of answers must not use.
const EXTERNAL_CRATES: &[&str] = &[
    "ratatui",
    "crossterm",
    "clap",
    "ureq",
    "notify",
    "tokio",
    "landlock",
    "rustix",
    "fs_err",
    "tempfile",
    "std::fs",
    "std::process",
    "std::env",
    "std::net",
    "std::thread",
    "std::io::stdin",
    "std::io::stdout",
    "std::time::Instant",
    "std::time::SystemTime",
    "std::collections::HashMap",
    "std::collections::HashSet",
];

/// Module names without a meaning.
const MEANINGLESS_MODULE_NAMES: &[&str] =
    &["utils", "util", "common", "helpers", "helper", "misc", "prelude", "types", "stuff"];

/// Types that give a static a mutable state. An immutable table, or a `LazyLock` of one, is
/// allowed.
const MUTABLE_STATIC_TYPES: &[&str] = &[
    "Mutex",
    "RwLock",
    "OnceLock",
    "OnceCell",
    "RefCell",
    "Cell",
    "AtomicBool",
    "AtomicUsize",
    "AtomicU64",
];

/// The maximum number of lines of a file: a longer file has more than one subject (ruling 26).
const MAX_FILE_LINES: usize = 600;

/// A source file with its module path and tokens.
struct Source {
    file: PathBuf,
    module: Vec<String>,
    text: String,
    tokens: TokenStream,
}

fn manifest_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<Source> {
    let root = manifest_folder().join("src");
    let mut found = Vec::new();
    for entry in walkdir::WalkDir::new(&root).sort_by_file_name() {
        let entry = entry.unwrap();
        // An example is a separate program, and may use any part.
        let is_example = entry.path().iter().any(|part| part == "examples");
        if !is_example && entry.path().extension().is_some_and(|extension| extension == "rs") {
            let text = fs_err::read_to_string(entry.path()).unwrap();
            let file = entry.path().strip_prefix(&root).unwrap().to_owned();
            let tokens = text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            found.push(Source { module: module_of(&file), file, text, tokens });
        }
    }
    assert!(found.len() > 10, "the sources were not found");
    found
}

fn module_of(file: &Path) -> Vec<String> {
    let path = file.with_extension("");
    let mut parts: Vec<String> =
        path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        parts.pop();
    }
    // `analysis` is a crate with several floors, and not a floor.
    if parts.first().is_some_and(|first| first == "analysis") {
        parts.remove(0);
    }
    parts
}

/// The path of a module by layer. A screen is a folder with a file for each layer of the workbench:
/// `screens/targets/view.rs` is the room `targets` of the layer `view`.
fn by_layer(path: &[String]) -> Vec<String> {
    let [floor, folder, screen, file, rest @ ..] = path else { return path.to_vec() };
    let layer: &[&str] = match (floor.as_str(), folder.as_str(), file.as_str()) {
        ("tui", "screens", "state") => &["model"],
        ("tui", "screens", "rows") => &["rows"],
        ("tui", "screens", "keys") => &["update"],
        ("tui", "screens", "view") => &["view"],
        _ => return path.to_vec(),
    };
    let layer = layer.iter().map(|part| (*part).to_owned());
    let layer = std::iter::once(floor.clone()).chain(layer);
    layer.chain([screen.clone()]).chain(rest.iter().cloned()).collect()
}

/// Floors that are separate crates: `crate` means the floor in them.
const FLOOR_CRATES: &[&str] = &["engine", "starlark", "tui", "lsp", "mcp", "web", "unpack"];
/// Other crates by their names in the roots of `kzui-tui` and `kzui-lsp`.
const CRATE_ALIASES: &[&str] = &["answers", "display", "draft", "engine", "repository"];

fn layer_name(path: &[String]) -> Option<&'static str> {
    let named = path.join("::");
    let inside = |floor: &str| {
        named.strip_prefix(floor).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    LAYERS.iter().map(|(floor, _)| *floor).find(|floor| inside(floor))
}

/// Collects every path of two or more segments in the code, absolute if it starts in this crate.
/// Unit tests are left out: they may use any layer.
fn paths(tokens: TokenStream, module: &[String], found: &mut BTreeSet<Vec<String>>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    let mut test = false;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Group(group) => {
                let text = group.stream().to_string();
                if group.delimiter() == Delimiter::Bracket
                    && text.starts_with("cfg")
                    && text.contains("test")
                {
                    test = true;
                }
                paths(group.stream(), module, found);
                at += 1;
            }
            TokenTree::Ident(word) if *word == "mod" => {
                at = inline_module(&tokens, at, module, std::mem::take(&mut test), found);
            }
            TokenTree::Ident(_) if !follows_colons(&tokens, at) => {
                at = path(&tokens, at, module, found);
            }
            _ => at += 1,
        }
    }
}

fn inline_module(
    tokens: &[TokenTree],
    at: usize,
    module: &[String],
    test: bool,
    found: &mut BTreeSet<Vec<String>>,
) -> usize {
    let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
        (tokens.get(at + 1), tokens.get(at + 2))
    else {
        return at + 1;
    };
    if !test {
        let mut inner = module.to_vec();
        inner.push(name.to_string());
        paths(body.stream(), &inner, found);
    }
    at + 3
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(sign)) if sign.as_char() == ':')
}

fn follows_colons(tokens: &[TokenTree], at: usize) -> bool {
    at >= 2 && is_colon(tokens.get(at - 1)) && is_colon(tokens.get(at - 2))
}

/// Reads one path from `at`; returns the position after it.
fn path(
    tokens: &[TokenTree],
    at: usize,
    module: &[String],
    found: &mut BTreeSet<Vec<String>>,
) -> usize {
    let mut segments = Vec::new();
    let mut next = at;
    loop {
        match tokens.get(next) {
            Some(TokenTree::Ident(word)) => segments.push(word.to_string()),
            Some(TokenTree::Group(group)) if !segments.is_empty() => {
                collect_group_paths(group.stream(), &segments, module, found);
                return next + 1;
            }
            _ => return next.max(at + 1),
        }
        if !(is_colon(tokens.get(next + 1)) && is_colon(tokens.get(next + 2))) {
            add_absolute_path(segments, module, found);
            return next + 1;
        }
        next += 3;
    }
}

fn collect_group_paths(
    stream: TokenStream,
    prefix: &[String],
    module: &[String],
    found: &mut BTreeSet<Vec<String>>,
) {
    let mut inner = BTreeSet::new();
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    for item in
        tokens.split(|token| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ','))
    {
        let mut segments = prefix.to_vec();
        for (place, token) in item.iter().enumerate() {
            match token {
                TokenTree::Ident(word) if *word == "as" => break,
                TokenTree::Ident(word) if *word == "self" && place == 0 => {}
                TokenTree::Ident(word) => segments.push(word.to_string()),
                TokenTree::Group(group) => {
                    collect_group_paths(group.stream(), &segments, module, &mut inner);
                }
                _ => {}
            }
        }
        add_absolute_path(segments, module, &mut inner);
    }
    found.append(&mut inner);
}

fn add_absolute_path(segments: Vec<String>, module: &[String], found: &mut BTreeSet<Vec<String>>) {
    if segments.len() < 2 {
        return;
    }
    let is_alias = segments.get(1).is_some_and(|name| CRATE_ALIASES.contains(&name.as_str()));
    let mut absolute = match segments.first().map(String::as_str) {
        Some("crate") if is_alias => Vec::new(),
        Some("crate") => module
            .iter()
            .take(1)
            .filter(|room| FLOOR_CRATES.contains(&room.as_str()))
            .cloned()
            .collect(),
        Some("self" | "super") => module.to_vec(),
        _ => {
            found.insert(segments);
            return;
        }
    };
    for segment in segments {
        match segment.as_str() {
            "crate" | "self" => {}
            "super" => {
                absolute.pop();
            }
            _ => absolute.push(segment),
        }
    }
    absolute.insert(0, "crate".to_owned());
    found.insert(absolute);
}

fn paths_in_source(source: &Source) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    paths(source.tokens.clone(), &source.module, &mut found);
    found
}

fn assert_no_problems(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn layers_use_only_allowed_layers() {
    let mut complaints = Vec::new();
    for source in sources() {
        let Some(floor) = layer_name(&source.module) else { continue };
        let (_, allowed) = LAYERS.iter().find(|(name, _)| *name == floor).unwrap();
        for path in paths_in_source(&source) {
            let Some(other) = path.strip_prefix(&["crate".to_owned()]).and_then(layer_name) else {
                continue;
            };
            let door = other.split("::").next().unwrap_or(other);
            if other != floor && !allowed.contains(&other) && !allowed.contains(&door) {
                complaints.push(format!(
                    "{}: {floor} names {}",
                    source.file.display(),
                    path.join("::")
                ));
            }
        }
    }
    assert_no_problems(&complaints);
}

#[test]
fn every_file_is_in_a_layer() {
    // `build` runs before the program is compiled.
    let doors = ["", "engine", "build"];
    let homeless = sources().into_iter().filter(|source| {
        layer_name(&source.module).is_none() && !doors.contains(&source.module.join("::").as_str())
    });
    assert_no_problems(
        &homeless
            .map(|source| format!("{}: no floor in the table", source.file.display()))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn layers_use_no_forbidden_crate() {
    let mut complaints = Vec::new();
    for source in sources() {
        let Some((_, guests)) = FORBIDDEN_CRATES
            .iter()
            .find(|(room, _)| source.module.first().is_some_and(|first| first == room))
        else {
            continue;
        };
        for path in paths_in_source(&source) {
            let named = path.join("::");
            let is = |guest: &&&str| {
                named
                    .strip_prefix(**guest)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
            };
            if path.len() > 1
                && let Some(guest) = guests.iter().find(is)
            {
                complaints.push(format!(
                    "{}: {guest} is not for this room ({named})",
                    source.file.display()
                ));
            }
        }
    }
    assert_no_problems(&complaints);
}

#[test]
fn files_have_limited_length() {
    let long = |source: &Source| source.text.lines().count() > MAX_FILE_LINES;
    let files = sources().into_iter().filter(long);
    assert_no_problems(
        &files
            .map(|source| {
                format!("{}: {} lines", source.file.display(), source.text.lines().count())
            })
            .collect::<Vec<_>>(),
    );
}

#[test]
fn module_names_are_specific() {
    let empty = |source: &Source| {
        source.module.iter().any(|part| MEANINGLESS_MODULE_NAMES.contains(&part.as_str()))
    };
    let files = sources().into_iter().filter(empty);
    assert_no_problems(
        &files
            .map(|source| format!("{}: an empty name", source.file.display()))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn no_state_lives_in_a_static() {
    fn look(tokens: TokenStream, file: &Path, complaints: &mut Vec<String>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            if let TokenTree::Group(group) = token {
                look(group.stream(), file, complaints);
            }
            let lifetime = at > 0
                && matches!(&tokens[at - 1], TokenTree::Punct(sign) if sign.as_char() == '\'');
            if lifetime
                || !matches!(token, TokenTree::Ident(word) if *word == "static" || *word == "thread_local")
            {
                continue;
            }
            let ends = |token: &&TokenTree| !matches!(token, TokenTree::Punct(sign) if "=;".contains(sign.as_char()));
            let words: Vec<String> =
                tokens[at + 1..].iter().take_while(ends).map(ToString::to_string).collect();
            let held = words
                .iter()
                .any(|word| word == "mut" || MUTABLE_STATIC_TYPES.contains(&word.as_str()));
            if held || token.to_string() == "thread_local" {
                complaints.push(format!("{}: static {}", file.display(), words.join(" ")));
            }
        }
    }
    let mut complaints = Vec::new();
    for source in sources() {
        look(source.tokens, &source.file, &mut complaints);
    }
    assert_no_problems(&complaints);
}

/// The only way to a terminal is a `Printer`; the screens have their own, which shows text through
/// `sanitize`.
#[test]
fn output_goes_through_the_printer() {
    let doors = ["start::printers", "tui::runtime::face", "tui::runtime::terminal"];
    let mut complaints = Vec::new();
    for source in sources() {
        let module = source.module.join("::");
        let faces = ["cli", "tui", "start", ""];
        let is_face = source.module.first().map_or("", String::as_str);
        for path in paths_in_source(&source).into_iter().map(|path| path.join("::")) {
            let stream = path.starts_with("std::io::stdout") || path.starts_with("std::io::stderr");
            let json = is_face == "cli" && path.starts_with("serde_json::to_");
            let asked = ["start::workbench", "start::headless", "start::lsp", ""]
                .contains(&module.as_str())
                && !source.text.contains("write!(std::io")
                && !source.text.contains("writeln!(std::io");
            if (stream && faces.contains(&is_face) && !doors.contains(&module.as_str()) && !asked)
                || json
            {
                complaints.push(format!("{}: {path} goes past `display`", source.file.display()));
            }
        }
    }
    assert_no_problems(&complaints);
}

/// A screen is a function of the model: a view that could write it would draw differently the
/// second time.
#[test]
fn a_view_never_writes_the_model() {
    let writes = |source: &Source| {
        let flat: String = source.tokens.to_string().split_whitespace().collect();
        by_layer(&source.module).starts_with(&["tui".to_owned(), "view".to_owned()])
            && flat.contains("&mutModel")
    };
    let files = sources().into_iter().filter(writes);
    assert_no_problems(
        &files
            .map(|source| format!("{}: a view takes &mut Model", source.file.display()))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn no_todo_or_ignored_test() {
    let open = ["todo!", "unimplemented!", "TODO", "FIXME", "#[ignore", "#[should_panic"];
    let mut complaints = Vec::new();
    let product = |source: &Source| source.module.last().is_none_or(|last| last != "tests");
    for source in sources().into_iter().filter(product) {
        for (number, line) in source.text.lines().enumerate() {
            if let Some(word) = open.iter().find(|word| line.contains(**word)) {
                complaints.push(format!("{}:{}: {word}", source.file.display(), number + 1));
            }
        }
    }
    assert_no_problems(&complaints);
}

/// Unsafe code is in one file, with a reason for each use.
#[test]
fn unsafe_code_is_in_one_file_only() {
    let is_unsafe = |source: &&Source| source.text.lines().any(|line| line.contains("unsafe {"));
    let files = sources();
    let found: Vec<_> = files.iter().filter(is_unsafe).map(|source| &source.module).collect();
    assert_eq!(found, [&["host", "process", "raw_calls"]]);
}

#[test]
fn main_declares_every_test_file() {
    let folder = manifest_folder().join("tests/it");
    let main = fs_err::read_to_string(folder.join("main.rs")).unwrap();
    let mut forgotten = Vec::new();
    for entry in fs_err::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let module = path.is_dir() && path.join("mod.rs").exists()
            || path.extension().is_some_and(|extension| extension == "rs");
        if module && name != "main" && !main.contains(&format!("mod {name};")) {
            forgotten.push(format!("tests/it/{name}: not in main.rs"));
        }
    }
    assert_no_problems(&forgotten);
}

/// Each rule above must find a violation.
#[test]
fn rules_detect_violations() {
    let seen = |module: &str, code: &str| {
        let module: Vec<String> = module.split("::").map(str::to_owned).collect();
        let mut found = BTreeSet::new();
        paths(code.parse().unwrap(), &module, &mut found);
        found.into_iter().map(|path| path.join("::")).collect::<Vec<_>>()
    };
    let names =
        |module, code, path: &str| assert!(seen(module, code).contains(&path.to_owned()), "{code}");
    names("draft::draft", "use crate::tui::Model;", "crate::tui::Model");
    names(
        "tui::view",
        "use crate::{model::Model, answers::Recording};",
        "crate::tui::model::Model",
    );
    names("tui::view", "use crate::answers::Recording;", "crate::answers::Recording");
    names("engine::yaml::node", "use crate::evaluate::Step;", "crate::engine::evaluate::Step");
    names(
        "engine::yaml::node",
        "use super::super::evaluate::Step;",
        "crate::engine::evaluate::Step",
    );
    names("host::disk", "use crate::{draft::{Edit, Draft as S}, cli};", "crate::draft::Draft");
    names("host::disk", "use crate::{draft::{Edit, Draft as S}, cli};", "crate::cli");
    names(
        "host::disk",
        "fn f() { format!(\"{:?}\", crate::draft::Edit::X) }",
        "crate::draft::Edit::X",
    );
    names("engine::load", "mod inner { use super::super::evaluate; }", "crate::engine::evaluate");
    names("engine::load", "fn f() -> std::fs::File { todo() }", "std::fs::File");
    names("engine::load", "use std::{fs, sync::Arc};", "std::fs");
    assert_eq!(
        seen("engine::load", "#[cfg(test)] mod tests { use crate::tui::Model; }"),
        Vec::<String>::new()
    );
}
