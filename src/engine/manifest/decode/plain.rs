//! Decodes the configuration of plain transformers, which a table describes ([`PlainStruct`]).

use crate::manifest::plain::{PlainEntry, PlainValue};
use crate::manifest::{Builtin, FieldSpec, Marked, PlainStruct, ValueType};
use crate::yaml::Node;

use super::go_json::{GoPosition, LENIENT, Result};
use super::transformers::{field_specs, selector};

const FIELD_SPECS: &str = "[]types.FieldSpec";

/// Decodes the entries of a field with a plain transformer; empty for any other field.
pub(super) fn entries(
    place: &GoPosition<'_>,
    node: &Node,
    builtin: Option<Builtin>,
) -> Result<Vec<Marked<PlainEntry>>> {
    let Some(plain) = builtin.and_then(Builtin::plain) else { return Ok(Vec::new()) };
    place.list(node, plain.list, |place, item| decode_entry(place, item, &plain.entry))
}

/// Decodes a mapping with the keys of a plain transformer.
fn decode_entry(
    place: &GoPosition<'_>,
    node: &Node,
    told: &'static PlainStruct,
) -> Result<PlainEntry> {
    let mut read = PlainEntry::default();
    place.fields(node, told.name, told.keys, |field| {
        let value = value(&field.place, field.value, told.value_type(field.name))?;
        read.values.insert(field.name, (value, field.value.mark));
        Ok(())
    })?;
    Ok(read)
}

fn value(place: &GoPosition<'_>, node: &Node, holds: ValueType) -> Result<PlainValue> {
    Ok(match holds {
        ValueType::Text => PlainValue::Text(place.string(node)?),
        ValueType::Number => PlainValue::Number(place.int(node, "int64")?),
        ValueType::Flag => PlainValue::Flag(place.bool(node)?),
        ValueType::Texts => PlainValue::Texts(place.strings(node)?),
        ValueType::Pairs => PlainValue::Pairs(place.pairs(node)?),
        ValueType::Selector => PlainValue::Selector(selector(place, node)?),
        ValueType::FieldSpecs => PlainValue::FieldSpecs(field_specs(place, node, FIELD_SPECS)?),
        ValueType::Mapping(told) => PlainValue::Mapping(decode_entry(place, node, told)?),
        ValueType::List(list, told) => {
            PlainValue::List(place.list(node, list, |place, item| decode_entry(place, item, told))?)
        }
    })
}

/// The configuration of a plain transformer as a plugin, with its field specs; empty for any other
/// plugin.
///
/// # Errors
/// As Kustomize's.
pub fn decode_plain(config: &Node, builtin: Builtin) -> Result<(PlainEntry, Vec<FieldSpec>)> {
    let (mut told, mut specs) = (PlainEntry::default(), Vec::new());
    let Some(plain) = builtin.plain() else { return Ok((told, specs)) };
    GoPosition::top(LENIENT).fields(config, plain.plugin, builtin.fields(), |field| {
        match field.name {
            name if name == plain.key => {
                told = decode_entry(&field.place, field.value, &plain.entry)?;
            }
            "fieldSpecs" => specs = field_specs(&field.place, field.value, FIELD_SPECS)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok((told, specs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::decode::go_json::KUSTOMIZATION;
    use crate::yaml::{Limits, SourceId, parse_config};

    /// A mapping inside of another one.
    const PART: PlainStruct = PlainStruct {
        name: "types.Part",
        keys: &["word", "count"],
        holds: &[("count", ValueType::Number)],
    };
    /// A mapping with one key for each type of value.
    const WHOLE: PlainStruct = PlainStruct {
        name: "types.Whole",
        keys: &["name", "isOn", "words", "pairs", "target", "fields", "part", "parts"],
        holds: &[
            ("isOn", ValueType::Flag),
            ("words", ValueType::Texts),
            ("pairs", ValueType::Pairs),
            ("target", ValueType::Selector),
            ("fields", ValueType::FieldSpecs),
            ("part", ValueType::Mapping(&PART)),
            ("parts", ValueType::List("[]types.Part", &PART)),
        ],
    };

    fn read(text: &str) -> Result<PlainEntry> {
        let node = parse_config(text.as_bytes(), SourceId::NONE, Limits::default()).unwrap();
        decode_entry(&GoPosition::top(KUSTOMIZATION), &node.unwrap_or_default(), &WHOLE)
    }

    #[test]
    fn entry_reads_every_value_type() {
        let entry = read(
            "name: x\nisOn: true\nwords: [a, b]\npairs: {k: v}\ntarget: {kind: Pod}\n\
             fields: [{path: spec/x, create: true}]\npart: {word: w, count: 2}\nparts:\n- {count: 3}\n- word: z\n",
        )
        .unwrap();
        assert_eq!((entry.text("name"), entry.flag("isOn")), ("x", true));
        let words: Vec<&str> = entry.texts("words").iter().map(|it| it.value.as_str()).collect();
        assert_eq!(words, ["a", "b"]);
        assert_eq!(entry.pairs("pairs").unwrap()["k"].value, "v");
        assert_eq!(entry.selector("target").unwrap().kind, "Pod");
        let specs = entry.field_specs("fields");
        assert_eq!((specs[0].path.as_str(), specs[0].create), ("spec/x", true));
        let part = entry.mapping("part").unwrap();
        assert_eq!((part.text("word"), part.number("count")), ("w", 2));
        let parts = entry.list("parts");
        assert_eq!((parts[0].value.number("count"), parts[1].value.text("word")), (3, "z"));
        assert_eq!((parts[1].mark.line, entry.mark("part").line), (10, 7));
    }

    #[test]
    fn absent_keys_read_as_zero_values() {
        let entry = read("name: null\n").unwrap();
        assert_eq!((entry.text("name"), entry.number("count"), entry.flag("isOn")), ("", 0, false));
        assert!(entry.texts("words").is_empty() && entry.list("parts").is_empty());
        assert!(entry.pairs("pairs").is_none() && entry.selector("target").is_none());
        assert!(entry.mapping("part").is_none() && entry.field_specs("fields").is_empty());
    }

    #[test]
    fn wrong_types_fail_with_go_messages() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            error("part: {count: many}\n"),
            "invalid Kustomization: json: cannot unmarshal string into Go struct field Part.part.count of type int64"
        );
        assert_eq!(
            error("parts: {}\n"),
            "invalid Kustomization: json: cannot unmarshal object into Go struct field Whole.parts of type []types.Part"
        );
        assert_eq!(
            error("part: {other: x}\n"),
            "invalid Kustomization: json: unknown field \"other\""
        );
    }
}
