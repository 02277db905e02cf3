//! Copies the tree, plants mutants in the copy, and compiles it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::sites::{Site, sites};
use crate::{Mutant, Outcome, kept, read, shuffle, suite, write, write_json};

/// The module with the function that returns whether a mutant is on. It becomes a file of the
/// copy's engine.
const SWITCH: &str = include_str!("../switch.rs");
/// Appended to the engine's `lib.rs`, so that both crates can use the switch by the same path.
const DOOR: &str =
    "\n/// Which mutant is on.\npub mod mutant;\nextern crate self as kzui_engine;\n";

/// A mutant and its site in the text of its file.
struct Plan {
    mutant: Mutant,
    site: Site,
}

/// Plants up to `per_floor` mutants on each floor, and all kept ones.
pub(crate) fn plant(tree: &Path, work: &Path, per_floor: usize, seed: usize) -> Outcome<()> {
    let copy = work.join("kzui");
    copy_tree(tree, &copy)?;
    copy_target(tree, work)?;
    let texts = sources(&copy)?;
    let mut plans = choose(tree, &texts, per_floor, seed)?;
    write(&copy.join("src/engine/mutant.rs"), SWITCH)?;
    let library = PathBuf::from("src/engine/lib.rs");
    for round in 1.. {
        let planted = rewrite(&plans, &texts);
        for (file, text) in &texts {
            let mut text = planted.get(file).map_or_else(|| text.clone(), |(text, _)| text.clone());
            if *file == library {
                text.push_str(DOOR);
            }
            write_changed(&copy.join(file), &text)?;
        }
        let refused = check(&copy, work, &planted)?;
        println!(
            "round {round}: {} mutants planted, {} do not compile",
            plans.len(),
            refused.len()
        );
        if refused.is_empty() {
            break;
        }
        plans.retain(|plan| !refused.contains(&plan.mutant.number));
    }
    let mutants: Vec<Mutant> = plans.into_iter().map(|plan| plan.mutant).collect();
    write_json(&work.join("mutants.json"), &mutants)?;
    suite::compile(work)
}

fn copy_tree(tree: &Path, copy: &Path) -> Outcome<()> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(tree)
        .output()
        .map_err(|error| format!("git ls-files: {error}"))?;
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    let files: BTreeSet<&str> = text.split('\0').filter(|file| !file.is_empty()).collect();
    for file in &files {
        let (from, to) = (tree.join(file), copy.join(file));
        if !from.is_symlink() && !from.is_file() {
            continue;
        }
        let said = |error: std::io::Error| format!("{}: {error}", to.display());
        std::fs::create_dir_all(to.parent().unwrap_or(copy)).map_err(said)?;
        if from.is_symlink() {
            if !to.is_symlink() {
                let target = std::fs::read_link(&from).map_err(said)?;
                std::os::unix::fs::symlink(target, &to).map_err(said)?;
            }
        } else if std::fs::read(&to).ok() != std::fs::read(&from).ok() && !file.starts_with("src/")
        {
            std::fs::copy(&from, &to).map_err(said)?;
        } else if file.starts_with("src/") && !to.exists() {
            std::fs::copy(&from, &to).map_err(said)?;
        }
    }
    // The mutants are planted in the texts of the tree, not in those of an earlier run.
    let fresh: BTreeMap<&str, String> = files
        .iter()
        .filter(|file| file.starts_with("src/"))
        .filter_map(|file| Some((*file, std::fs::read_to_string(tree.join(file)).ok()?)))
        .collect();
    write_json(&copy.with_extension("sources.json"), &fresh)?;
    remove_others(copy, &copy.join("src"), &files)?;
    remove_others(copy, &copy.join("tests"), &files)
}

/// Removes the files of the copy that are not listed.
fn remove_others(copy: &Path, folder: &Path, listed: &BTreeSet<&str>) -> Outcome<()> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            remove_others(copy, &path, listed)?;
        } else if path
            .strip_prefix(copy)
            .ok()
            .and_then(Path::to_str)
            .is_some_and(|name| !listed.contains(name))
        {
            std::fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

/// Copies the compiled dependencies of the checkout, so that they are not compiled again.
fn copy_target(tree: &Path, work: &Path) -> Outcome<()> {
    let (from, to) = (tree.join("target/debug"), work.join("target/debug"));
    if to.exists() || !from.exists() {
        return Ok(());
    }
    std::fs::create_dir_all(&to).map_err(|error| error.to_string())?;
    for folder in [".fingerprint", "build", "deps"] {
        let copied = Command::new("cp").arg("-a").arg(from.join(folder)).arg(&to).status();
        if !copied.is_ok_and(|status| status.success()) {
            return Err(format!("cannot copy {}", from.join(folder).display()));
        }
    }
    Ok(())
}

/// The texts of all files below `src`, without mutants.
fn sources(copy: &Path) -> Outcome<BTreeMap<PathBuf, String>> {
    let all: BTreeMap<PathBuf, String> = crate::read_json(&copy.with_extension("sources.json"))?;
    Ok(all)
}

/// The floor of a file; `None` if the file contains tests or examples.
fn floor(file: &Path) -> Option<String> {
    let parts: Vec<&str> = file.iter().filter_map(|part| part.to_str()).collect();
    let tests =
        parts.iter().any(|part| matches!(*part, "tests" | "tests.rs" | "examples" | "testing.rs"));
    match parts.as_slice() {
        _ if tests || file.extension().is_none_or(|extension| extension != "rs") => None,
        ["src", "engine", floor, _, ..] => Some(format!("engine/{floor}")),
        ["src", "analysis", floor, _, ..] => Some((*floor).to_owned()),
        ["src", floor, _, ..] if !["engine", "analysis"].contains(floor) => Some((*floor).to_owned()),
        _ => None,
    }
}

fn choose(
    tree: &Path,
    texts: &BTreeMap<PathBuf, String>,
    per_floor: usize,
    seed: usize,
) -> Outcome<Vec<Plan>> {
    let mut chosen = Vec::new();
    for kept in kept::list(tree)? {
        let text = texts
            .get(&kept.file)
            .ok_or_else(|| format!("{}: no file {}", kept.name, kept.file.display()))?;
        match kept.site(text) {
            Ok(site) => chosen.push((kept.file, site, Some(kept.name))),
            Err(reason) => println!("does not apply: {reason}"),
        }
    }
    let mut floors = BTreeMap::<String, Vec<(PathBuf, Site)>>::new();
    for (file, text) in texts {
        let Some(floor) = floor(file) else { continue };
        let found = sites(text).map_err(|error| format!("{}: {error}", file.display()))?;
        floors.entry(floor).or_default().extend(found.into_iter().map(|site| (file.clone(), site)));
    }
    for (floor, mut pool) in floors {
        shuffle(&mut pool, seed as u64);
        let all = pool.len();
        let mut many = 0;
        for (file, site) in pool {
            let meets = |other: &(PathBuf, Site, Option<String>)| {
                other.0 == file
                    && other.1.range.start < site.range.end
                    && site.range.start < other.1.range.end
            };
            if many < per_floor && !chosen.iter().any(meets) {
                chosen.push((file, site, None));
                many += 1;
            }
        }
        println!("{floor}: {many} of {all} sites");
    }
    let numbered = chosen.into_iter().enumerate().filter_map(|(number, (file, site, name))| {
        let original = texts.get(&file)?.get(site.range.clone())?.to_owned();
        let mutant = Mutant {
            number,
            floor: floor(&file).unwrap_or_else(|| "other".to_owned()),
            line: site.line,
            kept: name.is_some(),
            kind: name.unwrap_or_else(|| site.kind.to_owned()),
            mutated: site.mutated.clone(),
            original,
            file,
        };
        Some(Plan { mutant, site })
    });
    Ok(numbered.collect())
}

/// The mutated texts, with the range and number of each mutant.
type Planted = BTreeMap<PathBuf, (String, Vec<(Range<usize>, usize)>)>;

fn rewrite(plans: &[Plan], texts: &BTreeMap<PathBuf, String>) -> Planted {
    let mut by_file = BTreeMap::<&PathBuf, Vec<&Plan>>::new();
    for plan in plans {
        by_file.entry(&plan.mutant.file).or_default().push(plan);
    }
    let mut planted = Planted::new();
    for (file, mut plans) in by_file {
        plans.sort_by_key(|plan| plan.site.range.start);
        let text = &texts[file];
        let (mut out, mut at, mut places) = (String::new(), 0, Vec::new());
        for plan in plans {
            out.push_str(&text[at..plan.site.range.start]);
            let begin = out.len();
            let question = format!("::kzui_engine::mutant::on({})", plan.mutant.number);
            out.push_str(&plan.site.planted.replace("MUTANT", &question));
            places.push((begin..out.len(), plan.mutant.number));
            at = plan.site.range.end;
        }
        out.push_str(&text[at..]);
        planted.insert(file.clone(), (out, places));
    }
    planted
}

/// The mutants that do not compile.
fn check(copy: &Path, work: &Path, planted: &Planted) -> Outcome<BTreeSet<usize>> {
    let output = Command::new("cargo")
        .args(["check", "--locked", "--workspace", "--lib", "--bins", "--message-format=json"])
        .env("CARGO_TARGET_DIR", work.join("target"))
        .current_dir(copy)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    let mut refused = BTreeSet::new();
    let mut strange = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(value) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let message = &value["message"];
        if message["level"] != "error" || message["spans"].as_array().is_none_or(Vec::is_empty) {
            continue;
        }
        let mutants = blamed(message, planted);
        if mutants.is_empty() {
            strange.push(message["rendered"].as_str().unwrap_or_default().to_owned());
        }
        refused.extend(mutants);
    }
    if output.status.success() || !refused.is_empty() {
        return Ok(refused);
    }
    Err(format!("the copy does not compile, and no mutant is the reason:\n{}", strange.join("\n")))
}

/// The mutants at the position of an error; if there are none, those near it.
fn blamed(message: &serde_json::Value, planted: &Planted) -> BTreeSet<usize> {
    let mut all = message["spans"].as_array().cloned().unwrap_or_default();
    for child in message["children"].as_array().into_iter().flatten() {
        all.extend(child["spans"].as_array().into_iter().flatten().cloned());
    }
    let spans: Vec<(PathBuf, Range<usize>)> = all
        .iter()
        .filter_map(|span| {
            let number = |name: &str| usize::try_from(span[name].as_u64()?).ok();
            Some((
                PathBuf::from(span["file_name"].as_str()?),
                number("byte_start")?..number("byte_end")?,
            ))
        })
        .collect();
    for slack in [0, 500, 2_000, 20_000] {
        let met: BTreeSet<usize> = spans
            .iter()
            .filter_map(|(file, range)| Some((planted.get(file)?, range)))
            .flat_map(|((_, places), range)| {
                let near = move |place: &&(Range<usize>, usize)| {
                    place.0.start < range.end + slack && range.start < place.0.end + slack
                };
                places.iter().filter(near).map(|place| place.1)
            })
            .collect();
        if !met.is_empty() {
            return met;
        }
    }
    BTreeSet::new()
}

/// Writes a file only if its text changes, so that Cargo does not compile it again.
fn write_changed(path: &Path, text: &str) -> Outcome<()> {
    if read(path).is_ok_and(|old| old == text) { Ok(()) } else { write(path, text) }
}
