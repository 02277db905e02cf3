//! The values of fields in an output: the cells of tables over many targets.

use std::sync::Arc;

use super::compare::FieldPath;
use super::search::leaves;
use crate::engine::resource::Resource;
use crate::engine::yaml::Mark;

#[derive(Clone, Debug)]
pub struct OutputValue {
    pub resource: Arc<Resource>,
    pub path: FieldPath,
    pub value: String,
    pub mark: Mark,
}

/// A field of resources: `FIELD`, `KIND:FIELD` or `KIND/NAME:FIELD`. A list without an element in
/// brackets means all of its elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldQuery {
    kind: Option<String>,
    name: Option<String>,
    field: String,
}

impl FieldQuery {
    pub fn parse(text: &str) -> Self {
        let is_resource = |part: &str| {
            let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '.');
            part.starts_with(|c: char| c.is_ascii_uppercase()) && part.chars().all(is_word)
        };
        let (resource, field) = match text.split_once(':').filter(|(one, _)| is_resource(one)) {
            Some((resource, field)) => (Some(resource), field),
            None => (None, text),
        };
        let (kind, name) = match resource.map(|it| it.split_once('/').unwrap_or((it, ""))) {
            Some((kind, name)) => (Some(kind.to_owned()), Some(name.to_owned())),
            None => (None, None),
        };
        let name = name.filter(|name| !name.is_empty());
        Self { kind, name, field: field.trim_start_matches('.').to_owned() }
    }

    fn has_resource(&self, resource: &Resource) -> bool {
        let kind = &*resource.id.gvk.kind;
        self.kind.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(kind))
            && self.name.as_ref().is_none_or(|wanted| **wanted == *resource.id.name)
    }

    fn matches_field(&self, path: &FieldPath) -> bool {
        let is_in = |path: &str| {
            let rest = path.strip_prefix(&*self.field);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        is_in(&path.to_string()) || is_in(&path.keys().join("."))
    }

    pub fn values(&self, resources: &[Arc<Resource>]) -> Vec<OutputValue> {
        collect_values(resources, &|it| self.has_resource(it), &|path| self.matches_field(path))
    }
}

/// The values of all fields `image`, such as those of containers. Fields of a
/// `CustomResourceDefinition` are left out: they only describe other resources; so are patterns,
/// as in policies, which match images.
pub fn image_values(resources: &[Arc<Resource>]) -> Vec<OutputValue> {
    let has_images = |resource: &Resource| &*resource.id.gvk.kind != "CustomResourceDefinition";
    let mut found =
        collect_values(resources, &has_images, &|path| path.keys().last() == Some(&"image"));
    found.retain(|it| !it.value.contains(['*', '?', '!']));
    found
}

fn collect_values(
    resources: &[Arc<Resource>],
    has_resource: &dyn Fn(&Resource) -> bool,
    has_field: &dyn Fn(&FieldPath) -> bool,
) -> Vec<OutputValue> {
    let mut found = Vec::new();
    for resource in resources.iter().filter(|resource| has_resource(resource)) {
        leaves(&FieldPath::default(), &resource.node, &mut |path, value, mark| {
            if has_field(path) {
                let (resource, path) = (resource.clone(), path.clone());
                found.push(OutputValue { resource, path, value: value.to_owned(), mark });
            }
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::resource::Scopes;
    use crate::engine::yaml::parse_nodes;

    #[test]
    fn fields_are_found_by_kind_name_and_path() {
        let web = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 3\n  list:\n  - {name: a, image: x:1}\n  - {name: b, image: y:2}\n";
        let read = parse_nodes(web.as_bytes()).unwrap();
        let resources = [Arc::new(Resource::new(read[0].clone(), &Scopes::default()))];
        for (query, expected) in [
            ("spec.replicas", "3"),
            ("Deployment:spec.replicas", "3"),
            // Kinds are capitalized.
            ("deployment/web:spec.replicas", ""),
            ("Deployment/web:spec.replicas", "3"),
            ("Deployment/other:spec.replicas", ""),
            ("spec.list.image", "x:1 y:2"),
            ("spec.list[b].image", "y:2"),
            ("spec.list[b]", "b y:2"),
            ("spec.rep", ""),
        ] {
            let found = FieldQuery::parse(query).values(&resources);
            let values: Vec<&str> = found.iter().map(|it| it.value.as_str()).collect();
            assert_eq!(values.join(" "), expected, "{query}");
        }
    }
}
