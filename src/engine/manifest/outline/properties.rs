//! Property tests of the outline: an edit and its inverse restore the same bytes, reading never
//! panics, and the ranges of entries never overlap.

use proptest::prelude::*;

use super::*;

fn good_text() -> impl Strategy<Value = String> {
    let entry = prop::sample::select(vec![
        "- ../a",
        "- 'b' # c",
        "- path: p\n  target:\n    # in\n    kind: K",
        "- patch: |-\n    - x\n    # y\n\n    z\n  # e",
        "#- ../c",
        "# - d",
        "# prose here\n- e",
        "\n- f",
        "- >\n  g\n\n  h",
    ]);
    let list = (
        prop::sample::select(vec!["resources", "components", "patches"]),
        prop::collection::vec(entry, 0..5),
        any::<bool>(),
    )
        .prop_map(|(name, entries, deep)| {
            let entries = entries.join("\n");
            let indent =
                |line: &str| if line.is_empty() { String::new() } else { format!("  {line}") };
            let body = if deep {
                entries.split('\n').map(indent).collect::<Vec<_>>().join("\n")
            } else {
                entries
            };
            format!("{name}:\n{body}\n")
        });
    (list.clone(), list, any::<bool>(), any::<bool>()).prop_map(|(one, two, crlf, last)| {
        let text = format!("# top\n\n{one}namespace: n\nx{two}");
        let text = if last { text } else { text.trim_end().to_owned() };
        if crlf { text.replace('\n', "\r\n") } else { text }
    })
}

fn entries(outline: &Outline) -> Vec<(String, usize, bool)> {
    let all = outline.fields.iter().filter(|field| !field.disabled).flat_map(|field| {
        let block = matches!(field.form, ListForm::Block(_));
        let entries = field.entries.iter().enumerate();
        entries.map(move |(index, entry)| (field.name.clone(), index, block && !entry.disabled))
    });
    all.collect()
}

fn assert_restored(back: Result<Vec<u8>, OutlineError>, text: &str, edited: &[u8]) {
    let back = back.map(|back| String::from_utf8(back).unwrap());
    assert_eq!(back.as_deref(), Ok(text), "edited: {:?}", String::from_utf8_lossy(edited));
}

fn check(text: &str) {
    let outline = Outline::parse(text.as_bytes());
    let mut at = 0;
    for field in &outline.fields {
        assert!(field.bytes.start >= at && field.bytes.end >= field.bytes.start, "{outline:?}");
        at = field.bytes.start;
        for entry in &field.entries {
            assert!(entry.head.start >= at && entry.bytes.end <= field.bytes.end, "{outline:?}");
            assert!(entry.head.end == entry.bytes.start);
            at = entry.bytes.end;
        }
        at = field.bytes.end;
    }
    let active = |outline: &Outline| entries(outline).iter().filter(|entry| entry.2).count();
    for (field, index, on) in entries(&outline) {
        if on {
            if let Ok(off) = Outline::toggle_entry(text.as_bytes(), &field, index) {
                let off_outline = Outline::parse(&off);
                let entry = off_outline.entry(&field, index);
                if entry.is_ok_and(|entry| {
                    entry.disabled
                        && Ok(&entry.text) == outline.entry(&field, index).map(|entry| &entry.text)
                }) && active(&off_outline) + 1 == active(&outline)
                {
                    let on = Outline::toggle_entry(&off, &field, index);
                    assert_restored(on, text, &off);
                }
            }
        }
        if let Ok(moved) = Outline::move_entry(text.as_bytes(), &field, index, 1) {
            let back = Outline::move_entry(&moved, &field, index + 1, -1);
            assert_restored(back, text, &moved);
        }
        let _ = Outline::add_entry(text.as_bytes(), &field, "new");
    }
    for field in outline.fields.iter().filter(|field| !field.disabled) {
        if let Ok(off) = Outline::toggle_field(text.as_bytes(), &field.name) {
            let after = Outline::parse(&off);
            if after.field(&field.name).is_some_and(|field| field.disabled) {
                let on = Outline::toggle_field(&off, &field.name);
                assert_restored(on, text, &off);
            }
        }
    }
}

proptest! {
    #[test]
    fn inverse_edits_restore_good_texts(text in good_text()) {
        check(&text);
    }
}
