//! The screens of the workbench: text and styles, at the three sizes, and the effect of keys.

use crate::support::{Workbench, check_screen, line_with, messages};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];

/// The overlays of a screen, each with the keys that open it.
const OVERLAYS: [(&str, &str); 9] = [
    ("1", "?"),
    ("1", ":"),
    ("gs", ": s t e p"),
    ("1", "/ a"),
    ("gr", "y"),
    ("gr", "w"),
    ("1", "E"),
    ("1", ": l o g enter"),
    ("1", ": d r a f t enter"),
];

#[test]
fn every_screen_and_overlay_is_drawn_in_the_smallest_terminals() {
    let columns = [1, 2, 3, 5, 10, 19, 20, 21, 101];
    let sizes = (1..=7).flat_map(|rows| columns.map(|columns| (columns, rows)));
    let sizes: Vec<(u16, u16)> = sizes.collect();
    let mut components = Workbench::of_demo("components", "overlays/dev", (80, 24));
    let mut catalogs = Workbench::of_files(crate::pipeline::STAMPED, "app", (80, 24));
    for (columns, rows) in &sizes {
        for bench in [&mut components, &mut catalogs] {
            bench.resize(*columns, *rows);
            for screen in ["1", "gs", "gd", "gr", "gc", "gm", "gk", "gf", "gp", "0", "1"] {
                bench.keys(screen);
                bench.text();
            }
        }
        for (screen, keys) in OVERLAYS {
            components.keys(screen).keys(keys);
            components.text();
            components.keys("esc");
        }
        for keys in ["gk T", "gk F", "gf F", "gp F", "gm o"] {
            catalogs.keys(keys);
            catalogs.text();
            catalogs.keys("esc");
        }
    }
    // A question about a write, and the form of an entry, at each size.
    components.resize(80, 24);
    components.keys("gc space : w enter");
    assert!(components.text().contains("write"), "{}", components.text());
    for (columns, rows) in sizes {
        components.resize(columns, rows);
        components.text();
    }
}

/// The screens of the demo `components` at three sizes equal their snapshots.
#[test]
fn every_screen_at_every_size() {
    for (columns, rows) in SIZES {
        let mut bench = Workbench::of_demo("components", "overlays/dev", (columns, rows));
        for (key, name) in [
            ("1", "tree"),
            ("gs", "steps"),
            ("gd", "diff"),
            ("gr", "resource"),
            ("gc", "components"),
            ("gp", "problems"),
        ] {
            bench.keys(key);
            check_screen(&format!("{name}-{columns}x{rows}"), &bench.screen());
        }
    }
}

/// The screens of the demo `shop` at three sizes equal their snapshots.
#[test]
fn the_second_demo() {
    for (columns, rows) in SIZES {
        let mut bench = Workbench::of_demo("shop", "overlays/production", (columns, rows));
        for (keys, name) in
            [("1", "tree"), ("gs", "steps"), ("gc", "components"), ("gp", "problems")]
        {
            bench.keys(keys);
            check_screen(&format!("shop-{name}-{columns}x{rows}"), &bench.screen());
        }
    }
}

/// The help, the palette and the other overlays equal their snapshots.
#[test]
fn what_lies_over_a_screen() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("?");
    check_screen("help", &bench.screen());
    bench.keys("esc :").type_text("theme");
    check_screen("palette", &bench.screen());
    bench.keys("esc gr y");
    check_screen("copy", &bench.screen());
    bench.keys("esc 1 /").type_text("ldap");
    check_screen("search", &bench.screen());
    bench.keys("enter space :w enter");
    check_screen("write", &bench.screen());
}

#[test]
fn a_component_is_switched_on_written_and_taken_back() {
    const FILE: &str = "/demo/overlays/dev/kustomization.yaml";
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    let before = bench.disk.text(FILE);
    bench.keys("gc j");
    assert!(bench.text().contains("☐     ldap"), "{}", bench.text());
    bench.keys("space");
    assert!(bench.text().contains("☑  2  ldap"), "{}", bench.text());
    assert!(bench.text().contains("2 Change ●1"), "{}", bench.text());
    assert_eq!(bench.disk.text(FILE), before, "nothing is written before it is asked for");
    bench.keys(":w enter y");
    assert_eq!(
        bench.disk.text(FILE),
        before.replace("#- ../../components/ldap", "- ../../components/ldap")
    );
    assert!(!bench.text().contains('●'), "{}", bench.text());
    bench.keys("z :w enter y");
    assert_eq!(bench.disk.text(FILE), before);
    bench.keys("q");
    assert_eq!(bench.asked, ["quit"]);
}

/// The result of a build is dropped if the draft has changed since its start.
#[test]
fn late_answers_are_dropped() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.hold_builds();
    bench.keys("gc j space space space");
    bench.run_held_builds();
    let row = bench.text().lines().find(|line| line.contains("  ldap ")).unwrap().to_owned();
    assert!(row.contains("☑  2") && row.contains("+1 ~2"), "{row}");
    bench.keys("gs");
    assert!(bench.text().contains("ldap"), "{}", bench.text());
}

#[test]
fn no_control_character_reaches_a_cell() {
    let evil = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"a\\e[31m\\u202Eb\"}\ndata: {k: \"\\x9b2J\\ax\"}\n";
    let files =
        [("kustomization.yaml", "resources: [a.yaml, \"b\\e[0m.yaml\"]\n"), ("a.yaml", evil)];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    for keys in ["1", "gs", "gd", "gr", "gc", "gp", "?", "esc :"] {
        bench.keys(keys);
        for cell in &bench.screen().content {
            let unsafe_char = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}');
            assert!(!cell.symbol().contains(unsafe_char), "{keys}: {:?}", cell.symbol());
        }
    }
}

/// All keys on all sizes: no panic, and the same screen from drawing twice.
#[test]
fn no_size_and_no_key_panics_and_drawing_twice_draws_the_same() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    let keys = "1 j j enter tab tab 2 ( ( ) c C x r L x enter tab 3 d d d s } } { ]c [c ]r 4 j j gw ctrl-o alt-o \
                5 space J K z Z 9 ]p [p w n N G gg ctrl-d ctrl-u + + / x esc y esc : esc ? esc E esc";
    for word in keys.split_whitespace() {
        for size in [(200, 60), (120, 36), (80, 24), (40, 10), (12, 3), (1, 1)] {
            bench.resize(size.0, size.1);
            let screen = bench.screen();
            assert_eq!(screen, bench.screen());
        }
        bench.resize(100, 30);
        bench.keys(word);
    }
}

/// A base, an overlay, a patch without effect, and a patch that fails.
const BROKEN: &[(&str, &str)] = &[
    ("base/kustomization.yaml", "resources:\n- deployment.yaml\n"),
    (
        "base/deployment.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n",
    ),
    (
        "overlay/kustomization.yaml",
        "resources:\n- ../base\nnamePrefix: dev-\npatches:\n- target: {kind: Service}\n  patch: |-\n    - {op: remove, path: /spec}\n- target: {kind: Deployment}\n  patch: |-\n    - op: remove\n      path: /spec/paused\n",
    ),
];

#[test]
fn a_build_that_fails_keeps_its_tree_and_shows_the_error_in_place() {
    for (columns, rows) in SIZES {
        let mut bench = Workbench::of_files(BROKEN, "overlay", (columns, rows));
        for (key, name) in [("1", "tree"), ("gs", "steps"), ("gp", "problems")] {
            bench.keys(key);
            check_screen(&format!("broken-{name}-{columns}x{rows}"), &bench.screen());
        }
    }
}

/// The screens at one step, also with a split diff, equal their snapshots.
#[test]
fn a_step_in_the_diff() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gs gg ) ) ) ) ) )");
    check_screen("step-7-120x36", &bench.screen());
    bench.keys("gd");
    check_screen("step-7-diff-120x36", &bench.screen());
    bench.keys(",d");
    check_screen("step-7-diff-split-120x36", &bench.screen());
    bench.resize(80, 24);
    check_screen("step-7-diff-split-80x24", &bench.screen());
    bench.keys(",d gr j j j");
    check_screen("step-7-resource-80x24", &bench.screen());
}

#[test]
fn small_editor_drafts_each_keystroke() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gs gg ) ) ) ) ) ) E down down down down down down down down down down");
    bench.keys("up");
    check_screen("editor-120x36", &bench.screen());
    bench.type_text("#");
    assert!(bench.text().contains("●1"), "{}", bench.text());
    bench.type_text("#");
    assert!(bench.text().contains("●1"), "one visit is one edit: {}", bench.text());
    bench.keys("ctrl-c");
    assert!(!bench.text().contains('●'), "{}", bench.text());
}

/// The screens in every theme, without colours, and with ASCII signs equal their snapshots.
#[test]
fn every_theme_without_colours_and_in_ascii() {
    use kzui::tui::{ColorDepth, Icons, WorkbenchConfig};
    for theme in ["dark", "light", "mono", "cvd", "high-contrast"] {
        let config = WorkbenchConfig { theme: theme.to_owned(), ..WorkbenchConfig::default() };
        let mut bench = Workbench::of_demo_with("components", "overlays/dev", (80, 24), config);
        bench.keys("gs gg ) ) ) ) ) )");
        check_screen(&format!("theme-{theme}"), &bench.screen());
    }
    let config = WorkbenchConfig {
        icons: Icons::Ascii,
        colors: ColorDepth::Mono,
        ..WorkbenchConfig::default()
    };
    let mut bench = Workbench::of_demo_with("components", "overlays/dev", (120, 36), config);
    for key in ["1", "gs", "gd", "gr", "gc", "gp"] {
        bench.keys(key);
        let screen = bench.screen();
        assert!(screen.content.iter().all(|cell| cell.fg == ratatui::style::Color::Reset));
        let strange = screen.content.iter().find(|cell| !cell.symbol().is_ascii());
        assert!(strange.is_none(), "{strange:?}");
    }
}

#[test]
fn the_mouse_focuses_selects_opens_and_scrubs() {
    use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    use kzui::tui::Message;
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    let click = |bench: &mut Workbench, text: &str| {
        let screen = bench.text();
        let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
        let column = line[..line.find(text).unwrap()].chars().count();
        bench.send(Message::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: u16::try_from(column).unwrap(),
            row: u16::try_from(row).unwrap(),
            modifiers: KeyModifiers::NONE,
        }));
    };
    click(&mut bench, "Components");
    assert!(bench.text().contains("▐Components▌"), "{}", bench.text());
    click(&mut bench, "☐     ldap");
    assert!(bench.text().contains("☑  2  ldap"), "a click on the box toggles: {}", bench.text());
    click(&mut bench, "Steps");
    bench.keys("gg");
    click(&mut bench, "◇ configmap  conf");
    assert!(bench.text().contains("step 2/"), "{}", bench.text());
    bench.keys("<");
    click(&mut bench, "▸ ");
    assert!(bench.text().contains("step 1/"), "the strip moves the cursor: {}", bench.text());
}

#[test]
fn keys_can_be_counted_searched_and_jumped_back_from() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gs gg alt-1 0 j");
    assert!(bench.text().contains("step 11/17"), "{}", bench.text());
    bench.keys("gg /").type_text("hashes").keys("enter");
    assert!(bench.text().contains("step 13/17"), "{}", bench.text());
    bench.keys(": 7 enter");
    assert!(bench.text().contains("step 7/17"), "{}", bench.text());
    bench.keys("ctrl-o");
    assert!(bench.text().contains("step 13/17"), "{}", bench.text());
    bench.keys("alt-o");
    assert!(bench.text().contains("step 7/17"), "{}", bench.text());
    bench.keys(",e ,r");
    assert!(bench.text().contains(messages::EFFECTIVE_ONLY), "{}", bench.text());
}

#[test]
fn an_outside_edit_rebuilds_and_keeps_step_and_selection() {
    const FILE: &str = "/demo/overlays/dev/kustomization.yaml";
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gs + : 7 enter");
    let here = |bench: &Workbench| {
        let text = bench.text();
        let row = text.lines().find(|line| line.starts_with("║▶"))?.to_owned();
        row.split('║').nth(1).map(|row| row.chars().skip(8).collect::<String>())
    };
    let before = here(&bench);
    assert!(before.is_some(), "{}", bench.text());
    let text = bench.disk.text(FILE).replace("components:", "namePrefix: early-\ncomponents:");
    bench.disk.put(FILE, &text.replace("#- ../../components/ldap", "- ../../components/ldap"));
    bench.send(kzui::tui::Message::FilesChanged(Vec::new()));
    assert_eq!(here(&bench), before, "{}", bench.text());
    assert!(bench.text().contains("→ enter      ../../components/ldap"), "{}", bench.text());
}

#[test]
fn a_long_build_shows_progress_and_can_be_cancelled() {
    use std::time::Duration;
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.hold_builds();
    bench.keys("gc j space");
    bench.send(kzui::tui::Message::Tick(Duration::from_millis(99), None));
    assert!(!bench.text().contains(&format!("{} 0", messages::BUILDING)), "{}", bench.text());
    bench.send(kzui::tui::Message::Tick(Duration::from_millis(1200), None));
    let progress = format!("{} 1.2s ctrl-c", messages::BUILDING);
    assert!(bench.text().contains(&progress), "{}", bench.text());
    bench.keys("gs (");
    assert!(bench.text().contains("step 13/17"), "keys are answered meanwhile: {}", bench.text());
    bench.keys("ctrl-c");
    assert_eq!(bench.asked, ["cancel"]);
    bench.run_held_builds();
    assert!(bench.text().contains(messages::BUILD_CANCELLED), "{}", bench.text());
    bench.keys("R +");
    assert!(
        bench.text().contains("→ enter      ../../components/ldap")
            && !bench.text().contains("cancelled"),
        "{}",
        bench.text()
    );
}

#[test]
fn a_search_hides_the_rows_that_do_not_fit_until_esc() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gs gg /").type_text("hash");
    let rows = |bench: &Workbench, pane: &str, text: &str| {
        let screen = bench.text();
        assert!(screen.contains(pane), "{screen}");
        let rows = screen.lines().filter_map(|line| line.strip_prefix('║')?.split('║').next());
        rows.filter(|row| row.contains(text)).count()
    };
    assert_eq!(rows(&bench, "[/hash] esc: all", "◇ configmap"), 0);
    assert!(rows(&bench, "step 13/17", "hash") > 0);
    bench.keys("enter n N esc");
    assert!(rows(&bench, "step 13/17", "◇ configmap") > 0);
    assert!(!bench.text().contains("esc: all"), "{}", bench.text());
    bench.keys("1 gg /").type_text("recaptcha").keys("enter");
    assert_eq!(rows(&bench, "[/recaptcha] esc: all", "ldap"), 0);
    assert!(rows(&bench, "recaptcha", "components") > 0, "what a row belongs to stays");
    bench.keys("/").type_text("nowhere");
    assert!(bench.text().contains(messages::NO_MATCH), "{}", bench.text());
    bench.keys("esc");
    assert!(rows(&bench, "Tree", "ldap") > 0);
    let mut bench = Workbench::of_files(BROKEN, "overlay", (120, 36));
    bench.keys("gp gg /").type_text("KZ101").keys("enter");
    assert!(bench.text().contains("1 of 1"), "{}", bench.text());
    bench.keys("]p esc");
    assert!(
        bench.text().contains("2 of 2"),
        "the error that ends the build is first: {}",
        bench.text()
    );
}

/// The palette lists commands that are available on the screen; another command appears once it is
/// typed, with the reason.
#[test]
fn the_palette_offers_first_what_can_be_had() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (80, 24));
    bench.keys(":");
    let screen = bench.text();
    assert!(!screen.contains(messages::ONLY_ON_COMPOSITION), "{screen}");
    bench.type_text("override");
    assert!(bench.text().contains(messages::ONLY_ON_COMPOSITION), "{}", bench.text());
    bench.keys("esc ?");
    let screen = bench.text();
    assert!(screen.contains("step 14/17"), "the strip stays in sight: {screen}");
}

/// Enter runs the command that the palette marks for the typed text.
#[test]
fn what_the_palette_marks_is_what_runs() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gc j space");
    let unknown = format!("{}: `foo`", messages::NO_SUCH_COMMAND);
    // Each text selects its row, and then the command of the row runs.
    for (typed, marked, after) in [
        ("w", "▶ write ", "write overlays/dev/kustomization.yaml?"),
        ("wq", "▶ write quit", "write overlays/dev/kustomization.yaml?"),
        ("diff", "▶ diff ", "▐Diff"),
        ("foo", &*unknown, &*unknown),
        ("theme lig", "▶ theme light", "theme light"),
    ] {
        bench.keys(":").type_text(typed);
        assert!(bench.text().contains(marked), "{typed}: {}", bench.text());
        bench.keys("enter");
        let text = bench.text();
        assert!(text.contains(after), "{typed}: {text}");
        bench.keys("esc");
    }
    assert_eq!(bench.asked, Vec::<String>::new());
}

/// An image volume, which `images` reaches from v5.7.0 on.
const VOLUME: &str = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - {image: a, name: a}\n  \
                      volumes:\n  - name: data\n    image:\n      reference: data:1\n";

#[test]
fn another_release_is_built_and_compared_with_the_one_before() {
    let kustomization = "resources: [pod.yaml]\nimages:\n- name: data\n  newTag: \"2\"\n";
    let files = [("app/kustomization.yaml", kustomization), ("app/pod.yaml", VOLUME)];
    let mut bench = Workbench::of_files(&files, "app", (160, 36));
    let imitated = |name: &str| format!("kzui app {} {name}", messages::BUILT_LIKE);
    assert!(!bench.text().contains(&imitated("")), "{}", bench.text());
    let like = |bench: &mut Workbench, name: &str| {
        bench.keys(":").type_text(&format!("like {name}"));
        bench.keys("enter");
        bench.text()
    };
    let before = like(&mut bench, "v5.6.0");
    assert!(before.contains(&imitated("v5.6.0")), "{before}");
    let title = line_with(&before, messages::OUTPUT_TITLE);
    assert!(title.contains("latest") && title.contains("v5.6.0"), "{before}");
    assert!(
        before.contains("reference: data:2") && before.contains("reference: data:1"),
        "{before}"
    );
    assert!(before.contains(&format!("v5.6.0 {} ", messages::INSTEAD_OF)), "{before}");
    let after = like(&mut bench, "v5.7.1");
    let title = line_with(&after, messages::OUTPUT_TITLE);
    assert!(title.contains("v5.6.0") && title.contains("v5.7.1"), "{after}");
    let same = like(&mut bench, "argocd-3.3");
    assert!(same.contains(messages::OUTPUT_UNCHANGED), "{same}");
    let unknown = like(&mut bench, "argocd-99");
    assert!(
        unknown.contains(&format!(
            "{} `argocd-99`: did you mean argocd-",
            messages::UNKNOWN_VERSION_PROFILE
        )),
        "{unknown}"
    );
    assert!(unknown.contains(&imitated("argocd-3.3")), "{unknown}");
}

/// The palette shows the command line that is equivalent to the marked command.
#[test]
fn the_palette_says_what_does_the_same_on_the_command_line() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    let mut twins = 0;
    for typed in [
        "tree",
        "steps",
        "diff",
        "resource",
        "problems",
        "14",
        "rebuild",
        "theme mono",
        "catalog ./c d",
    ] {
        bench.keys(":").type_text(typed);
        let text = bench.text();
        let twin = text.lines().find_map(|line| line.split_once("$ kzui ")).expect(typed).1;
        let twin = twin.trim_end_matches(['║', ' ']).split(['║']).next().unwrap().trim();
        let words = twin.replace("'./c d'", "./c-d");
        let words = std::iter::once("kzui").chain(words.split_whitespace());
        let parsed = <kzui::cli::Arguments as clap::Parser>::try_parse_from(words);
        assert!(parsed.is_ok(), "{typed}: {twin}: {parsed:?}");
        twins += 1;
        bench.keys("esc");
    }
    assert_eq!(twins, 9);
}

#[test]
fn text_panes_keep_their_cursor() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys(":").type_text("sxteps");
    bench.keys("left left left left backspace");
    assert!(bench.text().contains("║ :steps "), "{}", bench.text());
    bench.keys("esc :").type_text("steps").keys("enter :").keys("up");
    assert!(bench.text().contains("║ :steps"), "{}", bench.text());
    bench.keys("esc /").type_text("ldap").keys("enter / up");
    assert!(bench.text().contains("/ldap"), "{}", bench.text());
}

/// The help filters by typed text and shows the number of lines.
#[test]
fn the_help_finds_keys_and_says_where_it_is() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (80, 24));
    bench.keys("?").type_text("gw");
    assert!(
        bench.text().contains("gw") && bench.text().contains(messages::WROTE_FIELD),
        "{}",
        bench.text()
    );
    assert!(bench.text().contains("1 to 3 of 3"), "{}", bench.text());
    // Long lines wrap: no word of the help is cut.
    bench.resize(80, 400);
    bench.keys("esc ?");
    assert!(!bench.text().contains("…║"), "{}", bench.text());
    bench.resize(80, 24);
    bench.keys("esc ?");
    let first = bench.text();
    bench.keys("pagedown");
    assert_ne!(first, bench.text());
    let position = bench.text().lines().nth(2).unwrap_or_default().to_owned();
    assert!(!position.contains(" 1 to "), "{position}");
}
