//! Decodes the runtime of a function from a tree; unknown fields are errors.

use crate::diagnostic::{RuntimeCause, RuntimeFault};
use crate::yaml::{MappingEntry, Mark, Node, Tag};

use super::{ContainerSpec, ExecSpec, FunctionSpec, Mount, RUNTIME_KINDS, SpecError, StarlarkSpec};

/// Reads a runtime; `place` is its location in messages.
pub(super) fn runtime(node: &Node, place: &str) -> Result<FunctionSpec, SpecError> {
    let mut found = Vec::new();
    for MappingEntry { key, value } in fields(node, place)? {
        match key.text().unwrap_or_default() {
            name if RUNTIME_KINDS.contains(&name) => found.push((name, value)),
            // Accept `deferFailure` without an effect: Kustomize also fails at the end of the
            // function.
            "deferFailure" => {}
            other => return Err(unknown(place, other, key.mark)),
        }
    }
    let [(name, value)] = found.as_slice() else {
        return Err(error(place, RuntimeCause::NotExactlyOne(RUNTIME_KINDS), node.mark));
    };
    let place = format!("{place}.{name}");
    match *name {
        "container" => container(value, &place).map(FunctionSpec::Container),
        "exec" => exec(value, &place).map(FunctionSpec::Exec),
        _ => starlark(value, &place).map(FunctionSpec::Starlark),
    }
}

fn container(node: &Node, place: &str) -> Result<ContainerSpec, SpecError> {
    let mut spec = ContainerSpec::default();
    for MappingEntry { key, value } in fields(node, place)? {
        match key.text().unwrap_or_default() {
            "image" => spec.image = text(value, place, "image")?,
            "network" => spec.network = boolean(value, place, "network")?,
            "mounts" => {
                let mounts = items(value, place, "mounts")?.iter();
                spec.mounts = mounts.map(|item| mount(item, place)).collect::<Result<_, _>>()?;
            }
            "envs" => spec.envs = texts(value, place, "envs")?,
            "sha256" => spec.sha256 = Some(digest(value, place)?),
            other => return Err(unknown(place, other, key.mark)),
        }
    }
    require_nonempty(&spec.image, place, "image", node.mark)?;
    Ok(spec)
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

fn exec(node: &Node, place: &str) -> Result<ExecSpec, SpecError> {
    let mut spec = ExecSpec::default();
    for MappingEntry { key, value } in fields(node, place)? {
        match key.text().unwrap_or_default() {
            "path" => spec.path = text(value, place, "path")?,
            "args" => spec.args = texts(value, place, "args")?,
            "envs" => spec.envs = texts(value, place, "envs")?,
            "sha256" => spec.sha256 = Some(digest(value, place)?),
            other => return Err(unknown(place, other, key.mark)),
        }
    }
    require_nonempty(&spec.path, place, "path", node.mark)?;
    Ok(spec)
}

fn starlark(node: &Node, place: &str) -> Result<StarlarkSpec, SpecError> {
    let mut spec = StarlarkSpec::default();
    for MappingEntry { key, value } in fields(node, place)? {
        match key.text().unwrap_or_default() {
            "path" => spec.path = text(value, place, "path")?,
            "url" | "uri" => spec.url = text(value, place, "url")?,
            "name" => spec.name = text(value, place, "name")?,
            "sha256" => spec.sha256 = Some(digest(value, place)?),
            other => return Err(unknown(place, other, key.mark)),
        }
    }
    match (spec.path.is_empty(), spec.url.is_empty()) {
        (true, true) => Err(error(place, RuntimeCause::Empty("path"), node.mark)),
        (false, false) => Err(error(place, RuntimeCause::PathAndUrl, node.mark)),
        _ => Ok(spec),
    }
}

fn fields<'n>(node: &'n Node, place: &str) -> Result<&'n [MappingEntry], SpecError> {
    match node.as_mapping() {
        Some(mapping) => Ok(&mapping.entries),
        None if node.is_null() => Ok(&[]),
        None => Err(error(place, RuntimeCause::NoMapping, node.mark)),
    }
}

fn items<'n>(node: &'n Node, place: &str, field: &'static str) -> Result<&'n [Node], SpecError> {
    match node.items() {
        Some(items) => Ok(items),
        None if node.is_null() => Ok(&[]),
        None => Err(wrong_type(place, field, "a list", node.mark)),
    }
}

fn texts(node: &Node, place: &str, field: &'static str) -> Result<Vec<String>, SpecError> {
    items(node, place, field)?.iter().map(|item| text(item, place, field)).collect()
}

fn text(node: &Node, place: &str, field: &'static str) -> Result<String, SpecError> {
    if node.is_null() {
        return Ok(String::new());
    }
    let text = node.text().map(str::to_owned);
    text.ok_or_else(|| wrong_type(place, field, "a text", node.mark))
}

fn boolean(node: &Node, place: &str, field: &'static str) -> Result<bool, SpecError> {
    let scalar = node.as_scalar().filter(|scalar| matches!(scalar.tag, Tag::Bool | Tag::None));
    match scalar.map(|scalar| scalar.text.to_ascii_lowercase()).as_deref() {
        Some("true" | "yes" | "on" | "y") => Ok(true),
        Some("false" | "no" | "off" | "n") => Ok(false),
        _ if node.is_null() => Ok(false),
        _ => Err(wrong_type(place, field, "true or false", node.mark)),
    }
}

/// Reads a digest: 64 hexadecimal digits, with or without `sha256:` before them (B.6).
fn digest(node: &Node, place: &str) -> Result<String, SpecError> {
    let written = text(node, place, "sha256")?;
    let digits = written.strip_prefix("sha256:").unwrap_or(&written).to_ascii_lowercase();
    if digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(digits);
    }
    Err(error(place, RuntimeCause::BadDigest, node.mark))
}

fn require_nonempty(
    value: &str,
    place: &str,
    field: &'static str,
    mark: Mark,
) -> Result<(), SpecError> {
    if value.trim().is_empty() {
        // An empty value is an error. Kustomize skips the function silently (issue #4399).
        return Err(error(place, RuntimeCause::Empty(field), mark));
    }
    Ok(())
}

fn unknown(place: &str, field: &str, mark: Mark) -> SpecError {
    error(place, RuntimeCause::UnknownField(field.to_owned()), mark)
}

fn wrong_type(place: &str, field: &'static str, expected: &'static str, mark: Mark) -> SpecError {
    error(place, RuntimeCause::WrongType { field, expected }, mark)
}

pub(super) fn error(place: &str, cause: RuntimeCause, mark: Mark) -> SpecError {
    SpecError { fault: RuntimeFault { place: place.to_owned(), cause }, mark }
}
