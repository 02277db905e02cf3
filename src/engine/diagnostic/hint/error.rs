//! Hints for errors.

use std::path::PathBuf;

use crate::diagnostic::joined;
use crate::load::LoadAdvice;
use crate::resource::{Narrowing, SelectorSuggestion};

use super::Hint;
use super::missing_reference::{PartMissed, PatchMissed, PathEnd};

/// How to resolve an error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorHint {
    #[error("{place} passes `{flag}`: {setting}")]
    PassedFlag { place: String, flag: &'static str, setting: &'static str },
    #[error("list it under `{0}:`")]
    ListUnder(String),
    #[error("name one of: {}", .0.join(", "))]
    NameOne(Vec<String>),
    #[error(
        "Argo CD refuses equal names: narrow the generator, or put one of its parameters into `template.metadata.name`"
    )]
    ParameterInName,
    #[error("keep one of {}", .0.join(", "))]
    KeepOne(Vec<String>),
    #[error("remove one of the two `{0}`")]
    RepeatedKey(String),
    #[error("did you mean `{0}`?")]
    Field(String),
    #[error(
        "`{near}` is set, `{name}` is not: did you mean `${{{near}}}`? Otherwise set `{name}` in `postBuild`, write a default as in `${{{name}:=}}`, or escape it as `$${{{name}}}`{}",
        also_not_set(.others)
    )]
    OtherVariable { name: String, near: String, others: Vec<String> },
    #[error("a name has no spaces: did you mean `${{{0}}}`?")]
    NameWithSpaces(String),
    #[error(
        "the text is a script, whose expressions the shell expands: annotate its object with kustomize.toolkit.fluxcd.io/substitute: disabled (in a generator: `options.annotations`)"
    )]
    KeepScript,
    #[error("correct the expression, or escape it as `$${{…}}`")]
    CorrectExpression,
    #[error("escape it as `$${{{0}}}`, so that Flux keeps it")]
    EscapeVariable(String),
    /// The other variables that are not set; `may_disable` if the object has no further expressions.
    #[error(
        "set the variable in `postBuild`, write a default as in `${{name:=}}`, {}{}",
        if *.may_disable {
            "escape it as `$${name}`, or annotate the object with kustomize.toolkit.fluxcd.io/substitute: disabled"
        } else {
            "or escape it as `$${name}`"
        },
        also_not_set(.others)
    )]
    SetVariables { others: Vec<String>, may_disable: bool },
    #[error("fields: {}", .0.join(", "))]
    Fields(Vec<String>),
    #[error("Kustomize {0} does not have this field; a later release has it")]
    LaterField(&'static str),
    #[error("kustomization files are YAML 1.1, in which `{0}` is a boolean: write \"{0}\"")]
    Boolean(String),
    #[error("quote it: \"{0}\"")]
    Quote(String),
    #[error("write a list: `- {0}`")]
    List(String),
    #[error("write `- path: {0}`")]
    PathEntry(String),
    #[error("write `apiVersion: {0}`, or leave the field out")]
    ApiVersion(&'static str),
    #[error(
        "`{path}` of {} has `create: {create}` here, but `create: {}` in an earlier field spec for {}",
        kind_or_every_kind(kind),
        !create,
        kind_or_every_kind(other)
    )]
    CreateConflict {
        path: String,
        /// The kind of the later field spec; empty for every kind.
        kind: String,
        create: bool,
        /// The kind of the earlier field spec; empty for every kind.
        other: String,
    },
    #[error("set `{0}: true` in the Application to replace the label or annotation")]
    Force(&'static str),
    #[error("the only built-in version is v1.21.2; got `{0}`")]
    SchemaVersion(String),
    #[error(transparent)]
    DuplicateId(DuplicateOrigin),
    #[error("the key is set first {}", key_location_text(file.as_deref(), *line))]
    FirstKey { file: Option<String>, line: u32 },
    #[error("as a strategic merge patch: {0}; as a JSON6902 patch: {1}")]
    NeitherPatch(String, String),
    #[error(
        "the patch has no `kind`: write the kind and the name of the resource as in its manifest"
    )]
    PatchWithoutKind,
    #[error("the patch has no `metadata.name`: {}", if *has_target {
        "write any name, since the target decides which resources are patched"
    } else {
        "write the name of the resource that it patches"
    })]
    PatchWithoutName { has_target: bool },
    #[error("{0}")]
    PatchMissed(PatchMissed),
    #[error("{0}")]
    PathEnd(PathEnd),
    #[error("{0}")]
    PartMissed(PartMissed),
    #[error("{}{}", .0, .0.hint.as_ref().map(|it| format!("; {it}")).unwrap_or_default())]
    NothingSelected(Box<Narrowing>),
    #[error(
        "`spec.volumes` of this object contains strings, and Kustomize expects an image there since v5.7.0: load {0} {1} in a layer that \
         `images` does not reach, or build as before with --like v5.6.0"
    )]
    VolumesAreStrings(String, String),
    #[error("the annotation '{0}: disabled' leaves the object unchanged")]
    DisableSubstitution(&'static str),
    #[error("the values come from {0}")]
    TakesValuesFrom(String),
    #[error("{0} holds no values: write `{{}}` into it")]
    NoValues(String),
    #[error("put the chart into {}, or give it a `repo`", .0.display())]
    NoChart(PathBuf),
    #[error("there is no program {} either, and kzui does not run Go plugins", .0.display())]
    NoProgram(PathBuf),
    #[error(transparent)]
    Load(LoadAdvice),
    #[error("allow it with {0}")]
    Flag(&'static str),
    #[error("{0} allows the program to run on this machine, with your rights")]
    ProgramsFlag(&'static str),
    #[error("see the changes with `kzui trust diff {0}`")]
    TrustDiff(String),
    #[error(
        "review and trust it with `kzui trust add {catalog}`{}",
        flag.as_ref().map(|flag| format!(", or trust this content once with {flag}")).unwrap_or_default()
    )]
    Review {
        catalog: String,
        /// The flag that trusts exactly the present content of the catalog.
        flag: Option<String>,
    },
    #[error("review it and update the lock file: `kzui trust add {0} --lock`")]
    TrustLock(String),
    #[error("a trust decision pins its content: `kzui trust add {0}`")]
    TrustAdd(String),
    #[error("require another signer with --require-signature, or have it signed")]
    Signature,
    #[error("{}", joined(.0, "; "))]
    All(Vec<Hint>),
}

/// The origin of another resource with the same id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DuplicateOrigin {
    #[error("the same id comes from {0}; rename or remove one")]
    At(String),
    #[error("{}", added_twice_text(place, renamed_by, ways))]
    Same {
        place: String,
        /// The fields of a layer that give a resource of this type another id.
        renamed_by: &'static [&'static str],
        /// The two chains of entries that lead to the same resource, from the root.
        ways: Box<(Vec<EntryLocation>, Vec<EntryLocation>)>,
    },
    #[error(
        "two resources have this id: {place}, listed at {}, and one listed at {}; {}",
        joined(&.ways.0, " → "),
        joined(&.ways.1, " → "),
        clash_remedy(ways)
    )]
    Other {
        place: String,
        /// The chain of entries that leads to each of the two resources, from the root.
        ways: Box<(Vec<EntryLocation>, Vec<EntryLocation>)>,
    },
}

/// How a resource is added twice, from the file in which the two chains of entries part.
fn added_twice_text(
    place: &str,
    renamed_by: &[&str],
    (one, other): &(Vec<EntryLocation>, Vec<EntryLocation>),
) -> String {
    let common = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let common = common.min(one.len().min(other.len()).saturating_sub(1));
    let (one, other) = (&one[common..], &other[common..]);
    let is_same_place = |(one, other): (&EntryLocation, &EntryLocation)| {
        (&one.file, one.line) == (&other.file, other.line)
    };
    // The name of an entry that is being loaded is not known: it lists the same file.
    if let ([first, inner @ ..], [second, other_inner @ ..]) = (one, other)
        && first.file == second.file
        && (first.name == second.name || second.name.is_empty())
        && inner.len() == other_inner.len()
        && inner.iter().zip(other_inner).all(is_same_place)
    {
        let EntryLocation { file, line, name } = first;
        return format!(
            "{file} lists {} twice, in lines {line} and {}: remove one of the entries",
            if name.is_empty() { place } else { name },
            second.line
        );
    }
    // Flux lists every folder below a path that has no kustomization.
    let is_kustomization = |file: &str| {
        let name = file.rsplit('/').next().unwrap_or_default();
        ["kustomization.yaml", "kustomization.yml", "Kustomization"].contains(&name)
    };
    let is_generated = one.first().zip(other.first()).is_some_and(|(one, other)| {
        one.file == other.file && one.line == other.line && !is_kustomization(&one.file)
    });
    let remedy = if is_generated {
        "set `path` to one of these folders, or add a kustomization above them that lists the deployed ones".to_owned()
    } else {
        format!("list it once{}", rename_choice(renamed_by))
    };
    format!(
        "{place} is added twice, by {} and by {}; {remedy}",
        joined(one, " → "),
        joined(other, " → ")
    )
}

/// The remedy for two resources with one id, by the entries that lead to each. A layer that adds its
/// own version of a resource of its base needs a patch.
fn clash_remedy((one, other): &(Vec<EntryLocation>, Vec<EntryLocation>)) -> &'static str {
    let is_above = |above: &[EntryLocation], below: &[EntryLocation]| {
        let inner = below.split_last().map(|(_, inner)| inner).unwrap_or_default();
        above.last().is_some_and(|last| inner.iter().any(|it| it.file == last.file))
    };
    if is_above(one, other) || is_above(other, one) {
        "to change the resource of the base, list the file under `patches`; otherwise rename or remove one"
    } else {
        "rename or remove one"
    }
}

/// An entry of a list on the way to a resource.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}{}", if name.is_empty() { String::new() } else { format!(" ({name})") })]
pub struct EntryLocation {
    pub file: String,
    pub line: u32,
    /// The listed name; empty if it is not known.
    pub name: String,
}

impl ErrorHint {
    /// The paths of the entries that do not exist, if the hint is about several.
    pub fn missing_entries(&self) -> &[String] {
        match self {
            Self::Load(
                LoadAdvice::MissingEntries(entries) | LoadAdvice::OnlyMissingEntries(entries),
            ) => entries,
            Self::All(hints) => hints
                .iter()
                .map(Hint::missing_entries)
                .find(|it| !it.is_empty())
                .unwrap_or_default(),
            _ => &[],
        }
    }

    /// The similar names of resources that the hint contains.
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Self::PatchMissed(missed) => missed.names(),
            Self::NothingSelected(narrowing) => {
                let hinted = narrowing.hint.iter().flat_map(SelectorSuggestion::names);
                hinted.chain(narrowing.nearest.as_deref()).collect()
            }
            Self::All(hints) => hints.iter().flat_map(Hint::names).collect(),
            _ => Vec::new(),
        }
    }
}

fn kind_or_every_kind(kind: &str) -> &str {
    if kind.is_empty() { "every kind" } else { kind }
}

/// The location of a key as the end of a sentence: `on line 3`, `at a.yaml:3`.
fn key_location_text(file: Option<&str>, line: u32) -> String {
    file.map_or_else(|| format!("on line {line}"), |file| format!("at {file}:{line}"))
}

/// The continuation of a sentence that offers another id; empty if no field gives one.
fn rename_choice(fields: &[&str]) -> String {
    let Some((last, others)) = fields.split_last() else { return String::new() };
    let others: Vec<String> = others.iter().map(|field| format!("`{field}`")).collect();
    let others = others.join(", ");
    format!(", or rename it in one of the two layers ({others} or `{last}` there)")
}

/// The variables that are not set besides the one of the message; empty without any.
fn also_not_set(others: &[String]) -> String {
    match others {
        [] => String::new(),
        [one] => format!("; {one} is not set either"),
        _ => format!("; {} are not set either", others.join(", ")),
    }
}
