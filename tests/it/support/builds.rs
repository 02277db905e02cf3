//! Builds of all available trees, for laws: the demos, the pages of `tests/cases`, and the trees of
//! the corpora if they are beside the checkout (or at `KZUI_CONFORMANCE`).

use std::path::{Path, PathBuf};

use kzui::engine::evaluate::{BuildCache, BuildOptions, Evaluation, Ports, evaluate};
use kzui::engine::load::LoadRestrictions;
use kzui::host::DiskFiles;
use serde_json::Value;

use super::blocks::blocks;

/// A target that builds.
pub(crate) struct Build {
    /// The name in messages.
    pub(crate) name: String,
    /// The directory of the target, or of the file that names it.
    pub(crate) directory: PathBuf,
    pub(crate) evaluation: Evaluation,
}

/// Passes the build of each target that needs neither programs nor the network to `look`; returns
/// the number of these builds.
pub(crate) fn each_build(look: impl Fn(Build)) -> usize {
    let mut count = 0;
    let mut build = |name: String, directory: &Path| {
        if let Some(build) = build_of(name, directory) {
            count += 1;
            look(build);
        }
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for target in named(&root.join("demo"), &["kustomization.yaml"]) {
        build(target.display().to_string(), target.parent().unwrap());
    }
    for page in walkdir::WalkDir::new(root.join("tests/cases")).sort_by_file_name() {
        let page = page.unwrap().into_path();
        if page.extension().is_some_and(|ending| ending == "md") {
            let scratch = tempfile::tempdir().unwrap();
            let top = scratch.path().canonicalize().unwrap();
            let blocks = blocks(&fs_err::read_to_string(&page).unwrap());
            for block in &blocks {
                block.put(&top).unwrap();
            }
            let expecting = blocks.iter().filter(|block| block.word("expect").is_some());
            let mut targets: Vec<&str> =
                expecting.map(|block| block.word("target").unwrap_or(".")).collect();
            targets.sort_unstable();
            targets.dedup();
            for target in targets {
                build(format!("{} {target}", page.display()), &top.join(target));
            }
        }
    }
    for case in cases() {
        build(case.display().to_string(), &case);
    }
    count
}

/// The targets of the corpora.
fn cases() -> Vec<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance");
    let folder = std::env::var_os("KZUI_CONFORMANCE").map_or_else(beside, PathBuf::from);
    let mut targets = Vec::new();
    for file in named(&folder, &["case.json", "meta.json"]) {
        let home = file.parent().unwrap();
        let case: Value = serde_json::from_slice(&fs_err::read(&file).unwrap()).unwrap();
        let within = case["dir"].as_str().map(|directory| home.join("tree").join(directory));
        let target = case["target"].as_str().unwrap_or(".").trim_start_matches('/');
        targets.push(within.unwrap_or_else(|| home.join("input").join(target)));
    }
    targets
}

fn named(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    let found = entries.map(walkdir::DirEntry::into_path);
    let is_one = |path: &PathBuf| {
        path.file_name().is_some_and(|name| names.iter().any(|wanted| name == *wanted))
    };
    found.filter(is_one).collect()
}

/// The build of one target; `None` if it does not build.
pub(crate) fn build_of(name: String, target: &Path) -> Option<Build> {
    let target = target.canonicalize().ok()?;
    let is_file = target.is_file();
    let directory = if is_file { target.parent()?.to_owned() } else { target.clone() };
    let options =
        BuildOptions { load_restrictions: LoadRestrictions::None, ..BuildOptions::default() };
    let ports = Ports::of_files(DiskFiles);
    let evaluation = evaluate(
        &target.to_string_lossy(),
        &directory,
        &options,
        &ports,
        &mut BuildCache::disabled(),
    );
    evaluation.outcome.is_ok().then_some(Build { name, directory, evaluation })
}
