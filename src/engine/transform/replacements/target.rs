//! Whom a replacement is for.

use crate::manifest::ReplacementTarget;
use crate::resource::{CompiledSelector, ResId, ResMap, Resource, Selector, Slot};
use crate::yaml::{Excess, Limits, Mark};

use super::path::FieldPath;
use super::{TransformError, default_path};

/// An entry of `targets`, its expressions compiled.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) config: ReplacementTarget,
    pub(super) select: Selector,
    pub(super) compiled: CompiledSelector,
    reject: Vec<(Selector, CompiledSelector)>,
    /// Each path with what was written for it.
    pub(super) paths: Vec<(String, FieldPath)>,
}

impl Target {
    pub(super) fn new(config: &ReplacementTarget, mark: Mark) -> Result<Self, TransformError> {
        let phrase = |text: String| TransformError::phrase(text, mark);
        let select = config
            .select
            .clone()
            .ok_or_else(|| phrase("target must specify resources to select".to_owned()))?;
        let compiled = select.compile()?;
        let reject: Option<Vec<&Selector>> = config.reject.iter().map(Option::as_ref).collect();
        // Kustomize panics.
        let reject = reject.ok_or_else(|| phrase("a selector in `reject` is null".to_owned()))?;
        let reject = reject
            .into_iter()
            .filter(|reject| !reject.is_empty())
            .map(|reject| Ok((reject.clone(), reject.compile()?)))
            .collect::<Result<_, TransformError>>()?;
        let texts = if config.field_paths.is_empty() {
            vec![default_path("").to_owned()]
        } else {
            config.field_paths.clone()
        };
        let paths = texts
            .into_iter()
            .map(|text| {
                let path = FieldPath::parse(&text);
                let deepest = Limits::default().depth;
                if path.depth() > deepest {
                    return Err(phrase(Excess::Depth(deepest).to_string()));
                }
                Ok((text, path))
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { config: config.clone(), select, compiled, reject, paths })
    }

    /// True when one of the paths is such.
    pub(super) fn leads_to(&self, is_such: impl Fn(&FieldPath) -> bool) -> bool {
        self.paths.iter().any(|(_, path)| is_such(path))
    }

    pub(super) fn candidates(&self, resources: &ResMap) -> Vec<Slot> {
        match self.compiled.name.exact() {
            Some(name) => resources.with_any_name(name),
            None => resources.slots(),
        }
    }

    /// Selected, and not rejected.
    pub(super) fn takes(&self, resource: &Resource) -> Result<bool, TransformError> {
        if !resource.all_ids().any(|id| id_fits(&self.compiled, &id))
            || !self.compiled.matches_labels(resource)?
        {
            return Ok(false);
        }
        for (selector, compiled) in &self.reject {
            let has_labels =
                !selector.label_selector.is_empty() || !selector.annotation_selector.is_empty();
            let id_only = Selector {
                label_selector: String::new(),
                annotation_selector: String::new(),
                ..selector.clone()
            };
            // Kustomize: a reject with both an id and labels rejects on either.
            if !id_only.is_empty() && resource.all_ids().any(|id| id_fits(compiled, &id))
                || has_labels && compiled.matches_labels(resource)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Namespaces are compared as they stand, not as they count.
fn id_fits(compiled: &CompiledSelector, id: &ResId) -> bool {
    compiled.matches_gvk(&id.gvk)
        && compiled.name.matches(&id.name)
        && compiled.namespace.matches(&id.namespace)
}
