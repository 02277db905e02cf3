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
    /// `key in (a, b)`: the values.
    In(Vec<String>),
    /// `key notin (a, b)`: the values.
    NotIn(Vec<String>),
    /// `key > 1`: the limit.
    Greater(i64),
    /// `key < 1`: the limit.
    Less(i64),
}

impl LabelSelector {
    /// Parses `k`, `!k`, `k=v`, `k==v`, `k!=v`, `k in (a,b)`, `k notin (a)`, `k>1`, `k<1`, joined
    /// by commas.
    ///
    /// # Errors
    /// The error in Kubernetes' words, mostly `unable to parse requirement: …`.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        let mut parser = LabelParser { tokens: tokens(text), at: 0 };
        parser.selector().map(Self).map_err(SelectorError::Labels)
    }

    /// True if it has no requirements.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if all requirements hold; `value` returns the value of a label by its key.
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
    // Kubernetes accepts no other blanks.
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

struct LabelParser<'a> {
    tokens: Vec<&'a str>,
    at: usize,
}

fn is_identifier(token: &str) -> bool {
    token.chars().next().is_some_and(|c| !"=!(),><".contains(c))
}

impl<'a> LabelParser<'a> {
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
                let expected = "!, identifier, or 'end of string'";
                return Err(unexpected(token, expected));
            }
            let requirement = self.parse_requirement();
            out.push(requirement.map_err(|it| format!("unable to parse requirement: {it}"))?);
            match self.next() {
                "" => return Ok(out),
                "," => {
                    let token = self.peek();
                    if token != "!" && !is_identifier(token) {
                        return Err(unexpected(token, "identifier after ','"));
                    }
                }
                token => return Err(unexpected(token, "',' or 'end of string'")),
            }
        }
    }

    fn parse_requirement(&mut self) -> Result<Requirement, String> {
        let missing = self.peek() == "!";
        if missing {
            self.next();
        }
        let key = self.next();
        if !is_identifier(key) {
            return Err(unexpected(key, "identifier"));
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
                return Err(unexpected(other, "'=', '!=', '==', 'in', notin'"));
            }
        };
        let number = |values: &[String]| {
            let number = values[0].parse::<i64>();
            number.map_err(|_| "for 'Gt', 'Lt' operators, the value must be an integer".to_owned())
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
            Err(unexpected(token, "identifier"))
        }
    }

    fn list(&mut self) -> Result<Vec<String>, String> {
        let token = self.next();
        if token != "(" {
            return Err(format!("found '{token}' expected: '('"));
        }
        if !is_identifier(self.peek()) && !matches!(self.peek(), "," | ")") {
            return Err(unexpected(self.peek(), "',', ')' or identifier"));
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
                _ => return Err(unexpected(token, "',' or ')'")),
            }
        }
    }
}

/// True for a valid label value, or name part of a label key.
fn is_name(text: &str) -> bool {
    let ends = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    ends(text.chars().next())
        && ends(text.chars().next_back())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

/// True for a subdomain of RFC 1123: labels of lower-case letters, digits and inner hyphens, joined
/// by dots.
pub(crate) fn is_subdomain(text: &str) -> bool {
    let is_edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    text.split('.').all(|part| {
        is_edge(part.chars().next())
            && is_edge(part.chars().next_back())
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    })
}

const NAME_RULE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const PREFIX_RULE: &str = "prefix part a DNS-1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const VALUE_RULE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

fn unexpected(found: &str, expected: &str) -> String {
    format!("found '{found}', expected: {expected}")
}

fn validate_key(key: &str) -> Result<(), String> {
    let (prefix, name) = match key.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    let rule = match prefix {
        Some("") => "prefix part must be non-empty".to_owned(),
        Some(prefix) if prefix.len() > 253 || !is_subdomain(prefix) => PREFIX_RULE.to_owned(),
        _ if name.len() > 63 => "name part must be no more than 63 characters".to_owned(),
        _ if !is_name(name) => format!("name part {NAME_RULE}"),
        _ => return Ok(()),
    };
    Err(format!("invalid label key {key:?}: {rule}"))
}

fn validate_value(key: &str, value: &str) -> Result<(), String> {
    let rule = match value {
        "" => return Ok(()),
        _ if value.len() > 63 => "must be no more than 63 characters",
        _ if !is_name(value) => VALUE_RULE,
        _ => return Ok(()),
    };
    Err(format!("invalid label value: {value:?}: at key: {key:?}: {rule}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches_label_k1(selector: &str) -> bool {
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
            assert!(matches_label_k1(yes), "{yes}");
        }
        for no in ["!k", "k=", "k in ()", "k notin (1)", "k=1,z", "in in (in)", "z>0", "k=1,k="] {
            assert!(!matches_label_k1(no), "{no}");
        }
    }
}
