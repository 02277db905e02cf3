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
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let mut depth = 0;
        let parts = text.split(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ',' && depth == 0
        });
        let requirements: Result<_, String> = parts.map(requirement).collect();
        let failed = |fault| SelectorError::Labels(format!("unable to parse requirement: {fault}"));
        requirements.map(Self).map_err(failed)
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

const OPERATORS: [&str; 7] = ["==", "=", "!=", ">", "<", "notin", "in"];

fn requirement(text: &str) -> Result<Requirement, String> {
    let text = text.trim();
    let is_missing = text.starts_with('!');
    let text = text.strip_prefix('!').unwrap_or(text).trim_start();
    let is_end = |c: char| "=!<>()".contains(c) || c.is_whitespace();
    let (key, rest) = text.split_at(text.find(is_end).unwrap_or(text.len()));
    validate_key(key)?;
    let rest = rest.trim_start();
    let operator = OPERATORS.into_iter().find(|it| !is_missing && rest.starts_with(it));
    let test = match operator {
        None if rest.is_empty() && is_missing => Test::Missing,
        None if rest.is_empty() => Test::Exists,
        None => return Err(format!("found '{rest}', expected: '=', '!=', '==', 'in', notin'")),
        Some(operator) => {
            let right = rest[operator.len()..].trim();
            let list = right.strip_prefix('(').and_then(|list| list.strip_suffix(')'));
            let values: Vec<String> = match (operator, list) {
                ("in" | "notin", Some(list)) => {
                    list.split(',').map(|value| value.trim().to_owned()).collect()
                }
                ("in" | "notin", None) => {
                    return Err(format!("found '{right}', expected: a list in brackets"));
                }
                _ => vec![right.to_owned()],
            };
            values.iter().try_for_each(|value| validate_value(key, value))?;
            let number = || {
                let number = right.parse::<i64>();
                number.map_err(|_| "for 'Gt', 'Lt' operators, the value must be an integer")
            };
            match operator {
                ">" => Test::Greater(number()?),
                "<" => Test::Less(number()?),
                "!=" | "notin" => Test::NotIn(values),
                _ => Test::In(values),
            }
        }
    };
    Ok(Requirement { key: key.to_owned(), test })
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
