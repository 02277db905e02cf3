//! The paths for one type, walked together.

mod ways;

use indexmap::map::Entry;

use crate::resource::QuickMap;
use crate::yaml::{Limits, Node, Value};

use super::super::set_field::Reach;
use super::{FieldPath, Leaf, Meaning, Segment, Setter, is_tagged_null};

/// So many resources of a type are worth a tree.
pub(in crate::transform) const MANY: usize = 4;

/// Some paths in their order. Where there are many resources they are walked as a tree: what several of them begin with is
/// looked up once.
#[derive(Debug)]
pub(in crate::transform) struct Chosen<'a> {
    paths: Vec<&'a FieldPath>,
    tree: Option<Tree<'a>>,
    /// Of each path, whether what is written through the others leaves alone what it leads to; nothing where that is not known.
    apart: Vec<bool>,
}

impl<'a> Chosen<'a> {
    /// These paths, one after the other.
    pub(in crate::transform) fn new(paths: Vec<&'a FieldPath>) -> Self {
        Self { paths, tree: None, apart: Vec::new() }
    }

    /// The same paths as a tree, unless one is too long to be walked by recursion.
    pub(in crate::transform) fn together(&self) -> Self {
        let (paths, tree) = (self.paths.clone(), Tree::of(&self.paths));
        Self { apart: apart(&paths), paths, tree }
    }

    /// Whether what a path, by its number, was seen to reach is still so when others have been written through, unless one of
    /// them made a mapping of a null.
    pub(in crate::transform) fn is_apart(&self, path: usize) -> bool {
        self.apart.get(path).copied().unwrap_or(false)
    }

    /// The paths in their order.
    pub(in crate::transform) fn paths(&self) -> &[&'a FieldPath] {
        &self.paths
    }

    /// Walks without writing: what becomes of each path, as [`FieldPath::reach`] says it.
    pub(in crate::transform) fn reach(&self, node: &Node, setter: &impl Setter) -> Vec<Reach> {
        let Some(tree) = &self.tree else {
            return self.paths.iter().map(|path| path.reach(node, setter)).collect();
        };
        self.reach_in(tree, node, setter, &mut |node| setter.reach(node))
    }

    /// As [`Chosen::reach`] and [`Chosen::has_claims`], both from one walk.
    pub(in crate::transform) fn look(
        &self,
        node: &Node,
        setter: &impl Setter,
    ) -> (Vec<Reach>, bool) {
        let Some(tree) = &self.tree else {
            return (self.reach(node, setter), self.has_claims(node, setter));
        };
        let mut has_claims = false;
        let reach = self.reach_in(tree, node, setter, &mut |node| {
            let (reach, claims) = setter.look(node);
            has_claims |= claims;
            reach
        });
        (reach, has_claims)
    }

    fn reach_in(
        &self,
        tree: &Tree<'_>,
        node: &Node,
        setter: &impl Setter,
        look: &mut impl FnMut(&Node) -> Reach,
    ) -> Vec<Reach> {
        let mut found = vec![Reach::No; self.paths.len()];
        let has_leaf = setter.leaf() != Leaf::Nothing;
        tree.reach(Tree::ROOT, node, look, &mut |path, reach| {
            let creates = || has_leaf && self.paths.get(path).is_some_and(|path| path.spec.create);
            if let Some(found) = found.get_mut(path)
                && (reach.is_made_anyway || creates())
            {
                *found = reach.reach.max(*found);
            }
        });
        found
    }

    /// True when one of the paths leads to something that the setter finds as it would write it.
    pub(in crate::transform) fn has_claims(&self, node: &Node, setter: &impl Setter) -> bool {
        match &self.tree {
            Some(tree) => tree.has_claims(Tree::ROOT, node, setter),
            None => self.paths.iter().any(|path| path.claim(node, setter).is_some()),
        }
    }
}

/// Of each path, whether it leads to no part of what another leads to, nor the other way round, as far as names tell.
fn apart(paths: &[&FieldPath]) -> Vec<bool> {
    let mut segments = paths.iter().flat_map(|path| path.segments());
    if segments.any(|segment| segment.meaning != Meaning::Field) {
        return Vec::new();
    }
    // Each beginning of a path has a number, by that of the shorter one; of each, how many paths have it, and how many are it.
    let mut known: QuickMap<(usize, &str), usize> = QuickMap::default();
    let mut counts = vec![(paths.len(), 0_usize)];
    let mut ways: Vec<Vec<usize>> = Vec::with_capacity(paths.len());
    for path in paths {
        let mut way = Vec::new();
        for segment in path.segments() {
            let above = way.last().copied().unwrap_or(0);
            let next = *known.entry((above, &*segment.key)).or_insert(counts.len());
            if next == counts.len() {
                counts.push((0, 0));
            }
            counts[next].0 += 1;
            way.push(next);
        }
        counts[way.last().copied().unwrap_or(0)].1 += 1;
        ways.push(way);
    }
    let is_apart = |way: &Vec<usize>| {
        way.split_last().is_some_and(|(last, above)| {
            counts[*last].0 == 1 && above.iter().all(|beginning| counts[*beginning].1 == 0)
        })
    };
    ways.iter().map(is_apart).collect()
}

/// Paths by what they begin with. A branch is named by its place in the list.
#[derive(Debug)]
struct Tree<'a>(Vec<Branch<'a>>);

#[derive(Debug, Default)]
struct Branch<'a> {
    /// The paths that end here.
    ends: Vec<usize>,
    /// Those that go on.
    going_on: Vec<usize>,
    below: Vec<(&'a Segment, usize)>,
}

/// What a walk comes to for one path.
#[derive(Clone, Copy)]
struct Reached {
    reach: Reach,
    /// Also for a path that creates nothing.
    is_made_anyway: bool,
}

impl Reached {
    fn of(reach: Reach) -> Self {
        Self { reach, is_made_anyway: true }
    }
}

impl<'a> Tree<'a> {
    const ROOT: usize = 0;

    fn of(paths: &[&'a FieldPath]) -> Option<Self> {
        let deepest = Limits::default().depth;
        if paths.iter().any(|path| path.segments().len() > deepest) {
            return None;
        }
        let mut branches = vec![Branch::default()];
        let mut known: QuickMap<(usize, &Segment), usize> = QuickMap::default();
        for (number, path) in paths.iter().enumerate() {
            let mut at = Self::ROOT;
            for segment in path.segments() {
                let next = match known.entry((at, segment)) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => {
                        let next = branches.len();
                        branches.push(Branch::default());
                        branches[at].below.push((segment, next));
                        *new.insert(next)
                    }
                };
                branches[at].going_on.push(number);
                at = next;
            }
            branches[at].ends.push(number);
        }
        Some(Self(branches))
    }

    fn reach(
        &self,
        at: usize,
        node: &Node,
        look: &mut impl FnMut(&Node) -> Reach,
        found: &mut impl FnMut(usize, Reached),
    ) {
        let Some(branch) = self.0.get(at) else { return };
        if !branch.ends.is_empty() {
            let reach = look(node);
            branch.ends.iter().for_each(|path| found(*path, Reached::of(reach)));
        }
        if !branch.below.is_empty() && !node.is_null() {
            self.reach_below(branch, node, look, found);
        }
    }

    fn reach_below(
        &self,
        branch: &Branch<'a>,
        node: &Node,
        look: &mut impl FnMut(&Node) -> Reach,
        found: &mut impl FnMut(usize, Reached),
    ) {
        let mapping = match &node.value {
            Value::Scalar(_) => {
                let write = Reached::of(Reach::Write);
                return branch.going_on.iter().for_each(|path| found(*path, write));
            }
            Value::Sequence(items, _) => {
                for item in items.iter().filter(|item| !item.is_null()) {
                    self.reach_below(branch, item, look, found);
                }
                return;
            }
            Value::Mapping(mapping) => mapping,
        };
        for (segment, next) in &branch.below {
            let mut all = |is_made_anyway| {
                let write = Reached { reach: Reach::Write, is_made_anyway };
                let Some(below) = self.0.get(*next) else { return };
                below.ends.iter().chain(&below.going_on).for_each(|path| found(*path, write));
            };
            match segment.meaning {
                Meaning::Blank => self.reach(*next, node, look, found),
                Meaning::Field => match mapping.get(&segment.key) {
                    None if segment.sequence => {}
                    None => all(false),
                    Some(value) if is_tagged_null(value) => {
                        all(segment.sequence);
                        self.reach(*next, value, look, found);
                    }
                    Some(value) => self.reach(*next, value, look, found),
                },
                _ => all(true),
            }
        }
    }

    fn has_claims(&self, at: usize, node: &Node, setter: &impl Setter) -> bool {
        let Some(branch) = self.0.get(at) else { return false };
        !branch.ends.is_empty() && setter.claim(node).is_some()
            || !branch.below.is_empty() && self.has_claims_below(branch, node, setter)
    }

    fn has_claims_below(&self, branch: &Branch<'a>, node: &Node, setter: &impl Setter) -> bool {
        match &node.value {
            Value::Scalar(_) => false,
            Value::Sequence(items, _) => {
                items.iter().any(|item| self.has_claims_below(branch, item, setter))
            }
            Value::Mapping(mapping) => branch.below.iter().any(|(segment, next)| {
                let value = match segment.meaning {
                    Meaning::Blank => Some(node),
                    _ => mapping.get(&segment.key),
                };
                value.is_some_and(|value| self.has_claims(*next, value, setter))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::manifest::FieldSpec;
    use crate::transform::set_field::{FieldError, claimed};
    use crate::yaml::{Mark, SourceId, Tag, parse_documents};

    /// Writes to texts by their first letter.
    struct ByLetter {
        leaf: Leaf,
    }

    impl Setter for ByLetter {
        fn mark(&self) -> Mark {
            Mark::default()
        }

        fn leaf(&self) -> Leaf {
            self.leaf.clone()
        }

        fn reach(&self, node: &Node) -> Reach {
            match node.text().and_then(|text| text.chars().next()) {
                Some('s') => Reach::Same,
                Some('w') | None => Reach::Write,
                Some(_) => Reach::No,
            }
        }

        fn set(&mut self, _: &mut Node) -> Result<(), FieldError> {
            Ok(())
        }

        fn claim(&self, node: &Node) -> Option<Node> {
            (self.reach(node) == Reach::Same).then(|| claimed(node, Mark::default())).flatten()
        }
    }

    pub(super) fn trees() -> impl Strategy<Value = String> {
        let leaf = prop::sample::select(vec!["s", "w", "n", "~", "''", "!!null x"]);
        leaf.prop_map(str::to_owned).prop_recursive(4, 24, 4, |below| {
            let key = prop::sample::select(vec!["a", "b", "c", "5"]);
            let mapping = prop::collection::vec((key, below.clone()), 0..4).prop_map(|entries| {
                let entries = entries.iter().enumerate().filter(|(at, (key, _))| {
                    entries.iter().take(*at).all(|(earlier, _)| earlier != key)
                });
                let entries: Vec<_> =
                    entries.map(|(_, (key, value))| format!("{key}: {value}")).collect();
                format!("{{{}}}", entries.join(", "))
            });
            let list = prop::collection::vec(below, 0..3)
                .prop_map(|items| format!("[{}]", items.join(", ")));
            prop_oneof![mapping, list]
        })
    }

    fn paths() -> impl Strategy<Value = Vec<(String, bool)>> {
        let segment =
            prop::sample::select(vec!["a", "b", "c", "a[]", "b[]", " ", "", "*", "5", "[a]"]);
        let path = prop::collection::vec(segment, 0..5).prop_map(|segments| segments.join("/"));
        prop::collection::vec((path, any::<bool>()), 0..6)
    }

    #[test]
    fn paths_with_one_beginning_are_apart() {
        let of = |paths: &[&str]| {
            let spec = |path: &&str| FieldSpec { path: (*path).to_owned(), ..FieldSpec::default() };
            let paths: Vec<FieldPath> = paths.iter().map(|it| FieldPath::new(spec(it))).collect();
            let chosen = Chosen::new(paths.iter().collect()).together();
            (0..paths.len()).map(|path| chosen.is_apart(path)).collect::<Vec<_>>()
        };
        assert_eq!(of(&["a/b", "a/c", "a/b[]/d", "e", "e"]), [false, true, false, false, false]);
        assert_eq!(of(&["a/b/c", "a/b/d"]), [true, true]);
        assert_eq!(of(&["a/ /b", "c"]), [false, false]);
    }

    proptest! {
        #[test]
        fn a_tree_of_paths_says_what_each_path_says(text in trees(), paths in paths(), leaf in 0_usize..3) {
            let leaf = [Leaf::Nothing, Leaf::Mapping, Leaf::Scalar(Tag::Str)][leaf].clone();
            let setter = ByLetter { leaf };
            let file = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).unwrap();
            let Some(document) = file.documents.into_iter().next() else { return Ok(()) };
            let node = document.node;
            let spec = |(path, create): (String, bool)| FieldSpec { path, create, ..FieldSpec::default() };
            let paths: Vec<FieldPath> = paths.into_iter().map(|it| FieldPath::new(spec(it))).collect();
            let chosen = Chosen::new(paths.iter().collect());
            let each: Vec<Reach> = paths.iter().map(|path| path.reach(&node, &setter)).collect();
            let has_claims = paths.iter().any(|path| path.claim(&node, &setter).is_some());
            let together = chosen.together();
            prop_assert!(together.tree.is_some());
            for chosen in [chosen, together] {
                prop_assert_eq!(&chosen.reach(&node, &setter), &each);
                prop_assert_eq!(chosen.has_claims(&node, &setter), has_claims);
            }
        }
    }
}
