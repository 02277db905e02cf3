//! How the workbench begins, and how its builds are done.

use std::path::Path;

use kzui::cli::{self, build_options, profile_of, trust_options};
use kzui::engine::evaluate::BuildOptions;
use kzui::engine::plugin::{Trust, TrustRecord, TrustStore as _};
use kzui::engine::profile::Profile;
use kzui::host::{self, DiskFiles};
use kzui::tui::Sides;

/// How the workbench begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// On the tree.
    Plain,
    /// With the tour around it.
    WithTour,
    /// On two sides that are compared.
    On(Sides),
}

impl Opening {
    /// What is compared at once.
    pub(super) fn sides(self) -> Option<Sides> {
        match self {
            Self::On(sides) => Some(sides),
            Self::Plain | Self::WithTour => None,
        }
    }
}

/// How builds are done, and what there is to say about decisions.
pub(super) fn build_settings(
    flags: &cli::BuildFlags,
    current: &Path,
    target_dir: &Path,
) -> Result<(BuildOptions, Vec<String>), cli::BadFlag> {
    if flags.fetch {
        return Err(cli::BadFlag::of_workbench(
            "--fetch",
            "F names what is fetched there, and asks",
        ));
    }
    let trusted = trust_options(&flags.trusted_catalog, current, &DiskFiles)?;
    let options = build_options(flags, profile(flags, target_dir)?, false)?;
    let (preferences, mut notes) = host::trusted_by_preference();
    let records = decisions(&mut notes);
    let trust = Trust { flags: trusted, preferences, records, ..Trust::default() };
    let functions = options.functions.in_workbench();
    Ok((BuildOptions { functions, trust, ..options }, notes))
}

/// What was decided about catalogs; why that does not count is noted.
fn decisions(notes: &mut Vec<String>) -> Vec<TrustRecord> {
    host::TrustFile::of_user().records().unwrap_or_else(|error| {
        notes.push(error.to_string());
        Vec::new()
    })
}

/// The options for every target of the repository, which may say of itself what it is built like.
pub(super) fn of_each_target(options: BuildOptions, flags: &cli::BuildFlags) -> BuildOptions {
    let (like, _) = super::settings::like();
    cli::for_each_target(options, flags.like.as_deref(), &like)
}

/// Which Kustomize the build is like.
fn profile(flags: &cli::BuildFlags, directory: &Path) -> Result<Profile, cli::BadFlag> {
    let (like, _) = super::settings::like();
    Ok(profile_of(flags.like.as_deref(), &like, directory, &DiskFiles)?)
}
