use super::*;

#[test]
fn expressions_mean_what_they_mean_in_go() {
    for (expression, text, matches) in [
        (r"^\Qa.b\E$", "a.b", true),
        (r"^\Qa.b\E$", "axb", false),
        (r"^\Qa.b", "a.b", true),
        ("^a{$", "a{", true),
        ("^a{,2}$", "a{,2}", true),
        ("^a{2}$", "aa", true),
        ("^a{02}$", "a{02}", true),
        ("^ab{2}$", "abb", true),
        ("^[^]a]$", "]", false),
        ("^[[a]$", "[", true),
        ("^[a&&b]+$", "a&b", true),
        ("^[a-]$", "-", true),
        (r"^[\w-]+$", "a-b", true),
        (r"^\d$", "\u{0663}", false),
        (r"^[\w]$", "é", false),
        (r"^[^\D]$", "7", true),
        ("^[[:alpha:]]$", "q", true),
        ("^[[:^alpha:]]$", "q", false),
        ("^(?i)A(?P<x>b)$", "aB", true),
        ("^((?i)a)b$", "AB", false),
        ("^(?i-i)a(?)$", "A", false),
        ("^(?P<n>a)(?P<n>b)?(?P<1>c)$", "ac", true),
        (r"^\p{Greek}\pL\P{Lu}\p{^Latin}$", "αba1", true),
        (r"^\141\x62\x{63}\_$", "abc_", true),
        (r"^a\b", "aé", true),
        ("^(|a)b$", "b", true),
        ("^((a{10}){10}){10}$", "a", false),
    ] {
        assert_eq!(go_regex(expression).unwrap().is_match(text), matches, "{expression}");
    }
}

#[test]
fn what_go_refuses_is_refused_in_its_words() {
    for (expression, words) in [
        ("a**", "invalid nested repetition operator: `**`"),
        ("a{1}{2}", "invalid nested repetition operator: `{1}{2}`"),
        ("a{1}??", "invalid nested repetition operator: `{1}??`"),
        ("(*)", "missing argument to repetition operator: `*`"),
        ("a|+?", "missing argument to repetition operator: `+?`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("a{2,1}", "invalid repeat count: `{2,1}`"),
        ("((a{100}){10}){2}", "invalid repeat count: `{2}`"),
        ("(?x)a", "invalid or unsupported Perl syntax: `(?x`"),
        ("a(?=b)", "invalid or unsupported Perl syntax: `(?=`"),
        ("(?-)", "invalid or unsupported Perl syntax: `(?-)`"),
        ("(?P<>a)", "invalid named capture: `(?P<>`"),
        ("(", "missing closing ): `(`"),
        ("a)", "unexpected ): `a)`"),
        ("x[a", "missing closing ]: `[a`"),
        ("[c-a]", "invalid character class range: `c-a`"),
        ("[[:foo:]]", "invalid character class range: `[:foo:]`"),
        (r"\p{Letter}", r"invalid character class range: `\p{Letter}`"),
        (r"\p{Grek}", r"invalid character class range: `\p{Grek}`"),
        (r"\Z", r"invalid escape sequence: `\Z`"),
        (r"\1", r"invalid escape sequence: `\1`"),
        (r"a\", "trailing backslash at end of expression: ``"),
    ] {
        let error = go_regex(expression).unwrap_err();
        assert_eq!(error.to_string(), format!("error parsing regexp: {words}"), "{expression}");
    }
}
