//! Laws of source maps.

use std::collections::BTreeSet;
use std::path::Path;

use kzui::answers::Recording;
use kzui::answers::recording::field::{leaves, path_text};
use kzui::answers::report::{FilePosition, MapReport};
use kzui::answers::secrets::Secrets;
use kzui::engine::evaluate::{BuildCache, BuildOptions, Ports, evaluate};
use kzui::engine::load::Files as _;
use kzui::engine::yaml::print_documents;

use super::tree::Tree;

/// Builds a kustomization file, with the other files of its tree after lines of `=== NAME`. The map
/// contains every value of the output, within the lines of the output, and every source in it is a
/// line of a file of the tree.
pub fn source_maps(bytes: &[u8]) {
    let files = Tree::read(bytes, "kustomization.yaml").files;
    let lines_of = |path: &str| {
        let path = Path::new("/k").join(path);
        files.read(&path).ok().map(|text| {
            1 + text
                .iter()
                .filter(|byte| matches!(byte, b'\n' | b'\r' | 0x85 | 0xa8 | 0xa9))
                .count()
        })
    };
    let ports = Ports::of_files(files.clone());
    let options = BuildOptions::default();
    let evaluation = evaluate("/k", Path::new("/"), &options, &ports, &mut BuildCache::default());
    let directory = Path::new("/k");
    let recording = Recording::new(evaluation, directory);
    let Ok(text) = print_documents(recording.output.iter().map(|(_, it)| &it.node)) else { return };
    // With such a line break, the output has other lines when it is read.
    if text.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
        return;
    }
    let Ok(fields) = recording.source_map(&text) else { return };
    let map = MapReport::new(&recording, &fields, directory, (None, &[]));
    let count = text.lines().count();
    let mapped: BTreeSet<(usize, &str)> =
        map.fields.iter().map(|field| (field.document, field.path.as_str())).collect();
    for (document, (_, resource)) in recording.output.iter().enumerate() {
        for (steps, ..) in leaves(&resource.node) {
            let path = path_text(&steps);
            assert!(
                mapped.contains(&(document, path.as_str())),
                "{path} is not in the map of {text}"
            );
        }
    }
    for field in &map.fields {
        let (line, end) = (field.line as usize, field.end_line as usize);
        assert!(
            line >= 1 && line <= end && end <= count,
            "{} in lines {line} to {end}",
            field.path
        );
        for FilePosition { file, line, .. } in &field.places {
            let known = lines_of(file).unwrap_or_else(|| panic!("there is no {file}"));
            assert!(*line as usize <= known, "{file} has no line {line}");
        }
    }
    let shown = recording.output_lines(&Secrets::masked([7; 16])).expect("the map could be made");
    assert!(shown.len() >= count, "{} lines beside {count}", shown.len());
}
