//! Errors of patches and of the resources they are merged with.

/// The error of a patch. Variants contain Kustomize's name for the patch:
/// `[path: "…"]` or `[patch: "…"]`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatchFault {
    #[error("must specify one of patch and path")]
    NeitherTextNorPath,
    #[error("patch and path can't be set at the same time")]
    TextAndPath,
    #[error("unable to parse SM or JSON patch from {0}")]
    NeitherKind(String),
    #[error("illegally qualifies as both an SM and JSON patch: {0}")]
    BothKinds(String),
    #[error("must specify a target for JSON patch {0}")]
    JsonWithoutTarget(String),
    #[error("must specify a target for patch {0}")]
    WithoutTarget(String),
    #[error(
        "Multiple Strategic-Merge Patches in one `patches` entry is not allowed to set `patches.target` field: {0}"
    )]
    SeveralPatchesWithTarget(String),
    #[error("json: cannot unmarshal object into Go value of type jsonpatch.Patch")]
    NoOperations,
    #[error("must specify the target name")]
    TargetWithoutName,
    #[error("empty file path and empty jsonOp")]
    NeitherOperationsNorPath,
    #[error("must specify a file path or jsonOp, not both")]
    OperationsAndPath,
    #[error("patch file '{0}' empty seems to be empty")]
    EmptyFile(String),
    #[error("patch appears to be empty; file={file}, JsonOp={text}")]
    Empty {
        /// The file of the patch; empty for an inline patch.
        file: String,
        text: String,
    },
    #[error("empty file path and empty patch content")]
    NeitherFilesNorContent,
    #[error("patch appears to be empty; files=[{}], Patch={content}", files.join(" "))]
    EmptyStrategicMerges { files: Vec<String>, content: String },
    #[error("{}", match_count_message(id, *several, *of_patches))]
    NotOneTarget {
        id: String,
        several: bool,
        /// True if the patch is an entry of `patches`.
        of_patches: bool,
    },
    #[error("a patch of this entry follows a patch that deletes the same resource")]
    DeletedBefore,
    #[error("unknown patch strategy '{0}'")]
    UnknownStrategy(String),
    #[error("`items` in the schema of a list is not a schema")]
    BadItems,
    #[error("the patch strategy or a merge key in the schema of a list is not a string")]
    BadMergeWords,
    #[error("the merged list would grow to more than {0} elements")]
    ListTooLong(usize),
}

fn match_count_message(id: &str, several: bool, of_patches: bool) -> String {
    let why = if several { "multiple matches" } else { "no matches" };
    let inner = format!("{why} for Id {id}; failed to find unique target for patch {id}");
    if of_patches && !several {
        format!("no resource matches strategic merge patch \"{id}\": {inner}")
    } else {
        inner
    }
}
