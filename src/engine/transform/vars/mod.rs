//! `vars` (section 4.13).

mod unreplaced;

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::{Diagnostic, NameRemark, VarFault};
use crate::manifest::{FieldSpec, ObjRef, Var};
use crate::resource::{Gvk, ResId, ResMap, Scope, Slot, or};
use crate::yaml::{Mark, Node, Style, Tag, go_float_text};

use unreplaced::{placeholder_texts, remaining_placeholder_warnings, unreplaced_var_warning};

use super::field_walk::{
    FieldSpecPath, FieldWriter, PathsByType, Rewrite, compile, rewrite_fields,
};
use super::replacements::ReplacementPath;
use super::{Context, DerivedValue, TransformError, TransformResult, Transformer, ValueSource};

/// The vars of an accumulator by name, each with the resource from which its value is read.
#[derive(Clone, Debug, Default)]
pub struct VarSet {
    vars: IndexMap<String, RecordedVar>,
}

#[derive(Clone, Debug)]
struct RecordedVar {
    gvk: Gvk,
    field_path: String,
    slot: Option<Slot>,
    mark: Mark,
}

impl VarSet {
    /// True if no var is recorded.
    pub fn is_empty(&self) -> bool {
        self.vars.is_empty()
    }

    /// Records the vars of one kustomization after its transformers ran. A var that matches no
    /// resource is not an error yet.
    ///
    /// # Errors
    /// A var matches several resources, or its name is taken.
    pub fn record(&mut self, vars: &[(Var, Mark)], resources: &ResMap) -> TransformResult {
        let found_all = vars.iter().map(|(var, mark)| {
            let gvk = gvk_of(&var.objref);
            let found = find(&gvk, &var.objref, resources);
            if found.len() > 1 {
                let var = shown(&var.name, &gvk, &var.field_path);
                return Err(TransformError::fault(VarFault::Ambiguous(found.len(), var), *mark));
            }
            let field_path = or(&var.field_path, "metadata.name").to_owned();
            let slot = found.first().copied();
            Ok((&var.name, RecordedVar { gvk, field_path, slot, mark: *mark }))
        });
        let mut found_all = found_all.collect::<Result<Vec<_>, _>>()?.into_iter();
        found_all.try_for_each(|(name, recorded)| self.add(name, recorded))
    }

    /// Adds the vars of a finished base.
    ///
    /// # Errors
    /// A name is taken.
    pub fn merge(&mut self, other: Self) -> TransformResult {
        other.vars.into_iter().try_for_each(|(name, var)| self.add(&name, var))
    }

    fn add(&mut self, name: &str, var: RecordedVar) -> TransformResult {
        if self.vars.contains_key(name) {
            return Err(TransformError::fault(VarFault::Repeated(name.to_owned()), var.mark));
        }
        self.vars.insert(name.to_owned(), var);
        Ok(())
    }

    /// The values, in name order.
    fn values(&self, resources: &ResMap) -> Result<IndexMap<String, VarValue>, TransformError> {
        let mut names: Vec<&String> = self.vars.keys().collect();
        names.sort();
        let mut values = IndexMap::new();
        for name in names {
            let Some(var) = self.vars.get(name) else { continue };
            let Some(resource) = var.slot.and_then(|slot| resources.get(slot)) else {
                let fault = VarFault::NoResource(shown(name, &var.gvk, &var.field_path));
                return Err(TransformError::fault(fault, var.mark));
            };
            let path = ReplacementPath::of_var(&var.field_path);
            let Some(found) = path.get(&resource.node).ok().flatten() else {
                let fault = VarFault::NoField(shown(name, &var.gvk, &var.field_path));
                return Err(TransformError::fault(fault, var.mark));
            };
            values.insert(name.clone(), value_of(found));
        }
        Ok(values)
    }
}

/// The var as Go prints it in an error.
fn shown(name: &str, gvk: &Gvk, field_path: &str) -> String {
    format!("{{{name} {gvk} {{{field_path}}}}}")
}

fn gvk_of(objref: &ObjRef) -> Gvk {
    if objref.api_version.is_empty() {
        Gvk {
            group: objref.group.as_str().into(),
            version: objref.version.as_str().into(),
            kind: objref.kind.as_str().into(),
        }
    } else {
        Gvk::new(&objref.api_version, &objref.kind)
    }
}

fn find(gvk: &Gvk, objref: &ObjRef, resources: &ResMap) -> Vec<Slot> {
    // Kustomize: the id of an `objref` never counts as cluster-scoped, so that an `objref` with a
    // namespace matches no cluster-scoped resource.
    let want = ResId {
        gvk: gvk.clone(),
        name: objref.name.as_str().into(),
        namespace: objref.namespace.as_str().into(),
        scope: Scope::Namespaced,
    };
    if !want.namespace.is_empty() {
        return resources.find_any(&want);
    }
    let fits = |id: ResId| id.gvk == want.gvk && id.name == want.name;
    let is_it = |slot: &Slot| resources.get(*slot).is_some_and(|it| it.all_ids().any(fits));
    resources.find_any_name(&want.name).into_iter().filter(is_it).collect()
}

/// Replaces `$(NAME)` in the fields of the `varReference` table, at the root.
#[derive(Clone, Debug)]
pub struct ReplaceVars {
    vars: VarSet,
    paths: Vec<FieldSpecPath>,
}

impl ReplaceVars {
    /// Creates the transformer with all vars of the build and the `varReference` table.
    pub fn new(vars: VarSet, specs: Vec<FieldSpec>) -> Self {
        let specs = specs.into_iter().map(|spec| FieldSpec { create: false, ..spec });
        Self { vars, paths: compile(specs.collect()) }
    }
}

impl Transformer for ReplaceVars {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        let values = self.vars.values(resources)?;
        if values.is_empty() {
            return Ok(());
        }
        let mut setter = VarSetter {
            values: &values,
            vars: &self.vars,
            slot: Slot::default(),
            derived: Vec::new(),
            mark: cx.mark,
            used: IndexSet::new(),
            retyped: Vec::new(),
            refused: IndexSet::new(),
        };
        let mut selected = PathsByType::new(&self.paths);
        for slot in resources.slots() {
            let Some(resource) = resources.get(slot) else { continue };
            let chosen = selected.paths_for(&resource.id.gvk);
            setter.slot = slot;
            let used = setter.used.len();
            let mut write = |node: &Node| setter.rewrite(node);
            let mut writer = FieldWriter::of_existing(cx.mark, &mut write);
            if let Some(node) = rewrite_fields(resource, &chosen, &mut writer)?.node {
                resources.update(slot, |resource| resource.node = node);
            }
            cx.matched += usize::from(setter.used.len() > used);
        }
        let VarSetter { used, retyped, refused, derived, .. } = setter;
        cx.derived.extend(derived);
        for (name, mark) in &retyped {
            let warning = Diagnostic::new(NameRemark::VarRetypes(name.clone()), *mark);
            let hint = "an env value must be a string: use replacements, or add text around it";
            cx.warnings.push(warning.hint(hint));
        }
        let texts = placeholder_texts(resources);
        // In the order of the vars, which is also the order on standard error.
        for (name, var) in &self.vars.vars {
            if refused.contains(name) {
                let remark = NameRemark::VarCollection(name.clone());
                cx.warnings.push(Diagnostic::new(remark, var.mark));
            } else if !used.contains(name) {
                cx.warnings.push(unreplaced_var_warning(name, var.mark, &texts));
            }
        }
        let replaced = used.into_iter().filter(|name| !refused.contains(name)).collect();
        cx.warnings.extend(remaining_placeholder_warnings(&replaced, &texts));
        Ok(())
    }
}

struct VarSetter<'a> {
    values: &'a IndexMap<String, VarValue>,
    vars: &'a VarSet,
    slot: Slot,
    derived: Vec<DerivedValue>,
    mark: Mark,
    used: IndexSet<String>,
    /// Texts that consisted of one var alone and got another type than string.
    retyped: Vec<(String, Mark)>,
    refused: IndexSet<String>,
}

impl VarSetter<'_> {
    fn set_text(&mut self, node: &mut Node) {
        let at = node.mark;
        let Some(scalar) = node.as_scalar_mut() else { return };
        let is_block = matches!(scalar.style, Style::Literal | Style::Folded);
        if !scalar.text.contains('$') && scalar.tag == Tag::Str && !is_block {
            return;
        }
        let Expansion { text, tag, used, refused } = expand(&scalar.text, self.values);
        if tag != Tag::Str {
            self.retyped.extend(used.first().map(|name| (name.clone(), at)));
        }
        let field = |name: &String| {
            let var = self.vars.vars.get(name)?;
            Some(ValueSource::Field { slot: var.slot?, path: var.field_path.as_str().into() })
        };
        let inputs = used.iter().filter_map(field);
        let from: Vec<ValueSource> =
            std::iter::once(ValueSource::PreviousValue).chain(inputs).collect();
        self.used.extend(used);
        self.refused.extend(refused);
        // Kustomize: every visited text loses its quotes, whether or not it contains a var.
        scalar.style = Style::Plain;
        scalar.tagged = false;
        scalar.set_tag(tag);
        if *scalar.text != *text {
            scalar.text = text.into();
            node.mark = at.written_by(self.mark);
            let (slot, mark) = (Some(self.slot), node.mark);
            self.derived.push(DerivedValue { slot, key: None, mark, from });
        }
    }

    /// Replaces the placeholders in a text, or in the texts of a list or mapping.
    fn set_texts(&mut self, node: &mut Node) -> Result<(), TransformError> {
        if node.as_scalar().is_some() {
            if is_string(node) {
                self.set_text(node);
            }
            return Ok(());
        }
        let is_list = node.items().is_some();
        for child in node.children_mut() {
            if is_string(child) {
                self.set_text(child);
            } else if is_list {
                return Err(TransformError::fault(VarFault::NotAText, child.mark));
            }
        }
        Ok(())
    }

    fn rewrite(&mut self, node: &Node) -> Result<Rewrite, TransformError> {
        let mut new = node.clone();
        self.set_texts(&mut new)?;
        Ok(if new == *node { Rewrite::NO } else { Rewrite::written(new) })
    }
}

fn is_string(node: &Node) -> bool {
    node.as_scalar().is_some_and(|scalar| matches!(scalar.tag, Tag::Str | Tag::None))
}

/// The text of a var's value, and the tag of a field that consists of the var alone; `None` for a
/// mapping or a sequence, which cannot be pasted.
type VarValue = Option<(String, Tag)>;

#[derive(Clone, Debug, PartialEq)]
struct Expansion {
    text: String,
    tag: Tag,
    used: Vec<String>,
    /// The vars whose value cannot be part of a text.
    refused: Vec<String>,
}

fn value_of(node: &Node) -> VarValue {
    let scalar = node.as_scalar()?;
    let tag = match scalar.tag {
        Tag::Int | Tag::Float | Tag::Bool => scalar.tag.clone(),
        _ => Tag::Str,
    };
    // Kustomize pastes decoded values.
    let text = &*scalar.text;
    let text = match tag {
        Tag::Int => text.parse::<i64>().map_or_else(|_| text.to_owned(), |it| it.to_string()),
        Tag::Float => text.parse().map_or_else(|_| text.to_owned(), go_float_text),
        Tag::Bool => text.to_lowercase(),
        _ => text.to_owned(),
    };
    Some((text, tag))
}

/// Replaces known names; other text is kept, but `$$` becomes `$`.
fn expand(text: &str, values: &IndexMap<String, VarValue>) -> Expansion {
    let mut out = Expansion {
        text: String::with_capacity(text.len()),
        tag: Tag::Str,
        used: Vec::new(),
        refused: Vec::new(),
    };
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('$') {
            out.text.push('$');
            rest = after;
            continue;
        }
        let name = rest.strip_prefix('(').and_then(|inner| inner.split_once(')'));
        let Some((name, after)) = name else {
            out.text.push('$');
            continue;
        };
        rest = after;
        let value = values.get(name);
        if let Some(Some((value, tag))) = value {
            out.text.push_str(value);
            out.used.push(name.to_owned());
            if text.len() == name.len() + "$()".len() {
                out.tag = tag.clone();
            }
        } else {
            out.text.push_str(&format!("$({name})"));
            out.refused.extend(value.map(|_| name.to_owned()));
        }
    }
    out.text.push_str(rest);
    out
}
