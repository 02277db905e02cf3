//! `IAMPolicyGenerator` (section 4.16).

use crate::diagnostic::GeneratorFault;
use crate::load::Root;
use crate::manifest::IamPolicyArgs;
use crate::resource::{Resource, Scopes};
use crate::yaml::{Limits, SourceId, parse_documents};

use super::{Context, Generator, TransformError};

/// Generates a `ServiceAccount` that is bound to a service account of Google Cloud.
#[derive(Clone, Debug, Default)]
pub struct IamPolicyGenerator {
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
            let fault = GeneratorFault::UnknownCloud(args.cloud.value.clone());
            return Err(TransformError::fault(fault, args.cloud.mark));
        }
        // Kustomize fills in a text template and parses it, so that inserted values are YAML: a
        // name of digits is a number.
        let mut text = format!(
            "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  annotations:\n    \
             iam.gke.io/gcp-service-account: {}@{}.iam.gserviceaccount.com\n  name: {}\n",
            args.service_account_name,
            args.service_account_project_id,
            args.kubernetes_service_name
        );
        if !args.kubernetes_service_namespace.is_empty() {
            text.push_str(&format!("  namespace: {}\n", args.kubernetes_service_namespace));
        }
        let file = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default())
            .map_err(|error| TransformError::fault(error, cx.mark))?;
        let made = file.documents.into_iter().take(1).map(|document| {
            let mut node = document.node;
            node.mark_all(cx.mark);
            Resource::new(node, &Scopes::default())
        });
        Ok(made.collect())
    }
}
