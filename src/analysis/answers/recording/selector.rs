//! Names of resources: the forms that a user may write, and the name in a list of choices.
//!
//! `KIND/NAME`, and as much before the name as needed: `KIND.GROUP/NAME`,
//! `KIND.VERSION.GROUP/NAME`, `KIND/NAMESPACE/NAME`, `NAMESPACE/KIND/NAME`,
//! `VERSION/KIND/NAMESPACE/NAME`, `GROUP/VERSION/KIND/NAME`, `GROUP/VERSION/KIND/NAMESPACE/NAME`,
//! with `-` for no namespace and for the core group. The name is that of the output, or any former
//! name of the resource; a resource with this name in the output takes precedence. Kinds are
//! case-insensitive.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::resource::{QuickSet, Resource, Slot, nearest_name};

use crate::answers::Recording;

/// The reason why a text does not name exactly one resource.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResourceNameError {
    /// The text has no kind or no name.
    #[error(
        "`{0}` names no resource: write KIND/NAME, as in Deployment/web, or \
         GROUP/VERSION/KIND/NAMESPACE/NAME"
    )]
    Unreadable(String),
    #[error("`{text}` names {} resources: write one of {}", choices.len(), choices.join(", "))]
    Ambiguous { text: String, choices: Vec<String> },
    #[error("no resource is called `{text}`{}", similar_names_text(nearest))]
    Unknown {
        text: String,
        /// The names of resources that are similar to the text.
        nearest: Vec<String>,
    },
}

/// The end of the message about an unknown name: the similar names.
fn similar_names_text(nearest: &[String]) -> String {
    if nearest.is_empty() {
        return ", before or after any step".to_owned();
    }
    format!("; similar names: {}", nearest.join(", "))
}

/// One way to read a text as group, version, kind, namespace and name.
#[derive(Clone, Debug, Default)]
struct SelectorReading<'a> {
    group: Option<&'a str>,
    version: Option<&'a str>,
    kind: &'a str,
    namespace: Option<&'a str>,
    name: &'a str,
}

impl<'a> SelectorReading<'a> {
    /// Every way to read a text as the name of a resource; none if the text has no kind or no name.
    fn parse_all(text: &'a str) -> Vec<Self> {
        let parts: Vec<&str> = text.trim().split('/').collect();
        let plain = |kind, name| Self { kind, name, ..Self::default() };
        let mut readings = match parts[..] {
            [kind, name] => vec![plain(kind, name)],
            [a, b, name] => vec![
                Self { namespace: Some(b), ..plain(a, name) },
                Self { namespace: Some(a), ..plain(b, name) },
            ],
            [a, b, c, name] => vec![
                Self { group: Some("-"), version: Some(a), namespace: Some(c), ..plain(b, name) },
                Self { group: Some(a), version: Some(b), ..plain(c, name) },
            ],
            [group, version, kind, namespace, name] => vec![Self {
                group: Some(group),
                version: Some(version),
                namespace: Some(namespace),
                ..plain(kind, name)
            }],
            _ => Vec::new(),
        };
        readings.retain(|reading| !reading.kind.is_empty() && !reading.name.is_empty());
        let dotted: Vec<Self> = readings.iter().flat_map(Self::dotted).collect();
        readings.extend(dotted);
        readings
    }

    /// Further ways to read the kind: as `Kind.group` and as `Kind.version.group`. A kind never
    /// contains a dot.
    fn dotted(&self) -> Vec<Self> {
        let Some((kind, rest)) = self.kind.split_once('.') else { return Vec::new() };
        let mut readings = vec![Self { kind, group: Some(rest), ..self.clone() }];
        if let Some((version, group)) = rest.split_once('.') {
            let version = Some(version);
            readings.push(Self { kind, version, group: Some(group), ..self.clone() });
        }
        readings
    }

    /// True for a resource of this kind, group and version, and of one of these namespaces: as written
    /// and as it takes effect; `-` is the empty group or namespace.
    fn matches_type(&self, resource: &Resource, namespaces: [&str; 2]) -> bool {
        let gvk = &resource.id.gvk;
        let is = |wanted: Option<&str>, has: &str| {
            wanted.is_none_or(|wanted| {
                wanted.eq_ignore_ascii_case(has) || wanted == "-" && has.is_empty()
            })
        };
        let is_there = self.namespace.is_none_or(|wanted| {
            namespaces.contains(&wanted) || wanted == "-" && namespaces[0].is_empty()
        });
        gvk.kind.eq_ignore_ascii_case(self.kind)
            && is(self.group, &gvk.group)
            && is(self.version, &gvk.version)
            && is_there
    }

    fn matches_current(&self, resource: &Resource) -> bool {
        let own = [&*resource.id.namespace, resource.id.effective_namespace()];
        *resource.id.name == *self.name && self.matches_type(resource, own)
    }

    fn matches_previous(&self, resource: &Resource) -> bool {
        let own = [&*resource.id.namespace, resource.id.effective_namespace()];
        let mut previous = resource.names.previous().iter().filter(|it| *it.name == *self.name);
        previous.any(|previous| {
            let former = [&*previous.namespace; 2];
            [former, own].into_iter().any(|it| self.matches_type(resource, it))
        })
    }
}

type ResourceSlots<'r> = Vec<(Slot, &'r Resource)>;

impl Recording {
    /// The resource that a text names: one of the output, else one that the build removed.
    ///
    /// # Errors
    ///
    /// The text names no resource, or several; the error contains suggestions.
    pub fn find(&self, text: &str) -> Result<Slot, ResourceNameError> {
        let readings = SelectorReading::parse_all(text);
        if readings.is_empty() {
            return Err(ResourceNameError::Unreadable(text.to_owned()));
        }
        let (there, gone) = self.output_and_other_resources();
        let tiers = [&there, &gone].into_iter().flat_map(|pool| {
            [SelectorReading::matches_current, SelectorReading::matches_previous].map(|fits| {
                let is_fitting = |resource| readings.iter().any(|reading| fits(reading, resource));
                let fitting = pool.iter().filter(|(_, resource)| is_fitting(resource));
                fitting.map(|(slot, _)| *slot).collect::<Vec<Slot>>()
            })
        });
        let found = tiers.into_iter().find(|found| !found.is_empty()).unwrap_or_default();
        let text = text.to_owned();
        match found.as_slice() {
            [] => Err(ResourceNameError::Unknown { text, nearest: self.similar_names(&readings) }),
            [slot] => Ok(*slot),
            [.., last] => {
                let names = self.names();
                let choices: BTreeSet<String> =
                    found.iter().filter_map(|slot| names.get(slot).cloned()).collect();
                // A resource was removed, and another one created with the same name: the last one
                // counts.
                if choices.len() == 1 {
                    return Ok(*last);
                }
                let choices = choices.into_iter().collect();
                Err(ResourceNameError::Ambiguous { text, choices })
            }
        }
    }

    /// For every resource, the shortest text that identifies it in [`Recording::find`].
    pub fn names(&self) -> BTreeMap<Slot, String> {
        let (there, gone) = self.output_and_other_resources();
        let mut names = BTreeMap::new();
        for (pool, above) in [(&there, None), (&gone, Some(&there))] {
            let mut uses: BTreeMap<String, usize> = BTreeMap::new();
            for (_, resource) in above.into_iter().flatten().chain(pool) {
                for form in selector_texts(resource) {
                    *uses.entry(form.to_lowercase()).or_default() += 1;
                }
            }
            for (slot, resource) in pool {
                let mut forms = selector_texts(resource);
                let only = forms.iter().position(|form| uses.get(&form.to_lowercase()) == Some(&1));
                let last = forms.len() - 1;
                names.insert(*slot, forms.swap_remove(only.unwrap_or(last)));
            }
        }
        names
    }

    /// The resources of the output, and the other resources of the build: removed or unfinished
    /// ones.
    fn output_and_other_resources(&self) -> (ResourceSlots<'_>, ResourceSlots<'_>) {
        let there: Vec<(Slot, &Resource)> =
            self.output.iter().map(|(slot, resource)| (*slot, &**resource)).collect();
        let others =
            self.identity.last_states().filter(|(slot, _)| self.output_resource(*slot).is_none());
        (there, others.map(|(slot, last)| (slot, &*last.resource)).collect())
    }

    fn similar_names(&self, readings: &[SelectorReading<'_>]) -> Vec<String> {
        let (there, gone) = self.output_and_other_resources();
        let all: Vec<(Slot, &Resource)> = there.into_iter().chain(gone).collect();
        let names = self.names();
        let is_of_kind = |(_, resource): &(Slot, &Resource), kind: &str| {
            resource.id.gvk.kind.eq_ignore_ascii_case(kind)
        };
        let mut found: QuickSet<&String> = QuickSet::default();
        for reading in readings {
            let kind = reading.kind.split('.').next().unwrap_or_default();
            let is_near = |(_, resource): &&(Slot, &Resource)| {
                let before = resource.names.previous().iter().map(|previous| &*previous.name);
                nearest_name(reading.name, before.chain([&*resource.id.name])).is_some()
                    || resource.id.name.contains(reading.name)
            };
            let of_kind = all.iter().filter(|it| is_of_kind(it, kind)).filter(is_near);
            let called = all.iter().filter(|(_, resource)| *resource.id.name == *reading.name);
            found.extend(of_kind.chain(called).filter_map(|(slot, _)| names.get(slot)));
        }
        if found.is_empty() {
            let is_one =
                |it: &&(Slot, &Resource)| readings.iter().any(|by| is_of_kind(it, by.kind));
            found.extend(all.iter().filter(is_one).filter_map(|(slot, _)| names.get(slot)));
        }
        found.into_iter().take(5).cloned().collect()
    }
}

/// The possible texts for a resource, the shortest first.
fn selector_texts(resource: &Resource) -> Vec<String> {
    let (gvk, name) = (&resource.id.gvk, &resource.id.name);
    let or_none = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
    let (group, namespace) = (or_none(&gvk.group), or_none(&resource.id.namespace));
    let mut forms = vec![format!("{}/{name}", gvk.kind)];
    if !resource.id.namespace.is_empty() {
        forms.push(format!("{namespace}/{}/{name}", gvk.kind));
    }
    if !gvk.group.is_empty() {
        forms.push(format!("{}.{}/{name}", gvk.kind, gvk.group));
    }
    forms.push(format!("{group}/{}/{}/{namespace}/{name}", gvk.version, gvk.kind));
    forms
}
