//! The reports of programs, recognized by their content.

use serde_json::{Value, json};

use super::values::{
    array_items, findings_for_program, line, named, non_empty_text, path, paths, sarif_level, text,
};
use super::{NamedResource, ToolFinding, ToolReport, policies, sarif};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportKind {
    /// SARIF 2.1.0, of any program.
    Sarif,
    /// The output of `kubeconform -output json`.
    Kubeconform,
    /// The output of `kube-linter lint --format json`.
    KubeLinter,
    /// The output of `kubescape scan --format json`.
    Kubescape,
    /// The output of `checkov -o json`.
    Checkov,
    /// The output of `trivy config --format json`.
    Trivy,
    /// The report of `kyverno apply --policy-report`, as JSON.
    Kyverno,
    /// The output of `conftest test --output json`.
    Conftest,
}

impl ReportKind {
    fn detect(document: &Value) -> Option<Self> {
        let has = |name: &str| document.get(name).is_some();
        let first = document.get(0);
        let first_has = |name: &str| first.is_some_and(|first| first.get(name).is_some());
        if document["runs"].is_array() {
            Some(Self::Sarif)
        } else if has("Reports") || has("Checks") && has("Summary") {
            Some(Self::KubeLinter)
        } else if has("summaryDetails") {
            Some(Self::Kubescape)
        } else if has("SchemaVersion") || document["Results"].is_array() {
            Some(Self::Trivy)
        } else if has("check_type") || first_has("check_type") || has("passed") && has("failed") {
            Some(Self::Checkov)
        } else if is_policy_report(document) || first.is_some_and(is_policy_report) {
            Some(Self::Kyverno)
        } else if document["resources"].is_array() {
            Some(Self::Kubeconform)
        } else if first_has("filename") || document.as_array().is_some_and(Vec::is_empty) {
            Some(Self::Conftest)
        } else {
            None
        }
    }
}

fn is_policy_report(document: &Value) -> bool {
    let group = document["apiVersion"].as_str().unwrap_or_default();
    group.starts_with("wgpolicyk8s.io/")
        || group.starts_with("openreports.io/")
        || document["items"].get(0).is_some_and(is_policy_report)
}

/// Reads a report of a given or detected kind. Some programs print words before it.
pub fn read(text: &str, kind: Option<ReportKind>) -> Result<Vec<ToolReport>, String> {
    let text = text.trim_start_matches('\u{feff}');
    let document: Value = serde_json::from_str(text).or_else(|error| {
        let wrong = |_| format!("not JSON ({error})");
        let lines = text.match_indices('\n').map(|(at, _)| at + 1);
        let begins = lines.filter(|at| text[*at..].starts_with(['{', '[']));
        let mut read = begins.map(|at| serde_json::from_str(&text[at..]));
        read.find(Result::is_ok).unwrap_or_else(|| serde_json::from_str(text)).map_err(wrong)
    })?;
    let kind = kind.or_else(|| ReportKind::detect(&document)).ok_or(
        "it is neither SARIF nor the JSON of kubeconform, kube-linter, kubescape, checkov, trivy config, kyverno or conftest",
    )?;
    Ok(match kind {
        ReportKind::Sarif => array_items(&document["runs"]).map(sarif::run).collect(),
        ReportKind::Kubeconform => vec![kubeconform(&document)],
        ReportKind::KubeLinter => vec![kube_linter(&document)],
        ReportKind::Kubescape => vec![kubescape(&document)],
        ReportKind::Checkov => vec![checkov(&document)],
        ReportKind::Trivy => vec![trivy(&document)],
        ReportKind::Kyverno => vec![policies::kyverno(&document)],
        ReportKind::Conftest => vec![policies::conftest(&document)],
    })
}

/// The help text and address of a rule as members of its SARIF description.
fn sarif_rule_help(words: &Value, address: &Value) -> Value {
    let words = non_empty_text(words).map(|words| json!({"text": words}));
    json!({"help": words, "helpUri": non_empty_text(address)})
}

fn kubeconform(document: &Value) -> ToolReport {
    let mut all = findings_for_program("kubeconform", "https://github.com/yannh/kubeconform");
    for it in array_items(&document["resources"]) {
        let status = text(&it["status"]).trim_start_matches("status").to_lowercase();
        if !matches!(status.as_str(), "invalid" | "error") {
            continue;
        }
        let resource = non_empty_text(&it["name"]).map(|name| NamedResource {
            api_version: non_empty_text(&it["version"]),
            kind: non_empty_text(&it["kind"]),
            name,
            namespace: None,
        });
        let finding = ToolFinding {
            rule: status.clone(),
            level: "error".to_owned(),
            message: text(&it["msg"]),
            file: non_empty_text(&it["filename"]),
            resource,
            ..ToolFinding::default()
        };
        let title = if status == "invalid" {
            "the resource does not match its schema"
        } else {
            "the resource could not be validated"
        };
        let errors: Vec<&Value> = array_items(&it["validationErrors"]).collect();
        for error in &errors {
            let (at, message) = (text(&error["path"]), text(&error["msg"]));
            let message = if at.is_empty() { message } else { format!("{at}: {message}") };
            let paths = vec![path(&format!("/{at}"))];
            all.add(ToolFinding { message, paths, ..finding.clone() }, title, Value::Null);
        }
        if errors.is_empty() {
            all.add(finding, title, Value::Null);
        }
    }
    all
}

fn kube_linter(document: &Value) -> ToolReport {
    let mut all = findings_for_program("kube-linter", "https://github.com/stackrox/kube-linter");
    for it in array_items(&document["Reports"]) {
        let object = &it["Object"]["K8sObject"];
        let gvk = &object["GroupVersionKind"];
        let (group, version) = (text(&gvk["Group"]), text(&gvk["Version"]));
        let api_version = if group.is_empty() { version } else { format!("{group}/{version}") };
        let finding = ToolFinding {
            rule: text(&it["Check"]),
            level: sarif_level(&text(&it["Diagnostic"]["Severity"])),
            message: text(&it["Diagnostic"]["Message"]),
            file: non_empty_text(&it["Object"]["Metadata"]["FilePath"]),
            resource: Some(NamedResource {
                api_version: Some(api_version),
                kind: non_empty_text(&gvk["Kind"]),
                name: text(&object["Name"]),
                namespace: Some(text(&object["Namespace"])),
            }),
            paths: container_paths(&text(&it["Diagnostic"]["Message"])),
            ..ToolFinding::default()
        };
        let check =
            array_items(&document["Checks"]).find(|check| check["name"] == finding.rule.as_str());
        let title = check.map(|check| text(&check["description"])).unwrap_or_default();
        all.add(finding, &title, sarif_rule_help(&it["Remediation"], &Value::Null));
    }
    all
}

/// The possible paths of the container that a message names (`container "app" …`), in a workload of
/// any kind.
fn container_paths(message: &str) -> Vec<Vec<String>> {
    let Some((_, rest)) = message.split_once("container \"") else { return Vec::new() };
    let Some((name, _)) = rest.split_once('"') else { return Vec::new() };
    let pods = ["/spec/template/spec", "/spec/jobTemplate/spec/template/spec", "/spec"];
    let lists = ["containers", "initContainers"];
    let all = pods.iter().flat_map(|pod| lists.iter().map(move |list| format!("{pod}/{list}")));
    all.map(|list| path(&list).into_iter().chain([format!("name={name}")]).collect()).collect()
}

fn kubescape(document: &Value) -> ToolReport {
    let mut all = findings_for_program("kubescape", "https://github.com/kubescape/kubescape");
    let resources: Vec<&Value> = array_items(&document["resources"]).collect();
    for result in array_items(&document["results"]) {
        let id = text(&result["resourceID"]);
        let known = resources.iter().find(|it| it["resourceID"] == id.as_str());
        let object = known.map_or(&result["object"], |known| &known["object"]);
        let source = [&result["source"], known.map_or(&Value::Null, |known| &known["source"])];
        let file = source.iter().find_map(|it| {
            non_empty_text(&it["relativePath"]).or_else(|| non_empty_text(&it["path"]))
        });
        let resource = named(object).or_else(|| parse_resource_id(&id));
        for control in array_items(&result["controls"]) {
            let status = non_empty_text(&control["status"]["status"])
                .unwrap_or_else(|| text(&control["status"]));
            if status != "failed" {
                continue;
            }
            let rule = text(&control["controlID"]);
            let summary = &document["summaryDetails"]["controls"][rule.as_str()];
            let score = summary["scoreFactor"].as_f64().unwrap_or(7.0);
            let rules = array_items(&control["rules"]).filter(|rule| rule["status"] != "passed");
            let told: Vec<&Value> = rules.flat_map(|rule| array_items(&rule["paths"])).collect();
            let names = ["failedPath", "reviewPath", "deletePath"];
            let wrong =
                told.iter().flat_map(|it| names.iter().filter_map(|name| it[*name].as_str()));
            let missing = told.iter().filter_map(|it| it["fixPath"]["path"].as_str());
            let finding = ToolFinding {
                rule: rule.clone(),
                level: sarif_level(if score >= 7.0 {
                    "high"
                } else if score >= 4.0 {
                    "medium"
                } else {
                    "low"
                }),
                message: text(&control["name"]),
                file: file.clone(),
                resource: resource.clone(),
                paths: paths(wrong.chain(missing)),
                ..ToolFinding::default()
            };
            let address = json!(format!("https://hub.armosec.io/docs/{}", rule.to_lowercase()));
            all.add(finding, &text(&control["name"]), sarif_rule_help(&Value::Null, &address));
        }
    }
    all
}

/// The resource in an id of kubescape: `path=…/api=apps/v1/Deployment/shop/web`, or
/// `apps/v1/shop/Deployment/web` of older versions.
fn parse_resource_id(id: &str) -> Option<NamedResource> {
    let parts: Vec<&str> = id.rsplit("api=").next()?.split('/').collect();
    let (name, rest) = parts.split_last()?;
    let is_kind = |part: &&&str| part.starts_with(|c: char| c.is_ascii_uppercase());
    let kind = rest.iter().rfind(is_kind)?;
    Some(NamedResource {
        kind: Some((*kind).to_owned()),
        name: (*name).to_owned(),
        ..NamedResource::default()
    })
}

fn checkov(document: &Value) -> ToolReport {
    let mut all = findings_for_program("checkov", "https://www.checkov.io");
    let reports: Vec<&Value> = match document {
        Value::Array(several) => several.iter().collect(),
        one => vec![one],
    };
    for it in
        reports.into_iter().flat_map(|report| array_items(&report["results"]["failed_checks"]))
    {
        // The resource is written as `Deployment.shop.web`; the name may contain dots.
        let resource = text(&it["resource"]);
        let mut parts = resource.splitn(3, '.').map(str::to_owned);
        let [kind, namespace] = [parts.next(), parts.next()];
        let resource =
            parts.next().map(|name| NamedResource { api_version: None, kind, name, namespace });
        let keys = array_items(&it["check_result"]["evaluated_keys"]).filter_map(Value::as_str);
        let finding = ToolFinding {
            rule: text(&it["check_id"]),
            level: sarif_level(&text(&it["severity"])),
            message: text(&it["check_name"]),
            file: non_empty_text(&it["file_path"]),
            line: line(&it["file_line_range"][0]),
            end_line: line(&it["file_line_range"][1]),
            resource,
            paths: paths(keys),
            ..ToolFinding::default()
        };
        all.add(finding, &text(&it["check_name"]), sarif_rule_help(&Value::Null, &it["guideline"]));
    }
    all
}

fn trivy(document: &Value) -> ToolReport {
    let mut all = findings_for_program("trivy", "https://github.com/aquasecurity/trivy");
    for target in array_items(&document["Results"]) {
        for it in array_items(&target["Misconfigurations"]).filter(|it| it["Status"] != "PASS") {
            let cause = &it["CauseMetadata"];
            let finding = ToolFinding {
                rule: text(&it["ID"]),
                level: sarif_level(&text(&it["Severity"])),
                message: non_empty_text(&it["Message"]).unwrap_or_else(|| text(&it["Title"])),
                file: non_empty_text(&target["Target"]),
                line: line(&cause["StartLine"]),
                end_line: line(&cause["EndLine"]),
                ..ToolFinding::default()
            };
            let more = sarif_rule_help(&it["Resolution"], &it["PrimaryURL"]);
            all.add(finding, &text(&it["Title"]), more);
        }
    }
    all
}
