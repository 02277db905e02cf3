//! Results of the search over all fields.

use crate::model::derived::FoundKey;
use crate::model::{Model, Screen, search_fields};

/// Searches again if the build or the display of Secrets has changed.
pub(crate) fn derive(model: &mut Model) {
    if model.screen != Screen::Found {
        return;
    }
    let is_masked = model.look.secrets.are_masked();
    let key = FoundKey { generation: model.builds.generation, is_masked };
    if model.derived.found == Some(key) {
        return;
    }
    model.derived.found = Some(key);
    let pattern = &model.search.pattern;
    if pattern.is_empty() {
        return;
    }
    match search_fields(&model.builds.recording, pattern, &model.look.secrets) {
        Ok(rows) => (model.search.rows, model.search.error) = (rows, None),
        Err(error) => {
            (model.search.rows, model.search.error) = (Vec::new(), Some(error));
        }
    }
}
