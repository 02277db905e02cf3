//! Validates a functionConfig against the catalog's `openAPIV3Schema` (D-C14). References are never followed: a
//! catalog's schema stands in it.

use super::known_parts::{KnownParts, first_again};
use crate::yaml::{Entry, Node, NodeKind, Tag, print_v3};

/// Schemas inside schemas that are followed.
const DEPTH: usize = 64;
/// Findings that are told.
const MOST: usize = 20;

/// What is wrong with a functionConfig: `spec.replicas: expected integer, got string`, in the order of the fields.
pub fn check_schema(config: &Node, schema: &Node) -> Vec<String> {
    let mut known = KnownParts::default();
    let mut check = Check { found: Vec::new(), known: &mut known };
    check.value(config, schema, "", DEPTH);
    check.found.truncate(MOST);
    check.found
}

struct Check<'k, 's> {
    found: Vec<String>,
    known: &'k mut KnownParts<'s>,
}

impl<'s> Check<'_, 's> {
    fn say(&mut self, at: &str, what: impl std::fmt::Display) {
        let place = if at.is_empty() { "the functionConfig" } else { at };
        self.found.push(format!("{place}: {what}"));
    }

    fn value(&mut self, node: &'s Node, schema: &'s Node, at: &str, depth: usize) {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.found.len() < MOST) else { return };
        if node.is_null() && is_true(schema, "nullable") {
            return;
        }
        if !self.kind(node, schema, at) {
            return;
        }
        if let Some(allowed) = schema.get("enum").and_then(Node::items)
            && !self.known.has(allowed, node)
        {
            let words: Vec<String> = allowed.iter().map(shown).collect();
            self.say(at, format_args!("expected one of {}, got {}", words.join(", "), shown(node)));
        }
        match node.kind() {
            NodeKind::Mapping => self.object(node, schema, at, depth),
            NodeKind::Sequence => self.list(node, schema, at, depth),
            NodeKind::Scalar => self.scalar(node, schema, at),
        }
        self.combined(node, schema, at, depth);
    }

    /// True when the type fits.
    fn kind(&mut self, node: &'s Node, schema: &'s Node, at: &str) -> bool {
        let found = type_of(node);
        if is_true(schema, "x-kubernetes-int-or-string") {
            let fits = found == "integer" || found == "string";
            if !fits {
                self.say(at, format_args!("expected integer or string, got {found}"));
            }
            return fits;
        }
        let Some(expected) = schema.get("type").and_then(Node::text) else { return true };
        let fits = expected == found
            || (expected == "number" && found == "integer")
            || (expected == "integer" && is_whole(node));
        if !fits {
            self.say(at, format_args!("expected {expected}, got {found}"));
        }
        fits
    }

    fn object(&mut self, node: &'s Node, schema: &'s Node, at: &str, depth: usize) {
        let properties = schema.get("properties");
        for name in schema.get("required").and_then(Node::items).unwrap_or_default() {
            let name = name.text().unwrap_or_default();
            if self.known.fields.get(node, name).is_none() {
                self.say(&joined(at, name), "required");
            }
        }
        let additional = schema.get("additionalProperties");
        for Entry { key, value } in node.entries() {
            let name = key.text().unwrap_or_default();
            let path = joined(at, name);
            if let Some(schema) = properties.and_then(|it| self.known.fields.get(it, name)) {
                self.value(value, schema, &path, depth);
                continue;
            }
            // What every object of Kubernetes has need not stand in a schema.
            if at.is_empty() && ["apiVersion", "kind", "metadata"].contains(&name) {
                continue;
            }
            match additional {
                Some(schema) if schema.as_mapping().is_some() => {
                    self.value(value, schema, &path, depth);
                }
                Some(flag)
                    if flag.text() == Some("false")
                        && !is_true(schema, "x-kubernetes-preserve-unknown-fields") =>
                {
                    self.say(&path, "unknown field");
                }
                _ => {}
            }
        }
        let count = node.entries().len();
        self.bounds(schema, at, count, ("minProperties", "maxProperties", "fields"));
    }

    fn list(&mut self, node: &'s Node, schema: &'s Node, at: &str, depth: usize) {
        let items = node.items().unwrap_or_default();
        if let Some(schema) = schema.get("items") {
            for (index, item) in items.iter().enumerate() {
                self.value(item, schema, &format!("{at}[{index}]"), depth);
            }
        }
        self.bounds(schema, at, items.len(), ("minItems", "maxItems", "items"));
        if is_true(schema, "uniqueItems")
            && let Some(index) = first_again(items)
        {
            self.say(&format!("{at}[{index}]"), "stands twice");
        }
    }

    fn bounds(
        &mut self,
        schema: &'s Node,
        at: &str,
        count: usize,
        (least, most, what): (&str, &str, &str),
    ) {
        let limit = |key: &str| schema.get(key)?.text()?.parse::<usize>().ok();
        if let Some(least) = limit(least).filter(|least| count < *least) {
            self.say(at, format_args!("expected at least {least} {what}, got {count}"));
        }
        if let Some(most) = limit(most).filter(|most| count > *most) {
            self.say(at, format_args!("expected at most {most} {what}, got {count}"));
        }
    }

    fn scalar(&mut self, node: &'s Node, schema: &'s Node, at: &str) {
        let text = node.text().unwrap_or_default();
        if type_of(node) == "string" {
            self.bounds(schema, at, text.chars().count(), ("minLength", "maxLength", "characters"));
            if let Some(pattern) = schema.get("pattern").and_then(Node::text) {
                // A pattern of another dialect is not held against the configuration.
                let fits = regex::RegexBuilder::new(pattern).size_limit(1 << 20).build();
                if fits.is_ok_and(|pattern| !pattern.is_match(text)) {
                    self.say(at, format_args!("{text:?} does not match {pattern:?}"));
                }
            }
            return;
        }
        let Ok(value) = text.parse::<f64>() else { return };
        let limit = |key: &str| schema.get(key)?.text()?.parse::<f64>().ok();
        let (low, high) = (limit("minimum"), limit("maximum"));
        let beyond = |is_exclusive, order: Option<std::cmp::Ordering>, outside| {
            order == Some(outside) || (is_exclusive && order == Some(std::cmp::Ordering::Equal))
        };
        if let Some(low) = low {
            let is_exclusive = is_true(schema, "exclusiveMinimum");
            if beyond(is_exclusive, value.partial_cmp(&low), std::cmp::Ordering::Less) {
                let word = if is_exclusive { "more than" } else { "at least" };
                self.say(at, format_args!("expected {word} {low}, got {text}"));
            }
        }
        if let Some(high) = high {
            let is_exclusive = is_true(schema, "exclusiveMaximum");
            if beyond(is_exclusive, value.partial_cmp(&high), std::cmp::Ordering::Greater) {
                let word = if is_exclusive { "less than" } else { "at most" };
                self.say(at, format_args!("expected {word} {high}, got {text}"));
            }
        }
    }

    fn combined(&mut self, node: &'s Node, schema: &'s Node, at: &str, depth: usize) {
        let list = |key: &str| schema.get(key).and_then(Node::items).unwrap_or_default();
        for schema in list("allOf") {
            self.value(node, schema, at, depth);
        }
        let any = list("anyOf");
        if !any.is_empty() && !any.iter().any(|schema| self.fits(node, schema, at, depth)) {
            self.say(at, "fits none of the alternatives (anyOf)");
        }
        let one = list("oneOf");
        if !one.is_empty() {
            let count = one.iter().filter(|schema| self.fits(node, schema, at, depth)).count();
            if count != 1 {
                self.say(at, format_args!("fits {count} of the alternatives (oneOf), not one"));
            }
        }
        if schema.get("not").is_some_and(|schema| self.fits(node, schema, at, depth)) {
            self.say(at, "fits what it must not be (not)");
        }
    }

    fn fits(&mut self, node: &'s Node, schema: &'s Node, at: &str, depth: usize) -> bool {
        let mut inner = Check { found: Vec::new(), known: &mut *self.known };
        inner.value(node, schema, at, depth);
        inner.found.is_empty()
    }
}

fn joined(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}

fn is_true(schema: &Node, key: &str) -> bool {
    schema.get(key).and_then(Node::text) == Some("true")
}

fn is_whole(node: &Node) -> bool {
    type_of(node) == "number"
        && node.text().and_then(|text| text.parse::<f64>().ok()).is_some_and(|v| v.fract() == 0.0)
}

fn type_of(node: &Node) -> &'static str {
    match node.as_scalar() {
        None if node.kind() == NodeKind::Mapping => "object",
        None => "array",
        Some(_) if node.is_null() => "null",
        Some(scalar) => match scalar.tag {
            Tag::Int => "integer",
            Tag::Float => "number",
            Tag::Bool => "boolean",
            _ => "string",
        },
    }
}

fn shown(node: &Node) -> String {
    match node.text() {
        Some(text) if type_of(node) == "string" => format!("{text:?}"),
        Some(text) => text.to_owned(),
        None => print_v3(node).trim_end().replace('\n', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Limits, SourceId, parse_documents};

    fn node(text: &str) -> Node {
        let file = parse_documents(text.as_bytes(), SourceId(1), Limits::default()).unwrap();
        file.documents[0].node.clone()
    }

    #[test]
    fn a_config_is_held_to_its_schema() {
        let schema = node(
            "type: object\nrequired: [spec]\nadditionalProperties: false\nproperties:\n  spec:\n    type: object\n    required: [name]\n    properties:\n      name: {type: string, minLength: 2, pattern: '^[a-z]+$'}\n      replicas: {type: integer, minimum: 1, maximum: 5}\n      port: {x-kubernetes-int-or-string: true}\n      mode: {type: string, enum: [fast, slow]}\n      hosts: {type: array, maxItems: 1, items: {type: string}}\n      labels: {type: object, additionalProperties: {type: string}}\n      gone: {type: string, nullable: true}\n      either: {oneOf: [{type: string}, {type: boolean}]}\n",
        );
        let good = "apiVersion: a/v1\nkind: K\nmetadata: {name: x}\nspec: {name: ab, replicas: 3, port: http, mode: slow, hosts: [a], labels: {a: b}, gone: null, either: true}\n";
        assert_eq!(check_schema(&node(good), &schema), Vec::<String>::new());
        let bad = "kind: K\nextra: 1\nspec: {name: A, replicas: '3', port: [], mode: odd, hosts: [1, b], labels: {a: 1}, either: 1.5}\n";
        assert_eq!(
            check_schema(&node(bad), &schema),
            [
                "extra: unknown field",
                "spec.name: expected at least 2 characters, got 1",
                "spec.name: \"A\" does not match \"^[a-z]+$\"",
                "spec.replicas: expected integer, got string",
                "spec.port: expected integer or string, got array",
                "spec.mode: expected one of \"fast\", \"slow\", got \"odd\"",
                "spec.hosts[0]: expected string, got integer",
                "spec.hosts: expected at most 1 items, got 2",
                "spec.labels.a: expected string, got integer",
                "spec.either: fits 0 of the alternatives (oneOf), not one",
            ]
        );
        assert_eq!(
            check_schema(&node("spec: {replicas: 9}"), &schema),
            ["spec.name: required", "spec.replicas: expected at most 5, got 9"]
        );
        assert_eq!(check_schema(&node("kind: K"), &schema), ["spec: required"]);
    }

    #[test]
    fn elements_are_the_same_when_they_are_the_same_data() {
        let schema = node("properties: {list: {type: array, uniqueItems: true}}");
        for (list, again) in [
            ("[a, b, 'c', 1, '1', null, {a: 1}, {a: 1, b: 2}, [1, 2], [2, 1]]", None),
            ("[a, b, 'a']", Some(2)),
            ("[{a: 1, b: [x]}, 2, {b: ['x'], a: 1}]", Some(2)),
            ("[1, 1.0]", Some(1)),
        ] {
            let said: Vec<String> =
                again.into_iter().map(|at: usize| format!("list[{at}]: stands twice")).collect();
            assert_eq!(check_schema(&node(&format!("list: {list}")), &schema), said, "{list}");
        }
    }

    /// So many that all pairs of them could not be compared while somebody waits.
    #[test]
    fn wide_configs_and_schemas_are_known_by_an_index() {
        let many = 100_000;
        let list = |name: &str, item: &dyn Fn(usize) -> String| {
            format!("{name}: [{}]\n", (0..many).map(item).collect::<Vec<_>>().join(", "))
        };
        let fields =
            |line: &str| (0..many).map(|at| format!("  k{at}: {line}\n")).collect::<String>();
        let config = format!(
            "wide:\n{}{}{}",
            fields("v"),
            list("unique", &|at| at.to_string()),
            list("allowed", &|at| format!("w{at}"))
        );
        let schema = format!(
            "properties:\n  unique: {{uniqueItems: true}}\n  allowed:\n    items:\n      {}  wide:\n    {}    properties:\n{}",
            list("enum", &|at| format!("w{at}")),
            list("required", &|at| format!("k{at}")),
            fields("{type: string}").replace("  k", "      k")
        );
        assert_eq!(check_schema(&node(&config), &node(&schema)), Vec::<String>::new());
    }
}
