//! What the person who builds allows functions.

use std::time::Duration;

use super::results::Severity;

/// The flags that decide which functions run and how.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionOptions {
    /// `--enable-star`
    pub enable_star: bool,
    /// `--network`: functions that ask for the network get it.
    pub network: bool,
    /// `--network-name`
    pub network_name: String,
    /// `--mount`, each as `type=bind,source=…,target=…[,rw=true]`.
    pub mounts: Vec<String>,
    /// `--require-confinement`: what the system cannot confine does not run.
    pub require_confinement: bool,
    /// `--require-limits`: what the system cannot limit as a whole does not run.
    pub require_limits: bool,
    /// Nothing is fetched: an image or a chart that is not on the machine is not pulled.
    pub offline: bool,
    /// `--env`, each as `NAME=VALUE` or `NAME`.
    pub env: Vec<String>,
    /// `--as-current-user`
    pub as_current_user: bool,
    /// `--function-timeout`; nothing for no limit (D-C6: five minutes when nothing is said).
    pub timeout: Option<Duration>,
    /// How many bytes a function may write (D-C7).
    pub output_limit: Option<usize>,
    /// `--fail-on-result` (D-C13)
    pub fail_on_result: Option<Severity>,
    /// What happens to a function that may not run.
    pub policy: FunctionPolicy,
    /// A function is not run again on the same input as in an earlier evaluation.
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
            policy: FunctionPolicy::Refuse,
            replay: false,
        }
    }
}

impl FunctionOptions {
    /// The same for a workbench: what may not run waits, and what ran on the same input is not run again.
    #[must_use]
    pub fn in_workbench(self) -> Self {
        Self { policy: FunctionPolicy::Wait, replay: true, ..self }
    }
}

/// What happens to a function that is not enabled, not trusted, or refused by the port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FunctionPolicy {
    /// The build fails: headless.
    #[default]
    Refuse,
    /// The step waits, says what it needs, and the build goes on around it: the workbench.
    Wait,
}

/// The gates of the command line that stand before a runtime that a file names itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gates {
    /// `--enable-alpha-plugins`
    pub plugins: bool,
    /// `--enable-exec`
    pub exec: bool,
    /// `--enable-star`
    pub star: bool,
}
