//! A deployment object as the targets that contain it deploy it.

use std::collections::BTreeSet;

use crate::diagnostic::{DeployedRemark, Diagnostic, LayerFault};
use crate::load::clean;
use crate::manifest::DeploymentObject;
use crate::transform::TransformError;

use super::super::deployments::{location_of, renumbered};
use super::argument::ObjectSelector;
use super::find::{DeployedForm, SourceSearch};
use super::refused::{cycle_remark, name_one, own_folder_hint};
use super::repeated_objects::built_fields;

struct Form {
    parent: String,
    object: DeploymentObject,
    printed: String,
}

fn are_same(forms: &[Form]) -> bool {
    forms.windows(2).all(|pair| matches!(pair, [one, other] if one.printed == other.printed))
}

impl SourceSearch<'_> {
    /// The object as this parent deploys it: several objects if the parent adds it several times with
    /// different names. Of an `ApplicationSet` its known Applications.
    pub(super) fn forms_of_parent(
        &mut self,
        object: &DeploymentObject,
        parent: &str,
    ) -> Vec<DeploymentObject> {
        let (name, parent) = (Some(object.name.clone()), Some(parent.to_owned()));
        let selector = ObjectSelector { name, parent };
        if object.is_set() {
            return self.applications(object, &selector).map_or(Vec::new(), |it| it.known);
        }
        let forms = self.forms(object, &selector, &mut Vec::new());
        let (mut forms, _) = forms.unwrap_or_default();
        let names: BTreeSet<&str> = forms.iter().map(|form| form.object.name.as_str()).collect();
        // Objects with one name cannot be selected.
        let is_selectable = names.len() == forms.len();
        if are_same(&forms) {
            forms.truncate(1);
        } else if !is_selectable {
            forms.clear();
        }
        forms.into_iter().map(|form| form.object).collect()
    }

    /// True if a target deploys an object with the name that the user gives, which is not the name
    /// in its file.
    pub(super) fn is_deployed_as(
        &mut self,
        raw: &DeploymentObject,
        selector: &ObjectSelector,
    ) -> bool {
        let mut forms = || self.forms(raw, selector, &mut Vec::new());
        !raw.is_set() && forms().is_ok_and(|(forms, _)| !forms.is_empty())
    }

    /// The object with the changes by the targets that deploy it.
    pub(super) fn resolve_deployed_form(
        &mut self,
        raw: &DeploymentObject,
        selector: &ObjectSelector,
        remarks: &mut Vec<Diagnostic>,
    ) -> Result<DeployedForm, TransformError> {
        let (all, kept_variables) = self.forms(raw, selector, remarks)?;
        if !are_same(&all) {
            return Err(self.several_forms(raw, &all));
        }
        let parents = all.iter().map(|form| form.parent.clone()).collect();
        let Some(form) = all.into_iter().next() else {
            return Ok((raw.clone(), Vec::new(), BTreeSet::new()));
        };
        Ok((form.object, parents, kept_variables))
    }

    /// The object in the outputs of the targets that deploy it, or of the one that the user names;
    /// with a name that is not in the file, the objects with that name. Also returns the variables
    /// that are not known in these outputs.
    fn forms(
        &mut self,
        raw: &DeploymentObject,
        selector: &ObjectSelector,
        remarks: &mut Vec<Diagnostic>,
    ) -> Result<(Vec<Form>, BTreeSet<String>), TransformError> {
        let enclosing = &self.request.ports.deployments;
        let is_enclosed = enclosing.has(&self.own);
        let (mut forms, mut kept_variables) = (Vec::new(), BTreeSet::new());
        let location = raw.node(&[]).and_then(|object| location_of(object, self.sources));
        let Some(location) = location else { return Ok((forms, kept_variables)) };
        for parent in self.index.parents_of(&self.file) {
            // A set may deploy itself by one of its elements.
            let name = self.index.name_in_file(parent);
            let is_own = name == self.own;
            if is_enclosed && is_own {
                continue;
            }
            if !is_own && self.index.ancestors_of(parent).contains(&self.own) {
                remarks.push(cycle_remark(&self.own, raw, parent)?);
                continue;
            }
            // A parent that needs the variables of this target is being built already: the object
            // is read from its file.
            if !is_own && enclosing.has(&name) {
                continue;
            }
            let output = self.output(parent);
            let children = output.children.iter().filter(|(other, _)| *other == location);
            let mut is_there = false;
            for (_, node) in children {
                is_there = true;
                let node = renumbered(node, &output.names, self.sources);
                let printed = built_fields(&node);
                let Some(object) = DeploymentObject::from_object(node) else { continue };
                kept_variables.extend(output.kept_variables.iter().cloned());
                forms.push(Form { parent: parent.clone(), object, printed });
            }
            if !is_there && let Some(problem) = &output.problem {
                let remark = DeployedRemark::ParentNotKnown(parent.clone(), problem.clone());
                remarks.push(Diagnostic::new(remark, raw.mark));
            }
        }
        if let Some(wanted) = &selector.parent {
            let from_here = self.index.shown(&clean(&self.request.current.join(wanted)));
            forms.retain(|form: &Form| form.parent == *wanted || form.parent == from_here);
        }
        // A set is selected by the name of one of its Applications.
        let is_set = raw.is_set();
        if let Some(name) = selector.name.as_ref().filter(|name| **name != raw.name && !is_set) {
            forms.retain(|form| form.object.name == *name);
        }
        Ok((forms, kept_variables))
    }

    fn several_forms(&self, raw: &DeploymentObject, forms: &[Form]) -> TransformError {
        let name_of = |form: &Form| {
            let is_alone = forms.iter().filter(|it| it.parent == form.parent).count() == 1;
            let name = if is_alone { &raw.name } else { &form.object.name };
            let file = self.own.strip_suffix(raw.name.as_str()).unwrap_or(&self.own);
            format!("{file}{name}@{}", form.parent)
        };
        let fault = LayerFault::SeveralParents(forms.len(), raw.title());
        let is_own = |form: &Form| self.index.name_in_file(&form.parent) == self.own;
        let hint = if forms.iter().any(is_own) {
            own_folder_hint(raw, &self.index.root, &*self.request.ports.files)
        } else {
            name_one(&forms.iter().map(name_of).collect::<Vec<_>>()).into()
        };
        TransformError::fault(fault, raw.mark).with_hint(hint)
    }
}
