//! Runs the tests that reach each mutant.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::suite::{End, Program, Test};
use crate::{Mutant, Outcome, by_turns, read_json, write_json};

/// The choice of mutants to try.
pub(crate) enum Choice {
    Random { count: usize, seed: usize },
    Kept,
    Only(Vec<usize>),
}

/// The result for a mutant.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Fate {
    Killed {
        by: String,
    },
    Hung {
        by: String,
    },
    /// No test fails, although this number of tests reaches the mutant.
    Survived {
        tests: usize,
    },
}

/// The usual duration of tests that are run together, in seconds.
const BUNCH: f64 = 2.0;

pub(crate) fn run(work: &Path, choice: &Choice) -> Outcome<()> {
    let mutants: Vec<Mutant> = read_json(&work.join("mutants.json"))?;
    let programs: Vec<Program> = read_json(&work.join("programs.json"))?;
    let tests: Vec<Test> = read_json(&work.join("tests.json"))?;
    let chosen: Vec<Mutant> = match choice {
        Choice::Kept => mutants.into_iter().filter(|mutant| mutant.kept).collect(),
        Choice::Only(numbers) => {
            mutants.into_iter().filter(|mutant| numbers.contains(&mutant.number)).collect()
        }
        Choice::Random { count, seed } => {
            let random = mutants.into_iter().filter(|mutant| !mutant.kept).collect();
            by_turns(random, *seed as u64).into_iter().take(*count).collect()
        }
    };
    let file = work.join("fates.json");
    let mut fates: BTreeMap<usize, Fate> = read_json(&file).unwrap_or_default();
    let mut table = BTreeMap::<&str, (usize, usize)>::new();
    let mut survivors = Vec::new();
    for mutant in &chosen {
        let fate = judge(mutant, &programs, &tests)?;
        println!(
            "{:>4} {}:{} {}: {}",
            mutant.number,
            mutant.file.display(),
            mutant.line,
            mutant.kind,
            fate.text()
        );
        let row = table.entry(&mutant.floor).or_default();
        row.1 += 1;
        if matches!(fate, Fate::Survived { .. }) {
            survivors.push(mutant);
        } else {
            row.0 += 1;
        }
        fates.insert(mutant.number, fate);
        write_json(&file, &fates)?;
    }
    for mutant in &survivors {
        println!(
            "\nsurvivor {} in {}:{} ({})",
            mutant.number,
            mutant.file.display(),
            mutant.line,
            mutant.kind
        );
        for line in mutant.original.lines() {
            println!("  - {line}");
        }
        for line in mutant.mutated.lines() {
            println!("  + {line}");
        }
    }
    println!("\n| floor | killed | tried |\n|---|--:|--:|");
    for (floor, (killed, tried)) in &table {
        println!("| {floor} | {killed} | {tried} |");
    }
    println!("\n{} of {} survived", survivors.len(), chosen.len());
    Ok(())
}

/// Prints the tests that reach a mutant.
pub(crate) fn show(work: &Path, numbers: &[usize]) -> Outcome<()> {
    let tests: Vec<Test> = read_json(&work.join("tests.json"))?;
    for number in numbers {
        for test in tests.iter().filter(|test| test.passes && test.reached.contains(number)) {
            println!("{number} {} {} {:.1} s", test.program, test.name, test.seconds);
        }
    }
    Ok(())
}

impl Fate {
    fn text(&self) -> String {
        match self {
            Self::Killed { by } => format!("killed by {by}"),
            Self::Hung { by } => format!("hangs in {by}"),
            Self::Survived { tests: 0 } => "SURVIVED, no test reaches it".to_owned(),
            Self::Survived { tests } => format!("SURVIVED {tests} tests"),
        }
    }
}

/// Runs the pages first, then unit tests, then the rest, and the fastest of each first.
fn judge(mutant: &Mutant, programs: &[Program], tests: &[Test]) -> Outcome<Fate> {
    let mut many = 0;
    let mut order: Vec<&Program> = programs.iter().collect();
    order.sort_by_key(|program| (!program.pages, program.name.starts_with("test")));
    for program in order {
        let mut able: Vec<&Test> = tests
            .iter()
            .filter(|test| {
                test.passes && test.program == program.name && test.reached.contains(&mutant.number)
            })
            .collect();
        able.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        many += able.len();
        for bunch in bunches(&able, program.pages) {
            if let Some(fate) = attempt(mutant, program, &bunch)? {
                return Ok(fate);
            }
        }
    }
    Ok(Fate::Survived { tests: many })
}

/// Groups of tests that are run together; each test alone if `alone`.
fn bunches<'a>(tests: &[&'a Test], alone: bool) -> Vec<Vec<&'a Test>> {
    let mut all: Vec<Vec<&Test>> = Vec::new();
    let mut seconds = 0.0;
    for test in tests {
        seconds += test.seconds;
        match all.last_mut() {
            Some(bunch) if !alone && seconds < BUNCH => bunch.push(test),
            _ => {
                all.push(vec![test]);
                seconds = test.seconds;
            }
        }
    }
    all
}

/// A failure counts only if it can be reproduced, because some tests fail at random.
fn attempt(mutant: &Mutant, program: &Program, bunch: &[&Test]) -> Outcome<Option<Fate>> {
    let names: Vec<&str> = bunch.iter().map(|test| test.name.as_str()).collect();
    let usual: f64 = bunch.iter().map(|test| test.seconds).sum();
    let limit = Duration::from_secs_f64(30.0 + 10.0 * usual);
    let number = mutant.number.to_string();
    let variables = [("MUTANT", std::ffi::OsStr::new(&number))];
    let (end, text) = program.run(&names, &variables, limit)?;
    match end {
        End::Passed => Ok(None),
        End::Hung => Ok(Some(Fate::Hung { by: names.join(" ") })),
        End::Failed => {
            let failed: Vec<&str> = names
                .iter()
                .copied()
                .filter(|name| {
                    text.lines().any(|line| line.contains(name) && line.contains("FAILED"))
                })
                .collect();
            if failed.is_empty() {
                return Ok(Some(Fate::Killed {
                    by: format!("{} (it ended the run)", names.join(" ")),
                }));
            }
            for name in failed.iter().chain(&failed) {
                if program.run(&[name], &variables, limit)?.0 != End::Passed {
                    return Ok(Some(Fate::Killed { by: (*name).to_owned() }));
                }
            }
            Ok(None)
        }
    }
}
