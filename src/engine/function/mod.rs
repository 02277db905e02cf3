//! KRM functions: the wire, resolution, trust; and the port through which programs run.

mod answer;
mod bookkeeping;
mod exec_plugin;
mod helm;
mod program;
mod words;

pub use answer::{ID_ANNOTATION, apply_answer, generated, mark_all, shown_to_programs};
pub use bookkeeping::{
    adopt_bookkeeping, believe_bookkeeping, expose_bookkeeping, set_annotation, take_annotation,
};
pub use exec_plugin::ExecPlugin;
pub use helm::{Helm, HelmFlags};
pub use program::{Confinement, Ended, NoPrograms, Program, ProgramError, Programs, Temporary};
