//! The law of blame: after a change of the value at the named line, the field has changed.
//! `tests/truth/blame.py` tests it with Kustomize on public trees; here kzui builds both times.

use std::collections::BTreeMap;
use std::path::Path;

use kzui::answers::Recording;
use kzui::answers::provenance::blame::FieldWriter;
use kzui::answers::recording::field::{WrittenPath, leaves, path_text, value_at};
use kzui::engine::evaluate::{BuildCache, BuildOptions, Ports, STACK, evaluate};
use kzui::engine::load::MemoryFiles;
use kzui::engine::resource::{PathStep, Slot};
use kzui::engine::yaml::Mark;
use proptest::prelude::*;

type Tree = BTreeMap<String, String>;

/// A file, a line and a column.
type Spot = (String, u32, u32);

/// Builds a target of a tree with files below `/t`.
fn build(tree: &Tree, target: &str) -> Recording {
    let files = tree.iter().fold(MemoryFiles::default(), |files, (path, text)| {
        files.file(Path::new("/t").join(path), text.clone())
    });
    let (ports, target) = (Ports::of_files(files), format!("/t/{target}"));
    let work = move || {
        let options = BuildOptions::default();
        let evaluation =
            evaluate(&target, Path::new("/"), &options, &ports, &mut BuildCache::default());
        Recording::new(evaluation, Path::new(&target))
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap();
    thread.join().expect("a build does not panic")
}

/// A line with another value at this column; `None` if no value is found there.
fn changed(line: &str, column: usize) -> Option<String> {
    let at = line.char_indices().nth(column.max(1) - 1).map(|(at, _)| at)?;
    let (before, rest) = line.split_at(at);
    let (before, rest) = match rest.strip_prefix("- ") {
        Some(inner) => (format!("{before}- "), inner),
        None => (before.to_owned(), rest),
    };
    if let Some(quote) = rest.chars().next().filter(|first| matches!(first, '"' | '\'')) {
        let end = rest[1..].find(quote)? + 1;
        return Some(format!("{before}{}zz{}", &rest[..end], &rest[end..]));
    }
    let ends: &[char] = if before.contains(['{', '[']) { &[',', '}', ']'] } else { &['\n'] };
    let end = rest.find(ends).unwrap_or(rest.len());
    let end = rest[..end].find(" #").unwrap_or(end);
    let (value, after) = (rest[..end].trim_end(), &rest[rest[..end].trim_end().len()..]);
    let other = match value {
        "true" => "false".to_owned(),
        "false" => "true".to_owned(),
        _ if value.starts_with(['|', '>', '{', '[', '*', '&']) || value.is_empty() => return None,
        _ => value.parse::<i64>().map_or_else(|_| format!("{value}zz"), |it| (it + 1).to_string()),
    };
    Some(format!("{before}{other}{after}"))
}

/// All origins of a value: its own, those of its parts, and those of its sources.
fn places(writers: &[FieldWriter]) -> Vec<Mark> {
    let Some(first) = writers.first() else { return Vec::new() };
    let mut places = vec![first.mark];
    places.extend(&first.also);
    let sources = first.sources.iter().filter_map(|source| source.writers.first());
    places.extend(sources.map(|writer| writer.mark));
    places
}

/// The value of a field in a build. For the name of an element it is the complete list, because a
/// patch may recreate the element.
fn value(recording: &Recording, slot: Slot, path: &[PathStep]) -> Option<String> {
    let resource = recording.output_resource(slot)?;
    let path = match path {
        [list @ .., PathStep::Index(_), PathStep::Key(key)] if &**key == "name" => list,
        all => all,
    };
    value_at(&resource.node, path)
        .map(|(node, _)| kzui::answers::provenance::blame::value_text(node))
}

/// The same resource in a build of the changed tree, possibly with another kind or name.
fn matching_resource(slot: Slot, before: &Recording, after: &Recording) -> Option<Slot> {
    let (old, new) = (before.names(), after.names());
    let by_name =
        |name: &String| new.iter().find(|(_, other)| *other == name).map(|(slot, _)| *slot);
    let fresh =
        || after.output.iter().find(|(slot, _)| !old.values().any(|name| *name == new[slot]));
    by_name(&old[&slot]).or_else(|| fresh().map(|(slot, _)| *slot))
}

/// True for a value that is in no file: the type of a generated resource.
fn is_constant(recording: &Recording, slot: Slot, path: &[PathStep]) -> bool {
    let writers = recording.blame(slot, &WrittenPath::from_path(path));
    let step = writers.first().and_then(|writer| recording.step(writer.step));
    let is_made = step.is_some_and(|step| step.name.ends_with("Generator"));
    is_made && ["apiVersion", "kind", "type"].contains(&&*path_text(path))
}

/// Changes every `step`-th origin of a target, one at a time. Returns the number of trials, and the
/// fields that did not change.
fn changes_without_effect(tree: &Tree, target: &str, step: usize) -> (usize, Vec<String>) {
    let recording = build(tree, target);
    assert!(recording.error.is_none(), "{:?}\n{tree:#?}", recording.error);
    let mut fields: BTreeMap<Spot, Vec<(Slot, Vec<PathStep>)>> = BTreeMap::new();
    for (slot, resource) in &recording.output {
        for (path, ..) in leaves(&resource.node) {
            if is_constant(&recording, *slot, &path) {
                continue;
            }
            for mark in places(&recording.blame(*slot, &WrittenPath::from_path(&path))) {
                let file = recording.file(mark).unwrap_or_default().to_owned();
                fields
                    .entry((file, mark.line, mark.column))
                    .or_default()
                    .push((*slot, path.clone()));
            }
        }
    }
    let (mut tried, mut missed) = (0, Vec::new());
    for ((file, line, column), all) in fields.into_iter().step_by(step) {
        let name = file.strip_prefix("/t/").unwrap_or(&file).to_owned();
        let Some(text) = tree.get(&name) else { continue };
        let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        let Some(old) = lines.get_mut(line as usize - 1) else { continue };
        let Some(new) = changed(old, column as usize) else { continue };
        *old = new;
        let mut other = tree.clone();
        other.insert(name.clone(), lines.join("\n"));
        let after = build(&other, target);
        // A name that patches or replacements refer to: the build fails or differs in its
        // resources.
        if after.error.is_some() || after.output.len() != recording.output.len() {
            continue;
        }
        for (slot, path) in all {
            tried += 1;
            let twin = matching_resource(slot, &recording, &after);
            let now = twin.and_then(|twin| value(&after, twin, &path));
            if now == value(&recording, slot, &path) {
                let resource = recording.names().remove(&slot).unwrap_or_default();
                missed.push(format!("{name}:{line}:{column} {resource} {}", path_text(&path)));
            }
        }
    }
    (tried, missed)
}

fn demo(name: &str) -> Tree {
    let root = crate::support::demo(name);
    let files = walkdir::WalkDir::new(&root).into_iter().map(Result::unwrap);
    let files = files.filter(|entry| entry.file_type().is_file());
    files
        .map(|entry| {
            let below = entry.path().strip_prefix(&root).unwrap();
            (below.to_string_lossy().into_owned(), fs_err::read_to_string(entry.path()).unwrap())
        })
        .collect()
}

#[test]
fn editing_source_line_changes_its_field() {
    for (name, target, step) in [
        ("components", "overlays/dev", 1),
        ("components", "overlays/enterprise", 1),
        ("shop", "overlays/development", 11),
        ("shop", "overlays/production", 9),
    ] {
        let (tried, missed) = changes_without_effect(&demo(name), target, step);
        assert!(tried > 20, "{name}/{target}: {tried}");
        assert_eq!(missed, Vec::<String>::new(), "{name}/{target}, {tried} tried");
    }
}

/// A base of a workload with its config, and two layers above it that repeat or change its values.
fn tree() -> impl Strategy<Value = Tree> {
    let word = || prop::sample::select(vec!["one", "two", "three"]);
    let piece = move || {
        prop_oneof![
            word().prop_map(|it| ("namespace", format!("namespace: {it}\n"))),
            word().prop_map(|it| ("namePrefix", format!("namePrefix: {it}-\n"))),
            word().prop_map(|it| ("nameSuffix", format!("nameSuffix: -{it}\n"))),
            word().prop_map(|it| ("labels", format!("labels:\n- pairs: {{team: {it}}}\n  includeTemplates: true\n"))),
            word().prop_map(|it| ("commonAnnotations", format!("commonAnnotations:\n  note: {it}\n"))),
            (word(), any::<bool>()).prop_map(|(it, name)| {
                let name = if name { "  newName: registry/web\n" } else { "" };
                ("images", format!("images:\n- name: web\n{name}  newTag: {it}\n"))
            }),
            (1..4u8).prop_map(|it| ("replicas", format!("replicas:\n- name: web\n  count: {it}\n"))),
            (word(), any::<bool>()).prop_map(|(it, side)| {
                let side = if side { "\n          - {name: side, image: side}" } else { "" };
                ("patches", format!(
                    "patches:\n- target: {{kind: Deployment}}\n  patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata:\n      name: any\n      labels:\n        team: {it}\n    spec:\n      replicas: 2\n      template:\n        spec:\n          containers:\n          - name: app\n            env:\n            - {{name: MODE, value: {it}}}{side}\n"
                ))
            }),
            word().prop_map(|it| ("patches", format!(
                "patches:\n- target: {{kind: Deployment}}\n  patch: |-\n    - op: replace\n      path: /spec/template/spec/containers/0/image\n      value: web:{it}\n    - {{op: add, path: /metadata/annotations, value: {{note: {it}}}}}\n"
            ))),
            Just(("replacements", "replacements:\n- source: {kind: ConfigMap, fieldPath: data.mode}\n  targets:\n  - select: {kind: Deployment}\n    fieldPaths: [\"spec.template.spec.containers.[name=app].env.[name=MODE].value\"]\n".to_owned())),
        ]
    };
    let layer = move || prop::collection::vec(piece(), 0..5);
    (layer(), layer(), any::<bool>()).prop_map(|(one, two, generated)| {
        let mut tree = Tree::new();
        let list = |pieces: Vec<(&'static str, String)>, below: &str| {
            let unique: BTreeMap<&str, String> = pieces.into_iter().collect();
            let texts = unique.into_values().collect::<String>();
            format!("resources: [{below}]\n{texts}")
        };
        let (map, maker) = if generated {
            ("", "configMapGenerator:\n- name: settings\n  literals:\n  - mode=one\n")
        } else {
            ("---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  mode: one\n", "")
        };
        tree.insert("base/kustomization.yaml".into(), format!("resources: [web.yaml]\n{maker}"));
        tree.insert("base/web.yaml".into(), format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  labels:\n    team: one\nspec:\n  replicas: 2\n  template:\n    metadata:\n      labels: {{app: web}}\n    spec:\n      containers:\n      - name: app\n        image: web:one\n        env:\n        - name: MODE\n          value: one\n        envFrom:\n        - configMapRef:\n            name: settings\n{map}"
        ));
        tree.insert("middle/kustomization.yaml".into(), list(one, "../base"));
        tree.insert("over/kustomization.yaml".into(), list(two, "../middle"));
        tree
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_fields_of_any_tree_change_with_their_lines(tree in tree()) {
        let (_, missed) = changes_without_effect(&tree, "over", 1);
        prop_assert_eq!(missed, Vec::<String>::new());
    }
}
