//! Each difference of a release is decided at one place: a switch with two readers could get two
//! meanings.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use kzui::engine::profile::SWITCHES;

use super::{Source, is_colon, sources};

/// The switches that are read at more places than one, how many, and why.
const EXCEPTIONS: [(&str, usize, &str); 2] = [
    (
        "TemplatesIncludeClaims",
        2,
        "the release that gave claims a field of their own took them out of the default field specs",
    ),
    (
        "NamespaceOverCharts",
        2,
        "what renders a chart leaves its namespace out, and what sets namespaces reaches what is rendered",
    ),
];

/// Collects the switches in the code, with repetitions. Tests are left out.
fn named(tokens: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut is_test = false;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let text = group.stream().to_string();
                let is_attribute = group.delimiter() == Delimiter::Bracket;
                if is_attribute && text.starts_with("cfg") && text.contains("test") {
                    is_test = true;
                } else if !(group.delimiter() == Delimiter::Brace && std::mem::take(&mut is_test)) {
                    named(group.stream(), found);
                }
            }
            TokenTree::Ident(word) if *word == "Switch" => {
                if let Some(TokenTree::Ident(switch)) = tokens.get(at + 3)
                    && is_colon(tokens.get(at + 1))
                    && is_colon(tokens.get(at + 2))
                {
                    found.push(switch.to_string());
                }
            }
            TokenTree::Punct(sign) if sign.as_char() == ';' => is_test = false,
            _ => {}
        }
    }
}

fn reads_switches(source: &Source) -> bool {
    let module = source.module.join("::");
    let is_table = module == "engine::profile::table";
    module.starts_with("engine") && !is_table && !source.module.iter().any(|room| room == "tests")
}

#[test]
fn each_switch_is_read_at_one_place_of_the_engine() {
    let mut found = Vec::new();
    for source in sources().into_iter().filter(reads_switches) {
        named(source.tokens, &mut found);
    }
    let mut complaints = Vec::new();
    for switch in SWITCHES.iter().map(|row| format!("{:?}", row.switch)) {
        let exception = EXCEPTIONS.iter().find(|(name, ..)| *name == switch);
        let allowed = exception.map_or(1, |(_, places, _)| *places);
        let places = found.iter().filter(|name| **name == switch).count();
        if places != allowed {
            complaints.push(format!("{switch} is read at {places} places, not at {allowed}"));
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn a_switch_is_found_where_it_is_read_and_not_in_tests() {
    let text =
        "fn a(p: Profile) -> bool { p.has(Switch::One) && match p { _ => p.has(Switch::Two) } }
        const ALL: [Switch; 1] = [Switch::One];
        #[cfg(test)] mod tests { fn b() { has(Switch::Three); } }
        #[cfg(test)] use x::Y; fn c() { has(Switch::Four); }";
    let mut found = Vec::new();
    named(text.parse().unwrap(), &mut found);
    assert_eq!(found, ["One", "Two", "One", "Four"]);
}
