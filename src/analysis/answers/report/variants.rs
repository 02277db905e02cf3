//! The documents of `kzui order --json` and `kzui matrix --json`.

use std::path::PathBuf;

use serde::Serialize;

/// The pairs of neighbouring entries of a target, and whether their order matters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OrderReport {
    pub schema_version: u32,
    /// The target as it was given. All paths below are relative to this directory.
    pub target: String,
    /// The number of builds.
    pub builds: usize,
    /// The error of the build in the present order.
    pub failure: Option<VariantFailure>,
    /// All pairs of neighbours, in the order of the layers.
    pub pairs: Vec<OrderPair>,
}

/// Two neighbouring entries of a list, and the effect of swapping them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OrderPair {
    #[serde(skip)]
    pub path: PathBuf,
    /// The kustomization file.
    pub file: String,
    /// The name of the list.
    pub field: String,
    /// The entry that is listed first.
    pub first: OrderedEntry,
    /// The entry after it.
    pub second: OrderedEntry,
    /// The effect of a swap.
    pub swapped: SwapWord,
    /// The error of the swapped build.
    pub failure: Option<VariantFailure>,
    /// The reason why the effect is not known.
    pub unknown: Option<String>,
    /// The fields that differ after the swap.
    pub fields: Vec<DifferenceReport>,
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OrderedEntry {
    /// The index of the entry, counting commented entries.
    #[serde(skip)]
    pub index: usize,
    /// The line number in the kustomization file.
    pub line: u32,
    /// The entry as it is displayed.
    pub text: String,
}

/// The effect of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SwapWord {
    /// The output is the same: the two entries are independent.
    Same,
    /// The output differs after the swap.
    Differs,
    /// The swapped build fails.
    Fails,
    /// The build fails in the present order, and succeeds after the swap.
    Mends,
    /// The effect of the swap is not known.
    Unknown,
}

/// The error of a build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VariantFailure {
    /// The message in Kustomize's words, which contain absolute paths.
    pub message: String,
    /// The file of the error.
    pub file: Option<String>,
    /// The line of the error in that file.
    pub line: Option<u32>,
}

/// A field that differs between two builds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DifferenceReport {
    /// Kind and name of the resource.
    pub resource: String,
    /// The path of the field; empty for a resource that only one of the builds has.
    pub path: String,
    /// The value in the listed order.
    pub listed: Option<String>,
    /// The value after the swap.
    pub swapped: Option<String>,
    /// True if both values have the same elements in another order.
    pub reordered: bool,
}

/// A target built with combinations of its components.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MatrixReport {
    pub schema_version: u32,
    /// The target as it was given. All paths below are relative to this directory.
    pub target: String,
    #[serde(skip)]
    pub path: PathBuf,
    /// The file that lists the components.
    pub file: String,
    /// The components, in their order.
    pub components: Vec<ComponentSwitch>,
    /// True if all combinations were built; otherwise only the combinations with at most two
    /// components on, and the combinations at most two switches away from the file.
    pub exhaustive: bool,
    /// The number of different outputs.
    pub outputs: usize,
    /// The combinations that were built.
    pub combinations: Vec<MatrixCombination>,
    /// The rules that hold in all built combinations.
    pub rules: Vec<MatrixRule>,
}

/// One component that is switched on and off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ComponentSwitch {
    /// The index of the entry, counting commented entries.
    #[serde(skip)]
    pub index: usize,
    /// The shortest name that distinguishes the component from the others.
    pub name: String,
    /// The entry as written.
    pub text: String,
    /// The line number of the entry.
    pub line: u32,
    /// True if the component is switched on in the file.
    pub on: bool,
}

/// One combination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MatrixCombination {
    /// The components that are on, one bit each.
    #[serde(skip)]
    pub set: u128,
    /// The components that are on.
    pub on: Vec<String>,
    /// The result of the build.
    pub result: CombinationWord,
    /// The number of the combination's output, from 1; equal numbers mean equal outputs.
    pub output: Option<usize>,
    /// The error of the build.
    pub failure: Option<VariantFailure>,
    /// The reason why the result is not known.
    pub unknown: Option<String>,
}

/// The result of a combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum CombinationWord {
    /// The build succeeds.
    Builds,
    /// The build fails.
    Fails,
    /// The result is not known.
    Unknown,
}

/// A rule that the builds show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MatrixRule {
    /// The kind of rule.
    pub kind: RuleWord,
    /// The rule as a sentence.
    pub words: String,
    /// The component without effect.
    pub component: Option<String>,
    /// The components that must be on.
    pub on: Vec<String>,
    /// The components that must be off.
    pub off: Vec<String>,
    /// The number of combinations in which the rule holds.
    pub holds_in: usize,
    /// The components of `smallest`, one bit each.
    #[serde(skip)]
    pub smallest_set: u128,
    /// The combination with the fewest components in which the rule holds.
    pub smallest: Vec<String>,
    /// The error of the build with the smallest combination.
    pub failure: Option<VariantFailure>,
}

/// The kinds of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RuleWord {
    /// The build fails.
    Fails,
    /// Switching the component on or off makes no difference.
    ChangesNothing,
}
