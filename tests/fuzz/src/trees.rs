//! Trees that build, and are hostile wherever a tree says something: names, values, comments, folders, catalogs.

use std::fmt::Write as _;

use super::faces::{COMMANDS, check_command_output};
use super::markup::assert_no_markup;
use super::tree::Tree;

/// What a terminal acts on.
const TERMINAL_COMMANDS: [&str; 15] = [
    "\u{1b}[35m",
    "\u{1b}]0;x\u{7}",
    "\u{1b}]52;c;eA==\u{7}",
    "\u{1b}c",
    "\u{85}",
    "\u{202e}",
    "\u{2066}",
    "\u{2028}",
    "\u{200b}",
    "\u{feff}",
    "\u{e0041}",
    "\r",
    "\n",
    "\u{8}\u{8}",
    "\u{0}",
];

/// What a terminal acts on and no build can print: more of it, and nothing would be left to look at.
const UNPRINTABLE_SEQUENCES: [&str; 3] = ["\u{9b}2J", "\u{9d}52;c;eA==\u{9c}", "\u{7f}"];

/// What Markdown, HTML, XML, drawings, workflows and shells act on; `x-kz` is looked for where it would be markup.
const MARKUP_SNIPPETS: [&str; 19] = [
    "<x-kz>",
    "\"><x-kz y=\"",
    "</script><x-kz>",
    "]]><x-kz>",
    "<!--",
    "![x-kz](http://x-kz.example)",
    "\n\n![x-kz](http://x-kz.example)",
    "`![x-kz](http://x-kz.example)`",
    "\n```\n<x-kz>\n",
    "\n::error::x-kz",
    "\r::stop-commands::x-kz",
    "%0A::error::x-kz",
    "%%{init: {'theme': 'forest'}}%%",
    "\"]\n  n9[\"x-kz",
    "\\\"]; x-kz [label=\\\"",
    "a|b||",
    "&lt;x-kz&gt;&#60;",
    "$(x-kz)`x-kz`",
    "${x-kz}",
];

/// Texts of odd width.
const WIDE: [&str; 7] = [
    "\u{4e2d}\u{6587}",
    "e\u{301}\u{301}\u{301}\u{301}",
    "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "\u{fe0f}\u{fe0e}",
    "\u{1100}\u{1161}",
    "\u{ff76}\u{ff9e}",
    "\u{fdfd}",
];

/// Numbers that follow from the bytes that it was made of.
struct SeededRandom(u64);

impl SeededRandom {
    fn of(bytes: &[u8]) -> Self {
        let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        Self(bytes.iter().fold(0xcbf2_9ce4_8422_2325, hash))
    }

    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((word ^ (word >> 31)) % below.max(1) as u64).unwrap_or_default()
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.next(texts.len())]
    }

    /// A text that hurts where it is not looked at.
    fn text(&mut self) -> String {
        let mut text = "a".to_owned();
        for _ in 0..=self.next(3) {
            text.push_str(match self.next(5) {
                0 if self.next(40) == 0 => self.pick(&UNPRINTABLE_SEQUENCES),
                0 | 1 => self.pick(&TERMINAL_COMMANDS),
                2 | 3 => self.pick(&MARKUP_SNIPPETS),
                _ => self.pick(&WIDE),
            });
            text.push_str(self.pick(&["", "b", " ", ": ", "/"]));
        }
        // Kustomize cannot pass these on.
        if self.next(200) == 0 {
            text.push_str("\u{fffe}\u{ffff}");
        }
        if self.next(400) == 0 {
            text.push_str(&"\u{4e2d}x".repeat(25_000));
        }
        text
    }

    /// The same as YAML takes it.
    fn yaml(&mut self) -> String {
        quoted(&self.text())
    }

    /// The same as a key, short and without a line's end of its own: Kustomize does not print others.
    fn key(&mut self) -> String {
        let text = self.text();
        let text: String = text.chars().filter(|c| *c != '\u{85}').take(24).collect();
        quoted(&text)
    }

    /// The same as the name of a folder.
    fn folder(&mut self) -> String {
        self.text().replace(['/', '\0'], "-").chars().take(120).collect()
    }

    /// The same in a comment: YAML takes no control character there, and a line of it ends at these.
    fn comment(&mut self) -> String {
        let ends = |c: char| {
            c.is_control() || c > '\u{fffd}' || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
        };
        self.text().replace(ends, "\u{202e}")
    }
}

/// A text in double quotes, everything but plain letters escaped.
fn quoted(text: &str) -> String {
    let mut out = "\"".to_owned();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || (c as u32) > 0xa0 && c.is_alphanumeric() {
            out.push(c);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\U{:08x}", u32::from(c));
        }
    }
    out + "\""
}

/// A text in JSON, everything but plain letters escaped: what is YAML on the way takes no control character as it is.
fn json(text: &str) -> String {
    let mut out = "\"".to_owned();
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            // Writing to a string cannot fail.
            _ => write!(out, "\\u{unit:04x}").unwrap_or_default(),
        }
    }
    out + "\""
}

/// A tree in which nearly everything builds; `k/b` is what its target is compared with.
pub fn hostile_tree(bytes: &[u8]) -> Tree {
    let mut dice = SeededRandom::of(bytes);
    let base = dice.folder();
    let name = dice.yaml();
    let mut main = format!(
        "# {}\nresources:\n- r.yaml\n- {} # {}\n#- {}\n",
        dice.comment(),
        quoted(&base),
        dice.comment(),
        dice.comment()
    );
    let mut parts = vec![
        format!("commonAnnotations:\n  {}: {}\n", dice.key(), dice.yaml()),
        format!("namePrefix: {}\n", dice.yaml()),
        format!("namespace: {}\n", dice.yaml()),
        format!("labels:\n- pairs: {{{}: {}}}\n", dice.key(), dice.yaml()),
        format!(
            "configMapGenerator:\n- name: {}\n  literals: [{}]\n  options: {{disableNameSuffixHash: true}}\n",
            dice.yaml(),
            quoted(&format!("k={}", dice.text()))
        ),
        format!(
            "secretGenerator:\n- name: {}\n  literals: [{}]\n",
            dice.yaml(),
            quoted(&format!("k={}", dice.text()))
        ),
        format!(
            "patches:\n- target: {{kind: ConfigMap}}\n  patch: |-\n    [{{\"op\": \"add\", \"path\": \"/data/n\", \"value\": {}}}]\n# {}\n",
            json(&dice.text()),
            dice.comment()
        ),
        format!(
            "patches:\n- target: {{kind: {}}}\n  patch: '[{{\"op\": \"add\", \"path\": \"/a\", \"value\": \"1\"}}]'\n",
            dice.yaml()
        ),
        format!(
            "replacements:\n- source: {{kind: ConfigMap, name: a, fieldPath: data.k}}\n  targets:\n  - select: {{kind: ConfigMap}}\n    fieldPaths: [metadata.annotations.{}]\n    options: {{create: true}}\n",
            dice.yaml()
        ),
        format!("images: [{{name: {}, newTag: {}}}]\n", dice.yaml(), dice.yaml()),
        "catalogs: [catalog.yaml]\ntransformers: [stamp.yaml]\n".to_owned(),
        format!("components: [c]\n#components: [{}]\n", dice.comment()),
        format!("helmCharts: [{{name: {}, repo: {}}}]\n", dice.yaml(), dice.yaml()),
        format!("components: [{}]\n", dice.yaml()),
        format!("{}: {}\n", dice.yaml(), dice.yaml()),
    ];
    // What fails at once comes seldom.
    if dice.next(6) > 0 {
        parts.truncate(12);
    }
    for _ in 0..=dice.next(4) {
        let part = parts.remove(dice.next(parts.len()));
        let field = part.split(':').next().unwrap_or_default();
        if !main.contains(&format!("\n{field}:")) {
            main.push_str(&part);
        }
    }
    let config_map = |dice: &mut SeededRandom, name: &str| {
        format!(
            "# {}\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name} # {}\n  annotations:\n    {}: {}\ndata:\n  k: {}\n  {}: {}\n  block: |\n    {}\n",
            dice.comment(),
            dice.comment(),
            dice.key(),
            dice.yaml(),
            dice.yaml(),
            dice.key(),
            dice.yaml(),
            dice.comment().replace('\n', " ")
        )
    };
    let other = format!(
        "---\napiVersion: {}\nkind: {}\nmetadata: {{name: {}, namespace: {}}}\n",
        quoted("v1"),
        dice.yaml(),
        dice.yaml(),
        dice.yaml()
    );
    let own = config_map(&mut dice, &name) + &other;
    let below = config_map(&mut dice, "a");
    Tree::of(main.as_bytes())
        .with("r.yaml", &own)
        .with(&format!("{base}/kustomization.yaml"), "resources: [s.yaml]\n")
        .with(&format!("{base}/s.yaml"), &below)
        .with("b/kustomization.yaml", "resources: [r.yaml]\n")
        .with("b/r.yaml", &config_map(&mut dice, &name))
        .with("c/kustomization.yaml", &component(&mut dice))
        .with("catalog.yaml", &catalog(&mut dice))
        .with("stamp.yaml", "apiVersion: t.example.com/v1\nkind: Stamp\nmetadata: {name: s}\n")
}

fn component(dice: &mut SeededRandom) -> String {
    format!(
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n# {}\nnameSuffix: {}\n",
        dice.comment(),
        dice.yaml()
    )
}

fn catalog(dice: &mut SeededRandom) -> String {
    format!(
        "apiVersion: config.kubernetes.io/v1alpha1\nkind: Catalog\nmetadata: {{name: {}}}\nspec:\n  krmFunctions:\n  - group: t.example.com\n    names: {{kind: Stamp}}\n    description: {}\n    publisher: {}\n    home: {}\n    tags: [{}]\n    versions:\n    - name: v1\n      runtime: {{container: {{image: {}}}}}\n",
        dice.yaml(),
        dice.yaml(),
        dice.yaml(),
        dice.yaml(),
        dice.yaml(),
        dice.yaml()
    )
}

/// Any bytes are a number: the tree of that number, on every face. Nothing that a terminal would act on is printed, and no text
/// of the tree is markup of a document.
pub fn trees(bytes: &[u8]) {
    let tree = hostile_tree(bytes);
    (0..COMMANDS.len()).for_each(|number| check_face(&tree, number));
}

/// The tree on one of the faces.
pub fn check_face(tree: &Tree, number: usize) {
    let (command, prints) = COMMANDS[number % COMMANDS.len()];
    let out = check_command_output(tree, command, prints);
    assert_no_markup(command, &out);
}
