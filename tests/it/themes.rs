//! Colours: of texts that are no YAML, and of a light terminal.

use crate::support::Workbench;

#[test]
fn light_terminal_gets_light_theme_unless_user_chose_one() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (80, 24));
    let dark = bench.screen();
    bench.send(kzui::tui::Message::LightBackground);
    let light = bench.screen();
    assert_ne!(dark, light);
    bench.keys(":theme enter").send(kzui::tui::Message::LightBackground);
    assert_ne!(bench.screen(), light, "the theme that was chosen stays");
}

/// The colour of the first cell of a text on the screen.
fn text_colour(screen: &ratatui::buffer::Buffer, text: &str) -> ratatui::style::Color {
    let first = text.chars().next().unwrap().to_string();
    let mut starts = (0..screen.content.len()).filter(|at| screen.content[*at].symbol() == first);
    let found = starts.find(|at| {
        let cells = screen.content[*at..].iter().map(ratatui::buffer::Cell::symbol);
        cells.take(text.chars().count()).collect::<String>() == text
    });
    screen.content[found.unwrap_or_else(|| panic!("no {text}"))].fg
}

#[test]
fn files_other_than_yaml_have_the_theme_colours() {
    let files = [
        (
            "kustomization.yaml",
            "resources:\n- a.json\nconfigMapGenerator:\n- name: app\n  files: [app.properties]\n",
        ),
        (
            "a.json",
            "{\n\"apiVersion\": \"v1\",\n\"kind\": \"Service\", \"metadata\": {\"name\": \"web\"}}",
        ),
        ("app.properties", "# note\nserver.port=8080\n"),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys("j j");
    let screen = bench.screen();
    assert_ne!(text_colour(&screen, "\"apiVersion\""), text_colour(&screen, "\"v1\""));
    bench.keys("G gs gr [r");
    let screen = bench.screen();
    assert_ne!(text_colour(&screen, "# note"), text_colour(&screen, "server.port"));
    assert_eq!(text_colour(&screen, "server.port"), text_colour(&screen, "metadata"));
}
