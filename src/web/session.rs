//! The requests of the page, each with its answer as JSON.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::answers::provenance::output_lines::{LineValue, OutputLine};
use crate::answers::recorded_build::RecordedFile;
use crate::answers::recording::field::{WrittenPath, pointer};
use crate::answers::report::{
    BlameLine, BlameReport, ChangeReport, ReportPaths, StepReport, TraceReport, WhyReport,
    WriterReportInputs, step_title,
};
use crate::answers::secrets::Secrets;
use crate::answers::{Recording, change_diff, relative};
use crate::engine::evaluate::{BuildCache, BuildOptions, Ports, evaluate};
use crate::engine::load::Files;
use crate::engine::profile::Profile;
use crate::engine::resource::Slot;

use super::opened::{OpenedFiles, TargetRow};
use super::refusal::Refusal;

/// The lines of a source file before and after the requested line that are shown.
const SOURCE_LINES_AROUND: usize = 200;

#[derive(Default)]
pub struct Session {
    #[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "for calls of a page"))]
    pub(crate) request: Vec<u8>,
    #[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "for calls of a page"))]
    pub(crate) answer: Vec<u8>,
    opened: Option<OpenedFiles>,
    shown: Option<ShownBuild>,
}

struct ShownBuild {
    recording: Recording,
    secrets: Secrets,
    lines: Vec<OutputLine>,
    files: Arc<dyn Files>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Request {
    Files {
        files: Vec<RecordedFile>,
    },
    Recording {
        text: String,
    },
    /// Builds a target. The salt is random; values of Secrets are shown without one.
    Build {
        target: String,
        like: Option<String>,
        salt: Option<[u8; 16]>,
    },
    /// The changes of a step, by its number from 1.
    Step {
        number: usize,
    },
    /// The writers of the values on a line of the output, by its number from 1.
    Why {
        line: usize,
    },
    /// The lines of a file around a line, by the file's path in an earlier answer.
    Source {
        file: String,
        line: usize,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OpenAnswer<'a> {
    targets: &'a [TargetRow],
    profiles: Vec<&'static str>,
}

/// A build: the documents of `kzui trace` and `kzui blame`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BuildAnswer {
    /// The folder of the target, to which all paths are relative, relative to the files.
    directory: String,
    profile: &'static str,
    /// The shortest name of each resource of the output, in its order.
    resources: Vec<String>,
    trace: TraceReport,
    /// Each step in one line: its name and argument.
    titles: Vec<String>,
    /// The lines of the output; none if the build failed or a step is pending.
    lines: Vec<BlameLine>,
}

/// Lines of a source file, with values of Secrets masked.
#[derive(Serialize)]
struct SourceAnswer {
    /// The number of the first line, from 1.
    first: usize,
    lines: Vec<String>,
}

impl Session {
    /// Answers a request, JSON for JSON. An answer with a `refusal` has no other field.
    pub fn answer_to(&mut self, request: &[u8]) -> Vec<u8> {
        let answer = match serde_json::from_slice(request) {
            Ok(request) => self.respond(request),
            Err(error) => Err(Refusal::from_error(error)),
        };
        let text =
            answer.unwrap_or_else(|refusal| serde_json::json!({ "refusal": refusal }).to_string());
        text.into_bytes()
    }

    fn respond(&mut self, request: Request) -> Result<String, Refusal> {
        let answer = match request {
            Request::Files { files } => self.open(OpenedFiles::tree(files)?)?,
            Request::Recording { text } => self.open(OpenedFiles::recording(&text)?)?,
            Request::Build { target, like, salt } => {
                let opened = self.opened.as_ref().ok_or_else(nothing_built)?;
                let options = opened.options(&target, like.as_deref())?;
                let secrets = salt.map_or_else(Secrets::shown, Secrets::masked);
                let (ports, root) = (opened.ports.clone(), opened.root.clone());
                let (build, answer) = ShownBuild::new(&target, &options, secrets, (ports, root))?;
                self.shown = Some(build);
                to_text(&answer)?
            }
            Request::Step { number } => {
                to_text(&BTreeMap::from([("changes", self.shown()?.step(number))]))?
            }
            Request::Why { line } => {
                to_text(&BTreeMap::from([("values", self.shown()?.why(line))]))?
            }
            Request::Source { file, line } => to_text(&self.shown()?.source(&file, line)?)?,
        };
        Ok(answer)
    }

    fn shown(&self) -> Result<&ShownBuild, Refusal> {
        self.shown.as_ref().ok_or_else(nothing_built)
    }

    fn open(&mut self, opened: OpenedFiles) -> Result<String, Refusal> {
        self.shown = None;
        let opened = self.opened.insert(opened);
        to_text(&OpenAnswer { targets: &opened.targets, profiles: Profile::names().collect() })
    }
}

impl ShownBuild {
    /// Builds a target of the files below `root`.
    ///
    /// # Errors
    /// The output cannot be printed.
    fn new(
        target: &str,
        options: &BuildOptions,
        mut secrets: Secrets,
        (ports, root): (Ports, PathBuf),
    ) -> Result<(Self, BuildAnswer), Refusal> {
        let evaluation = evaluate(target, &root, options, &ports, &mut BuildCache::disabled());
        secrets.learn(&evaluation.trace);
        let trace = &evaluation.trace;
        let places = ReportPaths::relative_to_target(trace);
        let steps = trace.steps.iter().enumerate().map(|(index, step)| {
            let changes = step.changes.iter().map(ChangeReport::from_change);
            let report =
                StepReport::from_step(&places, (index + 1, step), trace, changes.collect());
            // No build has verified the findings of the engine.
            StepReport { warnings: Vec::new(), ..report }
        });
        let titles = trace.steps.iter().map(|step| secrets.label(&step_title(step))).collect();
        let report = TraceReport::from_evaluation(&evaluation, steps.collect(), &secrets);
        let folder = trace.layers.first().map_or(&*root, |layer| Path::new(&*layer.path));
        let (directory, profile) = (relative(folder, &root), trace.profile.name());
        let recording = Recording::new(evaluation, &root.join(target));
        let lines = if report.ok {
            recording.output_lines(&secrets).map_err(Refusal::from_error)?
        } else {
            Vec::new()
        };
        let names = recording.names();
        let name = |(slot, _): &(Slot, _)| names.get(slot).cloned().unwrap_or_default();
        let answer = BuildAnswer {
            directory,
            profile,
            resources: recording.output.iter().map(name).collect(),
            trace: report,
            titles,
            lines: BlameReport::new(&recording, &lines, &secrets, &|_| None).lines,
        };
        Ok((Self { recording, secrets, lines, files: ports.files }, answer))
    }

    /// The changes of a step with their diffs; none for an unknown step.
    fn step(&self, number: usize) -> Vec<ChangeReport> {
        let step = number.checked_sub(1).and_then(|index| self.recording.step(index));
        let changes = step.map(|step| step.changes.as_slice()).unwrap_or_default();
        let report = |change| ChangeReport {
            diff: Some(change_diff(change, &self.secrets)),
            ..ChangeReport::from_change(change)
        };
        changes.iter().map(report).collect()
    }

    /// The writers of each value on a line of the output; none for a line with a key alone.
    fn why(&self, line: usize) -> Vec<WhyReport> {
        let before = self.lines.get(..line).unwrap_or_default();
        let document = before.iter().filter(|line| line.text == "---").count();
        let slot = self.recording.output.get(document).map(|(slot, _)| *slot);
        let values = before.last().map(|line| line.values.as_slice()).unwrap_or_default();
        let writers = WriterReportInputs::new(&self.recording, &self.secrets);
        let report = |(slot, value): (Slot, &LineValue)| {
            let field = WrittenPath::parse(&pointer(&value.path));
            let answer = self.recording.why(slot, &field);
            writers.report(&answer)
        };
        let values = slot.into_iter().flat_map(|slot| values.iter().map(move |it| (slot, it)));
        values.map(report).collect()
    }

    /// The lines of a file of the build around a line.
    ///
    /// # Errors
    /// The build read no such file.
    fn source(&self, file: &str, line: usize) -> Result<SourceAnswer, Refusal> {
        let trace = &self.recording.trace;
        let places = ReportPaths::relative_to_target(trace);
        let path = trace.sources.paths().find(|path| places.path(path) == file);
        let missing = || Refusal::new(format!("{file} is not among the files of the build"));
        let path = Path::new(path.ok_or_else(missing)?);
        let bytes = self.files.read(path).map_err(|_| missing())?;
        let masked = self.secrets.file(path, &bytes);
        let text = String::from_utf8_lossy(&masked);
        let first = line.saturating_sub(SOURCE_LINES_AROUND).max(1);
        let lines = text.lines().skip(first - 1).take(2 * SOURCE_LINES_AROUND);
        Ok(SourceAnswer { first, lines: lines.map(str::to_owned).collect() })
    }
}

fn nothing_built() -> Refusal {
    Refusal::new("no build is open".to_owned()).with_help("select a target")
}

fn to_text(answer: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(answer).map_err(Refusal::from_error)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const TREE: [(&str, &str); 4] = [
        ("prod/kustomization.yaml", "resources: [../base]\nreplicas:\n- name: web\n  count: 3\n"),
        (
            "base/kustomization.yaml",
            "resources: [web.yaml]\nsecretGenerator:\n- {name: key, literals: [a=hunter2-hunter2]}\n",
        ),
        (
            "base/web.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n",
        ),
        ("broken/kustomization.yaml", "namePrefix: [\n"),
    ];

    fn ask(session: &mut Session, request: &Value) -> Value {
        serde_json::from_slice(&session.answer_to(request.to_string().as_bytes())).unwrap()
    }

    fn opened() -> (Session, Value) {
        let mut session = Session::default();
        let file = |(path, text): &(&str, &str)| json!({"path": path, "content": {"text": text}});
        let files: Vec<Value> = TREE.iter().map(file).collect();
        let answer = ask(&mut session, &json!({"ask": "files", "files": files}));
        (session, answer)
    }

    #[test]
    fn targets_come_before_bases() {
        let rows = opened().1["targets"].clone();
        let rows = rows.as_array().unwrap().iter().map(|row| (&row["name"], &row["isTarget"]));
        let rows: Vec<String> =
            rows.map(|(name, is_target)| format!("{name} {is_target}")).collect();
        assert_eq!(rows, ["\"broken\" true", "\"prod\" true", "\"base\" false"]);
    }

    #[test]
    fn line_of_the_output_has_its_writers_and_their_source() {
        let (mut session, _) = opened();
        let salt = [7; 16];
        let build = ask(&mut session, &json!({"ask": "build", "target": "prod", "salt": salt}));
        assert!(!build.to_string().contains("hunter2"), "{build}");
        let lines = build["lines"].as_array().unwrap();
        let at = lines.iter().position(|line| line["text"] == "  replicas: 3").unwrap();
        let place = &lines[at]["values"][0]["at"];
        assert_eq!((&place["file"], &place["line"]), (&json!("kustomization.yaml"), &json!(4)));
        let why = ask(&mut session, &json!({"ask": "why", "line": at + 1}));
        let writers = &why["values"][0]["fields"][0]["writers"];
        assert_eq!((&writers[0]["value"], &writers[1]["value"]), (&json!("3"), &json!("1")));
        let file = &writers[1]["at"]["file"];
        let source = ask(&mut session, &json!({"ask": "source", "file": file, "line": 6}));
        assert_eq!(source["lines"][5], "  replicas: 1");
        let step = &writers[0]["step"]["number"];
        let step = ask(&mut session, &json!({"ask": "step", "number": step}));
        assert!(step["changes"][0]["diff"].as_str().unwrap().contains("+  replicas: 3"));
    }

    #[test]
    fn failures_have_a_code_and_refusals_a_help() {
        let (mut session, _) = opened();
        let broken = ask(&mut session, &json!({"ask": "build", "target": "broken"}));
        assert_eq!(broken["trace"]["error"]["at"]["file"], "kustomization.yaml", "{broken}");
        assert!(broken["trace"]["error"]["code"].as_str().unwrap().starts_with("KZ"));
        let none = ask(&mut session, &json!({"ask": "files", "files": []}));
        assert!(none["refusal"]["help"].is_string());
        let files = [json!({"path": "../a", "content": {"text": ""}})];
        let outside = ask(&mut session, &json!({"ask": "files", "files": files}));
        assert!(outside["refusal"]["message"].as_str().unwrap().contains("leads out"));
        let newer =
            ask(&mut session, &json!({"ask": "recording", "text": "{\"kzuiRecording\": 99}"}));
        assert!(newer["refusal"]["message"].as_str().unwrap().contains("version 99"));
    }
}
