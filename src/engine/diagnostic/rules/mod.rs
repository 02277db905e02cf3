//! The registry: every code, one row each, by what the rules are about.

mod build;
mod dangers;
mod entries;
mod functions;
mod names;
mod patches;
mod schemas;
mod silent;

use super::Code;

/// Makes a constant of each row, and a list of them. A row: code, severity, title; what it means; what to do; the page
/// that shows it.
macro_rules! rules {
    ($($code:ident $severity:ident $title:literal, $means:literal, $action:literal, $example:literal;)*) => {
        impl crate::diagnostic::Code {
            $(
                #[doc = $title]
                pub const $code: Self = Self(&crate::diagnostic::Rule {
                    code: stringify!($code),
                    severity: crate::diagnostic::Severity::$severity,
                    title: $title,
                    means: $means,
                    action: $action,
                    example: $example,
                });
            )*
        }

        pub(super) const ROWS: &[crate::diagnostic::Code] = &[$(crate::diagnostic::Code::$code),*];
    };
}
use rules;

const ROOMS: [&[Code]; 8] = [
    build::ROWS,
    entries::ROWS,
    names::ROWS,
    patches::ROWS,
    silent::ROWS,
    functions::ROWS,
    schemas::ROWS,
    dangers::ROWS,
];

/// All codes, in the order of the registry.
pub fn all_codes() -> impl Iterator<Item = Code> {
    ROOMS.into_iter().flatten().copied()
}

impl Code {
    /// The code that is written so, in either case.
    pub fn named(text: &str) -> Option<Self> {
        all_codes().find(|code| code.as_str().eq_ignore_ascii_case(text))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_has_one_row_that_says_something() {
        let mut seen = BTreeSet::new();
        for code in all_codes() {
            let rule = code.rule();
            assert!(seen.insert(rule.code), "{code} stands twice");
            let number = rule.code.strip_prefix("KZ").unwrap_or_default();
            assert!(
                number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit()),
                "{code}"
            );
            for text in [rule.title, rule.means, rule.action] {
                assert!(!text.trim().is_empty(), "{code}");
            }
            assert!(!rule.title.ends_with('.') && rule.means.ends_with('.'), "{code}");
            assert_eq!(Code::named(&rule.code.to_lowercase()), Some(code));
        }
        assert!(Code::KZ101 < Code::KZ102, "by their numbers");
        assert_eq!(Code::named("KZ999"), None);
    }
}
