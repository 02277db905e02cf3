//! The earlier names of a resource.

use std::sync::Arc;

/// An earlier name of a resource: kind, name and *effective* namespace. Group and version are
/// always those of the current id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PreviousId {
    /// The kind that the resource had with this name.
    pub kind: Arc<str>,
    pub name: Arc<str>,
    /// The effective namespace that the resource had with this name.
    pub namespace: Arc<str>,
}

/// The maximum number of earlier names of one resource in one build. Every rename copies the
/// earlier ones, so a chain of layers with prefixes takes memory that grows with the cube of its
/// length.
pub const MAX_EARLIER_NAMES: usize = 256;

/// The earlier names of a resource, with the prefixes and suffixes that were added. A value type:
/// copies share the lists until one is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EarlierNames(Option<Arc<NameLists>>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct NameLists {
    previous: Vec<PreviousId>,
    prefixes: Vec<Arc<str>>,
    suffixes: Vec<Arc<str>>,
}

impl EarlierNames {
    /// Creates the lists from the earlier names, oldest first, and the prefixes and suffixes in
    /// order of application.
    pub fn new(
        previous: Vec<PreviousId>,
        prefixes: Vec<Arc<str>>,
        suffixes: Vec<Arc<str>>,
    ) -> Self {
        let is_empty = previous.is_empty() && prefixes.is_empty() && suffixes.is_empty();
        Self((!is_empty).then(|| Arc::new(NameLists { previous, prefixes, suffixes })))
    }

    /// Earlier names, oldest first.
    pub fn previous(&self) -> &[PreviousId] {
        self.0.as_ref().map_or(&[], |lists| &lists.previous)
    }

    /// Name prefixes in order of application.
    pub fn prefixes(&self) -> &[Arc<str>] {
        self.0.as_ref().map_or(&[], |lists| &lists.prefixes)
    }

    /// Name suffixes in order of application.
    pub fn suffixes(&self) -> &[Arc<str>] {
        self.0.as_ref().map_or(&[], |lists| &lists.suffixes)
    }

    /// True if it has no earlier name, prefix or suffix.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Adds an earlier name.
    pub fn add_previous(&mut self, id: PreviousId) {
        let previous = &mut self.lists().previous;
        // Many resources get both a namespace and a prefix.
        previous.reserve_exact(if previous.is_empty() { 2 } else { 1 });
        previous.push(id);
    }

    /// Adds a prefix that was added to the name.
    pub fn add_prefix(&mut self, prefix: Arc<str>) {
        self.lists().prefixes.push(prefix);
    }

    /// Adds a suffix that was added to the name.
    pub fn add_suffix(&mut self, suffix: Arc<str>) {
        self.lists().suffixes.push(suffix);
    }

    /// The approximate number of bytes of these lists that are not shared with `other`.
    pub(super) fn unshared_bytes(&self, other: Option<&Self>) -> usize {
        let Some(lists) = &self.0 else { return 0 };
        if other.and_then(|other| other.0.as_ref()).is_some_and(|other| Arc::ptr_eq(lists, other)) {
            return 0;
        }
        let texts = lists.prefixes.len() + lists.suffixes.len();
        size_of::<NameLists>()
            + lists.previous.len() * size_of::<PreviousId>()
            + texts * size_of::<Arc<str>>()
    }

    fn lists(&mut self) -> &mut NameLists {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}
