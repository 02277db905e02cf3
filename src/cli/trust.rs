//! `kzui trust`: the decisions about catalogs (B.11).

use crate::engine::plugin::{Danger, Trust, TrustRecord, TrustScope, TrustState, review};

use super::catalog::{changes_text, open, view_of};
use super::{CliPorts, Exit, TrustCommand};

/// Runs a `trust` command.
pub(super) fn run(command: &TrustCommand, outside: &mut CliPorts<'_>) -> std::io::Result<Exit> {
    let trust = match super::options::trust(&[], outside) {
        Ok(trust) => Trust { sandbox: (outside.trust.sandbox)(), ..trust },
        Err(error) => {
            writeln!(outside.err, "error: {error}")?;
            return Ok(Exit::FAILED);
        }
    };
    match command {
        TrustCommand::List => list(&trust, outside),
        TrustCommand::Add { reference, any_content, widened, .. } => {
            let scope = if *any_content { TrustScope::Reference } else { TrustScope::Digest };
            add(reference, scope, widened.as_deref(), &trust, outside)
        }
        TrustCommand::Remove { reference } => remove(reference, &trust, outside),
        TrustCommand::Diff { reference, .. } => diff(reference, &trust, outside),
    }
}

fn list(trust: &Trust, outside: &mut CliPorts<'_>) -> std::io::Result<Exit> {
    let mut shown: indexmap::IndexMap<&str, &TrustRecord> = indexmap::IndexMap::new();
    for record in &trust.records {
        shown.insert(&record.reference, record);
    }
    for record in shown.values().filter(|record| record.scope != TrustScope::Revoked) {
        let TrustRecord { reference, digest, decided_at, scope, .. } = record;
        writeln!(outside.out, "{reference}  {}  {digest}  {decided_at}", scope.word())?;
    }
    for trusted in &trust.preferences {
        writeln!(outside.out, "{}  preference", trusted.written)?;
    }
    Ok(Exit::OK)
}

/// Shows the changes since the catalog was trusted first; wider permissions need the function's
/// name.
fn add(
    text: &str,
    scope: TrustScope,
    widened: Option<&str>,
    trust: &Trust,
    outside: &mut CliPorts<'_>,
) -> std::io::Result<Exit> {
    if !outside.trust.allows_additions {
        writeln!(outside.err, "error: this kzui does not allow additional trusted catalogs")?;
        return Ok(Exit::FAILED);
    }
    let (reference, opened) = match open(text, outside) {
        Ok(found) => found,
        Err(reason) => {
            writeln!(outside.err, "error: {reason}")?;
            return Ok(Exit::FAILED);
        }
    };
    let view = view_of(&reference, &opened, trust);
    let found = review(trust.record_of(&reference), &view);
    outside.out.write_all(changes_text(&found).as_bytes())?;
    let wide = found.changes.iter().find(|change| change.danger == Danger::Permission);
    if let Some(change) = wide.filter(|_| found.previous.is_some())
        && widened != Some(change.function.as_str())
    {
        writeln!(
            outside.err,
            "error: {} requests more permissions than before ({}); to agree, add --widened='{}'",
            change.function, change.what, change.function
        )?;
        return Ok(Exit::FAILED);
    }
    let record = view.record(scope, &(outside.trust.now)());
    if let Err(error) = outside.trust.store.append(&record) {
        writeln!(outside.err, "error: {error}")?;
        return Ok(Exit::FAILED);
    }
    writeln!(outside.out, "trusted: {} ({})", view.normalised, scope.word())?;
    writeln!(outside.out, "content: {}", view.digest)?;
    writeln!(outside.out, "for CI:  {}", found.flag)?;
    Ok(Exit::OK)
}

fn remove(text: &str, trust: &Trust, outside: &mut CliPorts<'_>) -> std::io::Result<Exit> {
    let reference = crate::engine::load::Reference::parse(text, &outside.current);
    let reference =
        reference.map(|reference| reference.resolved(&*outside.ports.files).unwrap_or(reference));
    let normalised = reference.as_ref().map(crate::engine::load::Reference::normalised);
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
                ..record.clone()
            };
            if let Err(error) = outside.trust.store.append(&revoked) {
                writeln!(outside.err, "error: {error}")?;
                return Ok(Exit::FAILED);
            }
            writeln!(outside.out, "no longer trusted: {}", record.reference)?;
            Ok(Exit::OK)
        }
        _ => {
            writeln!(outside.err, "error: no trust record for catalog '{text}'")?;
            Ok(Exit::FAILED)
        }
    }
}

/// Exits with 1 if a decision is open, as `diff` does.
fn diff(text: &str, trust: &Trust, outside: &mut CliPorts<'_>) -> std::io::Result<Exit> {
    let (reference, opened) = match open(text, outside) {
        Ok(found) => found,
        Err(reason) => {
            writeln!(outside.err, "error: {reason}")?;
            return Ok(Exit::USAGE);
        }
    };
    let view = view_of(&reference, &opened, trust);
    let found = review(trust.record_of(&reference), &view);
    match &found.previous {
        Some((digest, when)) => {
            writeln!(outside.out, "trusted on {when}: {digest}")?;
            writeln!(outside.out, "now:  {}", view.digest)?;
        }
        None => writeln!(outside.out, "never trusted; its functions:")?,
    }
    outside.out.write_all(changes_text(&found).as_bytes())?;
    let same = view.trust == TrustState::Trusted && found.changes.is_empty();
    Ok(if same { Exit::OK } else { Exit::FAILED })
}
