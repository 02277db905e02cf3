//! The versions of the Helm chart `argo-cd`, by the first one that installs a minor version of Argo
//! CD: from the history of the chart.

/// The versions of the chart from which another version profile is installed, each with that
/// profile.
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
/// The newest version of the chart that the table covers.
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
