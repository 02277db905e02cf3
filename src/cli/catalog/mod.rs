//! `kzui view catalog` and `kzui catalog`: show, cache, check and pin catalogs. None needs trust or
//! runs a program (B.10).

mod lint;
mod lock;
mod pin;
mod push;

pub(super) use lint::lint;
pub(super) use lock::{LockChange, print_outdated};
pub(super) use pin::pin;
pub(super) use push::push;

use std::sync::Arc;

use crate::answers::report::CatalogReport;
use crate::answers::{CatalogReview, change_text};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::line;
use crate::engine::load::{Location, Reference};
use crate::engine::plugin::{
    CachedCatalog, CatalogCache, CatalogMatch, CatalogPorts, CatalogView, Danger, FileTrust,
    Implementation, PinPolicy, ResolveContext, Trust, TrustReview,
};
use crate::engine::resource::{Gvk, ResId};
use crate::engine::yaml::Node;

use super::document::print;
use super::review_text::review_text;
use super::{CatalogFetch, CatalogFormat, CliPorts, Exit, Format, ViewCatalog};

pub(super) fn open(
    text: &str,
    outside: &CliPorts<'_>,
) -> Result<(Reference, Arc<CachedCatalog>), String> {
    let reference = Reference::parse(text, &outside.current).map_err(|error| error.to_string())?;
    open_reference(&reference, text, outside).map_err(|error| match &reference.location {
        // The catalog that KEP-2906 calls official.
        _ if text == "official" => {
            let help = "there is no official catalog: name a file, a folder, a URL or a registry";
            format!("{error}; {help}")
        }
        Location::File(path) if outside.ports.files.resolve(&path.join("oci-layout")).is_ok() => {
            format!("{error}; the folder is an OCI layout: write oci-layout:{text}")
        }
        _ => error,
    })
}

/// Reads the catalog at a reference; `text` is the reference as written, for messages.
fn open_reference(
    reference: &Reference,
    text: &str,
    outside: &CliPorts<'_>,
) -> Result<(Reference, Arc<CachedCatalog>), String> {
    let files = &*outside.ports.files;
    let not_read = |error: String| format!("catalog '{text}' could not be read: {error}");
    let reference = reference.resolved(files).map_err(|error| not_read(error.to_string()))?;
    let opened = CatalogCache::default().open(&reference, None, catalog_ports(outside));
    let opened = opened.map_err(|error| not_read(error.to_string()))?;
    Ok((reference, opened))
}

fn catalog_ports<'a>(outside: &'a CliPorts<'_>) -> CatalogPorts<'a> {
    CatalogPorts { files: &*outside.ports.files, artifacts: outside.ports.remote.artifacts() }
}

/// The facts about an open catalog with the contents of its images, which are fetched if the command
/// may fetch: the user named the catalog.
pub(super) fn catalog_view_with_images(
    reference: &Reference,
    opened: &CachedCatalog,
    trust: &Trust,
    outside: &CliPorts<'_>,
) -> CatalogView {
    let ports = catalog_ports(outside);
    CatalogView::new(reference, opened, trust, ports).with_images(reference, trust, ports)
}

pub(super) fn view(arguments: &ViewCatalog, outside: &mut CliPorts<'_>) -> CommandResult {
    let signers = &arguments.require_signature;
    let trust = super::options::trust(&arguments.trusted_catalog, signers, outside)?;
    let trust = Trust { sandbox: (outside.trust.sandbox)(), ..trust };
    let (reference, opened) = open(&arguments.reference, outside).map_err(Failure::failed)?;
    let view = catalog_view_with_images(&reference, &opened, &trust, outside);
    match arguments.output {
        CatalogFormat::Text => {
            let lines = CatalogReview::new(view, &trust, Vec::new()).view_lines();
            outside.out.write_all(review_text(&lines).as_bytes())?;
        }
        CatalogFormat::Json => {
            print(&mut outside.out, &CatalogReport::from_view(&view), Format::Json)?;
        }
        CatalogFormat::Yaml => {
            print(&mut outside.out, &CatalogReport::from_view(&view), Format::Yaml)?;
        }
    }
    Ok(Exit::OK)
}

/// Fetches catalogs into the cache for later builds, and with `--with-functions` also their scripts
/// and binaries.
pub(super) fn fetch(arguments: &CatalogFetch, outside: &mut CliPorts<'_>) -> CommandResult {
    let mut exit = Exit::OK;
    for text in &arguments.references {
        match open(text, outside) {
            Ok((_, opened)) => {
                writeln!(outside.out, "{text}  {}", opened.artifact.digest)?;
                if arguments.with_functions && !fetch_functions(&opened, outside)? {
                    exit = Exit::FAILED;
                }
            }
            Err(reason) => {
                writeln!(outside.err, "error: {reason}")?;
                exit = Exit::FAILED;
            }
        }
    }
    Ok(exit)
}

/// Fetches the scripts and binaries of a catalog; false if one of them is refused.
fn fetch_functions(
    opened: &Arc<CachedCatalog>,
    outside: &mut CliPorts<'_>,
) -> std::io::Result<bool> {
    let mut all = true;
    for function in &opened.catalog.functions {
        for version in &function.versions {
            // A fetch reads the files and runs no program.
            let files = FileTrust::AnyContent;
            let found = CatalogMatch { files, ..CatalogMatch::new(opened, function, version) };
            let gvk = Gvk {
                group: function.group.as_str().into(),
                version: version.name.as_str().into(),
                kind: function.kind.as_str().into(),
            };
            let remote = outside.ports.remote.clone();
            let making = ResolveContext {
                id: &ResId { gvk, ..ResId::default() },
                config: &Node::mapping(),
                directory: &outside.current,
                policy: PinPolicy { allow_unpinned: true, require_pinned: false },
                ports: CatalogPorts { files: &*outside.ports.files, artifacts: remote.artifacts() },
                found: &found,
            };
            let shown = match making.load_implementation(&mut Vec::new()) {
                Ok(Implementation::Container { image, .. }) => {
                    format!("{image}: not cached here, the container engine fetches images")
                }
                Ok(Implementation::Exec { digest, .. }) => format!("sha256:{digest}"),
                Ok(Implementation::Starlark { name, .. }) => name,
                Err(refusal) => {
                    writeln!(outside.err, "error: {refusal}")?;
                    all = false;
                    continue;
                }
            };
            writeln!(outside.out, "  {}  {shown}", function.id(version))?;
        }
    }
    Ok(all)
}

pub(super) fn changes_text(review: &TrustReview) -> String {
    let mut out = String::new();
    for change in &review.changes {
        let word = match change.danger {
            Danger::Permission => "MORE",
            Danger::Runtime => "RUNS",
            Danger::Code => "CODE",
            Danger::Added => "NEW",
            Danger::Publisher => "WHO",
            Danger::Schema => "SCHEMA",
            Danger::Reduction => "LESS",
        };
        out.push_str(&line!("  {word:6}  {}\n", change_text(change)));
    }
    out
}
