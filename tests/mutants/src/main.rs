//! Mutants of kzui, all compiled into one build and switched on by an environment variable. See
//! README.md.

mod kept;
mod plant;
mod sites;
mod suite;
mod trial;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The result of a command. The error is a sentence.
type Outcome<T> = Result<T, String>;

/// One change of the program that the tests should notice.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Mutant {
    number: usize,
    floor: String,
    /// The path relative to the root of the tree.
    file: PathBuf,
    line: usize,
    /// The kind of change, such as `comparison` or `dropped call`, or the name of a kept mutant.
    kind: String,
    original: String,
    mutated: String,
    /// True if the mutant is from kept.toml.
    kept: bool,
}

const USAGE: &str = "usage: kzui-mutants COMMAND --work DIR …

  plant --tree . --work DIR [--per-floor 40] [--seed 1]   copy the tree, plant mutants, compile
  tests --tree . --work DIR                               copy tests/ anew and compile them
  learn --work DIR [--again TEXT] [--only TEXT,…] [--within 300]
                                                          run each test once: does it pass, which mutants does it reach
  run --work DIR [--count 100] [--seed 1] | --kept | --only 17,18
  show --work DIR --only 17,18                            which tests reach a mutant";

fn main() -> std::process::ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match command(&words) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("{text}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn command(words: &[String]) -> Outcome<()> {
    let flag = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1).cloned()
    };
    let number = |name: &str, default: usize| match flag(name) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| format!("{name} takes a number, not {text:?}")),
    };
    let work = PathBuf::from(flag("--work").ok_or(USAGE)?);
    std::fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let work = work.canonicalize().map_err(|error| error.to_string())?;
    let tree = || flag("--tree").map(PathBuf::from).ok_or("--tree names the checkout".to_owned());
    let only = || -> Outcome<Option<Vec<usize>>> {
        let Some(list) = flag("--only") else { return Ok(None) };
        let numbers: Result<_, _> = list.split(',').map(str::parse).collect();
        numbers.map(Some).map_err(|_| format!("--only takes numbers, not {list:?}"))
    };
    match words.first().map(String::as_str) {
        Some("plant") => {
            plant::plant(&tree()?, &work, number("--per-floor", 40)?, number("--seed", 1)?)
        }
        Some("tests") => suite::take_tests(&tree()?, &work),
        Some("learn") => {
            let only = flag("--only").unwrap_or_default();
            let lesson = suite::Lesson {
                again: flag("--again"),
                only: only.split(',').filter(|part| !part.is_empty()).map(str::to_owned).collect(),
                within: number("--within", 300)? as u64,
            };
            suite::learn(&work, &lesson)
        }
        Some("run") => {
            let choice = if words.iter().any(|word| word == "--kept") {
                trial::Choice::Kept
            } else if let Some(numbers) = only()? {
                trial::Choice::Only(numbers)
            } else {
                trial::Choice::Random { count: number("--count", 100)?, seed: number("--seed", 1)? }
            };
            trial::run(&work, &choice)
        }
        Some("show") => trial::show(&work, &only()?.ok_or(USAGE)?),
        _ => Err(USAGE.to_owned()),
    }
}

fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Outcome<()> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Outcome<T> {
    serde_json::from_str(&read(path)?).map_err(|error| format!("{}: {error}", path.display()))
}

fn write_json<T: Serialize>(path: &Path, value: &T) -> Outcome<()> {
    let text = serde_json::to_string_pretty(value).map_err(|error| error.to_string())?;
    // Renamed at the end, so that an interrupted run leaves the old or the new file, not a part.
    let beside = path.with_extension("new");
    write(&beside, &text)?;
    std::fs::rename(&beside, path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Shuffles a list; the order depends only on the seed (SplitMix64, Fisher-Yates).
fn shuffle<T>(list: &mut [T], seed: u64) {
    let mut state = seed.wrapping_mul(0x2545_F491_4F6C_DD1D);
    for at in (1..list.len()).rev() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        list.swap(at, usize::try_from(mixed % (at as u64 + 1)).unwrap_or(0));
    }
}

/// Takes one mutant from each floor in turn, so that a part of the list is spread evenly over the
/// floors.
fn by_turns(mut list: Vec<Mutant>, seed: u64) -> Vec<Mutant> {
    shuffle(&mut list, seed);
    let mut floors = std::collections::BTreeMap::<String, usize>::new();
    let mut ranked: Vec<_> = list
        .into_iter()
        .map(|mutant| {
            let turn = floors.entry(mutant.floor.clone()).or_default();
            *turn += 1;
            (*turn, mutant)
        })
        .collect();
    ranked.sort_by_key(|(turn, _)| *turn);
    ranked.into_iter().map(|(_, mutant)| mutant).collect()
}
