//! The known releases of Kustomize, oldest first.

/// A version of Kustomize that builds can imitate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// The tag without `kustomize/`, or the pseudo-version of a commit that kubectl embeds.
    pub version: &'static str,
    /// The version of the module `sigs.k8s.io/kustomize/api` in this release.
    pub api: &'static str,
    /// True if a build of this release was compared with a program that embeds it; otherwise the
    /// rules come from its source.
    pub was_run: bool,
}

const fn run(version: &'static str, api: &'static str) -> Release {
    Release { version, api, was_run: true }
}

const fn read(version: &'static str, api: &'static str) -> Release {
    Release { version, api, was_run: false }
}

/// The last release of Kustomize 4, which projects still pin, every release from 5.0.1 on, and the
/// commit between 5.0.3 and 5.1.0 that kubectl 1.28 to 1.30 embed. 5.0.0 is left out: it fails on
/// anchors in a kustomization, which 5.0.1 reverted, and no program embeds it.
pub const RELEASES: [Release; 20] = [
    run("v4.5.7", "v0.12.1"),
    run("v5.0.1", "v0.13.2"),
    read("v5.0.2", "v0.13.3"),
    read("v5.0.3", "v0.13.4"),
    run(KUBECTL_1_28_COMMIT, "v0.13.5-0.20230601165947-6ce0bf390ce3"),
    read("v5.1.0", "v0.14.0"),
    read("v5.1.1", "v0.14.0"),
    read("v5.2.0", "v0.15.0"),
    read("v5.2.1", "v0.15.0"),
    read("v5.3.0", "v0.16.0"),
    read("v5.4.0", "v0.17.0"),
    read("v5.4.1", "v0.17.1"),
    run("v5.4.2", "v0.17.2"),
    read("v5.4.3", "v0.17.3"),
    run("v5.5.0", "v0.18.0"),
    run("v5.6.0", "v0.19.0"),
    read("v5.7.0", "v0.20.0"),
    run("v5.7.1", "v0.20.1"),
    read("v5.8.0", "v0.21.0"),
    run("v5.8.1", "v0.21.1"),
];

/// The commit that kubectl 1.28 to 1.30 embed.
pub(super) const KUBECTL_1_28_COMMIT: &str = "v5.0.4-0.20230601165947-6ce0bf390ce3";
