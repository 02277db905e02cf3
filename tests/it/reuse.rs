use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use kzui::engine::evaluate::{
    BuildCache, BuildOptions, Evaluation, Ports, Step, StepKind, evaluate,
};
use kzui::engine::load::MemoryFiles;
use kzui::engine::yaml::{SourceId, WriterId, print_documents};
use proptest::prelude::*;
use regex::{Captures, Regex};

fn evaluate_target(target: &str, files: MemoryFiles, memory: &mut BuildCache) -> Evaluation {
    evaluate(target, Path::new("/"), &BuildOptions::default(), &Ports::of_files(files), memory)
}

/// Possible texts of the components in these tests.
const COMPONENT_TEXTS: [&str; 19] = [
    "patches:\n- target: {kind: Deployment}\n  patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: any}\n    spec: {replicas: 3, template: {spec: {containers: [{name: main, env: [{name: NEW, value: x}]}]}}}\n",
    "patches:\n- target: {kind: Deployment}\n  patch: |-\n    - op: add\n      path: /metadata/annotations\n      value: {a: b}\n",
    "namePrefix: p-\n",
    "nameSuffix: -s\nlabels:\n- pairs: {tier: one}\n  includeSelectors: true\n",
    "namespace: blue\n",
    "images:\n- name: nginx\n  newTag: '2'\n",
    "replicas:\n- {name: web, count: 7}\n",
    "resources: [more.yaml]\n",
    "configMapGenerator:\n- name: made\n  behavior: merge\n  literals: [k=v]\n",
    "secretGenerator:\n- name: new\n  literals: [a=b]\n",
    "patches:\n- patch: |-\n    $patch: delete\n    apiVersion: v1\n    kind: Service\n    metadata: {name: web}\n",
    "components: [../inner]\n#  note\n",
    "patches:\n- target: {kind: ConfigMap}\n  patch: |-\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: any}\n    data: {value: patched, more: x}\n",
    "patchesStrategicMerge:\n- |-\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: config}\n  data: {value: '0'}\n",
    "commonAnnotations: {note: here}\n",
    "replacements:\n- source: {kind: ConfigMap, name: config, fieldPath: data.value}\n  targets: [{select: {kind: Deployment}, fieldPaths: [spec.template.metadata.labels.app]}]\n",
    "patches:\n- target: {kind: ConfigMap}\n  patch: |-\n    - {op: add, path: /data/json, value: x}\n",
    "openapi: {path: schema.json}\n",
    "resources: [missing.yaml]\n",
];

const DEPLOYMENT: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      containers:\n      - name: main\n        image: nginx:1 # the old one\n        envFrom: [{configMapRef: {name: made}}]\n";

/// Possible fields of the overlay after its components.
const ENDINGS: [&str; 8] = [
    "namePrefix: dev-\n",
    "namespace: green\n",
    "commonLabels: {env: prod}\n",
    "images:\n- name: nginx\n  newTag: '3'\n- name: nginx\n  newName: mirror/nginx\n",
    "replicas:\n- {name: web, count: 2}\n",
    "images:\n- name: nginx\n  tagSuffix: -x\n- name: missing\n  newTag: '1'\n- name: '['\n  newTag: '1'\n",
    "buildMetadata: [originAnnotations, transformerAnnotations]\n",
    "patches:\n- patch: |-\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: config}\n    data: {last: word}\n- target: {kind: Deployment}\n  patch: |-\n    - op: replace\n      path: /spec/template/spec/containers/0/name\n      value: first\n",
];

const ALL: usize = 5;

/// The state of a tree at one moment.
#[derive(Clone, Debug, Default)]
struct TreeVariant {
    off: [bool; ALL],
    says: [usize; ALL],
    in_base: bool,
    value: usize,
    resource_off: bool,
    /// Components that changed places with the next one.
    moved: [bool; ALL],
    endings: [bool; ENDINGS.len()],
    lower: bool,
}

impl TreeVariant {
    fn change(&mut self, what: usize, which: usize, how: usize) {
        match what {
            0..=5 => self.off[which] = !self.off[which],
            6 | 7 => self.says[which] = how,
            8 => self.in_base = !self.in_base,
            9 => self.value = how,
            10 => self.resource_off = !self.resource_off,
            11 => self.moved[which] = !self.moved[which],
            12 => self.lower = !self.lower,
            _ => self.endings[how % ENDINGS.len()] = !self.endings[how % ENDINGS.len()],
        }
    }

    /// The components as the overlay lists them.
    fn order(&self) -> [usize; ALL] {
        let mut order = [0, 1, 2, 3, 4];
        for place in (0..ALL - 1).filter(|place| self.moved[*place]) {
            order.swap(place, place + 1);
        }
        order
    }

    fn files(&self) -> MemoryFiles {
        let sign = |off: bool| if off { "#" } else { "" };
        let mut overlay = format!(
            "{}resources:\n- ../base\n{}- own.yaml\nconfigMapGenerator:\n- name: made\n  literals: [one=1]\ncomponents:\n",
            if self.lower { "# about it\n" } else { "" },
            sign(self.resource_off)
        );
        let mut files = MemoryFiles::default();
        for number in self.order() {
            overlay = format!("{overlay}{}- ../components/c{number}\n", sign(self.off[number]));
        }
        for number in 0..ALL {
            let directory = format!("/components/c{number}");
            let text = format!("kind: Component\n{}", COMPONENT_TEXTS[self.says[number]]);
            let more = config_map(&format!("more-{number}"), 0);
            files = files
                .file(format!("{directory}/kustomization.yaml"), text)
                .file(format!("{directory}/more.yaml"), more)
                .file(format!("{directory}/schema.json"), r#"{"definitions": {}}"#);
        }
        for (ending, _) in ENDINGS.iter().zip(self.endings).filter(|(_, is_there)| *is_there) {
            overlay.push_str(ending);
        }
        let base = format!(
            "resources: [web.yaml, config.yaml]\ncomponents:\n{}- ../components/inner\n",
            sign(!self.in_base)
        );
        let inner = "kind: Component\nlabels:\n- pairs: {inner: yes-it-is}\n";
        let service = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n";
        files
            .file("/overlay/kustomization.yaml", overlay)
            .file("/overlay/own.yaml", config_map("own", 0))
            .file("/base/kustomization.yaml", base)
            .file("/base/web.yaml", format!("{DEPLOYMENT}---\n{service}"))
            .file("/base/config.yaml", config_map("config", self.value))
            .file("/components/inner/kustomization.yaml", inner)
    }
}

fn config_map(name: &str, value: usize) -> String {
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\ndata:\n  value: \"{value}\"\n"
    )
}

fn build(moment: &TreeVariant, memory: &mut BuildCache) -> Evaluation {
    evaluate_target("overlay", moment.files(), memory)
}

/// The content of a recording, down to the marks of nodes, with names for the numbers that a memory
/// assigns.
fn told(evaluation: &Evaluation, numbers: &Regex) -> String {
    let trace = &evaluation.trace;
    // A transformer caches its lookups, so it is left out of the comparison.
    let steps: Vec<_> =
        trace.steps.iter().map(|step| Step { transformer: None, ..step.clone() }).collect();
    let steps = format!("{steps:?}\n{:?}\n{:?}", trace.layers, evaluation.schemas);
    format!("{}\n{}", named(&steps, evaluation, numbers), result(evaluation, numbers))
}

/// The result, down to the marks of nodes.
fn result(evaluation: &Evaluation, numbers: &Regex) -> String {
    let text = format!("{:?}\n{:?}", evaluation.outcome, evaluation.warnings);
    named(&text, evaluation, numbers)
}

fn named(text: &str, evaluation: &Evaluation, numbers: &Regex) -> String {
    let trace = &evaluation.trace;
    let writers: BTreeMap<WriterId, &str> =
        trace.steps.iter().map(|step| (step.writer, &*step.id.0)).collect();
    let named = numbers.replace_all(text, |found: &Captures<'_>| {
        let number: u32 = found[2].parse().unwrap();
        if &found[1] == "SourceId" {
            return trace.sources.path(SourceId(number)).unwrap_or("none").to_owned();
        }
        writers.get(&WriterId(number)).copied().unwrap_or("nobody").to_owned()
    });
    named.into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// After any toggles and edits in any order, the recording equals that of a build from scratch.
    #[test]
    fn reused_results_equal_fresh_build(
        says in prop::array::uniform5(0..COMPONENT_TEXTS.len() - 1),
        changes in prop::collection::vec((0_usize..16, 0..ALL, 0..COMPONENT_TEXTS.len()), 1..8),
    ) {
        let difference = difference_from_fresh_build(says, &changes);
        prop_assert!(difference.is_none(), "{}", difference.unwrap_or_default());
    }

    /// A build without a recording has the same result as one with a memory of its steps, and the
    /// same text.
    #[test]
    fn build_without_recording_is_equal(
        says in prop::array::uniform5(0..COMPONENT_TEXTS.len()),
        changes in prop::collection::vec((0_usize..16, 0..ALL, 0..COMPONENT_TEXTS.len()), 0..4),
    ) {
        let numbers = Regex::new(r"(SourceId|WriterId)\((\d+)\)").unwrap();
        let mut moment = TreeVariant { says, ..TreeVariant::default() };
        for (what, which, how) in changes {
            moment.change(what, which, how);
        }
        let all = build(&moment, &mut BuildCache::default());
        let mut memory = BuildCache::disabled().without_changes().with_output_check();
        let alone = build(&moment, &mut memory);
        let (one, other) = (result(&alone, &numbers), result(&all, &numbers));
        prop_assert!(one == other, "{}", first_difference(&one, &other));
        let resources = all.outcome.ok();
        let text = resources.map(|all| print_documents(all.iter().map(|it| &it.node)).unwrap());
        prop_assert_eq!(memory.take_text(), text);
        let mut known = BuildCache::default();
        build(&TreeVariant { says, ..TreeVariant::default() }, &mut known);
        let trial = build(&moment, &mut known.read_only().without_changes());
        let one = result(&trial, &numbers);
        prop_assert!(one == other, "a trial: {}", first_difference(&one, &other));
    }
}

/// The first difference between a build with reuse and a build from scratch, after one of these
/// changes; `None` without a difference.
fn difference_from_fresh_build(
    says: [usize; ALL],
    changes: &[(usize, usize, usize)],
) -> Option<String> {
    let numbers = Regex::new(r"(SourceId|WriterId)\((\d+)\)").unwrap();
    let mut moment = TreeVariant { says, ..TreeVariant::default() };
    let mut memory = BuildCache::default();
    build(&moment, &mut memory);
    changes.iter().find_map(|(what, which, how)| {
        moment.change(*what, *which, *how);
        let reused = told(&build(&moment, &mut memory), &numbers);
        let fresh = told(&build(&moment, &mut BuildCache::default()), &numbers);
        let differ = || format!("after {moment:?}:\n{}", first_difference(&reused, &fresh));
        (reused != fresh).then(differ)
    })
}

/// A new step has a higher number than later steps, which keep theirs. Here an inner component adds
/// labels before an existing component does, and before a generator that makes Kustomize recreate
/// labels.
#[test]
fn step_numbers_do_not_imply_an_order() {
    assert_eq!(difference_from_fresh_build([0, 0, 3, 0, 8], &[(6, 0, 11)]), None);
}

/// The parts of the two texts around the first line that differs.
fn first_difference(one: &str, other: &str) -> String {
    let lines = |text: &str| text.replace(", ", ",\n");
    let (one, other) = (lines(one), lines(other));
    let at = one.lines().zip(other.lines()).position(|(one, other)| one != other).unwrap_or(0);
    let around = |text: &str| -> Vec<String> {
        text.lines().skip(at.saturating_sub(12)).take(24).map(str::to_owned).collect()
    };
    format!("reused:\n{}\nfresh:\n{}", around(&one).join("\n"), around(&other).join("\n"))
}

/// The ids of the steps whose first change contains the same resource in memory as in an earlier
/// recording.
fn reused_step_ids(now: &Evaluation, then: &Evaluation) -> Vec<String> {
    let same = |step: &&Step| {
        let old = then.trace.steps.iter().find(|old| old.id == step.id);
        let (Some(old), Some(change)) = (old, step.changes.first()) else { return false };
        let old = old.changes.first().and_then(|change| change.after.as_ref());
        change.after.as_ref().zip(old).is_some_and(|(new, old)| Arc::ptr_eq(new, old))
    };
    let steps = now.trace.steps.iter().filter(|step| step.kind != StepKind::Order);
    steps.filter(same).map(|step| step.id.0.to_string()).collect()
}

#[test]
fn steps_before_a_toggled_component_are_reused() {
    let mut endings = [false; ENDINGS.len()];
    endings[0] = true;
    let mut moment = TreeVariant { says: [0, 1, 3, 5, 9], endings, ..TreeVariant::default() };
    let mut memory = BuildCache::default();
    let all = build(&moment, &mut memory);
    assert!(all.outcome.is_ok(), "{:?}", all.outcome);
    let of = |taken: &[String], place: &str| taken.iter().any(|id| id.starts_with(place));
    let components = |taken: &[String]| {
        [0, 1, 2, 3, 4].map(|number| of(taken, &format!("/components/c{number}#")))
    };
    moment.off[2] = true;
    let without = build(&moment, &mut memory);
    let taken = reused_step_ids(&without, &all);
    assert!(of(&taken, "/overlay#configMapGenerator"), "what comes before them: {taken:?}");
    assert_eq!(components(&taken), [true, true, false, false, false], "{taken:?}");
    moment.off[2] = false;
    let again = build(&moment, &mut memory);
    let taken = reused_step_ids(&again, &all);
    assert_eq!(components(&taken), [true; 5], "{taken:?}");
    // The base is still in the cache after several builds that did not evaluate it.
    for number in [4, 3, 4, 3, 4] {
        moment.off[number] = !moment.off[number];
        build(&moment, &mut memory);
    }
    moment.resource_off = true;
    let other = build(&moment, &mut memory);
    assert!(reused_step_ids(&other, &all).contains(&"/base#resources[web.yaml]".to_owned()));
}

/// After a component that is switched off, only the resources that it changed are evaluated again.
#[test]
fn only_affected_resources_are_evaluated() {
    // A patch of Deployments, one of ConfigMaps, and a prefix for all.
    let mut endings = [false; ENDINGS.len()];
    endings[0] = true;
    let mut moment = TreeVariant { says: [0, 12, 12, 12, 0], endings, ..TreeVariant::default() };
    let mut memory = BuildCache::default();
    let all = build(&moment, &mut memory);
    assert!(all.outcome.is_ok(), "{:?}", all.outcome);
    moment.off[0] = true;
    let without = build(&moment, &mut memory);
    let step = |of: &Evaluation, id: &str| {
        let mut steps = of.trace.steps.iter().filter(|step| step.id.0.starts_with(id));
        steps.next().cloned().unwrap_or_else(|| panic!("no step {id}"))
    };
    let after = |step: &Step, kind: &str| -> Vec<Arc<kzui::engine::resource::Resource>> {
        let changes = step.changes.iter().filter_map(|change| change.after.clone());
        changes.filter(|it| &*it.id.gvk.kind == kind).collect()
    };
    for id in ["/components/c1#patches", "/overlay#namePrefix"] {
        let [then, now] = [&all, &without].map(|it| after(&step(it, id), "ConfigMap"));
        assert!(!then.is_empty() && then.len() == now.len(), "{id}: {then:?}");
        assert!(then.iter().zip(&now).all(|(then, now)| Arc::ptr_eq(then, now)), "{id}");
    }
    let [then, now] =
        [&all, &without].map(|it| after(&step(it, "/overlay#namePrefix"), "Deployment"));
    assert!(!Arc::ptr_eq(&then[0], &now[0]), "the Deployment is another one");
}

/// A change of one Deployment does not cause another scan of the images and references of others.
#[test]
fn images_and_references_are_reused() {
    let named = |name: &str| DEPLOYMENT.replace("name: web\n", &format!("name: {name}\n"));
    let overlay = |off: &str| {
        format!(
            "resources: [web.yaml, own.yaml, service.yaml]\nconfigMapGenerator:\n- name: made\n  literals: [one=1]\ncomponents:\n\
             {off}- ../component\nnamePrefix: p-\nimages:\n- name: nginx\n  newTag: '3'\n- name: nginx\n  newName: mirror/nginx\n"
        )
    };
    let tree = |off: &str| {
        MemoryFiles::default()
            .file("/overlay/kustomization.yaml", overlay(off))
            .file("/overlay/web.yaml", named("web"))
            .file("/overlay/own.yaml", named("own"))
            .file(
                "/component/kustomization.yaml",
                "kind: Component\nreplicas: [{name: web, count: 9}]\npatches:\n- target: {kind: Service}\n  patch: '- {op: add, path: /spec, value: {}}'\n",
            )
            .file("/overlay/service.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n")
    };
    let mut memory = BuildCache::default();
    let all = evaluate_target("overlay", tree(""), &mut memory);
    assert!(all.outcome.is_ok(), "{:?}", all.outcome);
    let without = evaluate_target("overlay", tree("#"), &mut memory);
    let after = |of: &Evaluation, step: &Step, name: &str| {
        let step = of.trace.steps.iter().find(|it| it.id == step.id).unwrap();
        let mut changes = step.changes.iter().filter_map(|change| change.after.clone());
        changes
            .find(|it| it.names.previous().first().is_some_and(|previous| *previous.name == *name))
    };
    let wanted = |step: &&Step| step.field == "images" || step.kind == StepKind::NameReferences;
    let steps: Vec<&Step> = all.trace.steps.iter().filter(wanted).collect();
    assert_eq!(steps.len(), 3);
    for step in steps {
        let same = |name: &str| {
            let [then, now] = [&all, &without].map(|it| after(it, step, name).unwrap());
            Arc::ptr_eq(&then, &now)
        };
        assert_eq!([same("own"), same("web")], [true, false], "{}", step.id.0);
    }
}

/// One base under targets at other depths, with and without origins, after other resources, with a
/// component between; and a base that refers back to the folder of one of the targets.
fn targets_with_much_in_common() -> (MemoryFiles, Vec<&'static str>) {
    let base = "resources: [d.yaml, ../deep/inner]\nconfigMapGenerator:\n- name: made\n  literals: [a=b]\n";
    let files = MemoryFiles::default()
        .file("/base/kustomization.yaml", base)
        .file("/base/d.yaml", DEPLOYMENT)
        .file("/deep/inner/kustomization.yaml", "resources: [c.yaml]\nnamePrefix: in-\n")
        .file("/deep/inner/c.yaml", config_map("inner", 1))
        .file("/one/kustomization.yaml", "resources: [../base]\nnamePrefix: one-\n")
        .file("/far/away/two/kustomization.yaml", "resources: [../../../base]\nnameSuffix: -two\n")
        .file(
            "/three/kustomization.yaml",
            "resources: [../base]\nbuildMetadata: [originAnnotations]\n",
        )
        .file(
            "/far/four/kustomization.yaml",
            "resources: [../../base]\nbuildMetadata: [originAnnotations, transformerAnnotations]\n",
        )
        .file("/five/kustomization.yaml", "resources: [own.yaml, ../base]\nnamespace: five\n")
        .file("/five/own.yaml", config_map("own", 5))
        .file("/six/kustomization.yaml", "resources: [../base]\ncomponents: [../component]\n")
        .file(
            "/component/kustomization.yaml",
            "kind: Component\nreplicas: [{name: web, count: 9}]\n",
        )
        .file("/back/kustomization.yaml", "resources: [../round]\n")
        .file("/back/below/kustomization.yaml", "resources: [../../turn]\n")
        .file("/round/kustomization.yaml", "resources: [../base]\n")
        .file("/turn/kustomization.yaml", "resources: [../back]\n")
        .file("/again/kustomization.yaml", "resources: [../turn]\n");
    let targets = vec![
        "one",
        "far/away/two",
        "three",
        "far/four",
        "five",
        "six",
        "base",
        "again",
        "back",
        "back/below",
        "round",
        "turn",
        "deep/inner",
        "one",
    ];
    (files, targets)
}

/// Many targets with one memory are built like each alone, in any order.
#[test]
fn shared_cache_gives_the_results_of_separate_builds() {
    let numbers = Regex::new(r"(SourceId|WriterId)\((\d+)\)").unwrap();
    let (files, targets) = targets_with_much_in_common();
    for turn in 0..targets.len() {
        let mut memory = BuildCache::default();
        let mut order = targets.clone();
        order.rotate_left(turn);
        for target in order {
            let shared = told(&evaluate_target(target, files.clone(), &mut memory), &numbers);
            let fresh =
                told(&evaluate_target(target, files.clone(), &mut BuildCache::default()), &numbers);
            assert!(shared == fresh, "{target}:\n{}", first_difference(&shared, &fresh));
        }
    }
    let mut memory = BuildCache::default();
    evaluate_target("turn", files.clone(), &mut memory);
    let failed = evaluate_target("back/below", files, &mut memory).outcome;
    assert!(failed.unwrap_err().message.contains("cycle detected"));
}
