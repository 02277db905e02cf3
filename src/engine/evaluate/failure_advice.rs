//! The help and the fix for a failed build, found in the text of the file with the error.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{
    Code, Fault, FieldFault, Fix, GeneratorFault, Hint, IdDifference, JsonPatchFault, LayerFault,
    NodeShape, PatchFault, PatchMissed, ResourceFault, TextChange, VarFault,
};
use crate::load::{Files, LoadAdvice, SourceNumbers, nearest_name};
use crate::manifest::{ManifestError, ManifestFault, Outline};
use crate::resource::SelectorError;
use crate::yaml::{MappingEntry, MarkOffsets, NodeKind, ScalarType, parse_nodes, resolve_v1_1};

use super::generator_advice::referrals_hint;
use super::{ErrorCause, Step, StepError, StepOutcome};

pub(super) fn add_advice_to_error(
    error: Arc<StepError>,
    sources: &SourceNumbers,
    files: &dyn Files,
    steps: &mut [Step],
) -> Arc<StepError> {
    let Some(mut advised) = advised_error(&error, sources, files) else { return error };
    advised.hint = referrals_hint(&error, steps).or(advised.hint);
    replace_error(steps, &error, advised)
}

pub(super) fn replace_error(
    steps: &mut [Step],
    error: &Arc<StepError>,
    by: StepError,
) -> Arc<StepError> {
    let by = Arc::new(by);
    for step in steps {
        match &mut step.outcome {
            StepOutcome::Failed(own) if Arc::ptr_eq(own, error) => *own = by.clone(),
            _ => {}
        }
    }
    by
}

fn advised_error(
    error: &StepError,
    sources: &SourceNumbers,
    files: &dyn Files,
) -> Option<StepError> {
    let file = PathBuf::from(sources.path(error.mark.source)?);
    let bytes = files.read(&file).ok()?;
    let text = FailedText { file: &file, text: std::str::from_utf8(&bytes).ok()?, error, files };
    let mut out = error.clone();
    if let Some(advice) = text.made_kustomization_advice() {
        out.class = Some(Code::KZ029);
        out.hint = Some(advice.into());
        return Some(out);
    }
    if let Some(hint) = listed_placeholder_advice(&error.message, &file, files) {
        (out.class, out.hint) = (Some(Code::KZ012), Some(hint));
        return Some(out);
    }
    if let Some((class, hint, fix)) = text.advise_syntax_error() {
        out.class = Some(class).or(out.class);
        out.hint = out.hint.or(hint);
        out.fix = out.fix.or(fix);
    }
    let advice = text.advise_cause();
    // The fix belongs to the hint about a path that another advice replaces.
    let is_kept = advice.is_none() || error.code() != Code::KZ020;
    if let Some((hint, fix)) = advice {
        out.hint = replaced(out.hint, hint);
        out.fix = out.fix.or(fix);
    }
    if is_kept {
        out.fix = out.fix.or_else(|| text.fix_from_hint(error.hint.as_ref()?));
    }
    Some(out)
}

/// Replaces a hint by a better one. Of a list of hints the last one is kept as well, because it is
/// about the target.
fn replaced(before: Option<Hint>, better: Option<Hint>) -> Option<Hint> {
    match (before, better) {
        (Some(Hint::All(hints)), Some(better)) => {
            Some(Hint::All(std::iter::once(better).chain(hints.into_iter().last()).collect()))
        }
        (before, better) => better.or(before),
    }
}

pub(super) type Advice = (Option<Hint>, Option<Fix>);

pub(super) struct FailedText<'a> {
    pub(super) file: &'a Path,
    pub(super) text: &'a str,
    pub(super) error: &'a StepError,
    pub(super) files: &'a dyn Files,
}

pub(super) fn edit(changes: Vec<TextChange>, words: impl Into<String>) -> Fix {
    Fix::SetText { changes, words: words.into(), is_guess: false }
}

#[expect(clippy::unnecessary_wraps, reason = "each advice about a cause is an option")]
fn help(hint: impl Into<Hint>) -> Option<Advice> {
    Some((Some(hint.into()), None))
}

/// A part of an error message of the YAML parser, and how to correct the text.
const YAML_ADVICE: [(&str, &str); 9] = [
    (
        "mapping values are not allowed",
        "a text that contains `: ` needs quotes; if it is a key, put it into the column of the keys around it",
    ),
    (
        "did not find expected key",
        "the line does not continue the mapping above it: a list item and a key are mixed, or a key starts in another column",
    ),
    ("could not find expected ':'", "a key has no `: ` after it, in this line or the one above"),
    (
        "did not find expected '-' indicator",
        "the line does not continue the list above it: correct its indentation, and that of the lines that belong to it",
    ),
    ("cannot start any token", NEEDS_QUOTES),
    ("expected alphabetic or numeric character", NEEDS_QUOTES),
    ("unexpected end of stream", "a quote is not closed"),
    ("flow", NOT_CLOSED),
    ("',' or", NOT_CLOSED),
];
const NEEDS_QUOTES: &str =
    "a value that starts with `@`, `%`, `*`, `&` or a backquote needs quotes";
const NOT_CLOSED: &str = "a bracket or brace is not closed, or a comma is missing";

/// The number of lines below the mark in which a value is searched for.
const MAX_NEARBY_LINES: usize = 40;

impl FailedText<'_> {
    fn yaml_message(&self) -> Option<String> {
        match &self.error.cause {
            ErrorCause::Yaml(_, error)
            | ErrorCause::Manifest(ManifestError {
                fault: ManifestFault::Yaml { error, .. },
                ..
            }) => Some(error.cause.without_prefix()),
            ErrorCause::Fault(fault) if matches!(fault.innermost(), Fault::Yaml(_)) => {
                Some(self.error.message.clone())
            }
            _ => None,
        }
    }

    fn advise_syntax_error(&self) -> Option<(Code, Option<Hint>, Option<Fix>)> {
        let message = self.yaml_message()?;
        let lines: Vec<&str> = self.text.lines().collect();
        let number = |is_it: &dyn Fn(&str) -> bool| lines.iter().position(|line| is_it(line));
        let starts = |sign: &'static str| move |line: &str| line.starts_with(sign);
        if let (Some(first), Some(last)) = (number(&starts("<<<<<<<")), number(&starts(">>>>>>>")))
        {
            let text = format!(
                "lines {} to {} are an unfinished merge: keep one side, and remove the markers",
                first + 1,
                last + 1
            );
            return Some((Code::KZ011, Some(Hint::Change(text)), None));
        }
        let at = usize::try_from(self.error.mark.line).unwrap_or_default().saturating_sub(1);
        if let Some(hint) = placeholder_advice(self.text, at) {
            return Some((Code::KZ012, Some(hint), None));
        }
        let is_indented_by_tab = |line: &&str| {
            let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
            line[..blanks].contains('\t') && !line.trim().is_empty()
        };
        if lines.get(at).is_some_and(is_indented_by_tab)
            || lines.get(at.saturating_sub(1)).is_some_and(is_indented_by_tab)
        {
            let text = "YAML allows only spaces for indentation: replace each tab with two spaces";
            return Some((Code::KZ013, Some(text.into()), Some(self.replace_leading_tabs())));
        }
        let (_, text) = YAML_ADVICE.into_iter().find(|(part, _)| message.contains(part))?;
        Some((Code::KZ010, Some(text.into()), None))
    }

    fn replace_leading_tabs(&self) -> Fix {
        let mut changes = Vec::new();
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
            let was = &line[..blanks];
            if was.contains('\t') {
                changes.push(self.change(start, was, was.replace('\t', "  ")));
            }
            start += line.len();
        }
        edit(changes, "replace each leading tab by two spaces")
    }

    pub(super) fn change(&self, at: usize, was: &str, with: impl Into<String>) -> TextChange {
        let (file, was) = (self.file.to_owned(), was.to_owned());
        TextChange { file, at, was, with: with.into() }
    }

    fn offset(&self) -> Option<usize> {
        MarkOffsets::new(self.text).byte(self.error.mark)
    }

    pub(super) fn line_start(&self) -> usize {
        let line = usize::try_from(self.error.mark.line).unwrap_or_default().saturating_sub(1);
        self.text.split_inclusive('\n').take(line).map(str::len).sum()
    }

    pub(super) fn find_below(&self, text: &str) -> Option<usize> {
        let start = self.line_start();
        Some(start + self.text.get(start..)?.find(text)?)
    }

    fn replace_at_mark(&self, was: &str, with: &str) -> Option<Fix> {
        let at = self.offset()?;
        let rest = self.text.get(at..)?;
        let quoted = [format!("\"{was}\""), format!("'{was}'"), was.to_owned()];
        let was = quoted.iter().find(|form| rest.starts_with(form.as_str()))?;
        Some(edit(vec![self.change(at, was, with)], format!("write {with}")))
    }

    /// A fix that replaces the first occurrence of a word, near the mark, by a similar one.
    fn replace_nearby(&self, was: &str, with: &str) -> Option<Fix> {
        let changes = vec![self.nearby_change(was, with)?];
        Some(edit(changes, format!("write {with} in place of {was}")).as_guess())
    }

    fn nearby_change(&self, was: &str, with: &str) -> Option<TextChange> {
        let start = self.line_start();
        let rest = self.text.get(start..)?;
        let end = rest.split_inclusive('\n').take(MAX_NEARBY_LINES).map(str::len).sum();
        let part = rest.get(..end)?;
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let found = part.match_indices(was).find(|(at, _)| {
            let before = part[..*at].chars().next_back();
            let behind = part[at + was.len()..].chars().next();
            !before.is_some_and(is_word) && !behind.is_some_and(is_word)
        })?;
        Some(self.change(start + found.0, was, with))
    }

    fn advise_cause(&self) -> Option<Advice> {
        match &self.error.cause {
            ErrorCause::Manifest(error) => self.advise_manifest_error(error),
            ErrorCause::Selector(SelectorError::Regex(fault)) if fault.part.contains("(?:*") => {
                let hint = "a name is a regular expression: `.*` matches any";
                let fix = ["\"*\"", "'*'"].iter().find_map(|was| {
                    let change = self.change(self.find_below(was)?, was, "\".*\"");
                    Some(edit(vec![change], "write \".*\""))
                });
                Some((Some(hint.into()), fix))
            }
            ErrorCause::Selector(SelectorError::Regex(_)) if self.error.hint.is_none() => help(
                "names are regular expressions: correct this one, or write a backslash before a character that is meant literally",
            ),
            ErrorCause::Fault(fault) => self.advise_fault(fault.innermost()),
            ErrorCause::Load(_, error) if self.error.code() == Code::KZ021 => {
                help(self.linked_entry(error)?)
            }
            ErrorCause::Load(_, error) if self.error.code() == Code::KZ020 => {
                let near = self.unlisted_near_name(error);
                let is_near = matches!(error.hint(), Some(LoadAdvice::Near(_)));
                if is_near && near.is_none() {
                    return None;
                }
                if let Some((written, other)) = self.path_of_other_depth(error) {
                    let fix = self.replace_nearby(&written, &other);
                    return Some((Some(LoadAdvice::Near(other).into()), fix));
                }
                help(self.missing_entries_advice(error).or(near)?)
            }
            _ => None,
        }
    }

    fn advise_manifest_error(&self, error: &ManifestError) -> Option<Advice> {
        let at = self.offset()?;
        let line = self.text.get(at..)?.lines().next()?;
        match &error.fault {
            ManifestFault::WrongType { wrong, .. }
                if wrong.found == "object"
                    && wrong.field.as_deref().is_some_and(|it| it.ends_with(".literals")) =>
            {
                let (key, value) = line.split_once(':')?;
                let with = format!("{key}={}", value.trim().trim_matches(['"', '\'']));
                let hint = Hint::Change(format!("a literal is one string: write `{with}`"));
                Some((Some(hint), self.replace_at_mark(line.trim_end(), &with)))
            }
            ManifestFault::UnknownField { field, .. } if field == "apiVersion" => {
                let Some(Hint::Field(near)) = &self.error.hint else { return None };
                if near == "version" { self.split_api_version(at, line) } else { None }
            }
            ManifestFault::UnknownField { field, .. } => {
                let outline = Outline::parse(self.text.as_bytes());
                let (list, _) = outline.at(at)?;
                if list.name != "labels" || !line.starts_with(field.as_str()) {
                    return None;
                }
                let column = at - self.text[..at].rfind('\n').map_or(0, |end| end + 1);
                let with = format!("pairs:\n{}{}", " ".repeat(column + 2), line.trim_end());
                let hint = "an entry of `labels` has its labels under `pairs:`";
                let changes = vec![self.change(at, line.trim_end(), with)];
                Some((Some(hint.into()), Some(edit(changes, "write the label under `pairs`"))))
            }
            _ => None,
        }
    }

    /// The help and the fix for an `apiVersion` in a field spec or selector, which have `group` and
    /// `version`. `line` is the line from the byte `at` on.
    fn split_api_version(&self, at: usize, line: &str) -> Option<Advice> {
        let value = line.strip_prefix("apiVersion:")?.trim_start();
        let end = value.find([' ', ',', '}', '#']).unwrap_or(value.len());
        let was = line.get(..line.len() - value.len() + end)?;
        let value = value.get(..end)?.trim_matches(['"', '\'']);
        let before = self.text.get(..at)?;
        let before = before.get(before.rfind('\n').map_or(0, |end| end + 1)..)?;
        let is_block = before.chars().all(|c| c == ' ' || c == '-');
        let (group, version) = value.rsplit_once('/').unwrap_or(("", value));
        let mut parts = vec![format!("version: {version}")];
        if !group.is_empty() {
            parts.insert(0, format!("group: {group}"));
        }
        let between = format!("\n{}", " ".repeat(before.len()));
        let with = parts.join(if is_block { &between } else { ", " });
        let words = format!("write {} in place of apiVersion", parts.join(" and "));
        let hint = Hint::Change(words.clone());
        let changes = vec![self.change(at, was, with)];
        Some((Some(hint), Some(edit(changes, words))))
    }

    fn advise_fault(&self, fault: &Fault) -> Option<Advice> {
        match fault {
            Fault::Layer(LayerFault::Component(_)) => {
                Some((None, Some(Fix::MoveToList("components"))))
            }
            Fault::Layer(LayerFault::KustomizationForComponent(_)) => {
                Some((None, Some(Fix::MoveToList("resources"))))
            }
            Fault::Layer(LayerFault::NoKustomization(directory)) => {
                self.new_kustomization(Path::new(directory))
            }
            Fault::NotAResource(_) if self.lists(self.file) => {
                help("the file lists itself: remove that entry")
            }
            Fault::Patch(PatchFault::NoTarget { id, .. }) => {
                let Some(Hint::PatchMissed(missed)) = &self.error.hint else { return None };
                let (was, _) = id.rsplit_once('/')?.1.rsplit_once('.')?;
                Some((None, self.fix_missed_patch(was, missed)))
            }
            Fault::Field(FieldFault::WrongKind { expected: NodeKind::Sequence, found }) => {
                found.as_mapping()?;
                let hint =
                    "write a list: put `- ` before the first key, and the other keys below it";
                Some((Some(hint.into()), self.wrap_in_list()))
            }
            Fault::JsonPatch(JsonPatchFault::NoSuchPlace { op, path, .. }) => self
                .advise_slash_in_key(path)
                .or_else(|| self.advise_missing_list(path).filter(|_| op == "add")),
            Fault::JsonPatch(JsonPatchFault::TestFailed(_)) => help(
                "the resource has another value at this step: correct `value`, or remove the patch if it is outdated",
            ),
            Fault::Generator(GeneratorFault::NothingToMerge(id)) => {
                let Some(Hint::DidYouMean(near)) = &self.error.hint else { return None };
                let (name, _) = id.rsplit_once('/')?.1.rsplit_once('.')?;
                Some((None, self.replace_nearby(name, near)))
            }
            Fault::Var(VarFault::NoResource(_)) => help(
                "no resource of the build has this kind and name: correct `objref`, or add the resource",
            ),
            Fault::Resource(ResourceFault::NoReplicas { name, .. }) => {
                let Some(Hint::DidYouMean(near)) = &self.error.hint else { return None };
                Some((None, self.replace_nearby(name, near)))
            }
            _ if self.error.hint.is_none() => help(fault.remedy()?),
            _ => None,
        }
    }

    /// A fix that changes the name, API version or namespace in a patch to those of the resource
    /// that the patch probably means. `was` is the name in the patch.
    fn fix_missed_patch(&self, was: &str, missed: &PatchMissed) -> Option<Fix> {
        let (PatchMissed::SameKindAndName { name, other, .. }
        | PatchMissed::SimilarName { name, other }) = missed
        else {
            return None;
        };
        let mut all = Vec::new();
        let mut words = Vec::new();
        if name != was {
            all.extend(self.nearby_change(was, name));
            words.push(format!("name: {name}"));
        }
        for part in other {
            match part {
                IdDifference::ApiVersion { resource, patch } => {
                    all.push(self.nearby_change(patch, resource)?);
                    words.push(format!("apiVersion: {resource}"));
                }
                IdDifference::Namespace { resource, patch } if patch.is_empty() => {
                    all.push(self.insert_namespace(was, resource)?);
                    words.push(format!("namespace: {resource}"));
                }
                IdDifference::Namespace { resource, patch } if !resource.is_empty() => {
                    all.push(self.nearby_change(patch, resource)?);
                    words.push(format!("namespace: {resource}"));
                }
                IdDifference::Namespace { .. } => return None,
            }
        }
        let words = format!("write {}", words.join(", "));
        (!all.is_empty()).then_some(Fix::SetText { changes: all, words, is_guess: true })
    }

    fn insert_namespace(&self, name: &str, namespace: &str) -> Option<TextChange> {
        let key = format!("name: {name}");
        let at = self.find_below(&key)?;
        let line = self.text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        let before = self.text.get(line..at)?;
        let with = if before.trim().is_empty() {
            format!("{key}\n{before}namespace: {namespace}")
        } else {
            format!("{key}, namespace: {namespace}")
        };
        Some(self.change(at, &key, with))
    }

    fn wrap_in_list(&self) -> Option<Fix> {
        let at = self.offset()?;
        let start = self.text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        let indent = at - start;
        if !self.text.get(start..at)?.trim().is_empty() {
            return None;
        }
        let rest = self.text.get(start..)?.split_inclusive('\n');
        let is_inside = |line: &&str| {
            line.trim().is_empty() || line.len() - line.trim_start_matches(' ').len() >= indent
        };
        let was: String = rest.take_while(is_inside).collect();
        let with: String = was
            .split_inclusive('\n')
            .enumerate()
            .map(|(number, line)| match number {
                0 => format!("{}- {}", &line[..indent], &line[indent..]),
                _ if line.trim().is_empty() => line.to_owned(),
                _ => format!("  {line}"),
            })
            .collect();
        let changes = vec![self.change(start, &was, with)];
        Some(edit(changes, "write the value as an item of a list"))
    }

    /// A fix that quotes every value that is not a text, in a mapping that may contain only texts
    /// (`commonLabels`, `commonAnnotations`).
    fn quote_map_values(&self) -> Option<Fix> {
        let nodes = parse_nodes(self.text.as_bytes()).ok()?;
        let root = nodes.first()?;
        let (at, offsets) = (self.offset()?, MarkOffsets::new(self.text));
        let maps = ["commonLabels", "commonAnnotations"].into_iter();
        let is_here = |entry: &MappingEntry| offsets.byte(entry.value.mark) == Some(at);
        let found =
            maps.filter_map(|key| root.get(key)).find(|it| it.entries().iter().any(is_here))?;
        let changes = found.entries().iter().filter_map(|entry| {
            let scalar = entry.value.as_scalar()?;
            let is_text = resolve_v1_1(&scalar.text) == ScalarType::Str;
            let at = offsets.byte(entry.value.mark)?;
            let is_plain = self.text.get(at..)?.starts_with(&*scalar.text);
            (is_plain && !is_text)
                .then(|| self.change(at, &scalar.text, format!("\"{}\"", scalar.text)))
        });
        Some(edit(changes.collect(), "quote the values that are not strings"))
    }

    fn write_path_keys(&self) -> Option<Fix> {
        let nodes = parse_nodes(self.text.as_bytes()).ok()?;
        let offsets = MarkOffsets::new(self.text);
        let items = nodes.first()?.get("patches")?.items()?.iter();
        let changes: Vec<TextChange> = items
            .filter_map(|item| {
                let name = &*item.as_scalar()?.text;
                let at = offsets.byte(item.mark)?;
                let is_plain = !name.contains('\n') && self.text.get(at..)?.starts_with(name);
                is_plain.then(|| self.change(at, name, format!("path: {name}")))
            })
            .collect();
        let words = format!("write path: before the {} file names", changes.len());
        (changes.len() > 1).then(|| edit(changes, words))
    }

    fn fix_from_hint(&self, hint: &Hint) -> Option<Fix> {
        match hint {
            Hint::Field(near) => {
                let ErrorCause::Manifest(error) = &self.error.cause else { return None };
                let ManifestFault::UnknownField { field, .. } = &error.fault else { return None };
                Some(self.replace_at_mark(field, near)?.as_guess())
            }
            Hint::Quote(text) | Hint::Boolean(text) => self
                .quote_map_values()
                .or_else(|| self.replace_at_mark(text, &format!("\"{text}\""))),
            Hint::PathEntry(path) => self
                .write_path_keys()
                .or_else(|| self.replace_at_mark(path, &format!("path: {path}"))),
            Hint::List(text) => {
                let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
                let list = format!("[{text}]");
                self.replace_at_mark(text, &list).filter(|_| text.chars().all(is_plain))
            }
            Hint::ApiVersion(version) => {
                let rest = self.text.get(self.offset()?..)?;
                let end = rest.find([' ', '\n', '\r', '#', ',', '}']).unwrap_or(rest.len());
                self.replace_at_mark(rest[..end].trim_matches(['"', '\'']), version)
            }
            Hint::Load(LoadAdvice::Near(near)) => {
                let ErrorCause::Load(_, error) = &self.error.cause else { return None };
                self.replace_nearby(&error.missing()?.file_name()?.to_string_lossy(), near)
            }
            Hint::NothingSelected(narrowing) => {
                let [change] = narrowing.change.as_slice() else { return None };
                self.replace_nearby(&change.was, change.with.as_deref()?)
            }
            Hint::PathEnd(end) => {
                let (place, segment) = (&end.place, &end.segment);
                match &end.there {
                    NodeShape::Keys(keys) => {
                        let near = nearest_name(segment, keys.iter().map(String::as_str))?;
                        self.replace_nearby(
                            &format!("{place}/{segment}"),
                            &format!("{place}/{near}"),
                        )
                    }
                    NodeShape::Elements(_) | NodeShape::Scalar => None,
                }
            }
            _ => None,
        }
    }
}

/// The help for a YAML error at a placeholder in or beside a line of a text, counted from 0.
fn placeholder_advice(text: &str, at: usize) -> Option<Hint> {
    let is_placeholder = |line: &str| line.contains("{{") && !line.trim_start().starts_with('#');
    let mut near = text.lines().enumerate().filter(|(line, _)| line.abs_diff(at) <= 1);
    near.find(|(_, text)| is_placeholder(text))
        .map(|(line, _)| placeholder_hint(&format!("line {}", line + 1)))
}

fn placeholder_hint(line: &str) -> Hint {
    Hint::Change(format!(
        "{line} has a placeholder of a template, which Kustomize does not replace: render the file \
         first, or list a chart under `helmCharts`"
    ))
}

/// The help for an error about the file of an entry of a kustomization, if a line of the file begins
/// with a placeholder. The parser counts the lines of one document only.
fn listed_placeholder_advice(
    message: &str,
    kustomization: &Path,
    files: &dyn Files,
) -> Option<Hint> {
    let of_patch = message.split_once("[path: \"").and_then(|(_, rest)| rest.split_once("\"]"));
    let (name, _) = of_patch.or_else(|| message.split_once(": yaml: "))?;
    let bytes = files.read(&kustomization.parent()?.join(name)).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let line = text.lines().position(|line| line.trim_start().starts_with("{{"))?;
    Some(placeholder_hint(&format!("line {} of {name}", line + 1)))
}
