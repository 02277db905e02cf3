//! The documents of `kzui order --json` and `kzui matrix --json`.

use std::path::PathBuf;

use super::documents;

documents! {
    pub struct OrderReport {
        pub schema_version: u32,
        pub target: String,
        pub builds: usize,
        pub failure: Option<VariantFailure>,
        pub pairs: Vec<OrderPair>,
    }

    pub struct OrderPair {
        #[serde(skip)]
        pub path: PathBuf,
        pub file: String,
        pub field: String,
        pub first: OrderedEntry,
        pub second: OrderedEntry,
        pub swapped: SwapWord,
        pub failure: Option<VariantFailure>,
        pub unknown: Option<String>,
        pub fields: Vec<DifferenceReport>,
    }

    pub struct OrderedEntry {
        /// The index of the entry, counting commented entries.
        #[serde(skip)]
        pub index: usize,
        pub line: u32,
        pub text: String,
    }

    /// The effect of a swap.
    #[derive(Copy)]
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

    pub struct VariantFailure {
        pub message: String,
        pub file: Option<String>,
        pub line: Option<u32>,
    }

    pub struct DifferenceReport {
        pub resource: String,
        pub path: String,
        pub listed: Option<String>,
        pub swapped: Option<String>,
        pub reordered: bool,
    }

    pub struct MatrixReport {
        pub schema_version: u32,
        pub target: String,
        #[serde(skip)]
        pub path: PathBuf,
        pub file: String,
        pub components: Vec<ComponentSwitch>,
        pub exhaustive: bool,
        pub outputs: usize,
        pub combinations: Vec<MatrixCombination>,
        pub rules: Vec<MatrixRule>,
    }

    pub struct ComponentSwitch {
        /// The index of the entry, counting commented entries.
        #[serde(skip)]
        pub index: usize,
        pub name: String,
        pub text: String,
        pub line: u32,
        pub on: bool,
    }

    pub struct MatrixCombination {
        /// The components that are on, one bit each.
        #[serde(skip)]
        pub set: u128,
        pub on: Vec<String>,
        pub result: CombinationWord,
        pub output: Option<usize>,
        pub failure: Option<VariantFailure>,
        pub unknown: Option<String>,
    }

    /// The result of a combination.
    #[derive(Copy)]
    pub enum CombinationWord {
        /// The build succeeds.
        Builds,
        /// The build fails.
        Fails,
        /// The result is not known.
        Unknown,
    }

    pub struct MatrixRule {
        pub kind: RuleWord,
        pub words: String,
        pub component: Option<String>,
        pub on: Vec<String>,
        pub off: Vec<String>,
        pub holds_in: usize,
        /// The components of `smallest`, one bit each.
        #[serde(skip)]
        pub smallest_set: u128,
        pub smallest: Vec<String>,
        pub failure: Option<VariantFailure>,
    }

    /// The kinds of rules.
    #[derive(Copy)]
    pub enum RuleWord {
        /// The build fails.
        Fails,
        /// Switching the component on or off makes no difference.
        ChangesNothing,
    }
}
