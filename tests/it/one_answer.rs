//! One law: for the same field, every face names the same writers.

use std::path::Path;

use kzui::answers::Recording;
use kzui::answers::provenance::blame::FieldWriter;
use kzui::answers::recording::field::{WrittenPath, leaves, path_text};
use kzui::answers::report::{BlameReport, FilePosition, MapReport, WriterReportInputs};
use kzui::answers::secrets::Secrets;
use kzui::engine::yaml::print_documents;
use proptest::prelude::*;
use serde_json::Value;

use crate::support::{Build, Tree, build_of, demo, each_build, kzui_in, program};

/// The number of values checked in a large output, spread over all of it.
const MAX_CHECKED_VALUES: usize = 400;

/// The steps that wrote a field, the last one first, and the origin of the last.
type Told = (Vec<usize>, Option<FilePosition>);

/// The steps of these writers, and the location of the first writer.
fn last_writers(recording: &Recording, directory: &Path, writers: &[FieldWriter]) -> Told {
    let places =
        kzui::answers::report::ReportPaths::relative_to(&recording.trace, directory.to_owned());
    let steps = writers.iter().map(|writer| writer.step + 1).collect();
    (steps, writers.first().and_then(|first| places.at(first.mark)))
}

fn holds(build: Build) {
    let Build { name, directory, evaluation } = build;
    let recording = Recording::new(evaluation, &directory);
    let Ok(text) = print_documents(recording.output.iter().map(|(_, it)| &it.node)) else { return };
    let fields = recording.source_map(&text).unwrap();
    let map = MapReport::new(&recording, &fields, &directory, (None, &[]));
    let lines = recording.output_lines(&Secrets::shown()).unwrap();
    let blamed = BlameReport::new(&recording, &lines, &Secrets::shown(), &|_| None);
    let secrets = Secrets::shown();
    let reporter = WriterReportInputs::new(&recording, &secrets);
    let all = recording.output.iter().enumerate();
    let all = all.flat_map(|(document, (slot, resource))| {
        leaves(&resource.node).into_iter().map(move |(path, ..)| (document, *slot, path))
    });
    let all: Vec<_> = all.collect();
    for (document, slot, path) in all.iter().step_by(all.len().div_ceil(MAX_CHECKED_VALUES).max(1))
    {
        let shown = path_text(path);
        let at = format!("{name}: {shown} of document {document}");
        let why = recording.why(*slot, &WrittenPath::from_path(path));
        let (steps, place) = last_writers(&recording, &directory, &why.fields[0].writers);
        assert!(!steps.is_empty(), "{at} has no writer");
        // The command's document and its text come from the same data.
        let report = serde_json::to_value(reporter.report(&why)).unwrap();
        let numbers = report["fields"][0]["writers"].as_array().unwrap().iter();
        let numbers: Vec<u64> = numbers.map(|it| it["step"]["number"].as_u64().unwrap()).collect();
        assert_eq!(numbers, steps.iter().map(|step| *step as u64).collect::<Vec<_>>(), "{at}");
        // The screen after the last step.
        let pane = recording.why_after_step(*slot, path, recording.len());
        let on_screen =
            pane.fields.first().map(|field| field.writers.as_slice()).unwrap_or_default();
        let on_screen = last_writers(&recording, &directory, on_screen);
        assert_eq!(on_screen, (steps.clone(), place.clone()), "{at}: the screen");
        // The source map.
        let field = map.fields.iter().find(|it| it.document == *document && it.path == shown);
        let field = field.unwrap_or_else(|| panic!("{at} is not in the map"));
        assert_eq!(field.step, steps.first().copied(), "{at}: the map");
        assert_eq!(field.places.first(), place.as_ref(), "{at}: the map");
        // Blame, at the line that the map names.
        let line = &blamed.lines[field.line as usize - 1];
        let value = line.values.iter().find(|value| value.path == shown);
        let value = value.unwrap_or_else(|| panic!("{at} is not on line {}", line.number));
        assert_eq!(value.step.as_ref().map(|step| step.number), field.step, "{at}: blame");
        let line = value.at.as_ref().map(|place| (place.line, place.column));
        assert_eq!(line, place.map(|place| (place.line, place.column)), "{at}: blame");
    }
}

#[test]
fn every_face_names_the_same_writers() {
    let count = each_build(holds);
    assert!(count > 250, "{count} builds");
}

/// Compares the commands: text, JSON and source map.
#[test]
fn the_commands_name_the_same_writers() {
    let target = demo("shop/overlays/production");
    let resource = "Deployment/prod-storefront";
    for field in ["spec.replicas", "metadata.name", "spec.template.spec.containers[0].image"] {
        let text = kzui_in(&target, &["why", "--porcelain", resource, field]).built();
        let json: Value =
            serde_json::from_str(&kzui_in(&target, &["why", resource, field, "--json"]).built())
                .unwrap();
        let own: Vec<&str> = text.lines().filter(|line| !line.contains("\tsource, ")).collect();
        let own: Vec<&str> = own.into_iter().filter(|line| line.contains(" step ")).collect();
        let writers = json["fields"][0]["writers"].as_array().unwrap();
        assert_eq!(own.len(), writers.len(), "{text}");
        for (line, writer) in own.iter().zip(writers) {
            let at = &writer["at"];
            let file = at["file"].as_str().unwrap();
            assert!(line.starts_with(&format!("{file}:{}:", at["line"])), "{line}\n{writer}");
            assert!(
                line.ends_with(&format!("step {}", writer["step"]["number"]))
                    || line.contains(&format!("step {},", writer["step"]["number"])),
                "{line}\n{writer}"
            );
        }
    }
}

/// A writer of a field as reported by a face: the resource with all of its parts, the path, and the
/// number of the step.
type ReportedWriter = (String, String, u64);

/// The resource as `group/version/kind/namespace/name`, with `-` for an empty part.
fn selector(document: &Value) -> String {
    let text = |key: &str| match document[key].as_str().unwrap_or_default() {
        "" => "-".to_owned(),
        text => text.to_owned(),
    };
    let version = text("apiVersion");
    let (group, version) = version.split_once('/').unwrap_or(("-", &version));
    [group, version, &text("kind"), &text("namespace"), &text("name")].join("/")
}

/// Some fields of the source map beside a build.
fn fields_from_map(target: &Path, home: &Tree) -> Vec<ReportedWriter> {
    let file = home.path("out.map");
    kzui_in(target, &["build", ".", "--map", file.to_str().unwrap()]).built();
    let map: Value = serde_json::from_slice(&home.read("out.map")).unwrap();
    let documents = map["documents"].as_array().unwrap();
    let fields = map["fields"].as_array().unwrap().iter();
    let all: Vec<&Value> = fields.filter(|field| field["holds"] == "value").collect();
    let some = all.iter().step_by(all.len().div_ceil(12).max(1));
    let said = some.map(|field| {
        let number = usize::try_from(field["document"].as_u64().unwrap()).unwrap();
        let resource = selector(&documents[number]["resource"]);
        (resource, field["path"].as_str().unwrap().to_owned(), field["step"].as_u64().unwrap_or(0))
    });
    // The line mode uses the last word for the field.
    said.filter(|(.., path, step)| {
        !path.is_empty() && !path.contains(char::is_whitespace) && *step > 0
    })
    .collect()
}

/// The number after the first of these words in a text.
fn number_after(text: &str, words: &str) -> Option<u64> {
    let digits: String =
        text.split_once(words)?.1.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The first answer to each question of the conversation.
fn ask_linear_mode(target: &Path, asked: &[ReportedWriter]) -> Vec<Option<u64>> {
    use std::io::Write as _;
    let home = tempfile::tempdir().unwrap();
    let mut command = program(home.path());
    command.args(["--linear", "."]).current_dir(target).stdin(std::process::Stdio::piped());
    let mut talk = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let lines = asked.iter().map(|(resource, path, _)| format!("why {resource} {path}\n"));
    let lines = lines.chain(["quit!\n".to_owned()]).collect::<String>();
    talk.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = talk.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.split("\n> ").skip(1).take(asked.len());
    answers.map(|answer| number_after(answer, " Step ")).collect()
}

/// Asserts that the source map, `why`, the machine format of `blame` and the line mode name the
/// same final writers; returns the number of compared fields.
fn assert_faces_agree(target: &Path) -> usize {
    let home = Tree::new(&[]);
    let all = fields_from_map(target, &home);
    let porcelain = kzui_in(target, &["blame", ".", "--porcelain"]).built();
    let conversed = ask_linear_mode(target, &all);
    for ((resource, path, step), in_talk) in all.iter().zip(&conversed) {
        let at = format!("{}: {path} of {resource}", target.display());
        let why = kzui_in(target, &["why", "--porcelain", "--", ".", resource, path]).built();
        let first = why.lines().next().unwrap_or_default();
        assert_eq!(number_after(first, "final, step "), Some(*step), "{at}: why\n{why}");
        assert_eq!(*in_talk, Some(*step), "{at}: the conversation");
        let places = porcelain.split("\nvalue ").filter(|part| {
            let named = part.lines().next().unwrap_or_default();
            named.split_once(' ').is_some_and(|(_, name)| name == path)
        });
        let mut steps = places.filter_map(|part| number_after(part, "\nstep "));
        assert!(steps.any(|number| number == *step), "{at}: blame --porcelain");
    }
    assert_eq!(all.len(), conversed.len(), "{}", target.display());
    all.len()
}

#[test]
fn all_outputs_name_the_same_writers() {
    let targets =
        ["shop/overlays/production", "shop/overlays/staging", "shop/overlays/development"];
    let there = targets.iter().map(|target| demo(target)).filter(|target| target.is_dir());
    let count: usize = there.map(|target| assert_faces_agree(&target)).sum();
    assert!(count > 25, "{count} fields");
}

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  labels: {app: web}\nspec:\n  replicas: 1\n  selector:\n    matchLabels: {app: web}\n  template:\n    metadata:\n      labels: {app: web}\n    spec:\n      containers:\n      - name: web\n        image: nginx:1\n        env:\n        - {name: HOST, value: $(HOST)}\n        envFrom:\n        - configMapRef: {name: settings}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  selector: {app: web}\n  ports:\n  - port: 80\n";
const BASE: &str = "resources: [web.yaml]\nconfigMapGenerator:\n- name: settings\n  literals: [a=1, b=2]\nvars:\n- name: HOST\n  objref: {apiVersion: v1, kind: Service, name: web}\n";

/// The possible entries of a layer, of which some are chosen in a random order.
const LAYER_ENTRIES: [&str; 14] = [
    "namePrefix: pre-\n",
    "nameSuffix: -suf\n",
    "namespace: shop\n",
    "labels:\n- pairs: {team: red}\n  includeSelectors: true\n",
    "labels:\n- pairs: {team: blue, app: other}\n",
    "commonAnnotations: {note: x}\n",
    "images:\n- {name: nginx, newName: registry/nginx, newTag: \"2\"}\n",
    "images:\n- {name: nginx, digest: sha256:abc}\n",
    "replicas:\n- {name: web, count: 3}\n",
    "configMapGenerator:\n- name: settings\n  behavior: merge\n  literals: [b=3, c=4]\n",
    "patches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: replace, path: /spec/replicas, value: 5}\n    - {op: copy, from: /metadata/labels/app, path: /metadata/labels/copied}\n    - {op: move, from: /metadata/labels/app, path: /metadata/labels/moved}\n",
    "patches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web}\n    spec:\n      template:\n        spec:\n          containers:\n          - {name: web, args: [\"--x\"]}\n          - {name: side, image: nginx}\n",
    "replacements:\n- source: {kind: Service, name: web, fieldPath: \"spec.ports.0.port\"}\n  targets:\n  - select: {kind: Deployment}\n    fieldPaths: [metadata.annotations.port]\n    options: {create: true}\n",
    "replacements:\n- source: {kind: Deployment, fieldPath: \"spec.template.spec.containers.0.image\", options: {delimiter: \":\", index: 1}}\n  targets:\n  - select: {kind: Service}\n    fieldPaths: [metadata.annotations.version]\n    options: {create: true}\n",
];

/// A layer with some entries in random order, at most one for each field.
fn layer() -> impl Strategy<Value = String> {
    let some = proptest::sample::subsequence(LAYER_ENTRIES.to_vec(), 0..=7).prop_shuffle();
    some.prop_map(|said| {
        let mut kept: Vec<&str> = Vec::new();
        for text in said {
            let field = |text: &str| text.split(':').next().map(str::to_owned);
            if !kept.iter().any(|known| field(known) == field(text)) {
                kept.push(text);
            }
        }
        kept.concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_outputs_agree_on_generated_trees(layers in proptest::collection::vec(layer(), 1..=3)) {
        let tree = Tree::new(&[("0/web.yaml", WEB), ("0/kustomization.yaml", BASE)]);
        for (number, said) in layers.iter().enumerate() {
            let text = format!("resources: [../{number}]\n{said}");
            tree.write(&format!("{}/kustomization.yaml", number + 1), &text);
        }
        let top = tree.path(&layers.len().to_string());
        // A change of this kind may make the build fail; then no writers exist.
        if let Some(build) = build_of(layers.concat(), &top) {
            holds(build);
        }
    }
}
