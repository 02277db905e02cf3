//! Files generated from the code: the tables of the book, its page of commands, and the picture of the
//! README. `UPDATE=1` writes them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory as _, Id};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::support::{Workbench, kzui};

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

/// Fails if the part of a page between the marks of `name` differs from the code, or updates it.
fn check_part(page: &str, name: &str, expected: &str) {
    let text = std::fs::read_to_string(path(page)).unwrap();
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let (before, rest) = text.split_once(&start).expect("the mark of the part");
    let (_, after) = rest.split_once(&end).expect("the end of the part");
    check_file(page, &format!("{before}{start}{expected}{end}{after}"));
}

#[test]
fn the_book_has_the_keys_of_the_table() {
    check_part("assets/book/keys.md", "keys", &kzui::tui::keys_as_markdown());
}

/// One test, because it writes two parts of one file.
#[test]
fn the_book_has_the_version_profiles_and_the_schemas() {
    let page = "assets/book/reference.md";
    let versions = kzui(&["versions"]).built();
    check_part(page, "versions", &format!("```text\n{versions}```\n"));
    let mut formats = "| schema | document |\n|---|---|\n".to_owned();
    let folder = std::fs::read_dir(path("assets/schemas")).unwrap();
    let mut names: Vec<String> =
        folder.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    for name in names {
        let text = std::fs::read_to_string(path("assets/schemas").join(&name)).unwrap();
        let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
        let meaning = schema["description"].as_str().unwrap().replace('\n', " ");
        writeln!(formats, "| [{name}](../schemas/{name}) | {meaning} |").unwrap();
    }
    check_part(page, "formats", &formats);
}

#[test]
fn the_book_has_every_command() {
    let mut root = kzui::cli::Arguments::command();
    root.build();
    let build = root.find_subcommand("build").unwrap();
    let of_build = build.get_arguments().filter(|it| it.get_long().is_some());
    let of_build: BTreeSet<Id> = of_build.map(|it| it.get_id().clone()).collect();
    let mut page = "# Command line\n\nThe arguments of every command, with their defaults. \
         [Commands](commands.md) has an example for each, `kzui help COMMAND` more.\n"
        .to_owned();
    add_command(&mut page, &root, &of_build);
    check_file("assets/book/command-line.md", &page);
}

/// The section of a command and those of its subcommands. Flags that `kzui build` has too are only in
/// its section.
fn add_command(page: &mut String, command: &Command, of_build: &BTreeSet<Id>) {
    let name = command.get_bin_name().unwrap_or("kzui");
    writeln!(page, "\n## {name}\n\n{}.", command.get_about().unwrap()).unwrap();
    let (shared, own): (Vec<_>, Vec<_>) = command
        .get_arguments()
        .filter(|it| !it.is_hide_set() && !["help", "version"].contains(&it.get_id().as_str()))
        .partition(|it| name != "kzui build" && of_build.contains(it.get_id()));
    if !own.is_empty() {
        page.push_str("\n| argument | |\n|---|---|\n");
    }
    for it in own {
        let has_value = it.get_action().takes_values();
        let long = it.get_long().map(|name| format!("--{name}"));
        let words = [it.get_short().map(|letter| format!("-{letter}")), long];
        let mut words = words.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let mut help = it.get_help().unwrap().to_string();
        if has_value {
            let value = it.get_value_names().unwrap_or_default().join(" ");
            words = format!("{words} {value}");
            let defaults = it.get_default_values().iter().filter(|it| !it.is_empty());
            for default in defaults {
                write!(help, " (default `{}`)", default.display()).unwrap();
            }
        }
        let cell = |text: &str| text.trim().replace('|', "\\|");
        writeln!(page, "| `{}` | {} |", cell(&words), cell(&help)).unwrap();
    }
    if !shared.is_empty() {
        let names = shared.iter().map(|it| format!("`--{}`", it.get_long().unwrap_or("DIR")));
        let names = match shared.len() {
            0..6 => names.collect::<Vec<_>>().join(", "),
            _ => "the flags".to_owned(),
        };
        writeln!(page, "\nAs in `kzui build`: {names}.").unwrap();
    }
    let more = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    if let Some((_, exit)) = more.split_once("Exit status: ") {
        let exit = exit.split("\n\n").next().unwrap().replace('\n', " ");
        writeln!(page, "\nExit status: {}", exit.trim()).unwrap();
    }
    let visible = command.get_subcommands().filter(|it| !it.is_hide_set());
    for command in visible.filter(|it| it.get_name() != "help") {
        add_command(page, command, of_build);
    }
}

/// What the picture of the README does in the workbench: keys, and what the screen has then.
const STORY: [(&str, &str); 6] = [
    ("", "46 resources"),
    ("gs", "= prefix"),
    ("kkkkkkkkk", "orders-memory.yaml"),
    ("kk", "KZ101 the patch"),
    ("1 /log-shipper enter space esc", "☐ ../../components/log-shipper"),
    (":w enter", "y write"),
];

#[test]
fn svg_picture_equals_the_screens() {
    let mut workbench = Workbench::of_demo("shop", "overlays/production", (120, 36));
    let screens = STORY.map(|(keys, shown)| {
        workbench.keys(keys);
        let text = workbench.text();
        assert!(text.contains(shown), "after {keys}:\n{text}");
        workbench.screen()
    });
    check_file("assets/book/workbench.svg", &moving_picture(&screens));
}

const CELL: (f32, f32) = (8.4, 18.0);
const SECONDS: u16 = 3;
const PAPER: &str = "#16181d";

/// Screens of one size as a drawing in which each is shown for some seconds. A later screen has only the rows that are not
/// those of the first one.
fn moving_picture(screens: &[Buffer]) -> String {
    let first = &screens[0];
    // Every character is one cell wide here: the screens have no wide ones.
    let (width, height) =
        (f32::from(first.area.width) * CELL.0, f32::from(first.area.height) * CELL.1);
    let count = u16::try_from(screens.len()).unwrap();
    let (length, end) = (count * SECONDS, 100.0 / f32::from(count));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"monospace\" font-size=\"14\">\n\
         <style>@keyframes shown {{ 0%, {end:.3}% {{ visibility: visible }} {:.3}%, 100% {{ visibility: hidden }} }}\n\
         g {{ visibility: hidden; animation: shown {length}s step-end infinite }}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n",
        end + 0.001
    );
    for row in 0..first.area.height {
        draw_row(&mut svg, first, row);
    }
    for (number, screen) in (0..count).zip(screens).skip(1) {
        writeln!(svg, "<g style=\"animation-delay: {}s\">", number * SECONDS).unwrap();
        for row in (0..first.area.height).filter(|&row| cells(screen, row) != cells(first, row)) {
            let y = f32::from(row) * CELL.1;
            writeln!(
                svg,
                "<rect y=\"{y:.1}\" width=\"100%\" height=\"{}\" fill=\"{PAPER}\"/>",
                CELL.1
            )
            .unwrap();
            draw_row(&mut svg, screen, row);
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

fn cells(screen: &Buffer, row: u16) -> &[Cell] {
    let width = usize::from(screen.area.width);
    &screen.content[usize::from(row) * width..][..width]
}

/// A rectangle for each run of one background, a text for each word of one style.
fn draw_row(svg: &mut String, screen: &Buffer, row: u16) {
    let y = f32::from(row) * CELL.1;
    let mut column = 0;
    while column < screen.area.width {
        let style = look(&screen[(column, row)]);
        let start = column;
        let mut text = String::new();
        while column < screen.area.width && look(&screen[(column, row)]) == style {
            text.push_str(screen[(column, row)].symbol());
            column += 1;
        }
        let x = f32::from(start) * CELL.0;
        let long = f32::from(column - start) * CELL.0;
        let (ink, paper, bold) = style;
        if let Some(paper) = paper {
            writeln!(svg, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{long:.1}\" height=\"{}\" fill=\"{paper}\"/>", CELL.1)
                .unwrap();
        }
        let weight = if bold { " font-weight=\"bold\"" } else { "" };
        for (at, word) in words(&text) {
            let x = x + f32::from(at) * CELL.0;
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
