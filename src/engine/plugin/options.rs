//! The user's permissions for functions.

use std::time::Duration;

use super::results::Severity;

/// The flags that decide which functions run and how.
#[expect(clippy::struct_excessive_bools, reason = "each is a separate flag on the command line")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionOptions {
    pub enable_star: bool,
    /// `--network`: functions that require the network get it.
    pub network: bool,
    pub network_name: String,
    /// `--mount`, each as `type=bind,source=…,target=…[,rw=true]`.
    pub mounts: Vec<String>,
    /// `--require-confinement`: a program that the system cannot confine does not run.
    pub require_confinement: bool,
    /// `--require-limits`: a program that the system cannot limit together with its children does
    /// not run.
    pub require_limits: bool,
    /// Fetching is not allowed: a missing image or chart is not pulled.
    pub offline: bool,
    /// `--env`, each as `NAME=VALUE` or `NAME`.
    pub env: Vec<String>,
    pub as_current_user: bool,
    /// `--function-timeout`; `None` for no limit (D-C6: five minutes by default).
    pub timeout: Option<Duration>,
    /// How many bytes a function may write (D-C7).
    pub output_limit: Option<usize>,
    /// `--fail-on-result` (D-C13)
    pub fail_on_result: Option<Severity>,
    /// True if the step of a function that is not enabled, not trusted, or refused by the port is
    /// pending, and the build continues without it.
    pub waits: bool,
    /// True if a function does not run again on the same input as in an earlier evaluation.
    pub replay: bool,
}

impl Default for FunctionOptions {
    fn default() -> Self {
        Self {
            enable_star: false,
            network: false,
            network_name: "bridge".to_owned(),
            mounts: Vec::new(),
            require_confinement: false,
            require_limits: false,
            offline: false,
            env: Vec::new(),
            as_current_user: false,
            timeout: Some(Duration::from_secs(300)),
            output_limit: Some(256 << 20),
            fail_on_result: None,
            waits: false,
            replay: false,
        }
    }
}

impl FunctionOptions {
    /// The same options for the workbench: functions that are not allowed to run are pending, and
    /// runs on the same input are not repeated.
    #[must_use]
    pub fn in_workbench(self) -> Self {
        Self { waits: true, replay: true, ..self }
    }
}

/// The flags of the command line that enable runtimes set in files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gates {
    pub plugins: bool,
    pub exec: bool,
    pub star: bool,
}
