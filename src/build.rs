//! Facts about this build for `kzui --version`.

use std::path::Path;
use std::process::Command;

fn main() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-env-changed=KZUI_COMMIT");
    println!("cargo::rustc-env=KZUI_TARGET={}", variable("TARGET"));
    // `PROFILE` is only `debug` or `release`; the folder of the output has the name of the profile.
    let output = variable("OUT_DIR");
    let profile = Path::new(&output).ancestors().nth(3).and_then(Path::file_name);
    let profile = profile.map_or_else(|| variable("PROFILE"), |it| it.to_string_lossy().into());
    println!("cargo::rustc-env=KZUI_PROFILE={profile}");
    println!(
        "cargo::rustc-env=KZUI_COMMIT={}",
        commit(&variable("PROFILE"), &variable("KZUI_COMMIT"))
    );
}

/// The commit of this build: given by a package (`KZUI_COMMIT`), otherwise read from git for a
/// release. A debug build contains no commit, so that it is not built again after each commit.
fn commit(profile: &str, given: &str) -> String {
    if !given.is_empty() {
        return given.to_owned();
    }
    let unknown = "not known".to_owned();
    if profile != "release" {
        return unknown;
    }
    let git = |words: &[&str]| {
        let output =
            Command::new("git").args(words).output().ok().filter(|it| it.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    if let Some(head) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={head}");
    }
    git(&["rev-parse", "--short=12", "HEAD"]).filter(|it| !it.is_empty()).unwrap_or(unknown)
}
