//! Errors of patches and of the resources they are merged with.

super::faults! {
    /// The error of a patch. Variants contain Kustomize's name for the patch:
    /// `[path: "…"]` or `[patch: "…"]`.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum PatchFault {
        KZ042 #[error("must specify one of patch and path")]
        NeitherTextNorPath,
        KZ042 #[error("patch and path can't be set at the same time")]
        TextAndPath,
        KZ043 #[error("unable to parse SM or JSON patch from {0}")]
        NeitherKind(String),
        KZ043 #[error("illegally qualifies as both an SM and JSON patch: {0}")]
        BothKinds(String),
        KZ042 #[error("must specify a target for JSON patch {0}")]
        #[remedy = "add a `target` to the entry: it selects the resources to patch"]
        JsonWithoutTarget(String),
        KZ042 #[error("must specify a target for patch {0}")]
        #[remedy = "add a `target` to the entry: it selects the resources to patch"]
        WithoutTarget(String),
        KZ042 #[error(
            "Multiple Strategic-Merge Patches in one `patches` entry is not allowed to set `patches.target` field: {0}"
        )]
        #[remedy = "make an entry of each document, or remove the target"]
        SeveralPatchesWithTarget(String),
        KZ042 #[error("must specify the target name")]
        #[remedy = "add the `name` of the resource to the target"]
        TargetWithoutName,
        KZ042 #[error("empty file path and empty jsonOp")]
        NeitherOperationsNorPath,
        KZ042 #[error("must specify a file path or jsonOp, not both")]
        OperationsAndPath,
        KZ043 #[error("patch file '{0}' empty seems to be empty")]
        #[remedy = "write the patch, or remove the entry"]
        EmptyFile(String),
        KZ043 #[error("patch appears to be empty; file={file}, JsonOp={text}")]
        #[remedy = "write the patch, or remove the entry"]
        Empty {
            /// The file of the patch; empty for an inline patch.
            file: String,
            text: String,
        },
        KZ042 #[error("empty file path and empty patch content")]
        NeitherFilesNorContent,
        KZ043 #[error("patch appears to be empty; files=[{}], Patch={content}", files.join(" "))]
        #[remedy = "write the patch, or remove the entry"]
        EmptyStrategicMerges { files: Vec<String>, content: String },
        KZ040 #[error(
            "{}no matches for Id {id}; failed to find unique target for patch {id}",
            if *of_patches { format!("no resource matches strategic merge patch \"{id}\": ") } else { String::new() }
        )]
        NoTarget {
            id: String,
            /// True if the patch is an entry of `patches`.
            of_patches: bool,
        },
        KZ041 #[error("multiple matches for Id {0}; failed to find unique target for patch {0}")]
        SeveralTargets(String),
        KZ000 #[error("a patch of this entry follows a patch that deletes the same resource")]
        DeletedBefore,
        KZ000 #[error("unknown patch strategy '{0}'")]
        #[remedy = "write `$patch: delete`, `$patch: merge` or `$patch: replace`"]
        UnknownStrategy(String),
        KZ000 #[error("the merged list would grow to more than {0} elements")]
        ListTooLong(usize),
    }
}
