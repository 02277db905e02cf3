//! Questions over a recorded build, or over several: who wrote a field and why, what did nothing, what two builds differ in.
//! Pure: a question is one function, its answer one value, which every face shows. Texts are as they stand in the files;
//! a face makes them safe for where it shows them.

pub mod blame;
mod board;
mod check;
mod claims;
pub mod compare;
pub mod compat;
mod components;
mod faults;
pub mod field;
mod findings;
mod fixes;
mod history;
mod identity;
mod place;
mod recording;
pub mod remap;
mod repairs;
pub mod report;
mod search;
pub mod secrets;
mod selector;
pub mod source_map;
mod tried;
mod waivers;
pub mod why;

pub use board::{Survey, TargetStanding, TargetSummary, summary};
pub use check::{Found, Report, fingerprints, relative};
pub use claims::{Rebuild, Trial, entry_of, line_of, nth_active, printed};
pub use components::{Cell, Effect, Matrix, Overlay, Row, Standing, lists_components, matrix};
pub use faults::add_faults;
pub use findings::{Finding, findings, need};
pub use fixes::fixed;
pub use identity::{Identity, Last, ResourceKey, paired};
pub use place::Places;
pub use recording::{Recording, short_path};
pub use repairs::{Proved, RebuildTarget, Repairs, repairs};
pub use search::{Hit, grep};
pub use selector::NotNamed;
pub use tried::{alone, complete};
pub use waivers::{Waiver, waivers};
