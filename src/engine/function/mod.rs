//! KRM functions: the wire, resolution, trust; and the port through which programs run.

mod answer;
mod bookkeeping;
mod program;

pub use answer::{ID_ANNOTATION, apply_answer, generated, shown_to_programs};
pub use bookkeeping::{
    adopt_bookkeeping, believe_bookkeeping, expose_bookkeeping, set_annotation, take_annotation,
};
pub use program::{Confinement, Ended, NoPrograms, Program, ProgramError, Programs, Temporary};
