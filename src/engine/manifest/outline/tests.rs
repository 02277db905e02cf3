use super::*;

/// Describes every field as `name[ off][: entries]`; each entry is its text, with `#` if it is
/// commented out.
fn describe_fields(text: &str) -> Vec<String> {
    let outline = Outline::parse(text.as_bytes());
    if let Some(problem) = outline.problem {
        return vec![format!("line {}: {}", problem.line, problem.obstacle)];
    }
    let field = |field: &OutlineField| {
        let entry = |entry: &OutlineEntry| {
            let sign = if entry.disabled { "#" } else { "" };
            format!("{sign}{}@{}", entry.text, entry.line)
        };
        let entries: Vec<String> = field.entries.iter().map(entry).collect();
        let sign = if field.disabled { "#" } else { "" };
        format!("{sign}{} {}", field.name, entries.join(" | "))
    };
    outline.fields.iter().map(field).collect()
}

#[test]
fn commented_entries_are_distinguished_from_prose() {
    let table: &[(&str, &[&str])] = &[
        ("resources:\n- a\n#- b\n# - c\n#   - d\n", &["resources a@2 | #b@3 | #c@4 | #d@5"]),
        ("resources:\n- a\n# - see the docs\n#- later: x\n# - why?\n", &["resources a@2"]),
        ("resources:\n#- ../a\n# prose on it\n#   more\n", &["resources #../a@2"]),
        ("Resources:\n#- ../a\n# Images: none\n", &["Resources #../a@2"]),
        ("patches:\n# - note: this\n#   - path: x\n", &["patches "]),
        ("resources: [a]\n#nameSuffix: -s\n", &["resources a@1", "#nameSuffix "]),
        ("resources:\n#- ../a/\n## note\n#- ./\n", &["resources #../a/@2 | #./@4"]),
        ("resources:\n- a\n#- my dir/b.yaml\n", &["resources a@2 | #my dir/b.yaml@3"]),
        ("resources:\n  - a\n  #- b # why\n#  - c\n", &["resources a@2 | #b # why@3 | #c@4"]),
        ("components:\n#- a\n\n# - b\nnamePrefix: x\n", &["components #a@2 | #b@4", "namePrefix "]),
        ("#components:\n#- a\n#- b\n", &["#components #a@2 | #b@3"]),
        ("resources: [a, {b: c}, 'd']\n", &["resources a@1 | {b: c}@1 | 'd'@1"]),
        ("namespace: a\n# namePrefix: x\n# images: as below\n", &["namespace ", "#namePrefix "]),
        (
            "patches:\n- path: a\n# - path: b\n#   target:\n#     kind: C\n# and so on\n- patch: |-\n    - x\n    # y\n\n    # z\n",
            &[
                "patches path: a@2 | #path: b\ntarget:\n  kind: C@3 | patch: |-\n  - x\n  # y\n\n  # z@7",
            ],
        ),
        (
            "configMapGenerator:\n- name: a\n  literals:\n  - b=c\n  # - d=e\n#  - f=g\n",
            &["configMapGenerator name: a\nliterals:\n- b=c@2"],
        ),
        ("a: [\n", &["line 2: not YAML: did not find expected node content"]),
        ("resources: [a]\n?\n", &["line 2: a key is not a string: use the editor"]),
        (
            "{\"resources\": [\"a\"]}",
            &[
                "line 1: written as JSON, in braces: kzui edits lists in block style; use the editor",
            ],
        ),
        ("resources:\r\n- a\r\n#\t- b\r\n", &["resources a@2 | #b@3"]),
        (
            "\u{feff}resources: [a]\n",
            &["line 1: the file begins with a byte-order mark: remove it first"],
        ),
        ("# only\n", &[]),
        (
            "resources:\n- &x a\n- *x\n-\n- \"q\n\n  #- r\"\n---\nb: [c]\n",
            &["resources &x a@2 | *x@3 | @4 | \"q\n\n#- r\"@5"],
        ),
    ];
    for (text, fields) in table {
        let expected: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
        assert_eq!(describe_fields(text), expected, "{text}");
    }
}

#[test]
fn entries_are_commented_out_and_restored() {
    // before, field, entry, after
    let table = [
        ("components:\n- a\n- b\n- c\n", "components", 1, "components:\n- a\n#- b\n- c\n"),
        ("components:\n- a\n#- b\n- c\n", "components", 1, "components:\n- a\n- b\n- c\n"),
        ("components:\n- a\n# - b\n", "components", 1, "components:\n- a\n- b\n"),
        ("components:\n  - a\n  # - b\n", "components", 1, "components:\n  - a\n  - b\n"),
        ("components:\n  - a\n#  - b\n", "components", 1, "components:\n  - a\n  - b\n"),
        ("components:\n  - a\n#   - b\n", "components", 1, "components:\n  - a\n  - b\n"),
        ("components:\n  - a\n#- b\n", "components", 1, "components:\n  - a\n  - b\n"),
        ("components:\n#- a", "components", 0, "components:\n- a"),
        ("components:\n  #- a", "components", 0, "components:\n  - a"),
        ("components:\n# - a", "components", 0, "components:\n- a"),
        ("components:\n#  - a", "components", 0, "components:\n  - a"),
        ("a:\n  - b\ncomponents:\n#   - a", "components", 0, "a:\n  - b\ncomponents:\n  - a"),
        (
            "resources: [a, 'b', c] # d\nx: y\n",
            "resources",
            1,
            "resources: # d\n- a\n#- 'b'\n- c\nx: y\n",
        ),
        ("resources: &r\n  [a, b]", "resources", 0, "resources: &r\n#- a\n- b"),
        ("#components:\n#- a\n#- b\n", "components", 1, "components:\n#- a\n- b\n"),
        (
            "patches:\r\n  - patch: |-\r\n      # a\r\n\r\n      - b\r\n  # c\r\n    target: {}\r\n    # d\r\n# e\r\n",
            "patches",
            0,
            "patches:\r\n  #- patch: |-\r\n  #    # a\r\n#\r\n  #    - b\r\n  ## c\r\n  #  target: {}\r\n  #  # d\r\n# e\r\n",
        ),
    ];
    for (before, field, index, after) in table {
        let edited = Outline::toggle_entry(before.as_bytes(), field, index);
        assert_eq!(edited.as_deref().map(String::from_utf8_lossy), Ok(after.into()), "{before}");
        let comment = before.contains("#- ") || before.contains("#  ") || before.contains("# - ");
        if !comment && !before.contains('[') {
            let back = Outline::toggle_entry(after.as_bytes(), field, index);
            assert_eq!(back.as_deref().map(String::from_utf8_lossy), Ok(before.into()));
        }
    }
}

#[test]
fn fields_are_commented_out_and_restored() {
    let table = [
        ("a: b\nnamePrefix: x # y\n", "namePrefix", "a: b\n#namePrefix: x # y\n"),
        (
            "components:\n- a\n\n# b\n#- c\nx: y\n",
            "components",
            "#components:\n#- a\n#\n## b\n##- c\nx: y\n",
        ),
        ("commonLabels:\n  a: b\n  c: d", "commonLabels", "#commonLabels:\n#  a: b\n#  c: d"),
    ];
    for (before, field, after) in table {
        let off = Outline::toggle_field(before.as_bytes(), field);
        assert_eq!(off.as_deref().map(String::from_utf8_lossy), Ok(after.into()));
        let on = Outline::toggle_field(after.as_bytes(), field);
        assert_eq!(on.as_deref().map(String::from_utf8_lossy), Ok(before.into()));
    }
    let spaced = Outline::toggle_field(b"# namePrefix: x\na: b\n", "namePrefix");
    assert_eq!(spaced.as_deref(), Ok(&b"namePrefix: x\na: b\n"[..]));
}

#[test]
fn entries_move_with_the_comments_above_them() {
    let table = [
        ("r:\n# one\n- a\n\n# two\n#x\n- b\n", "r", 0, 1, "r:\n# two\n#x\n- b\n\n# one\n- a\n"),
        ("resources:\n- a\n#- b\n- c", "resources", 2, -2, "resources:\n- c\n- a\n#- b"),
        ("resources: [ a,b , 'c' ]\n", "resources", 0, 2, "resources: [ b,'c' , a ]\n"),
        ("resources:\r\n- a\r\n- b", "resources", 0, 1, "resources:\r\n- b\r\n- a"),
    ];
    for (before, field, index, by, after) in table {
        let edited = Outline::move_entry(before.as_bytes(), field, index, by);
        assert_eq!(edited.as_deref().map(String::from_utf8_lossy), Ok(after.into()), "{before}");
    }
    assert!(Outline::move_entry(b"resources:\n- a\n", "resources", 0, 1).is_err());
}

#[test]
fn entry_is_added_in_the_style_of_the_file() {
    let table = [
        ("resources:\n  - a\n", "resources", "b", "resources:\n  - a\n  - b\n"),
        (
            "resources:\n-   'a'\n#- c\nx: y\n",
            "resources",
            "b",
            "resources:\n-   'a'\n#- c\n-   'b'\nx: y\n",
        ),
        ("resources:\n- a", "components", "b", "resources:\n- a\ncomponents:\n- b"),
        (
            "resources:\r\n  - a\r\n",
            "components",
            "b",
            "resources:\r\n  - a\r\ncomponents:\r\n  - b\r\n",
        ),
        (
            "patches: [] # x\n",
            "patches",
            "path: a\ntarget:\n  kind: B",
            "patches: # x\n- path: a\n  target:\n    kind: B\n",
        ),
        ("resources: [a]\n", "resources", "b", "resources: [a, b]\n"),
        ("components:\n", "components", "a", "components:\n- a\n"),
        ("#components:\n#- a\n", "components", "b", "components:\n#- a\n- b\n"),
        ("", "resources", "a", "resources:\n- a\n"),
        ("a: b\n---\nc: d\n", "resources", "a", "a: b\nresources:\n- a\n---\nc: d\n"),
    ];
    for (before, field, entry, after) in table {
        let edited = Outline::add_entry(before.as_bytes(), field, entry);
        assert_eq!(edited.as_deref().map(String::from_utf8_lossy), Ok(after.into()), "{before}");
    }
    assert!(Outline::add_entry(b"resources:\n- a\n", "resources", "b\nc: d").is_err());
    assert!(Outline::add_entry(b"resources: a\n", "resources", "b").is_err());
}

#[test]
fn edit_that_breaks_the_file_is_refused() {
    let anchored = b"resources:\n- &x a\nnamespace: *x\n";
    let error = Outline::toggle_entry(anchored, "resources", 0).unwrap_err().to_string();
    assert!(error.contains("unknown anchor"), "{error}");
    assert!(Outline::toggle_field(b"\xff: a\n", "a").is_err());
}

#[test]
fn an_object_is_edited_among_its_own_fields() {
    let app = |kustomize: &str| {
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: a}}\nspec:\n  sources:\n  - repoURL: x\n    kustomize:{kustomize}  # behind\n  project: p\n"
        )
    };
    let text = app("\n      # first\n      images: [a:1, b:2]\n      #version: v1\n");
    let outline = Outline::parse(text.as_bytes());
    let names: Vec<(&str, u32, bool)> =
        outline.fields.iter().map(|field| (&*field.name, field.line, field.disabled)).collect();
    let images = "spec.sources.0.kustomize.images";
    let version = "spec.sources.0.kustomize.version";
    assert_eq!(names, [(images, 9, false), (version, 10, true)]);
    let edited = |text: Result<Vec<u8>, OutlineError>| String::from_utf8(text.unwrap()).unwrap();
    let moved = edited(Outline::move_entry(text.as_bytes(), images, 1, -1));
    assert_eq!(moved, text.replace("a:1, b:2", "b:2, a:1"));
    let on = edited(Outline::toggle_field(text.as_bytes(), version));
    assert_eq!(on, text.replace("#version", "version"));
    let added = edited(Outline::add_entry(text.as_bytes(), images, "c:3"));
    assert_eq!(added, text.replace("b:2", "b:2, c:3"));
    let off = edited(Outline::toggle_field(text.as_bytes(), images));
    assert_eq!(off, text.replace("images", "#images"));
    assert_eq!(edited(Outline::toggle_field(off.as_bytes(), images)), text);
    let lines = app("\n      images: [a:1,\n        b:2]\n");
    let error = Outline::toggle_entry(lines.as_bytes(), images, 0).unwrap_err().to_string();
    assert!(error.starts_with("line 8: a list in brackets"), "{error}");
    for beside in [" {images: [a:1]}\n", " null\n", "\n"] {
        assert!(Outline::parse(app(beside).as_bytes()).fields.is_empty(), "{beside}");
        let error = Outline::toggle_field(app(beside).as_bytes(), images).unwrap_err();
        assert_eq!(error, OutlineError::NoField(images.to_owned()));
    }
}

#[test]
fn obstacles_have_their_line() {
    let obstacle = |text: &str| Outline::parse(text.as_bytes()).problem.unwrap().obstacle;
    assert_eq!(obstacle("- a\n"), "not a mapping");
    let lone = obstacle("resources:\r\n- a\n# b\rcomponents: []\n");
    assert!(lone.starts_with("a carriage return ends a line without a line feed"), "{lone}");
    assert_eq!(Outline::parse(b"resources:\r\n- a\r").problem, None);
    let refused = |edited: Result<Vec<u8>, OutlineError>| edited.unwrap_err().to_string();
    let (field, list) = ("resources", b"kind: K\nresources:\n- a\n");
    let over = refused(Outline::toggle_entry(b"resources: [a,\n  b]\n", field, 0));
    let brackets = "a list in brackets over several lines: write it with dashes first";
    assert_eq!(over, format!("line 1: {brackets}"));
    let first = refused(Outline::move_entry(list, field, 0, -1));
    assert_eq!(first, "line 3: already the first of `resources`");
    let word = refused(Outline::add_entry(list, "kind", "a"));
    assert_eq!(word, "line 1: `kind` is not a list in this file");
    let broken = refused(Outline::add_entry(list, field, "a: ["));
    assert!(broken.starts_with("line 2: the edit would break the file: not YAML: "), "{broken}");
}

/// A quadratic search would need minutes.
#[test]
fn long_comments_are_read_in_linear_time() {
    let count = 50_000;
    let (notes, entries) = ("# note\n".repeat(count), "# - b\n".repeat(count));
    let outline = Outline::parse(format!("{notes}resources:\n- a\n{entries}").as_bytes());
    assert_eq!(outline.fields[0].entries.len(), count + 1);
}
