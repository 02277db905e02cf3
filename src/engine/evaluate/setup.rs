//! The fixed inputs of a build.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::load::{LoadError, RecordingFiles, Root};
use crate::plugin::{CatalogPorts, Gates};
use crate::profile::Profile;
use crate::resource::QuickMap;

use super::{BuildOptions, Ports};

pub(super) struct BuildSetup<'a> {
    pub(super) ports: &'a Ports,
    pub(super) options: &'a BuildOptions,
    pub(super) files: Arc<RecordingFiles>,
    /// The user's working directory, for commands in messages that are pasted there.
    pub(super) current: &'a Path,
}

impl BuildSetup<'_> {
    pub(super) fn profile(&self) -> Profile {
        self.options.profile
    }

    pub(super) fn root_of(&self, target: &str) -> Result<Root, LoadError> {
        Root::start(
            target,
            self.current,
            self.options.load_restrictions,
            self.options.profile,
            self.files.clone(),
            self.ports.remote.clone(),
        )
    }

    pub(super) fn catalog_ports(&self) -> CatalogPorts<'_> {
        CatalogPorts { files: &*self.files, artifacts: self.ports.remote.artifacts() }
    }

    pub(super) fn gates(&self) -> Gates {
        Gates {
            plugins: self.options.enable_alpha_plugins,
            exec: self.options.enable_exec,
            star: self.options.functions.enable_star,
        }
    }

    pub(super) fn queried_paths(&self) -> Vec<PathBuf> {
        let asked = self.files.queries_since(0);
        let mut paths: QuickMap<&OsStr, ()> = QuickMap::default();
        paths.extend(asked.iter().map(|asked| (asked.path().as_os_str(), ())));
        paths.into_keys().map(PathBuf::from).collect()
    }
}
