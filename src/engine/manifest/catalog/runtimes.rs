//! `runtime`: container, exec, starlark (B.1), with the spellings of older drafts of the proposal
//! (B.2).

use crate::diagnostic::{CatalogCause, printable};
use crate::load::{ImageReference, TagClass};
use crate::yaml::{Node, NodeKind};

use super::fields::{CatalogReader, ObjectFields, text_of};
use super::{
    CatalogContainer, CatalogExec, CatalogOddity, CatalogPath, CatalogPlatform, CatalogStarlark,
    Runtimes,
};

/// The operating systems for which a catalog may list binaries.
const SYSTEMS: &[&str] = &["linux", "darwin", "windows"];
const PROCESSORS: &[&str] = &["amd64", "arm64"];

pub(super) fn runtimes(
    mut fields: ObjectFields<'_>,
    subject: &str,
    reader: &mut CatalogReader,
) -> Runtimes {
    let mark = fields.node.mark;
    let runtimes = Runtimes {
        container: fields.get("container").and_then(|node| {
            read_container(
                ObjectFields::from_node(node, fields.path("container"), reader)?,
                subject,
                reader,
            )
        }),
        exec: fields
            .get("exec")
            .and_then(|node| read_exec(node, fields.path("exec"), subject, reader)),
        starlark: fields
            .get("starlark")
            .and_then(|node| read_starlark(node, fields.path("starlark"), subject, reader)),
    };
    let given = [
        runtimes.container.as_ref().map(|_| "container"),
        runtimes.exec.as_ref().map(|_| "exec"),
        runtimes.starlark.as_ref().map(|_| "starlark"),
    ];
    let given: Vec<&str> = given.into_iter().flatten().collect();
    if given.len() > 1 {
        reader.warn(CatalogOddity::Runtimes(given), subject, mark);
    }
    fields.finish(subject, reader);
    runtimes
}

fn read_container(
    mut fields: ObjectFields<'_>,
    subject: &str,
    reader: &mut CatalogReader,
) -> Option<CatalogContainer> {
    let mark = fields.node.mark;
    let image = fields.required_text("image", reader);
    let sha256 = fields.sha256(subject, reader);
    for key in ["mounts", "envs", "env"] {
        if let Some(node) = fields.get(key) {
            reader.report_problem(fields.path(key), CatalogCause::GrantNotAllowed, node.mark);
        }
    }
    let network = ("requireNetwork", "network");
    let network =
        boolean_with_former_name(&mut fields, network, CatalogOddity::Network, subject, reader);
    let storage = ("requireStorageMount", "requireFilesystem");
    let storage =
        boolean_with_former_name(&mut fields, storage, CatalogOddity::Filesystem, subject, reader);
    fields.finish(subject, reader);
    let image = image?;
    if image.chars().any(char::is_whitespace) || image.starts_with('-') {
        // A name that begins with a dash would be an option of the container engine.
        reader.report_problem(subject, CatalogCause::BadImageName(image), mark);
        return None;
    }
    match (ImageReference::parse(&image).tag_class(), sha256) {
        (TagClass::Semver, None) => {
            reader.warn(CatalogOddity::UnpinnedImage(image.clone()), subject, mark);
        }
        (TagClass::Floating, None) => {
            reader.warn(CatalogOddity::Floating(image.clone()), subject, mark);
        }
        _ => {}
    }
    Some(CatalogContainer {
        image,
        sha256,
        require_network: network,
        require_storage_mount: storage,
        mark,
    })
}

/// The boolean under the present or the former name of a field; reports a problem if both are set
/// to different values.
fn boolean_with_former_name(
    fields: &mut ObjectFields<'_>,
    (name, older): (&'static str, &'static str),
    oddity: CatalogOddity,
    subject: &str,
    reader: &mut CatalogReader,
) -> bool {
    let (now, before) = (fields.boolean(name, reader), fields.boolean(older, reader));
    let mark = fields.node.mark;
    if before.is_some() {
        reader.warn(oddity, subject, mark);
    }
    if let (Some(now), Some(before)) = (now, before)
        && now != before
    {
        reader.report_problem(&fields.at, CatalogCause::TwoNames(name, older), mark);
    }
    now.or(before).unwrap_or_default()
}

fn read_exec(
    node: &Node,
    at: String,
    subject: &str,
    reader: &mut CatalogReader,
) -> Option<CatalogExec> {
    let mark = node.mark;
    if let Some(items) = node.items() {
        reader.warn(CatalogOddity::ExecList, subject, mark);
        let mut paths = Vec::new();
        for (index, item) in items.iter().enumerate() {
            if let Some(fields) = ObjectFields::from_node(item, format!("{at}[{index}]"), reader) {
                paths.extend(path(fields, subject, reader));
            }
        }
        if paths.is_empty() {
            reader.report_problem(at, CatalogCause::RequiredOne("platforms"), mark);
        }
        return Some(CatalogExec { paths, mark, ..CatalogExec::default() });
    }
    let mut fields = ObjectFields::from_node(node, at, reader)?;
    let mut exec = CatalogExec { mark, ..CatalogExec::default() };
    if fields.get("path").is_some() {
        reader.warn(CatalogOddity::ExecPath, subject, mark);
        let own = ObjectFields::from_node(node, fields.at.clone(), reader)?;
        let _ = fields.get("sha256");
        exec.paths.extend(path(own, subject, reader));
    }
    let (now, older) = (fields.get("platforms"), fields.get("platform"));
    if older.is_some() {
        reader.warn(CatalogOddity::Platform, subject, mark);
    }
    let (list, key) = now.map_or((older, "platform"), |now| (Some(now), "platforms"));
    let at = fields.path(key);
    let items = list.map_or(&[][..], |list| items_of(list, &at, reader));
    for node in items {
        if let Some(fields) = ObjectFields::from_node(node, at.clone(), reader) {
            exec.platforms.extend(platform(fields, subject, reader));
        }
    }
    if list.is_none_or(Node::is_empty_collection) && exec.paths.is_empty() {
        reader.report_problem(fields.path("platforms"), CatalogCause::Required, mark);
    }
    check_duplicate_platforms(&exec.platforms, subject, reader);
    let is_digest = |uri: &str| uri.starts_with("oci://") && uri.contains("@sha256:");
    let loose = exec.platforms.iter().find(|one| one.sha256.is_none() && !is_digest(&one.uri));
    if let Some(loose) = loose {
        let platform = format!("{}/{}", loose.os, loose.arch);
        reader.warn(CatalogOddity::UnpinnedExec(platform), subject, mark);
    }
    fields.finish(subject, reader);
    Some(exec)
}

/// The items of a list; one object counts as a list of one (B.2 #5).
fn items_of<'a>(list: &'a Node, at: &str, reader: &mut CatalogReader) -> &'a [Node] {
    match list.kind() {
        NodeKind::Mapping => std::slice::from_ref(list),
        NodeKind::Sequence => list.items().unwrap_or_default(),
        NodeKind::Scalar => {
            reader.report_wrong_type(at, "a list", list);
            &[]
        }
    }
}

fn path(
    mut fields: ObjectFields<'_>,
    subject: &str,
    reader: &mut CatalogReader,
) -> Option<CatalogPath> {
    let mark = fields.node.mark;
    let path = fields.required_text("path", reader);
    let sha256 = fields.sha256(subject, reader);
    Some(CatalogPath { path: path?, sha256, mark })
}

fn platform(
    mut fields: ObjectFields<'_>,
    subject: &str,
    reader: &mut CatalogReader,
) -> Option<CatalogPlatform> {
    let mark = fields.node.mark;
    let bin = fields.required_text("bin", reader);
    let os = fields.required_text("os", reader);
    let arch = fields.required_text("arch", reader);
    let uri = fields.required_text("uri", reader);
    let sha256 = fields.sha256(subject, reader);
    for (key, value, known) in [("os", &os, SYSTEMS), ("arch", &arch, PROCESSORS)] {
        if let Some(value) = value
            && !known.contains(&value.as_str())
        {
            let found = value.clone();
            reader.report_problem(fields.path(key), CatalogCause::NotOneOf { known, found }, mark);
        }
    }
    fields.finish(subject, reader);
    Some(CatalogPlatform { bin: bin?, os: os?, arch: arch?, uri: uri?, sha256, mark })
}

fn check_duplicate_platforms(
    platforms: &[CatalogPlatform],
    subject: &str,
    reader: &mut CatalogReader,
) {
    for (index, platform) in platforms.iter().enumerate() {
        let same = |other: &CatalogPlatform| other.os == platform.os && other.arch == platform.arch;
        if platforms.iter().take(index).any(same) {
            let (os, arch) = (&platform.os, &platform.arch);
            let again = CatalogOddity::PlatformTwice(format!("{os}/{arch}"));
            reader.warn(again, subject, platform.mark);
        }
    }
}

/// Reads `runtime.starlark`: a location, or an object with a location (B.2 #7).
fn read_starlark(
    node: &Node,
    at: String,
    subject: &str,
    reader: &mut CatalogReader,
) -> Option<CatalogStarlark> {
    let mark = node.mark;
    let (uri, sha256) = if let Some(text) = text_of(node) {
        (printable(text), None)
    } else {
        let mut fields = ObjectFields::from_node(node, at, reader)?;
        let given: Vec<String> =
            ["uri", "url", "path"].into_iter().filter_map(|key| fields.text(key, reader)).collect();
        let sha256 = fields.sha256(subject, reader);
        let _ = fields.get("name");
        let at = fields.at.clone();
        fields.finish(subject, reader);
        match given.as_slice() {
            [uri] => (uri.clone(), sha256),
            [] => {
                reader.report_problem(at, CatalogCause::RequiredOne("uri or path"), mark);
                return None;
            }
            [..] => {
                reader.report_problem(at, CatalogCause::SeveralScripts, mark);
                return None;
            }
        }
    };
    if looks_like_oci(&uri) {
        reader.warn(CatalogOddity::StarlarkScheme(uri.clone()), subject, mark);
    }
    let is_pinned = sha256.is_some() || uri.contains("@sha256:");
    if !is_pinned && uri.contains("://") {
        reader.warn(CatalogOddity::UnpinnedScript(uri.clone()), subject, mark);
    } else if !is_pinned {
        reader.warn(CatalogOddity::FloatingScript(uri.clone()), subject, mark);
    }
    Some(CatalogStarlark { uri, sha256, mark })
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
