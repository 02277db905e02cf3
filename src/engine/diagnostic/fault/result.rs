//! Results that a function reports besides resources (C.5).

use std::fmt;

use crate::resource::ResId;

/// The severity of a result, from the worst to the least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResultSeverity {
    /// `error`, also if no severity is given.
    #[default]
    Error,
    Warning,
    Info,
}

impl ResultSeverity {
    /// The word for the severity in a `ResourceList`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }

    /// The severity with this word in a `ResourceList`.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Error, Self::Warning, Self::Info].into_iter().find(|s| s.word() == word)
    }
}

/// The resource that a result is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceRef {
    pub api_version: String,
    pub kind: String,
    pub name: String,
    pub namespace: String,
}

impl ResourceRef {
    /// True for the id of the resource; an empty namespace matches every one.
    pub fn matches(&self, id: &ResId) -> bool {
        *id.gvk.kind == *self.kind
            && *id.name == *self.name
            && (self.namespace.is_empty() || *id.namespace == *self.namespace)
    }
}

/// One entry of `results`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionResult {
    pub message: String,
    pub severity: ResultSeverity,
    pub resource: Option<ResourceRef>,
    /// The field, as the function wrote it (`spec.replicas`).
    pub field: Option<String>,
    /// The field's value, as JSON.
    pub current: Option<String>,
    /// The value that the function proposes, as JSON.
    pub proposed: Option<String>,
    /// The file, and the index of the document.
    pub file: Option<(String, u64)>,
    pub tags: Vec<(String, String)>,
}

impl FunctionResult {
    /// The tags in one line: `category=security, owner=platform`.
    pub fn tags_text(&self) -> String {
        let tags = self.tags.iter().map(|(key, value)| format!("{key}={value}"));
        tags.collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for FunctionResult {
    /// Writes the result in one line, as in
    /// `[error] apps/v1/Deployment/prod/web spec.replicas: too few (deploy.yaml:0), 1 → 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", self.severity.word())?;
        if let Some(resource) = &self.resource {
            let parts =
                [&resource.api_version, &resource.kind, &resource.namespace, &resource.name];
            let parts: Vec<&str> =
                parts.into_iter().filter(|part| !part.is_empty()).map(|part| &**part).collect();
            write!(f, " {}", parts.join("/"))?;
        }
        if let Some(field) = &self.field {
            write!(f, " {field}")?;
        }
        let separator = if self.resource.is_some() || self.field.is_some() { ":" } else { "" };
        write!(f, "{separator} {}", self.message.trim_end())?;
        if let Some((path, index)) = &self.file {
            write!(f, " ({path}:{index})")?;
        }
        match (&self.current, &self.proposed) {
            (Some(current), Some(proposed)) => write!(f, ", {current} → {proposed}")?,
            (None, Some(proposed)) => write!(f, ", proposed: {proposed}")?,
            (Some(current), None) => write!(f, ", is: {current}")?,
            (None, None) => {}
        }
        if self.tags.is_empty() { Ok(()) } else { write!(f, " [{}]", self.tags_text()) }
    }
}
