//! `runtime`: container, exec, starlark (B.1), with the spellings of older drafts of the proposal
//! (B.2).

use crate::diagnostic::printable;
use crate::load::{ImageReference, TagClass};
use crate::yaml::{Node, NodeKind};

use super::fields::{ObjectFields, REQUIRED};
use super::{
    ANY_PLATFORM, CatalogContainer, CatalogOddity, CatalogScript, PlatformProgram, Runtime,
};

const SYSTEMS: &[&str] = &["linux", "darwin", "windows"];
const PROCESSORS: &[&str] = &["amd64", "arm64"];

pub(super) fn runtime(mut fields: ObjectFields<'_, '_>) -> Option<Runtime> {
    let container = fields.object("container").and_then(read_container);
    let exec = fields.get("exec").and_then(|node| read_exec(node, &mut fields));
    let starlark = fields.get("starlark").and_then(|node| read_starlark(node, &mut fields));
    let container = container.map(Runtime::Container);
    let (exec, starlark) = (exec.map(Runtime::Exec), starlark.map(Runtime::Starlark));
    let given: Vec<Runtime> = [container, exec, starlark].into_iter().flatten().collect();
    if given.len() > 1 {
        // D-B3
        let words: Vec<&str> = given.iter().map(Runtime::word).collect();
        let text = format!("runtimes {}: {} is used", words.join(", "), words[0]);
        fields.warn_of("CAT-RUNTIMES", &text);
    }
    fields.finish();
    given.into_iter().next()
}

fn read_container(mut fields: ObjectFields<'_, '_>) -> Option<CatalogContainer> {
    let mark = fields.node.mark;
    let image = fields.required_text("image");
    let sha256 = fields.sha256();
    for key in ["mounts", "envs", "env"] {
        if let Some(node) = fields.get(key) {
            let cause =
                "catalog entries cannot grant mounts or environment; use requireStorageMount";
            fields.report_field(key, cause, node.mark);
        }
    }
    let mut boolean = |name, older, code| boolean_with_former_name(&mut fields, name, older, code);
    let require_network = boolean("requireNetwork", "network", "CAT-NETWORK");
    let require_storage_mount =
        boolean("requireStorageMount", "requireFilesystem", "CAT-FILESYSTEM");
    fields.finish();
    let image = image?;
    if image.chars().any(char::is_whitespace) || image.starts_with('-') {
        // A name that begins with a dash would be an option of the container engine.
        let cause = format!("{image:?} is not an image name");
        fields.report(&fields.subject.clone(), &cause, mark);
        return None;
    }
    match (ImageReference::parse(&image).tag_class(), sha256) {
        // B.2 #28
        (TagClass::Semver, None) => {
            let after = " has a version tag but no sha256";
            fields.warn(CatalogOddity::of_text("CAT-UNPINNED", "image ", &image, after));
        }
        // B.6
        (TagClass::Floating, None) => {
            let after = " is not pinned";
            fields.warn(CatalogOddity::of_text("CAT-FLOATING", "image ", &image, after));
        }
        _ => {}
    }
    Some(CatalogContainer { image, sha256, require_network, require_storage_mount, mark })
}

/// The boolean under the present or the former name of a field (B.2 #6, #24); reports a problem if
/// both are set to different values.
fn boolean_with_former_name(
    fields: &mut ObjectFields<'_, '_>,
    name: &'static str,
    older: &'static str,
    code: &'static str,
) -> bool {
    let (now, before) = (fields.boolean(name), fields.boolean(older));
    if before.is_some() {
        fields.warn_of(code, &format!("{older} is read as {name}"));
    }
    if let (Some(now), Some(before)) = (now, before)
        && now != before
    {
        let mark = fields.node.mark;
        fields.report_here(&format!("{name} and {older} differ; keep {name}"), mark);
    }
    now.or(before).unwrap_or_default()
}

fn read_exec<'n>(
    node: &'n Node,
    runtime: &mut ObjectFields<'n, '_>,
) -> Option<Vec<PlatformProgram>> {
    let mark = node.mark;
    let at = runtime.path("exec");
    let mut programs = Vec::new();
    if let Some(items) = node.items() {
        let text = "exec is a list of paths; it is an object with platforms".to_owned();
        runtime.warn_at(CatalogOddity::Other("CAT-EXEC-PATH", text), mark);
        for (index, item) in items.iter().enumerate() {
            programs.extend(runtime.child(item, format!("{at}[{index}]")).and_then(path));
        }
        if programs.is_empty() {
            runtime.report(&at, "required: platforms", mark);
        }
        return Some(programs);
    }
    let mut fields = runtime.child(node, at)?;
    if fields.get("path").is_some() {
        fields.warn_of("CAT-EXEC-PATH", "exec.path is read as a local file");
        fields.get("sha256");
        let own = fields.child(node, fields.at.clone())?;
        programs.extend(path(own));
    }
    let (now, older) = (fields.get("platforms"), fields.get("platform"));
    if older.is_some() {
        fields.warn_of("CAT-PLATFORM", "platform is read as platforms");
    }
    let (list, key) = now.map_or((older, "platform"), |now| (Some(now), "platforms"));
    // One object counts as a list of one (B.2 #5).
    let items = list.map_or(&[][..], |list| match list.kind() {
        NodeKind::Mapping => std::slice::from_ref(list),
        _ => fields.items(key, list).unwrap_or_default(),
    });
    if list.is_none_or(Node::is_empty_collection) && programs.is_empty() {
        fields.report_field("platforms", REQUIRED, mark);
    }
    let first = programs.len();
    for node in items {
        programs.extend(fields.child(node, fields.path(key)).and_then(platform));
    }
    let listed = &programs[first..];
    warn_of_duplicate_platforms(listed, &mut fields);
    let is_digest = |uri: &str| uri.starts_with("oci://") && uri.contains("@sha256:");
    let loose = listed.iter().find(|one| one.sha256.is_none() && !is_digest(&one.uri));
    if let Some(loose) = loose {
        fields.warn(without_digest("exec for ", &loose.platform));
    }
    fields.finish();
    Some(programs)
}

fn path(mut fields: ObjectFields<'_, '_>) -> Option<PlatformProgram> {
    let path = fields.required_text("path");
    let sha256 = fields.sha256();
    let (bin, platform, mark) = (String::new(), ANY_PLATFORM.to_owned(), fields.node.mark);
    Some(PlatformProgram { bin, platform, uri: path?, sha256, mark })
}

fn platform(mut fields: ObjectFields<'_, '_>) -> Option<PlatformProgram> {
    let mark = fields.node.mark;
    let [bin, os, arch, uri] = ["bin", "os", "arch", "uri"].map(|key| fields.required_text(key));
    let sha256 = fields.sha256();
    for (key, value, known) in [("os", &os, SYSTEMS), ("arch", &arch, PROCESSORS)] {
        if let Some(value) = value
            && !known.contains(&value.as_str())
        {
            let cause = format!("expected one of {}, got {value:?}", known.join(", "));
            fields.report_field(key, &cause, mark);
        }
    }
    fields.finish();
    let (bin, platform) = (bin?, format!("{}/{}", os?, arch?));
    Some(PlatformProgram { bin, platform, uri: uri?, sha256, mark })
}

/// Warns of platforms that are listed again; the first is used (B.8).
fn warn_of_duplicate_platforms(platforms: &[PlatformProgram], fields: &mut ObjectFields<'_, '_>) {
    for (index, platform) in platforms.iter().enumerate() {
        let name = &platform.platform;
        if platforms.iter().take(index).any(|other| other.platform == *name) {
            let after = " is listed twice; the first is used";
            let again = CatalogOddity::of_text("CAT-PLATFORM-TWICE", "", name, after);
            fields.warn_at(again, platform.mark);
        }
    }
}

/// Reads `runtime.starlark`: a location, or an object with a location (B.2 #7).
fn read_starlark<'n>(node: &'n Node, runtime: &mut ObjectFields<'n, '_>) -> Option<CatalogScript> {
    let mark = node.mark;
    let (uri, sha256) = if let Some(text) = node.text() {
        (printable(text), None)
    } else {
        let mut fields = runtime.child(node, runtime.path("starlark"))?;
        let given: Vec<String> =
            ["uri", "url", "path"].into_iter().filter_map(|key| fields.text(key)).collect();
        let sha256 = fields.sha256();
        fields.get("name");
        fields.finish();
        let cause = match given.as_slice() {
            [_] => None,
            [] => Some("required: uri or path"),
            [..] => Some("set one of uri, url and path"),
        };
        if let Some(cause) = cause {
            fields.report_here(cause, mark);
            return None;
        }
        (given.concat(), sha256)
    };
    if looks_like_oci(&uri) {
        let after = " is read as a plain HTTPS file; did you mean oci://…?";
        runtime.warn_at(CatalogOddity::of_text("CAT-STARLARK-SCHEME", "", &uri, after), mark);
    }
    if sha256.is_none() && !uri.contains("@sha256:") {
        let unpinned = if uri.contains("://") {
            without_digest("script ", &uri)
        } else {
            CatalogOddity::FloatingScript(uri.clone())
        };
        runtime.warn_at(unpinned, mark);
    }
    Some(CatalogScript { uri, sha256 })
}

/// The oddity of a program or script that does not run without a digest.
fn without_digest(before: &str, text: &str) -> CatalogOddity {
    let after = " has no sha256: it cannot run until the catalog gives one";
    CatalogOddity::of_text("CAT-UNPINNED", before, text, after)
}

/// True for a text such as `https://host/path/name:tag`: an HTTP scheme before an image reference
/// (B.2 #8).
fn looks_like_oci(uri: &str) -> bool {
    let Some(rest) = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://")) else {
        return false;
    };
    let last = rest.rsplit('/').next().unwrap_or_default();
    rest.contains('/') && last.contains(':') && !last.contains(['?', '='])
}
