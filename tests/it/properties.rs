//! Laws for all inputs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kzui::draft::{Draft, Edit, EntryRef};
use kzui::engine::load::{Files, MemoryFiles};
use kzui::engine::yaml::{Limits, SourceId, parse_config, parse_documents, print_documents};
use proptest::prelude::*;

const FILE: &str = "/app/kustomization.yaml";

fn config() -> ProptestConfig {
    ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() }
}

/// Lists as people write them: indented or not, comments between, entries switched off, CRLF, no
/// last newline.
fn kustomization() -> impl Strategy<Value = (String, usize)> {
    let entry = ("[a-z]{1,8}", any::<bool>(), prop::option::of("[a-z ]{0,12}"));
    (
        prop::collection::vec(entry, 1..7),
        prop::sample::select(vec!["", "  "]),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(entries, indent, windows, comment, last_newline)| {
            let mut text = String::from("# what this is\nresources:\n- base.yaml\n\ncomponents:\n");
            if comment {
                text.push_str("  # the order matters\n");
            }
            let count = entries.len();
            for (name, active, note) in entries {
                let sign = if active { "" } else { "#" };
                let note = note.map(|note| format!(" # {note}")).unwrap_or_default();
                text = format!("{text}{indent}{sign}- ../components/{name}{note}\n");
            }
            text.push_str("\nnamePrefix: dev- # the team's");
            if last_newline {
                text.push('\n');
            }
            if windows {
                text = text.replace('\n', "\r\n");
            }
            (text, count)
        })
}

fn drafted_text(draft: &Draft, disk: &Arc<dyn Files>) -> String {
    let bytes = draft.files(disk.clone()).read(Path::new(FILE)).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse_documents(&bytes, SourceId::default(), Limits::default());
        let _ = parse_config(&bytes, SourceId::default(), Limits::default());
    }

    #[test]
    fn any_signs_of_yaml_are_read_or_refused(text in "[-:?#&*!|>'\"%@`{}\\[\\], \\n\\ta-c0-2<.~]{0,60}") {
        let _ = parse_documents(text.as_bytes(), SourceId::default(), Limits::default());
        let _ = parse_config(text.as_bytes(), SourceId::default(), Limits::default());
    }

    #[test]
    fn parsed_output_prints_the_same_again(
        values in prop::collection::btree_map("[a-z]{1,6}", "[ -~\u{a0}-\u{ff}\\n]{0,90}", 0..5)
    ) {
        let json = serde_json::json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": values,
        });
        let read = |text: &str| parse_documents(text.as_bytes(), SourceId::default(), Limits::default());
        let print = |text: &str| {
            let documents = read(text).ok()?;
            print_documents(documents.documents.iter().map(|document| &document.node)).ok()
        };
        let Some(once) = print(&json.to_string()) else { return Ok(()) };
        let twice = print(&once);
        prop_assert_eq!(twice.as_deref(), Some(once.as_str()));
    }

    /// Toggling twice, or undoing, gives the same bytes; a toggle changes one line only.
    #[test]
    fn a_toggle_and_its_inverse_give_the_same_bytes((text, count) in kustomization(), at in any::<prop::sample::Index>()) {
        let disk: Arc<dyn Files> = Arc::new(MemoryFiles::default().file(FILE, &text));
        let index = at.index(count);
        let entry = EntryRef { file: PathBuf::from(FILE), field: "components".to_owned(), index };
        let mut draft = Draft::default();
        draft.apply(&Edit::ToggleEntry(entry.clone()), disk.as_ref()).unwrap();
        let toggled = drafted_text(&draft, &disk);
        prop_assert_ne!(toggled.as_str(), text.as_str());
        let (before, after) = (text.lines().count(), toggled.lines().count());
        prop_assert_eq!(before, after);
        let different = text.lines().zip(toggled.lines()).filter(|(a, b)| a != b).count();
        prop_assert_eq!(different, 1);
        draft.apply(&Edit::ToggleEntry(entry), disk.as_ref()).unwrap();
        prop_assert_eq!(drafted_text(&draft, &disk), text.as_str());
        draft.undo().unwrap();
        prop_assert_eq!(drafted_text(&draft, &disk), toggled);
        draft.undo().unwrap();
        prop_assert_eq!(drafted_text(&draft, &disk), text.as_str());
        prop_assert_eq!(draft.pending(), 0);
    }

    /// A move and the move back, and a move and its undo, give the same bytes.
    #[test]
    fn a_move_and_its_inverse_give_the_same_bytes((text, count) in kustomization(), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        let disk: Arc<dyn Files> = Arc::new(MemoryFiles::default().file(FILE, &text));
        let (from, to) = (from.index(count), to.index(count));
        prop_assume!(from != to);
        let entry = |index| EntryRef { file: PathBuf::from(FILE), field: "components".to_owned(), index };
        let by = isize::try_from(to).unwrap() - isize::try_from(from).unwrap();
        let mut draft = Draft::default();
        draft.apply(&Edit::MoveEntry { entry: entry(from), by }, disk.as_ref()).unwrap();
        draft.apply(&Edit::MoveEntry { entry: entry(to), by: -by }, disk.as_ref()).unwrap();
        prop_assert_eq!(drafted_text(&draft, &disk), text.as_str());
        while draft.undo().is_some() {}
        prop_assert_eq!(drafted_text(&draft, &disk), text.as_str());
    }
}
