//! The conformance corpora: trees with the output of Kustomize for them. They are kept outside this
//! repository.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use libtest_mimic::{Failed, Trial};
use regex::Regex;
use serde_json::Value;

use crate::program::{self, difference};

/// The file with the names of the cases that do not pass yet, one per line. A case that passes must
/// be removed from it.
const PENDING_CASES_FILE: &str = "tests/conformance/pending.txt";

/// The corpora, with the number of cases that each is known to have.
const CORPORA: [(&str, usize); 3] =
    [("kustomize", 491), ("realworld", 40), ("realworld-errors", 24)];

/// Reports the corpora that were not run: without them, a run passes although more than half of the
/// cases were not checked.
pub(crate) fn report_missing_corpora(folder: Option<&Path>) {
    let is_absent = |corpus: &str| !folder.is_some_and(|folder| folder.join(corpus).is_dir());
    for (corpus, count) in CORPORA.into_iter().filter(|(corpus, _)| is_absent(corpus)) {
        eprintln!(
            "not run: {count} cases of the corpus `{corpus}`, which does not exist; KZUI_CONFORMANCE names the folder of the corpora"
        );
    }
}

/// The folder of the corpora; `None` if it does not exist.
pub(crate) fn find_corpora() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance");
    let folder = std::env::var_os("KZUI_CONFORMANCE").map_or_else(beside, PathBuf::from);
    folder.canonicalize().ok()
}

/// Collects the names of the cases that failed in this run.
#[derive(Clone, Default)]
pub(crate) struct FailedCases(Arc<Mutex<BTreeSet<String>>>);

impl FailedCases {
    /// Adds the name of a failed case.
    fn note(&self, name: &str) {
        self.0.lock().expect("nobody panics with it").insert(name.to_owned());
    }

    /// Replaces the list of pending cases by the cases that failed.
    pub(crate) fn rewrite(&self) {
        let names = self.0.lock().expect("nobody panics with it");
        let text: String = names.iter().flat_map(|name| [name.as_str(), "\n"]).collect();
        fs_err::write(pending_file(), text).expect("the list can be written");
    }
}

/// The path of the list of cases that are expected to fail.
fn pending_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(PENDING_CASES_FILE)
}

/// One test per case of the corpora that exist, and the collection of their failures.
pub(crate) fn trials(folder: Option<&Path>) -> (Vec<Trial>, FailedCases) {
    let ledger = FailedCases::default();
    let pending = fs_err::read_to_string(pending_file()).unwrap_or_default();
    let pending: BTreeSet<String> = pending.lines().map(str::to_owned).collect();
    let mut trials = Vec::new();
    for (corpus, _) in CORPORA {
        let Some(top) = folder.map(|folder| folder.join(corpus)) else { continue };
        for (name, home, case) in find_cases(&top) {
            let name = format!("{corpus}/{name}");
            let skipped = is_unsupported(&case);
            let (late, ledger) = (pending.contains(&name), ledger.clone());
            let trial = Trial::test(name.clone(), move || {
                check_against_pending(&name, check(&home, &case), late, &ledger)
            });
            trials.push(trial.with_kind("corpus").with_ignored_flag(skipped));
        }
    }
    (trials, ledger)
}

/// The result of a case: a pending case must fail, any other case must pass. `late` is true for a
/// pending case.
fn check_against_pending(
    name: &str,
    verdict: Result<(), String>,
    late: bool,
    ledger: &FailedCases,
) -> Result<(), Failed> {
    match verdict {
        Ok(()) if late && !program::is_updating() => {
            Err(format!("it passes now: take it off {PENDING_CASES_FILE}, or run with UPDATE=1")
                .into())
        }
        Ok(()) => Ok(()),
        Err(why) => {
            ledger.note(name);
            if late || program::is_updating() { Ok(()) } else { Err(why.into()) }
        }
    }
}

/// The cases below a folder: name, folder and description.
fn find_cases(top: &Path) -> Vec<(String, PathBuf, Value)> {
    let mut found = Vec::new();
    for entry in walkdir::WalkDir::new(top).sort_by_file_name().into_iter().flatten() {
        let name = entry.file_name();
        if name != "case.json" && name != "meta.json" {
            continue;
        }
        let Some(home) = entry.path().parent().map(Path::to_path_buf) else { continue };
        let inside =
            |(_, other, _): &(String, PathBuf, Value)| home != *other && home.starts_with(other);
        if found.last().is_some_and(inside) {
            continue;
        }
        let text = fs_err::read_to_string(entry.path()).expect("a case can be read");
        let case = serde_json::from_str(&text).expect("a case is JSON");
        let name = home.strip_prefix(top).expect("below it").to_string_lossy().into_owned();
        found.push((name, home, case));
    }
    found
}

/// True if the case needs the network, helm, containers or plugins, or writes its output to files.
fn is_unsupported(case: &Value) -> bool {
    let some = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    };
    some(&case["needs"]) || some(&case["expected_files"]) || some(&case["options"]["output"])
}

/// The texts of an array.
fn array_of_strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The command-line flags for the options of a case.
fn build_flags(options: &Value) -> Vec<String> {
    let mut out = Vec::new();
    let mut add = |flag: &str, value: Option<&str>| {
        out.push(flag.to_owned());
        out.extend(value.map(str::to_owned));
    };
    if let Some(order @ ("none" | "legacy")) = options["reorder"].as_str() {
        add("--reorder", Some(order));
    }
    if options["load_restrictor"] == "none" {
        add("--load-restrictor", Some("LoadRestrictionsNone"));
    }
    for (name, flag) in [
        ("enable_plugins", "--enable-alpha-plugins"),
        ("enable_exec", "--enable-exec"),
        ("enable_helm", "--enable-helm"),
        ("add_managedby_label", "--enable-managedby-label"),
    ] {
        if options[name] == true {
            add(flag, None);
        }
    }
    out
}

/// Writes the tree of a case below `root`, and returns the arguments of its build.
fn prepare_case(home: &Path, case: &Value, root: &Path) -> std::io::Result<Vec<String>> {
    let place = |text: &str| text.replace("{ROOT}", &root.to_string_lossy());
    if let Some(directory) = case["dir"].as_str() {
        copy(&home.join("tree"), root)?;
        let mut arguments = array_of_strings(&case["flags"]);
        arguments.push(root.join(directory).to_string_lossy().into_owned());
        return Ok(arguments);
    }
    if home.join("input").is_dir() {
        copy(&home.join("input"), root)?;
    }
    for directory in array_of_strings(&case["empty_dirs"]) {
        fs_err::create_dir_all(root.join(directory))?;
    }
    for (path, mode) in case["modes"].as_object().into_iter().flatten() {
        let digits = mode.as_str().map_or_else(|| mode.to_string(), str::to_owned);
        let bits = u32::from_str_radix(&digits, 8).unwrap_or(0o644);
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(bits);
        fs_err::set_permissions(root.join(path), permissions)?;
    }
    for path in array_of_strings(&case["templated"]) {
        let text = fs_err::read_to_string(root.join(&path))?;
        fs_err::write(root.join(&path), place(&text))?;
    }
    let mut arguments = build_flags(&case["options"]);
    if case["cli_args"].is_array() {
        arguments
            .extend(array_of_strings(&case["cli_args"]).iter().map(|argument| place(argument)));
    } else {
        let target = case["target"].as_str().unwrap_or(".").trim_start_matches('/');
        arguments.push(root.join(target).to_string_lossy().into_owned());
    }
    Ok(arguments)
}

/// Copies a folder with its links.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from).unwrap_or(entry.path()));
        if entry.file_type().is_dir() {
            fs_err::create_dir_all(target)?;
        } else if entry.file_type().is_symlink() {
            std::os::unix::fs::symlink(fs_err::read_link(entry.path())?, target)?;
        } else {
            fs_err::write(&target, fs_err::read(entry.path())?)?;
        }
    }
    Ok(())
}

fn check(home: &Path, case: &Value) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let root = scratch.path().canonicalize().map_err(|error| error.to_string())?;
    let arguments = prepare_case(home, case, &root).map_err(|error| error.to_string())?;
    // The cases of Kustomize's own tests are those of its master branch.
    let like = ["--like", "master"].map(str::to_owned);
    let arguments: Vec<String> = like.into_iter().chain(arguments).collect();
    let answer = program::run(&root, "build", &arguments);
    if case["expect"] == "error" {
        return match answer.refused() {
            false => Err(format!("status {:?}, but it must fail: {}", answer.status, answer.err)),
            true if !answer.out.is_empty() => {
                Err("an error, but it printed to standard output".to_owned())
            }
            true => Ok(()),
        };
    }
    if answer.status != Some(0) {
        return Err(format!("status {:?}: {}", answer.status, answer.err));
    }
    let Ok(wanted) = fs_err::read_to_string(home.join("expected.yaml")) else { return Ok(()) };
    let found = normalize_versions(answer.out, &case["compare"]);
    if found == wanted { Ok(()) } else { Err(difference(&wanted, &found)) }
}

/// The output after the replacements that the case lists, such as one of version strings by a
/// constant.
fn normalize_versions(mut found: String, operations: &Value) -> String {
    for operation in operations.as_array().into_iter().flatten() {
        if operation["op"] == "regexp_replace"
            && let [pattern, replacement] = array_of_strings(&operation["args"]).as_slice()
            && let Ok(pattern) = Regex::new(pattern)
        {
            found = pattern.replace_all(&found, replacement.as_str()).into_owned();
        }
    }
    found
}
