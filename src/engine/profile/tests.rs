use super::*;

#[test]
fn every_row_has_own_switch_and_known_releases() {
    let mut bits = 0;
    for row in SWITCHES {
        assert_eq!(bits & row.switch.bit(), 0, "{} has two rows", row.name);
        bits |= row.switch.bit();
        for version in row.since.iter().chain(&row.until) {
            let is_release = RELEASES.iter().any(|release| release.version == *version);
            let is_program = EMBEDDERS.iter().any(|embedder| embedder.name == *version);
            assert!(if row.program.is_some() { is_program } else { is_release }, "{version}");
        }
        let profiles: Vec<Profile> = Profile::names().filter_map(Profile::named).collect();
        for is_on in [true, false] {
            let mut states = profiles.iter().map(|profile| profile.has(row.switch));
            assert!(states.any(|it| it == is_on), "{} is the same in all", row.name);
        }
    }
    // No switch without a row: the numbers of the switches have no gap.
    assert_eq!(bits.count_ones() as usize, SWITCHES.len());
    assert_eq!(bits.checked_ilog2().map_or(0, |last| last as usize + 1), SWITCHES.len());
}

#[test]
fn every_profile_name_is_parsed_and_printed_unchanged() {
    for name in Profile::names() {
        let profile = Profile::named(name).unwrap_or_else(|| panic!("{name} is not known"));
        assert_eq!(profile.name(), name);
        assert_eq!(profile.release().is_none(), name == MASTER);
    }
}

#[test]
fn profile_names_accept_patch_versions_and_no_v_prefix() {
    let release = |name: &str| Profile::named(name)?.release().map(|release| release.version);
    assert_eq!(release("5.6.0"), Some("v5.6.0"));
    assert_eq!(release("argocd-3.3.0"), Some("v5.8.0"));
    assert_eq!(release("argocd-3.3.4"), Some("v5.8.1"));
    assert_eq!(release("kubectl-1.34.2"), Some("v5.7.1"));
    assert_eq!(release("latest"), Some("v5.8.1"));
    assert_eq!(release("argocd-2.6.15"), Some("v4.5.7"));
    assert_eq!(release("flux-0.41.2"), Some("v4.5.7"));
    for unknown in [
        "",
        "v",
        "5.9.0",
        "kubectl",
        "kubectl-1",
        "kubectl-1.34.",
        "kubectl-1.34.x",
        "argocd-2.14.1.1",
        "argocd-3.3.4x",
    ] {
        assert_eq!(Profile::named(unknown), None, "{unknown}");
    }
}

#[test]
fn similar_names_share_half_of_their_pairs_of_letters() {
    assert_eq!(Profile::nearest("masx"), ["master"], "two of three and five pairs");
    assert_eq!(Profile::nearest("maxx"), [""; 0]);
}

#[test]
fn version_stamp_of_a_program_follows_its_release() {
    let stamp = |name: &str| Profile::named(name).map(Profile::stamp);
    assert_eq!(stamp("kubectl-1.33"), Some("(devel)"));
    assert_eq!(stamp("kubectl-1.34"), Some("v5.7.1"));
    assert_eq!(stamp("argocd-3.0"), Some("v5.6.0"));
    assert_eq!(stamp("flux-2.8"), Some("(devel)"));
    assert_eq!(stamp("kubectl-1.26"), Some("unknown"));
    assert_eq!(stamp("argocd-2.6"), Some("v4.5.7"));
    assert_eq!(stamp("latest"), Some("v5.8.1"));
    let newest = RELEASES.last().map(|release| release.version);
    assert_eq!(
        stamp("master"),
        newest,
        "a build from master has the version of the release before it"
    );
    assert_ne!(newest, RELEASES.first().map(|release| release.version));
}

#[test]
fn differences_of_profiles_are_rows_of_the_switch_table() {
    let latest = Profile::latest();
    assert_eq!(latest.differences(latest).count(), 0);
    let master = Profile::default();
    assert!(master.differences(latest).all(|row| row.until.is_none() && row.program.is_none()));
    assert!(
        latest.has(Switch::OnlySha256)
            && !latest.with_switch_flipped(Switch::OnlySha256).has(Switch::OnlySha256)
    );
}

#[test]
fn behaviour_of_a_program_follows_its_versions() {
    let names = |one: &str, other: &str| {
        let (one, other) = (Profile::named(one).unwrap(), Profile::named(other).unwrap());
        one.differences(other).map(|row| row.name).collect::<Vec<_>>()
    };
    assert_eq!(names("flux-2.8", "flux-2.9"), ["strict-substitution"]);
    assert_eq!(names("flux-2.9.4", "latest"), ["files-of-repository"]);
    assert_eq!(names("argocd-3.3", "argocd-3.4"), [""; 0]);
    assert_eq!(names("argocd-3.4", "argocd-3.5.1"), ["helm-3", "helm-4"]);
    let is_strict = |name: &str| Profile::named(name).unwrap().has(Switch::StrictSubstitution);
    assert!(is_strict("latest") && is_strict("master") && is_strict("v4.5.7"));
    assert!(!is_strict("flux-0.41") && !is_strict("flux-2.8.1"));
}
