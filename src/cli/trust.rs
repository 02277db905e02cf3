//! `kzui trust`: the decisions about catalogs (B.11).

use std::path::PathBuf;

use crate::answers::{CatalogReview, FunctionInput, function_inputs, offline_ports};
use crate::cli::failure::{CommandResult, Failure};
use crate::engine::load::Reference;
use crate::engine::plugin::{CatalogView, Trust, TrustRecord, TrustScope, TrustState};
use crate::repository::{ReferenceEntry, UseKind, build_targets_separately};

use super::catalog::{LockChange, catalog_view_with_images, changes_text, open};
use super::review_text::review_text;
use super::{BuildFlags, CliPorts, Exit, TrustAdd, TrustCommand};

pub(super) fn run(command: &TrustCommand, outside: &mut CliPorts<'_>) -> CommandResult {
    let signers = match command {
        TrustCommand::Add(TrustAdd { require_signature, .. })
        | TrustCommand::Diff { require_signature, .. } => require_signature.as_slice(),
        TrustCommand::List | TrustCommand::Remove { .. } => &[],
    };
    let trust = super::options::trust(&[], signers, outside).map_err(Failure::failed)?;
    let trust = Trust { sandbox: (outside.trust.sandbox)(), ..trust };
    match command {
        TrustCommand::List => list(&trust, outside),
        TrustCommand::Add(arguments) => add(arguments, &trust, outside),
        TrustCommand::Remove { reference } => remove(reference, &trust, outside),
        TrustCommand::Diff { reference, .. } => diff(reference, &trust, outside),
    }
}

fn list(trust: &Trust, outside: &mut CliPorts<'_>) -> CommandResult {
    let mut shown: indexmap::IndexMap<&str, &TrustRecord> = indexmap::IndexMap::new();
    for record in &trust.records {
        shown.insert(&record.reference, record);
    }
    shown.retain(|_, record| record.scope != TrustScope::Revoked);
    if shown.is_empty() && trust.preferences.is_empty() {
        writeln!(outside.err, "no trusted catalogs; `kzui trust add REF` trusts one")?;
    }
    for record in shown.values() {
        let TrustRecord { reference, digest, decided_at, scope, .. } = record;
        writeln!(outside.out, "{reference}  {}  {digest}  {decided_at}", scope.word())?;
    }
    for trusted in &trust.preferences {
        writeln!(outside.out, "{}  preference", trusted.written)?;
    }
    Ok(Exit::OK)
}

/// Shows the review, asks, and keeps the decision. The decision is about the bytes of the review.
fn add(arguments: &TrustAdd, trust: &Trust, outside: &mut CliPorts<'_>) -> CommandResult {
    if !outside.trust.allows_additions {
        return Err(Failure::failed("this kzui does not allow additional trusted catalogs"));
    }
    let (reference, opened) = open(&arguments.reference, outside).map_err(Failure::failed)?;
    let view = catalog_view_with_images(&reference, &opened, trust, outside);
    let inputs = catalog_function_inputs(&reference, &view, outside);
    let locked = LockChange::locked_signer(&reference, outside).map_err(Failure::failed)?;
    let found = CatalogReview::new(view, trust, inputs).with_locked_signer_change(locked.as_ref());
    outside.out.write_all(review_text(&found.lines()).as_bytes())?;
    let reviewer = arguments.reviewer.as_ref().unwrap_or(&outside.trust.user);
    let lock = LockChange::plan(&found, &reference, arguments.lock, reviewer, outside)
        .map_err(Failure::failed)?;
    let changes = lock.as_ref().map(LockChange::lines).unwrap_or_default();
    outside.out.write_all(review_text(&changes).as_bytes())?;
    outside.out.flush()?;
    if !trust.signers.is_empty() && found.view.signature.signer().is_none() {
        let CatalogView { reference, signature, .. } = &found.view;
        return Err(Failure::failed(format!("signature required for '{reference}': {signature}")));
    }
    request_agreement(&found, arguments, outside)?;
    let scope = if arguments.any_content { TrustScope::Reference } else { TrustScope::Digest };
    let record = found.view.record(scope, &(outside.trust.now)());
    outside.trust.store.append(&record).map_err(Failure::failed)?;
    writeln!(outside.out, "trusted: {} ({})", found.view.normalised, scope.word())?;
    lock.map_or(Ok(()), |lock| lock.write(outside)).map_err(Failure::failed)?;
    Ok(Exit::OK)
}

/// Asks for the decision, unless the command line gives it.
fn request_agreement(
    found: &CatalogReview,
    given: &TrustAdd,
    outside: &CliPorts<'_>,
) -> Result<(), Failure> {
    if let Some(change) = found.first_new_permission()
        && given.widened.as_ref() != Some(&change.function)
    {
        let function = &change.function;
        let wider = if change.is_signer() {
            format!("{function} has another signer than before ({})", change.after)
        } else {
            format!("{function} requests more permissions than before ({})", change.what)
        };
        let question = format!("\n{wider}. To agree, type its name: ");
        return match (outside.trust.ask)(&question)? {
            Some(typed) if typed == *function => Ok(()),
            Some(_) => Err(Failure::failed("not the name of the function: not trusted")),
            None => Err(Failure::failed(format!("{wider}; to agree, add --widened='{function}'"))),
        };
    }
    if given.yes {
        return Ok(());
    }
    let question = if given.any_content {
        "\nTrust this reference with any content, now and later? [y/N] "
    } else {
        "\nTrust this content? [y/N] "
    };
    match (outside.trust.ask)(question)? {
        Some(typed) if ["y", "yes"].contains(&typed.to_lowercase().as_str()) => Ok(()),
        Some(_) => Err(Failure::failed("not trusted")),
        None => {
            Err(Failure::failed("not trusted: without a terminal, --yes agrees to this review"))
        }
    }
}

/// The input of the functions in the targets of the repository that list the catalog; empty if the
/// repository cannot be read. Runs and fetches no content.
fn catalog_function_inputs(
    reference: &Reference,
    view: &CatalogView,
    outside: &CliPorts<'_>,
) -> Vec<FunctionInput> {
    let Ok((repository, ports)) = super::repository::open(None, None, outside) else {
        return Vec::new();
    };
    let ports = offline_ports(&ports, ports.files.clone());
    let normalised = reference.normalised();
    let lists_it = |entry: &ReferenceEntry| {
        let folder = entry.file.parent().unwrap_or(&repository.root);
        entry.kind == UseKind::Catalog
            && Reference::parse(&entry.text, folder).is_ok_and(|found| {
                found.resolved(&*ports.files).unwrap_or(found).normalised() == normalised
            })
    };
    let targets = repository.targets().filter(|target| target.uses.iter().any(lists_it));
    let targets: Vec<PathBuf> = targets.map(|target| target.folder.clone()).collect();
    let Ok(options) = super::options::repository_options(&BuildFlags::default(), outside) else {
        return Vec::new();
    };
    let inputs = build_targets_separately(&targets, &options, &ports, |folder, evaluation| {
        function_inputs(&evaluation.trace, view, &repository.shown(folder))
    });
    inputs.into_iter().flatten().collect()
}

fn remove(text: &str, trust: &Trust, outside: &mut CliPorts<'_>) -> CommandResult {
    let reference = Reference::parse(text, &outside.current);
    let reference =
        reference.map(|reference| reference.resolved(&*outside.ports.files).unwrap_or(reference));
    let normalised = reference.as_ref().map(Reference::normalised);
    // References are accepted in the form in which they are listed.
    let fits = |record: &&TrustRecord| {
        record.reference == text || normalised.as_ref() == Ok(&record.reference)
    };
    match trust.records.iter().rev().find(fits) {
        Some(record) if record.scope != TrustScope::Revoked => {
            let revoked = TrustRecord {
                scope: TrustScope::Revoked,
                decided_at: (outside.trust.now)(),
                functions: Vec::new(),
                files: Vec::new(),
                signer: String::new(),
                ..record.clone()
            };
            outside.trust.store.append(&revoked).map_err(Failure::failed)?;
            writeln!(outside.out, "no longer trusted: {}", record.reference)?;
            Ok(Exit::OK)
        }
        _ => Err(Failure::failed(format!("no trust record for catalog '{text}'"))),
    }
}

/// Prints the changes since a catalog was trusted. As with the program `diff`, the exit status is 1
/// if there are changes, or if the catalog is not trusted.
fn diff(text: &str, trust: &Trust, outside: &mut CliPorts<'_>) -> CommandResult {
    let (reference, opened) = open(text, outside)?;
    let view = catalog_view_with_images(&reference, &opened, trust, outside);
    let found = CatalogReview::new(view, trust, Vec::new());
    match &found.review.previous {
        Some((digest, when)) => {
            writeln!(outside.out, "trusted on {when}: {digest}")?;
            writeln!(outside.out, "now:  {}", found.view.digest)?;
        }
        None => writeln!(outside.out, "never trusted; its functions:")?,
    }
    if found.review.changes.is_empty() && found.view.trust != TrustState::Trusted {
        let text =
            "no function, permission, file or publisher changed; other text of the catalog did";
        writeln!(outside.out, "{text}")?;
    }
    outside.out.write_all(changes_text(&found.review).as_bytes())?;
    outside.out.write_all(review_text(&found.changed_scripts()).as_bytes())?;
    let has_other_file = found.review.files.iter().any(|file| file.before.is_some());
    let same = found.view.trust == TrustState::Trusted
        && found.review.changes.is_empty()
        && !has_other_file;
    Ok(if same { Exit::OK } else { Exit::FAILED })
}
