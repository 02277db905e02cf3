//! The help for errors whose message, which is Kustomize's, contains no remedy.

use crate::diagnostic::{
    Fault, FieldFault, GeneratorFault, PatchFault, PluginFault, RefusalCause, ReplacementFault,
    UnpinnedImage,
};
use crate::yaml::NodeKind;

/// The help for an error; `None` if its message is enough.
pub(super) fn remedy(fault: &Fault) -> Option<&'static str> {
    match fault {
        Fault::Patch(fault) => patch_remedy(fault),
        Fault::Generator(fault) => generator_remedy(fault),
        Fault::Replacement(fault) => replacement_remedy(fault),
        Fault::Plugin(PluginFault::Refused(cause)) => refusal_remedy(cause),
        Fault::Field(FieldFault::WrongKind { expected, .. }) => Some(match expected {
            NodeKind::Mapping => "write a mapping here: a key and a value on each line",
            NodeKind::Sequence => "write a list here: `- ` before each item",
            NodeKind::Scalar => "write a single value here",
        }),
        _ => None,
    }
}

fn refusal_remedy(cause: &RefusalCause) -> Option<&'static str> {
    match cause {
        RefusalCause::Unpinned(UnpinnedImage::Version(_)) => Some(
            "write the digest of the image in the catalog, or allow the tag with --allow-unpinned-images",
        ),
        RefusalCause::Unpinned(UnpinnedImage::Floating(_)) => {
            Some("write the digest of the image in the catalog; --require-pinned refuses others")
        }
        RefusalCause::NoDigest { .. } => Some(
            "write its `sha256` in the catalog; `kzui catalog pin` writes the digests of files beside the catalog",
        ),
        RefusalCause::PathAbove(_) => Some(
            "move the script below the folder of this file, or allow the path with --load-restrictor LoadRestrictionsNone",
        ),
        _ => None,
    }
}

fn patch_remedy(fault: &PatchFault) -> Option<&'static str> {
    match fault {
        PatchFault::JsonWithoutTarget(_) | PatchFault::WithoutTarget(_) => {
            Some("add a `target` to the entry: it selects the resources to patch")
        }
        PatchFault::SeveralPatchesWithTarget(_) => {
            Some("make an entry of each document, or remove the target")
        }
        PatchFault::TargetWithoutName => Some("add the `name` of the resource to the target"),
        PatchFault::EmptyFile(_)
        | PatchFault::Empty { .. }
        | PatchFault::EmptyStrategicMerges { .. } => Some("write the patch, or remove the entry"),
        PatchFault::UnknownStrategy(_) => {
            Some("write `$patch: delete`, `$patch: merge` or `$patch: replace`")
        }
        _ => None,
    }
}

fn generator_remedy(fault: &GeneratorFault) -> Option<&'static str> {
    match fault {
        GeneratorFault::NoName => Some("add a `name` to the entry"),
        GeneratorFault::BadLiteral(_) => Some("write the literal as KEY=VALUE"),
        GeneratorFault::NoKey(..) | GeneratorFault::NoPath(..) => {
            Some("write the file as KEY=PATH, or as PATH alone")
        }
        GeneratorFault::UnknownCloud(_) => Some("write `cloud: gke`, the only supported one"),
        _ => None,
    }
}

fn replacement_remedy(fault: &ReplacementFault) -> Option<&'static str> {
    match fault {
        ReplacementFault::NoSourceOrTarget => {
            Some("add a `source`, and `targets` with `select` and `fieldPaths`")
        }
        ReplacementFault::NoSelect => Some("add `select` to the target"),
        ReplacementFault::IndexOutOfBounds { .. } => {
            Some("write the index of a part of the value; the first part has index 0")
        }
        _ => None,
    }
}
