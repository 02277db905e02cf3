//! The reasons why Kubernetes rejects a text as a label selector.

/// A fault in a label selector, in Kubernetes' words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelFault {
    #[error("found '{found}', expected: {expected}")]
    Unexpected { found: String, expected: &'static str },
    /// `in` and `notin` are not followed by a list: the token found.
    #[error("found '{0}' expected: '('")]
    NoList(String),
    /// The operand of `>` or `<` is not an integer.
    #[error("for 'Gt', 'Lt' operators, the value must be an integer")]
    NoInteger,
    #[error("invalid label key {key:?}: {}", join_faults(wrong))]
    Key { key: String, wrong: Vec<NameFault> },
    #[error("invalid label value: {value:?}: at key: {key:?}: {}", join_faults(wrong))]
    Value { key: String, value: String, wrong: Vec<NameFault> },
    /// The cause within one of the requirements.
    #[error("unable to parse requirement: {0}")]
    Requirement(Box<LabelFault>),
}

impl LabelFault {
    pub(super) fn unexpected(found: &str, expected: &'static str) -> Self {
        Self::Unexpected { found: found.to_owned(), expected }
    }
}

/// A fault in the key or value of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    #[error("prefix part must be non-empty")]
    EmptyPrefix,
    #[error("prefix part must be no more than 253 characters")]
    LongPrefix,
    #[error(
        "prefix part a DNS-1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
    )]
    Prefix,
    /// More than one slash.
    #[error(
        "a qualified name {} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
        NAME_RULE
    )]
    Slashes,
    #[error("name part must be non-empty")]
    EmptyName,
    #[error("name part must be no more than 63 characters")]
    LongName,
    #[error("name part {}", NAME_RULE)]
    Name,
    #[error("must be no more than 63 characters")]
    LongValue,
    #[error(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
    )]
    Value,
}

const NAME_RULE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

fn join_faults(wrong: &[NameFault]) -> String {
    wrong.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
