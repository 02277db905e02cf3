//! What patches do that people do not expect (ruling 2), and what replacements do to parts of a text.

use crate::diagnostic::Code;

/// What a patch does to a list, to an element or to a name, or does not do. A *path* has dots between its keys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatchRemark {
    /// `$patch: replace` stands at the root.
    #[error("`$patch: replace` at the root of a patch has no effect")]
    ReplaceAtRoot,
    /// A list is replaced whole.
    #[error("the list {path} is replaced whole: {}", no_merge_key(kind, *has_schema))]
    ReplacedList {
        /// The list.
        path: String,
        /// The kind of its resource.
        kind: String,
        /// There is a schema for it, which has no merge key there.
        has_schema: bool,
    },
    /// A list is replaced whole because a schema took the place of the built-in one.
    #[error(
        "the list {path} of {kind} is replaced whole: the schema of `openapi.path` took the place of the built-in one, \
         which merges it{}",
        by(keys)
    )]
    LostMergeKey {
        /// The list.
        path: String,
        /// The kind of its resource.
        kind: String,
        /// The keys by which the built-in schema merges it.
        keys: Vec<String>,
    },
    /// An element of a list has none of the keys by which the list is merged.
    #[error(
        "an element of {path} has no {}: Kustomize throws out every element that has one",
        keys.join(" or ")
    )]
    WithoutKey {
        /// The list.
        path: String,
        /// The keys.
        keys: Vec<String>,
    },
    /// An element is lost: only one side has the second key.
    #[error(
        "what the patch says about {key} {value} in {path} is lost: one side has {second}, the other has not"
    )]
    LostElement {
        /// The first key of the list.
        key: String,
        /// What the element says there.
        value: String,
        /// The list.
        path: String,
        /// The key that one of them has not.
        second: String,
    },
    /// `$patch: replace` stands in an element of a list: the list.
    #[error("`$patch: replace` on an element of {0} has no effect")]
    ReplaceOfElement(String),
    /// A directive that is none to Kustomize.
    #[error("Kustomize does not know `{0}`: it stays in the output as data")]
    UnknownDirective(String),
    /// An index of a JSON6902 patch means another element by now.
    #[error("{pointer} is {now:?} at this step; where the resource is written it is {was:?}")]
    MovedIndex {
        /// The element, as the patch has it.
        pointer: String,
        /// The name of the element that is there at this step.
        now: String,
        /// The name of the one that was there.
        was: String,
    },
    /// A deletion has an empty target: how many objects go.
    #[error("`$patch: delete` with an empty target removes {0} objects; the patch names one")]
    DeletesMore(usize),
    /// A patch with a target says a name.
    #[error(
        "the patch says name {says:?}, which does not count beside a target: it goes to {goes_to:?}{}",
        and_more(*more)
    )]
    NameBesideTarget {
        /// The name.
        says: String,
        /// The name of the first resource that it is for.
        goes_to: String,
        /// How many others there are.
        more: usize,
    },
    /// The index of a replacement is past the last part of a text.
    #[error(
        "index {index} is past the end of {}: between {delimiter:?} there {}, so the text is appended",
        shown(text.as_deref()),
        are_parts(*parts)
    )]
    PastEnd {
        /// The index.
        index: usize,
        /// The text, where it may be told.
        text: Option<String>,
        /// What stands between its parts.
        delimiter: String,
        /// How many parts there are.
        parts: usize,
    },
}

impl PatchRemark {
    pub(super) fn code(&self) -> Code {
        match self {
            Self::ReplaceAtRoot => Code::KZ201,
            Self::ReplacedList { .. } => Code::KZ202,
            Self::LostMergeKey { .. } => Code::KZ601,
            Self::WithoutKey { .. } => Code::KZ203,
            Self::LostElement { .. } => Code::KZ204,
            Self::ReplaceOfElement(_) => Code::KZ205,
            Self::UnknownDirective(_) => Code::KZ206,
            Self::MovedIndex { .. } => Code::KZ214,
            Self::DeletesMore(_) => Code::KZ217,
            Self::NameBesideTarget { .. } => Code::KZ221,
            Self::PastEnd { .. } => Code::KZ215,
        }
    }
}

fn no_merge_key(kind: &str, has_schema: bool) -> String {
    if has_schema {
        format!("{kind} gives it no merge key")
    } else {
        format!("there is no schema for this {kind}")
    }
}

fn by(keys: &[String]) -> String {
    if keys.is_empty() { String::new() } else { format!(" by {}", keys.join(" and ")) }
}

fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" and {count} more") }
}

fn shown(text: Option<&str>) -> String {
    text.map_or_else(|| "the text".to_owned(), |text| format!("{text:?}"))
}

fn are_parts(count: usize) -> String {
    if count == 1 { "is 1 part".to_owned() } else { format!("are {count} parts") }
}
