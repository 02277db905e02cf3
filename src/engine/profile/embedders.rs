//! The programs that embed Kustomize, by their minor versions: from their `go.mod` files and lists
//! of tools; and the versions of the Helm chart `argo-cd`, from the history of the chart.

use super::release::KUBECTL_1_28_COMMIT;

/// A version of a program that builds with Kustomize.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Embedder {
    /// Program and minor version. If patch versions differ, names with a patch version come first.
    pub name: &'static str,
    pub release: &'static str,
    pub stamp: Stamp,
}

/// How a program determines the version in the managed-by label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    /// The program runs Kustomize's executable, which contains its version.
    OfBinary,
    /// The program embeds Kustomize's command line module, as kubectl does: from 5.7.0 on the
    /// version of that module is used.
    OfKubectl,
    /// The program embeds only Kustomize's libraries, so that the version is not known.
    Unknown,
    /// The version of the newest release, for the master branch, which has no version yet.
    Newest,
}

const fn kubectl(name: &'static str, release: &'static str) -> Embedder {
    Embedder { name, release, stamp: Stamp::OfKubectl }
}

const fn argo(name: &'static str, release: &'static str) -> Embedder {
    Embedder { name, release, stamp: Stamp::OfBinary }
}

const fn library(name: &'static str, release: &'static str) -> Embedder {
    Embedder { name, release, stamp: Stamp::Unknown }
}

/// Every known program, version by version.
pub const EMBEDDERS: &[Embedder] = &[
    kubectl("kubectl-1.25", "v4.5.7"),
    kubectl("kubectl-1.26", "v4.5.7"),
    kubectl("kubectl-1.27", "v5.0.1"),
    kubectl("kubectl-1.28", KUBECTL_1_28_COMMIT),
    kubectl("kubectl-1.29", KUBECTL_1_28_COMMIT),
    kubectl("kubectl-1.30", KUBECTL_1_28_COMMIT),
    kubectl("kubectl-1.31", "v5.4.2"),
    kubectl("kubectl-1.32", "v5.5.0"),
    kubectl("kubectl-1.33", "v5.6.0"),
    kubectl("kubectl-1.34", "v5.7.1"),
    kubectl("kubectl-1.35", "v5.7.1"),
    kubectl("kubectl-1.36", "v5.8.1"),
    kubectl("kubectl-1.37", "v5.8.1"),
    argo("argocd-2.5", "v4.5.7"),
    argo("argocd-2.6", "v4.5.7"),
    argo("argocd-2.7", "v5.0.1"),
    argo("argocd-2.8", "v5.1.0"),
    argo("argocd-2.9", "v5.2.1"),
    argo("argocd-2.10", "v5.2.1"),
    argo("argocd-2.11", "v5.2.1"),
    argo("argocd-2.12", "v5.4.2"),
    argo("argocd-2.13", "v5.4.3"),
    argo("argocd-2.14", "v5.4.3"),
    argo("argocd-3.0", "v5.6.0"),
    argo("argocd-3.1", "v5.7.0"),
    argo("argocd-3.2", "v5.7.0"),
    argo("argocd-3.3.0", "v5.8.0"),
    argo("argocd-3.3", "v5.8.1"),
    argo("argocd-3.4", "v5.8.1"),
    argo("argocd-3.5", "v5.8.1"),
    argo("openshift-gitops-1.9", "v5.1.0"),
    argo("openshift-gitops-1.10", "v5.1.0"),
    argo("openshift-gitops-1.11", "v5.2.1"),
    argo("openshift-gitops-1.12", "v5.2.1"),
    argo("openshift-gitops-1.13", "v5.2.1"),
    argo("openshift-gitops-1.14", "v5.4.2"),
    argo("openshift-gitops-1.15", "v5.4.2"),
    argo("openshift-gitops-1.16", "v5.4.3"),
    argo("openshift-gitops-1.17", "v5.6.0"),
    argo("openshift-gitops-1.18", "v5.7.0"),
    argo("openshift-gitops-1.19", "v5.7.0"),
    argo("openshift-gitops-1.20", "v5.8.1"),
    argo("openshift-gitops-1.21", "v5.8.1"),
    library("flux-0.32", "v4.5.7"),
    library("flux-0.33", "v4.5.7"),
    library("flux-0.34", "v4.5.7"),
    library("flux-0.35", "v4.5.7"),
    library("flux-0.36", "v4.5.7"),
    library("flux-0.37", "v4.5.7"),
    library("flux-0.38", "v4.5.7"),
    library("flux-0.39", "v4.5.7"),
    library("flux-0.40", "v4.5.7"),
    library("flux-0.41", "v4.5.7"),
    library("flux-2.0", "v5.0.3"),
    library("flux-2.1", "v5.0.3"),
    library("flux-2.2", "v5.3.0"),
    library("flux-2.3", "v5.4.0"),
    library("flux-2.4", "v5.4.3"),
    library("flux-2.5", "v5.6.0"),
    library("flux-2.6", "v5.6.0"),
    library("flux-2.7", "v5.7.1"),
    library("flux-2.8", "v5.8.1"),
    library("flux-2.9", "v5.8.1"),
    library("fleet-0.9", "v5.0.1"),
    library("fleet-0.10", KUBECTL_1_28_COMMIT),
    library("fleet-0.11", "v5.4.2"),
    library("fleet-0.12", "v5.5.0"),
    library("fleet-0.13", "v5.7.0"),
    library("fleet-0.14", "v5.7.1"),
    library("fleet-0.15", "v5.8.1"),
    library("fleet-0.16", "v5.8.1"),
];

impl Embedder {
    pub(super) fn program(&self) -> &'static str {
        self.name.rsplit_once('-').map_or(self.name, |(program, _)| program)
    }

    pub(super) fn position(name: &str) -> Option<usize> {
        EMBEDDERS.iter().position(|embedder| embedder.name == name)
    }

    /// The entry with a name. An unlisted patch version has the entry of its minor version.
    pub(super) fn find_by_name(name: &str) -> Option<&'static Self> {
        let listed = |name: &str| EMBEDDERS.iter().find(|embedder| embedder.name == name);
        listed(name).or_else(|| {
            let (minor, patch) = name.rsplit_once('.')?;
            let is_number = !patch.is_empty() && patch.bytes().all(|byte| byte.is_ascii_digit());
            let has_minor = minor.rsplit_once('-')?.1.contains('.');
            (is_number && has_minor).then(|| listed(minor)).flatten()
        })
    }
}

/// The versions of the chart from which another version profile is installed, with that profile.
const ARGO_CD_CHART_RELEASES: &[([u32; 3], &str)] = &[
    // Versions of Argo CD before this one have the same Kustomize, or an older one.
    ([0, 0, 0], "argocd-2.6"),
    ([5, 30, 0], "argocd-2.7"),
    ([5, 43, 0], "argocd-2.8"),
    ([5, 51, 0], "argocd-2.9"),
    ([5, 55, 0], "argocd-2.10"),
    ([6, 8, 0], "argocd-2.11"),
    ([7, 4, 0], "argocd-2.12"),
    ([7, 7, 0], "argocd-2.13"),
    ([7, 8, 0], "argocd-2.14"),
    ([8, 0, 0], "argocd-3.0"),
    ([8, 3, 0], "argocd-3.1"),
    ([9, 1, 0], "argocd-3.2"),
    ([9, 4, 0], "argocd-3.3.0"),
    ([9, 4, 3], "argocd-3.3"),
    ([9, 5, 12], "argocd-3.4"),
];
const NEWEST_CHART: [u32; 3] = [10, 1, 1];

/// The version profile that a version of the chart `argo-cd` installs; `None` for a version range,
/// and for a version after those in the table.
pub fn argo_cd_from_chart(version: &str) -> Option<&'static str> {
    let mut parts = version.strip_prefix('v').unwrap_or(version).split('.');
    let mut number = || parts.next()?.parse::<u32>().ok();
    let version = [number()?, number()?, number()?];
    if parts.next().is_some() || version > NEWEST_CHART {
        return None;
    }
    ARGO_CD_CHART_RELEASES
        .iter()
        .rev()
        .find(|(first, _)| *first <= version)
        .map(|(_, program)| *program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;

    #[test]
    fn charts_install_known_programs() {
        assert!(ARGO_CD_CHART_RELEASES.is_sorted());
        assert!(
            ARGO_CD_CHART_RELEASES.iter().all(|(_, program)| Profile::named(program).is_some())
        );
        assert_eq!(argo_cd_from_chart("4.9.0"), Some("argocd-2.6"));
        assert_eq!(argo_cd_from_chart("7.7.11"), Some("argocd-2.13"));
        assert_eq!(argo_cd_from_chart("10.1.1"), Some("argocd-3.4"));
        for unknown in ["7.*", "^7.0.0", "11.0.0", "7.7"] {
            assert_eq!(argo_cd_from_chart(unknown), None, "{unknown}");
        }
    }
}
