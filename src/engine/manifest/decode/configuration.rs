//! `configurations` files (section 4.18).

use crate::diagnostic::Code;
use crate::manifest::{NameReference, SpecList, TransformerConfig};
use crate::profile::{Profile, Switch};
use crate::yaml::{Limits, Node, SourceId, parse_config, parse_documents};

use super::go_json::{CONFIGURATION, GoPosition, LENIENT, Result};
use super::go_struct::{field, go_struct, typed};
use super::transformers::{field_specs, values};
use super::{ManifestError, ManifestFault};

const NAME_REFERENCE: &str = "nameReference";

const CONFIGURATION_KEYS: [&str; SpecList::ALL.len() + 1] = {
    let mut names = [NAME_REFERENCE; SpecList::ALL.len() + 1];
    let mut at = 0;
    while at < SpecList::ALL.len() {
        names[at] = SpecList::ALL[at].key();
        at += 1;
    }
    names
};

/// Decodes a `configurations` file. Strict: unknown and repeated keys are errors. The lists are as
/// written; [`TransformerConfig::with_files`] merges them.
///
/// # Errors
/// Kustomize's, with file and line.
pub fn decode_configuration(
    text: &[u8],
    source: SourceId,
    profile: Profile,
) -> Result<TransformerConfig> {
    let root = parse_config(text, source, Limits::default())
        .map_err(|error| ManifestError::yaml("error converting YAML to JSON: ", error, source))?;
    let Some(root) = root else { return Ok(TransformerConfig::default()) };
    let is_strict = !profile.has(Switch::LenientConfigurations);
    if is_strict {
        check_duplicates(text, source)?;
    }
    let rules = if is_strict { CONFIGURATION } else { LENIENT };
    let mut config = TransformerConfig::default();
    let go_type = "builtinconfig.TransformerConfig";
    GoPosition::top(rules.like(profile)).fields(&root, go_type, &CONFIGURATION_KEYS, |field| {
        if let Some(list) = SpecList::from_key(field.name) {
            *config.list_mut(list) = field_specs(&field.place, field.value, "types.FsSlice")?;
        } else {
            let references =
                field.place.list(field.value, "builtinconfig.nbrSlice", GoPosition::read)?;
            config.name_reference = values(references);
        }
        Ok(())
    })?;
    Ok(config)
}

go_struct!(
    NameReference,
    "builtinconfig.NameBackReferences",
    [
        field("group", |it| &mut it.gvk.group),
        field("version", |it| &mut it.gvk.version),
        field("kind", |it| &mut it.gvk.kind),
        typed("fieldSpecs", "types.FsSlice", |it| &mut it.referrers),
    ]
);

/// Fails for duplicate keys. Parses the text as a resource, because the parser for configuration
/// drops duplicate keys.
fn check_duplicates(text: &[u8], source: SourceId) -> Result<()> {
    let Ok(documents) = parse_documents(text, source, Limits::default()) else { return Ok(()) };
    documents.documents.first().map_or(Ok(()), |document| refuse_duplicate_keys(&document.node))
}

fn refuse_duplicate_keys(node: &Node) -> Result<()> {
    for (index, entry) in node.entries().iter().enumerate() {
        let Some(key) = entry.key.text() else { continue };
        if node.entries()[..index].iter().any(|before| before.key.text() == Some(key)) {
            let mark = entry.key.mark;
            let text = format!(
                "error converting YAML to JSON: yaml: unmarshal errors:\n  line {}: key \"{key}\" already set in map",
                mark.line
            );
            let error = ManifestError::fault_at(ManifestFault::Other(Code::KZ010, text), mark);
            return Err(error.with_hint(format!("remove one of the two `{key}`")));
        }
        refuse_duplicate_keys(&entry.value)?;
    }
    node.items().unwrap_or_default().iter().try_for_each(refuse_duplicate_keys)
}
