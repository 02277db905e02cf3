//! Kubernetes label selector syntax with Kubernetes' validation and messages.

use super::SelectorError;

/// A parsed label selector: all requirements must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelector(Vec<Requirement>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    test: Test,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    Exists,
    Missing,
    In(Vec<String>),
    NotIn(Vec<String>),
    Greater(i64),
    Less(i64),
}

impl LabelSelector {
    /// Parses `k`, `!k`, `k=v`, `k==v`, `k!=v`, `k in (a,b)`, `k notin (a)`, `k>1`, `k<1`, joined by commas.
    ///
    /// # Errors
    /// In Kubernetes' words, `unable to parse requirement: …` mostly.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        let mut parser = Parser { tokens: tokens(text), at: 0 };
        parser.selector().map(Self).map_err(SelectorError)
    }

    /// True when it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True when every requirement holds for the values that `value` finds.
    pub fn matches<'a>(&self, value: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.0.iter().all(|requirement| {
            let value = value(&requirement.key);
            let number = || value.and_then(|text| text.parse::<i64>().ok());
            match &requirement.test {
                Test::Exists => value.is_some(),
                Test::Missing => value.is_none(),
                Test::In(values) => value.is_some_and(|value| values.iter().any(|v| v == value)),
                Test::NotIn(values) => value.is_none_or(|value| values.iter().all(|v| v != value)),
                Test::Greater(than) => number().is_some_and(|number| number > *than),
                Test::Less(than) => number().is_some_and(|number| number < *than),
            }
        })
    }
}

const SYMBOLS: [&str; 8] = ["==", "!=", "=", "!", "(", ")", ",", ">"];

fn tokens(text: &str) -> Vec<&str> {
    // Kubernetes knows no other blanks.
    let is_blank = |c: char| " \t\r\n".contains(c);
    let is_symbol = |c: char| "=!(),><".contains(c);
    let mut rest = text.trim_start_matches(is_blank);
    let mut out = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = if is_symbol(first) {
            SYMBOLS
                .iter()
                .find(|symbol| rest.starts_with(**symbol))
                .map_or(1, |symbol| symbol.len())
        } else {
            rest.find(|c: char| is_symbol(c) || is_blank(c)).unwrap_or(rest.len())
        };
        let (token, tail) = rest.split_at(length);
        out.push(token);
        rest = tail.trim_start_matches(is_blank);
    }
    out
}

struct Parser<'a> {
    tokens: Vec<&'a str>,
    at: usize,
}

fn is_identifier(token: &str) -> bool {
    token.chars().next().is_some_and(|c| !"=!(),><".contains(c))
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a str {
        self.tokens.get(self.at).copied().unwrap_or_default()
    }

    fn next(&mut self) -> &'a str {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn selector(&mut self) -> Result<Vec<Requirement>, String> {
        let mut out = Vec::new();
        loop {
            let token = self.peek();
            if token.is_empty() {
                return Ok(out);
            }
            if token != "!" && !is_identifier(token) {
                return Err(format!(
                    "found '{token}', expected: !, identifier, or 'end of string'"
                ));
            }
            let requirement =
                self.requirement().map_err(|e| format!("unable to parse requirement: {e}"))?;
            out.push(requirement);
            match self.next() {
                "" => return Ok(out),
                "," => {
                    let token = self.peek();
                    if token != "!" && !is_identifier(token) {
                        return Err(format!("found '{token}', expected: identifier after ','"));
                    }
                }
                token => return Err(format!("found '{token}', expected: ',' or 'end of string'")),
            }
        }
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        let missing = self.peek() == "!";
        if missing {
            self.next();
        }
        let key = self.next();
        if !is_identifier(key) {
            return Err(format!("found '{key}', expected: identifier"));
        }
        validate_key(key)?;
        let test = match self.peek() {
            _ if missing => Test::Missing,
            "" | "," => Test::Exists,
            _ => self.test(key)?,
        };
        Ok(Requirement { key: key.to_owned(), test })
    }

    fn test(&mut self, key: &str) -> Result<Test, String> {
        let operator = self.next();
        let values = match operator {
            "in" | "notin" => self.list()?,
            "=" | "==" | "!=" | ">" | "<" => vec![self.value()?],
            other => {
                return Err(format!("found '{other}', expected: '=', '!=', '==', 'in', notin'"));
            }
        };
        let number = |values: &[String]| {
            values[0]
                .parse::<i64>()
                .map_err(|_| "for 'Gt', 'Lt' operators, the value must be an integer".to_owned())
        };
        let test = match operator {
            ">" => Test::Greater(number(&values)?),
            "<" => Test::Less(number(&values)?),
            "!=" | "notin" => Test::NotIn(values.clone()),
            _ => Test::In(values.clone()),
        };
        values.iter().try_for_each(|value| validate_value(key, value))?;
        Ok(test)
    }

    fn value(&mut self) -> Result<String, String> {
        let token = self.peek();
        if token.is_empty() || token == "," {
            return Ok(String::new());
        }
        self.next();
        if is_identifier(token) {
            Ok(token.to_owned())
        } else {
            Err(format!("found '{token}', expected: identifier"))
        }
    }

    fn list(&mut self) -> Result<Vec<String>, String> {
        let token = self.next();
        if token != "(" {
            return Err(format!("found '{token}' expected: '('"));
        }
        if !is_identifier(self.peek()) && !matches!(self.peek(), "," | ")") {
            return Err(format!("found '{}', expected: ',', ')' or identifier", self.peek()));
        }
        let mut values = vec![String::new()];
        loop {
            let token = self.next();
            match token {
                ")" => return Ok(values),
                "," => values.push(String::new()),
                _ if is_identifier(token) && values.last().is_some_and(String::is_empty) => {
                    values.pop();
                    values.push(token.to_owned());
                }
                _ => return Err(format!("found '{token}', expected: ',' or ')'")),
            }
        }
    }
}

const NAME_RULE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const PREFIX_RULE: &str = "a DNS-1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const VALUE_RULE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

fn is_name(text: &str) -> bool {
    let ends = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    ends(text.chars().next())
        && ends(text.chars().next_back())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

fn is_subdomain(text: &str) -> bool {
    let is_edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    text.split('.').all(|part| {
        is_edge(part.chars().next())
            && is_edge(part.chars().next_back())
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    })
}

fn validate_key(key: &str) -> Result<(), String> {
    let mut faults = Vec::new();
    let parts: Vec<&str> = key.split('/').collect();
    let name = match parts[..] {
        [name] => name,
        [prefix, name] => {
            if prefix.is_empty() {
                faults.push("prefix part must be non-empty".to_owned());
            } else {
                if prefix.len() > 253 {
                    faults.push("prefix part must be no more than 253 characters".to_owned());
                }
                if !is_subdomain(prefix) {
                    faults.push(format!("prefix part {PREFIX_RULE}"));
                }
            }
            name
        }
        _ => {
            let rule = format!(
                "a qualified name {NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            );
            return Err(format!("invalid label key {key:?}: {rule}"));
        }
    };
    if name.is_empty() {
        faults.push("name part must be non-empty".to_owned());
    } else if name.len() > 63 {
        faults.push("name part must be no more than 63 characters".to_owned());
    }
    if !is_name(name) {
        faults.push(format!("name part {NAME_RULE}"));
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(format!("invalid label key {key:?}: {}", faults.join("; ")))
    }
}

fn validate_value(key: &str, value: &str) -> Result<(), String> {
    let mut faults = Vec::new();
    if value.len() > 63 {
        faults.push("must be no more than 63 characters");
    }
    if !value.is_empty() && !is_name(value) {
        faults.push(VALUE_RULE);
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(format!("invalid label value: {value:?}: at key: {key:?}: {}", faults.join("; ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(selector: &str) -> bool {
        let value = |key: &str| (key == "k").then_some("1");
        LabelSelector::parse(selector).unwrap().matches(value)
    }

    #[test]
    fn requirements_hold_as_in_kubernetes() {
        for yes in [
            "k",
            "k = 1",
            "k==1",
            "k!=2",
            "k in (1,2)",
            "k in (1,)",
            "k>0",
            "k<2",
            "z!=1",
            " ",
            "z notin (1)",
            "k notin (2),!z",
            "",
        ] {
            assert!(holds(yes), "{yes}");
        }
        for no in ["!k", "k=", "k in ()", "k notin (1)", "k=1,z", "in in (in)", "z>0", "k=1,k="] {
            assert!(!holds(no), "{no}");
        }
    }

    #[test]
    fn errors_have_the_words_of_kubernetes() {
        for (selector, text) in [
            ("k in 1", "unable to parse requirement: found '1' expected: '('"),
            ("k in (1", "unable to parse requirement: found '', expected: ',' or ')'"),
            ("k in (1 2)", "unable to parse requirement: found '2', expected: ',' or ')'"),
            (
                "k x",
                "unable to parse requirement: found 'x', expected: '=', '!=', '==', 'in', notin'",
            ),
            ("=1", "found '=', expected: !, identifier, or 'end of string'"),
            ("k=1,", "found '', expected: identifier after ','"),
            ("!k=1", "found '=', expected: ',' or 'end of string'"),
            ("!", "unable to parse requirement: found '', expected: identifier"),
            ("k===1", "unable to parse requirement: found '=', expected: identifier"),
            ("k>=1", "unable to parse requirement: found '=', expected: identifier"),
            (
                "k>x",
                "unable to parse requirement: for 'Gt', 'Lt' operators, the value must be an integer",
            ),
            (
                "/b=1",
                "unable to parse requirement: invalid label key \"/b\": prefix part must be non-empty",
            ),
        ] {
            assert_eq!(LabelSelector::parse(selector).unwrap_err().0, text, "{selector}");
        }
        let error = LabelSelector::parse("a=foo/bar").unwrap_err().0;
        assert!(error.starts_with(
            "unable to parse requirement: invalid label value: \"foo/bar\": at key: \"a\": a valid label must"
        ));
    }
}
