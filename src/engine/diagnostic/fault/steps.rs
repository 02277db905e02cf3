//! Errors of generators and transformers: of their configuration, of patches and replacements, and of
//! the fields and resources at which they work.

use crate::resource::RegexFault;
use crate::yaml::{Node, NodeKind, YamlError, print_preserving_style};

super::faults! {
    /// The error of a field that cannot be read or written.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum FieldFault {
        KZ065 #[error(
            "wrong node kind: expected {} but got {}: node contents:\n{}",
            expected.go_name(),
            go_kind(found),
            print_preserving_style(found).trim_end()
        )]
        WrongKind { expected: NodeKind, found: Node },
        KZ065 #[error("expected sequence or mapping node")]
        BelowAScalar,
        KZ065 #[error("cannot set or create an empty field name")]
        EmptyName,
        KZ065 #[error("list path element must contain fieldName=fieldValue for element to match")]
        NoCondition,
        KZ065 #[error("wildcard is not supported in PathGetter")]
        Wildcard,
        KZ065 #[error("index {index} specified but only {length} elements found")]
        IndexOutOfRange { index: usize, length: usize },
        /// A condition that is not a regular expression.
        KZ064 #[error("{0}")]
        NoExpression(RegexFault),
    }
}

fn go_kind(found: &Node) -> &'static str {
    if found.is_alias() { "AliasNode" } else { found.kind().go_name() }
}

impl FieldFault {
    /// The fault of a node with another kind than the expected one.
    pub fn wrong_kind(expected: NodeKind, found: &Node) -> Self {
        Self::WrongKind { expected, found: found.clone() }
    }
}

/// The sources of keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairSources {
    #[error("env source files:")]
    Envs,
    #[error("literal sources")]
    Literals,
    #[error("file sources:")]
    Files,
}

super::faults! {
    /// The error of a generator.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum GeneratorFault {
        KZ062 #[error("a configmap must have a name")]
        #[remedy = "add a `name` to the entry"]
        NoName,
        KZ062 #[error("configmap {0} illegally repeats the key `{1}`")]
        RepeatedKey(String, String),
        KZ062 #[error(
            "line [{}] has invalid utf8 bytes : {}",
            .0.iter().map(u8::to_string).collect::<Vec<_>>().join(" "),
            String::from_utf8_lossy(.0)
        )]
        NotUtf8(Vec<u8>),
        KZ062 #[error("invalid literal source {0}, expected key=value")]
        #[remedy = "write the literal as KEY=VALUE"]
        BadLiteral(String),
        KZ062 #[error("slice bounds out of range: the value of {0} is a single quote")]
        LoneQuote(String),
        KZ062 #[error("missing key name for file path {0:?} in source {1:?}")]
        #[remedy = "write the file as KEY=PATH, or as PATH alone"]
        NoKey(String, String),
        KZ062 #[error("missing file path for key name {0:?} in source {1:?}")]
        #[remedy = "write the file as KEY=PATH, or as PATH alone"]
        NoPath(String, String),
        KZ062 #[error("source {0:?} key name or file path contains '='")]
        SeveralEquals(String),
        KZ062 #[error("cloud provider {0} not supported yet")]
        #[remedy = "write `cloud: gke`, the only supported one"]
        UnknownCloud(String),
        KZ061 #[error("id {0} does not exist; cannot merge or replace")]
        NothingToMerge(String),
        KZ061 #[error(
            "id {id} exists; can not use behavior: '{behavior}', behavior must be merge or replace"
        )]
        Exists { id: String, behavior: &'static str },
        KZ061 #[error("found multiple objects that could accept merge of {0}")]
        SeveralToMerge(String),
    }
}

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

super::faults! {
    /// The error of a replacement.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum ReplacementFault {
        KZ052 #[error("value and resource selectors are mutually exclusive")]
        TwoSources,
        KZ052 #[error("replacements must specify a source and at least one target")]
        #[remedy = "add a `source`, and `targets` with `select` and `fieldPaths`"]
        NoSourceOrTarget,
        KZ052 #[error("cannot specify both path and inline replacement")]
        PathAndInline,
        KZ052 #[error("target must specify resources to select")]
        #[remedy = "add `select` to the target"]
        NoSelect,
        KZ050 #[error("nothing selected by {0}")]
        NothingSelected(String),
        KZ050 #[error("multiple matches for selector {0}")]
        SeveralSelected(String),
        KZ051 #[error("fieldPath `{0}` is missing for replacement source {1}")]
        NoField(String, String),
        KZ051 #[error("delimiter option can only be used with scalar nodes")]
        DelimiterWithoutText,
        KZ051 #[error("options.index {index} is out of bounds for value {value}")]
        #[remedy = "write the index of a part of the value; the first part has index 0"]
        IndexOutOfBounds { index: i64, value: String },
        KZ051 #[error("unable to {} field {field:?} in replacement target", if *.create { "find or create" } else { "find" })]
        NoTargetField { field: String, create: bool },
        KZ051 #[error("cannot support create option in a multi-value target")]
        CreateInMultiValueTarget,
        KZ052 #[error("must specify at least one target")]
        NoValueTarget,
        KZ052 #[error("value of FilePathPosition ({0}) cannot be negative")]
        NegativePosition(i64),
        KZ052 #[error("fieldPath cannot be empty")]
        EmptyPath,
    }
}

super::faults! {
    /// The error of a var. Variants contain the var, or its name, as Go prints it.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum VarFault {
        KZ053 #[error("found {0} resId matches for var {1} (unable to disambiguate)")]
        Ambiguous(usize, String),
        KZ053 #[error("var '{0}' already encountered")]
        Repeated(String),
        KZ053 #[error("var '{0}' cannot be mapped to a field in the set of known resources")]
        NoResource(String),
        KZ053 #[error("field specified in var '{0}' not found in corresponding resource")]
        NoField(String),
        KZ053 #[error("invalid value type expect a string")]
        NotAText,
        KZ055 #[error("'{0}' var name is invalid, must match '^[_[:alpha:]][_[:alpha:][:digit:]]*$'")]
        BadName(String),
        KZ055 #[error("{0}: variable substitution failed: {1}")]
        BadExpression(String, String),
        /// A variable that is not set, in strict mode (Flux 2.9 and later).
        KZ054 #[error("{0}: variable substitution failed: variable not set (strict mode): {1:?}")]
        Unset(String, String),
        KZ055 #[error("{0}: after variable substitution: {1}")]
        BrokenBySubstitution(String, YamlError),
        KZ055 #[error("{0}: {1}")]
        Unprintable(String, YamlError),
    }
}

super::faults! {
    /// The error of a transformer at one resource.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    pub enum ResourceFault {
        KZ032 #[error("namespace transformation produces ID conflict: [{}]", .0.join(" "))]
        NamespaceConflict(Vec<String>),
        KZ063 #[error("found multiple possible referrals: {}", ids.join(", "))]
        SeveralReferrals {
            ids: Vec<String>,
            name: String,
            /// True for a reference that may have a namespace beside the name.
            has_namespace: bool,
        },
        KZ065 #[error("path config error; no 'name' field in node")]
        ReferenceWithoutName,
        KZ065 #[error("a sequence is expected to be either a string or a map of string")]
        ListOfLists,
        KZ000 #[error("Invalid Input: namespace is blank for resource \"{0}\"")]
        BlankNamespace(String),
        KZ060 #[error("resource with name {name} does not match a config with the following GVK [{}]", types.join(" "))]
        NoReplicas { name: String, types: Vec<String> },
        KZ064 #[error("the name of the image, {0:?}, is not a valid regular expression")]
        BadImageName(String),
        KZ000 #[error("{object} would have more than {most} names in one build")]
        TooManyNames { object: String, most: usize },
        KZ031 #[error("missing {missing} in object {object}")]
        MissingField {
            /// The missing field: `kind` or `metadata.name`.
            missing: &'static str,
            /// The type, name, labels and annotations of the object, as Go prints them.
            object: String,
        },
        KZ000 #[error(
            "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'"
        )]
        LegacyOptionsOfFifo,
        KZ000 #[error("the field 'sortOptions.order' must be one of [fifo, legacy]")]
        UnknownOrder,
        KZ000 #[error("validator shouldn't modify the resource map: {0}")]
        ChangedByValidator(String),
    }
}
