//! Files generated from the code: the table of keys and the picture of the README. `UPDATE=1` writes
//! them.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::support::Workbench;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Fails if a file differs from the code, or updates it.
fn check_file(name: &str, expected: &str) {
    let current = std::fs::read_to_string(path(name)).unwrap_or_default();
    if current == expected {
        return;
    }
    assert!(
        std::env::var_os("UPDATE").is_some(),
        "{name} is not what the code says; UPDATE=1 writes it"
    );
    std::fs::write(path(name), expected).unwrap();
}

#[test]
fn the_book_has_the_keys_of_the_table() {
    let readme = std::fs::read_to_string(path("assets/book/keys.md")).unwrap();
    let (before, rest) = readme.split_once("<!-- keys -->\n").expect("a place for the keys");
    let (_, after) = rest.split_once("<!-- end of keys -->").expect("the end of the keys");
    let keys = kzui::tui::keys_as_markdown();
    check_file(
        "assets/book/keys.md",
        &format!("{before}<!-- keys -->\n{keys}<!-- end of keys -->{after}"),
    );
}

#[test]
fn svg_picture_equals_the_screen() {
    let mut workbench = Workbench::of_demo("shop", "overlays/production", (120, 36));
    workbench.keys("gs");
    let shown = workbench.text();
    assert!(shown.contains("= prefix"), "the steps:\n{shown}");
    check_file("demo/workbench.svg", &picture(&workbench.screen()));
}

/// A screen as a drawing: a rectangle for each run of one background, a text for each run of one
/// style.
fn picture(screen: &Buffer) -> String {
    const WIDTH: f32 = 8.4;
    const HEIGHT: f32 = 18.0;
    let area = screen.area;
    // Every character is one cell wide here: the screen has no wide ones.
    let (width, height) = (f32::from(area.width) * WIDTH, f32::from(area.height) * HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#16181d\"/>\n"
    );
    for row in 0..area.height {
        let mut column = 0;
        while column < area.width {
            let style = look(&screen[(column, row)]);
            let start = column;
            let mut text = String::new();
            while column < area.width && look(&screen[(column, row)]) == style {
                text.push_str(screen[(column, row)].symbol());
                column += 1;
            }
            let (x, y) = (f32::from(start) * WIDTH, f32::from(row) * HEIGHT);
            let long = f32::from(column - start) * WIDTH;
            let (ink, paper, bold) = style;
            if let Some(paper) = paper {
                writeln!(svg, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{long:.1}\" height=\"{HEIGHT}\" fill=\"{paper}\"/>")
                    .unwrap();
            }
            let weight = if bold { " font-weight=\"bold\"" } else { "" };
            for (at, word) in words(&text) {
                let x = x + f32::from(at) * WIDTH;
                let word = word.replace('&', "&amp;").replace('<', "&lt;");
                writeln!(
                    svg,
                    "<text x=\"{x:.1}\" y=\"{:.1}\" fill=\"{ink}\"{weight}>{word}</text>",
                    y + 13.5
                )
                .unwrap();
            }
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The words of a run, each with the cells before it.
fn words(run: &str) -> Vec<(u16, String)> {
    let mut words: Vec<(u16, String)> = Vec::new();
    let mut after_blank = true;
    for (at, sign) in (0..).zip(run.chars()) {
        match words.last_mut() {
            _ if sign == ' ' => {}
            Some((_, word)) if !after_blank => word.push(sign),
            _ => words.push((at, sign.to_string())),
        }
        after_blank = sign == ' ';
    }
    words
}

/// The colour of a cell's text, the colour of its background, and whether it is bold.
fn look(cell: &Cell) -> (String, Option<String>, bool) {
    let ink = hex(cell.fg).unwrap_or_else(|| "#d7dae0".to_owned());
    let paper = hex(cell.bg);
    let bold = cell.modifier.contains(Modifier::BOLD);
    if cell.modifier.contains(Modifier::REVERSED) {
        return (paper.unwrap_or_else(|| "#16181d".to_owned()), Some(ink), bold);
    }
    (ink, paper, bold)
}

fn hex(color: Color) -> Option<String> {
    let name = match color {
        Color::Rgb(red, green, blue) => return Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        Color::Black => "#000000",
        Color::Red | Color::LightRed => "#e06c75",
        Color::Green | Color::LightGreen => "#98c379",
        Color::Yellow | Color::LightYellow => "#e5c07b",
        Color::Blue | Color::LightBlue => "#61afef",
        Color::Magenta | Color::LightMagenta => "#c678dd",
        Color::Cyan | Color::LightCyan => "#56b6c2",
        Color::Gray => "#abb2bf",
        Color::DarkGray => "#5c6370",
        Color::White => "#ffffff",
        _ => return None,
    };
    Some(name.to_owned())
}
