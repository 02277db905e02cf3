//! Effects of a changed output on a cluster that runs the old one.

use crate::diagnostic::object::PlacedObject;

super::rules! {
    /// A danger of one difference. Objects are named `KIND/NAME`.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum DangerRemark;

    KZ310 Error "a field that cannot be changed changes" {
        means: "The API server refuses the change of this field on an object that is there already.",
        action: "Keep the value, or delete the object and make it anew.",
        #[error(
            "{field} of a {} cannot be changed: the API server refuses it until {} is deleted and made anew",
            object.kind,
            object.unplaced()
        )]
        Immutable { field: String, object: PlacedObject },
    }

    KZ311 Error "a volume claim shrinks" {
        means: "Volumes can only grow: the API server refuses a smaller size.",
        action: "Keep the size, or make a new claim.",
        #[error("the volume claim of {name} shrinks from {before} to {after}: volumes can only grow")]
        Shrinks { name: String, before: String, after: String },
    }

    KZ312 Error "an object goes that takes others with it" {
        means: "Where objects are pruned, what belongs to this one goes too: objects of a namespace or of a definition, data of a volume.",
        action: "Make sure that this is meant; keep the object otherwise.",
        #[error("{0} is deleted where objects are pruned: {1}")]
        Deleted(PlacedObject, Loss),
    }

    KZ313 Warning "an object gets another name" {
        means: "A new object is made under the new name, and the old one stays or is pruned.",
        action: "Make sure that both may be there for a while, and that nothing else uses the old name.",
        #[error(
            "{before} becomes {}: a new object is made, and the old one stays or is pruned",
            seen_from(before, after)
        )]
        Replaced { before: PlacedObject, after: PlacedObject },
    }

    KZ320 Warning "rights are added" {
        means: "A role or binding grants what it did not grant before.",
        action: "Make sure that this is meant.",
        #[error("{} now {}", object.unplaced(), granted(grants))]
        Grants { object: PlacedObject, grants: Vec<Grant> },
    }

    KZ321 Warning "all rights are added" {
        means: "A role grants everything with a star.",
        action: "Name the verbs and resources that are needed.",
        | Self::Grants { grants, .. } if grants.iter().any(Grant::is_for_all),
    }

    KZ330 Warning "pods restart" {
        means: "The template of a workload changes, or the hash of a name in it: its pods are replaced.",
        action: "Nothing, if a restart is fine at this time.",
        #[error("the pods of {} restart{}", object.unplaced(), hashed(by_hash.as_deref()))]
        Restarts { object: PlacedObject, by_hash: Option<String> },
    }

    KZ331 Note "an image changes" {
        means: "A container gets another image.",
        action: "No action.",
        #[error("image {0} becomes {1}")]
        Image(String, String),
    }
}

/// The data that is lost with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Loss {
    #[error("everything in the namespace goes with it")]
    Namespace,
    #[error("every object of that kind goes with it")]
    Kind,
    #[error("the volume may go with it")]
    Claim,
    #[error("what is on the volume may not be found again")]
    Volume,
    #[error("its pods go; its volume claims stay, and nothing uses them")]
    Pods,
}

/// A right that is new, or a subject that is new to a role.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grant {
    /// `name` is `*` if it is for every object of the resource.
    Right {
        verb: String,
        group: String,
        resource: String,
        name: String,
    },
    Subject {
        kind: String,
        name: String,
        namespace: String,
    },
}

impl Grant {
    /// True if a part of it is, or contains, a star.
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

/// With the namespace if it is the only difference.
fn seen_from(before: &PlacedObject, after: &PlacedObject) -> String {
    let is_same = (&before.kind, &before.name) == (&after.kind, &after.name);
    if is_same { after.to_string() } else { after.unplaced() }
}

/// Grants that a message lists.
const MAX_GRANTS_LISTED: usize = 3;

fn granted(grants: &[Grant]) -> String {
    let verb = match grants.first() {
        Some(Grant::Subject { .. }) => "is given to",
        Some(Grant::Right { .. }) | None => "grants",
    };
    let named: Vec<String> =
        grants.iter().take(MAX_GRANTS_LISTED).map(ToString::to_string).collect();
    let rest = match grants.len().saturating_sub(MAX_GRANTS_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{verb} {}{rest}", named.join(", "))
}

fn hashed(name: Option<&str>) -> String {
    name.map(|name| format!(": the content of {name} has another hash")).unwrap_or_default()
}
