//! `ConfigMap` and `Secret` generators (section 4.10).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use indexmap::IndexMap;

use crate::diagnostic::{FailedOperation, GeneratorFault, PairSources};
use crate::load::Root;
use crate::manifest::{GeneratorArgs, GeneratorOptions, Marked, Pairs};
use crate::profile::{Profile, Switch};
use crate::resource::{Resource, Scopes};
use crate::yaml::{Mark, Node, Style, Tag};

use super::field_walk::new_scalar;
use super::{Context, Generator, TransformError, TransformResult};

/// Generates a `ConfigMap` or a Secret from literals, files and env files (Kustomize:
/// `ConfigMapGenerator`, `SecretGenerator`).
#[derive(Clone, Debug, Default)]
pub struct DataGenerator {
    pub args: GeneratorArgs,
    /// `generatorOptions` of the layer.
    pub options: GeneratorOptions,
    pub mark: Mark,
    pub is_secret: bool,
}

impl Generator for DataGenerator {
    fn generate(&self, root: &Root, cx: &mut Context<'_>) -> Result<Vec<Resource>, TransformError> {
        let mut maker = DataObjectBuilder { config: self, root, cx };
        let pairs = maker.pairs()?;
        let mut node = maker.object(if self.is_secret { "Secret" } else { "ConfigMap" });
        let (mut data, mut binary) = (Vec::new(), Vec::new());
        for DataPair { key, value, mark } in pairs {
            match String::from_utf8(value) {
                Ok(text) if !self.is_secret => data.push((key, text, mark)),
                Ok(text) => data.push((key, wrap_base64(text.as_bytes()), mark)),
                Err(error) => {
                    let list = if self.is_secret { &mut data } else { &mut binary };
                    list.push((key, wrap_base64(error.as_bytes()), mark));
                }
            }
        }
        if self.is_secret {
            let Marked { value: kind, mark } = &self.args.secret_type;
            let kind = if kind.is_empty() { "Opaque" } else { kind };
            let kind = new_scalar(kind, Tag::Str).marked(*mark);
            maker.set(&mut node, "type", kind);
        }
        for (field, entries) in [("data", data), ("binaryData", binary)] {
            if !entries.is_empty() || self.is_secret && field == "data" {
                maker.set(&mut node, field, maker.texts(entries));
            }
        }
        Ok(vec![maker.finish(node)])
    }
}

struct DataPair {
    key: String,
    value: Vec<u8>,
    mark: Mark,
}

struct DataObjectBuilder<'a, 'c> {
    config: &'a DataGenerator,
    root: &'a Root,
    cx: &'a mut Context<'c>,
}

impl DataObjectBuilder<'_, '_> {
    /// Reads the pairs of all sources: env files, then literals, then files.
    fn pairs(&mut self) -> Result<Vec<DataPair>, TransformError> {
        let mut pairs = Vec::new();
        let DataGenerator { args, is_secret, .. } = self.config;
        // The context of an error: the kind of source, with all entries of that kind.
        let around = |kind, entries: &[Marked<String>]| {
            let entries = entries.iter().map(|entry| entry.value.clone()).collect();
            FailedOperation::Pairs { kind, entries, is_secret: *is_secret }
        };
        for entry in &args.envs {
            let around = || around(PairSources::Envs, &args.envs);
            let (bytes, mark) = self.read(&entry.value, entry.mark, &around)?;
            read_env_file(&bytes, mark, &around, &mut pairs)?;
        }
        for entry in &args.literals {
            pairs.push(literal(entry, self.cx.profile).map_err(|fault| {
                let around = around(PairSources::Literals, &args.literals);
                TransformError::fault(fault, entry.mark).within(around)
            })?);
        }
        for entry in &args.files {
            let around = || around(PairSources::Files, &args.files);
            let (key, path) = file_source(&entry.value)
                .map_err(|fault| TransformError::fault(fault, entry.mark).within(around()))?;
            let (value, mark) = self.read(path, entry.mark, &around)?;
            pairs.push(DataPair { key: key.to_owned(), value: value.to_vec(), mark });
        }
        if args.name.value.is_empty() {
            return Err(TransformError::fault(GeneratorFault::NoName, self.config.mark));
        }
        let mut seen: IndexMap<&str, Mark> = IndexMap::new();
        for pair in &pairs {
            if let Some(first) = seen.insert(&pair.key, pair.mark) {
                let fault = GeneratorFault::RepeatedKey(args.name.value.clone(), pair.key.clone());
                let path = self.cx.sources.path(first.source);
                let other = path.filter(|_| first.source != pair.mark.source);
                let line = first.line;
                let place = other
                    .map_or_else(|| format!("on line {line}"), |file| format!("at {file}:{line}"));
                return Err(TransformError::fault(fault, pair.mark)
                    .with_hint(format!("the key is set first {place}")));
            }
        }
        // Kustomize does not set an empty key.
        pairs.retain(|pair| !pair.key.is_empty());
        Ok(pairs)
    }

    /// The bytes of a file and the location of its first line, without a column.
    fn read(
        &mut self,
        path: &str,
        mark: Mark,
        around: &dyn Fn() -> FailedOperation,
    ) -> Result<(std::sync::Arc<[u8]>, Mark), TransformError> {
        let loaded = self.root.load(path).map_err(|source| TransformError::Load {
            reading: around().to_string().into(),
            mark,
            source,
        })?;
        let source = self.cx.sources.intern(&loaded.path);
        Ok((loaded.bytes, Mark { source, line: 1, column: 0, ..Mark::default() }))
    }

    fn set(&self, node: &mut Node, key: &str, mut value: Node) {
        value.mark = value.mark.written_by(self.cx.mark);
        node.set(key, value);
    }

    fn object(&self, kind: &str) -> Node {
        let (args, mut metadata) = (&self.config.args, Node::mapping());
        for (key, text) in [("name", &args.name), ("namespace", &args.namespace)] {
            if key == "name" || !text.value.is_empty() {
                let text = new_scalar(&text.value, Tag::Str).marked(text.mark);
                self.set(&mut metadata, key, text);
            }
        }
        let mut node = Node::mapping().marked(self.cx.mark);
        self.set(&mut node, "apiVersion", Node::string("v1"));
        self.set(&mut node, "kind", Node::string(kind));
        self.set(&mut node, "metadata", metadata);
        node
    }

    fn texts(&self, mut entries: Vec<(String, String, Mark)>) -> Node {
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        let mut out = Node::mapping();
        for (key, text, mark) in entries {
            let value = if text.contains('\n') {
                Node::scalar(text, Tag::Str, Style::Literal)
            } else {
                new_scalar(&text, Tag::Str)
            };
            self.set(&mut out, &key, value.marked(mark));
        }
        out
    }

    /// The options of the entry over those of the layer.
    fn options(&self) -> GeneratorOptions {
        let own = self.config.args.options.clone().unwrap_or_default();
        let global = &self.config.options;
        let joined = |own: Pairs, global: &Pairs| {
            let mut all = global.clone();
            all.extend(own);
            all.sort_keys();
            all
        };
        let place = if own.immutable { own.immutable_mark } else { global.immutable_mark };
        GeneratorOptions {
            labels: joined(own.labels, &global.labels),
            annotations: joined(own.annotations, &global.annotations),
            disable_name_suffix_hash: own.disable_name_suffix_hash
                || global.disable_name_suffix_hash,
            immutable: own.immutable || global.immutable,
            immutable_mark: place,
        }
    }

    /// Sets labels, annotations and `immutable`, and the bookkeeping of a generated resource.
    fn finish(&self, mut node: Node) -> Resource {
        let options = self.options();
        for (field, texts) in [("labels", options.labels), ("annotations", options.annotations)] {
            let mut map = Node::mapping();
            for (key, text) in texts {
                // Kustomize always quotes the value, which is visible after a patch replaces it by
                // a number.
                let value = Node::scalar(text.value, Tag::Str, Style::SingleQuoted);
                self.set(&mut map, &key, value.marked(text.mark));
            }
            if let Some(metadata) = node.get_mut("metadata").filter(|_| !map.is_empty_collection())
            {
                self.set(metadata, field, map);
            }
        }
        if options.immutable {
            let value = Node::scalar("true", Tag::Bool, Style::Plain);
            self.set(&mut node, "immutable", value.marked(options.immutable_mark));
        }
        let mut resource = Resource::new(node, &Scopes::default());
        resource.behavior = self.config.args.behavior;
        resource.generated = true;
        resource.needs_hash |= !options.disable_name_suffix_hash;
        resource
    }
}

fn read_env_file(
    bytes: &[u8],
    mark: Mark,
    around: &dyn Fn() -> FailedOperation,
    pairs: &mut Vec<DataPair>,
) -> TransformResult {
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = std::str::from_utf8(line).map_err(|_| {
            TransformError::fault(GeneratorFault::NotUtf8(line.to_vec()), mark).within(around())
        })?;
        let marked = text.strip_prefix('\u{feff}').filter(|_| number == 0);
        let text = marked.unwrap_or(text);
        let text = text.trim_start();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let (key, value) = text.split_once('=').unwrap_or((text, ""));
        let line = mark.line.saturating_add(u32::try_from(number).unwrap_or(u32::MAX));
        let value = value.as_bytes().to_vec();
        pairs.push(DataPair { key: key.to_owned(), value, mark: Mark { line, ..mark } });
    }
    Ok(())
}

fn literal(entry: &Marked<String>, profile: Profile) -> Result<DataPair, GeneratorFault> {
    let text = &entry.value;
    let (key, value) = text
        .split_once('=')
        .filter(|(key, _)| !key.is_empty())
        .ok_or_else(|| GeneratorFault::BadLiteral(text.clone()))?;
    if matches!(value, "\"" | "'") && profile.has(Switch::LoneQuoteFails) {
        return Err(GeneratorFault::LoneQuote(text.clone()));
    }
    let quoted =
        |quote: char| value.strip_prefix(quote).and_then(|value| value.strip_suffix(quote));
    let value = quoted('"').or_else(|| quoted('\'')).unwrap_or(value);
    Ok(DataPair { key: key.to_owned(), value: value.as_bytes().to_vec(), mark: entry.mark })
}

/// The key and the path of `[key=]path`.
fn file_source(source: &str) -> Result<(&str, &str), GeneratorFault> {
    let source_text = || source.to_owned();
    match source.split_once('=') {
        None => Ok((base_name(source), source)),
        Some((_, path)) if path.contains('=') => Err(GeneratorFault::SeveralEquals(source_text())),
        Some(("", path)) => Err(GeneratorFault::NoKey(path.to_owned(), source_text())),
        Some((key, "")) => Err(GeneratorFault::NoPath(key.to_owned(), source_text())),
        Some(pair) => Ok(pair),
    }
}

fn base_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// The bytes as Base64; if longer than one line, in lines of 70 characters that each end with a
/// line break.
fn wrap_base64(bytes: &[u8]) -> String {
    const LINE_LENGTH: usize = 70;
    let text = STANDARD.encode(bytes);
    if text.len() < LINE_LENGTH {
        return text;
    }
    let lines = text.as_bytes().chunks(LINE_LENGTH).map(String::from_utf8_lossy);
    lines.flat_map(|line| [line, "\n".into()]).collect()
}
