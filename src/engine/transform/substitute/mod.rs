//! Variables that Flux substitutes in the objects after the build (`postBuild.substitute`).

mod expand;

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::{DeployedRemark, Diagnostic, Hint, VarFault};
use crate::load::{edit_distance_within, nearest_name};
use crate::profile::Switch;
use crate::resource::{ResMap, Resource};
use crate::yaml::{
    AmbiguousBoolean, Limits, MappingEntry, Mark, Node, SourceId, Style, Value, convert_to_v1_1,
    parse_config, parse_documents, print_output,
};

use super::{Context, TransformError, TransformResult, Transformer};
use expand::expand;
pub use expand::variable_names;

/// The label or annotation that excludes an object.
const SUBSTITUTE_KEY: &str = "kustomize.toolkit.fluxcd.io/substitute";

/// Expands shell expressions in the text of every object.
#[derive(Clone, Debug)]
pub struct SubstituteVariables {
    /// Name, value, and mark of the value.
    variables: Vec<(String, String, Mark)>,
    /// Expressions with these variables are kept as written.
    unknown: UnknownVariables,
}

/// Variables with values that are not known here.
#[derive(Clone, Debug, Default)]
pub struct UnknownVariables {
    /// The known names of these variables, such as the keys of an encrypted
    /// Secret.
    pub names: BTreeSet<String>,
    /// True if the names are not complete, so that any other name without a value may be one of
    /// these variables.
    pub has_others: bool,
    /// True if the names may be incomplete, so that a name without a value and without a default
    /// may be one of these variables.
    pub may_have_others: bool,
}

impl UnknownVariables {
    /// True if no variable has an unknown value, so that every name without a value is unset.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && !self.has_others && !self.may_have_others
    }

    fn contains(&self, name: &str) -> bool {
        self.has_others || self.names.contains(name)
    }
}

/// The length from which a variable's name is compared with others.
const MIN_SIMILAR_NAME: usize = 4;

#[derive(Default)]
struct SubstitutionNotes {
    /// Names that may be variables with values that are not known here.
    unknown: IndexSet<String>,
    /// Names without a value and without a default; true for those that occur outside of shell
    /// scripts.
    unset: IndexMap<String, bool>,
    /// The ids of the objects with such a name.
    unset_objects: Vec<String>,
    /// The location of the first expression with such a name.
    first_unset: Option<Mark>,
    /// True if the first object with such a name has expressions of other variables.
    has_others: bool,
    warnings: Vec<Diagnostic>,
}

fn failed_at(place: Mark, fault: VarFault) -> TransformError {
    let hint = format!("the annotation '{SUBSTITUTE_KEY}: disabled' leaves the object unchanged");
    TransformError::fault(fault, place).with_hint(hint)
}

impl SubstituteVariables {
    /// Creates the transformer with these variables.
    ///
    /// # Errors
    /// A name is invalid.
    pub fn new(
        variables: Vec<(String, String, Mark)>,
        unknown: UnknownVariables,
    ) -> Result<Self, TransformError> {
        for (name, _, mark) in &variables {
            let first = name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
            if !first || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                return Err(TransformError::fault(VarFault::BadName(name.clone()), *mark));
            }
        }
        Ok(Self { variables, unknown })
    }

    fn variable(&self, name: &str) -> Option<&(String, String, Mark)> {
        self.variables.iter().find(|(known, ..)| known == name)
    }

    /// The value of a variable; empty if it is not set. `None` if it is not known.
    fn value(&self, name: &str, has_default: bool) -> Option<String> {
        match self.variable(name) {
            Some((_, value, _)) => Some(value.clone()),
            None if self.unknown.contains(name) => None,
            None => (has_default || !self.unknown.may_have_others).then(String::new),
        }
    }

    fn is_set_or_unknown(&self, name: &str) -> bool {
        self.variable(name).is_some() || self.unknown.contains(name)
    }

    /// The variable with a similar name, or the only one that has all words of the name. Of a short
    /// name, most others are similar.
    fn near(&self, name: &str) -> Option<String> {
        if name.len() < MIN_SIMILAR_NAME {
            return None;
        }
        let names = || {
            let known = self.variables.iter().map(|(known, ..)| known.as_str());
            known.chain(self.unknown.names.iter().map(String::as_str))
        };
        let with_words = || names().filter(|known| has_words(known, name));
        let only = with_words().next().filter(|_| with_words().count() == 1);
        nearest_name(name, names()).or(only).map(str::to_owned)
    }

    fn substituted(
        &self,
        resource: &Resource,
        (mark, is_lenient): (Mark, bool),
        notes: &mut SubstitutionNotes,
    ) -> Result<Option<Node>, TransformError> {
        let failed = |fault: VarFault| failed_at(mark, fault);
        let id = || resource.id.to_string();
        let text = print_output(&resource.node);
        let text = text.map_err(|error| failed(VarFault::Unprintable(id(), error)))?;
        let unescaped = text.replace("$${", "");
        let is_unknown = |name: &&str| self.variable(name).is_none() && self.unknown.contains(name);
        let unknown: IndexSet<&str> =
            variable_names(&unescaped).into_iter().filter(is_unknown).collect();
        notes.unknown.extend(unknown.iter().map(|name| (*name).to_owned()));
        let mut without_value = IndexSet::new();
        let mut value = |name: &str, has_default: bool| {
            if !has_default && !self.is_set_or_unknown(name) {
                without_value.insert(name.to_owned());
            }
            self.value(name, has_default)
        };
        let new = expand(&text, &mut value).map_err(|error| {
            let mut known = |name: &str, has_default| self.value(name, has_default);
            let mut is_bad = |text: &str| expand(text, &mut known).is_err();
            let place = find_text(&resource.node, &mut is_bad).unwrap_or(mark);
            let name = name_with_spaces(&unescaped);
            let name =
                name.map(|name| format!("a name has no spaces: did you mean `${{{name}}}`?"));
            let names = variable_names(&unescaped);
            let is_used = names.iter().any(|name| self.variable(name).is_some());
            let correct = "correct the expression, or escape it as `$${…}`";
            failed_at(place, VarFault::BadExpression(id(), error.to_string()))
                .with_hint_if(name.map(Hint::from).or(is_used.then_some(correct.into())))
        })?;
        if self.unknown.may_have_others {
            notes.unknown.extend(std::mem::take(&mut without_value));
        }
        self.note_unset(without_value, resource, is_lenient, notes);
        if new == text {
            return Ok(None);
        }
        let file = match parse_documents(new.as_bytes(), SourceId::NONE, Limits::default()) {
            Ok(file) => file,
            // The text may be valid with the values that are not known here.
            Err(_) if !unknown.is_empty() => {
                let names = unknown.into_iter().map(str::to_owned).collect();
                let remark = DeployedRemark::NotSubstituted { object: id(), names };
                notes.warnings.push(Diagnostic::new(remark, mark));
                let mut node = resource.node.clone();
                self.expand_fields(&mut node, mark);
                return Ok(Some(node));
            }
            Err(error) => return Err(failed(VarFault::BrokenBySubstitution(id(), error))),
        };
        let Some(document) = file.documents.into_iter().next() else { return Ok(None) };
        let mut node = document.node;
        add_boolean_warnings(&mut node, &new, (&id(), mark), &mut notes.warnings);
        self.restore_marks(&resource.node, &mut node, mark);
        Ok(Some(node))
    }

    /// Notes the variables of a resource that are not set, in lenient mode but for those of comments.
    fn note_unset(
        &self,
        mut unset: IndexSet<String>,
        resource: &Resource,
        is_lenient: bool,
        notes: &mut SubstitutionNotes,
    ) {
        if is_lenient {
            unset.retain(|name| !is_only_in_comments(&resource.node, name));
        }
        let Some(first) = unset.first() else { return };
        if notes.unset.is_empty() {
            let text = print_output(&resource.node).unwrap_or_default().replace("$${", "");
            notes.has_others = variable_names(&text).iter().any(|it| self.is_set_or_unknown(it));
        }
        notes.unset_objects.push(resource.id.to_string());
        let place = || find_text(&resource.node, &mut |text| uses_variable(text, first));
        notes.first_unset = notes.first_unset.or_else(place);
        for name in &unset {
            let is_outside = !is_only_in_scripts(&resource.node, name);
            *notes.unset.entry(name.clone()).or_default() |= is_outside;
        }
    }

    /// The remedy for variables that are not set. In strict mode it is about the first one, at which
    /// Flux fails, and names the others.
    fn unset_hint(&self, names: &[String], is_strict: bool, notes: &SubstitutionNotes) -> Hint {
        let meant = if is_strict { &names[..names.len().min(1)] } else { names };
        let may_disable = !notes.has_others;
        let is_in_script = |name: &String| notes.unset.get(name) == Some(&false);
        let near = || meant.iter().find_map(|name| Some((name, self.near(name)?)));
        let others = |one: &String| -> Vec<String> {
            names.iter().filter(|name| *name != one).cloned().collect()
        };
        if may_disable && meant.iter().all(is_in_script) {
            KEEP_SCRIPT.into()
        } else if let Some((name, near)) = near() {
            other_variable_hint(name, &near, &others(name))
        } else if let ([name], false) = (names, is_strict)
            && name.chars().all(|c| c.is_ascii_digit())
        {
            format!("escape it as `$${{{name}}}`, so that Flux keeps it").into()
        } else {
            let others = names.first().filter(|_| is_strict).map(others).unwrap_or_default();
            set_variables_hint(&others, may_disable)
        }
    }

    /// Expands the text of each field separately; a text with an expression that ends in another
    /// field stays as written.
    fn expand_fields(&self, node: &mut Node, mark: Mark) {
        let mut value = |name: &str, has_default| self.value(name, has_default);
        node.for_each_mut(&mut |node| {
            if let Some(scalar) = node.as_scalar()
                && let Ok(text) = expand(&scalar.text, &mut value)
                && *text != *scalar.text
            {
                let mark = self.mark_of(&scalar.text, mark);
                let is_plain = scalar.style == Style::Plain;
                *node = if is_plain { Node::plain(text) } else { Node::string(text) };
                node.mark_all(mark);
            }
        });
    }

    /// The location of the first variable in a text, with the step as writer.
    fn mark_of(&self, text: &str, step: Mark) -> Mark {
        let names = variable_names(text);
        let variable = names.iter().find_map(|name| self.variable(name));
        variable.map_or(step, |(_, _, at)| Mark { writer: step.writer, ..*at })
    }

    /// Restores the marks of unchanged values, and gives substituted values the marks of their
    /// variables.
    fn restore_marks(&self, old: &Node, new: &mut Node, mark: Mark) {
        match (&old.value, &new.value) {
            (Value::Mapping(_), Value::Mapping(_)) => {
                let entries = new.as_mapping_mut().map(|mapping| &mut mapping.entries);
                for entry in entries.into_iter().flatten() {
                    let key = entry.key.text();
                    if let Some(known) = old.entries().iter().find(|it| it.key.text() == key) {
                        entry.key = known.key.clone();
                        self.restore_marks(&known.value, &mut entry.value, mark);
                    } else {
                        // Kubernetes' YAML reads numbers and booleans as keys of strings.
                        if let Some(text) = key.map(str::to_owned) {
                            entry.key = Node::string(text);
                        }
                        entry.key.mark_all(mark);
                        entry.value.mark_all(mark);
                    }
                }
                new.mark = old.mark;
            }
            (Value::Sequence(..), Value::Sequence(..)) => {
                let items = old.items().unwrap_or_default();
                for (index, item) in new.items_mut().into_iter().flatten().enumerate() {
                    match items.get(index) {
                        Some(known) => self.restore_marks(known, item, mark),
                        None => item.mark_all(mark),
                    }
                }
                new.mark = old.mark;
            }
            _ if old.text() == new.text() && old.text().is_some() => *new = old.clone(),
            _ => new.mark_all(self.mark_of(old.text().unwrap_or_default(), mark)),
        }
    }
}

/// A text with its variables replaced; `None` if a variable is not known, or an expression is not
/// valid.
pub fn expand_known(text: &str, variables: &[(String, String, Mark)]) -> Option<String> {
    let mut value = |name: &str, _: bool| {
        variables.iter().find(|(known, ..)| known == name).map(|(_, value, _)| value.clone())
    };
    expand(text, &mut value).ok().filter(|expanded| !expanded.contains("${"))
}

/// Converts the words that Flux reads as booleans in the text of a substituted resource, with
/// warnings.
fn add_boolean_warnings(
    node: &mut Node,
    text: &str,
    (id, mark): (&str, Mark),
    warnings: &mut Vec<Diagnostic>,
) {
    let read_again = parse_config(text.as_bytes(), SourceId::NONE, Limits::default());
    let Ok(Some(read_again)) = read_again else { return };
    let words = convert_to_v1_1(node, &read_again);
    warnings.extend(words.into_iter().map(|AmbiguousBoolean { word, value }| {
        let (resource, reader) = (id.to_owned(), "Flux");
        let remark = DeployedRemark::BecomesBoolean { word, value, resource, reader };
        Diagnostic::new(remark, mark)
    }));
}

/// Words that names of variables have without a meaning of their own.
const GENERAL_WORDS: [&str; 6] = ["SECRET", "CONFIG", "SETTING", "SETTINGS", "CLUSTER", "GLOBAL"];

/// True if the longer one of two names has all words of the shorter one, general words left out. A
/// single word counts only as the wanted name.
fn has_words(known: &str, wanted: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        let words = name.split('_').filter(|word| !GENERAL_WORDS.contains(word));
        words.map(str::to_owned).collect()
    };
    let (known, wanted) = (words(known), words(wanted));
    let (few, many) =
        if wanted.len() <= known.len() { (&wanted, &known) } else { (&known, &wanted) };
    let has = |word: &String| {
        let limit = word.len() / MIN_SIMILAR_NAME;
        many.iter().any(|other| edit_distance_within(word, other, limit).is_some())
    };
    !few.is_empty() && (few.len() > 1 || *few == wanted) && few.iter().all(has)
}

/// The first name of a variable that has spaces in the braces, without them.
fn name_with_spaces(text: &str) -> Option<String> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices("${").find_map(|(at, sign)| {
        let (inside, _) = text.get(at + sign.len()..)?.split_once('}')?;
        let name: String = inside.split_whitespace().collect();
        let is_it = name.len() < inside.len() && !name.is_empty() && name.chars().all(is_of_name);
        is_it.then_some(name)
    })
}

/// True if some resource has the name. A variable of a shell script to which no object gives a value
/// is empty without the substitution as well.
fn is_named(resources: &ResMap, name: &str) -> bool {
    resources
        .iter()
        .any(|(_, resource)| print_output(&resource.node).is_ok_and(|text| text.contains(name)))
}

/// True if all expressions of a variable are in texts that a shell runs.
fn is_only_in_scripts(node: &Node, name: &str) -> bool {
    let mut is_other = |text: &str| uses_variable(text, name) && !text.starts_with("#!");
    find_text(node, &mut is_other).is_none()
}

fn uses_variable(text: &str, name: &str) -> bool {
    variable_names(&text.replace("$${", "")).contains(&name)
}

/// True if a variable occurs only in comments of the scripts and settings in an object: their text
/// has no effect. In Markdown, the sign begins a heading.
fn is_only_in_comments(node: &Node, name: &str) -> bool {
    let is_comment = |line: &str| line.trim_start().starts_with("# ") || line.starts_with("#!");
    if let Some(text) = node.text() {
        let mut lines = text.lines().filter(|line| uses_variable(line, name));
        return !uses_variable(text, name) || text.contains('\n') && lines.all(is_comment);
    }
    node.items().unwrap_or_default().iter().all(|item| is_only_in_comments(item, name))
        && node.entries().iter().all(|MappingEntry { key, value }| {
            let key = key.text().unwrap_or_default();
            let is_markdown = key.rsplit_once('.').is_some_and(|(_, ending)| ending == "md");
            let text = value.text().filter(|_| is_markdown).unwrap_or_default();
            !uses_variable(key, name)
                && !uses_variable(text, name)
                && is_only_in_comments(value, name)
        })
}

/// The location of the first key or value that is wanted; in a block scalar, of the line.
fn find_text(node: &Node, is_wanted: &mut dyn FnMut(&str) -> bool) -> Option<Mark> {
    if node.as_scalar().is_none() {
        let keys = node.entries().iter().map(|entry| Some(&entry.key));
        let mut children = keys.chain(std::iter::repeat(None)).zip(node.children());
        return children.find_map(|(key, child)| {
            let key = key.filter(|key| key.text().is_some_and(&mut *is_wanted));
            key.map(|key| key.mark).or_else(|| find_text(child, is_wanted))
        });
    }
    let scalar = node.as_scalar().filter(|it| is_wanted(&it.text) && node.mark.line > 0)?;
    if scalar.style != Style::Literal {
        return Some(node.mark);
    }
    // The lines of a block scalar are those below its mark, and columns do not count its
    // indentation. The mark of a generated value is the beginning of its file.
    let above = u32::from(node.mark.column > 1);
    let (index, line) = scalar.text.lines().enumerate().find(|(_, line)| is_wanted(line))?;
    let mut starts = line.match_indices("${").map(|(at, _)| at);
    let start = starts.find(|at| {
        let end = line[*at..].find('}').map_or(line.len(), |end| at + end + 1);
        is_wanted(&line[*at..end])
    });
    let start = start.unwrap_or_default();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let column = number(line[..start].chars().count() + 1);
    Some(Mark { line: node.mark.line + above + number(index), column, ..node.mark })
}

impl Transformer for SubstituteVariables {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        let mut notes = SubstitutionNotes::default();
        let is_lenient = !cx.profile.has(Switch::StrictSubstitution);
        let is_failed = |notes: &SubstitutionNotes| !is_lenient && !notes.unset.is_empty();
        for slot in resources.slots() {
            let Some(resource) = resources.get(slot).cloned() else { continue };
            let is_off = |text: Option<&str>| text == Some("disabled");
            let label = resource.node.text_at(&["metadata", "labels", SUBSTITUTE_KEY]);
            if is_off(resource.annotation(SUBSTITUTE_KEY)) || is_off(label) {
                continue;
            }
            let node = match self.substituted(&resource, (cx.mark, is_lenient), &mut notes) {
                Ok(node) => node,
                Err(_) if is_failed(&notes) => continue,
                Err(error) => return Err(error),
            };
            let Some(node) = node.filter(|_| !is_failed(&notes)) else { continue };
            cx.matched += 1;
            resources.update(slot, |resource| resource.node = node);
        }
        cx.warnings.append(&mut notes.warnings);
        let mut unset: Vec<String> = notes.unset.keys().cloned().collect();
        let mark = notes.first_unset.unwrap_or(cx.mark);
        if is_failed(&notes)
            && let (Some(object), Some(name)) =
                (notes.unset_objects.first().cloned(), unset.first())
        {
            // The release may be assumed: the help names the other behaviour.
            let before = Hint::from("Flux before 2.9 writes an empty string");
            let hint = Hint::All(vec![self.unset_hint(&unset, true, &notes), before]);
            let fault = VarFault::Unset(object, name.clone());
            return Err(TransformError::fault(fault, mark).with_hint(hint));
        }
        if !notes.unknown.is_empty() {
            let remark = DeployedRemark::UnknownVariables(notes.unknown.drain(..).collect());
            cx.warnings.push(Diagnostic::new(remark, cx.mark));
        }
        unset.retain(|name| notes.unset.get(name) == Some(&true) || is_named(resources, name));
        if !unset.is_empty() {
            let more = notes.unset_objects.len().saturating_sub(1);
            let hint = self.unset_hint(&unset, false, &notes);
            let remark = DeployedRemark::UnsetVariables { names: unset, more };
            cx.warnings.push(Diagnostic::new(remark, mark).hint(hint));
        }
        Ok(())
    }
}

const KEEP_SCRIPT: &str = "the text is a script, whose expressions the shell expands: annotate its object with kustomize.toolkit.fluxcd.io/substitute: disabled (in a generator: `options.annotations`)";

/// The remedy for a variable that is not set if one with a similar name is set.
fn other_variable_hint(name: &str, near: &str, others: &[String]) -> Hint {
    format!(
        "`{near}` is set, `{name}` is not: did you mean `${{{near}}}`? Otherwise set `{name}` in `postBuild`, write a default as in `${{{name}:=}}`, or escape it as `$${{{name}}}`{}",
        also_not_set(others)
    )
    .into()
}

/// The remedy for variables that are not set; `may_disable` if the object has no further expressions.
fn set_variables_hint(others: &[String], may_disable: bool) -> Hint {
    let escape = if may_disable {
        "escape it as `$${name}`, or annotate the object with kustomize.toolkit.fluxcd.io/substitute: disabled"
    } else {
        "or escape it as `$${name}`"
    };
    let others = also_not_set(others);
    format!(
        "set the variable in `postBuild`, write a default as in `${{name:=}}`, {escape}{others}"
    )
    .into()
}

/// The variables that are not set besides the one of the message; empty without any.
fn also_not_set(others: &[String]) -> String {
    match others {
        [] => String::new(),
        [one] => format!("; {one} is not set either"),
        _ => format!("; {} are not set either", others.join(", ")),
    }
}
