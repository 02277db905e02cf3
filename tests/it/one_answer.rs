//! One law: for the same field, every face names the same writers.

use std::path::Path;

use kzui::answers::Recording;
use kzui::answers::blame::Writer;
use kzui::answers::field::{Field, leaves, path_text};
use kzui::answers::report::{BlameReport, MapReport, Place, Writers};
use kzui::engine::yaml::print_documents;
use serde_json::Value;

use crate::support::{Build, demo, each_build, kzui_in};

/// So many values of a large output are looked at, spread over all of it.
const MOST: usize = 400;

/// The steps that wrote a field, the last one first, and the place of the last.
type Told = (Vec<usize>, Option<Place>);

fn told(recording: &Recording, directory: &Path, writers: &[Writer]) -> Told {
    let places = kzui::answers::report::Places::seen_from(&recording.trace, directory.to_owned());
    let steps = writers.iter().map(|writer| writer.step + 1).collect();
    (steps, writers.first().and_then(|first| places.at(first.mark)))
}

fn holds(build: Build) {
    let Build { name, directory, evaluation } = build;
    let recording = Recording::new(evaluation, &directory);
    let Ok(text) = print_documents(recording.output.iter().map(|(_, it)| &it.node)) else { return };
    let fields = recording.source_map(&text).unwrap();
    let map = MapReport::of(&recording, &fields, &directory, (None, &[]));
    let lines = recording.output_lines(true).unwrap();
    let blamed = BlameReport::of(&recording, &lines, &|_| None);
    let reporter = Writers::of(&recording, true);
    let all = recording.output.iter().enumerate();
    let all = all.flat_map(|(document, (slot, resource))| {
        leaves(&resource.node).into_iter().map(move |(path, ..)| (document, *slot, path))
    });
    let all: Vec<_> = all.collect();
    for (document, slot, path) in all.iter().step_by(all.len().div_ceil(MOST).max(1)) {
        let shown = path_text(path);
        let at = format!("{name}: {shown} of document {document}");
        let why = recording.why(*slot, &Field::of(path));
        let (steps, place) = told(&recording, &directory, &why.fields[0].writers);
        assert!(!steps.is_empty(), "{at} has no writer");
        // The command's document and its text are made of the same.
        let report = serde_json::to_value(reporter.report(&why)).unwrap();
        let numbers = report["fields"][0]["writers"].as_array().unwrap().iter();
        let numbers: Vec<u64> = numbers.map(|it| it["step"]["number"].as_u64().unwrap()).collect();
        assert_eq!(numbers, steps.iter().map(|step| *step as u64).collect::<Vec<_>>(), "{at}");
        // The screen, at the end.
        let pane = recording.why_at(*slot, path, recording.len());
        let on_screen =
            pane.fields.first().map(|field| field.writers.as_slice()).unwrap_or_default();
        let on_screen = told(&recording, &directory, on_screen);
        assert_eq!(on_screen, (steps.clone(), place.clone()), "{at}: the screen");
        // The map.
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

/// The same through the program itself, text against JSON against the map.
#[test]
fn the_commands_name_the_same_writers() {
    let target = demo("shop/overlays/production");
    let resource = "Deployment/prod-storefront";
    for field in ["spec.replicas", "metadata.name", "spec.template.spec.containers[0].image"] {
        let text = kzui_in(&target, &["why", resource, field]).built();
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
