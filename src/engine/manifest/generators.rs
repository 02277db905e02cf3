//! Arguments of the `ConfigMap`, Secret and Helm generators (sections 4.10 and 4.17).

use crate::resource::Behavior;
use crate::yaml::{Mark, Node};

use super::{Marked, Pairs};

/// One entry of `configMapGenerator` or `secretGenerator`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GeneratorArgs {
    pub name: Marked<String>,
    pub namespace: Marked<String>,
    pub behavior: Behavior,
    pub literals: Vec<Marked<String>>,
    pub files: Vec<Marked<String>>,
    /// The items of `envs`, followed by `env`.
    pub envs: Vec<Marked<String>>,
    /// `env`, until it is moved to `envs`.
    pub(crate) env: Option<Marked<String>>,
    /// `type`, of secrets only.
    pub secret_type: Marked<String>,
    pub options: Option<GeneratorOptions>,
}

/// `generatorOptions`, or the `options` of an entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GeneratorOptions {
    pub labels: Pairs,
    pub annotations: Pairs,
    pub disable_name_suffix_hash: bool,
    pub immutable: bool,
    pub immutable_mark: Mark,
}

/// The value of the field `helmGlobals`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HelmGlobals {
    pub chart_home: String,
    pub config_home: String,
}

/// One entry of `helmCharts`.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "they are the fields of the file")]
pub struct HelmChart {
    pub name: String,
    pub version: String,
    pub repo: String,
    pub release_name: String,
    pub namespace: String,
    pub name_template: String,
    pub values_file: String,
    pub additional_values_files: Vec<String>,
    pub values_inline: Option<Node>,
    pub values_merge: String,
    pub include_crds: bool,
    pub skip_hooks: bool,
    pub skip_tests: bool,
    pub api_versions: Vec<String>,
    pub kube_version: String,
    pub debug: bool,
    pub devel: bool,
}
