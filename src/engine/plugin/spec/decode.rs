//! Decodes the runtime of a function from a tree; unknown fields are errors.

use crate::load::Digest;
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
        let kinds = RUNTIME_KINDS.join(", ");
        return Err(error(place, &format!(" must set exactly one of {kinds}"), node.mark));
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
        (true, true) => Err(error(place, ".path is empty", node.mark)),
        (false, false) => Err(error(place, ": path and url are mutually exclusive", node.mark)),
        _ => Ok(spec),
    }
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

/// Reads a digest: 64 hexadecimal digits, with or without `sha256:` before them (B.6).
fn digest(node: &Node, place: &str) -> Result<Digest, SpecError> {
    let digest = Digest::parse(&text(node, place, "sha256")?);
    digest.ok_or_else(|| error(place, ": sha256 must be 64 hexadecimal digits", node.mark))
}

fn require_nonempty(value: &str, place: &str, field: &str, mark: Mark) -> Result<(), SpecError> {
    if value.trim().is_empty() {
        // An empty value is an error. Kustomize skips the function silently (issue #4399).
        return Err(error(place, &format!(".{field} is empty"), mark));
    }
    Ok(())
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
