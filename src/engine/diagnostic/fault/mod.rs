//! Causes of errors as values. The text of a cause is Kustomize's innermost phrase, or this
//! program's own where Kustomize crashes or has no such feature.

mod json_patch;
mod layer;
mod plugin;
mod program;
mod result;
mod steps;

pub use json_patch::{JsonPatchFault, PatchNodeRole};
pub use layer::{LayerFault, ProfileFault};
pub use plugin::{PluginFault, RefusalCause};
pub use program::{ProgramError, WithheldStep, byte_size, go_duration, signal_name};
pub use result::{FunctionResult, ResourceRef, ResultSeverity};
pub use steps::{
    FieldFault, GeneratorFault, PairSources, PatchFault, ReplacementFault, ResourceFault, VarFault,
};

use crate::diagnostic::Code;
use crate::resource::{NotAResource, ResMapError};
use crate::yaml::{Excess, NodeKind, YamlError};

/// Defines an enum of errors. Each variant has the code of its rule, and a remedy if its message,
/// which is Kustomize's, contains none.
macro_rules! faults {
    (
        $(#[$attribute:meta])*
        pub enum $subject:ident {
            $(
                $(#[doc = $doc:literal])*
                $code:ident #[error($($sentence:tt)*)]
                $(#[remedy = $remedy:literal])?
                $variant:ident $(($($tuple:tt)*))? $({$($fields:tt)*})?,
            )*
        }
    ) => {
        $(#[$attribute])*
        pub enum $subject {
            $(
                $(#[doc = $doc])*
                #[error($($sentence)*)]
                $variant $(($($tuple)*))? $({$($fields)*})?,
            )*
        }

        impl $subject {
            pub(super) fn code(&self) -> crate::diagnostic::Code {
                match self {
                    $(Self::$variant { .. } => crate::diagnostic::Code::$code,)*
                }
            }

            pub(super) fn remedy(&self) -> Option<&'static str> {
                match self {
                    $(Self::$variant { .. } => super::faults!(@option $($remedy)?),)*
                }
            }
        }
    };
    (@option) => { None };
    (@option $remedy:literal) => { Some($remedy) };
}
use faults;

/// The cause of an error, by subject.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    #[error(transparent)]
    Field(#[from] FieldFault),
    #[error(transparent)]
    Patch(#[from] PatchFault),
    #[error(transparent)]
    JsonPatch(#[from] JsonPatchFault),
    #[error(transparent)]
    Generator(#[from] GeneratorFault),
    #[error(transparent)]
    Replacement(#[from] ReplacementFault),
    #[error(transparent)]
    Var(#[from] VarFault),
    #[error(transparent)]
    Resource(#[from] ResourceFault),
    #[error(transparent)]
    Layer(#[from] LayerFault),
    /// A Composition that cannot be consolidated.
    #[error("{0}")]
    Composition(String),
    #[error(transparent)]
    Plugin(#[from] PluginFault),
    #[error(transparent)]
    Yaml(#[from] YamlError),
    #[error("{0}")]
    NotAResource(NotAResource),
    #[error(transparent)]
    Clash(Box<ResMapError>),
    #[error(transparent)]
    Excess(#[from] Excess),
    #[error("{around}: {fault}")]
    Within { around: FailedOperation, fault: Box<Fault> },
}

/// The operation that failed, in Kustomize's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FailedOperation {
    #[error("considering field '{0}' of object {1}")]
    Field(String, String),
    #[error("fieldName: {0}")]
    Segment(String),
    #[error("visit traversal on path: {0}")]
    Elements(String),
    #[error("updating name reference in '{0}' field of '{1}'")]
    Reference(String, String),
    #[error("setting namespace on (cluster)role binding subjects")]
    Subjects,
    #[error("error looking up replacement source")]
    ReplacementSource,
    #[error("unable to {} field {field:?} in replacement target", if *.create { "find or create" } else { "find" })]
    ReplacementTarget { field: String, create: bool },
    #[error("loading KV pairs: {kind} [{}]", entries.join(" "))]
    Pairs { kind: PairSources, entries: Vec<String>, is_secret: bool },
    #[error("merging from generator")]
    Merging,
    #[error("failed to sort transformers")]
    Sorting,
    #[error("failed to load generator")]
    LoadingGenerator,
    #[error("loading generator plugins")]
    GeneratorPlugins,
    #[error("could not parse rnode slice into resource map")]
    RenderedChart,
    #[error("{0}")]
    File(String),
}

/// The purpose of a text, in Kustomize's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextPurpose {
    #[error("cannot build '{0}'")]
    Target(Box<str>),
    #[error("{0}")]
    Other(Box<str>),
}

impl TextPurpose {
    /// An entry of a Composition: the name of its list, and its path if it is not inline.
    pub fn entry(field: &str, index: usize, path: Option<&str>) -> Self {
        let path = path.map(|path| format!(" '{path}'")).unwrap_or_default();
        format!("{field}[{index}]{path}").into()
    }
}

impl From<&str> for TextPurpose {
    fn from(text: &str) -> Self {
        Self::Other(text.into())
    }
}

impl From<String> for TextPurpose {
    fn from(text: String) -> Self {
        Self::Other(text.into())
    }
}

impl Fault {
    /// The code of the rule that a build breaks with this fault.
    pub fn code(&self) -> Code {
        match self {
            Self::Field(fault) => fault.code(),
            Self::Patch(fault) => fault.code(),
            Self::JsonPatch(fault) => fault.innermost().code(),
            Self::Generator(fault) => fault.code(),
            Self::Replacement(fault) => fault.code(),
            Self::Var(fault) => fault.code(),
            Self::Resource(fault) => fault.code(),
            Self::Layer(fault) => fault.code(),
            Self::Composition(_) => Code::KZ071,
            Self::Plugin(_) => Code::KZ070,
            Self::Yaml(_) => Code::KZ010,
            Self::NotAResource(_) => Code::KZ031,
            Self::Clash(_) => Code::KZ030,
            Self::Excess(_) => Code::KZ000,
            Self::Within { fault, .. } => fault.code(),
        }
    }

    /// The remedy for a fault whose message, which is Kustomize's, contains none.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::Field(FieldFault::WrongKind { expected, .. }) => Some(match expected {
                NodeKind::Mapping => "write a mapping here: a key and a value on each line",
                NodeKind::Sequence => "write a list here: `- ` before each item",
                NodeKind::Scalar => "write a single value here",
            }),
            Self::Field(fault) => fault.remedy(),
            Self::Patch(fault) => fault.remedy(),
            Self::JsonPatch(fault) => fault.remedy(),
            Self::Generator(fault) => fault.remedy(),
            Self::Replacement(fault) => fault.remedy(),
            Self::Var(fault) => fault.remedy(),
            Self::Resource(fault) => fault.remedy(),
            Self::Layer(fault) => fault.remedy(),
            Self::Plugin(PluginFault::Refused(cause)) => cause.remedy(),
            _ => None,
        }
    }

    /// This fault without values of Secrets; `None` if it contains none.
    #[must_use]
    pub fn masked(&self) -> Option<Self> {
        let Self::Within { around, fault } = self else { return None };
        let mut around = around.clone();
        let FailedOperation::Pairs { kind, entries, is_secret: true } = &mut around else {
            return fault.masked().map(|fault| fault.within(around));
        };
        if *kind == PairSources::Literals {
            for entry in entries {
                *entry = masked_literal(entry);
            }
        }
        Some(fault.without_values().within(around))
    }

    /// The fault of a `secretGenerator`, without the values in it.
    fn without_values(&self) -> Self {
        let Self::Generator(fault) = self else { return self.clone() };
        Self::Generator(match fault {
            GeneratorFault::BadLiteral(text) => GeneratorFault::BadLiteral(masked_literal(text)),
            GeneratorFault::LoneQuote(text) => GeneratorFault::LoneQuote(masked_literal(text)),
            GeneratorFault::NotUtf8(_) => GeneratorFault::NotUtf8(b"<secret>".to_vec()),
            other => other.clone(),
        })
    }

    /// Wraps the cause in an operation.
    #[must_use]
    pub fn within(self, around: FailedOperation) -> Self {
        Self::Within { around, fault: Box::new(self) }
    }

    /// The cause without the operations around it.
    pub fn innermost(&self) -> &Self {
        let mut fault = self;
        while let Self::Within { fault: inner, .. } = fault {
            fault = inner;
        }
        fault
    }
}

impl From<NotAResource> for Fault {
    fn from(fault: NotAResource) -> Self {
        Self::NotAResource(fault)
    }
}

impl From<ResMapError> for Fault {
    fn from(error: ResMapError) -> Self {
        Self::Clash(Box::new(error))
    }
}

fn masked_literal(literal: &str) -> String {
    match literal.split_once('=') {
        Some((key, _)) if !key.is_empty() => format!("{key}=<secret>"),
        _ => "<secret>".to_owned(),
    }
}
