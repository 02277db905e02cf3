//! Version profiles. A profile identifies the Kustomize that a build imitates: a release, a program
//! that embeds a release, or the master branch.
//!
//! The engine follows Kustomize's master branch. Each [`Switch`] is a difference of releases from
//! it, with one row in a table, and is queried at one place in the engine. A [`Profile`] is the set
//! of switches that are on.

mod embedders;
mod release;
mod table;
#[cfg(test)]
mod tests;

pub use embedders::{EMBEDDERS, Embedder, Stamp, argo_cd_from_chart};
pub use release::{RELEASES, Release};
pub use table::{EmbeddingProgram, Evidence, SWITCHES, Switch, SwitchRow};

/// A named set of switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    name: &'static str,
    release: Option<usize>,
    stamp: Stamp,
    switches: u64,
}

/// The name of the profile of the newest release.
pub const LATEST: &str = "latest";
/// The name of the profile of the master branch.
pub const MASTER: &str = "master";

impl Default for Profile {
    fn default() -> Self {
        Self::MASTER
    }
}

impl Profile {
    /// The master branch: all switches for differences of releases are off, and embedding programs
    /// behave like their newest versions.
    pub const MASTER: Self = Self {
        name: MASTER,
        release: None,
        stamp: Stamp::Newest,
        switches: table::MASTER_SWITCHES,
    };

    /// The newest release.
    pub fn latest() -> Self {
        Self::of_release(RELEASES.len() - 1, LATEST, Stamp::OfKubectl)
    }

    /// The profile with this name: a release (with or without `v`), a program that embeds one
    /// (`kubectl-1.34`, with or without a patch version), `latest` or `master`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            LATEST => return Some(Self::latest()),
            MASTER => return Some(Self::MASTER),
            _ => {}
        }
        let version = name.strip_prefix('v').unwrap_or(name);
        let release = RELEASES.iter().position(|release| &release.version[1..] == version);
        if let Some(at) = release {
            return Some(Self::of_release(at, RELEASES[at].version, Stamp::OfKubectl));
        }
        let embedder = Embedder::find_by_name(name)?;
        let at = RELEASES.iter().position(|release| release.version == embedder.release)?;
        Some(Self::of_release(at, embedder.name, embedder.stamp))
    }

    /// The profile of a version of a program, such as `argocd-2.2.5`. A version before those in the
    /// table counts as the first of the same program.
    pub fn named_or_oldest(name: &str) -> Option<Self> {
        let parts = |name: &str| {
            let (program, version) = name.rsplit_once('-')?;
            let mut numbers = version.split('.').map(str::parse::<u32>);
            let version = (numbers.next()?.ok()?, numbers.next()?.ok()?);
            Some((program.to_owned(), version))
        };
        let oldest = || {
            let (program, version) = parts(name)?;
            let mut of_program = EMBEDDERS.iter().filter_map(|it| Some((it, parts(it.name)?)));
            let (first, (_, known)) = of_program.find(|(_, (other, _))| *other == program)?;
            (version < known).then(|| Self::named(first.name)).flatten()
        };
        Self::named(name).or_else(oldest)
    }

    fn of_release(at: usize, name: &'static str, stamp: Stamp) -> Self {
        let on = SWITCHES.iter().filter(|row| row.is_on_in(at, Some(name)));
        let switches = on.fold(0, |all, row| all | row.switch.bit());
        Self { name, release: Some(at), stamp, switches }
    }

    /// Every name: the releases, the programs that embed one, `latest` and `master`.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let releases = RELEASES.iter().map(|release| release.version);
        let embedders = EMBEDDERS.iter().map(|embedder| embedder.name);
        [LATEST, MASTER].into_iter().chain(releases).chain(embedders)
    }

    /// Similar names, the nearest first.
    pub fn nearest(name: &str) -> Vec<&'static str> {
        let mut names: Vec<_> = Self::names()
            .map(|other| (strsim::sorensen_dice(name, other), other))
            .filter(|(alike, _)| *alike >= 0.5)
            .collect();
        // Of equally similar names, the newest comes first.
        names.reverse();
        names.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        names.into_iter().take(3).map(|(_, name)| name).collect()
    }

    /// The name with which the profile was selected.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The imitated release; none for `master`.
    pub fn release(self) -> Option<&'static Release> {
        RELEASES.get(self.release?)
    }

    /// True for this version and later ones.
    pub fn is_at_least(self, version: &str) -> bool {
        let place = RELEASES.iter().position(|release| release.version == version);
        self.release.is_none_or(|own| place.is_some_and(|place| own >= place))
    }

    /// True if the switch is on.
    pub fn has(self, switch: Switch) -> bool {
        self.switches & switch.bit() != 0
    }

    /// True if deprecated fields and the prefix `git::` cause warnings.
    pub(crate) fn warns_of_deprecations(self) -> bool {
        !self.has(Switch::SilentDeprecations)
    }

    /// The same profile with one switch flipped.
    #[must_use]
    pub fn with_switch_flipped(self, switch: Switch) -> Self {
        Self { switches: self.switches ^ switch.bit(), ..self }
    }

    /// The rows in which two profiles differ, in the order of the table.
    pub fn differences(self, other: Self) -> impl Iterator<Item = &'static SwitchRow> {
        let differing = self.switches ^ other.switches;
        SWITCHES.iter().filter(move |row| differing & row.switch.bit() != 0)
    }

    /// The version in the managed-by label, after `kustomize-`.
    pub fn stamp(self) -> &'static str {
        let newest = RELEASES.last().map_or("", |release| release.version);
        let own = self.release().map_or(newest, |release| release.version);
        match self.stamp {
            Stamp::OfKubectl | Stamp::Unknown if self.has(Switch::VersionUnknown) => "unknown",
            Stamp::OfKubectl if self.has(Switch::UnknownOwnVersion) => "(devel)",
            Stamp::Unknown => "(devel)",
            Stamp::OfKubectl | Stamp::OfBinary => own,
            Stamp::Newest => newest,
        }
    }
}
