//! Text to documents, with positions, comments and styles.

use super::{Limits, Node, SourceId};

/// Which rules resolve plain scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// go-yaml v3, for resources and strategic merge patches.
    V3,
    /// go-yaml v2 (YAML 1.1), for every kind of Kustomize configuration.
    V1_1,
}

/// One document of a resource file.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedDocument {
    /// Its root.
    pub node: Node,
    /// Its number in the file, from 0, counting the pieces that Kustomize cuts the file into.
    pub piece: usize,
}

/// A text that is not YAML, or goes beyond the limits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("yaml: line {line}: {reason}")]
pub struct YamlError {
    /// 1-based line in the file.
    pub line: u32,
    /// 1-based column.
    pub column: u32,
    /// What is wrong, in go-yaml's words where it has them.
    pub reason: String,
}

/// Reads a resource file: cut into pieces as Kustomize does, each decoded once with go-yaml v3's rules, aliases
/// expanded and merge keys applied (sections 3.1 and 3.7 of the build reference). Empty documents are dropped.
pub fn parse_documents(
    _text: &[u8],
    _source: SourceId,
    _limits: Limits,
) -> Result<Vec<ParsedDocument>, YamlError> {
    todo!()
}

/// Reads the first document of a configuration text with YAML 1.1 rules; `None` when it is empty.
/// Of duplicate keys only the last is kept; keys are turned into strings as `sigs.k8s.io/yaml` does.
pub fn parse_config(
    _text: &[u8],
    _source: SourceId,
    _limits: Limits,
) -> Result<Option<Node>, YamlError> {
    todo!()
}
