//! The conformance corpora: trees with what Kustomize makes of them, kept outside this repository.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use libtest_mimic::{Failed, Trial};
use regex::Regex;
use serde_json::Value;

use crate::program::{self, difference};

/// Cases that do not pass yet, one name per line. One that passes must leave the list.
const PENDING: &str = "tests/conformance/pending.txt";

/// The corpora, and how many cases each had when this was written.
const CORPORA: [(&str, usize); 3] =
    [("kustomize", 491), ("realworld", 40), ("realworld-errors", 24)];

/// Says what was not run: a run without the corpora is green with less than half of the evidence.
pub(crate) fn report_missing_corpora(folder: Option<&Path>) {
    let is_absent = |corpus: &str| !folder.is_some_and(|folder| folder.join(corpus).is_dir());
    for (corpus, count) in CORPORA.into_iter().filter(|(corpus, _)| is_absent(corpus)) {
        eprintln!(
            "not run: {count} cases of the corpus `{corpus}`, which does not exist; KZUI_CONFORMANCE names the folder of the corpora"
        );
    }
}

/// Where the corpora are, if they are.
pub(crate) fn find_corpora() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance");
    let folder = std::env::var_os("KZUI_CONFORMANCE").map_or_else(beside, PathBuf::from);
    folder.canonicalize().ok()
}

/// The names of the cases that failed in this run.
#[derive(Clone, Default)]
pub(crate) struct Ledger(Arc<Mutex<BTreeSet<String>>>);

impl Ledger {
    fn note(&self, name: &str) {
        self.0.lock().expect("nobody panics with it").insert(name.to_owned());
    }

    /// Writes the list of pending cases anew.
    pub(crate) fn rewrite(&self) {
        let names = self.0.lock().expect("nobody panics with it");
        let text: String = names.iter().flat_map(|name| [name.as_str(), "\n"]).collect();
        fs_err::write(pending_file(), text).expect("the list can be written");
    }
}

fn pending_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(PENDING)
}

/// One test per case; none when the corpora are not there.
pub(crate) fn trials(folder: Option<&Path>) -> (Vec<Trial>, Ledger) {
    let ledger = Ledger::default();
    let pending = fs_err::read_to_string(pending_file()).unwrap_or_default();
    let pending: BTreeSet<String> = pending.lines().map(str::to_owned).collect();
    let mut trials = Vec::new();
    for (corpus, _) in CORPORA {
        let Some(top) = folder.map(|folder| folder.join(corpus)) else { continue };
        for (name, home, case) in cases(&top) {
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

fn check_against_pending(
    name: &str,
    verdict: Result<(), String>,
    late: bool,
    ledger: &Ledger,
) -> Result<(), Failed> {
    match verdict {
        Ok(()) if late && !program::is_updating() => {
            Err(format!("it passes now: take it off {PENDING}, or run with UPDATE=1").into())
        }
        Ok(()) => Ok(()),
        Err(why) => {
            ledger.note(name);
            if late || program::is_updating() { Ok(()) } else { Err(why.into()) }
        }
    }
}

fn cases(top: &Path) -> Vec<(String, PathBuf, Value)> {
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

/// Network, helm, containers, plugins, or an output to files: not for this runner.
fn is_unsupported(case: &Value) -> bool {
    let some = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    };
    some(&case["needs"]) || some(&case["expected_files"]) || some(&case["options"]["output"])
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn flags(options: &Value) -> Vec<String> {
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

/// Puts the tree of a case below `root`; the arguments of its build.
fn prepare(home: &Path, case: &Value, root: &Path) -> std::io::Result<Vec<String>> {
    let place = |text: &str| text.replace("{ROOT}", &root.to_string_lossy());
    if let Some(directory) = case["dir"].as_str() {
        copy(&home.join("tree"), root)?;
        let mut arguments = strings(&case["flags"]);
        arguments.push(root.join(directory).to_string_lossy().into_owned());
        return Ok(arguments);
    }
    if home.join("input").is_dir() {
        copy(&home.join("input"), root)?;
    }
    for directory in strings(&case["empty_dirs"]) {
        fs_err::create_dir_all(root.join(directory))?;
    }
    for (path, mode) in case["modes"].as_object().into_iter().flatten() {
        let digits = mode.as_str().map_or_else(|| mode.to_string(), str::to_owned);
        let bits = u32::from_str_radix(&digits, 8).unwrap_or(0o644);
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(bits);
        fs_err::set_permissions(root.join(path), permissions)?;
    }
    for path in strings(&case["templated"]) {
        let text = fs_err::read_to_string(root.join(&path))?;
        fs_err::write(root.join(&path), place(&text))?;
    }
    let mut arguments = flags(&case["options"]);
    if case["cli_args"].is_array() {
        arguments.extend(strings(&case["cli_args"]).iter().map(|argument| place(argument)));
    } else {
        let target = case["target"].as_str().unwrap_or(".").trim_start_matches('/');
        arguments.push(root.join(target).to_string_lossy().into_owned());
    }
    Ok(arguments)
}

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
    let arguments = prepare(home, case, &root).map_err(|error| error.to_string())?;
    // Kustomize's own cases are those of its master branch.
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

/// Version strings are made equal before the comparison, as the case says.
fn normalize_versions(mut found: String, operations: &Value) -> String {
    for operation in operations.as_array().into_iter().flatten() {
        if operation["op"] == "regexp_replace"
            && let [pattern, replacement] = strings(&operation["args"]).as_slice()
            && let Ok(pattern) = Regex::new(pattern)
        {
            found = pattern.replace_all(&found, replacement.as_str()).into_owned();
        }
    }
    found
}
