//! What a function does in another way than the specification has it, and what it is run with.

use crate::diagnostic::UnpinnedImage;

/// Something odd about a function or about what it wrote, which keeps it from nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FunctionOddity {
    /// What runs it is said twice.
    #[error("both 'runtime' and the config.kubernetes.io/function annotation are set; keep one")]
    StatedTwice,
    /// A catalog defines it too that is not asked.
    #[error("{id} is taken from {catalog}; {other} defines it too")]
    Shadows {
        /// The function.
        id: String,
        /// The catalog that it is taken from.
        catalog: String,
        /// The other one.
        other: String,
    },
    /// Its image is allowed although it is not pinned: why it might not be, and where it is listed.
    #[error("{0} (listed in {1})")]
    Unpinned(UnpinnedImage, String),
    /// Its results are not as they must be: who, and how they are.
    #[error("function {0}: {1}")]
    Results(String, ResultOddity),
    /// It wrote documents, and no list: who.
    #[error("function {0} wrote no ResourceList but plain documents")]
    PlainDocuments(String),
    /// Processes of it were still there: who.
    #[error("function {0} left processes behind; they were stopped")]
    LeftProcesses(String),
    /// It changed an annotation that is not its own: who, and the annotation.
    #[error("function {0} changed reserved annotation {1}")]
    ReservedAnnotation(String, String),
    /// It put an object outside the root.
    #[error("function {who} put {id} at '{path}', outside the root; ignored")]
    OutsideRoot {
        /// Who.
        who: String,
        /// The object.
        id: String,
        /// Where.
        path: String,
    },
    /// It gave back nothing of what it was given: who, and how many resources that were.
    #[error("{0} dropped all {1} input resources; if it is a generator, place it first")]
    DroppedAll(String, usize),
    /// It is a generator, and wrote nothing: who.
    #[error("function {0} generated nothing")]
    GeneratedNothing(String),
}

/// What is odd about the results of a function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResultOddity {
    /// They are no list.
    #[error("its results are not a list")]
    NoList,
    /// One of them is no result: its number.
    #[error("results[{0}] is not an object with a message")]
    NoMessage(usize),
    /// The severity of one of them is not known: its number, and the severity.
    #[error("results[{0}] has the unknown severity '{1}'")]
    UnknownSeverity(usize, String),
}
