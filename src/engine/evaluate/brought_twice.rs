//! One file that comes into a build by two ways: what Components are for (KEP-1802).

use std::path::Path;

use crate::yaml::Mark;

use super::LayerId;
use super::build::Build;

impl Build<'_> {
    /// Who brings the file of a resource, where two do, and what to do about it.
    pub(super) fn brought_twice(&self, mark: Mark) -> Option<String> {
        let file = self.memory.sources.path(mark.source)?;
        let layers = &self.recorder.layers;
        let holds = |path: &str| Path::new(file).parent().is_some_and(|dir| dir.starts_with(path));
        let nearest =
            layers.iter().filter(|layer| holds(&layer.path)).map(|l| l.path.len()).max()?;
        let ways = layers
            .iter()
            .enumerate()
            .filter(|(_, layer)| layer.path.len() == nearest && holds(&layer.path));
        let ways: Vec<Vec<&str>> = ways.map(|(index, _)| self.way_to(LayerId(index))).collect();
        let [.., one, other] = ways.as_slice() else { return None };
        let differs = one.iter().zip(other).position(|(one, other)| one != other);
        let at = differs.unwrap_or(one.len().min(other.len()));
        let (one, other) = (one.get(at).or(one.last())?, other.get(at).or(other.last())?);
        if one == other {
            return None;
        }
        Some(format!(
            "'{one}' and '{other}' both bring {file}: list it once, and make each overlay on it a Component \
             (`kind: Component`, listed under `components:`)"
        ))
    }

    /// The names of the layers from below the root to this one.
    fn way_to(&self, layer: LayerId) -> Vec<&str> {
        let layers = &self.recorder.layers;
        let mut way: Vec<&str> = Vec::new();
        let mut next = layers.get(layer.0);
        while let Some(layer) = next {
            let Some(parent) = layer.parent else { break };
            way.push(&layer.name);
            next = layers.get(parent.0);
        }
        way.reverse();
        way
    }
}
