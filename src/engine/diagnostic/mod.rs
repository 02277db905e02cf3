//! What kzui has to say about a build although it may not have failed: one registry of codes, and the diagnostics
//! themselves as values.

mod code;
mod rules;
mod value;

pub use code::{Code, Rule, Severity};
pub use rules::all_codes;
pub use value::{Diagnostic, Fix, Related, SetValue, Subject, WhyNot};
