//! The runtime of a function in its configuration (section A.9); unknown fields are errors.

use crate::load::Digest;
use crate::yaml::{MappingEntry, Mark, Node, Tag};

/// The runtime of a configuration object, as its author wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionSpec {
    pub kind: SpecKind,
    /// The image of a container, the path of a program, or that of a script below the layer's
    /// directory.
    pub location: String,
    /// The URL of a script; allowed only in a catalog.
    pub url: String,
    /// The name of a script in messages.
    pub name: String,
    /// True for a container that requires the network.
    pub network: bool,
    pub mounts: Vec<Mount>,
    pub args: Vec<String>,
    /// Environment, `NAME=VALUE` or `NAME`.
    pub envs: Vec<String>,
    pub sha256: Option<Digest>,
}

/// The member of a runtime that defines the function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpecKind {
    #[default]
    Container,
    Exec,
    Starlark,
}

/// A mount of a container.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mount {
    /// `bind`, `volume` or `tmpfs`.
    pub kind: String,
    /// The path on this machine.
    pub source: String,
    /// The path in the container.
    pub target: String,
    pub writable: bool,
}

impl Mount {
    /// True for a file or directory of this machine, the default type of a mount.
    pub fn is_bind(&self) -> bool {
        self.kind.is_empty() || self.kind == "bind"
    }
}

/// A runtime that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct SpecError {
    pub text: String,
    pub mark: Mark,
}

/// A member of a runtime: its kind, its name, and its fields; the first one must not be empty.
type Member = (SpecKind, &'static str, &'static [&'static str]);

const MEMBERS: [Member; 3] = [
    (SpecKind::Container, "container", &["image", "network", "mounts", "envs", "sha256"]),
    (SpecKind::Exec, "exec", &["path", "args", "envs", "sha256"]),
    (SpecKind::Starlark, "starlark", &["path", "url", "uri", "name", "sha256"]),
];

fn member(name: &str) -> Option<&'static Member> {
    MEMBERS.iter().find(|(_, known, _)| *known == name)
}

/// True for the name of a member of a runtime.
pub fn is_runtime_member(name: &str) -> bool {
    member(name).is_some()
}

/// Reads a runtime; `place` is its location in messages.
///
/// # Errors
/// Unknown members or fields, none or more than one member, an empty image or path.
pub fn read_function_spec(node: &Node, place: &str) -> Result<FunctionSpec, SpecError> {
    let mut found = Vec::new();
    for MappingEntry { key, value } in fields(node, place)? {
        let name = key.text().unwrap_or_default();
        match member(name) {
            Some(member) => found.push((member, value)),
            // Accept `deferFailure` without an effect: Kustomize also fails at the end of the
            // function.
            None if name == "deferFailure" => {}
            None => return Err(unknown(place, name, key.mark)),
        }
    }
    let [(member, value)] = found.as_slice() else {
        let kinds = MEMBERS.map(|(_, name, _)| name).join(", ");
        return Err(error(place, &format!(" must set exactly one of {kinds}"), node.mark));
    };
    read_member(member, value, &format!("{place}.{}", member.1))
}

fn read_member(
    (kind, _, known): &Member,
    node: &Node,
    place: &str,
) -> Result<FunctionSpec, SpecError> {
    let mut spec = FunctionSpec { kind: *kind, ..FunctionSpec::default() };
    for MappingEntry { key, value } in fields(node, place)? {
        let field = key.text().unwrap_or_default();
        if !known.contains(&field) {
            return Err(unknown(place, field, key.mark));
        }
        match field {
            "image" | "path" => spec.location = text(value, place, field)?,
            "url" | "uri" => spec.url = text(value, place, "url")?,
            "name" => spec.name = text(value, place, field)?,
            "network" => spec.network = boolean(value, place, field)?,
            "mounts" => {
                let mounts = items(value, place, field)?.iter();
                spec.mounts = mounts.map(|item| mount(item, place)).collect::<Result<_, _>>()?;
            }
            "args" => spec.args = texts(value, place, field)?,
            "envs" => spec.envs = texts(value, place, field)?,
            _ => {
                let digest = Digest::parse(&text(value, place, field)?);
                spec.sha256 = Some(digest.ok_or_else(|| {
                    error(place, ": sha256 must be 64 hexadecimal digits", value.mark)
                })?);
            }
        }
    }
    match (spec.location.trim().is_empty(), spec.url.is_empty()) {
        // An empty value is an error. Kustomize skips the function silently (issue #4399).
        (true, true) => {
            let field = known.first().copied().unwrap_or_default();
            Err(error(place, &format!(".{field} is empty"), node.mark))
        }
        (false, false) => Err(error(place, ": path and url are mutually exclusive", node.mark)),
        _ => Ok(spec),
    }
}

fn mount(node: &Node, place: &str) -> Result<Mount, SpecError> {
    let place = format!("{place}.mounts");
    let mut mount = Mount::default();
    for MappingEntry { key, value } in fields(node, &place)? {
        match key.text().unwrap_or_default() {
            "type" => mount.kind = text(value, &place, "type")?,
            "src" => mount.source = text(value, &place, "src")?,
            "dst" => mount.target = text(value, &place, "dst")?,
            "rw" => mount.writable = boolean(value, &place, "rw")?,
            other => return Err(unknown(&place, other, key.mark)),
        }
    }
    Ok(mount)
}

fn fields<'n>(node: &'n Node, place: &str) -> Result<&'n [MappingEntry], SpecError> {
    match node.as_mapping() {
        Some(mapping) => Ok(&mapping.entries),
        None if node.is_null() => Ok(&[]),
        None => Err(error(place, ": a mapping is expected", node.mark)),
    }
}

fn items<'n>(node: &'n Node, place: &str, field: &str) -> Result<&'n [Node], SpecError> {
    match node.items() {
        Some(items) => Ok(items),
        None if node.is_null() => Ok(&[]),
        None => Err(wrong_type(place, field, "a list", node.mark)),
    }
}

fn texts(node: &Node, place: &str, field: &str) -> Result<Vec<String>, SpecError> {
    items(node, place, field)?.iter().map(|item| text(item, place, field)).collect()
}

fn text(node: &Node, place: &str, field: &str) -> Result<String, SpecError> {
    if node.is_null() {
        return Ok(String::new());
    }
    let text = node.text().map(str::to_owned);
    text.ok_or_else(|| wrong_type(place, field, "a text", node.mark))
}

fn boolean(node: &Node, place: &str, field: &str) -> Result<bool, SpecError> {
    let scalar = node.as_scalar().filter(|scalar| matches!(scalar.tag, Tag::Bool | Tag::None));
    match scalar.map(|scalar| scalar.text.to_ascii_lowercase()).as_deref() {
        Some("true" | "yes" | "on" | "y") => Ok(true),
        Some("false" | "no" | "off" | "n") => Ok(false),
        _ if node.is_null() => Ok(false),
        _ => Err(wrong_type(place, field, "true or false", node.mark)),
    }
}

fn unknown(place: &str, field: &str, mark: Mark) -> SpecError {
    error(place, &format!(": unknown field {field:?}"), mark)
}

fn wrong_type(place: &str, field: &str, expected: &str, mark: Mark) -> SpecError {
    error(place, &format!(".{field}: {expected} is expected"), mark)
}

/// The error of a place; `cause` begins with the separator.
fn error(place: &str, cause: &str, mark: Mark) -> SpecError {
    SpecError { text: format!("{place}{cause}"), mark }
}
