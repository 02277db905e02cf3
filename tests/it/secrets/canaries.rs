//! A tree with Secrets that contain canaries in every form, and the texts that reveal a canary.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use regex::Regex;

use crate::compare::{commit, git};
use crate::support::Tree;

/// The number of canaries in the tree: `@01@` and so on.
pub(super) const CANARY_COUNT: usize = 90;

/// The files, with a placeholder for each canary.
pub(super) const FILES: &[(&str, &str)] = &[
    (
        "base/kustomization.yaml",
        r#"resources:
- styles.yaml
- json.json
- list.yaml
- web.yaml
secretGenerator:
- name: made
  literals:
  - plain=@01@
  - quoted="@02@"
  - 'single=@03@'
  - "double=@04@"
  - >-
    folded=@05@
    @06@
  - |-
    block=@07@
    @08@
  - two=@09@=tail
  envs: [made.env]
  files:
  - made.txt
  - renamed=made.yaml
  options:
    disableNameSuffixHash: true
- {name: flow, literals: [a=@10@, "b=@11@"]}
generatorOptions:
  labels: {app: web}
"#,
    ),
    ("base/made.env", "# of the database\nFIRST=@12@\nSECOND=@13@\n"),
    ("base/made.txt", "@14@\n@15@\n"),
    ("base/made.yaml", "user: admin\npassword: @16@\n"),
    (
        "base/styles.yaml",
        r#"apiVersion: v1
kind: Secret
metadata:
  name: styles
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"v1","kind":"Secret","metadata":{"name":"styles"},"stringData":{"x":"@17@"}}
stringData:
  plain: @18@
  lines: @19@
    @20@
  single: '@21@
    @22@'
  double: "@23@
    @24@"
  escaped: "\x41@25@ \
    @26@"
  folded: >-
    @27@
    @28@

    @29@
  literal: |
    @30@
      @31@
  indented: |2
      @32@
     @33@
  tagged: !!str @34@
  anchored: &pw @35@
  alias: *pw
  ? complex
  : @36@
  ? "quoted key"
  : >
    @37@
    @38@
  commented: @39@ # of @39@
  name: @68@
  kind: @69@
  # off: @70@
  #list:
  #- @71@
data:
  encoded: {@40@}
  wrapped: |
    {@41@}
---
apiVersion: v1
kind: Secret
metadata: {name: braces}
stringData: {one: @42@, "two": '@43@', three: "@44@"}
type: Opaque
---
# of the Secret: @84@
apiVersion: v1
kind: "Secret"
metadata: {name: quoted}
stringData:
  one: @89@
  # two: @90@
"#,
    ),
    (
        "base/json.json",
        r#"{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "json"},
 "stringData": {"a": "@45@",
   "b": "@46@\ttab"}}
"#,
    ),
    (
        "base/list.yaml",
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: listed\n  stringData:\n    a: @47@\n    b:\n      @48@\n",
    ),
    (
        "base/web.yaml",
        r#"apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels: {app: web}
      annotations: {copy: none}
    spec:
      containers:
      - name: web
        image: example.com/web:1
        args: [--same, @18@, "$(SHORT)/x"]
        env:
        - {name: COPY, value: none}
        - {name: URL, value: "postgres://user:none@db"}
        - {name: SAME, value: @21@ @22@}
        - {name: PART, value: "x-@42@-y"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: copies}
data:
  copy: none
  base64: {@18@}
  text: |
    first
    password is @18@ here
  bundle: |
    first
    @14@
    @15@
    last
  name: @18@
---
apiVersion: batch/v1
kind: Job
metadata: {name: job}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: job, image: job, args: [run, @18@, "--x=@18@"]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: chain}
data: {name: none, pin: none, url: "a:none:none", other: other}
"#,
    ),
    (
        "prod/kustomization.yaml",
        r#"resources: [../base]
components: [../part]
patches:
- path: strategic.yaml
- path: operations.yaml
  target: {kind: Secret, name: styles}
- path: named.yaml
  target: {name: json}
- target: {kind: Secret, name: styles}
  patch: |-
    - op: replace
      path: /stringData/plain
      value: @49@
    - op: add
      path: /data/added
      value: {@50@}
- target: {kind: Secret, name: braces}
  patch: '[{"op": "add", "path": "/stringData/four", "value": "@51@"}]'
- patch: |-
    apiVersion: v1
    kind: Secret
    metadata: {name: braces}
    stringData:
      five: @52@
        @53@
- target: {kind: Secret}
  patch: |-
    apiVersion: v1
    kind: any
    metadata: {name: any}
    stringData: {all: @54@}
replacements:
- source: {kind: Secret, name: listed, fieldPath: stringData.a}
  targets:
  - select: {kind: Deployment}
    fieldPaths:
    - spec.template.spec.containers.[name=web].env.[name=COPY].value
    - spec.template.metadata.annotations.copy
  - select: {kind: ConfigMap, name: copies}
    fieldPaths: [data.copy]
- source: {kind: Secret, name: short, fieldPath: stringData.pin}
  targets:
  - select: {kind: Deployment}
    fieldPaths: ["spec.template.spec.containers.[name=web].env.[name=URL].value"]
    options: {delimiter: ":", index: 2}
- source: {kind: Secret, name: short, fieldPath: stringData.pin}
  targets:
  - select: {kind: ConfigMap, name: copies}
    fieldPaths: [data.copied]
    options: {create: true}
- source: {kind: ConfigMap, name: copies, fieldPath: data.copied}
  targets:
  - select: {kind: ConfigMap, name: chain}
    fieldPaths: [data.name, data.pin]
- source: {kind: ConfigMap, name: chain, fieldPath: data.pin}
  targets:
  - select: {kind: ConfigMap, name: chain}
    fieldPaths: [data.url]
    options: {delimiter: ":", index: 1}
- source: {kind: ConfigMap, name: chain, fieldPath: data.other}
  targets:
  - select: {kind: ConfigMap, name: chain}
    fieldPaths: [data.url]
    options: {delimiter: ":", index: 2}
configMapGenerator:
- name: equal
  literals: [same=@49@, other=1]
"#,
    ),
    (
        "prod/strategic.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: json\nstringData:\n  c: @55@\n    @56@\n",
    ),
    (
        "prod/operations.yaml",
        "- op: add\n  path: /stringData/file\n  value: @57@\n- op: add\n  path: /data/file\n  value: {@58@}\n",
    ),
    (
        "prod/named.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: any}\nstringData: {named: \"@59@\n  @60@\"}\n",
    ),
    (
        "part/kustomization.yaml",
        r"apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources: [short.yaml]
secretGenerator:
- name: made
  behavior: merge
  literals: [merged=@61@]
vars:
- name: SHORT
  objref: {apiVersion: v1, kind: Secret, name: short}
  fieldref: {fieldpath: stringData.word}
",
    ),
    (
        "part/short.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: short}\nstringData: {pin: 'Zq9', word: 'Zr8'}\n",
    ),
    (
        "fails/kustomization.yaml",
        "resources: [short.yaml]\nsecretGenerator:\n- name: made\n  literals: [a=@62@, @63@]\n",
    ),
    (
        "fails/short.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: short}\nstringData: {pin: Zq9, long: @65@}\n",
    ),
    ("broken/kustomization.yaml", "resources: [secret.yaml]\n"),
    (
        "broken/secret.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\nstringData:\n  a: @66@\n  b: 'c' @67@\n  name: @72@\n  \"kind\": @73@\n  block: |\n    words: @74@\n    @75@:\n  last:\n    @76@\n",
    ),
    (
        "flux/app.yaml",
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: app\nspec:\n  path: ./flux/app\n  postBuild:\n    substitute: {pw: @64@}\n",
    ),
    (
        "unread/kustomization.yaml",
        "secretGenerator:\n- name: unread\n  envs: [unread.env]\n  files: [token, scalar.yaml]\n",
    ),
    ("unread/unread.env", "# @77@\nFIRST=@78@\nexport SECOND=@79@\n"),
    ("unread/token", "@80@\n"),
    ("unread/scalar.yaml", "@81@\n"),
    (
        "refused/kustomization.yaml",
        "secretGenerator:\n- name: refused\n  envs: [refused.env]\n  literals: [none]\n",
    ),
    ("refused/refused.env", "FIRST=@82@\n=@83@\n"),
    (
        "composed/base/composition.yaml",
        r"apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Composition
transformers:
- apiVersion: builtin
  kind: SecretGenerator
  metadata: {name: made}
  literals: [a=@85@, c=Zq9]
",
    ),
    (
        "composed/top/composition.yaml",
        r"apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Composition
transformersFrom:
- path: ../base
transformerOverrides:
- apiVersion: builtin
  kind: SecretGenerator
  metadata: {name: made}
  literals: [a=@86@, b=@87@]
#transformers:
#- apiVersion: builtin
#  kind: SecretGenerator
#  metadata: {name: off}
#  literals: [a=@88@]
",
    ),
    ("flux/app/kustomization.yaml", "resources: [secret.yaml]\n"),
    (
        "flux/app/secret.yaml",
        "apiVersion: v1\nkind: Secret\nmetadata: {name: app}\nstringData: {pw: '${pw}'}\n",
    ),
];

/// The short values of which copies are masked by their origin.
const SHORT_VALUES: [&str; 2] = ["Zq9", "Zr8"];

/// A canary of 8 to 60 characters. The first eight of them are unique.
pub(super) fn canary(number: usize, edition: usize) -> String {
    const LETTERS: &[u8] = b"abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789";
    let length = 8 + number * 7 % 53;
    let mut state = (number * 31 + edition * 7919 + 17) as u64;
    let letters = (0..length).map(|_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(LETTERS[(state >> 33) as usize % LETTERS.len()])
    });
    letters.collect()
}

/// A text with its canaries: `@01@` plain, `{@01@}` in base64.
fn with_canaries(text: &str, edition: usize) -> String {
    let mut text = text.to_owned();
    for number in 1..=CANARY_COUNT {
        let canary = canary(number, edition);
        text = text.replace(&format!("{{@{number:02}@}}"), &STANDARD.encode(&canary));
        text = text.replace(&format!("@{number:02}@"), &canary);
    }
    text
}

/// The files with the canaries of one edition.
pub(super) fn files(edition: usize) -> Vec<(&'static str, String)> {
    FILES.iter().map(|(path, text)| (*path, with_canaries(text, edition))).collect()
}

/// A repository with three commits `v0`, `v1` and `v2`, each with other canaries.
pub(super) fn repository() -> Tree {
    let tree = Tree::new(&[]);
    git(&tree, &["init", "-q", "-b", "main"]);
    for edition in 0..3 {
        for (path, text) in files(edition) {
            tree.write(path, &text);
        }
        commit(&tree, &format!("Edition {edition}"));
        git(&tree, &["tag", &format!("v{edition}")]);
    }
    tree
}

/// The forms of all canaries in one pattern: one search of a screen in place of some 1,350.
static FORMS: LazyLock<(Regex, HashMap<String, String>)> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for number in 1..=CANARY_COUNT {
        for edition in 0..3 {
            let canary = canary(number, edition);
            let ends = [&canary[..8], &canary[canary.len() - 8..]].map(str::to_owned);
            let name = format!("@{number:02}@ {edition} {canary}");
            let forms = encoded_parts(&canary).into_iter().chain(ends);
            names.extend(forms.map(|form| (form, name.clone())));
        }
    }
    names.extend(SHORT_VALUES.map(|short| (short.to_owned(), short.to_owned())));
    let forms: Vec<_> = names.keys().map(|form| regex::escape(form)).collect();
    (Regex::new(&forms.join("|")).unwrap(), names)
});

/// The canaries that are visible in a text, plain, in base64 wherever they are in a longer value,
/// or cut. Of two that overlap the first is named.
pub(super) fn visible_canaries(text: &str) -> Vec<String> {
    let (pattern, names) = &*FORMS;
    let found: BTreeSet<_> = pattern.find_iter(text).map(|found| &names[found.as_str()]).collect();
    found.into_iter().cloned().collect()
}

/// The characters of base64 that the first eight bytes of a canary determine, at each alignment.
fn encoded_parts(canary: &str) -> Vec<String> {
    (0..3)
        .map(|before| {
            let text = format!("{}{}", "x".repeat(before), &canary[..8]);
            let encoded = STANDARD.encode(&text);
            let from = (before * 8).div_ceil(6);
            let to = text.len() * 8 / 6;
            encoded[from..to].to_owned()
        })
        .collect()
}
