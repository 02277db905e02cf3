use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::engine::evaluate::{BuildCache, BuildOptions, Ports, evaluate};
use crate::engine::load::MemoryFiles;
use crate::repository::{ListedFiles, Repository};

/// The lines that a rename of the name at the first `needle` of a file changes, in a tree below `/r`.
fn plan(
    tree: &[(&str, &str)],
    (path, needle): (&str, &str),
    wanted: Option<&str>,
) -> Result<Vec<String>, String> {
    let files = tree
        .iter()
        .fold(MemoryFiles::default(), |all, (path, text)| all.file(format!("/r/{path}"), *text));
    let files: Arc<dyn Files> = Arc::new(files);
    let mut listed: Vec<PathBuf> = tree.iter().map(|(it, _)| format!("/r/{it}").into()).collect();
    listed.sort_unstable();
    let repository = Repository::read(Path::new("/r"), &ListedFiles(listed), &*files).unwrap();
    let options = BuildOptions::default();
    let builder = || -> Box<RebuildTarget<'_>> {
        let mut memory = BuildCache::default();
        let options = &options;
        Box::new(move |target: &Path, files: Arc<dyn Files>| {
            let ports = Ports { files, ..Ports::of_files(MemoryFiles::default()) };
            Some(evaluate(&target.to_string_lossy(), Path::new("/r"), options, &ports, &mut memory))
        })
    };
    let current = Path::new("/r");
    let scope = Prover { repository: &repository, current, files: &files, builder: &builder };
    let text = tree.iter().find(|(own, _)| *own == path).unwrap().1;
    let byte = text.find(needle).unwrap();
    let planned = plan_rename((Path::new(&format!("/r/{path}")), byte), wanted, &scope)?;
    let mut lines = Vec::new();
    for change in &planned {
        let text = |text: &Option<Arc<[u8]>>| String::from_utf8(text.as_deref()?.to_vec()).ok();
        let (before, after) = (text(&change.base).unwrap(), text(&change.draft).unwrap());
        let file = change.path.strip_prefix("/r").unwrap().display();
        for (number, (old, new)) in (1..).zip(before.lines().zip(after.lines())) {
            lines.extend((old != new).then(|| format!("{file}:{number} {}", new.trim())));
        }
    }
    Ok(lines)
}

const CONFIG: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n";
const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      containers:\n      - name: web\n        image: settings\n        envFrom:\n        - configMapRef: {name: settings} # why\n";
const HPA: &str = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata:\n  name: web\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n";

/// A base, and an overlay whose patches, replacements and replicas name its Deployment.
const SHOP: &[(&str, &str)] = &[
    ("base/kustomization.yaml", "resources: [web.yaml, config.yaml, hpa.yaml]\n"),
    ("base/web.yaml", WEB),
    ("base/config.yaml", CONFIG),
    ("base/hpa.yaml", HPA),
    (
        "dev/kustomization.yaml",
        "resources:\n- ../base\nnamePrefix: dev-\nreplicas:\n- name: web\n  count: 2\npatches:\n- path: patch.yaml\n- target: {kind: Deployment, name: \"web\"}\n  patch: |-\n    - op: add\n      path: /metadata/annotations\n      value: {a: web}\n- patch: |-\n    apiVersion: v1\n    kind: ConfigMap\n    metadata:\n      name: settings\n    data: {a: b}\nreplacements:\n- source: {kind: Deployment, name: web, fieldPath: metadata.name}\n  targets:\n  - select: {kind: ConfigMap, name: settings}\n    fieldPaths: [data.of]\n    options: {create: true}\n",
    ),
    (
        "dev/patch.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  paused: true\n",
    ),
    (
        "prod/kustomization.yaml",
        "resources: [../dev]\npatches:\n- target: {kind: Deployment, name: dev-web}\n  patch: '[{\"op\": \"add\", \"path\": \"/metadata/labels\", \"value\": {\"a\": \"b\"}}]'\n",
    ),
];

/// A generator in a base, which the overlay extends.
const GENERATED: &[(&str, &str)] = &[
    (
        "base/kustomization.yaml",
        "resources: [web.yaml]\nconfigMapGenerator:\n- name: settings\n  literals: [a=b]\n",
    ),
    ("base/web.yaml", WEB),
    (
        "dev/kustomization.yaml",
        "resources: [../base]\nconfigMapGenerator:\n- name: settings\n  behavior: merge\n  literals: [c=d]\n",
    ),
];

/// A custom resource that refers by a field that Kustomize does not know.
const CUSTOM: &[(&str, &str)] = &[
    ("base/kustomization.yaml", "resources: [web.yaml, scaled.yaml]\n"),
    ("base/web.yaml", WEB),
    (
        "base/scaled.yaml",
        "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata:\n  name: web\nspec:\n  scaleTargetRef:\n    name: web\n",
    ),
];

/// A Service in one base, and an Ingress in another base that refers to it; `all` builds both.
const REFERENCE_OF_A_BASE: &[(&str, &str)] = &[
    ("all/kustomization.yaml", "resources: [../cart, ../front]\n"),
    ("cart/kustomization.yaml", "resources: [cart.yaml]\n"),
    ("cart/cart.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: cart}\n"),
    ("front/kustomization.yaml", "resources: [front.yaml]\n"),
    (
        "front/front.yaml",
        "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: front}\nspec:\n  defaultBackend: {service: {name: cart}}\n",
    ),
];

/// A tree with the places of one name, the new name, and the lines with it.
type RenameRow<'a> = (&'a [(&'a str, &'a str)], &'a [(&'a str, &'a str)], &'a str, &'a [&'a str]);

/// Any place with the name plans the same rename; a name with a prefix keeps the prefix.
#[test]
fn a_name_changes_wherever_it_is_written() {
    let web = [
        ("base/web.yaml", "web"),
        ("dev/patch.yaml", "web"),
        ("dev/kustomization.yaml", "web\"}"),
        ("dev/kustomization.yaml", "web, fieldPath"),
        ("base/hpa.yaml", "web}"),
    ];
    let shop = [
        "base/hpa.yaml:6 scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: shop}",
        "base/web.yaml:4 name: shop",
        "dev/kustomization.yaml:5 - name: shop",
        "dev/kustomization.yaml:9 - target: {kind: Deployment, name: \"shop\"}",
        "dev/kustomization.yaml:21 - source: {kind: Deployment, name: shop, fieldPath: metadata.name}",
        "dev/patch.yaml:4 name: shop",
        "prod/kustomization.yaml:3 - target: {kind: Deployment, name: dev-shop}",
    ];
    let settings = [
        "base/config.yaml:4 name: config",
        "base/web.yaml:12 - configMapRef: {name: config} # why",
        "dev/kustomization.yaml:18 name: config",
        "dev/kustomization.yaml:23 - select: {kind: ConfigMap, name: config}",
    ];
    let generated = [
        "base/kustomization.yaml:3 - name: config",
        "base/web.yaml:12 - configMapRef: {name: config} # why",
        "dev/kustomization.yaml:3 - name: config",
    ];
    let custom = ["base/scaled.yaml:7 name: shop", "base/web.yaml:4 name: shop"];
    let cart = [("cart/cart.yaml", "cart}"), ("front/front.yaml", "cart}")];
    let basket = [
        "cart/cart.yaml:3 metadata: {name: basket}",
        "front/front.yaml:5 defaultBackend: {service: {name: basket}}",
    ];
    let rows: [RenameRow<'_>; 6] = [
        (SHOP, &web, "shop", &shop),
        (SHOP, &[("prod/kustomization.yaml", "dev-web")], "dev-shop", &shop),
        (SHOP, &[("base/web.yaml", "settings} #")], "config", &settings),
        (GENERATED, &[("base/web.yaml", "settings}")], "config", &generated),
        (CUSTOM, &web[..1], "shop", &custom),
        (REFERENCE_OF_A_BASE, &cart, "basket", &basket),
    ];
    for (tree, places, wanted, lines) in rows {
        for place in places {
            assert_eq!(plan(tree, *place, Some(wanted)).unwrap(), lines, "{place:?}");
        }
    }
    assert!(plan(SHOP, ("prod/kustomization.yaml", "dev-web"), Some("shop")).is_err());
    assert!(plan(SHOP, web[0], None).is_ok(), "a trial name");
}

#[test]
fn rename_is_refused_with_the_reason() {
    let refused = |tree: &[(&str, &str)], place, wanted| match plan(tree, place, Some(wanted)) {
        Ok(lines) => panic!("{place:?}: {lines:?}"),
        Err(reason) => reason,
    };
    let web = ("base/web.yaml", "web");
    refused(SHOP, web, "-");
    let with = |file: &'static str, text: &'static str| {
        let mut tree = SHOP.to_vec();
        tree.retain(|(own, _)| *own != file);
        tree.push((file, text));
        tree
    };
    // The target matches the autoscaler as well, which keeps its name.
    let others = "resources: [../dev]\npatches:\n- target: {name: dev-web}\n  patch: '[{\"op\": \"add\", \"path\": \"/metadata/labels\", \"value\": {\"a\": \"b\"}}]'\n";
    assert!(refused(&with("prod/kustomization.yaml", others), web, "shop").starts_with("prod: "));
    // Another resource of the same kind has the new name.
    let second = "resources: [../dev, more.yaml]\n";
    let mut tree = with("prod/kustomization.yaml", second);
    tree.push((
        "prod/more.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: dev-shop\n",
    ));
    assert!(refused(&tree, web, "shop").contains("prod: "));
    // A target that fails has no output to compare.
    let fails = "resources: [../base, absent.yaml]\n";
    assert!(refused(&with("prod/kustomization.yaml", fails), web, "shop").starts_with("prod: "));
}

/// A component that patches the resources of two bases cannot follow one of them.
#[test]
fn patch_of_several_resources_refuses() {
    let tree = [
        ("c/kustomization.yaml", "kind: Component\npatches:\n- path: patch.yaml\n"),
        (
            "c/patch.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec: {replicas: 2}\n",
        ),
        ("one/kustomization.yaml", "resources: [web.yaml]\ncomponents: [../c]\n"),
        ("one/web.yaml", WEB),
        ("two/kustomization.yaml", "resources: [web.yaml]\ncomponents: [../c]\n"),
        ("two/web.yaml", WEB),
    ];
    let reason = plan(&tree, ("c/patch.yaml", "web"), Some("shop")).unwrap_err();
    assert!(reason.contains("one/web.yaml:4") && reason.contains("two/web.yaml:4"), "{reason}");
    let reason = plan(&tree, ("one/web.yaml", "web"), Some("shop")).unwrap_err();
    assert!(reason.contains("two"), "{reason}");
}

#[test]
fn a_kustomization_that_cannot_be_read_and_may_have_the_name_is_named() {
    let web = ("base/web.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n");
    let base = ("base/kustomization.yaml", "resources: [web.yaml]\n");
    let dev = "resources: [../base]\nresourcess: [x]\nreplicas: [{name: web, count: 2}]\n";
    let other = ("other/kustomization.yaml", "resourcess: [x]\n");
    let refused =
        plan(&[base, web, ("dev/kustomization.yaml", dev), other], (web.0, "web}"), Some("w"));
    let reason = refused.unwrap_err();
    assert!(reason.starts_with("dev/kustomization.yaml:2: "), "{reason}");
    assert!(plan(&[base, web, other], (web.0, "web}"), Some("w")).is_ok());
}

/// The base of the reference means another resource if it is deployed alone, or has one with that name.
#[test]
fn reference_of_a_base_with_another_meaning_refuses() {
    let with = |changed: &[(&'static str, &'static str)]| {
        let mut tree = REFERENCE_OF_A_BASE.to_vec();
        tree.retain(|(own, _)| !changed.iter().any(|(it, _)| it == own));
        tree.extend(changed);
        plan(&tree, ("cart/cart.yaml", "cart}"), Some("basket")).unwrap_err()
    };
    let deployed = with(&[("prod/kustomization.yaml", "resources: [../front]\n")]);
    assert!(deployed.starts_with("prod: Ingress front would change"), "{deployed}");
    for own in ["cart", "basket"] {
        let service = match own {
            "cart" => "apiVersion: v1\nkind: Service\nmetadata: {name: cart}\n",
            _ => "apiVersion: v1\nkind: Service\nmetadata: {name: basket}\n",
        };
        let delete = "resources: [../cart, ../middle]\n";
        let middle = "resources: [../front]\npatches:\n- target: {kind: Service}\n  patch: '{$patch: delete, apiVersion: v1, kind: Service, metadata: {name: x}}'\n";
        let refused = with(&[
            ("front/own.yaml", service),
            ("front/kustomization.yaml", "resources: [front.yaml, own.yaml]\n"),
            ("middle/kustomization.yaml", middle),
            ("all/kustomization.yaml", delete),
        ]);
        assert!(refused.starts_with("front: "), "{own}: {refused}");
    }
}
