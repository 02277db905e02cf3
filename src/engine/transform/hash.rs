//! Name suffix hashes (section 4.11).

use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::diagnostic::{Diagnostic, NameRemark, Object, UnwrittenCause};
use crate::resource::{NEEDS_HASH, ResMap, Resource, Slot};
use crate::yaml::{Node, Tag, Value, YamlError, print_preserving_style, to_json};

use super::field_walk::set_entry;
use super::{
    Context, DerivedValue, StepInputs, TransformError, TransformResult, Transformer,
    UnwrittenField, ValueSource,
};

/// Appends a hash of the content to the name of every resource that needs one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HashTransformer;

impl Transformer for HashTransformer {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        for slot in resources.slots() {
            if resources.get(slot).is_some_and(|resource| resource.needs_hash) {
                cx.apply_or_reuse(resources, slot, |resources, cx| {
                    add_hash(slot, resources, cx).map(|()| Some(true))
                })?;
            }
        }
        Ok(())
    }

    fn step_inputs(&self) -> Option<Arc<dyn StepInputs>> {
        Some(Arc::new(*self))
    }

    fn why_unwritten(&self, asked: &UnwrittenField<'_>) -> Option<UnwrittenCause> {
        let resource = asked.resource.filter(|resource| !resource.needs_hash)?;
        let is_name = asked.has_keys(&["metadata", "name"]);
        let is_disabled = resource.generated;
        let cause =
            if is_disabled { UnwrittenCause::HashDisabled } else { UnwrittenCause::NotGenerated };
        (is_name && has_known_hash(resource)).then_some(cause)
    }
}

fn add_hash(slot: Slot, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
    let Some(resource) = resources.get(slot) else { return Ok(()) };
    if !has_known_hash(resource) {
        cx.warnings.push(not_known(resource));
    }
    let text = hashed_text(resource).map_err(|source| TransformError::Yaml {
        reading: format!("hashing {}", resource.id).into(),
        mark: resource.node.mark,
        source,
    })?;
    let name = format!("{}-{}", resource.id.name, short_hash(&text)).into();
    let at = resource.node.at(&["metadata", "name"]).map(|name| name.mark);
    let mark = at.unwrap_or_default().written_by(cx.mark);
    resources.update(slot, |resource| {
        resource.store_previous_id();
        if let Some(metadata) = resource.node.get_mut("metadata") {
            set_entry(metadata, "name", &name, Tag::Str, mark);
        }
    });
    let from = vec![ValueSource::PreviousValue, ValueSource::Content];
    cx.derived.push(DerivedValue { slot: Some(slot), key: None, mark, from });
    cx.matched += 1;
    Ok(())
}

fn not_known(resource: &Resource) -> Diagnostic {
    let annotation = resource.node.at(&["metadata", "annotations", NEEDS_HASH]);
    let mark = annotation.map_or(resource.node.mark, |value| value.mark);
    let remark = NameRemark::UnknownHash(Object::from(&resource.id));
    Diagnostic::new(remark, mark).hint(format!(
        "remove the annotation {NEEDS_HASH}, or compare with the name that Kustomize prints"
    ))
}

/// True for a resource of a kind whose hash can be computed. For all other kinds Kustomize hashes
/// its parsed nodes with their positions, which cannot be reproduced: the hash of the content is
/// used instead and reported as not known.
fn has_known_hash(resource: &Resource) -> bool {
    matches!(&*resource.id.gvk.kind, "ConfigMap" | "Secret")
}

/// The text to hash. As in Kustomize, the name in it is always empty, because Kustomize reads it
/// from a wrong field.
fn hashed_text(resource: &Resource) -> Result<String, YamlError> {
    let node = &resource.node;
    let json = |key: &str| value_json(node.get(key));
    let field = |key: &str| match node.get(key).filter(|value| value.as_scalar().is_none()) {
        Some(value) => Ok(format!("\"{key}\":{},", value_json(Some(value))?)),
        None => Ok(String::new()),
    };
    let data = json("data")?;
    Ok(match &*resource.id.gvk.kind {
        "ConfigMap" => {
            let binary = field("binaryData")?;
            format!("{{{binary}\"data\":{data},\"kind\":\"ConfigMap\",\"name\":\"\"}}")
        }
        "Secret" => {
            let (strings, word) = (field("stringData")?, json("type")?);
            format!(
                "{{\"data\":{data},\"kind\":\"Secret\",\"name\":\"\",{strings}\"type\":{word}}}"
            )
        }
        _ => print_preserving_style(node),
    })
}

/// The JSON for a value: a collection as JSON, a scalar as its text, a missing value as an empty text.
fn value_json(value: Option<&Node>) -> Result<String, YamlError> {
    let text = |text: &str| to_json(&Node::string(text));
    match value {
        None => text(""),
        Some(node) => match &node.value {
            Value::Mapping(_) | Value::Sequence(..) => to_json(node),
            Value::Scalar(scalar) => text(&scalar.text),
        },
    }
}

/// The first ten hexadecimal digits of the SHA-256, with some replaced so that they form no words
/// and no numbers.
fn short_hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let digits = digest.iter().take(5).flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .map(|digit| match digit {
            0 => 'g',
            1 => 'h',
            3 => 'k',
            10 => 'm',
            14 => 't',
            digit => char::from_digit(u32::from(digit), 16).unwrap_or('g'),
        })
        .collect()
}
