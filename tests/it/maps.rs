//! Source maps: every value of every output is in its map, at its position and with origins that
//! exist.

use std::collections::BTreeMap;
use std::path::Path;

use kzui::answers::Recording;
use kzui::answers::provenance::source_map::ContentKind;
use kzui::answers::recording::field::{leaves, path_text};
use kzui::answers::report::{FilePosition, MapReport};
use kzui::engine::resource::PathStep;
use kzui::engine::yaml::print_documents;

use crate::support::{Build, Tree, each_build, kzui_in, messages};

/// The number of lines of a file; `None` for a file that is not on this disk.
fn lines_of(
    directory: &Path,
    file: &str,
    known: &mut BTreeMap<String, Option<usize>>,
) -> Option<usize> {
    let count =
        || Some(fs_err::read(directory.join(file)).ok()?.split(|byte| *byte == b'\n').count());
    *known.entry(file.to_owned()).or_insert_with(count)
}

/// Asserts that the source map of a build contains every value of the output, with locations that
/// exist.
fn assert_map_is_complete(build: Build) {
    let Build { name, directory, evaluation } = build;
    let recording = Recording::new(evaluation, &directory);
    let Ok(text) = print_documents(recording.output.iter().map(|(_, it)| &it.node)) else { return };
    let fields = recording.source_map(&text).unwrap();
    let map = MapReport::new(&recording, &fields, &directory, (None, &[]));
    let lines: Vec<&str> = text.lines().collect();
    let mut files = BTreeMap::new();
    for (document, (_, resource)) in recording.output.iter().enumerate() {
        let own = map.fields.iter().filter(|field| field.document == document);
        let own: BTreeMap<&str, _> = own.map(|field| (field.path.as_str(), field)).collect();
        for (steps, ..) in leaves(&resource.node) {
            let path = path_text(&steps);
            let field = own.get(path.as_str());
            let field =
                field.unwrap_or_else(|| panic!("{name}: {path} of {document} does not exist"));
            assert_eq!(field.holds, ContentKind::Value, "{name}: {path}");
            let line = lines[field.line as usize - 1];
            // Before a value is its key, or the dash of its element.
            let before: String = line.chars().take(field.column as usize - 1).collect();
            let before = before.trim_end();
            let is_it = match steps.last() {
                Some(PathStep::Key(key)) => {
                    before.ends_with(&format!("{key}:"))
                        || before.ends_with("\":")
                        || before.ends_with("':")
                        || before.trim() == ":"
                }
                Some(PathStep::Index(_)) => before.ends_with('-'),
                None => before.is_empty(),
            };
            assert!(is_it, "{name}: {path} is not in column {} of {line:?}", field.column);
            let within = field.line <= field.end_line && field.end_line as usize <= lines.len();
            assert!(within, "{name}: {path}: {} to {}", field.line, field.end_line);
        }
    }
    for FilePosition { file, line, .. } in map.fields.iter().flat_map(|field| &field.places) {
        let Some(count) = lines_of(&directory, file, &mut files) else {
            panic!("{name}: there is no {file}");
        };
        assert!(*line as usize <= count.max(1), "{name}: {file} has no line {line}");
    }
}

#[test]
fn every_output_value_is_in_its_source_map() {
    let count = each_build(assert_map_is_complete);
    assert!(count > 250, "{count} builds");
}

#[test]
fn map_beside_the_output_has_the_chain_of_writers() {
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        (
            "base/web.yaml",
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  volumes:\n  - name: v\n    configMap:\n      name: settings\n  hostname: x\n",
        ),
        (
            "over/kustomization.yaml",
            "resources: [../base]\nnamePrefix: p-\nconfigMapGenerator:\n- name: settings\n  literals:\n  - host=one\nreplacements:\n- source: {kind: ConfigMap, name: settings, fieldPath: data.host}\n  targets:\n  - select: {kind: Pod}\n    fieldPaths: [spec.hostname]\n",
        ),
    ]);
    let map = |arguments: &[&str]| -> MapReport {
        let answer = kzui_in(&tree.root(), arguments);
        assert_eq!((answer.status, answer.err.as_str()), (Some(0), ""));
        serde_json::from_slice(&tree.read("over.map")).unwrap()
    };
    let plain = map(&["build", "over", "--map", "over.map"]);
    assert_eq!((plain.target.as_str(), &plain.output), ("over", &None));
    let told = map(&["build", "over", "-o", "out.yaml", "--map", "over.map"]);
    assert_eq!(told.output.as_deref(), Some("out.yaml"));
    assert_eq!((&told.fields, &told.documents), (&plain.fields, &plain.documents));
    let field = |path: &str| told.fields.iter().rfind(|field| field.path == path).unwrap();
    let at = |places: &[FilePosition]| -> Vec<String> {
        places.iter().map(|place| format!("{}:{}", place.file, place.line)).collect()
    };
    assert_eq!(
        at(&field("metadata.name").places),
        ["over/kustomization.yaml:2", "base/web.yaml:4"]
    );
    let host = field("spec.hostname");
    assert_eq!(at(&host.places), ["over/kustomization.yaml:6"]);
    assert_eq!(format!("{:?}", host.from[0].by), "Replacement");
    assert_eq!(host.from[0].path, "data.host");
    let volume = field("spec.volumes[0].configMap.name");
    assert_eq!(format!("{:?}", volume.from[0].by), "Reference");
    assert_eq!(format!("{:?}", volume.from[0].from[0].by), "Hash");
    let step = told.steps.iter().find(|step| Some(step.number) == host.step).unwrap();
    assert_eq!(step.id, ".#replacements[ConfigMap/settings data.host → Pod/]");
}

#[test]
fn map_counts_lines_in_each_output_file() {
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [two.yaml]\n"),
        (
            "two.yaml",
            "apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: Service\nmetadata:\n  name: b\n",
        ),
        ("out/.keep", ""),
    ]);
    let answer = kzui_in(&tree.root(), &["build", ".", "-o", "out", "--map", "all.map"]);
    assert_eq!((answer.status, answer.err.as_str()), (Some(0), ""));
    let map: MapReport = serde_json::from_slice(&tree.read("all.map")).unwrap();
    let files: Vec<_> = map.documents.iter().map(|it| (it.file.as_deref(), it.line)).collect();
    assert_eq!(files, [(Some("v1_service_a.yaml"), 1), (Some("v1_service_b.yaml"), 1)]);
    let names = map.fields.iter().filter(|field| field.path == "metadata.name");
    let names = names.map(|field| (field.document, field.line, field.places[0].line));
    assert_eq!(names.collect::<Vec<_>>(), [(0, 4, 4), (1, 4, 9)]);
}

/// A map belongs to the lines of one output; a failed build has none.
#[test]
fn a_build_that_fails_leaves_no_map_of_an_earlier_one() {
    let web = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n";
    let files = [("kustomization.yaml", "resources: [web.yaml]\n"), ("web.yaml", web)];
    let tree = Tree::new(&files);
    let build = |arguments: &[&str]| kzui_in(&tree.root(), arguments);
    build(&["build", ".", "-o", "out.yaml", "--map", "out.map"]).built();
    let first = tree.read("out.map");
    assert!(first.starts_with(b"{"));
    // Another build replaces the map.
    tree.write("web.yaml", &web.replace("name: web", "name: other"));
    build(&["build", ".", "-o", "out.yaml", "--map", "out.map"]).built();
    assert_ne!(tree.read("out.map"), first);
    tree.write("kustomization.yaml", "resources: [nowhere.yaml]\n");
    let failed = build(&["build", ".", "-o", "out.yaml", "--map", "out.map"]);
    assert_eq!(failed.status, Some(1));
    assert!(
        failed.err.contains(&format!("note: out.map, {}", messages::MAP_EARLIER_BUILD_REMOVED)),
        "{}",
        failed.err
    );
    assert!(!tree.path("out.map").exists());
    // A file that is no map is not touched.
    tree.write("notes.txt", "mine");
    let failed = build(&["build", ".", "--map", "notes.txt"]);
    assert_eq!((failed.status, tree.read("notes.txt")), (Some(1), b"mine".to_vec()));
    assert!(!failed.err.contains("removed"), "{}", failed.err);
    // No partial file is left beside it.
    let names = std::fs::read_dir(tree.root()).unwrap();
    let mut names: Vec<_> =
        names.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["kustomization.yaml", "notes.txt", "out.yaml", "web.yaml"]);
}
