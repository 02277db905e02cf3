//! A build of a tree in memory: prints its steps, and the step that wrote a field. `cargo run -p
//! kzui-engine --example writer`
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use std::path::Path;

use kzui_engine::evaluate::{BuildCache, BuildOptions, Ports, evaluate};
use kzui_engine::load::MemoryFiles;

const BASE: &str = "resources: [web.yaml]\nnamePrefix: shop-\n";
const WEB: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
";
const OVERLAY: &str = "\
resources: [../base]
replicas:
- name: web
  count: 3
";

fn main() {
    let files = MemoryFiles::default()
        .file("/shop/base/kustomization.yaml", BASE)
        .file("/shop/base/web.yaml", WEB)
        .file("/shop/overlay/kustomization.yaml", OVERLAY);
    let ports = Ports::of_files(files);
    // A memory that is kept from one evaluation to the next makes the next one faster.
    let mut memory = BuildCache::default();
    let options = BuildOptions::default();
    let evaluation = evaluate("overlay", Path::new("/shop"), &options, &ports, &mut memory);
    let trace = &evaluation.trace;

    for (index, step) in trace.steps.iter().enumerate() {
        let layer = trace.layer(step.layer).map_or("", |layer| &*layer.path);
        println!(
            "{:>2}  {layer}  {} {}: {} changed",
            index + 1,
            step.name,
            step.argument,
            step.counts.modified
        );
    }

    let resources = match &evaluation.outcome {
        Ok(resources) => resources,
        Err(error) => {
            println!("{}", error.message);
            return;
        }
    };
    for resource in resources {
        let Some(replicas) = resource.node.at(&["spec", "replicas"]) else { continue };
        // Every value refers to the step that wrote it last, and to its file and line.
        let writer = trace.steps.iter().find(|step| step.writer == replicas.mark.writer);
        let file = trace.sources.path(replicas.mark.source).unwrap_or_default();
        let (value, line) = (replicas.text().unwrap_or_default(), replicas.mark.line);
        let name = writer.map_or("nobody", |step| &*step.name);
        println!("{}: spec.replicas is {value}, written by {name} from {file}:{line}", resource.id);
        assert_eq!((value, name, line), ("3", "ReplicaCountTransformer", 4));
        assert_eq!(file, "/shop/overlay/kustomization.yaml");
    }
}
