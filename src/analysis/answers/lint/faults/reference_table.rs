//! Fields of common custom resources that refer to other resources. Kustomize does not know these
//! fields; they are offered as `configurations`.

/// A field of a custom resource that refers to another resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReferenceRow {
    /// The group of the type with the field.
    pub(super) group: &'static str,
    pub(super) kind: &'static str,
    /// The path, in the form of a field spec.
    pub(super) path: &'static str,
    /// The kind of the referenced resource if no `kind` is written beside the name; empty if `kind`
    /// is required.
    pub(super) target: &'static str,
}

const fn field(
    group: &'static str,
    kind: &'static str,
    path: &'static str,
    target: &'static str,
) -> ReferenceRow {
    ReferenceRow { group, kind, path, target }
}

const ARGO: &str = "argoproj.io";
const CERT: &str = "cert-manager.io";
const ISTIO: &str = "networking.istio.io";
const PROM: &str = "monitoring.coreos.com";
const GATEWAY: &str = "gateway.networking.k8s.io";
const SECRETS: &str = "external-secrets.io";
const TRAEFIK: &str = "traefik.io";

/// The known reference fields of custom resources.
pub(super) const FIELDS: &[ReferenceRow] = &[
    field(ARGO, "Rollout", "spec/strategy/canary/canaryService", "Service"),
    field(ARGO, "Rollout", "spec/strategy/canary/stableService", "Service"),
    field(ARGO, "Rollout", "spec/strategy/blueGreen/activeService", "Service"),
    field(ARGO, "Rollout", "spec/strategy/blueGreen/previewService", "Service"),
    field(ARGO, "Rollout", "spec/template/spec/volumes/configMap/name", "ConfigMap"),
    field(ARGO, "Rollout", "spec/template/spec/volumes/secret/secretName", "Secret"),
    field(ARGO, "Rollout", "spec/template/spec/containers/envFrom/configMapRef/name", "ConfigMap"),
    field(ARGO, "Rollout", "spec/template/spec/containers/envFrom/secretRef/name", "Secret"),
    field(
        ARGO,
        "Rollout",
        "spec/template/spec/containers/env/valueFrom/configMapKeyRef/name",
        "ConfigMap",
    ),
    field(
        ARGO,
        "Rollout",
        "spec/template/spec/containers/env/valueFrom/secretKeyRef/name",
        "Secret",
    ),
    field(ARGO, "Rollout", "spec/template/spec/serviceAccountName", "ServiceAccount"),
    field(ARGO, "Rollout", "spec/workloadRef/name", ""),
    field(ARGO, "Workflow", "spec/serviceAccountName", "ServiceAccount"),
    field(ARGO, "Workflow", "spec/workflowTemplateRef/name", "WorkflowTemplate"),
    field(ARGO, "WorkflowTemplate", "spec/serviceAccountName", "ServiceAccount"),
    field(ARGO, "CronWorkflow", "spec/workflowSpec/serviceAccountName", "ServiceAccount"),
    field(ARGO, "Sensor", "spec/template/serviceAccountName", "ServiceAccount"),
    field(ARGO, "Sensor", "spec/dependencies/eventSourceName", "EventSource"),
    field(CERT, "Certificate", "spec/issuerRef/name", "Issuer"),
    field(CERT, "Issuer", "spec/ca/secretName", "Secret"),
    field(CERT, "Issuer", "spec/acme/privateKeySecretRef/name", "Secret"),
    field(CERT, "ClusterIssuer", "spec/acme/privateKeySecretRef/name", "Secret"),
    field(ISTIO, "VirtualService", "spec/http/route/destination/host", "Service"),
    field(ISTIO, "VirtualService", "spec/tcp/route/destination/host", "Service"),
    field(ISTIO, "VirtualService", "spec/gateways", "Gateway"),
    field(ISTIO, "DestinationRule", "spec/host", "Service"),
    field(ISTIO, "Gateway", "spec/servers/tls/credentialName", "Secret"),
    field(GATEWAY, "HTTPRoute", "spec/rules/backendRefs/name", "Service"),
    field(GATEWAY, "GRPCRoute", "spec/rules/backendRefs/name", "Service"),
    field(GATEWAY, "TCPRoute", "spec/rules/backendRefs/name", "Service"),
    field(GATEWAY, "HTTPRoute", "spec/parentRefs/name", "Gateway"),
    field(GATEWAY, "Gateway", "spec/listeners/tls/certificateRefs/name", "Secret"),
    field("keda.sh", "ScaledObject", "spec/scaleTargetRef/name", "Deployment"),
    field(
        "keda.sh",
        "ScaledObject",
        "spec/triggers/authenticationRef/name",
        "TriggerAuthentication",
    ),
    field("keda.sh", "TriggerAuthentication", "spec/secretTargetRef/name", "Secret"),
    field("autoscaling.k8s.io", "VerticalPodAutoscaler", "spec/targetRef/name", ""),
    field(PROM, "Prometheus", "spec/serviceAccountName", "ServiceAccount"),
    field(PROM, "Alertmanager", "spec/configSecret", "Secret"),
    field(PROM, "ServiceMonitor", "spec/endpoints/bearerTokenSecret/name", "Secret"),
    field(PROM, "ServiceMonitor", "spec/endpoints/basicAuth/username/name", "Secret"),
    field(PROM, "ServiceMonitor", "spec/endpoints/basicAuth/password/name", "Secret"),
    field(SECRETS, "ExternalSecret", "spec/secretStoreRef/name", "SecretStore"),
    field(SECRETS, "SecretStore", "spec/provider/vault/auth/tokenSecretRef/name", "Secret"),
    field("kustomize.toolkit.fluxcd.io", "Kustomization", "spec/sourceRef/name", ""),
    field("helm.toolkit.fluxcd.io", "HelmRelease", "spec/chart/spec/sourceRef/name", ""),
    field("helm.toolkit.fluxcd.io", "HelmRelease", "spec/valuesFrom/name", ""),
    field("source.toolkit.fluxcd.io", "GitRepository", "spec/secretRef/name", "Secret"),
    field("source.toolkit.fluxcd.io", "HelmRepository", "spec/secretRef/name", "Secret"),
    field(TRAEFIK, "IngressRoute", "spec/routes/services/name", "Service"),
    field(TRAEFIK, "IngressRoute", "spec/routes/middlewares/name", "Middleware"),
    field(TRAEFIK, "IngressRoute", "spec/tls/secretName", "Secret"),
    field(
        "serving.knative.dev",
        "Service",
        "spec/template/spec/serviceAccountName",
        "ServiceAccount",
    ),
    field("tekton.dev", "Pipeline", "spec/tasks/taskRef/name", "Task"),
    field("tekton.dev", "PipelineRun", "spec/pipelineRef/name", "Pipeline"),
    field("tekton.dev", "TaskRun", "spec/taskRef/name", "Task"),
    field("postgresql.cnpg.io", "Cluster", "spec/bootstrap/initdb/secret/name", "Secret"),
    field("kafka.strimzi.io", "KafkaConnect", "spec/tls/trustedCertificates/secretName", "Secret"),
    field("velero.io", "BackupStorageLocation", "spec/credential/name", "Secret"),
    field("cluster.x-k8s.io", "Cluster", "spec/infrastructureRef/name", ""),
    field("cluster.x-k8s.io", "MachineDeployment", "spec/template/spec/infrastructureRef/name", ""),
];
