//! Validates a functionConfig against the catalog's `openAPIV3Schema` (D-C14). References are not
//! followed: a catalog contains its schemas inline.

use std::cmp::Ordering;

use crate::resource::QuickSet;
use crate::yaml::{MappingEntry, Node, NodeKind, Tag, print_preserving_style, to_json};

const MAX_SCHEMA_DEPTH: usize = 64;
const MAX_VIOLATIONS: usize = 20;

/// A deviation of an object from its schema (D-C14).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {rule}", if place.is_empty() { "the functionConfig" } else { place })]
pub struct SchemaViolation {
    /// The path in the object, as in `spec.ports[0].name`; empty for the object itself.
    pub place: String,
    /// The broken rule, and the value that breaks it. Types have the names of JSON schemas.
    pub rule: String,
}

/// The deviations of a functionConfig from a schema, in the order of the fields.
pub fn check_schema(config: &Node, schema: &Node) -> Vec<SchemaViolation> {
    let mut check = SchemaCheck::default();
    check.value(config, schema, "", MAX_SCHEMA_DEPTH);
    check.found.truncate(MAX_VIOLATIONS);
    check.found
}

#[derive(Default)]
struct SchemaCheck {
    found: Vec<SchemaViolation>,
}

impl SchemaCheck {
    fn add_violation(&mut self, at: &str, rule: impl Into<String>) {
        self.found.push(SchemaViolation { place: at.to_owned(), rule: rule.into() });
    }

    fn value(&mut self, node: &Node, schema: &Node, at: &str, depth: usize) {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.found.len() < MAX_VIOLATIONS) else {
            return;
        };
        if node.is_null() && is_true(schema, "nullable") {
            return;
        }
        if !self.kind(node, schema, at) {
            return;
        }
        if let Some(allowed) = schema.get("enum").and_then(Node::items)
            && !allows(allowed, node)
        {
            let allowed = allowed.iter().map(shown).collect::<Vec<_>>().join(", ");
            self.add_violation(at, format!("expected one of {allowed}, got {}", shown(node)));
        }
        match node.kind() {
            NodeKind::Mapping => self.object(node, schema, at, depth),
            NodeKind::Sequence => self.list(node, schema, at, depth),
            NodeKind::Scalar => self.scalar(node, schema, at),
        }
        self.combined(node, schema, at, depth);
    }

    fn kind(&mut self, node: &Node, schema: &Node, at: &str) -> bool {
        let found = type_of(node);
        let int_or_string = is_true(schema, "x-kubernetes-int-or-string");
        let expected = if int_or_string {
            "integer or string"
        } else {
            let Some(expected) = schema.text_of("type") else { return true };
            expected
        };
        let fits = if int_or_string {
            found == "integer" || found == "string"
        } else {
            expected == found
                || (expected == "number" && found == "integer")
                || (expected == "integer" && is_integer(node))
        };
        if !fits {
            self.add_violation(at, format!("expected {expected}, got {found}"));
        }
        fits
    }

    fn object(&mut self, node: &Node, schema: &Node, at: &str, depth: usize) {
        let properties = schema.get("properties");
        for name in schema.items_of("required") {
            let name = name.text().unwrap_or_default();
            if node.get(name).is_none() {
                self.add_violation(&field(at, name), "required");
            }
        }
        let additional = schema.get("additionalProperties");
        for MappingEntry { key, value } in node.entries() {
            let name = key.text().unwrap_or_default();
            let place = field(at, name);
            if let Some(schema) = properties.and_then(|it| it.get(name)) {
                self.value(value, schema, &place, depth);
                continue;
            }
            // Schemas may omit the fields that every Kubernetes object has.
            if at.is_empty() && ["apiVersion", "kind", "metadata"].contains(&name) {
                continue;
            }
            match additional {
                Some(schema) if schema.as_mapping().is_some() => {
                    self.value(value, schema, &place, depth);
                }
                Some(flag)
                    if flag.text() == Some("false")
                        && !is_true(schema, "x-kubernetes-preserve-unknown-fields") =>
                {
                    self.add_violation(&place, "unknown field");
                }
                _ => {}
            }
        }
        let count = node.entries().len();
        self.check_size(schema, at, count, ["minProperties", "maxProperties", "fields"]);
    }

    fn list(&mut self, node: &Node, schema: &Node, at: &str, depth: usize) {
        let items = node.items().unwrap_or_default();
        if let Some(schema) = schema.get("items") {
            for (index, item) in items.iter().enumerate() {
                self.value(item, schema, &format!("{at}[{index}]"), depth);
            }
        }
        self.check_size(schema, at, items.len(), ["minItems", "maxItems", "items"]);
        let mut seen = QuickSet::default();
        if is_true(schema, "uniqueItems")
            && let Some(index) = items.iter().position(|it| !seen.insert(comparison_text(it)))
        {
            self.add_violation(&format!("{at}[{index}]"), "appears twice");
        }
    }

    fn check_size(&mut self, schema: &Node, at: &str, found: usize, [least, most, of]: [&str; 3]) {
        let limits = [(least, "at least", Ordering::Less), (most, "at most", Ordering::Greater)];
        for (key, words, beyond) in limits {
            let limit = schema.text_of(key).and_then(|limit| limit.parse::<usize>().ok());
            if let Some(limit) = limit.filter(|limit| found.cmp(limit) == beyond) {
                self.add_violation(at, format!("expected {words} {limit} {of}, got {found}"));
            }
        }
    }

    fn scalar(&mut self, node: &Node, schema: &Node, at: &str) {
        let text = node.text().unwrap_or_default();
        if type_of(node) == "string" {
            let limits = ["minLength", "maxLength", "characters"];
            self.check_size(schema, at, text.chars().count(), limits);
            if let Some(pattern) = schema.text_of("pattern") {
                // Ignore a pattern that this regex library cannot compile.
                let fits = regex::RegexBuilder::new(pattern).size_limit(1 << 20).build();
                if fits.is_ok_and(|pattern| !pattern.is_match(text)) {
                    self.add_violation(at, format!("{text:?} does not match {pattern:?}"));
                }
            }
            return;
        }
        let Ok(value) = text.parse::<f64>() else { return };
        for (key, exclusive, beyond, words) in [
            ("minimum", "exclusiveMinimum", Ordering::Less, ["at least", "more than"]),
            ("maximum", "exclusiveMaximum", Ordering::Greater, ["at most", "less than"]),
        ] {
            let limit = schema.text_of(key).and_then(|limit| limit.parse::<f64>().ok());
            let Some(limit) = limit else { continue };
            let is_exclusive = is_true(schema, exclusive);
            let order = value.partial_cmp(&limit);
            if order == Some(beyond) || (is_exclusive && order == Some(Ordering::Equal)) {
                let words = words[usize::from(is_exclusive)];
                self.add_violation(at, format!("expected {words} {limit}, got {text}"));
            }
        }
    }

    fn combined(&mut self, node: &Node, schema: &Node, at: &str, depth: usize) {
        let list = |key: &str| schema.items_of(key);
        for schema in list("allOf") {
            self.value(node, schema, at, depth);
        }
        let any = list("anyOf");
        if !any.is_empty() && !any.iter().any(|schema| matches_schema(node, schema, at, depth)) {
            self.add_violation(at, "matches no alternative (anyOf)");
        }
        let one = list("oneOf");
        if !one.is_empty() {
            let count = one.iter().filter(|schema| matches_schema(node, schema, at, depth)).count();
            if count != 1 {
                let rule = format!("matches {count} of the alternatives (oneOf), not one");
                self.add_violation(at, rule);
            }
        }
        if schema.get("not").is_some_and(|schema| matches_schema(node, schema, at, depth)) {
            self.add_violation(at, "matches the excluded schema (not)");
        }
    }
}

fn allows(allowed: &[Node], node: &Node) -> bool {
    let text = comparison_text(node);
    allowed.iter().any(|allowed| comparison_text(allowed) == text)
}

fn matches_schema(node: &Node, schema: &Node, at: &str, depth: usize) -> bool {
    let mut inner = SchemaCheck::default();
    inner.value(node, schema, at, depth);
    inner.found.is_empty()
}

/// A text that is the same for equal data: Go compares the values of JSON.
fn comparison_text(node: &Node) -> String {
    to_json(node).unwrap_or_else(|_| print_preserving_style(node))
}

fn field(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}

fn shown(node: &Node) -> String {
    let Some(scalar) = node.as_scalar() else {
        return print_preserving_style(node).trim_end().replace('\n', " ");
    };
    let is_bare = node.is_null() || matches!(scalar.tag, Tag::Int | Tag::Float | Tag::Bool);
    if is_bare { scalar.text.to_string() } else { format!("{:?}", &*scalar.text) }
}

fn is_true(schema: &Node, key: &str) -> bool {
    schema.text_of(key) == Some("true")
}

/// True for a number without a fraction, such as `2.0`.
fn is_integer(node: &Node) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse_nodes;

    fn node(text: &str) -> Node {
        parse_nodes(text.as_bytes()).unwrap().remove(0)
    }

    fn words(config: &str, schema: &Node) -> Vec<String> {
        check_schema(&node(config), schema).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn violations_contain_limit_and_value() {
        for (value, schema, rule) in [
            ("7", "{maximum: 5}", "expected at most 5, got 7"),
            ("1.50", "{minimum: 1.5, exclusiveMinimum: true}", "expected more than 1.5, got 1.50"),
            ("b", "{enum: [a, 1]}", "expected one of \"a\", 1, got \"b\""),
            ("[]", "{oneOf: [{}, {}]}", "matches 2 of the alternatives (oneOf), not one"),
            ("[]", "{anyOf: [{type: string}]}", "matches no alternative (anyOf)"),
            ("[]", "{not: {}}", "matches the excluded schema (not)"),
        ] {
            assert_eq!(words(value, &node(schema)), [format!("the functionConfig: {rule}")]);
        }
    }

    #[test]
    fn config_is_checked_against_its_schema() {
        let schema = node(
            "type: object\nrequired: [spec]\nadditionalProperties: false\nproperties:\n  spec:\n    type: object\n    required: [name]\n    properties:\n      name: {type: string, minLength: 2, pattern: '^[a-z]+$'}\n      replicas: {type: integer, minimum: 1, maximum: 5}\n      port: {x-kubernetes-int-or-string: true}\n      mode: {type: string, enum: [fast, slow]}\n      hosts: {type: array, maxItems: 1, items: {type: string}}\n      labels: {type: object, additionalProperties: {type: string}}\n      gone: {type: string, nullable: true}\n      either: {oneOf: [{type: string}, {type: boolean}]}\n",
        );
        let good = "apiVersion: a/v1\nkind: K\nmetadata: {name: x}\nspec: {name: ab, replicas: 3, port: http, mode: slow, hosts: [a], labels: {a: b}, gone: null, either: true}\n";
        assert_eq!(check_schema(&node(good), &schema), []);
        let bad = "kind: K\nextra: 1\nspec: {name: A, replicas: '3', port: [], mode: odd, hosts: [1, b], labels: {a: 1}, either: 1.5}\n";
        assert_eq!(
            words(bad, &schema),
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
                "spec.either: matches 0 of the alternatives (oneOf), not one",
            ]
        );
        assert_eq!(
            words("spec: {replicas: 9}", &schema),
            ["spec.name: required", "spec.replicas: expected at most 5, got 9"]
        );
        assert_eq!(words("kind: K", &schema), ["spec: required"]);
        assert_eq!(words("a", &schema), ["the functionConfig: expected object, got string"]);
    }
    #[test]
    fn elements_with_equal_data_are_duplicates() {
        let schema = node("properties: {list: {type: array, uniqueItems: true}}");
        for (list, again) in [
            ("[a, b, 'c', 1, '1', null, {a: 1}, {a: 1, b: 2}, [1, 2], [2, 1]]", None),
            ("[a, b, 'a']", Some(2)),
            ("[{a: 1, b: [x]}, 2, {b: ['x'], a: 1}]", Some(2)),
            ("[1, 1.0]", Some(1)),
        ] {
            let said: Vec<String> =
                again.into_iter().map(|at: usize| format!("list[{at}]: appears twice")).collect();
            assert_eq!(words(&format!("list: {list}"), &schema), said, "{list}");
        }
    }

    /// The number of fields is so large that comparing all pairs would take too long.
    #[test]
    fn wide_configs_and_schemas_are_checked_with_an_index() {
        let many = 100_000;
        let list = |name: &str, item: &dyn Fn(usize) -> String| {
            format!("{name}: [{}]\n", (0..many).map(item).collect::<Vec<_>>().join(", "))
        };
        let fields =
            |line: &str| (0..many).map(|at| format!("  k{at}: {line}\n")).collect::<String>();
        let config = format!("wide:\n{}{}", fields("v"), list("unique", &|at| at.to_string()));
        let schema = format!(
            "properties:\n  unique: {{uniqueItems: true}}\n  wide:\n    {}    properties:\n{}",
            list("required", &|at| format!("k{at}")),
            fields("{type: string}").replace("  k", "      k")
        );
        assert_eq!(check_schema(&node(&config), &node(&schema)), []);
    }
}
