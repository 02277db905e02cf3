//! Sources, parents and variables of Flux Kustomizations in a repository.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::diagnostic::Code;
use crate::evaluate::{BuildCache, BuildOptions, Evaluation, Ports, Wait, evaluate};
use crate::load::{FileError, FileKind, Files, MemoryFiles};
use crate::profile::Profile;
use crate::yaml::print_output;

const SOURCE: &str = "sourceRef: {kind: GitRepository, name: here}";

fn object(name: &str, spec: &str) -> String {
    let head = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n";
    format!("{head}metadata: {{name: {name}, namespace: flux-system}}\nspec: {{{spec}}}\n---\n")
}

fn git_repository(name: &str, url: &str) -> String {
    let head = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n";
    format!("{head}metadata: {{name: {name}, namespace: flux-system}}\nspec: {{url: {url}}}\n---\n")
}

fn config_map(name: &str, data: &str) -> String {
    let head = "apiVersion: v1\nkind: ConfigMap\n";
    format!("{head}metadata: {{name: {name}, namespace: flux-system}}\ndata: {{{data}}}\n---\n")
}

fn build(tree: &[(&str, String)], target: &str) -> Evaluation {
    let git = "[remote \"origin\"]\n\turl = https://example.com/team/here.git\n";
    let files = MemoryFiles::default()
        .file("/r/.git/config", git)
        .file("/r/sources.yaml", git_repository("here", "ssh://git@example.com/team/here"));
    let files = tree.iter().fold(files, |all, (path, text)| all.file(format!("/r/{path}"), text));
    let options = BuildOptions { profile: Profile::latest(), ..BuildOptions::default() };
    let (ports, root) = (Ports::of_files(files), Path::new("/r"));
    evaluate(target, root, &options, &ports, &mut BuildCache::disabled())
}

fn outcome(tree: &[(&str, String)], target: &str) -> String {
    let built = build(tree, target);
    let pending = built.trace.first_wait().map(Wait::required_action_text);
    match (pending, &built.outcome) {
        (Some(need), _) => need,
        (None, Err(error)) => error.message.clone(),
        (None, Ok(resources)) => {
            let printed = resources.iter().map(|resource| print_output(&resource.node).unwrap());
            printed.collect()
        }
    }
}

struct ListRecordingFiles(MemoryFiles, Mutex<Vec<PathBuf>>);

impl Files for ListRecordingFiles {
    fn resolve(&self, path: &Path) -> Result<(PathBuf, FileKind), FileError> {
        self.0.resolve(path)
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, FileError> {
        self.0.read(path)
    }

    fn list(&self, path: &Path) -> Result<Vec<String>, FileError> {
        self.1.lock().unwrap().push(path.to_owned());
        self.0.list(path)
    }
}

#[test]
fn objects_of_other_sources_list_no_directory_outside_the_repository() {
    for source in ["{kind: OCIRepository, name: x}", "{kind: GitRepository, name: other}"] {
        let files = MemoryFiles::default()
            .file("/r/.git/config", "")
            .file("/r/a.yaml", object("a", &format!("path: ./app, sourceRef: {source}")))
            .file("/r/other.yaml", git_repository("other", "https://example.com/team/other"))
            .file("/home/me/.sourceignore", "");
        let files = Arc::new(ListRecordingFiles(files, Mutex::default()));
        let ports = Ports { files: files.clone(), ..Ports::of_files(MemoryFiles::default()) };
        let options = BuildOptions { profile: Profile::latest(), ..BuildOptions::default() };
        let memory = &mut BuildCache::disabled();
        let built = evaluate("a.yaml", Path::new("/r"), &options, &ports, memory);
        assert!(built.trace.first_wait().is_some());
        let listed = files.1.lock().unwrap();
        assert!(listed.iter().all(|path| path.starts_with("/r")), "{listed:?}");
    }
}

#[test]
fn a_parent_that_deploys_itself_patches_its_children() {
    let patch = "patches: [{target: {kind: Kustomization}, \
                 patch: \"- {op: add, path: /spec/namePrefix, value: new-}\"}]";
    let tree = [
        ("one/sync.yaml", object("one", &format!("path: ./one, {SOURCE}, {patch}"))),
        ("one/apps.yaml", object("apps", &format!("path: ./apps, {SOURCE}"))),
        ("apps/m.yaml", config_map("m", "")),
    ];
    // Its own patch applies to it as well.
    let apps = outcome(&tree, "one/apps.yaml");
    assert!(apps.contains("name: new-m"), "{apps}");
}

#[test]
fn application_sets_that_deploy_each_other_are_built() {
    let set = |name: &str, folders: &str| {
        let url = "ssh://git@example.com/team/here";
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {{name: {name}}}\n\
             spec:\n  generators: [{{git: {{repoURL: '{url}', directories: [{{path: {folders}/*}}]}}}}]\n  \
             template:\n    metadata: {{name: '{{{{path.basename}}}}'}}\n    \
             spec: {{source: {{repoURL: '{url}', path: '{{{{path}}}}'}}, destination: {{}}}}\n"
        )
    };
    let list = |resource: &str| format!("resources: [{resource}]\n");
    let own = [
        ("sets/set.yaml", set("all", "core")),
        ("sets/kustomization.yaml", list("set.yaml")),
        ("core/a/kustomization.yaml", list("../../sets")),
    ];
    let built = outcome(&own, "sets/set.yaml#a");
    assert!(built.contains("kind: ApplicationSet"), "{built}");
    let each_other = [
        ("one/set.yaml", set("one", "a")),
        ("one/kustomization.yaml", list("set.yaml")),
        ("two/set.yaml", set("two", "b")),
        ("two/kustomization.yaml", list("set.yaml")),
        ("a/x/kustomization.yaml", list("../../two")),
        ("b/y/kustomization.yaml", list("../../one")),
    ];
    let built = outcome(&each_other, "one/set.yaml#x");
    assert!(built.contains("name: two"), "{built}");
}

#[test]
fn objects_that_deploy_each_other_are_a_cycle() {
    let tree = [
        ("a/b.yaml", object("b", &format!("path: ./b, {SOURCE}"))),
        ("b/a.yaml", object("a", &format!("path: ./a, {SOURCE}"))),
    ];
    let error = build(&tree, "a/b.yaml").outcome.unwrap_err();
    assert_eq!(error.code(), Code::KZ023, "{error:?}");
    assert!(error.message.contains("a/b.yaml#b → b/a.yaml#a"), "{error:?}");
}

#[test]
fn variables_come_from_config_maps_of_the_same_cluster() {
    let spec = |path: &str| {
        format!(
            "path: {path}, {SOURCE}, \
                 postBuild: {{substituteFrom: [{{kind: ConfigMap, name: settings}}]}}"
        )
    };
    let tree = [
        ("a/sync.yaml", object("a", &format!("path: ./a, {SOURCE}"))),
        ("a/web.yaml", object("web", &spec("./web"))),
        ("a/settings.yaml", config_map("settings", "A: one")),
        ("b/sync.yaml", object("b", &format!("path: ./b, {SOURCE}"))),
        (
            "b/kustomization.yaml",
            "namespace: flux-system\nresources: [web.yaml]\nconfigMapGenerator:\n\
          - {name: settings, literals: [A=two], options: {disableNameSuffixHash: true}}\n"
                .to_owned(),
        ),
        ("b/web.yaml", object("web", &spec("./web"))),
        ("web/m.yaml", config_map("m", "k: \"${A}\"")),
    ];
    assert!(outcome(&tree, "a/web.yaml").contains("k: one"));
    assert!(outcome(&tree, "b/web.yaml").contains("k: two"));
    let shared = [
        ("apps/web.yaml", object("web", &spec("./web"))),
        ("a/apps.yaml", object("apps", &format!("path: ./apps, {SOURCE}"))),
        ("a/settings.yaml", config_map("settings", "A: one")),
        ("a/sync.yaml", object("a", &format!("path: ./a, {SOURCE}"))),
        ("b/apps.yaml", object("apps", &format!("path: ./apps, {SOURCE}"))),
        ("b/settings.yaml", config_map("settings", "A: two")),
        ("b/sync.yaml", object("b", &format!("path: ./b, {SOURCE}"))),
        ("web/m.yaml", config_map("m", "k: \"${A:=unset}\"")),
    ];
    assert!(outcome(&shared, "apps/web.yaml#web@a/apps.yaml#apps").contains("k: one"));
    assert!(outcome(&shared, "apps/web.yaml#web@b/apps.yaml#apps").contains("k: two"));
    // Only in cluster `a` does one root deploy both the object and the `ConfigMap` with its
    // variables.
    let split = [
        ("apps/web.yaml", object("web", &spec("./web"))),
        ("a/apps.yaml", object("apps", &format!("path: ./apps, {SOURCE}"))),
        ("a/settings.yaml", config_map("settings", "A: one")),
        ("a/sync.yaml", object("a", &format!("path: ./a, {SOURCE}"))),
        ("b/apps.yaml", object("apps", &format!("path: ./apps, {SOURCE}"))),
        ("b/configs.yaml", object("configs", &format!("path: ./configs, {SOURCE}"))),
        ("configs/settings.yaml", config_map("settings", "A: two")),
        ("web/m.yaml", config_map("m", "k: \"${A:=unset}\"")),
    ];
    assert!(outcome(&split, "apps/web.yaml#web@b/apps.yaml#apps").contains("k: two"));
    assert!(outcome(&split, "apps/web.yaml").contains("k: ${A:=unset}"));
    let both = build(&shared, "apps/web.yaml");
    let steps = both.trace.steps.iter().flat_map(|step| &step.warnings);
    let remarks: Vec<String> = steps.map(crate::diagnostic::Diagnostic::message).collect();
    assert!(remarks.iter().any(|it| it.contains("several versions")), "{remarks:?}");
    let secret = |text: &str| {
        let head = "apiVersion: v1\nkind: Secret\nmetadata: {name: hidden, namespace: flux-system}";
        format!("{head}\nstringData: {{{text}}}\nsops: {{}}\n---\n")
    };
    let from = "{kind: ConfigMap, name: settings}, {kind: Secret, name: hidden}";
    let post = format!("postBuild: {{substituteFrom: [{from}]}}");
    let hidden = |text: &str| {
        let tree = [
            ("web.yaml", object("web", &format!("path: ./web, {SOURCE}, {post}"))),
            ("settings.yaml", config_map("settings", "A: one, B: two")),
            ("hidden.yaml", secret("\"A\": \"ENC[x]\"")),
            ("web/m.yaml", config_map("m", text)),
        ];
        outcome(&tree, "web.yaml")
    };
    // The later Secret overrides A, and has no C.
    assert!(hidden("k: \"${A}-${B}-${C:=c}\"").contains("k: ${A}-two-c"));
    assert!(hidden("k: \"${C}\"").contains("variable not set (strict mode): \"C\""));
    let broken = hidden("k: \"${B}\", '${A} x: y': z");
    assert!(broken.contains("k: two") && broken.contains("${A} x: y"), "{broken}");
}

#[test]
fn files_ignored_by_the_source_do_not_exist() {
    let tree = [
        (
            "gotk-sync.yaml",
            git_repository("own", "https://example.com/x")
                .replace("url:", "ignore: \"/*\\n!/app\\n/app/old.yaml\", url:"),
        ),
        ("own.yaml", object("own", "path: ./app, sourceRef: {kind: GitRepository, name: own}")),
        ("app/kustomization.yaml", "resources: [new.yaml, old.yaml]\n".to_owned()),
        ("app/new.yaml", config_map("new", "")),
        ("app/old.yaml", config_map("old", "")),
    ];
    let message = outcome(&tree, "own.yaml");
    assert!(message.contains("old.yaml"), "{message}");
    let open = outcome(&tree, "app");
    assert!(open.contains("name: old"), "{open}");
}
