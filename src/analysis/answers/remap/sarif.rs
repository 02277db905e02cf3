//! SARIF 2.1.0: reads results of any program, and writes results.

use serde_json::{Map as Members, Value, json};

use super::values::array_items;
use super::{FindingLocation, NamedResource, RemappedFinding, ToolFinding, ToolReport};
use crate::answers::report::FilePosition;
use crate::display::percent_encoded;

/// The members of a result that are written anew and therefore not copied.
const REWRITTEN_MEMBERS: [&str; 8] = [
    "ruleId",
    "ruleIndex",
    "rule",
    "level",
    "message",
    "locations",
    "relatedLocations",
    "fingerprints",
];

pub(super) fn run(run: &Value) -> ToolReport {
    let mut driver = run["tool"]["driver"].as_object().cloned().unwrap_or_default();
    let own = driver.remove("rules");
    let others = array_items(&run["tool"]["extensions"]).flat_map(|it| array_items(&it["rules"]));
    let own = own.as_ref().and_then(Value::as_array).cloned().unwrap_or_default();
    let rules: Vec<Value> = own.iter().cloned().chain(others.cloned()).collect();
    let results = array_items(&run["results"]);
    let found = results.map(|result| parse_result(result, run, &own)).collect();
    ToolReport { driver, rules, found }
}

fn parse_result(result: &Value, run: &Value, rules: &[Value]) -> ToolFinding {
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    let by_number = number(&result["ruleIndex"]).or_else(|| number(&result["rule"]["index"]));
    let rule = result["ruleId"].as_str().or_else(|| result["rule"]["id"].as_str());
    let rule = rule.or_else(|| rules.get(by_number?)?["id"].as_str()).unwrap_or_default();
    let described = rules.iter().find(|known| known["id"] == *rule);
    let usual = described.and_then(|it| it["defaultConfiguration"]["level"].as_str());
    let place = &result["locations"][0]["physicalLocation"];
    let artifact = &place["artifactLocation"];
    let listed = number(&artifact["index"]).map(|index| &run["artifacts"][index]["location"]);
    let file = artifact["uri"].as_str().or_else(|| listed?["uri"].as_str());
    let line = |name: &str| place["region"][name].as_u64().and_then(|it| u32::try_from(it).ok());
    let more = result.as_object().into_iter().flatten();
    let more = more.filter(|(name, _)| !REWRITTEN_MEMBERS.contains(&name.as_str()));
    ToolFinding {
        rule: rule.to_owned(),
        level: result["level"].as_str().or(usual).unwrap_or("warning").to_owned(),
        message: message_text(&result["message"], described),
        file: file.map(|uri| {
            let path = uri.strip_prefix("file://").unwrap_or(uri);
            percent_encoding::percent_decode_str(path).decode_utf8_lossy().into_owned()
        }),
        line: line("startLine"),
        end_line: line("endLine"),
        resource: logical_resource(&result["locations"][0]["logicalLocations"]),
        paths: Vec::new(),
        more: more.map(|(name, value)| (name.clone(), value.clone())).collect(),
    }
}

/// The text of a message; a message with an id is taken from its rule.
fn message_text(message: &Value, rule: Option<&Value>) -> String {
    if let Some(text) = message["text"].as_str().or_else(|| message["markdown"].as_str()) {
        return text.to_owned();
    }
    let named = message["id"].as_str().and_then(|id| rule?["messageStrings"][id]["text"].as_str());
    let mut text = named.unwrap_or_default().to_owned();
    for (number, argument) in array_items(&message["arguments"]).enumerate() {
        text = text.replace(&format!("{{{number}}}"), argument.as_str().unwrap_or_default());
    }
    text
}

/// The resource of a logical location: `shop/web (apps/v1, Kind=Deployment)`, as kube-linter writes
/// it.
fn logical_resource(locations: &Value) -> Option<NamedResource> {
    let name =
        locations[0]["fullyQualifiedName"].as_str().or_else(|| locations[0]["name"].as_str())?;
    let (name, rest) = name.split_once(' ').unwrap_or((name, ""));
    let kind = rest.rsplit_once("Kind=").map(|(_, kind)| kind.trim_end_matches(')').to_owned())?;
    let (namespace, name) = name.split_once('/').unwrap_or(("", name));
    let namespace = if namespace.starts_with('<') { "" } else { namespace };
    Some(NamedResource {
        api_version: None,
        kind: Some(kind),
        name: name.to_owned(),
        namespace: Some(namespace.to_owned()),
    })
}

/// A SARIF document with a run for each program. `prefix` is put before the paths of the maps.
pub fn to_sarif(reports: &[(usize, ToolReport)], told: &[RemappedFinding], prefix: &str) -> Value {
    // The description of a program, its rules and its results.
    type Run = (Members<String, Value>, Vec<Value>, Vec<Value>);
    let mut runs: Vec<Run> = Vec::new();
    let mut run_of = Vec::new();
    for (_, ToolReport { driver, rules, .. }) in reports {
        let known = runs.iter().position(|(known, ..)| known.get("name") == driver.get("name"));
        let number = known.unwrap_or_else(|| {
            runs.push((driver.clone(), Vec::new(), Vec::new()));
            runs.len() - 1
        });
        run_of.push(number);
        for rule in rules {
            if !runs[number].1.iter().any(|known| known["id"] == rule["id"]) {
                runs[number].1.push(rule.clone());
            }
        }
    }
    for it in told {
        if let Some((.., results)) = run_of.get(it.report).and_then(|at| runs.get_mut(*at)) {
            results.push(result(it, prefix));
        }
    }
    let runs = runs.into_iter().map(|(mut driver, rules, results)| {
        driver.entry("name").or_insert_with(|| "unknown".into());
        driver.insert("rules".to_owned(), rules.into());
        json!({"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results})
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": runs.collect::<Vec<_>>(),
    })
}

fn result(told: &RemappedFinding, prefix: &str) -> Value {
    let RemappedFinding { finding, placed, rendered, .. } = told;
    let mut result = finding.more.clone();
    let mut message = finding.message.clone();
    let first = rendered.first();
    let locations = match placed {
        Ok(FindingLocation { places, .. }) => {
            let mut location = json!({});
            if let Some(place) = places.first() {
                location = physical_location(place, prefix);
            }
            if let Some(resource) = first.and_then(|it| it.resource.as_ref()) {
                let path = first.map_or("", |it| &it.path);
                let name = format!("{resource} {path}");
                location["logicalLocations"] = json!([{"fullyQualifiedName": name.trim_end()}]);
            }
            location
        }
        Err(why) => {
            message.push_str(&format!(" (location in the sources not known: {why})"));
            let file = finding.file.as_deref().unwrap_or("stdin");
            let mut place = json!({"artifactLocation": {"uri": uri(file)}});
            if let Some(line) = finding.line {
                place["region"] = json!({"startLine": line});
            }
            json!({"physicalLocation": place})
        }
    };
    result.insert("ruleId".to_owned(), finding.rule.as_str().into());
    result.insert("level".to_owned(), finding.level.as_str().into());
    result.insert("message".to_owned(), json!({"text": message}));
    result.insert("locations".to_owned(), json!([locations]));
    let related =
        placed.as_ref().map(|placed| related_locations(placed, prefix)).unwrap_or_default();
    if !related.is_empty() {
        result.insert("relatedLocations".to_owned(), related.into());
    }
    // The fingerprints of the program depend on lines of the output, which the result no longer
    // contains.
    result.remove("partialFingerprints");
    let properties = result.entry("properties").or_insert_with(|| json!({}));
    if let Some(properties) = properties.as_object_mut() {
        properties.insert("kzui".to_owned(), kzui_properties(told));
    }
    result.into()
}

fn related_locations(placed: &FindingLocation, prefix: &str) -> Vec<Value> {
    let also = placed
        .places
        .iter()
        .skip(1)
        .map(|place| ("another part of the value is written here", place));
    let chain = placed.chain.iter().map(|(words, place)| (words.as_str(), place));
    let each = also.chain(chain).enumerate();
    let location = |(number, (words, place)): (usize, (&str, &FilePosition))| {
        let mut location = physical_location(place, prefix);
        location["id"] = (number + 1).into();
        location["message"] = json!({"text": words});
        location
    };
    each.map(location).collect()
}

fn kzui_properties(told: &RemappedFinding) -> Value {
    let mut targets: Vec<&str> = Vec::new();
    for target in told.rendered.iter().filter_map(|it| it.target.as_deref()) {
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    let step = told.placed.as_ref().ok().and_then(|placed| placed.step.as_ref());
    let unknown = told.placed.as_ref().err();
    json!({
        "placed": told.placed.is_ok(),
        "notPlacedBecause": unknown,
        "step": step,
        "targets": targets,
        "rendered": told.rendered,
    })
}

/// A SARIF location; `prefix` is put before the path of a file.
fn physical_location(place: &FilePosition, prefix: &str) -> Value {
    let file = &place.file;
    let is_address = file.contains("://");
    let path = if is_address { file.clone() } else { format!("{prefix}{file}") };
    let mut region = json!({"startLine": place.line.max(1)});
    if place.column > 0 {
        region["startColumn"] = place.column.into();
    }
    json!({"physicalLocation": {"artifactLocation": {"uri": uri(&path)}, "region": region}})
}

fn uri(path: &str) -> String {
    percent_encoded(path, "-._~/!$&'()*+,;=:@?")
}
