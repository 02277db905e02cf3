//! The documents of `kzui order --json` and `kzui matrix --json`.

use serde::Serialize;

/// Where order matters in a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderReport {
    /// The version of this format. A field that is added leaves it as it is; a field that goes, or means something else,
    /// raises it.
    pub schema_version: u32,
    /// What was built, as it was asked for. All paths below are relative to this directory.
    pub target: String,
    /// How many builds were done.
    pub builds: usize,
    /// Why the build fails as it is.
    pub failure: Option<VariantFailure>,
    /// Every two neighbours, in the order of the layers.
    pub pairs: Vec<OrderPair>,
}

/// Two entries of a list, one behind the other, and what comes of a swap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderPair {
    /// The kustomization file.
    pub file: String,
    /// The list.
    pub field: String,
    /// The first.
    pub first: OrderEntry,
    /// The one behind it.
    pub second: OrderEntry,
    /// What comes of a swap.
    pub swapped: SwapWord,
    /// Why the swapped build fails.
    pub failure: Option<VariantFailure>,
    /// Why it cannot be told.
    pub unknown: Option<String>,
    /// The fields that differ when the two are swapped.
    pub fields: Vec<DifferenceReport>,
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OrderEntry {
    /// Its line.
    pub line: u32,
    /// What it is.
    pub text: String,
}

/// What comes of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SwapWord {
    /// Nothing: the two commute.
    Same,
    /// Another output.
    Differs,
    /// The build fails.
    Fails,
    /// The build, which fails as it is, succeeds.
    Mends,
    /// It cannot be known.
    Unknown,
}

/// Why a build fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VariantFailure {
    /// In Kustomize's words, which name absolute paths.
    pub message: String,
    /// The file that it is about.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
}

/// A field that two builds differ in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DifferenceReport {
    /// Kind and name.
    pub resource: String,
    /// The field; empty for a resource that only one of the two has.
    pub path: String,
    /// What it is as listed.
    pub listed: Option<String>,
    /// What it is when the two are swapped.
    pub swapped: Option<String>,
    /// Both have the same elements, in another order.
    pub reordered: bool,
}

/// The components of a target in all combinations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MatrixReport {
    /// The version of this format. A field that is added leaves it as it is; a field that goes, or means something else,
    /// raises it.
    pub schema_version: u32,
    /// What was built, as it was asked for. All paths below are relative to this directory.
    pub target: String,
    /// The file that lists the components.
    pub file: String,
    /// The components, in their order.
    pub components: Vec<MatrixComponent>,
    /// All combinations were built; else those with at most two on, and those that are at most two switches away from what
    /// the file says.
    pub exhaustive: bool,
    /// How many different outputs there are.
    pub outputs: usize,
    /// What was built.
    pub combinations: Vec<MatrixCombination>,
    /// What was learned. Each holds in every combination that was built.
    pub rules: Vec<MatrixRule>,
}

/// A component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MatrixComponent {
    /// What it is called below.
    pub name: String,
    /// As it is written.
    pub text: String,
    /// Its line.
    pub line: u32,
    /// It is on now.
    pub on: bool,
}

/// One combination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MatrixCombination {
    /// The components that are on.
    pub on: Vec<String>,
    /// What came of it.
    pub result: CombinationWord,
    /// Which output it is, from 1; the same number is the same output.
    pub output: Option<usize>,
    /// Why it fails.
    pub failure: Option<VariantFailure>,
    /// Why it cannot be told.
    pub unknown: Option<String>,
}

/// What came of a combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum CombinationWord {
    /// It builds.
    Builds,
    /// It fails.
    Fails,
    /// It cannot be known.
    Unknown,
}

/// What was learned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MatrixRule {
    /// What it says.
    pub kind: RuleWord,
    /// As a person would say it.
    pub words: String,
    /// The component that changes nothing.
    pub component: Option<String>,
    /// Components that have to be on for it.
    pub on: Vec<String>,
    /// Components that have to be off for it.
    pub off: Vec<String>,
    /// In how many combinations it holds.
    pub holds_in: usize,
    /// The one of them with the fewest components.
    pub smallest: Vec<String>,
    /// Why that one fails.
    pub failure: Option<VariantFailure>,
}

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RuleWord {
    /// The build fails.
    Fails,
    /// Switching the component on or off makes no difference.
    ChangesNothing,
}
