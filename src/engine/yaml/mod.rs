//! The document model: reads YAML and JSON with any number of documents, and prints text as
//! Kustomize does.

mod allowance;
mod error;
mod from_json;
mod go_value;
mod json;
mod mapping;
mod node;
mod parse;
mod print;
mod scalar;
mod source_text;
mod tree;
mod unshared_bytes;
mod v3;
mod version_1_1;

pub use allowance::{Allowance, Excess};
pub use error::{MergeFault, YamlCause, YamlError};
pub use from_json::from_json;
pub use go_value::{
    go_float_text, go_string_style, json_number, made_string_style, new_string_style, reread_text,
    v1_1_reads_string,
};
pub use json::{to_json, to_json_pretty};
pub use mapping::push_entry;
pub use node::changed_items;
pub(crate) use parse::WrittenDocument;
pub use parse::{
    ParsedDocument, ParsedFile, TextCache, YamlDialect, mapping_with_merges_applied, merge_v3,
    parse_config, parse_documents, parse_documents_of, parse_embedded, parse_kubernetes,
    parse_nodes, parse_values,
};
pub use print::{
    append_document, check_document, print_documents, print_output, sort_entries,
    with_printed_texts,
};
pub use scalar::{ScalarType, resolve_v1_1, resolve_v3, v1_1_is_string};
pub use source_text::{MarkOffsets, quoted_length};
pub use tree::{
    Comments, Entries, Limits, Mapping, MappingEntry, Mark, Node, NodeKind, Scalar, SourceId,
    Style, Tag, Value, WriterId,
};
pub use v3::{print_flow, print_preserving_style};
pub use version_1_1::{AmbiguousBoolean, convert_to_v1_1};
