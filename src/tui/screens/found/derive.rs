//! Results of the search over all fields.

use crate::model::derived::renew;
use crate::model::{Model, Screen, search_fields};

/// Searches again if the build or the display of Secrets has changed.
pub(crate) fn derive(model: &mut Model) {
    if model.screen != Screen::Found {
        return;
    }
    let key = (model.builds.generation, model.look.secrets.are_masked());
    let pattern = &model.search.pattern;
    if !renew(&mut model.derived.found, key) || pattern.is_empty() {
        return;
    }
    match search_fields(&model.builds.recording, pattern, &model.look.secrets) {
        Ok(rows) => (model.search.rows, model.search.error) = (rows, None),
        Err(error) => {
            (model.search.rows, model.search.error) = (Vec::new(), Some(error));
        }
    }
}
