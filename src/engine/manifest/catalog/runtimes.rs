//! `runtime`: container, exec, starlark (B.1), with the spellings of older drafts of the proposal
//! (B.2).

use crate::diagnostic::{CatalogCause, printable};
use crate::load::{ImageReference, TagClass};
use crate::yaml::{Node, NodeKind};

use super::fields::ObjectFields;
use super::{CatalogContainer, CatalogExec, CatalogFile, CatalogOddity, CatalogPlatform, Runtimes};

/// The operating systems for which a catalog may list binaries.
const SYSTEMS: &[&str] = &["linux", "darwin", "windows"];
const PROCESSORS: &[&str] = &["amd64", "arm64"];

pub(super) fn runtimes(mut fields: ObjectFields<'_, '_>) -> Runtimes {
    let container = fields.object("container").and_then(read_container);
    let exec = fields.get("exec").and_then(|node| read_exec(node, &mut fields));
    let starlark = fields.get("starlark").and_then(|node| read_starlark(node, &mut fields));
    let given = [
        container.as_ref().map(|_| "container"),
        exec.as_ref().map(|_| "exec"),
        starlark.as_ref().map(|_| "starlark"),
    ];
    let given: Vec<&str> = given.into_iter().flatten().collect();
    if given.len() > 1 {
        fields.warn(CatalogOddity::Runtimes(given));
    }
    fields.finish();
    Runtimes { container, exec, starlark }
}

fn read_container(mut fields: ObjectFields<'_, '_>) -> Option<CatalogContainer> {
    let mark = fields.node.mark;
    let image = fields.required_text("image");
    let sha256 = fields.sha256();
    for key in ["mounts", "envs", "env"] {
        if let Some(node) = fields.get(key) {
            fields.report(fields.path(key), CatalogCause::GrantNotAllowed, node.mark);
        }
    }
    let mut boolean =
        |name, older, oddity| boolean_with_former_name(&mut fields, name, older, oddity);
    let require_network = boolean("requireNetwork", "network", CatalogOddity::Network);
    let require_storage_mount =
        boolean("requireStorageMount", "requireFilesystem", CatalogOddity::Filesystem);
    fields.finish();
    let image = image?;
    if image.chars().any(char::is_whitespace) || image.starts_with('-') {
        // A name that begins with a dash would be an option of the container engine.
        fields.report(fields.subject.clone(), CatalogCause::BadImageName(image), mark);
        return None;
    }
    match (ImageReference::parse(&image).tag_class(), sha256) {
        (TagClass::Semver, None) => fields.warn(CatalogOddity::UnpinnedImage(image.clone())),
        (TagClass::Floating, None) => fields.warn(CatalogOddity::Floating(image.clone())),
        _ => {}
    }
    Some(CatalogContainer { image, sha256, require_network, require_storage_mount, mark })
}

/// The boolean under the present or the former name of a field; reports a problem if both are set
/// to different values.
fn boolean_with_former_name(
    fields: &mut ObjectFields<'_, '_>,
    name: &'static str,
    older: &'static str,
    oddity: CatalogOddity,
) -> bool {
    let (now, before) = (fields.boolean(name), fields.boolean(older));
    if before.is_some() {
        fields.warn(oddity);
    }
    if let (Some(now), Some(before)) = (now, before)
        && now != before
    {
        let mark = fields.node.mark;
        fields.report(fields.at.clone(), CatalogCause::TwoNames(name, older), mark);
    }
    now.or(before).unwrap_or_default()
}

fn read_exec<'n>(node: &'n Node, runtime: &mut ObjectFields<'n, '_>) -> Option<CatalogExec> {
    let mark = node.mark;
    let at = runtime.path("exec");
    let mut exec = CatalogExec { mark, ..CatalogExec::default() };
    if let Some(items) = node.items() {
        runtime.warn_at(CatalogOddity::ExecList, mark);
        for (index, item) in items.iter().enumerate() {
            exec.paths.extend(runtime.child(item, format!("{at}[{index}]")).and_then(path));
        }
        if exec.paths.is_empty() {
            runtime.report(at, CatalogCause::RequiredOne("platforms"), mark);
        }
        return Some(exec);
    }
    let mut fields = runtime.child(node, at)?;
    if fields.get("path").is_some() {
        fields.warn(CatalogOddity::ExecPath);
        fields.get("sha256");
        let own = fields.child(node, fields.at.clone())?;
        exec.paths.extend(path(own));
    }
    let (now, older) = (fields.get("platforms"), fields.get("platform"));
    if older.is_some() {
        fields.warn(CatalogOddity::Platform);
    }
    let (list, key) = now.map_or((older, "platform"), |now| (Some(now), "platforms"));
    // One object counts as a list of one (B.2 #5).
    let items = list.map_or(&[][..], |list| match list.kind() {
        NodeKind::Mapping => std::slice::from_ref(list),
        _ => fields.items(key, list).unwrap_or_default(),
    });
    for node in items {
        exec.platforms.extend(fields.child(node, fields.path(key)).and_then(platform));
    }
    if list.is_none_or(Node::is_empty_collection) && exec.paths.is_empty() {
        fields.report(fields.path("platforms"), CatalogCause::Required, mark);
    }
    warn_of_duplicate_platforms(&exec.platforms, &mut fields);
    let is_digest = |uri: &str| uri.starts_with("oci://") && uri.contains("@sha256:");
    let loose = exec.platforms.iter().find(|one| one.sha256.is_none() && !is_digest(&one.uri));
    if let Some(loose) = loose {
        fields.warn(CatalogOddity::UnpinnedExec(format!("{}/{}", loose.os, loose.arch)));
    }
    fields.finish();
    Some(exec)
}

fn path(mut fields: ObjectFields<'_, '_>) -> Option<CatalogFile> {
    let path = fields.required_text("path");
    let sha256 = fields.sha256();
    Some(CatalogFile { uri: path?, sha256, mark: fields.node.mark })
}

fn platform(mut fields: ObjectFields<'_, '_>) -> Option<CatalogPlatform> {
    let mark = fields.node.mark;
    let [bin, os, arch, uri] = ["bin", "os", "arch", "uri"].map(|key| fields.required_text(key));
    let sha256 = fields.sha256();
    for (key, value, known) in [("os", &os, SYSTEMS), ("arch", &arch, PROCESSORS)] {
        if let Some(value) = value
            && !known.contains(&value.as_str())
        {
            let found = value.clone();
            fields.report(fields.path(key), CatalogCause::NotOneOf { known, found }, mark);
        }
    }
    fields.finish();
    Some(CatalogPlatform { bin: bin?, os: os?, arch: arch?, uri: uri?, sha256, mark })
}

fn warn_of_duplicate_platforms(platforms: &[CatalogPlatform], fields: &mut ObjectFields<'_, '_>) {
    for (index, platform) in platforms.iter().enumerate() {
        let same = |other: &CatalogPlatform| other.os == platform.os && other.arch == platform.arch;
        if platforms.iter().take(index).any(same) {
            let again = CatalogOddity::PlatformTwice(format!("{}/{}", platform.os, platform.arch));
            fields.warn_at(again, platform.mark);
        }
    }
}

/// Reads `runtime.starlark`: a location, or an object with a location (B.2 #7).
fn read_starlark<'n>(node: &'n Node, runtime: &mut ObjectFields<'n, '_>) -> Option<CatalogFile> {
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
            [] => Some(CatalogCause::RequiredOne("uri or path")),
            [..] => Some(CatalogCause::SeveralScripts),
        };
        if let Some(cause) = cause {
            fields.report(fields.at.clone(), cause, mark);
            return None;
        }
        (given.concat(), sha256)
    };
    if looks_like_oci(&uri) {
        runtime.warn_at(CatalogOddity::StarlarkScheme(uri.clone()), mark);
    }
    if sha256.is_none() && !uri.contains("@sha256:") {
        let unpinned = if uri.contains("://") {
            CatalogOddity::UnpinnedScript
        } else {
            CatalogOddity::FloatingScript
        };
        runtime.warn_at(unpinned(uri.clone()), mark);
    }
    Some(CatalogFile { uri, sha256, mark })
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
