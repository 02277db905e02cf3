//! Paths at which one node occurs in several mappings of a resource. Most resources of a type have
//! the same paths, so that each list of paths is stored once.

use std::sync::Arc;

use crate::resource::PathStep;
use crate::yaml::Node;

use super::field_walk::{BorrowedStep, FieldSpecPath};

/// The maximum number of layouts in the cache; the oldest is dropped.
const MAX_LAYOUTS: usize = 16;

/// All positions of one shared node, as paths.
pub(super) type NodePlaces = Arc<Vec<Vec<PathStep>>>;

/// The paths to the visited mappings; for each requested key, the sorted paths of its values in
/// them.
#[derive(Debug)]
struct Layout {
    ways: Vec<Vec<PathStep>>,
    known: Vec<Option<NodePlaces>>,
}

impl Layout {
    /// True if the layout has exactly these paths: `ends` are the end indices of the paths in
    /// `steps`.
    fn has_steps(&self, steps: &[BorrowedStep<'_>], ends: &[usize]) -> bool {
        let starts = [0].into_iter().chain(ends.iter().copied());
        let mut pairs = starts.zip(ends).zip(&self.ways);
        self.ways.len() == ends.len()
            && pairs.all(|((start, end), way)| {
                let visited = &steps[start..*end];
                visited.len() == way.len()
                    && visited.iter().zip(way).all(|(one, other)| one == other)
            })
    }
}

/// The layouts found in the resources so far.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    known: Vec<Layout>,
    now: usize,
}

impl Layouts {
    /// Visits a resource; returns the mappings at the end of `paths`, or `None` if there are fewer
    /// than two.
    pub(super) fn visit_mappings<'n>(
        &mut self,
        paths: &[&FieldSpecPath],
        node: &'n Node,
    ) -> Option<Vec<&'n Node>> {
        let (mut steps, mut way) = (Vec::with_capacity(16), Vec::with_capacity(8));
        let (mut ends, mut reached) = (Vec::new(), Vec::new());
        for path in paths {
            path.visit_places(node, &mut way, &mut |way, mapping| {
                steps.extend_from_slice(way);
                ends.push(steps.len());
                reached.push(mapping);
            });
        }
        if reached.len() < 2 {
            return None;
        }
        let known = self.known.iter().position(|layout| layout.has_steps(&steps, &ends));
        self.now = known.unwrap_or_else(|| {
            if self.known.len() == MAX_LAYOUTS {
                self.known.remove(0);
            }
            let places = paths.iter().flat_map(|path| path.places(node));
            let ways = places.map(|(way, _)| way).collect();
            self.known.push(Layout { ways, known: Vec::new() });
            self.known.len() - 1
        });
        Some(reached)
    }

    /// The paths of a key in every mapping of the last visited resource. `number` is the number
    /// that the caller gave the key.
    pub(super) fn places(&mut self, number: usize, key: &Arc<str>) -> NodePlaces {
        let Layout { ways, known } = &mut self.known[self.now];
        if known.len() <= number {
            known.resize(number + 1, None);
        }
        let written_down = || {
            let place = |way: &Vec<PathStep>| [&way[..], &[PathStep::Key(key.clone())]].concat();
            let mut places: Vec<Vec<PathStep>> = ways.iter().map(place).collect();
            places.sort_unstable();
            places.dedup();
            Arc::new(places)
        };
        known[number].get_or_insert_with(written_down).clone()
    }
}
