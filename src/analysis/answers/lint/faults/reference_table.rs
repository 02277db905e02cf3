//! Fields of common custom resources that refer to other resources. Kustomize does not know these
//! fields; they are offered as `configurations`.

/// A field of a custom resource that refers to another resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReferenceRow {
    pub(super) group: &'static str,
    pub(super) kind: &'static str,
    /// The path, in the form of a field spec.
    pub(super) path: &'static str,
    /// The kind of the referenced resource if no `kind` is written beside the name; empty if `kind`
    /// is required.
    pub(super) target: &'static str,
}

const fn reference_field(
    group: &'static str,
    kind: &'static str,
    path: &'static str,
    target: &'static str,
) -> ReferenceRow {
    ReferenceRow { group, kind, path, target }
}

const ARGO_GROUP: &str = "argoproj.io";
const CERT_MANAGER_GROUP: &str = "cert-manager.io";
const ISTIO_GROUP: &str = "networking.istio.io";
const PROMETHEUS_GROUP: &str = "monitoring.coreos.com";
const GATEWAY_GROUP: &str = "gateway.networking.k8s.io";
const EXTERNAL_SECRETS_GROUP: &str = "external-secrets.io";
const TRAEFIK_GROUP: &str = "traefik.io";

pub(super) const REFERENCE_FIELDS: &[ReferenceRow] = &[
    reference_field(ARGO_GROUP, "Rollout", "spec/strategy/canary/canaryService", "Service"),
    reference_field(ARGO_GROUP, "Rollout", "spec/strategy/canary/stableService", "Service"),
    reference_field(ARGO_GROUP, "Rollout", "spec/strategy/blueGreen/activeService", "Service"),
    reference_field(ARGO_GROUP, "Rollout", "spec/strategy/blueGreen/previewService", "Service"),
    reference_field(
        ARGO_GROUP,
        "Rollout",
        "spec/template/spec/volumes/configMap/name",
        "ConfigMap",
    ),
    reference_field(
        ARGO_GROUP,
        "Rollout",
        "spec/template/spec/volumes/secret/secretName",
        "Secret",
    ),
    reference_field(
        ARGO_GROUP,
        "Rollout",
        "spec/template/spec/containers/envFrom/configMapRef/name",
        "ConfigMap",
    ),
    reference_field(
        ARGO_GROUP,
        "Rollout",
        "spec/template/spec/containers/envFrom/secretRef/name",
        "Secret",
    ),
    reference_field(
        ARGO_GROUP,
        "Rollout",
        "spec/template/spec/containers/env/valueFrom/configMapKeyRef/name",
        "ConfigMap",
    ),
    reference_field(
        ARGO_GROUP,
        "Rollout",
        "spec/template/spec/containers/env/valueFrom/secretKeyRef/name",
        "Secret",
    ),
    reference_field(
        ARGO_GROUP,
        "Rollout",
        "spec/template/spec/serviceAccountName",
        "ServiceAccount",
    ),
    reference_field(ARGO_GROUP, "Rollout", "spec/workloadRef/name", ""),
    reference_field(ARGO_GROUP, "Workflow", "spec/serviceAccountName", "ServiceAccount"),
    reference_field(ARGO_GROUP, "Workflow", "spec/workflowTemplateRef/name", "WorkflowTemplate"),
    reference_field(ARGO_GROUP, "WorkflowTemplate", "spec/serviceAccountName", "ServiceAccount"),
    reference_field(
        ARGO_GROUP,
        "CronWorkflow",
        "spec/workflowSpec/serviceAccountName",
        "ServiceAccount",
    ),
    reference_field(ARGO_GROUP, "Sensor", "spec/template/serviceAccountName", "ServiceAccount"),
    reference_field(ARGO_GROUP, "Sensor", "spec/dependencies/eventSourceName", "EventSource"),
    reference_field(CERT_MANAGER_GROUP, "Certificate", "spec/issuerRef/name", "Issuer"),
    reference_field(CERT_MANAGER_GROUP, "Issuer", "spec/ca/secretName", "Secret"),
    reference_field(CERT_MANAGER_GROUP, "Issuer", "spec/acme/privateKeySecretRef/name", "Secret"),
    reference_field(
        CERT_MANAGER_GROUP,
        "ClusterIssuer",
        "spec/acme/privateKeySecretRef/name",
        "Secret",
    ),
    reference_field(ISTIO_GROUP, "VirtualService", "spec/http/route/destination/host", "Service"),
    reference_field(ISTIO_GROUP, "VirtualService", "spec/tcp/route/destination/host", "Service"),
    reference_field(ISTIO_GROUP, "VirtualService", "spec/gateways", "Gateway"),
    reference_field(ISTIO_GROUP, "DestinationRule", "spec/host", "Service"),
    reference_field(ISTIO_GROUP, "Gateway", "spec/servers/tls/credentialName", "Secret"),
    reference_field(GATEWAY_GROUP, "HTTPRoute", "spec/rules/backendRefs/name", "Service"),
    reference_field(GATEWAY_GROUP, "GRPCRoute", "spec/rules/backendRefs/name", "Service"),
    reference_field(GATEWAY_GROUP, "TCPRoute", "spec/rules/backendRefs/name", "Service"),
    reference_field(GATEWAY_GROUP, "HTTPRoute", "spec/parentRefs/name", "Gateway"),
    reference_field(GATEWAY_GROUP, "Gateway", "spec/listeners/tls/certificateRefs/name", "Secret"),
    reference_field("keda.sh", "ScaledObject", "spec/scaleTargetRef/name", "Deployment"),
    reference_field(
        "keda.sh",
        "ScaledObject",
        "spec/triggers/authenticationRef/name",
        "TriggerAuthentication",
    ),
    reference_field("keda.sh", "TriggerAuthentication", "spec/secretTargetRef/name", "Secret"),
    reference_field("autoscaling.k8s.io", "VerticalPodAutoscaler", "spec/targetRef/name", ""),
    reference_field(PROMETHEUS_GROUP, "Prometheus", "spec/serviceAccountName", "ServiceAccount"),
    reference_field(PROMETHEUS_GROUP, "Alertmanager", "spec/configSecret", "Secret"),
    reference_field(
        PROMETHEUS_GROUP,
        "ServiceMonitor",
        "spec/endpoints/bearerTokenSecret/name",
        "Secret",
    ),
    reference_field(
        PROMETHEUS_GROUP,
        "ServiceMonitor",
        "spec/endpoints/basicAuth/username/name",
        "Secret",
    ),
    reference_field(
        PROMETHEUS_GROUP,
        "ServiceMonitor",
        "spec/endpoints/basicAuth/password/name",
        "Secret",
    ),
    reference_field(
        EXTERNAL_SECRETS_GROUP,
        "ExternalSecret",
        "spec/secretStoreRef/name",
        "SecretStore",
    ),
    reference_field(
        EXTERNAL_SECRETS_GROUP,
        "SecretStore",
        "spec/provider/vault/auth/tokenSecretRef/name",
        "Secret",
    ),
    reference_field("kustomize.toolkit.fluxcd.io", "Kustomization", "spec/sourceRef/name", ""),
    reference_field("helm.toolkit.fluxcd.io", "HelmRelease", "spec/chart/spec/sourceRef/name", ""),
    reference_field("helm.toolkit.fluxcd.io", "HelmRelease", "spec/valuesFrom/name", ""),
    reference_field("source.toolkit.fluxcd.io", "GitRepository", "spec/secretRef/name", "Secret"),
    reference_field("source.toolkit.fluxcd.io", "HelmRepository", "spec/secretRef/name", "Secret"),
    reference_field(TRAEFIK_GROUP, "IngressRoute", "spec/routes/services/name", "Service"),
    reference_field(TRAEFIK_GROUP, "IngressRoute", "spec/routes/middlewares/name", "Middleware"),
    reference_field(TRAEFIK_GROUP, "IngressRoute", "spec/tls/secretName", "Secret"),
    reference_field(
        "serving.knative.dev",
        "Service",
        "spec/template/spec/serviceAccountName",
        "ServiceAccount",
    ),
    reference_field("tekton.dev", "Pipeline", "spec/tasks/taskRef/name", "Task"),
    reference_field("tekton.dev", "PipelineRun", "spec/pipelineRef/name", "Pipeline"),
    reference_field("tekton.dev", "TaskRun", "spec/taskRef/name", "Task"),
    reference_field("postgresql.cnpg.io", "Cluster", "spec/bootstrap/initdb/secret/name", "Secret"),
    reference_field(
        "kafka.strimzi.io",
        "KafkaConnect",
        "spec/tls/trustedCertificates/secretName",
        "Secret",
    ),
    reference_field("velero.io", "BackupStorageLocation", "spec/credential/name", "Secret"),
    reference_field("cluster.x-k8s.io", "Cluster", "spec/infrastructureRef/name", ""),
    reference_field(
        "cluster.x-k8s.io",
        "MachineDeployment",
        "spec/template/spec/infrastructureRef/name",
        "",
    ),
];
