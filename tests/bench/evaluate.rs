//! Measures the speed of the library: reading and printing YAML, and builds of the demos and of
//! generated trees. Run it with `cargo bench`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a bench that cannot set up should stop"
)]

use std::path::{Path, PathBuf};

use divan::{Bencher, black_box};
use kzui::engine::evaluate::{BuildCache, BuildOptions, Evaluation, Ports, evaluate};
use kzui::engine::load::{Files, MemoryFiles};
use kzui::engine::yaml::{Limits, SourceId, parse_documents, print_documents};

fn main() {
    divan::main();
}

fn ports(files: MemoryFiles) -> Ports {
    Ports::of_files(files)
}

fn build(ports: &Ports, target: &str, memory: &mut BuildCache) -> Evaluation {
    let evaluation = evaluate(target, Path::new("/"), &BuildOptions::default(), ports, memory);
    assert!(evaluation.outcome.is_ok(), "the tree builds");
    evaluation
}

/// The files of a demo, in memory below `/`.
fn demo_files(name: &str) -> MemoryFiles {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo").join(name);
    let files =
        walkdir::WalkDir::new(&root).into_iter().map(|entry| entry.expect("the demo is there"));
    files.filter(|entry| entry.file_type().is_file()).fold(MemoryFiles::default(), |tree, entry| {
        let path = Path::new("/").join(entry.path().strip_prefix(&root).unwrap());
        tree.file(path, fs_err::read(entry.path()).unwrap())
    })
}

/// A tree with `count` Deployments and a `ConfigMap` for each. Its overlay sets a prefix, a
/// namespace and labels, and lists `components` components; each of them patches a tenth of the
/// Deployments.
fn generated_tree(count: usize, components: usize) -> MemoryFiles {
    let mut tree = MemoryFiles::default();
    let mut resources = String::new();
    for number in 0..count {
        let text = format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-{number}\n  labels: {{shard: \"{}\"}}\nspec:\n  \
             template:\n    spec:\n      containers:\n      - name: main\n        image: nginx:1\n        envFrom:\n        \
             - configMapRef: {{name: app-{number}}}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app-{number}\n\
             data:\n  key: \"{number}\"\n",
            number % 10
        );
        tree = tree.file(PathBuf::from(format!("/base/app-{number}.yaml")), text);
        resources = format!("{resources}- app-{number}.yaml\n");
    }
    let mut overlay = String::from(
        "namePrefix: p-\nnamespace: blue\ncommonLabels: {env: prod}\nresources: [../base]\n",
    );
    if components > 0 {
        overlay.push_str("components:\n");
    }
    for number in 0..components {
        overlay = format!("{overlay}- ../components/c{number}\n");
        let text = format!(
            "kind: Component\npatches:\n- target: {{kind: Deployment, labelSelector: shard={}}}\n  patch: |-\n    apiVersion: \
             apps/v1\n    kind: Deployment\n    metadata: {{name: any}}\n    spec: {{template: {{metadata: {{annotations: \
             {{c{number}: \"on\"}}}}}}}}\n",
            number % 10
        );
        tree = tree.file(format!("/components/c{number}/kustomization.yaml"), text);
    }
    tree.file("/base/kustomization.yaml", format!("resources:\n{resources}"))
        .file("/overlay/kustomization.yaml", overlay)
}

#[divan::bench(args = ["components/overlays/enterprise", "shop/overlays/production"])]
fn build_demo(bencher: Bencher<'_, '_>, target: &str) {
    let (name, below) = target.split_once('/').unwrap();
    let ports = ports(demo_files(name));
    bencher.bench_local(|| black_box(build(&ports, below, &mut BuildCache::default())));
}

/// A build of a generated tree without a cache.
#[divan::bench(args = [(100, 0), (1000, 0), (1000, 50), (4000, 0)], max_time = 10)]
fn build_generated_tree(bencher: Bencher<'_, '_>, (count, components): (usize, usize)) {
    let ports = ports(generated_tree(count / 2, components));
    bencher.bench_local(|| black_box(build(&ports, "overlay", &mut BuildCache::default())));
}

/// A build without a cache, with and without recording its changes. The quotient of the two times
/// is the cost of recording.
#[divan::bench(args = [true, false])]
fn build_with_and_without_changes(bencher: Bencher<'_, '_>, is_recorded: bool) {
    let ports = ports(generated_tree(500, 50));
    let memory = || {
        let memory = BuildCache::disabled();
        if is_recorded { memory } else { memory.without_changes() }
    };
    let is_empty =
        |evaluation: &Evaluation| evaluation.trace.steps.iter().all(|step| step.changes.is_empty());
    assert_eq!(is_empty(&build(&ports, "overlay", &mut memory())), !is_recorded);
    bencher.bench_local(|| black_box(build(&ports, "overlay", &mut memory())));
}

/// The second build of an unchanged tree.
#[divan::bench(args = [(1000, 50)])]
fn rebuild_generated_tree(bencher: Bencher<'_, '_>, (count, components): (usize, usize)) {
    let ports = ports(generated_tree(count / 2, components));
    let mut memory = BuildCache::default();
    build(&ports, "overlay", &mut memory);
    bencher.bench_local(|| black_box(build(&ports, "overlay", &mut memory)));
}

/// A build after one of many components is switched off or on: the cost of a key press in the
/// workbench.
#[divan::bench(args = [(1000, 50)])]
fn toggle_component_of_generated_tree(
    bencher: Bencher<'_, '_>,
    (count, components): (usize, usize),
) {
    let on = generated_tree(count / 2, components);
    let overlay = on.read(Path::new("/overlay/kustomization.yaml")).unwrap();
    let overlay = String::from_utf8(overlay.to_vec()).unwrap();
    let entry = format!("- ../components/c{}\n", components / 2);
    let off = overlay.replace(&entry, &format!("# {entry}"));
    let trees = [ports(on.clone().file("/overlay/kustomization.yaml", off)), ports(on)];
    let mut memory = BuildCache::default();
    build(&trees[1], "overlay", &mut memory);
    let mut turns = 0;
    bencher.bench_local(|| {
        turns += 1;
        black_box(build(&trees[turns % 2], "overlay", &mut memory))
    });
}

/// Reading and printing the output of a demo.
#[divan::bench]
fn read_and_print(bencher: Bencher<'_, '_>) {
    let evaluation =
        build(&ports(demo_files("shop")), "overlays/production", &mut BuildCache::default());
    let resources = evaluation.outcome.unwrap();
    let text = print_documents(resources.iter().map(|resource| &resource.node)).unwrap();
    bencher.bench_local(|| {
        let documents =
            parse_documents(text.as_bytes(), SourceId::default(), Limits::default()).unwrap();
        black_box(
            print_documents(documents.documents.iter().map(|document| &document.node)).unwrap(),
        )
    });
}
