//! What is said of entries that reach nothing, that change nothing, and of which nothing is left.

use std::sync::Arc;

use crate::diagnostic::Code;
use crate::diagnostic::object::{Object, StepName};
use crate::resource::{Narrowing, ResId};

/// Why an entry of a kustomization file does less than it seems to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryRemark {
    /// A patch is for nothing: where its target lost everything.
    #[error("the patch's target matches nothing: {0}")]
    PatchTarget(Box<Narrowing>),
    /// A target of a replacement is for nothing; where it lost everything, when it is the selector that does.
    #[error("a target of the replacement matches nothing: {}", why_nothing(.0.as_deref()))]
    ReplacementTarget(Option<Box<Narrowing>>),
    /// An entry is for nothing: its field, and what it works with.
    #[error(
        "{field} {argument} matches nothing{}",
        if *is_empty { ": there is no resource at this step" } else { "" }
    )]
    MatchesNothing {
        /// The field.
        field: &'static str,
        /// What it works with.
        argument: Arc<str>,
        /// There is nothing that it could be for.
        is_empty: bool,
    },
    /// No container has an image: its name.
    #[error("no container has the image {0} at this step")]
    NoSuchImage(String),
    /// There is nothing in a patch.
    #[error("the patch is empty: it says nothing")]
    EmptyPatch,
    /// A patch leaves its resource as it was.
    #[error("the patch leaves {object} as it was{}", because(already.as_ref()))]
    PatchChangesNothing {
        /// The resource.
        object: Object,
        /// The first thing that it says and that is so already.
        already: Option<AlreadySo>,
    },
    /// A replacement leaves a resource as it was.
    #[error("the replacement leaves {object} as it was: {}", unmoved(paths, value.as_deref(), *why))]
    ReplacementChangesNothing {
        /// The resource.
        object: Object,
        /// The fields that it is for.
        paths: Vec<String>,
        /// The value of its source, where that may be told.
        value: Option<String>,
        /// What keeps it from a change.
        why: Unmoved,
    },
    /// All that an entry is for says already what it says.
    #[error("{field} {argument} changes nothing: {}", say_so(*matched))]
    SaysSoAlready {
        /// The field.
        field: &'static str,
        /// What it works with.
        argument: Arc<str>,
        /// How many resources it matches.
        matched: usize,
    },
    /// Nothing that an entry wrote is left.
    #[error("nothing that it wrote is left: {}", taken(path.as_deref(), object, by))]
    Overwritten {
        /// The first field that it wrote; none where its resource is gone.
        path: Option<String>,
        /// The resource.
        object: Object,
        /// The step that took it.
        by: StepName,
    },
    /// A part of what an entry wrote is left no more.
    #[error(
        "{gone} of {all} fields that it wrote {} written over or taken away by {by}{}{}",
        if *gone == 1 { "is" } else { "are" },
        and_by(*others),
        which.as_ref().map(ToString::to_string).unwrap_or_default()
    )]
    PartlyOverwritten {
        /// How many fields are not left.
        gone: usize,
        /// How many fields it wrote.
        all: usize,
        /// The first step that took some.
        by: StepName,
        /// How many other steps did.
        others: usize,
        /// Which fields, where that can be told.
        which: Option<FieldsGone>,
    },
    /// An entry of `images` is applied twice, because of its tag suffix or as a whole: the first resource.
    #[error(
        "Kustomize goes over the containers of workloads twice, so {} is applied twice, first in {first}",
        if *is_suffix { "tagSuffix" } else { "this entry" }
    )]
    ImageTwice {
        /// It is the tag suffix.
        is_suffix: bool,
        /// The resource.
        first: Box<ResId>,
    },
}

/// What a patch says and a resource has already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlreadySo {
    /// A field has the value: the field, and the value where it is one word and may be told.
    Is(String, Option<String>),
    /// A field that the patch takes away is not there.
    Gone(String),
    /// There are only tests among its operations.
    OnlyTests,
}

/// What keeps a replacement from changing a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmoved {
    /// The text that the field is in holds a number or a boolean there, and the value is none.
    Refused,
    /// What is written there is lost.
    Lost,
    /// The value is there already.
    Already,
}

/// The fields that an entry wrote and that are not left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldsGone {
    /// The first of them, each with its resource.
    pub named: Vec<(String, Object)>,
    /// How many there are besides.
    pub more: usize,
}

impl EntryRemark {
    pub(super) fn code(&self) -> Code {
        match self {
            Self::PatchTarget(_) => Code::KZ101,
            Self::ReplacementTarget(_) => Code::KZ102,
            Self::MatchesNothing { .. } => Code::KZ122,
            Self::NoSuchImage(_) => Code::KZ120,
            Self::EmptyPatch => Code::KZ121,
            Self::PatchChangesNothing { .. }
            | Self::ReplacementChangesNothing { .. }
            | Self::SaysSoAlready { .. } => Code::KZ103,
            Self::Overwritten { .. } => Code::KZ110,
            Self::PartlyOverwritten { .. } => Code::KZ124,
            Self::ImageTwice { .. } => Code::KZ111,
        }
    }

    /// Where a target lost everything.
    pub(super) fn narrowing(&self) -> Option<&Narrowing> {
        match self {
            Self::PatchTarget(why) => Some(why),
            Self::ReplacementTarget(why) => why.as_deref(),
            Self::MatchesNothing { .. }
            | Self::NoSuchImage(_)
            | Self::EmptyPatch
            | Self::PatchChangesNothing { .. }
            | Self::ReplacementChangesNothing { .. }
            | Self::SaysSoAlready { .. }
            | Self::Overwritten { .. }
            | Self::PartlyOverwritten { .. }
            | Self::ImageTwice { .. } => None,
        }
    }
}

impl std::fmt::Display for AlreadySo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Is(path, None) => write!(f, "{path} is what the patch says already"),
            Self::Is(path, Some(value)) if value.is_empty() => write!(f, "{path} is \"\" already"),
            Self::Is(path, Some(value)) => {
                write!(f, "{path} is {} already", value.lines().next().unwrap_or_default())
            }
            Self::Gone(path) => write!(f, "{path}, which it takes away, is not there"),
            Self::OnlyTests => f.write_str("its operations only test"),
        }
    }
}

/// `: spec.replicas of Deployment web and 2 more`
impl std::fmt::Display for FieldsGone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = self.named.iter().map(|(path, object)| format!("{path} of {object}"));
        write!(f, ": {}", named.collect::<Vec<_>>().join(", "))?;
        if self.more == 0 { Ok(()) } else { write!(f, " and {} more", self.more) }
    }
}

fn why_nothing(narrowing: Option<&Narrowing>) -> String {
    match narrowing {
        Some(narrowing) => narrowing.to_string(),
        None => "`reject` leaves none, or the namespace is not written out".to_owned(),
    }
}

fn because(already: Option<&AlreadySo>) -> String {
    already.map(|already| format!(": {already}")).unwrap_or_default()
}

fn unmoved(paths: &[String], value: Option<&str>, why: Unmoved) -> String {
    let (paths, value) = (paths.join(", "), value.unwrap_or("what the source says"));
    match why {
        Unmoved::Refused => {
            format!("{paths} inside its text is a number or a boolean, and {value} is none")
        }
        Unmoved::Lost => {
            format!("{paths} leads below a null or into a text, where what is written is lost")
        }
        Unmoved::Already => format!("{paths} is {value} already"),
    }
}

fn say_so(matched: usize) -> String {
    match matched {
        1 => "the resource that it matches says so already".to_owned(),
        count => format!("the {count} resources that it matches say so already"),
    }
}

fn taken(path: Option<&str>, object: &Object, by: &StepName) -> String {
    match path {
        Some(path) => format!("{path} of {object} is written over or taken away by {by}"),
        None => format!("{by}, removes {object}"),
    }
}

fn and_by(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => " and by 1 more step".to_owned(),
        others => format!(" and by {others} more steps"),
    }
}
