//! What is wrong with a patch, or with what it is merged with.

/// Why a patch cannot be read or applied. A *label* is Kustomize's name of a patch: `[path: "…"]` or `[patch: "…"]`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatchFault {
    /// An entry of `patches` names nothing.
    #[error("must specify one of patch and path")]
    NeitherTextNorPath,
    /// An entry of `patches` has both.
    #[error("patch and path can't be set at the same time")]
    TextAndPath,
    /// The text is neither kind of patch: its label.
    #[error("unable to parse SM or JSON patch from {0}")]
    NeitherKind(String),
    /// The text is empty, which Kustomize took for both kinds: its label.
    #[error("illegally qualifies as both an SM and JSON patch: {0}")]
    BothKinds(String),
    /// A JSON patch has no target: its label.
    #[error("must specify a target for JSON patch {0}")]
    JsonWithoutTarget(String),
    /// The same in the words of Kustomize before 5.2, which say the whole text.
    #[error("must specify a target for patch {0}")]
    WithoutTarget(String),
    /// Several patches share one target: their label.
    #[error(
        "Multiple Strategic-Merge Patches in one `patches` entry is not allowed to set `patches.target` field: {0}"
    )]
    SeveralWithTarget(String),
    /// A text that was taken for operations is a mapping.
    #[error("json: cannot unmarshal object into Go value of type jsonpatch.Patch")]
    NoOperations,
    /// An entry of `patchesJson6902` has no target with a name.
    #[error("must specify the target name")]
    TargetWithoutName,
    /// An entry of `patchesJson6902` names nothing.
    #[error("empty file path and empty jsonOp")]
    NeitherOperationsNorPath,
    /// An entry of `patchesJson6902` has both.
    #[error("must specify a file path or jsonOp, not both")]
    OperationsAndPath,
    /// The file of an entry of `patchesJson6902` is empty.
    #[error("patch file '{0}' empty seems to be empty")]
    EmptyFile(String),
    /// There is no operation in an entry of `patchesJson6902`.
    #[error("patch appears to be empty; file={file}, JsonOp={text}")]
    Empty {
        /// The file; empty for a text in the entry itself.
        file: String,
        /// What is written.
        text: String,
    },
    /// A `PatchStrategicMergeTransformer` names nothing.
    #[error("empty file path and empty patch content")]
    NeitherFilesNorContent,
    /// Nothing is in any of the strategic merges.
    #[error("patch appears to be empty; files=[{}], Patch={content}", files.join(" "))]
    EmptyStrategicMerges {
        /// The files.
        files: Vec<String>,
        /// The text beside them.
        content: String,
    },
    /// No resource has the id of a patch, or several have it.
    #[error("{}", not_one(id, *several, *of_patches))]
    NotOneTarget {
        /// The id.
        id: String,
        /// Several have it.
        several: bool,
        /// The patch is an entry of `patches`.
        of_patches: bool,
    },
    /// The resource is gone already.
    #[error("another patch of this entry follows one that deletes its resource")]
    DeletedBefore,
    /// The word of a `$patch`.
    #[error("unknown patch strategy '{0}'")]
    UnknownStrategy(String),
    /// The schema of a merged list has `items` that are no schema, at which Kustomize crashes.
    #[error("the `items` of a list's schema are no schema")]
    BadItems,
    /// The schema of a list says how it is merged in something else than strings, at which Kustomize crashes.
    #[error("the patch strategy or a merge key of a list's schema is no string")]
    BadMergeWords,
    /// A merged list would grow too long.
    #[error("the merged list would grow to more than {0} elements")]
    EndlessList(usize),
}

fn not_one(id: &str, several: bool, of_patches: bool) -> String {
    let why = if several { "multiple matches" } else { "no matches" };
    let inner = format!("{why} for Id {id}; failed to find unique target for patch {id}");
    if of_patches && !several {
        format!("no resource matches strategic merge patch \"{id}\": {inner}")
    } else {
        inner
    }
}
