//! Diagnostics of `kzui check` on the text in the editor.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kzui_analysis::answers::RepositoryBuilds;
use kzui_engine::evaluate::NoCancel;

use crate::client::{Client, SHOP, repository_builds};

#[test]
fn findings_follow_the_text_of_the_editor() {
    let (path, patch) = ("dev/kustomization.yaml", "dev/patch.yaml");
    let mut client = Client::new(&[("notes/todo.yaml", "a: [\n")]);
    let none = [] as [&str; 0];
    // No target reads the file.
    assert_eq!(client.diagnostics("notes/todo.yaml"), none);
    let found = client.diagnostics("prod/kustomization.yaml");
    assert!(found.iter().any(|one| one.starts_with("7 KZ1")), "{found:?}");
    assert_eq!(client.diagnostics(patch), none);
    client.change(patch, &SHOP[4].1.replace("web", "wbe"));
    assert!(client.diagnostics(patch)[0].contains("KZ"));
    client.change(patch, SHOP[4].1);
    assert_eq!(client.diagnostics(patch), none);
    // A finding in another file is published there.
    client.open("base/web.yaml");
    client.change("base/web.yaml", &SHOP[1].1.replace("name: web\nspec", "name: site\nspec"));
    client.diagnostics("base/web.yaml");
    let found = [client.published(patch), client.published(path)].concat();
    assert!(!found.is_empty(), "the patch has no target any more");
    client.change("base/web.yaml", "kind: Deployment\nmetadata: [\n");
    let found = client.diagnostics("base/web.yaml");
    assert!(found.len() == 1 && found[0].starts_with("2 KZ010"), "{found:?}");
    client.change("base/web.yaml", SHOP[1].1);
    for text in ["resources: [\n", ""] {
        client.change("prod/kustomization.yaml", text);
        assert_eq!(client.diagnostics("prod/kustomization.yaml").len(), 1, "{text}");
    }
    // A closed document is checked with its text on disk.
    client.change(path, "resources:\n- ../gone\n");
    let found = client.diagnostics(path);
    assert!(found[0].starts_with("2 KZ") && found[0].contains("gone"), "{found:?}");
    client.close(path);
    client.open("base/service.yaml");
    client.diagnostics("base/service.yaml");
    assert_eq!(client.published(path), none);
}

/// Kustomize reports such a patch at its entry; the editor shows the patch.
#[test]
fn a_patch_that_cannot_be_used_has_the_finding_at_its_line() {
    let entry = "path: patch.yaml\n";
    let target = "target: {kind: Deployment}\n  path: patch.yaml\n";
    for (entry, text, expected) in [
        (entry, "kind: Deployment\nmetadata: [\n", "2 KZ043"),
        (target, "- op: add\n  path [\n", "2 KZ043"),
        (entry, "", "1 KZ121"),
        (entry, "a: b\n", "1 KZ043"),
    ] {
        let mut client = Client::new(&[]);
        let kustomization = format!("resources:\n- ../base\npatches:\n- {entry}");
        client.change("dev/kustomization.yaml", &kustomization);
        client.change("dev/patch.yaml", text);
        let found = client.diagnostics("dev/patch.yaml");
        assert!(found.len() == 1 && found[0].starts_with(expected), "{text}: {found:?}");
        let found = client.diagnostics("dev/kustomization.yaml");
        assert!(found[0].starts_with("4 KZ"), "{text}: {found:?}");
    }
}

#[test]
fn a_check_after_an_edit_builds_the_affected_targets_and_has_the_result_of_a_new_check() {
    let tree: Vec<(PathBuf, &str)> =
        SHOP.iter().map(|(path, text)| (PathBuf::from(format!("/r/{path}")), *text)).collect();
    let builds = || repository_builds(SHOP);
    let mut edited: BTreeMap<PathBuf, Arc<[u8]>> =
        tree.iter().map(|(path, text)| (path.clone(), Arc::from(text.as_bytes()))).collect();
    let mut kept = builds();
    let check = |builds: &mut RepositoryBuilds, texts: &_| {
        let found = builds.check_edits(texts, Arc::new(NoCancel));
        let effects = found.effects.iter().map(|(file, own)| format!("{} {own:?}", file.display()));
        let messages: Vec<String> =
            found.findings.iter().map(|it| format!("{:?} {}", it.file, it.message)).collect();
        ((effects.collect::<Vec<_>>(), messages, found.targets), found.built)
    };
    let edits = [
        ("", "", vec!["dev", "prod"]),
        (
            "dev/patch.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: wob\n",
            vec!["dev"],
        ),
        ("prod/kustomization.yaml", "resources:\n- ../base\nnameSuffix: -x\n", vec!["prod"]),
        (
            "base/service.yaml",
            "apiVersion: v1\nkind: Service\nmetadata:\n  name: api\n",
            vec!["dev", "prod"],
        ),
        ("dev/kustomization.yaml", "resources:\n- ../base\n- ../prod\n", vec!["dev"]),
        ("dev/kustomization.yaml", "resources:\n- ../base\n", vec!["dev", "prod"]),
    ];
    for (file, text, targets) in edits {
        if !file.is_empty() {
            edited.insert(format!("/r/{file}").into(), Arc::from(text.as_bytes()));
        }
        let (found, built) = check(&mut kept, &edited);
        let (new, _) = check(&mut builds(), &edited);
        assert_eq!(found, new, "{file}");
        let built: Vec<String> = built.iter().map(|it| it.display().to_string()).collect();
        let expected: Vec<String> = targets.iter().map(|it| format!("/r/{it}")).collect();
        assert_eq!(built, expected, "{file}");
    }
    edited.remove(Path::new("/r/dev/patch.yaml"));
    assert_eq!(check(&mut kept, &edited).0, check(&mut builds(), &edited).0);
}
