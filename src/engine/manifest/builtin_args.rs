//! Arguments of the builtins from a plugin configuration (`apiVersion: builtin`, section 4.16). No
//! such configuration has default field specs.

use crate::resource::Selector;
use crate::yaml::Mark;

use super::{FieldSpec, Marked, Pairs, Patch, Replacement};

/// The arguments of a `NamespaceTransformer`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamespaceArgs {
    /// `metadata.namespace`
    pub namespace: Marked<String>,
    pub field_specs: Vec<FieldSpec>,
    pub unset_only: bool,
    pub role_binding_subjects: RoleBindingSubjects,
}

/// Which subjects of role bindings get the namespace (section 4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoleBindingSubjects {
    #[default]
    DefaultOnly,
    AllServiceAccounts,
    None,
}

/// The arguments of a `PrefixTransformer`, `SuffixTransformer` or `PrefixSuffixTransformer`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrefixSuffixArgs {
    pub prefix: Marked<String>,
    pub suffix: Marked<String>,
    /// `fieldSpecs`; `None` if absent, which is an error for these plugins.
    pub field_specs: Option<Vec<FieldSpec>>,
}

/// The arguments of a `LabelTransformer` (`labels`) or `AnnotationsTransformer` (`annotations`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairsArgs {
    /// The labels or annotations, in key order.
    pub pairs: Marked<Pairs>,
    pub field_specs: Vec<FieldSpec>,
}

/// The arguments of a `PatchTransformer`, which are those of an entry of `patches`.
pub type PatchArgs = Marked<Patch>;

/// The arguments of a `PatchStrategicMergeTransformer`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatchStrategicMergeArgs {
    /// `paths`: paths or inline texts.
    pub paths: Vec<Marked<String>>,
    /// `patches`: text of one or more documents.
    pub patches: Marked<String>,
}

/// The arguments of a legacy exec plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExecPluginArgs {
    /// `argsOneLiner`: arguments in one line, quoted as for a shell.
    pub one_liner: String,
    /// `argsFromFile`: a file with an argument in each line.
    pub file: String,
}

/// The arguments of a `ReplacementTransformer`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplacementArgs {
    pub replacements: Vec<Marked<Replacement>>,
}

/// The arguments of a `ValueAddTransformer`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueAddArgs {
    pub value: Marked<String>,
    pub targets: Vec<ValueAddTarget>,
    pub target_file_path: String,
}

/// One entry of a `ValueAddTransformer`'s `targets`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueAddTarget {
    pub selector: Option<Selector>,
    pub field_path: String,
    pub file_path_position: i64,
    pub mark: Mark,
}

/// The arguments of an `IAMPolicyGenerator`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IamPolicyArgs {
    /// `cloud`: only `gke` is supported.
    pub cloud: Marked<String>,
    pub kubernetes_service_name: String,
    pub kubernetes_service_namespace: String,
    pub service_account_name: String,
    pub service_account_project_id: String,
}
