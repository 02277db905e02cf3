//! Compiles the tests of the copy once, and runs them one by one to record the mutants that each
//! reaches.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::{Outcome, read_json, write_json};

/// Tests that are not run: they need a terminal, or read the sources, which contain mutants.
const LEFT_OUT: [&str; 6] =
    ["pty", "architecture::", "book::", "registry::", "generated::", "real_helm::"];

/// A compiled test program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Program {
    pub(crate) name: String,
    path: PathBuf,
    /// The folder of the package, which is the working directory of its tests.
    folder: PathBuf,
    /// True for the tests of `tests/cases`, which are run one folder at a time.
    pub(crate) pages: bool,
}

/// The result of a test in a run without a mutant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Test {
    pub(crate) program: String,
    pub(crate) name: String,
    pub(crate) passes: bool,
    pub(crate) seconds: f64,
    pub(crate) reached: BTreeSet<usize>,
}

/// How a run of a test program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Passed,
    Failed,
    /// The program was killed at the time limit.
    Hung,
}

/// Compiles the tests of the copy, and writes the list of their programs.
pub(crate) fn compile(work: &Path) -> Outcome<()> {
    let output = Command::new("cargo")
        .args(["test", "--no-run", "--locked", "--workspace", "--message-format=json"])
        .env("CARGO_TARGET_DIR", work.join("target"))
        .current_dir(work.join("kzui"))
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err("the tests of the copy do not compile".to_owned());
    }
    let mut programs = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(value) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let Some(path) = value["executable"].as_str() else { continue };
        if value["profile"]["test"] != true || value["target"]["kind"][0] == "example" {
            continue;
        }
        let name = value["target"]["name"].as_str().unwrap_or_default();
        let kind = value["target"]["kind"][0].as_str().unwrap_or_default();
        let manifest = PathBuf::from(value["manifest_path"].as_str().unwrap_or_default());
        programs.push(Program {
            name: format!("{kind} {name}"),
            path: PathBuf::from(path),
            folder: manifest.parent().map(Path::to_path_buf).unwrap_or_default(),
            pages: name == "conformance",
        });
    }
    write_json(&work.join("programs.json"), &programs)
}

/// Copies `tests/` again and compiles it. The mutants do not change.
pub(crate) fn take_tests(tree: &Path, work: &Path) -> Outcome<()> {
    let copied = Command::new("cp")
        .args(["-a", "--no-target-directory"])
        .arg(tree.join("tests"))
        .arg(work.join("kzui/tests"))
        .status();
    if !copied.is_ok_and(|status| status.success()) {
        return Err("cannot copy the tests".to_owned());
    }
    compile(work)
}

/// The tests that a run of `learn` includes.
pub(crate) struct Lesson {
    /// Earlier results of tests with this text in their names are discarded first.
    pub(crate) again: Option<String>,
    /// Only names that begin with one of these texts; all tests if empty.
    pub(crate) only: Vec<String>,
    /// Tests that take longer than this number of seconds are left out.
    pub(crate) within: u64,
}

/// Runs each test without an earlier result, one at a time.
pub(crate) fn learn(work: &Path, lesson: &Lesson) -> Outcome<()> {
    let programs: Vec<Program> = read_json(&work.join("programs.json"))?;
    let file = work.join("tests.json");
    let mut tests: Vec<Test> = read_json(&file).unwrap_or_default();
    tests.retain(|test| lesson.again.as_ref().is_none_or(|text| !test.name.contains(text)));
    let known: BTreeMap<(String, String), ()> =
        tests.iter().map(|test| ((test.program.clone(), test.name.clone()), ())).collect();
    let notes = work.join("reached");
    for program in &programs {
        let mut saved = Instant::now();
        for name in program.list()? {
            let is_known = known.contains_key(&(program.name.clone(), name.clone()));
            let is_wanted =
                lesson.only.is_empty() || lesson.only.iter().any(|part| name.starts_with(part));
            if is_known || !is_wanted || LEFT_OUT.iter().any(|part| name.starts_with(part)) {
                continue;
            }
            let _ = std::fs::remove_dir_all(&notes);
            std::fs::create_dir_all(&notes).map_err(|error| error.to_string())?;
            let begin = Instant::now();
            let (end, _) = program.run(
                &[&name],
                &[("MUTANTS_REACHED", notes.as_os_str())],
                Duration::from_secs(lesson.within),
            )?;
            tests.push(Test {
                program: program.name.clone(),
                passes: end == End::Passed,
                seconds: begin.elapsed().as_secs_f64(),
                reached: notes_in(&notes),
                name,
            });
            if saved.elapsed() > Duration::from_secs(30) {
                write_json(&file, &tests)?;
                saved = Instant::now();
            }
        }
        write_json(&file, &tests)?;
        println!(
            "{}: {} tests known",
            program.name,
            tests.iter().filter(|test| test.program == program.name).count()
        );
    }
    for test in tests.iter().filter(|test| !test.passes) {
        println!("fails without a mutant, is left out: {} {}", test.program, test.name);
    }
    Ok(())
}

/// The name of a test without its kind, as `--exact` expects it: `[case] names/a-page` becomes
/// `names/a-page`.
fn bare(name: &str) -> String {
    let rest = name.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    rest.map_or(name, |(_, name)| name).to_owned()
}

/// The numbers of the mutants that tests in this folder reached.
fn notes_in(folder: &Path) -> BTreeSet<usize> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let texts = files.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
    texts
        .flat_map(|text| text.lines().filter_map(|line| line.parse().ok()).collect::<Vec<usize>>())
        .collect()
}

impl Program {
    fn list(&self) -> Outcome<Vec<String>> {
        let output = self.command().args(["--list", "--format", "terse"]).output();
        let output = output.map_err(|error| format!("{}: {error}", self.path.display()))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let names = text.lines().filter_map(|line| line.strip_suffix(": test")).map(bare);
        if !self.pages {
            return Ok(names.collect());
        }
        // The program reads all pages before it runs one, so the pages of a folder are one test
        // here.
        let areas = names.filter_map(|name| Some(format!("{}/", name.split_once('/')?.0)));
        Ok(areas.collect::<BTreeSet<String>>().into_iter().collect())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder).stdin(Stdio::null());
        command
    }

    /// Runs these tests, and returns their output.
    pub(crate) fn run(
        &self,
        names: &[&str],
        variables: &[(&str, &std::ffi::OsStr)],
        limit: Duration,
    ) -> Outcome<(End, String)> {
        let mut command = self.command();
        if !self.pages {
            command.arg("--exact");
        }
        command.args(names).envs(variables.iter().copied()).process_group(0);
        let log = std::env::temp_dir().join(format!("kzui-mutants-{}.log", std::process::id()));
        let file =
            std::fs::File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
        command.stdout(file).stderr(Stdio::null());
        let mut child =
            command.spawn().map_err(|error| format!("{}: {error}", self.path.display()))?;
        let end = wait(&mut child, limit)?;
        let text = std::fs::read(&log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let _ = std::fs::remove_file(&log);
        Ok((end, text.unwrap_or_default()))
    }
}

/// Waits for a test program, and kills it at the time limit.
fn wait(child: &mut Child, limit: Duration) -> Outcome<End> {
    let begin = Instant::now();
    let mut pause = 1;
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(if status.success() { End::Passed } else { End::Failed });
        }
        if begin.elapsed() > limit {
            // Ends the whole process group, with the processes that the test started.
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            let _ = child.wait();
            return Ok(End::Hung);
        }
        std::thread::sleep(Duration::from_millis(pause));
        pause = (pause * 2).min(20);
    }
}
