//! The `ResourceList` that a function reads (C.1, C.3).

use std::sync::Arc;

use crate::diagnostic::PluginFault;
use crate::resource::{FUNCTION_PATHS, FilePlace, Resource, set_annotation};
use crate::transform::ORIGIN;
use crate::yaml::{Node, Style, Tag, Value, print_preserving_style};

/// The annotations added for a function, in the spelling of the specification and in the older one
/// that old libraries read.
pub(super) const PATH_ANNOTATIONS: [&str; 2] = FUNCTION_PATHS;
pub(super) const INDEX_ANNOTATIONS: [&str; 2] =
    ["internal.config.kubernetes.io/index", "config.kubernetes.io/index"];
pub(super) const ID_ANNOTATIONS: [&str; 2] =
    ["internal.config.kubernetes.io/id", "config.k8s.io/id"];
const LOCAL_CONFIG_ANNOTATION: &str = "config.kubernetes.io/local-config";

/// An object that is sent to a function.
#[derive(Clone, Debug)]
pub struct OutgoingObject {
    /// The resource; its bookkeeping is not sent (D-C8).
    pub resource: Arc<Resource>,
    /// The file and index for the path and index annotations (D-C1).
    pub place: Option<FilePlace>,
    /// The annotations with origin and transformations that `buildMetadata` requests.
    pub metadata: Vec<(&'static str, String)>,
}

/// The text of a `ResourceList`: its keys in upstream's order, with comments and the order of other
/// keys kept (D-C12).
///
/// # Errors
/// A resource whose own path or index annotations contradict each other, with Kustomize's message.
pub fn request(items: &[OutgoingObject], config: &Node) -> Result<Vec<u8>, PluginFault> {
    let mut nodes = Vec::with_capacity(items.len());
    for (number, item) in items.iter().enumerate() {
        let mut node = item.resource.node.clone();
        let position = item.wire_position()?;
        for (key, text) in &item.metadata {
            set_styled(&mut node, key, text, Style::Literal);
        }
        for (keys, value) in [PATH_ANNOTATIONS, INDEX_ANNOTATIONS].into_iter().zip(position) {
            let Some(value) = value else { continue };
            for key in keys {
                set_styled(&mut node, key, &value, Style::SingleQuoted);
            }
        }
        let id = (number + 1).to_string();
        for key in ID_ANNOTATIONS {
            set_styled(&mut node, key, &id, Style::SingleQuoted);
        }
        nodes.push(node);
    }
    let mut list = Node::mapping();
    list.set("apiVersion", Node::string("config.kubernetes.io/v1"));
    list.set("kind", Node::string("ResourceList"));
    let style = if nodes.is_empty() { Style::Flow } else { Style::Plain };
    list.set("items", Value::Sequence(Arc::new(nodes), style).into());
    list.set("functionConfig", config.clone());
    Ok(print_preserving_style(&list).into_bytes())
}

/// The `functionConfig` as sent to the function: without `runtime` if that field defines the
/// runtime (D-A20), with its origin if `buildMetadata` requests origins, and marked as local
/// configuration.
pub fn function_config(config: &Node, runtime_in_field: bool, origin: Option<&str>) -> Node {
    let mut config = config.clone();
    if let Some(origin) = origin {
        set_styled(&mut config, ORIGIN, origin, Style::Literal);
    }
    if runtime_in_field {
        config.remove("runtime");
    }
    set_annotation(&mut config, LOCAL_CONFIG_ANNOTATION, "true");
    config
}

impl OutgoingObject {
    /// The path and index to send: those of the resource's own annotations, in either spelling and
    /// regardless of the spelling in other resources (D-C9), else those of its file.
    pub(super) fn wire_position(&self) -> Result<[Option<String>; 2], PluginFault> {
        let own = |keys: [&str; 2], kind: &'static str| {
            let [new, old] = keys.map(|key| self.resource.annotation(key));
            match (new, old) {
                (Some(new), Some(old)) if new != old => Err(PluginFault::Other(format!(
                    "resource input to function has mismatched legacy and internal {kind} annotations"
                ))),
                (new, old) => Ok(new.or(old).map(str::to_owned)),
            }
        };
        let (path, index) = (own(PATH_ANNOTATIONS, "path")?, own(INDEX_ANNOTATIONS, "index")?);
        let place = self.place.as_ref();
        let has_path = path.is_some();
        Ok([
            path.or_else(|| place.map(|place| place.path.to_string())),
            index.or_else(|| place.filter(|_| !has_path).map(|place| place.index.to_string())),
        ])
    }
}

fn set_styled(node: &mut Node, key: &str, text: &str, style: Style) {
    set_annotation(node, key, text);
    let written = node.get_mut("metadata").and_then(|node| node.get_mut("annotations"));
    if let Some(value) = written.and_then(|node| node.get_mut(key)) {
        let comments = value.comments.take();
        *value = Node::scalar(text, Tag::Str, style);
        value.comments = comments;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::Scopes;
    use crate::yaml::parse_nodes;

    fn outgoing(text: &str, place: Option<FilePlace>) -> OutgoingObject {
        let node = parse_nodes(text.as_bytes()).unwrap().remove(0);
        OutgoingObject {
            resource: Arc::new(Resource::new(node, &Scopes::default())),
            place,
            metadata: Vec::new(),
        }
    }

    #[test]
    fn only_path_index_id_and_comments_are_sent() {
        let mut item = outgoing(
            "# about a\napiVersion: v1\nkind: A\nmetadata:\n  name: a # its name\n",
            Some(FilePlace { path: "x/a.yaml".into(), index: 2 }),
        );
        Arc::make_mut(&mut item.resource).needs_hash = true;
        let config = outgoing("kind: F\nruntime: {exec: {path: ./f}}\n", None);
        let config = function_config(&config.resource.node, true, None);
        let bytes = request(&[item], &config).unwrap();
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "apiVersion: config.kubernetes.io/v1\n\
             kind: ResourceList\n\
             items:\n\
             - # about a\n  \
               apiVersion: v1\n  \
               kind: A\n  \
               metadata:\n    \
                 name: a # its name\n    \
                 annotations:\n      \
                   internal.config.kubernetes.io/path: 'x/a.yaml'\n      \
                   config.kubernetes.io/path: 'x/a.yaml'\n      \
                   internal.config.kubernetes.io/index: '2'\n      \
                   config.kubernetes.io/index: '2'\n      \
                   internal.config.kubernetes.io/id: '1'\n      \
                   config.k8s.io/id: '1'\n\
             functionConfig:\n  \
               kind: F\n  \
               metadata:\n    \
                 annotations:\n      \
                   config.kubernetes.io/local-config: \"true\"\n"
        );
    }

    #[test]
    fn own_path_annotations_are_sent_and_must_agree() {
        let with = |annotations: &str| {
            outgoing(
                &format!("{{kind: A, metadata: {{name: a, annotations: {{{annotations}}}}}}}"),
                Some(FilePlace { path: "f.yaml".into(), index: 0 }),
            )
        };
        let wire = with("config.kubernetes.io/path: g.yaml").wire_position().unwrap();
        assert_eq!(wire, [Some("g.yaml".to_owned()), None]);
        let error =
            with("config.kubernetes.io/path: g.yaml, internal.config.kubernetes.io/path: h.yaml");
        assert_eq!(
            error.wire_position().unwrap_err().to_string(),
            "resource input to function has mismatched legacy and internal path annotations"
        );
    }
}
