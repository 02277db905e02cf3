//! Two resources with one id, and how to distinguish them.

use crate::diagnostic::joined;

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

/// The continuation of a sentence that offers another id; empty if no field gives one.
fn rename_choice(fields: &[&str]) -> String {
    let Some((last, others)) = fields.split_last() else { return String::new() };
    let others: Vec<String> = others.iter().map(|field| format!("`{field}`")).collect();
    let others = others.join(", ");
    format!(", or rename it in one of the two layers ({others} or `{last}` there)")
}
