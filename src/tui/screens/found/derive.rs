//! Results of the search over all fields.

use crate::model::derived::renew;
use crate::model::{Model, Screen, search_fields};

pub(crate) fn derive(model: &mut Model) {
    if model.screen != Screen::Found {
        return;
    }
    let key = (model.builds.generation, model.look.secrets.are_masked());
    if renew(&mut model.derived.found, key) && !model.search.pattern.is_empty() {
        let found = search_fields(model);
        model.search.error = found.as_ref().err().cloned();
        model.search.rows = found.unwrap_or_default();
    }
}
