//! What a command may fetch: only what the person asked for.

use super::{BuildFlags, CatalogCommand, Command, OpenApi, TrustCommand, View};

/// Whether a command fetches what is elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetching {
    /// The person asked for it: with `kzui build`, with `--fetch`, or by naming what is fetched.
    Asked,
    /// Nobody asked. What was fetched before is at hand, and the rest is unknown until it is fetched.
    Unasked,
    /// `--offline` forbids it.
    Forbidden,
}

impl Fetching {
    /// Of a command that fetches, unless it is told not to.
    fn unless(offline: bool) -> Self {
        if offline { Self::Forbidden } else { Self::Asked }
    }

    /// Of a command that fetches when it is told to.
    fn told_by(flags: &BuildFlags) -> Self {
        match (flags.offline, flags.fetch) {
            (true, _) => Self::Forbidden,
            (false, true) => Self::Asked,
            (false, false) => Self::Unasked,
        }
    }
}

impl Command {
    /// What the command may fetch. `kzui build` does what Kustomize does; what looks at trees fetches nothing by itself.
    pub fn fetching(&self) -> Fetching {
        match self {
            Self::Build(it) => Fetching::unless(it.build.offline),
            Self::View(View::Catalog(it)) => Fetching::unless(it.offline),
            Self::Catalog(CatalogCommand::Fetch(it)) => Fetching::unless(it.offline),
            Self::Trust(TrustCommand::Add { offline, .. } | TrustCommand::Diff { offline, .. }) => {
                Fetching::unless(*offline)
            }
            Self::Trace(it) => Fetching::told_by(&it.build),
            Self::Why(it) => Fetching::told_by(&it.build),
            Self::Blame(it) => Fetching::told_by(&it.build),
            Self::Remap(it) => Fetching::told_by(&it.build),
            Self::Check(it) => Fetching::told_by(&it.build),
            Self::Diff(it) => Fetching::told_by(&it.build),
            Self::WhyDiffer(it) => Fetching::told_by(&it.build),
            Self::Bisect(it) => Fetching::told_by(&it.build),
            Self::Order(it) => Fetching::told_by(&it.build),
            Self::Matrix(it) => Fetching::told_by(&it.build),
            Self::Where(it) => Fetching::told_by(&it.build),
            Self::Graph(it) => Fetching::told_by(&it.build),
            Self::Grep(it) => Fetching::told_by(&it.build),
            Self::Consolidate(it) => Fetching::told_by(&it.build),
            Self::Components(it) => Fetching::told_by(&it.build),
            Self::Compat(it) => Fetching::told_by(&it.build),
            Self::OpenApi(OpenApi::Info(it)) => Fetching::told_by(&it.build),
            // What a cluster publishes is asked of it by kubectl.
            Self::OpenApi(OpenApi::Fetch(_))
            | Self::Trust(TrustCommand::List | TrustCommand::Remove { .. })
            | Self::Explain(_)
            | Self::Versions(_)
            | Self::Demo(_)
            | Self::Version
            | Self::Completions { .. } => Fetching::Unasked,
        }
    }
}
