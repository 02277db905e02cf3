//! The documents for other programs: one struct for each document, each with its `schemaVersion`.
//! `src/README.md` describes how to add a document; `assets/schemas` contains the JSON Schema of
//! each document, which describes the fields, and which a test keeps equal to the structs.

mod bisect;
mod blame;
mod catalog;
mod map;
mod migrate;
mod places;
#[cfg(test)]
mod schemas;
mod set;
mod trace;
mod variants;
mod why;

/// Gives the structs and enums of documents the attributes that all of them have.
#[doc(hidden)]
#[macro_export]
macro_rules! document_types {
    ($($item:item)*) => {
        $(
            #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
            #[cfg_attr(test, derive(schemars::JsonSchema))]
            #[serde(rename_all = "camelCase")]
            $item
        )*
    };
}
pub use document_types as documents;

pub use crate::answers::recording::build::OutcomeWord;
pub use bisect::{BisectCommit, BisectEdit, BisectReport, BisectState, UnknownCommit};
pub use blame::{BlameCommit, BlameLine, BlameReport, BlameValue};
pub use catalog::{
    CatalogContents, CatalogFunctionReport, CatalogName, CatalogNames, CatalogNote, CatalogProgram,
    CatalogPrograms, CatalogReport, CatalogRuntime, CatalogScript, CatalogTrust,
    CatalogVersionReport, ContainerReport,
};
pub use map::{MapDocument, MapField, MapReport, MapSource, MapStep, RootWord};
pub use migrate::{MigrateReport, MigratedFieldReport, MigratedFileReport, NotKnownTarget};
pub use places::{FilePosition, ReportPaths};
pub use set::{SetAffected, SetProposal, SetReport};
pub use trace::{
    ChangeReport, ContextReport, FailureReport, FunctionReport, ResourceReport, ResultReport,
    StepReport, TraceReport, WarningReport, WriteReport, layer_name, step_title,
};
pub use variants::{
    CombinationWord, ComponentSwitch, DifferenceReport, MatrixCombination, MatrixReport,
    MatrixRule, OrderPair, OrderReport, OrderedEntry, RuleWord, SwapWord, VariantFailure,
};
pub use why::{
    MissedReport, RemovedReport, SourceReport, StepRef, WhyFieldReport, WhyReport, WriterReport,
    WriterReportInputs,
};
