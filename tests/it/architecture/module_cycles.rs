//! No cycles inside a layer: no file uses, directly or through others, a file that uses it. A
//! re-export in `mod.rs` (`pub use step::Step`) is followed to the file of the item.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::TokenTree;

use super::{
    LAYERS, Source, assert_no_problems, by_layer, layer_name, module_of, path, paths_in_source,
    sources,
};

type Module = Vec<String>;

/// A file: its uses, and the names that it exports or imports.
struct ModuleFile {
    is_door: bool,
    named: BTreeSet<Vec<String>>,
    handed_on: BTreeMap<String, Vec<String>>,
    brought_in: BTreeMap<String, Vec<String>>,
}

type ModuleFiles = BTreeMap<Module, ModuleFile>;

fn read(source: &Source) -> ModuleFile {
    let mut file = ModuleFile {
        is_door: source.file.file_name().is_some_and(|name| name == "mod.rs" || name == "lib.rs"),
        named: BTreeSet::new(),
        handed_on: BTreeMap::new(),
        brought_in: BTreeMap::new(),
    };
    let tokens: Vec<TokenTree> = source.tokens.clone().into_iter().collect();
    let mut handed = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        if !matches!(token, TokenTree::Ident(word) if *word == "use") {
            continue;
        }
        let mut found = BTreeSet::new();
        path(&tokens, at + 1, &source.module, &mut found);
        let found = found.into_iter().map(without_crate_prefix);
        let is_public = is_public(&tokens[..at]);
        for path in found {
            let Some(name) = path.last().cloned() else { continue };
            if is_public {
                handed.insert(path.clone());
                file.handed_on.insert(name, path);
            } else {
                file.brought_in.insert(name, path);
            }
        }
        for (name, alias) in renamed(&tokens[at..]) {
            if let Some(path) = file.handed_on.get(&name).or(file.brought_in.get(&name)).cloned() {
                let names = if is_public { &mut file.handed_on } else { &mut file.brought_in };
                names.insert(alias, path);
            }
        }
    }
    file.named = paths_in_source(source).into_iter().map(without_crate_prefix).collect();
    if file.is_door {
        file.named.retain(|path| !handed.contains(path));
    }
    file
}

/// The renamed imports of a `use`.
fn renamed(tokens: &[TokenTree]) -> Vec<(String, String)> {
    fn collect_aliases(tokens: &[TokenTree], found: &mut Vec<(String, String)>) {
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Punct(sign) if sign.as_char() == ';' => return,
                TokenTree::Group(group) => {
                    collect_aliases(&group.stream().into_iter().collect::<Vec<_>>(), found);
                }
                TokenTree::Ident(word) if *word == "as" && at > 0 => {
                    if let Some(alias) = tokens.get(at + 1) {
                        found.push((tokens[at - 1].to_string(), alias.to_string()));
                    }
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    collect_aliases(tokens, &mut found);
    found
}

/// The path without a leading `crate`.
fn without_crate_prefix(mut path: Vec<String>) -> Vec<String> {
    if path.first().is_some_and(|first| first == "crate") {
        path.remove(0);
    }
    path
}

/// True if the item after these tokens is exported: `pub`, `pub(super)`, `pub(in …)`.
fn is_public(before: &[TokenTree]) -> bool {
    let word =
        |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Ident(word)) if *word == "pub");
    let last = before.len().checked_sub(1);
    let Some(last) = last else { return false };
    match &before[last] {
        TokenTree::Group(_) => word(last.checked_sub(1).map(|at| &before[at])),
        token => word(Some(token)),
    }
}

/// The file for a path used in another file.
fn resolve(house: &ModuleFiles, from: &Module, path: &[String], depth: usize) -> Option<Module> {
    let file = house.get(from)?;
    let first = path.first()?;
    let mut full = path.to_vec();
    if !contains_module(house, path) {
        if let Some(brought) = file.brought_in.get(first).or(file.handed_on.get(first))
            && brought.as_slice() != &path[..brought.len().min(path.len())]
        {
            full.splice(..1, brought.iter().cloned());
        } else {
            full.splice(..0, from.iter().cloned());
        }
    }
    resolve_module(house, &full, depth)
}

fn contains_module(house: &ModuleFiles, path: &[String]) -> bool {
    let path = &by_layer(path);
    (1..=path.len()).rev().any(|end| house.contains_key(&path[..end]))
}

fn resolve_module(house: &ModuleFiles, full: &[String], depth: usize) -> Option<Module> {
    let full = &by_layer(full);
    let end = (1..=full.len()).rev().find(|end| house.contains_key(&full[..*end]))?;
    let (module, rest) = full.split_at(end);
    let file = house.get(module)?;
    let Some(name) = rest.first() else {
        // The import of a module as such is not counted; uses of its items are.
        return (!file.is_door).then(|| module.to_vec());
    };
    match file.handed_on.get(name).or_else(|| file.brought_in.get(name)) {
        Some(onward) if depth > 0 => {
            let mut onward = onward.clone();
            onward.extend(rest.iter().skip(1).cloned());
            resolve(house, &module.to_vec(), &onward, depth - 1).or(Some(module.to_vec()))
        }
        _ => Some(module.to_vec()),
    }
}

/// The uses of each module by others, with the names used.
type ModuleUses = BTreeMap<Module, BTreeMap<Module, BTreeSet<String>>>;

/// The files of a floor that each of its files uses.
fn module_uses(house: &ModuleFiles, floor: &str) -> ModuleUses {
    let on_floor = |module: &Module| {
        layer_name(module) == Some(floor) && !module.iter().any(|part| part == "tests")
    };
    let mut arrows = ModuleUses::new();
    for module in house.keys().filter(|module| on_floor(module)) {
        let to = arrows.entry(module.clone()).or_default();
        for path in &house[module].named {
            if let Some(other) = resolve(house, module, path, 8)
                && other != *module
                && on_floor(&other)
            {
                to.entry(other).or_default().extend(path.last().cloned());
            }
        }
    }
    arrows
}

/// The modules of a folder: its files, and its folders with all their content. `mod.rs` is the
/// entry: it may use all of them, and all may use it.
fn sibling_uses(arrows: &ModuleUses, folder: &[String]) -> ModuleUses {
    let room = |module: &Module| {
        (module.len() > folder.len() && module.starts_with(folder))
            .then(|| module[..=folder.len()].to_vec())
    };
    let mut between = ModuleUses::new();
    for (from, to) in arrows {
        let Some(from) = room(from) else { continue };
        let of_room = between.entry(from.clone()).or_default();
        for (other, names) in to {
            if let Some(other) = room(other).filter(|other| *other != from) {
                of_room.entry(other).or_default().extend(names.iter().cloned());
            }
        }
    }
    between
}

/// The modules that use each other.
fn use_cycles(arrows: &ModuleUses) -> BTreeSet<Vec<Module>> {
    let reached = |from: &Module| {
        let mut seen = BTreeSet::new();
        let mut ahead: Vec<&Module> = arrows[from].keys().collect();
        while let Some(next) = ahead.pop() {
            if seen.insert(next) {
                ahead.extend(arrows.get(next).into_iter().flat_map(BTreeMap::keys));
            }
        }
        seen
    };
    let reach: BTreeMap<&Module, BTreeSet<&Module>> =
        arrows.keys().map(|from| (from, reached(from))).collect();
    let circle = |from: &Module| {
        let both = |to: &&Module| reach[from].contains(to) && reach[to].contains(from);
        arrows.keys().filter(both).cloned().collect::<Vec<_>>()
    };
    arrows.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
}

fn module_files(sources: &[Source]) -> ModuleFiles {
    sources.iter().map(|source| (by_layer(&source.module), read(source))).collect()
}

fn find_cycles(house: &ModuleFiles) -> Vec<String> {
    let mut complaints = Vec::new();
    for (floor, _) in LAYERS {
        let arrows = module_uses(house, floor);
        for folder in arrows.keys().filter(|module| house[*module].is_door) {
            let rooms = sibling_uses(&arrows, folder);
            for circle in use_cycles(&rooms) {
                let names: Vec<&str> =
                    circle.iter().filter_map(|room| room.last().map(String::as_str)).collect();
                let names = names.join(", ");
                complaints.push(format!("{}: {names} form a circle", folder.join("::")));
                complaints.extend(
                    circle.iter().flat_map(|it| uses_within_cycle(it, &rooms[it], &circle)),
                );
            }
        }
    }
    complaints
}

#[test]
fn modules_of_a_layer_form_no_cycle() {
    assert_no_problems(&find_cycles(&module_files(&sources())));
}

/// The rule finds forbidden uses, and accepts all others.
#[test]
fn cycle_through_reexports_is_found() {
    let told = |files: &[(&str, &str)]| {
        let source = |(file, text): &(&str, &str)| Source {
            file: PathBuf::from(file),
            module: module_of(Path::new(file)),
            text: (*text).to_owned(),
            tokens: text.parse().unwrap(),
        };
        find_cycles(&module_files(&files.iter().map(source).collect::<Vec<_>>()))
    };
    let door = ("draft/mod.rs", "mod a; mod b; pub use a::A; pub(super) use b::B as Other;");
    let b = ("draft/b.rs", "use super::a; pub struct B(a::Thing);");
    let through_the_door =
        [door, ("draft/a.rs", "pub struct Thing; fn f() -> super::Other { todo() }"), b];
    assert_eq!(
        told(&through_the_door),
        ["draft: a, b form a circle", "  a names b: Other", "  b names a: Thing, a"]
    );
    assert_eq!(told(&[door, ("draft/a.rs", "pub struct Thing;"), b]), Vec::<String>::new());
    let in_tests = "pub struct Thing; #[cfg(test)] mod tests { use super::super::b::B; }";
    assert_eq!(told(&[door, ("draft/a.rs", in_tests), b]), Vec::<String>::new());
    let rooms = [
        ("tui/mod.rs", "mod model; mod view;"),
        ("tui/model/mod.rs", "mod deep; use super::view::draw;"),
        ("tui/model/deep.rs", "pub struct Deep;"),
        ("tui/view.rs", "use super::model::deep::Deep; pub fn draw(_: Deep) {}"),
    ];
    let found = told(&rooms);
    assert_eq!(found.first().map(String::as_str), Some("tui: model, view form a circle"));
    // The files of a screen belong to the layers of their names.
    let screen = [
        ("tui/lib.rs", "mod model; mod screens; mod view;"),
        ("tui/model/mod.rs", "use crate::screens::one::state::State;"),
        ("tui/view/mod.rs", "use crate::model::Model;"),
        ("tui/screens/mod.rs", "mod one;"),
        ("tui/screens/one/mod.rs", "mod state; mod view;"),
        ("tui/screens/one/state.rs", "pub struct State;"),
        ("tui/screens/one/view.rs", "use super::state::State; fn draw(_: State) {}"),
    ];
    assert_eq!(told(&screen), Vec::<String>::new());
    let upwards = screen.map(|(file, text)| match file {
        "tui/screens/one/state.rs" => (file, "use super::view::draw; pub struct State;"),
        _ => (file, text),
    });
    let found = told(&upwards);
    assert_eq!(found.first().map(String::as_str), Some("tui: model, view form a circle"));
}

/// The uses of other modules of a cycle by a module.
fn uses_within_cycle(
    room: &Module,
    to: &BTreeMap<Module, BTreeSet<String>>,
    circle: &[Module],
) -> Vec<String> {
    let short = |module: &Module| module.last().cloned().unwrap_or_default();
    let others = to.iter().filter(|(other, _)| circle.contains(other));
    others
        .map(|(other, names)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("  {} names {}: {}", short(room), short(other), names.join(", "))
        })
        .collect()
}
