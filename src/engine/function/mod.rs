//! KRM functions: the wire, resolution, trust; and the port through which programs run.

mod program;

pub use program::{Confinement, Ended, NoPrograms, Program, ProgramError, Programs, Temporary};
