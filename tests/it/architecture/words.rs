//! Errors are values that become text only for display: no code parses a message of this program.

use regex::Regex;

use super::{assert_no_problems, sources};

/// Names of message texts, as the last part of a receiver, with or without brackets.
const MESSAGE_NAMES: &str =
    "message|messages|phrase|reason|hint|warning|why|need|words|error|to_string|describe";

/// Methods that split or search a text.
const STRING_PARSING_METHODS: &str = "starts_with|ends_with|contains|strip_prefix|strip_suffix|split_once|\
                           rsplit_once|trim_start_matches|trim_end_matches|splitn|find";

/// Files that parse text of another source, and which text.
const ALLOWED_PARSERS: &[(&str, &str)] =
    &[("cli/bisect/text.rs", "a sentence of its own, of which it leaves the verb out")];

/// The code of a file, without its tests.
fn without_tests(text: &str) -> &str {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    &text[..end]
}

fn calls_that_parse_messages(code: &str) -> Vec<String> {
    let shape = format!(
        r#"\.(?:{MESSAGE_NAMES})(?:\(\))?\s*\.(?:{STRING_PARSING_METHODS})\(\s*(?:&?format!|['"&\[])"#
    );
    let shape = Regex::new(&shape).unwrap();
    let found = shape.find_iter(code);
    found.map(|found| found.as_str().split_whitespace().collect()).collect()
}

#[test]
fn no_code_parses_a_message() {
    let mut complaints = Vec::new();
    for source in sources() {
        let name = source.file.to_string_lossy().into_owned();
        let is_test = name.contains("tests");
        if is_test || ALLOWED_PARSERS.iter().any(|(other, _)| *other == name) {
            continue;
        }
        for found in calls_that_parse_messages(without_tests(&source.text)) {
            complaints.push(format!("{name}: {found}… : match on what it says instead"));
        }
    }
    assert_no_problems(&complaints);
}

#[test]
fn parsing_of_a_message_is_found() {
    let wrong = "if error.message.ends_with(\"must specify --enable-helm\") {}\n\
                 let _ = warning.to_string()\n    .contains('x');";
    assert_eq!(
        calls_that_parse_messages(wrong),
        [".message.ends_with(\"", ".to_string().contains('"]
    );
    assert_eq!(calls_that_parse_messages("known.contains(&warning.code)"), Vec::<String>::new());
}

#[test]
fn exceptions_still_parse_messages() {
    for (name, whose) in ALLOWED_PARSERS {
        let source = sources().into_iter().find(|source| source.file.to_string_lossy() == *name);
        let source = source.unwrap_or_else(|| panic!("no file {name}, which reads {whose}"));
        assert!(
            !calls_that_parse_messages(without_tests(&source.text)).is_empty(),
            "{name} reads nothing of {whose}"
        );
    }
}
