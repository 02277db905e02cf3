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
use crate::answers::{change_text, image_lines};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::line;
use crate::engine::load::{Location, Reference};
use crate::engine::manifest::{
    CATALOG_API_VERSION, CatalogKind, CatalogSchema, Pin, PlatformProgram, Runtime,
};
use crate::engine::plugin::{
    CachedCatalog, CatalogCache, CatalogEntryView, CatalogMatch, CatalogPorts, CatalogView, Danger,
    FileTrust, Implementation, PinPolicy, ResolveContext, Trust, TrustReview, TrustState, review,
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
        CatalogFormat::Text => outside.out.write_all(text(&view, &reference, &trust).as_bytes())?,
        CatalogFormat::Json => {
            print(&mut outside.out, &CatalogReport::from_view(&view), Format::Json)?;
        }
        CatalogFormat::Yaml => {
            print(&mut outside.out, &CatalogReport::from_view(&view), Format::Yaml)?;
        }
    }
    Ok(Exit::OK)
}

fn text(view: &CatalogView, reference: &Reference, trust: &Trust) -> String {
    let mut out = heading_text(view);
    let fetched = view.fetched.as_ref().map(|when| format!("fetched {when}; ")).unwrap_or_default();
    let pinned = if view.is_mutable { "not pinned" } else { "pinned" };
    out.push_str(&line!("Digest     {}   ({fetched}{pinned})\n", view.digest));
    let manifest = view.manifest.map(|manifest| line!("Manifest   {manifest}\n"));
    out.extend(manifest);
    out.push_str(&line!("Signature  {}\n", view.signature));
    let record = trust.record_of(reference);
    let found = review(record, view);
    let state = match &view.trust {
        TrustState::Trusted => "trusted".to_owned(),
        TrustState::Changed { trusted, decided_at } => {
            let when =
                if decided_at.is_empty() { String::new() } else { format!(" on {decided_at}") };
            format!(
                "not trusted    last trusted: {trusted}{when} ({} changes, see below)",
                found.changes.len()
            )
        }
        TrustState::Untrusted => "not trusted".to_owned(),
    };
    out.push_str(&line!("Trust      {state}\n"));
    let publishers = view.publishers().into_iter().map(|(name, count)| {
        let name = if name.is_empty() { "(none)" } else { name };
        format!("{name} ({count})")
    });
    let publishers: Vec<String> = publishers.collect();
    out.push_str(&line!(
        "Functions  {}   publishers, self-declared and not verified: {}\n",
        view.entries.len(),
        publishers.join(", ")
    ));
    for entry in &view.entries {
        out.push('\n');
        out.push_str(&entry_text(entry, view));
    }
    if !view.warnings.is_empty() {
        out.push_str("\nWarnings\n");
    }
    for warning in &view.warnings {
        let (code, subject, oddity) = (warning.oddity.code(), &warning.subject, &warning.oddity);
        let line = line!("  {code}  {subject}: {oddity}\n");
        out.push_str(&line);
    }
    if matches!(view.trust, TrustState::Changed { .. }) {
        out.push_str("\nChanges since it was trusted, the most dangerous first\n");
        out.push_str(&changes_text(&found));
    }
    out.push('\n');
    out.push_str(&line!("To trust exactly this content: {}\n", found.flag));
    if !found.needs.is_empty() {
        out.push_str(&line!("Its functions also request: {}\n", found.needs.join(" ")));
    }
    out
}

fn heading_text(view: &CatalogView) -> String {
    let kind = match view.kind {
        CatalogKind::Catalog => "Catalog",
        CatalogKind::Definition => "KRMFunctionDefinition",
    };
    let name = if view.name.is_empty() { "(no name)" } else { &view.name };
    let mut out = line!("Catalog    {name}    {CATALOG_API_VERSION} {kind}\n");
    if !view.labels.is_empty() {
        let labels = view.labels.iter().map(|(key, value)| format!("{key}={value}"));
        out.push_str(&line!("Labels     {}\n", labels.collect::<Vec<_>>().join(", ")));
    }
    out.push_str(&line!("Source     {}\n", view.reference));
    out
}

fn yes_or_no(asked: bool) -> &'static str {
    if asked { "yes" } else { "no" }
}

fn runtime_text(entry: &CatalogEntryView) -> String {
    let runtime = &entry.version.runtime;
    let mut out = line!("{}   {}\n", entry.id, runtime.word());
    match runtime {
        Runtime::Container(container) => {
            let image = &container.image;
            out.push_str(&line!(
                "    image {image}   {}   network: {}   mounts: {}\n",
                pin_text(container.pin()),
                yes_or_no(entry.network()),
                yes_or_no(entry.mounts())
            ));
        }
        Runtime::Exec(programs) => {
            for program in programs {
                let PlatformProgram { platform, uri, bin, .. } = program;
                let bin = if bin.is_empty() { String::new() } else { format!(" ({bin})") };
                let pin = pin_text(program.pin());
                out.push_str(&line!("    {platform}   {uri}{bin}   {pin}\n"));
            }
        }
        Runtime::Starlark(script) => {
            out.push_str(&line!("    script {}   {}\n", script.uri, pin_text(script.pin())));
        }
    }
    out
}

fn entry_text(entry: &CatalogEntryView, view: &CatalogView) -> String {
    let or_none = |text: &str| if text.is_empty() { "none".to_owned() } else { text.to_owned() };
    let mut out = runtime_text(entry);
    if let Some(signature) = &entry.signature {
        out.push_str(&line!("    image {signature}\n"));
    }
    let image = review_text(&image_lines(entry, &view.reference));
    out.extend(image.lines().map(|line| format!("  {line}\n")));
    out.push_str(&line!("    {}\n", entry.confinement(&view.sandbox)));
    if !entry.function.description.is_empty() {
        out.push_str(&line!("    {}\n", entry.function.description));
    }
    let idempotent = entry.version.idempotent.map_or("not declared", yes_or_no);
    out.push_str(&line!(
        "    publisher {}   maintainers {}   licence {}   idempotent {idempotent}\n",
        or_none(&entry.function.publisher),
        or_none(&entry.version.maintainers.join(", ")),
        or_none(&entry.version.license)
    ));
    let schema = match &entry.version.schema {
        CatalogSchema::Object(_) => "yes",
        CatalogSchema::Uri(_) => "a URI, not fetched",
        CatalogSchema::Missing => "no",
    };
    out.push_str(&line!(
        "    schema {schema}   usage {}   examples {}\n",
        or_none(&entry.version.usage),
        entry.version.examples.len()
    ));
    if !entry.function.home.is_empty() {
        out.push_str(&line!("    home {}\n", entry.function.home));
    }
    if !entry.function.tags.is_empty() {
        out.push_str(&line!("    tags {}\n", entry.function.tags.join(", ")));
    }
    if let Some(other) = &entry.shadowed_by {
        out.push_str(&line!("    SHADOWED by the definition in {other}\n"));
    }
    out
}

fn pin_text(pin: Pin) -> String {
    match pin {
        Pin::Pinned(digest) => format!("pinned {digest}"),
        pin => pin.word().to_owned(),
    }
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
