//! What may go wrong when a difference is applied to a cluster.

use crate::diagnostic::Code;
use crate::diagnostic::object::PlacedObject;

/// A danger of one difference. Objects are called `KIND/NAME`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DangerRemark {
    /// A field cannot be changed.
    #[error(
        "{field} of a {} cannot be changed: the API server refuses it until {} is deleted and made anew",
        object.kind,
        object.unplaced()
    )]
    Immutable {
        /// The field.
        field: String,
        /// The object.
        object: PlacedObject,
    },
    /// A volume claim asks for less than before.
    #[error("the volume claim of {name} shrinks from {before} to {after}: volumes can only grow")]
    Shrinks {
        /// The object that has the claim.
        name: String,
        /// What it asked for.
        before: String,
        /// What it asks for now.
        after: String,
    },
    /// An object is deleted: which, and what is lost with it.
    #[error("{0} is deleted where objects are pruned: {1}")]
    Deleted(PlacedObject, Loss),
    /// An object becomes another one.
    #[error(
        "{before} becomes {}: a new object is made, and the old one stays or is pruned",
        seen_from(before, after)
    )]
    Replaced {
        /// What it was.
        before: PlacedObject,
        /// What it is now.
        after: PlacedObject,
    },
    /// A role grants, or a binding is given to, more than before.
    #[error("{} now {}", object.unplaced(), granted(grants))]
    Grants {
        /// The role or the binding.
        object: PlacedObject,
        /// What is new about it.
        grants: Vec<Grant>,
    },
    /// Pods are made anew.
    #[error("the pods of {} restart{}", object.unplaced(), hashed(by_hash.as_deref()))]
    Restarts {
        /// The workload.
        object: PlacedObject,
        /// What has another hash, where nothing else changes.
        by_hash: Option<String>,
    },
    /// An image becomes another one: that, and this.
    #[error("image {0} becomes {1}")]
    Image(String, String),
}

/// What is lost with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Loss {
    /// With a namespace.
    #[error("everything in the namespace goes with it")]
    Namespace,
    /// With the definition of a kind.
    #[error("every object of that kind goes with it")]
    Kind,
    /// With a claim.
    #[error("the volume may go with it")]
    Claim,
    /// With a volume.
    #[error("what is on the volume may not be found again")]
    Volume,
    /// With a `StatefulSet`.
    #[error("its pods go; its volume claims stay, and nothing uses them")]
    Pods,
}

/// What somebody may do who could not, or somebody who may do it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grant {
    /// A right.
    Right {
        /// `get`
        verb: String,
        /// The group of the resource; empty for the core group.
        group: String,
        /// `secrets`
        resource: String,
        /// The name of the object; `*` when every object of the resource is meant.
        name: String,
    },
    /// Somebody to whom a role is given.
    Subject {
        /// `ServiceAccount`
        kind: String,
        /// The name.
        name: String,
        /// The namespace; empty where none is written.
        namespace: String,
    },
}

impl Grant {
    /// True when it is for all that there is of something.
    pub fn is_for_all(&self) -> bool {
        let is_all = |text: &String| text.contains('*');
        match self {
            Self::Right { verb, group, resource, name } => {
                [verb, group, resource].into_iter().any(is_all) || name != "*" && is_all(name)
            }
            Self::Subject { kind, name, namespace } => {
                [kind, name, namespace].into_iter().any(is_all)
            }
        }
    }
}

impl std::fmt::Display for Grant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Right { verb, group, resource, name } => {
                let slash = if group.is_empty() { "" } else { "/" };
                write!(f, "{verb} {group}{slash}{resource}")?;
                if name == "*" { Ok(()) } else { write!(f, " {name}") }
            }
            Self::Subject { kind, name, namespace } => {
                write!(f, "{kind} {name}")?;
                if namespace.is_empty() { Ok(()) } else { write!(f, " in {namespace}") }
            }
        }
    }
}

impl DangerRemark {
    pub(super) fn code(&self) -> Code {
        match self {
            Self::Immutable { .. } => Code::KZ310,
            Self::Shrinks { .. } => Code::KZ311,
            Self::Deleted(..) => Code::KZ312,
            Self::Replaced { .. } => Code::KZ313,
            Self::Grants { grants, .. } if grants.iter().any(Grant::is_for_all) => Code::KZ321,
            Self::Grants { .. } => Code::KZ320,
            Self::Restarts { .. } => Code::KZ330,
            Self::Image(..) => Code::KZ331,
        }
    }
}

/// An object that only moves is called with its namespace.
fn seen_from(before: &PlacedObject, after: &PlacedObject) -> String {
    let is_same = (&before.kind, &before.name) == (&after.kind, &after.name);
    if is_same { after.to_string() } else { after.unplaced() }
}

/// So many grants are named.
const NAMED: usize = 3;

fn granted(grants: &[Grant]) -> String {
    let verb = match grants.first() {
        Some(Grant::Subject { .. }) => "is given to",
        Some(Grant::Right { .. }) | None => "grants",
    };
    let named: Vec<String> = grants.iter().take(NAMED).map(ToString::to_string).collect();
    let rest = match grants.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{verb} {}{rest}", named.join(", "))
}

fn hashed(name: Option<&str>) -> String {
    name.map(|name| format!(": the content of {name} has another hash")).unwrap_or_default()
}
