//! Whole builds.

use std::path::Path;

use kzui::engine::evaluate::{BuildCache, BuildOptions, Evaluation, Ports, consolidate, evaluate};
use kzui::engine::load::MemoryFiles;
use kzui::engine::manifest::{
    Outline, decode_composition, decode_configuration, decode_crds, decode_kustomization,
    decode_replacements,
};
use kzui::engine::profile::Profile;
use kzui::engine::yaml::{SourceId, print_documents};

use super::laws::split_at_dashes;
use super::tree::Tree;

/// Replacements before the first line of dashes, resources behind it.
pub fn replacements(bytes: &[u8]) {
    let (replacements, resources) = split_at_dashes(bytes);
    let files = MemoryFiles::default()
        .file("/k/kustomization.yaml", "resources: [r.yaml]\nreplacements: [{path: p.yaml}]\n")
        .file("/k/p.yaml", replacements)
        .file("/k/r.yaml", resources);
    builds(files);
}

/// A kustomization file, and behind lines of `=== NAME` the other files of its tree: decoded as everything that it
/// could be, edited, built.
pub fn kustomization(bytes: &[u8]) {
    let Tree { main, files, .. } = Tree::read(bytes, "kustomization.yaml");
    let main = &*main;
    assert_eq!(
        decode_kustomization(main, SourceId(1), Profile::MASTER),
        decode_kustomization(main, SourceId(1), Profile::MASTER)
    );
    let _ = decode_replacements(main, SourceId(1), Profile::MASTER);
    let _ = decode_configuration(main, SourceId(1), Profile::MASTER);
    let _ = decode_crds(main, SourceId(1), "crd.json");
    let _ = decode_composition(main, SourceId(1));
    check_toggles(main);
    builds(files);
}

/// Switching an entry off and on again gives the same bytes; switching it changes no other entry.
fn check_toggles(text: &[u8]) {
    let outline = Outline::parse(text);
    assert_eq!(outline, Outline::parse(text));
    for field in outline.fields.iter().take(8) {
        assert!(field.bytes.end <= text.len());
        for index in 0..field.entries.len().min(6) {
            let _ = Outline::move_entry(text, &field.name, index, 1);
            let Ok(off) = Outline::toggle_entry(text, &field.name, index) else { continue };
            let after = Outline::parse(&off);
            let now = after.field(&field.name).and_then(|field| field.entries.get(index));
            // What reads as prose once it is a comment is no entry any more.
            let Some(now) = now.filter(|now| now.disabled != field.entries[index].disabled) else {
                continue;
            };
            if now.disabled && now.text == field.entries[index].text {
                let on = Outline::toggle_entry(&off, &field.name, index);
                let on = on.expect("what was switched off can be switched on");
                let on = Outline::parse(&on);
                let entry = on.field(&field.name).and_then(|field| field.entries.get(index));
                assert!(entry.is_some_and(|entry| !entry.disabled && entry.text == now.text));
            }
        }
        let _ = Outline::toggle_field(text, &field.name);
    }
}

/// The same again: with what the first build left in memory, and without it.
fn builds(files: MemoryFiles) {
    let ports = Ports::of_files(files);
    let options = BuildOptions::default();
    let mut memory = BuildCache::default();
    let build = |memory: &mut BuildCache| evaluate("/k", Path::new("/"), &options, &ports, memory);
    let first = build(&mut memory);
    let (fresh, reused) = (shown(&first), shown(&build(&mut memory)));
    assert_eq!(fresh, reused, "with what memory holds, another build");
    assert_eq!(fresh, shown(&build(&mut BuildCache::default())), "the same build, another result");
    let steps = first.trace.steps.len();
    for index in 0..steps.min(40) {
        let _ = first.trace.state_after(index);
    }
    let _ = consolidate("/k", Path::new("/"), &options, &ports, &mut memory);
}

/// What a person sees of a build.
fn shown(evaluation: &Evaluation) -> Result<String, String> {
    let resources = evaluation.outcome.as_ref().map_err(|error| error.message.clone())?;
    let printed = print_documents(resources.iter().map(|resource| &resource.node));
    printed.map_err(|error| error.to_string())
}
