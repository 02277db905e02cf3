//! The content of a finding: a diagnostic of a step, the failure of a build, a warning, or a
//! pending step.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::engine::diagnostic::{
    Code, DeployedRemark, DiagnosticContent, EntryRemark, Fault, FunctionRemark, GeneratorFault,
    Hint, LayerFault, RefusalCause, Remark, SilentRemark, VarFault,
};
use crate::engine::evaluate::{BuildWarning, ErrorCause, StepError, Wait, WaitCause};
use crate::engine::load::LoadError;
use crate::engine::manifest::DeprecatedField;
use crate::engine::resource::SelectorPart;
use crate::engine::yaml::YamlCause;

#[derive(Clone, Debug, PartialEq)]
pub enum FindingKind {
    Remark(Remark),
    Failure(Arc<StepError>),
    Warning(Box<BuildWarning>),
    Pending(Arc<str>, Box<Wait>),
}

impl FindingKind {
    /// The feature that findings of one habit share, which a report lists as one row
    /// ([`Listing::Habit`](crate::engine::diagnostic::Listing)): the field and kind of custom
    /// resources, the file of images or keys, the missing file of sibling folders, the variable, the
    /// namespace that addresses lack, the file of patches without match.
    /// Findings with another `hint` are another habit, unless the hint differs with the file.
    pub(in crate::answers) fn habit(&self, file: &Path, hint: Option<&str>) -> Option<String> {
        let shown = |path: &Path| path.to_string_lossy().into_owned();
        let with_hint = |feature: String| format!("{feature} {}", hint.unwrap_or_default());
        match self {
            Self::Remark(Remark::Entry(EntryRemark::PatchTarget(narrowing))) => {
                narrowing.change.is_empty().then(|| shown(file))
            }
            Self::Remark(Remark::Deployed(DeployedRemark::UnsetVariables { names, .. })) => {
                names.first().cloned()
            }
            Self::Remark(Remark::Deployed(DeployedRemark::Repeated(..))) => {
                file.parent().map(shown)
            }
            Self::Remark(Remark::Silent(SilentRemark::StaleReference {
                field, object, ..
            })) => Some(with_hint(format!("{} {field}", object.kind))),
            Self::Remark(Remark::Silent(SilentRemark::OldAddress { namespace, .. })) => {
                Some(with_hint(namespace.clone()))
            }
            Self::Remark(
                Remark::Entry(EntryRemark::NoSuchImage(_))
                | Remark::Silent(SilentRemark::RefusedKey { .. }),
            ) => Some(with_hint(shown(file))),
            Self::Failure(error) => match &error.cause {
                ErrorCause::Load(_, LoadError::OutsideRoot { path, .. }) => {
                    path.file_name().map(|name| shown(Path::new(name)))
                }
                ErrorCause::Load(_, error) => {
                    // The same name in sibling folders, as in overlays.
                    let missing = error.missing()?;
                    let above = missing.parent().and_then(Path::parent).unwrap_or(missing);
                    Some(with_hint(shown(&above.join(missing.file_name()?))))
                }
                ErrorCause::Fault(fault) => match fault.innermost() {
                    Fault::Var(VarFault::Unset(_, name)) => Some(name.clone()),
                    Fault::Layer(LayerFault::NothingDeployed(path, _)) => {
                        Some(match moved_below(path, error) {
                            Some(folder) => format!("moved below {folder}"),
                            // Objects of one folder without directory.
                            None => with_hint(shown(file.parent().unwrap_or(file))),
                        })
                    }
                    Fault::Layer(LayerFault::EqualNames { .. }) => Some(with_hint(shown(file))),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The object that a patch selects, if no resource has its name, or into which a generator
    /// merges.
    pub(super) fn wanted_object(&self) -> Option<WantedObject> {
        if let Self::Failure(error) = self
            && let ErrorCause::Fault(fault) = &error.cause
            && let Fault::Generator(GeneratorFault::NothingToMerge(id)) = fault.innermost()
        {
            let (gvk, name) = id.split_once('/')?;
            let kind = gvk.split('.').next().unwrap_or_default().to_owned();
            let (name, _) = name.rsplit_once('.')?;
            return Some(WantedObject { kind, name: name.to_owned() });
        }
        let Self::Remark(Remark::Entry(EntryRemark::PatchTarget(narrowing))) = self else {
            return None;
        };
        let selector = &narrowing.selector;
        let is_by_name = matches!(narrowing.excluding_part(), Some(SelectorPart::Name(_)));
        is_by_name
            .then(|| WantedObject { kind: selector.kind.clone(), name: selector.name.clone() })
    }

    pub(in crate::answers) fn result_tags(&self) -> &[(String, String)] {
        match self {
            Self::Remark(Remark::Function(FunctionRemark::Result(result))) => &result.tags,
            _ => &[],
        }
    }
}

/// An object that an entry selects: its kind, empty for any, and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::answers) struct WantedObject {
    pub(in crate::answers) kind: String,
    pub(in crate::answers) name: String,
}

impl From<Remark> for FindingKind {
    fn from(remark: Remark) -> Self {
        Self::Remark(remark)
    }
}

impl DiagnosticContent for FindingKind {
    fn code(&self) -> Code {
        match self {
            Self::Remark(remark) => remark.code(),
            Self::Failure(error) => error.code(),
            Self::Warning(_) => Code::KZ001,
            Self::Pending(_, wait) if wait.is_for_an_earlier_step() => Code::KZ191,
            Self::Pending(_, wait)
                if matches!(&wait.why, WaitCause::Refused(RefusalCause::NotLocked(_))) =>
            {
                Code::KZ193
            }
            Self::Pending(..) => Code::KZ190,
        }
    }

    fn hint(&self) -> Option<&Hint> {
        match self {
            Self::Remark(remark) => DiagnosticContent::hint(remark),
            Self::Failure(error) => error.hint.as_ref(),
            Self::Warning(_) | Self::Pending(..) => None,
        }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Remark(remark) => remark.fmt(f),
            Self::Failure(error) => match repeated_key(error) {
                Some((key, lines)) => {
                    write!(
                        f,
                        "the key {key:?} is in one mapping twice, in lines {} and {}",
                        lines[0], lines[1]
                    )
                }
                None => f.write_str(&error.message),
            },
            Self::Warning(warning) => match &**warning {
                BuildWarning::Deprecated(DeprecatedField { field, instead, .. }) => {
                    let instead = instead.split('.').next().unwrap_or_default();
                    write!(f, "'{field}' is deprecated: use {instead}")
                }
                warning => f.write_str(&warning.message()),
            },
            Self::Pending(step, wait) => f.write_str(&pending(step, wait)),
        }
    }
}

/// The folder below which the missing directory of a deployment object is.
fn moved_below<'e>(path: &str, error: &'e StepError) -> Option<&'e str> {
    let Some(Hint::DidYouMean(near)) = &error.hint else { return None };
    let path = path.trim_start_matches("./").trim_matches('/');
    near.trim_start_matches("./").strip_suffix(path)?.strip_suffix('/')
}

/// The key that a resource has twice and its two lines, if this is why the output cannot be printed.
fn repeated_key(error: &StepError) -> Option<(&str, [u32; 2])> {
    let ErrorCause::Fault(fault) = &error.cause else { return None };
    let Fault::Layer(LayerFault::Unprintable(error)) = fault.innermost() else { return None };
    match &error.cause {
        YamlCause::RepeatedKey { key, line, first } if line != first => {
            Some((key, [*first, *line]))
        }
        _ => None,
    }
}

/// A pending step in words: its name and its need. The name is left out if the need begins with it.
fn pending(step: &str, wait: &Wait) -> String {
    let need = wait.required_action_text();
    if wait.is_for_an_earlier_step() {
        format!("{step}: {need}")
    } else if need.starts_with(step) {
        need
    } else {
        format!("{step} is pending: {need}")
    }
}
