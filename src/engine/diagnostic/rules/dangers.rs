//! Effects of a changed output on a cluster that runs the old one.

use crate::diagnostic::object::{PlacedObject, and_more};

super::rules! {
    /// A danger of one difference. Objects are named `KIND/NAME`.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum DangerRemark;

    KZ310 Error "an immutable field changes" {
        means: "The API server refuses to change this field of an existing object.",
        action: "Keep the value, or delete the object and create it again.",
        page: "tests/cases/dangers/immutable-field.md",
        #[error(
            "{field} of a {} is immutable: the API server refuses the change until {} is deleted",
            object.kind,
            object.kind_and_name()
        )]
        Immutable { field: String, object: PlacedObject },
    }

    KZ311 Error "a volume claim shrinks" {
        means: "Volumes can only grow: the API server refuses a smaller size.",
        action: "Keep the size, or create a new claim.",
        page: "tests/cases/dangers/claim-shrinks.md",
        #[error("the volume claim of {name} shrinks from {before} to {after}: volumes can only grow")]
        Shrinks { name: String, before: String, after: String },
    }

    KZ312 Error "an object is removed together with data or other objects" {
        means: "Pruning deletes more than this object: the objects of a namespace, of a definition or of a deployment object, or the data of a volume.",
        action: "Make sure that this is intended; keep the object otherwise.",
        page: "tests/cases/dangers/namespace-removed.md",
        #[error("{object} is deleted{}: {loss}", if *is_pruned { "" } else { " where objects are pruned" })]
        Removed { object: PlacedObject, loss: Loss, is_pruned: bool },
    }

    KZ313 Warning "an object is renamed" {
        means: "A new object is created under the new name; the old one stays, or is pruned.",
        action: "Make sure that both can exist for a while, and that no other object uses the old name.",
        page: "tests/cases/dangers/renamed.md",
        #[error(
            "{before} becomes {}: a new object is created; the old one stays, or is pruned",
            seen_from(before, after)
        )]
        Replaced { before: PlacedObject, after: PlacedObject },
    }

    KZ314 Warning "a workload is removed" {
        means: "An object that runs pods is no longer in the output: pruning deletes it and its pods.",
        action: "Make sure that this is intended.",
        page: "tests/cases/dangers/workload-removed.md",
        | Self::Removed { loss: Loss::Workload, .. },
    }

    KZ315 Warning "a Service or route is removed" {
        means: "A Service, Ingress or route is no longer in the output: clients can no longer reach its pods.",
        action: "Make sure that no client uses it.",
        page: "tests/cases/dangers/service-removed.md",
        | Self::Removed { loss: Loss::Address, .. },
    }

    KZ316 Warning "a removed object stays in the cluster" {
        means: "An object is no longer in the output, and it is not pruned: it continues to run, and later changes of the files are not applied to it.",
        action: "Delete it by hand, or let it be pruned.",
        page: "tests/cases/dangers/orphaned.md",
        /// `cause` is the reason why pruning does not delete the object.
        #[error("{object} stays in the cluster, no longer managed: {cause}")]
        Orphaned { object: PlacedObject, cause: String },
    }

    KZ317 Warning "pruning is switched on or off" {
        means: "The prune setting of a deployment object changes: objects that leave its output are deleted (pruned) from now on, or stay (orphaned).",
        action: "Make sure that this is intended. Before pruning is switched on, look for objects that are no longer in the files and still in use.",
        page: "tests/cases/dangers/pruning.md",
        #[error("{object} {}", pruning_change_text(*is_on))]
        Pruning { object: PlacedObject, is_on: bool },
    }

    KZ320 Warning "rights are added" {
        means: "A role or binding grants rights that it did not grant before.",
        action: "Make sure that this is intended.",
        page: "tests/cases/dangers/rights.md",
        #[error("{} now {}", object.kind_and_name(), granted_text(grants))]
        Grants { object: PlacedObject, grants: Vec<RbacGrant> },
    }

    KZ321 Warning "all rights are granted" {
        means: "A role grants all rights with `*`.",
        action: "Name the verbs and resources that are needed.",
        page: "tests/cases/dangers/rights.md",
        | Self::Grants { grants, .. } if grants.iter().any(RbacGrant::has_wildcard),
    }

    KZ322 Warning "a network policy is removed" {
        means: "Traffic that the policy denied is allowed without it.",
        action: "Make sure that other policies select the same pods.",
        page: "tests/cases/dangers/network-policy-removed.md",
        | Self::Removed { loss: Loss::NetworkPolicy, .. },
    }

    KZ323 Warning "a container runs privileged" {
        means: "A container gets `securityContext.privileged: true`: a process in it has all rights on the node.",
        action: "Add the capabilities that the container needs instead.",
        page: "tests/cases/dangers/privileged.md",
        #[error("container {container} of {} runs privileged", object.kind_and_name())]
        Privileged { object: PlacedObject, container: String },
    }

    KZ324 Warning "pods use a namespace of the host" {
        means: "Pods get `hostNetwork`, `hostPID` or `hostIPC`: they see the network, the processes or the memory of the node.",
        action: "Leave the field out unless the pods manage the node.",
        page: "tests/cases/dangers/host-namespaces.md",
        #[error("the pods of {} use {field} of the node", object.kind_and_name())]
        HostNamespace { object: PlacedObject, field: &'static str },
    }

    KZ330 Warning "pods restart" {
        means: "The template of a workload changes, or the hash of a name in it: its pods are replaced.",
        action: "None, if a restart is acceptable at this time.",
        page: "tests/cases/dangers/restart.md",
        #[error("the pods of {} restart{}", object.kind_and_name(), changed_content_suffix(by_hash.as_deref()))]
        Restarts { object: PlacedObject, by_hash: Option<String> },
    }

    KZ331 Note "an image changes" {
        means: "The image of a container changes.",
        action: "No action.",
        page: "tests/cases/dangers/image.md",
        #[error("image {0} becomes {1}")]
        Image(String, String),
    }

    KZ332 Warning "the major version of an image changes" {
        means: "The major version of an image changes: the new one may be incompatible.",
        action: "Read the release notes of the image.",
        page: "tests/cases/dangers/image.md",
        #[error("image {0} becomes {1}: different major version")]
        ImageMajor(String, String),
    }

    KZ333 Warning "the major version of a chart changes" {
        means: "The major version of a Helm chart changes: its values or its objects may be incompatible.",
        action: "Read the release notes of the chart.",
        page: "tests/cases/dangers/chart.md",
        #[error("chart {chart} {before} becomes {after}: different major version")]
        ChartMajor { chart: String, before: String, after: String },
    }

    KZ334 Warning "replicas are set to zero" {
        means: "A workload that ran pods gets `replicas: 0`: all its pods stop.",
        action: "Make sure that this is intended.",
        page: "tests/cases/dangers/replicas-zero.md",
        #[error("{object} is scaled to zero: its pods stop")]
        ScaledToZero { object: PlacedObject },
    }

    KZ335 Warning "an object is suspended" {
        means: "`suspend` or `paused` becomes true: a deployment object no longer applies changes, a job starts no pods.",
        action: "Make sure that it is resumed later.",
        page: "tests/cases/dangers/suspend.md",
        #[error("{object} is suspended")]
        Suspended { object: PlacedObject },
    }

    KZ336 Warning "an object is resumed" {
        means: "`suspend` or `paused` is no longer true: all changes since it was suspended are applied at once.",
        action: "Look at the changes that were made in the meantime.",
        page: "tests/cases/dangers/suspend.md",
        #[error("{object} is resumed: changes made in the meantime are applied at once")]
        Resumed { object: PlacedObject },
    }
}

/// The data, pods or access that a cluster loses when an object is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Loss {
    #[error("everything in the namespace is deleted with it")]
    Namespace,
    #[error("every object of that kind is deleted with it")]
    Kind,
    #[error("the volume may be deleted with it")]
    Claim,
    #[error("the data on the volume may be lost")]
    Volume,
    #[error("its pods stop; its volume claims stay, unused")]
    StatefulPods,
    #[error("everything that it deployed is deleted with it")]
    Deployed,
    #[error("its pods stop")]
    Workload,
    #[error("clients can no longer reach its pods")]
    Address,
    #[error("traffic that it denied is allowed")]
    NetworkPolicy,
}

/// A right that is new, or a subject that is new to a role.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum RbacGrant {
    /// `name` is `*` if the right is for every object of the resource.
    #[error(
        "{verb} {group}{}{resource}{}",
        if group.is_empty() { "" } else { "/" },
        if name == "*" { String::new() } else { format!(" {name}") }
    )]
    Right { verb: String, group: String, resource: String, name: String },
    #[error("{kind} {name}{}{namespace}", if namespace.is_empty() { "" } else { " in " })]
    Subject { kind: String, name: String, namespace: String },
}

impl RbacGrant {
    /// True if a part of the grant is or contains a star.
    pub fn has_wildcard(&self) -> bool {
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

fn pruning_change_text(is_on: bool) -> &'static str {
    if is_on {
        "now prunes: objects in the cluster that are no longer in its output are deleted"
    } else {
        "no longer prunes: objects that leave its output stay in the cluster"
    }
}

/// The object after the change, with its namespace if only the namespace differs.
fn seen_from(before: &PlacedObject, after: &PlacedObject) -> String {
    let is_same = (&before.kind, &before.name) == (&after.kind, &after.name);
    if is_same { after.to_string() } else { after.kind_and_name() }
}

const MAX_GRANTS_LISTED: usize = 3;

fn granted_text(grants: &[RbacGrant]) -> String {
    let verb = match grants.first() {
        Some(RbacGrant::Subject { .. }) => "is given to",
        Some(RbacGrant::Right { .. }) | None => "grants",
    };
    let named: Vec<String> =
        grants.iter().take(MAX_GRANTS_LISTED).map(ToString::to_string).collect();
    let rest = and_more(grants.len().saturating_sub(MAX_GRANTS_LISTED));
    format!("{verb} {}{rest}", named.join(", "))
}

fn changed_content_suffix(name: Option<&str>) -> String {
    name.map(|name| format!(": the content of {name} changes")).unwrap_or_default()
}
