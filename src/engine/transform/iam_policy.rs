//! `IAMPolicyGenerator` (section 4.16).

use crate::engine::load::Root;
use crate::engine::manifest::IamPolicyArgs;
use crate::engine::resource::{Resource, Scopes};
use crate::engine::yaml::Node;

use super::{Context, Generator, TransformError};

/// Makes a `ServiceAccount` that is bound to one of Google Cloud.
#[derive(Clone, Debug, Default)]
pub struct IamPolicyGenerator {
    /// The configuration.
    pub args: IamPolicyArgs,
}

impl Generator for IamPolicyGenerator {
    fn generate(
        &self,
        _root: &Root,
        cx: &mut Context<'_>,
    ) -> Result<Vec<Resource>, TransformError> {
        let args = &self.args;
        if args.cloud.value != "gke" {
            let phrase = format!("cloud provider {} not supported yet", args.cloud.value);
            return Err(TransformError::phrase(phrase, args.cloud.mark));
        }
        let text = |text: &str| Node::string(text).marked(cx.mark);
        let account = format!(
            "{}@{}.iam.gserviceaccount.com",
            args.service_account_name, args.service_account_project_id
        );
        let annotations = mapping(cx, vec![("iam.gke.io/gcp-service-account", text(&account))]);
        let mut metadata = vec![("annotations", annotations)];
        metadata.push(("name", text(&args.kubernetes_service_name)));
        if !args.kubernetes_service_namespace.is_empty() {
            metadata.push(("namespace", text(&args.kubernetes_service_namespace)));
        }
        let metadata = mapping(cx, metadata);
        let node = mapping(
            cx,
            vec![
                ("apiVersion", text("v1")),
                ("kind", text("ServiceAccount")),
                ("metadata", metadata),
            ],
        );
        Ok(vec![Resource::new(node, &Scopes::default())])
    }
}

fn mapping(cx: &Context<'_>, fields: Vec<(&str, Node)>) -> Node {
    let mut node = Node::mapping().marked(cx.mark);
    if let Some(mapping) = node.as_mapping_mut() {
        for (key, value) in fields {
            mapping.set(key, value);
        }
    }
    node
}
